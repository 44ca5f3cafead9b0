"""The change ``inline``: replace calls of a function of the text by its code."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from codekin.languages.function_code import Declared, Form, FunctionCode, FunctionHead, Touch
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.local_variables import LocalVariables, Variable, function_heads
from codekin.rewrite.program import Program, TextEdit, apply_edits

__all__ = ["inline"]

_WORD = re.compile(r"[^\W\d]\w*")


def inline(program: Program, chance: random.Random) -> list[TextEdit]:
    """Replace the calls of one function by its code, wherever that is safe.

    The function is removed if no call is left and nothing outside the text can call it.
    """
    facts = program.facts
    if facts.code is None or facts.scopes is None or facts.code.words & program.words:
        return []
    code = facts.code(program)
    heads = function_heads(program, code)
    by_name: dict[str, list[FunctionHead]] = {}
    for head in heads:
        by_name.setdefault(head.name, []).append(head)
    order = [head for head in heads if head.inlinable and len(by_name[head.name]) == 1]
    chance.shuffle(order)
    fresh = FreshNames(program.words, chance)
    for head in order:
        calls = _calls(program, code, head)
        if calls:
            edits = _Inliner(program, code, heads, head, fresh).edits(calls)
            if edits:
                return edits
    return []


def _calls(program: Program, code: FunctionCode, head: FunctionHead) -> list[int]:
    """The calls of a function; none if anything else has its name, or if it calls itself."""
    name = head.name.encode()
    calls, others = [], 0
    for node, kind in enumerate(program.kinds):
        if program.sizes[node] > 1 or not kind.endswith("identifier"):
            continue
        if program.data[program.starts[node] : program.ends[node]] != name:
            continue
        above = program.parents[node]
        if (found := code.call_of(above)) and found[0] == node:
            calls.append(above)
        elif not _declares(program, head, node):
            others += 1
    if others or any(call in program.inside(head.node) for call in calls):
        return []
    return calls


def _declares(program: Program, head: FunctionHead, node: int) -> bool:
    """Whether a name is that of the function itself, or of its prototype."""
    if head.outer <= node < head.body and program.fields[node] in {"name", "declarator"}:
        return True
    above = program.parents[node]
    return (
        program.kinds[above] == "function_declarator"
        and program.kinds[program.parents[above]] == "declaration"
        and program.parents[program.parents[above]] == head.owner
    )


@dataclass(frozen=True)
class _Site:
    """A call, and the function and statement that it is in."""

    call: int
    arguments: tuple[int, ...]
    caller: LocalVariables | None


class _Inliner:
    """Replaces the calls of one function."""

    def __init__(
        self,
        program: Program,
        code: FunctionCode,
        heads: Sequence[FunctionHead],
        head: FunctionHead,
        fresh: FreshNames,
    ) -> None:
        self.program, self.code, self.heads, self.head = program, code, heads, head
        self.fresh = fresh
        self.callee = LocalVariables(program, code, head)
        self.callers: dict[int, LocalVariables] = {}
        self.taken: dict[int, set[str]] = {}

    def edits(self, calls: Sequence[int]) -> list[TextEdit]:
        """The edits at all calls that can be replaced."""
        if not self._can_move():
            return []
        edits: list[TextEdit] = []
        reach = done = 0
        for call in calls:
            if self.program.starts[call] < reach:
                continue  # inside the arguments of another
            found = self._at(call)
            if found:
                edits += found
                reach = max(edit.end for edit in found)
                done += 1
        if done == len(calls) and self.head.private:
            edits += self._removed(len(calls))
        return edits

    @cached_property
    def statements(self) -> list[int]:
        """The statements of the function without documentation."""
        listed = self.program.named_children(self.head.body)
        if listed and listed[0] + 1 in self.program.docstrings:
            listed = listed[1:]
        return listed

    @cached_property
    def value(self) -> int:
        """What the function returns in its last statement; -1 if nothing."""
        last = self.statements[-1] if self.statements else -1
        if last < 0 or self.program.kinds[last] != self.code.returns:
            return -1
        return next(iter(self.program.named_children(last)), -1)

    @cached_property
    def leading(self) -> list[int]:
        """The statements before the last ``return``."""
        return self.statements[:-1] if self.value >= 0 else self.statements

    @cached_property
    def words(self) -> set[str]:
        """The words that the code of the function takes from outside."""
        program = self.program
        return {
            program.text(i)
            for node in self.statements
            for i in program.inside(node)
            if i not in self.callee.of
            and program.sizes[i] == 1
            and program.kinds[i].endswith("identifier")
        }

    def _can_move(self) -> bool:
        """Whether the body runs straight to its end, and means the same elsewhere."""
        program, code, head = self.program, self.code, self.head
        if not self.statements:
            return False
        for node in program.inside(head.body):
            kind = program.kinds[node]
            if kind in code.forbidden or code.is_nested(node):
                return False
            is_return = kind == code.returns and program.sizes[node] > 1
            if is_return and (self.value < 0 or node != self.statements[-1]):
                return False
            if kind == "=" and program.kinds[program.parents[node]] == "interpolation":
                return False  # f"{x=}" shows the name
        first, last = self.statements[0], self.statements[-1]
        span = program.starts[first], program.ends[last]
        if any(code.is_endless(i) for i in self.statements):
            return False
        text = program.slice(*span)
        if set(_WORD.findall(text)) & (self.callee.unsafe | ({"undef"} & program.words)):
            return False
        if self.leading and code.lasting & set(_WORD.findall(text)):
            return False
        if not code.is_clean(*span, self.callee.names):
            return False
        if code.typed and any(self.callee.declared(one) is None for one in self.callee.all):
            return False
        return not (code.typed and self.value >= 0 and head.result == "void")

    def _at(self, call: int) -> list[TextEdit]:
        """The edits that replace a call; nothing if that is not safe."""
        found = self.code.call_of(call)
        assert found is not None
        arguments = found[1]
        fixed = self.program.facts.fixed_arguments
        if len(arguments) != len(self.head.parameters):
            return []
        if any(self.program.kinds[i] in fixed for i in arguments):
            return []
        site = self._site(call, arguments)
        if site is None or not self._sees_the_same(site):
            return []
        if not self.leading and self.value >= 0:
            text = self._expression(site)
            if text is not None:
                return [self.program.replaced(call, text)]
        return self._spliced(site)

    def _site(self, call: int, arguments: Sequence[int]) -> _Site | None:
        """Where a call is; None if it is in code that is not understood."""
        program, code = self.program, self.code
        heads = {head.node: head for head in self.heads}
        for above in program.ancestors(call):
            if above in heads:
                head = heads[above]
                if call < head.body:
                    return None
                if above not in self.callers:
                    self.callers[above] = LocalVariables(program, code, head)
                return _Site(call, tuple(arguments), self.callers[above])
            if code.is_nested(above) or program.kinds[above] in program.facts.functions:
                return None
            if "class" in program.kinds[above]:
                return None
        return None if code.typed else _Site(call, tuple(arguments), None)

    def _sees_the_same(self, site: _Site) -> bool:
        """Whether names mean the same at the call as in the function."""
        code, head = self.code, self.head
        if site.caller is None:
            return all(self.program.kinds[i] in code.literals for i in site.arguments)
        if self.words & (site.caller.names | site.caller.unsafe):
            return False
        if head.name in site.caller.unsafe:
            return False
        if not code.typed:
            return True
        span = self.program.starts[head.body], self.program.ends[head.body]
        after = head.before and head.node > site.caller.head.node
        same = head.owner == site.caller.head.owner and not after
        return same and code.is_clean(*span, site.caller.names)

    # A call within an expression.

    def _expression(self, site: _Site) -> str | None:
        """The returned expression with the arguments of a call in it."""
        program = self.program
        if "comment" in {program.kinds[i][-7:] for i in program.inside(self.value)}:
            return None
        if program.kinds[self.value] in program.facts.identifiers:
            return None
        texts: dict[int, str] = {}
        hard = 0
        for parameter, argument in zip(self.head.parameters, site.arguments, strict=True):
            variable = self.callee.of.get(parameter)
            if variable is None:
                return None
            uses = [i for i in variable.mentions if i != parameter]
            text = self._substitute(variable, argument, site)
            if text is None:
                return None
            if not self._is_simple(argument, site):
                hard += 1
                if len(uses) != 1 or not self._comes_first(uses[0]):
                    return None
                if not self._is_quiet(argument):
                    return None
            texts |= dict.fromkeys(uses, text)
        if hard > 1 or self._has_own_names() or (hard and not self.code.ordered and self.words):
            return None
        text = self._rendered(program.starts[self.value], program.ends[self.value], texts)
        return self._as_result(site.call, text)

    def _has_own_names(self) -> bool:
        """Whether the expression binds names, as a comprehension does."""
        own = {id(self.callee.of[i]) for i in self.head.parameters if i in self.callee.of}
        return any(id(one) not in own for one in self.callee.all)

    def _as_result(self, call: int, text: str) -> str | None:
        """The expression with the type and the brackets that it needs in place of a call."""
        program, code = self.program, self.code
        kind = program.kinds[self.value]
        result = self.head.result
        if code.typed:
            own = self._type_of(self.value, self.callee)
            if own != result:
                if not code.is_number(result) or (own is None and self._may_be_object()):
                    return None
                return f"(({result}) {text if kind in code.atoms else f'({text})'})"
        if kind in code.atoms and "\n" not in text:
            return text
        parent = program.parents[call]
        free = program.kinds[parent] in {code.returns, *code.brackets} | program.facts.arguments
        is_plain = kind in program.facts.binary or kind == "ternary_expression"
        return text if free and is_plain and "\n" not in text else f"({text})"

    def _may_be_object(self) -> bool:
        """Whether an expression of unknown type may not be a number."""
        return self.program.kinds[self.value] not in self.program.facts.binary

    def _substitute(self, variable: Variable, argument: int, site: _Site) -> str | None:
        """The text of an argument in place of a parameter; None if a variable must hold it."""
        program, code = self.program, self.code
        declared = self.callee.declared(variable)
        if declared is None:
            return None
        uses = dict(self.callee.touches(variable, declared.form))
        uses = {i: touch for i, touch in uses.items() if i not in self.head.parameters}
        text, kind = program.text(argument), program.kinds[argument]
        if declared.form is Form.REFERENCE:
            same = self._declared_at(argument, site)
            base = declared.type.removesuffix("&").strip()
            is_same = same is not None and same.type.removesuffix("&").strip() in {
                base,
                base.removeprefix("const "),
            }
            return text if is_same and same is not None and not same.suffix else None
        if any(touch is not Touch.READ for touch in uses.values()):
            return None
        bracketed = text if kind in code.atoms else f"({text})"
        if not code.typed:
            return bracketed
        if declared.form is Form.ARRAY:
            same = self._declared_at(argument, site)
            fits = same is not None and same.form is Form.ARRAY and same.type == declared.type
            return text if fits else None
        if declared.form is not Form.VALUE:
            return None
        assert site.caller is not None
        own = self._type_of(argument, site.caller)
        wanted = declared.type.removeprefix("const ")
        if own is not None and own.removeprefix("const ") == wanted:
            return bracketed
        if own is not None and code.is_number(own) and code.is_number(wanted):
            return f"(({wanted}) {bracketed})"
        return None

    def _declared_at(self, argument: int, site: _Site) -> Declared | None:
        """How an argument is declared, if it is a variable."""
        variable = site.caller.of.get(argument) if site.caller else None
        if variable is None or site.caller is None:
            return None
        return site.caller.declared(variable)

    def _is_simple(self, argument: int, site: _Site) -> bool:
        """Whether evaluating an argument again, later or never makes no difference."""
        program, code = self.program, self.code
        kind = program.kinds[argument]
        if kind in code.literals:
            return True
        if kind in code.operations:
            signs = {program.kinds[i] for i in program.children(argument)}
            parts = program.named_children(argument)
            if signs & {"/", "%"} or not (code.typed or kind == "parenthesized_expression"):
                return False
            return all(self._is_simple(i, site) for i in parts)
        variable = site.caller.of.get(argument) if site.caller else None
        if variable is None or site.caller is None or variable.name in site.caller.unsafe:
            return False
        declared = site.caller.declared(variable)
        if declared is None or variable.name in site.caller.captured:
            return False
        if declared.form is not Form.VALUE:
            quiet = all(self._is_quiet(i) for i in self.statements)
            return quiet or declared.form is Form.ARRAY
        if any(touch is Touch.UNCLEAR for _, touch in site.caller.touches(variable, declared.form)):
            return False
        return site.caller.is_set_before(variable, argument) or any(
            program.kinds[program.parents[i]] == "for_in_clause" for i in variable.bindings
        )

    def _is_quiet(self, node: int) -> bool:
        """Whether code neither calls nor assigns anything."""
        program, code = self.program, self.code
        changing = {code.calls, "new_expression", "object_creation_expression", *code.forbidden}
        return not any(
            program.kinds[i] in changing or program.kinds[i] in code.targets or code.is_nested(i)
            for i in program.inside(node)
        ) or self._only_calls(node)

    def _only_calls(self, node: int) -> bool:
        """Whether an argument assigns nothing: what it calls cannot see the caller's variables."""
        program, code = self.program, self.code
        if node in program.inside(self.head.node):
            return False
        return not any(
            program.kinds[i] in code.targets
            or program.kinds[i] in code.forbidden
            or code.is_nested(i)
            for i in program.inside(node)
        )

    def _comes_first(self, use: int) -> bool:
        """Whether the use of a parameter is the first thing that the expression evaluates."""
        program = self.program
        if not self._is_quiet(self.value):
            return False
        straight = program.facts.binary | self.code.brackets
        straight |= {"subscript", "attribute", "subscript_expression", "array_access"}
        node = use
        while node != self.value:
            parent = program.parents[node]
            if program.kinds[parent] not in straight or program.named_children(parent)[0] != node:
                return False
            node = parent
        return True

    def _type_of(self, node: int, variables: LocalVariables) -> str | None:
        """The type of an expression; None if it is not known."""
        program, code = self.program, self.code
        kind = program.kinds[node]
        parts = program.named_children(node)
        if node in variables.of:
            declared = variables.declared(variables.of[node])
            plain = declared is not None and declared.form is not Form.REFERENCE
            return declared.type if declared is not None and plain and not declared.suffix else None
        if kind in code.brackets and len(parts) == 1:
            return self._type_of(parts[0], variables)
        if kind in program.facts.binary and len(parts) == 2:
            left, right = (self._type_of(i, variables) for i in parts)
            sign = next(program.text(i) for i in program.children(node) if not program.named[i])
            if left is None or right is None:
                return None
            return code.binary_type(sign, left, right)
        if kind == "cast_expression":
            return program.text(program.child(node, "type"))
        if found := code.call_of(node):
            name = program.text(found[0])
            same = {head.result for head in self.heads if head.name == name}
            return next(iter(same)) if len(same) == 1 and code.typed else None
        if kind in {"ternary_expression", "conditional_expression"}:
            types = {self._type_of(i, variables) for i in parts[1:]}
            return types.pop() if len(types) == 1 else None
        return code.type_of_literal(node)

    # A call that a statement consists of.

    def _spliced(self, site: _Site) -> list[TextEdit]:
        """The statements of the function before the statement of a call."""
        program, caller = self.program, site.caller
        statement = self._statement(site)
        if caller is None or statement < 0:
            return []
        start = program.starts[statement]
        indentation = program.indentation(start)
        rest = program.slice(program.ends[statement], program.line_end(program.ends[statement]))
        if indentation is None or program.is_joined(start) or rest.strip():
            return []
        renamed = self._renamed(site)
        if renamed is None:
            return []
        texts, lines = renamed
        body = self._lines(texts, indentation)
        if body is None:
            return []
        lines = [*(indentation + line for line in lines), *body]
        discards = program.kinds[statement] == "expression_statement" and statement + 1 == site.call
        if not lines:
            return []
        if discards:
            if self.value >= 0 and not self._is_idle(self.value):
                return []
            text = program.newline.join(lines).removeprefix(indentation)
            return [TextEdit(start, program.ends[statement], text)]
        if self.value < 0:
            return []
        value = self._result(site, statement, texts)
        if (
            value is None
            or "\n" in value
            or program.slice(start, program.starts[site.call]).count("\n")
        ):
            return []
        place = program.line_start(start)
        before = "".join(line + program.newline for line in lines)
        return [
            *([TextEdit(place, place, before)] if before else []),
            program.replaced(site.call, value),
        ]

    def _result(self, site: _Site, statement: int, texts: Mapping[int, str]) -> str | None:
        """What takes the place of the call."""
        program, code = self.program, self.code
        value = self._rendered(program.starts[self.value], program.ends[self.value], texts)
        if any("comment" in program.kinds[i] for i in program.inside(self.value)):
            return None
        if not self._is_direct(site.call, statement):
            return self._as_result(site.call, value)
        if code.typed:
            assert site.caller is not None
            wanted, own = self._wanted(statement, site.caller), self.head.result
            if wanted is None:
                return None
            if wanted.removeprefix("const ") != own:
                both = code.is_number(wanted) and code.is_number(own)
                return f"({own}) ({value})" if both else None
        return value

    def _is_direct(self, call: int, statement: int) -> bool:
        """Whether a statement returns or keeps the result of a call as it is."""
        program, code = self.program, self.code
        parent = program.parents[call]
        kind = program.kinds[parent]
        return parent == statement or kind in code.targets or kind.endswith("declarator")

    def _is_idle(self, node: int) -> bool:
        return self.program.kinds[node] in self.code.literals or node in self.callee.of

    def _statement(self, site: _Site) -> int:
        """The statement that evaluates a call before anything that matters; -1 if there is none."""
        program, code = self.program, self.code
        node = site.call
        while (kind := program.kinds[parent := program.parents[node]]) not in code.blocks:
            if kind not in self._straight or not self._is_first(parent, node, site):
                return -1
            node = parent
        return node

    @cached_property
    def _straight(self) -> frozenset[str]:
        """Kinds of nodes that evaluate all of their parts once, from left to right."""
        facts, code = self.program.facts, self.code
        assignments = {kind for kind, field in code.targets.items() if field == "left"}
        loops = code.loops | {"for_in_clause"}
        return (
            (facts.binary | facts.arguments | code.brackets | code.declarations | assignments)
            | {"expression_statement", "variable_declarator", "init_declarator"}
            | {code.returns, code.calls}
        ) - loops

    def _is_first(self, parent: int, node: int, site: _Site) -> bool:
        """Whether nothing before a part of an expression can matter to it, nor can it to them."""
        program, code, caller = self.program, self.code, site.caller
        kind = program.kinds[parent]
        parts = program.named_children(parent)
        if kind in code.targets:
            left = program.child(parent, "left")
            is_set = code.is_plain(parent) and caller is not None and left in caller.of
            return is_set and left != node and code.touch(left, Form.VALUE) is Touch.SET
        if kind in code.declarations:
            return sum(program.kinds[i].endswith("declarator") for i in parts) == 1
        if kind.endswith("declarator"):
            return program.fields[node] == "value"
        if kind == "boolean_operator" or any(
            program.kinds[i] in {"&&", "||", "??"} for i in program.children(parent)
        ):
            return node == parts[0]
        others = [i for i in parts if i < node or (i > node and not code.ordered)]
        return all(self._is_still(i, site) for i in others)

    def _is_still(self, node: int, site: _Site) -> bool:
        """Whether what a node evaluates to cannot change, and evaluating it changes nothing."""
        program, code = self.program, self.code
        text = program.text(node)
        if text in code.constant_paths:
            return site.caller is None or text not in site.caller.names
        if self._is_simple(node, site):
            return True
        # A function that nothing assigns to.
        is_called = program.fields[node] == code.callee
        if not is_called or program.kinds[node] not in code.names:
            return False
        is_local = site.caller is not None and text in site.caller.names
        return not is_local and not re.search(
            rf"\b{re.escape(text)}\s*=(?!=)", program.slice(0, len(program.data))
        )

    def _wanted(self, statement: int, caller: LocalVariables) -> str | None:
        """The type that a statement gives to the result of its call."""
        program, code = self.program, self.code
        if program.kinds[statement] == code.returns:
            return caller.head.result
        for name, _ in code.sets(statement):
            variable = caller.of.get(name)
            declared = caller.declared(variable) if variable else None
            if declared and declared.form in (Form.VALUE, Form.OBJECT) and not declared.suffix:
                return declared.type
        return None

    def _renamed(self, site: _Site) -> tuple[dict[int, str], list[str]] | None:
        """New texts for the variables of the function, and the variables that hold arguments."""
        program, code, caller = self.program, self.code, site.caller
        assert caller is not None
        texts: dict[int, str] = {}
        lines: list[str] = []
        parameters: set[int] = set()
        held = False
        for parameter, argument in zip(self.head.parameters, site.arguments, strict=True):
            variable = self.callee.of.get(parameter)
            declared = self.callee.declared(variable) if variable else None
            if variable is None or declared is None:
                return None
            parameters.add(id(variable))
            text = self._substitute(variable, argument, site)
            is_name = program.kinds[argument] in program.facts.identifiers | code.literals
            if text is not None and is_name and self._can_share(declared, argument, site):
                texts |= dict.fromkeys(variable.mentions, text)
                continue
            if declared.form in (Form.REFERENCE, Form.ARRAY) or not code.can_stay(declared):
                return None
            if not self._is_quiet(argument) and not self._only_calls(argument):
                return None
            if "\n" in program.text(argument):
                return None
            name = self._name(variable.name, caller)
            changes = [touch for _, touch in self.callee.touches(variable, declared.form)]
            is_changed = any(touch is not Touch.READ for touch in changes[1:])
            lines.append(code.local(declared, name, program.text(argument), changes=is_changed))
            texts |= dict.fromkeys(variable.mentions, name)
            held = True
        for variable in self.callee.all:
            if id(variable) not in parameters:
                declared = self.callee.declared(variable)
                if declared is None or not code.can_stay(declared):
                    return None
                name = self._name(variable.name, caller)
                texts |= dict.fromkeys(variable.mentions, name)
        return texts, lines if held else []

    def _can_share(self, declared: Declared, argument: int, site: _Site) -> bool:
        """Whether the variable of the caller can be used in place of a parameter."""
        if declared.form is Form.REFERENCE:
            return True
        return self._is_simple(argument, site)

    def _name(self, name: str, caller: LocalVariables) -> str:
        """A name for a variable of the function among those of the caller."""
        program, head = self.program, caller.head
        if head.node not in self.taken:
            self.taken[head.node] = set(_WORD.findall(program.text(head.outer)))
        taken = self.taken[head.node]
        if name in taken:
            name = self.fresh.take()
        taken.add(name)
        return name

    def _lines(self, texts: Mapping[int, str], indentation: str) -> list[str] | None:
        """The statements of the function at another indentation; None if they cannot move."""
        program = self.program
        if not self.leading:
            return []
        start, end = program.starts[self.leading[0]], program.ends[self.leading[-1]]
        own = program.indentation(start)
        after = program.slice(end, program.line_end(end)).strip()
        if own is None or program.is_joined(start) or after:
            return None
        if own != indentation and any(
            first >= start and last <= end and b"\n" in program.data[first:last]
            for first, last in program.spans
        ):
            return None
        text = own + self._rendered(start, end, texts).replace("\r\n", "\n")
        return [
            indentation + line[len(own) :] if line.startswith(own) and line.strip() else line
            for line in text.split("\n")
        ]

    def _rendered(self, start: int, end: int, texts: Mapping[int, str]) -> str:
        """A span of the text with other texts for some of its nodes."""
        program = self.program
        scopes = program.facts.scopes
        edits = []
        for node, text in texts.items():
            if start <= program.starts[node] and program.ends[node] <= end:
                is_short = scopes is not None and program.kinds[node] in scopes.shorthands
                new = f"{program.text(node)}: {text}" if is_short else text
                edits.append(
                    TextEdit(program.starts[node] - start, program.ends[node] - start, new)
                )
        return apply_edits(program.data[start:end], edits)

    def _removed(self, calls: int) -> list[TextEdit]:
        """The edit that removes the function, if nothing else mentions its name."""
        program, head = self.program, self.head
        mentions = len(
            re.findall(rf"\b{re.escape(head.name)}\b", program.slice(0, len(program.data)))
        )
        start, end = program.with_comments(head.outer)
        if mentions != calls + 1 or program.indentation(start) is None:
            return []
        start, end = program.line_start(start), program.line_end(end)
        if program.slice(program.ends[head.outer], end).strip() not in {"", ";"}:
            return []
        after = re.compile(rb"(?:[ \t]*\r?\n)+").match(program.data, end)
        if after is None:
            return [TextEdit(len(program.data[:start].rstrip()), end, "")]
        return [TextEdit(start, after.end() - len(self._indented(after.group())), "")]

    @staticmethod
    def _indented(blank: bytes) -> bytes:
        """What comes after the last line end."""
        return blank[blank.rfind(b"\n") + 1 :]
