from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.report.classroom import classroom
from tests.report.nasty import NASTY
from tests.report.reading import Report
from tests.scan.test_submissions import COPY, PROGRAMS

from codekin import Submissions, compare_submissions
from codekin.report import submissions_page as submissions_page_module
from codekin.report.submissions_page import _crowded_below


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> Submissions:
    return classroom(tmp_path_factory.mktemp("class"))


def report(found: Submissions, folder: Path) -> Report:
    found.to_html(folder / "class.html")
    return Report(folder / "class.html")


@pytest.fixture(scope="module")
def whole(found, tmp_path_factory) -> Report:
    """The page of the class, which most tests only read."""
    return report(found, tmp_path_factory.mktemp("page"))


def all_texts(page: Report) -> str:
    """Everything in a page, with what is compressed in it."""
    pieces = [page.unpacked(name).decode() for name in page.pieces if name != "about"]
    return page.page + "".join(pieces) + str(page.about)


def test_the_first_screen_says_what_a_score_is_and_where_suspicion_starts(found, whole):
    page = whole.page
    assert page.index("A score is not a proof") < page.index('id="start"')
    assert page.index('id="start"') < page.index('id="pairs"')
    assert "suspicious from 5" in page
    bars = re.findall(r'class="(bar[^"]*)" x=.*?: ([\d,]+) pairs?</title>', page)
    assert sum(int(count) for _, count in bars) == found.all_pairs
    over = sum(int(count) for kind, count in bars if "over" in kind)
    assert over == len(found.suspicious) > 0
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)


def test_the_same_result_gives_the_same_bytes(found, whole):
    assert found.to_html() == whole.page


def test_pairs_groups_graph_and_timeline_are_there_without_a_script(found, whole):
    page = whole
    rows = re.findall(r'<tr data-pair="(\d+)"', page.page)
    assert rows == [str(i) for i in range(len(found.pairs))]
    assert [tuple(names) for names in page.about["pairs"]] == [
        (one.first, one.second) for one in found.pairs
    ]
    links = [
        attrs for tag, attrs in page.tags if tag == "a" and "link" in (attrs.get("class") or "")
    ]
    strong = [one["href"] for one in links if "strong" in one["class"]]
    assert len(strong) == len(found.suspicious)
    assert set(strong) == {f"#pair-{i}" for i, one in enumerate(found.pairs) if one.suspicious}
    nodes = [attrs["data-name"] for tag, attrs in page.tags if "data-name" in attrs]
    assert {name for one in found.groups for name in one.members} <= set(nodes)
    assert len(nodes) == len(set(nodes))
    assert "first of its group" in page.page
    assert "Who handed in first need not be the author" in page.page
    assert '<span class="name">xaver.c</span>' in page.page


def test_the_code_and_what_matches_are_in_it(found, whole):
    page = whole
    place = next(
        i for i, one in enumerate(found.pairs) if (one.first, one.second) == ("dora", "zoe")
    )
    first, second = (page.json(f"code-{i}") for i in page.about["programs"][place])
    assert [file["name"] for file in first] == ["dora.zip/main.c", "dora.zip/util.c"]
    pair = page.json(f"pair-data-{place}")
    evidence = found.evidence("dora", "zoe")
    assert [one[0] for one in pair["regions"]] == [one.kind for one in evidence.regions]
    marks = pair["marks"][1][0]
    text = second[0]["text"].encode("utf-16-le")
    cut = [
        text[2 * a : 2 * b].decode("utf-16-le")
        for a, b in zip(marks[::4], marks[1::4], strict=True)
    ]
    assert cut == [
        evidence.second_code[0].text[one.start : one.end] for one in evidence.second_code[0].marks
    ]
    kinds = set(marks[3::4])
    assert 0 in kinds  # starter code
    assert 2 in kinds
    assert pair["starter"]
    assert pair["features"]


def test_hidden_names_are_nowhere(found, whole, tmp_path):
    hidden, key = found.without_names()
    texts = all_texts(report(hidden, tmp_path)).lower()
    assert "student1" in texts
    for name in key.values():
        assert not re.search(rf"(?<![a-z]){name}(?![a-z])", texts), name
    assert "anna" in all_texts(whole).lower()


