"""The page on which pairs are judged: what its file holds."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from typing import Any

from tests.corpora.judges import paired
from tests.report.nasty import NASTY

from codekin.corpora.corpus import Corpus
from codekin.corpora.judging import judging_sample
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems, Snippet
from codekin.report.judging_page import judging_page


def piece(page: bytes, name: str) -> Any:
    """A piece of data in a page."""
    [packed] = re.findall(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page.decode())
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def two(first: str, second: str, **more: str) -> Corpus:
    """A corpus of one pair."""
    snippets = (Snippet("a", "python", first, file=more.get("file")), Snippet("b", "c", second))
    row = {"id1": "a", "id2": "b", "basis": more.get("basis")}
    return Corpus(
        more.get("name", "two"), snippets, Pairs.of_rows([row], snippets, Problems("rows"))
    )


def shown(corpus: Corpus) -> dict[str, Any]:
    """What the page holds of the only pair, first things first."""
    sample = judging_sample(corpus, 1)
    [found] = piece(judging_page(sample), "pairs-0")
    if sample.pairs[0].first.id == "b":
        found = {k: v[::-1] if isinstance(v, list) else v for k, v in found.items()}
    return found


def test_the_same_sample_gives_the_same_bytes() -> None:
    sample = judging_sample(paired(), 20, by="basis")
    assert judging_page(sample) == judging_page(judging_sample(paired(), 20, by="basis"))


def test_the_page_holds_every_pair_and_the_frame_of_an_export() -> None:
    sample = judging_sample(paired(), 66)
    page = judging_page(sample)
    pairs = piece(page, "pairs-0")
    assert [one["texts"] for one in pairs] == [[p.first.code, p.second.code] for p in sample.pairs]
    assert piece(page, "export") == sample.document()
    assert sample.fingerprint.encode() in page


def test_claims_are_not_shown_unless_asked_for() -> None:
    sample = judging_sample(paired(), 66)
    assert {one["claim"] for one in piece(judging_page(sample), "pairs-0")} == {None}
    shown = piece(judging_page(sample, show_claims=True), "pairs-0")
    assert [one["claim"] for one in shown] == [one.claim for one in sample.pairs]


def test_differing_lines_ignore_blanks() -> None:
    found = shown(two("a\n  b\nc\n\nd\n", "a\nb\r\nx\ny\n\nd"))
    assert found["differing"] == [[2, 3], [2, 4]]
    assert found["common"] == 3
    assert found["texts"][1] == "a\nb\nx\ny\n\nd"
    assert shown(two("a\n", "b\n"))["common"] == 0
    assert shown(two("", ""))["differing"] == [[], []]


def test_hostile_texts_stay_data() -> None:
    text = "\n".join(NASTY)
    corpus = two(text, text + "\nx\ud800", name=NASTY[0], basis=NASTY[9], file=NASTY[1])
    page = judging_page(judging_sample(corpus, 1), question=NASTY[9], show_claims=True)
    words = page.decode("utf-8")
    assert "<img src=x" not in words
    assert "alert(1)</script>" not in words
    assert words.count("</script>") == len(re.findall(r"<script[ >]", words))
    [found] = piece(page, "pairs-0")
    assert sorted(map(len, found["texts"])) == [len(text), len(text) + 3]


def test_long_texts_are_shown_without_colours() -> None:
    corpus = two("x = 'a'\n" * 30_000, "int y = 1;\n")
    found = shown(corpus)
    assert found["inks"][0] == []
    assert found["inks"][1] != []
    empty = replace(corpus, snippets=tuple(replace(one, code="") for one in corpus.snippets))
    assert shown(empty)["texts"] == ["", ""]
