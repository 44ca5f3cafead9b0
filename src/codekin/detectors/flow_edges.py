"""Control and data flow between the nodes of a tree, as FA-AST adds it.

Which nodes branch and loop, and where their conditions and bodies are, is in the lowering rules of
each language, which semantic graphs read too. Variables come from the language's name reader, so a
member or a function with the name of a variable is not one of its uses.

References
----------
Wang, Li, Ma, Xia and Jin, Detecting code clones with graph neural network and flow-augmented
abstract syntax tree, SANER 2020.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codekin.detectors.prepared import FLOWS
from codekin.languages.language import CLASS_MASK, ERROR_KIND, Grammar, Language
from codekin.languages.lowering_rules import RuleSlot, Shape
from codekin.languages.name_roles import NameRole
from codekin.languages.token_classes import TokenClass
from codekin.represent.tree.flat_tree import FlatTree
from codekin.rewrite.program import program_of
from codekin.source import Source

__all__ = ["flow_edges"]

Ints = npt.NDArray[np.int32]
Nodes = npt.NDArray[np.intp]
Ends = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]
"""Nodes where edges begin, and nodes where they end."""

_FIELD = -1
"""In place of the scope of a variable: a field, or free in the text."""
_LOOPS = (Shape.WHILE, Shape.DO, Shape.FOR, Shape.FOR_EACH, Shape.LOOP)


def flow_edges(
    source: Source, nodes: Nodes, place: Ints, parent: Ints
) -> tuple[Ints, Ints, npt.NDArray[np.uint8]]:
    """The flow between nodes that count: from, to, and its kind as a place in `FLOWS`.

    Parameters
    ----------
    source : Source
    nodes : int array
        The nodes of the tree that count.
    place : int32 array
        For each node of the tree its number among those that count; where it does not count, the
        number of the nearest node above it that does, or -1. Control flow to a node that does not
        count leads there; uses of variables that do not count are left out.
    parent : int32 array
        The parent of each node that counts, as such a number.

    Returns
    -------
    tuple of arrays
        Each edge once, by kind and then by its ends.
    """
    none = np.zeros(0, np.intp)
    found: dict[str, Ends] = {}
    if len(nodes):
        counts = np.zeros(len(source.tree), bool)
        counts[nodes] = True
        found = _branches(source.tree, source.language) | {"next use": _next_uses(source, counts)}
        found = {kind: (place[a], place[b]) for kind, (a, b) in found.items()}
        found["next statement"] = _next_statements(source, nodes, parent)
    starts, ends, kinds = [], [], []
    for number, kind in enumerate(FLOWS):
        start, end = found.get(kind, (none, none))
        use = (start >= 0) & (end >= 0) & (start != end)
        start, end = _each_once(start[use], end[use], len(nodes))
        starts.append(start)
        ends.append(end)
        kinds.append(np.full(len(start), number, np.uint8))
    return (
        np.concatenate(starts).astype(np.int32),
        np.concatenate(ends).astype(np.int32),
        np.concatenate(kinds),
    )


def _each_once(start: Nodes, end: Nodes, count: int) -> Ends:
    key = np.unique(start.astype(np.int64) * max(1, count) + end)
    return np.divmod(key, max(1, count))


class _Control(NamedTuple):
    """What a grammar's kinds of nodes do, by the number of the kind.

    Attributes
    ----------
    decides, loops : bool arrays
        Whether it is an if, whether it is a loop.
    head, body, otherwise : uint16 arrays
        The fields of its condition (or of what it iterates over), of its body, and of its else; 0
        if it has none.
    member : uint16 array
        The field of the name of a member, such as ``size`` in ``this.size``; 0 if it has none.
    content : bool array
        Whether it is neither punctuation, a keyword nor a comment.
    """

    decides: npt.NDArray[np.bool_]
    loops: npt.NDArray[np.bool_]
    head: npt.NDArray[np.uint16]
    body: npt.NDArray[np.uint16]
    otherwise: npt.NDArray[np.uint16]
    member: npt.NDArray[np.uint16]
    content: npt.NDArray[np.bool_]


_known: dict[tuple[str, str, str], _Control] = {}


def _control(language: Language, grammar: Grammar) -> _Control:
    key = (language.name, grammar.distribution, grammar.entry)
    if key not in _known:
        _known[key] = _read_control(language, grammar)
    return _known[key]


def _read_control(language: Language, grammar: Grammar) -> _Control:
    size = ERROR_KIND + 1
    comment = (grammar.token_table & CLASS_MASK) == TokenClass.COMMENT
    decides, loops = np.zeros((2, size), bool)
    head, body, otherwise, member = np.zeros((4, size), np.uint16)
    content = grammar.named & ~comment
    rules = {} if language.lowering is None else language.lowering.rules
    for kind, rule in rules.items():
        is_if, is_loop = rule.shape is Shape.IF, rule.shape in _LOOPS
        slots = [(RuleSlot.NAME, member)] if rule.shape is Shape.MEMBER else []
        if is_if or is_loop:
            first = RuleSlot.RIGHT if rule.shape is Shape.FOR_EACH else RuleSlot.CONDITION
            slots = [(first, head), (RuleSlot.BODY, body), (RuleSlot.OTHERWISE, otherwise)]
        for number in grammar.kind_numbers.get(kind, []):
            decides[number], loops[number] = is_if, is_loop
            for slot, field in slots:
                name = rule.slots.get(slot, "")
                field[number] = grammar.fields.index(name) if name in grammar.fields else 0
    return _Control(decides, loops, head, body, otherwise, member, content)


def _branches(tree: FlatTree, language: Language) -> dict[str, Ends]:
    """From conditions to what they decide, and around loops.

    A loop without a condition, such as ``for (;;)``, is its own head.
    """
    control = _control(language, tree.grammar)
    above = np.where(tree.parent >= 0, tree.kind[tree.parent], ERROR_KIND)
    inside = (tree.field > 0) & control.content[tree.kind]
    heads = _first_children(tree, inside & (tree.field == control.head[above]))
    bodies = _first_children(tree, inside & (tree.field == control.body[above]))

    ifs = np.flatnonzero(control.decides[tree.kind] & (heads >= 0) & (bodies >= 0))
    loops = np.flatnonzero(control.loops[tree.kind] & (bodies >= 0))
    loop_heads = np.where(heads[loops] >= 0, heads[loops], loops)

    # An if of Python has its elif clauses one after the other: each decides about the next.
    others = np.flatnonzero(inside & (tree.field == control.otherwise[above]))
    others = others[np.argsort(tree.parent[others], kind="stable")]
    owner = tree.parent[others].astype(np.intp)
    follows = np.zeros(len(others), bool)
    follows[1:] = owner[1:] == owner[:-1]
    deciding = heads[np.where(follows, np.roll(others, 1), owner)]
    known = deciding >= 0
    return {
        "condition true": (heads[ifs], bodies[ifs]),
        "condition false": (deciding[known], others[known]),
        "loop body": (loop_heads, bodies[loops]),
        "loop again": (bodies[loops], loop_heads),
    }


def _first_children(tree: FlatTree, wanted: npt.NDArray[np.bool_]) -> Nodes:
    """The first of some nodes below each parent, or -1."""
    found = np.full(len(tree), -1, np.intp)
    children = np.flatnonzero(wanted)[::-1]
    found[tree.parent[children]] = children
    return found


def _next_uses(source: Source, counts: npt.NDArray[np.bool_]) -> Ends:
    """From each mention of a variable that counts to the next mention of the same variable."""
    language, tree = source.language, source.tree
    none = np.zeros(0, np.intp)
    if language.names is None or language.rewriting is None or not counts[tree.size == 1].any():
        return none, none
    member = _control(language, tree.grammar).member[tree.kind[tree.parent]]
    is_member = ((tree.field > 0) & (tree.field == member)).tolist()
    is_counted = counts.tolist()
    last: dict[tuple[int, str], int] = {}
    starts, ends = [], []
    for one in language.names(program_of(source, language.rewriting)).read():
        node, name = one.node, one.text
        if one.role is not NameRole.VARIABLE or not is_counted[node]:
            continue
        # A declaration may bind its name only after itself, as in ``int x = x + 1``.
        binds = one.declares and name in one.scope.bound
        scope = one.scope if binds else one.scope.find(name, node)
        is_field = is_member[node] or scope is None or scope.kind == "class"
        variable = (_FIELD if is_field or scope is None else scope.node, name)
        if variable in last:
            starts.append(last[variable])
            ends.append(node)
        last[variable] = node
    return np.array(starts, np.intp), np.array(ends, np.intp)


def _next_statements(source: Source, nodes: Nodes, parent: Ints) -> Ends:
    """From each statement of a block to the next; the text itself is a block too."""
    kinds = source.tree.kind[nodes]
    numbers = source.tree.grammar.kind_numbers
    blocks = [n for kind in source.language.fragments.blocks for n in numbers.get(kind, [])]
    is_block = np.isin(kinds, np.array(blocks, kinds.dtype)) | (parent < 0)
    inner = np.flatnonzero((parent >= 0) & is_block[parent])
    inner = inner[np.argsort(parent[inner], kind="stable")]
    pairs = parent[inner[1:]] == parent[inner[:-1]]
    return inner[:-1][pairs], inner[1:][pairs]
