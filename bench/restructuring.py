"""Functions written differently: other loops, conditions, assignments and orders of statements.

A restructuring finds the places in a program where it applies and returns one list of edits per
place. `restructured` applies several of them one after the other, each at every place that does not
overlap another, and reads the text again in between. C, Java, Go, Python, JavaScript and TypeScript
are supported. Types are not known here: a loop over elements becomes a loop over positions or an
iterator, whichever is usual in the language. In C, all are meant to keep the meaning, except that
the opposite of a comparison is wrong for values that are not a number.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from codekin import Source
from codekin.languages.rewriting import Rewriting
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import Program, TextEdit, apply_edits, program_of

LANGUAGES = ("c", "java", "go", "python", "javascript", "typescript")
BLOCKS = {
    "c": {"compound_statement"},
    "java": {"block", "constructor_body"},
    "go": {"statement_list"},
    "python": {"block"},
    "javascript": {"statement_block"},
    "typescript": {"statement_block"},
}
_OPPOSITE = {
    **{"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="},
    **{"===": "!==", "!==": "==="},
}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="} | {
    "===": "===",
    "!==": "!==",
}
_ATOMS = {
    *(
        "identifier",
        "number_literal",
        "decimal_integer_literal",
        "int_literal",
        "integer",
        "number",
    ),
    *("string", "string_literal", "interpreted_string_literal", "true", "false", "this"),
    *("parenthesized_expression", "call_expression", "method_invocation", "call", "attribute"),
    *("member_expression", "field_access", "selector_expression", "field_expression"),
    *("subscript_expression", "array_access", "index_expression", "subscript", "float_literal"),
}
_ACTING = {
    *("call_expression", "method_invocation", "call", "object_creation_expression"),
    *("new_expression", "update_expression", "inc_statement", "dec_statement", "await"),
    *("await_expression", "yield", "yield_expression", "assignment_expression", "lambda"),
    *("augmented_assignment_expression", "arrow_function", "function_expression", "func_literal"),
    *("lambda_expression", "named_expression", "unary_expression_receive"),
}
_REACHING = {
    *("subscript_expression", "array_access", "index_expression", "subscript", "attribute"),
    *("member_expression", "field_access", "selector_expression", "field_expression"),
    *("pointer_expression", "slice_expression", "unary_expression"),
}
_JUMPS = {
    *("return_statement", "break_statement", "continue_statement", "throw_statement"),
    *("raise_statement", "goto_statement"),
}
_MOVABLE = {
    *("declaration", "expression_statement", "local_variable_declaration"),
    *("lexical_declaration", "variable_declaration", "short_var_declaration"),
    *("assignment_statement", "var_declaration"),
}
_ASSIGNED = {"assignment_expression", "assignment", "assignment_statement", "short_var_declaration"}
_DECLARED = {"init_declarator", "variable_declarator", "var_spec"}
_NUMBER = re.compile(r"[0-9][0-9.]*\Z")


@dataclass(frozen=True)
class Writer:
    """A program to write differently, and texts in its language.

    Attributes
    ----------
    program : Program
    fresh : FreshNames
        Names that the program does not use.
    """

    program: Program
    fresh: FreshNames

    @cached_property
    def language(self) -> str:
        """The name of the language."""
        return self.program.language.name

    @cached_property
    def blocks(self) -> set[str]:
        """Kinds of nodes whose children are statements."""
        return BLOCKS[self.language]

    @cached_property
    def step(self) -> str:
        """One step of indentation."""
        found = re.search(r"\n(\t| {2,8})\S", self.program.slice(0, len(self.program.data)))
        return found[1] if found else "    "

    def nodes(self, *kinds: str) -> list[int]:
        """The nodes of some kinds, outer ones first."""
        program = self.program
        return [i for i, kind in enumerate(program.kinds) if kind in kinds and program.sizes[i] > 1]

    def kinds_in(self, node: int) -> set[str]:
        """The kinds of a node and all nodes inside it."""
        return {self.program.kinds[i] for i in self.program.inside(node)}

    def in_block(self, node: int) -> bool:
        """Whether other statements can be put next to a node."""
        return self.program.kinds[self.program.parents[node]] in self.blocks

    def bare(self, node: int) -> int:
        """A condition without the brackets around it."""
        program = self.program
        while program.kinds[node] == "parenthesized_expression":
            inner = program.named_children(node)
            if len(inner) != 1:
                break
            node = inner[0]
        return node

    def atom(self, node: int) -> str:
        """The text of an expression as an operand."""
        text = self.program.text(node)
        return text if self.program.kinds[node] in _ATOMS else f"({text})"

    def comparison(self, node: int) -> tuple[int, str, int] | None:
        """The operands and the operator of a comparison of two values."""
        program = self.program
        if program.kinds[node] not in {"binary_expression", "comparison_operator"}:
            return None
        children = [i for i in program.children(node) if "comment" not in program.kinds[i]]
        if len(children) != 3 or program.text(children[1]) not in _OPPOSITE:
            return None
        return children[0], program.text(children[1]), children[2]

    def negated(self, node: int) -> str:
        """A condition that holds where another does not."""
        program, node = self.program, self.bare(node)
        compared = self.comparison(node)
        if compared is not None:
            left, operator, right = compared
            return f"{program.text(left)} {_OPPOSITE[operator]} {program.text(right)}"
        children = program.children(node)
        if program.kinds[node] in {"unary_expression", "not_operator"} and program.text(
            children[0]
        ) in {"!", "not"}:
            return program.text(self.bare(children[1]))
        if self.language == "python":
            return f"not {self.atom(node)}"
        return f"!{self.atom(node)}"

    def inner(self, node: int) -> list[str]:
        """The lines of a block without its brackets, or of a statement, from the first column."""
        program = self.program
        if program.kinds[node] in {"compound_statement", "block", "statement_block"}:
            start, end = program.starts[node], program.ends[node]
            if self.language == "python":
                indentation = program.indentation(start)  # None for ``if a: b``
                text = (indentation or "") + program.text(node)
            else:
                text = program.slice(start + 1, end - 1)
            text = text if "\n" in text.strip("\n") else text.strip()
            lines = textwrap.dedent(text.strip("\n")).rstrip().split("\n")
        else:
            text = self.base(node) + program.text(node)
            lines = textwrap.dedent(text).split("\n")
        return [line.rstrip() for line in lines if line.strip()]

    def base(self, node: int) -> str:
        """The indentation of the line that a node begins on."""
        start = self.program.starts[node]
        line = self.program.slice(self.program.line_start(start), start)
        return line[: len(line) - len(line.lstrip())]

    def indented(self, lines: list[str]) -> list[str]:
        """Lines one step further in."""
        return [self.step + line for line in lines]

    def braced(self, head: str, lines: list[str]) -> list[str]:
        """A head with a block of lines."""
        if self.language == "python":
            return [f"{head}:", *self.indented(lines or ["pass"])]
        return [f"{head} {{", *self.indented(lines), "}"]

    def if_(self, condition: str, then: list[str], other: list[str] | None = None) -> list[str]:
        """A condition with one or two branches."""
        plain = self.language in {"python", "go"}
        lines = self.braced(f"if {condition}" if plain else f"if ({condition})", then)
        if other is None:
            return lines
        if self.language == "python":
            return [*lines, *self.braced("else", other)]
        return [*lines[:-1], *self.braced("} else", other)]

    def while_(self, condition: str, body: list[str]) -> list[str]:
        """A loop with a condition."""
        heads = {"python": f"while {condition}", "go": f"for {condition}"}
        return self.braced(heads.get(self.language, f"while ({condition})"), body)

    def forever(self, body: list[str]) -> list[str]:
        """A loop without an end."""
        heads = {"python": "while True", "go": "for", "c": "while (1)"}
        return self.braced(heads.get(self.language, "while (true)"), body)

    def end(self, statement: str) -> str:
        """A simple statement with what ends it."""
        return statement if self.language in {"python", "go"} else f"{statement};"

    def replaced(self, node: int, lines: list[str]) -> list[TextEdit]:
        """Replace a statement by lines, indented like it."""
        program = self.program
        start, end = program.starts[node], program.ends[node]
        text = f"\n{self.base(node)}".join(lines)
        return [TextEdit(start, end, text)]


Places = list[list[TextEdit]]


def for_to_while(writer: Writer) -> Places:
    """``for (a; b; c)`` becomes ``while (b)``; a loop over elements one over positions."""
    if writer.language == "python":
        return _python_loops(writer)
    if writer.language == "go":
        return _go_loops(writer)
    program, places = writer.program, []
    for node in writer.nodes("for_statement"):
        parts: dict[str, list[int]] = {}
        for child in program.children(node):
            if program.named[child] and program.fields[child]:
                parts.setdefault(program.fields[child], []).append(child)
        first = parts.get("initializer", []) + parts.get("init", [])
        condition, body = parts.get("condition", []), parts.get("body", [])
        update = parts.get("update", []) + parts.get("increment", [])
        if len(condition) != 1 or len(body) != 1 or "continue_statement" in writer.kinds_in(node):
            continue
        if program.kinds[condition[0]] in {"expression_statement", "empty_statement"}:
            inner = program.named_children(condition[0])
            if len(inner) != 1:
                continue
            condition = inner
        before = [f"{program.text(i).rstrip().rstrip(';')};" for i in first]
        before = [] if before == [";"] else before
        after = [f"{program.text(i)};" for i in update]
        loop = writer.while_(program.text(condition[0]), [*writer.inner(body[0]), *after])
        declares = any("declaration" in program.kinds[i] for i in first)
        if before and (declares or not writer.in_block(node)):
            lines = ["{", *writer.indented([*before, *loop]), "}"]
        else:
            lines = [*before, *loop]
        places.append(writer.replaced(node, lines))
    return places + _element_loops(writer)


def _element_loops(writer: Writer) -> Places:
    """Loops over elements in Java, JavaScript and TypeScript."""
    program, places = writer.program, []
    for node in writer.nodes("enhanced_for_statement", "for_in_statement"):
        body = program.child(node, "body")
        head = program.slice(program.starts[node], program.starts[body])
        if program.kinds[node] == "enhanced_for_statement":
            kind, name = program.child(node, "type"), program.child(node, "name")
            if min(kind, name) < 0 or not writer.in_block(node):
                continue
            values = program.text(program.child(node, "value"))
            if program.kinds[kind].endswith("_type") and "generic" not in program.kinds[kind]:
                place = writer.fresh.take()
                taken = f"{program.text(kind)} {program.text(name)} = {values}[{place}];"
                head = f"for (int {place} = 0; {place} < {values}.length; {place}++)"
                lines = writer.braced(head, [taken, *writer.inner(body)])
            else:
                place = writer.fresh.take()
                taken = f"{program.text(kind)} {program.text(name)} = {place}.next();"
                lines = [
                    f"Iterator<{program.text(kind)}> {place} = {values}.iterator();",
                    *writer.while_(f"{place}.hasNext()", [taken, *writer.inner(body)]),
                ]
        else:
            left, right = program.child(node, "left"), program.child(node, "right")
            simple = program.kinds[right] in {"identifier", "member_expression"}
            if " of " not in head or "await" in head or not simple:
                continue
            word = re.search(r"\b(const|let|var)\b", head)
            place, values = writer.fresh.take(), program.text(right)
            taken = f"{word[1] + ' ' if word else ''}{program.text(left)} = {values}[{place}];"
            head = f"for (let {place} = 0; {place} < {values}.length; {place}++)"
            lines = writer.braced(head, [taken, *writer.inner(body)])
        places.append(writer.replaced(node, lines))
    return places


def _go_loops(writer: Writer) -> Places:
    program, places = writer.program, []
    for node in writer.nodes("for_statement"):
        body = program.child(node, "body")
        inner = [i for i in program.named_children(node) if i != body]
        if len(inner) != 1 or body < 0 or not writer.in_block(node):
            continue
        if program.kinds[inner[0]] == "for_clause":
            first, condition, update = (
                program.child(inner[0], name) for name in ("initializer", "condition", "update")
            )
            if min(first, condition, update) < 0 or "continue_statement" in writer.kinds_in(node):
                continue
            loop = writer.while_(
                program.text(condition), [*writer.inner(body), program.text(update)]
            )
            lines = ["{", *writer.indented([program.text(first), *loop]), "}"]
        elif program.kinds[inner[0]] == "range_clause":
            left, right = program.child(inner[0], "left"), program.child(inner[0], "right")
            simple = {"identifier", "selector_expression"}
            if left < 0 or program.kinds[right] not in simple or ":=" not in program.text(inner[0]):
                continue
            names = [program.text(i) for i in program.named_children(left)]
            place = writer.fresh.take() if names[0] == "_" else names[0]
            values = program.text(right)
            taken = [f"{names[1]} := {values}[{place}]"] if len(names) == 2 else []
            head = f"for {place} := 0; {place} < len({values}); {place}++"
            lines = writer.braced(head, [*taken, *writer.inner(body)])
        else:
            continue
        places.append(writer.replaced(node, lines))
    return places


def _python_loops(writer: Writer) -> Places:
    program, places = writer.program, []
    for node in writer.nodes("for_statement"):
        left, right, body = (program.child(node, name) for name in ("left", "right", "body"))
        is_async = program.text(node).startswith("async")
        if program.child(node, "alternative") >= 0 or is_async or min(left, right, body) < 0:
            continue
        values = program.text(right)
        counted = re.fullmatch(r"range\(([^(),]+)\)", values)
        jumps = "continue_statement" in writer.kinds_in(body)
        if counted and program.kinds[left] == "identifier" and not jumps:
            name = program.text(left)
            lines = [
                f"{name} = 0",
                *writer.while_(f"{name} < {counted[1]}", [*writer.inner(body), f"{name} += 1"]),
            ]
        else:
            place = writer.fresh.take()
            taken = [
                *writer.braced("try", [f"{program.text(left)} = next({place})"]),
                *writer.braced("except StopIteration", ["break"]),
            ]
            loop = writer.forever([*taken, *writer.inner(body)])
            if program.kinds[right] == "expression_list":
                values = f"({values})"
            lines = [f"{place} = iter({values})", *loop]
        places.append(writer.replaced(node, lines))
    return places


def while_to_for(writer: Writer) -> Places:
    """``while (a)`` becomes ``for (; a; )``, or a loop without an end that it leaves."""
    program, places = writer.program, []
    for node in writer.nodes("while_statement", "for_statement"):
        body = program.child(node, "body")
        if program.kinds[node] == "for_statement":
            inner = [i for i in program.named_children(node) if i != body]
            clauses = {"for_clause", "range_clause"}
            if writer.language != "go" or len(inner) != 1 or program.kinds[inner[0]] in clauses:
                continue
            condition = inner[0]
        else:
            condition = program.child(node, "condition")
        if min(condition, body) < 0 or program.child(node, "alternative") >= 0:
            continue
        text = program.text(writer.bare(condition))
        if text in {"true", "True", "1"}:
            continue
        if writer.language in {"python", "go"}:
            leave = writer.if_(writer.negated(condition), ["break"])
            lines = writer.forever([*leave, *writer.inner(body)])
        else:
            lines = writer.braced(f"for (; {text}; )", writer.inner(body))
        places.append(writer.replaced(node, lines))
    return places


def do_to_while(writer: Writer) -> Places:
    """``do a while (b)`` becomes a loop without an end that it leaves."""
    program, places = writer.program, []
    for node in writer.nodes("do_statement"):
        body, condition = program.child(node, "body"), program.child(node, "condition")
        if min(body, condition) < 0 or "continue_statement" in writer.kinds_in(body):
            continue
        leave = writer.if_(writer.negated(condition), ["break;"])
        lines = writer.forever([*writer.inner(body), *leave])
        places.append(writer.replaced(node, lines))
    return places


def _branches(writer: Writer, node: int) -> tuple[int, int, int] | None:
    """Condition, first and second branch of an ``if``; -1 where there is no second."""
    program = writer.program
    condition, then = program.child(node, "condition"), program.child(node, "consequence")
    others = [i for i in program.children(node) if program.fields[i] == "alternative"]
    if min(condition, then) < 0 or len(others) > 1 or program.child(node, "initializer") >= 0:
        return None
    if not others:
        return condition, then, -1
    other = others[0]
    if program.kinds[other] == "elif_clause":
        return None
    if program.kinds[other] == "else_clause":
        inner = program.named_children(other)
        if len(inner) != 1:
            return None
        other = inner[0]
    return condition, then, other


def swap_branches(writer: Writer) -> Places:
    """``if (a) b else c`` becomes ``if (!a) c else b``."""
    program, places = writer.program, []
    for node in writer.nodes("if_statement"):
        found = _branches(writer, node)
        if found is None or found[2] < 0:
            continue
        condition, then, other = found
        if "comment" in "".join(program.kinds[i] for i in program.children(node)):
            continue
        lines = writer.if_(writer.negated(condition), writer.inner(other), writer.inner(then))
        places.append(writer.replaced(node, lines))
    return places


def split_condition(writer: Writer) -> Places:
    """``if (a && b)`` becomes two conditions, one inside the other."""
    program, places = writer.program, []
    for node in writer.nodes("if_statement"):
        found = _branches(writer, node)
        if found is None or found[2] >= 0:
            continue
        whole = writer.bare(found[0])
        children = program.children(whole)
        if len(children) != 3 or program.text(children[1]) not in {"&&", "and"}:
            continue
        one, two = (program.text(writer.bare(i)) for i in (children[0], children[2]))
        lines = writer.if_(one, writer.if_(two, writer.inner(found[1])))
        places.append(writer.replaced(node, lines))
    return places


def join_conditions(writer: Writer) -> Places:
    """A condition alone inside another becomes one condition."""
    program, places = writer.program, []
    word = "and" if writer.language == "python" else "&&"
    for node in writer.nodes("if_statement"):
        found = _branches(writer, node)
        if found is None or found[2] >= 0:
            continue
        inside = [i for i in program.children(found[1]) if program.named[i]]
        if writer.language == "go" and len(inside) == 1:
            inside = [i for i in program.children(inside[0]) if program.named[i]]
        if len(inside) != 1 or program.kinds[inside[0]] != "if_statement":
            continue
        below = _branches(writer, inside[0])
        if below is None or below[2] >= 0:
            continue
        one, two = (writer.atom(writer.bare(i)) for i in (found[0], below[0]))
        lines = writer.if_(f"{one} {word} {two}", writer.inner(below[1]))
        places.append(writer.replaced(node, lines))
    return places


def nest_else_if(writer: Writer) -> Places:
    """``else if`` becomes a condition in a block."""
    program, places = writer.program, []
    if writer.language == "python":
        return _nest_elif(writer)
    for node in writer.nodes("if_statement"):
        found = _branches(writer, node)
        if found is None or found[2] < 0 or program.kinds[found[2]] != "if_statement":
            continue
        other = found[2]
        base = writer.base(node)
        text = textwrap.dedent(base + program.text(other))
        lines = ["{", *writer.indented(text.split("\n")), "}"]
        joined = f"\n{base}".join(line for line in lines if line.strip())
        places.append([TextEdit(program.starts[other], program.ends[other], joined)])
    return places


def _nest_elif(writer: Writer) -> Places:
    program, places = writer.program, []
    for node in writer.nodes("if_statement"):
        others = [i for i in program.children(node) if program.fields[i] == "alternative"]
        if not others or program.kinds[others[0]] != "elif_clause":
            continue
        condition, then = program.child(node, "condition"), program.child(node, "consequence")
        base = program.indentation(program.starts[node])
        if base is None:
            continue
        rest = base + program.slice(program.starts[others[0]] + 2, program.ends[node])
        inner = textwrap.dedent(rest).split("\n")  # "elif" without "el" is "if"
        lines = writer.if_(program.text(condition), writer.inner(then), inner)
        places.append(writer.replaced(node, [line for line in lines if line.strip()]))
    return places


def drop_else(writer: Writer) -> Places:
    """What follows ``else`` moves behind a branch that ends with a jump."""
    program, places = writer.program, []
    for node in writer.nodes("if_statement"):
        found = _branches(writer, node)
        if found is None or found[2] < 0 or not writer.in_block(node):
            continue
        condition, then, other = found
        last = program.named_children(then)[-1:] if program.sizes[then] > 1 else []
        if writer.language == "go" and last:
            last = program.named_children(last[0])[-1:]
        if not last or program.kinds[last[0]] not in _JUMPS:
            continue
        if any("declaration" in program.kinds[i] for i in program.inside(other)):
            continue
        lines = writer.if_(program.text(writer.bare(condition)), writer.inner(then))
        places.append(writer.replaced(node, [*lines, *writer.inner(other)]))
    return places


def mirror_comparisons(writer: Writer) -> Places:
    """``a < b`` becomes ``b > a``."""
    program, places = writer.program, []
    for node in writer.nodes("binary_expression", "comparison_operator"):
        compared = writer.comparison(node)
        if compared is None or writer.kinds_in(node) & _ACTING:
            continue
        left, operator, right = compared
        text = f"{writer.atom(right)} {_MIRRORED[operator]} {writer.atom(left)}"
        places.append([program.replaced(node, text)])
    return places


def spell_out_choices(writer: Writer) -> Places:
    """``return a ? b : c`` and ``x = a ? b : c`` become a condition with two branches."""
    program, places = writer.program, []
    for node in writer.nodes("return_statement", "expression_statement"):
        if not writer.in_block(node) or writer.language == "go":
            continue
        inner = program.named_children(node)
        if len(inner) != 1:
            continue
        value, head = inner[0], "return "
        if program.kinds[node] == "expression_statement":
            if program.kinds[value] not in {"assignment_expression", "assignment"}:
                continue
            left, right = program.child(value, "left"), program.child(value, "right")
            plain = program.slice(program.ends[left], program.starts[right]).strip() == "="
            if min(left, right) < 0 or not plain or writer.kinds_in(left) & _ACTING:
                continue
            value, head = right, f"{program.text(left)} = "
        value = writer.bare(value)
        if program.kinds[value] not in {"conditional_expression", "ternary_expression"}:
            continue
        parts = program.named_children(value)
        if len(parts) != 3:
            continue
        if writer.language == "python":
            parts = [parts[1], parts[0], parts[2]]
        one, two = ([writer.end(head + program.text(writer.bare(i)))] for i in parts[1:])
        condition = program.text(writer.bare(parts[0]))
        places.append(writer.replaced(node, writer.if_(condition, one, two)))
    return places


def spell_out_updates(writer: Writer) -> Places:
    """``a += b`` becomes ``a = a + b``, and ``a++`` becomes ``a += 1`` as a statement."""
    program, places = writer.program, []
    kinds = (
        *("assignment_expression", "augmented_assignment_expression", "augmented_assignment"),
        *("assignment_statement", "update_expression", "inc_statement", "dec_statement"),
    )
    statements = {"expression_statement", "for_statement", "for_clause", "statement_list"}
    for node in writer.nodes(*kinds):
        if program.kinds[program.parents[node]] not in statements:
            continue
        text = program.text(node)
        single = re.fullmatch(r"([A-Za-z_]\w*)(\+\+|--)", text)
        if single:
            places.append([program.replaced(node, f"{single[1]} {single[2][0]}= 1")])
            continue
        left, right = program.child(node, "left"), program.child(node, "right")
        if min(left, right) < 0 or writer.kinds_in(left) & _ACTING:
            continue
        operator = program.slice(program.ends[left], program.starts[right]).strip()
        if operator not in {"+=", "-=", "*=", "/=", "|=", "&="}:
            continue
        value = program.text(right)
        if writer.language == "python" and not _NUMBER.match(value):
            continue  # a list would be another list
        simple = program.kinds[right] in _ATOMS or _NUMBER.match(value)
        value = value if simple else f"({value})"
        new = f"{program.text(left)} = {program.text(left)} {operator[:-1]} {value}"
        places.append([program.replaced(node, new)])
    return places


def _written(writer: Writer, node: int) -> set[str] | None:
    """The names that a simple statement may set; None if that is unclear."""
    program = writer.program
    targets: list[int] = []
    for i in program.inside(node):
        if program.kinds[i] in _DECLARED:
            targets += [
                i for i in program.children(i) if program.fields[i] in {"declarator", "name"}
            ]
            if not targets:
                targets.append(program.children(i)[0])
        elif program.kinds[i] in _ASSIGNED:
            targets.append(program.child(i, "left"))
    if not targets or min(targets) < 0:
        return None
    return {name for one in targets for name in _names(writer, one)}


def _names(writer: Writer, node: int) -> set[str]:
    program = writer.program
    return {
        program.text(i) for i in program.inside(node) if program.kinds[i].endswith("identifier")
    }


def swap_statements(writer: Writer) -> Places:
    """Neighbouring statements that do not depend on each other change places."""
    program, places = writer.program, []
    for block in writer.nodes(*writer.blocks):
        children = [i for i in program.children(block) if program.named[i]]
        place = 0
        while place + 1 < len(children):
            one, two = children[place : place + 2]
            if _independent(writer, one, two):
                places.append(
                    [
                        program.replaced(one, program.text(two)),
                        program.replaced(two, program.text(one)),
                    ]
                )
                place += 1
            place += 1
    return places


def _independent(writer: Writer, one: int, two: int) -> bool:
    program = writer.program
    if not {program.kinds[one], program.kinds[two]} <= _MOVABLE:
        return False
    if program.text(one) == program.text(two):
        return False
    if any(program.indentation(program.starts[i]) is None for i in (one, two)):
        return False
    first, second = _written(writer, one), _written(writer, two)
    if first is None or second is None:
        return False
    if first & _names(writer, two) or second & _names(writer, one):
        return False
    sides = ((one, two, second), (two, one, first))
    for here, there, set_there in sides:
        acts = bool(writer.kinds_in(here) & (_ACTING - {"assignment_expression"}))
        reaches = bool(writer.kinds_in(there) & (_REACHING | _ACTING - {"assignment_expression"}))
        if acts and (reaches or not _is_constant(writer, there, set_there)):
            return False
        if reaches and any(program.kinds[i] in _REACHING for i in program.inside(here)):
            return False  # both may mean the same place
    return True


def _is_constant(writer: Writer, node: int, written: set[str]) -> bool:
    """Whether a statement gives new variables values that nothing else can change."""
    kind = writer.program.kinds[node]
    new = "declaration" in kind or writer.language == "python"
    return new and {name for name in _names(writer, node) if name != "const"} == written


Restructuring = Callable[[Writer], Places]
RESTRUCTURINGS: dict[str, tuple[Restructuring, str]] = {
    "for to while": (for_to_while, "loops"),
    "while to for": (while_to_for, "loops"),
    "do to while": (do_to_while, "loops"),
    "swapped branches": (swap_branches, "conditions"),
    "split condition": (split_condition, "conditions"),
    "joined conditions": (join_conditions, "conditions"),
    "nested else if": (nest_else_if, "conditions"),
    "dropped else": (drop_else, "conditions"),
    "mirrored comparisons": (mirror_comparisons, "conditions"),
    "spelled out choices": (spell_out_choices, "conditions"),
    "spelled out updates": (spell_out_updates, "order"),
    "swapped statements": (swap_statements, "order"),
}


def writer_of(source: Source, chance: random.Random) -> Writer:
    """What restructurings need to know about a text."""
    program = program_of(source, source.language.rewriting or Rewriting())
    return Writer(program, FreshNames(program.words, chance))


def restructured(
    source: Source, chance: random.Random, *, least: int = 3, most: int = 6
) -> tuple[str, list[str]] | None:
    """A program with several different restructurings, and their names.

    Parameters
    ----------
    source : Source
    chance : random.Random
    least, most : int
        How many different ones; each is made wherever it applies.

    Returns
    -------
    (str, list of str) or None
        None if fewer than `least` apply, or all of them to only one of loops, conditions and order.

    Examples
    --------
    >>> text = '''int f(int n) {
    ...     int s = 0;
    ...     int k = 1;
    ...     for (int i = 0; i < n; i++) {
    ...         s += i * k;
    ...     }
    ...     return s;
    ... }
    ... '''
    >>> new, names = restructured(Source(text, "c"), random.Random(1), most=9)
    >>> sorted(names)
    ['for to while', 'mirrored comparisons', 'spelled out updates', 'swapped statements']
    >>> print(new, end="")
    int f(int n) {
        int k = 1;
        int s = 0;
        {
            int i = 0;
            while (n > i) {
                s = s + (i * k);
                i += 1;
            }
        }
        return s;
    }
    """
    names = list(RESTRUCTURINGS)
    chance.shuffle(names)
    made: list[str] = []
    for name in names:
        if len(made) == most:
            break
        # What one has just made, its inverse would undo.
        if name in _UNDONE and _UNDONE[name] in made:
            continue
        new = changed(source, name, chance)
        if new is not None:
            source, made = new, [*made, name]
    groups = {RESTRUCTURINGS[name][1] for name in made}
    if len(made) < least or len(groups) < 2:
        return None
    return source.text, made


_UNDONE = {
    "while to for": "for to while",
    "for to while": "while to for",
    "split condition": "joined conditions",
    "joined conditions": "split condition",
}


def changed(source: Source, name: str, chance: random.Random) -> Source | None:
    """A program after one restructuring at every place; None if there is none."""
    edits: list[TextEdit] = []
    for place in RESTRUCTURINGS[name][0](writer_of(source, chance)):
        if all(_apart(one, other) for one in place for other in edits):
            edits += place
    if not edits:
        return None
    after = Source(apply_edits(source.data, edits), source.language)
    if len(after.problems) > len(source.problems) or after.text == source.text:
        return None
    return after


def _apart(one: TextEdit, other: TextEdit) -> bool:
    return one.end <= other.start or other.end <= one.start
