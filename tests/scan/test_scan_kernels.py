"""The kernels of a scan against plain versions of what they compute."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import _native
from codekin.scan.matches import _is_inside, _KeptSpans

sets = st.lists(st.sets(st.integers(0, 11), max_size=8), min_size=1, max_size=7)


def i32(values) -> np.ndarray:
    return np.array(values, np.int32)


@given(st.lists(st.integers(0, 5), max_size=30))
def test_features_are_numbered_from_the_rarest_on(values) -> None:
    columns, first, counts = _native.common_features(np.array(values, np.uint64))
    counted = Counter(values)
    ranked = sorted(counted, key=lambda one: (counted[one], one))
    assert [ranked[column] for column in columns] == values
    assert counts.tolist() == [counted[one] for one in ranked]
    assert [values[place] for place in first] == ranked
    assert all(values.index(values[place]) == place for place in first)


@given(
    sets,
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
    st.lists(st.integers(1, 9), min_size=12, max_size=12),
)
def test_the_join_finds_exactly_the_pairs_that_share_enough(rows, least, weights) -> None:
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    totals = np.array([sum(weights[c] for c in row) for row in rows], np.int64)
    count = len(rows)
    left, right, shared = _native.similar_rows(
        offsets,
        i32([c for row in rows for c in sorted(row)]),
        i32(weights),
        totals,
        np.full(count, least),
        i32(range(count)),
        i32([0] * count),
        i32([1] * count),
        1000,
        1000,
    )
    found = {
        (a, b): n for a, b, n in zip(left.tolist(), right.tolist(), shared.tolist(), strict=True)
    }
    wanted = {}
    for a, b in combinations(range(count), 2):
        common = sum(weights[c] for c in rows[a] & rows[b])
        heavier = max(totals[a], totals[b])
        if common and common >= least * heavier:
            wanted[a, b] = common
    assert found == wanted


@given(
    sets,
    st.lists(st.sampled_from([0.2, 0.4, 0.7]), min_size=60, max_size=60),
    st.lists(st.integers(1, 30), min_size=12, max_size=12),
    st.integers(1, 4),
)
def test_rows_are_found_by_any_rare_element_of_both_prefixes(rows, least, weights, most) -> None:
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    totals = [sum(weights[c] for c in row) for row in rows]
    count = len(rows)
    found = _native.similar_rows(
        offsets,
        i32([c for row in rows for c in sorted(row)]),
        i32(weights),
        np.array(totals, np.int64),
        np.array(least[:count]),
        i32(range(count)),
        i32([0] * count),
        i32([1] * count),
        most,
        1000,
    )
    frequency = Counter(c for row in rows for c in row)
    prefixes = []
    for row, total, part in zip(rows, totals, least, strict=False):
        rest, prefix = total, set()
        for column in sorted(row):
            if rest >= part * total and frequency[column] <= most:
                prefix.add(column)
            rest -= weights[column]
        prefixes.append(prefix)
    wanted = {}
    for a, b in combinations(sorted(range(count), key=lambda row: totals[row]), 2):
        common = sum(weights[c] for c in rows[a] & rows[b])
        enough = max(least[a], least[b]) * totals[b]
        if prefixes[a] & prefixes[b] and common >= enough:
            wanted[min(a, b), max(a, b)] = common
    sides = (array.tolist() for array in found)
    assert {(a, b): n for a, b, n in zip(*sides, strict=True)} == wanted


def test_rows_that_overlap_are_not_compared() -> None:
    join = lambda file, begin, end: _native.similar_rows(  # noqa: E731
        np.array([0, 1, 2]),
        i32([0, 0]),
        i32([5]),
        np.array([5, 5]),
        np.ones(2),
        *map(i32, (file, begin, end)),
        9,
        9,
    )
    assert len(join([0, 0], [0, 5], [9, 7])[0]) == 0
    assert len(join([0, 0], [0, 9], [9, 12])[0]) == 1
    assert len(join([0, 1], [0, 5], [9, 7])[0]) == 1


def test_a_row_keeps_the_partners_that_share_most() -> None:
    rows = [[0, 1, 2, 3], [1, 2, 3], [2, 3], [3], [0, 1, 2, 3]]
    left, right, shared = _native.similar_rows(
        np.cumsum([0, *map(len, rows)]).astype(np.int64),
        i32([one for row in rows for one in row]),
        i32([1] * 4),
        np.array([len(row) for row in rows]),
        np.full(5, 0.2),
        i32(range(5)),
        i32([0] * 5),
        i32([1] * 5),
        9,
        1,
    )
    found = sorted(zip(left.tolist(), right.tolist(), shared.tolist(), strict=True))
    assert found == [(0, 1, 3), (0, 4, 4), (1, 2, 2), (2, 3, 1)]


def heaviest_common(a, b, weights) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            taken = table[i][j] + weights[x] if x == y else 0
            table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j], taken)
    return table[-1][-1]


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_statements_are_aligned_by_weight(a, b) -> None:
    weights = [1, 2, 3, 5, 8]
    units = [*a, *b]
    tokens = i32(range(len(units)))
    blank = np.zeros(len(units), np.uint32)
    matched, *_ = _native.statement_alignment(
        np.array(units, np.uint64),
        np.array([weights[one] for one in units], np.uint8),
        tokens,
        blank,
        blank,
        blank.astype(np.uint8),
        i32([0, len(a)]),
        i32([len(a), len(units)]),
        i32([0]),
        i32([1]),
    )
    assert matched.tolist() == [heaviest_common(a, b, weights)]


def test_names_in_aligned_statements_are_the_same_renamed_or_others() -> None:
    # One statement of five names each: a b b c c and a x x y z.
    raw = np.array([1, 2, 2, 3, 3, 1, 7, 7, 8, 9], np.uint32)
    matched, words, equal, renamed = _native.statement_alignment(
        np.array([5, 5], np.uint64),
        np.array([5, 5], np.uint8),
        i32([0, 5]),
        raw,
        np.zeros(10, np.uint32),
        np.full(10, 4, np.uint8),
        i32([0, 1]),
        i32([1, 2]),
        i32([0]),
        i32([1]),
    )
    assert (matched[0], words[0], equal[0], renamed[0]) == (5, 5, 1, 1)


def all_runs(values, files, shortest) -> set[tuple[int, int, int]]:
    """Maximal equal stretches at two places, which do not overlap."""
    file_of = [k for k, (a, b) in enumerate(pairwise(files)) for _ in range(a, b)]
    found = set()
    size = len(values)

    def same(i, j) -> bool:
        return i >= 0 and j < size and values[i] == values[j]

    for i, j in combinations(range(size), 2):
        before = i > 0 and file_of[i - 1] == file_of[i] and file_of[j - 1] == file_of[j]
        if before and same(i - 1, j - 1):
            continue
        n = 0
        while (
            same(i + n, j + n) and file_of[i + n] == file_of[i] and file_of[j + n] == file_of[j]
        ) and (file_of[i] != file_of[j] or i + n < j):
            n += 1
        if n >= shortest:
            found.add((i, j, n))
    return found


@given(st.lists(st.lists(st.integers(0, 2), max_size=14), min_size=1, max_size=3))
def test_all_runs_are_found(texts) -> None:
    files = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    values = [one for text in texts for one in text]
    count = len(values)
    # Every token is a statement of its own, so runs are not cut.
    first, first_end, second, second_end, matched, *_ = _native.token_runs(
        files,
        np.array(values, np.uint32),
        np.array(values, np.uint32),
        np.full(count, 16, np.uint8),
        np.zeros(count, np.uint8),
        2,
        4,
        1000,
        0,
    )
    found = list(zip(first.tolist(), first_end.tolist(), second.tolist(), strict=True))
    for i, j, n in all_runs(values, files.tolist(), 4):
        assert any(a <= i and i + n <= end and b - a == j - i for a, end, b in found)
    for i, i_end, j, j_end, n in zip(first, first_end, second, second_end, matched, strict=True):
        assert i_end - i >= n >= 4
        assert j_end - j >= n


def test_a_run_is_cut_to_whole_statements_of_one_block() -> None:
    # Two copies of: a; { b; } c; d -- where the first is inside of a block that ends behind c.
    begins, level = 16, [1, 1, 2, 1, 1, 1, 0]
    text = [1, 2, 3, 4, 5, 6, 7]
    values = np.array([*text, *text], np.uint32)
    traits = np.array([begins, 0, begins, 0, begins, begins, begins] * 2, np.uint8)
    levels = np.array(level * 2, np.uint8)
    first, first_end, second, second_end, matched, *_ = _native.token_runs(
        np.array([0, 7, 14]), values, values, traits, levels, 2, 3, 8, 0
    )
    assert (first[0], first_end[0], second[0], second_end[0], matched[0]) == (0, 6, 7, 13, 6)


def test_runs_with_a_small_gap_are_chained() -> None:
    one, two = [1, 2, 3, 4, 90, 5, 6, 7, 8], [1, 2, 3, 4, 91, 92, 5, 6, 7, 8]
    values = np.array([*one, *two], np.uint32)
    flat = np.zeros(len(values), np.uint8)
    for gap, wanted in ((2, [(0, 9, 9, 19, 8)]), (1, [(0, 4, 9, 13, 4), (5, 9, 15, 19, 4)])):
        found = _native.token_runs(
            np.array([0, 9, 19]), values, values, flat + 16, flat, 2, 4, 8, gap
        )[:5]
        assert sorted(zip(*(one.tolist() for one in found), strict=True)) == wanted


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=20),
    st.integers(0, 20),
    st.integers(0, 20),
)
def test_features_of_a_part_are_those_of_its_places(placed, begin, end) -> None:
    places = i32([place for place, _ in placed])
    features = np.array([one for _, one in placed], np.uint64)
    offsets, found, occurrences = _native.fragment_features(
        [(2, places, features)], i32([begin]), i32([end]), 8
    )
    inside = np.array([one for place, one in placed if begin <= place < end], np.uint64)
    wanted, numbers = _native.feature_set([(2, inside)], 8)
    assert found.tolist() == wanted.tolist()
    assert occurrences.tolist() == numbers.tolist()
    assert offsets.tolist() == [0, len(wanted)]


@given(st.lists(st.integers(0, 3), max_size=12))
def test_sets_of_statements_count_repetitions_and_distinct_weights_do_not(units) -> None:
    ids, weights = np.array(units, np.uint64), np.array([one + 1 for one in units], np.uint8)
    whole = i32([0]), i32([len(units)])
    offsets, elements, heavy = _native.statement_sets(ids, weights, *whole)
    assert len(set(elements.tolist())) == len(units) == offsets[-1]
    assert sorted(heavy.tolist()) == sorted(weights.tolist())
    assert _native.distinct_weights(ids, weights, *whole)[0] == sum(one + 1 for one in set(units))


def test_what_does_not_fit_is_refused() -> None:
    none = np.zeros(0, np.uint64)
    with pytest.raises(ValueError, match="begin"):
        _native.distinct_weights(none, np.zeros(0, np.uint8), i32([5]), i32([6]))
    with pytest.raises(ValueError, match="shortest"):
        blank = np.zeros(0, np.uint32)
        flags = np.zeros(0, np.uint8)
        _native.token_runs(np.array([0]), blank, blank, flags, flags, 5, 4, 1, 0)


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=6), st.integers(0, 10))
def test_rows_are_sorted_without_the_first_columns(rows, first) -> None:
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    columns = i32([c for row in rows for c in row])
    ends, kept = _native.ranked_rows(offsets, columns, first)
    wanted = [sorted(c - first for c in row if c >= first) for row in rows]
    assert [kept[a:b].tolist() for a, b in pairwise(ends.tolist())] == wanted


def test_rows_are_checked() -> None:
    with pytest.raises(ValueError, match="offsets"):
        _native.ranked_rows(np.array([0, 3], np.int64), i32([1]), 0)


@given(
    st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=60),
    st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=40),
)
def test_wanted_numbers_are_found(ids, wanted) -> None:
    ids += wanted[::2]
    places, which = _native.found_ids(np.array(ids, np.uint64), np.array(wanted, np.uint64))
    expected = [(i, wanted.index(one)) for i, one in enumerate(ids) if one in wanted]
    assert list(zip(places.tolist(), which.tolist(), strict=True)) == expected


spans = st.tuples(*[st.integers(0, 300)] * 2, *[st.integers(3, 90)] * 2, st.integers(0, 1))


@given(st.lists(spans, max_size=60))
def test_parts_of_larger_matches_are_found_as_by_comparing_all(found) -> None:
    pairs = [(f, (a, a + m, b, b + n)) for a, b, m, n, f in found]
    pairs.sort(key=lambda one: -(one[1][1] - one[1][0] + one[1][3] - one[1][2]))
    kept: list[tuple[int, tuple[int, int, int, int]]] = []
    grid, answers = _KeptSpans(), []
    for files, span in pairs:
        part = any(other == files and _is_inside(span, one) for other, one in kept)
        if not part:
            kept.append((files, span))
        answers.append(grid.add(files, span) == (not part))
    assert all(answers)
