from __future__ import annotations

import csv
import gzip
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from codekin import Run, score
from codekin.cli.app import app
from codekin.errors import CodekinError

ROWS: list[dict[str, Any]] = [
    {"id": "a", "group": "g", "language": "python", "candidate": "x = 1", "reference": "x = 1"},
    {"id": "b", "group": "h", "language": "python", "candidate": "x = 2", "reference": "x = 1"},
]
BAD: list[tuple[dict[str, Any] | bytes, str]] = [
    ({"candidate": 5}, "candidate must be a text, not a number"),
    ({"reference": None}, "'reference' is null"),
    ({"candidate": "x = 1\n" * 1_700_000}, "bytes together; the limit (max_bytes) is 1,000,000"),
    ({"candidate": "x\0"}, "candidate holds a NUL byte"),
    ({"language": "klingon"}, "unknown language 'klingon'"),
    (b'{"id": "half', "not JSON"),
    (b"\xff\xfe\xfd", "not UTF-8"),
    (b"[1, 2]", "a JSON array, not an object"),
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def predictions(tmp_path) -> Path:
    return write(tmp_path / "predictions.jsonl", ROWS)


def test_scores_and_says_so(cli, predictions, tmp_path) -> None:
    result = cli("score", predictions, "-o", tmp_path / "run", "-m", "nes", "-m", "ed", "-w", 1)
    assert result.exit_code == 0, result.output
    assert re.match(r"2 rows in \d+ s", result.stdout)
    assert re.search(r"^g +nes +1 1\.0000 ", result.stdout, re.M)
    assert re.search(r"^h +nes +1 0\.8000 ", result.stdout, re.M)
    assert re.search(r"^h +ed ↓ +1 +1\.00 ", result.stdout, re.M)
    assert f"codekin report {tmp_path / 'run'}" in result.stdout
    assert Run(tmp_path / "run").values("nes").tolist() == [1.0, 0.8]


def test_every_measure_by_default(cli, predictions, tmp_path) -> None:
    cli("score", predictions, "-o", tmp_path / "run")
    labels = [one.label for one in Run(tmp_path / "run").measures]
    assert labels[:3] == ["exact", "ed", "nes"]
    assert labels[-1] == "length"


def test_all_formats_give_the_same(cli, predictions, tmp_path) -> None:
    with gzip.open(tmp_path / "rows.jsonl.gz", "wb") as stream:
        stream.write(predictions.read_bytes())
    with (tmp_path / "rows.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    folder = tmp_path / "folder"
    folder.mkdir()
    write(folder / "1.jsonl", ROWS[:1])
    write(folder / "2.jsonl", ROWS[1:])
    cli("score", predictions, "-o", tmp_path / "first", "-m", "bleu", "-w", 1)
    expected = Run(tmp_path / "first").table()
    for i, name in enumerate(("rows.jsonl.gz", "rows.csv", "rows.parquet", "folder", "-")):
        given = name if name == "-" else tmp_path / name
        stdin = predictions.read_bytes() if name == "-" else None
        result = cli("score", given, "-o", tmp_path / f"{i}", "-m", "bleu", "-w", 1, stdin=stdin)
        assert result.exit_code == 0, result.output
        assert Run(tmp_path / f"{i}").table().equals(expected)


def test_bad_rows_are_recorded_and_none_is_lost(cli, tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    with path.open("wb") as stream:
        for change, _ in BAD:
            stream.write(json.dumps(ROWS[0]).encode() + b"\n")
            bad = change if isinstance(change, bytes) else json.dumps(ROWS[1] | change).encode()
            stream.write(bad + b"\n")
    arguments = ("score", path, "-o", tmp_path / "run", "-m", "nes", "-m", "bleu")
    result = cli(*arguments, "--strict")
    assert result.exit_code == 1
    run = Run(tmp_path / "run")
    problems = run.table(["problem"]).column(0).to_pylist()
    assert len(problems) == 2 * len(BAD)
    assert problems[::2] == [None] * len(BAD)
    for i, (_, reason) in enumerate(BAD):
        assert problems[2 * i + 1].startswith(f"{path}, line {2 * i + 2}: ")
        assert reason in problems[2 * i + 1]
        assert reason in result.stdout
    assert run.values("bleu")[::2].tolist() == [1.0] * len(BAD)
    assert f"{len(BAD)} of {2 * len(BAD)} rows have no score" in result.stdout


def test_without_strict_bad_rows_are_no_error(cli, tmp_path) -> None:
    path = write(tmp_path / "rows.jsonl", [*ROWS, {"id": "c"}])
    result = cli("score", path, "-o", tmp_path / "run", "-m", "nes", "-w", 1, "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert (document["rows"], document["failed"]) == (3, 1)
    assert document["measures"] == [
        {"label": "nes", "signature": "nes|codekin-0.1.0", "mean": 0.9, "failed": 1}
    ]
    assert document["failures"] == [
        {
            "measure": None,
            "reason": "neither 'candidate' nor 'reference' (it has: id; columns={'candidate': ...} "
            "or --columns says which is which)",
            "rows": 1,
            "first": "c",
            "where": f"{path}, line 3",
        }
    ]


def test_columns_can_have_other_names(cli, tmp_path) -> None:
    path = write(tmp_path / "rows.jsonl", [{"pred": "a;", "gold": "a;", "lang": "c"}])
    mapping = "candidate=pred, reference=gold,language=lang"
    result = cli("score", path, "-o", tmp_path / "run", "-m", "tsed", "--columns", mapping, "-w", 1)
    assert result.exit_code == 0, result.output
    assert Run(tmp_path / "run").values("tsed").tolist() == [1.0]


def test_texts_can_be_left_out(cli, predictions, tmp_path) -> None:
    cli("score", predictions, "-o", tmp_path / "run", "--no-texts", "-m", "nes", "-w", 1)
    run = Run(tmp_path / "run")
    assert run.failed == 0
    assert run.table(["candidate"]).column(0).null_count == 2


def test_a_run_is_resumed_by_its_folder_alone(cli, predictions, tmp_path) -> None:
    score(
        *(predictions, ["nes", "bleu:order=2"]),
        output=tmp_path / "run",
        language="python",
        shard_rows=1,
        workers=0,
    )
    shard = tmp_path / "run" / "shards" / "000001.parquet"
    was = shard.read_bytes()
    shard.unlink()
    result = cli("score", "--resume", tmp_path / "run", "-w", 1)
    assert result.exit_code == 0, result.output
    assert re.match(r"1 row in .*, 2 with those from before", result.stdout)
    assert shard.read_bytes() == was
    result = cli("score", "--resume", tmp_path / "run", "-w", 1)
    assert result.stdout.startswith("2 rows, scored before")
    predictions.write_text(predictions.read_text().replace("x = 2", "x = 3"))
    result = cli("score", "--resume", tmp_path / "run")
    assert isinstance(result.exception, CodekinError)
    assert "predictions.jsonl has changed" in str(result.exception)


def test_rows_that_have_moved_are_named_again(cli, predictions, tmp_path) -> None:
    cli("score", predictions, "-o", tmp_path / "run", "-m", "nes", "-w", 1)
    moved = predictions.rename(tmp_path / "moved.jsonl")
    result = cli("score", "--resume", tmp_path / "run", "-w", 1)
    assert f"its rows were in {predictions}, and there is no such file" in str(result.exception)
    assert f"codekin score ROWS --resume {tmp_path / 'run'}" in str(result.exception)
    assert cli("score", moved, "--resume", tmp_path / "run", "-w", 1).exit_code == 0


def test_rows_from_stdin_are_piped_in_again(cli, predictions, tmp_path) -> None:
    rows = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS * 63)  # two shards
    cli("score", "-", "-o", tmp_path / "run", "-m", "nes", "-w", 1, stdin=rows)
    (tmp_path / "run" / "shards" / "000000.parquet").unlink()
    assert cli("score", "--resume", tmp_path / "run", "-w", 1, stdin=rows).exit_code == 0
    assert Run(tmp_path / "run").rows == 126
    other = rows.replace(b"x = 2", b"x = 3")
    result = cli("score", "--resume", tmp_path / "run", "-w", 1, stdin=other)
    assert "rows 1 to 125 are not those that were scored" in str(result.exception)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to score"),
        (["nowhere.jsonl", "-o", "{run}"], "nowhere.jsonl: no such file"),
        (["{rows}", "-o", "{run}", "-m", "blue"], "did you mean 'bleu'?"),
        (["{rows}", "-o", "{run}", "--columns", "foo=bar"], "'foo' is not a field of a row"),
        (["{rows}", "-o", "{run}", "--columns", "candidate"], "write FIELD=NAME"),
        (["{rows}", "-o", "{run}", "-l", "klingon"], "unknown language 'klingon'"),
        (["{rows}", "-o", "{run}", "--dask", "nine"], "no scheduler answers there"),
        (["--resume", "{run}"], "no such folder; runs are made by codekin score"),
        (["--resume", "{run}", "-o", "other"], "either --output for a new run or --resume"),
    ],
)
def test_what_is_wrong_is_said(cli, predictions, tmp_path, words, message) -> None:
    names = {"rows": str(predictions), "run": str(tmp_path / "run")}
    result = cli("score", *(word.format(**names) for word in words))
    assert isinstance(result.exception, CodekinError)
    assert message in str(result.exception)
    assert not (tmp_path / "run").exists()


def test_a_cluster_that_is_there_already(cli, predictions, tmp_path) -> None:
    from distributed import LocalCluster  # takes a while, and no other test needs it

    cli("score", predictions, "-o", tmp_path / "here", "-m", "bleu", "-w", 1)
    with LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        address = cluster.scheduler_address
        words = ("score", predictions, "-o", tmp_path / "there", "-m", "bleu", "--dask", address)
        result = cli(*words)
        assert result.exit_code == 0, result.output
    assert Run(tmp_path / "there").table().equals(Run(tmp_path / "here").table())


def test_progress_in_a_terminal_and_silence_elsewhere(process, tmp_path) -> None:
    rows = write(tmp_path / "rows.jsonl", ROWS * 300)
    options = ["-m", "nes", "-w", "1"]
    done = process("score", rows, "-o", tmp_path / "a", *options)
    assert done.stderr == ""
    parent, child = pty.openpty()
    command = "import sys; from codekin.cli import main; main()"
    words = ["score", str(rows), "-o", str(tmp_path / "b"), *options]
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-c", command, *words],
        stdout=subprocess.DEVNULL,
        stderr=child,
        env=environment,
    ) as job:
        os.close(child)
        seen = b""
        try:
            while block := os.read(parent, 65536):
                seen += block
        except OSError:  # the other side is closed
            pass
    os.close(parent)
    assert job.returncode == 0
    assert re.search(rb"600 rows", seen)
    assert re.search(rb"100%", seen)
    assert re.search(rb"rows/s", seen)
    assert re.search(rb"\d s left", seen)


