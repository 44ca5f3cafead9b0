"""What every measure of a pair promises; those of edits need an origin, and tests of their own."""

import json
import math
import os
import subprocess
import sys
from importlib import resources

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Explanation, Source, compare, language_names, measure
from codekin.languages import get_language
from codekin.measures import measure_classes

PAIRS = [
    json.loads(line)
    for line in (resources.files("codekin") / "data" / "demo.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
FORMS = [
    (name, compat)
    for name, forms in measure_classes().items()
    for compat, cls in forms.items()
    if not cls.needs_origin  # what needs one keeps its promises in its own test
]
NAMES = [name for name, compat in FORMS if compat is None]
ODD_TEXTS = [
    "",
    " \n\t\n",
    "\0",
    "\ufeffx = 1",
    "x = '\ud800'",
    "def f(:\n  return ((",
    "}}}}{{{{",
    "é = 'ü' + \"😀\"",
    "a\r\nb\r\n",
    "#" * 50,
    "(" * 300,
]


def fresh(name, compat):
    return measure(name, compat=compat)


@pytest.mark.parametrize(("name", "compat"), FORMS)
def test_values_lie_in_range_and_equal_texts_score_1(name, compat):
    one = fresh(name, compat)
    for row in PAIRS[::5]:
        candidate = Source(row["candidate"], row["language"])
        reference = Source(row["reference"], row.get("reference_language", row["language"]))
        try:
            score = one.score(candidate, reference)
        except CodekinError:
            assert candidate.language != reference.language
            assert compat is not None
            continue
        low, high = score.bounds
        assert low <= score.value <= high
        if one.distance:
            assert score.value >= 0
        else:
            assert 0 <= low <= high <= 1 + (1e-9 if compat else 0)
        assert all(math.isfinite(part) for part in score.parts.values())
        same = one.score(reference, Source(reference.text, reference.language)).value
        assert same == pytest.approx(0.0 if one.distance else 1.0, abs=1e-9 if compat else 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", language_names())
def test_odd_texts_have_a_score_in_every_language(name, language):
    one = measure(name)
    if not one.suits(get_language(language)):
        with pytest.raises(CodekinError, match="only for python, java, c, cpp"):
            one.score("x", "y", language=language)
        return
    for text in ODD_TEXTS:
        source = Source(text, language)
        other = Source("int f(int x) { return x; }", language)
        for a, b in ((source, other), (other, source), (source, source)):
            score = one.score(a, b)
            assert math.isfinite(score.value)
            assert one.distance or 0 <= score.value <= 1
        same = one.score(source, Source(text, language)).value
        assert same == (0.0 if one.distance else 1.0), (text, same)
        explanation = one.score(source, other).explain()
        assert isinstance(explanation, Explanation)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(language_names()))
def test_any_text_has_a_score(name, a, b, language):
    one = measure(name)
    assume(one.suits(get_language(language)))
    score = one.score(a, b, language=language)
    assert math.isfinite(score.value)
    assert one.distance or 0 <= score.value <= 1
    assert one.score(a, a, language=language).value == (0.0 if one.distance else 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_one_empty_text_scores_0(name):
    one = measure(name)
    for language in filter(lambda name: one.suits(get_language(name)), language_names()):
        value = one.score("", "int f(int x) { return x; }", language=language).value
        assert value == (26.0 if one.distance else 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_spans_lie_in_their_texts_in_order(name):
    one = measure(name)
    for row in PAIRS[::4]:
        candidate = Source(row["candidate"], row["language"])
        reference = Source(row["reference"], row.get("reference_language", row["language"]))
        explanation = one.score(candidate, reference).explain()
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


@pytest.mark.parametrize(("name", "compat"), FORMS)
def test_several_references_are_at_least_as_good_as_the_worst(name, compat):
    one = fresh(name, compat)
    pool = [row["reference"] for row in PAIRS[:3] if row["language"] == PAIRS[0]["language"]]
    language = PAIRS[0]["language"]
    candidate = PAIRS[0]["candidate"]
    joined = one.score(candidate, references=pool, language=language).value
    single = [one.score(candidate, r, language=language).value for r in pool]
    assert joined <= max(single) if one.distance else joined >= min(single) - 1e-9


SCRIPT = """
import json, sys
from importlib import resources
from codekin import Source, compare
rows = (resources.files("codekin") / "data" / "demo.jsonl").read_text(encoding="utf-8")
out = []
for line in rows.splitlines()[::4]:
    row = json.loads(line)
    a = Source(row["candidate"], row["language"])
    b = Source(row["reference"], row.get("reference_language", row["language"]))
    result = compare(a, b)
    out.append({n: [s.value.hex(), s.signature, str(s.explain())] for n, s in result.items()})
print(json.dumps(out))
"""


def test_scores_do_not_depend_on_the_hash_seed():
    printed = set()
    for seed in range(2):
        environment = dict(os.environ, PYTHONHASHSEED=str(seed))
        result = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        printed.add(result.stdout)
    assert len(printed) == 1


def test_compare_takes_all_measures_and_shows_itself():
    result = compare("x = 1", "x = 2", language="python")
    assert list(result) == NAMES
    assert repr(result).startswith("<Comparison exact=0.0000")
    assert "<table>" in result._repr_html_()
    assert "<table>" in result["bleu"]._repr_html_()


def test_counts_are_shown_without_decimals():
    shown = compare("x = 1; y = 2", "x = 2; y = 1", language="python")
    cells = dict(shown["bleu"].table().rows)
    assert (cells["length"], cells["precision_2"]) == ("8", "0.7143")
    assert dict(shown["ed"].table().rows)["ed ↓"] == "2"


def test_compare_leaves_out_what_does_not_suit_a_language():
    names = list(compare("int x = 1;", "int x = 2;", language="csharp"))
    assert "cssg" not in names
    assert {"ruby", "tsed"} < set(names)


def test_wrong_input_is_named():
    with pytest.raises(CodekinError, match="candidate must be a Source or a str, not bytes"):
        measure("nes").score(b"x", "y")
    with pytest.raises(CodekinError, match="give a reference"):
        measure("nes").score("x")
    with pytest.raises(CodekinError, match="not both"):
        measure("nes").score("x", "y", references=["z"])
    with pytest.raises(CodekinError, match="at least one"):
        measure("nes").score("x", references=[])
    with pytest.raises(CodekinError, match=r"did you mean 'bleu'\? \(codekin measures lists"):
        measure("blue")
    with pytest.raises(CodekinError, match=r"unknown measure 'qqqq' \(known: exact, "):
        measure("qqqq")
