"""View: how the records of an input become the rows that are scored, where they are no pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from codekin.source import Source

if TYPE_CHECKING:
    from codekin.engine.row import Row
    from codekin.engine.rows import Record
    from codekin.engine.settings import Settings

__all__ = ["RowTexts", "View"]


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
