from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.real_programs import LANGUAGES, PROGRAMS

from codekin import Source, measure
from codekin.measures.cssg import node_levels

ONE = """\
def area(width, height):
    if width < 0:
        return 0
    size = width * height
    print(size)
    return size
"""
OTHER = """\
def area(w, h):
    size = w * h
    log(size)
    return size
"""


def _shaded(explanation, side):
    text = getattr(explanation, f"{side}_text")
    return [(text[s.start : s.end], s.level) for s in getattr(explanation, side)]


def test_what_is_matched_is_shaded_and_the_rest_is_listed():
    why = measure("cssg").score(ONE, OTHER, language="python").explain()
    assert why.summary.startswith("The cheapest edit of one graph into the other keeps 7 of 10")
    shaded = "".join(text for text, _ in _shaded(why, "candidate"))
    assert "width * height" in shaded
    assert "width < 0" not in shaded
    assert "print" not in shaded
    assert "log" not in "".join(text for text, _ in _shaded(why, "reference"))
    details = dict(why.details)
    assert "4 width * height ↔ 2 w * h" in details["matched, written differently"]
    assert details["only in the candidate"] == "2 width < 0; 3 return 0; 5 print(size)"
    assert details["only in the reference"] == "3 log(size)"


def test_an_operation_that_lost_an_edge_is_shaded_less():
    one = "def f(a, b):\n    c = a + 1\n    d = a * 2\n    return c - d\n"
    other = one.replace("a * 2", "b * 2")
    why = measure("cssg").score(one, other, language="python").explain()
    levels = dict(_shaded(why, "candidate"))
    assert levels["a * 2"] < 1
    assert levels["c = a + 1"] == 1
    assert dict(why.details)["edges of matched operations, only in the candidate"] == (
        "data 1 a → 3 a * 2"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_an_equal_program_is_shaded(language):
    text = PROGRAMS[language][0]
    source = Source(text, language)
    why = measure("cssg").score(source, Source(text, language)).explain()
    assert {span.level for span in why.candidate} == {1}
    uncovered, last = "", 0
    for span in (*why.candidate, None):
        uncovered += text[last : span.start if span else len(text)]
        last = span.end if span else 0
    assert not list(Source(uncovered, language).tokens)


@settings(max_examples=15)
@given(*(st.tuples(st.sampled_from(LANGUAGES), st.integers(0, 99)) for _ in range(2)))
def test_levels_are_shares_of_what_is_kept(first, second):
    one, other = (Source(PROGRAMS[k][n % len(PROGRAMS[k])], k) for k, n in (first, second))
    match = measure("cssg", steps=1000).match(one, other)
    for side, levels in enumerate(node_levels(match)):
        matched = set(match.pairs[:, side].tolist())
        assert {node for node, level in enumerate(levels.tolist()) if level > 0} == matched
        assert levels.max() <= 1
