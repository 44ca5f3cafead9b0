"""What all commands print: the bar of those that take a while."""

from __future__ import annotations

import io
import os
import pty
import re
import sys
import time

import pytest

from codekin.cli.output import progress


def test_a_progress_bar_says_how_long_the_rest_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    parent, child = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with os.fdopen(child, "w") as screen:
        monkeypatch.setattr(sys, "stderr", screen)
        with progress("Writing the report") as draw:
            draw(1, 4)
            time.sleep(0.4)
            draw(2, 4)
            time.sleep(0.2)
        seen = os.read(parent, 65536)
    os.close(parent)
    assert b"Writing the report" in seen
    assert b" 50%" in seen
    [*_, left] = re.findall(rb"(\d+):(\d\d):(\d\d)", seen)
    assert 0 < int(left[1]) * 60 + int(left[2]) < 600


def test_a_file_has_no_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("Writing the report") as draw:
        draw(1, 2)
    assert sys.stderr.getvalue() == ""
