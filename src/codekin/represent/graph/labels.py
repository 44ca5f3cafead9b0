"""Labels of operations, which do not depend on the names of local variables."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.languages import get_language
from codekin.represent.flow.flow_ir import (
    Access,
    CallShape,
    FlowIR,
    FunctionKind,
    OperationFlag,
    OperationKind,
    VariableKind,
)

__all__ = [
    "NODE_CLASSES",
    "SAME_CALLS",
    "called_through_variables",
    "constant_word",
    "label_class",
    "label_operations",
    "literal_label",
]

_LAST_LOCAL = int(VariableKind.PARAMETER)
"""Local variables and parameters are the first two kinds."""
_Bools = npt.NDArray[np.bool_]


def _locally_named(
    ir: FlowIR, calls: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None
) -> tuple[_Bools, _Bools]:
    """Find operations that are named after local variables.

    Parameters
    ----------
    ir : FlowIR
    calls : pair of arrays, optional
        Calls, and the functions of the text that they may run.

    Returns
    -------
    calls, entries : bool arrays
        By operation: calls of the value of a local variable or parameter, and entries of lambdas
        bound to local variables. A declared nested function keeps its name.
    """
    if not len(ir.access_variable):
        return np.zeros(len(ir), dtype=bool), np.zeros(len(ir), dtype=bool)
    anonymous = _bound_lambdas(ir)
    through = called_through_variables(ir)
    if calls is not None:
        through[calls[0]] = False
        through[calls[0][anonymous[calls[1]]]] = True
    entries = np.zeros(len(ir), dtype=bool)
    entries[ir.function_first_operation[anonymous]] = True
    return through & (ir.kind == OperationKind.CALL), entries


def _bound_lambdas(ir: FlowIR) -> _Bools:
    """Lambdas that are named after a local variable of the enclosing function."""
    bound: _Bools = ir.function_kind == FunctionKind.LAMBDA
    if not bound.any():
        return bound
    local = ir.variable_kind <= _LAST_LOCAL
    owners = ir.variable_owner[local].astype(np.int64)
    names = ir.variable_name[local].astype(np.int64)
    wide = len(ir.strings) + 1
    keys = ir.function_parent.astype(np.int64) * wide + ir.function_name
    bound &= (ir.function_parent > 0) & np.isin(keys, owners * wide + names)
    return bound


def called_through_variables(ir: FlowIR) -> _Bools:
    """Whether each operation calls a local variable, other than a nested function."""
    by = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
    assigned = np.zeros(len(ir.variable_kind), dtype=bool)
    defines = (ir.access_mode == Access.DEFINE) & (ir.kind[by] != OperationKind.FUNCTION)
    assigned[ir.access_variable[defines]] = True
    assigned &= ir.variable_kind <= _LAST_LOCAL
    read = (ir.access_mode == Access.READ) & assigned[ir.access_variable]
    read &= ir.variable_name[ir.access_variable] == ir.name[by]
    times = np.bincount(by[read], minlength=len(ir))
    called: _Bools = times > _arguments_of_that_name(ir)
    called[ir.call_operation[ir.call_shape != CallShape.PLAIN]] = False
    return called


def _arguments_of_that_name(ir: FlowIR) -> npt.NDArray[np.intp]:
    """The number of arguments with the name of their call: ``std::max(max, x)``."""
    by = np.repeat(ir.call_operation, np.diff(ir.argument_offsets))
    passed = ir.argument_variable >= 0
    by, variable = by[passed], ir.argument_variable[passed]
    return np.bincount(by[ir.variable_name[variable] == ir.name[by]], minlength=len(ir))


_ROOT_LABEL = "root"
_NAMELESS = "<lambda>"
_LONG_STRING = 20
_STRING_PREFIXES = "rRbBfFuUL"
_CONSTANT_FLAGS = int(OperationFlag.OTHER_CONSTANT)
_OWN_CALL = 1
"""Instead of flags: the call is of a function of the text."""

SAME_CALLS: dict[str, tuple[str, ...]] = {
    "len": ("len", "length", "size", "strlen", "Len"),
    "print": (
        *("print", "println", "printf", "cout", "puts", "putchar", "write", "writeln"),
        *("Print", "Println", "Printf", "println!", "print!", "putStrLn", "cerr", "fprintf"),
    ),
    "read": (
        *("input", "readline", "readLine", "nextLine", "nextInt", "nextLong", "nextDouble"),
        *("scanf", "cin", "getline", "gets", "fgets", "getchar", "read_line", "Scan", "Scanln"),
        *("Scanf", "ReadString"),
    ),
    "append": ("append", "push_back", "push", "add", "emplace_back", "addLast", "emplace"),
    "extend": ("extend", "addAll", "push_all", "concat", "append_all"),
    "pop": ("pop", "pop_back", "removeLast", "poll", "pollLast"),
    "insert": ("insert", "put", "set", "emplace_hint"),
    "remove": ("remove", "erase", "delete", "discard", "removeAt"),
    "clear": ("clear", "removeAll"),
    "contains": ("contains", "containsKey", "includes", "has", "contains_key", "Contains"),
    "find": ("find", "indexOf", "index", "IndexByte", "Index"),
    "sort": ("sort", "sorted", "qsort", "stable_sort", "sort_unstable", "sort_by", "Ints"),
    "reverse": ("reverse", "reversed", "Reverse", "rev"),
    "swap": ("swap",),
    "max": ("max", "maximum", "fmax", "Max"),
    "min": ("min", "minimum", "fmin", "Min"),
    "abs": ("abs", "fabs", "labs", "llabs", "Abs"),
    "sum": ("sum", "accumulate"),
    "pow": ("pow", "powi", "powf", "Pow"),
    "sqrt": ("sqrt", "isqrt", "sqrtf", "Sqrt"),
    "int": ("int", "parseInt", "stoi", "atoi", "Atoi", "intValue", "Number", "parseLong", "stol"),
    "float": ("float", "parseFloat", "parseDouble", "stod", "atof"),
    "str": ("str", "toString", "to_string", "String", "Itoa", "valueOf", "Sprint"),
    "split": ("split", "Split", "split_whitespace", "Fields", "strtok"),
    "join": ("join", "Join"),
    "replace": ("replace", "replaceAll", "ReplaceAll"),
    "trim": ("strip", "trim", "TrimSpace"),
    "lower": ("lower", "toLowerCase", "to_lowercase", "tolower", "ToLower"),
    "upper": ("upper", "toUpperCase", "to_uppercase", "toupper", "ToUpper"),
    "substring": ("substring", "substr", "slice", "subList"),
    "startswith": ("startswith", "startsWith", "starts_with", "HasPrefix"),
    "endswith": ("endswith", "endsWith", "ends_with", "HasSuffix"),
    "empty": ("empty", "isEmpty", "is_empty"),
    "exit": ("exit", "Exit", "quit"),
    "map": ("map", "transform"),
    "copy": ("copy", "clone", "memcpy", "to_vec", "copyOf"),
}
"""Library calls with the same meaning: the word for them, and their names in languages."""

_WORDS = {name: word for word, names in SAME_CALLS.items() for name in names}
_MEMBERS_LIKE_CALLS = {"length": "call:len"}
"""Members that are calls in other languages."""
_SAME_CONSTANTS = {
    **dict.fromkeys(("True", "true", "TRUE"), "true"),
    **dict.fromkeys(("False", "false", "FALSE"), "false"),
    **dict.fromkeys(("None", "null", "nil", "nullptr", "NULL", "undefined"), "null"),
}
_TYPES = [kind.name.lower() for kind in OperationKind]
_CATEGORY_OF_KIND = {
    OperationKind.ENTRY: "entry",
    OperationKind.PARAMETER: "param",
    OperationKind.CONSTANT: "constant",
    OperationKind.ASSIGN: "assign",
    OperationKind.OPERATOR: "operator",
    OperationKind.CALL: "call",
    OperationKind.INDEX: "index",
    OperationKind.MEMBER: "member",
    OperationKind.RETURN: "return",
    OperationKind.JUMP: "jump",
    OperationKind.PREDICATE: "predicate",
    OperationKind.FUNCTION: "function",
    OperationKind.OPAQUE: "opaque",
    OperationKind.CLASS: "class",
    OperationKind.IMPORT: "import",
    OperationKind.EXIT: "exit",
}
_OPERATORS = {
    "arith": "+ - * / % // ** neg pos ++ -- @ ^^",
    "compare": "== != < > <= >= === !== <=> in not-in is is-not instanceof isinstance",
    "logic": "&& || ! ?: ?? and or not",
    "bit": "& | ^ ~ << >> >>> &^",
    "collection": "list tuple set map dict array slice range comprehension struct object range=",
    "pointer": "* deref & address addressof",
    "cast": "cast as await yield spread format typeof sizeof",
}
_CATEGORY_OF_OPERATOR = {
    name: category for category, names in reversed(_OPERATORS.items()) for name in names.split()
}
NODE_CLASSES = (_ROOT_LABEL, *_CATEGORY_OF_KIND.values(), *_OPERATORS)
"""What a label says about a node: the same words as the labels of the scheme ``category``."""
_CLASS_OF_WORD = {
    **dict(zip(_TYPES, _CATEGORY_OF_KIND.values(), strict=True)),
    **{name: name for name in NODE_CLASSES},
    **_CATEGORY_OF_OPERATOR,
    **dict.fromkeys(("=", "++", "--", "catch"), "assign"),
    **dict.fromkeys(("break", "continue", "goto", "throw", "assert"), "jump"),
    **dict.fromkeys(("test", "each", "switch", "case", "select", "?"), "predicate"),
    **dict.fromkeys(("true", "false", "null", "string", "number"), "constant"),
    "not in": "compare",
    "lambda": "function",
}
_PREFIXES = frozenset(("call", "entry", "member"))
_NAMED_KINDS = frozenset((OperationKind.ASSIGN, OperationKind.OPERATOR, OperationKind.JUMP))
"""Kinds whose label is the name."""


def _call_word(name: str) -> str:
    """The word for a called name, common to library calls with the same meaning.

    Examples
    --------
    >>> _call_word("push_back"), _call_word("append"), _call_word("solve")
    ('append', 'append', 'solve')
    """
    return _WORDS.get(name, name)


@lru_cache(maxsize=1 << 14)
def label_class(label: str) -> str:
    """The class of the nodes with a label, one of :data:`NODE_CLASSES`.

    It depends on the label alone, so that nodes that may match are always of one class.

    Examples
    --------
    >>> [label_class(label) for label in ("call:len", "+", "arith", "+=", "each", '"no"', "0")]
    ['call', 'arith', 'arith', 'assign', 'predicate', 'constant', 'constant']
    """
    if label[:1] == '"':
        return "constant"
    known = _CLASS_OF_WORD.get(label)
    if known:
        return known
    prefix = label.partition(":")[0]
    if prefix in _PREFIXES:
        return prefix
    if label.endswith("="):
        return "assign"
    return "constant" if any(character.isdigit() for character in label[:2]) else "operator"


def constant_word(text: str, flags: int) -> str:
    """The value of a constant, normalised across languages; long strings are just ``string``.

    Examples
    --------
    >>> constant_word("'no'", 16), constant_word('"no"', 16), constant_word("10L", 32)
    ('"no"', '"no"', '10')
    >>> constant_word("None", 48), constant_word('"' + 21 * "x" + '"', 16)
    ('null', 'string')
    """
    kind = flags & _CONSTANT_FLAGS
    if kind == OperationFlag.STRING:
        inner = text.lstrip(_STRING_PREFIXES)
        inner = inner[1:-1] if len(inner) > 1 and inner[0] in "\"'`" else text
        return "string" if len(inner) > _LONG_STRING else f'"{inner}"'
    if kind == OperationFlag.NUMBER:
        return _number_word(text)
    return _SAME_CONSTANTS.get(text, text if len(text) <= _LONG_STRING else "constant")


def _number_word(text: str) -> str:
    """A number without the separators and suffixes of its language."""
    plain = text.replace("_", "").replace("'", "").lower()
    if not plain.startswith(("0x", "0b", "0o")):
        plain = plain.rstrip("lfudn")
    return plain if len(plain) <= _LONG_STRING else "number"


def _operator_label(kind: int, name: str, flags: int) -> str:
    if kind == OperationKind.CALL:
        word = name if flags == _OWN_CALL else _call_word(name)
        return f"call:{word}" if name else "call"
    if kind in _NAMED_KINDS:
        return name or _TYPES[kind]
    if kind == OperationKind.MEMBER:
        return _MEMBERS_LIKE_CALLS.get(name) or (f"member:{name}" if name else "member")
    if kind == OperationKind.ENTRY:
        return f"entry:{name}"
    if kind == OperationKind.PREDICATE:
        return name or "test"
    if kind == OperationKind.FUNCTION:
        return "lambda"
    return _CATEGORY_OF_KIND[OperationKind(kind)]


def _literal_label(kind: int, name: str, flags: int) -> str:
    if kind == OperationKind.CONSTANT:
        return constant_word(name, flags)
    return _operator_label(kind, name, flags)


def _category_label(kind: int, name: str, flags: int) -> str:
    if kind == OperationKind.ENTRY:
        return f"entry:{name}"
    if kind == OperationKind.OPERATOR:
        return _CATEGORY_OF_OPERATOR.get(name, "operator")
    return _CATEGORY_OF_KIND[OperationKind(kind)]


def _type_label(kind: int, name: str, flags: int) -> str:
    return f"entry:{name}" if kind == OperationKind.ENTRY else _TYPES[kind]


_SCHEMES: dict[str, Callable[[int, str, int], str]] = {
    name: lru_cache(maxsize=1 << 14)(scheme)
    for name, scheme in (
        ("operator", _operator_label),
        ("operator+literal", _literal_label),
        ("category", _category_label),
        ("type", _type_label),
    )
}


def label_operations(
    ir: FlowIR,
    chosen: npt.NDArray[np.intp],
    scheme: str,
    language: str = "",
    calls: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None,
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Label operations.

    Parameters
    ----------
    ir : FlowIR
    chosen : array
        The operations to label.
    scheme : str
        One of :data:`codekin.represent.graph.semantic_graph.LABELS`.
    language : str
        The name of the language, if known.
    calls : pair of arrays, optional
        Calls of functions of the text, which keep their names (instead of the words for library
        calls), and the functions.

    Returns
    -------
    (int32 array, tuple of str)
        The index of each operation's label, and the labels; the first is that of the root.
    """
    all_flags = ir.flags & np.uint8(_CONSTANT_FLAGS)
    if calls is not None:
        all_flags[calls[0]] = _OWN_CALL
    strings = ("", *ir.strings, _NAMELESS)
    nameless_calls, nameless_entries = _locally_named(ir, calls)
    all_names = np.where(nameless_calls, -1, ir.name)
    all_names[nameless_entries] = len(ir.strings)
    kinds, names, flags = ir.kind[chosen], all_names[chosen], all_flags[chosen]
    keys = ((names.astype(np.int64) + 1) << 16) | (kinds.astype(np.int64) << 8) | flags
    unique, inverse = np.unique(keys, return_inverse=True)
    label_of, own = _SCHEMES[scheme], _own_labels(language)
    places: dict[str, int] = {_ROOT_LABEL: 0}
    table = []
    for key in unique.tolist():
        label = label_of((key >> 8) & 255, strings[key >> 16], key & 255)
        table.append(places.setdefault(own.get(label, label), len(places)))
    return np.array(table, dtype=np.int32)[inverse], tuple(places)


@lru_cache(maxsize=1 << 14)
def literal_label(kind: int, name: str, flags: int, language: str) -> str:
    """The label of one operation by the scheme ``operator+literal``, whatever is declared.

    Examples
    --------
    >>> literal_label(int(OperationKind.CALL), "push_back", 0, "cpp")
    'call:append'
    """
    label = _literal_label(kind, name, flags & _CONSTANT_FLAGS)
    return _own_labels(language).get(label, label)


@lru_cache
def _own_labels(language: str) -> dict[str, str]:
    """Labels with another meaning in this language: ``log`` is usually a logarithm."""
    table = get_language(language).lowering if language else None
    words = table.call_words.items() if table else ()
    return {f"call:{name}": f"call:{word}" for name, word in words}
