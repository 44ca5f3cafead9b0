"""The error that codekin reports to users, and the name that a mistyped one was meant to be."""

import difflib
from collections.abc import Iterable

__all__ = ["CodekinError", "UnknownNameError", "suggestion"]


class CodekinError(Exception):
    """An error that users can fix: what was wrong, where, and what to do.

    The command line prints the message without a traceback and exits with code 2.
    """


class UnknownNameError(CodekinError, KeyError):
    """A result has nothing of this name; a KeyError as well, as mappings need it.

    Parameters
    ----------
    what : str
        What was asked for, such as ``score by``.
    name : object
    known : iterable of str
        The names that there are.

    Examples
    --------
    >>> print(UnknownNameError("score by", "blue", ["bleu", "tsed"]))
    no score by 'blue'; did you mean 'bleu'? (there are: bleu, tsed)
    """

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        names = list(known)
        hint = suggestion(str(name), names)
        super().__init__(f"no {what} {name!r}{hint} (there are: {', '.join(names) or 'none'})")

    def __str__(self) -> str:  # a KeyError would show the text in quotes
        return Exception.__str__(self)


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to add to an error about an unknown name: the known name most like it, if one is.

    Examples
    --------
    >>> suggestion("blue", ["bleu", "tsed"])
    "; did you mean 'bleu'?"
    """
    close = difflib.get_close_matches(str(name).lower(), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
