"""The table of measures, by name and by the package they reproduce."""

from __future__ import annotations

import dataclasses
import difflib
from functools import cache
from importlib import metadata
from typing import Any

from codekin.errors import CodekinError
from codekin.measures.base import Measure
from codekin.measures.bleu import Bleu
from codekin.measures.bleu_compat import NltkBleu, SacreBleu
from codekin.measures.chrf import Chrf, SacreChrf
from codekin.measures.codebleu import CodeBleu
from codekin.measures.codebleu_compat import PackageCodeBleu
from codekin.measures.crystalbleu import CrystalBleu, PackageCrystalBleu
from codekin.measures.cssg import Cssg
from codekin.measures.diffbleu import CodeplanDiffBleu, DiffBleu, NofunevalDiffBleu
from codekin.measures.edit import (
    EditDistance,
    EditSimilarity,
    RapidfuzzDistance,
    RapidfuzzSimilarity,
)
from codekin.measures.es import Es
from codekin.measures.exact import Exact
from codekin.measures.excision import EsLine, EsToken
from codekin.measures.foreign import adopt_measure, imports_nothing
from codekin.measures.jaccard import Jaccard, TextdistanceJaccard
from codekin.measures.kin import Kin
from codekin.measures.length import Length
from codekin.measures.ruby import Ruby
from codekin.measures.sanslcs import SansLcs
from codekin.measures.sari import Sari
from codekin.measures.sari_compat import EasseSari, EvaluateSari, XuSari
from codekin.measures.tsed import Tsed
from codekin.measures.tsed_compat import AptedTsed, PackageTsed

__all__ = ["measure", "measure_classes", "measure_names"]

_BUILT_IN: tuple[type[Measure], ...] = (
    Exact,
    EditDistance,
    RapidfuzzDistance,
    EditSimilarity,
    RapidfuzzSimilarity,
    Jaccard,
    TextdistanceJaccard,
    Bleu,
    SacreBleu,
    NltkBleu,
    Chrf,
    SacreChrf,
    CrystalBleu,
    PackageCrystalBleu,
    CodeBleu,
    PackageCodeBleu,
    Tsed,
    PackageTsed,
    AptedTsed,
    Ruby,
    Cssg,
    Kin,
    Sari,
    XuSari,
    EvaluateSari,
    EasseSari,
    DiffBleu,
    NofunevalDiffBleu,
    CodeplanDiffBleu,
    SansLcs,
    EsLine,
    EsToken,
    Es,
    Length,
)


def measure_classes() -> dict[str, dict[str | None, type[Measure]]]:
    """For each name, the default class under None and the compatible ones by package.

    Built-in measures come first, then those of the entry points ``codekin.measures``: classes of
    measures, or whatever :func:`adopt_measure` can make one of, under the name of the entry point.
    Where the names come out of a file (:func:`nothing_imported`), only those that are built in.
    """
    return _built_in_classes() if imports_nothing() else _every_class()


@cache
def _built_in_classes() -> dict[str, dict[str | None, type[Measure]]]:
    table: dict[str, dict[str | None, type[Measure]]] = {}
    for cls in _BUILT_IN:
        table.setdefault(cls.name, {})[cls.compat] = cls
    return table


@cache
def _every_class() -> dict[str, dict[str | None, type[Measure]]]:
    added = sorted(metadata.entry_points(group="codekin.measures"), key=lambda e: e.name)
    table = {name: dict(forms) for name, forms in _built_in_classes().items()}
    for entry in added:
        cls = _added(entry)
        if cls.compat in table.setdefault(cls.name, {}):
            raise CodekinError(
                f"{_package(entry)}: its measure {cls.name!r} is called as another is, so that "
                "results could not be told apart; rename it or uninstall the package"
            )
        table[cls.name][cls.compat] = cls
    return table


def _added(entry: metadata.EntryPoint) -> type[Measure]:
    try:
        made = entry.load()
        if isinstance(made, type) and issubclass(made, Measure):
            return made
        return type(adopt_measure(made, name=entry.name))
    except (Exception, SystemExit) as error:  # whatever another package does
        raise CodekinError(
            f"{_package(entry)}: its measure {entry.name!r} ({entry.value}) cannot be loaded "
            f"({type(error).__name__}: {error}); mend or uninstall the package"
        ) from None


def _package(entry: metadata.EntryPoint) -> str:
    return "another package" if entry.dist is None else f"package {entry.dist.name}"


def measure_names() -> list[str]:
    """The names that :func:`measure` knows.

    Examples
    --------
    >>> measure_names()[:4]
    ['exact', 'ed', 'nes', 'jaccard']
    """
    return list(measure_classes())


def measure(name: str, *, compat: str | None = None, **parameters: Any) -> Measure:
    """Make a measure.

    Parameters
    ----------
    name : str
        One of :func:`measure_names`.
    compat : str, optional
        The package to reproduce, oddities included; its parameters then have its own names.
    **parameters
        The measure's own; see its page.

    Examples
    --------
    >>> measure("bleu", order=2)
    measure('bleu', order=2)
    >>> measure("bleu", compat="sacrebleu").score("a b c d", "a b c d").value
    1.0
    """
    table = measure_classes()
    if name not in table:
        close = difflib.get_close_matches(str(name).lower(), table, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise CodekinError(f"unknown measure {name!r}{hint} (known: {', '.join(table)})")
    forms = table[name]
    if compat not in forms:
        known = ", ".join(sorted(c for c in forms if c)) or "none"
        raise CodekinError(f"{name}: unknown compat {compat!r} (known: {known})")
    cls = forms[compat]
    fields = [f.name for f in dataclasses.fields(cls)]
    for parameter in parameters:
        if parameter not in fields:
            close = difflib.get_close_matches(parameter, fields, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise CodekinError(
                f"{name}: unknown parameter {parameter!r}{hint} (known: {', '.join(fields)})"
            )
    return cls(**parameters)
