"""The normal form of a program: the same for some programs that do the same.

Each rule removes one choice of whoever writes code: a temporary variable, ``x += y`` for
``x = x + y``, ``not a in b``, which branch comes first. Programs with equal normal forms mostly do
the same, as far as dependences tell: they know neither types nor all effects of calls. Many
programs that do the same have different ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.branches import branches
from codekin.represent.flow.calls import Calls
from codekin.represent.flow.control_flow import FlowKind
from codekin.represent.flow.flow_ir import (
    Access,
    FlowIR,
    FunctionKind,
    Item,
    OperationFlag,
    OperationKind,
    VariableKind,
)
from codekin.represent.flow.value_places import ANYWHERE, ValuePlaces
from codekin.represent.graph.building import Dependences, find_dependences
from codekin.represent.graph.features import FORMAT
from codekin.represent.graph.labels import called_through_variables, literal_label
from codekin.represent.graph.parts import GraphOptions
from codekin.represent.text.tokens import Tokens

__all__ = ["RULES", "Link", "NormalForm", "Rule", "kept_operations", "normal_form"]


class Link(IntEnum):
    """How one operation of a normal form depends on another."""

    OTHER = 0
    """It calls the other, contains it, or must come after it."""
    RUNS = 1
    """It runs if the other did, or for some outcomes of it."""
    IF_TRUE = 2
    IF_FALSE = 3
    VALUE = 4
    """It uses the value, in any place."""
    MINUS = 5
    """It subtracts the value."""
    FIRST = 6
    """It uses the value in the first place; the links after this one are for later places."""


_ASSIGN, _CALL, _CONSTANT, _ENTRY, _FUNCTION, _IMPORT, _OPERATOR, _PARAMETER, _RETURN = (
    int(OperationKind[name])
    for name in (
        *("ASSIGN", "CALL", "CONSTANT", "ENTRY", "FUNCTION"),
        *("IMPORT", "OPERATOR", "PARAMETER", "RETURN"),
    )
)
_RUNS, _IF_TRUE, _IF_FALSE, _VALUE, _MINUS, _FIRST = (
    int(Link[name]) for name in ("RUNS", "IF_TRUE", "IF_FALSE", "VALUE", "MINUS", "FIRST")
)
_OUTCOMES = {FlowKind.TRUE: _IF_TRUE, FlowKind.FALSE: _IF_FALSE}
_DEFINE, _LAST_LOCAL = int(Access.DEFINE), int(VariableKind.PARAMETER)
_LAMBDA, _OPERATION_ITEM = int(FunctionKind.LAMBDA), int(Item.OP)
_DEEPEST: Final = 32
"""How many operations are followed, from one to the next."""
_LAST_PLACE: Final = 240
"""Values in later places are taken to be in this one."""

_AGAIN: Final = "again"
"""The word for a value that an operation uses once more."""
_BEFORE: Final = "before"
"""The word for a value from the previous round of a loop."""
_ONE_OF: Final = "one of"
"""The word for a value that has several definitions."""
_PASSED_ON = frozenset((_AGAIN, _BEFORE, _ONE_OF, "="))
"""Operations whose value is one of those that they use."""
_MOST_DEFINITIONS: Final = 12
"""Of more definitions of one value, the order does not count."""
_MOST_EFFECTS: Final = 16
"""How many effects before an operation are looked at."""
_STEPS = ("++", "--")
_STEP_IDS = _native.string_ids(list(_STEPS)).tolist()
_CHANGES_OF_COLLECTIONS = frozenset(
    f"call:{name}" for name in ("append", "extend", "insert", "remove", "clear", "merge")
)
"""Calls that change nothing but the collection that they belong to."""
_INPUT_OUTPUT = ("call:print", "call:read", "call:input")
_OWN: Final = "own"
"""The word for calls of the program's own functions."""
_SHORTENED = frozenset(("string", "number", "constant"))
"""Labels of constants that are too long for one."""
_SUM: Final = "sum"
_CONCATENATION: Final = "text"
_NEGATION: Final = "!"
_TEST: Final = "test"
"""What decides by the value of a variable."""
_OPPOSITE = {
    **{"==": "!=", "in": "not in", "is": "is not", "===": "!=="},
    **{"!=": "==", "not in": "in", "is not": "is", "!==": "==="},
}
_BOOLEAN = {"true": True, "false": False}
_JOINED = frozenset((_SUM, "*", "&&", "||", "&", "|", "^"))
"""Operations that are one with all operands of a chain, as in ``a * b * c``."""
_ANY_ORDER = frozenset(("*", "&", "|", "^", "==", "!=", "===", "!==", "call:max", "call:min"))
_LOGICAL = frozenset(("&&", "||"))
_TRUTHS = frozenset((*_OPPOSITE, "<", "<=", ">", ">=", _NEGATION, *_BOOLEAN))
"""Operations whose value is true or false."""
_TRUE_CALLS = frozenset(
    f"call:{name}"
    for name in (
        *("isinstance", "issubclass", "hasattr", "callable", "any", "all", "contains", "empty"),
        *("startswith", "endswith", "startsWith", "endsWith", "includes", "equals", "every"),
        *("isdigit", "isalpha", "isalnum", "islower", "isupper", "isspace", "isnumeric"),
    )
)
"""Calls whose value is true or false."""
_NOTHING = frozenset(("null", "undefined"))
_TYPE_TESTS = frozenset(("instanceof", "call:isinstance", "call:hasattr"))
_ANY_TRUTH = frozenset(("python", "javascript", "typescript", "c"))
_HARMLESS = frozenset((*_TRUTHS, *_LOGICAL, _TEST, "+", "-", "*", "neg", "&", "|", "^"))
"""Operations that neither fail nor have an effect."""
_TEXTS = (
    *('"', "string ", "call:str", FORMAT, "list", "tuple", "call:list", "call:join", "call:lower"),
    *("call:upper", "call:replace", "call:substring", "call:strip", "call:trim", "slice"),
    *("call:slice", "call:substr"),
)
"""How the words of operations begin whose value is a text or a list."""
_ZERO_BY_DEFAULT = frozenset(("call:range",))
"""Calls that may leave out a first argument of 0."""


