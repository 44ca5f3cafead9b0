"""Costs of semantic graphs: what ships, and words for them."""

from __future__ import annotations

import json
from importlib import resources

from codekin.measures.graph_costs import COST_NAMES, UNIT, costs_word, graph_costs
from codekin.represent.graph.parts import EdgeKind


def test_the_shipped_costs_name_everything_and_nothing_is_free():
    """If nothing is free, only equal graphs score 1."""
    file = resources.files("codekin") / "data" / "graph_costs.json"
    shipped = json.loads(file.read_text(encoding="utf-8"))
    assert tuple(shipped) == COST_NAMES
    assert all(isinstance(cost, int) and cost > 0 for cost in shipped.values())
    assert graph_costs("learned").by_name == shipped
    assert len(set(shipped.values())) > 1


def test_unit_costs_are_all_1():
    assert UNIT.is_unit and not graph_costs("learned").is_unit
    assert UNIT.of_label("call:len") == UNIT.of_label("anything") == 1
    assert UNIT.of_kinds == (1,) * len(EdgeKind)


def test_a_word_gives_the_costs_back():
    given = {"root": 0, "compare": 16, "control-edge": 3}
    costs = graph_costs(costs_word(given))
    assert costs.by_name == dict.fromkeys(COST_NAMES, 1) | given
    assert costs.of_label("<") == 16
    assert costs.of_kinds[EdgeKind.CONTROL] == 3
