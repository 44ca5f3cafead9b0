from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.report.judging.judgements import (
    CONSTANT,
    NOTHING,
    costs,
    no_correlations,
    outcome_judgement,
)

from codekin.evaluation.outcomes import OutcomeEffect, OutcomeJudgement
from codekin.report.judging.cells import Places
from codekin.report.judging.outcome_section import outcome_section, tenths
from codekin.statistics.bootstrap import UNKNOWN


def without_values(one: OutcomeEffect) -> OutcomeEffect:
    return replace(
        one,
        n=0,
        every=no_correlations(),
        without_unchanged=no_correlations(),
        without_equal=None,
        without_both=None,
        groups_kendall=NOTHING,
        groups_reason="fewer than two groups have a score",
        groups=(),
        perturbed=(),
    )


def with_gap(judgement: OutcomeJudgement) -> OutcomeJudgement:
    first, *rest = judgement.measures
    return replace(judgement, measures=(without_values(first), *rest))


def test_there_is_a_choice_of_coefficients() -> None:
    section = outcome_section(outcome_judgement(measures=3))
    names = ["Pearson’s r", "Spearman’s rho", "Kendall’s tau", "AUC"]
    assert [one.name for one in section.bars] == names
    for forest in section.bars:
        assert [row["name"] for row in forest.apart] == ["length only"]
        assert len(forest.rows) == 3
    texts = [float(row["text"].replace("−", "-")) for row in section.bars[0].rows]
    assert texts == sorted(texts, reverse=True)


def test_outcomes_of_many_values_have_no_auc() -> None:
    section = outcome_section(outcome_judgement(measures=2, binary=False))
    assert [one.name for one in section.bars][-1] == "Kendall’s tau"
    assert "AUC" not in [head for head, _ in section.numbers["heads"]]


def test_bars_are_of_all_rows_changed_rows_and_perturbed_ones() -> None:
    section = outcome_section(outcome_judgement(measures=1, perturbations=("prefix:1-2", "locals")))
    assert [kind for kind, _ in section.key] == ["bar-0", "bar-1", "bar-2", "bar-3"]
    [row] = section.bars[0].rows
    titles = re.findall(r"<title>([^<]+)</title>", row["strip"])
    assert titles[0].startswith("bleu, all rows: r = 0.620, 95 % interval from 0.560 to 0.670")
    assert "without unchanged rows: r = 0.540" in titles[1]
    assert "prefix:1-2: r = 0.620" in titles[2]
    assert "the same rows as they were: 0.620" in titles[2]
    assert row["strip"].count('class="beside"') == 2
    assert row["strip"].count('class="range inner"') == 4  # by task, and by row within
    assert section.interval == "task"


def test_rows_are_drawn_where_tasks_are_not() -> None:
    section = outcome_section(outcome_judgement(measures=1, drawn="row"))
    [row] = section.bars[0].rows
    assert section.interval == "row"
    assert row["range"] == "0.60 to 0.64"
    assert "inner" not in row["strip"]


def test_nothing_unchanged_has_no_bar() -> None:
    section = outcome_section(outcome_judgement(measures=1, perturbations=(), unchanged=0))
    assert [kind for kind, _ in section.key] == ["bar-0"]
    assert section.bars[0].rows[0]["strip"].count("<rect") == 1
    assert section.losses == []


def test_tables_of_numbers_are_as_wide_as_their_heads() -> None:
    for judgement in (
        outcome_judgement(measures=2),
        outcome_judgement(measures=2, binary=False, groups=1),
        outcome_judgement(measures=2, unchanged=0, equal=0),
        with_gap(outcome_judgement(measures=2)),
    ):
        section = outcome_section(judgement)
        for table in (section.numbers, *(one["numbers"] for one in section.losses)):
            assert {len(row["cells"]) for row in table["rows"]} == {len(table["heads"])}


def test_losses_are_sorted_by_how_much_is_lost() -> None:
    [loss] = outcome_section(outcome_judgement(measures=4)).losses
    assert loss["name"] == "prefix:2000-3000"
    lost = [float(row["cells"][2]["text"]) for row in loss["numbers"]["rows"]]
    assert lost == sorted(lost)
    assert loss["numbers"]["rows"][0]["cells"][5]["text"] == "40 %"


def test_missing_values_are_said_in_words() -> None:
    section = outcome_section(with_gap(outcome_judgement(measures=3)))
    last = section.bars[0].rows[-1]
    assert (last["name"], last["reason"]) == ("bleu", CONSTANT)
    assert ("bleu", CONSTANT) in section.reasons
    row = next(row for row in section.numbers["rows"] if row["name"] == "bleu")
    assert all(cell["title"] for cell in row["cells"] if cell["text"] == "–")
    assert "nan" not in str(section.numbers)
    card = next(one for one in section.groups if one["name"] == "bleu")
    assert (card["svg"], card["reason"]) == ("", "fewer than two groups have a score")


def test_nothing_known_at_all_makes_a_section() -> None:
    judgement = outcome_judgement(measures=2, differences=(), wrong={})
    gone = tuple(map(without_values, judgement.measures))
    section = outcome_section(
        replace(judgement, measures=gone, length=without_values(judgement.length))
    )
    assert section.bars == []
    assert section.differences is None


