"""Plain text: prose without a grammar, split into words and sentences."""

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
