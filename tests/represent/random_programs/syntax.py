"""The abstract syntax of random programs: one for all languages, with every statement numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

Expression = tuple[Any, ...]
"""An operator's name and its operands; see the writers for the names."""


@dataclass(frozen=True)
class Statement:
    """A statement: its form, the names and expressions in it, and the blocks it holds."""

    number: int
    form: str
    values: tuple[Any, ...] = ()
    blocks: tuple[Block, ...] = ()


Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Function:
    """A function; `parameters` are pairs of a kind (int, array, box, pointer) and a name.

    `gives` is the kind of what it returns; ``"generator"`` yields numbers.
    """

    number: int
    name: str
    parameters: tuple[tuple[str, str], ...]
    body: Block
    raises: bool = False
    owner: str = ""
    gives: str = "int"


@dataclass(frozen=True)
class Program:
    """Globals, functions and the main code, whose last statements show `results` of them.

    With `toplevel`, the main code is not in a function (Python).
    """

    language: str
    globals: Block
    functions: tuple[Function, ...]
    main: Block
    results: Block
    toplevel: bool = False


def walk(block: Block) -> Iterator[Statement]:
    """Every statement of a block, outer ones first."""
    for statement in block:
        yield statement
        for inner in statement.blocks:
            yield from walk(inner)


def blocks(program: Program) -> tuple[Block, ...]:
    """The outermost blocks of a program."""
    bodies = tuple(function.body for function in program.functions)
    return (program.globals, *bodies, program.main, program.results)


def statements(program: Program) -> list[Statement]:
    """Every statement of a program."""
    return [statement for block in blocks(program) for statement in walk(block)]


def rebuilt(program: Program, change: Callable[[Block], Block]) -> Program:
    """A program with each outermost block changed."""
    return replace(
        program,
        globals=change(program.globals),
        functions=tuple(replace(f, body=change(f.body)) for f in program.functions),
        main=change(program.main),
        results=change(program.results),
    )


SCAFFOLD = frozenset({"declare", "scope", "last"})
"""Forms that no deletion removes: declarations that a compiler needs, and a function's last return.

A declaration that is not kept gets another value instead.
"""

OTHER_VALUES: dict[str, Expression] = {
    "int": ("int", 77),
    "array": ("list", *(("int", 70 + i) for i in range(4))),
    "box": ("new", ("int", 76)),
    "pointer": ("addr", ("var", "spare")),
    "boxptr": ("addr", ("var", "sparebox")),
    "slots": ("spare",),
    "lambda": ("lambda", "x", ("int", 75)),
    "static": ("int", 74),
    "table": ("table", ("int", 73), ("int", 72)),
    "grid": ("grid", ("spare",), ("spare",)),
}
"""By kind, what a declaration that is not kept declares."""


def kept(program: Program, numbers: set[int]) -> Program:
    """A program without the statements and functions that are not among `numbers`.

    A compound statement with something kept inside stays as well.
    """

    def change(block: Block) -> Block:
        result = []
        for statement in block:
            if any(part.number in numbers for part in walk((statement,))):
                inner = tuple(change(part) for part in statement.blocks)
                result.append(replace(statement, blocks=inner))
            elif statement.form == "declare":
                kind, name, _ = statement.values
                result.append(replace(statement, values=(kind, name, OTHER_VALUES[kind])))
            elif statement.form in SCAFFOLD:
                result.append(statement)
        return tuple(result)

    changed = rebuilt(program, change)
    functions = tuple(
        function
        for function in changed.functions
        if function.number in numbers or any(s.number in numbers for s in walk(function.body))
    )
    return replace(changed, functions=functions)
