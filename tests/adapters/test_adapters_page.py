import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "adapters.md").read_text("utf-8")


def example(section: str, kind: str = "python") -> str:
    found = re.search(rf"## {section}\n.*?^```{kind}\n(.*?)^```$", PAGE, re.S | re.M)
    assert found is not None
    assert len(found[1].splitlines()) <= 18
    return found[1]


def test_the_example_of_evaluate(tmp_path, monkeypatch, capsys) -> None:
    import evaluate

    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", tmp_path / "metrics")
    exec(compile(example("Hugging Face evaluate"), "adapters.md", "exec"), {})
    mean, scores = capsys.readouterr().out.split(" ", 1)
    assert 0.5 < float(mean) < 1
    assert scores.strip().endswith(", 1.0]")


def test_the_example_of_pytest() -> None:
    code = example("pytest")
    names: dict[str, object] = {}
    exec(compile(code, "adapters.md", "exec"), names)
    names["test_the_generator_writes_a_sum"]()
    exec(compile(code.replace("at_least=0.7", "at_least=0.99"), "adapters.md", "exec"), names)
    with pytest.raises(AssertionError, match=r"below 0\.99"):
        names["test_the_generator_writes_a_sum"]()


def test_the_task_on_the_page_is_the_one_that_the_harness_evaluates() -> None:
    folder = DOCS / "examples" / "lm_eval"
    assert example("lm-evaluation-harness", "yaml") == (folder / "codekin_fixes.yaml").read_text()
    assert example("lm-evaluation-harness") == (folder / "edits.py").read_text()
