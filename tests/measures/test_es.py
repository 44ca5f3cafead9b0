"""es: three views of two edits, the parse check, and code that does the same."""

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
    mixed = 0.5 * parts["complete"] + 0.25 * parts["lines"] + 0.25 * parts["tokens"]
    raised = mixed + 0.75 * parts["same"] * (1 - mixed)
    assert score.value == approx(raised * parts["parses"])
    by_token = measure("es-token").score(*case.texts, language=case.language)
    assert parts["tokens"] == by_token.value
    unchecked = es(*case.texts, language=case.language, overlap=overlap, parse=False)
    assert unchecked.value == approx(mixed)
    assert unchecked.parts["parses"] == 1.0
    assert unchecked.parts["same"] == float(unchecked.value == 1.0)


def test_three_views_by_hand():
    # 1-grams: - is deleted and another put there; k-grams: k with - go, k come.
    score = es("return a * b", "return a + b", "return a - b")
    views = {"complete": 0.5, "lines": 0.5, "tokens": 0.5}
    assert dict(score.parts) == {**views, "same": 0.0, "parses": 1.0}


TWO = FIXED.replace("return default", "return 0")


def test_leaving_out_an_edit_costs_more_than_adding_one():
    less, more = es(FIXED, TWO, ORIGIN), es(TWO, FIXED, ORIGIN)
    assert less.parts["complete"] == 0.0 and more.parts["complete"] == 1.0
    assert less.value < 0.5 < more.value < 1.0
    assert less.parts["lines"] == more.parts["lines"]
    assert less.parts["tokens"] == more.parts["tokens"]


def test_the_place_where_least_is_done_decides_how_complete_an_edit_is():
    both_wrong = WRONG.replace("return default", "return 1")
    one_wrong = FIXED.replace("return default", "return 1")
    complete = [es(text, TWO, ORIGIN).parts["complete"] for text in (both_wrong, one_wrong)]
    assert complete[0] == complete[1] == approx(0.5, abs=0.1)


def test_a_reference_that_changes_nothing_is_not_completed():
    assert es(FIXED, ORIGIN, ORIGIN).parts["complete"] == 0.0
    assert es(FIXED, ORIGIN, ORIGIN).value == 0.0
    assert es(ORIGIN, ORIGIN, ORIGIN).value == 1.0


MINUS = "def last(a, i):\n    n = len(a)\n    m = 2\n    return a[n - i] * m\n"
RIGHT = MINUS.replace("n - i", "n - 1 - i")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n - 1 - i", "n - i - 1"),
        ("n - 1 - i", "(n - 1) - i"),
        ("a[n - 1 - i] * m", "m * a[n - 1 - i]"),
        ("    n = len(a)\n    m = 2\n", "    m = 2\n    n = len(a)\n"),
    ],
)
def test_edits_that_do_the_same_score_high(old, new):
    alike = RIGHT.replace(old, new)
    score = es(alike, RIGHT, MINUS)
    assert score.parts["same"] == 1.0 and 0.75 < score.value < 1.0
    assert es(alike, RIGHT, MINUS, parse=False).value < score.value


def test_renamed_variables_do_the_same_and_other_names_do_not():
    renamed = RIGHT.replace("n = len", "size = len").replace("a[n", "a[size")
    assert es(renamed, RIGHT, MINUS).parts["same"] == 1.0
    assert "both revisions do the same" in es(renamed, RIGHT, MINUS).remark
    assert es(RIGHT, RIGHT, MINUS).remark == ""
    assert es(RIGHT.replace("len", "max"), RIGHT, MINUS).parts["same"] == 0.0
    assert es("x\n", "y\n", "z = 1\n").parts["same"] == 0.0
    assert es("f(x)\n", "f(y)\n", "f(1)\n").parts["same"] == 0.0
    assert es("f(x, y)\ny\n", "f(x)\ny\n", "f(1)\ny\n").parts["same"] == 0.0


def test_what_the_origin_does_too_is_nothing_to_agree_on():
    renamed, other = ORIGIN.replace("default", "d"), ORIGIN.replace("default", "e")
    assert es(renamed, other, ORIGIN).parts["same"] == 0.0


def test_without_graphs_only_tokens_tell():
    texts = [f"def f(a, b)\n  {body}\nend\n" for body in ("b + a", "a + b", "a")]
    assert es(*texts, language="ruby").parts["same"] == 0.0
    python = [f"def f(a, b):\n  return {body}\n" for body in ("b + a", "a + b", "a")]
    assert es(*python).parts["same"] == 1.0


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
    assert es(broken.replace("0", "1"), broken, ORIGIN).value > 0.5
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
        ({"complete_order": 65}, "complete_order must be from 1 to 64, not 65"),
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


@pytest.mark.parametrize(
    ("candidate", "why"),
    [("", "the candidate is empty"), ("# a\n", "the candidate contains no code")],
)
def test_deleting_everything_agrees_with_nothing(candidate, why):
    origin, reference = "def f(a):\n    b = a\n    return b\n", "def f(a):\n    return a + 1\n"
    score = measure("es").score(candidate, reference, origin, language="python")
    assert score.value == 0
    assert score.remark == f"The score is 0 because {why}."
    turned = measure("es").score(reference, candidate, origin, language="python")
    assert turned.value == 0
    assert "reference" in turned.remark
    assert measure("es").score("", candidate, origin, language="python").value == 1


SENTENCES = ["The cat sat on the mat.", "It was a sunny day.", "Birds sang in the trees."]


@settings(max_examples=30, deadline=None)
@given(st.permutations(SENTENCES), st.sets(st.integers(0, 2), min_size=1))
def test_edits_of_prose(order, edited):
    origin = " ".join(order) + "\n"
    reference = " ".join(f"{one} Indeed." if i in edited else one for i, one in enumerate(order))
    for text in (reference, f"{reference}\n"):
        same = es(text, reference, origin, language="text")
        assert same.value == 1.0
    assert es(origin, reference, origin, language="text").value == 0.0
    assert es(reference, origin, origin, language="text").value == 0.0
    assert es(origin, origin, origin, language="text").value == 1.0
    assert set(same.parts) == {"complete", "lines", "tokens"}
    assert "tree-sitter" not in same.signature


def test_the_sentence_that_was_edited_decides_about_prose():
    origin, right, wrong, elsewhere = (
        " ".join([SENTENCES[0], SENTENCES[1].replace("sunny", word), last]) + "\n"
        for word, last in (
            *(("sunny", SENTENCES[2]), ("rainy", SENTENCES[2]), ("snowy", SENTENCES[2])),
            ("sunny", "Birds slept in the trees."),
        )
    )
    scores = [
        es(text, right, origin, language="text") for text in (right, wrong, elsewhere, origin)
    ]
    # Of the words of the edit, the deleted one agrees.
    assert [one.value for one in scores[:2]] == [1.0, 0.5]
    assert scores[2].value < 0.1
    assert scores[3].value == 0.0
    assert all(
        one.value == approx(0.5 * parts["complete"] + 0.25 * (parts["lines"] + parts["tokens"]))
        for one in scores
        for parts in (one.parts,)
    )
    assert es("", right, origin, language="text").value == 0.0
