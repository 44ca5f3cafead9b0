"""Names of Python functions."""

from __future__ import annotations

import re
from typing import ClassVar

from codekin.rewrite.scopes import Scope, ScopeReader
from codekin.rewrite.syntax import Syntax

__all__ = ["FRAMES", "INTROSPECTION", "PythonScopes"]

INTROSPECTION = frozenset({"locals", "eval", "exec", "vars", "dir", "globals"})
"""Functions that see the names of variables; a function that mentions one is left alone."""

FRAMES = frozenset({"_getframe", "currentframe", "f_locals", "co_varnames", "__code__"})
"""Names by which any function's variables are seen; a text that mentions one is left alone."""

_NAMED = re.compile(r"([^\W\d]\w*)\s*=")
_QUERIED = re.compile(r"@([^\W\d]\w*)")
_COMPREHENSIONS = (
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
)
_PATTERNS = {
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "tuple",
    "list",
    "list_splat",
    "parenthesized_expression",
}
_PARAMETERS = {"parameters", "lambda_parameters"}
_DEFAULTS = {"default_parameter", "typed_default_parameter", "typed_parameter"}
_TARGETS = {
    ("assignment", "left"),
    ("augmented_assignment", "left"),
    ("for_statement", "left"),
    ("for_in_clause", "left"),
}
_NO_VARIABLES = {("attribute", "attribute"), ("keyword_argument", "name")}
_FIXED_PARENTS = {
    "global_statement",
    "dotted_name",
    "aliased_import",
    "type_parameter",
    "splat_pattern",
    "keyword_pattern",
    "case_pattern",
}


class PythonScopes(ScopeReader):
    """Reads a function, a lambda or a comprehension."""

    opens: ClassVar = {
        "function_definition": "function",
        "lambda": "function",
        "block": "class",
        **dict.fromkeys(_COMPREHENSIONS, "comprehension"),
    }

    def is_scope(self, node: int) -> bool:
        """A block is a scope of its own only as the body of a class."""
        syntax = self.syntax
        if syntax.kinds[node] != "block":
            return True
        return syntax.kinds[syntax.parents[node]] == "class_definition"

    def moved(self, node: int, scope: Scope) -> Scope:
        """Defaults, annotations and the first iterable are evaluated outside."""
        syntax = self.syntax
        if node == self.root or not (field := syntax.fields[node]):
            return scope
        parent = syntax.parents[node]
        kind = syntax.kinds[parent]
        outside = (
            (field in {"value", "type"} and kind in _DEFAULTS)
            or (kind == "function_definition" and field in {"name", "return_type"})
            or (field == "right" and kind == "for_in_clause" and self._is_first_clause(parent))
        )
        return scope.parent if outside and scope.parent is not None else scope

    def _is_first_clause(self, clause: int) -> bool:
        siblings = self.syntax.children(self.syntax.parents[clause])
        return clause == next(i for i in siblings if self.syntax.kinds[i] == "for_in_clause")

    def look(self, node: int, scope: Scope) -> None:
        """An f-string of the form ``{x=}`` shows names; patterns of match bind in many ways."""
        syntax = self.syntax
        kind = syntax.kinds[node]
        shows = kind == "=" and syntax.kinds[syntax.parents[node]] == "interpolation"
        if shows or kind == "case_pattern":
            for below in syntax.inside(syntax.parents[node] if shows else node):
                if syntax.kinds[below] == "identifier":
                    self.fix(below)

    def meet(self, node: int, scope: Scope) -> None:
        """Sort a name by where it stands."""
        syntax = self.syntax
        name = syntax.text(node)
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if (kind, field) in _NO_VARIABLES:
            return
        if name in INTROSPECTION or (name.startswith("__") and not name.endswith("__")):
            self.region.fixed.add(name)
        if name in _queried(syntax):
            self.fix(node)
        if name in {"self", "cls", "_"} or kind in _FIXED_PARENTS or self._names_a_definition(node):
            self.fix(node)
        if kind == "nonlocal_statement":
            self.use(node, scope)
        elif kind == "named_expression" and field == "name":
            while scope.kind == "comprehension" and scope.parent is not None:
                scope = scope.parent
            self._bind(node, scope)
        else:
            self._meet_target(node, scope)

    def _names_a_definition(self, node: int) -> bool:
        kind = self.syntax.kinds[self.syntax.parents[node]]
        named = self.syntax.fields[node] == "name"
        return named and kind in {"function_definition", "class_definition"}

    def _meet_target(self, node: int, scope: Scope) -> None:
        """A name that may stand in a pattern: what the pattern is for decides."""
        syntax = self.syntax
        top = node
        parent = syntax.parents[top]
        while syntax.kinds[parent] in _PATTERNS and parent > self.root:
            top, parent = parent, syntax.parents[parent]
        kind, field = syntax.kinds[parent], syntax.fields[top]
        if kind in _PARAMETERS or (kind in _DEFAULTS and field not in {"value", "type"}):
            self._bind_parameter(node, scope)
        elif (kind, field) in _TARGETS or kind in {"as_pattern_target", "delete_statement"}:
            self._bind(node, scope)
        else:
            self.use(node, scope)

    def _bind(self, node: int, scope: Scope) -> None:
        if scope.kind == "class":  # an attribute of the class, or a name of the module
            self.fix(node)
        self.bind(node, scope, since=0)

    def _bind_parameter(self, node: int, scope: Scope) -> None:
        keywords = _keywords(self.syntax)
        if (
            self.syntax.text(node) in keywords
            or self._is_keyword_only(node)
            or self._is_called_by_name(node)
        ):
            self.fix(node)
        self.bind(node, scope, since=0)

    def _is_keyword_only(self, name: int) -> bool:
        """Whether a parameter stands behind ``*`` or ``*args``."""
        syntax = self.syntax
        parameter = name
        while syntax.kinds[syntax.parents[parameter]] not in _PARAMETERS:
            parameter = syntax.parents[parameter]
        for other in syntax.children(syntax.parents[parameter]):
            if other == parameter:
                return False
            splat = other + 1 if syntax.kinds[other] == "typed_parameter" else other
            if syntax.kinds[splat] in {"list_splat_pattern", "keyword_separator"}:
                # `**rest` comes last and is never passed by its name.
                return not syntax.text(parameter).startswith("**")
        return False

    def _is_called_by_name(self, parameter: int) -> bool:
        """Whether a parameter's name may matter to who calls its function."""
        syntax = self.syntax
        if _has_splat_call(syntax):
            return True
        for above in syntax.ancestors(parameter):
            if syntax.kinds[above] == "lambda":
                return False
            if syntax.kinds[above] == "function_definition":
                name = syntax.text(syntax.child(above, "name"))
                parent = syntax.parents[above]
                return syntax.kinds[parent] == "decorated_definition" or name.startswith(
                    ("test", "pytest_")
                )
        return False


