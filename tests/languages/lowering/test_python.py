"""Python: what each construct makes depend on what, by line."""

import pytest
from tests.languages.lowering.dependences import calls, control, data, names

from codekin.languages.python import PYTHON
from codekin.represent.flow.flow_ir import FunctionKind
from codekin.source import Source

LANGUAGE = "python"


def test_while_with_break_and_else() -> None:
    text = (
        "n = int(input())\nwhile n > 0:\n    if n == 5:\n        break\n    n -= 1\n"
        'else:\n    print("all")\nprint(n)\n'
    )
    assert control(text, LANGUAGE) == {(2, 3), (3, 4), (3, 5), (3, 2), (2, 7)}
    assert data(text, LANGUAGE) == {(1, 2), (1, 3), (1, 5), (1, 8), (5, 2), (5, 3), (5, 8)}


def test_for_with_continue() -> None:
    text = (
        "total = 0\nfor x in xs:\n    if x < 0:\n        continue\n    total += x\nprint(total)\n"
    )
    assert control(text, LANGUAGE) == {(2, 3), (3, 4), (3, 5)}
    assert data(text, LANGUAGE) == {(1, 5), (1, 6), (2, 3), (2, 5), (5, 6)}


def test_elif() -> None:
    text = "if a:\n    b = 1\nelif c:\n    b = 2\nelse:\n    b = 3\nprint(b)\n"
    assert control(text, LANGUAGE) == {(1, 2), (1, 3), (3, 4), (3, 6)}
    assert data(text, LANGUAGE) == {(2, 7), (4, 7), (6, 7)}


def test_try_except_else_finally() -> None:
    text = (
        "try:\n    x = int(s)\nexcept ValueError as e:\n    print(e)\nelse:\n    print(x)\n"
        "finally:\n    done()\n"
    )
    assert control(text, LANGUAGE) == {(2, 3), (2, 4), (2, 6)}
    assert data(text, LANGUAGE) == {(3, 4), (2, 6)}


def test_raise_is_caught() -> None:
    text = (
        "try:\n    if n < 0:\n        raise ValueError(n)\n    r = 1\nexcept ValueError:\n"
        "    r = 2\nprint(r)\n"
    )
    assert control(text, LANGUAGE) == {(2, 3), (2, 4), (2, 6)}
    assert data(text, LANGUAGE) == {(4, 7), (6, 7)}


def test_with_binds() -> None:
    text = "with open(p) as f, lock as (a, b):\n    text = f.read(a)\nprint(text, b)\n"
    assert control(text, LANGUAGE) == set()
    assert data(text, LANGUAGE) == {(1, 2), (1, 3), (2, 3)}


def test_match() -> None:
    text = (
        "match p:\n"
        "    case 0 | 1:\n        r = 1\n"
        "    case [x, *rest] if x > 2:\n        r = x + len(rest)\n"
        '    case {"k": v, **more}:\n        r = v, more\n'
        "    case Color.RED:\n        r = 4\n"
        "    case Point(x=0, y=h) as q:\n        r = h, q\n"
        "    case other:\n        r = other\n"
        "print(r)\n"
    )
    assert control(text, LANGUAGE) == {
        (1, 3),
        (1, 4),
        (4, 5),
        (4, 6),
        (6, 7),
        (6, 8),
        (8, 9),
        (8, 10),
        (10, 11),
        (10, 12),
        (10, 13),
    }
    bindings = {(4, 5), (6, 7), (10, 11), (12, 13)}
    assert data(text, LANGUAGE) == bindings | {(line, 14) for line in (3, 5, 7, 9, 11, 13)}


def test_comprehensions_have_their_own_names() -> None:
    text = "x = 10\nys = [x * 2 for x in range(3) if x]\nprint(x, ys)\n"
    assert data(text, LANGUAGE) == {(1, 3), (2, 3)}


def test_the_filter_of_a_comprehension_decides_what_is_in_it() -> None:
    text = "ys = [x\n      for x in xs\n      if good(x)]\n"
    assert control(text, LANGUAGE) == {(2, 3)}
    assert data(text, LANGUAGE) == {(2, 3), (2, 1), (3, 1)}


def test_global() -> None:
    text = "count = 0\ndef bump():\n    global count\n    count += 1\nbump()\nprint(count)\n"
    assert data(text, LANGUAGE) == {(1, 5), (1, 6), (5, 6)}
    assert calls(text, LANGUAGE) == {(5, "bump")}


def test_nonlocal() -> None:
    text = (
        "def outer():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n"
        "    inc()\n    return n\n"
    )
    assert data(text, LANGUAGE) >= {(2, 6), (3, 6), (6, 7), (2, 7)}
    assert calls(text, LANGUAGE) == {(6, "inc")}


def test_a_local_name_hides_the_global_one() -> None:
    text = "n = 1\ndef f():\n    n = 2\n    return n\nf()\nprint(n)\n"
    assert data(text, LANGUAGE) == {(3, 4), (1, 6)}


