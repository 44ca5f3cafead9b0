from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.detectors.tasks import THEMES
from tests.detectors.tiny_grids import themed, write_grid

from codekin import Corpus
from codekin.detectors import detector as detectors
from codekin.detectors.benchmark.cells import cell_name, held_out_pairs, read_plan
from codekin.detectors.benchmark.grid import read_grid
from codekin.detectors.benchmark.grid_data import GridData
from codekin.detectors.benchmark.running import run_benchmark
from codekin.detectors.detector import Detector, Fitted, labelled
from codekin.errors import CodekinError

torch.set_num_threads(1)


def without_times(folder: Path) -> dict[str, Any]:
    found = {}
    for place in (folder / "cells").glob("*.json"):
        record = json.loads(place.read_text())
        del record["seconds"], record["scoring_seconds"], record["fitted"]["seconds"]
        found[place.name] = record
    return found


@pytest.fixture(scope="module")
def grid(tmp_path_factory) -> Path:
    return write_grid(tmp_path_factory.mktemp("grid"), themed(), levels=["0", "abs"], seeds=[0, 1])


@pytest.fixture(scope="module")
def finished(grid, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    run_benchmark(grid, folder, workers=0)
    return folder


def test_a_benchmark_has_a_record_per_cell_and_is_not_run_twice(grid, finished) -> None:
    before = {place: place.stat().st_mtime_ns for place in finished.rglob("*.json")}
    lines: list[str] = []
    found = run_benchmark(grid, finished, workers=0, report=lines.append)
    assert not lines and not found.missing
    assert [(one.level, one.runs) for one in found.results] == [("0", 2), ("abs", 2)]
    after = {place: place.stat().st_mtime_ns for place in (finished / "cells").glob("*.json")}
    assert len(after) == 4 and all(before[place] == time for place, time in after.items())
    # Names decide, and abstraction takes them away.
    assert found.results[0].all.ap > found.results[1].all.ap
    assert found.results[0].all.pairs == found.results[0].by_project["between projects"].pairs


def test_copies_are_marked_across_corpora(tmp_path) -> None:
    # So short that only equal ones are copies.
    rows = [row | {"code": f"{THEMES[i % 4][0]}({i});"} for i, row in enumerate(themed())]
    place = write_grid(tmp_path, rows, test_corpora=["same", "other"])
    # Half of the other corpus is code of the first, in another layout.
    other = [
        row | {"id": f"o{i}", "code": row["code"].replace("(", " (" if i % 2 else "(-")}
        for i, row in enumerate(rows[::-1])
    ]
    (tmp_path / "other.jsonl").write_text("".join(json.dumps(row) + "\n" for row in other))
    corpus = '[[corpora]]\nname = "other"\npath = "other.jsonl"\nbuild = "none"\n'
    place.write_text(place.read_text().replace("[[experiments]]", corpus + "[[experiments]]"))
    folder = tmp_path / "run"
    read = read_grid(place)
    data = GridData(read, read.cells, workers=0)
    [crossed] = [cell for cell in read.cells if cell.test_corpus == "other"]
    copied = data.copied(crossed)
    trained = data.view("tiny", "random", 0)["copied"]
    assert 0 < trained.sum() < len(trained)
    assert copied.tolist() == [bool(i % 2 and one) for i, one in enumerate(trained[::-1])]
    found = run_benchmark(place, folder, workers=0)
    across = next(one for one in found.results if one.test_corpus == "other")
    tested = held_out_pairs(data.view("other", "random", 0))
    share = (copied[tested.first] | copied[tested.second]).mean()
    assert across.copied == pytest.approx(share) and across.copied > 0
    assert across.without_copies.pairs == round(len(tested) * (1 - share))


def test_the_preset_of_the_paper_is_marked(tmp_path) -> None:
    words = ["mlp:epochs=1,preset=paper", "linear:epochs=2,width=4"]
    place = write_grid(tmp_path, themed(), detectors=words)
    found = run_benchmark(place, tmp_path / "run", workers=0)
    assert [len(one.notes) for one in found.results] == [2, 0]
    assert all("not comparable" in note for note in found.results[0].notes)


KILLED = """
import os, signal, sys, types
import torch
from codekin.detectors.benchmark import running

torch.set_num_threads(1)
# Optimizers load a compiler that nothing here uses, which takes longer than all the rest.
torch._dynamo = sys.modules["torch._dynamo"] = types.ModuleType("torch._dynamo")
torch._dynamo.__getattr__ = lambda name: lambda *given, **options: given[0] if given else None
done = []

def die_in_training(at):
    if len(done) == 2 and at.epoch == 2:
        os.kill(os.getpid(), signal.SIGKILL)

def report(line):
    if line[1:3] == "/4":
        done.append(line)

running.run_benchmark(
    *sys.argv[1:], device="cpu", workers=0, report=report, progress=die_in_training
)
"""


def test_a_killed_run_continues_with_equal_records(grid, finished, tmp_path) -> None:
    folder = tmp_path / "run"
    words = [sys.executable, "-c", KILLED, str(grid), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert len(without_times(folder)) == 2
    lines: list[str] = []
    run_benchmark(grid, folder, workers=0, report=lines.append)
    assert [line[:3] for line in lines if line[1:3] == "/4"] == ["3/4", "4/4"]
    assert without_times(folder) == without_times(finished)


@dataclass(eq=False)
class Shared(Detector):
    """A detector that reads code: the share of words in common."""

    name = "shared"
    summary = "words in common"

    def fit(self, corpus: Corpus, *, workers: int | None = None, progress: Any = None) -> Fitted:
        pairs = {side: labelled(corpus, side) for side in ("train", "validation")}
        self.threshold = 0.5
        self.fitted = Fitted(len(pairs["train"]), len(pairs["validation"]))
        return self.fitted

    def score_pairs(self, snippets: Any, first: Any, second: Any, *, workers: Any = None) -> Any:
        words = [set(one.code.replace("(", " ").split()) for one in snippets]
        pairs = zip(first, second, strict=True)
        shares = [len(words[i] & words[j]) / len(words[i] | words[j]) for i, j in pairs]
        return np.array(shares, np.float32)

    def state(self) -> Any:
        return {}, {}

    def restore(self, document: Any, arrays: Any) -> None:
        pass


@pytest.fixture
def shared(monkeypatch) -> None:
    monkeypatch.setattr(detectors, "detector_classes", lambda: {"shared": Shared})


def test_a_detector_that_reads_code_is_run_on_abstracted_code(shared, tmp_path) -> None:
    place = write_grid(
        tmp_path, themed(), detectors=["shared"], levels=["0"], test_levels=["same", "abs"]
    )
    found = run_benchmark(place, tmp_path / "run", workers=0)
    same, abstracted = found.results
    assert (same.test_level, abstracted.test_level) == ("0", "abs")
    assert same.all.ap != abstracted.all.ap
    assert same.all.pairs == sum(one.pairs for one in same.by_size.values())


def test_code_without_leaves_has_no_text(shared, tmp_path) -> None:
    place = write_grid(tmp_path, themed(4), detectors=["shared"], levels=["over"])
    with pytest.raises(CodekinError, match="experiment 1: shared reads code, and the level over"):
        read_grid(place)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"views": ["cross-project"]}, "tiny, view cross-project, seed 0: no two snippets have a"),
        ({"views": ["cross-all"]}, "no two snippets have a project or a file in common"),
        ({"views": ["cross-all"], "rotations": 1}, "no two snippets have a project"),
        ({"views": ["cross-functionality"], "rotations": 7}, "rotation"),
    ],
)
def test_a_view_that_a_corpus_cannot_have(tmp_path, changes, message) -> None:
    place = write_grid(tmp_path, themed(24), **changes)
    with pytest.raises(CodekinError, match=message):
        run_benchmark(place, tmp_path / "run", workers=0)


