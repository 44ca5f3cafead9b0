from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Source
from codekin.languages import NameRole
from codekin.rewrite.identifiers import Identifier, identifiers, named_languages


def found(text: str, language: str) -> list[Identifier]:
    return identifiers(Source(text, language))


def roles(text: str, language: str) -> dict[str, set[str]]:
    """The roles of each name of a text."""
    table: dict[str, set[str]] = {}
    for one in found(text, language):
        table.setdefault(one.text, set()).add(one.role.value)
    return table


def fixed(text: str, language: str) -> set[str]:
    return {one.text for one in found(text, language) if one.fixed}


def check(text: str, language: str, **expected: str) -> None:
    """Check the roles of some names; a name with several has them separated by blanks."""
    table = roles(text, language)
    assert {name: " ".join(sorted(table[name])) for name in expected} == expected


# Java


def test_java_parameters_locals_and_other_variables() -> None:
    text = """
    int f(int a, String... rest) throws IOException {
        for (int i = 0; i < a; i++) { }
        for (String one : rest) { }
        try (Reader r = open()) { } catch (IOException | Error e) { throw e; }
        Comparator<String> c = (x, y) -> x.compareTo(y);
        Function<String, Integer> g = z -> z.length();
        if (c instanceof Special s) { s.run(); }
        return a;
    }
    """
    names = dict.fromkeys(["a", "rest", "i", "one", "r", "e", "c", "x", "y", "g", "z", "s"])
    check(text, "java", **dict.fromkeys(names, "variable"))
    check(text, "java", f="function", open="call", compareTo="call", IOException="type")
    assert all(one.declared for one in found(text, "java") if one.text in names)


def test_java_free_names_are_fields() -> None:
    text = "void f() { total += step; this.left = 1; log.info(total); Math.max(left, 0); }"
    check(text, "java", total="variable", step="variable", left="variable")
    check(text, "java", log="receiver", Math="receiver", info="call", max="call")
    assert not any(one.declared for one in found(text, "java") if one.text == "total")


def test_java_receivers_are_decided_by_scope() -> None:
    # In g, `out` is a parameter; in f it is not in scope, and used as a receiver alone.
    text = "class A { void f() { out.print(); } void g(Stream out) { out.print(); } }"
    assert [one.role for one in found(text, "java") if one.text == "out"] == [
        NameRole.RECEIVER,
        NameRole.VARIABLE,
        NameRole.VARIABLE,
    ]
    # Used as a value anywhere, it is a variable everywhere.
    check("void f() { out.print(); g(out); }", "java", out="variable")
    check("class A { A next; static void g() { } void f() { A.g(); } }", "java", A="type")


def test_java_capital_letters_do_not_matter() -> None:
    text = "void f(int Limit) { Limit.go(); g(Other); lower.go(); lower x; }"
    check(text, "java", Limit="variable", Other="variable", lower="receiver type")


def test_java_types_generics_and_inner_classes() -> None:
    text = """
    class Outer<T extends Comparable<T>> {
        enum Color { RED, GREEN(1) { } }
        record Point(int x, int y) { }
        class Inner { int v; Inner() { Outer.this.w = v; } }
        java.util.Map.Entry<K, V> e;
        Map.Entry<K, V> d;
        Object o = new Inner() { int u; };
        Class<?> k = Inner.class;
        @Override public String toString() { return switch (c) { case RED -> "r"; }; }
    }
    """
    check(text, "java", Outer="type", T="type", Color="type", Point="type", Inner="type")
    check(text, "java", RED="variable", GREEN="variable", x="variable", u="variable")
    check(text, "java", java="package", util="package", Map="package type", Entry="type")
    check(text, "java", Override="annotation", toString="function", w="variable")
    declared = {one.text for one in found(text, "java") if one.role == "type" and one.declared}
    assert declared == {"Outer", "T", "Color", "Point", "Inner"}


def test_java_method_references_labels_and_imports() -> None:
    text = """
    package a.b;
    import java.util.List;
    import static java.lang.Math.PI;
    class A {
        static int twice(int n) { return n; }
        void f(List<Integer> xs) {
            outer: for (int x : xs) { if (x > PI) break outer; }
            xs.forEach(A::twice); xs.forEach(xs::add); xs.forEach(System.out::println);
        }
    }
    """
    check(text, "java", outer="label", twice="call function", println="call", System="receiver")
    check(text, "java", PI="external package", a="package", out="member", xs="variable")


