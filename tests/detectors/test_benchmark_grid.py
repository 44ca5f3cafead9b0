from __future__ import annotations

import re
from pathlib import Path

import pytest

from codekin.detectors.benchmark.cells import Cell, cell_name
from codekin.detectors.benchmark.grid import read_grid
from codekin.errors import CodekinError

GRID = """
[pairs]
train = 1000
test = "all"

[[corpora]]
name = "bcb"
path = "functions"
build = "yu"

[[corpora]]
name = "gcj"
path = "programs.jsonl"
build = "contest"
functionalities = [1, 2]
compared_with = "GoogleCodeJam2"

[[experiments]]
corpora = ["bcb", "gcj"]
detectors = ["linear", "tbccd:epochs=4"]
views = ["random", "cross-functionality"]
levels = [0, "abs"]
seeds = [0, 1]

[[experiments]]
corpora = ["bcb"]
test_corpora = ["gcj"]
detectors = ["linear"]
views = ["random"]
levels = [1]
"""


def grid(tmp_path: Path, old: str = "", new: str = "", data: Path | None = None):
    assert old in GRID
    place = tmp_path / "grid.toml"
    place.write_text(GRID.replace(old, new, 1) if old else GRID, encoding="utf-8")
    return read_grid(place, data)


def test_every_combination_is_a_cell(tmp_path) -> None:
    found = grid(tmp_path)
    assert len(found.cells) == 2 * 2 * 2 * 2 * 2 + 1
    assert found.cells[0] == Cell("linear", "bcb", "random", "0", "bcb", "0", 0)
    assert found.cells[-1] == Cell("linear", "bcb", "random", "1", "gcj", "1", 0)
    assert len({cell_name(one) for one in found.cells}) == len(found.cells)
    assert found.pairs.drawn() == {"train": 1000, "validation": 50_000, "test": None}
    assert found.pairs.given() == {"train": 1000, "test": None}


def test_paths_start_from_the_grid_or_from_the_data(tmp_path) -> None:
    assert grid(tmp_path).corpora["bcb"].path == tmp_path / "functions"
    assert grid(tmp_path, data=Path("/data")).corpora["gcj"].path == Path("/data/programs.jsonl")


def test_corpora_are_compared_with_those_of_the_papers(tmp_path) -> None:
    found = grid(tmp_path).corpora
    assert found["bcb"].compared_with == "BigCloneBench"
    assert found["gcj"].compared_with == "GoogleCodeJam2"
    assert found["gcj"].functionalities == ("1", "2")


def test_levels_are_crossed(tmp_path) -> None:
    found = grid(tmp_path, "seeds = [0, 1]", 'test_levels = ["same", "0"]')
    places = {(one.level, one.test_level) for one in found.cells if one.corpus == "gcj"}
    # The same as a test at level 0, which is one cell.
    assert places == {("0", "0"), ("abs", "abs"), ("abs", "0")}


def test_rotations_are_cells_of_their_own(tmp_path) -> None:
    found = grid(
        tmp_path,
        'views = ["random", "cross-functionality"]',
        'views = ["cross-functionality"]\nrotations = 3',
    )
    views = {one.view for one in found.cells if one.corpus == "gcj"}
    assert views == {f"cross-functionality-rotation-{i}" for i in (1, 2, 3)}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[pairs]", "[pairs", "is not TOML"),
        ("[pairs]", "[pear]", "the file: unknown key 'pear'; did you mean 'pairs'?"),
        ("train = 1000", "train = 0", 'pairs: train must be a positive number or "all", not 0'),
        ('name = "gcj"', 'name = "bcb"', "two corpora are named bcb"),
        ('name = "gcj"', 'name = "g c j"', "the name of a corpus is letters"),
        ('build = "yu"', 'build = "you"', "bcb: unknown build 'you' (known: none, yu"),
        ('path = "functions"', "", "a corpus needs a path"),
        ("functionalities = [1, 2]", 'functionalities = "1"', "functionalities must be a list"),
        ("functionalities = [1, 2]", 'rule = "role"', "unknown rule 'role'; did you mean 'roles'?"),
        ('"GoogleCodeJam2"', '"GoogleCodeJam3"', "unknown corpus of the papers 'GoogleCodeJam3'"),
        ('detectors = ["linear"', 'detectors = ["liner"', "experiment 1: unknown detector 'liner'"),
        ("epochs=4", "epoch=4", "experiment 1: tbccd: unknown setting 'epoch'"),
        ('["linear"', '["measure:measure=evil:metric"', "not one of codekin's own measures"),
        ("epochs=4", "epochs=few", "tbccd: epochs must be a whole number, not 'few'"),
        ('"random"', '"randon"', "experiment 1: unknown view 'randon'; did you mean 'random'?"),
        ('"abs"', '"abstract"', "experiment 1: unknown level 'abstract'"),
        ('corpora = ["bcb", "gcj"]', 'corpora = ["bc"]', "unknown corpus 'bc'; did you mean 'bcb'"),
        ('test_corpora = ["gcj"]', 'test_corpora = ["gc"]', "experiment 2: unknown corpus 'gc'"),
        ("seeds = [0, 1]", "seed = [0, 1]", "experiment 1: unknown key 'seed'; did you mean"),
        ("seeds = [0, 1]", 'seeds = ["a"]', "seeds must be numbers from 0 on, not 'a'"),
        ("seeds = [0, 1]", "seeds = []", "an experiment needs seeds, a list that is not empty"),
        ("seeds = [0, 1]", "rotations = 2", "only the views cross-functionality and cross-all"),
        ("seeds = [0, 1]", 'rotations = "all"', "rotations must be a number from 0 on, not 'all'"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path, old, new, message) -> None:
    with pytest.raises(CodekinError, match=re.escape(message)) as error:
        grid(tmp_path, old, new)
    assert str(error.value).startswith(str(tmp_path / "grid.toml"))


def test_a_grid_that_is_missing_or_empty(tmp_path) -> None:
    with pytest.raises(CodekinError, match=r"none\.toml: no such file"):
        read_grid(tmp_path / "none.toml")
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(CodekinError, match=r"has no \[\[corpora\]\]; a grid needs at least one"):
        read_grid(tmp_path / "empty.toml")


def test_the_documented_grid_is_one(tmp_path) -> None:
    page = Path(__file__).parents[2].joinpath("docs", "benchmark.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    place = tmp_path / "grid.toml"
    place.write_text(example, encoding="utf-8")
    found = read_grid(place)
    (count,) = re.findall(r"makes (\d+) cells", page)
    assert len(found.cells) == int(count)
    for key in ("build", "functionalities", "rule", "compared_with", "test_levels", "rotations"):
        assert f"`{key}`" in page
