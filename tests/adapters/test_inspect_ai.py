import doctest
import re
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="inspect_ai is tested by make adapters")

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model

import codekin
from codekin.adapters import inspect_ai as adapter
from codekin.adapters.inspect_ai import codekin_scorer

ADD = "def add(a, b):\n    return a + b\n"
SUBTRACT = "def add(a, b):\n    return a - b\n"


@pytest.fixture
def run(tmp_path):
    """Evaluate with a model that gives these answers, without any network."""

    def evaluated(task: Task, answers: list[str]) -> EvalLog:
        outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
        for output in outputs:
            output.usage = ModelUsage()  # otherwise it downloads a tokenizer to count
        (log,) = evaluate(
            task,
            model=get_model("mockllm/model", custom_outputs=outputs),
            log_dir=str(tmp_path),
            display="none",
            max_connections=1,
        )
        return log

    return evaluated


def test_an_evaluation_scores_the_code_in_the_answers(run) -> None:
    samples = [Sample(input="Add.", target=ADD), Sample(input="Add again.", target=ADD)]
    answers = [f"Sure!\n```python\n{ADD}```\nDone.", SUBTRACT]
    log = run(Task(dataset=samples, scorer=codekin_scorer("codebleu", "python")), answers)
    assert log.status == "success", log.error
    expected = codekin.measure("codebleu").score(SUBTRACT, ADD, language="python")
    scores = [sample.scores["codekin_scorer"] for sample in log.samples]
    assert [score.value for score in scores] == [1.0, expected.value]
    assert scores[0].answer == ADD
    assert scores[1].explanation == str(expected.explain())
    assert scores[1].metadata == {"signature": expected.signature, "parts": dict(expected.parts)}
    metrics = log.results.scores[0].metrics
    assert metrics["mean"].value == pytest.approx((1 + expected.value) / 2)
    assert "stderr" in metrics


def test_edits_take_their_origin_from_the_metadata(run) -> None:
    samples = [
        Sample(input="Fix.", target=["x = 2", "x = 3"], metadata={"before": "x = 1"})
        for _ in range(2)
    ]
    task = Task(dataset=samples, scorer=codekin_scorer("es", "python", origin="before"))
    log = run(task, ["x = 3", "x = 1"])
    assert log.status == "success", log.error
    assert [sample.scores["codekin_scorer"].value for sample in log.samples] == [1.0, 0.0]


def test_a_sample_without_its_origin_is_an_error_of_the_sample(run) -> None:
    scorer = codekin_scorer("es", "python", origin="before")
    log = run(Task(dataset=[Sample(input="Fix.", target="x = 2")], scorer=scorer), ["x = 2"])
    assert log.status == "error"
    assert "has no text under 'before'" in log.error.message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"measure": "blue"}, "did you mean 'bleu'"),
        ({"measure": "bleu,nes"}, "give one measure"),
        ({"measure": "es"}, 'as in origin="before"'),
    ],
)
def test_bad_settings_fail_before_a_model_is_asked(arguments, words) -> None:
    with pytest.raises(codekin.CodekinError, match=words):
        codekin_scorer(**arguments)


def test_the_example_in_the_docstring() -> None:
    assert doctest.testmod(adapter).attempted >= 3
    assert doctest.testmod(adapter).failed == 0


def test_the_example_in_the_documentation(run) -> None:
    page = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text("utf-8")
    (example,) = re.findall(r"## inspect_ai\n.*?```python\n(.*?)```", page, re.S)
    names: dict[str, object] = {}
    exec(compile(example, "adapters.md", "exec"), names)
    log = run(names["squares"](), ["def square(x):\n    return x * x"])
    assert log.status == "success", log.error
    assert log.samples[0].scores["codekin_scorer"].value == 1.0
