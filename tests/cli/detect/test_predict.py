"""Pairs scored by a saved detector: its settings that are not kept with it."""

from __future__ import annotations

import pytest
import torch
from tests.detectors.tasks import names_task

from codekin.detectors.linear import Linear

torch.set_num_threads(1)


@pytest.fixture
def rows(tmp_path):
    found = tmp_path / "rows.csv"
    found.write_text("id,language,candidate,reference\na,java,f();,g();\n")
    return found


def test_settings_that_cannot_be_read(cli, rows, tmp_path) -> None:
    corpus = names_task().keep(range(64))
    one = Linear(epochs=1, width=4)
    one.fit(corpus, workers=0)
    one.save(tmp_path / "model")
    words = ("detect", "predict", rows, "--model", tmp_path / "model")
    for given, message in (
        (["device"], "--set: cannot read 'device'; write NAME=VALUE"),
        (["=x"], "--set: cannot read '=x'"),
        (["device=cpu", "device=cpu"], "--set: device is given twice"),
        (["device=zork"], "unknown device 'zork'"),
        (["width=8"], "linear: width was fixed by training (can be given to a saved detector: "),
    ):
        done = cli(*words, *(part for one in given for part in ("--set", one)))
        assert message in str(done.exception), given
    assert cli(*words, "--set", "device=cpu").exit_code == 0
    folder = tmp_path / "code"
    folder.mkdir()
    for name in "AB":
        (folder / f"{name}.java").write_text(corpus.snippets[0].code.replace("{", "{\n\n\n"))
    search = ("detect", "search", folder, "--model", tmp_path / "model")
    assert "unknown device 'zork'" in str(cli(*search, "--set", "device=zork").exception)
    assert cli(*search, "--set", "device=cpu").exit_code == 0
