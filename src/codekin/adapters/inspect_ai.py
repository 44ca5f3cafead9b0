"""codekin_scorer: scores answers in inspect_ai by their similarity to the target."""

from __future__ import annotations

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from codekin.errors import CodekinError
from codekin.measures import given_measures
from codekin.represent.text.chat_answers import extract_code as code_of

__all__ = ["codekin_scorer"]


@scorer(metrics=[mean(), stderr()])
def codekin_scorer(
    measure: str = "codebleu",
    language: str | None = None,
    *,
    origin: str | None = None,
    extract_code: bool = True,
) -> Scorer:
    """Score the code in an answer by its similarity to the target.

    Parameters
    ----------
    measure : str
        Any measure, such as ``"bleu:order=2"``.
    language : str, optional
        The language of all texts; detected per sample by default.
    origin : str, optional
        The key, in the metadata of a sample, of the text that answer and target were made from;
        for measures of edits.
    extract_code : bool
        Whether to score the first fenced block of an answer instead of the whole answer.

    Examples
    --------
    >>> from inspect_ai import Task
    >>> from inspect_ai.dataset import Sample
    >>> data = [Sample(input="Set x to 1 in Python.", target="x = 1")]
    >>> task = Task(dataset=data, scorer=codekin_scorer("codebleu", "python"))
    """
    made = given_measures(measure)
    if made is None or len(made) != 1:
        raise CodekinError(f"codekin_scorer: give one measure, not {measure!r}")
    chosen = made[0]
    if chosen.needs_origin and origin is None:
        raise CodekinError(
            f"codekin_scorer: {chosen.name} compares edits; name the metadata that holds the text "
            'before the edit, as in origin="before"'
        )

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        code = code_of(answer, language) if extract_code else answer
        before = None if origin is None else state.metadata.get(origin)
        if origin is not None and not isinstance(before, str):
            raise CodekinError(
                f"sample {state.sample_id}: its metadata has no text under {origin!r}, which "
                "codekin_scorer takes for the origin"
            )
        found = chosen.score(code, origin=before, references=list(target), language=language)
        return Score(
            value=found.value,
            answer=code,
            explanation=str(found.explain()),
            metadata={"signature": found.signature, "parts": dict(found.parts)},
        )

    return score
