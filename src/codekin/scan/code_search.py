"""Where a snippet comes from: places in an index that contain it, or a part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Language, get_language, language_of_file
from codekin.opening import MOST_CODE_BYTES, read_file
from codekin.represent.text.detection import detect_language
from codekin.results import Column, Finite, Grid, Result, count_text
from codekin.scan.candidates import feature_weights
from codekin.scan.code_tokens import Trait, family_of_language, read_tokens
from codekin.scan.file_parts import file_parts
from codekin.scan.packed_texts import TextParts, unpack_texts
from codekin.scan.scanned_code import ScannedCode, join_parts
from codekin.scan.scanned_files import LeftOutFile, shown_name
from codekin.scan.store import CodeIndex
from codekin.source import Source, decode

__all__ = ["THRESHOLD", "FoundCode", "FoundPlace", "find_code"]

THRESHOLD = 0.4
"""The default of the least share of a snippet that a place has."""
_SHOWN = 20
"""Places that a table shows."""
_WINDOW = 10
"""Tokens of the windows that are looked up."""
_FEWEST_TOKENS = 5
_MOST_HITS = 3_000
"""Windows with more hits are not looked up, unless all have as many."""
_MOST_FILES, _MOST_PER_FILE = 400, 8
"""Files that are compared with the snippet, and places of each."""
_RUN = 8
"""Fewer matching tokens in a row are chance, unless they are a whole statement."""
_MOST_RUNS, _MOST_REPEATED = 200, 8
"""Runs that are chained, and places of a window that are compared with each other."""
_GAP_COST, _SKIP_COST = 0.25, 0.1
"""What a token costs between two runs, in the place and in the snippet."""
_PIECE_TOKENS, _PIECE_SHARE = 50, 0.8
"""A piece of a snippet counts, however small its share, if it is this long and this complete."""
_BATCH_TOKENS = 4_000_000
_MOST_FRAGMENTS = 200
_BASE = 0x9E3779B97F4A7C15

Ids = npt.NDArray[np.uint64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class FoundPlace:
    """A place that contains a snippet, or a part of it.

    Attributes
    ----------
    file : str
        Its path, with the number of the cell after ``#`` in a notebook.
    start, end : int
        Its first and last line, from 1.
    name : str
        The function around it; empty if there is none.
    language : str
    score : float
        How much of the snippet is there: the larger of the next two.
    tokens_share : float
        The share of the snippet's tokens that are there in the same order, ignoring names and
        values.
    features_share : float
        The share of the features of the snippet's functions that are there, by weight; 0 if the
        snippet has no function or the index was made with ``--fast``.
    same_words : float
        Of the names and values in matching tokens, the share that are the same.
    snippet_start, snippet_end : int
        The lines of the snippet that are there.
    """

    file: str
    start: int
    end: int
    name: str
    language: str
    score: Finite
    tokens_share: Finite
    features_share: Finite
    same_words: Finite
    snippet_start: int
    snippet_end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.start}-{self.end}"


@dataclass(frozen=True, eq=False)
class FoundCode(Result):
    """The places where a snippet may come from, the most likely one first.

    Attributes
    ----------
    snippet : str
        Its name.
    languages : tuple of str
        In which it was read.
    lines, tokens : int
        Of the snippet.
    threshold : float
        The least score of a place.
    places : tuple of FoundPlace
    files : int
        How many files of the index were searched.
    problems : tuple of str
        What was wrong with the index.
    """

    CSV_COLUMNS: ClassVar[tuple[str, ...]] = (
        *("file", "start", "end", "name", "language", "score", "tokens_share"),
        *("features_share", "same_words", "snippet_start", "snippet_end"),
    )

    snippet: str
    languages: tuple[str, ...]
    lines: int
    tokens: int
    threshold: Finite
    places: tuple[FoundPlace, ...] = field(repr=False)
    files: int
    problems: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What was searched and found, in one line."""
        where = f"{self.snippet} ({count_text(self.lines, 'line')})"
        many = count_text(len(self.places), "place") if self.places else "nothing"
        read = " or ".join(get_language(one).title for one in self.languages)
        return f"{where}: {many} ({count_text(self.files, f'{read} file')} searched)"

    def grids(self, top: int | None = _SHOWN) -> list[Grid]:
        """The `top` places with the highest scores."""
        rows = tuple(
            (
                one.score,
                one.same_words,
                str(one),
                one.name,
                one.language,
                f"{one.snippet_start}-{one.snippet_end}",
            )
            for one in self.places[:top]
        )
        columns = (
            *(Column("score", digits=2), Column("same words", digits=2)),
            *("place", "function", "language", "lines of the snippet"),
        )
        return [Grid(self.title, columns, rows)]

    def table(self) -> Grid:
        """One row per place, with every column."""
        rows = tuple(tuple(getattr(one, name) for name in self.CSV_COLUMNS) for one in self.places)
        return Grid(self.title, self.CSV_COLUMNS, rows)

    def warnings(self) -> list[str]:
        """What was wrong with the index."""
        return list(self.problems)


