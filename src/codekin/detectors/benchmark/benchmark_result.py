"""Benchmark: what the cells of a grid show, beside what the papers print."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from codekin.corpora.views import VIEWS
from codekin.detectors.benchmark.cell_results import (
    BREAKDOWNS,
    ROTATED,
    CellNumbers,
    CellRecord,
    CellResult,
    PartNumbers,
    cell_results,
    read_records,
)
from codekin.detectors.benchmark.cells import cell_name, read_plan
from codekin.detectors.benchmark.detector_kinds import brief_words
from codekin.detectors.benchmark.grid import GIVEN
from codekin.detectors.benchmark.paper_findings import (
    FindingVerdict,
    PaperFinding,
    paper_findings,
)
from codekin.detectors.benchmark.published import CONTRADICTIONS, dataset_named, published
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import (
    NOTHING,
    Column,
    Curve,
    Curves,
    Grid,
    GridColumns,
    Interval,
    Result,
    Section,
    ShownAs,
    count_text,
    interval_text,
    number_text,
)
from codekin.rewrite.abstraction import LEVELS

__all__ = ["Benchmark", "read_benchmark"]

_VIEW_ORDER = [GIVEN] + [name for view in VIEWS for name in (view, view + ROTATED)]
_MATRIX_LEVELS = ("1", "0")
"""Views are compared at the first of these levels that was run, else at the first of all."""
_COLORS = 8
_EVERYTHING = "every pair a clone"


@dataclass(frozen=True)
class Benchmark(Result):
    """Detectors over views, levels and corpora, and what became of the papers' findings.

    Attributes
    ----------
    corpora : mapping of str to str
        For each corpus the one of the papers that it is compared with; empty for none.
    results : tuple of CellResult
        Per detector, corpus, view and level, over all seeds.
    findings : tuple of PaperFinding
    planned : int
        Cells of the plan.
    missing : tuple of str
        Names of planned cells without a record.
    """

    corpora: Mapping[str, str]
    results: tuple[CellResult, ...]
    findings: tuple[PaperFinding, ...]
    planned: int
    missing: tuple[str, ...] = ()

    def table(self) -> Grid:
        """A line per detector, corpus, view and level, with every number."""
        rows = [self._line(one) for one in self.results]
        columns: GridColumns = (
            *("detector", "corpus", "view", "level"),
            *(Column("tested on", "test_corpus"), Column("at level", "test_level"), "runs"),
            *(Column("pairs"), Column("base rate", "rate", digits=3)),
            Column("all-positive F1", "all_positive_f1", digits=3),
            *(Column(name, digits=3) for name in ("precision", "recall")),
            *_with_interval("F1"),
            Column("gain", digits=3, sign=True, meaning="F1 less the all-positive F1"),
            Column("spread", "f1_spread", digits=3, meaning="standard deviation over seeds"),
            *(Column("MCC", "mcc", digits=3), *_with_interval("AP", "AUC")),
            Column("copied", digits=3, meaning="share of pairs with a copy of a training snippet"),
            Column("F1 without copies", "f1_without_copies", digits=3),
            Column("interval", "f1_without_copies_interval", digits=3, beneath=True),
            Column("AP without copies", "ap_without_copies", digits=3),
            Column("paper", "paper_f1", digits=3),
            Column("seconds", digits=1),
        )
        return Grid("Every number", columns, tuple(rows), keys=6)

    def _line(self, one: CellResult) -> tuple[Any, ...]:
        mine, fresh = one.all, one.without_copies
        return (
            *(one.detector, one.corpus, one.view, one.level, one.test_corpus, one.test_level),
            *(one.runs, mine.pairs, mine.rate, mine.all_positive_f1),
            *(mine.precision, mine.recall, mine.f1, mine.f1_interval, mine.gain, mine.f1_spread),
            *(mine.mcc, mine.ap, mine.ap_interval, mine.auc, mine.auc_interval, one.copied),
            *(fresh.f1, fresh.f1_interval, fresh.ap, self._paper(one), one.seconds),
        )

    def _paper(self, one: CellResult) -> float | None:
        found = published(
            one.detector,
            self.corpora.get(one.corpus, ""),
            one.view.removesuffix(ROTATED),
            one.level,
            self.corpora.get(one.test_corpus, ""),
            one.test_level,
        )
        return None if found is None else found.f1

    def grids(self) -> list[Grid]:
        """Detectors by view, by level and by what they are tested on; every number; findings."""
        tested = self.tested_findings
        findings = [_finding_grid("Findings of the papers", tested)] if tested else []
        return [*self.compared(), self.table(), *findings]

    def compared(self) -> list[Grid]:
        """Detectors by view, by level and by what they are tested on."""
        return [*self._view_grids(), *self._level_grids(), *self._crossed_grids()]

    def _view_grids(self) -> list[Grid]:
        """As table I: a row per detector and a column per view."""
        found = []
        for corpus, results in _by(self.results, lambda one: one.corpus):
            mine = [one for one in results if one.plain]
            levels = _ordered({one.level for one in mine}, LEVELS)
            if not levels:
                continue
            level = next((one for one in _MATRIX_LEVELS if one in levels), levels[0])
            at = [one for one in mine if one.level == level]
            views = _ordered({one.view for one in at}, _VIEW_ORDER)
            title = f"{plain(corpus)}: F1 by view, level {level}"
            found += self._matrices(title, at, views, lambda one: one.view, "random", "view")
        return found

    def _level_grids(self) -> list[Grid]:
        """As tables II, III, 5 and 6: a row per detector and a column per level."""
        found = []
        for (corpus, view), results in _by(self.results, lambda one: (one.corpus, one.view)):
            mine = [one for one in results if one.plain]
            levels = _ordered({one.level for one in mine}, LEVELS)
            if len(levels) < 2:
                continue
            title = f"{plain(corpus)}, {view}: F1 by level of abstraction"
            found += self._matrices(title, mine, levels, lambda one: one.level, "0", "level")
        return found

    def _matrices(
        self,
        title: str,
        results: Sequence[CellResult],
        heads: Sequence[str],
        key: Callable[[CellResult], str],
        base: str,
        what: str,
    ) -> list[Grid]:
        """F1 of detectors by one thing, with the papers' numbers, and their AP and AUC.

        Places differ in the share of clones, and so in what calling every pair a clone reaches.
        The changes are therefore those of what F1 gains over it, and of AUC. The last row calls
        every pair a clone.
        """
        words = list(dict.fromkeys(one.detector for one in results))
        named = [ShownAs(word, self._brief[word]) for word in words]
        f1, ranking = _Matrix(words, named), _Matrix(words, named)
        by_head = {
            head: {one.detector: one for one in results if key(one) == head} for head in heads
        }
        start = by_head.get(base, {})
        for head, mine in by_head.items():
            first = next(iter(mine.values()))
            shown = head if what == "view" else f"level {head}"
            rate = f"base rate {number_text(first.all.rate, digits=3)}"
            value = first.all.all_positive_f1
            everything = ShownAs(value, number_text(value, digits=3), title=rate)
            f1.add(shown, {word: _f1_cell(one) for word, one in mine.items()}, everything)
            f1.interval(shown, {word: one.all.f1_interval for word, one in mine.items()})
            if what == "view" and any(one.copied > 0 for one in mine.values()):
                fresh = {word: _fresh_cell(one) for word, one in mine.items()}
                f1.add(
                    "without copies",
                    fresh,
                    first.without_copies.all_positive_f1,
                    name=f"{shown} without copies",
                )
            aucs = {word: one.all.auc for word, one in mine.items()}
            aps = {word: one.all.ap for word, one in mine.items()}
            ranking.add(f"{shown}: AP", aps, first.all.rate, name=f"{shown} AP")
            ranking.interval(f"{shown} AP", {w: one.all.ap_interval for w, one in mine.items()})
            ranking.add("AUC", aucs, 0.5, name=f"{shown} AUC")
            if head != base and start:
                both = [word for word in mine if word in start]
                gains = {word: mine[word].all.gain - start[word].all.gain for word in both}
                f1.add("Δ gain", gains, 0.0, name=f"{shown} Δ gain", sign=True)
                changes = {word: aucs[word] - start[word].all.auc for word in both}
                ranking.add("Δ AUC", changes, 0.0, name=f"{shown} Δ AUC", sign=True)
            papers = {word: self._paper(one) for word, one in mine.items()}
            if any(papers.values()):
                f1.add("paper", papers, name=f"{shown} paper")
        return [f1.grid(title), ranking.grid(title.replace("F1 by", "AP and AUC by"))]

    def _crossed_grids(self) -> list[Grid]:
        """As table 7: trained on one corpus or level and tested on another."""
        alike = {
            (one.detector, one.corpus, one.view, one.level): one
            for one in self.results
            if one.plain
        }
        crossed = [one for one in self.results if not one.plain]
        found = []
        for (corpus, view), results in _by(crossed, lambda one: (one.corpus, one.view)):
            rows = []
            for one in results:
                same = alike.get((one.detector, corpus, view, one.level))
                paper = self._paper(one)
                where = one.test_corpus if one.test_corpus != corpus else "same"
                rows.append(
                    (
                        *(one.level, where, one.test_level, self._brief[one.detector]),
                        *(one.all.precision, one.all.recall, _f1_cell(one), one.all.f1_interval),
                        None if same is None else one.all.gain - same.all.gain,
                        None if same is None else one.all.auc - same.all.auc,
                        *(one.all.ap, one.all.auc, one.all.rate, one.all.all_positive_f1, paper),
                    )
                )
            rows.sort(key=lambda row: (LEVELS.index(row[0]), row[1], LEVELS.index(row[2])))
            columns: GridColumns = (
                *("trained at", "tested on", "at level", "detector"),
                *(Column(name, digits=3) for name in ("precision", "recall", "F1")),
                Column("interval", digits=3, beneath=True),
                Column("Δ gain", digits=3, sign=True, meaning="against testing as it was trained"),
                Column("Δ AUC", digits=3, sign=True, meaning="against testing as it was trained"),
                *(Column(name, digits=3) for name in ("AP", "AUC", "base rate")),
                *(Column("all-positive F1", digits=3), Column("paper", digits=3)),
            )
            title = f"{plain(corpus)}, {view}: trained on one, tested on another"
            found.append(Grid(title, columns, tuple(rows), keys=4))
        return found

    def notes(self) -> list[str]:
        """How the numbers were made, and where the papers contradict themselves."""
        longer = [word for word, brief in self._brief.items() if word != brief]
        notes = [f"Detectors in full: {', '.join(longer)}."] if longer else []
        notes += [
            "F1 at the threshold that is best on validation. Intervals are 95 %: over snippets, "
            "since a snippet is in many pairs, and over seeds where there are several; the one "
            "shown covers both. Spread is the standard deviation over seeds.",
            "Gain is F1 less that of calling every pair a clone. Places differ in their base rate, "
            "so they are compared by the change of this gain and of AUC (Δ), not by F1.",
            "Copies: exact and near copies of training snippets, also where another corpus is "
            "tested.",
        ]
        compared = [f"{name} ({other})" for name, other in self.corpora.items() if other]
        if compared:
            notes.append(
                f"Compared with the papers: {', '.join(compared)}. Their snippets, pairs and "
                "splits are others than ours, so only orders and large differences compare."
            )
            for paper, lines in CONTRADICTIONS.items():
                notes += [f"{paper}: {line}" for line in lines]
        for one in self.results:
            if one.pairs_used:
                notes.append(f"{plain(one.test_corpus)}, view {one.view}: {one.pairs_used}.")
            notes += [f"{one.detector}: {note}" for note in one.notes]
        untested = [f"{one.paper} {one.number}" for one in self._untested]
        if untested:
            notes.append(f"Findings of the papers that cannot be tested: {', '.join(untested)}.")
        return list(dict.fromkeys(notes))

    def warnings(self) -> list[str]:
        """What is missing."""
        found = []
        if self.missing:
            first = ", ".join(self.missing[:3]) + (", ..." if len(self.missing) > 3 else "")
            found.append(
                f"{len(self.missing):,} of {count_text(self.planned, 'cell')} of the plan have no "
                f"record yet: {first}"
            )
        unscored = sum(one.unscored for one in self.results)
        if unscored:
            found.append(
                f"{count_text(unscored, 'test pair')} could not be scored, and count as no clones"
            )
        return found

    def section(self) -> Section:
        """The page: findings, the papers' tables, curves, breakdowns, and every number."""
        views = self._view_grids()
        levels = self._level_grids()
        crossed = self._crossed_grids()
        how = (
            "Below each F1 its 95 % interval; precision, recall and MCC on hovering. Δ is the "
            "change from {}, of what F1 gains over calling every pair a clone and of AUC; paper is "
            "what the papers print for the corpus that ours is compared with. The last row calls "
            "every pair a clone."
        )
        untested = self._untested
        findings = [self._findings_section()]
        parts = [
            *(findings if len(untested) < len(self.findings) else []),
            Section("By view (table I)", how.format("the random view"), content=tuple(views)),
        ]
        if levels:
            text = how.format("level 0")
            title = "By level of abstraction (tables II, III, 4 to 6)"
            of_corpus = groupby(levels, lambda grid: grid.title.partition(",")[0])
            choices = tuple(Section(name, content=tuple(some)) for name, some in of_corpus)
            several = len(choices) > 1
            parts.append(
                Section(
                    title,
                    text,
                    content=() if several else tuple(levels),
                    parts=choices if several else (),
                    choice="Corpus" if several else "",
                )
            )
        if crossed:
            text = "Δ is the change from testing on what the detector was trained on."
            title = "Trained on one, tested on another (table 7)"
            parts.append(Section(title, text, content=tuple(crossed)))
        parts += [self._curve_section(), self._breakdown_section()]
        parts.append(Section("Every number", content=(self.table(),), folded=True))
        parts += findings if len(untested) == len(self.findings) else []
        return Section("Benchmark of clone detectors", parts=tuple(parts))

    @property
    def tested_findings(self) -> list[PaperFinding]:
        """The findings of the papers that can be tested here."""
        return [one for one in self.findings if one.verdict is not FindingVerdict.UNTESTED]

    @property
    def _untested(self) -> list[PaperFinding]:
        return [one for one in self.findings if one.verdict is FindingVerdict.UNTESTED]

    def _findings_section(self) -> Section:
        cases = tuple(
            (f"{one.paper} {one.number}", case.where, "yes" if case.holds else "no", case.numbers)
            for one in self.findings
            for case in one.cases
        )
        heads = ("finding", "where", "holds", "F1")
        rules = tuple((f"{one.paper} {one.number}", one.rule) for one in self.findings)
        behind = Section(
            "What each verdict rests on",
            content=(
                Grid("When a finding holds", ("finding", "holds if"), rules, keys=2),
                *([Grid("Cases", heads, cases, keys=4)] if cases else []),
            ),
            folded=True,
        )
        counts = Counter(one.verdict for one in self.findings)
        tested = self.tested_findings
        rest = Section(
            "Cannot be tested here",
            content=(_finding_grid("", self._untested),),
            folded=True,
        )
        return Section(
            "Findings of the papers",
            f"{counts[FindingVerdict.HOLDS]} of {len(self.findings)} hold here, "
            f"{counts[FindingVerdict.DOES_NOT]} do not, and {counts[FindingVerdict.UNTESTED]} "
            "cannot be tested. A finding holds if it does in every place that it can be tested in.",
            content=(_finding_grid("Findings of the papers", tested),) if tested else (),
            parts=(behind, *([rest] if self._untested else [])),
            folded=not tested,
        )

    @cached_property
    def _brief(self) -> dict[str, str]:
        """What detectors are called for people."""
        return brief_words(dict.fromkeys(one.detector for one in self.results))

    def _colors(self) -> dict[str, int]:
        return {w: i for i, w in enumerate(dict.fromkeys(one.detector for one in self.results))}

    def _curve_section(self) -> Section:
        colors = self._colors()
        figures = []
        for name, results in self._places():
            curves = tuple(
                Curve(
                    self._brief[one.detector],
                    one.curve,
                    f"{self._brief[one.detector]}: AP {number_text(one.all.ap, digits=3)}",
                    colors[one.detector],
                )
                for one in results
                if one.curve
            )
            base = results[0].all.rate
            seeds = "The first of several runs." if any(one.runs > 1 for one in results) else ""
            if curves:
                axes = ("recall", "precision")
                figures.append(
                    Curves(title=name, caption=seeds, curves=curves, axes=axes, base=base)
                )
        key = tuple(
            (f"curve-{i % _COLORS}" + " dashed" * (i >= _COLORS), self._brief[word])
            for word, i in colors.items()
        )
        text = "Precision by recall on all test pairs. "
        return Section(
            "Precision and recall",
            text,
            key=(*key, ("dashes", "the share of clones")),
            content=tuple(figures),
        )

    def _breakdown_section(self) -> Section:
        parts = []
        for name, results in self._places():
            grids = [
                grid for kind in BREAKDOWNS if (grid := _breakdown(results, kind, self._brief))
            ]
            if grids:
                parts.append(Section(name, content=tuple(grids)))
        return Section(
            "Breakdowns",
            "At the same threshold for all parts. Clones alone have a type, so recall is shown for "
            "types, and F1 for all else; a pair counts for each functionality that one of its "
            "snippets has.",
            parts=tuple(parts),
            choice="Cell",
            folded=True,
        )

    def _places(self) -> Iterator[tuple[str, list[CellResult]]]:
        """What detectors can be compared on: trained and tested on the same."""

        def place(one: CellResult) -> tuple[str, ...]:
            return one.corpus, one.view, one.level, one.test_corpus, one.test_level

        for (corpus, view, level, test_corpus, test_level), results in _by(self.results, place):
            name = f"{plain(corpus)}, {view}, level {level}"
            if test_corpus != corpus:
                name += f", on {plain(test_corpus)}"
            if test_level != level:
                name += f", at level {test_level}"
            yield name, results


