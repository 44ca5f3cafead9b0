"""Lua, on tree-sitter-lua: a language as another package would add it, in one file.

An entry point of the group ``codekin.languages`` names `LUA`. Semantic graphs need a
`LoweringTable` too; this language leaves it out.
"""

import re
from typing import ClassVar

from codekin.languages import (
    BlockComment,
    Grammar,
    Language,
    Lexical,
    Rewriting,
    Scope,
    ScopeReader,
    StringForm,
    TokenClass,
    Writing,
    swapped,
)

_PRELUDE = """
    print pairs ipairs require table string math io os tostring tonumber type self
"""
_FUNCTIONS = frozenset({"function_declaration", "function_definition"})


class LuaScopes(ScopeReader):
    """Reads a function."""

    opens: ClassVar = {
        **dict.fromkeys(_FUNCTIONS, "function"),
        "block": "block",
        "for_statement": "block",
        "repeat_statement": "block",
    }

    def is_scope(self, node: int) -> bool:
        """What a ``repeat`` declares is seen by its condition, and what a function by its body."""
        parent = self.syntax.kinds[self.syntax.parents[node]]
        return self.syntax.kinds[node] != "block" or parent not in {*_FUNCTIONS, "repeat_statement"}

    def look(self, node: int, scope: Scope) -> None:
        """Nothing: only names say something about names."""

    def meet(self, node: int, scope: Scope) -> None:
        """Sort a name by where it stands."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if syntax.text(node) in {"_", "_ENV", "self"} or (kind in _FUNCTIONS and field == "name"):
            self.fix(node)
        if kind in {"goto_statement", "label_statement", "attribute"} or field == "method":
            return
        if kind == "dot_index_expression" and field == "field":
            return
        if kind == "field" and field == "name" and syntax.kinds[node - 1] != "[":
            return
        if kind == "parameters":
            self.bind(node, scope)
        elif kind == "variable_list":
            self._meet_variable(node, parent, scope)
        elif kind == "for_numeric_clause" and field == "name":
            self._bind_in_loop(node, parent, scope)
        else:
            self.use(node, scope)

    def _meet_variable(self, node: int, variables: int, scope: Scope) -> None:
        """A variable is known after the statement that declares it."""
        syntax = self.syntax
        above = syntax.parents[variables]
        if syntax.kinds[above] == "for_generic_clause":
            self._bind_in_loop(node, above, scope)
            return
        declaration = above if syntax.kinds[above] == "variable_declaration" else -1
        if syntax.kinds[above] == "assignment_statement":
            outer = syntax.parents[above]
            declaration = outer if syntax.kinds[outer] == "variable_declaration" else -1
        if declaration >= 0:
            self.bind(node, scope, since=syntax.ends[declaration])
        else:
            self.use(node, scope)

    def _bind_in_loop(self, node: int, clause: int, scope: Scope) -> None:
        body = self.syntax.child(self.syntax.parents[clause], "body")
        self.bind(node, scope, since=self.syntax.starts[body] if body >= 0 else None)


_REWRITING = Rewriting(
    blocks=frozenset({"chunk", "block"}),
    not_statements=frozenset({"hash_bang_line"}),
    functions=_FUNCTIONS,
    bodies=frozenset({"block"}),
    scopes=LuaScopes,
    frames=frozenset({"debug", "getlocal", "setlocal"}),
    opening=frozenset("{([") | {"function", "do", "then", "repeat", "else"},
    closing=frozenset("})]") | {"end", "until", "else", "elseif"},
    spaced=frozenset({"assignment_statement"}),
    dead=(
        "local {name} = {number}",
        "if false then local {name} = {number} end",
        "while false do local {name} = {number} end",
        "do local {name} = {number} end",
    ),
    binary=frozenset({"binary_expression"}),
    swaps=swapped("+ -", "* /", "< <=", "> >=", "== ~=", "and or"),
    conditions={
        "if_statement": "condition",
        "elseif_statement": "condition",
        "while_statement": "condition",
        "repeat_statement": "condition",
    },
    negation="not ({})",
    numbers=frozenset({"number"}),
    strings=frozenset({"string"}),
    contents=frozenset({"string_content"}),
    arguments=frozenset({"arguments"}),
)

_WRITING = Writing(
    (
        "function {0}({1})\n  return {2}({1})\nend\n",
        "function {0}({1})\n  local {3} = {2}({1})\n  return {3} + {1}\nend\n",
    ),
    re.compile(r"function \w+\("),
    end="",
    closing="end",
    bound=frozenset({"else", "elseif", "end", "until", "return", "break", "goto"}),
)

LUA = Language(
    name="lua",
    title="Lua",
    suffixes=(".lua",),
    prelude=frozenset(_PRELUDE.split()),
    lexical=Lexical(
        line_comments=("--",),
        block_comments=(BlockComment("--[[", "]]"),),
        strings=(
            StringForm('"'),
            StringForm("'"),
            StringForm("[[", "]]", multiline=True, escape=False),
        ),
        operators="... .. == ~= <= >= // << >> ::",
        letters="",
    ),
    rewriting=_REWRITING,
    writing=_WRITING,
    grammars=(
        Grammar(
            distribution="tree-sitter-lua",
            entry="language",
            classes={
                "number": TokenClass.INTEGER,
                "string": TokenClass.STRING,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "nil": TokenClass.NULL,
                "break_statement": TokenClass.KEYWORD,
                "vararg_expression": TokenClass.DELIMITER,
                "empty_statement": TokenClass.DELIMITER,
                "hash_bang_line": TokenClass.COMMENT,
            },
            atoms=frozenset({"string", "comment"}),
            numeric=frozenset({"number"}),
        ),
    ),
)
