from __future__ import annotations

import io
import math
import random
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tests.report.many_revisions import clustering
from tests.report.nasty import NASTY

import codekin
from codekin import CodekinError, Measure, Score, Source, cluster_revisions, measure
from codekin.groups.clustering import Clustering
from codekin.report.render import terminal

ORIGIN = "def area(r):\n    return 3 * r * r\n"
REVISIONS = {
    "alice": "def area(r):\n    return 3.14159 * r * r\n",
    "bob": "def area(r):\n    return 3.1416 * r * r\n",
    "carol": "def area(radius):\n    return 3 * radius * radius\n",
    "dan": "def area(r):\n    return 3.14159 * r * r\n",
    "eve": ORIGIN,
    "frank": "def area(r):\n    return 3.14 * r * r\n",
}


def clustered(revisions=REVISIONS, **more):
    more.setdefault("measure", "nes")
    more.setdefault("groups", None if "threshold" in more else 2)
    return cluster_revisions(ORIGIN, revisions, language="python", **more)


def test_edits_that_are_alike_come_together():
    found = clustered()
    first, second = found.groups
    assert (first.number, first.members) == (1, ("bob", "alice", "dan", "frank"))
    assert (second.number, second.members) == (2, ("carol",))
    assert first.medoid == "bob"
    assert found.untouched == ("eve",)
    assert found.copies == {"alice": ("dan",)}
    assert found.names == ("alice", "bob", "carol", "frank")
    assert found.failures == ()
    assert found.revisions == 6
    assert (found.threshold, found.wanted, found.measure) == (None, 2, "nes")
    assert found.signature == measure("nes").signature()


def test_what_is_said_of_a_group_is_what_its_scores_say():
    first, second = clustered().groups
    nes = measure("nes")
    texts = [REVISIONS[name] for name in ("alice", "bob", "frank")]
    pairs = [nes.score(a, b).value for i, a in enumerate(texts) for b in texts[:i]]
    assert first.similarity == pytest.approx(np.mean(pairs))
    assert first.diameter == pytest.approx(1 - min(pairs))
    to_bob = [nes.score(REVISIONS[name], REVISIONS["bob"]).value for name in first.members]
    assert list(first.to_medoid) == pytest.approx(to_bob)
    across = np.mean([nes.score(text, REVISIONS["carol"]).value for text in texts])
    assert first.nearest == ((2, pytest.approx(across)),)
    assert second.nearest == ((1, pytest.approx(across)),)
    assert math.isnan(second.similarity)
    assert second.diameter == 0


@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.9, 0.97, 1.0])
def test_groups_are_joined_down_to_the_threshold(threshold):
    found = clustered(threshold=threshold)
    assert len(found.groups) == 4 - int((1 - found.linkage[:, 2] >= threshold).sum())
    assert found.threshold == threshold
    for group in found.groups:
        for _, similarity in group.nearest:
            assert similarity < threshold


def test_the_default_threshold_is_0_4():
    found = cluster_revisions(ORIGIN, REVISIONS, measure="nes", language="python")
    assert (found.threshold, found.wanted) == (0.4, None)


def summary(found):
    return (found.groups, found.untouched, found.copies, found.failures, found.linkage.tolist())


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3), st.text("xy\n", max_size=6), min_size=1
    ),
    st.randoms(use_true_random=False),
    st.integers(1, 3),
)
def test_the_order_of_the_revisions_changes_nothing(revisions, rng, groups):
    names = list(revisions)
    rng.shuffle(names)
    try:
        found = clustered(revisions, groups=groups)
    except CodekinError as error:
        assert "groups cannot be made" in str(error)
        return
    again = clustered({name: revisions[name] for name in names}, groups=groups)
    assert repr(summary(again)) == repr(summary(found))
    # Every revision is somewhere, once.
    listed = [name for group in found.groups for name in group.members] + [*found.untouched]
    assert sorted(listed) == sorted(revisions)
    assert len(found.groups) in (groups, 0)
    sizes = [(-len(group.members), group.medoid) for group in found.groups]
    assert sizes == sorted(sizes)


