"""The command detect evaluate: from files of the field to every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from tests.detectors.tasks import names_task

from codekin.detectors.linear import Linear

torch.set_num_threads(1)

ADD = "int add{}(int a, int b) {{ return a + b; }}"


@pytest.fixture
def codexglue(tmp_path) -> Path:
    """CodeXGLUE's files, and predictions in its form."""
    folder = tmp_path / "cxg"
    folder.mkdir()
    lines = (json.dumps({"idx": str(i), "func": ADD.format(i)}) for i in range(12))
    (folder / "data.jsonl").write_text("".join(f"{line}\n" for line in lines))
    for number, name in enumerate(("train", "valid", "test")):
        rows = [(4 * number, 4 * number + k, k % 2) for k in (1, 2, 3)]
        text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        (folder / f"{name}.txt").write_text(text)
    (tmp_path / "predictions.txt").write_text("8\t9\t1\n8\t10\t1\n8\t11\t0\n")
    return folder


def test_predictions_are_judged_in_every_format(cli, codexglue, tmp_path) -> None:
    words = ("detect", "evaluate", tmp_path / "predictions.txt", codexglue)
    done = cli(*words, width=200)
    assert done.exit_code == 0, done.output
    assert "language java, as BigCloneBench is" in done.stderr
    assert "predictions.txt on cxg" in done.stdout and "all test pairs" in done.stdout
    found = json.loads(cli(*words, "--format", "json").stdout)
    assert (found["all"]["precision"], found["all"]["recall"]) == (0.5, 0.5)
    assert found["threshold_from"] == "as predicted"
    page = tmp_path / "page.html"
    assert cli(*words, "-o", page).exit_code == 0
    assert "Precision by recall" in page.read_text(encoding="utf-8")
    lines = [
        line for line in cli(*words, "--format", "latex").stdout.splitlines() if line[:1] != "%"
    ]
    assert all(line.isascii() for line in lines) and any("AUC" in line for line in lines)
    assert cli(*words, "--format", "csv").stdout.startswith("pairs of,pairs,rate,all_positive_f1")


def test_columns_of_predictions_are_not_those_of_the_corpus(cli, codexglue, tmp_path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("clone1,clone2,sure\n8,9,0.9\n8,10,0.8\n8,11,0.1\n")
    words = ("detect", "evaluate", scores, codexglue, "--threshold", 0.5, "--format", "json")
    done = cli(*words)
    assert "--columns id1=NAME,id2=NAME,score=NAME" in str(done.exception)
    done = cli(*words, "--columns", "id1=clone1,id2=clone2,score=sure")
    assert json.loads(done.stdout)["all"]["precision"] == 0.5, done.output
    done = cli(*words, "--columns", "id1=clone1,id2=clone2,score=sured")
    assert "has no column score in 3 rows" in str(done.exception)
    done = cli(*words[:2], "measure:measure=exact", codexglue, "--columns", "score=sure")
    assert "has a column 'sure'" in str(done.exception)


def test_a_trained_detector_is_judged_on_another_corpus(cli, codexglue, tmp_path) -> None:
    detector = Linear(epochs=1, width=4)
    detector.fit(names_task().keep(range(64)), workers=0)
    detector.save(tmp_path / "model")
    done = cli("detect", "evaluate", tmp_path / "model", codexglue, "-w", 1, width=200)
    assert done.exit_code == 0, done.output
    assert "that of the detector" in done.stdout
    done = cli("detect", "evaluate", tmp_path / "model", codexglue, "--threshold", 0.25, "-w", 1)
    assert "from 0.25 on (given)" in " ".join(done.stdout.split())


def test_a_report_and_a_table_of_pairs(cli, tmp_path) -> None:
    rows = [
        {"id": name, "code": ADD.format(name), "lang": "java", "file": f"{name}.java",
         "start_line": 1, "end_line": 10} for name in "abcd"
    ]  # fmt: skip
    (tmp_path / "functions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "typed.csv").write_text("first,second,kind\na,b,Type-1\nc,d,MT3\n")
    (tmp_path / "tool.csv").write_text("x,a.java,3,10,x,b.java,1,10\nx,c.java,5,10,x,d.java,1,9\n")
    words = ("detect", "evaluate", tmp_path / "tool.csv", tmp_path / "functions.jsonl")
    words = (*words, "--pairs", tmp_path / "typed.csv")
    words = (*words, "--columns", "id1=first,id2=second,type=kind")
    done = cli(*words, width=200)
    assert done.exit_code == 0, done.output
    assert "lang is read as language" in done.stderr
    assert "no pair has a label, so pairs with a type of clone count as clones" in done.stderr
    found = json.loads(cli(*words, "--format", "json").stdout)
    recalls = {part["name"]: part["recall"] for part in found["by_type"]}
    assert recalls == {"T1": 1, "MT3": 0}
    found = json.loads(cli(*words, "--cover", 0.6, "--format", "json").stdout)
    assert found["all"]["recall"] == 1


def test_training_says_first_which_pairs_it_uses(cli, tmp_path) -> None:
    corpus = names_task()
    assert corpus.pairs is not None
    ids = [snippet.id for snippet in corpus.snippets]
    lines = ["code1,code2,label,split"]
    for row in corpus.pairs.records[:400:2] + corpus.pairs.records[-200:]:
        first, second = (corpus.snippets[row[end]].code for end in ("first", "second"))
        side = {"validation": "valid"}.get(row["side"], row["side"])
        lines.append(f'"{first}","{second}",{bool(row["label"])},{side}')
    assert len(set(ids)) == len(ids)
    (tmp_path / "pairs.csv").write_text("\n".join(lines) + "\n")
    words = ("detect", "train", tmp_path / "pairs.csv", "--model", "linear:epochs=1,width=4")
    done = cli(*words, "-l", "java", "-o", tmp_path / "model", "-w", 1, width=200)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0].startswith("400 labelled pairs given, ")
    assert "split is read as side" in done.stderr
