"""What depends on what in C: expectations from the language, in line numbers."""

from textwrap import dedent

import pytest
from tests.languages.lowering.dependences import calls, control, data, names

from codekin import Source
from codekin.represent.flow.flow_ir import OperationKind


def c_control(code):
    return control(dedent(code).lstrip("\n"), "c")


def c_data(code):
    return data(dedent(code).lstrip("\n"), "c")


CONTROL = {
    "if, else if, else": (
        """
        int f(int a) {
          if (a > 1)
            a = 1;
          else if (a > 0)
            a = 2;
          else
            a = 3;
          return a;
        }
        """,
        {(2, 3), (2, 4), (4, 5), (4, 7)},
    ),
    "while with break and continue": (
        """
        void f(int a) {
          while (a) {
            a--;
            if (a == 3)
              continue;
            if (a == 2)
              break;
            g();
          }
        }
        """,
        {(2, 3), (2, 4), (4, 5), (4, 6), (6, 7), (6, 8), (6, 2), (4, 2)},
    ),
    "do while runs once": (
        """
        void f(int a) {
          do {
            a--;
            g();
          } while (a);
          h();
        }
        """,
        {(5, 3), (5, 4)},
    ),
    # The break itself depends on nothing: without it nothing ends.
    "for without a condition needs its break": (
        """
        void f(int a) {
          for (;;) {
            g();
            if (a)
              break;
            h();
          }
        }
        """,
        {(4, 6), (4, 3)},
    ),
    "switch falls through": (
        """
        void f(int a) {
          switch (a) {
            case 1:
              g();
            case 2:
              h();
              break;
            case 3 + 1:
              i();
              break;
            default:
              j();
          }
        }
        """,
        {(2, 4), (2, 6), (2, 7), (2, 9), (2, 10), (2, 12)},
    ),
    "goto makes a loop": (
        """
        void f(int n) {
          int i = 0;
        again:
          i++;
          if (i < n)
            goto again;
          g();
        }
        """,
        {(5, 4), (5, 6)},
    ),
    "goto leaves two loops": (
        """
        void f(int n) {
          for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
              if (g(i, j))
                goto done;
          h();
        done:
          k();
        }
        """,
        {(2, 3), (3, 4), (4, 5), (4, 3), (3, 2), (2, 6)},
    ),
    "short circuit": (
        """
        void f(int *p) {
          if (p &&
              *p > 1)
            g();
        }
        """,
        {(2, 3), (2, 4)},
    ),
    "conditional expression": (
        """
        int f(int a) {
          return a
            ? g()
            : h();
        }
        """,
        {(2, 3), (2, 4)},
    ),
    "early return": (
        """
        int f(int a) {
          if (a)
            return 1;
          g();
          return 2;
        }
        """,
        {(2, 3), (2, 4), (2, 5)},
    ),
    "exit ends the program": (
        """
        void f(int a) {
          if (a)
            exit(1);
          g();
        }
        """,
        {(2, 3), (2, 4)},
    ),
    "comma expression": (
        """
        void f(int n) {
          for (int i = 0, j = n; i < j;
               i++, j--)
            g();
        }
        """,
        {(2, 3), (2, 4)},
    ),
    "nobody decides what the preprocessor leaves out": (
        """
        void f(int a) {
          if (a) {
        #ifdef LOUD
            g();
        #else
            h();
        #endif
          }
        }
        """,
        {(2, 4), (2, 6)},
    ),
    "a macro with a block is a loop": (
        """
        #define rep(i, n) for (i = 0; i < n; i++)
        void f(int n) {
          int i;
          rep(i, n) {
            g(i);
          }
          rep(i, n) if (i > 2)
            h();
        }
        """,
        {(4, 5), (7, 8)},
    ),
    "a macro with a statement is a loop": (
        """
        #define rep(i, n) for (i = 0; i < n; i++)
        void f(int n, int *a) {
          int i;
          rep(i, n)
            a[i] = 0;
          rep(i, n)
            n++;
        }
        """,
        {(4, 5), (6, 7)},
    ),
    "a forgotten semicolon is no loop": (
        """
        void f(int n) {
          g(n)
          n = 2;
        }
        """,
        set(),
    ),
}


@pytest.mark.parametrize("case", CONTROL)
def test_what_decides(case):
    code, expected = CONTROL[case]
    assert c_control(code) == expected


