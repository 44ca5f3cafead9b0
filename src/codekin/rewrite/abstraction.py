"""Abstraction: programs without the names that people chose, at several levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from importlib import import_module
from itertools import takewhile
from pathlib import Path

from codekin.errors import CodekinError
from codekin.languages import NameRole
from codekin.represent.text.comments import docstring_nodes, uncommented
from codekin.represent.tree.flat_tree import FlatTree
from codekin.results import Grid, Result, count_text, written_text
from codekin.rewrite.identifiers import Identifier, identifiers, named_languages
from codekin.rewrite.program import TextEdit, apply_edits
from codekin.source import Source

__all__ = [
    "LEVELS",
    "NO_VOCABULARY",
    "Abstraction",
    "NameSurvey",
    "Vocabulary",
    "abstract",
    "level_named",
    "survey_names",
]

LEVELS = ("0", "1", "2", "3", "abs", "over")
"""The levels of abstraction; each of 1 to 3 includes those before it."""

_VARIABLE, _TYPE, _OBJECT, _FUNCTION = "var", "Type", "Obj", "fun"
_FORMS = {_VARIABLE: "variable", _TYPE: "type", _OBJECT: "object", _FUNCTION: "function"}
"""What each form of new names stands for."""
_FIRST = {_VARIABLE: 1, _TYPE: 0, _OBJECT: 1, _FUNCTION: 0}
"""The first number of each form of new names."""

_FORM = re.compile(rb"\b(?:var|Type|Obj|fun)\d+\b")
_TYPE_FORM, _FUNCTION_FORM = re.compile(r"Type\d+"), re.compile(r"fun\d+")
_WORDS = re.compile(r"(\w+)")
_OUTLINE = re.compile(r"[\s()a-z_]*", re.IGNORECASE)
_TYPES = (NameRole.TYPE, NameRole.RECEIVER)
_CALLABLE = (NameRole.CALL, NameRole.FUNCTION)
_MOST_ROUNDS = 20
"""Abstractions of a text with syntax errors; three are the most that any text needed so far."""


@dataclass(frozen=True)
class Vocabulary:
    """Names of a corpus, so that every text of it is abstracted alike.

    Attributes
    ----------
    functions : mapping of str to str
        New names of the functions and methods that are called, for level 3.
    types : frozenset of str
        The types that the corpus declares, which are abstracted from level 1 on.

    Examples
    --------
    >>> words = Vocabulary({"read": "fun0"}, frozenset({"Reader"})).to_mapping()
    >>> words
    {'call read': 'fun0', 'type Reader': 'Type'}
    >>> Vocabulary.from_mapping(words).functions
    {'read': 'fun0'}
    """

    functions: Mapping[str, str] = field(default_factory=dict)
    types: frozenset[str] = frozenset()

    @classmethod
    def of(cls, surveys: Iterable[NameSurvey], known: Vocabulary | None = None) -> Vocabulary:
        """The vocabulary of several texts, in their order; `known` is extended.

        A function gets the number of its first call, and no number that a text has already.
        """
        functions = {} if known is None else dict(known.functions)
        types = set() if known is None else set(known.types)
        taken, calls = set(functions.values()), []
        for one in surveys:
            types |= one.types
            taken |= one.taken
            calls.append(one.calls)
        given = {*functions, *functions.values()}
        new = dict.fromkeys(name for names in calls for name in names if name not in given)
        taken |= {name for name in new if _FUNCTION_FORM.fullmatch(name)}
        fresh = _Numbers(_FUNCTION, taken)
        for name in new:
            functions[name] = name if _FUNCTION_FORM.fullmatch(name) else fresh.take()
        return cls(functions, frozenset(one for one in types if not _TYPE_FORM.fullmatch(one)))

    @cached_property
    def new_names(self) -> frozenset[str]:
        """The new names of the functions."""
        return frozenset(self.functions.values())

    def to_mapping(self) -> dict[str, str]:
        """The vocabulary as one table, as corpora keep it."""
        calls = {f"call {name}": new for name, new in self.functions.items()}
        return calls | {f"type {name}": _TYPE for name in sorted(self.types)}

    @classmethod
    def from_mapping(cls, given: Mapping[str, str]) -> Vocabulary:
        """The vocabulary that :meth:`to_mapping` wrote."""
        functions, types = {}, set()
        for key, new in given.items():
            kind, _, name = key.partition(" ")
            if kind == "call" and _FUNCTION_FORM.fullmatch(new):
                functions[name] = new
            elif kind == "type" and name:
                types.add(name)
            else:
                raise CodekinError(
                    f"{key!r} does not belong in a vocabulary; abstract the corpus again"
                )
        return cls(functions, frozenset(types))


NO_VOCABULARY = Vocabulary()


@dataclass(frozen=True)
class NameSurvey:
    """What a vocabulary must know about a text.

    Attributes
    ----------
    calls : tuple of str
        The names that it calls, in the order of their first calls.
    taken : frozenset of str
        Names such as ``fun3`` that it has and keeps.
    types : frozenset of str
        The types that it declares.
    """

    calls: tuple[str, ...]
    taken: frozenset[str]
    types: frozenset[str]


@dataclass(frozen=True)
class Abstraction(Result):
    """A program without the names that people chose.

    Attributes
    ----------
    text : str
    level : str
        One of `LEVELS`.
    replaced : dict of str to str
        Every new name, and the name that it stands for.
    base : str
        The text at level 0.
    edits : tuple of TextEdit
        What was replaced in it, in bytes; empty for ``over``, which replaces everything.
    dropped : tuple of int
        Lines of the original text, from 0, that level 0 leaves out.
    parses : bool
        Whether the abstracted text has no syntax errors; False for ``over``, which is no program.
    original : str
        The text that was abstracted.
    """

    text: str
    level: str
    replaced: dict[str, str] = field(default_factory=dict)
    base: str = field(default="", repr=False)
    edits: tuple[TextEdit, ...] = field(default=(), repr=False)
    dropped: tuple[int, ...] = field(default=(), repr=False)
    parses: bool = True
    original: str = field(default="", repr=False, compare=False)

    @property
    def summary(self) -> str:
        """How much was replaced and left out.

        Examples
        --------
        >>> abstract(Source("int f(int n) { return n; } // n", "c")).summary
        '1 variable'
        """
        if self.level == "over":
            return "kinds of syntax alone"
        kinds = Counter(new.rstrip("0123456789") for new, old in self.replaced.items())
        parts = [count_text(kinds[form], noun) for form, noun in _FORMS.items() if kinds[form]]
        if self.dropped:
            parts.append(f"{count_text(len(self.dropped), 'line')} left out")
        return ", ".join(parts) or "nothing to replace"

    def grids(self) -> list[Grid]:
        """Every new name, what it stands for, and in how many places."""
        places = Counter(edit.text for edit in self.edits)
        cells = tuple((new, old, places[new]) for new, old in self.replaced.items())
        return [Grid("Names", ("new name", "stands for", "places"), cells, keys=2)]

    def conclusion(self) -> list[str]:
        """The level, and how much was replaced."""
        return [f"Level {self.level}: {self.summary}"]

    def to_html(self, path: str | Path | None = None, *, name: str = "Code") -> str:
        """The text beside its abstraction, and the names, as a page; also written to `path`.

        Parameters
        ----------
        path : str or Path, optional
        name : str
            What the page calls the text, such as its path.
        """
        page: str = import_module("codekin.report.abstraction_change").change_page(
            self.original, self, name
        )
        return written_text(page, path)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>{super()._repr_html_()}"


def level_named(level: int | str) -> str:
    """The name of a level in `LEVELS`.

    Examples
    --------
    >>> level_named(2), level_named("Abs")
    ('2', 'abs')
    """
    name = str(level).lower()
    if isinstance(level, bool) or name not in LEVELS:
        raise CodekinError(f"unknown level {level!r} (known: {', '.join(LEVELS)})")
    return name


def abstract(
    source: Source,
    level: int | str = 1,
    *,
    drop_imports: bool = False,
    vocabulary: Vocabulary | None = None,
) -> Abstraction:
    r"""Replace the names of a program by numbered ones.

    - Level 0 removes comments and the package line.
    - Level 1 also replaces variables (parameters, local variables, and fields that the text
      declares or that are free in it) by ``var1``, ``var2``, ... and the types that the text or
      the corpus declares by ``Type0``, ... The program does the same as before.
    - Level 2 also replaces all other types and static receivers by ``Obj1``, ... Primitive types
      stay.
    - Level 3 also replaces the functions that are called by ``fun0``, ... and declarations of
      them.
    - ``abs`` replaces variables, all types that the text mentions as such, and the name of the
      function that it consists of; calls, with their static receivers, and members stay.
    - ``over`` keeps the kinds of inner nodes of the syntax tree and nothing else.

    Names are numbered in the order of their first occurrence. No new name is one that the text
    has and keeps; strings, macros and what begins with ``std::`` stay as they are.

    A second abstraction changes nothing. How a text with syntax errors is read depends on the
    lengths of its names, so it is abstracted until nothing changes.

    Parameters
    ----------
    source : Source
        In one of :func:`codekin.rewrite.identifiers.named_languages`.
    level : int or str
        One of `LEVELS`.
    drop_imports : bool
        Whether imports at the top of the text are removed, too.
    vocabulary : Vocabulary, optional
        Names of the corpus that the program belongs to. Functions that it does not know are
        numbered after those that it knows.

    Returns
    -------
    Abstraction

    References
    ----------
    Yu et al., Assessing and improving an evaluation dataset for detecting semantic code clones via
    deep learning, TOSEM 31(4), 2022 (``abs``, ``over``).

    Examples
    --------
    >>> text = "int size(Box box) {\n    return Math.max(box.n, limit);\n}\n"
    >>> print(abstract(Source(text, "java"), 1).text, end="")
    int size(Box var1) {
        return Math.max(var1.n, var2);
    }
    >>> print(abstract(Source(text, "java"), 3).text, end="")
    int size(Obj1 var1) {
        return Obj2.fun0(var1.n, var2);
    }
    """
    name = level_named(level)
    known = NO_VOCABULARY if vocabulary is None else vocabulary
    _check_language(source)
    if name == "over":
        done = _over(source, drop_imports=drop_imports)
    else:
        done = _once(source, name, known, drop_imports=drop_imports)
        if not done.parses or source.problems:
            rounds = [done, *_rounds(done, source, known, drop_imports=drop_imports)]
            done = done if len(rounds) == 1 else _joined(rounds)
    return replace(done, original=source.text)


def _over(source: Source, *, drop_imports: bool) -> Abstraction:
    if _is_outline(source):
        return Abstraction(source.text, "over", base=source.text, parses=False)
    base, dropped = _bare(source, drop_imports=drop_imports)
    return Abstraction(_outline(base), "over", base=base.text, dropped=dropped, parses=False)


def _once(source: Source, level: str, known: Vocabulary, *, drop_imports: bool) -> Abstraction:
    base, dropped = _bare(source, drop_imports=drop_imports)
    if level == "0":
        return Abstraction(base.text, level, {}, base.text, (), dropped, not base.problems)
    replaced, edits = _renamed(base, _forms(base, level, known), level, known)
    text = apply_edits(base.data, edits)
    after = base if text == base.text else Source(text, base.language)
    return Abstraction(text, level, replaced, base.text, tuple(edits), dropped, not after.problems)


# Texts that do not parse.


def _rounds(
    done: Abstraction, source: Source, known: Vocabulary, *, drop_imports: bool
) -> list[Abstraction]:
    """Further abstractions until nothing changes.

    Where several texts lead to each other, the first of them in alphabetical order is the last,
    so that each of them leads to the same one.
    """
    rounds: list[Abstraction] = []
    texts = [done.text]
    while len(texts) < _MOST_ROUNDS:
        again = _once(
            Source(texts[-1], source.language), done.level, known, drop_imports=drop_imports
        )
        if again.text in texts:
            circle = texts.index(again.text)
            return rounds[: texts.index(min(texts[circle:]), circle)]
        texts.append(again.text)
        rounds.append(again)
    return rounds


def _joined(rounds: list[Abstraction]) -> Abstraction:
    """Several abstractions, each of the one before, as one; none of them adds a line."""
    first, last = rounds[0], rounds[-1]
    lines, new = first.base.split("\n"), last.text.split("\n")
    origin = [i for i in range(len(lines) + len(first.dropped)) if i not in first.dropped]
    kept = list(range(len(lines)))
    for one in rounds[1:]:
        kept = [line for place, line in enumerate(kept) if place not in one.dropped]
    dropped = {*first.dropped, *(origin[i] for i in set(range(len(lines))) - set(kept))}
    old = [lines[i] for i in kept]
    old += [""] * (len(new) - len(old))  # a last line without a line end was left out
    edits: list[TextEdit] = []
    start = 0
    for before, after in zip(old, new, strict=True):
        edits += _line_edits(before, after, start)
        start += len(before.encode("utf-8", "surrogatepass")) + 1
    base = "\n".join(old)
    data = base.encode("utf-8", "surrogatepass")
    names = {one.text: data[one.start : one.end].decode() for one in reversed(edits)}
    replaced = {
        name: names.get(name, name)
        for name in [*last.replaced, *reversed(names)]
        if _FORM.fullmatch(name.encode())
    }
    return replace(
        last, base=base, replaced=replaced, edits=tuple(edits), dropped=tuple(sorted(dropped))
    )


def _line_edits(old: str, new: str, start: int) -> Iterator[TextEdit]:
    """The words of a line that others replace; the whole line if more than words changed."""
    olds, news = _WORDS.split(old), _WORDS.split(new)
    if olds[::2] != news[::2]:
        olds, news = [old], [new]
    for before, after in zip(olds, news, strict=True):
        end = start + len(before.encode("utf-8", "surrogatepass"))
        if before != after:
            yield TextEdit(start, end, after)
        start = end


def survey_names(source: Source, *, drop_imports: bool = False) -> NameSurvey:
    """What a vocabulary must know about a program; see :meth:`Vocabulary.of`."""
    _check_language(source)
    base, _ = _bare(source, drop_imports=drop_imports)
    found = identifiers(base)
    functions = [one for one in found if one.role in _CALLABLE and not one.fixed]
    calls = dict.fromkeys(one.text for one in functions if one.role is NameRole.CALL)
    return NameSurvey(
        tuple(calls),
        frozenset(one for one in _kept_forms(base, functions) if _FUNCTION_FORM.fullmatch(one)),
        frozenset(one.text for one in found if one.role is NameRole.TYPE and one.declares),
    )


def _check_language(source: Source) -> None:
    if source.language.names is None:
        raise CodekinError(
            f"{source.language.title} cannot be abstracted; languages that can be: "
            f"{', '.join(named_languages())}"
        )


# Level 0.


def _bare(source: Source, *, drop_imports: bool) -> tuple[Source, tuple[int, ...]]:
    """The source without comments, package line and, if wanted, imports; and dropped lines."""
    return source.remember(
        ("level 0", drop_imports), lambda: _make_bare(source, drop_imports=drop_imports)
    )


def _make_bare(source: Source, *, drop_imports: bool) -> tuple[Source, tuple[int, ...]]:
    bodies = _lone_docstrings(source)
    kept = source
    if bodies:
        kept = Source(apply_edits(source.data, bodies), source.language)
    tree, reader = kept.tree, kept.language.names
    assert reader is not None
    kinds = reader.packages | reader.imports if drop_imports else reader.packages
    spans = [
        _statement_span(kept.data, int(tree.start[child]), int(tree.end[child]))
        for child in (tree.children(0) if kinds and len(tree) else ())
        if tree.kind_name(child) in kinds
    ]
    for strings, _ in _leading_strings(tree):
        spans += [(int(tree.start[one]), int(tree.end[one])) for one in strings]
    done = uncommented(tree, kept.data, also=spans)
    if done.text == source.text:
        return source, ()
    dropped = _before_edits(source.data, bodies, done.dropped) if bodies else done.dropped
    return Source(done.text, source.language), dropped


def _leading_strings(tree: FlatTree) -> Iterator[tuple[list[int], bool]]:
    """The strings that begin a body that has a docstring, and whether it has nothing else.

    The second one would be the docstring if only the first were removed.
    """
    for node in docstring_nodes(tree).tolist():
        body = int(tree.parent[tree.parent[node]])
        statements = [i for i in tree.children(body) if tree.kind_name(i) != "comment"]
        strings = list(takewhile(lambda i: _is_string(tree, i), statements))
        yield strings, len(strings) == len(statements) and tree.kind_name(body) != "module"


def _is_string(tree: FlatTree, statement: int) -> bool:
    return (
        tree.kind_name(statement) == "expression_statement"
        and tree.kind_name(statement + 1) == "string"
        and tree.size[statement] == tree.size[statement + 1] + 1
    )


def _lone_docstrings(source: Source) -> list[TextEdit]:
    """Edits that put ``pass`` where strings are all that there is in a body."""
    tree = source.tree
    return [
        TextEdit(int(tree.start[strings[0]]), int(tree.end[strings[-1]]), "pass")
        for strings, alone in _leading_strings(tree)
        if alone
    ]


def _before_edits(data: bytes, edits: list[TextEdit], dropped: Iterable[int]) -> tuple[int, ...]:
    """The lines of a text that edits, which join lines, and then the removal of others leave."""
    joined = set()
    for start, end, _ in edits:
        first = data.count(b"\n", 0, start)
        joined |= set(range(first + 1, first + 1 + data.count(b"\n", start, end)))
    lines = data.count(b"\n") + 1
    kept = [line for line in range(lines) if line not in joined]
    return tuple(sorted(joined | {kept[line] for line in dropped}))


def _statement_span(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The span of a statement without its line end, with a semicolon that separates it."""
    end = start + len(data[start:end].rstrip())
    after = re.compile(rb"[ \t]*;").match(data, end)
    return start, after.end() if after else end


