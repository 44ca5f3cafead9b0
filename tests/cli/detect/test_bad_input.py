"""What people get wrong, as commands: each error says what, where and what to do."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.detectors.tasks import names_task
from tests.detectors.tiny_grids import themed, write_grid

from codekin import Corpus
from codekin.detectors.linear import Linear

torch.set_num_threads(1)
WORD = "linear:epochs=1,width=4"
ROW = "id,language,candidate,reference\na,{},f();,g();\n"


def corpus() -> Corpus:
    return names_task().keep(range(64))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model"
    one = Linear(epochs=1, width=4)
    one.fit(corpus(), workers=0)
    one.save(path)
    return path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything happens in a folder, in which no part of a detector may be left."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not list(tmp_path.rglob("codekin-*.tmp"))


def without(side: str, label: int | None) -> Corpus:
    """A corpus whose side has no pairs with a label, or none at all."""
    found = corpus()
    pairs = found.pairs
    assert pairs is not None and pairs.side is not None
    left_out = pairs.side[0] == pairs.side[1].index(side)
    if label is not None:
        left_out &= pairs.label == label
    return replace(found, pairs=pairs.take(~left_out))


ONE_CLASS = "pairs, all of them {}; a detector needs both: draw others"
NONE = "has no labelled pairs; draw others with codekin corpus pairs, or split in another"


@pytest.mark.parametrize(
    ("side", "label", "message"),
    [
        *((side, 0, ONE_CLASS.format("clones")) for side in ("train", "validation")),
        *(
            (side, 1, ONE_CLASS.format("pairs that are not clones"))
            for side in ("train", "validation")
        ),
        ("train", None, NONE),
    ],
)
def test_a_side_of_one_class_or_none(cli, side: str, label: int | None, message: str) -> None:
    without(side, label).save("corpus")
    done = cli("detect", "train", "corpus", "--model", WORD, "-o", "model")
    assert f"names: the side {side} has" in str(done.exception)
    assert message in str(done.exception)
    assert not Path("model").exists()


def test_without_validation_training_pairs_choose_the_threshold(cli) -> None:
    without("validation", None).save("corpus")
    done = cli("detect", "train", "corpus", "--model", WORD, "-o", "model")
    assert done.exit_code == 0
    assert "no pairs of the side validation" in done.stdout


def test_a_test_side_of_one_class_or_none(cli) -> None:
    without("test", None).save("none")
    done = cli("detect", "train", "none", "--model", WORD, "-o", "model")
    assert "the side test has no labelled pairs; draw some" in str(done.exception)
    without("test", 0).save("clones")
    done = cli("detect", "train", "clones", "--model", WORD, "-o", "model")
    assert done.exit_code == 0
    assert "all test pairs are clones, so that most numbers say nothing" in done.stderr


@pytest.mark.parametrize(
    ("rows", "words", "message"),
    [
        (themed(24, themes=1), [], ", view random: side train has no pairs other than"),
        ([{"id": "a", "code": "f();"}], [], "language"),
        (themed(24), ["--view", "crossproject"], "unknown view 'crossproject'; did you mean"),
        (themed(24), ["--view", "cross-project"], ": no two snippets have a project or a"),
        (themed(24), ["--level", "9"], "unknown level '9' (known: 0, 1, 2, 3, abs, over)"),
        (themed(24), ["--model", "linaer"], "unknown detector 'linaer'; did you mean 'linear'?"),
        (themed(24), ["--model", "linear:epoch=3"], "unknown setting 'epoch'; did you mean"),
        (themed(24), ["--model", "linear:epochs=x"], "epochs must be a whole number, not 'x'"),
        (themed(24), ["--model", "linear:epochs"], "parameters are written linear:name=value"),
    ],
)
def test_words_that_training_cannot_use(cli, rows, words: list[str], message: str) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    Path("snippets.jsonl").write_text(text, encoding="utf-8")
    given = words if "--model" in words else [*words, "--model", WORD]
    done = cli("detect", "train", "snippets.jsonl", *given, "-o", "model")
    assert message in str(done.exception)
    assert not Path("model").exists()


def test_a_trained_detector_is_not_one_to_train(cli, trained: Path) -> None:
    corpus().save("corpus")
    done = cli("detect", "train", "corpus", "--model", trained, "-o", "model")
    assert "is a trained detector, and not one to train" in str(done.exception)


def test_commands_without_their_words(cli) -> None:
    for words, message in (
        (("train",), "Missing argument 'CORPUS'"),
        (("train", "corpus"), "Missing option '--output' / '-o'"),
        (("trian",), "No such command 'trian'"),
    ):
        done = cli("detect", *words)
        assert message in done.output + str(done.exception)
    assert "Train a detector on a corpus" in cli("detect").output
    for words, message in (
        (("train", "nothere", "-o", "x"), "nothere: no such file or folder"),
        (("predict",), "no pairs to score: name a file of rows"),
        (("benchmark", "nothere.toml"), "nothere.toml: no such file"),
        (("properties", "."), "is not the folder of a benchmark"),
    ):
        assert message in str(cli("detect", *words).exception)


def test_folders_that_are_not_detectors(cli, trained: Path) -> None:
    shutil.copytree(trained, "model")
    Path("model", "weights.npz").unlink()
    Path("rows.csv").write_text(ROW.format("java"))
    Path("A.java").write_text("class A {\n" + corpus().snippets[0].code + "\n}\n")
    for words in (("predict", "rows.csv"), ("search", "A.java")):
        done = cli("detect", *words, "--model", "model", "-o", "scores.csv")
        assert "weights.npz: no such file; copy the whole folder again" in str(done.exception)
    assert not Path("scores.csv").exists()


def test_a_file_or_the_name_of_a_detector_is_not_a_trained_one(cli) -> None:
    Path("rows.csv").write_text(ROW.format("java"))
    done = cli("detect", "predict", "rows.csv", "--model", "rows.csv")
    assert "rows.csv: is a file, and not a detector that codekin trained" in str(done.exception)
    done = cli("detect", "predict", "rows.csv", "--model", "tbccd")
    assert "tbccd must be trained first, with codekin detect train CORPUS --model tbccd" in str(
        done.exception
    )


def test_rows_that_cannot_be_scored(cli, trained: Path) -> None:
    Path("rows.csv").write_text(ROW.format("python"))
    done = cli("detect", "predict", "rows.csv", "--model", trained, "--format", "csv")
    assert done.exit_code == 1 and "not one pair could be scored" in done.stderr
    assert "trained on java, not on python; name another with --model" in done.stdout
    Path("other.csv").write_text("id,first,second\na,f();,g();\n")
    words = ("detect", "predict", "other.csv", "--model", trained, "-l", "java", "--format", "csv")
    assert str(cli(*words).exception) == (
        "other.csv, line 2: has no candidate and reference, nor id1 and id2, but id, first, "
        "second; name the fields with --columns"
    )
    assert cli(*words, "--columns", "candidate=first,reference=second").exit_code == 0
    assert "nothere.csv: no such file" in str(
        cli("detect", "predict", "nothere.csv", "--model", trained).exception
    )


def test_torch_that_is_missing_is_named(cli, trained: Path, monkeypatch) -> None:
    for module in ("linear", "tbccd", "neural", "epochs"):
        monkeypatch.delitem(sys.modules, f"codekin.detectors.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    corpus().save("corpus")
    Path("rows.csv").write_text(ROW.format("java"))
    for words in (
        ("train", "corpus", "--model", "tbccd", "-o", "model"),
        ("predict", "rows.csv", "--model", trained),
        ("search", "corpus", "--model", trained),
    ):
        said = str(cli("detect", *words).exception)
        assert "needs torch, which is not installed; pip install 'codekin[detectors]'" in said
    assert not Path("model").exists()


def test_a_gpu_that_is_full_in_a_step(cli, trained: Path, monkeypatch) -> None:
    def full(*_: object, **__: object) -> object:
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    step = torch.optim.Adam.step
    monkeypatch.setattr(torch.optim.Adam, "step", full)
    corpus().save("corpus")
    done = cli("detect", "train", "corpus", "--model", WORD, "-o", "model")
    message = "linear: the GPU has too little memory to train with batch=128; take a smaller batch"
    assert message in str(done.exception) and "linear:batch=32" in str(done.exception)
    assert not Path("model").exists()
    grid = write_grid(Path("grid"), themed(), detectors=[WORD])
    done = cli("detect", "benchmark", grid, "-o", "run")
    assert f"cell linear-epochs1-width4.tiny.random.level-0.0: {message}" in str(done.exception)
    assert not list(Path("run", "cells").iterdir())
    monkeypatch.setattr(torch.optim.Adam, "step", step)
    assert cli("detect", "benchmark", grid, "-o", "run").exit_code == 0
    monkeypatch.setattr("codekin.detectors.neural.score_all", full)
    Path("rows.csv").write_text(ROW.format("java"))
    done = cli("detect", "predict", "rows.csv", "--model", trained, "-o", "scores.csv")
    assert "--set device=cpu" in str(done.exception) and not Path("scores.csv").exists()
