"""transformer: a tiny checkpoint made on the spot, its three forms, and data flow."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.detectors.tasks import names_task
from tests.detectors.tensors import assert_close
from tests.tiny_checkpoint import save_tiny_roberta

from codekin import Corpus, Snippet
from codekin.detectors.detector import labelled, load_detector
from codekin.detectors.prepared import FLOWS
from codekin.detectors.transformer import (
    FORMS,
    Layout,
    TokenizedText,
    Transformer,
    _with_flow,
    build_sequences,
    variable_flow,
)
from codekin.errors import CodekinError
from codekin.source import Source
from codekin.statistics.classification import area_under_curve

CPU = torch.device("cpu")
TINY = {"batch": 32, "rate": 2e-3, "length": 120, "device": "cpu"}


@pytest.fixture(autouse=True, scope="module")
def read_once() -> None:
    """Not here, where a part of reading is replaced."""


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def task() -> Corpus:
    corpus = names_task()
    assert corpus.pairs is not None and corpus.pairs.side is not None
    codes, names = corpus.pairs.side
    few = np.flatnonzero(codes == names.index("train"))[:160]
    rest = [np.flatnonzero(codes == names.index(side))[:120] for side in ("validation", "test")]
    return replace(corpus, pairs=corpus.pairs.take(np.concatenate([few, *rest])))


@pytest.fixture(scope="module")
def checkpoint(task: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A RoBERTa of two layers with a tokenizer of its own."""
    folder = tmp_path_factory.mktemp("checkpoint")
    texts = [one.code for one in task.snippets]
    save_tiny_roberta(folder, texts, layers=2, vocabulary=300, special=["<encoder-only>"])
    return folder


@pytest.fixture(scope="module")
def siamese(task: Corpus, checkpoint: Path) -> Transformer:
    found = Transformer(path=str(checkpoint), form="siamese", epochs=2, **TINY)
    found.fit(task)
    return found


def test_names_decide(siamese: Transformer, task: Corpus) -> None:
    pairs = labelled(task, "test")
    scores = siamese.score_pairs(task.snippets, pairs.first, pairs.second)
    assert area_under_curve(scores.astype(np.float64), pairs.label) > 0.9
    assert siamese.fitted is not None and siamese.fitted.losses[0] > siamese.fitted.losses[-1]
    assert re.fullmatch(
        r"\d+\.\d % of \d+ training snippets are cut to 120 tokens", siamese.fitted.notes[0]
    )


@pytest.mark.parametrize(("form", "flow"), [*((form, 0) for form in FORMS), ("pair", 8)])
def test_order_batches_runs_and_loading(
    form: str, flow: int, task: Corpus, checkpoint: Path, tmp_path: Path
) -> None:
    assert task.pairs is not None and task.pairs.side is not None
    few = np.concatenate([np.flatnonzero(task.pairs.side[0] == i)[:12] for i in range(3)])
    small = replace(task, pairs=task.pairs.take(few))
    assert small.pairs is not None
    small = small.keep(np.unique(np.concatenate([small.pairs.first, small.pairs.second])).tolist())
    made = [
        Transformer(path=str(checkpoint), form=form, flow=flow, epochs=1, **TINY) for _ in range(2)
    ]
    for one in made:
        one.fit(small, workers=0)
    pairs = labelled(small, "test")
    first, second = pairs.first[:8], pairs.second[:8]
    scores, again = (one.score_pairs(small.snippets, first, second, workers=0) for one in made)
    assert ((scores >= 0) & (scores <= 1)).all() and np.array_equal(scores, again)
    back = made[0].score_pairs(small.snippets, second, first, workers=0)
    assert np.array_equal(scores, back)
    alone = [
        made[0].score_pairs(small.snippets, first[i : i + 1], second[i : i + 1], workers=0)[0]
        for i in range(3)
    ]
    np.testing.assert_allclose(scores[:3], alone, atol=1e-5)
    made[0].save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    assert np.array_equal(scores, loaded.score_pairs(small.snippets, first, second, workers=0))
    assert loaded.siamese == (form == "siamese")


