"""The adequacy of every measure: ``python results/adequacy.py -o PAGE``.

PAGE is docs/results/adequacy.md. It needs no data: the cases are generated.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codekin import evaluate_adequacy, measure_names
from codekin.evaluation.adequacy import AdequacyJudgement, MeasureAdequacy, Verdict
from codekin.evaluation.adequacy.criteria import PROPERTIES
from codekin.report.adequacy_examples import counter_example_text
from pages import table, write_page

# What the paper says, by measure and criterion: sections 2 and 3.2 to 3.4 name measures, section 5
# is about all pairwise ones, and the only one to name CodeBLEU.
CLAIMS = {
    "bleu": ("2c", "3", "4"),
    "nes": ("2c", "3", "4"),
    "chrf": ("2c", "3", "4"),
    "rouge": ("2c",),
    "meteor": ("2c",),
    "codebleu": ("3", "4"),
    "sari": ("3",),
    "sanslcs": ("1c",),
    "diffbleu": ("2b", "2d"),
}
MEETS = {
    "sanslcs": ("3a", "3b", "3c"),
    "diffbleu": ("3a", "3b", "3c"),
    "es-line:preset=paper": ("1", "2", "3", "4", "5a"),
    "es-token:preset=paper": ("1", "2", "3", "4", "5a"),
}
"""The paper's claims are about the measure that it defines, not about ours."""
VARIANTS = ("es-line:preset=paper", "es-token:preset=paper")
"""Judged in addition to the default of every measure."""
_UNSEEN = "section 5: pairwise measures do not take the origin into account"
_WHY = {
    **{(label, "4"): _UNSEEN for label in ("bleu", "nes", "chrf", "codebleu")},
    ("codebleu", "3"): "section 5: pairwise measures reward shared context",
    ("bleu", "2c"): "section 2, Example 1",
    **{(label, "2c"): "section 2" for label in ("nes", "chrf", "rouge", "meteor")},
    ("sari", "3"): "section 3.3: the keep term is not invariant",
    ("sanslcs", "1c"): "section 3.3, Example 3",
    ("diffbleu", "2b"): "section 3.3, Example 4",
    ("diffbleu", "2d"): "section 3.3: inserted words match deleted ones",
    ("es-line:preset=paper", "5a"): "section 3.4: partly, misplaced insertions",
    ("es-token:preset=paper", "5a"): "section 3.4: partly, misplaced insertions",
}
_WHERE = {
    "sanslcs": "section 3.3",
    "diffbleu": "section 3.3",
    "es-line:preset=paper": "section 3.4",
    "es-token:preset=paper": "section 3.4",
}
SHOWN = (
    ("bleu", "2c"),
    ("bleu", "3d"),
    ("nes", "4"),
    ("chrf", "3a"),
    ("sari", "3a"),
    ("sari", "3c"),
    ("sanslcs", "1c"),
    ("diffbleu", "2b"),
    ("diffbleu", "2d"),
    ("es-token", "4"),
    ("es-token", "5b"),
    ("es-line", "4"),
    ("es", "4"),
)


def of(one: MeasureAdequacy, name: str) -> list[Verdict]:
    """The verdicts on a criterion, or on all criteria of a property."""
    return [v for v in one.verdicts if name in (v.criterion.name, v.criterion.name[0])]


def cell(verdict: Verdict) -> str:
    if not verdict.cases:
        return "–"
    return "holds" if not verdict.broken else str(verdict)[len("fails (") : -1]


def verdict_table(judgement: AdequacyJudgement) -> str:
    """Measures down, criteria across."""
    rows = [[one.label, *(cell(verdict) for verdict in one.verdicts)] for one in judgement.measures]
    return table(["measure", *(one.name for one in judgement.criteria)], rows)


def claim_table(judgement: AdequacyJudgement) -> str:
    """What the paper says about each measure, and our verdicts."""
    found = {one.label: one for one in judgement.measures}
    rows = []
    for says, claims in (("breaks", CLAIMS), ("meets", MEETS)):
        for label, names in claims.items():
            for name in names:
                words = PROPERTIES[int(name)] if len(name) == 1 else ""
                why = _WHY.get((label, name)) or _WHERE.get(label, "sections 2 and 3.2")
                rows.append([label, f"{name} {words}".strip(), f"{says} ({why})"])
                rows[-1] += list(_outcome(found.get(label), name, says))
    return table(["measure", "criterion", "the paper", "here", "agrees"], rows, keys=5)


def _outcome(one: MeasureAdequacy | None, name: str, says: str) -> tuple[str, str]:
    if one is None:
        return "–", "–"
    verdicts = of(one, name)
    shown = ", ".join(f"{v.criterion.name} {cell(v)}" for v in verdicts)
    broken = any(v.broken for v in verdicts)
    if says == "breaks":
        return shown, "yes" if broken else "no"
    worst = max((v.share for v in verdicts if v.cases), default=0.0)
    if not broken:
        return shown, "yes"
    return shown, f"except in {worst:.1%} of cases" if worst < 0.1 else "no"


def examples(judgement: AdequacyJudgement) -> str:
    """Counter-examples, both those that the paper claims and others."""
    found = {one.label: one for one in judgement.measures}
    texts = [
        f"{label} {counter_example_text(verdict)}"
        for label, name in SHOWN
        if label in found
        for verdict in of(found[label], name)
        if verdict.broken
    ]
    return "```text\n" + "\n\n".join(texts) + "\n```"


def page(judgement: AdequacyJudgement) -> str:
    """The whole page."""
    total = sum(verdict.cases for verdict in judgement.measures[0].verdicts)
    requirements = [[one.name, PROPERTIES[one.property], one.asks] for one in judgement.criteria]
    return "\n\n".join(
        [
            "# Adequacy of the measures",
            "Generated by `python results/adequacy.py -o docs/results/adequacy.md`, the table "
            f"alone by `codekin evaluate adequacy --cases {judgement.cases}`: {total:,} generated "
            f"cases in {', '.join(judgement.languages)}, {judgement.cases:,} per criterion, seed "
            f"{judgement.seed}. [Adequacy](../adequacy.md) describes how they are made.",
            "## Verdicts",
            "The share of cases that break a criterion; *holds* means none, – that the criterion "
            "does not apply (it is about scores from 0 to 1, and `ed` is a distance).",
            verdict_table(judgement),
            table(["criterion", "property", "requirement"], requirements, keys=3),
            "## Comparison with the paper",
            "What the Excision Score paper says about measures, and what our cases show. Sections "
            "2 and 3.2 to 3.4 name measures; section 5 is about all pairwise ones. We agree that "
            "a measure breaks a property if it breaks any part of it. What the paper claims of the "
            "Excision Score is checked on the measure that it defines, `preset=paper`; our "
            "`es-line` and `es-token`, in the table above, were changed where that one fails.",
            claim_table(judgement),
            "## Smallest counter-examples",
            "Minimised, as `codekin align` shows them. For all others, run `codekin evaluate "
            "adequacy --examples`.",
            examples(judgement),
        ]
    )


def main() -> None:
    """Judge and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    parser.add_argument("-m", "--measure", action="append", help="a measure (default: all)")
    parser.add_argument("--cases", type=int, default=500)
    given = parser.parse_args()
    measures = given.measure or (*measure_names(), *VARIANTS)
    write_page(page(evaluate_adequacy(measures, cases=given.cases)), given.output)


if __name__ == "__main__":
    main()