@dataclass(frozen=True, kw_only=True, repr=False)
class Fussy(Measure):
    """Refuses texts that say so, and two that do not go together."""

    name: ClassVar[str] = "fussy"
    summary: ClassVar[str] = "refuses some texts"

    def _pair(self, candidate: Source, reference: Source) -> Score:
        both = {candidate.text, reference.text}
        if "never" in both:
            raise CodekinError("never is never scored")
        if both in ({"odd", "a"}, {"odd", "b"}):
            raise CodekinError("odd goes with few")
        value = math.nan if both == {"c", "d"} else 0.9
        return Score(self, 1.0 if len(both) == 1 else value, {}, candidate, reference)


def test_what_cannot_be_scored_is_listed_with_its_reason():
    texts = {name: name for name in ("a", "b", "never", "odd")} | {"more": "never"}
    found = clustered(texts, measure=Fussy(), threshold=0.5, unusable={"bin": "looks binary"})
    assert [group.members for group in found.groups] == [("a", "b")]
    assert found.failures == (
        ("bin", "looks binary"),
        ("more", "never is never scored"),
        ("never", "never is never scored"),
        ("odd", "cannot be compared with a: odd goes with few"),
    )
    assert found.revisions == 6
    assert np.isfinite(found.similarities).all()


def test_a_score_that_is_no_number_leaves_one_of_the_two_out():
    found = clustered({name: name for name in "abcd"}, measure=Fussy(), threshold=0.5)
    assert [group.members for group in found.groups] == [("a", "b", "d")]
    assert found.failures == (("c", "cannot be compared with d: its score is nan"),)


def test_revisions_that_all_are_untouched_make_no_group():
    found = clustered({"a": ORIGIN, "b": ORIGIN}, threshold=0.5)
    assert (found.groups, found.untouched, found.revisions) == ((), ("a", "b"), 2)
    assert clustered({"a": ORIGIN}, groups=1).groups == ()


def test_one_revision_is_a_group():
    (group,) = clustered({"a": "x = 1\n"}, groups=1).groups
    assert (group.medoid, group.members, group.nearest) == ("a", ("a",), ())


def test_copies_alone_are_one_text():
    (group,) = clustered({"b": "x\n", "a": "x\n"}, threshold=1.0).groups
    assert (group.medoid, group.members, group.to_medoid) == ("a", ("a", "b"), (1.0, 1.0))
    assert (group.similarity, group.diameter) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"measure": "ed"}, "ed is a distance"),
        ({"measure": "nope"}, "unknown measure 'nope'"),
        ({"threshold": 0.5, "groups": 2}, "not both"),
        ({"threshold": 1.5}, "from 0 to 1, not 1.5"),
        ({"threshold": math.nan}, "from 0 to 1, not nan"),
        ({"groups": 0}, "at least 1 group"),
        (
            {"groups": 5},
            r"of 6 revisions: 5 .* usable, in 4 .* \(1 more .*ask for at most 4 groups",
        ),
    ],
)
def test_wrong_uses_are_told(wrong, said):
    with pytest.raises(CodekinError, match=said):
        clustered(**wrong)


def test_many_families_come_back():
    rng = random.Random(1)
    lines = [f"value_{i} = {i}" for i in range(60)]
    revisions = {}
    for family in range(5):
        for one in range(6):
            text = list(lines)
            start = 10 * family
            text[start : start + 5] = [f"family_{family} = {k}" for k in range(5)]
            text[rng.randrange(60)] += f"  # {one}"
            revisions[f"{family}-{one}"] = "\n".join(text)
    found = cluster_revisions(
        "\n".join(lines), revisions, measure="nes:unit=lines", groups=5, language="python"
    )
    families = [{name[0] for name in group.members} for group in found.groups]
    assert sorted(map(len, families)) == [1] * 5
    assert [len(group.members) for group in found.groups] == [6] * 5


def test_it_is_public_and_loaded_when_asked_for():
    assert codekin.cluster_revisions is cluster_revisions


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
    for grid in named(found, "\x1b[2J").grids():
        screen.print(terminal(grid, 80))
    for line in found.notes():
        screen.print(line, markup=False)
    assert isinstance(screen.file, io.StringIO)
    assert "\x1b" not in screen.file.getvalue()
    assert "\u202e" not in screen.file.getvalue()