def test_java_members_of_other_classes_stay_members() -> None:
    text = "class A { int n; int f(A a, B b) { return a.n + b.m + new int[1].length; } }"
    check(text, "java", n="variable", m="member", length="member")
    # An array has a length, too, so that the field cannot be renamed.
    assert "length" in fixed("class A { int length; int f(int[] a) { return a.length; } }", "java")
    # B is not in the text: its n may be another one.
    assert "n" in fixed("class A { int n; int f(B b) { return b.n; } }", "java")
    assert "n" not in fixed("class A { int n; int f(A b) { return b.n; } }", "java")


def test_java_names_that_a_program_depends_on() -> None:
    text = 'enum Color { RED, BLUE } class A { Color c = Color.valueOf("RED"); }'
    assert fixed(text, "java") == {"RED"}
    text = "record P(int x, int y) { int f(P p) { return p.x() + this.y; } }"
    assert fixed(text, "java") == {"x"}


def test_java_members_of_classes_that_are_elsewhere() -> None:
    text = "class A { Scanner in = new Scanner(System.in); int n = B.c.n + in.n(); }"
    assert [one.role for one in found(text, "java") if one.text == "in"] == [
        NameRole.VARIABLE,
        NameRole.MEMBER,
        NameRole.VARIABLE,
    ]
    assert fixed(text, "java") == set()
    # B may be a field that A inherits.
    assert fixed(text.replace("class A", "class A extends D"), "java") == {"in", "n"}


def test_java_packages_in_expressions() -> None:
    text = "void f() { java.util.List l; java.lang.Math.max(1, 2); com.Util.go(); }"
    check(text, "java", java="package", com="receiver", max="call")


def test_fields_are_told_apart_by_the_variable_in_scope() -> None:
    java = "class A { int n; int f(A a) { return a.n; } int g(int[] a) { return a[0]; } }"
    cpp = "struct A { int n; }; int f(A *a) { return a->n; } int g(int a) { return a; }"
    for text, language in ((java, "java"), (cpp, "cpp")):
        check(text, language, n="variable")
        assert fixed(text, language) == set()
    assert fixed(java.replace("a[0]", "new B().b.n").replace("int[] a", "B b"), "java") == set()
    assert fixed(java.replace("int[] a", "B a").replace("a[0]", "a.n"), "java") == {"n"}


def test_java_own_function() -> None:
    text = "int f(int n) { return n > 0 ? f(n - 1) + o.f(n) : g(); } int g() { return 1; }"
    assert [one.own for one in found(text, "java") if one.text == "f"] == [True, True, False]
    assert not any(one.own for one in found(f"class A {{ {text} }}", "java"))


# C and C++


def test_c_variables_types_and_functions() -> None:
    text = """
    #include <stdio.h>
    #define LIMIT 100
    #define SQUARE(x) ((x) * (x))
    typedef struct node { int value; struct node *next; } Node;
    typedef int (*compare)(const void *, const void *);
    enum color { RED, GREEN };
    static int count;
    int later(int named);
    int by(const void *a, const void *b) { return 0; }
    int main(int argc, char *argv[]) {
        Node *head = NULL, one = { .value = 1 };
        FILE *in = stdin;
        head->value = SQUARE(LIMIT);
        qsort(argv, argc, sizeof(Node), by);
        goto end;
    end:
        return later(RED) + errno;
    }
    """
    check(text, "c", node="type", Node="type", compare="type", color="type", FILE="type")
    check(text, "c", value="variable", next="variable", RED="variable", count="variable")
    check(text, "c", argc="variable", argv="variable", head="variable", named="variable")
    check(text, "c", LIMIT="macro", SQUARE="macro", x="macro", end="label")
    check(text, "c", by="function", later="call function", qsort="call", main="function")
    check(text, "c", stdin="external", errno="external")
    assert not any(one.own for one in found(text, "c"))


