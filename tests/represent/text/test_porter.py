from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

import codekin
from codekin.represent.text.porter import porter_stem

NLTK = PorterStemmer()
ENDINGS = (
    *("ational", "tional", "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "logi"),
    *("ization", "ation", "ator", "alism", "iveness", "fulness", "aliti", "iviti", "biliti"),
    *("fulli", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "ement", "ion", "sses"),
    *("ies", "ied", "eed", "ed", "ing", "y", "e", "ll", "s", "able", "ance", "ous", "ize", ""),
)
letters = st.text("aeiouybcdlnstwxzr", max_size=6)


def test_the_words_of_our_own_source_have_the_stems_of_nltk():
    words = set()
    for path in Path(codekin.__file__).parent.rglob("*.py"):
        words |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    assert len(words) > 10_000
    assert [word for word in sorted(words) if porter_stem(word) != NLTK.stem(word)] == []


@settings(max_examples=500, deadline=None)
@given(letters, st.sampled_from(ENDINGS), st.sampled_from(("", "s", "ed", "ing", "ly", "E")))
def test_made_words_have_the_stems_of_nltk(start, ending, more):
    word = start + ending + more
    assert porter_stem(word) == NLTK.stem(word)


@given(st.text(max_size=12))
def test_any_text_has_a_stem(text):
    assert porter_stem(text) == NLTK.stem(text)


def test_irregular_words():
    for word in ("skies", "dying", "innings", "news", "proceed", "howe", "Succeed"):
        assert porter_stem(word) == NLTK.stem(word)
