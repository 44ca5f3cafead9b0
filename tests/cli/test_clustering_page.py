"""What docs/clustering.md shows is what its commands print of its example."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "clustering.md").read_text("utf-8")
SHOWN = re.findall(r"```console\n\$ codekin (cluster basket[^\n]*)\n(.*?)```", PAGE, re.S)


def test_the_page_shows_what_its_commands_print(cli, tmp_path, monkeypatch) -> None:
    shutil.copy(DOCS / "examples" / "basket.py", tmp_path)
    shutil.copytree(DOCS / "examples" / "patches", tmp_path / "patches")
    monkeypatch.chdir(tmp_path)
    assert len(SHOWN) == 2
    for command, below in SHOWN:
        done = cli(*shlex.split(command))
        assert done.exit_code == 0, done.output
        printed = [line.rstrip() for line in done.stdout.splitlines()]
        shown = below.splitlines()
        assert printed[: len(shown)] == shown
        assert len(shown) >= 9
    assert len(printed) > len(shown)  # the second is shown in part, the first whole
    assert "](examples/basket.py)" in PAGE
