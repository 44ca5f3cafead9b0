from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from tests.scan.test_scanning import CHANGED, COMMENTED, MEAN, RENAMED

from codekin import Scan, scan_paths
from codekin.report.clones_terminal import print_scan


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scanned(**texts: str) -> Scan:
    for name, text in texts.items():
        Path(f"{name}.py").write_text(text)
    return scan_paths(["."], workers=0)


def printed(scan: Scan, *, width: int = 120, **options) -> list[str]:
    lines = io.StringIO()
    print_scan(Console(file=lines, width=width, markup=False, highlight=False), scan, **options)
    return [line.rstrip() for line in lines.getvalue().splitlines()]


def test_comments_and_docstrings_are_not_shown() -> None:
    lines = printed(scanned(a=MEAN, b=COMMENTED), show=None)
    assert not any("story" in line or "Nothing" in line for line in lines)
    row = next(line.split() for line in lines if "total = 0" in line)
    assert row == ["2", "total", "=", "0", "7", "total", "=", "0"]


def test_lines_that_differ_are_marked() -> None:
    lines = printed(scanned(a=MEAN, b=CHANGED), show=1)
    marked = [line.split() for line in lines if line.lstrip().startswith(">")]
    assert marked == [
        [">", "4", "log('start',", "values)"],
        [">", "9", "seen.append(value)"],
    ]
    assert not any(" | " in line for line in lines)


def test_renamed_lines_are_partners() -> None:
    text = RENAMED.replace("    if norm", "    print(norm)\n    if norm")
    lines = printed(scanned(a=MEAN, b=text), show=1)
    pair = next(line for line in lines if "if count == 0:" in line)
    assert pair.split() == ["8", "if", "count", "==", "0:", "|", "9", "if", "norm", "==", "0:"]
    assert [line.split() for line in lines if line.lstrip().startswith(">")] == [
        [">", "8", "print(norm)"]
    ]


def test_long_equal_parts_are_folded() -> None:
    body = "".join(f"    step_{i}(values, {i})\n" for i in range(30))
    first, second = f"def f(values):\n{body}", f"def f(values):\n{body}    stop(values)\n"
    lines = printed(scanned(a=first, b=second), show=1)
    (folded,) = [line for line in lines if "equal lines" in line]
    assert folded.split() == ["…", "25", "equal", "lines"] * 2
    assert any("step_1(" in line for line in lines)
    assert not any("step_5(" in line for line in lines)
    assert any("step_29(" in line for line in lines)


def test_long_lines_are_whole_in_120_columns() -> None:
    long = "    total = weighted_sum_of_everything(values, weights, " + "x" * 60 + ")\n"
    text = MEAN.replace("    total = 0\n", f"    total = 0\n{long}")
    lines = printed(scanned(a=text, b=text), show=1)
    assert max(map(len, lines)) <= 120
    assert "".join(lines).count("x") >= 120
    assert not any("…" in line for line in lines if "total" in line)


def test_the_first_classes_are_shown_in_the_order_that_was_asked_for() -> None:
    scan = scanned(a=MEAN, b=MEAN, c=CHANGED)
    assert sum("def weighted_mean" in line for line in printed(scan, show=1)) == 1
    assert sum("def weighted_mean" in line for line in printed(scan, show=None)) == 2
    assert not any("def " in line for line in printed(scan))
    first = printed(scan, order="score")[0]
    assert first.startswith("2. T3 3 copies with changed statements, among them class 1; 10 more")
    assert "others like them in class 2" in printed(scan)[0]


def test_a_file_that_is_gone_is_named() -> None:
    scan = scanned(a=MEAN, b=MEAN)
    Path("b.py").unlink()
    assert any("b.py: no such file" in line for line in printed(scan, show=1))
