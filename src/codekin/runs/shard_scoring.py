"""Scoring one shard: the work that every executor runs."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codekin.errors import CodekinError
from codekin.languages import languages
from codekin.measures import CorpusMeasure, Measure
from codekin.represent.text.detection import detect_language
from codekin.runs.answers import EMPTY, MISSING, NO_CODE, read_answer
from codekin.runs.row import Row, language_named, read_row
from codekin.runs.rows import Record, Shard
from codekin.runs.settings import RowTexts, RowView, Settings
from codekin.runs.shard_table import ScoreColumns, file_bytes, shard_table
from codekin.runs.workers import TRIES, Death, Marker, Work
from codekin.source import Source

__all__ = [
    "RecentSources",
    "ScoredShard",
    "ShardScorer",
    "detect_language_of",
    "score_shard",
    "scoring_work",
]

_Key = tuple[str, str | None]

_ALWAYS_PARSED = 1000
_PARSED_EVERY = 10
"""Without a measure that needs trees, the first rows are parsed, and then one of this many."""

_LONGEST_PARSED = 100_000
"""Longer texts are not parsed for the sake of the parse rate alone."""

_READING = 1 << 40
"""Added to the number of a record while a view reads it, before its rows are known."""


@dataclass(frozen=True)
class ScoredShard:
    """A shard as it is written to the run.

    Attributes
    ----------
    index : int
    rows : int
    failed : int
        Rows that lack a score by any measure.
    data : bytes
        The Parquet file.
    """

    index: int
    rows: int
    failed: int
    data: bytes


def scoring_work(settings: Settings) -> Work:
    """The scoring of shards, for workers."""
    name = f"{ShardScorer.__module__}:{ShardScorer.__qualname__}"
    return Work.of(name, settings, settings.measures)


class ShardScorer:
    """Scores one shard after the other, and keeps recent references."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._recent = RecentSources()

    def __call__(
        self,
        shard: Shard,
        lost: Mapping[int, Death] | None = None,
        mark: Marker = lambda row, seconds: None,
    ) -> ScoredShard:
        """Score a shard; see :class:`~codekin.runs.workers.Work`."""
        seconds = self._settings.max_seconds
        return score_shard(
            shard,
            self._settings,
            lost={row: _why_lost(death) for row, death in (lost or {}).items()},
            recent=self._recent,
            begin_row=lambda row: mark(row, seconds),
        )


def _why_lost(death: Death) -> str:
    if death.late:
        return "took longer than a row may (max_seconds)"
    return f"the process crashed on this row {TRIES} times ({death.manner})"


def score_shard(
    shard: Shard,
    settings: Settings,
    *,
    lost: Mapping[int, str] | None = None,
    recent: RecentSources | None = None,
    begin_row: Callable[[int], None] = lambda number: None,
) -> ScoredShard:
    """Score the rows of a shard by every measure.

    Parameters
    ----------
    shard : Shard
    settings : Settings
    lost : mapping of int to str, optional
        Rows of the shard, from 0, that must not be scored, and why: they killed their workers.
        Records that killed workers while a view read them have `_READING` added to their number.
    recent : RecentSources, optional
        References of earlier shards, which tend to recur.
    begin_row : callable
        Called with the number of each row in the shard before it is parsed or scored, and with
        -1 after the last.

    Notes
    -----
    Nothing here depends on time, on the process or on other shards, so a shard has the same bytes
    wherever and whenever it is scored.
    """
    rows = _read(shard, settings, lost or {}, begin_row)
    columns = {
        label: ScoreColumns(
            corpus=isinstance(one, CorpusMeasure),
            checked=not type(one).__module__.startswith("codekin."),
        )
        for label, one in zip(settings.labels, settings.measures, strict=True)
    }
    shows = settings.view is None
    parsed = any(one.uses_tree() for one in settings.measures)
    plan = list(zip(settings.measures, columns.values(), strict=True))
    sources = RowSources(rows, recent or RecentSources())
    failed = 0
    for i, row in enumerate(rows):
        begin_row(i)
        if row.problem is None:
            texts = sources.of(row)
            if settings.view is not None:
                _add_notes(row, settings.view, texts)
            missing = row.form == MISSING
            scored = sum(_score(one, texts, column, missing=missing) for one, column in plan)
            failed += scored < len(plan)
            if shows and row.language is not None and (parsed or _is_sampled(row.number)):
                row.parses = None if missing else _parse([texts.candidate])
                if row.form in (NO_CODE, EMPTY) and row.parses is not None:
                    row.parses = False  # no code at all parses, and is no program
                row.reference_parses = _parse(texts.references)
        else:
            failed += 1
            for _, column in plan:
                column.add_failure(None)
    begin_row(-1)
    table = shard_table(rows, columns, texts=settings.texts)
    note = {"shard": shard.index, "rows": len(rows), "failed": failed, "input": shard.digest()}
    return ScoredShard(shard.index, len(rows), failed, file_bytes(table, note))


