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
from codekin.detectors.benchmark.benchmark_plan import plan_benchmark
from codekin.detectors.benchmark.cells import (
    cell_name,
    held_out_pairs,
    read_plan,
    read_view,
    run_cells,
)
from codekin.detectors.benchmark.grid import read_grid
from codekin.detectors.benchmark.running import run_benchmark
from codekin.detectors.benchmark.staging import stage_benchmark
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
    stage_benchmark(read_grid(place), folder, workers=0)
    marked = folder / "copies" / "tiny.random.0.in-other.npz"
    with np.load(marked) as file:
        copied = file["copied"]
    view = read_view(folder / "views" / "tiny.random.0.npz")
    trained = view["copied"]
    assert 0 < trained.sum() < len(trained)
    assert copied.tolist() == [bool(i % 2 and one) for i, one in enumerate(trained[::-1])]
    found = run_benchmark(place, folder, workers=0)
    across = next(one for one in found.results if one.test_corpus == "other")
    tested = held_out_pairs(read_view(folder / "views" / "other.random.0.npz"))
    share = (copied[tested.first] | copied[tested.second]).mean()
    assert across.copied == pytest.approx(share) and across.copied > 0
    assert across.without_copies is not None
    assert across.without_copies.pairs == round(len(tested) * (1 - share))
    # A record from before has the copies of the tested corpus itself.
    record = next((folder / "cells").glob("*on-other*"))
    old = json.loads(record.read_text())
    del old["copies_of"]
    record.write_text(json.dumps(old))
    again = run_benchmark(place, folder, workers=0)
    assert next(one for one in again.results if one.test_corpus == "other").without_copies is None
    assert any("1 result on another corpus without numbers" in note for note in again.notes())
    record.unlink()
    marked.unlink()
    with pytest.raises(CodekinError, match=r"tiny.random.0.in-other.npz: is missing.*stage"):
        list(run_cells(folder))
    assert "tiny.random.0.in-other.npz" in stage_lines(place, folder)


def stage_lines(place: Path, folder: Path) -> str:
    lines: list[str] = []
    stage_benchmark(read_grid(place), folder, workers=0, report=lines.append)
    return "\n".join(lines)


def test_the_preset_of_the_paper_is_marked(tmp_path) -> None:
    words = ["mlp:epochs=1,preset=paper", "linear:epochs=2,width=4"]
    place = write_grid(tmp_path, themed(), detectors=words)
    found = run_benchmark(place, tmp_path / "run", workers=0)
    assert [len(one.notes) for one in found.results] == [2, 0]
    assert all("not comparable" in note for note in found.results[0].notes)


BARE = """
import os, signal, sys, types
from importlib.abc import MetaPathFinder

class Refused(MetaPathFinder):
    names = {"pyarrow", "tree_sitter", "typer", "rich", "rapidfuzz", "scipy", "sklearn"}
    names |= {"codekin._native", "codekin.corpora", "codekin.source"}
    def find_spec(self, name, path, target=None):
        if name in self.names or name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"no {name} on this machine", name=name)

sys.meta_path.insert(0, Refused())
import torch
from codekin.detectors import astnn, faast, linear, mlp, tbccd
from codekin.detectors.benchmark import cells

torch.set_num_threads(1)
# Optimizers load a compiler that nothing here uses, which takes longer than all the rest.
torch._dynamo = sys.modules["torch._dynamo"] = types.ModuleType("torch._dynamo")
torch._dynamo.__getattr__ = lambda name: lambda *given, **options: given[0] if given else None
run, done = cells.run_cell, []

def die_in_training(at):
    if at.epoch == 2:
        os.kill(os.getpid(), signal.SIGKILL)

def run_cell(folder, cell, *, progress, **options):
    done.append(cell)
    return run(folder, cell, progress=die_in_training if len(done) == 3 else None, **options)

cells.run_cell = run_cell
cells.main([sys.argv[1], "--device", "cpu"])
"""


