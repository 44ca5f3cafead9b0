"""What a job makes of records that are no pairs: triplets, perturbed edits, changed programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codekin.engine.view import View
from codekin.engine.views.changes import Changes
from codekin.engine.views.edits import Edits
from codekin.engine.views.triplets import Triplets

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
    return _KINDS[description["kind"]](
        **{name: value for name, value in description.items() if name != "kind"}
    )
