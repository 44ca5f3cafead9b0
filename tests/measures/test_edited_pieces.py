"""The code around edits: whether both revisions parse, whether they do the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.revisions import PROGRAMS, cases

from codekin import Source, measure
from codekin.measures.edited_pieces import edited_pieces
from codekin.measures.excised import Units, excise

garbage = st.text("abcdef \n", max_size=40).map(lambda text: text + "\n")
BROKEN = {
    "python": [("s -= x", "s -= (x"), ("return s", "return s s"), ("    if xs:", "    if xs")],
    "java": [("s -= x;", "s -= x"), ("return a + a;", "return a + ;"), ("int s = 0;", "int = 0;")],
    "cpp": [("s -= i;", "s -= (i;"), ("return a + a;", "return a +;"), ("int s = 0;", "int s = ;")],
    "javascript": [("s -= x;", "s -= (x;"), ("a + a", "a +"), ("let s = 0;", "let = = 0;")],
}


def agree(candidate, reference, origin, language, **parameters):
    sources = [Source(text, language) for text in (candidate, reference, origin)]
    comments = parameters.get("comments", False)
    regions = excise(*sources, Units(by="line", comments=comments)).regions
    return edited_pieces(*sources, regions, **parameters).both_parse_or_neither


@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_one_that_parses_and_one_that_does_not(language):
    origin = PROGRAMS[language]
    reference = origin.replace("s -=", "s +=")
    assert agree(reference, reference.replace("0", "1"), origin, language)
    for right, wrong in BROKEN[language]:
        candidate = origin.replace(right, wrong)
        assert candidate != origin
        assert not agree(candidate, reference, origin, language)
        assert not agree(reference, candidate, origin, language)
        # What both have wrong is no difference.
        assert agree(candidate, candidate.replace("0", "1"), origin, language)
        for before, behind in (("abc def\n", ""), ("", "fed ((\n"), ("]\n", "a b c\n")):
            if language == "python" and "(" in wrong and behind:
                continue  # an open bracket takes the lines behind with it
            framed = (before + text + behind for text in (candidate, reference, origin))
            assert not agree(*framed, language)


@settings(max_examples=80, deadline=None)
@given(cases(), garbage, garbage)
def test_lines_before_and_behind_have_no_say(case, before, behind):
    found = agree(*case.texts, case.language)
    assert agree(*case.framed(before), case.language) == found
    assert agree(*case.framed("", behind), case.language) == found
    assert agree(*case.framed(before, behind), case.language) == found


@settings(max_examples=60, deadline=None)
@given(cases())
def test_the_order_of_the_revisions_has_no_say(case):
    candidate, reference, origin = case.texts
    found = agree(candidate, reference, origin, case.language)
    assert agree(reference, candidate, origin, case.language) == found


def test_where_a_text_ends_at_an_edit_what_stands_before_has_no_say():
    for before in ("", "dece cb a\n", "a\n \n"):
        assert not agree(before + "x = = 2\n", before, before + "y\n", "cpp")
        assert agree(before + "x = 2;\n", before, before + "y\n", "cpp")


def test_a_line_that_continues_is_read_with_what_it_continues():
    origin = "if a:\n    b\nelse:\n    c\n"
    longer = origin.replace("else:", "elif d:")
    shorter = "if a:\n    b\nc\n"
    assert agree(shorter, longer, origin, "python")
    tried = "try:\n    x()\nexcept E:\n    c\n"
    assert not agree(tried.replace("x()", "x("), tried.replace("()", "(1)"), tried, "python")
    ruby = "def f\n  x(2)\nend\n"
    assert not agree(ruby.replace("2)", ""), ruby.replace("2", "1"), ruby, "ruby")
    allman = "class A\n{\n  int f()\n  {\n    return 1;\n  }\n}\n"
    assert not agree(allman.replace("1;", "("), allman.replace("1", "2"), allman, "csharp")


def test_indentation_of_one_text_alone_has_no_say():
    origin = "int g() { return 0; }\nint f() {\n  return 2;\n}\nint h;\n"
    fixed = origin.replace("2", "1")
    broken = "".join(f"  {line}\n" for line in origin.replace("2;", "(;").splitlines())
    assert not agree(broken, fixed, origin, "cpp")
    assert not agree(fixed, broken, origin, "cpp")


def test_comments_are_lexemes_where_they_count():
    origin = "# a\n# b\n# c\n# d\nx = 1\ny = 2\n"
    fixed, broken = origin.replace("2", "3"), origin.replace("2", "(3")
    for comments in (False, True):
        assert not agree(broken, fixed, origin, "python", comments=comments)
        assert agree(fixed, fixed.replace("3", "4"), origin, "python", comments=comments)
        assert measure("es", comments=comments).score(
            broken, fixed, origin, language="python"
        ).value == 0.0  # fmt: skip


def test_a_text_that_begins_indented_leans_on_what_stands_before():
    # Nobody can tell whether the line before was its beginning.
    texts = "    y = = 2;\n", "    y = 2;\n", "    y;\n"
    assert not agree(*texts, "cpp")
    assert agree(*("a b c d\n" + text for text in texts), "cpp")


def test_nothing_divergent_is_no_difference():
    assert agree("x = (", "x = (", "x = (", "python")
    assert agree("", "", "", "python")


def same(candidate, reference, origin, language):
    sources = [Source(text, language) for text in (candidate, reference, origin)]
    regions = excise(*sources, Units(by="line")).regions
    return edited_pieces(*sources, regions).do_the_same


SWAPPED = {
    "python": ("return total(xs) / len(xs)", "return 2 * total(xs)", "return total(xs) * 2"),
    "java": ("return a + a;", "return 2 * (a);", "return a * 2;"),
    "cpp": ("return a + a;", "return (2 * a);", "return a * 2;"),
    "javascript": ("=> a + a", "=> (2 * a)", "=> a * 2"),
}


@pytest.mark.parametrize("language", sorted(PROGRAMS))
@pytest.mark.parametrize("before", ["", "abc def\n", "]\n"])
def test_code_that_does_the_same_whatever_comes_before(language, before):
    old, one, other = SWAPPED[language]
    origin = before + PROGRAMS[language]
    candidate, reference = origin.replace(old, one), origin.replace(old, other)
    assert len({candidate, reference, origin}) == 3
    assert same(candidate, reference, origin, language)
    assert same(reference, candidate, origin, language)
    assert not same(candidate.replace("2", "3"), reference, origin, language)
    assert not same(candidate, reference, reference, language)


@settings(max_examples=60, deadline=None)
@given(cases(), garbage, garbage)
def test_lines_before_and_behind_do_not_change_what_code_does(case, before, behind):
    found = same(*case.texts, case.language)
    assert same(*case.framed(before, behind), case.language) == found
