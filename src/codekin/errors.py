"""The error that codekin reports to users, and the name that a mistyped one was meant to be."""

import difflib
from collections.abc import Iterable

__all__ = ["CodekinError", "suggestion"]


class CodekinError(Exception):
    """An error that users can fix: what was wrong, where, and what to do.

    The command line prints the message without a traceback and exits with code 2.
    """


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to add to an error about an unknown name: the known name most like it, if one is.

    Examples
    --------
    >>> suggestion("blue", ["bleu", "tsed"])
    "; did you mean 'bleu'?"
    """
    close = difflib.get_close_matches(str(name).lower(), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
