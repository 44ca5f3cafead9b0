from __future__ import annotations

from pathlib import Path

import pytest
from tests.scan.test_baseline import baseline_of
from tests.scan.test_scanning import CHANGED, MEAN, OTHER

from codekin import ChangedLines, CloneBaseline, CodekinError, Scan, scan_gate, scan_paths
from codekin.scan.gate import share_of_percentage


@pytest.fixture
def scan(tmp_path, monkeypatch) -> Scan:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a": MEAN, "b": CHANGED, "d": OTHER}.items():
        Path(f"{name}.py").write_text(text)
    return scan_paths(["."], workers=0)


def test_without_limits_a_scan_passes(scan) -> None:
    assert scan_gate(scan).passed
    assert scan_gate(scan).new is None


def test_the_share_of_duplicated_lines(scan) -> None:
    assert scan.duplication == 22 / 29
    assert scan_gate(scan, max_duplication=22 / 29).passed
    assert scan_gate(scan, max_duplication=0.5).failures == (
        "75.86 % of the lines of code are duplicated, more than 50.00 %",
    )


def test_new_places_are_new_in_both_ways(scan) -> None:
    changes = ChangedLines("main", {str(Path("b.py").resolve()): [(3, 4)]})
    assert scan_gate(scan, changes=changes).failures == (
        "1 place of clones in 1 class is new since main",
    )
    known, empty = CloneBaseline.of(scan), baseline_of()
    assert scan_gate(scan, baseline=known).new == ()
    assert scan_gate(scan, baseline=known, changes=changes).passed
    assert scan_gate(scan, baseline=empty).failures == (
        "2 places of clones in 1 class are new since the baseline",
    )
    both = scan_gate(scan, baseline=empty, changes=changes)
    assert [one.region.file for one in both.new] == ["b.py"]
    assert both.failures[0].endswith("is new since the baseline and main")


@pytest.mark.parametrize(("text", "share"), [("5%", 0.05), (" 2.5 % ", 0.025), ("100%", 1.0)])
def test_percentages(text: str, share: float) -> None:
    assert share_of_percentage(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["5", "0.05", "-1%", "101%", "nan%", "", "%", "1e1%"])
def test_what_is_no_percentage(text: str) -> None:
    with pytest.raises(CodekinError, match=r"is not a percentage, such as 5% or 2\.5%"):
        share_of_percentage(text)
