"""Data inside a page: compressed pieces that stay inert until the page's script asks for them.

Each piece is raw deflate in base64 in a ``<script>`` element of a type that no browser runs. The
alphabet of base64 has no sign that could end the element, whatever the data hold.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import IO, Any

import numpy.typing as npt

__all__ = [
    "DATA_HERE",
    "Pages",
    "embed",
    "pack",
    "put_about",
    "put_json",
    "put_numbers",
    "put_piece",
]

DATA_HERE = b"<!-- data -->"
"""Where a template has its data."""

_PAGE_BYTES = 200_000
_PAGE_ITEMS = 1000


def embed(data: object) -> str:
    """JSON for a ``<script>`` element.

    Everything but ASCII is escaped, which covers line separators and lone surrogates, and so are
    the signs by which markup could end the element.

    Examples
    --------
    >>> embed("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def pack(data: bytes) -> bytes:
    """Raw deflate in base64; the same data give the same bytes."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(data) + deflate.flush())


def put_piece(stream: IO[bytes], name: str, data: bytes) -> None:
    """Write one piece of data into the page."""
    stream.write(b'<script type="text/plain" id="%s">' % name.encode("ascii"))
    stream.write(pack(data))
    stream.write(b"</script>\n")


def put_json(stream: IO[bytes], name: str, content: object) -> None:
    """Write a document as a piece of data."""
    put_piece(stream, name, _json(content))


def put_numbers(stream: IO[bytes], name: str, numbers: npt.NDArray[Any]) -> None:
    """Write a column of numbers as a piece of data, little-endian as JavaScript has them."""
    put_piece(stream, name, numbers.astype(numbers.dtype.newbyteorder("<")).tobytes())


def put_about(stream: IO[bytes], about: object) -> None:
    """Write what the script of a page reads first, as JSON that is not compressed."""
    stream.write(b'<script type="application/json" id="about">')
    stream.write(embed(about).encode("ascii"))
    stream.write(b"</script>\n")


def _json(content: object) -> bytes:
    # Halves of characters, which a field may hold, have no bytes in UTF-8.
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


class Pages:
    """Items in pages of a size that a browser inflates in a few milliseconds.

    Parameters
    ----------
    stream : binary file
        What the pages are written to.
    name : str
        The pages are called ``name-0``, ``name-1`` and so on.
    join : callable, optional
        Makes one document of a page's items; a list of them by default.

    Attributes
    ----------
    starts : list of int
        The number of the first item of each page.
    """

    def __init__(
        self, stream: IO[bytes], name: str, join: Callable[[list[Any]], object] = list
    ) -> None:
        self.starts: list[int] = []
        self._stream = stream
        self._name = name
        self._join = join
        self._items: list[Any] = []
        self._size = 0
        self._count = 0

    def add(self, item: object, size: int) -> None:
        """Append an item of about so many bytes."""
        if self._items and (self._size + size > _PAGE_BYTES or len(self._items) >= _PAGE_ITEMS):
            self.close()
        self._items.append(item)
        self._size += size

    def close(self) -> None:
        """Write what is left."""
        if not self._items:
            return
        put_json(self._stream, f"{self._name}-{len(self.starts)}", self._join(self._items))
        self.starts.append(self._count)
        self._count += len(self._items)
        self._items, self._size = [], 0
