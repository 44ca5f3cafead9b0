"""Programs against themselves after one change each, for the card of a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from codekin.engine.row import Row, identity, renamed, row_of
from codekin.engine.rows import Record, type_name
from codekin.engine.settings import Settings
from codekin.engine.view import RowTexts
from codekin.engine.views.edits import row_seed
from codekin.rewrite import BREAKING, PRESERVING, rewritable_languages, rewrite
from codekin.source import Source

__all__ = ["Changes"]

_CHANGES = (*PRESERVING, *BREAKING)


@dataclass(frozen=True)
class Changes:
    """A row for each change that a program admits: changed, against itself as it was.

    Parameters
    ----------
    seed : int
    """

    fields: ClassVar[tuple[str, ...]] = ("id", "language", "code")
    most: ClassVar[int] = len(_CHANGES)
    seed: int = 0

    def describe(self) -> dict[str, Any]:
        """What stands in the manifest."""
        return {"kind": "card", "seed": self.seed}

    def rows(
        self, record: Record, number: int, settings: Settings, settle: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The rows, or one with the reason where there is none."""
        assert record.fields is not None
        given = renamed(record.fields, settings.columns)
        name, first = identity(given, number), number * self.most
        code = given.get("code")
        fields = {
            "id": name,
            "program": name,
            "language": given.get("language"),
            "candidate": code,
            "reference": code,
        }
        row = row_of(fields, record.where, first, settings)
        if not isinstance(code, str):
            known = ", ".join(map(str, given)) or "nothing"
            missing = f"no field 'code' (it has: {known})"
            wrong = f"code must be a text, not {type_name(code)}"
            row.problem = f"{record.where}: {wrong if 'code' in given else missing}"
        settle(row)
        if row.problem is not None:
            yield row
            return
        assert row.candidate is not None
        source = Source(row.candidate, row.language)
        some = False
        for place, change in enumerate(_CHANGES):
            changed = rewrite(source, change, row_seed(self.seed, number)) if row.language else None
            if changed is not None:
                some = True
                yield replace(
                    row,
                    id=f"{name}/{change}",
                    number=first + place,
                    candidate=changed,
                    group=change,
                )
        if not some:
            languages = ", ".join(rewritable_languages())
            row.problem = (
                f"{record.where}: no change could be made; a program must parse and be of one of "
                f"{languages}"
            )
            yield row

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """Nothing: the group says which change it was."""
        return {}
