from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED, REPORT

from codekin import CloneBaseline, CloneClass, CodekinError, CodeRegion, Scan, scan_paths


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    write(a=MEAN, b=CHANGED, d=OTHER)
    return Path("src")


def write(**texts: str) -> None:
    for name, text in texts.items():
        Path("src", f"{name}.py").write_text(text)


def scanned(**options) -> Scan:
    return scan_paths(["src"], workers=0, **options)


def new(baseline: CloneBaseline) -> list[str]:
    return [str(one.region) for one in scanned().new_since(baseline)]


def test_what_is_known_is_not_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    assert new(known) == []
    assert new(CloneBaseline((), 6, False)) == ["src/a.py:1-10", "src/b.py:1-12"]


def test_moved_code_is_not_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    write(a=f"# moved\n\n{OTHER}\n\n{RENAMED}", d="x = 1\n")
    Path("src/b.py").rename("src/z.py")
    assert len(scanned().places) == 2
    assert new(known) == []


def test_a_third_copy_of_a_known_clone_is_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    write(_0=MEAN)
    assert new(known) == ["src/_0.py:1-10"]
    write(_0="x = 1\n", b=f"{MEAN}\n\n{CHANGED}")
    assert new(known) == ["src/b.py:1-10"]


def test_a_third_copy_with_changes_is_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    write(c=MEAN.replace("    count = 0\n", "    count = 0\n    log('begin', weights)\n"))
    assert new(known) == ["src/c.py:1-11"]


def test_an_edited_copy_is_not_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    write(b=CHANGED.replace("        raise", "        log(1)\n        raise"))
    assert len(scanned().places) == 2
    assert new(known) == []
    write(c=RENAMED)
    assert new(known) == ["src/c.py:1-10"]


def test_another_clone_is_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    write(e=REPORT, f=REPORT)
    assert new(known) == ["src/e.py:1-14", "src/f.py:1-14"]


def test_a_baseline_is_written_and_read(folder) -> None:
    write(e=REPORT, f=REPORT)
    known = CloneBaseline.of(scanned())
    known.write("known.json")
    assert CloneBaseline.read("known.json") == known
    lines = Path("known.json").read_text().splitlines()
    assert sum("src/" in line for line in lines) == 2, "a line per class"
    CloneBaseline((), 6, False).write("empty.json")
    assert CloneBaseline.read("empty.json").classes == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        "\xff",
        '{"codekin_baseline": 2, "min_lines": 6, "fast": false, "classes": []}',
        '{"codekin_baseline": 1, "min_lines": "6", "fast": false, "classes": []}',
        '{"codekin_baseline": 1, "min_lines": 6, "fast": false, "classes": [["ab"]]}',
        '{"codekin_baseline": 1, "min_lines": 6, "fast": false, "classes": [[["a", 1]]]}',
        '{"codekin_baseline": 1, "min_lines": 6, "fast": false, "classes": 5}',
        "<<<<<<< HEAD",
    ],
)
def test_what_is_no_baseline(tmp_path, text: str) -> None:
    path = tmp_path / "known.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(CodekinError, match="is not a baseline of version 1; name a file"):
        CloneBaseline.read(path)


def test_other_errors(folder) -> None:
    with pytest.raises(CodekinError, match=r"gone\.json: no such baseline; codekin scan --write"):
        CloneBaseline.read("gone.json")
    with pytest.raises(CodekinError, match="src: is a folder"):
        CloneBaseline.read("src")
    with pytest.raises(CodekinError, match="written with --min-lines 8, and this scan has other"):
        scanned().new_since(CloneBaseline((), 8, False))
    with pytest.raises(CodekinError, match="--min-lines 6 --fast, and"):
        scanned().new_since(CloneBaseline((), 6, True))


def scan_of(classes: list[list[tuple[str, str]]]) -> Scan:
    """A scan with these fingerprints and files, each at other lines."""
    line = iter(range(1, 1_000_000, 10))
    made = []
    for number, places in enumerate(classes, 1):
        regions = [CodeRegion(file, (at := next(line)), at + 5, "", fp) for fp, file in places]
        made.append(CloneClass(number, "T2", 1.0, tuple(regions), 6))
    counts = dict.fromkeys(("files", "lines", "duplicated_lines", "imports", "tables"), 0)
    return Scan(
        findings=(),
        classes=tuple(made),
        headers=0,
        ignored=0,
        left_out=(),
        other_files=0,
        languages={},
        fast=False,
        min_lines=6,
        **counts,
    )


CLASSES = st.lists(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz")), min_size=2, max_size=5),
    max_size=4,
)


@given(CLASSES, CLASSES, st.randoms())
def test_copies_are_counted(before, more, random) -> None:
    known = CloneBaseline.of(scan_of(before))
    moved = [[(fp, random.choice("xyz")) for fp, _ in one] for one in before]
    random.shuffle(moved)
    assert scan_of(moved).new_since(known) == (), "moved and reordered code is known"
    for one in moved:  # one more copy in a class
        one.append(random.choice(one))
        assert len(scan_of(moved).new_since(known)) == 1
        one.pop()
    count = sum(map(len, moved)) + sum(map(len, more)) - sum(map(len, before))
    assert len(scan_of(moved + more).new_since(known)) == count


def test_the_order_of_findings_does_not_matter(folder) -> None:
    write(c=RENAMED, e=REPORT, f=REPORT)
    found = scanned()
    numbers = {one.number: len(found.classes) + 1 - one.number for one in found.classes}
    other = replace(
        found,
        classes=tuple(replace(one, number=numbers[one.number]) for one in found.classes[::-1]),
        findings=tuple(
            replace(one, clone_class=numbers[one.clone_class]) for one in found.findings
        ),
    )
    assert CloneBaseline.of(other) == CloneBaseline.of(found)
    assert json.dumps(CloneBaseline.of(found).classes).count("src/") == 5
