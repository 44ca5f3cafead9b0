from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

from codekin.report.plots.axes import Axis, duration, log_axis, wide_axis
from codekin.report.plots.strips import axis_strip, bar_strip, mark_strip
from codekin.results import UNKNOWN, Interval, Mark

AXIS = Axis(1.0, ((-1.0, "-1"), (0.0, "0"), (1.0, "1")), -1.0)


def percents(svg: str, name: str) -> list[float]:
    return [float(found) for found in re.findall(rf' {name}="([\d.]+)%"', svg)]


def test_durations_at_the_seams() -> None:
    assert [duration(one) for one in (999.6, 99.4, 99.6)] == ["1 ms", "99 µs", "100 µs"]


def test_an_axis_holds_values_and_zero_and_cuts_wild_intervals() -> None:
    wild = [Interval(-50.0, 80.0), Interval(0.4, 0.6)]
    axis = wide_axis([0.5, 0.7, math.nan], [*wild, None, UNKNOWN])
    assert axis.low <= 0
    assert axis.high >= 0.7
    assert axis.high - axis.low < 4
    assert wide_axis([]).low <= 0 < wide_axis([]).high
    assert wide_axis([0.9], around=0.5).low > 0.2


def test_an_axis_holds_intervals_of_a_usual_width() -> None:
    for values, intervals in (
        ([0.01, 0.02], [Interval(-0.4, 0.42), Interval(-0.3, 0.34)]),
        ([0.2, 0.1], [Interval(0.08, 0.35), Interval(-0.5, 0.7)]),
        ([-0.6], [Interval(-1.9, 0.7)]),
    ):
        axis = wide_axis(values, intervals)
        for one in intervals:
            assert axis.low <= one.low < one.high <= axis.high


def test_logarithmic_axes_hold_their_ends() -> None:
    for low, high in ((1.0, 1.0), (3.0, 4000.0), (30.0, 60.0), (0.2, 2e7)):
        axis = log_axis(low, high)
        assert axis.low <= math.log10(low) + 1e-9
        assert math.log10(high) <= axis.high + 1e-9
        assert axis.low < axis.high
        assert 2 <= len(axis.ticks) <= 6


def test_marks_stand_where_their_values_are() -> None:
    ends = Interval(-0.5, 0.5)
    marks = [Mark("main", 0.0, "first <one>", (ends,)), Mark("diamond", math.nan, "")]
    svg = mark_strip(marks, AXIS, {"zero": 0.0, "reference": math.nan})
    ET.fromstring(svg)
    assert "<title>first &lt;one&gt;</title>" in svg
    assert percents(svg, "x") == [50.0]
    [line] = re.findall(r'<line class="range" [^>]+>', svg)
    assert (percents(line, "x1"), percents(line, "x2")) == ([26.0], [74.0])
    assert svg.count('class="mark') == 1  # nothing is drawn where there is no value
    assert 'class="zero"' in svg
    assert 'class="reference"' not in svg
    assert "nan" not in svg


def test_a_mark_without_others_is_in_the_middle_of_its_row() -> None:
    missing = [Mark("diamond", math.nan, ""), Mark("square", math.nan, "")]
    svg = mark_strip([Mark("main", 0.5, "alone"), *missing], AXIS, {})
    assert 'height="46"' in svg
    assert re.findall(r'<svg x="[^"]+" y="(\d+)"', svg) == ["23"]


def test_what_is_beyond_the_axis_ends_with_it() -> None:
    far = Mark("main", 0.5, "far", (Interval(-9.0, 9.0), Interval(5.0, 6.0)))
    svg = mark_strip([far], AXIS, {})
    lines = re.findall(r'<line class="range[^>]+>', svg)
    assert len(lines) == 1  # the other lies wholly outside
    assert (percents(lines[0], "x1"), percents(lines[0], "x2")) == ([2.0], [98.0])
    arrows = re.findall(r'<svg x="([\d.]+)%"[^>]+><path class="range beyond"', svg)
    assert arrows == ["2.00", "98.00"]
    near = mark_strip([Mark("main", 0.5, "near", (Interval(-1.0, 1.0),))], AXIS, {})
    assert "beyond" not in near


def test_bars_begin_at_the_line_of_nothing() -> None:
    marks = [
        Mark("bar-0", 0.5, "up", (Interval(0.4, 0.6), Interval(0.45, 0.55))),
        Mark("bar-1", -0.5, "down", beside=0.25),
        Mark("bar-2", math.nan, ""),
    ]
    svg = bar_strip(marks, AXIS, {"zero": 0.0})
    ET.fromstring(svg)
    assert re.findall(r'<rect x="([\d.]+)%" y="\d+" width="([\d.]+)%"', svg) == [
        ("50.00", "24.00"),
        ("26.00", "24.00"),
    ]
    assert svg.count("range inner") == 1
    assert svg.count('class="beside"') == 1
    halfway = bar_strip([Mark("bar-0", 0.75, "auc")], Axis(1.0, ((0.5, "0.5"),)), {"zero": 0.5})
    assert percents(halfway, "width") == [24.0]


def test_ticks_have_words_for_numbers() -> None:
    svg = axis_strip(AXIS)
    assert re.findall(r">([^<]+)</text>", svg) == ["−1", "0", "1"]
