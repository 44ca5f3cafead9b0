"""evaluate_detector: detectors, predictions and clone reports, judged by labelled pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import TYPES, PairColumn, Pairs
from codekin.corpora.reading import records
from codekin.corpora.snippets import SIDES, UNKNOWN_LABEL, Problems, Snippet, label_of
from codekin.corpora.table_fields import PREDICTION_FIELDS, NamedColumns, fields_of_rows
from codekin.detectors.benchmark.cell_scores import curve_points
from codekin.detectors.clone_reports import is_report, match_report
from codekin.detectors.detector import (
    ArrayDetector,
    Detector,
    detector_names,
    parse_detector,
    used_snippets,
)
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import (
    LEFT_OUT,
    UNKNOWN,
    Column,
    Curve,
    Curves,
    Grid,
    GridColumns,
    Interval,
    Result,
    Section,
    count_text,
    number_text,
    share_text,
)
from codekin.statistics.classification import (
    area_under_curve,
    average_precision,
    best_threshold,
    f1_at,
)
from codekin.statistics.pair_bootstrap import pair_intervals, share_interval

__all__ = [
    "DetectorEvaluation",
    "EvaluatedPart",
    "PairNumbers",
    "ScoredPairs",
    "evaluate_detector",
    "evaluation_of",
]

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_WITHIN, _BETWEEN = "within a project", "between projects"
_COVER = 0.7
"""The share of lines that BigCloneEval's matcher wants."""
_MOST_PARTS = 500
"""Functionalities with numbers of their own; those with the most pairs come first."""
_MOST_CELLS = 1000
"""Functionalities times types, beyond which they are not crossed."""


@dataclass(frozen=True)
class PairNumbers:
    """What scores of some labelled pairs are worth; nan where a number is not defined.

    Attributes
    ----------
    pairs, clones : int
    rate : float
        The share of clones.
    all_positive_f1 : float
        The F1 of calling every pair a clone.
    precision, recall, f1 : float
        Of calling pairs from the threshold on clones.
    gain : float
        F1 less that of calling every pair a clone.
    ap, auc : float
        Average precision, and the probability that a clone has the higher score.
    precision_interval, recall_interval, f1_interval, ap_interval, auc_interval : Interval
    """

    pairs: int
    clones: int
    rate: float
    all_positive_f1: float
    precision: float
    recall: float
    f1: float
    gain: float
    ap: float
    auc: float
    precision_interval: Interval = UNKNOWN
    recall_interval: Interval = UNKNOWN
    f1_interval: Interval = UNKNOWN
    ap_interval: Interval = UNKNOWN
    auc_interval: Interval = UNKNOWN


@dataclass(frozen=True)
class EvaluatedPart:
    """A part of the pairs, at the threshold of all.

    Attributes
    ----------
    name : str
    pairs, clones : int
    found : int
        Clones that were called clones.
    recall : float
    recall_interval : Interval
    precision, f1 : float
        nan in a part of clones alone.
    """

    name: str
    pairs: int
    clones: int
    found: int
    recall: float
    recall_interval: Interval
    precision: float
    f1: float


