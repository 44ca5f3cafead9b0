"""Counter-examples of adequacy as text: the scores, and the texts as three-way alignments."""

from __future__ import annotations

from collections.abc import Iterator

from codekin.evaluation.adequacy import AdequacyJudgement, CounterExample, Verdict
from codekin.report.alignment_terminal import plain_text
from codekin.results import count_text
from codekin.revisions.alignment import align_revisions

__all__ = ["counter_example_text", "counter_examples_text"]

_INDENT = "    "


def counter_examples_text(judgement: AdequacyJudgement, width: int = 100) -> str:
    """The smallest counter-example of each criterion that a measure breaks; empty for none."""
    parts = []
    for one in judgement.measures:
        for verdict in one.verdicts:
            if verdict.counter_example is not None:
                parts.append(f"{one.label} {counter_example_text(verdict, width)}")
    return "\n\n".join(["The smallest counter-examples", *parts]) if parts else ""


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
    case = example.case
    for triple, label in shown.items():
        candidate, reference, origin = (case.texts[i] for i in triple)
        aligned = align_revisions(candidate, reference, origin=origin, language=case.language)
        yield label if len(shown) > 1 else "", plain_text(aligned, width)
