"""Comparing the submissions of a class: which pairs of students share unusually much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.measures.kin import FeatureRows, FeatureVector, feature_rows, whole_weights
from codekin.scan.scanned_files import LeftOutFile
from codekin.scan.submission_features import (
    ClassCode,
    ClassFeatures,
    FeatureCounts,
    FeatureRarity,
    TooManyEdgesError,
)
from codekin.scan.submission_files import (
    ReadingLimits,
    StudentCode,
    first_reasons,
    known_date,
    read_class,
    read_dates,
    read_template,
    student_of,
)
from codekin.scan.submission_result import (
    AbsentStudent,
    Student,
    SubmissionGroup,
    SubmissionPair,
    Submissions,
    UnusualPairs,
)
from codekin.source import Source

__all__ = ["LEVEL", "compare_submissions"]

LEVEL = 5.0
"""The default of how unusual a suspicious pair is."""
_LIMITS = ReadingLimits()
_FEWEST = 5
"""Students from which on it is known what is unusual in a class."""
_MOST_STUDENTS = 10_000
"""Students that are compared; every pair takes a hundred bytes."""
_MOST_PAIRS = 10_000
"""Pairs that a result lists, beyond the suspicious ones."""
_TO_DEVIATION, _MEAN_TO_DEVIATION = 1.4826, 1.2533
"""A normal distribution's standard deviation, by its median and its mean absolute deviation."""

_ONLY_TEMPLATE = "has nothing but the template"
_REASONS = ("nothing but the template", "not readable", "a link", "empty", "no code")
"""Why nothing of a student was compared, the most telling first."""

_MOST_BINS = 60
"""Bins of the distribution of how unusual pairs are."""

Ids = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
SubmissionProgress = Callable[[int, int], None]
"""Called with the number of students whose code was analysed, and of all students."""


