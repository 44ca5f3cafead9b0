"""What Dask costs: scanning and scoring in this process, and with 1 and 2 Dask workers.

Usage: ``python bench/dask_workers.py SOURCE [--lines N] [--rows N]``, where SOURCE is a folder of
code. Reads its files into an index (the part of a scan that is spread over workers), and scores
rows made of its files by bleu, kin and cssg. Prints the wall time and the processor time of all
processes, both without the start of the cluster. Processor time shows the overhead even if
something else runs on the machine; wall time does not.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from codekin import add_to_index, score
from codekin.runs.executors import dask_client
from codekin.scan.scanned_files import files_to_scan, read_sources
from scan_growth import make_code, renamed

_LINES = 60
"""Lines of the program of a row."""
_MEASURES = ["bleu", "kin", "cssg"]


def processor_seconds() -> float:
    """Of this process and all that it started and that are alive."""
    total = 0.0
    me = psutil.Process()
    for one in [me, *me.children(recursive=True)]:
        try:
            times = one.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def rows_of(source: Path, count: int) -> list[dict[str, str]]:
    """Pairs of a program and a version of it with other names and fewer lines."""
    rows: list[dict[str, str]] = []
    for file in files_to_scan([source], languages=["c", "java", "python"]).files:
        read = read_sources(file)
        if not isinstance(read, list) or not read:
            continue
        lines = read[0][1].data.split(b"\n")[:_LINES]
        if len(lines) < _LINES:
            continue
        data, language = b"\n".join(lines), file.language
        candidate = renamed(data, language, len(rows) + 1).decode("utf-8", "replace")
        rows.append(
            {
                "id": str(len(rows)),
                "language": language,
                "candidate": candidate,
                "reference": data.decode("utf-8", "replace"),
            }
        )
        if len(rows) == count:
            break
    return rows


@contextmanager
def place(workers: int) -> Iterator[dict[str, Any]]:
    """Where to work: in this process, or on Dask."""
    if not workers:
        yield {"workers": 0}
        return
    with dask_client("local", workers) as client:
        yield {"executor": client}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--lines", type=int, default=200_000)
    parser.add_argument("--rows", type=int, default=1_000)
    options = parser.parse_args()
    print("| job | where | wall s | processor s | processor time, by this process |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        make_code(options.source, work / "code", options.lines)
        make_code(options.source, work / "few", 3_000)
        rows = rows_of(options.source, options.rows)

        def scan(name: str, where: dict[str, Any]) -> None:
            add_to_index(work / name, [work / ("few" if "warm" in name else "code")], **where)

        def score_rows(name: str, where: dict[str, Any]) -> None:
            some = rows[:10] if "warm" in name else rows
            score(some, _MEASURES, output=work / name, **where)

        for job, run in (("scan", scan), ("score", score_rows)):
            _measure(job, run)


def _measure(job: str, run: Callable[[str, dict[str, Any]], None]) -> None:
    alone = 0.0
    for workers in (0, 1, 2):
        with place(workers) as where:
            run(f"{job}-{workers}-warm", where)  # modules are loaded, workers are up
            begun, used = time.perf_counter(), processor_seconds()
            run(f"{job}-{workers}", where)
            wall, used = time.perf_counter() - begun, processor_seconds() - used
        alone = alone or used
        name = f"{workers} Dask workers" if workers > 1 else "1 Dask worker"
        shown = name if workers else "this process"
        print(f"| {job} | {shown} | {wall:.1f} | {used:.1f} | {used / alone:.2f}x |", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
