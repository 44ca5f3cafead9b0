"""What a scan found in the texts of files, and the bytes of that which an index keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.scan.matches import TYPES
from codekin.scan.packed_arrays import DamagedError, pack_arrays, unpack_arrays
from codekin.scan.scan_result import CloneClass, CloneFinding, CodeRegion
from codekin.scan.scanned_files import LeftOutFile

__all__ = ["FoundClones"]

_COUNTS = ("lines", "imports", "tables", "headers", "ignored")


@dataclass(frozen=True, eq=False, repr=False)
class FoundClones:
    """The part of a :class:`~codekin.scan.scan_result.Scan` that depends on contents.

    Attributes
    ----------
    findings : tuple of CloneFinding
    classes : tuple of CloneClass
    left_out : tuple of LeftOutFile
        Files whose content could not be read, or is generated or ignored.
    languages : mapping of str to int
        Lines by language.
    lines, imports, tables, headers, ignored : int
    """

    findings: tuple[CloneFinding, ...]
    classes: tuple[CloneClass, ...]
    left_out: tuple[LeftOutFile, ...]
    languages: Mapping[str, int]
    lines: int
    imports: int
    tables: int
    headers: int
    ignored: int

    def packed(self) -> bytes:
        """As bytes, from which :meth:`unpacked` makes an equal value."""
        members = [region for one in self.classes for region in one.members]
        sides = [one.first for one in self.findings], [one.second for one in self.findings]
        regions = _RegionColumns([*sides[0], *sides[1], *members])
        type_of = {name: number for number, name in enumerate(TYPES)}
        return pack_arrays(
            {
                "files": regions.files,
                "names": regions.names,
                "left_out": [[one.path, one.kind, one.reason] for one in self.left_out],
                "languages": dict(self.languages),
                "counts": [getattr(self, name) for name in _COUNTS],
            },
            {
                **regions.arrays,
                "type": np.array([type_of[one.type] for one in self.findings], np.uint8),
                "score": np.array([one.score for one in self.findings], np.float64),
                "tokens": np.array([one.tokens for one in self.findings], np.int32),
                "class": np.array([one.clone_class for one in self.findings], np.int32),
                "class_number": np.array([one.number for one in self.classes], np.int32),
                "class_type": np.array([type_of[one.type] for one in self.classes], np.uint8),
                "class_score": np.array([one.score for one in self.classes], np.float64),
                "class_saved": np.array([one.saved_lines for one in self.classes], np.int32),
                "class_size": np.array([len(one.members) for one in self.classes], np.int32),
            },
        )

    @classmethod
    def unpacked(cls, data: bytes) -> FoundClones:
        """What was packed; DamagedError if the bytes are something else."""
        meta, arrays = unpack_arrays(data)
        try:
            return cls._of(meta, {name: array.tolist() for name, array in arrays.items()})
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            raise DamagedError(f"does not hold the result of a scan ({error})") from None

    @classmethod
    def _of(cls, meta: dict[str, Any], columns: dict[str, list[Any]]) -> FoundClones:
        regions = _regions(meta["files"], meta["names"], columns)
        count = len(columns["type"])
        findings = tuple(
            CloneFinding(first, second, TYPES[type_], score, tokens, number)
            for first, second, type_, score, tokens, number in zip(
                regions[:count],
                regions[count : 2 * count],
                *(columns[name] for name in ("type", "score", "tokens", "class")),
                strict=True,
            )
        )
        members = iter(regions[2 * count :])
        classes = tuple(
            CloneClass(number, TYPES[type_], score, tuple(_next(members, size)), saved)
            for number, type_, score, saved, size in zip(
                *(
                    columns[f"class_{name}"]
                    for name in ("number", "type", "score", "saved", "size")
                ),
                strict=True,
            )
        )
        return cls(
            findings,
            classes,
            tuple(LeftOutFile(*map(str, one)) for one in meta["left_out"]),
            {str(name): int(lines) for name, lines in meta["languages"].items()},
            *map(int, meta["counts"]),
        )


def _next(regions: Iterable[CodeRegion], count: int) -> Iterable[CodeRegion]:
    taken = [one for _, one in zip(range(count), regions, strict=False)]
    if len(taken) != count:
        raise ValueError("too few members")
    return taken


class _RegionColumns:
    """Regions as arrays, with the names of files and functions in lists."""

    def __init__(self, regions: Sequence[CodeRegion]) -> None:
        files: dict[str, int] = {}
        names: dict[str, int] = {}
        self.arrays: dict[str, npt.NDArray[Any]] = {
            "file": np.array([files.setdefault(one.file, len(files)) for one in regions], np.int32),
            "name": np.array([names.setdefault(one.name, len(names)) for one in regions], np.int32),
            "start": np.array([one.start for one in regions], np.int32),
            "end": np.array([one.end for one in regions], np.int32),
            "fingerprint": np.array([int(one.fingerprint, 16) for one in regions], np.uint64),
        }
        self.files = list(files)
        self.names = list(names)


def _regions(
    files: Sequence[str], names: Sequence[str], columns: Mapping[str, list[Any]]
) -> list[CodeRegion]:
    """The regions; equal ones are one object."""
    made: dict[tuple[Any, ...], CodeRegion] = {}
    found = []
    for row in zip(
        *(columns[name] for name in ("file", "start", "end", "name", "fingerprint")), strict=True
    ):
        region = made.get(row)
        if region is None:
            file, start, end, name, fingerprint = row
            region = CodeRegion(files[file], start, end, names[name], f"{fingerprint:016x}")
            made[row] = region
        found.append(region)
    return found
