"""What networks share: rows of different lengths, maxima of groups, and the cosine."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.detectors.tensors import assert_close

from codekin import Snippet
from codekin.detectors.linear import Linear
from codekin.detectors.mlp import Mlp
from codekin.detectors.neural import (
    Ragged,
    begins,
    cosine,
    max_pool,
    word_places,
)
from codekin.detectors.preparing import prepare_snippets

lengths = st.lists(st.integers(0, 4), min_size=1, max_size=6)


@given(lengths, st.data())
def test_rows_are_taken_in_any_order(sizes: list[int], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=8))
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    rows = Ragged(torch.from_numpy(bounds))
    places, owner = rows.take(torch.tensor(chosen, dtype=torch.long))
    assert places.tolist() == [p for i in chosen for p in range(bounds[i], bounds[i + 1])]
    assert owner.tolist() == [k for k, i in enumerate(chosen) for _ in range(sizes[i])]
    assert rows.lengths(torch.tensor(chosen, dtype=torch.long)).tolist() == [
        sizes[i] for i in chosen
    ]


@given(lengths, st.integers(0, 2**32 - 1))
def test_pooling_is_the_maximum_of_each_group(sizes: list[int], seed: int) -> None:
    chance = np.random.default_rng(seed)
    values = torch.from_numpy(chance.normal(size=(5, 3)) - 2).requires_grad_()
    places = torch.from_numpy(chance.integers(0, 5, sum(sizes)))
    found = max_pool(values, places, begins(torch.tensor(sizes)))
    wanted = torch.stack(
        [
            values[group].amax(0) if len(group) else 0 * values.sum(0)
            for group in torch.split(places, sizes)
        ]
    )
    assert_close(found, wanted)
    outside = torch.from_numpy(chance.normal(size=found.shape))
    ours, theirs = (
        torch.autograd.grad((pooled * outside).sum(), values)[0] for pooled in (found, wanted)
    )
    assert_close(ours, theirs)


def test_groups_of_nothing_have_no_gradient() -> None:
    layer = torch.nn.Linear(4, 3)
    nothing = torch.empty(0, dtype=torch.long)
    found = max_pool(layer(torch.ones(0, 4)), nothing, torch.tensor([0, 0]))
    assert found.tolist() == [[0, 0, 0], [0, 0, 0]]
    found.sum().backward()
    assert not any(one.grad.any() for one in layer.parameters() if one.grad is not None)


def test_unknown_words_share_a_place() -> None:
    made = prepare_snippets([Snippet("a", "java", "void f() { g(); }")], workers=1)
    found = word_places(made, ("g", "elsewhere", "f"))
    known = {made.words[i]: int(place) for i, place in enumerate(found) if place}
    assert known == {"g": 1, "f": 3}


def test_words_are_ordered_by_frequency_then_by_name() -> None:
    codes = ["void b() { a(); c(); c(); }", "void z() { y(); y(); y(); y(); }"]
    made = prepare_snippets([Snippet(c, "java", c) for c in codes], workers=1)
    words = Mlp().learn_words(made, np.array([True, False]))
    assert [word for word in words if len(word) == 1] == ["c", "a", "b"]
    turned = prepare_snippets([Snippet(c, "java", c) for c in codes[::-1]], workers=1)
    assert Mlp().learn_words(turned, np.array([False, True])) == words


def test_the_cosine_of_nothing_is_zero() -> None:
    rows = torch.tensor([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]])
    others = torch.tensor([[1.0, 0.0], [6.0, 8.0], [-3.0, -4.0]])
    assert_close(cosine(rows, others), torch.tensor([0.0, 1.0, -1.0]))
    network = Linear(width=2).make_network()
    found = network.probability(torch.tensor([-1.0, 0.0, 1.0, 1.0001]))
    assert found.tolist() == [0.0, 0.5, 1.0, 1.0]


def test_the_cosine_and_its_gradient_are_those_of_torch() -> None:
    given = [torch.randn(6, 4, dtype=torch.float64, requires_grad=True) for _ in range(2)]
    assert torch.autograd.gradcheck(cosine, given)
    assert_close(cosine(*given), torch.nn.functional.cosine_similarity(*given))
    assert cosine(torch.zeros(1, 3), torch.ones(1, 3)).tolist() == [0.0]
