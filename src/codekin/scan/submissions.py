"""Comparing the submissions of a class: which pairs of students share unusually much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np

from codekin.errors import CodekinError
from codekin.scan.scanned_files import LeftOutFile
from codekin.scan.submission_dates import known_date, normal, read_dates
from codekin.scan.submission_evidence import MOST_OF_GROUP, EvidenceReader, shared_code
from codekin.scan.submission_features import (
    ClassCode,
    ClassFeatures,
    FeatureCounts,
    FeatureRarity,
    ProgramFeatures,
    TooManyEdgesError,
)
from codekin.scan.submission_files import (
    ReadingLimits,
    StudentCode,
    SubmittedClass,
    below,
    first_reasons,
    read_class,
    read_template,
    student_of,
)
from codekin.scan.submission_ranking import (
    FEWEST,
    LITTLE,
    MOST_FILES,
    USUAL,
    FeatureSet,
    ranked_pairs,
    weighted_rows,
)
from codekin.scan.submission_result import (
    AbsentStudent,
    Student,
    SubmissionGroup,
    SubmissionPair,
    Submissions,
)
from codekin.source import Source

__all__ = ["LEVEL", "compare_submissions"]

LEVEL = 5.0
"""The default of how unusual a suspicious pair is."""
_LIMITS = ReadingLimits()
_MOST_STUDENTS = 10_000
"""Students that are compared; every pair takes a hundred bytes."""

_MOST_SHARED = 10_000_000
"""Characters of the programs of pairs up to which groups say what code they share."""

_ONLY_TEMPLATE = "has nothing but the template"
_TOO_LITTLE = "has too little of its own to compare"
_REASONS = (
    *("nothing but the template", "too little of its own to compare", "not readable", "a link"),
    *("empty", "not code", "no code"),
)
"""Why nothing of a student was compared, the most telling first."""

Paths = str | Path | Sequence[str | Path]
SubmissionProgress = Callable[[int, int], None]
"""Called with the number of students whose code was analysed, and of all students."""


def compare_submissions(
    folder: Paths,
    *,
    template: Paths | None = None,
    old: Paths | None = None,
    level: float = LEVEL,
    max_bytes: int = _LIMITS.max_bytes,
    max_student_bytes: int = _LIMITS.student_bytes,
    max_class_bytes: int = _LIMITS.class_bytes,
    dates: Paths | Mapping[str, str] | None = None,
    report: SubmissionProgress | None = None,
) -> Submissions:
    """Rank pairs of students by how unusually much code they share.

    A pair's score is the share of the lighter program's features that the other has, too: kin's
    containment, with features that mirrored comparisons, negated conditions and updates written
    differently do not change. The more students have a feature, the less it weighs. Programs in
    different languages are compared as well. If students have several files, a pair is as unusual
    as its programs or its two most alike files, whichever is more. A high score is not a proof:
    read the code.

    Parameters
    ----------
    folder : str, Path or sequence of them
        Has a file, a folder or an archive per student. May be an archive itself. Who is in several
        is one student.
    template : str, Path or sequence of them, optional
        Starter code, which is not counted: files, folders or archives.
    old : str, Path or sequence of them, optional
        Submissions of earlier years, each like `folder`. They are compared with the class, but not
        with each other, and do not say what is common or usual.
    level : float
        How unusual a suspicious pair is, in robust standard deviations.
    max_bytes : int
        Longer files are left out.
    max_student_bytes, max_class_bytes : int
        Students with more bytes of code are not compared, nor those with whom the class has more. A
        file counts as 1,000 bytes at least.
    dates : str, Path, sequence of them, or mapping of str to str, optional
        When students handed in: CSV files with the columns ``student`` and ``date``, or a date for
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
    left_out: list[LeftOutFile] = []
    texts = _starter_code(_paths(template, "template"), limits, left_out)
    starter = _starter_features(texts, left_out)
    dated = _given_dates(dates)
    folders = _paths(folder, "submissions")
    submitted = read_class(folders, limits)
    classes = [submitted, *_old_classes(folders, _paths(old, "old"), limits)]
    number = sum(len(read.students) for read in classes)
    if number > _MOST_STUDENTS:
        where = ", ".join(map(str, folders))
        raise CodekinError(
            f"{where}: has {number:,} students; at most {_MOST_STUDENTS:,} are compared"
        )
    left_out += [file for read in classes for file in read.left_out]
    refused = {name: reason for read in classes for name, reason in read.refused.items()}
    everyone = frozenset(code.student for code in submitted.students)
    reader = ClassFeatures(
        (source for read in classes for code in read.students for _, source in code.sources),
        left_out,
    )
    programs: list[_Program] = []
    codes = [code for read in classes for code in read.students]
    submitted.students.clear()  # their syntax trees and graphs are dropped one by one
    for program in _analysed(codes, reader, starter, refused, report):
        if len(program.features[0]):
            programs.append(program)
        elif program.code.student not in refused:
            reason = _ONLY_TEMPLATE if texts else "has no code"
            left_out.append(LeftOutFile(program.code.student, "ignored", reason))
    of_class = [program for program in programs if program.code.student in everyone]
    left_out.sort(key=lambda file: file.path)
    _check_class(
        folders, [program.code.student for program in of_class], left_out, submitted.doubts
    )
    rarity = FeatureRarity.of((program.features[0] for program in of_class), len(of_class))
    programs = _with_enough(programs, everyone, rarity, left_out)
    left_out.sort(key=lambda file: file.path)
    kept = [program.code for program in programs]
    students = tuple(_student(code, dated) for code in kept if code.student in everyone)
    if dated is not None and students and not any(one.dates for one in students):
        where = "the given dates" if isinstance(dates, Mapping) else _listed(_paths(dates, "dates"))
        raise CodekinError(
            f"{where}: has no date of a student of this class; students are called as their files "
            f"and folders are, such as {students[0].name}"
        )
    known_dates = "given" if dated is not None else "zip"
    if len({one.dates for one in students}) < 2:  # such as the time of a download
        students, known_dates = tuple(replace(one, dates=()) for one in students), ""
    absent = _absent(submitted.folders, students, everyone, left_out, refused)
    files = _files(programs)
    ranked = ranked_pairs(
        weighted_rows([program.features for program in programs], rarity),
        [code.student for code in kept],
        len(students),
        level,
        files if len(files) <= MOST_FILES else (),
        rarity,
    )
    above = tuple(path for read in classes for path in read.folders)
    code = ClassCode(
        above,
        frozenset(code.student for code in codes) | everyone | refused.keys(),
        tuple(kept),
        rarity,
        starter,
        tuple(_unread(source) for _, source in texts),
    )
    pairs = tuple(_with_shown_files(pair, code) for pair in ranked.pairs)
    dates_of = {one.name: one.dates for one in students}
    return Submissions(
        pairs=pairs,
        groups=_groups(pairs, dates_of, code),
        students=students,
        all_pairs=ranked.number,
        level=level,
        known_class=len(students) >= FEWEST,
        template=bool(texts),
        left_out=tuple(left_out),
        dates=known_dates,
        distribution=ranked.distribution,
        absent=absent,
        unknown_dates=tuple(sorted(set(dated or ()) - everyone - {one.name for one in absent})),
        unparsed=tuple(sorted(reader.unparsed)),
        old=tuple(_student(code, None) for code in kept if code.student not in everyone),
        in_several=submitted.in_several,
        doubts=(*(doubt for read in classes for doubt in read.doubts), *_too_many_files(files)),
        code=code,
    )


