import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Source, measure
from codekin.measures import measure_classes

FORMS = list(measure_classes()["sari"])
ZEROS = ["zero", "one", "skip"]
ORIGIN = "def total(xs):\n    s = 0\n    for x in xs:\n        s -= x\n    return s\n"
FIXED = ORIGIN.replace("-=", "+=")
WRONG = ORIGIN.replace("-=", "*=")
words = st.lists(st.sampled_from("ab=()\n"), max_size=14).map(" ".join)


def python(candidate, reference, origin, **parameters):
    return measure("sari", **parameters).score(candidate, reference, origin, language="python")


def test_the_value_by_hand():
    score = python("return a * b", "return a + b", "return a - b")
    # Tokens: return a - b, line end. Kept by both: 4 of 4, 2 of 2 bigrams, no longer ones.
    # Deleted by both: 1, 2, 3 and 2 n-grams. Added: * is not +.
    parts = {name: score.parts[name] for name in ("add", "keep", "delete")}
    assert parts == {"add": 0.0, "keep": 0.5, "delete": 1.0}
    assert score.value == pytest.approx(0.5)
    skipping = python("return a * b", "return a + b", "return a - b", zero="skip")
    assert skipping.parts["keep"] == 1.0


def test_precision_and_recall_stand_beside_each_part():
    score = python("a\nb\nc", "a\nb", "a", order=1)
    assert score.parts["add_precision"] == 1 / 2
    assert score.parts["add_recall"] == 1.0
    assert score.parts["add"] == pytest.approx(2 / 3)


def test_a_perfect_fix_an_untouched_text_and_a_wrong_fix():
    assert python(FIXED, FIXED, ORIGIN).value == 1.0
    assert python(ORIGIN, FIXED, ORIGIN).value == pytest.approx(0.3163, abs=1e-4)
    assert python(ORIGIN, FIXED, ORIGIN, zero="one").value == pytest.approx(0.6496, abs=1e-4)
    assert python(ORIGIN, FIXED, ORIGIN, keep=False).value == 0.0
    assert python(WRONG, FIXED, ORIGIN).value == pytest.approx(2 / 3)


def test_three_equal_texts():
    assert python(ORIGIN, ORIGIN, ORIGIN).value == pytest.approx(1 / 3)
    assert python(ORIGIN, ORIGIN, ORIGIN, keep=False).value == 0.0
    for zero in ("one", "skip"):
        assert python(ORIGIN, ORIGIN, ORIGIN, zero=zero).value == 1.0
        assert python(ORIGIN, ORIGIN, ORIGIN, zero=zero, keep=False).value == 1.0


@pytest.mark.parametrize("zero", ZEROS)
def test_empty_texts(zero):
    for origin in ("", "x = 1"):
        assert python("", "", origin, zero=zero).value == 1.0
        assert python("# only a comment", "", origin, zero=zero).value == 1.0
        assert python("", "x = 2", origin, zero=zero).value == 0.0
        assert python("x = 2", "", origin, zero=zero).value == 0.0
    assert python("x = a + b", "x = a + b", "", zero="skip").value == 1.0
    several = measure("sari", zero=zero)
    assert several.score("", origin="a", references=["a", ""], language="python").value == 1.0
    found = several.score("a", origin="b", references=["", "a"], language="python").value
    assert 0 < found <= 1


def test_skip_judges_by_equality_where_nothing_is_left():
    only_changes = {"zero": "skip", "keep": False, "order": 1}
    # The origin has all the tokens, and as often: nothing is added or deleted.
    assert python("a\nb", "b\na", "a\nb", **only_changes).value == 0.0
    assert python("b\na", "b\na", "a\nb", **only_changes).value == 1.0
    assert python("a\nb", "b\na", "a\nb", **only_changes).parts == {}
    pooled = measure("sari", **only_changes).score(
        "b\na", origin="a\nb", references=["a\nb", "b\na"], language="python"
    )
    assert pooled.value == 1.0


def test_skip_counts_what_only_one_revision_does_as_wrong():
    idle = python(ORIGIN, ORIGIN.replace("    s = 0\n", ""), ORIGIN, zero="skip", keep=False)
    assert idle.value == 0.0
    busy = python(ORIGIN.replace("    s = 0\n", ""), ORIGIN, ORIGIN, zero="skip", keep=False)
    assert busy.value == 0.0


def test_deletion_by_f1_sees_what_was_not_deleted():
    texts = "a\nb\nc", "a", "a\nb\nc\nd"
    assert python(*texts, order=1).parts["delete"] == 1.0
    by_f1 = python(*texts, order=1, deletion="f1").parts
    assert by_f1["delete"] < 1.0
    assert by_f1["delete_recall"] < by_f1["delete_precision"] == 1.0


def test_references_weigh_by_how_many_have_an_ngram():
    sari = measure("sari", order=1, tokens="split")
    texts = {"origin": "a b", "references": ["a", "b"]}
    keeps = sari.score("a", **texts, language="python")
    # Both references together keep one a and one b; kept: a twice, of which one is right.
    assert keeps.parts["keep_precision"] == 1 / 2
    assert keeps.parts["keep_recall"] == 1 / 2
    assert keeps.parts["delete"] == 1 / 2
    assert "|references:2|" in keeps.signature
    assert keeps.pair[1].text == "a"
    assert keeps.explain().reference_text == "a"


@pytest.mark.parametrize("compat", FORMS)
def test_no_origin_no_score(compat):
    with pytest.raises(CodekinError, match="needs the text that both were made from"):
        measure("sari", compat=compat).score("a", "b", language="python")
    with pytest.raises(CodekinError, match="needs the text that both were made from"):
        measure("sari", compat=compat).explain(Source("a", "python"), Source("b", "python"))


