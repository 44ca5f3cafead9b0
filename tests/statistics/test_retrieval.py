from __future__ import annotations

import math

import numpy as np

from codekin.statistics.retrieval import retrieval


def slow(vectors: np.ndarray, kinds: np.ndarray) -> tuple[float, float, int]:
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
    maps, precisions = [], []
    for query, kind in enumerate(kinds.tolist()):
        others = [i for i in range(len(kinds)) if i != query]
        right = [i for i in others if kinds[i] == kind]
        if kind < 0 or not right:
            continue
        near = sorted(others, key=lambda i: (-float(unit[i] @ unit[query]), i))[: len(right)]
        hits = [kinds[i] == kind for i in near]
        maps.append(
            sum(sum(hits[: k + 1]) / (k + 1) for k in range(len(hits)) if hits[k]) / len(right)
        )
        precisions.append(sum(hits) / len(right))
    return float(np.mean(maps)), float(np.mean(precisions)), len(maps)


def test_as_a_loop_counts_it() -> None:
    draw = np.random.default_rng(3)
    vectors = draw.normal(size=(60, 5)).astype(np.float32)
    kinds = draw.integers(-1, 6, 60)
    found = retrieval(vectors, kinds)
    expected = slow(vectors, kinds)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_pieces_change_nothing(monkeypatch) -> None:
    draw = np.random.default_rng(4)
    vectors, kinds = draw.normal(size=(40, 3)).astype(np.float32), draw.integers(0, 4, 40)
    whole = retrieval(vectors, kinds)
    monkeypatch.setattr("codekin.statistics.retrieval._ROWS", 7)
    np.testing.assert_allclose(retrieval(vectors, kinds), whole, rtol=1e-6)


def test_nothing_to_find() -> None:
    found = retrieval(np.ones((3, 2), np.float32), np.array([0, 1, -1]))
    assert found.queries == 0
    assert math.isnan(found.map_at_r)