def _keywords(syntax: Syntax) -> frozenset[str]:
    """Names of the keyword arguments in a text, and its strings, which may become such names.

    Strings may also hold calls, as examples in docstrings do.
    """

    def found() -> frozenset[str]:
        kinds, parents, fields = syntax.kinds, syntax.parents, syntax.fields
        strings = [syntax.text(i) for i, kind in enumerate(kinds) if kind == "string_content"]
        return frozenset(
            [
                *strings,
                *(name for string in strings for name in _NAMED.findall(string)),
                *(
                    syntax.text(i)
                    for i in range(1, len(syntax))
                    if fields[i] == "name" and kinds[parents[i]] == "keyword_argument"
                ),
            ]
        )

    return syntax.source.remember(("rewrite", "keyword arguments"), found)


def _queried(syntax: Syntax) -> frozenset[str]:
    """Names in strings such as ``"size > @limit"``, by which a query of pandas sees variables."""

    def found() -> frozenset[str]:
        strings = (
            syntax.text(i) for i, kind in enumerate(syntax.kinds) if kind == "string_content"
        )
        return frozenset(name for string in strings for name in _QUERIED.findall(string))

    return syntax.source.remember(("rewrite", "queried"), found)


def _has_splat_call(syntax: Syntax) -> bool:
    """Whether a call in the text hands over a dictionary of keyword arguments."""

    def found() -> bool:
        kinds, parents = syntax.kinds, syntax.parents
        return any(
            kind == "dictionary_splat" and kinds[parents[i]] == "argument_list"
            for i, kind in enumerate(kinds)
        )

    return syntax.source.remember(("rewrite", "splat calls"), found)