_COMPARISONS = frozenset(("<", "<=", ">", ">=", *_OPPOSITE))
_COMPARISON: Final = "compare"
_CHANGED = frozenset(
    ("param", "return", "=", _TEST, _NEGATION, "?:", "neg", "true", "false", "0", "1")
)
"""Operations that rules may add, remove or exchange."""


@dataclass(eq=False)
class NormalForm:
    """Operations and what they depend on, while rules are applied and afterwards.

    Attributes
    ----------
    words : list of str
        What each operation does; None if a rule removed it.
    kinds : list of int
        Their kinds (:class:`~codekin.represent.flow.flow_ir.OperationKind`).
    plain : list of bool
        Whether an operation is an assignment to nothing but local variables.
    inputs, controls : list of dict
        What each operation uses, and what decides whether it runs, with the :class:`Link`.
    users, controlled : list of set
        The same the other way round.
    others : list of (int, int)
        Calls, functions, and what must come after something else: both operations of each edge.
    instead : dict of int to list of int
        The values that operations which were removed only passed on.
    any_truth : bool
        Whether every value counts as true or false, so that ``a or b`` may be any of them.
    """

    words: list[str | None]
    kinds: list[int] = field(default_factory=list)
    plain: list[bool] = field(default_factory=list)
    inputs: list[dict[int, int]] = field(init=False)
    controls: list[dict[int, int]] = field(init=False)
    users: list[set[int]] = field(init=False)
    controlled: list[set[int]] = field(init=False)
    others: list[tuple[int, int]] = field(default_factory=list)
    instead: dict[int, list[int]] = field(default_factory=dict)
    any_truth: bool = False

    def __post_init__(self) -> None:
        self.inputs = [{} for _ in self.words]
        self.controls = [{} for _ in self.words]
        self.users = [set() for _ in self.words]
        self.controlled = [set() for _ in self.words]

    def use(self, node: int, value: int, link: int) -> None:
        """Let an operation use the value of another one."""
        self.inputs[node][value] = link
        self.users[value].add(node)

    def control(self, node: int, test: int, link: int) -> None:
        """Let a test decide whether an operation runs."""
        self.controls[node][test] = link
        self.controlled[test].add(node)

    def free(self, node: int) -> None:
        """Let nothing decide whether an operation runs."""
        for test in self.controls[node]:
            self.controlled[test].discard(node)
        self.controls[node] = {}

    def run_like(self, node: int, other: int) -> None:
        """Let an operation run whenever another one does."""
        self.free(node)
        for test, link in self.controls[other].items():
            self.control(node, test, link)

    def add_constant(self, word: str) -> int:
        """Add a constant."""
        self.words.append(word)
        self.kinds.append(_CONSTANT)
        self.plain.append(False)
        self.inputs.append({})
        self.controls.append({})
        self.users.append(set())
        self.controlled.append(set())
        return len(self.words) - 1

    def drop(self, node: int) -> None:
        """Remove an operation, and what depends on it no longer does."""
        for value in self.inputs[node]:
            self.users[value].discard(node)
        for user in self.users[node]:
            del self.inputs[user][node]
        for after in self.controlled[node]:
            self.controls[after].pop(node, None)
        self.free(node)
        self.inputs[node], self.users[node], self.controlled[node] = {}, set(), set()
        self.words[node] = None

    def bypass(self, node: int) -> None:
        """Remove an operation whose users can use its inputs instead."""
        links = [(user, self.inputs[user][node]) for user in self.users[node]]
        values = list(self.inputs[node])
        self.drop(node)
        self.instead[node] = values
        for user, link in links:
            for value in values:
                self.use(user, value, link)

    def wiring(self) -> tuple[list[str], list[int], list[int], list[int]]:
        """The words that are left, and the edges: their sources, targets and links."""
        words: list[str] = []
        place = []
        for word in self.words:
            place.append(len(words))
            if word is not None:
                words.append(word)
        sources: list[int] = []
        targets: list[int] = []
        links: list[int] = []
        for all_links in (self.inputs, self.controls):
            for target, found in enumerate(all_links):
                if found:
                    sources += [place[source] for source in found]
                    targets += [place[target]] * len(found)
                    links += found.values()
        others = {
            (source, target)
            for one, other in self.others
            for source in self._present(one)
            for target in self._present(other)
            if source != target
        }
        for source, target in sorted(others):
            sources.append(place[source])
            targets.append(place[target])
            links.append(Link.OTHER)
        return words, sources, targets, links

    def _present(self, node: int) -> list[int]:
        """An operation, or what is there instead of it."""
        found, left = [], [node]
        while left:
            one = left.pop()
            if self.words[one] is not None:
                found.append(one)
            else:
                left += self.instead.get(one, ())
        return found


