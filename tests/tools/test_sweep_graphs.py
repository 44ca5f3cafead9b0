from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "sweep_graphs.py"
CORPUS = """\
==================
Two assignments
==================

a = 1
b = a

---

(module)

==================
A call
==================
f(x)
---
(module)
"""


def sweep(*words: object) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(TOOL), *map(str, words)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_files_and_corpora_are_counted(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text("x = 1\n")
    (tmp_path / "code" / "two.c").write_text("main() { return 0; }\n")
    (tmp_path / "code" / "notes.txt").write_text("no code\n")
    cases = tmp_path / "expressions.txt"
    cases.write_text(CORPUS)
    archive = tmp_path / "tree_sitter_python-1.0.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(cases, "tree_sitter_python-1.0/test/corpus/expressions.txt")
    code, said = sweep(tmp_path / "code", "--corpus", archive)
    assert code == 0
    assert said.splitlines()[-1].startswith(
        "4 files (1 c, 3 python): 4 graphs, 0 incomplete graphs, 0 refusals, 0 hangs"
    )


def test_a_text_that_takes_too_long_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("x = 1\n" * 20_000)
    code, said = sweep(tmp_path, "--seconds", "0.001")
    assert code == 1
    assert " 1 hangs" in said


def test_nothing_found_is_a_fault(tmp_path: Path) -> None:
    assert sweep(tmp_path)[0] == 1
