"""Branches: by which outcome of a test an operation runs."""

from __future__ import annotations

import numpy as np

from codekin import _native
from codekin.represent.flow.control_flow import ControlFlow, FlowKind

__all__ = ["branches"]

_OUTCOMES = {int(kind): kind for kind in (FlowKind.TRUE, FlowKind.FALSE)}


def branches(flow: ControlFlow) -> dict[tuple[int, int], FlowKind]:
    """The outcome of a test for which each operation runs that depends on it.

    Operation b depends on test a by an outcome if b follows on every path from that outcome to the
    exit, and not on every path from a (Ferrante, Ottenstein and Warren, 1987). Pairs that depend on
    both outcomes, as some in loops do, are left out.

    Parameters
    ----------
    flow : ControlFlow

    Returns
    -------
    dict of (int, int) to FlowKind
        By the numbers of the test and the operation: TRUE or FALSE.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.represent.flow.control_flow import control_flow
    >>> ir = Source("if a < b: f()\\nelse: g()", "python").flow_ir
    >>> names = [ir.string(name) for name in ir.name]
    >>> found = branches(control_flow(ir)).items()
    >>> [(names[test], names[run], kind.name) for (test, run), kind in found]
    [('<', 'f', 'TRUE'), ('<', 'g', 'FALSE')]
    """
    count = len(flow)
    above = _native.post_dominators(count, flow.source, flow.target, flow.exits).tolist()
    found: dict[tuple[int, int], FlowKind] = {}
    both: set[tuple[int, int]] = set()
    # As for control dependence, the number of pairs may be quadratic.
    steps = 200_000 + 60 * count
    edges = np.flatnonzero((flow.kind == FlowKind.TRUE) | (flow.kind == FlowKind.FALSE))
    tests = flow.source[edges]
    operations = flow.operations
    for test, node, decides, number in zip(
        tests.tolist(),
        flow.target[edges].tolist(),
        flow.decides[tests].tolist(),
        flow.kind[edges].tolist(),
        strict=True,
    ):
        kind, end = _OUTCOMES[number], above[test]
        while node >= 0 and node != end and steps > 0:
            steps -= 1
            if decides >= 0 and node < operations:
                pair = (decides, node)
                if found.setdefault(pair, kind) is not kind:
                    both.add(pair)
            node = above[node] if above[node] != node else -1  # noqa: PLW2901
    return {pair: found[pair] for pair in sorted(found) if pair not in both}