Rule = Callable[[NormalForm], None]


def normal_form(
    ir: FlowIR, tokens: Tokens, language: str, rules: Sequence[Rule] | None = None
) -> NormalForm | None:
    r"""Bring a program into a form that depends less on who wrote it.

    Names of variables and functions do not count, nor does the order of statements that do not
    depend on each other.

    Parameters
    ----------
    ir : FlowIR
        The lowered program.
    tokens : Tokens
        Those of the same text.
    language : str
        The name of its language.
    rules : sequence of functions, optional
        What is applied, in this order (default: :data:`RULES`).

    Returns
    -------
    NormalForm or None
        None if the program is too large for finding all its dependences.

    Examples
    --------
    >>> from codekin import Source
    >>> source = Source("def f(a):\n    half = a / 2\n    return not half > 1\n", "python")
    >>> normal_form(source.flow_ir, source.tokens, "python").wiring()[0]  # `half` is gone
    ['entry <module>', 'entry f', 'param 0', '2', '/', '1', '<=', 'return']
    """
    found = find_dependences(ir, GraphOptions(), language=language)
    if not found.complete:
        return None
    form = _from_dependences(ir, found, tokens, language)
    for rule in RULES if rules is None else rules:
        rule(form)
    return form


def kept_operations(ir: FlowIR, language: str) -> tuple[str, ...]:
    """The operations of a program that no rule adds, removes or exchanges, sorted.

    Programs with equal normal forms have the same ones, and comparing these is much faster.

    Examples
    --------
    >>> from codekin import Source
    >>> texts = "x += f(y)", "x = x + f(y)", "x = x * f(y)"
    >>> [kept_operations(Source(text, "python").flow_ir, "python") for text in texts]
    [('call:f', 'entry', 'sum'), ('call:f', 'entry', 'sum'), ('*', 'call:f', 'entry')]
    """
    through = _called_through_variables(ir)
    own = set(ir.function_name.tolist())
    words = [
        _OWN
        if kind == _CALL and (name in own or operation in through)
        else _kept_word(kind, ir.string(name), flags, language)
        for operation, (kind, name, flags) in enumerate(
            zip(ir.kind.tolist(), ir.name.tolist(), ir.flags.tolist(), strict=True)
        )
    ]
    for operation in _users_of_booleans(ir):
        if words[operation] == _COMPARISON:
            words[operation] = ""
    return tuple(sorted(filter(None, words)))


def _users_of_booleans(ir: FlowIR) -> list[int]:
    """Operations with ``true`` or ``false`` as an operand."""
    booleans = (ir.kind == _CONSTANT) & (ir.flags >= OperationFlag.OTHER_CONSTANT)
    booleans &= (ir.flags & (OperationFlag.TRUE | OperationFlag.FALSE)) > 0
    if not booleans.any():
        return []
    users = np.repeat(np.arange(len(ir)), np.diff(ir.operand_offsets))
    found: list[int] = users[booleans[ir.operands]].tolist()
    return found


@lru_cache(maxsize=1 << 14)
def _kept_word(kind: int, name: str, flags: int, language: str) -> str:
    """A word for all operations that an operation may become by a rule; empty for none."""
    if kind == _IMPORT:
        return ""
    label = literal_label(kind, name, flags, language)
    if label in _COMPARISONS:
        return _COMPARISON
    if label in _CHANGED:
        return ""
    if kind == _ENTRY:
        return "entry"
    if label in ("+", "-", "++", "--", "+=", "-="):
        return _SUM
    return label[:-1] if kind == _ASSIGN and label.endswith("=") else label


def _from_dependences(ir: FlowIR, found: Dependences, tokens: Tokens, language: str) -> NormalForm:
    places = ValuePlaces(ir, tokens)
    words = _words(ir, found.calls, places, language)
    kinds = ir.kind.tolist()
    plain = [kind == _ASSIGN and places.writes_only_locals(i) for i, kind in enumerate(kinds)]
    form = NormalForm(list(words), kinds, plain, any_truth=language in _ANY_TRUTH)
    outcomes = branches(found.flow)
    for source, target in _pairs(found.control):
        outcome = outcomes.get((source, target))
        form.control(target, source, _RUNS if outcome is None else _OUTCOMES[outcome])
    whenever = _Whenever(form)
    uses = _Uses(form, places, whenever, ir.function.tolist())
    uses.add_all(list(_pairs(found.data)))
    _add_outer_names(form, ir, places, uses)
    for source, target, variable in places.captured_reads():
        uses.add_at(source, target, places.variable_places(target, variable))
    form.others += _functions_of_calls(ir, found.calls)
    form.others += _functions_of_values(ir)
    form.others += _ordered_effects(form, ir, places, whenever)
    form.others += _ordered_reads(ir, places, whenever)
    for node, kind in enumerate(kinds):
        if kind == _IMPORT and not form.users[node]:
            form.drop(node)
    return form


