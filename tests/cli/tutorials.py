"""Run what a page of the documentation shows: its commands and its Python, in order."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["DOCS", "pattern", "run_page", "statements"]

DOCS = Path(__file__).parents[2] / "docs"
WIDTH = 88
GROUPS = {"corpus", "detect", "evaluate", "index"}


def pattern(shown: str) -> re.Pattern[str]:
    """What a command may print: ``...`` is any text in a line, or any lines where it is alone."""
    pieces = []
    for line in shown.splitlines():
        if line == "...":
            pieces.append(r"(?:.*\n)*")
        else:
            pieces.append(re.escape(line).replace(re.escape("..."), ".*") + r"\n")
    return re.compile("".join(pieces))


def run_page(page: Path, cli: Any) -> list[str]:
    """Run the console and pycon blocks of a page in the current folder; return the commands.

    What is below a command is its output, without that on stderr; a command with nothing below it
    may print anything.
    """
    names: dict[str, Any] = {}
    commands = []
    blocks = re.findall(r"^```(console|pycon)\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
    for kind, block in blocks:
        if kind == "pycon":
            run_python(block, names, page.name)
            continue
        for line, below in re.findall(r"^\$ codekin (.+)\n((?:(?!\$ ).*\n)*)", block, re.M):
            words = shlex.split(line)
            done = cli(*words, width=WIDTH)
            assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception!r}"
            printed = "".join(f"{one.rstrip()}\n" for one in done.stdout.rstrip("\n").splitlines())
            if below:
                assert pattern(below).fullmatch(printed), f"{line}\n{printed}"
            commands.append(" ".join(words[: 1 + (words[0] in GROUPS)]))
    return commands


def statements(block: str) -> Iterator[tuple[ast.stmt, str, str]]:
    """Each statement of a block with its code and what the comment behind it says."""
    lines = block.splitlines()
    for node in ast.parse(block).body:
        assert node.end_lineno is not None
        code = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        yield node, code, lines[node.end_lineno - 1].partition("  # ")[2]


def run_python(block: str, names: dict[str, Any], name: str) -> None:
    """Run the examples of a block after those of the blocks before it."""
    test = doctest.DocTestParser().get_doctest(block, names, name, None, 0)
    written: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        test, out=written.append, clear_globs=False
    )
    names |= test.globs
    assert result.attempted
    assert not result.failed, "".join(written)
