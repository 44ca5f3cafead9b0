"""The rules of ignore files, as git reads them, in time that is linear in patterns and names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from codekin.opening import UnreadableFileError, read_file

__all__ = ["GIT_IGNORE", "IGNORE_FILES", "MOST_PATTERN_BYTES", "IgnorePatterns", "IgnoreRules"]

GIT_IGNORE = ".gitignore"
IGNORE_FILES = (GIT_IGNORE, ".codekinignore")
"""The names of ignore files; where two in one folder disagree, the last one decides."""
MOST_PATTERN_BYTES = 4_096
"""Longer patterns match no name that a file can have."""
_MOST_FILE_BYTES = 2_000_000
_MOST_WILD = 20_000
"""Patterns with wildcards in one list; each is tried on every name."""
_BLOCK = 100
"""Patterns with wildcards that are tried at once."""
_SPECIAL = re.compile(rb"[*?\[\\]")
_CLASSES = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb"\t-\r ",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}


@dataclass(frozen=True)
class IgnoreRules:
    """The patterns that apply in a folder, those of outer folders first.

    Attributes
    ----------
    lists : tuple of (str, IgnorePatterns)
        Folders, and the patterns for what is in each.
    problems : tuple of (str, str)
        Ignore files that could not be read, or not wholly, with the reason.
    """

    lists: tuple[tuple[str, IgnorePatterns], ...] = ()
    problems: tuple[tuple[str, str], ...] = ()

    def entering(self, folder: str, names: Sequence[str] = IGNORE_FILES) -> IgnoreRules:
        """The rules in a folder: these, and those of its own ignore files."""
        rules = self
        for name in names:
            rules = rules.with_file(folder, f"{folder}{os.sep}{name}")
        return rules

    def with_file(self, folder: str, path: str, *, typed: bool = False) -> IgnoreRules:
        """The rules with those of a file about a folder, which take precedence."""
        if not os.path.lexists(path):
            return self
        try:
            data = read_file(path, limit=_MOST_FILE_BYTES, typed=typed)
        except UnreadableFileError as error:
            return IgnoreRules(self.lists, (*self.problems, (path, error.reason)))
        patterns = IgnorePatterns(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
        problems = [(path, problem) for problem in patterns.problems]
        return IgnoreRules((*self.lists, (folder, patterns)), (*self.problems, *problems))

    def with_patterns(self, folder: str, patterns: Iterable[str]) -> IgnoreRules:
        """The rules with more patterns for a folder, which take precedence."""
        made = IgnorePatterns([os.fsencode(pattern) for pattern in patterns])
        problems = [("exclude", problem) for problem in made.problems]
        return IgnoreRules((*self.lists, (folder, made)), (*self.problems, *problems))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or folder is ignored; the innermost pattern that matches decides."""
        for folder, patterns in reversed(self.lists):
            inside = path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
            decision = patterns.decision(os.fsencode(inside), is_folder=is_folder)
            if decision is not None:
                return decision
        return False

    @classmethod
    def above(cls, folder: str) -> IgnoreRules:
        """The rules that hold in a folder because of the repository around it."""
        outer = Path(folder).resolve()
        chain = []
        for place in (outer, *outer.parents):
            chain.append(place)
            if (place / ".git").exists():
                rules = cls()
                for above in reversed(chain[1:]):
                    rules = rules.entering(str(above))
                return rules
        return cls()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line of an ignore file."""

    number: int
    text: bytes
    is_negative: bool
    for_folders: bool
    for_names: bool
    """Whether it has no slash, so that the last part of a path is compared."""


class _Block:
    """Patterns with wildcards that are tried at once, the last first; all are of names, or none."""

    def __init__(self, patterns: Sequence[_Pattern]) -> None:
        self.patterns = patterns

    @cached_property
    def _matcher(self) -> re.Pattern[bytes]:
        """Has a group for each pattern."""
        return re.compile(b"|".join(b"(%b)" % _expression(p) for p in self.patterns), re.DOTALL)

    def last_match(self, path: bytes, name: bytes) -> _Pattern | None:
        """The last pattern that matches."""
        match = self._matcher.fullmatch(name if self.patterns[0].for_names else path)
        return None if match is None else self.patterns[(match.lastindex or 0) - 1]


def _blocks(patterns: Sequence[_Pattern]) -> list[_Block]:
    of_names = [pattern for pattern in reversed(patterns) if pattern.for_names]
    of_paths = [pattern for pattern in reversed(patterns) if not pattern.for_names]
    return [
        _Block(group[at : at + _BLOCK])
        for group in (of_names, of_paths)
        for at in range(0, len(group), _BLOCK)
    ]


class IgnorePatterns:
    """A list of patterns, of which the last that matches decides.

    Parameters
    ----------
    lines : sequence of bytes
        As in an ignore file.

    Attributes
    ----------
    problems : list of str
        Why patterns are not applied.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.problems: list[str] = []
        self._patterns: list[_Pattern] = []
        self._literal: dict[tuple[bytes, bool], list[_Pattern]] = {}
        self._ends: dict[bytes, list[_Pattern]] = {}
        wild: list[_Pattern] = []
        for pattern in self._read(lines):
            self._patterns.append(pattern)
            text = pattern.text
            if not _SPECIAL.search(text):
                self._literal.setdefault((text, pattern.for_names), []).append(pattern)
            elif pattern.for_names and text[:1] == b"*" and not _SPECIAL.search(text, 1):
                self._ends.setdefault(text[1:], []).append(pattern)
            else:
                wild.append(pattern)
        if len(wild) > _MOST_WILD:
            self.problems.append(
                f"{len(wild) - _MOST_WILD:,} patterns with wildcards are not applied, since it has "
                f"over {_MOST_WILD:,}"
            )
            del wild[_MOST_WILD:]
        self._endings = tuple(self._ends)
        self._of_folders = _blocks(wild)
        self._of_files = _blocks([pattern for pattern in wild if not pattern.for_folders])

    def decision(self, path: bytes, *, is_folder: bool) -> bool | None:
        """Whether a path is ignored; None if no pattern matches."""
        last: _Pattern | None = None
        name = path[path.rfind(b"/") + 1 :]
        for pattern in self._simple(path, name):
            applies = is_folder or not pattern.for_folders
            if applies and (last is None or pattern.number > last.number):
                last = pattern
        for block in self._of_folders if is_folder else self._of_files:
            if last is None or block.patterns[0].number > last.number:
                match = block.last_match(path, name)
                if match is not None and (last is None or match.number > last.number):
                    last = match
        return None if last is None else not last.is_negative

    def _simple(self, path: bytes, name: bytes) -> Iterator[_Pattern]:
        """The patterns without wildcards, or with one at their start, that match."""
        yield from self._literal.get((name, True), ())
        yield from self._literal.get((path, False), ())
        if self._endings and name.endswith(self._endings):
            for length in range(len(name) + 1):
                yield from self._ends.get(name[length:], ())

    def _read(self, lines: Sequence[bytes]) -> Iterator[_Pattern]:
        too_long = 0
        for number, line in enumerate(lines):
            text = _without_trailing_blanks(line.removesuffix(b"\r").partition(b"\0")[0])
            if not text or text.startswith(b"#"):
                continue
            is_negative = text.startswith(b"!")
            text = text[is_negative:]
            for_folders = text.endswith(b"/")
            text = text[: len(text) - for_folders]
            if len(text) > MOST_PATTERN_BYTES:
                too_long += 1
                continue
            for_names = b"/" not in text
            text = text if for_names else text.removeprefix(b"/")
            yield _Pattern(number, text, is_negative, for_folders, for_names)
        if too_long:
            patterns, are = ("pattern", "is") if too_long == 1 else ("patterns", "are")
            self.problems.append(
                f"{too_long:,} {patterns} of more than {MOST_PATTERN_BYTES:,} bytes {are} not "
                "applied"
            )


