"""The numbers of a cell, against plain counts."""

from __future__ import annotations

import numpy as np
import pytest

from codekin.detectors.benchmark.cell_scores import HeldOutPairs, cell_scores, curve_points
from codekin.statistics.classification import average_precision, f1_at


def held_out(count: int = 400, snippets: int = 40) -> tuple[HeldOutPairs, np.ndarray]:
    draw = np.random.default_rng(1)
    first, second = draw.integers(0, snippets, (2, count), dtype=np.int32)
    label = draw.random(count) < 0.3
    scores = (label * 0.3 + draw.random(count) * 0.7).astype(np.float32)
    side = HeldOutPairs(
        first=first,
        second=second,
        label=label,
        copied=draw.random(snippets) < 0.2,
        functionality=draw.integers(0, 3, snippets, dtype=np.int32),
        functionalities=("a", "b", "c"),
        project=draw.integers(0, 5, snippets, dtype=np.int32),
        type=np.where(label, draw.integers(0, 2, count), -1).astype(np.int8),
        types=("T1", "T2"),
    )
    return side, scores


def test_numbers_are_those_of_plain_counts() -> None:
    side, scores = held_out()
    found = cell_scores(side, scores, 0.5, np.full(40, 60))
    wide = scores.astype(float)
    at = f1_at(wide, side.label, 0.5)
    assert found["all"]["f1"] == pytest.approx(at.f1, abs=1e-6)
    assert found["all"]["ap"] == pytest.approx(average_precision(wide, side.label), abs=1e-6)
    rate = side.label.mean()
    assert found["all"]["all_positive_f1"] == pytest.approx(2 * rate / (1 + rate), abs=1e-6)
    said = wide >= 0.5
    assert found["all"]["mcc"] == pytest.approx(np.corrcoef(said, side.label)[0, 1], abs=1e-6)
    fresh = ~(side.copied[side.first] | side.copied[side.second])
    assert found["without_copies"]["pairs"] == int(fresh.sum())
    assert found["copied_pairs"] == int((~fresh).sum())
    assert found["without_copies"]["f1"] == pytest.approx(
        f1_at(wide[fresh], side.label[fresh], 0.5).f1, abs=1e-6
    )


def test_intervals_hold_the_value_and_come_from_snippets() -> None:
    side, scores = held_out()
    found = cell_scores(side, scores, 0.5, np.full(40, 60))["all"]
    for name in ("f1", "precision", "recall", "ap"):
        low, high = found[f"{name}_interval"]
        assert low <= found[name] <= high
    # Pairs that repeat say nothing new: resampling snippets gives the same interval.
    twice = HeldOutPairs(
        **{
            name: np.tile(getattr(side, name), 2)
            if name in ("first", "second", "label", "type")
            else getattr(side, name)
            for name in side.__dataclass_fields__
        }
    )
    again = cell_scores(twice, np.tile(scores, 2), 0.5, np.full(40, 60))["all"]
    np.testing.assert_allclose(again["f1_interval"], found["f1_interval"], atol=1e-6)


def test_parts_add_up() -> None:
    side, scores = held_out()
    sizes = np.arange(40) * 15
    found = cell_scores(side, scores, 0.5, sizes)
    for kind in ("by_size", "by_project"):
        assert sum(part["pairs"] for part in found[kind].values()) == len(side)
    assert sum(part["pairs"] for part in found["by_type"].values()) == int(side.label.sum())
    assert set(found["by_functionality"]) == {"a", "b", "c"}


def test_pairs_without_a_score_are_no_clones_and_counted() -> None:
    side, scores = held_out()
    scores[:10] = np.nan
    found = cell_scores(side, scores, 0.0, np.full(40, 60))
    assert found["unscored"] == 10
    assert found["all"]["recall"] == pytest.approx(
        1 - side.label[:10].sum() / side.label.sum(), abs=1e-6
    )


def test_one_label_alone_gives_no_numbers_and_no_error() -> None:
    side, scores = held_out()
    none = HeldOutPairs(**{**side.__dict__, "label": np.zeros(len(side), bool)})
    found = cell_scores(none, scores, 0.5, np.full(40, 60))
    assert found["all"]["recall"] is None
    assert found["all"]["auc"] is None
    assert found["curve"] == []


def test_the_curve_ends_at_full_recall() -> None:
    side, scores = held_out()
    points = curve_points(scores.astype(float), side.label)
    assert points[-1][0] == 1.0
    assert [point[0] for point in points] == sorted(point[0] for point in points)
