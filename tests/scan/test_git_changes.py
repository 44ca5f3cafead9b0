from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED

from codekin import CodekinError, CodeRegion, changed_lines, scan_paths


def git(*words: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    git("init", "-q", "-b", "main")
    Path("src").mkdir()
    commit(a=MEAN, b=CHANGED, d=OTHER)
    return tmp_path


def write(**texts: str) -> None:
    for name, text in texts.items():
        Path("src", f"{name}.py").write_text(text)


def commit(**texts: str) -> None:
    write(**texts)
    git("add", "-A")
    git("commit", "-q", "-m", "change")


def new(revision: str, path: str = "src") -> list[str]:
    found = scan_paths([path], workers=0).new_in(changed_lines(revision, [path]))
    return [str(one.region) for one in found]


def test_only_changed_lines_are_new(repository) -> None:
    assert new("HEAD") == []
    write(a="import os\n\n\n" + MEAN + "\n\nprint(1)\n")
    assert new("HEAD") == [], "lines around a clone are not part of it"
    write(a=MEAN.replace("count == 0", "count <= 0"))
    assert new("HEAD") == ["src/a.py:1-10"]
    commit()
    assert new("HEAD") == []
    assert new("HEAD~1") == ["src/a.py:1-10"]


def test_a_deletion_inside_is_a_change(repository) -> None:
    write(b=CHANGED.replace("            seen.append(value)\n", ""))
    assert new("HEAD") == ["src/b.py:1-11"]
    commit(b=f"x = 1\n{CHANGED}y = 2\n")
    write(b=CHANGED)
    assert new("HEAD") == []


def test_new_files_count_and_renamed_ones_do_not(repository) -> None:
    write(c=RENAMED)
    assert new("HEAD") == ["src/c.py:1-10"]
    git("add", "-A")
    assert new("HEAD") == ["src/c.py:1-10"]
    commit()
    git("mv", "src/a.py", "src/z.py")
    assert new("HEAD") == []


def test_a_branch_counts_from_where_it_began(repository) -> None:
    git("checkout", "-q", "-b", "topic")
    commit(c=RENAMED)
    git("checkout", "-q", "main")
    commit(a=MEAN.replace("count == 0", "count <= 0"))
    git("checkout", "-q", "topic")
    assert new("main") == ["src/c.py:1-10"]


def test_odd_names_and_lines_that_look_like_headers(repository, monkeypatch) -> None:
    names = ["a b.py", "ü.py", 'q".py', "tab\t.py", "b\\n.py", os.fsdecode(b"\xff.py")]
    for name in names:
        Path("src", name).write_text(OTHER)
    commit()
    for name in names:
        Path("src", name).write_text(f"{OTHER}++ b/src/d.py\n@@ -1 +1,9 @@\n{MEAN}")
    changes = changed_lines("HEAD", ["src"])
    for name in names:
        assert changes.touch(CodeRegion(f"src/{name}", 10, 12))
        assert not changes.touch(CodeRegion(f"src/{name}", 1, 7))
    assert not changes.touch(CodeRegion("src/d.py", 1, 7))
    monkeypatch.chdir("src")
    assert changed_lines("HEAD").touch(CodeRegion("ü.py", 10, 12))


def test_settings_of_git_do_not_matter(repository, monkeypatch) -> None:
    Path(".gitattributes").write_text("*.py -diff\n")
    write(a=MEAN.replace("count == 0", "count <= 0"))
    for name, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.external": "false",
        "color.ui": "always",
        "core.fsmonitor": "touch started",
        "diff.context": "9",
    }.items():
        git("config", name, value)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, "nowhere")
    assert new("HEAD") == ["src/a.py:1-10"]
    assert not Path("started").exists()


def test_the_repository_is_that_of_the_paths(repository, tmp_path_factory, monkeypatch) -> None:
    write(a=MEAN.replace("count == 0", "count <= 0"))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert new("HEAD", str(repository / "src")) == [f"{repository}/src/a.py:1-10"]
    with pytest.raises(CodekinError, match="is not in a git repository, so changes"):
        changed_lines("HEAD")


def test_a_cell_is_new_if_its_notebook_was_changed(repository) -> None:
    commit(**{"n.ipynb": "{}"})
    Path("src/n.ipynb.py").rename("src/n.ipynb")
    assert changed_lines("HEAD").touch(CodeRegion("src/n.ipynb#2", 90, 99))


@pytest.mark.parametrize("revision", ["nowhere", "HEAD~99", "HEAD:src", "a b", "\n"])
def test_an_unknown_revision(repository, revision: str) -> None:
    with pytest.raises(CodekinError, match=r"unknown revision .*; in a shallow clone, fetch it"):
        changed_lines(revision)


@pytest.mark.parametrize("revision", ["", "--output=x", "-1"])
def test_no_revision(repository, revision: str) -> None:
    with pytest.raises(CodekinError, match="is not a revision; name a commit, branch or tag"):
        changed_lines(revision)


def test_without_git(repository, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(CodekinError, match="git is not installed, and changes since"):
        changed_lines("HEAD")


def test_a_missing_path(repository) -> None:
    with pytest.raises(CodekinError, match="gone: no such file or folder"):
        changed_lines("HEAD", ["gone"])
