"""``external``: another tool's findings, from a file or from a command, judged like a detector.

Findings come in one of two forms, which the first line shows:

- a clone report as BigCloneEval takes it, ``dir,file,start,end,dir,file,start,end`` with lines from
  1. A reported clone matches a pair if it covers at least 70 % of the lines of each of the pair's
  two fragments, in either order: BigCloneEval's coverage matcher, lines in common / lines of the
  pair's fragment. As there, a report may reach beyond the fragment. A matched pair has the score 1
  and any other 0, and the threshold is 0.5, since the tool decided.
- scores, ``id1,id2,score`` with that first line and scores from 0 to 1. A pair that is not listed
  has the score 0, since tools list what they found. The threshold comes from validation pairs.

Where a snippet is in a report: under the name that :func:`write_snippets` gives it, or, with a
folder of whole `files`, where its text is in its file; a snippet that a report of BigCloneEval was
read from has its lines in its id.

References
----------
Svajlenko and Roy, BigCloneEval: a clone detection tool evaluation framework with BigCloneBench,
ICSME 2016.
"""

from __future__ import annotations

import csv
import os
import shlex
import signal
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codekin.detectors.detector import Places, Scores, used_snippets
from codekin.detectors.thresholds import ThresholdDetector
from codekin.errors import CodekinError
from codekin.whole_files import whole_file

if TYPE_CHECKING:
    from codekin.corpora.snippets import Problems, Snippet

__all__ = ["External", "FileLines", "covers", "write_snippets"]

_FOLDER = "snippets"
"""The folder that snippets are written to, as reports name it."""
_SHOWN = 2000
"""Characters of what a command printed that an error shows, from its end."""
_HEADER = ("id1", "id2", "score")


class FileLines(NamedTuple):
    """Some lines of a file, from 1, both ends included."""

    file: str
    start: int
    end: int


def covers(reported: FileLines, wanted: FileLines, coverage: float) -> bool:
    """Whether a reported fragment has at least a share of the lines of a wanted one.

    Examples
    --------
    >>> covers(FileLines("a/b.java", 4, 99), FileLines("a/b.java", 1, 10), 0.7)
    True
    >>> covers(FileLines("a/b.java", 5, 99), FileLines("a/b.java", 1, 10), 0.7)
    False
    """
    if reported.file != wanted.file:
        return False
    common = min(reported.end, wanted.end) - max(reported.start, wanted.start) + 1
    return common / (wanted.end - wanted.start + 1) >= coverage


