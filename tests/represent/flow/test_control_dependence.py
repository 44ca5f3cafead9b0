import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.represent.flow_irs import flow_ir, operation_names, repeated

from codekin.represent.flow.control_flow import ControlFlow, control_flow
from codekin.represent.flow.dependence import control_dependence


def pairs(listing, **options):
    """The dependences but those on the entry, by name."""
    ir = flow_ir(listing)
    names = operation_names(ir)
    found = control_dependence(control_flow(ir, **options))
    assert found.complete
    every = zip(found.controller.tolist(), found.dependent.tolist(), strict=True)
    return " ".join(f"{names[a]}:{names[b]}" for a, b in every if names[a] != "<<module>>")


CASES = {
    "c; if c; a; else; b; end; d": "c:a c:b",
    "loop; t; test t; a; end; b": "t:t t:a",
    "loop; a; next; t; test t; end; b": "t:a t:t",
    "loop; t; test t; c; if c; break b; end; a; end; z": "t:c c:t c:b c:a",
    # What follows a loop that may return depends on whether it did.
    "loop; t; test t; c; if c; return r; end; end; z": "t:c t:z c:t c:r",
    # Nobody decides: what depends on the test depends on what the test depends on.
    "c; if c; loop; test; a; end; end": "c:a",
    "c; if c; if; a; else; b; end; end": "c:a c:b",
    # The alternatives of a switch depend on its subject, not on what its subject depends on.
    "c; if c; s; switch s; case; match; a; leave; case; default; d; case; match; b; end; end": (
        "c:s s:a s:d s:b"
    ),
    # After a guard the alternatives that are left depend on it, too.
    "s; switch s; case; match; g; guard g; a; leave; case; match; b; leave; end; z": (
        "s:g s:b g:a g:b"
    ),
    "s; switch s; case; m; match m; a; leave; case; n; match n; b; leave; end": "m:a m:n n:b",
    "try; a!; b!; catch; h; end; z": "a:b a:h b:h",
    "try; a!; catch; h; catch; i; end; z": "a:h a:i",
    # A finally always runs; which way it was left depends on how it was entered.
    "try; c; if c; return r; end; a; finally; f; end; z": "c:r c:a c:z",
    "try; a!; finally; f; end; z": "a:z",
    "loop @l; t; test t; try; c; if c; break b @l; else; return r; end; finally; f; end; end; z": (
        "t:c t:f t:z c:b c:r c:z"
    ),
    # Endless: the edge that closes the loop is no decision.
    "a; loop; b; c; if c; d; end; end; z": "c:d",
    "loop; a; loop; t; test t; b; end; end": "t:t t:b",
    # Unreachable.
    "return r; c; if c; a; end": "",
}


@pytest.mark.parametrize("listing", CASES)
def test_constructs(listing):
    assert pairs(listing) == CASES[listing]


def test_what_always_runs_depends_on_the_entry():
    ir = flow_ir("a; def f(x); c; if c; b; end; return r; d")
    names = operation_names(ir)
    found = control_dependence(control_flow(ir))
    every = zip(found.controller.tolist(), found.dependent.tolist(), strict=True)
    assert [f"{names[a]}:{names[b]}" for a, b in every] == [
        "<<module>>:a",
        "<f>:f.x",
        "<f>:c",
        "<f>:r",
        "c:b",
    ]


JUMPS = {
    "c; if c; return r; end; a": "c:r c:a r:a",
    "loop; t; test t; c; if c; continue k; end; a; end; z": "t:t t:c c:k c:a k:a",
    "s; switch s; case; match; a; leave l; case; match; b; end; z": "s:a s:l s:b l:b",
    "try; c; if c; return r; end; a; finally; f; end; z": "c:r c:a r:a r:z",
}


@pytest.mark.parametrize("listing", JUMPS)
def test_jumps_decide_what_follows_them(listing):
    assert pairs(listing, jumps=True) == JUMPS[listing]


@st.composite
def flows(draw):
    """A random graph: node 0 is the entry; all reach the exit; some nodes are pseudo nodes."""
    count, pseudo = draw(st.integers(1, 7)), draw(st.integers(0, 5))
    nodes = [*range(count), *range(count + 1, count + 1 + pseudo)]
    edges = draw(st.lists(st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)), max_size=20))
    edges = [(s, t) for s, t in edges if t != 0]
    for node in draw(st.permutations(nodes)):
        if not path(edges, node, count):
            edges.append((node, count))
    deciders = [draw(st.integers(-1, count - 1)) for _ in range(pseudo)]
    decides = [*range(count), -1, *deciders]
    inner = st.integers(count + 1, count + max(pseudo, 1))
    chosen = draw(st.lists(st.tuples(inner, inner), max_size=2 if pseudo else 0))
    return count, edges, decides, chosen


