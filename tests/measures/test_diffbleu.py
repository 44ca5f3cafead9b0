import itertools
import json
import math
import random

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize import wordpunct_tokenize
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from pytest import approx

from codekin import CodekinError, Source, language_names, measure
from codekin.align.line_diff import unified_diff

ORIGIN = "def total(xs):\n    s = 0\n    for x in xs:\n        s -= x\n    return s\n"
FIXED = ORIGIN.replace("-=", "+=")
WRONG = ORIGIN.replace("-=", "*=")
lines = st.sampled_from(["a = 1", "  b(a)", "", "if a:", "    c.d", "# no", "x = 'é'", "}"])
programs = st.builds(
    lambda lines, end: "\n".join(lines) + end,
    st.lists(lines, max_size=8),
    st.sampled_from(["\n", "\n", ""]),
)


def diffbleu(**parameters):
    return measure("diffbleu", **parameters)


def value(candidate, reference, origin, **parameters):
    return diffbleu(**parameters).score(candidate, reference, origin, language="python").value


def without_marks(diff):
    """What ``grep -v 'No newline at end of file'`` leaves."""
    lines = diff.splitlines(keepends=True)
    return "".join(line for line in lines if "No newline at end of file" not in line)


@settings(max_examples=60)
@given(programs, programs, programs)
def test_nofuneval_is_the_bleu_of_nltk(candidate, reference, origin):
    diffs = [
        unified_diff(origin, t, context=0, ignore_all_space=True, ignore_blank_lines=True)
        for t in (reference, candidate)
    ]
    diffs = [without_marks(diff) for diff in diffs]
    expected = 0.0
    if candidate.strip():
        theirs, mine = map(wordpunct_tokenize, diffs)
        expected = sentence_bleu([theirs], mine, smoothing_function=SmoothingFunction().method1)
    found = value(candidate, reference, origin, compat="nofuneval")
    assert found == approx(expected, abs=1e-12)
    ended = all(text.endswith("\n") for text in (candidate, reference, origin))
    if ended and all(diffs) and candidate.strip() and reference.strip():
        assert value(candidate, reference, origin, comments=True) == approx(found, abs=1e-12)


@settings(max_examples=60)
@given(programs, programs, programs)
def test_codeplan_is_the_bleu_of_sacrebleu(candidate, reference, origin):
    theirs, mine = unified_diff(origin, reference), unified_diff(origin, candidate)
    if not theirs or not mine:
        with pytest.raises(CodekinError, match=r"has no value where the (candidate|reference)"):
            value(candidate, reference, origin, compat="codeplan")
        return
    bleu = sacrebleu.BLEU(smooth_method="none")
    expected = bleu.corpus_score([mine], [[theirs]]).score / 100
    found = value(candidate, reference, origin, compat="codeplan")
    assert found == approx(expected, abs=1e-12)
    ended = all(text.endswith("\n") for text in (candidate, reference, origin))
    if ended and candidate.strip() and reference.strip():
        ours = value(candidate, reference, origin, recipe="codeplan", comments=True)
        assert ours == approx(found, abs=1e-12)


@pytest.mark.parametrize("recipe", ["nofuneval", "codeplan"])
def test_equal_is_exactly_1_and_one_sided_is_0(recipe):
    for reference in (FIXED, ORIGIN, "", WRONG):
        assert value(reference, reference, ORIGIN, recipe=recipe) == 1.0
    assert value(ORIGIN, FIXED, ORIGIN, recipe=recipe) == 0.0
    assert value(FIXED, ORIGIN, ORIGIN, recipe=recipe) == 0.0
    assert value("", FIXED, ORIGIN, recipe=recipe) == 0.0
    assert value(FIXED, "\n", ORIGIN, recipe=recipe) == 0.0
    assert value("", " \n", ORIGIN, recipe=recipe) == 1.0
    assert 0 < value(WRONG, FIXED, ORIGIN, recipe=recipe) < 1


def test_agreement_on_what_is_deleted_outweighs_what_is_put_there():
    unlike = ORIGIN.replace("        s -= x\n", "        s = max(x, s)\n")
    elsewhere = ORIGIN.replace("s = 0", "s = 1")
    assert value(unlike, FIXED, ORIGIN) > value(elsewhere, FIXED, ORIGIN)


def test_white_space_counts_for_codeplan_alone():
    spaced = FIXED.replace("s += x", "s  +=  x")
    assert value(spaced, FIXED, ORIGIN) == 1.0
    assert value(spaced, FIXED, ORIGIN, recipe="codeplan") == 1.0  # equal tokens all the same
    indented = ORIGIN.replace("    return", "        return")
    assert value(indented, FIXED, ORIGIN) == 0.0
    assert value(indented, FIXED, ORIGIN, recipe="codeplan") > 0.0


@pytest.mark.parametrize("recipe", ["nofuneval", "codeplan"])
@settings(max_examples=20)
@given(programs, programs, programs)
def test_the_final_newline_makes_no_difference(recipe, candidate, reference, origin):
    texts = [text + "x\n" for text in (candidate, reference, origin)]
    plain = value(*texts, recipe=recipe)
    for bare in itertools.product((False, True), repeat=3):
        cut = [text[:-1] if b else text for text, b in zip(texts, bare, strict=True)]
        assert value(*cut, recipe=recipe) == plain


@pytest.mark.parametrize("form", [{}, {"recipe": "codeplan"}, {"compat": "nofuneval"}])
def test_equal_but_for_the_final_newline(form):
    fixed = ORIGIN.replace("return s", "return -s")
    assert value(fixed[:-1], fixed, ORIGIN, **form) == 1.0
    assert value(fixed, fixed[:-1], ORIGIN, **form) == 1.0


