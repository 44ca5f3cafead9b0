from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from tests.bench.small_code import function

from adaptation import conditions, is_clean, statements, with_new_names, with_other_statements
from codekin import Source, TokenClass
from planting import standalone
from restructuring import LANGUAGES, writer_of

OTHERS = {"go": ["other(1)"], "python": ["other(1)"]}


def source_of(language: str) -> Source:
    return standalone(function(language, 27), language, "class" if language == "java" else "top")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_statement_is_a_child_of_a_block(language: str) -> None:
    found = statements(writer_of(source_of(language), random.Random(0)))
    # Two variables, a loop over four steps, a branch with one statement, and the end.
    assert len(found) == 2 + 1 + 4 + 1 + 1 + 1


def test_documentation_is_no_statement() -> None:
    text = 'def f(a):\n    """Documented."""\n    a += 1\n    return a\n'
    writer = writer_of(Source(text, "python"), random.Random(0))
    assert [writer.program.text(node) for node in statements(writer)] == ["a += 1", "return a"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wanted", [1, 5])
def test_as_many_statements_change_as_are_wanted(language: str, wanted: int) -> None:
    source = source_of(language)
    for seed in range(6):
        chance = random.Random(seed)
        lines = OTHERS.get(language, ["other(1);"])
        done = with_other_statements(source, wanted, lines, ["other > 1"], chance)
        assert done is not None
        after, changes = done
        assert is_clean(after) and after.text != source.text
        counts = {change.split(" ", 1)[1]: int(change.split()[0]) for change in changes}
        assert sum(counts.values()) == wanted
        assert after.text.count("other > 1") == counts.get("other conditions", 0)
        put_in = counts.get("added", 0) + counts.get("replaced", 0)
        assert after.text.count("other(1)") <= put_in


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_loops_and_conditions_are_changed_too(language: str) -> None:
    source, seen = source_of(language), Counter[str]()
    for seed in range(40):
        chance = random.Random(seed)
        lines = OTHERS.get(language, ["other(1);"])
        done = with_other_statements(source, 5, lines, ["other > 1"], chance)
        assert done is not None
        seen["loop dropped"] += re.search(r"\bfor\b", done[0].text) is None
        seen["other condition"] += "other > 1" in done[0].text
    assert 0 < min(seen.values()) <= max(seen.values()) < 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_names_are_consistent_and_only_its_own(language: str) -> None:
    source = source_of(language)
    text = with_new_names(source, "work27", random.Random(2))
    assert text is not None
    after = Source(text, language)
    before, tokens = list(source.tokens), list(after.tokens)
    assert [token.cls for token in tokens] == [token.cls for token in before]
    pairs = {(a.text, b.text) for a, b in zip(before, tokens, strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    changed = {a for a, b in pairs if a != b}
    assert {"work27", "total", "scale", "i", "n"} == changed
    assert "note" in text and not any(
        a.cls is not TokenClass.IDENTIFIER for a in before if a.text in changed
    )


def test_conditions_are_without_brackets() -> None:
    text = "function f(a) {\n  if (a > 1) {\n    g();\n  }\n  while (a) {\n    a--;\n  }\n}\n"
    assert conditions(Source(text, "javascript")) == ["a > 1", "a"]
