"""The four ideas that every measure shares: Measure, Score, Explanation and the signature line."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, overload

from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.results import Column, Grid, Result, measure_cell
from codekin.source import Source, sources_of_one_language

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codekin.measures.comparing import Comparison
    from codekin.measures.score_list import ScoreList

Many = list[Source] | list[str] | list[Source | str] | tuple[Source | str, ...]
"""Texts of several rows."""

__all__ = [
    "CorpusMeasure",
    "Explanation",
    "Measure",
    "RevisionMeasure",
    "Score",
    "Span",
    "as_sources",
    "check_choice",
    "check_range",
]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one text that a measure found in the other.

    Attributes
    ----------
    start, end : int
        The stretch, in characters of the text.
    level : float
        How well it matched, in [0, 1]; 1 is the best match that the measure can express.
    """

    start: int
    end: int
    level: float = 1.0


@dataclass(frozen=True)
class Explanation(Result):
    """Why a measure gave a score.

    Attributes
    ----------
    summary : str
        One or two plain sentences.
    candidate, reference : tuple of Span
        The matched stretches of each text, in order and without overlaps.
    details : tuple of (str, str)
        Named facts, such as the n-grams found on only one side.
    candidate_text, reference_text : str
        The texts that the spans refer to.
    """

    summary: str
    candidate: tuple[Span, ...]
    reference: tuple[Span, ...]
    candidate_text: str = dataclasses.field(repr=False)
    reference_text: str = dataclasses.field(repr=False)
    details: tuple[tuple[str, str], ...] = ()

    def grids(self) -> list[Grid]:
        """The matched stretches of both texts."""
        sides = (
            ("candidate", self.candidate_text, self.candidate),
            ("reference", self.reference_text, self.reference),
        )
        cells = tuple(
            (role, one.start, one.end, one.level, text[one.start : one.end])
            for role, text, spans in sides
            for one in spans
        )
        columns = ("text", "start", "end", Column("level", digits=2), Column("code", wraps=True))
        return [Grid("Matched", columns, cells)]

    def notes(self) -> list[str]:
        """The named facts."""
        return [f"{name}: {text}" for name, text in self.details]

    def conclusion(self) -> list[str]:
        """The summary."""
        return [self.summary]

    def __str__(self) -> str:
        return "\n".join([self.summary, *self.notes()])

    def _repr_html_(self) -> str:
        """The summary, the details, and both texts with what matched."""
        details = "".join(f"<li>{escape(name)}: {escape(text)}</li>" for name, text in self.details)
        sides = zip(
            (self.candidate_text, self.reference_text),
            (self.candidate, self.reference),
            strict=True,
        )
        cells = "".join(
            f"<td style='text-align:left;vertical-align:top'><pre>{_marked(text, spans)}</pre></td>"
            for text, spans in sides
        )
        heads = "<tr><th>candidate</th><th>reference</th></tr>"
        listed = f"<ul>{details}</ul>" if details else ""
        return f"<p>{escape(self.summary)}</p>{listed}<table>{heads}<tr>{cells}</tr></table>"


def _count(value: float) -> float:
    """A count as a whole number, which is shown without decimals; 0 and 1 may be shares."""
    return int(value) if value > 1 and float(value).is_integer() else float(value)


def _marked(text: str, spans: Sequence[Span]) -> str:
    """A text as HTML with its spans marked."""
    parts, last = [], 0
    for span in spans:
        parts.append(escape(text[last : span.start]))
        parts.append(f"<mark>{escape(text[span.start : span.end])}</mark>")
        last = span.end
    return "".join([*parts, escape(text[last:])])


_VALUE = frozenset({(0, 1)})
"""The cell of a score's value, in front of its parts."""


