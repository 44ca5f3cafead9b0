"""CodeBLEU: its parts, its repairs, and the package that it can reproduce."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Source, language_names, measure
from codekin.languages import get_language
from codekin.measures.compat.codebleu.dataflow import PACKAGE_RULES
from codekin.measures.compat.codebleu.measure import without_comments

SAMPLES = Path(__file__).parents[1] / "languages" / "samples"
TOTAL = "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n"
RENAMED = "def total(v):\n    acc = 0\n    for w in v:\n        acc += w\n    return acc\n"
SUM = "def total(xs):\n    return sum(xs)\n"

default = measure("codebleu")
package = measure("codebleu", compat="codebleu")


def score(candidate, reference, language="python", one=default):
    return one.score(candidate, reference, language=language)


def test_renaming_keeps_syntax_and_data_flow():
    parts = score(RENAMED, TOTAL).parts
    assert parts["syntax"] == parts["dataflow"] == 1.0
    assert parts["ngram"] < 0.5


def test_a_part_that_the_reference_lacks_is_left_out():
    got = score("print('a')", "print('b')")
    assert list(got.parts) == ["ngram", "weighted_ngram", "syntax"]
    weights = (1.0, 1.0, 2.0, 5.0)
    weighted = score("print('a')", "print('b')", one=measure("codebleu", weights=weights))
    ngram, weighted_ngram, syntax = got.parts.values()
    assert weighted.value == pytest.approx((ngram + weighted_ngram + 2 * syntax) / 4)


def test_no_answer_scores_0_and_the_package_gives_a_quarter():
    assert score("", TOTAL).value == 0.0
    assert score("", "").value == 1.0
    assert score("", TOTAL, one=package).value == pytest.approx(0.25)


def test_copies_of_a_subtree_count_once():
    candidate, reference = "f(x)\n", "f(x)\nf(x)\nf(x)\n"
    assert score(candidate, reference, one=package).parts["syntax"] == 0.9
    assert score(candidate, reference).parts["syntax"] < 0.5


def test_comments_and_docstrings_count_only_where_wanted():
    documented = TOTAL.replace("    s = 0\n", '    """Add up."""\n    s = 0  # start\n')
    assert score(documented, TOTAL).value == 1.0
    kept = measure("codebleu", comments=True).score(documented, TOTAL, language="python")
    assert kept.value < 1.0
    assert kept.parts["syntax"] < 1.0


def test_keywords_weigh_five_times():
    def unigrams(candidate):
        source, reference = Source(candidate, "java"), Source("return a;", "java")
        counts = default.statistics(source, [reference])
        return counts[10], counts[14]

    assert unigrams("return b;") == (6, 7)
    assert unigrams("throw a;") == (2, 7)


def test_two_languages_share_only_tokens():
    java = Source("class A { int f(int x) { return x; } }", "java")
    assert list(default.score(TOTAL, java, language="python").parts) == ["ngram", "weighted_ngram"]
    with pytest.raises(CodekinError, match="one language"):
        package.score(TOTAL, java, language="python")


def test_the_package_does_not_know_kotlin():
    with pytest.raises(CodekinError, match="Kotlin"):
        package.score("val x = 1", "val x = 1", language="kotlin")


def test_weights_are_checked():
    odd = (5, None, "abcd", [1, 2, 3, None], [1, 2, 3, 1j], (10**400, 0, 0, 0))
    for weights in ((1, 1, 1), (0.5, 0.5, -0.1, 0.1), (float("nan"), 0, 0, 0), *odd):
        for compat in (None, "codebleu"):
            with pytest.raises(CodekinError, match="weights"):
                measure("codebleu", weights=weights, compat=compat)


def test_a_list_of_weights_is_as_good_as_a_tuple():
    for compat in (None, "codebleu"):
        given, wanted = (
            measure("codebleu", weights=weights, compat=compat)
            for weights in ([0.1, 0.2, 0.3, 0.4], (0.1, 0.2, 0.3, 0.4))
        )
        assert given == wanted
        assert hash(given) == hash(wanted)
        assert score(SUM, TOTAL, one=given).signature == score(SUM, TOTAL, one=wanted).signature


def test_tokens_that_only_the_print_shows_are_counted_on_both_sides():
    text = "h\n`\u2028r `"
    assert score(text, text, "go", package).parts["syntax"] == 1.0


def test_several_references_are_pooled():
    got = default.score(TOTAL, references=[TOTAL, SUM], language="python")
    assert got.parts["ngram"] == 1.0
    alone = [score(TOTAL, r).parts["syntax"] for r in (TOTAL, SUM)]
    assert min(alone) < got.parts["syntax"] < max(alone)


def test_a_corpus_sums_counts():
    parts = default.corpus_parts([TOTAL, SUM], [[TOTAL], [TOTAL]], language="python")
    assert score(SUM, TOTAL).value < parts["codebleu"] < 1.0
    value = default.corpus_score([TOTAL, SUM], [[TOTAL], [TOTAL]], language="python")
    assert value == parts["codebleu"]
    with pytest.raises(CodekinError):
        default.corpus_parts([], [], language="python")


def test_an_explanation_names_what_is_missing():
    details = dict(score(SUM, TOTAL).explain().details)
    assert "(line 4)" in details["subtrees of the reference that the candidate lacks"]
    assert "= → += (line 4)" in details["data flow that the candidate lacks"]
    assert score(TOTAL, TOTAL).explain().details == ()


def test_php_with_and_without_its_tag_has_the_same_subtrees_below_the_root():
    bare = "function f($a) { return $a + 1; }"
    details = dict(score("<?php " + bare, bare, "php").explain().details)
    assert details == {"subtrees of the reference that the candidate lacks": "program (line 1)"}


def test_data_flow_sees_operators_and_not_names():
    reference = "x = 2 * a\nprint(x + b)"
    assert score("y = 2 * c\nprint(y + d)", reference).parts["dataflow"] == 1.0
    # `* → =` is kept; `= → +` and `+ → call:print` are not
    assert score("x = 2 * a\nprint(x - b)", reference).parts["dataflow"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("language", language_names())
def test_a_language_without_semantic_graphs_has_no_data_flow_and_says_so(language):
    text = next(SAMPLES.glob(f"{language}.*")).read_text(encoding="utf-8")
    got = score(text, text, language)
    has_flow = get_language(language).lowering is not None
    assert ("dataflow" in got.parts) == has_flow
    assert f"|flow:{'graph' if has_flow else 'none'}|" in got.signature
    assert got.value == 1.0


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ('def f():\n    """doc"""\n    return "s"  # c\n', "python", 'def f():\n    return "s"  '),
        ("def f(:\n  '''", "python", "def f(:\n  '''"),
        ('a = "// no" // yes\n\nb', "java", 'a = "// no"  \nb'),
        ("a /* x\ny */ b", "c", "a   b"),
        ("a # b\n\nc", "ruby", "a # b\n\nc"),
    ],
)
def test_comments_are_stripped_as_the_package_strips_them(text, language, expected):
    assert without_comments(text, language) == expected


@settings(max_examples=60, deadline=None)
@given(a=st.text(max_size=120), b=st.text(max_size=120), language=st.sampled_from(language_names()))
def test_any_two_texts_have_a_score(a, b, language):
    first, second = Source(a, language), Source(b, language)
    got = default.score(first, second)
    assert 0.0 <= got.value <= 1.0
    assert all(0.0 <= part <= 1.0 for part in got.parts.values())
    assert default.score(first, Source(a, language)).value == 1.0


@settings(max_examples=60, deadline=None)
@given(
    a=st.text(max_size=120),
    b=st.text(max_size=120),
    language=st.sampled_from(sorted(PACKAGE_RULES)),
)
def test_the_package_never_raises_here(a, b, language):
    assert 0.0 <= package.score(a, b, language=language).value <= 1.0 + 1e-9


@pytest.mark.parametrize("one", [default, package], ids=["default", "package"])
def test_deep_nesting(one):
    deep = "x = " + "(" * 10_000 + "y" + ")" * 10_000
    broken = "x = " + "[" * 10_000
    assert one.score(deep + " + z", deep + " + z", language="python").value == pytest.approx(1.0)
    for other in (broken, deep + "\nif if =", "x = (\n"):
        assert 0.0 <= one.score(deep + "\nif =", other, language="python").value <= 1.0
