"""The result model: grids, figures, notes and warnings, JSON documents, and the verbs of results.

A result is a frozen dataclass that inherits from :class:`Result`. It offers its grids, notes and
warnings once, and arranges them with its figures in sections of a page; the renderers in report/
make every format of them, and are loaded on first use.
Its JSON document is made from its fields, and so is the schema of that document.
"""

from __future__ import annotations

import dataclasses
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeVar, overload

from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.whole_files import whole_file

__all__ = [
    "EFFECT_DIGITS",
    "INLINED",
    "LEFT_OUT",
    "NOTHING",
    "OPTIONAL",
    "UNKNOWN",
    "Column",
    "Constraint",
    "Curve",
    "Curves",
    "DocumentEntry",
    "Estimate",
    "Figure",
    "Finite",
    "Forest",
    "ForestRow",
    "Grid",
    "GridColumns",
    "Histograms",
    "Interval",
    "Level",
    "Mark",
    "Names",
    "Point",
    "Result",
    "ResultList",
    "Scatter",
    "Section",
    "ShareBars",
    "ShownAs",
    "Tabular",
    "TextGrid",
    "as_document",
    "count_text",
    "effect_text",
    "entries",
    "finite",
    "first_names",
    "interval_text",
    "json_text",
    "keyed",
    "measure_cell",
    "measure_text",
    "named",
    "number_text",
    "p_text",
    "part_text",
    "percent_text",
    "recorded",
    "share_text",
    "with_interval",
    "written_text",
]

NOTHING = "–"
"""Shown in place of a missing number."""

