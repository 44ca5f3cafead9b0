"""Measures from outside codekin: any object with a ``score``, or any function of two texts."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, Score
from codekin.measures.highlight import text_spans
from codekin.opening import MOST_CODE_BYTES, UnreadableFileError, read_file
from codekin.source import Source

__all__ = [
    "ForeignMeasure",
    "adopt_measure",
    "imports_nothing",
    "is_target",
    "load_measure",
    "nothing_imported",
]

_NAMED_BY_DATA: ContextVar[bool] = ContextVar("named_by_data", default=False)

_LARGEST = 1e100
"""The largest score: statistics square scores, and larger squares would overflow."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ForeignMeasure(Measure):
    """A measure from another package, made by :func:`adopt_measure` or :func:`load_measure`.

    Each has its own class, since name and distance are attributes of the class.

    Parameters
    ----------
    made : object
        An object with a ``score``, or a function. It is called with the texts of the candidate and
        the reference, and with ``origin`` and ``language`` by name if it accepts them. It returns a
        number, or an object with a ``value`` and optionally ``parts`` and ``bounds``.
    code : str
        A fingerprint of its file, which distinguishes its versions.
    """

    made: Any = field(repr=False)
    code: str = field(repr=False)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        return self._answer(candidate, reference, None)

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        if "origin" not in _taken(_verb(self.made)):
            return self._score(candidate, references)
        scores = [self._answer(candidate, one, origin) for one in references]
        best = (min if self.distance else max)(scores, key=lambda one: one.value)
        best._references = references
        return best

    def _answer(self, candidate: Source, reference: Source, origin: Source | None) -> Score:
        verb = _verb(self.made)
        taken = _taken(verb)
        given: dict[str, Any] = {}
        if "origin" in taken and origin is not None:
            given["origin"] = origin.text
        if "language" in taken:
            given["language"] = candidate.language.name
        value, parts, bounds = _read(self.name, verb(candidate.text, reference.text, **given))
        return Score(self, value, parts, candidate, reference, bounds=bounds)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade what an optimal edit keeps, since the measure cannot explain itself."""
        mine, theirs = text_spans(candidate, reference)
        return Explanation(
            f"{self.name} does not explain itself; what an optimal edit keeps is shaded.",
            mine,
            theirs,
            candidate.text,
            reference.text,
        )

    def uses_tree(self) -> bool:
        """Whether the measure takes the language."""
        return "language" in _taken(_verb(self.made))

    def signature(self, *sources: Source) -> str:
        """The name, the fingerprint of its file, and codekin's version."""
        name, *others = super().signature(*sources).split("|")
        return "|".join([name, f"code:{self.code}", *others])

    @property
    def parameters(self) -> dict[str, Any]:
        """What distinguishes it from others: the fingerprint of its code, and its repr."""
        shown = repr(self.made)
        return {"code": self.code, "made": "" if " at 0x" in shown else shown}

    def __reduce__(self) -> tuple[Any, ...]:
        if self.loaded_from is not None:
            return load_measure, (self.loaded_from,)
        return _adopted, (self.made, self.name)


def _adopted(made: object, name: str) -> Measure:
    return adopt_measure(made, name=name)


def is_target(word: str) -> bool:
    """Whether a word has the form ``module:attribute``.

    Examples
    --------
    >>> is_target("mypackage.metrics:overlap"), is_target("bleu:order=2"), is_target("bleu")
    (True, False, False)
    """
    module, mark, attribute = word.partition(":")
    return bool(mark) and all(
        piece.isidentifier() for piece in (*module.split("."), *attribute.split("."))
    )


@contextlib.contextmanager
def nothing_imported() -> Iterator[None]:
    """Make only codekin's own measures from words, and none with a model, whatever the words say.

    For words from a file: its author must not decide which code runs here. This includes words
    within words, such as ``sanslcs:inner=module:attribute``.
    """
    before = _NAMED_BY_DATA.set(True)
    try:
        yield
    finally:
        _NAMED_BY_DATA.reset(before)


def imports_nothing() -> bool:
    """Whether this runs within :func:`nothing_imported`."""
    return _NAMED_BY_DATA.get()


def load_measure(target: str) -> Measure:
    """The measure that ``module:attribute`` names: an instance, a class or a function.

    Parameters
    ----------
    target : str
        The module is searched for on Python's path, and then in the current folder.

    Examples
    --------
    >>> load_measure("math:pi")
    Traceback (most recent call last):
    codekin.errors.CodekinError: math:pi: has no 'score' and is not a function of two texts
    """
    if imports_nothing():
        raise CodekinError(f"{target}: is not one of codekin's own measures")
    module_name, _, path = target.partition(":")
    found: Any = _module(target, module_name)
    for name in path.split("."):
        if not hasattr(found, name):
            raise CodekinError(f"{target}: {module_name} has no {path!r}")
        found = getattr(found, name)
    try:
        made = adopt_measure(found, name=target)
    except CodekinError as error:
        raise CodekinError(f"{target}: {error}") from None
    object.__setattr__(made, "loaded_from", target)
    return made


