"""align_revisions: two revisions of a text aligned with it, ready to be looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args

from codekin.align.three_way import Region, ThreeWayAlignment, ThreeWayLcs, align_three
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.report.three_way.units import By, Units, line_units, token_units, word_units
from codekin.source import Source, sources_of_one_language

__all__ = ["TEXT", "RevisionAlignment", "align_revisions"]

TEXT = "text"
"""In place of a language: the texts are no code, and words are aligned."""


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
    >>> print(align_revisions("if a < b:\n", "if a <= b:\n", "if a > b:\n", language="python"))
    1 region; of 3 changed tokens both changed 1 alike and 2 differently; all kept 5
    [=x=] deleted by both  {+x+} inserted by this one only
    <BLANKLINE>
    1 · line 1: both delete `<`; the reference puts `<=`, the candidate `>`
        added alike 0 of 2 · deleted alike 1 of 1
      origin    1 if a [=<=] b:
      reference 1 if a {+<=+} b:
      candidate 1 if a {+>+} b:
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
