import pytest

from codekin.errors import CodekinError
from codekin.evaluation.triplet_building import MOST_BYTES, Submission, read_submission
from codekin.runs.rows import Record

GOOD = {"problem": "p", "language": "py", "code": "x = 1\n", "passed": True}


def read(**fields):
    return read_submission(Record("a.jsonl, line 4", {**GOOD, **fields}), 3)


def test_a_row_is_read_by_codekins_names():
    assert read() == Submission("4", "p", "python", "x = 1\n", True)
    assert read(id=7, author="ann") == Submission("7", "p", "python", "x = 1\n", True, "ann")


@pytest.mark.parametrize("author", [None, "", " ", float("nan")])
def test_an_author_may_be_unknown(author):
    assert read(author=author).author is None


def test_names_may_be_numbers():
    assert (read(problem=12).problem, read(author=0).author) == ("12", "0")


@pytest.mark.parametrize(
    ("value", "passed"),
    [(True, True), (False, False), (1, True), (0, False), (1.0, True), (0.0, False)],
)
def test_verdicts(value, passed):
    assert read(passed=value).passed is passed


@pytest.mark.parametrize(
    ("text", "passed"),
    [("1", True), ("0", False), ("true", True), ("False", False), (" TRUE ", True)],
)
def test_verdicts_of_csv_are_texts(text, passed):
    assert read(passed=text).passed is passed


@pytest.mark.parametrize("value", ["AC", "WA", "yes", 2, 0.5, float("nan"), [True]])
def test_other_verdicts_are_refused_in_words(value):
    with pytest.raises(CodekinError, match=r"passed must be true or false \(or 1 or 0\), not"):
        read(passed=value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"problem": None}, "no problem"),
        ({"language": ""}, "no language"),
        ({"language": "brainfuck"}, "brainfuck"),
        ({"code": None}, "no code"),
        ({"code": 5}, "code must be a text, not a number"),
        ({"code": "a\0b"}, "NUL"),
        ({"code": "a" * (MOST_BYTES + 1)}, "longer than 1,000,000"),
        ({"passed": None}, "no verdict"),
        ({"author": [1]}, "author must be a text, not a list"),
    ],
)
def test_what_is_wrong_is_said(fields, said):
    with pytest.raises(CodekinError, match=said):
        read(**fields)


def test_a_row_that_could_not_be_read_keeps_its_reason():
    with pytest.raises(CodekinError, match="not JSON"):
        read_submission(Record("a.jsonl, line 1", None, "not JSON: here"), 0)


def test_halves_of_characters_are_mended():
    assert read(code="x = '\ud83d'").code == "x = '�'"
