"""The data of a report: what the page's script reads, by column and by page."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

import numpy as np

from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.report.choice import Rows, most_disputed
from codekin.report.explaining import Explainers, workers_for
from codekin.report.pages import Pages, embed, put_json, put_numbers
from codekin.report.row_pages import RowPages
from codekin.report.scores import Scores, has_texts

__all__ = ["language_title", "put_data"]

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
    """
    columns = _put_columns(stream, scores)
    rows = RowPages(stream, scores)
    rows.write()
    explained = Pages(stream, "why")
    explained_rows = _put_explanations(
        explained, scores, chosen, named, workers_for(len(chosen), workers)
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
        "parts": rows.parts,
        "columns": columns,
        "pages": {
            "rows": rows.rows.starts,
            "tasks": rows.tasks.starts,
            "why": explained.starts,
        },
    }
    stream.write(b'<script type="application/json" id="about">')
    stream.write(embed(about).encode("ascii"))
    stream.write(b"</script>\n")


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
    pages: Pages, scores: Scores, chosen: Rows, named: Collection[str], workers: int
) -> list[int]:
    """Explain the chosen rows in their order; returned are those that could be."""
    done: list[int] = []
    with Explainers(workers) as explainers:
        for i, run in enumerate(scores.runs):
            if has_texts(run):
                measures = {one.label: one.measure for one in run.measures}
                rows = _rows_to_explain(scores, i, chosen, named, done)
                for told in explainers.explain(rows, measures):
                    pages.add(told, len(json.dumps(told)))
    pages.close()
    return done


def _rows_to_explain(
    scores: Scores, run: int, chosen: Rows, named: Collection[str], done: list[int]
) -> Iterator[dict[str, Any]]:
    """The chosen rows of a run, read a shard at a time; their numbers are added to `done`."""
    first = scores.starts[run]
    for shard in scores.runs[run].shards([*_TEXTS, *(m.label for m in scores.runs[run].measures)]):
        here = chosen[(chosen >= first) & (chosen < first + len(shard))]
        rows = shard.take(here - first).to_pylist() if len(here) else []
        for number, row in zip(here.tolist(), rows, strict=True):
            if row["problem"] is None and (_length(row) <= _LONGEST or row["id"] in named):
                done.append(number)
                yield row
        first += len(shard)


def _length(row: Mapping[str, Any]) -> int:
    return sum(map(len, (row["candidate"], *row["references"], row["origin"] or "")))
