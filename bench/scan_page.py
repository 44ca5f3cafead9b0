"""The page of a scan with many findings: how long it takes to write and to open, and its size.

Usage: python bench/scan_page.py [CLASSES [COPIES]]

By default, 1,000 classes of five copies, so 10,000 findings. Opening is measured in Chromium, from
the start of the navigation until the first class is drawn and the page takes input. Prints a row of
the table in bench/README.md.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.report.many_clones import many_clones

from codekin.report.scan_page import scan_page
from page_opening import opening


def main() -> None:
    """Print the numbers."""
    classes, copies = (*map(int, sys.argv[1:]), *(1000, 5)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scan = many_clones(folder, classes, copies=copies)
        before = time.process_time()
        page = scan_page(scan)
        took = time.process_time() - before
        path = folder / "clones.html"
        path.write_bytes(page)
        opened = opening(path)
    row = (
        f"{len(scan.findings):,}",
        f"{len(scan.classes):,}",
        f"{scan.lines:,}",
        f"{len(page) / 1e6:.1f} MB",
        f"{took:.1f} s",
        opened,
    )
    print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