def path(edges, start, end, without=None):
    seen, pending = {start}, [start]
    while pending:
        node = pending.pop()
        for s, t in edges:
            if s == node and t not in seen and t != without:
                seen.add(t)
                pending.append(t)
    return end in seen


def textbook(edges, nodes, end):
    """Pairs (a, b) by the definition: b post-dominates a successor of a, and not a itself."""

    def post_dominates(b, a):
        return a == b or not path(edges, a, end, without=b)

    return {
        (a, b)
        for a in nodes
        for b in nodes
        if b != end
        and any(s == a and post_dominates(b, t) for s, t in edges)
        and (a == b or not post_dominates(b, a))
    }


def ascribed(raw, count, decides, chosen):
    def deciders(node, seen):
        if node < count:
            return {node}
        if node in seen:
            return set()
        seen.add(node)
        asked = decides[node]
        found = {asked} - {-1}
        for a, b in raw:
            if b == node and not (asked >= 0 and (a, asked) in raw):
                found |= deciders(a, seen)
        for choice, way in chosen:
            if choice == node:
                found |= deciders(way, seen)
        return found

    return sorted({(d, b) for a, b in raw if b < count for d in deciders(a, set())})


def as_flow(count, edges, decides, chosen):
    def column(rows, k):
        return np.array([row[k] for row in rows], dtype=np.int32)

    return ControlFlow(
        operations=count,
        functions=1,
        entries=np.zeros(1, dtype=np.int32),
        source=column(edges, 0),
        target=column(edges, 1),
        kind=np.zeros(len(edges), dtype=np.uint8),
        decides=np.array(decides, dtype=np.int32),
        choice=column(chosen, 0),
        chosen_by=column(chosen, 1),
        closing=np.empty(0, dtype=np.int32),
    )


@given(flows())
def test_is_the_textbook_definition(graph):
    count, edges, decides, chosen = graph
    found = control_dependence(as_flow(*graph))
    closed = [*edges, (0, count)]
    reached = [v for v in range(len(decides)) if path(closed, 0, v)]
    raw = {(a, b) for a, b in textbook(closed, reached, count) if {a, b} <= set(reached)}
    assert found.complete
    every = list(zip(found.controller.tolist(), found.dependent.tolist(), strict=True))
    assert every == ascribed(raw, count, decides, chosen)


def test_the_limit_keeps_the_nearest():
    depth = 300
    listing = "loop;" * depth + "a;" + "".join(f"t{k}; test t{k}; end;" for k in range(depth))
    flow = control_flow(flow_ir(listing))
    whole = control_dependence(flow)
    assert whole.complete
    assert len(whole) == depth * (depth + 1) // 2 + depth + depth + 1
    some = control_dependence(flow, limit=1000)
    assert not some.complete
    assert 1000 <= len(some) <= 1000 + 2 * depth + 2
    every = set(zip(whole.controller.tolist(), whole.dependent.tolist(), strict=True))
    assert set(zip(some.controller.tolist(), some.dependent.tolist(), strict=True)) <= every


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("c; if c", "b; end"),
        ("c; if c; return r; end", "b"),
        ("loop; c; test c", "b; end"),
        ("s; switch s; case; match", "b; leave; case; default; end"),
        ("try; a!", "catch; h; end"),
    ],
)
def test_few_pairs_for_many_constructs(start, end, nested):
    count = 5000
    found = control_dependence(control_flow(repeated(start, end, count, nested=nested)))
    assert found.complete
    assert count < len(found) <= 6 * count


def test_alternatives_that_fall_through_depend_on_the_subject_once():
    count = 5000
    ir = flow_ir("s; switch s;" + ";".join(f"case; match; a{k}" for k in range(count)) + "; end")
    found = control_dependence(control_flow(ir), limit=10 * count)
    assert found.complete
    assert len(found) == count + 1


def test_arrays_of_no_flow():
    flow = control_flow(flow_ir("a"))
    fields = {**vars(flow), "choice": np.array([0], dtype=np.int32)}
    with pytest.raises(ValueError, match="chosen_by must be as long as choice"):
        control_dependence(ControlFlow(**fields))
    with pytest.raises(ValueError, match=r"source\[0\] is 7; expected a number from 0"):
        control_dependence(ControlFlow(**{**vars(flow), "source": flow.source + 7}))
