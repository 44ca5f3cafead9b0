from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source, measure
from codekin.measures.crystalbleu import shipped_ngrams

Ngram = tuple[str, ...]

JAVA = """
int sum(int[] values) {
    int total = 0;
    for (int value : values) {
        total += value;
    }
    return total;
}
"""
OTHER_JAVA = """
String label(Widget widget) {
    if (widget.isHidden()) {
        return "hidden";
    }
    return widget.getName();
}
"""


def ngrams(tokens: Sequence[str], n: int) -> Counter[Ngram]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def counted(
    candidate: Sequence[str], references: Sequence[Sequence[str]], ignored: set[Ngram], n: int
) -> tuple[int, int]:
    """Clipped matches and n-grams of one order, as the paper defines them."""
    mine = {g: c for g, c in ngrams(candidate, n).items() if g not in ignored}
    pools = [ngrams(reference, n) for reference in references]
    matches = sum(min(c, max(pool[g] for pool in pools)) for g, c in mine.items())
    return matches, sum(mine.values())


def defined(
    candidate: Sequence[str], references: Sequence[Sequence[str]], ignored: set[Ngram]
) -> float:
    """The measure by its definition, in plain Python."""
    length = len(candidate)
    closest = min(map(len, references), key=lambda other: (abs(other - length), other))
    if length == 0 or closest == 0:
        return float(length == closest)
    orders = [counted(candidate, references, ignored, n) for n in (1, 2, 3, 4)]
    if not any(total for _, total in orders):
        orders = [counted(candidate, references, set(), n) for n in (1, 2, 3, 4)]
    orders = [(matches, total) for matches, total in orders if total]
    if not any(matches for matches, _ in orders):
        return 0.0
    logs, halving = [], 1
    for matches, total in orders:
        if not matches:
            halving *= 2
        logs.append(math.log(matches / total if matches else 1 / (halving * total)))
    return min(1.0, math.exp(min(0.0, 1 - closest / length)) * math.exp(sum(logs) / len(logs)))


# The definition, on examples small enough to count by hand.


def test_trivial_ngrams_count_neither_as_matches_nor_as_ngrams() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[("(",), (")",), ("(", ")")])
    score = crystal.score("f ( )", "g ( )")
    # What counts: f; "f ("; "f ( )". None of them matches.
    assert score.value == 0
    assert score.parts["counted_ngrams"] == 3


def test_the_rest_counts_as_in_bleu() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[(";",)], order=2)
    score = crystal.score("a b ; c ;", "a b ; d ;")
    # Words: a, b match, c does not. Pairs: "a b", "b ;" match, "; c" and "c ;" do not.
    assert score.parts["precision_1"] == pytest.approx(2 / 3)
    assert score.parts["precision_2"] == pytest.approx(2 / 4)
    assert score.value == pytest.approx(math.sqrt(2 / 3 * 2 / 4))


def test_lengths_are_of_all_tokens() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[(";",)], order=1)
    score = crystal.score("a ;", "a ; ; ;")
    assert score.value == pytest.approx(math.exp(1 - 4 / 2))


def test_orders_that_keep_no_ngram_are_left_out() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[("a",), ("b",)])
    score = crystal.score("a b c", "a b d")
    # Words: c. Pairs: "a b" matches, "b c" does not. Triples: "a b c". Fours: none.
    assert score.parts["counted_ngrams"] == 4
    assert score.value == pytest.approx((1 / 2 * 1 / 2 * 1 / 4) ** (1 / 3))
    assert crystal.score("a b", "a b").value == 1
    assert crystal.score("a b", "b a").value == 0


def test_without_trivial_ngrams_it_is_bleu() -> None:
    pair = Source(JAVA, "java"), Source(OTHER_JAVA, "java")
    assert measure("crystalbleu", trivial=[]).score(*pair).value == pytest.approx(
        measure("bleu").score(*pair).value, abs=1e-12
    )