@dataclass(frozen=True)
class DetectorEvaluation(Result):
    """What a detector, predictions or a report of a clone tool are worth on labelled pairs.

    Attributes
    ----------
    judged : str
        The detector, or the file.
    corpus : str
    side : str
        The side whose pairs were judged; ``all`` where pairs have no sides.
    threshold : float
        From which on a pair counts as a clone; nan for a report, whose pairs all do.
    threshold_from : str
        Where it comes from.
    all : PairNumbers
    without_copies : PairNumbers or None
        Without pairs of which a snippet has a copy in training; None where there is no training
        side, or no such copy.
    by_type, by_functionality, by_project : tuple of EvaluatedPart
        Empty where nothing is known.
    by_type_and_project, by_functionality_and_type : mapping of str to tuple of EvaluatedPart
    clusters : int
        Functionalities that intervals draw; 0 where they draw snippets.
    unscored : int
        Pairs without a score, which count as no clones.
    remarks : tuple of str
        What was left out, and how the input was read.
    """

    judged: str
    corpus: str
    side: str
    threshold: float
    threshold_from: str
    all: PairNumbers
    without_copies: PairNumbers | None
    by_type: tuple[EvaluatedPart, ...]
    by_functionality: tuple[EvaluatedPart, ...]
    by_project: tuple[EvaluatedPart, ...]
    by_type_and_project: Mapping[str, tuple[EvaluatedPart, ...]]
    by_functionality_and_type: Mapping[str, tuple[EvaluatedPart, ...]]
    clusters: int
    unscored: int
    remarks: tuple[str, ...] = ()
    curve: tuple[tuple[float, float], ...] = field(default=(), repr=False, metadata=LEFT_OUT)

    @property
    def recall_alone(self) -> bool:
        """Whether all pairs are clones, so that nothing but recall can be known."""
        return self.all.clones == self.all.pairs

    def table(self) -> Grid:
        """The numbers of all pairs, and of those without copies."""
        rows = [self._line(f"all {self._pairs()}", self.all)]
        if self.without_copies is not None:
            rows.append(self._line("without copies", self.without_copies))
        if self.recall_alone:
            shown = ("pairs of", "pairs", "recall", Column("interval", "recall_interval", digits=3))
            cells = tuple((row[0], row[1], row[6], row[7]) for row in rows)
            heads: GridColumns = (*shown[:2], Column("recall", digits=3), shown[3])
            return Grid(f"{plain(self.judged)} on {plain(self.corpus)}", heads, cells)
        columns: GridColumns = (
            *("pairs of", "pairs", Column("base rate", "rate", digits=3)),
            Column("all-positive F1", "all_positive_f1", digits=3),
            *_with_interval("precision", "recall"),
            *_with_interval("F1"),
            Column("gain", digits=3, sign=True, meaning="F1 less the all-positive F1"),
            *_with_interval("AP", "AUC"),
        )
        return Grid(f"{plain(self.judged)} on {plain(self.corpus)}", columns, tuple(rows))

    def _pairs(self) -> str:
        return "labelled pairs" if self.side == "all" else f"{self.side} pairs"

    @staticmethod
    def _line(name: str, of: PairNumbers) -> tuple[Any, ...]:
        return (
            *(name, of.pairs, of.rate, of.all_positive_f1, of.precision, of.precision_interval),
            *(of.recall, of.recall_interval, of.f1, of.f1_interval, of.gain),
            *(of.ap, of.ap_interval, of.auc, of.auc_interval),
        )

    def grids(self) -> list[Grid]:
        """The numbers, and recall by type, functionality and project."""
        return [self.table(), *self._type_grids(), *self._functionality_grids()]

    def _type_grids(self) -> list[Grid]:
        projects = self.by_type_and_project
        columns: list[Column | str] = ["type", "clones", "found"]
        columns += _with_interval("recall")
        for name in projects:
            columns += [
                Column(name, f"{name} clones"),
                Column("recall", f"{name} recall", digits=3),
            ]
        rows = []
        for i, part in enumerate(self.by_type):
            others = [parts[i] for parts in projects.values()]
            beside = [cell for other in others for cell in (other.clones, other.recall)]
            rows.append(
                (part.name, part.clones, part.found, part.recall, part.recall_interval, *beside)
            )
        found = [Grid("Recall by clone type", tuple(columns), tuple(rows))] if rows else []
        if self.by_project:
            found.append(self._part_grid("By project", "", self.by_project))
        return found

    def _functionality_grids(self) -> list[Grid]:
        if not self.by_functionality:
            return []
        found = [self._part_grid("By functionality", "functionality", self.by_functionality)]
        by_type = self.by_functionality_and_type
        if by_type:
            heads: GridColumns = (
                "functionality",
                *(Column(part.name, digits=3) for part in next(iter(by_type.values()))),
            )
            rows = tuple((name, *(part.recall for part in by_type[name])) for name in by_type)
            found.append(Grid("Recall by functionality and type", heads, rows))
        return found

    def _part_grid(self, title: str, head: str, parts: Sequence[EvaluatedPart]) -> Grid:
        columns: list[Column | str] = [head, "pairs", "clones", "found"]
        columns += _with_interval("recall")
        if not self.recall_alone:
            columns += [Column("precision", digits=3), Column("F1", "f1", digits=3)]
        rows = []
        for part in parts:
            row = (
                part.name,
                part.pairs,
                part.clones,
                part.found,
                part.recall,
                part.recall_interval,
            )
            rows.append(row if self.recall_alone else (*row, part.precision, part.f1))
        return Grid(title, tuple(columns), tuple(rows))

    def section(self) -> Section:
        """The numbers, the curve of precision by recall, and the breakdowns."""
        curves: tuple[Curves, ...] = ()
        if len(self.curve) > 1 and not self.recall_alone:
            ap = f"AP {number_text(self.all.ap, digits=3)}"
            line = Curve(self.judged, self.curve, f"{self.judged}: {ap}")
            caption = f"{ap}; the dashed line is the base rate."
            curves = (
                Curves(
                    title="Precision by recall",
                    caption=caption,
                    curves=(line,),
                    axes=("recall", "precision"),
                    base=self.all.rate,
                ),
            )
        grids = self.grids()
        return Section(f"{self.judged} on {self.corpus}", content=(grids[0], *curves, *grids[1:]))

    def notes(self) -> list[str]:
        """How it was judged."""
        drawn = (
            f"draw the {self.clusters} functionalities, and within one its snippets"
            if self.clusters
            else "draw snippets, since no two functionalities are known"
        )
        called = (
            "every reported pair counts as a clone"
            if math.isnan(self.threshold)
            else f"a pair counts as a clone from {self.threshold:.6g} on ({self.threshold_from})"
        )
        notes = [f"{called[0].upper()}{called[1:]}. Intervals are 95 %, and {drawn}."]
        if self.recall_alone:
            notes.append("All pairs are clones, so only recall is known.")
        return [*notes, *self.remarks]

    def warnings(self) -> list[str]:
        """What makes the numbers worth less."""
        if not self.unscored:
            return []
        return [f"{count_text(self.unscored, 'pair')} without a score: they count as no clones"]


