import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import Source, language_names
from codekin.align.line_diff import split_lines
from codekin.represent.text.comments import uncommented


def left_of(text, language):
    source = Source(text, language)
    return uncommented(source.tree, source.data)


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("python", "# a\nx = 1  # b\n    # c\ny = 2", "x = 1\ny = 2"),
        (
            "python",
            'def f():\n    """Say.\n\n    More."""\n    return "# no"\n',
            'def f():\n    return "# no"\n',
        ),
        ("python", "x = 1\n# last", "x = 1\n"),
        ("python", "é = 1  # ü\r\ny\r\n", "é = 1\r\ny\r\n"),
        ("java", "int a /* x */ = 1; // y\n/** z\n\n * z */\nint b;\n", "int a = 1;\nint b;\n"),
        ("java", "  /* x */ int a;\n", "  int a;\n"),
        ("java", "int/**/a; /* x\ny */ int b;\n", "int a;\nint b;\n"),
        ("c", "int a; /* x */ /* y */ int b;\n", "int a; int b;\n"),
        ("c", 'char *s = "/* no */";\n', 'char *s = "/* no */";\n'),
    ],
)
def test_comments_go_and_code_stays(language, text, left):
    assert left_of(text, language).text == left


def test_lines_are_those_of_the_whole_text():
    left = left_of("# a\nx = 1\n# b\n\ny = 2\n", "python")
    assert left.dropped == (0, 2)
    assert left.numbers(3) == [1, 3, 4]
    assert left_of("x = 1\n", "python").numbers(1) == [0]


@given(st.text(max_size=60), st.sampled_from(language_names()))
def test_any_text_can_do_without(text, language):
    left = left_of(text, language)
    whole, cut = split_lines(text), split_lines(left.text)
    numbers = left.numbers(len(cut))
    assert len(cut) + len(left.dropped) == len(whole)
    for number, line in zip(numbers, cut, strict=True):
        rest = iter("".join(whole[number].split()))
        assert all(c in rest for c in "".join(line.split()))  # in this order
