"""Check the graph edit distance on far more graphs than the tests have time for.

Usage: ``python tools/graph_edit_soak.py [--small N] [--programs N] [--budgets N] [--seed N]``.
`small` graphs of up to six nodes are compared with all possible mappings; graphs like those of
`programs`, of up to forty nodes, with an integer program solved by HiGHS; growing `budgets` are
tried on graphs of up to a hundred nodes. Cases are merged and typed, with fixed and forbidden
pairs, loops and duplicate edges, and half of them have random costs. Every mapping's cost is
computed from scratch. Prints a table in Markdown; wrong cases are minimised and printed, and the
exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.align.graph_edit_oracles import by_enumeration, by_highs, cost
from tests.align.labelled_graphs import (
    Case,
    Graph,
    constrained,
    edited,
    priced,
    program_graph,
    random_case,
    random_graph,
)

from codekin.align.graph_edit import DEFAULT_STEPS, GraphEdit

BUDGETS = [*(int(1.5**i) for i in range(34)), DEFAULT_STEPS]
SHOWN = 5


def main() -> int:
    """Run the parts and print their table; 1 if a distance was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", type=int, default=100_000)
    parser.add_argument("--programs", type=int, default=2_000)
    parser.add_argument("--budgets", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("| graphs | cases | proven at the default budget | wrong | seconds |")
    print("|---" * 5 + "|", flush=True)
    wrong = 0
    for part, (draw, judge) in PARTS.items():
        rng = random.Random(f"{part} {options.seed}")
        wrong += soak(part, getattr(options, part), lambda d=draw, r=rng: sometimes(r, d(r)), judge)
    return 1 if wrong else 0


Judge = Callable[[Case], tuple[str, bool]]
"""What is wrong with the answer for a case, if anything, and whether it was proven optimal."""


def soak(part: str, count: int, draw: Callable[[], Case], judge: Judge) -> int:
    """Check `count` cases and print a row; returns how many were wrong."""
    start = time.perf_counter()
    faults: list[tuple[str, Case]] = []
    proven = 0
    for _ in range(count):
        case = draw()
        fault, exact = judge(case)
        proven += exact
        if fault:
            faults.append((fault, case))
    seconds = time.perf_counter() - start
    print(f"| {part} | {count:,} | {proven / max(count, 1):.2%} | {len(faults)} | {seconds:.0f} |")
    for _, case in faults[:SHOWN]:
        small = shrunk(case, judge)
        print(f"    {judge(small)[0]}\n    {small}")
    sys.stdout.flush()
    return len(faults)


# What must hold


def broken(case: Case, edit: GraphEdit, steps: int) -> str:
    """What is wrong with an answer, whatever the distance is."""
    try:
        price = cost(case, edit.mapping)
    except AssertionError as error:
        return f"no mapping: {error}"
    if price != edit.upper:
        return f"the mapping costs {price}, not {edit.upper}"
    if not 0 <= edit.lower <= edit.upper <= case.size or edit.exact != (edit.lower == edit.upper):
        return f"bounds {edit.lower} to {edit.upper}, exact {edit.exact}"
    if not 0 <= edit.steps <= steps:
        return f"{edit.steps} steps of {steps}"
    return ""


def beside(case: Case, true: int | None, budgets: tuple[int, ...]) -> tuple[str, bool]:
    """Compare with the true distance at several budgets; the last one is the default."""
    exact = False
    for steps in (*budgets, DEFAULT_STEPS):
        edit = case.measure(steps=steps)
        fault = broken(case, edit, steps)
        if true is not None and not edit.lower <= true <= edit.upper:
            fault = f"{true} is not in {edit.lower} to {edit.upper}"
        if fault:
            return f"{fault}, at {steps} steps", False
        exact = edit.exact
    return "", exact


def judge_small(case: Case) -> tuple[str, bool]:
    """Compare with every possible mapping."""
    return beside(case, by_enumeration(case), (0, 50, 500))


def judge_program(case: Case) -> tuple[str, bool]:
    """Compare with HiGHS."""
    return beside(case, by_highs(case), (0, 1_000, 30_000))


def judge_budgets(case: Case) -> tuple[str, bool]:
    """Look for a larger budget that gives a worse interval."""
    last = GraphEdit(lower=0, upper=case.size, mapping=(), steps=0)
    for steps in BUDGETS:
        edit = case.measure(steps=steps)
        fault = broken(case, edit, steps)
        if edit.lower < last.lower or edit.upper > last.upper:
            fault = f"{last.lower} to {last.upper}, then {edit.lower} to {edit.upper}"
        if fault:
            return f"{fault}, at {steps} steps", False
        last = edit
    return "", last.exact


# Cases


def sometimes(rng: random.Random, case: Case) -> Case:
    """The case, with costs or without."""
    return priced(rng, case) if rng.random() < 0.5 else case


def small_case(rng: random.Random) -> Case:
    """Up to six nodes."""
    return random_case(rng, rng.choice((3, 4, 5, 5, 6)), rng.random() < 0.5)


def program_case(rng: random.Random) -> Case:
    """Up to forty nodes: like programs, or random with many labels."""
    nodes = rng.randrange(8, 41)
    typed = rng.random() < 0.5
    if rng.random() < 0.25:
        one, other = (random_graph(rng, nodes // 2, nodes, 4) for _ in range(2))
        case = Case(one, other, typed=typed)
    else:
        case = alike(rng, program_graph(rng, nodes, rng.randrange(1, 4)), typed)
    return constrained(rng, case) if rng.random() < 0.4 else case


def budget_case(rng: random.Random) -> Case:
    """Up to a hundred nodes, some with hardly any labels."""
    nodes, typed = rng.randrange(2, 101), rng.random() < 0.5
    if rng.random() < 0.4:
        graph = random_graph(rng, nodes, rng.choice((1, 2, 3)) * nodes, rng.randrange(1, 6))
    else:
        graph = program_graph(rng, nodes, rng.randrange(1, 4))
    case = alike(rng, graph, typed)
    return constrained(rng, case) if rng.random() < 0.3 else case


def alike(rng: random.Random, graph: Graph, typed: bool) -> Case:
    """A graph with an edited version of it, or with another similar one."""
    edits = rng.choice((0, 1, 3, 10, 30))
    other = edited(rng, graph, edits) if edits else program_graph(rng, len(graph))
    return Case(graph, other.shuffled(rng), typed=typed)


# Making a case smaller


def shrunk(case: Case, judge: Judge, tries: int = 2_000) -> Case:
    """A smaller case that is wrong too."""
    smaller = True
    while smaller and tries > 0:
        smaller = False
        for other in reduced(case):
            tries -= 1
            if judge(other)[0]:
                case, smaller = other, True
                break
            if tries <= 0:
                break
    return case


def reduced(case: Case) -> Iterator[Case]:
    """The cases with one thing less."""
    for name in ("node_costs", "edge_costs"):
        if getattr(case, name) is not None:
            yield replace(case, **{name: None})
    for name in ("fixed", "forbidden"):
        pairs = getattr(case, name)
        for at in range(len(pairs)):
            yield replace(case, **{name: pairs[:at] + pairs[at + 1 :]})
    for swapped in (False, True):
        turned = case.swapped if swapped else case
        graph = turned.graph1
        for at in range(len(graph.edges)):
            fewer = Graph(graph.labels, graph.edges[:at] + graph.edges[at + 1 :])
            out = replace(turned, graph1=fewer)
            yield out.swapped if swapped else out
        for node in range(len(graph)):
            if all(node not in edge[:2] for edge in graph.edges):
                out = without(turned, node)
                yield out.swapped if swapped else out


def without(case: Case, node: int) -> Case:
    """The case without a node of the first graph that has no edges."""
    place = [i - (i > node) for i in range(len(case.graph1))]
    labels = case.graph1.labels
    return replace(
        case,
        graph1=Graph(
            labels[:node] + labels[node + 1 :],
            tuple((place[s], place[t], k) for s, t, k in case.graph1.edges),
        ),
        fixed=tuple((place[i], j) for i, j in case.fixed if i != node),
        forbidden=tuple((place[i], j) for i, j in case.forbidden if i != node),
    )


PARTS: dict[str, tuple[Callable[[random.Random], Case], Judge]] = {
    "small": (small_case, judge_small),
    "programs": (program_case, judge_program),
    "budgets": (budget_case, judge_budgets),
}


if __name__ == "__main__":
    sys.exit(main())
