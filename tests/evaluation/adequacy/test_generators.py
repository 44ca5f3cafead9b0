from __future__ import annotations

import random
from collections import Counter

import pytest

from codekin import CodekinError, Source
from codekin.evaluation.adequacy import CRITERIA, Case, generate_cases, made_languages
from codekin.evaluation.adequacy.case import SlotKind, overlap, words
from codekin.evaluation.adequacy.documents import (
    UnitKind,
    made_document,
    program_document,
    whole_functions,
)
from codekin.evaluation.card import bundled_programs
from codekin.represent.tree.fragments import functions_of

PROGRAMS = {
    language: [row["code"] for row in bundled_programs() if row["language"] == language][:4]
    for language in made_languages()
}


def cases_of(name: str, number: int = 45, seed: int = 0) -> list[Case]:
    return list(generate_cases(CRITERIA[name], number, seed=seed, programs=PROGRAMS))


@pytest.mark.parametrize("name", CRITERIA)
def test_cases_are_sound_many_sided_and_the_same_again(name) -> None:
    cases = cases_of(name)
    assert len(cases) >= 38
    assert all(case.sound() for case in cases)
    assert {case.language for case in cases} == set(made_languages())
    assert {case.level for case in cases} == set(CRITERIA[name].levels)
    assert {case.made for case in cases} == {True, False}
    assert cases == cases_of(name)
    assert cases != cases_of(name, seed=1)
    assert all(len(case.texts) == len(CRITERIA[name].roles) for case in cases)
    needed = {SlotKind.ESSENTIAL, SlotKind.CONTEXT, SlotKind.WHOLE}
    if name != "3e":
        assert all(any(slot.kind in needed for slot in case.slots) for case in cases)
    first, last = cases[: len(cases) // 4], cases[-len(cases) // 4 :]
    made = [sorted(c.size for c in part if c.made) for part in (first, last)]
    assert made[0][len(made[0]) // 2] < made[1][len(made[1]) // 2]  # medians grow


@pytest.mark.parametrize("name", ["3a", "3b", "3c"])
def test_context_is_the_same_in_all_three_and_fresh(name) -> None:
    for case in cases_of(name):
        (context,) = {s.texts[5] for s in case.slots if s.kind is SlotKind.CONTEXT}
        before = set(words("".join(case.texts[:3])))
        assert not {word for word in words(context) if word.isidentifier()} & before
        for plain, within in zip(case.texts[:3], case.texts[3:], strict=True):
            assert len(within) == len(plain) + len(context)
            if name == "3a":
                assert within == context + plain
            elif name == "3b":
                assert within == plain + context


def test_the_candidate_with_one_more_edit_is_nearer_in_that_edit_alone() -> None:
    for case in cases_of("1b"):
        more = [s for s in case.slots if s.texts[2] != s.texts[3]]
        assert len(more) == 1
        assert more[0].texts[3] == more[0].texts[1] != more[0].texts[0] == more[0].texts[2]


def test_an_extra_edit_shares_no_word_with_what_the_candidate_lacks() -> None:
    for case in cases_of("2a"):
        (extra,) = (s for s in case.slots if s.texts[2] != s.texts[3])
        lacking = [s for s in case.changed() if s.texts[1] != s.texts[2]]
        ours = "".join(extra.texts)
        assert all(overlap(ours, s.texts[0] + s.texts[1]) == 0 for s in lacking)
        assert any(s.texts[0] != s.texts[1] == s.texts[2] for s in case.slots)


def test_the_left_hand_side_grows_longer_than_the_right() -> None:
    sizes = [
        (len(words(slot.texts[0])), len(words(slot.texts[1])))
        for case in cases_of("2b")
        for slot in case.changed()
    ]
    assert any(old >= 3 * new for old, new in sizes)
    assert any(old == new for old, new in sizes)


def test_what_is_deleted_is_what_the_reference_inserts() -> None:
    for case in cases_of("2d"):
        origin, reference, other, candidate = (Counter(words(text)) for text in case.texts)
        inserted, deleted = reference - origin, origin - candidate
        assert inserted == deleted
        assert not (other - origin) - origin  # what stands elsewhere too
        assert len(case.texts[1]) == len(case.texts[2])


def test_a_moved_origin_is_as_far_from_both() -> None:
    for case in cases_of("4"):
        near, far, reference, candidate = case.texts
        assert reference != candidate
        (moved,) = (s for s in case.slots if s.texts[0] != s.texts[1])
        assert moved.texts[0] == moved.texts[2] == moved.texts[3]
        assert near != far


@pytest.mark.parametrize("name", ["5c", "5d", "5e", "5f", "5g"])
def test_variants_parse_and_differ_as_they_say(name) -> None:
    for case in cases_of(name, 40):
        reference, candidate = (Source(text, case.language) for text in case.texts[1:])
        assert reference.text != candidate.text
        assert not reference.problems and not candidate.problems
        same = reference.tokens.texts == candidate.tokens.texts
        assert same == (name in {"5c", "5d"})


@pytest.mark.parametrize(("name", "more"), [("5f", 1), ("5g", -1)])
def test_functions_are_split_and_joined(name, more) -> None:
    for case in cases_of(name, 40):
        _, reference, candidate = (
            functions_of((one := Source(text, case.language)).tree, one.data, one.language)
            for text in case.texts
        )
        assert len(candidate) == len(reference) + more


def test_moved_functions_are_all_that_differs() -> None:
    for case in cases_of("5a", 40):
        origin, reference, candidate = (sorted(words(text)) for text in case.texts)
        assert reference == candidate
        assert len(reference) > len(origin)
        assert case.texts[1] != case.texts[2]
        assert not any(Source(text, case.language).problems for text in case.texts[1:])


@pytest.mark.parametrize("row", bundled_programs()[::5], ids=lambda row: row["id"])
def test_a_program_in_pieces_is_the_program(row) -> None:
    chance = random.Random(0)
    for level in ("line", "block"):
        document = program_document(row["code"], row["language"], level, chance)
        assert "".join(unit.text for unit in document.units) == row["code"]
    document = program_document(row["code"], row["language"], "token", chance)
    kept = [unit.text for unit in document.units if unit.kind is not UnitKind.TERM]
    assert "".join(kept) == row["code"]
    for function in whole_functions(row["code"], row["language"]):
        assert not Source(function, row["language"]).problems


@pytest.mark.parametrize("language", made_languages())
def test_made_documents_parse(language) -> None:
    for level in ("line", "token", "block"):
        for size in (1, 4):
            made = made_document(language, level, size, random.Random(size))
            text = "".join(unit.text for unit in made.units)
            assert not Source(text, language).problems, text


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(CodekinError, match="no documents are made in 'go'"):
        list(generate_cases(CRITERIA["1a"], 1, languages=["go"]))
