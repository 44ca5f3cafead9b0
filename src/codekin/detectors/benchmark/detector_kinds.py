"""What the papers call the detectors of a benchmark: sound ones, baselines and ablations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

__all__ = [
    "SOUND",
    "TASK_SPECIFIC",
    "brief_words",
    "has_pace",
    "is_pretrained",
    "is_sound",
    "kind_of",
]

_TRAINING = ("epochs", "patience", "batch", "rate", "seed", "device")
"""Settings that say how long and with what a model is trained, and not what it is."""

TASK_SPECIFIC = ("tbccd", "astnn", "faast")
"""Models that were made to detect clones, and see structure."""
SOUND = (*TASK_SPECIFIC, "transformer")
"""Models whose results a sound corpus keeps; see :func:`codekin.dataset_properties`."""


def kind_of(word: str) -> str:
    """The name of a detector without its settings.

    Examples
    --------
    >>> kind_of("faast:network=gmn")
    'faast'
    """
    return word.partition(":")[0]


def has_pace(word: str) -> bool:
    """Whether words are embedded by their characters; tbccd can be told not to."""
    return "pace=False" not in word.partition(":")[2].split(",")


def is_sound(word: str) -> bool:
    """Whether it is a sound detector, and not the ablation of one."""
    return kind_of(word) in SOUND and has_pace(word)


def brief_words(words: Iterable[str]) -> dict[str, str]:
    """The words of detectors without settings of training, where that leaves them distinct.

    Examples
    --------
    >>> brief_words(["faast:network=gmn,epochs=4", "mlp", "mlp:epochs=9"]).values()
    dict_values(['faast:network=gmn', 'mlp', 'mlp:epochs=9'])
    """
    brief = {word: _without_training(word) for word in words}
    counts = Counter(brief.values())
    return {word: short if counts[short] == 1 else word for word, short in brief.items()}


def _without_training(word: str) -> str:
    name, _, settings = word.partition(":")
    kept = [one for one in settings.split(",") if one.partition("=")[0] not in _TRAINING]
    return f"{name}:{','.join(kept)}" if any(kept) else name


def is_pretrained(word: str) -> bool:
    """Whether it has pre-trained weights."""
    return kind_of(word) == "transformer"
