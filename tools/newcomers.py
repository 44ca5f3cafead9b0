"""Play four newcomers with the commands of the README, on data made here, and print a transcript.

``python tools/newcomers.py [FOLDER]``: a model evaluator, an edit researcher, a teacher and a
programmer each type the right commands and the obvious wrong ones. The functions of Python's own
standard library are their data. A step fails if its exit code or its text is not what a newcomer
needs; the last line counts them.
"""

from __future__ import annotations

import inspect
import json
import re
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codekin.plain_text import plain

MODULES = (statistics, textwrap, json.decoder, inspect)
CHAT = "Of course! This should do it:\n\n```python\n{}```\n\nLet me know if you need tests.\n"


@dataclass(frozen=True)
class Step:
    """A command, its exit code, and what its output must say."""

    words: tuple[str, ...]
    says: str
    code: int = 0


def functions() -> Iterator[tuple[str, str]]:
    """Names and sources of small functions."""
    for module in MODULES:
        for name, one in sorted(vars(module).items()):
            if inspect.isfunction(one) and one.__module__ == module.__name__:
                source = textwrap.dedent(inspect.getsource(one))
                if 4 <= source.count("\n") <= 30:
                    yield f"{module.__name__}.{name}", source


def worse(source: str) -> str:
    """The function with a comparison turned around and its last line lost."""
    changed = re.sub(r" (<|>) ", lambda found: " > " if found[1] == "<" else " < ", source)
    return changed.rstrip("\n").rpartition("\n")[0] + "\n"


def renamed(source: str, name: str) -> str:
    """The function under another name, with some of its variables renamed."""
    return re.sub(r"\b(i|x|n|text|data|line|lines|obj)\b", r"my_\1", source).replace(
        name, f"{name}2"
    )


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    """Write JSON lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def evaluator(folder: Path) -> list[Step]:
    """Finds out which of two models is better."""
    tasks = list(functions())[:40]
    write_rows(folder / "truth.jsonl", [{"instance_id": k, "target": v} for k, v in tasks])
    chatty = [{"instance_id": k, "output": CHAT.format(v)} for k, v in tasks[1:]]
    terse = [{"instance_id": k, "output": worse(v)} for k, v in tasks]
    write_rows(folder / "chatty.jsonl", chatty)
    write_rows(folder / "terse.jsonl", terse)
    write_rows(folder / "typo.jsonl", [{**row, "langauge": "python"} for row in terse])
    (folder / "empty.jsonl").write_text("", encoding="utf-8")
    both = ("score", "chatty.jsonl", "terse.jsonl", "--references", "truth.jsonl", "-m", "kin,bleu")
    return [
        Step((*both, "-o", "raw"), "--extract-code first takes the code out"),
        Step(
            (*both, "-o", "run", "--extract-code", "first"),
            "chatty scores higher than terse on kin",
        ),
        Step((*both, "-o", "run"), "--overwrite", 2),
        Step(("score", "typo.jsonl", "--references", "truth.jsonl", "-o", "t"), "'language'", 2),
        Step(("score", "empty.jsonl", "--references", "truth.jsonl", "-o", "e"), "no rows", 2),
        Step(("score", "truth.jsonl", "-o", "w"), "no column for the candidate", 2),
        Step(("report", "run", "-o", "report.html"), "report.html"),
    ]


def researcher(folder: Path) -> list[Step]:
    """Judges edits, and estimates how many pass."""
    rows: list[dict[str, object]] = []
    for place, (name, source) in enumerate(list(functions())[:60]):
        right = place % 3 > 0
        rows.append(
            {
                "id": name,
                "language": "python",
                "before": worse(source),
                "reference": source,
                "candidate": source if right else worse(source).replace("self", "this"),
                "outcome": int(right) if place % 2 else None,
            }
        )
    write_rows(folder / "edits.jsonl", rows)
    texts = {"origin": "void f() {\n  g(1);\n}\n", "right": "void f() {\n  g(2);\n}\n"}
    for name, text in {**texts, "open": "void f() {\n  g(2);\n"}.items():
        (folder / f"{name}.c").write_text(text, encoding="utf-8")
    edit = ("open.c", "right.c", "--origin", "origin.c")
    return [
        Step(("score", "edits.jsonl", "-o", "edits", "-m", "es,bleu"), "es"),
        Step(("evaluate", "outcomes", "edits.jsonl", "-m", "es,bleu"), "length only"),
        Step(("estimate", "edits.jsonl", "-m", "es"), "with scores"),
        Step(("compare", *edit, "-m", "es"), "'{' is never closed"),
        Step(("align", *edit, "-o", "edits.html"), "edits.html"),
        Step(("compare", "open.c", "right.c", "-m", "es"), "origin", 2),
    ]


def teacher(folder: Path) -> list[Step]:
    """Finds out who copied."""
    students = [source for _, source in functions() if source.count("\n") > 12][:8]
    home = folder / "homework"
    home.mkdir()
    for place, source in enumerate(students):
        (home / f"student{place}.py").write_text(source, encoding="utf-8")
    (home / "copycat.py").write_text(renamed(students[0], "_sum"), encoding="utf-8")
    return [
        Step(("scan", "--submissions", "homework"), "copycat"),
        Step(("scan", "--submissions", "homework", "-o", "class.html"), "class.html"),
        Step(("scan", "--submissions", "nowhere"), "nowhere", 2),
    ]


def programmer(folder: Path) -> list[Step]:
    """Looks for copies in a package, and into a function."""
    package = folder / "package"
    package.mkdir()
    for module in MODULES:
        text = inspect.getsource(module)
        (package / f"{module.__name__}.py").write_text(text, encoding="utf-8")
    chosen = "package/statistics.py"
    return [
        Step(("scan", "package", "-o", "clones.html"), "clones.html"),
        Step(("graph", chosen, "--function", "median"), "median"),
        Step(("graph", chosen, "--function", "medain"), "median", 2),
        Step(("graph", chosen, "--function", "median", "-o", "median.html"), "median.html"),
        Step(("matrix", "package", "-o", "matrix.html"), "matrix.html"),
        Step(("measures", "--format", "jsn"), "json", 2),
    ]


def play(name: str, steps: list[Step], folder: Path) -> int:
    """Run the steps of a user; print each with its time, and return how many failed."""
    failed = 0
    print(f"\n== {name}")
    for step in steps:
        started = time.monotonic()
        command = [sys.executable, "-c", "from codekin.cli import main; main()", *step.words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        right = done.returncode == step.code and step.says in said and "Traceback" not in said
        failed += not right
        mark = "ok" if right else "FAILED"
        print(f"{mark:6} {time.monotonic() - started:5.1f} s  codekin {' '.join(step.words)}")
        last = (said.strip().splitlines() or [""])[-1 if right else 0]
        print(f"{'':16}{plain(last)[:160]}")
    return failed


def main() -> None:
    """Play all users in folders of their own."""
    users = (evaluator, researcher, teacher, programmer)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        failed = 0
        for user in users:
            folder = root / user.__name__
            folder.mkdir(parents=True)
            failed += play(f"{user.__name__}: {user.__doc__}", user(folder), folder)
    print(f"\n{failed} steps failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
