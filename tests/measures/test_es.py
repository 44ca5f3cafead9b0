"""es: three views of two edits, and the parse check."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from tests.measures.revisions import PROGRAMS, cases

from codekin import CodekinError, measure

ORIGIN = PROGRAMS["python"]
FIXED = ORIGIN.replace("-=", "+=")
WRONG = ORIGIN.replace("-=", "*=")


def es(*texts, language="python", **parameters):
    return measure("es", **parameters).score(*texts, language=language)


@settings(max_examples=60, deadline=None)
@given(cases(), st.floats(0, 1))
def test_the_score_is_made_of_its_parts(case, overlap):
    score = es(*case.texts, language=case.language, overlap=overlap)
    parts = score.parts
    mixed = 0.5 * parts["document"] + 0.25 * parts["lines"] + 0.25 * parts["tokens"]
    assert score.value == approx(mixed * parts["parses"])
    by_token = measure("es-token").score(*case.texts, language=case.language)
    assert parts["tokens"] == by_token.value
    unchecked = es(*case.texts, language=case.language, overlap=overlap, parse=False)
    assert unchecked.value == approx(mixed)
    assert unchecked.parts["parses"] == 1.0


def test_three_views_by_hand():
    # 1-grams: - is deleted and another put there; k-grams: k with - go, k come.
    score = es("return a * b", "return a + b", "return a - b")
    assert dict(score.parts) == {"document": 0.5, "lines": 0.5, "tokens": 0.5, "parses": 1.0}


def test_the_overlap_rewards_one_who_does_more():
    origin = "a = 1\nb = 2\nc = 3\n"
    right = origin.replace("b", "new(x)\nb")
    more = right + "other(y)\n"
    plain, leaning = (es(more, right, origin, overlap=share).value for share in (0.0, 1.0))
    assert plain < es(more, right, origin).value < leaning < 1


def test_a_candidate_that_does_not_parse_is_unlike_one_that_does():
    broken = FIXED.replace("s += x", "s += (x")
    assert es(broken, FIXED, ORIGIN).value == 0.0
    assert es(broken, FIXED, ORIGIN).parts["parses"] == 0.0
    assert es(broken, FIXED, ORIGIN, parse=False).value > 0.5
    assert es(broken, broken.replace("0", "1"), ORIGIN).value > 0.5
    assert "tree-sitter" in es(WRONG, FIXED, ORIGIN).signature
    assert "tree-sitter" not in es(WRONG, FIXED, ORIGIN, parse=False).signature


def test_surroundings_count_by_their_place_and_not_by_their_text():
    plain = es("return a\n", "a\n", "").value
    assert es("return a\nz\n", "a\nz\n", "z\n").value == plain
    texts = "a\nb\na\n", "a\na\nb\n", "a\nb\n"
    apart = [text.replace("b\n", "zz\nb\n") for text in texts]
    moved = es(*texts, language="javascript").value
    assert es(*apart, language="javascript").value == moved


def test_a_long_deletion_in_common_hides_no_wrong_replacement():
    origin = "a = first(old, values)\nb = second(old, values)\nc = third(old, values)\n"
    assert es("x\n", "y\n", origin).value == approx(0.5)
    assert es("x\n", "y y y\n", "a b c d e f", language="javascript").value <= 0.5


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(1, 9), st.integers(1, 9))
def test_fresh_tokens_around_a_text_in_braces_have_no_say(case, before, behind):
    if case.language == "python":
        return
    lines = case.origin.splitlines(keepends=True)
    inner = [text.removeprefix(lines[0]).removesuffix(lines[-1]) for text in case.texts]
    head = " ".join(f"zz{k}" for k in range(before)) + "\n"
    tail = " ".join(f"qq{k}" for k in range(behind)) + "\n"
    framed = [head + text + tail for text in inner]
    plain = es(*inner, language=case.language, parse=False).value
    assert es(*framed, language=case.language, parse=False).value == plain


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"order": 0}, "order must be from 1 to 64, not 0"),
        ({"document_order": 65}, "document_order must be from 1 to 64, not 65"),
        ({"overlap": -0.1}, "overlap must be from 0 to 1, not -0.1"),
        ({"overlap": float("nan")}, "overlap must be a number"),
        ({"overlap": "half"}, "overlap must be a number, not 'half'"),
        ({"parse": 1}, "parse must be True or False"),
        ({"comments": "yes"}, "comments must be True or False"),
    ],
)
def test_nonsense_is_refused(parameters, words):
    with pytest.raises(CodekinError, match=f"es: {words}"):
        measure("es", **parameters)


def test_comments_count_if_asked():
    said = FIXED.replace("s += x", "s += x  # sum")
    assert es(said, FIXED, ORIGIN).value == 1.0
    assert 0 < es(said, FIXED, ORIGIN, comments=True).value < 1
