"""The prose of the index of results says what the tables of the pages say."""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "results"


@pytest.fixture(scope="module")
def wrong_claims():
    sys.path.insert(0, str(ROOT / "results"))
    try:
        return runpy.run_path(str(ROOT / "results" / "claims.py"))["wrong_claims"]
    finally:
        sys.path.remove(str(ROOT / "results"))


def test_every_number_of_the_prose_is_that_of_its_table(wrong_claims):
    assert wrong_claims(PAGES) == []


@pytest.mark.parametrize(
    ("page", "before", "after", "wrong"),
    [
        ("index.md", "is 0.146 (`kin`", "is 0.147 (`kin`", "0.147 has no cell"),
        ("index.md", "is 0.146 (`kin`", "is large (`kin`", "0.146 is in claims.toml, but not"),
        ("triplets.md", "| kin | 0.146 |", "| kin | 0.152 |", "0.146, but triplets.md"),
        (
            "triplets.md",
            "| jaccard | 0.066 |",
            "| jaccard | 0.166 |",
            "matched: d first are jaccard",
        ),
        ("index.md", "**All effects are small.**", "**Effects.**", "no paragraph begins with"),
    ],
)
def test_what_does_not_hold_any_more_is_named(wrong_claims, tmp_path, page, before, after, wrong):
    pages = tmp_path / "results"
    shutil.copytree(PAGES, pages)
    text = (pages / page).read_text(encoding="utf-8")
    assert before in text
    (pages / page).write_text(text.replace(before, after), encoding="utf-8")
    assert any(wrong in line for line in wrong_claims(pages))
