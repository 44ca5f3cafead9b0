"""What codekin knows, listed: its measures, its detectors and its languages."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from codekin.detectors.detector import detector_class, detector_names
from codekin.errors import CodekinError
from codekin.languages import languages
from codekin.languages.text import TEXT
from codekin.measures import Measure, named_classes
from codekin.report.terminal import plain_table

__all__ = [
    "describe_detectors",
    "describe_languages",
    "describe_measures",
    "detector_listing",
    "language_listing",
    "measure_listing",
]


def describe_measures() -> list[dict[str, Any]]:
    """Every measure with its parameters, and the packages it can reproduce with theirs.

    Examples
    --------
    >>> [found] = [one for one in describe_measures() if one["name"] == "jaccard"]
    >>> found["parameters"]["n"], found["distance"]
    (1, False)
    """
    listed = []
    for name, forms in named_classes().items():
        own = forms.get(None) or next(iter(forms.values()))
        listed.append(
            {
                "name": name,
                "summary": own.summary,
                "distance": own.distance,
                "needs_origin": own.needs_origin,
                "references": own.joins,
                "parameters": _parameters(own),
                "compat": [
                    {"package": package, "summary": form.summary, "parameters": _parameters(form)}
                    for package, form in forms.installed()
                ],
            }
        )
    return listed


def _parameters(cls: type[Measure]) -> dict[str, Any]:
    """Parameters that can be written down, with their defaults."""
    return {
        f.name: list(f.default) if isinstance(f.default, tuple) else f.default
        for f in dataclasses.fields(cls)
        if f.repr
    }


def measure_listing(listed: Sequence[dict[str, Any]]) -> RenderableType:
    """The measures for people."""
    parts: list[RenderableType] = []
    for one in listed:
        traits = ["distance"] if one["distance"] else []
        traits += ["needs an origin"] if one["needs_origin"] else []
        # The best value of a distance is the smallest, which `best` would not tell.
        nearest = one["distance"] and one["references"] == "best"
        traits += [f"several references: {'nearest' if nearest else one['references']}"]
        parts.append(Text.assemble((one["name"], "bold cyan"), "  ", one["summary"]))
        parts.append(_indented(Text(", ".join(traits), "dim")))
        if one["parameters"]:
            parts.append(_indented(_settings(one["parameters"])))
        for form in one["compat"]:
            word = Text.assemble((f"compat={form['package']}", "green"), "  ")
            parts.append(_indented(word + _settings(form["parameters"])))
    return Group(*parts)


def describe_detectors() -> list[dict[str, Any]]:
    """Every detector with its settings; one that cannot be loaded has the problem instead.

    Examples
    --------
    >>> describe_detectors()[0]["name"]
    'linear'
    """
    listed = []
    for name in detector_names():
        one: dict[str, Any] = {"name": name, "summary": "", "settings": {}, "problem": None}
        try:
            made = detector_class(name)
        except CodekinError as error:
            listed.append(one | {"problem": str(error)})
            continue
        settings = {
            field.name: None
            if field.default is dataclasses.MISSING
            else list(field.default)
            if isinstance(field.default, tuple)
            else field.default
            for field in dataclasses.fields(made)
            if field.init
        }
        listed.append(one | {"summary": made.summary, "settings": settings})
    return listed


def detector_listing(listed: Sequence[dict[str, Any]]) -> RenderableType:
    """The detectors for people."""
    parts: list[RenderableType] = []
    for one in listed:
        what = one["summary"] or one["problem"]
        parts.append(Text.assemble((one["name"], "bold cyan"), "  ", what))
        if one["settings"]:
            parts.append(_indented(_settings(one["settings"])))
    return Group(*parts)


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 4))


def _settings(parameters: dict[str, Any]) -> Text:
    return Text("  ".join(f"{name}={_word(value)}" for name, value in parameters.items()))


def _word(value: Any) -> str:
    """A value as ``-m`` takes it."""
    if isinstance(value, list):
        return ",".join(_word(one) for one in value)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def describe_languages() -> list[dict[str, Any]]:
    """Every language with its names, suffixes and grammars.

    Examples
    --------
    >>> [found] = [one for one in describe_languages() if one["name"] == "cpp"]
    >>> found["title"], found["suffixes"][:2]
    ('C++', ['.cpp', '.cc'])
    """
    return [
        {
            "name": language.name,
            "title": language.title,
            "aliases": list(language.aliases),
            "suffixes": list(language.suffixes),
            "grammars": [
                {"wheel": wheel, "version": version}
                for wheel, version in dict.fromkeys(
                    (grammar.distribution, grammar.version) for grammar in language.grammars
                )
            ],
        }
        for language in (*languages(), TEXT)
    ]


def language_listing(listed: Sequence[dict[str, Any]]) -> Table:
    """The languages for people."""
    table = plain_table()
    for column in ("name", "title", "aliases", "suffixes", "grammar"):
        table.add_column(column, overflow="fold", no_wrap=column in ("name", "title"))
    for one in listed:
        table.add_row(
            Text(one["name"], "cyan"),
            one["title"],
            " ".join(one["aliases"]),
            " ".join(one["suffixes"]),
            "\n".join(f"{g['wheel']} {g['version']}" for g in one["grammars"]) or "none",
        )
    return table
