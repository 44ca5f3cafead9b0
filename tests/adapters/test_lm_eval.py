import doctest
import json
import shutil
from pathlib import Path

import pytest

lm_eval = pytest.importorskip("lm_eval", reason="lm_eval is tested by make adapters")

from lm_eval.api.model import LM  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

import codekin  # noqa: E402
from codekin.adapters import lm_eval as adapter  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "lm_eval"


class Answers(LM):
    """A model that answers from a list, and to the prompts of a task in order."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__()
        self.answers = answers

    def generate_until(self, requests, disable_tqdm=False):
        return [self.answers[request.doc_id] for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the example of the documentation, as the current folder."""
    shutil.copytree(EXAMPLE, tmp_path / "lm_eval")
    monkeypatch.chdir(tmp_path / "lm_eval")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path / "lm_eval"


def documents(folder: Path) -> list[dict[str, str]]:
    lines = (folder / "fixes.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def evaluated(task: str, answers: list[str]) -> dict[str, float]:
    done = lm_eval.simple_evaluate(
        Answers(answers),
        tasks=[task],
        task_manager=TaskManager(include_path=".", include_defaults=False),
        bootstrap_iters=0,
    )
    return done["results"][task]


def test_the_harness_evaluates_the_example_with_metric_and_filter(folder) -> None:
    docs = documents(folder)
    answers = [f"Sure!\n```python\n{doc['after']}```\nDone." for doc in docs]
    found = evaluated("codekin_fixes", answers)
    assert found["codebleu,code"] == 1.0
    assert found["nes,code"] == 1.0
    answers[0] = docs[0]["before"]
    expected = codekin.measure("nes").score(answers[0], docs[0]["after"], language="python")
    found = evaluated("codekin_fixes", answers)
    assert found["nes,code"] == pytest.approx((expected.value + len(docs) - 1) / len(docs))


def test_the_harness_scores_edits_against_their_origin(folder) -> None:
    docs = documents(folder)
    found = evaluated("codekin_edits", [doc["before"] for doc in docs])
    assert found["es,code"] == 0.0
    found = evaluated("codekin_edits", [f"```\n{doc['after']}```" for doc in docs])
    assert found["es,code"] == 1.0


def test_several_references_count_as_in_the_measure() -> None:
    process = adapter.edit_results("nes", reference="good", language="python")
    assert process({"good": ["x = 1", "y = 2"]}, ["y = 2"]) == {"nes": 1.0}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"measures": "blue"}, "did you mean 'bleu'"),
        ({"measures": []}, "name at least one measure"),
        ({"measures": "es"}, 'as in origin="before"'),
    ],
)
def test_bad_settings(arguments, words) -> None:
    with pytest.raises(codekin.CodekinError, match=words):
        adapter.edit_results(**arguments)


def test_a_document_without_its_field_is_an_error() -> None:
    process = adapter.edit_results("nes", reference="after")
    with pytest.raises(codekin.CodekinError, match=r"no field 'after' \(it has: before\)"):
        process({"before": "x = 1"}, ["x = 1"])


def test_an_empty_answer_scores_zero() -> None:
    assert adapter.similarity(["x = 1"], [""], language="python") == {"codebleu": 0.0}


def test_the_examples_in_docstrings() -> None:
    assert doctest.testmod(adapter).attempted >= 3
    assert doctest.testmod(adapter).failed == 0
