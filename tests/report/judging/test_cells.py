from __future__ import annotations

import numpy as np
from tests.report.judging.judgements import NOTHING, costs, estimate
from tests.report.nasty import NASTY

from codekin.report.judging.cells import (
    Places,
    breakable,
    cost_against_quality,
    described,
    estimate_cell,
    matrix,
)
from codekin.statistics.bootstrap import Interval


def test_links_name_a_row_by_its_id_and_where_needed_its_number() -> None:
    assert Places().link("a&b/positive", "bleu:order=2") == (
        "#pair=a%26b%2Fpositive&measure=bleu%3Aorder%3D2"
    )
    assert Places({"a": 9}).link("a") == "#pair=a&row=10"
    assert Places({"a": 9}).link("b") == "#pair=b"
    assert Places().link("\ud800") == "#pair=%3F"


def test_an_estimate_without_a_value_says_why() -> None:
    cell = estimate_cell(NOTHING, 0.95, "only one row")
    assert (cell["text"], cell["title"], cell["small"]) == ("–", "only one row", "")
    assert estimate_cell(None, 0.95, None)["title"] == "no value"
    known = estimate_cell(estimate(0.5), 0.9, None)
    assert known["text"] == "0.50"
    assert known["small"] == "0.40 to 0.59"
    assert "90 % interval" in known["title"]


def test_a_value_without_an_interval_says_so() -> None:
    assert described(0.5, None, 0.95) == "0.500, without an interval"


def test_a_matrix_has_words_in_place_of_missing_numbers() -> None:
    values = np.array([[1.0, np.nan, -0.5], [np.nan, 1.0, 0.25], [-0.5, 0.25, 1.0]])
    made = matrix("Scores", ["a", "b", "c"], values, "r", linked=True)
    assert made is not None
    [first, *_] = made["rows"]
    assert [cell["text"] for cell in first["cells"]] == ["", "–", "−.50"]
    assert "too few" in first["cells"][1]["title"]
    assert [cell["sign"] for cell in first["cells"]] == ["same", "none", "minus"]
    assert [cell["href"] for cell in first["cells"]] == ["", "#x=b&y=a", "#x=c&y=a"]
    assert matrix("Scores", ["a"], np.ones((1, 1)), "r") is None


def test_names_break_between_their_parts_and_stay_text() -> None:
    assert breakable("a_b") == "a_<wbr>b"
    assert breakable("") == ""
    for name in NASTY:
        assert "<script" not in breakable(name)
        assert "<img" not in breakable(name)


def test_costs_are_drawn_of_what_has_a_time_and_a_value() -> None:
    quality = [("a", 0.5, Interval(0.4, 0.6)), ("b", float("nan"), None), ("c", 0.2, None)]
    made = cost_against_quality(quality, costs(["a", "b"]) | {"c": ()}, "d")
    assert made is not None
    assert [row["name"] for row in made["rows"]] == ["a"]
    assert made["svg"].count("<circle") == 1
    assert cost_against_quality(quality, None, "d") is None
    assert cost_against_quality(quality, {}, "d") is None


def test_the_cheapest_measure_is_listed_first() -> None:
    given = costs(["cheap", "dear"])
    made = cost_against_quality([("dear", 0.9, None), ("cheap", 0.1, None)], given, "d")
    assert made is not None
    assert [row["name"] for row in made["rows"]] == ["cheap", "dear"]
