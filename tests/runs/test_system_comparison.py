from __future__ import annotations

import json

import numpy as np
import pytest

from codekin import CodekinError, SystemComparison, compare_systems, score
from codekin.runs.comparison import RunComparison
from codekin.runs.run import Run
from codekin.runs.system_comparison import compare_if_several


def rows(systems: dict[str, int], tasks: int = 24, field: str = "group") -> list[dict[str, object]]:
    """Systems that are right in every n-th task, and nearly so elsewhere."""
    return [
        {
            "id": f"{name}-{i}",
            field: name,
            "language": "python",
            "candidate": f"f(x, {i})" if i % every == 0 else f"f(x + {i % 5}, y)",
            "reference": f"f(x, {i})",
            "half": i % 2,
        }
        for name, every in systems.items()
        for i in range(tasks)
    ]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp("systems") / "run"
    systems = {"weak": 8, "strong": 1, "twin": 1}
    return score(rows(systems), ["nes", "ed"], output=folder, workers=0)


def test_each_system_is_compared_with_the_best(run) -> None:
    found = compare_systems(run)
    assert isinstance(found, SystemComparison)
    assert (found.on, found.tasks) == ("reference", 24)
    for one in found.measures:
        assert [system.name for system in one.systems] == ["strong", "twin", "weak"]
        assert [system.differs for system in one.systems] == [False, False, True]
        values = run.values(one.label).reshape(3, 24)
        gap = abs(values[0].mean() - values[1].mean())
        assert one.systems[2].behind.value == pytest.approx(gap)
        assert one.systems[2].behind.bca.low > 0
        assert one.tied == ("twin",)
        assert one.best.p == one.systems[1].p == 1


def test_it_ends_in_a_conclusion(run) -> None:
    found = compare_systems(run)
    first, second, last = found.conclusion()
    assert first == (
        "Of 3 systems on 24 tasks, strong is best by both measures; twin is not distinguished "
        "from it."
    )
    assert second.startswith("weak is worse than strong on nes by 0.")
    assert "; ed by " in second
    assert "not proof of better code" in last
    assert json.loads(found.to_json())["conclusion"] == [first, second, last]
    assert str(found).rstrip().endswith("measures it.")
    assert f"<p><b>{first}</b></p>" in found._repr_html_()
    assert first in found.to_markdown().replace("\\", "")
    assert first in found.to_html()


def test_systems_that_no_measure_distinguishes_are_said_to_tie(run) -> None:
    made = score(rows({"a": 1, "b": 1, "c": 1}), "nes", workers=0)
    assert compare_systems(made).conclusion()[0] == (
        "Of 3 systems on 24 tasks, a is best by nes, but no other system differs from it by more "
        "than chance."
    )


