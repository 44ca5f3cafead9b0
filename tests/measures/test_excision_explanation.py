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


def test_a_comment_of_one_side_is_not_shown_as_found() -> None:
    texts = "a = f(1,  # why\n      2)\n", "a = f(1,\n      2)\n", "a = 0\n"
    for name in ("es", "es-token", "bleu"):
        scored = measure(name).score(*(texts if name != "bleu" else texts[:2]), language="python")
        why = scored.explain()
        shaded = "".join(why.candidate_text[span.start : span.end] for span in why.candidate)
        assert "f(1," in shaded
        assert "why" not in shaded


def test_a_score_of_zero_for_code_that_does_not_parse_is_explained() -> None:
    origin = "class A {\n  int f() {\n    return 1;\n  }\n}\n"
    reference = origin.replace("return 1;", "if (x) {\n      return 2;\n    }\n    return 1;")
    broken = reference.replace("      return 2;\n    }\n", "      return 2;\n")
    score = measure("es").score(broken, reference, origin, language="java")
    said = "The score is 0 because the candidate does not parse (3:12: '{' is never closed)."
    assert (score.value, score.remark) == (0.0, said)
    assert score.explain().summary.startswith(said)
    other = measure("es").score(reference, broken, origin, language="java")
    assert other.remark == said.replace("candidate", "reference")
    assert measure("es").score(reference, reference, origin, language="java").remark == ""
    assert measure("nes").score(broken, reference, language="java").remark == ""


def test_the_place_is_that_in_the_whole_text() -> None:
    head = "def a():\n    return [1]\n\n\n" * 3
    origin, reference = head + "def f(x):\n    return x\n", head + "def f(x):\n    return (x)\n"
    score = measure("es").score(reference[:-2] + "\n", reference, origin, language="python")
    assert "(14:12: '(' is never closed)" in score.remark
