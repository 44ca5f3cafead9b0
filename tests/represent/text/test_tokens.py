import io
import tokenize
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin.languages import TokenClass
from codekin.source import Source

SAMPLE = Path(__file__).parents[2] / "languages" / "samples" / "python.pyw"
LAYOUT = {tokenize.NEWLINE: "⏎", tokenize.INDENT: "⇥", tokenize.DEDENT: "⇤"}


def layout_of_cpython(text):
    """Code tokens as dots between the layout tokens of Python's own tokeniser."""
    found = []
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER, tokenize.ENCODING}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            found.append(LAYOUT.get(token.type, token.string))
    return found


def layout_of_codekin(text):
    tokens = Source(text, "python").tokens_with(comments=True)
    return [t.text for t in tokens if t.cls is not TokenClass.COMMENT]


def only_layout(tokens):
    return [t for t in tokens if t in "⏎⇥⇤"]


PROGRAMS = [
    "x = 1",
    "x = 1\n",
    "if x:\n    y\nelse:\n\tz\n",
    "if x:\n  if y:\n    z\nw\n",
    "def f():\n    return 1\n\n\n# end\n",
    "def f():\n    'doc'\n    # note \\\n    return 1\n",
    "f(a,\n  b)\ng()\n",
    "x = [\n1,\n\n# c\n2]\ny\n",
    "x = 1 + \\\n    2\ny = 3\n",
    "x = 1 \\\n\ny = 3\n",
    'x = """a\n  b\n"""\ny\n',
    "if x: y; z\nw\n",
    "class A:\n    x = 1  # c\n# c\n    y = 2\n",
    "if x:\n    y\n  # odd comment\nz\n",
    "for i in x:\n    \n    y\n\t\n    z\n",
    "if a:\n\tb\n\n\n",
    "\n\n  # c\nx\n",
    "if x:\r\n    y\r\nz\r\n",
    "if x:\n\f    y\nz\n",
    "@d\ndef f(x, *, y=lambda: (0)): ...\n",
    "x = '''\n'''; y\nz\n",
    "try:\n  pass\nexcept (A,\n   B):\n  pass\n",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_layout_is_cpythons(text):
    assert only_layout(layout_of_codekin(text)) == only_layout(layout_of_cpython(text))


def test_layout_of_a_whole_file_is_cpythons():
    text = SAMPLE.read_text(encoding="utf-8")
    assert only_layout(layout_of_codekin(text)) == only_layout(layout_of_cpython(text))


def test_tokens_and_layout_stand_in_cpythons_order():
    text = "def f(a):\n    # c\n    if a:\n        return [1,\n  2]\n    return 'x'\nf(3)\n"
    assert layout_of_codekin(text) == layout_of_cpython(text)


LINES = st.sampled_from(
    ["x = 1", "f(a,\n b)", "pass  # c", "y = '''s\n t'''", "z = [\n]", "a = 1 + \\\n  2", "# c", ""]
)
INDENTS = st.sampled_from(["  ", "    ", "\t", " \t"])


@st.composite
def blocks(draw, indent="", depth=0):
    lines = [indent + line for line in draw(st.lists(LINES, max_size=3))]
    lines.append(indent + "pass")
    if depth < 4 and draw(st.booleans()):
        head = draw(st.sampled_from(["if x:", "while (a and\n  b):", "def f():  # c", "else_ = 1"]))
        lines.append(indent + head)
        if head != "else_ = 1":
            lines.append(draw(blocks(indent + draw(INDENTS), depth + 1)))
        lines.append(indent + "pass")
    return "\n".join(lines)


@settings(max_examples=200, deadline=None)
@given(blocks())
def test_layout_of_made_programs_is_cpythons(text):
    assert layout_of_codekin(text) == layout_of_cpython(text)


def test_docstrings_go_with_their_line_ends():
    source = Source('"""m"""\ndef f():\n    "d"\n    return 1\n', "python")
    assert " ".join(source.tokens.texts) == "def f ( ) : ⏎ ⇥ return 1 ⏎ ⇤"
    kept = [t.text for t in source.tokens_with(comments=True) if t.cls is TokenClass.DOCSTRING]
    assert kept == ['"""m"""', '"d"']


def test_tokens_are_a_sequence():
    tokens = Source("x = é + 1", "python").tokens
    assert len(tokens) == 6
    assert [t.text for t in tokens[1:3]] == ["=", "é"]
    assert tokens[-2].text == "1"
    assert (tokens[2].start, tokens[2].end, tokens[3].start) == (4, 5, 6)
    assert (tokens[3].line, tokens[3].column) == (1, 7)
    with pytest.raises(IndexError):
        tokens[6]


@settings(deadline=None)
@given(st.lists(st.text("abcdefgh_é文", min_size=1, max_size=20), min_size=1, max_size=20))
def test_ids_are_equal_exactly_for_equal_texts(words):
    tokens = Source(" + ".join(words), "javascript").tokens
    pairs = set(zip(tokens.texts, tokens.ids.tolist(), strict=True))
    assert len(pairs) == len({t for t, _ in pairs}) == len({i for _, i in pairs})
