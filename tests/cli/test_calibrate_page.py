"""What docs/calibrate.md shows is what its commands print of its example."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "calibrate.md").read_text("utf-8")
SHOWN = re.findall(r"```console\n\$ codekin ([^\n]*)\n(.*?)```", PAGE, re.S)
PYTHON = re.findall(r"```pycon\n(.*?)```", PAGE, re.S)


def test_the_page_shows_what_its_commands_print(command, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DOCS / "examples" / "fixes.jsonl", tmp_path)
    (calibrate, tables), (score, _) = SHOWN
    done = command(*shlex.split(calibrate))
    assert done.returncode == 0, done.stderr
    printed = [line.rstrip() for line in done.stdout.splitlines() if not line.startswith("Written")]
    assert printed == tables.splitlines()
    done = command(*shlex.split(score), "-w", 1)
    assert done.returncode == 0, done.stderr
    [expected] = [line for line in done.stdout.splitlines() if line.startswith("expected rate")]
    assert f"```\n{expected}\n```" in PAGE
    names: dict = {}
    for text in PYTHON:
        lines = text.splitlines()
        code = "\n".join(line[4:] for line in lines if line[:4] in (">>> ", "... "))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code, names)
        shown = [line for line in lines if line[:4] not in (">>> ", "... ")]
        assert output.getvalue().splitlines() == shown
