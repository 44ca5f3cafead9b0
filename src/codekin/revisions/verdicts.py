"""What two revisions changed in a region: counts of units, and a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from codekin.align.three_way import EditKind
from codekin.revisions.alignment import TextUnits

__all__ = [
    "Counts",
    "Phrase",
    "RegionAgreement",
    "RegionSummary",
    "Verdict",
    "plural",
    "say",
    "summarise_regions",
    "verdict",
]


class RegionAgreement(StrEnum):
    """Which revisions changed a region, and whether they agree."""

    ALIKE = "alike"
    REFERENCE = "reference"
    """The candidate made only a part of the changes, or none."""
    CANDIDATE = "candidate"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of units in columns of an alignment, by what happened to them.

    Attributes
    ----------
    kept : int
        Kept by both.
    inserted_alike, inserted_by_reference, inserted_by_candidate : int
    deleted_alike, deleted_by_reference, deleted_by_candidate : int

    Examples
    --------
    >>> counts = Counts.of([EditKind.BOTH_DELETE, EditKind.FIRST_INSERT, EditKind.SECOND_INSERT])
    >>> counts.inserted, counts.deleted, counts.agreement.value
    (2, 1, 'different')
    """

    kept: int = 0
    inserted_alike: int = 0
    inserted_by_reference: int = 0
    inserted_by_candidate: int = 0
    deleted_alike: int = 0
    deleted_by_reference: int = 0
    deleted_by_candidate: int = 0

    @classmethod
    def of(cls, kinds: Iterable[EditKind]) -> Counts:
        """Count the columns of an alignment by their kinds.

        A column of different units, which only hand-made tables have, counts as a deletion by
        both and an insertion by each.
        """
        counts = Counter(kinds)
        mixed = counts[EditKind.MIXED]
        return cls(
            counts[EditKind.KEPT],
            counts[EditKind.BOTH_INSERT],
            counts[EditKind.FIRST_INSERT] + mixed,
            counts[EditKind.SECOND_INSERT] + mixed,
            counts[EditKind.BOTH_DELETE] + mixed,
            counts[EditKind.FIRST_DELETE],
            counts[EditKind.SECOND_DELETE],
        )

    @property
    def inserted(self) -> int:
        """Inserted by either; a common insertion counts once."""
        return self.inserted_alike + self.inserted_by_reference + self.inserted_by_candidate

    @property
    def deleted(self) -> int:
        """Deleted by either; a common deletion counts once."""
        return self.deleted_alike + self.deleted_by_reference + self.deleted_by_candidate

    @property
    def alike(self) -> int:
        """Changed by both in the same way."""
        return self.inserted_alike + self.deleted_alike

    @property
    def by_reference(self) -> int:
        """Changed only by the reference."""
        return self.inserted_by_reference + self.deleted_by_reference

    @property
    def by_candidate(self) -> int:
        """Changed only by the candidate."""
        return self.inserted_by_candidate + self.deleted_by_candidate

    @property
    def agreement(self) -> RegionAgreement:
        """Which revisions changed something, and whether they agree."""
        if self.by_reference and self.by_candidate:
            return RegionAgreement.DIFFERENT
        if self.by_reference:
            return RegionAgreement.REFERENCE
        return RegionAgreement.CANDIDATE if self.by_candidate else RegionAgreement.ALIKE

    @property
    def words(self) -> str:
        """The agreement within a region as text.

        Examples
        --------
        >>> Counts(inserted_alike=1, inserted_by_reference=2, deleted_by_candidate=1).words
        'added alike 1 of 3 · deleted alike 0 of 1 · kept only by the reference 1'
        """
        parts = []
        if self.inserted:
            parts.append(f"added alike {self.inserted_alike:,} of {self.inserted:,}")
        if self.deleted:
            parts.append(f"deleted alike {self.deleted_alike:,} of {self.deleted:,}")
        one_sided = (
            ("reference", self.deleted_by_candidate),
            ("candidate", self.deleted_by_reference),
        )
        kept = [f"the {who} {n:,}" for who, n in one_sided if n]
        if kept:
            parts.append(f"kept only by {' and '.join(kept)}")
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class RegionSummary:
    """Numbers of changed units over all regions.

    Attributes
    ----------
    regions : int
    kept : int
        Units of the origin that both kept.
    alike : int
        Units that both changed in the same way.
    reference, candidate : int
        Units that only one changed, in regions where the other made no change of its own.
    differently : int
        Units that only one changed, in regions where the other changed other units.
    """

    regions: int
    kept: int
    alike: int
    reference: int
    candidate: int
    differently: int

    @property
    def changed(self) -> int:
        """Units that either changed."""
        return self.alike + self.reference + self.candidate + self.differently

    def words(self, unit: str) -> str:
        """The summary in a sentence.

        Examples
        --------
        >>> print(RegionSummary(1, 40, 1, 0, 3, 0).words("token"))  # doctest: +NORMALIZE_WHITESPACE
        1 region; 4 tokens changed: 1 alike, 0 only by the reference, 3 only by the candidate,
        0 differently; 40 kept
        """
        if not self.regions:
            return f"nothing differs; {self.kept:,} {plural(unit, self.kept)} kept"
        return (
            f"{self.regions:,} {plural('region', self.regions)}; "
            f"{self.changed:,} {plural(unit, self.changed)} changed: {self.alike:,} alike, "
            f"{self.reference:,} only by the reference, {self.candidate:,} only by the candidate, "
            f"{self.differently:,} differently; {self.kept:,} kept"
        )


