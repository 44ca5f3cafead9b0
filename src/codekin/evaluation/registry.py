"""The table of evaluations, from which help, JSON schemas, views of runs and pages are derived."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, get_type_hints

__all__ = ["EVALUATIONS", "Evaluation", "view_class"]


class Evaluation(NamedTuple):
    """A way to judge measures: ``evaluate_NAME`` in the module ``codekin.evaluation.NAME``.

    Attributes
    ----------
    name : str
        Of its command, ``codekin evaluate NAME``.
    basis : str
        What measures are judged by; its heading in the help.
    summary : str
        The first sentence of the help of its command.
    view : str or None
        The class in its module that makes rows of its records, and whose ``kind`` is the name;
        None if it scores rows as they are, or none at all.
    """

    name: str
    basis: str
    summary: str
    view: str | None = None

    @property
    def function(self) -> Callable[..., Any]:
        """Its function, which is public under the same name."""
        found: Callable[..., Any] = getattr(_module(self), f"evaluate_{self.name}")
        return found

    @property
    def result(self) -> type:
        """The type of its result."""
        found: type = get_type_hints(self.function)["return"]
        return found


EVALUATIONS = (
    Evaluation(
        "triplets",
        "By programs",
        "Judge measures by triplets of right and wrong programs.",
        view="Triplets",
    ),
    Evaluation(
        "outcomes",
        "By programs",
        "Judge measures by rows with an outcome, such as tests passed.",
        view="Edits",
    ),
    Evaluation(
        "card",
        "By changes",
        "Show how measures react to changes whose effect is known.",
        view="Changes",
    ),
    Evaluation(
        "adequacy",
        "By changes",
        "Test measures of edits against the adequacy criteria.",
    ),
)


def view_class(kind: str) -> type | None:
    """The view that made the rows of a run of this kind; None if no evaluation has such runs.

    Examples
    --------
    >>> view_class("card")
    <class 'codekin.evaluation.card.Changes'>
    """
    for one in EVALUATIONS:
        if one.name == kind and one.view is not None:
            found: type = getattr(_module(one), one.view)
            return found
    return None


def _module(one: Evaluation) -> Any:
    return import_module(f"codekin.evaluation.{one.name}")
