"""The tables of docs/results/index.md, taken from the pages that the other scripts wrote.

``python results/glance.py docs/results``: each table of the index is found by its first line and
replaced.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from pages import table

Rows = Mapping[str, Mapping[str, str]]
"""The rows of a table by their first cell, and the cells of each by their column."""
OF_EDITS = (
    *("es", "es-line", "es-token", "sari", "diffbleu", "sanslcs"),
    *("kin", "codebleu", "jaccard"),
)
"""The measures of edits, and the best of two texts."""
AS_PUBLISHED = ("es-token:preset=paper", "es-line:preset=paper", "sari", "es-token", "es-line")
"""The Excision Score as its paper defines it, and ours."""
CHANGED = "changed rows only"


def read_table(page: Path, begins: str) -> Rows:
    """The table of a page whose first line begins in some way."""
    lines = page.read_text(encoding="utf-8").splitlines()
    first, end = place_of_table(lines, begins, page)
    columns = named_columns(cells_of(lines[first]))
    rows = [cells_of(line) for line in lines[first + 2 : end]]
    return {row[0]: dict(zip(columns, row, strict=True)) for row in rows}


def named_columns(heads: Sequence[str]) -> list[str]:
    """The names of columns; a repeated one is called ``name (the last name not repeated)``."""
    columns, last = [], ""
    for head in heads:
        repeated = heads.count(head) > 1
        last = last if repeated else head
        columns.append(f"{head} ({last})" if repeated else head)
    return columns


def place_of_table(lines: Sequence[str], begins: str, page: Path) -> tuple[int, int]:
    """Where a table begins, and where it ends."""
    first = next((i for i, line in enumerate(lines) if line.startswith(begins)), None)
    if first is None:
        sys.exit(f"{page}: no table begins with {begins!r}")
    end = first
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return first, end


def cells_of(line: str) -> list[str]:
    """The cells of a row."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def of_two_texts(triplets: Rows, outcomes: Rows, cards: Rows) -> str:
    """Each measure of two texts, with its defaults, on triplets, edits and cards."""
    columns = [
        ("d, matched triplets", triplets, "matched: d"),
        ("won", triplets, "matched: won"),
        ("d, random", triplets, "random: d"),
        ("r, HumanEvalFix", outcomes, "humanevalfix-python"),
        (CHANGED, outcomes, f"{CHANGED} (humanevalfix-python)"),
        ("r, DebugBench", outcomes, "debugbench-cpp"),
        ("separation", cards, "separation"),
        ("pairs/s", triplets, "pairs/s"),
    ]
    return filled(columns, [name for name in triplets if ":" not in name])


def of_edits(outcomes: Rows) -> str:
    """The measures of edits on all files of edits; the best are bold."""
    columns = [
        ("HumanEvalFix", outcomes, "humanevalfix-python"),
        ("changed rows", outcomes, f"{CHANGED} (humanevalfix-python)"),
        ("DebugBench, C++", outcomes, "debugbench-cpp"),
        ("Java", outcomes, "debugbench-java"),
        ("Python", outcomes, "debugbench-python"),
        ("CanItEdit", outcomes, "canitedit"),
        ("changed rows", outcomes, f"{CHANGED} (canitedit)"),
    ]
    best = {
        (name, column)
        for _, rows, column in columns
        for name in [max(OF_EDITS, key=lambda one: float(rows[one][column]))]
    }
    return filled([*columns, ("triples/s", outcomes, "pairs/s")], OF_EDITS, best)


def as_published(outcomes: Rows) -> str:
    """The Excision Score as its paper defines it, beside SARI and our forms."""
    columns = [
        ("HumanEvalFix", outcomes, "humanevalfix-python"),
        ("DebugBench, C++", outcomes, "debugbench-cpp"),
        ("Java", outcomes, "debugbench-java"),
        ("Python", outcomes, "debugbench-python"),
        ("CanItEdit", outcomes, "canitedit"),
    ]
    return filled(columns, AS_PUBLISHED)


def filled(
    columns: Sequence[tuple[str, Rows, str]],
    names: Sequence[str],
    best: Collection[tuple[str, str]] = (),
) -> str:
    """A table of some columns: the head of each, and the rows and the column it is from."""
    return table(
        ["measure", *(head for head, _, _ in columns)],
        [
            [name]
            + [
                f"**{rows[name][column]}**" if (name, column) in best else rows[name][column]
                for _, rows, column in columns
            ]
            for name in names
        ],
    )


def main() -> None:
    """Rewrite the tables of the index."""
    parser = argparse.ArgumentParser(description="Renew the tables of the index of results.")
    parser.add_argument("pages", type=Path, help="the folder of the pages and their index.md")
    pages = parser.parse_args().pages
    outcomes = read_table(pages / "outcomes.md", "| measure | canitedit")
    triplets = read_table(pages / "triplets.md", "| measure | matched: d")
    cards = read_table(pages / "card.md", "| measure | separation")
    index = pages / "index.md"
    lines = index.read_text(encoding="utf-8").splitlines()
    for begins, new in (
        ("| measure | d, matched triplets", of_two_texts(triplets, outcomes, cards)),
        ("| measure | HumanEvalFix | changed rows", of_edits(outcomes)),
        ("| measure | HumanEvalFix | DebugBench", as_published(outcomes)),
    ):
        first, end = place_of_table(lines, begins, index)
        lines[first:end] = new.splitlines()
    index.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
