from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from tests.report.many_revisions import clustering
from tests.report.nasty import NASTY

from codekin import cluster_revisions
from codekin.groups.clustering import Clustering
from codekin.report.groups_in_terminal import clustering_table


def named(found: Clustering, origin: str) -> Clustering:
    return replace(found, origin_name=origin)


def test_the_title_says_what_was_asked_for() -> None:
    by_groups = named(clustering(2, 2, groups=2), "o.py").title
    assert by_groups == "7 revisions of o.py: 2 groups by nes:unit=lines, 2 groups requested"
    by_threshold = named(clustering(2, 2, threshold=0.1), "o.py").title
    assert by_threshold.endswith("joined at a mean similarity of 0.1 or more")


def test_the_closest_groups_are_those_to_be_joined_next() -> None:
    found = clustering(4, 3, groups=3)
    closest = found.closest
    assert closest is not None
    assert closest[2] == pytest.approx(1 - found.linkage[-2, 2])
    assert closest[0] < closest[1]
    assert clustering(2, 2, groups=1).closest is None


def test_texts_with_several_names_are_told_up_to_five() -> None:
    texts = {f"{name}{i}": name for name in "abcdefgh" for i in range(2)}
    found = cluster_revisions("x", texts, measure="nes", language="c", groups=1)
    lines = found.notes()
    assert lines[0] == "the same text: a0, a1"
    assert lines[5] == "and 3 more texts with several names"


def test_names_cannot_move_the_cursor() -> None:
    texts = {f"{i}{name}": f"x = {i}" for i, name in enumerate(NASTY)}
    found = cluster_revisions(
        "x", texts, measure="nes", language="c", groups=1, unusable={"\x1b[2J": "\x1b[31m"}
    )
    screen = Console(file=io.StringIO(), width=80)
    screen.print(clustering_table(named(found, "\x1b[2J"), 80))
    for line in found.notes():
        screen.print(line, markup=False)
    assert isinstance(screen.file, io.StringIO)
    assert "\x1b" not in screen.file.getvalue()
    assert "\u202e" not in screen.file.getvalue()
