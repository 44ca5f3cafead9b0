from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codekin import align_revisions
from codekin.revisions.alignment_view import line_rows

TEXTS = st.text("ab#\n", max_size=25)


@given(TEXTS, TEXTS, TEXTS)
def test_every_line_stands_once_and_in_order(origin: str, reference: str, candidate: str) -> None:
    aligned = align_revisions(candidate, reference, origin=origin, language="text")
    columns = aligned.alignment.columns[:, [2, 0, 1]].tolist()
    texts = [units.line_texts for units in aligned.units]
    rows = line_rows(columns, [units.first_lines for units in aligned.units], texts)
    for k, text in enumerate(texts):
        assert [row[k] for row in rows if row[k] is not None] == list(range(len(text)))
    assert all(any(line is not None for line in row) for row in rows)


def test_what_is_inserted_pushes_the_others_down() -> None:
    columns = [(0, 0, 0), (-1, 1, -1), (-1, 2, -1), (-1, -1, 1), (1, 3, 2)]
    rows = line_rows(columns, [[0, 1], [0, 1, 2, 3], [0, 1, 2]], ["ab", "axyb", "azb"])
    assert rows == [[0, 0, 0], [None, 1, 1], [None, 2, None], [1, 3, 2]]


def test_lines_without_units_stand_beside_their_like() -> None:
    # Line 1 of both is a comment; the second text has another line below it.
    columns = [(0, 0), (-1, 1), (1, 2)]
    assert line_rows(columns, [[0, 2], [0, 2, 3]], [["a", "#", "b"], ["a", "#", "x", "b"]]) == [
        [0, 0],
        [1, 1],
        [None, 2],
        [2, 3],
    ]
    assert line_rows(
        columns, [[0, 2], [0, 2, 3]], [["a", "# other", "b"], ["a", "#", "x", "b"]]
    ) == [
        [0, 0],
        [None, 1],
        [1, 2],
        [2, 3],
    ]


def test_a_line_that_was_split_stands_beside_its_first_part() -> None:
    assert line_rows([(0, 0), (1, 1)], [[0, 0], [0, 1]], ["x", "xy"]) == [[0, 0], [None, 1]]
