"""Run the test suites of other packages on codekin's compatible measures.

``python tools/peer_suites.py FOLDER``, where FOLDER holds source distributions, wheels or
checkouts, unpacked: sacrebleu, nltk, codebleu, apted, networkx, EASSE and NoFunEval. In each suite
the package's functions are replaced by codekin's, and the tests run as they are. Prints for each
suite how many tests pass, fail, ask for something that codekin does not have (unsupported), call
nothing that was replaced (elsewhere) or fail before they do (not run); then the suites that FOLDER
does not hold. Exits with 1 if any test fails.

NoFunEval has no tests. There the published function is run beside codekin's on the generations
that come with it.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codekin import measure
from peer_adapters import OUTCOMES

HERE = Path(__file__).parent
TOLERANCE = 1e-9
MOST_SHOWN = 20


@dataclass(frozen=True)
class Suite:
    """Where the tests of a package are.

    Attributes
    ----------
    name : str
        Of the package.
    tests : tuple of str
        Files below the root of its distribution; the first one tells where the root is.
    needs : str
        A file without which they cannot run.
    """

    name: str
    tests: tuple[str, ...]
    needs: str = ""

    def roots(self, folder: Path) -> Iterator[Path]:
        """The distributions in a folder that have the tests."""
        depth = len(Path(self.tests[0]).parts)
        for found in sorted(folder.rglob(self.tests[0])):
            root = found.parents[depth - 1]
            if (root / self.needs).exists() and all((root / one).exists() for one in self.tests):
                yield root


SUITES = (
    Suite("sacrebleu", ("test/test_bleu.py", "test/test_sentence_bleu.py", "test/test_chrf.py")),
    Suite("nltk", ("nltk/test/unit/translate/test_bleu.py",)),
    Suite("codebleu", ("tests/test_codebleu.py",)),
    Suite(
        "apted",
        (
            "apted/tests/test_correctness.py",
            "apted/tests/test_per_edit_operation_correctness.py",
            "apted/tests/test_chained.py",
        ),
        "apted/resources/correctness_test_cases.json",
    ),
    Suite("networkx", ("networkx/algorithms/tests/test_similarity.py",)),
    Suite("easse", ("tests/test_sari.py",)),
)
NOFUNEVAL = "nofuneval"


def run_suite(suite: Suite, root: Path) -> list[dict[str, str]]:
    """The outcome of every test of a suite."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        paths = [str(HERE), str(root), os.environ.get("PYTHONPATH", "")]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(root)),
                *(
                    "-p",
                    "peer_adapters",
                    "-p",
                    "no:cacheprovider",
                    "--noconftest",
                ),
                *suite.tests,
            ],
            cwd=root,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, paths)),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "CODEKIN_PEER": suite.name,
                "CODEKIN_PEER_REPORT": str(report),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        found: list[dict[str, str]] = json.loads(report.read_text()) if report.exists() else []
    if done.returncode not in (0, 1) or not found:
        last = (done.stdout + done.stderr).strip().splitlines()[-1:]
        found.append({"test": suite.name, "outcome": "fail", "reason": " ".join(last)})
    return found


def nofuneval_roots(folder: Path) -> Iterator[Path]:
    """Checkouts of NoFunEval."""
    for found in sorted(folder.rglob("src/utils.py")):
        if "def diff_bleu(" in found.read_text(encoding="utf-8"):
            yield found.parents[1]


def published(root: Path) -> dict[str, Any]:
    """NoFunEval's function and what it calls, without the imports of the rest of its module."""
    tree = ast.parse((root / "src/utils.py").read_text(encoding="utf-8"))
    wanted = ("diff_bleu", "remove_comments", "remove_blank_lines", "remove_py_comments")
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in wanted]
    prelude = ast.parse(
        "import re, subprocess, tempfile, tokenize\n"
        "from io import StringIO\n"
        "from nltk.tokenize import wordpunct_tokenize\n"
        "from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu\n"
    )
    names: dict[str, Any] = {}
    module = ast.Module([*prelude.body, *functions], type_ignores=[])
    exec(compile(module, "src/utils.py", "exec"), names)
    return names


def run_nofuneval(root: Path) -> list[dict[str, str]]:
    """Compare the published function with ours, on every generation."""
    names = published(root)
    ours = measure("diffbleu", compat="nofuneval")
    found = []
    for path in sorted((root / "generations").rglob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            row = json.loads(line)
            if not {"source_code", "target_code", "generated_answers", "pl"} <= row.keys():
                continue
            language = row["pl"].lower()
            for answer in row["generated_answers"]:
                block = re.search(r"```[^\n]*\n(.*?)```", answer, re.DOTALL)
                texts = block[1] if block else answer, row["target_code"], row["source_code"]
                theirs = names["diff_bleu"](texts[2], texts[1], texts[0], row["pl"])
                read = [
                    names["remove_blank_lines"](names["remove_comments"](text, language))
                    for text in texts
                ]
                value = ours.score(*read).value
                same = math.isclose(value, theirs, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
                where = f"{path.relative_to(root)}:{number}"
                reason = "" if same else f"{value!r}, theirs {theirs!r}"
                outcome = "pass" if same else "fail"
                found.append({"test": where, "outcome": outcome, "reason": reason})
    return found


def shown(name: str, root: Path, found: list[dict[str, str]]) -> bool:
    """Print the outcome of a suite; whether any test failed."""
    count = Counter(one["outcome"] for one in found)
    line = ", ".join(f"{count[outcome]} {outcome}" for outcome in OUTCOMES)
    print(f"{name} ({root.name}): {line}")
    failures = [one for one in found if one["outcome"] == "fail"]
    for one in failures[:MOST_SHOWN]:
        print(f"  failed: {one['test']}: {' '.join(one['reason'].splitlines()[:1])}")
    if len(failures) > MOST_SHOWN:
        print(f"  and {len(failures) - MOST_SHOWN} more")
    for outcome in ("unsupported", "not run"):
        reasons = Counter(one["reason"].strip() for one in found if one["outcome"] == outcome)
        for reason, times in reasons.most_common():
            print(f"  {outcome}, {times} times: {' '.join(reason.split())[:100]}")
    return count["fail"] > 0


def main() -> int:
    """Run the suites in the folder, and list the others."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="unpacked distributions and checkouts")
    parser.add_argument("--only", action="append", help="a suite (default: all)")
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        parser.error(f"{arguments.folder}: no such folder")
    folder = arguments.folder.resolve()
    names = [*(suite.name for suite in SUITES), NOFUNEVAL]
    wanted = arguments.only or names
    if unknown := sorted(set(wanted) - set(names)):
        parser.error(f"unknown suite {', '.join(unknown)} (known: {', '.join(names)})")
    failed, untried, totals = False, [], Counter[str]()
    for name in wanted:
        suite = next((one for one in SUITES if one.name == name), None)
        roots = list(suite.roots(folder) if suite else nofuneval_roots(folder))
        for root in roots:
            found = run_suite(suite, root) if suite else run_nofuneval(root)
            totals.update(one["outcome"] for one in found)
            failed |= shown(name, root, found)
        if not roots:
            untried.append(name)
    print(f"not in the folder: {', '.join(untried) or 'none'}")
    print(f"{totals.total()} tests: " + ", ".join(f"{totals[one]} {one}" for one in OUTCOMES))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
