"""Detectors trained on a corpus, and used on rows and on folders."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.detectors.tasks import THEMES, names_task, nested

from codekin import (
    CodekinError,
    Corpus,
    abstract_corpus,
    load_detector,
    predict_pairs,
    search_clones,
    train_detector,
)

torch.set_num_threads(1)
WORD = "linear:epochs=2"


def few_names() -> Corpus:
    return names_task().keep(range(64))


@pytest.fixture(scope="module")
def trained():
    return train_detector(names_task(), WORD, workers=0)


@pytest.fixture(scope="module")
def folder(trained, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model"
    trained[0].save(path)
    return path


def code(theme: int, order=("for", "if", "while")) -> str:
    return nested(order, list(THEMES[theme]))


def test_training_says_what_the_detector_reaches(trained) -> None:
    model, found = trained
    assert found.test["all"]["ap"] > 0.95
    assert found.retrieval.map_at_r > 0.9
    assert model.card["test"]["all"]["f1"] == found.test["all"]["f1"]
    assert model.languages == ("java",)
    text = str(found)
    assert "test AP" not in text
    for word in ("all-positive F1", "MAP@R", "precision@R", "kept", "a pair is a clone from"):
        assert word in text


def test_the_preset_of_the_paper_shows_what_it_chose_by() -> None:
    _, found = train_detector(few_names(), WORD + ",preset=paper", workers=0)
    assert found.fitted.test[found.fitted.best - 1] == max(found.fitted.test)
    assert "test AP" in str(found) and "chosen on test pairs: not comparable" in str(found)


def test_a_corpus_without_sides_is_split_and_paired() -> None:
    corpus = few_names()
    bare = type(corpus)(corpus.name, tuple(corpus.snippets))
    _, found = train_detector(bare, WORD, view="random", level="abs", pairs=300, workers=0)
    assert (found.view, found.level, found.fitted.pairs) == ("random", "abs", 300)
    # Names decide here, and Abs takes them away.
    assert found.test["all"]["ap"] < 0.6


def test_copies_of_test_pairs_in_training_are_counted(trained) -> None:
    def first_note(copied: int) -> str:
        test = trained[1].test | {"copied_pairs": copied, "pairs": 6}
        return replace(trained[1], test=test).notes()[0]

    assert first_note(2) == (
        "2 of 6 test pairs (33.3 %) have code with a copy in training: report every result with "
        "and without them"
    )
    assert first_note(6) == (
        "6 of 6 test pairs (100 %) have code with a copy in training: nothing is known about code "
        "without one"
    )
    assert first_note(0).startswith("linear:epochs=2 on names")


def test_a_threshold_is_fitted_on_validation_pairs() -> None:
    _, found = train_detector(few_names(), "measure:measure=nes", workers=0)
    assert re.search(r"fitted on [1-9]\d* validation pairs in", found.notes()[-2])


def test_predictions_of_rows(folder) -> None:
    rows = [
        {"id": "clone", "language": "java", "candidate": code(0), "reference": code(0)},
        {"id": "other", "language": "java", "candidate": code(0), "reference": code(2)},
        {"id": "broken", "language": "java", "candidate": "int f( {", "reference": code(0)},
        {"id": "empty", "language": "java", "candidate": "", "reference": code(0)},
        {"id": "python", "language": "python", "candidate": "x = 1", "reference": "x = 2"},
        {"id": "nothing", "language": "java", "candidate": code(0)},
        {"id": "unknown", "candidate": code(0), "reference": code(0)},
    ]
    found = predict_pairs(rows, folder, workers=0)
    assert [one.id for one in found.pairs] == [row["id"] for row in rows]
    by_id = {one.id: one for one in found.pairs}
    assert by_id["clone"].clone and by_id["clone"].score == pytest.approx(1, abs=1e-5)
    assert by_id["other"].clone is False
    assert "does not parse" in by_id["broken"].problem
    assert not math.isnan(by_id["broken"].score)
    assert "is empty" in by_id["empty"].problem
    assert "trained on java, not on python" in by_id["python"].problem
    assert "has no reference" in by_id["nothing"].problem
    assert "has no language" in by_id["unknown"].problem
    for name in ("empty", "python", "nothing", "unknown"):
        assert by_id[name].clone is None
    assert len(found.warnings()) == 4


def test_one_pair_reaches_and_several_reach(folder) -> None:
    pair = {"language": "java", "candidate": code(0), "reference": code(0)}
    for number, said in ((1, "1 of 1 pair reaches"), (2, "2 of 2 pairs reach")):
        assert f": {said} 1.000" in predict_pairs([pair] * number, folder, workers=0).notes()[0]


def test_predictions_of_ids(folder) -> None:
    corpus = names_task()
    rows = [{"id1": "names0", "id2": "names4"}, {"id1": "names0", "id2": "gone"}]
    found = predict_pairs(rows, folder, corpus=corpus, workers=0)
    assert found.pairs[0].clone
    assert "has no snippet gone" in found.pairs[1].problem
    assert [(one.id1, one.id2) for one in found.pairs] == [("names0", "names4"), ("names0", "gone")]
    assert found.table().records()[0].keys() == {"id1", "id2", "score", "clone", "problem"}
    assert found.evaluation is None
    with pytest.raises(CodekinError, match="has ids of snippets; name their corpus with --corpus"):
        predict_pairs(rows[:1], folder, workers=0)


def test_predictions_of_labelled_pairs_are_judged(folder) -> None:
    corpus = names_task()
    detector = load_detector(folder)
    assert corpus.pairs is not None
    tested = corpus.pairs.of_side("test").records[:40]
    ids = [snippet.id for snippet in corpus.snippets]
    rows = [
        {"id1": ids[row["first"]], "id2": ids[row["second"]], "is_clone": str(bool(row["label"])),
         "type": "T4", "split": "test"}
        for row in tested
    ]  # fmt: skip
    found = predict_pairs(rows, folder, corpus=corpus, workers=0)
    assert [pair.label for pair in found.pairs] == [row["label"] for row in tested]
    assert {(pair.type, pair.side) for pair in found.pairs} == {("T4", "test")}
    judged = found.evaluation
    assert judged is not None and judged.side == "test" and judged.all.pairs == 40
    assert judged.threshold == detector.threshold
    called = [pair.clone for pair in found.pairs]
    right = sum(
        call is True and row["label"] == 1 for call, row in zip(called, tested, strict=True)
    )
    assert judged.all.precision == right / called.count(True)
    heads = [grid.title for grid in found.grids()]
    assert heads[1].endswith("on names")
    codes = {snippet.id: snippet.code for snippet in corpus.snippets}
    flat = [{"code1": codes[row["id1"]], "func2": codes[row["id2"]], "language": "java",
             "label": row["is_clone"]} for row in rows]  # fmt: skip
    again = predict_pairs(flat, folder, workers=0).evaluation
    assert again is not None
    assert (again.all.f1, again.all.auc) == (judged.all.f1, judged.all.auc)


def test_the_language_of_rows_and_columns_that_are_not_read_are_said(folder) -> None:
    code = nested(("for", "if", "while"), ["a", "b", "c", "d"])
    rows = [{"code1": code, "code2": code.replace("a", "e"), "similar": 1, "who": "x"}] * 3
    found = predict_pairs(rows, folder, workers=0)
    assert all(pair.clone is not None and pair.label == 1 for pair in found.pairs)
    said = found.warnings()
    assert "language java, guessed from 6 of 6 snippets; --language names another" in said
    assert "columns that are not read: who" in said


def test_a_label_that_cannot_be_read_is_recorded(folder) -> None:
    row = {"candidate": "void f() {}", "reference": "void g() {}", "language": "java"}
    found = predict_pairs([{**row, "label": 1}, {**row, "label": "so"}], folder, workers=0)
    assert "a label that cannot be read: 'so'" in found.pairs[1].problem
    assert [pair.label for pair in found.pairs] == [1, None]
    assert all(pair.clone is not None for pair in found.pairs)


def test_predictions_of_the_pairs_of_a_corpus(folder, tmp_path) -> None:
    corpus = few_names()
    path = tmp_path / "pairs"
    corpus.save(path)
    found = predict_pairs(path, folder, workers=0)
    assert corpus.pairs is not None and len(found.pairs) == len(corpus.pairs)
    table = predict_pairs(path / "pairs.parquet", folder, corpus=corpus, workers=0)
    assert found == table == predict_pairs([str(path)], folder, workers=0)
    with pytest.raises(CodekinError, match=f"name their corpus with --corpus {path}$"):
        predict_pairs(path / "pairs.parquet", folder, workers=0)
    replace(corpus, pairs=None).save(tmp_path / "view")
    with pytest.raises(CodekinError, match="view: is a corpus without pairs; draw some with"):
        predict_pairs(tmp_path / "view", folder, workers=0)


def test_rows_without_the_fields_of_a_pair_are_refused_once(folder) -> None:
    rows = [{"code": "f();", "language": "java"}] * 3
    message = r"row 1: has no candidate and reference, nor id1 and id2, but code, language; name"
    with pytest.raises(CodekinError, match=message):
        predict_pairs(rows, folder, workers=0)
    pair = {"language": "java", "candidate": code(0), "reference": code(0)}
    found = predict_pairs([*rows, pair], folder, workers=0)
    assert [one.clone for one in found.pairs] == [None, None, None, True]
    assert "has no candidate and reference" in found.pairs[0].problem


@pytest.mark.parametrize("before", [False, True])
def test_code_is_abstracted_as_in_training(before, tmp_path) -> None:
    corpus = few_names()
    if before:
        model, found = train_detector(abstract_corpus(corpus, "abs"), WORD, workers=0)
    else:
        model, found = train_detector(corpus, WORD, level="abs", workers=0)
    assert found.level == "abs"
    model.save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    rows = [{"language": "java", "candidate": code(0), "reference": code(2)}]
    # The same structure with other names is the same code to it.
    assert predict_pairs(rows, loaded, workers=0).pairs[0].score == pytest.approx(1, abs=1e-5)


def test_search_ranks_the_functions_of_a_folder(folder, tmp_path) -> None:
    for i, theme in enumerate((0, 1, 0, 2)):
        (tmp_path / f"A{i}.java").write_text(f"class A{i} {{\n{code(theme)}\n}}\n")
    found = search_clones(tmp_path, folder, most=2, least_lines=1, workers=0)
    assert found.functions == 4
    assert found.above >= len(found.pairs) >= 1
    best = found.pairs[0]
    assert {best.first.partition(":")[0], best.second.partition(":")[0]} == {"A0.java", "A2.java"}
    assert best.score == pytest.approx(1, abs=1e-5)
    whole = tmp_path / "B.java"
    whole.write_text(f"class B {{\n{code(0)}\n{code(1)}\n}}\n")
    assert search_clones(whole, folder, least_lines=1, workers=0).functions == 2
    with pytest.raises(CodekinError, match="two are the least"):
        search_clones(tmp_path, folder, least_lines=50, workers=0)


def test_search_lists_only_pairs_that_reach_the_threshold(folder) -> None:
    corpus = names_task().keep(range(24))
    model = load_detector(folder)
    found = search_clones(corpus, model, most=1000, least_lines=1, workers=0)
    assert 0 < found.above == len(found.pairs) < 24 * 23 // 2
    assert min(one.score for one in found.pairs) >= model.threshold - 1e-6
    [note] = found.notes()
    assert " % of the pairs are clones" in note
    few = search_clones(corpus, model, most=2, least_lines=1, workers=0)
    assert few.pairs == found.pairs[:2]
    assert few.notes()[1] == f"2 of {found.above} pairs shown; --most {found.above} shows all"


def test_all_pairs_are_compared_once(folder, monkeypatch) -> None:
    corpus = names_task().keep(range(24))
    monkeypatch.setattr("codekin.detectors.detector._BLOCK", 5)
    model = load_detector(folder)
    model.threshold = 0.0
    found = search_clones(corpus, model, most=1000, least_lines=1, workers=0)
    assert len(found.pairs) == 24 * 23 // 2
    pairs = {frozenset((one.first, one.second)) for one in found.pairs}
    assert len(pairs) == len(found.pairs)
    scores = [one.score for one in found.pairs]
    assert scores == sorted(scores, reverse=True)
    one = found.pairs[0]
    ends = np.array([[corpus.places[one.first]], [corpus.places[one.second]]], np.int32)
    alone = load_detector(folder).score_pairs(corpus.snippets, *ends, workers=0)
    assert one.score == pytest.approx(float(alone[0]), abs=1e-5)


def test_a_search_of_something_else_says_what_it_takes(tmp_path: Path) -> None:
    place = tmp_path / "notes.md"
    place.write_text("# Notes\n")
    with pytest.raises(CodekinError, match=r"notes\.md: is neither code .* name a folder of code"):
        search_clones(place)
