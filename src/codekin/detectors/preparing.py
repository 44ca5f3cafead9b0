"""Snippets read for detectors: trees, statements, flow and words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.snippets import Snippet
from codekin.detectors.flow_edges import flow_edges
from codekin.detectors.prepared import END, NodeRole, Prepared, spread
from codekin.languages.language import CLASS_MASK, ERROR_KIND, NUMERIC
from codekin.languages.token_classes import TokenClass
from codekin.represent.text.comments import docstring_nodes
from codekin.represent.tree.flat_tree import FlatTree
from codekin.source import Source

__all__ = ["prepare_snippets"]

_NUMBERS: Mapping[str, type[np.generic]] = {
    **dict.fromkeys(("word", "parent", "member", "statement", "term"), np.int32),
    **dict.fromkeys(("flow_from", "flow_to"), np.int32),
    **dict.fromkeys(("role", "flow_kind"), np.uint8),
}
"""The arrays of all snippets that are those of each snippet, one after the other."""
_MOST_NODES = 200_000
"""Nodes of a snippet that are read; of all the code in the field's corpora, none has a tenth."""
_TERM = re.compile(r"\w\w+")


def prepare_snippets(
    snippets: Sequence[Snippet],
    *,
    leaves: bool = True,
    workers: int | None = None,
) -> Prepared:
    """Read snippets as detectors see them.

    Parameters
    ----------
    snippets : sequence of Snippet
    leaves : bool
        Whether names, literals and operators are kept; without them, what is left are kinds of
        inner nodes (Over-Abs).
    workers : int, optional
        Worker processes; see :func:`~codekin.corpora.each_snippet.each_snippet`.

    Returns
    -------
    Prepared
        The same for any number of workers.

    Examples
    --------
    >>> made = prepare_snippets([Snippet("a", "java", "int twice(int x) { return 2 * x; }")])
    >>> [made.words[i] for i in made.word[made.role != NodeRole.KIND]]
    ['int', 'twice', 'int', 'x', '2', '*', 'x']
    """
    words: dict[str, int] = {}
    terms: dict[str, int] = {}
    problems: list[str] = []
    parts: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in _NUMBERS}
    for read in each_snippet(read_snippet, snippets, leaves, workers=workers):
        problems.append(read["problem"])
        read["word"] = _numbered(read["words"], words)
        read["term"] = _numbered(read["terms"], terms)
        for name, kind in _NUMBERS.items():
            parts[name].append(np.asarray(read[name], kind))

    def begins(name: str) -> npt.NDArray[np.int64]:
        return spread(np.array([len(part) for part in parts[name]], np.int64))

    numbers: dict[str, Any] = {
        name: np.concatenate([np.zeros(0, kind), *parts[name]]) for name, kind in _NUMBERS.items()
    }
    return Prepared(
        ids=tuple(snippet.id for snippet in snippets),
        languages=tuple(snippet.language for snippet in snippets),
        problems=tuple(problems),
        words=tuple(words),
        terms=tuple(terms),
        nodes=begins("parent"),
        statements=begins("statement"),
        flows=begins("flow_kind"),
        texts=begins("term"),
        **numbers,
    )


def _numbered(texts: Sequence[str], table: dict[str, int]) -> npt.NDArray[np.int32]:
    """Texts as places in a table of each text once, which gets those that it lacks."""
    return np.array([table.setdefault(text, len(table)) for text in texts], np.int32)


def read_snippet(language: str, code: str, leaves: bool) -> dict[str, Any]:
    """The arrays of one snippet."""
    source = Source(code, language)
    tree = source.tree
    kept, is_leaf, role = _kept_nodes(tree)
    problem = "does not parse" if source.problems else ""
    if not leaves:
        kept &= ~is_leaf
    nodes = np.flatnonzero(kept)
    if len(nodes) > _MOST_NODES:
        problem = f"has {len(nodes):,} nodes, of which the first {_MOST_NODES:,} are read"
        kept[nodes[_MOST_NODES:]] = False
        nodes = nodes[:_MOST_NODES]
    if len(nodes) == 1 and not is_leaf[nodes[0]]:
        problem = problem or "is empty"
        kept[nodes] = False
        nodes = nodes[:0]
    index = np.cumsum(kept, dtype=np.int32) - 1
    above = _parents(tree, kept, index)
    parent = above[nodes]
    member, statement = _statements(source, nodes, parent)
    edges = flow_edges(source, nodes, np.where(kept, index, above), parent)
    words = _words(tree, source.data, nodes, is_leaf)
    return {
        "problem": problem,
        "words": words,
        "parent": parent,
        "role": role[nodes],
        "member": member,
        "statement": statement,
        "flow_from": edges[0],
        "flow_to": edges[1],
        "flow_kind": edges[2],
        # Without leaves, what is left of the text are the kinds of nodes.
        "terms": _TERM.findall((code if leaves else " ".join(words)).lower()),
    }


