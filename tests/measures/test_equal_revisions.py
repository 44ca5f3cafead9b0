"""Revisions with the same tokens are the same edit, however each is broken into lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import Source, measure
from codekin.measures.pairwise import directed_scores

NAMES = ("es-line", "es-token", "es")


@pytest.mark.parametrize("name", NAMES)
def test_equal_tokens_in_other_lines_are_the_same_edit(name: str) -> None:
    # Line by line, the first b of the one and the last b of the other is the origin's.
    score = measure(name).score("b\nb b\n", "b b\nb\n", "b\n", language="javascript")
    assert score.value == 1.0


def test_the_matrix_says_so_too() -> None:
    origin, *revisions = (
        Source(text, "javascript") for text in ("a\n", "b\na a b\nb\na\n", "b\na\na\nb b a\n")
    )
    both = directed_scores(measure("es-line"), revisions, origin).both_ways().values
    assert both[0, 1] == 1.0


TOKENS = st.lists(st.tuples(st.sampled_from("ab;"), st.sampled_from(" \n"), st.sampled_from(" \n")))


@given(TOKENS, st.text("ab \n"))
def test_breaks_between_tokens_have_no_say(tokens: list[tuple[str, str, str]], origin: str) -> None:
    first, second = ("".join(token[0] + token[side] for token in tokens) for side in (1, 2))
    for name in NAMES:
        score = measure(name).score(first, second, origin, language="javascript")
        assert score.value == 1.0
