"""Why snippets do not parse."""

from __future__ import annotations

import pytest

from codekin import Corpus, Snippet, Source, audit_corpus
from codekin.corpora.unread_code import why_unread

CONTEST = """#include <iostream>
#define FOR(i,a,b) for (int i = a; i < b; i++)
int main() {
  FOR(i,1,10) {
    std::cout << i;
  }
}
"""


@pytest.mark.parametrize(
    ("language", "code", "why"),
    [
        ("cpp", CONTEST, "macros"),
        ("cpp", f"#ifdef X\n{CONTEST}".replace("int m", "#endif\nint m"), "macros"),
        ("cpp", CONTEST.replace("#define FOR(i,a,b) for (int i = a; i < b; i++)\n", ""), "broken"),
        ("java", "public Music(URL url) throws SlickException { this(url); }", "fragment"),
        ("java", "int x = 1;\nif (x > 0) { return x; }", "whole"),
        ("python", "    def f(self):\n        return self.x\n", "whole"),
        ("c", "int f(int a) { if (a) { return 1;", "cut"),
        ("java", "int f(int a) { return a +* 2; }", "broken"),
        ("python", "def f(x):\n    return x y z\n", "broken"),
    ],
)  # fmt: skip
def test_reasons(language, code, why):
    assert why_unread(Source(code, language)) == why


def finding(code: str) -> object:
    """What the audit says of a corpus of one program many times over."""
    programs = tuple(
        Snippet(str(i), "cpp", f"{code}\nint last{i}() {{ return {i}; }}") for i in range(20)
    )
    audit = audit_corpus(Corpus("tiny", programs), workers=0)
    titles = ("Code that does not parse", "Parsing")
    return next(found for found in audit.findings if found.title in titles), audit


def test_macros_are_no_finding_of_high_severity():
    found, audit = finding(CONTEST)
    assert found.severity.value == "low"
    assert "20 by their macros" in found.evidence
    assert "check the language" not in found.advice.lower()
    assert (audit.unparsed, audit.unread) == (20, {"macros": 20})


def test_broken_code_is():
    found, _ = finding("int f(int a) { return a +* 2; }}")
    assert found.severity.value == "high"
    assert "unpaired brackets" in found.advice
