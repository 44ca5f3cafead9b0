"""linear: sets of words, and nothing else of a snippet."""

from __future__ import annotations

import numpy as np
import torch
from tests.detectors.tensors import assert_close

from codekin import Snippet
from codekin.detectors.linear import LinearNetwork, word_sets
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
