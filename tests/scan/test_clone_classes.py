from __future__ import annotations

import numpy as np

from codekin.scan.clone_classes import MatchGroups, group_matches
from codekin.scan.matches import Matches


def grouped(*rows: tuple[int, int, int, int, float]) -> MatchGroups:
    columns = list(zip(*rows, strict=True))
    ends = [np.array(column, np.int32) for column in columns[:4]]
    scores = np.array(columns[4], np.float64)
    return group_matches(Matches(*ends, np.full(len(rows), 2, np.uint8), scores))


def test_matches_of_the_same_place_form_a_class() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (200, 300, 400, 500, 0.9), (600, 650, 700, 750, 1.0))
    assert found.class_of.tolist() == [0, 0, 1]
    assert found.members == (((0, 100), (200, 300), (400, 500)), ((600, 650), (700, 750)))


def test_places_may_differ_at_their_ends() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (205, 290, 400, 485, 0.9))
    assert found.members == (((0, 100), (200, 300), (400, 485)),)
    apart = grouped((0, 100, 200, 300, 1.0), (270, 340, 400, 470, 0.9))
    assert len(apart.members) == 2


def test_weak_matches_do_not_join_classes() -> None:
    strong = [(0, 100, 200, 300, 1.0), (400, 500, 600, 700, 1.0)]
    found = grouped(*strong, (0, 100, 400, 500, 0.55))
    assert len(found.members) == 2
    assert found.class_of.tolist() == [0, 1, 0]
    assert found.inside.tolist() == [True, True, False]
    assert len(grouped(*strong, (0, 100, 400, 500, 0.65)).members) == 1


def test_a_weak_match_to_a_class_is_no_class_of_its_own() -> None:
    found = grouped((200, 300, 400, 500, 1.0), (0, 100, 200, 300, 0.4))
    assert found.members == (((200, 300), (400, 500)),)
    assert found.class_of.tolist() == [0, 0]
    assert found.inside.tolist() == [True, False]


def test_a_weak_match_alone_is_a_class() -> None:
    found = grouped((0, 100, 400, 500, 0.4))
    assert found.members == (((0, 100), (400, 500)),)
    assert found.inside.all()


def test_members_do_not_overlap() -> None:
    found = grouped((0, 100, 200, 300, 1.0), (0, 40, 200, 240, 1.0), (0, 40, 200, 300, 0.9))
    assert found.members[0] == ((0, 100), (200, 300))
