"""A program to rewrite: its syntax, the facts of its language, and edits of its text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from codekin.languages.language import Language
from codekin.languages.rewriting import Rewriting
from codekin.languages.syntax import Syntax, covers, touches
from codekin.languages.token_classes import TokenClass
from codekin.represent.text.comments import docstring_nodes
from codekin.source import Source

__all__ = ["Program", "TextEdit", "apply_edits", "program_of"]


class TextEdit(NamedTuple):
    """A span of bytes and the text that replaces it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, eq=False)
class Program(Syntax):
    """The syntax of a source, with the rewriting facts of its language.

    Attributes
    ----------
    source : Source
        The parsed text.
    facts : Rewriting
        The facts that the changes rely on.
    """

    source: Source
    facts: Rewriting = field(repr=False)

    @property
    def language(self) -> Language:
        """The language of the source."""
        return self.source.language

    def replaced(self, node: int, text: str) -> TextEdit:
        """The edit that replaces a node by a text."""
        return TextEdit(self.starts[node], self.ends[node], text)

    @cached_property
    def docstrings(self) -> frozenset[int]:
        """The strings that are documentation."""
        return frozenset(docstring_nodes(self.source.tree).tolist())

    @cached_property
    def directives(self) -> list[tuple[int, int]]:
        """Spans of preprocessor lines."""
        return self.facts.directives(self)

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Spans of code that the program can also read as text."""
        return self.facts.quoted(self)

    def in_directive(self, start: int, end: int) -> bool:
        """Whether a span touches a preprocessor line."""
        return touches(self.directives, start, end)

    def is_quoted(self, byte: int) -> bool:
        """Whether a byte is in code that the program can also read as text."""
        return covers(self.quoted, byte)


def program_of(source: Source, facts: Rewriting) -> Program:
    """The syntax of a source with facts of its language; cached.

    Examples
    --------
    >>> source = Source("x = 1", "python")
    >>> program = program_of(source, source.language.rewriting)
    >>> [program.kinds[i] for i in program.children(1)]
    ['assignment']
    """
    return source.remember(("rewrite", "program"), lambda: _build(source, facts))


def _build(source: Source, facts: Rewriting) -> Program:
    tree = source.tree
    kinds, fields = tree.grammar.kinds, tree.grammar.fields
    tokens = source.tokens_with(comments=True)
    code = tokens.classes < TokenClass.NEWLINE
    return Program(
        source.data,
        [kinds[k] if k < len(kinds) else "ERROR" for k in tree.kind.tolist()],
        [fields[f] for f in tree.field.tolist()],
        tree.grammar.named[tree.kind].tolist(),
        tree.parent.tolist(),
        tree.size.tolist(),
        tree.start.tolist(),
        tree.end.tolist(),
        list(zip(tokens.starts[code].tolist(), tokens.ends[code].tolist(), strict=True)),
        source,
        facts,
    )


def apply_edits(data: bytes, edits: Iterable[TextEdit]) -> str:
    """Apply edits to a text; edits at the same place keep their order.

    Examples
    --------
    >>> apply_edits(b"a + b", [TextEdit(4, 5, "c"), TextEdit(0, 1, "x")])
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
