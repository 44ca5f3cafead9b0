"""Draws the expressions of random programs, and the variables they are about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tests.represent.random_programs.chooser import Chooser
from tests.represent.random_programs.syntax import Block, Expression, Function, Statement

FIELDS = ("x", "y")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
Parameters = tuple[tuple[str, str], ...]


@dataclass
class Scope:
    """The variables that a statement can name, by what they hold.

    `slots` are C's pointers to arrays and `pointers` those to numbers; `counters` and `readable`
    are never assigned by drawn statements; `callables` are nested functions.
    """

    ints: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    pointers: tuple[str, ...] = ()
    boxptrs: tuple[str, ...] = ()
    grids: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    lambdas: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    receiver: bool = False
    callables: tuple[tuple[str, Parameters], ...] = ()
    counters: list[str] = field(default_factory=list)

    def reading(self, name: str) -> Scope:
        """This scope with one more variable to read; new counters are still shared."""
        return replace(self, readable=(*self.readable, name))

    @property
    def rebindable(self) -> tuple[str, ...]:
        """Variables that a nested function declares as its outer function's."""
        return (*self.ints, *self.arrays, *self.boxes, *self.lambdas, *self.tables)


@dataclass
class Drawing:
    """Draws expressions of a language; C has no calls inside larger expressions, where their order
    would be the compiler's choice.
    """

    choose: Chooser
    language: str
    functions: list[Function] = field(default_factory=list)
    recursive: Function | None = None
    toplevel: bool = False
    main: bool = False
    gives: str = "int"
    left: int = 0
    names: int = 0

    def count(self) -> int:
        """The next number."""
        self.names += 1
        return self.names

    def fresh(self, prefix: str) -> str:
        """A name that nothing else has."""
        return f"{prefix}{self.count()}"

    def new(self, form: str, *values: Any, blocks: tuple[Block, ...] = ()) -> Statement:
        """A statement with a number of its own."""
        return Statement(self.count(), form, values, blocks)

    # Numbers

    def pure(self, scope: Scope, depth: int) -> Expression:
        """A number without calls of the program's functions."""
        choose = self.choose
        if depth == 0 or choose.chance(35):
            return self.read(scope)
        form = choose.weighted(((6, "bin"), (2, "mul"), (2, "cond"), (1, "total"), (1, "len")))
        if form in ("total", "len") and (self.language == "c" or not scope.arrays):
            form = "bin"
        if form == "len":
            return ("len", ("var", choose.one(scope.arrays)))
        if form == "total":
            return self.total(scope)
        left, right = self.pure(scope, depth - 1), self.pure(scope, depth - 1)
        if form == "cond":
            return ("cond", self.comparison(scope, 0), left, right)
        if form == "mul":
            return ("bin", "%", ("bin", "*", left, right), ("int", 1009))
        return ("bin", choose.one(("+", "-", "^", "&")), left, right)

    def value(self, scope: Scope, depth: int) -> Expression:
        """A number, perhaps with a call in it."""
        if self.choose.chance(22):
            called = self.called(scope)
            if called is not None:
                if self.language == "c" or self.choose.chance(50):
                    return called
                both = (called, self.pure(scope, 1))
                return ("bin", "+", *(both if self.choose.chance(50) else both[::-1]))
        return self.pure(scope, depth)

    def read(self, scope: Scope) -> Expression:
        """A number that is simply there."""
        choose = self.choose
        if choose.chance(20):
            return ("int", choose.below(10))
        if choose.chance(60) or not self.reached(scope):
            names = (*scope.ints, *scope.readable, *scope.counters)
            return ("var", choose.one(names)) if names else ("int", choose.below(10))
        found = [("lookup", name, self.index(scope, 1)) for name in scope.tables]
        return choose.one([*self.reached(scope), *found])

    def reached(self, scope: Scope) -> list[Expression]:
        """Numbers inside something else: elements, fields, what pointers point at."""
        choose = self.choose
        result: list[Expression] = [
            ("at", ("var", name), self.index(scope)) for name in (*scope.arrays, *scope.slots)
        ]
        for base in self.bases(scope):
            result += [("field", base, name) for name in FIELDS]
            result.append(("field", ("peer", base), choose.one(FIELDS)))
            result.append(("at", ("items", base), self.index(scope)))
        result += [("deref", name) for name in scope.pointers]
        result += [("at", self.row(name), self.index(scope)) for name in scope.grids]
        return result

    def bases(self, scope: Scope) -> list[Expression]:
        """The objects there are."""
        names = (*scope.boxes, *scope.boxptrs, *(("self",) if scope.receiver else ()))
        return [("var", name) for name in names]

    def row(self, name: str) -> Expression:
        """An array in an array of arrays."""
        return ("row", name, ("int", self.choose.below(2)))

    def index(self, scope: Scope, last: int = 3) -> Expression:
        if self.choose.chance(60):
            return ("int", self.choose.below(last + 1))
        names = (*scope.ints, *scope.readable, *scope.counters)
        return ("bin", "&", ("var", self.choose.one(names)), ("int", last)) if names else ("int", 0)

    def total(self, scope: Scope) -> Expression:
        """A sum over a list: a comprehension in Python, a call elsewhere."""
        array, name = ("var", self.choose.one(scope.arrays)), self.fresh("e")
        if self.language != "python":
            return ("len", array)
        element = self.pure(scope.reading(name), 1)
        test = self.comparison(scope.reading(name), 0) if self.choose.chance(50) else None
        return ("total", array, name, element, test, self.choose.chance(50))

    # Conditions

    def condition(self, scope: Scope, depth: int) -> Expression:
        """A truth value, perhaps with a call or an assignment in it."""
        choose = self.choose
        if choose.chance(12):
            called = self.called(scope)
            if called is not None:
                return ("cmp", choose.one(COMPARISONS), called, ("int", choose.below(10)))
        if choose.chance(8) and scope.ints:
            name = choose.one(scope.ints)
            inner = ("assigned", name, self.pure(scope, 1))
            return ("cmp", choose.one(COMPARISONS), inner, ("int", choose.below(10)))
        if depth == 0 or choose.chance(55):
            return self.comparison(scope, 1)
        form = choose.one(("and", "or", "not"))
        if form == "not":
            return ("not", self.condition(scope, depth - 1))
        return (form, self.condition(scope, depth - 1), self.condition(scope, depth - 1))

    def comparison(self, scope: Scope, depth: int) -> Expression:
        choose = self.choose
        left, right = self.pure(scope, depth), self.pure(scope, 0)
        if self.language == "python" and choose.chance(15):
            return ("chained", left, choose.one(("<", "<=")), right, "<", self.pure(scope, 0))
        if self.language != "java" and choose.chance(10):
            return ("truth", left)
        return ("cmp", choose.one(COMPARISONS), left, right)

    # What is assigned and called

    def target(self, scope: Scope) -> Expression:
        """What can be assigned."""
        reached = self.reached(scope)
        if reached and (not scope.ints or self.choose.chance(45)):
            return self.choose.one(reached)
        return ("var", self.choose.one(scope.ints))

    def plain_target(self, scope: Scope) -> Expression:
        """What can be assigned from a call, wherever the call is evaluated."""
        return ("var", self.choose.one(scope.ints)) if self.language == "c" else self.target(scope)

    def called(self, scope: Scope, *, raising: bool = False) -> Expression | None:
        """A call of a function that fits, or none."""
        choose = self.choose
        options: list[Expression] = []
        known = [f for f in self.functions if raising or not f.raises]
        for function in known:
            if function.owner:
                options += [("method", ("var", box), function.name) for box in scope.boxes]
                options += [
                    ("method", ("peer", ("var", box)), function.name) for box in scope.boxes
                ]
            elif function.gives in ("int", "generator"):
                form = "call" if function.gives == "int" else "drained"
                options.append((form, function.name, function.parameters))
        options += [("call", name, parameters) for name, parameters in scope.callables]
        options += [("invoke", name) for name in scope.lambdas]
        own = self.recursive
        fits = own is not None and own.gives == "int" and (raising or not own.raises)
        if own is not None and fits and choose.chance(40):
            options.append(("call", own.name, own.parameters))
        if not options:
            return None
        chosen = choose.one(options)
        if chosen[0] in ("method", "invoke"):
            return (*chosen, self.pure(scope, 1))
        arguments = self.arguments(scope, chosen[2], own is not None and chosen[1] == own.name)
        return None if arguments is None else (chosen[0], chosen[1], arguments)

    def made(self, scope: Scope, kind: str) -> Expression | None:
        """A call of a function that gives an array or an object, or none."""
        fitting = [f for f in self.functions if f.gives == kind and not f.raises]
        if not fitting:
            return None
        function = self.choose.one(fitting)
        arguments = self.arguments(scope, function.parameters, False)
        return None if arguments is None else ("call", function.name, arguments)

    def arguments(
        self, scope: Scope, parameters: Parameters, recurring: bool
    ) -> tuple[Expression, ...] | None:
        result: list[Expression] = []
        for kind, name in parameters:
            if kind == "depth":
                deep = ("bin", "-", ("var", "d"), ("int", 1)) if recurring else ("int", 2)
                result.append(deep)
            elif kind == "int":
                result.append(self.pure(scope, 1))
            elif kind == "default":
                given = self.choose.one(("no", "yes", "named"))
                if given != "no":
                    value = self.pure(scope, 1)
                    result.append(value if given == "yes" else ("named", name, value))
            elif kind == "array" and (scope.arrays or scope.slots):
                result.append(self.shared(scope))
            elif kind == "box" and (scope.boxes or scope.boxptrs):
                result.append(self.box(scope, fresh=False))
            elif kind == "pointer":
                result.append(self.address(scope))
            else:
                return None
        return tuple(result)

    # Arrays, objects, pointers, function values

    def listed(self, scope: Scope, depth: int) -> Expression:
        """A new array of four numbers."""
        if not scope.ints:
            return ("list", *(("int", self.choose.below(10)) for _ in range(4)))
        return ("list", *(self.pure(scope, depth) for _ in range(4)))

    def array(self, scope: Scope) -> Expression:
        """An array: mostly one that another variable has too."""
        choose = self.choose
        names = (*scope.arrays, *scope.slots)
        if choose.chance(30):
            made = self.made(scope, "array")
            if made is not None:
                return made
        if self.language == "c" or (names and choose.chance(60)):
            return self.shared(scope)
        if self.language == "python" and scope.arrays and choose.chance(40):
            name = self.fresh("e")
            return ("mapped", ("var", choose.one(names)), name, self.pure(scope.reading(name), 1))
        return self.listed(scope, 1)

    def shared(self, scope: Scope) -> Expression:
        """An array that something else has too."""
        choose = self.choose
        if choose.chance(20) and self.bases(scope):
            return ("items", choose.one(self.bases(scope)))
        if choose.chance(20) and scope.grids:
            return self.row(choose.one(scope.grids))
        return ("var", choose.one((*scope.arrays, *scope.slots)))

    def box(self, scope: Scope, *, fresh: bool = True) -> Expression:
        """An object (in C, a pointer to one)."""
        choose = self.choose
        if fresh and choose.chance(25):
            made = self.made(scope, "box")
            if made is not None:
                return made
        if choose.chance(20) and self.bases(scope):
            return ("peer", choose.one(self.bases(scope)))
        if self.language == "c":
            options: list[Expression] = [("addr", ("var", name)) for name in scope.boxes]
            return choose.one([*options, *(("var", name) for name in scope.boxptrs)])
        if scope.boxes and (not fresh or choose.chance(60)):
            return ("var", choose.one(scope.boxes))
        return ("new", self.pure(scope, 1))

    def address(self, scope: Scope) -> Expression:
        """A pointer to a number."""
        choose = self.choose
        options: list[Expression] = [("addr", ("var", name)) for name in scope.ints]
        options += [("addr", ("at", ("var", name), self.index(scope))) for name in scope.arrays]
        options += [("addr", ("field", base, choose.one(FIELDS))) for base in self.bases(scope)]
        return choose.one([*options, *(("var", name) for name in scope.pointers)])

    def closure(self, scope: Scope) -> Expression:
        """A lambda; in Java it reads fields only, as it may capture no variable that changes."""
        name = self.fresh("x")
        if self.language == "python":
            visible = replace(scope, readable=(*scope.readable, name))
        else:
            visible = Scope(ints=("g0", "g1"), readable=(name,))
        return ("lambda", name, self.pure(visible, 1))

    # The edges of functions

    def returned(self, scope: Scope) -> tuple[Expression, ...]:
        """What a return statement returns."""
        if self.main or self.gives == "generator":
            return ()
        if self.gives == "int":
            return (self.pure(scope, 1),)
        if self.gives == "pair":
            return (("pair", self.pure(scope, 1), self.pure(scope, 1)),)
        if self.language != "c":
            return (self.array(scope) if self.gives == "array" else self.box(scope),)
        # What lives in the function itself must not leave it.
        outer = [name for name in scope.arrays if name == "ga" or name.startswith("p")]
        boxes = [name for name in scope.boxptrs if not name.startswith("q")]
        return (("var", self.choose.one(outer if self.gives == "array" else boxes)),)

    def scopes(self, outer: Scope) -> list[Statement]:
        names = (*outer.ints, *outer.arrays)
        return [self.new("scope", "global", names)] if self.language == "python" else []

    def locals(
        self, outer: Scope, parameters: Parameters, *, main: bool
    ) -> tuple[Scope, list[Statement]]:
        """A function's variables and their declarations."""
        choose = self.choose

        def given(kind: str) -> tuple[str, ...]:
            return tuple(name for k, name in parameters if k == kind)

        c = self.language == "c"
        scope = Scope(
            ints=(*outer.ints, *given("int"), *given("default")),
            arrays=(*outer.arrays, *given("array")),
            boxes=() if c else given("box"),
            boxptrs=given("box") if c else (),
            pointers=given("pointer"),
            readable=given("depth"),
            receiver=bool(given("self")),
        )
        declared: list[Statement] = []

        def declare(kind: str, prefix: str, most: int, value: Any) -> tuple[str, ...]:
            names = tuple(f"{prefix}{i}" for i in range(most))
            declared.extend(self.new("declare", kind, name, value()) for name in names)
            return names

        ints = declare("int", "v", 2 + choose.below(3 if main else 2), lambda: self.pure(scope, 0))
        scope.ints += ints
        arrays = declare(
            "array", "a", choose.below(3 if main else 2), lambda: self.listed(scope, 0)
        )
        scope.arrays += arrays
        boxes = declare(
            "box", "o", choose.below(3 if main else 2), lambda: ("new", self.pure(scope, 0))
        )
        scope.boxes += boxes
        if scope.arrays and choose.chance(25):
            pair = lambda: ("grid", self.shared(scope), self.shared(scope))  # noqa: E731
            scope.grids += declare("grid", "m", 1, pair)
        if c:
            if not main and choose.chance(20):
                constant = lambda: ("int", choose.below(10))  # noqa: E731
                scope.ints += declare("static", "s", 1, constant)
            count = choose.below(2) + main
            scope.pointers += declare("pointer", "p_", count, lambda: self.address(scope))
            if scope.arrays:
                scope.slots += declare("slots", "b", choose.below(2), lambda: self.array(scope))
            if scope.boxes:
                scope.boxptrs += declare("boxptr", "q_", choose.below(2), lambda: self.box(scope))
        else:
            both = lambda: ("table", self.pure(scope, 0), self.pure(scope, 0))  # noqa: E731
            scope.tables += declare("table", "t", int(choose.chance(30)) + main, both)
            lambdas = declare("lambda", "k", choose.below(2), lambda: self.closure(scope))
            scope.lambdas += lambdas
        return scope, declared

    def results(self, scope: Scope) -> Block:
        """The last statements: each shows one number."""
        options: list[Expression] = [("var", name) for name in scope.ints]
        options += self.reached(scope)
        options += [("lookup", name, self.index(scope, 1)) for name in scope.tables]
        chosen = [options[self.choose.below(len(options))] for _ in range(4)]
        return tuple(self.new("show", f"r{i}", value) for i, value in enumerate(chosen))
