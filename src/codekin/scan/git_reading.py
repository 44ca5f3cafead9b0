"""Reading a git repository without its settings, so that nothing in it can start a program.

git is run in a folder of our own that has the objects, refs and index of the repository, and
neither its configuration nor its hooks nor its working files. So no filter, monitor, pager, remote
or hook of a repository that somebody else made is known to git.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from codekin.errors import CodekinError
from codekin.opening import MOST_CODE_BYTES, UnreadableFileError, read_file, read_text
from codekin.plain_text import plain
from codekin.whole_files import whole_file

__all__ = ["GitReader", "TrackedFile", "repository_of", "status_of"]

_MOST_BYTES = 1_000_000
_MOST_ALTERNATES = 5
_ALLOCATION = "2g"
"""The largest object that git makes room for."""
_MEMORY = 2 * 2**30
_TOGETHER = 64 * 2**20
"""Bytes of objects that are read at a time."""
_KEPT_VARIABLES = frozenset(
    ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"]
)
"""Variables that say which files of git are the user's own; others may come from a hook."""
_VARIABLES = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOC_LIMIT": _ALLOCATION,
    "GIT_ATTR_NOSYSTEM": "1",
}
_SETTINGS = (
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "core.sshCommand=false",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
)
_FORMATS = re.compile(r"extensions\.(objectformat|refstorage)\n(sha1|sha256|files|reftable)")
_BRANCHES = re.compile(r"(branch\..*\.(?:remote|merge)|remote\..*\.fetch)\n(.*)", re.DOTALL)
"""Settings that say where branches come from, for revisions such as ``@{upstream}``."""
_HEADS = re.compile(r"[A-Z_]*HEAD|packed-refs|shallow|sharedindex\.[0-9a-f]+")
_ENTRY = re.compile(
    r"([0-7]+) ([0-9a-f]+) [0-3]\t([^\0]*)\0"
    r"(?:  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n"
    r"  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: [0-9a-f]+\n)?",
    re.ASCII,
)
"""A file in the index. What git prints for debugging may be something else in another version."""
_REGULAR = re.compile(r"100[0-7]{3}")


class TrackedFile(NamedTuple):
    """A regular file that git knows.

    Attributes
    ----------
    path : str
        From the top folder, with slashes.
    staged : str
        The object in the index.
    base : str or None
        The object in the commit that is compared with; None if it has none.
    status : tuple of int or None
        What :func:`status_of` returned when git read the file; None if that is unknown.
    """

    path: str
    staged: str
    base: str | None
    status: tuple[int, ...] | None


def status_of(status: os.stat_result) -> tuple[int, ...]:
    """What is different after any change of a file: above all when it was last changed.

    Nobody can set this time, to the nanosecond, but by writing the file, so an index that came
    with the files does not have it, as it may have their sizes and dates.
    """
    return (status.st_ctime_ns, status.st_mtime_ns, status.st_size % 2**32, status.st_ino % 2**32)


def repository_of(folder: str) -> tuple[str, str]:
    """The top folder of the working files around a folder, and the folder with its objects.

    Only a folder or file named ``.git`` makes a repository, so a bare one that lies among the files
    of another is none.
    """
    for place in (Path(folder), *Path(folder).parents):
        found = place / ".git"
        if found.is_dir():
            if _is_repository(found):
                return str(place), os.path.realpath(found)
        elif os.path.lexists(found):
            return str(place), _folder_in(found)
    raise CodekinError(
        f"{folder}: is not in a git repository, so changes since a revision are unknown"
    )


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / "HEAD") and _common(folder).joinpath("objects").is_dir()


def _folder_in(file: Path) -> str:
    """The folder that a file named ``.git`` names, as in a worktree or a submodule."""
    text = read_text(file, limit=_MOST_BYTES).rstrip("\r\n")
    folder = file.parent / text.removeprefix("gitdir: ")
    if not text.startswith("gitdir: ") or "\0" in text or not _is_repository(folder):
        raise CodekinError(f"{file}: does not name a git repository")
    return os.path.realpath(folder)


