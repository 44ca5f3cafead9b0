"""Whether rewritten programs still pass their tests.

Usage: ``python results/rewrites.py DATA [--languages NAME]... [--limit N] [--changes NAME]...``
where DATA has the HumanEvalPack tasks as ``humanevalpack/{python,js,cpp,java}.jsonl.xz``. Prints a
table in Markdown. Every preserving change is made with two seeds: the first on the solution alone,
so that its callers are outside the text, the second on the solution with its tests. Mutations are
made in the solution, with one seed. Tasks whose unchanged program fails
here (say, a library is missing) are left out and listed.

With ``--bundled``, codekin's bundled programs are changed instead, including C: a change counts as
passed if the program prints the same.

Languages without an installed compiler are skipped with a message.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from codekin import Source
from codekin.rewrite import BREAKING, PRESERVING, rewrite

FILES = {"python": "python", "javascript": "js", "cpp": "cpp", "java": "java"}
TOOLS = {
    "python": (),
    "javascript": ("node",),
    "c": ("gcc",),
    "cpp": ("g++",),
    "java": ("javac", "java"),
}
WORKERS = 2
LIMIT_S, MUTANT_LIMIT_S = 30, 4
MEMORY_KIB = 2_000_000
# Some tests draw random numbers; make them the same in every run.
ASSERT = """console.assert = (ok, ...rest) => { if (!ok) { throw new Error('assert ' + rest); } };
{ let state = 1; Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647; }
"""
HEADERS = (
    *("algorithm", "cassert", "climits", "cmath", "cstdio", "cstdlib", "cstring", "deque"),
    *("iostream", "list", "map", "numeric", "queue", "set", "sstream", "stack", "string"),
    *("unordered_map", "unordered_set", "utility", "vector"),
)
RUNNER = """
import java.util.*;
public class Runner {
    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws Exception {
        long limit = Long.parseLong(args[0]) * 1000;
        for (int i = 1; i < args.length; i++) {
            String name = args[i];
            boolean[] passed = {false};
            Thread thread = new Thread(null, () -> {
                try {
                    Class.forName(name + ".Main").getMethod("main", String[].class)
                        .invoke(null, (Object) new String[0]);
                    passed[0] = true;
                } catch (Throwable error) { }
            }, name, 1L << 26);
            thread.setDaemon(true);
            thread.start();
            thread.join(limit);
            if (thread.isAlive()) { try { thread.stop(); } catch (Throwable error) { } }
            System.err.println("result " + name + " " + passed[0]);
        }
        Runtime.getRuntime().halt(0);
    }
}
"""


@dataclass(frozen=True)
class Program:
    """A program of a task, changed or not.

    Attributes
    ----------
    passed : bool or None
        The result of running it; None before, and for programs that were not changed.
    """

    task: str
    language: str
    change: str
    seed: int
    text: str
    passed: bool | None = None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--languages", nargs="+", default=list(TOOLS), choices=list(TOOLS))
    parser.add_argument("--changes", nargs="+", default=[*PRESERVING, *BREAKING])
    parser.add_argument("--limit", type=int, default=None, help="tasks of each language")
    parser.add_argument("--keep", type=Path, help="a folder for programs whose outcome changed")
    parser.add_argument("--bundled", action="store_true", help="change codekin's bundled programs")
    arguments = parser.parse_args()
    print("| language | change | tasks | changed | passed | killed |")
    print("|---|---|---|---|---|---|")
    for language in arguments.languages:
        missing = [tool for tool in TOOLS[language] if shutil.which(tool) is None]
        if missing:
            print(f"{language} is skipped: {', '.join(missing)} is not installed", file=sys.stderr)
            continue
        if arguments.bundled:
            judge_bundled(language, arguments.limit, arguments.changes, arguments.keep)
        elif language in FILES:
            judge(language, arguments.data, arguments.limit, arguments.changes, arguments.keep)


def judge(
    language: str, data: Path, limit: int | None, changes: Sequence[str], keep: Path | None
) -> None:
    path = data / "humanevalpack" / f"{FILES[language]}.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        tasks = [json.loads(line) for line in lines][:limit]
    plain = run_all(language, [Program(t["task_id"], language, "none", 0, whole(t)) for t in tasks])
    good = {program.task for program in plain if program.passed}
    tasks = [task for task in tasks if task["task_id"] in good]
    left_out = sorted({p.task for p in plain} - good)
    if left_out:
        print(f"{language}: left out, fail unchanged: {', '.join(left_out)}", file=sys.stderr)
    for change in changes:
        programs = run_all(language, [p for t in tasks for p in changed(t, language, change)])
        print(row(language, change, len(tasks), programs), flush=True)
        if change in PRESERVING:
            report_failures(programs, keep)


def judge_bundled(
    language: str, limit: int | None, changes: Sequence[str], keep: Path | None
) -> None:
    """Compare what the bundled programs print before and after each change."""
    lines = files("codekin").joinpath("data/programs.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["language"] == language][:limit]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(WORKERS) as pool:
        folder = Path(name)

        def printed(text: str) -> str | None:
            return output(language, text, folder)

        shown_plain = pool.map(printed, [r["code"] for r in rows])
        plain = {r["id"]: text for r, text in zip(rows, shown_plain, strict=True)}
        for change in changes:
            programs = [
                Program(r["id"], language, change, seed, text)
                for r in rows
                for seed in ((0, 1) if change in PRESERVING else (0,))
                if (text := rewrite(Source(r["code"], language), change, seed)) is not None
            ]
            shown = pool.map(printed, [program.text for program in programs])
            programs = [
                replace(p, passed=text is not None and text == plain[p.task])
                for p, text in zip(programs, shown, strict=True)
            ]
            print(row(language, change, len(rows), programs), flush=True)
            if change in PRESERVING:
                report_failures(programs, keep)


def output(language: str, text: str, folder: Path) -> str | None:
    """What a program prints; None if it fails."""
    name = re.search(r"public class (\w+)", text)
    suffix = {"python": "py", "javascript": "js"}.get(language, language)
    with tempfile.TemporaryDirectory(dir=folder) as inner:
        path = Path(inner) / f"{name[1] if name and language == 'java' else 'program'}.{suffix}"
        path.write_text(text, encoding="utf-8")
        steps = {
            "python": [[sys.executable, "-I", path.name]],
            "javascript": [["node", path.name]],
            "java": [["java", path.name]],
            "c": [["gcc", "-w", path.name, "-o", "program"], ["./program"]],
            "cpp": [["g++", "-std=c++17", "-w", path.name, "-o", "program"], ["./program"]],
        }[language]
        for step in steps:
            try:
                done = subprocess.run(
                    step, cwd=inner, capture_output=True, text=True, timeout=LIMIT_S, check=False
                )
            except subprocess.TimeoutExpired:
                return None
            if done.returncode:
                return None
        return done.stdout


def row(language: str, change: str, tasks: int, programs: Sequence[Program]) -> str:
    made = len({program.task for program in programs})
    passed = sum(bool(program.passed) for program in programs)
    if change in PRESERVING:
        shown = f"{passed} of {len(programs)}"
        return f"| {language} | {change} | {tasks} | {made} | {shown} | |"
    share = (len(programs) - passed) / len(programs) if programs else 0.0
    return f"| {language} | {change} | {tasks} | {made} | | {share:.0%} |"


def report_failures(programs: Iterable[Program], keep: Path | None) -> None:
    for program in programs:
        if program.passed:
            continue
        name = f"{program.task}-{program.change}-{program.seed}"
        print(f"FAILED: {name}", file=sys.stderr)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / name.replace("/", "-")).write_text(program.text, encoding="utf-8")


def solution(task: dict[str, str]) -> str:
    return task["prompt"] + task["canonical_solution"]


def whole(task: dict[str, str]) -> str:
    return solution(task) + "\n" + task["test"]


def changed(task: dict[str, str], language: str, change: str) -> list[Program]:
    """The programs that a change turns a task into."""
    found = []
    for seed in (0, 1) if change in PRESERVING else (0,):
        alone = seed == 0
        text = rewrite(Source(solution(task) if alone else whole(task), language), change, seed)
        if text is not None:
            text = text + "\n" + task["test"] if alone else text
            found.append(Program(task["task_id"], language, change, seed, text))
    return found


def run_all(language: str, programs: Sequence[Program]) -> list[Program]:
    """Run programs and return them with their results."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if language == "java":
            return run_java(programs, folder)
        if language == "cpp":
            prepare_headers(folder)
        with ThreadPoolExecutor(WORKERS) as pool:
            outcomes = pool.map(lambda p: run_one(p, folder), programs)
            return [
                replace(program, passed=passed)
                for program, passed in zip(programs, outcomes, strict=True)
            ]