def test_unlike_programs_lose_what_their_language_gives_them() -> None:
    pair = Source(JAVA, "java"), Source(OTHER_JAVA, "java")
    assert measure("crystalbleu").score(*pair).value < measure("bleu").score(*pair).value / 2


def test_several_references_are_pooled() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[(";",)], order=1)
    references = ["a ; x y", "b ; z w"]
    assert crystal.score("a b ; ;", references=references).value == 1
    assert crystal.score("a b ; ;", references[0]).value == pytest.approx(1 / 2)
    # The count of an n-gram is clipped by the reference that has it most often.
    assert crystal.score("a a ; ;", references=references).value == pytest.approx(1 / 2)


def test_a_corpus_is_scored_from_the_sums() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[(";",)], order=1)
    corpus = crystal.corpus_score(["a ;", "b c d ;"], [["a ;"], ["b x y ;"]])
    assert corpus == pytest.approx(2 / 4)


# Identity and empty texts.


@pytest.mark.parametrize("text", [JAVA, "x", "( )", "return x;", ";", "int i = 0;"])
def test_identical_texts_score_one(text: str) -> None:
    assert measure("crystalbleu").score(text, text, language="java").value == pytest.approx(1)


def test_texts_of_trivial_ngrams_alone_fall_back_to_all_ngrams() -> None:
    trivial = [("a",), ("b",), ("a", "b"), ("b", "a"), ("a", "a")]
    crystal = measure("crystalbleu", tokens="split", trivial=trivial, order=2)
    assert crystal.score("a b", "a b").value == 1
    assert crystal.score("a a", "a b").value == pytest.approx(math.sqrt(1 / 2 * 1 / 2))


@pytest.mark.parametrize("empty", ["", "\n", "// nothing but words\n"])
def test_empty_texts(empty: str) -> None:
    crystal = measure("crystalbleu")
    assert crystal.score(empty, empty, language="java").value == 1
    assert crystal.score(empty, JAVA, language="java").value == 0
    assert crystal.score(JAVA, empty, language="java").value == 0


# Sets of one's own.


def test_fit_takes_the_commonest_ngrams_of_a_corpus() -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=[], order=2)
    fitted = crystal.fit(["a ; b ;", "c ;"], k=3)
    assert fitted.trivial == ((";",), ("a",), ("b",))
    assert crystal.trivial == ()
    assert (fitted.order, fitted.tokens) == (2, "split")


def test_fit_reads_code_without_comments_unless_they_count() -> None:
    corpus = ["x = 1  # x\n", Source('"""x"""\n', "python")]
    fitted = measure("crystalbleu").fit(corpus, k=99, language="python")
    assert ("x", "=", "1", "⏎") in fitted.trivial
    assert not any("# x" in ngram for ngram in fitted.trivial)
    kept = measure("crystalbleu", comments=True).fit(corpus, k=99, language="python")
    assert ("# x",) in kept.trivial


def test_fit_hides_exactly_what_it_found() -> None:
    fitted = measure("crystalbleu").fit([JAVA], k=500, language="java")
    score = fitted.score("int sum(int[] values) { return other; }", JAVA, language="java")
    # All that counts has `other` or the seam before it, of which the reference has nothing.
    assert score.value == 0
    assert score.parts["counted_ngrams"] > 0


def test_fit_refuses_tokens_it_has_no_texts_of() -> None:
    crystal = measure("crystalbleu", tokens="13a", trivial=[])
    with pytest.raises(CodekinError, match="fit"):
        crystal.fit(["a b"])


@pytest.mark.parametrize("tokens", ["split", "13a", "intl", "char"])
def test_plain_tokens_need_a_set(tokens: str) -> None:
    with pytest.raises(CodekinError, match="fit"):
        measure("crystalbleu", tokens=tokens)