class _Uses:
    """Lets operations use values, or parts of them, in all places where they do."""

    def __init__(
        self, form: NormalForm, places: ValuePlaces, whenever: _Whenever, functions: list[int]
    ) -> None:
        self._form, self._places = form, places
        self._whenever, self._functions = whenever, functions
        self._known: dict[tuple[int, str], int] = {}

    def add_all(self, pairs: list[tuple[int, int]]) -> None:
        """Let operations use the values of others: pairs of a value and what uses it."""
        places = self._places
        often = Counter([target for _, target in pairs])
        several: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for source, target in pairs:
            if often[target] == 1 and places.needs_one[target] and not places.gives_several[source]:
                value = self._of_this_round(source, source, target)
                self._form.use(target, value, _link(self._form.words[target], 0))
                continue
            for value, place in self._values(source, target):
                several.setdefault((target, place), []).append((source, value))
        for (target, place), definitions in several.items():
            if place != ANYWHERE and len(definitions) > 1:
                self._use_one_of(definitions, target, place)
            else:
                for _, value in definitions:
                    self.add_at(value, target, [place])

    def _values(self, source: int, target: int) -> Iterator[tuple[int, int]]:
        """The value of an operation, or its parts, and the places in which another one uses it."""
        if not self._places.gives_several[source]:
            value = self._of_this_round(source, source, target)
            for place in self._places.places(source, target):
                yield value, place
            return
        variables = self._places.defined(source)
        read = self._places.reads(target) if variables else set()
        some = [(number, one) for number, one in enumerate(variables) if one in read]
        if not some:
            value = self._of_this_round(source, source, target)
            for place in self._places.places(source, target):
                yield value, place
        for number, one in some:
            part = self._derived(source, f"part {number}")  # of ``a, b = f()``
            value = self._of_this_round(part, source, target)
            for place in self._places.places(source, target, one):
                yield value, place

    def _of_this_round(self, value: int, source: int, target: int) -> int:
        """A value, or that of the previous round if what computes it comes after what uses it."""
        functions = self._functions
        if source < target or functions[source] != functions[target]:
            return value
        return self._derived(value, _BEFORE)

    def _use_one_of(self, definitions: Sequence[tuple[int, int]], target: int, place: int) -> None:
        """Let an operation use a value that has several definitions, in their order.

        The order of two definitions does not count if only one of them can run.
        """
        form = self._form
        node = self._added(_ONE_OF, target)
        for _, value in definitions:
            form.use(node, value, _VALUE)
        form.use(target, node, _link(form.words[target], place))
        ordered = sorted({source for source, _ in definitions})
        if len(ordered) > _MOST_DEFINITIONS:
            return
        form.others += [
            (first, second)
            for i, second in enumerate(ordered)
            for first in ordered[:i]
            if not self._whenever.excludes(first, second)
        ]

    def add_at(self, source: int, target: int, places: Sequence[int]) -> None:
        """Let an operation use a value in some places, with a node of its own for each but one."""
        form, word = self._form, self._form.words[target]
        users = form.users[source]
        for place in places:
            value = source
            if target in users:
                value = self._added(_AGAIN, source)
                form.use(value, source, _FIRST)
            form.use(target, value, _link(word, place))

    def _derived(self, source: int, word: str) -> int:
        """A node for a part of a value, or for its previous one; always the same."""
        node = self._known.get((source, word))
        if node is None:
            node = self._known[source, word] = self._added(word, source)
            self._form.use(node, source, _FIRST)
        return node

    def _added(self, word: str, like: int) -> int:
        """A new node that runs like another one."""
        node = self._form.add_constant(word)
        self._form.kinds[node] = _OPERATOR
        self._form.run_like(node, like)
        return node


def _link(word: str | None, place: int) -> int:
    """How an operation uses a value that is in some place."""
    return _VALUE if place == ANYWHERE or word in _ANY_ORDER else _FIRST + min(place, _LAST_PLACE)


def _pairs(both: tuple[npt.NDArray[Any], npt.NDArray[Any]]) -> Iterable[tuple[int, int]]:
    return zip(both[0].tolist(), both[1].tolist(), strict=True)


