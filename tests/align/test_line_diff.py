import json
import os
import random
import shutil
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, _native
from codekin.align.line_diff import Hunk, line_diff, split_lines, unified_diff

# What git 2.39.5 printed.
GOLDEN = [
    json.loads(line)
    for line in (Path(__file__).parent / "git_diffs.jsonl").read_text(encoding="utf-8").splitlines()
]
LINES = ["a\n", "b\n", "c\n", "\n", "    a\n", "  b\n", "a \n", "}\n", "\t}\n"]
lines = st.lists(st.sampled_from(LINES), max_size=14)


def longest_common(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        above = row[:]
        for j, y in enumerate(b, 1):
            row[j] = above[j - 1] + 1 if x == y else max(above[j], row[j - 1])
    return row[-1]


def kept(hunks, before, after):
    """The lines that lie in no hunk, of both sides."""
    sides = []
    for own, ends in (
        (before, [(h.before_start, h.before_end) for h in hunks]),
        (after, [(h.after_start, h.after_end) for h in hunks]),
    ):
        changed = {i for start, end in ends for i in range(start, end)}
        sides.append([line for i, line in enumerate(own) if i not in changed])
    return sides


@given(lines, lines)
def test_what_lies_in_no_hunk_is_equal_and_between_any_two(before, after):
    hunks = line_diff(before, after)
    one, other = kept(hunks, before, after)
    assert one == other
    for h in hunks:
        assert h.before_start < h.before_end or h.after_start < h.after_end
    for h, following in pairwise(hunks):
        assert h.before_end < following.before_start
        assert h.before_end - following.before_start == h.after_end - following.after_start


def rough_root(n):
    root = 1
    while n:
        n, root = n // 4, root * 2
    return root


@given(lines, lines)
def test_no_shorter_answer_exists_unless_some_line_is_frequent(before, after):
    common = longest_common(before, after)
    one, _ = kept(line_diff(before, after), before, after)
    assert len(one) <= common
    if all(
        n < rough_root(len(own))
        for own, other in ((before, after), (after, before))
        for n in Counter(other).values()
    ):
        assert len(one) == common


@given(lines, lines)
def test_white_space_may_be_ignored(before, after):
    hunks = line_diff(before, after, ignore_all_space=True)
    one, other = kept(hunks, before, after)
    assert ["".join(x.split()) for x in one] == ["".join(x.split()) for x in other]
    left = line_diff(before, after, ignore_all_space=True, ignore_blank_lines=True)
    assert [h for h in hunks if h not in left] == [
        h
        for h in hunks
        if not "".join(
            before[h.before_start : h.before_end] + after[h.after_start : h.after_end]
        ).strip()
    ]


def test_a_block_is_shown_whole():
    before = ["def f():\n", "    a\n", "\n", "def g():\n", "    a\n"]
    after = [*before[:3], "def h():\n", "    a\n", "\n", *before[3:]]
    assert line_diff(before, after) == (Hunk(3, 3, 3, 6),)


@pytest.mark.parametrize("row", GOLDEN)
def test_it_prints_what_git_printed(row):
    expected = row.pop("diff")
    assert unified_diff(row.pop("before"), row.pop("after"), **row) == expected


def git_diff(folder, before, after, *flags):
    (folder / "a").write_bytes(before.encode())
    (folder / "b").write_bytes(after.encode())
    settings = {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    command = ["git", "diff", "--no-index", "--no-color", "--no-ext-diff", *flags, "a", "b"]
    environment = {**os.environ, **settings}
    printed = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False
    ).stdout
    start = printed.find(b"\n@@ ") + 1
    return printed[start:].decode() if start else ""


def edited(chance, alphabet, size):
    before = [chance.choice(alphabet) for _ in range(size)]
    after = list(before)
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(after) + 1)
        copied = chance.randrange(len(after) + 1)
        added = chance.choice(
            [[chance.choice(alphabet)], after[copied : copied + chance.randrange(6)]]
        )
        after[at : at + chance.randrange(3)] = added
    return before, after


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there to compare with")
def test_it_prints_what_git_prints(tmp_path):
    chance = random.Random(4)
    for n in range(100):
        alphabet = chance.choice([LINES, LINES[:3], [f"{i}\n" for i in range(30)] + ["}\n"] * 9])
        before, after = map("".join, edited(chance, alphabet, chance.choice([4, 12, 50])))
        if n % 8 == 0:
            after = after.rstrip("\n")
        context, blind = chance.choice([0, 1, 3]), chance.choice([True, False])
        ignored = {"ignore_all_space": blind, "ignore_blank_lines": blind}
        flags = [f"-U{context}"] + [f"--{f.replace('_', '-')}" for f in ignored if blind]
        expected = git_diff(tmp_path, before, after, *flags)
        assert unified_diff(before, after, context=context, **ignored) == expected


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there to compare with")
@pytest.mark.parametrize(("letters", "context"), [(4, 0), (4, 3), (700, 3)])
def test_it_gives_up_the_shortest_answer_where_git_does(tmp_path, letters, context):
    chance = random.Random(letters)
    texts = ["".join(f"{chance.randrange(letters)}\n" for _ in range(3000)) for _ in range(2)]
    expected = git_diff(tmp_path, *texts, f"-U{context}")
    assert unified_diff(*texts, context=context) == expected


def test_huge_texts_without_likeness_take_bounded_time():
    chance = random.Random(1)
    before, after = ([f"{chance.randrange(3)}\n" for _ in range(20000)] for _ in range(2))
    one, other = kept(line_diff(before, after), before, after)
    assert one == other
    assert len(one) > 5000
    unlike = [f"x{i}\n" for i in range(20000)]
    assert line_diff(before, unlike) == (Hunk(0, 20000, 0, 20000),)


@given(st.text(max_size=60))
def test_lines_end_at_newlines_alone(text):
    cut = split_lines(text)
    assert "".join(cut) == text
    assert all(line.count("\n") == line.endswith("\n") for line in cut)
    assert all(line.endswith("\n") for line in cut[:-1])


@settings(max_examples=60)
@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, 4), st.booleans())
def test_any_text_has_a_diff(before, after, context, blind):
    printed = unified_diff(before, after, context=context, ignore_all_space=blind)
    assert printed.startswith("@@ ") or not printed
    assert bool(printed) == (before != after) or blind
    assert unified_diff(before, before, context=context) == ""


def test_lone_surrogates_are_text_too():
    assert unified_diff("\ud800\n", "\ud801\n") == "@@ -1 +1 @@\n-\ud800\n+\ud801\n"


def test_a_name_is_cut_between_characters():
    long = "def " + "é" * 60 + "():\n"
    printed = unified_diff(long + "  a\n" * 5, long + "  a\n" * 4 + "  b\n", context=1)
    assert printed.splitlines()[0] == "@@ -5,2 +5,2 @@ def " + "é" * 38


def test_wrong_input_is_named():
    with pytest.raises(CodekinError, match="context must be 0 or more"):
        unified_diff("a", "b", context=-1)
    with pytest.raises(CodekinError, match="lines, not texts"):
        line_diff("ab", ["a"])
    with pytest.raises(TypeError, match="lines must be bytes"):
        _native.line_diff(["a"], [b"a"], False)
