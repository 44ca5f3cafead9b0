from __future__ import annotations

import numpy as np
import pytest

from codekin import CodekinError
from codekin.runs.comparison import SystemRows, Tasks, compare_rows, rows_of_system, shared_tasks
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
def sides(tmp_path) -> list[SystemRows]:
    a = run_of(tmp_path / "a", ["p", "q", "p", None, "r"], weight=[1, 2, 3, 1, 1])
    b = run_of(tmp_path / "b", ["s", "q", "p"])
    return [rows_of_system(a, None), rows_of_system(b, None)]


@pytest.fixture
def tasks(sides) -> Tasks:
    return shared_tasks(sides, "task")


def test_keys_in_the_order_of_the_first_system(sides, tasks) -> None:
    assert tasks.keys == ["p", "q"]
    assert [places.tolist() for places in tasks.places] == [[0, 1, 0, -1, -1], [-1, 1, 0]]
    assert tasks.weights.tolist() == [(1 + 3 + 1) / 3, (2 + 1) / 2]
    found = compare_rows(*sides, on="task", resamples=100)
    assert (found.a.unpaired, found.b.unpaired) == (2, 1)
    assert found.unpaired == ("a3", "a4", "b0")
    assert found.other_references == 1


def test_means_of_several_rows(tasks) -> None:
    values = np.array([1.0, 0.1, np.nan, 5.0, 5.0])
    weights = np.array([1.0, 3.0, 1.0, 1.0, 1.0])
    assert tasks.means(values, weights, tasks.places[0]).tolist() == [1.0, 0.1]
    values[2] = 2.0
    assert tasks.means(values, np.array([1, 1, 3, 1, 1.0]), tasks.places[0])[0] == 7 / 4
    weights[1] = 0.0
    assert np.isnan(tasks.means(values, weights, tasks.places[0])[1])


def test_sums_of_several_rows(tasks) -> None:
    statistics = np.array([[1, 2], [1, 4], [1, 8], [1, 16], [1, 32]], dtype=np.float32)
    weights = np.array([1.0, 2.0, 3.0, 1.0, 1.0])
    assert tasks.sums(statistics, weights, tasks.places[0]).tolist() == [[4.0, 26.0], [2.0, 8.0]]


def test_references_are_tried_after_ids(tmp_path) -> None:
    a, b = (rows_of_system(run_of(tmp_path / name, ["p", "q"]), None) for name in "ab")
    assert (shared_tasks([a, b], None).on, len(shared_tasks([a, b], None).keys)) == ("reference", 2)
    assert compare_rows(a, b, resamples=100).other_references == 0
    with pytest.raises(CodekinError, match="a and b have no row in common by id;"):
        shared_tasks([a, b], "id")