def _with_shown_files(pair: SubmissionPair, code: ClassCode) -> SubmissionPair:
    if pair.first_file is None or pair.second_file is None:
        return pair
    first, second = code.shown(pair.first_file), code.shown(pair.second_file)
    return replace(pair, first_file=first, second_file=second)


def _paths(given: Paths | Mapping[str, str] | None, what: str) -> list[str | Path]:
    """The paths that were given, each once."""
    if given is None or isinstance(given, Mapping):
        return []
    paths = [given] if isinstance(given, str | PathLike) else list(given)
    for path, count in Counter(Path(path).resolve() for path in paths).items():
        if count > 1:
            raise CodekinError(f"submissions: {path} is given twice as {what}")
    return paths


def _listed(paths: Sequence[str | Path]) -> str:
    return ", ".join(map(str, paths))


def _old_classes(
    folders: Sequence[str | Path], old: Sequence[str | Path], limits: ReadingLimits
) -> list[SubmittedClass]:
    _paths([*folders, *old], "submissions and old")
    return [_old_class(path, limits) for path in old]


def _old_class(path: str | Path, limits: ReadingLimits) -> SubmittedClass:
    """Old submissions, whose students are named after their folder, too."""
    read = read_class([path], limits)
    if not read.students and not read.refused:
        named = f": {first_reasons(read.left_out)}" if read.left_out else ""
        raise CodekinError(f"{path}: has no old submissions with code{named}")
    year = normal(Path(path).resolve().stem if Path(path).is_file() else Path(path).resolve().name)
    students = [replace(code, student=f"{year}/{code.student}") for code in read.students]
    refused = {f"{year}/{name}": reason for name, reason in read.refused.items()}
    return replace(read, students=students, refused=refused)


