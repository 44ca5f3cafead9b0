from __future__ import annotations

import pytest

from codekin import CodekinError, evaluate_adequacy


def test_measures_of_any_kind_are_judged_side_by_side() -> None:
    def same(candidate: str, reference: str) -> float:
        return float(candidate == reference)

    judgement = evaluate_adequacy(["nes", same, "nes"], criteria=["3d", "6"], cases=10)
    assert [one.label for one in judgement.measures][0::2] == ["nes", "nes 2"]
    assert [str(one["6"]) for one in judgement.measures] == ["holds"] * 3
    fails = "fails (100 %)"
    assert [str(one["3d"]) for one in judgement.measures] == [fails, "holds", fails]
    assert judgement.measures[0].verdicts == judgement.measures[2].verdicts


def test_programs_are_among_the_cases_and_languages_can_be_chosen() -> None:
    told: list[tuple[int, int]] = []
    judgement = evaluate_adequacy(
        "exact",
        criteria="1",
        cases=12,
        languages=["cpp", "c++"],
        report=lambda done, of: told.append((done, of)),
    )
    assert judgement.languages == ("cpp",)
    assert [one.name for one in judgement.criteria] == ["1a", "1b", "1c"]
    assert told == [(1, 3), (2, 3), (3, 3)]
    verdict = judgement.measures[0]["1b"]
    assert [split.name for split in verdict.by_language] == ["cpp"]
    assert verdict.cases == 12


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"cases": 0}, "cases must be a whole number from 1 to 100,000, not 0"),
        ({"cases": True}, "cases must be a whole number"),
        ({"seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"level": "95 %"}, "level must be between 0 and 1, not '95 %'"),
        ({"level": 1.0}, "level must be between 0 and 1"),
        ({"languages": ["go"]}, "no cases are made in 'go'; choose among python, java"),
        ({"languages": []}, "no cases are made without a language"),
        ({"languages": ["klingon"]}, "klingon"),
        ({"criteria": ["7"]}, "unknown criterion '7'"),
        ({"criteria": ["1d"]}, "unknown criterion '1d' .known: 1a, 1b"),
        ({"criteria": []}, "no criterion to judge by"),
        ({"measures": "blue"}, "did you mean 'bleu'"),
    ],
)
def test_what_is_asked_wrongly_is_refused(given, words) -> None:
    with pytest.raises(CodekinError, match=words):
        evaluate_adequacy(**given)
