from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys

import pytest

from codekin.runs.run import Run
from codekin.runs.scoring import score
from codekin.runs.seals import seal_manifest
from codekin.runs.summaries import summarize


def no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    rows = [
        {
            "language": "python",
            "candidate": f"f(x, {i % 3})",
            "reference": f"f(x, {i % 4})",
            "group": ("org/a b", "c|d_e")[i % 2],
            "problem": i // 4,
        }
        for i in range(20)
    ]
    rows.append({"candidate": 1, "reference": "x", "group": "lonely"})
    output = tmp_path_factory.mktemp("cli") / "run"
    return score(rows, ["bleu", "ed"], output=output, workers=0)


def test_the_table_has_value_and_intervals(cli, run) -> None:
    shown = cli("summarize", run.path).stdout
    mean = summarize(run).groups[0].measures[0].mean
    [line] = [line for line in shown.splitlines() if line.startswith("bleu ")][:1]
    assert f"{mean.value:.4f}" in line
    assert f"[{mean.bca.low:.4f}, {mean.bca.high:.4f}]" in line
    assert "bleu corpus" in shown
    assert "ed ↓" in shown
    assert "2,000 resamples of rows, seed 0" in shown


def test_groups_taken_together_are_mentioned(cli, run) -> None:
    together = cli("summarize", run.path)
    assert "the rows of 3 groups together; --by group shows each" in together.stderr
    assert "together" not in cli("summarize", run.path, "--by", "group").stderr


def test_json_has_everything_and_no_nan(cli, run) -> None:
    done = cli("summarize", run.path, "--by", "group", "--format", "json", "--seed", 4)
    document = json.loads(done.stdout, parse_constant=no_constant)
    expected = summarize(run, "group", seed=4)
    assert [g["group"] for g in document["groups"]] == ["org/a b", "c|d_e", "lonely"]
    bleu = document["groups"][0]["measures"][0]
    mean = expected.groups[0].measures[0].mean
    assert bleu["mean"] == {
        "value": mean.value,
        "percentile": [mean.percentile.low, mean.percentile.high],
        "bca": [mean.bca.low, mean.bca.high],
    }
    assert bleu["signature"] == expected.groups[0].measures[0].signature
    lonely = document["groups"][2]["measures"][1]
    assert lonely["mean"] == {"value": None, "percentile": None, "bca": None}
    assert (lonely["rows"], lonely["failed"]) == (1, 1)


