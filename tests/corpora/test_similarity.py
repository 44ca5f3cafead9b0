from __future__ import annotations

import pytest
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora.corpus import Corpus
from codekin.corpora.similarity import compare_corpora, snippet_shape
from codekin.corpora.snippets import Snippet


def test_what_is_counted():
    code = "int f(int a) {\n\n  int b = g(a) + h();\n  return b; // sum\n}\n"
    assert snippet_shape("c", code)[:3] == (2, 2, 4)


def test_a_corpus_is_like_itself():
    found = compare_corpora(contest(), contest(), workers=0)
    assert all(one.difference == 0 and one.overlap == 1 for one in found.facts)
    assert [one.name for one in found.facts] == ["variable names", "calls", "lines", "tokens"]
    assert "More than half apart" not in " ".join(found.notes())


def test_other_code_is_far_from_it():
    long = "int f(int x) { " + "x += g(x); " * 50 + "return x; }"
    other = Corpus("long", tuple(Snippet(str(i), "c", long) for i in range(5)))
    found = {one.name: one for one in compare_corpora(contest(), other, workers=0).facts}
    assert found["tokens"].overlap == 0
    assert found["calls"].first == 0
    assert found["calls"].second == 50


def test_languages_whose_names_cannot_be_told_apart():
    with pytest.raises(CodekinError, match="ruby: has no snippet in a language"):
        compare_corpora(contest(), Corpus("ruby", (Snippet("a", "ruby", "x = 1"),)), workers=0)
