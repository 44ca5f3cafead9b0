"""What docs/adequacy.md says is so."""

from __future__ import annotations

import re
from pathlib import Path

from codekin import align_revisions, evaluate_adequacy
from codekin.evaluation.adequacy import CRITERIA

PAGE = (Path(__file__).parents[3] / "docs" / "adequacy.md").read_text("utf-8")


def test_every_criterion_is_explained() -> None:
    table = PAGE[PAGE.index("| **1** |") : PAGE.index("Some choices")]
    assert set(re.findall(r"\b([1-6][a-g])\b", table)) | {"4", "6"} == set(CRITERIA)
    for name in ("1a", "1b", "1c", "2a", "2b", "2c", "2d", "3d", "3e", "4", "5a", "6"):
        assert CRITERIA[name].asks in table, name
    exempt = re.findall(r"\*\*Distances\.\*\* (.*?) do not apply to distances", PAGE)[0]
    bounded = {name for name, one in CRITERIA.items() if one.bounded}
    assert set(re.findall(r"\d\w", exempt)) == bounded


def test_the_example_in_python_prints_what_it_says() -> None:
    (code,) = re.findall(r"```python\n(from codekin.*?)```", PAGE, re.S)
    found: dict[str, object] = {}
    exec(code.replace("print(", "said = str("), found)
    assert found["said"] == "fails (100 %)"


def test_the_measure_of_ones_own_breaks_what_the_page_says(tmp_path, monkeypatch) -> None:
    (code,) = re.findall(r"```python\n# mymetrics.py\n(.*?)```", PAGE, re.S)
    tmp_path.joinpath("metrics_of_the_page.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    verdicts = evaluate_adequacy("metrics_of_the_page:added").measures[0]
    (said,) = re.findall(r"This one is blind to deletions, .*?\n\n", PAGE, re.S)
    named = set(re.findall(r"\b[1-6][a-g]?\b", said))
    assert {name for name in CRITERIA if verdicts[name].broken} == named


def test_the_alignment_is_drawn_so() -> None:
    (drawn,) = re.findall(r"```text\n(2 regions.*?)\n```", PAGE, re.S)
    texts = "cinder = yarrow", "thicket = yarrow", "shale = flint"
    reference, candidate, origin = texts
    aligned = align_revisions(candidate, reference, origin=origin, language="python")
    assert str(aligned) == drawn
