"""Means per group and measure, and which groups a measure cannot tell from equal pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codekin.report.rows import ReportRow

__all__ = ["Cell", "Summary", "summarise"]

_SAME = 1e-12


@dataclass(frozen=True)
class Cell:
    """What a measure says of a group.

    Attributes
    ----------
    mean : float or None
        None where the measure scored no pair of the group.
    scored, pairs : int
        How many pairs have a score, out of how many.
    as_equal : int
        How many pairs score as well as the pairs of equal texts do.
    """

    mean: float | None
    scored: int
    pairs: int
    as_equal: int

    @property
    def blind(self) -> bool:
        """Whether every pair scores as if its texts were equal."""
        return self.scored > 0 and self.as_equal == self.scored

    def text(self, distance: bool) -> str:
        """The mean for people; it reads 1.000 only where every pair scores 1."""
        if self.mean is None:
            return "–"
        if distance:
            return f"{self.mean:.1f}"
        shown = f"{self.mean:.3f}"
        return "0.999" if shown == "1.000" and not self.blind else shown


@dataclass(frozen=True)
class Summary:
    """Group by measure.

    Attributes
    ----------
    groups : mapping of str to int
        The groups in their order of appearance, with their numbers of pairs.
    measures : mapping of str to bool
        The measures, with whether they are distances.
    cells : mapping of (group, measure) to Cell
    """

    groups: Mapping[str, int]
    measures: Mapping[str, bool]
    cells: Mapping[tuple[str, str], Cell]

    def blind_spots(self, measure: str, equal: str = "equal") -> list[tuple[str, int, int]]:
        """The groups with pairs that a measure scores as it scores equal texts.

        Each with the number of such pairs and of all that were scored; the pairs of the group
        `equal` are meant to score so and are left out.
        """
        cells = [(group, self.cells[group, measure]) for group in self.groups if group != equal]
        return [(group, cell.as_equal, cell.scored) for group, cell in cells if cell.as_equal]


def summarise(rows: Sequence[ReportRow]) -> Summary:
    """Average the scores of each group under each measure."""
    groups: dict[str, int] = {}
    measures: dict[str, bool] = {}
    for row in rows:
        groups[row.group] = groups.get(row.group, 0) + 1
        for name, score in row.scores.items():
            measures[name] = score.measure.distance
        for name in row.failures:
            measures.setdefault(name, False)
    cells = {
        (group, name): _cell([r for r in rows if r.group == group], name, top=0.0 if far else 1.0)
        for group in groups
        for name, far in measures.items()
    }
    return Summary(groups, measures, cells)


def _cell(rows: Sequence[ReportRow], measure: str, top: float) -> Cell:
    values = [row.scores[measure].value for row in rows if measure in row.scores]
    mean = sum(values) / len(values) if values else None
    return Cell(mean, len(values), len(rows), sum(abs(v - top) < _SAME for v in values))
