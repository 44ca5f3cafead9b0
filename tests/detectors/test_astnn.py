"""astnn: statement trees, the encoder against a slow one, and its table of words."""

from __future__ import annotations

import numpy as np
import torch
from tests.detectors.tensors import assert_close
from torch import Tensor

from codekin import Snippet
from codekin.detectors import astnn
from codekin.detectors.astnn import Astnn, AstnnNetwork, statement_trees
from codekin.detectors.neural import word_places
from codekin.detectors.prepared import END, Prepared
from codekin.detectors.preparing import prepare_snippets

CODES = {
    "java": "int sum(int[] rows) { int s = 0; for (int r : rows) { s += r; } return f(s, -1); }",
    "cpp": "int main() { if (a < b) { std::cout << a; } else b++; while (true) { x(); } }",
    "python": "def run(a):\n    for b in a:\n        if b:\n            print(b)\n    return [a]\n",
    "c": "void f(int *p) { do { *p = *p * 2; *p = *p * 2; } while (p); }",
}
CPU = torch.device("cpu")


def prepared() -> Prepared:
    made = [Snippet(language, language, code) for language, code in CODES.items()]
    return prepare_snippets([*made, Snippet("empty", "java", "")], workers=1)


def small_network(made: Prepared, width: int = 6, hidden: int = 5) -> AstnnNetwork:
    torch.manual_seed(3)
    words = tuple(sorted(made.words))[::2]  # half of the words are unknown
    return AstnnNetwork(words, width, hidden).eval()


def slow_encoding(network: AstnnNetwork, made: Prepared, snippet: int) -> Tensor:
    """A snippet's vector by the definition: node by node, without batches."""
    start, stop = made.nodes[snippet : snippet + 2].tolist()
    word = word_places(made, network.words)[made.word[start:stop]]
    parent, member = made.parent[start:stop].tolist(), made.member[start:stop].tolist()
    state = [network.encoder(network.embedding.weight[w]) for w in word]
    for node in range(len(state) - 1, 0, -1):
        if member[parent[node]] == member[node]:
            state[parent[node]] = state[parent[node]] + state[node]
    rows = []
    first, last = made.statements[snippet : snippet + 2].tolist()
    for number, root in enumerate(made.statement[first:last].tolist()):
        if root == END:
            rows.append(network.encoder(network.embedding.weight[-1]))
        else:
            own = [state[i] for i in range(len(state)) if member[i] == number]
            rows.append(torch.stack(own).amax(0))
    found: Tensor = network.gru(torch.stack(rows)[:, None])[0][:, 0].amax(0)
    return found


def test_the_encoding_is_that_of_the_definition() -> None:
    made = prepared()
    network = small_network(made)
    inputs = network.inputs(made, CPU)
    with torch.inference_mode():
        chosen = torch.tensor([2, 0, 4, 3, 1, 0])
        found = network.encode(inputs, chosen)
        for row, snippet in zip(found, chosen.tolist(), strict=True):
            if snippet == 4:
                assert (row == 0).all(), "which has no statements"
            else:
                assert_close(row, slow_encoding(network, made, snippet))
        assert network.encode(inputs, torch.tensor([4, 4])).tolist() == [[0.0] * 10] * 2


def test_gradients_are_those_of_the_definition() -> None:
    made = prepared()
    network = small_network(made)
    inputs = network.inputs(made, CPU)
    gradients = []
    for vectors in (
        network.encode(inputs, torch.tensor([0, 1])),
        torch.stack([slow_encoding(network, made, i) for i in (0, 1)]),
    ):
        network.zero_grad()
        label = torch.ones(1)
        network.loss(network.compare(vectors[:1], vectors[1:]), label).backward()  # type: ignore[no-untyped-call]
        gradients.append([one.grad.clone() for one in network.parameters() if one.grad is not None])
    assert len(gradients[0]) == len(list(network.parameters()))
    for fast, slow in zip(*gradients, strict=True):
        assert_close(fast, slow)


def test_statements_are_trees_and_equal_ones_are_one() -> None:
    code = "void f() { go(a); if (a) { go(a); } go(b); }"
    made = prepare_snippets([Snippet("a", "java", code)], workers=1)
    found = statement_trees(made, made.word.astype(np.int64), len(made.words))
    words = [*made.words, "END"]
    roots, subtrees = [], []
    starts = np.cumsum(found.subtree_size) - found.subtree_size
    for begin in found.nodes[:-1].tolist():
        inside = found.word[starts[begin] : starts[begin] + found.subtree_size[begin]]
        roots.append(words[inside[0]])
        subtrees.append(sorted(words[i] for i in inside))
    kinds = [roots[i] for i in found.tree.tolist()]
    statements = made.statement.tolist()
    assert [kind == "END" for kind in kinds] == [one == END for one in statements]
    calls = [i for i, kind in enumerate(kinds) if kind == "expression_statement"]
    first, second, third = (int(found.tree[i]) for i in calls)
    assert first == second != third
    assert "a" in subtrees[first] and "b" in subtrees[third]
    (head,) = (subtrees[i] for i, kind in enumerate(roots) if kind == "if_statement")
    assert "a" in head and "go" not in head, "which is in a statement of its own"
    # Every node counts once for itself and once for each ancestor in its statement.
    assert found.subtree_size.min() == 1 and found.subtree_size.sum() == len(found.word)


def test_depth_is_limited() -> None:
    long = "int f(int s) { return " + "s + " * 2000 + "s; }"
    made = prepare_snippets([Snippet("a", "java", long)], workers=1)
    found = statement_trees(made, made.word.astype(np.int64), len(made.words))
    assert len(found.word) <= astnn._DEEPEST * len(made.word)
    assert found.subtree_size.max() > astnn._DEEPEST


def test_the_table_has_the_most_frequent_words() -> None:
    made = prepared()
    every = np.ones(len(made), bool)
    counts = made.words_in(every)
    words = Astnn(vocabulary=5).learn_words(made, every)
    assert len(words) == 5
    least = min(counts[made.words.index(word)] for word in words)
    others = [count for word, count in zip(made.words, counts, strict=True) if word not in words]
    assert least >= max(others)
    assert len(Astnn().learn_words(made, every)) == len(made.words)


def test_scores_are_probabilities_and_equal_snippets_score_highest() -> None:
    network = small_network(prepared())
    vectors = torch.randn(2, 10)
    odds = network.compare(torch.stack([vectors[0], vectors[0]]), vectors)
    assert odds[0] == network.head.bias
    assert_close(network.probability(odds), 1 / (1 + torch.exp(-odds)))
