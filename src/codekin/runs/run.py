"""Run: a folder of scores, read back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from codekin.errors import CodekinError, suggestion
from codekin.measures import CorpusMeasure, Measure, built_in_measure
from codekin.opening import UnreadableFileError, read_file
from codekin.results import count_text
from codekin.runs.columns import from_numpy, to_numpy
from codekin.runs.manifest import read_manifest, resume_command
from codekin.runs.rows.parquet import read_parquet
from codekin.runs.seals import sha256_of, shard_is_whole
from codekin.runs.settings import parameter_fingerprint
from codekin.runs.shard_table import (
    FACTS,
    MOST_SHARD_BYTES,
    column_types,
    score_columns,
    shard_note,
)
from codekin.whole_files import whole_file

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["CHANCES", "MeasureScores", "Run", "RunMeasure", "Tally", "read_fields", "read_scores"]

Floats = npt.NDArray[np.float64]
_FIELD_COLUMNS = {
    "id": "id",
    "group": "group",
    "language": "language",
    "reference": "reference_key",
    "outcome": "outcome",
    "weight": "weight",
}
_PLAIN = (
    *("row", "id", "group", "language", "weight", "outcome", "problem"),
    *("form", "parses", "reference_parses", "joined", "reference_joined"),
)
_NEVER_NULL = ("row", "id", "fields")
CHANCES = "calibrated.parquet"
"""The file of the probabilities of outcomes."""

_MOST_REASONS = 3
"""A notebook shows this many reasons why rows have no score."""

_CHANCE_COLUMNS = ("p", "p_low", "p_high")
_CHANCE_NOTE = b"codekin"


@dataclass(frozen=True)
class RunMeasure:
    """A measure of a run.

    Attributes
    ----------
    label : str
        The name of its column.
    signature : str
        Reproduces it, except for the grammar.
    distance, corpus : bool
        Whether small values mean similar; whether the run has its sufficient statistics.
    summary : str
        One line about it.
    measure : Measure or None
        The measure itself; None if it cannot be made from its label, for example if it has a long
        parameter. Only built-in measures are made: reading a run loads no other code, whatever its
        manifest names.
    """

    label: str
    signature: str
    distance: bool
    corpus: bool
    summary: str
    measure: Measure | None


class Tally(NamedTuple):
    """The rows of a measure: with a score, without one, and the mean of those that have one."""

    scored: int
    failed: int
    mean: float


class Run:
    """The scores of a job.

    Parameters
    ----------
    path : str or Path
        The folder that the job wrote.
    measures : sequence of Measure, optional
        The measures of the job, if they are not built in.
    """

    def __init__(self, path: str | Path, measures: Sequence[Measure] = ()) -> None:
        self.path = Path(path)
        self.manifest: dict[str, Any] = read_manifest(self.path)
        self._given = {parameter_fingerprint(one): one for one in measures}
        self._whole: set[Path] = set()

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    @property
    def complete(self) -> bool:
        """Whether every row of the input is in the run."""
        return bool(self.manifest["state"] == "complete")

    @cached_property
    def measures(self) -> tuple[RunMeasure, ...]:
        """The measures, in the order of their columns."""
        return tuple(
            RunMeasure(
                one["label"],
                one["signature"],
                one["distance"],
                one["corpus"],
                one["summary"],
                self._measure(one["label"], one["fingerprint"]),
            )
            for one in self.manifest["asked"]["measures"]
        )

    def only(self, labels: Collection[str]) -> Run:
        """The same run, by some of its measures.

        Parameters
        ----------
        labels : collection of str
            Their labels, which must be among those of the run.
        """
        missing = [label for label in labels if label not in [one.label for one in self.measures]]
        if missing:
            known = [one.label for one in self.measures]
            raise CodekinError(
                f"{self.path}: was not scored by {missing[0]}{suggestion(missing[0], known)} "
                f"(it was by: {', '.join(known)}); name the rows instead to score them"
            )
        some = Run(self.path, tuple(self._given.values()))
        some.__dict__["measures"] = tuple(one for one in self.measures if one.label in labels)
        return some

    def _measure(self, label: str, fingerprint: str) -> Measure | None:
        if fingerprint in self._given:
            return self._given[fingerprint]
        for word in (label, label.rpartition(" ")[0]):  # a repeated one has a number
            try:
                made = built_in_measure(word)
            except CodekinError:
                continue
            if parameter_fingerprint(made) == fingerprint:
                return made
        return None

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The shards, in order; all that the manifest lists must exist."""
        there = sorted((self.path / "shards").glob("*.parquet"))
        missing = sorted(set(self._digests) - {file.name for file in there})
        if missing:
            raise CodekinError(
                f"{self.path}: {missing[0]} is missing, and with it the scores of its rows; "
                f"{self._how_to_resume()}"
            )
        if self.complete and len(there) > len(self._digests):
            extra = next(file for file in there if file.name not in self._digests)
            raise CodekinError(
                f"{extra}: does not belong to this run, which is complete; delete it"
            )
        return tuple(there)

    @cached_property
    def _digests(self) -> dict[str, str]:
        """The SHA-256 of each shard in the manifest, by name."""
        return {Path(shard["file"]).name: shard["sha256"] for shard in self.manifest["shards"]}

    def _how_to_resume(self) -> str:
        if self.manifest["input"]["kind"] not in ("files", "stdin"):
            return "resume the run from Python, with the same rows: codekin.score(..., resume=True)"
        return f"resume the run: {resume_command(self.manifest, self.path)}"

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return sum(self._open(file)[1].metadata.num_rows for file in self.files)

    @cached_property
    def failed(self) -> int:
        """The number of rows that lack a score by any measure."""
        return self._tally[0]

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The number of rows scored by each measure, and their mean, in the order of `measures`."""
        return self._tally[1]

    @cached_property
    def _tally(self) -> tuple[int, tuple[Tally, ...]]:
        """Failed rows, and a tally per measure, from one pass that holds one shard at a time."""
        labels = [one.label for one in self.measures]
        failed = rows = 0
        scored, sums = np.zeros(len(labels), np.int64), np.zeros(len(labels))
        for shard in self.shards(labels):
            values = np.column_stack([to_numpy(shard.column(label)) for label in labels])
            there = ~np.isnan(values.astype(np.float64))
            failed += int((~there.all(axis=1)).sum())
            rows += len(values)
            scored += there.sum(axis=0)
            sums += np.where(there, values, 0.0).sum(axis=0)
        return failed, tuple(
            Tally(int(count), rows - int(count), float(total / count) if count else math.nan)
            for count, total in zip(scored, sums, strict=True)
        )

    def shards(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The shards, one at a time.

        Parameters
        ----------
        columns : sequence of str, optional
            Only these.
        """
        for file in self.files:
            yield self._read(file, columns)

    def _read(self, file: Path, columns: Sequence[str] | None) -> pa.Table:
        stream, opened = self._open(file)
        names = opened.schema_arrow.names
        gone = [one for one in columns or () if one not in names]
        if gone:
            raise self._damaged(file, f"it has no column {gone[0]!r}")
        try:
            wanted = None if columns is None else list(columns)
            table = read_parquet(stream, opened, wanted, MOST_SHARD_BYTES)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise self._damaged(file, str(error)) from None
        for name in _NEVER_NULL:
            if name in table.column_names and table.column(name).null_count:
                raise self._damaged(file, f"column {name!r} has nulls")
        for field in table.schema:
            if not _is_finite(table.column(field.name)):
                raise self._damaged(file, f"not all values of column {field.name!r} are numbers")
        return table.replace_schema_metadata(None)

    def _open(self, file: Path) -> tuple[pa.BufferReader, pq.ParquetFile]:
        """A shard, whose digest is verified before it is read for the first time."""
        try:
            data = read_file(file, within=self.path, limit=MOST_SHARD_BYTES)
            if file not in self._whole and not self._is_whole(file.name, data):
                raise self._damaged(file, "its content is not what its digest says")
            stream = pa.BufferReader(data)
            opened = pq.ParquetFile(stream)
        except UnreadableFileError as error:
            raise self._damaged(file, error.reason) from None
        except (OSError, ValueError, pa.ArrowException) as error:
            raise self._damaged(file, str(error)) from None
        if file not in self._whole:
            self._check_columns(file, opened)
            self._whole.add(file)
        return stream, opened

    def _is_whole(self, name: str, data: bytes) -> bool:
        """Whether a shard is as it was written, by the manifest's digest or else by its own."""
        known = self._digests.get(name)
        if known is not None:
            return sha256_of(data) == known
        return shard_is_whole(data)

    def _check_columns(self, file: Path, opened: pq.ParquetFile) -> None:
        """Refuse an intact file that is not a shard of this run."""
        schema = opened.schema_arrow
        note = shard_note(schema.metadata)
        if note.get("shard", file.stem) not in (file.stem, _number(file.stem)):
            raise self._damaged(file, f"it is shard {note['shard']} under another name")
        if len(set(schema.names)) < len(schema.names):
            raise self._damaged(file, "two columns have the same name")
        if note.get("rows", opened.metadata.num_rows) != opened.metadata.num_rows:
            raise self._damaged(file, "it does not have as many rows as were scored")
        measures = self.manifest["asked"]["measures"]
        kinds = column_types(one["label"] for one in measures)
        needed = {
            *FACTS,
            *(
                name
                for one in measures
                for name in score_columns(one["label"], corpus=one["corpus"])
            ),
        }
        gone = sorted(needed - set(schema.names))
        if gone:
            raise self._damaged(file, f"it has no column {gone[0]!r}")
        for field in schema:
            kind = kinds.get(field.name)
            if kind is not None and field.type != kind:
                raise self._damaged(
                    file, f"column {field.name!r} must be of type {kind}, not {field.type}"
                )

    def _damaged(self, file: Path, why: str) -> CodekinError:
        return CodekinError(f"{file}: is damaged ({why}); delete it and {self._how_to_resume()}")

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows as an Arrow table, in the order of the input.

        Parameters
        ----------
        columns : sequence of str, optional
            Only these; by default all, texts included.
        """
        tables = list(self.shards(columns))
        if not tables:
            names = columns or [*_PLAIN, *(one.label for one in self.measures)]
            return pa.table({name: pa.nulls(0) for name in names})
        try:
            return pa.concat_tables(tables)
        except pa.ArrowException:
            raise CodekinError(f"{self.path}: its files have different columns") from None

    def values(self, label: str) -> Floats:
        """The scores by one measure, NaN where there is none."""
        one = self._labelled(label)
        return np.asarray(to_numpy(self.table([one.label]).column(one.label)), np.float64)

    def _labelled(self, label: str) -> RunMeasure:
        for one in self.measures:
            if one.label == label:
                return one
        known = ", ".join(one.label for one in self.measures)
        raise CodekinError(f"{self.path}: was not scored by {label!r} (it has: {known})")

    def statistics(self, label: str) -> Floats:
        """The sufficient statistics by one measure, one line per row; NaN without a score."""
        if not self._labelled(label).corpus:
            raise CodekinError(f"{label}: has no statistics, since it has no value for a corpus")
        if not self.files:
            return np.empty((0, 0))
        column = self.table([f"{label}.statistics"]).column(0).combine_chunks()
        here = to_numpy(column.is_valid())
        flat = to_numpy(column.flatten()).astype(np.float64)
        width = len(flat) // max(1, int(here.sum()))
        if set(np.diff(to_numpy(column.offsets))[here].tolist()) - {width}:
            raise CodekinError(
                f"{self.path}: {label} has different numbers of statistics in different rows"
            )
        rows = np.full((len(here), width), np.nan)
        rows[here] = flat.reshape(-1, width) if width else 0
        return rows

    def weights(self) -> Floats:
        """The weight of each row; 1 by default."""
        given = to_numpy(self.table(["weight"]).column("weight")).astype(np.float64)
        return np.where(np.isnan(given), 1.0, given)

    def labels_of(self, field: str) -> list[str | None]:
        """The value of a field in each row, as text.

        Parameters
        ----------
        field : str
            ``id``, ``group``, ``language``, ``outcome``, ``weight``, ``reference`` (the same for
            rows with the same references and origin), or any other short field of the input.
        """
        if field in _FIELD_COLUMNS:
            column = _FIELD_COLUMNS[field]
            found = self.table([column]).column(column).to_pylist()
            return [f"{one:g}" if isinstance(one, float) else one for one in found]
        columns = {**self.manifest["asked"]["columns"], **self.manifest["recognized"]}
        own = next((name for name, column in columns.items() if column == field), None)
        if own in _FIELD_COLUMNS:
            return self.labels_of(str(own))
        labels: list[str | None] = []
        known: set[str] = set()
        for shard in self.shards(["fields"]):
            for text in shard.column("fields").to_pylist():
                fields = {} if text == "{}" else read_fields(text)
                known.update(fields)
                value = fields.get(field)
                labels.append(None if value is None else str(value))
        if labels and field not in known:
            names = [*_FIELD_COLUMNS, *sorted(known)]
            hint = suggestion(field, names)
            raise CodekinError(
                f"{self.path}: no row has a field {field!r}{hint} (known: {', '.join(names)})"
            )
        return labels

    def keep_chances(self, p: Floats, low: Floats, high: Floats, note: dict[str, Any]) -> None:
        """Write the probability of each row's outcome into the folder, replacing earlier ones.

        Parameters
        ----------
        p, low, high : array
            NaN where there is none.
        note : dict
            About all rows; see :meth:`chance_note`.
        """
        columns = {
            name: from_numpy(np.ascontiguousarray(values), pa.float64(), np.isnan(values))
            for name, values in zip(_CHANCE_COLUMNS, (p, low, high), strict=True)
        }
        table = pa.table(columns).replace_schema_metadata({_CHANCE_NOTE: json.dumps(note)})
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", write_statistics=False)
        with whole_file(self.path / CHANCES) as file:
            file.write(sink.getvalue().to_pybytes())

    def chances(self) -> pa.Table | None:
        """The columns ``p``, ``p_low`` and ``p_high``, if a calibration was applied to all rows."""
        file = self.path / CHANCES
        if not file.exists():
            return None
        try:
            stream = pa.BufferReader(read_file(file, within=self.path, limit=MOST_SHARD_BYTES))
            table = read_parquet(stream, pq.ParquetFile(stream), None, MOST_SHARD_BYTES)
        except (CodekinError, OSError, ValueError, pa.ArrowException):
            table = None
        kinds = (
            None
            if table is None
            else {name: table.schema.types[i] for i, name in enumerate(table.column_names)}
        )
        if kinds != dict.fromkeys(_CHANCE_COLUMNS, pa.float64()):
            raise CodekinError(f"{file}: is damaged; delete it, and apply the calibration again")
        # A run that was resumed since then has more rows.
        return table if table.num_rows == self.rows else None

    def chance_note(self) -> dict[str, Any] | None:
        """What :meth:`keep_chances` noted about all rows, if there are probabilities."""
        table = self.chances()
        return (
            None
            if table is None
            else read_fields((table.schema.metadata or {}).get(_CHANCE_NOTE, b"{}").decode())
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Ids, groups, what parses, other fields, scores and probabilities as a pandas frame."""
        try:
            return self._scores().to_pandas()
        except ImportError:
            raise CodekinError("pandas is not installed: pip install codekin[frames]") from None

    def to_polars(self) -> polars.DataFrame:
        """Ids, groups, what parses, other fields, scores and probabilities as a polars frame."""
        try:
            import polars
        except ImportError:
            raise CodekinError("polars is not installed: pip install codekin[frames]") from None
        frame = polars.from_arrow(self._scores())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def _scores(self) -> pa.Table:
        """The table for people: no texts, and the other fields as columns."""
        labels = [one.label for one in self.measures]
        table = self.table([*_PLAIN, "fields", *labels])
        fields = [read_fields(text) for text in table.column("fields").to_pylist()]
        table = table.drop_columns(["fields"])
        for name in dict.fromkeys(name for row in fields for name in row):
            # A field with the name of a column of the run is put beside it.
            shown = f"fields.{name}" if name in table.column_names else name
            values = _of_one_type([row.get(name) for row in fields])
            table = table.add_column(table.num_columns - len(labels), shown, values)
        chances = self.chances()
        if chances is not None:
            for name in _CHANCE_COLUMNS:
                shown = f"calibrated.{name}" if name in table.column_names else name
                table = table.append_column(shown, chances.column(name))
        return table

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        state = "" if self.complete else " unfinished"
        labels = ", ".join(one.label for one in self.measures)
        parse = self._parse_rates and f", {self._parse_rates}"
        rows = count_text(self.rows, "row")
        return f"<Run {self.name} {rows}, {self.failed:,} failed{state}{parse}: {labels}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(one.label)}</td>"
            f"<td style='text-align:right'>{tally.mean:.4f}</td>"
            f"<td style='text-align:right'>{tally.failed:,}</td>"
            f"<td><code>{escape(one.signature)}</code></td></tr>"
            for one, tally in zip(self.measures, self.tallies, strict=True)
        ).replace(">nan<", ">–<")
        state = "" if self.complete else " (unfinished)"
        parse = self._parse_rates and f", {self._parse_rates}"
        rows_text = f"{count_text(self.rows, 'row')}{state}{parse}"
        return (
            f"<table><caption>{escape(self.name)}: {rows_text}</caption>"
            f"<tr><th>measure</th><th>mean</th><th>failed</th><th>signature</th></tr>{rows}</table>"
            f"{self._reasons_html()}"
        )

    @cached_property
    def _parse_rates(self) -> str:
        """How many candidates and references parse, in words; empty if that is not known."""
        from codekin.runs.text_counts import read_forms, text_notes  # they read runs

        if not self.rows:
            return ""
        return "".join(text_notes([(None, self.rows, read_forms(self).counts())]))

    def _reasons_html(self) -> str:
        """Why rows have no score, the most frequent reasons first."""
        if not self.failed:
            return ""
        from codekin.runs.failures import failure_lines, failures  # they read runs

        lines = failure_lines(failures(self), _MOST_REASONS)
        have = "has" if self.failed == 1 else "have"
        return (
            f"<p>{self.failed:,} of {count_text(self.rows, 'row')} {have} no score by some measure:"
            f"</p><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
        )


