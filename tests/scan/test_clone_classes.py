from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codekin.scan.clone_classes import MatchGroups, group_matches
from codekin.scan.matches import Matches

Row = tuple[int, int, int, int, float]


def grouped(*rows: Row, types: tuple[int, ...] = ()) -> MatchGroups:
    """Groups of matches of type T3, or of these types."""
    columns = list(zip(*rows, strict=True))
    ends = [np.array(column, np.int32) for column in columns[:4]]
    scores = np.array(columns[4], np.float64)
    return group_matches(Matches(*ends, np.array(types or [2] * len(rows), np.uint8), scores))


def members(found: MatchGroups) -> list[tuple[tuple[int, int], ...]]:
    return [group.members for group in found.classes]


def test_matches_of_the_same_place_form_a_class() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (200, 300, 400, 500, 0.9), (600, 650, 700, 750, 1.0))
    assert found.class_of.tolist() == [0, 0, 1]
    assert members(found) == [((0, 100), (200, 300), (400, 500)), ((600, 650), (700, 750))]
    assert [group.around for group in found.classes] == [-1, -1]
    assert found.classes[0].score == 0.9


def test_places_may_differ_at_their_ends() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (205, 290, 400, 485, 0.9))
    assert members(found) == [((0, 100), (200, 300), (400, 485))]
    apart = grouped((0, 100, 200, 300, 1.0), (270, 340, 400, 470, 0.9))
    assert len(apart.classes) == 2


def test_exact_copies_are_a_class_inside_of_a_wider_one() -> None:
    a, b, c, d, e = ((start, start + 100) for start in range(0, 1000, 200))
    rows = [(*a, *b, 1.0), (*b, *c, 0.8), (*c, *d, 1.0), (*d, *e, 1.0)]
    found = grouped(*rows, types=(0, 2, 0, 1))
    # T1 ab; T1 cd, inside of T2 cde; both inside of T3.
    exact, wide, other, renamed = found.classes
    assert [group.type for group in found.classes] == [0, 2, 0, 1]
    assert (exact.members, other.members) == ((a, b), (c, d))
    assert (renamed.members, wide.members) == ((c, d, e), (a, b, c, d, e))
    assert [group.around for group in found.classes] == [1, -1, 3, 1]
    assert found.class_of.tolist() == [0, 1, 2, 3]
    assert len(set(wide.parts[:2])) == len(set(wide.parts[2:])) == 1
    assert wide.parts[0] != wide.parts[2]
    assert (exact.score, wide.score) == (1.0, 0.8)


def test_a_class_of_exact_copies_has_their_stretches() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (0, 120, 400, 520, 0.8), types=(0, 2))
    assert members(found) == [((0, 100), (200, 300)), ((0, 120), (200, 300), (400, 520))]


def test_weak_matches_do_not_join_classes() -> None:
    strong = [(0, 100, 200, 300, 1.0), (400, 500, 600, 700, 1.0)]
    found = grouped(*strong, (0, 100, 400, 500, 0.55))
    assert len(found.classes) == 2
    assert found.class_of.tolist() == [0, 1, 0]
    assert found.classes[0].score == 1.0
    assert len(grouped(*strong, (0, 100, 400, 500, 0.65)).classes) == 1


def test_what_has_a_weak_match_to_a_class_is_with_it_in_a_wider_one() -> None:
    found = grouped((200, 300, 400, 500, 1.0), (0, 100, 200, 300, 0.4))
    assert members(found) == [((0, 100), (200, 300), (400, 500)), ((200, 300), (400, 500))]
    assert found.class_of.tolist() == [1, 0]
    assert [group.around for group in found.classes] == [-1, 0]


def test_weak_matches_make_no_chains() -> None:
    found = grouped(
        *((0, 100, 200, 300, 1.0), (200, 300, 400, 500, 0.5), (400, 500, 600, 700, 0.4)),
        *((600, 700, 800, 900, 1.0),),
    )
    assert max(len(group.members) for group in found.classes) == 3


def test_a_weak_match_alone_is_a_class() -> None:
    found = grouped((0, 100, 400, 500, 0.4))
    assert members(found) == [((0, 100), (400, 500))]
    assert found.class_of.tolist() == [0]


def test_members_do_not_overlap() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (0, 40, 200, 240, 1.0), (0, 40, 200, 300, 0.9))
    assert found.classes[0].members == ((0, 100), (200, 300))


def test_a_stretch_that_is_mostly_like_itself_is_a_class() -> None:
    found = grouped((0, 100, 10, 110, 1.0), types=(0,))
    assert members(found) == [((0, 100),)]


@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 3), st.integers(30, 100)),
        min_size=1,
        max_size=14,
    )
)
def test_classes_are_nested_and_each_match_is_in_one(pairs) -> None:
    chosen = {(a, b): (kind, score) for a, b, kind, score in pairs if a < b}
    if not chosen:
        return
    rows = [
        (200 * a, 200 * a + 100, 200 * b, 200 * b + 100, 1.0 if kind < 2 else score / 100)
        for (a, b), (kind, score) in chosen.items()
    ]
    types = tuple(kind for kind, _ in chosen.values())
    found = grouped(*rows, types=types)
    for group in found.classes:
        if group.around >= 0:
            wider = found.classes[group.around]
            assert set(group.members) < set(wider.members)
            assert len({wider.parts[wider.members.index(span)] for span in group.members}) == 1
    for (a, b, c, d, score), kind, number in zip(rows, types, found.class_of, strict=True):
        group = found.classes[number]
        if {(a, b), (c, d)} <= set(group.members):
            assert kind <= group.type
            inner = [one for one in found.classes if one.around == number]
            assert not any(
                {(a, b), (c, d)} <= set(one.members) and kind <= one.type for one in inner
            )
        else:
            assert score < 0.6
    inside = [span for group in found.classes for span in group.members]
    assert set(inside) == {span for a, b, c, d, _ in rows for span in ((a, b), (c, d))}