@dataclass(eq=False)
class External(ThresholdDetector):
    """Another tool, by its results or by a command that is run.

    Parameters
    ----------
    results : str
        A file with a clone report or with scores.
    command : str
        A command instead, such as ``mytool --input {folder}``. It is run without a shell;
        ``{folder}`` becomes a folder with one file per snippet, and ``{output}``, where it is
        given, a file that the command writes; otherwise its findings are what it prints. A command
        is never kept in a saved detector or taken from one: name it again to load it.
    files : str
        A folder with the whole files that snippets were cut out of, for a report about them.
    coverage : float
        The share of either fragment that a reported clone has to cover.
    timeout : float
        Seconds that the command may take.
    """

    name = "external"
    summary = "the findings of another tool, from a file or a command"
    private = ("command",)
    paths = ("results", "files")

    results: str = ""
    command: str = ""
    files: str = ""
    coverage: float = 0.7
    timeout: float = field(default=3600.0, repr=False)

    reported: bool = field(default=False, init=False, repr=False)
    """Whether the last findings were a report of clones, and not scores."""

    def __post_init__(self) -> None:
        if not 0 < self.coverage <= 1:
            raise CodekinError(f"{self.name}: coverage must be above 0 and at most 1")
        if not self.timeout > 0:
            raise CodekinError(f"{self.name}: timeout must be above 0 seconds")
        if self.results and self.command:
            raise CodekinError(f"{self.name}: name results or a command, not both")

    @property
    def decided_by(self) -> str:
        """The tool, unless it gives scores."""
        return "the tool" if self.reported else ""

    def score_pairs(
        self,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
        *,
        workers: int | None = None,
    ) -> Scores:
        """The score of each pair in the findings; nan where a snippet is not where they look.

        See :meth:`Detector.score_pairs`; `workers` are not used.
        """
        scores, self.reported = self._scored(snippets, first, second)
        return scores

    def _scored(
        self, snippets: Sequence[Snippet], first: Places, second: Places
    ) -> tuple[Scores, bool]:
        """Scores, and whether the tool decided by itself."""
        if self.results:
            path = Path(self.results)
            return self._judged(_lines_of(path), str(path), snippets, first, second)
        if not self.command:
            raise CodekinError(
                f"{self.name}: name a file of results or a command, such as "
                "external:results=clones.csv; a command is not kept in a saved detector, so "
                "name it again with --set command=..."
            )
        written, first, second = used_snippets(snippets, first, second)
        with tempfile.TemporaryDirectory(prefix="codekin-") as temporary:
            folder = Path(temporary, _FOLDER)
            write_snippets(written, folder)
            lines = _run(self.command, folder, Path(temporary, "output"), self.timeout)
            return self._judged(lines, "the command", written, first, second)

    def _judged(
        self,
        lines: Iterable[str],
        where: str,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
    ) -> tuple[Scores, bool]:
        rows = _rows(lines, where)
        head = next(rows, None)
        if head is None:  # nothing was found
            return self._matched([], where, snippets, first, second), True
        if tuple(one.lower() for one in head[1]) == _HEADER:
            return _listed(rows, where, snippets, first, second), False
        return self._matched(_chain(head, rows), where, snippets, first, second), True

    def _matched(
        self,
        rows: Iterable[tuple[int, list[str]]],
        where: str,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
    ) -> Scores:
        """1 for pairs that a reported clone covers."""
        fragments = self._fragments(snippets)
        by_file: dict[str, list[tuple[int, FileLines]]] = defaultdict(list)
        for i, one in enumerate(fragments):
            if one is not None:
                by_file[one.file].append((i, one))
        # Reports repeat fragments, and a file may have many snippets.
        known: dict[FileLines, list[int]] = {}

        def covered(end: FileLines) -> list[int]:
            if end not in known:
                name = _file_name(end.file, by_file)
                there = end._replace(file=name)
                known[end] = [
                    i for i, one in by_file.get(name, ()) if covers(there, one, self.coverage)
                ]
            return known[end]

        keys = _keys(first, second)
        wanted, matched = set(keys), set()
        for one, two in _reported(rows, where):
            both = ((min(i, j), max(i, j)) for i in covered(one) for j in covered(two))
            matched |= {key for key in both if key in wanted}
        found = np.array([key in matched for key in keys], np.float32)
        lost = np.array([one is None for one in fragments], bool)
        found[lost[first] | lost[second]] = np.nan
        return found

    def _fragments(self, snippets: Sequence[Snippet]) -> list[FileLines | None]:
        """Where each snippet is, None where its text is not in its file."""
        from codekin.corpora.snippets import Problems

        if not self.files:
            return [_own_fragment(i, one) for i, one in enumerate(snippets)]
        folder = Path(self.files)
        if not folder.is_dir():
            raise CodekinError(f"{self.name}: files: {folder} is not a folder")
        problems = Problems(str(folder))
        texts: dict[str, str | None] = {}
        found = [_fragment_in(folder, one, texts, problems) for one in snippets]
        if snippets and not any(found):
            problems.check()
            raise CodekinError(f"{folder}: has the text of none of the snippets")
        return found


