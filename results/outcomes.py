"""How well every measure correlates with tests, next to the Excision Score paper's figure 1.

``python results/outcomes.py FOLDER -o docs/results/outcomes.md``, where FOLDER holds files of
edits with outcomes (``NAME.jsonl.xz``). Every file is also scored with shared random context.
"""

from __future__ import annotations

import json
import lzma
import math
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from codekin import Run, measure, measure_names
from codekin.evaluation.outcomes import (
    Correlations,
    OutcomeEffect,
    OutcomeJudgement,
    evaluate_outcomes,
)
from codekin.measures import parse_measure
from codekin.statistics.bootstrap import Interval
from pages import (
    arguments_parser,
    between,
    mean,
    number,
    pairs_per_second,
    row_files,
    table,
    write_page,
)

PREFIX = "prefix:2000-3000"
VARIANTS = (
    "sari:zero=skip,keep=false",
    "diffbleu:recipe=codeplan",
    "sanslcs:inner=nes",
    "sanslcs:inner=codebleu",
    "es-token:preset=paper",
    "es-line:preset=paper",
    "es:parse=false",
)
"""Scored in addition to the default of every measure."""
PUBLISHED = ("sari", "es-token:preset=paper", "es-line:preset=paper", "es-token", "es-line")
PAPER = {
    "es-token:preset=paper": ("0.643 [0.636, 0.651]", "unaffected"),
    "es-line:preset=paper": ("0.599 [0.592, 0.607]", "unaffected"),
    "sari": ("0.572 [0.564, 0.580]", "0.549 [0.541, 0.558]"),
    "bleu": ("[0.505, 0.520]", "[0.439, 0.451]"),
    "nes": ("[0.505, 0.520]", "[0.391, 0.403]"),
    "codebleu": ("[0.494, 0.510]", "[0.457, 0.471]"),
    "chrf": ("[0.480, 0.494]", "[0.431, 0.444]"),
}

MEAN_PREFIX = 2500
"""Characters of a prefix, in the mean."""
PAPER_EDITED = {
    "canitedit": ("21 %", "7 %", "1.2"),
    "humanevalfix-python": ("5 %", "0.5 %", ""),
}
"""The shares of the origin that are edited, without and with a prefix, and the ratio of lengths."""

PROTOTYPE = {
    "bleu": (".23 (.64)", ".41", ".09"),
    "codebleu": (".27 (.66)", ".41", ".08"),
    "nes": (".17 (.60)", ".42", ".10"),
    "diffbleu": (".78 (.62)", ".50", ".26"),
    "sari": (".83 (.73)", ".46", ".22"),
    "sari:zero=skip,keep=False": (".86 (.74)", ".49", ".30"),
    "es-token:preset=paper": (".66 (.45)", ".17", ".16"),
    "es-token": (".85 (.73)", ".55", ".27"),
    "es-line": (".86 (.74)", ".52", ".23"),
    "es": (".87 (.76)", ".57", ".30"),
}
"""The r of an earlier prototype of these measures on the same rows."""
PROTOTYPE_SETS = ("humanevalfix-python", "debugbench-cpp", "canitedit")


def effects(judgement: OutcomeJudgement) -> dict[str, OutcomeEffect]:
    """By label, the baseline last."""
    return {one.label: one for one in (*judgement.measures, judgement.length)}


def r(one: Correlations | None) -> str:
    """Pearson's r over some rows, if there are any."""
    return "" if one is None else number(one.pearson.value)


def reversed_sign(interval: Interval) -> Interval:
    """The interval of the negative of what it estimates."""
    return replace(interval, low=-interval.high, high=-interval.low)


def overview(sets: Mapping[str, OutcomeJudgement], rates: Mapping[str, float]) -> str:
    """Pearson's r, measures down and files across, and the cost."""
    rows = []
    for label in effects(next(iter(sets.values()))):
        cells = []
        for judgement in sets.values():
            one = effects(judgement)[label]
            cells += [r(one.every), r(one.without_unchanged), number(one.every.within)]
        rate = rates.get(label)
        cells += [PAPER.get(label, ("", ""))[0], "–" if rate is None else f"{rate:,.0f}"]
        rows.append([label, *cells])
    heads = [head for name in sets for head in (name, "changed rows only", "within tasks")]
    rows += [
        [label, *[""] * len(heads), plain, ""]
        for label, (plain, _) in PAPER.items()
        if label not in effects(next(iter(sets.values())))
    ]
    return table(["measure", *heads, "paper, HumanEvalFix", "pairs/s"], rows)


