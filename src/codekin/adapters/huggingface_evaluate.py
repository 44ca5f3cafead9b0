"""The metric that Hugging Face ``evaluate.load`` takes; its path is ``evaluate_module()``.

The package copies this file into its cache and imports the copy, so it must not import neighbours
relatively.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
import evaluate

from codekin.errors import CodekinError
from codekin.runs.scoring import score

_DESCRIPTION = "Similarity of code to references, by any measure of codekin."
_INPUTS = """
Args:
    predictions: a list of texts of code
    references: a list of texts, or a list of lists of texts
    origins: the texts that predictions and references were made from, for measures of edits
    language: the language of all texts (default: detected per row)
    measures: a measure, such as "codebleu" or "bleu:order=2", or a list of them
    workers: worker processes (default: one per core); 0 scores in this process
Returns:
    for each measure, the mean under its name and the scores under NAME_scores, with NaN for rows
    that could not be scored; "failed", the number of rows without a score; "signatures", one line
    per measure that reproduces its scores
"""


class CodeSimilarity(evaluate.Metric):
    """Similarity of predictions to references by any of codekin's measures."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="",
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        origins: Sequence[str] | None = None,
        language: str | None = None,
        measures: str | Sequence[str] = "codebleu",
        workers: int | None = None,
    ) -> dict[str, Any]:
        if origins is not None and len(origins) != len(predictions):
            raise CodekinError(
                f"{len(predictions)} predictions with {len(origins)} origins; give one origin per "
                "prediction"
            )
        rows: list[dict[str, Any]] = []
        for at, (candidate, known) in enumerate(zip(predictions, references, strict=True)):
            field = "reference" if isinstance(known, str) else "references"
            rows.append({"candidate": candidate, field: known})
            if origins is not None:
                rows[-1]["origin"] = origins[at]
        run = score(rows, measures, language=language, workers=workers)
        if all(tally.scored == 0 for tally in run.tallies):
            names = ["problem", *(f"{one.label}.problem" for one in run.measures)]
            reasons = [
                text for row in run.table(names).to_pylist() for text in row.values() if text
            ]
            raise CodekinError(f"no row could be scored; the first reason: {reasons[0]}")
        found: dict[str, Any] = {}
        for one, tally in zip(run.measures, run.tallies, strict=True):
            found[one.label] = tally.mean
            found[f"{one.label}_scores"] = run.values(one.label).tolist()
        signatures = {one.label: one.signature for one in run.measures}
        return {**found, "failed": run.failed, "signatures": signatures}
