"""Longest common subsequences against exhaustive search and a plain dynamic program."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from codekin._native import lcs_hunks
from codekin.align.lcs import Ids, intern, lcs_pairs, longest_common_subsequence

Pairs = list[tuple[int, int]]


def exhaustive(a: Sequence[object], b: Sequence[object]) -> Pairs:
    """Of all chains of equal tokens the longest, of these the lexicographically smallest."""

    @cache
    def best(i: int, j: int) -> Pairs:
        chains = [
            [(x, y), *best(x + 1, y + 1)]
            for x in range(i, len(a))
            for y in range(j, len(b))
            if a[x] == b[y]
        ]
        return min(chains, key=lambda pairs: (-len(pairs), pairs), default=[])

    return best(0, 0)


def plain(a: Ids, b: Ids) -> Pairs:
    """The whole table, and the walk through it."""
    rest = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int32)
    for i in reversed(range(len(a))):
        matched = np.where(b == a[i], rest[i + 1, 1:] + 1, rest[i + 1, :-1])
        rest[i, :-1] = np.maximum.accumulate(matched[::-1])[::-1]
    pairs: Pairs = []
    j = 0
    for i in range(len(a)):
        there = np.flatnonzero(b[j:] == a[i])
        if there.size and rest[i + 1, j + there[0] + 1] + 1 == rest[i, j]:
            pairs.append((i, j + int(there[0])))
            j = pairs[-1][1] + 1
    return pairs


def ids(rng: random.Random, length: int, alphabet: int) -> Ids:
    # Spread over 64 bits, as hashes are.
    values = [rng.randrange(alphabet) * 0xD1342543DE82EF95 % 2**64 for _ in range(length)]
    return np.array(values, dtype=np.uint64)


def edited(rng: random.Random, values: Ids, edits: int, longest: int, alphabet: int) -> Ids:
    out = values.tolist()
    for _ in range(edits):
        at = rng.randrange(len(out) + 1)
        new = ids(rng, rng.randrange(longest + 1), alphabet).tolist()
        out[at : at + rng.randrange(longest + 1)] = new
    return np.array(out, dtype=np.uint64)


@settings(max_examples=200, deadline=None)
@given(st.text("ab", max_size=9), st.text("abc", max_size=9))
def test_it_is_the_leftmost_of_the_longest(a: str, b: str) -> None:
    assert longest_common_subsequence(a, b) == exhaustive(a, b)


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 9), st.integers(1, 30))
def test_nearly_equal_sequences_give_what_the_plain_table_gives(
    rng: random.Random, edits: int, alphabet: int
) -> None:
    a = ids(rng, rng.randrange(150), alphabet)
    b = edited(rng, a, edits, 4, alphabet)
    assert lcs_pairs(a, b) == plain(a, b)


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([2, 5, 30, 300]))
def test_unrelated_sequences_give_what_the_plain_table_gives(
    rng: random.Random, alphabet: int
) -> None:
    a, b = ids(rng, rng.randrange(300), alphabet), ids(rng, rng.randrange(300), alphabet)
    assert lcs_pairs(a, b) == plain(a, b)


@pytest.mark.parametrize("alphabet", [3, 40, 700])
@pytest.mark.parametrize("rows", [63, 64, 65, 128, 900, 3000])
def test_words_levels_and_rare_tokens_change_nothing(rows: int, alphabet: int) -> None:
    rng = random.Random(rows * alphabet)
    a, b = ids(rng, rows, alphabet), ids(rng, 2200, alphabet)
    assert lcs_pairs(a, b) == plain(a, b)
    assert lcs_pairs(b, a) == plain(b, a)


@pytest.mark.parametrize("alphabet", [3, 40, 4000])
@pytest.mark.parametrize("longest", [40, 300])
def test_a_band_around_the_diagonal_changes_nothing(longest: int, alphabet: int) -> None:
    rng = random.Random(longest)
    end = ids(rng, 900, alphabet)
    for _ in range(4):
        middle = ids(rng, 900, alphabet)
        a = np.concatenate([middle, end])
        b = np.concatenate([edited(rng, middle, 5, longest, alphabet), end])
        assert lcs_pairs(a, b) == plain(a, b)


def test_a_common_suffix_is_no_reason_to_match_further_right() -> None:
    assert longest_common_subsequence("x", "xx") == [(0, 0)]
    assert longest_common_subsequence("xx", "x") == [(0, 0)]
    assert longest_common_subsequence("axbx", "abx") == [(0, 0), (2, 1), (3, 2)]


@settings(max_examples=80, deadline=None)
@given(st.text("abc", max_size=40), st.text("abc", max_size=40))
def test_hunks_are_in_order_and_never_touch(a: str, b: str) -> None:
    hunks = lcs_hunks(*intern(a, b)).tolist()
    i = j = -1
    for start, end, second_start, second_end in hunks:
        assert start <= end
        assert second_start <= second_end
        assert (end - start) + (second_end - second_start) > 0
        assert start > i
        assert second_start > j
        assert start - i == second_start - j or i == -1
        i, j = end, second_end


@pytest.mark.parametrize("tokens", [[], [1], ["x", None, ("y", 2), 3.5], "déjà vu"])
def test_any_hashables_match_themselves(tokens: Sequence[object]) -> None:
    whole = [(k, k) for k in range(len(tokens))]
    assert longest_common_subsequence(tokens, list(tokens)) == whole  # type: ignore[arg-type]
    assert longest_common_subsequence(tokens, []) == []  # type: ignore[arg-type]


def test_equal_tokens_are_one_whatever_their_type() -> None:
    assert longest_common_subsequence([1, True, 2.0], [1.0, 2]) == [(0, 0), (2, 1)]


def test_tables_are_no_sequences() -> None:
    with pytest.raises(TypeError):
        lcs_hunks(np.zeros((2, 2), dtype=np.uint64), np.array([1], dtype=np.uint64))


def test_three_levels_of_kept_rows_give_a_longest_one() -> None:
    rng = random.Random(3)
    a, b = ids(rng, 70_000, 50), ids(rng, 8_200, 50)
    pairs = np.array(lcs_pairs(a, b))
    assert (a[pairs[:, 0]] == b[pairs[:, 1]]).all()
    assert (np.diff(pairs, axis=0) > 0).all()
    assert len(pairs) == LCSseq.similarity(a.tolist(), b.tolist())


def test_threads_work_side_by_side() -> None:
    rng = random.Random(8)
    pairs = [(ids(rng, 1500, 90), ids(rng, 1500, 90)) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda pair: lcs_pairs(*pair), pairs))
    assert found == [lcs_pairs(*pair) for pair in pairs]


def test_memory_grows_with_the_sum_of_the_lengths() -> None:
    script = (
        "import numpy as np, resource\n"
        "from codekin._native import lcs_hunks\n"
        "draw = np.random.default_rng(1).integers\n"
        "a, b = (draw(0, 3000, 50_000).astype(np.uint64) for _ in range(2))\n"
        "lcs_hunks(a[:100], b[:100])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert len(lcs_hunks(a, b)) > 1000\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    # A table of bits would take 312 MB; twenty words a token are 16 MB. Linux counts in KiB.
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(done.stdout) * unit < 20 * 8 * 100_000
