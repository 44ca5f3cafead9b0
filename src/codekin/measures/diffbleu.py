"""diffbleu: BLEU of two edits, each as a diff against the origin."""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from codekin import _native
from codekin.align.line_diff import line_diff, split_lines, unified_diff
from codekin.measures.base import Explanation, RevisionMeasure, Score, Span, check_choice
from codekin.measures.bleu import bleu_value
from codekin.measures.units import Ids
from codekin.represent.text.comments import Uncommented, uncommented
from codekin.represent.text.plain_tokens import plain_token_ids, string_ids
from codekin.source import Source

__all__ = ["RECIPES", "DiffBleu", "DiffForm", "Recipe", "explain_diffs"]

_WORDS = re.compile(r"\w+")
_SHOWN = 4
Side = tuple[str, Uncommented]


@dataclass(frozen=True)
class _ChangedLines:
    """The lines that an edit adds, with their line numbers, and those that it removes."""

    text: str
    added: tuple[tuple[int, str], ...]
    removed: tuple[str, ...]

    def words(self) -> set[str]:
        lines = [line for _, line in self.added] + list(self.removed)
        return {word for line in lines for word in _WORDS.findall(line)}


def explain_diffs(
    candidate: Side, reference: Side, origin: str, value: float, *, ignore_blanks: bool
) -> Explanation:
    """Explain the score of two edits of the same origin, line by line.

    Parameters
    ----------
    candidate, reference : (str, Uncommented)
        Each whole text, and the part of it that is compared.
    origin : str
        The compared part of the origin.
    value : float
        The score.
    ignore_blanks : bool
        Whether white space is ignored.
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


def _changes(text: str, seen: Uncommented, origin: str, ignore_blanks: bool) -> _ChangedLines:
    before, after = split_lines(origin), split_lines(seen.text)
    hunks = line_diff(
        before, after, ignore_all_space=ignore_blanks, ignore_blank_lines=ignore_blanks
    )
    numbers = seen.numbers(len(after))
    added = [(numbers[i], after[i]) for h in hunks for i in range(h.after_start, h.after_end)]
    removed = [line for h in hunks for line in before[h.before_start : h.before_end]]
    return _ChangedLines(text, tuple(added), tuple(removed))


def _counted(changes: _ChangedLines, role: str) -> str:
    return f"the {role} adds {len(changes.added):,} and removes {len(changes.removed):,} lines"


def _spans(changes: _ChangedLines, other: _ChangedLines) -> tuple[Span, ...]:
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
    """The first lines that both, or only one, added or removed."""
    ours, others = Counter(map(_bare, mine)), Counter(map(_bare, theirs))
    found = [
        (f"{verb} by both", _taken(mine, others)),
        (f"{verb} by the candidate alone", _taken(mine, ours - others)),
        (f"{verb} by the reference alone", _taken(theirs, others - ours)),
    ]
    return [(name, _joined(lines)) for name, lines in found if lines]


def _taken(lines: Iterable[str], wanted: Counter[str]) -> list[str]:
    """The first lines, stripped, with their multiplicity."""
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


_WORDS_AND_MARKS = re.compile(r"\w+|[^\w\s]+")
_ORDERS = 4
"""The longest n-grams that are counted."""

Value = tuple[float, dict[str, float]]


def _wordpunct(diff: str) -> Ids:
    """Runs of letters and digits, and runs of punctuation, like nltk's wordpunct tokeniser."""
    return string_ids(_WORDS_AND_MARKS.findall(diff))


def _unsmoothed(statistics: Sequence[float]) -> Value:
    return bleu_value(statistics, "none", None, effective=False)


def _smoothed(statistics: Sequence[float]) -> Value:
    """BLEU with nltk's smoothing ``method1``: an order without a match counts a tenth of one."""
    length, closest = statistics[0], statistics[1]
    matches = statistics[2 : 2 + _ORDERS]
    totals = [max(1, total) for total in statistics[2 + _ORDERS :]]
    penalty = 0.0 if length == 0 else math.exp(min(0.0, 1 - closest / length))
    parts = {"brevity_penalty": penalty, "length": length, "reference_length": closest}
    if matches[0] == 0:
        return 0.0, parts
    precisions = [(match or 0.1) / total for match, total in zip(matches, totals, strict=True)]
    value = penalty * math.exp(math.fsum(math.log(p) / _ORDERS for p in precisions))
    return value, {f"precision_{n}": p for n, p in enumerate(precisions, 1)} | parts


@dataclass(frozen=True)
class Recipe:
    """How a diff is made and compared.

    Attributes
    ----------
    name : str
        What it is called.
    context : int
        The number of unchanged lines around each change.
    ignore_blanks : bool
        Whether white space and blank lines are ignored.
    tokens : callable
        From a diff to the identities of its tokens.
    bleu : callable
        From BLEU's statistics to its value and parts.
    without : str
        Leave out lines of the diff that contain this text; none if empty.
    """

    name: str
    context: int
    ignore_blanks: bool
    tokens: Callable[[str], Ids]
    bleu: Callable[[Sequence[float]], Value]
    without: str = ""

    def diff(self, origin: str, text: str) -> str:
        """The changes as printed by ``git diff``, from the first ``@@``."""
        diff = unified_diff(
            origin,
            text,
            context=self.context,
            ignore_all_space=self.ignore_blanks,
            ignore_blank_lines=self.ignore_blanks,
        )
        if not self.without or self.without not in diff:
            return diff
        return "".join(line for line in split_lines(diff) if self.without not in line)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("nofuneval", 0, True, _wordpunct, _smoothed),
        Recipe("codeplan", 3, False, lambda diff: plain_token_ids("13a", diff), _unsmoothed),
    )
}
"""The two published recipes."""


