"""What deleting or inserting a node or an edge of a semantic graph costs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from codekin.errors import CodekinError
from codekin.represent.graph.labels import NODE_CLASSES, label_class
from codekin.represent.graph.parts import EdgeKind

__all__ = ["COST_NAMES", "UNIT", "GraphCosts", "costs_word", "graph_costs"]

_EDGES = {f"{kind.name.lower()}-edge": kind for kind in EdgeKind}
COST_NAMES = (*NODE_CLASSES, *_EDGES)
"""What has a cost: the classes of nodes, then the kinds of edges."""
_MAX_COST = 1000
_NAMED = ("unit", "learned")


@dataclass(frozen=True, eq=False)
class GraphCosts:
    """Costs of nodes by the class of their labels, and of edges by kind.

    Attributes
    ----------
    by_name : mapping of str to int
        The cost of each of :data:`COST_NAMES`.
    """

    by_name: Mapping[str, int]

    @property
    def is_unit(self) -> bool:
        """Whether everything costs 1."""
        return set(self.by_name.values()) == {1}

    def of_label(self, label: str) -> int:
        """The cost of a node with a label."""
        return self.by_name[label_class(label)]

    @property
    def of_kinds(self) -> tuple[int, ...]:
        """The cost of an edge of each :class:`EdgeKind`."""
        return tuple(self.by_name[name] for name in _EDGES)


def costs_word(costs: str | Mapping[str, int]) -> str:
    """The text for costs: ``"unit"``, ``"learned"``, or costs by name; what is 1 is left out.

    Parameters
    ----------
    costs : str or mapping of str to int
        A named set, or the cost of each class of nodes (``"call"``) and kind of edges
        (``"data-edge"``) that does not cost 1, also as a text: ``"call:3+data-edge:2"``.

    Examples
    --------
    >>> costs_word({"data-edge": 2, "call": 3, "arith": 1})
    'call:3+data-edge:2'
    """
    if isinstance(costs, str) and costs in _NAMED:
        return costs
    given = dict(_pieces(costs)) if isinstance(costs, str) else costs
    if not isinstance(given, Mapping):
        raise CodekinError(
            f"costs must be one of {', '.join(_NAMED)} or a mapping of names to whole numbers, "
            f"not {costs!r}"
        )
    for name, cost in given.items():
        if name not in COST_NAMES:
            raise CodekinError(f"nothing named {name!r} has a cost, only {', '.join(COST_NAMES)}")
        if isinstance(cost, bool) or not isinstance(cost, int) or not 0 <= cost <= _MAX_COST:
            raise CodekinError(
                f"the cost of {name} must be a whole number from 0 to {_MAX_COST}, not {cost!r}"
            )
    if not any(given.get(name, 1) for name in COST_NAMES):
        raise CodekinError("all costs are 0; at least one must be positive")
    unusual = [f"{name}:{given[name]}" for name in COST_NAMES if given.get(name, 1) != 1]
    return "+".join(unusual) or "unit"


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    for piece in text.split("+"):
        name, colon, cost = piece.partition(":")
        if not colon or not cost.strip().isdecimal():
            raise CodekinError(
                f"unknown costs {text!r}; known are {', '.join(_NAMED)}, and costs by name such "
                "as call:3+data-edge:2"
            )
        yield name.strip(), int(cost)


@lru_cache(maxsize=64)
def graph_costs(word: str) -> GraphCosts:
    """The costs that a text of :func:`costs_word` stands for.

    Examples
    --------
    >>> costs = graph_costs("call:3+data-edge:2")
    >>> costs.of_label("call:len"), costs.of_label("+"), costs.of_kinds
    (3, 1, (2, 1, 1, 1))
    """
    given = _learned() if word == "learned" else {} if word == "unit" else dict(_pieces(word))
    return GraphCosts({name: given.get(name, 1) for name in COST_NAMES})


def _learned() -> dict[str, int]:
    """The shipped costs, which ``results/cssg_costs.py`` writes."""
    file = resources.files("codekin") / "data" / "graph_costs.json"
    read: dict[str, int] = json.loads(file.read_text(encoding="utf-8"))
    return read


UNIT = graph_costs("unit")
"""Everything costs 1, as in the CSSG paper."""
