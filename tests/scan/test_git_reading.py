from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from tests.scan.test_git_changes import commit, git, write
from tests.scan.test_scanning import CHANGED, MEAN

from codekin import CodekinError, changed_lines
from codekin.scan.git_reading import repository_of


@pytest.fixture
def repository(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    git("init", "-q", "-b", "main")
    Path("src").mkdir()
    commit(a=MEAN, b=CHANGED)
    write(b=CHANGED + "x = 1\n")
    return folder


def changed(revision: str = "HEAD", path: str = ".") -> dict[str, list[tuple[int, int]] | None]:
    files = changed_lines(revision, [path]).files
    return {os.path.relpath(file): spans for file, spans in files.items()}


EXPECTED = {"src/b.py": [(13, 13)]}


def remove_object(name: str) -> None:
    digest = git("rev-parse", name)
    Path(f".git/objects/{digest[:2]}/{digest[2:]}").unlink()


def test_nothing_in_a_repository_starts_a_program(repository, tmp_path) -> None:
    started = tmp_path / "started"
    program = f"touch {started}; cat"
    Path(".gitattributes").write_text("*.py filter=evil diff=evil merge=evil ident\n")
    Path(".git/info/attributes").write_text("*.py filter=evil diff=evil\n")
    Path(tmp_path, "more").write_text(f'[filter "evil"]\n\tprocess = {program}\n')
    for name, value in {
        "filter.evil.clean": program,
        "filter.evil.smudge": program,
        "filter.evil.required": "true",
        "diff.evil.textconv": program,
        "diff.evil.command": program,
        "diff.external": program,
        "merge.evil.driver": program,
        "core.fsmonitor": program,
        "core.pager": program,
        "core.editor": program,
        "core.sshCommand": program,
        "core.gitProxy": program,
        "core.alternateRefsCommand": program,
        "credential.helper": f"!{program}",
        "gpg.program": program,
        "log.showSignature": "true",
        "pager.diff-index": program,
        "alias.ls-files": f"!{program}",
        "include.path": str(tmp_path / "more"),
        "includeIf.gitdir:/.path": str(tmp_path / "more"),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "uploadpack.packObjectsHook": program,
    }.items():
        git("config", name, value)
    hooks = Path(".git/hooks")
    shutil.rmtree(hooks)
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-commit"):
        Path(hooks, name).write_text(f"#!/bin/sh\n{program}\n")
        Path(hooks, name).chmod(0o755)
    assert changed() == {**EXPECTED, ".gitattributes": None}
    assert not started.exists()


@pytest.mark.parametrize("url", ["ext::sh -c touch% {}", "ssh://127.0.0.1/x", "{}"])
def test_nothing_is_fetched(repository, tmp_path, url: str) -> None:
    started = tmp_path / "started"
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
        "remote.origin.promisor": "true",
        "remote.origin.url": url.format(started),
        "remote.origin.uploadpack": f"touch {started}; false",
        "core.sshCommand": f"touch {started}; false",
    }.items():
        git("config", name, value)
    remove_object("HEAD:src/b.py")
    with pytest.raises(CodekinError, match=r"is not in the repository; in a partial clone, fetch"):
        changed()
    with pytest.raises(CodekinError, match="unknown revision"):
        changed("1234567890" * 4)
    assert not started.exists()


def test_a_bare_repository_among_the_files_is_none(repository, tmp_path) -> None:
    git("init", "-q", "--bare", "src/bare")
    git("-C", "src/bare", "config", "core.fsmonitor", f"touch {tmp_path}/started")
    assert repository_of(str(repository / "src/bare"))[0] == str(repository)
    assert changed(path="src/bare")["src/b.py"] == EXPECTED["src/b.py"]
    assert not (tmp_path / "started").exists()


def test_the_working_files_are_those_around_the_repository(repository) -> None:
    git("config", "core.worktree", "/etc")
    git("config", "core.bare", "true")
    assert changed() == EXPECTED


@pytest.mark.parametrize(
    "name",
    [
        *("HEAD", "config", "index", "packed-refs", "shallow", "FETCH_HEAD", "commondir"),
        *("refs/heads/main", "objects/pack/x.idx", "objects/info/alternates", "logs/HEAD"),
    ],
)
def test_pipes_and_devices_are_errors(repository, name: str) -> None:
    for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):  # noqa: PTH211
        Path(".git", name).unlink(missing_ok=True)
        make(f".git/{name}")
        with pytest.raises(CodekinError, match=r"is a pipe|is a link|not a regular file"):
            changed()


