"""Benchmarks on the pairs that a corpus has, in the files that the field uses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.detectors.tiny_grids import themed

from codekin import CodekinError, read_benchmark
from codekin.detectors.benchmark.grid import read_grid
from codekin.detectors.benchmark.grid_data import GridData
from codekin.detectors.benchmark.running import run_benchmark

torch.set_num_threads(1)

SIDES = ("train", "valid", "test")


def codexglue(folder: Path) -> dict[str, list[tuple[int, int, int]]]:
    """CodeXGLUE's files; labels are those of themes, but for every fifth, which is the other."""
    rows = themed()
    folder.mkdir()
    lines = (json.dumps({"idx": str(i), "func": row["code"]}) for i, row in enumerate(rows))
    (folder / "data.jsonl").write_text("".join(f"{line}\n" for line in lines))
    made: dict[str, list[tuple[int, int, int]]] = {}
    generator = np.random.default_rng(1)
    for number, side in enumerate(SIDES):
        mine = range(16 * number, 16 * number + 16)
        pairs = [(i, j, int((i - j) % 4 == 0)) for i in mine for j in mine if i < j]
        chosen = generator.permutation(len(pairs))[:60].tolist()
        made[side] = [(i, j, c if (i + j) % 5 else 1 - c) for i, j, c in (pairs[k] for k in chosen)]
        text = "".join("\t".join(map(str, pair)) + "\n" for pair in made[side])
        (folder / f"{side}.txt").write_text(text)
    return made


def grid(folder: Path, view: str, corpus: str = "", pairs: str = "") -> Path:
    place = folder / "grid.toml"
    place.write_text(
        f"""
        {pairs}
        [[corpora]]
        name = "cxg"
        path = "data"
        {corpus}
        [[experiments]]
        corpora = ["cxg"]
        detectors = ["linear:epochs=1,width=4"]
        views = ["{view}"]
        levels = ["0"]
        """
    )
    return place


def view_of(
    place: Path, view: str, lines: list[str] | None = None
) -> set[tuple[int, int, int, int]]:
    """The pairs of a view: both snippets, label and side."""
    read = read_grid(place)
    report = None if lines is None else lines.append
    arrays = GridData(read, read.cells, workers=0, report=report).view("cxg", view, 0)
    columns = (arrays[name].tolist() for name in ("first", "second", "label", "side"))
    return set(zip(*columns, strict=True))


def test_the_pairs_and_sides_of_the_data_are_those_of_the_benchmark(tmp_path) -> None:
    made = codexglue(tmp_path / "data")
    lines: list[str] = []
    found = view_of(grid(tmp_path, "given"), "given", lines)
    assert found == {(*pair, i) for i, side in enumerate(SIDES) for pair in made[side]}
    assert lines[0].startswith(
        "cxg, view given, seed 0: 180 labelled pairs given, all used: 60 train ("
    )


def test_a_view_keeps_the_given_labels(tmp_path) -> None:
    made = codexglue(tmp_path / "data")
    labels = {pair for side in SIDES for pair in made[side]}
    lines: list[str] = []
    found = view_of(grid(tmp_path, "random"), "random", lines)
    assert {pair[:3] for pair in found} <= labels
    assert "180 labelled pairs given, " in lines[0] and "two sides" in lines[0]


def test_fewer_pairs_only_where_the_grid_says_so(tmp_path) -> None:
    codexglue(tmp_path / "data")
    found = view_of(grid(tmp_path, "given", pairs="[pairs]\ntrain = 20"), "given")
    assert [sum(pair[3] == side for pair in found) for side in range(3)] == [20, 60, 60]


def test_pairs_are_drawn_in_place_of_given_ones_only_by_name(tmp_path) -> None:
    codexglue(tmp_path / "data")
    place = grid(tmp_path, "random", corpus='pairs = "drawn"')
    with pytest.raises(CodekinError, match="cxg, view random, seed 0: side train has no clones"):
        view_of(place, "random")


@pytest.mark.parametrize(
    ("corpus", "view", "words"),
    [
        ('pairs = "mine"', "given", "unknown kind of pairs 'mine'"),
        ('pairs = "given"\nbuild = "contest"', "given", "build contest makes pairs of its own"),
        ('pairs = "drawn"', "given", "has no sides; take another view than given"),
    ],
)
def test_what_cannot_be(tmp_path, corpus, view, words) -> None:
    codexglue(tmp_path / "data")
    with pytest.raises(CodekinError, match=words):
        view_of(grid(tmp_path, view, corpus), view)


def test_a_benchmark_says_which_pairs_it_used(tmp_path) -> None:
    codexglue(tmp_path / "data")
    found = run_benchmark(grid(tmp_path, "given"), tmp_path / "run", workers=0)
    (result,) = found.results
    assert (result.view, result.all.pairs) == ("given", 60)
    assert any("cxg, view given: 180 labelled pairs given, all used" in n for n in found.notes())
    assert found == read_benchmark(tmp_path / "run")
    assert result.all.auc_interval.low < result.all.auc < result.all.auc_interval.high
    again = run_benchmark(grid(tmp_path, "given"), tmp_path / "run", workers=0)
    assert again == found
