"""The texts that a row is compared by: code taken out of answers, and prompts put before bodies."""

from __future__ import annotations

from collections.abc import Iterable

from codekin.languages import Language
from codekin.represent.text.chat_answers import chat_answer
from codekin.represent.text.detection import faults_in
from codekin.runs.row import Row, language_named
from codekin.runs.settings import Settings

__all__ = [
    "ANSWERS",
    "EMPTY",
    "EXTRACTED",
    "MISSING",
    "NO_CODE",
    "continues",
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
    """Set the form of a candidate that is an answer, and take its code out on request."""
    language = None if row.language is None else language_named(row.language)
    prompt, references = row.prompt, row.references
    continued = False
    if language is not None and language.prose:
        return
    if settings.prompt and prompt and references and language is not None:
        continued = all(continues(prompt, text, language) for text in references)
        if continued:
            row.references = tuple(join(prompt, text) for text in references)
    if row.candidate is None or row.form == MISSING:
        return
    if continued and prompt and language is not None:
        whole = join(prompt, row.candidate)
        if continues(prompt, row.candidate, language) and not faults_in(whole, language):
            row.candidate = whole  # code, whatever its body looks like alone
            return
    if prompt and not continued and _repeats(prompt, row.candidate):
        row.form = "prompt"
        if settings.extract is not None:
            row.form = f"prompt {EXTRACTED}"
            row.candidate = row.candidate.lstrip()[len(prompt.strip()) :].lstrip("\r\n")
    found = chat_answer(row.candidate, language, settings.extract or "first")
    if found is not None:
        row.form = found.form
        if settings.extract is not None:
            row.form = f"{found.form} {EXTRACTED}" if found.code.strip() else NO_CODE
            row.candidate = found.code
    if (
        continued
        and prompt
        and (found is None or settings.extract is not None)
        and language is not None
        and not _repeats(prompt, row.candidate)
        and continues(prompt, row.candidate, language)
    ):
        row.candidate = join(prompt, row.candidate)


def _repeats(prompt: str, text: str) -> bool:
    start = prompt.strip()
    return bool(start) and text.lstrip().startswith(start)


def continues(prompt: str, text: str, language: Language) -> bool:
    r"""Whether a text is the rest of a program that a prompt begins, such as a function's body.

    It is if it does not repeat the prompt, does not make it any worse for the parser, and either
    begins with indentation or parses better after the prompt than alone.

    Examples
    --------
    >>> python = language_named("python")
    >>> prompt = "def double(x):\n    # Twice x.\n"
    >>> continues(prompt, "    return 2 * x\n", python)
    True
    >>> continues(prompt, "def double(x):\n    return 2 * x\n", python)
    False
    >>> continues("Write a function that doubles.", "    return 2 * x\n", python)
    False
    """
    if not text.strip() or _repeats(prompt, text):
        return False
    alone, together = faults_in(text, language), faults_in(join(prompt, text), language)
    indented = text.lstrip("\r\n")[:1] in (" ", "\t")
    return together < alone or (indented and together <= alone)


def join(prompt: str, text: str) -> str:
    """The prompt and its continuation.

    A line that begins with indentation is never put at the end of another.
    """
    apart = "" if prompt.endswith("\n") or not text[:1].isspace() or text[:1] in "\r\n" else "\n"
    return f"{prompt}{apart}{text}"


def prompts_are_continued(rows: Iterable[Row]) -> bool:
    """Whether most references of some rows continue their prompts."""
    judged = [
        all(continues(row.prompt, text, language_named(row.language)) for text in row.references)
        for row in rows
        if row.prompt
        and row.references
        and row.language is not None
        and not language_named(row.language).prose
    ]
    return 2 * sum(judged) > len(judged)