@pytest.mark.parametrize("compat", FORMS)
@settings(max_examples=40, deadline=None)
@given(words, words, words, words)
def test_values_lie_in_range_and_prepared_sources_score_alike(compat, a, b, c, origin):
    one = measure("sari", compat=compat)
    sources = [Source(text, "python") for text in (a, b, c)]
    before = Source(origin, "python")
    for _ in range(2):
        score = one.score(sources[0], origin=before, references=sources[1:])
        assert -1e-9 * bool(compat) <= score.value <= 1 + 1e-9 * bool(compat)
        assert all(0 <= part <= 1 for part in score.parts.values())
        fresh = one.score(a, origin=origin, references=[b, c], language="python")
        assert fresh.value == score.value


@settings(max_examples=60, deadline=None)
@given(words, words, st.sampled_from([{}, {"keep": False}, {"deletion": "f1"}]))
def test_the_reference_itself_is_perfect_where_nothing_empty_counts(text, origin, parameters):
    for zero in ("one", "skip"):
        assert python(text, text, origin, zero=zero, **parameters).value == 1.0


@settings(max_examples=60, deadline=None)
@given(words, words, words)
def test_with_f1_candidate_and_reference_change_places(a, b, origin):
    forth = python(a, b, origin, deletion="f1").value
    assert forth == pytest.approx(python(b, a, origin, deletion="f1").value, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40), st.sampled_from(ZEROS))
def test_any_text_has_a_score_and_an_explanation(a, b, origin, zero):
    score = measure("sari", zero=zero).score(a, b, origin, language="cpp")
    assert 0 <= score.value <= 1
    check_spans(score.explain())


@pytest.mark.parametrize("compat", FORMS)
@pytest.mark.parametrize("odd", ["", " \n\t", "\0\x01\x7f", "x = '\ud800'", "}}}}((", "é 😀"])
def test_odd_texts_have_a_score(compat, odd):
    one = measure("sari", compat=compat)
    for texts in ((odd, "x = 1", "y"), ("x", odd, "y = 2"), ("x", "y", odd), (odd, odd, odd)):
        score = one.score(*texts, language="python")
        assert math.isfinite(score.value)
        check_spans(score.explain())


def check_spans(explanation):
    assert explanation.summary
    for spans, text in (
        (explanation.candidate, explanation.candidate_text),
        (explanation.reference, explanation.reference_text),
    ):
        end = 0
        for span in spans:
            assert end <= span.start < span.end <= len(text)
            assert 0 < span.level <= 1
            end = span.end


def test_the_explanation_names_what_was_done():
    score = python(WRONG.replace("xs", "ys"), FIXED, ORIGIN)
    why = score.explain()
    assert f"sari is {score.value:.4f} (add 0.0000, keep 0.8723, delete 0.3333" in why.summary
    assert dict(why.details) == {
        "tokens added only by the candidate": "ys  *=",
        "tokens added only by the reference": "+=",
        "tokens deleted by both": "-=",
        "tokens deleted only by the candidate": "xs",
    }
    shaded = [why.candidate_text[s.start : s.end] for s in why.candidate]
    assert "def total(" in shaded[0]
    assert not any("ys" in piece or "*=" in piece for piece in shaded)


def test_moved_tokens_are_explained_by_bigrams():
    details = dict(python("a\nb\nc", "c\na\nb", "b\na\nc").explain().details)
    assert all(name.startswith("bigrams") for name in details)


def test_right_additions_are_shaded_in_both_texts():
    why = python("x = a + new", "x = b + new", "x = 1").explain()
    for spans, text in ((why.candidate, why.candidate_text), (why.reference, why.reference_text)):
        shaded = "".join(text[s.start : s.end] for s in spans)
        assert "+ new" in shaded
        assert "a" not in shaded
        assert "b" not in shaded


def test_what_is_kept_too_often_is_not_shaded():
    why = python("f(a)\nf(a)\n", "f(a)\n", "f(a)\n").explain()
    assert max(span.end for span in why.candidate) <= len("f(a)\n")
    assert why.candidate[0].level == 1.0


def test_layout_and_comments_do_not_count_by_default():
    assert python(FIXED.replace("s += x", "s  +=  x  # add"), FIXED, ORIGIN).value == 1.0
    commented = python(FIXED + "# done\n", FIXED, ORIGIN, comments=True)
    assert commented.value < 1.0


def test_the_signature_names_what_decides_the_score():
    assert python("a", "b", "c").signature.startswith("sari|tree-sitter-python-")
    assert "|zero:skip|" in python("a", "b", "c", zero="skip").signature
    assert "tree-sitter" not in python("a", "b", "c", tokens="13a", lowercase=True).signature


def test_scores_can_be_pickled():
    score = python(WRONG, FIXED, ORIGIN)
    again = pickle.loads(pickle.dumps(score))
    assert (again.value, again.signature) == (score.value, score.signature)
    assert str(again.explain()) == str(score.explain())


@pytest.mark.parametrize(
    "parameters",
    [
        {"order": 0},
        {"order": 65},
        {"zero": "half"},
        {"deletion": "recall"},
        {"tokens": "wordpiece"},
        {"keep": "yes"},
        {"lowercase": True},
    ],
)
def test_bad_parameters_are_refused(parameters):
    with pytest.raises(CodekinError, match="sari: "):
        measure("sari", **parameters)


def test_an_origin_given_as_text_has_the_language_of_the_candidate():
    java = "class A { int f(int a) { return a; } }"
    seen = measure("sari").score(java, java, "int x = 1;")
    assert seen.origin.language is seen.pair[0].language
    beside = measure("sari").score(Source(java, "java"), java, "int x = 1;")
    assert beside.origin.language.name == "java"
