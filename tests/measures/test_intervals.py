"""What every measure promises of its interval, of `exact` and of both directions, at any budget."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import Measure, Score, Source, measure
from codekin.measures import measure_classes

BUDGETED = [
    name
    for name, forms in measure_classes().items()
    if any(field.name == "steps" for field in dataclasses.fields(forms[None]))
]
SYMMETRIC = [
    (name, compat)
    for name, forms in measure_classes().items()
    for compat, cls in forms.items()
    if cls.symmetric
]
REVISIONS = ["es-line", "es-token"]
"""Symmetric with their default parameters, as their matrices of all pairs assume."""

budgets = st.one_of(st.integers(0, 3), st.integers(0, 400), st.integers(0, 20_000))
lines = st.sampled_from(
    ["a = f(b)", "b = a + 1", "for x in a:", "    b += x", "return b", "if a < b:", "    f(a)", "("]
)
bodies = st.lists(lines, max_size=7).map(lambda some: "".join(f"    {line}\n" for line in some))
programs = st.one_of(
    st.lists(lines, max_size=7).map("\n".join),
    bodies.map(lambda body: f"def f(a, b):\n{body}    return a\n\ndef g(a):\n    return f(a, a)\n"),
)


def scored(chosen: Measure, candidate: str, reference: str, origin: str | None = None) -> Score:
    """The score of new Sources, after checking what must always hold."""
    start = None if origin is None else Source(origin, "python")
    texts = Source(candidate, "python"), Source(reference, "python")
    score = chosen.score(*texts) if start is None else chosen.score(*texts, start)
    low, high = score.bounds
    assert low <= score.value <= high
    assert score.exact == (low == high)
    return score


def facts(score: Score) -> tuple[Any, ...]:
    return score.value, score.bounds, score.exact


def test_the_budgeted_measures_are_known() -> None:
    assert BUDGETED == ["tsed", "ruby", "cssg"]
    assert {name for name, _ in SYMMETRIC} >= {"ed", "nes", "jaccard", "cssg", "ruby"}


@pytest.mark.parametrize("name", BUDGETED)
@settings(max_examples=25, deadline=None)
@given(programs, programs, st.lists(budgets, min_size=1, max_size=3))
def test_a_larger_budget_narrows_the_interval(
    name: str, candidate: str, reference: str, some: list[int]
) -> None:
    whole = scored(measure(name), candidate, reference)
    assert whole.exact
    last = -1.0, 2.0
    for steps in (0, *sorted(some)):
        score = scored(measure(name, steps=steps), candidate, reference)
        assert score.bounds[0] <= whole.value <= score.bounds[1]
        assert last[0] <= score.bounds[0] and score.bounds[1] <= last[1]
        assert not score.exact or score.value == whole.value
        last = score.bounds


@pytest.mark.parametrize("name", BUDGETED)
@settings(max_examples=15, deadline=None)
@given(programs, programs, budgets)
def test_a_budget_gives_the_same_again(
    name: str, candidate: str, reference: str, steps: int
) -> None:
    once, again = (scored(measure(name, steps=steps), candidate, reference) for _ in range(2))
    assert facts(once) == facts(again)
    assert once.parts == again.parts


@pytest.mark.parametrize(("name", "compat"), SYMMETRIC)
@settings(max_examples=15, deadline=None)
@given(programs, programs, budgets)
def test_what_claims_symmetry_is_symmetric_at_any_budget(
    name: str, compat: str | None, candidate: str, reference: str, steps: int
) -> None:
    limits = {"steps": steps} if name in BUDGETED and compat is None else {}
    chosen = measure(name, compat=compat, **limits)
    there, back = scored(chosen, candidate, reference), scored(chosen, reference, candidate)
    assert facts(there) == facts(back)


@pytest.mark.parametrize("name", REVISIONS)
@settings(max_examples=15, deadline=None)
@given(programs, programs, programs)
def test_excision_scores_are_symmetric(
    name: str, candidate: str, reference: str, origin: str
) -> None:
    chosen = measure(name)
    there = scored(chosen, candidate, reference, origin)
    assert facts(there) == facts(scored(chosen, reference, candidate, origin))
