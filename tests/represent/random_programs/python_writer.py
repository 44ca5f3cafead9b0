"""Writes random programs in Python."""

from __future__ import annotations

from tests.represent.random_programs.syntax import Block, Expression
from tests.represent.random_programs.writer import Writer

Blocks = tuple[Block, ...]
EXCEPTIONS = {"V": "ValueError", "I": "IndexError", "": "Exception"}
CHANGES = {
    "append": "{0}.append({1})",
    "sort": "{0}.sort()",
    "reverse": "{0}.reverse()",
    "insert": "{0}.insert(1, {1})",
    "extend": "{0}.extend([{1}])",
    "slice": "{0}[1:2] = [{1}]",
}


class PythonWriter(Writer):
    """Writes Python."""

    AND, OR, NOT = "and", "or", "not "

    def write_program(self) -> None:
        program = self.program
        methods = [f for f in program.functions if f.owner]
        self.put(0, "class Box:")
        self.put(0, "    def __init__(self, value):")
        self.put(0, "        self.x = value")
        self.put(0, "        self.y = value + 1")
        self.put(0, "        self.peer = self")
        self.put(0, "        self.items = [1, 2, 3, value]")
        with self.inside():
            for method in methods:
                self.put_function(method.number, method.name, method.parameters, method.body)
        self.put(0, "d0 = 7")
        for statement in program.globals:
            self.statement(statement)
        for function in program.functions:
            if not function.owner:
                self.put_function(
                    function.number, function.name, function.parameters, function.body
                )
        if program.toplevel:
            for statement in (*program.main, *program.results):
                self.statement(statement)
        else:
            self.put_function(0, "main", (), (*program.main, *program.results))
            self.put(0, "main()")

    def put_function(
        self, number: int, name: str, parameters: tuple[tuple[str, str], ...], body: Block
    ) -> None:
        """Write a function."""
        # The graph takes a default for read when the function is called, so it must not change.
        listed = [f"{name}=d0" if kind == "default" else name for kind, name in parameters]
        self.put(number, f"def {name}({', '.join(listed)}):")
        self.block(body, tick=True)

    def put_tick(self) -> None:
        self.put(0, "tick()")

    def block(self, block: Block, *, tick: bool = False) -> None:
        super().block(block, tick=tick)
        if not block:
            self.put(0, "    pass")

    # Statements

    def write_scope(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{values[0]} {', '.join(values[1])}")

    def write_declare(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{values[1]} = {self.of(values[2])}")

    def write_assign(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{self.of(values[0])} = {self.of(values[1])}")

    def write_rebind(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{self.of(values[0])} = {self.of(values[1])}")

    def write_augment(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{self.of(values[0])} {values[1]}= {self.of(values[2])}")

    def write_chain(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, " = ".join(map(self.of, values)))

    def write_multiple(self, number: int, values: Expression, blocks: Blocks) -> None:
        first, second, left, right = map(self.of, values)
        self.put(number, f"{first}, {second} = {left}, {right}")

    def write_unpack(self, number: int, values: Expression, blocks: Blocks) -> None:
        first, second, call = map(self.of, values)
        self.put(number, f"{first}, {second} = {call}")

    def write_enter(self, number: int, values: Expression, blocks: Blocks) -> None:
        name, how, key, value = values
        entry = f"[{self.of(key)}] = " if how == "set" else f".update({{{self.of(key)}: "
        self.put(number, f"{name}{entry}{self.of(value)}{'' if how == 'set' else '})'}")

    def write_evaluate(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, self.of(values[0]))

    def write_change(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, CHANGES[values[1]].format(values[0], self.of(values[2])))

    def write_show(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"print('{values[0]}', {self.of(values[1])})")

    def write_return(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, " ".join(["return", *map(self.of, values)]))

    def write_last(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"return {self.of(values[0])}" if values else "yield 3")

    def write_yield(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"yield {self.of(values[0])}")

    def write_break(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, "break")

    def write_continue(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, "continue")

    def write_raise(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"raise {EXCEPTIONS[values[0]]}({self.of(values[1])})")

    def write_if(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"if {self.of(values[0])}:")
        self.block(blocks[0])
        while len(blocks) > 1 and len(blocks[1]) == 1 and blocks[1][0].form == "if":
            (inner,) = blocks[1]
            blocks = inner.blocks
            self.put(inner.number, f"elif {self.of(inner.values[0])}:")
            self.block(blocks[0])
        if len(blocks) > 1:
            self.put(number, "else:")
            self.block(blocks[1])

    def write_while(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put_loop(number, f"while {self.of(values[1])}:", blocks)

    def write_for(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put_loop(number, f"for {values[1]} in range({self.of(values[2])}):", blocks)

    def write_each(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put_loop(number, f"for {values[1]} in {self.of(values[2])}:", blocks)

    write_rows = write_each

    def put_loop(self, number: int, head: str, blocks: Blocks) -> None:
        """Write a loop and its else."""
        self.put(number, head)
        self.block(blocks[0], tick=True)
        if len(blocks) > 1:
            self.put(number, "else:")
            self.block(blocks[1])

    def write_switch(self, number: int, values: Expression, blocks: Blocks) -> None:
        subject, marks, guards = values
        self.put(number, f"match {self.of(subject)}:")
        with self.inside():
            for mark, guard, body in zip(marks, guards, blocks, strict=True):
                pattern = "_" if mark is None else " | ".join(map(str, mark))
                test = f" if {self.of(guard)}" if guard is not None else ""
                self.put(number, f"case {pattern}{test}:")
                self.block(body)

    def write_try(self, number: int, values: Expression, blocks: Blocks) -> None:
        kinds, orelse, final = values
        self.put(number, "try:")
        self.block(blocks[0])
        for kind, body in zip(kinds, blocks[1:], strict=False):
            self.put(number, f"except {EXCEPTIONS[kind]}:")
            self.block(body)
        if orelse:
            self.put(number, "else:")
            self.block(blocks[-2])
        if final or not kinds:
            self.put(number, "finally:")
            self.block(blocks[-1])

    def write_nested(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put_function(number, values[0], values[1], blocks[0])

    # Expressions

    def show_true(self) -> str:
        return "True"

    def show_chained(
        self, left: Expression, first: str, middle: Expression, second: str, right: Expression
    ) -> str:
        return f"{self.of(left)} {first} {self.of(middle)} {second} {self.of(right)}"

    def show_cond(self, test: Expression, left: Expression, right: Expression) -> str:
        return f"({self.of(left)} if {self.of(test)} else {self.of(right)})"

    def show_assigned(self, name: str, value: Expression) -> str:
        return f"({name} := {self.of(value)})"

    def show_quotient(self, left: Expression, right: Expression) -> str:
        return f"{self.of(left)} // ({self.of(right)} & 3)"

    def show_list(self, *values: Expression) -> str:
        return f"[{', '.join(map(self.of, values))}]"

    def show_named(self, name: str, value: Expression) -> str:
        return f"{name}={self.of(value)}"

    def show_pair(self, left: Expression, right: Expression) -> str:
        return f"{self.of(left)}, {self.of(right)}"

    def show_table(self, left: Expression, right: Expression) -> str:
        return f"{{0: {self.of(left)}, 1: {self.of(right)}}}"

    def show_lookup(self, name: str, key: Expression) -> str:
        return f"{name}[{self.of(key)}]"

    def show_spare(self) -> str:
        return "[70, 71, 72, 73]"

    def show_grid(self, *rows: Expression) -> str:
        return self.show_list(*rows)

    def show_drained(self, name: str, arguments: tuple[Expression, ...]) -> str:
        return f"sum({self.show_call(name, arguments)})"

    def show_copy(self, array: Expression) -> str:
        return f"list({self.of(array)})"

    def show_len(self, array: Expression) -> str:
        return f"len({self.of(array)})"

    def show_total(
        self, array: Expression, name: str, value: Expression, test: Expression | None, lazy: bool
    ) -> str:
        tail = f" if {self.of(test)}" if test is not None else ""
        inner = f"{self.of(value)} for {name} in {self.of(array)}{tail}"
        return f"sum({inner})" if lazy else f"sum([{inner}])"

    def show_mapped(self, array: Expression, name: str, value: Expression) -> str:
        return f"[{self.of(value)} for {name} in {self.of(array)}]"

    def show_popped(self, name: str) -> str:
        return f"{name}.pop()"

    def show_new(self, value: Expression) -> str:
        return f"Box({self.of(value)})"

    def show_lambda(self, name: str, value: Expression) -> str:
        return f"lambda {name}: {self.of(value)}"

    def show_invoke(self, name: str, argument: Expression) -> str:
        return f"{name}({self.of(argument)})"
