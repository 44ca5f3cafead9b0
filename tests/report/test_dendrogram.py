from __future__ import annotations

import re
from itertools import pairwise

import pytest
from tests.report.many_revisions import clustering

from codekin import cluster_revisions
from codekin.report.dendrogram import Dendrogram, dendrogram


def drawn(families: int, each: int, **more: object) -> Dendrogram:
    found = dendrogram(clustering(families, each, **more))
    assert found is not None
    return found


def test_few_texts_have_a_row_each_and_a_join_less() -> None:
    tree = drawn(3, 4, groups=3)
    assert len(tree.rows) == 12
    assert not tree.collapsed
    assert tree.svg.count("<title>") == 11
    assert "fan of" not in tree.svg
    # The nine joins within groups, and the line beyond the last one of the others.
    assert [len(re.findall(f'join of-{i}"', tree.svg)) for i in range(4)] == [3, 3, 3, 0]
    assert tree.svg.count('join between"') == 3
    assert {row.group for row in tree.rows} == {1, 2, 3}
    assert sum(row.medoid for row in tree.rows) == 3


def test_rows_of_a_group_stand_together() -> None:
    numbers = [row.group for row in drawn(5, 3, groups=5).rows]
    assert sorted(numbers) == [n for n in range(1, 6) for _ in range(3)]
    assert sum(a != b for a, b in pairwise(numbers)) == 4


def test_many_texts_are_collapsed_to_their_groups() -> None:
    tree = drawn(10, 8, groups=10)
    assert len(tree.rows) == 10
    assert tree.collapsed
    assert tree.svg.count("<polygon") == 10
    assert tree.svg.count("<title>") == 9
    assert sum(row.revisions for row in tree.rows) == 81  # with the copy
    assert all(row.medoid and row.groups == 1 for row in tree.rows)


def test_many_groups_share_rows() -> None:
    tree = drawn(70, 2, threshold=1.0)
    assert len(tree.rows) == 60
    assert sum(row.groups for row in tree.rows) == 140
    assert any(row.groups > 1 for row in tree.rows)
    assert 'fan between"' in tree.svg


@pytest.mark.parametrize(
    ("how", "cut"),
    [({"groups": 3}, True), ({"threshold": 0.9}, True), ({"groups": 1}, False),
     ({"threshold": 0.1}, False), ({"groups": 12}, True)],
)  # fmt: skip
def test_the_cut_is_drawn_where_something_lies_beyond_it(how, cut) -> None:
    tree = drawn(3, 4, **how)
    assert ('class="cut"' in tree.svg) == cut
    if cut:
        (x,) = re.findall(r'class="cut" d="M([\d.]+) ', tree.svg)
        joins = re.findall(r'join (of-\d|between)" d="M[\d.]+ [\d.]+H([\d.]+)V', tree.svg)
        assert all((float(end) < float(x)) == kind.startswith("of") for kind, end in joins)


def test_the_axis_begins_with_1_and_holds_every_join() -> None:
    tree = drawn(3, 4, groups=3)
    assert tree.ticks[0] == (0.0, "1")
    places = [place for place, _ in tree.ticks]
    assert places == sorted(places)
    assert places[-1] == pytest.approx(100)
    across = [float(x) for x in re.findall(r"H([\d.]+)V", tree.svg)]
    assert 0 < min(across) <= max(across) <= 1000


def test_less_than_two_texts_have_no_tree() -> None:
    assert dendrogram(cluster_revisions("a", {"b": "b"}, measure="nes", language="c")) is None


def test_texts_that_score_1_all_lie_at_the_edge() -> None:
    found = cluster_revisions("x;", {"a": "f( x );", "b": "f(x);"}, measure="jaccard", language="c")
    tree = dendrogram(found)
    assert tree is not None
    assert 'd="M0 10H0V30H0"' in tree.svg
