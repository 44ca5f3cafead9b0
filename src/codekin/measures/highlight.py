"""Turning matches of tokens into spans of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from codekin.measures.base import Span
from codekin.measures.units import Ids
from codekin.represent.text.lexemes import Lexemes
from codekin.represent.text.tokens import Tokens
from codekin.source import Source

__all__ = ["aligned_spans", "ngram_levels", "paired_spans", "spans_of_tokens", "text_spans"]

_BETWEEN = b" \t\r\n\f\v\\"
"""White space, and the backslash that continues a line."""


def ngram_levels(
    ids: Ids, others: Ids, orders: int, dropped: npt.NDArray[np.uint8] | None = None
) -> list[float]:
    """The longest matched n-gram that covers each token, as a share of `orders`.

    An n-gram matches as often as the other text has it, from its first occurrence, as in the
    scores. Bit n-1 of `dropped` means that the n-gram that begins at a token does not count.
    """
    skipped = [0] * len(ids) if dropped is None else dropped.tolist()
    mine, theirs = ids.tolist(), others.tolist()
    longest = [0] * len(mine)
    for n in range(1, orders + 1):
        left = Counter(tuple(theirs[i : i + n]) for i in range(len(theirs) - n + 1))
        for i in range(len(mine) - n + 1):
            gram = tuple(mine[i : i + n])
            if not skipped[i] >> (n - 1) & 1 and left[gram] > 0:
                left[gram] -= 1
                longest[i : i + n] = [n] * n
    return [n / orders for n in longest]


def spans_of_tokens(tokens: Tokens | Lexemes, levels: Sequence[float]) -> tuple[Span, ...]:
    """Spans of the tokens with a level above zero; neighbours with the same level are joined.

    They are not joined across a comment that is no token: it was not compared, so it is not shown
    as found.
    """
    spans: list[Span] = []
    previous = -2
    data = tokens.data
    for i, level in enumerate(levels):
        if level <= 0 or tokens.starts[i] == tokens.ends[i]:
            continue
        start = tokens.positions.characters(int(tokens.starts[i]))
        end = tokens.positions.characters(int(tokens.ends[i]))
        apart = i > 0 and bool(data[tokens.ends[i - 1] : tokens.starts[i]].strip(_BETWEEN))
        if previous == i - 1 and spans[-1].level == level and not apart:
            spans[-1] = Span(spans[-1].start, end, level)
        else:
            spans.append(Span(start, end, level))
        previous = i
    return tuple(spans)


def paired_spans(
    candidate: Tokens, reference: Tokens, pairs: Iterable[tuple[int, int]]
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans of matched tokens, given as pairs of places."""
    mine, theirs = [0.0] * len(candidate), [0.0] * len(reference)
    for i, j in pairs:
        mine[i] = theirs[j] = 1.0
    return spans_of_tokens(candidate, mine), spans_of_tokens(reference, theirs)


def aligned_spans(
    candidate: Tokens, reference: Tokens
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans of the tokens that an optimal edit of one sequence into the other keeps."""
    from rapidfuzz.distance import Levenshtein  # on first use: scores need none of it

    first, second = candidate.ids.tolist(), reference.ids.tolist()
    mine, theirs = [0.0] * len(first), [0.0] * len(second)
    for block in Levenshtein.opcodes(first, second):
        if block.tag == "equal":
            mine[block.src_start : block.src_end] = [1.0] * (block.src_end - block.src_start)
            theirs[block.dest_start : block.dest_end] = [1.0] * (block.dest_end - block.dest_start)
    return spans_of_tokens(candidate, mine), spans_of_tokens(reference, theirs)


def text_spans(candidate: Source, reference: Source) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans of the characters that an optimal edit of one text into the other keeps."""
    from rapidfuzz.distance import Levenshtein

    mine, theirs = [], []
    for block in Levenshtein.opcodes(candidate.text, reference.text):
        if block.tag == "equal":
            mine.append(Span(block.src_start, block.src_end))
            theirs.append(Span(block.dest_start, block.dest_end))
    return tuple(mine), tuple(theirs)