def _words(ir: FlowIR, calls: Calls, places: ValuePlaces, language: str) -> list[str]:
    """What each operation does, without the names of the program's own functions and variables."""
    through = _called_through_variables(ir)
    called = {ir.string(name) for name in ir.call_name.tolist()}
    used = {*ir.operands.tolist(), *ir.item_a[ir.item_code != _OPERATION_ITEM].tolist()}
    function_kinds = ir.function_kind.tolist()
    words = []
    parameters: dict[int, int] = {}
    operations = zip(
        ir.kind.tolist(), ir.name.tolist(), ir.flags.tolist(), ir.function.tolist(), strict=True
    )
    for operation, (kind, name, flags, function) in enumerate(operations):
        text = ir.string(name)
        if kind == _ENTRY:  # a function that only others call is known by its name
            named = function_kinds[function] != _LAMBDA and text not in called
            word = f"entry {text}" if named else "entry"
        elif kind == _PARAMETER:
            number = parameters[function] = parameters.get(function, -1) + 1
            word = f"param {number}"
        elif kind == _CALL and operation in through:
            word = "call"
        else:
            word = literal_label(kind, text, flags, language)
            if word in _SHORTENED:
                word = f"{word} {text}"
            elif word in _ANY_ORDER and kind == _CALL and places.has_named_arguments(operation):
                word = f"{word}()"  # whose values are not in any order
            elif kind == _ASSIGN:
                word = _assignment(word, operation, ir, places, used)
        words.append(word)
    for operation in calls.operation.tolist():
        words[operation] = _OWN
    return words


def _called_through_variables(ir: FlowIR) -> frozenset[int]:
    """Calls of the value of a local variable or parameter, except of what is imported."""
    local = set(ir.variable_name[ir.variable_kind <= _LAST_LOCAL].tolist())
    if local.isdisjoint(ir.call_name.tolist()):
        return frozenset()
    through = called_through_variables(ir)
    imports = ir.kind == OperationKind.IMPORT
    if imports.any():
        defining = np.repeat(imports, np.diff(ir.access_offsets)) & (ir.access_mode == _DEFINE)
        through &= ~np.isin(ir.name, ir.variable_name[ir.access_variable[defining]])
    return frozenset(np.flatnonzero(through).tolist())


def _assignment(word: str, operation: int, ir: FlowIR, places: ValuePlaces, used: set[int]) -> str:
    """The word of an assignment, with what else there is to know about it."""
    if word in ("++", "--") and operation in used:  # before or after its value is used
        place = _STEPS.index(word)
        return f"{word} {'before' if places.begins_with(operation, _STEP_IDS[place]) else 'after'}"
    outer = [
        ir.string(int(ir.variable_name[one]))
        for one in places.written(operation)
        if ir.variable_kind[one] > _LAST_LOCAL
    ]
    return f"{word} {' '.join(outer)}" if outer and any(outer) else word


def _ordered_effects(
    form: NormalForm, ir: FlowIR, places: ValuePlaces, whenever: _Whenever
) -> list[tuple[int, int]]:
    """Pairs of operations of which the second must come after the first.

    Calls whose value is not used are there for their effect, and reading and printing have one
    anyway. They keep their order, and that with assignments to what is not local. Assignments, and
    calls that only change a collection, keep theirs if they change the same field or object. Only
    one of two branches runs, so there is no order between them.
    """
    used = set(ir.operands.tolist())
    functions = ir.function.tolist()
    before: dict[int, list[tuple[int, _Changes | None]]] = {}
    pairs = []
    for operation, kind in enumerate(ir.kind.tolist()):
        word = form.words[operation] or ""
        changes: _Changes | None = None  # everything
        if word in _CHANGES_OF_COLLECTIONS or (kind == _ASSIGN and not form.plain[operation]):
            changes = places.changed(operation)
            if not changes:
                continue
        elif not word.startswith("yield") and (
            kind != _CALL or (operation in used and not word.startswith(_INPUT_OUTPUT))
        ):
            continue
        earlier = before.setdefault(functions[operation], [])
        for other, others in earlier[: -_MOST_EFFECTS - 1 : -1]:
            if _meet(changes, others) and not whenever.excludes(other, operation):
                pairs.append((other, operation))
                if others is None and whenever.includes(other, operation):
                    break  # which has an order with all that are before it
        earlier.append((operation, changes))
    return pairs


_Changes = set[tuple[int, int]]
"""Variables and their fields; -1 for a whole object."""


def _meet(one: _Changes | None, other: _Changes | None) -> bool:
    """Whether two operations may change the same; None changes everything."""
    if one is None or other is None:
        return True
    return any(
        variable == there and (field == of_other or -1 in (field, of_other))
        for variable, field in one
        for there, of_other in other
    )


def _ordered_reads(ir: FlowIR, places: ValuePlaces, whenever: _Whenever) -> list[tuple[int, int]]:
    """Operations that change an object and those that read it, both in the order of the text.

    In a loop, each may depend on the other, whichever comes first. Only pairs of which one runs
    whenever the other does, or less often, have an order.
    """
    functions = ir.function.tolist()
    return [
        (min(change, read), max(change, read))
        for changes, reads in places.changed_objects()
        for change in changes
        for read in reads
        if change != read
        and functions[change] == functions[read]
        and (whenever.includes(change, read) or whenever.includes(read, change))
    ]


class _Whenever:
    """Tells which operations run whenever some other one does, by what decides about them."""

    def __init__(self, form: NormalForm) -> None:
        self._controls = form.controls
        self._all: dict[int, set[tuple[int, int]]] = {}

    def includes(self, often: int, seldom: int) -> bool:
        """Whether whatever decides that `often` runs is decided where `seldom` runs."""
        return self._controls[often].items() <= self._outcomes(seldom)

    def excludes(self, one: int, other: int) -> bool:
        """Whether a test decides that only one of two operations runs."""
        theirs = self._outcomes(other)
        opposite = {_IF_TRUE: _IF_FALSE, _IF_FALSE: _IF_TRUE}
        return any(
            (test, opposite[link]) in theirs
            for test, link in self._outcomes(one)
            if link in opposite
        )

    def _outcomes(self, node: int) -> set[tuple[int, int]]:
        """The tests and outcomes by which an operation runs, and those by which these run."""
        found = self._all.get(node)
        if found is None:
            found = self._all[node] = set(self._controls[node].items())
            left = list(found)
            while left:
                more = self._controls[left.pop()[0]].items() - found
                found |= more
                left += more
        return found


