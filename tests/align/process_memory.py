"""How much memory this process has, and had at most."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def memory_now() -> float:
    """MiB in use; where the system does not say, 0."""
    return _of_status("VmRSS") if _STATUS.exists() else 0.0


def memory_at_most() -> float:
    """MiB in use at the most so far.

    Not from ``getrusage`` where there is another way: what it counts begins with the process that
    started this one.
    """
    if _STATUS.exists():
        return _of_status("VmHWM")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _of_status(name: str) -> float:
    found = re.search(rf"^{name}:\s*(\d+) kB", _STATUS.read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0
