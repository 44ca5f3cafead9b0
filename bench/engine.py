"""What a scoring job costs besides the scoring: workers, overhead and memory.

Usage: ``python bench/engine.py DATA [--repeats N] [--rows N]... [--only speed|memory]`` where DATA
is a folder of edits in codekin's row formats. Prints three tables in Markdown:

- rows per second with 1 and 2 workers, and their ratio;
- the overhead of the engine: the time of a job with one worker, from the file to the finished run
on disk, compared with a plain loop over the same rows, already decoded, which makes a Source of
each text once per 1,000 rows, calls the measures and keeps nothing;
- the peak memory of all processes of a job, by number of rows.

Times are medians over interleaved repeats; ratios are computed within each repeat. The cost of
starting a worker, once per job, is measured by a job of one row and printed separately.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import codekin
from codekin import Measure, Source, measure, measure_names

LIGHT = ("bleu", "nes", "jaccard")
SETS = ("humanevalfix-python", "debugbench-cpp", "canitedit")
SHARD = 1000
NAMES = ("a", "b", "count", "total", "value", "items", "node", "left", "right", "x", "y", "result")
OPERATORS = ("+", "-", "*", "//", "%")
TASKS = 500
GROUPS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=int, action="append", help="for the table of memory")
    parser.add_argument("--only", choices=("speed", "memory"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only != "memory":
            speed(options.data / "edits", folder, options.repeats)
        if options.only != "speed":
            memory(folder, options.rows or [10_000, 100_000, 1_000_000])


def speed(edits: Path, folder: Path, repeats: int) -> None:
    """Print the tables of workers and overhead."""
    chosen = {
        "bleu, nes, jaccard": [measure(name) for name in LIGHT],
        "every measure": [one for one in map(measure, measure_names()) if not one.needs_origin],
    }
    start = statistics.median(
        _timed(lambda: codekin.score(_one_row(), "nes", workers=1)) for _ in range(3)
    )
    print(f"Starting a job with one worker: {start:.2f} s, left out below.\n")
    print("| rows | measures | plain loop | 1 worker | overhead | 2 workers | ratio |")
    print("|---|---|---|---|---|---|---|")
    for name in SETS:
        for label, measures in chosen.items():
            # Long enough to make startup negligible, short enough to be repeated.
            rows = _read(edits / f"{name}.jsonl.xz", 6000 if label != "every measure" else 3000)
            path = folder / "rows.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            times = [_times(rows, path, measures, start) for _ in range(repeats)]
            print(
                f"| {name}, {len(rows):,} | {label} "
                f"| {_rate(rows, [t[0] for t in times])} "
                f"| {_rate(rows, [t[1] for t in times])} "
                f"| {_spread([100 * (t[1] / t[0] - 1) for t in times], '{:.1f} %')} "
                f"| {_rate(rows, [t[2] for t in times])} "
                f"| {_spread([t[1] / t[2] for t in times], '{:.2f}x')} |",
                flush=True,
            )


def _times(
    rows: Sequence[dict[str, Any]], path: Path, measures: Sequence[Measure], start: float
) -> tuple[float, float, float]:
    """Seconds of the plain loop, of a job with one worker and of one with two."""
    plain = _timed(lambda: _plain(rows, measures))
    one = _timed(lambda: codekin.score(path, measures, workers=1)) - start
    two = _timed(lambda: codekin.score(path, measures, workers=2)) - start
    return plain, one, two


def _one_row() -> list[dict[str, str]]:
    return [{"language": "python", "candidate": "x", "reference": "x"}]


def _read(path: Path, most: int) -> list[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line, _ in zip(stream, range(most), strict=False)]


def _plain(rows: Sequence[dict[str, Any]], measures: Sequence[Measure]) -> None:
    for begin in range(0, len(rows), SHARD):
        sources: dict[tuple[str, str], Source] = {}
        for row in rows[begin : begin + SHARD]:
            pair = []
            for role in ("candidate", "reference"):
                key = (row[role], row["language"])
                if key not in sources:
                    sources[key] = Source(*key)
                pair.append(sources[key])
            for one in measures:
                one.score(*pair)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _rate(rows: Sequence[object], times: Sequence[float]) -> str:
    return f"{len(rows) / statistics.median(times):,.0f} rows/s"


def _spread(values: Sequence[float], form: str) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{form.format(middle)} ({form.format(low)} to {form.format(high)})"


def memory(folder: Path, sizes: Sequence[int]) -> None:
    """Print the table of memory."""
    print("\n| rows | input | peak memory, all processes | rows/s |")
    print("|---|---|---|---|")
    for size in sizes:
        path = _write_rows(folder / "synthetic.jsonl", size)
        words = [word for name in LIGHT for word in ("-m", name)]
        run = folder / f"run-{size}"
        program = "from codekin.cli import main; main()"
        command = [sys.executable, "-c", program, "score", str(path), "-o", str(run), *words]
        started = time.perf_counter()
        with subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.DEVNULL) as job:
            peak = _peak_while(job)
        seconds = time.perf_counter() - started
        millions = path.stat().st_size / 1e6
        print(
            f"| {size:,} | {millions:,.0f} MB | {peak / 1e6:,.0f} MB | {size / seconds:,.0f} |",
            flush=True,
        )


def _write_rows(path: Path, rows: int, seed: int = 0) -> Path:
    """Write JSON lines: each candidate is one of 500 references with some lines lost or altered."""
    rng = random.Random(seed)
    tasks = [_function(rng) for _ in range(TASKS)]
    with path.open("w") as stream:
        for i in range(rows):
            reference = rng.choice(tasks)
            row = {
                "id": f"r{i}",
                "group": f"model{i % GROUPS}",
                "language": "python",
                "candidate": "\n".join(_damaged(reference, rng)) + "\n",
                "reference": "\n".join(reference) + "\n",
            }
            stream.write(json.dumps(row) + "\n")
    return path


def _function(rng: random.Random) -> list[str]:
    first, second, third, fourth = rng.sample(NAMES, 4)
    lines = [f"def {rng.choice(NAMES)}_{rng.randrange(50)}({first}, {second}):"]
    for _ in range(rng.randrange(2, 8)):
        operator = rng.choice(OPERATORS)
        lines += rng.choice(
            (
                [f"    {third} = {first} {operator} {rng.randrange(10)}"],
                [f"    if {first} > {second}:", f"        {first} = {second} {operator} {first}"],
                [f"    for {fourth} in range({second}):", f"        {first} {operator}= {fourth}"],
                [f"    {second} = {rng.choice(NAMES)}({first}, {second})"],
            )
        )
    return [*lines, f"    return {first}"]


def _damaged(lines: list[str], rng: random.Random) -> list[str]:
    return [
        line.replace(rng.choice(OPERATORS), rng.choice(OPERATORS)) if rng.random() < 0.15 else line
        for line in lines
        if rng.random() > 0.05
    ]


def _peak_while(job: subprocess.Popen[bytes]) -> int:
    """The largest sum of resident bytes of a process and its children while it runs."""
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.05):
            peak = max(peak, _resident(job.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    job.wait()
    done.set()
    watcher.join()
    return peak


def _resident(pid: int) -> int:
    total = 0
    waiting = [pid]
    while waiting:
        one = Path("/proc") / str(waiting.pop())
        try:
            total += int((one / "statm").read_text().split()[1]) * 4096
            for task in (one / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, ValueError):  # it has ended in the meantime
            continue
    return total


if __name__ == "__main__":
    main()
