"""The page of a scan in a real browser: filters, pairs, keys and links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.report.many_clones import many_clones, scan_of
from tests.report.nasty import NASTY
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED

from codekin import CloneBaseline, CloneClass, CloneFinding, CodeRegion, scan_paths
from codekin.report.scan_page import scan_page

TITLE = "#detail h3"
LEFT, RIGHT = ".sides td.line.side-0", ".sides td.line.side-1"


def written(folder: Path, texts: dict[str, str]) -> Path:
    """Files in a folder."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Classes of clones in several folders."""
    folder = tmp_path_factory.mktemp("many")
    path = folder / "p.html"
    path.write_bytes(scan_page(many_clones(folder, 60, files=60)))
    return path


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Clones of every kind that a scan found, of which one is new."""
    folder = tmp_path_factory.mktemp("real")
    texts = {"x/a.py": MEAN, "x/b.py": CHANGED, "y/c.py": RENAMED, "y/d.py": OTHER}
    written(folder / "src", texts)
    known = CloneBaseline.of(scan_paths([folder / "src"], workers=0))
    scan = scan_paths([written(folder / "src", {"x/e.py": OTHER, "x/f.js": "f(1)"})], workers=0)
    path = folder / "p.html"
    path.write_bytes(scan_page(scan))
    (folder / "new.html").write_bytes(scan_page(scan, new=scan.new_since(known)))
    return path


def shown(page) -> str:
    """The class and the pair that the address names."""
    words = page.run("location.hash")
    return " ".join(re.findall(r"(?:class|pair)=([0-9-]+)", words))


def test_it_fits_at_every_width_and_in_both_themes(page, report, real) -> None:
    for path in (report, real):
        for width, scheme in ((420, "dark"), (1400, "light")):
            page.prefer(scheme)
            page.resize(width, 900)
            page.open(path)
            assert page.run("document.documentElement.scrollWidth") <= width
            assert len(page.texts(f"{LEFT}:not(.void)")) > 5
    light = page.run("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.run("getComputedStyle(document.body).backgroundColor") != light


def test_classes_are_filtered_and_sorted(page, report) -> None:
    page.open(report)
    assert page.text("#found").startswith("60 classes; ")
    page.write("#q", "task_17")
    assert page.text("#found").startswith("1 of 60 classes; ")
    assert page.text(TITLE) == "Class 18: task_17"
    page.write("#q", "no such thing")
    assert page.text("#detail") == "No class fits the filters."
    page.click("#reset")
    page.choose("#type", "T3")
    assert page.text("#found").startswith("15 of 60 classes; ")
    assert page.text(TITLE) == "Class 3: task_2"
    page.choose("#least", "39")
    assert page.text("#found").startswith("1 of 60 classes; ")
    page.choose("#language", "python")
    assert page.text("#found").startswith("1 of 60 classes; ")
    page.click("#reset")
    page.choose("#sort", "score")
    first = "#items li[aria-posinset='1'] .value"
    assert page.text(first) == "0.90"
    page.choose("#sort", "lines")
    assert page.text(first) == "40 lines"


def test_a_class_leads_to_those_inside_of_it_and_back(page, real) -> None:
    page.open(real, "class=2&type=T3")
    assert page.text(".meta").endswith("10 more lines could be saved · lowest score 0.90")
    assert page.text(".relation") == "Some of them differ less: class 1 (T2, 2)."
    page.click(".relation button")
    assert page.text(TITLE).startswith("Class 1:")
    assert page.text("#found").startswith("3 classes"), "filters that hide a class give way"
    assert page.text(".relation") == "Others like them are in class 2 (T3, 3)."
    page.click(".relation button")
    assert page.text(TITLE).startswith("Class 2:")


def test_all_of_it_works_by_keyboard(page, report) -> None:
    page.open(report)
    assert page.text(TITLE) == "Class 1: task_0"
    page.press("j", "j", "k")
    assert page.text(TITLE) == "Class 2: task_1"
    assert shown(page) == "2 1-2"
    page.press("n", "n")
    assert shown(page) == "2 1-4"
    assert page.text(".pair-head h4") == "Places 1 and 4"
    page.press("p")
    assert shown(page) == "2 1-3"
    page.press("s")
    assert shown(page) == "2 3-1"
    page.press("/")
    assert page.run("document.activeElement.id") == "q"
    page.press("j")
    assert page.run("document.querySelector('#q').value") == "j", "keys are text in a field"
    page.press("Escape")
    assert page.run("document.activeElement.id") == "list"
    page.click("#reset")
    page.press("End")
    assert page.text(TITLE) == "Class 60: task_59"
    page.press("Home", "ArrowDown", "Enter")
    assert page.text(TITLE) == "Class 2: task_1"
    assert page.run("document.activeElement.id") == "detail"


def test_a_link_opens_a_class_and_a_pair(page, report) -> None:
    page.open(report, "class=18&pair=2-5")
    assert page.text(TITLE) == "Class 18: task_17"
    assert page.text(".pair-head h4") == "Places 2 and 5"
    page.run("location.hash = 'class=3'")
    page.settle()
    assert page.text(TITLE) == "Class 3: task_2"
    page.open(report, "class=99&pair=a-b&type=T9&q=<b>")
    assert page.text("#missing") == "no such class: 99"
    page.open(report, "class=2&type=T4")
    assert page.text(TITLE) == "Class 2: task_1", "filters that hide a linked class give way"


def test_a_cell_of_folders_shows_its_clones(page, report) -> None:
    page.open(report)
    cell = ".shared tbody tr:nth-child(2) td:nth-of-type(1) a"
    assert page.run(f"document.querySelector('{cell}').getAttribute('href')") == "#folder=0&other=1"
    classes = re.search(r": (\d+) classes", page.run(f"document.querySelector('{cell}').title"))
    page.click(cell)
    assert classes is not None
    assert page.text("#found").startswith(f"{classes[1]} of 60 classes")
    page.run("scrollTo(0, 0)")
    page.click(cell)
    assert page.run("document.querySelector('#clones').getBoundingClientRect().top") < 50
    paths = page.texts(".places .path")
    assert any("part_0/" in one for one in paths)
    assert any("part_1/" in one for one in paths)


def test_differences_are_marked_and_explained(page, real) -> None:
    page.open(real, "class=2&pair=1-3")
    assert page.texts(LEFT) == MEAN.rstrip().split("\n")
    assert page.texts(RIGHT) == RENAMED.rstrip().split("\n")
    assert page.texts(".sides .only") == []
    renamed = page.texts(f"{LEFT} .renamed")
    assert "weighted_mean" in renamed
    assert len(renamed) == len(page.texts(f"{RIGHT} .renamed"))
    assert "weighted_mean → average" in page.text("#legend")
    why = page.text(".reason")
    assert "T2 The statements are the same, in the same order" in why
    assert "statements match in order." in why
    assert "each always by the same one" in why
    assert "Score 1" in why
    page.open(real, "class=2&pair=1-2")
    assert any("log(" in one for one in page.texts(f"{RIGHT} .only"))
    assert "only on the right" in page.text(".reason")
    assert "What both do, the rarest first: " in page.text(".reason")
    assert page.texts(f"{LEFT}:not(.void)") == MEAN.rstrip().split("\n")
    assert page.texts(f"{RIGHT}:not(.void)") == CHANGED.rstrip().split("\n")


def test_long_places_are_aligned(page, tmp_path) -> None:
    lines = [f"a{i} = {'+'.join('x' * (i % 50 + 1))}" for i in range(2400)]
    first = [f"start({'(' * 3}1{')' * 3})", *lines, "print(a1)"]
    second = [*lines[:1200], "more = x+x+x", *lines[1200:], "return"]
    # Something that each has once is between the parts that are too long to align at once.
    first[600] = second[599] = "assert [a, b] == c"
    regions = []
    for name, text in (("a.py", first), ("b.py", second)):
        (tmp_path / name).write_text("\n".join(text))
        regions.append(CodeRegion(str(tmp_path / name), 1, len(text)))
    found = CloneClass(1, "T3", 0.9, tuple(regions), 2400)
    finding = CloneFinding(*regions, "T3", 0.9, 9999, 1)
    path = tmp_path / "p.html"
    path.write_bytes(scan_page(scan_of([found], [finding])))
    page.open(path)
    assert "2,400 statements match in order, of 2,402 on the left" in page.text(".reason")
    assert "2 statements are only on the left, 2 statements are only on the right" in page.text(
        ".reason"
    )
    page.click(".rest")
    assert page.texts(f"{LEFT}:not(.void)") == first
    assert page.texts(f"{RIGHT}:not(.void)") == second


def test_any_two_places_can_be_compared(page, report) -> None:
    page.open(report, "class=4")
    page.click(".places li:nth-child(3) .end-0")
    page.click(".places li:nth-child(5) .end-1")
    assert shown(page) == "4 3-5"
    head = page.texts(".sides th")
    assert [one.split("\n")[0].strip() for one in page.texts(".places .path")][2] in head[0]
    page.click(".places li:nth-child(5) .end-0")
    assert "The same place on both sides" in page.text("#pair")


def test_equal_lines_are_folded(page, report) -> None:
    page.open(report, "class=3")
    rows = len(page.texts(".sides tbody tr"))
    page.press("d")
    folded = page.texts(".sides tbody tr")
    assert len(folded) < rows
    assert any(re.fullmatch(r"\d+ equal lines", one.strip()) for one in folded)
    page.click(".skipped button")
    page.click(".skipped button")
    assert len(page.texts(".sides tbody tr")) == rows


def test_a_narrow_page_shows_equal_lines_once(page, real) -> None:
    page.resize(420, 900)
    page.open(real, "class=2&pair=1-2")
    seen = page.run(
        "[...document.querySelectorAll('.sides td.line')].filter((node) => node.offsetParent)"
        ".map((node) => node.innerText)"
    )
    assert seen.count("    total = 0") == 1
    assert sum("log(" in line for line in seen) == 1


def test_new_clones_come_first(page, real) -> None:
    page.open(real.with_name("new.html"))
    assert page.text("#found").startswith("1 of 3 classes")
    assert page.text(".places em.new") == "new"
    assert page.text("#items .type") == "T1 new"
    page.click("#new")
    assert page.text("#found").startswith("3 classes")
    page.open(real.with_name("new.html"), "class=1")
    assert page.text(TITLE).startswith("Class 1:")


def test_hostile_names_and_code_are_shown_as_text(page, tmp_path) -> None:
    names = [re.sub(r"[/\0\n]", "_", text) for text in NASTY]
    code = MEAN.replace(":\n", ":\n    note = 'N'\n", 1)
    texts = {
        f"{name}/{name}.py": code.replace("N", nasty.replace("'", '"')).replace("\x1b", "")
        for name, nasty in zip(names, NASTY, strict=True)
    }
    scan = scan_paths([written(tmp_path / "src", texts)], workers=0)
    path = tmp_path / "p.html"
    path.write_bytes(scan_page(scan))
    page.open(path)
    count = len(scan.classes[0].members)
    assert count == len(names)
    for _ in range(count * (count - 1) // 2 - 1):
        page.run(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))"
        )
    page.settle()
    assert page.run("document.querySelectorAll('main img, main script, main b script').length") == 0
    assert any("<script>alert(1)<_script>" in one for one in page.texts(".path"))
    page.press("n")
    assert page.run("document.querySelectorAll('.sides td.line').length") > 10


def test_code_that_is_gone_is_said_to_be(page, tmp_path) -> None:
    scan = scan_paths([written(tmp_path / "src", {"a.py": MEAN, "b.py": RENAMED})], workers=0)
    (tmp_path / "src" / "b.py").unlink()
    path = tmp_path / "p.html"
    path.write_bytes(scan_page(scan))
    page.open(path)
    assert "could not be read for this page: no such file." in page.text("#pair")
    (tmp_path / "src" / "b.py").write_text(OTHER)
    path.write_bytes(scan_page(scan))
    page.open(path)
    assert "has changed since the scan" in page.text("#pair")
    assert page.text(".places em.stale") == "changed since the scan"
