"""``codekin languages``: what can be read, and by which grammars."""

from __future__ import annotations

from codekin.cli.options import LISTING, ResultOptions, command
from codekin.cli.output import Rendering, emit

__all__ = ["languages_command"]


@command(example="codekin languages --format json", formats=LISTING)
def languages_command(*, result: ResultOptions) -> None:
    """List the languages, their file suffixes and grammars."""
    from codekin.report.listings import describe_languages, language_listing
    from codekin.results import json_text

    found = describe_languages()
    texts = {"json": lambda: json_text(found)}
    emit(result, Rendering(texts, lambda screen: screen.print(language_listing(found))))
