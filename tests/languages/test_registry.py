import pytest

from codekin.errors import CodekinError
from codekin.languages import get_language, language_of_file, languages
from codekin.represent.tree.parsing import fitting_grammar, parse

NAMES = ["python", "java", "c", "cpp", "javascript", "typescript"]
NAMES += ["go", "rust", "csharp", "php", "ruby", "kotlin"]


def test_languages_and_their_order():
    assert [language.name for language in languages()][:12] == NAMES


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("py", "python"),
        ("C++", "cpp"),
        ("cxx", "cpp"),
        ("js", "javascript"),
        ("TS", "typescript"),
        ("c_sharp", "csharp"),
        ("C#", "csharp"),
        ("cs", "csharp"),
        ("golang", "go"),
        ("rs", "rust"),
        ("kt", "kotlin"),
        ("rb", "ruby"),
        (" Java ", "java"),
    ],
)
def test_aliases(alias, name):
    assert get_language(alias).name == name


def test_no_name_or_suffix_stands_for_two_languages():
    names = [n for language in languages() for n in (language.name, *language.aliases)]
    suffixes = [s for language in languages() for s in language.suffixes]
    assert len(names) == len(set(names))
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.py", "python"),
        ("dir.d/A.JAVA", "java"),
        ("a.h", "c"),
        ("a.hpp", "cpp"),
        ("a.cc", "cpp"),
        ("a.hh", "cpp"),
        ("a.jsx", "javascript"),
        ("a.mjs", "javascript"),
        ("a.tsx", "typescript"),
        ("a.mts", "typescript"),
        ("build.gradle.kts", "kotlin"),
        ("a.cs", "csharp"),
        ("a.phtml", "php"),
    ],
)
def test_suffixes(path, name):
    assert language_of_file(path).name == name


@pytest.mark.parametrize("path", ["Makefile", "a.txt", ".gitignore", "a"])
def test_unknown_suffixes(path):
    assert language_of_file(path) is None


def test_unknown_language_names_the_closest_or_all():
    with pytest.raises(CodekinError, match=r"did you mean 'python'\? \(codekin languages lists"):
        get_language("pyhton")
    with pytest.raises(CodekinError, match=r"unknown language 'zzz' \(known: python, java"):
        get_language("zzz")


@pytest.mark.parametrize("name", NAMES)
def test_grammars_load_and_say_their_version(name):
    for grammar in get_language(name).grammars:
        assert grammar.version[0].isdigit()
        assert not parse(grammar, b"").root_node.has_error or name == "go"
        assert len(grammar.token_table) == 65536


def test_tables_name_only_kinds_that_the_grammar_has():
    for language in languages():
        kinds = {k for grammar in language.grammars for k in grammar.kinds}
        for grammar in language.grammars:
            listed = set(grammar.classes) | grammar.atoms | grammar.split | grammar.numeric
            assert listed | grammar.skip <= kinds, language.name


def test_php_is_read_with_or_without_its_tag():
    php = get_language("php")
    assert fitting_grammar(php, "<?php echo 1;").entry == "language_php"
    assert fitting_grammar(php, "echo 1;").entry == "language_php_only"


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("let x: number = <number>y;", "language_typescript"),
        ("const f = () => <b>x</b>;", "language_tsx"),
        ("const f = () => <br />;", "language_tsx"),
        ("let h = '</b>'; let x = <number>y;", "language_typescript"),
    ],
)
def test_typescript_is_read_with_jsx_only_where_it_has_some(text, entry):
    assert fitting_grammar(get_language("typescript"), text).entry == entry