def read_fields(text: str) -> dict[str, Any]:
    """The other fields of a row, which a run keeps as a JSON object."""
    try:
        fields = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise CodekinError(f"the fields of a row are not a JSON object: {text[:80]!r}")
    return fields


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number")
    return number


def _is_finite(column: pa.ChunkedArray) -> bool:
    """Whether all numbers of a column, or in its lists, are finite."""
    if pa.types.is_list(column.type):
        column = pc.list_flatten(column)
    return (
        not pa.types.is_floating(column.type) or pc.all(pc.is_finite(column)).as_py() is not False
    )


def _number(stem: str) -> int | None:
    return int(stem) if stem.isdecimal() else None


def _of_one_type(values: list[Any]) -> pa.Array:
    """Values as an Arrow array; as text if they have no common type."""
    try:
        return pa.array(values)
    except pa.ArrowException:
        return pa.array([None if value is None else str(value) for value in values])


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """The scores of a run by one measure.

    Attributes
    ----------
    measure : RunMeasure
    values : array of shape (rows,)
        nan where there is no score.
    statistics : array of shape (rows, 1 + k) or None
        1 and the sufficient statistics of each row, all 0 if it has no score. None if the measure
        has no corpus value, or no row has a score. Counts are kept in half the space if that is
        exact.
    value_of : callable or None
        Computes the value of a corpus from k sums of statistics.
    """

    measure: RunMeasure
    values: Floats
    statistics: npt.NDArray[np.floating] | None
    value_of: Callable[[Sequence[float]], float] | None


