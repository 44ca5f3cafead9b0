"""An index on disk: what was taken out of files, by the hash of their content.

An index is a folder. Segments hold the parts of files (see :mod:`codekin.scan.packed_texts`); each
belongs to one of 16 shards, by the first digit of the hashes in it, and is never changed. A table
lists the files, and a manifest says which segments, which table and which results belong together.
Every file is written whole under a new name, the manifest last, so whatever is killed leaves the
old index or the new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import re
import secrets
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from codekin import _native
from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.runs.seals import manifest_is_whole, seal_manifest
from codekin.scan.packed_arrays import DamagedError, pack_arrays, unpack_arrays
from codekin.scan.scanned_files import INDEX_FILES, NOTEBOOK, FilesToScan
from codekin.whole_files import is_leftover, whole_file, working_on

__all__ = ["CodeIndex", "FileRow", "PartSettings", "content_digest"]

_MANIFEST, _CLOCK = INDEX_FILES
_FORMAT = "codekin-index-1"
_MAGIC = b"codekin parts 1\n"
_DIGEST = 16
"""Bytes of a hash."""
_SEGMENT_BYTES = 8_000_000
"""A segment is written when there is this much for it."""
_SMALL_BYTES, _MOST_SMALL = 1_000_000, 8
"""When a shard has this many small segments, they are joined."""
_LEAST_USED = 0.5
"""A shard of which less is in use is written again, without the rest."""
_RECENT, _RESULTS = 4, 8
"""Settings whose parts are kept, and results."""
_RACY_NS = 2_000_000_000
"""A file that changed this shortly before it was read may change again without a new time."""
_STALE_SECONDS = 3600.0
"""Files that no manifest names are deleted when they are this old; others are being written."""
_OURS = re.compile(r"shards|results|codekin-index\.(clock|json)|files-[0-9a-f]{16}\.rows")


def content_digest(data: bytes) -> bytes:
    """The hash of a file's content."""
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


@dataclass(frozen=True)
class PartSettings:
    """What the parts of a file depend on, besides its content and language.

    Attributes
    ----------
    min_lines : int
        The fewest lines of a fragment.
    fast : bool
        Whether fragments were found without a parser.
    everything : bool
        Whether generated files and functions with a comment are included.
    """

    min_lines: int
    fast: bool
    everything: bool

    def identity(self) -> str:
        """A hash of the settings and of the code that applies them."""
        words = f"{self.min_lines} {self.fast:d} {self.everything:d} {_code_digest()}"
        return hashlib.blake2b(words.encode(), digest_size=_DIGEST).hexdigest()


def part_key(identity: str, language: str, notebook: bool, digest: bytes) -> bytes:
    """What the parts of a file are found by."""
    words = f"{identity} {language} {_grammars(language)} {notebook:d} ".encode()
    return hashlib.blake2b(words + digest, digest_size=_DIGEST).digest()


@cache
def _grammars(language: str) -> str:
    return " ".join(f"{one.distribution} {one.version}" for one in get_language(language).grammars)


@cache
def _code_digest() -> str:
    """A hash of what reads and compares code, so that another codekin does not use old parts."""
    home = Path(__file__).parent.parent
    files = [home / "source.py", Path(_native.__file__)]
    for room in ("languages", "represent", "scan", "measures", "data"):
        files += [one for one in (home / room).rglob("*") if one.suffix not in (".pyc", ".json")]
    hasher = hashlib.blake2b(__version__.encode(), digest_size=_DIGEST)
    for file in sorted(one for one in files if one.is_file()):
        hasher.update(file.name.encode() + b"\0")
        hasher.update(file.read_bytes())
    return hasher.hexdigest()


@dataclass(frozen=True)
class FileRow:
    """A file as an index knows it.

    Attributes
    ----------
    digest : bytes
        The hash of its content.
    language : str
    stamp : tuple of int
        Size, time of change of the content and of the file, inode and device; zeros if the content
        has to be read again.
    """

    digest: bytes
    language: str
    stamp: tuple[int, int, int, int, int]

    @staticmethod
    def stamp_of(status: os.stat_result) -> tuple[int, int, int, int, int]:
        """What changes with a file, as numbers of 64 bits without a sign."""
        times = status.st_mtime_ns % 2**64, status.st_ctime_ns % 2**64
        return status.st_size, *times, status.st_ino % 2**64, status.st_dev % 2**64


