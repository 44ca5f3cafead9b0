"""What the writers of random programs share: lines with their statements, infix expressions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.represent.random_programs.syntax import Block, Expression, Function, Program, Statement


@dataclass(frozen=True)
class Text:
    """A program's text and, for each line, the number of the statement it belongs to (0: none)."""

    lines: tuple[str, ...]
    numbers: tuple[int, ...]

    @property
    def code(self) -> str:
        """The text."""
        return "\n".join(self.lines) + "\n"

    def line(self, number: int) -> int:
        """The first line of a statement, from 1."""
        return self.numbers.index(number) + 1


class Writer:
    """Writes a program, one statement a line.

    With `ticks`, every loop and function counts its rounds, so that a broken program ends; `prefix`
    goes before the names that a file shares with other programs.
    """

    AND, OR, NOT = "&&", "||", "!"

    def __init__(self, program: Program, *, ticks: bool = False, prefix: str = "") -> None:
        self.program = program
        self.ticks = ticks
        self.depth = 0
        self.lines: list[str] = []
        self.numbers: list[int] = []
        shared = {s.values[1] for s in program.globals} | {f.name for f in program.functions}
        self.renamed = {name: prefix + name for name in sorted(shared)}

    def text(self) -> Text:
        """The whole program."""
        self.write_program()
        return Text(tuple(self.lines), tuple(self.numbers))

    def write_program(self) -> None:
        """Write everything."""
        raise TypeError("a writer writes a language")

    # Lines

    def put(self, number: int, line: str) -> None:
        """Add a line of a statement."""
        self.lines.append("    " * self.depth + line)
        self.numbers.append(number)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Deeper by one level."""
        self.depth += 1
        yield
        self.depth -= 1

    def block(self, block: Block, *, tick: bool = False) -> None:
        """Write statements one level deeper."""
        with self.inside():
            if tick and self.ticks:
                self.put_tick()
            for statement in block:
                self.statement(statement)

    def put_tick(self) -> None:
        """Write what counts a round."""
        self.put(0, "tick();")

    def statement(self, statement: Statement) -> None:
        """Write a statement by its form."""
        getattr(self, f"write_{statement.form}")(
            statement.number, statement.values, statement.blocks
        )

    def method(self, name: str) -> Function:
        """The function of an object that has a name."""
        return next(f for f in self.program.functions if f.name == name)

    # Expressions

    def of(self, expression: Expression) -> str:
        """Write an expression by its operator."""
        return str(getattr(self, f"show_{expression[0]}")(*expression[1:]))

    def name(self, name: str) -> str:
        """A variable's or function's name."""
        return self.renamed.get(name, name)

    def show_int(self, value: int) -> str:
        return str(value)

    def show_var(self, name: str) -> str:
        return self.name(name)

    def show_true(self) -> str:
        return "1"

    def show_bin(self, operator: str, left: Expression, right: Expression) -> str:
        return f"({self.of(left)} {operator} {self.of(right)})"

    def show_cmp(self, operator: str, left: Expression, right: Expression) -> str:
        return f"{self.of(left)} {operator} {self.of(right)}"

    def show_truth(self, value: Expression) -> str:
        return self.of(value)

    def show_and(self, left: Expression, right: Expression) -> str:
        return f"({self.of(left)} {self.AND} {self.of(right)})"

    def show_or(self, left: Expression, right: Expression) -> str:
        return f"({self.of(left)} {self.OR} {self.of(right)})"

    def show_not(self, value: Expression) -> str:
        return f"{self.NOT}({self.of(value)})"

    def show_cond(self, test: Expression, left: Expression, right: Expression) -> str:
        return f"({self.of(test)} ? {self.of(left)} : {self.of(right)})"

    def show_assigned(self, name: str, value: Expression) -> str:
        return f"({self.name(name)} = {self.of(value)})"

    def show_at(self, array: Expression, index: Expression) -> str:
        return f"{self.of(array)}[{self.of(index)}]"

    def show_row(self, name: str, index: Expression) -> str:
        return f"{name}[{self.of(index)}]"

    def show_field(self, base: Expression, name: str) -> str:
        return f"{self.of(base)}.{name}"

    def show_peer(self, base: Expression) -> str:
        return self.show_field(base, "peer")

    def show_items(self, base: Expression) -> str:
        return self.show_field(base, "items")

    def show_call(self, name: str, arguments: tuple[Expression, ...]) -> str:
        return f"{self.name(name)}({', '.join(map(self.of, arguments))})"

    def show_method(self, base: Expression, method: str, argument: Expression) -> str:
        return f"{self.of(base)}.{self.name(method)}({self.of(argument)})"

    def show_anywhere(self, array: Expression, index: Expression) -> str:
        return f"{self.of(array)}[{self.of(index)} & 7]"


class BraceWriter(Writer):
    """Writes the statements that C and Java have in common."""

    def write_assign(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{self.of(values[0])} = {self.of(values[1])};")

    def write_rebind(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{self.of(values[0])} = {self.of(values[1])};")

    def write_augment(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{self.of(values[0])} {values[1]}= {self.of(values[2])};")

    def write_increment(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{self.of(values[0])}{values[1]};")

    def write_chain(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{' = '.join(map(self.of, values))};")

    def write_evaluate(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{self.of(values[0])};")

    def write_return(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, " ".join(["return", *map(self.of, values)]) + ";")

    write_last = write_return

    def write_break(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"break {values[0]}".strip() + ";")

    def write_continue(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"continue {values[0]}".strip() + ";")

    def write_if(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"if ({self.of(values[0])}) {{")
        self.block(blocks[0])
        while len(blocks) > 1 and len(blocks[1]) == 1 and blocks[1][0].form == "if":
            (inner,) = blocks[1]
            blocks = inner.blocks
            self.put(inner.number, f"}} else if ({self.of(inner.values[0])}) {{")
            self.block(blocks[0])
        if len(blocks) > 1:
            self.put(number, "} else {")
            self.block(blocks[1])
        self.put(number, "}")

    def write_while(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put_loop(number, values[0], f"while ({self.of(values[1])})", blocks[0])

    def write_for(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        label, name, end, update = values
        more = f", {self.of(update[0])} += {self.of(update[1])}" if update else ""
        head = f"for (int {name} = 0; {name} < {self.of(end)}; {name}++{more})"
        self.put_loop(number, label, head, blocks[0])

    def put_loop(self, number: int, label: str, head: str, body: Block) -> None:
        """Write a loop with its label."""
        self.put(number, f"{label}: {head} {{" if label else f"{head} {{")
        self.block(body, tick=True)
        self.put(number, "}")

    def write_do(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        self.put(number, f"{values[0]}: do {{" if values[0] else "do {")
        self.block(blocks[0], tick=True)
        self.put(number, f"}} while ({self.of(values[1])});")

    def write_switch(self, number: int, values: Expression, blocks: tuple[Block, ...]) -> None:
        subject, marks, _ = values
        self.put(number, f"switch ({self.of(subject)}) {{")
        for mark, body in zip(marks, blocks, strict=True):
            labels = "default:" if mark is None else " ".join(f"case {value}:" for value in mark)
            self.put(number, labels)
            self.block(body)
            if self.ends_cases:
                self.put(number, "    ;")
        self.put(number, "}")

    ends_cases = False
