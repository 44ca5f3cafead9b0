from __future__ import annotations

import pytest
from tests.revisions.examples import CANDIDATE, ORIGIN, REFERENCE, example, python

import codekin
from codekin import CodekinError, Source, align_revisions


def test_the_three_texts_and_their_regions_are_there() -> None:
    aligned = example()
    assert [aligned.origin.text, aligned.reference.text, aligned.candidate.text] == [
        ORIGIN,
        REFERENCE,
        CANDIDATE,
    ]
    assert len(aligned.regions) == 5
    assert aligned.alignment.first is aligned.units[1].ids
    assert (aligned.unit, aligned.plain) == ("token", False)


def test_sources_and_texts_are_taken() -> None:
    given = Source(ORIGIN, "python")
    aligned = align_revisions(CANDIDATE, REFERENCE, origin=given)
    assert aligned.origin is given
    assert aligned.candidate.language.name == "python"
    assert codekin.align_revisions is align_revisions


def test_regions_are_those_of_tokens_alone() -> None:
    """Comments, docstrings and layout outside of indentation change nothing."""
    other = CANDIDATE.replace("# never negative", "# other").replace(" - ", "  -  ")
    assert python(ORIGIN, REFERENCE, other).regions == example().regions


def test_texts_without_a_language_are_cut_into_words() -> None:
    aligned = align_revisions(
        "mollit anim id", "mollit bar id", origin="mollit anim id", language="text"
    )
    assert (aligned.unit, aligned.plain, len(aligned.units[0])) == ("word", True, 3)
    assert aligned.notes[0] == "the texts are not code, so words are aligned"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"by": "word"}, "by must be 'token', 'line' or 'sentence', not 'word'"),
        ({"lcs": "best"}, "lcs must be 'pairwise' or 'threeway', not 'best'"),
        ({"language": "cobol"}, "unknown language"),
    ],
)
def test_unknown_choices_are_refused(settings, told) -> None:
    with pytest.raises(CodekinError, match=told):
        align_revisions("c", "b", origin="a", **{"language": "c", **settings})


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(CodekinError, match="the reference must be a Source or a str, not bytes"):
        align_revisions("c", b"b", origin="a", language="c")  # type: ignore[arg-type]


def test_it_prints_and_shows_itself() -> None:
    aligned = example()
    assert str(aligned).splitlines()[0].startswith("5 regions; 21 tokens changed")
    shown = aligned._repr_html_()
    assert "<style>" in shown and "id='region-5'" in shown
    assert "http" not in shown and "<script" not in shown
    assert repr(aligned) == "RevisionAlignment(plain=False, by='token', lcs='pairwise')"
