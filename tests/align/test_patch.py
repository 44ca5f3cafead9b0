import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.align.line_diff import unified_diff
from codekin.align.patch import begins_as_patch, parse_patch

TEXT = "".join(f"line {i}\n" for i in range(1, 21))
EDITED = TEXT.replace("line 3\n", "line three\n").replace("line 15\n", "")
GIT = """\
From 1f2 Mon Sep 17
Subject: [PATCH] Two files

---
 src/x.py | 2 +-

diff --git a/src/x.py b/src/x.py
index 1..2 100644
--- a/src/x.py
+++ b/src/x.py
@@ -1 +1 @@
-a
+b
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+c
+-- d
diff --git a/old name.py b/old name.py
--- a/old name.py\t
+++ /dev/null
@@ -1 +0,0 @@
--- gone
diff --git a/moved.py b/there.py
similarity index 100%
diff --git "a/\\303\\251\\".py" "b/\\303\\251\\".py"
--- "a/\\303\\251\\".py"
+++ "b/\\303\\251\\".py"
@@ -1 +1 @@
-e
+f
diff --git a/picture.png b/picture.png
Binary files a/picture.png and b/picture.png differ
--\x20
2.39.5
"""

texts = st.one_of(
    st.lists(
        st.sampled_from(["a", "b", "", " ", "-- x", "++ y", "@@ -1 +1 @@", "\\ z", "c\r"])
    ).map("\n".join),
    st.text(max_size=40),
)


@given(texts, texts, st.integers(0, 4))
def test_a_diff_makes_the_second_text_of_the_first(before, after, context):
    patch = parse_patch(unified_diff(before, after, context=context))
    assert patch.apply(before) == after
    assert set(patch.offsets(before)) <= {0}


@given(texts, texts)
def test_hunks_are_found_where_lines_were_added_above(before, after):
    patch = parse_patch(unified_diff(before, after))
    above = "never in a text of the test\n" * 3
    if all(hunk.before for hunk in patch.hunks):
        assert patch.apply(above + before) == above + after
        assert set(patch.offsets(above + before)) <= {3}


def test_the_nearest_place_is_taken_and_the_later_of_two():
    patch = parse_patch("@@ -4 +4 @@\n-a\n+b\n")
    assert patch.apply("a\nx\nx\nx\na\nx\n") == "a\nx\nx\nx\nb\nx\n"
    assert patch.apply("x\na\nx\nx\nx\na\n") == "x\na\nx\nx\nx\nb\n"
    assert patch.offsets("x\na\nx\nx\nx\na\n") == (2,)
    assert patch.offsets("a\n") == (-3,)


def test_a_hunk_never_goes_before_the_one_above_it():
    patch = parse_patch("@@ -2 +2 @@\n-a\n+b\n@@ -4 +4 @@\n-a\n+c\n")
    assert patch.apply("x\nx\na\na\n") == "x\nx\nb\nc\n"
    with pytest.raises(CodekinError, match=r"hunk 2 of 2 \(line 4 of the patch\)"):
        patch.apply("x\na\n")


def test_what_does_not_apply_is_said():
    patch = parse_patch(unified_diff(TEXT, EDITED))
    other = TEXT.replace("line 14\n", "line fourteen\n")
    message = (
        r"hunk 2 of 2 \(line 9 of the patch\) does not apply: line 14 should be 'line 14\\n' and "
        r"is 'line fourteen\\n', and no other place fits"
    )
    with pytest.raises(CodekinError, match=message):
        patch.apply(other)
    with pytest.raises(CodekinError, match="the text ends after line 2, where 'line 3"):
        patch.apply("line 1\nline 2\n")
    with pytest.raises(CodekinError, match="adds lines after line 9, but the text has 1"):
        parse_patch("@@ -9,0 +10 @@\n+x\n").apply("a\n")
    far = parse_patch("--- x\n+++ y\n@@ -999999999 +1 @@\n-a\n+b\n")
    with pytest.raises(CodekinError, match="to y: the text ends after line 1"):
        far.apply("b\n")


def test_the_end_of_a_text_counts():
    patch = parse_patch("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n")
    assert patch.apply("a\nb") == "a\nc\n"
    with pytest.raises(CodekinError, match=r"line 2 should be 'b' and is 'b\\n'"):
        patch.apply("a\nb\n")


