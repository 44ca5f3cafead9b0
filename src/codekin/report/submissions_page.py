"""The page of a class: where suspicion starts, and the programs of pairs side by side."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil, log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin._version import __version__
from codekin.plain_text import plain
from codekin.report.dendrogram import COLOURS
from codekin.report.explanations import token_ink, utf16_offsets
from codekin.report.page_data import language_title
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_names
from codekin.report.pages import DATA_HERE, put_about, put_json
from codekin.report.plots.axes import minus
from codekin.results import count_text, number_text
from codekin.scan.submission_evidence import PairEvidence, ShownFile
from codekin.scan.submission_result import (
    Student,
    SubmissionGroup,
    SubmissionPair,
    Submissions,
    UnusualPairs,
)
from codekin.source import Source

__all__ = ["StudentGraph", "Timeline", "UnusualHistogram", "group_colours", "submissions_page"]

Floats = npt.NDArray[np.float64]
Spot = tuple[float, float]
_EPOCH = datetime(1970, 1, 1)
_MOST_ROWS = 250
"""Students of groups in the timeline."""


def group_colours(groups: Sequence[SubmissionGroup]) -> dict[str, int]:
    """The number of the colour of each student in a group."""
    return {name: (one.number - 1) % COLOURS for one in groups for name in one.members}


@dataclass(frozen=True)
class _Bar:
    x: float
    y: float
    width: float
    height: float
    suspicious: bool
    said: str


@dataclass(frozen=True)
class UnusualHistogram:
    """A histogram of how unusual pairs are, with the limit; a pair is seen beside thousands."""

    width: float
    height: float
    base: float
    bars: tuple[_Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    counts: tuple[tuple[float, str], ...]
    limit: float
    limit_text: str
    limit_at_end: bool

    @classmethod
    def of(cls, found: UnusualPairs, level: float) -> UnusualHistogram:
        """Draw it, with the limit at a level."""
        width, top, left, right, height = 640.0, 34.0, 42.0, 8.0, 220.0
        base = height - 24.0
        bins = len(found.counts)
        step = (width - left - right) / bins
        tallest = log1p(max(found.counts))

        def up(count: float) -> float:
            return base - (base - top) * log1p(count) / tallest

        bars = []
        for i, count in enumerate(found.counts):
            start = found.start + i * found.width
            if count:
                ends = (number_text(end, digits=2) for end in (start, start + found.width))
                said = minus(f"from {' to '.join(ends)}: ")
                bars.append(
                    _Bar(
                        round(left + i * step + 0.5, 2),
                        round(up(count), 2),
                        round(max(step - 1, 0.6), 2),
                        round(base - up(count), 2),
                        start >= level - 1e-9,
                        said + count_text(count, "pair"),
                    )
                )
        at = left + (level - found.start) / found.width * step
        marks = [10**power for power in range(7) if 10**power <= max(found.counts)]
        return cls(
            width,
            height,
            base,
            tuple(bars),
            tuple(_ticks(found, left, step)),
            tuple((round(up(count), 2), f"{count:,}") for count in marks),
            round(at, 2),
            f"suspicious from {level:g}",
            at > width * 0.7,
        )


def _ticks(found: UnusualPairs, left: float, step: float) -> list[tuple[float, str]]:
    """Up to about ten round numbers below the bars."""
    low, high = found.start, found.start + found.width * len(found.counts)
    every = next(
        each * 10**power
        for power in range(-1, 9)
        for each in (1, 2, 5)
        if (high - low) / (each * 10**power) <= 12
    )
    first = ceil(low / every - 1e-9)
    marks = [number * every for number in range(first, first + 14) if number * every <= high + 1e-9]
    return [
        (round(left + (mark - low) / found.width * step, 2), minus(f"{mark:g}")) for mark in marks
    ]


@dataclass(frozen=True)
class _Node:
    spot: Spot
    name: str
    brief: str
    colour: int | None
    said: str
    above: bool


@dataclass(frozen=True)
class _Link:
    ends: tuple[Spot, Spot]
    pair: int
    strong: bool
    width: float
    said: str


_EDGE, _MARGIN, _WIDE = 118.0, 64.0, 1180.0
_ROUNDS = 160
_APART, _MOST_SCALED = 44.0, 3.0
"""The distance that nodes should have, for which a drawing is enlarged up to a limit."""
_LONGEST_NAME = 18
_CROWD, _MOST_LINKS = 50, 120
"""Students and links up to which pairs are drawn that are not suspicious."""


@dataclass(frozen=True)
class StudentGraph:
    """The most similar students: near each other, linked by pairs, suspicious ones strongly."""

    width: float
    height: float
    nodes: tuple[_Node, ...]
    links: tuple[_Link, ...]
    alone: int
    weak: bool
    many: bool

    @classmethod
    def of(cls, found: Submissions, shown: Sequence[SubmissionPair]) -> StudentGraph | None:
        """Draw the links among the shown pairs; None if there are none."""
        chosen = _links(found, shown)
        if not chosen:
            return None
        names = list(dict.fromkeys(name for _, pair in chosen for name in _both(pair)))
        place = {name: i for i, name in enumerate(names)}
        edges = np.array([[place[name] for name in _both(pair)] for _, pair in chosen])
        strength = np.array([1.0 if pair.suspicious else 0.35 for _, pair in chosen])
        spots, width, height = _packed(len(names), edges, strength)
        colours = group_colours(found.groups)
        about = {one.name: one for one in (*found.students, *found.old)}
        nodes = tuple(
            _Node(
                _rounded(spots[i]),
                plain(name),
                _brief(plain(name)),
                colours.get(name),
                _about(about[name]),
                _crowded_below(spots, edges, i),
            )
            for i, name in enumerate(names)
        )
        links = tuple(
            _Link(
                (_rounded(spots[ends[0]]), _rounded(spots[ends[1]])),
                number,
                pair.suspicious,
                round(1.2 + 3.8 * pair.score if pair.suspicious else 0.6 + pair.score, 2),
                f"{plain(pair.first)} and {plain(pair.second)}: score {pair.score:.2f}"
                + ("" if pair.unusual is None else f", unusual {minus(f'{pair.unusual:.1f}')}"),
            )
            for (number, pair), ends in zip(chosen, edges.tolist(), strict=True)
        )
        alone = len(found.students) - len(names)
        return cls(
            round(width, 1),
            round(height, 1),
            nodes,
            links,
            alone,
            not all(one.strong for one in links),
            len(nodes) > _CROWD,
        )


def _rounded(spot: Floats) -> Spot:
    return round(float(spot[0]), 1), round(float(spot[1]), 1)


def _crowded_below(spots: Floats, edges: npt.NDArray[np.intp], node: int) -> bool:
    """Whether a link leaves a node downwards and none upwards, so that its name belongs above."""
    ends = edges[(edges == node).any(1)]
    across, down = (spots[ends.sum(1) - node] - spots[node]).T
    steep = np.abs(across) < np.abs(down)
    return bool((steep & (down > 0)).any() and not (steep & (down < 0)).any())


def _both(pair: SubmissionPair) -> tuple[str, str]:
    return pair.first, pair.second


def _brief(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _about(student: Student) -> str:
    files = count_text(student.files, "file")
    return f"{plain(student.name)}: {files}, {count_text(student.lines, 'line')}"


def _links(found: Submissions, shown: Sequence[SubmissionPair]) -> list[tuple[int, SubmissionPair]]:
    """The suspicious pairs, and those that are at least half as unusual unless it gets crowded."""
    numbered = list(enumerate(shown))
    chosen = [(i, pair) for i, pair in numbered if pair.suspicious]
    names = {name for _, pair in chosen for name in _both(pair)}
    for i, pair in numbered:
        if not pair.suspicious and (pair.unusual is None or pair.unusual >= found.level / 2):
            more = names | set(_both(pair))
            if len(more) <= _CROWD:
                chosen.append((i, pair))
                names = more
    return chosen[: max(_MOST_LINKS, sum(pair.suspicious for _, pair in chosen))]


def _packed(
    count: int, edges: npt.NDArray[np.int64], strength: Floats
) -> tuple[Floats, float, float]:
    """Places of nodes: connected ones near each other, and the parts in rows."""
    part = list(range(count))
    for one, two in edges.tolist():
        low, high = sorted((part[one], part[two]))
        part = [low if each == high else each for each in part]
    groups: dict[int, list[int]] = {}
    for node, each in enumerate(part):
        groups.setdefault(each, []).append(node)
    spots = np.zeros((count, 2))
    x = y = row = width = 0.0
    for nodes in sorted(groups.values(), key=lambda one: (-len(one), one[0])):
        inside = np.isin(edges[:, 0], nodes)
        own = {node: i for i, node in enumerate(nodes)}
        local = np.array([[own[a], own[b]] for a, b in edges[inside].tolist()])
        laid = _laid_out(len(nodes), local, strength[inside])
        laid -= laid.min(axis=0)
        size = laid.max(axis=0) + 2 * _MARGIN
        if x and x + size[0] > _WIDE:
            x, y, row = 0.0, y + row, 0.0
        spots[nodes] = laid + np.array([x + _MARGIN, y + _MARGIN])
        x, row = x + float(size[0]), max(row, float(size[1]))
        width = max(width, x)
    return spots, width, y + row


def _laid_out(count: int, edges: npt.NDArray[np.int64], strength: Floats) -> Floats:
    """Places by attraction along edges and repulsion of all nodes; always the same."""
    edge = _EDGE * (1.0 if count <= 8 else 0.5)
    angles = 2 * np.pi * np.arange(count) / count
    spots = np.stack([np.cos(angles), np.sin(angles)], axis=1) * edge * max(1.0, count / 6)
    for step in range(_ROUNDS):
        apart = spots[:, None] - spots[None, :]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1.0)
        np.fill_diagonal(distance, np.inf)
        force = (apart * (edge**2 / distance**2)[..., None]).sum(axis=1)
        along = spots[edges[:, 0]] - spots[edges[:, 1]]
        pull = along * (strength * np.hypot(along[:, 0], along[:, 1]) / edge)[:, None]
        np.add.at(force, edges[:, 0], -pull)
        np.add.at(force, edges[:, 1], pull)
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        most = edge * (1 - step / _ROUNDS) / 2
        spots = spots + force / length[:, None] * np.minimum(length, most)[:, None]
    # The longer side lies across, since pages are wider than high.
    centred = spots - spots.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ (axes * np.sign(axes[:, :1] + 1e-12)).T
    return np.asarray(turned * min(max(1.0, _APART / _nearest(turned)), _MOST_SCALED))


def _nearest(spots: Floats) -> float:
    """The distance of the two nodes that are nearest to each other."""
    if len(spots) < 2:
        return np.inf
    apart = spots[:, None] - spots[None, :]
    distance = np.hypot(apart[..., 0], apart[..., 1])
    np.fill_diagonal(distance, np.inf)
    return max(float(distance.min()), 1.0)


@dataclass(frozen=True)
class _TimelineRow:
    y: float
    name: str
    group: int
    colour: int
    dots: tuple[tuple[float, str], ...]
    first: bool
    head: str


@dataclass(frozen=True)
class Timeline:
    """When the students of each group handed in, and all others above them."""

    width: float
    height: float
    rows: tuple[_TimelineRow, ...]
    all_dots: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, str], ...]
    left: float
    left_out: int

    @classmethod
    def of(cls, found: Submissions) -> Timeline | None:
        """Draw it; None if no dates are known."""
        everyone = (*found.students, *(replace(student, dates=()) for student in found.old))
        dates = {one.name: [_seconds(date) for date in one.dates] for one in everyone}
        every = sorted(second for mine in dates.values() for second in mine)
        if not every or every[0] == every[-1]:
            return None
        width, left, right = 1000.0, 190.0, 24.0
        low, high = every[0], every[-1]

        def across(second: float) -> float:
            return round(left + (second - low) / (high - low) * (width - left - right), 1)

        def dots(name: str) -> tuple[tuple[float, str], ...]:
            said = next(one.dates for one in everyone if one.name == name)
            return tuple(
                (across(second), f"{plain(name)}: {date[:16]}")
                for second, date in zip(dates[name], said, strict=True)
            )

        colours = group_colours(found.groups)
        rows: list[_TimelineRow] = []
        y, left_out = 74.0, 0
        for group in found.groups:
            if len(rows) + len(group.members) > _MOST_ROWS:
                left_out += 1
                continue
            y += 12
            for i, name in enumerate(_by_date(group.members, dates)):
                head = f"Group {group.number}" if not i else ""
                first = name == group.earliest
                brief = _brief(plain(name))
                rows.append(
                    _TimelineRow(y, brief, group.number, colours[name], dots(name), first, head)
                )
                y += 22
        ticks = tuple(
            (across(second), (_EPOCH + timedelta(seconds=second)).strftime("%d %b %H:%M"))
            for second in np.linspace(low, high, 6).tolist()
        )
        marks = tuple(mark for name in dates for mark in dots(name))
        return cls(width, y + 14, tuple(rows), marks, ticks, left, left_out)


def _seconds(date: str) -> float:
    return (datetime.fromisoformat(date) - _EPOCH).total_seconds()


def _by_date(members: Sequence[str], dates: Mapping[str, Sequence[float]]) -> list[str]:
    return sorted(members, key=lambda name: (dates[name][0] if dates[name] else np.inf, name))


_STYLES = ("base.css", "plots.css", "browser.css", "print.css", "matrix.css", "submissions.css")
_SCRIPTS = ("pieces.js", "theme.js", "code.js", "submissions.js", "submission_pair.js")
_PAIRS, _MOST_PAIRS = 200, 1000
"""Pairs that a page lists; more if more are suspicious."""
_MOST_TEXT = 20_000_000
"""Characters of all programs together; pairs with more are listed, but their code is not shown."""
_MOST_COMPARED = 100_000_000
"""Characters of the programs of all pairs whose code is shown, a program counted for each pair."""
_LEFT_OUT = 200
"""Files that were not compared, by name."""


def submissions_page(found: Submissions) -> bytes:
    """The page of a comparison of submissions; the same result gives the same bytes.

    Parameters
    ----------
    found : Submissions
        With the code of the class.
    """
    suspicious = sum(one.suspicious for one in found.pairs)
    shown = found.pairs[: min(_MOST_PAIRS, max(_PAIRS, suspicious))]
    data = io.BytesIO()
    _put_data(data, found, shown)
    return _frame(found, shown).replace(DATA_HERE, data.getvalue(), 1)


def _frame(found: Submissions, shown: Sequence[SubmissionPair]) -> bytes:
    histogram = found.distribution and UnusualHistogram.of(found.distribution, found.level)
    spoken = {one.name: one.languages for one in (*found.students, *found.old)}
    languages = sorted({language for its in spoken.values() for language in its})
    names = page_names([one.path for one in found.left_out])
    reasons = [(name, one.reason) for name, one in zip(names, found.left_out, strict=True)]
    return with_files(
        template_environment(),
        "submissions.html.j2",
        _STYLES,
        _SCRIPTS,
        version=__version__,
        found=found,
        title=found.title,
        shown=shown,
        languages_of=[_languages_of(pair, spoken) for pair in shown],
        colour_of=group_colours(found.groups),
        minus=minus,
        groups=[(one, _group_pairs(one.members, shown)) for one in found.groups],
        colours=COLOURS,
        histogram=histogram,
        graph=StudentGraph.of(found, shown),
        timeline=Timeline.of(found),
        languages=[language_title(one) for one in languages],
        reasons=reasons[:_LEFT_OUT],
        more_reasons=max(0, len(reasons) - _LEFT_OUT),
        hidden=found.code is not None and found.code.hider is not None,
        notes=found.notes(),
    )


def _languages_of(pair: SubmissionPair, languages: Mapping[str, Sequence[str]]) -> str:
    """The languages of the two sides, where they differ."""
    first, second = (languages[name] for name in _both(pair))
    if first == second:
        return ""
    return " / ".join("+".join(map(language_title, side)) for side in (first, second))


def _group_pairs(members: Sequence[str], shown: Sequence[SubmissionPair]) -> list[int]:
    """The suspicious pairs of a group, by number."""
    inside = set(members)
    return [i for i, one in enumerate(shown) if one.suspicious and one.first in inside]


def _put_data(stream: io.BytesIO, found: Submissions, shown: Sequence[SubmissionPair]) -> None:
    """Write the code of the shown pairs and what matches, a piece for each."""
    programs: dict[str, int] = {}
    sides: list[list[int] | None] = []
    room, compared = _MOST_TEXT, 0
    for number, pair in enumerate(shown):
        if room <= 0 or compared > _MOST_COMPARED:
            sides.append(None)
            continue
        evidence = found.evidence(pair.first, pair.second)
        both = []
        codes = (pair.first, evidence.first_code), (pair.second, evidence.second_code)
        for student, files in codes:
            size = sum(len(file.text) for file in files)
            compared += size
            if student not in programs:
                programs[student] = len(programs)
                put_json(stream, f"code-{programs[student]}", list(map(_file, files)))
                room -= size
            both.append(programs[student])
        put_json(stream, f"pair-data-{number}", _pair(evidence))
        sides.append(both)
    about = {
        "pairs": [[plain(one.first), plain(one.second)] for one in shown],
        "numbers": [[one.score, one.first_share, one.second_share, one.unusual] for one in shown],
        "suspicious": [one.suspicious for one in shown],
        "files": [plain(one.files) for one in shown],
        "programs": sides,
        "students": len(found.students) if found.code is None else found.code.rarity.students,
        "case": found.is_case,
        "level": found.level,
        "colours": COLOURS,
    }
    put_about(stream, about)


def _file(file: ShownFile) -> dict[str, Any]:
    return {
        "name": plain(file.name),
        "language": language_title(file.language),
        "text": file.text,
        "ink": token_ink(Source(file.text, file.language)),
    }


_KINDS = ("starter", "common", "evidence")


def _pair(evidence: PairEvidence) -> dict[str, Any]:
    return {
        "regions": [
            [
                *(one.kind, one.share, one.others, one.statements),
                *(one.first.start, one.first.end, one.second.start, one.second.end),
            ]
            for one in evidence.regions
        ],
        "marks": [
            [_marks(file) for file in files]
            for files in (evidence.first_code, evidence.second_code)
        ],
        "lines": [_lines(files) for files in (evidence.first_code, evidence.second_code)],
        "starter": bool(evidence.first_starter or evidence.second_starter),
        "beyond": [plain(name) for name in evidence.beyond],
        "features": [[plain(one.name), one.share, one.students] for one in evidence.features],
    }


def _lines(files: Sequence[ShownFile]) -> tuple[int, int, int]:
    """How many lines of a program are coloured, how many others hatched, and how many have code."""
    coloured = hatched = code = 0
    for file in files:
        evidence = file.marked_lines("evidence")
        coloured += len(evidence)
        hatched += len(file.marked_lines("common") - evidence)
        source = Source(file.text, file.language)
        starts, ends = source.tokens.starts, source.tokens.ends
        code += len(set(source.positions.lines_of(starts[starts < ends]).tolist()))
    return coloured, hatched, code


def _marks(file: ShownFile) -> list[int]:
    """Start, end, region and kind of each mark, one after the other."""
    offset = utf16_offsets(file.text)
    flat: list[int] = []
    for one in file.marks:
        flat += [offset(one.start), offset(one.end), one.region, _KINDS.index(one.kind)]
    return flat
