"""Parse unified diffs and apply them to texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from codekin.align.line_diff import split_lines
from codekin.errors import CodekinError

__all__ = ["Patch", "PatchHunk", "begins_as_patch", "file_name", "git_names", "parse_patch"]

_QUOTED = re.compile(rb'\\([0-7]{3}|["\\abfnrtv])')
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ESCAPES |= {b"v": b"\v", b'"': b'"', b"\\": b"\\"}
_NO_FILES = ("/dev/null", "/dev/stdin", "/dev/fd/")


def file_name(line: str) -> str:
    r"""The name in a line such as ``--- a/x.py``, without anything after a tab.

    Examples
    --------
    >>> file_name("--- a/x.py\t2024-01-01\n"), file_name("+++ /dev/null\n")
    ('x.py', '')
    """
    written = line[4:].rstrip("\r\n")
    if written.startswith('"'):
        return _bare(_unquoted(written))
    return _bare(written.split("\t")[0].rstrip())


def git_names(line: str) -> tuple[str, str]:
    r"""The two names in a line such as ``diff --git a/x.py b/x.py``.

    Examples
    --------
    >>> git_names("diff --git a/old name.py b/new.py\n")
    ('old name.py', 'new.py')
    """
    written = line[len("diff --git ") :].rstrip("\r\n")
    quoted = written.rfind(' "') if written.endswith('"') else -1
    middle = quoted if quoted >= 0 else written.rfind(" b/")
    halves = (written[:middle], written[middle + 1 :]) if middle >= 0 else _halves(written)
    old, new = (_bare(_unquoted(half) if half.endswith('"') else half) for half in halves)
    return old, new


def _halves(written: str) -> tuple[str, str]:
    middle = len(written) // 2
    return written[:middle], written[middle + 1 :]


def _bare(name: str) -> str:
    """A name without git's ``a/`` or ``b/``; empty if it does not denote a file."""
    if name == "-" or name.startswith(_NO_FILES):
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name.removeprefix("./")