@dataclass(frozen=True)
class _Edit:
    """A diff, its tokens and their n-grams."""

    diff: str
    ids: Ids
    grams: _native.SortedGrams


@dataclass(frozen=True, kw_only=True, repr=False)
class DiffForm(RevisionMeasure):
    """Common base of the default and the published recipes."""

    name: ClassVar[str] = "diffbleu"

    @abstractmethod
    def _recipe(self) -> Recipe:
        """How the diffs are made and compared."""

    def _text(self, source: Source) -> Uncommented:
        """The text that is compared."""
        return Uncommented(source.text)

    def _edit(self, source: Source, origin: Source) -> _Edit:
        """The diff from the origin to a text, cached with the text."""
        how, before, after = self._recipe(), self._text(origin).text, self._text(source).text
        return source.remember(("diff", how.name, before, after), lambda: _edit(how, before, after))

    def _compare(self, mine: _Edit, theirs: _Edit) -> Value:
        statistics = _native.merge_matches(mine.grams, theirs.grams)
        return self._recipe().bleu(statistics)

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade changed lines by how much of them the other diff has too."""
        mine, theirs, before = (self._text(one) for one in (candidate, reference, origin))
        return explain_diffs(
            (candidate.text, mine),
            (reference.text, theirs),
            before.text,
            self._revision(candidate, reference, origin).value,
            ignore_blanks=self._recipe().ignore_blanks,
        )


def _edit(how: Recipe, before: str, after: str) -> _Edit:
    diff = how.diff(before, after)
    ids = how.tokens(diff)
    return _Edit(diff, ids, _native.SortedGrams(ids, _ORDERS))


@dataclass(frozen=True, kw_only=True, repr=False)
class DiffBleu(DiffForm):
    r"""BLEU between the diff of the candidate and the diff of the reference.

    Both are diffs against the origin, as made by git; a missing newline at the end is added first.
    The value is 1 if both diffs are empty, and 0 if one diff or one text is.

    Parameters
    ----------
    recipe : {'nofuneval', 'codeplan'}
        ``nofuneval`` [1]_: no lines of context, white space and blank lines ignored, words and
        punctuation as tokens, nltk's smoothing ``method1``. ``codeplan`` [2]_: three lines of
        context, the tokens of mteval-v13a, no smoothing.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Singhal et al., "NoFunEval: Funny how code LMs falter on requirements beyond functional
       correctness", COLM 2024.
    .. [2] Bairi et al., "CodePlan: Repository-level coding using LLMs and planning", FSE 2024.

    Examples
    --------
    >>> from codekin import measure
    >>> origin = "def f(xs):\n    s = 0\n    return s - 1\n"
    >>> fixed, missed = origin.replace("s - 1", "s + 1"), origin.replace("s = 0", "s = 1")
    >>> diffbleu = measure("diffbleu")
    >>> round(diffbleu.score(missed, fixed, origin, language="python").value, 4)
    0.3429
    >>> diffbleu.score(fixed, fixed, origin, language="python").value
    1.0
    >>> diffbleu.score(origin, fixed, origin, language="python").value
    0.0
    """

    summary: ClassVar[str] = "BLEU of the candidate's diff and the reference's, against the origin"
    recipe: str = "nofuneval"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "recipe", self.recipe, RECIPES)

    def uses_tree(self) -> bool:
        """Whether comments are removed, which needs the grammar."""
        return not self.comments

    def _recipe(self) -> Recipe:
        return RECIPES[self.recipe]

    def _text(self, source: Source) -> Uncommented:
        if source.language.prose or self.comments:
            return _ended(Uncommented(source.text))
        tree, data = source.tree, source.data
        return _ended(source.remember("uncommented", lambda: uncommented(tree, tree.read(data))))

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        mine, theirs = self._edit(candidate, origin), self._edit(reference, origin)
        nothing = not self._text(candidate).text.strip(), not self._text(reference).text.strip()
        parts: dict[str, float] = {"length": len(mine.ids), "reference_length": len(theirs.ids)}
        if any(nothing):
            value = float(all(nothing))
        elif not mine.diff or not theirs.diff:
            value = float(mine.diff == theirs.diff)
        else:
            value, parts = self._compare(mine, theirs)
            # Rounding may push the mean of ones above 1.
            value = 1.0 if np.array_equal(mine.ids, theirs.ids) else min(value, 1.0)
        return Score(self, value, parts, candidate, reference, origin=origin)


def _ended(seen: Uncommented) -> Uncommented:
    """The text with a final newline; git reports a missing one in a line of text."""
    if not seen.text or seen.text.endswith("\n"):
        return seen
    return replace(seen, text=seen.text + "\n")