def plural(word: str, n: int) -> str:
    """The plural of a word unless `n` is 1.

    Examples
    --------
    >>> plural("line", 1), plural("line", 2)
    ('line', 'lines')
    """
    return word if n == 1 else f"{word}s"


def summarise_regions(kept: int, regions: Sequence[Counts]) -> RegionSummary:
    """Sum up the regions of an alignment; `kept` is the number of units that both kept."""
    different = [counts for counts in regions if counts.agreement is RegionAgreement.DIFFERENT]
    one_sided = [counts for counts in regions if counts.agreement is not RegionAgreement.DIFFERENT]
    return RegionSummary(
        len(regions),
        kept,
        sum(counts.alike for counts in regions),
        sum(counts.by_reference for counts in one_sided),
        sum(counts.by_candidate for counts in one_sided),
        sum(counts.by_reference + counts.by_candidate for counts in different),
    )


_WHO = ("both", "reference", "candidate")
_LONGEST = 60
"""Maximum characters of a quotation; longer ones are elided in the middle."""

_DEEDS: dict[EditKind, tuple[tuple[str, str, int], ...]] = {
    EditKind.KEPT: (),
    EditKind.BOTH_DELETE: (("both", "deleted", 0),),
    EditKind.FIRST_DELETE: (("reference", "deleted", 0),),
    EditKind.SECOND_DELETE: (("candidate", "deleted", 0),),
    EditKind.BOTH_INSERT: (("both", "inserted", 1),),
    EditKind.FIRST_INSERT: (("reference", "inserted", 1),),
    EditKind.SECOND_INSERT: (("candidate", "inserted", 2),),
    EditKind.MIXED: (
        ("both", "deleted", 0),
        ("reference", "inserted", 1),
        ("candidate", "inserted", 2),
    ),
}
"""For each kind of column: who did what, and which of the three texts shows it."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A few words, or a quotation from a text."""

    text: str
    quoted: bool = False

    def __str__(self) -> str:
        return f"`{self.text}`" if self.quoted else self.text


Verdict: TypeAlias = tuple[Phrase, ...]
_Quotes: TypeAlias = list[Phrase]


def say(words: Verdict) -> str:
    """A verdict as plain text, with quotations in backticks."""
    return "".join(map(str, words))


