from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time

import pytest
from tests.runs.conftest import fingerprint

from codekin import CodekinError, Run, measure, score
from codekin.runs.failures import failures
from codekin.runs.rows import open_rows
from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import score_shard, scoring_work
from codekin.runs.workers import Work, WorkerPool, WorkError, _Worker


def told(*orders: str) -> list[dict[str, str]]:
    return [
        {"id": f"{i} {text[:6]}", "candidate": text, "reference": text}
        for i, text in enumerate(orders)
    ]


def test_rows_that_kill_are_isolated_and_the_others_go_on(own, tmp_path) -> None:
    given = told("a", "crash", "b", "exit", "raise", "refuse", "nan", "c")
    run = score(given, [own.Deadly()], output=tmp_path / "run", workers=2, shard_rows=4)
    problems = run.table(["problem", "deadly.problem"])
    assert problems.column("problem").to_pylist() == [
        None,
        "the process crashed on this row 3 times (signal 11, SIGSEGV)",
        None,
        "the process crashed on this row 3 times (exit code 7)",
        None,
        None,
        None,
        None,
    ]
    assert problems.column("deadly.problem").to_pylist()[4:] == [
        "RuntimeError: on purpose",
        "will not",
        "the score is not a number: nan",
        None,
    ]
    assert [i for i, v in enumerate(run.values("deadly")) if v == 1] == [0, 2, 7]
    assert run.failed == 5
    assert run.table(["candidate"]).column(0).to_pylist() == [row["candidate"] for row in given]
    reasons = {one.reason: (one.label, one.rows, one.first) for one in failures(run)}
    assert reasons["will not"] == ("deadly", 1, "5 refuse")


def test_a_row_that_no_process_has_memory_for_is_recorded(own) -> None:
    run = score(told("a", "memory", "b"), [own.Deadly()], workers=1)
    assert run.table(["problem"]).column(0).to_pylist() == [
        None,
        "the process crashed on this row 3 times (out of memory)",
        None,
    ]


@pytest.mark.parametrize("before", ["a", "ignore"])
def test_rows_that_never_end_are_given_up(own, monkeypatch, before) -> None:
    monkeypatch.setattr("codekin.runs.workers._LOOK_SECONDS", 0.1)
    given = told(before, "circle", before, "sleep", before, "stop", "b")
    run = score(given, [own.Deadly()], workers=1, max_seconds=0.2)
    late = "took longer than a row may (max_seconds)"
    found = run.table(["problem"]).column(0).to_pylist()
    assert found == [None, late, None, late, None, late, None]


@pytest.mark.parametrize("order", ["once", "twice", "memory"])
def test_a_death_from_outside_costs_nothing(own, tmp_path, order) -> None:
    given = told("a", f"{order} {tmp_path / 'mark'}", "b")
    run = score(given, [own.Deadly()], output=tmp_path / "run", workers=1)
    assert run.failed == 0
    undisturbed = score(given, [own.Deadly()], output=tmp_path / "again", workers=0)
    assert fingerprint(run.path) == fingerprint(undisturbed.path)


@pytest.mark.parametrize("order", ["print", "read"])
def test_a_measure_that_prints_or_reads_does_no_harm(own, order) -> None:
    assert score(told(order, "a"), [own.Deadly()], workers=1, shard_rows=1).failed == 0


def test_a_process_that_has_forked_is_missed_all_the_same(own, monkeypatch) -> None:
    monkeypatch.setattr("codekin.runs.workers._LOOK_SECONDS", 0.1)
    run = score(told("a", "fork"), [own.Deadly()], workers=1)
    (_, problem) = run.table(["problem"]).column(0).to_pylist()
    assert problem == "the process crashed on this row 3 times (exit code 8)"


def test_a_process_with_many_open_files_can_score() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    kept = [os.open(os.devnull, os.O_RDONLY) for _ in range(1030)]
    try:
        assert score(told("a", "b"), "exact", workers=1).failed == 0
    finally:
        for handle in kept:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
def test_closed_streams_are_no_hindrance(tmp_path, closed) -> None:
    (tmp_path / "rows.jsonl").write_text('{"candidate": "a", "reference": "a"}\n')
    program = "from codekin.cli import main; main()"
    command = f'"$0" -c "{program}" score rows.jsonl -o run -m exact -w 1 {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert Run(tmp_path / "run").values("exact").tolist() == [1.0]


def test_a_killed_process_is_replaced() -> None:
    work = scoring_work(Settings((measure("nes"),)))
    (shard,) = open_rows(told("a", "b")).shards(10)
    with WorkerPool(1) as pool:
        first = pool.run(work, shard)
        (worker,) = pool._all
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
        assert pool.run(work, shard) == first
        assert worker not in pool._all
    with pytest.raises(CodekinError, match="the job was stopped"):
        pool.run(work, shard)


def test_one_process_serves_several_settings(own) -> None:
    (shard,) = open_rows(told("a", "b")).shards(10)
    with WorkerPool(1) as pool:
        for name in ("nes", "exact", "nes"):
            settings = Settings((measure(name),))
            assert pool.run(scoring_work(settings), shard) == score_shard(shard, settings)
        assert len(pool._all) == 1


def test_work_that_cannot_be_loaded_or_fails_is_said() -> None:
    with WorkerPool(1) as pool:
        with pytest.raises(WorkError, match=r"UnpicklingError.*must be importable"):
            pool.run(Work("builtins:dict", b"no pickle"), [])
        with pytest.raises(WorkError, match=r"No module named 'codekin\.nowhere'"):
            pool.run(Work.of("codekin.nowhere:work", None), [])
        with pytest.raises(WorkError, match="TypeError: 'dict' object is not callable"):
            pool.run(Work.of("builtins:dict", ()), [])


def test_ctrl_c_is_the_parents_alone() -> None:
    for _ in range(3):
        worker = _Worker()
        try:
            for _ in range(20):  # while the interpreter starts, too
                os.kill(worker.process.pid, signal.SIGINT)
                time.sleep(0.02)
            assert not worker.ended
        finally:
            worker.close()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_processes_end_with_their_parent(tmp_path) -> None:
    program = (
        "import os, signal, subprocess\n"
        "from codekin.runs.workers import _Worker\n"
        "print(_Worker().process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL
    orphan = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(orphan, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail(f"process {orphan} outlived its parent")


MAIN = """
from dataclasses import dataclass
from typing import ClassVar
import sys
import codekin

@dataclass(frozen=True, kw_only=True, repr=False)
class Mine(codekin.Measure):
    name: ClassVar[str] = "mine"
    summary: ClassVar[str] = "a measure of one's own"
    def _pair(self, candidate, reference):
        return codekin.Score(self, 0.25, {}, candidate, reference)

if sys.argv[2:]:
    sys.modules["cloudpickle"] = None
rows = [{"language": "c", "candidate": "a;", "reference": "b;"}]
print(codekin.score(rows, [Mine()], workers=int(sys.argv[1])).values("mine"))
"""


def test_a_measure_of_a_script(tmp_path) -> None:
    path = tmp_path / "script.py"
    path.write_text(MAIN)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(path), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    # No guard for __main__ is needed, and cloudpickle carries the class over.
    assert run("1").stdout == run("0").stdout == "[0.25]\n"
    without = run("1", "no cloudpickle").stderr
    assert "Mine: is defined in __main__, where other processes cannot import it" in without
    assert run("0", "no cloudpickle").stdout == "[0.25]\n"
