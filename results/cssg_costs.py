"""Costs for cssg, learned from right and wrong programs and judged on programs of other sources.

``python results/cssg_costs.py FOLDER -o docs/results/cssg-costs.md --ship
src/codekin/data/graph_costs.json``, where FOLDER holds files of triplets (``NAME.jsonl.xz``). The
part of NAME before the first ``-`` is the source of its programs; files of one source share
problems, and costs are judged on a source that they were not learned from.
"""

from __future__ import annotations

import json
import lzma
import math
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from codekin import Source
from codekin.evaluation.triplets import TripletJudgement
from codekin.measures.cssg import Cssg
from codekin.measures.graph_costs import COST_NAMES, costs_word
from codekin.measures.graph_match import GraphMatch
from codekin.measures.registry import measure_label, parse_measure
from codekin.represent.graph.labels import NODE_CLASSES, label_class
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.statistics.effect_size import cohens_d_of
from codekin.whole_files import whole_file
from kin_recipes import Effect
from pages import between, mean, number, page_parser, row_files, table, write_page
from triplets import effects, judged, kind_of

LABELS = ("operator", "operator+literal")
"""The same costs must serve graphs without and with constants."""
START = 4
GRID = (1, 2, 3, 4, 6, 8, 12, 16)
"""Costs are tried from a quarter to four times the start; at 0, different graphs could score 1."""
LEAST_GAIN = 0.0005
"""A cost changes only if the objective grows by this."""
ROUNDS = 2
"""How often the edits are found again, with the costs learned from the edits before."""
LEARNING_STEPS = 2_000_000
_SETS = 1 << len(EdgeKind)
_Counts = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
Costs = tuple[int, ...]
"""A cost for each of COST_NAMES."""


def source_of(name: str) -> str:
    """Where the programs of a file come from."""
    return name.partition("-")[0]


# Triplets, and what the edits between their programs keep


@dataclass(frozen=True)
class Triplet:
    """A program, and a right and a wrong one to compare with it."""

    anchor: Source
    positive: Source
    negative: Source

    @cached_property
    def is_even(self) -> bool:
        """Whether length gives nothing away."""
        return len(self.positive.tokens) == len(self.negative.tokens)


