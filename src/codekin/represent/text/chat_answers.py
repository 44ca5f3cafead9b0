"""Answers of chat models: whether a text is one, and the code inside it.

Blocks are found as CommonMark defines them, except that a fence may be indented by any amount, as
in lists, and that the opening fence may be missing, as in answers to a prompt that has opened it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from codekin.errors import CodekinError
from codekin.languages import Language, get_language, language_names
from codekin.represent.text.detection import detect_language, faults_in, reads_as
from codekin.represent.text.prefix import closed_prefix

__all__ = ["CHOICES", "ChatAnswer", "CodeBlock", "chat_answer", "code_blocks", "extract_code"]

CHOICES = ("first", "last", "all")
"""Which of the blocks of an answer are its code."""

_PREFIX = 16_384
"""The characters of a text that are parsed first."""

_MARKS = re.compile(r"(`{3,}|~{3,})(.*)", re.DOTALL)
_MARKDOWN = frozenset({"markdown", "md"})
_WORD = re.compile(
    r"[\W_]*[A-Za-z]+(?:['’/-][A-Za-z]+)*[,;:.!?)*_\"'’]*|`[^`]*`[,;:.!?)]*|\d+[.)]?"
)
_OPENERS = frozenset(
    re.findall(
        r"\S+",
        "a absolutely also alternatively an answer as below certainly code example explanation "
        "finally first here here's hope i i'm in it let's next note now ok okay output please "
        "result second so solution sorry sure that the then therefore these they this to usage we "
        "yes you your",
    )
)
_SPAN = re.compile(r"`[^`]*`")
_STATEMENT = re.compile(r"[;{}]$|\s[-+*/|&^%<>!=:]?=\s|\w\(\w*\)[;:{]?$")
"""What ends a line of code, or an assignment in it."""

_LINE_ENDS = ".:!?"
_MARKUP = re.compile(r"(?:#{2,6}|[-*+>]|\d+[.)])\s+|\*\*")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block.

    Attributes
    ----------
    tag : str
        The first word after the opening fence, in lower case; empty if there is none.
    code : str
        The lines between the fences, without the indentation of the fence.
    """

    tag: str
    code: str


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A text that is not code alone.

    Attributes
    ----------
    form : str
        ``fenced``, or ``prose`` if it has no block.
    code : str
        The code inside it; empty if there is none.
    """

    form: str
    code: str


@dataclass(frozen=True, slots=True)
class _Fence:
    mark: str
    info: str
    indent: int

    def ends(self, other: _Fence) -> bool:
        """Whether the other fence, on a later line, is its end."""
        return not other.info and other.mark.startswith(self.mark)


def _fence(line: str) -> _Fence | None:
    stripped = line.strip()
    found = _MARKS.fullmatch(stripped) if stripped[:1] in ("`", "~") else None
    if found is None:
        return None
    mark, info = found[1], found[2].strip()
    if mark[0] == "`" and "`" in info:  # a code span
        return None
    return _Fence(mark, info, len(line) - len(line.lstrip()))


def code_blocks(text: str) -> tuple[list[CodeBlock], str]:
    r"""The fenced blocks of a text, and what is outside of them.

    A block that is never closed ends with a line of code that ends in its fence, or with the text.
    A block of Markdown is replaced by those inside it.

    Examples
    --------
    >>> blocks, outside = code_blocks("Sure:\n```python\nx = 1\n```\nDone.")
    >>> blocks, outside
    ([CodeBlock(tag='python', code='x = 1\n')], 'Sure:\nDone.')
    """
    lines = text.split("\n")
    blocks: list[CodeBlock] = []
    outside: list[str] = []
    at = 0
    while at < len(lines):
        fence = _fence(lines[at])
        if fence is None:
            line = _one_line_block(lines[at])
            if line is None:
                outside.append(lines[at])
            else:
                blocks.append(line)
            at += 1
            continue
        end, late = _end(lines, at + 1, fence)
        last = end - (end == len(lines) and not lines[-1])  # the end of the last line
        inside = [_without_indent(line, fence.indent) for line in lines[at + 1 : last]]
        if late:
            before = lines[end].rstrip().removesuffix(fence.mark)
            inside.append(_without_indent(before, fence.indent))
        code = "\n".join(inside) + ("\n" if inside else "")
        if end == len(lines) and not fence.info and not blocks:
            before = "\n".join(outside)
            if _is_dangling(before, code):  # it closes what the prompt has opened
                return [CodeBlock("", before + "\n")], code
        tag = fence.info.split()[0].strip("{}.").lower() if fence.info.strip("{}. ") else ""
        nested = code_blocks(code)[0] if tag in _MARKDOWN else []
        blocks += nested or [CodeBlock(tag, code)]
        at = end + 1
    return blocks, "\n".join(outside)


def _end(lines: Sequence[str], start: int, opened: _Fence) -> tuple[int, bool]:
    """The line that closes a block, or the number of lines; and whether code is before its fence.

    A fence at the end of a line of code closes the block if no other does before the next opens.
    """
    nests = opened.info.split()[:1] and opened.info.split()[0].lower() in _MARKDOWN
    depth = 0
    late: int | None = None
    for at in range(start, len(lines)):
        fence = _fence(lines[at])
        if fence is None:
            if late is None and not nests and _ends_with(lines[at], opened.mark):
                late = at
        elif nests and fence.info:
            depth += 1
        elif depth:
            depth -= 1
        elif fence.info and late is not None:
            break
        elif opened.ends(fence):
            return at, False
    return (len(lines), False) if late is None else (late, True)


def _ends_with(line: str, mark: str) -> bool:
    """Whether a line of code ends in a fence."""
    line = line.rstrip()
    before = line.removesuffix(mark)
    return before != line and bool(before.strip()) and mark[0] not in before


def _is_dangling(before: str, after: str) -> bool:
    """Whether a bare fence that is never closed is the end of the text before it."""
    if not before.strip():
        return False
    return not after.strip() or (
        not _is_prose(_first_line(before)) and _is_prose(_first_line(after))
    )


def _one_line_block(line: str) -> CodeBlock | None:
    """A block that opens and closes on one line, which CommonMark would call a code span."""
    stripped = line.strip()
    if not (stripped.startswith("```") and stripped.endswith("```") and len(stripped) > 6):
        return None
    code = stripped.strip("`").strip()
    if not code or "`" in code:
        return None
    tag, space, rest = code.partition(" ")
    if space and tag.lower() in language_names():
        return CodeBlock(tag.lower(), rest.strip() + "\n")
    return CodeBlock("", code + "\n")


def _without_indent(line: str, indent: int) -> str:
    return line[min(indent, len(line) - len(line.lstrip())) :]


def chat_answer(text: str, language: Language | None, choice: str = "first") -> ChatAnswer | None:
    r"""The code inside a text that is a chat model's answer, or None if the text is code alone.

    Text that parses is code, whatever it contains: a fence in a docstring does not make an answer.
    Where the language itself is prose, nothing is an answer.

    Parameters
    ----------
    text : str
    language : Language or None
        None if it is unknown.
    choice : str
        Which blocks to take: ``first``, ``last`` or ``all``. If some are tagged with the language,
        others do not count; blocks of output or of shell commands count only if there is no other.

    Examples
    --------
    >>> python = get_language("python")
    >>> chat_answer("Sure!\n```python\nx = 1\n```", python)
    ChatAnswer(form='fenced', code='x = 1\n')
    >>> chat_answer("Here is the code:\n\nx = 1\n\nIt sets x to 1.", python)
    ChatAnswer(form='prose', code='x = 1\n')
    >>> chat_answer("x = 1", python) is None
    True
    """
    if language is not None and language.prose:
        return None
    fenced = "```" in text or "~~~" in text
    if not fenced and not _begins_or_ends_in_prose(text):
        return None
    if _is_clean(text, language):
        return None
    blocks, outside = code_blocks(text) if fenced else ([], text)
    if not blocks:
        return _from_prose(text)
    if outside.strip() and _is_code(outside, language):
        return None
    chosen = _chosen(blocks, language)
    if choice == "all":
        return ChatAnswer("fenced", "\n".join(block.code for block in chosen))
    return ChatAnswer("fenced", chosen[0 if choice == "first" else -1].code)


def extract_code(
    text: str, language: str | Language | None = None, *, choice: str = "first"
) -> str:
    r"""The code inside a chat model's answer; a text that is code alone stays as it is.

    Parameters
    ----------
    text : str
    language : str or Language, optional
        The language of the code, if it is known.
    choice : str
        Which fenced blocks to take: ``first``, ``last`` or ``all``.

    Examples
    --------
    >>> extract_code("Sure!\n```python\nx = 1\n```\nThis sets x.")
    'x = 1\n'
    >>> extract_code("x = 1", "python")
    'x = 1'
    """
    if choice not in CHOICES:
        raise CodekinError(f"choice must be one of {', '.join(CHOICES)}, not {choice!r}")
    found = chat_answer(
        text, get_language(language) if isinstance(language, str) else language, choice
    )
    return text if found is None else found.code


def _chosen(blocks: Sequence[CodeBlock], language: Language | None) -> Sequence[CodeBlock]:
    """The blocks that may be code of a language."""
    names = [_language_of(block.tag) for block in blocks]
    same = [
        block
        for block, name in zip(blocks, names, strict=True)
        if name is not None and (language is None or name == language.name)
    ]
    if same:
        return same
    plain = [block for block in blocks if not block.tag]
    return plain or blocks


def _language_of(tag: str) -> str | None:
    """The programming language that a tag names."""
    try:
        found = get_language(tag) if tag else None
    except CodekinError:
        return None
    return None if found is None or found.prose else found.name


def _is_clean(text: str, language: Language | None) -> bool:
    """Whether a text is code without errors."""
    if _fence(_first_line(text)) is not None or _one_line_block(_first_line(text)) is not None:
        return False  # which some parsers accept
    start = closed_prefix(text, _PREFIX)
    try:
        language = language or detect_language(start)
    except CodekinError:
        return False
    # A long text of prose would take a parser minutes.
    return not faults_in(start, language) and (start == text or not faults_in(text, language))


def _is_code(outside: str, language: Language | None) -> bool:
    """Whether the text around blocks is code too, so that the blocks are inside its strings."""
    lines = [line for line in outside.split("\n") if line.strip()]
    if any(_is_prose(line) for line in (lines[0], lines[-1])):
        return False
    if language is None:
        try:
            return bool(detect_language(outside))
        except CodekinError:
            return False
    return reads_as(outside, language)


def _from_prose(text: str) -> ChatAnswer | None:
    """What is left without the prose before and after the code."""
    if not _begins_or_ends_in_prose(text):
        return None
    lines = text.split("\n")
    first, last = 0, len(lines)
    while first < last and (not lines[first].strip() or _is_prose(lines[first])):
        first += 1
    while last > first and (not lines[last - 1].strip() or _is_prose(lines[last - 1])):
        last -= 1
    return ChatAnswer("prose", "\n".join(lines[first:last]) + ("\n" if last > first else ""))


def _begins_or_ends_in_prose(text: str) -> bool:
    stripped = text.strip()
    return _is_prose(stripped.partition("\n")[0]) or _is_prose(stripped.rpartition("\n")[2])


def _first_line(text: str) -> str:
    """The first line that is not blank."""
    return text.lstrip().split("\n", 1)[0]


def _is_prose(line: str) -> bool:
    """Whether a line, which does not parse as part of its text, is a sentence rather than code.

    Examples
    --------
    >>> _is_prose("Here is the code:"), _is_prose("Sure!"), _is_prose("for x in items:")
    (True, True, False)
    """
    if len(line) > 4000:
        line = line[:4000]
    stripped = _SPAN.sub("`x`", line.strip())
    plain = _MARKUP.sub("", stripped, count=1).strip()
    words = plain.split()
    if not words or stripped.startswith(("#!", "//", "/*", "--")) or _STATEMENT.search(stripped):
        return False
    first = words[0].strip("*_,;:.!?").replace("’", "'").lower()
    known = first in _OPENERS
    if len(words) < 3:
        return known and plain.rstrip("*_")[-1:] in _LINE_ENDS
    plausible = sum(_WORD.fullmatch(word) is not None for word in words)
    lower = any(word[:1].islower() for word in words[1:])
    return (known or words[0][:1].isupper()) and lower and plausible >= 0.75 * len(words)