def _add_outer_names(form: NormalForm, ir: FlowIR, places: ValuePlaces, uses: _Uses) -> None:
    """Let names that are declared elsewhere be used like parameters, which have no names."""
    entries, functions = ir.function_first_operation.tolist(), ir.function.tolist()
    made: dict[tuple[int, int], int] = {}
    done: set[tuple[int, int]] = set()
    for operation, variable in places.outer_reads():
        key = functions[operation], int(ir.variable_name[variable])
        node = made.get(key)
        if node is None:
            node = made[key] = form.add_constant(f"name {ir.string(key[1])}")
            form.control(node, entries[key[0]], _RUNS)
        if (operation, node) not in done:
            done.add((operation, node))
            uses.add_at(node, operation, places.variable_places(operation, variable))


def _functions_of_calls(ir: FlowIR, calls: Calls) -> list[tuple[int, int]]:
    """Calls of functions of the text, and where these begin."""
    entries = ir.function_first_operation[calls.function]
    return list(zip(calls.operation.tolist(), entries.tolist(), strict=True))


def _functions_of_values(ir: FlowIR) -> list[tuple[int, int]]:
    """Where functions begin that are values, such as lambdas, and the values."""
    values = np.flatnonzero(ir.kind == _FUNCTION).tolist()
    if not values:
        return []
    starts, entries = ir.function_start.tolist(), ir.function_first_operation.tolist()
    entry = dict(zip(starts, entries, strict=True))
    found = [(entry.get(int(ir.start[one])), one) for one in values]
    return [(begin, one) for begin, one in found if begin is not None]


def spell_out_assignments(form: NormalForm) -> None:
    """``x += y`` and ``x++`` are the operator and an assignment."""
    for node in range(len(form.words)):
        word = form.words[node]
        if form.kinds[node] != _ASSIGN or not word or word == "=" or not form.plain[node]:
            continue
        if word in ("++", "--"):
            form.words[node] = word[0]
            one = form.add_constant("1")
            form.run_like(one, node)
            form.use(node, one, _FIRST + 1)
        elif word.endswith("="):
            form.words[node] = word[:-1]
        if form.words[node] in _ANY_ORDER:
            form.inputs[node] = dict.fromkeys(form.inputs[node], _VALUE)


def compare_with_booleans(form: NormalForm) -> None:
    """``x == true`` is ``x``, and ``x == false`` is ``!x``."""
    for node, word in enumerate(form.words):
        if word not in ("==", "!=") or len(form.inputs[node]) != 2:
            continue
        constants = [one for one in form.inputs[node] if _is_own_boolean(form, one)]
        if len(constants) != 1:
            continue
        others = [one for one in form.inputs[node] if one not in constants]
        if form.any_truth and not (_is_truth(form, others[0]) or _only_decides(form, node)):
            continue
        same = _BOOLEAN[form.words[constants[0]] or ""] is (word == "==")
        form.drop(constants[0])
        form.words[node] = _TEST if same else _NEGATION
        form.inputs[node] = dict.fromkeys(form.inputs[node], _FIRST)


def _is_own_boolean(form: NormalForm, node: int) -> bool:
    return form.words[node] in _BOOLEAN and len(form.users[node]) == 1


def leave_out_defaults(form: NormalForm) -> None:
    """``range(0, n)`` is ``range(n)``."""
    for node, word in enumerate(form.words):
        if word in _ZERO_BY_DEFAULT and len(form.inputs[node]) == 2 and form.any_truth:
            first, second = sorted(form.inputs[node], key=form.inputs[node].__getitem__)
            if form.words[first] == "0" and form.inputs[node][first] == _FIRST:
                form.inputs[node][second] = _FIRST
                del form.inputs[node][first]
                form.users[first].discard(node)
                if not form.users[first]:
                    form.drop(first)


def evaluate_all_operands(form: NormalForm) -> None:
    """``a or b`` is ``b or a`` if only its truth counts and both are sure to work."""
    for node, word in enumerate(form.words):
        if word not in _LOGICAL:
            continue
        if form.any_truth and not (_is_truth(form, node) or _only_decides(form, node)):
            continue
        form.inputs[node] = dict.fromkeys(form.inputs[node], _VALUE)
        if any(_guards(form, one) for one in form.inputs[node]):
            continue
        for first in list(form.inputs[node]):
            inside = [after for after in form.controlled[first] if _leads_to(form, after, node)]
            if all(_is_harmless(form, after) for after in inside):
                for after in inside:
                    form.run_like(after, node)


