"""Names of JavaScript and TypeScript functions."""

from __future__ import annotations

from typing import ClassVar

from codekin.rewrite.scopes import Scope, ScopeReader

__all__ = ["JavascriptScopes"]

_FUNCTIONS = (
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
)
_PATTERNS = {
    "object_pattern",
    "array_pattern",
    "rest_pattern",
    "pair_pattern",
    "assignment_pattern",
    "object_assignment_pattern",
}
# They write a function as [Function: f].
_SHOWING = {"console", "inspect"}
_SPECIAL = {"eval", "_", "arguments", "__proto__"}
_FIXED_PARENTS = {
    "import_specifier",
    "import_clause",
    "namespace_import",
    "export_specifier",
    "class_declaration",
    "class",
    "enum_declaration",
    "internal_module",
    "nested_type_identifier",
    "nested_identifier",
}


class JavascriptScopes(ScopeReader):
    """Reads a function of any form."""

    opens: ClassVar = {
        **dict.fromkeys(_FUNCTIONS, "function"),
        "class_static_block": "function",
        "statement_block": "block",
        "for_statement": "block",
        "for_in_statement": "block",
        "catch_clause": "block",
        "switch_body": "block",
    }
    names = frozenset(
        {
            "identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
        }
    )

    def is_scope(self, node: int) -> bool:
        """The body of a function shares its scope with the parameters."""
        syntax = self.syntax
        if syntax.kinds[node] != "statement_block":
            return True
        return syntax.kinds[syntax.parents[node]] not in _FUNCTIONS

    def meet(self, node: int, scope: Scope) -> None:
        """Sort a name by where it stands."""
        syntax = self.syntax
        name = syntax.text(node)
        kind, field = syntax.kinds[syntax.parents[node]], syntax.fields[node]
        if kind in _FIXED_PARENTS and field != "value":
            self.fix(node)
        if kind.startswith("jsx") or name in _SPECIAL:
            self.fix(node)
        if self._names_a_function(node):
            self.fix(node)
        if kind in _FUNCTIONS and field == "name":
            self.fix(node)
        else:
            self._meet_target(node, scope)

    def look(self, node: int, scope: Scope) -> None:
        """In a ``with`` statement, a name may be anything's."""
        if self.syntax.kinds[node] == "with_statement":
            for below in self.syntax.inside(self.root):
                if self.syntax.kinds[below] in self.names:
                    self.fix(below)

    def _meet_target(self, node: int, scope: Scope) -> None:
        syntax = self.syntax
        top = node
        parent = syntax.parents[top]
        while syntax.kinds[parent] in _PATTERNS and syntax.fields[top] not in {"right", "key"}:
            top, parent = parent, syntax.parents[parent]
        kind, field = syntax.kinds[parent], syntax.fields[top]
        if kind == "variable_declarator" and field == "name":
            hoisted = syntax.kinds[syntax.parents[parent]] == "variable_declaration"
            self._bind(node, scope.function() if hoisted else scope)
        elif kind == "for_in_statement" and field == "left":
            self._meet_loop_variable(node, parent, scope)
        elif kind in {"required_parameter", "optional_parameter"} and field == "pattern":
            self._meet_typed_parameter(node, parent, scope)
        elif (
            kind == "formal_parameters"
            or (kind == "arrow_function" and field == "parameter")
            or (kind == "catch_clause" and field == "parameter")
        ):
            self.bind(node, scope, since=0)
        else:
            self.use(node, scope)

    def _bind(self, node: int, scope: Scope) -> None:
        """Bind a variable; what a body declares is not seen by the defaults of parameters."""
        syntax = self.syntax
        since = 0
        if scope.kind == "function":
            above = syntax.ancestors(node)
            owner = next(i for i in above if self.opens.get(syntax.kinds[i]) == "function")
            since = syntax.starts[syntax.child(owner, "body")]
        self.bind(node, scope, since)

    def _names_a_function(self, node: int) -> bool:
        """Whether a function gets its ``name`` from a variable, in a text that may show it."""
        syntax = self.syntax
        if syntax.fields[node] not in {"name", "left", "pattern"}:
            return False
        parent = syntax.parents[node]
        value = max(syntax.child(parent, "value"), syntax.child(parent, "right"))
        while value >= 0 and syntax.kinds[value] == "parenthesized_expression":
            value += 2  # behind its bracket
        if value < 0 or syntax.kinds[value] not in {*_FUNCTIONS, "class"}:
            return False
        return ".name" in syntax.source.text or not _SHOWING.isdisjoint(syntax.words)

    def _meet_loop_variable(self, node: int, loop: int, scope: Scope) -> None:
        syntax = self.syntax
        words = {syntax.kinds[i] for i in syntax.children(loop)}
        if "var" in words:
            self._bind(node, scope.function())
        elif words & {"let", "const"}:
            self.bind(node, scope, since=0)
        else:
            self.use(node, scope)

    def _meet_typed_parameter(self, node: int, parameter: int, scope: Scope) -> None:
        """A parameter of TypeScript, which may also declare a field, or only describe a type."""
        syntax = self.syntax
        owner = syntax.parents[syntax.parents[parameter]]
        if syntax.kinds[owner] not in _FUNCTIONS:
            return
        modifiers = {syntax.kinds[i] for i in syntax.children(parameter)}
        if modifiers & {"accessibility_modifier", "readonly", "override_modifier"}:
            self.fix(node)
        self.bind(node, scope, since=0)
