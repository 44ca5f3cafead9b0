"""Python, on tree-sitter-python."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from itertools import groupby
from typing import ClassVar

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.name_roles import Mention, NameReader, NameRole, NameScope
from codekin.languages.rewriting import SWAPS, Rewriting, Writing, swapped
from codekin.languages.scopes import Scope, ScopeReader
from codekin.languages.syntax import Syntax
from codekin.languages.token_classes import TokenClass

__all__ = ["PYTHON"]

_PRELUDE = """
    self cls print len range input int str float list dict set tuple sorted enumerate zip map
    sum min max abs append join split strip sys np collections itertools __init__ __name__
"""

_PLAIN = "r R b B u U br bR Br BR rb rB Rb RB"
_FORMATTED = "f F fr fR Fr FR rf rF Rf RF t T tr tR Tr TR rt rT Rt RT"
_STATEMENT_WORDS = """
    def class return import while with try except finally raise pass break continue del global
    nonlocal assert elif
"""
_RESERVED_WORDS = """
    False None True and as assert async await break class continue def del elif else
    except finally for from global if import in is lambda nonlocal not or pass raise
    return try while with yield
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"import", "from"}),
    line_ends=True,
    line_comments=("#",),
    block_comments=(),
    strings=tuple(
        StringForm(
            quote, prefixes=prefixes, multiline=len(quote) == 3, hole=hole, format=bool(hole)
        )
        for quote in ('"""', "'''", '"', "'")
        for prefixes, hole in ((("", *_PLAIN.split()), ""), (tuple(_FORMATTED.split()), "{"))
    ),
    operators="**= //= >>= <<= ... ** // >> << <= >= == != <> -> := += -= *= /= %= &= |= ^= @=",
    letters="",
    number_suffixes="jJlL",
    continuation=True,
    layout=True,
    docstrings=True,
    statements=frozenset(_STATEMENT_WORDS.split()),
    outer_statements=frozenset({"from"}),
)


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "integer": rule("literal", "number"),
    "float": rule("literal", "number"),
    "string": rule("literal", "string", items="<interpolation>"),
    "concatenated_string": rule("literal", "string", items="<string>"),
    "interpolation": rule("expression"),
    "format_specifier": rule("expression"),
    "format_expression": rule("expression", value="expression"),
    "true": rule("literal", "true"),
    "false": rule("literal", "false"),
    "none": rule("literal", "null"),
    "ellipsis": rule("literal", "null"),
    "parenthesized_expression": rule("expression"),
    "binary_operator": rule("binary", left="left", operator="operator", right="right"),
    "boolean_operator": rule("binary", left="left", operator="operator", right="right"),
    "comparison_operator": rule("chain"),
    "unary_operator": rule("unary", operator="operator", value="argument"),
    "not_operator": rule("unary", label="not", value="argument"),
    "attribute": rule("member", object="object", name="attribute"),
    "subscript": rule("index", object="value", right="subscript"),
    "slice": rule("operation", label="slice"),
    "call": rule("call", function="function", arguments="arguments"),
    "argument_list": rule("sequence"),
    "keyword_argument": rule("pair", name="name", value="value"),
    "list_splat": rule("spread"),
    "dictionary_splat": rule("spread"),
    "parenthesized_list_splat": rule("spread"),
    "list_splat_pattern": rule("spread", "varargs"),
    "dictionary_splat_pattern": rule("spread", "varargs"),
    "list": rule("operation", "each", label="list"),
    "tuple": rule("operation", "each", label="tuple"),
    "expression_list": rule("operation", "each", label="tuple"),
    "pattern_list": rule("pattern", "each"),
    "tuple_pattern": rule("pattern", "each"),
    "list_pattern": rule("pattern", "each"),
    "set": rule("operation", label="set"),
    "dictionary": rule("operation", label="dict"),
    "pair": rule("expression"),
    "list_comprehension": rule("comprehension", label="list", body="body", items="*"),
    "set_comprehension": rule("comprehension", label="set", body="body", items="*"),
    "dictionary_comprehension": rule("comprehension", label="dict", body="body", items="*"),
    "generator_expression": rule("comprehension", label="list", body="body", items="*"),
    "for_in_clause": rule("for_clause", left="left", right="right"),
    "if_clause": rule("if_clause", condition="0"),
    "conditional_expression": rule("conditional", body="0", condition="1", otherwise="2"),
    "named_expression": rule("assign", left="name", right="value"),
    "lambda": rule("function", "lambda", parameters="parameters", body="body"),
    "await": rule("operation", label="await"),
    "yield": rule("operation", label="yield"),
    "type_conversion": _SKIP,
}

