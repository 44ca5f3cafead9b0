"""View: how the records of an input become the rows that are scored, where they are no pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from codekin.errors import CodekinError
from codekin.source import Source

if TYPE_CHECKING:
    from codekin.runs.row import Row
    from codekin.runs.rows import Record
    from codekin.runs.settings import Settings

__all__ = ["RowTexts", "View", "view_of"]

_VIEWS = {
    "triplets": "codekin.evaluation.triplets:Triplets",
    "outcomes": "codekin.evaluation.outcomes:Edits",
    "card": "codekin.evaluation.card:Changes",
}
"""Where the view of each kind is defined; loaded when a job needs it."""


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


class View(Protocol):
    """What a job makes of its records; a view travels to other processes and holds no state."""

    fields: ClassVar[tuple[str, ...]]
    """The fields of a record that mean something, and may be called otherwise in the input."""

    @property
    def most(self) -> int:
        """How many rows a record may become."""

    def describe(self) -> dict[str, Any]:
        """What stands in the manifest: ``kind``, and all that decides the rows."""

    def rows(
        self, record: Record, number: int, settings: Settings, settle: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The rows of a record, numbered from ``number * most`` on.

        Parameters
        ----------
        record : Record
        number : int
            Its position in the input, from 0.
        settings : Settings
        settle : callable
            Finds the language of a row that names none.
        """

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """What else a row says of itself, once it is parsed; kept among its fields."""


def view_of(description: Mapping[str, Any] | None) -> View | None:
    """The view that a manifest describes.

    Examples
    --------
    >>> view_of({"kind": "triplets"})
    Triplets()
    """
    if description is None:
        return None
    home = _VIEWS.get(description["kind"])
    if home is not None:
        module, name = home.split(":")
        kind = getattr(import_module(module), name)
        given = {name: value for name, value in description.items() if name != "kind"}
        known = {one.name for one in fields(kind)} >= set(given)
        if (
            known
            and type(given.get("seed", 0)) is int
            and isinstance(given.get("perturb"), str | None)
        ):
            view: View = kind(**given)
            return view
    raise CodekinError(
        f"the rows of the run were made by {dict(description)}, which this codekin does not "
        "know; resume it with the version that wrote it"
    )
