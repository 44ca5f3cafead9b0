"""What docs/graphs.md shows is what its commands print of its examples."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "graphs.md").read_text("utf-8")
SHOWN = re.findall(r"```console\n\$ codekin (graph control_flow[^\n]*)\n(.*?)```", PAGE, re.S)


def test_the_page_shows_what_its_commands_print(cli, monkeypatch) -> None:
    monkeypatch.chdir(DOCS / "examples" / "graphs")
    assert len(SHOWN) == 4
    for command, below in SHOWN:
        done = cli(*shlex.split(command))
        assert done.exit_code == 0, done.output
        assert done.stdout == below


def test_slices_and_suggestions_are_what_the_command_prints(cli, monkeypatch) -> None:
    monkeypatch.chdir(DOCS / "examples" / "graphs")
    found = re.findall(r"```console\n\$ codekin (graph words.py --[^\n]*)\n(.*?)```", PAGE, re.S)
    assert len(found) == 2
    for command, below in found:
        done = cli(*shlex.split(command))
        assert below == (done.stdout or f"codekin: {done.exception}\n")


def test_its_pictures_are_what_codekin_draws(cli, monkeypatch) -> None:
    monkeypatch.chdir(DOCS / "examples" / "graphs")
    for name, options in (("data", ["--granularity", "statement"]), ("control", []), ("call", [])):
        done = cli("graph", f"{name}_flow.py", "--format", "svg", *options)
        assert done.stdout == (DOCS / "images" / f"graph-{name}-flow.svg").read_text("utf-8")
