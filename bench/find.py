"""How often `codekin find` names the place that a snippet was taken from.

Usage: ``python bench/find.py SOURCE [--snippets N]``. Reads SOURCE, a folder of code, into an
index, and looks for functions of 8 to 60 lines from it, changed in several ways: other names, lines
left out, or only the first half. A place is right if it has half of the lines of the original.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from codekin import CodeIndex, FoundCode, add_to_index, find_code
from codekin.scan.file_parts import file_parts
from codekin.scan.scanned_files import files_to_scan, read_sources
from scan_growth import renamed

KINDS = (
    ("copy", False, 0.0, 1.0),
    ("other names", True, 0.0, 1.0),
    ("other names, 20 % of the lines left out", True, 0.2, 1.0),
    ("other names, 40 % of the lines left out", True, 0.4, 1.0),
    ("other names, the first half", True, 0.0, 0.5),
)


@dataclass(frozen=True)
class Original:
    """A function and where it is."""

    file: str
    start: int
    lines: tuple[bytes, ...]
    language: str

    def is_found(self, found: FoundCode, most: int, part: float) -> bool:
        """Whether one of the first places has half of the lines."""
        count = int(len(self.lines) * part)
        return any(
            min(one.end, self.start + count - 1) - max(one.start, self.start) + 1 >= 0.5 * count
            for one in found.places[:most]
            if Path(one.file).resolve() == Path(self.file).resolve()
        )


def originals(source: Path, count: int) -> list[Original]:
    """Functions of as many files."""
    files = list(files_to_scan([source]).files)
    chance = random.Random(5)
    chance.shuffle(files)
    found: list[Original] = []
    for file in files:
        read = read_sources(file)
        if not isinstance(read, list) or len(read) != 1 or len(found) == count:
            continue
        text = read[0][1]
        parts = file_parts(text, min_lines=8, fast=False)
        tokens, table = parts.tokens, parts.fragments
        spans = [
            (int(tokens.lines[begin]), int(tokens.last_lines[end - 1]))
            for name, begin, end in zip(table.names, table.begin, table.end, strict=True)
            if name
        ]
        spans = [one for one in spans if one[1] - one[0] < 60]
        if spans:
            start, end = chance.choice(spans)
            lines = tuple(text.data.split(b"\n")[start - 1 : end])
            found.append(Original(file.path, start, lines, text.language.name))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--snippets", type=int, default=100)
    options = parser.parse_args()
    cases = originals(options.source, options.snippets)
    with tempfile.TemporaryDirectory() as folder:
        info = add_to_index(Path(folder, "index"), [options.source])
        index = CodeIndex(Path(folder, "index"))
        print(f"{len(cases)} functions; {info.lines:,} lines in {info.files:,} files\n")
        print("| snippet | first | among five | places | processor s per search |")
        print("|---|---|---|---|---|")
        for name, rename, dropped, part in KINDS:
            first = five = places = 0
            begun = time.process_time()
            for case in cases:
                lines = case.lines[: int(len(case.lines) * part)]
                data = b"\n".join(lines)
                if rename:
                    data = renamed(data, case.language, 7, dropped)
                text = data.decode("utf-8", "replace")
                found = find_code(text, index, language=case.language)
                first += case.is_found(found, 1, part)
                five += case.is_found(found, 5, part)
                places += len(found.places)
            seconds, many = (time.process_time() - begun) / len(cases), len(cases)
            print(
                f"| {name} | {first / many:.0%} | {five / many:.0%} | {places / many:.1f} | "
                f"{seconds:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
