"""evaluate_outcomes: how closely measures follow what tests say of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from codekin.engine.failures import failures
from codekin.engine.judging.outcome_correlations import OutcomeJudge, wrong_rows
from codekin.engine.judging.outcome_rows import read_rows, scores_of
from codekin.engine.judging.runs import (
    measures_of,
    needs_kind,
    refuse_scoring,
    run_at,
    run_folder,
    with_baseline,
)
from codekin.engine.outcome_judgement import OutcomeJudgement
from codekin.engine.run import Run
from codekin.engine.scoring import score
from codekin.engine.views.edits import Edits, check_perturbation
from codekin.errors import CodekinError
from codekin.evaluation.correlation import correlation_matrix
from codekin.evaluation.resampling import check_resampling

__all__ = ["evaluate_outcomes", "judge_outcomes", "perturbed_runs"]


def evaluate_outcomes(
    rows: Any,
    measures: Any = None,
    *,
    perturb: str | Sequence[str] = (),
    task: str = "reference",
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    output: str | Path | None = None,
    resume: bool = False,
    **job: Any,
) -> OutcomeJudgement:
    """Judge measures by the outcomes of rows, such as whether tests passed.

    Parameters
    ----------
    rows : rows of any kind, or a run
        Predictions or edits with an ``outcome``, and optionally ``group``. A run of such rows is
        judged and not scored again.
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default. The baseline that sees only lengths is added.
    perturb : str or sequence of str
        Changes that leave the outcome alone, each scored besides: ``prefix:2000-3000`` puts
        random text before origin, references and candidate; ``locals``, ``layout``,
        ``functions``, ``comments`` and ``dead-code`` change the candidate.
    task : str
        The field that says which rows are of one task; rows with the same references and origin
        by default.
    resamples, seed : int
        Of the bootstrap; the seed is also that of perturbations.
    level : float
        Of the intervals.
    output : str or Path, optional
        The folder of the run to write. Perturbed forms are runs in its folder ``perturbed``.
    resume : bool
        Go on with the runs in `output`.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Examples
    --------
    >>> rows = [
    ...     {"candidate": f"x = {i % 2}", "reference": "x = 1", "language": "python",
    ...      "outcome": i % 2, "group": f"model {i % 3}"}
    ...     for i in range(60)
    ... ]
    >>> judgement = evaluate_outcomes(rows, "exact", workers=0, resamples=200)
    >>> round(judgement.measures[0].every.pearson.value, 6)
    1.0
    """
    check_resampling(resamples, seed, level)
    words = list(dict.fromkeys([perturb] if isinstance(perturb, str) else perturb))
    for word in words:
        check_perturbation(word)
    how = {"task": task, "resamples": resamples, "seed": seed, "level": level}
    run = run_at(rows)
    if run is not None:
        if words:
            raise CodekinError(
                f"{run.path}: is a run, which holds the perturbed forms that it was made with; "
                "name the rows to score others"
            )
        refuse_scoring(run, measures=measures, output=output, **job)
        return judge_outcomes(run, **how)  # type: ignore[arg-type]
    given = _readable_again(rows) if words else rows
    asked = with_baseline(measures, origin=True)
    with run_folder(output) as folder:

        def scored(place: Path, word: str | None) -> Run:
            go_on = resume and (place / "manifest.json").exists()
            view = Edits(word, seed)
            return score(given, asked, output=place, resume=go_on, view=view, **job)

        run = scored(folder, None)
        for word in words:
            scored(_perturbed(folder, word), word)
        return judge_outcomes(run, **how)  # type: ignore[arg-type]


def _readable_again(rows: Any) -> Any:
    """Rows that can be read once for each perturbation."""
    named = rows if isinstance(rows, list | tuple) else [rows]
    if any(isinstance(one, str) and one == "-" for one in named):
        raise CodekinError("perturbations read the rows more than once; name a file and not -")
    return list(rows) if isinstance(rows, Iterator) else rows


def _perturbed(folder: Path, word: str) -> Path:
    return folder / "perturbed" / word.replace(":", "-")


def perturbed_runs(run: Run) -> list[tuple[str, Run]]:
    """The perturbed forms of a run, each with its name."""
    found = []
    for manifest in sorted(run.path.glob("perturbed/*/manifest.json")):
        one = Run(manifest.parent, [m.measure for m in run.measures if m.measure is not None])
        word = (one.manifest["asked"].get("view") or {}).get("perturb")
        if word is not None:
            found.append((str(word), one))
    return found


def judge_outcomes(
    run: Run,
    *,
    task: str = "reference",
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> OutcomeJudgement:
    """Judge the measures of a run by the outcomes of its rows.

    Parameters
    ----------
    run : Run
        Of :func:`evaluate_outcomes`, or any run of rows with outcomes that was also scored by
        ``length``.
    task : str
        The field that says which rows are of one task.
    resamples, seed : int
    level : float
    """
    needs_kind(run, ["outcomes", None], "rows with outcomes")
    check_resampling(resamples, seed, level)
    others, baseline = measures_of(run)
    read = read_rows(run, task)
    judge = OutcomeJudge(read, {"resamples": resamples, "seed": seed, "level": level})
    perturbed = perturbed_runs(run)
    changed = [(word, scores_of(one)) for word, one in perturbed]
    labelled = [*(one for one in others if one is not baseline), baseline]
    known = np.isfinite(read.outcome)
    # Together, for the resamples are the same, and drawing them takes most of the time.
    effects = judge.effects(others if baseline in others else [*others, baseline], changed)
    return OutcomeJudgement(
        run=run.name,
        complete=run.complete and all(one.complete for _, one in perturbed),
        rows=run.rows,
        without_outcome=int((~known).sum()),
        binary=read.binary,
        unchanged=int((read.unchanged & known).sum()),
        equal=int((read.equal & known).sum()),
        task=task,
        tasks=read.tasks_of(known),
        groups=len(
            {name for name, there in zip(read.groups, known, strict=True) if there} - {None}
        ),
        drawn=judge.unit,
        failures=tuple(failures(run)),
        resamples=resamples,
        seed=seed,
        level=level,
        measures=tuple(effects[: len(others)]),
        length=effects[-1],
        differences=tuple(judge.differences(others)),
        perturbations=tuple(word for word, _ in changed),
        labels=tuple(one.label for one in labelled),
        score_correlation=correlation_matrix([read.values[one.label] for one in labelled]),
        wrong={one.label: wrong_rows(read, one) for one in others},
    )
