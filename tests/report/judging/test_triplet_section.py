from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.report.judging.judgements import (
    CONSTANT,
    NOTHING,
    costs,
    estimate,
    labels,
    leak,
    triplet_judgement,
    without_values,
)
from tests.report.judging.parts import column, content, forest_rows, lines, names, part, titles

from codekin.evaluation.triplets import EqualLengths, TripletJudgement
from codekin.report.plots.figures import picture
from codekin.report.sections import Places
from codekin.results import Grid, Histograms, Section
from codekin.statistics.bootstrap import UNKNOWN, Estimate

TABLE = "Cohen's d by language pair"
WRONG = "What each measure gets most wrong"


def with_gap(judgement: TripletJudgement, at: int = 0) -> TripletJudgement:
    """The judgement with a measure that has no value anywhere."""

    def gap(view):
        measures = list(view.measures)
        measures[at] = without_values(measures[at])
        return replace(view, measures=tuple(measures))

    return replace(
        judgement,
        overall=gap(judgement.overall),
        pairs=tuple(map(gap, judgement.pairs)),
    )


def effects(judgement: TripletJudgement, view: str = "all triplets") -> Section:
    return part(judgement.section(), "Effect sizes", view)


def numbers(view: Section) -> Grid:
    [grid] = content(part(view, "All numbers"), Grid)
    return grid


def test_forests_are_of_all_triplets_and_of_each_language_pair() -> None:
    section = part(triplet_judgement(measures=5, pairs=6).section(), "Effect sizes")
    views = ["all triplets", "python", "java", "c", "cpp", "javascript", "(python, java)"]
    assert titles(section) == views
    assert section.choice == "Language pair"
    orders = {tuple(names(forest_rows(one))) for one in section.parts}
    assert len(orders) == 1
    rows = forest_rows(section.parts[0])
    texts = [float(one.text.replace("−", "-")) for one in rows if not one.row.apart]
    assert texts == sorted(texts, reverse=True)
    assert [one.row.name.text for one in rows if one.row.apart] == ["length only"]


def test_one_language_pair_needs_no_choice() -> None:
    section = triplet_judgement(measures=1, pairs=1).section()
    assert titles(part(section, "Effect sizes")) == ["all triplets"]
    [table] = content(part(section, TABLE), Grid)
    assert [row[0] for row in table.rows] == ["python"]


def test_a_row_has_the_effect_and_both_confounds() -> None:
    row, _ = forest_rows(effects(triplet_judgement(measures=1, pairs=1)))
    said = re.findall(r"<title>([^<]+)</title>", row.strip)
    assert said[0].startswith("bleu: d = 1.100, 95 % interval from 0.980 to 1.208")
    assert "lengths regressed out: d = 0.720" in said[1]
    assert "40 triplets of equal lengths: d = 0.550" in said[2]
    assert (row.text, row.range) == ("1.100", "[0.980, 1.208]")
    for shape in ("main", "diamond", "square"):
        assert f'class="mark {shape}"' in row.strip
    assert 'class="reference"' in row.strip


def test_the_table_has_the_best_in_bold_and_an_average() -> None:
    judgement = triplet_judgement(measures=3, pairs=4)
    [table] = content(part(judgement.section(), TABLE), Grid)
    assert table.heads == ("languages", *labels(3), "length only")
    assert [row[0] for row in table.rows] == ["python", "java", "c", "cpp", "Average"]
    for line in lines(table):
        assert [cell.strong for cell in line.values()] == [False, True, False, False, False]
        heat = [float(cell.heat) for cell in list(line.values())[1:-1]]
        assert heat[0] == 1 == max(heat)
        assert line["length only"].heat is None
    means = np.mean([[one.cohens_d.value for one in p.measures] for p in judgement.pairs], axis=0)
    average = [float(text.replace("−", "-")) for text in table.rows[-1][1:4]]
    assert average == pytest.approx(means, abs=0.005)


def test_the_baseline_is_never_the_best() -> None:
    judgement = triplet_judgement(measures=2, pairs=1)
    strong = replace(judgement.overall.length, cohens_d=estimate(9.0))
    [pair] = judgement.pairs
    judgement = replace(judgement, pairs=(replace(pair, length=strong),))
    [line] = lines(content(part(judgement.section(), TABLE), Grid)[0])
    assert [cell.strong for cell in line.values()] == [False, True, False, False]


