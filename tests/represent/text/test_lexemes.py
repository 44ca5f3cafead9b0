import io
import json
import random
import re
import time
import tokenize
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin.languages import languages
from codekin.source import Source

SAMPLE = Path(__file__).parents[2] / "languages" / "samples" / "python.pyw"
NAMES = [language.name for language in languages()]
BLANK = re.compile(
    "(?:[ \t-\r\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]"
    "|\\\\(?=[\r\n]))*\\Z"
)
PROGRAMS = [
    json.loads(line)
    for line in resources.files("codekin")
    .joinpath("data", "programs.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
# Text full of what opens and closes things.
NOISE = st.text(
    st.sampled_from("abR_r0e1. \t\n\r\\'\"`#/*%:?<>=~-!@$&|()[]{}é→\u2028\ufeff\0\ud800"),
    max_size=60,
)


def without_layout(lexemes):
    return [t for t, layout in zip(lexemes.texts, lexemes.layout, strict=True) if not layout]


def assert_well_formed(source):
    for comments in (False, True):
        lexemes = source.lexemes_with(comments=comments)
        starts, ends = lexemes.starts.tolist(), lexemes.ends.tolist()
        assert all(s <= e for s, e in zip(starts, ends, strict=True))
        assert all(e <= s for e, s in zip(ends, starts[1:], strict=False))
        assert not starts or (starts[0] >= 0 and ends[-1] <= len(source.data))
        assert len(lexemes.texts) == len(lexemes.ids) == len(lexemes.layout) == len(starts)
        assert np.all(lexemes.ids != 0)
        lines = lexemes.lines.tolist()
        assert lines == sorted(set(lines))
        assert lines[:1] == [0][: len(starts)] and all(k < len(starts) for k in lines)
    assert_nothing_is_lost(source)


def assert_nothing_is_lost(source):
    lexemes, position = source.lexemes_with(comments=True), 0
    spans = zip(lexemes.starts.tolist(), lexemes.ends.tolist(), lexemes.layout, strict=True)
    for start, end, layout in spans:
        if not layout:
            gap = source.data[position:start].decode("utf-8", "surrogatepass")
            assert BLANK.match(gap), gap
            position = end
    assert BLANK.match(source.data[position:].decode("utf-8", "surrogatepass"))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40) | NOISE, st.sampled_from(NAMES))
def test_any_text_is_cut_and_nothing_is_lost(text, name):
    source = Source(text, name)
    assert_well_formed(source)
    again = Source(text, name).lexemes
    assert again.ids.tolist() == source.lexemes.ids.tolist()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(text=NOISE)
def test_noise_of_every_language_is_cut(name, text):
    assert_well_formed(Source(text, name))


@settings(max_examples=60, deadline=None)
@given(NOISE, st.sampled_from(NAMES))
def test_identities_are_those_of_texts(text, name):
    lexemes = Source(text, name).lexemes
    texts, ids = lexemes.texts, lexemes.ids.tolist()
    assert len(set(zip(texts, ids, strict=True))) == len(set(texts)) == len(set(ids))


def test_identities_are_those_of_tokens():
    source = Source("int main() { return alpha_beta_gamma + 1; }", "c")
    assert source.lexemes.texts == source.tokens.texts
    assert source.lexemes.ids.tolist() == source.tokens.ids.tolist()


def test_layout_has_identities_of_its_own_for_every_column():
    text = "".join("if x:\n" + " " * k for k in range(1, 40)) + "x"
    lexemes = Source(text, "python").lexemes
    layout = lexemes.ids[lexemes.layout].tolist()
    assert len(set(layout)) == len(layout)
    assert not set(layout) & set(Source(text, "python").tokens.ids.tolist())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program["id"])
def test_a_prefix_changes_nothing(program):
    source = Source(program["code"], program["language"])
    chance = random.Random(program["id"])
    for _ in range(3):
        prefix = "".join(chance.choices("abcdef \n", k=chance.randint(1, 2000)))
        both = Source(prefix + "\n" + program["code"], program["language"]).lexemes
        own = source.lexemes
        assert both.ids[len(both) - len(own) :].tolist() == own.ids.tolist()
        shift = len(both) - len(own)
        lines = [k - shift for k in both.lines.tolist() if k >= shift]
        assert lines == own.lines.tolist()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program["id"])
def test_lexemes_of_programs_are_the_tokens(program):
    source = Source(program["code"], program["language"])
    tokens = source.tokens
    expected = []
    for text, cls in zip(tokens.texts, tokens.classes.tolist(), strict=True):
        if cls < 14:
            directive = re.fullmatch(r"(#)(\w+)", text)
            expected += directive.groups() if directive else text.split(" ") if cls == 1 else [text]
    assert closed_apart(without_layout(source.lexemes)) == closed_apart(expected)


def closed_apart(texts):
    """Every ``>>`` in two: only a parser knows which of them close two templates."""
    return [part for text in texts for part in ([">", ">"] if text == ">>" else [text])]


