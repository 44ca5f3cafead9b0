"""The vocabulary in which a language describes what its syntax does.

A language's table maps kinds of syntax nodes to rules. A rule names a shape (what such a node does,
common to all languages) and the children that fill the shape's slots. There is no analysis here:
the engine that reads the tables is native (native/represent/flow/lowering).

A slot is filled by a selector: words, each of which is a field name (``condition``), a kind of
child in angle brackets (``<block>``), an index among the named children (``0``, ``-1``), or ``*``,
the named children that no other slot of the rule has. The first word that matches a child wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from codekin.errors import CodekinError

__all__ = ["Effect", "LoweringTable", "Rule", "RuleSlot", "Shape", "rule"]


class RuleSlot(IntEnum):
    """The parts a shape can have."""

    NAME = 0
    LEFT = 1
    RIGHT = 2
    OPERATOR = 3
    CONDITION = 4
    BODY = 5
    OTHERWISE = 6
    INIT = 7
    UPDATE = 8
    VALUE = 9
    OBJECT = 10
    ARGUMENTS = 11
    FUNCTION = 12
    TYPE = 13
    PARAMETERS = 14
    LABEL = 15
    HANDLERS = 16
    FINALLY = 17
    GUARD = 18
    ITEMS = 19
    BASES = 20
    RECEIVER = 21


class Shape(IntEnum):
    """What a node does. Comments name the slots; those marked with ``?`` may be empty."""

    SKIP = 0  # nothing: types, declarations without effect
    COMMENT = 1  # nothing, and not counted among children
    SEQUENCE = 2  # ITEMS (default *): statements in order; flags: scope, value, untyped
    EXPRESSION = 3  # VALUE (default *): the value of its child: parentheses, casts, statements
    NAME = 4  # a variable
    LITERAL = 5  # a constant; flags: number, string, true, false, null
    BINARY = 6  # LEFT, OPERATOR?, RIGHT; label if there is no operator child
    CHAIN = 7  # chained comparisons, each evaluated only if the previous ones hold
    UNARY = 8  # OPERATOR?, VALUE
    UPDATE = 9  # OPERATOR?, VALUE: ++ and --
    ASSIGN = 10  # LEFT, OPERATOR?, RIGHT?, TYPE?: flags: each (pair the lists item by item)
    DECLARE = 11  # LEFT, VALUE?, TYPE?: new variables; flags: hoisted, reference, each, value
    DECLARATION = 12  # ITEMS, TYPE?: declarators, with or without DECLARE nodes; flags: hoisted
    DECLARATOR = 13  # NAME: a wrapper around the name; flags: reference, pointer, prototype
    CALL = 14  # FUNCTION, ARGUMENTS?
    METHOD_CALL = 15  # OBJECT?, NAME, ARGUMENTS?
    NEW = 16  # TYPE, ARGUMENTS?, BODY?
    MEMBER = 17  # OBJECT, NAME
    INDEX = 18  # OBJECT, RIGHT (the indices)
    OPERATION = 19  # ITEMS (default *): an operation named by the label; a pattern as a target
    CONDITIONAL = 20  # CONDITION, BODY, OTHERWISE: an expression
    FUNCTION = 21  # NAME?, PARAMETERS?, BODY?, RECEIVER?, VALUE?; flags: see FunctionFlag words
    PARAMETER = 22  # NAME, VALUE?, TYPE?; flags: varargs, reference, receiver
    CLASS = 23  # NAME?, BASES?, BODY
    COMPREHENSION = 24  # BODY (the element), ITEMS (clauses); label
    FOR_CLAUSE = 25  # LEFT, RIGHT: a comprehension's loop
    IF_CLAUSE = 26  # CONDITION: a comprehension's filter
    IF = 27  # INIT?, CONDITION, BODY, OTHERWISE?; flags: value
    WHILE = 28  # CONDITION, BODY, OTHERWISE?, LABEL?
    DO = 29  # BODY, CONDITION
    FOR = 30  # INIT?, CONDITION?, UPDATE?, BODY
    FOR_EACH = 31  # LEFT?, RIGHT, BODY, OTHERWISE?, TYPE?, LABEL?; flags: declares, reference
    LOOP = 32  # BODY, LABEL?: forever
    SWITCH = 33  # INIT?, VALUE?, BODY (holds CASEs); flags: falls, value
    CASE = 34  # LEFT? (values or patterns; none: default), GUARD?, BODY; flags: default, pattern
    TRY = 35  # INIT? (resources), BODY, HANDLERS?, OTHERWISE?, FINALLY?
    CATCH = 36  # LEFT? (what it binds), TYPE?, BODY; flags: expression (types are evaluated)
    FINALLY = 37  # BODY
    WITH = 38  # ITEMS, BODY
    WITH_ITEM = 39  # VALUE, LEFT?
    RETURN = 40  # VALUE?
    BREAK = 41  # LABEL?, VALUE?
    CONTINUE = 42  # LABEL?
    THROW = 43  # VALUE?
    GOTO = 44  # LABEL
    LABELED = 45  # LABEL, BODY; flags: target (goto may come here)
    DEFER = 46  # VALUE: runs when the function ends
    ASSERT = 47  # CONDITION, VALUE?
    GLOBAL = 48  # ITEMS: names of the top level
    NONLOCAL = 49  # ITEMS: names of an enclosing function
    LET = 50  # LEFT (pattern), VALUE: a condition that binds
    PAIR = 51  # NAME?, VALUE: a key with a value, in literals and patterns
    MACRO = 52  # NAME, ARGUMENTS: a call with raw tokens
    PROPAGATE = 53  # VALUE: returns from the function if the value is an error
    FALLTHROUGH = 54  # continues with the next case
    YIELD = 55  # VALUE?: gives a value to the SWITCH or block around it
    ADDRESS = 56  # VALUE: a reference to a variable
    DEREF = 57  # VALUE: what a pointer points at
    PATTERN = 58  # ITEMS (default *): a pattern of parts; flags: binds (its name is the last item)
    SPREAD = 59  # VALUE: a list's elements
    IMPORT = 60  # nothing for the flow


_FLAG_WORDS = """
    scope value number string true false null each hoisted reference pointer prototype method static
    constructor lambda varargs receiver falls default pattern target declares binds expression
    getter initializer untyped