def _without_trailing_blanks(line: bytes) -> bytes:
    """A pattern without the blanks at its end, unless a backslash is before them."""
    text = line.rstrip(b" ")
    if len(text) == len(line):
        return line
    slashes = len(text) - len(text.rstrip(b"\\"))
    return text + b" " if slashes % 2 else text


def _expression(pattern: _Pattern) -> bytes:
    """A pattern as a regular expression that never tries the same text twice for one wildcard.

    What follows a wildcard is matched as early as possible and stays there: a later place leaves
    less text for the rest, and no other choice. So these are atomic groups, from one wildcard that
    matches slashes to the next; only what is before the end of the text is tried at several places.
    """
    special = _SPECIAL.search(pattern.text)
    start = len(pattern.text) if special is None else special.start()
    # git compares what is before the first wildcard by itself, and reads the rest like a pattern
    # of its own, so that in "a**/b" the stars are at the start.
    literal = re.escape(pattern.text[:start])
    parts = _parts(pattern.text[start:], is_path=not pattern.for_names)
    if parts is None:
        return rb"(?!)"
    groups: list[tuple[bytes, list[bytes]]] = [(b"", [b""])]
    for part in parts:
        if part == _STAR:
            groups[-1][1].append(b"")
        elif part in _CROSSING:
            groups.append((_CROSSING[part], [b""]))
        else:
            groups[-1][1][-1] += part
    text = literal
    for crossing, pieces in groups[:-1]:
        text += b"(?>" + crossing + _atomic(pieces) + b")"
    crossing, pieces = groups[-1]
    text += crossing + _atomic(pieces[:-1])
    if len(pieces) == 1:
        return text + pieces[0]
    return text + (b"[^/]*?" + pieces[-1] if pieces[-1] else b"[^/]*+")