def test_the_paper_chooses_the_epoch_on_test(task: Corpus, checkpoint: Path) -> None:
    pairs = task.pairs
    assert pairs is not None and pairs.side is not None
    codes, names = pairs.side
    # Labels that say nothing, so that another epoch is best than on validation.
    tested = codes == names.index("test")
    label = np.where(tested, np.arange(len(codes)) % 3 > 0, pairs.label).astype(np.int8)
    few = np.concatenate([np.flatnonzero(codes == i)[:24] for i in range(3)])
    small = replace(task, pairs=replace(pairs, label=label).take(few))
    settings = {"path": str(checkpoint), "form": "siamese", "epochs": 2, **TINY}
    found = Transformer(preset="paper", **settings).fit(small)
    assert found.best == 1 + int(np.argmax(found.test)) != 1 + int(np.argmax(found.validation))
    assert found.notes[-1].endswith("on test pairs: not comparable")
    untested = replace(task, pairs=pairs.take(~tested))
    with pytest.raises(CodekinError, match="preset=paper chooses the epoch"):
        Transformer(preset="paper", **settings).fit(untested)


def test_encode(siamese: Transformer, task: Corpus) -> None:
    vectors = siamese.encode(task.snippets[:3])
    assert vectors.shape == (3, 32) and vectors.dtype == np.float32
    one, two = vectors[:2] / np.linalg.norm(vectors[:2], axis=1, keepdims=True)
    places = np.array([0], np.int32), np.array([1], np.int32)
    score = siamese.score_pairs(task.snippets, *places)[0]
    assert score == pytest.approx((1 + float(one @ two)) / 2, abs=1e-5)
    every = siamese.compare_vectors(vectors[:1], vectors)
    assert every.shape == (1, 3) and every[0, 1] == pytest.approx(score, abs=1e-5)


def test_empty_and_long_snippets(siamese: Transformer) -> None:
    codes = ("int run() { return 1; }", "", "int x; " * 2000)
    snippets = [Snippet(str(i), "java", code) for i, code in enumerate(codes)]
    first, second = np.array([0, 0, 2], np.int32), np.array([1, 2, 2], np.int32)
    assert np.isnan(siamese.score_pairs(snippets, first, second)).tolist() == [True, False, False]
    assert siamese.score_pairs(snippets, first[:0], second[:0]).shape == (0,)


def text(tokens: list[int], variables: list[tuple[int, int]], edges: list[tuple[int, int]]):
    pairs = (np.array(one, np.int64).reshape(-1, 2) for one in (variables, edges))
    return TokenizedText(np.array(tokens, np.int64), *pairs)


def test_sequence_with_variables() -> None:
    layout = Layout(0, 2, 1, mode=None, types=True, length=12, flow=4)
    one = text([10, 11, 12], [(0, 1), (2, 3)], [(0, 1)])
    two = text([20, 21, 22, 23, 24, 25, 26], [(1, 3), (6, 7)], [(0, 1)])
    made = build_sequences([[one, two], [one, one]], layout, CPU)
    # What the first leaves the second takes; a variable that is cut off is left out with its edges.
    assert made.tokens[0].tolist() == [0, 10, 11, 12, 2, 20, 21, 22, 23, 24, 25, 2, 1, 1, 1]
    assert made.types[0].tolist() == [0] * 5 + [1] * 7 + [0] * 3
    assert made.positions[0].tolist() == [*range(1, 13), 0, 0, 0]
    assert made.positions[1].tolist() == [*range(1, 10), 0, 0, 0, 0, -1, -1]
    assert made.sees is not None
    sees = made.sees[0]
    assert sees[:12, :12].all()
    assert sees[0].all() and sees[4].all() and sees[11].all(), "special tokens see everything"
    assert sees[12].nonzero().flatten().tolist() == [1]
    assert sees[13].nonzero().flatten().tolist() == [3, 12], "its token, and where it comes from"
    assert sees[14].nonzero().flatten().tolist() == [6, 7]
    assert sees[7].nonzero().flatten().tolist() == [*range(12), 14]
    assert sees[2].nonzero().flatten().tolist() == [*range(12)]
    assert not made.sees[1][13:].any() and not made.sees[1][:, 13:].any(), "nobody sees padding"


