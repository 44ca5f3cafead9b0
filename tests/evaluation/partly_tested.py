"""Rows of which some were tested, for estimates and plans."""

from __future__ import annotations

import numpy as np

__all__ = ["made"]


def made(rows=240, systems=2, tested=120, seed=0, rates=(0.3, 0.6)):
    """Rows whose candidates resemble the reference more often if they pass, drawn at random."""
    random = np.random.default_rng(seed)
    chosen = set(random.choice(rows, tested, replace=False).tolist())
    found = []
    for i in range(rows):
        passed = bool(random.random() < rates[i % systems % len(rates)])
        right = passed if random.random() < 0.85 else not passed
        row = {
            "id": f"r{i}",
            "language": "python",
            "group": f"model {i % systems}",
            "task": f"t{i // systems}",
            "candidate": f"value_{i // systems} = {1 if right else 99999}",
            "reference": f"value_{i // systems} = 1",
            "truth": int(passed),
        }
        if i in chosen:
            row["outcome"] = int(passed)
        found.append(row)
    return found