def _is_truth(form: NormalForm, node: int, depth: int = 0) -> bool:
    """Whether a value is true or false, and not one that counts as one of them."""
    word = form.words[node] or ""
    if word not in _LOGICAL or depth == _DEEPEST:
        return word in _TRUTHS or word in _TRUE_CALLS
    return all(_is_truth(form, one, depth + 1) for one in form.inputs[node])


def _only_decides(form: NormalForm, node: int) -> bool:
    """Whether a value is used for nothing but what runs next."""
    for _ in range(_DEEPEST):
        if not form.users[node]:
            return bool(form.controlled[node])
        if len(form.users[node]) > 1:
            return False
        node = next(iter(form.users[node]))
        if form.words[node] not in (*_LOGICAL, _NEGATION):
            return False
    return False


def _leads_to(form: NormalForm, node: int, end: int) -> bool:
    """Whether a value is used for `end`, at most some operations later, and only for that."""
    for _ in range(_DEEPEST):
        if node == end:
            return True
        if len(form.users[node]) != 1:
            return False
        node = next(iter(form.users[node]))
    return False


def _guards(form: NormalForm, node: int) -> bool:
    """Whether a test is for null or for a type, so that other operands may not work without it."""
    word = form.words[node] or ""
    nothing = any(form.words[value] in _NOTHING for value in form.inputs[node])
    return nothing or word in _TYPE_TESTS


def _is_harmless(form: NormalForm, node: int) -> bool:
    return form.kinds[node] == _CONSTANT or form.words[node] in _HARMLESS


def add_up(form: NormalForm) -> None:
    """Additions and subtractions are sums, of which some values are subtracted, except of texts."""
    for node, word in enumerate(form.words):
        if form.kinds[node] not in (_OPERATOR, _ASSIGN) or word not in ("+", "-", "neg"):
            continue
        if word == "+" and any(_is_text(form, value) for value in form.inputs[node]):
            form.words[node] = _CONCATENATION
            continue
        form.words[node] = _SUM
        for value, link in form.inputs[node].items():
            subtracted = word == "neg" or (word == "-" and link != _FIRST)
            form.inputs[node][value] = _MINUS if subtracted else _VALUE


def _is_text(form: NormalForm, node: int) -> bool:
    """Whether a value is a text or a list, as far as what computes it tells."""
    seen, left = {node}, [node]
    while left:
        one = left.pop()
        word = form.words[one] or ""
        if word in _PASSED_ON:
            left += form.inputs[one].keys() - seen
            seen |= form.inputs[one].keys()
        elif word == "index":  # of a slice
            if any(form.words[value] == "slice" for value in form.inputs[one]):
                return True
        elif word == _CONCATENATION or word.startswith(_TEXTS):
            return True
    return False


def turn_comparisons(form: NormalForm) -> None:
    """``a > b`` is ``b < a``."""
    for node, word in enumerate(form.words):
        if word in (">", ">="):
            form.words[node] = word.replace(">", "<")
            _exchange(form, node)


def compare_the_opposite(form: NormalForm) -> None:
    """``!(a < b)`` is ``b <= a``."""
    for node, word in enumerate(form.words):
        if word != _NEGATION or len(form.inputs[node]) != 1:
            continue
        test = next(iter(form.inputs[node]))
        if form.users[test] == {node} and not form.controlled[test]:
            _negate_instead(form, node, test)


def _negate_instead(form: NormalForm, negation: int, test: int) -> None:
    """Replace the negation of a comparison by the opposite comparison, if there is one."""
    word = form.words[test] or ""
    if word not in _OPPOSITE and word not in ("<", "<="):
        return
    values = dict(form.inputs[test])
    form.drop(test)
    form.words[negation] = word
    for value, link in values.items():
        form.use(negation, value, link)
    _oppose(form, negation)


def _oppose(form: NormalForm, node: int) -> None:
    """Make a comparison the opposite of what it is."""
    word = form.words[node] or ""
    if word in _OPPOSITE:
        form.words[node] = _OPPOSITE[word]
    else:
        form.words[node] = "<=" if word == "<" else "<"
        _exchange(form, node)


def _exchange(form: NormalForm, node: int) -> None:
    """Exchange the first and the second value that an operation uses."""
    other = {_FIRST: _FIRST + 1, _FIRST + 1: _FIRST}
    form.inputs[node] = {value: other.get(link, link) for value, link in form.inputs[node].items()}


def ask_positively(form: NormalForm) -> None:
    """A test that only decides what runs is not negated: its branches change places."""
    for node, word in enumerate(form.words):
        if not form.controlled[node] or form.users[node]:
            continue
        if any(form.controls[after][node] == _RUNS for after in form.controlled[node]):
            continue
        if word in ("!=", "not in", "is not", "!==", "<="):
            _oppose(form, node)
            _change_branches(form, node)
        elif word == _NEGATION:
            form.words[node] = _TEST
            _change_branches(form, node)


def _change_branches(form: NormalForm, test: int) -> None:
    """Let what runs for one outcome of a test run for the other."""
    for after in form.controlled[test]:
        form.controls[after][test] = _IF_TRUE + _IF_FALSE - form.controls[after][test]


