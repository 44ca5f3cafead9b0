"""A program to be changed: its syntax, the facts of its language, and edits of its text."""

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
    """A span of bytes and the text that takes its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, eq=False)
class Program(Syntax):
    """The syntax of a source, with what its language says about changes.

    Attributes
    ----------
    source : Source
        What was parsed.
    facts : Rewriting
        What the changes go by.
    """

    source: Source
    facts: Rewriting = field(repr=False)

    @property
    def language(self) -> Language:
        """The language of the source."""
        return self.source.language

    def replaced(self, node: int, text: str) -> TextEdit:
        """The edit that puts a text in the place of a node."""
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
        """Spans of code that the program also sees as text."""
        return self.facts.quoted(self)

    def in_directive(self, start: int, end: int) -> bool:
        """Whether a span touches a preprocessor line."""
        return touches(self.directives, start, end)

    def is_quoted(self, byte: int) -> bool:
        """Whether a byte is in code that the program also sees as text."""
        return covers(self.quoted, byte)


def program_of(source: Source, facts: Rewriting) -> Program:
    """The syntax of a source with facts of its language, made once.

    Examples
    --------
    >>> source = Source("x = 1", "python")
    >>> program = program_of(source, source.language.rewriting)
    >>> [program.kinds[i] for i in program.children(1)]
    ['assignment']
    """
    return source.remember(("rewrite", "program"), lambda: _made(source, facts))


def _made(source: Source, facts: Rewriting) -> Program:
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
    """Put edits into a text; those at one place keep their order.

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
