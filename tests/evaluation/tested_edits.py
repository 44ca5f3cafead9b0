"""Edits whose outcomes depend on how alike they are to the reference."""

from __future__ import annotations

import numpy as np

__all__ = ["edits"]


def edits(rows=240, tasks=60, seed=0, harder=0.0, language="python"):
    """Rows that pass more often if they resemble their reference, and always if they equal it.

    With `harder`, candidates differ in more words, and the same score means less.
    """
    random = np.random.default_rng(seed)
    found = []
    for i in range(rows):
        task = i % tasks
        words = [f"value_{task}_{place}" for place in range(8)]
        wrong = 0 if random.random() < 0.3 else int(random.integers(1, 5) + round(4 * harder))
        changed = [f"other_{i}" if place < wrong else one for place, one in enumerate(words)]
        chance = 1.0 if not wrong else max(0.0, 0.8 - 0.15 * wrong - 0.3 * harder)
        found.append(
            {
                "id": f"r{i}",
                "language": language,
                "group": f"model {i % 2}",
                "task": f"t{task}",
                "candidate": f"print({', '.join(changed)})\n",
                "reference": f"print({', '.join(words)})\n",
                "outcome": int(random.random() < chance),
            }
        )
    return found