_NO_STAMP = (0, 0, 0, 0, 0)


class _Segment:
    """A file of parts, memory-mapped."""

    def __init__(self, path: Path, size: int, digest: str) -> None:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != size:
                raise DamagedError("has another size")
            self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.view = memoryview(self._memory)
        tail = self.view[-24:]
        begin = int.from_bytes(tail[:8], "little")
        directory = self.view[begin:-24]
        ends = bytes(self.view[: len(_MAGIC)]), bytes(tail[8:])
        if ends != (_MAGIC, _MAGIC) or digest != _short_digest(directory):
            raise DamagedError("has another directory")
        _, arrays = unpack_arrays(directory)
        count = len(arrays["sums"])
        self.keys = [arrays["keys"][i * _DIGEST :][:_DIGEST].tobytes() for i in range(count)]
        self._offsets = arrays["offsets"].tolist()
        self._sums = arrays["sums"].tolist()

    def part(self, number: int) -> memoryview:
        """The parts of one file; DamagedError if they are not as they were written."""
        part = self.view[self._offsets[number] : self._offsets[number + 1]]
        if zlib.crc32(part) != self._sums[number]:
            raise DamagedError("has changed bytes")
        return part

    def release(self) -> None:
        """Give back the memory of the pages that were read."""
        if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            self._memory.madvise(mmap.MADV_DONTNEED)

    def size_of(self, number: int) -> int:
        """The bytes of one file's parts."""
        return int(self._offsets[number + 1] - self._offsets[number])


def _short_digest(data: bytes | memoryview) -> str:
    return hashlib.blake2b(data, digest_size=_DIGEST).hexdigest()


def _segment_bytes(parts: Mapping[bytes, bytes | memoryview]) -> tuple[list[bytes], str]:
    """The pieces of a segment, and the digest of its directory."""
    pieces: list[bytes] = [_MAGIC]
    at, offsets, sums = len(_MAGIC), [len(_MAGIC)], []
    for part in parts.values():
        pieces.append(bytes(part))
        at += len(part)
        offsets.append(at)
        sums.append(zlib.crc32(part))
    directory = pack_arrays(
        {},
        {
            "keys": np.frombuffer(b"".join(parts), np.uint8),
            "offsets": np.array(offsets, np.int64),
            "sums": np.array(sums, np.uint32),
        },
    )
    pieces += [directory, at.to_bytes(8, "little"), _MAGIC]
    return pieces, _short_digest(directory)


