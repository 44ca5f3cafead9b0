"""Kill scans with an index, starve them of disk space and run several at a time.

Usage: ``python tools/scan_kills.py [--kills K] [--seed S] [--disk FOLDER]``. Scans of codekin's own
code that keep an index, write a baseline or a page, and ``index add``, are killed at random
moments. After each kill, a scan with the index must have the result of one without, and no
problems; a baseline and a page are whole or not there. The same holds after scans whose files may
not grow any further, after scans on a disk without space (FOLDER, on a small one; as root, one of
memory is mounted), and after two scans of other code at a time. Exits with 1 on any fault.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

CODEKIN = [sys.executable, "-c", "from codekin.cli import main; main()"]
HOME = Path(__file__).parent.parent
ROOMS = ("scan", "align")
LIMITS = (0, 50_000, 100_000, 400_000, 2_000_000, 5_000_000)
LONGEST = 300.0
_SCAN = ("scan", "code", "--format", "json")
JOBS = {
    "scan --index": ("scan", "code", "--index", "ix"),
    "index add": ("index", "add", "ix", "code"),
    "--write-baseline": ("scan", "code", "--index", "ix", "--write-baseline", "baseline.json"),
    "page": ("scan", "code", "--index", "ix", "-o", "page.html"),
}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=35)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--disk", type=Path, metavar="FOLDER", help="a folder on a small disk")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(Path(name), random.Random(options.seed))
        struck = trial.kill(options.kills)
        trial.limit()
        with small_disk(options.disk, Path(name, "disk")) as disk:
            if disk is not None:
                trial.fill(disk)
        trial.scan_at_once(4)
    for fault in trial.faults:
        print(fault)
    print(
        f"{options.kills} kills, {struck} of jobs at work, {len(LIMITS)} limits of a file's size, "
        f"{'a' if disk else 'no'} full disk, 4 pairs at a time: {len(trial.faults)} faults, "
        f"{trial.leftovers} temporary files left over"
    )
    sys.exit(bool(trial.faults))


@contextlib.contextmanager
def small_disk(named: Path | None, place: Path) -> Iterator[Path | None]:
    """A folder on a disk with little space; None if there is none."""
    if named is not None:
        yield named
        return
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


class Trial:
    """Scans of one folder, and what was wrong with them."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder = folder
        self._chance = chance
        self.faults: list[str] = []
        self.leftovers = 0
        for room in ROOMS:
            shutil.copytree(HOME / "src/codekin" / room, folder / "code" / room)
        started = time.monotonic()
        self._plain = self._finished(*_SCAN)
        self._seconds = time.monotonic() - started
        print(f"undisturbed: {self._seconds:.1f} s", flush=True)

    def kill(self, kills: int) -> int:
        """Kill jobs at random moments; how many were at work."""
        struck = 0
        for number in range(kills):
            kind = self._chance.choice(sorted(JOBS))
            if self._chance.random() < 0.4:
                self._delete_index()
            self._change(number)
            with subprocess.Popen([*CODEKIN, *JOBS[kind]], **self._quiet()) as process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(self._chance.uniform(0.1, self._seconds))
                at_work = process.poll() is None
                process.kill()
            struck += at_work
            self._check(f"{kind}, killed" if at_work else kind)
        return struck

    def limit(self) -> None:
        """Scan while no file may be larger than a limit."""
        for limit in LIMITS:
            for fresh in (True, False):
                if fresh:
                    self._delete_index()
                self._change(limit)

                def lower(limit: int = limit) -> None:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

                self._same("ix", f"files of {limit:,} bytes at most", lower)
                self._check(f"after files of {limit:,} bytes at most")

    def fill(self, disk: Path) -> None:
        """Scan with an index on a disk without space, which gets some in the end."""
        index = str(disk / "ix")
        free = shutil.disk_usage(disk).free
        for left in (0, 100_000, 300_000, 1_000_000):
            with (disk / "other").open("wb") as file:
                file.write(bytes(max(0, free - left)))
            self._same(index, f"a disk with {left:,} bytes")
            (disk / "other").unlink()
            if self._same(index, "the same disk with space") is None:
                continue
            for path in disk.glob("ix*"):
                path.unlink()

    def scan_at_once(self, pairs: int) -> None:
        """Scan two folders at a time with one index."""
        for number in range(pairs):
            self._delete_index()
            self._change(number)
            jobs = [
                subprocess.Popen([*CODEKIN, "index", "add", "ix", f"code/{room}"], **self._quiet())
                for room in ROOMS
            ]
            if sum(job.wait(LONGEST) for job in jobs):
                self.faults.append("two at a time: a job failed")
            info = json.loads(self._finished("index", "info", "ix", "--format", "json"))
            count = len(list((self._folder / "code").rglob("*.py")))
            if info["problems"] or info["files"] < count - 5:
                self.faults.append(f"two at a time: {info['files']} of {count} files")
            self._check("two at a time")

    def _check(self, what: str) -> None:
        """Whatever was done to the index, a scan has the same result, and files are whole."""
        for name in ("baseline.json", "page.html"):
            place = self._folder / name
            text = place.read_text("utf-8").rstrip() if place.exists() else None
            if text is not None and not text.endswith(
                "}" if name == "baseline.json" else "</html>"
            ):
                self.faults.append(f"{what}: {name} is torn")
            place.unlink(missing_ok=True)
        if said := self._same("ix", what):
            self.faults.append(f"{what}: {said}")
        for path in self._folder.glob("codekin-*.tmp"):
            path.unlink()
            self.leftovers += 1

    def _same(self, index: str, what: str, before: Callable[[], None] | None = None) -> str | None:
        """What a scan with an index says on stderr, if its result is right."""
        self._plain = self._plain or self._finished(*_SCAN)
        done = self._done((*_SCAN, "--index", index), before)
        if done.stdout != self._plain:
            self.faults.append(f"{what}: another result: {done.stderr[-300:]}")
        return done.stderr or None

    def _change(self, number: int) -> None:
        """Change one file, so that there is something to write."""
        files = sorted((self._folder / "code").rglob("*.py"))
        path = files[number % len(files)]
        path.write_text(f"{path.read_text('utf-8')}\n# {number}\n", "utf-8")
        self._plain = ""

    def _delete_index(self) -> None:
        for path in self._folder.glob("ix*"):
            path.unlink()

    def _finished(self, *words: str) -> str:
        done = self._done(words)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return done.stdout

    def _done(
        self, words: Sequence[str], before: Callable[[], None] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*CODEKIN, *words],
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
            preexec_fn=before,
        )

    def _quiet(self) -> dict[str, object]:
        nothing = subprocess.DEVNULL
        return {"cwd": self._folder, "stdout": nothing, "stderr": nothing}


if __name__ == "__main__":
    main()
