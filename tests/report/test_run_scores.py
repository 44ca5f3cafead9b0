from __future__ import annotations

import numpy as np
import pytest

from codekin import CodekinError
from codekin.report.run_scores import gather


def row(candidate: object, reference: str = "x = 1", **more: object) -> dict[str, object]:
    return {"language": "python", "candidate": candidate, "reference": reference, **more}


def test_groups_are_systems_in_their_order(scored) -> None:
    run = scored([row("a", group="late"), row("b", group="early"), row("c", group="late")])
    scores = gather(run)
    assert [(one.name, one.run, one.group) for one in scores.systems] == [
        ("late", 0, "late"),
        ("early", 0, "early"),
    ]
    assert scores.system.tolist() == [0, 1, 0]


def test_a_run_without_groups_is_one_system_without_the_name_of_its_folder(scored) -> None:
    assert [one.name for one in gather(scored([row("a")])).systems] == ["all"]


def test_rows_without_a_group_among_others_are_told(scored) -> None:
    scores = gather(scored([row("a", group="g"), row("b")]))
    assert [one.name for one in scores.systems] == ["g", "(none)"]


def test_several_runs_are_systems_and_keep_their_measures(scored) -> None:
    first = scored([row("x = 1"), row("y")], ["exact", "nes"], name="one")
    second = scored([row("z", group="g"), row("x = 1", group="h")], ["nes", "ed"], name="two")
    scores = gather([first, second])
    assert [one.name for one in scores.systems] == ["one", "two · g", "two · h"]
    assert scores.system.tolist() == [0, 0, 1, 2]
    assert scores.starts == (0, 2, 4)
    assert scores.labels == ("exact", "nes", "ed")
    assert scores.values["exact"][:2].tolist() == [1.0, 0.0]
    assert np.isnan(scores.values["exact"][2:]).all()
    assert not scores.failed.any()  # what was not asked for has not failed
    assert scores.ids.to_pylist() == ["1", "2", "1", "2"]


def test_one_run_twice_is_two_systems(scored) -> None:
    run = scored([row("a")])
    assert [one.name for one in gather([run, run]).systems] == ["run", "run 2"]


def test_rows_with_the_same_references_share_a_task(scored) -> None:
    given = [
        row("a"),
        row("b", 7),
        row("b", "y = 2"),
        row("c"),
        row("d", origin="o"),
        row("e", "y = 2"),
    ]
    scores = gather(scored(given))
    assert scores.task.tolist() == [0, -1, 1, 0, 2, 1]
    assert scores.failed.tolist() == [False, True, False, False, False, False]


def test_languages_of_both_sides(scored) -> None:
    given = [row("a", reference_language="go"), row("b"), row("c", language="cobol")]
    scores = gather(scored(given))
    assert scores.languages[scores.language[0]] == "python"
    assert scores.languages[scores.reference_language[0]] == "go"
    assert scores.languages[scores.language[2]] is None


def test_outcomes(scored) -> None:
    scores = gather(scored([row("a", outcome=0.5), row("b")]))
    assert scores.has_outcome
    assert scores.outcome[0] == 0.5
    assert np.isnan(scores.outcome[1])
    assert not gather(scored([row("a")], name="other")).has_outcome


def test_distances_reach_as_far_as_their_largest(scored) -> None:
    scores = gather(scored([row("x = 1"), row("x = 1 + 2")]))
    assert (scores.high("ed"), scores.high("nes")) == (4.0, 1.0)


def test_no_rows_and_no_runs(run_without_rows) -> None:
    scores = gather(run_without_rows("nes"))
    assert len(scores) == 0
    assert scores.systems == ()
    with pytest.raises(CodekinError, match="no run"):
        gather([])