_STATEMENTS: dict[str, Rule] = {
    "module": rule("sequence"),
    "block": rule("sequence"),
    "expression_statement": rule("expression"),
    "assignment": rule("assign", left="left", right="right", type="type"),
    "augmented_assignment": rule("assign", left="left", operator="operator", right="right"),
    "if_statement": rule("if", condition="condition", body="consequence", otherwise="alternative"),
    "elif_clause": rule("if", "each", condition="condition", body="consequence"),
    "else_clause": rule("sequence", items="body"),
    "while_statement": rule("while", condition="condition", body="body", otherwise="alternative"),
    "for_statement": rule(
        "for_each", left="left", right="right", body="body", otherwise="alternative"
    ),
    "match_statement": rule("switch", value="subject", body="body"),
    "case_clause": rule(
        "case", "pattern", left="<case_pattern>", guard="guard", body="consequence"
    ),
    "case_pattern": rule("pattern", "expression"),
    "union_pattern": rule("pattern"),
    "dotted_name": rule("pattern", "expression value"),
    "complex_pattern": rule("literal", "number"),
    "class_pattern": rule("pattern", items="<case_pattern>"),
    "keyword_pattern": rule("pattern", items="-1"),
    "splat_pattern": rule("pattern"),
    "as_pattern": rule("pattern", value="0", left="alias"),
    "as_pattern_target": rule("pattern"),
    "dict_pattern": rule("pattern", name="key", items="*"),
    "try_statement": rule(
        "try",
        body="body",
        handlers="<except_clause> <except_group_clause>",
        otherwise="<else_clause>",
        **{"finally": "<finally_clause>"},
    ),
    "except_clause": rule("catch", "expression", type="value", body="<block>"),
    "except_group_clause": rule("catch", "expression", type="value", body="<block>"),
    "finally_clause": rule("sequence"),
    "with_statement": rule("with", items="<with_clause>", body="body"),
    "with_clause": rule("pattern"),
    "with_item": rule("with_item", value="value"),
    "return_statement": rule("return"),
    "break_statement": rule("break"),
    "continue_statement": rule("continue"),
    "raise_statement": rule("throw"),
    "assert_statement": rule("assert", condition="0", value="1"),
    "delete_statement": rule("update", label="del", value="0"),
    "pass_statement": _SKIP,
    "global_statement": rule("global"),
    "nonlocal_statement": rule("nonlocal"),
    "function_definition": rule("function", name="name", parameters="parameters", body="body"),
    "class_definition": rule("class", name="name", bases="superclasses", body="body"),
    "decorated_definition": rule("sequence", guard="<decorator>"),
    "decorator": rule("expression"),
    "default_parameter": rule("parameter", name="name", value="value"),
    "typed_parameter": rule("parameter", name="0", type="type"),
    "typed_default_parameter": rule("parameter", name="name", value="value", type="type"),
    "keyword_separator": _SKIP,
    "positional_separator": _SKIP,
    "import_statement": rule("import", "binds target", items="name"),
    "import_from_statement": rule("import", "binds", items="name"),
    "future_import_statement": rule("import"),
    "aliased_import": rule("pattern", left="alias"),
    "parameters": rule("sequence"),
    "lambda_parameters": rule("sequence"),
    "chevron": rule("expression"),
    "type": _SKIP,
    "type_alias_statement": _SKIP,
    "comment": rule("comment"),
    "line_continuation": rule("comment"),
    "print_statement": rule("operation", label="print"),
    "exec_statement": rule("operation", label="exec"),
}

# Parts of strings, imports and types: no operations.
_SILENT = """
    escape_sequence escape_interpolation string_start string_content string_end import_prefix
    relative_import wildcard_import type_parameter splat_type generic_type union_type
    constrained_type member_type
"""

_OPERATORS = {
    "and": "&&",
    "or": "||",
    "not": "!",
    "is": "==",
    "is not": "!=",
    "<>": "!=",
    "unary -": "neg",
    "unary +": "pos",
    "unary not": "!",
}

_CHANGES_RECEIVER = """
    sort reverse clear remove discard popitem rotate seek write writelines close flush truncate
    read readline readlines acquire release put start join_thread seed
    intersection_update difference_update symmetric_difference_update subtract
"""
_HOLDS = "append add insert extend appendleft extendleft update __setitem__"
_TAKES = "pop popleft"
_PURE = """
    len range print int str float bool sum abs any all round divmod pow ord chr hex bin oct repr
    hash id type isinstance issubclass hasattr format input open callable vars dir bytes bytearray
    complex object super property staticmethod classmethod slice memoryview ascii locals globals
    split rsplit join strip lstrip rstrip replace find rfind index rindex count startswith endswith
    lower upper title capitalize casefold swapcase isdigit isalpha isalnum isspace islower isupper
    isnumeric isdecimal isidentifier zfill center ljust rjust encode decode translate maketrans
    removeprefix removesuffix expandtabs splitlines partition rpartition format_map
    issubset issuperset isdisjoint bit_length bit_count to_bytes from_bytes as_integer_ratio
    gcd lcm sqrt isqrt floor ceil log log2 log10 exp sin cos tan atan atan2 hypot factorial comb
    perm fabs fmod trunc radians degrees dist prod isclose
    bisect bisect_left bisect_right lru_cache cache wraps partial reduce cmp_to_key itemgetter
    attrgetter Counter randint random choice uniform randrange sample perf_counter time
    defaultdict compile match search fullmatch findall finditer sub loads dumps
"""
_JOINED = "enumerate zip reversed iter filter chain cycle islice groupby pairwise zip_longest next"
_COPIED = """
    list tuple set frozenset dict sorted map deque OrderedDict copy accumulate permutations
    combinations combinations_with_replacement product repeat union intersection difference
    symmetric_difference most_common elements min max nlargest nsmallest getattr
"""
_CHANGES_FIRST = """
    setattr delattr shuffle heapify heappush heappop heapreplace heappushpop insort insort_left
    insort_right readinto
"""

_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(result="joined") for name in _JOINED.split()},
    **{name: Effect(result="copy") for name in _COPIED.split()},
    **{name: Effect(receiver=True) for name in _CHANGES_RECEIVER.split()},
    **{name: Effect(receiver=True, kept=(-1,)) for name in _HOLDS.split()},
    **{name: Effect(receiver=True, result="element") for name in _TAKES.split()},
    **{name: Effect(changed=(0,)) for name in _CHANGES_FIRST.split()},
    **dict.fromkeys(["items", "values", "keys"], Effect(result="same")),
    "setdefault": Effect(receiver=True, kept=(1,), result="element"),
    "get": Effect(result="element"),
    "next": Effect(changed=(0,), result="joined"),
    "deepcopy": Effect(),
    "exit": Effect(ends=True),
    "quit": Effect(ends=True),
    "_exit": Effect(ends=True),
    "abort": Effect(ends=True),
}

