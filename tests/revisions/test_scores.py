from __future__ import annotations

import pytest
from tests.revisions.examples import CANDIDATE, ORIGIN, REFERENCE, example

from codekin import align_revisions, measure, measure_names
from codekin.revisions.alignment import revision_scores


def test_every_measure_that_looks_at_the_origin_is_there() -> None:
    lines = {one.name: one for one in revision_scores(example())}
    assert "sari" in lines
    assert list(lines) == [name for name in measure_names() if measure(name).needs_origin]
    for name, one in lines.items():
        expected = measure(name).score(CANDIDATE, REFERENCE, ORIGIN, language="python")
        assert one.score is not None, one.problem
        assert one.score.value == expected.value


def test_words_are_scored_as_words() -> None:
    aligned = align_revisions("a b d", "a b d", origin="a b c", language="text")
    lines = {one.name: one for one in revision_scores(aligned)}
    sari = lines["sari"].score
    assert sari is not None
    assert sari.signature.startswith("sari|text|")
    assert sari.value == measure("sari", tokens="13a").score("a b d", "a b d", "a b c").value
    assert all(one.score is not None for one in lines.values())


@pytest.mark.parametrize("texts", [("", "", ""), ("", "", "a"), ("b", "a", "")])
def test_empty_texts_have_scores(texts) -> None:
    candidate, reference, origin = texts
    aligned = align_revisions(candidate, reference, origin=origin, language="python")
    for one in revision_scores(aligned):
        assert one.score is not None
        assert 0 <= one.score.value <= 1
