from __future__ import annotations

import copy
import csv
import io
import json
from importlib import resources

import jsonschema
import pytest

from codekin.evaluation.adequacy import CRITERIA

FAST = ("evaluate", "adequacy", "--cases", 10)


def test_a_table_of_verdicts_and_the_counter_examples(cli) -> None:
    result = cli(*FAST, "-m", "bleu", "--criterion", "3", "--criterion", "1a", "--seed", 3)
    assert result.exit_code == 0, result.output
    assert "3d blind to shared context doing nothing where the reference" in result.stdout
    assert "10 cases of each criterion, seed 3, in python, java, c, cpp, javascript" in (
        result.stdout
    )
    assert "bleu breaks 3d doing nothing where the reference does something scores 0" in (
        result.stdout
    )
    assert "breaks 1a" not in result.stdout
    assert "    reference 1 " in result.stdout


def test_many_measures_have_their_counter_examples_if_asked_for(cli) -> None:
    words = (*FAST, "--criterion", "3d", "-l", "c")
    result = cli(*words)
    assert result.exit_code == 0, result.output
    assert "tsed" in result.stdout and "breaks" not in result.stdout
    assert "the counter-examples: --examples" in result.stdout
    result = cli(*words, "-m", "nes", "-m", "jaccard", "-m", "length", "--examples")
    assert result.stdout.count("breaks 3d") == 3
    result = cli(*words, "-m", "nes", "--no-examples")
    assert "breaks" not in result.stdout


def test_markdown_latex_and_csv(cli) -> None:
    words = (*FAST, "-m", "nes", "--criterion", "3d", "-l", "python")
    result = cli(*words, "--format", "markdown")
    assert "| nes | 100 % |" in result.stdout
    assert "```text\nThe smallest counter-examples" in result.stdout
    result = cli(*words, "--format", "latex")
    assert "nes & 100 \\% \\\\" in result.stdout and "breaks" not in result.stdout
    result = cli(*words, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(result.stdout))
    assert (row["measure"], row["criterion"], row["verdict"]) == ("nes", "3d", "fails")
    assert row["broken"] == row["cases"] == "10"


def test_a_measure_of_ones_own_that_fails_is_named(cli, tmp_path, monkeypatch) -> None:
    tmp_path.joinpath("adequacy_own.py").write_text(
        "def whole(candidate, reference, *, origin):\n"
        "    if candidate == origin:\n"
        "        raise KeyError('nothing done')\n"
        "    return float(candidate == reference)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    result = cli(*FAST, "-m", "adequacy_own:whole", "--criterion", "1a", "--criterion", "3d")
    assert result.exit_code == 0, result.output
    assert "adequacy_own:whole: 10 cases of 3d could not be scored; the first: " in result.stderr
    assert "KeyError: 'nothing done'" in result.stderr
    assert "–: the criterion does not apply, or no case could be scored" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--criterion", "9"), "unknown criterion '9'"),
        (("-l", "rust"), "no cases are made in 'rust'"),
        (("-m", "blue"), "unknown measure 'blue'; did you mean 'bleu'?"),
    ],
)
def test_errors_say_what_to_do(cli, words, said) -> None:
    result = cli("evaluate", "adequacy", *words)
    assert result.exit_code == 1
    assert said in str(result.exception)


def test_the_document_is_valid_by_its_schema(cli) -> None:
    file = resources.files("codekin").joinpath("data/evaluate-adequacy.schema.json")
    schema = json.loads(file.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    result = cli(*FAST, "-m", "bleu", "-m", "ed", "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    validator.validate(document)
    assert list(document["criteria"]) == list(CRITERIA)
    example = document["measures"]["bleu"]["verdicts"]["1b"]["counter_example"]
    assert example is None or list(example["texts"]) == list(CRITERIA["1b"].roles)
    assert document["measures"]["ed"]["verdicts"]["3d"]["verdict"] == "does not apply"
    # A key more or less would not pass, so that the schema says all there is.
    for key in document:
        assert not validator.is_valid({k: v for k, v in document.items() if k != key})
    for path in (("criteria", "1a"), ("measures", "bleu"), ("measures", "bleu", "verdicts", "4")):
        part = document
        for step in path:
            part = part[step]
        for key in part:
            less = copy.deepcopy(document)
            inner = less
            for step in path:
                inner = inner[step]
            del inner[key]
            assert not validator.is_valid(less), key