def test_csv_reads_back(cli, run) -> None:
    done = cli("summarize", run.path, "--by", "group", "--cluster", "problem", "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(records) == 3 * 3  # bleu, its corpus value and ed, of three groups
    expected = summarize(run, "group", "problem").groups[1].measures[0].mean
    [record] = [
        r for r in records if (r["group"], r["measure"], r["value_of"]) == ("c|d_e", "bleu", "mean")
    ]
    assert float(record["bca_low"]) == expected.bca.low
    assert record["clusters"] == "5"
    assert records[-1]["value"] == ""


def test_markdown_and_latex_escape_names(cli, run) -> None:
    shown = cli("summarize", run.path, "--by", "group", "--format", "markdown").stdout
    assert r"| c\|d\_e | bleu |" in shown
    shown = cli("summarize", run.path, "--by", "group", "--format", "latex").stdout
    assert r"c\textbar{}d\_e & bleu &" in shown
    assert shown.count(r"\bottomrule") == 1


@pytest.mark.parametrize("width", [40, 80, 200])
def test_any_width_will_do(cli, run, width) -> None:
    shown = cli("summarize", run.path, "--by", "group", width=width).stdout
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
    assert "BCa" in shown


def test_files_and_pipes_are_as_wide_as_need_be(cli, tmp_path) -> None:
    group = "organisation/" + "a-long-name-" * 10
    row = {"language": "python", "candidate": "x", "group": group}
    rows = [row | {"reference": f"x{i}"} for i in range(4)]
    run = score(rows, ["ed", "bleu"], output=tmp_path / "run", workers=0)
    shown = cli("summarize", run.path, "--by", "group", width=None).stdout.splitlines()
    heads = [line.split() for line in shown if "measure" in line]
    assert len(heads) == 1
    assert heads[0][-1] == "interval"
    assert len([line for line in shown if line.startswith(f"{group} ")]) == 3
    assert not any(line.endswith(" ") for line in shown)
    narrow = cli("summarize", run.path, "--by", "group", width=60).stdout
    first = [line.split() for line in narrow.splitlines()]
    assert group in "".join(words[0] for words in first if words)  # folded, and whole
    assert max(map(len, narrow.splitlines())) <= 60


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_is_filled(run) -> None:
    import fcntl
    import pty
    import struct
    import termios

    mine, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 50, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    words = ["summarize", str(run.path), "--by", "group"]
    subprocess.run(
        [sys.executable, "-c", "from codekin.cli import main; main()", *words],
        stdin=theirs,
        stdout=theirs,
        env=environment | {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    lines = re.sub(r"\x1b\[[\d;]*m", "", os.read(mine, 100_000).decode()).split("\r\n")
    os.close(mine)
    os.close(theirs)
    assert max(len(line) for line in lines) <= 50
    assert len([line for line in lines if "measure" in line]) > 1


def test_unknown_fields_and_folders_are_one_line(process, command, run, tmp_path) -> None:
    done = process("summarize", run.path, "--by", "modle")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no row has a field 'modle' (known: id, group, language" in done.stderr
    assert done.stderr.count("\n") == 1
    done = command("summarize", tmp_path / "nowhere")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_an_unfinished_run_is_summarized_with_a_warning(cli, tmp_path) -> None:
    rows = [{"language": "python", "candidate": "x", "reference": f"x{i}"} for i in range(4)]
    run = score(rows, "ed", output=tmp_path / "part", workers=0)
    path = run.path / "manifest.json"
    path.write_text(json.dumps(seal_manifest({**json.loads(path.read_text()), "state": "running"})))
    for wanted in ("table", "json", "csv"):
        done = cli("summarize", run.path, "--format", wanted)
        assert done.stderr == (
            "codekin: part is not finished; the figures cover only the 4 rows scored so far\n"
        )
        assert "not finished" not in done.stdout


def test_one_row_is_not_many(cli, tmp_path) -> None:
    run = score([{"candidate": "x", "reference": "y"}], "ed", output=tmp_path / "one", workers=0)
    assert cli("summarize", run.path).stdout.startswith("one: 1 row\n")
    path = run.path / "manifest.json"
    path.write_text(json.dumps(seal_manifest({**json.loads(path.read_text()), "state": "running"})))
    assert "the figures cover only the 1 row scored so far" in cli("summarize", run.path).stderr


def test_a_group_for_nearly_every_row_is_warned_of(cli, tmp_path) -> None:
    rows = [{"id": f"r{-i}", "candidate": "x", "reference": "y", "half": i % 2} for i in range(101)]
    run = score(rows, "ed", output=tmp_path / "run", workers=0)
    done = cli("summarize", run.path, "--by", "id", "--format", "json")
    assert done.stderr == (
        "codekin: id divides 101 rows into 101 groups, which is probably not what was meant; "
        "to resample such rows together, use --cluster id\n"
    )
    groups = [group["group"] for group in json.loads(done.stdout)["groups"]]
    assert groups == [row["id"] for row in rows]  # in their order of appearance
    assert cli("summarize", run.path, "--by", "half").stderr == ""


def test_one_interval_is_shown_and_the_other_on_demand(cli, run) -> None:
    brief, whole = (
        cli("summarize", run.path, *more, width=200).stdout for more in ((), ("--detail",))
    )
    assert "percentile" not in brief
    assert "95 % percentile" in whole
