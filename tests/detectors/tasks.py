"""Small corpora in which it is known what decides whether two snippets are clones."""

from __future__ import annotations

import random
from dataclasses import fields
from functools import cache
from itertools import permutations

import numpy as np

from codekin import Corpus, Role, Snippet, sample_pairs, split_corpus
from codekin.detectors.prepared import Prepared
from codekin.detectors.preparing import prepare_snippets

ORDERS = list(permutations(("for", "if", "while")))
"""How three statements can be nested: six functionalities with the same kinds of nodes."""
POOL = tuple(
    f"{a}{b}" for a in ("count", "user", "file", "row", "page") for b in ("Max", "Sum", "Id")
)
THEMES = (
    ("openFile", "readLine", "closeFile", "path"),
    ("sortRows", "swapRows", "pivotRow", "order"),
    ("sendMail", "hostName", "userMail", "inbox"),
    ("drawLine", "fillArea", "penColor", "shape"),
)


def nested(order: tuple[str, ...], names: list[str]) -> str:
    """A Java method with statements nested in an order."""
    a, b, c, d = names
    heads = {
        "for": f"for (int {a} = 0; {a} < {b}; {a}++)",
        "if": f"if ({b} > {c})",
        "while": f"while ({c} < {d})",
    }
    body = f"{d} = {d} + {c} * {b};"
    for one in reversed(order):
        body = f"{heads[one]} {body}"
    return f"int run(int {b}, int {c}, int {d}) {{ {body} return {d}; }}"


def _paired(name: str, made: list[tuple[str, str]], seed: int) -> Corpus:
    snippets = tuple(
        Snippet(f"{name}{i}", "java", code, (Role(functionality),))
        for i, (functionality, code) in enumerate(made)
    )
    corpus = split_corpus(Corpus(name, snippets), "random", ratio=(4, 1, 1), seed=seed)
    return sample_pairs(
        corpus, {"train": 3000, "validation": None, "test": None}, rate=0.3, seed=seed
    )


@cache
def structure_task(count: int = 180, seed: int = 0) -> Corpus:
    """Structure decides, and names say nothing: each snippet has names drawn from one pool."""
    chance = random.Random(f"structure {seed}")
    made = []
    for i in range(count):
        order = ORDERS[i % len(ORDERS)]
        made.append(("-".join(order), nested(order, chance.sample(POOL, 4))))
    return _paired("structure", made, seed)


@cache
def nesting_task(count: int = 180, seed: int = 0) -> Corpus:
    """The least of structure: a loop is in a condition, or a condition in a loop."""
    chance = random.Random(f"nesting {seed}")
    made = []
    for i in range(count):
        a, b, c = chance.sample(POOL, 3)
        heads = [f"while ({a})", f"if ({b})"][:: 1 if i % 2 else -1]
        made.append((str(i % 2), f"void run() {{ {heads[0]} {heads[1]} {c}(); }}"))
    return _paired("nesting", made, seed)


@cache
def names_task(count: int = 160, seed: int = 0) -> Corpus:
    """Names decide, and structure says nothing: each snippet has a nesting drawn at random."""
    chance = random.Random(f"names {seed}")
    made = []
    for i in range(count):
        names = list(THEMES[i % len(THEMES)])
        chance.shuffle(names)
        made.append((f"theme {i % len(THEMES)}", nested(chance.choice(ORDERS), names)))
    return _paired("names", made, seed)


@cache
def calls_task(count: int = 180, seed: int = 0) -> Corpus:
    """The least of names: two calls with an argument, all of one theme."""
    chance = random.Random(f"calls {seed}")
    made = []
    for i in range(count):
        a, b, c, d = chance.sample(THEMES[i % len(THEMES)], 4)
        made.append((f"theme {i % len(THEMES)}", f"void run() {{ {a}({b}); {c}({d}); }}"))
    return _paired("calls", made, seed)


@cache
def prepared_task(corpus: Corpus) -> Prepared:
    """The snippets of a task as detectors read them, prepared once for all tests."""
    return prepare_snippets(corpus.snippets, workers=0)


def assert_same(first: Prepared, second: Prepared) -> None:
    """All of two prepared corpora is the same."""
    for field in fields(Prepared):
        np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name))
