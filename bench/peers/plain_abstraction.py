"""Abs by a plain script with javalang: the names of the tree, replaced wherever they occur.

javalang is what most clone detectors read Java with. There are no scopes: a name that is declared
as a variable anywhere is one everywhere, also where it is a method or a field of another class.
"""

from __future__ import annotations

import javalang
from javalang.tree import (
    CatchClauseParameter,
    FormalParameter,
    InferredFormalParameter,
    MethodDeclaration,
    Node,
    ReferenceType,
    TryResource,
    VariableDeclarator,
)

_FORMS: dict[type[Node], str] = {
    VariableDeclarator: "var",
    FormalParameter: "var",
    InferredFormalParameter: "var",
    CatchClauseParameter: "var",
    TryResource: "var",
    ReferenceType: "Type",
    MethodDeclaration: "fun",
}


def abstract_method(code: str) -> str:
    """A method with numbered names, its tokens separated by blanks."""
    tokens = list(javalang.tokenizer.tokenize(code))
    tree = javalang.parser.Parser(tokens).parse_member_declaration()
    names: dict[str, str] = {}
    counts = {"var": 1, "Type": 0, "fun": 0}
    for _, node in tree:
        form = _FORMS.get(type(node))
        if form is not None and node.name not in names:
            names[node.name] = f"{form}{counts[form]}"
            counts[form] += 1
    return " ".join(names.get(token.value, token.value) for token in tokens)
