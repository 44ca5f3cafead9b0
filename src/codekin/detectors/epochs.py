"""Epochs of training: their losses and average precisions, and the weights of the best one."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Protocol

import torch
from torch import Tensor, nn

from codekin.detectors.detector import Fitted, LabelledPlaces, Progress, TrainingProgress
from codekin.errors import CodekinError

__all__ = ["EPOCH_BY_TEST", "EpochLog", "memory_errors", "needed_test_pairs"]

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


class EpochLog:
    """What is known of the epochs of a training so far.

    Parameters
    ----------
    settings : Trained
        The detector.
    network : Module
    sides : mapping of str to LabelledPlaces
        Train and validation. The best epoch is that of test, where this side is there too, and of
        validation otherwise.
    progress : callable, optional
    """

    def __init__(
        self,
        settings: Trained,
        network: nn.Module,
        sides: Mapping[str, LabelledPlaces],
        progress: Progress | None,
    ) -> None:
        self._settings, self._network, self._sides = settings, network, sides
        self._progress = progress
        self._weights = copy.deepcopy(network.state_dict())
        self._said = time.perf_counter()
        self.losses: list[float] = []
        self.precisions: dict[str, list[float]] = {side: [] for side in sides if side != "train"}
        self.best = 0

    def report(self, done: int, total: Tensor) -> None:
        """Report the pairs of this epoch that are done, and the sum of their losses.

        Does nothing shortly after the last report.
        """
        if self._progress is not None and time.perf_counter() - self._said > _REPORT_S:
            self._said = time.perf_counter()
            known = self.precisions["validation"]
            self._say(len(self.losses) + 1, done, total.item() / done, (known or [math.nan])[-1])

    def _say(self, epoch: int, done: int, loss: float, validation: float) -> None:
        assert self._progress is not None
        counts = (epoch, self._settings.epochs, done, len(self._sides["train"]))
        self._progress(TrainingProgress(*counts, loss, validation))

    def end(self, total: Tensor, precision: Callable[[LabelledPlaces], float]) -> bool:
        """End an epoch; whether training ends with it.

        Parameters
        ----------
        total : tensor
            The sum of the losses of all pairs.
        precision : callable
            The average precision of the network on some pairs.
        """
        pairs = len(self._sides["train"])
        self.losses.append(round(total.item() / pairs, 6))
        epoch = len(self.losses)
        if not math.isfinite(self.losses[-1]):
            raise CodekinError(
                f"{self._settings.name}: the loss is not a number in epoch {epoch}; take a smaller "
                f"learning rate than {self._settings.rate}"
            )
        for side, values in self.precisions.items():
            values.append(round(precision(self._sides[side]), 6))
        if self._progress is not None:
            self._say(epoch, pairs, self.losses[-1], self.precisions["validation"][-1])
        deciding = self.precisions.get("test", self.precisions["validation"])
        if not self.best or deciding[-1] > deciding[self.best - 1]:
            self.best, self._weights = epoch, copy.deepcopy(self._network.state_dict())
        return epoch >= self._settings.epochs or epoch - self.best >= self._settings.patience

    def keep_best(self) -> None:
        """Give the network the weights of its best epoch."""
        self._network.load_state_dict(self._weights)

    def fitted(self, seconds: float, notes: tuple[str, ...]) -> Fitted:
        """What a detector keeps of this."""
        return Fitted(
            *(len(self._sides["train"]), len(self._sides["validation"])),
            epochs=len(self.losses),
            best=self.best,
            losses=tuple(self.losses),
            validation=tuple(self.precisions["validation"]),
            test=tuple(self.precisions.get("test", ())),
            seconds=round(seconds, 3),
            notes=notes,
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
