"""Code cut into functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from codekin.languages import Language
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["Fragment", "functions_of"]

_NAMES = ("name", "declarator", "property", "key", "left")
"""Fields that lead to the name of a function, outermost first."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A function of a text.

    Attributes
    ----------
    name : str
        Empty where it has none.
    start, end : int
        Its bytes in the text, in UTF-8; from the beginning of its line if nothing else is on it.
    first_line, last_line : int
        Its lines, from 1.
    node : int
        Its place in the tree.
    """

    name: str
    start: int
    end: int
    first_line: int
    last_line: int
    node: int

    def text(self, data: bytes) -> str:
        """The fragment out of the text that it was cut from."""
        return data[self.start : self.end].decode("utf-8", "surrogatepass")


def functions_of(
    tree: FlatTree, data: bytes, language: Language, *, nested: bool = True
) -> list[Fragment]:
    """The functions of a text, outer ones before the functions inside of them.

    Parameters
    ----------
    tree : FlatTree
    data : bytes
        The text, in UTF-8.
    language : Language
    nested : bool
        Whether functions inside of functions are listed, too.
    """
    facts = language.fragments
    wanted = _of_kinds(tree, facts.functions)
    wrappers = set(_of_kinds(tree, facts.wrappers).tolist())
    found, reach = [], -1
    for node in wanted.tolist():
        if not nested and node < reach:
            continue
        name = _name(tree, data, node)
        outer, parent = node, int(tree.parent[node])
        while parent in wrappers and _is_alone(tree, outer):
            name = name or _name(tree, data, parent)
            outer, parent = parent, int(tree.parent[parent])
        # A function without a name of its own is part of the expression around it.
        if outer == node and not name:
            continue
        reach = node + int(tree.size[node])
        found.append(_fragment(name, tree, data, outer, node))
    return found


def _of_kinds(tree: FlatTree, kinds: frozenset[str]) -> np.ndarray:
    numbers = [number for kind in kinds for number in tree.grammar.kind_numbers.get(kind, ())]
    return np.flatnonzero(np.isin(tree.kind, numbers))


def _fragment(name: str, tree: FlatTree, data: bytes, outer: int, node: int) -> Fragment:
    start, end = int(tree.start[outer]), int(tree.end[outer])
    line = data.rfind(b"\n", 0, start) + 1
    start = line if not data[line:start].strip() else start
    first = data.count(b"\n", 0, start) + 1
    last = first + data.count(b"\n", start, max(start, end - 1))
    return Fragment(name, start, end, first, last, node)


def _name(tree: FlatTree, data: bytes, node: int) -> str:
    """The name in the head of a function: that of its declarator, however deep."""
    fields = tree.grammar.fields
    for _ in range(20):  # pointers to functions that return pointers to functions …
        named = {fields[int(tree.field[child])]: child for child in tree.children(node)}
        child = next((named[one] for one in _NAMES if one in named), None)
        if child is None and tree.kind_name(node) == "parenthesized_declarator":
            child = next((one for one in tree.children(node) if tree.size[one] > 1), None)
        if child is None:
            break
        node = child
    else:
        return ""
    if tree.size[node] > 1 and not _is_name(tree.kind_name(node)):
        return ""
    text = data[int(tree.start[node]) : int(tree.end[node])]
    return text.decode("utf-8", "replace") if _is_name(tree.kind_name(node)) else ""


def _is_alone(tree: FlatTree, node: int) -> bool:
    """Whether no sibling is of the same kind: two functions in one declaration are cut apart."""
    siblings = tree.children(int(tree.parent[node]))
    return sum(int(tree.kind[one]) == int(tree.kind[node]) for one in siblings) == 1


def _is_name(kind: str) -> bool:
    return kind.endswith("identifier") or kind in (
        "name",
        "operator_name",
        "destructor_name",
        "constant",
    )
