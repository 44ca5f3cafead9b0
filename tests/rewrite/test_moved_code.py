"""Programs after inlining and outlining still print the same."""

import json
import re
import shutil
import subprocess

import pytest
from tests.rewrite.moved_code import JAVA, TEXTS, variants

from codekin import Source
from codekin.rewrite import rewrite

CHANGES = ("inline", "outline")


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not here")


def run(command, folder):
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


@pytest.mark.parametrize("change", CHANGES)
def test_python(change):
    def printed(code):
        lines = []
        exec(code, {"print": lambda *words: lines.append([*map(str, words)])})
        return lines

    before = printed(TEXTS["python"])
    texts = variants("python", change, 16)
    assert len(texts) > 10
    for text in texts:
        assert printed(text) == before


@needs("gcc")
@pytest.mark.parametrize("change", CHANGES)
def test_c(change, tmp_path):
    def printed(code):
        (tmp_path / "a.c").write_text(code, encoding="utf-8")
        run(["gcc", "-w", "a.c", "-o", "a"], tmp_path)
        return run(["./a"], tmp_path)

    before = printed(TEXTS["c"])
    for text in variants("c", change, 3):
        assert printed(text) == before


@needs("g++")
def test_cpp(tmp_path):
    """All variants in one program, each in a namespace of its own."""
    texts = [TEXTS["cpp"], *(text for change in CHANGES for text in variants("cpp", change, 3))]
    heads = "".join(line + "\n" for line in TEXTS["cpp"].splitlines() if line.startswith("#"))
    bodies = "".join(
        f"namespace v{i} {{\n{text.replace(heads, '').replace('int main', 'int start')}}}\n"
        for i, text in enumerate(texts)
    )
    calls = "".join(f'v{i}::start(); std::printf("--\\n");\n' for i in range(len(texts)))
    (tmp_path / "a.cpp").write_text(f"{heads}{bodies}int main() {{\n{calls}}}\n", encoding="utf-8")
    run(["g++", "-std=c++17", "-O0", "-w", "a.cpp", "-o", "a"], tmp_path)
    first, *others = run(["./a"], tmp_path).split("--\n")[:-1]
    assert first
    assert others == [first] * len(others)
    assert len(others) >= 4


@needs("javac")
def test_java(tmp_path):
    """All variants in one file, each as a class of its own."""
    texts = [JAVA, *(text for change in CHANGES for text in variants("java", change, 6))]
    head = "import java.util.*;\n"
    classes = "".join(re.sub(r"\bA\b", f"A{i}", t.replace(head, "")) for i, t in enumerate(texts))
    calls = "".join(f'A{i}.work(); System.out.println("--");\n' for i in range(len(texts)))
    start = f"class Main {{ public static void main(String[] a) {{\n{calls}}} }}\n"
    (tmp_path / "Main.java").write_text(head + start + classes, encoding="utf-8")
    command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "Main.java"]
    first, *others = run(command, tmp_path).split("--\n")[:-1]
    assert first
    assert others == [first] * len(others)
    assert len(others) >= 8


@needs("node")
def test_javascript(tmp_path):
    """All variants by one interpreter, each as a function of its own."""
    texts = [TEXTS["javascript"]]
    texts += [text for change in CHANGES for text in variants("javascript", change, 8)]
    code = f"for (const t of {json.dumps(texts)}) {{ new Function(t)(); console.log('--'); }}\n"
    (tmp_path / "a.js").write_text(code, encoding="utf-8")
    first, *others = run(["node", "a.js"], tmp_path).split("--\n")[:-1]
    assert first
    assert others == [first] * len(others)
    assert len(others) > 8


def test_python_after_many_changes():
    """What was outlined can be inlined, and the other way round."""
    text = "def f(a, b):\n    c = a * 2\n    d = c + b\n"
    text += "    if d > 3:\n        d -= a + b\n    return d\n"
    for seed in range(6):
        changed = text
        for change in ("outline", "inline", "outline", "locals", "inline"):
            changed = rewrite(Source(changed, "python"), change, seed) or changed
            space = {}
            exec(changed, space)
            assert [space["f"](a, 2) for a in range(4)] == [2, 1, 2, 3], (seed, change)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("language", TEXTS)
def test_the_seed_decides(language, change):
    again = rewrite(Source(TEXTS[language], language), change, 3)
    assert again == rewrite(Source(TEXTS[language], language), change, 3)
    assert again is not None
    assert not Source(again, language).problems


@pytest.mark.parametrize("change", CHANGES)
def test_line_ends_are_kept(change):
    for language, text in TEXTS.items():
        changed = rewrite(Source(text.replace("\n", "\r\n"), language), change, 1)
        assert changed.count("\n") == changed.count("\r\n")


@pytest.mark.parametrize("change", CHANGES)
def test_typescript_would_need_types(change):
    code = "function g(x: number) {\n  return x + 1;\n}\nfunction f(y: number) {\n"
    code += "  const a = g(y);\n  return a * 2;\n}\n"
    assert rewrite(Source(code, "typescript"), change) is None
