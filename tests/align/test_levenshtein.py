"""The Levenshtein kernel against a plain dynamic program and against rapidfuzz."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from codekin import _native
from codekin.align.edit_distance import Ids, levenshtein, levenshtein_bounds

SWEEPS: list[str] = _native.levenshtein_sweeps()
# One character of each width that Python stores, lone surrogates among them.
WIDTHS = ["ab", "aé", "bΔ", "a\ud800b\udfff", "aΔ😀"]
# Around one block of 64 rows, the delay between lanes, one stripe of 512 rows, and the bound tried.
LENGTHS = [1, 2, 13, 14, 15, 63, 64, 65, 127, 128, 129, 511, 512, 513, 576, 1023, 1024, 1025, 1700]


def plain(a: Sequence[object], b: Sequence[object]) -> int:
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        above = row
    return above[-1]


def ids(values: Sequence[int]) -> Ids:
    return np.array(values, dtype=np.uint64)


def every_way(a: str, b: str) -> set[int]:
    x, y = ids([ord(c) for c in a]), ids([ord(c) for c in b])
    found = {
        _native.levenshtein_ids_by(sweep, *pair) for sweep in SWEEPS for pair in [(x, y), (y, x)]
    }
    return found | {levenshtein(a, b), levenshtein(b, a), levenshtein(x, y)}


def changed(text: str, alphabet: str, changes: int, rng: random.Random) -> str:
    characters = list(text)
    for _ in range(changes):
        at = rng.randrange(len(characters) + 1)
        characters[at : at + rng.randrange(4)] = rng.choices(alphabet, k=rng.randrange(4))
    return "".join(characters)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=150), st.text(max_size=150))
def test_any_texts_are_measured_exactly(a: str, b: str) -> None:
    assert every_way(a, b) == {plain(a, b)}


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(WIDTHS), st.sampled_from(WIDTHS))
def test_every_pair_of_widths_is_measured_exactly(
    data: st.DataObject, one: str, other: str
) -> None:
    a = data.draw(st.text(one, max_size=200))
    b = data.draw(st.text(other, max_size=200))
    assert every_way(a, b) == {plain(a, b)}


@pytest.mark.parametrize("rows", LENGTHS)
@pytest.mark.parametrize("alphabet", ["ab", "abcdefghijklmnop", "abΔ😀"])
def test_lengths_around_blocks_and_stripes(rows: int, alphabet: str) -> None:
    rng = random.Random(rows)
    a = "".join(rng.choices(alphabet, k=rows))
    for columns in LENGTHS:
        b = "".join(rng.choices(alphabet, k=columns))
        assert every_way(a, b) == {Levenshtein.distance(a, b)}


@settings(max_examples=50, deadline=None)
@given(
    st.integers(0, 4000),
    st.integers(0, 300),
    st.sampled_from(["ab", "abcdefgh \n", "".join(map(chr, range(200, 1200)))]),
    st.randoms(use_true_random=False),
)
def test_changed_texts_are_measured_exactly(
    length: int, changes: int, alphabet: str, rng: random.Random
) -> None:
    a = "".join(rng.choices(alphabet, k=length))
    b = changed(a, alphabet, changes, rng)
    assert every_way(a, b) == {Levenshtein.distance(a, b)}


@pytest.mark.parametrize(("removed", "added"), [(900, 0), (0, 900), (300, 300), (100, 800)])
def test_moved_and_clustered_changes(removed: int, added: int) -> None:
    rng = random.Random(removed)
    text = "".join(rng.choices("abcdefgh", k=9000))
    extra = "".join(rng.choices("abcdefgh", k=added))
    for at in (1, 4000, 8000):
        other = "x" + text[:at] + extra + text[at + removed :] + "y"
        assert every_way(text, other) == {Levenshtein.distance(text, other)}
    turned = text[500:] + text[:500]
    assert every_way(text, turned) == {Levenshtein.distance(text, turned)}


@pytest.mark.parametrize("n", [0, 1, 64, 512, 5000])
def test_equal_empty_and_disjoint_texts(n: int) -> None:
    assert every_way("a" * n, "a" * n) == {0}
    assert every_way("a" * n, "") == {n}
    assert every_way("a" * n, "b" * n) == {n}
    assert every_way("a" * n, "b" * (n + 77)) == {n + 77}


@pytest.mark.parametrize("prefix", [0, 1, 64, 700])
@pytest.mark.parametrize("suffix", [0, 1, 64, 700])
def test_common_ends_add_nothing(prefix: int, suffix: int) -> None:
    for a, b in [("", "xyz"), ("abc", "xbz"), ("ab" * 300, "ba" * 333)]:
        ends = "p" * prefix, "s" * suffix
        assert every_way(ends[0] + a + ends[1], ends[0] + b + ends[1]) == {
            Levenshtein.distance(a, b)
        }


def test_ends_that_overlap() -> None:
    assert every_way("aba", "ababa") == {2}
    assert every_way("a" * 100, "a" * 163) == {63}


@settings(max_examples=200, deadline=None)
@given(
    *2
    * [
        st.lists(
            st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 255, 256, 2**64 - 1]), max_size=150
        )
    ]
)
def test_any_identities_are_measured_exactly(a: list[int], b: list[int]) -> None:
    assert {_native.levenshtein_ids_by(s, ids(a), ids(b)) for s in SWEEPS} == {plain(a, b)}


@pytest.mark.parametrize("distinct", [400, 512, 600, 5000])
def test_large_alphabets(distinct: int) -> None:
    rng = random.Random(distinct)
    symbols = [rng.randrange(2**64) for _ in range(distinct)]
    a = [rng.choice(symbols) for _ in range(3000)]
    b = [x if rng.random() < 0.6 else rng.choice(symbols) for x in a[:1500] + a[1600:]]
    expected = Levenshtein.distance(a, b)
    assert {_native.levenshtein_ids_by(s, ids(a), ids(b)) for s in SWEEPS} == {expected}


def test_identities_that_collide_in_a_hash_table() -> None:
    a = [k << 48 for k in range(1, 400)]
    b = a[200:] + a[:200]
    assert levenshtein(ids(a), ids(b)) == Levenshtein.distance(a, b)


def test_megabytes_take_linear_memory() -> None:
    rng = random.Random(1)
    text = "".join(rng.choices("abcdefgh \n", k=2_000_000))
    assert levenshtein(text, "x" + text[:1_000_000] + "Δ" + text[1_000_001:] + "y") == 3


def test_threads_agree() -> None:
    rng = random.Random(2)
    texts = ["".join(rng.choices("abcdefgh \n", k=rng.randrange(3000))) for _ in range(24)]
    pairs = [(a, b) for a in texts for b in texts]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pair: levenshtein(*pair), pairs))
    assert found == [Levenshtein.distance(a, b) for a, b in pairs]


def test_other_arguments_are_refused() -> None:
    with pytest.raises(TypeError):
        levenshtein("text", ids([1]))  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        levenshtein(ids([1]), "text")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        _native.levenshtein_text(b"bytes", "text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such sweep"):
        _native.levenshtein_ids_by("abacus", ids([1]), ids([2]))


@given(st.text("ab", max_size=60), st.text("abc", max_size=60), st.integers(0, 40))
def test_bounds_hold_at_every_budget(a, b, steps):
    distance = levenshtein(a, b)
    low, high = levenshtein_bounds(a, b, steps)
    assert 0 <= low <= distance <= high <= max(len(a), len(b), 1)
    assert (low, high) == levenshtein_bounds(a, b, steps)
    assert levenshtein_bounds(a, b) == (distance, distance)
    ids = [np.array([ord(c) for c in text], np.uint64) for text in (a, b)]
    assert levenshtein_bounds(*ids, steps) == (low, high)


@given(st.text("ab", max_size=40), st.text("abc", max_size=40), st.integers(0, 40))
def test_bounds_are_symmetric(a, b, steps):
    assert levenshtein_bounds(a, b, steps) == levenshtein_bounds(b, a, steps)


def test_long_texts_that_are_much_alike_are_exact():
    text = "".join(random.Random(1).choices("abcdefgh ;\n", k=300_000))
    other = "x" + text[:100_000] + "yy" + text[100_010:] + "z"
    assert levenshtein_bounds(text, other, steps=20_000_000) == (12, 12)
