from __future__ import annotations

import os
from pathlib import Path

import pytest

from codekin import CodekinError
from codekin.groups.code_files import read_code_files


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "given/b.py": "b = 1\n",
        "given/a.c": "int a;\n",
        "given/late/c.java": "class C {}\n",
        "given/notes.txt": "hello",
        "given/.hidden.py": "h = 1\n",
        "given/.git/old.py": "o = 1\n",
        "given/CVS/old.py": "o = 1\n",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    return Path("given")


def test_folders_are_searched_for_known_suffixes(folder):
    read = read_code_files([folder])
    assert {name: one.language.name for name, one in read.sources.items()} == {
        "a.c": "c",
        "b.py": "python",
        "late/c.java": "java",
    }
    assert (read.folder, read.passed_over, read.unusable) == ("given", 1, {})
    assert read.hidden == {".hidden.py": "is hidden", "CVS": "is a folder of version control"}


def test_what_is_named_is_taken_and_what_comes_twice_counts_once(folder):
    paths = [folder / "b.py", folder, folder / "late" / ".." / "b.py", folder / ".hidden.py"]
    read = read_code_files(paths)
    assert list(read.sources) == ["b.py", "a.c", "late/c.java", ".hidden.py"]
    assert list(read.hidden) == ["CVS"]


def test_a_language_that_is_given_holds_for_all(folder):
    read = read_code_files([folder, folder / "notes.txt"], "javascript")
    assert {one.language.name for one in read.sources.values()} == {"javascript"}
    assert "notes.txt" in read.sources


def test_what_cannot_be_used_is_set_apart_with_its_reason(folder):
    Path("given/binary.py").write_bytes(b"\0\1\2")
    Path("given/empty.py").write_text(" \n")
    Path("given/long.py").write_text("x = 1\n" * 20)
    Path("given/gone.py").symlink_to("nowhere.py")
    Path("given/prose").write_text("Nothing that anybody would take for code")
    read = read_code_files([folder, folder / "prose", Path(os.devnull)], max_bytes=100)
    here = Path.cwd().name
    reasons = {Path(name).name: reason for name, reason in read.unusable.items()}
    assert reasons["binary.py"].startswith("looks binary")
    assert reasons["empty.py"] == "is empty"
    assert reasons["long.py"].startswith("has 120 bytes, more than the 100 ")
    assert reasons["gone.py"] == "is a link, which is followed only if it is named itself"
    assert reasons["prose"] == "cannot tell which language it is written in; use --language"
    assert reasons["null"] == "is a device, not a file"
    assert len(read.sources) == 3, here


def test_zip_files_are_set_apart_and_not_passed_over(folder):
    Path("given/ilse.zip").write_bytes(b"PK\5\6" + bytes(18))
    for paths in ([folder], [folder, folder / "ilse.zip"]):
        read = read_code_files(paths)
        assert read.unusable == {
            "ilse.zip": "is a zip file; unpack it, or use codekin scan --submissions"
        }
        assert read.passed_over == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_set_apart(folder):
    (folder / "b.py").chmod(0)
    (folder / "late").chmod(0)
    try:
        read = read_code_files([folder])
    finally:
        (folder / "late").chmod(0o700)
    assert read.unusable["b.py"] == "Permission denied"
    assert read.unusable["late"] == "cannot be opened: Permission denied"


def test_text_that_is_no_utf8_is_read_as_latin_1(folder):
    (folder / "b.py").write_bytes("# Fläche\n".encode("latin-1"))
    assert read_code_files([folder / "b.py"]).sources["b.py"].text == "# Fläche\n"


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([], "name files of code"),
        (["nowhere"], "nowhere: no such file or folder"),
        (["empty"], "empty: there is no file in it"),
        (["prose"], "prose: the one file has no suffix of a known language; name the files"),
    ],
)
def test_where_there_is_nothing_it_says_so(folder, paths, message):
    Path("empty").mkdir()
    Path("prose").mkdir()
    Path("prose/notes.txt").write_text("hello")
    with pytest.raises(CodekinError, match=message):
        read_code_files([Path(one) for one in paths])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.py")
    read = read_code_files([folder])
    assert read.unusable == {"pipe.py": "is a pipe; save it to a file"}
    assert len(read.sources) == 3
