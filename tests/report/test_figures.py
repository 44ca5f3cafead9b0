from __future__ import annotations

import itertools
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from codekin.report.plots.figures import drawn_rows, forest_scale, picture
from codekin.results import (
    UNKNOWN,
    Curve,
    Curves,
    Figure,
    Forest,
    ForestRow,
    Histograms,
    Interval,
    Mark,
    Point,
    Scatter,
    ShareBars,
    ShownAs,
)

DOTS = tuple(Point(10.0**i, i / 10, f"dot {i}", f"name-{i}") for i in range(1, 13))
SMALL = Scatter(title="bleu", points=DOTS, axes=("score", "outcome"))
LARGE = Scatter(title="", points=DOTS, axes=("time per pair", "d"), around=0.0, times=True)


def ticks(svg: str) -> list[str]:
    return re.findall(r'class="tick(?: up)?"[^>]*>([^<]+)<', svg)


def test_a_plot_of_times_is_logarithmic_and_holds_what_says_nothing() -> None:
    svg = picture(LARGE)
    ET.fromstring(svg)
    across = [float(x) for x in re.findall(r'cx="([\d.]+)"', svg)]
    steps = {round(second - first, 1) for first, second in itertools.pairwise(across)}
    assert max(steps) - min(steps) <= 0.2  # ten times as much is one step
    assert "10 s" in ticks(svg)
    assert "0" in ticks(svg)


def test_small_plots_of_many_dots_have_no_names() -> None:
    assert 'class="beside"' in picture(SMALL)
    more = replace(SMALL, points=(*DOTS, Point(5.0, 0.5, "one more", "name-13")))
    assert picture(more).count("<circle") == 13
    assert 'class="beside"' not in picture(more)
    assert picture(replace(SMALL, points=())) == ""


def test_shares_have_an_axis_of_shares_and_others_one_that_fits() -> None:
    bars = ((0.5, 0.25, "few"), (0.5, 0.75, "many"))
    shares = ShareBars(
        title="nes", bars=bars, height=Interval(0.0, 1.0), base=0.5, axes=("rows", "share passing")
    )
    assert ".25" in ticks(picture(shares))
    wide = replace(shares, height=Interval(-10.0, 30.0))
    assert {"−10", "30"} <= set(ticks(picture(wide)))


@pytest.mark.parametrize("figure", [SMALL, LARGE])
def test_a_figure_with_a_reason_is_not_drawn(figure) -> None:
    assert picture(replace(figure, reason="no row was scored")) == ""


def test_histograms_are_named() -> None:
    figure = Histograms(
        title="bleu", ends=Interval(0.0, 1.0), first=("good", (1, 2)), second=("bad", (2, 1))
    )
    assert 'aria-label="Histograms of bleu: good over bad"' in picture(figure)


def test_what_is_not_one_picture_is_refused() -> None:
    with pytest.raises(TypeError, match="no picture can be made of Figure"):
        picture(Figure(title="x"))


def row(value: float, interval: Interval, **more) -> ForestRow:
    second = Mark("diamond", value / 2, "half", (Interval(-90.0, 90.0),))
    return ForestRow(ShownAs("a", "a"), (Mark("main", value, "a", (interval,)), second), **more)


def test_a_forest_has_its_numbers_in_words_and_on_one_axis() -> None:
    rows = (
        row(-0.5, Interval(-0.75, 0.25)),
        row(0.5, UNKNOWN, apart=True),
        row(math.nan, UNKNOWN, reason="constant"),
    )
    forest = Forest(title="effects", head="d", rows=rows, reference=0.25)
    first, second, third = drawn_rows(forest)
    assert (first.text, first.range) == ("−0.500", "[−0.750, 0.250]")
    assert (second.text, second.range) == ("0.500", "")
    assert (third.text, third.strip) == ("–", "")
    assert first.strip.count('class="reference"') == 1
    numbers = [float(text.replace("−", "-")) for text in ticks(forest_scale(forest))]
    assert min(numbers) >= -1.5 and max(numbers) <= 1.5  # the intervals of others do not count


def test_curves_are_lines_in_the_unit_square_with_a_base() -> None:
    lines = tuple(
        Curve(f"<model {i}>", ((0.0, 1.0), (0.5, 0.5), (1.0, i / 20)), f"model & {i}", i)
        for i in range(10)
    )
    axes = ("recall", "precision")
    svg = picture(Curves(title="pairs", curves=lines, axes=axes, base=0.25))
    ET.fromstring(svg)
    kinds = re.findall(r'<g class="(curve[^"]*)"', svg)
    assert kinds[0] == "curve curve-0" and kinds[7] == "curve curve-7"
    assert kinds[8:] == ["curve curve-0 dashed", "curve curve-1 dashed"]
    paths = [list(map(float, re.findall(r"[\d.]+", d))) for d in re.findall(r'd="M([^"]+)"', svg)]
    (left, top, middle, half, right, _) = paths[0]
    assert (middle - left, half - top) == pytest.approx((right - middle, half - top))
    lowest = [one[5] for one in paths]
    assert lowest == sorted(lowest, reverse=True)  # upwards, so ever less from the top
    (base,) = re.findall(r'class="reference"[^>]*y1="([\d.]+)"', svg)
    assert half < float(base) < lowest[0]
    assert "model &amp; 3" in svg and "&lt;model 3&gt;" in svg


def test_curves_without_points_or_a_base_leave_the_rest() -> None:
    lines = (Curve("none", (), "none"), Curve("one", ((0.0, 0.0), (1.0, 1.0)), "one"))
    svg = picture(Curves(title="", curves=lines, axes=("x", "y")))
    ET.fromstring(svg)
    assert svg.count('class="curve') == 1 and "reference" not in svg
    assert picture(Curves(title="", curves=lines, axes=("x", "y"), reason="no pairs")) == ""


def test_dots_whose_numbers_are_equal_lie_on_the_diagonal() -> None:
    points = tuple(Point(one, one, f"{one}", interval=Interval(0.0, 1.0)) for one in (0.2, 0.9))
    svg = picture(Scatter(title="p", points=points, axes=("p", "rate"), diagonal=True))
    ET.fromstring(svg)
    [line] = re.findall(r'class="reference" x1="(.+?)" x2="(.+?)" y1="(.+?)" y2="(.+?)"', svg)
    left, right, foot, top = map(float, line)
    for across, up in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg):
        share = (float(across) - left) / (right - left)
        assert float(up) == pytest.approx(foot + share * (top - foot), abs=0.1)
    assert ticks(svg).count("1") == 2  # both axes are from 0 to 1, whatever the dots
