from __future__ import annotations

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
from tests.report.judging.parts import column, content, forest_rows, lines, names, part, titles

from codekin.evaluation.outcomes import (
    OutcomeEffect,
    OutcomeJudgement,
    score_tenths,
)
from codekin.report.plots.figures import picture
from codekin.report.sections import Places
from codekin.results import Grid, Scatter, Section, ShareBars
from codekin.statistics.bootstrap import UNKNOWN

BARS = "Correlation with the outcome"
GROUPS = "Groups: does a measure rank them as the outcome does?"


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


def bars(judgement: OutcomeJudgement, coefficient: str = "Pearson's r") -> Section:
    return part(judgement.section(), BARS, coefficient)


def coefficients(judgement: OutcomeJudgement) -> list[str]:
    return [title for title in titles(part(judgement.section(), BARS)) if title != "All numbers"]


def numbers(judgement: OutcomeJudgement) -> list[Grid]:
    return content(part(judgement.section(), BARS, "All numbers"), Grid)


def test_there_is_a_choice_of_coefficients() -> None:
    judgement = outcome_judgement(measures=3)
    names_ = ["Pearson's r", "Spearman's rho", "Kendall's tau", "AUC"]
    assert coefficients(judgement) == names_
    for name in names_:
        *rows, baseline = forest_rows(bars(judgement, name))
        assert (baseline.row.name.text, baseline.row.apart) == ("length only", True)
        assert len(rows) == 3
    texts = [float(row.text.replace("−", "-")) for row in forest_rows(bars(judgement))[:-1]]
    assert texts == sorted(texts, reverse=True)


def test_outcomes_of_many_values_have_no_auc() -> None:
    judgement = outcome_judgement(measures=2, binary=False)
    assert coefficients(judgement)[-1] == "Kendall's tau"
    assert "auc" not in numbers(judgement)[0].heads


def test_bars_are_of_all_rows_changed_rows_and_perturbed_ones() -> None:
    judgement = outcome_judgement(measures=1, perturbations=("prefix:1-2", "locals"))
    section = part(judgement.section(), BARS)
    assert [kind for kind, _ in section.key] == ["bar-0", "bar-1", "bar-2", "bar-3"]
    row, _ = forest_rows(bars(judgement))
    said = re.findall(r"<title>([^<]+)</title>", row.strip)
    assert said[0].startswith("bleu, all rows: r = 0.620, 95 % interval from 0.560 to 0.670")
    assert "without unchanged rows: r = 0.540" in said[1]
    assert "prefix:1-2: r = 0.620" in said[2]
    assert "the same rows as they were: 0.620" in said[2]
    assert row.strip.count('class="beside"') == 2
    assert row.strip.count('class="range inner"') == 4  # by task, and by row within
    assert "every task drawn as a whole" in section.text


def test_rows_are_drawn_where_tasks_are_not() -> None:
    judgement = outcome_judgement(measures=1, drawn="row", perturbations=(), unchanged=0)
    effects = [
        replace(one, every=replace(one.every, pearson=replace(one.every.pearson, task=UNKNOWN)))
        for one in (*judgement.measures, judgement.length)
    ]
    judgement = replace(judgement, measures=(effects[0],), length=effects[1])
    row, _ = forest_rows(bars(judgement))
    assert "every task" not in part(judgement.section(), BARS).text
    assert row.range == "[0.600, 0.640]"
    assert "inner" not in row.strip


def test_nothing_unchanged_has_no_bar() -> None:
    judgement = outcome_judgement(measures=1, perturbations=(), unchanged=0)
    section = judgement.section()
    assert [kind for kind, _ in part(section, BARS).key] == ["bar-0"]
    assert forest_rows(bars(judgement))[0].strip.count("<rect") == 1
    assert "What each measure loses" not in titles(section)


def test_all_numbers_have_their_intervals() -> None:
    values, intervals = numbers(outcome_judgement(measures=1))
    line, _ = lines(values)
    assert (line["pearson"].text, line["pearson"].beneath) == ("0.620", "[0.560, 0.670]")
    assert (line["spearman"].text, line["spearman"].beneath) == ("0.589", "[0.529, 0.639]")
    assert line["r without unchanged"].text == "0.540"
    assert line["r without both"].beneath == "[0.310, 0.420]"
    assert line["groups tau"].text == "0.800"
    assert lines(intervals)[0]["by group"].text == "[0.530, 0.690]"
    titles_ = {head.head: head.meaning for head in values.all_columns}
    assert titles_["kendall"] == "Kendall's tau b"


def test_losses_are_sorted_by_how_much_is_lost() -> None:
    section = part(outcome_judgement(measures=4).section(), "What each measure loses")
    assert titles(section) == ["prefix:2000-3000"]
    [grid] = content(section.parts[0], Grid)
    lost = column(grid, "loss")
    assert lost == sorted(lost)
    assert lines(grid)[0]["unmoved"].text == "0.400"


def test_missing_values_are_said_in_words() -> None:
    judgement = with_gap(outcome_judgement(measures=3))
    last = forest_rows(bars(judgement))[-2]
    assert (last.row.name.text, last.row.reason) == ("bleu", CONSTANT)
    assert f"bleu: {CONSTANT}" in judgement.notes()
    line = next(one for one in lines(numbers(judgement)[0]) if one["measure"].text == "bleu")
    assert all(cell.title for cell in line.values() if cell.text == "–")
    assert "nan" not in str(line)
    card = next(
        one for one in content(part(judgement.section(), GROUPS), Scatter) if one.title == "bleu"
    )
    assert (picture(card), card.caption) == ("", "fewer than two groups have a score")


