"""mlp: bags of words, both forms of the network, and the threshold of the paper's text."""

from __future__ import annotations

from collections import Counter

import numpy as np
import torch
from tests.detectors.tasks import names_task, prepared_task
from tests.detectors.tensors import assert_close

from codekin import Snippet
from codekin.detectors.detector import labelled
from codekin.detectors.mlp import Mlp, word_bags
from codekin.detectors.prepared import Prepared
from codekin.detectors.preparing import prepare_snippets


def prepared() -> Prepared:
    codes = ["int f(int a) { return a + a * b; }", "", "void g() { h(); }", "int f() { return 1; }"]
    made = [Snippet(str(i), "java", code) for i, code in enumerate(codes)]
    return prepare_snippets(made, workers=1)


def test_bags_are_counts_of_known_words() -> None:
    made = prepared()
    words = ("a", "h", "identifier", "return_statement", "block", "not there")
    owner, place, times = word_bags(made, words)
    for snippet in range(len(made)):
        begin, end = made.nodes[snippet : snippet + 2]
        wanted = Counter(made.words[i] for i in made.word[begin:end])
        mine = owner == snippet
        found = dict(zip((words[i] for i in place[mine]), times[mine].tolist(), strict=True))
        assert found == {word: wanted[word] for word in words if word in wanted}
    assert [len(part) for part in word_bags(made, ())] == [0, 0, 0]


def test_the_first_layer_is_that_of_a_dense_bag() -> None:
    made = prepared()
    words = tuple(sorted(made.words))[::2]
    owner, place, times = word_bags(made, words)
    bags = np.zeros((len(made), len(words)), np.float32)
    bags[owner, place] = times
    assert bags.max() > 1
    for form, activation in (("code", torch.nn.functional.leaky_relu), ("text", torch.sigmoid)):
        torch.manual_seed(1)
        one = Mlp(form=form)
        one.words = words
        network = one.make_network()
        dense = torch.from_numpy(bags if form == "code" else np.minimum(bags, 1))
        wanted = activation(dense @ network.table + network.bias)
        for layer in network.layers:
            wanted = activation(layer(wanted))
        chosen = torch.tensor([3, 1, 0])
        found = network.encode(network.inputs(made, torch.device("cpu")), chosen)
        assert_close(found, wanted[chosen])
        assert found.shape == (3, 100 if form == "code" else 50)


def test_by_the_text_every_pair_is_a_clone() -> None:
    corpus = names_task()
    one = Mlp(form="text", epochs=1, device="cpu")
    train, validation, test = (labelled(corpus, side) for side in ("train", "validation", "test"))
    one.fit_prepared(prepared_task(corpus), train, validation)
    assert one.threshold == 0.5
    scores = one.score_prepared(prepared_task(corpus), test.first, test.second)
    assert (scores >= one.threshold).all() and not test.label.all()


def test_gradients_do_not_depend_on_threads() -> None:
    made = prepare_snippets(
        [Snippet(str(i), "java", f"int f{i}(int a) {{ return a + {i}; }}") for i in range(40)],
        workers=1,
    )
    one = Mlp()
    one.words = tuple(made.words)
    network = one.make_network()
    inputs = network.inputs(made, torch.device("cpu"))
    first, second = torch.randint(0, len(made), (2, 2048), generator=torch.manual_seed(0))
    label = (first < second).float()
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        found = set()
        for _ in range(10):
            network.zero_grad()
            network.loss(network.raw_scores(inputs, first, second), label).backward()
            assert network.table.grad is not None
            found.add(network.table.grad.numpy().tobytes())
    finally:
        torch.set_num_threads(threads)
    assert len(found) == 1