def test_walrus_chained_and_starred_targets() -> None:
    text = "if (n := len(xs)) > 3:\n    a = b = n\n    c, *d = xs\n    print(a, b, c, d)\n"
    assert control(text, LANGUAGE) == {(1, 2), (1, 3), (1, 4)}
    assert data(text, LANGUAGE) == {(1, 2), (2, 4), (3, 4)}


def test_pairs_of_assignments() -> None:
    swapped = "a = 1\nb = 2\na, b = b, a\nprint(a)\n"
    assert data(swapped, LANGUAGE) == {(1, 3), (2, 3), (3, 4)}
    apart = "a = f()\nb = g()\n(c,\n d) = a, b\nprint(c)\n"
    assert data(apart, LANGUAGE) == {(1, 3), (2, 4), (3, 5)}


def test_deletion_changes_the_list_and_the_name() -> None:
    text = "xs = [1, 2]\ndel xs[0]\nprint(xs)\n"
    assert data(text, LANGUAGE) == {(1, 2), (1, 3), (2, 3)}
    assert data("x = 1\ndel x\nx = 2\nprint(x)\n", LANGUAGE) == {(1, 2), (3, 4)}


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("xs = []\nys = xs\nys.append(1)\nprint(xs)", {1, 3}),
        ("grid = [[0], [1]]\nfor i, row in enumerate(grid):\n  row.append(i)\nprint(grid)", {1, 3}),
        ("a = [3, 1]\nb = sorted(a)\nb.append(2)\nprint(a)", {1}),
        ("d = {}\nd.setdefault(1, []).append(2)\nprint(d)", {1, 2}),
        ("d = {}\nfor k, v in d.items():\n  v.pop()\nprint(d)", {1, 3}),
        ("import heapq\nh = []\nheapq.heappush(h, 1)\nprint(h)", {2, 3}),
        ("import numpy as np\nnp.seterr(1)\nprint(np.pi)", {1}),
        ("x = [1]\nx[0] += 1\nx[0] = 2\nprint(x)", {1, 2, 3}),
        ("a = f'{1}'\nb = 'x' f'{a}'\nprint(b)", {2}),
        ("w = 3\nprint(f'{1:{w}}')", {1}),
    ],
)
def test_what_the_last_line_uses(text: str, last: set[int]) -> None:
    end = text.count("\n") + 1
    assert {a for a, b in data(text, LANGUAGE) if b == end} == last


ACCOUNT = """class Account:
    def __init__(self, start):
        self.balance = start
    def add(self, x):
        self.balance += x
    @property
    def double(self):
        return self.balance * 2
    @double.setter
    def double(self, v):
        self.balance = v / 2
    @staticmethod
    def rate(y):
        return y
acc = Account(1)
acc.add(2)
acc.double = 3
print(acc.double, Account.rate(3))
"""


def test_classes_with_properties_and_static_methods() -> None:
    assert calls(ACCOUNT, LANGUAGE) == {
        (15, "__init__"),
        (16, "add"),
        (17, "double"),
        (18, "double"),
        (18, "rate"),
    }
    found = data(ACCOUNT, LANGUAGE)
    assert found >= {(2, 3), (4, 5), (10, 11), (13, 14), (15, 16), (15, 18), (16, 18), (17, 18)}
    ir = Source(ACCOUNT, LANGUAGE).flow_ir
    functions = ir.function_name, ir.function_kind
    kinds = {ir.string(n): FunctionKind(k) for n, k in zip(*functions, strict=True)}
    assert kinds["rate"] is FunctionKind.STATIC
    assert kinds["__init__"] is FunctionKind.CONSTRUCTOR
    assert kinds["add"] is FunctionKind.METHOD


def test_super() -> None:
    text = (
        "class A:\n    def __init__(self, x):\n        self.x = x\n"
        "class B(A):\n    def __init__(self, x):\n        super().__init__(x)\n"
        "        print(self.x)\n"
    )
    assert calls(text, LANGUAGE) == {(6, "__init__")}
    assert data(text, LANGUAGE) == {(2, 3), (5, 6), (6, 7)}


def test_self_in_a_function_inside_a_method() -> None:
    text = (
        "class A:\n    def run(self):\n        self.n = 1\n"
        "        g = lambda: self.n\n        return g()\n"
    )
    assert data(text, LANGUAGE) == {(3, 5), (4, 5)}


def test_imports_bind() -> None:
    text = (
        "import math\nfrom random import shuffle as mix\nxs = [math.sqrt(4)]\nmix(xs)\n"
        "print(math.pi, xs)\n"
    )
    assert data(text, LANGUAGE) == {(1, 3), (1, 5), (2, 4), (3, 4), (3, 5)}


