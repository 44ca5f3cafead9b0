import contextlib
import io
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from codekin import opening
from codekin.opening import (
    UnreadableFileError,
    open_file,
    parse_json,
    read_arrays,
    read_file,
    read_json,
    read_stdin,
    read_text,
    read_toml,
    read_unchanged,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with names")

LIMIT = 1000


def why_not(path: object, **settings: object) -> str:
    """Why a file is not read."""
    with pytest.raises(UnreadableFileError) as raised:
        read_file(path, **{"limit": LIMIT, **settings})  # type: ignore[arg-type]
    assert str(raised.value) == f"{os.fspath(path)}: {raised.value.reason}"  # type: ignore[call-overload]
    return raised.value.reason


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_bytes(b"text")
    return path


def test_a_regular_file(file: Path) -> None:
    assert read_file(file, limit=4) == b"text"
    assert read_file(str(file), limit=4, typed=True) == b"text"
    with open_file(file) as stream:
        assert stream.read(2) == b"te"
        assert os.get_blocking(stream.fileno())
        assert not os.get_inheritable(stream.fileno())


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert read_file(tmp_path / "a", limit=0) == b""


@pytest.mark.parametrize("typed", [True, False])
def test_what_is_no_file(tmp_path: Path, file: Path, typed: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert why_not(tmp_path / "pipe", typed=typed) == "is a pipe; save it to a file"
    assert why_not("/dev/zero", typed=typed) == "is a device, not a file"
    assert why_not(tmp_path, typed=typed) == "is a folder; name a file in it"
    assert why_not(tmp_path / "none", typed=typed) == "no such file"
    assert why_not(file / "below", typed=typed) == "Not a directory"
    assert why_not("a\0b", typed=typed) == "embedded null byte"
    assert why_not("", typed=typed) == "no such file"
    assert why_not("a" * 5000, typed=typed) == "File name too long"


@pytest.mark.parametrize("typed", [True, False])
def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: bool) -> None:
    monkeypatch.chdir(tmp_path)  # the paths of sockets are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert why_not("socket", typed=typed) == "is a socket, not a file"


def test_a_file_without_permission(file: Path) -> None:
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user may read everything")
    assert why_not(file) == "Permission denied"


def test_links_are_followed_only_if_they_were_typed(tmp_path: Path, file: Path) -> None:
    link, dangling, device = tmp_path / "link", tmp_path / "dangling", tmp_path / "device"
    link.symlink_to(file)
    dangling.symlink_to("nowhere")
    device.symlink_to("/dev/zero")
    assert read_file(link, limit=4, typed=True) == b"text"
    refused = "is a link, which is followed only if it is named itself"
    assert [why_not(path) for path in (link, dangling, device)] == [refused] * 3
    assert why_not(dangling, typed=True) == "no such file"
    assert why_not(device, typed=True) == "is a device, not a file"


def test_a_link_in_a_path_that_was_not_received(tmp_path: Path, file: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert read_file(tmp_path / "link" / "a.txt", limit=4) == b"text"


def test_within_a_folder_nothing_is_a_link(tmp_path: Path, file: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "b").write_bytes(b"below")
    (folder / "outside").symlink_to(tmp_path)
    (folder / "link").symlink_to(file)
    (tmp_path / "other").symlink_to(folder)
    assert read_file(folder / "below" / "b", limit=9, within=folder) == b"below"
    assert read_file(folder / "below" / "b", limit=9, within=folder / "below") == b"below"
    # The folder itself was named by the user.
    assert read_file(tmp_path / "other" / "below" / "b", limit=9, within=tmp_path / "other")
    for typed in (True, False):
        reason = why_not(folder / "outside" / "a.txt", within=folder, typed=typed)
        assert reason == "outside is a link, and a link to a folder is not followed"
    assert "is a link" in why_not(folder / "link", within=folder)
    assert why_not(folder / "none" / "b", within=folder) == "no such file"
    assert why_not(folder / "below" / "b" / "c", within=folder) == "Not a directory"


@pytest.mark.parametrize("path", ["folder/../a.txt", "folder/..", "a.txt", "folder", "/etc/passwd"])
def test_a_path_that_leaves_its_folder(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnreadableFileError, match="folder"):
        read_file(path, within="folder", limit=LIMIT)


def test_within_where_folders_cannot_be_opened(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "b").write_bytes(b"below")
    (tmp_path / "link").symlink_to("below")
    (tmp_path / "below" / "link").symlink_to(file)
    monkeypatch.setattr(os, "supports_dir_fd", set())
    monkeypatch.setattr(opening, "_NO_LINK", 0)
    assert read_file(tmp_path / "below" / "b", limit=9, within=tmp_path) == b"below"
    assert "link is a link" in why_not(tmp_path / "link" / "b", within=tmp_path)
    assert "is a link" in why_not(tmp_path / "below" / "link", within=tmp_path)


def test_a_file_over_the_limit(file: Path) -> None:
    assert why_not(file, limit=3) == "has 4 bytes, more than the 3 that are read"
    with pytest.raises(UnreadableFileError), open_file(file, limit=3):
        pass
    with pytest.raises(UnreadableFileError):
        read_text(file, limit=3)


def test_a_sparse_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as stream:
        stream.truncate(2**40)
    assert "1,099,511,627,776 bytes" in why_not(tmp_path / "a")


def test_a_file_whose_size_is_not_stated() -> None:
    path = "/proc/self/status"
    if not os.path.exists(path):  # noqa: PTH110
        pytest.skip("no /proc")
    assert os.stat(path).st_size == 0  # noqa: PTH116
    assert b"Name" in read_file(path, limit=2**16)
    assert why_not(path, limit=5) == "has more than the 5 bytes that are read"


class Growing(io.RawIOBase):
    """A file that always has more."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        buffer[:] = bytes(len(buffer))
        return len(buffer)


def test_a_file_that_grows_is_stopped_at_the_limit(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextlib.contextmanager
    def growing(*words: object, **settings: object) -> Iterator[io.BufferedReader]:
        yield io.BufferedReader(Growing())

    monkeypatch.setattr(opening, "open_file", growing)
    assert why_not(file, limit=2**20) == "has more than the 1,048,576 bytes that are read"


def test_a_file_that_is_changed_while_it_is_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, status = read_unchanged(file, limit=LIMIT)
    assert (data, status.st_size) == (b"text", 4)
    read = opening._read

    def changed(*words: object) -> bytes:
        data = read(*words)  # type: ignore[arg-type]
        file.write_bytes(data + b"more")
        return data

    monkeypatch.setattr(opening, "_read", changed)
    with pytest.raises(UnreadableFileError, match="was changed while it was read"):
        read_unchanged(file, limit=LIMIT)


def test_an_error_of_the_disk(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*words: object) -> Iterator[bytes]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(opening, "_pieces", fail)
    assert why_not(file) == "cannot be read any further (Input/output error)"


def test_the_pipe_of_a_process_substitution() -> None:
    if not os.path.exists("/dev/fd"):  # noqa: PTH110
        pytest.skip("no /dev/fd")
    ends = os.pipe()
    try:
        name = f"/dev/fd/{ends[0]}"
        writer = threading.Thread(target=os.write, args=(ends[1], b"x" * 10))
        writer.start()
        writer.join()
        assert why_not(name) != ""  # a path from a file
        os.close(ends[1])
        assert read_file(name, typed=True, limit=10) == b"x" * 10
    finally:
        os.close(ends[0])


def test_stdin_named_as_a_file() -> None:
    command = (
        "from codekin.opening import read_file; print(read_file('/dev/stdin', limit=4, typed=True))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command], input=b"text", capture_output=True, check=False
    )
    assert done.stdout == b"b'text'\n"
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-c", command], stdin=nothing, capture_output=True, check=False
        )
    assert b"/dev/stdin: is a device, not a file" in done.stderr


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"text")))
    assert read_stdin(4) == b"text"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Growing())))
    with pytest.raises(UnreadableFileError, match="<stdin>: has more than the 1,000 bytes"):
        read_stdin(LIMIT)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Exception, match="stdin is closed"):
        read_stdin(LIMIT)


def test_the_error_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(UnreadableFileError("a", "is a link")))
    assert (error.path, error.reason, str(error)) == ("a", "is a link", "a: is a link")


def test_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufefföä\n".encode())
    assert read_text(tmp_path / "a", limit=LIMIT) == "öä\n"
    (tmp_path / "a").write_bytes(b"abc\xff")
    with pytest.raises(UnreadableFileError, match=r"is not UTF-8 \(byte 3\); save it as UTF-8"):
        read_text(tmp_path / "a", limit=LIMIT)


def test_json(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b'\xef\xbb\xbf{"a": [1, "\xc3\xb6"]}')
    assert read_json(tmp_path / "a") == {"a": [1, "ö"]}
    with pytest.raises(UnreadableFileError, match="more than the 3"):
        read_json(tmp_path / "a", limit=3)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a":' * 100_000, "it is nested too deeply"),
        (b"1" * 10**5, "Exceeds the limit"),
        (b"", "Expecting value"),
        (b"\xff", "'utf-8' codec"),
        (b'"\x00"', "Invalid control character"),
        (b"{} {}", "Extra data"),
    ],
)
def test_what_is_no_json(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableFileError, match="a: is not JSON") as raised:
        parse_json(data, "a")
    assert reason in str(raised.value)
    assert "sys." not in str(raised.value)


def test_toml(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    keys = ".".join("a" * 51)  # fifty dots
    path.write_text(f'{keys} = 1\n[scan]\nexclude = ["a.b", "..."]\n')
    assert read_toml(path)["scan"] == {"exclude": ["a.b", "..."]}


@pytest.mark.parametrize("part", ["a", '"a"', "'a'", r'"\""', '"a.b"', r'"\u0041"', "'\"'", "-_1"])
@pytest.mark.parametrize("text", ["{} = 1", "[{}]", "[[{}]]", "a = {{ {} = 1 }}", "x = 1\n {} = 1"])
@pytest.mark.parametrize("dot", [".", " . ", "\t."])
def test_toml_keys_of_many_dots(tmp_path: Path, part: str, text: str, dot: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text.format(dot.join([part] * 52)) + "\n")
    with pytest.raises(UnreadableFileError, match="a key has more than 50 dots"):
        read_toml(path)


@pytest.mark.parametrize(
    "text",
    [
        *(part * (900_000 // len(part)) for part in ("a.", '"', "'", '"a".', "a . ", "[", "[a.b]")),
        "a" * 900_000,
        "x = " + "[" * 100_000,
        "x = " + "{a=" * 100_000,
        "x = 1" + "0" * 10**5,
        'x = "' + r"\n" * 10**5,
    ],
)
def test_hostile_toml_is_refused_quickly(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(UnreadableFileError, match="is not TOML"):
        read_toml(path)


def test_toml_over_a_megabyte(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("#" * 1_000_001)
    with pytest.raises(UnreadableFileError, match="more than the 1,000,000"):
        read_toml(path)


def saved(path: Path, **arrays: object) -> Path:
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return path


def test_arrays(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "a.npz",
        x=np.arange(6.0).reshape(2, 3),
        y=np.asfortranarray(np.eye(3)),
        z=np.array(["a", "bc"]),
        n=np.int64(7),
        e=np.empty((0, 4)),
    )
    arrays = read_arrays(path)
    assert list(arrays) == ["x", "y", "z", "n", "e"]
    assert arrays["x"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert arrays["y"].tolist() == np.eye(3).tolist()
    assert arrays["z"].tolist() == ["a", "bc"]
    assert (int(arrays["n"]), arrays["e"].shape) == (7, (0, 4))
    link = tmp_path / "link.npz"
    link.symlink_to(path)
    assert list(read_arrays(link, typed=True)) == list(arrays)
    with pytest.raises(UnreadableFileError, match="is a link"):
        read_arrays(link)


def header(shape: str, kind: str = "<f8") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text = text.ljust(-(-len(text) // 64) * 64 + 53) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (header("(137438953472,)"), "w.npy states more than it holds"),
        (header("(2, 40)") + bytes(63), "w.npy states more than it holds"),
        (header("(2, 4)") + bytes(63), "expected 64 bytes got 63"),
        (header("(137438953472,)", "|S0"), "w.npy states more than it holds"),
        (header("(-8,)") + bytes(64), ""),
        (header("(1,)", "|O") + pickle.dumps(1), "w.npy holds objects"),
        (header("(" * 400 + ")" * 400), ""),
        (header("(1,)", "'"), ""),
        (b"\x93NUMPY\x03\x00" + bytes(20), "w.npy has a format that is not known"),
        (b"\x93NUMPY\x01\x00\xff\xff{", ""),
        (b"noise", ""),
        (b"", ""),
    ],
)
def test_hostile_arrays(tmp_path: Path, member: bytes, reason: str) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("w.npy", member)
    with pytest.raises(UnreadableFileError, match="is not a file of arrays") as raised:
        read_arrays(path)
    assert reason in str(raised.value)


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (tmp_path / "executed",)

    path = saved(tmp_path / "a.npz", x=np.array([Evil()], dtype=object))
    with pytest.raises(UnreadableFileError, match="holds objects"):
        read_arrays(path)
    assert not (tmp_path / "executed").exists()


def test_arrays_over_the_limit(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.npz", x=np.zeros(10**6), y=np.zeros(10**6))
    assert path.stat().st_size < 10**5
    with pytest.raises(UnreadableFileError, match="it has more than 10,000,000 bytes unpacked"):
        read_arrays(path, limit=10**7)


def test_every_damage_to_a_file_of_arrays_is_one_error(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.npz", x=np.arange(20), y=np.arange(3.0))
    data = path.read_bytes()
    damaged = [data[:end] for end in range(0, len(data), 17)]
    damaged += [
        data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]
        for place in range(0, len(data), 2)
    ]
    refused = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            read_arrays(path)
        except UnreadableFileError:
            refused += 1
    assert refused > 0.5 * len(damaged)


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_an_archive_that_lies_about_a_size(tmp_path: Path, how: int) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", how) as archive:
        archive.writestr("w.npy", header("(8,)") + bytes(64))
    data = bytearray(path.read_bytes())
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = (2**30).to_bytes(4, "little")
    path.write_bytes(data)
    with contextlib.suppress(UnreadableFileError):
        assert read_arrays(path)["w"].tolist() == [0] * 8


@pytest.mark.parametrize("content", [b"", b"PK", b"noise" * 100, json.dumps({}).encode()])
def test_what_is_no_archive(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(UnreadableFileError, match="is not a file of arrays"):
        read_arrays(tmp_path / "a.npz")
