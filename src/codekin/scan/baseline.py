"""The clones that are known already, counted by content, so that a check can fail on new ones."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from codekin.errors import CodekinError
from codekin.opening import MOST_DOCUMENT_BYTES, UnreadableFileError, parse_json, read_file
from codekin.results import written_text
from codekin.scan.clone_places import ClonePlace

if TYPE_CHECKING:
    from codekin.scan.scan_result import Scan

__all__ = ["CloneBaseline", "KnownClass", "new_places"]

_VERSION = 2

KnownClass = tuple[tuple[str, str], ...]
"""The places of a known class: fingerprints and files."""


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    """A baseline as it is written."""

    codekin_baseline: Literal[2]
    min_lines: int
    min_tokens: int
    types: tuple[str, ...]
    fast: bool
    classes: tuple[KnownClass, ...]


@dataclass(frozen=True)
class CloneBaseline:
    """The clones of an earlier scan.

    Attributes
    ----------
    classes : tuple of tuple of (str, str)
        The fingerprint and the file of each place, by outermost class; without lines, which may
        move.
    min_lines, min_tokens : int
        The fewest lines of code and tokens of a clone in that scan.
    types : tuple of str
        The types of clones that it looked for.
    fast : bool
        Whether only tokens were compared.
    """

    classes: tuple[KnownClass, ...] = field(repr=False)
    min_lines: int
    min_tokens: int
    types: tuple[str, ...]
    fast: bool

    @classmethod
    def of(cls, scan: Scan) -> CloneBaseline:
        """The clones of a scan."""
        found: dict[int, list[tuple[str, str]]] = {}
        for place in scan.places:
            mine = found.setdefault(place.family, [])
            mine.append((place.region.fingerprint, place.region.file))
        classes = sorted(tuple(sorted(one)) for one in found.values())
        return cls(tuple(classes), *_settings(scan))

    @classmethod
    def read(cls, path: str | Path) -> CloneBaseline:
        """Read a baseline that was written by :meth:`write`."""
        if not os.path.lexists(path):
            raise CodekinError(
                f"{path}: no such baseline; codekin scan --write-baseline {path} writes one"
            )
        data = read_file(path, typed=True, limit=MOST_DOCUMENT_BYTES)
        try:
            document = msgspec.convert(parse_json(data, path), _Document)
            return cls(document.classes, *_settings(document))
        except (UnreadableFileError, msgspec.ValidationError):
            raise CodekinError(
                f"{path}: is not a baseline of version {_VERSION}; "
                "name a file that codekin scan --write-baseline wrote"
            ) from None

    def write(self, path: str | Path) -> None:
        """Write a baseline, one line per class, so that it can be kept under version control."""
        words = ",\n".join(f"    {json.dumps(one)}" for one in self.classes)
        names = ("min_lines", "min_tokens", "types", "fast")
        settings = "".join(f'  "{name}": {json.dumps(getattr(self, name))},\n' for name in names)
        text = (
            f'{{\n  "codekin_baseline": {_VERSION},\n{settings}  "classes": [\n{words}\n  ]\n}}\n'
        )
        written_text(text, path)


def _settings(source: Scan | CloneBaseline | _Document) -> tuple[int, int, tuple[str, ...], bool]:
    """What two scans must have in common for their clones to be compared."""
    return source.min_lines, source.min_tokens, source.types, source.fast


def new_places(scan: Scan, baseline: CloneBaseline) -> tuple[ClonePlace, ...]:
    """The places of clones that a baseline does not have.

    Each known place accounts for one place with its fingerprint, in the same file if there is
    one. What is left of a class is new, unless as many known copies of that class are gone: then
    these were edited.

    Parameters
    ----------
    scan : Scan
    baseline : CloneBaseline
    """
    if _settings(baseline) != _settings(scan):
        raise CodekinError(
            f"the baseline was written with --min-lines {baseline.min_lines} "
            f"--min-tokens {baseline.min_tokens} --type {','.join(baseline.types)}"
            f"{' --fast' if baseline.fast else ''}, and this scan has other settings; "
            "use the same ones, or write a new baseline"
        )
    known = _KnownPlaces(baseline.classes)
    unknown = known.without_known(scan.places)
    of_class: dict[int, list[ClonePlace]] = {}
    contents: dict[int, set[str]] = {}
    for place in scan.places:
        contents.setdefault(place.family, set()).add(place.region.fingerprint)
    for place in unknown:
        of_class.setdefault(place.family, []).append(place)
    new: set[ClonePlace] = set()
    for number, places in of_class.items():
        new.update(known.without_edited(places, contents[number]))
    return tuple(one for one in scan.places if one in new)


class _KnownPlaces:
    """The places of a baseline, of which each accounts for one place of a scan."""

    def __init__(self, classes: Sequence[KnownClass]) -> None:
        self._classes = classes
        self._left: dict[str, Counter[str]] = {}
        self._with: dict[str, list[int]] = {}
        for number, places in enumerate(classes):
            for content, file in places:
                self._left.setdefault(content, Counter())[file] += 1
                self._with.setdefault(content, []).append(number)

    def without_known(self, places: Iterable[ClonePlace]) -> list[ClonePlace]:
        """The places whose content is unknown, or known fewer times; places keep their files."""
        elsewhere = [one for one in places if not self._use(one.region.fingerprint, one)]
        return [one for one in elsewhere if not self._use(one.region.fingerprint)]

    def without_edited(self, places: list[ClonePlace], contents: set[str]) -> list[ClonePlace]:
        """The unknown places of a class with these contents, but not edited copies."""
        numbers = {number for content in contents for number in self._with.get(content, ())}
        gone = sorted(
            {
                content
                for number in numbers
                for content, _ in self._classes[number]
                if self._left[content]
            }
        )
        elsewhere = [one for one in places if not any(self._use(content, one) for content in gone)]
        return [one for one in elsewhere if not any(self._use(content) for content in gone)]

    def _use(self, content: str, place: ClonePlace | None = None) -> bool:
        """Take a known place with a content, in the file of a place or anywhere, if one is left."""
        files = self._left.get(content)
        if not files:
            return False
        file = next(iter(files)) if place is None else place.region.file
        if file not in files:
            return False
        files[file] -= 1
        if not files[file]:
            del files[file]
        return True
