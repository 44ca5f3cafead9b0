"""Copies as people adapt them: any statement changed, and the names of the function's own renamed.

C, Java, Go, Python, JavaScript and TypeScript are supported, as in restructuring.py. A statement is
a child of a block, so one with others inside of it is one, too.
"""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass, field

from codekin import Source
from codekin.languages.rewriting import Rewriting
from codekin.rewrite import rewrite
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import Program, TextEdit, apply_edits, program_of
from restructuring import Writer, writer_of

_ATTEMPTS = 12
_CONDITIONAL = {"if_statement", "while_statement", "elif_clause", "do_statement"}
_GO_BINDERS = {
    "parameter_declaration": "name",
    "variadic_parameter_declaration": "name",
    "var_spec": "name",
    "short_var_declaration": "left",
    "range_clause": "left",
}


def is_clean(source: Source) -> bool:
    """Whether a text has no syntax error, for Python by its own parser, which is stricter."""
    if source.problems:
        return False
    if source.language.name == "python":
        try:
            ast.parse(source.text)
        except (SyntaxError, ValueError):
            return False
    return True


def statements(writer: Writer) -> list[int]:
    """The statements of all blocks, without documentation.

    Examples
    --------
    >>> source = Source("if (a) {\\n  b();\\n  c();\\n}\\n", "javascript")
    >>> writer = writer_of(source, random.Random(0))
    >>> [writer.program.text(node) for node in statements(writer)]
    ['b();', 'c();']
    """
    program = writer.program
    documented = {program.parents[node] for node in program.docstrings}
    return [
        node
        for node in range(1, len(program))
        if program.kinds[program.parents[node]] in writer.blocks
        and program.is_content(node)
        and node not in documented
    ]


def conditions(source: Source) -> list[str]:
    """The conditions of branches and loops on one line, without brackets around them."""
    writer = writer_of(source, random.Random(0))
    found = []
    for node in writer.nodes(*_CONDITIONAL):
        condition = writer.program.child(node, "condition")
        if condition >= 0:
            text = writer.program.text(writer.bare(condition))
            found += [text] if "\n" not in text and ":=" not in text else []
    return found


def with_other_statements(
    source: Source,
    wanted: int,
    foreign_lines: list[str],
    foreign_conditions: list[str],
    chance: random.Random,
) -> tuple[Source, list[str]] | None:
    """A text with some statements dropped, replaced, added or given another condition.

    A statement counts with all that are inside of it, and is changed at most once. None if twelve
    attempts give no text without a syntax error.
    """
    writer = writer_of(source, random.Random(0))
    if not statements(writer):
        return None
    for _ in range(_ATTEMPTS):
        changes = _Changes(writer, foreign_lines, foreign_conditions, chance)
        while changes.count < wanted:
            changes.change(wanted - changes.count)
        after = Source(apply_edits(source.data, changes.edits), source.language)
        if is_clean(after):
            return after, [f"{n} {name}" for name, n in changes.counts.items() if n]
    return None


