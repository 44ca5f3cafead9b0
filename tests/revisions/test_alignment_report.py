from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.revisions.examples import example, python

from codekin.revisions.alignment_report import alignment_report
from codekin.revisions.alignment_view import view_of

TOKENS = st.lists(st.sampled_from("ab()\n"), max_size=12).map(" ".join)


@given(TOKENS, TOKENS, TOKENS)
def test_the_edits_of_regions_add_up(origin: str, reference: str, candidate: str) -> None:
    aligned = python(origin, reference, candidate)
    document = alignment_report(aligned, scores=[]).document()
    summary = document["summary"]
    total = 0
    for region in document["regions"]:
        for deed in ("inserted", "deleted"):
            total += sum(region[deed].values())
            by = {edit["by"] for edit in region["edits"] if edit["edit"] + "ed" == deed} | {
                edit["by"] for edit in region["edits"] if edit["edit"] + "d" == deed
            }
            found = {who for who, n in region[deed].items() if n}
            assert {"alike" if who == "both" else who for who in by} == found
    parts = ("alike", "reference", "candidate", "differently")
    assert total == sum(summary[part] for part in parts)
    assert len(document["regions"]) == summary["regions"]


def test_the_page_of_a_report_gets_every_row_and_every_word() -> None:
    view = view_of(example())
    brief = json.loads(json.dumps(view.brief()))
    assert brief["summary"] == view.summary.words("token")
    assert brief["marks"] == ["ia", "io", "da", "dr"]
    rows = [item for item in brief["items"] if isinstance(item, list)]
    (row,) = (row for row in rows if row[0] and row[0][0] == 4)
    expected = ["    ", "p", "for i in range(", "k", "1", "da", ",", "dr", " ", "p"]
    assert row[0] == [4, *expected, "len(values)):", "k"]
    assert row[3] == 1
    (head,) = (item for item in brief["items"] if isinstance(item, dict) and item["number"] == 5)
    assert head["verdict"] == [["both replace ", 0], [">", 1], [" by ", 0], ["<", 1]]
    assert "… 3 unchanged lines …" in brief["items"]
