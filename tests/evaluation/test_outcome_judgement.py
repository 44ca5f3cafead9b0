from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

from tests.report.judging.example_judgements import (
    NONE,
    broken_outcomes,
    correlations,
    full_outcomes,
    no_correlations,
    outcome_effect,
    outcomes,
    perturbed,
    spread,
)

from codekin.evaluation.outcome_judgement import CorrelationDifference, OutcomeEffect
from codekin.report.render import latex, markdown
from codekin.statistics.bootstrap import Interval


def lines(grid) -> list[dict[str, str]]:
    return [dict(zip(grid.heads, row, strict=True)) for row in grid.rows]


def test_correlations_with_the_length_baseline_last() -> None:
    grid = full_outcomes().grids()[0]
    assert grid.title == "run: 100 rows"
    first, ed, _, length = lines(grid)
    assert first == {
        "measure": "bleu",
        "pearson": "0.200",
        "95 % by task": "[0.000, 0.400]",
        "spearman": "0.190",
        "kendall": "0.180",
        "auc": "0.600",
        "r without unchanged": "0.150",
        "groups tau": "0.500",
        "n": "100",
    }
    assert (ed["measure"], length["measure"]) == ("ed ↓", "length only")
    assert grid.strong == {(1, 1)}
    assert r"ed $\downarrow$ & \textbf{0.300} & [0.100, 0.500]" in latex(grid)
    assert "| ed ↓ | **0.300** | [0.100, 0.500]" in markdown(grid)


def test_intervals_by_row_where_tasks_are_unknown() -> None:
    grid, intervals = broken_outcomes().grids()[:2]
    assert grid.heads[2] == "95 % by row"
    assert lines(grid)[-1]["95 % by row"] == "[0.000, 0.200]"
    assert {"auc", "groups tau", "r without equal"}.isdisjoint(grid.heads)  # there are none
    assert lines(grid)[0]["failed"] == "100"
    assert lines(grid)[0]["pearson"] == "–"
    assert intervals.heads == ("measure", "pearson", "by row", "by task", "by group")
    assert intervals.rows[-1] == ("length only", "0.100", "[0.000, 0.200]", "–", "–")


def test_differences_are_seen_from_the_best() -> None:
    grid = next(g for g in full_outcomes().grids() if g.title.startswith("ed, the best"))
    assert grid.heads[:3] == ("other", "r of best − other", "95 % by task")
    assert grid.rows == (
        ("bleu", "+0.100", "[+0.060, +0.140]", "0.0100", "0.0300", "100"),  # turned round
        ("nes", "+0.050", "[+0.010, +0.090]", "0.5000", "0.5000", "99"),
        ("length only", "–", "–", "–", "–", "98"),
    )
    assert not any("the best" in g.title for g in outcomes().grids())


def test_a_grid_for_each_perturbation() -> None:
    grid = next(g for g in full_outcomes().grids() if g.title.startswith("prefix"))
    assert [row[0] for row in grid.rows] == ["bleu", "ed ↓", "nes", "length only"]
    assert lines(grid)[0] == {
        "measure": "bleu",
        "r plain": "0.200",
        "r changed": "0.050",
        "loss": "+0.150",
        "95 % by task": "[-0.050, +0.350]",
        "mean plain": "0.7000",
        "mean changed": "0.9000",
        "unmoved": "0.250",
        "n": "90",
    }


def test_groups_only_where_asked() -> None:
    judgement = full_outcomes()
    more = judgement.grids(groups=True)[len(judgement.grids()) :]
    assert [grid.title for grid in more] == ["Means by group", "Pearson's r within each group"]
    means, within = more
    assert means.heads == ("group", "n", "mean outcome", "bleu", "ed ↓", "nes", "length only")
    assert means.rows[0] == ("gpt_4", "60", "0.7000", "0.8000", "0.80", "0.8000", "0.8000")
    assert within.rows[1][2:] == ("–",) * 4
    assert r"gpt\_4 & 60" in latex(means)
    assert not outcomes(length=outcome_effect("length", 0.1, groups=())).grids(groups=True)[2:]


def test_correlations_between_measures_only_where_asked() -> None:
    judgement = full_outcomes()
    more = judgement.grids(detail=True)[len(judgement.grids()) :]
    assert [grid.title for grid in more] == ["Pearson's r between the scores of measures"]


