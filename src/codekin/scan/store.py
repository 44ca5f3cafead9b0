"""The index of a scan: what was taken out of files, in one database that only its writer believes.

The file is an sqlite3 database in WAL mode with four tables of keys and values: `parts` of files by
the digest of their content, `files` by their path, `results` of scans, and `meta`. Every row has a
checksum with a key that only this user has (:mod:`codekin.scan.index_key`), over the table, the row
and the format: what somebody else wrote, moved or changed is not there, and is made again. Rows do
not depend on each other, so any part of them is a whole index.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import msgspec

from codekin import _native
from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.opening import open_file, read_file
from codekin.scan.index_key import index_key
from codekin.scan.scanned_files import INDEX_SUFFIXES, NOTEBOOK, FilesToScan
from codekin.whole_files import whole_file, working_on

__all__ = ["CodeIndex", "FileRow", "PartSettings", "content_digest", "is_notebook", "part_key"]

_FORMAT = "codekin index 3"
_APPLICATION = 0x636B696E
"""By which sqlite3 knows whose file it is."""
_DIGEST = 32
"""Bytes of a hash, and of a checksum."""
_TABLES = ("parts", "files", "results", "meta")
_PAGE_BYTES = 8192
_WAITING_BYTES = 8_000_000
"""Parts are written when there is this much."""
_MOST_BYTES = 2**28
"""Of a row; parts of larger files are not kept."""
_LEAST_ROW = 64
"""Bytes on disk that a row takes at least."""
_LEAST_USED = 0.5
"""When less of the parts is in use, the others are deleted."""
_MOST_FREE = 0.25
"""When more of the file is free, it is given back."""
_RECENT, _RESULTS = 4, 8
"""Settings whose parts are kept, and results."""
_RACY_NS = 2_000_000_000
"""A file that changed this shortly before it was read may change again without a new time."""
_WAIT_S = 60.0
"""How long to wait for others that write, a moment each."""
_OWNER = b"owner"
"""The row of `meta` that says who wrote the database, by its checksum."""
_CHANGED = "some of it was changed or damaged, and is computed again"
_TROUBLES = frozenset(
    (
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY),
        *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM),
        *(sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_MISUSE),
    )
)
"""Of the disk, of memory and of time, not of the content."""
_ERRORS = sqlite3.Error, UnicodeDecodeError
"""What sqlite3 raises; the latter for names that are not UTF-8."""
_MAGIC = b"SQLite format 3\0"
_WAL_MAGICS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_HEADER = 100


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
    grammars = get_language(language).grammars
    return " ".join(f"{grammar.distribution} {grammar.version}" for grammar in grammars)


@cache
def _code_digest() -> str:
    """A hash of what reads and compares code, so that another codekin does not use old parts."""
    home = Path(__file__).parent.parent
    files = [home / "source.py", Path(_native.__file__)]
    for room in ("languages", "represent", "scan", "measures", "data"):
        files += [file for file in (home / room).rglob("*") if file.suffix not in (".pyc", ".json")]
    hasher = hashlib.blake2b(__version__.encode(), digest_size=_DIGEST)
    for file in sorted(file for file in files if file.is_file()):
        hasher.update(file.name.encode() + b"\0")
        hasher.update(read_file(file, typed=True, limit=_MOST_BYTES))
    return hasher.hexdigest()


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook."""
    return path.lower().endswith(NOTEBOOK)


class FileRow(msgspec.Struct, array_like=True, frozen=True):
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


_encoded = msgspec.msgpack.encode
_file_row = msgspec.msgpack.Decoder(FileRow).decode
_NO_STAMP = (0, 0, 0, 0, 0)


class _OddError(CodekinError):
    """A database is not as this user's codekin writes it; the message says why."""


