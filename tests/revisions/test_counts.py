from __future__ import annotations

import pytest

from codekin.align.three_way import EditKind
from codekin.revisions.verdicts import Counts, RegionAgreement, summarise_regions


@pytest.mark.parametrize(
    ("kinds", "agreement"),
    [
        ([EditKind.BOTH_INSERT, EditKind.BOTH_DELETE], RegionAgreement.ALIKE),
        ([EditKind.BOTH_INSERT, EditKind.FIRST_DELETE], RegionAgreement.REFERENCE),
        ([EditKind.SECOND_INSERT], RegionAgreement.CANDIDATE),
        ([EditKind.SECOND_INSERT, EditKind.FIRST_DELETE], RegionAgreement.DIFFERENT),
        ([EditKind.MIXED], RegionAgreement.DIFFERENT),
    ],
)
def test_agreement(kinds, agreement) -> None:
    assert Counts.of(kinds).agreement is agreement


def test_what_one_did_alone_is_differently_where_the_other_did_something_else() -> None:
    alone = Counts(inserted_alike=1, inserted_by_reference=4, deleted_by_reference=2)
    apart = Counts(deleted_alike=3, inserted_by_reference=1, inserted_by_candidate=2)
    found = summarise_regions(50, [alone, apart])
    assert (found.regions, found.kept, found.changed) == (2, 50, 13)
    assert (found.alike, found.reference, found.candidate, found.differently) == (4, 6, 0, 3)


def test_words_say_who_kept_what() -> None:
    counts = Counts(deleted_by_reference=2, deleted_by_candidate=1)
    assert counts.words == "deleted alike 0 of 3 · kept only by the reference 1 and the candidate 2"
    assert summarise_regions(1, []).words("word") == "nothing differs; 1 word kept"
