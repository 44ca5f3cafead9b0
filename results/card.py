"""The cards of every measure on real functions: ``python results/card.py FOLDER -o PAGE``.

FOLDER holds the tasks of HumanEvalPack (``python.jsonl.xz``, ``java.jsonl.xz``, ...), of which the
canonical solutions are changed. PAGE is docs/results/card.md.
"""

from __future__ import annotations

import json
import lzma
import math
import tempfile
from pathlib import Path

from codekin.evaluation.card import Card, ChangeEffect, MeasureCard, evaluate_card
from pages import arguments, between, number, table, write_page

LANGUAGES = {"python": "python", "java": "java", "cpp": "cpp", "js": "javascript"}


def programs(folder: Path) -> list[dict[str, str]]:
    """The canonical solutions as programs of their own."""
    found = []
    for name, language in LANGUAGES.items():
        with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                code = row["declaration"] + row["canonical_solution"]
                found.append({"id": row["task_id"], "language": language, "code": code})
    return found


def cell(one: ChangeEffect) -> str:
    """The mean score, and how often it is that of equal texts."""
    return f"{number(one.mean)} ({one.stayed:.0%})" if one.n else "–"


def change_table(cards: list[MeasureCard], *, preserving: bool) -> str:
    """Measures down, changes across."""
    heads = [one.change for one in cards[0].changes if one.preserving == preserving]
    rows = [
        [card.label, *(cell(one) for one in card.changes if one.preserving == preserving)]
        for card in cards
    ]
    return table(["measure", *heads], rows)


def by_separation(one: MeasureCard) -> tuple[bool, float]:
    """The best first, what has none last."""
    value = one.separation.value
    return (False, -value) if math.isfinite(value) else (True, 0.0)


def page(card: Card) -> str:
    """The whole page."""
    cards = list(card.measures)
    by_language = ", ".join(f"{count:,} {name}" for name, count in card.languages)
    costs = [[one.label, *(f"{cost.microseconds:,.0f}" for cost in one.costs)] for one in cards]
    sizes = [f"{cost.tokens:,} tokens" for cost in cards[0].costs]
    counts = ", ".join(f"{one.change} {one.n:,}" for one in cards[0].changes)
    return "\n\n".join(
        [
            "# Cards of the measures",
            "Made by `python results/card.py FOLDER -o docs/results/card.md`, which changes "
            f"the canonical solutions of HumanEvalPack ({by_language}) one change at a time and "
            f"scores each against itself as it was. Programs that admit a change: {counts}.",
            "## Changes that keep the meaning",
            "The mean score, which should stay 1 (0 for the distance `ed`), and how often it does.",
            change_table(cards, preserving=True),
            "## Changes that break it",
            "The mean score, which should fall, and how often it does not. A few mutants are "
            "equivalent by chance; see [Rewriting](../rewriting.md).",
            change_table(cards, preserving=False),
            "## Telling one from the other",
            "The chance that a program after a change that keeps its meaning scores above one "
            "after a change that breaks it; 0.5 tells nothing apart. Below 0.5, a measure punishes "
            "harmless changes more than harmful ones.",
            table(
                ["measure", "separation", "95 %"],
                [
                    [one.label, number(one.separation), between(one.separation.bca)]
                    for one in sorted(cards, key=by_separation)
                ],
            ),
            "## What a pair costs",
            "Microseconds from two texts to their score, parsing included, by the size of a text "
            "(medians; one core, one machine, one run).",
            table(["measure", *sizes], costs),
        ]
    )


def main() -> None:
    """Change, score and write."""
    given = arguments(__doc__ or "", "a folder of HumanEvalPack tasks")
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.runs or Path(temporary)
        card = evaluate_card(
            programs(given.data), given.measure, output=folder / "card", resamples=given.resamples
        )
        write_page(page(card), given.output)


if __name__ == "__main__":
    main()