# Over-Abs.


def _outline(source: Source) -> str:
    """The inner nodes of the tree in brackets, one line for each child of the root."""
    tree = source.tree
    named = tree.grammar.named[tree.kind]
    inner = [i for i in range(len(tree)) if named[i] and tree.size[i] > 1]
    pieces: list[str] = []
    ends: list[int] = []
    for node in inner:
        while ends and node >= ends[-1]:
            ends.pop()
            pieces.append(")")
        pieces += ["\n" if len(ends) == 1 else " ", "(", tree.kind_name(node)]
        ends.append(node + int(tree.size[node]))
    return "".join([*pieces, ")" * len(ends)]).strip() + "\n" if pieces else ""


def _is_outline(source: Source) -> bool:
    """Whether a text is what :func:`_outline` makes."""
    text = source.text
    if not text.startswith("(") or not _OUTLINE.fullmatch(text):
        return False
    kinds = source.grammar.kind_numbers.keys() | {"ERROR"}
    return set(re.findall(r"\w+", text)) <= kinds and text.count("(") == text.count(")")


# Levels 1 to 3 and Abs.


def _forms(base: Source, level: str, known: Vocabulary) -> list[tuple[Identifier, str]]:
    """The identifiers to replace, and the form of each new name."""
    found = [one for one in identifiers(base) if not one.fixed]
    types: Container[str] = known.types
    called: Container[str] = ()
    if level == "abs":
        types = {one.text for one in found if one.role is NameRole.TYPE}
    elif level == "3":
        called = {
            one.text for one in found if one.role is NameRole.CALL or one.text in known.functions
        }
    forms = ((one, _form(one, level, types, called)) for one in found)
    return [(one, form) for one, form in forms if form]


