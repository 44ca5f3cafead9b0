"""The language of an input that does not name it."""

from __future__ import annotations

from typing import Any

import pytest

from codekin.runs.language_guess import LanguageGuess, guess_language
from codekin.runs.scoring import score

PYTHON = "def f{0}(x):\n    return x + {0}\n"
JAVA = "class A{0} {{\n    int f(int x) {{\n        return x + {0};\n    }}\n}}\n"
LIKE_RUBY = "def f\n  puts 'x' if x\nend\n"


def tasks(*templates: str, times: int = 10, task: str = "t") -> list[dict[str, Any]]:
    return [
        {"id": f"{task}/{i}", "reference": template.format(i)}
        for template in templates
        for i in range(times)
    ]


def test_one_language_for_all_whatever_some_references_look_like() -> None:
    guess = guess_language([{"id": "odd", "reference": LIKE_RUBY}, *tasks(PYTHON, times=20)])
    assert guess == LanguageGuess(("python",), (20,), 21)
    assert guess.note().startswith("language: python, from 21 references (20 parse);")


def test_the_language_that_parses_most_wins_over_the_first_that_parses() -> None:
    c = tasks('#include <stdio.h>\nint f{0}(int x) {{ printf("x"); return x; }}\n')
    assert guess_language(c) == LanguageGuess(("c",), (10,), 10)
    cpp = {"id": "1", "reference": "#include <vector>\nstd::vector<int> g() { return {}; }\n"}
    assert guess_language([*c, cpp]) == LanguageGuess(("cpp",), (11,), 11)


def test_several_languages_are_said() -> None:
    guess = guess_language(tasks(PYTHON, JAVA))
    assert guess is not None
    assert guess.names == ("python", "java")
    assert guess.note().startswith("languages: python (10), java (10) of 20 references; guessed")


def test_the_name_of_a_benchmark_is_believed_only_if_references_parse() -> None:
    bodies = [
        {"id": f"HumanEval/{i}", "prompt": f"def f{i}(x):\n", "reference": "    return x\n"}
        for i in range(3)
    ]
    assert guess_language(bodies) == LanguageGuess(("python",), (3,), 3)
    assert guess_language(tasks(JAVA, task="HumanEval")) == LanguageGuess(("java",), (10,), 10)
    assert guess_language(tasks(JAVA, task="Java")) == LanguageGuess(("java",), (10,), 10)


@pytest.mark.parametrize("reference", ["", None, "12", "Some words"])
def test_nothing_tells_the_language(reference: str | None) -> None:
    assert guess_language([{"id": "1", "reference": reference}]) is None


def test_no_row_is_read_in_a_language_of_its_own() -> None:
    rows = [
        {"id": task["id"], "candidate": text, "reference": task["reference"]}
        for task, text in zip(tasks(PYTHON), ["x = 1\n"] * 9 + [LIKE_RUBY], strict=True)
    ]
    run = score(rows, "tsed", workers=0)
    assert set(run.labels_of("language")) == {"python"}
    assert run.manifest["notes"] == [
        "language: python, from 10 references; --language (language=) names another"
    ]


def test_rows_that_name_their_language_are_not_guessed() -> None:
    rows = [{**task, "candidate": "x", "language": "java"} for task in tasks(PYTHON)]
    run = score(rows, "tsed", workers=0)
    assert set(run.labels_of("language")) == {"java"}
    assert not any(note.startswith("language: ") for note in run.manifest["notes"])
    mixed = [*rows, *({**task, "candidate": "x"} for task in tasks(JAVA, task="other"))]
    for row in mixed[:10]:
        row["language"] = "python"
    run = score(mixed, "tsed", workers=0)
    assert run.labels_of("language") == ["python"] * 10 + ["java"] * 10


def test_rows_of_several_languages_are_read_in_those_only() -> None:
    rows = [{**task, "candidate": task["reference"]} for task in tasks(PYTHON, JAVA)]
    run = score(rows, "tsed", workers=0)
    assert run.labels_of("language") == ["python"] * 10 + ["java"] * 10
