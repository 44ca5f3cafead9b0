"""The scores of one or several runs side by side: every number of them, and none of the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from codekin.errors import CodekinError
from codekin.measures import distinct
from codekin.runs.columns import to_numpy
from codekin.runs.run import Run

__all__ = ["ReportSystem", "Scores", "gather", "has_texts"]

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

_FACTS = ("id", "group", "language", "reference_language", "outcome", "reference_key")


@dataclass(frozen=True)
class ReportSystem:
    """What is compared with its like: a run, a group of a run, or all rows there are.

    Attributes
    ----------
    name : str
        As people read it; no two systems of a report share one.
    run : int
        Which of the runs.
    group : str or None
        The group within the run; None where its rows have none.
    """

    name: str
    run: int
    group: str | None


@dataclass(frozen=True, eq=False)
class Scores:
    """What a report knows of every row; its texts stay in the runs.

    Attributes
    ----------
    runs : tuple of Run
    systems : tuple of ReportSystem
    starts : tuple of int
        The position of each run's first row, and after the last the number of rows.
    ids : pa.Array
        The names of the rows; several systems may have a row of one name.
    system : array of int
        The system of each row.
    languages : tuple of (str or None)
        Every language that occurs; None where a row has none.
    language, reference_language : array of int
        Positions in `languages`.
    task : array of int
        Numbers that rows with the same references and origin share, in the order of their first
        row, runs that keep texts before others; -1 for a row whose references could not be read.
    outcome : array
        NaN where a row has none.
    values : mapping of str to array
        The scores by label, NaN where there is none.
    distances : mapping of str to bool
        Whether a measure is a distance.
    called : str
        What a system is called: the field of the input that names it, such as ``model``.
    by : str
        The field of the run that names it.
    chances : mapping of str to array
        ``p``, ``p_low`` and ``p_high`` of a calibration, NaN where a row has none; empty where no
        run has them.
    """

    runs: tuple[Run, ...]
    systems: tuple[ReportSystem, ...]
    starts: tuple[int, ...]
    ids: pa.Array
    system: Codes
    languages: tuple[str | None, ...]
    language: Codes
    reference_language: Codes
    task: Codes
    outcome: Floats
    values: Mapping[str, Floats]
    distances: Mapping[str, bool]
    called: str = "system"
    by: str = "group"
    chances: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.starts[-1]

    @property
    def labels(self) -> tuple[str, ...]:
        """The measures of all runs, by label."""
        return tuple(self.values)

    def has_measure(self, run: int, label: str) -> bool:
        """Whether a run was scored by a measure."""
        return any(one.label == label for one in self.runs[run].measures)

    @cached_property
    def failed(self) -> Flags:
        """Which rows lack a score by some measure that their run was asked for."""
        failed = np.zeros(len(self), bool)
        for i in range(len(self.runs)):
            here = slice(self.starts[i], self.starts[i + 1])
            for label in self.labels:
                if self.has_measure(i, label):
                    failed[here] |= np.isnan(self.values[label][here])
        return failed

    @cached_property
    def has_outcome(self) -> bool:
        """Whether any row has an outcome."""
        return not bool(np.isnan(self.outcome).all())

    def high(self, label: str) -> float:
        """The largest score: 1 unless the measure is a distance."""
        known = self.values[label][~np.isnan(self.values[label])]
        return float(known.max()) if self.distances[label] and len(known) else 1.0

    def of(self, system: int, label: str) -> Floats:
        """The scores of a system by a measure, without those that failed."""
        values = self.values[label]
        found: Floats = values[(self.system == system) & ~np.isnan(values)]
        return found


def has_texts(run: Run) -> bool:
    """Whether a run keeps the texts that it scored."""
    return bool(run.manifest["asked"]["texts"])


def gather(runs: Run | Sequence[Run], by: str = "group") -> Scores:
    """The numbers of runs, and which systems they are of.

    A run whose rows have groups is shown as its groups, one without as one system.

    Parameters
    ----------
    runs : Run or sequence of Run
    by : str
        The field whose values are the groups, such as ``model``.
    """
    several = (runs,) if isinstance(runs, Run) else tuple(runs)
    if not several:
        raise CodekinError("report: there is no run to report; name one")
    tables = [_facts(run, by) for run in several]
    starts = np.cumsum([0, *(len(table) for table in tables)])
    systems, codes = _systems(several, tables)
    facts = pa.concat_tables(tables).combine_chunks()
    languages, spoken = _codes(facts.column("language"), facts.column("reference_language"))
    distances = {one.label: one.distance for run in several for one in run.measures}
    return Scores(
        runs=several,
        systems=systems,
        starts=tuple(starts.tolist()),
        ids=_array(facts.column("id")),
        system=codes,
        languages=tuple(languages),
        language=spoken[0],
        reference_language=spoken[1],
        task=_tasks(several, tables),
        outcome=_floats(facts.column("outcome")),
        values=_values(several, list(distances)),
        distances=distances,
        called=_called(several, by, len(systems)),
        by=by,
        chances=_chances(several),
    )


def _called(runs: Sequence[Run], by: str, systems: int) -> str:
    """What the input calls a system; several runs may disagree."""
    if len(runs) > 1 or systems < 2:
        return "system"
    columns: Mapping[str, str] = runs[0].manifest["asked"]["columns"]
    return columns.get(by, by)


def _facts(run: Run, by: str) -> pa.Table:
    table = run.table(_FACTS)
    if by != "group":
        place = table.column_names.index("group")
        labels = pa.array(run.labels_of(by), pa.string())
        table = table.set_column(place, "group", labels)
    types = {name: pa.float64() if name == "outcome" else pa.string() for name in _FACTS}
    return table.cast(pa.schema(types))  # a run without rows has columns without a type


def _systems(
    runs: Sequence[Run], tables: Sequence[pa.Table]
) -> tuple[tuple[ReportSystem, ...], npt.NDArray[np.int32]]:
    names = distinct(run.name for run in runs) if len(runs) > 1 else [""]
    systems: list[ReportSystem] = []
    codes = []
    for i, (name, table) in enumerate(zip(names, tables, strict=True)):
        groups, (code,) = _codes(table.column("group"))
        for group in groups:
            words = [name, group if group is not None else "(none)" if len(groups) > 1 else ""]
            systems.append(ReportSystem(" · ".join(filter(None, words)) or "all", i, group))
        codes.append(code + (len(systems) - len(groups)))
    unique = distinct(system.name for system in systems)
    named = (ReportSystem(n, s.run, s.group) for n, s in zip(unique, systems, strict=True))
    return tuple(named), np.concatenate(codes).astype(np.int32)


def _codes(*columns: pa.ChunkedArray) -> tuple[list[str | None], list[Codes]]:
    """The values of columns in the order of their first row, and each column by their numbers."""
    together = pa.chunked_array(
        [chunk for column in columns for chunk in column.chunks], pa.string()
    )
    encoded = pc.dictionary_encode(together, null_encoding="encode").combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):  # no rows at all
        return [], [np.zeros(0, np.int32) for _ in columns]
    codes = to_numpy(encoded.indices).astype(np.int32)
    edges = np.cumsum([0, *(len(column) for column in columns)])
    return encoded.dictionary.to_pylist(), [
        codes[start:end] for start, end in pairwise(edges.tolist())
    ]


def _tasks(runs: Sequence[Run], tables: Sequence[pa.Table]) -> Codes:
    """The numbers of the tasks; -1 for null, which leaves no gap.

    Runs that have texts come first in the numbering, so that the first row of a task has its
    texts if any row has.
    """
    order = sorted(range(len(runs)), key=lambda i: not has_texts(runs[i]))
    keys = pa.concat_tables([tables[i].select(["reference_key"]) for i in order]).column(0)
    _, (codes,) = _codes(keys)
    absent = to_numpy(keys.is_null())
    if absent.any():
        null = codes[np.argmax(absent)]
        codes = np.where(absent, -1, codes - (codes > null)).astype(np.int32)
    edges = np.cumsum([0, *(len(tables[i]) for i in order)]).tolist()
    parts = {i: codes[start:end] for i, (start, end) in zip(order, pairwise(edges), strict=True)}
    return np.concatenate([parts[i] for i in range(len(runs))])


def _array(column: pa.ChunkedArray) -> pa.Array:
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else pa.nulls(0, column.type)


def _floats(column: pa.ChunkedArray) -> Floats:
    return np.asarray(to_numpy(column), dtype=np.float64)


def _values(runs: Sequence[Run], labels: Sequence[str]) -> dict[str, Floats]:
    """The scores by each label; every run is read once."""
    values: dict[str, list[Floats]] = {label: [] for label in labels}
    for run in runs:
        known = [one.label for one in run.measures]
        table = run.table(known)
        for label, parts in values.items():
            if label in known:
                parts.append(_floats(table.column(label)))
            else:
                parts.append(np.full(run.rows, np.nan))
    return {label: np.concatenate(parts) for label, parts in values.items()}


def _chances(runs: Sequence[Run]) -> dict[str, Floats]:
    """The probabilities of the rows of all runs, if any has some."""
    tables = [run.chances() for run in runs]
    names: list[str] = next((table.column_names for table in tables if table is not None), [])
    return {
        name: np.concatenate(
            [
                np.full(run.rows, np.nan) if table is None else _floats(table.column(name))
                for run, table in zip(runs, tables, strict=True)
            ]
        )
        for name in names
    }
