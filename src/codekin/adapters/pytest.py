"""assert_similar: a test that generated code is close enough to what was expected."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence

from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.measures import Measure, Score, given_measures, measure_label
from codekin.plain_text import plain
from codekin.source import Source

__all__ = ["assert_similar"]

_SHOWN_LINES = 40
_SHOWN_WIDTH = 300


def assert_similar(
    candidate: Source | str,
    reference: Source | str | None = None,
    origin: Source | str | None = None,
    *,
    at_least: float = 0.9,
    measure: str | Measure = "codebleu",
    references: Sequence[Source | str] | None = None,
    language: str | Language | None = None,
) -> None:
    """Assert that a candidate is similar to a reference, and explain the score if it is not.

    Parameters
    ----------
    candidate, reference : Source or str
        The texts.
    origin : Source or str, optional
        The text that both were made from, for measures of edits.
    at_least : float
        The lowest score that passes, in [0, 1].
    measure : str or Measure
        Any similarity, such as ``"bleu:order=2"``.
    references : sequence of Source or str, optional
        Several references, instead of `reference`.
    language : str or Language, optional
        The language of texts given as str; detected by default.

    Raises
    ------
    AssertionError
        With the score, its explanation and a diff.

    Examples
    --------
    >>> assert_similar("x = 1", "x = 1  # one", language="python")
    >>> assert_similar("x = 1", "y = 2", measure="nes", language="python")
    Traceback (most recent call last):
    AssertionError: nes is 0.6000, below 0.9
    ...
    """
    __tracebackhide__ = True
    made = _similarity(measure)
    # Whatever is not a number fails the comparison, NaN included.
    if isinstance(at_least, bool) or not (isinstance(at_least, int | float) and 0 <= at_least <= 1):
        raise CodekinError(f"assert_similar: at_least must be a number in [0, 1], not {at_least!r}")
    found = made.score(candidate, reference, origin, references=references, language=language)
    if found.value < at_least:
        raise AssertionError(_failure(found, at_least))


def _similarity(measure: str | Measure) -> Measure:
    made = given_measures(measure)
    if made is None or len(made) != 1:
        raise CodekinError(f"assert_similar: give one measure, not {measure!r}")
    if made[0].distance:
        raise CodekinError(
            f"assert_similar: {made[0].name} is a distance, so it has no lowest score that passes; "
            "choose a similarity, such as nes"
        )
    return made[0]


def _failure(score: Score, at_least: float) -> str:
    """What a failed test prints."""
    candidate, reference = score.pair
    name = measure_label(score.measure)
    lines = [f"{name} is {score.value:.4f}, below {at_least:g}"]
    # Only a value that rounds to the threshold needs all its digits.
    if f"{score.value:.4f}" == f"{at_least:.4f}":
        lines = [f"{name} is {score.value!r}, below {at_least!r}"]
    lines += [_shortened(line) for line in str(score.explain()).splitlines()]
    diff = difflib.unified_diff(
        reference.text.splitlines(),
        candidate.text.splitlines(),
        "reference",
        "candidate",
        "",
        "",
        3,
    )
    shown = [_shortened(line.rstrip("\n")) for line in itertools.islice(diff, _SHOWN_LINES + 1)]
    if len(shown) > _SHOWN_LINES:
        shown[-1] = "..."
    return "\n".join([*lines, *shown, score.signature])


def _shortened(line: str) -> str:
    return plain(line if len(line) <= _SHOWN_WIDTH else f"{line[:_SHOWN_WIDTH]}...")
