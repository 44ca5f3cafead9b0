"""The page of a scan: classes of clones, side by side, in one HTML file that works offline."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.languages import language_of_file
from codekin.measures.kin import Kin
from codekin.plain_text import plain
from codekin.report.page_data import language_title
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_names
from codekin.report.pages import DATA_HERE, Pages, put_about, put_json
from codekin.scan.clone_places import ClonePlace, RegionIndex
from codekin.scan.code_tokens import CodeTokens, Trait, read_tokens
from codekin.scan.scan_result import TYPES, CloneFinding, CodeRegion, Scan
from codekin.scan.scanned_files import NOTEBOOK, LeftOutFile, path_of_text, read_texts
from codekin.source import Source

__all__ = ["MOST_LINES", "scan_page"]

_STYLES = ("base.css", "plots.css", "browser.css", "scan.css")
_SCRIPTS = ("pieces.js", "code.js", "theme.js", "list.js", "clone_pair.js", "scan.js")

MOST_LINES = 200_000
"""Lines of code that a page holds, those of the classes that would save most first."""
_FIRST_PLACES = 20
"""Places of each class whose code comes before that of further places of any class."""
_LONG = 400_000
"""Characters; longer stretches of lines are not in the page."""
_EXPLAINED, _LONG_TO_EXPLAIN = 40, 12_000
"""Classes with the features of kin that two places share, and the characters of such a place."""
_FOLDERS, _FEW_FOLDERS = 14, 4
"""Folders in the table of folders; those that a folder is split into, and the others together."""
_FILES = " (files)"
_LISTED = 200
"""Files in the table of what was left out."""
_ENDS = 40
"""Tokens of the first and the last line of a region that may be its ends."""
_COMMENT, _KEYWORD, _STRING, _NUMBER = 1, 2, 3, 4
_INK = " cksn"


@dataclass
class _Place:
    """A place of a clone, and where its code is in the page.

    Attributes
    ----------
    code : int
        The number of the stretch of lines that has it; negative if the page does not have it.
    offset : int
        The line of the stretch that it begins with, from 0.
    changed : bool
        Whether the file has other code there now.
    """

    region: CodeRegion
    new: bool
    code: int = -1
    offset: int = 0
    changed: bool = False


@dataclass
class _Page:
    """What the page is made of."""

    scan: Scan
    marked: bool
    files: list[str] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)
    classes: list[list[_Place]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """What each file is called in the page."""

    def name(self, file: str) -> str:
        return plain(self.names.get(file, file))


def scan_page(scan: Scan, *, new: Collection[ClonePlace] | None = None) -> bytes:
    """The page of a scan; the same scan of the same files gives the same bytes.

    The code is read from the files now. A file that is gone, or has other code by now, is shown
    as such.

    Parameters
    ----------
    scan : Scan
    new : collection of ClonePlace, optional
        The places that are new; the page marks them, and shows their classes first.
    """
    page = _gathered(scan, new)
    chosen = _chosen(page.classes)
    data = io.BytesIO()
    stretches = Pages(data, "code")
    _put_code(page, chosen, stretches)
    stretches.close()
    lines = {page.names[file]: count for file, count in _cloned_lines(page).items()}
    groups = _folder_groups(lines, _FOLDERS)
    folders = {file: groups[page.names[file]] for file in page.files}
    put_json(data, "files", [page.name(one) for one in page.files])
    put_json(data, "classes", list(_class_rows(page)))
    put_json(data, "why", dict(_shared_features(page)))
    put_about(data, _about(page, folders, stretches.starts))
    return _frame(page, folders, len(new or ())).replace(DATA_HERE, data.getvalue(), 1)


def _gathered(scan: Scan, new: Collection[ClonePlace] | None) -> _Page:
    fresh: dict[int, list[CodeRegion]] = {}
    for place in new or ():
        for copies in (place.clone_class, *place.wider):
            fresh.setdefault(copies.number, []).append(place.region)
    page = _Page(scan, new is not None)
    for copies in scan.classes:
        marked = RegionIndex(fresh.get(copies.number, ()))
        page.classes.append([_Place(one, marked.overlaps(one)) for one in copies.members])
    page.files = list(dict.fromkeys(one.region.file for places in page.classes for one in places))
    known_files = list(dict.fromkeys([*page.files, *(one.path for one in scan.left_out)]))
    page.names = dict(zip(known_files, page_names(known_files), strict=True))
    for file in page.files:
        found = language_of_file(file)
        python = NOTEBOOK in file.lower()
        page.languages[file] = "python" if python else found.name if found else ""
    return page


def _cloned_lines(page: _Page) -> Counter[str]:
    """The lines of code of the places in each file."""
    lines = Counter[str]()
    for place in page.scan.places:
        lines[place.region.file] += place.region.code_lines
    return lines


def _chosen(classes: Sequence[Sequence[_Place]]) -> dict[str, list[_Place]]:
    """The places whose code the page has, by file, in the order of the classes."""
    covered: defaultdict[str, set[int]] = defaultdict(set)
    chosen: dict[str, list[_Place]] = {}
    room = MOST_LINES
    first = (one for places in classes for one in places[:_FIRST_PLACES])
    further = (one for places in classes for one in places[_FIRST_PLACES:])
    for places in (first, further):
        for one in places:
            region = one.region
            lines = covered[region.file]
            fresh = [line for line in range(region.start, region.end + 1) if line not in lines]
            if len(fresh) > room:
                continue
            room -= len(fresh)
            lines.update(fresh)
            chosen.setdefault(region.file, []).append(one)
    return chosen


def _put_code(page: _Page, chosen: Mapping[str, list[_Place]], stretches: Pages) -> None:
    """Read the files, write the lines of the chosen places, and tell the places where they are."""
    known: dict[str, int] = {}
    at: str | None = None
    texts: dict[str, Source] = {}
    for file, places in chosen.items():
        try:
            if (path := path_of_text(file)) != at:
                at, texts = None, {}
                at, texts = path, read_texts(path)
            if file not in texts:
                raise CodekinError(f"{file}: there is no such cell")
            code = _FileCode(texts[file])
        except CodekinError as error:
            page.problems[file] = str(error).removeprefix(f"{file}: ")
            continue
        page.languages[file] = texts[file].language.name
        for start, end in _stretches(places):
            text, ink, statements = code.lines(start, end)
            if len(text) > _LONG:
                continue
            if text not in known:
                known[text] = len(known)
                stretches.add([text, ink, statements], len(text) + 4 * len(ink))
            for one in places:
                if start <= one.region.start and one.region.end <= end:
                    one.code, one.offset = known[text], one.region.start - start
        for one in places:
            one.changed = not code.has(one.region)


def _stretches(places: Sequence[_Place]) -> Iterator[tuple[int, int]]:
    """The lines of all places, joined where they overlap or touch."""
    spans = sorted((one.region.start, one.region.end) for one in places)
    start, end = spans[0]
    for begin, stop in spans[1:]:
        if begin > end + 1:
            yield start, end
            start, end = begin, stop
        end = max(end, stop)
    yield start, end


class _FileCode:
    """The text of a file with its tokens, as the page shows them."""

    def __init__(self, source: Source) -> None:
        # Line ends are LF, or each would be shown.
        source = Source(source.text.replace("\r\n", "\n"), source.language)
        self._data = source.data
        self._tokens = read_tokens(self._data, source.language)
        values = np.frombuffer(self._data, np.uint8)
        self._lines = np.append(0, np.flatnonzero(values == ord("\n")) + 1)
        # JavaScript counts characters beyond the first plane twice.
        widths = (values & 0xC0 != 0x80).astype(np.int64) + (values >= 0xF0)
        self._units = np.append(0, np.cumsum(widths))
        lexemes = source.lexemes_with(comments=True)
        self._starts, self._ends = lexemes.starts, lexemes.ends
        self._kinds = _kinds(values, lexemes.starts, lexemes.ends, self._tokens)
        self._kinds[lexemes.layout] = 0

    def lines(self, start: int, end: int) -> tuple[str, list[int | str], list[int]]:
        """The text of some lines; gap, length and kind of tokens; gaps between statements."""
        count = len(self._lines)
        if start > count:
            return "", [], []
        begin = int(self._lines[start - 1])
        stop = int(self._lines[end]) - 1 if end < count else len(self._data)
        base = int(self._units[begin])
        first, last = np.searchsorted(self._starts, [begin, stop])
        inked = np.flatnonzero(self._kinds[first:last]) + first
        froms = self._units[self._starts[inked]] - base
        untils = self._units[np.minimum(self._ends[inked], stop)] - base
        gaps = froms - np.append(0, untils[:-1])
        columns = (gaps.tolist(), (untils - froms).tolist(), self._kinds[inked].tolist())
        ink = [
            one
            for gap, length, kind in zip(*columns, strict=True)
            for one in (gap, length, _INK[kind])
        ]
        starts = self._tokens.starts[self._tokens.statements]
        first, last = np.searchsorted(starts, [begin, stop])
        statements = np.diff(self._units[starts[first:last]] - base, prepend=0).tolist()
        text = self._data[begin:stop].decode("utf-8", "replace")
        return text, ink, statements

    def has(self, region: CodeRegion) -> bool:
        """Whether the lines of a region still have its tokens."""
        if not region.fingerprint:
            return True
        tokens = self._tokens
        first = np.arange(*np.searchsorted(tokens.lines, [region.start, region.start + 1]))
        last = np.arange(*np.searchsorted(tokens.last_lines, [region.end, region.end + 1]))
        begin = np.repeat(first[:_ENDS], len(last[-_ENDS:])).astype(np.int32)
        end = np.tile(last[-_ENDS:] + 1, len(first[:_ENDS])).astype(np.int32)
        inside = begin < end
        found = _native.sequence_ids(tokens.blind, begin[inside], end[inside])
        return region.fingerprint in {f"{one:016x}" for one in found.tolist()}


def _kinds(
    values: npt.NDArray[np.uint8],
    starts: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    tokens: CodeTokens,
) -> npt.NDArray[np.uint8]:
    """The kind of each lexeme: comments are those that a scan has no token for; 0 otherwise."""
    kinds = np.full(len(starts), _COMMENT, np.uint8)
    if not len(tokens):
        return kinds
    place = np.minimum(np.searchsorted(tokens.starts, starts), len(tokens) - 1)
    is_token = tokens.starts[place] == starts
    traits = tokens.traits[place]
    first = values[np.minimum(starts, len(values) - 1)]
    is_word = ((first | 0x20) >= ord("a")) & ((first | 0x20) <= ord("z")) | (first >= 0x80)
    quoted = np.isin(values[np.maximum(ends - 1, 0)], list(b"\"'`/"))
    literal = np.where(quoted, _STRING, _NUMBER)
    other = np.where(is_word & (traits & Trait.NAME == 0), _KEYWORD, 0)
    chosen = np.where(traits & Trait.LITERAL != 0, literal, other)
    return np.where(is_token, chosen, kinds).astype(np.uint8)


def _short(score: float) -> float:
    """A score with three decimals, which is 1 only if it is exactly that."""
    return score if score == 1 else min(round(score, 3), 0.999)


def _class_rows(page: _Page) -> Iterator[list[Any]]:
    """The classes for the script; numbers one after the other, since there are many."""
    numbers = {file: i for i, file in enumerate(page.files)}
    for one, places in zip(page.scan.classes, page.classes, strict=True):
        flat: list[int | str] = []
        for place in places:
            region = place.region
            flat += [numbers[region.file], region.start, region.end, plain(region.name)]
            flat += [place.code, place.offset, place.new + 2 * place.changed, region.code_lines]
        pairs: list[float] = []
        for (i, j), finding in _pairs(places, page.scan.findings_of(one)).items():
            pairs += [i, j, TYPES.index(finding.type), _short(finding.score)]
        yield [TYPES.index(one.type), _short(one.score), one.saved_lines, flat, pairs, one.within]


def _pairs(
    places: Sequence[_Place], findings: Sequence[CloneFinding]
) -> dict[tuple[int, int], CloneFinding]:
    """The strongest finding between any two places of a class."""
    of_file: dict[str, list[int]] = {}
    for i, one in enumerate(places):
        of_file.setdefault(one.region.file, []).append(i)

    def place_of(region: CodeRegion) -> int:
        def common(i: int) -> int:
            own = places[i].region
            return min(own.end, region.end) - max(own.start, region.start)

        best = max(of_file.get(region.file, ()), key=common, default=-1)
        return best if best >= 0 and common(best) >= 0 else -1

    found: dict[tuple[int, int], CloneFinding] = {}
    for finding in findings:
        i, j = sorted((place_of(finding.first), place_of(finding.second)))
        if 0 <= i < j and ((i, j) not in found or finding.score > found[i, j].score):
            found[i, j] = finding
    return found


def _shared_features(page: _Page) -> Iterator[tuple[int, list[Any]]]:
    """What the graphs of two places have in common, in the first classes of changed statements."""
    if page.scan.fast:
        return
    kin = Kin()
    left = _EXPLAINED
    for number, (one, places) in enumerate(zip(page.scan.classes, page.classes, strict=True)):
        if not left:
            return
        if one.type not in ("T3", "T4"):
            continue
        pairs = _pairs(places, page.scan.findings_of(one)).items()
        for (i, j), finding in pairs:
            if finding.type not in ("T3", "T4"):
                continue
            sides = [_alone(page, places[k]) for k in (i, j)]
            if any(side is None for side in sides):
                continue
            left -= 1
            try:
                features = kin.shared_features(*(side for side in sides if side is not None))
            except CodekinError:
                break
            yield number, [i, j, [[plain(name), round(share, 3)] for name, share in features]]
            break


def _alone(page: _Page, place: _Place) -> Source | None:
    """The code of a place as a program, if its language has graphs."""
    if place.code < 0 or place.changed:
        return None
    try:
        lines = page.scan.code_of(place.region)
    except CodekinError:
        return None
    source = Source(dedent("\n".join(lines)), page.languages[place.region.file])
    short = len(source.text) <= _LONG_TO_EXPLAIN
    return source if short and source.language.lowering is not None else None


def _about(page: _Page, folders: Mapping[str, str], starts: list[int]) -> dict[str, Any]:
    names = list(dict.fromkeys(folders.values()))
    languages = list(dict.fromkeys(page.languages[file] for file in page.files))
    return {
        "new": page.marked,
        "fast": page.scan.fast,
        "starts": starts,
        "types": TYPES,
        "languages": [[name, language_title(name) if name else "unknown"] for name in languages],
        "languageOf": [languages.index(page.languages[file]) for file in page.files],
        "folderOf": [names.index(folders[file]) for file in page.files],
        "problems": {
            i: plain(page.problems[file])
            for i, file in enumerate(page.files)
            if file in page.problems
        },
    }


def _frame(page: _Page, folders: Mapping[str, str], new: int) -> bytes:
    scan = page.scan
    places = [place for places in page.classes for place in places]
    titles = {name: language_title(name) if name else "unknown" for name in page.languages.values()}
    names = list(dict.fromkeys(folders.values()))
    above = _common_folder(names)
    return with_files(
        template_environment(),
        "scan.html.j2",
        _STYLES,
        _SCRIPTS,
        own_scope=True,
        version=__version__,
        scan=scan,
        marked=page.marked,
        new=new,
        saved=sum(one.saved_lines for one in scan.classes),
        notes=[plain(_renamed(note, page)) for note in scan.notes()],
        languages=sorted(
            ((language_title(name), lines) for name, lines in scan.languages.items()),
            key=lambda one: (-one[1], one[0]),
        ),
        spoken=sorted(titles.items(), key=lambda one: one[1]),
        types=sorted({one.type for one in scan.classes}),
        above=plain(above),
        folders=[plain(name[len(above) :].strip()) for name in names],
        table=_folder_table(page, folders),
        part="file" if all(folders[one] == page.names[one] for one in page.files) else "folder",
        left_out=[
            (page.name(one.path), one.kind, plain(one.reason))
            for one in _worst_first(scan)[:_LISTED]
        ],
        without=sum(one.code == -1 and one.region.file not in page.problems for one in places),
        changed=sum(one.changed for one in places),
        gone=[(page.name(file), plain(why)) for file, why in list(page.problems.items())[:_LISTED]],
        most_lines=MOST_LINES,
    )


def _renamed(note: str, page: _Page) -> str:
    """A note with the names that the page has for files that were left out."""
    for one in page.scan.left_out:
        note = note.replace(one.path, page.names[one.path])
    return note


def _worst_first(scan: Scan) -> list[LeftOutFile]:
    """What was left out: the files that could not be read, then the others by kind and path."""
    return sorted(scan.left_out, key=lambda one: (one.kind != "unreadable", one.kind, one.path))


def _folder_groups(lines: Mapping[str, int], most: int) -> dict[str, str]:
    """The name of a group of folders for each file; files, if all are in one folder.

    The group with most cloned lines is split into its folders, again and again, until there would
    be too many groups.

    Examples
    --------
    >>> _folder_groups({"a/x/1.py": 9, "a/y/2.py": 8, "a/3.py": 1, "b/4.py": 5}, 4)
    {'a/3.py': 'a/ (files)', 'a/x/1.py': 'a/x/', 'a/y/2.py': 'a/y/', 'b/4.py': 'b/'}
    """
    groups = {"": sorted(lines)}
    final: dict[str, list[str]] = {}
    while groups:
        heaviest = max(groups, key=lambda one: sum(lines[file] for file in groups[one]))
        files = groups.pop(heaviest)
        prefix, parts = _split(heaviest, files)
        room = most - len(groups) - len(final)
        if len(parts) > room >= _FEW_FOLDERS:
            parts = _joined(prefix, parts, lines, room)
        if not 1 < len(parts) <= room:
            final[prefix] = files
            continue
        for name, files in parts.items():
            (groups if name.endswith("/") else final)[name] = files
    if len(final) == 1 and 1 < len(lines) <= most:
        return {file: file for file in sorted(lines)}
    return {file: name or "./" for name in sorted(final) for file in final[name]}


def _split(prefix: str, files: Sequence[str]) -> tuple[str, dict[str, list[str]]]:
    """The folder that all files below a prefix are in, and the files by the folders in it."""
    while True:
        parts: dict[str, list[str]] = {}
        for file in files:
            folder, slash, _ = file[len(prefix) :].partition("/")
            name = f"{prefix}{folder}/" if slash else f"{prefix or './'}{_FILES}"
            parts.setdefault(name, []).append(file)
        if len(parts) != 1 or not (name := next(iter(parts))).endswith("/"):
            return prefix, parts
        prefix = name


def _joined(
    prefix: str, parts: Mapping[str, list[str]], lines: Mapping[str, int], room: int
) -> dict[str, list[str]]:
    """The heaviest of many folders, and the others together."""
    heavy = sorted(parts, key=lambda one: -sum(lines[file] for file in parts[one]))
    others = [file for name in heavy[room - 1 :] for file in parts[name]]
    kept = {name: parts[name] for name in parts if name in set(heavy[: room - 1])}
    return kept | {f"{prefix}… ({len(heavy) - room + 1} others)": others}


def _common_folder(names: Sequence[str]) -> str:
    """The folder that all of some folders and files are in; empty if there is none.

    Examples
    --------
    >>> _common_folder(["a/b/ (files)", "a/b/c/", "a/b/d/e/"]), _common_folder(["a/b/", "c.py"])
    ('a/b/', '')
    """
    above = names[0].rstrip("/") if names else ""
    while above := above[: above.rstrip("/").rfind("/") + 1]:
        if all(name.startswith(above) and name != above for name in names):
            return above
    return ""


@dataclass
class _Shared:
    """What two groups of folders share, or what one has twice.

    Attributes
    ----------
    lines : int
        The lines of code of the smaller side; in one group, those that could be saved.
    classes : int
    heat : float
        From 0 to 1.
    """

    lines: int = 0
    classes: int = 0
    heat: float = 0.0


def _folder_table(page: _Page, folders: Mapping[str, str]) -> list[list[_Shared | None]]:
    """For each group, what it shares with each one up to itself; None where that is nothing."""
    names = {name: i for i, name in enumerate(dict.fromkeys(folders.values()))}
    if len(names) < 2:
        return []
    cells: defaultdict[tuple[int, int], _Shared] = defaultdict(_Shared)
    for copies in page.scan.classes:
        if copies.within is not None:
            continue  # the wider class has the same places
        sizes: dict[int, list[int]] = {}
        for region in copies.members:
            sizes.setdefault(names[folders[region.file]], []).append(region.code_lines)
        for i, mine in sizes.items():
            for j, theirs in sizes.items():
                lines = sum(mine) - max(mine) if i == j else min(sum(mine), sum(theirs))
                if j <= i and lines:
                    cells[i, j].lines += lines
                    cells[i, j].classes += 1
    largest = max((one.lines for one in cells.values()), default=1)
    for cell in cells.values():
        cell.heat = round((cell.lines / largest) ** 0.5, 2)
    return [[cells.get((i, j)) for j in range(i + 1)] for i in range(len(names))]
