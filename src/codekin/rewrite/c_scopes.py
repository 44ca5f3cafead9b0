"""Names of C and C++ functions."""

from __future__ import annotations

from typing import ClassVar

from codekin.rewrite.scopes import Region, Scope, ScopeReader

__all__ = ["CScopes"]

_DECLARATORS = {
    "pointer_declarator",
    "reference_declarator",
    "array_declarator",
    "init_declarator",
    "parenthesized_declarator",
    "function_declarator",
    "structured_binding_declarator",
    "attributed_declarator",
    "variadic_declarator",
}
_PARAMETERS = {
    "parameter_declaration",
    "optional_parameter_declaration",
    "variadic_parameter_declaration",
}
_NO_DECLARATOR = {"size", "value", "default_value", "parameters", "type", "right", "length"}
_FIXED_PARENTS = {
    "enumerator",
    "lambda_capture_initializer",
    "using_declaration",
    "concept_definition",
    "template_method",
}


class CScopes(ScopeReader):
    """Reads a function or a lambda."""

    opens: ClassVar = {
        "function_definition": "function",
        "lambda_expression": "function",
        "compound_statement": "block",
        "for_statement": "block",
        "for_range_loop": "block",
        "if_statement": "block",
        "while_statement": "block",
        "switch_statement": "block",
        "catch_clause": "block",
        "field_declaration_list": "class",
    }
    names = frozenset({"identifier", "type_identifier"})

    def read(self) -> Region:
        """Read the region; what a macro may mention is fixed, and all if one makes names."""
        syntax = self.syntax
        self.region.fixed |= syntax.directive_words
        region = super().read()
        if syntax.pasting_macros and any(
            syntax.kinds[i] in self.names and syntax.text(i) in syntax.pasting_macros
            for i in syntax.inside(self.root)
        ):
            region.fixed |= region.bound
        return region

    def look(self, node: int, scope: Scope) -> None:
        """A macro may make text, a name or a field of what it is handed."""
        syntax = self.syntax
        if syntax.kinds[node] not in self.names:
            return
        name, start = syntax.text(node), syntax.starts[node]
        is_member = name in syntax.members and syntax.is_macro_argument(start)
        if is_member or syntax.is_quoted(start):
            self.fix(node)

    def meet(self, node: int, scope: Scope) -> None:
        """Sort a name by where it stands."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if syntax.text(node) == "_" or (kind in _FIXED_PARENTS and field != "value"):
            self.fix(node)
        if syntax.kinds[node] == "type_identifier":
            self._meet_type(node, scope)
        elif kind == "qualified_identifier":
            return
        elif kind == "parameter_list" or field == "symbol":
            self.fix(node)  # parameters as before C89, and names within assembly
        else:
            self._meet_declarator(node, scope)

    def _meet_type(self, node: int, scope: Scope) -> None:
        """A type by its place may be a variable by its name: ``vector<int> v(n)``, ``f<n>(x)``."""
        syntax = self.syntax
        parent = syntax.parents[node]
        if not scope.is_known(syntax.text(node)):
            return
        if syntax.kinds[parent].endswith("_specifier") and syntax.fields[node] == "name":
            return
        if syntax.kinds[parent] == "parameter_declaration" and syntax.sizes[parent] == 2:
            self.use(node, scope)
        else:
            self.fix(node)

    def _meet_declarator(self, node: int, scope: Scope) -> None:
        syntax = self.syntax
        top = node
        parent = syntax.parents[top]
        called = False
        while syntax.kinds[parent] in _DECLARATORS and syntax.fields[top] not in _NO_DECLARATOR:
            called = called or (
                syntax.kinds[parent] == "function_declarator" and syntax.kinds[top] == "identifier"
            )
            top, parent = parent, syntax.parents[parent]
        kind, field = syntax.kinds[parent], syntax.fields[top]
        if field != "declarator":
            self.use(node, scope)
        elif kind == "declaration":
            if self._is_elsewhere(node, parent, called, scope):
                self.fix(node)
            self.bind(node, scope)
        elif kind == "for_range_loop":
            self.bind(node, scope, since=syntax.starts[syntax.child(parent, "body")])
        elif kind in _PARAMETERS:
            if self._is_parameter(parent):
                self.bind(node, scope)
            elif scope.is_known(syntax.text(node)):
                self.fix(node)  # `vector<int> v(n & m)` looks like a function of a parameter m
        elif kind == "function_definition":
            self.fix(node)
        else:
            self.use(node, scope)

    def _is_elsewhere(self, node: int, declaration: int, called: bool, scope: Scope) -> bool:
        """Whether a declaration may be of a function, of something outside, or no declaration."""
        syntax = self.syntax
        for child in syntax.children(declaration):
            kind = syntax.kinds[child]
            if kind == "storage_class_specifier" and syntax.text(child) == "extern":
                return True
            if kind == "type_identifier" and scope.is_known(syntax.text(child)):
                return True
        return called and not self._is_constructed(syntax.parents[node], scope)

    def _is_constructed(self, declarator: int, scope: Scope) -> bool:
        """Whether the parameters in ``vector<int> v(n)`` are variables, so that v is one too."""
        syntax = self.syntax
        listed = syntax.named_children(syntax.child(declarator, "parameters"))
        return any(
            syntax.sizes[i] == 2
            and syntax.kinds[i + 1] == "type_identifier"
            and scope.is_known(syntax.text(i + 1))
            for i in listed
        )

    def _is_parameter(self, parameter: int) -> bool:
        """Whether a parameter is of a function with a body here, not of a prototype or type."""
        syntax = self.syntax
        above = syntax.parents[syntax.parents[parameter]]
        while syntax.kinds[above] in _DECLARATORS | {"abstract_function_declarator"}:
            inner = syntax.child(above, "declarator")
            if syntax.kinds[inner] in _DECLARATORS and syntax.kinds[above] == "function_declarator":
                return False  # a pointer to a function
            above = syntax.parents[above]
        return syntax.kinds[above] in {"function_definition", "lambda_expression", "catch_clause"}
