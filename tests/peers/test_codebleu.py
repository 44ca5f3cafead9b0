"""CodeBLEU as its package has it, on cases of the kinds that its own suite has.

The package needs grammars of its time, so its numbers are given here, as codebleu 0.7.0 gave them
under ``PYTHONHASHSEED=0``.
"""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from codekin import CodekinError, measure

SQUARE = "def square ( x ) :\n    return x * x"
DOUBLE = "def double ( y ) :\n    return y + y"
PARTS = ("ngram", "weighted_ngram", "syntax", "dataflow")


def codebleu(predictions: list[str], references: list[Any], language: str) -> dict[str, float]:
    rows = [[one] if isinstance(one, str) else one for one in references]
    mine = measure("codebleu", compat="codebleu")
    return mine.corpus_parts(predictions, rows, language=language)


JAVA = "int f ( int a ) { int b = a ; return b ; }", "int g ( int a ) { return a + 1 ; }"
BY_PACKAGE = [
    ("python", [DOUBLE], [SQUARE], [0.1186840521952098, 0.13011206710414042, 1.0, 1.0]),
    ("python", [SQUARE, DOUBLE], [SQUARE, SQUARE], [0.5991954317321077, 0.6202517182667888, 1, 1]),
    ("python", [SQUARE], [[SQUARE, DOUBLE]], [1.0, 0.6202517182667888, 1.0, 1.0]),
    ("java", [JAVA[0]], [JAVA[1]], [0.2878787818101127, 0.3760603093086394, 4 / 9, 1.0]),
    ("cpp", [JAVA[0]], [JAVA[1]], [0.2878787818101127, 0.3760603093086394, 3 / 8, 1.0]),
]


@pytest.mark.parametrize(("language", "predictions", "references", "expected"), BY_PACKAGE)
def test_numbers_of_the_package(
    language: str, predictions: list[str], references: list[Any], expected: list[float]
) -> None:
    parts = codebleu(predictions, references, language)
    assert [parts[name] for name in PARTS] == approx(expected, abs=1e-9)
    assert parts["codebleu"] == approx(sum(expected) / 4, abs=1e-9)


@pytest.mark.parametrize(
    "language", ["python", "java", "javascript", "csharp", "c", "cpp", "php", "go", "ruby", "rust"]
)
def test_equal_texts_score_1_in_every_language(language: str) -> None:
    text = "a few equal words , six of them"
    assert codebleu([text], [text], language)["codebleu"] == approx(1.0)


def test_equal_programs_with_data_flow() -> None:
    parts = codebleu([SQUARE], [SQUARE], "python")
    assert [parts[name] for name in PARTS] == approx([1.0] * 4)


def test_nothing_in_common_still_scores_for_the_missing_data_flow() -> None:
    parts = codebleu(["words that are no program at all"], ["def f ( ) :\n pass"], "python")
    assert parts["ngram"] == parts["weighted_ngram"] == parts["dataflow"] == 0.0
    assert parts["codebleu"] == approx(0.25)


def test_renamed_variables_keep_trees_and_flow() -> None:
    renamed = SQUARE.replace("x", "value")
    parts = codebleu([renamed], [SQUARE], "python")
    assert parts["syntax"] == parts["dataflow"] == 1.0
    assert 0 < parts["ngram"] < 0.6


def test_one_reference_may_come_as_a_list_and_several_are_pooled() -> None:
    alone = codebleu([SQUARE], [SQUARE], "python")
    assert codebleu([SQUARE], [[SQUARE]], "python") == alone
    first, last = (
        codebleu([SQUARE], [pool], "python") for pool in ([SQUARE, DOUBLE], [DOUBLE, SQUARE])
    )
    assert first == last
    assert first["ngram"] == 1.0
    assert 0.5 < first["codebleu"] < 1.0


def test_a_corpus_sums_its_rows() -> None:
    both = codebleu([SQUARE, DOUBLE], [SQUARE, SQUARE], "python")
    apart = [codebleu([one], [SQUARE], "python")["codebleu"] for one in (SQUARE, DOUBLE)]
    assert min(apart) < both["codebleu"] < max(apart)


@pytest.mark.parametrize("text", ["", " \n", "x", "é = '数'", "\tif x:\n\t\ty"])
def test_odd_texts_have_a_value(text: str) -> None:
    assert 0 <= codebleu([text], [SQUARE], "python")["codebleu"] <= 1
    assert 0 <= codebleu([SQUARE], ["x = 1"], "python")["codebleu"] <= 1


def test_deep_nesting_ends() -> None:
    loops = "def f(n):\n" + "".join(f"{' ' * (i + 1)}for i{i} in range(n):\n" for i in range(20))
    assert codebleu([loops], ["def f(n):\n    pass"], "python")["codebleu"] >= 0


def test_unknown_languages_and_unequal_lengths_are_refused() -> None:
    with pytest.raises(CodekinError):
        codebleu(["fun f() = 1"], ["fun f() = 1"], "kotlin")
    with pytest.raises((CodekinError, ValueError)):
        codebleu([SQUARE], [SQUARE, SQUARE], "python")
