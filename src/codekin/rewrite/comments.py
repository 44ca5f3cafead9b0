"""The change ``comments``: comments of several kinds between statements."""

from __future__ import annotations

import random
import re

from codekin.rewrite.facts import FACTS
from codekin.rewrite.syntax import Edit, Syntax

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
_CODING = re.compile(rb"\s*#")


def add_comments(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Edits that add comments before statements, and behind them at the end of a line."""
    facts = FACTS[syntax.source.language.name]
    edits = []
    places: list[tuple[int, int]] = []
    for node in range(1, len(syntax)):
        if syntax.kinds[syntax.parents[node]] in facts.blocks and _is_statement(syntax, node):
            places.append((syntax.starts[node], syntax.ends[node]))
    for start, end in places:
        if chance.random() < _SHARE:
            edits += _comment(syntax, facts.line_comment, start, end, chance)
    chance.shuffle(places)
    for start, end in places:  # where the share was empty, the first place that will do
        if edits:
            break
        edits += _comment(syntax, facts.line_comment, start, end, chance)
        edits += [] if edits else _behind(syntax, facts.line_comment, end, _REMARKS[0])
    return _apart(edits)


def _is_statement(syntax: Syntax, node: int) -> bool:
    kind = syntax.kinds[node]
    named = syntax.source.tree.grammar.named[syntax.source.tree.kind[node]]
    return bool(named) and "comment" not in kind and not kind.startswith(("preproc", "hash_bang"))


def _apart(edits: list[Edit]) -> list[Edit]:
    """One edit at most for each place."""
    return list({edit.start: edit for edit in edits}.values())


def _comment(syntax: Syntax, mark: str, start: int, end: int, chance: random.Random) -> list[Edit]:
    """A comment on the line before a statement, or behind it."""
    remark, behind = chance.choice(_REMARKS), chance.random() < 0.3
    if behind:
        return _behind(syntax, mark, end, remark)
    indentation = syntax.indentation(start)
    if indentation is None or not _is_free(syntax, start):
        return []
    form = chance.choice(("line", "line", "lines", "block", "document"))
    line = syntax.line_start(start)
    newline = syntax.newline
    if mark == "#" or form.startswith("line"):
        remarks = [remark] if form in {"line", "block"} else [remark, chance.choice(_REMARKS)]
        text = "".join(f"{indentation}{mark} {r}{newline}" for r in remarks)
    elif form == "block":
        text = f"{indentation}/* {remark} */{newline}"
    else:
        text = newline.join(
            (f"{indentation}/**", f"{indentation} * {remark}.", f"{indentation} */", "")
        )
    return [Edit(line, line, text)]


def _behind(syntax: Syntax, mark: str, end: int, remark: str) -> list[Edit]:
    """A comment at the end of the line, if nothing else stands there."""
    line_end = syntax.line_end(end)
    if syntax.slice(end, line_end).strip() or syntax.in_directive(end, line_end):
        return []
    return [Edit(end, end, f"  {mark} {remark}")]


def _is_free(syntax: Syntax, start: int) -> bool:
    """Whether a line can be put before that of a statement."""
    line = syntax.line_start(start)
    if syntax.in_directive(line, start) or syntax.is_joined(start):
        return False
    # A shebang or a declaration of the encoding must stay on the first lines.
    return syntax.source.language.name != "python" or not (
        syntax.data.count(b"\n", 0, line) < 2 and _CODING.match(syntax.data)
    )
