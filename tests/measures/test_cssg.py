from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.align.graph_edit_oracles import cost as cost_of
from tests.align.labelled_graphs import Case, Graph
from tests.measures.real_programs import LANGUAGES, PROGRAMS, laid_out, renamed, reordered

from codekin import CodekinError, Source, measure
from codekin.measures.graph_costs import COST_NAMES, graph_costs
from codekin.measures.registry import measure_label, parse_measure
from codekin.represent.graph.parts import EdgeKind

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "graphs" / "pairs"
FORMS = (
    {},
    {"labels": "operator+literal"},
    {"labels": "category", "functions": "any"},
    {"labels": "type", "edges": "typed"},
    {"granularity": "statement", "functions": "any"},
    {"literals": True, "edges": "typed"},
    {"preset": "joern"},
)
PRICED = (
    {"costs": {"call": 3, "data-edge": 2}},
    {"costs": "learned"},
    {"costs": "learned", "edges": "typed", "labels": "operator+literal"},
    {"costs": {"arith": 0, "assign": 0, "control-edge": 0, "call": 7}, "labels": "category"},
    {"costs": "root-edge:0+data-edge:5", "edges": "typed", "functions": "any"},
)
CHANGES = {"renamed": renamed, "laid out": laid_out, "reordered": reordered}
SEVERAL = settings(max_examples=8)


def _program(language: str, number: int) -> Source:
    return Source(PROGRAMS[language][number % len(PROGRAMS[language])], language)


def _case(name: str) -> tuple[Source, Source]:
    return (
        Source.from_file(EXAMPLES / f"{name}_flow.py"),
        Source.from_file(EXAMPLES / f"{name}_flow_changed.py"),
    )


def _cost(one: Source, other: Source, **options: object) -> int:
    """What an edit costs, counted node by node and edge by edge."""
    typed = options.get("edges") == "typed"
    match = measure("cssg", **options).match(one, other)
    ours, theirs = match.candidate.graph, match.reference.graph
    partner = dict(match.pairs.tolist())
    assert len(set(partner.values())) == len(partner)
    assert partner[0] == 0
    for a, b in partner.items():
        assert ours.labels[ours.label[a]] == theirs.labels[theirs.label[b]]
    kinds: list[dict[tuple[int, int], set[int]]] = [{}, {}]
    for edges, graph in zip(kinds, (ours, theirs), strict=True):
        for edge in graph.edges():
            edges.setdefault((edge.source, edge.target), set()).add(edge.kind if typed else 0)
    cost = len(ours) + len(theirs) - 2 * len(partner)
    for (source, target), present in kinds[0].items():
        found = kinds[1].pop((partner.get(source, -1), partner.get(target, -1)), set())
        cost += max(len(present), len(found)) - len(present & found)
    return cost + sum(map(len, kinds[1].values()))


def test_data_flow_counts_where_trees_are_equal():
    one, other = _case("data")
    score = measure("cssg").score(one, other)
    assert (score.value, score.exact) == (pytest.approx(0.95), True)
    assert score.parts["distance"] == score.parts["lower_bound"] == 2
    assert score.parts["preserved_edges"] == 11
    assert measure("tsed").score(one, other).value == 1


def test_control_flow_counts():
    one, other = _case("control")
    score = measure("cssg").score(one, other)
    assert score.exact
    assert score.value == pytest.approx(1 - 4 / 24)
    assert score.value < measure("tsed").score(one, other).value < 1


def test_a_call_that_is_no_recursion_any_more_counts():
    one, other = _case("call")
    score = measure("cssg").score(one, other)
    assert score.value < 1 == measure("tsed").score(one, other).value
    graph = measure("cssg").match(one, other).candidate.graph
    (cycle,) = (edge for edge in graph.edges() if edge.kind is EdgeKind.CALL)
    assert graph.node(cycle.target).label == "entry:recursion"
    assert graph.function[cycle.source] == graph.function[cycle.target]


