"""Three texts that everything can happen to."""

from __future__ import annotations

from pathlib import Path

from codekin import RevisionAlignment, align_revisions

FOLDER = Path(__file__).parents[2] / "docs" / "examples" / "align"
ORIGIN, REFERENCE, CANDIDATE = (
    (FOLDER / f"{name}.py").read_text("utf-8") for name in ("origin", "reference", "candidate")
)


def example(by: str = "token") -> RevisionAlignment:
    return align_revisions(CANDIDATE, REFERENCE, origin=ORIGIN, language="python", by=by)  # type: ignore[arg-type]


def python(origin: str, reference: str, candidate: str) -> RevisionAlignment:
    return align_revisions(candidate, reference, origin=origin, language="python")
