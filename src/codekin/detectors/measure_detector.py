"""``measure``: any measure of codekin with a threshold from validation.

The baseline that the clone papers omit: a score of similarity, such as kin, tsed, cssg, bleu or
chrf, and the cut point with the best F1 on validation pairs. Nothing else is learnt, so training
pairs are not read.

A measure that depends on which text comes first is computed both ways, and the mean counts. A
distance d becomes 1 / (1 + d), which keeps the order of pairs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
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
)
from codekin.detectors.thresholds import fit_threshold, fitted_once, languages_of, sampled_pairs
from codekin.errors import CodekinError
from codekin.measures import Measure, parse_measure
from codekin.measures.registry import built_in_measure
from codekin.runs.workers import (
    CannotSendError,
    Death,
    Marker,
    Work,
    WorkerPool,
    WorkError,
    available_cores,
)
from codekin.source import Source

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.corpora.snippets import Snippet

__all__ = ["ListedPairs", "MeasureDetector"]

_CHUNK = 256
"""Pairs that a worker is given at a time."""
_MUCH = 20_000_000
"""Characters over all pairs above which workers are worth the second that they take to start."""
_LIMIT_S = 60.0
"""Processor seconds that one pair may take in a worker."""


@dataclass(eq=False)
class MeasureDetector(Detector):
    """A measure of similarity, and the threshold that is best on validation pairs.

    Parameters
    ----------
    measure : str
        The word for a measure, such as ``kin`` or ``bleu:order=2,smoothing=floor``; any that
        ``codekin score`` takes, except measures that need an origin. Of saved detectors, only those
        with one of codekin's own measures can be loaded.
    sample : int
        The most validation pairs that the threshold is computed from; of more, this many are drawn.
    seed : int
        Of the sample.

    Examples
    --------
    >>> from codekin import Snippet
    >>> codes = ("x = 1", "y = 1", "f(2)")
    >>> snippets = [Snippet(str(i), "python", code) for i, code in enumerate(codes)]
    >>> first, second = np.array([0, 0], np.int32), np.array([1, 2], np.int32)
    >>> MeasureDetector(measure="kin").score_pairs(snippets, first, second).round(2).tolist()
    [1.0, 0.0]
    """

    name = "measure"
    summary = "a measure of similarity, such as kin or tsed, with a threshold from validation"
    nested = "measure"

    measure: str = "kin"
    sample: int = 20_000
    seed: int = 0

    _made: Measure | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.check_least(sample=2)

    def _measure(self) -> Measure:
        """The measure, made on first use."""
        if self._made is None:
            self._made = parse_measure(self.measure)
        if self._made.needs_origin:
            raise CodekinError(
                f"{self.name}: {self.measure} compares revisions and needs their origin, which "
                "pairs of snippets do not have; name another measure"
            )
        return self._made

    def fit(
        self, corpus: Corpus, *, workers: int | None = None, progress: Progress | None = None
    ) -> Fitted:
        """Find the threshold on validation pairs; see :meth:`Detector.fit`.

        Training pairs are not read, and need not exist. `progress` is never called.
        """
        pairs = labelled(corpus, "validation")
        begun = time.perf_counter()
        self._measure()  # whose errors come first
        used, notes = sampled_pairs(pairs, self.sample, self.seed)
        scores = self.score_pairs(corpus.snippets, used.first, used.second, workers=workers)
        value, lost = fit_threshold(self, scores, used)
        what = "training pairs are not used: only the threshold comes from validation"
        self.languages = languages_of(corpus.snippets, used)
        self.fitted = fitted_once(0, len(used), value, (what, *notes, *lost), begun)
        return self.fitted

    def score_pairs(
        self,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
        *,
        workers: int | None = None,
    ) -> Scores:
        """The similarity of each pair; nan where the measure has no score.

        See :meth:`Detector.score_pairs`. By default, there is a worker process per core if there is
        much to do; 0 workers score in this process. The scores are the same.
        """
        # Either order is the same pair, and a pair that repeats is scored once.
        ends = np.sort(np.stack([first, second], axis=1), axis=1)
        pairs, back = np.unique(ends, axis=0, return_inverse=True)
        texts = [(one.language, one.code) for one in snippets]
        found = _scores(self._measure(), texts, pairs, workers)
        return found[back.reshape(-1)].astype(np.float32)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Nothing: the threshold is kept with every detector."""
        return {}, {}

    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Make the measure, one of codekin's own unless a person named it again."""
        if self.named_again:
            return
        try:
            self.check_built_in()
        except CodekinError as error:
            raise CodekinError(
                f"{error}; name the measure again: --set measure={self.measure}"
            ) from None

    def check_built_in(self) -> None:
        """Make the measure; a file never decides which code is imported and which model is read."""
        try:
            self._made = built_in_measure(self.measure)
        except CodekinError as error:
            raise CodekinError(f"{self.name}: {error}") from None


