"""Cards: what measures see of known changes."""

import math

import pytest

import codekin
from codekin import CodekinError
from codekin.evaluation.card import bundled_programs, evaluate_card, judge_card
from codekin.rewrite import BREAKING, PRESERVING

PROGRAMS = [
    {
        "id": f"p{i}",
        "language": "python",
        "code": f"def f{i}(a, b):\n    # add\n    if a > {i}:\n        print(a, b)\n"
        f"    total = a + b\n    return total\n\n\ndef g(x):\n    return f{i}(x, 2)\n",
    }
    for i in range(12)
]


def judged(measures, programs=PROGRAMS, **options):
    return evaluate_card(programs, measures, **{"workers": 0, "resamples": 100, **options})


def effects(card):
    return {one.change: one for one in card.changes}


def test_a_card_says_what_a_measure_sees():
    from planted import Constant

    tokens, trees, constant, baseline = judged(["exact:tokens=true", "tsed", Constant()]).measures
    seen = effects(tokens)
    assert list(seen) == [*PRESERVING, *BREAKING]
    # Layout and comments are no tokens; every other change is one.
    assert seen["layout"].stayed == seen["comments"].stayed == 1.0
    assert all(seen[change].stayed == 0 for change in BREAKING)
    assert seen["locals"].mean == 0.0
    # Names and operators are no part of the tree.
    assert effects(trees)["locals"].stayed == effects(trees)["operator"].stayed == 1.0
    assert effects(trees)["statement"].mean < 1
    assert seen["operator"].n == 12
    assert not seen["operator"].preserving
    assert constant.separation.value == 0.5
    assert constant.reason is None
    assert tokens.separation.value > 0.5
    assert baseline.label == "length"
    assert tokens.separation.bca.low <= tokens.separation.value <= tokens.separation.bca.high


def test_costs_are_those_of_pairs_by_size():
    card, _ = judged("nes").measures
    assert sum(one.pairs for one in card.costs) > 0
    assert all(one.microseconds > 0 for one in card.costs)
    run_of = evaluate_card(PROGRAMS, "nes", workers=0, resamples=100)
    assert run_of.measures[0].changes == card.changes


def test_languages_stand_apart(tmp_path):
    programs = [*PROGRAMS[:6], {"language": "c", "code": "int f(int a) { return a + 1; }"}]
    card = judged("nes", programs, output=tmp_path / "run")
    assert card.languages == (("c", 1), ("python", 6))
    measured, _ = card.measures
    assert [name for name, _ in measured.by_language] == ["python", "c"]
    again = judge_card(codekin.Run(tmp_path / "run"), resamples=100, costs=False)
    assert again.measures[0].changes == measured.changes
    assert again.measures[0].costs == ()


def test_programs_that_admit_no_change_are_counted():
    card = judged("nes", [*PROGRAMS, {"code": "puts 1", "language": "ruby"}, {"id": "none"}])
    assert card.programs == 12
    assert sum(failure.rows for failure in card.failures) == 2
    nothing = judged("nes", [{"code": "((", "language": "python"}])
    assert nothing.programs == 0
    assert nothing.measures[0].reason
    assert math.isnan(effects(nothing.measures[0])["locals"].mean)


def test_the_bundled_programs_are_of_five_languages():
    programs = bundled_programs()
    assert {row["language"] for row in programs} == {"python", "java", "c", "cpp", "javascript"}
    card = evaluate_card(measures="exact", workers=0, resamples=100)
    assert card.programs == len(programs)
    assert card.failures == ()


def test_a_run_of_something_else_is_refused(tmp_path):
    codekin.score(
        [{"candidate": "x", "reference": "x", "language": "python"}],
        "nes",
        output=tmp_path / "run",
        workers=0,
    )
    with pytest.raises(CodekinError, match="has no changed programs"):
        evaluate_card(tmp_path / "run")


def test_a_separation_without_an_interval_has_a_reason():
    card, _ = evaluate_card(
        [{"language": "python", "code": "def f(a):\n    b = a + 1\n    return b\n"}],
        "nes",
        workers=0,
        resamples=100,
    ).measures
    assert math.isfinite(card.separation.value)
    assert card.reason is not None
