"""Pairs of snippets with their labels, as arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from codekin.corpora.snippets import UNKNOWN_LABEL, Problems, Snippet, label_of, side_named
from codekin.errors import CodekinError
from codekin.results import LEFT_OUT, Grid, Result, first_names
from codekin.runs.columns import to_numpy

__all__ = ["PAIR_TEXTS", "TYPES", "UNKNOWN_LABEL", "PairColumn", "Pairs"]

TYPES = ("T1", "T2", "VST3", "ST3", "MT3", "WT3/T4")
"""Types of clones, from equal texts to texts that share little but what they do."""

_TYPE = re.compile(r"(?:VS|S|M|W)?T[1-4](?:/T4)?")
"""Types of clones, those of other scales included."""

PAIR_TEXTS = ("id1", "id2", "type", "basis", "side")
"""The columns of texts in a table of pairs."""

PairColumn = tuple[npt.NDArray[np.int8], tuple[str, ...]]
"""Codes, -1 where a pair has none, and the texts that they stand for."""


@dataclass(frozen=True, eq=False)
class Pairs(Result):
    """Pairs of a corpus's snippets.

    Attributes
    ----------
    first, second : int32 arrays
        The positions of the two snippets in the corpus.
    label : int8 array
        1 for clones, 0 for others, -1 where it is not known.
    type : PairColumn or None
        The type of clone, one of `TYPES`.
    basis : PairColumn or None
        Why a pair has its label, such as ``example x tagged_true``.
    side : PairColumn or None
        The side of the view that a pair belongs to.
    """

    computed: ClassVar[Mapping[str, str]] = {"pairs": "records"}

    first: npt.NDArray[np.int32] = field(metadata=LEFT_OUT)
    second: npt.NDArray[np.int32] = field(metadata=LEFT_OUT)
    label: npt.NDArray[np.int8] = field(metadata=LEFT_OUT)
    type: PairColumn | None = field(default=None, metadata=LEFT_OUT)
    basis: PairColumn | None = field(default=None, metadata=LEFT_OUT)
    side: PairColumn | None = field(default=None, metadata=LEFT_OUT)

    def __len__(self) -> int:
        return len(self.first)

    def grids(self) -> list[Grid]:
        """How many pairs there are of each label, type, basis and side."""
        facts = [("not known", int(np.count_nonzero(self.label == UNKNOWN_LABEL)))]
        for name, column in (("type", self.type), ("basis", self.basis), ("side", self.side)):
            if column is not None:
                codes, texts = column
                counts = np.bincount(codes[codes >= 0], minlength=len(texts)).tolist()
                facts += [(f"{name} {text}", n) for text, n in zip(texts, counts, strict=True)]
        shown = (
            *(("pairs", len(self)), ("clones", self.positives), ("base rate", self.rate)),
            *((name, count) for name, count in facts if count),
        )
        return [Grid("Pairs", ("", ""), shown)]

    def table(self) -> Grid:
        """One record per pair: the positions of both snippets, and what is known of the pair."""
        known: dict[str, list[Any]] = {
            "first": self.first.tolist(),
            "second": self.second.tolist(),
            "label": [None if one == UNKNOWN_LABEL else one for one in self.label.tolist()],
        }
        for name, column in (("type", self.type), ("basis", self.basis), ("side", self.side)):
            if column is not None:
                codes, texts = column
                known[name] = [None if code < 0 else texts[code] for code in codes.tolist()]
        return Grid("", tuple(known), tuple(zip(*known.values(), strict=True)), keys=2)

    @property
    def positives(self) -> int:
        """How many are clones."""
        return int(np.count_nonzero(self.label == 1))

    @property
    def rate(self) -> float:
        """The share of clones among the pairs whose label is known; nan without any."""
        known = int(np.count_nonzero(self.label != UNKNOWN_LABEL))
        return self.positives / known if known else float("nan")

    def take(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Pairs:
        """Some of the pairs, by a mask or by their positions."""
        columns: dict[str, PairColumn | None] = {}
        for name in ("type", "basis", "side"):
            column: PairColumn | None = getattr(self, name)
            columns[name] = None if column is None else (column[0][chosen], column[1])
        return replace(
            self,
            first=self.first[chosen],
            second=self.second[chosen],
            label=self.label[chosen],
            **columns,
        )

    def of_side(self, side: str) -> Pairs:
        """The pairs of one side of a view."""
        if self.side is None:
            raise CodekinError("the pairs have no sides; split the corpus first")
        codes, names = self.side
        return self.take(codes == (names.index(side) if side in names else len(names)))

    def moved(self, places: npt.NDArray[np.int32]) -> Pairs:
        """The pairs after snippets moved to other places, without those of snippets that are gone.

        Parameters
        ----------
        places : int32 array
            For each old position the new one, -1 for a snippet that is gone.
        """
        first, second = places[self.first], places[self.second]
        kept = (first >= 0) & (second >= 0)
        found = self.take(kept)
        return replace(found, first=first[kept], second=second[kept])

    @classmethod
    def of_rows(
        cls, rows: Iterable[Mapping[str, object]], snippets: Sequence[Snippet], problems: Problems
    ) -> Pairs:
        """Pairs out of rows with ``id1``, ``id2`` and, where known, ``label``, ``type``, ``basis``.

        Labels are those of :func:`codekin.corpora.snippets.label_of`. In rows without any label, a
        type of clone says that a pair is a clone. What labels were taken for is noted.
        """
        places = {one.id: i for i, one in enumerate(snippets)}
        first, second, label = [], [], []
        words: set[str] = set()
        texts: dict[str, list[str | None]] = {"type": [], "basis": [], "side": []}
        for i, row in enumerate(rows, 1):
            ends = [_name(row.get("id1")), _name(row.get("id2"))]
            missing = [one for one in ends if one not in places]
            if "" in ends:
                problems.add("a pair without id1 or id2", f"row {i}")
                continue
            if missing:
                for one in missing:
                    problems.add("a pair names a snippet that is not there", one)
                continue
            value = label_of(row.get("label"))
            if value is None:
                why = "a label that is neither a whole number nor true, false, yes or no"
                problems.add(why, f"row {i}: {row.get('label')!r}")
                continue
            words.add(_name(row.get("label")))
            try:
                side = side_named(_name(row.get("side")))
            except CodekinError as error:
                problems.add(str(error), f"row {i}")
                continue
            first.append(places[ends[0]])
            second.append(places[ends[1]])
            label.append(value)
            for name, column in texts.items():
                given = side if name == "side" else _name(row.get(name))
                column.append((_type_named(given) if name == "type" else given) if given else None)
        _check_words(words, problems)
        unlabelled = bool(words) and words <= {"", "nan"}
        if unlabelled and any(texts["type"]):
            label = [1 if _TYPE.fullmatch(kind or "") else UNKNOWN_LABEL for kind in texts["type"]]
            problems.note("no pair has a label, so pairs with a type of clone count as clones")
        elif unlabelled:
            problems.note("no pair has a label, so nothing is known of which are clones")
        columns = {name: coded(column) for name, column in texts.items()}
        return cls(
            np.array(first, np.int32),
            np.array(second, np.int32),
            np.array(label, np.int8),
            **{name: column for name, column in columns.items() if column is not None},
        )

    def to_arrow(self, snippets: Sequence[Snippet]) -> pa.Table:
        """A table of the pairs by the ids of their snippets."""
        ids = pa.array([one.id for one in snippets], pa.string())
        columns = {
            "id1": pa.DictionaryArray.from_arrays(pa.array(self.first, pa.int32()), ids),
            "id2": pa.DictionaryArray.from_arrays(pa.array(self.second, pa.int32()), ids),
            "label": pa.array(self.label, pa.int8(), mask=self.label == UNKNOWN_LABEL),
        }
        for name in ("type", "basis", "side"):
            column: PairColumn | None = getattr(self, name)
            if column is not None:
                codes, texts = column
                columns[name] = pa.DictionaryArray.from_arrays(
                    pa.array(codes, pa.int8(), mask=codes < 0), pa.array(texts, pa.string())
                )
        return pa.table(columns)

    @classmethod
    def from_arrow(cls, table: pa.Table, snippets: Sequence[Snippet], problems: Problems) -> Pairs:
        """The pairs of a table that :meth:`to_arrow` made, or any other with its columns."""
        ids = pa.array([one.id for one in snippets], pa.string())
        ends = []
        for name in ("id1", "id2"):
            codes, names = _codes(table.column(name))
            found = pc.index_in(pa.array([*names, None], pa.string()), ids).fill_null(-1)
            places = found.to_numpy(zero_copy_only=False).astype(np.int32)[codes]
            for row in np.flatnonzero(places < 0).tolist():
                missing = names[codes[row]] if codes[row] >= 0 else None
                problems.add("a pair names a snippet that is not there", str(missing))
            ends.append(np.maximum(places, 0))
        label = np.full(len(table), UNKNOWN_LABEL, np.int8)
        if "label" in table.column_names:
            label = table.column("label").fill_null(UNKNOWN_LABEL).to_numpy().astype(np.int8)
        columns = {}
        for name in ("type", "basis", "side"):
            if name in table.column_names:
                codes, names = _codes(table.column(name))
                used, first = np.unique(codes[codes >= 0], return_index=True)
                order = used[np.argsort(first)]  # as they first occur
                texts = tuple(names[code] for code in order.tolist())
                _check_names(texts)
                moved = np.full(len(names) + 1, -1, np.int8)
                moved[order] = np.arange(len(order))
                columns[name] = (moved[codes], texts)
        return cls(ends[0], ends[1], label, **columns)


def _codes(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], list[str]]:
    """A column of texts as codes, -1 where there is none, and the texts, each of them once.

    Texts in a dictionary are never written out: a small file may have long ones in many rows.
    """
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    else:
        column = column.cast(pa.string()).dictionary_encode()
    parts = column.chunks
    names = parts[0].dictionary.cast(pa.string()).to_pylist() if parts else []
    codes = [to_numpy(part.indices.cast(pa.int64()).fill_null(-1)) for part in parts]
    found = np.concatenate([np.zeros(0), *codes]).astype(np.int64)
    return found, names


def coded(texts: Sequence[str | None]) -> PairColumn | None:
    """Texts as codes in the order in which they first occur; None where there is none at all."""
    names = tuple(dict.fromkeys(one for one in texts if one is not None))
    if not names:
        return None
    _check_names(names)
    places = {name: i for i, name in enumerate(names)}
    codes = np.array([-1 if one is None else places[one] for one in texts], np.int8)
    return codes, names


def _check_names(names: Sequence[str]) -> None:
    if len(names) > 127:
        raise CodekinError(
            f"{len(names)} different texts in a column of pairs, and 127 are the most; the first "
            f"are {', '.join(names[:3])}"
        )


def _type_named(word: str) -> str:
    """A type of clone as codekin writes it, if it is one.

    Examples
    --------
    >>> _type_named("Type-1"), _type_named("wt3/4"), _type_named("MT3"), _type_named("other")
    ('T1', 'WT3/T4', 'MT3', 'other')
    """
    short = re.sub(r"(?i)type[\s_-]*", "T", word).upper()
    if short in ("WT3", "WT3/4", "WT3/T4", "WT3/TT4", "T3/T4", "T4/WT3"):
        return "WT3/T4"
    return short if _TYPE.fullmatch(short) else word


def _check_words(words: set[str], problems: Problems) -> None:
    """Say what unusual labels were taken for, and refuse those that may mean two things."""
    if {"-1", "0"} <= words:
        problems.add(
            "labels are 0 and -1, which may mean not known; leave such labels out", "0, -1"
        )
    elif "-1" in words:
        problems.note("pairs with the label -1 are read as no clones")
    kinds = sorted(word for word in words if word.isdigit() and int(word) > 1)
    if kinds:
        problems.note(f"labels {first_names(kinds, 10)} are types of clones, and read as clones")


def _name(given: object) -> str:
    """An id as snippets have it: a number may come as 2.0 from a table with gaps."""
    if given is None:
        return ""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    return str(given).strip()
