"""Ctrl-C at random moments of every command: one line and exit code 130, never a traceback.

Usage: ``python tools/interrupts.py [--strikes N] [--seed S] [--only WORD]``. Each command is run
once undisturbed and then gets a SIGINT at random moments from its start to its end, half of them in
its first second: the process alone, or its whole group, as from a terminal. It must either print
one line that it was stopped, after warnings of its own if any, with exit code 130, or finish as
usual. Interrupts during the start of the interpreter, before codekin runs, are counted separately.
No process may be left running. Exits with 1 on any fault.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

CODEKIN = [sys.executable, "-c", "from codekin.cli import main; main()"]
MODULE = [sys.executable, "-m", "codekin"]
LONGEST = 120.0


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strikes", type=int, default=20, help="for each command")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="only commands with this word")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    counts: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for words in _commands(folder):
            shown = " ".join(map(str, words))
            if options.only and options.only not in shown.split():
                continue
            found = _strike_often(words, folder, options.strikes, rng, faults)
            print(f"{shown.replace(str(folder), '.')}: {dict(found)}", flush=True)
            counts += found
    for fault in faults:
        print(fault)
    total = sum(counts.values())
    print(
        f"{total} interrupts: {counts['stopped']} in one line, {counts['finished']} too late, "
        f"{counts['start']} in the interpreter's start, {len(faults)} faults"
    )
    sys.exit(bool(faults))


def _commands(folder: Path) -> list[list[str]]:
    """Every command, with something to do."""
    rows = folder / "rows.jsonl"
    with rows.open("w") as stream:
        for i in range(400):
            text = f"def f{i % 7}(a, b):\n    return a + {i} * b\n"
            row = {"id": str(i), "candidate": text, "reference": text.replace("a", "c")}
            stream.write(json.dumps(row | {"language": "python", "outcome": i % 2}) + "\n")
    code = folder / "code.py"
    code.write_text("".join(f"def f{i}(a):\n    return a + {i}\n" for i in range(200)))
    other = folder / "other.py"
    other.write_text(code.read_text().replace("a + ", "a - "))
    run = str(folder / "scored")
    _run([*CODEKIN, "score", str(rows), "-o", run, "-m", "nes", "-m", "bleu"], check=True)
    score = ["score", str(rows), "-o", str(folder / "new")]
    return [
        ["measures"],
        ["--version"],
        ["compare", str(code), str(other), "-m", "tsed"],
        ["align", str(code), str(other), "--origin", str(code)],
        ["graph", str(code)],
        score,
        [*score, "-w", "2"],
        [*score, "--dask", "local"],
        ["score", "--resume", run],
        ["summarize", run],
        ["compare-runs", run, run],
        ["report", run, "-o", str(folder / "page.html")],
        ["matrix", str(code), str(other), "-m", "kin"],
        ["evaluate", "card", "-m", "nes", "-o", str(folder / "new")],
        ["evaluate", "outcomes", str(rows), "-m", "nes"],
    ]


def _strike_often(
    words: list[str], folder: Path, strikes: int, rng: random.Random, faults: list[str]
) -> Counter[str]:
    _forget(folder)
    started = time.monotonic()
    whole = _run([*CODEKIN, *words])
    seconds = time.monotonic() - started
    counts: Counter[str] = Counter()
    for strike in range(strikes):
        _forget(folder)
        when = rng.uniform(0, min(1.0, seconds) if strike % 2 else seconds)
        command = [*(MODULE if rng.random() < 0.3 else CODEKIN), *words]
        group = rng.random() < 0.5
        ended = _struck(command, when, group=group)
        kind = _kind(ended, whole)
        if kind is None or _left_running(folder):
            faults.append(
                f"{' '.join(words)}: SIGINT {'to all ' if group else ''}after {when:.3f} s: exit "
                f"code {ended.returncode}, {ended.stderr[-1500:]!r}"
            )
            kind = "fault"
        counts[kind] += 1
    return counts


def _forget(folder: Path) -> None:
    subprocess.run(["rm", "-rf", str(folder / "new")], check=True)


def _run(command: list[str], *, check: bool = False) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=check, timeout=600)


def _struck(command: list[str], when: float, *, group: bool) -> subprocess.CompletedProcess[str]:
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as job:
        time.sleep(when)
        if job.poll() is None:
            if group:
                os.killpg(job.pid, signal.SIGINT)
            else:
                job.send_signal(signal.SIGINT)
        try:
            out, said = job.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            out, said = job.communicate()
            said = f"no end after {LONGEST:.0f} s: {said}"
    return subprocess.CompletedProcess(command, job.returncode, out, said)


def _kind(
    ended: subprocess.CompletedProcess[str], whole: subprocess.CompletedProcess[str]
) -> str | None:
    """The outcome of an interrupt; None for a fault."""
    *before, last = ended.stderr.splitlines() or [""]
    warned = whole.stderr.splitlines()[: len(before)]  # what the command itself says earlier
    if ended.returncode == 130 and last.startswith("codekin: stopped") and before == warned:
        return "stopped"
    if ended.returncode == whole.returncode and "Traceback" not in ended.stderr:
        return "finished"
    ours = 'codekin/cli/__init__.py", line' in ended.stderr and "in main\n" in ended.stderr
    if ended.returncode != 130 and not ended.stdout and not ours:
        return "start"
    return None


def _left_running(folder: Path) -> bool:
    """Whether a process started for one of the commands is still running."""
    for _ in range(50):
        there = False
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            there |= str(folder) in line and int(path.parent.name) != os.getpid()
        if not there:
            return False
        time.sleep(0.1)
    return True


if __name__ == "__main__":
    main()
