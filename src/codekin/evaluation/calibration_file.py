"""Calibrations in files: plain numbers, from which nothing but a calibration is ever made."""

from __future__ import annotations

import base64
import math
import types
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from codekin.errors import CodekinError
from codekin.evaluation.calibration import Calibration
from codekin.opening import UnreadableFileError, read_json
from codekin.plain_text import plain
from codekin.results import Interval

__all__ = ["FORMAT", "load_calibration"]

FORMAT = 2
_FORMS = ("value", "log", "one", "zero")
_LARGEST = 2**53
"""The largest whole number that is read; it is exact as a float."""


def load_calibration(path: str | Path) -> Calibration:
    """Read a calibration that :func:`calibrate` made.

    Parameters
    ----------
    path : str or Path
        A JSON file.
    """
    file = Path(path)
    try:
        document = read_json(file, typed=True)
    except UnreadableFileError as error:
        raise CodekinError(f"{error}; name a file that codekin calibrate wrote") from None
    if not isinstance(document, dict) or "coefficients" not in document:
        raise CodekinError(f"{file}: is not a calibration; name a file of codekin calibrate")
    if document.get("format") != FORMAT:
        raise CodekinError(
            f"{file}: has the format {document.get('format')!r}, and this codekin reads {FORMAT}; "
            "calibrate again with this version, or use the one that wrote it"
        )
    try:
        found: Calibration = _made(Calibration, document, "")
        _check_shapes(found)
    except ValueError as error:
        raise CodekinError(f"{file}: is damaged ({error}); calibrate again") from None
    return found


def _made(hint: Any, value: Any, where: str) -> Any:
    """A value of a type from its JSON; nothing else is ever made."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found = _made(arguments[0], value, where)
        if isinstance(found, float) and not math.isfinite(found):
            raise ValueError(f"{where or 'the file'} is not a number")
        return found
    if origin in (Union, types.UnionType):
        kind = next(one for one in arguments if one is not type(None))
        return None if value is None else _made(kind, value, where)
    if origin is tuple and isinstance(value, list):
        return tuple(_made(arguments[0], one, where) for one in value)
    if hint is Interval:
        ends = [math.nan, math.nan] if value is None else value
        if isinstance(ends, list) and len(ends) == 2:
            return Interval(*(_made(float, one, where) for one in ends))
    if hint is float and (
        value is None or (isinstance(value, int | float) and not isinstance(value, bool))
    ):
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise ValueError(f"{where or 'the file'} is too large a number")
        return math.nan if value is None else float(value)
    if hint in (str, int, bool) and type(value) is hint:
        if hint is int and abs(value) > _LARGEST:
            raise ValueError(f"{where or 'the file'} is too large a number")
        return plain(value) if isinstance(value, str) else value
    if is_dataclass(hint) and isinstance(value, dict):
        return _made_object(hint, value, where)
    raise ValueError(f"{where or 'the file'} is not as expected")


def _made_object(kind: Any, value: dict[str, Any], where: str) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    names = {
        one.name: "codekin" if one.name == "version" else one.name
        for one in fields(kind)
        if one.name in value or one.default is MISSING  # what older files do not have
    }
    gone = [name for name in names.values() if name not in value]
    if gone:
        raise ValueError(f"{where and f'{where} '}has no {gone[0]!r}")
    return kind(
        **{
            attribute: _made(hints[attribute], value[name], f"{where}.{name}".strip("."))
            for attribute, name in names.items()
        }
    )


def _check_shapes(one: Calibration) -> None:
    """Refuse numbers that do not belong together."""
    size = len(one.features) + 1
    labels = {each.label for each in one.measures}
    if not one.features or not one.measures or not one.judgements or not one.datasets:
        raise ValueError("a list is empty")
    if len(one.coefficients) != size:
        raise ValueError("coefficients do not fit the features")
    for matrix in (one.covariance, one.curvature):
        if len(matrix) != size or any(len(row) != size for row in matrix):
            raise ValueError("covariance and coefficients differ in size")
    if one.freedom <= 0 or not 0 < one.level < 1:
        raise ValueError("freedom or level is out of range")
    for each in one.features:
        if each.form not in _FORMS or each.measure not in labels or each.scale <= 0:
            raise ValueError(f"the feature {each.name!r} is unknown")
        if not each.points or len(each.points) != len(each.shares):
            raise ValueError(f"the points of {each.name!r} are missing")
    if one.fitted_rows is not None:
        if one.fitted_rows.every < 1:
            raise ValueError("fitted_rows.every is out of range")
        if len(base64.b64decode(one.fitted_rows.digests, validate=True)) % 4:
            raise ValueError("fitted_rows.digests has a part of a digest")