@pytest.mark.parametrize("language", LANGUAGES)
@SEVERAL
@given(st.integers(0, 99), st.sampled_from(FORMS + PRICED))
def test_equal_programs_score_exactly_1(language, number, form):
    one = _program(language, number)
    score = measure("cssg", **form).score(one, Source(one.text, language))
    assert score.value == 1
    assert score.exact
    assert score.parts["distance"] == 0
    assert score.parts["matched_nodes"] == score.parts["nodes"]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("language", LANGUAGES)
@SEVERAL
@given(st.integers(0, 99), st.integers(0, 9), st.sampled_from(FORMS[:6] + PRICED))
def test_what_keeps_the_program_keeps_the_score(language, change, number, seed, form):
    one = _program(language, number)
    changed = CHANGES[change](one, seed)
    if changed is None:
        return
    assert measure("cssg", **form).score(one, Source(changed, language)).value == 1


@SEVERAL
@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 9), st.data())
def test_a_change_that_keeps_the_program_changes_no_score_with_another(a, b, seed, data):
    language = data.draw(st.sampled_from(LANGUAGES))
    one, other = _program(language, a), _program(language, b)
    change = data.draw(st.sampled_from(sorted(CHANGES)))
    changed = CHANGES[change](one, seed)
    if changed is not None:
        cssg = measure("cssg", steps=10_000)
        low, high = cssg.score(one, other).bounds
        other_low, other_high = cssg.score(Source(changed, language), other).bounds
        assert low <= other_high
        assert other_low <= high


@settings(max_examples=25)
@given(
    *(st.tuples(st.sampled_from(LANGUAGES), st.integers(0, 99)) for _ in range(2)),
    st.sampled_from(FORMS),
    st.sampled_from([0, 300, 20_000]),
)
def test_scores_are_symmetric_and_count_what_they_say(first, second, form, steps):
    one, other = _program(*first), _program(*second)
    cssg = measure("cssg", steps=steps, **form)
    score, back = cssg.score(one, other), cssg.score(other, one)
    assert score.value == back.value
    assert score.bounds == back.bounds
    assert score.bounds[0] <= score.value <= score.bounds[1]
    parts = score.parts
    size = sum(parts[name] for name in ("nodes", "edges", "reference_nodes", "reference_edges"))
    assert score.value == 1 - parts["distance"] / size
    assert parts["distance"] == _cost(one, other, steps=steps, **form)
    kept = 2 * parts["preserved_edges"] + 2 * parts["matched_nodes"]
    if cssg.edges == "typed":
        kept += parts["changed_kind"]
        assert parts["preserved_edges"] == sum(
            parts[f"preserved_{kind.name.lower()}"] for kind in EdgeKind
        )
    assert parts["distance"] == size - kept
    pairs = cssg.match(one, other).pairs
    turned = cssg.match(other, one).pairs[:, ::-1]
    assert sorted(pairs.tolist()) == sorted(turned.tolist())


@settings(max_examples=30)
@given(
    *(st.tuples(st.sampled_from(LANGUAGES), st.integers(0, 99)) for _ in range(2)),
    st.sampled_from(FORMS + PRICED),
    st.sampled_from([0, 300, 20_000]),
)
def test_scores_with_costs_are_what_the_edits_cost(first, second, form, steps):
    one, other = _program(*first), _program(*second)
    cssg = measure("cssg", steps=steps, **form)
    score, back = cssg.score(one, other), cssg.score(other, one)
    assert (score.value, score.bounds) == (back.value, back.bounds)
    match, costs = cssg.match(one, other), graph_costs(cssg.costs)
    graphs = [_plain(side.graph) for side in (match.candidate, match.reference)]
    case = Case(
        *graphs,
        fixed=((0, 0),),
        typed=cssg.edges == "typed",
        node_costs={label: costs.of_label(label) for g in graphs for label in g.labels},
        edge_costs=dict(enumerate(costs.of_kinds)),
    )
    parts = score.parts
    assert cost_of(case, match.pairs.tolist()) == parts["distance"] >= parts["lower_bound"]
    assert (
        case.size
        == match.size
        == parts.get("largest_distance", len(match.candidate) + len(match.reference))
    )
    assert score.value == 1 - parts["distance"] / case.size


