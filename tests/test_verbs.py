"""What every command and every result has: a public function, a notebook's view, and frames."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from tests.corpora.small import contest

import codekin
from codekin import Source
from codekin.cli import app as every
from codekin.cli import corpus, detect, evaluate, index
from codekin.cli.command_table import Entry
from codekin.results import Result, Tabular

DOCS = Path(__file__).parents[1] / "docs"

FUNCTIONS = {
    "compare": "compare",
    "align": "align_revisions",
    "cluster": "cluster_revisions",
    "matrix": "similarity_matrix",
    "score": "score",
    "summarize": "summarize",
    "compare-runs": "compare_systems",
    "estimate": "estimate_rates",
    "plan": "plan_tests",
    "calibrate": "calibrate",
    "build-triplets": "build_triplets",
    "scan": "scan_paths",
    "index add": "add_to_index",
    "index info": "index_info",
    "find": "find_code",
    "corpus info": "describe_corpus",
    "corpus balance": "corpus_balance",
    "corpus compare": "compare_corpora",
    "corpus check": "check_corpus",
    "corpus type": "type_pairs",
    "corpus read": "read_corpus",
    "corpus build": "build_corpus",
    "corpus abstract": "abstract_corpus",
    "corpus split": "split_corpus",
    "corpus pairs": "sample_pairs",
    "audit": "audit_corpus",
    "detect train": "train_detector",
    "detect benchmark": "run_benchmark",
    "detect properties": "dataset_properties",
    "detect predict": "predict_pairs",
    "detect evaluate": "evaluate_detector",
    "detect search": "search_clones",
    "detect models": "describe_detectors",
    "graph": "export_graph",
    "abstract": "abstract",
    "report": "report",
    "demo": "demo",
    "measures": "describe_measures",
    "languages": "describe_languages",
}
"""The public function behind each command; `evaluate NAME` has `evaluate_NAME`."""

GROUPS = {"corpus": corpus, "detect": detect, "evaluate": evaluate, "index": index}

TOOLS = {"Detector", "Language", "Measure", "Prepared", "ScanConfig"}
"""What public functions return to be used, not looked at."""
PLAIN = {
    *("str", "int", "None", "list[str]", "list[tuple[int, int]]", "list[dict[str, Any]]"),
    *("Iterator[Corpus]", "tuple[Detector, Training]"),
}
"""Other values that need no view."""
LACKING = {"Run": {"to_html"}, "RunReport": {"to_pandas", "to_polars"}}
"""A run has its page from `report`; a page is no table. docs/api/results.md says so."""
VERBS = {"_repr_html_", "to_html", "to_pandas", "to_polars"}


def commands() -> Iterator[tuple[str, Entry, str]]:
    """Every command with its entry and the package that it is in."""
    for entry in every.COMMANDS:
        if entry.name in GROUPS:
            package = GROUPS[entry.name]
            for one in package.COMMANDS:
                yield f"{entry.name} {one.name}", one, package.__name__
        else:
            yield entry.name, entry, "codekin.cli"


COMMANDS = list(commands())


def function_of(command: str) -> str:
    group, _, name = command.partition(" ")
    return f"evaluate_{name}" if group == "evaluate" else FUNCTIONS[command]


def test_the_table_lists_what_there_is() -> None:
    assert {name for name, _, _ in COMMANDS if not name.startswith("evaluate ")} == set(FUNCTIONS)


def test_the_documentation_says_which_function_does_what_a_command_does() -> None:
    page = (DOCS / "api" / "index.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `codekin ([^`]+)` \| (.+) \|$", page, re.MULTILINE))
    assert rows.keys() == {name for name, _, _ in COMMANDS}
    assert all(f"`{function_of(name)}`" in rows[name] for name in rows)


@pytest.mark.parametrize("command, entry, package", COMMANDS, ids=[one for one, _, _ in COMMANDS])
def test_a_command_uses_a_documented_public_function(
    command: str, entry: Entry, package: str
) -> None:
    name = function_of(command)
    assert name in codekin.__all__
    function = getattr(codekin, name)
    assert inspect.getdoc(function if name != "report" else codekin.report.run_report.report)
    pages = (path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    assert any(f"::: codekin.{name}\n" in f"{page}\n" for page in pages), name
    module = import_module(f".{entry.module or entry.name.replace('-', '_')}", package)
    beside = Path(str(module.__file__)).parent.glob("*_options.py")
    sources = [inspect.getsource(module), *(path.read_text("utf-8") for path in beside)]
    assert any(re.search(rf"\b{name}\b", source) for source in sources), name


OWN = {"options.py": {"_page("}, "report.py": {"write_page("}, "score.py": {"write_page("}}
"""Functions of commands that are called so: an option, and the report with a progress bar."""


def test_commands_make_no_pages_of_their_own() -> None:
    makers = re.compile(r"\b(?:page_of|\w*_page|pair_text)\(")
    for path in (Path(codekin.__file__).parent / "cli").rglob("*.py"):
        made = set(makers.findall(path.read_text("utf-8")))
        assert made <= OWN.get(path.name, set()), path


def returned() -> dict[str, set[str]]:
    """The types that public functions return, each with these functions."""
    found: dict[str, set[str]] = {}
    for name in codekin.__all__:
        value = getattr(codekin, name)
        if name == "report":
            value = codekin.report.run_report.report
        if inspect.isfunction(value):
            kind = inspect.signature(value).return_annotation
            kinds = [kind] if kind in PLAIN else kind.split(" | ")
            for one in kinds:
                found.setdefault(one, set()).add(name)
    return found


RETURNED = returned()
RESULTS = sorted(
    {name for name in RETURNED if name not in PLAIN | TOOLS}
    | {
        name
        for name in codekin.__all__
        if inspect.isclass(value := getattr(codekin, name))
        and issubclass(value, Tabular)
        and value is not Result
    }
)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_has_the_verbs(name: str) -> None:
    assert name in codekin.__all__, f"{RETURNED.get(name)} return a {name}, which is not public"
    kind = getattr(codekin, name)
    lacking = {verb for verb in VERBS if not callable(getattr(kind, verb, None))}
    assert lacking == LACKING.get(name, set())
    assert not issubclass(kind, Tabular) or kind.table is not Tabular.table


JAVA = Source("int twice(int n) { return Math.max(n, 0) * factor; } // n", "java")
CLONE = Source("int f(int a) { return a; }", "c")


def _mean() -> Any:
    outcome = np.where(np.arange(40) < 20, np.arange(40) % 2, np.nan)
    return codekin.powered_mean(outcome, np.linspace(0, 1, 40))


def _grid(folder: Path) -> Any:
    path = folder / "grid.toml"
    path.write_text(
        '[[corpora]]\nname = "one"\npath = "one"\n'
        '[[experiments]]\ncorpora = ["one"]\ndetectors = ["linear"]\nviews = ["random"]\n'
    )
    return codekin.read_grid(path)


def _gate(folder: Path) -> Any:
    (folder / "empty").mkdir()
    (folder / "empty" / "x.py").write_text("x = 1\n")
    baseline = codekin.CloneBaseline.of(codekin.scan_paths([folder / "empty"]))
    body = "".join(f"    total = total * {i} + items[{i}] - other({i})\n" for i in range(12))
    for name in ("a", "b"):
        (folder / f"{name}.py").write_text(f"def {name}(total, items):\n{body}    return total\n")
    return codekin.scan_gate(codekin.scan_paths([folder]), baseline=baseline)


EXAMPLES: dict[str, Callable[[Path], Any]] = {
    "Abstraction": lambda _: codekin.abstract(JAVA),
    "BenchmarkGrid": _grid,
    "ChangedLines": lambda _: codekin.ChangedLines("main", {"a.py": [(1, 2)], "b.py": None}),
    "CloneType": lambda _: codekin.clone_type(CLONE, CLONE),
    "Copies": lambda _: codekin.find_copies(contest(3, 2).snippets),
    "Corpus": lambda _: codekin.sample_pairs(contest(3, 2)),
    "Explanation": lambda _: codekin.measure("nes").score(JAVA, JAVA).explain(),
    "GraphEdit": lambda _: codekin.graph_edit_distance("ab", [(0, 1)], "ac", [(0, 1)]),
    "IdentifierList": lambda _: codekin.identifiers(JAVA),
    "Pairs": lambda _: codekin.sample_pairs(contest(3, 2)).pairs,
    "PoweredMean": lambda _: _mean(),
    "RevisionAlignment": lambda _: codekin.align_revisions(
        "x = 2", "x = 3", origin="x = 1", language="python"
    ),
    "ScanGate": _gate,
    "Score": lambda _: codekin.measure("nes").score(JAVA, CLONE),
    "SemanticGraph": lambda _: codekin.semantic_graph(JAVA),
    "ThreeWayAlignment": lambda _: codekin.align_three("abc", "abd", "ac"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_verbs_of_results_give_what_they_say(name: str, tmp_path: Path) -> None:
    made = EXAMPLES[name](tmp_path)
    assert type(made) is getattr(codekin, name)
    records = made.table().records()
    assert records
    frame = made.to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert (frame.height, frame.columns) == (len(records), list(records[0]))
    assert list(made.to_pandas().columns) == frame.columns
    head, *_ = made.to_csv(tmp_path / "made.csv").splitlines()
    assert head.split(",") == frame.columns
    shown = made._repr_html_()
    assert "<table" in shown or "edits-alone" in shown or "<iframe" in shown
    page = made.to_html(tmp_path / "made.html")
    assert page.lower().startswith("<!doctype html>")
    assert (tmp_path / "made.html").read_text("utf-8") == page
    if isinstance(made, Result):
        assert json.loads(made.to_json())["codekin"] == codekin.__version__
        assert made.to_markdown()
        assert made.to_latex()
        assert str(made)


def test_every_tabular_value_without_tests_elsewhere_is_an_example() -> None:
    """Those that are results only since frames were asked of all of them."""
    plain = {name for name in RESULTS if not issubclass(getattr(codekin, name), Result)}
    assert plain - set(EXAMPLES) == set(LACKING)
