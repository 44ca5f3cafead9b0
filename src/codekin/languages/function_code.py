"""What a language states about code that moves into a function or out of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from codekin.languages.syntax import Syntax

__all__ = ["Declared", "Form", "FunctionCode", "FunctionHead", "Touch"]


class Touch(Enum):
    """What a mention of a variable does to it."""

    READ = "read"
    SET = "set"
    """Gives it a new value, whatever the old one was."""
    UPDATE = "update"
    """May give it a new value that depends on the old one."""
    UNCLEAR = "unclear"
    """Anything else: takes its address, or passes it to what may change it."""


class Form(Enum):
    """What passing a variable by value does."""

    VALUE = "value"
    """Copies a number, a pointer or a reference to an object: cheap and harmless."""
    ARRAY = "array"
    """Passes the address of the first element."""
    OBJECT = "object"
    """Copies an object with all of its parts."""
    REFERENCE = "reference"
    """Passes the variable itself."""


@dataclass(frozen=True)
class Declared:
    """The declaration of a variable.

    Attributes
    ----------
    type, suffix : str
        What comes before and after its name; both are empty in languages without types.
    form : Form
    initialized : bool
        Whether its declaration gives it a value.
    alone : bool
        Whether its declaration declares nothing else.
    """

    type: str = ""
    suffix: str = ""
    form: Form = Form.VALUE
    initialized: bool = True
    alone: bool = True

    def named(self, name: str, mark: str = "") -> str:
        """The declaration of a parameter or variable of this type.

        Examples
        --------
        >>> Declared("char *").named("text"), Declared("int", "[3]").named("table")
        ('char *text', 'int table[3]')
        """
        joint = "" if not self.type or (self.type + mark).endswith(("*", "&")) else " "
        blank = " " if mark and not self.type.endswith(("*", "&")) else ""
        return f"{self.type}{blank}{mark}{joint}{name}{self.suffix}"


@dataclass(frozen=True)
class FunctionHead:
    """A function whose code can be moved.

    Attributes
    ----------
    node, body : int
    outer : int
        The definition with everything that belongs to it, such as a decorator.
    name : str
    parameters : tuple of int
        The names of its parameters.
    result : str
        The declared type of its result; empty in languages without types.
    owner : int
        The class or block that it is defined in.
    opening, closing : str
        What comes before the result and after the parameters of another function like it.
    place : int
        The definition next to which another function can be put.
    before : bool
        Whether the other function comes before that.
    blank_lines : int
        Between the two.
    private : bool
        Whether nothing outside the text can call it.
    inlinable : bool
        Whether its code may take the place of a call.
    """

    node: int
    body: int
    outer: int
    name: str
    parameters: tuple[int, ...]
    result: str
    owner: int
    opening: str
    closing: str
    place: int
    before: bool
    blank_lines: int
    private: bool
    inlinable: bool


class FunctionCode(ABC):
    """Reads the functions of one text; each language has a subclass that says what its nodes mean.

    Whatever a language cannot vouch for, it leaves out: a function without a head, or a variable
    without a declaration, is never touched.
    """

    blocks: ClassVar[frozenset[str]] = frozenset()
    """Lists of statements that may be cut."""

    forbidden: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes that must stay in their function: jumps out of it, ``this`` where it changes
    its meaning, types declared inside."""

    fixed: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes that make a whole function unfit."""

    nested: ClassVar[frozenset[str]] = frozenset()
    """Functions and classes inside of functions."""

    captures_by_value: ClassVar[bool] = False
    """Whether a nested function sees the values that variables had when it was made."""

    loops: ClassVar[frozenset[str]] = frozenset()
    scoped: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes that set their variables first, where nothing declares variables."""

    tries: ClassVar[frozenset[str]] = frozenset()
    throwing: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes that must not leave a ``try``, because exceptions are declared."""

    leaving: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Statements that leave the innermost of some kinds of nodes."""

    returns: ClassVar[str] = "return_statement"
    declarations: ClassVar[frozenset[str]] = frozenset()
    targets: ClassVar[Mapping[str, str]] = {}
    """Kinds of assignments and the field of their target (any if empty)."""

    brackets: ClassVar[frozenset[str]] = frozenset({"parenthesized_expression"})
    calls: ClassVar[str] = "call_expression"
    callee: ClassVar[str] = "function"
    names: ClassVar[frozenset[str]] = frozenset({"identifier"})
    """Kinds of nodes that can mention a function."""

    atoms: ClassVar[frozenset[str]] = frozenset()
    """Expressions that never need brackets."""

    literals: ClassVar[frozenset[str]] = frozenset()
    """Constants that can be repeated."""

    operations: ClassVar[frozenset[str]] = frozenset()
    """Expressions that do nothing but compute a value out of their parts."""

    ordered: ClassVar[bool] = True
    """Whether operands and arguments are evaluated from left to right."""

    constant_paths: ClassVar[frozenset[str]] = frozenset()
    """Dotted names that always mean the same."""

    words: ClassVar[frozenset[str]] = frozenset()
    """Words that see which function code is in: a text that mentions one keeps its functions."""

    lasting: ClassVar[frozenset[str]] = frozenset()
    """Words for values that do something when their function ends."""

    typed: ClassVar[bool] = True
    references: ClassVar[bool] = False
    """Whether parameters can be references to variables."""

    prefix: ClassVar[str] = ""
    """What the names of private functions begin with."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax

    @abstractmethod
    def head(self, node: int) -> FunctionHead | None:
        """A function whose code can be moved; None for any other node."""

    @abstractmethod
    def declared(self, binding: int) -> Declared | None:
        """How a name is declared as a variable; None if that is unclear."""

    def definition(self, head: FunctionHead, name: str, parameters: str, result: str) -> str:
        """The head of another function next to one."""
        joint = "" if result.endswith("*") else " "
        return f"{head.opening}{result}{joint}{name}({parameters}){head.closing}"

    def local(self, declared: Declared, name: str, value: str, *, changes: bool) -> str:
        """A statement that declares a variable; `changes` says whether it is assigned later."""
        return f"{declared.named(name)}{f' = {value}' if value else ''};"

    def special_names(self, function: int) -> set[str]:
        """Names that a function binds in ways that moved code would not see."""
        return set()

    def movable_names(self) -> Set[str]:
        """Names that cannot be changed, although code that mentions them can move."""
        return frozenset()

    def is_nested(self, node: int) -> bool:
        """Whether a node is code that runs on its own, and may see variables later."""
        return self.syntax.kinds[node] in self.nested and self.syntax.sizes[node] > 1

    def is_clean(self, start: int, end: int, names: Collection[str]) -> bool:
        """Whether a span of code in a function with these variables means the same elsewhere."""
        return True

    def is_endless(self, node: int) -> bool:
        """Whether a compiler can tell that the end of a statement is never reached."""
        return False

    def touch(self, mention: int, form: Form) -> Touch:
        """What a mention of a variable does to it."""
        syntax = self.syntax
        top = self.climbed(mention)
        kind, field = syntax.kinds[syntax.parents[top]], syntax.fields[top]
        if kind in self.targets and self.targets[kind] in ("", field):
            return Touch.SET if self.is_plain(syntax.parents[top]) else Touch.UPDATE
        return Touch.READ

    def climbed(self, node: int) -> int:
        """A node, or the brackets around it."""
        syntax = self.syntax
        while syntax.kinds[syntax.parents[node]] in self.brackets:
            node = syntax.parents[node]
        return node

    def is_plain(self, assignment: int) -> bool:
        """Whether an assignment does not depend on the old value of its target."""
        return any(self.syntax.kinds[i] == "=" for i in self.syntax.children(assignment))

    def sets(self, statement: int) -> Iterator[tuple[int, int]]:
        """Names that a statement sets in any case, and the node that is evaluated for it."""
        syntax = self.syntax
        kind = syntax.kinds[statement]
        if kind == "expression_statement":
            yield from self.assigns(statement + 1)
        elif kind in self.declarations:
            for below in syntax.inside(statement):
                if syntax.kinds[below] in self.names:
                    declared = self.declared(below) if self.is_binding(below) else None
                    if declared is not None and declared.initialized:
                        yield below, syntax.parents[below]
        elif kind == "for_statement":
            for field in ("init", "initializer"):
                first = syntax.child(statement, field)
                if first >= 0:
                    yield from self.assigns(first)

    def assigns(self, expression: int) -> Iterator[tuple[int, int]]:
        """The name that an expression sets, if it is an assignment to one."""
        syntax = self.syntax
        field = self.targets.get(syntax.kinds[expression])
        if field and self.is_plain(expression):
            target = syntax.child(expression, field)
            if target >= 0 and syntax.kinds[target] in self.names:
                yield target, expression

    def is_binding(self, name: int) -> bool:
        """Whether a name is where a variable is declared."""
        return False

    def call_of(self, node: int) -> tuple[int, list[int]] | None:
        """The name that a call calls, and its arguments; None if it is not such a call."""
        syntax = self.syntax
        if syntax.kinds[node] != self.calls:
            return None
        function, arguments = syntax.child(node, self.callee), syntax.child(node, "arguments")
        if function < 0 or arguments < 0 or syntax.kinds[function] not in self.names:
            return None
        return function, syntax.named_children(arguments)

    def type_of_literal(self, node: int) -> str | None:
        """The type of a constant; None if it is not known."""
        return None

    def is_number(self, name: str) -> bool:
        """Whether a type is a primitive one, to which values can be cast."""
        return False

    def binary_type(self, operator: str, left: str, right: str) -> str | None:
        """The type of an operation on two primitive values; None if it is not known."""
        return None

    def can_stay(self, declared: Declared) -> bool:
        """Whether a variable of this type may live longer than its function."""
        return True
