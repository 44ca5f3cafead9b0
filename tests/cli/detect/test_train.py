"""The commands that train and use detectors."""

from __future__ import annotations

import torch
from tests.detectors.tasks import names_task

torch.set_num_threads(1)
WORD = "linear:epochs=1"


def test_a_detector_is_trained_and_used(cli, tmp_path) -> None:
    names_task().save(tmp_path / "corpus")
    model = tmp_path / "model"
    done = cli("detect", "train", tmp_path / "corpus", "--model", WORD, "-o", model)
    assert done.exit_code == 0, done.output
    assert "Written:" in done.stdout
    again = cli("detect", "train", tmp_path / "corpus", "--model", WORD, "-o", model)
    assert "nothing is overwritten" in str(again.exception)
    rows = tmp_path / "rows.csv"
    rows.write_text("id1,id2\nnames0,names4\n")
    scores = tmp_path / "scores.csv"
    words = ("detect", "predict", rows, "--model", model, "--corpus", tmp_path / "corpus")
    done = cli(*words, "-o", scores)
    assert done.exit_code == 0, done.output
    assert scores.read_text().splitlines()[0].startswith("id1,id2,score,clone")
    done = cli("detect", "predict", rows)
    assert "name their corpus with --corpus" in str(done.exception)
    done = cli("detect", "predict", rows, "--model", tmp_path, "--corpus", tmp_path / "corpus")
    assert "is not a detector that codekin trained" in str(done.exception)
