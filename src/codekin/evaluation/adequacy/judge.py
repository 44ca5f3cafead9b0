"""evaluate_adequacy: which criteria of revision similarity measures break, and how often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codekin.errors import CodekinError
from codekin.evaluation.adequacy.criteria import chosen_criteria
from codekin.evaluation.adequacy.documents import made_languages
from codekin.evaluation.adequacy.verdict import AdequacyJudgement, judge_adequacy
from codekin.evaluation.card import bundled_programs
from codekin.languages import get_language
from codekin.runs.settings import chosen_measures

__all__ = ["evaluate_adequacy"]

_MOST_CASES = 100_000


def evaluate_adequacy(
    measures: Any = None,
    *,
    cases: int = 200,
    seed: int = 0,
    languages: str | Sequence[str] | None = None,
    criteria: str | Sequence[str] | None = None,
    level: float = 0.95,
    report: Callable[[int, int], None] | None = None,
) -> AdequacyJudgement:
    """Judge measures by the adequacy criteria of the Excision Score paper.

    Each criterion is checked on generated cases: an origin, and revisions of it whose edits are
    known.

    Parameters
    ----------
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default.
    cases : int
        Cases per criterion.
    seed : int
        Of the generated cases.
    languages : str or sequence of str, optional
        The languages of the cases: python, java, c, cpp, javascript; all by default.
    criteria : str or sequence of str, optional
        Such as ``1b``, or ``3`` for all of the third property; all by default.
    level : float
        Of the intervals.
    report : callable, optional
        Called with the number of criteria done, and of all.

    Examples
    --------
    >>> bleu = evaluate_adequacy("bleu", criteria=["1a", "3d"], cases=20).measures[0]
    >>> [(one.criterion.name, str(one)) for one in bleu.verdicts]
    [('1a', 'holds'), ('3d', 'fails (100 %)')]
    """
    if isinstance(cases, bool) or not isinstance(cases, int) or not 1 <= cases <= _MOST_CASES:
        raise CodekinError(f"cases must be a whole number from 1 to {_MOST_CASES:,}, not {cases!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise CodekinError(f"seed must be a whole number from 0, not {seed!r}")
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise CodekinError(f"level must be between 0 and 1, not {level!r}")
    names = [criteria] if isinstance(criteria, str) else criteria
    chosen, _ = chosen_measures(measures, origin=True)
    spoken = _languages([languages] if isinstance(languages, str) else languages)
    programs: dict[str, list[str]] = {name: [] for name in spoken}
    for row in bundled_programs():
        if row["language"] in programs:
            programs[row["language"]].append(row["code"])
    return judge_adequacy(
        chosen,
        chosen_criteria(names),
        cases=cases,
        seed=seed,
        level=level,
        languages=spoken,
        programs=programs,
        report=report,
    )


def _languages(given: Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return made_languages()
    names = tuple(dict.fromkeys(get_language(name).name for name in given))
    unknown = [name for name in names if name not in made_languages()]
    if unknown or not names:
        what = f"in {unknown[0]!r}" if unknown else "without a language"
        raise CodekinError(f"no cases are made {what}; choose among {', '.join(made_languages())}")
    return names
