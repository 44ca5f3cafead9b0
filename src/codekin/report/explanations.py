"""Explanations for a report: what each measure says of why a row scores as it does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import Language, TokenClass
from codekin.measures import Measure, Score, Span
from codekin.measures.cssg import Cssg
from codekin.measures.graph_match import GraphMatch
from codekin.report.graph.pair import merge_graphs, merged_svg
from codekin.revisions.alignment import align_revisions
from codekin.revisions.alignment_view import view_of
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

__all__ = [
    "Explainers",
    "RowExplainer",
    "explain_row",
    "lost_row",
    "token_ink",
    "utf16_offsets",
    "workers_for",
]

_INK = {
    TokenClass.COMMENT: "c",
    TokenClass.DOCSTRING: "c",
    TokenClass.KEYWORD: "k",
    TokenClass.STRING: "s",
    TokenClass.CHARACTER: "s",
    TokenClass.INTEGER: "n",
    TokenClass.FLOAT: "n",
    TokenClass.BOOLEAN: "n",
    TokenClass.NULL: "n",
}
"""How the page prints the classes that it tells apart; all others are plain."""

_SAME = 1e-9
_MOST_NODES = 40
"""Of two graphs together, to be drawn; a picture of more takes tens of kilobytes."""
_MOST_REFERENCES, _MOST_ROWS, _CONTEXT = 4, 250, 3
"""Of a row with an origin: how many references, rows of lines, and lines around are shown."""


def explain_row(row: Mapping[str, Any], measures: Mapping[str, Measure | None]) -> dict[str, Any]:
    """Everything the page needs to show a row as its measures see it.

    Parameters
    ----------
    row : mapping
        A row of a run, with its texts.
    measures : mapping of str to (Measure or None)
        By label; None for one that cannot be made here.

    Returns
    -------
    dict
        ``ink`` of the candidate, of each reference and of the origin, and ``measures``: by label
        what the explanation says. Spans are triples of gap, length and level; ``ignored`` has those
        of what the measure does not compare. ``picture``, of a measure of graphs: both of them,
        where they are small. ``edits``, where there is an origin: against each of the first
        references, what was done to it.
    """
    language, other = row["language"], row["reference_language"]
    candidate = Source(row["candidate"], language)
    references = [Source(text, other) for text in row["references"]]
    origin = None if row["origin"] is None else Source(row["origin"], language)
    explained: dict[str, Any] = {
        "ink": [
            token_ink(candidate),
            [token_ink(one) for one in references],
            None if origin is None else token_ink(origin),
        ],
        "measures": {
            label: _explained(one, candidate, references, origin, row[label])
            for label, one in measures.items()
            if row[label] is not None
        },
    }
    if origin is not None:
        explained["edits"] = [
            _edits(origin, one, candidate) for one in references[:_MOST_REFERENCES]
        ]
    return explained


def _edits(origin: Source, reference: Source, candidate: Source) -> dict[str, Any]:
    """What the reference and the candidate did to the origin, as the page draws it."""
    try:
        aligned = align_revisions(candidate, reference, origin=origin)
    except CodekinError as error:
        return {"problem": str(error)}
    return view_of(aligned, context=_CONTEXT, most_rows=_MOST_ROWS).brief()


def _explained(
    one: Measure | None,
    candidate: Source,
    references: Sequence[Source],
    origin: Source | None,
    value: float,
) -> dict[str, Any]:
    if one is None:
        return _silence("this measure cannot be made from its name alone; report the run in Python")
    try:
        score = one.score(candidate, origin=origin, references=references)
        explained = _explained_score(score, references)
    except NotImplementedError:
        return _silence("this measure gives none")
    except Exception as error:  # a row that was scored elsewhere must not end the report
        return _silence(str(error) or type(error).__name__)
    if abs(score.value - value) > _SAME * max(1.0, abs(value)):
        explained["now"] = score.value
    return explained


def lost_row(row: Mapping[str, Any], labels: Iterable[str], why: str) -> dict[str, Any]:
    """What :func:`explain_row` would return, of a row that nobody could explain."""
    return {
        "ink": [[], [[] for _ in row["references"]], None if row["origin"] is None else []],
        "measures": {label: _silence(why) for label in labels if row[label] is not None},
    }


def _silence(why: str) -> dict[str, Any]:
    return {"summary": f"No explanation: {why}.", "details": [], "spans": [[], []], "reference": 0}


def _explained_score(score: Score, references: Sequence[Source]) -> dict[str, Any]:
    candidate, reference = score.pair
    why = score.measure._explain(candidate, reference, score.origin)
    explained: dict[str, Any] = {
        "summary": why.summary,
        "details": [list(detail) for detail in why.details],
        "spans": [
            _spans(why.candidate, why.candidate_text),
            _spans(why.reference, why.reference_text),
        ],
        "reference": next(i for i, source in enumerate(references) if source is reference),
        "signature": score.signature,
    }
    # A measure that expands macros speaks of another text than the one in the row.
    if why.candidate_text != candidate.text or why.reference_text != reference.text:
        explained["texts"] = [why.candidate_text, why.reference_text]
        explained["ink"] = [
            token_ink(Source(text, source.language))
            for text, source in zip(explained["texts"], (candidate, reference), strict=True)
        ]
    if score.measure.ignores_comments():
        explained["ignored"] = [
            _gaps(why.candidate_text, candidate.language),
            _gaps(why.reference_text, reference.language),
        ]
    if isinstance(score.measure, Cssg):
        explained |= _graphs(score.measure.match(candidate, reference))
    return explained


def _gaps(text: str, language: Language) -> list[float]:
    """What is between the tokens of code, as spans: comments, docstrings and line continuations."""
    tokens = Source(text, language).tokens_with(comments=False)
    characters = tokens.positions.characters
    starts = [*map(characters, tokens.starts.tolist()), len(text)]
    ends = [0, *map(characters, tokens.ends.tolist())]
    gaps = zip(ends, starts, strict=True)
    return _spans([Span(a, b) for a, b in gaps if text[a:b].strip()], text)


def _graphs(match: GraphMatch) -> dict[str, str]:
    """Both graphs drawn together, where the picture is small enough for a page of many."""
    merged = merge_graphs(match)
    if len(merged.graph) > _MOST_NODES or merged.notes:
        return {}
    return {"picture": merged_svg(merged, match, legend=True)}


def token_ink(source: Source) -> list[int | str]:
    """Gap, length and kind of its comments, keywords, strings and numbers."""
    try:
        tokens = source.tokens_with(comments=True)
    except CodekinError:  # a text whose language nobody knows is shown without ink
        return []
    offset, characters = utf16_offsets(source.text), tokens.positions.characters
    ink: list[int | str] = []
    last = 0
    for start, end, cls in zip(
        tokens.starts.tolist(), tokens.ends.tolist(), tokens.classes.tolist(), strict=True
    ):
        if cls in _INK and start < end:
            begin, until = offset(characters(start)), offset(characters(end))
            if begin >= last:
                ink += [begin - last, until - begin, _INK[cls]]
                last = until
    return ink


def _spans(spans: Sequence[Span], text: str) -> list[float]:
    """Gap, length and level of each span, one after the other."""
    offset = utf16_offsets(text)
    flat: list[float] = []
    last = 0
    for span in spans:
        begin, end = offset(span.start), offset(span.end)
        level = round(span.level, 3)
        flat += [begin - last, end - begin, int(level) if level in (0, 1) else level]
        last = end
    return flat


def utf16_offsets(text: str) -> Callable[[int], int]:
    """A function from an index into `text` to the index that JavaScript has for that place.

    Examples
    --------
    >>> utf16_offsets("a😀b")(2)
    3
    """
    if text.isascii():
        return lambda index: index
    wide = [i for i, character in enumerate(text) if ord(character) > 0xFFFF]
    return lambda index: index + bisect_left(wide, index)


RunRow = Mapping[str, Any]
Explanation = dict[str, Any]
Measures = Mapping[str, Measure | None]

_FEW = 100
"""Rows that are explained in this process sooner than a worker would have started."""
_BATCH = 20
_SECONDS = 120
_CHARACTERS = 100_000
"""A row may take `_SECONDS` of processor time, and as much again per `_CHARACTERS` of its texts."""


def workers_for(rows: int, workers: int | None) -> int:
    """How many workers explain the rows, where `workers` were asked for; 0 for this process."""
    if workers is None:
        return available_cores() if rows > _FEW else 0
    if isinstance(workers, bool) or workers < 0:
        raise CodekinError(f"report: workers must be a number from 0, not {workers!r}")
    return workers


class RowExplainer:
    """Explains batches of rows by the measures of a run."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures

    def work(self) -> Work | None:
        """The same in workers; None where the measures cannot be sent to them."""
        name = f"{RowExplainer.__module__}:{RowExplainer.__qualname__}"
        try:
            return Work.of(name, dict(self._measures), self._measures.values())
        except CannotSendError:
            return None

    def explain(self, rows: Iterable[RunRow]) -> Iterator[Explanation]:
        """The explanations of rows, by this process."""
        return (explain_row(row, self._measures) for row in rows)

    def __call__(
        self, rows: list[RunRow], lost: Mapping[int, Death], mark: Marker
    ) -> list[Explanation]:
        """Explain a batch in a worker; see :class:`~codekin.runs.workers.Work`."""
        explanations = []
        for i, row in enumerate(rows):
            if i in lost:
                explanations.append(lost_row(row, self._measures, _why_lost(lost[i])))
                continue
            length = sum(map(len, (row["candidate"], *row["references"], row["origin"] or "")))
            mark(i, _SECONDS * (1 + length // _CHARACTERS))
            explanations.append(explain_row(row, self._measures))
        return explanations


class Explainers:
    """Workers that explain rows; they end with the block.

    Parameters
    ----------
    workers : int
        How many; with 0 this process explains the rows itself, and a row may crash it.
    """

    def __init__(self, workers: int) -> None:
        self._pool = WorkerPool(workers) if workers else None

    def __enter__(self) -> Explainers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()

    def explain(self, rows: Iterable[RunRow], measures: Measures) -> Iterator[Explanation]:
        """Explain rows, in their order whichever is done first; a few batches are read ahead.

        Parameters
        ----------
        rows : iterable of mapping
            Rows of a run, with their texts.
        measures : mapping of str to (Measure or None)
            By label, as :func:`~codekin.report.explanations.explain_row` takes them.
        """
        explainer = RowExplainer(measures)
        work = None if self._pool is None else explainer.work()
        if self._pool is None or work is None:
            yield from explainer.explain(rows)
            return
        remaining = iter(rows)
        batches = iter(lambda: list(islice(remaining, _BATCH)), [])
        for batch, future in self._pool.map(work, batches):
            try:
                yield from future.result()
            except WorkError:  # the workers cannot load a measure that this process has
                yield from explainer.explain(batch)


def _why_lost(death: Death) -> str:
    if death.late:
        return "it took too long"
    return f"the process that should give it died ({death.manner})"
