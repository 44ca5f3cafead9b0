"""A syntax tree as plain lists, and edits of its text by spans of bytes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from codekin.languages.token_classes import TokenClass
from codekin.source import Source

__all__ = ["Edit", "Syntax", "apply_edits", "syntax_of"]

_WORD = re.compile(r"[^\W\d]\w*")
_INCLUDE = re.compile(r"\s*#\s*include\b")
_COMMA_PASTE = re.compile(r",\s*##")  # ", ##__VA_ARGS__" makes no name
_DIRECTIVE = re.compile(rb"[ \t]*#(?:[^\n\\]|\\\r?\n|\\)*")


class Edit(NamedTuple):
    """A span of bytes and the text that takes its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, eq=False)
class Syntax:
    """The tree of a source with names for kinds and fields.

    Attributes
    ----------
    source : Source
        What was parsed.
    kinds, fields : list of str
        Kind of every node, and its field in its parent (or an empty text).
    parents, sizes, starts, ends : list of int
        As in :class:`~codekin.represent.tree.flat_tree.FlatTree`.
    """

    source: Source
    kinds: list[str] = field(repr=False)
    fields: list[str] = field(repr=False)
    parents: list[int] = field(repr=False)
    sizes: list[int] = field(repr=False)
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)

    @property
    def data(self) -> bytes:
        """The text in UTF-8."""
        return self.source.data

    def __len__(self) -> int:
        return len(self.kinds)

    def text(self, node: int) -> str:
        """The text of a node."""
        return self.slice(self.starts[node], self.ends[node])

    def slice(self, start: int, end: int) -> str:
        """The text between two bytes."""
        return self.data[start:end].decode("utf-8", "surrogatepass")

    def children(self, node: int) -> list[int]:
        """The children of a node, in order."""
        found = []
        child, end = node + 1, node + self.sizes[node]
        while child < end:
            found.append(child)
            child += self.sizes[child]
        return found

    def named_children(self, node: int) -> list[int]:
        """The children that are no punctuation, keyword or comment."""
        named, kind = self.source.tree.grammar.named, self.source.tree.kind
        return [i for i in self.children(node) if named[kind[i]] and "comment" not in self.kinds[i]]

    @cached_property
    def named_counts(self) -> list[int]:
        """How many named children each node has, comments left out."""
        counts = [0] * len(self)
        named = self.source.tree.grammar.named[self.source.tree.kind].tolist()
        for node in range(1, len(self)):
            if named[node] and "comment" not in self.kinds[node]:
                counts[self.parents[node]] += 1
        return counts

    def child(self, node: int, name: str) -> int:
        """The first child in a field, or -1."""
        return next((i for i in self.children(node) if self.fields[i] == name), -1)

    def inside(self, node: int) -> range:
        """A node and all that is below it."""
        return range(node, node + self.sizes[node])

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above a node, the nearest first."""
        node = self.parents[node]
        while node >= 0:
            yield node
            node = self.parents[node]

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text, wherever it stands: in code, a comment, a string, a macro."""
        return frozenset(_WORD.findall(self.source.text))

    @cached_property
    def newline(self) -> str:
        """How the text ends its lines."""
        return "\r\n" if b"\r\n" in self.data else "\n"

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Spans of the tokens, comments included and layout left out."""
        tokens = self.source.tokens_with(comments=True)
        code = tokens.classes < TokenClass.NEWLINE
        starts, ends = tokens.starts[code].tolist(), tokens.ends[code].tolist()
        return list(zip(starts, ends, strict=True))

    @cached_property
    def directives(self) -> list[tuple[int, int]]:
        """Spans of preprocessor lines, with the lines that a backslash joins to them."""
        found: list[tuple[int, int]] = []
        for i, kind in enumerate(self.kinds):
            if kind.startswith("#") or kind == "preproc_directive":
                match = _DIRECTIVE.match(self.data, self.line_start(self.starts[i]))
                if match and (not found or match.start() >= found[-1][1]):
                    found.append(match.span())
        return found

    @cached_property
    def directive_words(self) -> frozenset[str]:
        """Every word of the preprocessor lines, those that include a file left out."""
        lines = [self.slice(*span) for span in self.directives]
        return frozenset(
            word for line in lines if not _INCLUDE.match(line) for word in _WORD.findall(line)
        )

    @cached_property
    def macros(self) -> dict[str, str]:
        """Macros of the text, and what each stands for, by all of its definitions."""
        found: dict[str, str] = {}
        for node, kind in enumerate(self.kinds):
            if kind in {"preproc_def", "preproc_function_def"} and self.sizes[node] > 2:
                name = self.text(node + 2)
                found[name] = found.get(name, "") + self.text(node)[1:].partition(name)[2]
        return found

    @cached_property
    def quoting_macros(self) -> frozenset[str]:
        """Macros that use ``#`` on an argument, or hand theirs to one that does."""
        return self._with_users({name for name, text in self.macros.items() if "#" in text})

    @cached_property
    def pasting_macros(self) -> frozenset[str]:
        """Macros that make one name of two, or hand theirs to one that does."""
        texts = {name: _COMMA_PASTE.sub("", text) for name, text in self.macros.items()}
        return self._with_users({name for name, text in texts.items() if "##" in text})

    def _with_users(self, found: set[str]) -> frozenset[str]:
        """Macros, and those that mention one of them, directly or not."""
        users = {n: set(_WORD.findall(text)) for n, text in self.macros.items()} if found else {}
        while more := {name for name, words in users.items() if words & found} - found:
            found = found | more
        return frozenset(found)

    def _arguments(self, macros: Collection[str]) -> list[tuple[int, int]]:
        """Spans of the arguments of macros, in order, none in another."""
        found: list[tuple[int, int]] = []
        names = {name.encode() for name in macros}
        depth = start = 0
        after_name = False
        for span in self.spans if names else ():
            token = self.data[slice(*span)]
            if depth:
                depth += {b"(": 1, b")": -1}.get(token, 0)
                if not depth:
                    found.append((start, span[1]))
            elif after_name and token == b"(":
                depth, start = 1, span[0]
            after_name = token in names
        return found

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Spans of the arguments of quoting macros."""
        return self._arguments(self.quoting_macros)

    @cached_property
    def macro_arguments(self) -> list[tuple[int, int]]:
        """Spans of the arguments of any macro."""
        return self._arguments(self.macros)

    @cached_property
    def members(self) -> frozenset[str]:
        """Names of fields and labels of the text, which a macro may take for arguments."""
        kinds = {"field_identifier", "statement_identifier"}
        return frozenset(self.text(i) for i, kind in enumerate(self.kinds) if kind in kinds)

    def is_quoted(self, byte: int) -> bool:
        """Whether a byte stands in the arguments of a macro that makes text of them."""
        return _covers(self.quoted, byte)

    def is_macro_argument(self, byte: int) -> bool:
        """Whether a byte stands in the arguments of a macro."""
        return _covers(self.macro_arguments, byte)

    def in_directive(self, start: int, end: int) -> bool:
        """Whether a span touches a preprocessor line."""
        after = bisect_right(self.directives, end, key=itemgetter(0))
        return after > 0 and self.directives[after - 1][1] >= start

    def line_start(self, byte: int) -> int:
        """Where the line of a byte begins."""
        return self.data.rfind(b"\n", 0, byte) + 1

    def line_end(self, byte: int) -> int:
        """Where the line of a byte ends, before its line end."""
        end = self.data.find(b"\n", byte)
        if end < 0:
            return len(self.data)
        return end - 1 if end > byte and self.data[end - 1 : end] == b"\r" else end

    def is_joined(self, byte: int) -> bool:
        """Whether a backslash joins the line of a byte to the one before."""
        start = self.line_start(byte)
        return self.data[max(start - 3, 0) : start].rstrip(b"\r\n").endswith(b"\\")

    def indentation(self, byte: int) -> str | None:
        """The blanks before a byte on its line; None if anything else stands there."""
        before = self.slice(self.line_start(byte), byte)
        return None if before.strip(" \t") else before


def _covers(spans: list[tuple[int, int]], byte: int) -> bool:
    after = bisect_right(spans, byte, key=itemgetter(0))
    return after > 0 and byte < spans[after - 1][1]


def syntax_of(source: Source) -> Syntax:
    """The syntax of a source, made once.

    Examples
    --------
    >>> syntax = syntax_of(Source("x = 1", "python"))
    >>> [syntax.kinds[i] for i in syntax.children(1)]
    ['assignment']
    """
    return source.remember(("rewrite", "syntax"), lambda: _made(source))


def _made(source: Source) -> Syntax:
    tree = source.tree
    kinds, fields = tree.grammar.kinds, tree.grammar.fields
    return Syntax(
        source,
        [kinds[k] if k < len(kinds) else "ERROR" for k in tree.kind.tolist()],
        [fields[f] for f in tree.field.tolist()],
        tree.parent.tolist(),
        tree.size.tolist(),
        tree.start.tolist(),
        tree.end.tolist(),
    )


def apply_edits(data: bytes, edits: Iterable[Edit]) -> str:
    """Put edits into a text; those at one place keep their order.

    Examples
    --------
    >>> apply_edits(b"a + b", [Edit(4, 5, "c"), Edit(0, 1, "x")])
    'x + c'
    """
    pieces = []
    place = 0
    for start, end, text in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if start < place:
            raise ValueError("edits overlap")
        pieces += [data[place:start], text.encode("utf-8", "surrogatepass")]
        place = end
    pieces.append(data[place:])
    return b"".join(pieces).decode("utf-8", "surrogatepass")
