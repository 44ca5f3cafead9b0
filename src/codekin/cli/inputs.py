"""Reading the texts that a command compares: files, or one of them from stdin."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from codekin.errors import CodekinError
from codekin.languages import Language, get_language, language_of_file
from codekin.report.document import NamedSource
from codekin.represent.detection import detect_language
from codekin.source import Source, decode, read_bytes

__all__ = ["read_inputs"]


def read_inputs(paths: Sequence[str], language: str | None) -> list[NamedSource]:
    """Read files, ``-`` being stdin, and settle the language of each.

    `language` holds for all where it is given. Otherwise a file's suffix decides, and then the
    text itself; stdin that does not tell, and a blank text, take the language of the others.
    """
    if paths.count("-") > 1:
        raise CodekinError("stdin (-) can be read only once; give a file for the other text")
    chosen = None if language is None else get_language(language)
    read = [(path, _bytes(path)) for path in paths]
    texts = [(path, decode(data, _name(path)), len(data)) for path, data in read]
    known = [chosen or _language(path, text) for path, text, _ in texts]
    fallback = next((one for one in known if one is not None), None)
    if fallback is None:
        raise CodekinError("neither names nor contents tell the language; use --language")
    return [
        NamedSource(_name(path), Source(text, one or fallback), size)
        for (path, text, size), one in zip(texts, known, strict=True)
    ]


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _bytes(path: str) -> bytes:
    if path != "-":
        return read_bytes(Path(path))
    if sys.stdin is None:
        raise CodekinError("stdin is closed")
    return sys.stdin.buffer.read()


def _language(path: str, text: str) -> Language | None:
    """The language by suffix or by content; None where the other texts may tell."""
    by_suffix = None if path == "-" else language_of_file(path)
    if by_suffix is not None or not text.strip():
        return by_suffix
    try:
        return detect_language(text)
    except CodekinError:
        if path == "-":
            return None
        raise CodekinError(
            f"{_name(path)}: cannot tell which language it is written in; use --language"
        ) from None
