"""Reading JSON: one object a line, or one array of objects."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator

from codekin.runs.rows.compression import BrokenInputError, look_ahead
from codekin.runs.rows.lines import LONGEST_LINE, cut_lines
from codekin.runs.rows.pieces import JsonLines, Unreadable

__all__ = ["json_array_stretches", "json_line_stretches", "json_stretches"]

_SPACE = " \t\r\n"
_AFTER_ITEM = set(_SPACE + ",]")  # after anything else, a number may go on
_ITEMS = 256


def json_stretches(
    name: str, blocks: Iterable[bytes], longest: int = LONGEST_LINE, *, required: bool = True
) -> Iterator[JsonLines | Unreadable]:
    """Rows of one array of objects if the text begins with a bracket, else of JSON lines.

    An empty text is no JSON, and unreadable where something is `required`.
    """
    start, blocks = look_ahead(iter(blocks), 3)
    if not start and required:
        yield from _refuse_nothing(name, blocks)
    elif start.startswith(b"["):
        yield from json_array_stretches(name, blocks, longest)
    elif start.startswith((b"{\n", b"{\r\n")):
        reason = "one JSON object over several lines; wanted is an object a line, or one array"
        yield Unreadable(name, 1, reason)
    else:
        yield from json_line_stretches(name, blocks, longest)


def _refuse_nothing(name: str, blocks: Iterable[bytes]) -> Iterator[Unreadable]:
    reason = "the file is empty, and so no JSON"
    try:
        for _ in blocks:
            pass
    except BrokenInputError as error:
        reason = str(error)
    yield Unreadable(name, 1, reason)


def json_line_stretches(
    name: str, blocks: Iterable[bytes], longest: int = LONGEST_LINE
) -> Iterator[JsonLines | Unreadable]:
    """Rows of JSON lines; blank lines are no rows."""
    number = 1
    try:
        for first, lines in cut_lines(blocks, longest):
            if lines is None:
                yield Unreadable(name, first, f"a line of more than {longest:,} bytes")
                number = first + 1
            else:
                yield from _without_blanks(name, first, lines)
                number = first + len(lines)
    except BrokenInputError as error:
        yield Unreadable(name, number, str(error))


def json_array_stretches(
    name: str, blocks: Iterable[bytes], longest: int = LONGEST_LINE
) -> Iterator[JsonLines | Unreadable]:
    """Rows of one array of objects.

    Only parsing tells where an item ends, so this is slower than JSON lines; what has been read is
    given away, so memory does not grow with the file. An item that is no JSON hides the rest.
    """
    number = 1
    items: list[bytes] = []
    broken: str | None = None
    try:
        for item in _items(_Characters(blocks), longest):
            items.append(item)
            if len(items) == _ITEMS or len(item) > 2**16:
                yield JsonLines(name, number, tuple(items), "item")
                number += len(items)
                items.clear()
    except BrokenInputError as error:
        broken = str(error)
    if items:
        yield JsonLines(name, number, tuple(items), "item")
    if broken is not None:
        yield Unreadable(name, number + len(items), broken, "item")


class _Characters:
    """The text ahead of the place that is read now."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.text = ""
        self.at = 0
        self.ended = False

    def more(self, least: int) -> None:
        """Read at least so many characters more, if there are, and forget those behind."""
        parts = [self.text[self.at :]]
        while least > 0 and not self.ended:
            block = next(self._blocks, None)
            self.ended = block is None
            try:
                parts.append(self._decoder.decode(block or b"", final=self.ended))
            except UnicodeDecodeError:
                raise BrokenInputError("not UTF-8 from here on") from None
            least -= len(parts[-1])
        self.text, self.at = "".join(parts), 0

    def next_visible(self) -> str:
        """The next character that is no white space, not yet passed; empty at the end."""
        while True:
            while self.at < len(self.text):
                if self.text[self.at] not in _SPACE:
                    return self.text[self.at]
                self.at += 1
            if self.ended:
                return ""
            self.more(1)


def _items(ahead: _Characters, longest: int) -> Iterator[bytes]:
    """The items of an array, as they are written."""
    ahead.next_visible()
    ahead.at += 1  # the bracket
    if ahead.next_visible() == "]":
        ahead.at += 1
    else:
        while True:
            yield _item(ahead, longest)
            mark = ahead.next_visible()
            ahead.at += 1
            if mark == "]":
                break
            if mark != ",":
                raise BrokenInputError(
                    "not JSON: a comma or the end of the array should follow"
                    if mark
                    else "not JSON: the array has no end"
                )
    if ahead.next_visible():
        raise BrokenInputError("not JSON: something follows the end of the array")


def _item(ahead: _Characters, longest: int) -> bytes:
    """One item; reads on, twice as far each time, until it is whole."""
    ahead.next_visible()
    while True:
        try:
            _, end = _DECODER.raw_decode(ahead.text, ahead.at)
        except json.JSONDecodeError as error:
            if ahead.ended:
                raise BrokenInputError(f"not JSON: {error.msg}") from None
        except RecursionError:
            raise BrokenInputError("JSON nested too deeply") from None
        else:
            if ahead.ended or ahead.text[end : end + 1] in _AFTER_ITEM:
                item, ahead.at = ahead.text[ahead.at : end], end
                return item.encode("utf-8")
        if len(ahead.text) - ahead.at > longest:
            raise BrokenInputError(f"not JSON, or an item of more than {longest:,} characters")
        ahead.more(len(ahead.text) - ahead.at + 1)


def _length(digits: str) -> int:
    return len(digits)


# Numbers are not converted, since only the places where items end are wanted.
_DECODER = json.JSONDecoder(parse_int=_length, parse_float=_length)


def _without_blanks(name: str, first: int, lines: list[bytes]) -> Iterator[JsonLines]:
    """Stretches of the lines that are rows."""
    start = 0
    for blank in [i for i, line in enumerate(lines) if not line or line.isspace()]:
        if blank > start:
            yield JsonLines(name, first + start, tuple(lines[start:blank]))
        start = blank + 1
    if start < len(lines):
        yield JsonLines(name, first + start, tuple(lines[start:]))
