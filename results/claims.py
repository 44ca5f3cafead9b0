"""Whether the prose of docs/results/index.md says what the tables of the pages say.

``python results/claims.py docs/results`` prints what is wrong. claims.toml names the cell of each
number of a paragraph: ``PAGE # SECTION > ROW > COLUMN``; a repeated column is called ``name (the
last name that is not repeated)``. What papers say, and settings, are listed as stated elsewhere.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from glance import cells_of, named_columns

__all__ = ["wrong_claims"]

CLAIMS = Path(__file__).with_name("claims.toml")
_NUMBER = re.compile(r"-?\d+\.\d+(?: %)?")


def wrong_claims(pages: Path) -> list[str]:
    """What the prose says and the tables do not; numbers without a cell, and cells without one."""
    claims = tomllib.loads(CLAIMS.read_text(encoding="utf-8"))
    wrong, seen = [], set()
    for begins, numbers in _paragraphs(pages / "index.md"):
        mine = claims.get(begins, {})
        seen.add(begins)
        stated = {number: place for number, place in mine.items() if isinstance(place, str)}
        elsewhere = set(mine.get("stated_elsewhere", ()))
        for number in sorted(numbers - set(stated) - elsewhere):
            wrong.append(f"{begins}: {number} has no cell in claims.toml")
        for number in sorted((set(stated) | elsewhere) - numbers):
            wrong.append(f"{begins}: {number} is in claims.toml, but not in the text")
        for number, place in stated.items():
            cell = _cell(pages, place)
            if not _says(cell, number):
                wrong.append(f"{begins}: {number}, but {place} has {cell or 'no such cell'}")
        for column in mine.get("first", ()):
            wrong += _not_first(pages, begins, column)
    return wrong + [f"no paragraph begins with {name!r}" for name in claims.keys() - seen]


def _paragraphs(index: Path) -> Iterator[tuple[str, set[str]]]:
    """The paragraphs after the tables that have numbers, by their bold beginnings."""
    text = index.read_text(encoding="utf-8").partition("## Conclusions")[2]
    for paragraph in re.split(r"\n\n(?=\*\*|##)", text):
        prose = "\n".join(line for line in paragraph.splitlines() if not line.startswith("|"))
        numbers = set(_NUMBER.findall(" ".join(prose.split())))
        if numbers:
            found = re.match(r"\s*\*\*(.+?)\*\*", " ".join(prose.split()))
            yield (found[1] if found else prose[:60]), numbers


def _tables(page: Path, section: str) -> list[list[list[str]]]:
    """The tables of a section, as rows of cells."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip("# ") == section), len(lines))
    tables: list[list[list[str]]] = []
    inside = False
    for line in lines[start + 1 :]:
        if line.startswith("#"):
            break
        if line.startswith("|"):
            if not inside:
                tables.append([])
            tables[-1].append(cells_of(line))
        inside = line.startswith("|")
    return tables


def _cell(pages: Path, place: str) -> str | None:
    where, row, column = (part.strip() for part in place.split(" > "))
    page, section = (part.strip() for part in where.split("#", 1))
    for heads, _, *rows in _tables(pages / page, section):
        columns = named_columns(heads)
        for cells in rows:
            keys = (cells[0], " | ".join(cells[:2]))
            if row in keys and column in columns:
                return cells[columns.index(column)]
    return None


def _says(cell: str | None, number: str) -> bool:
    """Whether a cell holds a number, rounded as it is in the text."""
    scale = 100 if number.endswith(" %") else 1
    wanted = number.removesuffix(" %")
    digits = len(wanted.partition(".")[2])
    return any(
        f"{float(found) * scale:.{digits}f}" == wanted
        for found in re.findall(r"-?\d+\.\d+", cell or "")
    )


def _not_first(pages: Path, begins: str, claim: Mapping[str, object]) -> list[str]:
    """Whether the rows that are said to lead a column do, but for those left out."""
    names, without = list(claim["rows"]), set(claim.get("without", ()))  # type: ignore[call-overload]
    page, section = (part.strip() for part in str(claim["table"]).split("#", 1))
    column = str(claim["column"])
    for heads, _, *rows in _tables(pages / page, section):
        columns = named_columns(heads)
        if column in columns:
            values = {
                cells[0]: float(cells[columns.index(column)].strip("*"))
                for cells in rows
                if ":" not in cells[0]
                and cells[0] not in without
                and cells[columns.index(column)] != "–"
            }
            order = sorted(values, key=lambda name: -values[name])[: len(names)]
            return [] if order == names else [f"{begins}: by {column} first are {', '.join(order)}"]
    return [f"{begins}: {claim['table']} has no column {column}"]


def main() -> None:
    """Print what is wrong."""
    parser = argparse.ArgumentParser(description="Check the prose of the index of results.")
    parser.add_argument("pages", type=Path, help="the folder of the pages and their index.md")
    wrong = wrong_claims(parser.parse_args().pages)
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
