import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.rewrite import shared_prefix


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 10**9))
def test_length_characters_and_seed(least, more, seed):
    text = shared_prefix(least, least + more, seed)
    assert least <= len(text) <= least + more
    assert set(text) <= set("abcdef \n")
    assert text == shared_prefix(least, least + more, seed)


def test_every_character_is_as_likely():
    text = shared_prefix(80_000, 80_000, 7)
    for character in "abcdef \n":
        assert 9_500 <= text.count(character) <= 10_500


def test_every_length_comes():
    assert {len(shared_prefix(3, 6, seed)) for seed in range(60)} == {3, 4, 5, 6}


def test_bounds():
    with pytest.raises(CodekinError, match="5 to 4"):
        shared_prefix(5, 4, 0)
    with pytest.raises(CodekinError, match="-1"):
        shared_prefix(-1, 4, 0)
