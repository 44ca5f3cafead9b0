from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.corpora.expansion import Expansion, WholeFile, expand
from codekin.source import Source

JAVA = """
package shop;

class Base {
    int price(int a) { return a; }
    void inherited() { }
}

class Cart extends Base {
    Stock stock;

    int total(int n) {
        return n == 0 ? 0 : price(n) + total(n - 1);
    }

    int price(int n) { return even(n) ? tax(n) : tax(n, 2); }

    boolean even(int n) { return n == 0 || odd(n - 1); }
    boolean odd(int n) { return n != 0 && even(n - 1); }

    int tax(int n) { return n; }
    int tax(int n, int rate) { return n * rate; }
    int tax(int n, String country) { return n; }

    void receivers() {
        this.even(1);
        Cart.helper();
        stock.take();
        other.odd(2);
        find().tax(1);
        Elsewhere.odd(3);
        new Stock(4);
        list.forEach(this::odd);
        inherited();
    }
    static void helper() { }

    int priceAbove() { return super.price(1); }

    void later() {
        new Thread() { public void run() { helper(); even(1); } }.start();
    }

    class Inner {
        void even() { }
        void call() { even(1); }
    }
    abstract void nothing();
    void callsNothing() { nothing(); }
}

class Stock {
    Stock(int n) { }
    void take() { }
    boolean odd(int n) { return false; }
}
"""


def method(name: str, text: str = JAVA, language: str = "java") -> str:
    """The function of a name, as it would be cut out of the file."""
    file = WholeFile(text, language)
    found = next(one for one in file.functions if one.name == name)
    return file.source.data[found.start : found.end].decode()


def callees(name: str, text: str = JAVA, language: str = "java", **options: int) -> Expansion:
    return expand(method(name, text, language), text, language, **options)


def test_a_function_comes_first_and_calls_are_followed_in_order():
    found = callees("total")
    assert found.functions == ("price", "even", "tax", "tax", "tax", "odd")
    assert found.text.startswith(method("total"))
    assert found.text.count("int total") == 1  # it calls itself
    assert found.places == 1


def test_recursion_alone_adds_nothing():
    text = "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }"
    assert expand(text, text, "c") == Expansion(text, (), 0, 1)


def test_mutual_recursion_ends():
    found = callees("odd")
    assert found.functions == ("even",)
    assert found.text.count("boolean odd") == 1


def test_overloads_are_chosen_by_their_number_of_arguments_or_all_added():
    text = """
    class A {
        void one() { f(1); }
        void two() { f(1, 2); }
        void none() { f(); }
        void f(int a) { }
        void f(int a, int b) { }
        void f(int a, String b) { }
    }
    """
    assert "int b" not in callees("one", text).text
    two = callees("two", text)
    assert two.functions == ("f", "f")
    assert "f(int a) " not in two.text
    assert callees("none", text).functions == ()


def test_depth_counts_calls_and_can_be_limited():
    text = """
    int a(void) { return b(); }
    int b(void) { return c(); }
    int c(void) { return d() + b(); }
    int d(void) { return 1; }
    """
    found = callees("a", text, "c")
    assert (found.functions, found.depth) == (("b", "c", "d"), 3)
    assert callees("a", text, "c", depth=1).functions == ("b",)
    limited = callees("a", text, "c", depth=2)
    assert (limited.functions, limited.depth) == (("b", "c"), 2)
    with pytest.raises(CodekinError, match="depth must be a whole number from 1, not 0"):
        callees("a", text, "c", depth=0)


def test_only_receivers_of_the_file_count():
    assert callees("receivers").functions == ("even", "helper", "take", "inherited", "odd")
    found = callees("receivers", depth=1)
    assert found.functions == ("even", "helper", "take", "inherited")


def test_a_class_of_a_package_is_not_that_of_the_file():
    text = """
    class Out {
        void ours(Pipe pipe) { pipe.close(); }
        void nested(Out.Pipe pipe2) { pipe2.close(); }
        void theirs(java.io.Pipe other) { other.close(); }
        class Pipe { void close() { } }
    }
    """
    assert callees("ours", text).functions == ("close",)
    assert callees("nested", text).functions == ("close",)
    assert callees("theirs", text).functions == ()
    text = "struct vec { int size() { return 1; } };\n"
    text += "int a(vec x) { return x.size(); }\nint b(std::vec y) { return y.size(); }\n"
    assert callees("a", text, "cpp").functions == ("size",)
    assert callees("b", text, "cpp").functions == ()


def test_super_means_the_class_above():
    found = callees("priceAbove")
    assert found.functions == ("price",)
    assert "return a;" in found.text


