from __future__ import annotations

import pytest
from tests.revisions.examples import python

from codekin import align_revisions
from codekin.revisions.alignment_view import view_of
from codekin.revisions.verdicts import say


def said(origin: str, reference: str, candidate: str, **settings: str) -> list[str]:
    aligned = align_revisions(candidate, reference, origin=origin, language="c", **settings)  # type: ignore[arg-type]
    return [say(head.verdict) for head in view_of(aligned).heads]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("f();", "f(a);", "f(a);"), ["both insert `a`"]),
        (("f(a);", "f();", "f();"), ["both delete `a`"]),
        (("f(a);", "f(b);", "f(b);"), ["both replace `a` by `b`"]),
        (("f();", "f(a);", "f();"), ["only the reference inserts `a`"]),
        (("f(a);", "f(a);", "f();"), ["only the candidate deletes `a`"]),
        (("f(a);", "f(b);", "f(a);"), ["only the reference replaces `a` by `b`"]),
        (("f();", "f(a);", "f(b);"), ["the reference inserts `a`, the candidate `b`"]),
        (
            ("a < b", "a <= b", "a > b"),
            ["both delete `<`; the reference puts `<=`, the candidate `>`"],
        ),
        (("a < b", "a b", "a > b"), ["both delete `<`; only the candidate puts `>`"]),
        (
            ("f(a, b);", "f(b);", "f(a, x);"),
            ["the reference deletes `a,`, the candidate replaces `b` by `x`"],
        ),
        (("f(a);", "f(a);", "f(a);"), []),
    ],
)
def test_what_happened_is_said_in_words(texts, words) -> None:
    assert said(*texts) == words


def test_long_quotations_have_their_beginning_and_their_end() -> None:
    many = " ".join(f"word{i}" for i in range(500))
    (words,) = said("{ }", f"{{ {many} }}", "{ }")
    assert words.startswith("only the reference inserts `word0 word1")
    assert words.endswith("word498 word499`")
    assert len(words) < 100


def test_many_quotations_are_counted() -> None:
    (words,) = said("a b c d e f g h i", "a c e g i", "b d f h")
    assert "more" in words


def test_lines_are_quoted_with_their_ends() -> None:
    assert said("a\nb\nc\n", "a\nx y\nz\nc\n", "a\nb\nc\n", by="line") == [
        "only the reference replaces `b` by `x y ⏎ z`"
    ]


def test_an_indentation_is_named_where_nothing_else_changed() -> None:
    aligned = python("if a:\n    b\nc\n", "if a:\n    b\n    c\n", "if a:\n    b\nc\n")
    (head,) = view_of(aligned).heads
    assert say(head.verdict) == (
        "only the reference replaces no indentation by an indentation of 4"
    )