def test_carriage_returns():
    of_crlf_text = unified_diff("a\r\nb\r\n", "a\r\nc")
    assert parse_patch(of_crlf_text).apply("a\r\nb\r\n") == "a\r\nc"
    with pytest.raises(CodekinError, match="line 1 should be"):
        parse_patch(of_crlf_text).apply("a\nb\n")
    converted = unified_diff("a\nb\n", "a\nc").replace("\n", "\r\n")
    assert parse_patch(converted).crlf
    assert parse_patch(converted).apply("a\nb\n") == "a\nc"
    assert parse_patch(converted).apply("a\r\nb\r\n") == "a\r\nc"


def test_a_text_with_carriage_returns_keeps_them():
    crlf = "a\r\nb\r\nc"
    patch = parse_patch(unified_diff("a\nb\nc", "a\nx\ny\nc"))
    assert patch.apply(crlf) == "a\r\nx\r\ny\r\nc"
    assert patch.apply("a\nb\nc") == "a\nx\ny\nc"
    with pytest.raises(CodekinError, match=r"line 2 should be 'b\\n' and is 'b\\r\\n'"):
        patch.apply("a\nb\r\nc")  # of both kinds, so that nothing says which to take
    # What shows no line of the text is taken as it is.
    assert parse_patch("@@ -1,0 +2 @@\n+x\n").apply(crlf) == "a\r\nx\nb\r\nc"


@given(texts, texts)
def test_a_patch_with_newlines_fits_a_text_with_carriage_returns(before, after):
    before, after = (text.replace("\r", "") for text in (before, after))
    patch = parse_patch(unified_diff(before, after))
    if all("\n" in "".join(hunk.before) for hunk in patch.hunks):
        assert patch.apply(before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


def test_a_blank_that_was_lost_on_the_way():
    assert parse_patch("@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n").apply("a\n\nb\n") == "a\n\nc\n"


def test_one_file_of_several():
    assert parse_patch(GIT, "src/x.py").apply("a\n") == "b\n"
    assert parse_patch(GIT, "x.py").name == "src/x.py"
    assert parse_patch(GIT, "new.py").apply("") == "c\n-- d\n"
    assert parse_patch(GIT, "old name.py").apply("-- gone\n") == ""
    assert parse_patch(GIT, "there.py").apply("any\n") == "any\n"
    assert parse_patch(GIT, 'é".py').apply("e\n") == "f\n"
    with pytest.raises(CodekinError, match="it changes a binary file"):
        parse_patch(GIT, "picture.png")
    assert parse_patch(GIT, "moved.py").name == "there.py"
    names = r'6 files \(src/x.py, new.py, old name.py, there.py, é".py and 1 more\)'
    with pytest.raises(CodekinError, match=names):
        parse_patch(GIT)
    with pytest.raises(CodekinError, match=r"changes src/x\.py, .* and 1 more, not y\.py$"):
        parse_patch(GIT, "y.py")
    with pytest.raises(CodekinError, match="changes more than one file 'x'"):
        parse_patch("--- a/x\n+++ b/x\n" * 2, "x")


HUNK = "@@ -1 +1 @@\n-a\n+b\n"


@pytest.mark.parametrize(
    ("old", "new", "file"),
    [
        ("a/src/x.py", "b/src/x.py", "x.py"),
        ("a/src/x.py", "b/src/x.py", "home/src/x.py"),
        ("x.py", "changed.py", "x.py"),
        ("x.py.orig", "./x.py", "src/x.py"),
        ("before/x.py", "after/x.py", "before/x.py"),
        ("x.py", "/dev/null", "x.py"),
        ("-", "x.py", "x.py"),
        ("/dev/fd/63", "-", "x.py"),  # names that are none
    ],
)
def test_a_patch_is_for_the_file_that_it_names(old, new, file):
    assert parse_patch(f"--- {old}\n+++ {new}\n{HUNK}", file).apply("a\n") == "b\n"


@pytest.mark.parametrize(
    ("name", "file", "message"),
    [
        ("src/lexer.py", "wrapper.py", "changes src/lexer.py, not wrapper.py"),
        ("lexer.py", "lib/my_lexer.py", "changes lexer.py, not my_lexer.py"),
        (
            "src/lexer.py",
            "lib/lexer.py",
            "changes src/lexer.py, not lib/lexer.py; if that is the same file, name it as "
            "lexer.py, from its own folder",
        ),
    ],
)
def test_a_patch_for_another_file_is_refused(name, file, message):
    with pytest.raises(CodekinError) as refused:
        parse_patch(f"--- a/{name}\n+++ b/{name}\n@@ -0,0 +1 @@\n+new\n", file)
    assert str(refused.value) == message


def test_a_patch_without_names_is_for_any_file():
    assert parse_patch(HUNK, "x.py").apply("a\n") == "b\n"
    assert parse_patch(f"--- \n+++ \n{HUNK}", "x.py").apply("a\n") == "b\n"


def test_plain_diffs_name_their_file_before_a_tab():
    plain = "--- x.py\t2024-01-01\n+++ y.py\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n"
    assert parse_patch(plain).name == "y.py"
    assert parse_patch("diff --git x.py x.py\nold mode 100644\n").name == "x.py"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "^not a unified diff; make it with diff -u or git diff"),
        ("1c1\n< a\n---\n> b\n", "^not a unified diff; make it with diff -u or git diff"),
        (
            "*** x\n--- y\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
            "^not a unified diff; make it with diff -u or git diff",
        ),
        (
            "@@ -1,2 +1 @@\n a\n",
            r"hunk 1 \(line 1 of the patch\) is malformed: '@@ -1,2 \+1 @@' announces 2 old and "
            "1 new lines, but the patch ends after 1 old and 1 new ones",
        ),
        (
            "@@ -1 +1 @@\n-a\n?b\n",
            "after 1 old and 0 new ones, line 3 is '\\?b', which should",
        ),
        (HUNK + " c\n", "announces 1 old and 1 new lines, but it continues in line 4 with ' c'"),
        (HUNK + "\n+c\n", "it continues in line 5 with '\\+c'"),
        (HUNK + HUNK + "--- c\n", r"hunk 2 \(line 4 of the patch\) is malformed: .* with '--- c'"),
        ("--- x\n+++ x\n@@\n-a\n+b\n", "line 3 of the patch: '@@' is not in a hunk"),
        ("--- x\n+++ x\n-a\n+b\n", "line 3 of the patch: '-a' is not in a hunk"),
        ("@@ -1,0 +1,2 @@\n+a\n-b\n+c\n", "one too many"),
        ("@@ one @@\n", "line 1 of the patch: '@@ one @@' should be"),
        ("@@ -99999999999 +1 @@\n", "should be '@@ -line"),
        ("--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n", "combined diff"),
    ],
)
def test_what_is_no_patch_is_said(text, message):
    with pytest.raises(CodekinError, match=message):
        parse_patch(text)