def _form(one: Identifier, level: str, types: Container[str], called: Container[str]) -> str:
    if one.role is NameRole.VARIABLE:
        return _VARIABLE
    if one.role in _TYPES:
        if one.declared or one.text in types or _TYPE_FORM.fullmatch(one.text):
            return _TYPE
        return _OBJECT if level in {"2", "3"} else ""
    if one.role in _CALLABLE:
        return _FUNCTION if one.text in called or (level == "abs" and one.own) else ""
    return ""


def _renamed(
    base: Source, forms: list[tuple[Identifier, str]], level: str, known: Vocabulary
) -> tuple[dict[str, str], list[TextEdit]]:
    """Every new name with the old one, and the edits that replace old names."""
    taken = _kept_forms(base, [one for one, _ in forms])
    names: dict[tuple[str, str], str] = {}
    if level == "3":
        functions = _function_names(
            (one.text for one, form in forms if form == _FUNCTION), taken, known
        )
        names |= {(_FUNCTION, old): new for old, new in functions.items()}
    numbers = {form: _Numbers(form, taken) for form in _FIRST}
    edits = []
    for one, form in forms:
        key = (form, one.text)
        if key not in names:
            names[key] = numbers[form].take()
        edits.append(TextEdit(one.start, one.end, names[key]))
    used = dict.fromkeys((form, one.text) for one, form in forms)
    return {names[key]: key[1] for key in used}, edits


