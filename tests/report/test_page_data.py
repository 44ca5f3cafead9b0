from __future__ import annotations

import pytest
from tests.report.reading import Report

from codekin import CodekinError, Run, measure, score
from codekin.report import write_report
from codekin.report.demo import read_demo


@pytest.fixture(scope="module")
def demo(demo_run, tmp_path_factory) -> Report:
    return Report(write_report(demo_run, tmp_path_factory.mktemp("data") / "demo.html"))


def row(candidate: str, reference: str, **more: object) -> dict[str, object]:
    return {"language": "python", "candidate": candidate, "reference": reference, **more}


def test_data_hold_scores_and_explanations(demo, demo_run) -> None:
    assert [one["name"] for one in demo.about["measures"]] == ["exact", "ed", "nes", "bleu"]
    assert [one["distance"] for one in demo.about["measures"]] == [False, True, False, False]
    for one in demo_run.measures:
        assert demo.values(one.label) == pytest.approx(demo_run.values(one.label), rel=1e-6)
    shown = demo.rows
    assert [one["candidate"] for one in shown] == [one["candidate"] for one in read_demo()[:11]]
    assert [one["fields"]["note"] for one in shown] == [one["note"] for one in read_demo()[:11]]
    assert list(demo.explanations) == list(range(11))
    assert set(demo.explanations[0]["measures"]) == {"exact", "ed", "nes", "bleu"}


def test_explanations_have_a_limit(demo_run, tmp_path) -> None:
    ids = [row["id"] for row in read_demo()]
    report = Report(write_report(demo_run, tmp_path / "r.html", explain=3, rows=[ids[7]]))
    assert len(report.explanations) == 4
    assert 7 in report.explanations
    assert report.about["open"] in report.explanations
    assert len(report.rows) == 11
    assert Report(write_report(demo_run, tmp_path / "r.html", explain=0)).explanations == {}
    with pytest.raises(CodekinError, match="no row has the id 'nobody'"):
        write_report(demo_run, tmp_path / "r.html", rows=["nobody"])


def test_very_long_rows_are_explained_only_by_name(scored, tmp_path) -> None:
    long = "x = 1\n" * 20_000
    run = scored([row(long, "x", id="long"), row("y", "x", id="short")], ["nes"])
    assert list(Report(write_report(run, tmp_path / "r.html")).explanations) == [1]
    assert list(Report(write_report(run, tmp_path / "r.html", rows=["long"])).explanations) == [
        0,
        1,
    ]


def test_forms_of_one_measure_keep_their_scores(tmp_path) -> None:
    forms = [measure("crystalbleu", trivial=[(sign,)]) for sign in "=+1"]
    forms += [measure("bleu"), measure("bleu", order=2)]
    given = row("x = 1 + y", "x = 1 + z", id="one")
    run = score([given], forms, output=tmp_path / "run", workers=0)
    report = Report(write_report(run, tmp_path / "r.html"))
    names = [one["name"] for one in report.about["measures"]]
    assert names == [one.label for one in run.measures]
    told = report.explanations[0]["measures"]
    assert len({told[name]["signature"] for name in names[3:]}) == 2
    unmade = Report(write_report(Run(tmp_path / "run"), tmp_path / "r.html")).explanations[0]
    assert "cannot be made from its name" in unmade["measures"][names[0]]["summary"]
    assert unmade["measures"]["bleu"] == told["bleu"]