class CodeIndex:
    """An index of code on disk: see ``codekin scan --index`` and ``codekin find``.

    Parameters
    ----------
    path : str or Path
        The file.
    create : bool
        Whether to make one if there is none.

    Attributes
    ----------
    path : Path
    problems : list of str
        What was wrong with the index, or why it could not be used or written. An index only saves
        time: what is not there is computed again.
    parsed : int
        The files whose parts were added.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with CodeIndex(Path(folder, "code.index"), create=True) as index:
    ...         len(index)
    0
    """

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self.path = Path(path)
        self.problems: list[str] = []
        self.parsed = 0
        self._create = create
        self._rows: dict[str, FileRow] = {}
        self._new_rows: dict[str, FileRow] = {}
        self._gone: set[str] = set()
        self._foreign: list[int] = []
        self._waiting: dict[bytes, bytes] = {}
        self._waiting_bytes = 0
        self._dropped: set[bytes] = set()
        self._results: dict[bytes, bytes] = {}
        self._settings: PartSettings | None = None
        self._recent: list[str] = []
        self._database: sqlite3.Connection | None = None
        self._close: Callable[[], object] = lambda: None
        self._steps = _Steps()
        self._writable, self._obstacle = True, ""
        self._now = time.time_ns()
        self._place = os.path.abspath(self.path)  # noqa: PTH100, keeps what follows a link
        if self.path.is_dir():
            raise CodekinError(f"{self.path}: is a folder; name a file for the index")
        if not create and not os.path.lexists(self.path):
            raise CodekinError(f"{self.path}: no such file; make an index with codekin index add")
        try:
            self._key = index_key()
            self._open()
        except (CodekinError, OSError, ValueError, sqlite3.Error) as error:
            if not create:
                raise CodekinError(f"{self.path}: {_reason(error)}") from None
            self._say(f"{_reason(error)}; the index is not used")

    def __enter__(self) -> CodeIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of files."""
        return len(self._rows.keys() | self._new_rows.keys())

    @property
    def usable(self) -> bool:
        """Whether there is an index at all; `problems` says why not."""
        return self._database is not None

    def close(self) -> None:
        """Close the file; what was not committed is lost."""
        self._close()
        self._database = None

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
        if key in self._waiting or key in self._dropped:
            return key in self._waiting
        return self._select("select 1 from parts where key = ?", key) is not None

    def part(self, key: bytes) -> bytes | None:
        """The parts of a file; None if the index does not have them, or they are damaged."""
        if (waiting := self._waiting.get(key)) is not None:
            return waiting
        return None if key in self._dropped else self._value("parts", key)

    def recent_settings(self) -> list[str]:
        """The identities of the settings that were used last, the last one first."""
        mine = [] if self._settings is None else [self._settings.identity()]
        return [*mine, *(identity for identity in self._recent if identity not in mine)][:_RECENT]

    def found_part(self, path: str, row: FileRow) -> bytes | None:
        """The parts of a file with the settings that were used last."""
        for identity in self.recent_settings():
            key = part_key(identity, row.language, is_notebook(path), row.digest)
            if (part := self.part(key)) is not None:
                return part
        return None

    def result(self, key: bytes) -> bytes | None:
        """A result that was kept."""
        return self._value("results", key)

    def results(self) -> int:
        """How many results are kept."""
        found = self._select("select count(*) from (select 1 from results limit ?)", _RESULTS)
        return 0 if found is None else int(found[0])

    def written_by(self) -> str:
        """The version of codekin that wrote it last."""
        value = self._value("meta", b"codekin")
        return __version__ if value is None else value.decode()

    def size(self) -> int:
        """The bytes of the file, and of what will be written to it."""
        size = 0
        for suffix in ("", "-wal"):
            with suppress(OSError):
                size += os.stat(self._place + suffix).st_size  # noqa: PTH116
        return size

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
        folders = [os.path.abspath(path) for path in paths]  # noqa: PTH100, as rows are named
        seen = {os.path.abspath(file.path) for file in found.files}  # noqa: PTH100
        for path in self._rows.keys() - seen:
            inside = any(path == top or path.startswith(top.rstrip("/") + "/") for top in folders)
            if inside and not os.path.lexists(path):
                self._gone.add(path)
        return bool(self._gone)

    def add_part(self, key: bytes, part: bytes, *, parsed: bool = True) -> None:
        """The parts of a file that was parsed, or why it was not."""
        self._waiting[key] = part
        self._waiting_bytes += len(part)
        self.parsed += parsed
        if self._waiting_bytes >= _WAITING_BYTES:
            self._flush()

    def add_result(self, key: bytes, data: bytes) -> None:
        """A result to keep."""
        if len(data) <= _MOST_BYTES // 2:
            self._results[key] = data

    def commit(self) -> bool:
        """Make what was added part of the index; False, with a problem, if that is not possible.

        What other processes add at the same time is kept, too.
        """
        rows = {path: row for path, row in self._new_rows.items() if self._rows.get(path) != row}
        recent = self.recent_settings()
        added = rows or self._waiting or self._results or recent != self._recent
        if not (added or self._gone or self._foreign):
            return self.usable
        self._flush()
        if not self._write(lambda: self._commit(rows, recent)):
            return False
        self._rows = {
            path: row for path, row in (self._rows | rows).items() if path not in self._gone
        }
        self._new_rows, self._results, self._gone, self._recent = {}, {}, set(), recent
        self._foreign = []
        return True

    def _commit(self, rows: Mapping[str, FileRow], recent: Sequence[str]) -> None:
        assert self._database is not None
        self._insert("files", ((os.fsencode(path), _encoded(row)) for path, row in rows.items()))
        self._delete("files", map(os.fsencode, self._gone))
        self._database.executemany(
            "delete from files where rowid = ?", ((number,) for number in self._foreign)
        )
        self._insert("results", self._results.items())
        (newest,) = self._database.execute("select max(rowid) from results").fetchone()
        self._database.execute("delete from results where rowid <= ?", ((newest or 0) - _RESULTS,))
        meta = {b"settings": json.dumps(recent).encode(), b"codekin": __version__.encode()}
        self._insert("meta", meta.items())
        self._delete_unused(recent)

    def _delete_unused(self, recent: Sequence[str]) -> None:
        """Delete parts that no file has, if they are most of all."""
        used = {
            part_key(identity, row.language, is_notebook(path), row.digest)
            for path, row in self._read_rows().items()
            for identity in recent
        }
        assert self._database is not None
        listed = "select key, coalesce(length(value), 0) from parts limit ?"
        sizes = dict(self._database.execute(listed, (self._most_rows(),)))
        unused = [key for key in sizes if key not in used]
        if sum(sizes[key] for key in unused) > (1 - _LEAST_USED) * sum(sizes.values()):
            self._delete("parts", unused)

    def _flush(self) -> None:
        """Write the parts that wait; those that are too large stay in memory."""
        small = {key: part for key, part in self._waiting.items() if len(part) <= _MOST_BYTES // 2}
        if small and self._write(lambda: self._insert("parts", small.items())):
            self._waiting = {key: self._waiting[key] for key in self._waiting.keys() - small.keys()}
            self._dropped -= small.keys()
        self._waiting_bytes = 0

    # Reading and writing.

    def _select(self, statement: str, key: bytes | int) -> tuple[Any, ...] | None:
        if self._database is None:
            return None
        try:
            self._steps.again()
            found: tuple[Any, ...] | None = self._database.execute(statement, (key,)).fetchone()
        except sqlite3.DataError:
            return None, None  # larger than any row of ours
        except _ERRORS as error:
            self._cannot_read(error)
            return None
        return found

    def _value(self, table: str, key: bytes) -> bytes | None:
        found = self._select(f"select value, sum from {table} where key = ?", key)
        if found is None:
            return None
        value, checksum = found
        if isinstance(value, bytes) and checksum == self._checksum(table, key, value):
            return value
        self._dropped.add(key)
        self._say(_CHANGED)
        return None

    def _read_rows(self) -> dict[str, FileRow]:
        rows, self._foreign = {}, []
        assert self._database is not None
        listed = "select rowid, key, value, sum from files limit ?"
        for number, key, value, checksum in self._database.execute(listed, (self._most_rows(),)):
            whole = isinstance(key, bytes) and isinstance(value, bytes)
            if whole and checksum == self._checksum("files", key, value):
                rows[os.fsdecode(key)] = _file_row(value)
            else:
                self._say(_CHANGED)
                self._foreign.append(number)
        return rows

    def _most_rows(self) -> int:
        """More rows than the file can hold are the same ones again and again."""
        return self.size() // _LEAST_ROW

    def _checksum(self, table: str, key: bytes, value: bytes) -> bytes:
        head = f"{_FORMAT} {table} {len(key)} ".encode()
        hasher = hashlib.blake2b(head + key, digest_size=_DIGEST, key=self._key)
        hasher.update(value)
        return hasher.digest()

    def _insert(self, table: str, rows: Iterable[tuple[bytes, bytes]]) -> None:
        assert self._database is not None
        self._database.executemany(
            f"insert or replace into {table} (key, value, sum) values (?, ?, ?)",
            ((key, value, self._checksum(table, key, value)) for key, value in rows),
        )

    def _delete(self, table: str, keys: Iterable[bytes]) -> None:
        assert self._database is not None
        self._database.executemany(f"delete from {table} where key = ?", ((key,) for key in keys))

    def _write(self, work: Callable[[], None]) -> bool:
        """Do something in a transaction; False, with a problem, if that is not possible."""
        if self._database is None:
            return False
        if self._obstacle:
            self._say(f"cannot be written ({self._obstacle}); only what it has is used")
            return False
        try:
            self._steps.allow(self.size())
            self._database.execute("begin immediate")
            try:
                work()
                self._database.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._database.execute("rollback")
                raise
            self._shrink()
        except _ERRORS as error:
            if _is_damage(error):
                self._cannot_read(error)
                return False
            self._obstacle = _reason(error)
            self._say(f"cannot be written ({self._obstacle}); only what it has is used")
            return False
        return True

    def _shrink(self) -> None:
        """Give free parts of the file back to the disk, if there are many."""
        assert self._database is not None
        (pages,), (free,) = (
            self._database.execute(f"pragma {name}").fetchone()
            for name in ("page_count", "freelist_count")
        )
        if free > _MOST_FREE * pages:
            # Unlike `execute`, this takes all steps; each gives back a page.
            self._database.executescript("pragma incremental_vacuum")

    def _cannot_read(self, error: Exception) -> None:
        """Do without the database from here on; a damaged one is made again for the next time."""
        self.close()
        if not (_is_damage(error) and self._writable and self._create):
            self._say(f"cannot be read ({_reason(error)})")
            return
        try:
            with _alone(Path(self._place).parent):
                self._make_again("is damaged")
        except (CodekinError, OSError, *_ERRORS) as problem:
            self._say(f"{_reason(problem)}; the index is not used")

    def _say(self, problem: str) -> None:
        text = f"{self.path}: {problem}"
        if text not in self.problems:
            self.problems.append(text)

    # Opening.

    def _open(self) -> None:
        folder = Path(self._place).parent
        exists = os.path.lexists(self._place)
        if exists:
            paths = (self._place, folder)
            self._writable = all(os.access(path, os.W_OK) for path in paths)
        if not self._writable:
            self._obstacle = "it is read-only"
            self._check_names()
            self._connect()
            return
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            self._check_names()
            if not os.path.lexists(self._place):
                self._make()
            try:
                self._connect()
            except _OddError as error:
                if not self._create:
                    raise CodekinError(f"{error}; make it again with codekin index add") from None
                self._make_again(str(error))
                self._connect()
            with TemporaryFile(dir=folder) as file:  # whose disk may have another clock
                self._now = min(self._now, os.fstat(file.fileno()).st_mtime_ns)

    def _check_names(self) -> None:
        """Refuse anything but regular files that have no other name.

        sqlite3 opens and writes all four by their names, and deletes what a journal names.
        """
        for suffix in INDEX_SUFFIXES:
            name = Path(self._place + suffix)
            try:
                status = name.lstat()
            except FileNotFoundError:
                continue
            if not stat.S_ISREG(status.st_mode):
                kind = "a link" if stat.S_ISLNK(status.st_mode) else "not a regular file"
                raise CodekinError(f"{_of(suffix)}is {kind}")
            if status.st_nlink > 1:
                raise CodekinError(f"{_of(suffix)}has another name, by a hard link")
            if suffix == "-journal":
                raise CodekinError(f"{_of(suffix)}is there, which codekin does not write")
            if not suffix and not _is_index(name):
                raise CodekinError("is not an index of codekin; name another file")
            if suffix == "-wal" and status.st_size and _begins(name, 4) not in _WAL_MAGICS:
                raise CodekinError(f"{_of(suffix)}is not part of an index")

    def _connect(self) -> None:
        """Open a database; _OddError if it is not one that this user's codekin wrote."""
        before = os.lstat(self._place)
        self._database = database = self._connection()
        self._close = weakref.finalize(self, database.close)
        try:
            self._check_content(database)
            after = os.lstat(self._place)
            if (before.st_ino, before.st_dev) != (after.st_ino, after.st_dev):
                raise CodekinError("was replaced while it was opened")
            self._rows = self._read_rows()
            settings = self._value("meta", b"settings")
            self._recent = [] if settings is None else json.loads(settings)
        except BaseException as error:
            self.close()
            if isinstance(error, _ERRORS) and _is_damage(error):
                raise _OddError("is damaged") from None
            raise

    def _connection(self) -> sqlite3.Connection:
        mode = "?mode=rw" if self._writable else "?mode=ro&immutable=1"
        database = sqlite3.connect(
            Path(self._place).as_uri() + mode,
            uri=True,
            timeout=_WAIT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        database.text_factory = bytes
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self._steps.allow(self.size())
        database.set_progress_handler(self._steps.count, 10_000)
        for setting in ("trusted_schema = off", "cell_size_check = on"):
            database.execute(f"pragma {setting}")
        return database

    def _check_content(self, database: sqlite3.Connection) -> None:
        schema = database.execute("select type, name, tbl_name, sql from sqlite_schema limit 99")
        if set(schema.fetchall()) != _schema():
            raise _OddError("is empty or of another version of codekin")
        for setting in ("mmap_size = 0", "synchronous = normal"):
            database.execute(f"pragma {setting}")
        found = database.execute("select value, sum from meta where key = ?", (_OWNER,)).fetchone()
        if found != (_OWNER, self._checksum("meta", _OWNER, _OWNER)):
            raise _OddError("was not written by your codekin, which has another key")
        (journal,) = database.execute("pragma journal_mode").fetchone()
        if self._writable and journal != b"wal":
            raise _OddError("is damaged")

    def _make(self) -> None:
        rows = [("meta", _OWNER, _OWNER, self._checksum("meta", _OWNER, _OWNER))]
        with whole_file(Path(self._place)) as file:
            file.write(_new_database(rows))

    def _make_again(self, reason: str) -> None:
        """Replace a database; whoever has it open goes on with the old one."""
        self._check_names()
        for suffix in ("-wal", "-shm"):
            Path(self._place + suffix).unlink(missing_ok=True)
        self._make()
        self._say(f"{reason}; it is made again")


class _Steps:
    """Ends statements that take more steps than a database of its size needs."""

    def __init__(self) -> None:
        self._most = self._left = 100

    def allow(self, size: int) -> None:
        self._most = self._left = 100 + (size >> 16)

    def again(self) -> None:
        self._left = self._most

    def count(self) -> int:
        """Called by sqlite3 every 10,000 steps; anything but 0 ends the statement."""
        self._left -= 1
        return int(self._left < 0)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock a folder for the moment in which a database is made; a longer lock is another's."""
    with ExitStack() as stack:
        for _ in range(100):
            try:
                stack.enter_context(working_on(folder))
                break
            except CodekinError:
                time.sleep(0.05)
        yield


def _of(suffix: str) -> str:
    return f"the file with {suffix} " if suffix else ""


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _is_damage(error: Exception) -> bool:
    """Whether it is the content that is wrong, not the disk or the time."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in _TROUBLES


def _begins(path: Path, count: int) -> bytes:
    with open_file(path) as file:
        return file.read(count)


def _is_index(path: Path) -> bool:
    """Whether a file is, or begins as, a database of codekin, or is empty."""
    head = _begins(path, _HEADER)
    if len(head) < _HEADER:
        return head[: len(_MAGIC)] == _MAGIC[: len(head)]
    return head.startswith(_MAGIC) and head[68:72] == _APPLICATION.to_bytes(4, "big")


@cache
def _schema() -> frozenset[tuple[bytes | None, ...]]:
    with closing(_in_memory()) as database:
        database.text_factory = bytes
        rows = database.execute("select type, name, tbl_name, sql from sqlite_schema")
        return frozenset(rows.fetchall())


def _new_database(rows: Sequence[tuple[str, bytes, bytes, bytes]]) -> bytes:
    """A database with some rows, as the bytes of a file."""
    with closing(_in_memory()) as database:
        for table, *row in rows:
            database.execute(f"insert into {table} (key, value, sum) values (?, ?, ?)", row)
        content = bytearray(database.serialize())
    content[18:20] = b"\2\2"  # WAL mode, which a database in memory cannot have
    return bytes(content)


def _in_memory() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", isolation_level=None)
    for setting in (
        f"page_size = {_PAGE_BYTES}",
        "auto_vacuum = incremental",
        f"application_id = {_APPLICATION}",
    ):
        database.execute(f"pragma {setting}")
    for table in _TABLES:
        database.execute(
            f"create table {table} (key blob primary key, value blob not null, sum blob not null)"
        )
    return database
