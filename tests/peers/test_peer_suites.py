"""The script that runs the peers' own suites, on small suites of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "tools" / "peer_suites.py"
SACREBLEU = """
import sacrebleu

def test_pass():
    assert abs(sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score - 100) < 1e-9

def test_fail():
    assert sacrebleu.sentence_bleu("a b c d", ["a b c e"]).score == 100

def test_unsupported():
    assert sacrebleu.corpus_bleu(["a"], [["a"]], tokenize="zh").score >= 0

def test_elsewhere():
    assert sacrebleu.__name__ == "sacrebleu"

def test_not_run():
    open("no such file")
"""
CHRF = """
import sacrebleu

def test_chrf():
    assert abs(sacrebleu.sentence_chrf("aa", ["ab"]).score - 25) < 1e-9
"""
NOFUNEVAL = """
import no_such_module

def remove_comments(code, language):
    return code

def remove_blank_lines(code):
    return code

def diff_bleu(source_code, target, generated_answers, pl):
    return 0.0
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_every_outcome_is_counted_and_what_is_missing_is_named(tmp_path: Path) -> None:
    root = tmp_path / "sacrebleu-0"
    write(root / "test/test_bleu.py", SACREBLEU)
    write(root / "test/test_sentence_bleu.py", "")
    write(root / "test/test_chrf.py", CHRF)
    root = tmp_path / "nofuneval-0"
    write(root / "src/utils.py", NOFUNEVAL)
    texts = {"source_code": "a", "target_code": "b", "pl": "Java"}
    rows = [{**texts, "generated_answers": [answer]} for answer in ("a", "```java\n```", "b")]
    write(root / "generations/some.jsonl", "\n".join(map(json.dumps, rows)))
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert not done.stderr
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "sacrebleu (sacrebleu-0): 2 pass, 1 fail, 1 unsupported, 1 elsewhere, 1 not run"
    )
    assert "test_fail" in lines[1]
    assert "tokenizer zh" in lines[2]
    assert "no such file" in lines[3]
    assert lines[4].startswith("nofuneval (nofuneval-0): 2 pass, 1 fail,")
    assert "some.jsonl:3: 1.0, theirs 0.0" in lines[5]
    assert lines[6] == "not in the folder: nltk, codebleu, apted, networkx, easse"
    assert lines[7] == "9 tests: 4 pass, 2 fail, 1 unsupported, 1 elsewhere, 1 not run"
