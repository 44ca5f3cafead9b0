"""Public values that are not a Result, and what notebooks show of them."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
from tests.corpora.small import contest

from codekin import Corpus, align_three, graph_edit_distance, sample_pairs, split_corpus
from codekin.align.graph_edit import GraphEdit
from codekin.statistics.prediction_powered import powered_mean


def cells(shown: object) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", shown._repr_html_())
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]


def test_a_corpus() -> None:
    corpus = split_corpus(contest(6, 3), "random", ratio=(1, 1, 1))
    found = dict(cells(corpus))
    assert found["snippets"] == "18"
    assert found["languages"] == "c"
    assert found["functionalities"] == "3"
    assert found["largest"] == "sum 6, max 6, count 6"
    assert found["steps"] == "split"
    assert "pairs" not in found
    assert "&lt;b&gt;" in replace(corpus, name="<b>")._repr_html_()
    assert cells(Corpus("nothing", ())) == [["", ""], ["snippets", "0"]]


def test_pairs() -> None:
    view = split_corpus(contest(6, 3), "random", ratio=(1, 1, 1))
    pairs = sample_pairs(view, {"train": 4, "validation": 2, "test": 2}).pairs
    assert pairs is not None
    found = dict(cells(pairs))
    assert (found["pairs"], found["clones"]) == (str(len(pairs)), str(pairs.positives))
    assert (found["side train"], found["side test"]) == ("4", "2")
    assert found["base rate"] == f"{pairs.rate:.4f}"
    nothing = dict(cells(pairs.take(np.zeros(len(pairs), np.bool_))))
    assert (nothing["pairs"], nothing["base rate"]) == ("0", "–")


def test_the_mean_of_outcomes_with_scores() -> None:
    outcome = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, *[math.nan] * 6]
    score = [0.9, 0.2, 0.8, 0.7, 0.3, 0.6, 0.5, 0.4, 0.9, 0.1, 0.6, 0.7]
    mean = powered_mean(outcome, score)
    _, alone, powered = cells(mean)
    assert alone[:2] == ["outcomes alone", f"{mean.classical.value:.3f}"]
    assert powered[:2] == ["with scores", f"{mean.powered.value:.3f}"]
    assert "6 of 12 rows have an outcome" in mean._repr_html_()
    assert cells(powered_mean([math.nan] * 3, [1.0, 2.0, 3.0]))[1][1:] == ["–", "–"]


def test_a_graph_edit() -> None:
    edit = graph_edit_distance(["a", "b"], [(0, 1)], ["a", "c"], [(0, 1)])
    assert dict(cells(edit))["distance"] == str(edit.distance)
    unproven = dict(cells(GraphEdit(2, 5, ((0, 0),), 9)))
    assert (unproven["distance, at least"], unproven["distance, at most"]) == ("2", "5")
    assert "distance" not in unproven


def test_a_three_way_alignment() -> None:
    same = [f"t{i}" for i in range(20)]
    table = align_three([*same, "<a>"], [*same, "b"], same)
    head, *rows = cells(table)
    assert head == ["first", "second", "origin", "edit"]
    assert rows[3] == ["", "", "", "… 14 more"]
    assert rows[-2:] == [["&lt;a&gt;", "-", "-", "first insert"], ["-", "b", "-", "second insert"]]
    long = align_three(list("ab" * 400), list("cd" * 400), [])
    assert len(cells(long)) == 501
    assert "the first 500 of 1,600 lines" in long._repr_html_()
    assert cells(align_three([], [], [])) == [["first", "second", "origin", "edit"]]
