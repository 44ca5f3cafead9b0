"""The facts for rewriting, checked against the grammars."""

from dataclasses import fields

import pytest

from codekin.languages import Rewriting, languages

WORDS = {"frames", "introspection", "evaluating", "signatures", "constant_heads", "order_seen"}
WORDS |= {"opening", "closing", "swaps"}
REWRITTEN = [language for language in languages() if language.rewriting is not None]


def _kinds(facts):
    """Every kind of node that facts name."""
    for field in fields(Rewriting):
        value = getattr(facts, field.name)
        if field.name not in WORDS and isinstance(value, frozenset | dict):
            yield from value


@pytest.mark.parametrize("language", REWRITTEN, ids=str)
def test_facts_name_only_kinds_and_fields_that_the_grammar_has(language):
    facts = language.rewriting
    known = {kind for grammar in language.grammars for kind in grammar.kinds}
    scopes = {*facts.scopes.opens, *facts.scopes.names, *facts.scopes.shorthands}
    assert {*_kinds(facts), *scopes} <= known
    fields_of = {name for grammar in language.grammars for name in grammar.fields}
    named = {*facts.conditions.values(), *facts.binding.values()}
    assert {name for name in named if not name.isdigit()} <= fields_of
    assert {child for child in facts.leading.values() if child} <= known


@pytest.mark.parametrize("language", REWRITTEN, ids=str)
def test_swapped_operators_are_operators_of_the_grammar(language):
    known = {kind for grammar in language.grammars for kind in grammar.kinds}
    swaps = language.rewriting.swaps
    assert {swaps[one].replace("␣", " ") for one in swaps if one in known} <= known


@pytest.mark.parametrize("language", REWRITTEN, ids=str)
def test_every_fact_that_a_change_cannot_do_without_is_there(language):
    facts = language.rewriting
    assert all((facts.blocks, facts.functions, facts.bodies, facts.dead, facts.movable))
    assert all((facts.conditions, facts.droppable, facts.numbers, facts.strings, facts.contents))
