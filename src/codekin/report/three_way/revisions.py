"""align_revisions: two revisions of a text aligned with it, ready to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from codekin.align.three_way import Region, ThreeWayAlignment, ThreeWayLcs, align_three
from codekin.errors import CodekinError
from codekin.languages import Language, language_of_file
from codekin.report.three_way.units import By, Units, line_units, token_units, word_units
from codekin.source import Source, sources_of_one_language

__all__ = ["TEXT", "RevisionAlignment", "align_revisions", "language_of_files"]

TEXT = "text"
"""In place of a language: the texts are no code, and words are aligned."""

_TEXT_SUFFIXES = (".txt", ".text", ".md", ".rst")


@dataclass(frozen=True, eq=False)
class RevisionAlignment:
    """An origin, a reference and a candidate made of it, and how they align.

    Attributes
    ----------
    origin, reference, candidate : Source
        The texts.
    alignment : ThreeWayAlignment
        Of their units; `first` is the reference and `second` the candidate.
    units : tuple of Units
        What was aligned: of the origin, of the reference and of the candidate.
    plain : bool
        Whether they were taken for texts without a language.
    by : {"token", "line"}
    lcs : {"pairwise", "threeway"}
    """

    origin: Source = field(repr=False)
    reference: Source = field(repr=False)
    candidate: Source = field(repr=False)
    alignment: ThreeWayAlignment = field(repr=False)
    units: tuple[Units, Units, Units] = field(repr=False)
    plain: bool
    by: By
    lcs: ThreeWayLcs

    @property
    def regions(self) -> tuple[Region, ...]:
        """The divergent regions, as stretches of units."""
        return self.alignment.regions

    @property
    def unit(self) -> str:
        """What was aligned: token, word or line."""
        return self.units[0].name

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before looking at regions.

        Examples
        --------
        >>> align_revisions("x = 1", "x = 2", "x = 1", language="python").notes
        ('the candidate is the origin, untouched',)
        """
        old, ours, theirs = (one.text for one in (self.origin, self.reference, self.candidate))
        told = []
        if self.plain and self.by == "token":
            told.append("no language is known, so words are aligned")
        texts = {"origin": old, "reference": ours, "candidate": theirs}
        told += [f"the {role} is empty" for role, text in texts.items() if not text.strip()]
        if old == ours == theirs:
            told.append("all three texts are the same")
        elif ours == theirs:
            told.append("the candidate is the reference")
        elif old == theirs:
            told.append("the candidate is the origin, untouched")
        elif old == ours:
            told.append("the reference is the origin: nothing was to be changed")
        return tuple(told)

    def __str__(self) -> str:
        from codekin.report.three_way.terminal import plain_text

        return plain_text(self)

    def _repr_html_(self) -> str:
        from codekin.report.three_way.html import fragment

        return fragment(self)


def align_revisions(
    origin: Source | str,
    reference: Source | str,
    candidate: Source | str,
    *,
    language: str | Language | None = None,
    by: By = "token",
    lcs: ThreeWayLcs = "pairwise",
) -> RevisionAlignment:
    r"""Align a reference and a candidate with the origin that both were made from.

    Parameters
    ----------
    origin, reference, candidate : Source or str
        The texts.
    language : str or Language, optional
        The language of texts given as str; detected where it is not given. ``"text"``, or texts
        whose language cannot be told, are cut into words.
    by : {"token", "line"}
        What is aligned: tokens, without comments and docstrings, or whole lines.
    lcs : {"pairwise", "threeway"}
        As :func:`codekin.align.three_way.align_three` takes it.

    Returns
    -------
    RevisionAlignment
        Printed, it shows every region with the lines around it; a notebook shows it in colours.

    Raises
    ------
    CodekinError
        If a parameter is none of its choices, or if the texts are too long for
        ``lcs="threeway"``.

    Examples
    --------
    >>> aligned = align_revisions("a < b", "a <= b", "a > b", language="python")
    >>> print(aligned)  # doctest: +NORMALIZE_WHITESPACE
    1 region; 3 tokens changed: 1 alike, 0 only by the reference, 0 only by the candidate,
    2 differently; 3 kept
    {+x+} inserted by this one only  [=x=] deleted by both
    <BLANKLINE>
    1 · line 1: both delete `<`; the reference puts `<=`, the candidate `>`
        added alike 0 of 2 · deleted alike 1 of 1
      origin    1 a [=<=] b
      reference 1 a {+<=+} b
      candidate 1 a {+>+} b
    >>> aligned.regions
    (Region(first=(2, 3), second=(2, 3), origin=(2, 3)),)
    """
    if by not in get_args(By):
        raise CodekinError(f"nothing to align called {by!r}; there are 'token' and 'line'")
    texts = [origin, reference, candidate]
    for role, text in zip(("origin", "reference", "candidate"), texts, strict=True):
        if not isinstance(text, Source | str):
            raise CodekinError(f"the {role} must be a Source or a str, not {type(text).__name__}")
    named_text = isinstance(language, str) and language.lower() == TEXT
    sources = sources_of_one_language(texts, None if named_text else language)
    plain = named_text or not all(map(_has_language, sources))
    units = _units(sources, by, plain)
    old, first, second = units
    aligned = align_three(
        first.ids,
        second.ids,
        old.ids,
        lcs=lcs,
        # A line of lines would be anchored in itself.
        lines=(first.lines, second.lines, old.lines) if by == "token" else None,
    )
    return RevisionAlignment(sources[0], sources[1], sources[2], aligned, units, plain, by, lcs)


def language_of_files(names: Sequence[str]) -> str | Language | None:
    """The language that the suffixes of files name; the first one where they name several.

    Examples
    --------
    >>> language_of_files(["<stdin>", "new.py"]).name, language_of_files(["a.txt"])
    ('python', 'text')
    """
    known = (language_of_file(name) for name in names)
    text = any(name.lower().endswith(_TEXT_SUFFIXES) for name in names)
    return next((one for one in known if one is not None), TEXT if text else None)


def _units(sources: list[Source], by: By, plain: bool) -> tuple[Units, Units, Units]:
    cut = [
        line_units(one.text)
        if by == "line"
        else word_units(one.text)
        if plain
        else token_units(one)
        for one in sources
    ]
    return cut[0], cut[1], cut[2]


def _has_language(source: Source) -> bool:
    try:
        return bool(source.language)
    except CodekinError:
        return False
