"""What every kernel refuses: arguments that would make it read, count or allocate out of bounds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codekin import Source, _native
from codekin.represent.flow.control_flow import ControlFlow, control_flow
from codekin.represent.flow.dependence import control_dependence
from codekin.represent.flow.lowering import native_table

ROOT = Path(__file__).parent.parent
LARGEST, LEAST = 2**31 - 1, -(2**31)


def i32(*numbers: int) -> Any:
    return np.array(numbers, dtype=np.int32)


def u64(*numbers: int) -> Any:
    return np.array(numbers, dtype=np.uint64)


def u8(*numbers: int) -> Any:
    return np.array(numbers, dtype=np.uint8)


def hunks(*rows: tuple[int, int, int, int]) -> Any:
    return np.array(rows, dtype=np.int32).reshape(-1, 4)


def one_token(**changed: Any) -> Any:
    """Tokens of a tree of a single node."""
    given = {
        "data": b"x",
        "kind": np.array([1], dtype=np.uint16),
        "size": i32(1),
        "start": i32(0),
        "end": i32(1),
        "table": np.full(65536, 0x40, dtype=np.uint8),
        "reserved": u64(),
        "reserved_classes": u8(),
        "docstrings": i32(),
        "keep_comments": True,
        "layout": False,
    }
    return _native.code_tokens(**{**given, **changed})


def flow(**changed: Any) -> Any:
    """Reaching definitions of one operation that defines and uses a location."""
    given = {
        "nodes": 1,
        "source": i32(),
        "target": i32(),
        "kind": u8(),
        "entry": i32(0),
        "late_entry": i32(),
        "before_late": -1,
        "use_from": i32(0, 1),
        "use": i32(0),
        "definition_from": i32(0, 1),
        "definition": i32(0),
        "strong": u8(1),
        "limit": 10,
    }
    return _native.reaching_definitions(**{**given, **changed})


def graphs(labels: Any, steps: int = 10, costs: tuple[Any, Any] = (i32(), i32())) -> Any:
    edges = (i32(), i32(), i32())
    return _native.graph_edit_distance(labels, *edges, labels, *edges, [], [], True, *costs, steps)


def changed_flow(**changed: Any) -> Any:
    """Control dependence of a program of one operation."""
    given = vars(control_flow(Source("x", "python").flow_ir))
    limit = changed.pop("limit", 100)
    return control_dependence(ControlFlow(**{**given, **changed}), limit=limit)


def routine(first: int, end: int) -> Any:
    nothing = (u8(0), u8(0), u8(), i32(), i32(), False, False, False)
    return _native.control_flow(i32(first), i32(end), i32(first), i32(end), *nothing)


def dataflow_rules(rule: list[int]) -> Any:
    tables = [np.zeros(65536, dtype=t) for t in (np.uint16, np.uint8)]
    return _native.DataflowRules([], *tables, [rule])


# Each read or wrote out of bounds, overflowed, never returned or took gigabytes.
HARMFUL: list[tuple[str, Callable[[], Any]]] = [
    (
        r"end must be as long as start",
        lambda: _native.code_token_ids(b"x", i32(0, 0), i32(1), u8()),
    ),
    (r"cls must be as long as", lambda: _native.code_token_ids(b"x", i32(0), i32(1), u8())),
    (r"size\[0\] is 2147483647", lambda: one_token(size=i32(LARGEST))),
    (r"docstrings\[0\] is -1", lambda: one_token(docstrings=i32(-1))),
    (r"reserved_classes must be as long", lambda: one_token(reserved=u64(1))),
    (r"first\[0\]: hunks must", lambda: _native.merge_hunks(hunks((LEAST, 0, 0, 9)), hunks())),
    (r"first\[0\]: hunks must", lambda: _native.merge_hunks(hunks((0, 0, 0, LARGEST)), hunks())),
    (
        r"tokens of a revision: at most",
        lambda: _native.merge_hunks(hunks((0, 0, 0, LARGEST - 1)), hunks((9, 9, 9, 10))),
    ),
    (r"function 0 does not lie in", lambda: routine(LARGEST, LEAST)),
    (r"function 0 does not lie in", lambda: routine(LEAST, LARGEST)),
    (r"limit must not be negative", lambda: changed_flow(limit=-(2**63))),
    (r"decides\[0\] is", lambda: changed_flow(decides=i32(99, 0, 0, 0, 0))),
    (r"char_order must be from 0", lambda: _native.chrf_statistics("a", "a", LARGEST, 0, False)),
    (r"word_order must be from 0", lambda: _native.chrf_statistics("a", "a", 6, LARGEST, False)),
    (r"labels1\[0\] is 2147483647", lambda: graphs(i32(LARGEST))),
    (r"steps must not be negative", lambda: graphs(i32(0), -1)),
    (r"labels1\[0\] is 1; expected", lambda: graphs(i32(1), costs=(i32(1), i32()))),
    (r"node_costs\[0\] is -1", lambda: graphs(i32(0), costs=(i32(-1), i32()))),
    (r"node_costs\[0\] is 2147483647", lambda: graphs(i32(0), costs=(i32(LARGEST), i32()))),
    (r"edge_costs must not ascend", lambda: graphs(i32(0), costs=(i32(), i32(1, 2)))),
    (r"edge_costs: at most 64", lambda: graphs(i32(0), costs=(i32(), i32(*[1] * 65)))),
    (r"nodes is 2147483647, far more", lambda: flow(nodes=LARGEST)),
    (r"use\[0\] is 500000000; expected", lambda: flow(use=i32(500_000_000))),
    (r"limit must be from 0", lambda: flow(limit=2**63 - 1)),
    (
        r"count is 500000000, far more",
        lambda: _native.post_dominators(500_000_000, i32(), i32(), i32()),
    ),
    (r"steps must be from 0", lambda: _native.three_way_lcs(u64(1), u64(1), u64(1), float("nan"))),
    (r"selector of a rule", lambda: dataflow_rules([0, LARGEST, 0, 0, 0])),
    (r"operation of a rule", lambda: dataflow_rules([256, 0, 0, 0, 0])),
    (r"tree must be a tree_sitter", lambda: _native.flatten(Source("", "python"))),
    (
        r"rows of which all pairs",
        lambda: _native.all_overlaps(np.zeros(99_999, np.int64), i32(), i32()),
    ),
    (
        r"resamples without units",
        lambda: _native.rank_statistics(*[i32()] * 3, np.zeros((2**40, 0), np.int32)),
    ),
    (
        r"reads must be from 0",
        lambda: _native.PieceReader(b"x", 1, b"", None, -(2**63), 9, 9, 9, 0),
    ),
    (r"strings must hold nothing but str", lambda: _native.string_ids([b"x"])),
    (r"statistics\[0\] must be finite", lambda: _native.bleu([float("nan")] * 4, 0, 1, True, True)),
    (r"smoothing must be from 0 to 3", lambda: _native.bleu([1.0] * 4, 9, 1, True, True)),
    (
        r"references_dropped must be as long",
        lambda: _native.clipped_matches(u64(1), [u64(1)], 2, u8(0), []),
    ),
    (r"both or not at all", lambda: _native.clipped_matches(u64(1), [u64(1)], 2, u8(0))),
]


@pytest.mark.parametrize(("message", "call"), HARMFUL, ids=[message for message, _ in HARMFUL])
def test_harmful_arguments_are_refused(message: str, call: Callable[[], Any]) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_the_arguments_before_they_are_changed_are_sound() -> None:
    assert len(one_token()[0]) == 1
    assert len(flow()[0]) == 0
    assert graphs(i32(0, 1))[:2] == (0, 0)
    assert changed_flow().complete
    dataflow_rules([1, -1, 65535, 0, 0])


@pytest.mark.parametrize(
    "array",
    [
        np.array([1, 2]),
        np.array([1.0, 2.0]),
        np.array([1, 2], dtype=np.uint32),
        np.array([1, 2], dtype=">u8"),
        np.array([True, False]),
        u64(1, 0, 2, 0)[::2],
        u64(1, 2)[::-1],
        u64(1, 2).reshape(1, 2),
        np.frombuffer(bytes(17), dtype=np.uint64, offset=1),
        [1, 2],
        None,
    ],
    ids=str,
)
def test_no_array_is_converted(array: Any) -> None:
    with pytest.raises(TypeError, match=r"levenshtein_ids\(a: ndarray\[dtype=uint64"):
        _native.levenshtein_ids(array, u64(1))
    with pytest.raises(TypeError, match="incompatible"):
        _native.edit_operations(u64(1), u64(1), [u64(1), array], 2)


def test_a_read_only_array_is_read() -> None:
    array = u64(1, 2)
    array.flags.writeable = False
    assert _native.levenshtein_ids(array, u64(1)) == 1


def test_an_attribute_of_a_flow_ir_is_named() -> None:
    ir = Source("f()", "python").flow_ir
    for name, value in [("kind", ir.kind.astype(np.int64)), ("operands", None), ("strings", [])]:
        wrong = type("Wrong", (), {**vars(ir), name: value})()
        with pytest.raises(TypeError, match=rf"ir\.{name} must be"):
            _native.resolve_calls(wrong, 1000)


@cache
def lowering_table(language: str) -> Any:
    source = Source("", language)
    assert source.language.lowering is not None
    return native_table(source.language.lowering, source.tree.grammar)


def lowered(source: Source, **changed: Any) -> Any:
    """The flow IR of a tree of which some arrays are changed."""
    names = ("kind", "field", "parent", "size", "start", "end")
    arrays = {name: changed.get(name, getattr(source.tree, name)) for name in names}
    return _native.lower(lowering_table(source.language.name), source.data, **arrays)


def test_lowering_survives_parts_that_no_grammar_puts_there() -> None:
    """A receiver that is no name, and a conditional without its parts: both were read at -1."""
    source = Source("class A:\n    def f(self):\n        pass\n", "python")
    place = source.data.index(b"self")
    for node in np.flatnonzero(source.tree.start == place):
        for number in range(len(source.tree.grammar.kinds)):
            kind = source.tree.kind.copy()
            kind[node] = number
            assert len(lowered(source, kind=kind))
    source = Source("int f(int a) { return a ? 1 : 2; }", "c")
    assert len(lowered(source, field=np.zeros_like(source.tree.field)))


def test_every_kernel_survives_the_fuzzer() -> None:
    """Also that no kernel is without valid calls in the fuzzer; many more cases run nightly."""
    command = [sys.executable, str(ROOT / "tools" / "fuzz_kernels.py"), "--cases", "8"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert " 0 faults" in ended.stdout.splitlines()[-1]


def test_the_map_names_every_kernel_and_tests_that_exist() -> None:
    text = (ROOT / "native" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[`/](\w+\.[ch]pp)`", text))
    kernels = {
        path.name
        for path in (ROOT / "native").rglob("*.cpp")
        if re.search(r"^void register_", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert kernels - named - {"module.cpp"} == set()
    tests = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"`(test_\w+\.py)`", text)) - tests == set()


ON_WORDS = """
#include <cstdio>
#include "common/bits.hpp"

