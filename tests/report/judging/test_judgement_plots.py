from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from codekin.report.plots.axes import Axis, unit_axis
from codekin.report.plots.figures import binned_bars, overlaid, scatter
from codekin.results import UNKNOWN, Interval, Point

UNIT = Axis(1.0, ((0.0, "0"), (1.0, "1")))


def numbers(svg: str, pattern: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, svg)]


def test_histograms_lie_over_each_other_as_shares() -> None:
    svg = overlaid([1, 3], [30, 10], Interval(-1.0, 1.0), ("positive", "negative"), "<m>")
    ET.fromstring(svg)
    assert "&lt;m&gt; from 0 to 1: 3 of 4 positive, 10 of 40 negative" in svg
    first, second = re.findall(r'<path class="(?:first|second)" d="([^"]+)"', svg)
    heights = [sorted(set(numbers(one, r"V([\d.]+)H"))) for one in (first, second)]
    assert heights[0] == heights[1]  # three quarters and one quarter in both
    assert svg.count('class="over"') == 2


def test_histograms_of_nothing_are_drawn() -> None:
    svg = overlaid([0, 0], [0, 0], Interval(0.0, 1.0), ("a", "b"), "m")
    assert "nan" not in svg
    ET.fromstring(svg)


def test_bars_are_as_wide_as_their_share_of_rows() -> None:
    bins = [(0.25, 1.0, "few & good"), (0.75, 0.5, "many")]
    svg = binned_bars(bins, unit_axis(), 0.6, ("rows", "share"))
    ET.fromstring(svg)
    widths = numbers(svg, r'<rect class="bar"[^>]* width="([\d.]+)"')
    heights = numbers(svg, r'<rect class="bar"[^>]* height="([\d.]+)"')
    assert abs((widths[1] + 0.8) / (widths[0] + 0.8) - 3) < 0.02
    assert abs(heights[0] / heights[1] - 2) < 0.02
    assert "<title>few &amp; good</title>" in svg


def test_dots_stand_where_their_numbers_are() -> None:
    points = [
        Point(0.0, 0.0, "low", "low"),
        Point(1.0, 1.0, "high", "high", Interval(0.5, 9.0)),
        Point(0.5, 0.5, "plain", "", UNKNOWN),
    ]
    svg = scatter(points, UNIT, UNIT, ("across <>", "up"))
    ET.fromstring(svg)
    across, up = numbers(svg, r'cx="([\d.]+)"'), numbers(svg, r'cy="([\d.]+)"')
    assert across[0] < across[2] < across[1]
    assert up[0] > up[2] > up[1]
    assert svg.count('class="range"') == 1
    assert "across &lt;&gt;" in svg


def test_labels_never_cover_each_other_or_a_dot() -> None:
    points = [
        Point((i * 7 % 30) / 30, (i * 11 % 30) / 30, f"{i}", f"measure-{i}") for i in range(30)
    ]
    svg = scatter(points, UNIT, UNIT, ("x", "y"))
    texts = re.findall(r'<text class="beside" x="([\d.-]+)" y="([\d.-]+)">([^<]+)', svg)
    boxes = [(float(x), float(y) - 9, float(x) + 5.8 * len(t), float(y) + 2) for x, y, t in texts]
    assert 10 < len(boxes) <= 30
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = one[0] >= other[2] or other[0] >= one[2]
            assert apart or one[1] >= other[3] or other[1] >= one[3]
        assert one[0] >= 0
        assert one[2] <= 420 + 1


def test_a_hundred_dots_in_one_place_have_one_label_or_two() -> None:
    svg = scatter([Point(0.5, 0.5, "x", "x")] * 100, UNIT, UNIT, ("x", "y"), small=True)
    assert 1 <= svg.count('class="beside"') <= 8
    assert svg.count("<circle") == 100