def test_classes_around_a_call_are_searched_outwards():
    assert callees("later", depth=1).functions == ("helper", "even")
    assert "odd(n - 1)" in callees("call").text  # not Inner's own, which takes no argument


def test_declarations_without_a_body_are_not_added():
    assert callees("callsNothing").functions == ()


CPP = """
struct S {
    int m(int a) { return n(a); }
    int n(int a) { return out(); }
    int out();
};
int S::out() { return 1; }
namespace ns { int z() { return 1; } }
int h(int a) { return 0; }
int variables() { S s; S *p = &s; return s.m(1) + p->n(2); }
int spaces() { return ns::z(); }
int standard() { return std::h(1) + unknown.h(2); }
int global() { return ::h(2); }
int inside() { auto f = [&](int x) { return h(x); }; return f(2); }
template <class T> T twice(T x) { return x + x; }
int generic() { return twice(2); }
"""


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("variables", ("m", "n", "out")),
        ("spaces", ("z",)),
        ("standard", ()),
        ("global", ("h",)),
        ("inside", ("h",)),
        ("generic", ("twice",)),
    ],
)
def test_cpp(name, functions):
    found = callees(name, CPP, "cpp")
    assert found.functions == functions
    assert not Source(found.text, "cpp").problems


PYTHON = '''
import util

class A:
    def f(self, other):
        self.g(1)
        free(2)
        g(3)
        other.g(4)
        util.free(5)
        def inner():
            free(0)
        inner()

    @staticmethod
    def s():
        return A.t()

    @staticmethod
    def t():
        text = """
    def not_code
"""
        return text

    def g(self, x):
        """Doc."""
        return x

def free(x):
    if x:
        return """
kept"""
    return 0
'''


def test_python_is_indented_like_the_entry():
    found = callees("f", PYTHON, "python")
    assert found.functions == ("g", "free")
    assert "    def free(x):\n        if x:" in found.text
    assert '"""\nkept"""' in found.text
    assert not Source(textwrap.dedent(found.text), "python").problems
    assert callees("free", PYTHON, "python").functions == ()


def test_python_decorators_belong_to_the_function():
    found = expand(textwrap.dedent(method("s", PYTHON, "python")), PYTHON, "python")
    assert found.functions == ("t",)
    assert found.text.endswith(
        '@staticmethod\ndef t():\n    text = """\n    def not_code\n"""\n    return text'
    )


def test_a_bare_name_is_no_method_in_python():
    text = "class A:\n    def f(self):\n        g(1)\n\n    def g(self, x):\n        pass\n"
    assert callees("f", text, "python").functions == ()


def test_the_entry_is_found_whatever_the_layout():
    code = "int total(int n) {\r\nreturn n == 0 ? 0 :\r\n  price(n)+total(n - 1);}"
    found = expand(code, JAVA, "java")
    assert found.functions[0] == "price"
    assert found.text.startswith(code)


def test_an_entry_that_is_not_there_stays_as_it_is():
    for code in ("int unknown() { return price(1); }", "", " \n"):
        assert expand(code, JAVA, "java") == Expansion(code, (), 0, 0)


def test_an_entry_that_occurs_twice_is_the_first_but_never_a_comment():
    code = "void f() { g(); }"
    text = f"// {code}\nclass A {{ {code} void g() {{ a(); }} }}"
    text += f" class B {{ {code} void g() {{ }} }}"
    found = expand(code, text, "java")
    assert (found.functions, found.places) == (("g",), 2)
    assert "a();" in found.text


def test_functions_inside_of_added_ones_are_not_repeated():
    text = """
    def entry():
        outer()
        helper()

    def outer():
        def helper_inside():
            pass
        helper_inside()

    def helper():
        pass
    """
    text = textwrap.dedent(text)
    assert callees("entry", text, "python").functions == ("outer", "helper")


def test_surrounding_whitespace_stays():
    text = "int f(void) { return g(); }\nint g(void) { return 1; }\n"
    found = expand("\nint f(void) { return g(); }\n", text, "c")
    assert found.text == "\nint f(void) { return g(); }\n\nint g(void) { return 1; }\n"


def test_other_characters_than_ascii():
    text = 'class Ä { /* ü */ void f() { g("ö"); } void g(String é) { } }'
    found = expand('void f() { g("ö"); }', text, "java")
    assert found.text.endswith("void g(String é) { }")


@given(st.text(alphabet="abf(){};=+ \n\"'/*", max_size=60), st.sampled_from(["java", "python"]))
def test_garbage_does_no_harm(text, language):
    found = expand(text, f"{text}\nint f() {{ a(); }}\n{text}", language)
    assert found.text.startswith(text.rstrip())
    assert (found.depth > 0) == bool(found.functions)