def _plain(graph):
    return Graph(
        tuple(graph.labels[at] for at in graph.label.tolist()),
        tuple((edge.source, edge.target, int(edge.kind)) for edge in graph.edges()),
    )


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(LANGUAGES, 2)))
def test_every_pair_of_languages_can_be_compared(one, other):
    score = measure("cssg", steps=1000).score(_program(one, 0), _program(other, 3))
    assert 0 < score.value < 1


def test_the_same_function_in_c_and_python_is_alike():
    in_c = Source("int double_it(int x) { int y = x * 2; return y; }", "c")
    in_python = Source("def double_it(x):\n    y = x * 2\n    return y\n", "python")
    assert measure("cssg").score(in_c, in_python).value == 1


@settings(max_examples=30)
@given(st.sampled_from(LANGUAGES), st.integers(0, 99), st.integers(0, 400), st.text(max_size=40))
def test_half_of_a_program_and_garbage_have_scores(language, number, end, garbage):
    whole = _program(language, number)
    half = Source(whole.text[:end] + garbage, language)
    for other in (whole, Source(garbage, language)):
        score = measure("cssg", steps=1000).score(half, other)
        assert 0 <= score.value <= score.bounds[1] <= 1
        assert score.explain().summary


def test_empty_texts():
    cssg = measure("cssg")
    assert cssg.score("", " \n", language="python").value == 1
    assert cssg.score("", "# nothing\n", language="python").value == 1
    empty = cssg.score("", "x = f(1)\n", language="python")
    assert empty.value == 0
    assert empty.bounds == (0, 0)
    assert empty.parts["distance"] == sum(
        empty.parts[name] for name in ("nodes", "edges", "reference_nodes", "reference_edges")
    )


NAMED = "def half(x):\n    return x // 2\n\ndef quarter(x):\n    return half(half(x))\n"


def test_names_of_functions_count_unless_any_will_do():
    other = NAMED.replace("half", "midpoint").replace("quarter", "fourth")
    by_name = measure("cssg").score(NAMED, other, language="python")
    assert by_name.value < 0.7
    for granularity in ("operation", "statement"):
        any_name = measure("cssg", functions="any", granularity=granularity)
        assert any_name.score(NAMED, other, language="python").value == 1
    library = NAMED.replace("half(half(x))", "sqrt(abs(x))")
    assert measure("cssg", functions="any").score(NAMED, library, language="python").value < 1


def test_functions_that_only_their_callers_tell_apart_may_change_places():
    """As many rounds of comparing neighbours as there are functions must not take long."""
    functions = [f"def f{i}(x):\n    return f{i + 1}(x) + 1\n" for i in range(1500)]
    other = random.Random(7).sample(functions, len(functions))
    any_name = measure("cssg", functions="any", steps=0)
    assert any_name.score("".join(functions), "".join(other), language="python").value == 1


def test_a_changed_kind_costs_1_where_kinds_count():
    """The comparison decides about the call in one, and is its argument in the other."""
    one = "def f(a):\n    if a < 1:\n        g()\n"
    other = "def f(a):\n    g(a < 1)\n"
    merged = measure("cssg").score(one, other, language="python").parts
    typed = measure("cssg", edges="typed").score(one, other, language="python").parts
    assert merged["changed_kind"] == typed["changed_kind"] == 1
    assert merged["distance"] == 1  # the entry decides about the call in the other
    assert typed["distance"] == 2


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"labels": "name"}, "cssg: labels='name' is not one of operator"),
        ({"granularity": "file"}, "cssg: granularity='file' is not one of operation, statement"),
        ({"functions": "all"}, "cssg: unknown functions 'all'"),
        ({"edges": "none"}, "cssg: unknown edges 'none'"),
        ({"preset": "soot"}, "cssg: preset='soot' is not one of joern"),
        ({"steps": -1}, "cssg: steps must be from 0"),
        ({"costs": "cheap"}, "cssg: unknown costs 'cheap'; known are unit, learned, and costs by"),
        ({"costs": "call:-1"}, "cssg: unknown costs 'call:-1'"),
        ({"costs": {"calls": 2}}, "cssg: nothing named 'calls' has a cost, only root, entry"),
        ({"costs": {"call": 0.5}}, "cssg: the cost of call must be a whole number from 0 to 1000"),
        ({"costs": {"call": True}}, "cssg: the cost of call must be a whole number"),
        ({"costs": {"call-edge": 1001}}, "cssg: the cost of call-edge must be .* not 1001"),
        ({"costs": dict.fromkeys(COST_NAMES, 0)}, "cssg: all costs are 0"),
        ({"costs": 3}, "cssg: costs must be one of unit, learned or a mapping"),
    ],
)
def test_wrong_parameters_are_refused(parameters, told):
    with pytest.raises(CodekinError, match=told):
        measure("cssg", **parameters)


