"""Unified diffs: reading one, and applying it to a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from codekin.align.line_diff import split_lines
from codekin.errors import CodekinError

__all__ = ["Patch", "PatchHunk", "parse_patch"]

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_QUOTED = re.compile(rb'\\([0-7]{3}|["\\abfnrtv])')
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ESCAPES |= {b"v": b"\v", b'"': b'"', b"\\": b"\\"}
_NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """Lines that a patch puts in place of others.

    Attributes
    ----------
    line : int
        The line of the patch on which its header stands, from 1.
    start : int
        How many lines stand before it in the text that the patch was made of.
    before, after : tuple of str
        The lines that must stand there, and those that come instead, with their ends.
    """

    line: int
    start: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Patch:
    """What a unified diff does to one file.

    Attributes
    ----------
    name : str
        The file; empty where the patch does not say.
    hunks : tuple of PatchHunk
        In the order of their lines.
    crlf : bool
        Whether even the lines that are no content end in carriage return and newline; the ends of
        its lines then say nothing about those of the text.
    """

    name: str
    hunks: tuple[PatchHunk, ...]
    crlf: bool = False

    def apply(self, text: str) -> str:
        r"""Make the changes.

        Each hunk must fit exactly. Where it does not fit at its own lines, the nearest place after
        the hunk before it is taken at which it does, as the program ``patch`` does without fuzz.

        Raises
        ------
        CodekinError
            If a hunk fits nowhere: which one, and the first line that is not as expected.

        Examples
        --------
        >>> patch = parse_patch("@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
        >>> patch.apply("new\na\nb\nd\n")
        'new\na\nc\nd\n'
        >>> patch.offsets("new\na\nb\nd\n")
        (1,)
        """
        lines = split_lines(text)
        out: list[str] = []
        done = 0
        for hunk, place in self._places(lines):
            out += lines[done:place]
            out += hunk.after
            done = place + len(hunk.before)
        return "".join(out + lines[done:])

    def offsets(self, text: str) -> tuple[int, ...]:
        """By how many lines each hunk is off in a text; raises as :meth:`apply` does."""
        return tuple(place - hunk.start for hunk, place in self._places(split_lines(text)))

    def _places(self, lines: Sequence[str]) -> Iterator[tuple[PatchHunk, int]]:
        done = offset = 0
        converted = self.crlf and not any(line.endswith("\r\n") for line in lines)
        for number, written in enumerate(self.hunks, 1):
            hunk = _with_newlines(written) if converted else written
            place = _place(hunk, lines, hunk.start + offset, done)
            if place is None:
                raise CodekinError(self._misfit(number, hunk, lines, hunk.start + offset, done))
            yield hunk, place
            offset = place - hunk.start
            done = place + len(hunk.before)

    def _misfit(
        self, number: int, hunk: PatchHunk, lines: Sequence[str], place: int, done: int
    ) -> str:
        file = f" to {self.name}" if self.name else ""
        what = f"hunk {number} of {len(self.hunks)} (line {hunk.line} of the patch) does not apply"
        place = max(place, done)
        for i, wanted in enumerate(hunk.before, place):
            if i >= len(lines):
                found = f"the text ends after line {len(lines)}, where {wanted!r} is expected"
                return f"{what}{file}: {found}; {_ADVICE}"
            if lines[i] != wanted:
                found = f"line {i + 1} should be {wanted!r} and is {lines[i]!r}"
                return f"{what}{file}: {found}, and no other place fits; {_ADVICE}"
        return (
            f"{what}{file}: it adds lines after line {place}, but the text has {len(lines)}; "
            f"{_ADVICE}"
        )


_ADVICE = "give the text that the patch was made of"


def _with_newlines(hunk: PatchHunk) -> PatchHunk:
    """A hunk whose lines end in a newline alone."""
    before, after = (
        tuple(f"{line[:-2]}\n" if line.endswith("\r\n") else line for line in side)
        for side in (hunk.before, hunk.after)
    )
    return replace(hunk, before=before, after=after)


def _place(hunk: PatchHunk, lines: Sequence[str], wanted: int, done: int) -> int | None:
    """Where a hunk fits, as near to a place as possible, the later of two equally near."""
    last = len(lines) - len(hunk.before)
    if not hunk.before:  # nothing says where it belongs but its number
        return wanted if done <= wanted <= last else None
    nearest, furthest = max(0, wanted - last, done - wanted), max(wanted - done, last - wanted)
    for distance in range(nearest, furthest + 1):
        for place in (wanted + distance, wanted - distance):
            if done <= place <= last and _fits(hunk.before, lines, place):
                return place
    return None


def _fits(before: Sequence[str], lines: Sequence[str], place: int) -> bool:
    return all(lines[place + i] == line for i, line in enumerate(before))


def parse_patch(text: str, name: str | None = None) -> Patch:
    r"""Read a unified diff, of git or of the program ``diff``.

    Parameters
    ----------
    text : str
        The diff; lines around it, such as the message of a commit, are passed over.
    name : str, optional
        The file whose changes to take, where there are several: its path, or the end of it.

    Returns
    -------
    Patch
        An empty one for an empty text.

    Raises
    ------
    CodekinError
        If it is no unified diff, is cut short, or changes several files and none is named.

    Examples
    --------
    >>> patch = parse_patch("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n")
    >>> patch.name, patch.apply("a\n")
    ('x.py', 'b\n')
    """
    files = _Reader(text).read()
    if name is not None:
        return _named(files, name).patch()
    if len(files) > 1:
        names = ", ".join(file.name or "(without a name)" for file in files)
        raise CodekinError(f"the patch changes {len(files)} files ({names}); name the one to take")
    if not files and text.strip():
        raise CodekinError(
            "no change was found in the patch; a unified diff, as `git diff` or `diff -u` prints "
            "it, has lines such as '@@ -1,3 +1,4 @@'"
        )
    return files[0].patch() if files else Patch("", ())


@dataclass
class _File:
    """What was read of the changes of one file."""

    name: str
    from_git: bool = False
    hunks: list[PatchHunk] = field(default_factory=list)
    crlf: bool = True
    problem: str = ""

    def patch(self) -> Patch:
        if self.problem:
            raise CodekinError(self.problem)
        return Patch(self.name, tuple(self.hunks), self.crlf and bool(self.hunks))


def _named(files: Sequence[_File], name: str) -> _File:
    found = [f for f in files if f.name == name]
    found = found or [f for f in files if f.name.endswith(f"/{name}")]
    if len(found) != 1:
        names = ", ".join(f.name or "(without a name)" for f in found or files) or "no file"
        which = "more than one file" if found else "no file"
        raise CodekinError(f"the patch has {which} {name!r} (it changes {names})")
    return found[0]


class _Reader:
    """Walks down the lines of a patch and gathers the hunks of each file."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        self._at = 0
        self._files: list[_File] = []

    def read(self) -> list[_File]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith("diff --git "):
                self._files.append(_File(_git_name(line), from_git=True))
                self._at += 1
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                self._name_file(_file_name(line), _file_name(self._next()))
                self._at += 2
            elif line.startswith("@@ "):
                file = self._file()
                file.crlf &= line.endswith("\r\n")
                file.hunks.append(self._hunk())
            else:
                self._note_problems(line)
                self._at += 1
        return self._files

    def _next(self) -> str:
        return self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""

    def _file(self) -> _File:
        """The file that lines belong to; without a name if none was read yet."""
        if not self._files:
            self._files.append(_File(""))
        return self._files[-1]

    def _name_file(self, old: str, new: str) -> None:
        name = old if new == _NOWHERE else new
        if self._files and self._files[-1].from_git and not self._files[-1].hunks:
            self._files[-1] = _File(name)  # which git announced a few lines above
        else:
            self._files.append(_File(name))

    def _note_problems(self, line: str) -> None:
        """Remember what cannot be applied, in case that this is the file to take."""
        where = f"line {self._at + 1} of the patch"
        if line.startswith("@@@ "):
            self._file().problem = (
                f"{where}: a combined diff of a merge cannot be applied; make one against a "
                "single parent (git diff parent merge)"
            )
        elif self._files and re.match(r"GIT binary patch|Binary files .* differ", line):
            self._file().problem = f"{where}: it changes a binary file; only text can be patched"

    def _hunk(self) -> PatchHunk:
        line, header = self._at + 1, self._lines[self._at]
        numbers = _HEADER.match(header)
        if numbers is None:
            raise CodekinError(
                f"line {line} of the patch: {header.rstrip()!r} should be '@@ -line,count "
                "+line,count @@'"
            )
        start, removed, _, added = (1 if n is None else int(n) for n in numbers.groups())
        before: list[str] = []
        after: list[str] = []
        self._at += 1
        while len(before) < removed or len(after) < added:
            self._take(line, before, after)
        if len(before) > removed or len(after) > added:
            raise CodekinError(
                f"line {line} of the patch: the hunk announces {removed} and {added} lines, but "
                f"line {self._at} is one too many on one side"
            )
        if self._at < len(self._lines) and self._lines[self._at].startswith("\\"):
            self._cut_end(before, after)
        return PatchHunk(line, start - 1 if removed else start, tuple(before), tuple(after))

    def _take(self, header: int, before: list[str], after: list[str]) -> None:
        if self._at >= len(self._lines):
            raise CodekinError(
                f"line {header} of the patch: the patch ends within this hunk, with "
                f"{len(before)} old and {len(after)} new lines of it"
            )
        line = self._lines[self._at]
        mark, content = line[:1], line[1:]
        if line in ("\n", "\r\n"):  # an empty line whose blank was lost on the way
            mark, content = " ", line
        if mark == "\\":
            self._cut_end(before, after)
            return
        if mark not in ("-", "+", " "):
            raise CodekinError(
                f"line {self._at + 1} of the patch: {line.rstrip()!r} should begin with a blank, "
                f"'-' or '+', as lines of the hunk of line {header} do"
            )
        if mark != "+":
            before.append(content)
        if mark != "-":
            after.append(content)
        self._at += 1

    def _cut_end(self, before: list[str], after: list[str]) -> None:
        r"""Take the newline from the line above a line such as ``\ No newline at end of file``."""
        above = self._lines[self._at - 1][:1]
        for mark, side in (("+", before), ("-", after)):
            if side and above != mark:
                side[-1] = side[-1].removesuffix("\n").removesuffix("\r" * self._is_crlf())
        self._at += 1

    def _is_crlf(self) -> bool:
        return self._lines[self._at].endswith("\r\n")


def _file_name(line: str) -> str:
    """The name in a line such as ``--- a/x.py``, with what may stand behind a tab left out."""
    written = line[4:].rstrip("\r\n")
    if written.startswith('"'):
        return _bare(_unquoted(written))
    return _bare(written.split("\t")[0].rstrip())


def _git_name(line: str) -> str:
    """The name in a line such as ``diff --git a/x.py b/x.py``: its second half."""
    written = line[len("diff --git ") :].rstrip("\r\n")
    if written.endswith('"'):
        return _bare(_unquoted(written[written.rindex(' "') + 1 :]))
    middle = written.rfind(" b/")
    return _bare(written[middle + 1 :]) if middle >= 0 else written[len(written) // 2 + 1 :]


def _bare(name: str) -> str:
    return name[2:] if name.startswith(("a/", "b/")) else name


def _unquoted(written: str) -> str:
    """A name that git wrote between quotes, with numbers for its bytes."""

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return _ESCAPES[code] if code in _ESCAPES else bytes([int(code, 8) & 0xFF])

    raw = written.strip('"').encode("utf-8", "surrogatepass")
    return _QUOTED.sub(byte, raw).decode("utf-8", "replace")
