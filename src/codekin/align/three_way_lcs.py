"""Longest common subsequences of three sequences."""

from __future__ import annotations

from codekin.align.lcs import Ids

__all__ = ["three_way_lcs_ids"]


def three_way_lcs_ids(first: Ids, second: Ids, origin: Ids) -> list[tuple[int, int, int]]:
    """Positions in first, second and origin."""
    raise NotImplementedError
