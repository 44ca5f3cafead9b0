"""Texts cut into units, and the regions that are left of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.revisions import cases

from codekin import Source
from codekin.align.regions import divergent_regions
from codekin.measures.excised import UNITS, Units, excise


def sources(case):
    return [Source(text, case.language) for text in case.texts]


@settings(max_examples=40, deadline=None)
@given(cases(), st.sampled_from(UNITS), st.sampled_from(["token", "line"]), st.booleans())
def test_what_lies_outside_of_the_regions_is_the_same_in_all_three(case, tokens, by, anchors):
    units = Units(tokens, by=by, anchors=anchors)
    if by == "line" and not units.has_lines:
        return
    left = excise(*sources(case), units)
    ends = [0, 0, 0]
    texts = left.reference, left.candidate, left.origin
    for row in [*left.regions.tolist(), [n for text in texts for n in (len(text), len(text))]]:
        shared = [text[end:start] for text, end, start in zip(texts, ends, row[::2], strict=True)]
        assert np.array_equal(shared[0], shared[1])
        assert np.array_equal(shared[0], shared[2])
        ends = row[1::2]


@settings(max_examples=20, deadline=None)
@given(cases())
def test_kept_hunks_give_the_regions_of_the_three_texts(case):
    candidate, reference, origin = sources(case)
    units = Units()
    lines = units.lines(reference), units.lines(candidate), units.lines(origin)
    ids = units.ids(reference), units.ids(candidate), units.ids(origin)
    assert np.array_equal(
        excise(candidate, reference, origin, units).regions, divergent_regions(*ids, lines)
    )
    again = units.hunks(candidate, origin)
    assert again is units.hunks(candidate, Source(case.origin, case.language))
    other = Source(case.origin + "more\n", case.language)
    assert units.hunks(candidate, other) is not again


def test_a_remainder_has_a_break_between_two_regions():
    texts = "a x c y e", "a b c d e", "a b c d e"
    left = excise(*(Source(text, "python") for text in texts), Units(tokens="split"))
    ids = left.remainder(left.candidate, 2)
    assert ids.tolist() == [left.candidate[1], 0, left.candidate[3]]
    same = excise(*(Source("a", "python") for _ in range(3)), Units())
    assert same.remainder(same.origin, 4).tolist() == []


@pytest.mark.parametrize("language", ["python", "java"])
def test_lines_of_the_tree_tokens_are_where_lines_begin(language):
    source = Source("f(a)\n\n\ng(b, c)\n", language)
    units = Units("code")
    starts = units.shown(source).texts
    assert [starts[i] for i in units.lines(source)][:2] == ["f", "g"]
    assert units.lines(Source("", language)).tolist() == []
