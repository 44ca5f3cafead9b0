"""Porter's stemmer: English words without their endings, with the extensions of nltk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

__all__ = ["porter_stem"]

Rule = tuple[str, str]

_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
} | {
    word: word
    for word in (
        *("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed"),
    )
}
_STEP_2: tuple[Rule, ...] = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_STEP_3: tuple[Rule, ...] = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def porter_stem(word: str) -> str:
    """The stem of an English word, in lower case [1]_.

    The algorithm is Porter's with the small changes that nltk makes by default: irregular words,
    ``y`` becomes ``i`` only after a consonant, and short words keep more of their ending.

    References
    ----------
    .. [1] Porter, "An algorithm for suffix stripping", Program 14(3), 1980.

    Examples
    --------
    >>> [porter_stem(word) for word in ("Ensures", "relational", "running", "tried", "sky")]
    ['ensur', 'relat', 'run', 'tri', 'sky']
    """
    return _remembered(word) if len(word) <= _REMEMBERED else _stem(word)


def _stem(word: str) -> str:
    stem = word.lower()
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    if len(word) <= 2:
        return stem
    stem = _past_and_progressive(_plural(stem))
    if stem.endswith("y") and len(stem) > 2 and _shape(stem[:-1])[-1] == "c":
        stem = stem[:-1] + "i"
    stem = _replaced(_step_2(stem), _STEP_3, lambda rest: _size(rest) > 0)
    stem = _step_4(stem)
    if stem.endswith("e"):
        size = _size(stem[:-1])
        if size > 1 or (size == 1 and not _ends_short(stem[:-1])):
            stem = stem[:-1]
    return stem[:-1] if stem.endswith("ll") and _size(stem[:-1]) > 1 else stem


_REMEMBERED = 64
"""The longest words whose stems are remembered."""
_remembered = lru_cache(maxsize=1 << 16)(_stem)


def _shape(word: str) -> str:
    """The letters of a word as consonants and vowels; ``y`` after a consonant is a vowel."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _size(word: str) -> int:
    """How often a consonant follows a vowel: Porter's measure m."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Whether a word ends like *hop*, or is one like *at*."""
    shape = _shape(word)
    if len(word) == 2:
        return shape == "vc"
    return shape.endswith("cvc") and word[-1] not in "wxy"


def _replaced(word: str, rules: Iterable[Rule], allowed: Callable[[str], bool]) -> str:
    """The word with the first matching ending replaced, if what is left allows it."""
    for ending, other in rules:
        if word.endswith(ending):
            rest = word[: len(word) - len(ending)]
            return rest + other if allowed(rest) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    rules = (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
    return _replaced(word, rules, lambda _rest: True)


def _past_and_progressive(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _size(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and "v" in _shape(rest):
            break
    else:
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and _shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _size(rest) == 1 and _ends_short(rest) else rest


def _step_2(word: str) -> str:
    if word.endswith("alli") and _size(word[:-4]) > 0:
        return _step_2(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _size(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2, lambda rest: _size(rest) > 0)


def _step_4(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[: len(word) - len(ending)]
            fits = _size(rest) > 1 and (ending != "ion" or rest[-1] in "st")
            return rest if fits else word
    return word
