"""``blend``: what two snippets share, each thing weighed by its rarity, and what networks say.

The detector that comes with codekin. A pair has a few numbers, and a logistic regression on the
validation pairs makes them one probability, in which nothing that two snippets share speaks against
a clone:

operations
    The cosine of kin's features: operations, dependences and tokens without names.
names, numbers, texts
    The rarity of the subwords of names, of the numbers and of the words of strings that both have,
    divided by the geometric mean of what each has plus a constant. Because of the constant, code
    with few telling names gets a number near 0 whether or not it shares them, so that other
    evidence decides.
networks
    The scores of networks that were trained on the training pairs; by default ``linear`` and
    ``tbccd``.

A word is as rare as in the training snippets, where programs and single functions are counted
apart. Each snippet is read once, and all pairs of a folder are compared by sparse products.
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
    LabelledPlaces,
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
from codekin.detectors.thresholds import fit_threshold, languages_of
from codekin.errors import CodekinError
from codekin.measures.kin import FeatureRows, FeatureVector, feature_rows
from codekin.statistics.logistic import fit_logistic, logistic

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.corpora.snippets import Snippet

__all__ = ["Blend"]

Floats = npt.NDArray[np.float64]

_SCALE = 1 << 16
_DOUBT = (0.0, 100.0, 50.0, 100.0)
"""What is added to the geometric mean of the weights of operations, names, numbers and texts."""
_NETWORKS = ("linear", "tbccd")
_BLOCK = 256
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
    seed: int = 0
    device: str = field(default="auto", repr=False)

    trained: dict[str, NeuralDetector] = field(default_factory=dict, init=False, repr=False)
    tables: tuple[RarityTable, ...] = field(default=(), init=False, repr=False)
    weights: Floats = field(default_factory=lambda: np.zeros(0), init=False, repr=False)
    intercept: float = field(default=0.0, init=False, repr=False)

    def __post_init__(self) -> None:
        self.check_least(epochs=1, channels=1)
        for one in self._network_names():
            if one not in _NETWORKS:
                raise CodekinError(
                    f"{self.name}: unknown network {one!r} (known: {', '.join(_NETWORKS)}, joined "
                    "by +, or none)"
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
        words = _read(corpus.snippets, [train, validation], workers)
        used = np.unique(np.concatenate([train.first, train.second])).tolist()
        known = [one for one in (words[i] for i in used) if one is not None]
        self.tables = tuple(count_words(known, channel) for channel in range(len(CHANNELS)))
        rows = self._numbers(corpus.snippets, words, validation.first, validation.second, workers)
        whole = ~np.isnan(rows).any(1)
        both = validation.label[whole]
        if not both.any() or both.all():
            raise CodekinError(
                f"{self.name}: too few validation pairs have code on both sides to join the parts"
            )
        self.weights, self.intercept = fit_logistic(rows[whole], both, positive=True)
        self.languages = languages_of(corpus.snippets, train)
        scores = self._probability(rows)
        value, lost = fit_threshold(self, scores, validation)
        self.fitted = Fitted(
            *(len(train), len(validation)),
            validation=(value,),
            seconds=round(time.perf_counter() - begun, 3),
            notes=(*notes, *lost),
        )
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
        label = np.zeros(len(first), bool)
        words = _read(snippets, [LabelledPlaces(first, second, label)], workers)
        return self._probability(self._numbers(snippets, words, first, second, workers))

    def compare_all(
        self, snippets: Sequence[Snippet], *, workers: int | None = None
    ) -> Iterator[tuple[int, Scores]]:
        """How likely every two snippets are clones; see :meth:`Detector.compare_all`."""
        self._check_fitted()
        every = np.arange(len(snippets), dtype=np.int32)
        words = _read(snippets, [LabelledPlaces(every, every, every > 0)], workers)
        channels = [rows.matrix(_SCALE) for rows in self._rows(words)]
        totals = [np.asarray(one.multiply(one).sum(1)).ravel() for one in channels]
        unread = np.array([one is None for one in words], bool)
        vectors = []
        if self.trained:
            prepared = prepare_snippets(snippets, workers=workers)
            unread |= np.diff(prepared.nodes) == 0
            vectors = [one.encode_prepared(prepared) for one in self.trained.values()]
        for start in range(0, len(snippets), _BLOCK):
            part = slice(start, start + _BLOCK)
            values = np.full((len(every[part]), len(snippets)), self.intercept)
            for weight, doubt, rows, total in zip(
                self.weights[: len(channels)], _DOUBT, channels, totals, strict=True
            ):
                shared = (rows[part] @ rows.T).toarray()
                values += weight * _share(shared, total[part, None], total[None, :], doubt)
            for weight, network, vector in zip(
                self.weights[len(channels) :], self.trained.values(), vectors, strict=True
            ):
                values += weight * network.compare_vectors(vector[part], vector)
            scores = logistic(values).astype(np.float32)
            scores[unread[part]] = np.nan
            scores[:, unread] = np.nan
            yield start, scores

    def _check_fitted(self) -> None:
        if not len(self.weights):
            raise CodekinError(f"{self.name}: was not fitted; fit it, or load a trained one")

    def _rows(self, words: Sequence[SnippetWords | None]) -> list[FeatureRows]:
        """What snippets have in each channel; nothing where a snippet was not read."""
        found = [feature_rows([_NOTHING if one is None else one.operations for one in words])]
        for number, table in enumerate(self.tables):
            vectors = [
                _NOTHING if one is None else table.vector(one.words[number]) for one in words
            ]
            found.append(feature_rows(vectors))
        return found

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
        for rows, doubt in zip(self._rows(words), _DOUBT, strict=True):
            shared = rows.pairs_shared(left, right) / _SCALE
            totals = rows.totals / _SCALE
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

    def _probability(self, rows: Floats) -> Scores:
        return logistic(rows @ self.weights + self.intercept).astype(np.float32)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The rarities, the weights, and the networks."""
        document: dict[str, Any] = {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
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
        self.intercept = float(document["intercept"])
        self.tables = tuple(
            RarityTable(arrays[f"{name}.ids"], arrays[f"{name}.rarity"], float(unknown))
            for name, unknown in zip(CHANNELS, document["unknown"], strict=True)
        )
        for name in self._network_names():
            made = self._made(name)
            made.restore(document["networks"][name], _below(arrays, f"{name}."))
            self.trained[name] = made
        if len(self.weights) != 1 + len(CHANNELS) + len(self.trained):
            raise ValueError("the number of weights is not that of the parts")


def _read(
    snippets: Sequence[Snippet], pairs: Sequence[LabelledPlaces], workers: int | None
) -> list[SnippetWords | None]:
    """What the snippets of some pairs have to compare; None for all others and for empty ones."""
    from codekin.corpora.each_snippet import each_snippet

    used = np.unique(np.concatenate([end for one in pairs for end in (one.first, one.second)]))
    found: list[SnippetWords | None] = [None] * len(snippets)
    wanted = [snippets[i] for i in used.tolist()]
    for place, one in zip(
        used.tolist(), each_snippet(snippet_words, wanted, workers=workers), strict=True
    ):
        found[place] = one
    return found


def _share(shared: Any, one: Any, other: Any, doubt: float) -> Any:
    """The shared weight, divided by the geometric mean of both and a constant; 0 for nothing."""
    whole = np.sqrt(one * other) + doubt
    return np.divide(shared, whole, out=np.zeros(np.shape(shared)), where=whole > 0)


def _below(arrays: Arrays, prefix: str) -> dict[str, npt.NDArray[Any]]:
    return {
        key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)
    }
