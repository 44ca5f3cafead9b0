"""es-token and es-line: values by hand, options, presets, several references, the matrix."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from tests.measures.revisions import PROGRAMS, cases

from codekin import CodekinError, Source, measure
from codekin.align.edit_operations import sari_statistics
from codekin.align.lcs import intern
from codekin.measures.excised import Units, excise

ORIGIN = PROGRAMS["python"]
FIXED = ORIGIN.replace("-=", "+=")
WRONG = ORIGIN.replace("-=", "*=")
NAMES = ["es-token", "es-line"]
words = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


def es(*texts, language="python", name="es-token", **parameters):
    return measure(name, **parameters).score(*texts, language=language)


def test_the_value_by_hand():
    score = es("return a * b", "return a + b", "return a - b")
    assert score.value == 0.5
    assert dict(score.parts) == {"add": 0.0, "delete": 1.0, "regions": 1}
    # One region: O = x y, A = p x q, B = p q; x stays in the reference alone, p and q are common.
    texts = "k p q m", "k p x q m", "k x y m"
    score = es(*texts, tokens="split")
    assert score.parts["regions"] == 1
    # 1-grams: the reference adds p and q, the candidate too; 2-grams: px, xq and pq; 3-grams: pxq.
    assert score.parts["add"] == approx((1 + 0 + 0) / 3)
    # 1-grams: y is deleted by both, x by the candidate; 2-grams: xy by both.
    assert score.parts["delete"] == approx((2 / 3 + 1) / 2)
    assert score.parts["keep"] == 0.0
    assert score.value == approx((1 / 3 + 5 / 6 + 0) / 3)


def test_a_line_is_left_whole_by_es_line():
    texts = "f(a, b)\n", "f(a, c)\n", "f(a, d)\n"
    assert es(*texts).parts == {"add": 0.0, "delete": 1.0, "regions": 1}
    score = es(*texts, name="es-line", order=2)
    # Only b, c and d are added and deleted; of pairs those with a comma and a bracket.
    assert score.parts["add"] == 0.0
    assert score.parts["delete"] == 1.0
    assert "keep" not in score.parts
    assert es(*texts, name="es-line", keep="region").parts["keep"] == 1.0


@pytest.mark.parametrize(
    ("zero", "expected"),
    [("skip", [1.0, 0.5, 0.0]), ("zero", [1.0, 0.0833, 0.0]), ("one", [1.0, 0.9167, 0.75])],
)
def test_what_an_empty_denominator_counts(zero, expected):
    found = [es(text, FIXED, ORIGIN, zero=zero).value for text in (FIXED, WRONG, ORIGIN)]
    assert found == approx(expected, abs=5e-5)


def test_the_preset_of_the_paper_on_its_third_example():
    # O = DKR, A = K with one end, B = K with another.
    texts = "k1 k2 u v w", "k1 k2 b c", "d1 d2 k1 k2 r1 r2"
    candidate, reference, origin = (text.split() for text in texts)
    left = candidate[2:], reference[2:], [*origin[:2], "break", *origin[4:]]
    mine, theirs, before = intern(*left)
    before[2] = 0
    counts = sari_statistics(before, mine, [theirs], 4)
    f_add = f_keep = 0.0
    p_del = sum(c.delete_good / c.delete_candidate if c.delete_candidate else 0 for c in counts) / 4
    assert all(c.add_good == c.keep_good == 0 for c in counts)
    assert p_del == 0.5  # all 1-grams and 2-grams of D and R go; there are no longer ones
    paper = es(*texts, tokens="split", preset="paper")
    assert paper.value == approx((f_add + f_keep + p_del) / 3) == approx(1 / 6)
    assert es(*texts, tokens="split").value == 0.5


@settings(max_examples=80, deadline=None)
@given(words, words, words, st.sampled_from(["pairwise", "threeway"]))
def test_the_preset_is_sari_of_what_is_left(candidate, reference, origin, lcs):
    score = es(candidate, reference, origin, tokens="split", preset="paper", lcs=lcs)
    sources = [Source(text, "python") for text in (candidate, reference, origin)]
    left = excise(*sources, Units(tokens="split"), "nested" if lcs == "pairwise" else lcs)
    remainders = [left.remainder(i, at) for i, at in (
        (left.origin, 4), (left.candidate, 2), (left.reference, 0))]  # fmt: skip
    shares = []
    for c in sari_statistics(remainders[0], remainders[1], [remainders[2]], 4):
        add, keep = (
            2 * good / (mine + theirs) if mine + theirs else 0.0
            for good, mine, theirs in (c[0:3], c[3:6])
        )
        delete = c.delete_good / c.delete_candidate if c.delete_candidate else 0.0
        shares.append((add + keep + delete) / 3)
    assert score.value == approx(sum(shares) / 4, abs=1e-12)


def test_the_preset_excises_the_papers_subsequence():
    # LCS(O, A) = a and LCS(O, B) = b a, at different places of O; they share a all the same.
    texts = "b a", "a", "a b a"
    assert es(*texts, tokens="split", preset="paper").value == approx(1 / 6)
    assert es(*texts, tokens="split", preset="paper", lcs="threeway").value == approx(1 / 6)
    lines = [text.replace(" ", "\n") for text in texts]
    assert es(*lines, language="java", name="es-line", preset="paper").value == approx(1 / 6)


@settings(max_examples=60, deadline=None)
@given(words, words, words)
def test_lines_of_one_word_are_excised_as_words_are(candidate, reference, origin):
    texts = candidate, reference, origin
    lines = [Source(text.replace(" ", "\n"), "java") for text in texts]
    words = [Source(text, "java") for text in texts]
    by_line = excise(*lines, Units(by="line"), "nested")
    by_word = excise(*words, Units(tokens="split"), "nested")
    assert by_line.regions.tolist() == by_word.regions.tolist()


def test_the_preset_keeps_the_flaws_of_empty_denominators():
    found = [es(text, FIXED, ORIGIN, preset="paper").value for text in (FIXED, WRONG, ORIGIN)]
    assert found == approx([1 / 6, 1 / 12, 0.0])
    assert es(ORIGIN, ORIGIN, ORIGIN, preset="paper").value == 0.0


@settings(max_examples=50, deadline=None)
@given(words, words, words)
def test_three_way_alignment_keeps_the_promises(candidate, reference, origin):
    one = {"tokens": "split", "lcs": "threeway"}
    found = es(candidate, reference, origin, **one).value
    assert (found == 1.0) == (candidate == reference)
    assert es(reference, candidate, origin, **one).value == found
    assert es(reference, reference, origin, **one).value == 1.0
    if origin != reference:
        assert es(origin, reference, origin, **one).value == 0.0


def test_three_way_alignment_is_for_short_texts():
    longer = [f"{name}({i})\n" for name in "abc" for i in range(900)]
    texts = ["".join(longer[i::3]) for i in range(3)]
    with pytest.raises(CodekinError, match="too long for an exact three-way"):
        es(*texts, lcs="threeway")


@settings(max_examples=60, deadline=None)
@given(cases())
def test_without_anchors_identity_idleness_and_symmetry_hold(case):
    candidate, reference, origin = case.texts
    found = es(*case.texts, language=case.language, anchors=False).value
    swapped = es(reference, candidate, origin, language=case.language, anchors=False).value
    assert found == swapped
    assert (found == 1.0) == (es(*case.texts, language=case.language).value == 1.0)


def test_anchors_decide_where_lines_were_moved_and_nowhere_else():
    for candidate in (FIXED, WRONG, ORIGIN.replace("    s = 0\n", ""), FIXED + "x = 1\n"):
        anchored = es(candidate, FIXED, ORIGIN)
        assert es(candidate, FIXED, ORIGIN, anchors=False).value == anchored.value
    # Token by token, what the appended line begins with is taken for that of the new one.
    plain, framed = ("return a\n", "a\n", ""), ("return a\nz\n", "a\nz\n", "z\n")
    assert es(*plain).value == es(*framed).value == approx(0.2667, abs=5e-5)
    assert es(*plain, anchors=False).value == approx(0.2667, abs=5e-5)
    assert es(*framed, anchors=False).value == approx(0.4889, abs=5e-5)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_revision_is_an_edit_like_another(name):
    empty = es("", "a = 1\n", "a = 1\nb = 2\n", name=name).value
    assert 0.3 < empty < 1
    assert es("z()\n", "a = 1\nz()\n", "a = 1\nb = 2\nz()\n", name=name).value == empty


def test_tokens_of_the_tree_change_with_what_stands_around():
    texts = "s = 1\nreturn s\n", "s -= x\nprint(s)\n", "s = 0\ns -= x\nreturn s\n"
    framed = ["def\n\n" + text for text in texts]
    assert es(*texts).value == es(*framed).value
    assert es(*texts, tokens="code").value == approx(0.2823, abs=5e-5)
    assert es(*framed, tokens="code").value == approx(0.3833, abs=5e-5)


@pytest.mark.parametrize("tokens", ["lexemes", "code", "split", "13a", "intl", "char"])
def test_every_kind_of_token_has_a_score_and_an_explanation(tokens):
    score = es(WRONG, FIXED, ORIGIN, tokens=tokens)
    assert 0 < score.value < 1
    assert score.explain().details
    assert es(FIXED, FIXED, ORIGIN, tokens=tokens).value == 1.0
    assert es(ORIGIN, FIXED, ORIGIN, tokens=tokens).value == 0.0
    assert ("tree-sitter" in score.signature) == (tokens == "code")


def test_comments_count_if_asked():
    texts = FIXED.replace("s += x", "s += x  # sum"), FIXED, ORIGIN
    for name in NAMES:
        assert es(*texts, name=name).value == 1.0
        assert es(*texts, name=name, comments=True).value < 1.0


@settings(max_examples=30, deadline=None)
@given(cases(), st.sampled_from(NAMES))
def test_the_matrix_is_that_of_single_scores(case, name):
    one = measure(name)
    sources = [Source(text, case.language) for text in (*case.texts, "", "x")]
    origin = Source(case.origin, case.language)
    found = one._pairwise(sources, origin)
    for i, a in enumerate(sources):
        for j, b in enumerate(sources):
            assert found[i, j] == one.score(a, b, origin).value


def test_what_the_matrix_cannot_do_it_leaves_to_single_scores():
    sources = [Source(text, "python") for text in (FIXED, WRONG)]
    for parameters in ({"preset": "paper"}, {"deletion": "precision"}, {"lcs": "threeway"}):
        one = measure("es-token", **parameters)
        assert one._pairwise(sources, Source(ORIGIN, "python")) is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("parameters", "words_of_it"),
    [
        ({"order": 0}, "order must be from 1 to 64, not 0"),
        ({"order": 65}, "order must be from 1 to 64"),
        ({"order": "4"}, "order must be a whole number"),
        ({"zero": "none"}, r"unknown zero 'none' \(known: skip, zero, one\)"),
        ({"keep": "all"}, "unknown keep 'all'"),
        ({"deletion": "recall"}, "unknown deletion 'recall'"),
        ({"tokens": "words"}, "unknown tokens 'words'"),
        ({"lcs": "diff"}, "unknown lcs 'diff'"),
        ({"join": "all"}, "unknown join 'all'"),
        ({"preset": "easse"}, "unknown preset 'easse'"),
        ({"preset": "paper", "zero": "one"}, "preset='paper' settles zero, keep, deletion"),
        ({"preset": "paper", "keep": "global"}, "leave them out"),
        ({"preset": "paper", "anchors": False}, "and anchors; leave them out"),
        ({"comments": 1}, "comments must be True or False"),
        ({"anchors": "no"}, "anchors must be True or False"),
        ({"join": "joint", "lcs": "threeway"}, "lcs='(threeway' aligns|pairwise' only)"),
    ],
)
def test_nonsense_is_refused(name, parameters, words_of_it):
    with pytest.raises(CodekinError, match=f"^{name}: .*{words_of_it}"):
        measure(name, **parameters)


def test_lines_need_tokens_that_lie_in_lines():
    with pytest.raises(CodekinError, match="es-line: split tokens have no lines"):
        measure("es-line", tokens="split")
    with pytest.raises(CodekinError, match="es-line: lcs='threeway' aligns tokens; use es-token"):
        measure("es-line", lcs="threeway")
    with pytest.raises(CodekinError, match="es-line: unknown parameter 'by'"):
        measure("es-line", by="token")
