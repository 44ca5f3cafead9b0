from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codekin import Run, score
from codekin.report import write_report
from codekin.report.answer import answer_of
from codekin.report.run_scores import gather
from codekin.report.summary import summarise
from codekin.runs.system_comparison import compare_if_several


def rows(systems: dict[str, int], field: str = "group", tasks: int = 24) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{name}-{i}",
            field: name,
            "language": "python",
            "candidate": f"f(x, {i})" if i % every == 0 else f"f(x + {i % 5}, y)",
            "reference": f"f(x, {i})",
        }
        for name, every in systems.items()
        for i in range(tasks)
    ]


def answered(run: Run, **options: Any) -> Any:
    scores = gather(run, **options)
    return answer_of(scores, summarise(scores, intervals=False))


def page_of(run: Run, path: Path, **options: Any) -> str:
    return write_report(run, path, explain=0, **options).read_text("utf-8")


def test_the_first_words_of_a_page_are_the_answer(scored, tmp_path) -> None:
    page = page_of(scored(rows({"weak": 8, "strong": 1}), ["nes", "ed"]), tmp_path / "r.html")
    assert "<h1>Which system is better?</h1>" in page
    first = page[page.index('class="first">') :]
    assert first.startswith('class="first">strong scores higher than weak on nes by 0.')
    assert page.index('class="first"') < page.index('class="facts"')
    assert '<section id="compared"' in page
    assert '<a href="#compared">Comparison</a>' in page
    assert "paired permutation test" in page
    assert 'title="difference of the means"' in page  # terms are explained on hovering
    assert '<table class="forest">' in page


def test_two_systems_are_marked_where_they_differ(scored) -> None:
    marks = answered(scored(rows({"weak": 8, "strong": 1}), ["nes", "ed"])).marks
    assert marks == {("strong", "nes"): "best", ("strong", "ed"): "best"}
    marks = answered(scored(rows({"a": 2, "b": 2}), ["nes"], "equal")).marks
    assert marks == {("a", "nes"): "best", ("b", "nes"): "near"}


def test_the_best_of_two_systems_is_not_marked_as_near_it(scored) -> None:
    marks = answered(scored(rows({"a": 3, "b": 2}, tasks=6), ["nes", "ed"])).marks
    assert marks == {
        ("a", "nes"): "near",
        ("a", "ed"): "near",
        ("b", "nes"): "best",
        ("b", "ed"): "best",
    }


def test_several_systems_are_compared_with_the_best(scored, tmp_path) -> None:
    run = scored(rows({"weak": 8, "strong": 1, "twin": 1}), ["nes"])
    answer = answered(run)
    assert answer.sentences[0].startswith("Of 3 systems on 24 tasks, strong is best by nes; twin")
    assert answer.marks == {("strong", "nes"): "best", ("twin", "nes"): "near"}
    page = page_of(run, tmp_path / "r.html")
    assert page.count(' class="best"') == 1
    assert page.count(' class="near"') == 1


def test_a_page_and_the_terminal_give_the_same_numbers(scored) -> None:
    run = scored(rows({"weak": 8, "strong": 1, "twin": 1}), ["nes", "ed"], "same")
    terminal = compare_if_several(run, top=0)
    scores = gather(run)
    section = answer_of(scores, summarise(scores)).section
    assert terminal is not None
    assert section is not None
    assert section.content == terminal.section().content


def test_runs_are_compared_under_the_names_of_the_page(tmp_path) -> None:
    runs = [
        score(rows({"x": every}), "nes", output=tmp_path / name, workers=0)
        for name, every in (("weak", 8), ("strong", 1))
    ]
    assert answered(runs).sentences[0].startswith("strong · x scores higher than weak · x on nes")


def test_systems_are_called_by_the_column_of_the_user(tmp_path) -> None:
    made = rows({"weak": 8, "strong": 1}, field="model")
    mapped = score(made, "nes", output=tmp_path / "a", workers=0, columns={"group": "model"})
    assert '<span class="by">Model</span>' in page_of(mapped, tmp_path / "r.html")
    plain = score(made, "nes", output=tmp_path / "b", workers=0)
    page = page_of(plain, tmp_path / "r.html", by="model")
    assert '<span class="by">Model</span>' in page
    assert 'data-name="strong"' in page


def test_groups_that_are_changes_are_not_ranked(scored) -> None:
    made = rows({"equal": 1, "renamed": 3})
    assert answered(scored(made, ["nes"])).sentences == []


def test_groups_without_a_common_task_say_so(scored) -> None:
    made = [
        row | {"reference": f"{row['group']}({i})"} for i, row in enumerate(rows({"a": 1, "b": 2}))
    ]
    [said] = answered(scored(made, ["nes"])).sentences
    assert said.startswith(
        "The groups are not compared pair by pair: a and b have no row in common"
    )


def test_a_single_system_is_summarised(scored, run_without_rows) -> None:
    scores = gather(scored(rows({"only": 2}), ["nes", "ed"]))
    [said] = answer_of(scores, summarise(scores)).sentences
    assert said.startswith("On average of 24 rows, the score is 0.")
    assert "by nes; 1 means equal." in said
    nothing = gather(run_without_rows("nes"))
    assert answer_of(nothing, summarise(nothing)).sentences == []


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "a\u202eb\x1b[31m", "{{ 7 * 7 }}"]
)
def test_hostile_names_are_only_text(scored, tmp_path, name) -> None:
    page = page_of(scored(rows({name: 8, "other": 1}), ["nes"]), tmp_path / "r.html")
    assert "<img src=x" not in page
    said = page[page.index('class="first"') : page.index('class="facts"')]
    assert ("7 * 7" in said) == ("7 * 7" in name)
    assert "\x1b" not in said
