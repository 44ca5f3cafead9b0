"""evaluate_triplets: how well measures tell right programs from wrong ones.

A triplet has an anchor and a positive, which are right, and a negative, which is wrong. A measure
that sees what a program does scores (anchor, positive) above (anchor, negative).
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.evaluation.scored_runs import (
    BASELINE,
    finished_run,
    lengths_of,
    measures_of,
    needs_kind,
    oriented,
    run_folder,
    with_baseline,
)
from codekin.evaluation.triplet_judgement import (
    EqualLengths,
    LanguagePair,
    Leak,
    RoleHistograms,
    TripletCorrelation,
    TripletEffect,
    TripletJudgement,
    WrongTriplet,
)
from codekin.groups.near_duplicates import near_duplicate
from codekin.languages import get_language
from codekin.runs.columns import to_numpy
from codekin.runs.failures import failures
from codekin.runs.row import Row, field_name, identity, renamed, row_of
from codekin.runs.rows import Record, type_name
from codekin.runs.run import Run, RunMeasure, read_fields
from codekin.runs.scoring import score
from codekin.runs.settings import FIELDS, RowTexts, Settings
from codekin.runs.summaries import clusters_of
from codekin.source import Source
from codekin.statistics.correlation import correlation_matrix
from codekin.statistics.effect_size import EffectSizes, adjusted_d, effect_sizes
from codekin.statistics.reasons import MISSING
from codekin.statistics.resampling import Floats, check_resampling

__all__ = [
    "ROLES",
    "EqualLengths",
    "LanguagePair",
    "Leak",
    "RoleHistograms",
    "TripletEffect",
    "TripletJudgement",
    "Triplets",
    "WrongTriplet",
    "evaluate_triplets",
    "judge_triplets",
]


ROLES = ("positive", "negative")
_TEXTS = ("anchor", *ROLES)
_NOTES = ("key", "anchor_key", "copy", "copy_similarity")
"""The names of notes; fields of the input with these names are dropped."""

_LONGEST_NAME = 200


@dataclass(frozen=True)
class Triplets:
    """A row for the positive and one for the negative of each triplet."""

    fields: ClassVar[tuple[str, ...]] = ("id", "problem", "language", *_TEXTS)
    most: ClassVar[int] = len(ROLES)

    def describe(self) -> dict[str, Any]:
        """How the manifest records it."""
        return {"kind": "triplets"}

    def rows(
        self, record: Record, number: int, settings: Settings, detect: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The two rows, or one with the reason if the record is not a triplet."""
        assert record.fields is not None
        given = renamed(record.fields, settings.columns)
        name, first = identity(given, number), number * self.most
        try:
            problem = _problem(given)
            texts = {role: _text(given, role) for role in _TEXTS}
            _refuse_two_languages(*(texts[role][0] for role in ROLES))
        except CodekinError as error:
            yield Row(name, first, f"{record.where}: {error}")
            return
        own = {*FIELDS, *self.fields, *_NOTES}
        others = {key: value for key, value in given.items() if key not in own}
        for place, role in enumerate(ROLES):
            fields = {
                **others,
                "id": f"{name}/{role}",
                "triplet": name,
                "role": role,
                "group": role,
                "problem": problem,
                "language": texts[role][0],
                "candidate": texts[role][1],
                "reference_language": texts["anchor"][0],
                "reference": texts["anchor"][1],
            }
            yield row_of(fields, record.where, first + place, settings)

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """Whether the candidate is a copy of the anchor, and keys to find copies elsewhere."""
        anchor = texts.references[0]
        notes: dict[str, Any] = {"key": _key(texts.candidate), "anchor_key": _key(anchor)}
        found = near_duplicate(texts.candidate, anchor)
        if found is not None:
            notes["copy"], notes["copy_similarity"] = found
        return notes


def _problem(given: Mapping[str, object]) -> str | None:
    """The name of the problem; a long one, such as its statement, is shortened with a hash."""
    name = field_name(given, "problem")
    if name is None or len(name) <= _LONGEST_NAME:
        return name
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{name[:60]}… {digest}"


def _text(given: Mapping[str, object], role: str) -> tuple[str | None, str]:
    """The language and the code of a role; a bare text has the language of the row."""
    value = given.get(role)
    if value is None:
        known = ", ".join(map(str, given)) or "nothing"
        raise CodekinError(
            f"no field {role!r} (it has: {known}); a triplet has an anchor, a positive and a "
            "negative, each {language, code}"
        )
    if isinstance(value, str):
        return field_name(given, "language"), value
    if not isinstance(value, Mapping):
        raise CodekinError(f"{role} must be {{language, code}} or a text, not {type_name(value)}")
    code = value.get("code")
    if not isinstance(code, str):
        raise CodekinError(f"{role}: its code must be a text, not {type_name(code)}")
    return field_name(value, "language") or field_name(given, "language"), code


