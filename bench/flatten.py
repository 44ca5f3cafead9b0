"""The cost of flat trees on top of tree-sitter's own parse: ``python bench/flatten.py DATA_DIR``.

Parses 1,000 real files (Python, Java, C++) with and without flattening, in interleaved repeats, and
prints the ratio of the times with its spread.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import statistics
import time
from pathlib import Path

import tree_sitter

from codekin.languages import get_language
from codekin.languages.language import Grammar
from codekin.represent.tree.flat_tree import flatten

_REPEATS = 7
_SHARES = (
    ("triplets/condefects-python-random.jsonl.xz", "python", 334),
    ("clones/googlecodejam/snippets.jsonl.xz", "java", 333),
    ("clones/ojclone/snippets.jsonl.xz", "cpp", 333),
)


def codes(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    if "code" in found[0]:
        return [row["code"] for row in found]
    return sorted({row[part]["code"] for row in found for part in ("anchor", "positive")})


def files(data: Path) -> list[tuple[Grammar, bytes]]:
    chosen = []
    for path, name, count in _SHARES:
        grammar = get_language(name).grammars[0]
        drawn = random.Random(0).sample(codes(data / path), count)
        chosen += [(grammar, code.encode()) for code in drawn]
    return chosen


def seconds(texts: list[tuple[Grammar, bytes]], flat: bool) -> float:
    begin = time.perf_counter()
    for grammar, data in texts:
        if flat:
            flatten(grammar, data)
        else:
            tree_sitter.Parser(grammar.language).parse(data)
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    texts = files(parser.parse_args().data)
    size = sum(len(data) for _, data in texts)
    ratios = []
    for _ in range(_REPEATS):
        bare = seconds(texts, flat=False)
        ratios.append(seconds(texts, flat=True) / bare)
    print(f"{len(texts)} files, {size:,} bytes, {_REPEATS} repeats")
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    print(f"parse and flatten / parse: {statistics.median(ratios):.2f} ({spread})")


if __name__ == "__main__":
    main()