@dataclass(frozen=True, eq=False)
class _Program:
    """The code of a student with its features, and those of its files; without starter code."""

    code: StudentCode
    features: FeatureSet
    files: tuple[tuple[str, FeatureSet], ...]


def _analysed(
    submitted: list[StudentCode],
    reader: ClassFeatures,
    starter: FeatureCounts,
    refused: dict[str, str],
    report: SubmissionProgress | None,
) -> Iterator[_Program]:
    """Students with their features, one at a time; their syntax trees and graphs are dropped.

    Those whose code takes too long have no features, and are added to the refused.
    """
    count = len(submitted)
    submitted.reverse()
    while submitted:
        code = submitted.pop()  # with its syntax trees and graphs
        features = ProgramFeatures(FeatureCounts({}, {}), {})
        try:
            features = reader.of(code.sources)
        except TooManyEdgesError as error:
            refused[code.student] = str(error)
        sources = tuple((name, _unread(source)) for name, source in code.sources)
        yield _Program(
            replace(code, sources=sources),
            features.whole.without(starter).numbered(),
            tuple(
                (name, counts.without(starter).numbered())
                for name, counts in features.files.items()
            ),
        )
        if report is not None:
            report(count - len(submitted), count)


def _with_enough(
    programs: Sequence[_Program],
    everyone: frozenset[str],
    rarity: FeatureRarity,
    left_out: list[LeftOutFile],
) -> list[_Program]:
    """Programs that do not consist of what the class has in common; the others are left out.

    What all have weighs next to nothing, and who has little else is found in everybody's program.
    """
    totals = weighted_rows([program.features for program in programs], rarity).totals
    of_class = np.array([program.code.student in everyone for program in programs], bool)
    if int(of_class.sum()) < FEWEST:
        return list(programs)
    least = LITTLE * np.quantile(totals[of_class], USUAL)
    enough = totals >= least
    for program, has_enough in zip(programs, enough.tolist(), strict=True):
        if not has_enough:
            left_out.append(LeftOutFile(program.code.student, "ignored", _TOO_LITTLE))
    return [program for program, has_enough in zip(programs, enough, strict=True) if has_enough]


def _files(programs: Sequence[_Program]) -> list[tuple[int, str, FeatureSet]]:
    """The files of all students, by student; none if nobody has several."""
    files = [
        (owner, name, features)
        for owner, program in enumerate(programs)
        for name, features in program.files
        if len(features[0])
    ]
    return files if len(files) > len({owner for owner, _, _ in files}) else []


