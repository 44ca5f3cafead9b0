"""Groups of revisions as a JSON document, by the schema in data/cluster.schema.json."""

from __future__ import annotations

from typing import Any

from codekin._version import __version__
from codekin.engine.clustering import Clustering, RevisionGroup
from codekin.report.document import finite

__all__ = ["clustering_document"]


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
        "groups": [_group(group, copy_of) for group in clustering.groups],
        "untouched": list(clustering.untouched),
        "failures": [{"name": name, "reason": reason} for name, reason in clustering.failures],
        "leaves": list(clustering.names),
        "joins": [
            {"first": int(first), "second": int(second), "similarity": 1 - far, "size": int(size)}
            for first, second, far, size in clustering.linkage.tolist()
        ],
    }


def _group(group: RevisionGroup, copy_of: dict[str, str]) -> dict[str, Any]:
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