def _module(target: str, name: str) -> ModuleType:
    try:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            here = str(Path.cwd())
            if (error.name or "") != name.partition(".")[0] or here in sys.path:
                raise
            # The console script does not look in the current folder, as `python -m` does.
            sys.path.insert(0, here)
            importlib.invalidate_caches()
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever a module does while it is imported
        hint = "name your own measure as module:attribute, with a module that Python can import"
        if name.endswith(".py"):
            hint = f"write {name.removesuffix('.py')}:{target.partition(':')[2]}"
        raise CodekinError(
            f"{target}: cannot import {name!r} ({type(error).__name__}: {error}); {hint}"
        ) from None


def adopt_measure(made: object, *, name: str | None = None) -> Measure:
    """Turn an object into a measure.

    Parameters
    ----------
    made : object
        A Measure, which is returned unchanged; an object or a class with a ``score``; or a
        function. Its ``name``, ``summary``, ``distance`` and ``needs_origin`` are used if present.
    name : str, optional
        The name to use if it has none.

    Examples
    --------
    >>> def same_start(candidate, reference):
    ...     return float(candidate[:1] == reference[:1])
    >>> adopt_measure(same_start).score("x = 1", "x = 2", language="python").value
    1.0
    """
    if isinstance(made, Measure):
        return made
    if isinstance(made, type):
        try:
            return adopt_measure(made(), name=name)
        except CodekinError:
            raise
        except Exception as error:  # whatever a class does while it is made
            raise CodekinError(
                f"{made.__name__}: cannot be created without arguments ({type(error).__name__}: "
                f"{error}); name an instance"
            ) from None
    verb = _verb(made)
    own = getattr(made, "name", None)
    # A wrapped or bound function goes by the name and file of the function itself.
    function = inspect.unwrap(made) if inspect.isroutine(made) else None
    function = getattr(function, "__func__", function)
    kind = function if isinstance(function, FunctionType) else type(made)
    called = name or (own if isinstance(own, str) and own else kind.__qualname__)
    code = _fingerprint(kind.__module__)
    facts = {
        "__annotations__": {"made": "Any", "code": "str"},
        "made": field(default_factory=lambda: made, repr=False),
        "code": field(default=code, repr=False),
        "name": called,
        "summary": _first_line(made),
        "distance": _flag(made, "distance", False),
        "needs_origin": _flag(made, "needs_origin", _is_required(verb, "origin")),
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": ForeignMeasure.__doc__,
    }
    plain = type(kind.__name__, (ForeignMeasure,), facts)
    cls: type[Measure] = dataclass(frozen=True, kw_only=True, repr=False)(plain)
    return cls()


def _flag(made: object, name: str, otherwise: bool) -> bool:
    """An attribute of an object, unless it is a method, such as ``distance``."""
    said = getattr(made, name, otherwise)
    return otherwise if callable(said) else bool(said)


def _verb(made: object) -> Callable[..., Any]:
    """The scoring function: the object's ``score``, or the object itself if callable."""
    verb = getattr(made, "score", None)
    if callable(verb):
        return verb  # type: ignore[no-any-return]
    if callable(made):
        return made
    raise CodekinError("has no 'score' and is not a function of two texts")


def _taken(verb: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters that can be passed by name, beyond the two texts."""
    function, bound = getattr(verb, "__func__", verb), hasattr(verb, "__self__")
    try:
        return _parameters_once(function, bound)
    except TypeError:  # an object that has no hash
        return _parameters(function, bound)


def _parameters(function: Callable[..., Any], bound: bool) -> Mapping[str, inspect.Parameter]:
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in C, without a signature
        return {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {one.name: one for one in found[2 + bound :] if one.kind in named}


_parameters_once = lru_cache(maxsize=256)(_parameters)


def _is_required(verb: Callable[..., Any], name: str) -> bool:
    one = _taken(verb).get(name)
    return one is not None and one.default is inspect.Parameter.empty


def _read(name: str, answer: Any) -> tuple[float, Mapping[str, float], tuple[float, float] | None]:
    """The value of an answer, with its parts and bounds if it has any."""
    given = getattr(answer, "value", answer)
    try:
        if isinstance(given, str | bytes):  # which float would read
            raise TypeError
        value = float(given)
    except (TypeError, ValueError):
        raise CodekinError(
            f"{name}: gave {type(given).__name__} {str(given)[:40]!r}; a score is a number, or "
            "has a number as its value"
        ) from None
    if not math.isfinite(value):
        raise CodekinError(f"{name}: the score is no number but {value}")
    if abs(value) > _LARGEST:
        raise CodekinError(f"{name}: the score is {value:g}; beyond {_LARGEST:g} none is judged")
    parts = getattr(answer, "parts", None)
    bounds = getattr(answer, "bounds", None)
    return (
        value,
        dict(parts) if isinstance(parts, Mapping) else {},
        (float(bounds[0]), float(bounds[1])) if isinstance(bounds, tuple) else None,
    )


def _first_line(made: object) -> str:
    """The one-line summary of an object."""
    said = getattr(made, "summary", None)
    if not isinstance(said, str):
        said = inspect.getdoc(made) or ""
    return said.strip().partition("\n")[0].rstrip(".") or "a measure from another package"


def _fingerprint(module: str) -> str:
    """Eight hexadecimal digits that identify the file of a module."""
    path = getattr(sys.modules.get(module), "__file__", None)
    if path is None:  # built in or typed in
        return "unknown"
    try:
        code = read_file(path, limit=MOST_CODE_BYTES, typed=True)
    except UnreadableFileError:
        return "unknown"
    return hashlib.sha256(code).hexdigest()[:8]
