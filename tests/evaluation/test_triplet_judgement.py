from __future__ import annotations

import csv
import io
import json

import pytest
from tests.report.judging.example_judgements import (
    NONE,
    broken_triplets,
    effect,
    leaks,
    many_languages,
    one_language,
    pair,
    triplets,
)

from codekin.evaluation.triplets import EqualLengths
from codekin.report.render import latex, markdown
from codekin.results import Grid


def titles(grids: list[Grid]) -> list[str]:
    return [grid.title for grid in grids]


def test_one_language_has_one_table_of_details() -> None:
    grids = one_language().grids()
    assert titles(grids) == [
        "Cohen's d, within a language",
        "all: 40 triplets of 10 problems",
        "Pearson's r between the scores of measures",
        "Pearson's r between the effects of measures, over problems",
    ]
    effects, details, scores, _ = grids
    assert effects.heads == ("languages", "bleu", "ed", "length only")
    assert effects.rows == (("python", "0.300", "0.100", "0.020"),)
    assert scores.heads == ("measure", "bleu", "ed", "length only")
    assert scores.rows[2] == ("length only", "0.500", "0.500", "1.000")
    assert [row[0] for row in details.rows] == ["bleu", "ed ↓", "length only"]
    assert dict(zip(details.heads, details.rows[0], strict=True)) == {
        "measure": "bleu",
        "d": "0.300",
        "90 %": "[0.100, 0.500]",
        "AUC": "0.575",
        "won": "0.600",
        "paired d": "0.150",
        "positive": "0.6000",
        "negative": "0.5000",
        "d lengths out": "0.100",
        "d equal length (n)": "0.075 (12)",
        "n": "40",
    }
    assert details.rows[1][6] == "12.50"  # a distance counts edits


def test_many_languages_are_two_tables_with_averages() -> None:
    grids = many_languages().grids()
    within, across = grids[:2]
    assert within.title == "Cohen's d, within a language"
    assert within.rows == (
        ("cpp", "0.122", "0.179", "0.020"),
        ("python", "0.212", "0.027", "0.020"),
        ("Average", "0.167", "0.103", "0.020"),
    )
    assert within.strong == {(0, 2), (1, 1), (2, 1)}
    assert across.title == "Cohen's d, across languages"
    # What one pair has no value of has no average; and one value alone is not the best.
    assert across.rows == (
        ("(cpp, python)", "0.051", "-0.097", "0.020"),
        ("(python, cpp)", "0.001", "–", "0.020"),
        ("Average", "0.026", "–", "0.020"),
    )
    assert across.strong == {(0, 1)}
    assert [title.partition(":")[0] for title in titles(grids)[2:7]] == [
        *("all", "cpp", "python", "(cpp, python)", "(python, cpp)"),
    ]


def test_the_best_stands_out_in_latex_and_markdown() -> None:
    within, across = many_languages().grids()[:2]
    assert r"cpp & 0.122 & \textbf{0.179} & 0.020 \\" in latex(within)
    assert "| cpp | 0.122 | **0.179** | 0.020 |" in markdown(within)
    assert r"(cpp, python) & \textbf{0.051} & $-$0.097 & 0.020 \\" in latex(across)


def test_names_are_escaped_in_latex() -> None:
    measures = (effect("my_module:score", 0.25), effect("b&c", 0.5))
    found = triplets(pair(None, None, *measures), pair("c", "c", *measures)).grids()
    text = latex(found[0])
    assert r"languages & my\_module:score & b\&c & length only \\" in text
    assert r"c & 0.250 & \textbf{0.500} & 0.020 \\" in text


def test_leaks_are_counted_and_named() -> None:
    judgement = one_language()
    assert not judgement.warnings()
    assert "no triplet has nearly the same text in two roles" in judgement.notes()
    some = effect("bleu", 0.3, without_leaks=None)
    leaking = triplets(pair(None, None, some, leaking=leaks(23)))
    [warning] = leaking.warnings()
    assert warning.startswith("23 triplets with nearly the same text in two roles")
    assert "anchor and positive: 12, anchor and negative: 11" in warning
    assert warning.endswith(": t0, t1, t2, t3, t4, …")
    grid = leaking.grids()[-1]
    assert grid.title == "Leaks, the first 20 of 23"
    assert len(grid.rows) == 20
    assert grid.rows[0] == ("t0", "", "anchor and positive", "", "near copy", "0.950")
    assert grid.rows[2][:4] == ("t2", "p2", "anchor and positive", "t1")
    assert not any("no triplet holds" in note for note in leaking.notes())
    here = triplets(pair(None, None, some, leaking=leaks(2)))
    assert "first role in" not in here.grids()[-1].heads  # where none stands elsewhere


def test_pairs_of_languages_say_which_is_the_anchors() -> None:
    said = "(anchor, other): the language of the anchor, and of positive and negative"
    assert said in many_languages().notes()
    assert said not in one_language().notes()


def test_an_id_cannot_move_the_cursor() -> None:
    [leak] = leaks(1)
    nasty = type(leak)("\x1b[2J", None, leak.roles, 1.0, "copy")
    [warning] = triplets(pair(None, None, effect("bleu", 0.1), leaking=(nasty,))).warnings()
    assert "\x1b" not in warning


