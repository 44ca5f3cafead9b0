"""The pages on corpora: every command, function and form is there, and the example runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import codekin
from codekin.cli.corpus import COMMANDS
from codekin.corpora.labelled_pairs import TYPES
from codekin.corpora.reading import corpus_formats
from codekin.corpora.views import VIEWS
from codekin.rewrite.abstraction import LEVELS

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "corpora.md").read_text("utf-8")


@pytest.mark.parametrize("name", [one.name for one in COMMANDS])
def test_the_pages_have_every_command(name) -> None:
    assert f"| `codekin corpus {name} " in PAGE
    assert f"| `corpus {name} " in (DOCS / "cli.md").read_text("utf-8")


def test_the_functions_of_the_table_are_public() -> None:
    rows = re.findall(r"^\| `codekin [^|]+ \| ([^|]+) \|", PAGE, re.M)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert len(named) > len(rows) > len(COMMANDS)
    assert set(named) <= set(codekin.__all__)


def test_the_tables_have_every_form_view_level_and_type() -> None:
    cells = re.findall(r"^\| ([^|]+) \|", PAGE, re.M)
    first = {word for cell in cells for word in re.split("[`, ]+", cell)}
    assert {*corpus_formats(), *VIEWS, *LEVELS, *TYPES} <= first


def test_the_example_runs(tmp_path, monkeypatch) -> None:
    shutil.copy(DOCS / "examples" / "clones" / "snippets.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(example.replace("10_000", "100").replace("2_000", "20"), {})
    assert len(codekin.read_corpus("pairs").pairs) == 140
