"""What rewriting programs, and making them up, need to know of a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from codekin.languages.scopes import ScopeReader
from codekin.languages.syntax import Syntax

__all__ = ["BRACED_SWAPS", "SWAPS", "Rewriting", "Writing", "braced_functions", "swapped"]

_NONE: frozenset[str] = frozenset()


def _no_spans(_syntax: Syntax) -> list[tuple[int, int]]:
    return []


@dataclass(frozen=True)
class Rewriting:
    """Kinds of nodes, words and forms of code that the changes of programs go by.

    Every fact may be left out; a change that lacks what it needs then changes nothing.

    Parameters
    ----------
    blocks : frozenset of str
        Nodes whose children are statements or definitions.
    not_statements : frozenset of str
        Children of blocks that are neither: preprocessor lines.
    functions, bodies : frozenset of str
        Functions whose field ``body`` may be a block, and kinds of such a body.
    identifiers : frozenset of str
        Names in code.
    scopes : type of ScopeReader
        Which names of a function are its own. Without it, nothing is renamed.
    frames : frozenset of str
        Words by which the variables of any function are seen: a text that mentions one keeps its
        names, and gets no new ones.
    introspection : frozenset of str
        Names by which a function sees all of its own variables; the same for such a function.
    evaluating : frozenset of str
        Names by which a function sees variables that it knows the names of; they keep theirs.
    signatures : frozenset of str
        Words by which the names of parameters are seen: a text that mentions one keeps its names.
    braces : frozenset of str
        Blocks whose opening brace may move to a line of its own. None where a line end matters.
    opening, closing : frozenset of str
        Tokens after which lines are indented deeper, and those that end it; one may do both.
    spaced : frozenset of str
        Nodes, beside `binary` and `assignments`, with blanks around their operator.
    keeps_layout : frozenset of str
        Nodes in which blanks mean something; a text with one keeps its layout.
    heading_lines : int
        How many lines at the start of a text that opens with a comment must stay the first.
    dead : tuple of str
        Code without effect, in lines; ``{name}`` is a new name, ``{number}`` a number, ``{step}`` a
        step of indentation.
    constant_heads : frozenset of str
        Words in the head of a function that may not hold every statement.
    leading : mapping of str to str
        Statements that must stay the first of a body, and the kind of their first child (any if
        empty).
    movable : frozenset of str
        Definitions that may change places within one parent.
    movable_groups : callable
        Which children of a node may change places with one another; all that are `movable` if it is
        not given.
    order_seen : frozenset of str
        Words by which the order of definitions is seen: such a text keeps it.
    declared_name : callable
        The name of a definition, where it must come before what mentions it.
    binary, assignments, updates : frozenset of str
        Nodes with an operator between two operands, between a target and a value, and on one.
    swaps : mapping of str to str
        Operators, and what takes the place of each; ``␣`` stands for a blank within one.
    conditions : mapping of str to str
        Nodes with a condition, and its field, or its place among three named children.
    wrappers : frozenset of str
        Brackets around a condition.
    binding : mapping of str to str
        Nodes that, in a condition, declare a variable: if they have a field (any if empty).
    negation : str
        The opposite of the condition ``{}``.
    numbers, strings, characters : frozenset of str
        Literals that can be changed.
    raw_strings : frozenset of str
        Other strings.
    contents : frozenset of str
        Children of a string that are its text.
    fixed_texts : frozenset of str
        Nodes whose strings name a file or the like.
    labels : frozenset of str
        Nodes with a label in front: of a case, or to jump to.
    arguments : frozenset of str
        Lists of arguments of calls.
    fixed_arguments : frozenset of str
        Arguments whose place means nothing or everything: keywords and splats.
    droppable : frozenset of str
        Simple statements that nothing needs.
    needed : frozenset of str
        Simple statements that other code may need; dropped where there is no other.
    idle : frozenset of str
        Expressions that, as a statement, do nothing.
    declaring : frozenset of str
        Assignments whose first one declares the names in their field ``left``.
    members : frozenset of str
        Targets of such an assignment that declare nothing.
    single : frozenset of str
        Nodes that must keep the one statement they have.
    empty : str
        A statement that does nothing.
    directives : callable
        Spans of lines to which a preprocessor listens, in order.
    quoted : callable
        Spans of code that a program also sees as text, in order.
    """

    blocks: frozenset[str] = _NONE
    not_statements: frozenset[str] = _NONE
    functions: frozenset[str] = _NONE
    bodies: frozenset[str] = _NONE
    identifiers: frozenset[str] = frozenset({"identifier"})
    scopes: type[ScopeReader] | None = None
    frames: frozenset[str] = _NONE
    introspection: frozenset[str] = _NONE
    evaluating: frozenset[str] = _NONE
    signatures: frozenset[str] = _NONE
    braces: frozenset[str] = _NONE
    opening: frozenset[str] = frozenset("{([")
    closing: frozenset[str] = frozenset("})]")
    spaced: frozenset[str] = _NONE
    keeps_layout: frozenset[str] = _NONE
    heading_lines: int = 0
    dead: tuple[str, ...] = ()
    constant_heads: frozenset[str] = _NONE
    leading: Mapping[str, str] = field(default_factory=dict)
    movable: frozenset[str] = _NONE
    movable_groups: Callable[[Syntax, int], list[list[int]]] | None = None
    order_seen: frozenset[str] = _NONE
    declared_name: Callable[[Syntax, int], str] | None = None
    binary: frozenset[str] = _NONE
    assignments: frozenset[str] = _NONE
    updates: frozenset[str] = _NONE
    swaps: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    wrappers: frozenset[str] = frozenset({"parenthesized_expression"})
    binding: Mapping[str, str] = field(default_factory=dict)
    negation: str = "!({})"
    numbers: frozenset[str] = _NONE
    strings: frozenset[str] = _NONE
    characters: frozenset[str] = _NONE
    raw_strings: frozenset[str] = _NONE
    contents: frozenset[str] = _NONE
    fixed_texts: frozenset[str] = _NONE
    labels: frozenset[str] = _NONE
    arguments: frozenset[str] = _NONE
    fixed_arguments: frozenset[str] = _NONE
    droppable: frozenset[str] = _NONE
    needed: frozenset[str] = _NONE
    idle: frozenset[str] = _NONE
    declaring: frozenset[str] = _NONE
    members: frozenset[str] = _NONE
    single: frozenset[str] = _NONE
    empty: str = ";"
    directives: Callable[[Syntax], list[tuple[int, int]]] = _no_spans
    quoted: Callable[[Syntax], list[tuple[int, int]]] = _no_spans


def swapped(*pairs: str) -> dict[str, str]:
    """Swaps in both directions, from pairs such as ``"+ -"``.

    Examples
    --------
    >>> swapped("+ -")
    {'+': '-', '-': '+'}
    """
    table = {}
    for pair in pairs:
        first, second = pair.split()
        table[first], table[second] = second, first
    return table


SWAPS = {
    **swapped("+ -", "* /", "< <=", "> >=", "== !=", "+= -=", "*= /=", "& |", "&= |="),
    "%": "*",
    "%=": "*=",
    "^": "&",
    "<<": ">>",
    ">>": "<<",
}
"""Operators that most languages have."""

BRACED_SWAPS = {**SWAPS, **swapped("&& ||", "++ --")}
"""Operators of languages like C."""


_BOUND = "else elif except finally catch case default return break continue"


@dataclass(frozen=True)
class Writing:
    """Forms in which programs of a language are made up.

    Parameters
    ----------
    functions : tuple of str
        Functions of a parameter ``{1}`` named ``{0}``, which calls ``{2}`` and may have a local
        variable ``{3}``.
    function_head : pattern
        What the first line of such a function looks like.
    end : str
        What ends a statement, if anything does.
    closing : str
        The last line of a function; empty where indentation ends it.
    bound : frozenset of str
        Words whose line cannot go, or get another in its place, whatever is around it.
    """

    functions: tuple[str, ...]
    function_head: re.Pattern[str] = re.compile(
        r"(?!public class|class|struct)[\w<>\[\],&*: ]+\(.*\{$"
    )
    end: str = ";"
    closing: str = "}"
    bound: frozenset[str] = frozenset(_BOUND.split())


def braced_functions(head: str, local: str, step: str = "    ") -> tuple[str, ...]:
    """Functions of a language like C, for `Writing`.

    Examples
    --------
    >>> print(braced_functions("int {0}(int {1})", "int ")[0].format("f", "x", "g", "y"), end="")
    int f(int x) {
        return g(x);
    }
    """
    return (
        f"{head} {{{{\n{step}return {{2}}({{1}});\n}}}}\n",
        f"{head} {{{{\n{step}{local}{{3}} = {{2}}({{1}});\n{step}return {{3}} + {{1}};\n}}}}\n",
    )
