"""Writer: statements, terms and functions of a language, of names that stand nowhere else."""

from __future__ import annotations

import random
from collections.abc import Collection

from codekin.rewrite.fresh_names import FreshNames

__all__ = ["LANGUAGES", "Writer", "indentation"]

_STATEMENTS = ("{0} = {1}({2})", "{0}({1}, {2})", "{0} = {1} + {2}", "{0}[{1}] = {2}")
_BRACED = (
    "{head} {{\n{step}return {2}({1});\n}}\n",
    "{head} {{\n{step}{local}{3} = {2}({1});\n{step}return {3} + {1};\n}}\n",
)
_PYTHON = (
    "def {0}({1}):\n    return {2}({1})\n",
    "def {0}({1}):\n    {3} = {2}({1})\n    return {3} + {1}\n",
)
_HEADS = {
    "python": ("", "", "    "),
    "java": ("static int {0}(int {1})", "int ", "    "),
    "c": ("int {0}(int {1})", "int ", "    "),
    "cpp": ("int {0}(int {1})", "int ", "    "),
    "javascript": ("function {0}({1})", "const ", "  "),
}
LANGUAGES = tuple(_HEADS)


def indentation(line: str) -> str:
    """The blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


class Writer:
    r"""Writes code of one language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    chance : random.Random
        Decides which forms and names are taken.
    taken : collection of str
        Words that are not fresh.

    Examples
    --------
    >>> writer = Writer("c", random.Random(0), {"x"})
    >>> statement = writer.statement()
    >>> statement.endswith(";\n"), statement != writer.statement()
    (True, True)
    """

    def __init__(self, language: str, chance: random.Random, taken: Collection[str] = ()) -> None:
        self.language = language
        self._chance = chance
        self._names = FreshNames(taken, chance)

    def name(self) -> str:
        """A name that was neither taken nor given."""
        return self._names.take()

    def statement(self, indent: str = "", form: int | None = None) -> str:
        """A line of three fresh names."""
        return self.statement_of([self.name() for _ in range(3)], indent, form)

    def statement_of(self, names: list[str], indent: str = "", form: int | None = None) -> str:
        """A line of given names."""
        at = self._chance.randrange(len(_STATEMENTS)) if form is None else form % len(_STATEMENTS)
        end = "" if self.language == "python" else ";"
        return f"{indent}{_STATEMENTS[at].format(*names)}{end}\n"

    def function(self, indent: str = "") -> str:
        """A function of two to four lines, and a blank one after it."""
        names = [self.name() for _ in range(4)]
        head, local, step = _HEADS[self.language]
        forms = _PYTHON if self.language == "python" else _BRACED
        text = self._chance.choice(forms).format(
            *names, head=head.format(*names), local=local, step=step
        )
        lines = text.splitlines(keepends=True)
        return "".join(indent + line for line in lines) + "\n"
