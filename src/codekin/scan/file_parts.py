"""What a scan takes out of one file: tokens, fragments, and the features of each fragment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.graph.features import (
    MAX_OCCURRENCES,
    Family,
    declared_names,
    token_words,
)
from codekin.represent.tree.flat_tree import FlatTree
from codekin.represent.tree.fragments import functions_of
from codekin.scan.code_tokens import CodeTokens, LexicalParts, LineCounts, Trait, read_parts
from codekin.scan.ignore_comments import ignored_functions
from codekin.source import Source, semantic_graph

__all__ = ["SEQUENCE", "FileParts", "FragmentTable", "file_parts"]

Ints = npt.NDArray[np.int32]
Ids = npt.NDArray[np.uint64]

SEQUENCE = len(Family)
"""The family of features of three consecutive words, in languages without graphs."""

_MAX_BODY = 0.8
"""A block that is more than this part of the fragment around it is not a fragment of its own."""
_MAX_LEFT_OUT = 0.5
"""A block with more imports and constants than this is not a fragment."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
_WORD = re.compile(rb"[^\s(]+")


@dataclass(frozen=True, eq=False, repr=False)
class FragmentTable:
    """The functions and blocks of a file, outer ones first.

    Attributes
    ----------
    names : tuple of str
        Of functions; empty for blocks.
    begin, end : int32 arrays
        The tokens of each.
    first_statement, end_statement : int32 arrays
        The statements of each.
    raw, blind : uint64 arrays
        Identities of their tokens, and of their blind tokens.
    offsets : int64 array
        Where the features of each begin; one more at the end.
    features : uint64 array
    occurrences : uint8 array
    """

    names: tuple[str, ...]
    begin: Ints
    end: Ints
    first_statement: Ints
    end_statement: Ints
    raw: Ids
    blind: Ids
    offsets: npt.NDArray[np.int64]
    features: Ids
    occurrences: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.begin)


@dataclass(frozen=True, eq=False, repr=False)
class FileParts:
    """What a scan takes out of one file.

    Attributes
    ----------
    tokens : CodeTokens
    fragments : FragmentTable
        Without features if only tokens are compared.
    lines : int
        Of the text.
    parses : bool
        Whether the parser could read all of it; true if it was not asked.
    """

    tokens: CodeTokens
    fragments: FragmentTable
    lines: int
    parses: bool = True


_NO_INTS = np.empty(0, np.int32)
_NO_IDS = np.empty(0, np.uint64)
_NO_FRAGMENTS = FragmentTable(
    names=(),
    begin=_NO_INTS,
    end=_NO_INTS,
    first_statement=_NO_INTS,
    end_statement=_NO_INTS,
    raw=_NO_IDS,
    blind=_NO_IDS,
    offsets=np.zeros(1, np.int64),
    features=_NO_IDS,
    occurrences=np.empty(0, np.uint8),
)


def file_parts(source: Source, *, min_lines: int, fast: bool, comments: bool = True) -> FileParts:
    """The parts of a file that a scan compares.

    Parameters
    ----------
    source : Source
    min_lines : int
        The fewest lines of code of a fragment.
    fast : bool
        Whether to find fragments without a parser, and without features.
    comments : bool
        Whether comments take functions out.
    """
    tokens, parts = read_parts(source.data, source.language, min_lines if fast else 0)
    if comments and (ignored := ignored_functions(source, tokens)):
        tokens = tokens.ignoring(ignored)
    lines = source.data.count(b"\n") + (not source.data.endswith(b"\n"))
    if fast:
        fragments = _lexical_fragments(source, tokens, parts)
    else:
        tokens = tokens.declaring(_declarations(source, tokens))
        fragments = _fragments(source, tokens, min_lines)
    return FileParts(tokens, fragments, lines, not source.was_parsed_with_problems)


def _declarations(source: Source, tokens: CodeTokens) -> npt.NDArray[np.bool_]:
    """Which tokens are part of a declaration or of a function, and not of the body of one."""
    tree, facts = source.tree, source.language.fragments
    functions = _is_of_kinds(tree, facts.functions)
    declarations = _is_of_kinds(tree, facts.declarations)
    # In Python, the body of a class is a block like others.
    inner = _is_of_kinds(tree, facts.blocks) & ~declarations[tree.parent]
    if "body" in (fields := tree.grammar.fields):
        inner |= functions[tree.parent] & (tree.field == fields.index("body"))
    return _inside(tree, functions | declarations, tokens) & ~_inside(tree, inner, tokens)


def _is_of_kinds(tree: FlatTree, kinds: frozenset[str]) -> npt.NDArray[np.bool_]:
    numbers = [number for kind in kinds for number in tree.grammar.kind_numbers.get(kind, ())]
    return np.isin(tree.kind, numbers)


def _inside(
    tree: FlatTree, chosen: npt.NDArray[np.bool_], tokens: CodeTokens
) -> npt.NDArray[np.bool_]:
    """Which tokens are inside of a chosen node."""
    depth = np.zeros(len(tokens) + 1, np.int64)
    nodes = np.flatnonzero(chosen)
    np.add.at(depth, np.searchsorted(tokens.starts, tree.start[nodes]), 1)
    np.add.at(depth, np.searchsorted(tokens.starts, tree.end[nodes]), -1)
    found: npt.NDArray[np.bool_] = np.cumsum(depth[:-1]) > 0
    return found


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    name: str


