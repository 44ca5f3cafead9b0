"""Expansion: a function followed by the functions of its file that it calls."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.languages.lowering_rules import Shape
from codekin.languages.token_classes import TokenClass
from codekin.represent.flow.calls import resolve_calls
from codekin.represent.flow.flow_ir import CallShape, FunctionKind
from codekin.represent.tree.fragments import functions_of
from codekin.source import Source

__all__ = ["Expansion", "WholeFile", "expand", "file_calls"]

_QUALIFIER = re.compile(rb"([\w:]*\w)\s*::")
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Expansion:
    """A snippet with the functions that it calls.

    Attributes
    ----------
    text : str
        The snippet as it was given, followed by the functions, with a blank line before each.
    functions : tuple of str
        The names of the functions that were added: those that the snippet calls in the order of
        the calls, then those that these call.
    depth : int
        How many calls lead from the snippet to the last of them; 0 where nothing was added.
    places : int
        How often the snippet occurs in the file; 0 where it was not found.
    """

    text: str
    functions: tuple[str, ...]
    depth: int
    places: int


class _Function(NamedTuple):
    """A function of a file: its name, and where it, its syntax node and its body begin and end."""

    name: str
    start: int
    node_start: int
    body: int
    end: int


class _Region(NamedTuple):
    """A class or a namespace, with the words of its head, which name the classes it extends."""

    name: str
    start: int
    end: int
    head: tuple[str, ...]


class _Regions:
    """The classes or the namespaces of a file, outer ones first."""

    def __init__(self, regions: Sequence[_Region]) -> None:
        self._regions = regions
        self._starts = [one.start for one in regions]
        self._parents: list[int] = []
        self.bases: dict[str, list[str]] = {}
        for i, one in enumerate(regions):
            self._parents.append(self._innermost(i - 1, one.start))
            self.bases.setdefault(one.name, []).extend(one.head)

    def _innermost(self, i: int, byte: int) -> int:
        """The innermost region around a byte, of those that begin no later than region i."""
        while i >= 0 and self._regions[i].end <= byte:
            i = self._parents[i]
        return i

    def around(self, byte: int) -> Iterator[str]:
        """The names of the regions around a byte, the innermost first."""
        i = self._innermost(bisect_right(self._starts, byte) - 1, byte)
        while i >= 0:
            yield self._regions[i].name
            i = self._parents[i]


class _Call(NamedTuple):
    """A call: where it begins, and the functions that it may run, in the order of the file."""

    start: int
    targets: tuple[int, ...]


FileCalls = tuple[list[_Function], list[_Call]]
"""The functions of a file, and the calls among them."""


def file_calls(language: str, text: str) -> FileCalls:
    """The functions of a file, and the calls among them, for a :class:`WholeFile`."""
    whole = WholeFile(text, language)
    return whole.functions, whole.calls


def expand(
    code: str, file: str | WholeFile, language: str | Language, *, depth: int | None = None
) -> Expansion:
    r"""Add to a function those functions of its file that it calls, directly or through others.

    The snippet is found in its file whatever the layout of either. If it occurs several times, the
    first occurrence counts; text in which no function is defined, such as a comment, does not.

    A call without a receiver, on ``this`` (``self``, ``super``) or on the name of a class means a
    function of that class, of a class that it extends or, without a receiver, of a class around
    it or of no class. A call on a variable counts only if the variable is declared with a class of
    the file. All other receivers may be objects of classes elsewhere, and their calls are left
    alone; so are constructors, which do nothing without a class, and functions that are passed
    without being called. Among overloads the number of arguments decides; where several fit, all
    of them are added.

    Parameters
    ----------
    code : str
        The snippet, usually one function.
    file : str or WholeFile
        The text of its file. Several snippets of a file share the work if it is a WholeFile.
    language : str or Language
        One that has semantic graphs.
    depth : int, optional
        How many calls may lead from the snippet to an added function; any number by default.

    Returns
    -------
    Expansion

    Examples
    --------
    >>> file = '''
    ... class Report {
    ...     void print() { line(title()); other.close(); }
    ...     void line(String text) { System.out.println(text); }
    ...     String title() { return "Report"; }
    ...     void close() { }
    ... }
    ... '''
    >>> found = expand("void print() { line(title()); other.close(); }", file, "java")
    >>> found.functions, found.depth
    (('line', 'title'), 1)
    >>> print(found.text)
    void print() { line(title()); other.close(); }
    <BLANKLINE>
        void line(String text) { System.out.println(text); }
    <BLANKLINE>
        String title() { return "Report"; }
    """
    if depth is not None and depth < 1:
        raise CodekinError(f"depth must be a whole number from 1, not {depth}")
    whole = file if isinstance(file, WholeFile) else WholeFile(file, language)
    return whole.expand(code, depth)


class WholeFile:
    """A file whose snippets are expanded: its functions, and which of them call which.

    Parameters
    ----------
    text : str
    language : str or Language
    known : FileCalls, optional
        What :func:`file_calls` found in it, so that it need not be parsed again.
    """

    def __init__(self, text: str, language: str | Language, known: FileCalls | None = None) -> None:
        self.source = Source(text, language)
        if known is not None:
            self.functions, self.calls = known

    def expand(self, code: str, depth: int | None = None) -> Expansion:
        """Expand a snippet of the file; see :func:`expand`."""
        places = self._places(code.strip())
        if not places:
            return Expansion(code, (), 0, 0)
        added, reached = self._callees(*places[0], depth)
        indent = code[: len(code) - len(code.lstrip())].rpartition("\n")[2]
        parts = [code.rstrip(), *(self._text(one, indent) for one in added)]
        tail = code[len(code.rstrip()) :]
        names = tuple(one.name for one in added)
        return Expansion("\n\n".join(parts) + tail, names, reached, len(places))

    def _places(self, code: str) -> list[tuple[int, int]]:
        """Where the snippet occurs, in bytes; without the places that define no function."""
        if not code:
            return []
        text = self.source.text
        found = list(_occurrences(text, code)) or list(self._however_laid_out(code))
        spans = [(_bytes(text[:start]), _bytes(text[:end])) for start, end in found]
        defining = [span for span in spans if any(self._within(*span))]
        return defining or spans[:1]

    def _however_laid_out(self, code: str) -> Iterator[tuple[int, int]]:
        """The occurrences when whitespace does not count."""
        squeezed = "".join(code.split())
        for start, end in _occurrences("".join(self.source.text.split()), squeezed):
            yield self._solid[start], self._solid[end - 1] + 1

    @cached_property
    def _solid(self) -> list[int]:
        """The places of all characters other than whitespace."""
        return [i for i, character in enumerate(self.source.text) if not character.isspace()]

    def _within(self, start: int, end: int) -> Iterator[_Function]:
        """The functions whose body is between two bytes."""
        return (one for one in self.functions if start <= one.body and one.end <= end)

    def _callees(self, start: int, end: int, depth: int | None) -> tuple[list[_Function], int]:
        """The functions that are reached from a part of the file, nearest first."""
        seen = set(self._within(start, end))
        added: list[_Function] = []
        layer, reached = [(start, end)], 0
        while layer and (depth is None or reached < depth):
            called = [
                self.functions[target]
                for first, last in layer
                for call in self._calls_between(first, last)
                for target in call.targets
            ]
            new = [one for one in dict.fromkeys(called) if one not in seen]
            seen.update(new)
            added += new
            layer = [(one.start, one.end) for one in new]
            reached += bool(new)
        return _outermost(added), reached

    def _calls_between(self, start: int, end: int) -> list[_Call]:
        starts = self._call_starts
        return self.calls[bisect_left(starts, start) : bisect_left(starts, end)]

    def _text(self, function: _Function, indent: str) -> str:
        """A function as it is written; where indentation matters, at that of the snippet."""
        data = self.source.data[function.start : function.end]
        if not self.source.language.layout:
            return data.decode("utf-8", "surrogatepass")
        return self._indented(function, indent.encode()).decode("utf-8", "surrogatepass")

    def _indented(self, function: _Function, indent: bytes) -> bytes:
        data = self.source.data
        head = data[function.start : function.end]
        old = head[: len(head) - len(head.lstrip(b" \t"))]
        lines, place = [], function.start
        for line in head.splitlines(keepends=True):
            moves = line.startswith(old) and line.strip() and not self._in_text(place)
            lines.append(indent + line[len(old) :] if moves else line)
            place += len(line)
        return b"".join(lines)

    def _in_text(self, byte: int) -> bool:
        """Whether a line begins inside of a string."""
        starts, ends = self._strings
        at = bisect_left(starts, byte) - 1
        return at >= 0 and byte < ends[at]

    @cached_property
    def _strings(self) -> tuple[list[int], list[int]]:
        tokens = self.source.tokens_with(comments=True)
        kinds = (TokenClass.STRING, TokenClass.DOCSTRING)
        chosen = np.isin(tokens.classes, kinds)
        return tokens.starts[chosen].tolist(), tokens.ends[chosen].tolist()

    @cached_property
    def functions(self) -> list[_Function]:
        """The functions of the file that have a name and a body."""
        tree, data = self.source.tree, self.source.data
        body = _number(tree.grammar.fields, "body")
        found = []
        for one in functions_of(tree, data, self.source.language):
            bodies = [i for i in tree.children(one.node) if int(tree.field[i]) == body]
            if bodies and one.name:
                node_start, start = int(tree.start[one.node]), int(tree.start[bodies[0]])
                found.append(_Function(one.name, one.start, node_start, start, one.end))
        return found

    @cached_property
    def _call_starts(self) -> list[int]:
        return [one.start for one in self.calls]

    @cached_property
    def calls(self) -> list[_Call]:
        """The calls of functions of the file, in order."""
        ir = self.source.flow_ir
        places = {one.node_start: i for i, one in enumerate(self.functions)}
        fragments = [places.get(start, -1) for start in ir.function_start.tolist()]
        resolved = resolve_calls(ir)
        candidates: dict[int, list[int]] = {}
        pairs = zip(resolved.operation.tolist(), resolved.function.tolist(), strict=True)
        for operation, function in pairs:
            candidates.setdefault(operation, []).append(function)
        found = []
        for k, operation in enumerate(ir.call_operation.tolist()):
            meant = self._meant(k, operation, candidates.get(operation, []))
            targets = sorted({fragments[one] for one in meant} - {-1})
            if targets:
                found.append(_Call(int(ir.start[operation]), tuple(targets)))
        return sorted(found)

    def _meant(self, call: int, operation: int, candidates: Sequence[int]) -> list[int]:
        """Those candidates that the receiver of a call allows."""
        ir = self.source.flow_ir
        shape, receiver = int(ir.call_shape[call]), int(ir.call_receiver[call])
        if not candidates or shape == CallShape.CONSTRUCTION:
            return []  # nothing of the file fits, or a constructor
        if shape == CallShape.MEMBER:
            kind = ir.string(int(ir.variable_type[receiver])) if receiver >= 0 else ""
            variable = ir.string(int(ir.variable_name[receiver])) if kind else ""
            known = kind and variable and not self._is_foreign(kind, variable)
            return self._of_class([kind], candidates) if known else []
        start, name = int(ir.start[operation]), ir.string(int(ir.call_name[call]))
        text = self.source.data[start : int(ir.end[operation])]
        own, named = self._class_around(operation), ir.string(int(ir.call_owner[call]))
        if named and named != own:
            return self._of_class([named], candidates)
        if text.startswith(b"super"):
            return self._of_class(self._bases(own), self._alike(call))
        if text.startswith(name.encode("utf-8", "surrogatepass")):
            return self._visible(start, own, candidates)
        return self._of_class([own], candidates) or self._of_namespace(text, candidates)

    def _is_foreign(self, kind: str, variable: str) -> bool:
        """Whether a variable is declared with a class of a package: ``java.io.Reader reader``.

        The class of the file that has the same name, such as one called Reader, is another one.
        """
        if kind not in self._qualified:
            pattern = rf"(?<!\w)(\w+)\s*(?:\.|::)\s*{re.escape(kind)}\b([^;=(){{}}]*)"
            self._qualified[kind] = [
                (found[1], frozenset(_WORD.findall(found[2])))
                for found in re.finditer(pattern, self.source.text)
            ]
        own = self._classes.bases.keys() | self._namespaces.bases.keys()
        return any(
            variable in declared and around not in own for around, declared in self._qualified[kind]
        )

    @cached_property
    def _qualified(self) -> dict[str, list[tuple[str, frozenset[str]]]]:
        """By the name of a class, what qualifies it and the words up to the end of the phrase."""
        return {}

    def _alike(self, call: int) -> list[int]:
        """All functions of the name and the number of arguments of a call, whatever their class."""
        ir = self.source.flow_ir
        given = int(ir.call_arguments[call])
        fits = ir.function_name == ir.call_name[call]
        if given >= 0:  # otherwise a list is spread into the arguments
            fits &= (ir.function_least <= given) & (
                (ir.function_most < 0) | (given <= ir.function_most)
            )
        return [int(one) for one in np.flatnonzero(fits)]

    def _visible(self, byte: int, own: str, candidates: Sequence[int]) -> list[int]:
        """What a bare name means: a method of a class around it, otherwise a function."""
        table = self.source.language.lowering
        if table is not None and table.class_scope:
            for cls in (own, *self._classes.around(byte)):
                methods = self._of_class([cls], candidates)
                if methods:
                    return methods
        return self._free(candidates)

    def _free(self, candidates: Iterable[int]) -> list[int]:
        """Those candidates that belong to no class."""
        kinds = self.source.flow_ir.function_kind
        free = (FunctionKind.FUNCTION, FunctionKind.LAMBDA)
        return [one for one in candidates if int(kinds[one]) in free]

    def _of_namespace(self, text: bytes, candidates: Iterable[int]) -> list[int]:
        """The functions of the namespace that a call names, if it names any."""
        free = self._free(candidates)
        if text.startswith((b"::", b"(")):  # ::f(x), (*f)(x)
            return free
        found = _QUALIFIER.match(text)
        if found is None:
            return []
        wanted = found[1].rpartition(b"::")[2].decode("utf-8", "replace")
        starts = self.source.flow_ir.function_start
        return [one for one in free if wanted in self._namespaces.around(int(starts[one]))]

    def _of_class(self, names: Sequence[str], candidates: Sequence[int]) -> list[int]:
        """The candidates of the first class that has any: one of the names, then their bases."""
        ir = self.source.flow_ir
        owners = {one: ir.string(int(ir.function_owner[one])) for one in candidates}
        seen: set[str] = {""}
        layer = set(names) - seen
        while layer:
            found = [one for one, owner in owners.items() if owner in layer]
            if found:
                return found
            seen |= layer
            layer = {base for one in layer for base in self._bases(one)} - seen
        return []

    def _bases(self, name: str) -> list[str]:
        base, _, number = name.rpartition("$")
        if base and number.isdigit():  # an anonymous class
            return [base]
        return self._classes.bases.get(name, [])

    def _class_around(self, operation: int) -> str:
        """The class whose method an operation is in; empty for none."""
        ir = self.source.flow_ir
        function = int(ir.function[operation])
        while function > 0:
            if ir.function_owner[function] >= 0:
                return ir.string(int(ir.function_owner[function]))
            function = int(ir.function_parent[function])
        return ""

    @cached_property
    def _classes(self) -> _Regions:
        table = self.source.language.lowering
        rules = {} if table is None else table.rules
        return self._regions(kind for kind, rule in rules.items() if rule.shape == Shape.CLASS)

    @cached_property
    def _namespaces(self) -> _Regions:
        return self._regions(["namespace_definition"])

    def _regions(self, kinds: Iterable[str]) -> _Regions:
        """The nodes of some kinds that have a name and a body."""
        tree = self.source.tree
        numbers = [i for kind in kinds for i in tree.grammar.kind_numbers.get(kind, ())]
        name, body = (_number(tree.grammar.fields, word) for word in ("name", "body"))
        found = []
        for node in np.flatnonzero(np.isin(tree.kind, numbers)).tolist():
            parts = {int(tree.field[i]): i for i in tree.children(node)}
            if name in parts and body in parts:
                named = self._slice(int(tree.start[parts[name]]), int(tree.end[parts[name]]))
                head = self._slice(int(tree.end[parts[name]]), int(tree.start[parts[body]]))
                start, end = int(tree.start[node]), int(tree.end[node])
                found.append(_Region(named, start, end, tuple(_WORD.findall(head))))
        return _Regions(found)

    def _slice(self, start: int, end: int) -> str:
        return self.source.data[start:end].decode("utf-8", "surrogatepass")


def _outermost(functions: Sequence[_Function]) -> list[_Function]:
    """The functions without those that are inside of another one."""
    kept, reach = set(), -1
    for one in sorted(functions, key=lambda one: (one.start, -one.end)):
        if one.end > reach:
            kept.add(one)
            reach = one.end
    return [one for one in functions if one in kept]


def _occurrences(text: str, part: str) -> Iterator[tuple[int, int]]:
    at = text.find(part)
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + len(part))


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _number(words: Sequence[str], word: str) -> int:
    """The place of a word; -1 where it is missing."""
    return words.index(word) if word in words else -1
