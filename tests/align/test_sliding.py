from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codekin.align.regions import revision_hunks
from codekin.align.sliding import Stops, slide_insertions
from codekin.align.three_way import EditKind, ThreeWayAlignment, hunk_columns

TEXTS = st.lists(st.integers(1, 3), max_size=14)
STOPS = st.frozensets(st.integers(0, 14), max_size=8)


def _ids(values):
    return np.array(values, dtype=np.uint64)


def _slid(first, second, origin, stops):
    ids = _ids(first), _ids(second), _ids(origin)
    hunks = revision_hunks(*ids)
    return ids, hunks, slide_insertions(ids[:2], hunks, stops)


@given(TEXTS, TEXTS, TEXTS, STOPS, STOPS, STOPS)
def test_slid_hunks_align_the_same_texts_and_keep_the_same_tokens(a, b, o, one, two, best):
    stops = Stops(one, best), Stops(two, best)
    ids, before, after = _slid(a, b, o, stops)
    # The constructor checks that every position occurs once and in order.
    tables = [
        ThreeWayAlignment(*ids, hunk_columns(*ids[:2], len(o), *hunks)) for hunks in (before, after)
    ]
    assert EditKind.MIXED not in tables[1].verdicts
    kept = [
        [sorted(table.columns[table.columns[:, k] >= 0, 2].tolist()) for k in (0, 1)]
        for table in tables
    ]
    assert kept[0] == kept[1]
    assert tables[0].conserved_length == tables[1].conserved_length


@given(TEXTS, TEXTS, TEXTS, STOPS, STOPS)
def test_exchanged_revisions_give_exchanged_hunks(a, b, o, one, two):
    stops = Stops(one), Stops(two)
    _, _, (first, second) = _slid(a, b, o, stops)
    _, _, exchanged = _slid(b, a, o, stops[::-1])
    np.testing.assert_array_equal(exchanged[0], second)
    np.testing.assert_array_equal(exchanged[1], first)


@given(TEXTS, TEXTS, STOPS)
def test_equal_revisions_are_alike_everywhere(a, o, one):
    stops = Stops(one)
    ids, _, slid = _slid(a, a, o, (stops, stops))
    table = ThreeWayAlignment(*ids, hunk_columns(*ids[:2], len(o), *slid))
    assert set(table.verdicts) <= {EditKind.KEPT, EditKind.BOTH_INSERT, EditKind.BOTH_DELETE}


@given(st.lists(st.integers(1, 3), min_size=1, max_size=8), TEXTS, TEXTS, st.integers(0, 8))
def test_one_insertion_ends_in_whole_lines_if_it_can(block, head, tail, turn):
    """A block of lines inserted between lines is found as such, however it is rotated."""
    origin, revision = [*head, *tail], [*head, *block, *tail]
    if origin == revision:
        return
    stops = Stops(frozenset([len(head), len(head) + len(block)]))
    ids = _ids(origin), _ids(revision)
    at, start = len(head), len(head)
    for _ in range(turn):  # another place that fits as well
        if start + len(block) < len(revision) and revision[start] == revision[start + len(block)]:
            at, start = at + 1, start + 1
    hunks = np.array([[at, at, start, start + len(block)]], dtype=np.int32)
    slid, _ = slide_insertions((ids[1], ids[1]), (hunks, hunks), (stops, stops))
    assert slid.tolist() == [[len(head), len(head), len(head), len(head) + len(block)]]


def test_insertions_join_when_one_slides_to_the_other():
    # The origin is 7 5, with x inserted before 7 and 7 y after it.
    revision = _ids([1, 7, 2, 7, 5])
    hunks = np.array([[0, 0, 0, 1], [1, 1, 2, 4]], dtype=np.int32)
    stops = Stops(frozenset([0, 3]))
    slid, _ = slide_insertions((revision, revision), (hunks, hunks), (stops, stops))
    assert slid.tolist() == [[0, 0, 0, 3]]
