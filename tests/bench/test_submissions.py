from __future__ import annotations

import itertools
import json
import lzma
from pathlib import Path

import pytest
from tests.bench.small_code import function

import submissions
from codekin import Source, compare_submissions
from scan_peers import Cost, Ranker
from submissions import classroom, judged, marked, own_rankers, programs


def texts(count: int) -> list[str]:
    return [function("c", number) for number in range(0, 5 * count, 5)]


def test_copies_are_rewritten_and_renamed() -> None:
    plain, changed = (classroom("7", texts(50), share, 1) for share in (0, 40))
    for room in (plain, changed):
        assert len(room.texts) == 30 and len(room.copies) == 5
        for copy, original in room.copies.items():
            assert "work" in room.texts[original] and "work" not in room.texts[copy]
            if room is plain:  # what the program does not declare keeps its name
                assert "total" not in room.texts[copy]
                assert ("note" in room.texts[copy]) == ("note" in room.texts[original])
            assert not Source(room.texts[copy], "c").problems
    assert plain.copies == changed.copies and plain.texts != changed.texts
    assert classroom("7", texts(50), 40, 1) == changed


def test_scores_are_judged_by_average_precision(tmp_path: Path) -> None:
    room = classroom("7", texts(50), 0, 1)
    wanted = {frozenset(pair) for pair in room.copies.items()}
    none = Ranker("none", "1", lambda folder: ({}, Cost(1.0, 5.0)))
    best = Ranker("best", "1", lambda folder: (dict.fromkeys(wanted, 0.5), Cost(1.0, 5.0)))
    pairs = [frozenset(pair) for pair in itertools.combinations(room.texts, 2)]
    worst = Ranker(
        "worst", "1", lambda folder: ({one: float(one not in wanted) for one in pairs}, Cost(1, 1))
    )
    rooms, folders = [room, room], [tmp_path, tmp_path]
    assert judged(rooms, folders, best) == (1.0, 1.0, Cost(2.0, 5.0))
    assert judged(rooms, folders, none)[0] == pytest.approx(5 / 435)
    assert judged(rooms, folders, worst)[0] < 0.02


def test_own_rankings_and_marks(tmp_path: Path) -> None:
    room = classroom("7", texts(50), 0, 1)
    for name, text in room.texts.items():
        (tmp_path / name).write_text(text)
    pairs = {frozenset(pair) for pair in itertools.combinations(room.texts, 2)}
    for tool in own_rankers():
        assert set(tool.rank(tmp_path)[0]) == pairs, tool.name
    found, others = marked([room, room], [tmp_path, tmp_path])
    assert found % 2 == others % 2 == 0
    assert found <= 10
    marks = len(compare_submissions(tmp_path).suspicious)
    assert found + others == 2 * marks


def test_programs_that_do_not_read_as_c_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "PROBLEMS", 1)
    monkeypatch.setattr(submissions, "ORIGINALS", 2)
    long = [text.replace("    return", "\n\n\n    return") for text in texts(4)]
    rows = [("1", text) for text in [*long, "int main() { cin >> a; }\n" * 20, "int f( {\n" * 20]]
    path = tmp_path / "snippets.jsonl.xz"
    with lzma.open(path, "wt") as stream:
        for problem, text in rows:
            stream.write(json.dumps({"functionality": problem, "code": text}) + "\n")
    assert sorted(programs(path, 1)["1"]) == sorted(long)