def test_variables_by_tokens() -> None:
    code = "aé + bc"
    offsets = np.array([[0, 1], [1, 2], [2, 4], [4, 6], [6, 7]])
    spans = np.array([[0, 2], [5, 7], [7, 9]])
    found = _with_flow(np.arange(5), offsets, spans, np.array([[0, 1], [1, 2]]))
    assert len(code) == 7 and found.variables.tolist() == [[0, 2], [3, 5]]
    assert found.edges.tolist() == [[0, 1]]


def test_variables_change_what_is_seen(checkpoint: Path) -> None:
    plain, flow = (
        Transformer(path=str(checkpoint), form="vectors", flow=n, **TINY) for n in (0, 8)
    )
    for one in (plain, flow):
        with torch.random.fork_rng():
            torch.manual_seed(0)
            one._load_checkpoint()
    tokens = [10, 11, 12, 13]
    without = text(tokens, [], [])
    nodes = text(tokens, [(0, 1), (3, 4)], [])
    edge = text(tokens, [(0, 1), (3, 4)], [(0, 1)])
    with torch.inference_mode():
        base = plain.network.eval().vectors([[without]], CPU)
        made = [flow.network.eval().vectors([[one]], CPU) for one in (without, nodes, edge)]
        both = flow.network.vectors([[without], [edge]], CPU)
    assert_close(base, made[0], atol=1e-5, rtol=1e-5)
    assert (made[0] - made[1]).abs().max() > 1e-4 and (made[1] - made[2]).abs().max() > 1e-6
    assert_close(both, torch.cat([made[0], made[2]]), atol=1e-5, rtol=1e-5)


def _consecutive(source: Source, nodes: np.ndarray, *_: object) -> tuple[np.ndarray, ...]:
    """Edges between consecutive occurrences of one name."""
    starts, ends = source.tree.start[nodes], source.tree.end[nodes]
    texts = [source.data[a:b].decode() for a, b in zip(starts, ends, strict=True)]
    found = np.array([i for i, one in enumerate(texts) if one == "é"], np.int32)
    kinds = np.full(len(found) - 1, FLOWS.index("next use"), np.uint8)
    return found[:-1], found[1:], kinds


def test_variables_of_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codekin.detectors.preparing.flow_edges", _consecutive)
    code = "int f(int é) { int b = é + 1; return b * é; }"
    spans, edges = variable_flow("java", code)
    assert spans.tolist() == [[i, i + 1] for i, one in enumerate(code) if one == "é"]
    assert edges.tolist() == [[0, 1], [1, 2]]


def test_flow_of_code() -> None:
    code = "int f(int é) { int b = é + 1; return b * é; }"
    spans, edges = variable_flow("java", code)
    names = [code[a:b] for a, b in spans.tolist()]
    assert set(names) <= {"é", "b"}
    for a, b in edges.tolist():
        assert names[a] == names[b] and spans[a, 0] < spans[b, 0]
    assert [one.shape[1] for one in variable_flow("java", "")] == [2, 2]


def test_unixcoder_mode(siamese: Transformer, checkpoint: Path) -> None:
    assert siamese.network is not None
    layout = siamese.network.layout
    assert layout.mode == 4
    made = build_sequences([[text([10], [], [])]], layout, CPU)
    assert made.tokens[0].tolist() == [0, 4, 2, 10, 2]


def _copy(checkpoint: Path, folder: Path, *left_out: str) -> Path:
    folder.mkdir()
    for one in checkpoint.iterdir():
        if one.name not in left_out:
            (folder / one.name).write_bytes(one.read_bytes())
    return folder