def write_snippets(snippets: Sequence[Snippet], folder: str | Path) -> None:
    """Write one file per snippet to a new folder, for a tool to read.

    Files are called by the snippets' places, such as ``000012.java``: ids may be anything. A clone
    report about this folder, whatever it calls the folder, can be judged by ``external``.

    Raises
    ------
    CodekinError
        If the folder exists or cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True)
        for i, one in enumerate(snippets):
            with whole_file(folder / _written_name(i, one)) as stream:
                stream.write(one.code.encode("utf-8", "replace"))
    except OSError as error:
        raise CodekinError(f"{folder}: cannot be written ({error.strerror or error})") from None


def _written_name(place: int, one: Snippet) -> str:
    from codekin.languages import get_language

    return f"{place:06}{get_language(one.language).suffixes[0]}"


def _lines(text: str) -> int:
    """How many lines a text has, as Java and most tools count them."""
    return len(text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n"))


def _own_fragment(place: int, one: Snippet) -> FileLines:
    """A snippet by the lines in its id, as of a clone report, or as a file of its own."""
    name, _, lines = one.id.rpartition(":")
    start, _, end = lines.partition("-")
    if name == one.file and start.isdecimal() and end.isdecimal() and 1 <= int(start) <= int(end):
        return FileLines(name, int(start), int(end))
    return FileLines(_written_name(place, one), 1, _lines(one.code))


def _fragment_in(
    folder: Path, one: Snippet, texts: dict[str, str | None], problems: Problems
) -> FileLines | None:
    """The lines of a snippet in its file; None if the text is not there."""
    from codekin.corpora.reading import text_of

    if one.file is None:
        problems.add("a snippet without a file", one.id)
        return None
    if one.file not in texts:
        inside = (folder / one.file).resolve().is_relative_to(folder.resolve())
        text = text_of(folder / one.file, one.file, problems) if inside else None
        if not inside:
            problems.add("a file outside of the folder", one.file)
        texts[one.file] = None if text is None else _plain_ends(text)
    text = texts[one.file]
    code = _plain_ends(one.code).strip()
    place = -1 if text is None or not code else text.find(code)
    if text is None or place < 0:
        problems.add("a snippet whose text is not in its file", one.id)
        return None
    start = text.count("\n", 0, place) + 1
    return FileLines(one.file, start, start + code.count("\n"))


def _plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _file_name(name: str, known: Mapping[str, object]) -> str:
    """A file of a report as snippets name it: with its folder, or without if that is unknown."""
    if name in known:
        return name
    parts = name.replace("\\", "/").split("/")
    for i in range(1, len(parts)):
        if (shorter := "/".join(parts[i:])) in known:
            return shorter
    return name


def _lines_of(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as stream:
            yield from stream
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None


def _rows(lines: Iterable[str], where: str) -> Iterator[tuple[int, list[str]]]:
    """Rows of a CSV with their numbers, without blank ones."""
    try:
        for i, row in enumerate(csv.reader(lines), 1):
            if any(one.strip() for one in row):
                yield i, [one.strip() for one in row]
    except csv.Error as error:
        raise CodekinError(f"{where}: is not a CSV ({error})") from None


def _chain(
    head: tuple[int, list[str]], rows: Iterable[tuple[int, list[str]]]
) -> Iterator[tuple[int, list[str]]]:
    yield head
    yield from rows


def _reported(
    rows: Iterable[tuple[int, list[str]]], where: str
) -> Iterator[tuple[FileLines, FileLines]]:
    from codekin.corpora.snippets import Problems

    problems = Problems(where)
    for i, row in rows:
        try:
            one, two, three, four = (int(row[k]) for k in (2, 3, 6, 7))
        except (ValueError, IndexError):
            problems.add(
                "a line other than dir,file,start,end twice, in a file that does not begin with "
                "id1,id2,score",
                f"line {i}",
            )
            continue
        if len(row) != 8 or not (1 <= one <= two and 1 <= three <= four):
            problems.add(
                "a line whose fields are too many or whose lines end before they start", f"line {i}"
            )
            continue
        yield (
            FileLines(_joined(row[0], row[1]), one, two),
            FileLines(_joined(row[4], row[5]), three, four),
        )
    problems.check()


def _joined(folder: str, file: str) -> str:
    return f"{folder}/{file}" if folder else file


def _listed(
    rows: Iterable[tuple[int, list[str]]],
    where: str,
    snippets: Sequence[Snippet],
    first: Places,
    second: Places,
) -> Scores:
    """The scores that a file lists for pairs; of a pair that is listed twice, the higher."""
    from codekin.corpora.snippets import Problems

    problems = Problems(where)
    names: dict[str, int] = {}
    for i, one in enumerate(snippets):
        file = _written_name(i, one)
        names |= {file: i, Path(file).stem: i}
    names |= {one.id: i for i, one in enumerate(snippets)}
    known: dict[tuple[int, int], float] = {}
    for i, row in rows:
        try:
            value = float(row[2])
        except (ValueError, IndexError):
            value = float("nan")
        if len(row) != 3 or not 0 <= value <= 1:
            problems.add("a line other than id1,id2 and a score from 0 to 1", f"line {i}")
            continue
        ends = [names[name] for name in row[:2] if name in names]
        if len(ends) == 2:  # a file may list more than the snippets at hand
            key = (min(ends), max(ends))
            known[key] = max(value, known.get(key, 0.0))
    problems.check()
    return np.array([known.get(key, 0.0) for key in _keys(first, second)], np.float32)


def _keys(first: Places, second: Places) -> list[tuple[int, int]]:
    """Pairs in an order that does not depend on which snippet comes first."""
    ends = np.sort(np.stack([first, second], axis=1), axis=1).tolist()
    return [(one, two) for one, two in ends]


def _run(command: str, folder: Path, output: Path, timeout: float) -> list[str]:
    """What a command finds, as lines.

    Raises
    ------
    CodekinError
        If it cannot be started, fails, or takes too long; with the end of what it printed.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CodekinError(f"external: cannot read the command {command!r} ({error})") from None
    if not any("{folder}" in word for word in words):
        raise CodekinError(
            f"external: the command {command!r} does not say where the folder with the code goes; "
            "write {folder} in it"
        )
    written = any("{output}" in word for word in words)
    words = [w.replace("{folder}", str(folder)).replace("{output}", str(output)) for w in words]
    # In a session of its own, so that whatever it starts ends with it.
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=complaints,
                start_new_session=True,
            )
        except OSError as error:
            raise CodekinError(
                f"external: cannot run {words[0]} ({error.strerror or error})"
            ) from None
        problem = ""
        try:
            code = process.wait(timeout)
            problem = f"ended with code {code}" if code else ""
        except subprocess.TimeoutExpired:
            problem = f"took longer than {timeout:g} seconds (timeout=)"
        finally:
            _end(process)
        if problem:
            complaints.seek(0)
            said = complaints.read().decode("utf-8", "replace").strip()[-_SHOWN:]
            said = said or "nothing"
            raise CodekinError(f"external: {words[0]} {problem}; it printed to stderr: {said}")
        if written:
            return list(_lines_of(output))
        printed.seek(0)
        return printed.read().decode("utf-8", "replace").splitlines(keepends=True)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a command and all that it started, if it still runs."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