def _with_interval(*heads: str) -> Iterator[Column]:
    for head in heads:
        name = head.lower()
        yield Column(head, name, digits=3)
        yield Column("interval", f"{name}_interval", digits=3, beneath=True)


class ScoredPairs(NamedTuple):
    """The scores of a corpus's pairs, and from where on they mean a clone.

    Attributes
    ----------
    scores : float array
        Per pair of the corpus; nan without one.
    threshold : float
    threshold_from : str
    asked : bool array
        The pairs that could be scored at all.
    missing : bool
        Whether a pair without a score is a fault, and not an answer.
    remarks : tuple of str
    """

    scores: Floats
    threshold: float
    threshold_from: str
    asked: Flags
    missing: bool = True
    remarks: tuple[str, ...] = ()


def evaluate_detector(
    judged: str | Path | Detector,
    corpus: Corpus,
    *,
    threshold: float | None = None,
    cover: float = _COVER,
    columns: Mapping[str, str] | NamedColumns | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> DetectorEvaluation:
    """Judge a detector, predictions or the report of a clone tool by labelled pairs.

    Parameters
    ----------
    judged : str, Path or Detector
        A detector, or the folder of one; the word of a measure, such as ``measure:measure=kin``; a
        file of predictions with ``id1``, ``id2`` and ``score``; or a report of a clone tool: as
        BigCloneEval takes it, NiCad's XML, or the CSV file of ``codekin scan``.
    corpus : Corpus
        With labelled pairs. Where some are of the side test, only these are judged.
    threshold : float, optional
        From which on a pair is called a clone. By default that of the detector; for predictions,
        the one with the best F1 on the pairs of validation.
    cover : float
        The least share of the lines of both snippets that a report must have.
    columns : mapping of str to str, or NamedColumns, optional
        Columns of predictions that have other names than their fields.
    settings : mapping, optional
        Of a detector, those that are not kept with it, such as ``{"device": "cpu"}``.
    seed : int
        Of the intervals.
    workers : int, optional
        Worker processes that read snippets.

    Returns
    -------
    DetectorEvaluation

    Raises
    ------
    CodekinError
        If there are no labelled pairs, or the input cannot be read.
    """
    pairs = corpus.pairs
    if pairs is None or not (pairs.label != UNKNOWN_LABEL).any():
        raise CodekinError(
            f"{corpus.name}: has no labelled pairs to judge by; read some with --pairs FILE, or "
            "draw some with codekin corpus pairs"
        )
    if not 0 < cover <= 1:
        raise CodekinError(f"the share of lines to cover is above 0 and at most 1, not {cover:g}")
    name = str(judged.word if isinstance(judged, Detector) else judged)
    path = None if isinstance(judged, Detector) else Path(judged)
    named = columns if isinstance(columns, NamedColumns) else NamedColumns(columns or {})
    if path is not None and is_report(path):
        scored = _reported(path, corpus, pairs, cover, threshold)
    elif path is not None and path.is_file():
        scored = _predicted(path, corpus, pairs, threshold, named)
    else:
        detector = judged if isinstance(judged, Detector) else _detector(judged, settings)
        scored = _detected(detector, corpus, pairs, threshold, workers)
    named.check(name)
    return evaluation_of(name if path is None else path.name or name, corpus, scored, seed=seed)


def _detector(judged: str | Path, settings: Mapping[str, Any] | None) -> Detector:
    """A detector that was saved, or the one of a word that needs no training but a threshold."""
    from codekin.detectors.predicting import detector_for

    word = str(judged)
    if not Path(judged).exists() and word.partition(":")[0] == "measure":
        return parse_detector(word)
    if not Path(judged).exists() and word.partition(":")[0] not in detector_names():
        raise CodekinError(
            f"{judged}: no such file or folder; name a detector, a file of predictions (id1, id2, "
            "score), or a report of a clone tool"
        )
    return detector_for(judged, (), settings)


def _detected(
    detector: Detector, corpus: Corpus, pairs: Pairs, threshold: float | None, workers: int | None
) -> ScoredPairs:
    """The scores of the pairs that are judged, and of validation where a threshold is needed."""
    from codekin.detectors.predicting import as_trained

    fitted = not math.isnan(detector.threshold)
    wanted = _judged_pairs(pairs)[1]
    if threshold is None and not fitted:
        wanted = wanted | _of_side(pairs, "validation")
    used, first, second = used_snippets(corpus.snippets, pairs.first[wanted], pairs.second[wanted])
    ready = as_trained(detector, used, workers)
    scores = np.full(len(pairs), np.nan)
    if isinstance(detector, ArrayDetector):
        prepared = prepare_snippets(ready, workers=workers)
        scores[wanted] = detector.score_prepared(prepared, first, second)
    else:
        scores[wanted] = detector.score_pairs(ready, first, second, workers=workers)
    remarks = []
    if detector.card.get("fingerprint") == corpus.fingerprint and "test" not in _sides(pairs):
        remarks.append(
            "the detector was trained on snippets of this corpus, and the pairs have no side test: "
            "pairs that it was trained on are judged, too"
        )
    strange = {snippet.language for snippet in used} - set(detector.languages or ())
    if detector.languages and strange:
        remarks.append(
            f"the detector was trained on {', '.join(detector.languages)}, and not on "
            f"{', '.join(sorted(strange))}"
        )
    value, where = _threshold(threshold, scores, pairs)
    if threshold is None and fitted:
        value, where = detector.threshold, "that of the detector"
    return ScoredPairs(scores, value, where, np.ones(len(pairs), bool), True, tuple(remarks))


def _reported(
    path: Path, corpus: Corpus, pairs: Pairs, cover: float, threshold: float | None
) -> ScoredPairs:
    """The scores that a report has for pairs; every pair that it has is called a clone."""
    matches = match_report(path, corpus, cover)
    asked = matches.located[pairs.first] & matches.located[pairs.second]
    if not asked.any():
        raise CodekinError(
            f"{path}: no pair of {corpus.name} has both snippets at known lines of a file; read "
            "the corpus with file, first_line and last_line, or with --files for the whole files"
        )
    remarks = [
        f"{matches.form} report of {count_text(matches.clones, 'clone')}: a pair is found where a "
        f"clone covers {share_text(cover)} of the lines of both snippets"
    ]
    if not asked.all():
        lost = int(np.count_nonzero(~asked))
        remarks.append(
            f"{count_text(lost, 'pair')} left out: the lines of their snippets are not known"
        )
    if matches.foreign:
        what = count_text(matches.foreign, "reported fragment")
        remarks.append(f"{what} in files without a snippet of the corpus")
    value = math.nan if threshold is None else threshold
    return ScoredPairs(matches.scores, value, "given", asked, False, tuple(remarks))


def _predicted(
    path: Path,
    corpus: Corpus,
    pairs: Pairs,
    threshold: float | None,
    columns: NamedColumns,
) -> ScoredPairs:
    """The scores that a file of predictions has for pairs, in either order of their ids."""
    problems = Problems(str(path))
    rows = _prediction_rows(path, problems, columns)
    known: dict[tuple[str, str], float] = {}
    least_called = math.inf
    unknown = 0
    for number, row in enumerate(rows, 1):
        ends = (_text(row.get("id1")), _text(row.get("id2")))
        score = _score(row.get("score"))
        if score is None:
            problems.add(
                "a score that is not a finite number", f"row {number:,}: {row.get('score')!r}"
            )
            continue
        if not all(end in corpus.places for end in ends):
            unknown += 1
            continue
        before = known.setdefault(ends, score)
        if before != score and not (math.isnan(before) and math.isnan(score)):
            problems.add("a pair with two scores", ", ".join(ends))
        if label_of(row.get("clone")) == 1 and not math.isnan(score):
            least_called = min(least_called, score)
    problems.check()
    ids = [snippet.id for snippet in corpus.snippets]
    scores = np.full(len(pairs), np.nan)
    for i, places in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        first, second = ids[places[0]], ids[places[1]]
        scores[i] = known.get((first, second), known.get((second, first), math.nan))
    if not np.isfinite(scores[_judged_pairs(pairs)[1]]).any():
        raise CodekinError(
            f"{path}: has no score of any labelled pair of {corpus.name}; are these the ids of its "
            f"snippets, such as {', '.join(ids[:2])}?"
        )
    remarks = list(problems.notes)
    if unknown:
        remarks.append(f"{count_text(unknown, 'prediction')} of snippets that the corpus lacks")
    if threshold is None and math.isfinite(least_called):
        value, where = least_called, "by the column clone"
    else:
        value, where = _threshold(threshold, scores, pairs)
    return ScoredPairs(scores, value, where, np.ones(len(pairs), bool), True, tuple(remarks))


def _prediction_rows(
    path: Path, problems: Problems, columns: NamedColumns
) -> Sequence[Mapping[str, object]]:
    """The rows of predictions: a table, or lines of two ids and an answer without a head."""
    if path.suffix.lower() == ".txt":
        from codekin.corpora.folder_files import lines_of

        lines = [line.split() for line in lines_of(path, typed=True)]
        wrong = next((i for i, line in enumerate(lines, 1) if line and len(line) != 3), None)
        if wrong is not None:
            raise CodekinError(f"{path}: line {wrong:,} is not two ids and a score")
        return [dict(zip(("id1", "id2", "score"), line, strict=True)) for line in lines if line]
    rows = records(path, problems)
    problems.check()
    return fields_of_rows(
        path,
        rows,
        PREDICTION_FIELDS,
        problems,
        needed=("id1", "id2", "score"),
        advice="predictions have id1, id2 and score",
        columns=columns,
    )


def _text(value: object) -> str:
    """An id as snippets have it."""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else "" if value is None else value).strip()  # type: ignore[call-overload]


