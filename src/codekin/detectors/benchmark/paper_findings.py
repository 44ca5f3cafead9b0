"""The findings of both clone papers, each tested on the cells of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from codekin.corpora.views import VIEWS
from codekin.detectors.benchmark.cell_results import ROTATED, CellResult
from codekin.detectors.benchmark.detector_kinds import (
    TASK_SPECIFIC,
    brief_words,
    has_pace,
    is_pretrained,
    is_sound,
    kind_of,
)
from codekin.detectors.benchmark.published import BCB, CONBCB, GCJ2, OJCLONE

__all__ = ["FindingCase", "FindingVerdict", "PaperFinding", "paper_findings"]

_LEVEL = "1"
"""The level that the multi-perspective paper compares views at."""
_FAR = 0.1
"""A drop from the random view, or onto abstracted code, that counts as one."""
_BELOW = 0.05
"""How far below the others linear must be."""
_EQUAL = 0.03
"""How far below the others linear may be to be as good."""
_KEPT = 0.04
"""How much a model may lose and still keep its level."""


class FindingVerdict(StrEnum):
    """Whether a finding was seen again."""

    HOLDS = "holds here"
    DOES_NOT = "does not hold here"
    UNTESTED = "cannot be tested here"


@dataclass(frozen=True)
class FindingCase:
    """One place that a finding was tested in.

    Attributes
    ----------
    where : str
        The corpus, and the detector or level where the finding is about one.
    holds : bool
    numbers : str
        F1 as the papers print it.
    """

    where: str
    holds: bool
    numbers: str


@dataclass(frozen=True)
class PaperFinding:
    """A finding of a paper, tested.

    Attributes
    ----------
    paper : str
        ``Multi-perspective`` or ``AbsBigCloneBench``.
    number : int
        In the paper.
    claim : str
        What the paper says.
    rule : str
        What must be seen for it to hold.
    verdict : FindingVerdict
        It holds if it does in every place that it can be tested in.
    cases : tuple of FindingCase
    reason : str
        Why it, or a part of it, cannot be tested; empty where it can.
    """

    paper: str
    number: int
    claim: str
    rule: str
    verdict: FindingVerdict
    cases: tuple[FindingCase, ...]
    reason: str = ""

    @property
    def summary(self) -> str:
        """Where it holds and where not, in a few words."""
        held = [one.where for one in self.cases if one.holds]
        rest = [one.where for one in self.cases if not one.holds]
        parts = [self.reason] if self.reason else []
        if held and rest:
            parts.append(f"in {len(held)} of {len(self.cases)} cases")
        parts += [f"for {_several(held)}"] if held and (not rest or len(held) <= _SHOWN) else []
        parts += [f"not for {_several(rest)}"] if rest else []
        return "; ".join(parts)

    @property
    def numbers(self) -> str:
        """The numbers of all cases."""
        return "; ".join(f"{one.where}: {one.numbers}" for one in self.cases)


_SHOWN = 6
_Case = FindingCase


def _several(names: Sequence[str]) -> str:
    """The first of some names, and the number of others."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return " / ".join(names[:_SHOWN]) + more


class _Cells:
    """The results by what they are of."""

    def __init__(self, results: Iterable[CellResult], corpora: Mapping[str, str]) -> None:
        self.results = tuple(results)
        self.corpora = corpora
        self.brief = brief_words(dict.fromkeys(one.detector for one in self.results))
        self._rows: dict[tuple[str, ...], dict[str, float]] = {}
        # A view that was rotated alone counts as the view.
        for one in sorted(self.results, key=lambda one: not one.view.endswith(ROTATED)):
            if one.corpus == one.test_corpus and not math.isnan(one.all.f1):
                key = (one.corpus, one.view.removesuffix(ROTATED), one.level, one.test_level)
                self._rows.setdefault(key, {})[one.detector] = one.all.f1

    @property
    def names(self) -> list[str]:
        """The corpora that something was trained on."""
        return list(dict.fromkeys(one.corpus for one in self.results))

    def like(self, dataset: str) -> list[str]:
        """The corpora that are compared with one of the papers."""
        return [name for name in self.names if self.corpora.get(name) == dataset]

    def row(
        self,
        corpus: str,
        view: str,
        level: str,
        wanted: Callable[[str], bool],
        test_level: str | None = None,
    ) -> dict[str, float]:
        """The F1 of all detectors that are wanted."""
        held = self._rows.get((corpus, view, level, test_level or level), {})
        return {word: held[word] for word in self.brief if word in held and wanted(word)}

    def listed(self, row: Mapping[str, float]) -> str:
        """Detectors with their F1."""
        return ", ".join(f"{self.brief[word]} {_number(value)}" for word, value in row.items())


