"""What the measures of edits say of an alignment's three texts."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from codekin.errors import CodekinError
from codekin.measures import Measure, Score, measure, measure_classes
from codekin.report.three_way.revisions import RevisionAlignment

__all__ = ["MeasureLine", "revision_scores"]

_PLAIN_TOKENS = "13a"


@dataclass(frozen=True, slots=True)
class MeasureLine:
    """A measure and its score, or why it gives none."""

    name: str
    score: Score | None
    problem: str = ""


def revision_scores(aligned: RevisionAlignment) -> tuple[MeasureLine, ...]:
    """Score the candidate under every measure that looks at the origin.

    Texts that are no code are scored by their words where a measure can do that.

    Examples
    --------
    >>> from codekin.report.three_way import align_revisions
    >>> texts = "return a - b", "return a + b", "return a * b"
    >>> lines = revision_scores(align_revisions(*texts, language="python"))
    >>> [(one.name, round(one.score.value, 4)) for one in lines if one.name == "sari"]
    [('sari', 0.5)]
    """
    made = []
    for name, forms in measure_classes().items():
        own = forms.get(None)
        if own is not None and own.needs_origin:
            made.append(_line(name, own, aligned))
    return tuple(made)


def _line(name: str, own: type[Measure], aligned: RevisionAlignment) -> MeasureLine:
    texts = aligned.candidate, aligned.reference, aligned.origin
    try:
        if not aligned.plain:
            return MeasureLine(name, measure(name).score(*texts))
        if any(f.name == "tokens" for f in dataclasses.fields(own)):
            return MeasureLine(name, measure(name, tokens=_PLAIN_TOKENS).score(*texts))
    except CodekinError as error:
        if not aligned.plain:
            return MeasureLine(name, None, str(error))
    return MeasureLine(name, None, "it reads code, and these are texts without a language")
