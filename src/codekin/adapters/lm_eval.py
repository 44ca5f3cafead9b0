"""A metric, a filter and results of edits for the tasks of lm-evaluation-harness.

Importing this module registers the metric ``codekin`` and the filter ``codekin_code``. In the YAML
of a task, ``!function codekin.adapters.lm_eval.similarity`` imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.filter import Filter
from lm_eval.api.registry import register_filter, register_metric

from codekin.errors import CodekinError
from codekin.measures import Measure, distinct, given_measures, measure_label
from codekin.represent.text.chat_answers import extract_code

__all__ = ["CodeFilter", "edit_results", "similarity"]


@register_filter("codekin_code")
class CodeFilter(Filter):
    r"""Replaces each answer by the code in it: its first fenced block, if it has one.

    Examples
    --------
    >>> CodeFilter().apply([["Sure!\n```python\nx = 1\n```"]], [{}])
    [['x = 1\n']]
    """

    def apply(
        self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]
    ) -> list[list[str]]:
        """The code of each answer, for each document."""
        return [[extract_code(one) for one in answers] for answers in resps]


@register_metric(metric="codekin", higher_is_better=True, aggregation="mean")
def similarity(
    references: Sequence[str],
    predictions: Sequence[str],
    measures: str | Sequence[str] = "codebleu",
    language: str | None = None,
) -> dict[str, float]:
    """Score one answer by its similarity to its only target.

    For documents with several targets or an origin, use :func:`edit_results`: the harness reduces
    the scores against several targets to 0 or 1.

    Parameters
    ----------
    references, predictions : sequence of str
        One text each, from the harness.
    measures : str or sequence of str
        The measures; each is a metric of the task under its name.
    language : str, optional
        The language of both texts; detected by default.

    Examples
    --------
    >>> similarity(["x = 1"], ["x = 2"], measures="nes,exact", language="python")
    {'nes': 0.8, 'exact': 0.0}
    """
    (reference,), (prediction,) = references, predictions
    chosen = _measures("similarity", measures)
    return _scores(chosen, prediction, [reference], None, language)


def edit_results(
    measures: str | Sequence[str] = "es",
    *,
    reference: str = "reference",
    origin: str | None = None,
    language: str | None = None,
) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, float]]:
    """Make a ``process_results`` for documents with an origin or with several references.

    Parameters
    ----------
    measures : str or sequence of str
        The measures; each is a metric of the task under its name.
    reference, origin : str
        The fields of a document: its reference, or a list of them; and the text that was edited.
    language : str, optional
        The language of all texts; detected by default.

    Examples
    --------
    >>> process_results = edit_results("es", reference="after", origin="before", language="python")
    >>> process_results({"before": "x = 1", "after": "x = 2"}, ["x = 2"])
    {'es': 1.0}
    """
    chosen = _measures("edit_results", measures)
    needing = [one.name for one in chosen if one.needs_origin]
    if origin is None and needing:
        raise CodekinError(
            f"edit_results: {needing[0]} compares edits; name the field that holds the text before "
            'the edit, as in origin="before"'
        )

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
        known = _field(doc, reference)
        before = None if origin is None else _field(doc, origin)
        many = [known] if isinstance(known, str) else list(known)
        return _scores(chosen, results[0], many, before, language)

    return process_results


def _measures(caller: str, given: str | Sequence[str]) -> list[Measure]:
    made = given_measures(given)
    if not made:
        raise CodekinError(f"{caller}: name at least one measure")
    return made


def _field(doc: Mapping[str, Any], name: str) -> Any:
    if name not in doc:
        raise CodekinError(f"a document has no field {name!r} (it has: {', '.join(map(str, doc))})")
    return doc[name]


def _scores(
    measures: Sequence[Measure],
    candidate: str,
    references: Sequence[str],
    origin: str | None,
    language: str | None,
) -> dict[str, float]:
    names = distinct(map(measure_label, measures))
    return {
        name: float(one.score(candidate, origin=origin, references=references, language=language))
        for name, one in zip(names, measures, strict=True)
    }