def _read(
    shard: Shard, settings: Settings, lost: Mapping[int, str], begin_row: Callable[[int], None]
) -> list[Row]:
    """The rows of a shard with their languages, if these are needed."""
    detects = any(one.uses_language() for one in settings.measures)
    known: dict[str, str | None] = {}
    rows: list[Row] = []
    for i, record in enumerate(shard.records()):
        if settings.view is not None:
            begin_row(_READING + i)
            rows += _viewed(record, shard.first_row + i, settings, lost.get(_READING + i), known)
            continue
        row = read_row(record, shard.first_row + i, settings)
        row.problem = lost.get(i, row.problem)
        if row.problem is None:
            begin_row(i)
            if row.language is None and (detects or settings.prompt):
                detect_language_of(row, known, settings.guessed)
            read_answer(row, settings)
        rows.append(row)
    if settings.view is not None:
        for i, problem in lost.items():
            if i < _READING:
                rows[i].problem = problem
    return rows


def _viewed(
    record: Record,
    number: int,
    settings: Settings,
    problem: str | None,
    known: dict[str, str | None],
) -> Iterator[Row]:
    """The rows that a view makes from a record; one with the reason if that killed workers."""
    view = settings.view
    assert view is not None
    first = number * view.most
    if record.fields is None or problem is not None:
        yield Row(str(number + 1), first, f"{record.where}: {problem or record.problem}")
        return

    def detect(row: Row) -> None:
        if row.problem is None and row.language is None:
            detect_language_of(row, known)

    try:
        for row in view.rows(record, number, settings, detect):
            detect(row)
            yield row
    except MemoryError:
        raise
    except Exception as error:  # a bad record must not end the job; its reason is kept
        problem = f"{record.where}: cannot be read ({_reason(error)})"
        yield Row(str(number + 1), first + view.most - 1, problem)


def _add_notes(row: Row, view: RowView, texts: RowTexts) -> None:
    try:
        notes = view.notes(texts)
    except CodekinError:  # it cannot be parsed, as the measures report too
        return
    if notes:
        row.fields = json.dumps({**json.loads(row.fields), **notes}, sort_keys=True)


def _is_sampled(number: int) -> bool:
    """Whether a row is parsed for the sake of the parse rate, if no measure needs its tree."""
    return number < _ALWAYS_PARSED or number % _PARSED_EVERY == 0


def _parse(sources: Sequence[Source]) -> bool | None:
    """Whether texts parse; None for prose, and for long ones that nothing else parses."""
    known = [
        one
        for one in sources
        if "tree" in one.__dict__ or (len(one.text) <= _LONGEST_PARSED and not one.language.prose)
    ]
    if len(known) < len(sources):
        return None
    return not any(len(one.tree.errors) or len(one.tree.missing) for one in known)


def _score(one: Measure, texts: RowTexts, column: ScoreColumns, *, missing: bool = False) -> bool:
    """Add the score of a row to a column, or why there is none.

    A `missing` candidate, which is an empty text, is never similar to anything: even where its
    reference is empty, too, its similarity is 0.
    """
    try:
        if isinstance(one, CorpusMeasure) and not one.needs_origin:
            counts = one.statistics(texts.candidate, texts.references)
            value, parts = one.from_statistics(counts)
            cut = one.is_cut_short(texts.candidate, *texts.references)
            bounds = one.widest if cut and not missing else None
            value = 0.0 if missing and not one.distance else value
            column.add(value, parts, bounds, statistics=counts)
            return True
        if one.needs_origin and texts.origin is None:
            raise CodekinError("needs an origin, and the row has none")
        if len(texts.references) == 1:
            score = one.score(texts.candidate, texts.references[0], texts.origin)
        else:
            score = one.score(texts.candidate, origin=texts.origin, references=texts.references)
        low, high = score.bounds
        if missing and not one.distance:
            column.add(0.0, score.parts)
        else:
            column.add(score.value, score.parts, None if low == high else (low, high))
        return True
    except CodekinError as error:
        column.add_failure(str(error))
    except MemoryError:  # the process is to blame, not the row: another one may have room for it
        raise
    except (Exception, SystemExit) as error:  # a bad row must not end the job; its reason is kept
        column.add_failure(_reason(error))
    return False


