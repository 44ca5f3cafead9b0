"""What depends on what in C++, beyond C: expectations from the language, in line numbers."""

from textwrap import dedent

import pytest
from tests.languages.lowering.dependences import calls, control, data, names

from codekin import Source


def text_of(code):
    return dedent(code).lstrip("\n")


CONTROL = {
    "range-for": (
        """
        void f(vector<int> v) {
          for (auto x : v)
            g(x);
          h();
        }
        """,
        {(2, 3)},
    ),
    "if with an initialiser and a declaration": (
        """
        void f(map<int, int> m) {
          if (auto it = m.find(3); it != m.end())
            g();
          if (int n = h())
            k(n);
        }
        """,
        {(2, 3), (4, 5)},
    ),
    "switch with an initialiser": (
        """
        void f() {
          switch (int n = g(); n) {
            case 1:
              h();
          }
        }
        """,
        {(2, 4)},
    ),
    "try, catch, throw": (
        """
        int f(int a) {
          try {
            if (a)
              throw 1;
            a = 2;
          } catch (int e) {
            h();
          }
          return a;
        }
        """,
        {(3, 4), (3, 5), (3, 6), (3, 7)},
    ),
    "a call may raise": (
        """
        void f() {
          try {
            g();
            h();
          } catch (...) {
            k();
          }
        }
        """,
        {(3, 4), (3, 6), (4, 6)},
    ),
    "if constexpr": (
        """
        template <class T> void f() {
          if constexpr (sizeof(T) > 4)
            g();
          else
            h();
        }
        """,
        {(2, 3), (2, 5)},
    ),
    "a stream decides": (
        """
        void f() {
          int n;
          while (cin >> n)
            g(n);
        }
        """,
        {(3, 4)},
    ),
    "words for operators": (
        """
        void f(bool a, bool b) {
          if (a and
              not b)
            g();
        }
        """,
        {(2, 3), (2, 4)},
    ),
    "macros that loop": (
        """
        #define rep(i, n) for (int i = 0; i < (n); i++)
        void f(int n, vector<int> v) {
          rep(i, n) {
            g(i);
          }
          rep(i, n)
            cin >> v[i];
          rep(i, 2) rep(j, 3) {
            h(i, j);
          }
        }
        """,
        {(3, 4), (6, 7), (8, 9)},
    ),
    "streams in macros that loop": (
        """
        #define rep(i, n) for (int i = 0; i < (n); i++)
        void f(int n, vector<int> v) {
          rep(i, n)
            cout << (v[i]) << endl;
        }
        """,
        {(3, 4)},
    ),
}


@pytest.mark.parametrize("case", CONTROL)
def test_what_decides(case):
    code, expected = CONTROL[case]
    assert control(text_of(code), "cpp") == expected