def test_settings_may_include_pipes(repository, tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with Path(".git/config").open("a") as config:
        for section, name in (
            *(("core", "excludesFile"), ("core", "attributesFile"), ("diff", "orderFile")),
            ("include", "path"),
        ):
            config.write(f"[{section}]\n\t{name} = {tmp_path}/pipe\n")
    Path(".gitignore").write_text("")
    Path("src/deep").mkdir()
    for name in (".gitattributes", "src/.gitignore", "src/deep/.gitignore", ".git/info/exclude"):
        Path(name).unlink(missing_ok=True)
        os.mkfifo(name)
    assert changed() == {**EXPECTED, ".gitignore": None}


def test_a_file_that_names_a_repository(repository, tmp_path) -> None:
    git("worktree", "add", "-q", str(tmp_path / "other"))
    os.chdir(tmp_path / "other")
    write(a=MEAN.replace("total", "s"))
    assert list(changed()) == ["src/a.py"]
    for text in (
        "gitdir: /etc",
        "gitdir: nowhere",
        "nothing",
        "gitdir: \0",
        "gitdir: " + "x" * 9999,
    ):
        Path(".git").unlink()
        Path(".git").write_text(text)
        with pytest.raises(CodekinError, match="does not name a git repository"):
            changed()
    Path(".git").unlink()
    os.mkfifo(".git")
    with pytest.raises(CodekinError, match="is a pipe"):
        changed()


def test_objects_of_another_repository(repository, tmp_path) -> None:
    git("clone", "-q", "--shared", str(repository), str(tmp_path / "shared"))
    os.chdir(tmp_path / "shared")
    write(b=CHANGED + "x = 1\n")
    assert changed() == EXPECTED
    os.mkfifo(repository / ".git/objects/pack/pack-1.idx")
    with pytest.raises(CodekinError, match="not a regular file"):
        changed()


def test_line_ends_encodings_and_pointers_are_no_changes(repository) -> None:
    text = "# größer\n" + MEAN
    content = b"x = 1\n" * 500
    digest = hashlib.sha256(content).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 3000\n"
    commit(a=MEAN, b=CHANGED, c=text, d=pointer)
    Path("src/a.py").write_bytes(MEAN.replace("\n", "\r\n").encode())
    Path("src/c.py").write_bytes(text.encode("utf-16"))
    Path("src/d.py").write_bytes(content)
    assert changed() == {}
    Path("src/a.py").write_bytes(f"x\n{MEAN}".replace("\n", "\r\n").encode())
    Path("src/c.py").write_bytes(f"{text}x\n".encode("utf-16"))
    Path("src/d.py").write_bytes(content + b"y\n")
    assert changed() == {
        "src/a.py": [(1, 1)],
        "src/c.py": [(text.count("\n") + 1, text.count("\n") + 1)],
        "src/d.py": [(1, 501)],
    }


def test_marks_in_the_index_hide_nothing(repository) -> None:
    git("update-index", "--assume-unchanged", "src/b.py")
    git("update-index", "--skip-worktree", "src/a.py")
    write(a="x\n" + MEAN)
    assert changed() == {"src/a.py": [(1, 1)], **EXPECTED}


def test_an_index_that_came_with_the_files_hides_nothing(repository, tmp_path) -> None:
    """Size and date are those in the index, as an archive has them, too."""
    before = Path("src/a.py").stat()
    Path("src/a.py").write_text(MEAN.replace("total", "taler"))
    os.utime("src/a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    settle_index()
    assert changed() == {"src/a.py": [(2, 2), (6, 6), (10, 10)], **EXPECTED}
    shutil.copytree(repository, tmp_path / "copy")
    os.chdir(tmp_path / "copy")
    settle_index()
    assert changed() == {"src/a.py": [(2, 2), (6, 6), (10, 10)], **EXPECTED}


def settle_index() -> None:
    """Make the index younger than all files, so that git would believe it."""
    later = time.time() + 100
    os.utime(".git/index", (later, later))


def test_what_a_filter_has_changed_is_counted(repository) -> None:
    Path(".gitattributes").write_text("src/a.py filter=upper\nsrc/b.py filter=lfs\n")
    git("config", "filter.upper.clean", "tr a-z A-Z")
    commit(a=MEAN, b=CHANGED, c=MEAN)
    settle_index()
    assert changed_lines("HEAD").filtered == ()
    assert changed() == {}, "git has seen that only its filter has changed it"
    write(a=MEAN + "x = 1\n", b=CHANGED + "x = 1\n", c=MEAN + "x = 1\n")
    assert changed() == {"src/a.py": [(1, 11)], "src/b.py": [(13, 13)], "src/c.py": [(11, 11)]}
    assert changed_lines("HEAD").filtered == ("src/a.py",)


def test_branches_that_are_followed(repository) -> None:
    git("branch", "base", "HEAD")
    git("config", "branch.main.remote", ".")
    git("config", "branch.main.merge", "refs/heads/base")
    commit(b=CHANGED + "x = 1\n")
    assert changed("@{upstream}") == EXPECTED
    assert changed("main@{1}") == EXPECTED
    assert changed() == {}


def test_a_repository_of_somebody_else(repository, monkeypatch) -> None:
    monkeypatch.setattr("codekin.scan.git_reading.os.geteuid", lambda: 4321)
    with pytest.raises(CodekinError, match=r"git config --global --add safe\.directory /.*sitory$"):
        changed()
    config = repository.parent / "gitconfig"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    git("config", "--global", "--add", "safe.directory", str(repository))
    assert changed() == EXPECTED
    git("config", "--global", "--add", "safe.directory", "")
    with pytest.raises(CodekinError, match="dubious ownership"):
        changed()
    git("config", "--global", "--add", "safe.directory", "*")
    assert changed() == EXPECTED
    git("config", "safe.directory", "*")
    config.unlink()
    with pytest.raises(CodekinError, match="dubious ownership"):
        changed()


def test_a_tree_that_names_thousands_of_millions_of_files(repository, monkeypatch) -> None:
    """The memory of git is limited, so this is an error."""
    monkeypatch.setattr("codekin.scan.git_reading._MEMORY", 50_000_000)
    name = git("hash-object", "-w", "src/a.py")
    kind = "100644 blob"
    for _ in range(9):
        lines = "".join(f"{kind} {name}\tf{number}\n" for number in range(12))
        done = subprocess.run(
            ["git", "mktree"], input=lines.encode(), capture_output=True, check=True
        )
        name, kind = done.stdout.decode().strip(), "040000 tree"
    revision = git("commit-tree", "-m", "x", name)
    with pytest.raises(CodekinError, match=r"repository: "):
        changed(revision)