def _refuse_two_languages(positive: str | None, negative: str | None) -> None:
    """Refuse a negative in another language than the positive, which would give it away."""
    if positive is None or negative is None:
        return
    if get_language(positive) is not get_language(negative):
        raise CodekinError(
            f"positive is in {positive} and negative in {negative}; both must be in one language"
        )


def _key(source: Source) -> str:
    """Sixteen hex digits that are equal for texts with the same tokens, indentation included."""
    data = "\0".join(source.tokens.texts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=8).hexdigest()


_BINS = 20
_WORST = 20
_FEW = 10
Chosen = npt.NDArray[np.bool_]


def evaluate_triplets(
    rows: Any,
    measures: Any = None,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    output: str | Path | None = None,
    **job: Any,
) -> TripletJudgement:
    """Judge measures by triplets of two right programs and a wrong one.

    Parameters
    ----------
    rows : rows of any kind, or a run
        Triplets: ``anchor``, ``positive`` and ``negative``, each ``{language, code}``, and
        optionally ``id`` and ``problem``. A run of triplets is judged without scoring it again.
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default. The baseline that sees only lengths is added.
    resamples, seed : int
        Of the bootstrap, which resamples whole problems.
    level : float
        Of the intervals.
    output : str or Path, optional
        The folder of the run to write; by default, the run is not kept.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Examples
    --------
    >>> def program(text):
    ...     return {"language": "python", "code": text}
    >>> triplets = [
    ...     {"problem": f"{i % 9}", "anchor": program(f"print(a + {i})"),
    ...      "positive": program(f"print({i} + a)"), "negative": program(f"print({i} - b)")}
    ...     for i in range(30)
    ... ]
    >>> judgement = evaluate_triplets(triplets, ["jaccard"], workers=0, resamples=200)
    >>> judgement.overall.measures[0].win_rate.value
    1.0
    """
    check_resampling(resamples, seed, level)
    how: dict[str, Any] = {"resamples": resamples, "seed": seed, "level": level}
    run = finished_run(rows, measures, output=output, **job)
    if run is not None:
        return judge_triplets(run, **how)
    chosen = with_baseline(measures, origin=False)
    with run_folder(output, rows) as folder:
        return judge_triplets(score(rows, chosen, output=folder, view=Triplets(), **job), **how)


def judge_triplets(
    run: Run, *, resamples: int = 2000, seed: int = 0, level: float = 0.95
) -> TripletJudgement:
    """Judge the measures of a run of triplets.

    Parameters
    ----------
    run : Run
        As :func:`evaluate_triplets` made it.
    resamples, seed : int
    level : float
    """
    needs_kind(run, ["triplets"], "triplets")
    check_resampling(resamples, seed, level)
    others, baseline = measures_of(run)
    read = _read(run, [*others, baseline] if baseline not in others else others)
    draws = _Draws(resamples, seed, level, read)
    every = np.ones(len(read.names), dtype=bool)
    languages = list(dict.fromkeys(zip(read.anchors, read.others, strict=True)))
    leaks = _leaks(read)
    pairs = [
        _language_pair(read, others, baseline, draws, leaks, languages=pair) for pair in languages
    ]
    overall = _language_pair(read, others, baseline, draws, leaks, languages=None)
    labelled = [*(one for one in others if one is not baseline), baseline]
    return TripletJudgement(
        run=run.name,
        complete=run.complete,
        triplets=len(read.names) + read.excluded,
        excluded=read.excluded,
        failures=tuple(failures(run)),
        cluster=draws.unit,
        resamples=resamples,
        seed=seed,
        level=level,
        overall=overall,
        pairs=tuple(pairs),
        correlation=TripletCorrelation(
            tuple(one.label for one in labelled),
            correlation_matrix(
                [np.concatenate([read.positive[m.label], read.negative[m.label]]) for m in labelled]
            ),
            correlation_matrix([_standardised(read, one, every) for one in labelled]),
        ),
        wrong={one.label: _wrong(read, one) for one in others},
    )


@dataclass(frozen=True)
class _Read:
    """The usable triplets of a run, one per position of every list and array."""

    names: list[str]
    problems: list[str | None]
    anchors: list[str | None]
    others: list[str | None]
    excluded: int
    positive: dict[str, Floats]
    negative: dict[str, Floats]
    positive_lengths: Floats
    negative_lengths: Floats
    notes: list[tuple[dict[str, Any], dict[str, Any]]]