@dataclass
class _Changes:
    """Edits that change some statements of a program."""

    writer: Writer
    lines: list[str]
    conditions: list[str]
    chance: random.Random
    edits: list[TextEdit] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counts = dict.fromkeys(("dropped", "replaced", "added", "other conditions"), 0)
        self._nodes = statements(self.writer)
        self._all = set(self._nodes)
        self._changed: set[int] = set()
        self._gone: set[int] = set()

    @property
    def count(self) -> int:
        """How many statements were changed so far."""
        return sum(self.counts.values())

    def change(self, most: int) -> None:
        """Make a change of at most some statements."""
        action = self.chance.choice(list(self.counts))
        left = [node for node in self._nodes if node not in self._changed]
        if action == "added" or not left:
            self._add(most)
            return
        node = self.chance.choice(left)
        inside = self._all & set(self.writer.program.inside(node))
        if action == "other conditions" or len(inside) > most:
            if not self._change_condition(node) and len(inside) > most:
                self._changed.add(node)
        elif not inside & self._changed and not self._is_reached(node):
            self._remove(node, inside, action)

    def _is_reached(self, node: int) -> bool:
        """Whether the place of a statement has an edit."""
        program = self.writer.program
        start, end = program.starts[node], program.ends[node]
        return any(edit.start <= end and start <= edit.end for edit in self.edits)

    def _change_condition(self, node: int) -> bool:
        program = self.writer.program
        condition = program.child(node, "condition")
        if condition < 0 or not self.conditions or "\n" in program.text(condition):
            return False
        other = self.chance.choice(self.conditions)
        self.edits.append(program.replaced(self.writer.bare(condition), other))
        self._changed.add(node)
        self.counts["other conditions"] += 1
        return True

    def _add(self, most: int) -> None:
        anchors = [node for node in self._nodes if node not in self._gone]
        if not anchors:
            self.counts["dropped"] += most  # nothing is left
            return
        node = self.chance.choice(anchors)
        program, line = self.writer.program, self.chance.choice(self.lines)
        before = self.chance.random() < 0.5
        place, base = program.starts[node] if before else program.ends[node], self.writer.base(node)
        if any(edit.start < place < edit.end for edit in self.edits):
            return  # behind the last statement of a block, which is gone
        text = f"{line}\n{base}" if before else f"\n{base}{line}"
        self.edits.append(TextEdit(place, place, text))
        self.counts["added"] += 1

    def _remove(self, node: int, inside: set[int], action: str) -> None:
        program = self.writer.program
        siblings = set(program.children(program.parents[node])) & self._all
        alone = siblings <= self._gone | {node}
        if action == "replaced" or alone:
            self.edits.append(program.replaced(node, self.chance.choice(self.lines)))
            self.counts["replaced"] += len(inside)
        else:
            start, end = program.starts[node], program.ends[node]
            line, line_end = program.line_start(start), program.line_end(end)
            if not program.slice(line, start).strip() and not program.slice(end, line_end).strip():
                start, end = line, min(line_end + 1, len(program.data))
            self.edits.append(TextEdit(start, end, ""))
            self.counts["dropped"] += len(inside)
        self._changed |= inside
        self._gone |= inside


def with_new_names(source: Source, function: str, chance: random.Random) -> str | None:
    """A text with other names for all parameters, local variables and the function itself.

    Examples
    --------
    >>> source = Source("def double(x):\\n    return 2 * x.size\\n", "python")
    >>> print(with_new_names(source, "double", random.Random(1)), end="")
    def basil(zephyr):
        return 2 * zephyr.size
    """
    if source.language.name == "go":
        changed = _renamed_go_locals(source, chance)
    else:
        changed = rewrite(source, "locals", chance.getrandbits(32))
    if changed is None:
        return None
    after = Source(changed, source.language)
    program = program_of(after, after.language.rewriting or Rewriting())
    name = FreshNames(program.words, chance).take()
    edits = [
        program.replaced(node, name)
        for node in range(1, len(program))
        if program.sizes[node] == 1
        and program.kinds[node].endswith("identifier")
        and program.text(node) == function
    ]
    return apply_edits(after.data, edits)


def _renamed_go_locals(source: Source, chance: random.Random) -> str | None:
    program = program_of(source, Rewriting())
    names = {
        program.text(node)
        for outer, kind in enumerate(program.kinds)
        if kind in _GO_BINDERS
        for node in _go_names(program, outer, _GO_BINDERS[kind])
    } - {"_"}
    fresh = FreshNames(program.words, chance)
    new_names = {name: fresh.take() for name in sorted(names)}
    edits = [
        program.replaced(node, new_names[program.text(node)])
        for node, kind in enumerate(program.kinds)
        if kind == "identifier"
        and program.text(node) in new_names
        and program.kinds[program.parents[program.parents[node]]] != "keyed_element"
    ]
    return apply_edits(source.data, edits) if edits else None


def _go_names(program: Program, node: int, name: str) -> list[int]:
    named = [child for child in program.children(node) if program.fields[child] == name]
    return [
        inner
        for child in named
        for inner in ([child] if program.sizes[child] == 1 else program.children(child))
        if program.kinds[inner] == "identifier"
    ]