def sample(path: Path, most: int, made: dict[tuple[str, str], Source]) -> list[Triplet]:
    """Up to `most` triplets of a file, chosen by a hash of their ids."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows.sort(key=lambda row: (zlib.crc32(row["id"].encode()), row["id"]))

    def source(one: Mapping[str, str]) -> Source:
        key = one["language"], one["code"]
        return made.setdefault(key, Source(one["code"], one["language"]))

    return [
        Triplet(*(source(row[role]) for role in ("anchor", "positive", "negative")))
        for row in rows[:most]
    ]


@dataclass(frozen=True)
class Kept:
    """What edits keep of what there is: the score of any costs follows from these counts.

    Attributes
    ----------
    nodes, kept_nodes : array
        By pair of programs and class of nodes.
    edges : array
        By pair of programs and set of kinds between two nodes.
    kept_edges : array
        By pair of programs and the sets of kinds on both sides.
    """

    nodes: _Counts
    kept_nodes: _Counts
    edges: _Counts
    kept_edges: _Counts

    def scores(self, costs: Costs) -> _Floats:
        """Positives first, then negatives, by triplet."""
        of_nodes = np.array(costs[: len(NODE_CLASSES)])
        of_kinds = costs[len(NODE_CLASSES) :]
        in_set = (np.arange(_SETS)[:, None] >> np.arange(len(of_kinds))) & 1
        of_sets = (in_set * of_kinds).max(axis=1)
        both = np.minimum(of_sets[:, None], of_sets[None, :]).reshape(-1)
        saved = 2 * (self.kept_nodes @ of_nodes + self.kept_edges @ both)
        return (saved / (self.nodes @ of_nodes + self.edges @ of_sets)).reshape(2, -1)


def counted(matches: Iterable[GraphMatch]) -> Kept:
    """Count what edits keep."""
    rows = [_counts(match) for match in matches]
    return Kept(*(np.array(column) for column in zip(*rows, strict=True)))


def _counts(match: GraphMatch) -> tuple[_Counts, _Counts, _Counts, _Counts]:
    one, other = match.candidate.graph, match.reference.graph
    classes = [_classes(graph) for graph in (one, other)]
    everything = np.bincount(np.concatenate(classes), minlength=len(NODE_CLASSES))
    kept = np.bincount(classes[0][match.pairs[:, 0]], minlength=len(NODE_CLASSES))
    partner = match.partner
    ours, our_sets = _sets_of_kinds(one, np.arange(len(one)), len(one))
    theirs, their_sets = _sets_of_kinds(other, np.arange(len(other)), len(other))
    starts, ends = partner[ours // len(one)], partner[ours % len(one)]
    moved = np.where((starts < 0) | (ends < 0), -1, starts * len(other) + ends)
    _, at, to = np.intersect1d(moved, theirs, assume_unique=False, return_indices=True)
    edges = np.bincount(np.concatenate((our_sets, their_sets)), minlength=_SETS)
    met = our_sets[at] * _SETS + their_sets[to]
    return everything, kept, edges, np.bincount(met, minlength=_SETS * _SETS)


def _classes(graph: SemanticGraph) -> npt.NDArray[np.intp]:
    table = np.array([NODE_CLASSES.index(label_class(label)) for label in graph.labels])
    return table[graph.label]


def _sets_of_kinds(graph: SemanticGraph, place: _Counts, size: int) -> tuple[_Counts, _Counts]:
    """The pairs of nodes with edges, each as a number, and which kinds they have."""
    keys = place[graph.source] * size + place[graph.target]
    ends, inverse = np.unique(keys, return_inverse=True)
    sets = np.zeros(len(ends), dtype=np.int64)
    np.bitwise_or.at(sets, inverse, 1 << graph.edge_kind.astype(np.int64))
    return ends, sets


# Learning


def effect(scores: _Floats, even: npt.NDArray[np.bool_]) -> Effect:
    """How well scores tell positives from negatives."""
    positive, negative = scores
    gap = positive - negative
    won = float(np.mean((np.sign(np.where(np.abs(gap) < 1e-12, 0, gap)) + 1) / 2))
    alike = cohens_d_of(positive[even], negative[even]).value if even.sum() > 1 else math.nan
    return Effect(cohens_d_of(positive, negative).value, alike, won)


class Learning:
    """Samples of files, and the costs that serve them best."""

    def __init__(self, files: Mapping[str, Path], most: int) -> None:
        made: dict[tuple[str, str], Source] = {}
        self.triplets = {name: sample(path, most, made) for name, path in files.items()}
        self.even = {
            name: np.array([triplet.is_even for triplet in each])
            for name, each in self.triplets.items()
        }
        self._kept: dict[tuple[str, str, str], Kept] = {}

    def kept(self, name: str, labels: str, costs: str) -> Kept:
        """What the best edits at some costs keep, for each pair of a file."""
        key = name, labels, costs
        if key not in self._kept:
            one = Cssg(labels=labels, costs=costs, steps=LEARNING_STEPS)
            triplets = self.triplets[name]
            sides = [t.positive for t in triplets] + [t.negative for t in triplets]
            anchors = [t.anchor for t in triplets] * 2
            pairs = zip(sides, anchors, strict=True)
            self._kept[key] = counted(one.match(*pair) for pair in pairs)
        return self._kept[key]

    def aim(self, costs: Costs, kept: Mapping[str, Sequence[Kept]]) -> float:
        """The mean over sources of the mean over their files and labels."""
        by_source: dict[str, list[float]] = {}
        for name, each in kept.items():
            aims = [effect(one.scores(costs), self.even[name]).aim for one in each]
            by_source.setdefault(source_of(name), []).extend(aims)
        return mean(map(mean, by_source.values()))

    def learned(self, sources: Iterable[str]) -> Costs:
        """Costs from the files of some sources.

        One cost at a time takes its best value on the grid, until none gains any more, for the
        edits found with the costs before.
        """
        chosen = set(sources)
        names = [name for name in self.triplets if source_of(name) in chosen]
        costs: Costs = (START,) * len(COST_NAMES)
        best: list[tuple[float, Costs]] = []
        for _ in range(ROUNDS):
            word = word_of(costs)
            kept = {name: [self.kept(name, one, word) for one in LABELS] for name in names}
            best.append((self.aim(costs, kept), costs))
            costs = self._ascended(costs, kept)
        word = word_of(costs)
        kept = {name: [self.kept(name, one, word) for one in LABELS] for name in names}
        best.append((self.aim(costs, kept), costs))
        return max(best)[1]

    def _ascended(self, costs: Costs, kept: Mapping[str, Sequence[Kept]]) -> Costs:
        aim, last = self.aim(costs, kept), -math.inf
        while aim > last:
            last = aim
            for place in range(len(costs)):
                for value in GRID:
                    other = (*costs[:place], value, *costs[place + 1 :])
                    reached = self.aim(other, kept)
                    if reached > aim + LEAST_GAIN:
                        costs, aim = other, reached
        return costs


def word_of(costs: Costs) -> str:
    """Costs as cssg takes them, without a common factor."""
    factor = math.gcd(*costs)
    return costs_word({n: c // factor for n, c in zip(COST_NAMES, costs, strict=True)})


# The page


@dataclass(frozen=True)
class Fold:
    """A source held out, the costs learned from the others, and the judgements of its files."""

    source: str
    costs: Costs
    files: Mapping[str, TripletJudgement]

    def means(self, labels: str, costs: str) -> Effect:
        """The effect of cssg with some labels and costs, as the mean over files."""
        label = label_of(words(self.costs)[f"`{labels}`, {costs}"])
        found = [effects(one)[label] for one in self.files.values()]
        return Effect(
            mean(one.cohens_d.value for one in found),
            mean(one.equal_length.cohens_d.value for one in found),
            mean(one.win_rate.value for one in found),
        )


def words(costs: Costs) -> dict[str, str]:
    """What is judged, by the name in the tables: each form of labels at both costs."""
    learned = word_of(costs)
    return {
        "`operator`, unit": "cssg",
        "`operator`, learned": f"cssg:costs={learned}",
        "`operator+literal`, unit": "cssg:labels=operator+literal",
        "`operator+literal`, learned": f"cssg:labels=operator+literal,costs={learned}",
    }


def label_of(word: str) -> str:
    """The label of a measure in a judgement."""
    return measure_label(parse_measure(word))


def folds_table(folds: Sequence[Fold]) -> str:
    """A row per source and form, both costs next to each other."""
    rows = []
    for fold in folds:
        for labels in LABELS:
            unit, learned = (fold.means(labels, costs) for costs in ("unit", "learned"))
            cells = []
            for name in ("d", "even", "won"):
                one, other = getattr(unit, name), getattr(learned, name)
                cells += [number(one), f"**{number(other)}**" if other > one else number(other)]
            rows.append([fold.source, f"`{labels}`", *cells])
    heads = ["held out", "labels"]
    for name in ("d", "equal length", "won"):
        heads += [f"{name}: unit", "learned"]
    return table(heads, rows, keys=2)


def verdict(folds: Sequence[Fold]) -> str:
    """Where the learned costs win and lose, by source."""
    lost = []
    least = math.inf
    for fold in folds:
        for labels in LABELS:
            unit, learned = (fold.means(labels, costs) for costs in ("unit", "learned"))
            least = min(least, learned.d - unit.d)
            for name, words_of in (("d", "d"), ("even", "d at equal length"), ("won", "won")):
                one, other = getattr(unit, name), getattr(learned, name)
                if other <= one:
                    lost.append(
                        f"{words_of} on {fold.source} with `{labels}` "
                        f"({number(one)} to {number(other)})"
                    )
    gain = f"The smallest gain in d of any held-out source is {number(least)}."
    if not lost:
        return f"{gain} Learned costs win on every source, by every number."
    return f"{gain} Learned costs do not win by: {'; '.join(lost)}."


def costs_table(folds: Sequence[Fold], shipped: Costs) -> str:
    """The costs learned without each source, and those from all of them."""
    rows = []
    columns = [*(fold.costs for fold in folds), shipped]
    for place, name in enumerate(COST_NAMES):
        values = [costs[place] for costs in columns]
        if set(values) != {START}:
            rows.append([f"`{name}`", *(f"{value / START:g}" for value in values)])
    heads = ["", *(f"without {fold.source}" for fold in folds), "all: `learned`"]
    return table(heads, rows)


def files_table(folds: Sequence[Fold]) -> str:
    """Each file with intervals."""
    rows = []
    for fold in folds:
        for name, judgement in fold.files.items():
            found = effects(judgement)
            for shown, word in words(fold.costs).items():
                one = found[label_of(word)]
                rows.append(
                    [
                        *(name, shown, number(one.cohens_d), between(one.cohens_d.bca)),
                        f"{number(one.equal_length.cohens_d)} ({one.equal_length.triplets:,})",
                        *(number(one.win_rate), between(one.win_rate.bca), f"{one.n:,}"),
                    ]
                )
    heads = ["triplets", "cssg", "d", "95 %", "equal length (n)", "won", "95 %", "n"]
    return table(heads, rows, keys=2)


def page(folds: Sequence[Fold], shipped: Costs, most: int) -> str:
    """The whole page."""
    parts = [
        "# Costs for cssg",
        "Generated by `python results/cssg_costs.py FOLDER -o docs/results/cssg-costs.md --ship "
        "src/codekin/data/graph_costs.json`, where FOLDER holds files of triplets. The CSSG paper "
        "names the equal costs of all edits as a limitation. Here each class of nodes and each "
        "kind of edges gets its own cost, learned from some sources of programs and judged on the "
        "programs of another: nothing is chosen on the data that judges it. "
        "[`cssg:costs=learned`](../measures/cssg.md#costs) has the costs learned from all "
        "sources.",
        "For given edits the score is a ratio of sums that are linear in the costs, so costs are "
        "cheap to try. Starting from equal costs, one cost at a time takes the best of "
        f"{', '.join(f'{value / START:g}' for value in GRID)} times its start, until none gains "
        f"{LEAST_GAIN:g} any more; then the edits are found again with the new costs, "
        f"{ROUNDS} times in all. The objective is d + (d at equal length) / 2 + (won - 1/2), as "
        "for [kin](kin.md), as a mean over sources, over their files of matched triplets (up to "
        f"{most} triplets per file) and over both forms of labels. No cost is 0, so only equal "
        "graphs score 1.",
        "## Held-out sources",
        "*d* is Cohen's d, *equal length* the same over triplets whose positive and negative have "
        "the same number of tokens, *won* the share of triplets whose positive scores higher; all "
        "are means over files, with all of their matched triplets. Bold numbers are better than "
        "with unit costs. The files of a source share problems and are held out together.",
        verdict(folds),
        folds_table(folds),
        "## The costs",
        "In multiples of the start; names without a row kept it everywhere.",
        costs_table(folds, shipped),
        "## Each file",
        "Each file is scored with costs learned from the other sources. Intervals resample whole "
        "problems (BCa).",
        files_table(folds),
    ]
    return "\n\n".join(parts)


def main() -> None:
    """Learn, judge, write the page and the costs."""
    parser = page_parser((__doc__ or "").splitlines()[0], "a folder of triplets")
    parser.add_argument("--ship", type=Path, help="the file for costs learned from all sources")
    parser.add_argument("--most", type=int, default=200, help="triplets per file to learn from")
    parser.add_argument("--resamples", type=int, default=2000)
    given = parser.parse_args()
    files = {n: p for n, p in row_files(given.data).items() if kind_of(n) == "matched"}
    learning = Learning(files, given.most)
    sources = list(dict.fromkeys(map(source_of, learning.triplets)))
    learned = {held: learning.learned(s for s in sources if s != held) for held in sources}
    shipped = learning.learned(sources)
    if given.ship:
        factor = math.gcd(*shipped)
        costs = {name: cost // factor for name, cost in zip(COST_NAMES, shipped, strict=True)}
        with whole_file(given.ship) as file:
            file.write((json.dumps(costs, indent=2) + "\n").encode())
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.runs or Path(temporary)
        folds = [
            Fold(
                held,
                costs,
                {
                    name: judged(path, [*words(costs).values()], folder / name, given.resamples)
                    for name, path in files.items()
                    if source_of(name) == held
                },
            )
            for held, costs in learned.items()
        ]
        write_page(page(folds, shipped, given.most), given.output)


if __name__ == "__main__":
    main()
