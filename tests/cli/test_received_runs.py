"""Runs that somebody else made: reading them runs no code that they name."""

from __future__ import annotations

import json
import shutil
import sys
from importlib import metadata
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from codekin import Run
from codekin.evaluation.outcomes import evaluate_outcomes
from codekin.evaluation.triplets import evaluate_triplets
from codekin.measures import registry
from codekin.runs.scoring import score
from codekin.runs.seals import seal_manifest, sha256_of
from codekin.runs.shard_table import file_bytes, shard_note

EVIL = """
from pathlib import Path

Path("executed").touch()


def overlap(candidate, reference):
    return len(set(candidate) & set(reference)) / max(1, len(set(candidate) | set(reference)))
"""
LABELS = ("evil:overlap", "sanslcs:inner=evil:overlap", "evil", "evil:tokens=x")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Where commands run, as a received archive leaves it: with the module beside the run."""
    (tmp_path / "evil.py").write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    yield tmp_path
    sys.modules.pop("evil", None)


@pytest.fixture
def received(folder) -> Path:
    rows = [
        {
            "id": str(i),
            "problem": str(i % 3),
            "language": "python",
            "candidate": f"x = {i}",
            "reference": "x = 1",
            "outcome": i % 2,
        }
        for i in range(12)
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = ("anchor", "x = 1"), ("positive", "x = 1 + 0"), ("negative", "print(x)")
    triplets = [{"problem": str(i), **dict(texts), "language": "python"} for i in range(6)]
    names = ["evil:overlap", "nes"]
    score("rows.jsonl", names, output="plain", workers=0)
    evaluate_outcomes("rows.jsonl", names, output="outcomes", workers=0, resamples=10)
    evaluate_triplets(triplets, names, output="triplets", workers=0, resamples=10)
    forget(folder)
    return folder


def forget(folder: Path) -> None:
    sys.modules.pop("evil", None)
    (folder / "executed").unlink(missing_ok=True)


def relabel(run: Path, label: str) -> None:
    """Give the first measure of a run another name, as a forger would."""
    manifest = json.loads((run / "manifest.json").read_text())
    was = manifest["asked"]["measures"][0]["label"]
    manifest["asked"]["measures"][0]["label"] = label
    for entry in manifest["shards"]:
        shard = run / entry["file"]
        table = pq.read_table(shard)
        renamed = [
            label + name.removeprefix(was) if name.startswith(was) else name
            for name in table.column_names
        ]
        data = file_bytes(table.rename_columns(renamed), shard_note(table.schema.metadata))
        entry["sha256"] = sha256_of(data)
        shard.write_bytes(data)
    (run / "manifest.json").write_text(json.dumps(seal_manifest(manifest)))


COMMANDS = (
    ("summarize", "plain", "--resamples", "10"),
    ("compare-runs", "plain", "plain2", "--resamples", "10"),
    ("report", "plain", "-o", "page.html", "-w", "0"),
    ("report", "outcomes", "triplets", "-o", "page.html", "-w", "0"),
    ("evaluate", "outcomes", "outcomes", "--resamples", "10"),
    ("evaluate", "triplets", "triplets", "--resamples", "10"),
)


def test_reading_a_run_imports_nothing(cli, received):
    shutil.copytree("plain", "plain2")
    for words in COMMANDS:
        result = cli(*words)
        assert result.exit_code == 0, (words, result.output, result.exception)
        assert not Path("executed").exists(), words
    for run in map(Run, ("plain", "outcomes", "triplets")):
        assert run.measures[0].measure is None
        assert repr(run)
        assert run._repr_html_()


@pytest.mark.parametrize("label", LABELS)
def test_no_label_gets_code_loaded(cli, received, monkeypatch, label):
    """Neither a module, nor one inside of another word, nor an entry point."""
    entry = metadata.EntryPoint("evil", "evil:overlap", "codekin.measures")
    monkeypatch.setattr(metadata, "entry_points", lambda group: (entry,))
    relabel(received / "plain", label)
    registry._every_class.cache_clear()
    try:
        assert Run("plain").measures[0].measure is None
        assert cli("report", "plain", "-o", "page.html", "-w", "0").exit_code == 0
        assert cli("score", "--resume", "plain", "-w", "1").exit_code != 0
    finally:
        registry._every_class.cache_clear()
    assert not Path("executed").exists()


def test_a_run_resumes_when_its_measure_is_named_again(cli, received):
    shutil.rmtree("plain/shards")
    Path("plain/shards").mkdir()
    refused = cli("score", "--resume", "plain", "-w", "1")
    assert not Path("executed").exists()
    assert str(refused.exception) == (
        "plain: was scored by evil:overlap, which is not codekin's own, and code is not loaded "
        "because a run names it; name it again: codekin score --resume plain -m evil:overlap"
    )
    for words in (("-m", "evil:overlap"), ("-m", "evil:overlap", "-m", "nes")):
        result = cli("score", "--resume", "plain", *words, "-w", "1")
        assert result.exit_code == 0, result.exception
    assert [one.label for one in Run("plain").measures] == ["evil:overlap", "nes"]
    assert Run("plain").rows == 12


def test_another_measure_than_the_runs_is_refused(cli, received):
    for words in (("-m", "nes"), ("-m", "evil:overlap", "-m", "bleu")):
        result = cli("score", "--resume", "plain", *words, "-w", "1")
        assert "cannot be resumed" in str(result.exception)
