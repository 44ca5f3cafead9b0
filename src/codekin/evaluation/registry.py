"""The table of evaluations, from which help, JSON schemas, views of runs and pages are derived."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, get_type_hints

__all__ = ["EVALUATIONS", "Evaluation", "evaluation_of"]


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
        None if it scores rows as they are, or none at all. Runs with a view are judged by
        ``judge_NAME``, and a report shows the ``section`` of the result.
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
    def judge(self) -> Callable[..., Any]:
        """The function that judges a run, for evaluations with a view."""
        found: Callable[..., Any] = getattr(_module(self), f"judge_{self.name}")
        return found

    @property
    def view_class(self) -> type:
        """The class of its view, for evaluations that have one."""
        found: type = getattr(_module(self), self.view or "")
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


def evaluation_of(kind: str) -> Evaluation | None:
    """The evaluation that makes runs of this kind; None if none does.

    Examples
    --------
    >>> evaluation_of("card").view_class
    <class 'codekin.evaluation.card.Changes'>
    >>> evaluation_of("adequacy") is None
    True
    """
    return next((one for one in EVALUATIONS if one.name == kind and one.view), None)


def _module(one: Evaluation) -> Any:
    return import_module(f"codekin.evaluation.{one.name}")
