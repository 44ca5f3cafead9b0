"""Whether two pieces of code do the same, as far as names and normal forms tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages import TokenClass
from codekin.represent.flow.flow_ir import FlowIR, FunctionKind, OperationKind, VariableKind
from codekin.represent.graph.normal_form import kept_operations, normal_form
from codekin.represent.graph.refinement import refined_nodes
from codekin.source import Source

__all__ = ["do_alike"]

_NUMBERS = np.zeros(len(TokenClass), dtype=np.bool_)
_NUMBERS[[TokenClass.INTEGER, TokenClass.FLOAT, TokenClass.CHARACTER]] = True
_IMPLIED = _native.string_ids(["0", "1"])
"""Numbers that code may state or imply, as ``i += 1`` and ``i++`` do."""
_SPELLINGS = (
    *(("+", "+"), ("+=", "+"), ("++", "+"), ("-", "-"), ("-=", "-"), ("--", "-")),
    *(("/", "/"), ("/=", "/"), ("//", "//"), ("//=", "//"), ("%", "%"), ("%=", "%")),
)
"""Operators as written, and which they are."""
_WRITTEN = _native.string_ids([written for written, _ in _SPELLINGS])
_ORDER = np.argsort(_WRITTEN)
_WRITTEN, _OPERATORS = (
    _WRITTEN[_ORDER],
    _native.string_ids([meant for _, meant in _SPELLINGS])[_ORDER],
)
_LITERALS = frozenset((TokenClass.INTEGER, TokenClass.FLOAT, TokenClass.CHARACTER))
_IMPORTABLE = frozenset(
    (TokenClass.STRING, TokenClass.KEYWORD, TokenClass.OPERATOR, TokenClass.IDENTIFIER)
)
_EXCHANGED = frozenset(
    (
        *("if", "else", "elif", "return", "not", "and", "or", "pass"),
        *("final", "const", "auto", "let", "var", "public", "private", "protected"),
    )
)
"""Keywords that code may do with or without."""
_OPTIONAL = np.sort(
    _native.string_ids(
        [*_EXCHANGED, "import", "from", "as", "using", "namespace", "package", "#include"]
    )
)
"""Keywords that do not count at a first look."""
_LABELLED = frozenset(("case", "match", "switch", "except", "catch"))
_MEANT = {
    **{one: one for one in ("*", "**", "<<", "&", "|", "^", "~", "..", "..=", "...", "@", ":=")},
    **{one + "=": one for one in ("*", "**", "<<", "&", "|", "^")},
    **{"===": "===", "!==": "===", "??": "??", "?.": "?."},
}
"""Operators that are counted, and which they are."""
_POINTERS = frozenset("*&")
"""Operators that are parts of types as well."""
_OF_NO_ACCOUNT = {
    "python": frozenset(
        (
            *("List", "Dict", "Set", "Tuple", "Optional", "Any", "Union", "Callable"),
            *("list", "dict", "set", "tuple", "int", "str", "float", "bool"),
        )
    ),
    "cpp": frozenset(("std",)),
}
"""Names that annotate, or that can be left out; calls of them are operations anyway."""
_SHAPES = frozenset("*&[]")
"""What may follow the name of a type in a cast."""
_MEMBER_MARKS = frozenset((".", "::"))
_AFTER_PLACED = _MEMBER_MARKS | {")"}
"""What follows a type that has a member, or that of a cast."""
_SIZES = frozenset(("unsigned", "signed", "long", "short"))
"""Keywords that are parts of types."""
_ARGUMENT_NAMES = {
    "python": ("(", "="),
    **dict.fromkeys(("javascript", "typescript", "go", "rust"), ("{", ":")),
}
"""The bracket in which arguments or fields have names, and what follows these."""
_OPENING_ALL, _CLOSING_ALL = frozenset("([{"), frozenset(")]}")
_OPENING, _CLOSING, _ENDING = frozenset("(["), frozenset(")]"), frozenset(";:{}⏎")
_LONGEST_DECLARATION = 100
"""How many tokens of a declaration are read."""
_IMPORTS = (b"import ", b"from ", b"#include", b"using ", b"package ")
_MOST_TOKENS = 5000
"""Longer pieces are not compared."""


def do_alike(piece: Source, reference: Source) -> bool:
    r"""Whether a piece of code can take the place of another one, as far as can be told.

    Both must parse and have equal normal forms
    (:mod:`codekin.represent.graph.normal_form`), and what others may refer to must have the same
    names. In languages that are not lowered, and for very long code, nothing is told.

    Examples
    --------
    >>> texts = "def f(a):\n    b = a * 2\n    return b\n", "def f(n):\n    return 2 * n\n"
    >>> do_alike(*(Source(text, "python") for text in texts))
    True
    """
    if reference.language.lowering is None or piece.problems or reference.problems:
        return False
    if max(len(one.tokens) for one in (piece, reference)) > _MOST_TOKENS:
        return False
    if _first_look(piece) != _first_look(reference):
        return False
    if _operations(piece) != _operations(reference):
        return False
    if not _names(reference).offered <= _names(piece).declared:
        return False
    if not _imports(reference) <= _imports(piece):
        return False
    if not _types(piece).allow(_types(reference)):
        return False
    structure = _structure(reference)
    if structure is None or _structure(piece) != structure:
        return False
    mine, theirs = _vocabulary(piece), _vocabulary(reference)
    own = mine.own | theirs.own
    return mine.without(own) == theirs.without(own)


def _first_look(piece: Source) -> bytes:
    """Some operators, numbers and keywords of a text, in any order: those that must be the same.

    The numbers 0 and 1 may be implied, so they do not count here.
    """

    def look() -> bytes:
        tokens = piece.tokens
        numbers = tokens.ids[_NUMBERS[tokens.classes]]
        place = np.minimum(np.searchsorted(_WRITTEN, tokens.ids), len(_WRITTEN) - 1)
        operators = _OPERATORS[place[_WRITTEN[place] == tokens.ids]]
        numbers = numbers[(numbers != _IMPLIED[0]) & (numbers != _IMPLIED[1])]
        keywords = tokens.ids[tokens.classes == TokenClass.KEYWORD]
        place = np.minimum(np.searchsorted(_OPTIONAL, keywords), len(_OPTIONAL) - 1)
        keywords = keywords[_OPTIONAL[place] != keywords]
        return b"".join(np.sort(some).tobytes() for some in (numbers, operators, keywords))

    return piece.remember("first look", look)


def _operations(piece: Source) -> tuple[str, ...]:
    return piece.remember("operations", lambda: kept_operations(piece.flow_ir, piece.language.name))


@dataclass(frozen=True)
class _Names:
    """What a text calls things, as far as that matters to other code.

    Attributes
    ----------
    declared : frozenset of str
        Names of its functions and of the types that these belong to.
    offered : frozenset of str
        Those of them that it does not call itself, so others may.
    """

    declared: frozenset[str]
    offered: frozenset[str]


def _names(piece: Source) -> _Names:
    def look() -> _Names:
        ir = piece.flow_ir
        functions = {
            name
            for name, kind in zip(ir.function_name.tolist(), ir.function_kind.tolist(), strict=True)
            if kind not in (FunctionKind.MODULE, FunctionKind.LAMBDA)
        }
        types = set(ir.function_owner.tolist()) - {-1}
        called = set(ir.call_name.tolist())
        return _Names(
            declared=_strings(ir, functions | types),
            offered=_strings(ir, (functions - called) | types),
        )

    return piece.remember("names", look)


def _imports(piece: Source) -> frozenset[bytes]:
    """What a text imports, as it is written there, in languages where imports are statements."""

    def look() -> frozenset[bytes]:
        ir = piece.flow_ir
        places = np.flatnonzero(ir.kind == OperationKind.IMPORT)
        spans = zip(ir.start[places].tolist(), ir.end[places].tolist(), strict=True)
        return frozenset(piece.data[start:end] for start, end in spans)

    return piece.remember("imports", look)


@dataclass(frozen=True)
class _Types:
    """The types that a text names.

    Attributes
    ----------
    declared : Counter of str
        For how many variables and functions each is declared, and how often it is named elsewhere.
    cast : Counter of str
        How often values are converted to each.
    """

    declared: Counter[str]
    cast: Counter[str]

    def allow(self, other: _Types) -> bool:
        """Whether variables of one text may have the types of those of another one.

        One text may have variables that the other does without. But if each has some that the other
        lacks, the same variables have other types.
        """
        mine, theirs = self.declared, other.declared
        if self.cast != other.cast or mine.keys() != theirs.keys():
            return False
        return mine <= theirs or mine >= theirs


def _types(piece: Source) -> _Types:
    return piece.remember("types", lambda: _named_types(piece))


def _named_types(piece: Source) -> _Types:
    texts, classes = piece.tokens.texts, piece.tokens.classes
    declared: Counter[str] = Counter()
    cast: Counter[str] = Counter()
    for place in np.flatnonzero(classes == TokenClass.TYPE).tolist():
        if _is_imported(piece.data, int(piece.tokens.starts[place])):
            continue
        end = _end_of_cast(texts, place)
        if end:
            whole = texts[end : end + 1] == ["("]  # (int) (a + b), but not (int) a + b
            cast[f"{texts[place]} (" if whole else texts[place]] += 1
            declared[texts[place]] += 0
        else:
            declared[texts[place]] += _declarators(texts, classes, place)
    return _Types(declared, cast)


def _end_of_cast(texts: list[str], place: int) -> int:
    """Where a cast to a type ends, as ``(long)`` does; 0 if it is none."""
    after = place + 1
    while after < len(texts) and texts[after] in _SHAPES:
        after += 1
    if place and texts[place - 1] == "(" and texts[after : after + 1] == [")"]:
        return after + 1
    return 0


def _declarators(texts: list[str], classes: npt.NDArray[np.uint8], place: int) -> int:
    """How many variables a type is declared for: two by ``int a = f(x, y), b;``."""
    number, depth = 1, 0
    for i in range(place + 1, min(place + _LONGEST_DECLARATION, len(texts))):
        if texts[i] in _OPENING:
            depth += 1
        elif texts[i] in _CLOSING:
            depth -= 1
        if depth < 0 or (depth == 0 and texts[i] in _ENDING):
            break
        if depth == 0 and texts[i] == ",":
            if classes[i + 1 : i + 2].tolist() != [TokenClass.IDENTIFIER]:
                break
            number += 1
    return number


@dataclass(frozen=True)
class _Vocabulary:
    """Tokens of each function of a text that the same code has, too, however it is written.

    Attributes
    ----------
    words : tuple of (int, str)
        Keywords, operators, strings and names, except those that rules of normal forms may
        exchange, each after the number of its function.
    ordered : tuple of (int, str)
        The same of tokens whose order counts, since graphs do not know what they belong to: types
        of parameters, of casts and before members, and names of arguments. If there are cases or
        handlers of exceptions, of which graphs do not know the labels, all words, and numbers.
    own : frozenset of str
        Names of local variables and parameters, and of functions that the text itself calls.
    """

    words: tuple[tuple[int, str], ...]
    ordered: tuple[tuple[int, str], ...]
    own: frozenset[str]

    def without(self, names: frozenset[str]) -> list[tuple[list[str], list[str]]]:
        """The words of each function except some names; functions may come in any order."""
        found: dict[int, tuple[list[str], list[str]]] = {}
        for which, words in enumerate((self.words, self.ordered)):
            for function, word in words:
                if word not in names:
                    found.setdefault(function, ([], []))[which].append(word)
        for words_in_any_order, _ in found.values():
            words_in_any_order.sort()
        return sorted(found.values())


def _vocabulary(piece: Source) -> _Vocabulary:
    def look() -> _Vocabulary:
        language = piece.language.name
        annotating = _OF_NO_ACCOUNT.get(language, frozenset())
        pointers = _POINTERS if language in ("c", "cpp") else frozenset()
        bracket, mark = _ARGUMENT_NAMES.get(language, ("", ""))
        texts, starts = piece.tokens.texts, piece.tokens.starts.tolist()
        words: list[tuple[int, str]] = []
        ordered: list[tuple[int, str]] = []
        labelled = not _LABELLED.isdisjoint(texts)
        listed = ordered if labelled else words
        brackets = [""]
        for place, (text, kind, start, function) in enumerate(
            zip(
                texts,
                piece.tokens.classes.tolist(),
                starts,
                _functions(piece.flow_ir, starts),
                strict=True,
            )
        ):
            if text in _OPENING_ALL:
                brackets.append(text)
            elif text in _CLOSING_ALL and len(brackets) > 1:
                brackets.pop()
            if kind in _IMPORTABLE and _is_imported(piece.data, start):
                continue
            following = texts[place + 1] if place + 1 < len(texts) else ""
            if kind == TokenClass.STRING:
                listed.append((function, text.strip("\"'`")))
            elif kind == TokenClass.KEYWORD:
                placed = ordered if text in _SIZES else listed
                placed += [] if text in _EXCHANGED else [(function, text)]
            elif kind == TokenClass.OPERATOR:
                meant = _MEANT.get(text)
                listed += [(function, meant)] if meant and meant not in pointers else []
            elif kind == TokenClass.IDENTIFIER and text not in annotating:
                named = following == mark and brackets[-1] == bracket
                if named and texts[place - 1] in (bracket, ","):
                    ordered.append((function, f"{text}{mark}"))  # also if it is a variable's name
                elif text[0].isupper() and following in _MEMBER_MARKS:
                    ordered.append((function, text))
                else:
                    listed.append((function, text))
            elif (kind == TokenClass.TYPE and _has_its_place(texts, place, following)) or (
                labelled and kind in _LITERALS
            ):
                ordered.append((function, text))
        return _Vocabulary(tuple(words), tuple(ordered), _own_names(piece.flow_ir))

    return piece.remember("vocabulary", look)


def _has_its_place(texts: list[str], place: int, following: str) -> bool:
    """Whether a type is that of a parameter, of a test or of a cast, or has a member."""
    if following in _AFTER_PLACED or (place and texts[place - 1] == "instanceof"):
        return True
    return texts[place + 2 : place + 3] in ([","], [")"]) and following not in _SHAPES


def _functions(ir: FlowIR, starts: list[int]) -> Iterator[int]:
    """The number of the innermost function around each place, in ascending order."""
    entries = np.flatnonzero(ir.kind == OperationKind.ENTRY)[1:]  # the first is the whole text
    spans = sorted(zip(ir.start[entries].tolist(), (-ir.end[entries]).tolist(), strict=True))
    number = 0
    around: list[tuple[int, int]] = []
    for start in starts:
        while number < len(spans) and spans[number][0] <= start:
            around.append((-spans[number][1], number + 1))
            number += 1
        while around and around[-1][0] <= start:
            around.pop()
        yield around[-1][1] if around else 0


def _own_names(ir: FlowIR) -> frozenset[str]:
    """Names of local variables and parameters, and of functions that the text itself calls."""
    local = set(ir.variable_name[ir.variable_kind <= VariableKind.PARAMETER].tolist())
    called = set(ir.function_name.tolist()) & set(ir.call_name.tolist())
    return _strings(ir, local | called)


def _strings(ir: FlowIR, places: set[int]) -> frozenset[str]:
    return frozenset(ir.string(place) for place in places)


def _structure(piece: Source) -> bytes | None:
    """The refined normal form of a text; None if it takes too long."""

    def look() -> bytes | None:
        form = normal_form(piece.flow_ir, piece.tokens, piece.language.name)
        return None if form is None else refined_nodes(form).tobytes()

    return piece.remember("structure", look)


def _is_imported(data: bytes, start: int) -> bool:
    """Whether a place is in a line that imports something."""
    line = data.rfind(b"\n", 0, start) + 1
    return data[line : line + 40].lstrip().startswith(_IMPORTS)
