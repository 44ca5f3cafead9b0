from __future__ import annotations

from pathlib import Path

import pytest
from tests.scan.test_scanning import MEAN, OTHER, RENAMED, REPORT

from codekin import Scan, Source, scan_paths
from codekin.scan.code_tokens import read_tokens
from codekin.scan.ignore_comments import ignored_functions, ignores_file


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scanned(*texts: str, **options) -> Scan:
    for number, text in enumerate(texts):
        Path(f"f{number}.py").write_text(text)
    return scan_paths(["."], workers=0, **options)


ABOVE = f"# codekin: ignore\n{MEAN}"
HEADER = MEAN.replace("weights):", "weights):  # codekin: ignore, since it is frozen", 1)
SPREAD = MEAN.replace("(values, weights)", "(\n    values,  # codekin:ignore\n    weights,\n)", 1)
DECORATED = f"# codekin: ignore\n# and a note\n\n@cache\n@other(1)\n{MEAN}"
INNER = f"@cache\n{HEADER}"


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("text", [ABOVE, HEADER, SPREAD, DECORATED, INNER])
def test_a_function_is_ignored(text: str, fast: bool) -> None:
    text = f"import os\nx = os.sep\n{text}"
    same = text.replace("codekin", "other")
    assert len(scanned(same, same, fast=fast).findings) == 1
    found = scanned(text, same, fast=fast)
    assert found.findings == ()
    assert found.ignored >= 10
    assert f"{found.ignored} ignored by comments" in found.notes()[-1]
    assert found.tables == 0
    assert len(scanned(text, same, fast=fast, everything=True).findings) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"x = 1  # codekin: ignore\n{MEAN}",
        f"# codekin: ignored\n{MEAN}",
        f"# codekin: ignore-more\n{MEAN}",
        f"# codekin: ignore\nx = 1\n{MEAN}",
        f"x = 'codekin: ignore'\n{MEAN}",
        f"'codekin: ignore'\n{MEAN}",
        MEAN.replace("total = 0", "total = 0  # codekin: ignore"),
        f"{MEAN}# codekin: ignore\n",
    ],
)
def test_other_comments_do_not_count(text: str) -> None:
    found = scanned(text, RENAMED)
    assert len(found.findings) == 1
    assert found.ignored == 0


@pytest.mark.parametrize("fast", [False, True])
def test_only_that_function_is_ignored(fast: bool) -> None:
    text = f"{REPORT}\n\n{ABOVE}\n\n{OTHER}"
    found = scanned(text, text, fast=fast)
    assert [one.first.name for one in found.findings] == ["sales_report", "read_table"]
    assert found.ignored == 20


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("java", "class A {\n  // codekin: ignore\n  @Override\n  int f(int a) { return a; }\n}"),
        ("java", "class A {\n  @X\n  int f(int a) { /* codekin: ignore */\n return a; }\n}"),
        ("c", "/* codekin: ignore */\nint f(int a) {\n  return a;\n}\n"),
        ("cpp", "// codekin: ignore\ntemplate <class T>\nT f(T a) {\n  return a;\n}\n"),
        ("javascript", "// codekin: ignore\nfunction f(a) {\n  return a;\n}\n"),
        ("javascript", "// codekin: ignore\nexport function f(a) {\n  return a;\n}\n"),
        ("typescript", "// codekin: ignore\nfunction f(a: number) {\n  return a;\n}\n"),
        ("go", "package p\n\n// codekin: ignore\nfunc f(a int) int {\n\treturn a\n}\n"),
        ("rust", "// codekin: ignore\nfn f(a: i32) -> i32 {\n  a\n}\n"),
        ("rust", "// codekin: ignore\n#[inline]\nfn f(a: i32) -> i32 {\n  a\n}\n"),
        ("csharp", "class A {\n  // codekin: ignore\n  int F(int a) { return a; }\n}"),
        ("php", "<?php\n# codekin: ignore\nfunction f($a) {\n  return $a;\n}\n"),
        ("ruby", "# codekin: ignore\ndef f(a)\n  a\nend\n"),
        ("kotlin", "// codekin: ignore\nfun f(a: Int): Int {\n  return a\n}\n"),
    ],
)
def test_comments_of_every_language(language: str, text: str) -> None:
    source = Source(text, language)
    tokens = read_tokens(source.data, source.language)
    ((begin, end),) = ignored_functions(source, tokens)
    assert end - begin >= 5
    other = Source(text.replace("codekin", "another"), language)
    assert ignored_functions(other, read_tokens(other.data, other.language)) == []


def test_a_file_is_ignored() -> None:
    found = scanned(f"#!/usr/bin/python\n# codekin: ignore-file\n{MEAN}", MEAN)
    assert (found.files, found.findings) == (1, ())
    (left_out,) = found.left_out
    assert (left_out.path, left_out.kind) == ("f0.py", "ignored")
    assert left_out.reason == "says codekin: ignore-file"
    assert len(scanned(everything=True).findings) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"x = 'codekin: ignore-file'\n",
        b"\n" * 20 + b"# codekin: ignore-file\n",
        b"# codekin: ignore-files\n",
        b"# codekin: ignore\n",
        b"",
    ],
)
def test_other_files_are_not_ignored(data: bytes) -> None:
    assert not ignores_file(data)


@pytest.mark.parametrize("end", ["", "\ndef", "\n@", "\n\0", "\ndef f(:\n", "\nclass A:\n  def"])
def test_broken_code_after_a_comment(end: str) -> None:
    assert scanned(f"# codekin: ignore{end}", MEAN).findings == ()
