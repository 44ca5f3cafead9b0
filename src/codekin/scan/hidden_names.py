"""Hiding the names of students in results, paths and code."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import PurePosixPath

__all__ = ["NameHider", "numbered_students", "shuffled"]

_PART = re.compile(r"[^\W\d_]+|\d+")
_LETTERS, _DIGITS, _CERTAIN = 3, 4, 6
"""The least letters or digits of a name that is looked for; longer ones are also looked for inside
of words."""
_FEW, _COMMON = 3, 0.25
"""A part that this many, and this share, of all names have tells nothing."""
_ANYBODY = "Student"


def numbered_students(ranked: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Names such as ``Student 1`` for students, in their order, and then for others.

    Examples
    --------
    >>> numbered_students(["zoe", "adam", "zoe"], ["ben"])
    {'zoe': 'Student 1', 'adam': 'Student 2', 'ben': 'Student 3'}
    """
    every = dict.fromkeys([*ranked, *shuffled(*others)])
    return {name: f"Student {number}" for number, name in enumerate(every, 1)}


def shuffled(*names: str) -> list[str]:
    """Names by their hashes, since their own order would say something about them."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode("utf-8", "replace")).digest())


class NameHider:
    """Replaces the names of students.

    Parameters
    ----------
    shown : mapping of str to str
        What each student is called instead.

    Examples
    --------
    >>> hider = NameHider({"anna_berg": "Student 1"})
    >>> hider.words("/* by Anna Berg */ int annaBergSum;")
    '/* by Student1 */ int Student1Sum;'
    >>> hider.path("anna_berg/task.c")
    'Student1/task.c'
    """

    def __init__(self, shown: Mapping[str, str]) -> None:
        self._labels = {name: label.replace(" ", "") for name, label in shown.items()}
        self._originals = {label: name for name, label in shown.items()}
        whole = {name: " ".join(_PART.findall(name.lower())) for name in shown}
        holders: dict[str, list[str]] = {}
        for name, words in whole.items():
            for part in set(words.split()):
                holders.setdefault(part, []).append(name)
        most = max(_FEW, _COMMON * len(shown))
        # Of several students with a part of a name, nobody knows which is meant.
        self._words = {
            part: self._labels[names[0]] if len(names) == 1 else _ANYBODY
            for part, names in holders.items()
            if len(names) < most
        } | {words.replace(" ", ""): self._labels[name] for name, words in whole.items()}
        wanted = {word for word in (*holders, *whole.values()) if self._is_telling(word)}
        self._pattern = re.compile(_any_of(sorted(wanted, reverse=True)) or "(?!)", re.IGNORECASE)

    def _is_telling(self, word: str) -> bool:
        word = word.replace(" ", "")
        return word in self._words and len(word) >= (_DIGITS if word.isdigit() else _LETTERS)

    def original(self, label: str) -> str:
        """The student who is called so."""
        return self._originals.get(label, label)

    def words(self, text: str) -> str:
        """A text without names."""
        pieces, at, start = [], 0, 0
        while match := self._pattern.search(text, start):
            start = match.start() + 1
            if _is_word(text, *match.span()):
                word = "".join(_PART.findall(match[0].lower()))
                pieces += [text[at : match.start()], self._words.get(word, _ANYBODY)]
                at = start = match.end()
        return "".join([*pieces, text[at:]])

    def path(self, path: str) -> str:
        """A path without names."""
        steps = []
        for step in path.split("/"):
            stem = step if step in self._labels else PurePosixPath(step).stem
            label = self._labels.get(stem)
            steps.append(self.words(step) if label is None else label + step[len(stem) :])
        return "/".join(steps)


def _any_of(words: Sequence[str], most: int = 12) -> str:
    """A pattern of words by their first letters, so that no place is compared with all of them.

    The parts of a name may be joined in any way, but not across lines.
    """
    if len(words) > 1 and most:
        groups = groupby(words, lambda word: word[:1])
        return "|".join(
            f"{_letter(first)}(?:{_any_of([word[1:] for word in group], most - 1)})"
            for first, group in groups
        )
    return "|".join("".join(map(_letter, word)) for word in words)


def _letter(letter: str) -> str:
    return r"[^\w\n]{0,3}_{0,3}" if letter == " " else re.escape(letter)


def _is_word(text: str, start: int, end: int) -> bool:
    """Whether a name is not merely part of a longer word; long names are hidden in any case."""
    if end - start >= _CERTAIN and not text[start:end].isdigit():
        return True
    return _between_words(text[start - 1 : start], text[start]) and _between_words(
        text[end - 1], text[end : end + 1]
    )


def _between_words(left: str, right: str) -> bool:
    inside = (left.isalpha() and right.isalpha()) or (left.isdigit() and right.isdigit())
    return not inside or (left.islower() and right.isupper())
