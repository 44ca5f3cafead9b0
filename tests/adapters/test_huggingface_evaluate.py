import math

import pytest

import codekin
from codekin.adapters import evaluate_module

ADD = "def add(a, b):\n    return a + b\n"
SUBTRACT = "def add(a, b):\n    return a - b\n"


@pytest.fixture
def metric(tmp_path, monkeypatch):
    """The metric as the package loads it: copied into its cache, without any network."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"):
        monkeypatch.setenv(name, "1")
    import evaluate

    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    loaded = evaluate.load(evaluate_module(), cache_dir=str(tmp_path / "metrics"))
    assert "evaluate_modules" in type(loaded).__module__
    return loaded


def test_scores_are_those_of_codekin(metric) -> None:
    found = metric.compute(
        predictions=[ADD, SUBTRACT],
        references=[ADD, ADD],
        language="python",
        measures=["codebleu", "nes"],
        workers=0,
    )
    expected = codekin.measure("codebleu").score(SUBTRACT, ADD, language="python")
    assert found["codebleu_scores"] == [1.0, expected.value]
    assert found["codebleu"] == pytest.approx((1 + expected.value) / 2)
    assert found["nes_scores"][0] == 1.0
    assert found["signatures"]["codebleu"].startswith("codebleu|")
    assert found["failed"] == 0


def test_several_references_batches_and_edits(metric) -> None:
    metric.add_batch(predictions=[ADD], references=[[SUBTRACT, ADD]])
    metric.add(prediction=SUBTRACT, reference=[SUBTRACT, ADD])
    assert metric.compute(measures="nes", language="python", workers=0)["nes"] == 1.0
    found = metric.compute(
        predictions=["x = 2", "x = 1"],
        references=["x = 2", "x = 2"],
        origins=["x = 1", "x = 1"],
        measures="es",
        language="python",
        workers=0,
    )
    assert found["es_scores"] == [1.0, 0.0]


def test_a_row_without_a_score_is_counted(metric) -> None:
    found = metric.compute(
        predictions=["x = 1", "x = 1"], references=[["x = 1"], []], measures="nes", workers=0
    )
    assert found["failed"] == 1
    assert found["nes_scores"][0] == found["nes"] == 1.0
    assert math.isnan(found["nes_scores"][1])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"measures": "blue"}, "did you mean 'bleu'"),
        ({"measures": "es"}, "needs an origin"),
        ({"measures": "es", "origins": ["x = 1", "x = 2"]}, "1 predictions with 2 origins"),
        ({"language": "latin"}, "latin"),
        ({"references": [[]]}, "row 1: references is an empty list"),
    ],
)
def test_bad_arguments(metric, settings, words) -> None:
    with pytest.raises(codekin.CodekinError, match=words):
        metric.compute(
            **{"predictions": ["x = 1"], "references": ["x = 1"], "workers": 0, **settings}
        )


def test_texts_that_are_not_texts_are_refused_by_the_package(metric) -> None:
    with pytest.raises(ValueError, match="Predictions and/or references"):
        metric.compute(predictions=[{"a": 1}], references=[3.5], workers=0)
