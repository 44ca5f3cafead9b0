"""Runs random programs: Python here, C and Java many at a time through their compilers."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.represent.random_programs.c_writer import HEAD, CWriter
from tests.represent.random_programs.java_writer import JavaWriter
from tests.represent.random_programs.python_writer import PythonWriter
from tests.represent.random_programs.syntax import Program
from tests.represent.random_programs.writer import Text

ROUNDS = 4000
"""Rounds of loops and calls of functions after which a program is stopped."""

TOOLS = {"python": (), "c": ("gcc",), "java": ("javac", "java")}
WRITERS: dict[str, Any] = {"python": PythonWriter, "c": CWriter, "java": JavaWriter}

C_HEAD = f"""#include <setjmp.h>
#include <signal.h>
static int rounds;
static sigjmp_buf away;
static void tick(void) {{ if (++rounds > {ROUNDS}) siglongjmp(away, 1); }}
static void caught(int number) {{ siglongjmp(away, 1 + number); }}
"""
JAVA_HEAD = f"""import java.util.*;
public class Batch {{
    static int rounds;
    static class Endless extends Error {{ }}
    static void tick() {{ if (++rounds > {ROUNDS}) throw new Endless(); }}
"""


class Endless(BaseException):
    """A program ran longer than any drawn one does."""


@dataclass(frozen=True)
class Run:
    """What a program showed, line by line, and how it ended: empty if well."""

    shown: tuple[str, ...]
    ending: str = ""

    def result(self, tag: str) -> tuple[str, ...]:
        """What it showed under a tag."""
        return tuple(line for line in self.shown if line.split(" ", 1)[0] == tag)


def missing_tools(language: str) -> list[str]:
    """Programs that a language needs and this machine does not have."""
    return [tool for tool in TOOLS[language] if shutil.which(tool) is None]


def written(program: Program) -> Text:
    """A program's text, as its graph is taken from."""
    text: Text = WRITERS[program.language](program).text()
    return text


def run(programs: Sequence[Program]) -> list[Run]:
    """Run programs of one language."""
    if not programs:
        return []
    batch: Callable[[Sequence[Program]], list[Run]]
    batch = {"python": _run_python, "c": _run_c, "java": _run_java}[programs[0].language]
    return batch(programs)


def _run_python(programs: Sequence[Program]) -> list[Run]:
    return [run_python(PythonWriter(program, ticks=True).text().code) for program in programs]


def run_python(code: str) -> Run:
    """Run a Python program that counts its rounds."""
    shown: list[str] = []
    rounds = 0

    def tick() -> None:
        nonlocal rounds
        rounds += 1
        if rounds > ROUNDS:
            raise Endless

    def show(*values: object) -> None:
        shown.append(" ".join(map(str, values)))

    try:
        exec(compile(code, "<program>", "exec"), {"print": show, "tick": tick, "__name__": "p"})
    except (Exception, Endless) as error:
        return Run(tuple(shown), f"{type(error).__name__}: {error}")
    return Run(tuple(shown))


def _run_c(programs: Sequence[Program]) -> list[Run]:
    texts = [
        CWriter(program, ticks=True, prefix=f"p{i}_", head=False).text().code
        for i, program in enumerate(programs)
    ]
    starts = "".join(f"    if (turn == {i}) p{i}_main();\n" for i in range(len(texts)))
    code = (
        f"{C_HEAD}{HEAD}{''.join(texts)}"
        f"static void start(int turn) {{\n{starts}}}\n"
        "int main(void) {\n"
        "    signal(SIGSEGV, caught); signal(SIGFPE, caught);\n"
        f"    for (volatile int turn = 0; turn < {len(texts)}; turn++) {{\n"
        '        rounds = 0; printf("# %d\\n", turn);\n'
        "        int ending = sigsetjmp(away, 1);\n"
        '        if (ending) printf("! %d\\n", ending); else start(turn);\n'
        "    }\n    return 0;\n}\n"
    )
    compiler = ["gcc", "-O0", "-w", "-fwrapv", "-o", "batch", "batch.c"]
    return _batch(programs, "batch.c", code, compiler, ["./batch"])


def _run_java(programs: Sequence[Program]) -> list[Run]:
    texts = [
        JavaWriter(program, ticks=True, nested=f"P{i}").text().code
        for i, program in enumerate(programs)
    ]
    starts = "".join(f"            case {i}: P{i}.main(null); break;\n" for i in range(len(texts)))
    code = (
        f"{JAVA_HEAD}{''.join(texts)}"
        "    public static void main(String[] args) {\n"
        "        System.setOut(new java.io.PrintStream(new java.io.BufferedOutputStream(\n"
        "            new java.io.FileOutputStream(java.io.FileDescriptor.out)), false));\n"
        f"        for (int turn = 0; turn < {len(texts)}; turn++) {{\n"
        '            rounds = 0; System.out.println("# " + turn);\n'
        "            try { start(turn); }\n"
        '            catch (Throwable error) { System.out.println("! " + error); }\n'
        "        }\n        System.out.flush();\n    }\n"
        "    static void start(int turn) {\n        switch (turn) {\n"
        f"{starts}        }}\n    }}\n}}\n"
    )
    short_lived = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # too short to be optimised
    options = [*(f"-J{option}" for option in short_lived), "-nowarn", "-proc:none"]
    compiler = ["javac", *options, "-d", ".", "Batch.java"]
    started = ["java", *short_lived, "-Xss16m", "Batch"]
    return _batch(programs, "Batch.java", code, compiler, started)


def _batch(
    programs: Sequence[Program], file: str, code: str, compiler: list[str], started: list[str]
) -> list[Run]:
    """Compile and run programs of one file; where one of them does not compile, find out which."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / file).write_text(code)
        compiled = subprocess.run(
            compiler, cwd=folder, capture_output=True, text=True, check=False, timeout=600
        )
        if compiled.returncode == 0:
            ran = subprocess.run(
                started, cwd=folder, capture_output=True, text=True, check=True, timeout=600
            )
            return _split(ran.stdout, len(programs))
    if len(programs) == 1:
        return [Run((), f"does not compile: {compiled.stderr.strip()}")]
    middle = len(programs) // 2
    return [*run(programs[:middle]), *run(programs[middle:])]


def _split(output: str, count: int) -> list[Run]:
    """What each program of a file showed."""
    shown: list[list[str]] = [[] for _ in range(count)]
    endings = [""] * count
    turn = 0
    for line in output.splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "#":
            turn = int(rest)
        elif mark == "!":
            endings[turn] = f"stopped: {rest}"
        else:
            shown[turn].append(line)
    return [Run(tuple(lines), ending) for lines, ending in zip(shown, endings, strict=True)]
