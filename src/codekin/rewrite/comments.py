"""The change ``comments``: add comments of several kinds between statements."""

from __future__ import annotations

import random

from codekin.languages.lexical import BlockComment
from codekin.rewrite.program import Program, TextEdit

__all__ = ["add_comments"]

_REMARKS = (
    "next step",
    "handled below",
    "see the notes on this part",
    "keep this simple",
    "values are checked by the caller",
    "nothing special here",
    "the order matters",
    "Note: find a better name",
    "NOTE: read with care",
    "this part is called often",
    "the usual case first",
    "cheap enough as it is",
)
_SHARE = 0.4


def add_comments(program: Program, chance: random.Random) -> list[TextEdit]:
    """Add comments before statements, and after them at the end of a line."""
    facts, edits = program.facts, []
    places: list[tuple[int, int]] = []
    for node in range(1, len(program)):
        kind, above = program.kinds[node], program.kinds[program.parents[node]]
        is_statement = program.is_content(node) and kind not in facts.not_statements
        if above in facts.blocks and is_statement:
            places.append((program.starts[node], program.ends[node]))
    for start, end in places:
        if chance.random() < _SHARE:
            edits += _comment(program, start, end, chance)
    chance.shuffle(places)
    for start, end in places:  # if none was chosen, take the first place that works
        if edits:
            break
        edits += _comment(program, start, end, chance)
        edits += [] if edits else _trailing_comment(program, end, _REMARKS[0])
    return _one_per_place(edits)


def _one_per_place(edits: list[TextEdit]) -> list[TextEdit]:
    """Keep at most one edit per place."""
    return list({edit.start: edit for edit in edits}.values())


def _comment(program: Program, start: int, end: int, chance: random.Random) -> list[TextEdit]:
    """Add a comment on the line before a statement, or after it."""
    remark, trailing = chance.choice(_REMARKS), chance.random() < 0.3
    if trailing:
        return _trailing_comment(program, end, remark)
    indentation = program.indentation(start)
    if indentation is None or not _is_free(program, start):
        return []
    form = chance.choice(("line", "line", "lines", "block", "document"))
    line = program.line_start(start)
    newline, block = program.newline, _block_comment(program)
    if block is None or form.startswith("line"):
        remarks = [remark] if form in {"line", "block"} else [remark, chance.choice(_REMARKS)]
        text = "".join(f"{indentation}{_line_comment(program, r)}{newline}" for r in remarks)
    elif form == "block":
        text = f"{indentation}{block.opening} {remark} {block.closing}{newline}"
    else:
        lines = (f"{block.opening}*", f" * {remark}.", f" {block.closing}")
        text = "".join(f"{indentation}{line}{newline}" for line in lines)
    return [TextEdit(line, line, text)]


def _block_comment(program: Program) -> BlockComment | None:
    """The language's block comment that is allowed anywhere, if it has one."""
    comments = program.language.lexical.block_comments
    return next((comment for comment in comments if not comment.line_start), None)


def _line_comment(program: Program, remark: str) -> str:
    """A comment on one line."""
    marks, block = program.language.lexical.line_comments, _block_comment(program)
    if marks or block is None:
        return f"{marks[0]} {remark}"
    return f"{block.opening} {remark} {block.closing}"


def _trailing_comment(program: Program, end: int, remark: str) -> list[TextEdit]:
    """Add a comment at the end of the line, if nothing else is there."""
    line_end = program.line_end(end)
    if program.slice(end, line_end).strip() or program.in_directive(end, line_end):
        return []
    return [TextEdit(end, end, f"  {_line_comment(program, remark)}")]


def _is_free(program: Program, start: int) -> bool:
    """Whether a line can be inserted before a statement."""
    line = program.line_start(start)
    if program.in_directive(line, start) or program.is_joined(start):
        return False
    # A shebang or an encoding declaration must stay on the first lines.
    marks = tuple(mark.encode() for mark in program.language.lexical.line_comments)
    is_heading = program.data.count(b"\n", 0, line) < program.facts.heading_lines
    return not (is_heading and program.data.lstrip().startswith(marks))