def _reason(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # one that cannot even say what it is
        return type(error).__name__


class RecentSources:
    """Recent references, kept from shard to shard; scores do not depend on it.

    Parameters
    ----------
    characters : int
        How much text to keep. What a Source remembers takes about a hundred times as much.
    """

    def __init__(self, characters: int = 400_000) -> None:
        self._room = characters
        self._kept: OrderedDict[_Key, Source] = OrderedDict()

    def get(self, key: _Key) -> Source:
        """The Source of a text, made if it was not seen recently."""
        source = self._kept.pop(key, None)
        if source is None:
            source = _source_of(key)
            self._room -= len(key[0])
        self._kept[key] = source
        while self._room < 0 and self._kept:
            (text, _), _ = self._kept.popitem(last=False)
            self._room += len(text)
        return source


class RowSources:
    """The Sources of a shard's rows; a text that recurs is parsed once.

    Only texts that recur later in the shard are kept in memory; those from `recent` stay there for
    the next shard.
    """

    def __init__(self, rows: Sequence[Row], recent: RecentSources) -> None:
        self._recent = recent
        self._left: Counter[_Key] = Counter()
        self._kept: dict[_Key, Source] = {}
        for row in rows:
            if row.problem is None:
                self._left.update(_keys(row))

    def of(self, row: Row) -> RowTexts:
        """The Sources of a row that can be scored."""
        candidate, *others = _keys(row)
        made = [self._source(candidate, lasting=False)]
        made += [self._source(key, lasting=True) for key in others]
        origin = None if row.origin is None else made.pop()
        return RowTexts(made[0], tuple(made[1:]), origin)

    def _source(self, key: _Key, *, lasting: bool) -> Source:
        source = self._kept.pop(key, None)
        if source is None:
            source = self._recent.get(key) if lasting else _source_of(key)
        self._left[key] -= 1
        if self._left[key]:
            self._kept[key] = source
        return source


def _source_of(key: _Key) -> Source:
    text, name = key
    return Source(text, None if name is None else language_named(name))


def _keys(row: Row) -> list[_Key]:
    """The texts of a row with their languages: candidate, references, and origin if any."""
    assert row.candidate is not None
    assert row.references is not None
    keys: list[_Key] = [(row.candidate, row.language)]
    keys += [(text, row.reference_language) for text in row.references]
    if row.origin is not None:
        keys.append((row.origin, row.language))
    return keys


def detect_language_of(
    row: Row, known: dict[str, str | None], candidates: Sequence[str] = ()
) -> None:
    """Detect the language from all texts of the row; it stays None if that fails.

    Parameters
    ----------
    row : Row
    known : dict
        Languages of texts that were seen before; others are added.
    candidates : sequence of str
        The languages to choose from (default: all).

    Notes
    -----
    The prose of an answer may hide it. The candidate is therefore left out at a second try, or at
    the first one if it has a fence.
    """
    others = [row.prompt, *(row.references or ()), row.origin]
    tries = [[row.candidate, *others], others]
    if row.candidate and ("```" in row.candidate or "~~~" in row.candidate):
        tries.reverse()
    for texts in tries:
        evidence = "\n".join(text for text in texts if text and text.strip())
        if evidence not in known:
            try:
                language = detect_language(evidence, candidates or None) if evidence else None
                known[evidence] = (language or languages()[0]).name
            except CodekinError:
                known[evidence] = None
        row.language = known[evidence]
        if row.language is not None or not row.references or not "".join(row.references).strip():
            break
    row.reference_language = row.reference_language or row.language
