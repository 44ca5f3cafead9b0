from __future__ import annotations

import re

from codekin.evaluation.adequacy import evaluate_adequacy
from codekin.report.adequacy_examples import counter_example_text, counter_examples_text


def test_each_comparison_of_a_broken_criterion_is_shown_line_by_line() -> None:
    judgement = evaluate_adequacy("sari", criteria=["3b", "5g"], cases=10, languages="python")
    context, split = judgement.measures[0].verdicts
    drawn = counter_example_text(context, 80)
    assert drawn.startswith("breaks 3b shared lines or tokens after the text")
    assert "\n  without:\n" in drawn and "\n  with context:\n" in drawn
    # As the reference is the other comparison, there is nothing to see in it.
    drawn = counter_example_text(split, 80)
    assert "as the reference:" not in drawn
    lines = drawn.splitlines()
    places = {
        role: re.findall(rf"(?m)^ +{role} +(\d+)", drawn) for role in ("reference", "candidate")
    }
    assert all(len(numbers) >= 10 for numbers in places.values())
    assert all(len(line) <= 80 for line in lines if re.match(r" +(reference|candidate) +\d", line))
    assert context.counter_example is not None
    assert counter_examples_text(judgement, 80).count("sari breaks") == 2


def test_what_holds_has_no_counter_example() -> None:
    judgement = evaluate_adequacy("nes", criteria=["1a"], cases=5, languages="c")
    [verdict] = judgement.measures[0].verdicts
    assert counter_example_text(verdict).startswith("keeps 1a")
    assert counter_examples_text(judgement) == ""
