from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import Source, scan_paths
from codekin.scan.candidates import candidate_pairs
from codekin.scan.clone_evidence import (
    FragmentEvidence,
    _weights_by_rarity,
    _without_own_names,
    clone_odds,
    common_words,
    compare_fragments,
    fragment_evidence,
)
from codekin.scan.code_tokens import Trait, read_tokens
from codekin.scan.file_parts import file_parts
from codekin.scan.scanned_code import ScannedCode, join_parts

ORDERS = """def open_orders(store, limit, today):
    found = []
    for order in store.orders(limit):
        if order.closed or order.due < today:
            continue
        price = order.amount * store.rate(order.currency)
        found.append((order.number, price, order.customer.name))
    found.sort(key=lambda one: -one[1])
    store.log("open orders", len(found))
    return found[:limit]
"""
RESTRUCTURED = """def open_orders(store, limit, today):
    store_orders, found = store.orders(limit), []
    place = 0
    while place < len(store_orders):
        order = store_orders[place]
        place += 1
        if not (order.closed or order.due < today):
            found += [(order.number, store.rate(order.currency) * order.amount,
                       order.customer.name)]
    store.log("open orders", len(found))
    return sorted(found, key=lambda one: -one[1])[:limit]
"""
ADAPTED = """def pending(database, most, now):
    lines, seen = {}, 0
    for entry in database.orders(most):
        seen += 1
        if entry.closed or entry.due < now:
            continue
        cost = entry.amount * database.rate(entry.currency)
        lines[entry.number] = cost
    if not lines:
        raise KeyError(most)
    database.log("open orders", len(lines))
    return lines
"""
SIMILAR = """def pending(database, most, now):
    lines, seen = {}, 0
    for entry in database.visits(most):
        seen += 1
        if entry.ended or entry.start < now:
            continue
        cost = entry.hours * database.wage(entry.person)
        lines[entry.room] = cost
    if not lines:
        raise KeyError(most)
    database.count("guests", len(lines))
    return lines
"""


def code_of(*texts: str, language: str = "python") -> ScannedCode:
    sources = (Source(text, language) for text in texts)
    return join_parts([file_parts(one, min_lines=4, fast=False) for one in sources])


def evidence_of(*texts: str) -> FragmentEvidence:
    code = code_of(*texts)
    pairs = candidate_pairs(code)
    compared = compare_fragments(code, pairs)
    places, found = fragment_evidence(code, pairs, compared, fast=False)
    words = np.maximum(compared.words, 1)
    shared = compared.aligned * (compared.equal + compared.renamed) / words + pairs.kin
    assert places.tolist() == [i for i, one in enumerate(shared.tolist()) if one >= 0.4]
    assert len(places)
    return found


def evidence(**given: float) -> FragmentEvidence:
    usual = {"kept": 0.6, "kin": 0.4, "rare": 0.4, "family": 0.69} | given
    values = {one.name: np.array([usual.get(one.name, 0.0)]) for one in fields(FragmentEvidence)}
    return FragmentEvidence(**values)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    "name", ["kept", "renamed", "kin", "rare", "calls", "length", "names", "size"]
)
def test_what_is_shared_speaks_for_a_clone(name: str, fast: bool) -> None:
    low, high = (clone_odds(evidence(**{name: x}), fast=fast)[0] for x in (0.3, 0.9))
    assert low == high if fast and name == "kin" else low < high


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", ["family", "file"])
def test_habits_speak_against_it(name: str, fast: bool) -> None:
    few, many = (clone_odds(evidence(**{name: x}), fast=fast)[0] for x in (0.0, 1.0))
    assert many < few


def test_the_evidence_of_a_restructured_copy() -> None:
    found = evidence_of(ORDERS, RESTRUCTURED)
    assert (set(found.file.tolist()), set(found.renamed.tolist())) == ({0.0}, {0.0})
    assert 0 < found.names[0] <= 1 and 0 < found.rare[0] < 1
    assert found.size[0] > 0  # more than 40 tokens of different statements


