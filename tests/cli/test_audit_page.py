"""The tutorial on audits: every command and every line of Python on the page does what it shows."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "audit.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(console|pycon)\n(.*?)^```", PAGE, re.S | re.M)
WIDTH = 88


def pattern(shown: str) -> re.Pattern[str]:
    """What a command may print: ``...`` is any text in a line, or any lines where it is alone."""
    pieces = []
    for line in shown.splitlines():
        if line == "...":
            pieces.append(r"(?:.*\n)*")
        else:
            pieces.append(re.escape(line).replace(re.escape("..."), ".*") + r"\n")
    return re.compile("".join(pieces))


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


def test_the_page_shows_what_its_commands_print(cli, tmp_path, monkeypatch) -> None:
    shutil.copytree(DOCS / "examples" / "clones", tmp_path / "clones")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    commands = []
    for kind, block in BLOCKS:
        if kind == "pycon":
            run_python(block, names)
            continue
        for line, below in re.findall(r"^\$ codekin (.+)\n((?:(?!\$ ).*\n)*)", block, re.M):
            words = shlex.split(line)
            done = cli(*words, width=WIDTH)
            assert done.exit_code == 0, done.output
            printed = "".join(f"{one.rstrip()}\n" for one in done.output.rstrip("\n").splitlines())
            assert pattern(below).fullmatch(printed), f"{line}\n{printed}"
            commands.append(" ".join(words[: 1 + (words[0] == "corpus")]))
    assert set(commands) == {
        *("audit", "corpus abstract", "corpus info", "corpus pairs", "corpus split", "corpus type")
    }
    assert (tmp_path / "audit.html").stat().st_size > 20_000


def run_python(block: str, names: dict[str, Any]) -> None:
    """Run the examples of a block after those of the blocks before it."""
    test = doctest.DocTestParser().get_doctest(block, names, "audit.md", None, 0)
    written: list[str] = []
    result = doctest.DocTestRunner().run(test, out=written.append, clear_globs=False)
    names |= test.globs
    assert result.attempted
    assert not result.failed, "".join(written)


def test_the_page_links_its_example_and_picture() -> None:
    assert "](images/audit.png)" in PAGE
    assert (DOCS / "images" / "audit.png").is_file()
    assert "](examples/clones/snippets.jsonl)" in PAGE
    assert (DOCS / "examples" / "clones" / "snippets.jsonl").stat().st_size < 60_000
