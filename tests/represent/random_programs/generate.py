"""Draws random structured programs, rich in what a dependence graph must get right.

Every program ends: each loop has a counter of its own, recursion counts down. Operations that raise
stand only inside a try statement of the same function that catches everything, and so do calls of
functions that raise: an exception that leaves a function unseen is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.represent.random_programs.chooser import Chooser
from tests.represent.random_programs.expressions import Drawing, Scope
from tests.represent.random_programs.syntax import Block, Expression, Function, Program, Statement

FIELDS = ("x", "y")
C_LIKE = ("c", "java")
LIBRARY = {"c": ("copy", "fill"), "java": ("copy", "fill", "sort", "clone")}


@dataclass(frozen=True)
class Place:
    """Where in a function a statement stands: what it may jump to, and what may raise."""

    depth: int = 0
    loops: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    breakable: bool = False
    raising: bool = False
    caught: bool = False
    returns: bool = True
    jumps: bool = True
    """`raising`: an exception may be raised here; `caught`: this function catches it."""


@dataclass
class StatementDrawing(Drawing):
    """Draws statements; see :func:`random_program`."""

    declared: list[Statement] = field(default_factory=list)

    def block(self, scope: Scope, place: Place, most: int = 4) -> Block:
        """A block of one to `most` statements, fewer where the program has grown enough."""
        result: list[Statement] = []
        for _ in range(1 + self.choose.below(most)):
            if self.left <= 0 and result:
                break
            self.left -= 1
            result += self.statement(scope, place)
        return tuple(result)

    def statement(self, scope: Scope, place: Place) -> list[Statement]:
        """One statement, with what it needs before it."""
        options: list[tuple[int, Callable[[Scope, Place], list[Statement]]]] = [
            (14, self.assign),
            (5, self.augment),
            (4, self.several),
            (4, self.call),
            (3, self.rebind),
            (1, self.noise),
        ]
        options += [(4 if self.language == "python" else 2, self.change_list)]
        options += [(3, self.enter)] if scope.tables else []
        if self.gives == "generator":
            options += [(5, self.give)]
        if place.depth < 4 and self.left > 0:
            options += [(9, self.branch), (8, self.loop), (3, self.switch)]
            options += [(3, self.labelled)] if self.language in C_LIKE else []
            options += [(5, self.attempt)] if self.language != "c" else []
        if place.jumps:
            options += [(6, self.jump)]
        if place.caught:
            options += [(5, self.risk)]
        return self.choose.weighted(options)(scope, place)

    # Simple statements

    def assign(self, scope: Scope, place: Place) -> list[Statement]:
        value = self.value(scope, 2)
        target = self.plain_target(scope) if value[0] == "call" else self.target(scope)
        return [self.new("assign", target, value)]

    def augment(self, scope: Scope, place: Place) -> list[Statement]:
        target = self.target(scope)
        operator = self.choose.one(("+", "-", "^"))
        if self.language in C_LIKE and target[0] == "var" and self.choose.chance(25):
            return [self.new("increment", target, self.choose.one(("++", "--")))]
        value = self.pure(scope, 1) if self.language == "c" else self.value(scope, 1)
        return [self.new("augment", target, operator, value)]

    def several(self, scope: Scope, place: Place) -> list[Statement]:
        """Chained, multiple assignment or an exchange."""
        first, second = self.target(scope), self.target(scope)
        pairs = [f for f in self.functions if f.gives == "pair" and not f.raises]
        if pairs and self.choose.chance(50):
            function = self.choose.one(pairs)
            arguments = self.arguments(scope, function.parameters, False)
            if arguments is not None:
                return [self.new("unpack", first, second, ("call", function.name, arguments))]
        if self.language != "python" or self.choose.chance(30):
            if self.language == "c" and self.choose.chance(40):
                plain = [t for t in (first, second) if t[0] in ("var", "at")]
                if len(plain) == 2 and plain[0] != plain[1]:
                    return [self.new("exchange", *plain)]
            if self.language == "c":
                first = self.plain_target(scope)
            return [self.new("chain", first, second, self.pure(scope, 1))]
        if self.choose.chance(40):
            return [self.new("multiple", first, second, second, first)]
        return [self.new("multiple", first, second, self.value(scope, 1), self.value(scope, 1))]

    def call(self, scope: Scope, place: Place) -> list[Statement]:
        called = self.called(scope, raising=place.caught)
        if called is None:
            return self.assign(scope, place)
        if self.choose.chance(40):
            return [self.new("evaluate", called)]
        return [self.new("assign", self.plain_target(scope), called)]

    def rebind(self, scope: Scope, place: Place) -> list[Statement]:
        """Something that refers to a thing refers to another."""
        choose, options = self.choose, []
        c = self.language == "c"
        for name in scope.arrays if not c else scope.slots:
            options.append((("var", name), self.array))
        for name in scope.boxes if not c else scope.boxptrs:
            options.append((("var", name), self.box))
        options += [(self.row(name), self.array) for name in scope.grids]
        options += [(("var", name), self.address) for name in scope.pointers]
        options += [(("var", name), self.closure) for name in scope.lambdas]
        if not c or self.main:
            options += [(("peer", base), self.box) for base in self.bases(scope)]
        if not c:
            options += [(("items", base), self.array) for base in self.bases(scope)]
        if c and len(scope.boxes) > 1:
            other = ("var", choose.one(scope.boxes))
            options += [(("var", name), lambda scope: other) for name in scope.boxes]
        if not options or (c and not (scope.arrays or scope.slots)):
            return self.assign(scope, place)
        target, draw = choose.one(options)
        if draw == self.array and not (scope.arrays or scope.slots):
            return self.assign(scope, place)
        return [self.new("rebind", target, draw(scope))]

    def noise(self, scope: Scope, place: Place) -> list[Statement]:
        return [self.new("show", "n", self.pure(scope, 1))]

    def change_list(self, scope: Scope, place: Place) -> list[Statement]:
        if not scope.arrays:
            return self.assign(scope, place)
        name = self.choose.one(scope.arrays)
        if self.language != "python":
            other = self.choose.one(scope.arrays)
            how = self.choose.one(LIBRARY[self.language])
            return [self.new("change", name, how, other, self.pure(scope, 1))]
        how = self.choose.one(("append", "sort", "reverse", "insert", "extend", "pop", "slice"))
        if how == "pop":
            target = self.plain_target(scope)
            guard = ("cmp", ">", ("len", ("var", name)), ("int", 4))
            inner = self.new("assign", target, ("popped", name))
            return [self.new("if", guard, blocks=((inner,),))]
        return [self.new("change", name, how, self.pure(scope, 1))]

    def enter(self, scope: Scope, place: Place) -> list[Statement]:
        """A table (Python's dict, Java's list) gets an entry, or another table's name."""
        name = self.choose.one(scope.tables)
        if self.choose.chance(20):
            return [self.new("rebind", ("var", name), ("var", self.choose.one(scope.tables)))]
        how = self.choose.one(("set", "set", "more"))
        return [self.new("enter", name, how, self.index(scope, 1), self.value(scope, 1))]

    def give(self, scope: Scope, place: Place) -> list[Statement]:
        return [self.new("yield", self.pure(scope, 1))]

    def jump(self, scope: Scope, place: Place) -> list[Statement]:
        """A jump, mostly under a condition; what stands behind a bare one never runs."""
        options: list[tuple[int, Statement]] = []
        if place.returns:
            options.append((1 if self.main else 2, self.new("return", *self.returned(scope))))
        if place.breakable:
            options.append((3, self.new("break", "")))
        if place.loops:
            options.append((3, self.new("continue", "")))
            if self.language == "java" and place.loops[0]:
                label = self.choose.one([name for name in place.loops if name])
                options.append((2, self.new(self.choose.one(("break", "continue")), label)))
        if place.labels:
            options.append((5, self.new("leave", self.choose.one(place.labels))))
        if place.raising:
            options.append((3, self.new("raise", self.choose.one(("V", "I")), self.pure(scope, 1))))
        if not options:
            return self.assign(scope, place)
        jump = self.choose.weighted(options)
        final = jump.form == "return" and self.main
        if self.language != "java" and not final and self.choose.chance(15):
            return [jump]
        before: Block = ()
        if self.choose.chance(40) and self.left > 0:
            before = self.block(scope, replace(place, depth=9, jumps=False), 2)
        condition = self.condition(scope, 1)
        if not final and self.choose.chance(5):
            condition = ("true",)
        return [self.new("if", condition, blocks=((*before, jump),))]

    def risk(self, scope: Scope, place: Place) -> list[Statement]:
        """An operation that may raise."""
        target = self.plain_target(scope)
        if scope.arrays and self.choose.chance(60):
            array = ("var", self.choose.one(scope.arrays))
            risky: Expression = ("anywhere", array, self.pure(scope, 1))
            if self.choose.chance(30):
                return [self.new("assign", risky, self.pure(scope, 1))]
        else:
            risky = ("quotient", self.pure(scope, 1), self.pure(scope, 1))
        return [self.new("assign", target, risky)]

    # Compound statements

    def branch(self, scope: Scope, place: Place) -> list[Statement]:
        inside = replace(place, depth=place.depth + 1)
        bodies = [self.block(scope, inside)]
        if self.choose.chance(55):
            if self.choose.chance(25) and self.left > 0:
                bodies.append(tuple(self.branch(scope, inside)))
            else:
                bodies.append(self.block(scope, inside))
        return [self.new("if", self.condition(scope, 2), blocks=tuple(bodies))]

    def loop(self, scope: Scope, place: Place) -> list[Statement]:
        kinds = ["while", "for", "forever", "each"]
        kinds += ["do"] if self.language in C_LIKE else []
        kinds = [k for k in kinds if k != "each" or (scope.arrays and self.language != "c")]
        kind = self.choose.one(kinds)
        counter = self.fresh("i")
        label = f"l{counter}" if self.language == "java" and self.choose.chance(30) else ""
        inside = replace(
            place,
            depth=place.depth + 1,
            loops=(label, *place.loops) if label else (*place.loops, ""),
            breakable=True,
            jumps=True,
        )
        bound = ("int", 1 + self.choose.below(4))
        tail = self.loop_else(scope, place, kind)
        if kind == "each" and scope.grids and self.choose.chance(50):
            within = replace(scope, arrays=(*scope.arrays, counter))
            rows = ("var", self.choose.one(scope.grids))
            body = self.block(within, inside)
            return [self.new("rows", label, counter, rows, blocks=(body, *tail))]
        if kind in ("for", "each"):
            within = scope.reading(counter)
            body = self.block(within, inside)
            if kind == "each":
                array = ("var", self.choose.one(scope.arrays))
                source = ("copy", array) if self.language == "python" else array
                return [self.new("each", label, counter, source, blocks=(body, *tail))]
            end = bound
            if self.choose.chance(30):
                end = ("bin", "&", self.pure(scope, 1), ("int", 3))
            update = None
            if self.language in C_LIKE and self.choose.chance(25):
                update = (("var", self.choose.one(scope.ints)), self.pure(scope, 0))
            return [self.new("for", label, counter, end, update, blocks=(body, *tail))]
        scope.counters.append(counter)
        self.declared.append(self.new("declare", "int", counter, ("int", 9)))
        start = self.new("assign", ("var", counter), ("int", 0))
        step = self.new("augment", ("var", counter), "+", ("int", 1))
        body = (step, *self.block(scope, inside))
        more: Expression = ("cmp", "<", ("var", counter), bound)
        if kind == "forever":
            stop = self.new("break", "")
            done = ("cmp", ">", ("var", counter), bound)
            leave = self.new("if", done, blocks=((stop,),))
            body = (step, leave, *body[1:])
            return [start, self.new("while", label, ("true",), blocks=(body,))]
        if self.choose.chance(50):
            more = ("and", more, self.condition(scope, 1))
        return [start, self.new(kind, label, more, blocks=(body, *tail))]

    def loop_else(self, scope: Scope, place: Place, kind: str) -> tuple[Block, ...]:
        if self.language == "python" and kind != "forever" and self.choose.chance(20):
            return (self.block(scope, replace(place, depth=place.depth + 1), 2),)
        return ()

    def switch(self, scope: Scope, place: Place) -> list[Statement]:
        inside = replace(place, depth=place.depth + 1)
        if self.language in C_LIKE:
            inside = replace(inside, breakable=True)
        subject = ("bin", "&", self.pure(scope, 1), ("int", 3))
        marks: list[tuple[int, ...] | None] = [(0,), (1,), (2, 3)][: 1 + self.choose.below(3)]
        if self.choose.chance(60):
            at = len(marks) if self.language == "python" else self.choose.below(len(marks) + 1)
            marks.insert(at, None)
        bodies = []
        for _ in marks:
            body = self.block(scope, inside, 3)
            if self.language in C_LIKE and not self.choose.chance(35):
                body = (*body, self.new("break", "")) if not _ends(body) else body
            bodies.append(body)
        guards = tuple(
            self.condition(scope, 1)
            if self.language == "python" and mark is not None and self.choose.chance(25)
            else None
            for mark in marks
        )
        return [self.new("switch", subject, tuple(marks), guards, blocks=tuple(bodies))]

    def labelled(self, scope: Scope, place: Place) -> list[Statement]:
        """A block with a label: in C, gotos jump to its end or back to its start."""
        label = self.fresh("L")
        inside = replace(place, depth=place.depth + 1, labels=(*place.labels, label), jumps=True)
        body = self.block(scope, inside)
        if self.language == "c" and self.choose.chance(30):
            counter = self.fresh("i")
            scope.counters.append(counter)
            self.declared.append(self.new("declare", "int", counter, ("int", 9)))
            start = self.new("assign", ("var", counter), ("int", 0))
            step = self.new("augment", ("var", counter), "+", ("int", 1))
            more = ("and", ("cmp", "<", ("var", counter), ("int", 3)), self.condition(scope, 1))
            back = self.new("if", more, blocks=((self.new("leave", f"{label}s"),),))
            return [start, self.new("label", label, blocks=((step, *body, back),))]
        return [self.new("label", label, blocks=(body,))]

    def attempt(self, scope: Scope, place: Place) -> list[Statement]:
        """A try statement; one that catches everything, unless it stands in such a one."""
        inside = replace(place, depth=place.depth + 1)
        body = self.block(scope, replace(inside, raising=True, caught=True))
        kinds = ["V"] if self.choose.chance(30) else []
        if not place.caught or self.choose.chance(50) or not kinds:
            kinds.append("")
        if place.caught and self.choose.chance(20):
            kinds = []
        handlers = [self.block(scope, inside, 2) for _ in kinds]
        orelse: Block = ()
        if kinds and self.language == "python" and self.choose.chance(20):
            orelse = self.block(scope, inside, 2)
        final: Block = ()
        if not kinds or self.choose.chance(35):
            quiet = replace(
                inside, jumps=False, raising=False, caught=False, depth=3, loops=(), breakable=False
            )
            final = self.block(scope, replace(quiet, returns=False, labels=()), 2)
        parts = (body, *handlers, orelse, final)
        return [self.new("try", tuple(kinds), bool(orelse), bool(final), blocks=parts)]