def _fragments(source: Source, tokens: CodeTokens, min_lines: int) -> FragmentTable:
    tree = source.tree
    spans = [
        _Span(one.start, one.end, one.name)
        for one in functions_of(tree, source.data, source.language)
    ]
    found = _chosen(spans, _block_spans(source, tree), tokens, min_lines)
    kept = _not_ignored(tokens, np.array([one[0] for one in found], np.int32))
    found = [found[place] for place in kept.tolist()]
    if not found:
        return _NO_FRAGMENTS
    begin = np.array([one[0] for one in found], np.int32)
    end = np.array([one[1] for one in found], np.int32)
    starts = np.append(tokens.starts, len(source.data)).astype(np.int32)
    features = _native.fragment_features(_bags(source), starts[begin], starts[end], MAX_OCCURRENCES)
    return _table(tokens, tuple(one[2] for one in found), begin, end, features)


def _lexical_fragments(source: Source, tokens: CodeTokens, parts: LexicalParts) -> FragmentTable:
    """The functions and blocks that were found without a parser; they have no features."""
    kept = _not_ignored(tokens, parts.begin)
    if not len(kept):
        return _NO_FRAGMENTS
    parts = LexicalParts(parts.begin[kept], parts.end[kept], parts.names[kept])
    data, starts = source.data, tokens.starts
    names = tuple(
        _WORD.match(data, starts[place])[0].decode("utf-8", "replace") if place >= 0 else ""  # type: ignore[index]
        for place in parts.names.tolist()
    )
    offsets = np.zeros(len(names) + 1, np.int64)
    return _table(tokens, names, parts.begin, parts.end, (offsets, _NO_IDS, np.empty(0, np.uint8)))


def _not_ignored(tokens: CodeTokens, begin: Ints) -> npt.NDArray[np.int64]:
    """Which fragments are not part of an ignored function, by their first tokens."""
    return np.flatnonzero(tokens.traits[begin] & int(Trait.IGNORED) == 0)


def _table(
    tokens: CodeTokens,
    names: tuple[str, ...],
    begin: Ints,
    end: Ints,
    features: tuple[npt.NDArray[np.int64], Ids, npt.NDArray[np.uint8]],
) -> FragmentTable:
    return FragmentTable(
        names,
        begin,
        end,
        np.searchsorted(tokens.statements, begin).astype(np.int32),
        np.searchsorted(tokens.statements, end).astype(np.int32),
        _native.sequence_ids(tokens.raw, begin, end),
        _native.sequence_ids(tokens.blind, begin, end),
        *features,
    )


def _block_spans(source: Source, tree: FlatTree) -> list[_Span]:
    """The statements that blocks belong to: loops, branches and the like."""
    blocks = np.flatnonzero(_is_of_kinds(tree, source.language.fragments.blocks))
    around = np.unique(tree.parent[blocks[tree.parent[blocks] >= 0]])
    outer = {"program", "module", "source_file", "translation_unit", "compilation_unit"}
    return [
        _Span(int(tree.start[node]), int(tree.end[node]), "")
        for node in around.tolist()
        if (kind := tree.kind_name(node)) not in outer and "class" not in kind
    ]


def _chosen(
    functions: Sequence[_Span], blocks: Sequence[_Span], tokens: CodeTokens, min_lines: int
) -> list[tuple[int, int, str]]:
    """Tokens and names of the fragments that are long enough, outer ones first."""
    left_out = np.append(0, np.cumsum(tokens.traits & int(Trait.IMPORT | Trait.TABLE) != 0))
    spans = [(one, True) for one in functions] + [(one, False) for one in blocks]
    starts = np.array([one.start for one, _ in spans], np.int64)
    ends = np.array([one.end for one, _ in spans], np.int64)
    begins = np.searchsorted(tokens.starts, starts).tolist()
    stops = np.searchsorted(tokens.starts, ends).tolist()
    counts = LineCounts(tokens).of(begins, stops).tolist()
    lines = dict(zip(zip(begins, stops, strict=True), counts, strict=True))
    ranked = sorted(
        (begin, -end, not is_function, one.name)
        for begin, end, (one, is_function) in zip(begins, stops, spans, strict=True)
        if end > begin
    )
    found: list[tuple[int, int, str]] = []
    around: list[tuple[int, int]] = []
    for begin, minus_end, is_block, name in ranked:
        end = -minus_end
        while around and around[-1][1] <= begin:
            around.pop()
        size = end - begin
        if is_block and around and size > _MAX_BODY * (around[-1][1] - around[-1][0]):
            continue
        if lines[begin, end] < min_lines:
            continue
        if is_block and left_out[end] - left_out[begin] > _MAX_LEFT_OUT * size:
            continue
        found.append((begin, end, name))
        around.append((begin, end))
    return found


def _bags(source: Source) -> list[tuple[int, Ints, Ids]]:
    """The features of a file by family, each with the place of its code.

    Unlike in kin, the names of the file's own functions count in calls, and the effects of these
    functions do not: a copy of a function may call what is defined elsewhere.
    """
    tokens = source.tokens
    if source.language.lowering is None:
        words = token_words(tokens, source.language.name)
        starts = tokens.starts[words.places]
        threes = words.ids[:-2] * _BASE + words.ids[1:-1]
        threes = threes * _BASE + words.ids[2:]
        return [
            (int(Family.TOKEN), starts, words.ids),
            (SEQUENCE, starts[: len(threes)], threes >> np.uint64(4)),
        ]
    declared = replace(declared_names(source.flow_ir), own=_NO_IDS)
    words = token_words(tokens, source.language.name, declared)
    graph = semantic_graph(source, labels="operator+literal", summaries=False)
    labels = ["entry" if label.startswith("entry:") else label for label in graph.labels]
    nodes: Ids = _native.string_ids(labels)[graph.label]
    families = _native.graph_features(nodes, graph.source, graph.target, graph.edge_kind)
    starts = np.ascontiguousarray(graph.start[1:])  # without the root
    bags = [(family, starts, features[1:]) for family, features in enumerate(families)]
    return [*bags, (int(Family.TOKEN), tokens.starts[words.places], words.ids)]
