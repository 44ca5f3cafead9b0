"""``codekin detect models``: what detectors there are, and their settings."""

from __future__ import annotations

from codekin.cli.options import LISTING, ResultOptions, command
from codekin.cli.output import Rendering, emit

__all__ = ["models_command"]


@command(example="codekin detect models --format json", formats=LISTING)
def models_command(*, result: ResultOptions) -> None:
    """List the detectors and their settings."""
    from codekin.report.listings import describe_detectors, detector_listing
    from codekin.results import json_text

    found = describe_detectors()
    texts = {"json": lambda: json_text(found)}
    emit(result, Rendering(texts, lambda screen: screen.print(detector_listing(found))))
