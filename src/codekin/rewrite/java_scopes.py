"""Names of Java methods."""

from __future__ import annotations

from typing import ClassVar

from codekin.rewrite.scopes import Scope, ScopeReader

__all__ = ["JavaScopes"]

_BINDS = {
    ("formal_parameter", "name"),
    ("enhanced_for_statement", "name"),
    ("resource", "name"),
    ("catch_formal_parameter", "name"),
    ("lambda_expression", "parameters"),
}
_NO_VARIABLES = {
    ("method_invocation", "name"),
    ("field_access", "field"),
    ("method_declaration", "name"),
    ("constructor_declaration", "name"),
    ("element_value_pair", "key"),
    ("annotation", "name"),
    ("marker_annotation", "name"),
}
_LABELS = {"labeled_statement", "break_statement", "continue_statement"}
# Their scope follows the flow, or they are the names of members.
_FIXED_PARENTS = {
    "instanceof_expression",
    "type_pattern",
    "record_pattern_component",
    "record_pattern",
    "switch_label",
    "enum_constant",
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "scoped_identifier",
}


class JavaScopes(ScopeReader):
    """Reads a method, a constructor, an initializer or a lambda."""

    opens: ClassVar = {
        "method_declaration": "function",
        "constructor_declaration": "function",
        "compact_constructor_declaration": "class",
        "lambda_expression": "function",
        "static_initializer": "function",
        "block": "block",
        "constructor_body": "block",
        "for_statement": "block",
        "enhanced_for_statement": "block",
        "try_with_resources_statement": "block",
        "catch_clause": "block",
        "switch_block": "block",
        "class_body": "class",
        "interface_body": "class",
        "enum_body": "class",
        "record_declaration": "class",
    }

    def moved(self, node: int, scope: Scope) -> Scope:
        """What a ``try`` opens is closed, and its names are gone, where it catches."""
        syntax = self.syntax
        outside = (
            syntax.kinds[node] in {"catch_clause", "finally_clause"}
            and syntax.kinds[syntax.parents[node]] == "try_with_resources_statement"
        )
        return scope.parent if outside and scope.parent is not None else scope

    def look(self, node: int, scope: Scope) -> None:
        """Nothing: in Java only names say something about names."""

    def meet(self, node: int, scope: Scope) -> None:
        """Sort a name by where it stands."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if syntax.text(node) == "_":
            self.fix(node)
        if (kind, field) in _NO_VARIABLES or kind in _LABELS:
            return
        if kind == "method_reference" and node != parent + 1:
            return
        if kind in _FIXED_PARENTS and (kind != "instanceof_expression" or field == "name"):
            self.fix(node)
        elif (kind, field) in _BINDS or kind == "inferred_parameters":
            if self._is_annotated(parent) or self._is_of_a_record(parent):
                self.fix(node)
            self._bind(node, scope)
        elif kind == "variable_declarator" and field == "name":
            above = syntax.parents[parent]
            is_field = syntax.kinds[above] in {"field_declaration", "constant_declaration"}
            if is_field or self._is_of_a_record(above):
                self.fix(node)
            self._bind(node, scope)
        else:
            self.use(node, scope)

    def _is_annotated(self, parameter: int) -> bool:
        """Whether a parameter has an annotation, for which its name may matter."""
        first = parameter + 1
        return self.syntax.kinds[first] == "modifiers" and "@" in self.syntax.text(first)

    def _is_of_a_record(self, parameter: int) -> bool:
        """Whether a parameter is of a record's constructor, which may have to name components."""
        syntax = self.syntax
        if syntax.kinds[parameter] not in {"formal_parameter", "spread_parameter"}:
            return False
        above = [syntax.kinds[i] for i in syntax.ancestors(parameter)][1:4]
        return above == ["constructor_declaration", "class_body", "record_declaration"]

    def _bind(self, node: int, scope: Scope) -> None:
        syntax = self.syntax
        parent = syntax.parents[node]
        since = None
        if syntax.kinds[parent] == "enhanced_for_statement":
            since = syntax.starts[syntax.child(parent, "body")]
        if scope.kind == "class":  # a component of a record
            self.fix(node)
        self.bind(node, scope, since)
