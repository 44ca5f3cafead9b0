"""Triplets as pairs: each positive and each negative as a candidate, the anchor as reference."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from codekin.engine.near_duplicates import near_duplicate
from codekin.engine.row import Row, field_name, identity, renamed, row_of
from codekin.engine.rows import Record, type_name
from codekin.engine.settings import FIELDS, Settings
from codekin.engine.view import RowTexts
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.source import Source

__all__ = ["ROLES", "Triplets"]

ROLES = ("positive", "negative")
_TEXTS = ("anchor", *ROLES)
_NOTES = ("key", "anchor_key", "copy", "copy_similarity")
"""What notes say of a row; fields of the input with these names would be taken for it."""

_LONGEST_NAME = 200


@dataclass(frozen=True)
class Triplets:
    """A row for the positive and one for the negative of each triplet."""

    fields: ClassVar[tuple[str, ...]] = ("id", "problem", "language", *_TEXTS)
    most: ClassVar[int] = len(ROLES)

    def describe(self) -> dict[str, Any]:
        """What stands in the manifest."""
        return {"kind": "triplets"}

    def rows(
        self, record: Record, number: int, settings: Settings, settle: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The two rows, or one with the reason where the record is no triplet."""
        assert record.fields is not None
        given = renamed(record.fields, settings.columns)
        name, first = identity(given, number), number * self.most
        try:
            problem = _problem(given)
            texts = {role: _text(given, role) for role in _TEXTS}
            _refuse_two_languages(*(texts[role][0] for role in ROLES))
        except CodekinError as error:
            yield Row(name, first, f"{record.where}: {error}")
            return
        own = {*FIELDS, *self.fields, *_NOTES}
        others = {key: value for key, value in given.items() if key not in own}
        for place, role in enumerate(ROLES):
            fields = {
                **others,
                "id": f"{name}/{role}",
                "triplet": name,
                "role": role,
                "group": role,
                "problem": problem,
                "language": texts[role][0],
                "candidate": texts[role][1],
                "reference_language": texts["anchor"][0],
                "reference": texts["anchor"][1],
            }
            yield row_of(fields, record.where, first + place, settings)

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """Whether the candidate is a copy of the anchor, and what tells copies elsewhere."""
        anchor = texts.references[0]
        notes: dict[str, Any] = {"key": _key(texts.candidate), "anchor_key": _key(anchor)}
        found = near_duplicate(texts.candidate, anchor)
        if found is not None:
            notes["copy"], notes["copy_similarity"] = found
        return notes


def _problem(given: Mapping[str, object]) -> str | None:
    """The problem's name; of a long one, such as its whole statement, the beginning and a hash."""
    name = field_name(given, "problem")
    if name is None or len(name) <= _LONGEST_NAME:
        return name
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{name[:60]}… {digest}"


def _text(given: Mapping[str, object], role: str) -> tuple[str | None, str]:
    """The language and the code of a role; a bare text has the language of the row."""
    value = given.get(role)
    if value is None:
        known = ", ".join(map(str, given)) or "nothing"
        raise CodekinError(
            f"no field {role!r} (it has: {known}); a triplet has an anchor, a positive and a "
            "negative, each {language, code}"
        )
    if isinstance(value, str):
        return field_name(given, "language"), value
    if not isinstance(value, Mapping):
        raise CodekinError(f"{role} must be {{language, code}} or a text, not {type_name(value)}")
    code = value.get("code")
    if not isinstance(code, str):
        raise CodekinError(f"{role}: its code must be a text, not {type_name(code)}")
    return field_name(value, "language") or field_name(given, "language"), code


def _refuse_two_languages(positive: str | None, negative: str | None) -> None:
    """A negative of another language would be told from the positive by that alone."""
    if positive is None or negative is None:
        return
    if get_language(positive) is not get_language(negative):
        raise CodekinError(
            f"positive is in {positive} and negative in {negative}; both must be of one language"
        )


def _key(source: Source) -> str:
    """Sixteen hex digits that texts of the same tokens share; indentation is among them."""
    data = "\0".join(source.tokens.texts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=8).hexdigest()
