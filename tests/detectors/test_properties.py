from __future__ import annotations

import pytest
from tests.detectors.synthetic_records import BROKEN, cell, sound_run, write_records

from codekin.detectors.benchmark.dataset_properties import PropertyVerdict, dataset_properties
from codekin.errors import CodekinError

HOLDS, FAILS, UNJUDGED = PropertyVerdict.HOLDS, PropertyVerdict.FAILS, PropertyVerdict.UNJUDGED


def verdicts(folder, **options) -> dict[int, PropertyVerdict]:
    return {one.number: one.verdict for one in dataset_properties(folder, **options).properties}


def test_a_sound_corpus_has_all_three(tmp_path) -> None:
    found = dataset_properties(write_records(tmp_path, sound_run()))
    assert found.sound and {one.verdict for one in found.properties} == {HOLDS}
    ranks, mixed, gap = found.properties
    assert ranks.value == 1.0 and "none" in ranks.numbers
    assert mixed.value == pytest.approx(-0.02)
    assert gap.value == pytest.approx((0.92 - 0.005) - (0.83 + 0.005))
    assert "linear 0.830 [0.825, 0.835]" in gap.numbers and "astnn" in gap.numbers


@pytest.mark.parametrize("number", BROKEN)
def test_the_one_that_is_broken_fails(tmp_path, number) -> None:
    found = verdicts(write_records(tmp_path, sound_run() | BROKEN[number]))
    assert found == {one: FAILS if one == number else HOLDS for one in (1, 2, 3)}


def test_a_swap_within_intervals_lowers_tau_alone(tmp_path) -> None:
    """Of four detectors, one swap leaves tau at 2/3; outside intervals it is a failure anyway."""
    values = sound_run()
    values |= {
        cell("faast:network=gmn", level="0"): 0.98,
        cell("faast:network=gmn", level="abs"): 0.97,
    }
    values |= {cell("faast", level="abs"): 0.972}
    (one, *_) = dataset_properties(write_records(tmp_path / "a", values)).properties
    assert one.value == pytest.approx(2 / 3) and one.verdict is HOLDS
    values |= {cell("faast", level="abs"): 0.99}
    # Before, .97 and .98 do not overlap with a half width of .004.
    (one, *_) = dataset_properties(write_records(tmp_path / "b", values, half=0.004)).properties
    assert one.value == pytest.approx(2 / 3) and one.verdict is FAILS
    assert "faast and faast:network=gmn" in one.numbers


@pytest.mark.parametrize(("mixed", "verdict"), [(0.90, HOLDS), (0.899, FAILS), (0.961, FAILS)])
def test_the_difference_may_be_exactly_three_hundredths(tmp_path, mixed, verdict) -> None:
    values = sound_run() | {cell("astnn", level="abs", test_level="0"): mixed}
    assert verdicts(write_records(tmp_path, values))[2] is verdict


def test_the_ablation_and_the_baselines_are_not_judged_as_sound(tmp_path) -> None:
    values = sound_run()
    for word in ("tbccd:pace=False", "mlp", "svm"):
        values |= {cell(word, level="0"): 0.99, cell(word, level="abs"): 0.5}
        values |= {cell(word, level="abs", test_level="0"): 0.1}
    assert set(verdicts(write_records(tmp_path, values)).values()) == {HOLDS}


def test_what_was_not_run_cannot_be_judged(tmp_path) -> None:
    values = {
        k: v for k, v in sound_run().items() if k.detector == "tbccd" and k.level == k.test_level
    }
    found = dataset_properties(write_records(tmp_path, values))
    assert {one.verdict for one in found.properties} == {UNJUDGED} and found.sound
    assert [one.reason.split()[0] for one in found.properties] == ["needs"] * 3
    assert "tbccd" in found.properties[0].reason and "linear" in found.properties[2].reason


def test_other_levels_and_pairs_without_copies(tmp_path) -> None:
    folder = write_records(tmp_path, sound_run())
    without = dataset_properties(folder, without_copies=True)
    assert without.properties[0].numbers.count("0.930 to 0.920") == 1
    with pytest.raises(CodekinError, match="at level 0 and at level 3"):
        dataset_properties(folder, level="3")
    with pytest.raises(CodekinError, match="unknown level 'four'"):
        dataset_properties(folder, level="four")


def test_each_corpus_and_view_is_judged_by_itself(tmp_path) -> None:
    from dataclasses import replace

    values = sound_run()
    values |= {
        replace(one, corpus="oj", test_corpus="oj", view="cross-project"): f1
        for one, f1 in (sound_run() | BROKEN[3]).items()
    }
    found = dataset_properties(write_records(tmp_path, values))
    failed = [
        (one.corpus, one.view, one.number) for one in found.properties if one.verdict is FAILS
    ]
    assert len(found.properties) == 6 and failed == [("oj", "cross-project", 3)]
    assert "linear" in str(found) and "tau-b" in found.to_html()