def _score(value: object) -> float | None:
    """A finite score, or an answer such as true; nan without one, None if it is neither."""
    if value in (None, ""):
        return math.nan
    try:
        score = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        answer = label_of(value)
        return None if answer is None else float(answer)
    return None if math.isinf(score) else score


def _threshold(given: float | None, scores: Floats, pairs: Pairs) -> tuple[float, str]:
    """Where clones begin: as given, by the answers, on validation, or in the middle."""
    if given is not None:
        return given, "given"
    known = scores[np.isfinite(scores)]
    if set(np.unique(known).tolist()) <= {0.0, 1.0}:
        return 1.0, "as predicted"
    chosen = _of_side(pairs, "validation") & np.isfinite(scores)
    label = pairs.label[chosen] == 1
    if len(label) and label.any() and not label.all():
        best = best_threshold(scores[chosen], label).value
        return best, f"best F1 on {count_text(len(label), 'pair')} of validation"
    if len(known) and known.min() >= 0 and known.max() <= 1:
        return 0.5, "the middle, as there are no pairs of validation to choose it on"
    raise CodekinError(
        "scores are not from 0 to 1, and there are no scored pairs of the side validation to "
        "choose a threshold on; give one with --threshold"
    )


def _sides(pairs: Pairs) -> tuple[str, ...]:
    """The sides that have labelled pairs."""
    return tuple(side for side in SIDES if _of_side(pairs, side).any())


