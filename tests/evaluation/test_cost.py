from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import Any

import pytest

from codekin import Run, measure, score
from codekin.evaluation.cost import PairCost, pair_costs, typical_cost


def rows(count: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "language": "python",
            "candidate": "x = 1\n" * (i + 1),
            "reference": "y = 1\n" * (i + 1),
            **more,
        }
        for i in range(count)
    ]


def test_sizes_rise_and_all_pairs_are_counted() -> None:
    run = score(rows(40), ["nes", "tsed"], workers=0)
    costs = pair_costs(run, pairs=20)
    assert list(costs) == ["nes", "tsed"]
    for own in costs.values():
        assert [one.pairs for one in own] == [5, 5, 5, 5]
        assert [one.tokens for one in own] == sorted({one.tokens for one in own})
        assert all(one.microseconds > 0 for one in own)
    assert costs["tsed"][-1].microseconds > costs["tsed"][0].microseconds


def test_the_sample_is_spread_over_all_sizes() -> None:
    run = score(rows(100), ["nes"], workers=0, shard_rows=7)
    sizes = [one.tokens for one in pair_costs(run, pairs=4)["nes"]]
    # Of a hundred sizes the middles of the quarters; a line has four tokens.
    assert sizes == [4 * 13, 4 * 38, 4 * 63, 4 * 88]


def test_fewer_pairs_than_sizes_are_timed_all_the_same() -> None:
    assert [one.pairs for one in pair_costs(score(rows(2), ["nes"], workers=0))["nes"]] == [1, 1]


def test_parsing_counts() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Parsing(type(measure("nes"))):  # type: ignore[misc]
        name = "parsing"

        def _pair(self, candidate, reference):
            candidate.remember("seen", lambda: time.sleep(0.002))
            return super()._pair(candidate, reference)

    run = score(rows(4), [Parsing()], workers=0)
    assert min(one.microseconds for one in pair_costs(run)["parsing"]) >= 2000


def test_time_is_bounded_and_every_size_has_its_turn() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Slow(type(measure("nes"))):  # type: ignore[misc]
        name = "slow"

        def _pair(self, candidate, reference):
            time.sleep(0.005)
            return super()._pair(candidate, reference)

    run = score(rows(40), [Slow()], workers=0)
    began = time.monotonic()
    costs = pair_costs(run, pairs=40, seconds=0.1)["slow"]
    assert time.monotonic() - began < 3
    assert sum(one.pairs for one in costs) < 40
    assert len(costs) == 4


def test_what_cannot_be_timed_is_left_out(tmp_path) -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Own(type(measure("nes"))):  # type: ignore[misc]
        name = "own"

    class Failing(type(measure("nes"))):  # type: ignore[misc]
        name = "failing"

        def _pair(self, candidate, reference):
            raise ValueError("no")

    made = score(rows(3), ["nes", Own(), Failing()], output=tmp_path / "run", workers=0)
    assert list(pair_costs(made)) == ["nes", "own"]
    assert list(pair_costs(Run(tmp_path / "run"))) == ["nes"]  # own cannot be made from its label
    [nes, *_] = made.measures
    assert list(pair_costs(made, [nes])) == ["nes"]


def test_runs_without_texts_or_rows_have_no_costs(run_without_rows) -> None:
    assert pair_costs(score(rows(3), ["nes"], workers=0, texts=False)) == {}
    assert pair_costs(run_without_rows(["nes"])) == {}
    assert pair_costs(score(rows(2, candidate=None), ["nes"], workers=0, missing="skip")) == {}


def test_several_references_and_origins_are_scored_as_in_the_run() -> None:
    several = rows(3, origin="x = 0\n", references=["a = 1\n", "b = 2\n"])
    for one in several:
        del one["reference"]
    assert len(pair_costs(score(several, ["nes"], workers=0))["nes"]) == 3


def test_garbage_is_collected_again_afterwards() -> None:
    assert gc.isenabled()
    pair_costs(score(rows(1), ["nes"], workers=0))
    assert gc.isenabled()


def test_a_typical_cost_weighs_sizes_by_their_pairs() -> None:
    assert typical_cost([PairCost(1, 1, 10.0)]) == pytest.approx(10.0)
    assert typical_cost([PairCost(1, 1, 10.0), PairCost(9, 3, 50.0)]) == pytest.approx(40.0)
