"""compare: one pair with several measures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, overload

from codekin.errors import CodekinError, UnknownNameError
from codekin.languages import Language
from codekin.measures.base import Many, Measure, Score, Span, as_sources
from codekin.measures.registry import (
    distinct,
    given_measures,
    measure,
    measure_label,
    measure_names,
)
from codekin.measures.score_list import each_row, is_many
from codekin.represent.text.problems import Problem
from codekin.results import (
    LEFT_OUT,
    OPTIONAL,
    Column,
    Constraint,
    Grid,
    GridColumns,
    Interval,
    Result,
    ResultList,
    ShownAs,
    measure_text,
    named,
    recorded,
    written_text,
)
from codekin.source import NamedSource, Source, unread_note

__all__ = ["Comparison", "ComparisonList", "compare", "parts_text", "score_text"]

_LONGEST_PATH = 1000


@dataclass(frozen=True)
class ComparedText:
    """One of the compared texts.

    Attributes
    ----------
    path : str or None
        As given; ``<stdin>`` for ``-``, None for a text that did not come from a file.
    language : str
        A name that `codekin languages` lists.
    size : int
        Its size in bytes, as read.
    problems : tuple of Problem
        What the parser could not read; empty for code that parses.
    """

    path: str | None
    language: str
    size: int = field(metadata=named("bytes"))
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Detail:
    """A named fact of an explanation."""

    name: str
    text: str


@dataclass(frozen=True)
class SpanPair:
    """The matched stretches of each text, in order and without overlaps."""

    candidate: tuple[Span, ...]
    reference: tuple[Span, ...]


@dataclass(frozen=True)
class TextPair:
    """The texts that spans refer to."""

    candidate: str
    reference: str


@dataclass(frozen=True)
class ExplainedScore:
    """An explanation as in documents.

    Attributes
    ----------
    summary : str
        Sentences for readers.
    details : tuple of Detail
    reference : int
        The index in `references` of the one that is explained.
    spans : SpanPair
    texts : TextPair or None
        Only if macros were expanded: the texts that the spans refer to.
    """

    summary: str
    details: tuple[Detail, ...]
    reference: int
    spans: SpanPair
    texts: TextPair | None = field(metadata=OPTIONAL)


@dataclass(frozen=True)
class ComparisonScore:
    """A score as in documents.

    Attributes
    ----------
    measure : str
        A name that `codekin measures` lists.
    value : float
        From 0 to 1, unless a distance.
    distance : bool
        Whether 0 means equal.
    parts : mapping of str to float
        The components, by name.
    bounds : (float, float)
        The lower and the upper bound of the value.
    exact : bool
        Whether the bounds meet.
    signature : str
        Everything that determines the score.
    explanation : ExplainedScore or None
        Only if requested.
    """

    constraints: ClassVar[Mapping[str, Any]] = {
        "if": {"properties": {"distance": {"const": False}}},
        "then": {"properties": {"value": {"minimum": 0, "maximum": 1}}},
        "else": {"properties": {"value": {"minimum": 0}}},
    }

    measure: str
    value: float
    distance: bool
    parts: Mapping[str, float]
    bounds: tuple[float, float]
    exact: bool
    signature: str
    explanation: ExplainedScore | None = field(metadata=OPTIONAL)


@dataclass(frozen=True)
class Comparison(Result, Mapping[str, Score]):
    """The scores of one candidate, by the name of the measure.

    A second measure with the same name is ``name 2``, and so on.

    Attributes
    ----------
    candidate : Source
    references : tuple of Source
    scores : mapping of str to Score
    origin : Source or None
        The text that all were made from, if given.
    files : tuple of NamedSource
        The files of the texts, for the document.
    explained : bool
        Whether the document contains explanations of scores.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "candidate": "candidate_text",
        "references": "reference_texts",
        "origin?": "origin_text",
        "scores": "documented",
    }

    candidate: Source = field(metadata=LEFT_OUT)
    references: tuple[Source, ...] = field(metadata=LEFT_OUT)
    scores: Mapping[str, Score] = field(metadata=LEFT_OUT)
    origin: Source | None = field(default=None, metadata=LEFT_OUT)
    files: tuple[NamedSource, ...] = field(default=(), metadata=LEFT_OUT)
    explained: bool = field(default=False, metadata=LEFT_OUT)

    def __getitem__(self, name: str) -> Score:
        try:
            return self.scores[name]
        except KeyError:
            raise UnknownNameError("score by", name, self.scores) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        values = " ".join(f"{name}={score.value:.4f}" for name, score in self.items())
        return f"<Comparison {values}>"

    def grids(self) -> list[Grid]:
        """One line per measure."""
        cells = tuple(
            (
                ShownAs(name, measure_text(label, score.measure.distance), score.measure.distance),
                ShownAs(score.value, score_text(score)),
                parts_text(score),
                *(Interval(*score.bounds), score.exact, score.signature),
            )
            for (name, score), label in zip(self.items(), self.labels, strict=True)
        )
        hidden = recorded("bounds", "exact", "signature")
        columns: GridColumns = ("measure", "score", Column("parts", "", wraps=True), *hidden)
        return [Grid(self._heading, columns, cells)]

    def notes(self) -> list[str]:
        """What is a path or could not be parsed, and what reproduces each score."""
        paths = [
            f"the {name} is the path of a file, and is compared as it is; Source.from_file reads it"
            for source, name in self._named
            if not self.files and _is_path(source.text)
        ]
        differ = len({source.language.name for source, _ in self._named}) > 1
        unread = [
            f"{name}: {unread_note(source)}" for source, name in self._named if source.problems
        ]
        remarks = [
            f"{label}: {score.remark}"
            for label, score in zip(self.labels, self.values(), strict=True)
            if score.remark
        ]
        signatures = [score.signature for score in self.values()]
        differing = ["the languages differ"] if differ else []
        return [*paths, *differing, *unread, *remarks, *signatures]

    def to_html(self, path: str | Path | None = None) -> str:
        """The scores as a page that works offline; also written to `path` if given.

        If cssg is the only measure, the page has both texts, and their graphs in one picture.
        """
        return super().to_html(path) if self._drawn is None else self._drawing("html", path)

    def to_svg(self, path: str | Path | None = None) -> str:
        """Both graphs in one picture, if cssg is the only measure; also written to `path` if given.

        Examples
        --------
        >>> found = compare("f(a)", "f(b)", language="python", measures="cssg")
        >>> found.to_svg().startswith("<svg")
        True
        """
        if self._drawn is None:
            raise CodekinError(
                f"a picture shows what cssg matched, and the measures are {', '.join(self)}; "
                "compare with cssg alone"
            )
        return self._drawing("svg", path)

    @property
    def _drawn(self) -> Score | None:
        """The only score, if its measure matches graphs."""
        from codekin.measures.cssg import Cssg

        scores = list(self.values())
        return scores[0] if len(scores) == 1 and isinstance(scores[0].measure, Cssg) else None

    def _drawing(self, form: str, path: str | Path | None) -> str:
        """The page or the picture of the graphs of the only score."""
        (score,) = self.values()
        names = [next(n for one, n in self._named if one is source) for source in score.pair]
        made: str = import_module("codekin.report.graph.pair_page").pair_text(score, names, form)
        return written_text(made, path)

    @property
    def labels(self) -> list[str]:
        """The names of the measures with their parameters, as people read them."""
        return distinct([measure_label(score.measure) for score in self.values()])

    @property
    def _heading(self) -> str:
        """What is compared with what."""
        joints = ("", " against ", *(" and " for _ in self.references[1:]), ", both made from ")
        shown = [
            f"{name} ({source.language.title}, {self._text(source).size:,} bytes)"
            for source, name in self._named
        ]
        return "".join(map("".join, zip(joints, shown, strict=False)))

    @property
    def _named(self) -> list[tuple[Source, str]]:
        """The texts: candidate, references, origin, each with the name of its file or its role."""
        many = len(self.references) > 1
        roles = [(self.candidate, "candidate")]
        roles += [
            (one, f"reference {i}" if many else "reference")
            for i, one in enumerate(self.references, 1)
        ]
        roles += [] if self.origin is None else [(self.origin, "origin")]
        files = {id(one.source): one.name for one in self.files}
        return [(source, files.get(id(source), role)) for source, role in roles]

    @property
    def candidate_text(self) -> ComparedText:
        """The candidate text."""
        return self._text(self.candidate)

    @property
    def reference_texts(self) -> Annotated[tuple[ComparedText, ...], Constraint(minItems=1)]:
        """The reference texts."""
        return tuple(map(self._text, self.references))

    @property
    def origin_text(self) -> ComparedText | None:
        """The text that all were made from, if given."""
        return None if self.origin is None else self._text(self.origin)

    def _text(self, source: Source) -> ComparedText:
        file = next((one for one in self.files if one.source is source), None)
        return ComparedText(
            None if file is None else file.name,
            source.language.name,
            len(source.data) if file is None else file.size,
            source.problems,
        )

    @property
    def documented(self) -> Annotated[tuple[ComparisonScore, ...], Constraint(minItems=1)]:
        """The scores, in the order of the measures."""
        return tuple(
            ComparisonScore(
                *(score.measure.name, score.value, score.measure.distance, score.parts),
                *(score.bounds, score.exact, score.signature),
                self._explanation(score) if self.explained else None,
            )
            for score in self.values()
        )

    def _explanation(self, score: Score) -> ExplainedScore:
        why = score.explain()
        candidate, reference = score.pair
        # If macros were expanded, the spans refer to other texts than those in the files.
        same = why.candidate_text == candidate.text and why.reference_text == reference.text
        return ExplainedScore(
            why.summary,
            tuple(Detail(name, text) for name, text in why.details),
            next(i for i, source in enumerate(self.references) if source is reference),
            SpanPair(why.candidate, why.reference),
            None if same else TextPair(why.candidate_text, why.reference_text),
        )


