"""How many examples Hypothesis draws, and what else keeps the tests within minutes."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from codekin import Run

EXAMPLES = float(os.environ.get("CODEKIN_EXAMPLES", "0.5"))
"""Examples that are drawn, as a multiple of what a test asks for: ten times as many in
``make nightly``, and half as many otherwise, so that the tests stay within minutes. The former are
new ones every night; the latter are always the same, so that a failure is caused by a change."""

# Before anything loads numpy or torch: of small matrices, threads take more time than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Tests leave the user's cache folder alone.
os.environ.setdefault("CODEKIN_INDEX_KEY", "what only tests know of")

# Until all tests are collected: they stay, and so does what they import.
gc.disable()

settings.register_profile(
    "codekin",
    parent=settings.default,
    max_examples=50,
    deadline=None,
    derandomize=EXAMPLES <= 1,
    suppress_health_check=[HealthCheck.too_slow],  # which a busy machine is
)
settings.load_profile("codekin")


@pytest.fixture
def run_without_rows(tmp_path: Path) -> Callable[..., Run]:
    """Makes a run as it is when its job was stopped before the first shard."""

    def make(measures: str | list[str]) -> Run:
        from codekin import Run, score
        from codekin.runs.seals import seal_manifest

        folder = tmp_path / "run without rows"
        run = score([{"candidate": "", "reference": ""}], measures, output=folder, workers=0)
        for file in run.files:
            file.unlink()
        nothing = {"state": "running", "records": 0, "rows": 0, "failed": 0, "shards": []}
        text = json.dumps(seal_manifest({**run.manifest, **nothing}))
        (folder / "manifest.json").write_text(text)
        return Run(folder)

    return make


def pytest_sessionstart(session: pytest.Session) -> None:
    """Rewrite the assertions of each test module in one worker, not in all of them.

    All workers collect all modules in the same order at the same time. Here each of them starts at
    a different one and skips those in the cache. The functions for that are private to pytest;
    where they have changed, every worker rewrites all modules, as usual.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is not None and not sys.dont_write_bytecode:
        share = int(worker["workerid"].removeprefix("gw")) / worker["workercount"]
        with suppress(ImportError, AttributeError, KeyError, TypeError):
            _rewrite_assertions(session.config, share)


def _rewrite_assertions(config: pytest.Config, share: float) -> None:
    """Fill the cache, beginning after a share of the modules."""
    from _pytest.assertion import rewrite

    state = config.stash[rewrite.assertstate_key]
    paths = sorted(Path(__file__).parent.rglob("test_*.py"))
    start = int(len(paths) * share)
    for path in paths[start:] + paths[:start]:
        folder = rewrite.get_cache_dir(path)
        cached = folder / (path.name[:-3] + rewrite.PYC_TAIL)
        if cached.exists() and cached.stat().st_mtime >= path.stat().st_mtime:
            continue
        with suppress(SyntaxError, OSError):  # which the collection reports
            folder.mkdir(parents=True, exist_ok=True)
            hashed, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, hashed, cached)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Scale the number of examples that each test draws."""
    seen: set[object] = set()
    for item in items:
        test = getattr(item, "function", None)
        stated = getattr(test, "_hypothesis_internal_use_settings", None)
        if test is None or stated is None or test in seen:
            continue
        seen.add(test)
        wanted = max(10, round(stated.max_examples * EXAMPLES))
        test._hypothesis_internal_use_settings = settings(stated, max_examples=wanted)


def pytest_collection_finish() -> None:
    """Set apart what was imported, so that the collector need not go through it in every test."""
    gc.freeze()
    gc.enable()
