"""The report of a large run: processor time to write it, its size, and how fast it opens.

Usage: ``python bench/report_cost.py ROWS [RUN]``

ROWS is a file of rows; it is scored by every measure that needs no checkpoint, into the folder RUN
if that is given. Prints a row of the table in bench/README.md. Processor time includes workers.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path

import codekin
from page_opening import opening

_NEED_CHECKPOINTS = frozenset(("bertscore",))


def processor_time() -> float:
    """Seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Print the numbers."""
    rows, *folder = map(Path, sys.argv[1:])
    names = [name for name in codekin.measure_names() if name not in _NEED_CHECKPOINTS]
    with tempfile.TemporaryDirectory() as temporary:
        place = folder[0] if folder else Path(temporary) / "run"
        run = codekin.score(rows, names, output=place, resume=place.exists())
        before = processor_time()
        path = codekin.report(run).save(Path(temporary) / "report.html")
        took = processor_time() - before
        row = (
            f"{run.rows:,}",
            f"{len(names)}",
            f"{took:.1f} s",
            f"{path.stat().st_size / 1e6:.1f} MB",
            opening(path),
        )
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