def read_scores(run: Run, measures: Sequence[RunMeasure] | None = None) -> list[MeasureScores]:
    """The scores by some of the measures of a run, or by all.

    A run may have thousands of files of a thousand rows, and opening each of them once per measure
    would take longer than the statistics.
    """
    chosen = run.measures if measures is None else measures
    judges = [_value_of(one) for one in chosen]
    values = [np.full(run.rows, np.nan) for _ in chosen]
    statistics: list[npt.NDArray[np.floating] | None] = [None] * len(chosen)
    columns = [one.label for one in chosen]
    columns += [
        f"{one.label}.statistics" for one, judge in zip(chosen, judges, strict=True) if judge
    ]
    start = 0
    for shard in run.shards(columns):
        rows = slice(start, start + len(shard))
        for i, one in enumerate(chosen):
            values[i][rows] = to_numpy(shard.column(one.label))
            if judges[i] is not None:
                column = shard.column(f"{one.label}.statistics").combine_chunks()
                statistics[i] = _filled(statistics[i], rows, column, run.rows)
        start += len(shard)
    return [MeasureScores(one, values[i], statistics[i], judges[i]) for i, one in enumerate(chosen)]


def _value_of(one: RunMeasure) -> Callable[[Sequence[float]], float] | None:
    measure = one.measure
    if not one.corpus or not isinstance(measure, CorpusMeasure):
        return None

    def value(sums: Sequence[float]) -> float:
        try:
            return measure.from_statistics(sums)[0]
        except (ArithmeticError, IndexError, ValueError):
            raise CodekinError(
                f"the run has other statistics than {one.label!r} keeps, so no value of the corpus "
                "can be computed; score its rows again"
            ) from None

    return value


def _filled(
    whole: npt.NDArray[np.floating] | None, rows: slice, column: pa.ListArray, number: int
) -> npt.NDArray[np.floating] | None:
    """The statistics with those of a shard added; allocated at the first shard that has any."""
    here = to_numpy(column.is_valid())
    scored = int(here.sum())
    if not scored:
        return whole
    widths = {*pc.list_value_length(column).drop_null().unique().to_pylist()}
    if whole is not None:
        widths.add(whole.shape[1] - 1)
    if len(widths) > 1:
        raise CodekinError("the run has different numbers of statistics in different rows")
    given = to_numpy(column.flatten()).reshape(scored, -1)
    if whole is None:
        whole = np.zeros((number, 1 + given.shape[1]), dtype=np.float32)
    if whole.dtype == np.float32 and (given.astype(np.float32) != given).any():
        whole = whole.astype(np.float64)
    part = whole[rows]
    part[here, 0] = 1.0
    part[here, 1:] = given
    return whole