def _common(folder: Path) -> Path:
    """Where the objects and branches are, which worktrees share."""
    if not os.path.lexists(folder / "commondir"):
        return folder
    return folder / read_text(folder / "commondir", limit=_MOST_BYTES).rstrip("\r\n")


class GitReader:
    """Runs git about a repository, in a folder that has no settings of it.

    Parameters
    ----------
    top : str
        The folder with the working files.
    folder : str
        The folder with the objects; see :func:`repository_of`.
    room : str
        An empty folder of our own.
    """

    def __init__(self, top: str, folder: str, room: str) -> None:
        self.top = top
        self._folder = Path(folder)
        self._room = Path(room)
        self._common = _common(self._folder)
        self._branches: list[tuple[str, str]] = []
        self._make_room()
        self._check_owner()

    @classmethod
    @contextlib.contextmanager
    def of(cls, top: str, folder: str) -> Iterator[GitReader]:
        """A reader of a repository, whose room is removed afterwards."""
        room = tempfile.mkdtemp(prefix="codekin-git-")
        try:
            yield cls(top, folder, room)
        except UnreadableFileError as error:
            raise CodekinError(f"{top}: is not a git repository that is read: {error}") from None
        finally:
            shutil.rmtree(room, ignore_errors=True)

    def _make_room(self) -> None:
        for name in ("objects/info", "tree"):
            (self._room / name).mkdir(parents=True)
        head = read_file(self._folder / "HEAD", limit=_MOST_BYTES)
        self._write("HEAD", head)
        self._write("config", b"[core]\n\trepositoryformatversion = 0\n")
        self._copy_settings()
        # The names of folders may have any character, those of links in our folder have none.
        self._link("alternate", self._common / "objects")
        alternate = self._room / "alternate"
        self._write("objects/info/alternates", os.fsencode(f"{alternate}\n"))
        self._check_alternates(self._common / "objects", _MOST_ALTERNATES)
        for name in ("refs", "reftable"):
            if (self._common / name).is_dir():
                _check_files(self._common / name)
                self._link(name, self._common / name)
        (self._room / "refs").mkdir(exist_ok=True)
        for place in dict.fromkeys((self._common, self._folder)):
            for name in sorted(os.listdir(place)):  # noqa: PTH208
                if _HEADS.fullmatch(name) and not (self._room / name).exists():
                    _check_file(place / name)
                    self._link(name, place / name)
            if (place / "logs").is_dir():
                _check_files(place / "logs")
                (self._room / "logs").mkdir(exist_ok=True)
                for name in ("HEAD", "refs"):
                    if (place / "logs" / name).exists():
                        self._link(f"logs/{name}", place / "logs" / name)

    def _write(self, name: str, data: bytes) -> None:
        with whole_file(self._room / name) as stream:
            stream.write(data)

    def _link(self, name: str, target: Path) -> None:
        place = self._room / name
        place.unlink(missing_ok=True)
        place.symlink_to(os.path.realpath(target))

    def _copy_settings(self) -> None:
        """Take the formats of objects and refs from the settings, and where branches come from."""
        data = read_file(self._common / "config", limit=_MOST_BYTES)
        self._write("received", data)
        done = self.run(
            *("config", "--file", str(self._room / "received"), "--no-includes", "--list", "-z")
        )
        if done.returncode:
            raise CodekinError(f"{self._common / 'config'}: {reason_of(done)}")
        formats = []
        for entry in done.stdout.decode("utf-8", "surrogateescape").split("\0"):
            if found := _FORMATS.fullmatch(entry.lower()):
                formats.append(f"\t{found[1]} = {found[2]}\n")
            elif found := _BRANCHES.fullmatch(entry):
                self._branches.append((found[1], found[2]))
        if formats:
            text = f"[core]\n\trepositoryformatversion = 1\n[extensions]\n{''.join(formats)}"
            self._write("config", text.encode())

    def _check_alternates(self, objects: Path, most: int) -> None:
        """Check that all objects are files, also those of other repositories that it names."""
        _check_files(objects)
        named = objects / "info" / "alternates"
        if not os.path.lexists(named):
            return
        for line in read_text(named, limit=_MOST_BYTES).split("\n"):
            if line and not line.startswith("#"):
                if not most or line.startswith('"'):
                    raise CodekinError(
                        f"{named}: objects in too many places, or in one with an unusual name"
                    )
                place = objects / line
                if place.is_dir():
                    self._check_alternates(place, most - 1)

    def _check_owner(self) -> None:
        """Like git, refuse a repository of somebody else that the user did not call safe."""
        if not hasattr(os, "geteuid"):
            return
        users = {os.geteuid()}
        if os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdecimal():
            users.add(int(os.environ["SUDO_UID"]))
        places = (Path(self.top), Path(self.top, ".git"), self._folder)
        if all(place.lstat().st_uid in users for place in places):
            return
        listed = self.run("config", "--get-all", "safe.directory").stdout.decode().splitlines()
        safe = listed[len(listed) - listed[::-1].index("") :] if "" in listed else listed
        for entry in safe:
            known = os.path.realpath(Path(entry.removesuffix("/*")).expanduser())
            if entry == "*" or known == self.top:
                return
            if entry.endswith("/*") and Path(self.top).is_relative_to(known):
                return
        raise CodekinError(
            f"{self.top}: git refuses to read this repository, which belongs to somebody else "
            "(dubious ownership); if you trust it, run: git config --global --add safe.directory "
            f"{self.top}"
        )

    def run(
        self, *words: str, stdin: bytes = b"", index: bool = False
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git in the room; `index` is whether it reads that of the repository."""
        env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_") or name in _KEPT_VARIABLES
        }
        env |= _VARIABLES
        env |= {"GIT_DIR": str(self._room), "GIT_WORK_TREE": str(self._room / "tree")}
        if index:
            env["GIT_INDEX_FILE"] = str(self._folder / "index")
        for number, (name, value) in enumerate(self._branches):
            env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        env["GIT_CONFIG_COUNT"] = str(len(self._branches))
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        command = ["git", "--no-pager", *settings, *words]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
                cwd=self._room / "tree",
            )
        except FileNotFoundError:
            raise CodekinError(
                "git is not installed, and changes since a revision are found by git"
            ) from None
        with process:
            _limit_memory(process.pid)
            try:
                out, errors = process.communicate(stdin)
            except BaseException:
                process.kill()
                raise
        return subprocess.CompletedProcess(command, process.returncode, out, errors)

    def output(self, *words: str, stdin: bytes = b"", index: bool = False) -> bytes:
        """What git prints; an error if it fails."""
        done = self.run(*words, stdin=stdin, index=index)
        if done.returncode:
            raise CodekinError(f"{self.top}: {reason_of(done)}")
        return done.stdout

    def tracked(self, base: str) -> list[TrackedFile]:
        """The regular files in the index, with their objects in a commit, renamed or not."""
        if not os.path.lexists(self._folder / "index"):
            return []
        _check_file(self._folder / "index")
        differing: dict[str, str | None] = {}
        words = ("--cached", "--raw", "-z", "--no-abbrev", "-M", "-l1000", base, "--")
        fields = iter(os.fsdecode(self.output("diff-index", *words, index=True)).split("\0"))
        for field in fields:
            if not field:
                break
            old: str | None
            _, _, old, _, status = field.split(" ")
            path = next(fields)
            if status[0] in "RC":
                path = next(fields)
            if status[0] == "U":  # in conflict
                name = self.run("rev-parse", "--verify", "--quiet", f"{base}:{path}")
                old = name.stdout.decode("ascii").strip() or None
            differing[path] = None if status[0] == "A" else old
        latest = (self._folder / "index").stat().st_mtime_ns
        listing = self.output("ls-files", "--stage", "--debug", "-z", index=True)
        files: dict[str, TrackedFile] = {}
        for mode, staged, path, *numbers in _ENTRY.findall(os.fsdecode(listing)):
            if _REGULAR.fullmatch(mode):
                known = _known_status(numbers, latest)
                files[path] = TrackedFile(path, staged, differing.get(path, staged), known)
        return list(files.values())

    def filtered(self, paths: Sequence[str]) -> list[str]:
        """Those of some files that a filter of git changes, but for Git LFS."""
        if not paths:
            return []
        words = ("check-attr", "--cached", "--stdin", "-z", "filter")
        names = os.fsencode("".join(f"{path}\0" for path in paths))
        fields = os.fsdecode(self.output(*words, stdin=names, index=True)).split("\0")
        return [
            path
            for path, value in zip(fields[0:-1:3], fields[2::3], strict=True)
            if value not in {"unspecified", "unset", "set", "lfs"}
        ]

    def excludes(self) -> list[tuple[str, bool]]:
        """The user's own ignore file, and that of the repository; whether it is the user's."""
        done = self.run("config", "--type=path", "--get", "core.excludesFile")
        if done.returncode == 0:
            mine = os.fsdecode(done.stdout.removesuffix(b"\n"))
        else:
            home = os.environ.get("XDG_CONFIG_HOME") or str(Path("~/.config").expanduser())
            mine = str(Path(home, "git", "ignore"))
        return [(mine, True), (str(self._common / "info" / "exclude"), False)]

    def blobs(self, objects: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Each of some objects with its content; None if it is too large to be compared."""
        waiting: list[str] = []
        size = 0
        for name, length in self._sizes(objects):
            if length > MOST_CODE_BYTES:
                yield name, None
                continue
            if size + length > _TOGETHER:
                yield from self._contents(waiting)
                waiting, size = [], 0
            waiting.append(name)
            size += length
        yield from self._contents(waiting)

    def _sizes(self, objects: Sequence[str]) -> list[tuple[str, int]]:
        names = "".join(f"{name}\n" for name in objects).encode()
        lines = self.output("cat-file", "--batch-check", stdin=names).decode().splitlines()
        sizes = []
        for line in lines:
            name, kind, *length = line.split(" ")
            if kind != "blob":
                raise CodekinError(
                    f"{self.top}: an earlier version of a file ({name[:12]}) is not in the "
                    "repository; in a partial clone, fetch it first, such as by git diff with the "
                    "same revision"
                )
            sizes.append((name, int(length[0])))
        return sizes

    def _contents(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        if not names:
            return
        lines = "".join(f"{name}\n" for name in names).encode()
        data = self.output("cat-file", "--batch", stdin=lines)
        at = 0
        for name in names:
            end = data.index(b"\n", at)
            length = int(data[at:end].split(b" ")[2])
            yield name, data[end + 1 : end + 1 + length]
            at = end + 1 + length + 1


def _known_status(numbers: Sequence[str], latest: int) -> tuple[int, ...] | None:
    """What :func:`status_of` returned when git read a file, if that says that it is unchanged.

    It does not where times have no nanoseconds, and for a file that was changed in the moment in
    which the index was written, after which it may have been changed again.
    """
    if os.name != "posix" or not numbers[0]:
        return None
    changed, fraction, written, more, inode, size = map(int, numbers)
    status = changed * 10**9 + fraction, written * 10**9 + more, size, inode
    return status if fraction and more and status[0] < latest and status[1] < latest else None


def _limit_memory(process: int) -> None:
    """Bound the memory of git: a tree of few bytes may name thousands of millions of files."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.prlimit(process, resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def reason_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Why git failed, in its words."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    words = lines[-1].removeprefix("fatal: ").removeprefix("error: ") if lines else ""
    return plain(words) or f"git exited with {done.returncode}"


def _check_files(folder: Path) -> None:
    """Check that git would not wait for ever for anything in a folder; links may be in it."""
    waiting, seen = [os.fspath(folder)], {os.path.realpath(folder)}
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listing:
                entries = list(listing)
        except FileNotFoundError:
            continue  # git removes empty folders
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                continue
            if not entry.is_dir():
                _check_file(Path(entry.path))
            elif not entry.is_symlink():
                waiting.append(entry.path)
            elif (place := os.path.realpath(entry.path)) not in seen:
                seen.add(place)
                waiting.append(place)


def _check_file(path: Path) -> None:
    """Check that a path is a file, maybe by links."""
    if path.exists() and not path.is_file():
        raise UnreadableFileError(path, "is not a regular file")
