"""What is loaded: commands start soon because they load nothing that they do not need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from codekin.cli.app import COMMANDS
from codekin.cli.evaluate import COMMANDS as EVALUATE

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "align"
HEAVY = {"pyarrow", "scipy", "jinja2", "pandas"}
RUN = """
import sys
{code}
print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
"""
MAIN = """
sys.argv = ["codekin", *{words!r}]
from codekin.cli import main
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
"""


def modules(code: str) -> set[str]:
    """The modules that a program has loaded at its end."""
    program = RUN.format(code=code)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def loaded_by(*words: str) -> set[str]:
    return modules(MAIN.format(words=list(words)))


def commands_in(loaded: set[str]) -> set[str]:
    names = {name.replace("-", "_") for name, *_ in (*COMMANDS, *EVALUATE)}
    return {
        name.rpartition(".")[2]
        for name in loaded
        if name.startswith("codekin.cli.") and name.rpartition(".")[2] in names
    }


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = modules("import codekin")
    assert {name for name in loaded if name.startswith("codekin")} == {"codekin"}
    more = loaded - modules("")
    assert len(more) < 30, sorted(more)
    assert not loaded & {*HEAVY, "numpy", "rich", "typer", "typing"}


def test_the_version_needs_no_command_line_parser() -> None:
    loaded = loaded_by("--version")
    assert not loaded & {*HEAVY, "numpy", "rich", "typer"}
    assert {name for name in loaded if name.startswith("codekin")} == {
        "codekin", "codekin._version", "codekin.cli", "codekin.cli.interrupt", "codekin.errors"
    }  # fmt: skip


@pytest.mark.parametrize("words", [("--help",), ("evaluate", "--help")])
def test_the_help_of_a_group_needs_its_table_alone(words) -> None:
    loaded = loaded_by(*words)
    assert commands_in(loaded) == set(words) - {"--help"}
    assert not loaded & {*HEAVY, "numpy", "codekin.measures", "codekin.report", "codekin.runs"}


@pytest.mark.parametrize("words", [("score",), ("compare",), ("evaluate", "card"), ("graph",)])
def test_the_help_of_a_command_computes_nothing(words) -> None:
    loaded = loaded_by(*words, "--help")
    assert commands_in(loaded) == set(words)
    assert not loaded & {*HEAVY, "numpy", "codekin.measures", "codekin.report", "codekin.runs"}


def test_a_comparison_loads_no_other_command() -> None:
    loaded = loaded_by("compare", *(str(EXAMPLES / f"{n}.py") for n in ("candidate", "reference")))
    assert commands_in(loaded) == {"compare"}
    assert not loaded & {*HEAVY, "codekin.runs", "codekin.evaluation", "codekin.report.run_page"}


SCORING = """
from codekin import measure
from codekin.runs.rows import open_rows
from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import scoring_work
from codekin.runs.workers import _loaded
(shard,) = open_rows([{"candidate": "a = 1", "reference": "a = 2"}]).shards(10)
_loaded(scoring_work(Settings((measure("bleu"), measure("tsed")))))(shard, {}, lambda *_: None)
"""


def test_a_worker_loads_nothing_heavy_but_arrow() -> None:
    """Pandas is there, and pyarrow imports it at the first list that it converts."""
    assert not modules(SCORING) & (HEAVY - {"pyarrow"})


def test_runs_are_scored_and_read_without_pandas(tmp_path) -> None:
    rows = tmp_path / "rows.jsonl"
    texts = [f"x = {i}\ny = x + {i % 3}\n" for i in range(12)]
    rows.write_text(
        "".join(
            json.dumps(
                {
                    "id": i,
                    "candidate": text,
                    "reference": texts[i // 2],
                    "outcome": i % 2,
                    "language": "python",
                }
                | ({"group": "even"} if i % 2 == 0 else {})
            )
            + "\n"
            for i, text in enumerate(texts)
        )
    )
    run, measures = str(tmp_path / "run"), "bleu,tsed,length"
    commands = [
        ["score", str(rows), "-m", measures, "--workers", "1", "-o", run],
        ["summarize", run, "--by", "group"],
        ["compare-runs", run, run],
        ["report", run, "-o", str(tmp_path / "report.html")],
        ["evaluate", "outcomes", run],
    ]
    loaded = modules("\n".join(MAIN.format(words=words) for words in commands))
    assert {"codekin.report.run_page", "codekin.evaluation.outcomes"} <= loaded
    assert "pandas" not in loaded
