"""Source: a text of code with its language; everything derived from it is computed once."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from codekin.errors import CodekinError
from codekin.languages import Language, get_language, language_of_named_file, languages
from codekin.languages.language import Grammar
from codekin.opening import MOST_CODE_BYTES, read_file
from codekin.represent.flow.flow_ir import FlowIR
from codekin.represent.flow.lowering import lower
from codekin.represent.graph.building import graph_of_flow, graph_options
from codekin.represent.graph.selection import sliced
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.represent.text.brackets import Bracket, unmatched_brackets
from codekin.represent.text.detection import detect_language, faults_in
from codekin.represent.text.layout import Misplaced, misplaced
from codekin.represent.text.lexemes import Lexemes, lex
from codekin.represent.text.macros import expand_macros
from codekin.represent.text.positions import Positions
from codekin.represent.text.problems import Problem, problems, unread_places
from codekin.represent.text.tokens import Tokens, tokenize
from codekin.represent.text.words import word_lexemes, word_tokens
from codekin.represent.tree.flat_tree import FlatTree, flatten
from codekin.represent.tree.parsing import fitting_grammar

__all__ = [
    "NamedSource",
    "Source",
    "decode",
    "is_unicode",
    "program_slice",
    "read_bytes",
    "semantic_graph",
    "sources_of_one_language",
    "unread_note",
]

_T = TypeVar("_T")
_MAX_BYTES = 2**31 - 1
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16's, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Source:
    r"""A text of code and its language.

    Everything derived from the text (tree, tokens, n-grams, ...) is computed on first use and
    cached, so a Source that is compared several times is parsed once.

    Parameters
    ----------
    text : str
        The code.
    language : str or Language, optional
        Name or alias. By default, it is detected by parsing as soon as something needs it;
        measures of characters never do.

    Examples
    --------
    >>> source = Source("def double(x):\n    return 2 * x\n", "python")
    >>> source.tokens.texts
    ['def', 'double', '(', 'x', ')', ':', '⏎', '⇥', 'return', '2', '*', 'x', '⏎', '⇤']
    >>> source.problems
    ()
    """

    def __init__(self, text: str, language: str | Language | None = None) -> None:
        if not isinstance(text, str):
            raise CodekinError(
                f"code must be a str, not {type(text).__name__}; decode bytes first or use "
                "Source.from_file"
            )
        self._text = text
        self._evidence = ""
        if language is not None:
            self.language = language if isinstance(language, Language) else get_language(language)
        self._kept: dict[Hashable, Any] = {}

    @property
    def text(self) -> str:
        """The code; read-only, since everything else is derived from it."""
        return self._text

    @classmethod
    def from_file(cls, path: str | Path, language: str | Language | None = None) -> Source:
        """Read a file; its suffix names the language unless `language` does.

        UTF-8, with or without a byte order mark, and UTF-16 with one are read as such; any other
        file is read as Latin-1, which maps every byte to a character. A file is considered binary
        and rejected if its first 8,192 bytes contain a NUL or, if it is not UTF-8, more than one
        control character in twenty.
        """
        path = Path(path)
        text = decode(read_bytes(path), str(path))
        if language is None:
            language = language_of_named_file(path)
        if language is None:
            try:
                language = detect_language(text)
            except CodekinError as error:
                raise CodekinError(f"{path}: {error}") from None
        return cls(text, language)

    def remember(self, key: Hashable, compute: Callable[[], _T]) -> _T:
        """The cached value of a key, computed on first use."""
        try:
            kept: _T = self._kept[key]
        except KeyError:
            kept = self._kept[key] = compute()
        return kept

    @cached_property
    def language(self) -> Language:
        """The language, detected on first use if it was not given."""
        return detect_language(self._evidence or self._text)

    @cached_property
    def data(self) -> bytes:
        """The text in UTF-8, as parsers and kernels read it."""
        data = self.text.encode("utf-8", "surrogatepass")
        if len(data) > _MAX_BYTES:
            raise CodekinError(f"a text of {len(data):,} bytes is too long; the limit is 2 GiB")
        return data

    @cached_property
    def grammar(self) -> Grammar:
        """The tree-sitter grammar that reads this text."""
        return fitting_grammar(self.language, self.text)

    @cached_property
    def tree(self) -> FlatTree:
        """The syntax tree of the text as it is written."""
        return flatten(self.grammar, self.data)

    @cached_property
    def first_tree(self) -> FlatTree:
        """The tree by the language's first grammar, which other packages use."""
        grammar, first = self.grammar, self.language.grammars[0]
        return self.tree if grammar is first else flatten(first, self.data)

    @cached_property
    def expanded(self) -> Source:
        """The source with its own macros expanded, if that helps the parser.

        `tree`, `tokens` and `problems` are always those of the text as written. This is the same
        source unless the language has macros, the text has problems and a ``#define``, and the
        expanded text has fewer problems.
        """
        if not self.language.macros or "define" not in self.text or not self.problems:
            return self
        expanded = Source(expand_macros(self.text), self.language)
        return expanded if len(expanded.problems) < len(self.problems) else self

    @cached_property
    def positions(self) -> Positions:
        """Lines and columns of the text."""
        return Positions(self.data)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What the parser could not read, with positions; empty for code that parses.

        Parsers read over wrong indentation; where that counts, it is a problem, too.
        """
        if not self.language.grammars:
            return ()
        checks = self._unmatched_brackets, self._misplaced
        return problems(self.tree, self.data, self.positions, *checks)

    @property
    def was_parsed_with_problems(self) -> bool:
        """Whether it was parsed already, and the parser could not read all of it."""
        read = vars(self).get("expanded", self)
        return "tree" in vars(read) and bool(problems(read.tree, read.data, read.positions))

    def _unmatched_brackets(self) -> tuple[Bracket, ...]:
        lexemes = self.lexemes
        if lexemes.unread:
            return ()
        return unmatched_brackets(lexemes, directives=self.language.macros)

    def _misplaced(self) -> tuple[Misplaced, ...]:
        lexical = self.language.lexical
        if not lexical.layout:
            return ()
        lexemes = self.lexemes_with(comments=True)
        return () if lexemes.unread else misplaced(lexemes, lexical)

    @cached_property
    def flow_ir(self) -> FlowIR:
        """The operations and control flow of the program, in a form common to all languages."""
        table = self.language.lowering
        if table is None:
            known = ", ".join(each.name for each in languages() if each.lowering is not None)
            raise CodekinError(
                f"no semantic graphs for {self.language.title}; languages that have them: {known}"
            )
        return lower(self.tree, self.data, table)

    @property
    def tokens(self) -> Tokens:
        """The tokens, without comments and docstrings."""
        return self.tokens_with(comments=False)

    def tokens_with(self, *, comments: bool) -> Tokens:
        """The tokens, optionally with comments and docstrings."""
        return self.remember(
            ("tokens", comments),
            lambda: (
                word_tokens(self.data, self.positions)
                if self.language.prose
                else tokenize(
                    self.tree, self.data, self.language, self.positions, comments=comments
                )
            ),
        )

    @property
    def lexemes(self) -> Lexemes:
        """The lexemes, found without a parser; without comments and docstrings."""
        return self.lexemes_with(comments=False)

    def lexemes_with(self, *, comments: bool) -> Lexemes:
        """The lexemes, optionally with comments and docstrings."""
        return self.remember(
            ("lexemes", comments),
            lambda: (
                word_lexemes(self.data, self.positions)
                if self.language.prose
                else lex(self.data, self.language.lexical, self.positions, comments=comments)
            ),
        )

    def __repr__(self) -> str:
        lines = self.text.count("\n") + bool(self.text and not self.text.endswith("\n"))
        first = next((line for line in self.text.splitlines() if line.strip()), "")
        shown = first.strip() if len(first.strip()) <= 40 else first.strip()[:39] + "…"
        known = self.__dict__.get("language", "undetected")
        return f"<Source {known} {lines} lines {shown!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Source):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Any, ...]:
        return Source, self._identity()

    def _identity(self) -> tuple[str, str | None]:
        """The text and the language if known; comparing never detects a language."""
        language = self.__dict__.get("language")
        return self._text, None if language is None else language.name


@dataclass(frozen=True)
class NamedSource:
    """A source and where it came from.

    Attributes
    ----------
    name : str
        The file, or ``<stdin>``.
    source : Source
    size : int
        Its bytes as they were read.
    """

    name: str
    source: Source
    size: int


def semantic_graph(
    text: str | Source,
    language: str | Language | None = None,
    *,
    granularity: str = "operation",
    labels: str = "operator",
    literals: bool = False,
    preset: str | None = None,
    **options: Any,
) -> SemanticGraph:
    r"""The graph of what a program does: operations, and why they depend on each other.

    Any text has one, even fragments and code with errors. A Source caches its graphs.

    Parameters
    ----------
    text : str or Source
        The code.
    language : str or Language, optional
        Name or alias; detected by default. A Source has its own.
    granularity : str
        ``"operation"``, or ``"statement"``: the operations of a statement as one node.
    labels : str
        ``"operator"``, ``"operator+literal"``, ``"category"`` or ``"type"``.
    literals : bool
        Whether constants are nodes.
    preset : str, optional
        ``"joern"``: the conventions of Joern's graphs.
    **options
        The rest of :class:`~codekin.represent.graph.parts.GraphOptions`.

    Returns
    -------
    SemanticGraph

    References
    ----------
    Ferrante, Ottenstein and Warren, The program dependence graph and its use in optimization,
    TOPLAS 9(3), 1987.

    Examples
    --------
    >>> graph = semantic_graph("def double(x):\n    return 2 * x\n", "python")
    >>> [node.label for node in graph.nodes()]
    ['root', 'entry:double', 'param', '*', 'return']
    >>> graph.successors(2)
    [3]
    """
    options |= {"granularity": granularity, "labels": labels, "literals": literals}
    chosen = graph_options(preset, **options)
    source = text if isinstance(text, Source) else Source(text, language)
    return source.remember(
        ("semantic graph", chosen),
        lambda: graph_of_flow(
            source.flow_ir, chosen, language=source.language.name, text=source.data
        ),
    )


def program_slice(
    text: str | Source,
    line: int,
    variable: str | None = None,
    *,
    language: str | Language | None = None,
    granularity: str = "operation",
    labels: str = "operator",
    literals: bool = False,
) -> SemanticGraph:
    r"""The backward slice of a program: everything on which a line depends, as a graph.

    It follows values, decisions, jumps and calls, in all functions of the text. The slice may have
    more than the line needs: a call, for one, reads all that the functions it runs may read.

    Parameters
    ----------
    text : str or Source
        The code.
    line : int
        From 1.
    variable : str, optional
        A variable that the line uses or defines: only its value there, and whether the line runs,
        are followed. By default, everything on the line is.
    language : str or Language, optional
        Name or alias; detected by default. A Source has its own.
    granularity, labels, literals
        As for :func:`semantic_graph`.

    Returns
    -------
    SemanticGraph
        The part of the graph in the slice, with the entries of its functions.

    Raises
    ------
    CodekinError
        If the text has no such line, or the line no such variable.

    References
    ----------
    Horwitz, Reps and Binkley, Interprocedural slicing using dependence graphs, TOPLAS 12(1), 1990.

    Examples
    --------
    >>> code = "a = read()\nb = read()\nc = a + 1\nd = b + c\n"
    >>> sorted(set(program_slice(code, 4, "c", language="python").lines.tolist()) - {0})
    [1, 3, 4]
    """
    if isinstance(line, bool) or not hasattr(line, "__index__"):
        raise CodekinError(f"line must be a whole number from 1, such as 3, not {line!r}")
    # With jumps and without folding, deleting what is not in a slice does not affect it.
    source = text if isinstance(text, Source) else Source(text, language)
    graph = semantic_graph(source, labels=labels, literals=literals, jumps=True, fold=False)
    part = sliced(graph, source.flow_ir, line, variable)
    if granularity == "operation":
        return part
    replace(part.options, granularity=granularity)  # which refuses unknown ones
    return part.by_statement()


def sources_of_one_language(
    texts: Sequence[Source | str], language: str | Language | None
) -> list[Source]:
    """Make Sources of texts; those without a language share one.

    The shared language is that of the first Source with a known one, or else it is detected from
    all texts together on first use; if all texts are blank, it is the first registered language.
    """
    if language is None:
        known = (t.__dict__.get("language") for t in texts if isinstance(t, Source))
        language = next((each for each in known if each is not None), None)
    evidence = ""
    if language is None:
        evidence = "\n".join(t for t in texts if isinstance(t, str) and t.strip())
        if not evidence:
            language = languages()[0]
    sources = []
    for text in texts:
        source = text if isinstance(text, Source) else Source(text, language)
        if source is not text:
            source._evidence = evidence
        sources.append(source)
    return sources


def unread_note(source: Source, what: str = "") -> str:
    """How many places of a text did not parse, and the language in which all of it does, if any.

    Parameters
    ----------
    source : Source
        With problems.
    what : str
        What to add about the places.

    Examples
    --------
    >>> unread_note(Source("def twice(x): return x", "java")).rpartition("; ")[2]
    'the text parses as python'
    """
    note = unread_places(source.problems) + what
    try:
        other = detect_language(source.text)
    except CodekinError:
        return note
    fits = other != source.language and not faults_in(source.text, other)
    return f"{note}; the text parses as {other.name}" if fits else note


def read_bytes(path: Path) -> bytes:
    """The content of a file that the user named; problems are raised as CodekinError."""
    return read_file(path, limit=MOST_CODE_BYTES, typed=True)


def is_unicode(data: bytes) -> bool:
    """Whether bytes are UTF-8 or have a byte order mark, so that they are not read as Latin-1."""
    if data.startswith(tuple(mark for mark, _ in _BYTE_ORDER_MARKS)):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def decode(data: bytes, name: str) -> str:
    """Decode the bytes of a file; the error for binary content mentions `name`."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    start = data[:8192]
    if b"\0" in start:
        raise CodekinError(f"{name}: looks binary (it has NUL bytes); only text can be read")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        controls = len(start) - len(start.translate(None, _CONTROLS))
        if controls * 20 > len(start):
            raise CodekinError(
                f"{name}: looks binary (no UTF-8, and full of control characters); only text can "
                "be read"
            ) from None
        return data.decode("latin-1")
