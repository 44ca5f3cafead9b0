"""The classes a token can have, the same for every language."""

from enum import IntEnum

__all__ = ["TokenClass"]


class TokenClass(IntEnum):
    """What kind of token a piece of code is.

    Examples
    --------
    >>> TokenClass.KEYWORD.label
    'keyword'
    >>> TokenClass.STRING.is_literal
    True
    """

    UNKNOWN = 0
    KEYWORD = 1
    IDENTIFIER = 2
    TYPE = 3
    INTEGER = 4
    FLOAT = 5
    STRING = 6
    CHARACTER = 7
    BOOLEAN = 8
    NULL = 9
    OPERATOR = 10
    DELIMITER = 11
    COMMENT = 12
    DOCSTRING = 13
    NEWLINE = 14
    INDENT = 15
    DEDENT = 16

    @property
    def label(self) -> str:
        """The class in lower case, as used in tables and JSON."""
        return self.name.lower()

    @property
    def is_literal(self) -> bool:
        """Whether the token is a constant written in the code."""
        return TokenClass.INTEGER <= self <= TokenClass.NULL
