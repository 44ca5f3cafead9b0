from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.reading import Report

from codekin import measure, score
from codekin.report.page_data import rounded
from codekin.report.run_page import write_report


@given(st.floats(-1e12, 1e12).filter(lambda x: x == 0 or abs(x) > 1e-9))
def test_rounding_keeps_five_digits(value) -> None:
    (shown,) = rounded(np.array([value])).tolist()
    assert shown == pytest.approx(value, rel=1e-4, abs=1e-15)
    assert len(repr(abs(shown)).replace(".", "").strip("0").split("e")[0]) <= max(
        5, len(str(int(abs(value)))) + 1
    )


def test_whole_numbers_stay_as_they_are() -> None:
    given_ = np.array([0.0, 3.0, 1234567.0, -2.0])
    assert rounded(given_).tolist() == given_.tolist()


def test_rows_come_back_with_texts_fields_parts_and_bounds(tmp_path) -> None:
    rows = [
        {"id": "a", "language": "python", "candidate": "x = 1", "reference": "x = 2", "note": "n"},
        {
            "id": "b",
            "language": "python",
            "candidate": "y",
            "references": ["x = 2", "y = 1"],
            "origin": "z",
            "seed": 4,
        },
        {"id": "c", "language": "python", "candidate": 3, "reference": "x = 2"},
    ]
    run = score(rows, ["nes", "bleu"], output=tmp_path / "run", workers=0)
    report = Report(write_report(run, tmp_path / "r.html"))
    first, second, third = report.rows
    assert (first["candidate"], first["references"], first["origin"]) == ("x = 1", ["x = 2"], None)
    assert first["fields"] == {"note": "n"}
    table = run.table(["nes.parts", "bleu.parts"]).to_pylist()
    assert first["parts"]["nes"] == pytest.approx(dict(table[0]["nes.parts"]), rel=1e-4)
    assert first["parts"]["bleu"] == pytest.approx(dict(table[0]["bleu.parts"]), rel=1e-4)
    assert (second["references"], second["origin"]) == (["x = 2", "y = 1"], "z")
    assert second["fields"] == {"seed": 4}
    assert third["candidate"] is None
    assert "candidate must be a text" in third["told"]["problem"]
    assert third["parts"] == {}


def test_values_that_are_not_exact_keep_their_bounds(tmp_path) -> None:
    texts = [f"def f(x):\n    return x + {i} * g(x, {i})\n" * 3 for i in (1, 2)]
    row = {"language": "python", "candidate": texts[0], "reference": texts[1][::-1]}
    run = score([row], measure("tsed", steps=1), output=tmp_path / "run", workers=0)
    (label,) = [one.label for one in run.measures]
    lower = run.table([f"{label}.lower"]).column(0)[0].as_py()
    assert lower is not None
    (shown,) = Report(write_report(run, tmp_path / "r.html")).rows
    assert shown["told"]["bounds"][label][0] == lower


def test_what_rows_share_is_written_once(tmp_path) -> None:
    rows = [
        {"language": "python", "candidate": f"x{i}", "reference": "a long reference", "group": g}
        for i in range(3)
        for g in "ab"
    ]
    run = score(rows, "nes", output=tmp_path / "run", workers=0)
    report = Report(write_report([run, run], tmp_path / "r.html"))
    assert report.json("tasks-0") == [[["a long reference"], None]]
    assert [one["references"] for one in report.rows] == [["a long reference"]] * 12


def test_texts_are_found_in_whichever_run_keeps_them(tmp_path) -> None:
    rows = [{"language": "python", "candidate": f"{i}", "reference": f"r{i % 3}"} for i in range(5)]
    bare = score(rows, "nes", output=tmp_path / "bare", workers=0, texts=False)
    full = score(rows[::-1], "nes", output=tmp_path / "full", workers=0)
    for runs in ([bare, full], [full, bare]):
        shown = Report(write_report(runs, tmp_path / "r.html")).rows
        references = [one["references"][0] for one in shown]
        asked = {"bare": rows, "full": rows[::-1]}
        assert references == [row["reference"] for run in runs for row in asked[run.name]]


def test_shards_and_pages_need_not_agree(tmp_path) -> None:
    rows = [
        {"id": str(i), "language": "python", "candidate": f"{i} " * (i * 300), "reference": str(i)}
        for i in range(40)
    ]
    run = score(rows, "exact", output=tmp_path / "run", workers=0, shard_rows=7)
    report = Report(write_report(run, tmp_path / "r.html"))
    assert len(report.about["pages"]["rows"]) > 2
    shown = report.rows
    assert [one["candidate"] for one in shown] == [row["candidate"] for row in rows]
    assert [one["references"] for one in shown] == [[row["reference"]] for row in rows]


def test_a_run_without_texts_has_none(tmp_path) -> None:
    row = {"language": "python", "candidate": "secret", "reference": "hidden"}
    run = score([row], "nes", output=tmp_path / "run", workers=0, texts=False)
    report = Report(write_report(run, tmp_path / "r.html"))
    (shown,) = report.rows
    assert (shown["candidate"], shown["references"]) == (None, None)
    assert report.explanations == {}
    assert report.about["runs"][0]["texts"] is False
