from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import Source
from codekin.revisions.alignment import TextUnits, line_units, token_units


def word_units(text: str) -> TextUnits:
    return token_units(Source(text, "text"))


def shown(units: TextUnits) -> list[str]:
    return [units.text[s:e] for s, e in zip(units.starts, units.ends, strict=True)]


@given(st.text("ab\n\t .é", max_size=40))
@pytest.mark.parametrize("cut", [word_units, line_units])
def test_units_are_in_order_and_leave_only_blanks_out(cut, text: str) -> None:
    units = cut(text)
    assert "".join(shown(units)).split() == shown_words(units)
    assert "".join("".join(shown(units)).split()) == "".join(text.split())
    assert units.starts == sorted(units.starts)
    assert len(units.ids) == len(units)
    assert [int(a == b) for a in shown(units) for b in shown(units)] == [
        int(a == b) for a in units.ids.tolist() for b in units.ids.tolist()
    ]


def shown_words(units: TextUnits) -> list[str]:
    return "".join(shown(units)).split()


@given(st.text("ab\n\r .", max_size=40))
def test_lines_are_those_of_the_text(text: str) -> None:
    units = word_units(text)
    lines = text.split("\n")
    assert len(units.line_texts) == len(units.line_starts) == len(lines) - (not lines[-1])
    for number, start in enumerate(units.line_starts):
        assert text[start:].split("\n", maxsplit=1)[0].rstrip() == units.line_texts[number]
    for start, line in zip(units.starts, units.first_lines, strict=True):
        assert text[:start].count("\n") == line
    assert line_units(text).lines.tolist() == list(range(len(line_units(text))))


def test_the_words_of_prose_are_in_lines() -> None:
    units = word_units("It rained\nall day. We stayed in.\n\nNo one\ncame")
    begins = [units.text[units.starts[at] : units.ends[at]] for at in units.lines]
    assert begins == ["It", "all", "No", "came"]
    assert units.name == "word"


def test_tokens_are_lexemes_in_characters() -> None:
    units = token_units(Source("é = 'ü'  # no\nif é:\n    f(é)\n", "python"))
    assert shown(units) == ["", "é", "=", "'ü'", "", "if", "é", ":", "    ", "f", "(", "é", ")"]
    assert units.indents == {0: 0, 4: 0, 8: 4}


def test_a_unit_of_several_lines_ends_in_the_last() -> None:
    units = token_units(Source("x = '''a\nb\n'''\n", "python"))
    assert (units.first_lines[-1], units.last_lines[-1]) == (0, 2)


def test_lines_know_nothing_of_the_blanks_at_their_ends() -> None:
    first, second = line_units("a  \r\n b"), line_units("a\n b\n")
    assert first.ids.tolist() == second.ids.tolist()
    assert line_units(" a").ids.tolist() != line_units("a").ids.tolist()
