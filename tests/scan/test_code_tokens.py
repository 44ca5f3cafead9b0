from __future__ import annotations

import pytest

from codekin.languages import get_language, language_names
from codekin.scan.code_tokens import CodeTokens, Trait, read_tokens


def tokens_of(text: str, language: str) -> CodeTokens:
    return read_tokens(text.encode(), get_language(language))


def words(text: str, language: str) -> list[str]:
    """The tokens as written."""
    tokens, data = tokens_of(text, language), text.encode()
    ends = [*tokens.starts.tolist()[1:], len(data)]
    return [data[a:b].decode().split()[0] for a, b in zip(tokens.starts, ends, strict=True)]


def marked(text: str, language: str, trait: Trait) -> set[int]:
    """The lines of tokens with a trait."""
    tokens = tokens_of(text, language)
    return set(tokens.lines[tokens.traits & int(trait) != 0].tolist())


def statements(text: str, language: str) -> list[int]:
    return tokens_of(text, language).statement_ids.tolist()


def test_comments_and_docstrings_are_no_tokens() -> None:
    text = (
        '"""About.\n\nMore."""\n\ndef f():  # here\n    "Says."\n    x = ["kept",\n      "too"]\n'
    )
    assert words(text, "python") == [
        "def",
        "f",
        "(",
        ")",
        ":",
        "x",
        "=",
        "[",
        '"kept"',
        ",",
        '"too"',
        "]",
    ]
    assert tokens_of(text, "python").lines.tolist()[0] == 5
    assert words("int a; /* b\n c */ // d\n", "c") == ["int", "a", ";"]


def test_a_string_over_several_lines_ends_where_it_ends() -> None:
    tokens = tokens_of("x = '''a\nb\nc'''\ny = 1\n", "python")
    assert tokens.lines.tolist() == [1, 1, 1, 4, 4, 4]
    assert tokens.last_lines.tolist() == [1, 1, 3, 4, 4, 4]


@pytest.mark.parametrize("language", language_names())
def test_only_names_and_values_are_blind(language: str) -> None:
    first, second = tokens_of("total = count + 1", language), tokens_of("x = y + 25", language)
    assert first.blind.tolist() == second.blind.tolist()
    assert first.raw.tolist() != second.raw.tolist()
    other = tokens_of("total = count - 1", language)
    assert first.blind.tolist() != other.blind.tolist()


def test_a_reserved_word_is_a_name_only_behind_a_point() -> None:
    assert statements("a.default(x)", "javascript") == statements("a.b(x)", "javascript")
    assert statements("if (a) b()", "javascript") != statements("f (a) b()", "javascript")


def test_the_layout_of_a_statement_does_not_matter() -> None:
    wide = "if (a) { b(c,\n d); e(); }"
    tall = "if (a)\n{\n  b(c, d);\n  e();\n}"
    assert statements(wide, "java") == statements(tall, "java")
    assert len(statements(wide, "java")) == 3
    assert statements("if (a) b();", "c") == statements("if (a) { b(); }", "c")


def test_a_line_end_ends_a_statement_where_it_does_in_the_language() -> None:
    assert len(statements("a = f(b,\n  c)\nd = 1\n", "python")) == 2
    assert len(statements("const a = b\n  .c()\nd()\n", "javascript")) == 2
    assert len(statements("x := a +\n  b\ny := c\n", "go")) == 2
    assert len(statements("int a = b\n  + c;", "java")) == 1


def test_imports_are_marked() -> None:
    python = "import a\nfrom b import (\n  c,\n)\nx = 1\n"
    assert marked(python, "python", Trait.IMPORT) == {1, 2, 3, 4}
    assert marked('import (\n "a"\n)\nvar x = 1\n', "go", Trait.IMPORT) == {1, 2, 3}
    assert marked("#include <a.h>\nint x;\n", "c", Trait.IMPORT) == {1}
    assert marked("using A;\nusing (var x = f()) { g(); }\n", "csharp", Trait.IMPORT) == {1}
    assert marked("import {a,\n b} from 'c'\nimport('d')\n", "javascript", Trait.IMPORT) == {1, 2}


def test_tables_of_constants_are_marked_but_calls_are_not() -> None:
    table = "x = {\n 'a': 1, 'b': 2,\n 'c': 3, 'd': 4,\n 'e': 5}\ny = 2\n"
    assert marked(table, "python", Trait.TABLE) == {1, 2, 3, 4}
    calls = table.replace("1", "f(1)")
    assert marked(calls, "python", Trait.TABLE) == set()
    assert len(statements(table, "python")) == 2


def test_levels_count_brackets_and_indented_blocks() -> None:
    tokens = tokens_of("def f(a):\n    if a:\n        b\n", "python")
    assert tokens.levels.tolist() == [0, 0, 0, 1, 0, 0, 1, 1, 1, 2]
    tokens = tokens_of("{ a; { b; } }", "c")
    assert tokens.levels.tolist() == [0, 1, 1, 1, 2, 2, 1, 0]


def test_languages_that_are_compared_share_their_tokens() -> None:
    text = "int f(int a) { return a + 1; }"
    assert tokens_of(text, "c").blind.tolist() == tokens_of(text, "cpp").blind.tolist()
    assert tokens_of(text, "c").blind.tolist() != tokens_of(text, "java").blind.tolist()


@pytest.mark.parametrize("language", language_names())
@pytest.mark.parametrize("text", ["", "\0", "((((", "}}}}", "'", "\\", "\xff{;", "import", "#"])
def test_garbage_is_read(language: str, text: str) -> None:
    tokens = tokens_of(text, language)
    assert len(tokens) == len(tokens.levels) == len(tokens.traits)
