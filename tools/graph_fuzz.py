"""Check that any text gives a sound semantic graph, in time.

Usage: ``python tools/graph_fuzz.py DATA [--languages NAME]... [--parts NAME]... [--files N]
[--mutations N] [--depth N]`` where DATA has ``triplets/``, ``edits/`` and ``humanevalpack/``.
Prints tables in Markdown: `errors`, the share of real programs with syntax errors and what they
become; `mutations` of real programs; `truncations` at every byte; shuffled `tokens`; `nesting` of
each construct and `width`, at half and full depth.

Each graph must be built without an exception, with edges between its nodes, an edge from the root
to every function's entry, spans inside the text, and the same result the second time. Graphs are
built in a child process, so a text that crashes it or hangs (ten minutes) is reported and saved.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.programs import LANGUAGES, sampled_programs

from codekin import Source, semantic_graph
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from graph_inputs import mutated, nested, shuffled, truncations, wide
from limited_children import LimitedChild

HANG_S = 600
TRUNCATED_FILES = 200
LONGEST_TRUNCATED = 1_500


def main() -> int:
    """Run the parts and print their tables; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--files", type=int, default=2_000, help="real programs per language")
    parser.add_argument("--mutations", type=int, default=3_000, help="mutations per language")
    parser.add_argument("--depth", type=int, default=5_000)
    options = parser.parse_args()
    bad = 0
    for part in options.parts:
        print(f"\n### {part}\n\n{PARTS[part][0]}")
        print("|---" * (PARTS[part][0].count("|") - 1) + "|", flush=True)
        for language in options.languages:
            with LimitedChild(prepare, seconds=HANG_S, megabytes=0) as child:
                bad += not PARTS[part][1](language, options, Checker(child))
    return 1 if bad else 0


@dataclass(frozen=True)
class Checked:
    """A graph, the seconds that it took, and what is wrong with it."""

    graph: SemanticGraph
    seconds: float
    faults: list[str]


Text = tuple[str, str, bool]
"""A text, its language, and whether its graph is made twice."""


def prepare() -> Callable[[Text], Checked]:
    """In a child: build graphs; if it hangs or dies, print the line."""
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, chain=True)
    for language in LANGUAGES:
        semantic_graph("", language)  # one-time loading does not count
    return checked


def checked(given: Text) -> Checked:
    """The graph of a text, timed and checked."""
    text, language, again = given
    source = Source(text, language)
    _ = source.tree
    start = time.perf_counter()
    graph = semantic_graph(source)
    seconds = time.perf_counter() - start
    faults = broken(graph)
    if again and semantic_graph(Source(text, language)) != graph:
        faults.append("a different graph the second time")
    return Checked(graph, seconds, faults)


@dataclass
class Checker:
    """Builds graphs, and records faults and the slowest text."""

    child: LimitedChild[Text, Checked]
    texts: int = 0
    wrong: dict[str, str] = field(default_factory=dict)
    slowest: float = 0.0
    total: float = 0.0

    def graph(self, text: str, language: str, *, again: bool = True) -> SemanticGraph | None:
        """The graph of a text, or None if there is none."""
        self.texts += 1
        outcome = self.child.outcome((text, language, again))
        if outcome.value is None:
            self.note([f"{outcome.kind}: {outcome.reason}"], text)
            if outcome.kind in ("crash", "hang"):
                kept = Path(f"graph-fuzz-{language}-{outcome.kind}-{self.texts}.txt")
                kept.write_text(text, encoding="utf-8", errors="replace")
                print(f"{language}: {outcome.reason}; the text is in {kept}", flush=True)
            return None
        self.note(outcome.value.faults, text)
        self.total += outcome.value.seconds
        self.slowest = max(self.slowest, outcome.value.seconds)
        return outcome.value.graph

    def note(self, faults: list[str], text: str) -> None:
        """Record the shortest text of each fault."""
        for fault in faults:
            if len(text) < len(self.wrong.get(fault, text + " ")):
                self.wrong[fault] = text

    def row(self, *cells: object) -> bool:
        """Print a row and the faults; returns whether there were none."""
        numbers = (self.texts, len(self.wrong), f"{self.total:.1f}", f"{self.slowest * 1000:.1f}")
        print("| " + " | ".join(map(str, (*cells, *numbers))) + " |")
        for fault, text in self.wrong.items():
            print(f"    {fault}\n    {text[:400]!r}")
        sys.stdout.flush()
        return not self.wrong