def test_c_functions_in_variables() -> None:
    text = "int g(int n); int f(int (*h)(int)) { int (*k)(int) = g; return h(1) + k(2) + g(3); }"
    check(text, "c", h="variable", k="variable", g="call function")


def test_c_fields_that_hold_functions() -> None:
    text = "struct s { int (*op)(int); }; int f(struct s *p) { return p->op(1) + p->other(2); }"
    check(text, "c", op="variable", other="call")
    assert fixed(text, "c") == set()
    # In C++, it might be a method of another class.
    assert fixed(text, "cpp") == {"op"}


def test_declarations_that_a_condition_leaves_out() -> None:
    text = "#if N\nofstream cout, log;\nvoid h() { log << 1; }\n#endif\nint f() { cout << 1; }\n"
    assert fixed(text, "cpp") == {"N", "cout"}
    text = "#ifdef N\nint k = 1;\n#else\nint k = 2;\n#endif\nint f() { k = 3; }\n"
    assert fixed(text, "c") == {"N"}
    assert fixed(f"#ifndef G\n{text.partition('#else')[0]}k = 2;\n#endif\n#endif\n", "c") == {
        "G",
        "N",
    }


def test_c_scopes() -> None:
    # max is a variable in the first function, and a function of a library in the second.
    text = "int f() { int max = 1; return max; } int g() { return max(1, 2); }"
    assert [one.role.value for one in found(text, "c") if one.text == "max"] == [
        "variable",
        "variable",
        "call",
    ]
    # A free name is a variable if the text assigns it.
    check("void f() { total = 1; used(EOF); }", "c", total="variable", EOF="external")
    # The parameter of a prototype is in no scope.
    check("int p(int max); int g() { return max(1, 2); }", "c", max="call variable")


def test_names_in_macros_are_fixed() -> None:
    text = """
    #define NEXT(v) ((v) + step)
    #define SHOW(v) printf(#v)
    int step = 1, other = 2, shown = 3;
    int f(int v) { SHOW(shown); return NEXT(v) + other; }
    """
    assert {"step", "shown"} <= fixed(text, "c")
    assert not {"v", "other"} & fixed(text, "c")


def test_macros_that_declare_variables() -> None:
    text = """
    #define rep(i, n) for (int i = 0; i < (n); i++)
    #define each(i, n) rep(i, n)
    int main() { rep(k, 10) { g(k); } each(j, INT_MAX) { g(j); } }
    """
    check(text, "cpp", k="variable", j="variable", INT_MAX="external")


def test_cpp_classes_templates_and_namespaces() -> None:
    text = """
    #include <vector>
    using namespace std;
    using std::cin;
    namespace tools { int level; }
    template <typename T, int N> struct Stack : public Base<T> {
        T items[N];
        Stack(int size) : items(size) { }
        ~Stack() { }
        void push(T item);
        static int made;
    };
    template <typename T, int N> void Stack<T, N>::push(T item) { made = 1; std::sort(items); }
    using Row = vector<int>;
    enum class Color { RED };
    int main() {
        int n = 3;
        vector<int> v(n);
        Stack<int, 3> *s = new Stack<int, 3>(n);
        auto f = [&n, k = n](int x) { return x + k; };
        for (auto &[a, b] : pairs) cout << a << Color::RED << string::npos << tools::level;
        try { f(1); s->push(2); max<int>(1, 2); cin >> n; } catch (const Problem &p) { }
    }
    """
    check(text, "cpp", Stack="type", T="type", Row="type", Color="type", Base="type")
    check(text, "cpp", items="variable", N="variable", n="variable", v="variable", f="variable")
    check(text, "cpp", k="variable", x="variable", a="variable", p="variable", made="variable")
    check(text, "cpp", std="namespace", tools="namespace", level="variable", RED="variable")
    check(text, "cpp", push="call function", max="call", sort="call", cout="external")
    check(text, "cpp", cin="external", string="receiver", npos="member", pairs="external")
    assert {"std", "sort"} <= fixed(text, "cpp")
    assert "vector" not in fixed(text, "cpp")
    assert "vector" in fixed("std::vector<int> v;", "cpp")


