"""A measure with its parameters in one word, such as ``bleu:order=2``."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from codekin.errors import CodekinError
from codekin.measures.base import Measure
from codekin.measures.foreign import is_target, load_measure, nothing_imported
from codekin.measures.registry import measure, measure_classes

__all__ = ["built_in_measure", "distinct", "measure_label", "parse_measure"]

_TRUTH = {"true": True, "yes": True, "on": True, "1": True}
_TRUTH |= {"false": False, "no": False, "off": False, "0": False}


def parse_measure(text: str) -> Measure:
    """Make the measure that a word such as ``bleu:order=2,smoothing=floor`` stands for.

    Values are read by the types of the measure's parameters. A piece without ``=`` continues the
    value before it, so that ``bleu:compat=nltk,weights=0.5,0.5`` gives two weights. A word such
    as ``mypackage.metrics:overlap`` stands for a measure of another package, see
    :func:`load_measure`.

    Examples
    --------
    >>> parse_measure("bleu:order=2").order
    2
    """
    name, _, rest = text.partition(":")
    if name not in measure_classes() and is_target(text):
        return load_measure(text)
    given = dict(_assignments(name, rest)) if rest else {}
    compat = given.pop("compat", None)
    cls = measure_classes().get(name, {}).get(compat)
    if cls is None:
        return measure(name, compat=compat)  # which says what is unknown, and what is known
    hints = typing.get_type_hints(cls)
    fields = {f.name for f in dataclasses.fields(cls)}
    values = {
        key: _value(f"{name}: {key}", hints[key], word) if key in fields else word
        for key, word in given.items()
    }
    return measure(name, compat=compat, **values)


def built_in_measure(text: str) -> Measure:
    """Make the measure of codekin's own that a word out of a file stands for.

    Nothing is imported and no entry point is loaded: a file names code, and only a person who
    names it too makes it run.

    Examples
    --------
    >>> built_in_measure("bleu:order=2").order
    2
    >>> built_in_measure("antigravity:fly")
    Traceback (most recent call last):
    codekin.errors.CodekinError: antigravity:fly: is not a measure of codekin's own
    """
    with nothing_imported():
        return parse_measure(text)


def _assignments(name: str, text: str) -> Iterator[tuple[str, str]]:
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


def _value(where: str, hint: Any, word: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        if word.lower() == "none" and type(None) in arguments:
            return None
        return _value(where, next(a for a in arguments if a is not type(None)), word)
    if origin is tuple and arguments[0] in (float, int, str):
        return tuple(_value(where, arguments[0], piece) for piece in word.split(",") if piece)
    try:
        if hint is bool:
            return _TRUTH[word.lower()]
        if hint in (int, float, str):
            return hint(word)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[hint]
        raise CodekinError(f"{where} must be {kind}, not {word!r}") from None
    raise CodekinError(f"{where} cannot be given on the command line")


def measure_label(one: Measure) -> str:
    """The word that stands for a measure: the inverse of :func:`parse_measure`."""
    if one.loaded_from is not None:
        return one.loaded_from
    given = [] if one.compat is None else [f"compat={one.compat}"]
    for f in dataclasses.fields(one):
        value = getattr(one, f.name)
        if value != f.default and f.repr:
            shown = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            given.append(f"{f.name}={shown}")
    return one.name + (":" + ",".join(given) if given else "")


def distinct(names: Iterable[str]) -> list[str]:
    """The names with a number behind each that stood before, so that all can be keys.

    Examples
    --------
    >>> distinct(["bleu", "nes", "bleu", "bleu"])
    ['bleu', 'nes', 'bleu 2', 'bleu 3']
    """
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return numbered
