"""SARI by hand, as EASSE has it, on cases of the kinds that its own suite has."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

from codekin import measure

TOOLS = Path(__file__).parents[2] / "tools"

ORIGIN = "About 95 species are currently accepted ."
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]


def parts(candidate: str, references: list[str], origin: str, **options: Any) -> dict[str, float]:
    score = measure("sari", compat="easse", **options).score(
        candidate, origin=origin, references=references
    )
    assert score.value == approx(sum(score.parts[n] for n in ("add", "keep", "delete")) / 3)
    return dict(score.parts)


def test_one_word_replaced_as_the_reference_does() -> None:
    found = parts("a x c d e", ["a x c d e"], "a b c d e", use_f1_for_deletion=False)
    assert found["add"] == found["delete"] == approx(1.0)
    # What is kept has 1-grams, 2-grams and 3-grams (c d e), and no 4-grams.
    assert found["keep"] == approx(0.75)


def test_doing_nothing_adds_and_deletes_nothing() -> None:
    found = parts("a b c d e", ["a x c d e"], "a b c d e")
    assert found["add"] == found["delete"] == 0.0
    # Of five words four stay, of four pairs two, of three triples one, of two fours none:
    # precisions 4/5, 2/4, 1/3 and 0 at full recall.
    expected = [2 * p / (p + 1) for p in (4 / 5, 2 / 4, 1 / 3)]
    assert found["keep"] == approx(sum(expected) / 4)


def test_nothing_shared_scores_nothing() -> None:
    found = parts("x", ["y"], "z")
    assert found["add"] == found["keep"] == 0.0
    assert found["delete"] == approx(0.25)  # the one word that both delete, and no longer n-grams


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "none"])
@pytest.mark.parametrize("candidate", ["", "x", ORIGIN, *REFERENCES, "Über 95 — Arten."])
def test_any_text_has_parts_between_0_and_1(candidate: str, tokenizer: str) -> None:
    found = parts(candidate, REFERENCES, ORIGIN, tokenizer=tokenizer)
    assert all(0 <= found[name] <= 1 for name in ("add", "keep", "delete"))


def test_case_counts_only_if_it_is_kept() -> None:
    lower = parts(ORIGIN.upper(), REFERENCES, ORIGIN)
    assert lower == parts(ORIGIN, REFERENCES, ORIGIN)
    assert parts(ORIGIN.upper(), REFERENCES, ORIGIN, lowercase=False)["keep"] < lower["keep"]


def test_a_corpus_sums_what_its_sentences_do() -> None:
    sys.path.insert(0, str(TOOLS))
    try:
        from peer_adapters import easse_sari
    finally:
        sys.path.remove(str(TOOLS))
    origins, candidates = ["a b c d e", "p q r"], ["a x c d e", "p"]
    perfect = easse_sari(origins, candidates, [candidates])
    assert perfect == approx((100, 75, 100))  # no 4-grams are kept
    one = parts(candidates[0], [REFERENCES[0]], origins[0])
    alone = easse_sari(origins[:1], candidates[:1], [REFERENCES[:1]])
    assert alone == approx([100 * one[name] for name in ("add", "keep", "delete")])
    twice = easse_sari(origins[:1] * 2, candidates[:1] * 2, [REFERENCES[:1] * 2])
    assert twice == approx(alone)


def test_a_better_sentence_scores_more() -> None:
    texts = ("About 95 you now get in .", "About 95 species are now agreed .", REFERENCES[1])
    mine = measure("sari", compat="easse", use_f1_for_deletion=False)
    found = [mine.score(one, origin=ORIGIN, references=REFERENCES).value for one in texts]
    assert found == sorted(found)
    # SARI's paper gives the first two, by the formula of its authors' script.
    script = [
        measure("sari", compat="xu").score(one, origin=ORIGIN, references=REFERENCES).value
        for one in texts[:2]
    ]
    assert script == approx([0.2682782411698074, 0.5889995423074248])
