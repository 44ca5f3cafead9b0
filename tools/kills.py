"""Compare scoring jobs that are killed and resumed with an undisturbed one.

Usage: ``python tools/kills.py [--kills K] [--rows N] [--seed S] [--dask]``. Scores rows once
undisturbed. Then jobs are disturbed at random moments and resumed until their runs are complete;
each must equal the undisturbed run, byte for byte. The job itself or one of its scoring processes
is killed, or such a process runs out of memory; with ``--dask``, also the scheduler and the workers
of a cluster are killed. A job that is not itself killed must end on its own, with success or with
one line. Exits with 1 on any fault.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from limited_children import address_space

CODEKIN = [sys.executable, "-c", "from codekin.cli import main; main()", "score"]
MEASURES = [word for name in ("bleu", "nes", "jaccard") for word in ("-m", name)]
LONGEST = 300.0
SCHEDULER = """
import asyncio
from distributed import Scheduler

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(main())
"""


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--only", metavar="KIND", help="job, process, memory, scheduler or worker")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(Path(name), options.rows, random.Random(options.seed), dask=options.dask)
        try:
            trial.run(options.kills, options.only)
        finally:
            trial.end()
    for fault in trial.faults:
        print(fault)
    kinds = ", ".join(f"{count} of {kind}" for kind, count in sorted(trial.kills.items()))
    print(
        f"{sum(trial.kills.values())} kills ({kinds}): {trial.same} runs completed and the same, "
        f"{trial.other} other, {trial.errors} ended in one line, {len(trial.faults)} faults"
    )
    sys.exit(bool(trial.faults))


class Trial:
    """Jobs over the same rows, and their outcomes."""

    def __init__(self, folder: Path, rows: int, rng: random.Random, *, dask: bool) -> None:
        self._folder = folder
        self._rng = rng
        self._dask = dask
        self._cluster: list[subprocess.Popen[str]] = []
        self._address = ""
        self.kills: Counter[str] = Counter()
        self.same = self.other = self.errors = 0
        self.faults: list[str] = []
        self._rows = _write_rows(folder / "rows.jsonl", rows)
        started = time.monotonic()
        command = [*CODEKIN, self._rows, "-o", folder / "whole", *MEASURES]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        self._seconds = time.monotonic() - started
        self._whole = _sums(folder / "whole")
        print(f"undisturbed: {self._seconds:.1f} s, {len(self._whole)} files", flush=True)

    def run(self, kills: int, only: str | None) -> None:
        """Disturb jobs `kills` times, and then let the last one finish."""
        kinds = ["job", "process", "memory", *(["scheduler", "worker"] if self._dask else [])]
        kinds = [only] if only else kinds
        while sum(self.kills.values()) < kills:
            kind = self._rng.choice(kinds)
            when = self._rng.uniform(0, 0.7 * self._seconds)
            struck = self._job(kind, when)
            self.kills[kind] += struck
            print(f"{kind} after {when:.1f} s: {'struck' if struck else 'was over'}", flush=True)
        for _ in range(5):
            if not (self._folder / "run").exists():
                return
            self._job("nothing", 0)
        self.faults.append("the last run is never completed")

    def _job(self, kind: str, when: float) -> bool:
        """Start or resume a job and disturb it; whether it was still running."""
        if self._dask:
            self._start_cluster()
        run = self._folder / "run"
        resumed = (run / "manifest.json").exists()
        words: list[object] = ["--resume", run] if resumed else [self._rows, "-o", run, *MEASURES]
        words += ["--dask", self._address] if self._dask else ["-w", 2]
        with subprocess.Popen(
            [*CODEKIN, *map(str, words)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as job:
            with contextlib.suppress(subprocess.TimeoutExpired):
                job.wait(when)
            struck = kind != "nothing" and job.poll() is None and self._strike(kind, job.pid)
            said = self._output_of(job)
            if said is None:
                job.kill()
                said = job.communicate()[1]
                self.faults.append(f"{kind} after {when:.1f} s: no end after {LONGEST:.0f} s")
        self._judge(kind, job.returncode, said, run, killed=struck and kind == "job")
        return struck

    def _output_of(self, job: subprocess.Popen[str]) -> str | None:
        """The output of the job, or None if it does not end in time.

        Dask gives up a worker that dies during its start. Like the operator of a cluster, this
        starts another one then: a job waits for workers as long as necessary.
        """
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return job.communicate(timeout=5)[1]
            if self._dask and self._cluster[0].poll() is None and not self._workers():
                print("no workers are left: starting others", flush=True)
                self._end(self._cluster[1])
                self._cluster[1] = self._start_workers()
        return None

    def _workers(self) -> list[int]:
        """The workers of the cluster, without the process that tracks their resources."""
        children = _children(self._cluster[1].pid)
        return [pid for pid in children if b"spawn_main" in _command(pid)]

    def _strike(self, kind: str, job: int) -> bool:
        if kind == "job":
            os.kill(job, signal.SIGKILL)
            return True
        if kind == "scheduler":
            self._cluster[0].kill()
            return True
        scoring = self._scoring(job)
        workers = self._workers() if self._dask else []
        targets = workers if kind == "worker" else scoring
        if not targets:
            return False
        target = self._rng.choice(targets)
        with contextlib.suppress(ProcessLookupError):
            if kind == "memory":
                _, hard = resource.prlimit(target, resource.RLIMIT_AS)
                resource.prlimit(target, resource.RLIMIT_AS, (address_space(target) + 2**20, hard))
            else:
                os.kill(target, signal.SIGKILL)
            return True
        return False

    def _scoring(self, job: int) -> list[int]:
        """The processes that score: children of the job, or of the workers of its cluster."""
        if not self._dask:
            return _children(job)
        return [
            pid
            for worker in self._workers()
            for pid in _children(worker)
            if b"codekin" in _command(pid)
        ]

    def _judge(self, kind: str, code: int, said: str, run: Path, *, killed: bool) -> None:
        lines = said.splitlines()
        if killed:
            if "Traceback" in said:
                self.faults.append(f"{kind}: {said[-2000:]}")
            return
        if code == 0:
            if _sums(run) == self._whole:
                self.same += 1
            else:
                self.other += 1
                self.faults.append(
                    f"{kind}: the run is not the same: {_difference(run, self._whole)}"
                )
            shutil.rmtree(run)
        elif code == 2 and lines and lines[-1].startswith("codekin: ") and "Traceback" not in said:
            self.errors += 1
            begun = "no scheduler answers" not in lines[-1]  # killed before the job was connected
            if kind == "scheduler" and begun and "--resume" not in lines[-1]:
                self.faults.append(f"{kind}: does not say how to resume: {lines[-1]}")
        else:
            self.faults.append(f"{kind}: exit code {code}: {said[-2000:]}")

    def _start_cluster(self) -> None:
        if self._cluster and all(one.poll() is None for one in self._cluster):
            return
        self.end()
        scheduler = subprocess.Popen(
            [sys.executable, "-c", SCHEDULER],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert scheduler.stdout is not None
        self._address = scheduler.stdout.readline().strip()
        self._cluster = [scheduler, self._start_workers()]

    def _start_workers(self) -> subprocess.Popen[str]:
        program = "from distributed.cli.dask_worker import main; main()"
        words = [self._address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard"]
        return subprocess.Popen(
            [sys.executable, "-c", program, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def end(self) -> None:
        """End the cluster, including the processes that its workers started."""
        for one in self._cluster:
            self._end(one)
        self._cluster = []

    def _end(self, one: subprocess.Popen[str]) -> None:
        for pid in [*_descendants(one.pid), one.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        one.wait()


def _write_rows(path: Path, rows: int) -> Path:
    rng = random.Random(0)
    texts = [
        "".join(f"    x{j} = a{rng.choice('+-*')}{rng.randrange(9)}\n" for j in range(1 + i % 9))
        for i in range(200)
    ]
    with path.open("w") as stream:
        for i in range(rows):
            candidate, reference = rng.choice(texts), rng.choice(texts)
            row = {"id": f"r{i}", "language": "python", "reference": f"def f(a):\n{reference}"}
            stream.write(json.dumps(row | {"candidate": f"def f(a):\n{candidate}"}) + "\n")
    return path


def _children(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                found.append(int(path.parent.name))
    return sorted(found)


def _descendants(pid: int) -> Iterator[int]:
    for child in _children(pid):
        yield from _descendants(child)
        yield child


def _command(pid: int) -> bytes:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _sums(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _difference(run: Path, whole: dict[str, str]) -> str:
    sums = _sums(run)
    return ", ".join(sorted(name for name in {*sums, *whole} if sums.get(name) != whole.get(name)))


if __name__ == "__main__":
    main()