int main() {
    uint64_t word = 1, sum = 0;
    codekin::Carry carry = 0;
    for (int i = 0; i < 20000; ++i) {
        const uint64_t other = word;
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        const uint64_t one = word >> i % 64 | uint64_t{1} << i % 61, all = ~uint64_t{0};
        const int counts[] = {codekin::popcount(one), codekin::countr_zero(one << i % 3),
                              codekin::countl_zero(one), codekin::popcount(all >> i % 64)};
        sum = codekin::add(sum, i % 5 ? one : all, carry);
        std::printf("%d %d %d %d %d %llx %llx\\n", counts[0], counts[1], counts[2], counts[3],
                    static_cast<int>(carry), static_cast<unsigned long long>(sum),
                    static_cast<unsigned long long>(codekin::folded_product(word, other | one)));
    }
}
"""


@pytest.mark.skipif(os.name == "nt" or not shutil.which("c++"), reason="needs a C++ compiler")
def test_portable_arithmetic_is_that_of_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "words.cpp").write_text(ON_WORDS)
    printed = []
    for forced in ([], ["-DCODEKIN_PORTABLE"]):
        program = str(tmp_path / f"words{len(forced)}")
        include = f"-I{ROOT / 'native'}"
        subprocess.run(
            ["c++", "-std=c++17", include, *forced, str(tmp_path / "words.cpp"), "-o", program],
            check=True,
            timeout=120,
        )
        ended = subprocess.run([program], capture_output=True, check=True, timeout=60)
        printed.append(ended.stdout)
    assert printed[0].count(b"\n") == 20000
    assert printed[0] == printed[1]
