"""Where a random program's choices come from: a seeded generator, or Hypothesis."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def _below(bound: int) -> st.SearchStrategy[int]:
    """Made once, as a program takes hundreds of them."""
    return st.integers(0, bound - 1)


class Chooser:
    """Choices, all out of one: a whole number below another. 0 is the simplest."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    @classmethod
    def seeded(cls, seed: int | str) -> Chooser:
        """Choices of a seed, the same on every machine."""
        return cls(random.Random(seed).randrange)

    @classmethod
    def drawn(cls, draw: Callable[[st.SearchStrategy[int]], int]) -> Chooser:
        """Choices that Hypothesis makes, and makes smaller where a test fails."""
        return cls(lambda bound: draw(_below(bound)))

    def one(self, options: Sequence[T]) -> T:
        """One of several; the first is the simplest."""
        return options[self.below(len(options))] if len(options) > 1 else options[0]

    def chance(self, percent: int) -> bool:
        """Whether something that happens so often happens now; no is the simplest."""
        return self.below(100) >= 100 - percent

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        """One of several with weights."""
        drawn = self.below(sum(weight for weight, _ in options))
        for weight, option in options:
            drawn -= weight
            if drawn < 0:
                return option
        raise ValueError("weights must be positive")


@st.composite
def programs(draw: st.DrawFn, language: str, size: int) -> Any:
    """A strategy for random programs of a language."""
    from tests.represent.random_programs.generate import random_program

    return random_program(Chooser.drawn(draw), language, size)