class _Matrix:
    """A row per detector and a last one that calls every pair a clone, built column by column."""

    def __init__(self, words: Sequence[str], named: Sequence[ShownAs]) -> None:
        self._words = words
        self._columns: list[Column | str] = ["detector"]
        self._rows: list[list[Any]] = [[name] for name in named]
        self._baseline: list[Any] = [_EVERYTHING]

    def add(
        self,
        head: str,
        cells: Mapping[str, Any],
        everything: Any = None,
        *,
        name: str | None = None,
        sign: bool = False,
        beneath: bool = False,
    ) -> None:
        """Add a column with a cell per detector."""
        self._columns.append(Column(head, name, digits=3, sign=sign, beneath=beneath))
        self._baseline.append(everything)
        for row, word in zip(self._rows, self._words, strict=True):
            row.append(cells.get(word))

    def interval(self, of: str, cells: Mapping[str, Interval]) -> None:
        """Add the intervals of the column before."""
        self.add("interval", cells, name=f"{of} interval", beneath=True)

    def grid(self, title: str) -> Grid:
        """All columns, with the best of each in bold."""
        best = _best_cells(self._rows, self._columns)
        cells = tuple(map(tuple, [*self._rows, self._baseline]))
        return Grid(title, tuple(self._columns), cells, strong=best)


