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

from codekin.evaluation.triplets import EqualLengths, TripletJudgement
from codekin.report.judging.cells import Places
from codekin.report.judging.triplet_section import triplet_section
from codekin.statistics.bootstrap import UNKNOWN, Estimate


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


def test_forests_are_of_all_triplets_and_of_each_language_pair() -> None:
    section = triplet_section(triplet_judgement(measures=5, pairs=6))
    names = ["all triplets", "python", "java", "c", "cpp", "javascript", "(python, java)"]
    assert [one.name for one in section.forests] == names
    orders = {tuple(row["name"] for row in one.rows) for one in section.forests}
    assert len(orders) == 1
    texts = [float(row["text"].replace("−", "-")) for row in section.forests[0].rows]
    assert texts == sorted(texts, reverse=True)
    assert [row["name"] for row in section.forests[0].apart] == ["length only"]


def test_one_language_pair_needs_no_choice() -> None:
    section = triplet_section(triplet_judgement(measures=1, pairs=1))
    assert [one.name for one in section.forests] == ["all triplets"]
    assert [row["name"] for row in section.table["rows"]] == ["python"]


def test_a_row_has_the_effect_and_both_confounds() -> None:
    [row] = triplet_section(triplet_judgement(measures=1, pairs=1)).forests[0].rows
    titles = re.findall(r"<title>([^<]+)</title>", row["strip"])
    assert titles[0].startswith("bleu: d = 1.100, 95 % interval from 0.980 to 1.208")
    assert "lengths regressed out: d = 0.720" in titles[1]
    assert "40 triplets of equal lengths: d = 0.550" in titles[2]
    assert (row["text"], row["range"]) == ("1.100", "0.980 to 1.208")
    for shape in ("main", "diamond", "square"):
        assert f'class="mark {shape}"' in row["strip"]
    assert 'class="reference"' in row["strip"]


def test_the_table_has_the_best_in_bold_and_an_average() -> None:
    judgement = triplet_judgement(measures=3, pairs=4)
    table = triplet_section(judgement).table
    assert table["labels"] == labels(3)
    assert [row["name"] for row in table["rows"]][-2:] == ["average", "all together"]
    for row in table["rows"]:
        assert [cell["best"] for cell in row["cells"]] == [True, False, False, False]
    means = np.mean([[one.cohens_d.value for one in p.measures] for p in judgement.pairs], axis=0)
    average = [float(cell["text"].replace("−", "-")) for cell in table["rows"][-2]["cells"]]
    assert average[:3] == pytest.approx(means, abs=0.005)


def test_the_baseline_is_never_the_best() -> None:
    judgement = triplet_judgement(measures=1, pairs=1)
    strong = replace(judgement.overall.length, cohens_d=estimate(9.0))
    [pair] = judgement.pairs
    table = triplet_section(replace(judgement, pairs=(replace(pair, length=strong),))).table
    assert [cell["best"] for cell in table["rows"][0]["cells"]] == [True, False]


def test_missing_values_are_said_in_words() -> None:
    section = triplet_section(with_gap(triplet_judgement(measures=3, pairs=2)))
    last = section.forests[0].rows[-1]
    assert (last["name"], last["strip"], last["reason"]) == ("bleu", "", CONSTANT)
    assert ("bleu", CONSTANT) in section.reasons
    assert ("bleu, python", CONSTANT) in section.reasons
    cells = section.table["rows"][0]["cells"]
    assert (cells[0]["text"], cells[0]["title"]) == ("–", CONSTANT)
    average = section.table["rows"][2]["cells"][0]
    assert (average["text"], average["title"]) == ("–", "a language pair has no value")
    assert section.histograms[0]["svg"] == ""
    assert section.histograms[0]["reason"] == CONSTANT
    numbers = next(row for row in section.forests[0].numbers["rows"] if row["name"] == "bleu")
    assert {cell["title"] for cell in numbers["cells"][:5]} == {CONSTANT}
    assert "no triplet has texts of equal length" in numbers["cells"][5]["title"]


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
    [row] = triplet_section(replace(judgement, overall=overall)).forests[0].rows
    assert row["strip"].count("<title>") == 1
    assert (row["text"], row["range"]) == ("0.500", "")
    assert "without an interval" in row["strip"]


def test_leaks_are_named_up_to_twenty() -> None:
    section = triplet_section(triplet_judgement(measures=1, pairs=2, leaks=23))
    assert len(section.leaks) == 20
    first = section.leaks[0]
    assert first["href"] == "#pair=t0%2Fnegative"
    assert section.leaks[1]["href"] == "#pair=t1%2Fpositive"
    assert (first["roles"], first["kind"]) == ("anchor and negative", "near copy")
    assert "23 leaks" in section.forests[0].note
    heads = [head for head, _ in section.forests[0].numbers["heads"]]
    assert "d, no leaks" in heads
    clean = triplet_section(triplet_judgement(measures=1, pairs=2))
    assert clean.leaks == []
    assert "d, no leaks" not in [head for head, _ in clean.forests[0].numbers["heads"]]


def test_tables_of_numbers_are_as_wide_as_their_heads() -> None:
    for leaks in (0, 2):
        section = triplet_section(triplet_judgement(measures=2, pairs=3, leaks=leaks))
        for forest in section.forests:
            for row in forest.numbers["rows"]:
                assert len(row["cells"]) == len(forest.numbers["heads"])


def test_wrong_triplets_link_to_both_of_their_rows() -> None:
    section = triplet_section(triplet_judgement(measures=2), Places({"t0/negative": 4}))
    assert [one["name"] for one in section.wrong] == ["bleu", "codebleu"]
    first = section.wrong[0]["rows"][0]
    assert len(section.wrong[0]["rows"]) == 10
    assert first["positive_link"] == "#pair=t0%2Fpositive&measure=bleu"
    assert first["negative_link"] == "#pair=t0%2Fnegative&row=5&measure=bleu"


def test_a_measure_that_gets_nothing_wrong_has_no_rows() -> None:
    section = triplet_section(triplet_judgement(measures=2, wrong={}))
    assert [one["rows"] for one in section.wrong] == [[], []]


def test_costs_are_shown_only_where_they_were_measured() -> None:
    judgement = triplet_judgement(measures=2)
    assert triplet_section(judgement).cost is None
    made = triplet_section(judgement, None, costs(["bleu", "length"])).cost
    assert made is not None
    assert [row["name"] for row in made["rows"]] == ["bleu", "length"]


def test_no_measures_at_all_make_a_section() -> None:
    section = triplet_section(triplet_judgement(measures=0, pairs=0))
    assert section.forests[0].rows == []
    assert len(section.forests[0].apart) == 1


def test_a_leak_between_both_others_opens_the_negative() -> None:
    judgement = triplet_judgement(measures=1, pairs=1)
    both = replace(leak(0), roles="positive and negative")
    overall = replace(judgement.overall, leaks=(both,))
    [told] = triplet_section(replace(judgement, overall=overall)).leaks
    assert told["href"] == "#pair=t0%2Fnegative"
