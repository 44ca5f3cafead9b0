"""Expansion of the macros that a C or C++ text defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["expand_macros"]

_TOKEN = re.compile(
    r"""
    (?P<comment>/\*.*?(?:\*/|\Z)|//(?:\\\r?\n|[^\n])*)
  | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z)
        |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"?|[uUL]?'(?:\\.|[^'\\\n])*'?)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<blank>(?:[^\S\n]|\\\r?\n)+)
  | (?P<line>\n)
  | (?P<punctuation>\#\#|\.\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENS, _CLOSES = frozenset({"if", "ifdef", "ifndef"}), frozenset({"endif"})
_BLANK = frozenset({"blank", "comment", "line"})
_DEEPEST = 100
_NOTHING: frozenset[str] = frozenset()


class _TooMuchError(Exception):
    """The expansion exceeded its budget."""


class _Token(NamedTuple):
    kind: str
    text: str
    # Macros whose expansion produced this token, so that it no longer names them.
    hidden: frozenset[str] = _NOTHING


_SPACE, _PLACEMARKER = _Token("blank", " "), _Token("blank", "")
_PASTE = _Token("punctuation", "##")


@dataclass(frozen=True)
class _Macro:
    name: str
    parameters: tuple[str, ...] | None
    variadic: bool
    body: tuple[_Token, ...]


def expand_macros(text: str) -> str:
    r"""Expand the macros defined in a text, as a C preprocessor would.

    Object-like, function-like and variadic macros, ``#`` and ``##``, rescanning and ``#undef`` work
    as in the C standard; a macro never expands inside its own expansion. The directives ``#define``
    and ``#undef`` are replaced by empty lines. Includes and other directives stay, and so does
    everything from ``#if`` to its ``#endif``, since its condition is unknown.

    Any text is accepted. If the expansion would exceed eight times the text plus 64 KiB, or nests
    deeper than 100 calls, the text is returned unchanged.

    Examples
    --------
    >>> expand_macros("#define rep(i, n) for (int i = 0; i < n; i++)\nrep(k, 3) f(k);")
    '\n for (int k = 0; k < 3; k++)  f(k);'
    """
    try:
        return _Preprocessor(8 * len(text) + 65_536).run(text)
    except _TooMuchError:
        return text


def _tokens(text: str) -> list[_Token]:
    return [_Token(m.lastgroup or "", m.group()) for m in _TOKEN.finditer(text)]


class _Preprocessor:
    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._macros: dict[str, _Macro] = {}

    def run(self, text: str) -> str:
        pieces: list[str] = []
        code: list[_Token] = []
        conditions = 0
        for line in _lines(_tokens(text)):
            name, rest = _directive(line)
            if name is None and not conditions:
                code += line
                continue
            pieces += self._expanded(code)
            code = []
            conditions += (name in _OPENS) - (name in _CLOSES and conditions > 0)
            if not conditions and self._execute(name, rest):
                # Keep the lines, so that line numbers do not change.
                pieces += ["\n" * t.text.count("\n") for t in line]
            else:
                pieces += [t.text for t in line]
        pieces += self._expanded(code)
        return "".join(pieces)

    def _execute(self, name: str | None, rest: list[_Token]) -> bool:
        if name == "undef" and len(rest) == 1:
            return self._macros.pop(rest[0].text, None) is not None
        macro = _definition(rest) if name == "define" else None
        if macro is not None:
            self._macros[macro.name] = macro
        return macro is not None

    def _expanded(self, code: list[_Token]) -> list[str]:
        if not self._macros:
            return [token.text for token in code]
        return [token.text for token in self._expand(code, 0)]

    def _spend(self, amount: int) -> None:
        self._budget -= amount
        if self._budget < 0:
            raise _TooMuchError

    def _expand(self, tokens: Sequence[_Token], depth: int) -> list[_Token]:
        if depth > _DEEPEST:
            raise _TooMuchError
        out: list[_Token] = []
        pending = list(reversed(tokens))
        while pending:
            token = pending.pop()
            macro = self._macros.get(token.text) if token.kind == "word" else None
            expansion = None
            if macro is not None and macro.name not in token.hidden:
                expansion = self._call(macro, token, pending, depth)
            if expansion is None:
                self._spend(len(token.text))
                out.append(token)
            else:
                self._spend(sum(1 + len(t.hidden) for t in expansion))
                # Spaces keep the ends of the expansion from merging with its neighbours.
                pending += [_SPACE, *reversed(expansion), _SPACE]
        return out

    def _call(
        self, macro: _Macro, token: _Token, pending: list[_Token], depth: int
    ) -> list[_Token] | None:
        """Expand a macro, taking its arguments from `pending`; None if it is not a call."""
        if macro.parameters is None:
            return _hide(_paste(_close_up(macro.body)), token.hidden | {macro.name})
        call = _arguments(pending)
        self._spend(call.examined)
        if call.arguments is None:
            return None
        arguments = _bind(macro, call.arguments)
        if arguments is None:
            return None
        del pending[len(pending) - call.used :]
        expanded = {name: self._expand(arg, depth + 1) for name, arg in arguments.items()}
        body = _substitute(macro, arguments, expanded)
        self._spend(sum(len(t.text) for t in body))
        return _hide(body, (token.hidden & call.hidden) | {macro.name})


def _lines(tokens: Iterable[_Token]) -> Iterable[list[_Token]]:
    line: list[_Token] = []
    for token in tokens:
        line.append(token)
        if token.kind == "line":
            yield line
            line = []
    if line:
        yield line


def _directive(line: list[_Token]) -> tuple[str | None, list[_Token]]:
    """The name of a directive and the tokens after it, without whitespace at either end."""
    i = _skip(line, 0)
    if i == len(line) or line[i].text != "#":
        return None, []
    i = _skip(line, i + 1)
    if i == len(line) or line[i].kind != "word":
        return "", []
    return line[i].text, _strip(line[i + 1 :])


def _skip(tokens: Sequence[_Token], i: int) -> int:
    while i < len(tokens) and tokens[i].kind in _BLANK:
        i += 1
    return i


def _strip(tokens: Sequence[_Token]) -> list[_Token]:
    first, last = _skip(tokens, 0), len(tokens)
    while last > first and tokens[last - 1].kind in _BLANK:
        last -= 1
    return [_SPACE if t.kind in _BLANK else t for t in tokens[first:last]]


def _definition(rest: list[_Token]) -> _Macro | None:
    if not rest or rest[0].kind != "word":
        return None
    name = rest[0].text
    # Only a parenthesis directly after the name opens parameters.
    if len(rest) < 2 or rest[1].text != "(":
        return _Macro(name, None, False, tuple(_strip(rest[1:])))
    close = next((i for i, t in enumerate(rest) if t.text == ")"), None)
    if close is None:
        return None
    listed = "".join(t.text for t in rest[2:close] if t.kind != "blank").split(",")
    names = [p.removesuffix("...") or "__VA_ARGS__" for p in listed] if listed != [""] else []
    variadic = bool(names) and listed[-1].endswith("...")
    if not all(p.isidentifier() for p in names) or len(set(names)) < len(names):
        return None
    return _Macro(name, tuple(names), variadic, tuple(_strip(rest[close + 1 :])))


class _MacroCall(NamedTuple):
    arguments: list[list[_Token]] | None
    used: int
    examined: int
    hidden: frozenset[str]


def _arguments(pending: list[_Token]) -> _MacroCall:
    """The parenthesised arguments at the end of `pending`, which is reversed."""
    i = len(pending) - 1
    while i >= 0 and pending[i].kind in _BLANK:
        i -= 1
    if i < 0 or pending[i].text != "(":
        return _MacroCall(None, 0, len(pending) - i, _NOTHING)
    arguments: list[list[_Token]] = [[]]
    depth = 1
    for j in range(i - 1, -1, -1):
        token = pending[j]
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            used = len(pending) - j
            return _MacroCall([_strip(a) for a in arguments], used, used, token.hidden)
        if token.text == "," and depth == 1:
            arguments.append([])
        else:
            arguments[-1].append(token)
    return _MacroCall(None, 0, len(pending), _NOTHING)


def _bind(macro: _Macro, values: list[list[_Token]]) -> dict[str, list[_Token]] | None:
    """Arguments by parameter, or None if their number is wrong."""
    names = macro.parameters or ()
    if not names:
        return {} if values == [[]] else None
    if macro.variadic:
        fixed = len(names) - 1
        if len(values) < fixed:
            return None
        rest: list[_Token] = []
        for k, argument in enumerate(values[fixed:]):
            rest += [*([_Token("punctuation", ","), _SPACE] if k else []), *argument]
        values = [*values[:fixed], rest]
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else None


def _substitute(
    macro: _Macro, raw: dict[str, list[_Token]], expanded: dict[str, list[_Token]]
) -> list[_Token]:
    body = _close_up(macro.body)
    out: list[_Token] = []
    i = 0
    while i < len(body):
        token = body[i]
        pasted = (i > 0 and body[i - 1].text == "##") or body[i + 1 : i + 2] == [_PASTE]
        operand = _skip(body, i + 1)
        if token.text == "#" and operand < len(body) and body[operand].text in raw:
            out.append(_stringified(raw[body[operand].text]))
            i = operand
        elif token.text in raw and token.kind == "word":
            value = raw[token.text] if pasted else expanded[token.text]
            if macro.variadic and token.text == (macro.parameters or ("",))[-1]:
                _drop_comma(out, value)
            out += value or ([_PLACEMARKER] if pasted else [])
        else:
            out.append(token)
        i += 1
    return _paste(out)


def _close_up(body: Sequence[_Token]) -> list[_Token]:
    """A body without whitespace around its ``##``."""
    out: list[_Token] = []
    for token in body:
        if token == _PASTE and out and out[-1].kind == "blank":
            out.pop()
        if not (token.kind == "blank" and out and out[-1] == _PASTE):
            out.append(token)
    return out


def _drop_comma(out: list[_Token], value: list[_Token]) -> None:
    """GNU's rule: drop the comma of ``, ##__VA_ARGS__`` if there are no arguments."""
    if len(out) >= 2 and out[-1].text == "##" and out[-2].text == ",":
        out.pop()
        if not value:
            out.pop()


def _stringified(argument: list[_Token]) -> _Token:
    text = "".join(
        re.sub(r'[\\"]', r"\\\g<0>", t.text) if t.kind == "text" else t.text for t in argument
    )
    return _Token("text", f'"{text}"')


def _paste(tokens: Sequence[_Token]) -> list[_Token]:
    """Join the neighbours of every ``##``."""
    out: list[_Token] = []
    i = 0
    while i < len(tokens):
        if (
            tokens[i].text == "##"
            and tokens[i].kind == "punctuation"
            and out
            and i + 1 < len(tokens)
        ):
            left, right = out.pop(), tokens[i + 1]
            out += _tokens(left.text + right.text) or [_PLACEMARKER]
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def _hide(tokens: Iterable[_Token], hidden: frozenset[str]) -> list[_Token]:
    return [t._replace(hidden=t.hidden | hidden) if t.kind == "word" else t for t in tokens]
