from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codekin.evaluation.adequacy.case import Case, Slot, SlotKind
from codekin.evaluation.adequacy.verdict import shrink


def case_of(*slots: Slot, level: str = "line") -> Case:
    return Case("6", 0, "python", level, True, slots)


LINES = [Slot((f"a{i} = f{i}(b{i})\n",) * 2) for i in range(12)]
EDIT = Slot(("old = 1\n", "new = f(g, h)\n"), SlotKind.ESSENTIAL)


def test_everything_goes_that_is_not_needed() -> None:
    case = case_of(*LINES[:6], EDIT, *LINES[6:])
    asked: list[Case] = []

    def broken(one: Case) -> bool:
        asked.append(one)
        return "a3" in one.texts[0] and "g" in one.texts[1]

    small = shrink(case, broken, steps=1000)
    assert small.texts == ("a3\nold\n", "a3\ng\n")
    assert all(one.sound() for one in asked)


@given(st.sets(st.sampled_from([f"b{i}" for i in range(12)]), max_size=3), st.integers(0, 60))
def test_what_is_left_is_broken_and_no_larger_within_any_budget(needed, steps) -> None:
    case = case_of(*LINES[:6], EDIT, *LINES[6:])
    asked = 0

    def broken(one: Case) -> bool:
        nonlocal asked
        asked += 1
        return all(name in one.texts[1] for name in needed)

    small = shrink(case, broken, steps=steps)
    assert asked <= steps
    assert broken(small)
    assert small.size <= case.size
    assert small == shrink(case, broken, steps=steps)
    assert any(slot.kind is SlotKind.ESSENTIAL for slot in small.slots)


def test_a_text_that_stands_twice_shrinks_in_both_places() -> None:
    moved = "x = f(y)\n"
    slots = (
        Slot((moved, ""), SlotKind.ESSENTIAL),
        LINES[0],
        Slot(("", moved), SlotKind.ESSENTIAL),
    )
    small = shrink(case_of(*slots), lambda one: True, steps=1000)
    first, _, second = small.slots
    assert first.texts[0] == second.texts[1]
    assert len(first.texts[0]) < len(moved)


def test_edits_stay_apart_and_words_stay_words() -> None:
    other = Slot(("p", "q"), SlotKind.ESSENTIAL)
    slots = (other, Slot((" + ",) * 2), Slot(("r", "s"), SlotKind.ESSENTIAL))
    case = case_of(*slots, level="token")
    assert shrink(case, lambda one: True) == case
    assert not case_of(other, Slot(("x", "x"))).sound()
    assert not case_of(Slot(("\n", "\n"))).sound()


def test_whole_functions_are_not_cut() -> None:
    whole = Slot(("", "def f(x):\n    return x\n"), SlotKind.WHOLE)
    small = shrink(case_of(whole, *LINES), lambda one: True, steps=1000)
    assert small.slots[0] == whole
    assert len(small.slots) == 2