@given(st.text(alphabet="@-+ 1,\\\nab", max_size=80))
def test_garbage_is_a_patch_or_an_error(text):
    try:
        parse_patch(text).apply("a\nb\n")
    except CodekinError as error:
        assert str(error)


def test_an_empty_patch_changes_nothing():
    assert parse_patch("").apply("a") == "a"
    assert parse_patch("--- x\n+++ x\n-- \n2.39.5\n", "x").apply("a") == "a"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (GIT.replace("From 1f2", f"From {'1f' * 20}"), True),
        (GIT, False),
        (f"\n--- x\n+++ x\n{HUNK}", True),
        (f"diff -u x y\n--- x\n+++ x\n{HUNK}", True),
        (f"Index: x\n{'=' * 60}\n--- x\n+++ x\n{HUNK}", True),
        (HUNK, True),
        ("diff --git a/x b/y\nsimilarity index 100%\n", True),
        (f'TEXT = """\n--- x\n+++ x\n{HUNK}"""\n', False),
        ("--- x\n", False),
        ("", False),
    ],
)
def test_how_a_patch_begins(text, is_one):
    assert begins_as_patch(text) is is_one


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there to apply it")
def test_git_reads_what_is_printed(tmp_path):
    (tmp_path / "x").write_text(TEXT)
    header = "--- a/x\n+++ b/x\n"
    subprocess.run(
        ["git", "apply", "-"],
        cwd=tmp_path,
        input=header + unified_diff(TEXT, EDITED),
        text=True,
        check=True,
    )
    assert (tmp_path / "x").read_text() == EDITED