EFFECT_DIGITS = 3
"""Decimals of an effect or a correlation, as papers print them."""


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`; both nan where it is unknown."""

    low: float
    high: float


UNKNOWN = Interval(math.nan, math.nan)


@dataclass(frozen=True)
class Estimate:
    """A value with its bootstrap intervals.

    Attributes
    ----------
    value : float
        Of the units at hand; nan where there are none.
    percentile, bca : Interval
        nan where there are fewer than two units to draw from.
    """

    intervals: ClassVar[Mapping[str, str]] = {"": "known"}
    """What :func:`with_interval` adds to the name of an interval, and the interval it names."""

    value: float
    percentile: Interval
    bca: Interval

    @property
    def known(self) -> Interval:
        """The BCa interval, or the percentile interval where only that is known.

        Examples
        --------
        >>> Estimate(0.5, Interval(0.4, 0.6), UNKNOWN).known
        Interval(low=0.4, high=0.6)
        """
        return self.percentile if math.isnan(self.bca.low) else self.bca


def measure_text(label: str, distance: bool) -> str:
    """A measure's label, with an arrow where small means alike."""
    return f"{label} ↓" if distance else label


def count_text(number: int, noun: str) -> str:
    """A number of things.

    Examples
    --------
    >>> count_text(1, "row"), count_text(1234, "row"), count_text(0, "pair")
    ('1 row', '1,234 rows', '0 pairs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def first_names(names: Sequence[str], most: int = 3, between: str = ", ") -> str:
    """The first of some names, and whether there are more.

    Examples
    --------
    >>> first_names(["a.py", "b.py"]), first_names("abcdef")
    ('a.py, b.py', 'a, b, c, …')
    """
    return between.join([*names[:most], *(["…"] if len(names) > most else [])])


def percent_text(share: float) -> str:
    """A share in percent, as exact as it was given.

    Examples
    --------
    >>> percent_text(0.95), percent_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * share:.6g} %"


def share_text(share: float, digits: int = 1) -> str:
    """A share in percent, rounded; it reads 0 or 100 only if it is exactly that.

    Examples
    --------
    >>> share_text(21 / 34), share_text(0.99999), share_text(1.0), share_text(0.256, 0)
    ('61.8 %', '99.9 %', '100 %', '26 %')
    """
    if math.isnan(share):
        return NOTHING
    least = 10.0**-digits
    percent = round(100 * share, digits)
    return f"{percent if share in (0.0, 1.0) else min(max(percent, least), 100 - least):.6g} %"


def part_text(score: float) -> str:
    """A similarity from 0 to 1, rounded; it reads 0 or 1 only if it is exactly that.

    Examples
    --------
    >>> part_text(0.9956), part_text(1.0), part_text(0.876)
    ('0.99', '1.00', '0.88')
    """
    value = score if score in (0.0, 1.0) else min(max(score, 0.01), 0.99)
    return f"{value:.2f}"


def number_text(
    value: float, distance: bool = False, sign: bool = False, digits: int | None = None
) -> str:
    """A number for people: four decimals, or two for a distance, which counts edits.

    Examples
    --------
    >>> number_text(0.41235), number_text(12.3, distance=True), number_text(0.1, sign=True)
    ('0.4123', '12.30', '+0.1000')
    >>> number_text(0.41235, digits=3)
    '0.412'
    """
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    digits = (2 if distance else 4) if digits is None else digits
    shown = f"{value:{'+' if sign else ''}.{digits}f}"
    return shown if float(shown) else shown.replace("-", "").replace("+", "")


def effect_text(value: float) -> str:
    """An effect or a correlation for people."""
    return number_text(value, digits=EFFECT_DIGITS)


def interval_text(
    interval: Interval, distance: bool = False, sign: bool = False, digits: int | None = None
) -> str:
    """An interval for people."""
    if math.isnan(interval.low):
        return NOTHING
    low, high = (number_text(end, distance, sign, digits) for end in (interval.low, interval.high))
    return f"[{low}, {high}]"


def p_text(value: float) -> str:
    """A p-value for people.

    Examples
    --------
    >>> p_text(0.0004), p_text(0.0321), p_text(1.0)
    ('0.0004', '0.0321', '1.0000')
    """
    if math.isnan(value):
        return NOTHING
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"


@dataclass(frozen=True)
class ShownAs:
    """A value that people read as another text than records have it.

    Attributes
    ----------
    value : object
        As records have it.
    text : str
        As people read it.
    distance : bool
        Whether the scores in the same row are distances.
    beneath : str
        A second, smaller text that pages have under the first.
    title : str
        What pages say of it on hovering.
    heat : float or None
        How strongly pages tint it, from -1 to 1.
    link : tuple of (str, str)
        What it opens on the page of a run, such as ``(("pair", "r1"), ("measure", "bleu"))``.
    """

    value: Any
    text: str
    distance: bool = False
    beneath: str = ""
    title: str = ""
    heat: float | None = None
    link: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Names:
    """A cell that lists names; a terminal shows as many of them as there is room for."""

    widest: ClassVar[int] = 72
    """Cells of a terminal that a list has at most."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return ", ".join(self.names)

    def within(self, width: int = widest) -> str:
        """As many names as fit into a width, and the number of others.

        Examples
        --------
        >>> names = Names(("a.py", "b.py", "c.py"))
        >>> names.within(40), names.within(15), names.within(10)
        ('a.py, b.py, c.py', 'a.py and 2 more', '3 more')
        """
        from rich.cells import cell_len

        names = [plain(name) for name in self.names]
        whole = ", ".join(names)
        shown = len(names)
        while cell_len(whole) > width and shown:
            shown -= 1
            more = f"{len(names) - shown:,} more"
            whole = f"{', '.join(names[:shown])} and {more}" if shown else more
        return whole


def measure_cell(label: str, distance: bool) -> ShownAs:
    """The cell that names a measure: with an arrow for people, its label in records."""
    return ShownAs(label, measure_text(label, distance), distance)


@dataclass(frozen=True)
class Column:
    """A column of a grid.

    Attributes
    ----------
    head : str
        Shown above the column.
    name : str or None
        Its name in records: the head by default, and empty for a column that records do not have.
    digits : int or None
        Decimals; four by default, and two for distances.
    sign : bool
        Whether positive numbers have a plus sign.
    p_values : bool
    distance : bool
        Whether its numbers are distances in every row.
    optional : bool
        Whether people see it only where a row has a value other than 0; a 0 is blank then.
    shown : bool
        Whether people see it at all.
    detail : bool
        Whether people see it only where they ask for details; see :meth:`Grid.detailed`.
    bar : bool
        Whether terminals draw its numbers, from 0 to 1, as bars as well.
    wraps : bool
        Whether its texts are aligned to the left, and wrapped where a terminal is too narrow.
    beneath : bool
        Whether pages have its cells under those of the column before it.
    meaning : str
        What it holds, in words; pages say it on hovering.
    above : str
        What pages have above the heads of all columns in a row that share it.
    """

    head: str
    name: str | None = None
    digits: int | None = None
    sign: bool = False
    p_values: bool = False
    distance: bool = False
    optional: bool = False
    shown: bool = True
    detail: bool = False
    bar: bool = False
    wraps: bool = False
    beneath: bool = False
    meaning: str = ""
    above: str = ""

    def text(self, cell: Any, distance: bool = False) -> str:
        """A cell of the column for people."""
        distance = distance or self.distance
        match cell:
            case ShownAs():
                return cell.text
            case None:
                return NOTHING
            case Estimate():
                return self.text(cell.value, distance)
            case Interval():
                return interval_text(cell, distance, self.sign, self.digits)
            case int():
                return f"{cell:,}" if cell or not self.optional else ""
            case float():
                return (
                    p_text(cell)
                    if self.p_values
                    else number_text(cell, distance, self.sign, self.digits)
                )
        return str(cell)

    def visible(self, cells: Sequence[Any]) -> bool:
        """Whether people see the column, given its cells."""
        hidden = not self.shown or self.detail
        return not hidden and not (self.optional and all(map(_missing, cells)))


def recorded(*names: str) -> tuple[Column, ...]:
    """Columns that records have and people do not see."""
    return tuple(Column("", name, shown=False) for name in names)


def _missing(cell: Any) -> bool:
    cell = cell.value if isinstance(cell, Estimate) else cell
    return cell is None or (math.isnan(cell) if isinstance(cell, float) else cell == 0)


GridColumns = tuple[Column | str, ...]
"""Of a grid; a text is the head of a plain column."""


@dataclass(frozen=True)
class TextGrid:
    """A grid as people see it: rows of texts under heads; see :class:`Grid`.

    Its `places` are those of the visible columns among all, and `left` says which of them are
    aligned to the left: keys and names, unless they are numbers, and texts that wrap.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int
    strong: frozenset[tuple[int, int]]
    places: tuple[int, ...]
    left: tuple[bool, ...]
    wraps: tuple[bool, ...]


@dataclass(frozen=True)
class Grid:
    """Rows of values under columns, for people and for records.

    Attributes
    ----------
    title : str
        Shown above it.
    columns : tuple of (Column or str)
        A text is the head of a plain column.
    cells : tuple of tuples
        The rows: texts, numbers, :class:`Interval`, :class:`Estimate`, :class:`ShownAs`,
        :class:`Names` or None.
    keys : int
        How many of the first columns say what a row is about. Their texts are aligned to the
        left, all other cells but names to the right. Where a table is too wide the texts are
        folded, and where that is not enough all keys are repeated in each part that it is cut into.
    strong : frozenset of (int, int)
        Emphasised cells, by row and column: the best of several.
    note : str
        What it lists, or how to read it.
    mutual : bool
        Whether it compares the same things with each other, so that its diagonal says nothing.
    reasons : tuple of (str or None)
        Why a row lacks values, for each row; pages say it on hovering over a missing value.

    Examples
    --------
    >>> grid = Grid("", ("measure", Column("mean")), ((measure_cell("ed", True), 12.5),))
    >>> grid.rows, grid.records()
    ((('ed ↓', '12.50'),), [{'measure': 'ed', 'mean': 12.5}])
    """

    title: str
    columns: GridColumns
    cells: tuple[tuple[Any, ...], ...]
    keys: int = 1
    strong: frozenset[tuple[int, int]] = frozenset()
    note: str = ""
    mutual: bool = False
    reasons: tuple[str | None, ...] = ()

    @property
    def all_columns(self) -> list[Column]:
        """The columns, those that people do not see included."""
        return [Column(one) if isinstance(one, str) else one for one in self.columns]

    @cached_property
    def texts(self) -> TextGrid:
        """The grid as people see it."""
        columns = self.all_columns
        seen = [i for i, one in enumerate(columns) if one.visible([row[i] for row in self.cells])]
        places = {column: place for place, column in enumerate(seen)}
        rows = []
        for row in self.cells:
            distance = any(isinstance(cell, ShownAs) and cell.distance for cell in row)
            rows.append(tuple(columns[i].text(row[i], distance) for i in seen))
        return TextGrid(
            self.title,
            tuple(columns[i].head for i in seen),
            tuple(rows),
            sum(i < self.keys for i in seen),
            frozenset((row, places[i]) for row, i in self.strong if i in places),
            tuple(seen),
            tuple(columns[i].wraps or self._left(i) for i in seen),
            tuple(columns[i].wraps for i in seen),
        )

    def _left(self, column: int) -> bool:
        kinds = {type(row[column]) for row in self.cells}
        numbers = bool(kinds & {int, float}) and kinds <= {int, float, type(None), Estimate}
        return Names in kinds or (column < self.keys and not numbers)

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns that people see."""
        return self.texts.heads

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The texts that people see."""
        return self.texts.rows

    def detailed(self) -> Grid:
        """The same grid with the columns that people see only where they ask for details.

        Examples
        --------
        >>> grid = Grid("", ("measure", Column("d_z", detail=True)), (("bleu", 0.5),))
        >>> grid.heads, grid.detailed().heads
        (('measure',), ('measure', 'd_z'))
        """
        columns = tuple(dataclasses.replace(one, detail=False) for one in self.all_columns)
        return dataclasses.replace(self, columns=columns)

    def records(self) -> list[dict[str, Any]]:
        """One record per row, for data frames; None where a number is missing.

        An interval has a field for each of its ends, and an estimate another one for its value.
        """
        names, *rows = self.lines()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def lines(self) -> Iterator[list[Any]]:
        """The names of the fields of records, and then the values of each record, as for CSV."""
        columns = []  # of each the place, the name, and what follows it in the names of fields
        for i, one in enumerate(self.all_columns):
            kinds = {type(row[i]) for row in self.cells}
            ends: tuple[str, ...] = ("_low", "_high") if Interval in kinds else ("",)
            ends = ("", "_low", "_high") if Estimate in kinds else ends
            name = one.head if one.name is None else one.name
            if name or one.name is None:
                columns.append((i, name, ends))
        yield [name + end for _, name, ends in columns for end in ends]
        for row in self.cells:
            yield [value for i, _, ends in columns for value in _fields_of(row[i], len(ends))]


def _fields_of(cell: Any, fields: int) -> Sequence[Any]:
    match cell:
        case None:
            return (None,) * fields
        case ShownAs():
            return _fields_of(cell.value, fields)
        case Estimate():
            return finite(cell.value), *_fields_of(cell.known, 2)
        case Interval():
            return finite(cell.low), finite(cell.high)
        case Names():
            return (str(cell),)
        case float():
            return (finite(cell),)
    return (cell,)


@dataclass(frozen=True)
class Mark:
    """A value in a row of a forest plot.

    Attributes
    ----------
    kind : str
        Its shape, ``main``, ``diamond`` or ``square``; or the colour of a bar, ``bar-0`` and so on.
    value : float
        Nothing is drawn where it is nan.
    said : str
        In words.
    intervals : tuple of Interval
        The first is drawn thin, the next thicker; those that are unknown are left out.
    beside : float, optional
        Another value that a bar is compared with.
    """

    kind: str
    value: float
    said: str
    intervals: tuple[Interval, ...] = ()
    beside: float | None = None


@dataclass(frozen=True)
class Point:
    """A dot in a scatter plot; `label` is put beside it where there is room."""

    x: float
    y: float
    said: str
    label: str = ""
    interval: Interval | None = None


@dataclass(frozen=True)
class Curve:
    """A line in a plot of curves.

    Attributes
    ----------
    name : str
    points : tuple of (float, float)
        Across and up, both from 0 to 1.
    said : str
        In words.
    color : int
        The number of its colour; from 8 on it is dashed.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    said: str
    color: int = 0


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A plot as data, which report/plots draws.

    Attributes
    ----------
    title : str
        What it is of, such as the label of a measure.
    tag : str
        What is particular about it, in a word or two.
    caption : str
    reason : str
        Why there is nothing to draw; empty where there is.
    """

    title: str
    tag: str = ""
    caption: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ForestRow:
    """A row of a forest plot.

    Attributes
    ----------
    name : ShownAs
    marks : tuple of Mark
        The value and the interval of the first are also shown as numbers.
    title : str
        What is said of the name on hovering.
    reason : str
        Why there is nothing to draw.
    apart : bool
        Whether it is set apart from the others, as a baseline is.
    """

    name: ShownAs
    marks: tuple[Mark, ...]
    title: str = ""
    reason: str = ""
    apart: bool = False


@dataclass(frozen=True, kw_only=True)
class Forest(Figure):
    """Rows of marks on one axis.

    Attributes
    ----------
    head : str
        What the numbers are.
    rows : tuple of ForestRow
    label : str
        What the rows are.
    zero : float
        The value that says nothing, where there is a line and where bars begin.
    reference : float
        Where there is a dashed line; nan for none.
    bars : bool
        Whether marks are bars.
    digits : int
        Decimals of the numbers.
    """

    head: str
    rows: tuple[ForestRow, ...]
    label: str = "measure"
    zero: float = 0.0
    reference: float = math.nan
    bars: bool = False
    digits: int = EFFECT_DIGITS


@dataclass(frozen=True, kw_only=True)
class Histograms(Figure):
    """Two histograms with the same bins, over each other: their names and counts."""

    ends: Interval
    first: tuple[str, Sequence[int]]
    second: tuple[str, Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class ShareBars(Figure):
    """Bars as wide as the share of rows that they are of.

    Attributes
    ----------
    bars : tuple of (float, float, str)
        Share, height, and both in words.
    height : Interval
        Of the axis.
    base : float
        The height that all rows have together.
    axes : (str, str)
        What is across and what is up.
    """

    bars: tuple[tuple[float, float, str], ...]
    height: Interval
    base: float
    axes: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Scatter(Figure):
    """Dots by two numbers.

    Attributes
    ----------
    points : tuple of Point
    axes : (str, str)
        What is across and what is up.
    around : float or None
        A value that the axis upwards must have.
    times : bool
        Whether the numbers across are microseconds, on a logarithmic axis.
    diagonal : bool
        Whether both axes are from 0 to 1, with a dashed line where both numbers are equal.
    """

    points: tuple[Point, ...]
    axes: tuple[str, str]
    around: float | None = None
    times: bool = False
    diagonal: bool = False


@dataclass(frozen=True, kw_only=True)
class Curves(Figure):
    """Lines in the unit square, such as precision by recall.

    Attributes
    ----------
    curves : tuple of Curve
    axes : (str, str)
        What is across and what is up.
    base : float
        The height of a dashed line; nan for none.
    """

    curves: tuple[Curve, ...]
    axes: tuple[str, str]
    base: float = math.nan


@dataclass(frozen=True)
class Section:
    """A part of a page: words, grids and figures, and then further parts.

    Attributes
    ----------
    title, text : str
    key : tuple of (str, str)
        What the shapes and colours of its figures mean.
    content : tuple of Grid or Figure
    parts : tuple of Section
    choice : str
        What a reader chooses among the parts, such as ``Measure``; empty where all are seen.
    folded : bool
        Whether it is opened on demand.
    alarming : bool
        Whether nobody may overlook it.
    grade : str
        How much it matters, if it is a finding: ``high``, ``medium`` or ``low``.
    advice : str
        What to do about it, on a line of its own.
    """

    title: str
    text: str = ""
    key: tuple[tuple[str, str], ...] = ()
    content: tuple[Grid | Figure, ...] = ()
    parts: tuple[Section, ...] = ()
    choice: str = ""
    folded: bool = False
    alarming: bool = False
    grade: str = ""
    advice: str = ""


def finite(number: float) -> float | None:
    """A number for JSON, which cannot express infinity or not-a-number."""
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class DocumentEntry:
    """How an attribute of a dataclass goes into its document.

    Attributes
    ----------
    attribute : str
        A field, or a property that `computed` of the class lists.
    name : str
        The key in the document.
    by : str
        The attribute that the items of a sequence are keyed by, which become an object then.
    interval : str
        The key of the interval of a value, which is a key of its own next to the value.
    inlined : bool
        Whether the entries of the attribute are put in place of it.
    optional : bool
        Whether the key is left out where the attribute is None.
    """

    attribute: str = ""
    name: str = ""
    by: str = ""
    interval: str = ""
    inlined: bool = False
    optional: bool = False
    left_out: bool = field(default=False, repr=False)


class Constraint:
    """Keywords of JSON Schema for a value of a document, besides those of its type."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


Finite = Annotated[float, Constraint(type="number")]
"""A number that is never missing, for the schema of a document."""
Level = Annotated[float, Constraint(type="number", exclusiveMinimum=0, exclusiveMaximum=1)]
"""The level of intervals."""

_ENTRY = "codekin"
LEFT_OUT = {_ENTRY: DocumentEntry(left_out=True)}
"""Metadata of a field that the document does not have."""
INLINED = {_ENTRY: DocumentEntry(inlined=True)}
"""Metadata of a field whose own fields take its place in the document."""
OPTIONAL = {_ENTRY: DocumentEntry(optional=True)}
"""Metadata of a field that the document has only where it is not None."""


def named(name: str) -> dict[str, DocumentEntry]:
    """Metadata of a field that has another name in the document."""
    return {_ENTRY: DocumentEntry(name=name)}


def keyed(by: str) -> dict[str, DocumentEntry]:
    """Metadata of a sequence that becomes an object, keyed by an attribute of its items."""
    return {_ENTRY: DocumentEntry(by=by)}


def with_interval(interval: str = "", name: str = "") -> dict[str, DocumentEntry]:
    """Metadata of a value whose interval is a key of its own, such as ``auc_ci``.

    Parameters
    ----------
    interval : str
        The key of the interval; that of the value with ``_ci`` by default.
    name : str
        The key of the value; the name of the field by default.
    """
    return {_ENTRY: DocumentEntry(name=name, interval=interval or "_ci")}


@cache
def entries(kind: type) -> tuple[DocumentEntry, ...]:
    """What the document of a dataclass consists of: its fields, and what it lists as computed."""
    found = []
    for one in dataclasses.fields(kind):
        entry = one.metadata.get(_ENTRY, DocumentEntry())
        if not entry.left_out:
            name = entry.name or one.name
            interval = name + entry.interval if entry.interval == "_ci" else entry.interval
            found.append(
                dataclasses.replace(entry, attribute=one.name, name=name, interval=interval)
            )
    computed: Mapping[str, str] = getattr(kind, "computed", {})
    for name, attribute in computed.items():
        found.append(DocumentEntry(attribute, name.removesuffix("?"), optional=name.endswith("?")))
    return tuple(found)


def as_document(value: Any) -> Any:
    """A value as JSON has it: made of objects, lists, texts and finite numbers.

    Examples
    --------
    >>> as_document(Estimate(0.5, Interval(0.4, 0.6), UNKNOWN))
    {'value': 0.5, 'percentile': [0.4, 0.6], 'bca': None}
    """
    match value:
        case Enum():
            return value.value
        case None | str() | int():
            return value
        case float():
            return finite(value)
        case Interval():
            ends = [value.low, value.high]
            return ends if all(map(math.isfinite, ends)) else None
    if dataclasses.is_dataclass(value):
        document: dict[str, Any] = {}
        kind: type = type(value)
        for entry in entries(kind):
            document |= _entry_document(entry, getattr(value, entry.attribute))
        return document
    if hasattr(value, "_asdict"):  # a named tuple
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: as_document(one) for key, one in value.items()}
    if hasattr(value, "tolist"):  # an array
        return as_document(value.tolist())
    return [as_document(one) for one in value]


def _entry_document(entry: DocumentEntry, value: Any) -> dict[str, Any]:
    if entry.inlined:
        return dict(as_document(value))
    if entry.optional and value is None:
        return {}
    if entry.by:
        return {entry.name: {getattr(one, entry.by): as_document(one) for one in value}}
    if entry.interval:
        intervals = {
            entry.interval + suffix: as_document(getattr(value, attribute))
            for suffix, attribute in value.intervals.items()
        }
        return {entry.name: finite(value.value), **intervals}
    return {entry.name: as_document(value)}


class Tabular(ABC):
    """What has a table of records, and so data frames and CSV."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Grid:
        """The table that records are made of."""

    def to_pandas(self) -> Any:
        """A data frame with one row per record of :meth:`table`."""
        names, *rows = self.table().lines()
        return _frames("pandas").DataFrame(rows, columns=names)

    def to_polars(self) -> Any:
        """A polars frame with one row per record of :meth:`table`."""
        names, *rows = self.table().lines()
        # A column may begin with whole numbers, or with nothing, and have fractions later.
        return _frames("polars").DataFrame(
            rows, schema=names, orient="row", infer_schema_length=None, strict=False
        )

    def to_csv(self, path: str | Path | None = None) -> str:
        """The records as CSV; also written to `path` where one is given."""
        return written_text(_render().csv_of(self.table()), path)


class Result(Tabular):
    """What every result offers: grids, figures, notes and warnings, and the formats of them."""

    __slots__ = ()

    computed: ClassVar[Mapping[str, str]] = {}
    """Keys of the document that are no fields, with the properties that they are taken from.

    A key that ends in ``?`` is left out where the property is None.
    """

    versioned: ClassVar[bool] = True
    """Whether the document begins with the version of codekin."""

    def grids(self) -> list[Grid]:
        """The tables that people read."""
        return []

    def table(self) -> Grid:
        """The table that records are made of; the first one by default."""
        return self.grids()[0]

    def section(self) -> Section:
        """The result as pages show it; its grids by default."""
        grids = self.grids()
        title = next((grid.title for grid in grids if grid.title), "Result")
        return Section(title, content=tuple(grids))

    def notes(self) -> list[str]:
        """How the values were computed, and why some are missing."""
        return []

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        return []

    def conclusion(self) -> list[str]:
        """What the values say, in sentences; the first one is the answer."""
        return []

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records of the table, for the document."""
        return self.table().records()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The conclusion, for the document."""
        return tuple(self.conclusion())

    def document(self) -> dict[str, Any]:
        """The JSON document, as the command prints it with ``--format json``."""
        from codekin._version import __version__  # which loads importlib.metadata

        version = {"codekin": __version__} if self.versioned else {}
        return {**version, **as_document(self)}

    def to_json(self, path: str | Path | None = None) -> str:
        """The document as JSON, which is ASCII; also written to `path` where one is given."""
        return written_text(json_text(self.document()), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """The tables and notes as Markdown; also written to `path` where one is given."""
        text = _render().markdown_of(self.grids(), self.notes(), self.conclusion())
        return written_text(text, path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """The tables and notes as LaTeX; also written to `path` where one is given."""
        text = _render().latex_of(self.grids(), self.notes(), self.conclusion())
        return written_text(text, path)

    def to_html(self, path: str | Path | None = None) -> str:
        """The section and notes as a page that works offline; also written to `path` if given."""
        page = _render().page_of(self.section(), self.notes(), self.warnings(), self.conclusion())
        return written_text(page, path)

    def _repr_html_(self) -> str:
        notes = [*self.warnings(), *self.notes()]
        return str(_render().html_of(self.grids(), notes, self.conclusion()))

    def __str__(self) -> str:
        notes = [*self.warnings(), *self.notes()]
        return str(_render().text_of(self.grids(), notes, self.conclusion()))


_Item = TypeVar("_Item")


class ResultList(Result, Sequence[_Item]):
    """A result of many items; a notebook or a terminal shows a thousand, frames and files all.

    A subclass is a dataclass whose field `held` has the items.
    """

    __slots__ = ()

    held: ClassVar[str]
    """The field with the items, which is a tuple."""
    noun: ClassVar[str]
    """What an item is called."""
    row_noun: ClassVar[str] = "row"
    """What is called a line of the table."""
    most_shown: ClassVar[int] = 1000

    @property
    def _items(self) -> tuple[_Item, ...]:
        items: tuple[_Item, ...] = getattr(self, self.held)
        return items

    @overload
    def __getitem__(self, index: int) -> _Item: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> _Item | Self:
        if isinstance(index, slice):
            return dataclasses.replace(self, **{self.held: self._items[index]})  # type: ignore[type-var]
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[_Item]:
        return iter(self._items)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {count_text(len(self), self.noun)}>"

    def grids(self) -> list[Grid]:
        """The table, and at most a thousand lines of it."""
        whole = self.table()
        title = whole.title or count_text(len(self), self.noun)
        shown = whole.cells[: self.most_shown]
        return [dataclasses.replace(whole, title=title, cells=shown)]

    def notes(self) -> list[str]:
        """What is not shown."""
        hidden = len(self) - self.most_shown
        more = f"{hidden:,} more {self.row_noun}s; to_pandas, to_polars and to_csv have all"
        return [more] if hidden > 0 else []


def _frames(package: str) -> Any:
    """A package of data frames, which codekin does not need otherwise."""
    try:
        return import_module(package)
    except ImportError:
        raise CodekinError(
            f"to_{package} needs {package}; install it with: pip install 'codekin[frames]'"
        ) from None


def _render() -> Any:
    """The renderers, the one import of a higher layer: what is never shown never loads them."""
    return import_module("codekin.report.render")


def json_text(document: Any) -> str:
    """A JSON document in ASCII, so that no terminal or pipe can damage it."""
    return f"{json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False)}\n"


def written_text(text: str, path: str | Path | None) -> str:
    """A text; also written to `path` where one is given."""
    if path is not None:
        try:
            with whole_file(Path(path)) as file:
                file.write(text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise CodekinError(
                f"{path}: cannot be written ({error.strerror or error}); name a file in a folder "
                "that exists"
            ) from None
    return text
