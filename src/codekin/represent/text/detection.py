"""Detection of the language of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from codekin.errors import CodekinError
from codekin.languages import Language, TokenClass, get_language, languages
from codekin.represent.text.positions import Positions
from codekin.represent.text.prefix import closed_prefix
from codekin.represent.text.tokens import tokenize
from codekin.represent.tree.flat_tree import flatten
from codekin.represent.tree.parsing import fitting_grammar

__all__ = ["detect_language", "faults_in", "reads_as"]

_PREFIX = 16_384
"""Number of characters to read; the text is cut at the last line end before."""

_MIN_MERIT = -0.2
"""Below this, the best reading is no better than that of prose."""

_PUNCTUATION = re.compile(r"[^\w\s]")
_WORDS = [TokenClass.KEYWORD, TokenClass.BOOLEAN, TokenClass.NULL]


@dataclass(frozen=True)
class _Reading:
    """How well the grammar of a language reads a text.

    `broken` is the share of the text in errors, plus errors and missing pieces per token;
    `evidence` the share of the tokens that are words of the language.
    """

    language: Language
    broken: float
    evidence: float

    @property
    def merit(self) -> float:
        return self.evidence - self.broken


def detect_language(text: str, candidates: Iterable[str | Language] | None = None) -> Language:
    r"""Detect the language of a text by parsing it in each candidate.

    The first 16,384 characters are parsed with every candidate's grammar. The score of a language
    decreases with the share of the text in errors and with the number of errors and missing
    pieces per token; it increases with the share of tokens that are words of the language: its
    keywords, and the names in its `prelude`. The best score wins, and among equals the language
    that is registered first, so that text that is valid C and C++ is C, and text that is valid
    JavaScript and TypeScript is JavaScript.

    Parameters
    ----------
    text : str
        The code.
    candidates : iterable of str or Language, optional
        The languages to choose from (default: all).

    Returns
    -------
    Language

    Raises
    ------
    CodekinError
        If most of the text is in errors in every language, or if it has no word of the best
        language or no punctuation: numbers, prose and lists of words can be parsed as code too.

    Examples
    --------
    >>> detect_language("public int twice(int x) { return 2 * x; }").name
    'java'
    >>> detect_language("def twice(x):\n    return 2 * x").name
    'python'
    """
    prefix = closed_prefix(text.removeprefix("\ufeff"), _PREFIX)
    readings = [_read(prefix, language) for language in _candidates(candidates)]
    best = max(readings, key=lambda reading: reading.merit)
    looks_like_code = best.evidence > 0 and _PUNCTUATION.search(prefix)
    if best.merit < _MIN_MERIT or not looks_like_code:
        raise CodekinError(
            "cannot tell which language the text is written in; name it with --language (language=)"
        )
    return best.language


def reads_as(text: str, language: Language) -> bool:
    r"""Whether a text looks like code of a language, even if it has errors, rather than like prose.

    Examples
    --------
    >>> python = get_language("python")
    >>> reads_as("def f(x):\n    if x:\n        return (x", python)
    True
    >>> reads_as("It returns the sum.", python)
    False
    """
    prefix = closed_prefix(text, _PREFIX)
    reading = _read(prefix, language)
    return bool(
        reading.evidence > 0 and reading.merit >= _MIN_MERIT and _PUNCTUATION.search(prefix)
    )


def faults_in(text: str, language: Language) -> int:
    """The number of errors and missing pieces that the parser of a language finds in a text.

    Examples
    --------
    >>> faults_in("x = (1", get_language("python")), faults_in("x = 1", get_language("python"))
    (1, 0)
    """
    tree = flatten(fitting_grammar(language, text), text.encode("utf-8", "surrogatepass"))
    return len(tree.errors) + len(tree.missing)


def _candidates(names: Iterable[str | Language] | None) -> tuple[Language, ...]:
    if names is None:
        return languages()
    candidates = tuple(get_language(n) if isinstance(n, str) else n for n in names)
    if not candidates:
        raise CodekinError("no candidate languages were given")
    return candidates


def _read(text: str, language: Language) -> _Reading:
    data = text.encode("utf-8", "surrogatepass")
    tree = flatten(fitting_grammar(language, text), data)
    tokens = tokenize(tree, data, language, Positions(data), comments=False)
    count = int(np.count_nonzero(tokens.classes < TokenClass.NEWLINE))
    if count == 0:
        return _Reading(language, broken=0.0, evidence=0.0)
    unread = int((tree.end[tree.errors] - tree.start[tree.errors]).sum()) / len(data)
    faults = (len(tree.errors) + len(tree.missing)) / count
    words = int(np.isin(tokens.classes, _WORDS).sum())
    names = sum(text in language.prelude for text in tokens.texts)
    return _Reading(language, unread + faults, (words + names) / count)
