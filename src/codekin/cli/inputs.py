"""Reading the texts that a command compares: files, one of which may be stdin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codekin.cli.output import say
from codekin.errors import CodekinError
from codekin.opening import MOST_CODE_BYTES, read_file, read_stdin

if TYPE_CHECKING:
    from codekin.languages import Language
    from codekin.source import NamedSource

__all__ = ["TextInput", "read_inputs", "read_texts"]


@dataclass(frozen=True)
class TextInput:
    """A text, where it came from, and its bytes as they were read."""

    name: str
    text: str
    size: int


def read_texts(paths: Sequence[str]) -> list[TextInput]:
    """Read files, ``-`` being stdin; a note says which ones are not in Unicode."""
    from codekin.source import decode, is_unicode

    if paths.count("-") > 1:
        raise CodekinError("stdin (-) can be read only once; give a file for the other text")
    texts = []
    for path in paths:
        name, data = _name(path), _bytes(path)
        texts.append(TextInput(name, decode(data, name), len(data)))
        if not is_unicode(data):
            say(f"codekin: {name}: is not UTF-8, so it is read as Latin-1", err=True)
    return texts


def read_inputs(paths: Sequence[str], language: str | None) -> list[NamedSource]:
    """Read files, ``-`` being stdin, and determine the language of each.

    `language` is that of all if it is given. Otherwise a file's suffix decides, and then the text
    itself; a blank text, and stdin of unclear language, take the language of the others.
    """
    from codekin.languages import get_language
    from codekin.source import NamedSource, Source

    chosen = None if language is None else get_language(language)
    texts = read_texts(paths)
    known = [chosen or _language(path, one.text) for path, one in zip(paths, texts, strict=True)]
    fallback = next((one for one in known if one is not None), None)
    if fallback is None:
        raise CodekinError("neither names nor contents tell the language; use --language")
    return [
        NamedSource(read.name, Source(read.text, one or fallback), read.size)
        for read, one in zip(texts, known, strict=True)
    ]


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _bytes(path: str) -> bytes:
    if path != "-":
        return read_file(path, limit=MOST_CODE_BYTES, typed=True)
    return read_stdin(MOST_CODE_BYTES)


def _language(path: str, text: str) -> Language | None:
    """The language by suffix or by content; None where the other texts may tell."""
    from codekin.languages.registry import language_of_named_file
    from codekin.represent.text.detection import detect_language

    by_suffix = None if path == "-" else language_of_named_file(path)
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
