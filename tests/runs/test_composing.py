"""Several systems, references from another input, and missing candidates."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas
import pytest
from tests.runs.conftest import fingerprint

from codekin import report
from codekin.errors import CodekinError
from codekin.evaluation.outcomes import Edits
from codekin.runs.comparison import RunComparison, compare_runs
from codekin.runs.failures import job_summary
from codekin.runs.run import Run
from codekin.runs.scoring import arguments_of, score
from codekin.runs.summaries import summarize
from codekin.runs.system_comparison import SystemComparison, compare_systems

TASKS = {f"T/{i}": f"def f{i}(x):\n    return x + {i}\n" for i in range(4)}
SIZES = (("a", 4), ("b", 2))


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def answers(path: Path, *tasks: str, **changes: str | None) -> Path:
    return lines(
        path, [{"task_id": one, "completion": changes.get(one[2:], TASKS[one])} for one in tasks]
    )


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = [{"task_id": name, "canonical_solution": code} for name, code in TASKS.items()]
    return lines(tmp_path / "gold.jsonl", rows)


def scored(rows: Any, references: Any = None, **options: Any) -> Run:
    return score(rows, "nes", workers=0, language="python", references=references, **options)


def shown(run: Run) -> list[tuple[Any, ...]]:
    table = run.table(["id", "group", "form", "nes"]).to_pylist()
    return [tuple(row.values()) for row in table]


def test_references_of_another_file(tmp_path: Path, gold: Path) -> None:
    run = scored(answers(tmp_path / "a.jsonl", *TASKS), gold, on="task_id")
    assert shown(run) == [(name, None, None, 1.0) for name in TASKS]
    assert run.manifest["input"]["references"]["files"][0]["path"] == str(gold)


def test_several_files_are_several_systems(tmp_path: Path, gold: Path) -> None:
    a = answers(tmp_path / "a.jsonl", *TASKS)
    b = answers(tmp_path / "b.jsonl", "T/3", "T/0", "T/1", "T/2")
    run = scored([a, b], gold)
    assert [row[1] for row in shown(run)] == ["a"] * 4 + ["b"] * 4
    assert compare_runs(run, resamples=20).pairs == 4


def test_the_users_group_wins(tmp_path: Path) -> None:
    row = {"candidate": "x", "reference": "x"}
    a = lines(tmp_path / "a.jsonl", [{**row, "group": "mine"}])
    b = lines(tmp_path / "b.csv.jsonl", [row])
    assert [one[1] for one in shown(scored([a, b]))] == ["mine", "b"]


def test_files_of_one_name(tmp_path: Path, gold: Path) -> None:
    files = []
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        files.append(answers(tmp_path / name / "samples.jsonl", *TASKS))
    assert {one[1] for one in shown(scored(files, gold))} == {"x/samples", "y/samples"}
    with pytest.raises(CodekinError, match="named twice"):
        scored([files[0], files[0]], gold)


def test_a_folder_is_one_system(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    for name in "ab":
        lines(tmp_path / "rows" / f"{name}.jsonl", [{"candidate": "x", "reference": "x"}])
    run = scored(tmp_path / "rows")
    assert [one[1] for one in shown(run)] == [None, None]
    assert any("2 files are read as one" in note for note in run.manifest["notes"])


def test_results_of_human_eval_are_named_like_their_samples(tmp_path: Path) -> None:
    row = {"task_id": "T/1", "completion": "x", "reference": "x", "passed": True}
    names = [f"{name}_samples.jsonl_results.jsonl" for name in "ab"]
    run = scored([lines(tmp_path / name, [row]) for name in names])
    assert [system for _, system, *_ in shown(run)] == ["a_samples", "b_samples"]


def test_results_without_references_name_the_option(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    lines(tmp_path / "rows" / "a.jsonl", [{"task_id": "T/1", "completion": "x"}])
    lines(tmp_path / "rows" / "b.jsonl", [{"task_id": "T/1", "canonical_solution": "x"}])
    with pytest.raises(CodekinError, match="--references FILE"):
        scored(tmp_path / "rows")


def test_missing_candidates_count_as_zero(tmp_path: Path, gold: Path) -> None:
    whole = answers(tmp_path / "whole.jsonl", *TASKS)
    half = answers(tmp_path / "half.jsonl", "T/0", "T/1")
    run = scored([whole, half], gold)
    assert shown(run)[-2:] == [(f"T/{i}", "half", "missing", 0.0) for i in (2, 3)]
    summary = summarize(run, by="group", resamples=20)
    assert [one.measures[0].mean.value for one in summary.groups] == [1.0, 0.5]
    assert "half: 2 of 4 rows have no candidate and count as 0" in summary.warnings()[0]
    assert "whole: 100 % of the candidates and 100 % of the references parse" in summary.notes()
    there = "half: 100 % of the candidates that are there and 100 % of the references parse"
    assert there in summary.notes()
    report(run, tmp_path / "report.html")
    assert there in (tmp_path / "report.html").read_text("utf-8")
    skipped = summarize(run, by="group", resamples=20, missing="skip")
    assert [one.measures[0].mean.value for one in skipped.groups] == [1.0, 1.0]
    assert compare_runs(run, resamples=20).measures[0].losses == 2
    assert compare_runs(run, resamples=20, missing="skip").measures[0].ties == 2
    assert job_summary(run).missing_rows == 2


def test_pairs_without_scores_are_not_counted(tmp_path: Path, gold: Path) -> None:
    whole = answers(tmp_path / "whole.jsonl", *TASKS)
    half = answers(tmp_path / "half.jsonl", "T/0", "T/1", "T/2")
    run = scored([whole, half], gold, missing="skip")
    comparison = compare_runs(run, resamples=20)
    assert comparison.grids()[0].title == "A is whole, B is half: 3 of 4 pairs by id"
    assert "3 pairs" in "".join(comparison.conclusion())
    [failure] = job_summary(run).failures
    assert failure.where.endswith("gold.jsonl, line 4, which half lacks")


def test_a_file_without_rows_is_refused_before_a_run_exists(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("candidate,reference\n")
    with pytest.raises(CodekinError, match=r"empty\.csv: has no rows"):
        score(empty, ["nes"], output=tmp_path / "run", workers=0)
    assert not (tmp_path / "run").exists()


def test_missing_candidates_may_be_skipped(tmp_path: Path, gold: Path) -> None:
    run = scored(answers(tmp_path / "a.jsonl", "T/0"), gold, missing="skip")
    assert run.failed == 3
    assert summarize(run, resamples=20).groups[0].measures[0].mean.value == 1.0
    with pytest.raises(CodekinError, match="--missing zero"):
        summarize(run, missing="zero")


def test_null_candidates_are_missing() -> None:
    rows = [
        {"id": i, "candidate": one, "reference": "x = 1", "language": "python"}
        for i, one in enumerate(["x = 1", None])
    ]
    run = score(rows, ["nes", "bleu", "ed"], workers=0)
    assert run.values("nes").tolist() == run.values("bleu").tolist() == [1, 0]
    # A distance of 0 would be a perfect answer.
    assert run.values("ed")[1] > 0
    # The corpus value suffers, too.
    corpus = summarize(run, resamples=20).groups[0].measures[1].corpus
    assert corpus is not None
    assert corpus.value < 1


@pytest.mark.parametrize("columns", [{}, {"candidate": "text"}])
def test_an_empty_cell_of_csv_is_missing(tmp_path: Path, columns: dict[str, str]) -> None:
    name = columns.get("candidate", "candidate")
    path = tmp_path / "rows.csv"
    path.write_text(f'id,{name},reference\n1,,x = 1\n2,x = 1,x = 1\n3,"",y = 2\n4, ,y\n')
    empty, expected = "empty", [("1", None, "missing", 0.0), ("2", None, None, 1.0)]
    expected += [("3", None, "missing", 0.0), ("4", None, empty, 0.0)]
    assert shown(scored(path, columns=columns)) == expected
    skipped = scored(path, columns=columns, missing="skip")
    assert [row[2:] for row in shown(skipped)][::2] == [("missing", None)] * 2
    gold = lines(tmp_path / "gold.jsonl", [{"id": i, "reference": "z"} for i in range(1, 5)])
    assert [row[2] for row in shown(scored(path, gold, columns=columns))] == [
        *("missing", None, "missing", empty)
    ]
    judged = scored(path, columns=columns, view=Edits())
    assert [row[2] for row in shown(judged)] == ["missing", None, "missing", None]
    [warning] = [one for one in job_summary(skipped).warnings() if "empty candidate" in one]
    assert warning == "1 of 4 rows has an empty candidate and counts as 0"


def test_a_missing_candidate_is_not_like_an_empty_reference() -> None:
    run = scored([{"candidate": None, "reference": "", "id": 1}])
    assert run.values("nes").tolist() == [0]


def test_ids_that_one_group_of_a_file_lacks() -> None:
    rows = [
        {"id": task, "group": group, "candidate": code, "reference": code}
        for group, most in SIZES
        for task, code in list(TASKS.items())[:most]
    ]
    run = scored(rows, shard_rows=3)
    assert [one[:3] for one in shown(run)[6:]] == [
        ("T/2", "b", "missing"),
        ("T/3", "b", "missing"),
    ]
    assert run.values("nes").tolist() == [1.0] * 6 + [0.0] * 2


@pytest.mark.parametrize("same", ["no id", "other references"])
def test_groups_that_cannot_be_compared_lack_nothing(same: str) -> None:
    rows = [
        {
            "id": f"{group}{i}" if same == "no id" else str(i),
            "group": group,
            "candidate": "x",
            "reference": f"{group} = {i}",
        }
        for group, most in SIZES
        for i in range(most)
    ]
    assert scored(rows).rows == 6


def test_references_that_lack_an_id_and_have_others(tmp_path: Path, gold: Path) -> None:
    rows = lines(
        tmp_path / "a.jsonl",
        [{"task_id": "T/0", "completion": TASKS["T/0"]}, {"task_id": "T/9", "completion": "x"}],
    )
    run = scored(rows, gold)
    assert [one[0] for one in shown(run)] == ["T/0", "T/9", "T/1", "T/2", "T/3"]
    assert run.failed == 1
    problem = run.table(["problem"]).column("problem").to_pylist()[1]
    assert problem.endswith("gold.jsonl has no task_id 'T/9'")


def test_ids_of_mixed_types(tmp_path: Path) -> None:
    rows = lines(tmp_path / "a.jsonl", [{"id": one, "output": "x"} for one in (1, "2", 3.0, " 4 ")])
    gold = lines(tmp_path / "g.jsonl", [{"id": one, "gold": "x"} for one in ("1", 2, 3, 4)])
    assert [(one[0], one[3]) for one in shown(scored(rows, gold))] == [
        (str(i), 1.0) for i in range(1, 5)
    ]
    odd = lines(tmp_path / "b.jsonl", [{"id": 1, "output": "x"}, {"id": [2], "output": "x"}])
    run = scored(odd, gold)
    assert (
        run.table(["problem"])
        .column("problem")
        .to_pylist()[1]
        .endswith("id must be a text, not a list")
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": 1, "gold": "x"}, {"id": 1, "gold": "y"}], "with other content"),
        ([{"id": 1, "gold": "x"}, {"id": None, "gold": "y"}], "has no id"),
        ([{"id": 1, "text": "x"}], "no column for the reference"),
        ([{"gold": "x"}], "has no ids"),
        ([], "has no references"),
    ],
)
def test_refused_references(tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    gold = lines(tmp_path / "g.jsonl", rows)
    mine = lines(tmp_path / "a.jsonl", [{"id": 1, "output": "x"}])
    with pytest.raises(CodekinError, match=message):
        scored(mine, gold, output=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_references_must_be_readable(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text('{"id": 1, "gold": "x"}\n{"id": 2,\n')
    mine = lines(tmp_path / "a.jsonl", [{"id": 1, "output": "x"}])
    with pytest.raises(CodekinError, match=r"g.jsonl, line 2: not JSON"):
        scored(mine, tmp_path / "g.jsonl")


def test_the_same_reference_twice_is_one(tmp_path: Path) -> None:
    gold = lines(tmp_path / "g.jsonl", [{"id": 1, "gold": "x"}] * 2)
    mine = lines(tmp_path / "a.jsonl", [{"id": 1, "output": "x"}])
    assert scored(mine, gold).rows == 1


def test_the_language_of_the_references_holds_for_candidates(tmp_path: Path) -> None:
    gold = [{"problem_id": i, "solution": "int x;", "lang": "java"} for i in range(2)]
    own = [{"problem_id": i, "answer": "int x;"} for i in range(2)]
    run = score(own, "nes", workers=0, references=gold)
    assert run.labels_of("language") == ["java", "java"]
    assert not any("guessed" in one for one in run.manifest["notes"])


def test_files_that_call_a_column_differently(tmp_path: Path, gold: Path) -> None:
    rows = [{"task_id": name, "reply": code} for name, code in TASKS.items()]
    a = lines(tmp_path / "a.jsonl", rows)
    b = tmp_path / "b.csv"
    b.write_text('task_id,written code\nT/0,"' + TASKS["T/0"] + '"\nT/1,x\n')
    columns = {"candidate": "reply|written code", "reference": "canonical_solution|gold"}
    run = scored([a, b], gold, columns=columns, output=tmp_path / "run")
    assert [row[3] for row in shown(run)[:5]] == [1.0] * 5
    again = score(**arguments_of(tmp_path / "run"), output=tmp_path / "run", resume=True, workers=0)
    assert shown(again) == shown(run)
    with pytest.raises(CodekinError, match=r"no column 'gold\|new' for reference, neither"):
        scored([a, b], gold, columns=columns | {"reference": "gold|new"})


def test_columns_of_either_file(tmp_path: Path) -> None:
    mine = lines(tmp_path / "a.jsonl", [{"name": "t", "text": "x"}])
    gold = lines(tmp_path / "g.jsonl", [{"name": "t", "wanted": "x", "level": "easy"}])
    run = scored(mine, gold, on="name", columns={"candidate": "text", "reference": "wanted"})
    assert shown(run) == [("t", None, None, 1.0)]
    assert run.labels_of("level") == ["easy"]
    with pytest.raises(CodekinError, match="no column 'txt'"):
        scored(mine, gold, on="name", columns={"candidate": "txt", "reference": "wanted"})
    with pytest.raises(CodekinError, match="no column 'nam'"):
        scored(mine, gold, on="nam")
    with pytest.raises(CodekinError, match="on joins rows with references"):
        scored(mine, on="name")


@pytest.mark.parametrize("key", ["problem_id", "Task ID", "nr", "title"])
def test_shuffled_rows_are_joined_by_what_both_files_share(tmp_path: Path, key: str) -> None:
    gold = [{key: name, "solution": code, "level": 1} for name, code in TASKS.items()]
    own = [{key: name, "completion": code, "level": 1} for name, code in TASKS.items()]
    a, b = (lines(tmp_path / f"{name}.jsonl", rows) for name, rows in (("a", own), ("b", own)))
    lines(b, [own[2], own[0], own[3], own[1]])
    run = scored([a, b], lines(tmp_path / "gold.jsonl", gold))
    assert [row[0::3] for row in shown(run)[4:]] == [
        (f"T/{i}", 1.0) for i in (2, 0, 3, 1)
    ]  # by order, none would be right
    assert run.values("nes").tolist() == [1.0] * 8
    assert key in " ".join(run.manifest["notes"])
    assert run.labels_of(key) == run.labels_of("id")
    again = score(**arguments_of(run.path), output=run.path, resume=True, workers=0)
    assert again.values("nes").tolist() == [1.0] * 8
    from_python = scored(own[::-1], gold)
    assert from_python.values("nes").tolist() == [1.0] * 4


def test_joining_by_order_is_said() -> None:
    own = [{"completion": "x", "temperature": i} for i in range(2)]
    gold = [{"solution": "x", "tokens": i} for i in range(2)]
    [note] = [one for one in scored(own, gold).manifest["notes"] if "joined" in one]
    assert note == "joined by order: the first row of each file with the first of the references"


@pytest.mark.parametrize("key", ["id", "task_id", "Problem ID", "nr"])
def test_the_user_may_join_by_order(key: str) -> None:
    own = [{key: i, "completion": code} for i, code in enumerate(TASKS.values())]
    gold = [{key: -i, "solution": code} for i, code in enumerate(TASKS.values())]
    run = scored(own, gold, columns={"id": ""})
    assert run.values("nes").tolist() == [1.0] * 4
    assert any("joined by order" in one for one in run.manifest["notes"])


@pytest.mark.parametrize(
    ("own", "gold", "message"),
    [
        ({"key": [1, 2, 3, 4]}, {}, "the rows: 'key' may say .* no such column in the references"),
        ({}, {"rowId": [1, 2, 3, 4]}, "the references: 'rowId' may say"),
        ({"key": [1, 2, 8, 9]}, {"key": [1, 3, 2, 4]}, "row 2 has '2' for 'key', and .* '3'"),
        ({"nr": [2, 1, 3, 9]}, {"nr": [1, 2, 3, 4]}, "row 1 has '2' for 'nr', and .* '1'"),
        ({"nr": [1, 1, 2, 2]}, {"nr": [1, 2, 3, 4]}, "row 2 has '1' for 'nr', and .* '2'"),
        (
            {"nr": [1, 2, 3, 4], "at": [4, 3, 2, 1]},
            {"nr": [1, 2, 3, 4], "at": [1, 2, 3, 4]},
            "'nr' and 'at' join other rows",
        ),
    ],
)
def test_an_order_that_columns_contradict_is_refused(
    own: dict[str, list[int]], gold: dict[str, list[int]], message: str
) -> None:
    def rows(field: str, columns: dict[str, list[int]]) -> list[dict[str, Any]]:
        return [
            {field: code, **{name: values[i] for name, values in columns.items()}}
            for i, code in enumerate(TASKS.values())
        ]

    with pytest.raises(CodekinError, match=f"(?s){message}.*--on"):
        scored(rows("completion", own), rows("solution", gold))
    if len({*own, *gold}) == 1:
        run = scored(rows("completion", own), rows("solution", gold), columns={"id": ""})
        assert run.values("nes").tolist() == [1.0] * 4
        assert any("joined by order" in one for one in run.manifest["notes"])


def test_lines_of_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfx = 1\r\n\r\ny = 2\r\n")
    (tmp_path / "b.txt").write_text("x = 1\n\ny = 3")
    (tmp_path / "ref.txt").write_text("x = 1\n\ny = 2\n")
    run = scored([tmp_path / "a.txt", tmp_path / "b.txt"], tmp_path / "ref.txt")
    assert [one[:2] for one in shown(run)] == [(str(i), name) for name in "ab" for i in (1, 2, 3)]
    assert run.values("nes")[:5].tolist() == [1.0] * 5
    assert run.values("nes")[5] < 1


def test_several_files_of_references_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x = 1\ny = 2\n")
    (tmp_path / "r.txt").write_text("x = 1\ny = 3\n")
    (tmp_path / "s.txt").write_text("x = 0\ny = 2\n")
    references = [tmp_path / "r.txt", tmp_path / "s.txt"]
    assert scored(tmp_path / "a.txt", references).values("nes").tolist() == [1, 1]
    (tmp_path / "s.txt").write_text("x = 0\n")
    with pytest.raises(CodekinError, match="as many lines each"):
        scored(tmp_path / "a.txt", references)


@pytest.mark.parametrize("text", ["x\n", "x\ny\nz\n"])
def test_other_numbers_of_lines_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "r.txt").write_text("x\ny\n")
    with pytest.raises(CodekinError, match="belong together by their order"):
        scored(tmp_path / "a.txt", tmp_path / "r.txt", output=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_lines_that_are_not_utf8_are_recorded(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x\n\xff\nz\n")
    (tmp_path / "r.txt").write_text("x\ny\nz\n")
    run = scored(tmp_path / "a.txt", tmp_path / "r.txt")
    assert run.failed == 1
    assert run.values("nes")[[0, 2]].tolist() == [1, 1]


def test_humaneval_as_it_is(tmp_path: Path) -> None:
    problems = [
        {
            "task_id": f"HumanEval/{i}",
            "prompt": f'\n\ndef f{i}(x: int) -> int:\n    """ Add {i}.\n    >>> f{i}(0)\n    """\n',
            "canonical_solution": f"    return x + {i}\n",
            "entry_point": f"f{i}",
            "test": "def check(candidate):\n    assert candidate(0) == 0\n" * 50,
        }
        for i in range(3)
    ]
    with gzip.open(tmp_path / "HumanEval.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(one) + "\n" for one in problems)
    samples = [
        {"task_id": one["task_id"], "completion": text}
        for one in problems
        for text in (one["canonical_solution"], "    return x\n")
    ]
    run = score(
        lines(tmp_path / "samples.jsonl", samples),
        ["tsed"],
        workers=0,
        references=tmp_path / "HumanEval.jsonl.gz",
        on="task_id",
    )
    assert run.values("tsed")[::2].tolist() == [1, 1, 1]
    assert (run.values("tsed")[1::2] < 1).all()
    table = run.table(["candidate", "parses", "reference_parses", "language"]).to_pylist()
    assert all(row["candidate"].startswith("\n\ndef f") for row in table)
    assert {(row["parses"], row["reference_parses"], row["language"]) for row in table} == {
        (True, True, "python")
    }
    edits = score(
        tmp_path / "samples.jsonl",
        ["es"],
        workers=0,
        references=tmp_path / "HumanEval.jsonl.gz",
        columns={"origin": "prompt"},
    )
    assert edits.values("es")[::2].tolist() == [1, 1, 1]
    origins = edits.table(["origin"]).column("origin").to_pylist()
    assert origins[0] == problems[0]["prompt"]


def test_several_samples_per_task() -> None:
    rows = [
        {"id": task, "candidate": text, "reference": "abcd", "language": "python"}
        for task in ("1", "2")
        for text in ("abcd", "ab", "zzzz")
    ]
    run = scored(rows)
    plain = summarize(run, resamples=20)
    assert (plain.cluster, plain.groups[0].clusters) == ("id", 2)
    best = summarize(run, resamples=20, samples="best").groups[0].measures[0]
    assert (best.mean.value, best.rows) == (1.0, 2)
    mean = summarize(run, resamples=20, samples="mean").groups[0].measures[0]
    assert mean.mean.value == pytest.approx(run.values("nes").mean())
    with pytest.raises(CodekinError, match="samples must be one of best, mean"):
        summarize(run, samples="worst")


def test_copies_are_told_from_samples() -> None:
    def rows(group: str, ids: str) -> list[dict[str, str]]:
        row = {"candidate": "a", "reference": "ab", "group": group}
        return [{**row, "id": one} for one in ids]

    run = scored([*rows("copies", "1233435"), *rows("samples", "1122334"), *rows("once", "1234")])
    summary = summarize(run, by="group", resamples=20)
    said = "copies: 2 of 7 rows repeat the id of another (first 3); means are of rows, comparisons"
    assert [one for one in summary.warnings() if "repeat" in one] == [f"{said} are of ids"]
    assert [one for one in job_summary(run).warnings() if "repeat" in one] == [f"{said} are of ids"]
    averaged = summarize(run, by="group", resamples=20, samples="mean")
    assert not any("repeat" in one for one in averaged.warnings())
    compared = compare_systems(run, resamples=1000)
    assert "means are of tasks: several rows of one are averaged" in compared.notes()


def test_the_best_of_a_distance_is_the_smallest() -> None:
    rows = [
        {"id": 1, "candidate": text, "reference": "abcd", "language": "python"}
        for text in ("abcd", "zzzz")
    ]
    run = score(rows, "ed", workers=0)
    assert summarize(run, resamples=20, samples="best").groups[0].measures[0].mean.value == 0


def test_the_best_samples_of_two_systems() -> None:
    rows = [
        {"id": "1", "group": group, "candidate": text, "reference": "abcd", "language": "python"}
        for group, texts in (("a", ("ab", "abc")), ("b", ("zzzz", "abcd")))
        for text in texts
    ]
    run = scored(rows)
    assert compare_runs(run, resamples=20).measures[0].losses == 1
    best = compare_runs(run, resamples=20, samples="best").measures[0]
    assert (best.wins, best.mean.b) == (1, 1.0)


def test_resuming_a_joined_run(tmp_path: Path, gold: Path) -> None:
    files = [answers(tmp_path / "a.jsonl", *TASKS), answers(tmp_path / "b.jsonl", "T/0")]
    options: dict[str, Any] = {"shard_rows": 2, "extract_code": "last"}
    whole = scored(files, gold, output=tmp_path / "whole", **options)
    part = scored(files, gold, output=tmp_path / "part", **options)
    (part.path / "shards" / "000003.parquet").unlink()
    arguments = arguments_of(part.path)
    assert arguments["references"] == [str(gold)]
    score(**arguments, output=part.path, resume=True, workers=0)
    assert fingerprint(part.path) == fingerprint(whole.path)
    lines(gold, [{"task_id": name, "canonical_solution": "x"} for name in TASKS])
    with pytest.raises(CodekinError, match=r"references: .*gold.jsonl has changed"):
        score(**arguments, output=part.path, resume=True, workers=0)


def test_references_from_python() -> None:
    rows = [{"task_id": "t", "output": "x"}]
    assert scored(rows, [{"task_id": "t", "gold": "x"}]).values("nes").tolist() == [1]
    assert scored(iter(rows), [{"task_id": "t", "gold": "x"}]).values("nes").tolist() == [1]


def of_models(path: Path, most: int, **fields: Any) -> Path:
    rows = [
        {"task_id": name, "completion": code, **fields} for name, code in list(TASKS.items())[:most]
    ]
    return lines(path, rows)


def missing_fields(run: Run) -> list[dict[str, Any]]:
    table = run.table(["form", "fields"]).to_pylist()
    return [json.loads(row["fields"]) for row in table if row["form"] == "missing"]


def test_missing_rows_have_the_fields_that_all_rows_of_their_system_share(
    tmp_path: Path, gold: Path
) -> None:
    whole = of_models(tmp_path / "whole.jsonl", 4, model="large", temperature=0.5)
    half = of_models(tmp_path / "half.jsonl", 2, model="small", temperature=0)
    run = scored([whole, half], gold)
    assert missing_fields(run) == [{"model": "small", "temperature": 0}] * 2
    summary = summarize(run, by="model", resamples=20)
    means = {one.name: (one.rows, one.measures[0].mean.value) for one in summary.groups}
    assert means == {"large": (4, 1.0), "small": (4, 0.5)}
    comparison = compare_systems(run, by="model", resamples=20)
    assert isinstance(comparison, RunComparison)
    assert (comparison.pairs, comparison.measures[0].losses) == (4, 2)
    third = of_models(tmp_path / "third.jsonl", 3, model="other")
    three = scored([whole, half, third], gold)
    ranking = compare_systems(three, by="model", resamples=20)
    assert isinstance(ranking, SystemComparison)
    assert ([one.name for one in ranking.systems], ranking.tasks) == (
        ["large", "small", "other"],
        4,
    )


def test_missing_rows_of_groups_in_one_input_have_their_fields() -> None:
    rows = [
        {"id": task, "group": group, "vendor": f"{group} & co", "sample": i}
        | {"candidate": code, "reference": code}
        for group, most in SIZES
        for task, code in list(TASKS.items())[:most]
        for i in range(2)
    ]
    run = scored(rows, shard_rows=3)
    assert missing_fields(run) == [{"vendor": "b & co"}] * 2
    assert set(run.labels_of("vendor")) == {"a & co", "b & co"}
    frame = pandas.DataFrame(rows).rename(columns={"group": "who", "id": "task_id"})
    of_frame = scored(frame, columns={"group": "who"})
    assert missing_fields(of_frame) == missing_fields(run)


def test_fields_that_differ_between_the_rows_of_a_system_are_not_guessed(
    tmp_path: Path, gold: Path
) -> None:
    mixed = [
        {"task_id": name, "completion": "x", "tool": tool, "seed": 1, "long": "x" * 2000}
        for name, tool in (("T/0", "old"), ("T/1", "new"))
    ]
    rows = tmp_path / "a.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in mixed) + "{\n")
    assert missing_fields(scored(rows, gold)) == [{"seed": 1}] * 2
    partly = [mixed[0], {"task_id": "T/1", "completion": "x"}]
    assert missing_fields(scored(lines(rows, partly), gold)) == [{}, {}]


def test_a_row_that_cannot_be_read_is_no_system_of_its_own(tmp_path: Path, gold: Path) -> None:
    rows = of_models(tmp_path / "a.jsonl", 3, model="small")
    rows.write_text(rows.read_text() + "{\n")
    assert shown(scored(rows, gold))[3:] == [
        ("4", None, None, None),
        ("T/3", "small", "missing", 0.0),
    ]


@pytest.mark.parametrize("apart", [True, False])
def test_a_system_that_solved_the_easy_tasks_does_not_make_the_others_easy(
    tmp_path: Path, apart: bool
) -> None:
    """The level of a task differs between tasks, but not between the systems."""
    tasks = [
        {"id": name, "reference": code, "level": "easy" if name < "T/2" else "hard"}
        for name, code in TASKS.items()
    ]
    answered = [
        {"id": one["id"], "candidate": "x", "model": model}
        | ({} if apart else {"reference": one["reference"], "level": one["level"]})
        for model, most in SIZES
        for one in tasks[:most]
    ]
    files = [
        lines(tmp_path / f"{model}.jsonl", [row for row in answered if row["model"] == model])
        for model in "ab"
    ]
    run = scored(files, tasks if apart else None)
    level = [{"level": "hard"}] * 2 if apart else [{}, {}]
    assert missing_fields(run) == [{**one, "model": "b"} for one in level]


def test_the_model_of_a_system_is_not_that_of_the_references(tmp_path: Path) -> None:
    gold = [{"id": name, "reference": code, "model": "human"} for name, code in TASKS.items()]
    rows = [{"id": "T/0", "candidate": "x", "model": "small", "group": "g"}]
    assert missing_fields(scored(rows, gold)) == [{"model": "small"}] * 3


def test_missing_rows_are_in_the_language_and_of_the_weight_of_their_system() -> None:
    gold = [{"id": name, "reference": "1 2 3"} for name in TASKS]
    rows = [{"id": "T/0", "candidate": "x", "language": "go", "weight": 2}]
    run = score(rows, "tsed", workers=0, references=gold)
    assert run.labels_of("language") == ["go"] * 4
    assert run.weights().tolist() == [2.0] * 4
    assert run.values("tsed")[1:].tolist() == [0.0] * 3


def test_resuming_adds_the_same_missing_rows(tmp_path: Path, gold: Path) -> None:
    files = [of_models(tmp_path / f"{name}.jsonl", most, model=name) for name, most in SIZES]
    whole = scored(files, gold, output=tmp_path / "whole", shard_rows=2)
    part = scored(files, gold, output=tmp_path / "part", shard_rows=2)
    for file in part.files[1:]:
        file.unlink()
    score(**arguments_of(part.path), output=part.path, resume=True, workers=0)
    assert fingerprint(part.path) == fingerprint(whole.path)


def test_rows_that_are_joined_by_their_order_lack_nothing() -> None:
    rows = [{"model": model, "completion": "x"} for model in ("a", "b")]
    run = scored(rows, [{"gold": "x"}, {"gold": "x"}])
    assert shown(run) == [("1", "a", None, 1.0), ("2", "b", None, 1.0)]


def test_the_option_that_names_systems_by_a_column(tmp_path: Path, gold: Path) -> None:
    files = [
        of_models(tmp_path / f"{name}.jsonl", most, model=f"model-{name}") for name, most in SIZES
    ]
    run = scored(files, gold)
    assert run.manifest["notes"][-1] == (
        "systems are named after their files; --columns group=model (columns={'group': 'model'}) "
        "names them by their model"
    )
    by_model = scored(files, gold, columns={"group": "model"})
    assert not any("systems are named" in one for one in by_model.manifest["notes"])
    assert [(one[1], one[3]) for one in shown(by_model)[4:]] == [("model-b", 1.0)] * 2 + [
        ("model-b", 0.0)
    ] * 2
    same = [of_models(tmp_path / f"{name}.jsonl", 4, model="base") for name, _ in SIZES]
    assert not any("systems are named" in one for one in scored(same, gold).manifest["notes"])