def compare_submissions(
    folder: str | Path,
    *,
    template: str | Path | None = None,
    level: float = LEVEL,
    max_bytes: int = _LIMITS.max_bytes,
    max_student_bytes: int = _LIMITS.student_bytes,
    max_class_bytes: int = _LIMITS.class_bytes,
    dates: str | Path | Mapping[str, str] | None = None,
    report: SubmissionProgress | None = None,
) -> Submissions:
    """Rank pairs of students by how unusually much code they share.

    A pair's score is the share of the lighter program's features that the other has, too: kin's
    containment, with features that mirrored comparisons, negated conditions and updates written
    differently do not change. The more students have a feature, the less it weighs. Programs in
    different languages are compared as well. A high score is not a proof: read the code.

    Parameters
    ----------
    folder : str or Path
        Has a file, a folder or a zip file per student. May be a zip file itself.
    template : str or Path, optional
        Starter code, which is not counted: a file, a folder or a zip file.
    level : float
        How unusual a suspicious pair is, in robust standard deviations.
    max_bytes : int
        Longer files are left out.
    max_student_bytes, max_class_bytes : int
        Students with more bytes of code are not compared, nor those with whom the class has more. A
        file counts as 1,000 bytes at least.
    dates : str or Path or mapping of str to str, optional
        When students handed in: a CSV file with the columns ``student`` and ``date``, or a date for
        each student; default: the dates of files in zip files.
    report : callable, optional
        Called with the progress.

    Returns
    -------
    Submissions

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from codekin.whole_files import whole_file
    >>> anna = "def f(a, n):\\n  i = 0\\n  while i < n:\\n    a[i] *= 3\\n    i += 1\\n"
    >>> ben = "def g(b, m):\\n  k = 0\\n  while m > k:\\n    b[k] *= 3\\n    k = k + 1\\n"
    >>> carl = "def f(a, n):\\n  return [3 * x for x in a[:n]]\\n"
    >>> texts = {"anna": anna, "ben": ben, "carl": carl}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in texts.items():
    ...         with whole_file(Path(folder, f"{name}.py")) as stream:
    ...             _ = stream.write(text.encode())
    ...     found = compare_submissions(folder)
    >>> [(pair.first, pair.second, round(pair.score, 1)) for pair in found.pairs[:1]]
    [('anna', 'ben', 1.0)]
    >>> region = found.evidence("anna", "ben").regions[0]
    >>> str(region.first), str(region.second)
    ('anna.py:1-5', 'ben.py:1-5')
    """
    if not level > 0:
        raise CodekinError(f"submissions: the limit of suspicion must be positive, not {level:g}")
    limits = ReadingLimits(max_bytes, max_student_bytes, max_class_bytes)
    starter = FeatureCounts({}, {})
    given: Sequence[Source] = ()
    left_out: list[LeftOutFile] = []
    if template is not None:
        texts, left_out = read_template(template, limits)
        given = [_unread(source) for _, source in texts]
        starter = _starter_features(template, texts, left_out)
    dated = _given_dates(dates)
    submitted, more, refused = read_class(folder, limits)
    if len(submitted) > _MOST_STUDENTS:
        raise CodekinError(
            f"{folder}: has {len(submitted):,} students; at most {_MOST_STUDENTS:,} are compared"
        )
    left_out = [*left_out, *more]
    everyone = frozenset(code.student for code in submitted)
    reader = ClassFeatures((source for code in submitted for _, source in code.sources), left_out)
    kept: list[StudentCode] = []
    sets: list[tuple[Ids, npt.NDArray[np.uint8]]] = []
    for code, features, ordinals in _analysed(submitted, reader, starter, refused, report):
        if len(features):
            sets.append((features, ordinals))
            kept.append(code)
        elif code.student not in refused:
            reason = _ONLY_TEMPLATE if template is not None else "has no code"
            left_out.append(LeftOutFile(code.student, "ignored", reason))
    left_out.sort(key=lambda file: file.path)
    students = tuple(_student(code, dated) for code in kept)
    if dated is not None and students and not any(one.dates for one in students):
        where = "the given dates" if isinstance(dates, Mapping) else dates
        raise CodekinError(
            f"{where}: has no date of a student of this class; students are called as their files "
            f"and folders are, such as {students[0].name}"
        )
    known_dates = "given" if dated is not None else "zip"
    if len({one.dates for one in students}) < 2:  # such as the time of a download
        students, known_dates = tuple(replace(one, dates=()) for one in students), ""
    _check_class(folder, students, left_out)
    above = _above(Path(folder).as_posix(), kept[0])
    absent = _absent(above, students, everyone, left_out, refused)
    rarity = FeatureRarity.of((features for features, _ in sets), len(sets))
    pairs, number, distribution = _ranked_pairs(
        feature_rows(_vectors(sets, rarity)), [code.student for code in kept], level
    )
    return Submissions(
        pairs=pairs,
        groups=_groups(pairs, {one.name: one.dates for one in students}),
        students=students,
        all_pairs=number,
        level=level,
        known_class=len(students) >= _FEWEST,
        template=template is not None,
        left_out=tuple(left_out),
        dates=known_dates,
        distribution=distribution,
        absent=absent,
        unknown_dates=tuple(sorted(set(dated or ()) - everyone - {one.name for one in absent})),
        unparsed=tuple(sorted(reader.unparsed)),
        code=ClassCode(
            above,
            everyone | refused.keys(),
            tuple(kept),
            rarity,
            starter,
            tuple(given),
        ),
    )


def _analysed(
    submitted: list[StudentCode],
    reader: ClassFeatures,
    starter: FeatureCounts,
    refused: dict[str, str],
    report: SubmissionProgress | None,
) -> Iterator[tuple[StudentCode, Ids, npt.NDArray[np.uint8]]]:
    """Students with their features, one at a time; their syntax trees and graphs are dropped.

    Those whose code takes too long have no features, and are added to the refused.
    """
    count = len(submitted)
    submitted.reverse()
    while submitted:
        code = submitted.pop()  # with its syntax trees and graphs
        counts = FeatureCounts({}, {})
        try:
            counts = reader.of(code.sources)
        except TooManyEdgesError as error:
            refused[code.student] = str(error)
        sources = tuple((name, _unread(source)) for name, source in code.sources)
        yield replace(code, sources=sources), *counts.without(starter).numbered()
        if report is not None:
            report(count - len(submitted), count)


