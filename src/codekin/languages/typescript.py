"""TypeScript, on the two grammars of tree-sitter-typescript: without and with JSX."""

import re

from codekin.languages.javascript import JAVASCRIPT_ATOMS, JAVASCRIPT_CLASSES, JAVASCRIPT_LEXICAL
from codekin.languages.language import Grammar, Language
from codekin.languages.lowering.typescript import TYPESCRIPT_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["TYPESCRIPT"]

_DECIDED_ON = 1 << 16
_JSX_END = re.compile(r"</|/>")
_CLASSES = JAVASCRIPT_CLASSES | {
    "this_type": TokenClass.KEYWORD,
    "accessibility_modifier": TokenClass.KEYWORD,
    "override_modifier": TokenClass.KEYWORD,
    "predefined_type": TokenClass.TYPE,
    "template_literal_type": TokenClass.STRING,
    "existential_type": TokenClass.OPERATOR,
}


def _grammar(entry: str) -> Grammar:
    return Grammar(
        distribution="tree-sitter-typescript",
        entry=entry,
        classes=_CLASSES,
        atoms=JAVASCRIPT_ATOMS | {"predefined_type", "template_literal_type"},
        numeric=frozenset({"number"}),
        split=frozenset({"jsx_text"}),
        piece=1,  # the parser can go round in circles within a few bytes of broken code
    )


_PLAIN, _WITH_JSX = _grammar("language_typescript"), _grammar("language_tsx")


def _choose(text: str) -> int:
    """The JSX grammar for text with the end of an element, unless the plain one reads it too.

    The JSX grammar takes ``<T>x`` for an element and not for a cast, and strings of HTML are
    common, so the mere look of an element's end is no proof.
    """
    start = text[:_DECIDED_ON]
    if not _JSX_END.search(start):
        return 0
    return int(_PLAIN.parse(start.encode("utf-8", "surrogatepass")).root_node.has_error)


_PRELUDE = """
    string number boolean any unknown void console log Math Array Object String Number Record
    Partial Readonly Promise Map Set length push readonly
"""

TYPESCRIPT = Language(
    name="typescript",
    title="TypeScript",
    aliases=("ts", "tsx"),
    suffixes=(".ts", ".tsx", ".mts", ".cts"),
    prelude=frozenset(_PRELUDE.split()),
    lowering=TYPESCRIPT_LOWERING,
    lexical=JAVASCRIPT_LEXICAL,
    grammars=(_PLAIN, _WITH_JSX),
    choose=_choose,
)