def test_any_number_of_arguments() -> None:
    text = "def f(a, *args, **kw): pass\nf(1)\nf(1, 2, 3)\nf(*xs)\n"
    assert calls(text, LANGUAGE) == {(2, "f"), (3, "f"), (4, "f")}
    ir = Source(text, LANGUAGE).flow_ir
    assert (ir.function_least[1], ir.function_most[1]) == (1, -1)


def test_default_arguments() -> None:
    text = "k = 2\ndef f(x, y=1):\n    return x + y\nf(k)\nf(1, 2)\n"
    assert calls(text, LANGUAGE) == {(4, "f"), (5, "f")}
    assert data(text, LANGUAGE) == {(1, 4), (2, 3)}
    ir = Source(text, LANGUAGE).flow_ir
    assert (ir.function_least[1], ir.function_most[1]) == (1, 2)


def test_generator() -> None:
    text = "def gen(n):\n    i = 0\n    while i < n:\n        yield i\n        i += 1\n"
    assert control(text, LANGUAGE) == {(3, 4), (3, 5)}
    assert data(text, LANGUAGE) == {(1, 3), (2, 3), (2, 4), (2, 5), (5, 3), (5, 4)}


def test_async() -> None:
    text = (
        "async def f(xs):\n    async for x in xs:\n        await g(x)\n"
        "    async with lock as l:\n        print(l)\n"
    )
    assert control(text, LANGUAGE) == {(2, 3)}
    assert data(text, LANGUAGE) == {(1, 2), (2, 3), (4, 5)}


def test_a_call_that_never_returns() -> None:
    text = "import sys\nif bad:\n    sys.exit(1)\nprint(1)\n"
    assert control(text, LANGUAGE) == {(2, 3), (2, 4)}


def test_assertions_decide() -> None:
    assert control("assert n > 0\nprint(n)\n", LANGUAGE) == {(1, 2)}


def test_short_circuit_and_conditional_expressions() -> None:
    text = "if (a\n        and f(b)):\n    x = 1\n"
    assert control(text, LANGUAGE) == {(1, 2), (1, 3)}
    text = "x = (a\n     if c else\n     f(b))\n"
    assert control(text, LANGUAGE) == {(2, 3)}
    assert data(text, LANGUAGE) == {(2, 1), (3, 1)}
    assert names("0 < a < b\n", LANGUAGE) == ["0", "<", "<", "&&"]


def test_code_that_no_path_reaches_and_endless_loops() -> None:
    assert control("def f():\n    return 1\n    print(2)\n", LANGUAGE) == set()
    assert control("while True:\n    if a:\n        b()\n", LANGUAGE) == {(2, 3)}


def test_what_cannot_be_parsed_leaves_the_rest_right() -> None:
    found = data("a = 1\nb = = a\nprint(a)\nc = 2\nprint(c)\n", LANGUAGE)
    assert found >= {(1, 3), (4, 5)}
    assert (1, 5) not in found


def test_every_kind_of_node_is_decided() -> None:
    grammar = Source("", LANGUAGE).grammar
    kinds = {kind for kind, numbers in grammar.kind_numbers.items() if grammar.named[numbers[0]]}
    assert {kind for kind in kinds if not kind.startswith("_")} - set(PYTHON.lowering.rules) <= {
        "ERROR",
        "expression",
        "primary_expression",
        "pattern",
        "parameter",
    }


def test_the_example_of_the_documentation() -> None:
    text = (
        "import sys\ntotal = 0\nfor line in sys.stdin:\n    try:\n        n = int(line)\n"
        "    except ValueError as e:\n        print(e)\n        continue\n    total += n\n"
        "print(total)\n"
    )
    assert control(text, LANGUAGE) == {(3, 5), (5, 6), (5, 7), (5, 8), (5, 9)}
    assert data(text, LANGUAGE) == {(3, 5), (6, 7), (5, 9), (2, 9), (2, 10), (9, 10)}


@pytest.mark.parametrize(
    ("head", "lines"),
    [
        ("except A:", {2}),
        ("except A as e:", {2}),
        ("except (A):", {2}),
        ("except (A, m.X):", {1, 2}),
        ("except (A, m.X) as e:", {1, 2}),
        ("except m.X:", {1}),
        ("except* (A, B):", {2}),
        ("except A if c else m.X:", {1, 2}),
    ],
)
def test_a_handler_reads_what_it_catches(head: str, lines: set[int]) -> None:
    text = f"import m\nfrom q import A\ntry:\n    f()\n{head}\n    g()\n"
    assert {first for first, second in data(text, "python") if second == 5 and first != 5} == lines


def test_a_handler_reads_a_name_that_is_defined_below() -> None:
    text = "def f():\n    try:\n        g()\n    except A:\n        h()\nA = KeyError\n"
    assert (6, 4) in data(text, "python")


def test_a_handler_of_names_that_nothing_defines_is_no_operation() -> None:
    bare = Source("try:\n    f()\nexcept (KeyError, ValueError):\n    g()\n", "python").flow_ir
    assert [bare.string(name) for name in bare.name] == ["<module>", "f", "g"]
