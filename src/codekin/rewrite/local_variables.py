"""The variables of a function, and what each mention of them does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from codekin.languages.function_code import Declared, Form, FunctionCode, FunctionHead, Touch
from codekin.languages.scopes import Scope
from codekin.rewrite.program import Program

__all__ = ["LocalVariables", "Variable", "function_heads"]


@dataclass(eq=False)
class Variable:
    """A variable or parameter of a function.

    Attributes
    ----------
    name : str
    mentions : list of int
        The nodes that mention it, in text order.
    bindings : list of int
        Those that declare it, or all that assign to it if nothing declares variables.
    """

    name: str
    mentions: list[int] = field(default_factory=list)
    bindings: list[int] = field(default_factory=list)


class LocalVariables:
    """Reads the variables of an outermost function.

    Parameters
    ----------
    program : Program
    code : FunctionCode
    head : FunctionHead
        The function.
    """

    def __init__(self, program: Program, code: FunctionCode, head: FunctionHead) -> None:
        assert program.facts.scopes is not None
        self.program, self.code, self.head = program, code, head
        reader = program.facts.scopes(program, head.node)
        names = reader.read()
        self.of: dict[int, Variable] = {}
        found: dict[tuple[int, str], Variable] = {}
        for node, scope in names.uses:
            name = program.text(node)
            owner = _owner(reader.scopes[node], name, program.starts[node], scope is None)
            if owner is not None:
                variable = found.setdefault((id(owner), name), Variable(name))
                self.of[node] = variable
                variable.mentions.append(node)
                if scope is None:
                    variable.bindings.append(node)
        self.all = list(found.values())
        for variable in self.all:
            variable.mentions.sort()
            variable.bindings.sort()
        self.names = {variable.name for variable in self.all}
        self.unsafe = self._unsafe(names.fixed if code.typed else set())
        """Names that code cannot take along."""

    def _unsafe(self, fixed: set[str]) -> set[str]:
        program, code = self.program, self.code
        movable = code.movable_names()
        unclear = {
            name
            for node in program.inside(self.head.node)
            if program.kinds[node].endswith("identifier")
            and node not in self.of
            and (name := program.text(node)) in movable & self.names
        }
        return (fixed - movable) | unclear | code.special_names(self.head.node)

    @cached_property
    def captured(self) -> set[str]:
        """Names that functions inside the function mention."""
        program, code = self.program, self.code
        return {
            program.text(below)
            for node in program.inside(self.head.body)
            if code.is_nested(node)
            for below in program.inside(node)
            if program.kinds[below] in program.facts.identifiers or below in self.of
        }

    def declared(self, variable: Variable) -> Declared | None:
        """How a variable is declared; None if that is unclear."""
        if not variable.bindings:
            return None
        return self.code.declared(variable.bindings[0])

    def touches(self, variable: Variable, form: Form) -> Iterator[tuple[int, Touch]]:
        """What every mention of a variable does to it; its declaration sets it."""
        for node in variable.mentions:
            if self.code.declarations and node in variable.bindings:
                yield node, Touch.SET
            else:
                yield node, self.code.touch(node, form)

    def set_by(self, statement: int) -> Iterator[tuple[Variable, int]]:
        """Variables that a statement sets in any case, and what is evaluated for that."""
        for name, expression in self.code.sets(statement):
            if name in self.of:
                yield self.of[name], expression

    def is_set_before(self, variable: Variable, statement: int) -> bool:
        """Whether a variable has a value whenever a statement is reached."""
        program, code = self.program, self.code
        if any(node < self.head.body for node in variable.bindings):
            return True  # a parameter
        declared = self.declared(variable)
        if code.typed and declared is not None and declared.initialized:
            return True
        for node in (statement, *program.ancestors(statement)):
            if node <= self.head.body:
                return False
            parent = program.parents[node]
            if program.kinds[parent] in code.blocks:
                before = [i for i in program.named_children(parent) if i < node]
                if any(found is variable for i in before for found, _ in self.set_by(i)):
                    return True
            # The variables of a loop, of ``with`` and of ``except`` are set in its body.
            is_body = program.fields[node] == "body" or program.kinds[parent] == "except_clause"
            if is_body and not code.typed and self._is_set_in(variable, range(parent, node)):
                return True
        return False

    def _is_set_in(self, variable: Variable, nodes: range) -> bool:
        return any(
            i in nodes and self.code.touch(i, Form.VALUE) is Touch.SET for i in variable.mentions
        )


def _owner(scope: Scope | None, name: str, byte: int, binds: bool) -> Scope | None:
    """The scope that binds a name at a byte."""
    while scope is not None:
        if name in scope.since and (binds or scope.since[name] <= byte):
            return scope
        scope = scope.parent
    return None


def function_heads(program: Program, code: FunctionCode) -> list[FunctionHead]:
    """The functions of a text whose code can be moved."""
    kinds = program.facts.functions
    heads = [code.head(i) for i, kind in enumerate(program.kinds) if kind in kinds]
    return [head for head in heads if head is not None and not _is_unfit(program, code, head)]


def _is_unfit(program: Program, code: FunctionCode, head: FunctionHead) -> bool:
    return any(program.kinds[i] in code.fixed for i in program.inside(head.body))
