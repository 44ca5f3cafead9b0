"""bertscore: a tiny checkpoint made on the spot, the definition as oracle, and what is refused."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.tiny_checkpoint import save_tiny_roberta

from codekin import CodekinError, Source, compare, measure, measure_names, score
from codekin.measures import bertscore, is_built_in, parse_measure
from codekin.measures.bertscore import BertScore

TEXTS = ["def f(x):\n    return x + 1", "the cat sat on the mat", "for i in range(10): print(i)"]
PAIRS = [
    ("def f(y):\n    return y", TEXTS[0]),
    ("the cat", TEXTS[1]),
    (" x = é\n", "y"),
    ("same text", "same text"),
    ("print(i) " * 80, "range(10) " * 30),
]


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> str:
    """A RoBERTa of three layers with a tokenizer of its own."""
    folder = tmp_path_factory.mktemp("checkpoint")
    save_tiny_roberta(folder, TEXTS, layers=3, vocabulary=400, alphabet=True, most=126)
    return str(folder)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("baseline") / "baseline.tsv"
    rows = [f"{layer},0.{layer + 1},0.{layer + 2},0.{layer + 1}5" for layer in range(4)]
    path.write_text("LAYER,P,R,F\n" + "\n".join(rows) + "\n")
    return str(path)


def by_hand(model, candidate, reference, layer):
    """The definition, with one cosine at a time."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model)
    vectors = []
    for text in (candidate, reference):
        ids = tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            states = network.eval()(ids, output_hidden_states=True).hidden_states[layer]
        vectors.append(states[0, 1:-1].double().numpy())
    best = [[], []]
    for side, (own, other) in enumerate((vectors, vectors[::-1])):
        for one in own:
            cosines = [one @ two / np.linalg.norm(one) / np.linalg.norm(two) for two in other]
            best[side].append(max(cosines))
    precision, recall = np.mean(best[0]), np.mean(best[1])
    return precision, recall, 2 * precision * recall / (precision + recall)


def test_the_default_is_the_definition(model):
    for candidate, reference in PAIRS[:3]:
        found = measure("bertscore", model=model, layer=2).score(
            candidate, reference, language="text"
        )
        got = found.parts["precision"], found.parts["recall"], found.value
        assert got == pytest.approx(by_hand(model, candidate, reference, 2), abs=1e-6)
        assert found.exact


def test_equal_and_empty_texts(model):
    one = measure("bertscore", model=model)
    assert one.score("a b", "a b", language="text").value == 1.0
    assert one.score("", "", language="text").value == 1.0
    assert one.score("", "a", language="text").value == 0.0
    assert one.score("x = '\ud800'", "x", language="text").value > 0


def test_long_texts_are_read_to_their_end(model):
    text = "print(i) " * 100
    one = measure("bertscore", model=model)
    other = text + "the cat sat on the mat"
    assert one.score(text, other, language="text").value < 1.0
    cut = measure("bertscore", model=model, length=50).score(text, other, language="text")
    assert cut.bounds == (0.0, 1.0)


def test_codebertscore_weighs_recall_drops_punctuation_and_reads_the_context(model):
    code = measure("bertscore", model=model, preset="code")
    found = code.score("f(x) + 1;", "(f(x))", language="c")
    precision, recall = found.parts["precision"], found.parts["recall"]
    assert found.value == pytest.approx(10 * precision * recall / (9 * precision + recall))
    kept = code._vectors(Source("f(x) + 1;", "c"))
    assert [("f(x) + 1;")[a:b].strip() for a, b in kept.spans.tolist()] == ["f", "x", "+", "1"]
    with_context = code.score("f(x)", "f(y)", "double the argument", language="c")
    assert with_context.value != code.score("f(x)", "f(y)", language="c").value
    assert len(code._vectors(Source("f(x)", "c"), "double it").ids) == 2
    plain = measure("bertscore", model=model)
    texts = "f(x)", "f(y)"
    assert (
        plain.score(*texts, "double it", language="c").value
        == plain.score(*texts, language="c").value
    )


def test_rare_tokens_weigh_more_after_a_fit(model):
    one = measure("bertscore", model=model, layer=2)
    fitted = one.fit(["the cat", "the mat", "the print"])
    texts = "the range", "the cat"
    assert fitted.score(*texts, language="text").value < one.score(*texts, language="text").value
    assert "|background:" in fitted.score(*texts, language="text").signature


def test_a_baseline_rescales(model, baseline):
    plain = measure("bertscore", model=model, layer=1)
    scaled = measure("bertscore", model=model, layer=1, baseline=baseline)
    texts = "the cat sat", "the mat"
    raw = plain.score(*texts, language="text").value
    assert scaled.score(*texts, language="text").value == pytest.approx(
        max(0.0, (raw - 0.25) / 0.75)
    )


def test_the_signature_names_the_weights(model):
    found = measure("bertscore", model=model).score("a", "b", language="text")
    assert found.signature.startswith("bertscore|weights:")
    again = pickle.loads(pickle.dumps(found))
    assert (again.value, again.signature) == (found.value, found.signature)


