"""How long a semantic graph takes, by size and language, and how much longer Joern's takes.

Usage: ``python bench/graph_speed.py DATA [--joern DRIVER] [--programs N] [--repeats N]`` where DATA
has ``triplets/``, ``edits/`` and ``humanevalpack/``. Prints tables in Markdown, on one thread: for
programs of about 20, 60 and 200 lines, the parse alone and everything from text to graph, as
medians over programs of the medians over repeats.

With ``--joern``, the folder of a compiled driver (``JoernPdg.class``, ``log4j2.xml``) that prints
``FILE ok N ms`` for each file, and Joern's jars in the folder that ``$JOERN_LIB`` names: the same
programs go through Joern in the same run, each twice in one process; only the second time counts,
which excludes start-up and warm-up. The ratio is that of the two times of one program; its median
is shown with its quartiles.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from codekin import Source, semantic_graph
from programs import LANGUAGES, SIZES, sampled_programs

FRONT_ENDS = {
    "python": ("py", ".py"),
    "java": ("java", ".java"),
    "c": ("c", ".c"),
    "cpp": ("c", ".cpp"),
}
"""Joern's names of languages, and their suffixes."""

_TIMED = re.compile(r"^(?P<file>\S+) ok (?P<ms>\d+) ms$", re.MULTILINE)


@dataclass(frozen=True)
class Times:
    """Seconds for one program: the parse, and everything from text to graph."""

    parse: float
    whole: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--joern", type=Path, help="folder of the compiled driver")
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--programs", type=int, default=40, help="programs per size and language")
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    print(
        "| language | lines | programs | nodes | parse ms | text to graph ms | 95th percentile ms",
        end="",
    )
    print(" | Joern ms | times slower |" if options.joern else " |")
    print("|---" * (9 if options.joern else 7) + "|", flush=True)
    for language in options.languages:
        everything = sampled_programs(options.data, language, 20_000)
        for lines, (low, high) in SIZES.items():
            fitting = [text for text in everything if low <= text.count("\n") + 1 <= high]
            if fitting:
                print(row(language, lines, fitting[: options.programs], options), flush=True)


def row(language: str, lines: int, texts: list[str], options: argparse.Namespace) -> str:
    """A row of the table."""
    own = [timed(text, language, options.repeats) for text in texts]
    whole = sorted(one.whole for one in own)
    nodes = [len(semantic_graph(text, language)) for text in texts]
    cells = [
        language,
        lines,
        len(texts),
        f"{statistics.median(nodes):.0f}",
        f"{statistics.median(one.parse for one in own) * 1000:.2f}",
        f"{statistics.median(whole) * 1000:.2f}",
        f"{whole[math.ceil(0.95 * len(whole)) - 1] * 1000:.2f}",
    ]
    if options.joern:
        cells += against_joern(language, texts, own, options.joern)
    return "| " + " | ".join(map(str, cells)) + " |"


def timed(text: str, language: str, repeats: int) -> Times:
    """Medians over repeats, with nothing cached between them."""
    parses, wholes = [], []
    gc.collect()
    gc.disable()
    for _ in range(repeats):
        start = time.perf_counter()
        _ = Source(text, language).tree
        middle = time.perf_counter()
        semantic_graph(Source(text, language))
        wholes.append(time.perf_counter() - middle)
        parses.append(middle - start)
    gc.enable()
    return Times(statistics.median(parses), statistics.median(wholes))


def against_joern(language: str, texts: list[str], own: list[Times], driver: Path) -> list[str]:
    """Joern's median in milliseconds, and its ratio to ours."""
    if language not in FRONT_ENDS:
        return ["", ""]
    taken = joern_times(language, texts, driver)
    both = [(taken[i], one.whole) for i, one in enumerate(own) if i in taken]
    if not both:
        return ["failed", ""]
    ratios = sorted(theirs / ours for theirs, ours in both)
    quarter, half, rest = (ratios[int(q * (len(ratios) - 1))] for q in (0.25, 0.5, 0.75))
    return [
        f"{statistics.median(theirs for theirs, _ in both) * 1000:.0f}",
        f"{half:.0f} ({quarter:.0f} to {rest:.0f})",
    ]


def joern_times(language: str, texts: list[str], driver: Path) -> dict[int, float]:
    """Seconds that Joern takes for each program once it is warm."""
    name, suffix = FRONT_ENDS[language]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, text in enumerate(texts):
            files.append(Path(folder) / f"p{i}{suffix}")
            files[-1].write_text(text, encoding="utf-8")
        command = [
            *("java", "-Xmx4g", f"-Dlog4j2.configurationFile={driver / 'log4j2.xml'}"),
            *("-cp", f"{os.environ['JOERN_LIB']}/*:{driver}", "JoernPdg", name, f"{folder}/out"),
        ]
        done = subprocess.run(
            [*command, *map(str, files), *map(str, files)],
            capture_output=True,
            text=True,
            check=False,
        )
    found: dict[int, float] = {}
    for match in _TIMED.finditer(done.stdout):  # keeps the second time of a file
        found[int(match["file"].removesuffix(suffix)[1:])] = int(match["ms"]) / 1000
    if not found:
        print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
    return found


if __name__ == "__main__":
    main()