def _read(run: Run, measures: Sequence[RunMeasure]) -> _Read:
    labels = [one.label for one in measures]
    facts = ["row", "id", "language", "reference_language", "fields", "problem"]
    table = run.table([*facts, *labels, f"{BASELINE}.parts"])
    rows = table.select(facts).to_pylist()
    lengths = np.array(list(lengths_of(table)), dtype=np.float64).reshape(-1, 2)
    values = {one.label: to_numpy(table.column(one.label)).astype(np.float64) for one in measures}
    places: dict[int, dict[str, int]] = defaultdict(dict)
    fields = []
    for i, row in enumerate(rows):
        fields.append(read_fields(row["fields"]))
        role = fields[i].get("role") if row["problem"] is None else None
        places[row["row"] // len(ROLES)].update({} if role is None else {role: i})
    whole = [one for one in places.values() if len(one) == len(ROLES)]
    first = np.array([one["positive"] for one in whole], dtype=np.intp)
    second = np.array([one["negative"] for one in whole], dtype=np.intp)
    return _Read(
        names=[rows[i]["id"].removesuffix("/positive") for i in first],
        problems=[fields[i].get("problem") for i in first],
        anchors=[rows[i]["reference_language"] for i in first],
        others=[rows[i]["language"] for i in first],
        excluded=len(places) - len(whole),
        positive={label: values[label][first] for label in labels},
        negative={label: values[label][second] for label in labels},
        positive_lengths=lengths[first],
        negative_lengths=lengths[second],
        notes=[(fields[i], fields[j]) for i, j in zip(first, second, strict=True)],
    )


class _Draws:
    """How to resample: by problem, or by triplet if problems are unknown."""

    def __init__(self, resamples: int, seed: int, level: float, read: _Read) -> None:
        self.how: dict[str, Any] = {"resamples": resamples, "seed": seed, "level": level}
        problems = clusters_of(read.problems)
        known = len({name for name in read.problems if name is not None})
        self.unit = "problem" if known > 1 else "triplet"
        self.clusters = problems if known > 1 else np.arange(len(read.names), dtype=np.intp)

    def of(self, chosen: Chosen) -> dict[str, Any]:
        """The arguments of a bootstrap over some of the triplets."""
        _, codes = np.unique(self.clusters[chosen], return_inverse=True)
        return {"clusters": codes, **self.how}


def _language_pair(
    read: _Read,
    measures: Sequence[RunMeasure],
    baseline: RunMeasure,
    draws: _Draws,
    leaks: dict[int, list[Leak]],
    languages: tuple[str | None, str | None] | None,
) -> LanguagePair:
    both = list(zip(read.anchors, read.others, strict=True))
    chosen = np.array([languages is None or one == languages for one in both], dtype=bool)
    leaking = np.array([i in leaks for i in range(len(both))], dtype=bool)
    problems = {read.problems[i] for i in np.flatnonzero(chosen)} - {None}
    return LanguagePair(
        anchor=None if languages is None else languages[0] or "unknown",
        other=None if languages is None else languages[1] or "unknown",
        triplets=int(chosen.sum()),
        problems=len(problems),
        measures=tuple(_effect(read, one, chosen, leaking, draws) for one in measures),
        length=_effect(read, baseline, chosen, leaking, draws),
        leaks=tuple(leak for i in np.flatnonzero(chosen) for leak in leaks.get(int(i), [])),
    )


def _effect(
    read: _Read, one: RunMeasure, chosen: Chosen, leaking: Chosen, draws: _Draws
) -> TripletEffect:
    positive, negative = read.positive[one.label], read.negative[one.label]
    scored = np.isfinite(positive) & np.isfinite(negative) & chosen
    mine, theirs = positive[scored], negative[scored]
    sizes = effect_sizes(oriented(one, mine), oriented(one, theirs), **draws.of(scored))
    adjusted = MISSING
    why_not: str | None = f"fewer than {_FEW} triplets"
    if len(mine) >= _FEW:  # with so few, four coefficients would explain nearly everything
        adjusted, why_not = adjusted_d(
            oriented(one, mine),
            oriented(one, theirs),
            read.positive_lengths[scored],
            read.negative_lengths[scored],
            **draws.of(scored),
        )
    reasons = [sizes.reason]
    if why_not is not None and (sizes.reason is None or not math.isfinite(adjusted.value)):
        reasons.append(f"lengths not regressed out: {why_not}")
    equal = scored & (read.positive_lengths[:, 0] == read.negative_lengths[:, 0])
    clean = scored & ~leaking
    return TripletEffect(
        label=one.label,
        signature=one.signature,
        distance=one.distance,
        n=int(scored.sum()),
        failed=int(chosen.sum() - scored.sum()),
        cohens_d=sizes.cohens_d,
        auc=sizes.auc,
        win_rate=sizes.win_rate,
        paired_d=sizes.paired_d,
        positive_mean=_mean(mine),
        negative_mean=_mean(theirs),
        positive_deviation=_deviation(mine),
        negative_deviation=_deviation(theirs),
        histograms=_histograms(one, mine, theirs),
        adjusted_d=adjusted,
        equal_length=_equal_lengths(read, one, equal, draws),
        without_leaks=_sizes(read, one, clean, draws).cohens_d
        if (leaking & scored).any()
        else None,
        reason="; ".join(reason for reason in reasons if reason) or None,
    )


def _sizes(read: _Read, one: RunMeasure, chosen: Chosen, draws: _Draws) -> EffectSizes:
    positive, negative = read.positive[one.label][chosen], read.negative[one.label][chosen]
    return effect_sizes(oriented(one, positive), oriented(one, negative), **draws.of(chosen))


def _equal_lengths(read: _Read, one: RunMeasure, equal: Chosen, draws: _Draws) -> EqualLengths:
    number = int(equal.sum())
    if number < _FEW:
        which = "no triplet has" if not number else f"only {number} triplets have"
        return EqualLengths(
            number,
            MISSING,
            f"{which} a positive and a negative of equal length",
        )
    sizes = _sizes(read, one, equal, draws)
    return EqualLengths(number, sizes.cohens_d, sizes.reason)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


def _deviation(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


def _histograms(one: RunMeasure, positive: Floats, negative: Floats) -> RoleHistograms | None:
    if not len(positive):
        return None
    everything = np.concatenate([positive, negative])
    low = min(0.0, float(everything.min()))
    high = max(0.0 if one.distance else 1.0, float(everything.max()))
    high = high if high > low else low + 1.0
    counts = [np.histogram(some, _BINS, (low, high))[0] for some in (positive, negative)]
    return RoleHistograms(low, high, tuple(counts[0].tolist()), tuple(counts[1].tolist()))


def _pooled(positive: Floats, negative: Floats) -> float:
    """The pooled standard deviation of both kinds of pairs."""
    if len(positive) < 2:
        return math.nan
    return math.sqrt((float(positive.var(ddof=1)) + float(negative.var(ddof=1))) / 2)


def _standardised(read: _Read, one: RunMeasure, chosen: Chosen) -> Floats:
    """The mean difference of the triplets of each problem, in pooled standard deviations.

    The deviation is that of all triplets, since one problem often has too few.
    """
    positive, negative = (
        oriented(one, some[one.label][chosen]) for some in (read.positive, read.negative)
    )
    both = np.isfinite(positive) & np.isfinite(negative)
    spread = _pooled(positive[both], negative[both])
    clusters = clusters_of([read.problems[i] for i in np.flatnonzero(chosen)])
    number = int(clusters.max(initial=-1)) + 1
    sums = np.bincount(clusters[both], (positive - negative)[both], minlength=number)
    counts = np.bincount(clusters[both], minlength=number)
    with np.errstate(divide="ignore", invalid="ignore"):
        means: Floats = sums / counts / spread
    return np.where(np.isfinite(means), means, np.nan)


def _wrong(read: _Read, one: RunMeasure) -> tuple[WrongTriplet, ...]:
    positive, negative = read.positive[one.label], read.negative[one.label]
    both = np.isfinite(positive) & np.isfinite(negative)
    spread = _pooled(positive[both], negative[both])
    if not spread > 0:
        return ()
    margins = np.where(both, oriented(one, negative) - oriented(one, positive), 0.0) / spread
    worst = np.argsort(-margins, kind="stable")[:_WORST]
    return tuple(
        WrongTriplet(
            read.names[i],
            read.problems[i],
            float(positive[i]),
            float(negative[i]),
            float(margins[i]),
        )
        for i in worst
        if margins[i] > 0
    )


def _leaks(read: _Read) -> dict[int, list[Leak]]:
    """The leaks of each triplet that has any, by its position."""
    found: dict[int, list[Leak]] = defaultdict(list)
    right: dict[tuple[str | None, str], tuple[int, str]] = {}
    for i, notes in enumerate(read.notes):
        name, problem = read.names[i], read.problems[i]
        for role, note in zip(ROLES, notes, strict=True):
            if "copy" in note:
                roles = f"anchor and {role}"
                leak = Leak(name, problem, roles, note["copy_similarity"], note["copy"])
                found[i].append(leak)
        for role, key in (
            ("positive", notes[0].get("key")),
            ("anchor", notes[0].get("anchor_key")),
        ):
            if key is not None:
                right.setdefault((problem, key), (i, role))
    for i, (_, note) in enumerate(read.notes):
        at = right.get((read.problems[i], note.get("key", "")))
        # A text that is wrong here and right elsewhere; a copy of the anchor is already listed.
        if at is not None and not any(one.roles == f"{at[1]} and negative" for one in found[i]):
            place, role = at
            elsewhere = None if place == i else read.names[place]
            roles = f"{role} and negative"
            found[i].append(Leak(read.names[i], read.problems[i], roles, 1.0, "copy", elsewhere))
    return {i: leaks for i, leaks in found.items() if leaks}
