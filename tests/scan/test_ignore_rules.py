from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codekin.scan.ignore_rules import IgnorePatterns, IgnoreRules

PIECES = (
    *("a", "b", "c", "*", "**", "***", "/", "?", "[ab]", "[!a]", "[^b-c]", "[]a]", "[a-", "é"),
    *("\\", "\\*", "\\/", "a/", "**/", "/**", "!", "#", " ", "b ", "[[:alpha:]]", "[[:digit:]-b]"),
)
PATTERNS = st.lists(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join), min_size=1, max_size=25
)
NAMES = st.text("abcé*[ #", min_size=1, max_size=3)
PATHS = st.lists(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=15, max_size=30, unique=True
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def decisions_of_git(repository: Path, lines: list[str], paths: list[str]) -> list[bool | None]:
    Path(repository, ".gitignore").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["git", "-C", repository, "check-ignore", "--no-index", "-z", "-v", "-n", "--stdin"],
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    fields = done.stdout.decode().split("\0")[:-1]
    assert fields[3::4] == paths, done.stderr
    columns = zip(fields[::4], fields[2::4], strict=True)
    return [not pattern.startswith("!") if source else None for source, pattern in columns]


def decision(patterns: IgnorePatterns, path: str) -> bool | None:
    """That of a file, whose folders are looked at first."""
    steps = path.split("/")
    for count in range(1, len(steps)):
        if patterns.decision("/".join(steps[:count]).encode(), is_folder=True):
            return True
    return patterns.decision(path.encode(), is_folder=False)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(PATTERNS, PATHS)
def test_patterns_match_as_in_git(repository, lines: list[str], paths: list[str]) -> None:
    patterns = IgnorePatterns([line.encode() for line in lines])
    expected = decisions_of_git(repository, lines, paths)
    assert [decision(patterns, path) for path in paths] == expected


@pytest.mark.parametrize(
    ("line", "path", "is_folder", "expected"),
    [
        ("*.py", "x/a.py", False, True),
        ("/*.py", "x/a.py", False, None),
        ("x/*.py", "x/y/a.py", False, None),
        ("x/**/a.py", "x/a.py", False, True),
        ("x/*", "x", True, None),
        ("x/**", "x", True, None),
        ("build/", "x/build", True, True),
        ("b*/", "x/build", True, True),
        ("b*/", "build", False, None),
        ("build/", "build", False, None),
        ("!a.py", "a.py", False, False),
        ("\\!a.py", "!a.py", False, True),
        ("a\\ ", "a ", False, True),
        ("a.py  \r", "a.py", False, True),
        ("a.py\r", "a.py", False, True),
        ("foo**/bar", "foox/y/bar", False, True),
        ("[", "[", False, None),
        ("a[[:nothing:]]", "ab", False, None),
        ("?.py", "é.py", False, None),
    ],
)
def test_patterns(line: str, path: str, is_folder: bool, expected: bool | None) -> None:
    found = IgnorePatterns([line.encode()]).decision(path.encode(), is_folder=is_folder)
    assert found is expected


@pytest.mark.parametrize(
    "pattern",
    [
        *("*a" * 30 + "*b", "**/x/" * 12 + "y", "**/*x" * 400 + "z", "[!a]" * 200 + "*" * 50 + "b"),
        *("*?" * 1_000 + "b", "?*" * 1_000 + "/b", "**/x*/" * 300 + "z", "*[a-z]*" * 500 + "B"),
    ],
)
def test_no_pattern_takes_long(pattern: str) -> None:
    """Each of these takes hours with a matcher that goes back to earlier wildcards."""
    patterns = IgnorePatterns([pattern.encode()])
    for path in ("a" * 255, "x/" * 100 + "x", "/".join(["xa" * 100] * 15)):
        assert patterns.decision(path.encode(), is_folder=False) is None


def test_long_patterns_and_too_many_are_not_applied() -> None:
    patterns = IgnorePatterns([b"a" * 5_000, b"b", b"!" + b"a" * 4_097])
    assert patterns.problems == ["2 patterns of more than 4,096 bytes are not applied"]
    assert patterns.decision(b"b", is_folder=False)
    patterns = IgnorePatterns([b"*%d*" % number for number in range(20_003)])
    assert patterns.problems == [
        "3 patterns with wildcards are not applied, since it has over 20,000"
    ]
    assert patterns.decision(b"x19999x", is_folder=False)
    assert patterns.decision(b"y", is_folder=False) is None


def test_ignore_files_that_are_none_are_problems(tmp_path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    Path(tmp_path, ".codekinignore").symlink_to("/dev/zero")
    rules = IgnoreRules().entering(str(tmp_path))
    assert rules.lists == ()
    assert rules.problems == (
        (f"{tmp_path}/.gitignore", "is a pipe; save it to a file"),
        (
            f"{tmp_path}/.codekinignore",
            "is a link, which is followed only if it is named itself",
        ),
    )


def test_a_byte_order_mark_is_no_part_of_a_pattern(tmp_path) -> None:
    Path(tmp_path, ".gitignore").write_bytes(b"\xef\xbb\xbfa.py\n")
    rules = IgnoreRules().entering(str(tmp_path))
    assert rules.ignores(f"{tmp_path}/a.py", is_folder=False)