def run_one(program: Program, folder: Path) -> bool:
    """Run a program in Python, JavaScript or C++."""
    limit = MUTANT_LIMIT_S if program.change in BREAKING else LIMIT_S
    with tempfile.TemporaryDirectory(dir=folder) as name:
        here = Path(name)
        if program.language == "python":
            (here / "program.py").write_text(program.text, encoding="utf-8")
            return runs([sys.executable, "-I", "program.py"], here, limit)
        if program.language == "javascript":
            (here / "program.js").write_text(ASSERT + program.text, encoding="utf-8")
            # V8 reserves more memory than it uses.
            command = ["node", "--max-old-space-size=512", "program.js"]
            return runs(command, here, limit, memory=None)
        (here / "program.cpp").write_text(program.text, encoding="utf-8")
        headers = ["-include", str(folder / "headers.h")]
        build = ["g++", "-std=c++17", "-O0", "-w", *headers, "program.cpp", "-o", "program"]
        return runs(build, here, 120, memory=None) and runs(["./program"], here, limit)


def runs(command: list[str], folder: Path, limit: int, memory: int | None = MEMORY_KIB) -> bool:
    """Whether a command succeeds within its limits."""
    bound = f"ulimit -v {memory}; " if memory else ""
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", f'{bound}exec "$@"', "sh", *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def prepare_headers(folder: Path) -> None:
    """The usual headers, compiled once."""
    text = "".join(f"#include <{header}>\n" for header in HEADERS)
    (folder / "headers.h").write_text(text, encoding="utf-8")
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "headers.h"], cwd=folder, check=True)


