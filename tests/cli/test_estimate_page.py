"""What docs/estimate.md shows is what its commands print of its example."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from codekin import score

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "estimate.md").read_text("utf-8")
SHOWN = re.findall(r"```console\n\$ codekin ((?:estimate|plan)[^\n]*)\n(.*?)```", PAGE, re.S)


def test_the_page_shows_what_its_commands_print(command, tmp_path) -> None:
    score(DOCS / "examples" / "fixes.jsonl", "es", output=tmp_path / "fixes", workers=0)
    assert len(SHOWN) == 3
    for words, shown in SHOWN:
        done = command(*shlex.split(words))
        assert done.returncode == 0, done.stderr
        assert [line.rstrip() for line in done.stdout.splitlines()] == shown.splitlines()


def test_the_example_and_its_true_rates_are_what_the_script_makes(tmp_path) -> None:
    shutil.copy(DOCS / "examples" / "make_fixes.py", tmp_path)
    made = subprocess.run(
        [sys.executable, tmp_path / "make_fixes.py"], capture_output=True, text=True, check=True
    )
    assert made.stdout == (DOCS / "examples" / "fixes.jsonl").read_text("utf-8")
    rates = ["all rows: 0.583", "small: 0.460", "medium: 0.550", "large: 0.740"]
    assert made.stderr.splitlines() == rates
    assert "58.3 % of all rows pass, 46 % of the small model's, 55 % and 74 %" in PAGE