def _starter_features(
    template: str | Path, texts: Sequence[tuple[str, Source]], left_out: list[LeftOutFile]
) -> FeatureCounts:
    try:
        return ClassFeatures((), left_out).of(texts)
    except TooManyEdgesError as error:
        raise CodekinError(f"{template}: the template is not read: {error}") from None


def _above(folder: str, code: StudentCode) -> str:
    """The path of the folder with the students, which a zip file may have in another folder."""
    below = code.sources[0][0].removeprefix(folder).lstrip("/")
    return folder if below.startswith(code.student) else f"{folder}/{below.split('/')[0]}"


def _absent(
    folder: str,
    students: Sequence[Student],
    everyone: frozenset[str],
    left_out: Sequence[LeftOutFile],
    refused: Mapping[str, str],
) -> tuple[AbsentStudent, ...]:
    """The students of whom nothing was compared, for whatever reason.

    Parameters
    ----------
    folder : str
    students : sequence of Student
        Who was compared.
    everyone : frozenset of str
        Who has at least some text.
    left_out : sequence of LeftOutFile
    refused : mapping of str to str
        The reasons of those with too much to read.
    """
    reasons: dict[str, set[str]] = {}
    for one in left_out:
        if one.path.split("/")[0] in everyone and one.reason == _ONLY_TEMPLATE:
            reasons.setdefault(one.path.split("/")[0], set()).add("nothing but the template")
        elif name := student_of(folder, one):
            what = "empty" if one.reason in ("is empty", "is an empty folder") else "no code"
            what = "a link" if one.reason == "is a link" else what
            what = "not readable" if one.kind == "unreadable" else what
            reasons.setdefault(name, set()).add(what)
    compared = {one.name for one in students}
    why = {
        name: next(reason for reason in _REASONS if reason in reasons[name])
        for name in reasons.keys() - compared
    } | dict(refused)
    return tuple(AbsentStudent(name, why[name]) for name in sorted(why))


def _unread(source: Source) -> Source:
    """A source without its syntax tree and graph."""
    return Source(source.text, source.language)


def _given_dates(
    dates: str | Path | Mapping[str, str] | None,
) -> Mapping[str, Sequence[str]] | None:
    if isinstance(dates, Mapping):
        where = "submissions: dates"
        return {student: [known_date(date, where)] for student, date in dates.items()}
    return None if dates is None else read_dates(dates)


def _student(code: StudentCode, dated: Mapping[str, Sequence[str]] | None) -> Student:
    sources = [source for _, source in code.sources]
    if dated is not None:
        dates = tuple(dated.get(code.student, ()))
    else:
        dates = (code.date,) if code.date else ()
    return Student(
        code.student,
        len(sources),
        sum(len(source.text.splitlines()) for source in sources),
        tuple(sorted({source.language.name for source in sources})),
        dates,
    )


def _check_class(
    folder: str | Path, students: Sequence[Student], left_out: Sequence[LeftOutFile]
) -> None:
    if len(students) > 1:
        return
    skipped = f" Skipped: {first_reasons(left_out)}." if left_out else ""
    who = f"only {students[0].name} has code" if students else "no student has code"
    raise CodekinError(
        f"{folder}: {who}, so there is nothing to compare; put one file, folder or zip file per "
        f"student into the folder.{skipped}"
    )


def _vectors(
    sets: Sequence[tuple[Ids, npt.NDArray[np.uint8]]], rarity: FeatureRarity
) -> list[FeatureVector]:
    """The features of students, weighted by how few of them have each."""
    vectors = []
    for features, ordinals in sets:
        weights = whole_weights(rarity.weights(features) / ordinals.astype(np.float64) ** 2)
        vectors.append(FeatureVector(features, weights, (int(weights.sum(dtype=np.int64)),)))
    return vectors


