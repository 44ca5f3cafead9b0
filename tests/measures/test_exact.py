import pytest

from codekin import measure


@pytest.mark.parametrize(
    ("candidate", "reference", "value"),
    [
        ("a\r\nb", "a\nb\n", 1.0),
        ("a  \nb\t\n\n\n", "a\nb", 1.0),
        ("a\rb", "a\nb", 1.0),
        ("a\nb", "a\n b", 0.0),
        ("", "\n", 1.0),
        ("", "x", 0.0),
        ("x", "X", 0.0),
    ],
)
def test_line_ends_and_trailing_blanks_do_not_count(candidate, reference, value):
    assert measure("exact").score(candidate, reference).value == value


def test_tokens_ignore_layout_and_comments():
    exact = measure("exact", tokens=True)
    assert exact.score("f( x ) # call", "f(x)", language="python").value == 1.0
    assert exact.score("f(x)", "f(y)", language="python").value == 0.0
    kept = measure("exact", tokens=True, comments=True)
    assert kept.score("f( x ) # call", "f(x)", language="python").value == 0.0


def test_the_best_of_several_references():
    assert measure("exact").score("b", references=["a", "b"]).value == 1.0
