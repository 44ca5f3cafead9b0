"""The table of evaluations is right, and all that adding one takes besides its two modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import codekin
from codekin.evaluation.registry import EVALUATIONS, evaluation_of
from codekin.results import Result
from codekin.runs.settings import view_of

ROOT = Path(__file__).parents[2]
EVALUATION = '''
"""How often a measure gives the best score."""
from dataclasses import dataclass
from typing import Any
from codekin.results import Grid, Result
@dataclass(frozen=True)
class Tops(Result):
    """How often measures give the best score."""
    run: str
    def grids(self) -> list[Grid]:
        return [Grid("Best scores", ("run",), ((self.run,),))]
@dataclass(frozen=True)
class TopRows:
    seed: int = 0
    def describe(self) -> dict[str, Any]:
        return {"kind": "tops", "seed": self.seed}
def evaluate_tops(rows: Any) -> Tops:
    return Tops(str(rows))
def judge_tops(run: Any) -> Tops:
    return Tops(run.name)
'''
COMMAND = '''
from codekin.cli.options import STATISTICS, ResultOptions, command
from codekin.cli.output import emit, tables
@command(example="codekin evaluate tops rows.jsonl", formats=STATISTICS)
def tops_command(rows: str, *, result: ResultOptions) -> None:
    """Count how often measures give the best score."""
    from codekin.evaluation.tops import evaluate_tops
    emit(result, tables(evaluate_tops(rows)))
'''
ADD = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
import codekin.evaluation
from codekin.evaluation import registry
summary = "Count how often measures give the best score."
more = registry.Evaluation("tops", "By rows", summary, "TopRows")
registry.EVALUATIONS += (more,)
codekin.evaluation.__path__.append({folder!r})
import codekin.cli.evaluate
codekin.cli.evaluate.__path__.append({folder!r} + "/commands")
"""


@pytest.mark.parametrize("one", EVALUATIONS, ids=lambda one: one.name)
def test_an_evaluation_is_a_public_function_with_a_public_result(one) -> None:
    assert getattr(codekin, f"evaluate_{one.name}") is one.function
    assert getattr(codekin, one.result.__name__) is one.result
    assert issubclass(one.result, Result)


def test_the_kind_of_a_view_is_the_name_of_its_evaluation() -> None:
    assert {"triplets", "outcomes", "card"} <= {one.name for one in EVALUATIONS if one.view}
    for one in EVALUATIONS:
        assert evaluation_of(one.name) is (one if one.view else None)
        if one.view:
            view = one.view_class()
            assert view.describe()["kind"] == one.name
            assert view_of(view.describe()) == view


def test_every_command_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "src/codekin/cli/evaluate").glob("*.py")}
    assert files - {"__init__"} == {one.name for one in EVALUATIONS}


@pytest.fixture
def with_one_more(tmp_path):
    """Run a script in a process with one more evaluation: two modules and a line in the table."""
    (tmp_path / "commands").mkdir()
    (tmp_path / "tops.py").write_text(EVALUATION)
    (tmp_path / "commands" / "tops.py").write_text(COMMAND)
    setup = ADD.format(root=str(ROOT), folder=str(tmp_path))

    def run(script: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", setup + script], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


CALL = "sys.argv = ['codekin', 'evaluate', {words}]\nfrom codekin.cli import main\nmain()"


def test_a_line_in_the_table_is_enough_for_the_command_line(with_one_more) -> None:
    listed = with_one_more(CALL.format(words="'--help'"))
    assert "By rows" in listed
    assert "Count how often measures give the best score." in listed
    printed = with_one_more(CALL.format(words="'tops', 'rows.jsonl', '--format', 'csv'"))
    assert printed.splitlines() == ["run", "rows.jsonl"]


def test_a_line_in_the_table_is_enough_for_schema_resuming_report_and_navigation(
    with_one_more, tmp_path
) -> None:
    (tmp_path / "tops.md").write_text("# Tops\n")
    printed = with_one_more(
        "from codekin.runs.settings import view_of\n"
        "from tools import docs_hook, schemas\n"
        "print(schemas.schema_of('evaluate-tops')['title'])\n"
        "print(view_of({'kind': 'tops', 'seed': 3}))\n"
        "from types import SimpleNamespace\n"
        "from codekin.report.run_page import judgement_of\n"
        "manifest = {'asked': {'view': {'kind': 'tops'}}}\n"
        "print(judgement_of(SimpleNamespace(name='top', manifest=manifest)).run)\n"
        f"docs_hook.DOCS = Path({str(tmp_path)!r})\n"
        "print(docs_hook.on_config({'nav': [{'Evaluation': []}]}))\n"
    )
    assert printed.splitlines() == [
        "codekin evaluate tops --format json",
        "TopRows(seed=3)",
        "top",
        "{'nav': [{'Evaluation': [{'Tops': 'tops.md'}]}]}",
    ]
