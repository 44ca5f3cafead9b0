"""The lines of code when it is pretty-printed: one statement per line, whatever its layout was."""

from __future__ import annotations

import re

from codekin.languages.token_classes import TokenClass
from codekin.source import Source

__all__ = ["line_ends"]

_HEADS = frozenset(
    {"if", "while", "for", "foreach", "switch", "when", "match", "synchronized", "lock", "using"}
)
"""Words that begin a statement with a condition and a body."""
_BODIES = frozenset({"do", "try", "unsafe", "loop"})
"""Words that are followed by a body."""
_MODIFIERS = frozenset({"synchronized", "using", "unsafe", "lock", "match", "when", "loop"})
"""Words that begin a statement with a body only if a bracket follows, and may be names."""
_HANDLERS = frozenset({"catch", "finally"})
_TYPES = frozenset({"class", "struct", "union", "enum", "interface"})
_ACCESS = frozenset({"public", "private", "protected"})
_EXPRESSIONS = frozenset({"new", "return", "throw", "yield"})
_CLOSING = {")": "(", "]": "["}

_TYPED_VARIABLES = frozenset({"c", "cpp"})
"""Languages in which variables may follow the body of a type, before the semicolon."""
_LINE_ENDED = frozenset({"go", "javascript", "kotlin", "ruby", "typescript"})
"""Languages in which the end of a line may end a statement."""
_UNBRACED = frozenset({"ruby"})

_CLAUSES = frozenset(
    {
        *("if", "elif", "else", "for", "while", "with", "try", "except", "finally"),
        *("def", "class", "async", "match", "case"),
    }
)
"""Words that begin a clause of Python, which ends with a colon."""

_JOINED = re.compile(rb"\\\r?\n")
"""A line end that joins two lines."""
_NAMES = (TokenClass.IDENTIFIER, TokenClass.TYPE)
_MOST = 2
"""Line ends after a token at most: there is never more than one empty line."""


def line_ends(source: Source) -> list[int]:
    r"""How many line ends follow each token when a text is pretty-printed.

    Every statement has a line of its own, like every opening bracket of a block and every closing
    one; ``else``, ``catch`` and a body without brackets stay on the line of what is before them.
    As in the printer that BigCloneBench was made with, a line ends for each statement that ends:
    where a statement without brackets ends another one, as in ``if (x) y();``, an empty line
    follows. It also ends after the declaration in the head of a ``for``, and after an annotation.
    A line of Python is a logical line; what follows a colon or a semicolon has a line of its own.

    Returns
    -------
    list of int
        A number from 0 to 2 per token of :attr:`codekin.Source.tokens`; -1 where the token is an
        empty statement, which is left out.

    Examples
    --------
    >>> source = Source("if (x) { y(); } else z();", "java")
    >>> print("".join(t + " \n"[n > 0] for t, n in zip(source.tokens.texts, line_ends(source))))
    if ( x ) {
    y ( ) ;
    } else z ( ) ;
    <BLANKLINE>
    """
    if source.language.layout:
        return _layout_ends(source)
    return _Printer(source).ends()


def _layout_ends(source: Source) -> list[int]:
    tokens = source.tokens
    texts, classes = tokens.texts, tokens.classes.tolist()
    ends = [0] * len(texts)
    depth = lambdas = 0
    start, clause = True, False
    for i, (text, cls) in enumerate(zip(texts, classes, strict=True)):
        if cls >= TokenClass.NEWLINE:
            if cls == TokenClass.NEWLINE:
                ends[i] = 1
                start = True
            continue
        if start:
            start, depth, lambdas = False, 0, 0
            clause = text in _CLAUSES
        if text in {"(", "[", "{"}:
            depth += 1
        elif text in {")", "]", "}"}:
            depth -= 1
        elif text == "lambda":
            lambdas += 1
        elif depth <= 0 and (text == ";" or (text == ":" and clause and not lambdas)):
            # A line end that is written ends the line itself.
            written = i + 1 < len(texts) and classes[i + 1] == TokenClass.NEWLINE
            ends[i] = 0 if written else 1
            start = True
        elif text == ":" and lambdas:
            lambdas -= 1
    return ends


class _Block:
    """A block whose closing bracket was not seen yet.

    Attributes
    ----------
    kind : str
        What its closing bracket ends: ``body`` (of a statement, or a bare block), ``whole`` (a
        declaration) or ``part`` (of an expression, or of a declaration that goes on).
    heads : list of str
        Statements whose body has not ended yet, the innermost last.
    inner : list of str
        Brackets that are open within the current statement.
    start : bool
        Whether the next token begins a statement.
    condition : bool
        Whether the condition of the innermost head has not ended yet.
    """

    __slots__ = ("condition", "expression", "heads", "inner", "kind", "loop", "start", "typed")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.heads: list[str] = []
        self.inner: list[str] = []
        self.begin()

    def begin(self) -> None:
        """A statement may begin."""
        self.start = True
        self.condition = False
        self.loop = -1  # the bracket of a ``for``, whose first part may be a declaration
        self.expression = False
        self.typed = False


