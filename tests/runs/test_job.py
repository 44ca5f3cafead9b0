from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.runs.conftest import fingerprint

from codekin import CodekinError, Run, score
from codekin.whole_files import working_on

NAMES = ["bleu", "nes", "jaccard"]
COMMAND = [sys.executable, "-c", "from codekin.cli import main; main()", "score"]


@pytest.fixture
def input_file(rows, tmp_path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(1200)))
    return path


def measures() -> list[str]:
    return [word for name in NAMES for word in ("-m", name)]


def begun(whole: Path, folder: Path) -> None:
    """A run like a finished one, of which no shard is there yet."""
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("*.parquet"))


def test_killed_at_any_moment_it_goes_on(input_file, tmp_path) -> None:
    score(input_file, NAMES, output=tmp_path / "whole", workers=0, shard_rows=20)
    folder = tmp_path / "run"
    begun(tmp_path / "whole", folder)
    again = [*COMMAND, "--resume", folder]
    rng = random.Random(7)
    kills = 0
    while kills < 3:  # many more, and at more moments, in tools/kills.py
        with subprocess.Popen(again, stdout=subprocess.DEVNULL) as job:
            there = len(list(folder.glob("shards/*")))
            # Not before it works, or nothing would be tested; then at any moment.
            while job.poll() is None and len(list(folder.glob("shards/*"))) <= there:
                time.sleep(0.002)
            time.sleep(rng.uniform(0, 0.1))
            job.send_signal(signal.SIGKILL)
        kills += 1
    assert not Run(folder).complete
    subprocess.run(again, check=True, stdout=subprocess.DEVNULL)
    assert fingerprint(folder) == fingerprint(tmp_path / "whole")


def test_killed_workers_are_replaced(input_file, tmp_path) -> None:
    score(input_file, NAMES, output=tmp_path / "whole", workers=0, shard_rows=20)
    folder = tmp_path / "run"
    begun(tmp_path / "whole", folder)
    killed = set()
    with subprocess.Popen([*COMMAND, "--resume", folder], stdout=subprocess.DEVNULL) as job:
        while job.poll() is None:
            if len(killed) < 5:
                for child in _children(job.pid) - killed:
                    time.sleep(0.05)
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                        killed.add(child)
            time.sleep(0.02)
    assert job.returncode == 0
    assert len(killed) >= 5
    assert fingerprint(folder) == fingerprint(tmp_path / "whole")


def _children(pid: int) -> set[int]:
    """The processes that a process has started."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            stat = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if stat[1] == str(pid) and stat[0] != "Z":
            found.add(int(path.parent.name))
    return found


def test_nothing_depends_on_the_order_of_hashes(rows, tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(30, b=1, a="x")))
    for seed in ("0", "1"):
        subprocess.run(
            [*COMMAND, path, "-o", tmp_path / seed, "-w", "1"],
            check=True,
            stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )
    assert fingerprint(tmp_path / "0") == fingerprint(tmp_path / "1")


def test_ctrl_c_says_how_to_go_on(input_file, tmp_path) -> None:
    folder = tmp_path / "run"
    command = [*COMMAND, input_file, "-o", folder, *measures()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
        while job.poll() is None and not list(folder.glob("shards/*.parquet")):
            time.sleep(0.01)
        job.send_signal(signal.SIGINT)
        said = job.communicate()[1].decode()
    assert said == f"codekin: stopped; resume with: codekin score --resume {folder}\n"
    assert job.returncode == 130
    assert not list(folder.glob("shards/*.tmp"))


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from codekin.cli import main
main()
"""


def test_a_full_disk_loses_nothing(rows, tmp_path) -> None:
    given = rows(100)
    given[55]["candidate"] += "# " + "".join(
        map(chr, random.Random(1).choices(range(97, 123), k=90000))
    )
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    score(path, "nes", output=tmp_path / "whole", workers=0, shard_rows=10)
    folder = tmp_path / "run"
    begun(tmp_path / "whole", folder)
    words = ["score", "--resume", folder, "-w", "1"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "50000", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "000005.parquet: File too large; what is scored is kept" in done.stderr
    assert "--resume" in done.stderr
    assert not list(folder.rglob("*.tmp"))
    assert Run(folder).rows == 50
    subprocess.run([*COMMAND, "--resume", folder], check=True, stdout=subprocess.DEVNULL)
    assert fingerprint(folder) == fingerprint(tmp_path / "whole")


def test_two_processes_do_not_share_a_run(rows, tmp_path) -> None:
    score(rows(5), "nes", output=tmp_path / "run", workers=0)
    with working_on(tmp_path / "run"):
        program = (
            "import sys; from codekin.whole_files import working_on; from pathlib import Path\n"
            "with working_on(Path(sys.argv[1])): pass\n"
        )
        command = [sys.executable, "-c", program, str(tmp_path / "run")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "another process is working on it" in done.stderr
    with working_on(tmp_path / "run"):
        pass


def test_the_manifest_says_what_is_there(rows, tmp_path) -> None:
    given = rows(25)
    given[3]["candidate"] = 3
    run = score(given, NAMES, output=tmp_path / "run", workers=0, shard_rows=10)
    manifest = run.manifest
    assert (manifest["state"], manifest["rows"], manifest["failed"]) == ("complete", 25, 1)
    assert [(one["rows"], one["failed"]) for one in manifest["shards"]] == [
        (10, 1),
        (10, 0),
        (5, 0),
    ]
    files = fingerprint(tmp_path / "run")
    assert {one["file"]: one["sha256"] for one in manifest["shards"]} == {
        name: digest for name, digest in files.items() if name.startswith("shards")
    }


def test_folders_that_are_no_runs(tmp_path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "manifest.json").write_text('{"format": 99}')
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "manifest.json").write_text('{"form')
    for name, message in (
        ("empty", "is not a run"),
        ("file", "is a file; a run is a folder"),
        ("nowhere", "no such folder"),
        ("odd", "is a run of format 99"),
        ("half", "is not the manifest of a run"),
    ):
        with pytest.raises(CodekinError, match=message):
            Run(tmp_path / name)
