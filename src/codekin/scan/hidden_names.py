"""Hiding the names of students in results, paths and code."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from codekin.scan.submission_files import AttemptCode

__all__ = ["NameHider", "numbered_students", "shuffled"]

_PART = re.compile(r"[^\W\d_]+|\d+")
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS, _DIGITS, _CERTAIN = 3, 4, 6
"""The least letters or digits of a name that is looked for in code; longer ones are looked for
inside of words, too."""
_FEW, _COMMON = 3, 0.25
"""A word that this many, and this share, of all students use is no giveaway outside of comments."""

_ANYBODY = "Student"

Edit = tuple[int, int, str]


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
    attempts : sequence of AttemptCode
        The code of all students.

    Examples
    --------
    >>> hider = NameHider({"anna_berg": "Student 1"}, [])
    >>> hider.code("/* by Anna Berg */ int annaBergSum;", [(0, 18)])[0]
    '/* by Student1 */ int Student1Sum;'
    >>> hider.path("anna_berg/task.c")
    'Student1/task.c'
    """

    def __init__(self, shown: Mapping[str, str], attempts: Sequence[AttemptCode]) -> None:
        self.shown = dict(shown)
        self._words = dict(self._known())
        ordered = sorted(self._words, key=lambda word: (-len(word), word))
        self._pattern = re.compile(
            "|".join("".join(_spaced(word)) for word in ordered) or r"(?!)", re.IGNORECASE
        )
        users: dict[str, set[str]] = {}
        for one in attempts:
            for _, source in one.sources:
                for word in _WORD.findall(source.text.lower()):
                    users.setdefault(word, set()).add(one.student)
        most = max(_FEW, _COMMON * len(shown))
        self._common = {word for word, students in users.items() if len(students) > most}
        self.attempts: dict[tuple[str, str], str] = {}
        self._originals: dict[tuple[str, str], tuple[str, str]] = {}
        for one in attempts:
            self._add_attempt(one.student, one.name)

    def _known(self) -> Iterator[tuple[str, str]]:
        """What is looked for, with the replacement: parts of names first, then whole names."""
        parts = {name: [one.lower() for one in _PART.findall(name)] for name in self.shown}
        holders: dict[str, set[str]] = {}
        for name, mine in parts.items():
            for part in mine:
                holders.setdefault(part, set()).add(name)
        most = max(_FEW, _COMMON * len(parts))
        for part, names in holders.items():
            if _is_telling(part) and len(names) < most:
                # Of several students with a part of a name, nobody knows which is meant.
                yield part, self._label(*names) if len(names) == 1 else _ANYBODY
        for name, mine in parts.items():
            if _is_telling("".join(mine)):
                yield " ".join(mine), self._label(name)

    def _label(self, name: str) -> str:
        return self.shown[name].replace(" ", "")

    def _add_attempt(self, student: str, attempt: str) -> None:
        plain = label = self.path(attempt)
        count = 1
        while (self.shown[student], label) in self._originals:
            count += 1
            label = f"{plain} ({count})"
        self.attempts[student, attempt] = label
        self._originals[self.shown[student], label] = (student, attempt)

    def original(self, student: str, attempt: str) -> tuple[str, str]:
        """The names behind those of a hidden student and attempt."""
        return self._originals.get((student, attempt), (student, attempt))

    def words(self, text: str) -> str:
        """A text without names."""
        return _edited(text, self._edits(text, lambda start, end: True))

    def path(self, path: str) -> str:
        """A path without names."""
        steps = []
        for step in path.split("/"):
            bare = PurePosixPath(step)
            stem = next((one for one in (step, bare.stem) if one in self.shown), None)
            if stem is not None:
                steps.append(self._label(stem) + step[len(stem) :])
            else:
                steps.append(self.words(step))
        return "/".join(steps)

    def code(self, text: str, quiet: Sequence[tuple[int, int]]) -> tuple[str, Callable[[int], int]]:
        """A program without names, and a function from places in the old text to the new one.

        Parameters
        ----------
        text : str
        quiet : sequence of (int, int)
            Comments and strings, by place, where words are replaced that are common in code, too.
        """
        begins = [start for start, _ in quiet]

        def is_hidden(start: int, end: int) -> bool:
            at = bisect_right(begins, start) - 1
            inside = at >= 0 and end <= quiet[at][1]
            return inside or text[start:end].lower() not in self._common

        edits = self._edits(text, is_hidden)
        ends, shift, moved = [], 0, []
        for start, end, word in edits:
            shift += len(word) - (end - start)
            ends.append(end)
            moved.append(shift)

        def place(at: int) -> int:
            before = bisect_right(ends, at)
            after = at + (moved[before - 1] if before else 0)
            if before < len(edits) and edits[before][0] < at:  # inside of a name
                start, _, word = edits[before]
                after = min(after, start + (moved[before - 1] if before else 0) + len(word))
            return after

        return _edited(text, edits), place

    def _edits(self, text: str, is_hidden: Callable[[int, int], bool]) -> list[Edit]:
        edits, at = [], 0
        while found := self._pattern.search(text, at):
            start, end = found.span()
            if _is_word(text, start, end) and is_hidden(start, end):
                key = " ".join(_PART.findall(found[0].lower()))
                label = self._words.get(key) or self._words_without(key)
                edits.append((start, end, label))
                at = end
            else:
                at = start + 1
        return edits

    def _words_without(self, key: str) -> str:
        """The label of a name that is written in one word."""
        joined = key.replace(" ", "")
        joins = (label for word, label in self._words.items() if word.replace(" ", "") == joined)
        return next(joins, _ANYBODY)


def _is_telling(part: str) -> bool:
    return len(part) >= (_DIGITS if part.isdigit() else _LETTERS)


def _spaced(word: str) -> Iterable[str]:
    """The pattern of a name whose parts may be joined in any way, but not across lines."""
    for place, part in enumerate(word.split(" ")):
        if place:
            yield r"[^\w\n]{0,3}_{0,3}"
        yield re.escape(part)


def _is_word(text: str, start: int, end: int) -> bool:
    """Whether a stretch is not merely part of a longer word; long names are hidden in any case."""
    if end - start >= _CERTAIN and not text[start:end].isdigit():
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    if text[start].isdigit():
        begins = not before.isdigit()
    else:
        begins = not before.isalpha() or (before.islower() and text[start].isupper())
    if text[end - 1].isdigit():
        return begins and not after.isdigit()
    return begins and (not after.isalpha() or (text[end - 1].islower() and after.isupper()))


def _edited(text: str, edits: Sequence[Edit]) -> str:
    parts, at = [], 0
    for start, end, word in edits:
        parts += [text[at:start], word]
        at = end
    return "".join([*parts, text[at:]])
