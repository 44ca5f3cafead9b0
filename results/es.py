"""How the measure es was chosen: the variants and their correlation with tests.

``python results/es.py FOLDER -o docs/results/es.md``, where FOLDER holds files of edits with
outcomes (``NAME.jsonl.xz``). Nothing is chosen on the files in :data:`JUDGED_ONLY`.
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

from codekin import Source, measure
from codekin.align.excise import excision_parts, pooled_agreement, revision_grams
from codekin.align.regions import divergent_regions
from codekin.measures.edited_pieces import edited_pieces
from codekin.measures.excised import Excised, Units, excise
from codekin.measures.kin import features_of
from codekin.runs.rows import open_rows
from pages import arguments, row_files, table, write_page

Floats = npt.NDArray[np.float64]
ORDERS = 6
OVERLAP = 0.5
GAPS = (1, 2, 4)
REWRITES = ("nothing", "quotes", "braces", "names")
CEILING = 0.9999
JUDGED_ONLY = ("canitedit",)
"""Files whose licence forbids training: es is evaluated on them, but nothing is chosen there."""
OTHERS = ("es-line", "es-token", "diffbleu", "sari")
LIFTS = (0.0, 0.25, 0.5, 0.75, 0.9)
GOALS = {
    "humanevalfix-python": "0.92 (0.85)",
    "debugbench-java": "0.55",
    "debugbench-python": "0.55",
    "canitedit": "0.45",
}
"""Goals for other rows of the same datasets; in brackets, for those that change the origin."""


@dataclass(frozen=True)
class Edits:
    """One file: the counts of every way in each row, and the test outcomes."""

    outcome: Floats
    untouched: npt.NDArray[np.bool_]
    equal: npt.NDArray[np.bool_]
    parses: npt.NDArray[np.bool_]
    token: Floats
    counts: Mapping[str, Floats]
    """Per way of counting: rows by orders by operations (add, delete, keep) by (both, A, B)."""
    found: Mapping[str, Floats]
    """What was computed row by row, by name."""


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
    found: dict[str, list[float]] = {}
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
        pieces = edited_pieces(candidate, reference, origin, lines.regions)
        if path.name.split(".")[0] not in JUDGED_ONLY:
            for name, one in all_counts(tokens, lines, [origin, reference, candidate]).items():
                counts.setdefault(name, []).append(one)
        else:
            counts.setdefault("document", []).append(counted(tokens, context=True))
            counts.setdefault("lines", []).append(counted(lines))
        parts = excision_parts(tokens.origin, tokens.reference, tokens.candidate, tokens.regions)
        by_row = {
            **by_region("tokens", tokens),
            **by_region("lines", lines),
            **by_graph(candidate, reference, origin),
            "same": float(pieces.do_the_same),
        }
        for name in ("es", *OTHERS):
            by_row[name] = MEASURES[name].score(candidate, reference, origin).value
        for name, value in by_row.items():
            found.setdefault(name, []).append(value)
        rows.append(
            (
                float(fields["outcome"]),
                np.array_equal(tokens.origin, tokens.candidate),
                np.array_equal(tokens.reference, tokens.candidate),
                pieces.both_parse_or_neither,
                parts.value,
            )
        )
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    shaped = {name: np.array(one, dtype=np.float64) for name, one in counts.items()}
    return Edits(*columns, shaped, {name: np.array(one) for name, one in found.items()})


MEASURES = {name: measure(name) for name in ("es", *OTHERS)}


def all_counts(tokens: Excised, lines: Excised, sources: list[Source]) -> dict[str, Any]:
    """The counts of every way."""
    ways = {"tokens": tokens, "lines": lines}
    ways |= {f"gap {gap}": merged(tokens, gap) for gap in GAPS}
    found = {name: counted(one) for name, one in ways.items()}
    found["document"] = counted(tokens, context=True)
    found["text"] = counted(whole(tokens))
    for way in REWRITES:
        found[way] = counted(rewritten(sources, way), context=True)
    return found


def by_region(view: str, excised: Excised) -> dict[str, float]:
    """How much the candidate does of the reference's edit, region by region, put together."""
    agreements: dict[str, list[float]] = {"": [], "overlap ": [], "backward ": []}
    for k, row in enumerate(excised.regions.tolist()):
        before = excised.origin[row[4] : row[5]]
        one = Excised(excised.origin, excised.reference, excised.candidate, excised.regions[k:][:1])
        found = pooled_region(one, 0.0)
        if not np.array_equal(excised.reference[row[0] : row[1]], before):
            agreements[""].append(found)
            agreements["overlap "].append(pooled_region(one, OVERLAP))
        if not np.array_equal(excised.candidate[row[2] : row[3]], before):
            agreements["backward "].append(found)
    nothing = float(len(excised.regions) == 0)
    out = {}
    for way, values in agreements.items():
        some = np.array(values or [nothing])
        out[f"{way}least {view}"] = float(some.min())
        out[f"{way}product {view}"] = float(some.prod())
        out[f"{way}mean {view}"] = float(some.mean())
        out[f"{way}root {view}"] = float(some.prod() ** (1 / len(some)))
        out[f"{way}all equal {view}"] = float((some == 1.0).all())
    return out


