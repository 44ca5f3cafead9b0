"""JavaScript with JSX, on tree-sitter-javascript."""

from codekin.languages.language import Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering.javascript import JAVASCRIPT_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["JAVASCRIPT", "JAVASCRIPT_ATOMS", "JAVASCRIPT_CLASSES", "JAVASCRIPT_LEXICAL"]

# TypeScript adds to these tables, so they have names.
JAVASCRIPT_CLASSES = {
    "this": TokenClass.KEYWORD,
    "super": TokenClass.KEYWORD,
    "import": TokenClass.KEYWORD,
    "shorthand_property_identifier_pattern": TokenClass.IDENTIFIER,
    "number": TokenClass.INTEGER,
    "string": TokenClass.STRING,
    "template_string": TokenClass.STRING,
    "regex": TokenClass.STRING,
    "jsx_text": TokenClass.STRING,
    "html_character_reference": TokenClass.STRING,
    "true": TokenClass.BOOLEAN,
    "false": TokenClass.BOOLEAN,
    "null": TokenClass.NULL,
    "undefined": TokenClass.NULL,
    "optional_chain": TokenClass.DELIMITER,
    "hash_bang_line": TokenClass.COMMENT,
}
JAVASCRIPT_ATOMS = frozenset({"string", "template_string", "regex"})

_PRELUDE = """
    console log Math Array Object String Number JSON Map Set Promise length push forEach
    prototype require module exports document window parseInt
"""

# A slash divides behind a word, but not behind these.
_BEFORE_REGEX = """
    return typeof instanceof in of new delete void throw case do else yield await default extends
"""
JAVASCRIPT_LEXICAL = Lexical(
    line_comments=("//", "#!/"),
    strings=(
        StringForm("`", multiline=True, hole="${"),
        StringForm('"'),
        StringForm("'"),
    ),
    operators=(
        ">>>= **= <<= >>= >>> === !== ... &&= ||= ??= ** => ++ -- << >> <= >= == != && || ?? ?. "
        "</ /> += -= *= /= %= &= |= ^="
    ),
    sigils="#",
    continuation=True,
    regex_after=frozenset(_BEFORE_REGEX.split()),
)

JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    aliases=("js", "jsx", "ecmascript", "node"),
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    prelude=frozenset(_PRELUDE.split()),
    lowering=JAVASCRIPT_LOWERING,
    lexical=JAVASCRIPT_LEXICAL,
    grammars=(
        Grammar(
            distribution="tree-sitter-javascript",
            entry="language",
            classes=JAVASCRIPT_CLASSES,
            atoms=JAVASCRIPT_ATOMS,
            numeric=frozenset({"number"}),
            split=frozenset({"jsx_text"}),
        ),
    ),
)
