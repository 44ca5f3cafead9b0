"""``codekin measures``, ``languages`` and ``detect models``: what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codekin.cli.options import LISTING, ResultOptions, command
from codekin.cli.output import Rendering, emit

__all__ = ["languages_command", "measures_command", "models_command"]


def _emit(result: ResultOptions, found: Any, listing: Callable[[Any], Any]) -> None:
    from codekin.results import json_text

    texts = {"json": lambda: json_text(found)}
    emit(result, Rendering(texts, lambda screen: screen.print(listing(found))))


@command(example="codekin measures --format json", formats=LISTING)
def measures_command(*, result: ResultOptions) -> None:
    """List the measures and their parameters."""
    from codekin.report.listings import describe_measures, measure_listing

    _emit(result, describe_measures(), measure_listing)


@command(example="codekin languages --format json", formats=LISTING)
def languages_command(*, result: ResultOptions) -> None:
    """List the languages, their file suffixes and grammars."""
    from codekin.report.listings import describe_languages, language_listing

    _emit(result, describe_languages(), language_listing)


@command(example="codekin detect models --format json", formats=LISTING)
def models_command(*, result: ResultOptions) -> None:
    """List the detectors and their settings."""
    from codekin.report.listings import describe_detectors, detector_listing

    _emit(result, describe_detectors(), detector_listing)