DATA = {
    "streams": (
        """
        int main() {
          int n, a[9];
          cin >> n >> a[n];
          cout << a[1] << n << endl;
        }
        """,
        {(3, 4)},
    ),
    "string streams": (
        """
        int f(string s) {
          stringstream in(s);
          int a, b;
          in >> a;
          in >> b;
          return a + b;
        }
        """,
        {(1, 2), (2, 4), (2, 5), (4, 5), (4, 6), (5, 6)},
    ),
    "constructor arguments": (
        """
        int f(int n) {
          vector<int> v(n), w(n, 0), u(n * n);
          int a(5);
          return v.size() + w.size() + u.size() + a;
        }
        """,
        {(1, 2), (2, 4), (3, 4)},
    ),
    "a reference is its variable": (
        """
        int f() {
          int a = 1;
          int &r = a;
          r = 2;
          return a;
        }
        """,
        {(4, 5)},
    ),
    "a reference to a part": (
        """
        int f(vector<int> v, int i) {
          int &r = v[i];
          r = 2;
          return v[0];
        }
        """,
        {(1, 2), (1, 3), (1, 4), (3, 4)},
    ),
    "reference parameters": (
        """
        void g(int &r, int v) {
          r = v;
        }
        int f(int a) {
          int b = 0;
          g(b, a);
          return b;
        }
        """,
        {(1, 2), (4, 6), (5, 6), (5, 7), (6, 7)},
    ),
    "an element passed by reference": (
        """
        void g(int &r) {
          r++;
        }
        int f(vector<int> v) {
          g(v[0]);
          return v[1];
        }
        """,
        {(1, 2), (4, 5), (4, 6), (5, 6)},
    ),
    "range-for by reference": (
        """
        int f(vector<int> v) {
          for (auto &x : v)
            x = 1;
          return v[0];
        }
        """,
        {(1, 2), (1, 3), (3, 2), (1, 4), (3, 4)},
    ),
    "range-for by value": (
        """
        int f(vector<int> v) {
          for (int x : v)
            x = 1;
          return v[0];
        }
        """,
        {(1, 2), (1, 4)},
    ),
    "structured bindings": (
        """
        int f(map<int, int> m) {
          auto [a, b] = g();
          for (auto [k, v] : m)
            a += k + v;
          return a + b;
        }
        """,
        {(1, 3), (2, 4), (3, 4), (2, 5), (4, 5)},
    ),
    "sort changes what its iterators walk on": (
        """
        int f(vector<int> v, int *a) {
          sort(v.begin(), v.end());
          reverse(a, a + 3);
          return v[0] + a[0];
        }
        """,
        {(1, 2), (1, 3), (1, 4), (2, 4), (3, 4)},
    ),
    "methods of collections": (
        """
        int f(int n) {
          vector<int> v;
          v.push_back(n);
          v.pop_back();
          v.size();
          return v.back();
        }
        """,
        {(1, 3), (3, 4), (3, 5), (3, 6), (4, 5), (4, 6)},
    ),
    "swap, getline, tie": (
        """
        int f(int a, int b) {
          string s = "x";
          swap(a, b);
          getline(cin, s);
          tie(a, b) = g(s);
          return a;
        }
        """,
        {(1, 3), (4, 5), (5, 6)},
    ),
    "assigning to a call": (
        """
        int f(vector<int> v) {
          v.at(1) = 2;
          v.front()++;
          return v[0];
        }
        """,
        {(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)},
    ),
    "copies share nothing": (
        """
        int f(vector<int> v) {
          vector<int> w = v;
          w[0] = 1;
          return v[0];
        }
        """,
        {(1, 2), (2, 3), (1, 4)},
    ),
    "iterators share": (
        """
        int f(map<int, int> m) {
          auto it = m.find(3);
          it->second = 4;
          return m[3];
        }
        """,
        {(1, 2), (2, 3), (1, 4), (3, 4)},
    ),
    "lambdas write what they capture": (
        """
        int f() {
          int a = 0;
          auto g = [&](int x) {
            a += x;
          };
          g(2);
          return a;
        }
        """,
        {(2, 6), (2, 7), (3, 4), (3, 6), (6, 7)},
    ),
    "new and pointers": (
        """
        int f(int n) {
          int *p = new int[n];
          p[0] = 1;
          int *q = p;
          q[1] = 2;
          delete[] p;
          return p[0];
        }
        """,
        {(1, 2), (2, 3), (2, 4), (4, 5), (2, 6), (3, 6), (5, 6), (2, 7), (3, 7), (5, 7), (3, 4)},
    ),
    "fields in methods": (
        """
        class A {
          int x, y;
         public:
          void set(int v) {
            x = v;
            this->y = x;
          }
          int get() const { return y; }
        };
        int f(int n) {
          A a;
          a.set(n);
          return a.get();
        }
        """,
        {(4, 5), (5, 6), (10, 12), (12, 13)},
    ),
    "methods outside their class": (
        """
        struct A {
          int x;
          A(int v);
          int get();
        };
        A::A(int v) : x(v) {
          x++;
        }
        int A::get() {
          return x;
        }
        """,
        {(6, 7)},
    ),
    "default arguments": (
        """
        int f(int a,
              int b = 2) {
          return a + b;
        }
        """,
        {(1, 3), (2, 3)},
    ),
    "the caught value": (
        """
        int f() {
          try {
            g();
          } catch (const exception &e) {
            return e.code;
          }
          return 0;
        }
        """,
        {(4, 5)},
    ),
    "smart pointers": (
        """
        int f(int n) {
          auto p = make_unique<A>(n);
          p->x = n;
          return p->x;
        }
        """,
        {(1, 2), (1, 3), (2, 3), (2, 4), (3, 4)},
    ),
    "user's swap by value does nothing": (
        """
        void swap(int a, int b) {
        }
        int f(int a, int b) {
          swap(a, b);
          return a;
        }
        """,
        {(3, 4), (3, 5)},
    ),
}


@pytest.mark.parametrize("case", DATA)
def test_what_gives_a_value(case):
    code, expected = DATA[case]
    assert data(text_of(code), "cpp") == expected


def test_overloads_constructors_and_methods_are_called():
    code = """
    struct A {
      A(int v) {}
      A() {}
      int get(int k) { return k; }
      static int one() { return 1; }
    };
    int g(int a) { return a; }
    int g(int a, int b) { return a; }
    int main() {
      A a(2), b;
      A c{3};
      A *d = new A();
      return a.get(1) + d->get(2) +
        g(1, 2) +
        A::one();
    }
    """
    found = calls(text_of(code), "cpp")
    assert found == {(10, "A"), (11, "A"), (12, "A"), (13, "get"), (14, "g"), (15, "one")}


def test_namespaces_and_templates_are_transparent():
    code = """
    namespace n {
    template <class T> T twice(T a) { return a + a; }
    }
    int main() { return n::twice<int>(2); }
    """
    assert calls(text_of(code), "cpp") == {(4, "twice")}


def test_operations_have_the_names_all_languages_share():
    text = "int f(A *p) { auto x = static_cast<int>(p->a) + int(2.5); delete p; return not x; }"
    assert names(text, "cpp") == [
        *("param", "a", "cast", "2.5", "cast", "+", "=", "delete", "!", "return"),
    ]


def test_a_local_declaration_of_types_is_a_prototype():
    text = "struct B {}; int f() { int g(int); B h(B); A a(); return g(1); }"
    assert names(text, "cpp") == ["1", "g", "return"]


def test_coroutines():
    text = "task f() { int x = co_await g(); co_yield x; co_return x; }"
    assert names(text, "cpp") == ["g", "await", "=", "yield", "return"]


def test_unnamed_and_broken_things_do_not_raise():
    for text in (
        "",
        "}{",
        "class {",
        "int f(int) { operator new(3); }",
        "A::~A() { delete this; }",
    ):
        assert Source(text, "cpp").flow_ir.kind.size >= 1
