"""sanslcs: a pairwise measure on what is left after excising unchanged code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeGuard

from codekin.align.excise import revision_grams
from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, RevisionMeasure, Score, check_choice
from codekin.measures.bleu import Bleu
from codekin.measures.excised import BY, LCS, Excised, Units, excise, explain_excision
from codekin.measures.registry import parse_measure
from codekin.source import Source

__all__ = ["SansLcs"]

_UNITS = ("lexemes", "code")


@dataclass(frozen=True, kw_only=True, repr=False)
class SansLcs(RevisionMeasure):
    """Any pairwise measure after excision.

    What origin, reference and candidate share is cut out of candidate and reference, and the
    pairwise measure compares the rest [1]_: equation 1. BLEU's n-grams stay within regions; other
    measures get a text with each region on separate lines. Deleted code is not in the rest, so
    deletions are not rewarded.

    Parameters
    ----------
    inner : str
        The pairwise measure, as on the command line: ``bleu``, ``nes``, ``codebleu``,
        ``jaccard:n=2``, ...; its parameters are separated by semicolons, as in
        ``bleu:order=2;smoothing=floor``, since a comma ends this one.
    by : {'token', 'line'}
        What is excised.
    tokens : {'lexemes', 'code'}
        What is aligned: lexemes, which need no parser, or leaves of the tree.
    comments : bool
        Whether comments and docstrings count.
    lcs : {'pairwise', 'threeway'}
        As in es-token.
    anchors : bool
        As in es-token.

    References
    ----------
    .. [1] "Excision Score: evaluating edits with surgical precision", section 3.3.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "return a * b", "return a + b", "return a - b"  # candidate, reference, origin
    >>> measure("sanslcs", inner="nes").score(*texts, language="python").value
    0.0
    """

    name: ClassVar[str] = "sanslcs"
    summary: ClassVar[str] = "a pairwise measure of what either edit added or changed"
    inner: str = "bleu"
    by: str = "token"
    tokens: str = "lexemes"
    comments: bool = False
    lcs: str = "pairwise"
    anchors: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if "," in self.inner:
            raise CodekinError(
                f"{self.name}: write {self.inner.replace(',', ';')!r}; a comma ends inner where "
                "a measure is given in one word"
            )
        check_choice(self.name, "by", self.by, BY)
        check_choice(self.name, "tokens", self.tokens, _UNITS)
        check_choice(self.name, "lcs", self.lcs, LCS)
        if self.by == "line" and self.lcs == "threeway":
            raise CodekinError(f"{self.name}: lcs='threeway' aligns tokens; use by='token'")
        inner = self.pairwise
        if inner.needs_origin or inner.distance:
            why = "needs an origin itself" if inner.needs_origin else "is a distance"
            raise CodekinError(
                f"{self.name}: inner={self.inner!r} {why}; use a pairwise similarity such as bleu"
            )

    @property
    def pairwise(self) -> Measure:
        """The measure that compares what is left."""
        return parse_measure(self.inner.replace(";", ","))

    def uses_tree(self) -> bool:
        """Whether the tokens or the inner measure need the grammar; BLEU uses aligned tokens."""
        inner = self.pairwise
        return self.tokens == "code" or (inner.uses_tree() and not _counts_tokens(inner))

    def uses_language(self) -> bool:
        """True: tokens depend on the language's rules."""
        return True

    @property
    def _units(self) -> Units:
        return Units(self.tokens, self.comments, self.by, self.anchors)

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        excised = excise(candidate, reference, origin, self._units, self.lcs)
        sizes = excised.regions[:, (1, 3)] - excised.regions[:, (0, 2)]
        reference_left, candidate_left = (int(size) for size in sizes.sum(axis=0))
        inner = self.pairwise
        parts: dict[str, float] = {}
        if not (reference_left and candidate_left):
            value = float(reference_left == candidate_left)
        elif _counts_tokens(inner):
            value, parts = _bleu(inner, excised, candidate_left, reference_left)
        else:
            mine, theirs = self._remainders(excised, candidate, reference)
            score = inner.score(mine, theirs)
            value, parts = score.value, dict(score.parts)
        return Score(self, value, parts, candidate, reference, origin=origin)

    def _remainders(
        self, excised: Excised, candidate: Source, reference: Source
    ) -> tuple[Source, Source]:
        """What is left of the texts, with each region on separate lines."""
        left = []
        for source, at in ((candidate, 2), (reference, 0)):
            shown = self._units.shown(source)
            pieces = [
                source.data[int(shown.starts[row[at]]) : int(shown.ends[row[at + 1] - 1])]
                for row in excised.regions
                if row[at] < row[at + 1]
            ]
            text = b"\n".join(pieces).decode("utf-8", "surrogatepass")
            left.append(Source(text, source.language))
        return left[0], left[1]

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions share in what is left."""
        score = self._revision(candidate, reference, origin)
        excised = excise(candidate, reference, origin, self._units, self.lcs)
        return explain_excision(score, excised, candidate, reference, origin, self._units)


def _counts_tokens(inner: Measure) -> TypeGuard[Bleu]:
    """Whether a measure can count n-grams of the tokens that were aligned."""
    return isinstance(inner, Bleu) and inner.tokens == "code"


def _bleu(
    inner: Bleu, excised: Excised, candidate_left: int, reference_left: int
) -> tuple[float, dict[str, float]]:
    """BLEU with n-grams that stay within regions."""
    # Without an origin everything in a region is added, so clipped matches are common additions.
    regions = excised.regions.copy()
    regions[:, 4:] = 0
    grams = revision_grams(
        excised.origin[:0], excised.reference, excised.candidate, regions, inner.order
    )
    matches = [one.add.both for one in grams]
    totals = [one.add.candidate for one in grams]
    return inner.from_statistics([candidate_left, reference_left, *matches, *totals])
