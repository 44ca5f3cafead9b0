from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from codekin import Explanation, Span
from codekin.plain_text import visible
from codekin.report.terminal import code_lines, side_by_side


def drawn(explanation: Explanation, width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width, color_system=None)
    screen.print(side_by_side(explanation, width))
    return screen.file.getvalue().splitlines()  # type: ignore[attr-defined,no-any-return]


def explained(candidate: str, reference: str) -> Explanation:
    return Explanation("", (Span(0, len(candidate)),), (), candidate, reference)


@given(st.text(max_size=60), st.text(max_size=60), st.integers(8, 120))
def test_lines_never_exceed_the_width(candidate, reference, width) -> None:
    for line in drawn(explained(candidate, reference), width):
        assert cell_len(line) <= width


@given(st.text(max_size=40))
def test_nothing_invisible_is_left(text) -> None:
    assert "".join(visible(character) for character in text).isprintable()


def test_the_middle_stays_straight_beside_wide_characters() -> None:
    lines = drawn(explained("x = '漢字'\ny\té\n", "a\nb\n"), 80)
    assert len({cell_len(line.split("│")[0]) for line in lines}) == 1


def test_narrow_screens_stack_the_texts() -> None:
    lines = drawn(explained("a\n", "b\n"), 40)
    assert [line.rstrip("─ ") for line in lines] == [
        "── candidate",
        "1 █ a",
        "── reference",
        "1 · b",
    ]


def test_the_longer_text_goes_on_alone() -> None:
    lines = drawn(explained("a\n", "b\nc\nd\n"), 80)
    assert [line.split("│")[1].strip()[:5] for line in lines[1:]] == ["1 · b", "2 · c", "3 · d"]


@pytest.mark.parametrize(
    ("level", "sign"), [(0.0, "·"), (0.01, "░"), (0.5, "▒"), (0.99, "▓"), (1.0, "█")]
)
def test_signs_say_how_much_was_found(level, sign) -> None:
    (line,) = code_lines("abc", [Span(0, 3, level)], 40)
    assert line.plain == f"1 {sign} abc"


def test_spans_colour_their_characters_alone() -> None:
    (line,) = code_lines("abc", [Span(1, 2)], 40)
    screen = Console()
    ground = [line.get_style_at_offset(screen, i).bgcolor for i in range(4, 7)]
    assert ground[0] is None
    assert ground[1] is not None
    assert ground[2] is None


def test_an_empty_text_says_so() -> None:
    assert code_lines("", [], 40)[0].plain.strip() == "(empty)"
