"""Runs that somebody else made: reading them runs no code that they name."""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from codekin import Run
from codekin.errors import CodekinError
from codekin.evaluation.outcomes import evaluate_outcomes, perturbed_runs
from codekin.evaluation.triplets import evaluate_triplets
from codekin.measures import registry
from codekin.runs import run as reading
from codekin.runs.scoring import arguments_of, score
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
    ("summarize", "plain"),
    ("compare-runs", "plain", "plain2"),
    ("report", "plain", "-o", "page.html", "-w", "0"),
    ("report", "outcomes", "triplets", "-o", "page.html", "-w", "0"),
    ("evaluate", "outcomes", "outcomes"),
    ("evaluate", "triplets", "triplets"),
)
OTHERS = (
    ("estimate", "outcomes", "-m", "nes"),
    ("plan", "outcomes", "-m", "nes", "--width", "0.5"),
    ("calibrate", "outcomes", "-m", "nes", "--task", "problem", "-o", "c.json"),
)
"""Some of these need more rows than there are; whatever they say, they load nothing."""


def test_reading_a_run_imports_nothing(cli, received):
    shutil.copytree("plain", "plain2")
    for words in COMMANDS:
        result = cli(*words)
        assert result.exit_code == 0, (words, result.output, result.exception)
        assert not Path("executed").exists(), words
    for words in OTHERS:
        result = cli(*words)
        assert result.exception is None or isinstance(result.exception, CodekinError | SystemExit)
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


READERS = (
    ("summarize", "run"),
    ("report", "run", "-o", "page.html", "-w", "0"),
    ("evaluate", "outcomes", "run"),
    ("score", "--resume", "run"),
    ("calibrate", "run", "-m", "nes", "-o", "c.json", "--task", "problem"),
    ("estimate", "run", "-m", "nes"),
)


@pytest.fixture
def run(tmp_path, monkeypatch) -> Path:
    """A run of measures of codekin's own, in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": str(i), "problem": str(i), "language": "python", "outcome": i % 2}
        | {"candidate": f"x = {i}", "reference": "x = 1"}
        for i in range(9)
    ]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    score("rows.jsonl", ["exact", "nes"], output="run", workers=0)
    return Path("run")


def replaced(path: Path, how: str) -> None:
    """Put something else in the place of a file."""
    data = path.read_bytes()
    path.unlink()
    match how:
        case "zero":
            path.symlink_to("/dev/zero")
        case "link":
            Path("elsewhere").write_bytes(data)
            path.symlink_to("../elsewhere" if path.parent.name == "run" else "../../elsewhere")
        case "pipe":
            os.mkfifo(path)
        case "sparse":
            with path.open("wb") as stream:
                stream.truncate(2**34)
        case "nested":
            path.write_text("[" * 10**6)
        case "number":
            path.write_text("1" * 10**5)
        case "noise":
            path.write_bytes(bytes((7 * i + 3) % 256 for i in range(5000)))


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("zero", "is a link"),
        ("link", "is a link"),
        ("pipe", "is a pipe"),
        ("sparse", "has 17,179,869,184 bytes, more than the"),
        ("nested", "is not the manifest of a run|is nested too deeply"),
        ("number", "is not the manifest of a run"),
        ("noise", "is not the manifest of a run"),
    ],
)
def test_a_manifest_that_is_none(cli, run, how, reason):
    replaced(run / "manifest.json", how)
    with pytest.raises(CodekinError, match=rf"run/manifest\.json: .*({reason})"):
        Run("run")
    for words in READERS:
        result = cli(*words)
        assert isinstance(result.exception, CodekinError), (words, result.output, result.exception)


@pytest.mark.parametrize("how", ["zero", "link", "pipe", "sparse", "noise"])
def test_a_shard_that_is_none(cli, run, how):
    """It is refused where a run is read, and scored again where it is resumed."""
    shard = run / "shards" / "000000.parquet"
    whole = shard.read_bytes()
    replaced(shard, how)
    with pytest.raises(CodekinError, match=r"000000\.parquet: is damaged .* delete it and resume"):
        Run("run").table()
    settings = arguments_of("run")
    if how == "pipe":
        with pytest.raises(CodekinError, match="is not a file; delete it, and resume the run"):
            score(**settings, output="run", resume=True, workers=0)
    else:
        score(**settings, output="run", resume=True, workers=0)
        assert shard.read_bytes() == whole
        assert not shard.is_symlink()
    if how == "link":
        assert Path("elsewhere").read_bytes() == whole


def test_shards_in_a_linked_folder_are_not_read(run):
    (run / "shards").rename("elsewhere")
    (run / "shards").symlink_to("../elsewhere")
    with pytest.raises(CodekinError, match="shards is a link, and a link to a folder is not"):
        Run("run").table()


def test_a_shard_that_is_a_bomb(run, monkeypatch):
    monkeypatch.setattr(reading, "MOST_SHARD_BYTES", 10**6)
    shard = run / "shards" / "000000.parquet"
    table = pq.read_table(shard)
    place = table.column_names.index("candidate")
    bomb = table.set_column(place, "candidate", pa.array(["x" * 500_000] * len(table)))
    data = file_bytes(bomb, shard_note(table.schema.metadata))
    assert len(data) < 100_000
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["shards"][0]["sha256"] = sha256_of(data)
    (run / "manifest.json").write_text(json.dumps(seal_manifest(manifest)))
    shard.write_bytes(data)
    received = Run("run")
    assert len(received.table(["id", "nes"])) == len(table)
    with pytest.raises(CodekinError, match="its rows take more than 1,000,000 bytes"):
        received.table()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/dev/zero", "and it is a device, not a file"),
        ("link.jsonl", "and it is a link"),
        ("pipe.jsonl", "and it is a pipe"),
        ("gone.jsonl", "and there is no such file from here"),
        (".", "and it is a folder"),
    ],
)
@pytest.mark.parametrize("of", ["rows", "references"])
def test_what_a_manifest_calls_its_input_is_a_file(cli, run, path, reason, of):
    Path("link.jsonl").symlink_to("rows.jsonl")
    os.mkfifo("pipe.jsonl")
    if of == "references":
        shutil.rmtree(run)
        score("rows.jsonl", "nes", references="rows.jsonl", output="run", workers=0)
    manifest = json.loads((run / "manifest.json").read_text())
    described = manifest["input"] if of == "rows" else manifest["input"]["references"]
    described["files"][0]["path"] = path
    (run / "manifest.json").write_text(json.dumps(seal_manifest(manifest)))
    again = {
        "rows": "codekin score ROWS --resume run",
        "references": "codekin score --resume run --references FILE",
    }
    error = cli("score", "--resume", "run").exception
    assert f"run: its {of} were in {path}, {reason}" in str(error)
    assert str(error).endswith(f"; say where they are now: {again[of]}")
    assert arguments_of("run", **{of: ["rows.jsonl"]})


def test_perturbed_rows_in_a_linked_folder_are_not_read(run):
    shutil.copytree("run", "elsewhere/prefix")
    (run / "perturbed").symlink_to("../elsewhere")
    with pytest.raises(CodekinError, match="run/perturbed/prefix: is a link, and no part of the"):
        perturbed_runs(Run("run"))
    (run / "perturbed").unlink()
    (run / "perturbed").mkdir()
    (run / "perturbed" / "prefix").symlink_to("../../elsewhere/prefix")
    with pytest.raises(CodekinError, match="run/perturbed/prefix: is a link, and no part of the"):
        perturbed_runs(Run("run"))
