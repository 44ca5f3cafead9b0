"""Thresholds from validation pairs: the sample, the cut, and scores that are missing."""

from __future__ import annotations

import numpy as np
import pytest

from codekin.detectors.detector import LabelledPlaces
from codekin.detectors.measure_detector import MeasureDetector
from codekin.detectors.thresholds import fit_threshold, sampled_pairs
from codekin.errors import CodekinError


def test_sample_keeps_both_labels() -> None:
    label = np.zeros(500, bool)
    label[77] = True
    every = np.arange(500, dtype=np.int32)
    pairs = LabelledPlaces(every, every, label)
    for seed in range(5):
        few, notes = sampled_pairs(pairs, 10, seed)
        assert len(few) == 10 and int(few.label.sum()) == 1
        assert len(set(few.first.tolist())) == 10 and f"seed {seed}" in notes[0]
    assert np.array_equal(
        sampled_pairs(pairs, 10, 3)[0].first, sampled_pairs(pairs, 10, 3)[0].first
    )
    assert sampled_pairs(pairs, 500, 0) == (pairs, [])


def test_threshold_is_the_best_cut_among_known_scores() -> None:
    every = np.arange(5, dtype=np.int32)
    pairs = LabelledPlaces(every, every, np.array([True, True, False, True, False]))
    scores = np.array([0.9, 0.6, 0.5, np.nan, 0.1], np.float32)
    one = MeasureDetector()
    value, notes = fit_threshold(one, scores, pairs)
    assert one.threshold == np.float32(0.6) and value == 1.0
    assert notes == ["1 of 5 validation pairs have no score"]
    assert (
        fit_threshold(one, scores[:3], LabelledPlaces(every[:3], every[:3], pairs.label[:3]))[1]
        == []
    )
    only = np.array([0.9, np.nan, np.nan, 0.4, np.nan], np.float32)
    with pytest.raises(
        CodekinError, match="3 of 5 validation pairs have no score, and a threshold"
    ):
        fit_threshold(one, only, pairs)
