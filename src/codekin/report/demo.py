"""The demonstration pairs that come with codekin, scored."""

from __future__ import annotations

import json
from importlib import resources

from codekin.engine.run import Run
from codekin.engine.scoring import score

__all__ = ["read_demo", "score_demo"]


def read_demo() -> list[dict[str, str]]:
    """The demonstration pairs that come with codekin."""
    text = resources.files("codekin").joinpath("data/demo.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def score_demo() -> Run:
    """The pairs under every measure that needs no origin, in a run that goes with its object."""
    return score(read_demo(), workers=0)
