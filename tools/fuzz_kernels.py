# ruff: noqa: D102, D103 (generators and mutators are named after what they make)
"""Call every native kernel with random, boundary and malformed arguments.

Usage: ``python tools/fuzz_kernels.py [--cases N] [--seed N] [--kernels NAME]... [--memory MB]
[--hang S]``. Each case begins with a valid call, generated or recorded while measures score the
bundled programs; most then corrupt one or more arguments: another dtype, length, layout or order,
numbers at the limits of their types, objects of other kinds.

A kernel must return a result, or raise ValueError, TypeError or OverflowError. Anything else is a
fault: another exception (including MemoryError), a crash, a hang, or more memory than the limit.
Cases run in forked children. A fault is reported with the kernel and the number of its case;
``--kernels NAME --first N --cases 1`` repeats it. Every callable that ``codekin._native`` exports,
and every method of its classes, must have valid calls here; a kernel without them fails the run.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import json
import math
import random
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tree_sitter

from codekin import CodekinError, Source, _native, scan_paths, semantic_graph
from codekin.languages import get_language
from codekin.measures.registry import measure_classes
from limited_children import LimitedChild

REFUSALS = (ValueError, TypeError, OverflowError)
MOST_RECORDED = 40  # calls of each kernel
SPOILED = 0.8  # of the cases
_MAX = 2**31 - 1

Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True)
class Call:
    """A kernel's arguments."""

    positional: tuple[Any, ...]
    named: dict[str, Any] = dataclasses.field(default_factory=dict)


# ------------------------------------------------------------------------------------------------
# Valid calls, recorded from real use
# ------------------------------------------------------------------------------------------------


def record() -> dict[str, list[Call]]:
    """The calls of each kernel while every measure scores a few programs."""
    calls: dict[str, list[Call]] = {}
    originals = {name: getattr(_native, name) for name in kernels() if "." not in name}

    def recorder(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*positional: Any, **named: Any) -> Any:
            kept = calls.setdefault(name, [])
            if len(kept) < MOST_RECORDED:
                kept.append(Call(positional, named))
            return original(*positional, **named)

        return call

    for name, original in originals.items():
        setattr(_native, name, recorder(name, original))
    try:
        use_everything()
    finally:
        for name, original in originals.items():
            setattr(_native, name, original)
    return calls


def shipped(name: str, count: int) -> list[dict[str, str]]:
    """The first programs of each language in a file of the package."""
    text = (resources.files("codekin") / "data" / name).read_text(encoding="utf-8")
    rows = sorted(map(json.loads, text.splitlines()), key=lambda row: str(row["language"]))
    groups = itertools.groupby(rows, key=lambda row: row["language"])
    return [row for _, group in groups for row in itertools.islice(group, count)]


