"""Line differences of two texts, as ``git diff`` finds and prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codekin import _native
from codekin.errors import CodekinError

__all__ = ["Hunk", "line_diff", "split_lines", "unified_diff"]

_BLANKS = b" \t\n\r"
_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
_TEXT_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_NO_NEWLINE = b"\\ No newline at end of file\n"
_LONGEST_FUNCTION_LINE = 80
_TAIL_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of one text that are replaced by lines of another.

    Attributes
    ----------
    before_start, before_end : int
        The lines of the first text, from 0, the end not included.
    after_start, after_end : int
        The lines of the second text that replace them.
    """

    before_start: int
    before_end: int
    after_start: int
    after_end: int


def line_diff(
    before: Sequence[str],
    after: Sequence[str],
    *,
    ignore_all_space: bool = False,
    ignore_blank_lines: bool = False,
) -> tuple[Hunk, ...]:
    r"""Find the lines in which two texts differ.

    The result equals that of git 2.39 with its default settings: Myers' algorithm [1]_ with
    limits for large texts, and groups of changed lines shifted by git's indent heuristic.

    Parameters
    ----------
    before, after : sequence of str
        The lines, with their line ends if these should count; :func:`split_lines` splits a text.
    ignore_all_space : bool
        Treat lines that differ only in spaces, tabs and line ends as equal.
    ignore_blank_lines : bool
        Leave out hunks whose lines are all blank. As in git, without `ignore_all_space` only
        lines of at most one character, including the line end, are blank.

    Returns
    -------
    tuple of Hunk
        In order, with at least one equal line between any two.

    References
    ----------
    .. [1] E. W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986.

    Examples
    --------
    >>> for hunk in line_diff(["a\n", "b\n", "c\n"], ["a\n", "c\n", "d\n"]):
    ...     print(hunk)
    Hunk(before_start=1, before_end=2, after_start=1, after_end=1)
    Hunk(before_start=3, before_end=3, after_start=2, after_end=3)
    """
    first, second = _encoded(before), _encoded(after)
    hunks = _hunks(first, second, ignore_all_space)
    if not ignore_blank_lines:
        return hunks
    return tuple(h for h in hunks if not _is_blank(h, first, second, ignore_all_space))


def split_lines(text: str) -> list[str]:
    r"""The lines of a text with their ends; only ``\n`` ends a line.

    Examples
    --------
    >>> split_lines("a\r\nb\x0cc")
    ['a\r\n', 'b\x0cc']
    """
    return _TEXT_LINES.findall(text)


def unified_diff(
    before: str,
    after: str,
    *,
    context: int = 3,
    ignore_all_space: bool = False,
    ignore_blank_lines: bool = False,
) -> str:
    r"""The output of ``git diff`` for two texts, from the first ``@@`` on.

    Parameters
    ----------
    before, after : str
        The texts.
    context : int
        Number of equal lines to show around each change.
    ignore_all_space, ignore_blank_lines : bool
        As for :func:`line_diff`; a change of blank lines near another change is shown.

    Returns
    -------
    str
        The diff; empty if nothing differs.

    Notes
    -----
    A header ends with the last line above the hunk that begins with an ASCII letter, ``_`` or
    ``$``, cut after 80 bytes. If lines count as equal despite their whitespace, those of the second
    text are shown. Unlike git, texts with NUL characters are not treated as binary.

    Examples
    --------
    >>> print(unified_diff("def f():\n    a\n    b\n", "def f():\n    a\n    c", context=1), end="")
    @@ -2,2 +2,2 @@ def f():
         a
    -    b
    +    c
    \ No newline at end of file
    """
    if context < 0:
        raise CodekinError(f"context must be 0 or more lines, not {context!r}")
    old, new = _bytes(before), _bytes(after)
    if context == 0:
        shared = _shared_tail(old, new)
        old, new = old[: len(old) - shared], new[: len(new) - shared]
    first, second = _LINES.findall(old), _LINES.findall(new)
    hunks = _hunks(first, second, ignore_all_space)
    minor = [
        ignore_blank_lines and _is_blank(hunk, first, second, ignore_all_space) for hunk in hunks
    ]
    out: list[bytes] = []
    function = _FunctionLines(first)
    for start, end in _joined(hunks, minor, context):
        out += _printed(hunks[start:end], first, second, context, function)
    return b"".join(out).decode("utf-8", "surrogatepass")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _encoded(lines: Sequence[str]) -> list[bytes]:
    if isinstance(lines, str):
        raise CodekinError("line_diff compares lines, not texts; split them with split_lines")
    return [_bytes(line) for line in lines]


def _hunks(first: list[bytes], second: list[bytes], ignore_all_space: bool) -> tuple[Hunk, ...]:
    ends = _native.line_diff(first, second, ignore_all_space).reshape(-1, 4).tolist()
    return tuple(Hunk(*four) for four in ends)


