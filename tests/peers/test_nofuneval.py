"""DiffBLEU beside NoFunEval's recipe, with git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from nltk.tokenize import wordpunct_tokenize
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from pytest import approx

from codekin import measure

ORIGIN = """\
def mean(values):
    total = 0
    for value in values:
        total = value
    return total"""
FIXED = ORIGIN.replace("total = value", "total += value")
DIVIDED = FIXED.replace("return total", "return total / len(values)")
CANDIDATES = {
    "the same": FIXED,
    "another last line": DIVIDED,
    "a final newline": DIVIDED + "\n",
    "nothing done": ORIGIN,
    "empty": "",
    "white space": " \n\t\n",
    "one word": "x",
    "layout alone": ORIGIN.replace("    ", "\t"),
    "blank lines": FIXED.replace("\n", "\n\n"),
    "a comment": FIXED + "  # done",
    "Unicode": FIXED.replace("total", "größe"),
    "git's words in code": FIXED + "\nsay('No newline at end of file')",
    "rewritten": "import statistics\nmean = statistics.mean",
}
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is the peer here")


def diff(folder: Path, before: str, after: str) -> list[str]:
    """The tokens of what git prints, less its header and its words on newlines."""
    (folder / "before").write_text(before, encoding="utf-8")
    (folder / "after").write_text(after, encoding="utf-8")
    command = ["git", "-c", "core.pager=cat", "-c", "diff.algorithm=default", "diff", "-U0"]
    command += ["--no-index", "--ignore-all-space", "--ignore-blank-lines", "before", "after"]
    printed = subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
    lines = printed.decode().split("\n")[4:]
    kept = [line for line in lines if "No newline at end of file" not in line]
    return list(wordpunct_tokenize("\n".join(kept)))


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_recipe_by_git(name: str, tmp_path: Path) -> None:
    candidate = CANDIDATES[name]
    mine = measure("diffbleu", compat="nofuneval")
    for reference in (FIXED, DIVIDED, ORIGIN):
        expected = 0.0
        if candidate.strip():
            expected = sentence_bleu(
                [diff(tmp_path, ORIGIN, reference)],
                diff(tmp_path, ORIGIN, candidate),
                smoothing_function=SmoothingFunction().method1,
            )
        assert mine.score(candidate, reference, ORIGIN).value == approx(expected, abs=1e-9)
