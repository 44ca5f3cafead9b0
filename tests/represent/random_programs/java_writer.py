"""Writes random programs in Java."""

from __future__ import annotations

from tests.represent.random_programs.syntax import Block, Expression, Function, Program
from tests.represent.random_programs.writer import BraceWriter

Blocks = tuple[Block, ...]
TYPES = {
    "depth": "int",
    "int": "int",
    "array": "int[]",
    "box": "Box",
    "lambda": "Fn",
    "grid": "int[][]",
    "table": "List<Integer>",
}
EXCEPTIONS = {
    "V": "IllegalStateException",
    "I": "IndexOutOfBoundsException",
    "": "RuntimeException",
}


class JavaWriter(BraceWriter):
    """Writes Java; as a class of its own, or as one inside another (`nested`)."""

    def __init__(self, program: Program, *, ticks: bool = False, nested: str = "") -> None:
        super().__init__(program, ticks=ticks)
        self.nested = nested
        self.opening = f"static class {nested} {{" if nested else "public class Main {"

    def write_program(self) -> None:
        if not self.nested:
            self.put(0, "import java.util.*;")
        self.put(0, self.opening)
        with self.inside():
            self.put(0, "interface Fn { int at(int x); }")
            self.put(0, "static class Box {")
            with self.inside():
                self.put_box()
            self.put(0, "}")
            for statement in self.program.globals:
                kind, name, value = statement.values
                self.put(statement.number, f"static {TYPES[kind]} {name} = {self.of(value)};")
            for function in self.program.functions:
                if not function.owner:
                    self.put_function(function, f"static {TYPES[function.gives]}")
            self.put(0, "public static void main(String[] args) {")
            self.block(self.program.main, tick=True)
            self.block(self.program.results)
            self.put(0, "}")
        self.put(0, "}")

    def put_box(self) -> None:
        """Write the members of the class of objects."""
        for line in (
            "int x;",
            "int y;",
            "Box peer;",
            "int[] items = {1, 2, 3, 4};",
            "Box(int value) {",
            "    this.x = value;",
            "    y = value + 1;",
            "    peer = this;",
            "}",
        ):
            self.put(0, line)
        for function in self.program.functions:
            if function.owner:
                self.put_function(function, "int")

    def put_function(self, function: Function, kind: str) -> None:
        """Write a function or a method."""
        parameters = [(k, name) for k, name in function.parameters if k != "self"]
        listed = ", ".join(f"{TYPES[k]} {name}" for k, name in parameters)
        self.put(function.number, f"{kind} {function.name}({listed}) {{")
        self.block(function.body, tick=True)
        self.put(0, "}")

    def put_tick(self) -> None:
        self.put(0, "Batch.tick();")

    def write_declare(self, number: int, values: Expression, blocks: Blocks) -> None:
        kind, name, value = values
        self.put(number, f"{TYPES[kind]} {name} = {self.of(value)};")

    def write_show(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f'System.out.println("{values[0]} " + ({self.of(values[1])}));')

    def write_each(self, number: int, values: Expression, blocks: Blocks) -> None:
        head = f"for (int {values[1]} : {self.of(values[2])})"
        self.put_loop(number, values[0], head, blocks[0])

    def write_rows(self, number: int, values: Expression, blocks: Blocks) -> None:
        head = f"for (int[] {values[1]} : {self.of(values[2])})"
        self.put_loop(number, values[0], head, blocks[0])

    def write_enter(self, number: int, values: Expression, blocks: Blocks) -> None:
        name, how, key, value = values
        entry = f"set({self.of(key)}, " if how == "set" else "add("
        self.put(number, f"{name}.{entry}{self.of(value)});")

    def write_leave(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"break {values[0]};")

    def write_label(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{values[0]}: {{")
        self.block(blocks[0])
        self.put(number, "}")

    def write_raise(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f'throw new {EXCEPTIONS[values[0]]}("" + {self.of(values[1])});')

    def write_try(self, number: int, values: Expression, blocks: Blocks) -> None:
        kinds, _, final = values
        self.put(number, "try {")
        self.block(blocks[0])
        for i, kind in enumerate(kinds):
            self.put(number, f"}} catch ({EXCEPTIONS[kind]} e{number}) {{")
            self.block(blocks[1 + i])
        if final or not kinds:
            self.put(number, "} finally {")
            self.block(blocks[-1])
        self.put(number, "}")

    def show_true(self) -> str:
        return "true"

    def write_change(self, number: int, values: Expression, blocks: Blocks) -> None:
        name, how, other, value = values
        texts = {
            "copy": f"System.arraycopy({name}, 0, {other}, 1, 2)",
            "fill": f"Arrays.fill({name}, {self.of(value)})",
            "sort": f"Arrays.sort({name})",
            "clone": f"{name} = {other}.clone()",
        }
        self.put(number, f"{texts[how]};")

    def show_field(self, base: Expression, name: str) -> str:
        if base == ("var", "self"):
            return name if name == "y" else f"this.{name}"
        return f"{self.of(base)}.{name}"

    def show_table(self, left: Expression, right: Expression) -> str:
        listed = f"List.of({self.of(left)}, {self.of(right)})"
        return f"new ArrayList<>({listed})"

    def show_lookup(self, name: str, key: Expression) -> str:
        return f"{name}.get({self.of(key)})"

    def show_spare(self) -> str:
        return "new int[] {70, 71, 72, 73}"

    def show_grid(self, *rows: Expression) -> str:
        return f"{{{', '.join(map(self.of, rows))}}}"

    def show_quotient(self, left: Expression, right: Expression) -> str:
        return f"{self.of(left)} / ({self.of(right)} & 3)"

    def show_list(self, *values: Expression) -> str:
        return f"new int[] {{{', '.join(map(self.of, values))}}}"

    def show_len(self, array: Expression) -> str:
        return f"{self.of(array)}.length"

    def show_new(self, value: Expression) -> str:
        return f"new Box({self.of(value)})"

    def show_lambda(self, name: str, value: Expression) -> str:
        return f"{name} -> {self.of(value)}"

    def show_invoke(self, name: str, argument: Expression) -> str:
        return f"{name}.at({self.of(argument)})"
