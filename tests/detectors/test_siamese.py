"""Siamese detectors: what each can learn, that batches do not matter, and their checkpoints."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from tests.detectors.tasks import names_task, prepared_task, structure_task

from codekin import Corpus, Snippet
from codekin.detectors import epochs, neural
from codekin.detectors.detector import (
    LabelledPlaces,
    TrainingProgress,
    labelled,
    load_detector,
    parse_detector,
)
from codekin.detectors.neural import NeuralDetector
from codekin.detectors.prepared import Prepared
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError
from codekin.statistics.classification import average_precision

MODELS = {
    "linear": "linear:epochs=2,batch=64,width=20",
    "mlp": "mlp:epochs=2,batch=64",
    "tbccd": "tbccd:epochs=1,batch=32,rate=0.005,channels=40,width=20",
    "astnn": "astnn:epochs=2,batch=32,rate=0.01,width=16,hidden=12",
}
"""Small networks, trained for a moment."""
WIDTHS = {"linear": 20, "mlp": 100, "tbccd": 20, "astnn": 24}
LEARNS_WORDS = [
    "mlp:epochs=1",
    "astnn:epochs=1,width=8,hidden=8",
    "tbccd:epochs=1,pace=no,channels=8",
]

LOOP = "int sum(int[] rows) { int s = 0; for (int r : rows) { s += r; } return s; }"
MAIL = "void send(String host) { if (host != null) { open(host); } close(); }"
MANY = "int many() { int s = 0; " + "s = s + count(s, 1) * 2; " * 700 + "return s; }"
DEEP = "int deep(int s) { return " + "s + " * 3000 + "s; }"

for_all = pytest.mark.parametrize("name", MODELS)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@cache
def task(name: str) -> tuple[Corpus, Prepared]:
    corpus = {"names": names_task, "structure": structure_task}[name]()
    return corpus, prepared_task(corpus)


def small_model(word: str) -> NeuralDetector:
    found = parse_detector(word)
    assert isinstance(found, NeuralDetector)
    found.device = "cpu"
    return found


def trained(name: str, corpus: str, count: int) -> NeuralDetector:
    found = small_model(MODELS[name])
    pairs, prepared = task(corpus)
    train = labelled(pairs, "train")
    few = LabelledPlaces(train.first[:count], train.second[:count], train.label[:count])
    found.fit_prepared(prepared, few, labelled(pairs, "validation"))
    return found


@cache
def fitted(name: str) -> NeuralDetector:
    return trained(name, "names", 600 if name == "astnn" else 1000)


def precision(one: NeuralDetector, corpus: str) -> float:
    found, prepared = task(corpus)
    test = labelled(found, "test")
    scores = one.score_prepared(prepared, test.first, test.second)
    return average_precision(scores.astype(np.float64), test.label)


def snippets(*codes: str) -> list[Snippet]:
    return [Snippet(str(i), "java", code) for i, code in enumerate(codes)]


def places(*numbers: int) -> npt.NDArray[np.int32]:
    return np.array(numbers, np.int32)


@for_all
def test_names_are_learnt(name: str) -> None:
    assert precision(fitted(name), "names") > 0.9


@pytest.mark.parametrize("name", ["tbccd", "astnn"])
def test_structure_is_learnt(name: str) -> None:
    count = 1000 if name == "tbccd" else 1500
    assert precision(trained(name, "structure", count), "structure") > 0.9


@pytest.mark.parametrize(("name", "most"), [("linear", 0.4), ("mlp", 0.5)])
def test_structure_is_not_seen_in_words(name: str, most: float) -> None:
    """Guessing has an average precision of 0.3, the share of clones."""
    assert precision(trained(name, "structure", 1500), "structure") < most


@for_all
def test_a_score_does_not_depend_on_the_batch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = fitted(name)
    some = [*task("names")[0].snippets[:12], *snippets(LOOP, MAIL, MANY)]
    prepared = prepare_snippets(some, workers=1)
    first, second = (half.astype(np.int32) for half in np.triu_indices(len(some)))
    together = one.score_prepared(prepared, first, second)
    assert np.isfinite(together).all()
    order = np.random.default_rng(0).permutation(len(first))
    shuffled = one.score_prepared(prepared, second[order], first[order])
    np.testing.assert_allclose(shuffled, together[order], atol=1e-5)
    monkeypatch.setattr(neural, "_ROWS", 10)  # so that every snippet is a batch
    monkeypatch.setattr(neural, "_PAIRS", 112)  # seven on a CPU
    alone = one.score_prepared(prepared, first, second)
    np.testing.assert_allclose(alone, together, atol=1e-5)
    pair = one.score_pairs([some[0], some[14]], places(0), places(1), workers=1)
    np.testing.assert_allclose(pair, together[(first == 0) & (second == 14)], atol=1e-5)


@for_all
def test_scores_are_the_same_after_save_and_load(name: str, tmp_path: Path) -> None:
    one = fitted(name)
    one.card = {"corpus": "names"}
    one.save(tmp_path / "model")
    again = load_detector(tmp_path / "model")
    assert isinstance(again, NeuralDetector)
    assert (again.word, again.threshold, again.card) == (one.word, one.threshold, one.card)
    assert (again.words, again.languages, again.fitted) == (one.words, ("java",), one.fitted)
    assert again.device == "auto", "which is for the machine that loads it to say"
    again.device = "cpu"
    _, prepared = task("names")
    first, second = places(*range(60)), places(*range(60, 120))
    np.testing.assert_array_equal(
        again.score_prepared(prepared, first, second), one.score_prepared(prepared, first, second)
    )
    with pytest.raises(CodekinError, match="exists already"):
        one.save(tmp_path / "model")


@for_all
def test_two_runs_with_one_seed_have_the_same_weights(name: str) -> None:
    corpus, prepared = task("names")
    sides = [_few(labelled(corpus, side), 100) for side in ("train", "validation")]
    runs = [small_model(MODELS[name]) for _ in range(2)]
    for seed, one in enumerate(runs):
        torch.manual_seed(seed)  # whatever others draw changes nothing, nor is it changed
        before = torch.random.get_rng_state()
        one.fit_prepared(prepared, *sides)
        assert torch.equal(before, torch.random.get_rng_state())
    documents, arrays = zip(*(one.state() for one in runs), strict=True)
    assert documents[0] == documents[1]
    assert arrays[0].keys() == arrays[1].keys()
    for key, values in arrays[0].items():
        np.testing.assert_array_equal(values, arrays[1][key])
    assert runs[0].threshold == runs[1].threshold


def test_another_seed_has_other_weights() -> None:
    corpus, prepared = task("names")
    pairs = _few(labelled(corpus, "train"), 20)
    weights = []
    for seed in (0, 1):
        one = small_model(f"linear:epochs=1,width=4,seed={seed}")
        one.fit_prepared(prepared, pairs, pairs)
        weights.append(one.state()[1])
    assert all((weights[0][key] != weights[1][key]).any() for key in weights[0])


@pytest.mark.parametrize("word", LEARNS_WORDS)
def test_words_come_from_training_alone(word: str) -> None:
    corpus, prepared = task("names")
    planted = snippets("void plantedName() { plantedCall(); }")
    # In front, where it would also change the order of words.
    both = prepare_snippets([*planted, *corpus.snippets], workers=0)
    sides = [_few(labelled(corpus, side), 40, 1) for side in ("train", "validation")]
    found = small_model(word)
    found.fit_prepared(both, *sides)
    assert "openFile" in found.words
    assert not {"plantedName", "plantedCall"} & set(found.words)
    assert found.fitted is not None and found.fitted.notes == ()
    without = small_model(word)
    without.fit_prepared(
        prepared, *(_few(labelled(corpus, s), 40) for s in ("train", "validation"))
    )
    assert found.words == without.words
    paper = small_model(word + ",preset=paper")
    paper.fit_prepared(both, *sides, test=_few(labelled(corpus, "test"), 40, 1))
    assert {"plantedName", "plantedCall"} <= set(paper.words)
    assert paper.fitted is not None
    assert [note.partition(" w")[0] for note in paper.fitted.notes] == ["words", "the epoch"]
    assert all(note.endswith(": not comparable") for note in paper.fitted.notes)


@pytest.mark.parametrize("word", ["linear:epochs=3,width=8,batch=16", "mlp:epochs=3,batch=16"])
def test_the_paper_chooses_the_epoch_on_test(word: str) -> None:
    corpus, prepared = task("names")
    train, validation = (_few(labelled(corpus, side), 40) for side in ("train", "validation"))
    # Labels that say nothing, so that another epoch is best than on validation.
    test = LabelledPlaces(validation.first, validation.second, np.arange(80) % 6 == 3)
    paper, honest = small_model(word + ",preset=paper"), small_model(word)
    found = paper.fit_prepared(prepared, train, validation, test=test)
    assert found.best == 1 + int(np.argmax(found.test)) > 1
    assert "the epoch was chosen on test pairs: not comparable" in found.notes
    fitted = honest.fit_prepared(prepared, train, validation, test=test)
    assert fitted.best == 1 + int(np.argmax(fitted.validation)) == 1
    assert (fitted.test, fitted.notes) == ((), ())
    scores, others = (
        one.score_prepared(prepared, test.first, test.second) for one in (paper, honest)
    )
    assert round(average_precision(scores.astype(np.float64), test.label), 6) == max(found.test)
    assert not np.array_equal(scores, others)


def test_the_paper_needs_test_pairs() -> None:
    corpus, prepared = task("names")
    pairs = _few(labelled(corpus, "train"), 20)
    one = small_model("linear:preset=paper")
    none = LabelledPlaces(places(), places(), np.zeros(0, bool))
    for test in (None, none):
        with pytest.raises(CodekinError, match=r"preset=paper chooses the epoch.*there are none"):
            one.fit_prepared(prepared, pairs, pairs, test=test)
    alike = LabelledPlaces(pairs.first, pairs.second, np.ones(len(pairs), bool))
    with pytest.raises(CodekinError, match="the side test has 40 pairs, all of them clones"):
        one.fit_prepared(prepared, pairs, pairs, test=alike)
    assert corpus.pairs is not None and corpus.pairs.side is not None
    codes, names = corpus.pairs.side
    untested = replace(corpus, pairs=corpus.pairs.take(codes != names.index("test")))
    with pytest.raises(CodekinError, match="preset=paper chooses the epoch"):
        one.fit(untested, workers=1)


def _few(pairs: LabelledPlaces, count: int, moved: int = 0) -> LabelledPlaces:
    """Some pairs, with clones among them, of snippets that have moved."""
    chosen = np.concatenate(
        [np.flatnonzero(pairs.label)[:count], np.flatnonzero(~pairs.label)[:count]]
    )
    first, second = pairs.first[chosen] + moved, pairs.second[chosen] + moved
    return LabelledPlaces(first, second, pairs.label[chosen])


@for_all
def test_a_huge_snippet_has_a_score(name: str) -> None:
    prepared = prepare_snippets(snippets(MANY, DEEP, LOOP), workers=1)
    assert np.diff(prepared.nodes)[0] > 10_000
    scores = fitted(name).score_prepared(prepared, places(0, 0, 1), places(1, 2, 2))
    assert ((scores >= 0) & (scores <= 1)).all()


@for_all
def test_empty_snippets_have_no_score(name: str) -> None:
    codes = snippets(LOOP, "", MAIL, " \n", "// nothing\n", "}{ ((")
    first, second = places(0, 0, 1, 1, 4, 0), places(2, 1, 3, 1, 0, 5)
    scores = fitted(name).score_pairs(codes, first, second, workers=1)
    assert np.isnan(scores).tolist() == [False, True, True, True, True, False]


@for_all
def test_encode_gives_a_vector_per_snippet(name: str) -> None:
    one = fitted(name)
    vectors = one.encode(snippets(LOOP, "", MAIL, LOOP), workers=1)
    assert vectors.dtype == np.float32
    assert vectors.shape == (4, WIDTHS[name])
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(vectors[0], vectors[3], atol=1e-6)
    assert one.encode([], workers=1).shape == (0, WIDTHS[name])
    assert len(one.score_pairs([], places(), places())) == 0


@for_all
def test_nothing_works_before_it_is_fitted(name: str, tmp_path: Path) -> None:
    one = small_model(name)
    for use in (
        lambda: one.score_pairs(snippets(LOOP, MAIL), places(0), places(1), workers=1),
        lambda: one.encode(snippets(LOOP), workers=1),
        lambda: one.save(tmp_path / "model"),
    ):
        with pytest.raises(CodekinError, match=f"{name}: was not fitted"):
            use()
    assert not (tmp_path / "model").exists()


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("checkpoint") / "model"
    fitted("astnn").save(found)
    return found


def _about(change: Callable[[dict[str, object]], object]) -> Callable[[Path], object]:
    def damage(model: Path) -> None:
        about = json.loads((model / "model.json").read_text())
        change(about)
        (model / "model.json").write_text(json.dumps(about))

    return damage


def _weights(
    change: Callable[[dict[str, npt.NDArray[np.generic]]], object],
) -> Callable[[Path], None]:
    def damage(model: Path) -> None:
        with np.load(model / "weights.npz") as file:
            arrays = dict(file)
        change(arrays)
        np.savez(model / "weights.npz", **arrays)

    return damage


def _cut(model: Path) -> None:
    whole = (model / "weights.npz").read_bytes()
    (model / "weights.npz").write_bytes(whole[: len(whole) // 2])


def _flip(model: Path) -> None:
    whole = bytearray((model / "weights.npz").read_bytes())
    for i in range(200, 240):
        whole[i] ^= 0xFF
    (model / "weights.npz").write_bytes(whole)


class Trap:
    """Fails the test if anything unpickles it."""

    def __reduce__(self) -> tuple[object, ...]:
        return pytest.fail, ("a checkpoint was unpickled",)


def _one_array(model: Path) -> None:
    with (model / "weights.npz").open("wb") as stream:
        np.save(stream, np.zeros(3))


AGAIN = "copy the whole folder again, or train the detector again"
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (
        shutil.rmtree,
        "model: there is no such folder; name a folder that codekin detect train wrote",
    ),
    "no files": (
        lambda model: [place.unlink() for place in model.iterdir()],
        "is not a detector that codekin trained, since it has no model.json; name a folder",
    ),
    "no weights": (
        lambda model: (model / "weights.npz").unlink(),
        f"weights.npz: no such file; {AGAIN}",
    ),
    "half of the weights": (_cut, "is not a file of arrays"),
    "other bytes": (_flip, "is not a file of arrays"),
    "no archive": (
        lambda model: (model / "weights.npz").write_bytes(b"PK"),
        rf"weights.npz: is not a file of arrays \(File is not a zip file\); {AGAIN}",
    ),
    "one array": (_one_array, "is not a file of arrays"),
    "a pickle": (_weights(lambda a: a.update(trap=np.array([Trap()]))), "trap.npy holds objects"),
    "an array too many": (_weights(lambda a: a.update(more=np.zeros(2))), "not a whole detector"),
    "an array missing": (_weights(lambda a: a.pop("head.bias")), "not a whole detector"),
    "another shape": (
        _weights(lambda a: a.update({"head.weight": np.zeros((1, 5), np.float32)})),
        "not a whole detector",
    ),
    "letters": (_weights(lambda a: a.update({"head.bias": np.array(["x"])})), "not a whole"),
    "half of the JSON": (
        lambda model: (model / "model.json").write_text("{"),
        f"model.json: is not JSON .* {AGAIN}",
    ),
    "other JSON": (lambda model: (model / "model.json").write_text("[1]"), "is not a detector"),
    "another kind": (
        _about(lambda about: about.update(kind="else")),
        "is not a detector that codekin trained, since its model.json is something else",
    ),
    "another format": (
        _about(lambda about: about.update(format=99, codekin="9.9")),
        "is in format 99 of codekin 9.9, and this codekin reads 1; train it again, or use that",
    ),
    "no detector of ours": (
        _about(lambda about: about.update(detector="zork")),
        "is a detector 'zork', which this codekin does not have; install the package",
    ),
    "another detector": (_about(lambda about: about.update(detector="linear")), "unknown setting"),
    "words missing": (_about(lambda about: about.update(state={})), "not a whole detector"),
    "too few words": (_about(lambda about: about.update(state={"words": ["a"]})), "not a whole"),
    "no settings": (_about(lambda about: about.pop("settings")), "not a whole detector"),
    "no numbers": (
        _about(lambda about: about.update(settings={"width": "wide"})),
        "not a whole detector",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_an_error(damage: str, checkpoint: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(checkpoint, model)
    change, message = DAMAGES[damage]
    change(model)
    with pytest.raises(CodekinError, match=message):
        load_detector(model)


def test_pairs_of_one_label_are_refused() -> None:
    corpus, prepared = task("names")
    train = labelled(corpus, "train")
    clones = LabelledPlaces(
        *(part[train.label] for part in (train.first, train.second, train.label))
    )
    none = LabelledPlaces(places(), places(), np.zeros(0, bool))
    one = small_model("linear")
    with pytest.raises(CodekinError, match=r"the side validation has .* all of them clones"):
        one.fit_prepared(prepared, train, clones)
    with pytest.raises(CodekinError, match="the side train has no labelled pairs"):
        one.fit_prepared(prepared, none, train)


def test_pairs_with_an_empty_snippet_are_left_out() -> None:
    corpus, prepared = task("names")
    both = prepare_snippets([*corpus.snippets, *snippets("")], workers=0)
    sides = []
    for side in ("train", "validation"):
        few = _few(labelled(corpus, side), 20)
        end = np.int32(len(prepared))
        sides.append(
            LabelledPlaces(
                np.append(few.first, end),
                np.append(few.second, places(0)),
                np.append(few.label, True),
            )
        )
    one = small_model("linear:epochs=1,width=4")
    found = one.fit_prepared(both, *sides)
    assert (found.pairs, found.validation_pairs) == (40, 40)
    assert found.notes == ("2 pairs have an empty snippet and were left out",)
    assert np.isfinite(one.threshold)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("linear:epochs=0", "linear: epochs must be at least 1"),
        ("tbccd:channels=-3", "tbccd: channels must be at least 1"),
        ("astnn:hidden=0", "astnn: hidden must be at least 1"),
        ("astnn:rate=0", "astnn: rate must be a positive number"),
        ("astnn:rate=nan", "astnn: rate must be a positive number"),
        ("mlp:form=book", "mlp: unknown form 'book'"),
        ("faast:network=gnn", r"unknown network 'gnn'; did you mean 'ggnn'\? \(known: ggnn, gmn\)"),
        ("mlp:preset=papers", "mlp: unknown preset 'papers'"),
        ("astnn:widht=3", "unknown setting 'widht'.*did you mean 'width'"),
    ],
)
def test_bad_settings_are_errors(word: str, message: str) -> None:
    with pytest.raises(CodekinError, match=message):
        parse_detector(word)


def test_an_unknown_device_is_an_error() -> None:
    one = fitted("linear")
    for device, message in (("gpu", "unknown device 'gpu'"), ("cuda", "sees no GPU")):
        if device == "cuda" and torch.cuda.is_available():
            continue
        with pytest.raises(CodekinError, match=message):
            neural.device_of(device)
    assert neural.device_of("auto").type in ("cpu", "cuda")
    assert one.device == "cpu"


def test_progress_counts_pairs_and_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epochs, "_REPORT_S", 0.0)
    corpus, prepared = task("names")
    sides = [_few(labelled(corpus, side), 20) for side in ("train", "validation")]
    seen: list[TrainingProgress] = []
    found = small_model("linear:epochs=2,batch=16").fit_prepared(
        prepared, *sides, progress=seen.append
    )
    assert [(one.epoch, one.done) for one in seen] == [
        (epoch, done) for epoch in (1, 2) for done in (16, 32, 40, 40)
    ]
    assert np.isnan(seen[0].validation) and seen[-1].validation == found.validation[-1]
    assert all(np.isfinite(one.loss) for one in seen)


def test_training_ends_without_progress_on_validation() -> None:
    corpus, prepared = task("names")
    pairs = labelled(corpus, "train")
    one = small_model("linear:epochs=50,patience=2,rate=1e-12")
    found = one.fit_prepared(prepared, _few(pairs, 20), _few(pairs, 20))
    assert (found.epochs, found.best) == (3, 1)


def test_a_loss_that_is_not_a_number_is_an_error() -> None:
    corpus, prepared = task("names")
    pairs = _few(labelled(corpus, "train"), 200)
    with pytest.raises(CodekinError, match="smaller learning rate than 1e"):
        small_model("mlp:rate=1e37,batch=8").fit_prepared(prepared, pairs, pairs)