def _too_many_files(files: Sequence[object]) -> list[str]:
    if len(files) <= MOST_FILES:
        return []
    return [
        f"The class has {len(files):,} files; more than {MOST_FILES:,} are not compared file by "
        "file, so a copy of one file of many may be missed: compare one exercise at a time."
    ]


def _starter_code(
    paths: Sequence[str | Path], limits: ReadingLimits, left_out: list[LeftOutFile]
) -> list[tuple[str, Source]]:
    texts: list[tuple[str, Source]] = []
    for path in paths:
        mine, more = read_template(path, limits)
        texts += mine
        left_out += more
    return texts


def _starter_features(
    texts: Sequence[tuple[str, Source]], left_out: list[LeftOutFile]
) -> FeatureCounts:
    try:
        return ClassFeatures((), left_out).of(texts).whole
    except TooManyEdgesError as error:
        raise CodekinError(f"submissions: the template is not read: {error}") from None


def _absent(
    folders: Sequence[str],
    students: Sequence[Student],
    everyone: frozenset[str],
    left_out: Sequence[LeftOutFile],
    refused: Mapping[str, str],
) -> tuple[AbsentStudent, ...]:
    """The students of whom nothing was compared, for whatever reason.

    Parameters
    ----------
    folders : sequence of str
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
        if one.path in everyone and one.reason in (_ONLY_TEMPLATE, _TOO_LITTLE):
            reasons.setdefault(one.path, set()).add(one.reason.removeprefix("has "))
        elif name := student_of(folders, one):
            what = "empty" if one.reason in ("is empty", "is an empty folder") else "no code"
            alone = "/" not in below(folders, one.path)[1]
            what = "not code" if alone and one.reason == "is not known to be code" else what
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


def _given_dates(dates: Paths | Mapping[str, str] | None) -> Mapping[str, Sequence[str]] | None:
    if isinstance(dates, Mapping):
        where = "submissions: dates"
        return {normal(student): [known_date(date, where)] for student, date in dates.items()}
    read = [read_dates(path) for path in _paths(dates, "dates")]
    every = {student for mine in read for student in mine}
    return (
        {name: sorted(date for mine in read for date in mine.get(name, ())) for name in every}
        if read
        else None
    )


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
    folders: Sequence[str | Path],
    students: Sequence[str],
    left_out: Sequence[LeftOutFile],
    doubts: Sequence[str],
) -> None:
    if len(students) > 1:
        return
    skipped = f" Skipped: {first_reasons(left_out)}." if left_out else ""
    who = f"only {students[0]} has code" if students else "no student has code"
    raise CodekinError(
        f"{_listed(folders)}: {who}, so there is nothing to compare; put one file, folder or "
        f"archive per student into the folder.{skipped}{''.join(f' {doubt}' for doubt in doubts)}"
    )


def _groups(
    pairs: Sequence[SubmissionPair], dates: Mapping[str, Sequence[str]], code: ClassCode
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
    linked: dict[tuple[str, ...], list[SubmissionPair]] = {members: [] for members in groups}
    for pair in pairs:
        if pair.suspicious:
            linked[tuple(sorted(group_of[pair.first]))].append(pair)
    ranked = sorted(groups, key=lambda one: (-len(one), one))
    reader, room = EvidenceReader(code), _MOST_SHARED
    sizes = {
        mine.student: sum(len(text.text) for _, text in mine.sources) for mine in code.students
    }
    found = []
    for number, members in enumerate(ranked, 1):
        links = linked[members]
        room -= sum(sizes[pair.first] + sizes[pair.second] for pair in links[:MOST_OF_GROUP])
        shared = shared_code(reader, links) if room > 0 else None
        found.append(
            SubmissionGroup(number, members, len(links), _earliest(members, dates), shared)
        )
    return tuple(found)


def _earliest(members: Sequence[str], dates: Mapping[str, Sequence[str]]) -> str | None:
    """Who of a group handed in first, if that is known."""
    if not all(dates.get(name) for name in members):  # old submissions have none
        return None
    one, two, *_ = sorted((dates[name][0], name) for name in members)
    return one[1] if one[0] < two[0] else None