def paper_findings(
    results: Sequence[CellResult], corpora: Mapping[str, str]
) -> tuple[PaperFinding, ...]:
    """Test every finding of both papers.

    Parameters
    ----------
    results : sequence of CellResult
    corpora : mapping of str to str
        The corpus of the papers that each corpus is compared with; empty for none.
    """
    cells = _Cells(results, corpora)
    return tuple(_tested(cells, *one) for one in _FINDINGS)


_Test = Callable[[_Cells], Iterator[_Case]]


def _tested(
    cells: _Cells, paper: str, number: int, claim: str, rule: str, test: _Test, needed: str
) -> PaperFinding:
    cases: list[_Case] = []
    lacking = ""
    try:
        cases.extend(test(cells))
    except LookupError as error:  # part of it cannot be tested
        lacking = str(error.args[0])
    holds = all(one.holds for one in cases)
    if not cases or (lacking and holds):
        verdict, lacking = FindingVerdict.UNTESTED, lacking or f"needs {needed}"
    else:
        verdict = FindingVerdict.HOLDS if holds else FindingVerdict.DOES_NOT
    return PaperFinding(paper, number, claim, rule, verdict, tuple(cases), lacking)


def _number(value: float) -> str:
    """As the papers print an F1.

    Examples
    --------
    >>> _number(0.9304), _number(-0.02), _number(1.0)
    ('.930', '−.020', '1.000')
    """
    shown = f"{abs(value):.3f}"
    shown = shown[1:] if shown.startswith("0.") else shown
    return ("−" if value <= -0.0005 else "") + shown


def _task_specific(word: str) -> bool:
    return kind_of(word) in TASK_SPECIFIC and has_pace(word)


def _pretrained(cells: _Cells) -> Iterator[_Case]:
    if not any(map(is_pretrained, cells.brief)):
        raise LookupError(
            "no pre-trained weights: a grid needs cells of transformer with a local checkpoint"
        )
    lacking = []
    for dataset, best in ((CONBCB, True), (GCJ2, False)):
        tested = False
        for corpus in cells.like(dataset):
            row = cells.row(corpus, "random", _LEVEL, lambda word: True)
            mine = [value for word, value in row.items() if is_pretrained(word)]
            others = [value for word, value in row.items() if not is_pretrained(word)]
            if not mine or not others:
                continue
            held = min(mine) > max(others) if best else max(mine) < min(others)
            tested = True
            yield _Case(corpus, held, cells.listed(row))
        lacking += [] if tested else [dataset]
    if lacking:
        raise LookupError(f"no cells of transformer and of others on {' and '.join(lacking)}")


def _drops(cells: _Cells) -> Iterator[_Case]:
    for corpus in cells.names:
        rows = {view: cells.row(corpus, view, _LEVEL, _task_specific) for view in VIEWS}
        common = [word for word in rows["random"] if all(word in row for row in rows.values())]
        if not common:
            continue
        drop = {
            view: fmean(rows["random"][word] - rows[view][word] for word in common)
            for view in VIEWS[1:]
        }
        held = drop["cross-project"] == min(drop.values()) and drop["cross-all"] >= _FAR
        shown = ", ".join(f"to {view} {_number(value)}" for view, value in drop.items())
        words = ", ".join(cells.brief[word] for word in common)
        yield _Case(corpus, held, f"mean drop of {words}: {shown}")


def _no_better(cells: _Cells) -> Iterator[_Case]:
    view = "cross-functionality"
    for corpus in cells.names:
        baseline = cells.row(corpus, view, _LEVEL, lambda word: kind_of(word) == "mlp")
        models = cells.row(corpus, view, _LEVEL, is_sound)
        if not baseline or not models:
            continue
        worse = [word for word, value in models.items() if value <= max(baseline.values())]
        yield _Case(corpus, bool(worse), cells.listed(baseline | models))