def test_cpp_casts_and_using_declarations() -> None:
    text = """
    namespace geo { struct Point { int x; }; int area(int r) { return r; } int unit; }
    using geo::Point; using geo::area; using geo::unit; using std::swap;
    int f(Point *p) { return static_cast<int>(p->x) + typeid(p).hash_code() + area(unit); }
    """
    check(text, "cpp", Point="type", area="call function", unit="variable", swap="external")
    assert not {"static_cast", "typeid"} & roles(text, "cpp").keys()


def test_cpp_fields_and_methods_of_one_name() -> None:
    kept = "struct A { int size; }; int f(vector<int> v, A a) { return v.size() + a.size; }"
    check(kept, "cpp", size="call variable")
    assert not fixed(kept, "cpp")
    # Who knows what `g()` returns?
    assert "size" in fixed("struct A { int size; }; int f() { return g().size(); }", "cpp")
    pair = "struct A { int first; }; int f(vector<pair<int,int>> v) { return v[0].first; }"
    assert "first" in fixed(pair, "cpp")


# Python


def test_python_variables() -> None:
    text = """
total = 0
def f(a, *args, b: int = 1, **rest):
    global total
    total += a
    with open(a) as handle, lock as (x, y):
        pass
    squares = [i * i for i in args if (last := i)]
    try:
        pass
    except ValueError as error:
        raise
    def inner():
        nonlocal squares
        squares = missing
    key = lambda q: q + 1
    for k, (v, w) in rest.items():
        print(f"{k} {v:>{w}}", sep="")
"""
    names = "total a args b rest handle x y i last squares error q k v w key missing"
    check(text, "python", **dict.fromkeys(names.split(), "variable"))
    check(text, "python", f="function", inner="function", open="call", items="call")
    check(text, "python", ValueError="type", sep="member", lock="variable", int="type")


def test_python_imports_modules_and_builtins() -> None:
    text = """
import numpy as np
import os.path
from math import sqrt as root, pi
from collections import Counter
data: Counter = Counter()
print(np.array(list), os.sep, root(pi), map(int, data), __name__)
"""
    check(text, "python", np="package receiver", os="package receiver", path="package")
    check(text, "python", root="call package", pi="external package", Counter="package type")
    check(text, "python", data="variable", list="external", int="external", __name__="external")
    # Anything may come from a wildcard import.
    check("from math import *\nprint(pi)\n", "python", pi="external")
    check("print(pi)\n", "python", pi="variable")


def test_python_scopes() -> None:
    text = """
def f(list):
    return list(1)
def g():
    return list(2)
def h(max=max):
    return max
"""
    assert [one.role.value for one in found(text, "python") if one.text == "list"] == [
        "variable",
        "variable",
        "call",
    ]
    assert [one.role.value for one in found(text, "python") if one.text == "max"] == [
        "variable",
        "external",
        "variable",
    ]
    # The names of a class body are no variables in its methods.
    text = "class A:\n    x = 1\n    def f(self):\n        return len(x)\n"
    assert [one.declared for one in found(text, "python") if one.text == "x"] == [True, False]


def test_python_classes_and_fields() -> None:
    text = """
class Node(Base):
    kinds = 1
class Tree:
    size = 0
    def __init__(self, root: Node):
        self.root = root
        self.hook = print
        self.name = "t"
    def grow(self, other: "Tree"):
        self.size += other.size + other.depth
        self.hook(getattr(self, "name"))
        return Tree(self.root)
"""
    check(text, "python", Node="type", Tree="type", Base="type", grow="function")
    check(text, "python", size="variable", root="variable", depth="member", self="variable")
    check(text, "python", hook="variable")  # a field, although it is called like a method
    # `kinds` may be one of Base's, and a string has `name`.
    assert fixed(text, "python") == {"kinds", "name"}
    assert "hook" in fixed(f"{text}x.hook()\n", "python")


def test_python_keyword_arguments() -> None:
    text = "def f(n, key):\n    return sorted(n, key=key)\nf(n=1, key=2)\n"
    assert [one.role.value for one in found(text, "python") if one.text == "key"] == [
        "variable",
        "member",
        "variable",
        "variable",
    ]
    assert not fixed(text, "python")
    # Any function may be in a variable, or get its arguments from a dictionary.
    assert fixed("def f(n): return n\ng = f\ng(n=1)\n", "python") == {"n"}
    assert fixed("def f(n): return n\nf(**options)\n", "python") == {"n"}
    assert fixed("def f(n): return n\npartial(f, n=1)\n", "python") == {"n"}