def _unquoted(written: str) -> str:
    """Decode a name that git quoted, with octal escapes for bytes."""

    def byte(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return _ESCAPES[code] if code in _ESCAPES else bytes([int(code, 8) & 0xFF])

    raw = written.strip('"').encode("utf-8", "surrogatepass")
    return _QUOTED.sub(byte, raw).decode("utf-8", "replace")


_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_BEGINNING = re.compile(
    r"\s*(?:diff --git |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@"
    r"|(?:(?:diff |Index: |===).*\n)*--- .*\n\+\+\+ .*\n@@ -"
    r"|From [0-9a-f]{40} (?s:.*)\ndiff --git )"
)
_NAMES = 5
"""Number of files named in an error."""


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """Lines that a patch replaces by others.

    Attributes
    ----------
    line : int
        The line number of its header in the patch, from 1.
    start : int
        Number of lines before it in the text that the patch was made from.
    before, after : tuple of str
        The expected lines and their replacement, with their line ends.
    """

    line: int
    start: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Patch:
    """The changes of one file in a unified diff.

    Attributes
    ----------
    name : str
        The file; empty if the patch does not name it.
    hunks : tuple of PatchHunk
        In the order of their lines.
    crlf : bool
        Whether even the header lines end in CRLF; the line ends of the patch then say nothing
        about those of the text.
    """

    name: str
    hunks: tuple[PatchHunk, ...]
    crlf: bool = False

    def apply(self, text: str) -> str:
        r"""Apply the changes to a text.

        Each hunk must match exactly. If it does not match at its own line numbers, the nearest
        match after the previous hunk is used, as in the program ``patch`` without fuzz.

        Raises
        ------
        CodekinError
            If a hunk does not match anywhere; the message names it and the first unexpected line.

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
        """The offset in lines at which each hunk applies; raises as :meth:`apply` does."""
        return tuple(place - hunk.start for hunk, place in self._places(split_lines(text)))

    def _places(self, lines: Sequence[str]) -> Iterator[tuple[PatchHunk, int]]:
        done = offset = 0
        for number, hunk in enumerate(self._with_ends_of(lines), 1):
            place = _place(hunk, lines, hunk.start + offset, done)
            if place is None:
                raise CodekinError(self._mismatch(number, hunk, lines, hunk.start + offset, done))
            yield hunk, place
            offset = place - hunk.start
            done = place + len(hunk.before)

    def _with_ends_of(self, lines: Sequence[str]) -> Sequence[PatchHunk]:
        """The hunks, with line ends converted to those of a text if only these differ."""
        whole = [line for line in lines if line.endswith("\n")]
        if self.crlf and not any(line.endswith("\r\n") for line in whole):
            return [_with_ends(hunk, "\r\n", "\n") for hunk in self.hunks]
        if whole and all(line.endswith("\r\n") for line in whole) and self._has_newlines_only():
            return [_with_ends(hunk, "\n", "\r\n") for hunk in self.hunks]
        return self.hunks

    def _has_newlines_only(self) -> bool:
        """Whether it contains lines of the original text, and none of its lines ends in CRLF."""
        shown = any(line.endswith("\n") for hunk in self.hunks for line in hunk.before)
        return shown and not any(
            line.endswith("\r\n") for hunk in self.hunks for line in (*hunk.before, *hunk.after)
        )

    def _mismatch(
        self, number: int, hunk: PatchHunk, lines: Sequence[str], place: int, done: int
    ) -> str:
        file = f" to {self.name}" if self.name else ""
        what = f"hunk {number} of {len(self.hunks)} (line {hunk.line} of the patch) does not apply"
        place = max(place, done)
        for i, expected in enumerate(hunk.before, place):
            if i >= len(lines):
                why = f"the text ends after line {len(lines)}, where {expected!r} is expected"
                return f"{what}{file}: {why}; {_ADVICE}"
            if lines[i] != expected:
                why = f"line {i + 1} should be {expected!r} and is {lines[i]!r}"
                return f"{what}{file}: {why}, and no other place fits; {_ADVICE}"
        return (
            f"{what}{file}: it adds lines after line {place}, but the text has {len(lines)}; "
            f"{_ADVICE}"
        )


_ADVICE = "give the text that the patch was made from"
_RECREATE = "create the patch again, or correct the counts"


def _with_ends(hunk: PatchHunk, old: str, new: str) -> PatchHunk:
    """Replace the line ends of a hunk."""
    before, after = (
        tuple(line.removesuffix(old) + new if line.endswith(old) else line for line in side)
        for side in (hunk.before, hunk.after)
    )
    return replace(hunk, before=before, after=after)


def _place(hunk: PatchHunk, lines: Sequence[str], expected: int, done: int) -> int | None:
    """The matching place nearest to the expected one, the later of two equally near."""
    last = len(lines) - len(hunk.before)
    if not hunk.before:  # without context, only the line number says where it belongs
        return expected if done <= expected <= last else None
    nearest, furthest = (
        max(0, expected - last, done - expected),
        max(expected - done, last - expected),
    )
    for distance in range(nearest, furthest + 1):
        for place in (expected + distance, expected - distance):
            if done <= place <= last and _fits(hunk.before, lines, place):
                return place
    return None


def _fits(before: Sequence[str], lines: Sequence[str], place: int) -> bool:
    return all(lines[place + i] == line for i, line in enumerate(before))


def parse_patch(text: str, name: str | None = None) -> Patch:
    r"""Parse a unified diff made by git or by the program ``diff``.

    Parameters
    ----------
    text : str
        The diff; lines around it, such as a commit message, are skipped.
    name : str, optional
        The file whose changes to use: its path, the end of its path, or a path that ends in the
        one in the patch. It may be the old or the new name. A patch without names fits any file.

    Returns
    -------
    Patch
        Empty for an empty text.

    Raises
    ------
    CodekinError
        If it is not a unified diff, its hunks do not match their headers, it does not change the
        file, or it changes several files and `name` is missing.

    Examples
    --------
    >>> patch = parse_patch("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n")
    >>> patch.name, patch.apply("a\n")
    ('x.py', 'b\n')
    """
    files = _Reader(text).read()
    if not files and text.strip():
        raise CodekinError(
            "not a unified diff; make it with diff -u or git diff (their hunks begin with lines "
            "such as '@@ -1,3 +1,4 @@')"
        )
    if name is not None and files:
        return _file_at(name, files).patch()
    if len(files) > 1:
        listed = _listed(files)
        raise CodekinError(f"the patch changes {len(files)} files ({listed}); name the one to take")
    return files[0].patch() if files else Patch("", ())


def begins_as_patch(text: str) -> bool:
    r"""Whether a text begins like a unified diff or a mail of ``git format-patch``.

    Examples
    --------
    >>> begins_as_patch("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"), begins_as_patch("--- a\n")
    (True, False)
    """
    return _BEGINNING.match(text) is not None


@dataclass
class _File:
    """The changes of one file read so far, with its old and its new name."""

    old: str = ""
    new: str = ""
    from_git: bool = False
    hunks: list[PatchHunk] = field(default_factory=list)
    crlf: bool = True
    problem: str = ""

    @property
    def name(self) -> str:
        return self.new or self.old

    def patch(self) -> Patch:
        if self.problem:
            raise CodekinError(self.problem)
        return Patch(self.name, tuple(self.hunks), self.crlf and bool(self.hunks))

    def is_of(self, path: str) -> bool:
        """Whether a path may denote this file: one is the end of the other."""
        names = [f"/{name}" for name in (self.old, self.new) if name]
        return any(name.endswith(f"/{path}") or f"/{path}".endswith(name) for name in names)


def _file_at(path: str, files: Sequence[_File]) -> _File:
    """The file at a path, or the only file if it has no name."""
    matches = [file for file in files if path in (file.old, file.new)]
    matches = matches or [file for file in files if file.is_of(path)]
    matches = matches or [file for file in files if len(files) == 1 and not file.name]
    if len(matches) > 1:
        raise CodekinError(f"the patch changes more than one file {path!r} ({_listed(matches)})")
    if not matches:
        base = path.rpartition("/")[2]
        hint = f"; if that is the same file, name it as {base}, from its own folder"
        expected = path + hint if any(file.is_of(base) for file in files) else base
        raise CodekinError(f"changes {_listed(files)}, not {expected}")
    return matches[0]


def _listed(files: Sequence[_File]) -> str:
    more = f" and {len(files) - _NAMES:,} more" if len(files) > _NAMES else ""
    return ", ".join(file.name or "(without a name)" for file in files[:_NAMES]) + more


class _Reader:
    """Reads a patch line by line and collects the hunks of each file."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        self._at = 0
        self._files: list[_File] = []

    def read(self) -> list[_File]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith("diff --git "):
                self._files.append(_File(*git_names(line), from_git=True))
                self._at += 1
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                self._name_file(file_name(line), file_name(self._next()))
                self._at += 2
            elif line.startswith("@@ "):
                file = self._file()
                file.crlf &= line.endswith("\r\n")
                file.hunks.append(self._hunk(len(file.hunks) + 1))
            else:
                self._note_problems(line)
                self._at += 1
        return self._files

    def _next(self) -> str:
        return self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""

    def _file(self) -> _File:
        """The current file; one without a name if none was read yet."""
        if not self._files:
            self._files.append(_File())
        return self._files[-1]

    def _name_file(self, old: str, new: str) -> None:
        if self._files and self._files[-1].from_git and not self._files[-1].hunks:
            self._files.pop()  # which git announced a few lines above
        self._files.append(_File(old, new))

    def _note_problems(self, line: str) -> None:
        """Remember what cannot be applied, in case this is the file to use."""
        where = f"line {self._at + 1} of the patch"
        if line.startswith("@@@ "):
            self._file().problem = (
                f"{where}: a combined diff of a merge cannot be applied; make one against a "
                "single parent (git diff parent merge)"
            )
        elif self._files and re.match(r"GIT binary patch|Binary files .* differ", line):
            self._file().problem = f"{where}: it changes a binary file; only text can be patched"
        elif line.startswith(("+", "-", "@@")) and self._awaits_hunk() and not _signs(line):
            self._file().problem = self._file().problem or (
                f"{where}: {line.rstrip()!r} is not in a hunk; a line such as '@@ -1,3 +1,4 @@' "
                "is missing above it"
            )

    def _awaits_hunk(self) -> bool:
        """Whether hunks should follow: a file was named, but not by git, which adds other lines."""
        return bool(self._files) and not self._files[-1].hunks and not self._files[-1].from_git

    def _hunk(self, number: int) -> PatchHunk:
        line, header = self._at + 1, self._lines[self._at].rstrip()
        numbers = _HEADER.match(header)
        if numbers is None:
            raise CodekinError(
                f"line {line} of the patch: {header!r} should be '@@ -line,count +line,count @@'"
            )
        start, removed, _, added = (1 if n is None else int(n) for n in numbers.groups())
        announced = (
            f"hunk {number} (line {line} of the patch) is malformed: {numbers[0]!r} announces "
            f"{removed} old and {added} new lines, but"
        )
        before: list[str] = []
        after: list[str] = []
        self._at += 1
        while len(before) < removed or len(after) < added:
            self._take(announced, before, after)
        if len(before) > removed or len(after) > added:
            raise CodekinError(f"{announced} line {self._at} is one too many on one side")
        if self._at < len(self._lines) and self._lines[self._at].startswith("\\"):
            self._cut_end(before, after)
        self._check_end(announced)
        return PatchHunk(line, start - 1 if removed else start, tuple(before), tuple(after))

    def _check_end(self, announced: str) -> None:
        """Raise if a hunk continues beyond the number of lines in its header."""
        beyond = self._at
        while beyond < len(self._lines) and not self._lines[beyond].strip("\r\n"):
            beyond += 1
        line, below = (*self._lines[beyond : beyond + 2], "", "")[:2]
        header = line.startswith("--- ") and below.startswith("+++ ")
        if line.startswith(("-", "+", " ")) and not header and not _signs(line):
            raise CodekinError(
                f"{announced} it continues in line {beyond + 1} with {line.rstrip()!r}; {_RECREATE}"
            )

    def _take(self, announced: str, before: list[str], after: list[str]) -> None:
        so_far = f"after {len(before)} old and {len(after)} new ones"
        if self._at >= len(self._lines):
            raise CodekinError(f"{announced} the patch ends {so_far}; {_RECREATE}")
        line = self._lines[self._at]
        mark, content = line[:1], line[1:]
        if line in ("\n", "\r\n"):  # an empty context line that lost its leading space
            mark, content = " ", line
        if mark == "\\":
            self._cut_end(before, after)
            return
        if mark not in ("-", "+", " "):
            raise CodekinError(
                f"{announced} {so_far}, line {self._at + 1} is {line.rstrip()!r}, which "
                f"should begin with a space, '-' or '+'; {_RECREATE}"
            )
        if mark != "+":
            before.append(content)
        if mark != "-":
            after.append(content)
        self._at += 1

    def _cut_end(self, before: list[str], after: list[str]) -> None:
        r"""Remove the newline of the line before ``\ No newline at end of file``."""
        above = self._lines[self._at - 1][:1]
        for mark, side in (("+", before), ("-", after)):
            if side and above != mark:
                side[-1] = side[-1].removesuffix("\n").removesuffix("\r" * self._is_crlf())
        self._at += 1

    def _is_crlf(self) -> bool:
        return self._lines[self._at].endswith("\r\n")


def _signs(line: str) -> bool:
    """Whether a line separates a mail from its signature, in which git puts its version."""
    return line.rstrip() == "--"