def test_a_language_without_graphs_is_named():
    with pytest.raises(
        CodekinError, match=r"no semantic graphs for Kotlin, which cssg compares, .* kin"
    ):
        measure("cssg").score("fun f() = 1", "fun g() = 2", language="kotlin")


ONE_CALL = "def f(a):\n    if a < 1:\n        g()\n"
ONE_SUM = "def f(a):\n    g(a < 1)\n"


@pytest.mark.parametrize(
    ("costs", "merged", "typed"),
    [
        ({}, 1, 2),
        ({"control-edge": 5}, 5 + 4, 5 + 5),  # entry to call; the test decides, or is an argument
        ({"data-edge": 5}, 1 + 4, 1 + 5),
        ({"control-edge": 5, "data-edge": 5}, 5, 10),
        ({"control-edge": 0, "data-edge": 0}, 0, 0),
        ({"call": 9, "compare": 9}, 1, 2),
    ],
)
def test_kinds_of_edges_may_cost_different_amounts(costs, merged, typed):
    for edges, distance in (("merged", merged), ("typed", typed)):
        cssg = measure("cssg", edges=edges, costs=costs)
        assert cssg.score(ONE_CALL, ONE_SUM, language="python").parts["distance"] == distance


def test_an_expensive_class_counts_more():
    one, other = "x = f(a) + 1\n", "x = f(a) * 1\n"
    plain, arith, call = (
        measure("cssg", costs=costs).score(one, other, language="python")
        for costs in ("unit", {"arith": 5}, {"call": 5})
    )
    assert plain.parts["distance"] == call.parts["distance"] == arith.parts["distance"] - 8
    assert arith.value < plain.value < call.value


@SEVERAL
@given(st.integers(0, 99), st.integers(0, 99), st.integers(2, 9))
def test_equal_costs_change_no_score(a, b, cost):
    one, other = _program("python", a), _program("java", b)
    priced = measure("cssg", costs=dict.fromkeys(COST_NAMES, cost), steps=1000).score(one, other)
    plain = measure("cssg", steps=1000).score(one, other)
    assert priced.bounds == pytest.approx(plain.bounds, abs=1e-12)
    assert priced.parts["distance"] == cost * plain.parts["distance"]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ("unit", "unit"),
        ("learned", "learned"),
        ({}, "unit"),
        ({"call": 1, "data-edge": 1}, "unit"),
        ({"data-edge": 2, "call": 3, "arith": 1}, "call:3+data-edge:2"),
        (" data-edge:02 + call:3", "call:3+data-edge:2"),
    ],
)
def test_costs_have_one_word_that_makes_the_same_measure(given, word):
    cssg = measure("cssg", costs=given)
    assert cssg.costs == word
    assert parse_measure(measure_label(cssg)) == cssg
    assert (f"costs:{word}" in cssg.signature()) == (word != "unit")


def test_everything_in_a_text_may_cost_nothing():
    costs = dict.fromkeys(COST_NAMES, 0) | {"exit": 1}
    score = measure("cssg", costs=costs).score("x = 1\n", "y = f(2)\n", language="python")
    assert (score.value, score.exact) == (1, True)


def test_explanations_say_what_the_edit_costs():
    one, other = _case("data")
    unit = measure("cssg").score(one, other).explain().summary
    priced = measure("cssg", costs={"data-edge": 4}).score(one, other).explain().summary
    assert "and takes 2 insertions and deletions, proven to be the fewest." in unit
    assert "and costs 8, proven to be the least, of the 70 that both graphs cost." in priced