def test_hostile_names_and_code_stay_texts(tmp_path):
    names = [re.sub(r"[/\0]", "_", text)[:80] for text in NASTY]
    more = {f"{name}.c": f"// {name}\n{COPY}" for name in names}
    page = report(classroom(tmp_path, more), tmp_path)
    runs = [text for attrs, text in page.scripts if attrs.get("type") is None]
    assert len(runs) == 1
    assert not [attrs for tag, attrs in page.tags if tag == "img" or "onerror" in attrs]
    shown = {name for pair in page.about["pairs"] for name in pair}
    assert "{{ 1 + 1 }} {% raw %}" in shown


def test_the_paths_of_the_machine_are_nowhere(tmp_path):
    found = classroom(tmp_path, {"y.c": "\0"})
    assert found.left_out[0].path.startswith(str(tmp_path))
    page = report(found, tmp_path)
    assert '<span class="name">y.c</span>' in page.page
    assert str(tmp_path) not in all_texts(page)


def test_a_few_students_have_no_limit(tmp_path):
    place = tmp_path / "few"
    place.mkdir()
    for name, text in {"anna": PROGRAMS["anna"], "ben": COPY, "c": PROGRAMS["dora"]}.items():
        (place / f"{name}.c").write_text(text)
    page = report(compare_submissions(place), tmp_path).page
    assert "nobody knows what is unusual" in page
    assert "suspicious from" not in page
    assert '<section id="timeline"' not in page


def test_pairs_beyond_the_room_are_listed_without_code(found, tmp_path, monkeypatch):
    monkeypatch.setattr("codekin.report.submissions_page._MOST_TEXT", 1)
    page = report(found, tmp_path)
    assert page.about["programs"][0] == [0, 1]
    assert set(page.about["programs"][1:]) == {None}


def test_many_students_are_drawn_within_bounds(tmp_path):
    place = tmp_path / "many"
    place.mkdir()
    for i in range(30):
        (place / f"s{i:03}.py").write_text(
            f"def f(a):\n    b = a * {i // 2 + 100}\n    print(b % {i // 2 + 300}, {i % 3})\n"
        )
    page = report(compare_submissions(place, level=2), tmp_path)
    (svg,) = (attrs for tag, attrs in page.tags if "students" in (attrs.get("class") or ""))
    width, height = float(svg["width"]), float(svg["height"])
    circles = [attrs for tag, attrs in page.tags if tag == "circle" and "cx" in attrs][2:]
    spots = [(float(one["cx"]), float(one["cy"])) for one in circles]
    assert len(spots) > 10
    assert all(0 < x < width and 0 < y < height for x, y in spots)
    apart = min(
        (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for i, a in enumerate(spots) for b in spots[:i]
    )
    assert apart > 30**2


def test_numbers_below_zero_have_a_real_minus_sign(found, whole):
    assert any(one.unusual is not None and one.unusual < -0.05 for one in found.pairs)
    told = re.findall(r'<td class="number">([^<]*)</td>', whole.page)
    assert any(text.startswith("−") for text in told)
    assert not any(text.startswith("-") for text in told)
    assert not re.search(r'<text class="tick"[^>]*>-', whole.page)


def test_names_are_not_where_links_leave_downwards():
    spots = np.array([[0.0, 0.0], [5.0, 90.0], [-80.0, 20.0], [200.0, 0.0], [290.0, 4.0]])
    edges = np.array([[0, 1], [0, 2], [3, 4]])
    assert [_crowded_below(spots, edges, i) for i in range(5)] == [True, False, False, False, False]


def test_the_lines_that_are_counted_are_those_that_are_coloured(tmp_path):
    found = classroom(tmp_path)
    evidence = found.evidence("anna", "ben")
    (file,) = evidence.first_code
    lines = file.text.split("\n")
    coloured = {
        number
        for number, line in enumerate(lines, 1)
        for mark in file.marks
        if mark.kind == "evidence"
        and mark.start < len("\n".join(lines[:number]))
        and mark.end > len("\n".join(lines[: number - 1])) + (number > 1)
        and line
    }
    assert file.marked_lines("evidence") == coloured
    assert 0 < len(coloured) < len(lines)
    counted = submissions_page_module._lines(evidence.first_code)
    assert counted[0] == len(coloured)
    assert counted[2] == sum(bool(line.strip(" \n")) for line in lines) - 1  # without the comment