def _ends(body: Block) -> bool:
    return bool(body) and body[-1].form in ("break", "continue", "return", "leave", "raise")


def random_program(choose: Chooser, language: str, size: int = 24) -> Program:
    """A random program of about `size` statements in its main code."""
    drawing = StatementDrawing(choose, language)
    outer = Scope(ints=("g0", "g1"), arrays=("ga",) if choose.chance(50) else ())
    values: list[Statement] = [
        drawing.new("declare", "int", name, ("int", choose.below(10))) for name in outer.ints
    ]
    values += [
        drawing.new("declare", "array", name, drawing.listed(Scope(), 0)) for name in outer.arrays
    ]
    functions: list[Function] = []
    for i in range(choose.below(4)):
        functions.append(_function(drawing, outer, f"f{i}", size // 3))
        drawing.functions.append(functions[-1])
    drawing.gives = "int"
    if language != "c" and choose.chance(60):
        functions.append(_method(drawing, outer, "bump", size // 4))
        drawing.functions.append(functions[-1])
    toplevel = language == "python" and choose.chance(30)
    drawing.toplevel = toplevel
    main, scope = _body(drawing, outer, (), size, toplevel=toplevel)
    results = drawing.results(scope)
    return Program(language, tuple(values), tuple(functions), main, results, toplevel)


def _function(drawing: StatementDrawing, outer: Scope, name: str, size: int) -> Function:
    """A function of one to three parameters; one that recurs has its depth first."""
    choose = drawing.choose
    kinds = ["int"]
    kinds += ["array"] if choose.chance(40) else []
    kinds += ["box"] if choose.chance(25) else []
    kinds += ["pointer"] if drawing.language == "c" and choose.chance(45) else []
    kinds += ["default"] if drawing.language == "python" and choose.chance(25) else []
    parameters = tuple((kind, f"p{i}") for i, kind in enumerate(kinds))
    raises = drawing.language != "c" and choose.chance(20)
    recursive = choose.chance(25)
    if recursive:
        parameters = (("depth", "d"), *parameters)
    if drawing.language == "java" and choose.chance(30):
        name = _overloaded(drawing, name, len(parameters))
    number = drawing.count()
    gives = _given(drawing, outer, kinds)
    drawing.gives = gives
    shell = Function(number, name, parameters, (), raises, gives=gives)
    drawing.recursive = shell if recursive else None
    body, _ = _body(drawing, outer, parameters, size, raises=raises)
    drawing.recursive = None
    return replace(shell, body=body)


def _overloaded(drawing: StatementDrawing, name: str, count: int) -> str:
    """The name of a function with another number of parameters, where there is one."""
    taken: dict[str, set[int]] = {}
    for function in drawing.functions:
        taken.setdefault(function.name, set()).add(len(function.parameters))
    return next((other for other, counts in taken.items() if count not in counts), name)


def _given(drawing: StatementDrawing, outer: Scope, kinds: list[str]) -> str:
    """What a function gives: mostly a number."""
    options = ["int"] * 5
    options += ["array"] if "array" in kinds or outer.arrays else []
    options += ["box"] if "box" in kinds else []
    options += ["generator", "pair"] if drawing.language == "python" else []
    return drawing.choose.one(options)


def _method(drawing: StatementDrawing, outer: Scope, name: str, size: int) -> Function:
    number = drawing.count()
    parameters = (("self", "self"), ("int", "p0"))
    body, _ = _body(drawing, outer, parameters, size)
    return Function(number, name, parameters, body, owner="Box")


def _body(
    drawing: StatementDrawing,
    outer: Scope,
    parameters: tuple[tuple[str, str], ...],
    size: int,
    *,
    raises: bool = False,
    toplevel: bool = False,
) -> tuple[Block, Scope]:
    """A function's declarations, statements and last return, and the scope they have."""
    choose = drawing.choose
    main = not parameters
    scope, declared = drawing.locals(outer, parameters, main=main)
    drawing.declared, drawing.left, drawing.main = [], 3 + choose.below(size), main
    guards: list[Statement] = []
    if parameters and parameters[0][0] == "depth":
        low = ("cmp", "<=", ("var", "d"), ("int", 0))
        ending = drawing.new("return", *drawing.returned(scope))
        guards = [drawing.new("if", low, blocks=((ending,),))]
    inner: list[Statement] = []
    if drawing.language == "python" and choose.chance(35):
        inner = [_nested(drawing, scope, toplevel=toplevel)]
    statements: list[Statement] = []
    place = Place(raising=raises, returns=not toplevel)
    while drawing.left > 0:
        statements += drawing.block(scope, place, 6)
    head = drawing.scopes(outer) if not toplevel else []
    last = [] if main else [drawing.new("last", *drawing.returned(scope))]
    declared += drawing.declared
    return (*head, *declared, *guards, *inner, *statements, *last), scope


def _nested(drawing: StatementDrawing, scope: Scope, *, toplevel: bool) -> Statement:
    """A function inside a function that writes the outer one's variables."""
    choose = drawing.choose
    name, parameter = drawing.fresh("h"), drawing.fresh("q")
    left, declared, main, gives = drawing.left, drawing.declared, drawing.main, drawing.gives
    drawing.left, drawing.declared, drawing.main = 2 + choose.below(4), [], False
    drawing.gives = "int"
    own = ("int", parameter)
    within = replace(scope, ints=(*scope.ints, parameter), callables=(), counters=[])
    body: list[Statement] = []
    while drawing.left > 0:
        body += drawing.block(within, Place(depth=2), 3)
    names = tuple(n for n in scope.rebindable if n not in ("g0", "g1", "ga"))
    outside = tuple(n for n in scope.rebindable if n in ("g0", "g1", "ga"))
    keyword = "global" if toplevel else "nonlocal"
    head = [drawing.new("scope", keyword, names)] if names else []
    head += [drawing.new("scope", "global", outside)] if outside else []
    last = drawing.new("last", drawing.pure(within, 1))
    block = (*head, *drawing.declared, *body, last)
    drawing.left, drawing.declared, drawing.main, drawing.gives = left, declared, main, gives
    scope.callables = (*scope.callables, (name, (own,)))
    return drawing.new("nested", name, (own,), blocks=(block,))
