from __future__ import annotations

import base64
import json
import re
import zlib

import numpy as np
import pytest
from tests.report.many_files import matrix
from tests.report.nasty import NASTY

from codekin import CodekinError, similarity_matrix
from codekin.report.matrix_page import check_size, matrix_page


def piece(page: str, name: str) -> bytes:
    (packed,) = re.findall(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    return zlib.decompress(base64.b64decode(packed), -15)


def page_of(found, **more) -> str:
    return matrix_page(found, **more).decode()


def test_nothing_is_asked_of_a_network() -> None:
    page = page_of(matrix(2, 3))
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)
    assert "default-src 'none'" in page


def test_the_same_matrix_gives_the_same_bytes() -> None:
    assert page_of(matrix(2, 3)) == page_of(matrix(2, 3))


def test_the_numbers_of_the_matrix_are_in_it() -> None:
    found = matrix(2, 3, loose=True)
    page = page_of(found)
    above = np.triu_indices(6, 1)
    for name in ("values", "lower", "upper"):
        numbers = np.frombuffer(piece(page, name), "<f4")
        assert numbers == pytest.approx(getattr(found, name)[above], abs=1e-6)
    assert json.loads(piece(page, "names")) == list(found.names)
    assert np.frombuffer(piece(page, "order"), "<u4").tolist() == list(found.order)
    joins = np.frombuffer(piece(page, "joins"), "<f8").reshape(-1, 3)
    assert joins[:, 2] == pytest.approx(1 - found.linkage[:, 2])


def test_of_two_directions_both_are_in_it() -> None:
    found = matrix(2, 2, turned=True)
    page = page_of(found)
    assert np.frombuffer(piece(page, "values"), "<f4") == pytest.approx(found.values.ravel())
    assert "the row is the candidate and the column the reference" in page


def test_lists_are_there_without_a_script() -> None:
    found = matrix(2, 3, copy=True, loose=True)
    page = page_of(found)
    pairs = re.findall(r'<tr data-pair="(\d+)-(\d+)">', page)
    assert len(pairs) == 21
    assert pairs[0] == ("0", "6")
    assert "<small>the same text</small>" in page
    assert re.search(r"<small>0\.2\d00 to 0\.3\d00</small>", page)
    shared = [group for group in found.groups if len(group.members) > 1]
    assert len(shared) > 1
    assert page.count('<li class="of-') == len(shared)
    assert "<span>family0-0.py</span><span>zz-copy.py</span>" in page
    assert '<tr><td><span class="name">bad.py</span></td><td>no</td></tr>' in page
    assert page.count('<th scope="row"') == 7
    assert re.search(r'<td class="number">~0\.\d{3}</td>', page)


def test_of_many_files_there_are_the_most_alike_pairs_and_no_table() -> None:
    page = page_of(matrix(8, 5))
    assert page.count("<tr data-pair=") == 200
    assert "The first 200 of 780 pairs" in page
    assert '<th scope="row"' not in page


def test_a_few_copies_do_not_take_the_colours_from_all_others() -> None:
    few, many = matrix(1, 3, copy=True), matrix(1, 40, copy=True)
    for found, high in ((few, 1.0), (many, 0.8)):
        page = page_of(found)
        (about,) = re.findall(r'<script type="application/json" id="about">(.*?)</script>', page)
        assert json.loads(about)["scale"] == pytest.approx([0.7, high, 1.0])


def test_texts_are_in_it_unless_they_are_not_wanted() -> None:
    found = similarity_matrix({"a": "x = 1\r\ny = 2\r\n", "b": "x = 1\n"}, "nes", language="python")
    whole = page_of(found)
    assert json.loads(piece(whole, "texts")) == ["x = 1\ny = 2\n", "x = 1\n"]
    why = json.loads(piece(whole, "why"))["0-1"]
    assert why["measures"]["summary"].startswith("6 chars must be")
    bare = page_of(found, texts=False)
    assert json.loads(piece(bare, "texts")) == [None, None]
    assert json.loads(piece(bare, "why")) == {}


def test_of_very_many_characters_the_most_alike_come_first(monkeypatch) -> None:
    monkeypatch.setattr("codekin.report.matrix_page._ALL_TEXTS", 60)
    page = page_of(matrix(2, 2))
    kept = [text is not None for text in json.loads(piece(page, "texts"))]
    assert kept.count(True) == 2
    assert kept in ([True, True, False, False], [False, False, True, True])


def test_nasty_texts_and_names_stay_texts() -> None:
    found = similarity_matrix(
        {f"{i}{text}": text for i, text in enumerate(NASTY)},
        "nes",
        language="python",
        unusable=dict.fromkeys(NASTY, NASTY[0]),
    )
    page = page_of(found, folder=NASTY[0])
    assert "alert(1)" not in "".join(re.findall(r"<script>.*?</script>", page, re.S))
    assert "<img" not in page
    assert json.loads(piece(page, "texts")) == [found.sources[name].text for name in found.names]


def test_too_many_files_are_refused() -> None:
    with pytest.raises(CodekinError, match=r"up to 2,000 files, and these are 2,001; compare"):
        check_size(2001)
