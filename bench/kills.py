"""A scoring job that is killed again and again, against one that is left alone.

Usage: ``python bench/kills.py [--rows N] [--kills K] [--seed S] [--dask]``. Scores synthetic rows
with bleu, nes and jaccard, once undisturbed, and once with the parent killed (SIGKILL) at random
moments and resumed each time; with ``--dask`` on a local Dask cluster, one of whose workers is
killed as well. Prints how far each part came, and whether the SHA-256 of every file is the same in
the end; exits with 1 if not.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from synthetic import write_rows

CODEKIN = [sys.executable, "-c", "from codekin.cli import main; main()", "score"]
MEASURES = [word for name in ("bleu", "nes", "jaccard") for word in ("-m", name)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--dask", action="store_true")
    asked = parser.parse_args()
    print(f"{asked.rows:,} rows, {asked.kills} kills, seed {asked.seed}")
    rng = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = write_rows(folder / "rows.jsonl", asked.rows)
        started = time.monotonic()
        _run([*CODEKIN, rows, "-o", folder / "whole", *MEASURES])
        seconds = time.monotonic() - started
        print(f"undisturbed: {seconds:.1f} s")
        where = ["--dask", "local"] if asked.dask else []
        first = [*CODEKIN, rows, "-o", folder / "killed", *MEASURES, *where]
        again = [*CODEKIN, "--resume", folder / "killed", *where]
        for kill in range(asked.kills):
            started_already = (folder / "killed" / "manifest.json").exists()
            with subprocess.Popen(
                again if started_already else first,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            ) as job:
                time.sleep(rng.uniform(0.1, 1.0) * seconds / asked.kills + 2 * asked.dask)
                if asked.dask and (worker := _dask_worker(job.pid)) is not None:
                    os.kill(worker, signal.SIGKILL)
                    time.sleep(rng.uniform(0.1, 1.0))
                job.kill()
            shards = len(list((folder / "killed" / "shards").glob("*.parquet")))
            print(f"kill {kill + 1}: {shards} shards are there")
        _run(again)
        whole, killed = (_sums(folder / which) for which in ("whole", "killed"))
    same = whole == killed
    print(f"{len(whole)} files, all the same" if same else "the files differ")
    sys.exit(not same)


def _run(command: list[object]) -> None:
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)


def _dask_worker(pid: int) -> int | None:
    """A process that the job started with multiprocessing, which is how Dask starts workers."""
    command = ["pgrep", "-P", str(pid), "-f", "spawn_main"]
    listed = subprocess.run(command, capture_output=True, check=False)
    found = listed.stdout.split()
    return int(found[0]) if found else None


def _sums(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


if __name__ == "__main__":
    main()
