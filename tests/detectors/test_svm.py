"""svm: what it learns, that order and batches do not matter, and what a checkpoint holds."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from tests.detectors.tasks import names_task, prepared_task, structure_task

from codekin import Corpus, Snippet
from codekin.detectors.detector import LabelledPlaces, detector, labelled, load_detector
from codekin.detectors.preparing import prepare_snippets
from codekin.detectors.svm import Svm
from codekin.errors import CodekinError
from codekin.statistics.classification import area_under_curve


@pytest.fixture(scope="module")
def task() -> Corpus:
    return names_task()


@pytest.fixture(scope="module")
def fitted(task: Corpus) -> Svm:
    found = Svm()
    found.fit(task)
    return found


def _fit(one: Svm, corpus: Corpus) -> Svm:
    sides = (labelled(corpus, side) for side in ("train", "validation"))
    one.fit_prepared(prepared_task(corpus), *sides)
    return one


def _area(one: Svm, corpus: Corpus) -> float:
    pairs = labelled(corpus, "test")
    scores = one.score_prepared(prepared_task(corpus), pairs.first, pairs.second)
    return area_under_curve(scores.astype(np.float64), pairs.label)


def test_names_decide(task: Corpus, fitted: Svm) -> None:
    assert _area(fitted, task) > 0.95
    for other in (Svm(features="shared"), Svm(binary=True)):
        assert _area(_fit(other, task), task) > 0.95


@pytest.mark.parametrize("features", ["joined", "shared"])
def test_structure_is_not_seen(features: str) -> None:
    corpus = structure_task()
    assert _area(_fit(Svm(features=features), corpus), corpus) < 0.65


@pytest.mark.parametrize("features", ["joined", "shared"])
def test_order_batches_runs_and_loading(features: str, task: Corpus, tmp_path: Path) -> None:
    one, again = (_fit(Svm(features=features), task) for _ in range(2))
    pairs, prepared = labelled(task, "test"), prepared_task(task)
    first, second = pairs.first, pairs.second
    scores = one.score_prepared(prepared, first, second)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert np.array_equal(scores, again.score_prepared(prepared, first, second))
    assert np.array_equal(scores, one.score_prepared(prepared, second, first))
    both, places = (
        [task.snippets[first[0]], task.snippets[second[0]]],
        (np.array([0], np.int32), np.array([1], np.int32)),
    )
    assert np.array_equal(scores[:1], one.score_pairs(both, *places, workers=0))
    one.save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    assert isinstance(loaded, Svm)
    assert np.array_equal(scores, loaded.score_prepared(prepared, first, second))
    assert loaded.threshold == one.threshold


def test_words_of_test_snippets_are_unknown(task: Corpus) -> None:
    snippets = tuple(
        replace(one, code=one.code.replace("run", "plantedWord")) if one.side == "test" else one
        for one in task.snippets
    )
    planted = replace(task, snippets=snippets)
    honest, paper = (_fit(one, planted) for one in (Svm(), Svm(preset="paper")))
    assert honest.fitted is not None and honest.fitted.notes == ()
    assert "plantedword" not in honest.words
    assert paper.fitted is not None and "not comparable" in paper.fitted.notes[0]
    assert "plantedword" in paper.words and paper.threshold == 0.5


@pytest.mark.parametrize("binary", [False, True])
def test_weights_are_those_of_scikit_learn(binary: bool, task: Corpus) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    pairs = labelled(task, "train")
    used = sorted(set(pairs.first.tolist()) | set(pairs.second.tolist()))
    codes = [task.snippets[i].code for i in used]
    oracle = TfidfVectorizer(binary=binary).fit(codes)
    fitted = Svm(binary=binary)
    known = np.zeros(len(task.snippets), bool)
    known[used] = True
    prepared = prepared_task(task)
    fitted._learn_words(prepared, known)
    order = [oracle.vocabulary_[word] for word in fitted.words]
    joined = oracle.transform([f"{codes[0]}\n{codes[1]}"]).toarray()[0, order]
    counts = fitted._counts(prepared)
    made = fitted._features(counts, *(np.array([i], np.int32) for i in used[:2]))
    assert isinstance(made, sparse.csr_array)
    np.testing.assert_allclose(made.toarray()[0], joined, atol=1e-12)


def test_snippets_without_words_have_no_score(fitted: Svm) -> None:
    snippets = [Snippet("a", "java", "int run() { return 1; }"), Snippet("b", "java", " ")]
    places = np.array([0, 0], np.int32), np.array([0, 1], np.int32)
    assert np.isnan(fitted.score_pairs(snippets, *places)).tolist() == [False, True]
    unknown = [Snippet(x, "java", "zork") for x in "ab"]
    assert np.isfinite(fitted.score_pairs(unknown, *places)).all()
    none = np.zeros(0, np.int32)
    assert fitted.score_pairs([], none, none).shape == (0,)


def test_errors(task: Corpus, fitted: Svm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CodekinError, match=r"unknown features 'both' \(known: joined, shared\)"):
        detector("svm", features="both")
    with pytest.raises(CodekinError, match="C must be greater than 0"):
        Svm(C=0)
    with pytest.raises(CodekinError, match="was not fitted"):
        Svm().score_pairs([], np.zeros(0, np.int32), np.zeros(0, np.int32))
    prepared = prepare_snippets(task.snippets[:4])
    places = np.array([0, 1], np.int32), np.array([2, 3], np.int32)
    clones = LabelledPlaces(*places, np.array([True, True]))
    with pytest.raises(CodekinError, match="train has 2 pairs, all of them clones"):
        Svm().fit_prepared(prepared, clones, clones)
    fitted.save(tmp_path / "model")
    about = json.loads((tmp_path / "model" / "model.json").read_text())
    about["state"]["words"].pop()
    (tmp_path / "model" / "model.json").write_text(json.dumps(about))
    with pytest.raises(CodekinError, match="is not a whole detector"):
        load_detector(tmp_path / "model")
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(CodekinError, match="training needs sklearn"):
        Svm().fit(task)