def test_the_evidence_of_a_copy_with_new_names() -> None:
    found = evidence_of(ORDERS, ADAPTED)
    place = int(np.argmax(found.length * found.calls))
    assert found.calls[place] > 0.5 and found.rare[place] < 0.2
    assert found.length[place] == pytest.approx(10 / 12)


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("python", "total = items.count(limit) + 3\nlog(total)\n", "count 3 log"),
        ("c", "Point *p = make(q->first, n);\nsize_t k = m;\n", "make first size_t"),
        ("java", "List found = Names.of(this.all, x);\n", "List of all"),
        ("cpp", "auto a = std::max(b, c);\n", "max"),
        ("typescript", "const a: number = b?.size ?? 1;\n", "size 1"),
    ],
)
def test_a_function_chooses_its_own_names_only(language: str, text: str, kept: str) -> None:
    source = Source(text, language)
    tokens = read_tokens(source.data, source.language)
    ids, words = _without_own_names(tokens), int(Trait.NAME | Trait.LITERAL)
    chosen = (tokens.traits & words != 0) & (ids != tokens.blind)
    spelled = [re.split(r"\W", text[start:], maxsplit=1)[0] for start in tokens.starts[chosen]]
    assert spelled == kept.split()


def test_one_file_and_the_number_of_others_alike() -> None:
    several = "\n\n".join(ORDERS.replace("open_orders", f"orders{i}") for i in range(3))
    found = evidence_of(several)
    assert set(found.file.tolist()) == {1.0}
    assert np.allclose(np.exp(found.family), 3)


def test_names_are_shares_of_different_names() -> None:
    code = code_of("a = b + b\nc = a\n", "a = b + d\n")
    ends = [(np.array([begin]), np.array([end])) for begin, end in pairwise(code.files)]
    same, most = common_words(code, Trait.NAME, *ends, once=True)
    assert (same.tolist(), most.tolist()) == ([2], [3])
    same, most = common_words(code, Trait.NAME, *ends)
    assert (same.tolist(), most.tolist()) == ([2], [5])


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 255)), min_size=1), st.integers(1, 5000)
)
def test_weights_by_rarity(statements: list[tuple[int, int]], fragments: int) -> None:
    ids = np.array([one for one, _ in statements], np.uint64)
    weights = np.array([weight for _, weight in statements], np.uint8)
    counts = Counter(ids.tolist())
    for (one, weight), found in zip(
        statements, _weights_by_rarity(weights, ids, fragments).tolist(), strict=True
    ):
        rarity = 1 - np.log1p(counts[one]) / np.log1p(max(1000, fragments))
        assert found == min(255, np.rint(3 * weight * max(0, rarity)))


def found_in(folder: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return [one.type for one in scan_paths([folder], workers=0).findings]


def test_a_restructured_copy_with_the_same_names_is_found(tmp_path: Path) -> None:
    assert found_in(tmp_path, a_py=ORDERS, b_py=RESTRUCTURED) == ["T4"]


def test_a_copy_with_new_names_and_other_statements_is_found(tmp_path: Path) -> None:
    assert found_in(tmp_path, a_py=ORDERS, b_py=ADAPTED) == ["T3"]


def test_the_same_steps_with_other_calls_and_members_are_no_clone(tmp_path: Path) -> None:
    assert found_in(tmp_path, a_py=ORDERS, b_py=SIMILAR) == []


def test_a_short_renamed_copy_is_found_in_another_file(tmp_path: Path) -> None:
    short = (
        "def {0}({1}, {2}):\n    if {1} is None:\n        return {2}\n"
        "    {3} = {1}.get({2})\n    if {3} < {2}:\n        {3} = {2} - {1}.step({3})\n"
        "    return {3}\n"
    )
    one, two = short.format("first", "a", "b", "c"), short.format("second", "x", "y", "z")
    assert found_in(tmp_path, a_py=one, b_py=two) == ["T2"]


def test_types_with_the_same_layout_are_no_clones(tmp_path: Path) -> None:
    text = "export namespace {0} {{\n  export type Args = {{\n{1}  }}\n}}\n"
    one, two = (
        text.format(name, "".join(f"    {name}{i}: Map<string, number>\n" for i in range(9)))
        for name in ("call", "send")
    )
    assert found_in(tmp_path, a_ts=one, b_ts=two) == []


def test_a_series_of_delegates_is_no_clone(tmp_path: Path) -> None:
    method = (
        "  public void visit{0}(Node node, Context context, int depth) {{\n"
        "    check(node, depth);\n    context.push(node);\n    delegate.visit{0}(node, depth);\n"
        "    context.pop();\n    done();\n  }}\n"
    )
    series = "".join(method.format(name) for name in ("Call", "Loop", "Name", "Text"))
    assert found_in(tmp_path, A_java=f"class A {{\n{series}}}\n") == []
