from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codekin import Source
from codekin.languages import TokenClass
from codekin.represent.text.words import word_spans


def words(text):
    return [text[start:end] for start, end in word_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop!", ["Don't", "stop", "!"]),
        ("l’été d'Anne", ["l’été", "d'Anne"]),
        ("'quoted' rock 'n' roll", ["'", "quoted", "'", "rock", "'", "n", "'", "roll"]),
        ("$1,250.50, 3.14.", ["$", "1,250.50", ",", "3.14", "."]),
        ("well-known -- e.g. x_y", ["well", "-", "known", "--", "e", ".", "g", ".", "x_y"]),
        ("wait... what?!", ["wait", "...", "what", "?", "!"]),
        ("日本語です。", ["日", "本", "語", "で", "す", "。"]),
        ("カタカナ 한국어", ["カタカナ", "한국어"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("\ufeffa\u200bb", ["a", "b"]),
        ("👍🏽 ok", ["👍", "🏽", "ok"]),
        ("\0x", ["\0", "x"]),
        ("", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@given(st.text(max_size=60))
@example("\u0301\u0301a")
@example(".\n.\n\n.")
def test_nothing_but_blanks_is_left_out(text):
    spans = word_spans(text)
    kept = "".join(text[a:b] for a, b in spans)
    blank = "\ufeff\u200b\u2060"
    assert "".join(kept.split()) == "".join(c for c in "".join(text.split()) if c not in blank)
    assert all(a < b for a, b in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(st.text(max_size=60))
def test_tokens_and_lexemes_are_the_same_words(text):
    source = Source(text, "text")
    assert source.tokens.texts == source.lexemes.texts
    assert source.tokens.ids.tolist() == source.lexemes.ids.tolist()
    assert [t.text for t in source.tokens] == [text[t.start : t.end] for t in source.tokens]
    begins = [at for at, t in enumerate(source.tokens) if at in source.lexemes.lines]
    lines = [token.line for token in source.tokens]
    assert begins == [at for at in range(len(lines)) if at == 0 or lines[at] != lines[at - 1]]


def test_words_have_classes():
    classes = [token.cls for token in Source("In 2024, 3.5 %", "text").tokens]
    assert classes == [
        TokenClass.IDENTIFIER,
        TokenClass.INTEGER,
        TokenClass.DELIMITER,
        TokenClass.FLOAT,
        TokenClass.DELIMITER,
    ]


def test_long_texts_take_linear_time_and_lexemes_have_a_limit():
    text = "It rained.\n" * 120_000
    lexemes = Source(text, "text").lexemes
    assert lexemes.unread == len(text) - 1_000_000
    assert len(lexemes.lines) == 90_910
    assert len(Source("." * 200_000 + "'" * 200_000, "text").lexemes) > 1
