"""Rows of small made-up Python functions, as many as wanted, always the same for a seed."""

from __future__ import annotations

import json
import random
from pathlib import Path

__all__ = ["write_rows"]

NAMES = ("a", "b", "count", "total", "value", "items", "node", "left", "right", "x", "y", "result")
OPERATORS = ("+", "-", "*", "//", "%")
TASKS = 500
GROUPS = 5


def write_rows(path: Path, rows: int, seed: int = 0) -> Path:
    """Write JSON lines: each candidate is one of 500 references with some lines lost or altered."""
    rng = random.Random(seed)
    tasks = [_function(rng) for _ in range(TASKS)]
    with path.open("w") as stream:
        for i in range(rows):
            reference = rng.choice(tasks)
            row = {
                "id": f"r{i}",
                "group": f"model{i % GROUPS}",
                "language": "python",
                "candidate": "\n".join(_damaged(reference, rng)) + "\n",
                "reference": "\n".join(reference) + "\n",
            }
            stream.write(json.dumps(row) + "\n")
    return path


def _function(rng: random.Random) -> list[str]:
    first, second, third, fourth = rng.sample(NAMES, 4)
    lines = [f"def {rng.choice(NAMES)}_{rng.randrange(50)}({first}, {second}):"]
    for _ in range(rng.randrange(2, 8)):
        operator = rng.choice(OPERATORS)
        lines += rng.choice(
            (
                [f"    {third} = {first} {operator} {rng.randrange(10)}"],
                [f"    if {first} > {second}:", f"        {first} = {second} {operator} {first}"],
                [f"    for {fourth} in range({second}):", f"        {first} {operator}= {fourth}"],
                [f"    {second} = {rng.choice(NAMES)}({first}, {second})"],
            )
        )
    return [*lines, f"    return {first}"]


def _damaged(lines: list[str], rng: random.Random) -> list[str]:
    return [
        line.replace(rng.choice(OPERATORS), rng.choice(OPERATORS)) if rng.random() < 0.15 else line
        for line in lines
        if rng.random() > 0.05
    ]
