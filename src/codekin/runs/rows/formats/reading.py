"""The rows of files that harnesses write: a file is recognized by the shape of its first record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import IO, Any

from codekin.errors import CodekinError
from codekin.runs.rows.formats.evalplus import BIGCODEBENCH, EVALPLUS
from codekin.runs.rows.formats.inspect_log import INSPECT, read_eval
from codekin.runs.rows.formats.livecodebench import LIVECODEBENCH
from codekin.runs.rows.formats.lm_eval import LM_EVAL
from codekin.runs.rows.formats.multipl_e import COMPLETIONS, RESULTS
from codekin.runs.rows.formats.row_format import HarnessRow, RowFormat
from codekin.runs.rows.formats.swe_bench import SWE_BENCH
from codekin.runs.rows.objects import to_json
from codekin.runs.rows.pieces import (
    MOST_BYTES,
    ComposedRow,
    ComposedRows,
    JsonLines,
    Piece,
    Record,
    Unreadable,
)

__all__ = ["eval_pieces", "format_names", "format_of", "harness_pieces"]

_FORMATS = (
    *(EVALPLUS, BIGCODEBENCH, RESULTS, COMPLETIONS),
    *(LIVECODEBENCH, LM_EVAL, INSPECT, SWE_BENCH),
)
_AT_ONCE = 125
_LEAST_LIMIT, _TIMES = 512 * 2**20, 64
"""Bytes of the rows of a file: so many in any, and in long ones so many times as in the file."""
_REPEATED = (
    "its samples repeat so much of their task that the rest of them is not read; leave long fields "
    "of the task out"
)

_SUMMARIES: tuple[tuple[frozenset[str], str], ...] = (
    (
        frozenset({"results", "configs", "versions"}),
        "the summary of lm-evaluation-harness; its samples are in samples_TASK_DATE.jsonl, which "
        "--log_samples writes",
    ),
    (
        frozenset({"pass@1", "detail"}),
        "the summary of LiveCodeBench; its programs and their grades are in the file beside it "
        "whose name ends in _eval_all.json",
    ),
    (
        frozenset({"pass@1", "gt_pass_rate"}),
        "the summary of BigCodeBench; its solutions are in the file beside it whose name ends in "
        "_eval_results.json",
    ),
    (
        frozenset({"resolved_ids", "completed_ids"}),
        "the report of SWE-bench; the patches are in the predictions that it was made from",
    ),
)
"""Files that have the results of a harness, but not what was tested."""


def format_names() -> list[str]:
    """The harnesses whose files are recognized.

    Examples
    --------
    >>> format_names()[:3]
    ['EvalPlus', 'BigCodeBench', 'MultiPL-E']
    """
    return list(dict.fromkeys(form.name for form in _FORMATS))


def format_of(record: Mapping[str, Any]) -> RowFormat | None:
    """The form of a record; None for a plain row.

    Examples
    --------
    >>> format_of({"question_id": "1", "code_list": ["x"]}).name
    'LiveCodeBench'
    >>> format_of({"id": "1", "candidate": "x"}) is None
    True
    """
    return next((form for form in _FORMATS if form.recognizes(record)), None)


def harness_pieces(
    pieces: Iterable[Piece], name: str, say: Callable[[str], None]
) -> Iterator[Piece]:
    """The rows of a file that a harness wrote; those of other files stay as they are.

    Parameters
    ----------
    pieces : iterable of Piece
        The records of the file, as they are in it.
    name : str
        The file.
    say : callable
        Called with a note, if it is of a harness.

    Raises
    ------
    CodekinError
        If the file lacks what is scored; the message says which one has it.
    """
    undecided, form = True, None
    allowance = _Allowance()
    for piece in pieces:
        if not isinstance(piece, JsonLines) or not (undecided or form):
            yield piece
            continue
        if undecided:
            head = _until_readable(piece.records())
            first = head[-1].fields if head else None
            if first is None:
                yield piece
                continue
            undecided, form = False, format_of(first)
            if form is None:
                _refuse_summary(first, name)
                yield piece
                continue
            say(f"{name}: results of {form.name}: {form.note}")
        if form is not None:
            yield from _chunks(_rows(piece.records(), form, piece, allowance))


def _until_readable(records: Iterator[Record]) -> list[Record]:
    """The records up to the first that can be read."""
    head = []
    for record in records:
        head.append(record)
        if record.fields is not None:
            break
    return head


def _refuse_summary(record: Mapping[str, Any], name: str) -> None:
    summary = next((text for names, text in _SUMMARIES if names <= record.keys()), None)
    if summary is not None:
        raise CodekinError(f"{name}: is {summary}; name that file")


class _Allowance:
    """How many bytes the rows of a file may still have: each sample repeats what its task has."""

    def __init__(self) -> None:
        self._left = _LEAST_LIMIT

    def read(self, record: bytes) -> None:
        """Allow for the rows of a record."""
        self._left += _TIMES * len(record)

    def holds(self, row: ComposedRow) -> bool:
        """Whether there is room for a row."""
        self._left -= len(row.data)
        return self._left >= 0


def _rows(
    records: Iterable[Record], form: RowFormat, piece: JsonLines, allowance: _Allowance
) -> Iterator[ComposedRow | Unreadable]:
    """The rows of some records; those of another form are rows as they are."""
    for number, record in enumerate(records, piece.first):
        allowance.read(piece.lines[number - piece.first])
        if record.fields is None:
            yield Unreadable(piece.name, number, record.problem, piece.unit)
        elif form.recognizes(record.fields):
            alone = len(piece) == 1 and number == 1
            for row in form.rows(record.fields, piece.name if alone else record.where):
                composed = _composed(row)
                if not allowance.holds(composed):
                    yield Unreadable(piece.name, number, _REPEATED, piece.unit)
                    break
                yield composed
        else:
            yield ComposedRow(record.where, to_json(record.fields))


def _composed(row: HarnessRow) -> ComposedRow:
    where, fields = row
    return ComposedRow(where, to_json(fields))


def _chunks(rows: Iterable[ComposedRow | Unreadable]) -> Iterator[Piece]:
    """Rows together, unreadable ones by themselves."""
    held: list[ComposedRow] = []
    size = 0
    for row in chain(rows, [None]):
        full = len(held) == _AT_ONCE or size >= MOST_BYTES
        if held and (full or not isinstance(row, ComposedRow)):
            yield ComposedRows("", 1, tuple(held))
            held, size = [], 0
        if isinstance(row, ComposedRow):
            held.append(row)
            size += len(row.data)
        elif row is not None:
            yield row


def eval_pieces(name: str, stream: IO[bytes], say: Callable[[str], None]) -> Iterator[Piece]:
    """The rows of a log of inspect_ai in a zip file."""
    say(f"{name}: results of {INSPECT.name}: {INSPECT.note}")
    rows = read_eval(stream, name)
    yield from _chunks(
        Unreadable(name, 1, row, "sample") if isinstance(row, str) else _composed(row)
        for row in rows
    )
