"""Joern's mistakes about control flow, made in our flow IR on purpose.

Making them one by one shows which differences between the two graphs each of them explains.

=============  =====================================================================================
handlers       only the last operation of a ``try`` body can throw
leaving        ``throw``, ``raise``, ``assert`` and ``exit`` do not leave the function
elements       a C++ loop over elements has no test; the last operation of its body replaces it
=============  =====================================================================================
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from codekin.represent.flow.flow_ir import FlowIR, Item, OperationKind

__all__ = ["FAULTS", "faults_of", "with_fault"]

_Items = list[tuple[int, int, int]]
_OPENING = (Item.IF, Item.LOOP, Item.SWITCH, Item.TRY, Item.BLOCK)
_TRY_PARTS = (Item.CATCH, Item.TRYELSE, Item.FINALLY, Item.END)


def faults_of(language: str) -> list[str]:
    """The mistakes that Joern makes in a language."""
    return [name for name in FAULTS if name != "elements" or language == "cpp"]


def with_fault(ir: FlowIR, name: str) -> FlowIR:
    """The program as Joern misreads it in one respect."""
    rewrite = FAULTS[name]
    code, a, b = ir.item_code.tolist(), ir.item_a.tolist(), ir.item_b.tolist()
    items: _Items = []
    first, end = [], []
    bounds = zip(ir.function_first_item.tolist(), ir.function_end_item.tolist(), strict=True)
    for low, high in bounds:
        first.append(len(items))
        items += rewrite(ir, list(zip(code[low:high], a[low:high], b[low:high], strict=True)))
        end.append(len(items))
    columns = list(zip(*items, strict=True)) or [(), (), ()]
    return dataclasses.replace(
        ir,
        item_code=np.array(columns[0], dtype=np.uint8),
        item_a=np.array(columns[1], dtype=np.int32),
        item_b=np.array(columns[2], dtype=np.int32),
        function_first_item=np.array(first, dtype=np.int32),
        function_end_item=np.array(end, dtype=np.int32),
    )


def _handlers(ir: FlowIR, items: _Items) -> _Items:
    made: _Items = []
    at = 0
    while at < len(items):
        if items[at][0] != Item.TRY:
            made.append(items[at])
            at += 1
            continue
        parts, at = _parts(items, at, _TRY_PARTS)
        body = _handlers(ir, parts[0][1])
        last = _last_operation(body)
        handlers = [_handlers(ir, part) for code, part in parts[1:] if code == Item.CATCH]
        rest = [_handlers(ir, part) for code, part in parts[1:] if code == Item.TRYELSE]
        finals = [_handlers(ir, part) for code, part in parts[1:] if code == Item.FINALLY]
        made += body
        for handler in handlers:
            made += [(Item.IF, last, -1), *handler, (Item.ELSE, -1, -1)]
        made += [item for part in rest for item in part]
        made += [(Item.END, -1, -1)] * len(handlers)
        made += [item for part in finals for item in part]
    return made


def _leaving(ir: FlowIR, items: _Items) -> _Items:
    def stays(item: tuple[int, int, int]) -> bool:
        code, operation, _ = item
        if code == Item.RETURN and operation >= 0:
            return bool(ir.kind[operation] != OperationKind.RETURN)
        return code == Item.THROW

    return [item for item in items if not stays(item)]


def _elements(ir: FlowIR, items: _Items) -> _Items:
    made: _Items = []
    at = 0
    while at < len(items):
        if items[at][0] != Item.LOOP:
            made.append(items[at])
            at += 1
            continue
        start = items[at]
        parts, at = _parts(items, at, (Item.END,))
        body = _elements(ir, parts[0][1])
        tests = [i for i, item in enumerate(body) if item[0] == Item.TEST]
        is_over_elements = bool(tests) and ir.string(ir.name[body[tests[0]][1]]) == "each"
        if is_over_elements and _depth(body, tests[0]) == 0:
            del body[tests[0]]
            body.append((Item.TEST, _last_operation(body), -1))
        made += [start, *body, (Item.END, -1, -1)]
    return made


def _parts(items: _Items, at: int, marks: tuple[Item, ...]) -> tuple[list[tuple[int, _Items]], int]:
    """The code between the marks of a construct, each part with its mark, and where it ends."""
    parts: list[tuple[int, _Items]] = [(items[at][0], [])]
    depth = 0
    for place in range(at + 1, len(items)):
        code = items[place][0]
        if depth == 0 and code in marks:
            if code == Item.END:
                return parts, place + 1
            parts.append((code, []))
            continue
        depth += (code in _OPENING) - (code == Item.END)
        parts[-1][1].append(items[place])
    return parts, len(items)


def _depth(items: _Items, place: int) -> int:
    return sum((code in _OPENING) - (code == Item.END) for code, _, _ in items[:place])


def _last_operation(items: _Items) -> int:
    return next((a for code, a, _ in reversed(items) if code == Item.OP), -1)


FAULTS: dict[str, Callable[[FlowIR, _Items], _Items]] = {
    "handlers": _handlers,
    "leaving": _leaving,
    "elements": _elements,
}
