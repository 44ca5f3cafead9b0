"""What networks share: rows of different lengths, maxima of groups, and tables of words."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.detectors.tensors import assert_close
from torch.overrides import TorchFunctionMode

from codekin import Snippet
from codekin.detectors import linear, neural
from codekin.detectors.linear import Linear, word_rows
from codekin.detectors.mlp import Mlp
from codekin.detectors.neural import (
    BagNetwork,
    NeuralDetector,
    Ragged,
    RecordedSteps,
    cosine,
    max_pool,
    word_places,
)
from codekin.detectors.prepared import Prepared
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
    found = max_pool(values, places, torch.tensor(sizes))
    groups = torch.split(places, sizes)
    wanted = [values[g].amax(0) if len(g) else torch.zeros(3, dtype=values.dtype) for g in groups]
    assert_close(found, torch.stack(wanted))


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


BATCH = 3
CPU = torch.device("cpu")


def some_snippets() -> Prepared:
    codes = [f"void f{i}() {{ {'g(a); ' * (i % 3)} h{i}(b, {i}); }}" for i in range(7)]
    return prepare_snippets([Snippet(c, "java", c) for c in codes], workers=1)


def started(one: NeuralDetector, made: Prepared) -> BagNetwork:
    torch.manual_seed(0)
    one.words = tuple(made.words)
    network = one.make_network()
    assert isinstance(network, BagNetwork)
    return network


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("one", [Linear(width=5), Mlp()], ids=["linear", "mlp"])
def test_padded_steps_learn_what_plain_steps_do(
    one: NeuralDetector, once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tables of two batches, and 7 batches: the last table is not full.
    made = some_snippets()
    chance = np.random.default_rng(1)
    first, second = torch.from_numpy(chance.integers(0, len(made), (2, 7 * BATCH)))
    label = torch.from_numpy(chance.integers(0, 2, 7 * BATCH).astype(np.float32))
    network = started(one, made)
    plain = copy.deepcopy(network)
    inputs, sizes = network.inputs(made, CPU), network.sizes(made)
    rows = (sizes[first] + sizes[second]).reshape(7, BATCH).sum(1)
    width = int(rows.max()) + 5
    monkeypatch.setattr(neural, "_LAID_OUT", 2 * width)
    if not once:
        monkeypatch.setattr(linear, "word_rows", lambda *a, **k: word_rows(*a, once=False))
    total = torch.zeros(())
    optimizer = torch.optim.Adam(network.parameters(), one.rate)
    steps = RecordedSteps(network, inputs, optimizer, total, BATCH, width)
    assert list(steps.epoch(first, second, label, rows)) == list(range(3, 22, 3))
    monkeypatch.undo()
    wanted = torch.zeros(())
    optimizer = torch.optim.Adam(plain.parameters(), one.rate)
    for start in range(0, len(label), BATCH):
        part = slice(start, start + BATCH)
        optimizer.zero_grad()
        loss = plain.loss(plain.raw_scores(inputs, first[part], second[part]), label[part])
        loss.backward()
        optimizer.step()
        wanted += loss.detach() * BATCH
    assert_close(total, wanted)
    for found, other in zip(network.parameters(), plain.parameters(), strict=True):
        assert_close(found, other, rtol=1e-4, atol=1e-5)
    assert not steps.notes


class NoNumbersNeeded(TorchFunctionMode):
    """An error for functions that go on by the numbers in a tensor, which a GPU must compute."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        waiting = ("unique", "nonzero", "item", "tolist", "cpu", "numpy", "bool", "int")
        masks = any(getattr(one, "dtype", None) == torch.bool for one in args[1:])
        if func.__name__.strip("_").startswith(waiting) or (
            func.__name__ == "__getitem__" and masks
        ):
            raise ValueError(f"{func.__name__} waits for the device")
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("one", [Linear(width=5), Mlp()], ids=["linear", "mlp"])
def test_a_step_that_is_recorded_never_waits_for_the_device(
    one: NeuralDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = some_snippets()
    monkeypatch.setattr(neural, "_LAID_OUT", 1000)
    network = started(one, made)
    optimizer = torch.optim.Adam(network.parameters(), one.rate, fused=True)
    inputs = network.inputs(made, CPU)
    steps = RecordedSteps(network, inputs, optimizer, torch.zeros(()), BATCH, 200)
    some = torch.zeros(2 * BATCH, dtype=torch.long)
    rows = np.full(2, 2 * BATCH * network.sizes(made)[0])
    with NoNumbersNeeded():
        if isinstance(one, Linear):
            with pytest.raises(ValueError, match="unique"):  # as on a processor
                list(steps.epoch(some, some, some.float(), rows))
        monkeypatch.setattr(linear, "word_rows", lambda *a, **k: word_rows(*a, once=False))
        assert list(steps.epoch(some, some, some.float(), rows)) == [3, 6]