def test_the_conclusion_names_the_best_and_those_that_may_be_as_good() -> None:
    bleu, es, nes = (
        outcome_effect(name, r) for name, r in (("bleu", 0.3), ("es", 0.9), ("nes", 0.7))
    )

    def concluded(*measures: OutcomeEffect, p: tuple[float, ...] = ()) -> str:
        pairs = list(combinations([one.label for one in measures], 2))
        differences = tuple(
            CorrelationDifference(*pair, 100, NONE, each, each)
            for pair, each in zip(pairs, p, strict=False)
        )
        [said] = outcomes(*measures, differences=differences).conclusion()
        return said

    assert concluded(bleu, es, nes, p=(0.01, 1, 0.02)) == (
        "es (r 0.900) agrees best with the outcome, and every other measure agrees less (p below "
        "0.05 after Holm's correction)."
    )
    assert concluded(bleu, es, nes, p=(0.01, 1, 0.2)) == (
        "es (r 0.900) and nes (0.700) agree best with the outcome; they are not distinguished."
    )
    assert concluded(bleu, es, nes) == (
        "es (r 0.900) agrees best with the outcome; not distinguished from it: nes (0.700) and "
        "bleu (0.300)."
    )
    assert concluded(es) == (
        "es agrees with the outcome: r 0.900, 95 % interval from 0.700 to 1.100; lengths alone: r "
        "0.050."
    )
    assert concluded(outcome_effect("es", 0.1)) == (
        "No measure clearly agrees with the outcome: es has r 0.100, 95 % interval from -0.100 to "
        "0.300."
    )
    nothing = outcome_effect("es", math.nan, every=no_correlations("all the same"))
    assert outcomes(nothing).conclusion() == []


def test_notes_say_why_figures_are_missing() -> None:
    notes = broken_outcomes().notes()
    assert "c_s: no row has a score and an outcome" in notes
    assert "c_s: without unchanged: every outcome is the same" in notes
    assert "const: it says 1 of every row" in notes
    assert "layout: no row could be changed this way and scored" in notes
    assert not any(g.title.startswith("layout") for g in broken_outcomes().grids())
    assert not any(note.startswith("c_s: groups") for note in notes)  # it has no groups
    assert any("95 % intervals of 2,000 resamples of rows" in note for note in notes)
    assert any("of 2,000 resamples of tasks" in note for note in full_outcomes().notes())
    assert "5 rows unchanged" in " ".join(full_outcomes().notes())


def test_warnings() -> None:
    assert full_outcomes().warnings() == ["2 of 102 rows have no outcome and are left out"]
    warnings = broken_outcomes().warnings()
    assert warnings[0].startswith("run is not finished")
    assert warnings[-1] == "no score: c_s: broken (100 times, first row r1)"


def test_few_rows_are_warned_of_before_any_value() -> None:
    assert outcomes(without_outcome=72, rarer=10).warnings()[1:] == []
    [few] = outcomes(rows=10, without_outcome=0, rarer=1).warnings()
    assert few == (
        "there are only 10 rows with an outcome and 1 row with the rarer outcome: correlations "
        "from so few may be far off, and their intervals too narrow; test at least 30 rows, with "
        "10 of each outcome"
    )
    [rarer] = outcomes(without_outcome=0, rarer=9).warnings()
    assert rarer.startswith("there are only 9 rows with the rarer outcome: ")
    [numbers] = outcomes(rows=29, without_outcome=0, binary=False, rarer=None).warnings()
    assert numbers.startswith("there are only 29 rows with an outcome: ")


def test_notes_count_the_rows_that_a_perturbation_leaves_out() -> None:
    word = "locals"
    judgement = outcomes(
        outcome_effect("bleu", 0.2, perturbed=(replace(perturbed(word, 0.2, 0.1), n=90),)),
        outcome_effect("nes", 0.2, perturbed=(replace(perturbed(word, 0.2, 0.1), n=88),)),
        perturbations=(word,),
    )
    assert (
        "locals: 10 of 100 rows could not be changed this way and scored, and are left out of both "
        "forms"
    ) in judgement.notes()
    every = outcomes(
        outcome_effect("bleu", 0.2, perturbed=(replace(perturbed(word, 0.2, 0.1), n=100),)),
        perturbations=(word,),
    )
    assert not any("left out of both" in note for note in every.notes())


def test_notes_warn_of_intervals_from_a_handful_of_groups() -> None:
    by_group = replace(spread(0.2), group=Interval(0.19, 0.21))
    effect = outcome_effect("bleu", 0.2, every=correlations(0.2, pearson=by_group))
    few = outcomes(effect, groups=4)
    assert any(note.startswith("by group: with only 4 groups") for note in few.notes())
    assert not any("by group:" in note for note in replace(few, groups=10).notes())
    assert not any("by group:" in note for note in full_outcomes().notes())  # it has none
