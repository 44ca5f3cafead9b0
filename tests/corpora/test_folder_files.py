import os

import pytest

from codekin import CodekinError
from codekin.corpora.folder_files import file_name, files_below, left_out_notes, lines_of

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, and names of bytes")


@needs_posix
def test_only_regular_files_are_read_and_the_rest_is_listed(tmp_path):
    (tmp_path / "b").mkdir()
    for name in ("b/two.c", "a.c", ".hidden.c"):
        (tmp_path / name).write_text("int x;\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("")
    (tmp_path / "link.c").symlink_to("a.c")
    (tmp_path / "folder").symlink_to("b")
    os.mkfifo(tmp_path / "b" / "pipe.c")
    left_out = {}
    found = files_below(tmp_path, left_out)
    names = [path.relative_to(tmp_path).as_posix() for path in found]
    assert names == [".git/config", ".hidden.c", "a.c", "b/two.c"]
    assert sorted(left_out) == ["b/pipe.c", "folder", "link.c"]
    assert left_out["link.c"] == left_out["folder"]
    assert left_out["link.c"].startswith("is a link")
    assert left_out["b/pipe.c"].startswith("is a pipe")
    left_out = {}
    found = files_below(tmp_path, left_out, hidden=False)
    assert [path.name for path in found] == ["a.c", "two.c"]
    assert left_out[".git"] == left_out[".hidden.c"] == "is hidden"
    assert ".git/config" not in left_out


def test_notes_group_what_is_left_out_by_its_reason():
    left_out = {f"{i}.c": "is a link" for i in range(5)} | {"p": "is a pipe"}
    assert list(left_out_notes(left_out)) == [
        "5 files left out (is a link): 0.c, 1.c, 2.c, …",
        "1 file left out (is a pipe): p",
    ]


@needs_posix
def test_names_that_are_not_utf8_are_escaped():
    assert file_name(os.fsdecode(b"a/\x9b.py")) == "a/\\x9b.py"
    assert file_name("größe.py") == "größe.py"


def test_lines_have_a_limit_each_and_files_have_none(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntw\xff\r\nthree")
    assert list(lines_of(path, within=tmp_path)) == ["one\n", "tw\ufffd\r\n", "three"]
    with pytest.raises(CodekinError, match=r"a\.txt: line 2 has more than the 4 bytes"):
        list(lines_of(path, limit=4))
