"""Seconds of one processor core per 1,000 pairs, for each detector.

Usage: python bench/detector_times.py FOLDER [DETECTOR...]

FOLDER is a benchmark that ``codekin detect benchmark --stage`` wrote. Each detector is fitted for
one epoch on the first pairs of the first view, and its processor time divided by their number; the
time that setting up takes, measured on a tenth of the pairs, is taken off. A measure, such as
``measure:measure=kin``, learns nothing from training pairs, so its time is that of scoring; the
folder must have been staged with one. ``codekin detect benchmark --dry-run`` estimates from this
table, which is in ``codekin/detectors/benchmark/benchmark_plan.py``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch

from codekin.detectors.benchmark.cells import code_name, read_plan, read_view, side_of
from codekin.detectors.detector import ArrayDetector, Detector, LabelledPlaces, parse_detector
from codekin.detectors.prepared import Prepared, load_prepared

PAIRS = 1024
SCORED = 8000
"""Pairs that are scored by a detector that reads code, some ten for each snippet."""


def main() -> None:
    """Print a line per detector."""
    torch.set_num_threads(1)
    folder, words = Path(sys.argv[1]), sys.argv[2:] or ["linear", "mlp", "tbccd"]
    cell = read_plan(folder)[0]
    first = cell.staged
    prepared = load_prepared(folder / next(name for name in first if name.startswith("prepared")))
    view = read_view(folder / next(name for name in first if name.startswith("views")))
    train, validation = side_of(view, 0), side_of(view, 1)
    for word in words:
        model = parse_detector(word)
        if not isinstance(model, ArrayDetector):
            found = scoring_seconds(model, folder / code_name(cell.corpus, cell.level), train)
            print(f"{word}: {found:.2f} s per 1,000 pairs scored", flush=True)
            continue
        # Once before, since that loads packages.
        seconds(word, prepared, top(train, 64), top(validation, 64))
        few, many = (
            seconds(word, prepared, top(train, count), top(validation, 100))
            for count in (PAIRS // 10, PAIRS)
        )
        print(f"{word}: {(many - few) / (PAIRS * 0.9) * 1000:.2f} s per 1,000 pairs", flush=True)


def scoring_seconds(model: Detector, folder: Path, pairs: LabelledPlaces) -> float:
    """Processor time of scoring 1,000 of many pairs, over which reading code is shared."""
    from codekin.corpora.corpus import load_corpus  # needs more than numpy and torch

    snippets = load_corpus(folder).snippets
    some = top(pairs, SCORED)
    model.score_pairs(snippets, some.first[:8], some.second[:8], workers=0)  # loads packages
    begun = time.process_time()
    model.score_pairs(snippets, some.first, some.second, workers=0)
    return (time.process_time() - begun) / len(some) * 1000


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