def test_a_job_gives_the_same_whatever_its_shards(model, tmp_path):
    rows = [
        {"id": str(i), "language": "text", "candidate": a, "reference": b}
        for i, (a, b) in enumerate(PAIRS)
    ]
    word = f"bertscore:model={model},layer=2"
    here = [parse_measure(word).score(a, b, language="text").value for a, b in PAIRS]
    for size in (1, 5):
        run = score(rows, [word], output=tmp_path / str(size), workers=0, shard_rows=size)
        assert run.to_pandas()[run.measures[0].label].tolist() == here


def test_the_model_is_read_once_per_process(model, monkeypatch):
    reads = []
    real = bertscore.read_checkpoint
    monkeypatch.setattr(
        bertscore, "read_checkpoint", lambda *args: reads.append(args) or real(*args)
    )
    bertscore.encoder_at.cache_clear()
    for _ in range(3):
        measure("bertscore", model=model).score("a", "b", language="text")
    assert len(reads) == 1


def test_it_is_never_among_every_measure(model):
    assert "bertscore" not in measure_names()
    assert "bertscore" not in compare("x = 1", "x = 2", language="python")
    assert list(compare("a", "b", language="text", measures=f"bertscore:model={model}")) == [
        "bertscore"
    ]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({}, "bertscore: name the folder of a Hugging Face checkpoint, such as bertscore:model="),
        ({"model": "microsoft/codebert-base"}, "nothing is downloaded by name"),
        ({"model": "MODEL", "layer": 4}, "layer must be from 0 to 3"),
        ({"model": "MODEL", "baseline": "no/such.tsv"}, "no such file"),
    ],
)
def test_what_cannot_be_read_is_refused(model, parameters, told):
    given = {k: model if v == "MODEL" else v for k, v in parameters.items()}
    with pytest.raises(CodekinError, match=told):
        measure("bertscore", **given).score("a", "b", language="text")


def test_bad_parameters_are_refused():
    for parameters, told in (
        ({"preset": "paper"}, "unknown preset"),
        ({"length": 0}, "length must be from 1"),
        ({"layer": "nine"}, "layer must be a whole number"),
        ({"background": 1}, "must be a Background"),
    ):
        with pytest.raises(CodekinError, match=told):
            BertScore(model="x", **parameters)
    with pytest.raises(CodekinError, match="is a list of texts"):
        measure("bertscore").fit("one text")


def test_pickled_weights_and_code_are_refused(model, tmp_path):
    pickled = tmp_path / "pickled"
    shutil.copytree(model, pickled)
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(CodekinError, match="could run code when read"):
        measure("bertscore", model=str(pickled)).score("a", "b", language="text")
    hostile = tmp_path / "hostile"
    shutil.copytree(model, hostile)
    (hostile / "evil.py").write_text("raise SystemExit('ran')\n")
    config = json.loads((hostile / "config.json").read_text())
    config["auto_map"] = {"AutoModel": "evil.Model", "AutoConfig": "evil.Config"}
    config["model_type"] = "evil"
    (hostile / "config.json").write_text(json.dumps(config))
    with pytest.raises(CodekinError, match="is not a checkpoint that transformers can read"):
        measure("bertscore", model=str(hostile)).score("a", "b", language="text")
    (hostile / "config.json").write_text("not json")
    with pytest.raises(CodekinError, match="is not a checkpoint that transformers can read"):
        measure("bertscore", model=str(hostile)).score("a", "c", language="text")


@pytest.mark.parametrize(
    "content", ["", "LAYER,P\n1,2\n", "LAYER,P,R,F\n2,a,b,c\n", "LAYER,P,R,F\n2,1,1,1\n"]
)
def test_a_malformed_baseline_is_refused(model, tmp_path, content):
    path = tmp_path / "baseline.tsv"
    path.write_text(content)
    one = measure("bertscore", model=model, layer=2, baseline=str(path))
    with pytest.raises(CodekinError, match="baseline"):
        one.score("a", "b", language="text")


def test_it_says_what_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(CodekinError, match=r"bertscore: needs transformers.*codekin\[detectors\]"):
        measure("bertscore", model=str(tmp_path)).score("a", "b", language="text")


def test_explanations_shade_by_the_best_cosine(model):
    word = f"bertscore:model={model}"
    why = parse_measure(word).score("the cat", "the mat", language="text").explain()
    assert why.candidate
    assert all(0 < span.level <= 1 for span in why.candidate)
    assert all(a.end <= b.start for a, b in zip(why.candidate, why.candidate[1:], strict=False))


def test_windows_cover_every_token_once():
    for size in range(40):
        for room in range(1, 12):
            windows = list(bertscore._windows(size, room))
            covered = [i for _, begin, end in windows for i in range(begin, end)]
            assert covered == list(range(size))
            assert all(s <= b <= e <= min(s + room, size) for s, b, e in windows)


def test_a_checkpoint_is_only_read(model):
    before = sorted(path.name for path in Path(model).iterdir())
    measure("bertscore", model=model).score("a", "b", language="text")
    assert sorted(path.name for path in Path(model).iterdir()) == before


def test_no_model_is_read_because_a_file_names_it():
    for word in (
        "bertscore:model=received",
        "sanslcs:inner=bertscore:model=received",
    ):
        parse_measure(word)  # typed by a person
        assert not is_built_in(word)
    assert is_built_in("sanslcs:inner=nes")