def test_a_run_among_the_rows_is_none_of_them(cli, tmp_path) -> None:
    folder = tmp_path / "rows"
    folder.mkdir()
    write(folder / "1.jsonl", ROWS)
    for _ in range(2):
        name = folder / f"run{len(list(folder.iterdir()))}"
        assert cli("score", folder, "-o", name, "-m", "nes", "-w", 1).exit_code == 0
        assert Run(name).rows == 2
    assert cli("score", "--resume", name, "-w", 1).exit_code == 0


def test_a_job_in_which_nothing_was_scored_is_an_error(cli, tmp_path) -> None:
    rows = [{"id": one, "candidate": one, "gold": "x"} for one in (7, True)]
    path = write(tmp_path / "rows.jsonl", rows)
    result = cli("score", path, "-o", tmp_path / "run", "-m", "nes", "-w", 1)
    assert result.exit_code == 1
    assert "not one row could be scored" in result.stderr
    assert "candidate must be a text, not a number" in result.stdout


def test_a_csv_of_another_kind_is_named(cli, tmp_path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id;candidate;reference\n1;x;x\n")
    result = cli("score", path, "-o", tmp_path / "run", "-m", "nes")
    assert "seem to be separated by ';', and ',' is expected" in str(result.exception)


def test_truths_in_csv_are_outcomes(cli, tmp_path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("candidate,reference,outcome\nx,x,True\nx,y,false\n")
    assert cli("score", path, "-o", tmp_path / "run", "-m", "nes", "-w", 1).exit_code == 0
    assert Run(tmp_path / "run").labels_of("outcome") == ["1", "0"]


def test_rows_whose_outcome_cannot_be_read_are_scored_and_counted(cli, tmp_path) -> None:
    outcomes = [1, "maybe", 0, "?"]
    rows = [{**ROWS[i % 2], "id": f"r{i}", "outcome": one} for i, one in enumerate(outcomes)]
    path = write(tmp_path / "rows.jsonl", rows)
    done = cli("score", path, "-o", tmp_path / "run", "-m", "nes,length", "-w", 1)
    warning = (
        "2 rows have an outcome that cannot be read and count as not tested: outcome must be a "
        f"number, not 'maybe' (first row r1, {path}, line 2)"
    )
    assert done.exit_code == 0
    assert warning in done.stdout
    run = Run(tmp_path / "run")
    assert (run.failed, run.labels_of("outcome")) == (0, ["1", None, "0", None])
    for command in (("estimate",), ("evaluate", "outcomes")):
        judged = cli(*command, tmp_path / "run")
        assert warning in " ".join((judged.stdout + judged.stderr).split())
    described = json.loads(
        cli("score", path, "-o", tmp_path / "two", "-m", "nes", "-w", 1, "--format", "json").stdout
    )
    assert described["unread_outcomes"] == {
        "rows": 2,
        "first": "r1",
        "where": f"{path}, line 2",
        "reason": "outcome must be a number, not 'maybe'",
    }


def test_help_names_the_options(cli) -> None:
    shown = cli("score", "--help").stdout
    for option in ("--resume", "--columns", "--workers", "--dask", "--strict", "--no-texts"):
        assert option in shown
    assert app.info.name == "codekin"


def test_the_default_folder_is_not_replaced_without_being_asked(command, predictions) -> None:
    first, second = (command("score", predictions, "-m", "nes") for _ in range(2))
    assert first.returncode == 0
    assert "codekin report codekin-run" in first.stdout
    assert second.returncode == 2
    assert "codekin-run: holds a run already" in second.stderr
    assert command("score", predictions, "-m", "nes", "--overwrite").returncode == 0


def test_several_files_are_compared_and_reported(command, tmp_path) -> None:
    rows = [{"id": i, "language": "c", "reference": f"f({i}, {i});"} for i in range(12)]
    for name, code in (("weak", "g(x);"), ("strong", "f({0}, {0});")):
        lines = [json.dumps(row | {"candidate": code.format(row["id"])}) for row in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    done = command("score", "weak.jsonl", "strong.jsonl", "-o", "run", "-m", "nes")
    assert done.returncode == 0, done.stderr
    assert "strong scores higher than weak on nes by " in done.stdout
    assert "Rows that differ most" not in done.stdout
    assert "codekin report" not in done.stdout
    assert "Which system is better?" in (tmp_path / "run.html").read_text("utf-8")
    named = command("score", "weak.jsonl", "-o", "one", "-m", "nes", "--report", "page.html")
    assert named.returncode == 0, named.stderr
    assert (tmp_path / "page.html").is_file()
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    refused = command("score", "weak.jsonl", "-o", "two", "-m", "nes", "--report", "notes.txt")
    assert refused.returncode == 2
    assert not (tmp_path / "two").exists()
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"
