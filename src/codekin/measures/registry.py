"""The measures by name: their table, and the words that denote configured measures.

A word is a name with parameters, such as ``bleu:order=2``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from codekin.errors import CodekinError, suggestion
from codekin.measures.base import Measure
from codekin.measures.foreign import (
    adopt_measure,
    imports_nothing,
    is_target,
    load_measure,
    nothing_imported,
)
from codekin.parameter_words import assignments, parameter_word, typed_values

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "Forms",
    "built_in_measure",
    "distinct",
    "given_measures",
    "is_built_in",
    "measure",
    "measure_classes",
    "measure_label",
    "measure_names",
    "named_classes",
    "parse_measure",
    "split_words",
]

_BUILT_IN: dict[str, dict[str | None, str]] = {
    "exact": {None: "exact:Exact"},
    "ed": {None: "edit:EditDistance", "rapidfuzz": "compat.rapidfuzz:RapidfuzzDistance"},
    "nes": {None: "edit:EditSimilarity", "rapidfuzz": "compat.rapidfuzz:RapidfuzzSimilarity"},
    "jaccard": {None: "jaccard:Jaccard", "textdistance": "compat.textdistance:TextdistanceJaccard"},
    "bleu": {
        None: "bleu:Bleu",
        "sacrebleu": "compat.sacrebleu:SacreBleu",
        "nltk": "compat.nltk:NltkBleu",
    },
    "rouge": {None: "rouge:Rouge"},
    "meteor": {None: "meteor:Meteor"},
    "tfidf": {None: "tfidf:TfIdf"},
    "chrf": {None: "chrf:Chrf", "sacrebleu": "compat.sacrebleu:SacreChrf"},
    "crystalbleu": {
        None: "crystalbleu:CrystalBleu",
        "crystalbleu": "compat.crystalbleu_package:PackageCrystalBleu",
    },
    "codebleu": {
        None: "codebleu:CodeBleu",
        "codebleu": "compat.codebleu.measure:PackageCodeBleu",
    },
    "tsed": {
        None: "tsed:Tsed",
        "tsed": "compat.tsed_package:PackageTsed",
        "apted": "compat.apted:AptedTsed",
    },
    "ruby": {None: "ruby:Ruby"},
    "cssg": {None: "cssg:Cssg"},
    "kin": {None: "kin:Kin"},
    "sari": {
        None: "sari:Sari",
        "xu": "compat.xu:XuSari",
        "evaluate": "compat.evaluate:EvaluateSari",
        "easse": "compat.easse:EasseSari",
    },
    "diffbleu": {
        None: "diffbleu:DiffBleu",
        "nofuneval": "compat.nofuneval:NofunevalDiffBleu",
        "codeplan": "compat.codeplan:CodeplanDiffBleu",
    },
    "sanslcs": {None: "sanslcs:SansLcs"},
    "es-line": {None: "excision:EsLine"},
    "es-token": {None: "excision:EsToken"},
    "es": {None: "es:Es"},
    "length": {None: "length:Length"},
}
"""For each name, the location of the default class and of those that reproduce packages.

This is the only list of measures. Modules are imported on first use.
"""


_CONFIGURED: dict[str, dict[str | None, str]] = {
    "bertscore": {None: "bertscore:BertScore"},
}
"""Measures that need a parameter, such as the path of a model.

