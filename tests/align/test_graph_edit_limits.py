"""Graphs that no search gets through: bounds within the budget, time and memory."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.align.graph_edit_oracles import cost
from tests.align.labelled_graphs import (
    CALL,
    CONTROL,
    ROOT,
    Case,
    Graph,
    edited,
    program_graph,
    random_graph,
)

from codekin.align.graph_edit import DEFAULT_STEPS, GraphEdit

# Graphs.


def star(nodes: int) -> Graph:
    return Graph((0,) * nodes, tuple((0, i, CONTROL) for i in range(1, nodes)))


def path(nodes: int) -> Graph:
    return Graph((0,) * nodes, tuple((i, i + 1, CONTROL) for i in range(nodes - 1)))


def complete_calls(functions: int) -> Graph:
    """Functions that all call each other and themselves, four nodes each."""
    entries = range(1, 1 + 4 * functions, 4)
    labels, edges = ["root"], [(0, entry, ROOT) for entry in entries]
    for entry in entries:
        labels += ["entry:f", "call:f", "=", "return"]
        edges += [(entry, entry + i, CONTROL) for i in (1, 2, 3)]
        edges += [(entry + 1, other, CALL) for other in entries]
    return Graph(tuple(labels), tuple(edges))


def hard(nodes: int = 60) -> Case:
    """Too even for any bound: no budget proves the optimum."""
    rng = random.Random(7)
    return Case(random_graph(rng, nodes, 3 * nodes, 1), random_graph(rng, nodes, 3 * nodes, 1))


PATHOLOGICAL: dict[str, Callable[[random.Random], Case]] = {
    "one label, dense": lambda rng: Case(
        random_graph(rng, 300, 9_000, 1), random_graph(rng, 290, 9_000, 1)
    ),
    "one label, sparse": lambda rng: Case(
        random_graph(rng, 3_000, 5_000, 1), random_graph(rng, 3_000, 5_000, 1)
    ),
    "3,000 statements": lambda rng: Case(
        program_graph(rng, 9_000, 1), program_graph(rng, 9_000, 1)
    ),
    "3,000 equal statements": lambda rng: Case(path(3_000), path(2_990)),
    "calls": lambda rng: Case(complete_calls(60), complete_calls(55)),
    "star": lambda rng: Case(star(3_000), star(2_500)),
    "star and path": lambda rng: Case(star(2_000), path(2_000)),
    "5,000 nodes": lambda rng: Case(program_graph(rng, 5_000, 9), program_graph(rng, 5_000, 9)),
    "5,000 nodes, edited": lambda rng: alike(rng, program_graph(rng, 5_000, 9)),
}


def alike(rng: random.Random, graph: Graph) -> Case:
    return Case(graph, edited(rng, graph, 100).shuffled(rng))


def pathological(name: str) -> Case:
    return PATHOLOGICAL[name](random.Random(name))


# A process of their own, so that its memory and time are theirs.

MEASURED = """
import json, time
from tests.align.process_memory import memory_at_most, memory_now
from tests.align.test_graph_edit_limits import PATHOLOGICAL, cost, pathological, some_answers
print(some_answers())
for name in PATHOLOGICAL:
    case = pathological(name)
    before, start = memory_now(), time.process_time()
    edit = case.measure()
    seconds = time.process_time() - start
    grown = memory_at_most() - before
    price = cost(case, edit.mapping)
    print(json.dumps([name, edit.lower, edit.upper, price, edit.steps, seconds, grown]))
"""
MEMORY = 256
"""MiB on top of what there was; what came before it may count too."""
SECONDS = 10
"""Of processor time."""


def in_process(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """What a process with another order of hashes says."""
    return in_process(MEASURED, PYTHONHASHSEED="1").splitlines()


def test_honest_intervals_in_bounded_time_and_memory(printed: list[str]) -> None:
    lines = [json.loads(line) for line in printed[1:]]
    assert [line[0] for line in lines] == list(PATHOLOGICAL)
    for name, lower, upper, price, steps, seconds, grown in lines:
        assert 0 <= lower <= upper == price, name
        assert steps <= DEFAULT_STEPS, name
        assert seconds < SECONDS, name
        assert grown < MEMORY, name


def some_answers() -> list[GraphEdit]:
    rng = random.Random(1)
    several = [
        Case(program_graph(rng, nodes), program_graph(rng, nodes)) for nodes in (20, 60, 100)
    ]
    return [case.measure(steps=20_000) for case in several]


def test_nothing_depends_on_the_order_of_hashes(printed: list[str]) -> None:
    assert printed[0] == str(some_answers())


def test_long_paths_and_stars_are_known() -> None:
    assert pathological("3,000 equal statements").measure().lower <= 20
    edit = pathological("star").measure()
    assert edit.exact and edit.distance == 1_000


def test_edits_of_a_huge_graph_are_not_missed_by_much() -> None:
    case = pathological("5,000 nodes, edited")
    edit = case.measure()
    assert cost(case, edit.mapping) == edit.upper
    # An edit is a node and its edges at most, some seven of them.
    assert edit.upper <= 2_000


# Threads and signals.


def test_other_threads_run_meanwhile() -> None:
    case = hard()
    steps = 2 * DEFAULT_STEPS
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(case.measure, steps=steps)
        turns = 0
        while not running.done():
            turns += 1
    assert running.result().steps > DEFAULT_STEPS
    assert turns > 1_000


def test_threads_do_not_disturb_each_other() -> None:
    rng = random.Random(3)
    several = [alike(rng, program_graph(rng, 60)) for _ in range(8)]
    alone = [case.measure() for case in several]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(Case.measure, several)) == alone


INTERRUPTED = """
import signal, time
from tests.align.test_graph_edit_limits import hard
signal.signal(signal.SIGALRM, signal.default_int_handler)
for nodes in (60, 250):
    case = hard(nodes)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        case.measure(steps=2**62)
    except KeyboardInterrupt:
        print(time.monotonic() - start)
"""


def test_it_can_be_interrupted() -> None:
    small, large = map(float, in_process(INTERRUPTED).split())
    assert small < 5 and large < 5