def test_missing_values_are_said_in_words() -> None:
    judgement = with_gap(triplet_judgement(measures=3, pairs=2))
    section = judgement.section()
    last = forest_rows(effects(judgement))[-2]
    assert (last.row.name.text, last.strip, last.row.reason) == ("bleu", "", CONSTANT)
    notes = judgement.notes()
    assert f"all, bleu: {CONSTANT}" in notes
    assert f"python, bleu: {CONSTANT}" in notes
    first, *_, average = lines(content(part(section, TABLE), Grid)[0])
    assert (first["bleu"].text, first["bleu"].title) == ("–", CONSTANT)
    missing = "a language pair has no value"
    assert (average["bleu"].text, average["bleu"].title) == ("–", missing)
    [drawn, *_] = content(part(section, "How both kinds of pairs score"), Histograms)
    assert (picture(drawn), drawn.reason) == ("", CONSTANT)
    line = next(one for one in lines(numbers(effects(judgement))) if one["measure"].text == "bleu")
    assert {line[head].title for head in ("d", "AUC", "won", "paired d", "d lengths out")} == {
        CONSTANT
    }
    assert "no triplet has texts of equal length" in line["d equal length (n)"].title


def test_all_numbers_have_their_intervals() -> None:
    line, _ = lines(numbers(effects(triplet_judgement(measures=1, pairs=1))))
    assert (line["d"].text, line["d"].beneath) == ("1.100", "[0.980, 1.208]")
    assert line["AUC"].beneath == "[0.690, 0.747]"
    assert (line["positive"].text, line["positive"].beneath) == ("0.6650", "± 0.150")
    assert line["d equal length (n)"].text == "0.550 (40)"
    assert line["d equal length (n)"].beneath == "[0.150, 0.910]"
    assert "95 %" not in line


def test_confounds_may_be_missing_alone() -> None:
    judgement = triplet_judgement(measures=1, pairs=1)
    [one] = judgement.overall.measures
    bare = replace(
        one,
        cohens_d=Estimate(0.5, UNKNOWN, UNKNOWN),
        adjusted_d=NOTHING,
        equal_length=EqualLengths(0, NOTHING, "none is as long"),
    )
    overall = replace(judgement.overall, measures=(bare,))
    row, _ = forest_rows(effects(replace(judgement, overall=overall)))
    assert row.strip.count("<title>") == 1
    assert (row.text, row.range) == ("0.500", "")
    assert "without an interval" in row.strip


def test_leaks_are_named_up_to_twenty() -> None:
    judgement = triplet_judgement(measures=1, pairs=2, leaks=23)
    first = judgement.section().parts[0]
    assert (first.title, first.alarming) == ("23 leaks: roles that hold the same text", True)
    [grid] = content(first, Grid)
    told = lines(grid, Places())
    assert len(told) == 20
    assert told[0]["triplet"].href == "#pair=t0%2Fnegative"
    assert told[1]["triplet"].href == "#pair=t1%2Fpositive"
    assert (told[0]["roles"].text, told[0]["kind"].text) == ("anchor and negative", "near copy")
    assert "23 leaks" in effects(judgement).text
    assert "d without leaks" in numbers(effects(judgement)).heads
    clean = triplet_judgement(measures=1, pairs=2)
    assert not any(one.alarming for one in clean.section().parts)
    assert "d without leaks" not in numbers(effects(clean)).heads


def test_wrong_triplets_link_to_both_of_their_rows() -> None:
    section = part(triplet_judgement(measures=2).section(), WRONG)
    assert titles(section) == ["bleu", "codebleu"]
    [grid] = content(section.parts[0], Grid)
    rows = lines(grid, Places({"t0/negative": 4}))
    assert len(rows) == 10
    assert rows[0]["positive"].href == "#pair=t0%2Fpositive&measure=bleu"
    assert rows[0]["negative"].href == "#pair=t0%2Fnegative&measure=bleu&row=5"
    assert rows[0]["positive"].title == "open (anchor, positive) of t0"
    assert lines(grid)[0]["positive"].href == ""  # there is nothing to open without the run


def test_a_measure_that_gets_nothing_wrong_has_no_rows() -> None:
    section = part(triplet_judgement(measures=2, wrong={}).section(), WRONG)
    assert [one.content for one in section.parts] == [(), ()]
    assert all("no negative above" in one.text for one in section.parts)


def test_costs_are_shown_only_where_they_were_measured() -> None:
    judgement = triplet_judgement(measures=2)
    assert "Cost against quality" not in titles(judgement.section())
    [grid] = content(
        part(judgement.section(costs(["bleu", "length"])), "Cost against quality"), Grid
    )
    assert [row[0] for row in grid.rows] == ["bleu", "length"]
    assert column(grid, "Cohen's d")[0] == pytest.approx(1.1)


def test_no_measures_at_all_make_a_section() -> None:
    rows = forest_rows(effects(triplet_judgement(measures=0, pairs=0)))
    assert [one.row.apart for one in rows] == [True]


def test_a_leak_between_both_others_opens_the_negative() -> None:
    judgement = triplet_judgement(measures=1, pairs=1)
    both = replace(leak(0), roles="positive and negative")
    overall = replace(judgement.overall, leaks=(both,))
    [grid] = content(replace(judgement, overall=overall).section().parts[0], Grid)
    [told] = lines(grid, Places())
    assert told["triplet"].href == "#pair=t0%2Fnegative"