def test_measures_that_prefer_other_systems_are_told(tmp_path) -> None:
    made = rows({"a": 1, "b": 1, "c": 1}, tasks=40)
    for i, row in enumerate(made):
        task = i % 40
        text = f"alpha(beta, {task})"
        # a keeps the words, b keeps their number: jaccard prefers a, and length prefers b.
        candidates = (text + " + gamma + delta + epsilon + zeta", "-u = v + w", "z")
        made[i] = row | {"reference": text, "candidate": candidates[i // 40]}
    found = compare_systems(score(made, ["jaccard", "length"], workers=0))
    told = [one for one in found.conclusion() if one.startswith("The measures disagree")]
    assert told == [
        "The measures disagree on the best system (a by jaccard; b by length). Decide which "
        "measure answers your question before you choose a system."
    ]


def test_every_measure_on_which_a_system_is_worse_is_named() -> None:
    made = rows({"a": 1, "b": 1, "c": 1}, tasks=40)
    for i, row in enumerate(made):
        task = i % 40
        text = f"alpha(beta, {task})"
        # By jaccard, b is best by a hair, and by the others a is.
        near = f"beta(alpha, {task})" if i // 40 == 1 or task else f"alpha(betas, {task})"
        candidates = (text if task > 4 else near, near, "z")
        made[i] = row | {"reference": text, "candidate": candidates[i // 40]}
    found = compare_systems(score(made, ["nes", "ed", "jaccard"], workers=0))
    assert [one.best.name for one in found.measures] == ["a", "a", "b"]
    last = next(one for one in found.conclusion() if one.startswith("c is "))
    parts = last.removesuffix(".").split(", and worse than ")
    assert [one.partition(" by ")[0] for one in parts] == [
        "c is worse than a on nes",
        "b on jaccard",
    ]
    assert "; ed by " in parts[0]


def test_two_systems_are_a_pair(run) -> None:
    found = compare_systems(run, groups=["weak", "strong"])
    assert isinstance(found, RunComparison)
    assert found.conclusion()[0].startswith("strong scores higher than weak on nes by ")


def test_systems_are_named_by_a_field_of_the_user(tmp_path) -> None:
    made = score(rows({"weak": 8, "strong": 1, "twin": 1}, field="engine"), "nes", workers=0)
    found = compare_systems(made, by="engine")
    assert [one.name for one in found.systems] == ["weak", "strong", "twin"]
    with pytest.raises(CodekinError, match=r"all rows are of one group; .* as --system FIELD"):
        compare_systems(made)


def test_runs_are_systems(tmp_path) -> None:
    runs = [
        score(rows({"x": every}), "nes", output=tmp_path / name, workers=0)
        for name, every in (("weak", 8), ("strong", 1), ("middle", 3))
    ]
    found = compare_systems([run.path for run in runs])
    assert found.on == "id"
    assert [one.name for one in found.measures[0].systems] == ["strong", "middle", "weak"]


def test_clusters_are_dealt_together(run) -> None:
    alone, together = compare_systems(run), compare_systems(run, cluster="half")
    p = [found.measures[0].systems[2].p for found in (alone, together)]
    assert p[0] < 0.01
    assert p[1] > 0.2  # two units cannot show anything


def test_only_tasks_of_all_systems_count(tmp_path) -> None:
    made = rows({"a": 1, "b": 2, "c": 3})
    made[0]["reference"] = "only(a)"
    made[30]["candidate"] = 7  # which cannot be scored
    found = compare_systems(score(made, "nes", workers=0))
    assert (found.tasks, found.measures[0].tasks) == (23, 22)
    assert found.warnings() == ["3 rows of a, b and c are left out: not every system has the task"]


def test_weights_weigh(tmp_path) -> None:
    made = [
        row | {"weight": 5 if i % 24 < 4 else 0}
        for i, row in enumerate(rows({"a": 2, "b": 3, "c": 1}))
    ]
    run = score(made, "nes", workers=0)
    found = compare_systems(run)
    values = run.values("nes").reshape(3, 24)[:, :4].mean(axis=1)
    means = {one.name: one.mean for one in found.measures[0].systems}
    assert [means[name] for name in "abc"] == pytest.approx(values.tolist())


def test_records_have_every_system(run) -> None:
    frame = compare_systems(run).to_polars()
    assert frame.height == 6
    assert frame["rank"].to_list() == [1, 2, 3] * 2
    assert frame.columns[:5] == ["measure", "system", "rank", "mean", "behind"]
    assert np.isfinite(frame["bca_low"].to_list()[1:3]).all()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"groups": ["weak"]}, "name two groups to compare, not 1"),
        ({"groups": ["weak", "strong", "x"]}, "no row is of the group 'x'"),
        ({"groups": "weak"}, "groups must be a list of names"),
        ({"on": "id"}, "no task is common to all 3 systems by id"),
        ({"by": "nothing"}, "no row has a field 'nothing'"),
        ({"resamples": 0}, "resamples must be at least 1"),
    ],
)
def test_mistakes_are_explained(run, options, said) -> None:
    with pytest.raises(CodekinError, match=said):
        compare_systems(run, **options)


def test_rows_that_name_no_system_are_mentioned_if_no_task_is_common() -> None:
    made = [row | {"model": row["group"]} for row in rows({"a": 1, "b": 2})]
    made[-1] |= {"model": None, "candidate": None}
    with pytest.raises(CodekinError, match=r"\(1 row names no system and counts as"):
        compare_systems(score(made, "nes", workers=0), by="model", on="id")


def test_no_run_and_too_few_groups_are_mistakes(run, tmp_path) -> None:
    with pytest.raises(CodekinError, match="there is no run to compare"):
        compare_systems([])
    with pytest.raises(CodekinError, match="1 group for 3 runs: name one for each run"):
        compare_systems([run, run, run], groups=["weak"])


def test_hostile_names_are_only_text(tmp_path) -> None:
    names = {"<script>alert(1)</script>": 1, "=cmd()": 8, "a\x1b[31m\nb": 3}
    found = compare_systems(score(rows(names), "nes", workers=0))
    assert "<script>alert" not in found.to_html()
    assert "<script>" not in found._repr_html_()
    assert "\x1b" not in str(found)
    assert "'=cmd()" in found.to_csv()


def test_a_job_ends_in_a_comparison_only_where_there_is_one(run) -> None:
    assert compare_if_several(run) == compare_systems(run)
    assert compare_if_several(score(rows({"only": 2}), "nes", workers=0)) is None
    apart = [row | {"reference": f"{row['id']}()"} for row in rows({"a": 1, "b": 2, "c": 3})]
    assert compare_if_several(score(apart, "nes", workers=0)) is None
