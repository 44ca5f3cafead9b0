"""Every measure on triplets, next to the CSSG paper's tables 2 and 3.

``python results/triplets.py FOLDER -o docs/results/triplets.md``, where FOLDER holds files of
triplets (``NAME.jsonl.xz``). A name that ends in ``-matched`` or ``-random`` says how its positives
and negatives were chosen.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from codekin import Run, measure, measure_names
from codekin.evaluation.triplets import (
    LanguagePair,
    TripletEffect,
    TripletJudgement,
    evaluate_triplets,
)
from heatmap import heatmap_svg
from pages import (
    arguments,
    between,
    bold_best,
    mean,
    number,
    pairs_per_second,
    row_files,
    table,
    write_page,
)

PAPER_MEASURES = {"bleu": 0, "jaccard": 1, "codebleu": 2, "tsed": 3, "cssg": 4}
PAPER_WITHIN = {
    "C++": (0.122, 0.102, 0.084, 0.179, 0.223),
    "Python": (0.027, 0.055, 0.086, 0.211, 0.213),
    "Java": (-0.028, -0.024, 0.018, -0.020, 0.046),
    "average": (0.040, 0.044, 0.063, 0.123, 0.161),
}
PAPER_ACROSS = {
    "C++, Python": (0.051, 0.087, -0.030, 0.097, 0.131),
    "C++, Java": (0.091, 0.097, 0.091, -0.026, 0.068),
    "Python, C++": (0.001, -0.158, -0.132, 0.095, 0.174),
    "Python, Java": (0.010, 0.063, 0.042, -0.016, 0.086),
    "Java, C++": (-0.091, -0.117, -0.149, 0.131, 0.080),
    "Java, Python": (-0.034, 0.059, -0.039, 0.088, 0.110),
    "average": (0.005, 0.005, -0.036, 0.062, 0.108),
}
KINDS = ("matched", "random", "")
VARIANTS = (
    "cssg:labels=operator+literal",
    "cssg:labels=category",
    "cssg:labels=type",
    "cssg:granularity=statement",
    "cssg:functions=any",
    "cssg:preset=joern",
    "kin:normalise=reference",
)
"""Scored in addition to the default of every measure."""
CORRELATED = ("bleu", "jaccard", "chrf", "codebleu", "tsed", "cssg", "kin")
"""The measures in the paper's figure 2, chrf, and ours."""
SHARD_ROWS = 50


def kind_of(name: str) -> str:
    """How the triplets of a file were chosen, by its name."""
    return next(kind for kind in KINDS if name.endswith(kind))


def is_across(judgement: TripletJudgement) -> bool:
    """Whether anchors are in another language than the programs compared with them."""
    return any(pair.anchor != pair.other for pair in judgement.pairs)


def effects(judgement: TripletJudgement) -> dict[str, TripletEffect]:
    """By label, the baseline last."""
    overall = judgement.overall
    return {one.label: one for one in (*overall.measures, overall.length)}


def effect_table(
    sets: Mapping[str, TripletJudgement], paper: Mapping[str, Sequence[float]], labels: list[str]
) -> str:
    """Cohen's d, files down and measures across, with the paper's values below."""
    others = [label for label in PAPER_MEASURES if label not in labels]
    rows: list[list[str]] = []
    for kind in KINDS:
        mine = {name: one for name, one in sets.items() if kind_of(name) == kind}
        for name, judgement in mine.items():
            found = effects(judgement)
            values = {label: found[label].cohens_d.value for label in labels}
            shown = bold_best(values, {label: number(values[label]) for label in labels})
            rows.append([name, *(shown[label] for label in labels), *[""] * len(others)])
        if len(mine) > 1:
            means = {
                label: mean(effects(one)[label].cohens_d.value for one in mine.values())
                for label in labels
            }
            shown = bold_best(means, {label: number(means[label]) for label in labels})
            title = f"mean of {kind} sets" if kind else "mean"
            rows.append([f"*{title}*", *(shown[label] for label in labels), *[""] * len(others)])
    for name, numbers in paper.items():
        cells = [
            number(numbers[PAPER_MEASURES[label]]) if label in PAPER_MEASURES else ""
            for label in [*labels, *others]
        ]
        rows.append([f"paper: {name}", *cells])
    return table(["triplets", *labels, *others], rows)


def quality_table(
    sets: Mapping[str, TripletJudgement], labels: list[str], rates: Mapping[str, float]
) -> str:
    """Means over files of all effects, and the cost."""
    rows = []
    for label in labels:
        cells = []
        for kind in ("matched", "random"):
            found = [effects(one)[label] for name, one in sets.items() if kind_of(name) == kind]
            cells += [
                number(mean(one.cohens_d.value for one in found)),
                number(mean(one.adjusted_d.value for one in found)),
                number(mean(one.equal_length.cohens_d.value for one in found)),
                number(mean(one.paired_d.value for one in found)),
                number(mean(one.win_rate.value for one in found)),
                number(mean(one.auc.value for one in found)),
            ]
        rate = rates.get(label)
        rows.append([label, *cells, "–" if rate is None else f"{rate:,.0f}"])
    heads = ["d", "lengths out", "equal length", "paired d", "won", "AUC"]
    return table(
        [
            "measure",
            *(f"{kind}: {head}" for kind in ("matched", "random") for head in heads),
            "pairs/s",
        ],
        rows,
    )


