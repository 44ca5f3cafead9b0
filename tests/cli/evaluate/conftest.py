from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.cli.evaluate.tiny_rows import (
    broken_edits,
    broken_programs,
    broken_triplets,
    edit,
    program,
    triplet,
    write,
)

from codekin.evaluation.card import evaluate_card
from codekin.evaluation.outcomes import evaluate_outcomes
from codekin.evaluation.triplets import evaluate_triplets

Interrupted = Callable[..., "subprocess.CompletedProcess[str]"]

LANGUAGES = ("cpp", "python")
ROWS = {
    "triplets": [triplet(i) for i in range(16)],
    "triplets-languages": [
        triplet(i, anchor, other) for i in range(12) for anchor in LANGUAGES for other in LANGUAGES
    ],
    "triplets-broken": broken_triplets(),
    "triplets-nothing": [{"id": f"t{i}", "anchor": None} for i in range(12)],
    "triplets-none": [],
    "outcomes": [edit(i) for i in range(16)],
    "outcomes-broken": broken_edits(),
    "card": [program(i) for i in range(12)],
    "card-broken": broken_programs(),
    "card-nothing": [{"id": "p", "language": "c"}],
}
EVALUATE: dict[str, Callable[..., object]] = {
    "triplets": evaluate_triplets,
    "outcomes": partial(evaluate_outcomes, perturb="prefix:20-30"),
    "card": evaluate_card,
}


@pytest.fixture(scope="session")
def run_of(tmp_path_factory) -> Callable[[str], Path]:
    """The run of some of `ROWS`, scored once by nes and bleu; most tests only judge it."""
    folder = tmp_path_factory.mktemp("judged")

    def scored(name: str) -> Path:
        run: Path = folder / name
        if not run.exists():
            rows = write(folder / f"{name}.jsonl", ROWS[name])
            evaluate = EVALUATE[name.partition("-")[0]]
            evaluate(rows, ["nes", "bleu"], output=run, workers=0, resamples=10)
        return run

    return scored


SLOW = """
import time
from pathlib import Path


def slow(candidate, reference):
    Path("at-work").touch()
    while Path("wait").exists():
        time.sleep(0.01)
    return 1 / (1 + len(set(candidate) ^ set(reference)))
"""


@pytest.fixture
def interrupted(tmp_path: Path) -> Interrupted:
    """Meet a command at work in the test's folder with Ctrl-C; its measure is slow only then."""

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        (tmp_path / "slow.py").write_text(SLOW)
        (tmp_path / "wait").touch()
        (tmp_path / "temporary").mkdir()
        command = [sys.executable, "-m", "codekin", "evaluate", *map(str, words)]
        with subprocess.Popen(
            [*command, "-m", "slow:slow", "-w", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"TMPDIR": str(tmp_path / "temporary")},
            start_new_session=True,
        ) as job:
            try:
                while job.poll() is None and not (tmp_path / "at-work").exists():
                    time.sleep(0.01)
                os.killpg(job.pid, signal.SIGINT)  # a terminal sends it to workers, too
                out, err = job.communicate(timeout=30)
            finally:
                (tmp_path / "wait").unlink()  # lets a job that goes on come to its end
        return subprocess.CompletedProcess(command, job.returncode, out, err)

    return run
