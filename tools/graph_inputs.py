"""Difficult texts for semantic graphs: damaged, deep and wide programs."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_WORD = re.compile(r"\w+|[^\w\s]|\s+")


# Damage


def mutated(text: str, other: str, rng: random.Random) -> str:
    """A text with one to four changes: tokens or lines deleted, duplicated, swapped or inserted."""
    for _ in range(rng.randrange(1, 5)):
        pieces = text.splitlines(keepends=True) if rng.random() < 0.4 else _WORD.findall(text)
        if not pieces:
            return other
        at, to = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        match rng.randrange(6):
            case 0:
                del pieces[at : at + rng.randrange(1, 6)]
            case 1:
                pieces.insert(to, pieces[at])
            case 2:
                pieces[at], pieces[to] = pieces[to], pieces[at]
            case 3:
                pieces.insert(at, bytes(rng.randrange(256) for _ in range(8)).decode("latin-1"))
            case 4:
                words = _WORD.findall(other) or [" "]
                start = rng.randrange(len(words))
                pieces[at:at] = words[start : start + rng.randrange(1, 12)]
            case _:
                pieces.insert(at, rng.choice("(){}[];:,.\"'`\\\n\t\0#&*<>=!?|~^%$@/"))
        text = "".join(pieces)
    return text


def shuffled(texts: list[str], rng: random.Random) -> str:
    """Shuffled tokens of several texts."""
    words = [word for text in rng.sample(texts, min(3, len(texts))) for word in _WORD.findall(text)]
    return "".join(rng.choice(words) for _ in range(rng.randrange(1, 300))) if words else ""


def truncations(text: str) -> Iterator[str]:
    """A text cut off before each of its bytes; half a character is replaced."""
    data = text.encode()
    for end in range(len(data)):
        yield data[:end].decode("utf-8", "replace")


# Depth and width

_BRACES = {
    "block": ("{", "}"),
    "if": ("if (a) {", "}"),
    "else": ("if (a) { b = 1; } else {", "}"),
    "while": ("while (a < 3) {", "}"),
    "parentheses": ("a = (", "1);"),
}
_C_FAMILY = {
    **_BRACES,
    "for": ("for (i = 0; i < 3; i++) {", "}"),
    "do": ("do {", "} while (a);"),
    "switch": ("switch (a) { case 1:", "}"),
}
_C_PLUS = {
    **_C_FAMILY,
    "try": ("try {", "} catch (...) { b = 2; }"),
    "lambda": ("auto f = [&](int a) {", "};"),
}
_JAVA = {
    **_C_FAMILY,
    "try": ("try {", "} catch (Exception e) { b = 2; } finally { c = 3; }"),
    "lambda": ("Runnable f = () -> {", "};"),
    "class": ("class A { void f() {", "} }"),
}
_SCRIPT = {
    **_C_FAMILY,
    "try": ("try {", "} catch (e) { b = 2; } finally { c = 3; }"),
    "function": ("function f(a) {", "}"),
    "arrow": ("const f = (a) => {", "};"),
    "class": ("class A { f() {", "} }"),
}
_GO = {
    "block": ("{", "}"),
    "if": ("if a {", "}"),
    "else": ("if a { b = 1 } else {", "}"),
    "for": ("for i := 0; i < 3; i++ {", "}"),
    "switch": ("switch a { case 1:", "}"),
    "function": ("f := func(a int) {", "}"),
    "defer": ("defer func() {", "}()"),
    "select": ("select { case <-a:", "}"),
}
_RUST = {
    "block": ("{", "}"),
    "if": ("if a {", "}"),
    "else": ("if a { b = 1; } else {", "}"),
    "while": ("while a < 3 {", "}"),
    "for": ("for i in 0..3 {", "}"),
    "loop": ("loop {", "break; }"),
    "match": ("match a { 1 => {", "} _ => {} }"),
    "function": ("fn f(a: i32) {", "}"),
    "closure": ("let f = |a| {", "};"),
    "unsafe": ("unsafe {", "}"),
}
NESTED = {
    "java": _JAVA,
    "c": _C_FAMILY,
    "cpp": _C_PLUS,
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "go": _GO,
    "rust": _RUST,
}
"""The opening and closing of each construct, by language."""

FRAMES = {
    "java": ("class A { void f(int a, int b) {\n", "\n} }\n"),
    "c": ("int f(int a, int b) {\n", "\n}\n"),
    "cpp": ("int f(int a, int b) {\n", "\n}\n"),
    "javascript": ("function f(a, b) {\n", "\n}\n"),
    "typescript": ("function f(a: number, b: number) {\n", "\n}\n"),
    "go": ("package p\nfunc f(a int, b int) {\n", "\n}\n"),
    "rust": ("fn f(mut a: i32, mut b: i32) {\n", "\n}\n"),
    "python": ("def f(a, b):\n", "\n"),
}
_INDENTED = {
    "if": "if a:",
    "while": "while a:",
    "for": "for i in a:",
    "with": "with a as b:",
    "def": "def f(a):",
    "class": "class A:",
}
_EXPRESSIONS = {
    "sum": ("a", "+ a"),
    "member": ("a", ".b"),
    "index": ("a", "[0]"),
    "call": ("a", "(b)"),
    "not": ("", "!"),
    "grouped": ("", "("),
}


def nested(language: str, depth: int) -> Iterator[tuple[str, str]]:
    """Constructs of a language inside each other, and long chains of operators."""
    head, tail = FRAMES[language]
    end = "" if language in ("python", "go") else ";"
    if language == "python":
        for name, opening in _INDENTED.items():
            lines = [" " * i + opening for i in range(depth)]
            yield name, "\n".join([*lines, " " * depth + "b = a\n"])
        yield "lambda", f"a = {'lambda x: ' * depth}x\n"
        yield "comprehension", f"a = {'[' * depth}x{' for x in b]' * depth}\n"
        yield "conditional", f"a = {'1 if a else ' * depth}2\n"
        yield "not", f"{head}    a = {'not ' * depth}b{tail}"
    else:
        for name, (opening, closing) in NESTED[language].items():
            yield name, f"{head}{opening * depth}\nb = a{end}\n{closing * depth}{tail}"
        yield "not", f"{head}a = {'!' * depth}b{end}{tail}"
        if language not in ("go", "rust"):
            yield "conditional", f"{head}a = {'b ? a : ' * depth}1;{tail}"
    indent = "    " if language == "python" else ""
    yield "grouped", f"{head}{indent}a = {'(' * depth}b{')' * depth}{end}{tail}"
    yield "called", f"{head}{indent}a = {'f(' * depth}b{')' * depth}{end}{tail}"
    for name in ("sum", "member", "index", "call"):
        first, more = _EXPRESSIONS[name]
        yield f"{name}s", f"{head}{indent}b = {first}{more * depth}{end}{tail}"
    both = "and a " if language == "python" else "&& a "
    yield "conjunctions", f"{head}{indent}b = a {both * depth}{end}{tail}"


def wide(language: str, count: int) -> Iterator[tuple[str, str]]:
    """Functions with many branches, cases, definitions, loops, calls."""
    head, tail = FRAMES[language]
    if language == "python":
        forms = {
            "branches": "    if a > {0}:\n        b = a + {0}\n",
            "loops": "    while a > {0}:\n        a -= b\n",
            "returns": "    if a == {0}:\n        return b\n",
            "calls": "    b = f(a, b)\n",
            "definitions": "    v{0} = a + b\n",
            "attempts": "    try:\n        a = g(b)\n    except E:\n        b = {0}\n",
        }
        cases = f"{head}    match a:\n" + "".join(
            f"        case {i}:\n            b += {i}\n" for i in range(count)
        )
        chain = f"{head}    if a:\n        b = 0\n" + "".join(
            f"    elif a == {i}:\n        b = {i}\n" for i in range(count)
        )
    else:
        test = (
            ("if a > {0} {{", "for a > {0} {{")
            if language == "go"
            else ("if (a > {0}) {{", "while (a > {0}) {{")
        )
        forms = {
            "branches": test[0] + " b = a + {0};\n}}\n",
            "loops": test[1] + " a -= b;\n}}\n",
            "returns": test[0] + " return;\n}}\n",
            "calls": "b = f(a, b);\n",
            "definitions": {"go": "v{0} := a + b\n", "rust": "let v{0} = a + b;\n"}.get(
                language, "int v{0} = a + b;\n"
            ),
        }
        if language in ("java", "cpp", "javascript", "typescript"):
            name = {"java": "(E e)", "cpp": "(...)"}.get(language, "(e)")
            forms["attempts"] = f"try {{{{ a = g(b); }}}} catch {name} {{{{ b = {{0}}; }}}}\n"
        case = "{0} => {{ b += {0}; }}\n" if language == "rust" else "case {0}: b += {0};\n"
        opening = "match a {\n" if language == "rust" else "switch (a) {\n"
        cases = head + opening + "".join(case.format(i) for i in range(count)) + "}" + tail
        middle = (
            "if a == {0} {{ b = {0}; }} else "
            if language in ("go", "rust")
            else "if (a == {0}) {{ b = {0}; }} else "
        )
        chain = head + "".join(middle.format(i) for i in range(count)) + "{ b = 1; }" + tail
    for name, form in forms.items():
        yield name, head + "".join(form.format(i) for i in range(count)) + tail
    yield "cases", cases
    yield "else-if", chain
    yield (
        "functions",
        "".join(
            FRAMES[language][0].replace(" f(", f" f{i}(")
            + ("    return f(a, b)" if language == "python" else "")
            + FRAMES[language][1]
            for i in range(count)
        ),
    )
