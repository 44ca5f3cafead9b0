"""No page says where on a computer the files were that it is made of."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.tested_edits import edits
from typer.testing import CliRunner

from codekin import (
    apply_calibration,
    calibrate,
    evaluate_card,
    evaluate_outcomes,
    evaluate_triplets,
    score,
)
from codekin.cli.app import app
from codekin.report.page_names import page_name, page_names

_PIECE = re.compile(r'<script type="text/plain"[^>]*>([^<]*)</script>')
_FUNCTION = (
    "def f{}(values, limit):\n    total = {}\n    for value in values:\n"
    "        if value > limit:\n            total += value\n    return total\n"
)


def test_paths_as_given_stay(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert page_names(["a.py", "../b.py", "<stdin>", ""]) == ["a.py", "../b.py", "<stdin>", ""]


def test_absolute_paths_are_relative_to_the_working_directory_or_to_each_other(
    monkeypatch, tmp_path
):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    inside, other = tmp_path / "here" / "x" / "a.py", tmp_path / "there" / "a.py"
    assert page_names([str(inside), str(other)]) == ["x/a.py", "a.py"]
    far = tmp_path / "there" / "deep" / "b.py"
    assert page_names([str(other), str(far)]) == ["a.py", "deep/b.py"]
    assert page_name(str(tmp_path / "here")) == "here"


def test_at_the_root_of_the_file_system(monkeypatch, tmp_path):
    monkeypatch.chdir("/")
    assert page_name(str(tmp_path / "a.py")) == "a.py"


@given(st.lists(st.text("ab./<", max_size=6).map(lambda text: f"/{text}x"), unique=True))
def test_different_files_have_different_names(names):
    shown = page_names(names)
    assert not any(name.startswith("/") for name in shown)
    assert len(set(shown)) == len({os.path.normpath("/" + name.lstrip("/")) for name in names})


TESTED = edits(60, tasks=15)


def _whole(page: Path) -> str:
    """A page with its packed pieces unpacked."""
    text = page.read_text("utf-8")
    packed = (zlib.decompress(base64.b64decode(one), -15) for one in _PIECE.findall(text))
    return "\n".join([text, *(one.decode("utf-8", "replace") for one in packed)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("secret-place")
    for name, value in (("o", 1), ("r", 2), ("c", 3)):
        (made / f"{name}.py").write_text(_FUNCTION.format(1, value))
    for student in ("ann", "bob", "eve"):
        (made / "class" / student).mkdir(parents=True)
        (made / "class" / student / "main.py").write_text(_FUNCTION.format(1, 2) * 2)
    (made / "code" / "sub").mkdir(parents=True)
    for i in range(3):
        (made / "code" / "sub" / f"a{i}.py").write_text(_FUNCTION.format(1, 2) * 2)
    (made / "code" / "sub" / "bad.py").write_bytes(b"a\0b")
    rows = [
        {
            "id": f"r{i}",
            "language": "python",
            "candidate": _FUNCTION.format(1, i % 7),
            "reference": _FUNCTION.format(i, 1),
            "origin": _FUNCTION.format(1, 0),
            "outcome": i % 2,
        }
        for i in range(12)
    ]
    rows[-1]["candidate"] = 7
    (made / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    snippets = [
        {
            "id": f"s{i}",
            "language": "python",
            "code": _FUNCTION.format(i, i % 3),
            "file": f"{made}/{i}.py",
        }
        | {"functionality": str(i % 4), "file": f"{made}/{i}.py"}
        for i in range(12)
    ]
    (made / "snippets.jsonl").write_text("".join(json.dumps(one) + "\n" for one in snippets))
    pairs = [{"id1": f"s{i}", "id2": f"s{i + 1}", "label": i % 2} for i in range(10)]
    (made / "pairs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pairs))
    _make_runs(made)
    return made


def _make_runs(made: Path) -> None:
    """Runs of every kind, each from a file that is named by its absolute path."""
    score(str(made / "rows.jsonl"), "bleu", output=made / "run", workers=0)
    some = [{**row, "outcome": row["outcome"] if i < 50 else None} for i, row in enumerate(TESTED)]
    (made / "tested.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
    tested = score(str(made / "tested.jsonl"), "nes", output=made / "tested", workers=0)
    shutil.copytree(made / "tested", made / "calibrated")
    calibration = calibrate(tested, task="task", name="mine")
    apply_calibration(made / "calibrated", calibration, keep=True, resamples=20)
    evaluate_outcomes(
        str(made / "tested.jsonl"), "nes", output=made / "outcomes", workers=0, resamples=20
    )
    for name, evaluate, fields in (
        ("triplets", evaluate_triplets, ("anchor", "positive", "negative")),
        ("card", evaluate_card, ("code",)),
    ):
        rows = [
            {"id": f"x{i}", "language": "python"}
            | {field: _FUNCTION.format(i, i % 5 + place) for place, field in enumerate(fields)}
            for i in range(4)
        ]
        rows[-1].pop(fields[-1])  # a reason, with the place of the row
        file = made / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        evaluate(str(file), "exact", output=made / name, workers=0, resamples=20)


Words = Callable[[Path], list[str | Path]]
COMMANDS: dict[str, Words] = {
    "graph": lambda at: ["graph", at / "o.py"],
    "align": lambda at: ["align", at / "c.py", at / "r.py", "--origin", at / "o.py"],
    "pair": lambda at: ["compare", at / "c.py", at / "r.py", "-m", "cssg"],
    "abstract": lambda at: ["abstract", at / "o.py"],
    "matrix": lambda at: ["matrix", at / "code" / "sub"],
    "cluster": lambda at: ["cluster", at / "o.py", at / "c.py", at / "r.py"],
    "scan": lambda at: ["scan", at / "code", "--min-lines", "3"],
    "submissions": lambda at: ["scan", "--submissions", at / "class"],
    "audit": lambda at: ["audit", at / "snippets.jsonl"],
    "summarize": lambda at: ["summarize", at / "run"],
    "report": lambda at: ["report", at / "run"],
    "control flow": lambda at: ["graph", at / "o.py", "--stage", "cfg"],
    "compare-runs": lambda at: ["compare-runs", at / "tested"],
    "calibrate": lambda at: ["calibrate", at / "tested", "--task", "task"],
    "estimate": lambda at: ["estimate", at / "tested", "--format", "html"],
    "plan": lambda at: ["plan", at / "tested", "--format", "html"],
    "judged by outcomes": lambda at: ["evaluate", "outcomes", at / "outcomes", "--format", "html"],
    **{
        f"report of {name}": lambda at, name=name: ["report", at / name]
        for name in ("calibrated", "outcomes", "triplets", "card")
    },
    "balance": lambda at: ["corpus", "balance", at / "snippets.jsonl"],
}


@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize("inside", [True, False])
def test_no_page_has_an_absolute_path(kind, inside, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder if inside else tmp_path)
    page = tmp_path / "page.html"
    words = list(map(str, COMMANDS[kind](folder)))
    printed = "--format" in words  # where -o is the folder of a run
    done = CliRunner().invoke(app, [*words, *([] if printed else ["-o", str(page)])])
    if printed:
        assert done.stdout.startswith("<!doctype html>"), (done.output, done.exception)
        page.write_text(done.stdout, "utf-8")
    assert page.exists(), (done.output, done.exception)
    assert str(folder.parent) not in _whole(page)