Text = tuple[str, str]
"""The language and the code of a snippet."""


def _scores(
    measure: Measure, texts: Sequence[Text], pairs: npt.NDArray[np.int32], workers: int | None
) -> npt.NDArray[np.float64]:
    """The scores of pairs of texts, in worker processes if there is much to do."""
    used = np.unique(pairs)
    moved = np.searchsorted(used, pairs).tolist()
    job = (measure, [texts[i] for i in used.tolist()])
    cores = available_cores() if workers is None else workers
    sizes = np.array([len(code) for _, code in job[1]], np.int64)
    much = workers is not None or (len(pairs) > 0 and sizes[moved].sum() >= _MUCH)
    work = None
    if cores > 1 and much and len(pairs) > 1:
        try:
            work = Work.of(f"{ListedPairs.__module__}:{ListedPairs.__qualname__}", job, [measure])
        except CannotSendError:
            work = None  # a measure of a notebook's own, say
    if work is None:
        return ListedPairs(job).scores(moved)
    chunks = [moved[i : i + _CHUNK] for i in range(0, len(moved), _CHUNK)]
    parts = []
    with WorkerPool(cores) as pool:
        for _, future in pool.map(work, chunks):
            try:
                parts.append(future.result())
            except WorkError as error:
                raise CodekinError(
                    f"pairs cannot be scored in worker processes: {error}; with workers=0 they are "
                    "scored in this process"
                ) from None
    return np.concatenate(parts)


class ListedPairs:
    """Scores listed pairs of texts; see :class:`~codekin.runs.workers.Work`."""

    def __init__(self, job: tuple[Measure, Sequence[Text]]) -> None:
        self.measure, texts = job
        self.sources = [Source(code, language) for language, code in texts]
        self.empty = [not code.strip() for _, code in texts]

    def __call__(
        self, pairs: Sequence[Sequence[int]], lost: Mapping[int, Death], mark: Marker
    ) -> npt.NDArray[np.float64]:
        """The scores of some pairs in a worker, nan for those that killed one."""
        found = np.full(len(pairs), math.nan)
        for row, (first, second) in enumerate(pairs):
            mark(row, _LIMIT_S)
            if row not in lost:
                found[row] = self.score(first, second)
        return found

    def scores(self, pairs: Sequence[Sequence[int]]) -> npt.NDArray[np.float64]:
        """The scores of pairs, in this process."""
        return np.array([self.score(first, second) for first, second in pairs], np.float64)

    def score(self, first: int, second: int) -> float:
        """The score of a pair, the mean of both directions where they may differ."""
        if self.empty[first] or self.empty[second]:
            return math.nan
        one, two = self.sources[first], self.sources[second]
        if self.measure.symmetric:
            return self._directed(one, two)
        return (self._directed(one, two) + self._directed(two, one)) / 2

    def _directed(self, candidate: Source, reference: Source) -> float:
        try:
            value = self.measure.score(candidate, reference).value
        except CodekinError:
            return math.nan
        if not math.isfinite(value):
            return math.nan
        return 1 / (1 + value) if self.measure.distance else value
