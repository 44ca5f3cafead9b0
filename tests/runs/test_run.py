from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from codekin import CodekinError, Run, measure, score, summarize
from codekin.runs.seals import seal_manifest


@pytest.fixture
def run(rows, tmp_path) -> Run:
    given = rows(25, weight=2)
    given[4] |= {"candidate": 3, "weight": None}
    given[5] |= {"group": None, "extra": True}
    score(given, ["bleu", "nes"], output=tmp_path / "run", workers=0, shard_rows=10)
    return Run(tmp_path / "run")


def test_counts(run) -> None:
    assert (len(run), run.rows, run.failed, run.complete) == (25, 25, 1, True)
    assert [len(shard) for shard in run.shards()] == [10, 10, 5]
    assert run.name == "run"
    parse = "100 % of the candidates and 100 % of the references parse"
    assert repr(run) == f"<Run run 25 rows, 1 failed, {parse}: bleu, nes>"


def test_arrays(run) -> None:
    assert np.isnan(run.values("nes")).nonzero()[0].tolist() == [4]
    statistics = run.statistics("bleu")
    assert statistics.shape == (25, 10)
    assert np.isnan(statistics).all(axis=1).nonzero()[0].tolist() == [4]
    assert run.weights().tolist() == [2.0] * 4 + [1.0] + [2.0] * 20


def test_measures_are_made_from_their_labels(run) -> None:
    assert [one.measure for one in run.measures] == [measure("bleu"), measure("nes")]
    assert [(one.label, one.corpus, one.distance) for one in run.measures] == [
        ("bleu", True, False),
        ("nes", False, False),
    ]


def test_fields(run) -> None:
    assert run.labels_of("id")[:2] == ["row 0", "row 1"]
    assert run.labels_of("group")[3:6] == ["model 0", "model 1", None]
    assert run.labels_of("task")[0].startswith("t")
    assert run.labels_of("extra")[4:7] == [None, "True", None]
    assert set(run.labels_of("language")) == {"python"}
    by_reference: dict[str | None, set[str | None]] = {}
    for key, task in zip(run.labels_of("reference"), run.labels_of("task"), strict=True):
        by_reference.setdefault(key, set()).add(task)
    assert all(len(tasks) == 1 for key, tasks in by_reference.items() if key is not None)


def test_frames_have_the_other_fields(rows) -> None:
    given = rows(3, nes="a name that is taken", n=1)
    given[1]["n"] = "two"
    frame = score(given, ["nes"], workers=0).to_pandas()
    assert frame["task"].tolist() == [row["task"] for row in given]
    assert frame["n"].tolist() == ["1", "two", "1"]
    assert set(frame["fields.nes"]) == {"a name that is taken"}
    assert list(frame.columns)[-1] == "nes"


def test_every_view_of_a_run_has_what_parses(rows) -> None:
    given = rows(4, form="a name that is taken")
    given[1]["candidate"] = "def f(:"
    given[2]["candidate"] = None
    run = score(given, ["nes"], workers=0, language="python")
    frame = run.to_polars()
    assert frame["form"].to_list() == [None, None, "missing", None]
    assert frame["parses"].to_list() == [True, False, None, True]
    assert frame["reference_parses"].to_list() == [True] * 4
    assert set(frame["fields.form"]) == {"a name that is taken"}
    assert list(run.to_pandas().columns) == frame.columns
    parse = "66.7 % of the candidates that are there and 100 % of the references parse"
    [note] = [one for one in summarize(run, resamples=20).notes() if "parse" in one]
    assert note == parse
    assert f"0 failed, {parse}: nes>" in repr(run)
    assert f"4 rows, {parse}</caption>" in run._repr_html_()
    unknown = score([{"candidate": "1 2", "reference": "1 2"}], ["nes"], workers=0)
    assert "parse" not in repr(unknown) + unknown._repr_html_()


def test_what_is_not_there_is_said(run) -> None:
    with pytest.raises(CodekinError, match=r"'tsk'; did you mean 'task'\? .*extra, task"):
        run.labels_of("tsk")
    with pytest.raises(CodekinError, match=r"was not scored by 'tsed' \(it has: bleu, nes\)"):
        run.values("tsed")
    with pytest.raises(CodekinError, match=r"nes.*no statistics"):
        run.statistics("nes")


def test_a_broken_shard_is_named(run) -> None:
    (run.path / "shards" / "000001.parquet").write_bytes(b"PAR1")
    with pytest.raises(
        CodekinError, match=r"000001\.parquet: is damaged .*; delete it and resume the run"
    ):
        Run(run.path).table()


def test_a_run_of_another_format_is_refused(rows, tmp_path) -> None:
    run = score(rows(2), ["nes"], output=tmp_path / "run", workers=0)
    (run.path / "manifest.json").write_text(json.dumps(seal_manifest(run.manifest | {"format": 2})))
    with pytest.raises(CodekinError, match="is a run of format 2, and this codekin reads format 4"):
        Run(run.path)


def test_html_says_why_rows_failed(rows) -> None:
    good = rows(2)
    assert "no score" not in score(good, "nes", workers=0)._repr_html_()
    bad = [{"id": f"<i>{i}", "candidate": 3, "reference": "x"} for i in range(3)]
    bad += [{**good[0], "id": f"l{i}", "language": f"<b>{i}"} for i in range(4)]
    shown = score([*good, *bad], "nes", workers=0)._repr_html_()
    assert "<p>7 of 9 rows have no score by some measure:</p>" in shown
    first, *_, last = re.findall("<li>(.*?)</li>", shown)
    assert first.startswith("candidate must be a text, not a number (3 times, first row &lt;i&gt;0")
    assert last == "and 2 other reasons, all in the run"
    assert "<b>" not in shown and "<i>" not in shown


def test_html_shows_means_and_escapes(rows, tmp_path) -> None:
    run = score(rows(3), "nes", output=tmp_path / "<b>", workers=0)
    shown = run._repr_html_()
    assert "<b>" not in shown
    assert f"{run.values('nes').mean():.4f}" in shown
    bad = [{"id": one, "candidate": one, "reference": "x"} for one in (3, True)]
    nothing = score(bad, "nes", workers=0)
    assert "–" in nothing._repr_html_()
    assert math.isnan(nothing.values("nes")[0])
