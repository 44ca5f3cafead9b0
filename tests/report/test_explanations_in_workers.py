from __future__ import annotations

import os
import signal
from typing import ClassVar

import pytest

from codekin import measure
from codekin.errors import CodekinError
from codekin.measures import Measure, Score
from codekin.report.explanations import Explainers, RowExplainer, explain_row, workers_for
from codekin.runs.workers import Work


class Fatal(Measure):
    """Takes its process with it where the candidate says so."""

    name: ClassVar[str] = "fatal"
    summary: ClassVar[str] = "dies where it is told to"

    def uses_tree(self) -> bool:
        return False

    def _pair(self, candidate, reference):
        if candidate.text == "die":
            os._exit(3)
        if candidate.text == "late":
            os.kill(os.getpid(), signal.SIGPROF)
        return Score(self, 1.0, {}, candidate, reference)


def row(candidate: str, **values: float) -> dict[str, object]:
    return {
        "candidate": candidate,
        "references": ["x = 1"],
        "origin": None,
        "language": "python",
        "reference_language": "python",
        **values,
    }


def test_rows_come_back_in_order_as_one_process_explains_them() -> None:
    measures = {"nes": measure("nes"), "bleu": measure("bleu"), "unknown": None}
    rows = [row(f"x = {i}\n" * (1 + i % 7), nes=0.5, bleu=0.5, unknown=1.0) for i in range(90)]
    with Explainers(2) as explainers:
        told = list(explainers.explain(rows, measures))
        again = list(explainers.explain(rows[:1], {"nes": measure("nes")}))
    assert told == [explain_row(one, measures) for one in rows]
    assert list(again[0]["measures"]) == ["nes"]


def test_a_row_that_kills_its_process_is_said_so_and_the_others_are_explained() -> None:
    rows = [row(text, fatal=1.0, nes=0.5) for text in ("a", "die", "b", "late", "c")]
    with Explainers(1) as explainers:
        told = list(explainers.explain(rows, {"fatal": Fatal(), "nes": measure("nes")}))
    summaries = [one["measures"]["nes"]["summary"] for one in told]
    died = "No explanation: the process that should give it died (exit code 3)."
    assert summaries[1] == died
    assert summaries[3] == "No explanation: it took too long."
    assert all("No explanation" not in summaries[i] for i in (0, 2, 4))
    assert told[1]["ink"] == [[], [[]], None]


def test_measures_that_cannot_travel_are_asked_here(monkeypatch) -> None:
    class Local(Fatal):
        pass

    with Explainers(1) as explainers:
        here = explainers.explain([row("a", local=1.0)], {"local": Local()})
        assert "No explanation: this measure gives none." in str(list(here))
        assert not explainers._pool._all
        unreadable = Work("codekin.report.explanations:RowExplainer", b"no pickle")
        monkeypatch.setattr(RowExplainer, "work", lambda explainer: unreadable)
        (told,) = explainers.explain([row("a", nes=0.5)], {"nes": measure("nes")})
    assert told == explain_row(row("a", nes=0.5), {"nes": measure("nes")})


def test_a_few_rows_need_no_process() -> None:
    assert workers_for(10, None) == 0
    assert workers_for(1000, None) >= 1
    assert workers_for(10, 3) == 3
    with pytest.raises(CodekinError, match="workers must be a number from 0"):
        workers_for(10, -1)
