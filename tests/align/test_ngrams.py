from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from codekin import _native
from codekin.represent.text.plain_tokens import plain_token_ids, string_ids

tokens = st.lists(st.integers(0, 6), max_size=30)
orders = st.integers(1, 6)
texts = st.text(
    st.one_of(st.sampled_from("ab1.,-(){}&;\n \t'\"/é\u3000😀"), st.characters()), max_size=60
)


def ids(items):
    return np.array(items, dtype=np.uint64)


def ngrams(items, n, mask=None):
    return Counter(
        tuple(items[i : i + n])
        for i in range(len(items) - n + 1)
        if mask is None or not mask[i] >> (n - 1) & 1
    )


def plain_matches(candidate, references, order, masks=None):
    """The definition, word for word."""
    masks = masks or [None] * (1 + len(references))
    matches = []
    for n in range(1, order + 1):
        most = Counter()
        for reference, mask in zip(references, masks[1:], strict=True):
            most |= ngrams(reference, n, mask)
        matches.append(sum((ngrams(candidate, n, masks[0]) & most).values()))
    return matches


@given(tokens, st.lists(tokens, min_size=1, max_size=3), orders)
def test_clipped_matches_are_what_counters_give(candidate, references, order):
    counts = _native.clipped_matches(ids(candidate), [ids(r) for r in references], order)
    assert counts[:order] == plain_matches(candidate, references, order)
    assert counts[order:] == [max(0, len(candidate) - n + 1) for n in range(1, order + 1)]


@given(st.data(), tokens, st.lists(tokens, min_size=1, max_size=3), orders)
def test_masked_ngrams_do_not_count(data, candidate, references, order):
    masks = [
        data.draw(st.lists(st.integers(0, 63), min_size=len(t), max_size=len(t)))
        for t in [candidate, *references]
    ]
    arrays = [np.array(m, dtype=np.uint8) for m in masks]
    counts = _native.clipped_matches(
        ids(candidate), [ids(r) for r in references], order, arrays[0], arrays[1:]
    )
    assert counts[:order] == plain_matches(candidate, references, order, masks)
    assert counts[order:] == [
        sum(ngrams(candidate, n, masks[0]).values()) for n in range(1, order + 1)
    ]
    merged = _native.merge_matches(
        _native.SortedGrams(ids(candidate), order, arrays[0]),
        _native.SortedGrams(ids(references[0]), order, arrays[1]),
    )
    assert merged[2 : 2 + order] == plain_matches(candidate, references[:1], order, masks[:2])
    assert merged[2 + order :] == counts[order:]


@given(tokens, tokens, st.integers(1, 8))
def test_a_merge_of_sorted_texts_counts_the_same(candidate, reference, order):
    merged = _native.merge_matches(
        _native.SortedGrams(ids(candidate), order), _native.SortedGrams(ids(reference), order)
    )
    counts = _native.clipped_matches(ids(candidate), [ids(reference)], order)
    assert merged == [len(candidate), len(reference), *counts]


def test_orders_out_of_range_are_refused():
    with pytest.raises(ValueError, match="order"):
        _native.clipped_matches(ids([1]), [ids([1])], 0)
    with pytest.raises(ValueError, match="order"):
        _native.SortedGrams(ids([1]), 9)
    with pytest.raises(ValueError, match=r"dropped must be as long as ids \(2\), not 1"):
        _native.SortedGrams(ids([1, 2]), 2, np.zeros(1, dtype=np.uint8))


@given(texts)
def test_13a_cuts_as_sacrebleu_does(text):
    expected = Tokenizer13a()(text.rstrip()).split()
    assert plain_token_ids("13a", text).tolist() == string_ids(expected).tolist()


@given(texts)
def test_words_are_those_of_split(text):
    assert plain_token_ids("split", text).tolist() == string_ids(text.split()).tolist()


@given(texts, texts)
def test_statistics_equal_those_of_sacrebleu(candidate, reference):
    theirs = BLEU(effective_order=True).sentence_score(candidate, [reference])
    a, b = plain_token_ids("13a", candidate), plain_token_ids("13a", reference)
    assert _native.clipped_matches(a, [b], 4) == theirs.counts + theirs.totals


@given(texts, texts, st.integers(1, 6), st.integers(0, 2), st.booleans())
def test_chrf_statistics_equal_those_of_sacrebleu(candidate, reference, chars, words, blanks):
    peer = CHRF(char_order=chars, word_order=words, whitespace=blanks)
    expected = peer._extract_corpus_statistics([candidate], [[reference]])[0]
    assert _native.chrf_statistics(candidate, reference, chars, words, blanks) == expected


@given(st.lists(st.text(max_size=12)))
def test_identities_are_equal_just_for_equal_texts(strings):
    numbers = string_ids(strings).tolist()
    for a, x in zip(strings, numbers, strict=True):
        for b, y in zip(strings, numbers, strict=True):
            assert (a == b) == (x == y)