def test_a_killed_run_continues_with_equal_records_and_needs_numpy_and_torch_alone(
    grid, finished, tmp_path
) -> None:
    folder = tmp_path / "run"
    stage_benchmark(read_grid(grid), folder, workers=0)
    words = [sys.executable, "-c", BARE, str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert done.stdout.startswith("1/4 linear")
    assert len(without_times(folder)) == 2
    assert len(list(run_cells(folder, device="cpu"))) == 2
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
    folders = sorted(one.name for one in (tmp_path / "run" / "code").iterdir())
    assert folders == ["tiny.level-0", "tiny.level-abs"]
    same, abstracted = found.results
    assert (same.test_level, abstracted.test_level) == ("0", "abs")
    assert same.all.ap != abstracted.all.ap
    assert same.all.pairs == sum(one.pairs for one in same.by_size.values())


def test_code_without_leaves_has_no_text(shared, tmp_path) -> None:
    place = write_grid(tmp_path, themed(4), detectors=["shared"], levels=["over"])
    with pytest.raises(CodekinError, match="experiment 1: shared reads code, and the level over"):
        read_grid(place)


def test_staged_code_that_is_missing_is_an_error(shared, tmp_path) -> None:
    folder = tmp_path / "run"
    place = write_grid(tmp_path, themed(), detectors=["shared"])
    stage_benchmark(read_grid(place), folder, workers=0)
    (folder / "code").rename(tmp_path / "elsewhere")
    with pytest.raises(CodekinError, match=r"tiny.level-0: is missing.*stage the benchmark again"):
        list(run_cells(folder))


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
        stage_benchmark(read_grid(place), tmp_path / "run", workers=0)


def test_a_corpus_of_one_class_is_named(tmp_path) -> None:
    place = write_grid(tmp_path, themed(24, themes=1))
    with pytest.raises(CodekinError, match=r"tiny, view random, seed 0: .*has no pairs other than"):
        stage_benchmark(read_grid(place), tmp_path / "run", workers=0)


def test_a_missing_corpus_is_named_before_anything_is_computed(tmp_path) -> None:
    place = write_grid(tmp_path, themed(24))
    (tmp_path / "snippets.jsonl").unlink()
    read = read_grid(place)
    with pytest.raises(CodekinError, match=r"tiny: there is no .*snippets.jsonl.*--data"):
        stage_benchmark(read, tmp_path / "run", workers=0)
    assert "tiny: there is no" in plan_benchmark(read).warnings()[0]


def test_a_folder_of_another_grid_is_refused(grid, finished, tmp_path) -> None:
    changed = write_grid(tmp_path, themed())
    text = changed.read_text()
    changed.write_text(text.replace("train = 300", "train = 301"))
    with pytest.raises(CodekinError, match=r"another grid.*pairs of train: 300 before, 301 now"):
        stage_benchmark(read_grid(changed), finished, workers=0)
    changed.write_text(text.replace('"none"', '"yu"'))
    with pytest.raises(CodekinError, match="tiny: build 'none' before, 'yu' now"):
        stage_benchmark(read_grid(changed), finished, workers=0)
    longer = write_grid(tmp_path, [*themed(), themed(49)[-1]], levels=["1"])
    with pytest.raises(CodekinError, match="tiny: has changed since"):
        stage_benchmark(read_grid(longer), finished, workers=0)


def test_the_plan_is_estimated_from_records_and_from_a_table(grid, finished, tmp_path) -> None:
    place = write_grid(
        *(tmp_path, themed()),
        detectors=["linear:epochs=2,width=4", "tbccd:epochs=3"],
        seeds=[0, 9],
    )
    plan = plan_benchmark(read_grid(place, grid.parent), finished)
    found = [(one.cell.detector[:5], one.cell.seed, one.done, one.basis) for one in plan.cells]
    assert found == [
        ("linea", 0, True, "measured"),
        ("linea", 9, False, "records"),
        ("tbccd", 0, False, "table"),
        ("tbccd", 9, False, "table"),
    ]
    alone = plan_benchmark(read_grid(place))
    assert {one.basis for one in alone.cells} == {"table"} and "estimate" in alone.notes()[0]
    # Three epochs of 300 pairs, in the time of 1,000.
    twice = write_grid(tmp_path / "b", themed(2), detectors=["tbccd:epochs=6"])
    slower = plan_benchmark(read_grid(twice)).cells[0].seconds
    assert slower == pytest.approx(2 * alone.cells[2].seconds)


def test_the_time_of_a_measure_is_that_of_scoring(tmp_path) -> None:
    words = ["measure:measure=bleu:order=2,sample=60", "measure:measure=tsed", "measure:measure=es"]
    place = write_grid(tmp_path, themed(4), detectors=words)
    place.write_text(place.read_text().replace('"all"', "400"))
    bleu, tsed, unknown = plan_benchmark(read_grid(place)).cells
    assert (bleu.basis, unknown.basis) == ("table", "unknown")
    # Of 100 validation pairs, bleu is computed for 60.
    assert tsed.seconds / bleu.seconds == pytest.approx(4.2 * 500 / (0.08 * 460))
    place.write_text(place.read_text().replace("400", '"all"'))
    assert np.isnan(plan_benchmark(read_grid(place)).cells[0].seconds)


def test_cells_of_detectors_that_cannot_be_loaded_are_skipped(
    finished, tmp_path, monkeypatch, capsys
) -> None:
    from codekin.detectors.benchmark import cells

    def missing(word: str) -> Any:
        raise CodekinError("svm: needs sklearn, which is not installed")

    monkeypatch.setattr(cells, "parse_detector", missing)
    assert cells.main([str(finished)]) == 0
    assert "4 cells of linear:" in capsys.readouterr().err
    assert cells.main([str(tmp_path)]) == 2
    assert "plan.json" in capsys.readouterr().err


def test_the_plan_has_every_cell_once(finished) -> None:
    names = [cell_name(one) for one in read_plan(finished)]
    assert len(names) == len(set(names)) == 4
