"""Data dependence as Joern's graphs have it, line by line."""

from __future__ import annotations

import pytest

import codekin


def data(text: str, language: str) -> set[tuple[int, int]]:
    """Lines between which data edges lead, without those of entries and exits."""
    graph = codekin.semantic_graph(text, language, preset="joern", entry="control", exits=False)
    kinds = {"entry", "exit"}
    found = set()
    for edge in graph.edges():
        ends = graph.node(edge.source), graph.node(edge.target)
        if edge.kind.name == "DATA" and not kinds & {end.kind for end in ends}:
            found.add((ends[0].line, ends[1].line))
    return {(a, b) for a, b in found if a != b}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\nif x > 2:\n    pass\ny = x\n", {(1, 2), (2, 4)}),  # a comparison redefines
        ("x = 1\ny = x + 1\nz = x\n", {(1, 2), (1, 3)}),  # an addition does not
        ("x = 1\ny = x * 2\nz = x\n", {(1, 2), (2, 3)}),  # a product does
        ("a = f()\na[i] = 1\nb = a[i]\n", {(1, 3), (2, 3)}),
        ("a = f()\na[i] = 1\nb = a[j]\n", {(1, 3)}),  # another text
        ("a = f()\na[i] = 1\ng(a)\n", {(1, 3), (2, 3)}),  # the whole sees its parts
        ("i = 1\nb = a[i]\n", set()),  # an index is not read
        ("x = 1\nif x:\n    pass\n", set()),  # nor a bare condition
        ("a = f()\na.append(x)\na.pop()\n", {(1, 2), (2, 3)}),  # the receiver is an argument
        ("x = f\ny = 2\nif x and y:\n    pass\n", {(1, 3), (2, 3)}),
        ("for x in xs:\n    g(x)\nh(xs)\n", {(1, 2), (1, 3)}),
    ],
)
def test_python(text: str, expected: set[tuple[int, int]]) -> None:
    assert data(text, "python") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int x = 1;\nscanf(s, &x);\nint y = x;", {(2, 3), (2, 4), (3, 4)}),  # an address: weakly
        ("int x = 1, y = 1;\nscanf(s, &x, &y);\nprintf(t, y);", {(2, 3), (2, 4)}),
        ("int *p = q;\n*p = 1;\nint y = *p;", {(3, 4)}),
        ("int t = a > 0 ? b : c;\nint d = a + b;", {(1, 2), (1, 3), (2, 3)}),
    ],
)
def test_c(body: str, expected: set[tuple[int, int]]) -> None:
    text = f"void f(int a, int b, int c, char *s, char *t, int *q) {{\n{body}\n}}\n"
    found = data(text, "c")
    assert {e for e in found if e[0] != 1} == {e for e in expected if e[0] != 1}


def test_method_of_cpp_takes_the_member() -> None:
    text = (
        "void f(vector<int> v) {\nv.push_back(1);\nv.push_back(2);\nint n = v.size();\ng(v);\n}\n"
    )
    assert data(text, "cpp") == {(1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (3, 5), (4, 5)}


def test_java_fields_are_parts_of_this() -> None:
    text = "class A {\nint f;\nvoid m(int x) {\nf = x;\nint y = f;\nm(y);\n}\n}\n"
    assert data(text, "java") == {(3, 4), (4, 5), (4, 6), (5, 6)}


def test_no_alias_and_no_summary() -> None:
    text = "def change(a):\n    a[0] = 1\nx = [0]\ny = x\nchange(y)\nz = x[0]\n"
    assert data(text, "python") == {(3, 4), (3, 6), (4, 5)}


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("declared", ["char s[9]", "char *s = q"])
@pytest.mark.parametrize("call", ['scanf("%s", s)', "gets(s)", "fgets(s, 9, f)", "strcpy(s, q)"])
def test_a_call_that_fills_a_buffer_reads_and_defines_it(
    call: str, declared: str, language: str
) -> None:
    """Joern 2.0.81: both puts depend on the call, and the call on what was before."""
    text = f"int g(char *q, FILE *f) {{\n{declared};\nputs(s);\n{call};\nputs(s);\n}}\n"
    graph = codekin.semantic_graph(text, language, preset="joern")
    data = {
        (int(graph.lines[e.source]), int(graph.lines[e.target]))
        for e in graph.edges()
        if e.kind.name == "DATA"
    }
    assert {(3, 4), (4, 5)} <= data
    assert (3, 5) not in data


def test_scanf_fills_its_first_place_only() -> None:
    text = 'int g(char *s, char *t) {\nscanf("%s%s", s, t);\nputs(s);\nputs(t);\n}\n'
    graph = codekin.semantic_graph(text, "c", preset="joern")
    data = {(int(graph.lines[e.source]), int(graph.lines[e.target])) for e in graph.edges()}
    assert (2, 3) in data
    assert (2, 4) not in data


def test_exits_take_what_reaches_them() -> None:
    text = "def f(x):\n    y = 1\n    y = x\n    return y\n"
    graph = codekin.semantic_graph(text, "python", exits=True)
    [end] = [node for node in graph.nodes() if node.kind == "exit"]
    reaching = [graph.node(edge.source).line for edge in graph.edges() if edge.target == end.index]
    assert end.function == "f"
    assert reaching == [1, 3, 4]  # the parameter, the second assignment, the return


def test_graphs_without_exits_are_the_same_otherwise() -> None:
    text = "def f(x):\n    return x\n\nprint(f(2))\n"
    plain = codekin.semantic_graph(text, "python")
    graph = codekin.semantic_graph(text, "python", exits=True)
    count = len(plain)
    assert graph.kind[:count].tolist() == plain.kind.tolist()
    kept = graph.target < count
    assert graph.source[kept].tolist() == plain.source.tolist()
    assert graph.target[kept].tolist() == plain.target.tolist()
    assert (graph.edge_kind[~kept] == 0).all()


def test_exits_of_statements() -> None:
    graph = codekin.semantic_graph("x = 1\n", "python", granularity="statement", exits=True)
    assert [node.kind for node in graph.nodes()] == ["root", "entry", "assign", "exit"]
