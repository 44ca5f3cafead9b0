from hypothesis import given
from hypothesis import strategies as st

from codekin.represent.text.positions import Positions


def test_lines_and_columns():
    positions = Positions("a\nbé文c\n\nd".encode())
    assert positions.line_column(0) == (1, 1)
    assert positions.line_column(1) == (1, 2)
    assert positions.line_column(2) == (2, 1)
    assert positions.line_column(8) == (2, 4)
    assert positions.line_column(10) == (3, 1)
    assert positions.line_column(12) == (4, 2)


def test_carriage_returns_belong_to_their_line():
    assert Positions(b"a\r\nb").line_column(3) == (2, 1)


@given(st.text(max_size=50), st.integers(0, 50))
def test_agrees_with_counting(text, index):
    before = text[:index]
    byte = len(before.encode("utf-8", "surrogatepass"))
    positions = Positions(text.encode("utf-8", "surrogatepass"))
    assert positions.characters(byte) == len(before)
    line = before.count("\n") + 1
    assert positions.line_column(byte) == (line, len(before) - (before.rfind("\n") + 1) + 1)