def _best(cells: _Cells) -> Iterator[_Case]:
    groups = ((VIEWS[:2], ("astnn", "transformer")), (VIEWS[2:], ("tbccd",)))
    for corpus in cells.names:
        cases = []
        for views, expected in groups:
            for view in views:
                row = cells.row(corpus, view, _LEVEL, is_sound)
                if {"astnn", "tbccd"} <= set(map(kind_of, row)):
                    first = max(row, key=lambda word: row[word])
                    cases.append((view, kind_of(first) in expected, f"{view}: {cells.listed(row)}"))
        if {view in VIEWS[:2] for view, _, _ in cases} == {True, False}:
            held = all(held for _, held, _ in cases)
            yield _Case(corpus, held, "; ".join(shown for _, _, shown in cases))


def _levels(
    cells: _Cells, view: str, wanted: Callable[[str], bool]
) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Detector and corpus, and the F1 at each level from 0 to 3, where there are several."""
    for corpus in cells.names:
        rows = {level: cells.row(corpus, view, level, wanted) for level in "0123"}
        for word in cells.brief:
            known = {level: row[word] for level, row in rows.items() if word in row}
            if "0" in known and len(known) > 1:
                yield word, corpus, known


def _falls(cells: _Cells) -> Iterator[_Case]:
    def learns(word: str) -> bool:
        return (is_sound(word) or kind_of(word) == "mlp") and has_pace(word)

    for word, corpus, row in _levels(cells, "random", learns):
        last = max(row)
        shown = ", ".join(f"level {level} {_number(value)}" for level, value in row.items())
        yield _Case(f"{corpus}, {cells.brief[word]}", row[last] < row["0"], shown)


def _rises(cells: _Cells) -> Iterator[_Case]:
    for word, corpus, row in _levels(cells, "cross-functionality", _task_specific):
        gain = max(value for level, value in row.items() if level != "0") - row["0"]
        shown = ", ".join(f"level {level} {_number(value)}" for level, value in row.items())
        shown += f"; largest change {_number(gain)}"
        yield _Case(f"{corpus}, {cells.brief[word]}", gain > 0, shown)


def _pace(cells: _Cells) -> Iterator[_Case]:
    for corpus in cells.names:
        for level in ("0", "1", "2", "3", "abs"):
            row = cells.row(
                corpus, "cross-functionality", level, lambda word: kind_of(word) == "tbccd"
            )
            mine = [value for word, value in row.items() if has_pace(word)]
            without = [value for word, value in row.items() if not has_pace(word)]
            if mine and without:
                held = max(mine) > max(without)
                yield _Case(f"{corpus}, level {level}", held, cells.listed(row))


def _linear_against(
    cells: _Cells, corpus: str, level: str
) -> tuple[float, dict[str, float]] | None:
    """The F1 of linear, and that of sound detectors."""
    linear = cells.row(corpus, "random", level, lambda word: kind_of(word) == "linear")
    sound = cells.row(corpus, "random", level, is_sound)
    return (max(linear.values()), sound) if linear and sound else None


def _as_good(cells: _Cells) -> Iterator[_Case]:
    for corpus in cells.like(BCB):
        found = _linear_against(cells, corpus, "0")
        if found is not None:
            linear, sound = found
            held = linear >= min(sound.values()) - _EQUAL
            yield _Case(corpus, held, f"linear {_number(linear)}, {cells.listed(sound)}")


def _far_below(cells: _Cells) -> Iterator[_Case]:
    lacking = []
    for dataset, levels, name in ((OJCLONE, ("0", "1"), OJCLONE), (BCB, ("abs",), "Abs")):
        places = [(corpus, level) for corpus in cells.like(dataset) for level in levels]
        known = {place: found for place in places if (found := _linear_against(cells, *place))}
        for (corpus, level), (linear, sound) in list(known.items())[:1]:
            held = linear <= min(sound.values()) - _BELOW
            shown = f"linear {_number(linear)}, {cells.listed(sound)}"
            yield _Case(f"{corpus}, level {level}", held, shown)
        if not known:
            lacking.append(name)
    if lacking:
        raise LookupError(
            f"no cells of linear and of a sound detector on {' and '.join(lacking)} at random"
        )


def _crossed(cells: _Cells, level: str, test: str) -> Iterator[tuple[str, str, float, float]]:
    """Corpus and detector, with the F1 at the level of training and at that of testing."""
    for corpus in cells.like(BCB):
        row = cells.row(corpus, "random", level, lambda word: True)
        other = cells.row(corpus, "random", level, lambda word: True, test)
        for word in row:
            if word in other and (is_sound(word) or kind_of(word) == "linear"):
                yield corpus, word, row[word], other[word]


def _fail_on_abs(cells: _Cells) -> Iterator[_Case]:
    for corpus, word, same, other in _crossed(cells, "0", "abs"):
        shown = f"{_number(same)}, on Abs {_number(other)}"
        yield _Case(f"{corpus}, {cells.brief[word]}", other <= same - _FAR, shown)


def _keep_on_original(cells: _Cells) -> Iterator[_Case]:
    for corpus, word, same, other in _crossed(cells, "abs", "0"):
        if is_sound(word):
            shown = f"on Abs {_number(same)}, on the original {_number(other)}"
            yield _Case(f"{corpus}, {cells.brief[word]}", other >= same - _KEPT, shown)


_VIEWS_PAPER, _ABS_PAPER = "Multi-perspective", "AbsBigCloneBench"
_FINDINGS: tuple[tuple[str, int, str, str, _Test, str], ...] = (
    (
        _VIEWS_PAPER,
        1,
        "Pre-trained models are best on ConBigCloneBench and worst on GoogleCodeJam2.",
        "At random, level 1: every transformer is above all others on the one, and below on the "
        "other.",
        _pretrained,
        "cells of transformer and of others, at random and level 1, on corpora compared with "
        "ConBigCloneBench and GoogleCodeJam2",
    ),
    (
        _VIEWS_PAPER,
        2,
        "Views that cross something are harder than the random one: least across projects (mean "
        "drop .009 and .017), most across all (.398 and .187).",
        f"Level 1: of the three mean drops the one to cross-project is the smallest, and the one "
        f"to cross-all is at least {_FAR}.",
        _drops,
        "cells of tbccd, astnn or faast in all four views at level 1",
    ),
    (
        _VIEWS_PAPER,
        3,
        "Across functionalities, some models do no better than an MLP.",
        "Level 1: a sound detector has an F1 of at most that of mlp.",
        _no_better,
        "cells of mlp and of a sound detector across functionalities at level 1",
    ),
    (
        _VIEWS_PAPER,
        4,
        "ASTNN and GraphCodeBERT are best at random and across projects, TBCCD across "
        "functionalities and across all.",
        "Level 1: the best of the sound detectors in each view that was run is one of these.",
        _best,
        "cells of astnn and tbccd at level 1, in a view of either kind",
    ),
    (
        _VIEWS_PAPER,
        5,
        "At random, F1 falls as the level of abstraction rises.",
        "F1 at the highest level that was run is below that at level 0, for every detector.",
        _falls,
        "cells at random at level 0 and a higher one",
    ),
    (
        _VIEWS_PAPER,
        6,
        "Across functionalities, abstraction raises the F1 of task-specific models.",
        "F1 at some level above 0 is above that at level 0, for every such detector.",
        _rises,
        "cells of tbccd, astnn or faast across functionalities at level 0 and a higher one",
    ),
    (
        _VIEWS_PAPER,
        7,
        "PACE is why TBCCD generalizes to other functionalities.",
        "Across functionalities, tbccd is above tbccd:pace=False.",
        _pace,
        "cells of tbccd and tbccd:pace=False across functionalities",
    ),
    (
        _ABS_PAPER,
        1,
        "On BigCloneBench, a model that sees names alone is as good as the others.",
        f"At random, level 0: linear is at most {_EQUAL} below the lowest sound detector.",
        _as_good,
        "cells of linear and of a sound detector at random, level 0, on a corpus compared with "
        "BigCloneBench",
    ),
    (
        _ABS_PAPER,
        2,
        "It is far below them on OJClone and on AbsBigCloneBench.",
        f"At random: linear is at least {_BELOW} below the lowest sound detector on both.",
        _far_below,
        "cells of linear and of a sound detector at random, on OJClone and at level abs on "
        "BigCloneBench",
    ),
    (
        _ABS_PAPER,
        3,
        "Models trained on BigCloneBench fail on AbsBigCloneBench.",
        f"At random: each loses at least {_FAR} when trained at level 0 and tested at abs.",
        _fail_on_abs,
        "cells that train at level 0 and test at 0 and at abs, on a corpus compared with "
        "BigCloneBench",
    ),
    (
        _ABS_PAPER,
        4,
        "Models trained on AbsBigCloneBench keep their level on BigCloneBench.",
        f"At random: each sound detector loses at most {_KEPT} when trained at abs and tested at "
        "level 0.",
        _keep_on_original,
        "cells of a sound detector that train at abs and test at abs and at level 0, on a corpus "
        "compared with BigCloneBench",
    ),
)
