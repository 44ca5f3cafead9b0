"""The detectors that come with codekin."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from codekin.detectors.detector import Detector, load_detector
from codekin.errors import CodekinError

__all__ = ["SHIPPED", "shipped_detector"]

SHIPPED: dict[str, str] = {}
"""The folder of the detector for each language, below ``data/detectors``; none yet."""


def shipped_detector(languages: Sequence[str], **settings: Any) -> Detector:
    """The detector that comes with codekin for some languages.

    Raises
    ------
    CodekinError
        If there is none.
    """
    if not SHIPPED:
        raise CodekinError(
            "no detector comes with this version of codekin; name one that you trained with --model"
        )
    wanted = {SHIPPED.get(one) for one in languages}
    if None in wanted or len(wanted) != 1:
        raise CodekinError(
            f"no detector comes with codekin for {' and '.join(languages) or 'no code'}, only for "
            f"{' and '.join(SHIPPED)}, each by itself; name one that you trained with --model"
        )
    place = resources.files("codekin").joinpath("data", "detectors", str(wanted.pop()))
    return load_detector(Path(str(place)), **settings)