def find_code(
    snippet: str | Path | Source,
    index: CodeIndex | str | Path,
    *,
    language: str | None = None,
    threshold: float = THRESHOLD,
    name: str | None = None,
) -> FoundCode:
    """Find the places in an index that contain a snippet, or a part of it.

    Names and values may differ, some statements may be changed, and the snippet may be a part of a
    longer function. A part of the snippet is found as well if it is long and complete. A snippet
    that is not a whole function is compared by its tokens alone.

    Parameters
    ----------
    snippet : str, Path or Source
        The text, or the file of a Path.
    index : CodeIndex, str or Path
        An index, or its file.
    language : str, optional
        Of the snippet (default: by the suffix of the file, or detected).
    threshold : float
        The least share of the snippet that a place has, from 0 to 1.
    name : str, optional
        Of the snippet, for the result.

    Returns
    -------
    FoundCode

    Examples
    --------
    >>> import tempfile
    >>> from codekin import add_to_index
    >>> from codekin.whole_files import whole_file
    >>> code = '''def mean(values):
    ...     total = 0
    ...     for value in values:
    ...         if value is not None:
    ...             total += value
    ...     return total / len(values)
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder, "one.py")) as file:
    ...         _ = file.write(code.encode())
    ...     _ = add_to_index(Path(folder, "index"), [Path(folder, "one.py")])
    ...     found = find_code(code.replace("value", "x"), Path(folder, "index"))
    >>> [(one.name, one.start, one.end, one.score) for one in found.places]
    [('mean', 1, 6, 1.0)]
    """
    if not 0 <= threshold <= 1:
        raise CodekinError(f"find: the threshold must be from 0 to 1, not {threshold}")
    if not isinstance(index, CodeIndex):
        with CodeIndex(index) as opened:
            return find_code(snippet, opened, language=language, threshold=threshold, name=name)
    shown = name or (str(snippet) if isinstance(snippet, Path) else "snippet")
    sources = _readings(snippet, index, language, shown)
    files = 0
    places: list[FoundPlace] = []
    for source in sources:
        search = _Search(source, threshold)
        for names, texts in _batches(index, source.language):
            search.batch(names, texts)
            files += len(names)
        places += search.places()
    places.sort(key=lambda one: (-one.score, -one.same_words, one.file, one.start))
    text = sources[0].data
    return FoundCode(
        snippet=shown,
        languages=tuple(one.language.name for one in sources),
        lines=text.count(b"\n") + (not text.endswith(b"\n")),
        tokens=len(read_tokens(text, sources[0].language)),
        threshold=threshold,
        places=tuple(places),
        files=files,
        problems=tuple(index.problems),
    )


def _readings(
    snippet: str | Path | Source, index: CodeIndex, language: str | None, shown: str
) -> list[Source]:
    """The snippet in its language; in every language of the index if it could be any."""
    if isinstance(snippet, Source):
        sources = [snippet]
    else:
        if isinstance(snippet, Path):
            data = read_file(snippet, typed=True, limit=MOST_CODE_BYTES)
            text = decode(data, str(snippet))
            by_suffix = language_of_file(snippet)
            language = language or (by_suffix.name if by_suffix is not None else None)
        else:
            text = snippet
        known = _families(index)
        if language is not None:
            sources = [Source(text, get_language(language))]
        else:
            try:
                sources = [Source(text, detect_language(text))]
            except CodekinError:
                sources = []
            if not sources or family_of_language(sources[0].language) not in known:
                sources = [Source(text, get_language(one)) for one in known] or sources
    sources = [one for one in sources if len(read_tokens(one.data, one.language)) >= _FEWEST_TOKENS]
    if not sources:
        raise CodekinError(
            f"{shown}: has fewer than {_FEWEST_TOKENS} tokens, or no language; give more code, or "
            "--language"
        )
    return sources


def _families(index: CodeIndex) -> list[str]:
    return sorted({family_of_language(get_language(row.language)) for _, row in index.rows()})


