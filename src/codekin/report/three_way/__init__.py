"""Two revisions of one origin beside it: what both did, what one did, and where they differ."""

from codekin.report.three_way.revisions import RevisionAlignment, align_revisions

__all__ = ["RevisionAlignment", "align_revisions"]
