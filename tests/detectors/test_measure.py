"""measure: scores as the measure itself gives them, and a threshold from validation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.detectors.tasks import names_task, structure_task

from codekin import Corpus, Snippet, measure
from codekin.detectors.detector import (
    detector,
    labelled,
    load_detector,
    parse_detector,
)
from codekin.detectors.measure_detector import MeasureDetector
from codekin.errors import CodekinError
from codekin.statistics.classification import area_under_curve, f1_at


@pytest.fixture(scope="module")
def names() -> Corpus:
    return names_task()


CODES = ("int f(int x) { return x + 1; }", "int f(int y) { return y + 1; }", "void g() { h(); }")


def snippets(*codes: str) -> list[Snippet]:
    return [Snippet(str(i), "java", code) for i, code in enumerate(codes)]


def places(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    both = np.array(pairs, np.int32).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def test_scores_are_the_measures_own() -> None:
    tsed = measure("tsed")
    found = MeasureDetector(measure="tsed").score_pairs(
        snippets(*CODES), *places((0, 1), (0, 2), (2, 0), (1, 1)), workers=0
    )
    expected = [
        tsed.score(CODES[i], CODES[j], language="java").value for i, j in ((0, 1), (0, 2), (0, 2))
    ]
    np.testing.assert_allclose(found[:3], expected, rtol=1e-6)
    assert found[3] == 1


def test_directions_are_averaged_and_distances_turned_round() -> None:
    bleu = measure("bleu")
    assert not bleu.symmetric
    both = [bleu.score(CODES[i], CODES[j], language="java").value for i, j in ((0, 1), (1, 0))]
    there, back = (
        MeasureDetector(measure="bleu").score_pairs(snippets(*CODES), *places(one), workers=0)[0]
        for one in ((0, 1), (1, 0))
    )
    assert there == back == np.float32(sum(both) / 2)
    distance = MeasureDetector(measure="ed")
    assert distance._measure().distance
    scores = distance.score_pairs(snippets(*CODES), *places((0, 0), (0, 1), (0, 2)), workers=0)
    assert scores[0] == 1 and 1 > scores[1] > scores[2] > 0


def test_workers_do_not_change_scores(names: Corpus) -> None:
    pairs = labelled(names, "test")
    one = MeasureDetector(measure="kin")
    few = slice(0, 300)
    alone = one.score_pairs(names.snippets, pairs.first[few], pairs.second[few], workers=0)
    shared = one.score_pairs(names.snippets, pairs.first[few], pairs.second[few], workers=2)
    assert np.array_equal(alone, shared)


def test_names_and_structure(names: Corpus, tmp_path: Path) -> None:
    chrf = MeasureDetector(measure="chrf")
    fitted = chrf.fit(names, workers=0)
    pairs = labelled(names, "test")
    scores = chrf.score_pairs(names.snippets, pairs.first, pairs.second, workers=0)
    assert area_under_curve(scores.astype(np.float64), pairs.label) > 0.95
    assert f1_at(scores.astype(np.float64), pairs.label, chrf.threshold).f1 > 0.9
    assert fitted.pairs == 0 and "training pairs are not used" in fitted.notes[0]
    chrf.save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    assert loaded.settings() == chrf.settings() and loaded.threshold == chrf.threshold
    again = loaded.score_pairs(names.snippets, pairs.first, pairs.second, workers=0)
    assert np.array_equal(scores, again)


def test_structure_decides_for_trees() -> None:
    corpus = structure_task()
    kin = MeasureDetector(measure="kin", sample=200)
    notes = kin.fit(corpus, workers=0).notes
    count = len(labelled(corpus, "validation"))
    assert f"200 of {count:,} validation pairs (seed 0)" in notes[1]
    pairs = labelled(corpus, "test")
    scores = kin.score_pairs(corpus.snippets, pairs.first, pairs.second, workers=0)
    assert area_under_curve(scores.astype(np.float64), pairs.label) > 0.95


def test_pairs_without_a_score_are_nan() -> None:
    given = [*snippets(*CODES), Snippet("k", "kotlin", "val x = 1"), Snippet("e", "java", " \n")]
    found = MeasureDetector(measure="cssg").score_pairs(
        given, *places((0, 3), (0, 4), (0, 1)), workers=0
    )
    assert np.isnan(found).tolist() == [True, True, False]
    none = MeasureDetector().score_pairs(given, *places(), workers=0)
    assert none.shape == (0,) and none.dtype == np.float32


def test_words_and_errors(names: Corpus, tmp_path: Path) -> None:
    one = parse_detector("measure:measure=chrf,sample=50")
    assert one.settings() == {"measure": "chrf", "sample": 50, "seed": 0}
    word = "measure:measure=bleu:order=2,smoothing=floor,smoothing_value=0.2,sample=50"
    nested = parse_detector(word)
    assert isinstance(nested, MeasureDetector) and nested.word == word
    assert nested.settings()["measure"] == "bleu:order=2,smoothing=floor,smoothing_value=0.2"
    assert nested._measure() == measure("bleu", order=2, smoothing="floor", smoothing_value=0.2)
    later = parse_detector("measure:sample=50,measure=bleu,order=2")
    assert later.settings()["measure"] == "bleu:order=2"
    assert (
        parse_detector("measure:measure=bleu:compat=nltk,weights=0.5,0.5").settings()["measure"]
        == "bleu:compat=nltk,weights=0.5,0.5"
    )
    with pytest.raises(CodekinError, match="measure: unknown setting 'order'"):
        parse_detector("measure:order=2")
    with pytest.raises(CodekinError, match="bleu: unknown parameter 'odrer'; did you mean 'order'"):
        parse_detector("measure:measure=bleu,odrer=2").fit(names)
    with pytest.raises(CodekinError, match="unknown measure 'blue'"):
        detector("measure", measure="blue").fit(names)
    with pytest.raises(CodekinError, match="needs their origin"):
        detector("measure", measure="es").fit(names)
    with pytest.raises(CodekinError, match="at least 2"):
        detector("measure", sample=1)
    with pytest.raises(CodekinError, match="has no pairs"):
        MeasureDetector().fit(replace(names, pairs=None))
    assert names.pairs is not None
    alike = replace(names, pairs=names.pairs.take(names.pairs.label == 1))
    with pytest.raises(CodekinError, match="all of them clones"):
        MeasureDetector().fit(alike)
    fitted = MeasureDetector(measure="chrf", sample=50)
    fitted.fit(names, workers=0)
    fitted.save(tmp_path / "model")
    place = tmp_path / "model" / "model.json"
    about = json.loads(place.read_text())
    about["settings"]["measure"] = "antigravity:fly"
    place.write_text(json.dumps(about))
    with pytest.raises(CodekinError, match="not one of codekin's own measures"):
        load_detector(tmp_path / "model")