def _is_blank(hunk: Hunk, first: list[bytes], second: list[bytes], ignore_all_space: bool) -> bool:
    lines = first[hunk.before_start : hunk.before_end] + second[hunk.after_start : hunk.after_end]
    if ignore_all_space:
        return not any(line.strip(_BLANKS) for line in lines)
    return all(len(line) <= 1 for line in lines)


def _shared_tail(first: bytes, second: bytes) -> int:
    """The number of trailing bytes that git ignores when it shows no context.

    These are whole blocks that are equal in both texts, except for the rest of a line that begins
    before them. This can change where a group of changed lines is shown.
    """
    limit = min(len(first), len(second)) // _TAIL_BLOCK
    blocks = 0
    while blocks < limit:
        here = [
            slice(len(t) - (blocks + 1) * _TAIL_BLOCK, len(t) - blocks * _TAIL_BLOCK)
            for t in (first, second)
        ]
        if first[here[0]] != second[here[1]]:
            break
        blocks += 1
    shared = blocks * _TAIL_BLOCK
    line_end = first.find(b"\n", len(first) - shared)
    return 0 if shared == 0 or line_end < 0 else len(first) - line_end - 1


def _joined(
    hunks: Sequence[Hunk], minor: Sequence[bool], context: int
) -> Iterator[tuple[int, int]]:
    """Ranges of hunks that share one header because their contexts meet.

    Minor hunks are left out unless they are so close to others that the context would show them.
    """
    start = 0
    while start < len(hunks):
        start = _first_shown(hunks, minor, start, context)
        if start == len(hunks):
            return
        last = _last_joined(hunks, minor, start, context)
        yield start, last + 1
        start = last + 1


def _first_shown(hunks: Sequence[Hunk], minor: Sequence[bool], start: int, context: int) -> int:
    first = at = start
    while at < len(hunks) and minor[at]:
        at += 1
        if at == len(hunks) or _gap(hunks[at - 1], hunks[at]) >= context:
            first = at
    return first


def _last_joined(hunks: Sequence[Hunk], minor: Sequence[bool], start: int, context: int) -> int:
    last, added_between = start, 0
    for i in range(start + 1, len(hunks)):
        gap = _gap(hunks[i - 1], hunks[i])
        if gap > 2 * context:
            break
        near = gap < context
        directly = last == i - 1
        apart = hunks[i].before_start + added_between - hunks[last].before_end
        if not near and not directly and apart > 2 * context:
            break
        if not minor[i] or (near and directly):
            last, added_between = i, 0
        else:
            added_between += hunks[i].after_end - hunks[i].after_start
    return last


def _gap(hunk: Hunk, following: Hunk) -> int:
    return following.before_start - hunk.before_end


class _FunctionLines:
    """Finds the function line for the header of each hunk, in one pass over the text."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self._seen = 0
        self._name = b""

    def above(self, line: int) -> bytes:
        for i in range(line - 1, self._seen - 1, -1):
            first = self._lines[i][:1]
            if first.isalpha() or first in (b"_", b"$"):
                self._name = _shown(self._lines[i])
                break
        self._seen = max(self._seen, line)
        return self._name


def _shown(line: bytes) -> bytes:
    """The start of a line, cut at a character boundary."""
    cut = line[:_LONGEST_FUNCTION_LINE].rstrip(_BLANKS)
    try:
        cut.decode("utf-8")
    except UnicodeDecodeError as error:
        return cut[: error.start]
    return cut


def _printed(
    hunks: Sequence[Hunk],
    first: list[bytes],
    second: list[bytes],
    context: int,
    function: _FunctionLines,
) -> Iterator[bytes]:
    """The lines of one header and of the hunks under it."""
    top, bottom = hunks[0], hunks[-1]
    before_start = max(top.before_start - context, 0)
    after_start = max(top.after_start - context, 0)
    below = min(context, len(first) - bottom.before_end, len(second) - bottom.after_end)
    name = function.above(before_start)
    yield b"@@ -%b +%b @@%b\n" % (
        _range(before_start, bottom.before_end + below),
        _range(after_start, bottom.after_end + below),
        b" " + name if name else b"",
    )
    at = after_start
    for hunk in hunks:
        yield from _marked(b" ", second[at : hunk.after_start])
        yield from _marked(b"-", first[hunk.before_start : hunk.before_end])
        yield from _marked(b"+", second[hunk.after_start : hunk.after_end])
        at = hunk.after_end
    yield from _marked(b" ", second[at : at + below])


def _range(start: int, end: int) -> bytes:
    count = end - start
    where = b"%d" % (start + 1 if count else start)
    return where if count == 1 else b"%b,%d" % (where, count)


def _marked(mark: bytes, lines: list[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line
        if not line.endswith(b"\n"):
            yield b"\n" + _NO_NEWLINE