def _function_names(
    olds: Iterable[str], taken: frozenset[str], known: Vocabulary
) -> dict[str, str]:
    """New names of functions: those of the vocabulary where the text does not have them."""
    wanted = dict.fromkeys(olds)
    own = {old for old in wanted if _FUNCTION_FORM.fullmatch(old)}
    names = {old: old for old in own}
    fresh = _Numbers(_FUNCTION, taken | own, known.new_names)
    for old in wanted:
        new = known.functions.get(old)
        if old not in own:
            if new is None or new in taken or new in own:
                new = fresh.take()
            names[old] = new
    return names


def _kept_forms(base: Source, replaced: Iterable[Identifier]) -> frozenset[str]:
    """Names such as ``var1`` in what remains of a text."""
    if not _FORM.search(base.data):
        return frozenset()
    data = bytearray(base.data)
    for one in replaced:
        data[one.start : one.end] = b" " * (one.end - one.start)
    return frozenset(word.decode() for word in _FORM.findall(bytes(data)))


class _Numbers:
    """New names of one form, in order, without those that are taken."""

    def __init__(self, form: str, *taken: Container[str]) -> None:
        self._form, self._next = form, _FIRST[form]
        self._taken = taken

    def take(self) -> str:
        while True:
            name = f"{self._form}{self._next}"
            self._next += 1
            if not any(name in one for one in self._taken):
                return name
