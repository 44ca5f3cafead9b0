"""How often the language of real code is detected.

Usage: ``python results/detection.py DATA_DIR [LIMIT]``.

DATA_DIR holds ``humanevalpack/``, ``clones/`` and ``triplets/`` with xz-compressed JSON lines.
C detected as C++, or JavaScript as TypeScript, and vice versa, counts as right if the text parses
without errors in both.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.represent.text.detection import detect_language
from codekin.source import Source

Sample = tuple[str, str]
_TWINS = ({"c", "cpp"}, {"javascript", "typescript"})


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def sample_sets(data: Path) -> Iterator[tuple[str, list[Sample]]]:
    for path in sorted((data / "humanevalpack").glob("*.jsonl.xz")):
        name = path.name.removesuffix(".jsonl.xz")
        language = get_language(name).name
        found = list(rows(path))
        for solution in ("canonical_solution", "buggy_solution"):
            samples = [(language, row["declaration"] + row[solution]) for row in found]
            yield f"humanevalpack/{name} {solution.split('_')[0]}", samples
        yield (
            f"humanevalpack/{name} with prompt",
            [(language, row["prompt"] + row["canonical_solution"]) for row in found],
        )
    for path in sorted((data / "clones").glob("*/snippets.jsonl.xz")):
        yield f"clones/{path.parent.name}", [(r["language"], r["code"]) for r in rows(path)]
    for path in sorted((data / "triplets").glob("*.jsonl.xz")):
        parts = [row[part] for row in rows(path) for part in ("anchor", "positive", "negative")]
        unique = sorted({(part["language"], part["code"]) for part in parts})
        yield f"triplets/{path.name.removesuffix('.jsonl.xz')}", unique


def detected(text: str) -> str:
    try:
        return detect_language(text).name
    except CodekinError:
        return "undecided"


def is_right(text: str, true: str, found: str) -> bool:
    if found == true:
        return True
    twins = {true, found} in _TWINS
    return twins and len(Source(text, found).problems) <= len(Source(text, true).problems)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("limit", nargs="?", type=int, default=1500, help="programs per set")
    options = parser.parse_args()
    print(f"{'set':45} {'n':>5} {'right %':>8} {'ms each':>8}  main confusions")
    for name, samples in sample_sets(options.data):
        drawn = random.Random(0).sample(samples, min(options.limit, len(samples)))
        begin = time.perf_counter()
        answers = [detected(text) for _, text in drawn]
        each = (time.perf_counter() - begin) / len(drawn) * 1e3
        wrong = Counter(
            f"{true}>{found}"
            for (true, text), found in zip(drawn, answers, strict=True)
            if not is_right(text, true, found)
        )
        right = 100 * (1 - wrong.total() / len(drawn))
        confusions = ", ".join(f"{pair} {n}" for pair, n in wrong.most_common(3))
        print(f"{name:45} {len(drawn):5} {right:8.1f} {each:8.1f}  {confusions}", flush=True)


if __name__ == "__main__":
    main()
