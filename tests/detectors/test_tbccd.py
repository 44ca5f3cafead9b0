"""tbccd: windows over trees, and the convolution against a slow one."""

from __future__ import annotations

import pytest
import torch
from tests.detectors.tensors import assert_close
from torch import Tensor

from codekin import Snippet
from codekin.detectors.neural import word_places
from codekin.detectors.pace import PACE_WIDTH, pace
from codekin.detectors.prepared import Prepared
from codekin.detectors.preparing import prepare_snippets
from codekin.detectors.tbccd import TbccdNetwork, tree_windows

CODES = ("int f(int a, int b, int c) { return a + b * c; }", "", "void g() { h(); h(1, 2); }")


def prepared() -> Prepared:
    made = [Snippet(str(i), "java", code) for i, code in enumerate(CODES)]
    return prepare_snippets(made, workers=1)


def children(made: Prepared, snippet: int) -> dict[int, list[int]]:
    """The children of each node of a snippet."""
    begin, end = made.nodes[snippet : snippet + 2].tolist()
    found: dict[int, list[int]] = {node: [] for node in range(end - begin)}
    for node, parent in enumerate(made.parent[begin:end].tolist()):
        if parent >= 0:
            found[parent].append(node)
    return found


def test_windows_have_the_children_in_order() -> None:
    made = prepared()
    child, counts, left = tree_windows(made)
    place = 0
    for snippet in range(len(made)):
        begin = int(made.nodes[snippet])
        for node, below in children(made, snippet).items():
            assert counts[begin + node] == len(below)
            assert (child[place : place + len(below)] - begin).tolist() == below
            n = len(below)
            shares = [0.5] if n == 1 else [(n - 1 - i) / (n - 1) for i in range(n)]
            assert left[place : place + n].tolist() == pytest.approx(shares)
            place += n
    assert place == len(child)


@pytest.mark.parametrize("by_pace", [True, False])
def test_the_encoding_is_that_of_the_definition(by_pace: bool) -> None:
    made = prepared()
    torch.manual_seed(0)
    words = tuple(sorted(made.words))[::2]
    network = TbccdNetwork(9, 4, words, by_pace)
    if network.embedding is None:
        vectors = torch.from_numpy(pace(made.words))[made.word.tolist()]
    else:
        vectors = network.embedding.weight[word_places(made, words)[made.word].tolist()]
    chosen = torch.tensor([2, 1, 0])
    found = network.encode(network.inputs(made, torch.device("cpu")), chosen)
    for row, snippet in zip(found, chosen.tolist(), strict=True):
        assert_close(row, slow_encoding(network, made, snippet, vectors))


def test_windows_with_the_same_words_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    same = "int f(int a) { a = a + 1; a = a + 1; return g(a, b) + g(b, a); }"
    made = prepare_snippets([Snippet(str(i), "java", same) for i in range(3)], workers=1)
    torch.manual_seed(0)
    network = TbccdNetwork(9, 4, (), by_pace=True)
    inputs = network.inputs(made, torch.device("cpu"))
    assert inputs.table is not None
    # `a = a + 1`, its inner nodes and leaves, but not `g(a, b)` and `g(b, a)`.
    sizes = network.sizes(made)
    assert len(inputs.table) == sizes[0] == sizes[1] < made.nodes[1]
    kept = network.encode(inputs, torch.tensor([0, 1, 2]))
    few = network.encode(inputs, torch.tensor([1]))
    monkeypatch.setattr("codekin.detectors.tbccd._TABLE_BYTES", 0)
    inputs = network.inputs(made, torch.device("cpu"))
    assert inputs.table is None
    torch.testing.assert_close(network.encode(inputs, torch.tensor([0, 1, 2])), kept)
    torch.testing.assert_close(few[0], kept[0])


def slow_encoding(network: TbccdNetwork, made: Prepared, snippet: int, vectors: Tensor) -> Tensor:
    """A snippet's vector by the definition, node by node."""
    begin = int(made.nodes[snippet])
    greatest = torch.full((network.layer.in_features,), -torch.inf)
    for node, below in children(made, snippet).items():
        sides = [torch.zeros(PACE_WIDTH), torch.zeros(PACE_WIDTH)]
        for i, child in enumerate(below):
            share = 0.5 if len(below) == 1 else 1 - i / (len(below) - 1)
            sides[0] = sides[0] + share * vectors[begin + child]
            sides[1] = sides[1] + (1 - share) * vectors[begin + child]
        window = torch.cat([vectors[begin + node], *sides])
        greatest = torch.maximum(greatest, torch.tanh(network.convolution(window)))
    found: Tensor = network.layer(torch.where(greatest.isinf(), 0.0, greatest))
    return found
