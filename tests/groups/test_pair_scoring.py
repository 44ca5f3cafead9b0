from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from codekin import CodekinError, Source
from codekin.groups.pair_scoring import score_pairs
from codekin.measures.foreign import load_measure
from codekin.measures.pairwise import directed_scores
from codekin.runs.workers import available_cores

TEXTS = [f"x = {i}\nprint(x{' + y' * (i % 4)})\n" for i in range(12)]
SOURCES = [Source(text, "python") for text in TEXTS]
ORIGIN = Source("x = 0\n", "python")

MINE = """
import os
from codekin import CodekinError

def overlap(candidate, reference):
    print("not a message")
    if "= 3" in candidate:
        raise CodekinError("no 3")
    return len(set(candidate) & set(reference)) / len(set(candidate) | set(reference))

def elsewhere(candidate, reference):
    return float(os.getpid() != PARENT)

def deadly(candidate, reference):
    os._exit(7)
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Measures in a module of the user's own."""
    (tmp_path / "mine.py").write_text(MINE + f"\nPARENT = {os.getpid()}\n")
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name: load_measure(f"mine:{name}")


def test_processes_give_the_same_scores(mine) -> None:
    one = mine("overlap")
    here = score_pairs(one, SOURCES, ORIGIN, workers=0).both_ways().values
    there = score_pairs(one, SOURCES, ORIGIN, workers=2).both_ways().values
    assert np.array_equal(here, there, equal_nan=True)
    both = directed_scores(one, SOURCES, ORIGIN).both_ways().values
    assert np.array_equal(here, both, equal_nan=True)
    assert np.isnan(here[3]).sum() == 11


@pytest.mark.parametrize("much", [True, False])
def test_the_work_is_done_elsewhere_where_there_is_much(mine, monkeypatch, much) -> None:
    if much:
        monkeypatch.setattr("codekin.groups.pair_scoring._MIN_CHARACTERS", 30)
    several = available_cores() > 1
    assert score_pairs(mine("elsewhere"), SOURCES[:2], ORIGIN).values[0, 1] == (much and several)


def test_a_process_that_dies_is_told(mine) -> None:
    with pytest.raises(CodekinError, match=r"died \(exit code 7\)"):
        score_pairs(mine("deadly"), SOURCES[:2], ORIGIN, workers=2)


def test_a_measure_that_others_cannot_import_is_told(mine, tmp_path: Path) -> None:
    one = mine("elsewhere")
    (tmp_path / "mine.py").unlink()
    with pytest.raises(CodekinError, match="No module named 'mine'"):
        score_pairs(one, SOURCES[:2], ORIGIN, workers=2)