def _atomic(pieces: Sequence[bytes]) -> bytes:
    """Pieces with a star before all but the first, each matched as early as possible."""
    return b"".join(
        b"(?>[^/]*?" + piece + b")" if number else piece for number, piece in enumerate(pieces)
    )


_STAR, _ANYTHING, _FOLDERS = b"*", b"**", b"**/"
_CROSSING = {_ANYTHING: rb".*?", _FOLDERS: rb"(?:.*?/)??"}
"""The wildcards that match slashes."""


def _parts(pattern: bytes, *, is_path: bool) -> list[bytes] | None:
    """The wildcards of a pattern, and expressions for single bytes; None if it matches nothing."""
    parts: list[bytes] = []
    at, size = 0, len(pattern)
    while at < size:
        byte = pattern[at : at + 1]
        if byte == b"*":
            end = at
            while pattern[end : end + 1] == b"*":
                end += 1
            at = _add_stars(parts, pattern, at, end, is_path=is_path)
            continue
        if byte == b"?":
            parts.append(rb"[^/]")
        elif byte == b"[":
            bracket = _bracket(pattern, at + 1)
            if bracket is None:
                return None
            expression, at = bracket
            parts.append(expression)
        elif byte == b"\\":
            at += 1
            if at == size:
                return None
            parts.append(re.escape(pattern[at : at + 1]))
        else:
            parts.append(re.escape(byte))
        at += 1
    return parts


def _add_stars(parts: list[bytes], pattern: bytes, start: int, end: int, *, is_path: bool) -> int:
    """Add what a run of stars means, and return the place after it."""
    follows = pattern[end : end + 2]
    alone = start == 0 or pattern[start - 1 : start] == b"/"
    if end - start == 1 or not is_path:
        parts.append(_STAR)
    elif alone and follows[:1] == b"/":
        parts.append(_FOLDERS)
        return end + 1
    elif alone and (not follows or follows == b"\\/"):
        parts.append(_ANYTHING)
    else:
        parts.append(_STAR)
    return end


def _bracket(pattern: bytes, at: int) -> tuple[bytes, int] | None:
    """An expression for the bytes in brackets, and where these end; None if they do not."""
    negated = pattern[at : at + 1] in {b"!", b"^"}
    at += negated
    start, before = at, b""
    text = b""
    while at == start or pattern[at : at + 1] != b"]":
        item = _bracket_item(pattern, at, before)
        if item is None:
            return None
        expression, at, before = item
        text += expression
    if negated:
        return b"[^/" + text + b"]", at
    return (b"(?!/)[" + text + b"]" if text else rb"(?!)"), at


def _bracket_item(pattern: bytes, at: int, before: bytes) -> tuple[bytes, int, bytes] | None:
    """A byte, range or class in brackets, the place after it, and the byte that begins a range."""
    byte, after = pattern[at : at + 1], pattern[at + 1 : at + 2]
    if byte == b"-" and before and after not in {b"", b"]"}:
        last = _byte(pattern, at + 1)
        return None if last is None else (_range(before, last[0]), last[1], b"")
    if byte == b"[" and after == b":":
        end = pattern.find(b"]", at + 2)
        if end < 0:
            return None
        if end > at + 2 and pattern[end - 1 : end] == b":":
            members = _CLASSES.get(pattern[at + 2 : end - 1])
            return None if members is None else (members, end + 1, b"")
    single = _byte(pattern, at)
    return None if single is None else (_range(single[0], single[0]), single[1], single[0])


def _byte(pattern: bytes, at: int) -> tuple[bytes, int] | None:
    """The byte at a place, maybe after a backslash, and the place after it; None at the end."""
    at += pattern[at : at + 1] == b"\\"
    return (pattern[at : at + 1], at + 1) if at < len(pattern) else None


def _range(first: bytes, last: bytes) -> bytes:
    return rb"\x%02x-\x%02x" % (first[0], last[0]) if first <= last else b""
