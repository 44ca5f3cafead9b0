from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.many_clones import many_clones, scan_of
from tests.report.nasty import NASTY
from tests.report.reading import Report, spans
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED

from codekin import CloneBaseline, CloneClass, CloneFinding, CodeRegion, Scan, scan_paths
from codekin.report import scan_page as module
from codekin.report.scan_page import _folder_groups, scan_page

PLACE = 8
"""The fields of a place: file, start, end, name, stretch, offset and flags."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scanned(texts: dict[str, str | bytes], **options) -> Scan:
    for name, text in texts.items():
        path = Path("src", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return scan_paths(["src"], workers=0, **options)


def page_of(scan: Scan, **more) -> Report:
    path = Path("page.html")
    path.write_bytes(scan_page(scan, **more))
    return Report(path)


def places(report: Report) -> list[list[list]]:
    """The places of each class."""
    return [
        [flat[i : i + PLACE] for i in range(0, len(flat), PLACE)]
        for *_, flat, _pairs, _within in report.json("classes")
    ]


def stretches(report: Report) -> list[list]:
    pages = range(len(report.about["starts"]))
    return [one for i in pages for one in report.json(f"code-{i}")]


def code_of(report: Report, place: list) -> list[str]:
    _file, start, end, _name, code, offset, *_ = place
    return stretches(report)[code][0].split("\n")[offset : offset + end - start + 1]


FOUR = {"a.py": MEAN, "b.py": CHANGED, "c.py": RENAMED, "d.py": OTHER}


def test_nothing_is_asked_of_a_network() -> None:
    page = scan_page(scanned(FOUR)).decode()
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)
    assert "default-src 'none'" in page


def test_the_same_scan_gives_the_same_bytes() -> None:
    assert scan_page(scanned(FOUR)) == scan_page(scanned(FOUR))


def test_the_classes_of_the_scan_are_in_it() -> None:
    scan = scanned({**FOUR, "sub/e.py": OTHER})
    report = page_of(scan)
    files = report.json("files")
    for one, (type_, score, saved, _flat, pairs, within), mine in zip(
        scan.classes, report.json("classes"), places(report), strict=True
    ):
        assert report.about["types"][type_] == one.type
        assert score == pytest.approx(one.score, abs=1e-3)
        assert (saved, within) == (one.saved_lines, one.within)
        found = [CodeRegion(files[file], start, end, name) for file, start, end, name, *_ in mine]
        assert found == list(one.members)
        told = {
            (found[i], found[j]): score for i, j, _, score in zip(*[iter(pairs)] * 4, strict=True)
        }
        expected = {(each.first, each.second): each.score for each in scan.findings_of(one)}
        assert told == pytest.approx(expected, abs=1e-3)
    for title, text in (("files", "5"), ("pairs", "4"), ("classes", "3")):
        assert f"<dt>{title}</dt><dd>{text}</dd>" in report.page
    assert (
        '<dt>lines of code</dt><dd title="46 lines with comments and blank lines">46<'
        in report.page
    )
    assert f"<dd>{100 * scan.duplication:.1f} %</dd>" in report.page


def test_the_code_of_every_place_is_in_it_once() -> None:
    scan = many_clones(Path(), 30)
    report = page_of(scan)
    files = report.json("files")
    for mine in places(report):
        for place in mine:
            lines = Path(files[place[0]]).read_text().split("\n")
            assert code_of(report, place) == lines[place[1] - 1 : place[2]]
    texts = [text for text, _, _ in stretches(report)]
    assert len(texts) == len(set(texts))
    assert sum(text.count("def ") for text in texts) <= 30 * 5, "no function is there twice"


def test_tokens_are_where_javascript_counts_them() -> None:
    head = '# 😀\nname = "😀é"\r\n\r\n'
    scan = scanned({name: head + MEAN.replace("0", '"😀" + 0') for name in ("a.py", "b.py")})
    report = page_of(scan)
    ((place, _),) = places(report)
    text, ink, gaps = stretches(report)[place[4]]
    units = text.encode("utf-16-le")
    cut = [units[2 * start : 2 * end].decode("utf-16-le") for start, end in spans(ink)]
    kinds = dict(zip(cut, ink[2::3], strict=True))
    assert kinds["def"] == kinds["for"] == kinds["return"] == "k"
    assert kinds['"😀"'] == "s"
    assert kinds["0"] == "n"
    assert "weighted_mean" not in kinds
    at, starts = 0, []
    for gap in gaps:
        at += gap
        starts.append(units[2 * at :].decode("utf-16-le").split()[0])
    assert starts[0] == "name"
    assert {"def", "for", "return"} <= {*starts}
    assert "\r" not in text
    assert place[6] == 0


def test_a_file_that_changed_or_vanished_is_named() -> None:
    scan = scanned(FOUR)
    Path("src/b.py").write_text(OTHER + CHANGED)
    Path("src/c.py").unlink()
    report = page_of(scan)
    flags = {report.json("files")[place[0]]: place[6] for place in places(report)[1]}
    assert flags == {"src/a.py": 0, "src/b.py": 2, "src/c.py": 0}
    problems = {report.json("files")[int(i)]: why for i, why in report.about["problems"].items()}
    assert problems == {"src/c.py": "no such file"}
    assert "1 place of clones has other code now than when the files were scanned" in report.page
    assert "The code of 1 file could not be read for this page" in report.page


def test_code_that_only_moved_or_was_renamed_in_place_is_told_apart() -> None:
    scan = scanned(FOUR)
    Path("src/a.py").write_text(MEAN.replace("total", "whole"))  # the same tokens, but for names
    assert [place[6] for place in places(page_of(scan))[1]] == [0, 0, 0]
    Path("src/a.py").write_text("\n" + MEAN)
    assert [place[6] for place in places(page_of(scan))[1]] == [2, 0, 0]


def test_there_is_room_for_the_classes_that_save_most(monkeypatch) -> None:
    scan = many_clones(Path(), 12)
    assert "which holds up to" not in page_of(scan).page
    monkeypatch.setattr(module, "MOST_LINES", 300)
    report = page_of(scan)
    held = [[place[4] >= 0 for place in mine] for mine in places(report)]
    assert all(held[0])
    assert not any(held[-1])
    lines = sum(
        place[2] - place[1] + 1 for mine in places(report) for place in mine if place[4] >= 0
    )
    assert 270 < lines <= 300
    assert "which holds up to 300 lines" in report.page


def test_new_places_are_marked() -> None:
    known = CloneBaseline.of(scanned(FOUR))
    scan = scanned({"b2.py": MEAN})
    new = scan.new_since(known)
    report = page_of(scan, new=new)
    files = report.json("files")
    assert [files[place[0]] for place in places(report)[0] if place[6] & 1] == ["src/b2.py"]
    assert 'id="new" type="checkbox" checked' in report.page
    assert "<dt>new place</dt><dd>1</dd>" in report.page
    assert 'id="new"' not in page_of(scan).page
    assert 'id="new" type="checkbox">' in page_of(scan, new=()).page


def test_a_class_is_shown_with_those_inside_of_it() -> None:
    regions = [CodeRegion("gone.py", start, start + 9, "", "", 10) for start in (1, 21, 41)]
    classes = [
        CloneClass(1, "T3", 0.9, tuple(regions[:2]), 10, 2),
        CloneClass(2, "T4", 0.5, tuple(regions), 10),
    ]
    findings = [
        CloneFinding(regions[0], regions[1], "T3", 0.9, 60, 1),
        CloneFinding(regions[1], regions[2], "T4", 0.5, 60, 2),
    ]
    report = page_of(scan_of(classes, findings))
    assert [[place[1] for place in mine] for mine in places(report)] == [[1, 21], [1, 21, 41]]
    assert [pairs for *_, pairs, _ in report.json("classes")] == [
        [0, 1, 2, 0.9],
        [0, 1, 2, 0.9, 1, 2, 3, 0.5],
    ]
    assert [within for *_, within in report.json("classes")] == [2, None]


def test_cells_of_notebooks_have_their_code() -> None:
    cells = [{"cell_type": "code", "source": text} for text in (MEAN, "1 + 1", RENAMED)]
    scan = scanned({"n.ipynb": json.dumps({"cells": cells, "metadata": {}})})
    report = page_of(scan)
    ((one, other),) = places(report)
    assert report.json("files") == ["src/n.ipynb#1", "src/n.ipynb#3"]
    assert code_of(report, one) == MEAN.strip().split("\n")
    assert code_of(report, other)[0].startswith("def average")
    assert report.about["languages"] == [["python", "Python"]]
    assert (one[6], other[6]) == (0, 0)


def test_hostile_names_and_code_are_only_text() -> None:
    names = [re.sub(r"[/\0\n]", "_", text) for text in NASTY]
    code = MEAN + "".join(f"x = {text!r}\n# {text}\n" for text in NASTY)
    scan = scanned({f"{name}/{name}.py": code for name in names})
    Path("src/<b>bad.py").write_bytes(b"\0")
    scan = scan_paths(["src"], workers=0)
    report = page_of(scan)
    assert len(places(report)[0]) == len(names)
    assert [tag for tag, _ in report.tags].count("img") == 0
    assert "<b>bad" not in report.page
    assert "&lt;b&gt;bad" in report.page
    assert "\u202e" not in report.page
    kinds = [attributes.get("type") for attributes, _ in report.scripts]
    assert kinds.count(None) == 1, "no script but that of the page"


def test_what_was_left_out_is_listed_with_the_reason() -> None:
    texts = {**FOUR, "bad.py": b"\0", "node_modules/x.js": "1", "z.min.js": "1"}
    page = page_of(scanned({**texts, "a.py": "import os\nimport re\n" + MEAN})).page
    table = re.findall(r'<span class="name">([^<]*)</span></td><td>(\w+)</td><td>([^<]*)<', page)
    assert [row[:2] for row in table] == [
        ("src/bad.py", "unreadable"),
        ("src/z.min.js", "generated"),
        ("src/node_modules", "vendored"),
    ]
    assert table[0][2].startswith("looks binary")
    assert "Lines left out: 2 of imports." in page


def test_a_scan_without_clones_has_a_page() -> None:
    page = page_of(scanned({"a.py": MEAN})).page
    assert "No clones of at least 6 lines of code were found." in page
    assert 'id="browser"' not in page


def test_features_of_kin_explain_changed_clones() -> None:
    scan = scanned(FOUR)
    i, j, features = page_of(scan).json("why")["1"]
    mine = places(page_of(scan))[1]
    assert (mine[i][2], mine[j][2]) == (10, 12)
    assert len(features) > 3
    assert sum(share for _, share in features) <= 1.01
    assert page_of(scanned(FOUR, fast=True)).json("why") == {}
    assert page_of(scanned({"b.py": MEAN})).json("why") == {}, "copies need no explanation"


def test_folders_share_lines() -> None:
    scan = scanned({"x/a.py": MEAN, "x/b.py": MEAN, "y/c.py": MEAN, "y/d.py": OTHER})
    page = page_of(scan).page
    cells = re.findall(r'<a href="#folder=(\d+)&amp;other=(\d+)" title="([^"]*)">(\d+)</a>', page)
    assert cells == [
        ("0", "0", "x/: 1 class, 10 lines could be saved", "10"),
        ("0", "1", "x/ and y/: 1 class, about 10 lines", "10"),
    ]
    assert 'All are in <span class="name">src/</span>.' in page
    assert "Which folders share code" in page


def test_files_of_one_folder_are_not_called_folders() -> None:
    page = page_of(scanned({"a.py": MEAN, "b.py": MEAN, "c.py": MEAN})).page
    assert "Which files share code" in page
    assert "older" not in re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", "", page)


PATHS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "dd"]), min_size=1, max_size=5).map("/".join),
    min_size=1,
    max_size=40,
    unique=True,
)


@given(PATHS, st.integers(2, 8), st.randoms())
def test_every_file_is_in_one_group_of_folders(paths, most, random) -> None:
    lines = {f"{path}.py": random.randint(1, 99) for path in paths}
    groups = _folder_groups(lines, most)
    assert groups.keys() == lines.keys()
    assert len(set(groups.values())) <= most
    for file, name in groups.items():
        if name.endswith("/") and name != "./":
            assert file.startswith(name)
    shuffled = list(lines.items())
    random.shuffle(shuffled)
    assert _folder_groups(dict(shuffled), most) == groups


def test_many_folders_are_joined_and_few_files_are_listed() -> None:
    lines = {f"p{i:02}/f.py": 100 - i for i in range(20)}
    groups = _folder_groups(lines, 6)
    assert [*dict.fromkeys(groups.values())] == [*[f"p{i:02}/" for i in range(5)], "… (15 others)"]
    assert _folder_groups({"a/x.py": 1, "a/y.py": 1}, 6) == {"a/x.py": "a/x.py", "a/y.py": "a/y.py"}
    deep = "d/" * 1500
    assert set(_folder_groups({f"{deep}x/1.py": 1, f"{deep}y/2.py": 2}, 6).values()) == {
        f"{deep}x/",
        f"{deep}y/",
    }
