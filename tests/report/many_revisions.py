"""Clusterings with many revisions, quickly made: every line of the origin can be replaced."""

from __future__ import annotations

from codekin import cluster_revisions
from codekin.groups.clustering import Clustering

LINES = 40


def origin() -> list[str]:
    return [f"line_{i} = {i}" for i in range(LINES)]


def revision(family: int, one: int) -> str:
    """Replaces three lines as its family does, and one as nobody else does."""
    text = origin()
    for k in range(3):
        text[(3 * family + k) % LINES] = f"family_{family} = {k}"
    text.append(f"own_{family}_{one} = 1")
    return "\n".join(text)


def clustering(families: int, each: int, **more: object) -> Clustering:
    revisions = {
        f"f{family}-{one}.py": revision(family, one)
        for family in range(families)
        for one in range(each)
    }
    revisions |= {"untouched.py": "\n".join(origin()), "zz-copy.py": revision(0, 0)}
    settings = {"measure": "nes:unit=lines", "language": "python", "unusable": {"bad.py": "no"}}
    return cluster_revisions("\n".join(origin()), revisions, **(settings | more))  # type: ignore[arg-type]
