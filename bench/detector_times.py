"""Seconds of one processor core per 1,000 training pairs, for each detector.

Usage: python bench/detector_times.py FOLDER [DETECTOR...]

FOLDER is a benchmark that ``codekin detect benchmark --stage`` wrote. Each detector is fitted for
one epoch on the first pairs of the first view, and its processor time divided by their number; the
time that setting up takes, measured on a tenth of the pairs, is taken off. ``codekin detect
benchmark --dry-run`` estimates from this table, which is in
``codekin/detectors/benchmark/benchmark_plan.py``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch

from codekin.detectors.benchmark.cells import read_plan, read_view, side_of
from codekin.detectors.detector import ArrayDetector, LabelledPlaces, parse_detector
from codekin.detectors.prepared import Prepared, load_prepared

PAIRS = 1024


def main() -> None:
    """Print a line per detector."""
    torch.set_num_threads(1)
    folder, words = Path(sys.argv[1]), sys.argv[2:] or ["linear", "mlp", "tbccd"]
    first = read_plan(folder)[0].staged
    prepared = load_prepared(folder / next(name for name in first if name.startswith("prepared")))
    view = read_view(folder / next(name for name in first if name.startswith("views")))
    train, validation = side_of(view, 0), side_of(view, 1)
    for word in words:
        # Once before, since that loads packages.
        seconds(word, prepared, top(train, 64), top(validation, 64))
        few, many = (
            seconds(word, prepared, top(train, count), top(validation, 100))
            for count in (PAIRS // 10, PAIRS)
        )
        print(f"{word}: {(many - few) / (PAIRS * 0.9) * 1000:.2f} s per 1,000 pairs", flush=True)


def top(pairs: LabelledPlaces, count: int) -> LabelledPlaces:
    """The first pairs."""
    return LabelledPlaces(pairs.first[:count], pairs.second[:count], pairs.label[:count])


def seconds(
    word: str, prepared: Prepared, train: LabelledPlaces, validation: LabelledPlaces
) -> float:
    """Processor time of fitting for one epoch."""
    model = parse_detector(word)
    assert isinstance(model, ArrayDetector)
    for name, value in (("epochs", 1), ("device", "cpu")):
        if name in model.settings():
            setattr(model, name, value)
    begun = time.process_time()
    model.fit_prepared(prepared, train, validation)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