def _finding_grid(title: str, findings: Sequence[PaperFinding]) -> Grid:
    rows = tuple(
        (f"{one.paper} {one.number}", one.claim, one.verdict.value, one.summary) for one in findings
    )
    return Grid(title, ("finding", "claim", "verdict", "seen"), rows, keys=4)


def _with_interval(*heads: str) -> Iterator[Column]:
    for head in heads:
        yield Column(head, head.lower(), digits=3)
        yield Column("interval", f"{head.lower()}_interval", digits=3, beneath=True)


def _by(results: Sequence[CellResult], key: Callable[[CellResult], Any]) -> Any:
    """Results by a key, in the order of first occurrence."""
    found: dict[Any, list[CellResult]] = {}
    for one in results:
        found.setdefault(key(one), []).append(one)
    return found.items()


def _ordered(names: set[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=order.index)


def _f1_cell(one: CellResult) -> ShownAs:
    """F1 with its interval beneath, and the other numbers on hovering."""
    mine = one.all
    said = [
        f"{name} {number_text(value, digits=3)}"
        for name, value in (
            *(("precision", mine.precision), ("recall", mine.recall), ("MCC", mine.mcc)),
            *(("AP", mine.ap), ("AUC", mine.auc), ("base rate", mine.rate)),
            ("all-positive F1", mine.all_positive_f1),
        )
    ]
    said.append(f"F1 without copies {_f1_text(one.without_copies)}")
    if one.runs > 1:
        said.append(f"{one.runs} runs, spread {number_text(mine.f1_spread, digits=3)}")
    return _shown(mine, ", ".join(said))


def _fresh_cell(one: CellResult) -> ShownAs:
    """F1 without copies of training snippets, with its interval beneath."""
    fresh = one.without_copies
    return _shown(fresh, f"{fresh.pairs:,} pairs, AP {number_text(fresh.ap, digits=3)}")


def _shown(numbers: CellNumbers, title: str) -> ShownAs:
    interval = interval_text(numbers.f1_interval, digits=3)
    beneath = "" if interval == NOTHING else interval
    return ShownAs(numbers.f1, number_text(numbers.f1, digits=3), beneath=beneath, title=title)


def _f1_text(one: CellNumbers) -> str:
    interval = interval_text(one.f1_interval, digits=3)
    return f"{number_text(one.f1, digits=3)} {interval}"


def _best_cells(
    rows: Sequence[Sequence[Any]], columns: Sequence[Column | str]
) -> frozenset[tuple[int, int]]:
    """The highest F1 of each column."""
    found = set()
    for place in range(1, len(columns)):
        values = {
            i: row[place].value
            for i, row in enumerate(rows)
            if isinstance(row[place], ShownAs) and not math.isnan(row[place].value)
        }
        if len(values) > 1:
            best = max(values.values())
            found |= {(i, place) for i, value in values.items() if value == best}
    return frozenset(found)


def _breakdown(results: Sequence[CellResult], kind: str, brief: Mapping[str, str]) -> Grid | None:
    """A row per part and a column per detector."""
    tables: dict[str, Mapping[str, PartNumbers]] = {
        brief[one.detector]: getattr(one, kind) for one in results
    }
    names = list(dict.fromkeys(name for table in tables.values() for name in table))
    if not names or (kind != "by_type" and len(names) < 2):
        return None
    number = "recall" if kind == "by_type" else "f1"
    rows = []
    for name in names:
        first = next(table[name] for table in tables.values() if name in table)
        values = [
            getattr(table[name], number) if name in table else None for table in tables.values()
        ]
        rows.append((name, first.pairs, first.clones, *values))
    title = f"{'Recall' if kind == 'by_type' else 'F1'} by {BREAKDOWNS[kind]}"
    columns: GridColumns = (
        *(BREAKDOWNS[kind], "pairs", "clones"),
        *(Column(word, digits=3) for word in tables),
    )
    return Grid(title, columns, tuple(rows))


def read_benchmark(folders: str | Path | Sequence[str | Path]) -> Benchmark:
    """Read the records of a benchmark.

    Parameters
    ----------
    folders : str, Path or sequence of them
        Folders that ``codekin detect benchmark`` wrote; a cell that several of them have counts
        once.

    Raises
    ------
    CodekinError
        If records are missing or damaged.
    """
    given = [folders] if isinstance(folders, str | Path) else list(folders)
    records: dict[str, CellRecord] = {}
    planned: dict[str, None] = {}
    corpora: dict[str, str] = {}
    for folder in given:
        for one in read_records(folder):
            records.setdefault(cell_name(one.cell), one)
        plan = read_plan(folder)
        planned |= {cell_name(cell): None for cell in plan.cells}
        corpora |= {n: str(about["compared_with"] or "") for n, about in plan.corpora.items()}
    if not records:
        raise CodekinError(
            f"{', '.join(map(str, given))}: no cell has a record yet; codekin detect benchmark "
            "runs them"
        )
    for one in records.values():
        for name in (one.cell.corpus, one.cell.test_corpus):
            corpora.setdefault(name, dataset_named(name))
    # In the order of the plan; records of cells that are no longer planned come last.
    order = [name for name in planned if name in records]
    order += [name for name in records if name not in planned]
    results = cell_results(records[name] for name in order)
    return Benchmark(
        corpora,
        results,
        paper_findings(results, corpora),
        len(planned) or len(records),
        tuple(name for name in planned if name not in records),
    )
