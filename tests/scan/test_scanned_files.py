from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from codekin import CodekinError
from codekin.scan.scanned_files import (
    MAX_BYTES,
    FileToScan,
    LeftOutFile,
    files_to_scan,
    left_out_notes,
    lines_of,
    read_data,
    read_text,
    sources_of_content,
    unreadable_note,
)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("code").mkdir()
    return Path("code")


def write(*names: str, text: str = "x = 1\n") -> None:
    for name in names:
        path = Path("code", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(**options) -> list[str]:
    return [one.name.removeprefix("code/") for one in files_to_scan(["code"], **options).files]


def left_out(**options) -> dict[str, str]:
    found = files_to_scan(["code"], **options).left_out
    return {one.path.removeprefix("code/"): one.kind for one in found}


def read(name: str, data: bytes | str, max_bytes: int = MAX_BYTES, **options) -> list[str] | str:
    """The texts of a file, or why it is left out."""
    path = Path("code", name)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    file = FileToScan(str(path), name, "python")
    found = read_data(file, max_bytes)
    if not isinstance(found, LeftOutFile):
        found = sources_of_content(file, found[0], **options)
    if isinstance(found, LeftOutFile):
        return f"{found.kind}: {found.reason}"
    return [source.text for _, source in found]


def test_files_of_known_languages_are_found_in_the_order_of_their_names(folder) -> None:
    write("b.py", "a/z.java", "a/c.ts", "n.ipynb", "readme.md", ".hidden.py", ".git/x.py")
    assert names() == ["a/c.ts", "a/z.java", "b.py", "n.ipynb"]
    assert files_to_scan(["code"]).other == 1
    assert names(languages=["Java", "py"]) == ["a/z.java", "b.py", "n.ipynb"]


def test_ignore_files_follow_the_rules_of_git(folder) -> None:
    write(
        "keep.py", "out.py", "gen/x.py", "gen/keep.py", "sub/out.py", "sub/in.py", "deep/er/log.py"
    )
    Path("code/.gitignore").write_text("out.py\n/gen/*\n!/gen/keep.py\n")
    Path("code/sub/.gitignore").write_text("!out.py\nin.py\n")
    Path("code/deep/.codekinignore").write_text("er/\n# no pattern\n")
    assert names() == ["gen/keep.py", "keep.py", "sub/out.py"]
    assert left_out() == dict.fromkeys(["deep/er", "gen/x.py", "out.py", "sub/in.py"], "ignored")
    assert len(names(everything=True)) == 7


def test_the_ignore_files_of_the_repository_around_count(folder) -> None:
    write("pkg/a.py", "pkg/build/b.py")
    Path("code/.git").mkdir()
    Path("code/.gitignore").write_text("build\n")
    assert [one.name for one in files_to_scan(["code/pkg"]).files] == ["code/pkg/a.py"]


def test_excluded_files_are_left_out_even_with_all(folder) -> None:
    write("a.py", "test_a.py", "x/test_b.py")
    assert names(exclude=["test_*"]) == ["a.py"]
    assert names(exclude=["x/"], everything=True) == ["a.py", "test_a.py"]


def test_vendored_and_generated_files_are_left_out(folder) -> None:
    write("a.js", "b.min.js", "node_modules/m/i.js", "vendor/v.py", "x_pb2.py")
    assert names() == ["a.js"]
    kinds = {"b.min.js": "generated", "x_pb2.py": "generated"}
    assert left_out() == kinds | dict.fromkeys(["node_modules", "vendor"], "vendored")
    assert len(names(everything=True)) == 5


def test_hidden_files_are_named_and_read_with_all(folder) -> None:
    write("a.py", ".b.py", ".venv/c.py", ".git/d.py", ".svn/e.py", ".notes.txt")
    assert names() == ["a.py"]
    assert left_out() == dict.fromkeys([".b.py", ".venv"], "hidden")
    assert names(everything=True) == [".b.py", ".venv/c.py", "a.py"]


@pytest.mark.parametrize(
    "name", ["codekin-index.json", "codekin-index.clock", "codekin-index.sqlite", "manifest.json"]
)
def test_no_file_hides_its_folder(folder, name: str) -> None:
    write("sub/a.py", f"sub/{name}", text="")
    assert names() == ["sub/a.py"]


def test_ignore_files_that_cannot_be_read_are_named(folder) -> None:
    write("a.py", "sub/b.py")
    os.mkfifo("code/.gitignore")
    Path("code/sub/.gitignore").write_text("x" * 5_000 + "\n")
    assert names() == ["a.py", "sub/b.py"]
    found = {Path(file.path).parent.name: file.reason for file in files_to_scan(["code"]).left_out}
    assert found == {
        "code": "is a pipe; save it to a file",
        "sub": "1 pattern of more than 4,096 bytes is not applied",
    }


def test_devices_and_pipes_that_are_named_have_a_reason(folder) -> None:
    Path("code/zero.py").symlink_to("/dev/zero")
    os.mkfifo("code/pipe.py")
    reasons = []
    for file in files_to_scan(["code/zero.py", "code/pipe.py"]).files:
        found = read_data(file, MAX_BYTES)
        assert isinstance(found, LeftOutFile)
        reasons.append(found.reason)
    assert reasons == ["is a pipe; save it to a file", "is a device, not a file"]


def test_notes_name_the_first_files_of_each_reason(folder) -> None:
    many = [LeftOutFile(f"{n}.py", "ignored", "is excluded") for n in range(7)]
    large = [LeftOutFile(f"{n}.c", "unreadable", f"has {n} bytes, more than 1") for n in (5, 6)]
    assert left_out_notes(many)[1] == (
        "Ignored: 0.py, 1.py, 2.py, 3.py, 4.py and 2 more (is excluded)."
    )
    assert unreadable_note(large) == ["Not read: 5.c, 6.c (has 5 bytes, more than 1)."]
    odd = [LeftOutFile(f"{n}.c", "unreadable", f"reason {chr(97 + n)}") for n in range(8)]
    assert unreadable_note(odd)[0].endswith("4.c (reason e); and 3 more.")


def test_a_named_file_is_always_read(folder) -> None:
    write("vendor/v.py", "b.min.js", "notes.txt")
    found = files_to_scan(["code/vendor/v.py", "code/b.min.js", "code/notes.txt"])
    assert [one.name for one in found.files] == ["code/b.min.js", "code/vendor/v.py"]
    assert [one.reason for one in found.left_out] == ["has no suffix of a known language"]
    with pytest.raises(CodekinError, match=r"gone: no such file or folder"):
        files_to_scan(["gone"])


def test_links_and_pipes_are_named_and_loops_end(folder) -> None:
    write("a.py")
    Path("code/loop").symlink_to("..", target_is_directory=True)
    Path("code/b.py").symlink_to("a.py")
    os.mkfifo("code/pipe.py")
    assert names() == ["a.py"]
    assert left_out() == {"loop": "ignored", "b.py": "ignored", "pipe.py": "unreadable"}
    assert [one.name for one in files_to_scan(["code/b.py"]).files] == ["code/b.py"]


def test_zip_files_are_named_and_counted_apart_from_what_is_ignored(folder) -> None:
    write("a.py", "b.zip", "c.ZIP", "d.zip", "e.zip", ".gitignore")
    Path("code/.gitignore").write_text("e.zip\n")
    found = files_to_scan(["code"])
    assert [one.name for one in found.files] == ["code/a.py"]
    assert found.other == 0
    assert left_out_notes(found.left_out) == [
        "Files and folders left out: 1 ignored.",
        "Ignored: code/e.zip (is named in an ignore file).",
        "3 zip files were not read: code/b.zip, code/c.ZIP, code/d.zip; codekin scan --submissions "
        "reads them.",
    ]
    write("f.zip")
    assert "code/d.zip, …; codekin" in left_out_notes(files_to_scan(["code"]).left_out)[2]
    (named,) = files_to_scan(["code/b.zip"]).left_out
    assert (named.kind, named.reason) == (
        "unreadable",
        "is a zip file; unpack it, or use codekin scan --submissions",
    )


def test_odd_names_are_kept(folder) -> None:
    odd = ["a b.py", "-x.py", "ü\n.py", os.fsdecode(b"\xff.py")]
    write(*odd)
    assert sorted(names()) == sorted(odd)


def test_why_a_file_cannot_be_read(folder) -> None:
    assert read("a.py", b"\0\1\2") == (
        "unreadable: looks binary (it has NUL bytes); only text can be read"
    )
    assert read("a.py", "x" * 50, max_bytes=40).startswith(
        "unreadable: has 50 bytes, more than the 40"
    )
    assert read("a.py", b"# caf\xe9\n") == ["# café\n"]
    assert read_data(FileToScan("gone.py", "gone.py", "python"), MAX_BYTES) == LeftOutFile(
        "gone.py", "unreadable", "no such file"
    )


def test_a_file_that_changes_while_it_is_read_is_named(folder, monkeypatch) -> None:
    path = Path("code/a.py")
    path.write_text("x = 1\n")
    real = os.fstat

    def growing(number: int) -> os.stat_result:
        with path.open("a") as file:
            file.write("y = 2\n")
        return real(number)

    monkeypatch.setattr(os, "fstat", growing)
    found = read_data(FileToScan("code/a.py", "a.py", "python"), MAX_BYTES)
    assert found == LeftOutFile("a.py", "unreadable", "was changed while it was read")


def test_generated_and_minified_files_say_so(folder) -> None:
    head = "// Code generated by protoc-gen-go. DO NOT EDIT.\nx = 1\n"
    assert read("a.py", head).startswith("generated: says so: // Code generated by")
    assert read("a.py", head, everything=True) == [head]
    for line in (
        "# This file is automatically generated by x",
        "/* @generated */",
        "# Autogenerated file",
    ):
        assert read("a.py", f"{line}\n x = 1\n").startswith("generated: says so"), line
    for line in (
        "print('generated by hand')",
        "# the index into the list generated by f",
        "# Generates generated code.",
        "# generated by f",
        "# an action type generated from a name",
    ):
        assert read("a.py", f"{line}\n") == [f"{line}\n"]
    assert read("a.py", "x=1;" * 1000).startswith("generated: is minified")
    for before in (
        "/*\n Copyright\n*/\n",
        "package p\n\n",
        "#ifndef A_H\n#define A_H\n",
        "<?php\n",
    ):
        assert read("a.c", f"{before}/* Generated by x.py */\n").startswith("generated: says so")
    for before in ('#include "a.h"\n', "int a;\n", "/* a */\nint a;\n"):
        text = f"{before}/* Generated by x.py */\nint b[] = {{1}};\n"
        assert read("a.c", text) == [text]


def test_the_code_cells_of_a_notebook_are_texts(folder) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "x = 1\n", "y = 2"]},
        {"cell_type": "code", "source": "%%bash\nls"},
        {"cell_type": "code", "source": "z = 3"},
    ]
    text = json.dumps({"cells": cells, "metadata": {}})
    assert read("n.ipynb", text) == ["\nx = 1\ny = 2", "z = 3"]
    assert lines_of(read_text("code/n.ipynb#4")) == ["z = 3"]
    with pytest.raises(CodekinError, match="no such cell"):
        read_text("code/n.ipynb#9")
    assert read("n.ipynb", "{}") == "unreadable: is not a Jupyter notebook of version 4"
    other = json.dumps({"cells": [], "metadata": {"kernelspec": {"language": "apl"}}})
    assert read("n.ipynb", other) == "unreadable: is a notebook in 'apl', which is not known"


def test_the_files_of_an_index_are_no_files_of_the_scan(tmp_path: Path) -> None:
    for name in ("a.py", "notes.bin", "kept.index", "kept.index-wal"):
        (tmp_path / name).write_text("x = 1\n")
    assert files_to_scan([tmp_path]).other == 3
    assert files_to_scan([tmp_path], index=tmp_path / "kept.index").other == 1
