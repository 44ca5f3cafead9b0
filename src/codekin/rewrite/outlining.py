"""The change ``outline``: move statements of a function into a new one, and call that."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from codekin.languages.function_code import Declared, Form, FunctionCode, FunctionHead, Touch
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.local_variables import LocalVariables, Variable, function_heads
from codekin.rewrite.program import Program, TextEdit

__all__ = ["outline"]

_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST = 12
_PARAMETERS = 6
_SMALLEST = 6
_STEP = "    "


@dataclass(frozen=True)
class _Passed:
    """A variable that a moved run of statements shares with its function."""

    variable: Variable
    declared: Declared
    is_input: bool
    is_output: bool
    by_reference: bool = False


def outline(program: Program, chance: random.Random) -> list[TextEdit]:
    """Move one run of statements of a function into a function of its own."""
    facts = program.facts
    if facts.code is None or facts.scopes is None or facts.code.words & program.words:
        return []
    code = facts.code(program)
    heads = function_heads(program, code)
    recursive = _recursive(program, heads)
    heads = [head for head in heads if head.name not in recursive]
    chance.shuffle(heads)
    for head in heads:
        variables = LocalVariables(program, code, head)
        runs = _runs(program, code, head)
        chance.shuffle(runs)
        for run in runs:
            edits = _Outliner(program, code, variables, run, chance).edits()
            if edits:
                return edits
    return []


def _recursive(program: Program, heads: Sequence[FunctionHead]) -> set[str]:
    """Names of functions that may call themselves: another function would deepen the stack."""
    mentioned: dict[str, set[str]] = {}
    for head in heads:
        words = set(_WORD.findall(program.text(head.body)))
        mentioned[head.name] = mentioned.get(head.name, set()) | words
    reached = {name: words & mentioned.keys() for name, words in mentioned.items()}
    while True:
        more = {
            name: names.union(*(reached[one] for one in names)) for name, names in reached.items()
        }
        if more == reached:
            return {name for name, names in reached.items() if name in names}
        reached = more


def _runs(program: Program, code: FunctionCode, head: FunctionHead) -> list[list[int]]:
    """Runs of statements on lines of their own, but never all of a body."""
    runs = []
    for block in program.inside(head.body):
        if program.kinds[block] not in code.blocks or _is_inside_nested(program, code, head, block):
            continue
        statements = program.named_children(block)
        for first in range(len(statements)):
            for last in range(first, min(first + _LONGEST, len(statements))):
                run = statements[first : last + 1]
                if block == head.body and len(run) == len(statements):
                    continue
                if _is_on_own_lines(program, run) and _leaves(program, run) >= _SMALLEST:
                    runs.append(run)
    return runs


def _is_inside_nested(program: Program, code: FunctionCode, head: FunctionHead, node: int) -> bool:
    for above in program.ancestors(node):
        if above <= head.node:
            return False
        if code.is_nested(above):
            return True
    return False


def _leaves(program: Program, run: Sequence[int]) -> int:
    return sum(program.sizes[i] == 1 for node in run for i in program.inside(node))


def _is_on_own_lines(program: Program, run: Sequence[int]) -> bool:
    start, end = program.starts[run[0]], program.ends[run[-1]]
    if program.indentation(start) is None or program.is_joined(start):
        return False
    return not program.slice(end, program.line_end(end)).strip()


class _Outliner:
    """Moves one run of statements."""

    def __init__(
        self,
        program: Program,
        code: FunctionCode,
        variables: LocalVariables,
        run: list[int],
        chance: random.Random,
    ) -> None:
        self.program, self.code, self.variables = program, code, variables
        self.head, self.run, self.chance = variables.head, run, chance
        self.start, self.end = program.starts[run[0]], program.ends[run[-1]]
        self.nodes = range(run[0], run[-1] + program.sizes[run[-1]])

    def edits(self) -> list[TextEdit]:
        """The new function and the call; nothing if that is not safe."""
        passed = self._passed() if self._can_move() else None
        if passed is None:
            return []
        results = [one for one in passed if one.is_output]
        returns = self.program.kinds[self.run[-1]] == self.code.returns
        parameters = [one for one in passed if one.is_input]
        if len(results) > (not returns) or len(parameters) > _PARAMETERS:
            return []
        if results and not self._can_return(results[0]):
            return []
        if returns and not self._returns_safely(parameters):
            return []
        return self._written(passed, results[0] if results else None, returns)

    def _can_move(self) -> bool:
        """Whether nothing leaves the run, and nothing in it depends on where it is."""
        program, code = self.program, self.code
        last = self.run[-1]
        for node in self.nodes:
            kind = program.kinds[node]
            if kind in code.forbidden or code.is_nested(node) or node in program.docstrings:
                return False
            is_return = kind == code.returns and program.sizes[node] > 1
            if is_return and (node != last or not program.named_children(node)):
                return False
            if kind in code.leaving and program.sizes[node] > 1 and not self._stays(node):
                return False
        if self._tries() and any(program.kinds[i] in code.throwing for i in self.nodes):
            return False
        if any(code.is_endless(i) for i in self.run):
            return False
        if code.lasting & set(_WORD.findall(program.slice(self.start, self.end))):
            return False
        return code.is_clean(self.start, self.end, self.variables.names) and self._can_reindent()

    def _stays(self, jump: int) -> bool:
        """Whether what a jump leaves is in the run."""
        program = self.program
        if program.named_children(jump):  # a label
            return False
        kinds = self.code.leaving[program.kinds[jump]]
        above = next((i for i in program.ancestors(jump) if program.kinds[i] in kinds), -1)
        return above in self.nodes

    def _tries(self) -> bool:
        return any(self.program.kinds[i] in self.code.tries for i in self._around())

    def _around(self) -> list[int]:
        """The nodes between the run and the body of its function."""
        above = []
        for node in self.program.ancestors(self.run[0]):
            if node <= self.head.body:
                break
            above.append(node)
        return above

    def _can_reindent(self) -> bool:
        """Whether no string or comment extends over several lines."""
        program = self.program
        if program.indentation(self.start) == self._inner():
            return True
        return not any(
            start >= self.start and end <= self.end and b"\n" in program.data[start:end]
            for start, end in program.spans
        )

    def _passed(self) -> list[_Passed] | None:
        """The variables that the run shares with the rest; None if one of them is unclear."""
        passed = []
        names = {self.program.text(i) for i in self.nodes if i in self.variables.of}
        words = set(_WORD.findall(self.program.slice(self.start, self.end)))
        if words & self.variables.unsafe:
            return None
        for variable in self.variables.all:
            if variable.name in names and any(i in self.nodes for i in variable.mentions):
                inside = [i for i in variable.mentions if i in self.nodes]
                if len(inside) == len(variable.mentions):
                    if not self._is_fresh(variable):
                        return None
                    continue
                one = self._shared(variable)
                if one is None:
                    return None
                passed.append(one)
        if len({one.variable.name for one in passed}) != len(passed):
            return None
        order = {id(one): n for n, one in enumerate(self.variables.all)}
        return sorted(passed, key=lambda one: order[id(one.variable)])

    def _is_fresh(self, variable: Variable) -> bool:
        """Whether a variable of the run alone never keeps a value from one turn of a loop."""
        program, code = self.program, self.code
        loops = any(program.kinds[i] in code.loops for i in self._around())
        if code.declarations or not loops:
            return True
        first = variable.mentions[0]
        if code.touch(first, Form.VALUE) is not Touch.SET:
            return False
        for above in program.ancestors(first):
            if above < self.nodes.start:
                return False
            within = [i for i in variable.mentions if i in program.inside(above)]
            if program.kinds[program.parents[above]] in code.blocks:
                sets = [e for found, e in self.variables.set_by(above) if found is variable]
                block = program.inside(program.parents[above])
                return all(i in block for i in variable.mentions) and any(
                    sum(i in program.inside(e) for i in variable.mentions) == 1 for e in sets
                )
            # The variable of a loop or a comprehension, used nowhere else.
            if program.kinds[above] in code.scoped and len(within) == len(variable.mentions):
                return True
        return False

    def _shared(self, variable: Variable) -> _Passed | None:
        """How a variable that is mentioned in the run and elsewhere is passed."""
        code = self.code
        declared = self.variables.declared(variable)
        if declared is None:
            return None
        touches = dict(self.variables.touches(variable, declared.form))
        inside = {node: touch for node, touch in touches.items() if node in self.nodes}
        changed = any(touch is not Touch.READ for touch in inside.values())
        if variable.name in self.variables.captured and (changed or not code.captures_by_value):
            return None
        is_declared_inside = code.typed and variable.bindings[0] in self.nodes
        if not code.typed and any(i in self.nodes for i in self._declarations(variable)):
            is_declared_inside = True
        if is_declared_inside and not declared.alone:
            return None
        if declared.suffix and self.variables.names & set(_WORD.findall(declared.suffix)):
            return None
        unclear = any(touch is Touch.UNCLEAR for touch in touches.values())
        if declared.form is Form.REFERENCE or (
            code.references and (unclear or declared.form is Form.OBJECT)
        ):
            if is_declared_inside or declared.form is Form.ARRAY:
                return None
            return _Passed(variable, declared, True, False, True)
        if unclear:
            return None
        if declared.form is Form.ARRAY:
            return (
                None if is_declared_inside or changed else _Passed(variable, declared, True, False)
            )
        # A declaration that is moved away must come back.
        is_output = is_declared_inside or (changed and self._is_live(variable))
        is_set = self._is_set(variable)
        needs_old = any(touch in (Touch.READ, Touch.UPDATE) for touch in inside.values())
        is_input = (
            not is_declared_inside
            and not self._is_set_first(variable)
            and (needs_old or (is_output and not is_set))
        )
        if is_input and not self._has_value(variable, declared):
            return None
        if is_output and not is_input and not is_set:
            return None
        return _Passed(variable, declared, is_input, is_output)

    def _declarations(self, variable: Variable) -> list[int]:
        """Where a language without types declares a variable, if it does."""
        return [i for i in variable.bindings if self.code.declarations and self.code.is_binding(i)]

    def _has_value(self, variable: Variable, declared: Declared) -> bool:
        if self.code.declarations and not self.code.typed:
            return True  # undefined is a value
        return self.variables.is_set_before(variable, self.run[0])

    def _is_live(self, variable: Variable) -> bool:
        """Whether the value that the run leaves in a variable may be read later."""
        program, variables = self.program, self.variables
        loops = [i for i in self._around() if program.kinds[i] in self.code.loops]
        # The head of a loop, too, keeps its variables from turn to turn.
        body = program.child(loops[0], "body") if loops else -1
        around = body < 0 or any(i not in program.inside(body) for i in variable.bindings)
        if loops and around:
            return True
        # With declarations, a variable of a loop's body does not outlive a turn of the loop.
        later = [i for i in variable.mentions if i >= self.nodes.stop]
        if loops and not self.code.declarations and len(later) < len(variable.mentions):
            return True
        if not later:
            return False
        following = self._statement_of(later[0])
        if loops or following is None:
            return True
        sets = (e for found, e in variables.set_by(following) if found is variable)
        expression = next(sets, None)
        if expression is None or program.kinds[following] == "return_statement":
            return True
        return sum(i in program.inside(expression) for i in variable.mentions) != 1 or (
            later[0] not in program.inside(expression)
        )

    def _statement_of(self, node: int) -> int | None:
        """The statement that a node is in, if it is in the same block as the run."""
        block = self.program.parents[self.run[0]]
        for above in (node, *self.program.ancestors(node)):
            if self.program.parents[above] == block:
                return above
        return None

    def _is_set(self, variable: Variable) -> bool:
        """Whether a statement of the run sets a variable in any case."""
        return any(found is variable for i in self.run for found, _ in self.variables.set_by(i))

    def _is_set_first(self, variable: Variable) -> bool:
        """Whether the first thing that the run does with a variable is to set it."""
        for statement in self.run:
            inside = [i for i in variable.mentions if i in self.program.inside(statement)]
            if inside:
                for found, expression in self.variables.set_by(statement):
                    own = [i for i in inside if i in self.program.inside(expression)]
                    if found is variable and len(own) == 1 and own[0] == inside[0]:
                        return self.code.touch(own[0], Form.VALUE) is Touch.SET or (
                            self.code.typed and own[0] in variable.bindings
                        )
                return False
        return False

    def _can_return(self, result: _Passed) -> bool:
        """Whether a changed variable can be the result of the function."""
        if self._tries():
            return False  # a handler would miss what was changed before an exception
        return not self.code.references or result.declared.form is Form.VALUE

    def _returns_safely(self, parameters: Sequence[_Passed]) -> bool:
        """Whether returning the value from the new function does not copy a variable."""
        head, program = self.head, self.program
        if self.code.typed and (head.result == "void" or "&" in head.result):
            return False
        value = program.named_children(self.run[-1])[0]
        copied = [
            one.declared
            for one in parameters
            if one.by_reference and program.text(value) == one.variable.name
        ]
        return all(self.code.can_stay(one) for one in copied)

    def _inner(self) -> str:
        """The indentation of the statements of the new function."""
        head, program = self.head, self.program
        own = program.indentation(program.starts[head.outer]) or ""
        first = program.named_children(head.body)[0]
        inner = program.indentation(program.starts[first])
        if inner is None or not inner.startswith(own) or inner == own:
            inner = own + _STEP
        return self._outer() + inner[len(own) :]

    def _outer(self) -> str:
        """The indentation of the new function."""
        place = self.program.starts[self.head.place]
        return self.program.indentation(place) or ""

    def _written(
        self, passed: Sequence[_Passed], result: _Passed | None, returns: bool
    ) -> list[TextEdit]:
        program, code, head = self.program, self.code, self.head
        if program.indentation(program.starts[head.place]) is None:
            return []
        name = code.prefix + FreshNames(program.words, self.chance).take()
        if name in program.words:
            return []
        inputs = [one for one in passed if one.is_input]
        parameters = ", ".join(
            one.declared.named(one.variable.name, "&" if self._needs_mark(one) else "")
            for one in inputs
        )
        kind = head.result if returns else result.declared.type if result else "void"
        if result and kind.startswith("const "):
            return []
        lines = self._body(passed, result)
        call = f"{name}({', '.join(one.variable.name for one in inputs)})"
        definition = code.definition(head, name, parameters, kind if code.typed else "")
        if not inputs and program.language.name == "c":
            definition = definition.replace(f"{name}()", f"{name}(void)")
        text = self._function(definition, lines)
        return [
            TextEdit(self.start, self.end, self._call(call, result, returns)),
            self._placed(text),
        ]

    def _needs_mark(self, one: _Passed) -> bool:
        return one.by_reference and one.declared.form is not Form.REFERENCE

    def _body(self, passed: Sequence[_Passed], result: _Passed | None) -> list[str]:
        """The lines of the new function."""
        program, inner = self.program, self._inner()
        old = program.indentation(self.start) or ""
        first = program.line_start(self.start)
        text = program.slice(first, self.end).replace("\r\n", "\n")
        lines = [
            inner + line[len(old) :] if line.startswith(old) and line.strip() else line
            for line in text.split("\n")
        ]
        own = [
            inner + self.code.local(one.declared, one.variable.name, "", changes=True)
            for one in passed
            if self._needs_declaration(one)
        ]
        end = ";" if self.code.declarations else ""
        after = [f"{inner}return {result.variable.name}{end}"] if result else []
        return [*own, *lines, *after]

    def _needs_declaration(self, one: _Passed) -> bool:
        """Whether the new function must declare a variable that its parameters do not."""
        if one.is_input or not self.code.declarations:
            return False
        declared = self._declarations(one.variable) or one.variable.bindings
        return not any(i in self.nodes for i in declared)

    def _function(self, definition: str, lines: list[str]) -> str:
        program, outer = self.program, self._outer()
        if program.language.layout:
            return program.newline.join([outer + definition, *lines])
        head = program.slice(program.starts[self.head.outer], program.starts[self.head.body])
        tail = head[len(head.rstrip()) :]
        opening = [f"{outer}{definition}", f"{outer}{{"]
        if "\n" not in tail:
            opening = [f"{outer}{definition} {{"]
        return program.newline.join([*opening, *lines, f"{outer}}}"])

    def _call(self, call: str, result: _Passed | None, returns: bool) -> str:
        """The statement that takes the place of the run."""
        end = ";" if self.code.declarations else ""
        if returns:
            return f"return {call}{end}"
        if result is None:
            return call + end
        declared = self._declarations(result.variable) or result.variable.bindings
        name = result.variable.name
        if self.code.declarations and any(i in self.nodes for i in declared):
            changes = sum(
                touch is not Touch.READ
                for node, touch in self.variables.touches(result.variable, Form.VALUE)
                if node not in self.nodes
            )
            return self.code.local(result.declared, name, call, changes=bool(changes))
        return f"{name} = {call}{end}"

    def _placed(self, text: str) -> TextEdit:
        """The new function before or after the old one."""
        program, head = self.program, self.head
        gap = program.newline * (head.blank_lines + 1)
        if head.before:
            place = program.line_start(program.with_comments(head.place)[0])
            return TextEdit(place, place, text + gap)
        place = program.line_end(program.ends[head.place])
        return TextEdit(place, place, gap + text)