def of_cpython(text):
    """Texts of Python's own tokeniser; each logical line begins with its column."""
    found, fresh = [], True
    skipped = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in skipped:
            continue
        if token.type == tokenize.NEWLINE:
            fresh = True
            continue
        if fresh:
            found.append(f"⏎{len(token.line[: token.start[1]].expandtabs(8))}")
        fresh = False
        found.append(token.string)
    return found


def of_codekin(text):
    source = Source(text, "python")
    comments = {t for t in source.lexemes_with(comments=True).texts if t.startswith("#")}
    return [t for t in source.lexemes_with(comments=True).texts if t not in comments]


PYTHON = [
    "x = 1",
    "if x:\n    y\nelse:\n\tz\n",
    "def f():\n    'doc'\n    # note \\\n    return 1\n\n\n# end\n",
    "x = [\n1,\n\n# c\n2]\ny\n",
    "x = 1 + \\\n    2\ny = 3\n",
    'x = """a\n  b\n"""\ny\n',
    "x = '''\n''' + y\nz\n",
    "if x: y; z\nw\n",
    "class A:\n    x = 1  # c\n# c\n    y = 2\n",
    "if x:\r\n    y\r\nz\r\n",
    "@d\ndef f(x, *, y=lambda: (0)): ...\n",
    "from a import (b,\n  c)\nx = (yield\n  from_)\n",
]


@pytest.mark.parametrize("text", [*PYTHON, SAMPLE.read_text(encoding="utf-8")])
def test_python_is_cut_as_cpython_does(text):
    assert of_codekin(text) == of_cpython(text)


@pytest.mark.parametrize("program", PROGRAMS[:12], ids=lambda program: program["id"])
def test_python_programs_are_cut_as_cpython_does(program):
    assert program["language"] == "python"
    assert of_codekin(program["code"]) == of_cpython(program["code"])


def test_docstrings_go_with_their_layout():
    source = Source('"a" "b"  # c\ndef f():\n  """d"""\n  x\n  "e"; y\n', "python")
    texts = ["⏎0", "def", "f", "(", ")", ":", "⏎2", "x", "⏎2", '"e"', ";", "y"]
    assert source.lexemes.texts == texts
    kept = source.lexemes_with(comments=True)
    assert kept.texts[:4] == ["⏎0", '"a"', '"b"', "# c"]
    assert "".join(kept.texts).count('"""d"""') == 1


def test_a_string_in_brackets_is_no_docstring():
    assert Source("('a'\n'b')", "python").lexemes.texts == ["⏎0", "(", "'a'", "'b'", ")"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("f(\ndef g():\n  x", ["⏎0", "⏎0", "⏎2"]),
        ("f(\n  a\n  b", ["⏎0"]),
        ("f(\nfrom a import b", ["⏎0", "⏎0"]),
        ("f(x for x in\n  from_)", ["⏎0"]),
        ("f((yield\n  from a))", ["⏎0"]),
        ("f)\n)\nx", ["⏎0", "⏎0", "⏎0"]),
        ("f(\n  if x\n  else y)\nz", ["⏎0", "⏎0"]),
    ],
)
def test_open_brackets_end_where_a_statement_begins(text, lines):
    assert [t for t in Source(text, "python").lexemes.texts if t[0] == "⏎"] == lines


def test_layout_covers_the_blanks_of_its_line():
    lexemes = Source("if x:\n \ty", "python").lexemes
    assert lexemes.texts[-2:] == ["⏎8", "y"]
    assert lexemes.data[lexemes.starts[-2] : lexemes.ends[-2]] == b" \t"
    assert lexemes.lines.tolist() == [0, 4]


def test_lines_are_physical_where_layout_does_not_count():
    lexemes = Source("a;\n\n/* x\n */ b(\nc) `d\ne` f\n// g\n", "go").lexemes
    assert [lexemes.texts[k] for k in lexemes.lines] == ["a", "b", "c", "f"]
    kept = Source("a;\n// g\n/* x\n*/ b", "go").lexemes_with(comments=True)
    assert [kept.texts[k] for k in kept.lines] == ["a", "// g", "/* x\n*/", "b"]


def test_comment_lines_are_lines_of_their_own():
    kept = Source("x = [ # a\n  # b\n  1]  # c\n# d\ny\n", "python").lexemes_with(comments=True)
    assert [kept.texts[k] for k in kept.lines] == ["⏎0", "# d", "⏎0"]


def test_nothing_is_parsed(monkeypatch):
    monkeypatch.setattr("codekin.source.flatten", None)
    source = Source("int x;", "c")
    assert source.lexemes.texts == ["int", "x", ";"]
    assert source.lexemes is source.lexemes


GARBAGE = [
    "/[",
    "$",
    "(",
    "`${",
    "f'{",
    "#include <\n",
    "<<~A\n",
    "<<<A\n",
    'R"(',
    "r#",
    "/*",
    "'",
    "%w[",
]


@pytest.mark.parametrize("name", NAMES)
def test_long_garbage_takes_linear_time(name):
    begin = time.process_time()
    for piece in GARBAGE:
        Source(piece * 20_000, name).lexemes.ids.sum()
    assert time.process_time() - begin < 3
