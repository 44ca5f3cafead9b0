"""How long codekin takes to start, in processor time, next to an empty Python process.

    python bench/startup.py [--repeats 15]

Prints the median of the interleaved repeats of each command, and its ratio to ``python -c pass``.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path

FILES = Path(__file__).parents[1] / "docs" / "examples" / "align"
CODEKIN = ("-c", "from codekin.cli import main; main()")
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "import codekin": ("-c", "import codekin"),
    "codekin --version": (*CODEKIN, "--version"),
    "codekin --help": (*CODEKIN, "--help"),
    "codekin measures": (*CODEKIN, "measures"),
    "codekin compare": (*CODEKIN, "compare", FILES / "candidate.py", FILES / "reference.py"),
}
GOALS = {"import codekin": 0.2, "codekin --version": 0.15}


def processor_seconds(words: tuple[str | Path, ...]) -> float:
    """User and system time of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *map(str, words)], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(repeats + 1):
        for name, words in COMMANDS.items():
            times[name].append(processor_seconds(words))
    empty = statistics.median(times["python -c pass"][1:])
    print("| command | processor time, s | ratio | goal, s |")
    print("|---|---|---|---|")
    for name, seconds in times.items():
        middle = statistics.median(seconds[1:])  # the first repeat fills the system's caches
        print(f"| {name} | {middle:.3f} | {middle / empty:.1f} | {GOALS.get(name, '')} |")


if __name__ == "__main__":
    main()
