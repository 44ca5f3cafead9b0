from __future__ import annotations

import io

from rich.console import Console
from rich.progress import Progress

from codekin import score, summarize
from codekin.report import progress as job
from codekin.report.progress import job_text
from codekin.runs.failures import job_summary


def shown(run, scored: int = 3, seconds: float = 1.5, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width)
    summary = job_summary(run)
    means = summarize(run) if 0 < run.rows <= job.MOST_SUMMARIZED else summary
    text = job_text(summary, means.table(), means.notes(), scored, seconds, width)
    console.print(text, soft_wrap=True)
    return console.file.getvalue()


ROWS = [
    {"id": "a", "language": "c", "candidate": "x;", "reference": "x;"},
    {"id": "b", "language": "c", "candidate": "y;", "reference": "x;"},
    {"id": "c\x1b[31m", "language": "c", "candidate": 7, "reference": "x;"},
    {"id": "d", "language": "c", "candidate": 8, "reference": "x;"},
]


def test_summary_has_figures_and_reasons() -> None:
    text = shown(score(ROWS, ["nes", "ed"], workers=0), scored=4, seconds=2)
    assert text.startswith("4 rows in 2 s (2 rows/s)")
    assert "2 of 4 rows have no score" in text
    assert "candidate must be a text, not a number (2 times, first row c␛[31m, row 3)" in text
    assert "0.7500" in text
    assert "\x1b" not in text


def test_the_time_left_is_that_of_the_rows_that_are_not_scored_yet() -> None:
    """A resumed run had the first half already, and took 2 s for half of the rest."""
    seconds = iter([0.0, 2.0])
    bar = Progress(get_time=lambda: next(seconds, 2.0))
    bar.add_task("", share=0.75, before=0.5)
    [task] = bar.tasks
    assert job._Left().render(task).plain == "2 s left"
    task.fields["before"] = None
    assert job._Left().render(task).plain == ""


def test_many_rows_have_means_alone(monkeypatch) -> None:
    monkeypatch.setattr(job, "MOST_SUMMARIZED", 3)
    run = score([*ROWS, {"id": "e"}], ["nes", "ed"], workers=0)
    text = shown(run)
    assert "mean failed" in text
    assert f"codekin summarize {run.path}" in text


def test_nothing_scored_at_all(run_without_rows) -> None:
    assert shown(run_without_rows("nes"), scored=0) == "the input has no rows\n"
    text = shown(score([ROWS[2], {**ROWS[3], "candidate": []}], "nes", workers=0))
    assert "–" in text


def test_reasons_are_cut_and_counted() -> None:
    rows = [
        {"id": str(i), "language": f"l{i}", "candidate": "", "reference": ""} for i in range(13)
    ]
    text = shown(score(rows, "nes", workers=0))
    assert "and 3 other reasons, all in the run" in text


def test_document(run_without_rows) -> None:
    run = score(ROWS, ["nes"], workers=0)
    document = job_summary(run).document()
    assert document["measures"][0]["mean"] == 0.75
    assert document["failures"] == [
        {
            "measure": None,
            "reason": "candidate must be a text, not a number",
            "rows": 2,
            "first": "c\x1b[31m",
            "where": "row 3",
        }
    ]
    assert job_summary(run_without_rows("nes")).document()["measures"][0]["mean"] is None
