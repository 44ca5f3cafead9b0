from __future__ import annotations

import csv
import dataclasses
import io
import json

import pytest
from tests.report.judging.example_judgements import broken_cards, two_cards

from codekin.report.render import latex


def test_changes_that_keep_and_that_break_the_meaning() -> None:
    kept, broken, separation, costs = two_cards().grids()
    assert kept.heads == ("measure", "locals", "layout", "comments")
    # 1.000 and 100 % are only of what is so everywhere.
    assert kept.rows[0] == ("bleu", "0.900 (10 %)", "0.999 (99 %)", "1.000 (100 %)")
    assert kept.rows[1] == ("ed ↓", "12.50 (20 %)", "–", "–")
    assert broken.rows == (("bleu", "0.970 (0 %)", "–"), ("ed ↓", "1.00 (0 %)", "–"))
    assert separation.heads == ("measure", "separation", "95 %", "kept", "broken")
    assert separation.rows[0] == ("bleu", "0.400", "[0.200, 0.600]", "90", "30")
    assert separation.strong == {(0, 1)}
    assert costs.heads == ("measure", "50 tokens", "400 tokens")
    assert costs.rows == (("bleu", "12.5 µs", "4.32 ms"), ("ed", "2.00 s", "–"))


def test_latex_has_percents_and_microseconds() -> None:
    kept, *_, costs = map(latex, two_cards().grids())
    assert r"bleu & 0.900 (10 \%)" in kept
    assert r"bleu & 12.5 \textmu{}s & 4.32 ms \\" in costs


def test_what_is_missing_has_a_reason() -> None:
    card = broken_cards()
    notes = card.notes()
    assert "c_s, separation: it needs programs with changes of both kinds" in notes
    assert "const, separation: it says 1 of every pair" in notes
    assert "const: no program could be changed and scored by argument" in notes
    assert card.warnings()[0].startswith("run is not finished")
    assert len(card.warnings()) == 2
    separation = next(grid for grid in card.grids() if grid.title.startswith("Separation"))
    assert separation.rows[0] == ("c_s", "–", "–", "0", "0")
    document = card.document()
    json.dumps(document, allow_nan=False)
    assert document["measures"]["c_s"]["reason"]
    assert document["measures"]["const"]["changes"]["argument"]["reason"]


def test_the_document_is_as_asked() -> None:
    document = two_cards().document()
    json.dumps(document, allow_nan=False)
    bleu = document["measures"]["bleu"]
    assert bleu["separation"] == 0.4
    assert bleu["ci"] == pytest.approx([0.2, 0.6])
    assert bleu["changes"]["locals"]["mean"] == 0.9
    assert bleu["by_language"]["python"]["operator"]["preserving"] is False
    assert bleu["costs"][1] == {"tokens": 400, "pairs": 20, "microseconds": 4321.0}
    assert document["languages"] == {"python": 30}


def test_records_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(two_cards().to_csv())))
    assert (rows[0]["language"], rows[0]["change"], rows[0]["separation"]) == (
        "all",
        "locals",
        "0.4",
    )
    assert rows[5]["language"] == "python"
    assert rows[5]["separation"] == ""
    assert dataclasses.replace(broken_cards(), measures=()).to_csv() == ""
