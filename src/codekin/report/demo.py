"""The demonstration pairs that come with codekin, scored."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from codekin.engine.run import Run
from codekin.engine.scoring import score

__all__ = ["demo_run", "read_demo"]


def read_demo() -> list[dict[str, str]]:
    """The demonstration pairs that come with codekin."""
    text = resources.files("codekin").joinpath("data/demo.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


@contextmanager
def demo_run() -> Iterator[Run]:
    """The pairs under every measure that needs no origin, in a run that goes with the block."""
    with tempfile.TemporaryDirectory(prefix="codekin-") as folder:
        yield score(read_demo(), output=Path(folder) / "demo", workers=0)
