"""Lowering of a syntax tree to the flow IR, by the rules of its language."""

from __future__ import annotations

from dataclasses import replace

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, RuleSlot
from codekin.represent.flow.flow_ir import FlowIR
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["lower", "native_table"]

_FIELD, _KIND, _PLACE, _REST = range(4)
_RESULTS = {
    result: number
    for number, result in enumerate(["", "element", "same", "arguments", "place", "joined", "copy"])
}

# Tables are kept alive with their native form, so that their id stays unique.
_native_of: dict[tuple[str, str, int], tuple[LoweringTable, _native.LoweringTable]] = {}


def lower(tree: FlatTree, data: bytes, table: LoweringTable) -> FlowIR:
    """Lower a syntax tree to the flow IR.

    Parameters
    ----------
    tree : FlatTree
        The tree of `data`.
    data : bytes
        The text in UTF-8.
    table : LoweringTable
        What the syntax of the language does.

    Examples
    --------
    >>> from codekin import Source
    >>> ir = Source("total = price * count", "python").flow_ir
    >>> [ir.string(name) for name in ir.name]
    ['<module>', '*', '=']
    """
    grammar = tree.grammar
    key = (grammar.distribution, grammar.entry, id(table))
    kept = _native_of.get(key)
    if kept is None:
        kept = _native_of[key] = table, native_table(table, grammar)
    lowered = FlowIR(
        *_native.lower(
            kept[1], data, tree.kind, tree.field, tree.parent, tree.size, tree.start, tree.end
        )
    )
    return replace(lowered, complete=False) if tree.unparsed else lowered


def native_table(table: LoweringTable, grammar: Grammar) -> _native.LoweringTable:
    """The rules of a language with a grammar's numbers of kinds and fields instead of names."""
    rule_of = [-1] * (ERROR_KIND + 1)
    canonical = [-1] * (ERROR_KIND + 1)
    for numbers in grammar.kind_numbers.values():
        for number in numbers:
            canonical[number] = numbers[0]
    rules: list[tuple[int, int, str, list[list[tuple[int, int]]]]] = []
    for kind, rule in table.rules.items():
        numbers = [n for n in grammar.kind_numbers.get(kind, []) if grammar.named[n]]
        if not numbers:  # it belongs to another grammar of the language
            continue
        for number in numbers:
            rule_of[number] = len(rules)
        rules.append(_encoded(kind, rule, grammar))
    return _native.lowering_table(
        rule_of=rule_of,
        canonical=canonical,
        named=[int(n) for n in grammar.named],
        rules=rules,
        operators=list(table.operators.items()),
        streams=list(table.streams.items()),
        effects=[_encoded_effect(name, effect) for name, effect in table.effects.items()],
        words=[
            sorted(words)
            for words in (
                table.logical,
                table.receivers,
                table.primitives,
                table.raising,
                table.constructors,
                table.quiet,
                table.hoisting,
                table.parts,
                table.values,
            )
        ],
        wildcard=table.wildcard,
        facts=[
            table.first_receiver,
            table.assignment_declares,
            table.class_scope,
            table.pointer_arithmetic,
            table.references,
            table.declared_first,
            table.shadowing,
            table.capital_constants,
            table.capital_types,
        ],
    )


def _encoded(
    kind: str, rule: Rule, grammar: Grammar
) -> tuple[int, int, str, list[list[tuple[int, int]]]]:
    slots: list[list[tuple[int, int]]] = [[] for _ in RuleSlot]
    for slot, selector in rule.slots.items():
        slots[slot] = [s for word in selector.split() if (s := _selected(kind, word, grammar))]
    return int(rule.shape), rule.flags, rule.label, slots


def _selected(kind: str, word: str, grammar: Grammar) -> tuple[int, int] | None:
    """Encode a word of a selector; None if only another grammar of the language knows it."""
    if word == "*":
        return _REST, 0
    if word.lstrip("-").isdigit():
        return _PLACE, int(word)
    if word.startswith("<") and word.endswith(">"):
        numbers = grammar.kind_numbers.get(word[1:-1])
        return (_KIND, numbers[0]) if numbers else None
    if word in grammar.fields:
        return _FIELD, grammar.fields.index(word)
    if not word.isidentifier():
        raise CodekinError(
            f"rule for {kind}: {word!r} is not a selector; use a field's name, <a kind of child>, "
            "an index such as 0 or -1, or *"
        )
    return None


def _encoded_effect(
    name: str, effect: Effect
) -> tuple[str, bool, list[int], list[int], list[int], list[int], int, int, bool]:
    if effect.result not in _RESULTS:
        raise CodekinError(
            f"effect of {name}: result is {effect.result!r}, not one of "
            f"{', '.join(map(repr, _RESULTS))}"
        )
    return (
        name,
        effect.receiver,
        list(effect.changed),
        list(effect.assigned),
        list(effect.bound),
        list(effect.kept),
        effect.after,
        _RESULTS[effect.result],
        effect.ends,
    )
