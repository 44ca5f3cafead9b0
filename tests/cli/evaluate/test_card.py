from __future__ import annotations

import json
import re
import shlex

from tests.cli.evaluate.tiny_rows import program, write

from codekin import Run
from codekin.evaluation.card import bundled_programs

FAST = ("-w", 1)


def test_bundled_programs_by_default_and_resumed(cli, tmp_path) -> None:
    run = tmp_path / "run"
    words = ("-m", "nes", "-m", "exact", "--seed", 4, *FAST)
    result = cli("evaluate", "card", "-o", run, *words)
    assert result.exit_code == 0, result.output
    assert f"{len(bundled_programs())} programs (" in result.stdout
    assert "2,000 resamples of programs, seed 4" in result.stdout
    assert re.search(r"^nes +[\d.]+ [mµ]?s", result.stdout, re.M)  # what a pair costs
    assert Run(run).manifest["asked"]["view"]["seed"] == 4
    result = cli("evaluate", "card", "--resume", run, "--seed", 4, *FAST, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert list(document["measures"]) == ["nes", "exact", "length"]
    assert document["programs"] == len(bundled_programs())


def test_programs_of_ones_own(cli, tmp_path) -> None:
    files = (
        write(tmp_path / "a.jsonl", map(program, range(8))),
        write(tmp_path / "b.jsonl", map(program, range(8, 12))),
    )
    result = cli("evaluate", "card", *files, "-m", "nes", *FAST, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["languages"] == {"python": 12}
    assert document["measures"]["nes"]["changes"]["locals"]["n"] == 12


def test_an_interrupt_names_the_programs_again(cli, interrupted, tmp_path, monkeypatch) -> None:
    write(tmp_path / "p.jsonl", map(program, range(8)))
    done = interrupted("card", "p.jsonl", "-o", "run", "--seed", 2)
    go_on = "codekin evaluate card p.jsonl --seed=2 -m slow:slow --resume run"
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"codekin: stopped; resume with: {go_on}\n"
    monkeypatch.chdir(tmp_path)
    result = cli(*shlex.split(go_on)[1:], *FAST, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["programs"], document["seed"]) == (8, 2)
    assert list(document["measures"]) == ["slow:slow", "length"]


def test_json_and_strict(cli, run_of) -> None:
    words = ("evaluate", "card", "--format", "json")
    result = cli(*words, run_of("card"), "--strict")
    assert (result.exit_code, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert document["level"] == 0.95
    bleu = document["measures"]["bleu"]
    assert bleu["ci"][0] <= bleu["separation"] <= bleu["ci"][1]
    assert bleu["changes"]["layout"]["stayed"] == 1
    assert cli(*words, run_of("card-broken")).exit_code == 0
    result = cli(*words, run_of("card-broken"), "--strict")
    assert result.exit_code == 1
    assert "codekin: no score: no field 'code' (it has: id, language)" in result.stderr
    assert json.loads(result.stdout)["programs"] == 11


def test_a_card_of_nothing_is_an_error(cli, run_of) -> None:
    result = cli("evaluate", "card", run_of("card-nothing"))
    assert result.exit_code == 1
    assert "codekin: not one changed program could be scored; see the reasons" in result.stderr
    assert not result.stdout.strip()
