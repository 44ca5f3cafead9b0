"""How far probabilities from scores can be trusted, on edits whose outcomes are known.

``python results/calibration.py FOLDER -o docs/results/calibration.md``, where FOLDER holds files of
edits with outcomes (``NAME.jsonl.xz``). With ``--runs FOLDER``, the rows are scored once and their
runs are kept.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np

from codekin import (
    Calibration,
    CalibrationJudgement,
    Interval,
    Run,
    apply_calibration,
    calibrate,
    score,
)
from codekin.evaluation import calibrating
from codekin.evaluation.calibrated_scores import CalibratedScores, feature_drifts
from codekin.evaluation.calibrating import ChanceModel, LabelledScores, labelled_scores
from codekin.evaluation.calibration import CalibratedMeasure, judged_chances
from codekin.evaluation.score_values import read_score_values
from codekin.statistics.bootstrap import bootstrap, mean_of
from codekin.statistics.logistic import logistic
from codekin.statistics.outcome_probability import equal_bins, task_folds
from pages import between, mean, number, page_parser, row_files, table, write_page

MEASURES = ("es", "es-line", "es-token", "diffbleu", "sari", "bleu", "codebleu", "kin")
CHOSEN = ("es", "sari")
JUDGED_ONLY = "canitedit"
"""Its licence forbids training, so nothing is fitted or chosen on it."""
TRIED: Sequence[tuple[str, Sequence[str], bool]] = (
    ("bleu", ("bleu",), False),
    ("codebleu", ("codebleu",), False),
    ("kin", ("kin",), False),
    ("es-token", ("es-token",), False),
    ("sari with parts", ("sari",), True),
    ("es", ("es",), False),
    ("es with parts", ("es",), True),
    ("es, kin", ("es", "kin"), False),
    ("es, sari", ("es", "sari"), False),
    ("es, es-line, es-token with parts", ("es", "es-line", "es-token"), True),
    ("es, diffbleu with parts", ("es", "diffbleu"), True),
    ("**es, sari with parts**", CHOSEN, True),
    ("all eight", MEASURES, False),
    ("all eight with parts", MEASURES, True),
)
LANGUAGES = {"cpp": "C++", "java": "Java", "python": "Python"}


def scored(path: Path, runs: Path) -> Run:
    """The rows of a file, scored now or read from an earlier run."""
    place = runs / path.name.partition(".")[0]
    known = (place / "manifest.json").exists()
    return score(path, list(MEASURES), output=place, resume=known, workers=1, texts=False)


def by(found: Calibration, held_out: str) -> list[CalibrationJudgement]:
    """The judgements of each dataset."""
    return [one for one in found.judgements if one.held_out == held_out and one.dataset]


def tried_row(name: str, found: Calibration) -> list[str]:
    tasks, datasets = by(found, "task"), by(found, "dataset")
    return [
        name,
        f"{len(found.features)}",
        *(number(mean(getattr(one, what) for one in tasks)) for what in ("brier", "error", "auc")),
        *(number(one.brier) for one in datasets),
        *(
            number(mean(getattr(one, what) for one in datasets))
            for what in ("brier", "error", "auc")
        ),
    ]


def tried(runs: Mapping[str, Run]) -> str:
    """Everything that was tried, on the files that something may be chosen on."""
    rows = []
    with mock.patch.object(calibrating, "_AT_AN_END", 10**9):
        rows.append(tried_row("es, its ends not by themselves", calibrate(runs, "es")))
        found = calibrate(runs, list(CHOSEN), parts=True)
        rows.append(tried_row("es, sari with parts, ends not by themselves", found))
    for name, measures, parts in TRIED:
        rows.append(tried_row(name, calibrate(runs, list(measures), parts=parts)))
    heads = ["scores", "features", "task: Brier", "ECE", "AUC"]
    heads += [f"dataset: {name}" for name in runs] + ["mean Brier", "ECE", "AUC"]
    return table(heads, rows)


def judged_table(
    judgements: Sequence[tuple[str, CalibrationJudgement]], *, intervals: bool = True
) -> str:
    def sure(value: float, interval: Interval) -> str:
        return f"{number(value)} {between(interval)}" if intervals else number(value)

    rows = [
        [
            name,
            one.held_out,
            f"{one.rows:,}",
            f"{one.tasks:,}",
            *(number(value) for value in (one.rate, one.predicted)),
            sure(one.brier, one.brier_ci),
            number(one.base),
            sure(one.error, one.error_ci),
            number(one.chance),
            sure(one.auc, one.auc_ci),
        ]
        for name, one in judgements
    ]
    heads = ["file", "held out", "rows", "tasks", "rate", "mean p", "Brier", "rate alone"]
    return table([*heads, "ECE", "by chance", "AUC"], rows, keys=2)


def reliability(one: CalibrationJudgement) -> str:
    rows = [
        [
            f"{each.low:.3f} to {each.high:.3f}",
            f"{each.rows:,}",
            f"{each.tasks:,}",
            number(each.predicted),
            number(each.observed),
            between(each.interval),
        ]
        for each in one.bins
    ]
    return table(["p", "rows", "tasks", "mean p", "rate", "95 %"], rows)


def language_of(name: str) -> str:
    return name.rpartition("-")[2]


def of_files(runs: Mapping[str, Run]) -> tuple[LabelledScores, ChanceModel]:
    """The rows of files by the scores of the chosen calibration, and its model."""
    found = [measure for measure in next(iter(runs.values())).measures if measure.label in CHOSEN]
    chosen = [CalibratedMeasure(one.label, one.signature, one.distance) for one in found]
    data = labelled_scores(runs, chosen, True, "reference")[0]
    return data, ChanceModel(tuple(chosen))


def with_language(data: LabelledScores, names: Sequence[str]) -> LabelledScores:
    """The rows with a feature for each language but the first."""
    known = sorted({language_of(name) for name in names})
    of_rows = np.array([language_of(name) for name in names])[data.of_dataset]
    terms = {(CHOSEN[0], f"in {name}"): (of_rows == name).astype(float) for name in known[1:]}
    return replace(data, columns={**data.columns, **terms})


def held_out(
    data: LabelledScores, model: ChanceModel, train: np.ndarray, test: np.ndarray
) -> np.ndarray:
    """The log odds of some rows by models of others, which see none of their tasks."""
    odds = np.zeros(len(data.label))
    folds = task_folds(data.tasks, 10)
    for fold in np.unique(folds):
        here = test & (folds == fold)
        if here.any():
            odds[here] = model.log_odds(data.only(train & (folds != fold)), data.only(here))
    return odds[test]


def by_language(runs: Mapping[str, Run]) -> str:
    """Calibrations of one language, of all, and of all with a term for the language."""
    names = list(runs)
    data, model = of_files(runs)
    terms = with_language(data, names)
    languages = np.array([language_of(name) for name in names])
    of_rows = languages[data.of_dataset]
    rows, sums = [], []
    for place, name in enumerate(names):
        test = data.of_dataset == place
        label, tasks = data.label[test], data.tasks[test]
        own = of_rows == language_of(name)
        others = [of_rows == one for one in np.unique(languages) if one != language_of(name)]
        unseen, told = (held_out(one, model, ~test, test) for one in (data, terms))
        found = [
            [held_out(data, model, own, test)],
            [held_out(data, model, own | True, test)],
            [held_out(terms, model, own | True, test)],
            [held_out(data, model, own & ~test, test)] if (own & ~test).any() else [],
            [unseen],
            [told],
            [held_out(data, model, one, test) for one in others],
        ]
        judged = [
            [judged_chances("task", None, one, label, tasks, 0.95) for one in each]
            for each in found
        ]
        numbers = [
            (mean(each.brier for each in one), mean(each.error for each in one)) for one in judged
        ]
        sums.append(numbers)
        gained = (logistic(told) - label) ** 2 - (logistic(unseen) - label) ** 2
        units = np.unique(tasks, return_inverse=True)[1]
        [apart] = bootstrap([mean_of(gained)], clusters=units)
        rows.append([name, *map(both, numbers), f"{number(apart, 4)} {between(apart.bca, 4)}"])
    means = [
        (mean(each[i][0] for each in sums), mean(each[i][1] for each in sums))
        for i in range(len(sums[0]))
    ]
    rows.append(["mean", *map(both, means), ""])
    heads = ["file", "other tasks: own language", "all", "all, with a term"]
    heads += ["unseen file: own language", "all", "all, with a term", "one other language"]
    return table([*heads, "Brier: term − none, unseen"], rows)


def both(numbers: tuple[float, float]) -> str:
    """A Brier score, and in brackets a calibration error."""
    brier, error = numbers
    return f"{number(brier)} ({number(error)})" if np.isfinite(brier) else "–"


def intervals(applied: CalibratedScores, run: Run) -> list[str]:
    """How many bins have their rate in the mean interval, and whether the whole has."""
    scores = read_score_values(run, list(CHOSEN), parts=False)
    there = np.isfinite(applied.p) & np.isfinite(scores.outcome)
    label = scores.outcome[there] == 1
    p, low, high = (one[there] for one in (applied.p, applied.low, applied.high))
    bins = equal_bins(p)
    held = sum(low[one].mean() <= label[one].mean() <= high[one].mean() for one in bins)
    whole = applied.groups[0]
    inside = "yes" if whole.interval.low <= label.mean() <= whole.interval.high else "no"
    wide = float(np.mean(high - low))
    rate = number(float(label.mean()))
    return [f"{held} of {len(bins)}", number(wide), rate, between(whole.interval), inside]


def interval_table(runs: Mapping[str, Run], judge: Run, chosen: Calibration) -> str:
    rows = []
    for name, run in {**runs, JUDGED_ONLY: judge}.items():
        others = {one: other for one, other in runs.items() if one != name}
        found = chosen
        if name in runs:
            found = calibrate(others, list(CHOSEN), parts=True)
        for what, one in (("yes", found), ("no", replace(found, shift=None))):
            rows.append([name, what, *intervals(apply_calibration(run, one), run)])
    heads = ["file", "allows for datasets", "bins that hold", "mean width", "rate"]
    return table([*heads, "interval of the rate", "holds"], rows, keys=2)


def halves(data: LabelledScores, draws: int) -> Iterator[tuple[LabelledScores, LabelledScores]]:
    """Tasks divided at random into two halves."""
    names = np.unique(data.tasks)
    for seed in range(draws):
        first = np.random.default_rng(seed).permutation(len(names)) < len(names) // 2
        here = first[np.searchsorted(names, data.tasks)]
        yield data.only(here), data.only(~here)


def drifted(features: Sequence, fitted: LabelledScores, others: LabelledScores) -> bool:
    count = len(np.unique(fitted.tasks))
    found = feature_drifts(features, count, others.columns, others.tasks)
    return any(one.distance > one.limit for one in found)


def drift_table(runs: Mapping[str, Run], draws: int) -> str:
    """How often other tasks of a file look like drift, and whether other files do."""
    datas = {}
    for name, run in runs.items():
        measures = [measure for measure in run.measures if measure.label in CHOSEN]
        chosen = [CalibratedMeasure(one.label, one.signature, one.distance) for one in measures]
        datas[name] = labelled_scores({name: run}, chosen, True, "reference")[0]
    model = ChanceModel(tuple(chosen))
    rows = []
    for name, data in datas.items():
        alarms, few_tasks = [], []
        for first, second in halves(data, draws):
            features, _ = model.fitted(first)
            alarms.append(drifted(features, first, second))
            few = second.only(np.isin(second.tasks, np.unique(second.tasks)[:30]))
            few_tasks.append(drifted(features, first, few))
        features, _ = model.fitted(data)
        others = [drifted(features, data, other) for other in datas.values() if other is not data]
        rows.append(
            [
                name,
                f"{sum(alarms)} of {draws}",
                f"{sum(few_tasks)} of {draws}",
                f"{sum(others)} of {len(others)}",
            ]
        )
    return table(["fitted on", "its other tasks", "30 other tasks", "other files"], rows)


def sizes(runs: Mapping[str, Run], draws: int) -> str:
    """What a calibration of few tasks is worth on the other tasks of its file."""
    rows = []
    for name, run in runs.items():
        for measures, parts in ((("es",), False), (CHOSEN, True)):
            found = [one for one in run.measures if one.label in measures]
            chosen = [CalibratedMeasure(one.label, one.signature, one.distance) for one in found]
            data = labelled_scores({name: run}, chosen, parts, "reference")[0]
            cells = []
            for size in (50, 100, 200, 500, 1000):
                judged = []
                for seed in range(draws):
                    places = np.random.default_rng([size, seed]).choice(
                        len(data.label), size, replace=False
                    )
                    train = data.only(places)
                    test = data.only(~np.isin(data.tasks, train.tasks))
                    if len(test.label) < 200:
                        continue
                    odds = ChanceModel(tuple(chosen)).log_odds(train, test)
                    judged.append(judged_chances("task", name, odds, test.label, test.tasks, 0.95))
                cells.append(
                    f"{number(mean(one.brier for one in judged))} "
                    f"({number(mean(one.error for one in judged))})"
                    if len(judged) == draws
                    else "–"
                )
            rows.append([name, ", ".join(measures) + " with parts" * parts, *cells])
    heads = ["file", "scores", *(f"{size} rows" for size in (50, 100, 200, 500, "1,000"))]
    return table(heads, rows, keys=2)


def speed(run: Run, path: Path, chosen: Calibration) -> str:
    """What probabilities take beside the scores they come from."""
    took = []
    for _ in range(5):
        started = time.process_time()
        apply_calibration(Run(run.path), chosen)
        took.append(time.process_time() - started)
    # Of the same rows, as many as take some seconds.
    from codekin.runs.rows import open_rows

    records = [one.fields for shard in open_rows(path).shards() for one in shard.records()][:2000]
    started = time.process_time()
    score(records, list(CHOSEN), workers=0)
    each = (time.process_time() - started) / len(records)
    share = min(took) / run.rows / each
    return (
        f"Probabilities of {run.rows:,} rows take {min(took):.2f} seconds of processor time; "
        f"scoring them by {' and '.join(CHOSEN)} takes {each * run.rows:.1f}. That adds "
        f"{100 * share:.1f} %; wanted: under 5 %."
    )


def main() -> None:
    parser = page_parser((__doc__ or "").splitlines()[0], "a folder with files of edits")
    parser.add_argument("--draws", type=int, default=50)
    given = parser.parse_args()
    files = row_files(given.data)
    with tempfile.TemporaryDirectory() as folder:
        place = given.runs or Path(folder)
        runs = {name: scored(file, place) for name, file in files.items()}
        judge = runs.pop(JUDGED_ONLY, None)
        if judge is not None:
            write_page(page(runs, judge, files[JUDGED_ONLY], given.draws), given.output)


def page(runs: Mapping[str, Run], judge: Run, path: Path, draws: int) -> str:
    chosen = calibrate(runs, list(CHOSEN), parts=True, name="edits")
    applied = apply_calibration(judge, chosen)
    simple = apply_calibration(judge, calibrate(runs, "es", name="es"))
    assert applied.judgement and simple.judgement
    judged = [
        *((judgement.dataset or "all four", judgement) for judgement in chosen.judgements),
        (JUDGED_ONLY, applied.judgement),
    ]
    others = [
        ("es, sari with parts (chosen)", applied.judgement),
        ("es", simple.judgement),
    ]
    warnings = [f"- {one}" for one in applied.warnings()] or ["- none"]
    return "\n\n".join(
        [
            "# What a score means",
            "Generated by `python results/calibration.py FOLDER -o docs/results/calibration.md`. "
            "How well the probabilities of `codekin calibrate` hold on rows they were not fitted "
            "on: other tasks of the same files (*task*), and files of which no row was seen "
            "(*dataset*). [What a score means](../calibrate.md) explains the columns. "
            "Intervals are at 95 %, by bootstrap over tasks.",
            "Everything was chosen on four files: DebugBench in C++, Java and Python, and "
            "HumanEvalFix in Python. CanItEdit, whose licence forbids training, only judges; its "
            "pass rate, the means of its scores, and how often its rows at the ends of es pass had "
            "been seen before. The calibration was not changed after its judgement. "
            "The three files of DebugBench come from one benchmark and the same four models, so "
            "one of them is not a wholly new dataset for the other two. HumanEvalFix and "
            "CanItEdit are.",
            "## A calibration of edits",
            "A logistic regression on es and sari with their parts, fitted on the four files.",
            judged_table(judged),
            "Probabilities hold on other tasks of these files, and roughly on HumanEvalFix when it "
            "is held out: the order of rows is kept, and p is too high by 0.05. **They do not "
            "hold on CanItEdit**: p is more than twice the rate, worse than a constant, "
            "and the order of rows suffers, too. Its edits follow instructions instead of fixing "
            "bugs, can be right in many ways, and pass less often than those of the four files. "
            "So p must not be taken at its word where the drift test warns, as it does here:",
            "\n".join(warnings),
            "Its reliability on CanItEdit:",
            reliability(applied.judgement),
            "… and on held-out tasks of the four files:",
            reliability(chosen.judgements[0]),
            "## What was tried",
            "Means over the four files, and the Brier score of each file when it is predicted from "
            "the other three.",
            tried(runs),
            FAILURES,
            "The same on CanItEdit, computed after the choice and not used for it:",
            judged_table(others, intervals=False),
            "## One calibration or one per language",
            "Brier score, and in brackets the ECE, of calibrations that were fitted on the files "
            "of a language alone, on all files, or on all files with a term for each language. "
            "*Other tasks*: the file itself was seen, but not its task. *Unseen file*: no row of "
            "the file was seen; C++ and Java have one file each, so only Python has another in its "
            "own language. *One other language*: the mean over the two other languages, each "
            "fitted alone. The last column has the difference that the term makes, with 95 % "
            "intervals by task.",
            by_language(runs),
            "On other tasks of the same files, a calibration of the language has the smaller "
            "error: it knows the file. On unseen files, which is what users have, it is far worse "
            "on DebugBench and a little better on HumanEvalFix than the calibration of all files, "
            "and one of C++ or Java alone could not "
            "be judged at all. A term for the language gains at most 0.003 of the Brier score "
            "there. With one file each of C++ and Java it cannot tell the language from the file, "
            "and it says nothing of other languages. So one calibration for all three languages is "
            "better, without a term.",
            "## Intervals of p",
            "A calibration of the other three files (for CanItEdit, that of all four) is applied "
            "to a file. *Bins that hold*: tenths of rows by p whose rate lies between the means "
            "of `p_low` and `p_high`. *Interval of the rate*: that of the mean p, and whether it "
            "contains the pass rate of the file. Intervals that only know the uncertainty of the "
            "coefficients (*no*) are far too narrow for other files. Those that allow for "
            "differences between datasets mostly hold on DebugBench, as three of the four files "
            "are from there. On HumanEvalFix most bins miss: the allowance is for "
            "another level, not for scores that mean something else, and it comes from few "
            "datasets.",
            interval_table(runs, judge, chosen),
            "## How many rows it takes",
            f"Brier score, and in brackets the ECE, on the other tasks of a file after fitting on "
            f"some of its rows; means over {draws} draws.",
            sizes(runs, draws),
            "With 50 rows, parts do not help; from 200 rows on, they do in the three files of "
            "DebugBench.",
            "## Drift",
            "How often the test says that rows are unlike those of the calibration. *Its other "
            f"tasks*: tasks are divided into two halves at random, {draws} times; the calibration "
            "is of one half, the rows are of the other, or of 30 of its tasks. *Other files*: the "
            "other three.",
            drift_table(runs, draws),
            "The files of DebugBench are alike, so only HumanEvalFix stands out from them. A file "
            "of another kind is noticed, whatever the calibration.",
            "## Speed",
            speed(judge, path, chosen),
        ]
    )


FAILURES = """\
- *Ends by themselves*: a score of exactly 1 or 0 says far more than one of 0.99 or 0.01. A line
  through all scores cannot say that, and has about twice the calibration error. Every score
  therefore comes with whether it is 1 and whether it is 0, if at least 10 rows are.
- *Measures of whole texts* (bleu, codebleu, kin): the same score means different things in
  different files, depending on how much of a file is touched, so one calibration fits none of them.
- *More measures* are better on other tasks, but not on other files: all eight with parts have the
  best Brier score on tasks, and a worse one on held-out files than es and sari with parts.
- *es, sari with parts* was chosen because no other calibration has a lower mean Brier score on
  held-out files, and both measures are fast. es with diffbleu has the lower calibration error."""


if __name__ == "__main__":
    main()
