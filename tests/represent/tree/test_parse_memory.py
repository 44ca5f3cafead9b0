"""Parsing keeps nothing of the texts that are gone."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import gc, os, sys
from codekin.languages import get_language
from codekin.represent.tree.parsing import parse

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

name, line, size, times = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
grammar = get_language(name).grammars[0]
text = line * (size // len(line.encode()))
before = None
for i in range(times + times // 10):
    if i == times // 10:
        before = resident()
    parse(grammar, f"{text}\\n{i % 97}\\n".encode())
gc.collect()
print(resident() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")  # noqa: PTH110
@pytest.mark.parametrize(
    ("language", "line", "size", "times", "most"),
    [
        ("python", f"'{'é' * 90}'\n", 20_000, 1500, 10e6),
        ("python", "x = [1]\n", 900, 4000, 2e6),
        ("typescript", f"'{'é' * 90}';\n", 2_000, 1000, 2e6),
    ],
    ids=["whole pieces", "pieces at the end", "characters"],
)
def test_memory_does_not_grow_with_what_is_parsed(language, line, size, times, most):
    command = [sys.executable, "-c", PROGRAM, language, line, str(size), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < most
