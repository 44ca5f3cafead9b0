"""Words that denote configured objects, such as ``bleu:order=2`` and ``tbccd:epochs=4``."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from codekin.errors import CodekinError

__all__ = ["assignments", "parameter_word", "typed_value", "typed_values"]

_TRUTH = {"true": True, "yes": True, "on": True, "1": True}
_TRUTH |= {"false": False, "no": False, "off": False, "0": False}


def typed_values(name: str, cls: type, given: Mapping[str, str]) -> dict[str, Any]:
    """Parameters that were given as words, read by the types of a dataclass.

    What is not one of its fields stays a text.
    """
    hints = typing.get_type_hints(cls)
    fields = {field.name for field in dataclasses.fields(cls) if field.init}
    return {
        key: typed_value(f"{name}: {key}", hints[key], word) if key in fields else word
        for key, word in given.items()
    }


def parameter_word(name: str, made: Any, *first: str) -> str:
    """The word for a configured object: its name, and the parameters that are not the default."""
    given = list(first)
    for field in dataclasses.fields(made):
        value = getattr(made, field.name)
        if field.init and field.repr and value != field.default:
            shown = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            given.append(f"{field.name}={shown}")
    return name + (":" + ",".join(given) if given else "")


def assignments(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The names and values in ``a=1,b=2,3``; a piece without ``=`` continues the value before."""
    key = value = ""
    for piece in text.split(","):
        if "=" not in piece:
            if not key:
                raise CodekinError(
                    f"{name}: cannot read {piece!r}; parameters are written {name}:name=value"
                )
            value += f",{piece}"
            continue
        if key:
            yield key, value
        key, _, value = (part.strip() for part in piece.partition("="))
    yield key, value


def typed_value(where: str, hint: Any, word: str) -> Any:
    """A word as a value of a type: a number, a truth value, a text or a tuple of them."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        if word.lower() == "none" and type(None) in arguments:
            return None
        return typed_value(where, next(a for a in arguments if a is not type(None)), word)
    if origin is tuple and arguments[0] in (float, int, str):
        return tuple(typed_value(where, arguments[0], piece) for piece in word.split(",") if piece)
    try:
        if hint is bool:
            return _TRUTH[word.lower()]
        if hint in (int, float, str):
            return hint(word)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[hint]
        raise CodekinError(f"{where} must be {kind}, not {word!r}") from None
    raise CodekinError(f"{where} cannot be given on the command line")
