from __future__ import annotations

import json

import numpy as np
import pandas
import pytest

from codekin import CodekinError, ComparisonList, ScoreList, Source, compare, measure

CANDIDATES = ["x = 1", "y = f(2)", "z"]
REFERENCES = ["x = 2", "y = f(2)", "zz"]


def test_lists_give_a_list_of_the_same_scores() -> None:
    bleu = measure("bleu")
    scores = bleu.score(CANDIDATES, REFERENCES, language="python")
    assert isinstance(scores, ScoreList)
    assert len(scores) == 3
    assert scores.values == [
        bleu.score(a, b, language="python").value
        for a, b in zip(CANDIDATES, REFERENCES, strict=True)
    ]
    assert scores[1].value == 1
    assert [one.value for one in scores[1:]] == scores.values[1:]


def test_origins_and_several_references_are_lists_too() -> None:
    es = measure("es-token")
    scores = es.score(["x = 3", "y"], ["x = 3", "z"], ["x = 1", "w"], language="python")
    assert scores.values[0] == 1
    several = measure("nes").score(["x", "y"], references=[["a", "x"], ["z"]], language="python")
    assert several.values == [1, 0]


@pytest.mark.parametrize("make", [tuple, np.array, pandas.Series])
def test_anything_like_a_list_will_do(make) -> None:
    scores = measure("nes").score(make(CANDIDATES), make(REFERENCES), language="python")
    assert len(scores) == 3


def test_sources_keep_their_languages() -> None:
    scores = measure("bleu").score([Source("x;", "c")], [Source("x;", "c")])
    assert "tree-sitter-c" in scores[0].signature


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda m: m.score(["a", "b"], ["a"]), "2 candidates but 1 in reference; the lists must"),
        (lambda m: m.score(["a"], "a"), "so reference must be a list as well"),
        (lambda m: m.score(["a"], ["a"], "o"), "so origin must be a list as well"),
        (lambda m: m.score("a", ["a"]), "reference must be a Source or a str, not list"),
        (lambda m: m.score(["a", 7], ["a", "b"], language="c"), "row 1: .*must be a Source or a"),
        (lambda m: m.score(["a"]), "row 0: nes: give a reference"),
        (lambda m: m.score({"a": 1}, ["a"]), "candidate must be a Source or a str, not dict"),
        (lambda m: compare(["a", "b"], ["a"]), "compare: 2 candidates but 1 in reference"),
        (lambda m: compare(["a", None], ["a", "b"], language="c"), "row 1: "),
    ],
)
def test_lists_that_do_not_fit_are_explained(call, said) -> None:
    with pytest.raises(CodekinError, match=said):
        call(measure("nes"))


def test_lists_of_scores_render_themselves() -> None:
    scores = measure("bleu").score(["<b>x</b>", *CANDIDATES], ["y", *REFERENCES], language="python")
    shown = scores._repr_html_()
    assert shown.count("<tr>") == 5
    assert scores.to_polars()["value"].to_list() == scores.values
    assert scores.to_pandas()["value"].tolist() == scores.values
    assert [one["value"] for one in json.loads(scores.to_json())["scores"]] == scores.values
    assert repr(scores).startswith("<ScoreList bleu: 4 scores, mean 0.")


def test_long_lists_are_shown_in_part() -> None:
    scores = measure("exact").score(["x"] * 1500, ["x"] * 1500, language="c")
    assert scores._repr_html_().count("<tr>") == 1001
    assert "500 more rows" in str(scores)
    assert scores.to_polars().height == 1500


def test_an_empty_list_has_no_mean() -> None:
    scores = measure("nes").score([], [])
    assert (len(scores), repr(scores)) == (0, "<ScoreList nes: 0 scores, mean –>")
    assert scores.to_polars().height == 0
    assert compare([], [], measures="nes")._repr_html_()


def test_lists_of_comparisons_have_a_column_per_measure() -> None:
    rows = compare(CANDIDATES, REFERENCES, language="python", measures="nes,ed")
    assert isinstance(rows, ComparisonList)
    assert (
        rows[0]["nes"].value
        == compare(CANDIDATES[0], REFERENCES[0], language="python", measures="nes")["nes"].value
    )
    frame = rows.to_polars()
    assert frame.columns == ["row", "nes", "ed"]
    assert frame["ed"].to_list() == [1, 0, 1]
    assert len(json.loads(rows.to_json())["comparisons"]) == 3
    assert "<th" in rows._repr_html_()
    assert [one["ed"].value for one in rows[1:]] == [0, 1]


def test_an_explanation_shows_both_texts_with_what_matched() -> None:
    score = measure("nes").score("a < b", "a < c", language="python")
    shown = score.explain()._repr_html_()
    assert "<mark>a &lt; </mark>b" in shown
    assert "<th>candidate</th><th>reference</th>" in shown


def test_a_score_has_the_verbs_of_a_comparison_with_itself_alone() -> None:
    score = measure("nes").score("x = 1", "x = 2", language="python")
    both = compare("x = 1", "x = 2", language="python", measures="nes")
    assert score.to_json() == both.to_json()
    assert score.to_html() == both.to_html()
    assert "<pre>" not in score.to_html()
    with pytest.raises(CodekinError, match="shows what cssg matched, and the measures are nes"):
        score.to_svg()
    drawn = measure("cssg").score("f(x)", "f(y)", language="python")
    assert drawn.to_svg().startswith("<svg")
    assert "<svg" in drawn.to_html()
    frame = score.to_polars()
    assert frame["part"].to_list() == ["nes", *score.parts]
    assert frame["value"].to_list() == [score.value, *score.parts.values()]


def test_an_explanation_lists_what_matched() -> None:
    why = measure("nes").score("a < b", "a < c", language="python").explain()
    frame = why.to_polars()
    assert frame["code"].to_list() == ["a < ", "a < "]
    assert frame["text"].to_list() == ["candidate", "reference"]
    assert str(why).startswith(why.summary)
