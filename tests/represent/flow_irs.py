"""Flow IRs from compact listings, so that the steps behind the lowering can be tested without it.

A listing is a row of items, parted by ``;`` or new lines; a word that is none of those below is an
operation that runs:

- ``a`` the operation a; ``a!`` may raise; ``a=true`` and ``a=false`` are constant;
  ``a{y z.f x=}`` reads y, loads z.f, defines x. Accesses: ``x`` READ, ``@x`` BASE, ``x.f`` and
  ``x[]`` LOAD, ``x=`` DEFINE, ``x?=`` MAYBE, ``x.f=`` and ``x[]=`` STORE;
- ``if a``, ``test a``, ``match a``, ``guard a``, ``switch a`` (``switch a nobreak``): a ran before;
  without a: nobody decides, or for ``match`` the subject does;
- ``return r``, ``throw r``, ``break r @label``, ``continue r @label``, ``goto r @label``,
  ``leave r``: runs the operation r (if one is named) and jumps;
- ``loop @label``, ``block @label``, ``label @label``, ``catch``, ``else``, ``end`` and the others;
- ``def f(x, y)`` starts a function. What stands before the first is the top-level code.

Names of operations are theirs alone within a listing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np

from codekin.represent.flow.flow_ir import (
    Access,
    FlowIR,
    FunctionKind,
    Item,
    OperationFlag,
    OperationKind,
    VariableKind,
)

__all__ = ["flow_ir", "operation_names", "repeated"]

_OPERATION = re.compile(
    r"(?P<name>[\w.<>]+)(?P<raises>!?)(=(?P<constant>true|false))?({(?P<accesses>.*)})?$"
)
_ACCESS = re.compile(
    r"(?P<base>@?)(?P<name>\w+)(\.(?P<field>\w+)|(?P<element>\[\]))?(?P<write>\??=)?$"
)
_JUMPS = {
    "return": (Item.RETURN, OperationKind.RETURN),
    "throw": (Item.THROW, OperationKind.JUMP),
    "break": (Item.BREAK, OperationKind.JUMP),
    "continue": (Item.CONTINUE, OperationKind.JUMP),
    "goto": (Item.GOTO, OperationKind.JUMP),
    "leave": (Item.LEAVE, OperationKind.JUMP),
}
_MARKS = {item.name.lower(): item for item in Item if item is not Item.OP}


@dataclass
class _Listing:
    strings: dict[str, int] = field(default_factory=dict)
    functions: list[list[int]] = field(default_factory=list)
    operations: list[list[int]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    accesses: list[list[list[int]]] = field(default_factory=list)
    variables: dict[tuple[str, int], int] = field(default_factory=dict)
    kinds: list[int] = field(default_factory=list)
    items: list[tuple[int, int, int]] = field(default_factory=list)

    def string(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def variable(self, name: str, kind: VariableKind = VariableKind.LOCAL) -> int:
        owner = len(self.functions) - 1
        if (name, owner) not in self.variables:
            self.string(name)
            self.variables[name, owner] = len(self.variables)
            self.kinds.append(kind)
        return self.variables[name, owner]

    def begin(self, name: str, parameters: list[str]) -> None:
        self.finish()
        kind = FunctionKind.FUNCTION if self.functions else FunctionKind.MODULE
        count = len(parameters)
        self.functions.append(
            [self.string(name), kind, len(self.operations), 0, len(self.items), 0, count]
        )
        self.run(f"<{name}>", OperationKind.ENTRY)
        for parameter in parameters:
            self.variable(parameter, VariableKind.PARAMETER)
            self.run(f"{name}.{parameter}{{{parameter}=}}", OperationKind.PARAMETER)

    def finish(self) -> None:
        if self.functions:
            self.functions[-1][3], self.functions[-1][5] = len(self.operations), len(self.items)

    def run(self, word: str, kind: OperationKind = OperationKind.OPERATOR) -> int:
        found = _OPERATION.match(word)
        assert found, f"no operation: {word}"
        name, constant = found["name"], found["constant"]
        flags = OperationFlag.RAISES if found["raises"] else 0
        flags |= {"true": OperationFlag.TRUE, "false": OperationFlag.FALSE}.get(constant, 0)
        assert name not in self.numbers, f"runs twice: {name}"
        number = self.numbers[name] = len(self.operations)
        self.operations.append([kind, self.string(name), len(self.functions) - 1, int(flags)])
        self.accesses.append([self.access(text) for text in (found["accesses"] or "").split()])
        self.items.append((Item.OP, number, -1))
        return number

    def access(self, text: str) -> list[int]:
        found = _ACCESS.match(text)
        assert found, f"no access: {text}"
        inside = found["field"] is not None or found["element"] is not None
        match found["write"], inside:
            case None, _:
                mode = Access.LOAD if inside else Access.BASE if found["base"] else Access.READ
            case _, True:
                mode = Access.STORE
            case "=", _:
                mode = Access.DEFINE
            case _:
                mode = Access.MAYBE
        name = -1 if found["field"] is None else self.string(found["field"])
        return [self.variable(found["name"]), name, mode]

    def item(self, text: str) -> None:
        word, *rest = re.findall(r"[^\s{]+(?:{[^}]*})?", text)
        label = next((self.string(w[1:]) for w in rest if w.startswith("@")), -1)
        operations = [w for w in rest if not w.startswith("@") and w != "nobreak"]
        if word in _JUMPS:
            code, kind = _JUMPS[word]
            self.items.append((code, self.run(operations[0], kind) if operations else -1, label))
        elif word in _MARKS:
            number = self.numbers[operations[0]] if operations else -1
            self.items.append((_MARKS[word], number, 1 if "nobreak" in rest else label))
        else:
            self.run(word)


def flow_ir(listing: str) -> FlowIR:
    """The flow IR of a listing.

    Examples
    --------
    >>> ir = flow_ir("c; if c; a; else; b; end; def f(x); return r{x}")
    >>> ir
    <FlowIR 2 functions 7 operations>
    """
    made = _Listing()
    made.begin("<module>", [])
    for line in re.split(r"[;\n]", listing):
        text = line.strip()
        header = re.match(r"def (\w+)\((.*)\)$", text)
        if header:
            made.begin(header[1], [p.strip() for p in header[2].split(",") if p.strip()])
        elif text:
            made.item(text)
    made.finish()
    return _arrays(made)


def operation_names(ir: FlowIR) -> list[str]:
    """The name of each operation."""
    return [ir.string(int(name)) for name in ir.name]


def _arrays(made: _Listing) -> FlowIR:
    names, kinds, starts, ends, items, end_items, most = _columns(made.functions, 7)
    kind, name, function, flags = _columns(made.operations, 4)
    numbers = np.arange(len(kind), dtype=np.int32)
    variable, fields, mode = _columns([a for of in made.accesses for a in of], 3)
    code, a, b = _columns(made.items, 3)
    none, empty = np.full(len(names), -1, dtype=np.int32), np.empty(0, dtype=np.int32)
    small = np.empty(0, dtype=np.uint8)
    owners = [owner for _, owner in made.variables]
    return FlowIR(
        tuple(made.strings), names, kinds.astype(np.uint8), none, none, starts * 0, ends * 0,
        starts, ends, items, end_items, most, most,
        kind.astype(np.uint8), name, function, numbers * 2, numbers * 2 + 1, numbers,
        flags.astype(np.uint8),
        np.zeros(len(kind) + 1, dtype=np.int32), empty,
        np.cumsum([0, *map(len, made.accesses)], dtype=np.int32), variable, fields,
        mode.astype(np.uint8),
        np.array([made.strings[n] for n, _ in made.variables], dtype=np.int32),
        np.array(owners, dtype=np.int32), np.array(made.kinds, dtype=np.uint8),
        np.full(len(owners), -1, dtype=np.int32),
        empty, empty, small, empty, empty, empty, empty, empty, small, empty,
        np.zeros(1, dtype=np.int32), empty, small, numbers * 2, numbers * 2 + 1,
        code.astype(np.uint8), a, b,
    )  # fmt: skip


def _columns(rows: list[list[int]] | list[tuple[int, int, int]], width: int) -> list[np.ndarray]:
    table = np.array(rows, dtype=np.int32).reshape(len(rows), width)
    return [np.ascontiguousarray(table[:, k]) for k in range(width)]


def repeated(start: str, end: str, count: int, *, nested: bool) -> FlowIR:
    """A construct many times, in a row or each inside the one before; only its control counts.

    Examples
    --------
    >>> repeated("c; if c", "end", 3, nested=True).item_code.tolist()
    [0, 0, 1, 0, 1, 0, 1, 3, 3, 3]
    """
    once, opening = flow_ir(f"{start}; {end}"), len(flow_ir(start).item_a)
    rows = np.stack([once.item_code.astype(np.int32), once.item_a, once.item_b], axis=1)
    size = len(once) - 1
    table = np.repeat(rows[None], count, axis=0)
    table[:, :, 1] += np.where(rows[:, 1] >= 0, np.arange(count)[:, None] * size, 0)
    parts = [table[:, 1:opening], table[::-1, opening:]] if nested else [table[:, 1:]]
    code, a, b = np.concatenate([rows[:1], *(part.reshape(-1, 3) for part in parts)]).T
    return replace(
        once,
        kind=np.concatenate([once.kind[:1], np.tile(once.kind[1:], count)]),
        flags=np.concatenate([once.flags[:1], np.tile(once.flags[1:], count)]),
        function_end_operation=np.array([size * count + 1], dtype=np.int32),
        function_end_item=np.array([len(code)], dtype=np.int32),
        item_code=code.astype(np.uint8),
        item_a=np.ascontiguousarray(a),
        item_b=np.ascontiguousarray(b),
    )
