"""The page on statistics: what it prints is what its commands print of its example."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = re.findall(r"```console\n(.*?)```", (DOCS / "statistics.md").read_text("utf-8"), re.S)


def of_the_example() -> list[tuple[list[str], str]]:
    """The commands on the example, and what stands below each."""
    return [
        (shlex.split(command), below)
        for block in BLOCKS
        for command, below in re.findall(r"^\$ codekin (.+)\n((?:[^$].*\n|\n)*)", block, re.M)
        if "predictions" in command
    ]


def test_the_page_shows_what_its_commands_print(cli, tmp_path, monkeypatch) -> None:
    shutil.copy(DOCS / "examples" / "predictions.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)
    commands = of_the_example()
    assert [words[0] for words, _ in commands] == ["score", "summarize"] + ["compare-runs"] * 2
    for words, shown in commands:
        done = cli(*words, width=80)
        assert done.exit_code == 0, done.output
        if shown:
            assert [line.rstrip() for line in done.stdout.splitlines()] == shown.splitlines()
        for warning in done.stderr.splitlines() if words[0] == "compare-runs" else ():
            assert f"{warning}\n" in BLOCKS
    assert [bool(shown) for _, shown in commands] == [False, True, True, True]


def test_the_example_is_what_its_script_writes() -> None:
    written = subprocess.run(
        [sys.executable, DOCS / "examples" / "make_predictions.py"], capture_output=True, check=True
    )
    example = (DOCS / "examples" / "predictions.jsonl").read_bytes()
    assert written.stdout.splitlines() == example.splitlines()
    assert len(example) < 60_000


@pytest.mark.parametrize("name", ["predictions.jsonl", "make_predictions.py"])
def test_the_page_links_its_example(name) -> None:
    assert f"](examples/{name})" in (DOCS / "statistics.md").read_text("utf-8")
