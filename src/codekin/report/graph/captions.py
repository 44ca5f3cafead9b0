"""What is written on the nodes of a drawing, and how much room it takes."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import east_asian_width

from codekin.plain_text import plain_line
from codekin.represent.graph.export import excerpt
from codekin.represent.graph.parts import Node
from codekin.results import count_text

__all__ = [
    "HEIGHT",
    "LOW",
    "Caption",
    "caption",
    "function_caption",
    "pair_caption",
    "syntax_caption",
    "text_width",
]

HEIGHT, LOW = 38.0, 26.0
"""How high a node is with its code, and without."""
_LINE = 13.0
_LABEL, _CODE = 7.3, 6.35
"""How wide a character of either line is."""
_LONGEST_LABEL, _LONGEST_CODE = 26, 30
_LEAST = 54.0


@dataclass(frozen=True)
class Caption:
    """The lines on a node: what it does, and the code that says so.

    Attributes
    ----------
    label, code : str
        The code is empty for nodes that stand for no piece of it.
    width, height : float
        Of the node around them.
    other : str
        The code of another program that does the same, where it is written differently.
    """

    label: str
    code: str
    width: float
    height: float
    other: str = ""


def caption(node: Node) -> Caption:
    """What to write on a node.

    Examples
    --------
    >>> caption(Node(3, "call", "call:len", "main", 4, 13, 2, "len(words)"))
    Caption(label='call:len', code='2 len(words)', width=94.2, height=38.0, other='')
    """
    return _caption(node.label, _code(node, str(node.line)), "")


def pair_caption(one: Node, other: Node) -> Caption:
    """What to write on a node that stands for one of each of two programs.

    Examples
    --------
    >>> one = Node(3, "assign", "=", "f", 4, 9, 2, "a = 1")
    >>> other = Node(4, "assign", "=", "f", 4, 9, 3, "b = 1")
    >>> pair_caption(one, other)
    Caption(label='=', code='2 a = 1', width=62.4, height=51.0, other='3 b = 1')
    >>> pair_caption(one, one).code
    '2 a = 1'
    """
    lines = str(one.line) if one.line == other.line else f"{one.line}·{other.line}"
    if "".join(one.text.split()) == "".join(other.text.split()):
        return _caption(one.label, _code(one, lines), "")
    return _caption(one.label, _code(one, str(one.line)), _code(other, str(other.line)))


def function_caption(name: str, line: int) -> Caption:
    """What to write on a function in an overview.

    Examples
    --------
    >>> function_caption("count_words", 12)
    Caption(label='count_words', code='line 12', width=98.3, height=38.0, other='')
    """
    return _caption(name or "(no name)", f"line {line:,}", "")


def syntax_caption(kind: str, text: str, hidden: int = 0) -> Caption:
    """What to write on a node of a syntax tree: its kind, and the code of a leaf.

    Examples
    --------
    >>> syntax_caption("identifier", "total")
    Caption(label='identifier', code='total', width=91.0, height=38.0, other='')
    >>> syntax_caption("block", "", hidden=12).code
    '… 12 nodes'
    """
    code = f"… {count_text(hidden, 'node')}" if hidden else excerpt(text, _LONGEST_CODE)
    return _caption(kind, code, "")


def _code(node: Node, lines: str) -> str:
    return f"{lines} {excerpt(plain_line(node.text), _LONGEST_CODE)}" if node.text else ""


def _caption(name: str, code: str, other: str) -> Caption:
    label = excerpt(plain_line(name), _LONGEST_LABEL)
    wide = max(_LABEL * text_width(label), *(_CODE * text_width(line) for line in (code, other)))
    height = (HEIGHT if code else LOW) + (_LINE if other else 0)
    return Caption(label, code, round(max(_LEAST, wide + 18), 1), height, other)


def text_width(text: str) -> int:
    """How many columns a text takes.

    Examples
    --------
    >>> text_width("名 = 1")
    6
    """
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)