_LOWERING = LoweringTable(
    rules=_EXPRESSIONS | _STATEMENTS | dict.fromkeys(_SILENT.split(), _SKIP),
    operators=_OPERATORS,
    effects=_EFFECTS,
    first_receiver=True,
    assignment_declares=True,
    class_scope=False,
    primitives=frozenset({"int", "float", "bool", "str", "bytes", "complex", "None"}),
    quiet=frozenset({"sys.stdin", "sys.stdout", "sys.stderr"}),
    raising=frozenset({"call", "index", "member", "/", "%", "//"}),
    constructors=frozenset({"__init__"}),
)


# Which names belong to a function, for renaming.

_INTROSPECTION = frozenset({"locals", "eval", "exec", "vars", "dir", "globals"})
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
        """Defaults, annotations and the first iterable are evaluated in the outer scope."""
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
        """Fix names in f-strings such as ``{x=}``, which show them, and in match patterns."""
        syntax = self.syntax
        kind = syntax.kinds[node]
        shows = kind == "=" and syntax.kinds[syntax.parents[node]] == "interpolation"
        if shows or kind == "case_pattern":
            for below in syntax.inside(syntax.parents[node] if shows else node):
                if syntax.kinds[below] == "identifier":
                    self.fix(below)

    def meet(self, node: int, scope: Scope) -> None:
        """Classify a name by its position."""
        syntax = self.syntax
        name = syntax.text(node)
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if (kind, field) in _NO_VARIABLES:
            return
        if name in _INTROSPECTION or (name.startswith("__") and not name.endswith("__")):
            self.region.fixed.add(name)
        if name in syntax.remember(_queried):
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
        """Classify a name that may be in a pattern by the role of the pattern."""
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
        keywords = self.syntax.remember(_keywords)
        if (
            self.syntax.text(node) in keywords
            or self._is_keyword_only(node)
            or self._is_called_by_name(node)
        ):
            self.fix(node)
        self.bind(node, scope, since=0)

    def _is_keyword_only(self, name: int) -> bool:
        """Whether a parameter comes after ``*`` or ``*args``."""
        syntax = self.syntax
        parameter = name
        while syntax.kinds[syntax.parents[parameter]] not in _PARAMETERS:
            parameter = syntax.parents[parameter]
        for sibling in syntax.children(syntax.parents[parameter]):
            if sibling == parameter:
                return False
            splat = sibling + 1 if syntax.kinds[sibling] == "typed_parameter" else sibling
            if syntax.kinds[splat] in {"list_splat_pattern", "keyword_separator"}:
                # `**rest` comes last and is never passed by name.
                return not syntax.text(parameter).startswith("**")
        return False

    def _is_called_by_name(self, parameter: int) -> bool:
        """Whether callers of the function may depend on a parameter's name."""
        syntax = self.syntax
        if syntax.remember(_has_splat_call):
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

    Strings may also contain calls, such as the examples in docstrings.
    """
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


def _queried(syntax: Syntax) -> frozenset[str]:
    """Names in strings such as ``"size > @limit"``: variables in a query of pandas."""
    strings = (syntax.text(i) for i, kind in enumerate(syntax.kinds) if kind == "string_content")
    return frozenset(name for string in strings for name in _QUERIED.findall(string))


def _has_splat_call(syntax: Syntax) -> bool:
    """Whether a call in the text passes a dictionary of keyword arguments."""
    kinds, parents = syntax.kinds, syntax.parents
    return any(
        kind == "dictionary_splat" and kinds[parents[i]] == "argument_list"
        for i, kind in enumerate(kinds)
    )


# Which functions may change places.

_EVALUATING = {"call", "await", "named_expression", "yield"}
_PARAMETER_NAMES = {
    "parameters",
    "typed_parameter",
    "list_splat_pattern",
    "dictionary_splat_pattern",
}


def _movable_groups(syntax: Syntax, parent: int) -> list[list[int]]:
    """Runs of consecutive functions that do not depend on each other."""
    children = syntax.named_children(parent)
    names = Counter(_name(syntax, i) for i in children)

    def is_free(node: int) -> bool:
        return _is_free(syntax, node) and names[_name(syntax, node)] == 1

    runs = [list(run) for free, run in groupby(children, is_free) if free]
    return [part for run in runs for part in _independent(syntax, run)]


def _name(syntax: Syntax, definition: int) -> str:
    name = syntax.child(definition, "name")
    return syntax.text(name) if name >= 0 else ""


def _is_free(syntax: Syntax, node: int) -> bool:
    """Whether a node is a function on its own lines, without a decorator or calls in its head."""
    if syntax.kinds[node] != "function_definition":
        return False
    body = syntax.child(node, "body")
    if any(syntax.kinds[i] in _EVALUATING for i in range(node, body)):
        return False
    rest = syntax.slice(syntax.ends[node], syntax.line_end(syntax.ends[node])).strip()
    return syntax.indentation(syntax.starts[node]) is not None and (
        not rest or rest.startswith("#")
    )


def _independent(syntax: Syntax, run: list[int]) -> list[list[int]]:
    """Split a run of functions where a head mentions another function of the run."""
    names = {_name(syntax, i) for i in run}
    parts: list[list[int]] = [[]]
    for node in run:
        same_column = not parts[-1] or (
            syntax.indentation(syntax.starts[node])
            == syntax.indentation(syntax.starts[parts[-1][0]])
        )
        if names & _evaluated(syntax, node) or not same_column:
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _evaluated(syntax: Syntax, function: int) -> set[str]:
    """Names that are read when a function is defined: defaults and annotations."""
    return {
        syntax.text(i)
        for i in range(syntax.child(function, "parameters"), syntax.child(function, "body"))
        if syntax.kinds[i] == "identifier"
        and syntax.fields[i] != "name"
        and syntax.kinds[syntax.parents[i]] not in _PARAMETER_NAMES
    }


# What names name.

# The outermost scope of every program.
_BUILT_IN = """
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod
    compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float
    format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter
    len license list locals map max memoryview min next object oct open ord pow print property
    quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type
    vars zip Ellipsis NotImplemented
    basestring cmp execfile file intern long raw_input reduce reload unichr unicode xrange
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
    EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError
    FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
    IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
    LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError
    OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError
    RuntimeWarning StandardError StopAsyncIteration StopIteration SyntaxError SyntaxWarning
    SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError
    UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
    Warning ZeroDivisionError
