"""A similarity matrix as a JSON document, by the schema in data/matrix.schema.json, and as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codekin._version import __version__
from codekin.groups.matrix import ScoredPair, SimilarityMatrix
from codekin.report.clustering_document import group_document, join_documents
from codekin.report.figures import csv_text

__all__ = ["matrix_csv", "matrix_document", "pairs_csv"]

_PAIRS = 100
"""So many pairs are listed besides the matrix, the most alike."""


def matrix_document(matrix: SimilarityMatrix) -> dict[str, Any]:
    """The document that ``codekin matrix --format json`` prints."""
    copy_of = {copy: names[0] for names in matrix.copies for copy in names[1:]}
    number = {place: group.number for group in matrix.groups for place in group.places}
    return {
        "codekin": __version__,
        "measure": matrix.measure,
        "signature": matrix.signature,
        "symmetric": matrix.symmetric,
        "files": [
            {
                "name": name,
                "language": source.language.name,
                "group": number[place],
                "copy_of": copy_of.get(name),
            }
            for place, (name, source) in enumerate(matrix.sources.items())
        ],
        "values": matrix.values.tolist(),
        "lower": matrix.lower.tolist() if matrix.inexact else None,
        "upper": matrix.upper.tolist() if matrix.inexact else None,
        "inexact": matrix.inexact,
        "pairs": [_pair(matrix, pair) for pair in matrix.pairs(_PAIRS)],
        "threshold": matrix.threshold,
        "wanted": matrix.wanted,
        "automatic": matrix.automatic,
        "groups": [group_document(group, copy_of) for group in matrix.groups],
        "order": list(matrix.order),
        "joins": join_documents(matrix.linkage),
        "failures": [{"name": name, "reason": reason} for name, reason in matrix.failures],
    }


def _pair(matrix: SimilarityMatrix, pair: ScoredPair) -> dict[str, Any]:
    return {
        "first": matrix.names[pair.first],
        "second": matrix.names[pair.second],
        "similarity": pair.value,
        "bounds": [pair.lower, pair.upper],
        "exact": pair.exact,
    }


def matrix_csv(matrix: SimilarityMatrix) -> str:
    """The matrix with names at its left and top: a row's file against the column's.

    Examples
    --------
    >>> from codekin.groups.matrix import similarity_matrix
    >>> print(matrix_csv(similarity_matrix({"a": "x", "b": "y"}, "nes", language="c")), end="")
    candidate,a,b
    a,1.0,0.0
    b,0.0,1.0
    """
    rows = zip(matrix.names, matrix.values.tolist(), strict=True)
    return csv_text(["candidate", *matrix.names], ([name, *values] for name, values in rows))


def pairs_csv(matrix: SimilarityMatrix) -> str:
    """All pairs, one a line, with the bounds of each score.

    Of a measure that is not symmetric both directions are there; of one that is, each pair once.

    Examples
    --------
    >>> from codekin.groups.matrix import similarity_matrix
    >>> print(pairs_csv(similarity_matrix({"a": "x", "b": "y"}, "nes", language="c")), end="")
    candidate,reference,value,lower,upper,exact
    a,b,0.0,0.0,0.0,true
    """
    heads = ["candidate", "reference", "value", "lower", "upper", "exact"]
    return csv_text(heads, _pair_rows(matrix))


def _pair_rows(matrix: SimilarityMatrix) -> Iterator[list[Any]]:
    for first, name in enumerate(matrix.names):
        for second, other in enumerate(matrix.names):
            if first < second or (first > second and not matrix.symmetric):
                value, low, high = (
                    float(one[first, second]) for one in (matrix.values, matrix.lower, matrix.upper)
                )
                yield [name, other, value, low, high, "true" if low == high else "false"]
