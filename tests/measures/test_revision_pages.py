"""What the pages of the excision measures show is what the measures give."""

import ast
import re
from pathlib import Path

import pytest
from tests.cli.tutorials import statements
from tools.docs_hook import measure_table

PAGES = Path(__file__).parents[2] / "docs" / "measures"


@pytest.mark.parametrize("name", ["es-token", "es", "sanslcs"])
def test_the_examples_give_what_they_say(name, capsys):
    page = (PAGES / f"{name}.md").read_text("utf-8")
    names = {}
    checked = 0
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        for node, code, said in statements(block):
            if isinstance(node, ast.Expr):
                shown = ast.literal_eval(re.match(r"\(.*?\)|[\d.]+", said)[0])
                assert eval(code, names) == pytest.approx(shown, abs=5e-5)
                checked += 1
            else:
                exec(code, names)
        printed = capsys.readouterr().out.splitlines()
        expected = [line[2:] for line in block.splitlines() if line.startswith("# ")]
        assert printed == expected
        checked += len(printed)
    assert checked


def test_the_pages_are_listed():
    table = measure_table()
    order = [
        table.index(f"| [{name}](") for name in ("diffbleu", "sanslcs", "es-line", "es-token", "es")
    ]
    assert order == sorted(order)