def _kept_nodes(
    tree: FlatTree,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.uint8]]:
    """Which nodes count, which of them are tokens, and what their words are.

    Named nodes and operators count. Keywords count only where nothing else tells what they say:
    modifiers and primitive types, but not the ``if`` of an if statement.
    """
    table = tree.grammar.token_table[tree.kind]
    is_token = table < 128
    classes = np.where(is_token, table & CLASS_MASK, 0)
    comment = is_token & (classes == TokenClass.COMMENT)
    docstrings = docstring_nodes(tree)
    comment[docstrings] = comment[tree.parent[docstrings]] = True
    # Tokens such as strings have nodes inside, which do not count.
    whole = np.flatnonzero((is_token & (tree.size > 1)) | comment)
    inside = np.zeros(len(tree), bool)
    for node in whole.tolist():
        inside[node + 1 : node + int(tree.size[node])] = True
    named = tree.grammar.named[tree.kind] | (tree.kind == ERROR_KIND)
    has_named = np.zeros(len(tree), bool)
    has_named[tree.parent[named & (tree.parent >= 0)]] = True
    keyword = is_token & (classes == TokenClass.KEYWORD) & ~named & ~has_named[tree.parent]
    operator = is_token & (classes == TokenClass.OPERATOR)
    kept = (named | operator | keyword) & ~comment & ~inside
    is_leaf = is_token & (tree.size >= 1) & kept
    role = np.full(len(tree), NodeRole.KIND, np.uint8)
    role[is_leaf] = NodeRole.OTHER
    role[is_leaf & (classes == TokenClass.IDENTIFIER)] = NodeRole.IDENTIFIER
    # Names of types are identifiers, and primitive types are not.
    names = tree.grammar.kind_numbers.get("type_identifier", [])
    is_type = (classes == TokenClass.TYPE) & np.isin(tree.kind, names)
    role[is_leaf & is_type] = NodeRole.IDENTIFIER
    literal = (classes >= TokenClass.INTEGER) & (classes <= TokenClass.NULL)
    literal |= is_token & ((table & NUMERIC) > 0)
    role[is_leaf & literal] = NodeRole.LITERAL
    return kept, is_leaf, role


def _parents(
    tree: FlatTree, kept: npt.NDArray[np.bool_], index: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """The parent of each node among those that count."""
    parents = tree.parent.copy()
    while True:
        dropped = (parents >= 0) & ~kept[parents]
        if not dropped.any():
            break
        parents[dropped] = tree.parent[parents[dropped]]
    return np.where(parents >= 0, index[parents], np.int32(-1)).astype(np.int32)


def _words(
    tree: FlatTree,
    data: bytes,
    nodes: npt.NDArray[np.intp],
    is_leaf: npt.NDArray[np.bool_],
) -> list[str]:
    spans = zip(
        tree.kind[nodes].tolist(),
        is_leaf[nodes].tolist(),
        tree.start[nodes].tolist(),
        tree.end[nodes].tolist(),
        strict=True,
    )
    name = tree.grammar.kind_name
    return [
        data[start:end].decode("utf-8", "replace") if leaf else name(kind)
        for kind, leaf, start, end in spans
    ]


def _statements(
    source: Source,
    nodes: npt.NDArray[np.intp],
    parent: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The statement of each node, and the sequence of statements with the ends of blocks.

    A statement has what belongs to it alone: a loop has its head, and the statements of its body
    are statements of their own, between a block and its `END`.
    """
    tree = source.tree
    kinds = [tree.grammar.kind_name(kind) for kind in tree.kind[nodes].tolist()]
    blocks, functions = source.language.fragments.blocks, source.language.fragments.functions
    is_block = np.array([kind in blocks for kind in kinds], bool)
    root = np.array([kind in functions or kind.endswith("_statement") for kind in kinds], bool)
    if len(nodes):
        sequence = is_block.copy()
        sequence[0] = True
        root |= sequence | (sequence[parent] & _is_inner(parent))
    sizes = _sizes(parent)
    member = np.zeros(len(nodes), np.int32)
    order: list[int] = []
    ends: list[int] = []
    for node in np.flatnonzero(root).tolist():
        while ends and ends[-1] <= node:
            ends.pop()
            order.append(END)
        member[node : node + int(sizes[node])] = len(order)
        order.append(node)
        if is_block[node]:
            ends.append(node + int(sizes[node]))
    order += [END] * len(ends)
    return member, np.array(order, np.int32)


def _is_inner(parent: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(parent), bool)
    found[parent[parent >= 0]] = True
    return found


def _sizes(parent: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The number of nodes below and at each node, from parents that come before children."""
    sizes = [1] * len(parent)
    ancestors = parent.tolist()
    for node in range(len(ancestors) - 1, 0, -1):
        if ancestors[node] >= 0:
            sizes[ancestors[node]] += sizes[node]
    return np.array(sizes, np.int32)
