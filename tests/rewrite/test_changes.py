import ast
import json
import re
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source
from codekin.rewrite import BREAKING, PRESERVING, rewritable_languages, rewrite

CHANGES = (*PRESERVING, *BREAKING)
PROGRAMS = [
    json.loads(line)
    for line in files("codekin").joinpath("data/programs.jsonl").read_text("utf-8").splitlines()
]
HOSTILE = {
    "python": 'def f(a, b):\n    """Doc."""\n    if a < b and True:\n\n        return [\n a,\n b]'
    '\n    x = """m\nn"""\n    return x \\\n        + "s"\ndef g(q): return max(q, 1)\n',
    "java": "class A {\n  int m(int a) { /* c */ return a; } // d\n  int n(int b) {\n"
    "    if (b > 1 && true)\n    {\n      m(b, 1); }\n    return b - 1; }\n}\n",
    "c": "#define M(a) do { \\\n  f(a); \\\n} while (0)\n#ifdef X\nint z;\n#endif\n"
    "int f(int a)\n{\n"
    "  if (a < 1) { M(a); } else\n    a--;\n  return a; }\nint g(int b) { return h(b, 1); }\n",
    "cpp": 'auto s = R"(\n raw { \n)";\nclass A { public: A(int x) : y(x) {} int y; };\n'
    "int f(int a) { return a; }\nint main() { A a(3); if (f(2) > 1) { a.y++; } return f(3); }\n",
    "javascript": "const t = `a\n ${1 + 2} b`;\nlet f = (a) => { return a\n}\nfunction g(b) {\n"
    "  'use strict'\n  b++\n  return /x y/.test(b) ? b : -b\n}\nfunction h() { g(1, 2) }\n",
}


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row["id"])
def test_bundled_programs_parse_and_change(row):
    source = Source(row["code"], row["language"])
    assert not source.problems
    assert 10 <= row["code"].count("\n") <= 60
    changed = {change: rewrite(source, change) for change in CHANGES}
    assert sum(text is not None for text in changed.values()) >= 8
    for change, text in changed.items():
        if text is not None:
            assert not Source(text, row["language"]).problems, change
            assert text != row["code"]


def test_bundled_programs_cover_every_change():
    many = Counter(row["language"] for row in PROGRAMS)
    assert set(many) == set(rewritable_languages()) - {"typescript"}
    made = Counter(
        (row["language"], change)
        for row in PROGRAMS
        for change in CHANGES
        if rewrite(Source(row["code"], row["language"]), change) is not None
    )
    for language, count in many.items():
        assert count >= 12
        for change in CHANGES:
            assert made[language, change] >= count / 2, (language, change)


def printed(code):
    lines = []
    exec(
        code, {"print": lambda *words, **_: lines.append([*map(str, words)]), "__name__": "program"}
    )
    return lines


@pytest.mark.parametrize(
    "row", [r for r in PROGRAMS if r["language"] == "python"], ids=lambda row: row["id"]
)
def test_python_programs_print_the_same(row):
    before = printed(row["code"])
    assert before
    for change in PRESERVING:
        for seed in range(3):
            text = rewrite(Source(row["code"], "python"), change, seed)
            assert text is None or printed(text) == before, change


def test_breaking_changes_mostly_break():
    broken = total = 0
    for row in PROGRAMS:
        if row["language"] != "python":
            continue
        for change in ("operator", "condition"):
            text = rewrite(Source(row["code"], "python"), change, 3)
            if text is not None and "while" not in text:  # a loop may have no end
                total += 1
                try:
                    broken += printed(text) != printed(row["code"])
                except Exception:
                    broken += 1
    assert broken >= 0.7 * total > 0


def test_the_seed_decides():
    source = Source(PROGRAMS[0]["code"], PROGRAMS[0]["language"])
    again = Source(PROGRAMS[0]["code"], PROGRAMS[0]["language"])
    for change in CHANGES:
        assert rewrite(source, change, 4) == rewrite(again, change, 4)
    assert len({rewrite(source, "locals", seed) for seed in range(5)}) == 5


def test_unknown_change():
    with pytest.raises(CodekinError, match="did you mean 'locals'"):
        rewrite(Source("x = 1", "python"), "local")
    with pytest.raises(CodekinError, match="known: locals, layout"):
        rewrite(Source("x = 1", "python"), "zzz")


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_to_change(change):
    assert (
        rewrite(Source("package main\nfunc f(a int) int { return a + 1 }\n", "go"), change) is None
    )
    assert rewrite(Source("", "python"), change) is None
    assert rewrite(Source("def f(a:\n    return a + 1\n", "python"), change) is None


FORMS = {
    "crlf": lambda code: code.replace("\n", "\r\n"),
    "cr": lambda code: code.replace("\n", "\r"),
    "tabs": lambda code: code.replace("    ", "\t"),
    "no final line end": lambda code: code.rstrip("\n"),
    "byte order mark": lambda code: "\ufeff" + code,
    "unicode names": lambda code: re.sub(r"\b[ab]\b", "größe", code),
    "binary": lambda code: "\x00\x01\xff" + code[:30] + "\x7f\x00",
    "cut": lambda code: code[: len(code) // 2],
    "many": lambda code: code * 30,
}


@pytest.mark.parametrize("language", HOSTILE)
@pytest.mark.parametrize("form", FORMS)
def test_hostile_texts(language, form):
    code = FORMS[form](HOSTILE[language])
    for change in CHANGES:
        text = rewrite(Source(code, language), change, 2)
        if text is not None:
            assert not Source(text, language).problems
            if form == "crlf":
                assert text.count("\n") == text.count("\r\n")
            if language == "python" and form != "byte order mark":
                ast.parse(text)


def test_the_hostile_texts_change():
    for language, code in HOSTILE.items():
        for change in ("locals", "layout", "comments", "dead-code", "operator", "statement"):
            assert rewrite(Source(code, language), change, 1) is not None, (language, change)


@given(
    st.sampled_from(rewritable_languages()),
    st.sampled_from(CHANGES),
    st.lists(
        st.sampled_from(
            (
                *("def f(a):", "\n", "    ", "return a", "{", "}", "(", ")", ";", "int f(int a)"),
                *("x = 1", "if (a < 2)", "#define A a", "// c", "'s'", "=> ", "class A", "\\\n"),
                *("\t", "é", "\r", "\ud800"),
            )
        ),
        max_size=12,
    ).map("".join),
)
def test_no_text_makes_it_fail(language, change, code):
    text = rewrite(Source(code, language), change, 0)
    assert text is None or not Source(text, language).problems
