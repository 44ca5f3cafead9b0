"""The registry of languages, by name, alias and file suffix."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from os.path import splitext
from pathlib import PurePath

from codekin.errors import CodekinError, suggestion
from codekin.languages.c import C
from codekin.languages.cpp import CPP
from codekin.languages.csharp import CSHARP
from codekin.languages.go import GO
from codekin.languages.java import JAVA
from codekin.languages.javascript import JAVASCRIPT
from codekin.languages.kotlin import KOTLIN
from codekin.languages.language import Language
from codekin.languages.php import PHP
from codekin.languages.python import PYTHON
from codekin.languages.ruby import RUBY
from codekin.languages.rust import RUST
from codekin.languages.text import TEXT
from codekin.languages.typescript import TYPESCRIPT

__all__ = [
    "get_language",
    "language_names",
    "language_of_file",
    "language_of_named_file",
    "language_of_suffix",
    "languages",
]

_BUILT_IN = (
    PYTHON,
    JAVA,
    C,
    CPP,
    JAVASCRIPT,
    TYPESCRIPT,
    GO,
    RUST,
    CSHARP,
    PHP,
    RUBY,
    KOTLIN,
)


@cache
def languages() -> tuple[Language, ...]:
    """All programming languages: the built-in ones, then those of entry points.

    Their group is ``codekin.languages``.

    Examples
    --------
    >>> [language.name for language in languages()][:3]
    ['python', 'java', 'c']
    """
    from importlib import metadata

    added = sorted(metadata.entry_points(group="codekin.languages"), key=lambda e: e.name)
    return (*_BUILT_IN, *(entry.load() for entry in added))


def language_names() -> list[str]:
    """The names of the programming languages that codekin reads.

    ``text`` is a language too, but must be named: prose is neither detected nor searched for.

    Examples
    --------
    >>> language_names()[:3]
    ['python', 'java', 'c']
    """
    return [language.name for language in languages()]


def _named(known: Iterable[Language]) -> dict[str, Language]:
    table: dict[str, Language] = {}
    for language in known:
        for name in (language.name, *language.aliases):
            table.setdefault(name, language)
    return table


_BUILT_IN_BY_NAME = _named((*_BUILT_IN, TEXT))
"""Tried first: finding entry points takes the metadata of every installed package."""


@cache
def _by_name() -> dict[str, Language]:
    return _named((*languages(), TEXT))


def get_language(name: str) -> Language:
    """The language with a name or alias, ignoring case.

    Examples
    --------
    >>> get_language("C++").name
    'cpp'
    """
    if not isinstance(name, str):
        raise CodekinError(f"a language is named by a str, not {type(name).__name__}")
    if name in _BUILT_IN_BY_NAME:
        return _BUILT_IN_BY_NAME[name]
    table = _by_name()
    language = table.get(name) or table.get(name.strip().lower())
    if language is not None:
        return language
    hint = suggestion(name, table)
    names = ", ".join([*language_names(), TEXT.name])
    known = "codekin languages lists all" if hint else f"known: {names}"
    raise CodekinError(f"unknown language {name!r}{hint} ({known})")


def language_of_file(path: str | PurePath) -> Language | None:
    """The programming language of a file by its suffix, or None.

    Examples
    --------
    >>> language_of_file("kernel/sched.c").name
    'c'
    """
    return language_of_suffix(splitext(path)[1])  # noqa: PTH122, three times as fast


def language_of_named_file(path: str | PurePath) -> Language | None:
    """The language of a file that a person named, by its suffix; it may be text.

    Examples
    --------
    >>> language_of_named_file("README.md").name, language_of_named_file("setup.py").name
    ('text', 'python')
    """
    suffix = splitext(path)[1].lower()  # noqa: PTH122
    return TEXT if suffix in TEXT.suffixes else language_of_suffix(suffix)


@lru_cache
def language_of_suffix(suffix: str) -> Language | None:
    """The programming language of files with a suffix, or None."""
    wanted = suffix.lower()
    for one in _BUILT_IN:
        if wanted in one.suffixes:
            return one
    return next((one for one in languages() if wanted in one.suffixes), None)
