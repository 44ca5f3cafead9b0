"""What an explanation of an excision says in words."""

from __future__ import annotations

from codekin import measure

ORIGIN = "return a - b"


def test_parts_of_an_inner_measure_are_no_lack_of_ngrams() -> None:
    score = measure("sanslcs", inner="nes").score(
        "return a * b", "return a + b", ORIGIN, language="python"
    )
    assert "1 region differs. What is left scores 0.00." in score.explain().summary


def test_where_both_only_delete_nothing_is_left() -> None:
    score = measure("sanslcs").score("return a", "return a", ORIGIN, language="python")
    assert "No n-gram is left to compare." in score.explain().summary


def test_operations_are_summed_over_regions() -> None:
    texts = "x\nk1\nx\nk2\ny\n", "x\nk1\nx\nk2\nz\n", "a\nk1\na\nk2\nb\n"
    details = dict(measure("es-token").score(*texts, language="javascript").explain().details)
    assert details == {
        "both add": "x  x",
        "only the reference adds": "z",
        "only the candidate adds": "y",
        "both delete": "a  a  b",
    }
