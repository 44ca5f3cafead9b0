"""Messages about a wrong command line, with suggestions."""

from __future__ import annotations

import re
from typing import Any

from codekin.errors import suggestion

__all__ = ["usage_message"]

_OTHER_NAMES = {"md": "markdown", "tex": "latex", "htm": "html", "txt": "table", "gv": "dot"}
"""Suffixes that users write instead of the name of a format."""


def usage_message(error: Any) -> str:
    """One line without a full stop, with a suggestion if there is one.

    Parameters
    ----------
    error : Exception
        A usage error of typer.
    """
    message = " ".join(error.format_message().replace("Value error, ", "").split()).rstrip(".")
    option = getattr(error, "option_name", None)
    if option is not None:
        return _unknown_option(option, error)
    command = re.fullmatch(r"(No such command .+?)\. Did you mean (.+)\?", message)
    if command:
        return f"{command[1]}; did you mean {command[2]}?"
    return message + _meant_choice(message)


def _unknown_option(option: str, error: Any) -> str:
    command = getattr(getattr(error, "ctx", None), "command", None)
    renamed = getattr(command, "renamed", {})
    if option in renamed:
        return f"No such option: {option}; use {renamed[option]}"
    close = ", ".join(sorted(error.possibilities or ()))
    return f"No such option: {option}" + (f"; did you mean {close}?" if close else "")


def _meant_choice(message: str) -> str:
    """The closest of the choices that a message lists."""
    found = re.search(r"'([^']*)' is not one of ((?:'[^']*'(?:, )?)+)$", message)
    if not found:
        return ""
    given, choices = found[1].lower(), re.findall(r"'([^']*)'", found[2])
    other = _OTHER_NAMES.get(given, given)
    return suggestion(other if other in choices else given, choices)
