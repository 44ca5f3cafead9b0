"""Comments, and strings that open a body and document it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin.languages.language import CLASS_MASK, SKIP, Language
from codekin.languages.token_classes import TokenClass
from codekin.represent.tree import FlatTree

__all__ = ["comment_nodes", "docstring_nodes"]

_BODIES = frozenset({"function_definition", "class_definition"})


def comment_nodes(tree: FlatTree, language: Language) -> list[int]:
    """Indices of the comments, and of the statements that are docstrings.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> from codekin.represent.tree import flatten
    >>> tree = flatten(PYTHON.grammars[0], b'"Say x."\\nx  # say it')
    >>> [tree.kind_name(i) for i in comment_nodes(tree, PYTHON)]
    ['comment', 'expression_statement']
    """
    entries = tree.grammar.token_table[tree.kind]
    is_comment = (entries & CLASS_MASK) == TokenClass.COMMENT
    found: list[int] = np.flatnonzero(is_comment & (entries != SKIP)).tolist()
    if language.docstrings:
        found += tree.parent[docstring_nodes(tree)].tolist()
    return found


def docstring_nodes(tree: FlatTree) -> npt.NDArray[np.int32]:
    r"""Indices of the strings that are docstrings of a module, class or function.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> from codekin.represent.tree import flatten
    >>> tree = flatten(PYTHON.grammars[0], b'def f():\n    "Say f."\n    return "f"')
    >>> [tree.kind_name(i) for i in docstring_nodes(tree)]
    ['string']
    """
    is_string = np.zeros(len(tree), dtype=np.bool_)
    for number in tree.grammar.kind_numbers.get("string", ()):
        is_string |= tree.kind == number
    strings = np.flatnonzero(is_string).tolist()
    return np.array([i for i in strings if _opens_a_body(tree, i)], dtype=np.int32)


def _opens_a_body(tree: FlatTree, string: int) -> bool:
    statement = int(tree.parent[string])
    if statement < 0 or tree.kind_name(statement) != "expression_statement":
        return False
    if tree.size[statement] != tree.size[string] + 1:
        return False
    body = int(tree.parent[statement])
    if body < 0:
        return False
    owner = int(tree.parent[body])
    is_module = tree.kind_name(body) == "module"
    is_block = tree.kind_name(body) == "block" and owner >= 0 and tree.kind_name(owner) in _BODIES
    if not (is_module or is_block):
        return False
    before = body + 1
    while before < statement and tree.kind_name(before) == "comment":
        before += int(tree.size[before])
    return before == statement