def test_nothing_known_at_all_makes_a_section() -> None:
    judgement = outcome_judgement(measures=2, differences=(), wrong={})
    gone = tuple(map(without_values, judgement.measures))
    judgement = replace(judgement, measures=gone, length=without_values(judgement.length))
    assert coefficients(judgement) == []
    assert "No measure has a correlation" in part(judgement.section(), BARS).text
    matrices = content(part(judgement.section(), "Between measures"), Grid)
    assert [one.title for one in matrices] == ["Pearson's r between the scores of measures"]


def with_scores(
    judgement: OutcomeJudgement, values: dict[str, np.ndarray], outcome: np.ndarray
) -> dict[str, ShareBars]:
    """The plots of the outcome by the scores of each measure."""
    measures = tuple(
        replace(one, tenths=score_tenths(values[one.label], outcome, distance=one.distance))
        for one in judgement.measures
    )
    section = part(replace(judgement, measures=measures).section(), "Outcome by score")
    return {one.title: one for one in content(section, ShareBars)}


def test_the_share_that_passes_is_drawn_by_score() -> None:
    judgement = outcome_judgement(measures=2, names=["nes", "ed"])
    scores = np.arange(100.0) / 100
    outcome = (scores >= 0.5).astype(float)
    outcome[3] = np.nan
    drawn = with_scores(judgement, {"nes": scores, "ed": -scores * 10 + 10}, outcome)
    said = re.findall(r"<title>([^<]+)</title>", picture(drawn["nes"]))
    assert said[0] == "nes from 0 to 0.1: 0 of 10 rows pass (0 %)"
    assert said[9] == "nes from 0.9 to 0.99: 10 of 10 rows pass (100 %)"
    # A distance is turned: its largest values come first.
    turned = re.findall(r"<title>([^<]+)</title>", picture(drawn["ed"]))
    assert turned[0] == "ed from 9 to 10: 0 of 10 rows pass (0 %)"
    assert drawn["ed"].tag == "distance, turned"
    assert drawn["nes"].base == pytest.approx(50 / 99)
    assert "too few rows" in drawn["length"].reason


def test_other_outcomes_are_drawn_by_their_means() -> None:
    judgement = outcome_judgement(names=["nes"], binary=False)
    scores = np.arange(20.0) / 20
    drawn = with_scores(judgement, {"nes": scores}, scores * 40 - 10)
    assert "mean outcome -9 of 2 rows" in picture(drawn["nes"])


def test_without_scores_there_is_no_picture_by_score() -> None:
    assert "Outcome by score" not in titles(outcome_judgement().section())


def test_groups_are_dots_with_tau() -> None:
    [first, *_] = content(part(outcome_judgement(measures=2, groups=8).section(), GROUPS), Scatter)
    assert picture(first).count("<circle") == 8
    assert first.caption.startswith("tau 0.800, 95 % interval")
    assert "model-3" in picture(first)
    assert GROUPS not in titles(outcome_judgement(groups=1).section())
    [many, _] = content(part(outcome_judgement(measures=1, groups=400).section(), GROUPS), Scatter)
    assert picture(many).count("<circle") == 300


def differences(judgement: OutcomeJudgement) -> Grid:
    return content(part(judgement.section(), "Between measures"), Grid)[0]


def test_sure_differences_are_framed_and_signs_turn() -> None:
    judgement = outcome_judgement(measures=3)
    grid = differences(judgement)
    rows = lines(grid)
    listed = [row[0] for row in grid.rows]
    assert listed == names(forest_rows(bars(judgement))) == list(grid.heads[1:])
    up, down = rows[0][listed[2]], rows[2][listed[0]]
    assert (up.kind, down.kind) == ("", "minus")
    assert up.strong and down.strong
    assert up.text.replace("+", "−") == down.text
    assert "adjusted p 0.0010" in up.title
    sure = sum(cell.strong for line in rows for cell in line.values()) // 2
    assert f"({sure} of 3)" in grid.note


def test_an_unknown_difference_is_said() -> None:
    judgement = outcome_judgement(measures=2)
    [one] = judgement.differences
    unknown = replace(one, difference=NOTHING, adjusted=np.nan)
    grid = differences(replace(judgement, differences=(unknown,)))
    cell = list(lines(grid)[0].values())[2]
    assert cell.text == "–"
    assert "no difference is known" in cell.title
    assert "(0 of 1)" in grid.note


def test_wrong_rows_are_linked() -> None:
    section = outcome_judgement(measures=1).section()
    [grid] = content(part(section, "What each measure gets most wrong", "bleu"), Grid)
    rows = lines(grid, Places({"row-1": 7}))
    assert len(rows) == 10
    assert [row["row"].href for row in rows[:2]] == [
        "#pair=row-0&measure=bleu",
        "#pair=row-1&measure=bleu&row=8",
    ]


def test_costs_are_held_against_pearson() -> None:
    section = outcome_judgement(measures=2).section(costs(["bleu"]))
    [grid] = content(part(section, "Cost against quality"), Grid)
    [line] = lines(grid)
    assert (line["measure"].text, line["Pearson's r"].text) == ("bleu", "0.620")


@pytest.mark.parametrize("unit", ["task", "group"])
def test_intervals_that_are_unknown_are_not_made_up(unit) -> None:
    judgement = outcome_judgement(measures=1)
    [one] = judgement.measures
    every = replace(one.every, pearson=replace(one.every.pearson, **{unit: UNKNOWN}))
    judgement = replace(judgement, measures=(replace(one, every=every),))
    first, _ = lines(numbers(judgement)[1])
    assert first[f"by {unit}"].text == "–"
    assert first["by row"].text == "[0.600, 0.640]"
