"""What depends on what in a program, as pairs of line numbers (from 1) that a person can check."""

from bisect import bisect_right

from codekin import Source
from codekin.represent.flow.calls import resolve_calls
from codekin.represent.flow.control_flow import control_flow
from codekin.represent.flow.dependence import control_dependence
from codekin.represent.flow.effects import effects
from codekin.represent.flow.flow_ir import FlowIR, OperationKind
from codekin.represent.flow.reaching_definitions import reaching_definitions

__all__ = ["calls", "control", "data", "names"]

Pairs = set[tuple[int, int]]


def control(text: str, language: str) -> Pairs:
    """(line that decides, line that runs or not); what a function's entry decides is left out."""
    ir = Source(text, language).flow_ir
    found = control_dependence(control_flow(ir))
    pairs = zip(found.controller.tolist(), found.dependent.tolist(), strict=True)
    return _by_line(text, ir, [(a, b) for a, b in pairs if ir.kind[a] != OperationKind.ENTRY])


def data(text: str, language: str) -> Pairs:
    """(line that gives a value, line that uses it)."""
    ir = Source(text, language).flow_ir
    flow = control_flow(ir)
    found = reaching_definitions(flow, effects(ir, resolve_calls(ir)))
    pairs = list(zip(found.definition.tolist(), found.use.tolist(), strict=True))
    for operation in range(len(ir.kind)):
        values = ir.operands[ir.operand_offsets[operation] : ir.operand_offsets[operation + 1]]
        pairs += [(value, operation) for value in values.tolist()]
    return _by_line(text, ir, pairs)


def calls(text: str, language: str) -> set[tuple[int, str]]:
    """(line of a call, name of the function it runs)."""
    ir = Source(text, language).flow_ir
    found = resolve_calls(ir)
    line = _lines(text, ir)
    pairs = zip(found.operation.tolist(), found.function.tolist(), strict=True)
    return {(line[o], ir.string(ir.function_name[f])) for o, f in pairs}


def names(text: str, language: str) -> list[str]:
    """The operations' names, in the order in which they were made, without entries."""
    ir = Source(text, language).flow_ir
    return [ir.string(n) for n, k in zip(ir.name, ir.kind, strict=True) if k != OperationKind.ENTRY]


def _lines(text: str, ir: FlowIR) -> list[int]:
    data = text.encode()
    starts = [0] + [i + 1 for i, byte in enumerate(data) if byte == ord("\n")]
    return [bisect_right(starts, start) for start in ir.start.tolist()]


def _by_line(text: str, ir: FlowIR, pairs: list[tuple[int, int]]) -> Pairs:
    """Pairs of operations as pairs of lines, without those inside one line."""
    line = _lines(text, ir)
    return {(line[a], line[b]) for a, b in pairs if line[a] != line[b]}
