"""The data of a report: what the page's script reads, by column and by page."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from codekin.errors import CodekinError
from codekin.evaluation.score_values import part_columns
from codekin.languages import get_language
from codekin.report.choice import Rows, most_disputed
from codekin.report.explanations import Explainers, workers_for
from codekin.report.page_names import page_problem
from codekin.report.pages import Pages, put_about, put_json, put_numbers
from codekin.report.run_scores import Scores, has_texts
from codekin.runs.columns import from_numpy, to_numpy
from codekin.runs.run import read_fields

__all__ = ["RowPages", "language_title", "put_data", "rounded"]

_DIGITS = 5


class RowPages:
    """Writes the rows of all runs into a page, a shard at a time.

    Attributes
    ----------
    rows, tasks : Pages
        One item a row, and one for each set of references with its origin.
    parts : list of (str, str)
        The label and the name of each part, in the order in which the pages have them.
    """

    def __init__(self, stream: IO[bytes], scores: Scores) -> None:
        self.rows = Pages(stream, "rows", _columns)
        self.tasks = Pages(stream, "tasks")
        self.parts: list[tuple[str, str]] = []
        self._scores = scores
        self._numbers: dict[tuple[str, str], int] = {}

    def write(self) -> None:
        """Go through the runs and write every row."""
        for run in self._scores.runs:
            labels = [one.label for one in run.measures]
            columns = ["candidate", "fields", "problem"]
            columns += [
                label + end
                for label in labels
                for end in (".parts", ".lower", ".upper", ".problem")
            ]
            for shard in run.shards(columns):
                self._write_shard(shard, labels)
        self.rows.close()
        self._write_tasks()

    def _write_shard(self, shard: pa.Table, labels: Sequence[str]) -> None:
        parts = self._parts_of(shard, labels)
        texts, fields = (shard.column(name).to_pylist() for name in ("candidate", "fields"))
        extras = _exceptions(shard, labels)
        for i, (text, other, numbers) in enumerate(zip(texts, fields, parts, strict=True)):
            kept = None if other == "{}" else read_fields(other)
            size = len(text or "") + len(other) + 6 * len(numbers)
            self.rows.add((text, kept, extras.get(i), numbers), size)

    def _write_tasks(self) -> None:
        """References and origins, each at the first row that has them."""
        scores, written = self._scores, 0
        for i in sorted(range(len(scores.runs)), key=lambda i: not has_texts(scores.runs[i])):
            row = scores.starts[i]
            for shard in scores.runs[i].shards(["references", "origin"]):
                numbers = scores.task[row : row + len(shard)]
                references, origins = shard.column("references"), shard.column("origin")
                for j in np.flatnonzero(numbers >= written).tolist():
                    if numbers[j] == written:
                        task = [references[j].as_py(), origins[j].as_py()]
                        self.tasks.add(task, sum(map(len, [*(task[0] or []), task[1] or ""])))
                        written += 1
                row += len(shard)
        self.tasks.close()

    def _parts_of(self, shard: pa.Table, labels: Sequence[str]) -> list[list[float | None]]:
        """For each row, its parts by their numbers."""
        columns: dict[int, npt.NDArray[np.float64]] = {}
        for label in labels:
            for name, values in part_columns(shard.column(f"{label}.parts")).items():
                number = self._numbers.setdefault((label, name), len(self._numbers))
                columns[number] = values
        self.parts = list(self._numbers)
        nothing = np.full(len(shard), np.nan)
        known = [columns.get(number, nothing) for number in range(len(self._numbers))]
        if not known:
            return [[] for _ in range(len(shard))]
        rows: list[list[float | None]] = _plain(rounded(np.column_stack(known))).tolist()
        return rows


def rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Numbers to a few digits that count; whole ones stay whole.

    Examples
    --------
    >>> rounded(np.array([0.123456789, 0.0, 1234567.0, 98.76543])).tolist()
    [0.12346, 0.0, 1234567.0, 98.765]
    """
    size = np.abs(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where((size > 0) & np.isfinite(size), _DIGITS - 1 - np.floor(np.log10(size)), 0)
        scale = 10.0 ** np.clip(shift, 0, 15)
        return np.asarray(np.round(values * scale) / scale, dtype=np.float64)


def _plain(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.object_]:
    """Numbers as JSON writes them: whole ones without a point, None for what it cannot write.

    Examples
    --------
    >>> _plain(np.array([0.5, 2.0, np.nan, -np.inf, 1e300])).tolist() == [
    ...     0.5, 2, None, None, int(1e300)
    ... ]
    True
    """
    plain = numbers.astype(object)
    finite = np.isfinite(numbers)
    plain[~finite] = None
    whole = finite & (numbers == np.floor(numbers))
    small = whole & (np.abs(numbers) < 2**63)
    plain[small] = numbers[small].astype(np.int64)
    for place in zip(*np.nonzero(whole & ~small), strict=True):
        plain[place] = int(numbers[place])
    return plain


def _exceptions(shard: pa.Table, labels: Sequence[str]) -> dict[int, dict[str, Any]]:
    """What only some rows have: a problem, or bounds in place of an exact value."""
    extras: dict[int, dict[str, Any]] = {}
    for i, problem in _present(shard.column("problem")):
        extras.setdefault(i, {})["problem"] = page_problem(problem)
    for label in labels:
        for i, problem in _present(shard.column(f"{label}.problem")):
            extras.setdefault(i, {}).setdefault("problems", {})[label] = problem
        upper = shard.column(f"{label}.upper")
        for i, lower in _present(shard.column(f"{label}.lower")):
            extras.setdefault(i, {}).setdefault("bounds", {})[label] = [lower, upper[i].as_py()]
    return extras


def _present(column: pa.ChunkedArray) -> Iterator[tuple[int, Any]]:
    if column.null_count < len(column):
        for i in np.flatnonzero(to_numpy(column.is_valid())).tolist():
            yield i, column[i].as_py()


def _columns(rows: list[Any]) -> dict[str, object]:
    """A page column by column, which compresses better than row by row."""
    texts, fields, extras, parts = zip(*rows, strict=True)
    width = max(map(len, parts))
    padded = [row + [None] * (width - len(row)) for row in parts]
    return {
        "candidate": texts,
        "fields": fields if any(fields) else None,
        "told": {i: one for i, one in enumerate(extras) if one},
        "parts": list(zip(*padded, strict=True)),
    }


_LONGEST = 100_000
"""Characters of a row's texts together; explanations of longer ones take minutes and megabytes."""

_TEXTS = ("id", "candidate", "references", "origin", "language", "reference_language", "problem")


def language_title(name: str) -> str:
    """The name of a language as people write it; as given where codekin does not know it."""
    try:
        return get_language(name).title
    except CodekinError:
        return name


def put_data(
    stream: IO[bytes],
    scores: Scores,
    chosen: Rows,
    named: Collection[str] = (),
    workers: int | None = None,
    report: Callable[[int, int], None] | None = None,
) -> None:
    """Write everything that the script of the page reads.

    Parameters
    ----------
    stream : binary file
    scores : Scores
    chosen : array of int
        The rows that are explained, unless their texts are very long.
    named : collection of str
        Ids of rows that are explained however long they are.
    workers : int, optional
        How many processes explain them; one a core where there are many, and 0 for this one.
    report : callable, optional
        Called with the number of rows explained so far and of all.
    """
    columns = _put_columns(stream, scores)
    rows = RowPages(stream, scores)
    rows.write()
    explained = Pages(stream, "why")
    explained_rows = _put_explanations(
        explained, scores, chosen, named, workers_for(len(chosen), workers), report
    )
    put_numbers(stream, "explained", np.array(explained_rows, dtype=np.uint32))
    among = np.array(explained_rows or range(min(len(scores), 1)), dtype=np.int64)
    about = {
        "rows": len(scores),
        "open": most_disputed(scores, among),
        "systems": [{"name": one.name, "run": one.run} for one in scores.systems],
        "languages": [[one or "", language_title(one) if one else ""] for one in scores.languages],
        "measures": [_measure(scores, label) for label in scores.labels],
        "runs": [_run(scores, i) for i in range(len(scores.runs))],
        "outcome": scores.has_outcome,
        "chances": bool(scores.chances),
        "parts": rows.parts,
        "columns": columns,
        "pages": {
            "rows": rows.rows.starts,
            "tasks": rows.tasks.starts,
            "why": explained.starts,
        },
    }
    put_about(stream, about)


def _put_columns(stream: IO[bytes], scores: Scores) -> dict[str, str]:
    """The numbers of all rows; returned are the names of the columns with their types."""
    columns: dict[str, tuple[str, Any]] = {
        "system": ("Int32", scores.system),
        "language": ("Uint8", scores.language),
        "other": ("Uint8", scores.reference_language),
        "task": ("Int32", scores.task),
        "failed": ("Uint8", scores.failed),
    }
    if scores.has_outcome:
        columns["outcome"] = ("Float32", scores.outcome)
    for name, values in scores.chances.items():
        columns[name] = ("Float32", values)
    for i, label in enumerate(scores.labels):
        columns[f"measure-{i}"] = ("Float32", scores.values[label])
    for name, (kind, numbers) in columns.items():
        put_numbers(stream, f"column-{name}", numbers.astype(kind.lower()))
    put_json(stream, "ids", scores.ids.to_pylist())
    return {name: kind for name, (kind, _) in columns.items()}


def _measure(scores: Scores, label: str) -> dict[str, Any]:
    one = next(m for run in scores.runs for m in run.measures if m.label == label)
    about = {
        "name": label,
        "distance": one.distance,
        "high": scores.high(label) or 1.0,
        "summary": one.summary,
    }
    # A row opens with what was done to its origin where that is what the measure judges.
    return about | {"origin": True} if one.measure and one.measure.needs_origin else about


def _run(scores: Scores, number: int) -> dict[str, Any]:
    run = scores.runs[number]
    return {
        "texts": has_texts(run),
        "signatures": {one.label: one.signature for one in run.measures},
    }


def _put_explanations(
    pages: Pages,
    scores: Scores,
    chosen: Rows,
    named: Collection[str],
    workers: int,
    report: Callable[[int, int], None] | None,
) -> list[int]:
    """Explain the chosen rows in their order; returned are those that could be."""
    done: list[int] = []
    number = 0
    with Explainers(workers) as explainers:
        for i, run in enumerate(scores.runs):
            if has_texts(run):
                measures = {one.label: one.measure for one in run.measures}
                rows = _rows_to_explain(scores, i, chosen, named, done)
                for extras in explainers.explain(rows, measures):
                    pages.add(extras, len(json.dumps(extras)))
                    number += 1
                    if report is not None:
                        report(number, len(chosen))
    pages.close()
    return done


def _rows_to_explain(
    scores: Scores, run: int, chosen: Rows, named: Collection[str], done: list[int]
) -> Iterator[dict[str, Any]]:
    """The chosen rows of a run, read a shard at a time; their numbers are added to `done`."""
    first = scores.starts[run]
    for shard in scores.runs[run].shards([*_TEXTS, *(m.label for m in scores.runs[run].measures)]):
        here = chosen[(chosen >= first) & (chosen < first + len(shard))]
        rows = shard.take(from_numpy(here - first, pa.int64())).to_pylist() if len(here) else []
        for number, row in zip(here.tolist(), rows, strict=True):
            if row["problem"] is None and (_length(row) <= _LONGEST or row["id"] in named):
                done.append(number)
                yield row
        first += len(shard)


def _length(row: Mapping[str, Any]) -> int:
    return sum(map(len, (row["candidate"], *row["references"], row["origin"] or "")))
