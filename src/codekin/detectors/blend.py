"""``blend``: what two snippets share, each thing weighed by its rarity, and what networks say.

The detector that comes with codekin. A pair has a few numbers, and a logistic regression on the
validation pairs makes them one probability, in which nothing that two snippets share speaks against
a clone. Pairs of programs have a regression of their own, since names say less in programs, and
numbers more:

operations
    The cosine of kin's features: operations, dependences and tokens without names.
names, numbers, texts, characters
    The rarity of the subwords of names, of the numbers, of the words of strings and of stretches of
    three characters that both have, divided by the geometric mean of what each has plus a constant.
    Because of the constant, code with few telling names gets a number near 0 whether or not it
    shares them, so that other evidence decides. Characters have no constant.
networks
    The scores of networks that were trained on the training pairs; by default ``linear`` and
    ``tbccd``.

Networks learn what code of the training functionalities has in common, and say little about other
functions; characters say little about programs, in which what an author puts into all of them
outweighs what they do. With ``transfer``, each is left out there. The detectors that come with
codekin are of this kind.

A word is as rare as in the training snippets, those without pairs too, where programs and single
functions are counted apart. In a search, each snippet is read once and all pairs are compared by
sparse products; words that are common in the code that is searched weigh less.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from codekin.detectors.detector import (
    Arrays,
    Detector,
    Fitted,
    Places,
    Progress,
    Scores,
    labelled,
    parse_detector,
)
from codekin.detectors.neural import NeuralDetector
from codekin.detectors.preparing import prepare_snippets
from codekin.detectors.snippet_words import (
    CHANNELS,
    RarityTable,
    SnippetWords,
    count_words,
    snippet_words,
)
from codekin.detectors.thresholds import fit_threshold, fitted_once, languages_of
from codekin.errors import CodekinError
from codekin.measures.kin import WEIGHT_SCALE, FeatureRows, FeatureVector, feature_rows
from codekin.statistics.logistic import fit_logistic, logistic

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.corpora.snippets import Snippet

__all__ = ["Blend"]

Floats = npt.NDArray[np.float64]

_DOUBT = (0.0, 100.0, 50.0, 100.0, 0.0)
"""What is added to the geometric mean of the weights of operations and of each channel."""
_CHARACTERS = 1 + CHANNELS.index("characters")
_PENALTY = 0.01
"""Of the regression, per pair."""
_TRANSFER_PENALTY = (0.3, 0.03)
"""Of functions and of programs, with ``transfer``."""
_NETWORKS = ("linear", "tbccd")
_BLOCK = 256
_ENOUGH = 50
"""Clones, and others, that a regression for one kind of pairs needs."""
_NOTHING = FeatureVector(np.zeros(0, np.uint64), np.zeros(0, np.int32), (0,))


@dataclass(eq=False)
class Blend(Detector):
    """Shared operations, names, numbers and texts, weighed by rarity, and networks.

    Parameters
    ----------
    networks : str
        The networks, joined by ``+``, of ``linear`` and ``tbccd``; ``none`` for none.
    epochs : int
        Of the networks.
    channels : int
        Of tbccd's convolution.
    transfer : bool
        Whether it is for code with other purposes than that of training: functions are compared
        without networks and programs without characters, and a strong penalty keeps all other
        evidence in use.
    seed : int
        Of the networks.
    device : str
        As for any network.
    """

    name = "blend"
    summary = "shared operations, names and numbers by rarity, and networks, as one probability"
    searches = True

    networks: str = "linear+tbccd"
    epochs: int = 4
    channels: int = 300
    transfer: bool = False
    seed: int = 0
    device: str = field(default="auto", repr=False)

    trained: dict[str, NeuralDetector] = field(default_factory=dict, init=False, repr=False)
    tables: tuple[RarityTable, ...] = field(default=(), init=False, repr=False)
    weights: Floats = field(default_factory=lambda: np.zeros((2, 0)), init=False, repr=False)
    """Those of functions, and of programs; the last column has the intercepts."""

    def __post_init__(self) -> None:
        self.check_least(epochs=1, channels=1)
        names = self._network_names()
        for network in names:
            if network not in _NETWORKS or names.count(network) > 1:
                what = "twice the" if network in _NETWORKS else "unknown"
                raise CodekinError(
                    f"{self.name}: {what} network {network!r} (known: {', '.join(_NETWORKS)}, "
                    "joined by +, or none)"
                )

    def _network_names(self) -> list[str]:
        return [] if self.networks == "none" else self.networks.split("+")

    def _made(self, name: str) -> NeuralDetector:
        """A network that is not fitted yet."""
        word = f"tbccd:channels={self.channels}" if name == "tbccd" else name
        made = parse_detector(word)
        assert isinstance(made, NeuralDetector)
        made.epochs, made.seed, made.device = self.epochs, self.seed, self.device
        return made

    def fit(
        self, corpus: Corpus, *, workers: int | None = None, progress: Progress | None = None
    ) -> Fitted:
        """Train the networks and count words on training pairs, and join all on validation pairs.

        See :meth:`Detector.fit`.
        """
        begun = time.perf_counter()
        train, validation = labelled(corpus, "train"), labelled(corpus, "validation")
        notes: list[str] = []
        if self._network_names():
            prepared = prepare_snippets(corpus.snippets, workers=workers)
            for name in self._network_names():
                made = self._made(name)
                found = made.fit_prepared(prepared, train, validation, progress=progress)
                notes += [f"{name}: {note}" for note in found.notes]
                self.trained[name] = made
        counted = np.array([one.side == "train" for one in corpus.snippets], bool)
        counted[train.first] = counted[train.second] = True
        wanted = counted.copy()
        wanted[validation.first] = wanted[validation.second] = True
        words = _read(corpus.snippets, wanted, workers)
        known = [one for i in np.flatnonzero(counted).tolist() if (one := words[i]) is not None]
        self.tables = tuple(count_words(known, channel) for channel in range(len(CHANNELS)))
        ends = validation.first, validation.second
        rows = self._numbers(corpus.snippets, words, *ends, workers)
        programs = _programs(words)
        both = programs[ends[0]] & programs[ends[1]]
        self.weights = self._joined(rows, both, validation.label)
        self.languages = languages_of(corpus.snippets, train)
        scores = self._probability(rows, both)
        value, lost = fit_threshold(self, scores, validation)
        self.fitted = fitted_once(len(train), len(validation), value, (*notes, *lost), begun)
        return self.fitted

    def score_pairs(
        self,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
        *,
        workers: int | None = None,
    ) -> Scores:
        """How likely each pair is a clone; see :meth:`Detector.score_pairs`."""
        self._check_fitted()
        wanted = np.zeros(len(snippets), bool)
        wanted[first] = wanted[second] = True
        words = _read(snippets, wanted, workers)
        programs = _programs(words)
        rows = self._numbers(snippets, words, first, second, workers)
        return self._probability(rows, programs[first] & programs[second])

    def _joined(
        self, rows: Floats, both: npt.NDArray[np.bool_], label: npt.NDArray[np.bool_]
    ) -> Floats:
        """The weights for pairs of functions and of programs; the same where one kind is rare."""
        whole = ~np.isnan(rows).any(1)
        if not label[whole].any() or label[whole].all():
            raise CodekinError(
                f"{self.name}: too few validation pairs have code on both sides to join the parts"
            )
        found = np.zeros((2, rows.shape[1] + 1))
        for number, kind in enumerate((whole & ~both, whole & both)):
            clones = np.count_nonzero(label[kind])
            enough = min(clones, np.count_nonzero(kind) - clones) >= _ENOUGH
            chosen = kind if enough else whole
            used, penalty = self._evidence(number, rows.shape[1])
            mine, labels = rows[chosen][:, used], label[chosen]
            ridge = penalty * len(labels)
            weights, _ = fit_logistic(mine, labels, ridge=ridge, positive=True)
            # The penalty makes the weights small, too; probabilities need their true size.
            size, intercept = fit_logistic((mine @ weights)[:, None], labels, positive=True)
            found[number, used], found[number, -1] = weights * size[0], intercept
        return found

    def _evidence(self, programs: int, columns: int) -> tuple[npt.NDArray[np.int64], float]:
        """The columns that count in functions or in programs, and the penalty per pair."""
        every = np.arange(columns)
        if not self.transfer:
            return every, _PENALTY
        if programs:
            return np.delete(every, _CHARACTERS), _TRANSFER_PENALTY[1]
        return every[: 1 + len(CHANNELS)], _TRANSFER_PENALTY[0]

    def compare_all(
        self, snippets: Sequence[Snippet], *, workers: int | None = None
    ) -> Iterator[tuple[int, Scores]]:
        """How likely every two snippets are clones; see :meth:`Detector.compare_all`."""
        self._check_fitted()
        words = _read(snippets, np.ones(len(snippets), bool), workers)
        # What is common in this code says nothing about any of it.
        known = [one for one in words if one is not None]
        tables = [
            table.joined(count_words(known, channel)) for channel, table in enumerate(self.tables)
        ]
        channels = [rows.matrix(WEIGHT_SCALE) for rows in _rows(words, tables)]
        totals = [np.asarray(one.multiply(one).sum(1)).ravel() for one in channels]
        unread = np.array([one is None for one in words], bool)
        programs = _programs(words)
        vectors = []
        if self.trained:
            prepared = prepare_snippets(snippets, workers=workers)
            unread |= np.diff(prepared.nodes) == 0
            vectors = [one.encode_prepared(prepared) for one in self.trained.values()]
        for start in range(0, len(snippets), _BLOCK):
            part = slice(start, start + _BLOCK)
            weights = self.weights[(programs[part, None] & programs[None, :]).astype(int)]
            values = weights[:, :, -1].copy()
            for number, (doubt, rows, total) in enumerate(
                zip(_DOUBT, channels, totals, strict=True)
            ):
                shared = (rows[part] @ rows.T).toarray()
                share = _share(shared, total[part, None], total[None, :], doubt)
                values += weights[:, :, number] * share
            for number, (network, vector) in enumerate(
                zip(self.trained.values(), vectors, strict=True), len(channels)
            ):
                values += weights[:, :, number] * network.compare_vectors(vector[part], vector)
            scores = logistic(values).astype(np.float32)
            scores[unread[part]] = np.nan
            scores[:, unread] = np.nan
            yield start, scores

    def _check_fitted(self) -> None:
        if not self.weights.size:
            raise CodekinError(f"{self.name}: was not fitted; fit it, or load a trained one")

    def _numbers(
        self,
        snippets: Sequence[Snippet],
        words: Sequence[SnippetWords | None],
        first: Places,
        second: Places,
        workers: int | None,
    ) -> Floats:
        """The numbers of each pair; nan where a snippet cannot be read."""
        left, right = (np.ascontiguousarray(one, np.int32) for one in (first, second))
        columns = []
        for rows, doubt in zip(_rows(words, self.tables), _DOUBT, strict=True):
            shared = rows.pairs_shared(left, right) / WEIGHT_SCALE
            totals = rows.totals / WEIGHT_SCALE
            columns.append(_share(shared, totals[left], totals[right], doubt))
        if self.trained:
            used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
            prepared = prepare_snippets([snippets[i] for i in used.tolist()], workers=workers)
            ends = places[: len(left)].astype(np.int32), places[len(left) :].astype(np.int32)
            for network in self.trained.values():
                columns.append(network.score_prepared(prepared, *ends).astype(np.float64))
        found = np.column_stack(columns)
        unread = np.array([one is None for one in words], bool)
        found[unread[left] | unread[right]] = np.nan
        return found

    def _probability(self, rows: Floats, both: npt.NDArray[np.bool_]) -> Scores:
        """Of pairs with their numbers; `both` says which are pairs of programs."""
        weights = self.weights[both.astype(int)]
        return logistic((rows * weights[:, :-1]).sum(1) + weights[:, -1]).astype(np.float32)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The rarities, the weights, and the networks."""
        document: dict[str, Any] = {
            "weights": self.weights.tolist(),
            "unknown": [table.unknown for table in self.tables],
            "networks": {},
        }
        arrays: dict[str, npt.NDArray[Any]] = {}
        for channel, table in zip(CHANNELS, self.tables, strict=True):
            arrays[f"{channel}.ids"], arrays[f"{channel}.rarity"] = table.ids, table.rarity
        for name, network in self.trained.items():
            document["networks"][name], weights = network.state()
            arrays |= {f"{name}.{key}": value for key, value in weights.items()}
        return document, arrays

    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Take over rarities, weights and networks."""
        self.weights = np.array(document["weights"], np.float64)
        self.tables = tuple(
            RarityTable(arrays[f"{name}.ids"], arrays[f"{name}.rarity"], float(unknown))
            for name, unknown in zip(CHANNELS, document["unknown"], strict=True)
        )
        for name in self._network_names():
            made = self._made(name)
            made.restore(document["networks"][name], _below(arrays, f"{name}."))
            self.trained[name] = made
        if self.weights.shape != (2, 2 + len(CHANNELS) + len(self.trained)):
            raise ValueError("the number of weights is not that of the parts")
        if not np.isfinite(self.weights).all():
            raise ValueError("the weights are not finite")
        for table in self.tables:
            table.check()


def _read(
    snippets: Sequence[Snippet], wanted: npt.NDArray[np.bool_], workers: int | None
) -> list[SnippetWords | None]:
    """What some of the snippets have to compare; None for all others and for empty ones."""
    from codekin.corpora.each_snippet import each_snippet

    found: list[SnippetWords | None] = [None] * len(snippets)
    places = np.flatnonzero(wanted).tolist()
    chosen = [snippets[i] for i in places]
    for place, one in zip(
        places, each_snippet(snippet_words, chosen, workers=workers), strict=True
    ):
        found[place] = one
    return found


def _rows(words: Sequence[SnippetWords | None], tables: Sequence[RarityTable]) -> list[FeatureRows]:
    """What snippets have in each channel; nothing where a snippet was not read."""
    found = [feature_rows([_NOTHING if one is None else one.operations for one in words])]
    for number, table in enumerate(tables):
        vectors = [_NOTHING if one is None else table.vector(one.words[number]) for one in words]
        found.append(feature_rows(vectors))
    return found


def _programs(words: Sequence[SnippetWords | None]) -> npt.NDArray[np.bool_]:
    """Which snippets are programs."""
    return np.array([one is not None and one.is_program for one in words], bool)


def _share(shared: Any, one: Any, other: Any, doubt: float) -> Any:
    """The shared weight, divided by the geometric mean of both and a constant; 0 for nothing."""
    whole = np.sqrt(one * other) + doubt
    return np.divide(shared, whole, out=np.zeros(np.shape(shared)), where=whole > 0)


def _below(arrays: Arrays, prefix: str) -> dict[str, npt.NDArray[Any]]:
    return {
        key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)
    }
