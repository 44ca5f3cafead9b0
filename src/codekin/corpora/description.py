"""What a corpus consists of, and how evenly its snippets are spread over functionalities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.snippets import Snippet
from codekin.results import (
    Column,
    Forest,
    ForestRow,
    Grid,
    Mark,
    Result,
    Section,
    ShownAs,
    share_text,
)

__all__ = [
    "Balance",
    "CorpusDescription",
    "FunctionalitySize",
    "all_positive_f1",
    "balance_bars",
    "corpus_balance",
    "describe_corpus",
    "natural_rate",
]

_NONE = "(none)"
_MOST = 30
"""Functionalities or projects that a table for people has at most."""


@dataclass(frozen=True)
class FunctionalitySize:
    """A functionality and how much of the corpus has it.

    Attributes
    ----------
    name : str
    snippets : int
        That have it.
    share : float
        Of all snippets that have any functionality.
    pair_share : float
        Of all pairs of snippets with one functionality in common; it grows with the square.
    examples, tagged_true, tagged_false : int
        Snippets in these roles.
    projects : int
        Different projects of its snippets.
    """

    name: str
    snippets: int
    share: float
    pair_share: float
    examples: int
    tagged_true: int
    tagged_false: int
    projects: int


@dataclass(frozen=True)
class Balance(Result):
    """How evenly snippets are spread over functionalities.

    Attributes
    ----------
    corpus : str
    functionalities : tuple of FunctionalitySize
        The largest first.
    mean, deviation : float
        Of the number of snippets per functionality; the population's standard deviation, which
        the multi-perspective paper prints and calls a variance.
    """

    corpus: str
    functionalities: tuple[FunctionalitySize, ...]
    mean: float
    deviation: float

    def grids(self) -> list[Grid]:
        """The mean and the deviation, and a line per functionality."""
        cells = tuple(
            (one.name, one.snippets, one.share, one.pair_share) for one in self.functionalities
        )
        columns = ("functionality", "snippets", Column("share", digits=3))
        summary = ((len(self.functionalities), self.mean, self.deviation),)
        return [
            Grid(
                "",
                (
                    "functionalities",
                    Column("mean", digits=2),
                    Column("standard deviation", digits=2),
                ),
                summary,
                keys=0,
            ),
            Grid("", (*columns, Column("share of pairs", digits=3)), cells),
        ]

    def table(self) -> Grid:
        """A line per functionality."""
        return self.grids()[1]

    def section(self) -> Section:
        """The shares as bars, and the grids."""
        return Section(f"Balance of {self.corpus}", content=(balance_bars(self), *self.grids()))

    def notes(self) -> list[str]:
        """Says why numbers are missing."""
        return [] if self.functionalities else ["No snippet has a functionality."]


def corpus_balance(corpus: Corpus) -> Balance:
    """How evenly the snippets of a corpus are spread over functionalities.

    Examples
    --------
    >>> from codekin.corpora.snippets import Role, Snippet
    >>> texts = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]
    >>> snippets = [Snippet(one, "c", "", (Role(what),)) for one, what in texts]
    >>> balance = corpus_balance(Corpus("tiny", tuple(snippets)))
    >>> balance.mean, balance.deviation
    (2.0, 1.0)
    """
    sizes = corpus.sizes()
    counts = np.array(list(sizes.values()), float)
    inside = {name: n * (n - 1) / 2 for name, n in sizes.items()}
    total, pairs = float(counts.sum()), sum(inside.values())
    projects: dict[str, set[str]] = {}
    kinds: Counter[tuple[str, str | None]] = Counter()
    for one in corpus.snippets:
        for role in one.roles:
            kinds[role.functionality, role.kind] += 1
        for name in one.functionalities:
            projects.setdefault(name, set()).add(one.origin)
    found = tuple(
        FunctionalitySize(
            name,
            n,
            n / total,
            inside[name] / pairs if pairs else float("nan"),
            kinds[name, "example"],
            kinds[name, "tagged_true"],
            kinds[name, "tagged_false"],
            len(projects[name]),
        )
        for name, n in sizes.items()
    )
    if not found:
        return Balance(corpus.name, (), float("nan"), float("nan"))
    return Balance(corpus.name, found, float(counts.mean()), float(counts.std()))


def balance_bars(balance: Balance) -> Forest:
    """The share of snippets of each functionality, the largest 40, as bars."""
    rows = tuple(
        ForestRow(
            ShownAs(one.name, one.name),
            (
                Mark(
                    "bar-0",
                    one.share,
                    f"{one.snippets:,} snippets, {share_text(one.share)}",
                ),
            ),
        )
        for one in balance.functionalities[:40]
    )
    return Forest(
        title="Snippets per functionality",
        caption="The 40 largest." if len(balance.functionalities) > 40 else "",
        label="functionality",
        head="share of snippets",
        rows=rows,
        bars=True,
    )


@dataclass(frozen=True)
class CorpusDescription(Result):
    """What a corpus consists of.

    Attributes
    ----------
    name, fingerprint : str
    snippets : int
    languages, roles, sides : mapping of str to int
        How many snippets there are of each.
    functionalities : tuple of FunctionalitySize
        The largest first.
    without_functionality : int
        Snippets that have none.
    projects : int
        Different projects that are named.
    without_project : int
        Snippets of no named project.
    largest_projects : mapping of str to int
    lines, characters : float
        The mean length of a snippet.
    copies : int
        Snippets whose code another one has, too.
    pairs, clones : int
        Labelled pairs; 0 where the corpus has none.
    rate : float
        The share of clones: of its labelled pairs, otherwise of all pairs of its snippets.
    all_positive_f1 : float
        The F1 of calling every pair a clone, at that rate.
    steps : tuple of Step
        What made it.
    """

    name: str
    fingerprint: str
    snippets: int
    languages: Mapping[str, int]
    roles: Mapping[str, int]
    sides: Mapping[str, int]
    functionalities: tuple[FunctionalitySize, ...]
    without_functionality: int
    projects: int
    without_project: int
    largest_projects: Mapping[str, int]
    lines: float
    characters: float
    copies: int
    pairs: int
    clones: int
    rate: float
    all_positive_f1: float
    steps: tuple[Step, ...]

    def grids(self) -> list[Grid]:
        """What there is in all, by functionality, by role, and how it was made."""
        facts: list[tuple[str, object]] = [
            ("snippets", self.snippets),
            ("languages", _counted(self.languages)),
            ("roles", _counted(self.roles)),
            ("sides", _counted(self.sides)),
            ("functionalities", len(self.functionalities)),
            ("snippets without a functionality", self.without_functionality),
            ("projects", self.projects),
            ("snippets without a project", self.without_project),
            ("largest projects", _counted(self.largest_projects)),
            ("mean lines", f"{self.lines:.1f}"),
            ("mean characters", f"{self.characters:.0f}"),
            ("snippets with the same text as another", self.copies),
            ("labelled pairs", self.pairs),
            ("clones among them", self.clones),
            ("base rate" if self.pairs else "base rate of all pairs", f"{self.rate:.4f}"),
            ("F1 of calling every pair a clone", f"{self.all_positive_f1:.4f}"),
        ]
        shown = tuple((name, value) for name, value in facts if value not in ("", 0))
        return [Grid("", ("", ""), shown), *self._by_functionality(), *self._history()]

    def section(self) -> Section:
        """The grids under the corpus' name."""
        return Section(f"The corpus {self.name}", content=tuple(self.grids()))

    def _by_functionality(self) -> list[Grid]:
        found = [
            (
                *(one.name, one.snippets, one.share, one.pair_share, one.examples),
                *(one.tagged_true, one.tagged_false, one.projects),
            )
            for one in self.functionalities[:_MOST]
        ]
        columns = (
            "functionality",
            "snippets",
            Column("share", digits=3),
            Column("share of pairs", digits=3),
            Column("examples", optional=True),
            Column("tagged true", optional=True),
            Column("tagged false", optional=True),
            "projects",
        )
        more = len(self.functionalities) - _MOST
        title = f"The {_MOST} largest of {len(self.functionalities)}" if more > 0 else ""
        return [Grid(title, columns, tuple(found))] if found else []

    def _history(self) -> list[Grid]:
        cells = tuple(
            (one.name, _settings(one.parameters), _counted(one.before), _counted(one.after))
            for one in self.steps
        )
        return [Grid("How it was made", ("step", "parameters", "from", "to"), cells, keys=4)]

    def table(self) -> Grid:
        """A line per functionality, all of them."""
        cells = tuple(
            tuple(getattr(one, name) for name in FunctionalitySize.__dataclass_fields__)
            for one in self.functionalities
        )
        return Grid("", tuple(FunctionalitySize.__dataclass_fields__), cells)

    def notes(self) -> list[str]:
        """What the steps noted."""
        return [f"{step.name}: {note}" for step in self.steps for note in step.remarks()]


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _settings(parameters: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in parameters.items())


