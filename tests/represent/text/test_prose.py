from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codekin import Source
from codekin.languages import TokenClass
from codekin.represent.text.prose import sentence_lines, sentence_starts, word_spans


def words(text):
    return [text[start:end] for start, end in word_spans(text)]


def sentences(text):
    return sentence_lines(text).splitlines()


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We stayed in.", ["It rained.", "We stayed in."]),
        ("Dr. Smith met Mr. J. R. Jones.", ["Dr. Smith met Mr. J. R. Jones."]),
        ("See Fig. 3 and No. 5. Then stop.", ["See Fig. 3 and No. 5.", "Then stop."]),
        ("Use e.g. this. Or i.e. that.", ["Use e.g. this.", "Or i.e. that."]),
        ("It costs 3.50 euros. Fine.", ["It costs 3.50 euros.", "Fine."]),
        ('He said "Go!" and left. "Why?" Nobody knew.', None),
        ("Wait... what? Yes!", ["Wait... what?", "Yes!"]),
        ("It ended... Then it began.", ["It ended...", "Then it began."]),
        ("(It rained.) We left.", ["(It rained.)", "We left."]),
        ("So did I. She too.", ["So did I.", "She too."]),
        ("今日は晴れ。明日は雨！「行く。」と言った。", None),
        ("Titre\n\nCorps du texte\nsur deux lignes.", ["Titre", "Corps du texte sur deux lignes."]),
        ("# Title\nBody text.\n- one\n- two", ["# Title", "Body text.", "- one", "- two"]),
        ("1. first\n2. second", ["1. first", "2. second"]),
        ("Visit www.example.com today. Bye.", ["Visit www.example.com today.", "Bye."]),
        ("¿Quién? ¡Yo!", ["¿Quién?", "¡Yo!"]),
        ("no capitals. none at all.", ["no capitals. none at all."]),
        ("a\r\n\r\nb", ["a", "b"]),
        (" \n ", []),
    ],
)
def test_sentences(text, expected):
    found = sentences(text)
    if expected is None:
        expected = {
            "H": ['He said "Go!" and left.', '"Why?"', "Nobody knew."],
            "今": ["今日は晴れ。", "明日は雨！", "「行く。」", "と言った。"],
        }[text[0]]
    assert found == expected


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
    starts = sentence_starts(text, spans)
    assert starts == sorted(set(starts))
    assert starts[:1] == ([0] if spans else [])


@given(st.text(max_size=60))
def test_tokens_and_lexemes_are_the_same_words(text):
    source = Source(text, "text")
    assert source.tokens.texts == source.lexemes.texts
    assert source.tokens.ids.tolist() == source.lexemes.ids.tolist()
    assert [t.text for t in source.tokens] == [text[t.start : t.end] for t in source.tokens]


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
    text = "It rained. " * 120_000
    lexemes = Source(text, "text").lexemes
    assert lexemes.unread == len(text) - 1_000_000
    assert len(lexemes.lines) == 90_910
    assert len(Source("." * 200_000 + "'" * 200_000, "text").lexemes) > 1
