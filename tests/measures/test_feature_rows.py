from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import _native
from codekin.measures.kin import FeatureVector, feature_rows

WEIGHTS = [1, 5, 2**31 - 1, 7, 11, 13]
sets = st.lists(st.sets(st.integers(0, 5)), max_size=7)


def vector(numbers):
    features = np.array(sorted(numbers), dtype=np.uint64)
    weights = np.array([WEIGHTS[n] for n in sorted(numbers)], dtype=np.int32)
    return FeatureVector(features, weights, (int(weights.sum(dtype=np.int64)),))


def shared(a, b):
    return sum(WEIGHTS[n] for n in a & b)


@given(sets)
def test_all_ways_to_find_what_sets_share_agree_with_the_obvious_one(numbers):
    vectors = [vector(one) for one in numbers]
    rows = feature_rows(vectors)
    expected = [[shared(a, b) for b in numbers] for a in numbers]
    assert rows.all_shared().tolist() == expected
    assert rows.totals.tolist() == [sum(WEIGHTS[n] for n in one) for one in numbers]
    left, right = np.indices((len(numbers), len(numbers)), dtype=np.int32).reshape(2, -1)
    order = np.random.default_rng(0).permutation(len(left))
    pairs = rows.pairs_shared(left[order], right[order])
    assert pairs.tolist() == np.array(expected, dtype=np.int64).reshape(-1)[order].tolist()
    for i, a in enumerate(vectors):
        for j, b in enumerate(vectors):
            found = _native.shared_weights(a.features, b.features, a.weights)
            assert found.sum() == expected[i][j]
    matrix = rows.matrix(1)
    products = (matrix @ matrix.T).toarray()
    assert products == pytest.approx(np.array(expected, dtype=float).reshape(products.shape))


def test_weights_of_what_is_shared_are_told_by_family():
    features = np.array([3, 1 << 60 | 3, 4 << 60], dtype=np.uint64)
    weights = np.array([1, 10, 100], dtype=np.int32)
    found = _native.shared_weights(features, features[1:], weights)
    assert found.tolist()[:5] == [0, 10, 0, 0, 100]


def test_wrong_arrays_are_refused():
    offsets, columns = np.array([0, 1]), np.array([0], dtype=np.int32)
    weights, none = np.array([1], dtype=np.int32), np.empty(0, dtype=np.int32)
    with pytest.raises(ValueError, match="weights_of_a must be as long as a"):
        _native.shared_weights(np.ones(1, np.uint64), np.ones(1, np.uint64), none)
    for wrong in ([0, 2], [1, 1], []):
        with pytest.raises(ValueError, match="offsets must"):
            _native.all_overlaps(np.array(wrong, dtype=np.int64), columns, weights)
    with pytest.raises(ValueError, match=r"columns\[0\] is 0; expected none"):
        _native.all_overlaps(offsets, columns, none)
    for left, right in (([0], [1]), ([-1], [0]), ([0, 0], [0])):
        with pytest.raises(ValueError, match=r"right\[0\]|left\[0\]|right must be as long as left"):
            _native.pair_overlaps(
                offsets, columns, weights, np.array(left, np.int32), np.array(right, np.int32)
            )
