from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from codekin.runs.run import _filled, read_scores
from codekin.runs.scoring import score


def rows() -> list[dict[str, object]]:
    good = [
        {"candidate": f"f(x, {i})", "reference": f"g(x, {i % 4})", "language": "python"}
        for i in range(23)
    ]
    return [*good[:11], {"candidate": 1, "reference": "x"}, *good[11:]]


def test_one_pass_reads_what_the_run_says_column_by_column(tmp_path) -> None:
    run = score(
        rows(), ["bleu", "ed", "codebleu"], output=tmp_path / "run", workers=0, shard_rows=5
    )
    scores = read_scores(run)
    assert [one.measure.label for one in scores] == ["bleu", "ed", "codebleu"]
    for one in scores:
        np.testing.assert_array_equal(one.values, run.values(one.measure.label))
        assert np.flatnonzero(np.isnan(one.values)).tolist() == [11]
    bleu, ed, codebleu = scores
    assert ed.statistics is None
    for one in (bleu, codebleu):
        assert one.statistics is not None
        expected = run.statistics(one.measure.label)
        scored = ~np.isnan(expected[:, 0])
        np.testing.assert_array_equal(one.statistics[scored, 1:], expected[scored])
        np.testing.assert_array_equal(one.statistics[:, 0], scored)
        assert not one.statistics[11].any()
        assert one.value_of is not None
        value = one.value_of(one.statistics[0, 1:].tolist())
        assert value == pytest.approx(one.values[0])
    [alone] = read_scores(run, [run.measures[1]])
    np.testing.assert_array_equal(alone.values, ed.values)


def test_a_shard_without_scores_comes_first(tmp_path) -> None:
    bad = [{"candidate": 1, "reference": "x"}] * 5
    run = score([*bad, *rows()], "bleu", output=tmp_path / "run", workers=0, shard_rows=5)
    [bleu] = read_scores(run)
    assert bleu.statistics is not None
    assert bleu.statistics[:, 0].sum() == 23
    assert not bleu.statistics[:5].any()


def test_numbers_that_half_the_space_would_round_get_all_of_it() -> None:
    small = pa.array([[1.0, 2.5], None], type=pa.list_(pa.float64()))
    large = pa.array([[2.0**24 + 1, 0.1]], type=pa.list_(pa.float64()))
    whole = _filled(None, slice(0, 2), small, 3)
    assert whole is not None
    assert whole.dtype == np.float32
    whole = _filled(whole, slice(2, 3), large, 3)
    assert whole is not None
    assert whole.tolist() == [[1.0, 1.0, 2.5], [0.0, 0.0, 0.0], [1.0, 2.0**24 + 1, 0.1]]
