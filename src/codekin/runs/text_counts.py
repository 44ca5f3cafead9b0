"""What the texts of a run are: missing, empty, answers of chat models, and whether they parse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from codekin.results import OPTIONAL, count_text, share_text
from codekin.runs.answers import ANSWERS, EMPTY, EXTRACTED, MISSING, NO_CODE
from codekin.runs.run import Run

__all__ = [
    "RowForms",
    "TextCounts",
    "group_texts",
    "prompt_notes",
    "read_forms",
    "text_notes",
    "text_warnings",
]

_MOST_GROUPS = 20
_SHARES = {"candidates": "candidates_parsed", "references": "references_parsed"}

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TextCounts:
    """The texts of some rows.

    Attributes
    ----------
    missing : int
        Rows without a candidate.
    answers : int
        Candidates with Markdown fences, prose or a repeated prompt, compared as they are.
    extracted : int
        Those whose code was taken out.
    without_code : int
        Those that had none to take out, compared as empty texts.
    empty : int
        Other empty candidates of references that are not empty.
    candidates_parsed, references_parsed : float
        The share that parses, of those whose language is known; nan if there are none. Empty
        candidates of references that are not empty count as not parsing.
    joined, references_joined : int
        Rows whose candidate, and whose reference, has the prompt put before it.
    prompts : int
        Rows with a prompt that begins a program.
    repeated : int
        Rows that repeat an id of their group, where most ids occur once: these are not samples.
    first_repeated : str or None
        The id of the first of them.
    """

    missing: int
    answers: int
    extracted: int
    without_code: int
    empty: int
    candidates_parsed: float
    references_parsed: float
    joined: int = 0
    references_joined: int = 0
    prompts: int = 0
    repeated: int = 0
    first_repeated: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, eq=False)
class RowForms:
    """What the texts of each row are.

    Attributes
    ----------
    missing, answers, extracted, without_code, empty : array of bool
    parses, reference_parses : array
        1 or 0; nan where it is not known.
    joined, reference_joined, prompted : array of bool
        Whether the prompt is before the candidate and before a reference; whether there is one.
    repeated : dict of int to str
        The id of each row that repeats one of its group, where most ids occur once.
    """

    missing: Flags
    answers: Flags
    extracted: Flags
    without_code: Flags
    empty: Flags
    parses: Floats
    reference_parses: Floats
    joined: Flags
    reference_joined: Flags
    prompted: Flags
    repeated: dict[int, str]

    def counts(self, rows: npt.NDArray[np.intp] | slice = slice(None)) -> TextCounts:
        """The counts of some rows."""
        places = np.arange(len(self.missing))[rows].tolist() if self.repeated else []
        repeated = [self.repeated[place] for place in places if place in self.repeated]
        return TextCounts(
            missing=int(self.missing[rows].sum()),
            answers=int(self.answers[rows].sum()),
            extracted=int(self.extracted[rows].sum()),
            without_code=int(self.without_code[rows].sum()),
            empty=int(self.empty[rows].sum()),
            candidates_parsed=_share(self.parses[rows]),
            references_parsed=_share(self.reference_parses[rows]),
            joined=int(self.joined[rows].sum()),
            references_joined=int(self.reference_joined[rows].sum()),
            prompts=int(self.prompted[rows].sum()),
            repeated=len(repeated),
            first_repeated=repeated[0] if repeated else None,
        )


def _share(flags: Floats) -> float:
    known = flags[~np.isnan(flags)]
    return float(known.mean()) if len(known) else float("nan")


def read_forms(run: Run) -> RowForms:
    """What the texts of a run are."""
    joins = ["joined", "reference_joined"]
    table = run.table(["form", "parses", "reference_parses", *joins, "id", "group"])
    joined, reference_joined = (table.column(name).to_pylist() for name in joins)
    forms = table.column("form").to_pylist()
    parses = [
        np.array(
            [np.nan if one is None else float(one) for one in table.column(name).to_pylist()],
            np.float64,
        )
        for name in ("parses", "reference_parses")
    ]
    return RowForms(
        np.array([form == MISSING for form in forms], np.bool_),
        np.array([form in ANSWERS for form in forms], np.bool_),
        np.array([(form or "").endswith(f" {EXTRACTED}") for form in forms], np.bool_),
        np.array([form == NO_CODE for form in forms], np.bool_),
        np.array([form == EMPTY for form in forms], np.bool_),
        parses[0],
        parses[1],
        np.array([flag is True for flag in joined], np.bool_),
        np.array([flag is True for flag in reference_joined], np.bool_),
        np.array([flag is not None for flag in reference_joined], np.bool_),
        _repeated(table.column("id").to_pylist(), table.column("group").to_pylist()),
    )


def _repeated(ids: Sequence[str], groups: Sequence[str | None]) -> dict[int, str]:
    """The rows that repeat an id of their group, except in groups with samples of most ids.

    Examples
    --------
    >>> _repeated(["1", "2", "2", "3", "1", "1"], ["a", "a", "a", "a", "b", "b"])
    {2: '2'}
    """
    keys = list(zip(groups, ids, strict=True))
    times = Counter(keys)
    if len(times) == len(keys):
        return {}
    once = Counter(group for (group, _), number in times.items() if number == 1)
    several = Counter(group for (group, _), number in times.items() if number > 1)
    seen: set[tuple[str | None, str]] = set()
    found = {}
    for place, key in enumerate(keys):
        if key in seen and several[key[0]] < once[key[0]]:
            found[place] = key[1]
        seen.add(key)
    return found


def group_texts(run: Run) -> list[tuple[str | None, int, TextCounts]]:
    """The name of each group of a run, its rows and their texts."""
    if not run.rows:
        return []
    forms = read_forms(run)
    labels = run.labels_of("group")
    places: dict[str | None, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    return [
        (name, len(rows), forms.counts(np.array(rows, np.intp))) for name, rows in places.items()
    ]


def text_notes(groups: Sequence[tuple[str | None, int, TextCounts]]) -> list[str]:
    """The share of texts that parse: a line per group or, if there are many, the extremes."""
    if len(groups) > _MOST_GROUPS:
        return [
            note
            for what, name in _SHARES.items()
            if (note := _extremes([(one[0], getattr(one[2], name)) for one in groups], what))
        ]
    notes = []
    for name, _, texts in groups:
        there = {"candidates": " that are there"} if texts.missing else {}
        shares = [
            f"{share_text(share)} of the {what}{there.get(what, '')}"
            for what, field in _SHARES.items()
            if not np.isnan(share := getattr(texts, field))
        ]
        if shares:
            notes.append(f"{_prefix(name, groups)}{' and '.join(shares)} parse")
    return notes


def prompt_notes(groups: Sequence[tuple[str | None, int, TextCounts]]) -> list[str]:
    """Before how many candidates and references the prompt is: per group, or of all if many."""
    told = groups
    if len(groups) > _MOST_GROUPS:
        counts = [texts for _, _, texts in groups]
        whole = replace(
            counts[0],
            joined=sum(texts.joined for texts in counts),
            references_joined=sum(texts.references_joined for texts in counts),
            prompts=sum(texts.prompts for texts in counts),
        )
        told = [(None, 0, whole)]
    return [
        f"{_prefix(name, told)}the prompt is before {texts.joined:,} of "
        f"{count_text(texts.prompts, 'candidate')} and {texts.references_joined:,} of "
        f"{count_text(texts.prompts, 'reference')}"
        for name, _, texts in told
        if texts.prompts
    ]


def _extremes(shares: Sequence[tuple[str | None, float]], what: str) -> str | None:
    known = [(share, str(name)) for name, share in shares if not np.isnan(share)]
    if not known:
        return None
    (low, first), (high, last) = min(known), max(known)
    if low == high:
        return f"{share_text(low)} of the {what} of every group parse"
    return f"from {share_text(low)} ({first}) to {share_text(high)} ({last}) of the {what} parse"


def text_warnings(
    groups: Sequence[tuple[str | None, int, TextCounts]],
    *,
    zero: bool = True,
    samples: bool = False,
) -> list[str]:
    """What is wrong with the candidates of each group.

    Parameters
    ----------
    groups : sequence of (name, rows, TextCounts)
    zero : bool
        Whether rows without a candidate count as 0, or are left out.
    samples : bool
        Whether several rows with one id are meant to be samples of one task.
    """
    warnings = []
    for name, rows, texts in groups:
        of_rows = f"of {count_text(rows, 'row')}"
        if texts.missing:
            one = texts.missing == 1
            have, it = ("has", "it") if one else ("have", "them")
            what = (
                f"{'counts' if one else 'count'} as 0 (--missing skip leaves {it} out)"
                if zero
                else f"{'is' if one else 'are'} left out (--missing zero counts {it})"
            )
            warnings.append(
                f"{_prefix(name, groups)}{texts.missing:,} {of_rows} {have} no candidate and {what}"
            )
        if texts.answers:
            have = "has" if texts.answers == 1 else "have"
            warnings.append(
                f"{_prefix(name, groups)}{texts.answers:,} {of_rows} {have} Markdown fences, prose "
                "or the prompt around the code, compared as given; --extract-code first takes the "
                "code out"
            )
        if texts.without_code:
            have = "has" if texts.without_code == 1 else "have"
            warnings.append(
                f"{_prefix(name, groups)}{texts.without_code:,} {of_rows} {have} an answer without "
                "code, such as a refusal, compared as an empty text"
            )
        if texts.empty:
            have, count = ("has", "counts") if texts.empty == 1 else ("have", "count")
            warnings.append(
                f"{_prefix(name, groups)}{texts.empty:,} {of_rows} {have} an empty candidate and "
                f"{count} as 0"
            )
        if texts.repeated and not samples:
            repeat = "repeats" if texts.repeated == 1 else "repeat"
            first = "" if texts.repeated == 1 else "first "
            warnings.append(
                f"{_prefix(name, groups)}{texts.repeated:,} {of_rows} {repeat} the id of another "
                f"({first}{texts.first_repeated}); means are of rows, comparisons are of ids"
            )
    return warnings


def _prefix(name: str | None, groups: Sequence[object]) -> str:
    return "" if len(groups) == 1 or name is None else f"{name}: "
