"""Background frequencies: the share of programs that have each feature; rare ones weigh more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from io import BytesIO
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.source import Source

__all__ = [
    "Background",
    "BackgroundCounts",
    "corpus_background",
    "corpus_texts",
    "shipped_background",
]

Ids = npt.NDArray[np.uint64]
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Background:
    """How many documents of each language have a feature.

    Attributes
    ----------
    features : uint64 array
        Ascending; other features count as unseen.
    counts : uint32 array, features by languages
        The number of documents that have each feature.
    documents : mapping of str to int
        The number of documents counted per language.
    made_of : mapping
        The sources of the documents, for people.
    """

    features: Ids
    counts: npt.NDArray[np.uint32]
    documents: Mapping[str, int]
    made_of: Mapping[str, Any]

    def __post_init__(self) -> None:
        if self.counts.shape != (len(self.features), len(self.documents)):
            raise CodekinError("background frequencies need a count per feature and language")
        if not all(self.documents.values()) or not self.documents:
            raise CodekinError("background frequencies need at least one document")

    def __repr__(self) -> str:
        return f"<Background {sum(self.documents.values())} documents {self.fingerprint}>"

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that identify the frequencies in signatures."""
        digest = hashlib.sha256(self.features.astype("<u8").tobytes())
        digest.update(self.counts.astype("<u4").tobytes())
        digest.update(json.dumps(dict(self.documents)).encode())
        return digest.hexdigest()[:8]

    @cached_property
    def _shares(self) -> Shares:
        """The greatest share of each feature, and of an unknown one, in any language.

        What is common in one language is common. An eighth of a document of the largest language is
        added to each share, so unseen features are rare but not impossible.
        """
        documents = np.array(list(self.documents.values()), dtype=np.float64) + 1 / 2
        greatest = (self.counts / documents).max(axis=1)
        shares: Shares = np.append(greatest, 0.0) + 1 / 8 / documents.max()
        return shares

    def shares(self, features: Ids) -> Shares:
        """The share of documents that have each feature, above 0 and below 1."""
        return self._shares[self._places(features)]

    def _places(self, features: Ids) -> npt.NDArray[np.int64]:
        """Where each feature is; behind the last if it is unknown."""
        at = np.searchsorted(self.features, features)
        known = at < len(self.features)
        known[known] = self.features[at[known]] == features[known]
        return np.where(known, at, len(self.features))

    def having(self, features: Ids) -> npt.NDArray[np.float64]:
        """The number of documents, of any language, that have each feature."""
        return self._having[self._places(features)]

    @cached_property
    def _having(self) -> npt.NDArray[np.float64]:
        return np.append(self.counts.sum(axis=1, dtype=np.float64), 0.0)

    def write(self, file: IO[bytes]) -> None:
        """Write what :func:`read_background` reads, the same bytes every time."""
        header = json.dumps({"documents": dict(self.documents), "made_of": dict(self.made_of)})
        counts = np.minimum(self.counts, np.iinfo(np.uint16).max).astype("<u2")
        np.savez_compressed(
            file,
            header=np.frombuffer(header.encode(), dtype=np.uint8),
            features=np.diff(self.features, prepend=np.uint64(0)).astype("<u8"),
            counts=np.ascontiguousarray(counts.T),
        )


def read_background(file: IO[bytes]) -> Background:
    """The frequencies that :meth:`Background.write` wrote."""
    with np.load(BytesIO(file.read()), allow_pickle=False) as kept:
        header = json.loads(kept["header"].tobytes())
        return Background(
            np.cumsum(kept["features"], dtype=np.uint64),
            np.ascontiguousarray(kept["counts"].T).astype(np.uint32),
            header["documents"],
            header["made_of"],
        )


@cache
def shipped_background() -> Background:
    """The frequencies that ship with the package."""
    path = resources.files("codekin") / "data" / "background.npz"
    with path.open("rb") as file:
        return read_background(file)


class BackgroundCounts:
    """Counts the documents per language that have each feature, in bounded memory.

    Pending occurrences are merged when there are more than `limit`.
    """

    def __init__(self, limit: int = 20_000_000) -> None:
        self.limit = limit
        self.documents: dict[str, int] = {}
        self._waiting: dict[str, list[Ids]] = {}
        self._size = 0
        self._merged: dict[str, tuple[Ids, npt.NDArray[np.int64]]] = {}

    def add(self, language: str, features: Ids) -> None:
        """Count one document, given as the set of its features."""
        self.documents[language] = self.documents.get(language, 0) + 1
        self._waiting.setdefault(language, []).append(features)
        self._size += len(features)
        if self._size > self.limit:
            self._merge()

    def _merge(self) -> None:
        for language, sets in self._waiting.items():
            found, counts = np.unique(np.concatenate(sets), return_counts=True)
            if language in self._merged:
                before, old = self._merged[language]
                found, counts = _summed([before, found], [old, counts])
            self._merged[language] = found, counts
        self._waiting, self._size = {}, 0

    def background(self, made_of: Mapping[str, Any], least: int = 1) -> Background:
        """The counts, without features in fewer than `least` documents in total."""
        self._merge()
        languages = sorted(self.documents)
        parts = [self._merged[language] for language in languages]
        features, totals = _summed([f for f, _ in parts], [c for _, c in parts])
        features = features[totals >= least]
        counts = np.zeros((len(features), len(languages)), dtype=np.uint32)
        for column, (found, number) in enumerate(parts):
            _, kept, own = np.intersect1d(features, found, assume_unique=True, return_indices=True)
            counts[kept, column] = number[own]
        return Background(features, counts, {k: self.documents[k] for k in languages}, made_of)


def _summed(
    features: Iterable[Ids], counts: Iterable[npt.NDArray[np.int64]]
) -> tuple[Ids, npt.NDArray[np.int64]]:
    """The sum of the counts of each feature."""
    every = np.concatenate(list(features))
    found, place = np.unique(every, return_inverse=True)
    total = np.zeros(len(found), dtype=np.int64)
    np.add.at(total, place, np.concatenate(list(counts)))
    return found, total


def corpus_background(name: str, corpus: Iterable[str], ids: Callable[[str], Ids]) -> Background:
    """The document frequencies of a corpus, whatever the languages of its texts.

    Parameters
    ----------
    name : str
        The measure, with which errors begin.
    corpus : iterable of str
    ids : callable
        From a text to the set of identities that are counted.
    """
    counts = BackgroundCounts()
    for text in corpus_texts(name, corpus):
        counts.add("any", ids(text))
    return counts.background({"corpus": dict(counts.documents)})


def corpus_texts(name: str, corpus: Iterable[Source | str]) -> tuple[str, ...]:
    """The texts of a corpus, checked; errors begin with `name`.

    Examples
    --------
    >>> corpus_texts("tfidf", ["a b", Source("c", "text")])
    ('a b', 'c')
    """
    if isinstance(corpus, str | Source):
        raise CodekinError(f"{name}: a corpus is a list of texts; wrap a single one in a list")
    texts = tuple(one.text if isinstance(one, Source) else one for one in corpus)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise CodekinError(f"{name}: a corpus is a list of at least one text, each a str or Source")
    return texts