def test_python_keyword_dictionaries() -> None:
    text = "def f(a, b, **more):\n    g(**more)\ndef g(c, d): pass\nf(1, 2, c=3, d=4)\n"
    assert fixed(text, "python") == {"c", "d"}
    # Whatever a file has may be a parameter of g.
    assert fixed(text.replace("**more)\ndef", "**load(more))\ndef"), "python") == {"c", "d"}
    assert fixed(text.replace(", c=3, d=4", ""), "python") == set()
    assert fixed("def g(c): pass\ng(**load())\n", "python") == {"c"}


def test_python_names_that_are_bound_several_ways() -> None:
    text = """
try:
    import json
    from fast import Reader
except ImportError:
    json = None
    class Reader: pass
def f(): pass
f = wrap(f)
def g():
    global f
    f = json.dumps(Reader())
"""
    check(text, "python", json="external package receiver", f="function")
    assert "type" not in roles(text, "python")["Reader"]


def test_python_variables_that_are_built_in_at_first() -> None:
    text = "max = 0\nfor n in a: max += n\nmin, len = min(a), 1\ndef f(): sum = 1; return sum\n"
    assert fixed(text, "python") == {"min"}


def test_python_type_parameters_and_what_is_raised() -> None:
    text = "type Pair[K] = dict[K, int]\ndef f[T: (int, str), *Ts](a: T) -> Pair[T]: pass\n"
    check(text, "python", Pair="type", K="type", T="type", Ts="type", f="function")
    assert {one.text for one in found(text, "python") if one.declares} == set("KTaf") | {
        "Pair",
        "Ts",
    }
    text = "def f(error):\n    if error: raise error\n    raise Broken('x') from cause\n"
    check(text, "python", Broken="type", cause="variable", error="variable")
    check("if a: raise ValueError\nelse: raise b\n", "python", ValueError="type", b="type")


def test_python_properties() -> None:
    text = (
        "class A:\n    @property\n    def n(self): pass\n    @n.setter\n    def n(self, v): pass\n"
    )
    check(text, "python", n="function", setter="member")


def test_python_strings_that_show_names() -> None:
    assert fixed('def f(x, y):\n    return f"{x=} {y}"\n', "python") == {"x"}


def test_python_match() -> None:
    text = """
match command:
    case Point(x=0, y=why): pass
    case [first, *rest]: pass
    case Color.RED | 3 as shade: pass
    case other: pass
"""
    check(text, "python", Point="type", x="member", why="variable", first="variable")
    check(text, "python", rest="variable", Color="receiver", RED="member", shade="variable")
    check(text, "python", other="variable", command="variable")


def test_python_own_function() -> None:
    text = "import re\ndef f(n):\n    return f(n - 1) + self.f(n)\n"
    assert [one.own for one in found(text, "python") if one.text == "f"] == [True, True, False]
    assert not any(one.own for one in found(text + "print(f(1))\n", "python"))


# All languages


@pytest.mark.parametrize("language", named_languages())
def test_any_text_has_identifiers(language: str) -> None:
    for text in ("", " ", "\0", "x", "x.y(", "class {", "((((", "def f(x:", "a" * 5000, "é = ü"):
        for one in found(text, language):
            assert text.encode()[one.start : one.end].decode() == one.text


@pytest.mark.parametrize("language", named_languages())
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_identifiers_are_sorted_and_disjoint(language: str, data: st.DataObject) -> None:
    words = ["x", "class", "struct", "def", "f", "(", ")", "{", "}", ":", "=", ".", "::", "<", ">"]
    words += ["int", ";", ",", "\n", "    ", "lambda", "for", "in", "import", "#define A x", "*"]
    text = " ".join(data.draw(st.lists(st.sampled_from(words), max_size=25)))
    places = [(one.start, one.end) for one in found(text, language)]
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(places))


def test_other_languages_are_refused() -> None:
    with pytest.raises(CodekinError, match=r"Ruby cannot be classified; .* python, java, c, cpp"):
        found("x = 1", "ruby")
