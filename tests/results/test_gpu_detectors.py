"""A grid prepared here, trained where nothing but numpy and torch is, and read back."""

from __future__ import annotations

import json
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.detectors.tiny_grids import themed, write_grid

from codekin import read_benchmark, run_benchmark

torch.set_num_threads(1)
SCRIPT = Path(__file__).parents[2] / "results" / "gpu_detectors.py"
BARE = """
import os, runpy, signal, sys, types
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

# Nothing that is installed but numpy and torch, and what these need; codekin itself neither.
class Bare(MetaPathFinder):
    refused = {"pyarrow", "tree_sitter", "typer", "rich", "rapidfuzz", "scipy", "sklearn", "jinja2"}
    refused |= {"codekin._native", "codekin.corpora", "codekin.source", "codekin._version"}
    def find_spec(self, name, path, target=None):
        if name in self.refused or name.partition(".")[0] in self.refused:
            raise ModuleNotFoundError(f"no {name} on this machine", name=name)
        if name == "codekin":
            return PathFinder.find_spec(name, [sys.path[0]])

sys.meta_path.insert(0, Bare())
import torch

torch.set_num_threads(1)
# Optimizers load a compiler that nothing here uses, which takes longer than all the rest.
torch._dynamo = sys.modules["torch._dynamo"] = types.ModuleType("torch._dynamo")
torch._dynamo.__getattr__ = lambda name: lambda *given, **options: given[0] if given else None
script, dies, *words = sys.argv[1:]
if dies == "yes":
    sys.path.insert(0, os.path.join(os.path.dirname(script), "..", "src"))
    from codekin.detectors.benchmark import cells
    run, done = cells._run_cell, []

    def die_in_training(at):
        if at.epoch == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    def run_cell(cell, data, device, progress, models):
        done.append(cell)
        return run(cell, data, device, die_in_training if len(done) == 2 else None, models)

    cells._run_cell = run_cell
sys.argv[1:] = words
runpy.run_path(script, run_name="__main__")
"""


def without_times(folder: Path) -> dict[str, Any]:
    found = {}
    for place in (folder / "cells").glob("*.json"):
        record = json.loads(place.read_text())
        del record["seconds"], record["scoring_seconds"], record["fitted"]["seconds"]
        found[place.name] = record
    return found


def there(dies: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BARE, str(SCRIPT), dies, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = ["linear:epochs=2,width=4", "mlp:epochs=2", "measure:measure=jaccard"]
    return write_grid(tmp_path_factory.mktemp("grid"), themed(), detectors=words)


def test_a_grid_trains_on_a_bare_machine_with_the_records_of_here(
    grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = tmp_path / "run", tmp_path / "out" / "records.jsonl"
    script = runpy.run_path(str(SCRIPT))
    script["prepare"](grid, folder, None)
    assert "2 cells" in capsys.readouterr().out
    carried = tmp_path / "carried"
    shutil.copytree(folder, carried)
    killed = there("yes", "train", carried, "-o", records, "--device", "cpu")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(records.read_text().splitlines()) == 1
    with records.open("a") as stream:
        stream.write('{"cut')
    done = there("no", "train", carried, "-o", records, "--device", "cpu")
    assert done.returncode == 0 and "1 cells to run" in done.stdout, done.stderr
    assert len(records.read_text().splitlines()) == 2
    script["table"](folder, records)
    assert "mlp" in capsys.readouterr().out
    assert len(read_benchmark(folder).missing) == 1
    # What needs more than numpy and torch is run here, and the rest is kept.
    lines: list[str] = []
    run_benchmark(grid, folder, workers=0, report=lines.append)
    assert [line.partition(" ")[0] for line in lines if "F1" in line] == ["3/3"]
    whole = tmp_path / "whole"
    run_benchmark(grid, whole, device="cpu", workers=0)
    assert without_times(folder) == without_times(whole)