def pooled_region(one: Excised, overlap: float) -> float:
    """The agreement in one region."""
    return pooled_agreement(
        one.origin,
        one.reference,
        one.candidate,
        one.regions,
        order=ORDERS,
        context=True,
        overlap=overlap,
    )


def by_graph(candidate: Source, reference: Source, origin: Source) -> dict[str, float]:
    """What the edits change in the features of semantic graphs."""
    mine, theirs, before = (features_of(one)[0] for one in (candidate, reference, origin))
    changed = [np.setxor1d(one, before, assume_unique=True) for one in (mine, theirs)]
    both = len(np.intersect1d(*changed, assume_unique=True))
    sizes = [len(one) for one in changed]
    return {
        "features, F1": 2 * both / max(1, sum(sizes)),
        "features, F2": 5 * both / max(1, sizes[0] + 4 * sizes[1]),
        "features, recall": both / max(1, sizes[1]),
        "equal features": float(sizes[1] > 0 and np.array_equal(mine, theirs)),
    }


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


def row_by_row(name: str) -> Variant:
    """What was computed row by row."""
    return lambda edits: edits.found[name]


def complete(way: str = "least", *, parse: bool = False) -> Variant:
    """The mean of both views of how complete the candidate is."""

    def score(edits: Edits) -> Floats:
        value = (edits.found[f"{way} tokens"] + edits.found[f"{way} lines"]) / 2
        return np.where(edits.parses, value, 0.0) if parse else value

    return score


def mixture(
    weights: Mapping[str, float],
    lift: float = 0.0,
    *,
    parse: bool = True,
    same: str = "same",
) -> Variant:
    """The weighted mean of :data:`VIEWS`; 0 if only one parses; higher if both do the same."""

    def score(edits: Edits) -> Floats:
        value = sum(weight * VIEWS[name](edits) for name, weight in weights.items())
        value = np.asarray(value)
        value = value + lift * edits.found[same] * (1 - value)
        return np.where(edits.parses, value, 0.0) if parse else value

    return score


def es_token(edits: Edits) -> Floats:
    """The measure es-token."""
    return edits.token


