import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin.languages import TokenClass, languages
from codekin.source import Source

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())
NAMES = [language.name for language in languages()]
# What stands between tokens: white space, the marks grammars take for it, and joined lines.
GAP = re.compile(r"(?:[\s\ufeff\u2060\u200b]|\\(?=[\r\n]))*\Z")
COMMENTS = (TokenClass.COMMENT, TokenClass.DOCSTRING)


def assert_nothing_is_lost(source):
    everything = [t for t in source.tokens_with(comments=True) if t.cls < TokenClass.NEWLINE]
    position = 0
    for token in everything:
        assert token.start < token.end
        assert GAP.match(source.text[position : token.start]), (position, token)
        assert source.text[token.start : token.end] == token.text
        position = token.end
    assert GAP.match(source.text[position:])
    code = [t for t in source.tokens if t.cls < TokenClass.NEWLINE]
    assert code == [t for t in everything if t.cls not in COMMENTS]


def test_every_language_has_a_sample():
    assert {Source.from_file(path).language.name for path in SAMPLES} == set(NAMES)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_parse_and_every_token_has_a_class(path):
    source = Source.from_file(path)
    assert source.problems == ()
    unknown = [t for t in source.tokens_with(comments=True) if t.cls is TokenClass.UNKNOWN]
    assert unknown == []
    assert_nothing_is_lost(source)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_line_ends_do_not_change_tokens(path):
    source = Source.from_file(path)
    text = source.text.replace("\n", "\r\n")
    plain = [t.replace("\r", "") for t in Source(text, source.language).tokens.texts]
    assert plain == source.tokens.texts


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_byte_order_mark_is_no_token(path):
    source = Source.from_file(path)
    marked = Source("\ufeff" + source.text, source.language)
    if not source.text.startswith("#!"):
        assert marked.tokens.texts == source.tokens.texts


CASES = [
    ("c", "x = -1 + 2.5 * 0x1F / 1e9;", {"1": "INTEGER", "2.5": "FLOAT", "0x1F": "INTEGER"}),
    ("c", "x = 1e9 + 0x1p3 + 10u;", {"1e9": "FLOAT", "0x1p3": "FLOAT", "10u": "INTEGER"}),
    ("c", "#define ll long long\n", {"ll": "IDENTIFIER", "long": "KEYWORD"}),
    ("c", '#define S "a b" // c', {'"a b"': "STRING", "// c": "COMMENT"}),
    ("c", "#define H 0.5 + 'x'", {"0.5": "FLOAT", "'x'": "CHARACTER"}),
    ("javascript", "x = 1 + .5 + 1e3 + 0xe1 + 5n", {"1": "INTEGER", "0xe1": "INTEGER"}),
    ("javascript", "x = .5 + 1e3 + 5n", {".5": "FLOAT", "1e3": "FLOAT", "5n": "INTEGER"}),
    ("javascript", "x = `a ${b} c` + /d e/g", {"`a ${b} c`": "STRING", "/d e/g": "STRING"}),
    ("python", 'x = f"a {b} c"', {'f"a {b} c"': "STRING"}),
    ("python", "match = type(print)", {"match": "IDENTIFIER", "type": "IDENTIFIER"}),
    ("java", "class A { int f() { return this; } }", {"int": "TYPE", "this": "KEYWORD"}),
    ("csharp", 'var s = $"a {b} c";', {'$"a {b} c"': "STRING", "var": "KEYWORD"}),
    ("kotlin", "val x: Int? = null", {"null": "NULL", "val": "KEYWORD"}),
    ("kotlin", "val value = true", {"value": "IDENTIFIER", "true": "BOOLEAN"}),
    ("rust", "fn f<'a>(x: &'a str) {}", {"'a": "IDENTIFIER", "str": "TYPE"}),
    ("go", "var x = nil; const r = 'a'", {"nil": "NULL", "'a'": "CHARACTER"}),
    ("php", "<?php $a = 1.5;", {"<?php": "DELIMITER", "$a": "IDENTIFIER", "1.5": "FLOAT"}),
    ("ruby", "x = :sym; @y = nil", {":sym": "STRING", "@y": "IDENTIFIER", "nil": "NULL"}),
    ("cpp", 'auto s = R"(a b)";', {'R"(a b)"': "STRING", "auto": "KEYWORD"}),
    ("typescript", "let x: number = 1;", {"number": "TYPE", "let": "KEYWORD"}),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_classes(name, text, expected):
    found = {t.text: t.cls.name for t in Source(text, name).tokens_with(comments=True)}
    assert {k: found.get(k) for k in expected} == expected


ODD = st.text(
    st.one_of(
        st.sampled_from("(){}[]<>\"'`#/*\\\n\r\t\f\v \0;:,.$@!?&|=+-~^%\ufeff\u00a0\u2028"),
        st.sampled_from("abefnrxR019_é文"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(text=ODD)
def test_nothing_is_lost_of_any_text(name, text):
    assert_nothing_is_lost(Source(text, name))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_nothing_is_lost_of_damaged_code(name, data):
    path = next(p for p in SAMPLES if Source.from_file(p).language.name == name)
    text = Source.from_file(path).text
    cut = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 400))
    junk = data.draw(ODD)
    assert_nothing_is_lost(Source(text[:cut][-length:] + junk + text[cut:][:length], name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["", " \n\t\r\n\f", "\ufeff", "\ud800", "a\ud800(\udfff", "\0", "x\0y"]
)
def test_odd_texts(name, text):
    assert_nothing_is_lost(Source(text, name))


@pytest.mark.parametrize("name", NAMES)
def test_deep_nesting(name):
    source = Source("x = " + "(" * 3000 + "1" + ")" * 3000 + "\n", name)
    assert len([t for t in source.tokens if t.cls < TokenClass.NEWLINE]) >= 6003
