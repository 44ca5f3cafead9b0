"""Why linear is below the paper on OJClone: ``python results/linear_on_ojclone.py FOLDER``.

FOLDER is what ``python results/gpu_detectors.py prepare results/detectors.toml FOLDER`` wrote.
Trains linear with more pairs, more epochs and smaller batches than the grid does, and with
literals, which linear leaves out.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from codekin.detectors.benchmark.cells import side_of
from codekin.detectors.detector import LabelledPlaces, parse_detector
from codekin.detectors.neural import NeuralDetector
from codekin.detectors.prepared import NodeRole, Prepared
from codekin.statistics.classification import f1_at
from gpu_detectors import PreparedFolder
from pages import table

TRAININGS = (
    ("linear:epochs=4", 100_000, False),
    ("linear:epochs=10,batch=128", 300_000, False),
    ("linear:epochs=10,batch=16,rate=0.003", 300_000, False),
    ("linear:epochs=4", 100_000, True),
    ("linear:epochs=10,batch=128", 300_000, True),
)
VALIDATION = 20_000


def main() -> None:
    """Print F1 on the test pairs of the random view."""
    torch.set_num_threads(1)
    arrays = PreparedFolder(Path(sys.argv[1]))
    without, view = arrays.prepared("oj", "0"), arrays.view("oj", "random", 0)
    train, validation, test = (side_of(view, number) for number in range(3))
    few = LabelledPlaces(*(one[:VALIDATION] for one in parts(validation)))
    more = drawn(np.unique(np.r_[train.first, train.second]), view["functionality"], 300_000)
    lines = []
    for word, pairs, literals in TRAININGS:
        prepared = with_literals(without) if literals else without
        model = parse_detector(word)
        assert isinstance(model, NeuralDetector)
        fitted = model.fit_prepared(prepared, train if pairs == len(train) else more, few)
        scores = model.score_prepared(prepared, test.first, test.second).astype(np.float64)
        f1 = f1_at(scores, test.label, model.threshold).f1
        seen = "yes" if literals else "no"
        lines.append([word, f"{pairs:,}", seen, f"{f1:.3f}", f"{max(fitted.validation):.3f}"])
    print(table(["linear", "pairs", "literals", "F1", "best validation AP"], lines))


def with_literals(prepared: Prepared) -> Prepared:
    """The same snippets with literals as words like others, so that linear sees them."""
    literal = prepared.role == NodeRole.LITERAL
    role = np.where(literal, NodeRole.OTHER, prepared.role).astype(prepared.role.dtype)
    return replace(prepared, role=role)


def parts(pairs: LabelledPlaces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both places and the label."""
    return pairs.first, pairs.second, pairs.label


def drawn(snippets: np.ndarray, functionality: np.ndarray, count: int) -> LabelledPlaces:
    """Pairs of training snippets, at the natural rate of clones."""
    chance = np.random.default_rng(1)
    first, second = chance.choice(snippets, 2 * count), chance.choice(snippets, 2 * count)
    ordered = first < second
    first, second = (
        first[ordered][:count].astype(np.int32),
        second[ordered][:count].astype(np.int32),
    )
    return LabelledPlaces(first, second, functionality[first] == functionality[second])


if __name__ == "__main__":
    main()
