"""The base class of errors that codekin reports to users."""

__all__ = ["CodekinError"]


class CodekinError(Exception):
    """An error that users can fix: what was wrong, where, and what to do.

    The command line prints the message without a traceback and exits with code 2.
    """
