"""Comments that take code out of a scan: ``codekin: ignore`` and ``codekin: ignore-file``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from codekin.represent.tree.fragments import functions_of
from codekin.scan.code_tokens import CodeTokens
from codekin.source import Source

__all__ = ["ignored_functions", "ignores_file"]

_IGNORE = re.compile(rb"\bcodekin: ?ignore(?![\w-])")
_IGNORE_FILE = re.compile(rb"\s*(//|/\*|\*|#|--|;|<!--).*\bcodekin: ?ignore-file(?![\w-])")
_FIRST_LINES = 20


def ignores_file(data: bytes) -> bool:
    """Whether one of the first lines of a file is a comment with ``codekin: ignore-file``.

    Examples
    --------
    >>> ignores_file(b"#!/bin/python\\n# codekin: ignore-file\\n"), ignores_file(b"x = 1\\n")
    (True, False)
    """
    if b"codekin:" not in data:
        return False
    return any(_IGNORE_FILE.match(line) for line in data.split(b"\n", _FIRST_LINES)[:_FIRST_LINES])


def ignored_functions(source: Source, tokens: CodeTokens) -> list[tuple[int, int]]:
    """The tokens of functions with a comment ``codekin: ignore``.

    The comment is above the function, with nothing but comments, decorators and attributes between
    them, or in the lines of its header.

    Parameters
    ----------
    source : Source
    tokens : CodeTokens
        Those of the source.
    """
    data = source.data
    if b"codekin:" not in data or not _IGNORE.search(data):
        return []
    comments = _comments(source)
    if not comments:
        return []
    above = {
        token
        for start, end in comments
        if not data[data.rfind(b"\n", 0, start) + 1 : start].strip()
        for token in _beginnings(data, tokens, end)
    }
    lines = {data.count(b"\n", 0, start) + 1 for start, _ in comments}
    found = []
    for one in functions_of(source.tree, data, source.language):
        begin, end = np.searchsorted(tokens.starts, [one.start, one.end]).tolist()
        inner = int(np.searchsorted(tokens.starts, int(source.tree.start[one.node])))
        if begin == end:
            continue
        after = int(np.searchsorted(tokens.statements, inner, side="right"))
        body = int(tokens.statements[after]) if after < len(tokens.statements) else end
        header = range(int(tokens.lines[begin]), int(tokens.last_lines[min(body, end) - 1]) + 1)
        line = int(np.searchsorted(tokens.lines, tokens.lines[begin]))  # with words like export
        if line in above or not lines.isdisjoint(header):
            found.append((begin, end))
    return found


def _beginnings(data: bytes, tokens: CodeTokens, start: int) -> Iterator[int]:
    """The first token after a place, and those after the decorators or attributes there."""
    token, count = int(np.searchsorted(tokens.starts, start)), len(tokens)
    while token < count:
        yield token
        if data[tokens.starts[token]] not in b"@#":
            return
        line, level = tokens.lines[token], tokens.levels[token]
        token += 1
        while token < count and (tokens.lines[token] == line or tokens.levels[token] > level):
            token += 1


def _comments(source: Source) -> list[tuple[int, int]]:
    """The first byte and the end of each comment that says so."""
    every = source.lexemes_with(comments=True)
    code = source.lexemes_with(comments=False)
    more = ~np.isin(every.starts, code.starts) & ~every.layout
    spans = zip(every.starts[more].tolist(), every.ends[more].tolist(), strict=True)
    return [
        (start, end)
        for start, end in spans
        if source.data[start] not in b"\"'rRuU" and _IGNORE.search(source.data, start, end)
    ]