class CodeIndex:
    """An index of code on disk: see ``codekin scan --index`` and ``codekin find``.

    Parameters
    ----------
    folder : str or Path
        Where the index is.
    create : bool
        Whether to make one if there is none.

    Attributes
    ----------
    folder : Path
    problems : list of str
        What was wrong with the index, or why it could not be written. An index only saves time: a
        part that is damaged or cannot be written is computed again.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(CodeIndex(Path(folder, "index"), create=True))
    0
    """

    def __init__(self, folder: str | Path, *, create: bool = False) -> None:
        self.folder = Path(folder)
        self.problems: list[str] = []
        self.parsed = 0
        self._rows: dict[str, FileRow] = {}
        self._new_rows: dict[str, FileRow] = {}
        self._gone: set[str] = set()
        self._mapped: dict[str, _Segment] = {}
        self._places: dict[bytes, tuple[_Segment, int]] = {}
        self._waiting: list[dict[bytes, bytes]] = [{} for _ in range(16)]
        self._sizes = [0] * 16
        self._written: list[list[dict[str, Any]]] = [[] for _ in range(16)]
        self._results: dict[str, bytes] = {}
        self._settings: PartSettings | None = None
        self._broken = False
        self._check_folder(create)
        self._manifest = self._opened()
        self._now = self._time(create)

    def __len__(self) -> int:
        """The number of files."""
        return len(self._rows.keys() | self._new_rows.keys())

    # What is there.

    def row(self, path: str) -> FileRow | None:
        """A file, by its absolute path."""
        return self._new_rows.get(path) or self._rows.get(path)

    def rows(self) -> Iterator[tuple[str, FileRow]]:
        """All files by path."""
        together = self._rows | self._new_rows
        return ((path, together[path]) for path in sorted(together))

    def is_unchanged(self, row: FileRow, status: os.stat_result) -> bool:
        """Whether the content of a file is certainly that of its row."""
        return row.stamp == FileRow.stamp_of(status) != _NO_STAMP

    def has_part(self, key: bytes) -> bool:
        """Whether the index has the parts of a file."""
        return key in self._places or key in self._waiting[key[0] >> 4]

    def part(self, key: bytes) -> bytes | memoryview | None:
        """The parts of a file; None if the index does not have them, or they are damaged."""
        if (waiting := self._waiting[key[0] >> 4].get(key)) is not None:
            return waiting
        segment, number = self._places.get(key, (None, 0))
        if segment is None:
            return None
        try:
            return segment.part(number)
        except DamagedError:
            self.drop_part(key)
            return None

    def drop_part(self, key: bytes) -> None:
        """Forget parts that cannot be used."""
        self._say("a segment is damaged; its files are parsed again")
        self._places.pop(key, None)

    def release_memory(self) -> None:
        """Let go of what was read; it is read from the disk again if it is needed."""
        for segment in self._mapped.values():
            segment.release()

    def recent_settings(self) -> list[str]:
        """The identities of the settings that were used last, the last one first."""
        mine = [] if self._settings is None else [self._settings.identity()]
        return mine + [one["identity"] for one in self._manifest["settings"]]

    def found_part(self, path: str, row: FileRow) -> bytes | memoryview | None:
        """The parts of a file with the settings that were used last."""
        for identity in self.recent_settings():
            key = part_key(identity, row.language, is_notebook(path), row.digest)
            if (part := self.part(key)) is not None:
                return part
        return None

    def result(self, key: str) -> bytes | None:
        """A result that was kept."""
        if key not in self._manifest["results"]:
            return None
        try:
            data = Path(self.folder, "results", f"{key}.found").read_bytes()
        except OSError:
            return None
        if len(data) < 4 or zlib.crc32(data[4:]) != int.from_bytes(data[:4], "little"):
            self._say("a result is damaged; it is computed again")
            return None
        self._results[key] = b""  # used now
        return data[4:]

    def description(self) -> dict[str, Any]:
        """What the manifest says: generation, version of codekin, segments by shard, and more."""
        return self._manifest

    # What is added.

    def use(self, settings: PartSettings) -> None:
        """Settings of the parts that will be added."""
        self._settings = settings

    def add_row(self, path: str, status: os.stat_result, digest: bytes, language: str) -> None:
        """A file, by its absolute path, as it was when it was read."""
        newest = max(status.st_mtime_ns, status.st_ctime_ns)
        racy = newest >= self._now - _RACY_NS
        stamp = _NO_STAMP if racy else FileRow.stamp_of(status)
        self._new_rows[path] = FileRow(digest, language, stamp)

    def forget_missing(self, paths: Sequence[str | Path], found: FilesToScan) -> bool:
        """Drop files in scanned folders that exist no longer; whether there were any."""
        folders = [os.path.abspath(one) for one in paths]  # noqa: PTH100, as rows are named
        seen = {os.path.abspath(one.path) for one in found.files}  # noqa: PTH100
        for path in self._rows.keys() - seen:
            inside = any(path == one or path.startswith(one.rstrip("/") + "/") for one in folders)
            if inside and not os.path.lexists(path):
                self._gone.add(path)
        return bool(self._gone)

    def add_part(self, key: bytes, part: bytes, *, parsed: bool = True) -> None:
        """The parts of a file that was parsed, or why it was not."""
        shard = key[0] >> 4
        self._waiting[shard][key] = part
        self._sizes[shard] += len(part)
        self.parsed += parsed
        if self._sizes[shard] >= _SEGMENT_BYTES:
            self._flush(shard)

    def add_result(self, key: str, data: bytes) -> None:
        """A result to keep."""
        self._results[key] = data

    def commit(self) -> bool:
        """Make what was added part of the index; False, with a problem, if that is not possible.

        Processes that write to one index at a time wait for each other here, and what all of them
        added is kept.
        """
        for shard in range(16):
            self._flush(shard)
        if self._broken:
            return False
        try:
            if self._has_news():
                with working_on(self.folder, wait=True):
                    self._commit()
        except OSError as error:
            self._cannot_write(error)
            return False
        return True

    def _has_news(self) -> bool:
        recent = self.recent_settings()
        return bool(
            not self._manifest["generation"]
            or any(self._written)
            or self._gone
            or any(self._results.values())
            or any(self._rows.get(path) != row for path, row in self._new_rows.items())
            or recent[:1] != recent[1:2]
        )

    def _commit(self) -> None:
        was, rows = self._manifest, self._rows
        now = self._read_manifest() or self._empty()
        if now["generation"] != was["generation"]:  # another process was faster
            rows = self._read_rows(now)
        rows = {
            path: row for path, row in (rows | self._new_rows).items() if path not in self._gone
        }
        recent = now["settings"]
        if self._settings is not None:
            mine = {"identity": self._settings.identity(), **vars(self._settings)}
            recent = [mine, *(one for one in recent if one["identity"] != mine["identity"])]
        segments = [[*now["shards"][shard], *self._written[shard]] for shard in range(16)]
        results = [one for one in now["results"] if one not in self._results]
        for key, data in self._results.items():
            if data:
                sum_ = zlib.crc32(data).to_bytes(4, "little")
                self._write(f"results/{key}.found", [sum_, data])
            results.append(key)
        changed = rows != self._rows or now["generation"] != was["generation"] or not now["files"]
        new = {
            "format": _FORMAT,
            "codekin": __version__,
            "generation": now["generation"] + 1,
            "settings": recent[:_RECENT],
            "files": self._write_rows(rows) if changed else now["files"],
            "results": results[-_RESULTS:],
            "shards": self._tidied(segments, rows, [one["identity"] for one in recent[:_RECENT]]),
        }
        text = json.dumps(seal_manifest(new), indent=1).encode() + b"\n"
        self._write(_MANIFEST, [text], durable=True)
        self._manifest, self._rows, self._new_rows, self._results = new, rows, {}, {}
        written = {f"shards/{one['file']}" for some in self._written for one in some}
        self._written = [[] for _ in range(16)]
        self._delete_old(_named_files(now) | written, _named_files(new))

    def _tidied(
        self,
        segments: list[list[dict[str, Any]]],
        rows: Mapping[str, FileRow],
        identities: Sequence[str],
    ) -> list[list[dict[str, Any]]]:
        """Segments without those that are mostly unused, and with small ones joined."""
        used = {
            part_key(identity, row.language, is_notebook(path), row.digest)
            for identity in identities
            for path, row in rows.items()
        }
        return [self._tidied_shard(shard, some, used) for shard, some in enumerate(segments)]

    def _tidied_shard(
        self, shard: int, segments: list[dict[str, Any]], used: set[bytes]
    ) -> list[dict[str, Any]]:
        opened = [(one, self._segment(one)) for one in segments]
        whole = [(one, segment) for one, segment in opened if segment is not None]
        size = sum(one["bytes"] for one, _ in whole)
        alive = sum(
            segment.size_of(number)
            for _, segment in whole
            for number, key in enumerate(segment.keys)
            if key in used
        )
        small = [pair for pair in whole if pair[0]["bytes"] < _SMALL_BYTES]
        if whole and alive < _LEAST_USED * size - _SMALL_BYTES:
            chosen = whole
        elif len(small) > _MOST_SMALL:
            chosen = small
        else:
            return [one for one, _ in whole]
        kept = [one for one, segment in whole if all(segment is not other for _, other in chosen)]
        parts: dict[bytes, bytes | memoryview] = {}
        for _, segment in chosen:
            for number, key in enumerate(segment.keys):
                if key in used:
                    with contextlib.suppress(DamagedError):
                        parts[key] = segment.part(number)
                if sum(map(len, parts.values())) >= _SEGMENT_BYTES:
                    kept.append(self._write_segment(shard, parts))
                    parts = {}
        return [*kept, self._write_segment(shard, parts)] if parts else kept

    def _flush(self, shard: int) -> None:
        """Write what waits for a shard as a segment."""
        parts = self._waiting[shard]
        if not parts or self._broken:
            return
        try:
            entry = self._write_segment(shard, parts)
        except OSError as error:
            self._cannot_write(error)
            return
        segment = self._segment(entry)
        if segment is None:
            return
        self._written[shard].append(entry)
        self._places.update((key, (segment, i)) for i, key in enumerate(segment.keys))
        self._waiting[shard], self._sizes[shard] = {}, 0

    def _write_segment(
        self, shard: int, parts: Mapping[bytes, bytes | memoryview]
    ) -> dict[str, Any]:
        pieces, digest = _segment_bytes(parts)
        name = f"{shard:x}-{secrets.token_hex(8)}.parts"
        self._write(f"shards/{name}", pieces)
        return {"file": name, "bytes": sum(map(len, pieces)), "digest": digest, "parts": len(parts)}

    def _write(self, name: str, pieces: Iterable[bytes], *, durable: bool = False) -> None:
        with whole_file(self.folder / name, durable=durable) as file:
            for piece in pieces:
                file.write(piece)

    def _cannot_write(self, error: OSError) -> None:
        self._broken = True
        self._say(f"cannot be written ({error.strerror or error}); the next scan starts without")

    def _say(self, problem: str) -> None:
        text = f"{self.folder}: {problem}"
        if text not in self.problems:
            self.problems.append(text)

    # Opening.

    def _check_folder(self, create: bool) -> None:
        folder = self.folder
        names, wrong = None, "" if create else "no such folder"
        try:
            names, wrong = sorted(one.name for one in folder.iterdir()), ""
        except FileNotFoundError:  # though another process may make it at any moment
            wrong = "is not a folder" if folder.is_symlink() else wrong
        except NotADirectoryError:
            wrong = "is not a folder" if os.path.lexists(folder) else wrong
        except OSError as error:
            raise CodekinError(f"{folder}: {error.strerror or error}") from None
        if wrong and create:
            raise CodekinError(f"{folder}: {wrong}; name a folder for the index")
        if wrong:
            raise CodekinError(f"{folder}: {wrong}; make an index with codekin index add")
        if names is not None and _MANIFEST not in names and not create:
            raise CodekinError(
                f"{folder}: is not an index (it has no {_MANIFEST}); make one with codekin index "
                "add"
            )
        foreign = [one for one in names or () if not _is_ours(folder / one)]
        if foreign and _MANIFEST not in (names or ()):
            raise CodekinError(
                f"{folder}: has other files, such as {foreign[0]}; give an index a folder of its "
                "own"
            )
        if create:
            try:
                for one in (folder, folder / "shards", folder / "results"):
                    one.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self._cannot_write(error)

    def _time(self, writable: bool) -> int:
        """The time now, in nanoseconds, by this clock or by that of the index's disk if earlier."""
        now = time.time_ns()
        if writable and not self._broken:
            try:
                with whole_file(self.folder / _CLOCK):
                    pass
                now = min(now, (self.folder / _CLOCK).stat().st_mtime_ns)
            except OSError as error:
                self._cannot_write(error)
        return now

    def _opened(self) -> dict[str, Any]:
        for _ in range(3):  # another process may replace segments between two steps
            manifest = self._read_manifest() or self._empty()
            missing = self._open_segments(manifest)
            if not missing:
                break
        else:
            self._say(f"{missing} segments are missing; their files are parsed again")
        if manifest["files"]:
            self._rows = self._read_rows(manifest)
        return manifest

    def _open_segments(self, manifest: dict[str, Any]) -> int:
        """Map all segments; how many are not there."""
        self._places, missing = {}, 0
        for entries in manifest["shards"]:
            for entry in entries:
                segment = self._segment(entry)
                if segment is not None:
                    self._places.update((key, (segment, i)) for i, key in enumerate(segment.keys))
                missing += segment is None and not (self.folder / "shards" / entry["file"]).exists()
        return missing

    def _segment(self, entry: Mapping[str, Any]) -> _Segment | None:
        """A segment; None if it is damaged or gone."""
        name = entry["file"]
        try:
            if name not in self._mapped:
                path = self.folder / "shards" / name
                self._mapped[name] = _Segment(path, entry["bytes"], entry["digest"])
            return self._mapped[name]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, CodekinError) as error:
            self._say(f"the segment {name} is damaged ({error}); its files are parsed again")
            return None

    def _empty(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "codekin": __version__,
            "generation": 0,
            "settings": [],
            "files": "",
            "results": [],
            "shards": [[] for _ in range(16)],
        }

    def _read_manifest(self) -> dict[str, Any] | None:
        try:
            text = (self.folder / _MANIFEST).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise CodekinError(f"{self.folder / _MANIFEST}: {error.strerror or error}") from None
        try:
            content = json.loads(text)
            whole = manifest_is_whole(content) and len(content["shards"]) == 16
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            whole = False
        if not whole:
            self._say("the manifest is damaged; the index is made from nothing")
            return None
        if content["format"] != _FORMAT:
            self._say(
                f"was written by codekin {content.get('codekin')} in another format; the index is "
                "made from nothing"
            )
            return None
        if not _is_safe(content):
            self._say("the manifest names files elsewhere; the index is made from nothing")
            return None
        del content["sha256"]
        found: dict[str, Any] = content
        return found

    def _read_rows(self, manifest: Mapping[str, Any]) -> dict[str, FileRow]:
        try:
            data = (self.folder / manifest["files"]).read_bytes()
            if f"files-{_short_digest(data)[:16]}.rows" != manifest["files"]:
                raise DamagedError("has changed bytes")
            meta, arrays = unpack_arrays(data)
            stamps = arrays["stamps"].reshape(-1, 5).tolist()
            digests = arrays["digests"].tobytes()
            names = meta["languages"]
            return {
                str(path): FileRow(
                    digests[i * _DIGEST : (i + 1) * _DIGEST], str(names[language]), tuple(stamp)
                )
                for i, (path, language, stamp) in enumerate(
                    zip(meta["paths"], arrays["languages"].tolist(), stamps, strict=True)
                )
            }
        except (OSError, ValueError, KeyError, IndexError, CodekinError):
            self._say("the list of files is damaged; it is made again")
            return {}

    def _write_rows(self, rows: Mapping[str, FileRow]) -> str:
        names = sorted({row.language for row in rows.values()})
        number = {name: i for i, name in enumerate(names)}
        data = pack_arrays(
            {"paths": list(rows), "languages": names},
            {
                "digests": np.frombuffer(b"".join(row.digest for row in rows.values()), np.uint8),
                "languages": np.array([number[row.language] for row in rows.values()], np.int32),
                "stamps": np.array([row.stamp for row in rows.values()], np.uint64).reshape(-1),
            },
        )
        name = f"files-{_short_digest(data)[:16]}.rows"
        self._write(name, [data])
        return name

    def _delete_old(self, before: set[str], after: set[str]) -> None:
        """Delete what the manifest names no longer, and what killed processes left."""
        old = time.time() - _STALE_SECONDS
        for folder in (self.folder, self.folder / "shards", self.folder / "results"):
            with contextlib.suppress(OSError):
                for path in folder.iterdir():
                    name = path.relative_to(self.folder).as_posix()
                    unnamed = path.suffix in (".parts", ".rows", ".found") or is_leftover(path)
                    stale = unnamed and name not in after and path.stat().st_mtime < old
                    if name in before - after or stale:
                        path.unlink(missing_ok=True)


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook."""
    return path.lower().endswith(NOTEBOOK)


def _is_ours(path: Path) -> bool:
    return _OURS.fullmatch(path.name) is not None or is_leftover(path)


def _named_files(manifest: Mapping[str, Any]) -> set[str]:
    shards = {f"shards/{one['file']}" for some in manifest["shards"] for one in some}
    return shards | {manifest["files"]} | {f"results/{one}.found" for one in manifest["results"]}


_SEGMENT_NAME = re.compile(r"[0-9a-f]-[0-9a-f]{16}\.parts")
_ROWS_NAME = re.compile(r"(files-[0-9a-f]{16}\.rows)?")
_RESULT_NAME = re.compile(r"[0-9a-f]{32}")


def _is_safe(manifest: Mapping[str, Any]) -> bool:
    """Whether a manifest has the types that are relied on, and names only files of the index."""
    try:
        return (
            isinstance(manifest["generation"], int)
            and all(isinstance(one["identity"], str) for one in manifest["settings"])
            and _ROWS_NAME.fullmatch(manifest["files"]) is not None
            and all(_RESULT_NAME.fullmatch(one) for one in manifest["results"])
            and all(
                _SEGMENT_NAME.fullmatch(one["file"])
                and isinstance(one["bytes"], int)
                and isinstance(one["parts"], int)
                and isinstance(one["digest"], str)
                for some in manifest["shards"]
                for one in some
            )
        )
    except (KeyError, TypeError):
        return False