def test_what_is_missing_has_a_reason() -> None:
    judgement = broken_triplets()
    details = next(grid for grid in judgement.grids() if grid.title.startswith("all"))
    rows = {row[0]: dict(zip(details.heads, row, strict=True)) for row in details.rows}
    assert rows["bleu"]["d"] == rows["bleu"]["90 %"] == rows["bleu"]["positive"] == "–"
    assert rows["bleu"]["d equal length (n)"] == "– (0)"
    assert rows["exact"]["d"] == "∞"
    assert (rows["nes"]["failed"], rows["nes"]["d without leaks"]) == ("3", "0.150")
    notes = judgement.notes()
    assert "all, bleu: no triplet could be scored" in notes
    assert "all, c_s, length only: no triplet has both scores" in notes
    assert not any(
        note.startswith("all, bleu: d equal") for note in notes
    )  # it goes without saying
    assert any(note.startswith("all, exact: scores do not vary within") for note in notes)
    warnings = judgement.warnings()
    assert (
        warnings[0] == "run is not finished; the figures cover only the 40 triplets scored so far"
    )
    assert warnings[1] == "2 of 40 triplets could not be used at all"
    assert warnings[2] == (
        "no score: 'anchor' is null (2 times, first row t9/positive, rows.jsonl, line 9)"
    )


def test_the_document_is_as_asked() -> None:
    document = many_languages().document()
    bleu = document["measures"]["bleu"]
    assert bleu["cohens_d"] == 0.1
    assert bleu["ci"] == pytest.approx([-0.1, 0.3])
    assert (bleu["auc"], bleu["n"], bleu["failed"]) == (0.525, 40, 0)
    assert bleu["means"] == {"positive": 0.6, "negative": 0.5}
    assert bleu["equal_length"]["triplets"] == 12
    assert bleu["reason"] is None
    assert document["confounds"]["length_only"]["cohens_d"] == 0.02
    assert document["confounds"]["equal_length_triplets"] == 12
    assert document["confounds"]["leaks"]["count"] == 0
    assert list(document["pairs"]) == ["cpp", "python", "(cpp, python)", "(python, cpp)"]
    assert document["pairs"]["cpp"]["measures"]["tsed"]["cohens_d"] == 0.179
    assert document["correlation"]["labels"] == ["bleu", "tsed", "length"]
    assert document["correlation"]["effects"][0] == [None, None, None]
    assert (document["seed"], document["problems"]) == (7, 10)


@pytest.mark.parametrize("make", [one_language, many_languages, broken_triplets])
def test_no_document_has_nan(make) -> None:
    json.dumps(make().document(), allow_nan=False)


def test_no_triplet_of_equal_lengths_is_said() -> None:
    some = effect("bleu", 0.3, equal_length=EqualLengths(0, NONE, "no two are of one length"))
    other = effect("nes", 0.3, equal_length=EqualLengths(1, NONE))
    judgement = triplets(pair(None, None, some, other))
    notes = judgement.notes()
    assert "all, bleu: d equal length: no two are of one length" in notes
    assert "all, nes: d equal length: cannot be estimated from 1 triplet" in notes
    found = judgement.document()["measures"]["nes"]["equal_length"]
    assert found["reason"] == "cannot be estimated from 1 triplet"
    assert judgement.grids()[0].title == "Cohen's d"  # its languages are not known


def test_every_null_has_a_reason() -> None:
    measures = broken_triplets().document()["measures"]
    for one in measures.values():
        missing = [key for key, value in one.items() if value is None and key != "reason"]
        assert set(missing) <= {"without_leaks", "histograms"} or one["reason"]
        assert one["equal_length"]["cohens_d"] is not None or one["equal_length"]["reason"]
    assert measures["bleu"]["reason"] == "no triplet could be scored"
    assert measures["exact"]["cohens_d"] is None
    assert measures["chrf"]["without_leaks"]["reason"]
    leaking = broken_triplets().document()["confounds"]["leaks"]
    assert (leaking["count"], leaking["anchor_positive"], leaking["anchor_negative"]) == (
        23,
        12,
        11,
    )
    assert len(leaking["named"]) == 23
    assert leaking["named"][1] == {
        "triplet": "t1",
        "problem": "p1",
        "roles": "anchor and negative",
        "similarity": 0.95,
        "kind": "near copy",
        "elsewhere": None,
    }


def test_percentiles_stand_in_for_an_unknown_interval() -> None:
    some = effect("bleu", 0.3)
    known = some.cohens_d
    half = type(known)(known.value, known.percentile, type(known.bca)(float("nan"), float("nan")))
    judgement = triplets(pair(None, None, effect("bleu", 0.3, cohens_d=half)))
    ci = judgement.document()["measures"]["bleu"]["ci"]
    assert ci == pytest.approx([0.2, 0.4])


def test_records_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(many_languages().to_csv())))
    assert len(rows) == 5 * 3
    assert [rows[i]["measure"] for i in range(3)] == ["bleu", "tsed", "length only"]
    assert float(rows[3]["cohens_d"]) == 0.122
    assert float(rows[3]["cohens_d_low"]) == pytest.approx(-0.078)
    [empty] = [row for row in rows if row["reason"]]
    assert (empty["languages"], empty["cohens_d"]) == ("(python, cpp)", "")