class Score(Result):
    """The result of comparing a candidate with its references.

    Attributes
    ----------
    value : float
        In [0, 1], unless the measure is a distance.
    parts : mapping of str to float
        The named components.
    bounds : (float, float)
        Lower and upper bound of the value; equal if it is exact.
    exact : bool
        Whether the bounds meet.
    origin : Source or None
        The text that both were made from, if the measure uses it.
    signature : str
        One line that reproduces the score.
    """

    __slots__ = ("_candidate", "_references", "bounds", "measure", "origin", "parts", "value")

    def __init__(
        self,
        measure: Measure,
        value: float,
        parts: Mapping[str, float],
        candidate: Source,
        *references: Source,
        bounds: tuple[float, float] | None = None,
        origin: Source | None = None,
    ) -> None:
        self.measure = measure
        self.value = value
        self.parts = parts
        self.bounds = bounds or (value, value)
        self.origin = origin
        self._candidate = candidate
        self._references = references

    @property
    def exact(self) -> bool:
        """Whether the value is proven."""
        return self.bounds[0] == self.bounds[1]

    @property
    def signature(self) -> str:
        """One line that reproduces the score."""
        return self.measure.signature(self._candidate, *self._references)

    @property
    def pair(self) -> tuple[Source, Source]:
        """The candidate and the reference that the explanation is about: the best match."""
        return self._candidate, self.measure.best_reference(
            self._candidate, self._references, self.origin
        )

    @property
    def remark(self) -> str:
        """What to know about the value besides its parts, such as why it is 0; often empty."""
        return self.measure.remark(self)

    def explain(self) -> Explanation:
        """Explain the score against the best reference."""
        return self.measure._explain(*self.pair, self.origin)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"<Score {self.measure.name} {self.value:.4f} {self.signature}>"

    def grids(self) -> list[Grid]:
        """The value and its parts.

        Examples
        --------
        >>> from codekin import measure
        >>> measure("nes").score("x = 1", "x = 2", language="python").table().rows[:2]
        (('nes', '0.8000'), ('distance', '1.0000'))
        """
        name = measure_cell(self.measure.name, self.measure.distance)
        value = _count(self.value) if self.measure.distance else float(self.value)
        parts = ((name, _count(part)) for name, part in self.parts.items())
        return [Grid("", ("part", "value"), ((name, value), *parts), strong=_VALUE)]

    def notes(self) -> list[str]:
        """What to know about the value, and what reproduces it."""
        return [*([self.remark] if self.remark else []), self.signature]

    def document(self) -> dict[str, Any]:
        """The JSON document of a comparison with this score alone."""
        return self._comparison.document()

    def to_html(self, path: str | Path | None = None) -> str:
        """The page of a comparison with this score alone; see :meth:`Comparison.to_html`."""
        return self._comparison.to_html(path)

    def to_svg(self, path: str | Path | None = None) -> str:
        """Both graphs in one picture, if the measure is cssg; also written to `path` if given."""
        return self._comparison.to_svg(path)

    @property
    def _comparison(self) -> Comparison:
        from codekin.measures.comparing import Comparison

        scores = {self.measure.name: self}
        return Comparison(self._candidate, self._references, scores, self.origin)


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure:
    """A configured way to compare two texts of code; subclasses are frozen dataclasses.

    A subclass has a name and a one-line `summary`, declares its parameters as fields, and
    implements :meth:`_pair`, or :meth:`_score` if it joins several references itself.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    compat: ClassVar[str | None] = None
    """The package that this class reproduces, None for codekin's own definition."""
    distance: ClassVar[bool] = False
    """Whether 0 means equal; all other measures are in [0, 1] and 1 means equal."""
    needs_origin: ClassVar[bool] = False
    needs_tree: ClassVar[bool] = False
    """Whether it compares syntax trees, which prose has none of."""
    symmetric: ClassVar[bool] = False
    """Whether swapping the two texts never changes the score, whatever the parameters."""
    joins: ClassVar[str] = "best"
    """How several references count: the ``best`` one, or pooled as in the measure's paper."""
    loaded_from: ClassVar[str | None] = None
    """The ``module:attribute`` of a measure from another package."""

    def __post_init__(self) -> None:
        for f in dataclasses.fields(self):
            _check_type(self.name, f.name, str(f.type), getattr(self, f.name))

    @overload
    def score(
        self,
        candidate: Source | str,
        reference: Source | str | None = None,
        origin: Source | str | None = None,
        *,
        references: Sequence[Source | str] | None = None,
        language: str | Language | None = None,
    ) -> Score: ...
    @overload
    def score(
        self,
        candidate: Many,
        reference: Many | None = None,
        origin: Many | None = None,
        *,
        references: Sequence[Sequence[Source | str]] | None = None,
        language: str | Language | None = None,
    ) -> ScoreList: ...
    def score(
        self,
        candidate: Source | str | Many,
        reference: Source | str | Many | None = None,
        origin: Source | str | Many | None = None,
        *,
        references: Sequence[Any] | None = None,
        language: str | Language | None = None,
    ) -> Score | ScoreList:
        """Compare a candidate with a reference, or with several; lists give a list of scores.

        Parameters
        ----------
        candidate, reference : Source or str, or lists of them
            The texts; lists must be equally long.
        origin : Source or str, or a list of them, optional
            The text that both were made from; measures with `needs_origin` require it, others
            ignore it.
        references : sequence of Source or str, optional
            Several references, instead of `reference`; of a list of candidates, a list of such
            sequences.
        language : str or Language, optional
            The language of texts given as str.

        Examples
        --------
        >>> from codekin import measure
        >>> scores = measure("nes").score(["x = 1", "y"], ["x = 2", "y"], language="python")
        >>> scores.values
        [0.8, 1.0]
        """
        kind = type(candidate)
        if kind is not Source and kind is not str:
            from codekin.measures.score_list import is_many, score_list

            if is_many(candidate):
                return score_list(self, candidate, reference, origin, references, language)  # type: ignore[arg-type]
        return self._score_one(candidate, reference, origin, references, language)  # type: ignore[arg-type]

    def _score_one(
        self,
        candidate: Source | str,
        reference: Source | str | None,
        origin: Source | str | None,
        references: Sequence[Source | str] | None,
        language: str | Language | None,
    ) -> Score:
        """The score of one candidate."""
        sources: tuple[Source, tuple[Source, ...]]
        if references is not None:
            sources = as_sources(self.name, candidate, reference, references, language)
        elif type(candidate) is Source and type(reference) is Source:
            sources = candidate, (reference,)
        elif language is not None and type(candidate) is str and type(reference) is str:
            sources = Source(candidate, language), (Source(reference, language),)
        else:
            sources = as_sources(self.name, candidate, reference, references, language)
        if self.needs_tree:
            _check_trees(self.name, sources[0], *sources[1])
        try:
            if origin is None:
                found = self._score(*sources)
            else:
                found = self._score_revision(*sources, _origin_of(origin, sources[0]))
            if self.is_cut_short(sources[0], *sources[1]):
                found.bounds = self.widest
            return found
        except (ArithmeticError, TypeError, ValueError) as error:
            raise CodekinError(f"{self!r} cannot score the texts: {error}") from error

    def reads_only_part_of(self, source: Source) -> bool:
        """Whether the measure uses a tree or lexemes that stop before the end of the text.

        Valid after scoring; the call parses nothing.
        """
        return (self.uses_tree() and _is_cut(source)) or (
            self.uses_language() and _has_unread_lexemes(source)
        )

    def is_cut_short(self, candidate: Source, *references: Source) -> bool:
        """Whether a score compares only parts of the texts, so nothing is proven about the whole.

        The score of equal texts is always proven.
        """
        return any(map(self.reads_only_part_of, (candidate, *references))) and any(
            candidate.text != one.text for one in references
        )

    @property
    def widest(self) -> tuple[float, float]:
        """The bounds that hold for any two texts."""
        return (0.0, math.inf if self.distance else 1.0)

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        if len(references) == 1:
            return self._pair(candidate, references[0])
        best = self._pair(candidate, self.best_reference(candidate, references))
        best._references = references
        return best

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        """The score with an origin, which only measures of edits use."""
        return self._score(candidate, references)

    def best_reference(
        self, candidate: Source, references: tuple[Source, ...], origin: Source | None = None
    ) -> Source:
        """The reference with the best score of its own; the first of equals."""
        if len(references) == 1:
            return references[0]
        sign = -1 if self.distance else 1
        if origin is None:
            return max(references, key=lambda r: sign * self._score(candidate, (r,)).value)
        return max(
            references, key=lambda r: sign * self._score_revision(candidate, (r,), origin).value
        )

    def _pair(self, candidate: Source, reference: Source) -> Score:
        raise NotImplementedError

    def _pairwise(
        self, sources: Sequence[Source], origin: Source | None
    ) -> npt.NDArray[np.float64] | None:
        """The scores of all pairs at once; None if the measure can only score pair by pair.

        See :func:`~codekin.measures.pairwise.directed_scores`.
        """
        return None

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Explain the :meth:`score` of this pair."""
        raise NotImplementedError

    def _explain(self, candidate: Source, reference: Source, origin: Source | None) -> Explanation:
        """Explain a score, with its origin if it has one."""
        return self.explain(candidate, reference)

    def remark(self, score: Score) -> str:
        """A sentence about one of its scores that the parts do not say; empty if there is none."""
        return ""

    def suits(self, language: Language) -> bool:
        """Whether the measure can score texts in a language."""
        return bool(language.grammars) or not self.needs_tree

    def uses_tree(self) -> bool:
        """Whether the score depends on the grammar, whose version is then in the signature.

        It does unless the parameter ``tokens`` names other tokens than those of code.
        """
        return getattr(self, "tokens", "code") == "code"

    def ignores_comments(self) -> bool:
        """Whether comments and docstrings do not count."""
        return self.uses_language() and not getattr(self, "comments", True)

    def uses_language(self) -> bool:
        """Whether the score depends on the language, through its grammar or its lexemes."""
        return self.uses_tree()

    def signature(self, *sources: Source) -> str:
        """One line with everything that determines the score.

        Measure, parameters that differ from the default, grammars with their versions, the number
        of references if there are several, and codekin's version.

        Parameters
        ----------
        *sources : Source
            The candidate and its references.
        """
        from codekin._version import __version__  # which loads importlib.metadata

        fields = [self.name] if self.compat is None else [self.name, f"compat:{self.compat}"]
        fields.extend(f"{name}:{_compact(value)}" for name, value in self._unusual())
        if self.uses_tree():
            fields.extend(dict.fromkeys(_reader(s) for s in sources))
        elif self.uses_language():
            fields.extend(dict.fromkeys(s.language.name for s in sources))
        if len(sources) > 2:
            fields.append(f"references:{len(sources) - 1}")
        fields.append(f"codekin-{__version__}")
        return "|".join(fields)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._unusual())
        compat = [f"compat={self.compat!r}"] if self.compat else []
        return f"measure({', '.join([repr(self.name), *compat, *([shown] if shown else [])])})"

    def _unusual(self) -> list[tuple[str, Any]]:
        """The parameters that differ from their default and are short enough to show."""
        return [
            (f.name, getattr(self, f.name))
            for f in dataclasses.fields(self)
            if f.repr and getattr(self, f.name) != f.default
        ]

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


@dataclass(frozen=True, kw_only=True, repr=False)
class CorpusMeasure(Measure):
    """A measure that computes counts first and the score second; counts add up over a corpus.

    A subclass implements :meth:`statistics` and :meth:`from_statistics`.
    """

    joins: ClassVar[str] = "pooled"

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """The counts of a candidate, which add up over a corpus."""
        raise NotImplementedError

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        raise NotImplementedError

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        value, parts = self.from_statistics(self.statistics(candidate, references))
        return Score(self, value, parts, candidate, *references)

    def corpus_score(
        self,
        candidates: Sequence[Source | str],
        references: Sequence[Sequence[Source | str]],
        *,
        language: str | Language | None = None,
    ) -> float:
        """The value of a whole corpus, from the sum of its statistics.

        Parameters are those of :meth:`corpus_statistics`.
        """
        total = self.corpus_statistics(candidates, references, language=language)
        return self.from_statistics(total)[0]

    def corpus_statistics(
        self,
        candidates: Sequence[Source | str],
        references: Sequence[Sequence[Source | str]],
        *,
        language: str | Language | None = None,
    ) -> list[int]:
        """The sum of the statistics of a corpus.

        Parameters
        ----------
        candidates : sequence of Source or str
            One per row.
        references : sequence of sequences
            The references of each row.
        language : str or Language, optional
            The language of texts given as str.
        """
        if len(candidates) != len(references) or not candidates:
            raise CodekinError(
                f"{self.name}: {len(candidates)} candidates with {len(references)} lists of "
                "references; give one list per candidate, and at least one"
            )
        total: list[int] = []
        for candidate, pool in zip(candidates, references, strict=True):
            counts = self.statistics(*as_sources(self.name, candidate, None, pool, language))
            total = [a + b for a, b in zip(total, counts, strict=True)] if total else counts
        return total


@dataclass(frozen=True, kw_only=True, repr=False)
class RevisionMeasure(Measure, ABC):
    """A measure that compares two revisions of the same origin.

    A subclass implements :meth:`_revision` and :meth:`explain_revision`, and
    :meth:`_score_revision` if it joins several references itself.
    """

    needs_origin: ClassVar[bool] = True

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        raise self._no_origin()

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        if len(references) == 1:
            return self._revision(candidate, references[0], origin)
        best = self._revision(candidate, self.best_reference(candidate, references, origin), origin)
        best._references = references
        return best

    @abstractmethod
    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        """The score against one reference."""

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Raise an error: there is no score to explain without the origin."""
        raise self._no_origin()

    @abstractmethod
    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Explain the :meth:`score` of this candidate, reference and origin."""

    def _explain(self, candidate: Source, reference: Source, origin: Source | None) -> Explanation:
        if origin is None:
            raise self._no_origin()
        return self.explain_revision(candidate, reference, origin)

    def _no_origin(self) -> CodekinError:
        return CodekinError(
            f"{self.name} compares edits and needs the text that both were made from: "
            "score(candidate, reference, origin)"
        )


def as_sources(
    name: str,
    candidate: Source | str,
    reference: Source | str | None,
    references: Sequence[Source | str] | None,
    language: str | Language | None,
) -> tuple[Source, tuple[Source, ...]]:
    """The candidate and its references as Sources; errors begin with `name`.

    Texts given as str without a language share one language: that of a Source among them, or the
    one detected from all of them.
    """
    if references is None:
        if reference is None:
            raise CodekinError(f"{name}: give a reference, or references=[...]")
        references = [reference]
    elif reference is not None:
        raise CodekinError(f"{name}: give either reference or references, not both")
    if isinstance(references, str | Source) or not references:
        raise CodekinError(f"{name}: references must be a list of at least one text")
    texts = {"candidate": candidate}
    texts |= {f"references[{i}]": text for i, text in enumerate(references)}
    for role, text in texts.items():
        if not isinstance(text, Source | str):
            shown = "reference" if len(texts) == 2 and role != "candidate" else role
            hint = "; name several with references=[...]" if isinstance(text, list | tuple) else ""
            hint = "; Source.from_file reads a file" if isinstance(text, PathLike) else hint
            raise CodekinError(
                f"{name}: {shown} must be a Source or a str, not {type(text).__name__}{hint}"
            )
    first, *others = sources_of_one_language(list(texts.values()), language)
    return first, tuple(others)


def _origin_of(origin: Source | str, candidate: Source) -> Source:
    """The origin as a Source; a str gets the language of the candidate."""
    if isinstance(origin, Source):
        return origin
    made = Source(origin, candidate.__dict__.get("language"))
    made._evidence = candidate._evidence or candidate.text  # the text used for detection, if any
    return made


def _check_trees(name: str, *sources: Source) -> None:
    for source in sources:
        if not source.language.grammars:
            raise CodekinError(
                f"{name} compares syntax trees, and {source.language.title} has none; choose a "
                "measure of words or characters, such as rouge, chrf or, with an origin, es or sari"
            )


def _reader(source: Source) -> str:
    """The grammar that reads a text, with its version; for prose, the language."""
    if not source.language.grammars:
        return source.language.name
    return f"{source.grammar.distribution}-{source.grammar.version}"


def _is_cut(source: Source) -> bool:
    """Whether the text was parsed, but not to its end; the call parses nothing."""
    known = source.__dict__
    return any(
        "tree" in one and one["tree"].unparsed
        for one in (known, vars(known["expanded"]) if "expanded" in known else {})
    )


def _has_unread_lexemes(source: Source) -> bool:
    """Whether the text was split into lexemes, but not to its end."""
    kept = source._kept
    return any(
        ("lexemes", comments) in kept and kept["lexemes", comments].unread
        for comments in (False, True)
    )


_CHECKS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "bool": (bool, "True or False"),
    "int": (int, "a whole number"),
    "float": ((int, float), "a number"),
    "float | None": ((int, float, type(None)), "a number"),
    "str": (str, "a word"),
}


def _check_type(name: str, parameter: str, annotation: str, value: object) -> None:
    """Raise an error for a parameter of the wrong type, or not a number."""
    if annotation not in _CHECKS:
        return
    types, words = _CHECKS[annotation]
    fits = isinstance(value, types) and (annotation == "bool" or not isinstance(value, bool))
    if not fits or (isinstance(value, float) and not math.isfinite(value)):
        raise CodekinError(f"{name}: {parameter} must be {words}, not {value!r}")


def check_range(name: str, parameter: str, value: float, low: float, high: float) -> None:
    """Raise an error for a parameter outside its range."""
    if not low <= value <= high:
        raise CodekinError(f"{name}: {parameter} must be from {low:g} to {high:g}, not {value!r}")


def check_choice(name: str, parameter: str, value: object, choices: Iterable[str]) -> None:
    """Raise an error for a parameter that is not one of its choices."""
    known = list(choices)
    if value not in known:
        raise CodekinError(f"{name}: unknown {parameter} {value!r} (known: {', '.join(known)})")


def _compact(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(_compact(v) for v in value)
    return repr(value) if isinstance(value, float) else str(value)
