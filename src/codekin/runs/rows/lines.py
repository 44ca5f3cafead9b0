"""Cutting a stream of bytes into lines, without holding more than one long line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["LONGEST_LINE", "cut_lines"]

LONGEST_LINE = 64 * 2**20
"""Longer lines are not held: a row of that size is no row but a file in the wrong format."""


def cut_lines(
    blocks: Iterable[bytes], longest: int = LONGEST_LINE
) -> Iterator[tuple[int, list[bytes] | None]]:
    r"""Consecutive lines, with the number of the first of them, from 1.

    Lines end with a newline, which is not part of them; a carriage return before it is. A line
    longer than `longest` is given as None by itself.

    Examples
    --------
    >>> list(cut_lines([b"one\ntw", b"o\nthr", b"ee"]))
    [(1, [b'one']), (2, [b'two']), (3, [b'three'])]
    """
    number = 1
    parts: list[bytes] = []
    held = 0
    for block in blocks:
        lines = block.split(b"\n")
        held += len(lines[0])
        if held <= longest:
            parts.append(lines[0])
        else:
            parts.clear()
        if len(lines) == 1:
            continue
        rest = lines.pop()
        if held > longest:
            yield number, None
            number += 1
            del lines[0]
        else:
            lines[0] = b"".join(parts)
        if lines:
            yield number, lines
            number += len(lines)
        parts, held = [rest], len(rest)
    if held > longest:
        yield number, None
    elif held:
        yield number, [b"".join(parts)]
