"""Counter-examples of adequacy as text: the scores, and the texts as three-way alignments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from codekin.align.three_way import EditKind, ThreeWayAlignment, align_three
from codekin.evaluation.adequacy import AdequacyJudgement, CounterExample, Verdict
from codekin.evaluation.adequacy.case import words
from codekin.plain_text import visible
from codekin.results import count_text

__all__ = ["LEGEND", "counter_example_text", "counter_examples_text", "three_way_text"]

LEGEND = (
    "+ inserted, - deleted: by both (++, --), the reference alone (+r, -r), the candidate alone "
    "(+c, -c); regions are numbered"
)

_MARKS = {
    EditKind.KEPT: "",
    EditKind.BOTH_INSERT: "++",
    EditKind.FIRST_INSERT: "+r",
    EditKind.SECOND_INSERT: "+c",
    EditKind.BOTH_DELETE: "--",
    EditKind.FIRST_DELETE: "-r",
    EditKind.SECOND_DELETE: "-c",
    EditKind.MIXED: "?",
}
_ROLES = ("origin", "reference", "candidate", "edit", "region")
_TEXTS = 3
_GAP = "·"
_NEAR = 3
"""So many conserved tokens are left beside an edit; a longer run is elided but for these."""

Column = tuple[str, str, str, str, str]


def three_way_text(alignment: ThreeWayAlignment, width: int = 100) -> str:
    r"""Write an alignment, the first sequence as the reference and the second as the candidate.

    Each column says who edits there, and each divergent region has its number. Long runs that all
    three share are elided, and what is too wide goes on below.

    Parameters
    ----------
    alignment : ThreeWayAlignment
        Of texts.
    width : int
        Of a line, in cells; a single column may be wider.

    Examples
    --------
    >>> from codekin.align.three_way import align_three
    >>> table = align_three("a b d".split(), "a c d".split(), "a b d".split())
    >>> print(three_way_text(table))
    origin     a  ·   b   d
    reference  a  ·   b   d
    candidate  a  c   ·   d
    edit          +c  -c
    region        1   1
    """
    columns = _elided(list(_columns(alignment)))
    first = max(map(len, _ROLES))
    blocks = []
    for block in _blocks(columns, width - first):
        widths = [max(map(cell_len, column)) for column in block]
        lines = [
            name.ljust(first)
            + "".join(
                f"  {column[row]}{' ' * (wide - cell_len(column[row]))}"
                for column, wide in zip(block, widths, strict=True)
            )
            for row, name in enumerate(_ROLES)
            if row < _TEXTS or any(column[row] for column in block)
        ]
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(blocks)


def _columns(alignment: ThreeWayAlignment) -> Iterator[Column]:
    reference, candidate, origin = alignment.rows(gap=None)
    region, inside = 0, False
    for o, r, c, kind in zip(origin, reference, candidate, alignment.verdicts, strict=True):
        kept = kind is EditKind.KEPT
        region += not kept and not inside
        inside = not kept
        yield _shown(o), _shown(r), _shown(c), _MARKS[kind], "" if kept else str(region)


def _shown(token: object) -> str:
    """A token that takes its place; a line end and a gap have signs of their own."""
    if token is None:
        return _GAP
    return "⏎" if token == "\n" else "".join(map(visible, str(token)))


def _elided(columns: Sequence[Column]) -> list[Column]:
    """The columns without the middles of long runs that all three share."""
    found: list[Column] = []
    done = 0
    for kept, group in groupby(columns, key=lambda column: not column[3]):
        run = list(group)
        before = _NEAR if done else 0
        done += len(run)
        after = _NEAR if done < len(columns) else 0
        gone = len(run) - before - after
        if kept and gone > _NEAR:
            mark = f"…{gone}…"
            found += [*run[:before], (mark, mark, mark, "", ""), *run[len(run) - after :]]
        else:
            found += run
    return found


def _blocks(columns: Sequence[Column], width: int) -> Iterator[list[Column]]:
    """Runs of columns that fit a width."""
    block: list[Column] = []
    left = width
    for column in columns:
        wide = 2 + max(map(cell_len, column))
        if block and wide > left:
            yield block
            block, left = [], width
        block.append(column)
        left -= wide
    if block:
        yield block


_INDENT = "    "


def counter_examples_text(judgement: AdequacyJudgement, width: int = 100) -> str:
    """The smallest counter-example of each criterion that a measure breaks; empty for none."""
    parts = []
    for one in judgement.measures:
        for verdict in one.verdicts:
            if verdict.counter_example is not None:
                parts.append(f"{one.label} {counter_example_text(verdict, width)}")
    if not parts:
        return ""
    head = f"The smallest counter-examples ({LEGEND})"
    return "\n\n".join([head, *parts])


def counter_example_text(verdict: Verdict, width: int = 100) -> str:
    """What a criterion asks, and a case that breaks it."""
    example = verdict.counter_example
    if example is None:
        return f"keeps {verdict.criterion}"
    criterion, case = verdict.criterion, example.case
    scores = ", ".join(
        f"{label} {value:.4g}"
        for label, value in zip(criterion.labels, example.values, strict=True)
    )
    edited = {"line": "lines", "token": "tokens", "block": "functions"}[case.level]
    origin = "made up" if case.made else "of a program"
    lines = [
        f"breaks {criterion}",
        f"  {scores}",
        f"  {case.language}, {edited} edited, {origin}, {count_text(case.size, 'word')}",
    ]
    for label, drawn in _alignments(verdict, example, width - len(_INDENT)):
        if label:
            lines.append(f"  {label}:")
        lines += [_INDENT + line if line else "" for line in drawn.splitlines()]
    return "\n".join(lines)


def _alignments(verdict: Verdict, example: CounterExample, width: int) -> Iterator[tuple[str, str]]:
    """Each comparison that shows something: two texts that are the same do not."""
    triples = dict(zip(verdict.criterion.triples, verdict.criterion.labels, strict=True))
    shown = {
        triple: label for triple, label in triples.items() if triple[0] != triple[1]
    } or triples
    for triple, label in shown.items():
        candidate, reference, origin = (words(example.case.texts[i]) for i in triple)
        drawn = three_way_text(align_three(reference, candidate, origin), width)
        yield label if len(shown) > 1 else "", drawn