def describe_corpus(corpus: Corpus) -> CorpusDescription:
    """What a corpus consists of: the result of ``codekin corpus info``."""
    snippets = corpus.snippets
    balance = corpus_balance(corpus)
    projects = Counter(one.project for one in snippets if one.project is not None)
    codes = Counter(one.code for one in snippets)
    pairs = corpus.pairs
    rate = natural_rate(snippets) if pairs is None else pairs.rate
    return CorpusDescription(
        name=corpus.name,
        fingerprint=corpus.fingerprint,
        snippets=len(snippets),
        languages=_most(one.language for one in snippets),
        roles=_most(role.kind for one in snippets for role in one.roles if role.kind is not None),
        sides=_most(one.side for one in snippets if one.side is not None),
        functionalities=balance.functionalities,
        without_functionality=sum(not one.functionalities for one in snippets),
        projects=len(projects),
        without_project=sum(one.project is None for one in snippets),
        largest_projects=dict(projects.most_common(3)),
        lines=_mean(one.code.count("\n") + 1 for one in snippets),
        characters=_mean(len(one.code) for one in snippets),
        copies=sum(count for count in codes.values() if count > 1),
        pairs=0 if pairs is None else len(pairs),
        clones=0 if pairs is None else pairs.positives,
        rate=rate,
        all_positive_f1=all_positive_f1(rate),
        steps=corpus.steps,
    )