@pytest.mark.parametrize("ngram", ["word", (), ("a",) * 9])
@pytest.mark.parametrize("parameter", ["trivial", "ignoring"])
def test_what_is_no_ngram_is_refused(parameter: str, ngram: object) -> None:
    compat = {"compat": "crystalbleu"} if parameter == "ignoring" else {}
    with pytest.raises(CodekinError, match="tuples of 1 to 8 tokens"):
        measure("crystalbleu", **compat, **{parameter: [ngram]})


# The signature.


def signature(language: str = "java", **parameters: object) -> str:
    source = Source("x", language)
    return measure("crystalbleu", **parameters).signature(source, source)


def test_the_signature_names_the_set() -> None:
    assert signature(trivial=[("a",)]) != signature(trivial=[("b",)])
    assert signature(trivial=[("a", "b")]) != signature(trivial=[("a",), ("b",)])
    assert signature(trivial=[("a",), ("b",)]) == signature(trivial=[("b",), ("a",)])
    assert signature("java").split("|")[1] != signature("kotlin").split("|")[1]
    assert signature("java") == signature("java", trivial=shipped_ngrams("java"))


def test_layout_tokens_can_be_trivial() -> None:
    pair = "a\nb\n", "c\nd\n"
    layout = measure("crystalbleu", trivial=[("⏎",)], order=1)
    assert measure("bleu", order=1).score(*pair, language="python").value > 0
    assert layout.score(*pair, language="python").value == 0


# Against the definition.

WORDS = st.sampled_from(["a", "b", "(", ")", ";", "return", "aLongerName"])
TEXTS = st.lists(WORDS, max_size=24)
SETS = st.sets(st.lists(WORDS, min_size=1, max_size=4).map(tuple), max_size=12)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), SETS)
def test_words_agree_with_the_definition(
    candidate: list[str], references: list[list[str]], ignored: set[Ngram]
) -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=sorted(ignored))
    score = crystal.score(" ".join(candidate), references=[" ".join(r) for r in references])
    assert score.value == pytest.approx(defined(candidate, references, ignored), abs=1e-12)
    assert 0 <= score.value <= 1


@given(TEXTS, TEXTS)
def test_code_agrees_with_the_definition(first: list[str], second: list[str]) -> None:
    pair = Source(" ".join(first), "java"), Source(" ".join(second), "java")
    expected = defined(pair[0].tokens.texts, [pair[1].tokens.texts], set(shipped_ngrams("java")))
    assert measure("crystalbleu").score(*pair).value == pytest.approx(expected, abs=1e-12)


@given(TEXTS, SETS)
def test_identity(text: list[str], ignored: set[Ngram]) -> None:
    crystal = measure("crystalbleu", tokens="split", trivial=sorted(ignored))
    assert crystal.score(" ".join(text), " ".join(text)).value == pytest.approx(1)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(1, 20))
def test_fit_agrees_with_the_definition(corpus: list[list[str]], k: int) -> None:
    counts: Counter[Ngram] = Counter()
    for text in corpus:
        for n in (1, 2, 3, 4):
            counts.update(ngrams(text, n))
    ranked = sorted(counts, key=lambda ngram: (-counts[ngram], len(ngram), ngram))
    crystal = measure("crystalbleu", tokens="split", trivial=[])
    assert crystal.fit([" ".join(text) for text in corpus], k=k).trivial == tuple(ranked[:k])


def test_a_corpus_with_texts_too_short_for_some_orders_is_the_packages() -> None:
    hypotheses = ["a b c d e g", "a b", "x y w"]
    references = [["a b c d e f"], ["a b"], ["x y z"]]
    crystal = measure("crystalbleu", compat="crystalbleu")
    # What crystalbleu 0.2 gives.
    assert crystal.corpus_score(hypotheses, references) == pytest.approx(0.591882188338765)
    crystal = measure("crystalbleu", compat="crystalbleu", ignoring=[("a",)])
    assert crystal.corpus_score(hypotheses, references) == pytest.approx(0.5844356470407898)