def score_text(score: Score) -> str:
    """The value of a score as shown in tables."""
    return f"{score.value:g}" if score.measure.distance else f"{score.value:.4f}"


def parts_text(score: Score) -> str:
    """The parts on a line; runs such as precision_1 to precision_4 become one entry."""
    runs: dict[str, list[str]] = {}
    for name, part in score.parts.items():
        numbered = re.fullmatch(r"(.+?)_?\d+", name)
        key = (numbered[1] if numbered else name).replace("_", " ")
        runs.setdefault(key, []).append(_number(part))
    facts = [f"{name} {'/'.join(values)}" for name, values in runs.items()]
    if not score.exact:
        low, high = score.bounds
        facts.insert(0, f"not exact: from {_number(low)} to {_number(high)}")
    return "  ".join(facts)


def _is_path(text: str) -> bool:
    """Whether a text of one line is the path of a file, which was hardly meant to be code."""
    if not text.strip() or len(text) > _LONGEST_PATH or "\n" in text:
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _number(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) != 1 else f"{value:.3g}"


@dataclass(frozen=True, repr=False)
class ComparisonList(ResultList[Comparison]):
    """The comparisons of several candidates, in their order.

    Attributes
    ----------
    comparisons : tuple of Comparison
    """

    held: ClassVar[str] = "comparisons"
    noun: ClassVar[str] = "pair"

    comparisons: tuple[Comparison, ...]

    def table(self) -> Grid:
        """One record per row, with the value by each measure."""
        distances = {
            name: score.measure.distance for one in self.comparisons for name, score in one.items()
        }
        heads = (Column(name, distance=far) for name, far in distances.items())
        cells = tuple(
            (number, *(float(one[name].value) if name in one else None for name in distances))
            for number, one in enumerate(self.comparisons)
        )
        return Grid("", ("row", *heads), cells)


