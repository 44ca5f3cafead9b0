"""Groups of revisions as a JSON document, by the schema in data/cluster.schema.json."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from codekin._version import __version__
from codekin.groups.clustering import Clustering
from codekin.groups.grouping import TextGroup
from codekin.report.document import finite

__all__ = ["clustering_document", "group_document", "join_documents"]


def clustering_document(clustering: Clustering, origin: str) -> dict[str, Any]:
    """The document that ``codekin cluster --format json`` prints.

    Parameters
    ----------
    clustering : Clustering
    origin : str
        The path of the origin.
    """
    copy_of = {copy: name for name, copies in clustering.copies.items() for copy in copies}
    return {
        "codekin": __version__,
        "origin": origin,
        "language": clustering.origin.language.name,
        "measure": clustering.measure,
        "signature": clustering.signature,
        "threshold": clustering.threshold,
        "wanted": clustering.wanted,
        "revisions": clustering.revisions,
        "groups": [group_document(group, copy_of) for group in clustering.groups],
        "untouched": list(clustering.untouched),
        "failures": [{"name": name, "reason": reason} for name, reason in clustering.failures],
        "leaves": list(clustering.names),
        "joins": join_documents(clustering.linkage),
    }


def join_documents(linkage: npt.NDArray[np.float64]) -> list[dict[str, Any]]:
    """The steps of average linkage."""
    return [
        {"first": int(first), "second": int(second), "similarity": 1 - far, "size": int(size)}
        for first, second, far, size in linkage.tolist()
    ]


def group_document(group: TextGroup, copy_of: dict[str, str]) -> dict[str, Any]:
    """A group, with the text that each copy is one of."""
    return {
        "group": group.number,
        "size": len(group.members),
        "medoid": group.medoid,
        "mean_similarity": finite(group.similarity),
        "diameter": group.diameter,
        "members": [
            {"name": name, "similarity": similarity, "copy_of": copy_of.get(name)}
            for name, similarity in zip(group.members, group.to_medoid, strict=True)
        ],
        "nearest": [
            {"group": number, "similarity": similarity} for number, similarity in group.nearest
        ],
    }
