"""The hand-written pairs for 5f and 5g: each is a program whole, and with a part in a function."""

import json
import shutil
import subprocess
from collections import Counter
from itertools import combinations

import pytest

from codekin import Source
from codekin.evaluation.adequacy import made_languages
from codekin.evaluation.adequacy.documents import split_functions
from codekin.represent.tree.fragments import functions_of

PAIRS = {language: split_functions(language) for language in made_languages()}
EVERY = [pair for pairs in PAIRS.values() for pair in pairs]
VARIANTS = ("joined", "split")

C_HEADERS = ("ctype", "limits", "stdint", "stdio", "stdlib", "string")
CPP_HEADERS = (
    *("algorithm", "array", "cmath", "iostream", "map", "memory", "numeric", "queue", "set"),
    *("sstream", "stdexcept", "string", "utility", "vector"),
)


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


def functions(text, language):
    source = Source(text, language)
    return functions_of(source.tree, source.data, source.language)


def trigrams(pair):
    tokens = Source(pair.split, pair.language).tokens.texts
    return set(zip(tokens, tokens[1:], tokens[2:], strict=False))


def run(command, folder):
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


def assert_same(output, language):
    """What the two variants of each pair print, after a line with its name."""
    joined, split = output.split("== split\n")
    assert joined.removeprefix("== joined\n") == split
    parts = split.split("== ")[1:]
    names = [pair.name for pair in PAIRS[language]]
    assert [part.split("\n")[0] for part in parts] == names
    assert all(part.split("\n", 1)[1].strip() for part in parts)


def test_there_are_twenty_of_each_language_and_all_differ():
    languages = ("python", "java", "c", "cpp", "javascript")
    assert {name: len(pairs) for name, pairs in PAIRS.items()} == dict.fromkeys(languages, 20)
    assert len({pair.name for pair in EVERY}) == 100
    for pairs in PAIRS.values():
        for first, second in combinations(map(trigrams, pairs), 2):
            assert len(first & second) / len(first | second) < 0.3


@pytest.mark.parametrize("pair", EVERY, ids=lambda pair: pair.name)
def test_the_split_program_has_one_function_more_that_the_joined_one_lacks(pair):
    for text in (pair.joined, pair.split):
        assert not Source(text, pair.language).problems
        assert 8 <= text.count("\n") <= 40
        assert text.endswith("\n") and not text.startswith(("\n", " "))
        assert max(map(len, text.splitlines())) <= 100
    before, after = functions(pair.joined, pair.language), functions(pair.split, pair.language)
    assert len(after) == len(before) + 1
    joined = Counter(Source(pair.joined, pair.language).tokens.texts)
    split = Counter(Source(pair.split, pair.language).tokens.texts)
    # Defined once and called at least once, by a name of which the joined program knows nothing.
    added = [name for name in split if name.isidentifier() and name not in joined]
    assert any(split[name] >= 2 for name in added)


def test_pairs_come_small_ones_first():
    for pairs in PAIRS.values():
        sizes = [len(pair.joined) + len(pair.split) for pair in pairs]
        assert sizes == sorted(sizes)


@pytest.mark.parametrize("pair", PAIRS["python"], ids=lambda pair: pair.name)
def test_python(pair):
    def printed(code):
        lines = []
        exec(code + pair.check, {"print": lambda *values: lines.append([*map(str, values)])})
        return lines

    before = printed(pair.joined)
    assert before
    assert printed(pair.split) == before


@needs("gcc")
def test_c(tmp_path):
    output = ""
    for variant in VARIANTS:
        lines = [f"#include <{header}.h>" for header in C_HEADERS]
        for number, pair in enumerate(PAIRS["c"]):
            check = f'void check{number}(void) {{\nputs("\\n== {pair.name}");\n{pair.check}}}'
            lines += [getattr(pair, variant), check]
        calls = "".join(f" check{number}();" for number in range(len(PAIRS["c"])))
        lines.append(f'int main(void) {{ printf("== {variant}"); {calls} puts(""); return 0; }}')
        (tmp_path / "a.c").write_text("\n".join(lines), encoding="utf-8")
        run(["gcc", "-std=c11", "-Wall", "-Werror", "-fsanitize=undefined", "a.c"], tmp_path)
        output += run(["./a.out"], tmp_path)
    assert_same(output, "c")


@needs("g++")
def test_cpp(tmp_path):
    lines = [f"#include <{header}>" for header in CPP_HEADERS]
    calls = ""
    for variant in VARIANTS:
        lines.append(f"namespace {variant} {{")
        calls += f'std::cout << "== {variant}";'
        for number, pair in enumerate(PAIRS["cpp"]):
            name = f'std::cout << "\\n== {pair.name}\\n";'
            lines += [getattr(pair, variant), f"void check{number}() {{\n{name}\n{pair.check}}}"]
            calls += f"{variant}::check{number}();"
        lines.append("}")
        calls += r"std::cout << '\n';"
    lines.append(f"int main() {{ {calls} }}")
    (tmp_path / "a.cpp").write_text("\n".join(lines), encoding="utf-8")
    run(["g++", "-std=c++17", "-w", "a.cpp"], tmp_path)
    assert_same(run(["./a.out"], tmp_path), "cpp")


@needs("javac")
def test_java(tmp_path):
    lines, calls = ["import java.util.*;", "class Printer {"], ""
    lines.append("static void print(Object... values) {")
    lines.append("for (Object value : values) System.out.println(value); } }")
    for variant in VARIANTS:
        holder = variant.title()
        lines.append(f"class {holder} extends Printer {{")
        calls += f'System.out.print("== {variant}");'
        for number, pair in enumerate(PAIRS["java"]):
            name = f'System.out.println("\\n== {pair.name}");'
            check = f"static void check{number}() {{\n{name}\n{pair.check}}}"
            lines += [getattr(pair, variant), check]
            calls += f"{holder}.check{number}();"
        lines.append("}")
        calls += 'System.out.println("");'
    lines.append(f"class Main {{ public static void main(String[] words) {{ {calls} }} }}")
    (tmp_path / "Main.java").write_text("\n".join(lines), encoding="utf-8")
    short_lived = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
    run(["javac", *short_lived, "-encoding", "utf8", "-nowarn", "Main.java"], tmp_path)
    assert_same(run(["java", "-XX:TieredStopAtLevel=1", "Main"], tmp_path), "java")


@needs("node")
def test_javascript(tmp_path):
    lines = ["'use strict'; const print = (...values) => console.log(JSON.stringify(values));"]
    for variant in VARIANTS:
        lines.append(f"console.log('== {variant}');")
        for pair in PAIRS["javascript"]:
            name = f"console.log({json.dumps('== ' + pair.name)});"
            lines.append(f"(() => {{\n{name}\n{getattr(pair, variant)}\n{pair.check}}})();")
    (tmp_path / "a.js").write_text("\n".join(lines), encoding="utf-8")
    assert_same(run(["node", "a.js"], tmp_path), "javascript")