"""
_BUILT_INS = frozenset(_BUILT_IN.split())
_PRIMITIVES = frozenset({"int", "float", "bool", "str", "bytes", "complex", "object"})
_IMPORTS = {"import_statement", "import_from_statement", "future_import_statement"}
_AROUND_TYPES = {
    "argument_list",
    "generic_type",
    "type_parameter",
    "subscript",
    "binary_operator",
    "tuple",
    "list",
    "parenthesized_expression",
    "union_type",
    "constrained_type",
    "member_type",
    "splat_type",
    "as_pattern",
}
_AROUND_PARAMETERS = {"type", "splat_type", "constrained_type", "generic_type", "type_parameter"}
_OUTSIDE = {"value", "type", "return_type"}
_HEADS = {"function_definition", "lambda", "parameters", "lambda_parameters"}


class PythonNames(NameReader):
    """Reads a module, or pieces of one."""

    opens: ClassVar = {
        "function_definition": "function",
        "lambda": "function",
        "class_definition": "class",
        **dict.fromkeys(_COMPREHENSIONS, "comprehension"),
    }
    watched = frozenset(
        {"wildcard_import", "interpolation", "dictionary_splat", "global_statement"}
    )
    imports = frozenset(_IMPORTS)
    functions = frozenset({"function_definition", "decorated_definition"})

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self._imports_all = False
        self._classes: dict[str, int] = {}
        self._parameters: dict[str, set[str]] = {}
        self._lambda_parameters: set[str] = set()
        self._keywords: list[Mention] = []
        self._annotated: list[Mention] = []
        self._field_classes: dict[str, set[int]] = {}
        self._splats: list[tuple[int, int, NameScope]] = []
        self._globals: list[tuple[NameScope, str]] = []
        self._unclear: list[Mention] = []
        self._own_calls: set[int] = set()

    def look(self, node: int, scope: NameScope) -> None:
        """Note imports of everything, names that a string shows, and keyword dictionaries."""
        syntax = self.syntax
        kind = syntax.kinds[node]
        if kind == "wildcard_import":
            self._imports_all = True
        elif kind == "interpolation":
            children = syntax.children(node)
            if any(syntax.kinds[i] == "=" for i in children):  # f"{x=}"
                inside = [i for i in syntax.inside(node) if syntax.kinds[i] == "identifier"]
                self.fixed |= {syntax.text(i) for i in inside}
        elif kind == "dictionary_splat":
            arguments = syntax.parents[node]
            if syntax.kinds[arguments] == "argument_list":
                self._splats.append((syntax.parents[arguments], node, scope))
        elif kind == "global_statement" and scope.kind == "function":
            for child in syntax.named_children(node):
                name = syntax.text(child)
                self.top.bind(name, NameRole.VARIABLE)
                scope.bound[name] = NameRole.VARIABLE
                self._globals.append((scope, name))

    def meet(self, node: int, scope: NameScope) -> None:
        """Record a name by its position."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if scope.kind == "function" and self._is_outside(node, scope):
            scope = scope.parent or scope
        if kind == "ERROR":
            self._meet_unclear(node, scope)
        elif kind == "attribute" and field == "attribute":
            self._meet_attribute(node, parent, scope)
        elif kind == "attribute" and field == "object":
            self.receiver(node, scope)
        elif kind == "keyword_argument" and field == "name":
            self._keywords.append(self.add(node, NameRole.MEMBER, scope))
        elif kind in {"function_definition", "class_definition"} and field == "name":
            self._meet_definition(node, parent, scope)
        elif kind == "dotted_name":
            self._meet_dotted(node, parent, scope)
        elif kind == "aliased_import":
            self._import(node, scope)
        elif kind == "raise_statement" and field != "cause":
            self._annotated.append(self.add(node, NameRole.TYPE, scope))
        elif kind == "call" and field == "function":
            self._meet_call(node, parent, scope)
        else:
            self._meet_binding(node, parent, scope)

    def _meet_call(self, node: int, call: int, scope: NameScope) -> None:
        """Record a name that is called; what is raised is a class."""
        if self.syntax.kinds[self.syntax.parents[call]] == "raise_statement":
            self._annotated.append(self.add(node, NameRole.TYPE, scope))
        else:
            self.call(node, scope)

    def _meet_binding(self, node: int, parent: int, scope: NameScope) -> None:
        """Record a name that a statement or a pattern may bind."""
        syntax = self.syntax
        kind, is_first = syntax.kinds[parent], node == parent + 1
        if kind in {"global_statement", "nonlocal_statement"}:
            self.value(node, scope)
        elif kind == "named_expression" and syntax.fields[node] == "name":
            self.declare(node, scope.enclosing("function", "class", "text"))
        elif kind == "splat_pattern" or (kind == "as_pattern" and not is_first):
            self.declare(node, scope)
        elif kind == "keyword_pattern" and is_first:
            self.member(node, scope)
        else:
            self._meet_target(node, scope)

    def _meet_unclear(self, node: int, scope: NameScope) -> None:
        """Record a name in code that does not parse by what is before and after it."""
        kinds = self.syntax.kinds
        before = kinds[node - 1]
        after = kinds[node + 1] if node + 1 < len(kinds) else ""
        if before == "def":
            self.add(node, NameRole.FUNCTION, scope, declares=True)
        elif before == "class":
            self.declare_type(node, scope)
        elif before == ".":
            self.member(node, scope)
        elif after in {"(", "argument_list"}:
            self.call(node, scope)
        elif after == "=":
            self.declare(node, scope)
        else:
            self._unclear.append(self.add(node, NameRole.EXTERNAL, scope))

    def _is_outside(self, node: int, scope: NameScope) -> bool:
        """Whether a name is in a default or an annotation, which are read outside a function."""
        syntax = self.syntax
        if node >= syntax.child(scope.node, "body") >= 0:
            return False
        while syntax.kinds[parent := syntax.parents[node]] not in _HEADS:
            if syntax.fields[node] in _OUTSIDE:
                return True
            node = parent
        return syntax.fields[node] in _OUTSIDE or syntax.kinds[parent] == "function_definition"

    def _meet_definition(self, node: int, parent: int, scope: NameScope) -> None:
        syntax = self.syntax
        if syntax.kinds[parent] == "class_definition":
            outer = scope.parent if scope.node == parent and scope.parent else scope
            self.declare_type(node, outer)
            outer.bind(self.mentions[-1].text, NameRole.TYPE)
            self._classes[self.mentions[-1].text] = parent
            return
        outer = scope.parent if scope.node == parent and scope.parent else scope
        mention = self.add(node, NameRole.FUNCTION, outer, declares=True)
        outer.bind(mention.text, NameRole.FUNCTION)
        if outer.kind == "class" and mention.text in self.fields:
            self.fixed.add(mention.text)
        self._parameters.setdefault(mention.text, set())

    def _meet_dotted(self, node: int, parent: int, scope: NameScope) -> None:
        """Record a part of an import, or of a pattern of ``match``."""
        syntax = self.syntax
        above = syntax.parents[parent]
        kind = syntax.kinds[above]
        if kind in _IMPORTS or kind in {"aliased_import", "relative_import"}:
            binds = kind in _IMPORTS and syntax.fields[parent] == "name" and node == parent + 1
            if binds:
                self._import(node, scope)
            else:
                self.add(node, NameRole.PACKAGE, scope)
        elif kind == "class_pattern":
            self._annotated.append(self.add(node, NameRole.TYPE, scope))
        elif syntax.sizes[parent] > 2:
            if node == parent + 1:
                self.receiver(node, scope)
            else:
                self.member(node, scope)
        elif syntax.text(node) == "_":
            self.add(node, NameRole.EXTERNAL, scope)
        else:
            self.declare(node, scope)

    def _import(self, node: int, scope: NameScope) -> None:
        mention = self.add(node, NameRole.PACKAGE, scope, declares=True)
        scope.bind(mention.text, NameRole.EXTERNAL)

    def _meet_attribute(self, node: int, attribute: int, scope: NameScope) -> None:
        syntax = self.syntax
        above = syntax.parents[attribute]
        owner = self._receiver_class(attribute, scope)
        if syntax.kinds[above] == "call" and syntax.fields[attribute] == "function":
            self.call(node, scope)
            if owner >= 0:
                self._own_calls.add(node)
            return
        self.member(node, scope)
        if owner >= 0 and self._is_target(attribute):
            name = syntax.text(node)
            self.fields.add(name)
            self._field_classes.setdefault(name, set()).add(owner)

    def _receiver_class(self, attribute: int, scope: NameScope) -> int:
        """The class of the method whose first parameter an attribute is taken of, or -1."""
        syntax = self.syntax
        method = scope.enclosing("function")
        outer = method.parent
        if outer is None or outer.kind != "class":
            return -1
        first = syntax.child(method.node, "parameters")
        listed = [] if first < 0 else syntax.named_children(first)
        if not listed or syntax.kinds[attribute + 1] != "identifier":
            return -1
        taken = syntax.text(attribute + 1)
        return outer.node if syntax.text(listed[0]).partition(":")[0].strip() == taken else -1

    def _target(self, node: int) -> tuple[str, str]:
        """The kind of what a name, or a pattern around it, is in, and its field there."""
        syntax = self.syntax
        top, parent = node, syntax.parents[node]
        while syntax.kinds[parent] in _PATTERNS:
            top, parent = parent, syntax.parents[parent]
        return syntax.kinds[parent], syntax.fields[top]

    def _is_target(self, node: int) -> bool:
        kind, field = self._target(node)
        return (kind, field) in _TARGETS or kind == "as_pattern_target"

    def _meet_target(self, node: int, scope: NameScope) -> None:
        syntax = self.syntax
        kind, field = self._target(node)
        if kind in _PARAMETERS or (kind in _DEFAULTS and field not in {"value", "type"}):
            self._meet_parameter(node, scope)
        elif (kind, field) in _TARGETS or kind in {"as_pattern_target", "delete_statement"}:
            if scope.kind == "class":
                self.declare_field(node, scope)
                self._field_classes.setdefault(syntax.text(node), set()).add(scope.node)
            elif kind in {"delete_statement", "augmented_assignment"}:
                self.value(node, scope)
                scope.bind(syntax.text(node), NameRole.VARIABLE)
            else:
                self.declare(node, scope)
        elif self._is_type_parameter(node):
            self.declare_type(node, scope)
            scope.bind(syntax.text(node), NameRole.TYPE)
        elif self._names_a_type(node):
            self._annotated.append(self.add(node, NameRole.TYPE, scope))
        else:
            self.value(node, scope)

    def _meet_parameter(self, node: int, scope: NameScope) -> None:
        syntax = self.syntax
        self.declare(node, scope)
        name, head = syntax.text(node), scope.node
        if syntax.kinds[head] == "function_definition":
            function = syntax.text(syntax.child(head, "name"))
            self._parameters.setdefault(function, set()).add(name)
            above = syntax.parents[head]
            if syntax.kinds[above] == "decorated_definition":
                before = syntax.slice(syntax.starts[above], syntax.starts[head])
                if re.search(rf"[\"'\s,]{re.escape(name)}[\"'\s,]", before):
                    self.fixed.add(name)  # @parametrize("x, y", ...)
        else:
            self._lambda_parameters.add(name)

    def _is_type_parameter(self, node: int) -> bool:
        """Whether a name is declared by ``def f[T]``, ``class C[T]`` or ``type T = ...``."""
        syntax = self.syntax
        for parent in syntax.ancestors(node):
            kind = syntax.kinds[parent]
            if kind == "type_alias_statement":
                return syntax.fields[node] == "left"
            if kind == "type_parameter" and syntax.fields[parent] == "type_parameters":
                return True
            if kind not in _AROUND_PARAMETERS or (
                kind == "constrained_type" and node != parent + 1
            ):
                return False
            node = parent
        return False

    def _names_a_type(self, node: int) -> bool:
        """Whether a name is in an annotation, among base classes or in an ``except`` clause."""
        syntax = self.syntax
        for _ in range(30):
            parent = syntax.parents[node]
            if parent < 0:
                return False
            kind, field = syntax.kinds[parent], syntax.fields[node]
            if kind == "type" or (kind == "class_definition" and field == "superclasses"):
                return True
            if kind == "except_clause":
                return syntax.kinds[node] != "block"
            if kind == "type_parameter":
                return True
            if kind not in _AROUND_TYPES:
                return False
            node = parent
        return False

    def settle(self) -> None:
        """Decide by scope which names are variables, fields, types and modules."""
        for scope, name in self._globals:
            scope.bound[name] = self.top.bound[name]
        self._settle_bindings()
        for mention in self._annotated:
            self._settle_type(mention)
        typed = {one.text for one in self._annotated if one.role is NameRole.TYPE} - _PRIMITIVES
        for mention in self._calls:
            if self.syntax.kinds[self.syntax.parents[mention.node]] != "attribute":
                self._settle_call(mention, typed)
        for mention in self._values:
            self._settle_value(mention, typed)
        for mention in self._receivers:
            self._settle_receiver(mention, typed)
        for mention in self._unclear:
            bound = self._role(mention)
            if bound is not None or mention.text in self.free:
                mention.role = bound or NameRole.VARIABLE
                mention.declared = bound not in {None, NameRole.EXTERNAL}
        self._settle_fields()
        self._settle_keywords()
        self._fix_built_ins()
        self.fixed |= {one for one in self.fixed_forms() if one}

    def _fix_built_ins(self) -> None:
        """Fix global variables that are built in until they are assigned: ``min = min(n)``."""
        since: dict[str, int] = {}
        for mention in self.mentions:
            if mention.role is not NameRole.VARIABLE or mention.text not in _BUILT_INS:
                continue
            if mention.declares and mention.scope.kind != "function":
                since.setdefault(mention.text, self._assignment_end(mention.node))
        for mention in self.mentions:
            is_used = mention.role is NameRole.VARIABLE and not mention.declares
            if is_used and mention.node < since.get(mention.text, 0):
                self.fixed.add(mention.text)

    def _assignment_end(self, node: int) -> int:
        """The first node after the assignment that a name is a target of."""
        syntax = self.syntax
        for parent in syntax.ancestors(node):
            if syntax.kinds[parent] == "assignment":
                return parent + syntax.sizes[parent]
            if syntax.kinds[parent] not in _PATTERNS:
                break
        return node

    def _settle_bindings(self) -> None:
        """What is bound several ways in one scope is an import, a class or a function first."""
        for mention in self.mentions:
            if not mention.declares or mention.role not in {NameRole.VARIABLE, NameRole.TYPE}:
                continue
            bound = mention.scope.bound.get(mention.text, mention.role)
            if bound is not mention.role:
                mention.role, mention.declares = bound, False
                mention.declared = bound is not NameRole.EXTERNAL
        self.types &= {one.text for one in self.mentions if one.role is NameRole.TYPE}

    def fixed_forms(self) -> set[str]:
        """Variables whose names the language, or a string, gives a meaning."""
        texts = {one.text for one in self.mentions if one.role is NameRole.VARIABLE}
        special = {one for one in texts if one == "_" or one[:2] == one[-2:] == "__"}
        return special | (texts & self.syntax.remember(_queried))

    def _role(self, mention: Mention) -> NameRole | None:
        """What a name is bound to; the bindings of a class do not hold inside its methods."""
        scope: NameScope | None = mention.scope
        inner = False
        while scope is not None:
            if mention.text in scope.bound and not (scope.kind == "class" and inner):
                return scope.bound[mention.text]
            inner = inner or scope.kind in {"function", "comprehension"}
            scope = scope.parent
        return None

    def _settle_type(self, mention: Mention) -> None:
        bound = self._role(mention)
        if bound is NameRole.VARIABLE or bound is NameRole.FUNCTION:
            mention.role, mention.declared = bound, True
        elif bound is NameRole.TYPE:
            mention.declared = True
        elif mention.text in _PRIMITIVES:
            mention.fixed = True

    def _settle_call(self, mention: Mention, typed: set[str]) -> None:
        bound = self._role(mention)
        if bound is NameRole.VARIABLE or bound is NameRole.TYPE:
            mention.role, mention.declared = bound, True
        elif bound is NameRole.FUNCTION:
            mention.declared = True
        elif mention.text in typed:
            mention.role = NameRole.TYPE

    def _settle_value(self, mention: Mention, typed: set[str]) -> None:
        bound = self._role(mention)
        if bound is not None:
            mention.role, mention.declared = bound, bound is not NameRole.EXTERNAL
        elif mention.text in typed:
            mention.role = NameRole.TYPE
        elif (
            mention.text in _BUILT_INS
            or self._imports_all
            or mention.text[:2] == mention.text[-2:] == "__"
        ):
            mention.role = NameRole.EXTERNAL
        else:
            self.free.add(mention.text)
        if mention.role is NameRole.EXTERNAL and mention.text in typed:
            mention.role = NameRole.TYPE

    def _settle_receiver(self, mention: Mention, typed: set[str]) -> None:
        bound = self._role(mention)
        if bound is NameRole.EXTERNAL:
            mention.role = NameRole.TYPE if mention.text in typed else NameRole.RECEIVER
        elif bound is not None:
            mention.role, mention.declared = bound, True
        elif mention.text in typed:
            mention.role = NameRole.TYPE
        elif mention.text in self.free:
            mention.role = NameRole.VARIABLE

    def _settle_fields(self) -> None:
        """An attribute is a field if a class of the text sets one of that name."""
        if not self.fields:
            return
        syntax = self.syntax
        called = [
            one for one in self._calls if syntax.kinds[syntax.parents[one.node]] == "attribute"
        ]
        other_calls = {one.text for one in called if one.node not in self._own_calls}
        strings = {syntax.text(i) for i, k in enumerate(syntax.kinds) if k == "string_content"}
        kept = (other_calls | self._parameters.keys() | strings) & self.fields
        for mention in called:
            if mention.text in self.fields - kept:  # self.key(x), where key holds a function
                mention.role, mention.declared = NameRole.VARIABLE, True
        foreign = {owner for owner in self._classes.values() if self._has_foreign_base(owner)}
        kept |= {name for name, owners in self._field_classes.items() if owners & foreign}
        receivers = {one.node: one.role for one in self._receivers}
        for mention in self._members:
            if mention.text in self.fields:
                mention.role, mention.declared = NameRole.VARIABLE, True
                first = syntax.parents[mention.node] + 1
                if receivers.get(first) is NameRole.RECEIVER:
                    kept.add(mention.text)
        kept |= {one for one in self.fields if one[:2] == one[-2:] == "__"}
        self.fixed |= kept

    def _has_foreign_base(self, owner: int) -> bool:
        """Whether a class has a base that is not in the text and may have fields of its own."""
        syntax = self.syntax
        bases = syntax.child(owner, "superclasses")
        if bases < 0:
            return False
        texts = [syntax.text(i) for i in syntax.named_children(bases)]
        return any(one not in self._classes and one != "object" for one in texts)

    def _settle_keywords(self) -> None:
        """A keyword argument of a function of the text is named like its parameter."""
        syntax = self.syntax
        roles = {one.node: one for one in self.mentions} if self._keywords or self._splats else {}
        anywhere = self._lambda_parameters.union(*self._parameters.values())
        for mention in self._keywords:
            call = syntax.parents[syntax.parents[syntax.parents[mention.node]]]
            accepted = self._accepted(call, roles)
            if accepted is None:
                if mention.text in anywhere:
                    self.fixed.add(mention.text)
            elif mention.text in accepted:
                mention.role, mention.declared = NameRole.VARIABLE, True
            elif mention.text in anywhere and self._passes_function(call, roles, mention.text):
                self.fixed.add(mention.text)
        for call, splat, scope in self._splats:
            accepted = self._accepted(call, roles)
            names = anywhere if accepted is None else accepted
            self.fixed |= names & self._written if self._passes_on(splat, scope) else names

    def _passes_on(self, splat: int, scope: NameScope) -> bool:
        """Whether ``**options`` are those that the function was given, unchanged."""
        syntax = self.syntax
        function = scope.enclosing("function")
        listed = syntax.child(function.node, "parameters") if function.kind == "function" else -1
        children = [] if listed < 0 else syntax.named_children(listed)
        given = [i for i in children if syntax.kinds[i] == "dictionary_splat_pattern"]
        name = syntax.text(splat).lstrip("* \t")
        if not given or syntax.text(given[0]).lstrip("* \t") != name:
            return False
        passed = {"dictionary_splat", "dictionary_splat_pattern"}
        return all(
            syntax.kinds[syntax.parents[one.node]] in passed
            for one in self._places.get(name, ())
            if function.node < one.node < function.end
        )

    @cached_property
    def _places(self) -> dict[str, list[Mention]]:
        """The mentions of each name, once all of the text was read."""
        found: dict[str, list[Mention]] = {}
        for one in self.mentions:
            found.setdefault(one.text, []).append(one)
        return found

    @cached_property
    def _written(self) -> frozenset[str]:
        """The names of keyword arguments of the text, and its strings."""
        syntax = self.syntax
        strings = (syntax.text(i) for i, k in enumerate(syntax.kinds) if k == "string_content")
        return frozenset(strings) | {one.text for one in self._keywords}

    def _accepted(self, call: int, roles: Mapping[int, Mention]) -> set[str] | None:
        """The parameters of the function that is called; None if it may be any function."""
        syntax = self.syntax
        function = syntax.child(call, "function")
        if syntax.kinds[call] != "call" or function < 0:
            return set()
        if syntax.kinds[function] == "attribute":
            name = syntax.text(syntax.child(function, "attribute"))
            found = self._parameters.get(name)
            return set() if found is None else found
        mention = roles.get(function)
        if mention is None or mention.role is NameRole.VARIABLE:
            return None
        if mention.role is NameRole.TYPE and mention.declared:
            return self._parameters.get("__init__", set()) | self.fields
        return self._parameters.get(mention.text, set()) if mention.declared else set()

    def _passes_function(self, call: int, roles: Mapping[int, Mention], name: str) -> bool:
        """Whether a call is given a function of the text that has a parameter of a name."""
        syntax = self.syntax
        for child in syntax.named_children(syntax.child(call, "arguments")):
            mention = roles.get(child)
            if mention is not None and name in self._parameters.get(mention.text, ()):
                return True
        return False

    def calls_own(self, node: int) -> bool:
        """Whether a function is called, and not an attribute."""
        return self.syntax.kinds[self.syntax.parents[node]] != "attribute"


