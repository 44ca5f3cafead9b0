"""Settings: everything besides the rows that decides what a scoring job writes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.measures import Measure, distinct, measure, measure_label, measure_names

__all__ = ["FIELDS", "Settings", "chosen_measures", "parameter_fingerprint"]

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
"""The fields of a row that have a meaning here; see DESIGN's row formats in the documentation."""


@dataclass(frozen=True)
class Settings:
    """What a scoring job was asked to do with its rows.

    Attributes
    ----------
    measures : tuple of Measure
    columns : mapping of str to str
        For a field of codekin's, the name that it has in the input.
    language : str or None
        The language of rows that name none; detected where this is None too.
    max_bytes : int
        Rows whose texts are longer together, in UTF-8, are recorded and not scored.
    max_seconds : float
        The processor time after which a row is given up.
    texts : bool
        Whether the run keeps the texts.
    shard_rows : int
        How many rows a shard has.
    """

    measures: tuple[Measure, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None
    max_bytes: int = 1_000_000
    max_seconds: float = 600.0
    texts: bool = True
    shard_rows: int = 1000

    def __post_init__(self) -> None:
        if not self.measures:
            raise CodekinError("score: no measure to score by; name one")
        for name in self.columns:
            if name not in FIELDS:
                raise CodekinError(
                    f"columns: {name!r} is no field of a row (known: {', '.join(FIELDS)}); "
                    "write FIELD=COLUMN"
                )
        if self.language is not None:
            object.__setattr__(self, "language", get_language(self.language).name)
        for name, least in (("max_bytes", 1), ("shard_rows", 1), ("max_seconds", 0.001)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
                raise CodekinError(f"score: {name} must be a number from {least}, not {value!r}")

    @property
    def labels(self) -> list[str]:
        """A name of its own for each measure; it names the measure's columns in the run."""
        return distinct(measure_label(one) for one in self.measures)


def chosen_measures(
    given: str | Measure | Sequence[str | Measure] | None, *, origin: bool
) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """The measures of a job, and the names of those left out because the rows have no origin.

    Parameters
    ----------
    given : str, Measure, a sequence of them, or None
        None stands for every measure there is.
    origin : bool
        Whether the rows have an origin. A measure asked for by name that needs one is an error
        where they have none.
    """
    if given is None:
        everything = [measure(name) for name in measure_names()]
        kept = tuple(one for one in everything if origin or not one.needs_origin)
        return kept, tuple(one.name for one in everything if one not in kept)
    if isinstance(given, str | Measure):
        given = [given]
    chosen = []
    for one in given:
        if not isinstance(one, str | Measure):
            raise CodekinError(
                f"score: a measure is a name or an object of measure(...), not {one!r}"
            )
        chosen.append(measure(one) if isinstance(one, str) else one)
    needy = [measure_label(one) for one in chosen if one.needs_origin]
    if needy and not origin:
        raise CodekinError(
            f"{', '.join(needy)}: needs an origin, and the rows have none; give each row an "
            "'origin', or name its column"
        )
    return tuple(chosen), ()


def parameter_fingerprint(one: Measure) -> str:
    """Eight hex digits of everything that a measure was configured with.

    The label leaves out what is too long to show; this does not.
    """
    kind = type(one)
    what: list[Any] = [f"{kind.__module__}.{kind.__qualname__}", sorted(one.parameters.items())]
    return hashlib.sha256(repr(what).encode("utf-8", "backslashreplace")).hexdigest()[:8]
