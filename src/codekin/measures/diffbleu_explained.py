"""What two diffs against one origin have in common, for people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codekin.align.line_diff import line_diff, split_lines
from codekin.measures.base import Explanation, Span
from codekin.represent.uncommented import Uncommented

__all__ = ["explain_diffs"]

_WORDS = re.compile(r"\w+")
_SHOWN = 4
Side = tuple[str, Uncommented]


@dataclass(frozen=True)
class _Changes:
    """The lines that an edit adds, with their numbers in the text, and those that it removes."""

    text: str
    added: tuple[tuple[int, str], ...]
    removed: tuple[str, ...]

    def words(self) -> set[str]:
        lines = [line for _, line in self.added] + list(self.removed)
        return {word for line in lines for word in _WORDS.findall(line)}


def explain_diffs(
    candidate: Side, reference: Side, origin: str, value: float, *, ignore_blanks: bool
) -> Explanation:
    """Compare two edits of one origin line by line.

    Parameters
    ----------
    candidate, reference : (str, Uncommented)
        Each whole text, and what of it is compared.
    origin : str
        What is compared of the text that both were made from.
    value : float
        The score.
    ignore_blanks : bool
        Whether white space makes no difference.
    """
    mine = _changes(*candidate, origin, ignore_blanks)
    theirs = _changes(*reference, origin, ignore_blanks)
    return Explanation(
        f"Each text is seen as a diff against the origin: {_counted(mine, 'candidate')}, "
        f"{_counted(theirs, 'reference')}. Lines that both add are shaded fully, other added "
        "lines by half the share of their words that the other diff has somewhere. Against this "
        f"reference alone, diffbleu is {value:.4f}.",
        _spans(mine, theirs),
        _spans(theirs, mine),
        mine.text,
        theirs.text,
        details=tuple(
            _listed("added", [t for _, t in mine.added], [t for _, t in theirs.added])
            + _listed("removed", mine.removed, theirs.removed)
        ),
    )


def _changes(text: str, seen: Uncommented, origin: str, ignore_blanks: bool) -> _Changes:
    before, after = split_lines(origin), split_lines(seen.text)
    hunks = line_diff(
        before, after, ignore_all_space=ignore_blanks, ignore_blank_lines=ignore_blanks
    )
    numbers = seen.numbers(len(after))
    added = [(numbers[i], after[i]) for h in hunks for i in range(h.after_start, h.after_end)]
    removed = [line for h in hunks for line in before[h.before_start : h.before_end]]
    return _Changes(text, tuple(added), tuple(removed))


def _counted(changes: _Changes, role: str) -> str:
    return f"the {role} adds {len(changes.added):,} and removes {len(changes.removed):,} lines"


def _spans(changes: _Changes, other: _Changes) -> tuple[Span, ...]:
    lines = split_lines(changes.text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    also = Counter(_bare(line) for _, line in other.added)
    words = other.words()
    spans = []
    for number, line in changes.added:
        level = 1.0 if also[_bare(line)] > 0 else _known(line, words) / 2
        also[_bare(line)] -= 1
        whole = lines[number]
        start = starts[number] + len(whole) - len(whole.lstrip())
        end = starts[number] + len(whole.rstrip())
        if level > 0 and start < end:
            spans.append(Span(start, end, level))
    return tuple(spans)


def _bare(line: str) -> str:
    return "".join(line.split())


def _known(line: str, words: set[str]) -> float:
    found = _WORDS.findall(line)
    return sum(word in words for word in found) / len(found) if found else 0.0


def _listed(verb: str, mine: Sequence[str], theirs: Sequence[str]) -> list[tuple[str, str]]:
    """The first lines that both, or one alone, added or removed."""
    ours, others = Counter(map(_bare, mine)), Counter(map(_bare, theirs))
    found = [
        (f"{verb} by both", _taken(mine, others)),
        (f"{verb} by the candidate alone", _taken(mine, ours - others)),
        (f"{verb} by the reference alone", _taken(theirs, others - ours)),
    ]
    return [(name, _joined(lines)) for name, lines in found if lines]


def _taken(lines: Iterable[str], wanted: Counter[str]) -> list[str]:
    """The first lines, without white space around them, as often as they are wanted."""
    left = wanted.copy()
    taken = []
    for line in lines:
        if line.strip() and left[_bare(line)] > 0:
            left[_bare(line)] -= 1
            taken.append(line.strip())
    return taken


def _joined(lines: Sequence[str]) -> str:
    more = f"  and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
    return "  ⏎  ".join(lines[:_SHOWN]) + more