def edited_table(files: Mapping[str, Path]) -> str:
    """How much of the origin the reference changes, as means over tasks."""
    nes = measure("nes")
    rows = []
    for name, path in files.items():
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            tasks = {(row["origin"], row["reference"]) for row in map(json.loads, lines)}
        edited, in_front, ratios = [], [], []
        for origin, reference in sorted(tasks):
            share = 1 - nes.score(origin, reference).value
            size = max(len(origin), len(reference))
            edited.append(share)
            in_front.append(share * size / (size + MEAN_PREFIX))
            ratios.append(len(reference) / len(origin))
        shares = [f"{mean(values):.1%}" for values in (edited, in_front)]
        paper = PAPER_EDITED.get(name, ("", "", ""))
        cells = [*shares, f"{mean(ratios):.2f}"]
        both = [cell for pair in zip(cells, paper, strict=True) for cell in pair]
        rows.append([name, f"{len(tasks):,}", *both])
    heads = ["edited", "paper", "with prefix", "paper", "reference / origin", "paper"]
    return table(["file", "tasks", *heads], rows)


def prototype_table(sets: Mapping[str, OutcomeJudgement]) -> str:
    """Pearson's r next to the prototype's; in brackets, without rows that return the origin."""
    known = [name for name in PROTOTYPE_SETS if name in sets]
    rows = []
    for label, numbers in PROTOTYPE.items():
        cells = []
        for name in known:
            one = effects(sets[name]).get(label)
            expected = numbers[PROTOTYPE_SETS.index(name)]
            ours = "–" if one is None else f"{r(one.every)} ({r(one.without_unchanged)})"
            cells += [ours, expected]
        rows.append([label, *cells])
    heads = [head for name in known for head in (name, "prototype")]
    return table(["measure", *heads], rows)


def as_published(sets: Mapping[str, OutcomeJudgement]) -> str:
    """Pearson's r of the paper's form of the measure, beside ours and SARI."""
    known = effects(next(iter(sets.values())))
    labels = [label for label in PUBLISHED if label in known]
    rows = [[label, *(r(effects(one)[label].every) for one in sets.values())] for label in labels]
    return table(["measure", *sets], rows)


def with_prefix(sets: Mapping[str, OutcomeJudgement]) -> str:
    """The effect of shared context on Pearson's r, over all rows and within tasks."""
    rows = []
    for label in effects(next(iter(sets.values()))):
        cells = []
        for judgement in sets.values():
            one = effects(judgement)[label]
            for changed in one.perturbed:
                before, after = changed.plain, changed.changed
                cells += [
                    f"{r(before)} → {r(after)}",
                    f"{number(before.within)} → {number(after.within)}",
                ]
        plain, shared = PAPER.get(label, ("", ""))
        rows.append([label, *cells, f"{plain} → {shared}" if plain else ""])
    heads = [head for name in sets for head in (name, "within tasks")]
    rows += [
        [label, *[""] * len(heads), f"{plain} → {shared}"]
        for label, (plain, shared) in PAPER.items()
        if label not in effects(next(iter(sets.values())))
    ]
    return table(["measure", *heads, "paper, HumanEvalFix"], rows)