def _batches(index: CodeIndex, language: Language) -> Iterator[tuple[list[str], list[TextParts]]]:
    """The texts of an index in a language, some at a time."""
    family = family_of_language(language)
    names: list[str] = []
    texts: list[TextParts] = []
    tokens = 0
    for path, row in index.rows():
        if row.language != "python" and family_of_language(get_language(row.language)) != family:
            continue  # notebooks are listed as Python
        part = index.found_part(path, row)
        if part is None:
            continue
        read = unpack_texts(part, path)
        if isinstance(read, LeftOutFile):
            continue
        for one in read:
            if family_of_language(get_language(one.language)) == family:
                names.append(f"{path}{one.suffix}")
                texts.append(one)
                tokens += len(one.parts.tokens)
        if tokens >= _BATCH_TOKENS:
            yield names, texts
            names, texts, tokens = [], [], 0
    if texts:
        yield names, texts


@dataclass(frozen=True, eq=False, repr=False)
class _Run:
    """Tokens that match in a row: from `here` in the snippet and from `there` in the code."""

    here: int
    there: int
    length: int


@dataclass(frozen=True, eq=False, repr=False)
class _Features:
    """The features of a function, and which occurrence each is."""

    features: Ids
    occurrences: npt.NDArray[np.uint8]


class _Search:
    """The search for one snippet in one language."""

    def __init__(self, source: Source, threshold: float) -> None:
        self._tokens = read_tokens(source.data, source.language)
        self._threshold = threshold
        self._window = min(_WINDOW, len(self._tokens))
        self._grams = _windows(self._tokens.blind, self._window)
        self._features = _features_of(source)
        self._found: list[FoundPlace] = []

    def places(self) -> list[FoundPlace]:
        """What was found; what was found twice, by tokens and by features, is one place."""
        ranked = sorted(self._found, key=lambda one: (-one.tokens_share, -one.score, one.start))
        kept: dict[str, list[FoundPlace]] = {}
        for one in ranked:
            others = kept.setdefault(one.file, [])
            same = next((n for n, other in enumerate(others) if _overlap(one, other)), None)
            if same is None:
                others.append(one)
            elif one.features_share > others[same].features_share:
                share = one.features_share
                score = max(share, others[same].score)
                others[same] = replace(others[same], features_share=share, score=score)
        return [one for some in kept.values() for one in some]

    def batch(self, names: Sequence[str], texts: Sequence[TextParts]) -> None:
        """Search some texts."""
        code = join_parts([one.parts for one in texts])
        languages = [one.language for one in texts]
        places = _Places(code, names, languages)
        for file, hits in self._hits(code):
            self._search_file(places, file, hits)
        if self._features is not None and len(code.fragments.features):
            self._search_features(places)

    def _hits(self, code: ScannedCode) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """Files with many windows of the snippet, and where: pairs of place and window."""
        blind = code.tokens.blind
        if len(blind) < self._window:
            return
        there, which = _native.found_ids(_windows(blind, self._window), self._grams)
        counts = np.bincount(which, minlength=len(self._grams))
        most = max(_MOST_HITS, int(np.min(counts[counts > 0], initial=_MOST_HITS)))
        useful = counts[which] <= most
        there, which = there[useful], which[useful]
        file = code.file_of_tokens(there)
        inside = there + self._window <= code.files[file + 1]
        there, which, file = there[inside], which[inside], file[inside]
        if not len(there):
            return
        keys = np.unique(file.astype(np.int64) << 32 | which)
        files, distinct = np.unique(keys >> 32, return_counts=True)
        best = files[np.argsort(-distinct, kind="stable")[:_MOST_FILES]]
        first = np.searchsorted(file, best, side="left")
        last = np.searchsorted(file, best, side="right")
        for one, begin, end in zip(best.tolist(), first.tolist(), last.tolist(), strict=True):
            yield one, np.stack([there[begin:end], which[begin:end].astype(np.int64)], axis=1)

    def _search_file(self, places: _Places, file: int, hits: npt.NDArray[np.int64]) -> None:
        reach = int(1.5 * len(self._tokens)) + 40
        taken: list[tuple[int, int]] = []
        for _ in range(_MOST_PER_FILE):
            if not len(hits):
                return
            begin = _densest(hits, reach)
            low = max(int(places.code.files[file]), begin - reach // 4)
            high = min(int(places.code.files[file + 1]), begin + reach + reach // 4)
            runs = self._aligned(places.code, low, high, taken)
            if not runs or not self._accept(places, runs):
                return
            taken.append((runs[0].there, runs[-1].there + runs[-1].length))
            hits = hits[(hits[:, 0] < taken[-1][0]) | (hits[:, 0] >= taken[-1][1])]

    def _aligned(
        self, code: ScannedCode, low: int, high: int, taken: Sequence[tuple[int, int]] = ()
    ) -> list[_Run]:
        """The best chain of matching runs between the snippet and a stretch of code."""
        tokens = code.tokens
        width = min(_RUN, self._window)
        meetings = _meetings(
            _windows(self._tokens.blind, width), _windows(tokens.blind[low:high], width)
        )
        runs = [
            _Run(here, low + there, length + width - 1)
            for here, there, length in _diagonals(meetings)
        ]
        first, end = np.searchsorted(tokens.statements, [low, high]).tolist()
        starts = np.append(tokens.statements[first:end], high)
        own = np.append(self._tokens.statements, len(self._tokens))
        for here, there, _ in _meetings(
            self._tokens.statement_ids, tokens.statement_ids[first:end]
        ):
            # Whole statements that are shorter than a run; not those of a name and little else.
            length = int(own[here + 1] - own[here])
            if 4 <= length < width and length == starts[there + 1] - starts[there]:
                runs.append(_Run(int(own[here]), int(starts[there]), length))
        free = [
            one
            for one in runs
            if all(one.there >= stop or one.there + one.length <= start for start, stop in taken)
        ]
        return _best_chain(free)

    def _accept(self, places: _Places, runs: Sequence[_Run], features: float = 0.0) -> bool:
        matched = sum(one.length for one in runs)
        share = matched / len(self._tokens)
        first, last = runs[0].here, runs[-1].here + runs[-1].length
        complete = matched / (last - first)
        piece = matched >= _PIECE_TOKENS and complete >= _PIECE_SHARE
        if max(share, features) < self._threshold and not piece:
            return False
        tokens = self._tokens
        place = places.place(
            runs[0].there,
            runs[-1].there + runs[-1].length,
            tokens_share=share,
            features_share=features,
            same_words=self._same_words(places.code, runs),
            snippet_start=int(tokens.lines[first]),
            snippet_end=int(tokens.last_lines[last - 1]),
        )
        self._found.append(place)
        return True

    def _same_words(self, code: ScannedCode, runs: Sequence[_Run]) -> float:
        words = same = 0
        for one in runs:
            here = slice(one.here, one.here + one.length)
            there = slice(one.there, one.there + one.length)
            word = self._tokens.traits[here] & int(Trait.NAME | Trait.LITERAL) != 0
            words += int(np.count_nonzero(word))
            equal = self._tokens.raw[here] == code.tokens.raw[there]
            same += int(np.count_nonzero(word & equal))
        return same / words if words else 1.0

    def _search_features(self, places: _Places) -> None:
        """Functions of the code that have the features of the snippet's functions."""
        assert self._features is not None
        code, mine = places.code, self._features
        table = code.fragments
        there, which = _native.found_ids(table.features, mine.features)
        counts = np.bincount(which, minlength=len(mine.features))
        weights = feature_weights(mine.features, mine.occurrences, counts, len(table))
        if not weights.sum():
            return
        fragment = np.searchsorted(table.offsets, there, side="right") - 1
        shares = np.bincount(fragment, weights[which], len(table)) / weights.sum()
        best = np.argsort(-shares, kind="stable")[:_MOST_FRAGMENTS]
        for one in best[shares[best] >= self._threshold].tolist():
            begin, end = int(table.begin[one]), int(table.end[one])
            runs = self._aligned(code, begin, end)
            share = sum(run.length for run in runs) / len(self._tokens)
            self._found.append(
                places.place(
                    begin,
                    end,
                    tokens_share=share,
                    features_share=min(1.0, float(shares[one])),
                    same_words=self._same_words(code, runs),
                    snippet_start=int(self._tokens.lines[0]),
                    snippet_end=int(self._tokens.last_lines[-1]),
                )
            )


class _Places:
    """Stretches of joined code as places of files."""

    def __init__(self, code: ScannedCode, names: Sequence[str], languages: Sequence[str]) -> None:
        self.code = code
        self._names = names
        self._languages = languages

    def place(self, begin: int, end: int, **found: float) -> FoundPlace:
        code = self.code
        file = int(code.file_of_tokens([begin])[0])
        score = max(found["tokens_share"], found["features_share"])
        return FoundPlace(
            file=shown_name(self._names[file]),
            start=int(code.tokens.lines[begin]),
            end=int(code.tokens.last_lines[end - 1]),
            name=self._function(begin, end),
            language=self._languages[file],
            score=score,
            **found,  # type: ignore[arg-type]
        )

    def _function(self, begin: int, end: int) -> str:
        """The innermost function that has most of a stretch."""
        table = self.code.fragments
        common = np.minimum(table.end, end) - np.maximum(table.begin, begin)
        around = np.flatnonzero(common >= 0.7 * (end - begin))
        named = [place for place in around.tolist() if table.names[place]]
        if not named:
            return ""
        return table.names[min(named, key=lambda one: table.end[one] - table.begin[one])]


def _features_of(source: Source) -> _Features | None:
    """The features of the function that a snippet is; None if it is something else."""
    try:
        parts = file_parts(source, min_lines=3, fast=False, comments=False)
    except (CodekinError, RecursionError, MemoryError):
        return None  # its tokens are still compared
    table = parts.fragments
    outer, reach = [], 0
    for place, name in enumerate(table.names):
        if name and table.begin[place] >= reach:
            outer.append(place)
            reach = int(table.end[place])
    if len(outer) != 1 or reach - table.begin[outer[0]] < 0.6 * len(parts.tokens):
        return None  # only a single function has an original that is one function
    begin, end = table.offsets[outer[0]], table.offsets[outer[0] + 1]
    return _Features(
        np.ascontiguousarray(table.features[begin:end]),
        np.ascontiguousarray(table.occurrences[begin:end]),
    )


def _windows(blind: npt.NDArray[np.uint32], window: int) -> Ids:
    """A hash of each window of tokens."""
    count = len(blind) - window + 1
    hashes = np.zeros(max(count, 0), np.uint64)
    for place in range(window):
        hashes *= np.uint64(_BASE)
        hashes += blind[place : place + count]
    return hashes


def _densest(hits: npt.NDArray[np.int64], reach: int) -> int:
    """Where the stretch begins that has most different windows of the snippet."""
    order = hits[np.argsort(hits[:, 0], kind="stable")].tolist()
    counts: dict[int, int] = {}
    best, most, start = order[0][0], 0, 0
    for there, which in order:
        counts[which] = counts.get(which, 0) + 1
        while there - order[start][0] > reach:
            gone = order[start][1]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            start += 1
        if len(counts) > most:
            best, most = order[start][0], len(counts)
    return int(best)


def _meetings(mine: Ids, theirs: Ids) -> list[tuple[int, int, int]]:
    """Places with the same number, each with a length of 1, sorted; few of what is repeated."""
    places: dict[int, list[int]] = {}
    for place, number in enumerate(mine.tolist()):
        some = places.setdefault(number, [])
        if len(some) < _MOST_REPEATED:
            some.append(place)
    there, which = _native.found_ids(np.ascontiguousarray(theirs), mine)
    seen: dict[int, int] = {}
    found = []
    for place, number in zip(there.tolist(), mine[which].tolist(), strict=True):
        seen[number] = seen.get(number, 0) + 1
        if seen[number] <= _MOST_REPEATED:
            found += [(here, place, 1) for here in places[number]]
    return found


def _diagonals(meetings: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Meetings that follow one another in both places, joined."""
    joined: list[tuple[int, int, int]] = []
    for here, there, _ in sorted(meetings, key=lambda one: (one[1] - one[0], one[0])):
        if joined:
            begin, other, length = joined[-1]
            if (begin + length, other + length) == (here, there):
                joined[-1] = (begin, other, length + 1)
                continue
        joined.append((here, there, 1))
    return joined


def _best_chain(runs: Sequence[_Run]) -> list[_Run]:
    """The chain of runs, in order in both places, that matches most for its gaps.

    Where a run overlaps the one before it, its beginning does not count.
    """
    chosen = sorted(runs, key=lambda one: (-one.length, one.there, one.here))[:_MOST_RUNS]
    chosen.sort(key=lambda one: (one.there, one.here))
    worth: list[float] = []
    before: list[tuple[int, int]] = []  # the run before, and what is cut off
    for place, run in enumerate(chosen):
        best, link = float(run.length), (-1, 0)
        for other in range(place):
            one = chosen[other]
            here, there = run.here - one.here - one.length, run.there - one.there - one.length
            cut = max(0, -here, -there)
            if cut >= run.length:
                continue
            cost = _GAP_COST * max(0, there) + _SKIP_COST * max(0, here)
            if worth[other] + run.length - cut - cost > best:
                best, link = worth[other] + run.length - cut - cost, (other, cut)
        worth.append(best)
        before.append(link)
    if not chosen:
        return []
    place = int(np.argmax(worth))
    chain: list[_Run] = []
    while place >= 0:
        run, (place, cut) = chosen[place], before[place]
        chain.append(_Run(run.here + cut, run.there + cut, run.length - cut))
    return chain[::-1]


def _overlap(one: FoundPlace, other: FoundPlace) -> bool:
    common = min(one.end, other.end) - max(one.start, other.start) + 1
    return common > 0.5 * min(one.end - one.start + 1, other.end - other.start + 1)
