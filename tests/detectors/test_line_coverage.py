from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codekin.detectors.line_coverage import FileLines, covers


@given(*(st.integers(1, 30) for _ in range(4)), st.sampled_from([0.3, 0.7, 1.0]))
def test_coverage_counts_lines(one: int, two: int, three: int, four: int, share: float) -> None:
    reported = FileLines("f", min(one, two), max(one, two))
    wanted = FileLines("f", min(three, four), max(three, four))
    lines = set(range(wanted.start, wanted.end + 1))
    common = lines & set(range(reported.start, reported.end + 1))
    assert covers(reported, wanted, share) == (len(common) / len(lines) >= share)
    assert not covers(reported._replace(file="g"), wanted, share)
