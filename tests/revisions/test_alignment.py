from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.revisions.examples import CANDIDATE, ORIGIN, REFERENCE, example, python

import codekin
from codekin import CodekinError, Source, align_revisions
from codekin.revisions.alignment import By
from codekin.revisions.alignment_view import AlignedRow, view_of


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
        ({"by": "word"}, "by must be 'token' or 'line', not 'word'"),
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


INSERTED = {
    "java": (
        "class A {\n  int a;\n\n  int f(int x) {\n    return x;\n  }\n\n"
        "  int g() {\n    return 1;\n  }\n}\n",
        "  int g()",
        "  int h(int y) {\n    int z = y * 2;\n    log(z);\n    return z;\n  }\n\n",
    ),
    "c": (
        "int a;\n\nint f(int x) {\n  return x;\n}\n\nint g(void) {\n  return 1;\n}\n",
        "int g(void)",
        "int h(int y) {\n  int z = y * 2;\n  log(z);\n  return z;\n}\n\n",
    ),
    "javascript": (
        "let a;\n\nfunction f(x) {\n  return x;\n}\n\nfunction g() {\n  return 1;\n}\n",
        "function g()",
        "function h(y) {\n  const z = y * 2;\n  log(z);\n  return z;\n}\n\n",
    ),
    "python": (
        "int = 0\n\n\nclass A:\n    def f(self, x):\n        return x\n\n    def g(self):\n"
        "        return 1\n",
        "    def g(self)",
        "    def h(self, y):\n        z = y * 2\n        log(z)\n        return z\n\n",
    ),
}


@pytest.mark.parametrize("language", INSERTED)
@pytest.mark.parametrize("own", ["in the reference", "in the candidate"])
def test_equal_insertions_are_alike_though_other_edits_shift_them(language: str, own: str) -> None:
    """One of the revisions also changes a word of the inserted code, and a line far above it."""
    origin, place, block = INSERTED[language]
    plain = origin.replace(place, block + place)
    word = block.split()[0]
    changed = block.replace(word, "async def" if word == "def" else f"own {word}", 1)
    other = origin.replace(place, changed + place).replace("int", "long", 1).replace("let", "var")
    texts = (other, plain) if own == "in the candidate" else (plain, other)
    summary = view_of(align_revisions(*texts, origin=origin, language=language)).summary
    lengths = [len(Source(text, language).lexemes) for text in (origin, plain)]
    assert summary.alike >= lengths[1] - lengths[0] - 2


def test_a_token_that_is_kept_by_chance_does_not_tear_equal_insertions_apart() -> None:
    """The candidate changes `return 1`, so the 1 of the origin could be that of `x > 1`."""
    origin, place, _ = INSERTED["java"]
    block = "  int h(int x) {\n    if (x > 1) {\n      return x;\n    }\n    return 0;\n  }\n\n"
    old = origin.replace("return x;", "return 1;")
    reference = old.replace(place, block + place)
    candidate = reference.replace("return 1;", "return 3;", 1)
    aligned = align_revisions(candidate, reference, origin=old, language="java")
    summary = view_of(aligned).summary
    assert (summary.alike, summary.reference, summary.candidate) == (22, 0, 2)
    exact = align_revisions(candidate, reference, origin=old, language="java", lcs="threeway")
    assert exact.alignment.conserved_length >= aligned.alignment.conserved_length


LINES = st.lists(st.sampled_from(["f() {", "}", "x;", "", "// c", "y;"]), max_size=9)


@settings(max_examples=80, deadline=None)
@given(LINES, LINES, LINES, st.sampled_from(["token", "line"]))
def test_a_view_shows_each_text_and_the_other_order_mirrors_it(
    old: list[str], first: list[str], second: list[str], by: By
) -> None:
    origin, one, other = ("".join(f"{line}\n" for line in lines) for lines in (old, first, second))
    views = [
        view_of(align_revisions(*pair, origin=origin, language="java", by=by), context=99)
        for pair in ((one, other), (other, one))
    ]
    for view, texts in zip(views, ((origin, other, one), (origin, one, other)), strict=True):
        rows = [item for item in view.items if isinstance(item, AlignedRow)]
        for k, text in enumerate(texts):
            lines = [row.lines[k] for row in rows]
            shown = "".join(f"{line.text}\n" for line in lines if line is not None)
            if view.heads:
                assert shown == text
    assert views[0].summary.alike == views[1].summary.alike
    assert views[0].summary.candidate == views[1].summary.reference
    assert views[0].summary.kept == views[1].summary.kept
