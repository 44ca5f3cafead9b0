from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.plain_text import plain, spreadsheet_cell


@given(st.text())
def test_what_is_plain_is_printable_and_stays_so(text):
    assert plain(text).isprintable()
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize("number", [-0.5, 3, None, True, "-0.5", "+1", "1e-9", "-1.5e+10", ".5"])
def test_numbers_stay_as_they_are(number):
    assert spreadsheet_cell(number) is number


@given(st.text(alphabet=st.sampled_from("=+-@;' \"\t\r\n\x1b0a＝"), max_size=12))
def test_no_text_begins_a_formula(text):
    cell = spreadsheet_cell(text)
    assert cell.replace("\n", "").isprintable()
    if not re.fullmatch("[-+]?0+", text):  # a number
        for piece in re.split("[;\n]", cell):
            assert not piece.lstrip(' "').startswith(tuple("=+-@＝"))


def test_other_texts_are_not_changed():
    for text in ("bleu", "a-b", "x = 1", "a;b", "1-2", "été", ""):
        assert spreadsheet_cell(text) == text
