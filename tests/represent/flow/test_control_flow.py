from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.represent.flow_irs import flow_ir, operation_names, repeated
from tests.represent.flow_programs import listing, program, run

from codekin.represent.flow.control_flow import FlowKind, control_flow
from codekin.represent.flow.flow_ir import FlowIR, Item


def edges(text, **options):
    """The edges but the one from the entry: ``a>b``, T, F, R, J for the kinds but NEXT."""
    ir = flow_ir(text)
    flow = control_flow(ir, **options)
    names = [*operation_names(ir), "exit"]
    names += [f"p{k}" for k in range(len(flow) - len(names))]
    every = zip(flow.source.tolist(), flow.target.tolist(), flow.kind.tolist(), strict=True)
    return " ".join(sorted(f"{names[s]}{'>TFRJ'[k]}{names[t]}" for s, t, k in every if s != 0))


CASES = {
    "": "",
    "a; b": "a>b b>exit",
    "c; if c; a; end; z": "cFz cTa a>z z>exit",
    "c; if c; a; else; b; end; z": "cFb cTa a>z b>z z>exit",
    "c; if c; else; b; end; z": "cFb cTz b>z z>exit",
    "c; if c; end": "cFexit cTexit",
    "c; if c; d; if d; end; end; z": "cFz cTd dFz dTz z>exit",
    "if; a; end; z": "p0Fz p0Ta a>z z>exit",
    "loop; t; test t; a; end; z": "tFz tTa a>t z>exit",
    "loop; a; next; t; test t; end; z": "a>t tFz tTa z>exit",
    "loop; test; a; end; z": "p0Fz p0Ta a>p0 z>exit",
    "loop; t; test t; a; u; test u; b; end; z": "tFz tTa a>u uFz uTb b>t z>exit",
    "loop; t; test t; c; if c; break b; end; d; if d; continue k; end; next; u; end; z": (
        "tFz tTc cFd cTb b>z dFu dTk k>u u>t z>exit"
    ),
    "loop; t; test t; c; if c; break b; end; loopelse; e; end; z": (
        "tFe tTc cFt cTb b>z e>z z>exit"
    ),
    # In the else part of a loop `break` means the loop around it.
    "loop; t; test t; loop; u; test u; loopelse; break b; end; a; end; z": (
        "tFz tTu uFb uTu b>z a>t z>exit"
    ),
    "loop @l; t; test t; loop; u; test u; continue k @l; break b @l; end; end; z": (
        "tFz tTu uFt uTk k>t b>z z>exit"
    ),
    "block @l; loop; t; test t; continue k @l; end; break b @l; a; end; z": (
        "tFb tTk k>t b>z a>z z>exit"
    ),
    "break a; continue b; break c @nowhere; continue d @nowhere": "a>exit b>exit c>exit d>exit",
    "s; switch s; case; match; a; break b; case; match; c; end; z": (
        "s>p0 p0Ta p0Fp1 a>b b>z p1Tc p1Fz c>z z>exit"
    ),
    # The default is tried last wherever it stands, and falls through in the order of the text.
    "s; switch s; case; default; d; case; match; a; end; z": "s>p0 p0Ta p0Fd d>a a>z z>exit",
    "s; switch s; case; default; leave; case; match; a; end; z": "s>p0 p0Ta p0Fz a>z z>exit",
    "s; switch s; case; default; a; case; default; b; end": "s>a a>b b>exit",
    "s; switch s; case; m; match m; g; guard g; a; leave; case; match; b; end": (
        "s>m mTg mFp0 gTa gFp0 a>exit p0Tb p0Fexit b>exit"
    ),
    "s; switch s; case; default; g; guard g; a; end; z": "s>g gTa gFz a>z z>exit",
    "loop; s; switch s nobreak; case; match; break b; end; a; end; z": (
        "s>p0 p0Tb p0Fa b>z a>s z>exit"
    ),
    "s; switch s; x; case; match; a; end": "s>p0 x>a p0Ta p0Fexit a>exit",
    # Duff's device.
    "s; switch s; case; match; loop; a; case; match; b; t; test t; end; end; z": (
        "s>p0 p0Ta p0Fp1 a>b p1Tb p1Fz b>t tTa tFz z>exit"
    ),
    "try; a!; b; catch; h; end; z": "a>b aRh b>z h>z z>exit",
    "try; a!; catch; h; catch; i; end; z": "aRp0 a>z p0Rh p0Ri h>z i>z z>exit",
    "try; a!; catch; h; tryelse; e!; end; z": "aRh a>e h>z e>z z>exit",
    "try; a!; throw t; b; catch; h!; end; z": "aRh a>t tRh b>z h>z z>exit",
    "throw t; a": "tRexit a>exit",
    "a!; b": "a>b b>exit",
    # Nothing is known to raise: nobody knows what brought us to the handler.
    "try; a; catch; h; end; z": "a>p0 p0Rh p0>z h>z z>exit",
    "try; return r; catch; h; end; z": "r>exit h>z z>exit",
    "try; a; finally; f; end; z": "a>f f>z z>exit",
    "try; return r; finally; f; end; z": "r>p0 p0>f f>exit z>exit",
    "try; a!; finally; f; end; z": "a>f aRp0 p0>f f>p1 p1Rexit p1>z z>exit",
    "try; a!; catch; h!; finally; f; end; z": (
        "a>f aRh h>f hRp0 p0>f f>p1 p1Rexit p1>z z>exit"
    ),
    "try; try; a!; finally; f; end; catch; h; end; z": (
        "a>f aRp0 p0>f f>p1 p1Rh p1>z h>z z>exit"
    ),
    "loop; t; test t; try; break b; finally; f; end; end; z": (
        "tTb tFz b>p0 p0>f f>z z>exit"
    ),
    "loop; t; test t; try; c; if c; break b; end; continue k; finally; f; end; end; z": (
        "tTc tFz cTb cFk b>p0 p0>f k>p1 p1>f f>p2 p2>z p2>t z>exit"
    ),
    "try; try; return r; finally; f; end; finally; g; end; z": (
        "r>p0 p0>f f>p1 p1>g g>exit z>exit"
    ),
    "try; a; finally; return r; end; z": "a>r r>exit z>exit",
    "c; if c; goto g @l; end; a; label @l; b": "cTg cFa g>b a>b b>exit",
    "label @l; a; c; if c; goto g @l; end; z": "a>c cTg cFz g>a z>exit",
    "goto g @nowhere; a": "g>exit a>exit",
    "goto; label; a": "a>exit",
    # Endless loops get an edge to the exit from their heads, those without operations a node.
    "loop; a; b; end; z": "a>b a>exit b>a z>exit",
    "a; loop; end; z": "a>p0 p0>p0 p0>exit z>exit",
    "label @l; goto @l": "p0>p0 p0>exit",
    "loop; a; loop; b; end; end": "a>b b>b b>exit",
    "t=true; if t; a; else; b; end; z": "tTa a>z b>z z>exit",
    "t=false; if t; a; else; b; end; z": "tFb a>z b>z z>exit",
    "loop; t=true; test t; c; if c; break b; end; end; z": "tTc cTb cFt b>z z>exit",
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_constructs(text):
    assert edges(text).split() == sorted(CASES[text].split())


OPTIONS = [
    ("t=true; if t; a; end; z", {"fold": False}, "tTa tFz a>z z>exit"),
    ("try; a!; b; catch; h; end", {"raising": False}, "a>b b>p0 p0Rh p0>exit h>exit"),
    ("try; a!; throw t; catch; h; end", {"raising": False}, "a>t tRh h>exit"),
    ("c; if c; return r; end; a", {"jumps": True}, "cTr cFa r>exit rJa a>exit"),
    ("return r; b; throw t", {"jumps": True}, "r>exit rJb b>t tRexit tJexit"),
    ("loop; t; test t; continue k; end", {"jumps": True}, "tTk tFexit k>t kJt"),
    ("c; if c; goto g @l; else; b; end; label @l; a", {"jumps": True},
     "cTg cFb g>a gJa b>a a>exit"),
    ("s; switch s; case; match; leave l; case; match; b; end", {"jumps": True},
     "s>p0 p0Tl p0Fp1 l>exit lJb p1Tb p1Fexit b>exit"),
    ("return; a", {"jumps": True}, "a>exit"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "expected"), OPTIONS)
def test_options(text, options, expected):
    assert edges(text, **options).split() == sorted(expected.split())


def test_functions_have_exits_of_their_own():
    flow = control_flow(flow_ir("a; def f(x); return r; def g(); b"))
    assert flow.exits.tolist() == [7, 8, 9]
    assert flow.entries.tolist() == [0, 2, 5]
    every = sorted(zip(flow.source.tolist(), flow.target.tolist(), strict=True))
    assert every == [(0, 1), (1, 7), (2, 3), (3, 4), (4, 8), (5, 6), (6, 9)]


def test_entry_and_parameters_need_no_items():
    ir = flow_ir("def f(x, y); a")
    kept = [k for k in range(len(ir.item_a)) if k > 0 and ir.item_a[k] not in {1, 2, 3}]
    fields = {**vars(ir), **{f: vars(ir)[f][kept] for f in ("item_code", "item_a", "item_b")}}
    fields["function_first_item"] = np.array([0, 0], dtype=np.int32)
    fields["function_end_item"] = np.array([0, 1], dtype=np.int32)
    flow = control_flow(FlowIR(**fields))
    every = sorted(zip(flow.source.tolist(), flow.target.tolist(), strict=True))
    assert every == [(0, 5), (1, 2), (2, 3), (3, 4), (4, 6)]


def test_closing_edges_are_listed():
    flow = control_flow(flow_ir("a; loop; b; end; c"))
    (closing,) = flow.closing.tolist()
    assert (flow.source[closing], flow.target[closing], flow.kind[closing]) == (2, 4, FlowKind.NEXT)


def ways(ir, flow):
    """For each operation and kind: the operations or the exit next after it, past pseudo nodes."""
    names = [*operation_names(ir), "exit"]
    following = {}
    for s, t, k in zip(flow.source.tolist(), flow.target.tolist(), flow.kind.tolist(), strict=True):
        following.setdefault(s, []).append((t, k))

    def reached(node):
        found, pending, seen = set(), [node], set()
        while pending:
            at = pending.pop()
            if at < len(names):
                found.add(names[at])
            elif at not in seen:
                seen.add(at)
                pending += [t for t, _ in following.get(at, [])]
        return found

    out = {}
    for node, name in enumerate(names):
        for t, k in following.get(node, []):
            out.setdefault((name, k), set()).update(reached(t))
    return out


KINDS = {None: 0, True: 1, False: 2, "raised": 3}


def walked(statements, random):
    trace, ended = run(statements, random)
    steps = [("<<module>>", None), *trace, *([("exit", None)] if ended else [])]
    return [((u, KINDS[left]), v) for (u, left), (v, _) in pairwise(steps)]


@given(st.integers(0, 2**32), st.booleans())
def test_what_runs_is_a_path(seed, jumps):
    random = Random(seed)
    statements = program(random, 25)
    ir = flow_ir(listing(statements))
    out = ways(ir, control_flow(ir, jumps=jumps))
    for _ in range(10):
        for way, to in walked(statements, random):
            assert to in out.get(way, ()), listing(statements)


def test_every_edge_can_run():
    random = Random(6)
    for _ in range(60):
        statements = program(random, 8, final=False)
        ir = flow_ir(listing(statements))
        out = ways(ir, control_flow(ir))
        taken = {}
        for _ in range(400):
            for way, to in walked(statements, random):
                taken.setdefault(way, set()).add(to)
        ran = {name for name, _ in taken}
        assert taken == {way: to for way, to in out.items() if way[0] in ran}


MALFORMED = [
    "if", "end", "else", "if; else; else; end", "loop; if; next; end; end", "test", "next",
    "loop; next; next; end", "loopelse", "loop; loopelse; next; end", "loop; loopelse; test; end",
    "case", "match", "default", "guard", "switch; guard; end", "switch; match; end",
    "switch; case; end", "switch; case; case; match; end", "switch; case; match; match; end",
    "switch; case; match; guard; guard; end", "leave", "catch", "tryelse", "finally",
    "try; finally; catch; end", "try; finally; finally; end", "try; tryelse; catch; end",
    "try; if; catch; end; end", "if; loop; end", "try; finally; tryelse; end",
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_unbalanced_marks(text):
    with pytest.raises(ValueError, match="at item"):
        control_flow(flow_ir(text))


@given(st.lists(st.tuples(st.integers(0, 26), st.integers(-2, 4), st.integers(-2, 3))))
def test_any_stream_is_drawn_or_refused(items):
    ir = flow_ir("a; b; c")
    table = np.array(items, dtype=np.int32).reshape(-1, 3)
    fields = {
        "item_code": table[:, 0].astype(np.uint8),
        "item_a": table[:, 1].copy(),
        "item_b": table[:, 2].copy(),
        "function_first_item": np.array([0], dtype=np.int32),
        "function_end_item": np.array([len(items)], dtype=np.int32),
    }
    try:
        flow = control_flow(FlowIR(**{**vars(ir), **fields}), jumps=True)
    except ValueError:
        return
    for ends in (flow.source, flow.target):
        assert ((ends >= 0) & (ends < len(flow))).all()


@given(st.integers(0, 2**32))
def test_streams_with_marks_taken_out(seed):
    random = Random(seed)
    ir = flow_ir(listing(program(random, 30)))
    kept = np.array([random.random() < 0.9 for _ in ir.item_a], dtype=bool)
    fields = {f: vars(ir)[f][kept] for f in ("item_code", "item_a", "item_b")}
    fields["function_end_item"] = np.array([kept.sum()], dtype=np.int32)
    marks = kept[ir.item_code != Item.OP].all()
    try:
        flow = control_flow(FlowIR(**{**vars(ir), **fields}))
    except ValueError:
        assert not marks
    else:
        assert ((flow.target >= 0) & (flow.target < len(flow))).all()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("function_end_item", [99]),
        ("function_end_operation", [99]),
        ("function_first_item", [-1]),
        ("function_first_operation", [0, 0]),
    ],
)
def test_arrays_of_no_flow_ir(field, value):
    fields = {**vars(flow_ir("a")), field: np.array(value, dtype=np.int32)}
    with pytest.raises(
        ValueError, match=r"function 0 does not lie|must be as long as first_operation"
    ):
        control_flow(FlowIR(**fields))


LARGE = {
    "if": ("c; if c", "else; b; end"),
    "loop": ("loop @l; t; test t", "break b @l; end"),
    "endless": ("loop; a", "end"),
    "switch": ("s; switch s; case; match", "case; match; end"),
    "try": ("try; a!", "catch; h; finally; f; end"),
    "finally": ("try; c; if c; return r; end", "finally; f; end"),
}


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("name", LARGE)
def test_the_graph_is_linear_in_its_items(name, nested):
    ir = repeated(*LARGE[name], 5000, nested=nested)
    flow = control_flow(ir, jumps=True)
    assert len(flow) <= 2 * len(ir.item_a)
    assert len(flow.source) <= 3 * len(ir.item_a)


def test_jumps_out_of_many_finallys_to_many_places():
    count = 500
    opened = ";".join(f"loop @l{k}; t{k}; test t{k}; try" for k in range(count))
    jumps = ";".join(f"c{k}; if c{k}; break b{k} @l{k}; end" for k in range(count))
    closed = ";".join(f"finally; f{k}; end; end" for k in range(count))
    ir = flow_ir(f"{opened}; {jumps}; {closed}")
    assert len(control_flow(ir).source) <= 3 * len(ir.item_a)
