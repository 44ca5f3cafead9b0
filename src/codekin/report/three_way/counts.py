"""How many units of a region were kept, inserted and deleted, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from codekin.align.three_way import EditKind

__all__ = ["Agreement", "Counts", "Summary", "plural", "summarise_regions"]


class Agreement(StrEnum):
    """Who changed something in a region, and whether the same."""

    ALIKE = "alike"
    REFERENCE = "reference"
    """The candidate did no more than a part of it, or nothing."""
    CANDIDATE = "candidate"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Counts:
    """Units of the columns of an alignment, by what happened to them.

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

        A column of different units, which only tables given as such have, is what it comes to: a
        deletion by both and an insertion by each.
        """
        found = Counter(kinds)
        mixed = found[EditKind.MIXED]
        return cls(
            found[EditKind.KEPT],
            found[EditKind.BOTH_INSERT],
            found[EditKind.FIRST_INSERT] + mixed,
            found[EditKind.SECOND_INSERT] + mixed,
            found[EditKind.BOTH_DELETE] + mixed,
            found[EditKind.FIRST_DELETE],
            found[EditKind.SECOND_DELETE],
        )

    @property
    def inserted(self) -> int:
        """Inserted by any; what both insert alike counts once."""
        return self.inserted_alike + self.inserted_by_reference + self.inserted_by_candidate

    @property
    def deleted(self) -> int:
        """Deleted by any; what both delete counts once."""
        return self.deleted_alike + self.deleted_by_reference + self.deleted_by_candidate

    @property
    def alike(self) -> int:
        """Changed by both in the same way."""
        return self.inserted_alike + self.deleted_alike

    @property
    def by_reference(self) -> int:
        """Changed by the reference alone."""
        return self.inserted_by_reference + self.deleted_by_reference

    @property
    def by_candidate(self) -> int:
        """Changed by the candidate alone."""
        return self.inserted_by_candidate + self.deleted_by_candidate

    @property
    def agreement(self) -> Agreement:
        """Who changed something, and whether the same."""
        if self.by_reference and self.by_candidate:
            return Agreement.DIFFERENT
        if self.by_reference:
            return Agreement.REFERENCE
        return Agreement.CANDIDATE if self.by_candidate else Agreement.ALIKE

    @property
    def words(self) -> str:
        """What of a region was done alike.

        Examples
        --------
        >>> Counts(inserted_alike=1, inserted_by_reference=2, deleted_by_candidate=1).words
        'added alike 1 of 3 · deleted alike 0 of 1 · kept only by the reference 1'
        """
        told = []
        if self.inserted:
            told.append(f"added alike {self.inserted_alike:,} of {self.inserted:,}")
        if self.deleted:
            told.append(f"deleted alike {self.deleted_alike:,} of {self.deleted:,}")
        one_sided = (
            ("reference", self.deleted_by_candidate),
            ("candidate", self.deleted_by_reference),
        )
        kept = [f"the {who} {n:,}" for who, n in one_sided if n]
        if kept:
            told.append(f"kept only by {' and '.join(kept)}")
        return " · ".join(told)


@dataclass(frozen=True, slots=True)
class Summary:
    """What both did over all regions.

    Attributes
    ----------
    regions : int
    kept : int
        Units of the origin that both kept.
    alike : int
        Units that both changed in the same way.
    reference, candidate : int
        Units that one alone changed, where the other changed nothing besides.
    differently : int
        Units that one alone changed, where the other changed other ones in the same region.
    """

    regions: int
    kept: int
    alike: int
    reference: int
    candidate: int
    differently: int

    @property
    def changed(self) -> int:
        """Units that any changed."""
        return self.alike + self.reference + self.candidate + self.differently

    def words(self, unit: str) -> str:
        """The summary in a sentence.

        Examples
        --------
        >>> print(Summary(1, 40, 1, 0, 3, 0).words("token"))  # doctest: +NORMALIZE_WHITESPACE
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
    """A word for so many.

    Examples
    --------
    >>> plural("line", 1), plural("line", 2)
    ('line', 'lines')
    """
    return word if n == 1 else f"{word}s"


def summarise_regions(kept: int, regions: Sequence[Counts]) -> Summary:
    """Add up the regions of an alignment in which both kept so many units."""
    apart = [one for one in regions if one.agreement is Agreement.DIFFERENT]
    alone = [one for one in regions if one.agreement is not Agreement.DIFFERENT]
    return Summary(
        len(regions),
        kept,
        sum(one.alike for one in regions),
        sum(one.by_reference for one in alone),
        sum(one.by_candidate for one in alone),
        sum(one.by_reference + one.by_candidate for one in apart),
    )