class _Printer:
    def __init__(self, source: Source) -> None:
        tokens = source.tokens
        self.language = source.language.name
        self.texts = tokens.texts
        self.classes: list[int] = tokens.classes.tolist()
        self.data = source.data
        self.spans = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
        self.result = [0] * len(self.texts)
        self.blocks = [_Block("whole")]
        self.directives = source.language.macros
        self.line_ended = self.language in _LINE_ENDED
        self.heads: frozenset[str] = frozenset() if self.language in _UNBRACED else _HEADS
        self.bodies: frozenset[str] = frozenset() if self.language in _UNBRACED else _BODIES

    def ends(self) -> list[int]:
        i = 0
        while i < len(self.texts):
            i = self.step(i)
        return [min(one, _MOST) for one in self.result]

    def gap(self, i: int) -> bytes:
        """What is between a token and the one before."""
        return self.data[self.spans[i - 1][1] : self.spans[i][0]]

    def text(self, i: int) -> str:
        return self.texts[i] if 0 <= i < len(self.texts) else ""

    def step(self, i: int) -> int:
        """Read the token at `i`, or several; the place of the next one."""
        block, text = self.blocks[-1], self.texts[i]
        if block.inner:
            self.within(block, i, text)
            return i + 1
        if self.line_ended and i and not block.start and self.ends_line(block, i):
            self.complete(block, i - 1, 1)
        if block.start:
            return self.begin(block, i, text)
        self.go_on(block, i, text)
        return i + 1

    def begin(self, block: _Block, i: int, text: str) -> int:
        """The first token of a statement, or what may come before it."""
        following = self.text(i + 1)
        if text == "}":
            self.close(i)
        elif text == "{":
            self.enter("body", i)
        elif text == ";":
            if block.heads:
                self.complete(block, i, 1)
            else:
                self.result[i] = -1
        elif text.startswith("#") and self.directives:
            return self.directive(i)
        elif text.startswith("@"):
            return self.annotation(i)
        elif text in {"case", "default"} or (text in _ACCESS and following == ":"):
            return self.label(i)
        elif following == ":" and self.classes[i] in _NAMES and not self.line_ended:
            return i + 2  # a label of a statement
        elif not self.head(block, i, text):
            block.start = False
            self.go_on(block, i, text)
        return i + 1

    def head(self, block: _Block, i: int, text: str) -> bool:
        """Whether a token begins or continues a statement with a body."""
        following = self.text(i + 1)
        last = block.heads[-1] if block.heads else ""
        if text == "else" and last == "if":
            block.heads[-1] = "else"
        elif text == "while" and last == "do":
            block.heads[-1] = "while of do"
            block.start = False
        elif text in _HANDLERS and last == "try":
            block.condition = following == "("
            block.start = not block.condition
        elif text in self.heads and (text not in _MODIFIERS or self.is_keyword(i, "(")):
            block.heads.append(text)
            block.start, block.condition = False, True
            block.loop = i + 1 if text == "for" and following == "(" else -1
        elif text in self.bodies and (text not in _MODIFIERS or self.is_keyword(i, "{")):
            block.heads.append(text)
            block.condition = following == "("
            block.start = not block.condition
        else:
            return False
        return True

    def is_keyword(self, i: int, bracket: str) -> bool:
        return self.classes[i] == TokenClass.KEYWORD and self.text(i + 1) == bracket

    def go_on(self, block: _Block, i: int, text: str) -> None:
        if text in {"(", "["}:
            block.inner.append(text)
        elif text == "{":
            self.brace(block, i)
        elif text == "}":
            self.complete(block, i - 1, 1)
            self.close(i)
        elif text == ";":
            if not block.condition:  # Go's ``for i := 0; i < n; i++ {``
                self.complete(block, i, 1)
        elif text == "=":
            block.expression = block.expression or self.text(i - 1) != "operator"
        elif text in _EXPRESSIONS:
            block.expression = True
        elif text in _TYPES:
            block.typed = True

    def brace(self, block: _Block, i: int) -> None:
        """An opening brace in the middle of a statement."""
        before = self.text(i - 1)
        if block.condition:  # a condition without brackets
            block.condition = False
            self.enter("body", i)
        elif block.expression:
            if self.is_code(i):
                self.enter("part", i)
            else:
                block.inner.append("{")
        elif block.typed and before != ")":
            self.enter("part" if self.language in _TYPED_VARIABLES else "whole", i)
        elif self.is_value(i):
            block.inner.append("{")
        else:
            self.enter("whole", i)

    def is_code(self, i: int) -> bool:
        """Whether a brace within an expression opens the body of a function or of a class."""
        before = self.text(i - 1)
        return before in {")", "->", "=>"} or (before == "]" and self.language == "cpp")

    def is_value(self, i: int) -> bool:
        """Whether a brace opens a list of values, as in ``{{1, 2}, {3, 4}}`` or ``int x{5};``."""
        before = self.text(i - 1)
        if self.language != "cpp":
            return before in {",", "]"}
        if before != ">" and self.classes[i - 1] not in _NAMES:
            return before == ","
        place = i - 1
        while place >= 0 and self.texts[place] not in {";", "{", "}"}:
            if self.texts[place] in {")", "namespace", "->"}:
                return False
            place -= 1
        return True

    def within(self, block: _Block, i: int, text: str) -> None:
        inner = block.inner
        if text in {"(", "["}:
            inner.append(text)
        elif text in _CLOSING:
            if inner[-1] == _CLOSING[text]:
                inner.pop()
                if not inner:
                    self.closed(block, text)
        elif text == "{":
            if self.is_code(i):
                self.enter("part", i)
            else:
                inner.append(text)
        elif text == "}":
            if inner[-1] == "{":
                inner.pop()
            else:  # a bracket was never closed
                inner.clear()
                self.complete(block, i - 1, 1)
                self.close(i)
        elif text == ";" and block.loop >= 0 and len(inner) == 1:
            if self.declares(block.loop + 1, i):
                self.result[i] += 1
            block.loop = -1

    def closed(self, block: _Block, text: str) -> None:
        """The last bracket that was open within a statement is closed."""
        if block.condition:
            block.condition, block.start, block.loop = False, True, -1
        elif text == ")" and self.language in _TYPED_VARIABLES:
            block.typed = False  # ``struct node *next(void) const {`` is a function

    def declares(self, start: int, end: int) -> bool:
        """Whether the first part of a ``for`` declares a variable: a name follows a type."""
        stop = next((i for i in range(start, end) if self.texts[i] == "="), end)
        return (
            stop - start >= 2
            and self.classes[stop - 1] in _NAMES
            and (
                self.classes[stop - 2] in (*_NAMES, TokenClass.KEYWORD)
                or self.texts[stop - 2] in {"]", ">", "*", "&"}
            )
        )

    def enter(self, kind: str, i: int) -> None:
        self.result[i] += 1
        self.blocks.append(_Block(kind))

    def close(self, i: int) -> None:
        """A closing brace ends the innermost block."""
        if len(self.blocks) == 1:  # nothing is open
            self.result[i] += 1
            self.blocks[0] = _Block("whole")
            return
        kind = self.blocks.pop().kind
        outer = self.blocks[-1]
        if kind == "part":
            self.result[i] += 1 if not outer.typed else 0
        else:
            self.complete(outer, i, 0 if kind == "body" and outer.heads else 1)

    def complete(self, block: _Block, i: int, count: int) -> None:
        """A statement ends at `i`, and so do those whose body it is."""
        following = self.text(i + 1)
        heads = block.heads
        while heads:
            if heads[-1] == "while of do":
                heads.pop()
                continue
            if (
                (heads[-1] == "if" and following == "else")
                or (heads[-1] == "do" and following == "while")
                or (heads[-1] == "try" and following in _HANDLERS)
            ):
                break
            heads.pop()
            count += 1
        if i >= 0:
            self.result[i] += count
        block.begin()

    def ends_line(self, block: _Block, i: int) -> bool:
        """Whether a statement ends with the line before `i`."""
        if block.condition or b"\n" not in self.gap(i):
            return False
        operators = (TokenClass.OPERATOR,)
        before, after = self.texts[i - 1], self.texts[i]
        if before in {"++", "--"}:
            return True
        return (
            self.classes[i - 1] not in operators
            and before not in {",", ".", "("}
            and self.classes[i] not in operators
            and after not in {".", "?.", ",", ")", "{", "}", "else"}
        )

    def directive(self, i: int) -> int:
        """A directive ends with its line, or with the last of several that are joined."""
        last = i
        while last + 1 < len(self.texts) and b"\n" not in _JOINED.sub(b"", self.gap(last + 1)):
            last += 1
        self.result[last] += 1
        return last + 1

    def annotation(self, i: int) -> int:
        """An annotation with its arguments has a line of its own."""
        if self.text(i + 1) == "interface":
            self.blocks[-1].start = False
            return i + 1
        last = i + 1 if self.texts[i] == "@" else i
        while self.text(last + 1) == "." and last + 2 < len(self.texts):
            last += 2
        if self.text(last + 1) == "(":
            depth = 0
            for place in range(last + 1, len(self.texts)):
                depth += (self.texts[place] == "(") - (self.texts[place] == ")")
                last = place
                if depth == 0:
                    break
        last = min(last, len(self.texts) - 1)
        self.result[last] += 1
        return last + 1

    def label(self, i: int) -> int:
        """A label of a switch or of a class ends with its colon or arrow."""
        for place in range(i + 1, len(self.texts)):
            if self.texts[place] in {":", "->", "=>"}:
                self.result[place] += 1
                return place + 1
            if self.texts[place] in {";", "{", "}"}:
                break
        self.blocks[-1].start = False
        return i + 1