def _of_side(pairs: Pairs, side: str) -> Flags:
    known = pairs.label != UNKNOWN_LABEL
    if pairs.side is None or side not in pairs.side[1]:
        return np.zeros(len(pairs), bool)
    codes, names = pairs.side
    chosen: Flags = known & (codes == names.index(side))
    return chosen


def _judged_pairs(pairs: Pairs) -> tuple[str, Flags]:
    """The labelled pairs of the side test, or all of them where none has it."""
    tested = _of_side(pairs, "test")
    return ("test", tested) if tested.any() else ("all", pairs.label != UNKNOWN_LABEL)


def evaluation_of(
    judged: str, corpus: Corpus, scored: ScoredPairs, *, seed: int = 0
) -> DetectorEvaluation:
    """What scores of a corpus's pairs are worth; see :func:`evaluate_detector`."""
    pairs = corpus.pairs
    assert pairs is not None
    side, chosen = _judged_pairs(pairs)
    chosen = chosen & scored.asked
    taken = pairs.take(chosen)
    scores = scored.scores[chosen]
    unscored = int(np.count_nonzero(np.isnan(scores)))
    finite = scores[~np.isnan(scores)]
    least = min(finite.tolist(), default=0.0)
    threshold = least if math.isnan(scored.threshold) else scored.threshold
    ranked = np.where(np.isnan(scores), min(least, threshold) - 1, scores)
    judgement = _Judgement(corpus, taken, ranked, threshold, seed)
    every = np.ones(len(taken), bool)
    remarks = list(scored.remarks)
    if side == "test" and len(_sides(pairs)) > 1:
        others = int(np.count_nonzero((pairs.label != UNKNOWN_LABEL) & ~_of_side(pairs, side)))
        remarks.append(f"the pairs of the side test are judged, and not {others:,} of others")
    unlabelled = int(np.count_nonzero(pairs.label == UNKNOWN_LABEL))
    if unlabelled:
        remarks.append(f"{count_text(unlabelled, 'pair')} without a label left out")
    typed = judgement.by_type(every)
    untyped = int(np.count_nonzero(judgement.label)) - sum(part.clones for part in typed)
    if typed and untyped:
        remarks.append(f"{count_text(untyped, 'clone')} without a type: not in recall by type")
    remarks += judgement.left_out()
    fresh = judgement.without_copies(corpus, pairs, side)
    return DetectorEvaluation(
        judged,
        corpus.name,
        side,
        scored.threshold,
        scored.threshold_from,
        judgement.numbers(every),
        None if fresh is None or not fresh.any() else judgement.numbers(fresh),
        typed,
        judgement.by_functionality(),
        judgement.by_project(),
        judgement.by_type_and_project(),
        judgement.by_functionality_and_type(),
        judgement.clusters,
        unscored if scored.missing else 0,
        tuple(remarks),
        tuple((x, y) for x, y in curve_points(judgement.scores, judgement.label)),
    )