def run_java(programs: Sequence[Program], folder: Path) -> list[Program]:
    """Compile all programs in one call, each in its own package; run them in one JVM."""
    (folder / "Runner.java").write_text(RUNNER, encoding="utf-8")
    names = [f"p{i}" for i in range(len(programs))]
    for name, program in zip(names, programs, strict=True):
        (folder / name).mkdir()
        text = f"package {name};\n{program.text}"
        (folder / name / "Main.java").write_text(text, encoding="utf-8")
    waiting = [*names]
    while True:
        sources = [f"{name}/Main.java" for name in waiting]
        command = ["javac", "-nowarn", "-Xmaxerrs", "100000", "-d", "out", "Runner.java", *sources]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            break
        bad = set(re.findall(r"^(p\d+)/Main\.java:\d+: error", done.stderr, re.MULTILINE))
        if not bad:
            sys.exit(f"javac failed:\n{done.stderr[:2000]}")
        waiting = [name for name in waiting if name not in bad]
    limit = MUTANT_LIMIT_S if programs and programs[0].change in BREAKING else LIMIT_S
    passed: set[str] = set()
    while waiting:
        command = ["java", "-Xmx1g", "-cp", "out", "Runner", str(limit), *waiting]
        with (folder / "results").open("w") as results:
            environment = {**os.environ, "JAVA_TOOL_OPTIONS": ""}
            subprocess.run(
                command,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=results,
                check=False,
                env=environment,
            )
        found = re.findall(r"^result (p\d+) (\w+)", (folder / "results").read_text(), re.MULTILINE)
        passed |= {name for name, outcome in found if outcome == "true"}
        # A program that ends the JVM fails; the rest runs in another.
        seen = len(found)
        waiting = waiting[seen:] if seen == len(waiting) else waiting[seen + 1 :]
    return [
        replace(program, passed=name in passed)
        for name, program in zip(names, programs, strict=True)
    ]


if __name__ == "__main__":
    main()
