"""The predictions and edits that come with codekin, scored."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from codekin.runs.run import Run
from codekin.runs.scoring import score

__all__ = ["demo_runs", "read_demo", "read_demo_edits"]


def read_demo() -> list[dict[str, str]]:
    """The predictions that come with codekin, each with its reference."""
    return _read("demo.jsonl")


def read_demo_edits() -> list[dict[str, str]]:
    """The edits that come with codekin, each with its origin and the edit of reference."""
    return _read("demo_edits.jsonl")


def _read(name: str) -> list[dict[str, str]]:
    text = resources.files("codekin").joinpath("data", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


@contextmanager
def demo_runs() -> Iterator[tuple[Run, Run]]:
    """Predictions and edits under every measure that suits them, in runs that go with the block."""
    with tempfile.TemporaryDirectory(prefix="codekin-") as name:
        folder = Path(name)
        yield (
            score(read_demo(), output=folder / "predictions", workers=0),
            score(read_demo_edits(), output=folder / "edits", workers=0),
        )
