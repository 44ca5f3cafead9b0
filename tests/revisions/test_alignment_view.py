from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.revisions.examples import example, python

from codekin import align_revisions
from codekin.revisions.alignment_view import (
    AlignedRow,
    AlignmentView,
    EditMark,
    Gap,
    Line,
    RegionHead,
    view_of,
)

CODE = st.lists(st.sampled_from(["a", "b", "(", ")", "\n", "  ", "# c\n", "'''\n'''"]), max_size=14)


def lines(view: AlignmentView, k: int) -> list[Line]:
    rows = (item for item in view.items if isinstance(item, AlignedRow))
    return [line for row in rows if (line := row.lines[k])]


@given(CODE, CODE, CODE)
def test_with_enough_context_every_text_is_there(origin, reference, candidate) -> None:
    texts = ["".join(one) for one in (origin, reference, candidate)]
    aligned = python(*texts)
    view = view_of(aligned, context=100)
    if not aligned.regions:
        assert not view.heads
        return
    for k, _text in enumerate(texts):
        shown = lines(view, k)
        assert [line.text for line in shown] == aligned.units[k].line_texts
        assert [line.number for line in shown] == list(range(1, len(shown) + 1))
    assert [head.number for head in view.heads] == list(range(1, len(aligned.regions) + 1))
    assert len(view.heads) == view.summary.regions


@given(CODE, CODE, CODE)
def test_marks_lie_on_what_the_alignment_says(origin, reference, candidate) -> None:
    aligned = python(*("".join(one) for one in (origin, reference, candidate)))
    summary = view_of(aligned).summary
    assert summary.kept == aligned.alignment.conserved_length
    assert summary.kept + summary.changed == len(aligned.alignment)


def pieces(view: AlignmentView, k: int, number: int) -> list[tuple[str, EditMark]]:
    (line,) = (line for line in lines(view, k) if line.number == number)
    return [(piece.text, piece.mark) for piece in line.pieces]


def test_marks_lie_on_tokens() -> None:
    view = view_of(python("g = f(a)  # say\n", "f(a, x)  # say\n", "f(a, x, y)  # so\n"))
    assert pieces(view, 0, 1) == [
        ("g =", EditMark.DELETED_ALIKE),
        (" ", EditMark.PLAIN),
        ("f(a)", EditMark.KEPT),
        ("  # say", EditMark.PLAIN),
    ]
    assert pieces(view, 2, 1) == [
        ("f(a", EditMark.KEPT),
        (", x", EditMark.INSERTED_ALIKE),
        (", y", EditMark.INSERTED),
        (")", EditMark.KEPT),
        ("  # so", EditMark.PLAIN),
    ]


def test_what_one_keeps_alone_is_not_marked_there() -> None:
    view = view_of(python("a = b\n", "a = b\n", "a\n"))
    assert {mark for _, mark in pieces(view, 1, 1)} <= {EditMark.KEPT, EditMark.PLAIN}
    assert view.marks == (EditMark.DELETED_BY_CANDIDATE,)


def test_conserved_lines_are_context_or_a_gap() -> None:
    text = "".join(f"x{i} = {i}\n" for i in range(60))
    changed = text.replace("x5 = 5", "x5 = 6").replace("x50 = 50", "x50 = 51")
    view = view_of(python(text, changed, text), context=2)
    kinds = [item for item in view.items if not isinstance(item, AlignedRow)]
    assert [type(item) for item in kinds] == [Gap, RegionHead, Gap, RegionHead, Gap]
    assert [item.words for item in kinds if isinstance(item, Gap)] == [
        "… 3 unchanged lines …",
        "… 40 unchanged lines …",
        "… 7 unchanged lines …",
    ]
    assert [line.number for line in lines(view, 0)] == [*range(4, 9), *range(49, 54)]


def test_a_gap_says_that_comments_differ() -> None:
    text = "".join(f"x{i} = {i}\n" for i in range(9))
    view = view_of(python(text, text.replace("= 5", "= 5  # five"), text))
    (gap,) = view.items
    assert isinstance(gap, Gap)
    assert gap.words == "… 9 lines in which only comments or layout differ …"
    assert view.summary.regions == 0


def test_regions_of_one_line_say_where_their_code_is() -> None:
    view = view_of(
        align_revisions("f(z + b * c)", "f(a - b * d)", origin="f(a + b * c)", language="python")
    )
    one, two = view.heads
    assert [type(item) for item in view.items] == [RegionHead, RegionHead, AlignedRow]
    assert (one.where, two.where) == ("line 1, shown under region 2", "line 1")


def test_a_single_line_is_no_gap() -> None:
    text = "".join(f"x{i} = {i}\n" for i in range(3))
    view = view_of(python(text, text.replace("= 0", "= 9"), text), context=1)
    assert not [item for item in view.items if isinstance(item, Gap)]


def test_a_long_view_is_cut_and_says_so() -> None:
    texts = ["".join(f"{name}{i} = {i}\n" for i in range(300)) for name in "xyz"]
    view = view_of(python(*texts), most_rows=40)
    gap = view.items[-1]
    assert isinstance(gap, Gap)
    assert gap.words == "… 260 lines more, which are too many to show here …"
    assert len(lines(view, 0)) == 40
    assert view.summary.regions == 300


def test_of_equal_indentations_none_is_marked() -> None:
    view = view_of(example())
    (head, *_) = view.heads
    assert head.where == "lines 3 to 4 of the reference"
    first = next(item for item in view.items if isinstance(item, AlignedRow) and item.touched)
    assert first.lines[0] is None
    assert [(p.text, p.mark) for p in first.lines[1].pieces] == [  # type: ignore[union-attr]
        ("    ", EditMark.PLAIN),
        ("if not values:", EditMark.INSERTED_ALIKE),
    ]


def test_a_line_that_was_moved_in_has_its_indentation_marked() -> None:
    view = view_of(python("if a:\n    b\nc\n", "if a:\n    b\n    c\n", "if a:\n    b\nc\n"))
    assert pieces(view, 1, 3) == [("    ", EditMark.INSERTED), ("c", EditMark.KEPT)]


def test_lines_can_be_aligned_whole() -> None:
    view = view_of(
        align_revisions("a x\nc\n", "a b\nd\n", origin="a b\nc\n", language="text", by="line")
    )
    assert view.unit == "line"
    assert pieces(view, 0, 1) == [("a b", EditMark.DELETED_BY_CANDIDATE)]
    assert (view.summary.kept, view.summary.differently) == (0, 4)