@overload
def compare(
    candidate: Source | str,
    reference: Source | str | None = None,
    *,
    origin: Source | str | None = None,
    references: Sequence[Source | str] | None = None,
    language: str | Language | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
) -> Comparison: ...
@overload
def compare(
    candidate: Many,
    reference: Many | None = None,
    *,
    origin: Many | None = None,
    references: Sequence[Sequence[Source | str]] | None = None,
    language: str | Language | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
) -> ComparisonList: ...
def compare(
    candidate: Source | str | Many,
    reference: Source | str | Many | None = None,
    *,
    origin: Source | str | Many | None = None,
    references: Sequence[Any] | None = None,
    language: str | Language | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
) -> Comparison | ComparisonList:
    """Compare a candidate with one or more references, using several measures.

    Parameters
    ----------
    candidate, reference : Source or str, or lists of them
        The texts; lists must be equally long, and give a list of comparisons.
    origin : Source or str, or a list of them, optional
        The text that both were made from, for measures of edits.
    references : sequence, optional
        Several references, instead of `reference`; of a list of candidates, a list of such
        sequences.
    language : str or Language, optional
        The language of texts given as str; detected by default.
    measures : str, Measure or sequence of them, optional
        Names such as ``bleu:order=2,tsed``, or configured measures; all that suit the languages by
        default, those of edits only with an origin.

    Examples
    --------
    >>> result = compare("x = a + b", "x = a - b", language="python", measures=["nes", "tsed"])
    >>> result
    <Comparison nes=0.8889 tsed=1.0000>
    >>> compare("x = a + b", "x = a - b", origin="x = a", language="python", measures="es-token")
    <Comparison es-token=0.2500>
    >>> rows = compare(["x = 1", "y"], ["x = 2", "y"], language="python", measures="nes,bleu")
    >>> len(rows), rows[1]
    (2, <Comparison nes=1.0000 bleu=1.0000>)
    """
    if not isinstance(candidate, str | Source) and is_many(candidate):
        chosen = given_measures(measures)
        comparisons = []
        for i, row in each_row("compare", candidate, reference, origin, references):
            try:
                comparisons.append(_compared(**row, language=language, chosen=chosen))
            except CodekinError as error:
                raise CodekinError(f"row {i}: {error}") from error
        return ComparisonList(tuple(comparisons))
    return _compared(candidate, reference, origin, references, language, given_measures(measures))


def _compared(
    candidate: Any,
    reference: Any = None,
    origin: Any = None,
    references: Sequence[Any] | None = None,
    language: str | Language | None = None,
    chosen: Sequence[Measure] | None = None,
) -> Comparison:
    """One candidate by several measures."""
    first, pool = as_sources("compare", candidate, reference, references, language)
    before = Source(origin, language or first.language) if isinstance(origin, str) else origin
    used = chosen or _all((first, *pool), edits=before is not None)
    names = distinct([one.name for one in used])
    scores = {
        name: one.score(first, origin=before, references=pool)
        for name, one in zip(names, used, strict=True)
    }
    return Comparison(first, pool, scores, before)


def _all(sources: Sequence[Source], *, edits: bool) -> list[Measure]:
    everything = [measure(name) for name in measure_names()]
    return [
        one
        for one in everything
        if (edits or not one.needs_origin) and all(one.suits(s.language) for s in sources)
    ]
