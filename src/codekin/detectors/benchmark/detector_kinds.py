"""What the papers call the detectors of a benchmark: sound ones, baselines and ablations."""

from __future__ import annotations

__all__ = ["SOUND", "TASK_SPECIFIC", "has_pace", "is_pretrained", "is_sound", "kind_of"]

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


def is_pretrained(word: str) -> bool:
    """Whether it has pre-trained weights."""
    return kind_of(word) == "transformer"
