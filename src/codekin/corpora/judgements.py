"""Answers that judges exported: JSON that is checked field by field, and nothing of it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codekin.corpora.judging import ANSWERS, EXPORT_FORMAT, EXPORT_KIND, STRATA, JudgingStratum
from codekin.corpora.snippets import Problems
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.runs.row import whole_characters
from codekin.runs.rows import type_name

__all__ = ["OPEN", "Judgements", "read_judgements"]

OPEN = len(ANSWERS)
"""In place of an answer: the judge has given none."""

_LARGEST = 64_000_000
"""Bytes of an export; one of 2,000 pairs with long notes has a few millions."""


@dataclass(frozen=True)
class Judgements:
    """What an export holds.

    Attributes
    ----------
    path : Path
    judge : str
        Empty where the judge gave no name.
    fingerprint : str
        Of the sample.
    corpus : str
    by : str or None
    strata : tuple of JudgingStratum
    pairs : tuple of (str, str, int, int or None)
        The ids, the stratum and the label of each pair.
    answers : tuple of int
        Places in `ANSWERS`, `OPEN` where there is none.
    """

    path: Path
    judge: str
    fingerprint: str
    corpus: str
    by: str | None
    strata: tuple[JudgingStratum, ...]
    pairs: tuple[tuple[str, str, int, int | None], ...]
    answers: tuple[int, ...]


def read_judgements(path: str | Path) -> Judgements:
    """Read a file that the page of a sample exported.

    Raises
    ------
    CodekinError
        If it is not an export, or was damaged or changed; with each problem and its first cases.
    """
    path = Path(path)
    content = _read_json(path)
    if content.get("kind") != EXPORT_KIND:
        raise CodekinError(
            f"{path}: holds no judgements; export them from the page that codekin corpus judge "
            "writes"
        )
    if content.get("format") != EXPORT_FORMAT:
        raise CodekinError(
            f"{path}: is in format {content.get('format')!r}, and this codekin reads format "
            f"{EXPORT_FORMAT}"
        )
    problems = Problems(str(path))
    whole = _Fields(content, "the file", problems)
    sample = _Fields(whole.value("sample", dict), "sample", problems)
    strata = tuple(
        _stratum(_Fields(one, f"stratum {i}", problems))
        for i, one in enumerate(sample.value("strata", list), 1)
    )
    by = sample.value("by", str, none=True)
    if by is not None and by not in STRATA:
        problems.add("an unknown kind of strata", plain(by))
    fingerprint = sample.value("fingerprint", str)
    if not re.fullmatch(r"[0-9a-f]{16}", fingerprint):
        problems.add("a fingerprint other than 16 hex digits", plain(fingerprint)[:40])
    sample.value("seed", int)
    pairs, answers = [], []
    for i, one in enumerate(whole.value("pairs", list), 1):
        fields = _Fields(one, f"pair {i}", problems)
        pair = _pair(fields, len(strata))
        if fields.sound:
            pairs.append(pair)
            answers.append(_answer(fields))
    read = Judgements(
        path,
        whole.value("judge", str).strip(),
        fingerprint,
        sample.value("corpus", str),
        by,
        strata,
        tuple(pairs),
        tuple(answers),
    )
    for fields in (whole, sample):
        fields.nothing_else(("kind", "format"))
    if not pairs and not problems:
        problems.add("no pair", "pairs is empty")
    if len({frozenset(one[:2]) for one in pairs}) < len(pairs):
        problems.add("a pair that is listed twice", "pairs")
    _check_sizes(read, problems)
    if problems:
        raise CodekinError(
            f"{path}: {'; '.join(problems.lines())}; it was changed or damaged: export it again"
        )
    return read


def _read_json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST:
            raise CodekinError(f"{path}: is too large for an export of judgements")
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise CodekinError(
            f"{path}: is not JSON, or only a part of it; export the judgements again"
        ) from None
    if not isinstance(content, dict):
        raise CodekinError(
            f"{path}: holds no judgements; export them from the page that codekin corpus judge "
            "writes"
        )
    return content


class _Fields:
    """The fields of an object in an export; what is wrong with them is gathered."""

    def __init__(self, given: object, where: str, problems: Problems) -> None:
        self._given: Mapping[str, Any] = given if isinstance(given, dict) else {}
        self._where, self._problems = where, problems
        self._used: set[str] = set()
        self.sound = True
        if not isinstance(given, dict):
            self.wrong("not an object", type_name(given))

    def wrong(self, problem: str, case: str) -> None:
        """Record what is wrong."""
        self.sound = False
        self._problems.add(problem, f"{self._where}: {case}")

    def value(self, name: str, kind: type, *, none: bool = False) -> Any:
        """A field of a type; an empty value of the type where it has none."""
        self._used.add(name)
        value: Any = self._given.get(name)
        if name not in self._given:
            self.wrong("a field that is missing", name)
        elif value is None and none:
            return None
        elif type(value) is not kind:
            self.wrong("a field of the wrong type", f"{name} is {type_name(value)}")
        elif isinstance(value, int) and value < 0:
            self.wrong("a number below 0", name)
        else:
            return whole_characters(value) if isinstance(value, str) else value
        return kind()

    def nothing_else(self, more: Sequence[str] = ()) -> None:
        """Refuse fields that nobody asked for."""
        for name in sorted(set(self._given) - self._used - set(more)):
            self.wrong("an unknown field", plain(name))


def _stratum(fields: _Fields) -> JudgingStratum:
    found = JudgingStratum(
        fields.value("name", str), fields.value("pairs", int), fields.value("claimed", int)
    )
    fields.nothing_else()
    if found.claimed > found.pairs:
        fields.wrong("more clones than pairs", found.name)
    return found


def _pair(fields: _Fields, strata: int) -> tuple[str, str, int, int | None]:
    found = (
        fields.value("id1", str),
        fields.value("id2", str),
        fields.value("stratum", int),
        fields.value("label", int, none=True),
    )
    if found[2] >= strata:
        fields.wrong("a stratum that is not there", str(found[2]))
    if found[3] not in (None, 0, 1):
        fields.wrong("a label other than 0 and 1", str(found[3]))
    answer = fields.value("answer", str, none=True)
    if answer is not None and answer not in ANSWERS:
        fields.wrong("an unknown answer", plain(answer)[:40])
    fields.value("note", str)
    fields.nothing_else()
    return found


def _answer(fields: _Fields) -> int:
    answer = fields.value("answer", str, none=True)
    return OPEN if answer is None else ANSWERS.index(answer)


def _check_sizes(read: Judgements, problems: Problems) -> None:
    """No stratum can have fewer pairs than were drawn from it."""
    for i, one in enumerate(read.strata):
        labels = [label for *_, stratum, label in read.pairs if stratum == i]
        claimed = sum(label != 0 for label in labels)
        if claimed > one.claimed or len(labels) - claimed > one.pairs - one.claimed:
            problems.add("a stratum that is smaller than the sample of it", plain(one.name))
