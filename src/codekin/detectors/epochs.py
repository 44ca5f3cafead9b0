"""The loop that trains networks: epochs of labelled pairs, and the weights of the best epoch."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from codekin.detectors.detector import Fitted, LabelledPlaces, Progress, TrainingProgress
from codekin.errors import CodekinError

__all__ = ["EPOCH_BY_TEST", "Trained", "memory_errors", "needed_test_pairs", "train_epochs"]

EPOCH_BY_TEST = "the epoch was chosen on test pairs: not comparable"
_REPORT_S = 0.5
"""Seconds between two reports of progress, since reading the loss waits for the device."""


class Trained(Protocol):
    """What is read of a detector that is trained."""

    name: ClassVar[str]
    epochs: int
    patience: int
    batch: int
    rate: float
    seed: int
    device: str


def train_epochs(
    settings: Trained,
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    sides: Mapping[str, LabelledPlaces],
    backward: Callable[[LabelledPlaces], Tensor],
    precision: Callable[[LabelledPlaces], float],
    *,
    schedule: Any = None,
    turned: bool = False,
    progress: Progress | None = None,
) -> Fitted:
    """Train until the last epoch, and give the network the weights of its best one.

    Parameters
    ----------
    settings : Trained
        The detector.
    network : Module
    optimizer : Optimizer
    sides : mapping of str to LabelledPlaces
        Train and validation. The best epoch is that of test, where this side is there too, and of
        validation otherwise.
    backward : callable
        Computes the gradients of a batch of pairs, and returns the sum of their losses.
    precision : callable
        The average precision of the network on some pairs.
    schedule : LRScheduler, optional
        Of the learning rate, per batch.
    turned : bool
        Whether half of the pairs of an epoch, by chance, have their snippets in the other order.
    progress : callable, optional

    Returns
    -------
    Fitted
        Without the seconds, and without notes.
    """
    train = sides["train"]
    order = np.random.default_rng(settings.seed)
    losses: list[float] = []
    precisions: dict[str, list[float]] = {side: [] for side in sides if side != "train"}
    validation = precisions["validation"]
    deciding = precisions.get("test", validation)
    best, weights = 0, network.state_dict()
    reported = time.perf_counter()

    def report(epoch: int, done: int, loss: float) -> None:
        if progress is not None:
            last = (validation or [math.nan])[-1]
            progress(TrainingProgress(epoch, settings.epochs, done, len(train), loss, last))

    while len(losses) < settings.epochs and len(losses) - best < settings.patience:
        epoch = len(losses) + 1
        network.train()
        total = torch.zeros((), device=next(network.parameters()).device)
        places = order.permutation(len(train))
        turn = order.random(len(train)) < 0.5 if turned else np.zeros(len(train), bool)
        for start in range(0, len(train), settings.batch):
            chosen = places[start : start + settings.batch]
            ends = np.stack([train.first[chosen], train.second[chosen]])
            first, second = np.where(turn[chosen], ends[::-1], ends)
            optimizer.zero_grad(set_to_none=True)
            total += backward(LabelledPlaces(first, second, train.label[chosen]))
            optimizer.step()
            if schedule is not None:
                schedule.step()
            if progress is not None and time.perf_counter() - reported > _REPORT_S:
                reported = time.perf_counter()
                done = start + len(chosen)
                report(epoch, done, total.item() / done)
        losses.append(round(total.item() / len(train), 6))
        if not math.isfinite(losses[-1]):
            raise CodekinError(
                f"{settings.name}: the loss is not a number in epoch {epoch}; take a smaller "
                f"learning rate than {settings.rate}"
            )
        for side, values in precisions.items():
            values.append(round(precision(sides[side]), 6))
        report(epoch, len(train), losses[-1])
        if not best or deciding[-1] > deciding[best - 1]:
            best, weights = epoch, copy.deepcopy(network.state_dict())
    network.load_state_dict(weights)
    return Fitted(
        *(len(train), len(sides["validation"])),
        epochs=len(losses),
        best=best,
        losses=tuple(losses),
        validation=tuple(validation),
        test=tuple(precisions.get("test", ())),
    )


def needed_test_pairs(name: str, test: LabelledPlaces | None) -> LabelledPlaces:
    """The test pairs that ``preset=paper`` chooses an epoch by; an error without any."""
    if test is None or not len(test):
        raise CodekinError(
            f"{name}: preset=paper chooses the epoch that is best on test pairs, and there are "
            "none; add labelled pairs of the side test, or leave the preset out"
        )
    return test


@contextmanager
def memory_errors(one: Trained, *, training: bool, smaller: str = "") -> Iterator[None]:
    """Say what to do where the memory of a GPU is not enough.

    Parameters
    ----------
    one : Trained
    training : bool
        Whether it is being trained, so that a smaller batch helps.
    smaller : str
        What else could be smaller, after "or".
    """
    try:
        yield
    except torch.cuda.OutOfMemoryError:
        if training:
            batch = f"{one.name}:batch={max(1, one.batch // 4)}"
            raise CodekinError(
                f"{one.name}: the GPU has too little memory to train with batch={one.batch}; take "
                f"a smaller batch, such as {batch}{smaller}, or device=cpu"
            ) from None
        raise CodekinError(
            f"{one.name}: the GPU has too little memory to score; free some of it, or use the "
            "processor, with device=cpu (--set device=cpu for a saved detector)"
        ) from None