def set_section(name: str, judgement: OutcomeJudgement) -> str:
    """One file in full."""
    rows = []
    for label, one in effects(judgement).items():
        every = one.every
        rows.append(
            [
                label,
                number(every.pearson.value),
                between(every.pearson.row),
                between(every.pearson.task),
                between(every.pearson.group),
                number(every.within),
                between(every.within.bca),
                number(every.spearman.value),
                number(every.kendall.value),
                number(every.auc.value),
                r(one.without_unchanged),
                r(one.without_equal),
                r(one.without_both),
                number(one.groups_kendall),
                between(one.groups_kendall.bca),
                f"{one.n:,}",
                f"{one.failed:,}",
            ]
        )
    heads = ["measure", "r", "by row", "by task", "by group", "within tasks", "by task"]
    heads += ["rho", "tau", "AUC"]
    heads += [
        "without unchanged",
        "without equal",
        "without both",
        "tau over groups",
        "95 %",
        "n",
        "failed",
    ]
    lost = []
    for label, one in effects(judgement).items():
        for changed in one.perturbed:
            lost.append(
                [
                    label,
                    r(changed.plain),
                    r(changed.changed),
                    number(changed.loss),
                    between(changed.loss.bca),
                    number(changed.plain_mean),
                    number(changed.changed_mean),
                ]
            )
    best = max(
        judgement.measures,
        key=lambda one: (math.isfinite(one.every.pearson.value), one.every.pearson.value),
    )
    apart = [
        [
            one.second if one.first == best.label else one.first,
            number(sign * one.difference.value),
            between(one.difference.bca if sign == 1 else reversed_sign(one.difference.bca)),
            f"{one.adjusted:.4f}" if math.isfinite(one.adjusted) else "–",
        ]
        for one in judgement.differences
        for sign in [1 if one.first == best.label else -1]
        if best.label in (one.first, one.second)
    ]
    text = (
        f"## {name}\n\n{judgement.rows:,} rows from {judgement.tasks:,} tasks and "
        f"{judgement.groups:,} groups; {judgement.unchanged:,} return the origin unchanged and "
        f"{judgement.equal:,} are the reference, both ignoring layout and comments.\n\n"
        + table(heads, rows)
    )
    if lost:
        heads = [
            "measure",
            "r",
            "r with prefix",
            "loss",
            "95 % by task",
            "mean",
            "mean with prefix",
        ]
        text += (
            "\n\nWith 2,000 to 3,000 characters of shared random text before origin, reference and "
            "candidate:\n\n" + table(heads, lost)
        )
    if apart:
        heads = ["other", f"r of {best.label} − other", "95 % by task", "p (Holm)"]
        pairs = sum(math.isfinite(one.adjusted) for one in judgement.differences)
        text += (
            "\n\nThe best measure against the others, paired. p is adjusted for all "
            f"{pairs:,} pairs of measures, and with {judgement.difference_resamples:,} "
            "resamples it cannot be below "
            f"{pairs / (judgement.difference_resamples + 1):.4f}:\n\n" + table(heads, apart)
        )
    return text


def page(
    sets: Mapping[str, OutcomeJudgement], rates: Mapping[str, float], files: Mapping[str, Path]
) -> str:
    """The whole page."""
    return "\n\n".join(
        [
            "# Edits and their tests",
            "Generated by `python results/outcomes.py FOLDER -o docs/results/outcomes.md`, which "
            "scores every file of edits in FOLDER with every measure, without and with shared "
            "random context. Pearson's r is with the test outcome, with the sign reversed for the "
            "distance `ed`. [Evaluation](../evaluation.md) explains the numbers, "
            "[Results](index.md) discusses them.",
            "## Pearson's r with the outcome",
            "The paper's own numbers are for other models' outputs on HumanEvalFix in six "
            "languages (its intervals are by row). Pairs per second: one core, from texts, "
            "including parsing, one machine, one run.",
            overview(sets, rates),
            "## What is edited",
            "The normalized edit distance of characters between origin and reference, without and "
            f"with a prefix of {MEAN_PREFIX:,} characters in front of both, and their ratio of "
            "lengths; means over tasks.",
            edited_table(files),
            "## The Excision Score as the paper defines it",
            "Pearson's r over all rows. `preset=paper` follows the definition in the paper; "
            "`es-token` and `es-line` are ours, changed as their [page](../measures/es-token.md) "
            "says.",
            as_published(sets),
            "## Comparison with the prototype",
            "The r of an earlier prototype of these measures on the same rows, to two digits; in "
            "brackets, without the rows that return the origin unchanged. For `es` it is the "
            "mixture that the search [started from](es.md).",
            prototype_table(sets),
            "## Effect of shared context",
            "Pearson's r before and after adding the same 2,000 to 3,000 random characters in "
            "front of origin, reference and candidate, as in the paper.",
            with_prefix(sets),
            *(set_section(name, one) for name, one in sets.items()),
        ]
    )


def main() -> None:
    """Score, judge and write."""
    parser = arguments_parser(__doc__ or "", "a folder of edits with outcomes")
    parser.add_argument("--plain", action="store_true", help="without shared context")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.runs or Path(temporary)
        sets, runs = {}, []
        words = given.measure or (*measure_names(), *VARIANTS)
        measures = [parse_measure(word) for word in words]
        files = row_files(given.data)
        for name, path in files.items():
            sets[name] = evaluate_outcomes(
                str(path),
                measures,
                perturb=() if given.plain else PREFIX,
                output=folder / name,
                resume=(folder / name / "manifest.json").exists(),
                resamples=given.resamples,
            )
            runs.append(Run(folder / name))
        write_page(page(sets, pairs_per_second(runs), files), given.output)


if __name__ == "__main__":
    main()