def use_everything() -> None:
    """Score the bundled programs with every measure, and build what no measure needs."""
    measures = [cls() for forms in measure_classes().values() for cls in forms.values()]
    for row in shipped("demo_edits.jsonl", 1):
        sources = {
            role: Source(row[role], row["language"])
            for role in ("origin", "candidate", "reference")
        }
        for one in measures:
            origin = {"origin": sources["origin"]} if one.needs_origin else {}
            with contextlib.suppress(CodekinError):
                one.score(sources["candidate"], sources["reference"], **origin)
    for row in shipped("programs.jsonl", 2):
        source = Source(row["code"], row["language"])
        semantic_graph(source)
        _ = source.lexemes
        broken = Source(row["code"][: len(row["code"]) // 2] + ")", row["language"])
        semantic_graph(broken)
    for text in (
        "fn f(x: i32) -> i32 { x + 1 }",
        "<?php echo <<<A\n$x\nA;",
        "x = %w[a b]\nputs <<~A\n b\nA\n",
    ):
        for language in ("rust", "php", "ruby", "kotlin", "csharp", "typescript"):
            _ = Source(text, language).lexemes
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(shipped("programs.jsonl", 3)):
            suffix = get_language(row["language"]).suffixes[0]
            for copy in ("a", "b"):
                Path(folder, f"{copy}{number}{suffix}").write_text(row["code"], encoding="utf-8")
        scan_paths([folder], workers=0)


# ------------------------------------------------------------------------------------------------
# Valid calls, generated
# ------------------------------------------------------------------------------------------------


class Chance(random.Random):
    """Draws arrays, graphs, trees and texts."""

    def length(self) -> int:
        return self.choice(
            (0, 1, 2, 3, self.randrange(12), self.randrange(80), self.randrange(700))
        )

    def ints(self, count: int, end: int, dtype: Any = np.int32) -> Array:
        return np.array([self.randrange(end) for _ in range(count)], dtype=dtype)

    def ids(self, count: int | None = None) -> Array:
        count = self.length() if count is None else count
        return self.ints(count, self.choice((1, 2, 5, 50, 2**64)), np.uint64)

    def bag(self) -> Array:
        return np.sort(self.ids())

    def edited(self, ids: Array) -> Array:
        """A sequence with stretches deleted, replaced and inserted."""
        out = ids.tolist()
        for _ in range(self.randrange(4)):
            at = self.randrange(len(out) + 1)
            out[at : at + self.randrange(5)] = self.ids(self.randrange(4)).tolist()
        return np.array(out, dtype=np.uint64)

    def lines(self, ids: Array) -> Array:
        inner = {k for k in range(1, len(ids)) if self.random() < 0.3}
        return np.array(sorted(inner | {0}) if len(ids) else [], dtype=np.int32)

    def text(self) -> str:
        alphabet = self.choice(
            ("ab \n", "x.,;&(){} \t\n'\"#", "aéあ😀\ud800\0 ", "&quot;&amp;<skipped>-\n.1,2")
        )
        return "".join(self.choice(alphabet) for _ in range(self.length()))

    def tree(self) -> tuple[Array, Array]:
        count = self.choice((0, 1, 2, self.randrange(1, 9), self.randrange(1, 40)))
        parents: list[int] = []
        for node in range(count):
            open_nodes = [-1] if node == 0 else []
            above = node - 1
            while above >= 0:
                open_nodes.append(above)
                above = parents[above]
            parents.append(self.choice(open_nodes[: self.choice((1, 3, 99))]))
        dtype = self.choice((np.int32, np.int64, np.int16, np.int8))
        return self.ints(count, self.choice((1, 3, 100)), dtype), np.array(parents, dtype=dtype)

    def edges(self, nodes: int, most: int) -> tuple[Array, Array]:
        count = self.randrange(most) if nodes else 0
        return self.ints(count, max(nodes, 1)), self.ints(count, max(nodes, 1))

    def lists(self, owners: int, items: int) -> tuple[Array, Array]:
        sizes = [self.choice((0, 0, 1, 2)) for _ in range(owners)]
        offsets = np.cumsum([0, *sizes]).astype(np.int32)
        return offsets, self.ints(int(offsets[-1]), items)


def revisions(c: Chance) -> tuple[Array, Array, Array, Array]:
    origin = c.ids(c.randrange(60))
    reference, candidate = c.edited(origin), c.edited(origin)
    return origin, reference, candidate, _native.divergent_regions(reference, candidate, origin)


def regions_call(c: Chance, *rest: Any) -> Call:
    return Call((*revisions(c), c.randrange(1, 7), *rest))


def matrix_call(c: Chance) -> Call:
    origin = c.ids(c.randrange(40))
    texts = [c.edited(origin) for _ in range(c.randrange(5))]
    hunks = [_native.pair_hunks(origin, text) for text in texts]
    return Call((origin, texts, hunks, c.randrange(1, 5), c.randrange(3), c.randrange(3)))


def lined(c: Chance) -> Call:
    first = c.ids()
    second = c.edited(first)
    return Call((first, c.lines(first), second, c.lines(second)))


def masked(c: Chance) -> Call:
    texts = [c.ids() for _ in range(c.randrange(1, 4))]
    if c.random() < 0.5:
        return Call((texts[0], texts[1:], c.randrange(1, 9)))
    masks = [c.ints(len(text), 256, np.uint8) for text in texts]
    return Call((texts[0], texts[1:], c.randrange(1, 9), masks[0], masks[1:]))


def feature_rows(c: Chance) -> tuple[Array, Array, Array]:
    weights = c.ints(c.randrange(1, 20), 2**31)
    rows = [
        sorted(c.sample(range(len(weights)), c.randrange(len(weights))))
        for _ in range(c.randrange(9))
    ]
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return offsets, np.array([*itertools.chain(*rows)], dtype=np.int32), weights


def pair_call(c: Chance) -> Call:
    rows = feature_rows(c)
    count = len(rows[0]) - 1
    pairs = c.randrange(9) if count else 0
    return Call((*rows, c.ints(pairs, max(count, 1)), c.ints(pairs, max(count, 1))))


def graph(c: Chance, labels: int) -> tuple[Array, Array, Array, Array]:
    nodes = c.randrange(8)
    source, target = c.edges(nodes, 14)
    return c.ints(nodes, labels), source, target, c.ints(len(source), c.choice((1, 3, 64)))


def graph_pair(c: Chance) -> Call:
    labels = c.choice((1, 2, 8))
    dearest = c.choice((2, 10, 1 << 20))
    node_costs = c.ints(labels * (c.random() < 0.5), dearest)
    edge_costs = -np.sort(-c.ints(64 * (c.random() < 0.5), dearest))
    given = [], [], c.random() < 0.5, node_costs, edge_costs, 10 ** c.randrange(6)
    return Call((*graph(c, labels), *graph(c, labels), *given))


def tree_pair(c: Chance) -> Call:
    costs = [c.choice((0.0, 1.0, 0.5, 0.3, 3.7e9)) for _ in range(3)]
    return Call((*c.tree(), *c.tree(), *costs, 10 ** c.randrange(9), 10 ** c.randrange(9)))


def flow_call(c: Chance) -> Call:
    nodes = c.randrange(1, 30)
    operations = c.randrange(nodes + 1)
    source, target = c.edges(nodes, 60)
    late = c.ints(c.randrange(3), nodes)
    uses, definitions = c.lists(operations, 6), c.lists(operations, 6)
    return Call(
        (
            *(nodes, source, target, c.ints(len(source), 5, np.uint8)),
            *(c.ints(c.randrange(3), nodes), late, c.randrange(-1, nodes)),
            *(*uses, *definitions, c.ints(len(definitions[1]), 2, np.uint8), c.randrange(1000)),
        )
    )


def post_call(c: Chance) -> Call:
    nodes = c.randrange(1, 60)
    return Call((nodes, *c.edges(nodes, 120), c.ints(c.randrange(4), nodes)))


def rank_call(c: Chance) -> Call:
    rows, units = c.randrange(30), c.randrange(1, 9)
    first = np.sort(c.ints(rows, 9))
    counts = c.ints(c.randrange(20) * units, 5).reshape(-1, units)
    return Call((first, c.ints(rows, max(rows, 1)), c.ints(rows, units), counts))


def word_call(c: Chance) -> Call:
    ids, names = c.ids(), [np.sort(c.ids(c.randrange(9))) for _ in range(4)]
    places = [np.sort(c.ints(c.randrange(9), 999)) for _ in range(2)]
    return Call(
        (
            *(ids, c.ints(len(ids), 17, np.uint8), np.arange(len(ids), dtype=np.int32)),
            *(names[0], c.ids(len(names[0])), names[1], c.ids(len(names[1])), *names[2:]),
            *(*places, c.random() < 0.5, c.randrange(2**64), c.randrange(2**64)),
        )
    )


def reader_call(c: Chance) -> Call:
    piece = c.choice((1, 8, 64))
    buffers = c.choice((None, [None] * (max(piece, 4) + 1)))
    limits = [c.choice((0, 1, 9, _MAX)) for _ in range(4)]
    data = c.text().encode(errors="replace")
    return Call((data, piece, b"tail", buffers, *limits, c.choice((0, 64))))


def reader(c: Chance) -> Any:
    return _native.PieceReader(*reader_call(c).positional)


def reading(self: Any, *byte: Any) -> None:
    """Read between start and stop, as a parser does."""
    _native.PieceReader.start(self)
    for one in byte:
        _native.PieceReader.__call__(self, one, None)
    _native.PieceReader.stop(self)
    _ = self.cut, self.allocations, self.commonest_size


def grams(c: Chance, order: int) -> Any:
    return _native.SortedGrams(c.ids(), order)


def near_copies_call(c: Chance) -> Call:
    """Sequences of small numbers, of which one may be an edit of another."""
    alphabet = c.randrange(1, 300)
    parts = [c.ids() % alphabet for _ in range(c.randrange(5))]
    if parts and c.random() < 0.5:
        parts.append(c.edited(parts[0]) % alphabet)
    offsets = np.cumsum([0, *map(len, parts)]).astype(np.int64)
    ids = np.concatenate(parts).astype(np.int32) if parts else np.zeros(0, np.int32)
    below = c.randrange(1, 12)
    return Call((offsets, ids, alphabet, c.randrange(1, below + 1), below, c.randrange(20)))


def common_lengths_call(c: Chance) -> Call:
    """Sequences of small numbers, and pairs of them."""
    alphabet = c.randrange(1, 300)
    parts = [c.ids() % alphabet for _ in range(c.randrange(1, 5))]
    offsets = np.cumsum([0, *map(len, parts)]).astype(np.int64)
    ids = np.concatenate(parts).astype(np.int32)
    ends = [c.randrange(len(parts)) for _ in range(2 * c.randrange(8))]
    first, second = np.array(ends, np.int32).reshape(2, -1)
    below = c.randrange(1, 12)
    return Call((offsets, ids, alphabet, first, second, c.randrange(below + 1), below))


def bags(c: Chance) -> Any:
    return _native.CodeBags(c.bag(), c.bag(), c.bag())


def ngram_set(c: Chance) -> Any:
    found = _native.NgramSet()
    for _ in range(c.randrange(4)):
        found.add(c.ids(c.randrange(1, 9)).tolist())
    return found


def fraction(c: Chance) -> float:
    return c.choice((0.0, 1.0, c.random(), float(c.randrange(50))))


def numbers(c: Chance, count: int) -> list[float]:
    return [fraction(c) for _ in range(count)]


def orders(c: Chance) -> int:
    return c.randrange(1, 9)


def two(c: Chance) -> tuple[Array, Array]:
    first = c.ids()
    return first, c.edited(first)


def three(c: Chance) -> tuple[Array, Array, Array]:
    origin = c.ids(c.randrange(60))
    return c.edited(origin), c.edited(origin), origin


def hunk_pair(c: Chance) -> Call:
    first, second, origin = three(c)
    return Call((_native.pair_hunks(origin, first), _native.pair_hunks(origin, second)))


def byte_lines(c: Chance) -> list[bytes]:
    return c.text().encode(errors="replace").splitlines(keepends=True)


def features(c: Chance) -> tuple[Array, ...]:
    nodes = c.randrange(1, 30)
    source, target = c.edges(nodes, 60)
    return c.ids(nodes), source, target, c.ints(len(source), 3, np.uint8)


def same_order(c: Chance) -> Call:
    order = orders(c)
    return Call((grams(c, order), grams(c, order)))


def weighted(c: Chance) -> Call:
    a = c.bag()
    return Call((a, c.bag(), c.ints(len(a), 2**31)))


MADE_UP: dict[str, Callable[[Chance], Call]] = {
    "CodeBags": lambda c: Call((c.bag(), c.bag(), c.bag())),
    "LoweringTable": lambda _: Call(()),  # only lowering_table makes these: every call raises
    "NgramSet": lambda _: Call(()),
    "NgramSet.add": lambda c: Call((ngram_set(c), c.ids(c.randrange(1, 9)).tolist())),
    "NgramSet.mask": lambda c: Call((ngram_set(c), c.ids())),
    "PieceReader": reader_call,
    "PieceReader.__call__": lambda c: Call((reader(c), *(c.randrange(99) for _ in range(4)))),
    "PieceReader.start": lambda c: Call((reader(c),)),
    "PieceReader.stop": lambda c: Call((reader(c),)),
    "SortedGrams": lambda c: Call((c.ids(), orders(c))),
    "all_overlaps": lambda c: Call(feature_rows(c)),
    "anchored_hunks": lined,
    "blank_split_ids": lambda c: Call((c.text(),)),
    "bleu": lambda c: Call(
        (numbers(c, 2 * orders(c) + 2), c.randrange(4), fraction(c), True, False)
    ),
    "character_ids": lambda c: Call((c.text(), c.random() < 0.5)),
    "chrf_statistics": lambda c: Call((c.text(), c.text(), orders(c), c.randrange(3), True)),
    "clipped_matches": masked,
    "codebleu_value": lambda c: Call((numbers(c, 22), (0.25, 0.25, 0.25, 0.25))),
    "common_lengths": common_lengths_call,
    "divergent_regions": lambda c: Call(three(c)),
    "edit_operations": lambda c: Call((c.ids(), c.ids(), [c.ids(), c.ids()], orders(c))),
    "excision_matrix": matrix_call,
    "excision_score": lambda c: regions_call(c, c.randrange(3), c.randrange(3), c.random() < 0.5),
    "feature_set": lambda c: Call(
        ([(c.randrange(16), c.ids()) for _ in range(3)], c.randrange(1, 256))
    ),
    "found_ids": lambda c: Call(two(c)),
    "graph_edit_distance": graph_pair,
    "graph_features": lambda c: Call(features(c)),
    "refined_nodes": lambda c: Call((*features(c), c.randrange(9))),
    "ids_13a": lambda c: Call((c.text(),)),
    "lcs_hunks": lambda c: Call(two(c)),
    "lcs_positions": lambda c: Call(two(c)),
    "levenshtein_ids": lambda c: Call(two(c)),
    "levenshtein_ids_by": lambda c: Call((c.choice(_native.levenshtein_sweeps()), *two(c))),
    "levenshtein_sweeps": lambda _: Call(()),
    "levenshtein_text": lambda c: Call((c.text(), c.text())),
    "line_diff": lambda c: Call((byte_lines(c), byte_lines(c), c.random() < 0.5)),
    "line_hunks": lined,
    "end_on_interrupt": lambda c: Call(("stopped", c.randrange(256))),
    "merge_hunks": hunk_pair,
    "merge_matches": same_order,
    "near_copies": near_copies_call,
    "numbered_features": lambda c: Call((c.randrange(16), c.ids())),
    "pair_hunks": lambda c: Call(two(c)),
    "pair_overlaps": pair_call,
    "pooled_score": lambda c: regions_call(c, c.random() < 0.5, c.random()),
    "post_dominators": post_call,
    "rank_statistics": rank_call,
    "reaching_definitions": flow_call,
    "revision_grams": lambda c: regions_call(c, c.random() < 0.5),
    "shared_bags": lambda c: Call((bags(c), bags(c))),
    "shared_ends": lambda c: Call(three(c)),
    "shared_weights": weighted,
    "sorted_members": lambda c: Call((c.bag(), c.bag())),
    "sorted_ngrams": lambda c: Call((c.ids(), orders(c), c.random() < 0.5)),
    "sorted_overlap": lambda c: Call((c.bag(), c.bag())),
    "string_ids": lambda c: Call(([c.text(), c.text()],)),
    "three_way_lcs": lambda c: Call((*three(c), 10.0 ** c.randrange(8))),
    "token_words": word_call,
    "tree_edit_distance": tree_pair,
    "tree_edit_mapping": tree_pair,
    "without_python_comments": lambda c: Call((c.text(),)),
    "word_ids": lambda c: Call((c.text(),)),
}

CALLED: dict[str, Callable[..., Any]] = {"PieceReader.__call__": reading}


# ------------------------------------------------------------------------------------------------
# Corrupting arguments
# ------------------------------------------------------------------------------------------------

INTEGERS = (
    *(-1, 0, 1, 2, 63, 64, 65, 255, 256, 65535, 65536, 2**24, 2**30),
    *(_MAX - 1, _MAX, 2**31, -(2**31), 2**32 - 1, 2**32, 2**40, 2**62),
    *(2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**30),
)
FLOATS = (0.0, -0.0, -1.0, 1e-320, 1e150, 1e308, 2.0**63, 1e19, math.inf, -math.inf, math.nan)
OTHERS: tuple[Any, ...] = (
    *(None, True, 1.5, "1", "", b"", [], (), {}, [[1]], [None], object(), int, np.int64(3)),
    *(np.float64(math.nan), np.zeros(3), np.zeros((2, 2), np.int32), np.int32(7), range(3)),
)


def spoiled(c: Chance, value: Any) -> Any:
    """A value of another kind, or the same kind with something wrong in it."""
    if c.random() < 0.06:
        return c.choice(OTHERS)
    if isinstance(value, np.ndarray):
        return spoiled_array(c, value)
    if isinstance(value, bool):
        return c.choice((not value, 2, None, "True"))
    if isinstance(value, int):
        return c.choice((c.choice(INTEGERS), value + c.randrange(-3, 4), -value))
    if isinstance(value, float):
        return c.choice(FLOATS)
    if isinstance(value, str):
        return c.choice(
            (c.text(), value[: len(value) // 2], value.encode(errors="replace"), value + "\0")
        )
    if isinstance(value, bytes):
        return spoiled_bytes(c, value)
    if isinstance(value, list | tuple):
        return spoiled_list(c, value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return spoiled_fields(c, value)
    if isinstance(value, tree_sitter.Tree):
        return c.choice(
            (value.root_node, value.walk(), types.SimpleNamespace(root_node=1, walk=int))
        )
    if type(value).__module__ == _native.__name__:
        return type(value).__new__(type(value))  # uninitialised
    return c.choice(OTHERS)


def spoiled_bytes(c: Chance, value: bytes) -> Any:
    cut = c.randrange(len(value) + 1)
    noise = bytes(c.randrange(256) for _ in range(3))
    return c.choice(
        (value[:cut], value[:cut] + noise + value[cut:], bytearray(value), b"", value[::-1])
    )


def spoiled_list(c: Chance, value: list[Any] | tuple[Any, ...]) -> Any:
    items = list(value)
    if not items or c.random() < 0.25:
        extra = items[:1] or [c.choice(OTHERS)]
        items = c.choice((items + extra, items[:-1], items[::-1], items * 2, []))
    else:
        at = c.randrange(len(items))
        items[at] = spoiled(c, items[at])
    return type(value)(items) if type(value) in (list, tuple) else items


def spoiled_fields(c: Chance, value: Any) -> types.SimpleNamespace:
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for _ in range(c.choice((1, 1, 2, 4))):
        name = c.choice(list(fields))
        fields[name] = spoiled(c, fields[name])
    if c.random() < 0.1:
        del fields[c.choice(list(fields))]
    return types.SimpleNamespace(**fields)


def spoiled_array(c: Chance, value: Array) -> Any:
    """An array of another type, shape, layout or length, or with other numbers in it."""
    if value.ndim == 0 or value.dtype.kind not in "iuf":
        return value  # already corrupted
    way = c.randrange(12)
    if way == 0:
        names = (
            "i1",
            "u1",
            "i2",
            "u2",
            "i4",
            "u4",
            "i8",
            "u8",
            "f4",
            "f8",
            "c16",
            "O",
            "?",
            ">i4",
            ">u8",
            "M8[s]",
        )
        with np.errstate(all="ignore"):
            return value.astype(c.choice(names))
    if way == 1:
        return c.choice((value[:-1], value[1:], value[:0], np.repeat(value, 2, axis=0)))
    if way == 2:
        doubled = np.repeat(value, 2, axis=0)
        return c.choice(
            (
                doubled[::2],
                value[::-1],
                value.reshape(1, -1),
                value.ravel(),
                np.asfortranarray(value),
            )
        )
    if way == 3 and value.size:
        return c.choice(
            (
                value.reshape(-1)[0],
                np.array(value.reshape(-1)[0]),
                memoryview(value),
                value.tolist(),
            )
        )
    if way == 4:  # misaligned
        raw = b"\0" + value.tobytes()
        return np.frombuffer(raw, dtype=value.dtype, offset=1).reshape(value.shape)
    if way == 5:
        fixed = value.copy()
        fixed.flags.writeable = False
        return fixed
    return with_other_numbers(c, value)


def with_other_numbers(c: Chance, value: Array) -> Array:
    if value.dtype.kind not in "iu" or not value.size:
        return value
    out = value.copy()
    flat = out.reshape(-1)
    limits = np.iinfo(value.dtype)
    edge = (
        int(limits.min),
        int(limits.max),
        0,
        1,
        -1,
        len(flat),
        len(flat) - 1,
        len(flat) + 1,
        _MAX - 1,
    )
    for _ in range(c.choice((1, 1, 1, 2, min(len(flat), 100)))):
        at = c.randrange(len(flat))
        near = int(flat[at]) + c.choice((-1, 1, 2))
        chosen = c.choice((c.choice(edge), near, int(flat[c.randrange(len(flat))])))
        flat[at] = min(max(chosen, int(limits.min)), int(limits.max))
    if c.random() < 0.1:
        order = list(range(len(flat)))
        c.shuffle(order)
        flat[:] = flat[order]
    return out


# ------------------------------------------------------------------------------------------------
# Running cases
# ------------------------------------------------------------------------------------------------


def kernels() -> list[str]:
    """Every function and class that the module exports, and the methods of its classes."""
    found = []
    for name in dir(_native):
        value = getattr(_native, name)
        if name.startswith("__") or not callable(value):
            continue
        found.append(name)
        if isinstance(value, type):
            methods = [
                method
                for method, function in vars(value).items()
                if callable(function) and (method == "__call__" or not method.startswith("_"))
            ]
            found += [f"{name}.{method}" for method in methods]
    return found


def resolve(name: str) -> Callable[..., Any]:
    value: Any = _native
    for part in name.split("."):
        value = getattr(value, part)
    return value


def case(name: str, number: int, seed: int, recorded: list[Call]) -> Call:
    """The call of a case, determined by its number and the seed."""
    c = Chance(f"{seed} {name} {number}")
    make = MADE_UP.get(name)
    call = make(c) if make and (not recorded or c.random() < 0.7) else c.choice(recorded)
    if c.random() >= SPOILED:
        return call
    positional, named = list(call.positional), dict(call.named)
    for _ in range(c.choice((1, 1, 1, 2, 3))):
        at = c.randrange(len(positional) + len(named)) if positional or named else -1
        if at < 0:
            positional.append(c.choice(OTHERS))
        elif at < len(positional):
            positional[at] = spoiled(c, positional[at])
        else:
            key = list(named)[at - len(positional)]
            named[key] = spoiled(c, named[key])
    if positional and c.random() < 0.05:
        first, second = c.randrange(len(positional)), c.randrange(len(positional))
        positional[first], positional[second] = positional[second], positional[first]
    return Call(tuple(positional), named)


@dataclasses.dataclass
class Tally:
    """The outcomes of the cases."""

    calls: int = 0
    answered: int = 0
    faults: list[str] = dataclasses.field(default_factory=list)


def tried(
    name: str, seed: int, recorded: list[Call], *, verbose: bool
) -> Callable[[], Callable[[int], bool]]:
    """In a child: make the call of a case; whether it returned a result."""
    kernel = CALLED.get(name) or resolve(name)

    def answers(number: int) -> bool:
        call = case(name, number, seed, recorded)
        try:
            kernel(*call.positional, **call.named)
        except REFUSALS:
            return False
        except BaseException:
            if verbose:
                traceback.print_exc()
            raise
        return True

    return lambda: answers


def main() -> int:
    """Run the cases of every kernel and print the faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=1_000, help="cases per kernel")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kernels", nargs="*", help="only these")
    parser.add_argument("--memory", type=int, default=1_024, help="MB per child; 0: no limit")
    parser.add_argument("--hang", type=float, default=30, help="processor seconds per case")
    parser.add_argument("--verbose", action="store_true", help="print tracebacks")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # nanobind's, for an uninitialised object
    recorded = record()
    names = options.kernels or kernels()
    tally = Tally()
    for name in names:
        if name not in MADE_UP and not recorded.get(name):
            tally.faults.append(f"{name}: no valid calls; add them to tools/fuzz_kernels.py")
            continue
        work = tried(name, options.seed, recorded.get(name, []), verbose=options.verbose)
        with LimitedChild(work, seconds=options.hang, megabytes=options.memory) as child:
            for number in range(options.first, options.first + options.cases):
                found = child.outcome(number)
                tally.calls += 1
                tally.answered += found.value is True
                if found.kind != "done":
                    tally.faults.append(f"{name} case {number}: {found.kind}: {found.reason}")
    for fault in tally.faults:
        print(fault)
    print(
        f"{tally.calls:,} calls of {len(names)} kernels: {tally.answered:,} answered, "
        f"{len(tally.faults)} faults (crashes, hangs, foreign exceptions, kernels without calls)"
    )
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