def broken(graph: SemanticGraph) -> list[str]:
    """What is wrong with a graph."""
    count = len(graph)
    faults = []
    ends = np.concatenate([graph.source, graph.target])
    if len(ends) and (ends.min() < 0 or ends.max() >= count):
        return ["an edge to no node"]
    if (
        (graph.start < 0).any()
        or (graph.end < graph.start).any()
        or (graph.end > len(graph.data)).any()
    ):
        faults.append("a span outside the text")
    entries = np.flatnonzero(graph.kind == OperationKind.ENTRY)
    rooted = graph.target[graph.edge_kind == EdgeKind.ROOT]
    if not np.array_equal(np.sort(rooted), entries):
        faults.append("the root's edges are not those to the entries")
    if (graph.source[graph.edge_kind == EdgeKind.ROOT] != 0).any():
        faults.append("an edge of kind root that is not the root's")
    having = set(graph.function[entries].tolist())
    if not set(graph.function[1:].tolist()) <= having:
        faults.append("a function without an entry")
    if len(entries) != len(having):
        faults.append("a function with two entries")
    if len(graph.label) and (graph.label.max(initial=0) >= len(graph.labels)):
        faults.append("a node without a label")
    keys = np.stack([graph.source, graph.target, graph.edge_kind])
    if keys.shape[1] != np.unique(keys, axis=1).shape[1]:
        faults.append("a duplicate edge")
    calls = graph.edge_kind == EdgeKind.CALL
    if (graph.kind[graph.target[calls]] != OperationKind.ENTRY).any():
        faults.append("a call edge to a node that is not an entry")
    return faults


# The parts


def errors(language: str, options: argparse.Namespace, checker: Checker) -> bool:
    """Real programs: how many have syntax errors, and what those become."""
    faulty = nodes = opaque = opaque_graphs = bytes_opaque = size = 0
    for text in sampled_programs(options.data, language, options.files):
        graph = checker.graph(text, language)
        if graph is None or not Source(text, language).problems:
            continue
        faulty += 1
        unparsed = graph.kind == OperationKind.OPAQUE
        nodes += len(graph)
        opaque += int(unparsed.sum())
        opaque_graphs += bool(unparsed.any())
        size += len(graph.data)
        bytes_opaque += int((graph.end - graph.start)[unparsed].sum())
    return checker.row(
        language,
        f"{faulty} ({faulty / max(checker.texts, 1):.1%})",
        opaque_graphs,
        f"{opaque / max(nodes, 1):.2%}",
        f"{bytes_opaque / max(size, 1):.2%}",
    )


def mutations(language: str, options: argparse.Namespace, checker: Checker) -> bool:
    """Real programs with tokens and lines deleted, duplicated, swapped and inserted."""
    rng = random.Random(f"mutations {language}")
    texts = sampled_programs(options.data, language, options.files)
    for _ in range(options.mutations):
        checker.graph(mutated(rng.choice(texts), rng.choice(texts), rng), language)
    return checker.row(language)


def truncated(language: str, options: argparse.Namespace, checker: Checker) -> bool:
    """Real programs cut off before every byte."""
    texts = sampled_programs(options.data, language, options.files)
    short = [text for text in texts if len(text) <= LONGEST_TRUNCATED]
    files = short[: TRUNCATED_FILES // len(LANGUAGES)]
    for text in files:
        for i, cut in enumerate(truncations(text)):
            checker.graph(cut, language, again=i % 16 == 0)
    return checker.row(language, len(files))


def tokens(language: str, options: argparse.Namespace, checker: Checker) -> bool:
    """Shuffled tokens of real programs."""
    rng = random.Random(f"tokens {language}")
    texts = sampled_programs(options.data, language, options.files)
    for _ in range(options.mutations):
        checker.graph(shuffled(texts, rng), language)
    return checker.row(language)


def nesting(language: str, options: argparse.Namespace, checker: Checker) -> bool:
    """Each construct inside itself, at two depths."""
    return _grown(language, options, checker, nested)


def width(language: str, options: argparse.Namespace, checker: Checker) -> bool:
    """Many branches, cases, definitions in one function, at two widths."""
    return _grown(language, options, checker, wide)


def _grown(language: str, options: argparse.Namespace, checker: Checker, make: object) -> bool:
    good = True
    halves: Iterator[tuple[str, str]] = make(language, options.depth // 2)  # type: ignore[operator]
    wholes: Iterator[tuple[str, str]] = make(language, options.depth)  # type: ignore[operator]
    for (name, half), (_, whole) in zip(halves, wholes, strict=True):
        seconds, graphs = [], []
        for text in (half, whole):
            one = Checker(checker.child)
            graph = one.graph(text, language)
            graphs.append(graph)
            seconds.append(one.total)
            checker.wrong |= one.wrong
        last = graphs[-1]
        size = "" if last is None else f"{len(last):,} | {len(last.source):,} | {last.complete}"
        ratio = seconds[1] / max(seconds[0], 1e-6)
        times = " | ".join(f"{value * 1000:.1f}" for value in seconds)
        print(f"| {language} | {name} | {size} | {times} | {ratio:.1f} |", flush=True)
        for fault in checker.wrong:
            print(f"    {fault}")
        good &= not checker.wrong
        checker.wrong = {}
    return good


_END = " texts | faults | seconds | slowest ms |"
_GROWN = "| language | construct | nodes | edges | complete | ms at half | ms | ratio |"
PARTS = {
    "errors": (
        "| language | with errors | with opaque operations | opaque nodes in those"
        f" | opaque bytes |{_END}",
        errors,
    ),
    "mutations": (f"| language |{_END}", mutations),
    "truncations": (f"| language | files |{_END}", truncated),
    "tokens": (f"| language |{_END}", tokens),
    "nesting": (_GROWN, nesting),
    "width": (_GROWN, width),
}


if __name__ == "__main__":
    sys.exit(main())
