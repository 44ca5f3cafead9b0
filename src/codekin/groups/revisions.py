"""Reading the revisions of a file: revised files, and patches that are applied to it."""

from __future__ import annotations

import codecs
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codekin.align.patch import begins_as_patch, parse_patch
from codekin.errors import CodekinError
from codekin.groups.code_files import names_without_shared_folder
from codekin.source import Source, decode, read_bytes

__all__ = ["Revisions", "patches_in", "read_revisions"]

_PATCHES = (".patch", ".diff")


@dataclass(frozen=True)
class Revisions:
    """The revisions of a file, as far as they could be read.

    Attributes
    ----------
    origin : Source
    sources : dict of str to Source
        By name: the path without the folder that all of them share.
    unusable : dict of str to str
        What could not be read or applied, with the reason.
    """

    origin: Source
    sources: dict[str, Source]
    unusable: dict[str, str]


def patches_in(folder: Path) -> list[Path]:
    """The files in a folder that end in .patch or .diff, by name."""
    if not folder.is_dir():
        raise CodekinError(f"{folder}: is no folder; name a patch without --patches")
    try:
        found = sorted(one for one in folder.iterdir() if _is_patch(one))
    except OSError as error:
        raise CodekinError(f"{folder}: {error.strerror or error}") from None
    if not found:
        raise CodekinError(f"{folder}: there is no file in it that ends in .patch or .diff")
    return found


def read_revisions(origin: Path, paths: Sequence[Path], language: str | None = None) -> Revisions:
    """Read revised files, and patches, which are applied to the origin.

    A patch is a file that ends in .patch or .diff, or begins as a unified diff where the origin
    does not.

    A file that is binary or empty, or no UTF-8 where the origin is, and a patch that does not
    apply, is set apart with the reason. A file that is not there ends all, since the command line
    must be wrong.

    Parameters
    ----------
    origin : Path
        What they revise.
    paths : sequence of Path
    language : str, optional
        Of all texts; else that of the origin, by its suffix and then by its content.
    """
    _check_paths(paths)
    before = Source.from_file(origin, language)
    utf8 = _is_utf8(read_bytes(origin))
    sources: dict[str, Source] = {}
    unusable: dict[str, str] = {}
    for path, name in zip(paths, names_without_shared_folder(paths), strict=True):
        try:
            text = _text(path, name, utf8=utf8)
            if _is_patch(path) or (begins_as_patch(text) and not begins_as_patch(before.text)):
                text = _patched(before.text, text, origin)
            sources[name] = Source(text, before.language)
        except CodekinError as error:
            unusable[name] = str(error).removeprefix(f"{path}: ").removeprefix(f"{name}: ")
    return Revisions(before, sources, unusable)


def _is_patch(path: Path) -> bool:
    return path.suffix.lower() in _PATCHES


def _check_paths(paths: Sequence[Path]) -> None:
    if not paths:
        raise CodekinError("there are no revisions; name revised files, or patches")
    seen = set()
    for path in paths:
        if path.is_dir():
            raise CodekinError(
                f"{path}: is a folder; name the files in it, or use --patches for a folder of "
                "patches"
            )
        if not path.exists():
            raise CodekinError(f"{path}: no such file")
        place = os.path.normpath(path)
        if place in seen:
            raise CodekinError(f"{path}: is given twice; name every revision once")
        seen.add(place)


def _text(path: Path, name: str, *, utf8: bool) -> str:
    data = read_bytes(path)
    text = decode(data, name)
    if not text.strip():
        raise CodekinError("is empty")
    if utf8 and not _is_utf8(data):
        raise CodekinError("is not in UTF-8, as the origin is; convert it first")
    return text


def _is_utf8(data: bytes) -> bool:
    """Whether bytes are text in UTF-8, or say by a mark in which other Unicode form they are."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as UTF-32's mark does too
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.startswith(codecs.BOM_UTF32_BE)
    return True


def _patched(origin: str, patch: str, file: Path) -> str:
    steps = [step for step in file.parts if step not in ("..", file.anchor)]
    text = parse_patch(patch, "/".join(steps)).apply(origin)
    if not text.strip():
        raise CodekinError("leaves nothing of the origin")
    return text