def set_section(name: str, judgement: TripletJudgement, labels: list[str]) -> str:
    """One file in full."""
    overall: LanguagePair = judgement.overall
    leaking = len({leak.triplet for leak in overall.leaks})
    found = effects(judgement)
    rows = [
        [
            label,
            number(one.cohens_d),
            between(one.cohens_d.bca),
            number(one.adjusted_d),
            f"{number(one.equal_length.cohens_d)} ({one.equal_length.triplets:,})",
            number(one.cohens_d if one.without_leaks is None else one.without_leaks),
            number(one.paired_d),
            number(one.win_rate),
            between(one.win_rate.bca),
            number(one.auc),
            f"{one.n:,}",
            f"{one.failed:,}",
        ]
        for label in labels
        for one in [found[label]]
    ]
    heads = ["measure", "d", "95 %", "lengths out", "equal length (n)", "no leaks", "paired d"]
    heads += ["won", "95 %", "AUC", "n", "failed"]
    return (
        f"### {name}\n\n{overall.triplets:,} triplets from {overall.problems:,} problems; "
        f"{judgement.excluded:,} excluded, {leaking:,} with a near-duplicate in two roles.\n\n"
        + table(heads, rows)
    )


def correlations(sets: Mapping[str, TripletJudgement], images: Path | None) -> str:
    """The correlations between the effects of measures, a heatmap per language."""
    rows, shown = [], []
    for name, judgement in sets.items():
        labels = [label for label in CORRELATED if label in judgement.correlation.labels]
        places = [judgement.correlation.labels.index(label) for label in labels]
        values = judgement.correlation.effects[places][:, places].tolist()
        cssg = dict(zip(labels, values[labels.index("cssg")], strict=True))
        rows.append([name, *(number(cssg[label], 2) for label in labels if label != "cssg")])
        if kind_of(name) == "random":
            title = f"Correlations between the effects of measures on {name}"
            shown.append(f"![{title}](../images/effects-{name}.svg)")
            if images is not None:
                picture = heatmap_svg(labels, values, title)
                (images / f"effects-{name}.svg").write_text(picture, encoding="utf-8")
    heads = ["triplets", *(label for label in labels if label != "cssg")]
    return "\n\n".join(
        [
            "Pearson's r between the standardised differences (positive minus negative) of two "
            "measures, over problems: the paper's figure 2 finds that CSSG is related weakly to "
            "lexical measures and strongly to TSED. The correlations of `cssg` with the others:",
            table(heads, rows),
            "All of them on the random triplets, a heatmap per language:",
            *shown,
        ]
    )


def page(
    sets: Mapping[str, TripletJudgement],
    rates: Mapping[str, float],
    images: Path | None = None,
) -> str:
    """The whole page; heatmaps are written to the folder of images."""
    labels = list(effects(next(iter(sets.values()))))
    within = {name: one for name, one in sets.items() if not is_across(one)}
    across = {name: one for name, one in sets.items() if is_across(one)}
    parts = [
        "# Right and wrong programs",
        "Generated by `python results/triplets.py FOLDER -o docs/results/triplets.md`, which "
        "scores every file of triplets in FOLDER with every measure, and additionally cssg with "
        "its other labels and kin normalised by the reference. `length` is the baseline that sees "
        "only lengths. Higher is better everywhere, also for the distance `ed`; the best value in "
        "a row is bold. [Evaluation](../evaluation.md) explains the numbers, [Results](index.md) "
        "discusses them.",
    ]
    if within:
        parts += [
            "## Cohen's d within a language",
            "Below is the CSSG paper's table 2, on other problems (CodeContests+), with its own "
            "implementations.",
            effect_table(within, PAPER_WITHIN, labels),
            "## Which measures agree",
            correlations(within, images),
        ]
    if across:
        parts += [
            "## Cohen's d across languages",
            "The first language is the anchor's. Below is the paper's table 3. Of two languages "
            "`codebleu` has two of its four parts, n-grams and weighted n-grams: syntax and data "
            "flow are compared within a language. The paper does not say what its CodeBLEU does.",
            effect_table(across, PAPER_ACROSS, labels),
        ]
    parts += [
        "## Quality and cost",
        "Means over the files above, and the pairs per second that one core scores from two "
        "texts, including parsing (the same sample of each file for every measure, one machine, "
        "one run).",
        quality_table(sets, labels, rates),
        "## Each file",
        "Intervals resample whole problems (2,000 resamples, BCa).",
    ]
    parts += [set_section(name, one, labels) for name, one in sets.items()]
    return "\n\n".join(parts)


def all_measures() -> list[str]:
    """Every measure of two texts, and the variants; the baseline is added anyway."""
    names = [name for name in measure_names() if not measure(name).needs_origin]
    return [*(name for name in names if name != "length"), *VARIANTS]


def judged(path: Path, measures: Sequence[str], folder: Path, resamples: int) -> TripletJudgement:
    """The judgement of a file, from its run if there is one already."""
    if folder.exists():
        return evaluate_triplets(folder, resamples=resamples)
    # Small shards, so that every core has work until the end.
    return evaluate_triplets(
        str(path), measures, output=folder, resamples=resamples, shard_rows=SHARD_ROWS
    )


def main() -> None:
    """Score, judge and write."""
    given = arguments(__doc__ or "", "a folder of triplets")
    measures = given.measure or all_measures()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.runs or Path(temporary)
        sets, runs = {}, []
        for name, path in row_files(given.data).items():
            sets[name] = judged(path, measures, folder / name, given.resamples)
            runs.append(Run(folder / name))
        images = given.output.parent.parent / "images" if given.output else None
        write_page(page(sets, pairs_per_second(runs), images), given.output)


if __name__ == "__main__":
    main()