def _ranked_pairs(
    rows: FeatureRows, names: Sequence[str], level: float
) -> tuple[tuple[SubmissionPair, ...], int, UnusualPairs | None]:
    shared = rows.all_shared()
    scores = shared / np.minimum(rows.totals[:, None], rows.totals[None, :])
    left, right = np.triu_indices(len(names), 1)
    values = scores[left, right]
    known = len(names) >= _FEWEST
    unusual = _unusual(scores, left, right) if known else values
    below = np.searchsorted(np.sort(unusual), unusual, side="left") / len(unusual)
    order = np.lexsort((right, left, -values, -unusual))
    suspicious = known & (unusual[order] >= level)
    pairs = []
    for place in order[: max(_MOST_PAIRS, int(suspicious.sum()))].tolist():
        i, j = int(left[place]), int(right[place])
        pairs.append(
            SubmissionPair(
                first=names[i],
                second=names[j],
                score=float(values[place]),
                first_share=float(shared[i, j] / rows.totals[i]),
                second_share=float(shared[i, j] / rows.totals[j]),
                unusual=float(unusual[place]) if known else None,
                quantile=float(below[place]),
                suspicious=bool(known and unusual[place] >= level),
            )
        )
    return tuple(pairs), len(values), _distribution(unusual, level) if known else None


def _distribution(unusual: Floats, level: float) -> UnusualPairs:
    """How many pairs are how unusual, in bins of a round width."""
    low, high = min(float(unusual.min()), level), max(float(unusual.max()), level)
    width = 0.25
    while (high - low) / width > _MOST_BINS - 2:
        width *= 2
    below = int(np.ceil((level - low) / width))
    bins = below + int((high - level) / width) + 1
    places = np.clip(np.floor((unusual - level) / width).astype(np.int64) + below, 0, bins - 1)
    counts = np.bincount(places, minlength=bins)
    return UnusualPairs(level - below * width, width, tuple(counts.tolist()))


def _unusual(scores: Floats, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp]) -> Floats:
    """How far the score of each pair is above what is usual for these two, in deviations.

    Usual is the mean of the median scores of the two students with all others. The deviation is
    estimated from the median absolute one, or from the mean where most are zero.
    """
    others = scores.copy()
    np.fill_diagonal(others, np.nan)
    usual = np.nanmedian(others, axis=1)
    above = scores[left, right] - (usual[left] + usual[right]) / 2
    above -= np.median(above)
    deviation = _TO_DEVIATION * np.median(np.abs(above))
    if deviation < 1e-9:
        deviation = max(_MEAN_TO_DEVIATION * np.mean(np.abs(above)), 1e-9)
    return np.asarray(above / deviation)


def _groups(
    pairs: Sequence[SubmissionPair], dates: Mapping[str, Sequence[str]]
) -> tuple[SubmissionGroup, ...]:
    """Students that suspicious pairs connect, the largest group first."""
    group_of: dict[str, set[str]] = {}
    for pair in pairs:
        if pair.suspicious:
            one = group_of.setdefault(pair.first, {pair.first})
            two = group_of.setdefault(pair.second, {pair.second})
            if one is not two:
                one |= two
                group_of.update(dict.fromkeys(two, one))
    groups = {tuple(sorted(members)) for members in group_of.values()}
    linked = Counter(tuple(sorted(group_of[one.first])) for one in pairs if one.suspicious)
    ranked = sorted(groups, key=lambda one: (-len(one), one))
    return tuple(
        SubmissionGroup(number, members, linked[members], _earliest(members, dates))
        for number, members in enumerate(ranked, 1)
    )


def _earliest(members: Sequence[str], dates: Mapping[str, Sequence[str]]) -> str | None:
    """Who of a group handed in first, if that is known."""
    if not all(dates[name] for name in members):
        return None
    one, two, *_ = sorted((dates[name][0], name) for name in members)
    return one[1] if one[0] < two[0] else None
