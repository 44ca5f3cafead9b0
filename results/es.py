"""How the measure es was chosen: the variants and their correlation with tests.

``python results/es.py FOLDER -o docs/results/es.md``, where FOLDER holds files of edits with
outcomes (``NAME.jsonl.xz``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin import Source
from codekin.align.excise import excision_parts, revision_grams
from codekin.align.regions import divergent_regions
from codekin.measures.es import both_parse_or_neither
from codekin.measures.excised import Excised, Units, excise
from codekin.runs.rows import open_rows
from pages import arguments, row_files, table, write_page

Floats = npt.NDArray[np.float64]
ORDERS = 6
FOLDS = 5
OVERLAP = 0.5
GAPS = (1, 2, 4)
REWRITES = ("nothing", "quotes", "braces", "names")
CEILING = 0.9999


@dataclass(frozen=True)
class Edits:
    """One file: the counts of every way in each row, and the test outcomes."""

    outcome: Floats
    untouched: npt.NDArray[np.bool_]
    equal: npt.NDArray[np.bool_]
    parses: npt.NDArray[np.bool_]
    fold: npt.NDArray[np.int64]
    counts: Mapping[str, Floats]
    """Per way of counting: rows by orders by operations (add, delete, keep) by (both, A, B)."""
    token: Floats

    def part(self, rows: npt.NDArray[np.bool_]) -> Edits:
        """Some of the rows."""
        return Edits(
            self.outcome[rows],
            self.untouched[rows],
            self.equal[rows],
            self.parses[rows],
            self.fold[rows],
            {name: one[rows] for name, one in self.counts.items()},
            self.token[rows],
        )


Variant = Callable[[Edits], Floats]


def merged(excised: Excised, gap: int) -> Excised:
    """The same with regions joined across gaps of up to `gap` conserved tokens."""
    rows: list[list[int]] = []
    for row in excised.regions.tolist():
        if rows and row[4] - rows[-1][5] <= gap:
            rows[-1][1::2] = row[1::2]
        else:
            rows.append(row)
    regions = np.array(rows, dtype=np.int32).reshape(-1, 6)
    return Excised(excised.origin, excised.reference, excised.candidate, regions)


def rewritten(sources: list[Source], way: str) -> Excised:
    """Origin, reference and candidate with quotes, braces, new names or nothing normalised."""
    texts = [source.lexemes.texts for source in sources]
    if way == "quotes":
        texts = [[_QUOTES.sub(r'\1"\3"', t) for t in one] for one in texts]
    if way == "braces":
        texts = [[t for t in one if t not in "{}"] for one in texts]
    if way == "names":
        known = set(texts[0])
        texts[1:] = [[_placeholder(t, known) for t in one] for one in texts[1:]]
    numbers: dict[str, int] = {}
    ids = [
        np.array([numbers.setdefault(t, len(numbers) + 1) for t in one], dtype=np.uint64)
        for one in texts
    ]
    return Excised(*ids, divergent_regions(ids[1], ids[2], ids[0]))


_QUOTES = re.compile(r"""^(\w*)(["'])([^"'\\]*)\2$""")
_NAME = re.compile(r"[^\W\d]\w*")


def _placeholder(text: str, known: set[str]) -> str:
    return text if text in known or not _NAME.fullmatch(text) else "a new name"


def whole(excised: Excised) -> Excised:
    """The texts as one region, between sentinels."""
    marks = np.arange(1, 2 * ORDERS - 1, dtype=np.uint64) << np.uint64(4)  # no lexeme's identity
    head, tail = marks[: ORDERS - 1], marks[ORDERS - 1 :]
    ids = [
        np.concatenate((head, one, tail))
        for one in (excised.origin, excised.reference, excised.candidate)
    ]
    bounds = [0, len(ids[1]), 0, len(ids[2]), 0, len(ids[0])]
    return Excised(*ids, np.array([bounds], dtype=np.int32))


def counted(excised: Excised, *, context: bool = False) -> list[Any]:
    """The counts of every order, except those of n-grams kept anywhere."""
    grams = revision_grams(
        excised.origin,
        excised.reference,
        excised.candidate,
        excised.regions,
        ORDERS,
        context=context,
    )
    return [one[:3] for one in grams]


def read(path: Path) -> Edits:
    """Count what the edits in every row have in common, in every way."""
    rows: list[tuple[Any, ...]] = []
    counts: dict[str, list[Any]] = {}
    tasks: dict[str, int] = {}
    kept: dict[tuple[str, str], Source] = {}
    for fields in _records(path):
        language = fields["language"]
        origin, reference = (
            kept.setdefault((fields[name], language), Source(fields[name], language))
            for name in ("origin", "reference")
        )
        candidate = Source(fields["candidate"], language)
        tokens = excise(candidate, reference, origin, Units())
        lines = excise(candidate, reference, origin, Units(by="line"))
        ways = {"tokens": tokens, "lines": lines}
        ways |= {f"gap {gap}": merged(tokens, gap) for gap in GAPS}
        found = {name: counted(one) for name, one in ways.items()}
        found["document"] = counted(tokens, context=True)
        found["text"] = counted(whole(tokens))
        for way in REWRITES:
            sources = [origin, reference, candidate]
            found[way] = counted(rewritten(sources, way), context=True)
        for name, one in found.items():
            counts.setdefault(name, []).append(one)
        parts = excision_parts(tokens.origin, tokens.reference, tokens.candidate, tokens.regions)
        rows.append(
            (
                float(fields["outcome"]),
                np.array_equal(tokens.origin, tokens.candidate),
                np.array_equal(tokens.reference, tokens.candidate),
                both_parse_or_neither(candidate, reference, lines.regions),
                tasks.setdefault(fields["origin"], len(tasks)) % FOLDS,
                parts.value,
            )
        )
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    shaped = {name: np.array(one, dtype=np.float64) for name, one in counts.items()}
    return Edits(*columns[:5], shaped, columns[5])


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for shard in open_rows([path]).shards():
        for record in shard.records():
            if record.fields is not None and isinstance(record.fields.get("origin"), str):
                yield dict(record.fields)


def settled(values: Floats, edits: Edits) -> Floats:
    """Equal revisions score 1, different ones less, and 0 if nothing is defined."""
    known = np.where(np.isnan(values), 0.0, np.minimum(values, CEILING))
    return np.where(edits.equal, 1.0, known)


def apart(way: str, parts: int = 2, orders: int = 4) -> Variant:
    """The mean of separate F1s of additions, deletions (and kept n-grams), as in es-token."""

    def score(edits: Edits) -> Floats:
        counts = edits.counts[way][:, :orders, :parts]
        sums = counts[..., 1] + counts[..., 2]
        shares = np.where(sums > 0, 2 * counts[..., 0] / np.maximum(sums, 1), np.nan)
        return settled(_mean(_mean(shares)), edits)

    return score


def together(
    way: str,
    overlap: float = OVERLAP,
    orders: int = 4,
    *,
    balanced: bool = True,
    by_order: bool = False,
) -> Variant:
    """Additions and deletions pooled: F1, mixed with the overlap with the smaller edit.

    If balanced, deletions weigh no more than additions. Orders are pooled too, unless `by_order`,
    which takes the mean over orders.
    """

    def score(edits: Edits) -> Floats:
        counts = edits.counts[way][:, :orders]
        counts = counts if by_order else counts.sum(axis=1, keepdims=True)
        added, deleted = counts[:, :, 0], counts[:, :, 1]
        one = balance(added[..., 1:].sum(axis=-1), deleted[..., 1:].sum(axis=-1), balanced)
        other = balance(added[..., 1:].min(axis=-1), deleted[..., 1:].max(axis=-1), balanced)
        pool, small = added + one * deleted, added + other * deleted
        sums, smaller = pool[..., 1:].sum(axis=-1), small[..., 1:].min(axis=-1)
        shares = (1 - overlap) * 2 * pool[..., 0] / np.where(sums > 0, sums, 1)
        shares += overlap * np.where(
            smaller > 0, small[..., 0] / np.where(smaller > 0, smaller, 1), 0
        )
        return settled(_mean(np.where(sums > 0, shares, np.nan)), edits)

    return score


def balance(added: Floats, deleted: Floats, balanced: bool) -> Floats:
    """The weight of a deletion if an addition weighs 1."""
    lighter = balanced & (added > 0) & (deleted > added)
    return np.where(lighter, added / np.maximum(deleted, 1), 1.0)[..., None]


def recall(way: str, orders: int = 4) -> Variant:
    """How much of the reference's edit the candidate has; not symmetric."""

    def score(edits: Edits) -> Floats:
        counts = edits.counts[way][:, :orders, :2].sum(axis=2)
        shares = np.where(counts[..., 1] > 0, counts[..., 0] / np.maximum(counts[..., 1], 1), 0.0)
        return settled(_mean(shares), edits)

    return score


def _mean(values: Floats) -> Floats:
    """The mean of the defined values along the second axis."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan)


def mixture(weights: Mapping[str, float], *, parse: bool = True, bonus: float = 0.0) -> Variant:
    """The weighted mean of :data:`VIEWS`; 0 if only one revision parses."""

    def score(edits: Edits) -> Floats:
        value = sum(weight * VIEWS[name](edits) for name, weight in weights.items())
        value = (1 - bonus) * np.asarray(value) + bonus * edits.equal
        return np.where(edits.parses, value, 0.0) if parse else value

    return score


def es_token(edits: Edits) -> Floats:
    """The measure es-token."""
    return edits.token


VIEWS: dict[str, Variant] = {
    "document": together("document", orders=6),
    "lines": together("lines"),
    "tokens": es_token,
}
ES = {"document": 0.5, "lines": 0.25, "tokens": 0.25}
THIRDS = dict.fromkeys(ES, 1 / 3)

VARIANTS: dict[str, dict[str, Variant]] = {
    "One view, additions and deletions separate": {
        "tokens, with keep (es-token)": apart("tokens", 3),
        "tokens": apart("tokens"),
        **{f"tokens, gaps up to {g} joined, with keep": apart(f"gap {g}", 3) for g in GAPS},
        **{f"tokens, gaps up to {g} joined": apart(f"gap {g}") for g in GAPS},
        "lines, with keep": apart("lines", 3),
        "lines (es-line)": apart("lines"),
        "document": apart("document"),
    },
    "Additions and deletions pooled": {
        **{f"{way}, F1": together(way, 0.0) for way in ("tokens", "lines", "document")},
        **{
            f"{way}, overlap {share}": together(way, share)
            for way in ("lines", "document")
            for share in (0.2, 0.35, 0.5, 1.0)
        },
        "lines, by order": together("lines", by_order=True),
        "document, by order": together("document", by_order=True),
        "lines, not balanced": together("lines", balanced=False),
        "document, not balanced": together("document", balanced=False),
        "document, context by its text": together("text"),
        "document, recall (not symmetric)": recall("document"),
    },
    "Longest n-gram (pooled, overlap 0.5)": {
        f"{way}, {n}": together(way, orders=n)
        for way, n in product(("tokens", "lines", "document"), (1, 2, 3, 4, 5, 6))
    },
    "Normalised (document, pooled, overlap 0.5, lines not anchored)": {
        "unchanged": together("nothing"),
        "quotes unified": together("quotes"),
        "without braces": together("braces"),
        "new names unified": together("names"),
    },
    "Mixtures": {
        "thirds, without parse check": mixture(THIRDS, parse=False),
        "thirds": mixture(THIRDS),
        "document and lines": mixture({"document": 0.5, "lines": 0.5}),
        "document and tokens": mixture({"document": 0.5, "tokens": 0.5}),
        "lines and tokens": mixture({"lines": 0.5, "tokens": 0.5}),
        "half document, without parse check": mixture(ES, parse=False),
        "**half document (es)**": mixture(ES),
        "half document, a tenth for equality": mixture(ES, bonus=0.1),
    },
}


def r(scores: Floats, outcome: Floats) -> float:
    """Pearson's r; 0 for constants."""
    if np.ptp(scores) == 0 or np.ptp(outcome) == 0:
        return 0.0
    return float(np.corrcoef(scores, outcome)[0, 1])


def cells(edits: Edits, variant: Variant) -> list[str]:
    """The r over all rows, and over those that change the origin."""
    scores, touched = variant(edits), ~edits.untouched
    return [
        f"{r(scores, edits.outcome):.3f}",
        f"{r(scores[touched], edits.outcome[touched]):.3f}",
    ]


def section(title: str, variants: Mapping[str, Variant], sets: Mapping[str, Edits]) -> str:
    """One table of variants."""
    heads = [head for name in sets for head in (name, "changed rows")]
    rows = [
        [label, *(cell for one in sets.values() for cell in cells(one, variant))]
        for label, variant in variants.items()
    ]
    return f"## {title}\n\n" + table(["variant", *heads], rows)


def goal(weights: Mapping[str, float], sets: Mapping[str, Edits]) -> float:
    """The mean of r over all files, with and without unchanged rows."""
    score = mixture(weights)
    values = []
    for one in sets.values():
        scores, touched = score(one), ~one.untouched
        values += [r(scores, one.outcome), r(scores[touched], one.outcome[touched])]
    return sum(values) / len(values)


def grid() -> list[dict[str, float]]:
    """All weights of the three views in steps of an eighth."""
    return [
        dict(zip(ES, (a / 8, b / 8, (8 - a - b) / 8), strict=True))
        for a in range(9)
        for b in range(9 - a)
    ]


def validation(sets: Mapping[str, Edits]) -> str:
    """Five times, choose the weights on four fifths of the tasks and evaluate them on the rest."""
    rows, chosen_mean, es_mean = [], [], []
    for fold in range(FOLDS):
        seen = {name: one.part(one.fold != fold) for name, one in sets.items()}
        unseen = {name: one.part(one.fold == fold) for name, one in sets.items()}
        best = max(grid(), key=lambda weights: goal(weights, seen))
        chosen_mean.append(goal(best, unseen))
        es_mean.append(goal(ES, unseen))
        singles = [goal({name: 1.0}, unseen) for name in ES]
        shown = ", ".join(f"{name} {weight:g}" for name, weight in best.items())
        numbers = [chosen_mean[-1], es_mean[-1], *singles]
        rows.append([str(fold + 1), shown, *(f"{value:.3f}" for value in numbers)])
    rows.append(["mean", "", f"{np.mean(chosen_mean):.3f}", f"{np.mean(es_mean):.3f}", "", "", ""])
    heads = ["fold", "best weights on the other folds", "their r", "r of es"]
    heads += [f"{name} alone" for name in ES]
    return table(heads, rows, keys=2)


def page(sets: Mapping[str, Edits]) -> str:
    """The whole page."""
    sizes = ", ".join(f"{name} {len(one.outcome):,}" for name, one in sets.items())
    return "\n\n".join(
        [
            "# Choosing es",
            "Generated by `python results/es.py FOLDER -o docs/results/es.md`. Every number is "
            "Pearson's r between a way to compare two edits and the test outcome, over all rows "
            f"and over those that change the origin ({sizes}). All compare n-grams of lexemes; "
            "the page of [es](../measures/es.md) explains tokens, lines and document.",
            TRIED,
            *(section(title, variants, sets) for title, variants in VARIANTS.items()),
            "## Cross-validation of the weights",
            f"Tasks are split into {FOLDS} folds. The weights of the three views, in steps of an "
            "eighth, are chosen on four folds and evaluated on the fifth, by the mean of r over "
            "the files, with and without unchanged rows. es has the same round weights in each "
            "fold.",
            validation(sets),
        ]
    )


TRIED = """What helped: pooling additions and deletions (a part with few n-grams no longer weighs as
much as one with many), counting in part how much of the smaller edit is in the larger one, n-grams
that extend into the context, longer n-grams there, and the parse check, especially in C++.

What did not: joining regions across short gaps, normalising quotes, braces or new names (names
cost a lot in long new code), and recall, which correlates best with DebugBench's tests but is not
symmetric. A bonus for equality helps one file and hurts another.

Two choices were made for the guarantees they give, at a small cost: orders are pooled and deletions
weigh no more than additions, so a right deletion cannot hide a wrong replacement; and context
counts by its position instead of its text, so shared context cannot matter (together about 0.01 on
HumanEvalFix and DebugBench). The optimum of the weights is flat, so es has round weights."""


def main() -> None:
    """Count, compare and write."""
    given = arguments(__doc__ or "", "a folder of edits with outcomes")
    sets = {name: read(path) for name, path in row_files(given.data).items()}
    if not all(len(one.outcome) for one in sets.values()):
        sys.exit(f"{given.data}: a file has no rows with an origin")
    write_page(page(sets), given.output)


if __name__ == "__main__":
    main()