def use_tests_as_values(form: NormalForm) -> None:
    """``c ? true : false`` is ``c``, and so is returning true if ``c``, and else false."""
    for node, word in enumerate(form.words):
        if word == "?:" and len(form.inputs[node]) == 3:
            constants = [one for one in form.inputs[node] if _is_own_boolean(form, one)]
            tests = [one for one in form.inputs[node] if one not in constants]
            if len(tests) == 1 and form.controlled[tests[0]] == set(constants):
                positive = _outcome(form, tests[0], constants)
                if positive is not None:
                    for one in constants:
                        form.drop(one)
                    if positive:
                        form.bypass(node)
                    else:
                        form.words[node], form.inputs[node][tests[0]] = _NEGATION, _FIRST
    for test in range(len(form.words)):
        if len(form.controlled[test]) == 4 and not form.users[test]:
            _return_test(form, test)


def _return_test(form: NormalForm, test: int) -> None:
    returns = sorted(one for one in form.controlled[test] if form.kinds[one] == _RETURN)
    if len(returns) != 2 or any(len(form.inputs[one]) != 1 for one in returns):
        return
    constants = [next(iter(form.inputs[one])) for one in returns]
    if {*returns, *constants} != form.controlled[test]:
        return
    positive = _outcome(form, test, constants)
    if positive is None or any(len(form.controls[one]) != 1 for one in returns):
        return
    kept, constant = returns[0], constants[0]
    form.drop(returns[1])
    form.drop(constants[1])
    form.run_like(kept, test)
    if positive:
        form.drop(constant)
        form.use(kept, test, _FIRST)
    else:
        form.words[constant], form.kinds[constant] = _NEGATION, _OPERATOR
        form.run_like(constant, test)
        form.use(constant, test, _FIRST)


def _outcome(form: NormalForm, test: int, constants: list[int]) -> bool | None:
    """Whether the value is true if a test is, or if it is not; None if it is something else."""
    found = set()
    for one in constants:
        link, word = form.controls[one].get(test), form.words[one] or ""
        if word not in _BOOLEAN or link not in (_IF_TRUE, _IF_FALSE):
            return None
        if len(form.users[one]) != 1 or len(form.controls[one]) != 1:
            return None
        found.add(_BOOLEAN[word] is (link == _IF_TRUE))
    if len(found) != 1 or len({form.words[one] for one in constants}) != 2:
        return None
    positive = found.pop()
    return None if positive and form.any_truth and not _is_truth(form, test) else positive


def use_values_directly(form: NormalForm) -> None:
    """``x = value`` is the value, wherever it is used, if both run together."""
    for node, word in enumerate(form.words):
        if word != "=" or form.kinds[node] != _ASSIGN or not form.plain[node]:
            continue
        values, controls = form.inputs[node], form.controls[node]
        together = all(form.controls[value] == controls for value in values)
        if values and together and node not in values and not form.controlled[node]:
            form.bypass(node)


def decide_by_values(form: NormalForm) -> None:
    """Where the value of a variable decides, what computed the value does, if only for that."""
    for node, word in enumerate(form.words):
        if word != _TEST or len(form.inputs[node]) != 1:
            continue
        value = next(iter(form.inputs[node]))
        if not form.controlled[node]:
            form.bypass(node)
        elif (
            form.kinds[value] not in (_PARAMETER, _CONSTANT)
            and form.users[value] == {node}
            and not form.controlled[value]
            and form.controls[value] == form.controls[node]
        ):
            for after in list(form.controlled[node]):
                form.control(after, value, form.controls[after].pop(node))
            form.controlled[node] = set()
            form.drop(node)


def join_chains(form: NormalForm) -> None:
    """``a * (b * c)`` is one product of three values, and so are sums and conjunctions."""
    for node in reversed(range(len(form.words))):  # the last one first, which has the fewest values
        word = form.words[node]
        if word not in _JOINED or len(form.users[node]) != 1:
            continue
        user = next(iter(form.users[node]))
        if user == node or form.words[user] != word or not _may_join(form, node, user):
            continue
        opposite = {_VALUE: _MINUS, _MINUS: _VALUE} if form.inputs[user][node] == _MINUS else {}
        values = dict(form.inputs[node])
        for after in list(form.controlled[node]):
            link = form.controls[after].pop(node)
            form.control(after, user, link)
        form.drop(node)
        for value, link in values.items():
            form.use(user, value, opposite.get(link, link))


def _may_join(form: NormalForm, node: int, user: int) -> bool:
    """Whether the order does not count, and no value is used twice, which links do not show."""
    values = form.inputs[node]
    if any(link not in (_VALUE, _MINUS) for link in (*values.values(), form.inputs[user][node])):
        return False
    negated = form.words[node] == _SUM and set(values.values()) == {_MINUS}
    if len(values) < 2 and not negated:
        return False
    return not values.keys() & form.inputs[user].keys() and user not in values


RULES: tuple[Rule, ...] = (
    spell_out_assignments,
    compare_with_booleans,
    leave_out_defaults,
    evaluate_all_operands,
    turn_comparisons,
    compare_the_opposite,
    ask_positively,
    use_tests_as_values,
    compare_the_opposite,
    use_values_directly,
    decide_by_values,
    add_up,
    join_chains,
)
"""The rules, in the order in which they are applied."""
