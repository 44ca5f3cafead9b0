import codecs

import pytest

from codekin.errors import CodekinError
from codekin.source import Source


def written(tmp_path, data, name="a.py"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        "é = '文'".encode(),
        codecs.BOM_UTF8 + "é = '文'".encode(),
        codecs.BOM_UTF16_LE + "é = '文'".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "é = '文'".encode("utf-16-be"),
    ],
)
def test_encodings(tmp_path, data):
    source = Source.from_file(written(tmp_path, data))
    assert source.text == "é = '文'"
    assert source.language.name == "python"


def test_other_bytes_are_latin_1(tmp_path):
    assert Source.from_file(written(tmp_path, b"# caf\xe9\n")).text == "# café\n"


def test_binary_files_are_refused(tmp_path):
    with pytest.raises(CodekinError, match="looks binary"):
        Source.from_file(written(tmp_path, b"\x7fELF\0\0\0"))


def test_folders_and_missing_files_say_so(tmp_path):
    with pytest.raises(CodekinError, match="is a folder"):
        Source.from_file(tmp_path)
    with pytest.raises(CodekinError, match=r"nowhere\.py: no such file"):
        Source.from_file(tmp_path / "nowhere.py")


def test_empty_files_are_fine_where_the_suffix_names_the_language(tmp_path):
    source = Source.from_file(written(tmp_path, b""))
    assert len(source.tokens) == 0
    assert source.problems == ()


def test_files_without_a_known_suffix_are_detected(tmp_path):
    path = written(tmp_path, b"def f(x):\n    return x\n", "script")
    assert Source.from_file(path).language.name == "python"
    with pytest.raises(CodekinError, match=r"nothing: .*language="):
        Source.from_file(written(tmp_path, b"", "nothing"))


def test_a_given_language_goes_before_the_suffix(tmp_path):
    assert Source.from_file(written(tmp_path, b"x"), "ruby").language.name == "ruby"


def test_language_is_detected_when_asked_for():
    source = Source("func f(x int) int { return x }")
    assert "undetected" in repr(source)
    assert source.language.name == "go"


def test_only_text_is_code():
    with pytest.raises(CodekinError, match="not bytes"):
        Source(b"x")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_problems_have_positions(line_end):
    source = Source(line_end.join(["é = 1", "y = (2 ]", "z = 3"]), "python")
    (problem,) = source.problems[:1]
    assert problem.line == 2
    assert source.text[problem.start : problem.end].strip()
    assert str(problem).startswith(f"2:{problem.column}: ")


def test_problems_are_known_only_of_what_was_parsed():
    source = Source("int f( { return 1; }", "java")
    assert not source.was_parsed_with_problems
    assert source.tree is not None
    assert source.was_parsed_with_problems
    whole = Source("int f() { return 1; }", "java")
    assert whole.problems == ()
    assert not whole.was_parsed_with_problems


def test_missing_pieces_are_problems():
    (problem,) = Source("int f() { return 1 }", "java").problems
    assert problem.message == "missing ';'"
    assert (problem.line, problem.column) == (1, 19)


def test_what_was_computed_is_kept():
    source = Source("x = 1", "python")
    assert source.tree is source.tree
    assert source.tokens is source.tokens
    assert source.remember("key", lambda: 1) == source.remember("key", lambda: 2) == 1


def test_equal_sources():
    assert Source("x", "py") == Source("x", "python") != Source("x", "ruby")
    assert len({Source("x", "py"), Source("x", "python")}) == 1


MACRO = "#define rep(i, n) for (int i = 0; i < n; i++)\nint main() { rep(i, 3) { f(i); } }\n"


def test_expanded_mends_what_macros_broke():
    source = Source(MACRO, "cpp")
    assert source.problems
    assert source.expanded.problems == ()
    assert "for" in source.expanded.tokens.texts
    assert source.expanded.expanded is source.expanded
    assert source.text == MACRO


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("#define N 3\nint x = N;\n", "c"),
        ("int f( { }", "c"),
        ("#define N 3\nint f( { }", "c"),
        ("# define\nx = (", "python"),
    ],
)
def test_expanded_is_the_source_where_nothing_is_mended(text, name):
    source = Source(text, name)
    assert source.expanded is source


def test_bytes_that_are_neither_utf8_nor_text_are_refused(tmp_path):
    file = tmp_path / "noise.py"
    file.write_bytes(bytes(range(1, 256)))
    with pytest.raises(CodekinError, match="looks binary"):
        Source.from_file(file)