VIEWS: dict[str, Variant] = {
    "document": together("document", orders=6),
    "lines": together("lines"),
    "tokens": es_token,
    "complete": complete(),
    "backward": complete("backward least"),
    "features": row_by_row("features, F2"),
}
ES = {"complete": 0.5, "lines": 0.25, "tokens": 0.25}
BEFORE = {"document": 0.5, "lines": 0.25, "tokens": 0.25}
LIFT = 0.9

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
    "How complete the candidate is": {
        **{
            f"{what}, {view}": row_by_row(f"{way} {view}")
            for way, what in {
                "least": "least agreement of a region of the reference",
                "product": "product over regions",
                "mean": "mean over regions",
                "root": "geometric mean over regions",
                "all equal": "1 if all of these regions are equal",
                "overlap least": "least, overlap 0.5",
                "backward least": "least, of a region of the candidate",
            }.items()
            for view in ("tokens", "lines")
        },
        "least, mean of tokens and lines": complete(),
    },
    "What changes in semantic graphs": {
        "kin's features, F1": row_by_row("features, F1"),
        "kin's features, recall counts double": row_by_row("features, F2"),
        "kin's features, recall": row_by_row("features, recall"),
        "1 if kin's features are equal, and not the origin's": row_by_row("equal features"),
        "1 if the revisions do the same, and the origin does not": row_by_row("same"),
    },
    "Mixtures": {
        "half document, lines, tokens (es before)": mixture(BEFORE),
        "the same, nine tenths of the way to 1 if both do the same": mixture(BEFORE, LIFT),
        "**half complete, lines, tokens; nine tenths (es)**": mixture(ES, LIFT),
        "without parse check": mixture(ES, LIFT, parse=False),
        "without the rise if both do the same": mixture(ES),
        "half of the way": mixture(ES, 0.5),
        "three quarters of the way": mixture(ES, 0.75),
        "all the way": mixture(ES, 1.0),
        "nine tenths, if kin's features are equal": mixture(ES, LIFT, same="equal features"),
        "complete and tokens": mixture({"complete": 0.5, "tokens": 0.5}, LIFT),
        "complete and lines": mixture({"complete": 0.5, "lines": 0.5}, LIFT),
        "complete alone": mixture({"complete": 1.0}, LIFT),
        "with an eighth of document": mixture(
            {"complete": 0.5, "document": 0.125, "lines": 0.125, "tokens": 0.25}, LIFT
        ),
        "with a fifth of features": mixture(
            {"complete": 0.4, "lines": 0.2, "tokens": 0.2, "features": 0.2}, LIFT
        ),
        "complete in both directions (symmetric)": mixture(
            {"complete": 0.25, "backward": 0.25, "lines": 0.25, "tokens": 0.25}, LIFT
        ),
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


Choice = tuple[tuple[tuple[str, float], ...], float]
"""Weights of views, and the rise if both revisions do the same."""


def grid() -> list[Choice]:
    """All weights of four views in steps of an eighth, and every rise."""
    names = ("document", "lines", "tokens", "complete")
    weights = [
        tuple((name, n / 8) for name, n in zip(names, (*some, 8 - sum(some)), strict=True) if n)
        for some in product(range(9), repeat=3)
        if sum(some) <= 8
    ]
    return [(one, lift) for one in weights for lift in LIFTS]


def goal(choice: Choice, edits: Edits) -> float:
    """The mean of r over all rows and over those that change the origin."""
    scores, touched = mixture(dict(choice[0]), choice[1])(edits), ~edits.untouched
    return (r(scores, edits.outcome) + r(scores[touched], edits.outcome[touched])) / 2


def validation(sets: Mapping[str, Edits]) -> str:
    """For each dataset, and each source of datasets, choose on the others and judge on it."""
    chosen_on = {name: one for name, one in sets.items() if name not in JUDGED_ONLY}
    reached = {
        choice: {name: goal(choice, one) for name, one in chosen_on.items()} for choice in grid()
    }
    rows = []
    for title, source in (("one dataset", False), ("one source", True)):
        for name in chosen_on:
            alike = {other for other in chosen_on if _source(other) == _source(name)}
            held = alike if source else {name}
            seen = [other for other in chosen_on if other not in held]
            if not seen or (source and len(alike) == len(chosen_on)):
                continue
            best = max(reached, key=lambda one: sum(reached[one][other] for other in seen))
            rows.append(
                [
                    name,
                    title,
                    _described(best),
                    " ".join(cells(sets[name], mixture(dict(best[0]), best[1]))),
                    " ".join(cells(sets[name], row_by_row("es"))),
                    " ".join(cells(sets[name], mixture(BEFORE))),
                ]
            )
    heads = ["judged", "left out", "chosen on the others", "its r (changed rows)"]
    heads += ["es (changed rows)", "es before (changed rows)"]
    return table(heads, [_bracketed(row) for row in rows], keys=3)


def _source(name: str) -> str:
    return name.partition("-")[0]


def _described(choice: Choice) -> str:
    weights = ", ".join(f"{name} {weight:g}" for name, weight in choice[0])
    return f"{weights}; rise {choice[1]:g}"


def _bracketed(row: list[str]) -> list[str]:
    return [*row[:3], *("{} ({})".format(*cell.split()) for cell in row[3:])]


def judgement(sets: Mapping[str, Edits]) -> str:
    """es, its parts and other measures on every dataset, and the worst of them."""
    variants: dict[str, Variant] = {
        "**es**": row_by_row("es"),
        "es before": mixture(BEFORE),
        **{name: row_by_row(name) for name in OTHERS},
        "part complete": complete(),
        "part lines": VIEWS["lines"],
        "part tokens": VIEWS["tokens"],
        "part same": row_by_row("same"),
    }
    rows = []
    for name, variant in variants.items():
        found = [cells(one, variant) for one in sets.values()]
        values = [float(first) for first, _ in found]
        shown = [f"{first} ({second})" for first, second in found]
        rows.append([name, *shown, f"{sum(values) / len(values):.3f}", f"{min(values):.3f}"])
    rows.append(["goal", *(GOALS.get(name, "") for name in sets), "", ""])
    return table(["measure", *sets, "mean", "worst"], rows)


def page(sets: Mapping[str, Edits]) -> str:
    """The whole page."""
    sizes = ", ".join(f"{name} {len(one.outcome):,}" for name, one in sets.items())
    chosen_on = {name: one for name, one in sets.items() if name not in JUDGED_ONLY}
    return "\n\n".join(
        [
            "# Choosing es",
            "Generated by `python results/es.py FOLDER -o docs/results/es.md`. Every number is "
            "Pearson's r between a way to compare two edits and the test outcome, over all rows "
            f"and over those that change the origin ({sizes} rows). The page of "
            "[es](../measures/es.md) explains its parts.",
            RULES,
            "## es on every dataset",
            JUDGED,
            judgement(sets),
            "## Leave one dataset out",
            VALIDATED,
            validation(sets),
            TRIED,
            *(section(title, variants, chosen_on) for title, variants in VARIANTS.items()),
        ]
    )


RULES = """The weights are judged on datasets that they were not chosen on. The form of the parts
was found on HumanEvalFix and DebugBench, with all four files in view, so only CanItEdit is quite
unseen: its licence forbids training, and it is in the first table only. It was scored when es was
fixed, and again when normal forms were added. These became stricter after that, because of pairs
of programs that were made by hand and of real bugs, and two defects were found: the grammar reads
over wrong indentation in Python, and docstrings counted as operations. Both were noticed elsewhere,
but candidates with wrong indentation were counted in all files before that became a problem.
What this es has from the previous one (n-grams up to 4 tokens and the overlap of `lines`, pooling)
had been chosen with CanItEdit in view; the tables below are without it."""

JUDGED = """In brackets, rows that change the origin. The goals are for other rows of these
datasets, which we do not have. The parts are without the parse check."""

VALIDATED = """The weights of four views, in steps of an eighth, and how far a score rises if both
revisions do the same are chosen on the other datasets, by the mean of r with and without unchanged
rows. The three files of DebugBench have much in common, so the second half leaves out a whole
source. The optimum is flat, and es has the same round weights everywhere: half for `complete`, and
quarters for `lines` and `tokens`: about as good as the best, and not dependent on one view. They
were fixed with all these datasets in view, so the honest numbers are those of the fourth column.
Without DebugBench, HumanEvalFix alone decides. It hardly tells `complete` from `lines`, so a small
change of scores there changes the choice, at a cost of 0.05 to 0.08 on DebugBench."""

TRIED = """## What was tried

What helped most is asking whether the candidate does *all* that the reference does: the least
agreement of a region that the reference changed. Mean agreement rewards a candidate that repairs
one of two faults, and tests do not. Asking the same of the candidate's regions correlates much
less, so es is not symmetric; the mean of both directions would cost 0.03 to 0.06 on DebugBench. The
product over regions is as good as the least, and the geometric mean is better in C++ and worse in
Java and Python.

The second gain is from code that does the same: of the candidates that differ from the reference
but have its [normal form](normal-forms.md), nearly all pass. At first es compared semantic graphs
as they are. That missed code with a temporary variable or `x += y`, and took `a - b` for `b - a`:
it found a fifth as many in HumanEvalFix, and in Java one in seven of them failed. With kin's
features, which look one step far, it also holds for wrong code that has the same operations at
other places.
The origin must not do the same, or candidates that change nothing would profit. Names that code
does not declare itself must be equal, which loses a few right candidates. The rules of normal forms
were written with the four files in view; CanItEdit, which was not, has 77 such candidates, and all
pass.

How similar the changes of kin's features are does not add much: with a fifth of the weight it gains
0.006 in C++ and 0.001 on HumanEvalFix and loses 0.006 in Java and in Python, and every graph must
be built. Alone it is far behind n-grams on DebugBench. Nothing here helps with another
solution of the same task, which most passing rows of HumanEvalFix with low scores are.

Of what was tried before: pooling additions and deletions, counting in part how much of the smaller
edit is in the larger one, longer n-grams with context and the parse check helped. Joining regions
across short gaps, normalising quotes, braces or new names did not. `document`, n-grams with context
over all regions, had half the weight before, and is no longer needed: `complete` knows positions.
Two choices were made for the guarantees they give, at a small cost: orders are pooled and deletions
weigh no more than additions, so a right deletion cannot hide a wrong replacement; and context
counts by its position instead of its text, so shared context cannot matter.

On CanItEdit es is ahead of the other measures but 0.006 behind the es before, whose weights had
been chosen on CanItEdit too. The goals for CanItEdit and HumanEvalFix are not reached."""


def main() -> None:
    """Count, compare and write."""
    given = arguments(__doc__ or "", "a folder of edits with outcomes")
    sets = {name: read(path) for name, path in row_files(given.data).items()}
    if not all(len(one.outcome) for one in sets.values()):
        sys.exit(f"{given.data}: a file has no rows with an origin")
    write_page(page(sets), given.output)


if __name__ == "__main__":
    main()
