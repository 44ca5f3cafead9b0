"""Pairs of new code scored by a trained detector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.corpus import Corpus, is_corpus, load_corpus
from codekin.corpora.snippets import Snippet
from codekin.detectors.detector import ArrayDetector, Detector, load_detector
from codekin.detectors.preparing import prepare_snippets
from codekin.detectors.shipped import SHIPPED, shipped_detector
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.results import Column, Grid, Result, count_text
from codekin.runs.row import identity, renamed
from codekin.runs.rows import open_rows

__all__ = ["PairPrediction", "Predictions", "as_trained", "detector_for", "predict_pairs"]

_FIRST = 1000
"""Rows whose fields are looked at before any is scored."""

_NO_CORPUS = "has ids of snippets; name their corpus with --corpus"

_Record = tuple[Mapping[str, object], str, str]
"""The fields of a row, where it is, and why it cannot be read."""


@dataclass(frozen=True)
class PairPrediction:
    """What a detector says of a pair.

    Attributes
    ----------
    id : str
    score : float
        How likely it is a clone, from 0 to 1; nan where there is none.
    clone : bool or None
        Whether the score reaches the detector's threshold; None without a score.
    problem : str
        Why there is no score, or why it is worth less; mostly empty.
    """

    id: str
    score: float
    clone: bool | None
    problem: str = ""


@dataclass(frozen=True)
class Predictions(Result):
    """What a detector says of pairs.

    Attributes
    ----------
    detector : str
    threshold : float
    pairs : tuple of PairPrediction
        In the order of the rows.
    """

    detector: str
    threshold: float
    pairs: tuple[PairPrediction, ...]

    def grids(self) -> list[Grid]:
        """A line per pair."""
        rows = tuple((one.id, one.score, _word(one.clone), one.problem) for one in self.pairs)
        columns = ("id", Column("score", digits=4), "clone", Column("problem", optional=True))
        return [Grid("", columns, rows)]

    def notes(self) -> list[str]:
        """What the columns say."""
        clones = sum(one.clone is True for one in self.pairs)
        reach = "reaches" if 1 in (clones, len(self.pairs)) else "reach"
        return [
            f"{self.detector}: {clones:,} of {count_text(len(self.pairs), 'pair')} {reach} "
            f"{self.threshold:.3f}, from which on a pair is called a clone."
        ]

    def warnings(self) -> list[str]:
        """What has no score."""
        reasons = Counter(one.problem for one in self.pairs if one.clone is None)
        return [f"no score for {count_text(n, 'pair')}: {why}" for why, n in reasons.most_common(5)]


def _word(clone: bool | None) -> str:
    return "" if clone is None else "yes" if clone else "no"


def detector_for(
    model: str | Path | Detector | None,
    languages: Sequence[str],
    settings: Mapping[str, Any] | None = None,
) -> Detector:
    """The detector that was named, or the shipped one for some languages."""
    if isinstance(model, Detector):
        if settings:
            raise CodekinError(
                f"{model.name}: settings are for a detector that is loaded from a folder; change "
                "those of this one"
            )
        return model
    if model is not None:
        return load_detector(model, **(settings or {}))
    return shipped_detector(languages, **(settings or {}))


def as_trained(
    detector: Detector, snippets: Sequence[Snippet], workers: int | None
) -> list[Snippet]:
    """Snippets abstracted to the level that the detector was trained at."""
    level = detector.card.get("level", "given")
    if level == "given" or not snippets:
        return list(snippets)
    known = Corpus("rows", tuple(snippets), vocabulary=dict(detector.card.get("vocabulary", {})))
    return list(abstract_corpus(known, level, workers=workers).snippets)


def predict_pairs(
    rows: Any,
    model: str | Path | Detector | None = None,
    *,
    corpus: Corpus | None = None,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    workers: int | None = None,
) -> Predictions:
    """Score pairs of code with a trained detector.

    Parameters
    ----------
    rows : path or rows
        With ``candidate`` and ``reference``, as for :func:`codekin.score`, or with ``id1`` and
        ``id2`` of a corpus. Or the folder of a corpus with pairs.
    model : str, Path or Detector, optional
        A folder that a detector was saved to. By default one that comes with codekin, if any does.
    corpus : Corpus, optional
        Where rows have ids of snippets (default: the folder that was given as `rows`).
    language : str, optional
        Of rows that name none.
    columns : mapping, optional
        Other names of fields, such as ``{"candidate": "pred"}``.
    settings : mapping, optional
        Of the detector, those that are not kept with it, such as ``{"device": "cpu"}``; see
        :func:`codekin.load_detector`.
    workers : int, optional
        Worker processes that read code.

    Returns
    -------
    Predictions
        One per row, in order; a row that cannot be scored has its reason. A pair of ids without
        an id of its own is called by both.

    Raises
    ------
    CodekinError
        If not one of the first rows has the fields of a pair, or a corpus has no pairs.
    """
    fallback = None if language is None else get_language(language).name
    records = _records(rows, columns or {})
    if (folder := _corpus_folder(rows)) is not None:
        found = load_corpus(folder)
        records = _pairs_of(found, folder)
        corpus = found if corpus is None else corpus
    first = list(islice(records, _FIRST))
    _check_fields(first, corpus)
    names: list[str] = []
    ends: list[tuple[int, int]] = []
    problems: list[str] = []
    texts: dict[tuple[str, str], int] = {}
    for given, where, problem in chain(first, records):
        names.append(_name_of(given, len(names)))
        ends.append((-1, -1))
        problems.append(problem)
        if not problem:
            try:
                ends[-1] = _ends(given, corpus, fallback, texts)
            except CodekinError as error:
                problems[-1] = f"{where}: {error}"
    snippets = [Snippet(str(i), language, code) for i, (language, code) in enumerate(texts)]
    languages = sorted({one.language for one in snippets})
    # Where no row can be read, any detector will do: all rows have their reasons.
    detector = detector_for(model, languages or list(SHIPPED)[:1], settings)
    _mark_foreign(detector, snippets, ends, problems)
    scores = np.full(len(names), np.nan, np.float32)
    good = np.array([not problem for problem in problems], bool)
    if good.any():
        pairs = np.array(ends, np.int32)[good]
        ready = as_trained(detector, snippets, workers)
        if isinstance(detector, ArrayDetector):
            prepared = prepare_snippets(ready, workers=workers)
            scores[good] = detector.score_prepared(prepared, pairs[:, 0], pairs[:, 1])
            _mark_unread(prepared.problems, ends, problems)
        else:
            scores[good] = detector.score_pairs(ready, pairs[:, 0], pairs[:, 1], workers=workers)
    made = []
    for name, score, problem in zip(names, scores.tolist(), problems, strict=True):
        clone = None if np.isnan(score) else score >= detector.threshold
        why = problem or ("the detector gave no score" if clone is None else "")
        made.append(PairPrediction(name, score, clone, why))
    return Predictions(detector.word, detector.threshold, tuple(made))


def _records(rows: Any, columns: Mapping[str, str]) -> Iterator[_Record]:
    for shard in open_rows(rows).shards():
        for record in shard.records():
            given = {} if record.fields is None else renamed(record.fields, columns)
            yield given, record.where, "" if record.fields is not None else record.problem


def _corpus_folder(rows: Any) -> str | Path | None:
    """The folder, if rows are given as the folder of a corpus."""
    one = rows[0] if isinstance(rows, list | tuple) and len(rows) == 1 else rows
    return one if isinstance(one, str | Path) and is_corpus(one) else None


def _pairs_of(corpus: Corpus, folder: str | Path) -> Iterator[_Record]:
    if corpus.pairs is None or not len(corpus.pairs):
        raise CodekinError(
            f"{folder}: is a corpus without pairs; draw some with codekin corpus pairs, or look "
            "for clones among its snippets with codekin detect search"
        )
    ends = zip(corpus.pairs.first.tolist(), corpus.pairs.second.tolist(), strict=True)
    for i, (first, second) in enumerate(ends, 1):
        given = {"id1": corpus.snippets[first].id, "id2": corpus.snippets[second].id}
        yield given, f"{folder}, pair {i}", ""


def _check_fields(first: Sequence[_Record], corpus: Corpus | None) -> None:
    """Refuse rows of which none has the fields of a pair."""
    read = [(given, where) for given, where, problem in first if not problem]
    known = dict.fromkeys(name for given, _ in read for name in given)
    if not read or known.keys() >= {"candidate", "reference"}:
        return
    where = read[0][1]
    if not known.keys() >= {"id1", "id2"}:
        raise CodekinError(f"{where}: {_lacks_fields(known)}")
    if corpus is None:
        folder = Path(where.rpartition(", ")[0]).parent
        own = f" {folder}" if is_corpus(folder) else ""
        raise CodekinError(f"{where}: {_NO_CORPUS}{own}")


def _lacks_fields(known: Iterable[str]) -> str:
    return (
        "has no candidate and reference, nor id1 and id2, but "
        f"{', '.join(known) or 'nothing'}; name the fields with --columns"
    )


def _name_of(given: Mapping[str, object], number: int) -> str:
    if "id" in given or not {"id1", "id2"} <= set(given):
        return identity(given, number)
    return f"{given['id1']}, {given['id2']}"


def _ends(
    given: Mapping[str, object],
    corpus: Corpus | None,
    fallback: str | None,
    texts: dict[tuple[str, str], int],
) -> tuple[int, int]:
    """The places of the two texts of a row."""
    if "candidate" not in given and "id1" in given:
        if corpus is None:
            raise CodekinError(_NO_CORPUS)
        found = []
        for field in ("id1", "id2"):
            name = str(given.get(field))
            if name not in corpus.places:
                raise CodekinError(f"{field}: the corpus has no snippet {name}")
            one = corpus.snippets[corpus.places[name]]
            found.append(texts.setdefault((one.language, one.code), len(texts)))
        return found[0], found[1]
    if not {"candidate", "reference"} & set(given):
        raise CodekinError(_lacks_fields(given))
    language = given.get("language")
    written = get_language(str(language)).name if language else fallback
    if written is None:
        raise CodekinError("has no language; name it with --language, or in the field language")
    pair = []
    for field in ("candidate", "reference"):
        code = given.get(field)
        if not isinstance(code, str):
            raise CodekinError(f"has no {field}" if code is None else f"{field} must be a text")
        pair.append(texts.setdefault((written, code), len(texts)))
    return pair[0], pair[1]


def _mark_foreign(
    detector: Detector,
    snippets: Sequence[Snippet],
    ends: Sequence[tuple[int, int]],
    problems: list[str],
) -> None:
    """Give rows in languages that the detector has not seen a reason."""
    known = detector.languages
    if not known:
        return
    for i, pair in enumerate(ends):
        if problems[i]:
            continue
        strange = [snippets[p].language for p in pair if snippets[p].language not in known]
        if strange:
            problems[i] = (
                f"the detector was trained on {' and '.join(known)}, not on {strange[0]}; name "
                "another with --model"
            )


def _mark_unread(
    found: Sequence[str], ends: Sequence[tuple[int, int]], problems: list[str]
) -> None:
    """Say which of the two texts of a pair the parser could not read, or not whole."""
    for i, pair in enumerate(ends):
        if problems[i] or pair[0] < 0:
            continue
        sides = zip(("candidate", "reference"), pair, strict=True)
        problems[i] = "; ".join(f"{name} {found[place]}" for name, place in sides if found[place])
