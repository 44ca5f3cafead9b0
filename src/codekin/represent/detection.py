"""Which language a text is written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from codekin.errors import CodekinError
from codekin.languages import Language, TokenClass, get_language, languages
from codekin.represent.positions import Positions
from codekin.represent.tokens import Tokens, tokenize
from codekin.represent.tree import FlatTree, flatten

__all__ = ["detect_language"]

_PREFIX = 16_384
_WORDS = [TokenClass.KEYWORD, TokenClass.BOOLEAN, TokenClass.NULL]


@dataclass(frozen=True)
class Reading:
    """How well a language reads a text.

    Attributes
    ----------
    language : Language
        The language.
    broken : float
        Share of the text in errors, and errors and missing pieces per token.
    evidence : float
        Share of the tokens that are words of the language.
    """

    language: Language
    broken: float
    evidence: float

    @property
    def merit(self) -> float:
        """What readings are ranked by."""
        return self.evidence - self.broken


def read(text: str, language: Language) -> Reading:
    data = text.encode("utf-8", "surrogatepass")
    tree = flatten(language.grammar(text), data)
    tokens = tokenize(tree, data, language, Positions(data), comments=False)
    count = max(1, int(np.count_nonzero(tokens.classes < TokenClass.NEWLINE)))
    spans = tree.end[tree.errors] - tree.start[tree.errors]
    faults = len(tree.errors) + len(tree.missing)
    broken = int(spans.sum()) / max(1, len(data)) + faults / count
    words = int(np.isin(tokens.classes, _WORDS).sum())
    names = sum(t in language.prelude for t in tokens.texts)
    return Reading(language, broken, (words + names) / count)
