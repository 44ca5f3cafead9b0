"""The page on benchmarks: its grid is read, its commands exist, and its Python runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.detectors.synthetic_records import sound_run, write_records

from codekin import read_grid

PAGE = (Path(__file__).parents[3] / "docs" / "benchmark.md").read_text("utf-8")


def block(kind: str) -> str:
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.S | re.M)
    return str(found)


def test_the_grid_of_the_page_makes_as_many_cells_as_it_says(tmp_path) -> None:
    (tmp_path / "grid.toml").write_text(block("toml"), encoding="utf-8")
    grid = read_grid(tmp_path / "grid.toml")
    assert f"This grid makes {len(grid.cells)} cells" in PAGE
    assert grid.corpora["programs"].compared_with == "GoogleCodeJam2"


def test_the_python_of_the_page_runs(tmp_path, monkeypatch, capsys) -> None:
    write_records(tmp_path / "run", sound_run())
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python"), "benchmark.md", "exec"), {})
    said = capsys.readouterr().out
    assert "cannot be tested here" in said and "holds here" in said
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!")


@pytest.mark.parametrize(
    "line", [one for one in PAGE.splitlines() if one.startswith("$ codekin detect")]
)
def test_the_commands_of_the_page_have_these_options(line: str, cli) -> None:
    words = shlex.split(line.removeprefix("$ codekin "), comments=True)
    known = cli(*words[:2], "--help", width=200).stdout
    for word in words[2:]:
        if word.startswith("-"):
            assert re.search(rf"(?<![\w-]){re.escape(word)}\b", known), word