def test_equal_scores_are_never_parted() -> None:
    assert tenths(np.zeros(20)) == [(0, 20)]
    assert tenths(np.arange(20.0)) == [(2 * i, 2 * i + 2) for i in range(10)]
    assert tenths(np.arange(3.0)) == [(0, 1), (1, 2), (2, 3)]
    rng = np.random.default_rng(1)
    for _ in range(50):
        scores = np.sort(rng.integers(0, 6, rng.integers(1, 40)).astype(float))
        parts = tenths(scores)
        assert parts[0][0] == 0
        assert parts[-1][1] == len(scores)
        for (_, end), (start, _) in itertools.pairwise(parts):
            assert end == start
            assert scores[end - 1] < scores[start]


def test_the_share_that_passes_is_drawn_by_score() -> None:
    judgement = outcome_judgement(measures=2, names=["nes", "ed"])
    scores = np.arange(100.0) / 100
    outcome = (scores >= 0.5).astype(float)
    outcome[3] = np.nan
    section = outcome_section(judgement, {"nes": scores, "ed": -scores * 10 + 10}, outcome)
    nes, ed = (next(c for c in section.spread if c["name"] == name) for name in ("nes", "ed"))
    titles = re.findall(r"<title>([^<]+)</title>", nes["svg"])
    assert titles[0] == "nes from 0 to 0.1: 0 of 10 rows pass (0%)"
    assert titles[9] == "nes from 0.9 to 0.99: 10 of 10 rows pass (100%)"
    # A distance is turned: its largest values come first.
    turned = re.findall(r"<title>([^<]+)</title>", ed["svg"])
    assert turned[0] == "ed from 9 to 10: 0 of 10 rows pass (0%)"
    length = next(card for card in section.spread if card["name"] == "length")
    assert "too few rows" in length["reason"]


def test_other_outcomes_are_drawn_by_their_means() -> None:
    judgement = outcome_judgement(names=["nes"], binary=False)
    scores = np.arange(20.0) / 20
    section = outcome_section(judgement, {"nes": scores}, scores * 40 - 10)
    [card, _] = section.spread
    assert "mean outcome −9 of 2 rows" in card["svg"]


def test_without_scores_there_is_no_picture_by_score() -> None:
    assert outcome_section(outcome_judgement()).spread == []


def test_groups_are_dots_with_tau() -> None:
    section = outcome_section(outcome_judgement(measures=2, groups=8))
    [first, *_] = section.groups
    assert first["svg"].count("<circle") == 8
    assert first["tau"].startswith("tau 0.80, 95 % interval")
    assert "model-3" in first["svg"]
    assert outcome_section(outcome_judgement(groups=1)).groups == []
    many = outcome_section(outcome_judgement(measures=1, groups=400)).groups[0]
    assert many["svg"].count("<circle") == 300


def test_sure_differences_are_framed_and_signs_turn() -> None:
    section = outcome_section(outcome_judgement(measures=3))
    made = section.differences
    assert made is not None
    names = [name for name, _ in made["heads"]]
    assert names == [row["name"] for row in section.bars[0].rows]
    up, down = made["rows"][0]["cells"][2], made["rows"][2]["cells"][0]
    assert up["sign"] == "plus sure"
    assert down["sign"] == "minus sure"
    assert up["text"].replace("+", "−") == down["text"]
    assert "adjusted p 0.001" in up["title"]
    assert made["sure"] == sum("sure" in c["sign"] for r in made["rows"] for c in r["cells"]) / 2


def test_an_unknown_difference_is_said() -> None:
    judgement = outcome_judgement(measures=2)
    [one] = judgement.differences
    made = outcome_section(
        replace(judgement, differences=(replace(one, difference=NOTHING, adjusted=np.nan),))
    ).differences
    assert made is not None
    assert made["rows"][0]["cells"][1]["text"] == "–"
    assert "no difference is known" in made["rows"][0]["cells"][1]["title"]
    assert made["sure"] == 0


def test_wrong_rows_are_linked() -> None:
    section = outcome_section(outcome_judgement(measures=1), places=Places({"row-1": 7}))
    rows = section.wrong[0]["rows"]
    assert len(rows) == 10
    assert [row["href"] for row in rows[:2]] == [
        "#pair=row-0&measure=bleu",
        "#pair=row-1&row=8&measure=bleu",
    ]


def test_costs_are_held_against_pearson() -> None:
    judgement = outcome_judgement(measures=2)
    made = outcome_section(judgement, costs=costs(["bleu"])).cost
    assert made is not None
    assert made["rows"] == [{"name": "bleu", "quality": "0.620", "time": made["rows"][0]["time"]}]


@pytest.mark.parametrize("unit", ["task", "group"])
def test_intervals_that_are_unknown_have_no_column(unit) -> None:
    judgement = outcome_judgement(measures=1)
    [one] = judgement.measures
    every = replace(one.every, pearson=replace(one.every.pearson, **{unit: UNKNOWN}))
    section = outcome_section(replace(judgement, measures=(replace(one, every=every),)))
    assert f"r by {unit}" not in [head for head, _ in section.numbers["heads"]]
