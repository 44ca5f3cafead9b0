"""Edits as they are, or changed in a way that leaves their outcome alone."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from codekin.engine.row import Row, renamed, row_of
from codekin.engine.rows import Record
from codekin.engine.settings import FIELDS, Settings
from codekin.engine.view import RowTexts
from codekin.errors import CodekinError
from codekin.measures import measure
from codekin.rewrite import PRESERVING, rewrite, shared_prefix
from codekin.source import Source

__all__ = ["Edits", "check_perturbation", "row_seed"]

_PREFIX = re.compile(r"prefix:([0-9]{1,9})(?:-([0-9]{1,9}))?")
_LONGEST = 1_000_000
_SAME = measure("exact", tokens=True)
_NOTES = ("unchanged", "equal")
"""What notes say of a row; fields of the input with these names would be taken for it."""


@dataclass(frozen=True)
class Edits:
    """Rows of predictions or edits, each as it is or perturbed.

    Parameters
    ----------
    perturb : str or None
        ``prefix:2000-3000`` puts random text of so many characters before origin, references and
        candidate alike; the name of a change that keeps the meaning, such as ``locals``, is done
        to the candidate alone. A row that cannot be changed is left out.
    seed : int
    """

    fields: ClassVar[tuple[str, ...]] = FIELDS
    most: ClassVar[int] = 1
    perturb: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.perturb is not None:
            check_perturbation(self.perturb)

    def describe(self) -> dict[str, Any]:
        """What stands in the manifest."""
        return {"kind": "outcomes", "perturb": self.perturb, "seed": self.seed}

    def rows(
        self, record: Record, number: int, settings: Settings, settle: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The row, unless it cannot be changed."""
        assert record.fields is not None
        given = renamed(record.fields, settings.columns)
        known = {name: value for name, value in given.items() if name not in _NOTES}
        row = row_of(known, record.where, number, settings)
        if self.perturb is None or row.problem is not None:
            yield row
            return
        assert row.candidate is not None
        seed = row_seed(self.seed, number)
        if bounds := _bounds(self.perturb):
            prefix = shared_prefix(*bounds, seed)
            settle(row)  # by what was there before, for the prefix is no code
            yield replace(
                row,
                candidate=prefix + row.candidate,
                references=tuple(prefix + text for text in row.references or ()),
                origin=None if row.origin is None else prefix + row.origin,
            )
            return
        settle(row)
        if row.language is None:
            return
        changed = rewrite(Source(row.candidate, row.language), self.perturb, seed)
        if changed is not None:
            yield replace(row, candidate=changed)

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """Whether the candidate is the origin untouched, and whether it is a reference.

        Both up to layout and comments, which no test sees.
        """
        if self.perturb is not None:
            return {}
        notes = {}
        if texts.origin is not None:
            notes["unchanged"] = _same(texts.candidate, texts.origin)
        notes["equal"] = any(_same(texts.candidate, one) for one in texts.references)
        return notes


def row_seed(seed: int, number: int) -> int:
    """A seed of its own for each record of the input."""
    return seed * 1_000_003 + number


def _same(first: Source, second: Source) -> bool:
    return _SAME.score(first, second).value == 1.0


def check_perturbation(word: str) -> None:
    """Refuse what is no perturbation, and say which there are."""
    bounds = _bounds(word)
    if bounds is None and word not in PRESERVING:
        close = difflib.get_close_matches(word, ["prefix:2000-3000", *PRESERVING], n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        if word.startswith("prefix"):
            hint = "; write prefix:2000-3000, with the least and the most characters"
        raise CodekinError(
            f"unknown perturbation {word!r}{hint} (known: prefix:LEAST-MOST, "
            f"{', '.join(PRESERVING)})"
        )
    if bounds is not None and not bounds[0] <= bounds[1] <= _LONGEST:
        raise CodekinError(
            f"perturbation {word!r}: write prefix:LEAST-MOST, of at most {_LONGEST:,} characters"
        )


def _bounds(word: str) -> tuple[int, int] | None:
    found = _PREFIX.fullmatch(word)
    return None if found is None else (int(found[1]), int(found[2] or found[1]))