def verdict(
    units: tuple[TextUnits, TextUnits, TextUnits],
    columns: Sequence[Sequence[int]],
    kinds: Sequence[EditKind],
) -> Verdict:
    """Describe what happened in the columns of a region.

    Parameters
    ----------
    units : tuple of TextUnits
        The units of the origin, the reference and the candidate.
    columns : sequence of sequences of int
        Positions in the three, in that order, or -1.
    kinds : sequence of EditKind
        What happened in each column.
    """
    deeds: dict[tuple[str, str], tuple[int, list[int]]] = {}
    for column, kind in zip(columns, kinds, strict=True):
        for who, deed, text in _DEEDS[kind]:
            if column[text] >= 0:
                deeds.setdefault((who, deed), (text, []))[1].append(column[text])
    quotes = {key: _quotes(units[text], numbers) for key, (text, numbers) in deeds.items()}
    deleted = {who: quotes.get((who, "deleted"), []) for who in _WHO}
    inserted = {who: quotes.get((who, "inserted"), []) for who in _WHO}
    words = _deed("both ", deleted["both"], inserted["both"], "")
    sides = [who for who in _WHO[1:] if deleted[who] or inserted[who]]
    # What both deleted was replaced by what each of them inserted.
    puts = bool(deleted["both"]) and not any(deleted[who] for who in sides)
    same_verb = len({(bool(deleted[who]), bool(inserted[who])) for who in sides}) == 1
    for i, who in enumerate(sides):
        if words:
            words.append(Phrase(", " if i else "; "))
        name = f"the {who} " if len(sides) == 2 else f"only the {who} "
        if i and same_verb and not (deleted[who] and inserted[who]):
            words += [Phrase(name), *_listed(deleted[who] or inserted[who])]
        elif puts:
            words += [Phrase(f"{name}puts "), *_listed(inserted[who])]
        else:
            words += _deed(name, deleted[who], inserted[who], "s")
    return tuple(words)


def _deed(who: str, deleted: _Quotes, inserted: _Quotes, ending: str) -> list[Phrase]:
    if deleted and inserted:
        replaced = Phrase(f"{who}replace{ending} ")
        return [replaced, *_listed(deleted), Phrase(" by "), *_listed(inserted)]
    if deleted:
        return [Phrase(f"{who}delete{ending} "), *_listed(deleted)]
    return [Phrase(f"{who}insert{ending} "), *_listed(inserted)] if inserted else []


def _listed(quotes: _Quotes, limit: int = 3) -> list[Phrase]:
    """List quotations; if there are many, the first few and the number of others."""
    shown = quotes[:limit] if len(quotes) > limit + 1 else quotes
    words: list[Phrase] = []
    for i, quote in enumerate(shown):
        if i:
            words.append(Phrase(" and " if i == len(quotes) - 1 else ", "))
        words.append(quote)
    if len(shown) < len(quotes):
        words.append(Phrase(f" and {len(quotes) - limit} more"))
    return words


def _quotes(units: TextUnits, numbers: Sequence[int]) -> _Quotes:
    """One quotation for each run of units."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    quotes = [_quote(units, run) for run in runs]
    # The indentation of a changed line is not worth mentioning.
    return [quote for quote in quotes if quote.quoted] or quotes


def _quote(units: TextUnits, run: Sequence[int]) -> Phrase:
    if all(number in units.indents for number in run):
        columns = units.indents[run[-1]]
        return Phrase(f"an indentation of {columns}" if columns else "no indentation")
    shown = [number for number in run if number not in units.indents]
    line_end = " ⏎ " if units.name == "line" else " "
    text = ""
    for i, number in enumerate(shown):
        start, end = units.starts[number], units.ends[number]
        apart = i and (number != shown[i - 1] + 1 or units.ends[shown[i - 1]] < start)
        text += (line_end if apart else "") + " ".join(units.text[start:end].split())
        if len(text) > 4 * _LONGEST:  # continue with the end
            text = text[: 2 * _LONGEST] + _end(units, shown)
            break
    return Phrase(_elided(text), quoted=True)


def _end(units: TextUnits, shown: Sequence[int]) -> str:
    """The text of the last units, at least as long as the end of a quotation."""
    text = " ".join(units.text[units.starts[n] : units.ends[n]] for n in shown[-_LONGEST:])
    return " ".join(text.split())


def _elided(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    tail = _LONGEST // 3
    return f"{text[: _LONGEST - tail - 3].rstrip()} … {text[-tail:].lstrip()}"
