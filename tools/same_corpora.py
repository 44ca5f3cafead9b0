"""Whether commands on corpora write the same bytes: ``python tools/same_corpora.py DATA``.

DATA is a folder with sets of clones. Each is built, abstracted, split and paired by command: twice
with one seed, and once more with another number of workers. The folders are compared byte for byte.
Prints a table in Markdown; the exit code is 1 if any differ.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SETS = {
    "bigclonebench": ("--preset", "con"),
    "googlecodejam": ("--preset", "contest"),
    "gcj-java": ("--preset", "contest"),
    "gcj2017-cpp": ("--preset", "contest"),
    "ojclone": ("--preset", "contest"),
}
VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
RUNS = {"first": "2", "again": "2", "one worker": "1"}
"""Names of the runs, and their workers."""


def main() -> None:
    """Run everything, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="*", default=list(SETS), help="names of sets")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    print("| set | command | files | bytes | sha256 | again | with one worker |")
    print("|---|---|---:|---:|---|---|---|")
    different = 0
    for name in options.sets:
        with tempfile.TemporaryDirectory() as folder:
            found = [
                dict(corpora(options.data / name, SETS[name], Path(folder, run), workers, options))
                for run, workers in RUNS.items()
            ]
        for command, files in found[0].items():
            digest = hashlib.sha256(b"".join(files[one] for one in sorted(files))).hexdigest()
            same = [files == other[command] for other in found[1:]]
            different += same.count(False)
            size = sum(map(len, files.values()))
            verdicts = " | ".join("equal" if one else "**different**" for one in same)
            print(f"| {name} | {command} | {len(files)} | {size:,} | {digest[:12]} | {verdicts} |")
            sys.stdout.flush()
    sys.exit(1 if different else 0)


def corpora(
    data: Path, preset: tuple[str, ...], out: Path, workers: str, options: argparse.Namespace
) -> Iterator[tuple[str, dict[str, bytes]]]:
    """What each command of a run writes: files by their paths."""
    out.mkdir()
    seed = ("--seed", options.seed)
    ran = ("--workers", workers)
    chain: dict[str, tuple[str | Path, ...]] = {
        "build": (data, *preset, *seed, *ran),
        "abstract": (out / "build", "--level", "3", *ran),
    }
    for view in VIEWS:
        paper = ("--preset", "paper") if view in VIEWS[2:] else ()
        chain[f"split {view}"] = (out / "abstract", "--view", view, *paper, *seed)
        chain[f"pairs {view}"] = (out / f"split-{view}", "--size", "2000", *seed)
    for command, words in chain.items():
        place = out / command.replace(" ", "-")
        start = time.perf_counter()
        ended = subprocess.run(
            (*CODEKIN, "corpus", command.split()[0], *words, "-o", place),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        took = time.perf_counter() - start
        print(f"{out.name}: {data.name}, {command}: {took:.1f} s", file=sys.stderr)
        if ended.returncode == 2:  # a view that the corpus is too small for: the words must agree
            yield command, {"refused": ended.stderr.replace(str(out), "").encode()}
            continue
        if ended.returncode:
            sys.exit(ended.stderr)
        files = sorted(one for one in place.rglob("*") if one.is_file())
        yield command, {str(one.relative_to(place)): one.read_bytes() for one in files}


CODEKIN = (sys.executable, "-c", "from codekin.cli import main; main()")


if __name__ == "__main__":
    main()
