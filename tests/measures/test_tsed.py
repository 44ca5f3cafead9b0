import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source, measure
from codekin.measures.compat.tsed_package import _labelled_by_fields, _read
from codekin.represent.tree.parsing import parse

PYTHON = [
    "a = 1",
    "def f(x):\n    return x + 1\n",
    "for i in range(3):\n    print(i)\n",
    "class A:\n    def g(self):\n        self.x = [1, 2]\n",
    "if a:\n    b\nelse:\n    c, d\n",
]


def tsed(a, b, language="python", **parameters):
    return measure("tsed", **parameters).score(a, b, language=language)


def test_names_and_constants_do_not_count():
    assert tsed("total = price * 2", "x = y * 10").value == 1.0


def test_operators_count_if_asked_for():
    assert tsed("a + b", "a - b").value == 1.0
    assert tsed("a + b", "a - b", operators=True).value < 1.0
    assert tsed("a + b", "c + d", operators=True).value == 1.0


def test_the_value_by_hand():
    # module(expression_statement(identifier)) against module(expression_statement(call(
    # identifier, argument_list))): two insertions over five nodes
    score = tsed("f", "f()")
    assert score.parts == {"distance": 2.0, "nodes": 3, "reference_nodes": 5}
    assert score.value == pytest.approx(1 - 2 / 5)


def test_empty_texts():
    assert tsed("", "").value == 1.0
    assert tsed("", "x").value == 0.0
    assert tsed("x", "").value == 0.0


def test_a_budget_gives_honest_bounds():
    a, b = "\n".join(PYTHON[:3]), "\n".join(PYTHON[2:])
    exact = tsed(a, b)
    assert exact.exact
    rough = tsed(a, b, steps=0)
    assert not rough.exact
    assert rough.bounds[0] <= exact.value <= rough.bounds[1]
    assert rough.value == rough.bounds[0]


@given(st.sampled_from(PYTHON), st.sampled_from(PYTHON))
def test_it_is_symmetric_with_equal_costs(a, b):
    assert tsed(a, b).value == tsed(b, a).value


def test_languages_can_be_mixed():
    score = measure("tsed").score(
        Source("def f(x): return x", "python"), Source("function f(x) { return x }", "javascript")
    )
    assert 0 < score.value < 1


def test_macros_are_expanded_where_that_mends_the_tree():
    plain = "int main() { for (int i = 0; i < 3; i++) { f(i); } }"
    macro = "#define REP(i, n) for (int i = 0; i < n; i++) {\n#define END }\n"
    source = Source(macro + "int main() { REP(i, 3) f(i); END }", "c")
    assert source.problems
    assert not source.expanded.problems
    assert measure("tsed").score(source, Source(plain, "c")).value > 0.9


def test_negative_costs_are_refused():
    with pytest.raises(CodekinError, match="insert must be from 0 to"):
        measure("tsed", insert=-1)


@pytest.mark.parametrize("text", PYTHON)
def test_reading_a_print_is_labelling_by_fields(text):
    tree = Source(text, "python").tree
    read = _read(str(parse(tree.grammar, text.encode()).root_node))
    labelled = _labelled_by_fields(tree)
    assert read.labels.tolist() == labelled.labels.tolist()
    assert read.parents.tolist() == labelled.parents.tolist()


@pytest.mark.parametrize("compat", [None, "tsed", "apted"])
def test_deep_nesting_is_scored(compat):
    deep = Source("(" * 10_000 + ")" * 10_000, "python")
    one = measure("tsed", compat=compat)
    assert one.score(deep, Source("x", "python")).value <= 0.01


def test_the_explanation_shows_kept_code():
    explanation = tsed("x = f(1)\n", "y = f(1)\nwhile y:\n    y -= 1\n").explain()
    assert "keeps" in explanation.summary
    kept = "".join(explanation.candidate_text[s.start : s.end] for s in explanation.candidate)
    assert kept.replace(" ", "") == "x=f(1)"


def test_comments_and_docstrings_do_not_count_by_default():
    plain = "def f(x):\n    return x\n"
    commented = 'def f(x):\n    """Say x."""\n    # now\n    return x  # done\n'
    assert tsed(plain, commented).value == 1.0
    assert tsed(plain, commented, comments=True).value < 1.0
    rust = "/// Doc.\nfn f() -> i32 { 1 } // one"
    assert tsed("fn f() -> i32 { 1 }", rust, "rust").value == 1.0
