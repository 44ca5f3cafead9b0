"""Pairs of new code scored by a trained detector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.corpus import Corpus, is_corpus, load_corpus
from codekin.corpora.labelled_pairs import Pairs, coded
from codekin.corpora.reading import guessed_language
from codekin.corpora.snippets import UNKNOWN_LABEL, Problems, Snippet, label_of, side_named
from codekin.corpora.table_fields import CODE_PAIR_FIELDS, PAIR_FIELDS, field_places
from codekin.detectors.detector import ArrayDetector, Detector, load_detector
from codekin.detectors.preparing import prepare_snippets
from codekin.detectors.shipped import SHIPPED, shipped_detector
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.results import Column, Grid, GridColumns, Result, count_text
from codekin.runs.row import identity, name_in, renamed
from codekin.runs.rows import open_rows

if TYPE_CHECKING:
    from codekin.detectors.evaluating import DetectorEvaluation

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
    id : str or None
        Of the row; its number where it has no ids at all.
    id1, id2 : str or None
        Of its snippets, where the row has them.
    score : float
        How likely it is a clone, from 0 to 1; nan where there is none.
    clone : bool or None
        Whether the score reaches the detector's threshold; None without a score.
    label : int or None
        What the row says: 1 for a clone, 0 for none.
    type, side : str or None
        What the row says.
    problem : str
        Why there is no score, or why it is worth less; mostly empty.
    """

    id: str | None
    id1: str | None
    id2: str | None
    score: float
    clone: bool | None
    label: int | None = None
    type: str | None = None
    side: str | None = None
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
    evaluation : DetectorEvaluation or None
        What the scores are worth; None where no row has a label.
    remarks : tuple of str
        How the rows were read.
    """

    detector: str
    threshold: float
    pairs: tuple[PairPrediction, ...]
    evaluation: DetectorEvaluation | None = None
    remarks: tuple[str, ...] = ()

    def table(self) -> Grid:
        """A line per pair, with what the rows say of it."""
        given = {
            name: any(getattr(pair, name) is not None for pair in self.pairs)
            for name in ("id", "id1", "id2", "label", "type", "side")
        }
        ids = [name for name in ("id", "id1", "id2") if given[name]]
        known = [name for name in ("label", "type", "side") if given[name]]
        rows = tuple(
            (
                *(getattr(pair, name) for name in ids),
                *(pair.score, _word(pair.clone)),
                *(getattr(pair, name) for name in known),
                pair.problem,
            )
            for pair in self.pairs
        )
        score = Column("score", digits=4)
        columns: GridColumns = (*ids, score, "clone", *known, Column("problem", optional=True))
        return Grid("", columns, rows, keys=len(ids))

    def grids(self) -> list[Grid]:
        """A line per pair, and what the scores are worth."""
        return [self.table(), *(self.evaluation.grids() if self.evaluation else ())]

    def notes(self) -> list[str]:
        """What the columns say."""
        clones = sum(one.clone is True for one in self.pairs)
        reach = "reaches" if 1 in (clones, len(self.pairs)) else "reach"
        return [
            f"{self.detector}: {clones:,} of {count_text(len(self.pairs), 'pair')} {reach} "
            f"{self.threshold:.3f}, from which on a pair is called a clone.",
            *(self.evaluation.notes() if self.evaluation else ()),
        ]

    def warnings(self) -> list[str]:
        """How the rows were read, and what has no score."""
        reasons = Counter(one.problem for one in self.pairs if one.clone is None)
        unscored = (
            f"no score for {count_text(n, 'pair')}: {why}" for why, n in reasons.most_common(5)
        )
        return [*self.remarks, *unscored]


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
        ``id2`` of a corpus, and with ``label``, ``type`` and ``side`` where they are known. Or a
        table of pairs with ``code1`` and ``code2``, or the folder of a corpus with pairs.
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
        One per row, in order; a row that cannot be scored has its reason. Where rows have labels,
        also what the scores are worth.

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
    named = _other_names(first, corpus)
    first = [(renamed(given, named), where, problem) for given, where, problem in first]
    _check_fields(first, corpus)
    notes = Problems("")
    fallback = fallback or _language_of(first, corpus, notes)
    if folder is None:
        _name_unread(first, notes)
    rest = ((renamed(given, named), where, problem) for given, where, problem in records)
    rows_read, ends, problems, texts = _read_pairs(chain(first, rest), corpus, fallback)
    snippets = [Snippet(str(i), language, code) for i, (language, code) in enumerate(texts)]
    languages = sorted({one.language for one in snippets})
    # Where no row can be read, any detector will do: all rows have their reasons.
    detector = detector_for(model, languages or list(SHIPPED)[:1], settings)
    _mark_foreign(detector, snippets, ends, problems)
    scores = np.full(len(rows_read), np.nan, np.float32)
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
    for row, score, problem in zip(rows_read, scores.tolist(), problems, strict=True):
        clone = None if np.isnan(score) else score >= detector.threshold
        why = problem or ("the detector gave no score" if clone is None else row.remark)
        known = (row.label if row.label in (0, 1) else None, row.type, row.side)
        made.append(PairPrediction(*(row.id, row.id1, row.id2), score, clone, *known, why))
    evaluation = _evaluation(detector, corpus, snippets, rows_read, ends, scores)
    remarks = tuple(notes.notes)
    return Predictions(detector.word, detector.threshold, tuple(made), evaluation, remarks)


def _read_pairs(
    records: Iterable[_Record], corpus: Corpus | None, fallback: str | None
) -> tuple[list[_Read], list[tuple[int, int]], list[str], dict[tuple[str, str], int]]:
    """The rows; the places of their texts, -1 where there are none; what is wrong; the texts."""
    rows: list[_Read] = []
    ends: list[tuple[int, int]] = []
    problems: list[str] = []
    texts: dict[tuple[str, str], int] = {}
    for given, where, unread in records:
        problem = unread
        row = _Read(identity(given, len(rows)), None, None, UNKNOWN_LABEL, None, None)
        pair = (-1, -1)
        if not problem:
            try:
                row = _Read.of(given, len(rows))
                pair = _ends(given, corpus, fallback, texts)
            except CodekinError as error:
                problem = f"{where}: {error}"
        rows.append(row)
        ends.append(pair)
        problems.append(problem)
    return rows, ends, problems, texts


class _Read(NamedTuple):
    """What a row says of its pair besides the code."""

    id: str | None
    id1: str | None
    id2: str | None
    label: int
    type: str | None
    side: str | None
    remark: str = ""

    @classmethod
    def of(cls, given: Mapping[str, object], number: int) -> _Read:
        """What the fields of a row say."""
        id1, id2 = name_in(given, "id1"), name_in(given, "id2")
        own = None if "id" not in given and id1 and id2 else identity(given, number)
        label, remark = label_of(given.get("label")), ""
        if label is None:
            label, remark = UNKNOWN_LABEL, f"a label that cannot be read: {given['label']!r}"
        side = None
        try:
            side = side_named(name_in(given, "side"))
        except CodekinError as error:
            remark = remark or str(error)
        return cls(own, id1, id2, label, name_in(given, "type"), side, remark)


def _other_names(first: Sequence[_Record], corpus: Corpus | None) -> dict[str, str]:
    """The columns of tables of pairs that have other names than the fields here."""
    rows = [given for given, _, problem in first if not problem]
    names = {name for row in rows for name in row}
    by_ids = corpus is not None and {"id1", "id2"} <= names
    fields = PAIR_FIELDS if by_ids else CODE_PAIR_FIELDS
    places = field_places(rows, fields)
    wanted = {"label": "label", "type": "type", "side": "side", "language": "language"}
    if not by_ids and not {"candidate", "reference"} & names:
        wanted |= {"code1": "candidate", "code2": "reference", "language1": "language"}
    return {
        field: places[name]
        for name, field in wanted.items()
        if name in places and places[name] != field
    }


_FIELDS = frozenset(
    {
        *("id", "id1", "id2", "candidate", "reference", "language"),
        *("label", "type", "side", "basis"),
    }
)


def _name_unread(first: Sequence[_Record], notes: Problems) -> None:
    """Note the columns of the first rows that are not read."""
    names = dict.fromkeys(name for given, _, problem in first if not problem for name in given)
    unread = [name for name in names if name not in _FIELDS]
    if unread:
        notes.note(f"columns that are not read: {', '.join(unread)}")


def _language_of(first: Sequence[_Record], corpus: Corpus | None, notes: Problems) -> str | None:
    """The language of rows with code of which none names one, noted."""
    rows = [given for given, _, problem in first if not problem]
    codes = [
        code
        for row in rows
        for name in ("candidate", "reference")
        if isinstance(code := row.get(name), str)
    ]
    if corpus is not None or not codes or any(row.get("language") for row in rows):
        return None
    return guessed_language(codes, notes)


def _evaluation(
    detector: Detector,
    corpus: Corpus | None,
    snippets: Sequence[Snippet],
    rows: Sequence[_Read],
    ends: Sequence[tuple[int, int]],
    scores: npt.NDArray[np.float32],
) -> DetectorEvaluation | None:
    """What the scores are worth, where rows have labels."""
    from codekin.detectors.evaluating import ScoredPairs, evaluation_of

    chosen = [i for i, row in enumerate(rows) if row.label != UNKNOWN_LABEL and ends[i][0] >= 0]
    if not chosen:
        return None
    by_ids = corpus is not None and all(rows[i].id1 in corpus.places for i in chosen)
    if by_ids and corpus is not None:
        whole = corpus
        places = [(corpus.places[rows[i].id1], corpus.places[rows[i].id2]) for i in chosen]  # type: ignore[index]
    else:
        whole = Corpus("rows", tuple(snippets))
        places = [ends[i] for i in chosen]
    both = np.array(places, np.int32)
    pairs = Pairs(
        both[:, 0],
        both[:, 1],
        np.array([rows[i].label for i in chosen], np.int8),
        type=coded([rows[i].type for i in chosen]),
        side=coded([rows[i].side for i in chosen]),
    )
    found = ScoredPairs(
        scores[chosen].astype(np.float64),
        detector.threshold,
        "that of the detector",
        np.ones(len(chosen), bool),
    )
    return evaluation_of(detector.word, replace(whole, pairs=pairs), found)


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
    for i, pair in enumerate(corpus.pairs.records, 1):
        first, second = pair.pop("first"), pair.pop("second")
        ids = {"id1": corpus.snippets[first].id, "id2": corpus.snippets[second].id}
        yield {**ids, **pair}, f"{folder}, pair {i}", ""


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
