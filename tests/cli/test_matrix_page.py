"""What docs/matrix.md shows is what its commands print of its example."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "matrix.md").read_text("utf-8")
SHOWN = re.findall(r"```console\n\$ codekin (matrix submissions[^\n]*)\n(.*?)```", PAGE, re.S)


def test_the_page_shows_what_its_commands_print(cli, tmp_path, monkeypatch) -> None:
    shutil.copytree(DOCS / "examples" / "submissions", tmp_path / "submissions")
    monkeypatch.chdir(tmp_path)
    assert len(SHOWN) == 2
    for command, below in SHOWN:
        done = cli(*shlex.split(command))
        assert done.exit_code == 0, done.output
        printed = [line.rstrip() for line in done.stdout.splitlines()]
        assert printed[-1].startswith("Written: ")
        assert printed[:-1] == below.splitlines()
    assert (DOCS / "images" / "matrix.png").stat().st_size > 10_000
