"""How close the graph edit distance is to the optimum, how fast it is, and how peers compare.

Usage: ``python bench/graph_edit.py DATA [--parts NAME]... [--pairs N] [--networkx N] [--limit S]``
where DATA has ``triplets/``. Prints tables in Markdown, all on one thread, in processor time:
`real` pairs of the triplets (graphs of 60 to 200 nodes) at 1, 10 and 100 ms worth of steps and at
the default budget, and one assignment of nodes with their edges; `networkx`, how long its
`optimize_graph_edit_distance` takes to find its best distance, and we to find one as good; `random`
labelled graphs; and `scaling` to 5,000 nodes. With ``--corpus``, every pair of the matched triplets
at the default budget instead. With ``--costs learned``, real pairs at those costs of cssg.

An interval is the upper minus the lower bound; in CSSG units it is divided by the number of nodes
and edges in both graphs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.align.labelled_graphs import edited, program_graph
from tests.align.process_memory import memory_at_most, memory_now

from codekin.align.graph_edit import DEFAULT_STEPS, graph_edit_distance
from graph_edit_pairs import GraphPair, corpus_pairs, flat_pair, random_pairs, sampled_pairs
from graph_edit_peers import by_assignment, by_networkx, without_self_loops

SMALLEST, LARGEST = 60, 200
MILLISECONDS = (1, 10, 100)
RANDOM_NODES = (10, 20, 40, 80, 160, 320)
RANDOM_LABELS = (2, 8, 32)
RANDOM_LIMIT = 2.0
"""Seconds for networkx on a random pair."""
SCALED_NODES = (100, 200, 500, 1_000, 2_000, 5_000)


@dataclass(frozen=True)
class Found:
    """Bounds, the total size of the two graphs, and the milliseconds it took."""

    lower: float
    upper: int
    size: int
    ms: float
    steps: int = 0

    @property
    def proven(self) -> bool:
        """Whether the bounds meet."""
        return self.upper - self.lower < 1

    @property
    def unit(self) -> float:
        """The interval in CSSG units."""
        return (self.upper - self.lower) / max(self.size, 1)


def measured(pair: GraphPair, steps: int = DEFAULT_STEPS) -> Found:
    """The distance at a budget."""
    costs = {}
    if pair.costs != "unit":
        costs = {"node_costs": pair.case.node_costs, "edge_costs": pair.case.edge_costs}
    start = time.thread_time()
    edit = graph_edit_distance(pair.graph1, pair.graph2, **costs, steps=steps)
    ms = (time.thread_time() - start) * 1000
    return Found(edit.lower, edit.upper, pair.case.size, ms, edit.steps)


def assigned(pair: GraphPair) -> Found:
    """The distance by a single assignment."""
    _ = pair.case
    start = time.thread_time()
    lower, upper = by_assignment(pair)
    return Found(lower, upper, pair.case.size, (time.thread_time() - start) * 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--corpus", action="store_true", help="only every matched pair")
    parser.add_argument("--pairs", type=int, default=300, help="real pairs")
    parser.add_argument("--networkx", type=int, default=25, help="real pairs for networkx")
    parser.add_argument("--limit", type=float, default=20.0, help="networkx's seconds per pair")
    parser.add_argument("--draws", type=int, default=10, help="random pairs of each kind")
    parser.add_argument("--rate", type=int, help="steps per millisecond, instead of measuring it")
    parser.add_argument("--costs", default="unit", help="costs of cssg, for real pairs")
    options = parser.parse_args()
    if options.corpus:
        corpus(options.data)
        return
    real = [
        replace(pair, costs=options.costs)
        for pair in sampled_pairs(options.data, options.pairs, SMALLEST, LARGEST)
    ]
    rate = options.rate or steps_per_ms(real)
    print(f"{rate:,} steps per millisecond; the default budget is {DEFAULT_STEPS:,} steps.")
    for part in options.parts:
        print(f"\n### {part}\n", flush=True)
        PARTS[part](real, rate, options)


def steps_per_ms(pairs: Sequence[GraphPair]) -> int:
    """Steps per millisecond, on pairs that use at least a tenth of the budget."""
    found = [measured(pair) for pair in pairs[:100]]
    long = [one for one in found if one.steps > DEFAULT_STEPS / 10] or found
    return max(round(sum(one.steps for one in long) / sum(one.ms for one in long)), 1)


def budgets(rate: int) -> dict[str, int]:
    """Budgets by name."""
    return {f"{ms} ms": ms * rate for ms in MILLISECONDS} | {"default": DEFAULT_STEPS}


def header(*names: str) -> None:
    """Print the head of a table."""
    print("| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|", flush=True)


def row(*cells: object) -> None:
    """Print a row of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def spread(values: Iterable[float]) -> tuple[float, float, float]:
    """The 10th, 50th and 90th percentiles of values."""
    ordered = sorted(values)
    return (
        ordered[len(ordered) // 10],
        statistics.median(ordered),
        ordered[max(-(-9 * len(ordered) // 10) - 1, 0)],
    )


def summary(found: Sequence[Found]) -> tuple[str, ...]:
    """Share proven, mean intervals, milliseconds."""
    _, half, most = spread(one.ms for one in found)
    return (
        f"{statistics.mean(one.proven for one in found):.1%}",
        f"{statistics.mean(one.upper - one.lower for one in found):.2f}",
        f"{statistics.mean(one.unit for one in found):.5f}",
        f"{half:.2f}",
        f"{most:.2f}",
    )


SUMMARY = ("proven optimal", "mean interval", "in CSSG units", "median ms", "90th percentile ms")


# Real pairs


def real_part(pairs: list[GraphPair], rate: int, _options: argparse.Namespace) -> None:
    """Intervals at each budget, and those of a single assignment."""
    by_budget = {
        name: [measured(pair, steps) for pair in pairs] for name, steps in budgets(rate).items()
    }
    best = [min(one.upper for one in each) for each in zip(*by_budget.values(), strict=True)]
    print(f"{len(pairs)} pairs, graphs of {SMALLEST} to {LARGEST} nodes.\n")
    header("budget", *SUMMARY, "mean excess over the best known")
    rows = list(by_budget.items())
    if pairs[0].costs == "unit":  # the assignment knows no others
        rows.append(("assignment alone", [*map(assigned, pairs)]))
    for name, found in rows:
        excess = statistics.mean(one.upper - b for one, b in zip(found, best, strict=True))
        row(name, *summary(found), f"{excess:.2f}")


@dataclass(frozen=True)
class Race:
    """Our distance at the default budget, networkx's best (if it has one), and the times."""

    ours: Found
    theirs: int | None
    theirs_s: float
    overtaken_ms: float
    reached_s: float | None

    @property
    def to_theirs(self) -> float:
        """The time of networkx to its best distance, divided by our time to one as good."""
        return self.theirs_s * 1000 / self.overtaken_ms


def race(pair: GraphPair, limit: float) -> Race:
    """Let networkx run for `limit` seconds, then find out when we had a distance as good."""
    case = without_self_loops(pair.case)
    same = flat_pair(case.graph1, case.graph2)
    ours = measured(same)
    found = by_networkx(case, limit)
    seconds, best = found[-1] if found else (limit, None)
    steps = 1_000
    while best is not None and measured(same, steps).upper > best and steps < DEFAULT_STEPS:
        steps *= 2
    as_good_ms = statistics.median(measured(same, steps).ms for _ in range(5))
    reached = next((at for at, value in found if value <= ours.upper), None)
    return Race(ours, best, seconds, as_good_ms, reached)


def shown(distance: int | None) -> str:
    """A distance, if there is one."""
    return "none" if distance is None else str(distance)


def networkx_part(pairs: list[GraphPair], _rate: int, options: argparse.Namespace) -> None:
    """How long networkx takes to find its best distance, and we to find one as good."""
    header(
        *("pair", "nodes", "ours", "proven", "ms", "networkx's best", "s"),
        *("ours as good, ms", "times", "networkx to ours"),
    )
    races = []
    for pair in pairs[: options.networkx]:
        one = race(pair, options.limit)
        races.append(one)
        row(
            *(pair.name, f"{len(pair.case.graph1)}, {len(pair.case.graph2)}"),
            *(one.ours.upper, one.ours.proven, f"{one.ours.ms:.2f}"),
            *(
                one.theirs,
                f"{one.theirs_s:.1f}",
                f"{one.overtaken_ms:.2f}",
                f"{one.to_theirs:,.0f}",
            ),
            f"not in {options.limit:g} s" if one.reached_s is None else f"{one.reached_s:.1f} s",
        )
    few, half, many = spread(one.to_theirs for one in races)
    reached = sum(one.reached_s is not None for one in races)
    print(
        f"\nIn {options.limit:g} s networkx reached our distance in {reached} of {len(races)}"
        f" pairs. To find its best distance, it took {half:,.0f} times as long as we took to find"
        f" one as good (10th to 90th percentile {few:,.0f} to {many:,.0f}). Graphs have no"
        " self-loops, which networkx 3.6.1 gets wrong."
    )


# Random graphs


def random_part(_pairs: list[GraphPair], rate: int, options: argparse.Namespace) -> None:
    """Graphs with two edges per node, unrelated and alike."""
    names = budgets(rate)
    header(
        *("nodes", "labels", "graphs"),
        *(f"proven, {name}" for name in names),
        *(f"CSSG units, {name}" for name in names),
        *("median ms, default", "assignment alone: CSSG units", "excess", "networkx's first pair"),
    )
    for alike in (True, False):
        for labels in RANDOM_LABELS:
            for nodes in RANDOM_NODES:
                pairs = random_pairs(nodes, labels, options.draws, alike=alike)
                found = [[measured(pair, steps) for pair in pairs] for steps in names.values()]
                rough = [assigned(pair) for pair in pairs]
                more = [a.upper - one.upper for a, one in zip(rough, found[-1], strict=True)]
                one = race(pairs[0], min(options.limit, RANDOM_LIMIT))
                row(
                    *(nodes, labels, "alike" if alike else "unrelated"),
                    *(f"{statistics.mean(one.proven for one in each):.0%}" for each in found),
                    *(f"{statistics.mean(one.unit for one in each):.4f}" for each in found),
                    f"{statistics.median(one.ms for one in found[-1]):.2f}",
                    f"{statistics.mean(one.unit for one in rough):.4f}",
                    f"{statistics.mean(more):.1f}",
                    f"{shown(one.theirs)} for {one.ours.upper}, {one.to_theirs:,.0f} times",
                )


# Size


def scaling_part(_pairs: list[GraphPair], _rate: int, _options: argparse.Namespace) -> None:
    """Graphs like those of programs, each in its own process."""
    header("nodes", "graphs", "lower", "upper", "CSSG units", "steps", "ms", "MiB")
    for nodes in SCALED_NODES:
        for alike in (True, False):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                found, memory = pool.apply(scaled, (nodes, alike))
            row(
                *(f"{nodes:,}", "alike" if alike else "unrelated", found.lower, found.upper),
                *(f"{found.unit:.4f}", f"{found.steps:,}", f"{found.ms:.1f}", f"{memory:.0f}"),
            )


def scaled(nodes: int, alike: bool) -> tuple[Found, float]:
    """A pair of graphs and the additional MiB it took."""
    rng = random.Random(nodes)
    graph1 = program_graph(rng, nodes, max(nodes // 60, 1))
    graph2 = (
        edited(rng, graph1, nodes // 20).shuffled(rng)
        if alike
        else program_graph(rng, nodes, max(nodes // 60, 1))
    )
    pair = flat_pair(graph1, graph2)
    _ = pair.case.size
    before = memory_now()
    found = measured(pair)
    return found, memory_at_most() - before


# Everything


def corpus(data: Path) -> None:
    """Every pair of the matched triplets at the default budget, by set."""
    found: defaultdict[str, list[Found]] = defaultdict(list)
    for pair in corpus_pairs(data, "*-matched.jsonl.xz"):
        found[pair.name.split()[0]].append(measured(pair))
    header("set", "pairs", *SUMMARY)
    for name, each in found.items():
        row(name, len(each), *summary(each))
    everything = [one for each in found.values() for one in each]
    row("all", len(everything), *summary(everything))


PARTS = {
    "real": real_part,
    "networkx": networkx_part,
    "random": random_part,
    "scaling": scaling_part,
}


if __name__ == "__main__":
    main()
