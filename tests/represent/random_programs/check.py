"""Whether deleting what a slice leaves out changes a program's result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.represent.random_programs.run import Run, run, written
from tests.represent.random_programs.syntax import (
    SCAFFOLD,
    Block,
    Program,
    Statement,
    kept,
    rebuilt,
    statements,
)

Slicer = Callable[[str, str], Callable[[int], set[int]]]
"""From a text and its language, what gives the lines on which a line depends, itself included."""


@dataclass(frozen=True)
class Case:
    """A program, one of its results, and the program that a slice for it leaves."""

    program: Program
    result: Statement
    rest: Program

    @property
    def tag(self) -> str:
        """Under which the result is shown."""
        return str(self.result.values[0])

    @property
    def deleted(self) -> int:
        """How many statements the slice leaves out."""
        left = {statement.number for statement in statements(self.rest)}
        return sum(s.number not in left for s in statements(self.program))


@dataclass(frozen=True)
class Mismatch:
    """A case whose two programs show different results."""

    case: Case
    whole: Run
    rest: Run

    def __str__(self) -> str:
        text = written(self.case.program)
        left = {statement.number: statement for statement in statements(self.case.rest)}
        functions = {function.number for function in self.case.rest.functions}
        marks = dict.fromkeys((0, *left, *functions), "  ")
        marks |= {
            s.number: "~ "
            for s in statements(self.case.program)
            if s.form == "declare" and left.get(s.number) != s
        }
        lines = [
            f"{marks.get(number, '- ')}{line}"
            for line, number in zip(text.lines, text.numbers, strict=True)
        ]
        shown = f"{self.whole.result(self.case.tag)} {self.whole.ending}"
        after = f"{self.rest.result(self.case.tag)} {self.rest.ending}"
        head = f"{self.case.program.language} {self.case.tag}: {shown} became {after}"
        return "\n".join([head, *lines])


def cases(program: Program, slicer: Slicer, most: int = 4) -> Iterator[Case]:
    """The cases of a program, one for each of its first results."""
    text = written(program)
    depended = slicer(text.code, program.language)
    for result in program.results[:most]:
        waiting, lines = {text.line(result.number)}, set[int]()
        while waiting:
            lines = lines.union(*map(depended, sorted(waiting)))
            rest = kept(program, {text.numbers[line - 1] for line in lines} - {0})
            # Where a switch stays, the guards of all its cases do.
            stays = {s.number for s in statements(rest) if s.form == "switch"}
            waiting = {i for i, n in enumerate(text.numbers, 1) if n in stays} - lines
        yield Case(program, result, rest)


def mismatches(checked: Sequence[Case]) -> tuple[list[Mismatch], int]:
    """Run cases of one language; also how many of their programs do not run at all."""
    programs = list({id(case.program): case.program for case in checked}.values())
    ran = run([*programs, *(case.rest for case in checked)])  # in one, as compilers start slowly
    wholes = dict(zip(map(id, programs), ran, strict=False))
    found = []
    for case, rest in zip(checked, ran[len(programs) :], strict=True):
        whole = wholes[id(case.program)]
        if whole.ending:
            continue
        if rest.ending or rest.result(case.tag) != whole.result(case.tag):
            found.append(Mismatch(case, whole, rest))
    return found, sum(bool(whole.ending) for whole in wholes.values())


def shrunk(mismatch: Mismatch, slicer: Slicer, tries: int = 400) -> Mismatch:
    """A smaller program that goes wrong as well: statements are deleted while it does."""
    smallest = mismatch
    going = True
    while going and tries > 0:
        going = False
        for candidate in _smaller(smallest.case):
            tries -= 1
            found = mismatches(
                [case for case in cases(candidate, slicer) if case.tag == smallest.case.tag]
            )
            if found[0]:
                smallest, going = found[0][0], True
                break
            if tries <= 0:
                break
    return smallest


def _smaller(case: Case) -> Iterator[Program]:
    """Programs with one function, result or statement less, or a compound one opened."""
    program = case.program
    for function in program.functions:
        rest = tuple(f for f in program.functions if f is not function)
        yield replace(program, functions=rest)
    if len(program.results) > 1:
        yield replace(program, results=(case.result,))
    for statement in statements(program):
        if statement.form not in SCAFFOLD - {"declare", "scope"} and statement != case.result:
            yield rebuilt(program, lambda block, s=statement: _replaced(block, s, ()))
            for inner in statement.blocks:
                if inner and statement.form != "nested":
                    yield rebuilt(
                        program, lambda block, s=statement, i=inner: _replaced(block, s, i)
                    )


def _replaced(block: Block, old: Statement, new: Block) -> Block:
    """A block with a statement replaced by others."""
    result: list[Statement] = []
    for statement in block:
        if statement.number == old.number:
            result += new
        else:
            inner = tuple(_replaced(part, old, new) for part in statement.blocks)
            result.append(replace(statement, blocks=inner))
    return tuple(result)