def test_a_corpus_of_one_class_is_named(tmp_path) -> None:
    place = write_grid(tmp_path, themed(24, themes=1))
    with pytest.raises(CodekinError, match=r"tiny, view random, seed 0: .*has no pairs other than"):
        run_benchmark(place, tmp_path / "run", workers=0)


def test_a_missing_corpus_is_named_before_anything_is_computed(tmp_path) -> None:
    place = write_grid(tmp_path, themed(24))
    (tmp_path / "snippets.jsonl").unlink()
    with pytest.raises(CodekinError, match=r"tiny: there is no .*snippets.jsonl.*--data"):
        run_benchmark(place, tmp_path / "run", workers=0)
    assert "tiny: there is no" in read_grid(place).warnings()[0]


def test_a_folder_of_another_grid_is_refused(grid, finished, tmp_path) -> None:
    changed = write_grid(tmp_path, themed())
    text = changed.read_text()
    changed.write_text(text.replace("train = 300", "train = 301"))
    with pytest.raises(CodekinError, match=r"another grid.*pairs of train: 300 before, 301 now"):
        run_benchmark(changed, finished, workers=0)
    changed.write_text(text.replace('"none"', '"yu"'))
    with pytest.raises(CodekinError, match="tiny: build 'none' before, 'yu' now"):
        run_benchmark(changed, finished, workers=0)
    longer = write_grid(tmp_path, [*themed(), themed(49)[-1]], levels=["1"])
    with pytest.raises(CodekinError, match="tiny: has changed since"):
        run_benchmark(longer, finished, workers=0)


def test_the_plan_has_every_cell_once(finished) -> None:
    names = [cell_name(one) for one in read_plan(finished).cells]
    assert len(names) == len(set(names)) == 4
