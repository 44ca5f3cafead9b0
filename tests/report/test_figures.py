from __future__ import annotations

import csv
import io
import math

import pytest

from codekin.report.figures import (
    as_csv,
    estimate_document,
    estimate_record,
    interval_document,
    interval_text,
    known_interval,
    number_text,
    p_text,
)
from codekin.statistics.bootstrap import UNKNOWN, Estimate, Interval


@pytest.mark.parametrize(
    ("value", "options", "shown"),
    [
        (0.5, {}, "0.5000"),
        (-0.00001, {}, "0.0000"),
        (0.00001, {"sign": True}, "0.0000"),
        (-0.25, {"sign": True}, "-0.2500"),
        (1234.5, {"distance": True}, "1234.50"),
        (0.12345, {"digits": 3}, "0.123"),
        (math.nan, {}, "–"),
        (-math.inf, {}, "-∞"),
    ],
)
def test_numbers(value, options, shown) -> None:
    assert number_text(value, **options) == shown


def test_intervals_and_p_values() -> None:
    assert interval_text(Interval(-0.1, 0.25), sign=True) == "[-0.1000, +0.2500]"
    assert interval_text(UNKNOWN) == "–"
    assert (p_text(0.00001), p_text(math.nan), p_text(0.05)) == ("<0.0001", "–", "0.0500")


def test_documents_and_records_know_no_nan() -> None:
    nothing = Estimate(math.nan, UNKNOWN, UNKNOWN)
    assert estimate_document(nothing) == {"value": None, "percentile": None, "bca": None}
    assert set(estimate_record("value", nothing).values()) == {None}
    known = Estimate(0.5, Interval(0.4, 0.6), Interval(0.3, 0.7))
    assert estimate_document(known) == {"value": 0.5, "percentile": [0.4, 0.6], "bca": [0.3, 0.7]}


def test_an_interval_without_an_end_is_none_in_json() -> None:
    assert interval_document(Interval(0.0, math.inf)) is None
    assert interval_document(Interval(0.0, 1.0)) == [0.0, 1.0]


def test_the_bca_interval_comes_first() -> None:
    percentile, bca = Interval(0.4, 0.6), Interval(0.3, 0.7)
    assert known_interval(Estimate(0.5, percentile, bca)) == bca
    assert known_interval(Estimate(0.5, percentile, UNKNOWN)) == percentile


def test_no_records_are_no_csv() -> None:
    assert as_csv([]) == ""


def test_csv_quotes_what_it_must() -> None:
    records = [{"group": 'a, "b"\nc', "value": 1 / 3}, {"group": "é", "value": None}]
    back = list(csv.DictReader(io.StringIO(as_csv(records))))
    assert back[0]["group"] == 'a, "b"\nc'
    assert float(back[0]["value"]) == 1 / 3
    assert back[1] == {"group": "é", "value": ""}
