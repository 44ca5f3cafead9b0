from __future__ import annotations

import pytest

from codekin import Source
from codekin.report.demo import demo_runs, read_demo, read_demo_edits
from codekin.report.run_scores import gather
from codekin.report.summary import summarise

KINDS = [
    "same",
    "moved",
    "rewritten",
    "too much",
    "half",
    "wrong value",
    "elsewhere",
    "nothing",
]
MEASURES_OF_EDITS = ["sari", "diffbleu", "sanslcs", "es-line", "es-token", "es"]


@pytest.fixture(scope="module")
def runs():
    with demo_runs() as both:
        yield both
        folders = [run.path for run in both]
    assert not any(folder.exists() for folder in folders)


def test_the_demo_scores_every_pair_and_every_edit(runs) -> None:
    predictions, edits = runs
    assert (predictions.rows, predictions.failed) == (55, 0)
    assert (edits.rows, edits.failed) == (40, 0)
    for run, rows in ((predictions, read_demo()), (edits, read_demo_edits())):
        assert run.table(["id"]).column("id").to_pylist() == [row["id"] for row in rows]
    plain = [one.label for one in predictions.measures]
    every = [one.label for one in edits.measures]
    assert [one for one in every if one not in plain] == MEASURES_OF_EDITS
    assert [one for one in every if one in plain] == plain


def test_every_language_has_every_kind_of_edit_of_one_origin() -> None:
    rows = read_demo_edits()
    languages = list(dict.fromkeys(row["language"] for row in rows))
    assert languages == ["python", "java", "cpp", "javascript", "go"]
    for language in languages:
        own = [row for row in rows if row["language"] == language]
        assert [row["group"] for row in own] == KINDS
        assert len({(row["origin"], row["reference"]) for row in own}) == 1
        assert 15 <= len(own[0]["origin"].splitlines()) <= 40
        texts = [own[0]["reference"], *(row["candidate"] for row in own)]
        assert len(set(texts)) == len(texts)
        assert [row["group"] for row in own if row["candidate"] == row["origin"]] == ["nothing"]
        assert all(not Source(text, language).problems for text in texts)


def test_the_measure_of_edits_orders_the_kinds_where_texts_do_not(runs) -> None:
    cells = summarise(gather(runs[1]), intervals=False).cells

    def mean(kind: str, label: str) -> float:
        value = cells[kind, label].mean
        assert value is not None
        return value.value

    assert mean("same", "es") == pytest.approx(1)
    assert mean("nothing", "es") == 0
    fixing, failing = ("moved", "too much"), ("half", "wrong value")
    assert min(mean(kind, "es") for kind in fixing) > max(mean(kind, "es") for kind in failing)
    assert min(mean(kind, "es") for kind in failing) > mean("elsewhere", "es") + 0.3
    assert mean("nothing", "nes") > mean("same", "nes")
