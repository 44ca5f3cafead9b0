from __future__ import annotations

import json

import pytest
from tests.report.judging.example_judgements import broken_cards

from codekin import score


def test_bundled_programs_by_default(cli, judging) -> None:
    result = cli("evaluate", "card", "-m", "nes", "--seed", 4)
    assert result.exit_code == 0, result.output
    assert "programs" not in judging.given
    assert judging.given["seed"] == 4
    assert "12.5 µs" in result.stdout


@pytest.mark.parametrize(
    ("words", "programs"), [(("a.jsonl",), "a.jsonl"), (("a", "b"), ["a", "b"])]
)
def test_programs_of_ones_own(cli, judging, words, programs) -> None:
    assert cli("evaluate", "card", *words).exit_code == 0
    assert judging.given["programs"] == programs


def test_a_run_is_resumed_with_its_measures(cli, judging, tmp_path) -> None:
    rows = [{"language": "c", "candidate": "x;", "reference": "x;"}]
    run = score(rows, ["nes", "bleu:order=2"], output=tmp_path / "run", workers=0)
    assert cli("evaluate", "card", "--resume", run.path).exit_code == 0
    assert [repr(one) for one in judging.given["measures"]] == [
        "measure('nes')",
        "measure('bleu', order=2)",
    ]
    assert (judging.given["output"], judging.given["resume"]) == (run.path, True)


def test_an_interrupt_names_the_programs_again(cli, judging) -> None:
    judging.answers["evaluate_card"] = KeyboardInterrupt()
    result = cli("evaluate", "card", "p.jsonl", "-o", "run", "--seed", 2)
    assert result.stderr == (
        "codekin: stopped; go on with: codekin evaluate card p.jsonl --seed=2 --resume run\n"
    )


def test_json_and_strict(cli, judging) -> None:
    words = ("evaluate", "card", "--format", "json")
    assert json.loads(cli(*words).stdout)["measures"]["bleu"]["separation"] == 0.4
    judging.answers["evaluate_card"] = broken_cards()
    assert cli(*words, "--strict").exit_code == 1
