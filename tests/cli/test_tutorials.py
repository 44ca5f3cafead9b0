"""The tutorials: every command and every line of Python on a page does what it shows."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.cli.tutorials import DOCS, pattern, run_page, statements

PAGES = {page.stem: page for page in sorted((DOCS / "tutorials").glob("*.md"))}
COMMANDS = {
    "class": {"scan"},
    "copies": {"scan", "index add", "find"},
    "corpus": {
        *("audit", "corpus abstract", "corpus info", "corpus pairs", "corpus split"),
        *("corpus type", "detect evaluate", "detect predict", "detect train"),
    },
    "edits": {"align", "compare", "estimate", "evaluate outcomes", "score"},
    "models": {"compare-runs", "score", "summarize"},
    "program": {"abstract", "compare", "evaluate card", "graph"},
}


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\nb", "a\nb\nc\n", False),
        ("a.b", "axb\n", False),
        ("Written: .../x", "Written: /some place/x\n", True),
        ("a\n...\nd", "a\nb\nc\nd\n", True),
        ("a\n...\nd", "a\nb\nc\n", False),
    ],
)
def test_dots_are_what_is_left_out(shown, printed, fits) -> None:
    assert bool(pattern(shown).fullmatch(printed)) is fits


@pytest.mark.parametrize("name", PAGES)
def test_a_tutorial_shows_what_its_commands_print(name, cli, tmp_path, monkeypatch) -> None:
    shutil.copytree(DOCS / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    assert set(run_page(PAGES[name], cli)) == COMMANDS[name]


@pytest.mark.parametrize("name", PAGES)
def test_a_tutorial_links_files_that_exist(name) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", PAGES[name].read_text("utf-8"))
    assert links
    assert [one for one in links if not (PAGES[name].parent / one).is_file()] == []


def test_the_readme_names_examples_that_exist() -> None:
    readme = (DOCS.parent / "README.md").read_text("utf-8").replace("\\\n", "")
    folder, named = DOCS.parent, 0
    for line in re.findall(r"^\$ (cd .+|codekin .+)$", readme, re.M):
        words = shlex.split(line, comments=True)
        if words[0] == "cd":
            folder = (folder / words[1]).resolve()
            continue
        if folder == DOCS.parent and "docs/examples" not in line:
            continue  # with files of the reader
        written = [words[i + 1] for i, word in enumerate(words) if word in ("-o", "--calibration")]
        inputs = [
            word
            for word in words
            if ("/" in word or Path(word).suffix or word == "patches") and word not in written
        ]
        assert [one for one in inputs if not (folder / one).exists()] == [], line
        named += len(inputs)
    assert folder == DOCS.parent
    assert named > 15


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_python_of_the_first_pages_runs(page, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    [block] = re.findall(
        r"^```python\n(.*?)^```", (DOCS.parent / page).read_text("utf-8"), re.S | re.M
    )
    for node, code, said in statements(block):
        if not isinstance(node, ast.Expr):
            exec(code, names)
            continue
        value = eval(code, names)
        if number := re.match(r"[\d.]+\d", said):
            assert value == pytest.approx(float(number[0]), abs=5e-5), code
    assert capsys.readouterr().out  # an explanation
    assert {"result"} <= set(names)


def test_the_examples_are_small() -> None:
    assert all(one.stat().st_size < 200_000 for one in (DOCS / "examples").rglob("*.*"))
