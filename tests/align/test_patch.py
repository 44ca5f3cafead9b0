import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.align.line_diff import unified_diff
from codekin.align.patch import parse_patch

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
    names = r'6 files \(src/x.py, new.py, old name.py, there.py, é".py, picture.png\)'
    with pytest.raises(CodekinError, match=names):
        parse_patch(GIT)
    with pytest.raises(CodekinError, match=r"has no file 'y\.py'"):
        parse_patch(GIT, "y.py")
    with pytest.raises(CodekinError, match="has more than one file 'x'"):
        parse_patch("--- a/x\n+++ b/x\n" * 2, "x")


def test_plain_diffs_name_their_file_before_a_tab():
    plain = "--- x.py\t2024-01-01\n+++ y.py\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n"
    assert parse_patch(plain).name == "y.py"
    assert parse_patch("diff --git x.py x.py\nold mode 100644\n").name == "x.py"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "no change was found"),
        ("@@ -1,2 +1 @@\n a\n", "line 1 of the patch: the patch ends within this hunk"),
        ("@@ -1 +1 @@\n-a\n?b\n", "line 3 of the patch: '\\?b' should begin with"),
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
