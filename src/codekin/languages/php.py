"""PHP, on the two grammars of tree-sitter-php: whole files, and code without an opening tag."""

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.token_classes import TokenClass

__all__ = ["PHP"]

_CLASSES = {
    "abstract_modifier": TokenClass.KEYWORD,
    "final_modifier": TokenClass.KEYWORD,
    "readonly_modifier": TokenClass.KEYWORD,
    "static_modifier": TokenClass.KEYWORD,
    "var_modifier": TokenClass.KEYWORD,
    "visibility_modifier": TokenClass.KEYWORD,
    "relative_scope": TokenClass.KEYWORD,
    "variable_name": TokenClass.IDENTIFIER,
    "primitive_type": TokenClass.TYPE,
    "cast_type": TokenClass.TYPE,
    "bottom_type": TokenClass.TYPE,
    "integer": TokenClass.INTEGER,
    "float": TokenClass.FLOAT,
    "string": TokenClass.STRING,
    "encapsed_string": TokenClass.STRING,
    "heredoc": TokenClass.STRING,
    "nowdoc": TokenClass.STRING,
    "shell_command_expression": TokenClass.STRING,
    "text": TokenClass.STRING,
    "boolean": TokenClass.BOOLEAN,
    "null": TokenClass.NULL,
    "reference_modifier": TokenClass.OPERATOR,
    "argument_placeholder": TokenClass.OPERATOR,
    "php_tag": TokenClass.DELIMITER,
    "php_end_tag": TokenClass.DELIMITER,
    "variadic_placeholder": TokenClass.DELIMITER,
}
_ATOMS = frozenset(
    {
        "variable_name",
        "primitive_type",
        "string",
        "encapsed_string",
        "heredoc",
        "nowdoc",
        "shell_command_expression",
    }
)


def _grammar(entry: str) -> Grammar:
    return Grammar(
        distribution="tree-sitter-php",
        entry=entry,
        classes=_CLASSES,
        atoms=_ATOMS,
        split=frozenset({"text"}),
    )


def _candidates(text: str) -> tuple[int, ...]:
    """The grammar of whole files if there is an opening tag, otherwise that of bare code."""
    return (0,) if "<?" in text else (1,)


_PRELUDE = """
    int string array bool float void mixed count strlen isset empty array_map implode explode
    echo print this
"""

_RESERVED_WORDS = """
    abstract and array as break callable case catch class clone const continue declare
    default do echo else elseif empty enddeclare endfor endforeach endif endswitch
    endwhile extends false final finally fn for foreach function global goto if implements
    include include_once instanceof insteadof interface isset list match namespace new
    null or parent print private protected public readonly require require_once return
    self static switch throw trait true try unset use var while xor yield
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"use", "namespace", "require", "require_once", "include", "include_once"}),
    line_comments=("//", "#"),
    strings=(
        StringForm('"', multiline=True, hole="{$"),
        StringForm("'", multiline=True),
        StringForm("`", multiline=True, hole="{$"),
    ),
    operators=(
        "<=> **= ... <<= >>= === !== ??= ?-> -> => :: ** ++ -- << >> <= >= == != <> && || ?? "
        "+= -= *= /= .= %= &= |= ^= #["
    ),
    letters="",
    sigils="$",
    member_arrow=True,
    heredocs="<<<",
    tags=True,
)

PHP = Language(
    name="php",
    title="PHP",
    suffixes=(".php", ".phtml", ".php5", ".php7", ".phps"),
    prelude=frozenset(_PRELUDE.split()),
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"function_definition", "method_declaration"}),
        blocks=frozenset({"compound_statement"}),
        declarations=frozenset(
            {
                "class_declaration",
                "interface_declaration",
                "trait_declaration",
                "enum_declaration",
                "anonymous_class",
                "namespace_definition",
            }
        ),
    ),
    grammars=(_grammar("language_php"), _grammar("language_php_only")),
    candidates=_candidates,
)
