"""Why an excision score is what it is: what was left, and what both revisions did alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from codekin.measures.base import Explanation, Score
from codekin.measures.excised import Excised, Units
from codekin.measures.highlight import spans_of_tokens
from codekin.source import Source

__all__ = ["explain_excision"]

_SHOWN = 12
_PARTS = ("add", "keep", "delete", "document", "lines", "tokens", "parses")


def explain_excision(
    score: Score,
    excised: Excised,
    candidate: Source,
    reference: Source,
    origin: Source,
    units: Units,
) -> Explanation:
    """Shade the tokens of the regions that both revisions have; name what only one did."""
    tokens = [units.shown(one) for one in (reference, candidate, origin)]
    texts = [one.texts for one in tokens]
    if units.has_lines:
        regions = [tuple(map(int, row)) for row in excised.regions]
    else:  # plain tokens have no places in the text; all of it is shown as one region
        regions = [tuple(chain.from_iterable((0, len(one)) for one in texts))]
    levels = [[0.0] * len(one) for one in texts[:2]]
    added: list[Counter[str]] = [Counter(), Counter()]
    deleted: list[Counter[str]] = [Counter(), Counter()]
    for row in regions:
        first, second, before = (one[row[2 * k] : row[2 * k + 1]] for k, one in enumerate(texts))
        _shade(levels[0], row[0], first, second)
        _shade(levels[1], row[2], second, first)
        for k, revision in enumerate((first, second)):
            # Not +=, which looks through all of the sum each time.
            added[k].update(Counter(revision) - Counter(before))
            deleted[k].update(Counter(before) - Counter(revision))
    details = _details("adds", added) + _details("deletes", deleted)
    return Explanation(
        _summary(score, excised),
        spans_of_tokens(tokens[1], levels[1]),
        spans_of_tokens(tokens[0], levels[0]),
        candidate.text,
        reference.text,
        details=tuple(details),
    )


def _summary(score: Score, excised: Excised) -> str:
    if len(excised.regions) == 0:
        return "Neither revision changes anything, so there is nothing to tell them apart."
    shared = len(excised.origin) - int((excised.regions[:, 5] - excised.regions[:, 4]).sum())
    count = len(excised.regions)
    where = "1 region differs" if count == 1 else f"{count} regions differ"
    parts = ", ".join(f"{name} {score.parts[name]:.2f}" for name in _PARTS if name in score.parts)
    if not parts and score.parts.keys() - {"regions"}:  # those of an inner measure
        parts = f"What is left scores {score.value:.2f}"
    return (
        f"{shared} of {len(excised.origin)} tokens of the origin stay in both and do not count; "
        f"{where}. {parts or 'No n-gram is left to compare'}. Shaded is what both revisions "
        "have there."
    )


def _shade(levels: list[float], start: int, mine: Sequence[str], theirs: Sequence[str]) -> None:
    """Mark the tokens that the other revision has in its region too, each as often as there."""
    left = Counter(theirs)
    for i, text in enumerate(mine, start):
        if left[text] > 0:
            left[text] -= 1
            levels[i] = 1.0


def _details(verb: str, done: Sequence[Counter[str]]) -> list[tuple[str, str]]:
    reference, candidate = done
    both = reference & candidate
    rows = (
        (f"both {verb[:-1]}", both),
        (f"only the reference {verb}", reference - both),
        (f"only the candidate {verb}", candidate - both),
    )
    return [(name, _listed(tokens)) for name, tokens in rows if tokens]


def _listed(tokens: Counter[str]) -> str:
    every = list(tokens.elements())
    more = f"  and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return "  ".join(every[:_SHOWN]) + more