def test_what_nofuneval_leaves_out_of_a_diff():
    said, asked = (f"{ORIGIN}{f}('No newline at end of file')\n" for f in ("say", "ask"))
    assert value(said, asked, ORIGIN) < value(said, asked, ORIGIN, compat="nofuneval") == 1.0
    for blank in ("", " ", "\n\t\n", "\u2003"):
        assert value(blank, blank, ORIGIN, compat="nofuneval") == 0.0


@pytest.mark.parametrize("recipe", ["nofuneval", "codeplan"])
@given(st.randoms(use_true_random=False))
def test_comments_make_no_difference(recipe, chance):
    def commented(text):
        lines = []
        for line in text.splitlines():
            if chance.random() < 0.4:
                lines.append(" " * chance.randrange(9) + "# say")
            lines.append(line + ("  # so" if chance.random() < 0.4 else ""))
        return "\n".join(lines) + "\n"

    texts = [WRONG, FIXED, ORIGIN]
    plain = value(*texts, recipe=recipe)
    assert value(*map(commented, texts), recipe=recipe) == plain
    said = WRONG.replace("s *= x", "s *= x  # so")
    assert value(said, FIXED, ORIGIN, recipe=recipe, comments=True) < plain


def test_the_best_of_several_references():
    score = diffbleu().score(WRONG, origin=ORIGIN, references=[ORIGIN, FIXED], language="python")
    assert score.value == value(WRONG, FIXED, ORIGIN)
    assert score.pair[1].text == FIXED
    assert "references:2" in score.signature


def test_parts_and_signature():
    score = diffbleu().score(WRONG, FIXED, ORIGIN, language="python")
    assert score.parts["length"] == score.parts["reference_length"] == 19
    assert score.parts["precision_1"] == approx(18 / 19)
    assert score.signature.startswith("diffbleu|tree-sitter-python-")
    assert "tree-sitter" not in diffbleu(comments=True).signature()
    assert "compat:codeplan" in diffbleu(compat="codeplan").signature()
    untouched = diffbleu().score(ORIGIN, FIXED, ORIGIN, language="python")
    assert untouched.parts == {"length": 0, "reference_length": 19}


def test_an_origin_is_needed_and_recipes_are_known():
    with pytest.raises(CodekinError, match="needs the text that both were made from"):
        diffbleu().score(FIXED, FIXED, language="python")
    with pytest.raises(CodekinError, match="unknown recipe 'git'"):
        diffbleu(recipe="git")


@pytest.mark.parametrize("compat", [None, "nofuneval", "codeplan"])
def test_an_explanation_shows_changed_lines(compat):
    candidate = "# why\n" + WRONG.replace("s = 0", "s = 1")
    score = diffbleu(compat=compat).score(candidate, FIXED, ORIGIN, language="python")
    explanation = score.explain()
    shown = [candidate[s.start : s.end] for s in explanation.candidate]
    assert shown[-2:] == ["s = 1", "s *= x"]
    assert [FIXED[s.start : s.end] for s in explanation.reference] == ["s += x"]
    details = dict(explanation.details)
    assert details["removed by both"] == "s -= x"
    assert details["added by the reference alone"] == "s += x"
    assert details["removed by the candidate alone"] == "s = 0"
    assert f"diffbleu is {score.value:.4f}" in explanation.summary


def test_lines_that_both_add_are_shaded_fully():
    score = diffbleu().score(FIXED + "y = 1\n", FIXED, ORIGIN, language="python")
    explanation = score.explain()
    assert [span.level for span in explanation.candidate] == [1.0]
    assert dict(explanation.details)["added by both"] == "s += x"
    assert dict(explanation.details)["added by the candidate alone"] == "y = 1"


def test_long_lists_are_cut():
    longer = FIXED + "".join(f"y{i} = {i}\n" for i in range(9))
    details = dict(diffbleu().score(longer, FIXED, ORIGIN, language="python").explain().details)
    assert details["added by the candidate alone"].endswith("y3 = 3  and 5 more")


@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=60),
    st.text(max_size=60),
    st.text(max_size=60),
    st.sampled_from(language_names()),
    st.sampled_from(["nofuneval", "codeplan"]),
)
def test_any_texts_have_a_score(candidate, reference, origin, language, recipe):
    one = diffbleu(recipe=recipe)
    score = one.score(candidate, reference, origin, language=language)
    assert 0 <= score.value <= 1
    assert all(math.isfinite(part) for part in score.parts.values())
    assert one.score(reference, reference, origin, language=language).value == 1.0
    for spans, text in (
        (score.explain().candidate, candidate),
        (score.explain().reference, reference),
    ):
        ends = [0, *(n for span in spans for n in (span.start, span.end)), len(text)]
        assert ends == sorted(ends)
        assert all(0 < span.level <= 1 for span in spans)


def test_diffs_are_kept_with_their_source():
    chance = random.Random(1)
    origin, candidate, reference = (
        Source("".join(f"x{chance.randrange(9)} = 1\n" for _ in range(30)), "python")
        for _ in range(3)
    )
    first = diffbleu().score(candidate, reference, origin).value
    kept = json.dumps(sorted(map(str, candidate._kept)))
    assert diffbleu().score(candidate, reference, origin).value == first
    assert json.dumps(sorted(map(str, candidate._kept))) == kept
    other = Source(origin.text + "y = 1\n", "python")
    assert diffbleu().score(candidate, reference, other).value != first
