from __future__ import annotations

from pathlib import Path

import pytest

from codekin.errors import CodekinError

CODE = """package a;

class Box {
    int size; // how large

    int grow(int by) {
        // by some
        return Math.max(size + by, 0);
    }
}
"""


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "Box.java"
    path.write_text(CODE)
    return path


def test_the_texts_are_shown_side_by_side(cli, box: Path) -> None:
    result = cli("abstract", box, width=120)
    assert result.exit_code == 0, result.output
    row = next(line for line in result.stdout.splitlines() if "grow" in line)
    before, after = row.split("│")
    assert before.split() == ["6", "int", "grow(int", "by)", "{"]
    assert after.split() == ["5", "int", "grow(int", "var2)", "{"]
    assert "[-package a;-]" in result.stdout
    assert "[- // how large-]" in result.stdout
    assert "Level 1: 2 variables, 1 type, 2 lines left out" in result.stdout
    names = [line.split() for line in result.stdout.splitlines() if line.startswith("var1")]
    assert names == [["var1", "size", "2"]]


def test_narrow_terminals_show_the_abstraction(cli, box: Path) -> None:
    result = cli("abstract", box, width=40)
    assert "int grow(int var2) {" in result.stdout
    assert "│" not in result.stdout


def test_the_text_alone(cli, box: Path) -> None:
    result = cli("abstract", box, "--level", "3", "--format", "text")
    assert "        return Obj1.fun0(var1 + var2, 0);\n" in result.stdout
    result = cli("abstract", "-", "-l", "python", "--format", "text", stdin="def f(x): return x")
    assert result.stdout == "def f(var1): return var1"
    result = cli("abstract", box, "--level", "over", "--format", "text")
    assert result.stdout.startswith("(program\n(class_declaration")


def test_the_text_is_written_and_the_change_shown(cli, box: Path) -> None:
    made = box.with_name("made.java")
    result = cli("abstract", box, "--level", "abs", "-o", made)
    assert result.exit_code == 0, result.output
    assert "class Type0 {" in made.read_text()
    assert "Level abs" in result.stdout
    assert "Written:" in result.stdout


def test_the_page(cli, box: Path) -> None:
    page = box.with_name("change.html")
    result = cli("abstract", box, "-o", page)
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert "<b class='was'>size</b>" in text
    assert "<b class='now'>var1</b>" in text
    assert "<span class='gone'>package a;</span>" in text
    assert "http" not in text.replace("http-equiv", "")
    assert cli("abstract", box, "--format", "html").stdout == text


def test_code_cannot_write_into_the_page(cli, tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text('x = "</code><script>alert(1)</script>"  # <b>\n')
    page = cli("abstract", path, "--format", "html").stdout
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_imports_and_the_vocabulary_of_a_corpus(cli, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"language": "java", "code": "class Box { void f() { h(); grow(); } }"}\n')
    result = cli("corpus", "abstract", rows, "--level", "3", "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    code = tmp_path / "New.java"
    code.write_text("import a.B;\nBox f() { grow(); }\n")
    result = cli(
        "abstract",
        code,
        "--drop-imports",
        *("--level", "3", "--format", "text", "--vocabulary", tmp_path / "made"),
    )
    assert result.stdout == "Type0 f() { fun1(); }\n"


def test_half_written_code_is_abstracted_with_a_warning(cli, tmp_path: Path) -> None:
    path = tmp_path / "half.java"
    path.write_text("int f(int a) { return a +")
    result = cli("abstract", path, "--format", "text")
    assert result.exit_code == 0
    assert result.stdout == "int f(int var1) { return var1 +"
    assert "did not parse at 1:" in result.stderr


def test_bad_input(cli, box: Path, tmp_path: Path) -> None:
    for words, expected in (
        ((box, "-o", box), "is the text to abstract"),
        ((box, "-o", tmp_path / "none" / "x.java"), "there is no folder"),
        ((tmp_path / "none.java",), "no such file"),
        ((box, "-l", "ruby"), "Ruby cannot be abstracted"),
        ((box, "--vocabulary", tmp_path), "no such file"),
    ):
        result = cli("abstract", *words)
        assert isinstance(result.exception, CodekinError)
        assert expected in str(result.exception)
    assert box.read_text() == CODE
    assert cli("abstract", box, "--level", "9").exit_code == 2


def test_a_corpus_is_abstracted(cli, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "a", "language": "c", "code": "int f(int n) { return n; }"}\n')
    result = cli("corpus", "abstract", rows, "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    assert "1 parsed" in result.stdout
    again = cli("corpus", "abstract", rows, "-o", tmp_path / "made")
    assert "nothing is overwritten" in str(again.exception)
