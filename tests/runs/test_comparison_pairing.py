from __future__ import annotations

import numpy as np
import pytest

from codekin import CodekinError
from codekin.runs.comparison import Pairing, pair_up, rows_of_system
from codekin.runs.run import Run
from codekin.runs.scoring import score


def run_of(folder, keys: list[str | None], **fields: list[object]) -> Run:
    rows = [
        {
            "id": f"{folder.name}{i}",
            "candidate": "x",
            "reference": f"y{i}",
            "language": "python",
            **({} if key is None else {"task": key}),
            **{name: values[i] for name, values in fields.items()},
        }
        for i, key in enumerate(keys)
    ]
    return score(rows, "exact", output=folder, workers=0)


@pytest.fixture
def pairing(tmp_path) -> Pairing:
    a = run_of(tmp_path / "a", ["p", "q", "p", None, "r"], weight=[1, 2, 3, 1, 1])
    b = run_of(tmp_path / "b", ["s", "q", "p"])
    return pair_up(rows_of_system(a, None), rows_of_system(b, None), "task")


def test_keys_in_the_order_of_the_first_system(pairing) -> None:
    assert pairing.keys == ["p", "q"]
    assert pairing.of_a.tolist() == [0, 1, 0, -1, -1]
    assert pairing.of_b.tolist() == [-1, 1, 0]
    assert pairing.weights.tolist() == [(1 + 3 + 1) / 3, (2 + 1) / 2]
    assert (pairing.unpaired_a, pairing.unpaired_b) == (2, 1)
    assert pairing.examples == ("a3", "a4", "b0")


def test_means_of_several_rows(pairing) -> None:
    values = np.array([1.0, 0.1, np.nan, 5.0, 5.0])
    weights = np.array([1.0, 3.0, 1.0, 1.0, 1.0])
    assert pairing.means(values, weights, pairing.of_a).tolist() == [1.0, 0.1]
    values[2] = 2.0
    assert pairing.means(values, np.array([1, 1, 3, 1, 1.0]), pairing.of_a)[0] == 7 / 4
    weights[1] = 0.0
    assert np.isnan(pairing.means(values, weights, pairing.of_a)[1])


def test_sums_of_several_rows(pairing) -> None:
    statistics = np.array([[1, 2], [1, 4], [1, 8], [1, 16], [1, 32]], dtype=np.float32)
    weights = np.array([1.0, 2.0, 3.0, 1.0, 1.0])
    assert pairing.sums(statistics, weights, pairing.of_a).tolist() == [[4.0, 26.0], [2.0, 8.0]]


def test_references_are_tried_after_ids(tmp_path) -> None:
    a, b = (rows_of_system(run_of(tmp_path / name, ["p", "q"]), None) for name in "ab")
    pairing = pair_up(a, b, None)
    assert (pairing.on, len(pairing.keys)) == ("reference", 2)
    assert pairing.other_references(a, b) == 0
    with pytest.raises(CodekinError, match="a and b have no row in common by id;"):
        pair_up(a, b, "id")