def test_folders_that_are_not_checkpoints(task: Corpus, checkpoint: Path, tmp_path: Path) -> None:
    pickled = _copy(checkpoint, tmp_path / "pickled", "model.safetensors")
    (pickled / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    bare = _copy(checkpoint, tmp_path / "bare", "model.safetensors")
    damaged = _copy(checkpoint, tmp_path / "damaged", "model.safetensors")
    (damaged / "model.safetensors").write_bytes(b"nonsense")
    config = json.loads((checkpoint / "config.json").read_text())
    strange = _copy(checkpoint, tmp_path / "strange", "config.json")
    (strange / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    changed = config | {"model_type": "zork", "auto_map": {"AutoConfig": "evil.Config"}}
    (strange / "config.json").write_text(json.dumps(changed))
    larger = _copy(checkpoint, tmp_path / "larger", "config.json")
    (larger / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    (tmp_path / "empty").mkdir()
    for path, message in (
        ("", "name the folder of a Hugging Face checkpoint"),
        ("microsoft/graphcodebert-base", "nothing is downloaded by name"),
        (tmp_path / "empty", "it has no config.json"),
        (pickled, r"as a pickle \(pytorch_model.bin\)"),
        (bare, "has no weights"),
        (damaged, "is not a checkpoint that transformers can read"),
        (strange, "is not a checkpoint that transformers can read"),
        (larger, "has no weights for 16 parts of the model"),
    ):
        with pytest.raises(CodekinError, match=message):
            Transformer(path=str(path), **TINY).fit(task)
    assert not (tmp_path / "ran").exists()


def test_errors(
    task: Corpus, checkpoint: Path, siamese: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for settings, message in (
        ({"form": "cross"}, r"unknown form 'cross' \(known: pair, vectors, siamese\)"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"length": 4}, "length must be at least 16"),
    ):
        with pytest.raises(CodekinError, match=message):
            Transformer(**settings)
    with pytest.raises(CodekinError, match="the model reads 126 tokens at most"):
        Transformer(path=str(checkpoint), length=512).fit(task)
    places = np.zeros(1, np.int32)
    with pytest.raises(CodekinError, match="was not fitted"):
        Transformer().score_pairs(task.snippets, places, places)
    pair = Transformer(path=str(checkpoint), **TINY)
    pair._load_checkpoint()
    with pytest.raises(CodekinError, match="form=pair needs both snippets"):
        pair.encode(task.snippets[:1])
    assert task.pairs is not None
    alike = replace(task, pairs=task.pairs.take(task.pairs.label == 1))
    with pytest.raises(CodekinError, match="all of them clones"):
        Transformer(path=str(checkpoint), **TINY).fit(alike)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(CodekinError, match="needs transformers, which is not installed"):
        Transformer(path=str(checkpoint), **TINY).fit(task)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state["config"].update(hidden_size=10**9),
        lambda state: state["config"].update(num_hidden_layers=10**9),
        lambda state: state["config"].update(num_hidden_layers=3),
        lambda state: state["config"].update(vocab_size=12),
        lambda state: state["config"].update(model_type="zork"),
        lambda state: state["config"].update(pad_token_id=10**6),
        lambda state: state["special"].update(first=10**6),
        lambda state: state.update(tokenizer="{"),
    ],
)
def test_a_saved_one_states_what_its_weights_have(
    siamese: Transformer, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    siamese.save(tmp_path / "model")
    place = tmp_path / "model" / "model.json"
    about = json.loads(place.read_text())
    change(about["state"])
    place.write_text(json.dumps(about))
    with pytest.raises(CodekinError):
        load_detector(tmp_path / "model")


def test_a_saved_one_names_no_kernel(siamese: Transformer, tmp_path: Path) -> None:
    siamese.save(tmp_path / "model")
    place = tmp_path / "model" / "model.json"
    about = json.loads(place.read_text())
    about["state"]["config"]["_attn_implementation"] = "somebody/kernels"
    about["state"]["config"]["attn_implementation"] = "somebody/kernels"
    place.write_text(json.dumps(about))
    loaded = load_detector(tmp_path / "model")
    assert isinstance(loaded, Transformer) and loaded.network is not None
    assert loaded.network.encoder.config._attn_implementation in ("sdpa", "eager")
