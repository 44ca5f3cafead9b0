"""Ruby, on tree-sitter-ruby."""

import re
from collections import Counter

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import BlockComment, Lexical, StringForm
from codekin.languages.token_classes import TokenClass

__all__ = ["RUBY"]

_PRELUDE = """
    puts print p require attr_accessor attr_reader each map select inject new nil to_s to_i
    length size initialize raise lambda
"""

_HEREDOC = re.compile(rb"<<[~-]?(?=[\"'`\w\x80-\xff])")
_NAME = re.compile(rb"[\w\x80-\xff]*")
_MAX_OPEN = 500


def _without_endless_heredocs(data: bytes) -> bytes:
    """Disable heredoc openings if too many are open at once.

    The scanner of tree-sitter-ruby 0.23 keeps the words of open heredocs in 1,024 bytes and writes
    past their end. Code has a few open at a time; in garbage, they are never closed.
    """
    starts = [match.span() for match in _HEREDOC.finditer(data)]
    if len(starts) * 4 <= _MAX_OPEN and len(data) <= _MAX_OPEN:
        return data
    lines = {line.strip() for line in data.splitlines()}
    endless = 0
    together: Counter[int] = Counter()
    for start, end in starts:
        word = _heredoc_word(data, end)
        if word in lines:
            together[data.rfind(b"\n", 0, start)] += len(word) + 4
        else:
            endless += len(word) + 4
    if endless + max(together.values(), default=0) <= _MAX_OPEN:
        return data
    tamed = bytearray(data)
    for start, _ in starts:
        tamed[start + 1] = ord(" ")
    return bytes(tamed)


def _heredoc_word(data: bytes, at: int) -> bytes:
    quote = data[at : at + 1]
    if quote in (b'"', b"'", b"`"):
        end = data.find(quote, at + 1)
        return data[at + 1 : end if end >= 0 else len(data)]
    match = _NAME.match(data, at)
    return match.group() if match else b""


# A slash after a word is a division, but not after these.
_BEFORE_REGEX = """
    and or not if unless while until when case in return then do else elsif puts print yield
"""
_RESERVED_WORDS = """
    alias and begin break case class def defined? do else elsif end ensure false for if in
    module next nil not or redo rescue retry return self super then true undef unless
    until when while yield
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"require", "require_relative"}),
    line_ends=True,
    line_comments=("#",),
    block_comments=(
        BlockComment("=begin", "=end", line_start=True),
        BlockComment("__END__", "", line_start=True),
    ),
    strings=(
        StringForm('"', multiline=True, hole="#{"),
        StringForm("'", multiline=True),
        StringForm("`", multiline=True, hole="#{"),
    ),
    operators=(
        "**= <=> === <<= >>= ||= &&= ... ** :: &. -> => =~ !~ .. << >> <= >= == != && || "
        "+= -= *= /= %= &= |= ^="
    ),
    letters="",
    sigils="@$",
    endings="?!",
    leading_point=False,
    trailing_point=False,
    continuation=True,
    regex_after=frozenset(_BEFORE_REGEX.split()),
    heredocs="<<",
    ruby=True,
)

RUBY = Language(
    name="ruby",
    title="Ruby",
    aliases=("rb",),
    suffixes=(".rb", ".rake", ".gemspec", ".ru"),
    prelude=frozenset(_PRELUDE.split()),
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"method", "singleton_method"}), blocks=frozenset({"do_block", "block"})
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-ruby",
            entry="language",
            tame=_without_endless_heredocs,
            classes={
                "self": TokenClass.KEYWORD,
                "super": TokenClass.KEYWORD,
                "file": TokenClass.KEYWORD,
                "line": TokenClass.KEYWORD,
                "encoding": TokenClass.KEYWORD,
                "constant": TokenClass.IDENTIFIER,
                "instance_variable": TokenClass.IDENTIFIER,
                "class_variable": TokenClass.IDENTIFIER,
                "global_variable": TokenClass.IDENTIFIER,
                "integer": TokenClass.INTEGER,
                "float": TokenClass.FLOAT,
                "rational": TokenClass.FLOAT,
                "complex": TokenClass.FLOAT,
                "string": TokenClass.STRING,
                "bare_string": TokenClass.STRING,
                "subshell": TokenClass.STRING,
                "regex": TokenClass.STRING,
                # The opening of a heredoc is in an expression, and its body some lines below.
                "heredoc_beginning": TokenClass.STRING,
                "heredoc_body": TokenClass.STRING,
                "simple_symbol": TokenClass.STRING,
                "delimited_symbol": TokenClass.STRING,
                "hash_key_symbol": TokenClass.STRING,
                "bare_symbol": TokenClass.STRING,
                "character": TokenClass.CHARACTER,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "nil": TokenClass.NULL,
                "operator": TokenClass.OPERATOR,
                "forward_argument": TokenClass.DELIMITER,
                "forward_parameter": TokenClass.DELIMITER,
                "uninterpreted": TokenClass.COMMENT,
            },
            atoms=frozenset(
                {
                    "string",
                    "bare_string",
                    "subshell",
                    "regex",
                    "heredoc_body",
                    "delimited_symbol",
                    "bare_symbol",
                    "operator",
                    "rational",
                    "complex",
                }
            ),
        ),
    ),
)
