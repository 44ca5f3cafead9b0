"""Measures that say what their rows tell them to, so that an effect can be planted."""

from __future__ import annotations

import random
import re

STATEMENTS = ("a =", "a +=", "b -=", "c *=", "d //=", "e **=", "f %=", "g <<=")


class Told:
    """The first number in a candidate's text."""

    summary = "the number that the candidate names"

    def score(self, candidate: str, reference: str) -> float:
        """Read the number."""
        found = re.search(r"score (-?[\d.e-]+)", candidate)
        if found is None:
            raise ValueError("no number")
        return float(found[1])


class Untold(Told):
    """The same as a distance."""

    distance = True

    def score(self, candidate: str, reference: str) -> float:
        """Turn the number around."""
        return 10.0 - super().score(candidate, reference)


class Constant:
    """Always the same."""

    def score(self, candidate: str, reference: str) -> float:
        """Half."""
        return 0.5


class Lengths:
    """A measure that sees only how long the candidate is, and some noise of its own."""

    def score(self, candidate: str, reference: str) -> float:
        """Lengths in words, with noise from the number told."""
        return len(candidate.split()) / 100 + Told().score(candidate, reference) / 50


def told(value: float, words: int = 8, tag: str = "") -> str:
    """A program that tells a score and has about so many statements, unlike those of other tags."""
    chance = random.Random(tag)
    lines = [f"{chance.choice(STATEMENTS)} {chance.randrange(10**6)}" for _ in range(words)]
    return f"# score {value:.9f}\n" + "\n".join(lines) + "\n"
