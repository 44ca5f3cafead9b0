from __future__ import annotations

import csv
import io
import json

import pytest
from tests.report.judging.example_judgements import broken_outcomes, full_outcomes


def test_the_document_is_as_asked() -> None:
    document = full_outcomes().document()
    bleu = document["measures"]["bleu"]
    assert (bleu["pearson"], bleu["spearman"], bleu["n"], bleu["failed"]) == (0.2, 0.19, 100, 0)
    assert bleu["ci"] == pytest.approx([0.1, 0.3])
    assert bleu["ci_task"] == pytest.approx([0.0, 0.4])
    assert bleu["ci_group"] is None
    assert bleu["kendall_ci_task"] == pytest.approx([-0.02, 0.38])
    assert bleu["without_unchanged"]["pearson"] == pytest.approx(0.15)
    assert bleu["without_equal"] is None
    assert bleu["groups_kendall"] == 0.5
    assert bleu["groups_kendall_ci"] == pytest.approx([0.3, 0.7])
    assert bleu["groups"][1]["reason"] == "every outcome is the same"
    found = bleu["perturbed"]["prefix:2000-3000"]
    assert found["loss"] == pytest.approx(0.15)
    assert found["changed"]["pearson"] == 0.05
    assert document["confounds"]["length_only"]["pearson"] == 0.05
    assert document["differences"][0]["ci"] == pytest.approx([-0.14, -0.06])
    assert document["differences"][3]["p"] is None
    assert document["differences"][3]["reason"]
    assert (document["rows"], document["unchanged"], document["drawn"]) == (102, 5, "task")


def test_no_document_has_nan_and_every_null_has_a_reason() -> None:
    json.dumps(full_outcomes().document(), allow_nan=False)
    document = broken_outcomes().document()
    json.dumps(document, allow_nan=False)
    measures = document["measures"]
    assert measures["c_s"]["pearson"] is measures["c_s"]["ci"] is None
    assert measures["c_s"]["reason"] == "no row has a score and an outcome"
    assert measures["c_s"]["groups_reason"].startswith("it takes at least 4 groups")
    assert measures["const"]["reason"] == "it says 1 of every row"
    assert document["correlation"]["scores"][0] == [None] * 3


def test_records_have_a_line_for_each_set_of_rows() -> None:
    rows = list(csv.DictReader(io.StringIO(full_outcomes().to_csv())))
    assert [row["rows"] for row in rows if row["measure"] == "length only"] == [
        "all",
        "without unchanged",
        "prefix:2000-3000 plain",
        "prefix:2000-3000 changed",
    ]
    assert float(rows[0]["pearson"]) == 0.2
    assert float(rows[0]["pearson_task_low"]) == pytest.approx(0.0)
    assert rows[0]["pearson_group_high"] == ""
