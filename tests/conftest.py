"""How Hypothesis draws where a test does not say, and what spares time: five minutes must do."""

from __future__ import annotations

import gc
import os

from hypothesis import HealthCheck, settings

# Before anything loads numpy: of small matrices, threads take more time than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Until all tests are collected: they stay, and so does what they import.
gc.disable()

settings.register_profile(
    "codekin",
    parent=settings.default,
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # which a busy machine is
)
settings.load_profile("codekin")


def pytest_collection_finish() -> None:
    """Set apart what was imported: the collector need not go through it again in every test."""
    gc.collect()
    gc.freeze()
    gc.enable()
