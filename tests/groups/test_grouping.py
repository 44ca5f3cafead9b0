from __future__ import annotations

import numpy as np

from codekin.groups.grouping import group_texts
from codekin.statistics.linkage import average_linkage

SCORES = np.array([[1, 0.9, 0.2, 0.1], [0.9, 1, 0.4, 0.1], [0.2, 0.4, 1, 0.1], [0.1, 0.1, 0.1, 1]])
LINKAGE = average_linkage(1 - SCORES)


def test_groups_are_numbered_by_size_and_then_by_their_medoids():
    found = group_texts("abcd", SCORES, LINKAGE, threshold=0.5)
    assert [(one.number, one.medoid, one.members) for one in found] == [
        (1, "a", ("a", "b")),
        (2, "c", ("c",)),
        (3, "d", ("d",)),
    ]
    assert found[0].nearest[0] == (2, (0.2 + 0.4) / 2)
    assert found[0].places == (0, 1)


def test_copies_count_for_the_size_but_not_for_the_mean():
    found = group_texts("abcd", SCORES, LINKAGE, groups=2, copies={"d": ("e", "f", "g")})
    assert [one.members for one in found] == [("d", "e", "f", "g"), ("b", "a", "c")]
    assert found[0].similarity == 1.0
    assert found[1].similarity == (0.9 + 0.2 + 0.4) / 3


def test_a_mean_that_is_the_threshold_is_enough():
    assert len(group_texts("abcd", SCORES, LINKAGE, threshold=0.3)) == 2
    assert len(group_texts("abcd", SCORES, LINKAGE, threshold=0.301)) == 3
