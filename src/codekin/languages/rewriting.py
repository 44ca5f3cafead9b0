"""What a language states about rewriting and generating its programs."""

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
    """Kinds of nodes, words and code templates that rewriting needs.

    Every fact is optional; a change without the facts that it needs changes nothing.

    Parameters
    ----------
    blocks : frozenset of str
        Nodes whose children are statements or definitions.
    not_statements : frozenset of str
        Children of blocks that are neither, such as preprocessor lines.
    functions, bodies : frozenset of str
        Functions whose field ``body`` may be a block, and kinds of such a body.
    identifiers : frozenset of str
        Names in code.
    scopes : type of ScopeReader
        Finds the names that a function owns. Without it, nothing is renamed.
    frames : frozenset of str
        Words that give access to the variables of any function: a text that mentions one keeps
        its names, and gets no new ones.
    introspection : frozenset of str
        Names that give a function access to all of its own variables; it keeps its names then.
    evaluating : frozenset of str
        Names that give a function access to variables by name; it keeps its names then.
    signatures : frozenset of str
        Words that give access to the names of parameters: a text that mentions one keeps its
        names.
    braces : frozenset of str
        Blocks whose opening brace may move to its own line. Empty if line ends are significant.
    opening, closing : frozenset of str
        Tokens that increase and decrease the indentation; a token may do both.
    spaced : frozenset of str
        Nodes, besides `binary` and `assignments`, with spaces around their operator.
    keeps_layout : frozenset of str
        Nodes in which whitespace is significant; a text with one keeps its layout.
    heading_lines : int
        Number of lines that must stay first in a text that begins with a comment.
    dead : tuple of str
        Code without effect, in lines; ``{name}`` is a new name, ``{number}`` a number, ``{step}`` a
        step of indentation.
    constant_heads : frozenset of str
        Words in the head of a function whose body must not contain arbitrary statements.
    leading : mapping of str to str
        Statements that must stay first in a body, and the kind of their first child (any if
        empty).
    movable : frozenset of str
        Definitions that may change places within one parent.
    movable_groups : callable
        Which children of a node may change places with each other (default: all that are
        `movable`).
    order_seen : frozenset of str
        Words that reveal the order of definitions: a text that mentions one keeps it.
    declared_name : callable
        The name of a definition, if definitions must precede what mentions them.
    binary, assignments, updates : frozenset of str
        Nodes with an operator between two operands, between a target and a value, and on one.
    swaps : mapping of str to str
        Operators and their replacements; ``␣`` denotes a space within an operator.
    conditions : mapping of str to str
        Nodes with a condition, and its field, or its index among three named children.
    wrappers : frozenset of str
        Brackets around a condition.
    binding : mapping of str to str
        Nodes in a condition that declare a variable if they have this field (always if empty).
    negation : str
        The negation of the condition ``{}``.
    numbers, strings, characters : frozenset of str
        Literals that can be changed.
    raw_strings : frozenset of str
        Other strings.
    contents : frozenset of str
        Children of a string that are its text.
    fixed_texts : frozenset of str
        Nodes whose strings name a file or similar.
    labels : frozenset of str
        Nodes that begin with a label: of a case, or a jump target.
    arguments : frozenset of str
        Argument lists of calls.
    fixed_arguments : frozenset of str
        Arguments that cannot be swapped: keywords and splats.
    droppable : frozenset of str
        Simple statements that no other code needs.
    needed : frozenset of str
        Simple statements that other code may need; dropped only if there are no others.
    idle : frozenset of str
        Expressions without effect as a statement.
    declaring : frozenset of str
        Assignments, the first of which declares the names in its field ``left``.
    members : frozenset of str
        Targets of such an assignment that declare nothing.
    single : frozenset of str
        Nodes that must keep their only statement.
    empty : str
        A statement that does nothing.
    directives : callable
        Spans of preprocessor lines, in order.
    quoted : callable
        Spans of code that a program can also read as text, in order.
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
"""Swaps of operators that most languages have."""

BRACED_SWAPS = {**SWAPS, **swapped("&& ||", "++ --")}
"""Swaps of operators of languages like C."""


_BOUND = "else elif except finally catch case default return break continue"


@dataclass(frozen=True)
class Writing:
    """Templates for generated programs of a language.

    Parameters
    ----------
    functions : tuple of str
        Functions ``{0}`` with a parameter ``{1}`` that call ``{2}`` and may have a local variable
        ``{3}``.
    function_head : pattern
        Matches the first line of such a function.
    end : str
        What ends a statement, if anything.
    closing : str
        The last line of a function; empty if indentation ends it.
    bound : frozenset of str
        Words whose line must be neither deleted nor replaced.
    """

    functions: tuple[str, ...]
    function_head: re.Pattern[str] = re.compile(
        r"(?!public class|class|struct)[\w<>\[\],&*: ]+\(.*\{$"
    )
    end: str = ";"
    closing: str = "}"
    bound: frozenset[str] = frozenset(_BOUND.split())


def braced_functions(head: str, local: str, step: str = "    ") -> tuple[str, ...]:
    """Function templates of a language like C, for `Writing`.

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
