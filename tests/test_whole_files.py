from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import codekin
from codekin.whole_files import is_leftover, whole_file

_SOURCES = Path(codekin.__file__).parent
_WRITES = re.compile(
    r"""\.write_text\(|\.write_bytes\(|\bopen\([^)]*["'][rbt+]*[wax]|os\.replace\("""
)


def test_the_old_file_stays_until_all_is_written(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    with whole_file(path) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError])
def test_whatever_goes_wrong_leaves_nothing_behind(tmp_path, error):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    with pytest.raises(error), whole_file(path, durable=True) as stream:
        stream.write(b"half")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_no_name_is_known_beforehand(tmp_path):
    names = set()
    for _ in range(3):
        with whole_file(tmp_path / "page.html"):
            [only] = [one for one in tmp_path.iterdir() if is_leftover(one)]
            names.add(only.name)
    assert len(names) == 3


def test_a_name_that_is_taken_is_never_opened(tmp_path, monkeypatch):
    """Not even by a link that somebody put there, should the name be guessed."""
    victim = tmp_path / "victim"
    monkeypatch.setattr("secrets.token_hex", lambda count: "0" * 2 * count)
    (tmp_path / f"codekin-{'0' * 16}.tmp").symlink_to(victim)
    with pytest.raises(FileExistsError), whole_file(tmp_path / "page.html") as stream:
        stream.write(b"page")
    assert not victim.exists()
    assert not (tmp_path / "page.html").exists()


def test_a_link_is_replaced_and_its_target_left_alone(tmp_path):
    victim, link = tmp_path / "victim", tmp_path / "page.html"
    victim.write_bytes(b"precious")
    link.symlink_to(victim)
    with whole_file(link) as stream:
        stream.write(b"page")
    assert victim.read_bytes() == b"precious"
    assert not link.is_symlink()
    assert link.read_bytes() == b"page"


def test_files_have_the_mode_that_others_have(tmp_path):
    for number, mask in enumerate((0o022, 0o077)):
        before = os.umask(mask)
        try:
            with whole_file(tmp_path / str(number)):
                pass
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / str(number)).stat().st_mode) == 0o666 & ~mask


@pytest.mark.skipif(not Path("/dev/stdout").is_symlink(), reason="there is no /dev/stdout")
def test_redirected_output_is_written_to_and_not_replaced(tmp_path):
    """Of a process whose output goes to a file, /dev/stdout leads to a regular file."""
    code = (
        "import sys; from pathlib import Path; from codekin.whole_files import whole_file\n"
        "print('before', flush=True)\n"
        "with whole_file(Path('/dev/stdout')) as stream: stream.write(b'page')\n"
    )
    before = os.lstat("/dev/stdout").st_ino
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"before\npage"
    assert os.lstat("/dev/stdout").st_ino == before


def test_nothing_else_in_the_package_writes_files():
    found = [
        f"{path.relative_to(_SOURCES)}: {line.strip()}"
        for path in _SOURCES.rglob("*.py")
        if path.name != "whole_files.py"
        for line in path.read_text().splitlines()
        if _WRITES.search(line) and "fdopen" not in line
    ]
    assert not found
