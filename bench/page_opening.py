"""How fast a page opens in Chromium."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.report.browser import browser

_REPEATS = 5


def opening(path: Path) -> str:
    """The time from the start of the navigation until a page takes input: median and range."""
    times = []
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as chromium:
        for _ in range(_REPEATS):
            window = chromium.page(1400, 900)
            window.open(path)
            times.append(int(window.run("document.documentElement.dataset.ready")))
            window.close()
    return f"{statistics.median(times):,.0f} ms ({min(times):,} to {max(times):,})"
