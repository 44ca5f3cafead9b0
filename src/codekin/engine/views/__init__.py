"""What a job makes of records that are no pairs: triplets, perturbed edits, changed programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from codekin.engine.view import View
from codekin.engine.views.changes import Changes
from codekin.engine.views.edits import Edits
from codekin.engine.views.triplets import Triplets
from codekin.errors import CodekinError

__all__ = ["Changes", "Edits", "Triplets", "view_of"]

_KINDS: Mapping[str, type[Changes | Edits | Triplets]] = {
    "triplets": Triplets,
    "outcomes": Edits,
    "card": Changes,
}


def view_of(description: Mapping[str, Any] | None) -> View | None:
    """The view that a manifest describes.

    Examples
    --------
    >>> view_of({"kind": "triplets"})
    Triplets()
    """
    if description is None:
        return None
    kind = _KINDS.get(description["kind"])
    given = {name: value for name, value in description.items() if name != "kind"}
    known = kind is not None and {one.name for one in fields(kind)} >= set(given)
    sound = type(given.get("seed", 0)) is int and isinstance(given.get("perturb"), str | None)
    if kind is None or not known or not sound:
        raise CodekinError(
            f"the rows of the run were made by {dict(description)}, which this codekin does not "
            "know; resume it with the version that wrote it"
        )
    return kind(**given)
