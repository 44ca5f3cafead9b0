from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

LINE = "codekin: stopped\n"

AT_AN_IMPORT = """
import os, signal, sys
left = int(sys.argv.pop(1))
from codekin.cli import main
def strike(event, words):
    global left
    if event == "import":
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(strike)
main()
"""


def run(program: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_little_is_loaded_before_ctrl_c_is_taken_care_of() -> None:
    light = {"codekin", "codekin.cli", "codekin.cli.interrupt", "codekin.errors"}
    program = """
import sys
before = set(sys.modules)
from codekin.cli import main
print(*(set(sys.modules) - before))
"""
    loaded = set(run(program).stdout.split())
    assert {name for name in loaded if name.startswith("codekin")} == light
    assert not loaded & {"numpy", "typing", "typer", "importlib.metadata", "tree_sitter"}


@pytest.mark.parametrize("number", [1, 10, 60, 250, 500])
def test_ctrl_c_while_modules_are_loaded_is_one_line(number) -> None:
    done = run(AT_AN_IMPORT, number, "measures")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", LINE)


AT_THE_END = """
import os, signal, sys
from codekin.cli import main
class Last:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)  # the interpreter has removed its own handlers by now
sys.modules["last"] = Last()
main()
"""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [(["--version"], 0, ""), (["compare", __file__, __file__, "-m", "exact"], 130, LINE)],
)
def test_ctrl_c_while_the_interpreter_ends_is_never_without_a_word(words, code, said) -> None:
    done = run(AT_THE_END, *words)
    assert (done.returncode, done.stderr) == (code, said)
    assert done.stdout


def test_ctrl_c_does_not_wait_for_a_kernel() -> None:
    program = """
import sys
import numpy as np
from codekin import _native
from codekin.cli.interrupt import stop_on_interrupt
stop_on_interrupt()
rng = np.random.default_rng(0)
a, b = ([str(x) for x in rng.integers(0, 1000, 200_000)] for _ in range(2))
import codekin
print("now", flush=True)
codekin.longest_common_subsequence(a, b)
print("done", flush=True)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"now\n"
        time.sleep(0.3)
        started = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, said = child.communicate(timeout=60)
    assert (child.returncode, out, said.decode()) == (130, b"", LINE)
    assert time.monotonic() - started < 1
