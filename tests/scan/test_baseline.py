from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED, REPORT

from codekin import CloneBaseline, CloneClass, CodekinError, CodeRegion, Scan, scan_paths
from codekin.scan.scan_result import TYPES


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


def baseline_of(**settings) -> CloneBaseline:
    """A baseline without clones."""
    defaults = {"min_lines": 6, "min_tokens": 0, "types": TYPES, "fast": False}
    return CloneBaseline((), **{**defaults, **settings})


def test_what_is_known_is_not_new(folder) -> None:
    known = CloneBaseline.of(scanned())
    assert new(known) == []
    assert new(baseline_of()) == ["src/a.py:1-10", "src/b.py:1-12"]


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
    baseline_of().write("empty.json")
    assert CloneBaseline.read("empty.json").classes == ()


WRITTEN = (
    '{"codekin_baseline": 2, "min_lines": 6, "min_tokens": 0, "types": ["T1"], "fast": false, '
    '"classes": []}'
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        "\xff",
        '{"codekin_baseline": 1, "min_lines": 6, "fast": false, "classes": []}',
        WRITTEN.replace(": 2,", ": 3,", 1),
        WRITTEN.replace(": 6", ': "6"'),
        WRITTEN.replace("[]", '[["ab"]]'),
        WRITTEN.replace("[]", '[[["a", 1]]]'),
        WRITTEN.replace("[]", "5"),
        "<<<<<<< HEAD",
    ],
)
def test_what_is_no_baseline(tmp_path, text: str) -> None:
    path = tmp_path / "known.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(CodekinError, match="is not a baseline of version 2; name a file"):
        CloneBaseline.read(path)


def test_what_is_written_by_hand_is_read(tmp_path) -> None:
    (tmp_path / "known.json").write_text(WRITTEN)
    assert CloneBaseline.read(tmp_path / "known.json") == baseline_of(types=("T1",))


def test_an_edited_copy_of_exact_copies_is_not_new(folder) -> None:
    write(a=MEAN, b=MEAN, d=MEAN)
    known = CloneBaseline.of(scanned())
    write(d=CHANGED)
    assert [copies.type for copies in scanned().classes] == ["T1", "T3"]
    assert new(known) == []


def test_a_baseline_of_some_types_is_of_no_others(folder) -> None:
    write(a=MEAN, b=MEAN, d=CHANGED)
    exact = scanned(types=("T1", "T2"))
    known = CloneBaseline.of(exact)
    assert [file for _, file in known.classes[0]] == ["src/a.py", "src/b.py"]
    assert exact.new_since(known) == ()
    with pytest.raises(CodekinError, match="--type T1,T2, and this scan has other settings"):
        scanned().new_since(known)


def test_other_errors(folder) -> None:
    with pytest.raises(CodekinError, match=r"gone\.json: no such baseline; codekin scan --write"):
        CloneBaseline.read("gone.json")
    with pytest.raises(CodekinError, match="src: is a folder"):
        CloneBaseline.read("src")
    with pytest.raises(
        CodekinError, match="written with --min-lines 8 --min-tokens 0 --type T1,T2,T3,T4, and"
    ):
        scanned().new_since(baseline_of(min_lines=8))
    with pytest.raises(CodekinError, match="--type T1,T2,T3,T4 --fast, and"):
        scanned().new_since(baseline_of(fast=True))


def scan_of(classes: list[list[tuple[str, str]]]) -> Scan:
    """A scan with these fingerprints and files, each at other lines."""
    line = iter(range(1, 1_000_000, 10))
    made = []
    for number, places in enumerate(classes, 1):
        regions = [CodeRegion(file, (at := next(line)), at + 5, "", fp) for fp, file in places]
        made.append(CloneClass(number, "T2", 1.0, tuple(regions), 6))
    names = ("files", "lines", "code_lines", "duplicated_lines", "imports", "tables")
    counts = dict.fromkeys(names, 0)
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
        classes=tuple(
            replace(one, number=numbers[one.number], within=numbers.get(one.within))
            for one in found.classes[::-1]
        ),
        findings=tuple(
            replace(one, clone_class=numbers[one.clone_class]) for one in found.findings
        ),
    )
    assert CloneBaseline.of(other) == CloneBaseline.of(found)
    assert json.dumps(CloneBaseline.of(found).classes).count("src/") == 5
