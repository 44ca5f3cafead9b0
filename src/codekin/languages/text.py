"""Plain text: words and lines, without a grammar."""

from codekin.languages.language import Language

__all__ = ["TEXT"]

TEXT = Language(
    name="text",
    title="plain text",
    aliases=("plain", "prose", "txt", "markdown"),
    suffixes=(".txt", ".text", ".md", ".markdown", ".rst"),
    grammars=(),
    prose=True,
)
