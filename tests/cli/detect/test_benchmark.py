from __future__ import annotations

import json

import pytest
from tests.detectors.synthetic_records import BROKEN, cell, sound_run, write_records
from tests.detectors.tiny_grids import themed, write_grid

from codekin.errors import CodekinError


def test_a_dry_run_prints_the_plan_and_writes_nothing(cli, tmp_path) -> None:
    place = write_grid(tmp_path, themed(4), detectors=["linear", "tbccd:epochs=4"], seeds=[0, 1])
    before = sorted(tmp_path.rglob("*"))
    done = cli("detect", "benchmark", place, "--dry-run", "-o", tmp_path / "run", width=None)
    assert done.exit_code == 0, done.output
    assert "4 cells" in done.stdout and "tbccd:epochs=4" in done.stdout
    listed = json.loads(cli("detect", "benchmark", place, "--dry-run", "--format", "json").stdout)
    assert [cell["seed"] for cell in listed["cells"]] == [0, 1, 0, 1]
    assert sorted(tmp_path.rglob("*")) == before
    (tmp_path / "snippets.jsonl").unlink()
    assert "tiny: there is no" in cli("detect", "benchmark", place, "--dry-run").stderr


def test_a_benchmark_is_run_and_reported(cli, tmp_path) -> None:
    place = write_grid(tmp_path, themed())
    folder, page = tmp_path / "run", tmp_path / "page.html"
    words = ("detect", "benchmark", place, "-o", folder, "-w", 1)
    done = cli(*words, "--report", page, width=None)
    assert done.exit_code == 0, done.output
    assert "tiny: F1 by view, level 0" in done.stdout
    assert "tiny, view random, seed 0:" in done.stderr
    assert "Findings of the papers that cannot be tested: " in done.stdout
    assert "tiny, view random: no labelled pairs" not in done.stdout
    assert "pairs drawn" in done.stdout and "1/1 linear" in done.stderr
    assert "Benchmark of clone detectors" in page.read_text(encoding="utf-8")
    again = cli(*words, "--format", "csv")
    assert again.stdout.startswith("detector,corpus,view,level") and "1/1" not in again.stderr


def test_a_folder_and_a_page_are_needed_in_the_right_places(cli, tmp_path) -> None:
    place = write_grid(tmp_path, themed(4))
    done = cli("detect", "benchmark", place)
    assert isinstance(done.exception, CodekinError) and "name one with -o" in str(done.exception)
    done = cli("detect", "benchmark", place, "-o", tmp_path / "run", "--report", "page.pdf")
    assert done.exit_code != 0 and ".pdf" in str(done.exception)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("broken", [0, 1, 2, 3])
def test_properties_are_verdicts_and_an_exit_code(cli, tmp_path, broken) -> None:
    folder = write_records(tmp_path, sound_run() | BROKEN.get(broken, {}))
    done = cli("detect", "properties", folder)
    assert done.exit_code == int(broken > 0)
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if " P" in line[:40]]
    assert verdicts == ["fails" if number == broken else "holds" for number in (1, 2, 3)]


def test_properties_in_other_formats(cli, tmp_path) -> None:
    folder = write_records(tmp_path / "run", sound_run())
    listed = json.loads(cli("detect", "properties", folder, "--format", "json").stdout)
    assert [one["verdict"] for one in listed["properties"]] == ["holds"] * 3
    assert cli("detect", "properties", folder, "-o", tmp_path / "page.html").exit_code == 0
    assert "Properties of a sound dataset" in (tmp_path / "page.html").read_text(encoding="utf-8")
    empty = write_records(tmp_path / "other", {cell("tbccd"): 0.9})
    done = cli("detect", "properties", empty)
    assert isinstance(done.exception, CodekinError) and "test_levels" in str(done.exception)
