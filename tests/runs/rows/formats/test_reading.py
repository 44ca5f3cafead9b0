"""Files in the shape in which harnesses write them, each made by hand from the harness's code."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from codekin.errors import CodekinError
from codekin.runs.rows import open_rows
from codekin.runs.rows.formats import inspect_log, reading
from codekin.runs.rows.formats.reading import harness_pieces
from codekin.runs.rows.pieces import JsonLines
from codekin.runs.run import Run
from codekin.runs.scoring import score

PROMPT = 'from typing import List\n\n\ndef total(xs: List[int]) -> int:\n    """ Sum xs.\n    """\n'
BODY = "    return sum(xs)\n"
WRONG = "    return len(xs)\n"
TESTS = "def check(candidate):\n    assert candidate([1, 2]) == 3\n"
PROBLEM = {
    "task_id": "HumanEval/0",
    "prompt": PROMPT,
    "entry_point": "total",
    "canonical_solution": BODY,
    "test": TESTS,
}


def written(path: Path, document: object, *, indent: int | None = None) -> Path:
    data = json.dumps(document, indent=indent).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [
        record.fields | {"where": record.where.removeprefix(f"{path}, ")}
        for shard in open_rows(path).shards()
        for record in shard.records()
        if record.fields is not None
    ]


def scored(path: Path, **options: Any) -> tuple[Run, list[dict[str, Any]]]:
    run = score(path, "nes", workers=0, **options)
    names = ["id", "candidate", "references", "outcome", "language", "joined"]
    return run, run.table(names).to_pylist()


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    return lines(tmp_path / "HumanEval.jsonl", PROBLEM)


def evalplus_sample(solution: str, base: str, plus: str | None) -> dict[str, Any]:
    return {
        "task_id": "HumanEval/0",
        "solution": solution,
        "base_status": base,
        "plus_status": plus,
        "base_fail_tests": [] if base == "pass" else [[[1, 2]]],
        "plus_fail_tests": [] if plus in (None, "pass") else [[[5]]],
    }


@pytest.mark.parametrize("indent", [None, 2])
def test_evalplus_results(tmp_path: Path, problems: Path, indent: int | None) -> None:
    samples = [
        evalplus_sample(PROMPT + BODY, "pass", "pass"),
        evalplus_sample(PROMPT + WRONG, "pass", "fail"),
        evalplus_sample("", "fail", "timeout"),
    ]
    document = {"date": "2026-05-01 10:00", "hash": "ab12", "eval": {"HumanEval/0": samples}}
    path = written(tmp_path / "samples_eval_results.json", document, indent=indent)
    run, rows = scored(path, references=problems, language="python")
    assert [row["candidate"] for row in rows] == [PROMPT + BODY, PROMPT + WRONG, ""]
    assert [row["outcome"] for row in rows] == [1, 0, 0]
    assert {row["id"] for row in rows} == {"HumanEval/0"}
    assert rows[0]["references"] == [PROMPT + BODY]
    assert run.labels_of("base") == ["True", "True", "False"]
    assert run.labels_of("plus_status") == ["pass", "fail", "timeout"]
    assert "results of EvalPlus: candidate = solution" in run.manifest["notes"][0]
    _, rows = scored(path, references=problems, columns={"outcome": "base"}, language="python")
    assert [row["outcome"] for row in rows] == [1, 1, 0]


def test_evalplus_base_tests_alone(tmp_path: Path, problems: Path) -> None:
    samples = [evalplus_sample(BODY, "pass", None), evalplus_sample(WRONG, "fail", None)]
    document = {"date": "2026-05-01 10:00", "hash": "ab12", "eval": {"HumanEval/0": samples}}
    path = written(tmp_path / "a_eval_results.json", document)
    _, rows = scored(path, references=problems)
    assert [row["outcome"] for row in rows] == [1, 0]
    assert [row["candidate"] for row in rows] == [BODY, WRONG]  # as they were run


@pytest.mark.parametrize(
    "tasks",
    [
        {"HumanEval/0": {"files": ["a.py"], "base": [["success", [True]]], "plus": []}},
        {"HumanEval/0": {"nfiles": 1, "base": [["success", [True]]], "plus": [["failed", []]]}},
        {"HumanEval/0": [{"base_status": "pass", "plus_status": "pass"}]},
    ],
)
def test_evalplus_without_solutions_names_the_file_that_has_them(
    tmp_path: Path, problems: Path, tasks: dict[str, Any]
) -> None:
    path = written(tmp_path / "phi_eval_results.json", {"date": "", "hash": "", "eval": tasks})
    with pytest.raises(CodekinError, match=r"name the file of samples instead, .*phi\.jsonl, or"):
        scored(path, references=problems)


def test_human_eval_results(tmp_path: Path, problems: Path) -> None:
    path = lines(
        tmp_path / "samples.jsonl_results.jsonl",
        {"task_id": "HumanEval/0", "completion": BODY, "result": "passed", "passed": True},
        {
            "task_id": "HumanEval/0",
            "completion": f'"""Sum."""\n{WRONG}',
            "result": "failed: ",
            "passed": False,
        },
    )
    run, rows = scored(path, references=problems)
    assert [row["candidate"] for row in rows] == [
        PROMPT + BODY,
        f'{PROMPT}"""Sum."""\n{WRONG}',
    ]
    assert [row["outcome"] for row in rows] == [1, 0]
    assert run.labels_of("result") == ["passed", "failed: "]


def test_bigcodebench_results(tmp_path: Path) -> None:
    task = {
        "task_id": "BigCodeBench/0",
        "complete_prompt": 'import os\ndef task_func(xs):\n    """\n    Sum.\n    """',
        "instruct_prompt": "Sum.",
        "canonical_solution": BODY,
        "code_prompt": "import os\ndef task_func(xs):\n",
        "test": "import unittest\n",
        "entry_point": "task_func",
    }
    solution = f"{task['code_prompt']}\n    pass\n{task['complete_prompt']}\n{BODY}"
    document = {
        "date": "2026-05-01 10:00",
        "eval": {
            "BigCodeBench/0": [
                {"task_id": "BigCodeBench/0", "solution": solution, "status": "pass", "details": {}}
            ]
        },
    }
    path = written(tmp_path / "m--calibrated_eval_results.json", document)
    references = lines(tmp_path / "BigCodeBench.jsonl", task)
    _, [row] = scored(path, references=references)
    assert (row["candidate"], row["outcome"]) == (solution, 1)
    assert row["references"] == [f"{task['complete_prompt']}\n{BODY}"]
    summary = {"pass@1": 0.5, "model": "m", "split": "complete", "gt_pass_rate": 1.0}
    with pytest.raises(CodekinError, match=r"_eval_results\.json; name that file"):
        scored(written(tmp_path / "m_pass_at_k.json", summary), references=references)


def multipl_e(language: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "HumanEval_0_total",
        "language": language,
        "temperature": 0.2,
        "top_p": 0.95,
        "max_tokens": 512,
        "prompt": "fn total(xs: Vec<i64>) -> i64 {\n",
        "tests": "}\n\nfn main() {\n    assert_eq!(total(vec![1]), 1);\n}\n",
        "stop_tokens": ["\n}"],
        **more,
    }


@pytest.mark.parametrize("name", ["HumanEval_0_total.results.json", "x.results.json.gz"])
def test_multipl_e_results(tmp_path: Path, name: str) -> None:
    task = multipl_e("rs")
    programs = [f"{task['prompt']}{body}" for body in ("    xs.iter().sum()", "    0")]
    results = [
        {
            "program": f"{program}\n{task['tests']}",
            "stdout": "",
            "stderr": "",
            "exit_code": code,
            "status": status,
            "timestamp": 1,
        }
        for program, code, status in zip(programs, (0, 101), ("OK", "Exception"), strict=True)
    ]
    path = written(tmp_path / name, {**task, "results": results}, indent=2)
    references = [{"id": "HumanEval_0_total", "reference": f"{programs[0]}\n}}\n"}]
    run, rows = scored(path, references=references)
    assert [row["candidate"] for row in rows] == programs
    assert [row["outcome"] for row in rows] == [1, 0]
    assert {row["language"] for row in rows} == {"rust"}
    assert run.labels_of("status") == ["OK", "Exception"]


def test_multipl_e_results_without_tests_say_so(tmp_path: Path) -> None:
    document = {
        "language": "go_test.go",
        "name": "HumanEval_0_total",
        "results": [{"program": "package p\n", "status": "SyntaxError", "exit_code": 1}],
    }
    [row] = read(written(tmp_path / "a.results.json", document, indent=2))
    assert (row["language"], row["tests_in_candidate"]) == ("go", True)


def test_a_folder_of_multipl_e_has_each_sample_once(tmp_path: Path) -> None:
    for number in range(3):
        task = {**multipl_e("py"), "name": f"HumanEval_{number}_total"}
        program = f"{task['prompt']}    0\n{task['tests']}"
        results = [{"program": program, "stdout": "", "stderr": "", "exit_code": 0, "status": "OK"}]
        path = tmp_path / f"HumanEval_{number}_total"
        written(path.with_suffix(".json.gz"), {**task, "completions": ["    0"]})
        if number < 2:
            written(path.with_suffix(".results.json.gz"), {**task, "results": results}, indent=2)
    rows = read(tmp_path)
    assert [(row["id"], row.get("outcome")) for row in rows] == [
        ("HumanEval_0_total", True),
        ("HumanEval_1_total", True),
        ("HumanEval_2_total", None),
    ]
    note, together = open_rows(tmp_path).notes
    assert "3 files are read as one; name the files themselves" in together
    assert note.endswith(
        ": 2 files whose results are in another file beside it left out, such as "
        "HumanEval_0_total.json.gz"
    )


@pytest.mark.parametrize(
    ("results", "others"),
    [
        ("m_eval_results.json", ["m.jsonl", "m.raw.jsonl", "m_pass_at_k.json"]),
        ("m.jsonl_results.jsonl", ["m.jsonl"]),
        ("m_0.2_eval_all.json", ["m_0.2.json", "m_0.2_eval.json"]),
        ("m.results.json", ["m.json"]),
    ],
)
def test_samples_whose_results_are_beside_them_are_read_once(
    tmp_path: Path, results: str, others: list[str]
) -> None:
    row = {"id": "1", "candidate": "x", "reference": "x"}
    for name in (results, *others, "another.jsonl"):
        lines(tmp_path / name, {**row, "from": name})
    assert {row["from"] for row in read(tmp_path)} == {results, "another.jsonl"}
    assert f"{len(others)} file" in open_rows(tmp_path).notes[0]


def livecodebench(**more: Any) -> dict[str, Any]:
    return {
        "question_title": "Sum",
        "question_content": "Sum the numbers.",
        "platform": "leetcode",
        "question_id": "2727",
        "contest_id": "biweekly-contest-106",
        "contest_date": "2023-06-10T00:00:00",
        "starter_code": "class Solution:\n    def total(self, xs) -> int:\n        ",
        "difficulty": "easy",
        "output_list": ["Sure", "..."],
        "code_list": [f"class Solution:\n    def total(self, xs):\n    {BODY}", ""],
        **more,
    }


def test_livecodebench_results(tmp_path: Path) -> None:
    graded = livecodebench(graded_list=[True, False], **{"pass@1": 0.5}, metadata=["{}", "{}"])
    path = written(tmp_path / "Scenario.codegeneration_2_0.2_eval_all.json", [graded], indent=4)
    references = [{"question_id": "2727", "reference": graded["code_list"][0], "prompt": "x"}]
    run, rows = scored(path, references=references, on="question_id", columns={"id": "question_id"})
    assert [row["candidate"] for row in rows] == graded["code_list"]
    assert [row["outcome"] for row in rows] == [1, 0]
    assert run.labels_of("difficulty") == ["easy", "easy"]
    ungraded = written(tmp_path / "Scenario.codegeneration_2_0.2.json", [livecodebench()], indent=4)
    assert [row["outcome"] for row in read(ungraded)] == [None, None]
    summary = [{"pass@1": 0.5, "detail": {"pass@1": {"0": 0.5}}}, {"0": [[True]]}, [["{}"]]]
    with pytest.raises(CodekinError, match=r"_eval_all\.json; name that file"):
        scored(written(tmp_path / "a_eval.json", summary, indent=4), references=references)


def lm_eval(responses: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "doc_id": 0,
        "doc": PROBLEM,
        "target": f"{TESTS}\ncheck(total)",
        "arguments": {"gen_args_0": {"arg_0": PROMPT, "arg_1": {"until": ["\nclass"]}}},
        "resps": [[BODY, WRONG][: len(responses)]],
        "filtered_resps": [responses],
        "filter": "create_test",
        "metrics": ["pass@1"],
        "doc_hash": "a",
        "prompt_hash": "b",
        "target_hash": "c",
        **more,
    }


def test_lm_eval_samples(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "samples_humaneval_2026-05-01T10-00-00.000000.jsonl",
        lm_eval([PROMPT + BODY], **{"pass@1": 1.0}),
        lm_eval([PROMPT + WRONG], **{"pass@1": 0.0}),
    )
    _, rows = scored(path)
    assert [row["candidate"] for row in rows] == [PROMPT + BODY, PROMPT + WRONG]
    assert [row["outcome"] for row in rows] == [1, 0]
    assert rows[0]["references"] == [PROMPT + BODY]
    assert rows[0]["id"] == "HumanEval/0"
    several = lm_eval([PROMPT + BODY, PROMPT + WRONG], metrics=["pass@2"], **{"pass@2": 1.0})
    _, rows = scored(lines(tmp_path / "samples_64.jsonl", several))
    assert [row["outcome"] for row in rows] == [None, None]  # of both together
    summary = {"results": {"humaneval": {}}, "configs": {}, "versions": {}, "n-samples": {}}
    with pytest.raises(CodekinError, match=r"--log_samples writes; name that file"):
        scored(written(tmp_path / "results_2026.json", summary, indent=2))


def test_lm_eval_of_a_task_without_a_solution(tmp_path: Path) -> None:
    mbpp = {
        "task_id": 11,
        "text": "Sum.",
        "code": "def f(x):\r\n  return x",
        "test_list": ["assert"],
    }
    record = lm_eval(["def f(x):\n    return x"], doc=mbpp, metrics=["pass_at_1"], pass_at_1=1.0)
    fix = lm_eval(["x = 2"], doc={"request": "Fix."}, target="x = 1", metrics=["bleu"], bleu=0.3)
    rows = read(lines(tmp_path / "samples_a.jsonl", record, fix))
    assert [(row["id"], row["reference"], row["outcome"]) for row in rows] == [
        (11, mbpp["code"], 1.0),
        (0, "x = 1", None),
    ]


def inspect_sample(epoch: int, answer: str | None, value: Any, **more: Any) -> dict[str, Any]:
    message = {"content": f"Sure:\n```python\n{BODY}```", "source": "generate", "role": "assistant"}
    score = {"value": value, "answer": answer, "explanation": "...", "history": []}
    return {
        "id": "HumanEval/0",
        "epoch": epoch,
        "input": f"Complete it.\n{PROMPT}",
        "target": BODY,
        "messages": [],
        "output": {
            "model": "m/a",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "completion": message["content"],
        },
        "scores": {"verify": score},
        "metadata": {"prompt": PROMPT, "test": TESTS, "entry_point": "total"},
        "store": {},
        "events": [],
        "attachments": {},
        **more,
    }


SPEC = {"eval_id": "e", "task": "humaneval", "model": "openai/gpt-4o", "config": {"epochs": 2}}
SAMPLES = [inspect_sample(1, BODY, "C"), inspect_sample(2, None, "I")]
EXPECTED = [
    {
        "id": "HumanEval/0",
        "candidate": PROMPT + BODY,
        "references": [PROMPT + BODY],
        "outcome": 1.0,
        "language": "python",
        "joined": True,
    },
    {
        "id": "HumanEval/0",
        "candidate": f"{PROMPT}Sure:\n```python\n{BODY}```",
        "references": [PROMPT + BODY],
        "outcome": 0.0,
        "language": "python",
        "joined": True,
    },
]


def test_inspect_json_log(tmp_path: Path) -> None:
    document = {"version": 2, "status": "success", "eval": SPEC, "plan": {}, "samples": SAMPLES}
    run, rows = scored(written(tmp_path / "2026_humaneval_x.json", document, indent=2))
    assert rows == EXPECTED
    assert run.labels_of("group") == ["openai/gpt-4o"] * 2
    assert run.labels_of("epoch") == ["1", "2"]
    del document["samples"]
    with pytest.raises(CodekinError, match="a log of inspect_ai without samples"):
        scored(written(tmp_path / "header.json", document, indent=2))


def test_inspect_samples_that_failed_are_missing(tmp_path: Path) -> None:
    failed = inspect_sample(1, None, None, error={"message": "rate limit"}, scores={})
    failed["output"] = {"model": "m", "choices": [], "completion": ""}
    document = {"version": 2, "status": "error", "eval": SPEC, "samples": [failed]}
    [row] = read(written(tmp_path / "a.json", document, indent=2))
    assert (row["candidate"], row["outcome"], row["error"]) == (None, None, "rate limit")


def write_zip(path: Path, compression: int) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": SPEC}))
        for sample in SAMPLES:
            archive.writestr(
                f"samples/HumanEval/0_epoch_{sample['epoch']}.json", json.dumps(sample)
            )
        archive.writestr("header.json", json.dumps({"version": 2, "status": "ok", "eval": SPEC}))
    return path


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_inspect_eval_log(tmp_path: Path, compression: int) -> None:
    _, rows = scored(write_zip(tmp_path / "2026_humaneval_x.eval", compression))
    assert rows == EXPECTED


def test_inspect_eval_log_with_zstandard(tmp_path: Path) -> None:
    """As inspect_ai writes them today, and Python reads them from 3.14 on."""
    whole = write_zip(tmp_path / "a.eval", zipfile.ZIP_STORED)
    packed = tmp_path / "b.eval"
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(packed, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            squeezed = pa.compress(data, "zstd", asbytes=True)
            new.writestr(entry.filename, squeezed)
            made = new.getinfo(entry.filename)
            made.compress_type, made.CRC, made.file_size = 93, entry.CRC, len(data)
    assert scored(packed)[1] == EXPECTED


def test_broken_eval_logs(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(b"PK\3\4 no zip")
    with pytest.raises(CodekinError, match=r"a\.eval: is not a log of inspect_ai \("):
        scored(tmp_path / "a.eval")
    with zipfile.ZipFile(tmp_path / "b.eval", "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(CodekinError, match=r"b\.eval: is not a log of inspect_ai with samples"):
        scored(tmp_path / "b.eval")
    with zipfile.ZipFile(tmp_path / "c.eval", "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": SPEC}))
        archive.writestr("samples/1_epoch_1.json", "{")
        archive.writestr("samples/2_epoch_1.json", json.dumps(SAMPLES[0]))
    run, _ = scored(tmp_path / "c.eval")
    assert (run.rows, run.failed) == (2, 1)
    (tmp_path / "logs").mkdir()
    (tmp_path / "b.eval").rename(tmp_path / "logs" / "b.eval")
    write_zip(tmp_path / "logs" / "a.eval", zipfile.ZIP_DEFLATED)
    run, _ = scored(tmp_path / "logs")
    assert (run.rows, run.failed) == (3, 1)  # one bad file of a folder loses nothing else


def test_a_header_that_cannot_be_read_is_recorded(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", "[" * 10**5)
        archive.writestr("samples/1_epoch_1.json", json.dumps(SAMPLES[0]))
    run, _ = scored(tmp_path / "a.eval")
    assert (run.rows, run.failed) == (2, 1)
    problems = list(filter(None, run.table(["problem"]).column("problem").to_pylist()))
    assert "header.json cannot be read" in problems[0]


def test_samples_that_repeat_too_much_of_their_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_LEAST_LIMIT", 5000)
    monkeypatch.setattr(reading, "_TIMES", 1)
    monkeypatch.setattr(reading, "MOST_BYTES", 1500)
    task = {"question_id": "a", "code_list": ["x = 1"] * 99, "platform": "x" * 1000}
    pieces = list(harness_pieces([JsonLines("a", 1, (json.dumps(task).encode(),))], "a", print))
    *rows, last = (record for piece in pieces for record in piece.records())
    assert 2 < len(rows) < 9
    assert max(len(piece) for piece in pieces) == 2  # of some bytes, not of some rows
    assert "its samples repeat so much of their task" in last.problem


def test_eval_logs_that_would_fill_the_memory_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_zip(tmp_path / "a.eval", zipfile.ZIP_DEFLATED)
    size = max(len(json.dumps(sample)) for sample in SAMPLES)
    monkeypatch.setattr(inspect_log, "_MOST_BYTES", size - 1)
    run, _ = scored(path)
    assert (run.rows, run.failed) == (2, 1)
    problems = list(filter(None, run.table(["problem"]).column("problem").to_pylist()))
    assert problems[0].endswith(f".json has more than {size - 1:,} bytes")
    monkeypatch.setattr(inspect_log, "_LONGEST_DIRECTORY", 100)
    with pytest.raises(CodekinError, match="its list of files is too long"):
        scored(path)


PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


@pytest.mark.parametrize("form", ["lines", "list", "by instance"])
def test_swe_bench_predictions(tmp_path: Path, form: str) -> None:
    rows = [
        {"instance_id": f"a__a-{i}", "model_name_or_path": "m/a", "model_patch": patch}
        for i, patch in enumerate([PATCH, None])
    ]
    data: object = {row["instance_id"]: row for row in rows} if form == "by instance" else rows
    if form == "lines":
        path = lines(tmp_path / "all_preds.jsonl", *rows)
    else:
        path = written(tmp_path / "preds.json", data, indent=2)
    gold = [{"instance_id": f"a__a-{i}", "repo": "a/a", "patch": PATCH} for i in range(2)]
    run, read_rows = scored(path, references=gold)
    assert [row["candidate"] for row in read_rows] == [PATCH, ""]
    assert [row["language"] for row in read_rows] == ["text", "text"]
    assert [row["references"] for row in read_rows] == [[PATCH], [PATCH]]
    assert run.values("nes").tolist() == [1, 0]


@pytest.mark.parametrize(
    "document",
    [
        {"eval": {"a": [{"base_status": 1, "solution": 5, "plus_status": []}, 7], "b": 1}},
        {"eval": {"a": [{"status": {}, "solution": None}]}},
        {"name": "a", "language": {}, "results": [{"program": 1, "status": []}, None]},
        {"name": [], "language": 1, "prompt": None, "completions": ["x"]},
        {"question_id": [], "code_list": [1, {}], "graded_list": {"a": 1}},
        {"doc": {"task_id": {}, "prompt": 3}, "resps": [], "filtered_resps": [None, {}, "x"]},
        {"doc": {}, "resps": [], "filtered_resps": ["x"], "metrics": [{}, "a"], "a": "b"},
        {"version": 2, "status": 1, "eval": {}, "samples": [{"scores": {"a": {"value": []}}}]},
        {"version": 2, "status": 1, "eval": {}, "samples": [{"output": {"choices": 5}}, 3]},
        {"version": 2, "status": 1, "eval": {}, "samples": [{"output": {"choices": [{}]}}]},
        {"a": {"model_patch": 1}, "b": {"model_patch": {}}},
        {"instance_id": 1, "model_patch": ["x"], "candidate_is_complete": ["x"]},
    ],
)
def test_odd_values_are_problems_of_their_rows(tmp_path: Path, document: dict[str, Any]) -> None:
    path = written(tmp_path / "a.json", document, indent=2)
    fine = {"id": "fine", "candidate": "x = 1", "reference": "x = 1"}
    lines(tmp_path / "z.jsonl", fine)
    assert read(path)  # whatever is in it
    run, rows = scored(tmp_path, columns={"reference": "reference"}, language="python")
    assert rows[-1]["id"] == "fine"
    assert run.failed == run.rows - 1


def test_an_unknown_shape_is_refused_with_what_is_there_and_what_is_needed(tmp_path: Path) -> None:
    path = written(tmp_path / "odd.json", {"when": "2026", "answers": {"t1": {"text": "x"}}})
    with pytest.raises(CodekinError) as refusal:
        scored(path, references=[{"id": "t1", "reference": "x"}])
    message = str(refusal.value)
    assert "no column for the candidate (the columns are: when, answers)" in message
    assert (
        "Results inside of 'answers' are not read. Each row needs an id and a candidate" in message
    )
    assert 'such as {"task_id": "HumanEval/0", "completion": "    return x"}' in message
    assert "EvalPlus, BigCodeBench, MultiPL-E, LiveCodeBench" in message


def test_rows_of_another_form_in_the_same_file_stay_as_they_are(tmp_path: Path) -> None:
    plain = {"id": "2", "candidate": "x = 1", "reference": "x = 1"}
    [first, second] = read(lines(tmp_path / "a.jsonl", lm_eval(["x"]), plain))
    assert first["where"] == "line 1, sample 1"
    assert second == {**plain, "where": "line 2"}
