"""Messages about a wrong command line, with suggestions."""

from __future__ import annotations

import re
from enum import EnumType
from typing import Any

from rapidfuzz.distance import OSA

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
    if option is not None and hasattr(error, "possibilities"):
        return _unknown_option(option, error)
    if option is not None:
        return _without_value(option, error) or message
    command = re.fullmatch(r"(No such command .+?)\. Did you mean (.+)\?", message)
    if command:
        return f"{command[1]}; did you mean {command[2]}?"
    return message + _meant_choice(message)


def _unknown_option(option: str, error: Any) -> str:
    far = {one: OSA.distance(option, one) for one in error.possibilities or ()}
    close = sorted(far, key=lambda one: (far[one], one))
    near = [one for one in close if far[one] <= far[close[0]] + 1]
    return f"No such option: {option}" + (f"; did you mean {', '.join(near)}?" if near else "")


def _without_value(option: str, error: Any) -> str:
    """What an option needs that ends the line; empty if it takes no value."""
    context = getattr(error, "ctx", None)
    for one in getattr(getattr(context, "command", None), "params", ()):
        if option in one.opts and not getattr(one, "is_flag", False):
            value = one.metavar or "|".join(_choices(one)) or "VALUE"
            return f"{option} needs a value: {option} {value}"
    return ""


def _choices(parameter: Any) -> list[str]:
    """The values of an option that takes only some; typer has kept them in different places."""
    kind = getattr(parameter, "type_descriptor", None)
    some = getattr(kind, "annotation", None) or getattr(parameter, "type", None)
    known = some if isinstance(some, EnumType) else getattr(some, "choices", ())
    return [str(getattr(one, "value", one)) for one in known]


def _meant_choice(message: str) -> str:
    """The closest of the choices that a message lists."""
    found = re.search(r"'([^']*)' is not one of ((?:'[^']*'(?:, )?)+)$", message)
    if not found:
        return ""
    given, choices = found[1].lower(), re.findall(r"'([^']*)'", found[2])
    other = _OTHER_NAMES.get(given, given)
    return suggestion(other if other in choices else given, choices)
