from __future__ import annotations

import hashlib
import importlib
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Rows = Callable[..., list[dict[str, Any]]]

MEASURES = '''
import os
import signal
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from codekin import CodekinError, CorpusMeasure, Measure, Score


class Speechless(Exception):
    def __str__(self):
        raise ValueError


@dataclass(frozen=True, kw_only=True, repr=False)
class Deadly(Measure):
    """Does what its candidate says, for better or worse."""

    name: ClassVar[str] = "deadly"
    summary: ClassVar[str] = "dies where it is told to"

    def uses_tree(self):
        return False

    def _pair(self, candidate, reference):
        match candidate.text.split():
            case ["crash"]:
                os.kill(os.getpid(), signal.SIGSEGV)
            case ["exit"]:
                os._exit(7)
            case ["circle"]:
                while True:
                    pass
            case ["sleep"]:
                time.sleep(600)
            case ["raise"]:
                raise RuntimeError("on purpose")
            case ["refuse"]:
                raise CodekinError("will not")
            case ["nan"]:
                return Score(self, float("nan"), {}, candidate, reference)
            case ["print"]:
                print("into the messages")
            case ["read"]:
                assert sys.stdin.read() == ""
            case ["ignore"]:
                signal.signal(signal.SIGPROF, signal.SIG_IGN)
            case ["stop"]:
                os.kill(os.getpid(), signal.SIGSTOP)
            case ["fork"]:
                if not os.fork():
                    time.sleep(60)
                os._exit(8)
            case ["numpy"]:
                value, parts = np.float32(0.5), {"a": np.int8(1), "b": np.bool_(True)}
                return Score(self, value, parts, candidate, reference)
            case ["fraction"]:
                return Score(self, Fraction(1, 4), {}, candidate, reference)
            case ["parts"]:
                return Score(self, 0.5, {"a": "much"}, candidate, reference)
            case ["bounds"]:
                return Score(self, 0.5, {}, candidate, reference, bounds=("low", "high"))
            case ["speechless"]:
                raise Speechless
            case ["memory"]:
                raise MemoryError
            case ["memory", path]:
                if not os.path.exists(path):
                    open(path, "w").close()
                    raise MemoryError
            case ["once", path]:
                if not os.path.exists(path):
                    open(path, "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)
            case ["twice", path]:
                if not os.path.exists(path) or os.path.getsize(path) < 2:
                    with open(path, "a") as marks:
                        marks.write("x")
                    os.kill(os.getpid(), signal.SIGKILL)
        value = float(len(candidate.text) == len(reference.text))
        return Score(self, value, {}, candidate, reference)


@dataclass(frozen=True, kw_only=True, repr=False)
class Counts(CorpusMeasure):
    """Has the statistics that its candidate spells."""

    name: ClassVar[str] = "counts"
    summary: ClassVar[str] = "whatever it is told"

    def uses_tree(self):
        return False

    def statistics(self, candidate, references):
        return eval(candidate.text, {"np": np, "nan": float("nan")})

    def from_statistics(self, statistics):
        return 0.5, {}


@dataclass(frozen=True, kw_only=True, repr=False)
class Moved(Measure):
    """Whether the candidate is no longer the origin."""

    name: ClassVar[str] = "moved"
    summary: ClassVar[str] = "whether anything was changed"
    needs_origin: ClassVar[bool] = True

    def uses_tree(self):
        return False

    def score(self, candidate, reference=None, origin=None, *, references=None, language=None):
        value = float(candidate.text != origin.text)
        return Score(self, value, {}, candidate, reference or references[0])
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with measures of a third party, which other processes can import as well."""
    folder = tmp_path / "third_party"
    folder.mkdir()
    (folder / "own_measures.py").write_text(MEASURES)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module("own_measures")
    yield module
    sys.modules.pop("own_measures", None)


@pytest.fixture
def rows() -> Rows:
    """Make rows of small Python functions, of which the references recur."""

    def make(count: int, seed: int = 0, **fields: Any) -> list[dict[str, Any]]:
        rng = random.Random(seed)
        tasks = [f"def f{i}(a, b):\n    return a {'+-*'[i % 3]} b * {i}\n" for i in range(20)]
        made = []
        for i in range(count):
            task = rng.randrange(len(tasks))
            text = tasks[task].replace("a", rng.choice(["a", "left"]))
            made.append(
                {
                    "id": f"row {i}",
                    "group": f"model {i % 3}",
                    "language": "python",
                    "candidate": text + "# 1\n" * rng.randrange(3),
                    "reference": tasks[task],
                    "task": f"t{task}",
                    **fields,
                }
            )
        return made

    return make


def fingerprint(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a run."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
