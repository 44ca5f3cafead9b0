"""The one exception type that codekin raises for people to read."""

__all__ = ["CodekinError"]


class CodekinError(Exception):
    """Something a user can put right: what was wrong, where, and what to do.

    The command line prints the message without a traceback and exits with code 2.
    """