DATA = {
    "declarators": (
        """
        int f(int a) {
          int b = a, *p = &b,
              c[2] = {a, 2};
          *p = c[1];
          return b;
        }
        """,
        {(1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (2, 5)},
    ),
    "a new value hides the old one": (
        """
        int f(int a) {
          int b = a;
          b = 2;
          return b;
        }
        """,
        {(1, 2), (3, 4)},
    ),
    "compound assignment and increment": (
        """
        int f(int a) {
          a += 2;
          a++;
          --a;
          return a;
        }
        """,
        {(1, 2), (2, 3), (3, 4), (4, 5)},
    ),
    "an array's element changes a part": (
        """
        int f(int i) {
          int a[3];
          a[0] = 1;
          a[i] = 2;
          return a[1];
        }
        """,
        {(1, 4), (3, 5), (4, 5)},
    ),
    "fields of one object are apart": (
        """
        struct P { int x, y; };
        int f(struct P p) {
          p.x = 1;
          p.y = 2;
          return p.x;
        }
        """,
        {(2, 3), (2, 4), (2, 5), (3, 5)},
    ),
    "fields of two objects are apart": (
        """
        struct P { int x; };
        int f() {
          struct P p, q;
          p.x = 1;
          q.x = 2;
          return p.x;
        }
        """,
        {(4, 6)},
    ),
    "through a pointer to a structure": (
        """
        struct P { int x; };
        int f() {
          struct P p, *q = &p;
          q->x = 1;
          (*q).x = 2;
          return p.x;
        }
        """,
        {(3, 4), (3, 5), (4, 6), (5, 6)},
    ),
    "scanf assigns through addresses": (
        """
        int main() {
          int a = 1, b[3];
          char s[9];
          scanf("%d", &a);
          scanf("%d %s", &b[a], s);
          return a + b[0] + s[1];
        }
        """,
        {(4, 5), (4, 6), (5, 6)},
    ),
    "library functions write into their first argument": (
        """
        void f(char *t) {
          char s[9], u[9];
          memset(s, 0, 9);
          strcpy(u, t);
          strcat(s, u);
          puts(s);
        }
        """,
        {(1, 4), (3, 5), (4, 5), (5, 6), (3, 6)},
    ),
    "qsort": (
        """
        int f(int n) {
          int a[9];
          a[0] = n;
          qsort(a, n, sizeof(int), compare);
          return a[0];
        }
        """,
        {(1, 3), (1, 4), (3, 4), (3, 5), (4, 5)},
    ),
    "out-parameters": (
        """
        void g(int *p, int v) {
          *p = v;
        }
        int f(int a) {
          int b = 0;
          g(&b, a);
          return b;
        }
        """,
        {(1, 2), (4, 6), (5, 6), (5, 7), (6, 7)},
    ),
    "a callee that changes nothing": (
        """
        int g(int *p) {
          return *p;
        }
        int f() {
          int b = 0;
          g(&b);
          return b;
        }
        """,
        {(1, 2), (5, 6), (5, 7)},
    ),
    "globals through a call": (
        """
        int n;
        void g() {
          n = 1;
        }
        int f() {
          n = 2;
          g();
          return n;
        }
        """,
        {(6, 8), (7, 8)},
    ),
    "a pointer into an array": (
        """
        int f() {
          int a[3];
          int *p = a + 1, *q = &a[2];
          *p = 1;
          *q = 2;
          return a[1];
        }
        """,
        {(3, 4), (3, 5), (4, 6), (5, 6)},
    ),
    "*p++ = c": (
        """
        void f(char *s, char *t) {
          while (*t)
            *s++ = *t++;
          *s = 0;
        }
        """,
        {(1, 2), (1, 3), (1, 4), (3, 2), (3, 4)},
    ),
    "a static variable keeps its value": (
        """
        int f() {
          static int n = 0;
          n++;
          return n;
        }
        int main() {
          f();
          return f();
        }
        """,
        {(2, 3), (3, 4), (7, 8)},
    ),
    "sizeof evaluates nothing": (
        """
        int f(int a) {
          int b = sizeof(a++);
          return a;
        }
        """,
        {(1, 3)},
    ),
    "old parameters": (
        """
        int f(a, b)
          int a; int b;
        {
          return a - b;
        }
        """,
        {(1, 4)},
    ),
    "shadowing": (
        """
        int f(int a) {
          int b = a;
          {
            int b = 2;
            g(b);
          }
          return b;
        }
        """,
        {(1, 2), (4, 5), (2, 7)},
    ),
    "designated initialisers and compound literals": (
        """
        int f(int a) {
          struct P p = {
            .y = a };
          p = (struct P){ 1, a };
          return p.y;
        }
        """,
        {(1, 2), (1, 4), (4, 5)},
    ),
    "function pointers": (
        """
        int f(int (*g)(int), int a) {
          int (*h)(int) = g;
          return (*h)(a);
        }
        """,
        {(1, 2), (1, 3), (2, 3)},
    ),
    "variable arguments": (
        """
        int f(int n, ...) {
          va_list ap;
          va_start(ap, n);
          int s = va_arg(ap, int);
          va_end(ap);
          return s;
        }
        """,
        {(1, 3), (3, 4), (4, 6), (3, 5), (4, 5)},
    ),
    "both ways of the preprocessor reach": (
        """
        int f() {
          int a = 0;
        #if X
          a = 1;
        #else
          a = 2;
        #endif
          return a;
        }
        """,
        {(4, 8), (6, 8)},
    ),
    "a function of the text is not the library's": (
        """
        void strcpy(int a, int b) {
        }
        int f(int a) {
          strcpy(a, 2);
          return a;
        }
        """,
        {(3, 4), (3, 5)},
    ),
    "lists": (
        """
        struct N { int v; struct N *next; };
        int f(struct N *h) {
          struct N *p = h->next;
          p->v = 3;
          return h->next->v;
        }
        """,
        {(2, 3), (3, 4), (2, 5), (4, 5)},
    ),
    "what cannot be read uses and changes what it names": (
        """
        int f(int a, int b) {
          a = 1;
          b = @ a ;
          return a + b;
        }
        """,
        {(2, 3), (2, 4), (3, 4)},
    ),
}


@pytest.mark.parametrize("case", DATA)
def test_what_gives_a_value(case):
    code, expected = DATA[case]
    assert c_data(code) == expected


def test_calls():
    code = """
    int even(int n);
    int odd(int n) {
      return n ? even(n - 1) : 0;
    }
    int even(int n) {
      return n ? odd(n - 1) : 1;
    }
    int main() {
      return even(4);
    }
    """
    text = dedent(code).lstrip("\n")
    assert calls(text, "c") == {(3, "even"), (6, "odd"), (9, "even")}


def test_operations_have_the_names_all_languages_share():
    text = "int f(int *p) { return -*p + (int) !p[0] && *&p ? sizeof p : 1; }"
    assert names(text, "c") == [
        *("param", "deref", "neg", "0", "index", "!", "cast", "+"),
        *("address", "deref", "&&", "sizeof", "1", "?:", "return"),
    ]


def test_a_prototype_is_no_function():
    ir = Source("int f(int a); int (*g)(int); int f(int a) { return a; }", "c").flow_ir
    assert [ir.string(name) for name in ir.function_name] == ["<module>", "f"]


def test_unreachable_code_stays():
    text = "int f() { return 1; g(); }"
    ir = Source(text, "c").flow_ir
    assert OperationKind.CALL in ir.kind.tolist()


FILLS = """
    scanf("%s", s) scanf("%d%s", &n, s) scanf("%s", &s[1]) scanf("%s", s + 1) sscanf(t, "%s", s)
    fscanf(f, "%s", s) gets(s) fgets(s, 9, f) fread(s, 1, n, f) read(n, s, 9)
    pread(n, s, 9, 0) recv(n, s, 9, 0) strcpy(s, t) strncpy(s, t, 9) strcat(s, t) memcpy(s, t, 9)
    memmove(s, t, 9) memset(s, 0, 9) sprintf(s, "%d", n) snprintf(s, 9, "%d", n) stpcpy(s, t)
    strlcpy(s, t, 9) wcscpy(s, t) swprintf(s, 9, t) strftime(s, 9, t, t) itoa(n, s, 10)
    strcpy_s(s, 9, t) getcwd(s, 9) strxfrm(s, t, 9)
"""


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("buffer", ["char s[9];", "char *s = q;"])
@pytest.mark.parametrize("call", [f"{one})" for one in FILLS.replace("\n", " ").split(")")[:-1]])
def test_library_functions_fill_buffers(call: str, buffer: str, language: str) -> None:
    text = f"void f(char *t, FILE *f, int n, char *q) {{\n{buffer}\n{call.strip()};\nputs(s);\n}}"
    assert (3, 4) in data(text, language)


@pytest.mark.parametrize(
    ("text", "function", "parameters"),
    [
        ("main()\n{\n    int n = 1;\n    g(n);\n}\n", "main", 0),
        ("#include <stdio.h>\nmain() {\n    g(1);\n}\n", "main", 0),
        ("main(void) {\n    g(1);\n}\n", "main", 0),
        ("int x;\nf(a, b)\nint a;\nchar b;\n{\n    return a + b;\n}\n", "f", 2),
        ("f(a) char *a; {\n    return *a;\n}\n", "f", 1),
        ("int f(a, b) int a; char b; {\n    return a + b;\n}\n", "f", 2),
        ("static f(int x) {\n    return x;\n}\n", "f", 1),
        ("sort(a, n) int a[]; int n; {\n    a[0] = n;\n}\n", "sort", 2),
    ],
)
def test_functions_without_a_type(text: str, function: str, parameters: int) -> None:
    ir = Source(text, "c").flow_ir
    assert [ir.string(name) for name in ir.function_name] == ["<module>", function]
    assert (ir.kind == OperationKind.PARAMETER).sum() == parameters
    assert set(ir.function[ir.kind > OperationKind.PARAMETER].tolist()) == {1}


def test_a_call_and_a_block_at_the_top_level_are_no_function() -> None:
    ir = Source("f(x);\n{\n    y = 1;\n}\n", "c").flow_ir
    assert [ir.string(name) for name in ir.function_name] == ["<module>"]


def test_functions_without_a_type_are_called() -> None:
    text = "f(a) int a; {\n    return a;\n}\nmain() {\n    return f(1);\n}\n"
    assert calls(text, "c") == {(5, "f")}
