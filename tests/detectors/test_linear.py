"""linear: sets of words, and nothing else of a snippet."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.detectors.tensors import assert_close

from codekin import Snippet
from codekin.detectors.linear import LinearNetwork, word_sets
from codekin.detectors.neural import layer_maxima
from codekin.detectors.pace import pace
from codekin.detectors.prepared import NodeRole
from codekin.detectors.preparing import prepare_snippets

CODES = (
    'void f() { g("text", 7); g(a, b); }',
    'void g() { f(b, a); f("other", 8); f(b, a); }',
    "",
    "void f() { if (a < 1) { h(); } }",
)
SNIPPETS = [Snippet(str(i), "java", code) for i, code in enumerate(CODES)]


def test_sets_have_all_words_but_literals_once() -> None:
    made = prepare_snippets(SNIPPETS, workers=1)
    owner, word = word_sets(made)
    for snippet in range(len(made)):
        begin, end = made.nodes[snippet : snippet + 2]
        wanted = {
            made.words[made.word[i]] for i in range(begin, end) if made.role[i] != NodeRole.LITERAL
        }
        found = [made.words[i] for i in word[owner == snippet]]
        assert sorted(found) == sorted(wanted)
        assert not {"7", '"text"'} & set(found)
    assert "<" in [made.words[i] for i in word]


def test_the_encoding_is_that_of_the_definition() -> None:
    made = prepare_snippets(SNIPPETS, workers=1)
    torch.manual_seed(0)
    network = LinearNetwork(7)
    owner, word = word_sets(made)
    table = torch.from_numpy(pace(made.words))
    chosen = torch.tensor([3, 0, 2, 1])
    found = network.encode(network.inputs(made, torch.device("cpu")), chosen)
    for row, snippet in zip(found, chosen.tolist(), strict=True):
        rows = table[torch.from_numpy(word[owner == snippet])]
        wanted = network.layer(rows).amax(0) if len(rows) else torch.zeros(7)
        assert_close(row, wanted)
    np.testing.assert_array_equal(network.sizes(made), np.bincount(owner, minlength=4))


def test_order_and_counts_and_literals_say_nothing() -> None:
    made = prepare_snippets(SNIPPETS, workers=1)
    torch.manual_seed(0)
    network = LinearNetwork(7)
    inputs = network.inputs(made, torch.device("cpu"))
    first, second, _, other = network.encode(inputs, torch.arange(4))
    assert_close(first, second)
    assert not torch.allclose(first, other)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
def test_maxima_and_their_gradients_are_those_of_torch(sizes: list[int], seed: int) -> None:
    chance = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=chance, dtype=torch.float64)

    rows, layer = normal(6, 4), [normal(3, 4), normal(3)]
    places = torch.randint(6, (sum(sizes),), generator=chance)
    starts = torch.tensor([0, *np.cumsum(sizes)[:-1].tolist()])
    made = torch.nn.Linear(4, 3).double()
    made.load_state_dict(dict(zip(("weight", "bias"), layer, strict=True)))
    found = layer_maxima(rows, places, starts, made)
    wanted_weights = [one.clone().requires_grad_() for one in layer]
    values = torch.nn.functional.linear(rows, *wanted_weights)
    wanted = torch.stack(
        [
            values[group].amax(0) if len(group) else 0 * values.sum(0)
            for group in torch.split(places, sizes)
        ]
    )
    assert_close(found, wanted)
    outside = normal(*found.shape)
    for both in (found, wanted):
        (both * outside).sum().backward()
    for weight, expected in zip(made.parameters(), wanted_weights, strict=True):
        assert weight.grad is not None and expected.grad is not None
        assert_close(weight.grad, expected.grad)


def test_maxima_of_no_rows_have_no_gradient() -> None:
    layer = torch.nn.Linear(4, 3)
    nothing = torch.empty(0, dtype=torch.long)
    found = layer_maxima(torch.ones(5, 4), nothing, torch.tensor([0, 0]), layer)
    assert not found.any()
    found.sum().backward()
    assert not any(
        parameter.grad.any() for parameter in layer.parameters() if parameter.grad is not None
    )
