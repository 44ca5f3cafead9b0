"""The texts that a row is compared by: code taken out of answers, and prompts put before bodies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codekin.languages import Language
from codekin.represent.text.chat_answers import chat_answer
from codekin.represent.text.detection import faults_in
from codekin.runs.prompts import (
    begun_function,
    continues,
    finished_function,
    is_continued,
    join,
    repeats,
)
from codekin.runs.row import Row, language_named
from codekin.runs.settings import Settings

__all__ = [
    "ANSWERS",
    "EMPTY",
    "EXTRACTED",
    "MISSING",
    "NO_CODE",
    "prompts_are_continued",
    "read_answer",
]

MISSING = "missing"
ANSWERS = ("fenced", "prose", "prompt")
"""The forms of candidates that are not code alone: with fences, with prose, or with the prompt."""

EXTRACTED = "extracted"
"""Added to the form of a candidate whose code was taken out."""

NO_CODE = "no code"
"""The form of an answer that had no code to take out, such as a refusal."""

EMPTY = "empty"
"""The form of a blank candidate whose reference is not blank."""


def read_answer(row: Row, settings: Settings) -> None:
    """Set the form of a row's candidate, and take its code out if that was asked for.

    Parameters
    ----------
    row : Row
        With its language, if that is known.
    settings : Settings
        What to do with answers, and whether references continue their prompts.
    """
    _take_code(row, settings)
    blank = row.candidate is not None and not row.candidate.strip()
    if blank and row.form not in (MISSING, NO_CODE) and any(map(str.strip, row.references or ())):
        row.form = EMPTY


def _take_code(row: Row, settings: Settings) -> None:
    """Set the form of a candidate that is an answer, take its code out on request, and join it.

    What is put together is what a harness runs: the prompt and the completion, if the completion
    by itself does not define the function that the prompt begins.
    """
    language = None if row.language is None else language_named(row.language)
    if language is not None and language.prose:
        return
    prompt = _begun_prompt(row, language) if settings.prompt and language is not None else None
    if prompt is not None:
        texts = row.references or ()
        joined = [prompt.joined(text) for text in texts]
        row.reference_joined = any(whole is not None for whole in joined)
        row.references = tuple(whole or text for whole, text in zip(joined, texts, strict=True))
    if row.candidate is None or row.form == MISSING:
        return
    if prompt is not None:
        row.joined = False
        whole = None if row.complete else prompt.joined(row.candidate, solution=row.solution)
        if whole is not None and not faults_in(whole, prompt.language):
            row.candidate, row.joined = whole, True  # code, whatever its body looks like alone
            return
    _read_candidate(row, settings, language, prompt)


def _read_candidate(
    row: Row, settings: Settings, language: Language | None, prompt: _Prompt | None
) -> None:
    """Set the form of a candidate that may be an answer."""
    text = row.candidate or ""
    extracts = settings.extract is not None
    if row.prompt and prompt is None and repeats(row.prompt, text):
        row.form = "prompt"
        if extracts:
            row.form = f"prompt {EXTRACTED}"
            text = text.lstrip()[len(row.prompt.strip()) :].lstrip("\r\n")
    answer = chat_answer(text, language, settings.extract or "first")
    code = text
    if answer is not None:
        row.form = answer.form
        code = answer.code if answer.code.strip() or extracts else text
        if extracts:
            row.form = f"{answer.form} {EXTRACTED}" if answer.code.strip() else NO_CODE
            text = answer.code
    if prompt is None or row.complete:
        row.candidate = text
        return
    if prompt.joined(code, solution=row.solution) is not None:
        row.joined = prompt.function is not None or answer is None or extracts
        text = join(prompt.text, text) if row.joined else text
    row.candidate = text


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A prompt that begins a program.

    Attributes
    ----------
    text : str
    language : Language
    function : str or None
        The function that it begins; None if only the references show that it is continued.
    """

    text: str
    language: Language
    function: str | None

    def joined(self, text: str, *, solution: bool = False) -> str | None:
        """The prompt and a text that belongs after it; None if it does not."""
        there = is_continued(self.text, text, self.function, self.language, solution=solution)
        return join(self.text, text) if there else None


def _begun_prompt(row: Row, language: Language) -> _Prompt | None:
    """The prompt of a row, if it begins the program of its references or its candidate."""
    if not row.prompt or not row.references:
        return None
    function = begun_function(row.prompt, row.references, row.entry_point, language)
    if function is None and row.candidate is not None:
        function = finished_function(row.prompt, row.candidate, row.entry_point, language)
    if function is None and not all(
        continues(row.prompt, text, language) for text in row.references
    ):
        return None
    return _Prompt(row.prompt, language, function)


def prompts_are_continued(rows: Iterable[Row]) -> bool:
    """Whether some rows have prompts that begin a function, or most that are continued."""
    judged = [
        _begun_prompt(row, language_named(row.language))
        for row in rows
        if row.prompt
        and row.references
        and row.language is not None
        and not language_named(row.language).prose
    ]
    begun = [prompt for prompt in judged if prompt is not None]
    return any(prompt.function for prompt in begun) or 2 * len(begun) > len(judged)
