"""The language of an input that does not name it, guessed once from many references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import Language, languages
from codekin.represent.text.detection import detect_language, faults_in
from codekin.results import count_text
from codekin.runs.prompts import join, repeats
from codekin.runs.row import language_named, prompt_in

__all__ = ["LanguageGuess", "guess_language"]

_MOST_TEXTS = 200
"""How many references are parsed."""
_MOST_CHARACTERS = 400_000
_ASKED = (2, 8)
"""How many of them are read in every language: few, and more unless all parse in the language found
so. The others are read only in the languages of these."""
_NEARLY_ALL = 0.9
_OTHERS = 0.1
"""The share of references that make a second language of an input rather than a mistake."""

_PYTHON_BENCHMARKS = frozenset({"humaneval", "humanevalplus", "mbpp", "mbppplus", "bigcodebench"})
_NUMBERED = re.compile(r"([A-Za-z+#]+)[/_-]\d+")
"""How benchmarks name their tasks: ``HumanEval/12``, ``Java/3``."""

Evidence = tuple[str, str]
"""The prompt and the reference of a task."""


@dataclass(frozen=True)
class LanguageGuess:
    """The languages of an input.

    Attributes
    ----------
    names : tuple of str
        The most frequent first. Usually one: another one must parse many references that the
        first does not.
    parsed : tuple of int
        How many references parse in each, but in none before it.
    references : int
        How many were looked at.
    """

    names: tuple[str, ...]
    parsed: tuple[int, ...]
    references: int

    def note(self) -> str:
        """What was guessed, and from what.

        Examples
        --------
        >>> LanguageGuess(("python",), (164,), 164).note()
        'language: python, from 164 references; --language (language=) names another'
        >>> LanguageGuess(("python",), (150,), 164).note()
        'language: python, from 164 references (150 parse); --language (language=) names another'
        """
        how = "--language (language=) names another"
        references = count_text(self.references, "reference")
        if len(self.names) > 1:
            counts = ", ".join(
                f"{name} ({count:,})" for name, count in zip(self.names, self.parsed, strict=True)
            )
            return f"languages: {counts} of {references}; guessed for each row among these; {how}"
        parsed = self.parsed[0]
        parse = "" if parsed == self.references else f" ({parsed:,} parse)"
        return f"language: {self.names[0]}, from {references}{parse}; {how}"


def guess_language(tasks: Iterable[Mapping[str, Any]]) -> LanguageGuess | None:
    """The language of tasks, from their references, prompts and ids; None if nothing tells it.

    Parameters
    ----------
    tasks : iterable of mapping
        Fields under codekin's names.

    Examples
    --------
    >>> guess = guess_language([{"id": 1, "reference": "def f(x):\\n    return x"}])
    >>> guess.names, guess.references
    (('python',), 1)
    """
    evidence, ids = _evidence(tasks)
    if not evidence:
        return None
    hint = _language_of_benchmark(ids)
    if hint is not None:
        parsed = sum(_parses(task, hint) for task in evidence)
        if parsed >= _NEARLY_ALL * len(evidence):
            return LanguageGuess((hint.name,), (parsed,), len(evidence))
    votes = _votes(evidence, _ASKED[0])
    if len(votes) == 1:
        [only] = votes
        if all(_parses(task, language_named(only)) for task in evidence):
            return LanguageGuess((only,), (len(evidence),), len(evidence))
    votes = _votes(evidence, _ASKED[1])
    order = [language.name for language in languages()]
    read = {
        name: {task for task in evidence if _parses(task, language_named(name))}
        for name in sorted(votes, key=order.index)
    }
    left = set().union(*read.values())
    if 2 * len(left) < len(evidence):  # fragments, which parse as anything but what they are
        if not votes:
            return None
        best = max(read, key=lambda name: votes[name])
        return LanguageGuess((best,), (len(read[best]),), len(evidence))
    parsed_in: dict[str, int] = {}
    least = max(1.0, _OTHERS * len(evidence))
    while len(left) >= least:
        best = max(read, key=lambda name: (len(read[name] & left), votes[name]))
        parsed = len(read[best] & left)
        if parsed_in and parsed < least:
            break
        parsed_in[best] = parsed
        left -= read[best]
    return LanguageGuess(tuple(parsed_in), tuple(parsed_in.values()), len(evidence))


def _evidence(tasks: Iterable[Mapping[str, Any]]) -> tuple[list[Evidence], list[str]]:
    """Distinct prompts with their first references, and the ids of the tasks."""
    evidence: dict[Evidence, None] = {}
    ids: list[str] = []
    room = _MOST_CHARACTERS
    for task in tasks:
        reference, several = task.get("reference"), task.get("references")
        if reference is None and isinstance(several, list) and several:
            reference = several[0]
        if not isinstance(reference, str) or not reference.strip():
            continue
        prompt = prompt_in(task) or ""
        ids.append(str(task.get("id") or ""))
        if (prompt, reference) not in evidence:
            room -= len(prompt) + len(reference)
            if evidence and room < 0:
                break
            evidence[prompt, reference] = None
        if len(evidence) == _MOST_TEXTS:
            break
    return list(evidence), ids


def _language_of_benchmark(ids: Sequence[str]) -> Language | None:
    """The language that the names of tasks tell, if all tell the same.

    Examples
    --------
    >>> _language_of_benchmark(["HumanEval/0", "HumanEval/1"]).name
    'python'
    >>> _language_of_benchmark(["Java/0"]).name
    'java'
    >>> _language_of_benchmark(["Java/0", "Python/0"]) is None
    True
    """
    named = [_NUMBERED.match(name) for name in ids]
    words = {match[1].lower() if match else "" for match in named}
    if len(words) != 1:
        return None
    [word] = words
    try:
        language = language_named("python" if word in _PYTHON_BENCHMARKS else word)
    except CodekinError:
        return None
    return None if language.prose else language


def _votes(texts: Sequence[Evidence], most: int) -> Counter[str]:
    """The languages that some of the texts, evenly spread, are detected as."""
    votes: Counter[str] = Counter()
    for prompt, reference in texts[:: max(1, len(texts) // most)]:
        for text in dict.fromkeys((_whole(prompt, reference), reference)):
            try:
                votes[detect_language(text).name] += 1
                break
            except CodekinError:
                continue
    return votes


def _whole(prompt: str, reference: str) -> str:
    return reference if repeats(prompt, reference) else join(prompt, reference)


def _parses(task: Evidence, language: Language) -> bool:
    """Whether a reference parses in a language, by itself or after its prompt."""
    prompt, reference = task
    texts = dict.fromkeys((_whole(prompt, reference), reference))
    return any(not faults_in(text, language) for text in texts)
