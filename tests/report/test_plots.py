from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.report.plots.axes import nice_axis, nice_range, unit_axis
from codekin.report.plots.charts import group_histograms, histogram, interval_plot, sparkline
from codekin.results import UNKNOWN, Estimate, Interval


def estimate(value: float, interval: Interval = UNKNOWN) -> Estimate:
    return Estimate(value, interval, interval)


def bars(svg: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(svg).iter("rect") if e.get("class") == "bar"]


@given(st.lists(st.floats(0, 1), max_size=50), st.integers(1, 40))
def test_every_value_falls_into_one_bin(values, bins) -> None:
    counts = histogram(values, 1.0, bins)
    assert len(counts) == bins
    assert sum(counts) == len(values)


def test_edges_belong_to_the_bin_above_and_the_last_to_the_last() -> None:
    for i in range(20):
        assert histogram([i / 20], 1.0, 20).index(1) == i
    assert histogram([1.0], 1.0, 20).index(1) == 19


@given(st.floats(1e-6, 1e9))
def test_axes_of_distances_reach_the_largest(largest) -> None:
    axis = nice_axis(largest)
    assert axis.high >= largest * (1 - 1e-9)
    assert axis.high <= 2 * largest * (1 + 1e-9)
    assert 3 <= len(axis.ticks) <= 7
    assert axis.ticks[-1][0] == pytest.approx(axis.high)


def test_an_axis_without_distances() -> None:
    assert nice_axis(0).high == 1


def test_histograms_say_what_they_show() -> None:
    groups = {"a & b": [0.05, 0.07, 0.95], "none": []}
    svg = group_histograms("bleu", groups, unit_axis(), {"a & b": 0.357}).svg()
    titles = [e.findtext("title") for e in bars(svg)]
    assert titles == [
        "a & b: 2 of 3 rows have bleu from 0 to 0.1",
        "a & b: 1 of 3 rows have bleu from 0.9 to 1",
    ]
    tall = [float(e.get("height", "")) for e in bars(svg)]
    assert tall[0] == pytest.approx(2 * tall[1], abs=0.1)
    assert svg.count('class="mean"') == 1
    assert "<title>a &amp; b: mean 0.357</title>" in svg


def test_bars_stay_inside_the_picture() -> None:
    svg = group_histograms("ed", {"g": [0.0, 50.0, 731.0]}, nice_axis(731), {"g": 260.3}).svg()
    width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())
    for bar in bars(svg):
        x, y, w, h = (float(bar.get(name, "")) for name in ("x", "y", "width", "height"))
        assert 0 <= x < x + w <= width
        assert 0 <= y < y + h <= height


def test_many_pairs_get_narrower_bins() -> None:
    values = [i / 100 for i in range(100)]
    assert len(bars(group_histograms("nes", {"g": values}, unit_axis(), {}).svg())) == 20
    assert len(bars(group_histograms("nes", {"g": values[::5]}, unit_axis(), {}).svg())) == 10


def test_sparklines_are_pictures_with_words() -> None:
    svg = ElementTree.fromstring(sparkline("nes", [0.0, 1.0, 1.0], unit_axis()))
    assert svg.get("aria-label") == "Distribution of nes over 3 rows, from 0 to 1"
    assert [bar.get("x") for bar in svg.iter("rect")] == ["0", "57"]
    assert ElementTree.fromstring(sparkline("nes", [], unit_axis())).find("rect") is None


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ranges_hold_both_ends_and_little_more(low, size) -> None:
    axis = nice_range(low, low + size)
    slack = 1e-6 * max(abs(low), size, 1e-3)
    assert axis.low <= low + slack
    assert axis.high >= low + size - slack
    assert axis.low < axis.high
    assert 2 <= len(axis.ticks) <= 8


def test_the_tallest_bar_fills_its_row() -> None:
    few = group_histograms("nes", {"g": [0.0] * 5 + [0.5] * 5}, unit_axis(), {}).svg()
    one = group_histograms("nes", {"g": [0.0] * 10}, unit_axis(), {}).svg()
    heights = [max(float(bar.get("height", "")) for bar in bars(svg)) for svg in (few, one)]
    assert heights[0] == heights[1]


def test_intervals_are_dots_with_lines() -> None:
    dots = {"a<b": estimate(0.5, Interval(0.4, 0.7)), "alone": estimate(0.6), "none": None}
    svg = ElementTree.fromstring(interval_plot("bleu", dots, unit_axis()).svg())
    titles = [e.findtext("title") for e in svg.iter("g") if e.get("class") == "dot"]
    assert titles == [
        "a<b: mean bleu 0.5, 95 % interval from 0.4 to 0.7",
        "alone: mean bleu 0.6",
    ]
    (line,) = [e for e in svg.iter("line") if e.get("class") == "range"]
    center = float(next(svg.iter("circle")).get("cx", ""))
    assert float(line.get("x1", "")) < center < float(line.get("x2", ""))
    assert len([e for e in svg.iter("text") if "label" in e.get("class", "")]) == 3


def test_rows_beyond_the_picture_are_drawn_as_if_they_stood_in_it() -> None:
    dots = {f"system {i}": estimate(i / 40) for i in range(30)}
    chart = interval_plot("bleu", dots, unit_axis(), most=20)
    svg = ElementTree.fromstring(chart.svg())
    places = [(e.get("data-system"), e.get("transform")) for e in svg if e.get("data-system")]
    assert places[:2] == [("0", "translate(0 4)"), ("1", f"translate(0 {4 + chart.step})")]
    assert (len(places), len(chart.rest)) == (20, 10)
    row = ElementTree.fromstring(f"<g>{chart.rest[0]}</g>")
    label, dot = row.find("text"), row.find("g/circle")
    assert label is not None
    assert dot is not None
    assert label.text == "system 20"
    assert float(dot.get("cy", "")) == chart.step / 2
    assert float(dot.get("cx", "")) == pytest.approx((chart.frame.x(0) + chart.frame.x(1)) / 2)


def test_long_names_are_cut_so_that_they_differ_and_told_in_full() -> None:
    names = [f"a-model-of-many-words-{size}-tuned-on-{kind}" for size in "37" for kind in "xyz"]
    chart = interval_plot("bleu", dict.fromkeys(names), unit_axis())
    labels = [e for e in ElementTree.fromstring(chart.svg()).iter("text") if len(e)]
    assert len({e.text for e in labels}) == len(names)
    assert [e.findtext("title") for e in labels] == names
