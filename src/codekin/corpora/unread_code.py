"""Why a snippet does not parse in full: its macros, a fragment without what is around it, or code.

Code that a compiler accepts may not parse by itself: macros are expanded before, and statements cut
out of a function have no function around them. Neither is broken.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from codekin.represent.text.macros import expand_macros
from codekin.source import Source

__all__ = ["BROKEN", "CUT", "FRAGMENT", "MACROS", "WHOLE", "why_unread"]

WHOLE, MACROS, FRAGMENT, CUT, BROKEN = "whole", "macros", "fragment", "cut", "broken"
_PREPROCESSED = frozenset({"c", "cpp"})
_AROUND = {
    "c": ("void f() {{\n{0}\n}}",),
    "cpp": ("void f() {{\n{0}\n}}", "class C {{\n{0}\n}};"),
    "java": ("class C {{\n{0}\n}}", "class C {{ void f() {{\n{0}\n}} }}"),
    "csharp": ("class C {{\n{0}\n}}", "class C {{ void f() {{\n{0}\n}} }}"),
    "javascript": ("function f() {{\n{0}\n}}", "class C {{\n{0}\n}}"),
    "typescript": ("function f() {{\n{0}\n}}", "class C {{\n{0}\n}}"),
    "php": ("<?php\n{0}", "<?php\nclass C {{\n{0}\n}}"),
    "go": ("package p\nfunc f() {{\n{0}\n}}",),
    "rust": ("fn f() {{\n{0}\n}}",),
    "kotlin": ("fun f() {{\n{0}\n}}", "class C {{\n{0}\n}}"),
    "ruby": ("def f\n{0}\nend",),
    "python": ("def f():\n{0}\n",),
}
"""What a fragment may have been cut out of."""
_DEFINED = re.compile(r"^[^\S\n]*#[^\S\n]*define[^\S\n]+(\w+)", re.MULTILINE)
_DIRECTIVE = re.compile(r"\s*#")
_UNBALANCED = re.compile(r"is never closed|closes nothing")


def why_unread(source: Source) -> str:
    r"""Whether a snippet parses, and if not, what it is.

    Returns
    -------
    str
        ``whole``; ``macros`` if it parses once its macros are expanded, or all its problems are on
        lines of directives and macros; ``fragment`` if it parses with a function or a class around
        it; ``cut`` if a bracket has no partner; ``broken`` otherwise.

    Examples
    --------
    >>> text = "#define FOR(i, n) for (int i = 0; i < n; i++)\nvoid f() { FOR(i, 3) { g(i); } }"
    >>> why_unread(Source(text, "c"))
    'macros'
    >>> why_unread(Source("int f(int a) { if (a) { return 1; ", "c"))
    'cut'
    """
    if not source.problems:
        return WHOLE
    language = source.language.name
    text = source.text
    if language in _PREPROCESSED and (
        not Source(expand_macros(text), language).problems or _in_macros(source)
    ):
        return MACROS
    if any(not Source(whole, language).problems for whole in _surrounded(text, language)):
        return FRAGMENT
    return CUT if any(_UNBALANCED.search(p.message) for p in source.problems) else BROKEN


def _surrounded(text: str, language: str) -> Iterator[str]:
    """A fragment inside of what it may have been cut out of."""
    inner = textwrap.dedent(text)
    if language == "python":
        yield inner
        inner = textwrap.indent(inner, "    ")
    for around in _AROUND.get(language, ()):
        yield around.format(inner)


def _in_macros(source: Source) -> bool:
    """Whether each problem is on the line of a directive, or of a macro that the text defines."""
    lines = source.text.split("\n")
    names = set(_DEFINED.findall(source.text))
    return bool(names) and all(
        _DIRECTIVE.match(line) or names & set(re.findall(r"\w+", line))
        for line in (lines[problem.line - 1] for problem in source.problems)
    )
