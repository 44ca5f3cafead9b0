from __future__ import annotations

import base64
import io
import json
import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.report.nasty import NASTY

from codekin.report.pages import Pages, embed, pack, put_json, put_numbers


def test_embedding_escapes_everything_that_could_end_it() -> None:
    for text in (*NASTY, "\ud800 alone"):
        shown = embed(text)
        assert json.loads(shown) == text
        assert shown.isascii()
        assert not set("<>&") & set(shown)


@given(st.binary(max_size=2000))
def test_packed_data_come_back_and_hold_no_markup(data) -> None:
    packed = pack(data)
    assert zlib.decompress(base64.b64decode(packed), -15) == data
    assert not set(b"<>&-'\"") & set(packed)
    assert pack(data) == packed


def unpack(stream: io.BytesIO) -> dict[str, bytes]:
    found = {}
    for line in stream.getvalue().decode("ascii").splitlines():
        head, _, rest = line.partition(">")
        name = head.split('id="')[1].rstrip('"')
        found[name] = zlib.decompress(base64.b64decode(rest.removesuffix("</script>")), -15)
    return found


def test_numbers_are_little_endian() -> None:
    stream = io.BytesIO()
    put_numbers(stream, "n", np.array([1.5, np.nan], dtype=">f4"))
    assert np.frombuffer(unpack(stream)["n"], "<f4")[0] == 1.5


def test_halves_of_characters_do_not_end_the_report() -> None:
    stream = io.BytesIO()
    put_json(stream, "j", {"note": "cut \ud83d"})
    assert json.loads(unpack(stream)["j"]) == {"note": "cut ?"}


@given(st.lists(st.integers(0, 150_000), max_size=40))
def test_pages_hold_every_item_once_and_in_order(sizes) -> None:
    stream = io.BytesIO()
    pages = Pages(stream, "p")
    for i, size in enumerate(sizes):
        pages.add(i, size)
    pages.close()
    written = unpack(stream)
    assert list(written) == [f"p-{i}" for i in range(len(pages.starts))]
    items = [json.loads(page) for page in written.values()]
    assert [page[0] for page in items] == pages.starts
    assert [item for page in items for item in page] == list(range(len(sizes)))
    for page in items:
        assert len(page) == 1 or sum(sizes[i] for i in page) <= 200_000


def test_many_small_items_are_paged_too() -> None:
    pages = Pages(io.BytesIO(), "p")
    for i in range(2500):
        pages.add(i, 1)
    pages.close()
    assert pages.starts == [0, 1000, 2000]