_REWRITING = Rewriting(
    blocks=frozenset({"module", "block"}),
    functions=frozenset({"function_definition"}),
    bodies=frozenset({"block"}),
    scopes=PythonScopes,
    frames=frozenset({"_getframe", "currentframe", "f_locals", "co_varnames", "__code__"}),
    introspection=_INTROSPECTION,
    signatures=frozenset({"__annotations__", "get_type_hints", "inspect", "signature"}),
    spaced=frozenset({"assignment"}),
    heading_lines=2,  # a shebang and an encoding declaration
    dead=(
        "{name} = {number}",
        "{name} = [{number}]",
        "if False:\n{step}{name} = {number}",
        "while False:\n{step}{name} = {number}",
        "for {name} in ():\n{step}pass",
    ),
    movable=frozenset({"function_definition"}),
    movable_groups=_movable_groups,
    order_seen=frozenset(
        {"__dict__", "vars", "globals", "locals", "dir", "inspect", "exec", "eval"}
    ),
    binary=frozenset({"binary_operator", "boolean_operator", "comparison_operator"}),
    assignments=frozenset({"augmented_assignment"}),
    swaps={
        **SWAPS,
        **swapped("and or", "in not␣in", "is is␣not", "//= *="),
        "//": "*",
        "**": "*",
        "*=": "/=",
    },
    conditions={
        "if_statement": "condition",
        "elif_clause": "condition",
        "while_statement": "condition",
        "conditional_expression": "1",
    },
    negation="not ({})",
    numbers=frozenset({"integer", "float"}),
    strings=frozenset({"string"}),
    contents=frozenset({"string_content"}),
    arguments=frozenset({"argument_list"}),
    fixed_arguments=frozenset(
        {"keyword_argument", "list_splat", "parenthesized_list_splat", "dictionary_splat"}
    ),
    droppable=frozenset(
        {"expression_statement", "break_statement", "continue_statement", "raise_statement"}
    ),
    needed=frozenset({"return_statement", "assert_statement", "delete_statement"}),
    idle=frozenset({"string", "ellipsis", "identifier"}),
    declaring=frozenset({"assignment"}),
    members=frozenset({"attribute", "subscript"}),
    empty="pass",
)
_WRITING = Writing(
    (
        "def {0}({1}):\n    return {2}({1})\n",
        "def {0}({1}):\n    {3} = {2}({1})\n    return {3} + {1}\n",
    ),
    re.compile(r"def \w+\("),
    end="",
    closing="",
)


PYTHON = Language(
    name="python",
    title="Python",
    aliases=("py", "python3"),
    suffixes=(".py", ".pyi", ".pyw"),
    layout=True,
    prelude=frozenset(_PRELUDE.split()),
    lowering=_LOWERING,
    rewriting=_REWRITING,
    names=PythonNames,
    writing=_WRITING,
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"function_definition"}),
        wrappers=frozenset({"decorated_definition"}),
        blocks=frozenset({"block"}),
        declarations=frozenset({"class_definition"}),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-python",
            entry="language",
            classes={
                "integer": TokenClass.INTEGER,
                "float": TokenClass.FLOAT,
                "string": TokenClass.STRING,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "none": TokenClass.NULL,
                "ellipsis": TokenClass.DELIMITER,
                "wildcard_import": TokenClass.OPERATOR,
                "positional_separator": TokenClass.OPERATOR,
                "keyword_separator": TokenClass.OPERATOR,
                "import_prefix": TokenClass.DELIMITER,
            },
            atoms=frozenset({"string"}),
            skip=frozenset({"line_continuation"}),
            docstrings={
                "module": frozenset(),
                "block": frozenset({"function_definition", "class_definition"}),
            },
        ),
    ),
)