"""
_FLAGS = {name: 1 << i for i, name in enumerate(_FLAG_WORDS.split())}


# Shapes whose label is a part of the code, not the name of an operation.
_WITH_LABEL = frozenset(
    {
        Shape.SEQUENCE,
        Shape.WHILE,
        Shape.DO,
        Shape.FOR,
        Shape.FOR_EACH,
        Shape.LOOP,
        Shape.BREAK,
        Shape.CONTINUE,
        Shape.GOTO,
        Shape.LABELED,
    }
)


@dataclass(frozen=True)
class Rule:
    """What one kind of node does."""

    shape: Shape
    label: str = ""
    flags: int = 0
    slots: Mapping[RuleSlot, str] = field(default_factory=dict)


def rule(shape: str, flags: str = "", *, label: str = "", **slots: str) -> Rule:
    """Make a rule: ``rule("if", condition="condition", body="consequence")``.

    Parameters
    ----------
    shape : str
        A name of :class:`Shape`, in any case.
    flags : str
        Names of flags, separated by spaces.
    label : str
        The operation's name if no token of the code names it; for loops, blocks, jumps and labels
        the selector of their label.
    **slots : str
        Selectors by slot name.
    """
    bits = 0
    for word in flags.split():
        if word not in _FLAGS:
            raise CodekinError(f"no flag {word!r}; flags are {', '.join(_FLAGS)}")
        bits |= _FLAGS[word]
    kind = Shape[shape.upper()]
    filled = {RuleSlot[name.upper()]: selector for name, selector in slots.items()}
    if label and kind in _WITH_LABEL:
        filled[RuleSlot.LABEL] = label
        label = ""
    return Rule(kind, label, bits, filled)


@dataclass(frozen=True)
class Effect:
    """What a library call changes.

    Parameters
    ----------
    receiver : bool
        Whether the call changes its receiver.
    changed : tuple of int
        Indices of the arguments whose contents change; -1 means all.
    assigned : tuple of int
        Indices of the arguments that get a new value by address or reference; -1 means all.
    bound : tuple of int
        Indices of the arguments that are read and get a new value by reference (``swap(a, b)``).
    after : int
        If `changed`, `assigned` or `bound` is -1: only arguments from this index on.
    result : str
        ``"element"`` if the result may be a part of the receiver (``v.front()``), ``"same"`` if it
        reaches what the receiver reaches (``v.begin()``) or, without a receiver, what the first
        argument reaches (``strchr(s, c)``); ``"arguments"`` if assigning to it assigns to the
        arguments (``tie(a, b) = f()``); ``"joined"`` if it reaches what the arguments reach
        (``zip(a, b)``), ``"copy"`` if it has the elements of the receiver and the arguments
        (``list(a)``, ``a.copy()``).
    kept : tuple of int
        Indices of the arguments that the receiver keeps (``list.append(x)``).
    ends : bool
        Whether the call never returns (``exit``).
    """

    receiver: bool = False
    changed: tuple[int, ...] = ()
    assigned: tuple[int, ...] = ()
    bound: tuple[int, ...] = ()
    after: int = 0
    result: str = ""
    kept: tuple[int, ...] = ()
    ends: bool = False


@dataclass(frozen=True)
class LoweringTable:
    """How a language's syntax becomes flow.

    Parameters
    ----------
    rules : mapping of str to Rule
        By node kind. Kinds without a rule are expressions of their children.
    operators : mapping of str to str
        Normalised names of operators, by their spelling.
    logical : frozenset of str
        Normalised operators that evaluate their right side only if needed.
    effects : mapping of str to Effect
        What known library calls change, by name (methods with a dot before it). Any other call of
        an unknown function may change its receiver and what it gets the address of.
    receivers : frozenset of str
        Names of the object that a method runs on, such as ``this``.
    first_receiver : bool
        Whether a method's first parameter is that object.
    assignment_declares : bool
        Whether assigning to a name makes it a variable of the function.
    class_scope : bool
        Whether a class's fields are visible in its methods by their bare names.
    streams : mapping of str to str
        Objects whose chains of ``<<`` and ``>>`` are one call, with its name; ``>>`` assigns.
    primitives : frozenset of str
        Types whose values share no state.
    raising : frozenset of str
        What can raise: operation kinds (``call``, ``index``, ``member``) and operators.
    wildcard : str
        The name that matches anything and binds nothing.
    pointer_arithmetic : bool
        Whether adding to a pointer gives a pointer into the same object.
    references : bool
        Whether a bare name can be passed by reference, so that library calls assign to it.
    capital_types : bool
        Whether an undeclared name with a capital is a type instead of a variable.
    constructors : frozenset of str
        Names of functions that construct their class.
    quiet : frozenset of str
        Dotted paths that lead to functions and are not operations (``System.out``).
    call_words : mapping of str to str
        Library calls that mean something else than calls of that name in other languages, and the
        word for them.
    hoisting : frozenset of str
        Words that declare a variable for the whole function (``var``).
    declared_first : bool
        Whether a variable of a function is known only after its declaration, so that the same
        name before it denotes another one.
    shadowing : bool
        Whether each declaration makes a new variable, even next to one of the same name.
    capital_constants : bool
        Whether a name with a capital letter in a pattern is a constant and binds nothing.
    parts : frozenset of str
        Members, written with their operator, that are parts of a collection rather than fields,
        such as ``->second`` of an iterator.
    values : frozenset of str
        Types of collections that are copied when they are assigned, such as ``vector``.
    """

    rules: Mapping[str, Rule]
    operators: Mapping[str, str] = field(default_factory=dict)
    logical: frozenset[str] = frozenset({"&&", "||"})
    effects: Mapping[str, Effect] = field(default_factory=dict)
    receivers: frozenset[str] = frozenset()
    first_receiver: bool = False
    assignment_declares: bool = False
    class_scope: bool = True
    streams: Mapping[str, str] = field(default_factory=dict)
    primitives: frozenset[str] = frozenset()
    raising: frozenset[str] = frozenset({"call", "index", "/", "%"})
    wildcard: str = "_"
    pointer_arithmetic: bool = False
    references: bool = False
    capital_types: bool = False
    constructors: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    call_words: Mapping[str, str] = field(default_factory=dict)
    hoisting: frozenset[str] = frozenset()
    declared_first: bool = False
    shadowing: bool = False
    capital_constants: bool = False
    parts: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
