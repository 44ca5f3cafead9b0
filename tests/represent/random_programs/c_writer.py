"""Writes random programs in C."""

from __future__ import annotations

from tests.represent.random_programs.syntax import Block, Expression
from tests.represent.random_programs.writer import BraceWriter

Blocks = tuple[Block, ...]
HEAD = """#include <stdio.h>
#include <string.h>
struct Box { int x; int y; struct Box *peer; int items[4]; };
"""
SPARES = {
    "spare": "int {0} = 77;",
    "spareslots": "int {0}[4] = {{70, 71, 72, 73}};",
    "sparebox": "struct Box {0} = {{76, 75, &{0}, {{1, 2, 3, 4}}}};",
}
"""What pointers point at that nothing else is known of."""
PARAMETERS = {
    "depth": "int {}",
    "int": "int {}",
    "array": "int {}[]",
    "box": "struct Box *{}",
    "pointer": "int *{}",
}
DECLARATIONS = {
    "int": "int {} = {};",
    "static": "static int {} = {};",
    "grid": "int *{}[2] = {};",
    "array": "int {}[4] = {};",
    "box": "struct Box {} = {};",
    "pointer": "int *{} = {};",
    "slots": "int *{} = {};",
    "boxptr": "struct Box *{} = {};",
}


RETURNED = {"int": "int ", "array": "int *", "box": "struct Box *"}


class CWriter(BraceWriter):
    """Writes C; the declarations at the head come from `head`, once a file."""

    ends_cases = True

    def __init__(self, program, *, ticks=False, prefix="", head=True) -> None:  # type: ignore[no-untyped-def]
        super().__init__(program, ticks=ticks, prefix=prefix)
        self.head, self.main = head, f"{prefix}main"
        self.renamed |= {name: prefix + name for name in SPARES}

    def write_program(self) -> None:
        if self.head:
            for line in HEAD.splitlines():
                self.put(0, line)
        for name, line in SPARES.items():
            self.put(0, line.format(self.name(name)))
        for statement in self.program.globals:
            self.statement(statement)
        for function in self.program.functions:
            listed = ", ".join(PARAMETERS[kind].format(name) for kind, name in function.parameters)
            kind = RETURNED[function.gives]
            self.put(function.number, f"{kind}{self.name(function.name)}({listed}) {{")
            self.block(function.body, tick=True)
            self.put(0, "}")
        self.put(0, f"int {self.main}(void) {{")
        self.block(self.program.main, tick=True)
        self.block(self.program.results)
        self.put(0, "    return 0;")
        self.put(0, "}")

    def write_declare(self, number: int, values: Expression, blocks: Blocks) -> None:
        kind, name, value = values
        self.put(number, DECLARATIONS[kind].format(self.name(name), self.of(value)))

    def write_return(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"return {self.of(values[0]) if values else 0};")

    write_last = write_return

    def write_show(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f'printf("{values[0]} %d\\n", {self.of(values[1])});')

    def write_exchange(self, number: int, values: Expression, blocks: Blocks) -> None:
        first, second = map(self.of, values)
        self.put(number, f"{{ int t = {first}; {first} = {second}; {second} = t; }}")

    def write_leave(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"goto {values[0]};")

    def write_label(self, number: int, values: Expression, blocks: Blocks) -> None:
        self.put(number, f"{values[0]}s: ;")
        if self.ticks:
            self.put_tick()
        self.block(blocks[0])
        self.put(number, f"{values[0]}: ;")

    def write_change(self, number: int, values: Expression, blocks: Blocks) -> None:
        name, how, other, _ = values
        first, second = self.name(name), self.name(other)
        if how == "copy" and name != other:
            self.put(number, f"memcpy({first}, {second}, 2 * sizeof(int));")
        else:
            self.put(number, f"memset({first}, 0, 3 * sizeof(int));")

    def show_field(self, base: Expression, name: str) -> str:
        struct = base[0] == "var" and base[1].startswith("o")
        return f"{self.of(base)}{'.' if struct else '->'}{name}"

    def show_spare(self) -> str:
        return self.name("spareslots")

    def show_grid(self, *rows: Expression) -> str:
        return self.show_list(*rows)

    def show_deref(self, name: str) -> str:
        return f"*{name}"

    def show_addr(self, place: Expression) -> str:
        return f"&{self.of(place)}"

    def show_list(self, *values: Expression) -> str:
        return f"{{{', '.join(map(self.of, values))}}}"

    def show_new(self, value: Expression) -> str:
        return f"{{{self.of(value)}, 5, &{self.name('sparebox')}, {{1, 2, 3, 4}}}}"
