"""sanslcs: a pairwise measure of what is left."""

import pytest
from hypothesis import given, settings
from pytest import approx
from tests.measures.revisions import PROGRAMS, cases

from codekin import CodekinError, measure
from codekin.measures import measure_label, parse_measure

ORIGIN = PROGRAMS["python"]
FIXED = ORIGIN.replace("-=", "+=")
WRONG = ORIGIN.replace("-=", "*=")
INNER = ["bleu", "nes", "codebleu", "chrf", "jaccard:n=2", "bleu:tokens=split"]


def sans(*texts, language="python", **parameters):
    return measure("sanslcs", **parameters).score(*texts, language=language)


@pytest.mark.parametrize("inner", INNER)
def test_every_similarity_can_compare_what_is_left(inner):
    assert sans(FIXED, FIXED, ORIGIN, inner=inner).value == 1.0
    assert sans(ORIGIN, FIXED, ORIGIN, inner=inner).value < 0.6
    partly = FIXED.replace("default", "other")
    score = sans(partly, FIXED.replace("default", "another"), ORIGIN, inner=inner)
    assert 0 < score.value < 1
    assert score.signature.split("|")[0] == "sanslcs"
    assert f"inner:{inner}" in score.signature or inner == "bleu"
    assert score.explain().summary


@pytest.mark.parametrize("inner", INNER)
def test_shared_context_has_no_say(inner):
    texts = "f(a, b)\nx = 1\n", "f(a, c)\nx = 2\n", "f(d)\nx = 0\n"
    framed = [f"{ORIGIN}{text}{ORIGIN}" for text in texts]
    assert sans(*framed, inner=inner).value == approx(sans(*texts, inner=inner).value)


@settings(max_examples=40, deadline=None)
@given(cases())
def test_lines_before_and_behind_have_no_say_for_bleu(case):
    found = sans(*case.texts, language=case.language).value
    assert 0 <= found <= 1
    assert sans(*case.framed("fed a\n", "b c\n"), language=case.language).value == found
    _, reference, origin = case.texts
    same = sans(reference, reference, origin, language=case.language).value
    assert same == 1.0


def test_ngrams_span_no_two_regions():
    # a and b are new in both, in two regions here and in one there.
    apart, together = "a k b", "a b k"
    origin = "k"
    bleu = {"inner": "bleu:order=2", "language": "javascript"}
    score = sans(apart, together, origin, **bleu)
    # Neither region of `apart` holds a pair, although they would read "a b" one after the other.
    assert (score.parts["precision_1"], score.parts["precision_2"]) == (1.0, 0.0)
    reverse = sans(together, apart, origin, **bleu)
    assert reverse.parts["precision_2"] < 1.0
    assert reverse.value < 1.0
    # Other measures see the regions one a line; where lines are no tokens, their n-grams span them.
    assert sans(apart, together, origin, inner="jaccard:n=2", language="javascript").value == 1.0


def test_doing_nothing_has_what_was_deleted_left():
    found = {inner: sans(ORIGIN, FIXED, ORIGIN, inner=inner).value for inner in INNER[:3]}
    assert found["bleu"] == 0.0
    assert found["nes"] == 0.5  # -= and += share a character
    assert found["codebleu"] == approx(0.5479, abs=5e-5)


def test_bleu_is_that_of_the_one_region():
    texts = "x = f(a, b)\n", "x = f(a, c)\n", "y\n"
    whole = measure("bleu", tokens="split")
    expected = whole.score("x = f ( a , b )", "x = f ( a , c )", language="javascript").value
    assert sans(*texts, language="javascript").value == approx(expected)


def test_what_it_cannot_see():
    # A deletion in common, Example 3 of the paper.
    texts = "keep;\nu = v\n", "keep;\nb()\n", "old(first);\nkeep;\ntail.end;\n"
    assert sans(*texts, language="javascript").value == 0.0
    # A line in the wrong place is the same line; so is one that nobody moved but the reference.
    origin = "a = 1\nb = 2\nc = 3\n"
    here, there = origin.replace("b", "new(x)\nb"), origin.replace("c", "new(x)\nc")
    assert sans(here, there, origin).value == 1.0
    idle = sans("a = 1\nb = 2\n", "b = 2\na = 1\n", "a = 1\nb = 2\n")
    assert idle.value == 1.0


def test_one_that_leaves_nothing():
    assert sans("a\n", "a\nb\n", "a\nb\n").value == 0.0
    assert sans("a\n", "a\n", "a\nb\n").value == 1.0
    assert sans("a\n", "a\n", "a\n").value == 1.0


def test_lines_and_three_way_alignment():
    texts = "f(a, b)\n", "f(a, c)\n", "f(a, d)\n"
    ways = {"lines": {"by": "line"}, "threeway": {"lcs": "threeway"}, "tree": {"tokens": "code"}}
    found = {
        name: sans(*texts, inner="jaccard", language="javascript", **way).value
        for name, way in ways.items()
    }
    assert found == {"lines": approx(5 / 7), "threeway": 0.0, "tree": 0.0}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"inner": "ed"}, "inner='ed' is a distance; use a pairwise similarity"),
        ({"inner": "sari"}, "inner='sari' needs an origin itself"),
        ({"inner": "sanslcs"}, "inner='sanslcs' needs an origin itself"),
        ({"inner": "es-token:order=2"}, "needs an origin itself"),
        ({"by": "word"}, "unknown by 'word'"),
        ({"tokens": "split"}, "unknown tokens 'split'"),
        ({"lcs": "diff"}, "unknown lcs 'diff'"),
        ({"by": "line", "lcs": "threeway"}, "lcs='threeway' aligns tokens; use by='token'"),
        ({"inner": 3}, "inner must be a word"),
    ],
)
def test_nonsense_is_refused(parameters, words):
    with pytest.raises(CodekinError, match=f"sanslcs: .*{words}"):
        measure("sanslcs", **parameters)


def test_an_unknown_inner_measure_is_named():
    with pytest.raises(CodekinError, match="did you mean 'bleu'"):
        measure("sanslcs", inner="blue")
    with pytest.raises(CodekinError, match="order"):
        measure("sanslcs", inner="bleu:order=0")


def test_the_tree_counts_where_the_inner_measure_looks_at_it():
    assert "tree-sitter" not in sans(WRONG, FIXED, ORIGIN, inner="chrf").signature
    assert "tree-sitter" in sans(WRONG, FIXED, ORIGIN, inner="codebleu").signature
    assert "tree-sitter" in sans(WRONG, FIXED, ORIGIN, tokens="code").signature
    # BLEU counts the lexemes that were aligned, and nothing is parsed.
    assert sans(WRONG, FIXED, ORIGIN).signature.startswith("sanslcs|python|")


def test_an_inner_measure_with_several_parameters_can_be_written_in_one_word():
    word = "sanslcs:inner=bleu:order=2;smoothing=floor,by=line"
    made = parse_measure(word)
    assert made == measure("sanslcs", inner="bleu:order=2;smoothing=floor", by="line")
    assert measure_label(made) == word
    assert made.pairwise == measure("bleu", order=2, smoothing="floor")
    with pytest.raises(CodekinError, match="write 'bleu:order=2;smoothing=floor'"):
        measure("sanslcs", inner="bleu:order=2,smoothing=floor")
