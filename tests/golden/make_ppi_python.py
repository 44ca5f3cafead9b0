"""Write ppi_python.json: means and intervals by the package ppi-python.

Run ``pip install ppi-python==0.2.3 && python tests/golden/make_ppi_python.py`` in an environment of
its own, since the package needs numba and gdown.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np

CASES = [
    (rows, others, rate, noise, tuning)
    for rows, others in ((20, 60), (50, 200))
    for rate, noise in ((0.5, 0.3), (0.2, 1.0), (0.9, 0.1), (0.3, 50.0))
    for tuning in (None, 1.0, 0.4)
]


def main() -> None:
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate  # which the tests do without

    made = []
    for seed, (rows, others, rate, noise, tuning) in enumerate(CASES):
        random = np.random.default_rng(seed)
        passed = (random.random(rows + others) < rate).astype(float)
        score = np.round(passed + noise * random.normal(size=rows + others), 6)
        given = (passed[:rows], score[:rows], score[rows:])
        level = (0.95, 0.9)[seed % 2]
        low, high = ppi_mean_ci(*given, alpha=1 - level, lam=tuning)
        value = ppi_mean_pointestimate(*given, lam=tuning)
        made.append(
            {
                "outcome": passed[:rows].astype(int).tolist(),
                "score": score[:rows].tolist(),
                "others": score[rows:].tolist(),
                "tuning": tuning,
                "level": level,
                "expected": [float(np.squeeze(one)) for one in (value, low, high)],
            }
        )
    document = {"package": f"ppi-python {version('ppi-python')}", "cases": made}
    Path(__file__).with_name("ppi_python.json").write_text(f"{json.dumps(document)}\n", "utf-8")


if __name__ == "__main__":
    main()
