"""The page of a scan with many findings: how long it takes to write and to open, and its size.

Usage: python bench/scan_page.py [CLASSES]

Each class has five copies, so ten findings. Opening is measured in Chromium, from the start of the
navigation until the first class is drawn and the page takes input.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.report.browser import browser
from tests.report.many_clones import many_clones

from codekin.report.scan_page import scan_page

_REPEATS = 5


def main() -> None:
    """Print the numbers."""
    classes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scan = many_clones(folder, classes)
        before = time.process_time()
        page = scan_page(scan)
        took = time.process_time() - before
        path = folder / "clones.html"
        path.write_bytes(page)
        times = []
        with browser(folder / "profile") as chromium:
            for _ in range(_REPEATS):
                window = chromium.page(1400, 900)
                window.open(path)
                times.append(int(window.run("document.documentElement.dataset.ready")))
                window.close()
    print(f"{len(scan.findings):,} findings in {len(scan.classes):,} classes, {scan.lines:,} lines")
    print(f"page: {len(page) / 1e6:.2f} MB, written in {took:.2f} s of processor time")
    print(f"opened in {statistics.median(times):,.0f} ms (from {min(times):,} to {max(times):,})")


if __name__ == "__main__":
    main()
