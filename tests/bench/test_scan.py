from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.detectors.line_coverage import FileLines
from planting import Planted
from scan import found_pairs, write_report
from scan_peers import PeerError, measured, read_findings

PAIR = Planted("c", "T1", "c/a.c", 11, 20, "c/b.c", 31, 40, ())


def finding(one: tuple[int, int], two: tuple[int, int]) -> tuple[FileLines, FileLines]:
    return FileLines("c/a.c", *one), FileLines("c/b.c", *two)


@pytest.mark.parametrize(
    ("one", "two", "is_found", "is_other"),
    [
        ((11, 20), (31, 40), True, False),
        ((14, 20), (31, 37), True, False),
        ((15, 20), (31, 40), False, False),
        ((11, 20), (40, 90), False, False),
        ((11, 20), (41, 90), False, True),
        ((1, 99), (1, 99), True, False),
    ],
)
def test_both_ends_need_seventy_percent(
    one: tuple[int, int], two: tuple[int, int], is_found: bool, is_other: bool
) -> None:
    for found in (finding(one, two), finding(one, two)[::-1]):
        hit, others = found_pairs([PAIR], [found])
        assert (hit == {0}) == is_found and (others == [found]) == is_other


def test_ends_in_one_file_are_told_apart() -> None:
    pair = Planted("c", "T1", "c/a.c", 1, 10, "c/a.c", 21, 30, ())
    whole = FileLines("c/a.c", 1, 10), FileLines("c/a.c", 1, 10)
    assert found_pairs([pair], [whole])[0] == set()
    crossed = FileLines("c/a.c", 21, 30), FileLines("c/a.c", 1, 10)
    assert found_pairs([pair], [crossed])[0] == {0}


lines = st.tuples(st.integers(1, 60), st.integers(0, 30)).map(lambda one: (one[0], sum(one)))


@given(st.lists(st.tuples(lines, lines), max_size=5))
def test_more_findings_never_find_less(places: list[tuple[tuple[int, int], ...]]) -> None:
    findings = [finding(one, two) for one, two in places]
    alone = [found_pairs([PAIR], [one]) for one in findings]
    together, others = found_pairs([PAIR], findings)
    assert together == set().union(*(hit for hit, _ in alone))
    assert others == [one for _, left in alone for one in left]


def test_findings_are_read_by_any_name_of_their_files(tmp_path: Path) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / "code" / "c").mkdir(parents=True, exist_ok=True)
        (tmp_path / "code" / "c" / name).write_text("int a;\n")
    report = tmp_path / "report.csv"
    report.write_text(
        "file1,start1,end1,file2,start2,end2,type,score\n"
        f"{tmp_path}/code/c/a.c,1,2,c/b.c,3,4,T1,1.0\n"
        "code/c/a.c,5,6,./code/c/b.c,7,8,T3,0.4\n"
    )
    assert read_findings(report, tmp_path / "code") == [
        finding((1, 2), (3, 4)),
        finding((5, 6), (7, 8)),
    ]


def test_unplanted_findings_are_a_clone_report(tmp_path: Path) -> None:
    write_report(tmp_path / "others.csv", [finding((1, 2), (3, 4))])
    assert (tmp_path / "others.csv").read_text() == ",c/a.c,1,2,,c/b.c,3,4\n"


def test_time_and_memory_of_children_count(tmp_path: Path) -> None:
    child = "import time; x = bytearray(60_000_000)\nwhile time.process_time() < 0.3: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}]); print(1)"
    printed, cost = measured([sys.executable, "-c", parent], tmp_path)
    assert printed == "1\n"
    assert cost.seconds >= 0.3 and cost.megabytes > 60


def test_a_tool_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="ended with 3: no luck"):
        measured([sys.executable, "-c", "import sys; print('no luck'); sys.exit(3)"], tmp_path)
    with pytest.raises(PeerError, match="No such file"):
        measured([str(tmp_path / "nothing")], tmp_path)
