"""The detectors that come with codekin."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from codekin.detectors.detector import Detector, read_detector
from codekin.errors import CodekinError

__all__ = ["SHIPPED", "shipped_detector"]

SHIPPED = {"java": "java", "c": "c"}
"""The folder of the detector for each language, below ``data/detectors``."""


def shipped_detector(languages: Sequence[str], **settings: Any) -> Detector:
    """The detector that comes with codekin for a language.

    Parameters
    ----------
    languages : sequence of str
        Those of the code; a detector is for one.
    **settings
        Those that are not kept with a detector, such as its device.

    Raises
    ------
    CodekinError
        If there is none.

    Examples
    --------
    >>> shipped_detector(["java"]).name
    'blend'
    """
    known = [one for one in languages if one in SHIPPED]
    if len(known) != len(languages) or not languages:
        others = [one for one in languages if one not in SHIPPED]
        raise CodekinError(
            f"no detector comes with codekin for {' and '.join(others) or 'no code'}, only for "
            f"{' and '.join(SHIPPED)}; name one that you trained with --model"
        )
    if len(known) > 1:
        raise CodekinError(
            f"the code is in {' and '.join(known)}, and a detector that comes with codekin is for "
            "one language; choose it with --language, or name a detector of your own with --model"
        )
    wanted = SHIPPED[known[0]]
    place = resources.files("codekin").joinpath("data", "detectors", wanted)
    return read_detector(Path(str(place)), settings, shipped=True)