They have to be named, and are never among "every measure".
"""


class Forms(Mapping[str | None, type[Measure]]):
    """The classes of a measure: the default under None, the others by package.

    A class is imported when it is looked up; the keys are known without importing.
    """

    def __init__(self, name: str, known: Mapping[str | None, str | type[Measure]]) -> None:
        self.name = name
        self._known = known

    def __getitem__(self, compat: str | None) -> type[Measure]:
        known = self._known[compat]
        return _class_at(self.name, compat, known) if isinstance(known, str) else known

    def __contains__(self, compat: object) -> bool:
        return compat in self._known

    def __iter__(self) -> Iterator[str | None]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def installed(self) -> Iterator[tuple[str, type[Measure]]]:
        """The packages that can be reproduced, and the class of each."""
        for compat in filter(None, self._known):
            with contextlib.suppress(CodekinError):
                yield compat, self[compat]

    def with_form(self, cls: type[Measure]) -> Forms:
        """The same with another class."""
        return Forms(self.name, {**self._known, cls.compat: cls})


@cache
def _class_at(name: str, compat: str | None, target: str) -> type[Measure]:
    module, _, attribute = target.partition(":")
    try:
        found: type[Measure] = getattr(import_module(f"codekin.measures.{module}"), attribute)
    except ModuleNotFoundError as error:
        if compat is None or not (error.name or "").startswith("codekin.measures.compat"):
            raise
        raise CodekinError(
            f"{name}: compat={compat!r} is not part of this installation (no module "
            f"{error.name!r}); use the measure without compat, or reinstall codekin"
        ) from None
    return found


def measure_classes() -> dict[str, Forms]:
    """For each name, the default class under None and the compatible ones by package.

    These are the measures that work without parameters; :func:`named_classes` has all. Built-in
    measures come first, then those of the entry points ``codekin.measures``: classes of measures,
    or anything that :func:`adopt_measure` accepts, under the name of the entry point. Within
    :func:`nothing_imported`, where names come from a file, only built-in measures are listed.
    """
    return _built_in_classes() if imports_nothing() else _every_class()


def named_classes() -> dict[str, Forms]:
    """All measures that can be named: :func:`measure_classes`, and those that need parameters."""
    return measure_classes() | _configured_classes()


@cache
def _configured_classes() -> dict[str, Forms]:
    return {name: Forms(name, known) for name, known in _CONFIGURED.items()}


@cache
def _built_in_classes() -> dict[str, Forms]:
    return {name: Forms(name, known) for name, known in _BUILT_IN.items()}


@cache
def _every_class() -> dict[str, Forms]:
    from importlib import metadata  # here, since workers look for no entry points

    table = dict(_built_in_classes())
    configured = _configured_classes()
    for entry in sorted(metadata.entry_points(group="codekin.measures"), key=lambda e: e.name):
        cls = _added(entry)
        forms = table.get(cls.name, Forms(cls.name, {}))
        if cls.compat in forms or cls.name in configured:
            raise CodekinError(
                f"{_package(entry)}: its measure {cls.name!r} has the name of another measure, so "
                "results would be ambiguous; rename it or uninstall the package"
            )
        table[cls.name] = forms.with_form(cls)
    return table


def _added(entry: EntryPoint) -> type[Measure]:
    try:
        made = entry.load()
        if isinstance(made, type) and issubclass(made, Measure):
            return made
        return type(adopt_measure(made, name=entry.name))
    except (Exception, SystemExit) as error:  # whatever another package does
        raise CodekinError(
            f"{_package(entry)}: its measure {entry.name!r} ({entry.value}) cannot be loaded "
            f"({type(error).__name__}: {error}); fix or uninstall the package"
        ) from None


def _package(entry: EntryPoint) -> str:
    return "another package" if entry.dist is None else f"package {entry.dist.name}"


def measure_names() -> list[str]:
    """The names of all measures that work without parameters.

    ``bertscore``, which needs the path of a model, is a measure too.

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
        The package to reproduce, oddities included; parameters then have the package's names.
    **parameters
        The measure's own; see its page.

    Examples
    --------
    >>> measure("bleu", order=2)
    measure('bleu', order=2)
    >>> measure("bleu", compat="sacrebleu").score("a b c d", "a b c d").value
    1.0
    """
    table = named_classes()
    if name not in table:
        hint = suggestion(name, table)
        known = "codekin measures lists all" if hint else f"known: {', '.join(table)}"
        raise CodekinError(f"unknown measure {name!r}{hint} ({known})")
    forms = table[name]
    if compat not in forms:
        known = ", ".join(sorted(c for c in forms if c))
        why = f"known: {known}" if known else f"{name} has no other form; leave compat out"
        raise CodekinError(f"{name}: unknown compat {compat!r} ({why})")
    if name in _CONFIGURED and imports_nothing():
        raise CodekinError(f"{name}: reads a model, and none is read because a file names it")
    cls = forms[compat]
    fields = [f.name for f in dataclasses.fields(cls)]
    for parameter in parameters:
        if parameter not in fields:
            hint = suggestion(parameter, fields)
            raise CodekinError(
                f"{name}: unknown parameter {parameter!r}{hint} (known: {', '.join(fields)})"
            )
    return cls(**parameters)


_TARGET = re.compile(r"[\w.]+:[\w.]+")
"""A measure of another module, as ``module:attribute``."""


def parse_measure(text: str) -> Measure:
    """Make a measure from a word such as ``bleu:order=2,smoothing=floor``.

    Values are read by the types of the measure's parameters. A piece without ``=`` continues the
    value before it, so that ``bleu:compat=nltk,weights=0.5,0.5`` gives two weights. A word such
    as ``mypackage.metrics:overlap`` names a measure of another package, see :func:`load_measure`.

    Examples
    --------
    >>> parse_measure("bleu:order=2").order
    2
    """
    name, _, rest = text.partition(":")
    if name not in named_classes() and is_target(text):
        return load_measure(text)
    given = dict(assignments(name, rest)) if rest else {}
    compat = given.pop("compat", None)
    forms = named_classes().get(name)
    cls = None if forms is None else forms.get(compat)
    if cls is None:
        return measure(name, compat=compat)  # raises an error that lists the known names
    return measure(name, compat=compat, **typed_values(name, cls, given))


def built_in_measure(text: str) -> Measure:
    """Make a built-in measure from a word in a file.

    No other package is imported, no entry point is loaded and no measure with a model is made: a
    file may name code or another file, but only a person may have it read.

    Examples
    --------
    >>> built_in_measure("bleu:order=2").order
    2
    >>> built_in_measure("antigravity:fly")
    Traceback (most recent call last):
    codekin.errors.CodekinError: antigravity:fly: is not one of codekin's own measures
    """
    with nothing_imported():
        return parse_measure(text)


def is_built_in(text: str) -> bool:
    """Whether :func:`built_in_measure` makes a measure of a word.

    Examples
    --------
    >>> is_built_in("bleu:order=2"), is_built_in("antigravity:fly")
    (True, False)
    """
    try:
        built_in_measure(text)
    except CodekinError:
        return False
    return True


def given_measures(
    given: str | Measure | Sequence[str | Measure] | None,
) -> list[Measure] | None:
    """Make the measures that a user gave: by name, as measures, or as objects of their own.

    Parameters
    ----------
    given : str, Measure, any object with a ``score``, a sequence of them, or None
        A text may name several, such as ``bleu:order=2,tsed``; see :func:`split_words`.

    Returns
    -------
    list of Measure or None
        None where nothing was given, which means every measure.

    Examples
    --------
    >>> given_measures("BLEU:order=2,ed")
    [measure('bleu', order=2), measure('ed')]
    """
    if given is None:
        return None
    if isinstance(given, str | Measure) or not isinstance(given, Iterable):
        given = [given]
    found: list[Measure] = []
    for one in given:
        if isinstance(one, str):
            found += [parse_measure(word) for word in split_words([one])]
        else:
            found.append(_adopted(one))
    return found


def _adopted(one: object) -> Measure:
    try:
        return adopt_measure(one)
    except CodekinError as error:
        raise CodekinError(
            f"a measure is a name, an object of measure(...), or one of your own with a 'score'; "
            f"{one!r}: {error}"
        ) from None


def split_words(words: Sequence[str]) -> list[str]:
    """Split texts such as ``bleu,tsed`` into words that name one measure each, in any case.

    A comma also separates parameters and parts of their values, so a piece after a measure with
    parameters starts a new measure only if it is the name of a measure (also with parameters), or
    has the form ``module:attribute``. After a measure without parameters, every piece does.

    Examples
    --------
    >>> split_words(["BLEU,tsed", "ed"])
    ['bleu', 'tsed', 'ed']
    >>> split_words(["bleu:order=2,smoothing=floor,tsed"])
    ['bleu:order=2,smoothing=floor', 'tsed']
    >>> split_words(["bleu:compat=nltk,weights=0.5,0.5,bleu:order=2,my.metrics:overlap"])
    ['bleu:compat=nltk,weights=0.5,0.5', 'bleu:order=2', 'my.metrics:overlap']
    """
    known = set(named_classes())
    found: list[str] = []
    for word in words:
        taken = False  # whether the measure before a piece takes what is no measure
        for piece in word.split(","):
            name, colon, rest = piece.strip().partition(":")
            is_measure = name.lower() in known
            if taken and not is_measure and not _TARGET.fullmatch(piece.strip()):
                found[-1] += f",{piece}"
                continue
            found.append(f"{name.lower() if is_measure else name}{colon}{rest}")
            taken = "=" in rest
    return found


def measure_label(one: Measure) -> str:
    """The word for a measure: the inverse of :func:`parse_measure`."""
    if one.loaded_from is not None:
        return one.loaded_from
    first = () if one.compat is None else (f"compat={one.compat}",)
    return parameter_word(one.name, one, *first)


def distinct(names: Iterable[str]) -> list[str]:
    """The names, with a number after repeated ones, so that all can be keys.

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
