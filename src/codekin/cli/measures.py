"""``codekin measures``: what can be measured, and how."""

from __future__ import annotations

from codekin.cli.options import LISTING, ResultOptions, command
from codekin.cli.output import Rendering, emit

__all__ = ["measures_command"]


@command(example="codekin measures --format json", formats=LISTING)
def measures_command(*, result: ResultOptions) -> None:
    """List the measures and their parameters."""
    from codekin.report.listings import describe_measures, measure_listing
    from codekin.results import json_text

    found = describe_measures()
    texts = {"json": lambda: json_text(found)}
    emit(result, Rendering(texts, lambda screen: screen.print(measure_listing(found))))
