"""Reproductions of other packages are loaded by name alone, and codekin works without them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import codekin

PACKAGE = Path(codekin.__file__).parent
COMPAT = "codekin.measures.compat"

EVERY_DEFAULT = """
import sys
from codekin import CodekinError, compare, measure, measure_names, semantic_graph
from codekin.report.listings import describe_measures

origin, fixed, tried = "x = a\\n", "x = a + b\\n", "x = a - b\\n"
result = compare(tried, fixed, origin=origin, language="python")
assert list(result) == measure_names()
for score in result.values():
    assert 0 <= score.value < 10
    score.explain()
    score.signature
semantic_graph(fixed, "python")
"""

LOADS_NOTHING = f"""
print([name for name in sys.modules if name.startswith({COMPAT!r})])
"""

ASKING = """
forms = [(one, form) for one, forms in measure_classes().items() for form in forms if form]
assert len(forms) > 12
for name, form in forms:
    try:
        measure(name, compat=form)
    except CodekinError as error:
        assert f"{name}: compat={form!r} is not part of this installation" in str(error), error
    else:
        raise AssertionError(name)
for options in ({"preset": "joern"}, {"data": "joern"}, {"exits": True}):
    try:
        semantic_graph("x = 1", "python", **options)
    except CodekinError as error:
        assert "conventions of joern are not part of this installation" in str(error), error
    else:
        raise AssertionError(options)
assert [one["compat"] for one in describe_measures()] == [[]] * len(named_classes())
print("all refused")
"""


def _run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_module_outside_imports_from_compat() -> None:
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "measures" / "compat"):
            continue
        text = path.read_text(encoding="utf-8")
        if "compat" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{one.name}" for one in node.names]
            found += [f"{path}: {name}" for name in names if name.startswith(COMPAT)]
    assert found == []


def test_the_defaults_load_none_of_it() -> None:
    assert _run(EVERY_DEFAULT + LOADS_NOTHING) == "[]"


def test_without_it_the_defaults_work_and_the_rest_is_refused() -> None:
    missing = f"import sys\nsys.modules[{COMPAT!r}] = None\n"  # as if the folder was deleted
    asking = "from codekin.measures import measure_classes, named_classes\n" + ASKING
    assert _run(missing + EVERY_DEFAULT + asking) == "all refused"
