"""Views: a corpus split into training, validation and test in one of four ways."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, inf
from typing import Any

import numpy as np

from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import SIDES, Snippet
from codekin.errors import CodekinError, suggestion
from codekin.results import count_text

__all__ = ["SIDES", "VIEWS", "rotate_corpus", "split_corpus"]

VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
_RATIO = (8, 1, 1)
_PAPER_RATIO = (3, 1, 1)
_COPIES = ("keep", "together", "drop")
_LEAST_FUNCTIONALITIES, _LEAST_POSITIVES = 2, 50
"""What a side of cross-all must have to say anything."""
_MOST_ROTATIONS = 1000


def split_corpus(
    corpus: Corpus,
    view: str = "random",
    *,
    ratio: Sequence[float] = _RATIO,
    by: str = "groups",
    copies: str = "keep",
    preset: str | None = None,
    seed: int = 0,
) -> Corpus:
    """Split a corpus into three sides, of which none shares what the view forbids.

    - ``random``: nothing is forbidden; single snippets are drawn.
    - ``cross-project``: no project is on two sides. A snippet without a project has its file as
      its project, or is alone.
    - ``cross-functionality``: no functionality is on two sides.
    - ``cross-all``: neither. Projects and functionalities are drawn separately, and a snippet whose
      project is on another side than its functionality is dropped and counted.

    Parameters
    ----------
    corpus : Corpus
    view : str
    ratio : sequence of three numbers
        Of training, validation and test.
    by : str
        What the ratio counts: ``groups`` (snippets, projects or functionalities, as the papers
        do), or the ``snippets`` in them, so that sides have the sizes that were asked for.
    copies : str
        ``keep`` exact and near copies wherever they are drawn to, keep them ``together`` on one
        side, or ``drop`` all but the first.
    preset : str, optional
        ``paper``: 3:1:1; cross-functionality and cross-all train on two thirds of the
        functionalities, and validation and test share the others, as in the multi-perspective
        paper.
    seed : int

    Returns
    -------
    Corpus
        Each snippet with its side; pairs that the corpus had are kept on each side.

    Raises
    ------
    CodekinError
        If a side would be empty, or says too little.
    """
    _check(view, by, copies, preset)
    ratio = _PAPER_RATIO if preset == "paper" else _checked_ratio(ratio)
    start, notes = _without_copies(corpus) if copies == "drop" else (corpus, [])
    assign = _assign_view(start, view, ratio, by, preset, seed)
    sides: list[str | None] = [assign(one) for one in start.snippets]
    if copies == "together":
        sides = _joined(start, sides, view)
    parameters: dict[str, Any] = {"view": view, "ratio": ":".join(f"{r:g}" for r in ratio)}
    parameters |= {"by": by, "copies": copies, "seed": seed} | (
        {"preset": preset} if preset else {}
    )
    return _finished(corpus, start, sides, view, parameters, notes)


def rotate_corpus(
    corpus: Corpus,
    view: str = "cross-functionality",
    *,
    least: int = 20,
    copies: str = "keep",
    seed: int = 0,
) -> Iterator[Corpus]:
    """Every split of the functionalities into one half for training and one for the rest.

    With few functionalities, the one that is drawn decides the result; all of them together do
    not. Validation and test share the functionalities of the second half, as in the paper's preset.

    Parameters
    ----------
    corpus : Corpus
    view : str
        ``cross-functionality`` or ``cross-all``.
    least : int
        Functionalities with fewer snippets are left out.
    copies : str
        As in :func:`split_corpus`.
    seed : int
        Of the split of the second half, and of the projects.

    Raises
    ------
    CodekinError
        If there are fewer than four functionalities, or more than 1,000 splits of them.
    """
    if view not in VIEWS[2:]:
        raise CodekinError(f"{view}: only {' and '.join(VIEWS[2:])} can be rotated")
    _check(view, "groups", copies, None)
    start, notes = _without_copies(corpus) if copies == "drop" else (corpus, [])
    names = [name for name, count in start.sizes().items() if count >= least]
    names.sort(key=_natural)
    half = len(names) // 2
    if half < 2:
        raise CodekinError(
            f"{corpus.name}: has {count_text(len(names), 'functionality').replace('ys', 'ies')} "
            f"with at least {least} snippets; a rotation needs four"
        )
    if comb(len(names), half) > _MOST_ROTATIONS:
        raise CodekinError(
            f"{corpus.name}: {len(names)} functionalities can be split in "
            f"{comb(len(names), half):,} ways, and {_MOST_ROTATIONS:,} are the most; draw splits "
            "with seeds instead"
        )
    for number, chosen in enumerate(combinations(names, half), 1):
        rest = [name for name in names if name not in chosen]
        assign = _halves(start, view, frozenset(chosen), frozenset(rest), seed)
        sides: list[str | None] = [assign(one) for one in start.snippets]
        if copies == "together":
            sides = _joined(start, sides, view)
        parameters = {"view": view, "rotation": number, "train": ", ".join(chosen)}
        parameters |= {"least": least, "copies": copies, "seed": seed}
        yield _finished(corpus, start, sides, view, parameters, notes)


def _check(view: str, by: str, copies: str, preset: str | None) -> None:
    for what, given, known in (
        ("view", view, VIEWS),
        ("by", by, ("groups", "snippets")),
        ("copies", copies, _COPIES),
        ("preset", preset, ("paper", None)),
    ):
        if given not in known:
            names = [one for one in known if one]
            raise CodekinError(
                f"unknown {what} {given!r}{suggestion(str(given), names)} "
                f"(known: {', '.join(names)})"
            )


def _checked_ratio(ratio: Sequence[float]) -> tuple[float, float, float]:
    if len(ratio) != 3 or not all(0 < one < inf for one in ratio):
        shown = ":".join(f"{one:g}" for one in ratio)
        raise CodekinError(f"a ratio is three positive numbers, such as 8:1:1, not {shown}")
    first, second, third = ratio
    return first, second, third


def _natural(name: str) -> tuple[int, str]:
    """The order of names that may be numbers."""
    return (int(name), name) if name.isdigit() else (1 << 62, name)


def _generator(seed: int, *what: str) -> random.Random:
    return random.Random(f"{seed}/{'/'.join(what)}")


_Assign = Callable[[Snippet], str | None]


def _assign_view(
    corpus: Corpus,
    view: str,
    ratio: tuple[float, float, float],
    by: str,
    preset: str | None,
    seed: int,
) -> _Assign:
    """A function that gives the side of a snippet; None for one that is dropped."""
    if view == "random":
        sides = _drawn({one.id: 1 for one in corpus.snippets}, ratio, "groups", seed, "snippet")
        return lambda one: sides[one.id]
    if view == "cross-project":
        projects = _drawn(_sizes(corpus, "origin"), ratio, by, seed, "project")
        return lambda one: projects[one.origin]
    names = _functionalities(corpus)
    if preset == "paper":
        order = sorted(names, key=_natural)
        _generator(seed, "functionality").shuffle(order)
        half = round(len(order) * 2 / 3)
        return _halves(corpus, view, frozenset(order[:half]), frozenset(order[half:]), seed)
    functionalities = _drawn(names, ratio, by, seed, "functionality")
    if view == "cross-functionality":
        return lambda one: _common(one, functionalities)
    projects = _drawn(_sizes(corpus, "origin"), ratio, by, seed, "project")

    def both(one: Snippet) -> str | None:
        side = _common(one, functionalities)
        return side if side == projects[one.origin] else None

    return both


def _sizes(corpus: Corpus, field: str) -> Counter[str]:
    return Counter(getattr(one, field) for one in corpus.snippets)


def _functionalities(corpus: Corpus) -> Counter[str]:
    """The functionalities that snippets have or were judged by, with their snippets."""
    found = Counter(role.functionality for one in corpus.snippets for role in one.roles)
    if len(found) < 2:
        raise CodekinError(
            f"{corpus.name}: has {len(found)} functionality; to split by functionality, a corpus "
            "needs one for each side"
            if len(found) == 1
            else f"{corpus.name}: its snippets have no functionality; read them with the field "
            "functionality"
        )
    return found


def _drawn(
    groups: Mapping[str, int],
    ratio: tuple[float, float, float],
    by: str,
    seed: int,
    what: str,
) -> dict[str, str]:
    """The side of each group."""
    order = sorted(groups, key=_natural)
    _generator(seed, what).shuffle(order)
    if by == "snippets" and any(size != 1 for size in groups.values()):
        # The largest first, each to the side that is furthest from its share.
        order.sort(key=lambda name: -groups[name])
        shares = [one / sum(ratio) * sum(groups.values()) for one in ratio]
        filled = [0.0, 0.0, 0.0]
        found = {}
        for name in order:
            lacking = [shares[i] - filled[i] for i in range(3)]
            side = max(range(3), key=lambda i: (lacking[i], -i))
            filled[side] += groups[name]
            found[name] = SIDES[side]
        return found
    cuts = _cuts(len(order), ratio)
    return {
        name: SIDES[0 if i < cuts[0] else 1 if i < cuts[1] else 2] for i, name in enumerate(order)
    }


def _cuts(count: int, ratio: tuple[float, float, float]) -> tuple[int, int]:
    """Where training and validation end; validation and test get their share rounded down.

    Examples
    --------
    >>> _cuts(9134, (8, 1, 1)), _cuts(7500, (8, 1, 1)), _cuts(8, (8, 1, 1))
    ((7308, 8221), (6000, 6750), (6, 7))
    """
    total = sum(ratio)
    others = [max(1, int(count * one / total)) if count > 2 else 0 for one in ratio[1:]]
    return count - sum(others), count - others[1]


def _common(one: Snippet, sides: Mapping[str, str]) -> str | None:
    """The side of all functionalities of a snippet; None where they are on several."""
    found = {sides[role.functionality] for role in one.roles}
    return found.pop() if len(found) == 1 else None


def _halves(
    corpus: Corpus, view: str, train: frozenset[str], rest: frozenset[str], seed: int
) -> _Assign:
    """Training on some functionalities; validation and test share the others."""
    projects: dict[str, str] = {}
    if view == "cross-all":
        projects = _drawn(_sizes(corpus, "origin"), _PAPER_RATIO, "groups", seed, "project")
    others = [one.id for one in corpus.snippets if _inside(one, rest)]
    _generator(seed, "rest").shuffle(others)
    shared = {name: SIDES[1 + (i >= len(others) // 2)] for i, name in enumerate(others)}

    def side(one: Snippet) -> str | None:
        if projects:
            mine = projects[one.origin]
            right = _inside(one, train) if mine == SIDES[0] else _inside(one, rest)
            return mine if right else None
        return SIDES[0] if _inside(one, train) else shared.get(one.id)

    return side


def _inside(one: Snippet, names: frozenset[str]) -> bool:
    """Whether all functionalities of a snippet are among these."""
    return bool(one.roles) and all(role.functionality in names for role in one.roles)


def _without_copies(corpus: Corpus) -> tuple[Corpus, list[str]]:
    """The corpus with the first of all exact and near copies alone."""
    marks = find_copies(corpus.snippets).near.tolist()
    first: dict[int, int] = {}
    for i, mark in enumerate(marks):
        first.setdefault(mark, i)
    kept = list(first.values())
    dropped = len(marks) - len(kept)
    return corpus.keep(kept), [f"{count_text(dropped, 'copy').replace('copys', 'copies')} dropped"]


def _joined(corpus: Corpus, sides: Sequence[str | None], view: str) -> list[str | None]:
    """The sides, with copies only on the side of the first of them that has one.

    The others move there if the view forbids nothing; otherwise they are dropped.
    """
    marks = find_copies(corpus.snippets).near.tolist()
    first: dict[int, str] = {}
    for mark, side in zip(marks, sides, strict=True):
        if side is not None:
            first.setdefault(mark, side)
    return [
        side if side is None or side == first[mark] else first[mark] if view == VIEWS[0] else None
        for mark, side in zip(marks, sides, strict=True)
    ]


def _finished(
    corpus: Corpus,
    start: Corpus,
    sides: Sequence[str | None],
    view: str,
    parameters: Mapping[str, Any],
    notes: list[str],
) -> Corpus:
    kept = [i for i, side in enumerate(sides) if side is not None]
    found = start.keep(kept)
    snippets = tuple(
        replace(one, side=sides[i]) for i, one in zip(kept, found.snippets, strict=True)
    )
    pairs = found.pairs
    if pairs is not None:
        pairs = _pairs_of_sides(pairs, snippets)
        lost = len(corpus.pairs or ()) - len(pairs)
        if lost:
            what = count_text(lost, "pair")
            notes = [*notes, f"{what} left out: their snippets are on two sides, or dropped"]
    made = replace(found, snippets=snippets, pairs=pairs)
    counts = Counter(one.side for one in snippets)
    _check_sides(made, view, counts)
    dropped = len(sides) - len(kept)
    if dropped:
        notes = [*notes, f"{dropped:,} snippets dropped, since the view has no side for them"]
    after = {side: counts[side] for side in SIDES} | {"dropped": dropped}
    return made.with_step(corpus, Step("split", parameters, {}, after, tuple(notes)))


def _pairs_of_sides(pairs: Pairs, snippets: Sequence[Snippet]) -> Pairs:
    """The pairs whose snippets are on one side, with that side."""
    codes = np.array([SIDES.index(one.side or "") for one in snippets], np.int8)
    found = pairs.take(codes[pairs.first] == codes[pairs.second])
    return replace(found, side=(codes[found.first], SIDES))


def _check_sides(corpus: Corpus, view: str, counts: Mapping[str | None, int]) -> None:
    empty = [side for side in SIDES if not counts[side]]
    if empty:
        raise CodekinError(
            f"{corpus.name}: the view {view} leaves nothing for {' and '.join(empty)}; take "
            "another ratio or seed, or a corpus with more groups"
        )
    if view != "cross-all":
        return
    for side in SIDES:
        mine = [one for one in corpus.snippets if one.side == side]
        names = Counter(name for one in mine for name in one.functionalities)
        positives = sum(n * (n - 1) // 2 for n in names.values())
        if len(names) < _LEAST_FUNCTIONALITIES or positives < _LEAST_POSITIVES:
            raise CodekinError(
                f"{corpus.name}: cross-all leaves {side} {len(names)} functionalities and "
                f"{positives} clones, but needs {_LEAST_FUNCTIONALITIES} and {_LEAST_POSITIVES}; "
                "take a ratio such as 2:1:1, the preset paper, or another seed"
            )
