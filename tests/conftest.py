"""How Hypothesis draws where a test does not say, few examples, and less for the collector to do.

Both so that the whole suite takes less than five minutes.
"""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

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
