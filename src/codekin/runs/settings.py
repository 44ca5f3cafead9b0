"""Settings: everything except the rows that decides what a scoring job writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from codekin.errors import CodekinError
from codekin.languages import Language, get_language
from codekin.measures import (
    Measure,
    distinct,
    given_measures,
    measure,
    measure_label,
    measure_names,
)
from codekin.represent.text.chat_answers import CHOICES
from codekin.source import Source

if TYPE_CHECKING:
    from codekin.runs.row import Row
    from codekin.runs.rows import Record

__all__ = [
    "COMPLETE",
    "ENTRY_POINT",
    "FIELDS",
    "PROMPT",
    "PROMPTS",
    "WHOLE_PROGRAMS",
    "RowTexts",
    "RowView",
    "Settings",
    "check_choice",
    "check_reading",
    "chosen_measures",
    "parameter_fingerprint",
    "view_of",
]

FIELDS = (
    "id",
    "language",
    "candidate",
    "reference",
    "references",
    "reference_language",
    "origin",
    "outcome",
    "group",
    "weight",
)
"""The fields of a row that codekin reads."""

PROMPT = "prompt"
"""The field of a row that its candidate and references may continue."""

PROMPTS = (PROMPT, "complete_prompt")
"""What benchmarks call it."""

ENTRY_POINT = "entry_point"
"""The field of a row that names the function which a benchmark calls."""

WHOLE_PROGRAMS = frozenset({"solution"})
"""Columns of candidates that harnesses run as they are, without the prompt before them."""

COMPLETE = "candidate_is_complete"
"""The field of a row whose candidate was run as it is; or that has the name of such a column."""

RESERVED = frozenset(
    {*FIELDS, "row", "reference_key", "fields", "problem", "form"}
    | {"parses", "reference_parses", "joined", "reference_joined"}
)
"""Names of present or future columns of a run, which no measure can have."""

_COLUMNS = ("lower", "upper", "parts", "statistics", "problem")
"""The further columns of each measure, after its name and a dot."""

_MOST_SECONDS = 10**8
"""Three years, near the limit of the timer on some systems."""

_VIEWS = "codekin.evaluation.registry"
"""The module that knows the view of each kind; imported when a run with a view is resumed."""


@dataclass(frozen=True)
class Settings:
    """What a scoring job does with its rows.

    Attributes
    ----------
    measures : tuple of Measure
    columns : mapping of str to str
        Maps a field of codekin to its name in the input.
    language : str or None
        The language of rows without one; detected if None.
    max_bytes : int
        Rows whose texts are longer together, in UTF-8, are recorded and not scored.
    max_seconds : float
        The processor time that a row may take.
    texts : bool
        Whether the run keeps the texts.
    shard_rows : int or None
        Records per shard; None for 125 at first and then up to 1,000.
    view : RowView or None
        How to make rows from records that are not pairs of candidate and reference.
    extract : str or None
        Which blocks of a chat model's answer are its code: ``first``, ``last`` or ``all``; None to
        compare answers as they are.
    missing : str
        ``zero`` or ``skip``: whether a row without a candidate has the score of no code at all, or
        none.
    prompt : bool
        Whether prompts begin programs, so that they are put before texts that continue them.
    composed : bool
        Whether the rows have codekin's names already, whatever `columns` says.
    guessed : tuple of str
        The languages to choose from for a row without one, if the rows have several; empty for all.
    """

    measures: tuple[Measure, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None
    max_bytes: int = 1_000_000
    max_seconds: float = 600.0
    texts: bool = True
    shard_rows: int | None = None
    view: RowView | None = None
    extract: str | None = None
    missing: str = "skip"
    prompt: bool = False
    composed: bool = False
    guessed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.measures:
            raise CodekinError("score: no measure to score by; name one")
        check_reading(self.columns, self.shard_rows, self.view)
        check_choice("extract_code", self.extract, (None, *CHOICES))
        check_choice("missing", self.missing, ("zero", "skip"))
        taken = sorted(RESERVED.intersection(self.labels))
        if taken:
            raise CodekinError(f"score: a measure cannot be named {taken[0]!r}, like a column")
        for label in self.labels:
            base, _, column = label.rpartition(".")
            if base in self.labels and column in _COLUMNS:
                raise CodekinError(
                    f"score: a measure cannot be named {label!r}, like a column of {base!r}"
                )
        if self.language is not None:
            if not isinstance(self.language, str):
                raise CodekinError(f"score: language must be a name, not {self.language!r}")
            object.__setattr__(self, "language", get_language(self.language).name)
        _check_whole("max_bytes", self.max_bytes)
        seconds = self.max_seconds
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0.001 <= seconds <= _MOST_SECONDS
        ):
            raise CodekinError(
                f"score: max_seconds must be a number from 0.001 to {_MOST_SECONDS:,}, not "
                f"{seconds!r}"
            )

    @property
    def renames(self) -> Mapping[str, str]:
        """The columns of the rows as workers receive them."""
        return {} if self.composed else self.columns

    def signature(self, one: Measure) -> str:
        """The signature of a measure, with what is done to the texts before it sees them."""
        *words, version = one.signature().split("|")
        words += [] if self.extract is None else [f"extract:{self.extract}"]
        words += ["prompt:joined"] if self.prompt else []
        return "|".join([*words, version])

    @property
    def labels(self) -> list[str]:
        """A distinct name for each measure, which names its columns in the run."""
        return distinct([measure_label(one) for one in self.measures])


def check_reading(
    columns: Mapping[str, str], shard_rows: int | None, view: RowView | None = None
) -> None:
    """Refuse wrong columns or a wrong size of shards."""
    known = FIELDS if view is None else view.fields
    if not isinstance(columns, Mapping):
        raise CodekinError(f"score: columns must be a mapping, not {columns!r}")
    for name, column in columns.items():
        if not isinstance(column, str):
            raise CodekinError(f"columns: the name of a column is a text, not {column!r}")
        if name not in known:
            raise CodekinError(
                f"columns: {name!r} is not a field of a row (known: {', '.join(known)}); "
                "write FIELD=COLUMN"
            )
    if shard_rows is not None:
        _check_whole("shard_rows", shard_rows)


def check_choice(name: str, value: object, known: Sequence[str | None]) -> None:
    """Refuse a word that is not one of those known."""
    if value not in known:
        words = ", ".join(one for one in known if one is not None)
        raise CodekinError(f"{name} must be one of {words}, not {value!r}")


def _check_whole(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise CodekinError(f"score: {name} must be a whole number from 1, not {value!r}")


def chosen_measures(
    given: str | Measure | Sequence[str | Measure] | None,
    *,
    origin: bool,
    languages: Collection[Language] = (),
) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """The measures of a job, and the names of those left out because they cannot score the rows.

    Parameters
    ----------
    given : str, Measure, any object with a ``score``, a sequence of them, or None
        None means every measure.
    origin : bool
        Whether the rows have an origin. If not, naming a measure that needs one is an error.
    languages : collection of Language
        Those of the rows, if they are known. Without measures named, one that suits none of them
        is left out.
    """
    chosen = given_measures(given)
    if chosen is None:
        everything = [measure(name) for name in measure_names()]
        kept = tuple(
            one
            for one in everything
            if (origin or not one.needs_origin)
            and (not languages or any(one.suits(language) for language in languages))
        )
        return kept, tuple(one.name for one in everything if one not in kept)
    needing = [measure_label(one) for one in chosen if one.needs_origin]
    if needing and not origin:
        raise CodekinError(
            f"{', '.join(needing)}: needs an origin, and the rows have none; give each row an "
            "'origin', or name its column"
        )
    return tuple(chosen), ()


def parameter_fingerprint(one: Measure) -> str:
    """Eight hex digits of the whole configuration of a measure.

    The label leaves out what is too long to show; this does not.
    """
    kind = type(one)
    what: list[Any] = [f"{kind.__module__}.{kind.__qualname__}", sorted(one.parameters.items())]
    return hashlib.sha256(repr(what).encode("utf-8", "backslashreplace")).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class RowTexts:
    """The texts of a row, parsed once for all measures.

    Attributes
    ----------
    candidate : Source
        What is scored.
    references : tuple of Source
        What it is scored against.
    origin : Source or None
        What both were made from.
    """

    candidate: Source
    references: tuple[Source, ...]
    origin: Source | None


class RowView(Protocol):
    """How to make rows from records that are not pairs; sent to workers, without state."""

    fields: ClassVar[tuple[str, ...]]
    """The fields of a record that it reads; they may have other names in the input."""

    @property
    def most(self) -> int:
        """The most rows that a record may become."""

    def describe(self) -> dict[str, Any]:
        """How the manifest records it: ``kind``, and all that decides the rows."""

    def rows(
        self, record: Record, number: int, settings: Settings, detect: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The rows of a record, numbered from ``number * most`` on.

        Parameters
        ----------
        record : Record
        number : int
            Its position in the input, from 0.
        settings : Settings
        detect : callable
            Sets the language of a row without one.
        """

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """What else is known about a row once it is parsed; kept among its fields."""


def view_of(description: Mapping[str, Any] | None) -> RowView | None:
    """The view that a manifest describes.

    Examples
    --------
    >>> view_of({"kind": "triplets"})
    Triplets()
    """
    if description is None:
        return None
    evaluation = import_module(_VIEWS).evaluation_of(description["kind"])
    if evaluation is not None:
        kind = evaluation.view_class
        given = {name: value for name, value in description.items() if name != "kind"}
        known = {one.name for one in fields(kind)} >= set(given)
        if (
            known
            and type(given.get("seed", 0)) is int
            and isinstance(given.get("perturb"), str | None)
        ):
            view: RowView = kind(**given)
            return view
    raise CodekinError(
        f"the rows of the run were made by {dict(description)}, which this codekin does not "
        "know; resume it with the version that wrote it"
    )
