"""The key of a user: made once, read by its owner alone, and never through a link."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from codekin import CodeIndex, CodekinError
from codekin.scan.index_key import index_key


@pytest.fixture
def key_file(tmp_path, monkeypatch) -> Path:
    monkeypatch.delenv("CODEKIN_INDEX_KEY")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache/codekin/index.key"


def test_a_key_is_made_once(key_file) -> None:
    keys: list[bytes] = []
    threads = [threading.Thread(target=lambda: keys.append(index_key())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(keys) == {key_file.read_bytes()}
    assert len(keys[0]) == 32
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in key_file.parent.iterdir()] == ["index.key"]


def test_the_variable_comes_first(key_file, monkeypatch) -> None:
    monkeypatch.setenv("CODEKIN_INDEX_KEY", "a word of more than sixteen")
    first = index_key()
    monkeypatch.setenv("CODEKIN_INDEX_KEY", "another word of more than sixteen")
    assert index_key() != first
    assert not key_file.exists()
    monkeypatch.setenv("CODEKIN_INDEX_KEY", "short")
    with pytest.raises(CodekinError, match="fewer than 16 characters"):
        index_key()


def test_the_cache_folder_of_the_home_is_the_default(tmp_path, key_file, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert index_key() == (tmp_path / "home/.cache/codekin/index.key").read_bytes()


@pytest.mark.parametrize("kind", ["link", "hard link", "pipe", "short", "long", "readable"])
def test_a_key_that_others_may_know_is_refused(kind: str, key_file) -> None:
    index_key()
    other = key_file.with_name("other")
    if kind == "link":
        key_file.rename(other)
        key_file.symlink_to(other)
    elif kind == "hard link":
        other.hardlink_to(key_file)
    elif kind == "pipe":
        key_file.unlink()
        os.mkfifo(key_file, 0o600)
    elif kind == "readable":
        key_file.chmod(0o640)
    else:
        key_file.write_bytes(bytes(31 if kind == "short" else 33))
    with pytest.raises(CodekinError, match=r"index\.key: .*CODEKIN_INDEX_KEY"):
        index_key()
    index = CodeIndex("index", create=True)
    assert not index.usable
    assert len(index.problems) == 1
    assert not Path("index").exists()


def test_without_a_cache_folder_there_is_no_key(key_file) -> None:
    key_file.parents[1].write_text("not a folder")
    with pytest.raises(CodekinError, match="cannot be made"):
        index_key()


def test_a_link_to_nothing_is_not_written_through(key_file) -> None:
    key_file.parent.mkdir(parents=True)
    key_file.symlink_to(key_file.with_name("target"))
    with pytest.raises(CodekinError):
        index_key()
    assert not key_file.with_name("target").exists()
