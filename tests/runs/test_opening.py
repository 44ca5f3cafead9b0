"""Inputs that are understood or refused before a run is created."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest
from tests.runs.conftest import fingerprint

from codekin import detect_language, report
from codekin.errors import CodekinError
from codekin.runs.job import Progress
from codekin.runs.run import Run
from codekin.runs.scoring import score
from codekin.runs.summaries import summarize

GOOD = {"id": "1", "language": "python", "candidate": "x = 1", "reference": "x = 1"}


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def scored(rows: Any, **options: Any) -> Run:
    return score(rows, "nes", workers=0, **options)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"id": 1, "text": "x", "reference": "y"}\n', "no column for the candidate"),
        ("a.jsonl", b'{"candidate": "x", "reference": "y", "orgin": ""}\n', "'origin'"),
        ("a.jsonl", b'{"candidate": "x", "candidate": "z", "reference": "y"}\n', "twice"),
        ("a.jsonl", b"candidate,reference\nx,y\n", "not JSON.*of the format that its name says"),
        ("a.json", b"candidate,reference\nx,y\n", "of the format that its name says"),
        ("a.jsonl", b'[\n{"candidate": "x", "reference": "y"}\n]\n', None),
        ("a.csv", b'{"candidate": "x", "reference": "y"}\n' * 2, "JSON lines"),
        ("a.csv", b"candidate,candidate,reference\nx,z,y\n", "two columns"),
        ("a.csv", b"candidate,reference\n\xe9,y\n", r"Save .*a\.csv as UTF-8"),
        ("a.jsonl", '{"candidate": "é", "reference": "y"}\n'.encode("latin-1"), "as UTF-8"),
        ("a.jsonl", bytes(range(256)), r"a\.jsonl looks binary; rows are in"),
        ("a.csv", bytes(range(256)), r"a\.csv: looks binary, and not"),
        ("a.jsonl", b'[\n{\n"candidate": "x",\n"reference": "y"\n}\n]\n', "array; name it .json$"),
        ("a.jsonl.gz", b'{"candidate": "x", "reference": "y"}\n', "no gzip data"),
        ("a.parquet", b'{"candidate": "x", "reference": "y"}\n', "no readable Parquet"),
        ("a.jsonl", '{"candidate": "x", "reference": "y"}\n'.encode("utf-16-le"), "first rows"),
        ("a.txt", b"x = 1\n", "--references"),
        ("a.json", b"", "the file is empty"),
    ],
)
def test_refused_before_anything_is_written(
    tmp_path: Path, name: str, content: bytes, message: str | None
) -> None:
    (tmp_path / name).write_bytes(content)
    if message is None:  # one row of it can be read, so the others are recorded
        assert scored(tmp_path / name, output=tmp_path / "run").rows == 3
        return
    with pytest.raises(CodekinError, match=message):
        scored(tmp_path / name, output=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    lines(tmp_path / "b.jsonl", GOOD)
    assert scored(tmp_path / "b.jsonl", output=tmp_path / "run").values("nes").tolist() == [1]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, b""])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_marks_and_line_ends(tmp_path: Path, mark: bytes, end: bytes) -> None:
    row = json.dumps({"task_id": 1, "completion": "x = 1", "gold": "x = 1"}).encode()
    (tmp_path / "a.jsonl").write_bytes(mark + row + end)
    (tmp_path / "a.csv").write_bytes(mark + b"completion,gold" + end + b"x = 1,x = 1" + end)
    for name in ("a.jsonl", "a.csv"):
        assert scored(tmp_path / name).values("nes").tolist() == [1]


def test_errors_say_what_to_write_in_a_terminal_and_in_python() -> None:
    row = {"candidat": "x = 1", "reference": "x = 1"}
    with pytest.raises(CodekinError) as told:
        score([row], "nes", workers=0)
    assert "--columns candidate=candidat (columns={'candidate': 'candidat'})" in str(told.value)
    assert "--columns candidate= (columns={'candidate': ''})" in str(told.value)
    with pytest.raises(CodekinError, match=r"--language \(language=\)"):
        detect_language("1 2 3")
    with pytest.raises(CodekinError, match="is needed, not None"):
        report(None)  # type: ignore[arg-type]


def test_the_same_errors_from_python() -> None:
    with pytest.raises(CodekinError, match="no column for the reference"):
        scored([{"candidate": "x"}])
    with pytest.raises(CodekinError, match="did you mean 'group'"):
        scored([{**GOOD, "gropu": "a"}])
    with pytest.raises(CodekinError, match="extract_code must be one of first, last, all"):
        scored([GOOD], extract_code="second")
    with pytest.raises(CodekinError, match="missing must be one of zero, skip"):
        scored([GOOD], missing="one")


def test_what_was_recognized_is_reported_and_kept(tmp_path: Path) -> None:
    said: list[str | None] = []

    def report(progress: Progress) -> None:
        said.append(progress.note)

    rows = [{"task_id": "t/1", "completion": "x", "target": "x"}]
    run = scored(rows, report=report)
    assert said[0] == "columns: candidate = completion, reference = target, id = task_id"
    assert run.manifest["notes"] == said[:1]
    assert run.labels_of("id") == run.labels_of("task_id") == ["t/1"]


def test_systems_are_files_before_they_are_columns(tmp_path: Path) -> None:
    row = {"id": "t", "model": "base", "language": "python", "candidate": "x", "reference": "y"}
    files = [tmp_path / "hot.jsonl", tmp_path / "cold.jsonl"]
    for file in files:
        file.write_text(json.dumps(row) + "\n")
    run = score(files, "nes", output=tmp_path / "run", workers=0)
    assert run.labels_of("group") == ["hot", "cold"]
    assert run.labels_of("model") == ["base", "base"]
    alone = score(files[0], "nes", output=tmp_path / "alone", workers=0)
    assert alone.labels_of("group") == alone.labels_of("model") == ["base"]


def test_a_named_column_may_come_late() -> None:
    rows: list[dict[str, Any]] = [{**GOOD, "id": str(i)} for i in range(300)]
    rows[250]["passed"] = 1
    run = scored(rows, columns={"outcome": "passed"})
    assert [one for one in run.labels_of("outcome") if one is not None] == ["1"]


def test_a_run_without_a_score_never_blocks(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    bad = [{**GOOD, "language": "latin"}, {**GOOD, "candidate": 7}]
    assert scored(bad, output=folder).failed == 2
    assert scored([GOOD], output=folder).values("nes").tolist() == [1]
    with pytest.raises(CodekinError, match="--overwrite"):
        scored([GOOD], output=folder)


def test_overwrite(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    scored([{**GOOD, "id": str(i)} for i in range(3)], output=folder, shard_rows=1)
    replaced = scored([GOOD], output=folder, overwrite=True)
    assert replaced.rows == 1
    scored([GOOD], output=tmp_path / "other")
    assert fingerprint(folder) == fingerprint(tmp_path / "other")


@pytest.mark.parametrize("place", ["notes.txt", "shards/notes.txt", "shards/old"])
def test_overwrite_deletes_nothing_else(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "run"
    scored([GOOD], output=folder)
    other = folder / place
    other.mkdir() if other.name == "old" else other.write_text("mine")
    before = fingerprint(folder)
    with pytest.raises(CodekinError, match="other things than a run"):
        scored([GOOD], output=folder, overwrite=True)
    assert fingerprint(folder) == before


def test_overwrite_refuses_what_is_not_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "manifest.json").write_text('{"name": "my site"}')
    with pytest.raises(CodekinError, match="is not the manifest of a run"):
        scored([GOOD], output=folder, overwrite=True)
    assert (folder / "manifest.json").exists()
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.txt").write_text("a")
    with pytest.raises(CodekinError, match="other things in it"):
        scored([GOOD], output=plain, overwrite=True)


def test_overwrite_follows_no_link(tmp_path: Path) -> None:
    scored([GOOD], output=tmp_path / "run")
    (tmp_path / "link").symlink_to(tmp_path / "run")
    with pytest.raises(CodekinError, match="link"):
        scored([GOOD], output=tmp_path / "link", overwrite=True)
    assert Run(tmp_path / "run").rows == 1


JAVA = "public int twice(int x) {{ return {} * x; }}"
PYTHON = "def twice(x):\n    return {} * x\n"


def test_a_language_that_does_not_fit_is_noticed() -> None:
    rows = [
        {"candidate": JAVA.format(i), "reference": JAVA.format(i + 1), "id": i} for i in range(9)
    ]
    [note] = scored(rows, language="python").manifest["notes"]
    assert "9 of the first 9 references do not parse as python, and 9 parse as java" in note
    assert scored(rows, language="java").manifest["notes"] == []
    assert scored(rows).manifest["notes"] == []


def test_a_guessed_language_is_mentioned() -> None:
    rows = [{"candidate": "def f():\n    pass\n", "reference": "def f(x):\n    return x\n"}]
    [note] = score(rows, "tsed", workers=0).manifest["notes"]
    assert note == "language: python, from 1 reference; --language (language=) names another"
    assert scored(rows).manifest["notes"] == []  # nothing depends on it
    assert score(rows, "tsed", language="python", workers=0).manifest["notes"] == []


def test_measures_of_code_are_left_out_for_prose() -> None:
    rows = [{**GOOD, "language": "text"}, {**GOOD, "language": "text", "origin": "x"}]
    skipped = score(rows, workers=0).manifest["skipped"]
    assert {"tsed", "cssg", "kin"} <= set(skipped)
    assert "es" not in skipped
    mixed = score([GOOD, rows[0]], workers=0)
    assert "tsed" not in mixed.manifest["skipped"]
    with_name = score(rows, ["tsed"], workers=0)
    assert "plain text has none" in str(with_name.table(["tsed.problem"]).to_pylist()[0])


def test_broken_references_alone_are_no_other_language() -> None:
    rows = [{"candidate": "x", "reference": f"def f(:\n  {i}", "id": i} for i in range(9)]
    assert scored(rows, language="python").manifest["notes"] == []


BAD = [
    ({"candidate": 1}, "candidate must be a text, not a number"),
    ({"candidate": ["x"]}, "give each sample of a task a row of its own"),
    ({"reference": 3.5}, "reference must be a text"),
    ({"language": "latin"}, "unknown language 'latin'"),
]


@pytest.mark.parametrize(
    ("row", "problem", "apart"),
    [
        (*one, apart)
        for one in BAD
        for apart in (True, False)
        if not (apart and "reference" in one[0])
    ],
)
@pytest.mark.parametrize("shard_rows", [None, 1])
def test_first_rows_that_are_all_wrong_in_one_way_are_refused(
    tmp_path: Path, row: dict[str, Any], problem: str, apart: bool, shard_rows: int | None
) -> None:
    rows = [{**GOOD, **row, "id": str(i)} for i in range(5)]
    references = [{"id": str(i), "reference": "x = 1"} for i in range(6)] if apart else None
    given = lines(tmp_path / "a.jsonl", *rows)
    options = {"references": references, "shard_rows": shard_rows, "output": tmp_path / "run"}
    with pytest.raises(CodekinError, match=problem) as told:
        scored(given, **options)
    assert str(told.value).startswith(f"{given}, line 1: ")
    assert str(told.value).endswith("; not one of the first rows can be scored")
    assert not (tmp_path / "run").exists()
    lines(given, *rows[:-1], {**GOOD, "id": "4"})
    assert scored(given, **options).failed == 4


def test_a_language_that_cannot_be_told_in_any_row_is_refused(tmp_path: Path) -> None:
    rows = [{"candidate": "1 2", "reference": f"3 {i}"} for i in range(3)]
    with pytest.raises(CodekinError, match=r"row 1: cannot tell which language.*--language"):
        score(rows, ["tsed", "bleu"], workers=0, output=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert scored(rows).failed == 0  # by characters
    assert score(rows, "tsed", workers=0, language="python").failed == 0
    known = {"candidate": "def f(x):\n    return x\n", "reference": "def f(x):\n    return 1\n"}
    run = score([*rows, known], "tsed", workers=0)
    assert run.failed == 0
    assert run.manifest["notes"][0].startswith("language: python, from 4 references (1 parse);")


def test_first_rows_without_a_candidate_or_too_long_are_recorded() -> None:
    missing = {**GOOD, "candidate": None}
    assert scored([missing, missing, {**GOOD, "candidate": 7}]).failed == 1
    assert scored([missing, missing], missing="skip").failed == 2
    assert scored([GOOD, GOOD], max_bytes=3).failed == 2


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"candidate": 7}, "candidate must be a text, not a number"),
        ({"candidate": ["x"]}, "candidate must be a text, not a list; give each sample of a task"),
        ({"candidate": "a\0b"}, "NUL"),
        ({"reference": None}, "'reference' is null"),
        ({"reference": 3.5}, "reference must be a text"),
        ({"language": ["python"]}, "language must be a text, not a list"),
        ({"language": {"name": "python"}}, "language must be a text, not an object"),
    ],
)
def test_single_bad_rows_are_recorded(row: dict[str, Any], problem: str) -> None:
    run = scored([GOOD, {**GOOD, **row}])
    assert problem in run.table(["problem"]).column("problem").to_pylist()[1]
    assert run.failed == 1


def test_ids_that_the_references_lack(tmp_path: Path) -> None:
    gold = [{"task_id": f"t-{i}", "reference": f"x = {i}"} for i in range(3)]
    right, wrong = (
        [{"task_id": f"{prefix}-{i}", "candidate": f"x = {i}"} for i in range(3)]
        for prefix in ("t", "T")
    )
    with pytest.raises(CodekinError, match=r"none of its ids, such as 'T-0', .* has 't-0'"):
        scored(wrong, references=gold, language="python", output=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    run = scored([*right, wrong[0]], references=gold, language="python")
    assert any("1 of its first 4 ids, 'T-0', is not in" in one for one in notes_of(run))
    assert not any("ids" in one for one in notes_of(scored(right, references=gold)))


def notes_of(run: Run) -> list[str]:
    return [str(one) for one in run.manifest["notes"]]


def test_references_in_another_file_are_suggested(tmp_path: Path) -> None:
    with pytest.raises(CodekinError, match="if another file has them, --references FILE"):
        scored(lines(tmp_path / "a.jsonl", {"id": 1, "candidate": "x"}))


def test_what_is_no_run_is_said() -> None:
    with pytest.raises(CodekinError, match="a run or the path of its folder is needed, not a list"):
        summarize([])  # type: ignore[arg-type]