def _most(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(words).most_common())


def _mean(numbers: Iterable[int]) -> float:
    found = list(numbers)
    return sum(found) / len(found) if found else float("nan")


def natural_rate(snippets: Sequence[Snippet]) -> float:
    """The share of clones among all pairs of snippets, those with a functionality in common.

    Pairs of snippets that were only judged to lack a functionality count as no clones.

    Examples
    --------
    >>> from codekin.corpora.snippets import Role
    >>> texts = [("a", "x"), ("b", "x"), ("c", "y")]
    >>> natural_rate([Snippet(one, "c", "", (Role(what),)) for one, what in texts])
    0.3333333333333333
    """
    total = len(snippets) * (len(snippets) - 1) // 2
    if not total:
        return float("nan")
    groups = Counter(one.functionalities for one in snippets if one.functionalities)
    clones = 0
    kinds = list(groups.items())
    for i, (names, count) in enumerate(kinds):
        clones += count * (count - 1) // 2
        if len(names) > 1 or any(len(others) > 1 for others, _ in kinds):
            clones += sum(
                count * other
                for others, other in islice(kinds, i + 1, None)
                if set(names) & set(others)
            )
    return clones / total


def all_positive_f1(rate: float) -> float:
    """The F1 of calling every pair a clone.

    Examples
    --------
    >>> round(all_positive_f1(0.0665), 3)
    0.125
    """
    return 2 * rate / (1 + rate)
