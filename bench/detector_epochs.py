"""Seconds per epoch of 300,000 pairs on a GPU, beside those of a prototype, and pairs per second.

Usage: python bench/detector_epochs.py FOLDER [DETECTOR...]

FOLDER is a benchmark that ``codekin detect benchmark --stage`` wrote; numpy and torch are all that
this needs. Each detector trains for two epochs on pairs of the first view, and the second epoch
counts, with its validation on 1,000 pairs. Then all pairs of the test snippets are scored, once
with encoding and, for siamese detectors, once without, on the processor.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import torch

from codekin.detectors.benchmark.cells import held_out_pairs, read_plan, read_view, side_of
from codekin.detectors.detector import LabelledPlaces, TrainingProgress, parse_detector
from codekin.detectors.neural import NeuralDetector
from codekin.detectors.prepared import Prepared, load_prepared
from detector_times import top

PROTOTYPE = {"linear": 0.9, "mlp": 1.2, "tbccd": 9.0, "astnn": 39.0, "faast:network=gmn": 37.0}
"""Seconds per epoch of 300,000 pairs on an H200."""
WORDS = ("linear", "mlp", "tbccd", "astnn", "faast", "faast:network=gmn")
PAIRS = {"faast:network=gmn": 20_000}
ALL_PAIRS = 416_328


def main() -> None:
    """Print a line per detector."""
    folder, words = Path(sys.argv[1]), sys.argv[2:] or WORDS
    staged = read_plan(folder)[0].staged
    prepared = load_prepared(folder / next(one for one in staged if one.startswith("prepared")))
    view = read_view(folder / next(one for one in staged if one.startswith("views")))
    train, validation = side_of(view, 0), side_of(view, 1)
    test = held_out_pairs(view)
    used = np.unique(np.concatenate([test.first, test.second]))
    first, second = np.triu_indices(len(used), 1)
    pairs = used[first[:ALL_PAIRS]].astype(np.int32), used[second[:ALL_PAIRS]].astype(np.int32)
    device = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "no GPU"
    print(f"torch {torch.__version__}, {device}")
    print("detector           s per 300,000 pairs   prototype   pairs/s   pairs/s after encoding")
    for word in words:
        model = parse_detector(word)
        assert isinstance(model, NeuralDetector)
        seconds = epoch_seconds(model, prepared, top(train, PAIRS.get(word, 100_000)), validation)
        begun = time.perf_counter()
        few = len(pairs[0]) if model.siamese else 20_000
        model.score_prepared(prepared, pairs[0][:few], pairs[1][:few])
        rate = few / (time.perf_counter() - begun)
        after = f"{after_encoding(model, prepared, used):,.0f}" if model.siamese else "–"
        prototype = PROTOTYPE.get(word, "–")
        print(
            f"{word:18} {seconds:19.2f}   {prototype:>9}   {rate:7,.0f}   {after:>22}", flush=True
        )
        for note in model.fitted.notes if model.fitted else ():
            print(f"  {note}", flush=True)


def epoch_seconds(
    model: NeuralDetector, prepared: Prepared, train: LabelledPlaces, validation: LabelledPlaces
) -> float:
    """Of the second epoch, for 300,000 pairs."""
    ends: dict[int, float] = {}

    def note(now: TrainingProgress) -> None:
        if now.done == now.pairs:
            ends[now.epoch] = time.perf_counter()

    model.epochs = 2
    model.fit_prepared(prepared, train, top(validation, 1000), progress=note)
    return (ends[2] - ends[1]) * 300_000 / len(train)


def after_encoding(model: NeuralDetector, prepared: Prepared, used: np.ndarray) -> float:
    """Pairs per second that are compared by their vectors, on the processor."""
    vectors = model.encode_prepared(prepared)[used]
    model.compare_vectors(vectors[:64], vectors)
    begun = time.perf_counter()
    model.compare_vectors(vectors, vectors)
    return len(used) * (len(used) - 1) / 2 / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