class _Judgement:
    """The judged pairs, and what is computed over parts of them."""

    def __init__(
        self, corpus: Corpus, pairs: Pairs, scores: Floats, threshold: float, seed: int
    ) -> None:
        self.snippets, self.pairs, self.scores = corpus.snippets, pairs, scores
        self.label = pairs.label == 1
        self._threshold, self._seed = threshold, seed
        self.units, self.clusters = _units(corpus.snippets, pairs)
        self._parts = self._functionalities()
        self._largest = self._largest_parts()

    def numbers(self, chosen: Flags) -> PairNumbers:
        """The numbers of some pairs, with intervals; with clones alone, only recall."""
        label, scores = self.label[chosen], self.scores[chosen]
        rate = float(label.mean()) if len(label) else math.nan
        at = f1_at(scores, label, self._threshold)
        found = {"recall": at.recall}
        if 0 < rate < 1:
            found |= {"precision": at.precision, "f1": at.f1}
            found |= {
                "ap": average_precision(scores, label),
                "auc": area_under_curve(scores, label),
            }
        intervals = self._intervals(chosen)
        baseline = 2 * rate / (1 + rate)
        names = ("precision", "recall", "f1", "ap", "auc")
        numbers: dict[str, Any] = {name: found.get(name, math.nan) for name in names}
        numbers |= {f"{name}_interval": intervals.get(name, UNKNOWN) for name in found}
        return PairNumbers(
            pairs=len(label),
            clones=int(label.sum()),
            rate=rate,
            all_positive_f1=baseline,
            gain=numbers["f1"] - baseline,
            **numbers,
        )

    def _ends(self, chosen: Flags, *, snippets: bool = False) -> list[npt.NDArray[np.int64]]:
        """What the bootstrap draws, of both ends of some pairs."""
        own = np.arange(len(self.units)) if snippets else self.units
        return [own[places[chosen]] for places in (self.pairs.first, self.pairs.second)]

    def _intervals(self, chosen: Flags) -> dict[str, Interval]:
        first, second = self._ends(chosen)
        scores, label = self.scores[chosen], self.label[chosen]
        return pair_intervals(scores, label, self._threshold, first, second, seed=self._seed)

    def _part(self, name: str, chosen: Flags, *, snippets: bool = False) -> EvaluatedPart:
        label, scores = self.label[chosen], self.scores[chosen]
        at = f1_at(scores, label, self._threshold)
        clones = chosen & self.label
        called = self.scores[clones] >= self._threshold
        found = int(np.count_nonzero(called))
        ends = self._ends(clones, snippets=snippets)
        both = bool(label.any()) and not label.all()
        return EvaluatedPart(
            *(name, len(label), int(label.sum()), found, at.recall),
            share_interval(called, *ends, seed=self._seed) or UNKNOWN,
            at.precision if both else math.nan,
            at.f1 if both else math.nan,
        )

    def _typed(self) -> dict[str, Flags]:
        """The clones of each type, the types of BigCloneEval first."""
        column: PairColumn | None = self.pairs.type
        if column is None:
            return {}
        codes, names = column
        order = [name for name in TYPES if name in names]
        order += [name for name in names if name not in order]
        found = {name: self.label & (codes == names.index(name)) for name in order}
        return {name: flags for name, flags in found.items() if flags.any()}

    def by_type(self, chosen: Flags) -> tuple[EvaluatedPart, ...]:
        """The clones of each type among some pairs."""
        return tuple(self._part(name, flags & chosen) for name, flags in self._typed().items())

    def _functionalities(self) -> dict[str, list[int]]:
        """The pairs of each functionality: clones have it in common, others at one end at least."""
        rows: dict[str, list[int]] = {}
        having = [frozenset(s.functionalities) for s in self.snippets]
        judged = [frozenset(role.functionality for role in s.roles) for s in self.snippets]
        ends = zip(self.pairs.first.tolist(), self.pairs.second.tolist(), strict=True)
        for i, ((first, second), clone) in enumerate(zip(ends, self.label.tolist(), strict=True)):
            own = having[first] & having[second] if clone else judged[first] | judged[second]
            for name in own:
                rows.setdefault(name, []).append(i)
        names = sorted(rows, key=lambda name: (not name.isdigit(), len(name), name))
        return {name: rows[name] for name in names if self.label[rows[name]].any()}

    def _largest_parts(self) -> dict[str, list[int]]:
        """The functionalities that have numbers of their own, in their order."""
        by_size = sorted(self._parts, key=lambda name: -len(self._parts[name]))
        kept = set(by_size[:_MOST_PARTS])
        return {name: rows for name, rows in self._parts.items() if name in kept}

    def left_out(self) -> list[str]:
        """What is too much to be shown."""
        remarks = []
        if len(self._largest) < len(self._parts):
            remarks.append(
                f"by functionality, the {len(self._largest):,} of {len(self._parts):,} with the "
                "most pairs"
            )
        if len(self._typed()) > 1 and len(self._typed()) * len(self._largest) > _MOST_CELLS:
            remarks.append(
                f"no numbers by functionality and type, which would be more than {_MOST_CELLS:,}"
            )
        return remarks

    def _mask(self, rows: Sequence[int]) -> Flags:
        """Some pairs by their places."""
        chosen = np.zeros(len(self.label), bool)
        chosen[rows] = True
        return chosen

    def by_functionality(self) -> tuple[EvaluatedPart, ...]:
        """The pairs of each functionality that has clones; nothing where there is one."""
        if len(self._largest) < 2:
            return ()
        return tuple(
            self._part(name, self._mask(rows), snippets=True)
            for name, rows in self._largest.items()
        )

    def by_functionality_and_type(self) -> dict[str, tuple[EvaluatedPart, ...]]:
        """The clones of each type in each functionality."""
        types, parts = self._typed(), self._largest
        if len(types) < 2 or len(parts) < 2 or len(types) * len(parts) > _MOST_CELLS:
            return {}
        return {
            name: tuple(
                self._part(kind, self._mask(rows) & of_type) for kind, of_type in types.items()
            )
            for name, rows in parts.items()
        }

    def _projects(self) -> dict[str, Flags]:
        known = [snippet.project is not None for snippet in self.snippets]
        if not any(known):
            return {}
        names = np.array([snippet.origin for snippet in self.snippets], object)
        same = np.array(names[self.pairs.first] == names[self.pairs.second], bool)
        parts = {_WITHIN: same, _BETWEEN: ~same}
        return {name: flags for name, flags in parts.items() if flags.any()}

    def by_project(self) -> tuple[EvaluatedPart, ...]:
        """The pairs within a project, and those between two."""
        return tuple(self._part(name, flags) for name, flags in self._projects().items())

    def by_type_and_project(self) -> dict[str, tuple[EvaluatedPart, ...]]:
        """The clones of each type, within a project and between two."""
        if not self._typed():
            return {}
        return {name: self.by_type(flags) for name, flags in self._projects().items()}

    def without_copies(self, corpus: Corpus, pairs: Pairs, side: str) -> Flags | None:
        """The judged pairs without a copy of a training snippet; None if there is no such copy."""
        trained = np.array([snippet.side == "train" for snippet in corpus.snippets], bool)
        for ends in (pairs.first, pairs.second):
            trained[ends[_of_side(pairs, "train")]] = True
        if side != "test" or not trained.any():
            return None
        marks = find_copies(corpus.snippets).near
        copied = np.isin(marks, marks[trained])
        fresh: Flags = ~(copied[self.pairs.first] | copied[self.pairs.second])
        return None if fresh.all() else fresh


def _units(snippets: Sequence[Snippet], pairs: Pairs) -> tuple[npt.NDArray[np.int64], int]:
    """What the bootstrap draws, per snippet: its functionality, or itself; and how many of those.

    Snippets without a functionality are drawn by themselves.
    """
    used = np.unique(np.concatenate([pairs.first, pairs.second])).tolist()
    names = dict.fromkeys(s.functionality for i in used if (s := snippets[i]).functionality)
    places = {name: i for i, name in enumerate(names)}
    own = np.arange(len(snippets), dtype=np.int64) + len(places)
    if len(places) < 2:
        return own, 0
    for i, snippet in enumerate(snippets):
        if snippet.functionality in places:
            own[i] = places[snippet.functionality]
    return own, len(places)
