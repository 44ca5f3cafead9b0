"""Candidates that are answers of chat models, or that continue a prompt."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runs.conftest import fingerprint

from codekin import report
from codekin.runs.failures import job_summary
from codekin.runs.run import Run
from codekin.runs.scoring import score
from codekin.runs.summaries import summarize

CODE = "def f(x):\n    return 2 * x\n"
FENCED = f"Sure, here you go:\n```python\n{CODE}```\n"
PROMPT = 'from typing import List\n\n\ndef f(x: int) -> int:\n    """Twice x.\n    """\n'
BODY = "    return 2 * x\n"


def scored(*candidates: str | None, **options: Any) -> Run:
    rows = [
        {"id": i, "language": "python", "candidate": one, "reference": CODE}
        for i, one in enumerate(candidates)
    ]
    return score(rows, ["nes", "tsed"], workers=0, **options)


def test_answers_are_counted() -> None:
    run = scored(CODE, FENCED, f"{CODE}\nThis function doubles its argument.")
    assert run.table(["form"]).column("form").to_pylist() == [None, "fenced", "prose"]
    assert run.values("nes")[1] < 0.9
    [warning] = job_summary(run).text_warnings()
    assert "2 of 3 rows have Markdown fences, prose or the prompt around the code" in warning
    assert "--extract-code" in warning
    assert warning in summarize(run).warnings()


@pytest.mark.parametrize("choice", ["first", "last", "all"])
def test_code_is_taken_out(choice: str) -> None:
    run = scored(CODE, FENCED, extract_code=choice)
    assert run.values("nes").tolist() == run.values("tsed").tolist() == [1, 1]
    assert run.table(["form"]).column("form").to_pylist() == [None, "fenced extracted"]
    assert run.table(["candidate"]).column("candidate").to_pylist() == [CODE, CODE]
    assert all(f"|extract:{choice}|" in one.signature for one in run.measures)
    assert job_summary(run).text_warnings() == []
    assert summarize(run).groups[0].texts.extracted == 1  # type: ignore[union-attr]


def test_an_answer_without_code_is_not_said_to_parse() -> None:
    run = scored(CODE, FENCED, "I am sorry, I cannot write this function.", extract_code="first")
    assert run.table(["form"]).column("form").to_pylist()[2] == "no code"
    assert job_summary(run).text_notes() == [
        "66.7 % of the candidates and 100 % of the references parse"
    ]
    [warning] = job_summary(run).text_warnings()
    assert warning.startswith("1 of 3 rows has an answer without code, such as a refusal")


def test_empty_candidates_are_counted_and_do_not_parse(tmp_path):
    small_texts = [("", "x = 1"), (" \n", "x = 1"), ("", ""), ("x = 1", "x = 1")]
    large_texts = [("", "x = 2"), ("x = 2", "x = 2")]
    rows = [
        {"group": group, "language": "python", "candidate": candidate, "reference": reference}
        for group, texts in (("small", small_texts), ("large", large_texts))
        for candidate, reference in texts
    ]
    run = score(rows, "nes", output=tmp_path / "run", workers=0)
    small, large = (one.texts for one in job_summary(run).groups)
    assert (small.empty, small.candidates_parsed) == (2, 0.5)
    assert (large.empty, large.candidates_parsed, large.references_parsed) == (1, 0.5, 1.0)
    said = [
        "small: 2 of 4 rows have an empty candidate and count as 0",
        "large: 1 of 2 rows has an empty candidate and counts as 0",
    ]
    assert job_summary(run).warnings() == said
    assert summarize(run, by="group", resamples=10).warnings() == said
    report(run, tmp_path / "report.html")
    assert said[0] in (tmp_path / "report.html").read_text("utf-8")


def test_prose_does_not_hide_the_language() -> None:
    prose = "This is how one could do it, if only there were more words here. " * 20
    rows = [{"id": 1, "candidate": f"{prose}\n```\n{CODE}```\n{prose}", "reference": CODE}]
    run = score(rows, ["tsed"], workers=0)
    assert run.labels_of("language") == ["python"]
    assert run.failed == 0


def test_prose_is_no_answer_to_be_read() -> None:
    text = "Sure! Here is the summary:\n```python\nx = 1\n```\nThis sets x to one."
    rows = [
        {"id": i, "prompt": "Sum it up", "candidate": text, "reference": text, "language": "text"}
        for i in range(3)
    ]
    run = score(rows, ["nes"], workers=0, extract_code="first")
    assert run.table(["form", "parses", "candidate"]).to_pylist()[0] == {
        "form": None,
        "parses": None,
        "candidate": text,
    }
    assert run.manifest["notes"] == []


def test_parse_rates() -> None:
    run = scored(CODE, FENCED, "def f(:", CODE)
    texts = summarize(run).groups[0].texts
    assert texts is not None
    assert (texts.candidates_parsed, texts.references_parsed) == (0.5, 1.0)
    assert job_summary(run).text_notes() == [
        "50 % of the candidates and 100 % of the references parse"
    ]


def test_parse_rates_by_group() -> None:
    rows = [
        {"id": i, "group": group, "language": "python", "candidate": text, "reference": CODE}
        for group, text in (("a", CODE), ("b", "def f(:"))
        for i in range(2)
    ]
    run = score(rows, "nes", workers=0)
    summary = summarize(run, by="group")
    assert [one.texts.candidates_parsed for one in summary.groups if one.texts] == [1.0, 0.0]
    assert "b: 0 % of the candidates and 100 % of the references parse" in summary.notes()
    assert job_summary(run).text_notes()[1].startswith("b: 0 % of the candidates")


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Any) -> None:
    texts = [CODE, FENCED, None, "def f(:"] * 5
    for name, workers in (("a", 0), ("b", 2)):
        rows = [
            {"id": i, "language": "python", "candidate": one, "reference": CODE}
            for i, one in enumerate(texts)
        ]
        score(
            rows, "nes", output=tmp_path / name, workers=workers, shard_rows=3, extract_code="all"
        )
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")


def with_prompt(candidate: str, prompt: str = PROMPT, reference: str = BODY) -> dict[str, Any]:
    return {
        "task_id": "t",
        "prompt": prompt,
        "completion": candidate,
        "canonical_solution": reference,
        "language": "python",
    }


@pytest.mark.parametrize(
    "candidate",
    [
        BODY,  # a continuation
        PROMPT + BODY,  # which repeats the prompt
        f"\n{PROMPT}{BODY}\n",
    ],
)
def test_prompt_and_completion(candidate: str) -> None:
    run = score([with_prompt(candidate)], ["tsed"], workers=0)
    assert run.values("tsed").tolist() == [1]
    table = run.table(["references", "parses", "reference_parses"]).to_pylist()
    assert table == [{"references": [PROMPT + BODY], "parses": True, "reference_parses": True}]
    assert "|prompt:joined|" in run.measures[0].signature
    assert "continue their prompts" in run.manifest["notes"][-1]


@pytest.mark.parametrize("candidate", [f"```python\n{BODY}```", f"```\n{PROMPT}{BODY}```"])
def test_code_is_taken_out_before_the_prompt_is_added(candidate: str) -> None:
    run = score([with_prompt(candidate)], ["tsed"], workers=0, extract_code="first")
    assert run.values("tsed").tolist() == [1]


def test_prompts_in_words_are_left_alone() -> None:
    rows = [with_prompt(CODE, "Write a function that doubles.", CODE)]
    run = score(rows, ["nes"], workers=0)
    assert run.values("nes").tolist() == [1]
    assert "prompt" not in run.measures[0].signature


def test_a_repeated_prompt_in_words(tmp_path: Any) -> None:
    prompt = "Write a function that doubles.\n"
    rows = [with_prompt(CODE, PROMPT), with_prompt(f"{prompt}{CODE}", prompt, CODE)]
    rows += [with_prompt(BODY) for _ in range(3)]
    run = score(rows, ["nes"], workers=0, extract_code="first")
    assert run.table(["form"]).column("form").to_pylist()[1] == "prompt extracted"
    assert run.values("nes")[1] == 1


WHOLE = PROMPT + BODY
HELPER = "def helper(x):\n    return x\n\n\n"


@pytest.mark.parametrize(
    ("completion", "joined"),
    [
        (BODY, True),
        (f'    """Twice the number."""\n{BODY}', True),
        (f'"""Twice the number."""\n{BODY}', True),  # as chat models write
        (f"    # Twice.\n{BODY}", True),
        (f"# Twice.\n{BODY}", True),
        (f"    import math\n{BODY}", True),
        ("return 2 * x\n", True),  # which fails in the harness, too
        (f"{BODY}\n\n{HELPER}", True),
        (f"{BODY}\n\nprint(f(1))\n", True),
        (f"{BODY}\n\n{WHOLE}", True),  # a model that goes on and on
        ("I cannot do that.", True),
        (f"```python\n{BODY}```", True),
        (WHOLE, False),
        (CODE, False),
        (f"import math\n\n\n{CODE}", False),
        (f"{HELPER}{CODE}", False),
        (f"Sure:\n```python\n{CODE}```", False),
        ("", False),
    ],
)
def test_what_is_scored_is_what_the_harness_runs(completion: str, joined: bool) -> None:
    rows = [{**with_prompt(completion), "entry_point": "f"}]
    table = score(rows, ["nes"], workers=0).table(
        ["candidate", "references", "joined", "reference_joined"]
    )
    assert table.to_pylist() == [
        {
            "candidate": PROMPT + completion if joined else completion,
            "references": [WHOLE],
            "joined": joined,
            "reference_joined": True,
        }
    ]


def test_extracted_bodies_follow_their_prompt_and_extracted_functions_do_not() -> None:
    rows = [with_prompt(f"```python\n{text}```") for text in (BODY, CODE)]
    run = score(rows, ["nes"], workers=0, extract_code="first")
    assert run.table(["candidate"]).column("candidate").to_pylist() == [WHOLE, CODE]


def test_bodies_follow_their_prompts_where_the_references_are_whole() -> None:
    run = score([with_prompt(BODY, reference=CODE)], ["nes"], workers=0)
    [row] = run.table(["candidate", "references", "joined", "reference_joined"]).to_pylist()
    assert row == {
        "candidate": WHOLE,
        "references": [CODE],
        "joined": True,
        "reference_joined": False,
    }


def test_solutions_are_run_without_the_prompt() -> None:
    problem = {"task_id": "t", "prompt": PROMPT, "canonical_solution": BODY, "language": "python"}
    texts = ["", "print(1)\n", CODE, BODY]
    rows = [{"task_id": "t", "solution": text} for text in texts]
    run = score(rows, ["nes"], references=[problem], workers=0)
    candidates = run.table(["candidate"]).column("candidate").to_pylist()
    assert candidates == [*texts[:3], WHOLE]  # which would not even parse by itself


def test_the_prompt_of_the_benchmark_counts() -> None:
    problem = {"task_id": "t", "prompt": PROMPT, "canonical_solution": BODY, "language": "python"}
    row = {"task_id": "t", "prompt": "Complete this:\n" + PROMPT, "completion": BODY}
    run = score([row], ["nes"], references=[problem], workers=0)
    assert run.table(["candidate"]).column("candidate").to_pylist() == [WHOLE]


def test_the_output_says_before_how_many_texts_the_prompt_is(tmp_path: Any) -> None:
    rows = [
        {**with_prompt(text), "model": model}
        for model, texts in (("a", [BODY, BODY, CODE]), ("b", [CODE, BODY, None]))
        for text in texts
    ]
    run = score(rows, ["nes"], workers=0)
    notes = [note for note in job_summary(run).text_notes() if "prompt" in note]
    assert notes == [
        "a: the prompt is before 2 of 3 candidates and 3 of 3 references",
        "b: the prompt is before 1 of 3 candidates and 3 of 3 references",
    ]
    whole = "the prompt is before 3 of 6 candidates and 6 of 6 references"
    assert whole in summarize(run).notes()
    report(run, tmp_path / "report.html")
    assert notes[0] in (tmp_path / "report.html").read_text("utf-8")
