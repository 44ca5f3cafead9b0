from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codekin.statistics.classification import (
    area_under_curve,
    average_precision,
    best_threshold,
    f1_at,
)

scored = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30)


def arrays(rows):
    return np.array([s for s, _ in rows], float), np.array([label for _, label in rows], bool)


@given(scored)
def test_the_best_threshold_is_the_best_of_all(rows):
    scores, labels = arrays(rows)
    best = best_threshold(scores, labels)
    every = [f1_at(scores, labels, cut) for cut in set(scores.tolist())]
    assert best.f1 == max(one.f1 for one in every)
    assert repr(f1_at(scores, labels, best.value)) == repr(best)


@given(scored)
def test_average_precision_by_its_definition(rows):
    scores, labels = arrays(rows)
    found = average_precision(scores, labels)
    if not labels.any():
        assert math.isnan(found)
        return
    expected, before = 0.0, 0.0
    for cut in sorted(set(scores.tolist()), reverse=True):
        at = f1_at(scores, labels, cut)
        expected += (at.recall - before) * at.precision
        before = at.recall
    assert math.isclose(found, expected)


@given(scored)
def test_the_area_is_the_share_of_ordered_pairs(rows):
    scores, labels = arrays(rows)
    found = area_under_curve(scores, labels)
    pairs = [
        (a > b) + (a == b) / 2 for a in scores[labels].tolist() for b in scores[~labels].tolist()
    ]
    assert math.isclose(found, sum(pairs) / len(pairs)) if pairs else math.isnan(found)


def test_nothing_to_judge():
    nothing = np.zeros(0), np.zeros(0, bool)
    assert math.isnan(best_threshold(*nothing).f1)
    assert math.isnan(average_precision(*nothing))
