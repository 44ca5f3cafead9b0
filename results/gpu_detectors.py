"""Train the detectors of a grid on a machine with a GPU that has nothing but numpy and torch.

    python results/gpu_detectors.py prepare GRID FOLDER [--data DIR]   # here, with codekin
    python results/gpu_detectors.py train FOLDER -o RECORDS            # there, from a checkout
    python results/gpu_detectors.py table FOLDER RECORDS               # here

``prepare`` writes what cells read as plain arrays. ``train`` loads the modules that train by path
from the checkout, so codekin need not be installed there. It appends a line per cell to RECORDS;
run again with the same file, it continues. ``table`` adds the records to FOLDER, prints the table,
and says which cells are missing: those of detectors that need more than numpy and torch, such as
svm or measure. ``codekin detect benchmark GRID -o FOLDER`` runs these, and keeps all others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

SOURCES = Path(__file__).resolve().parents[1] / "src"
ARRAYS = "arrays"
FEWEST = ("astnn", "faast", "linear", "mlp", "tbccd")
"""Detectors whose training needs numpy and torch alone."""

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.detectors.benchmark.cells import Cell
    from codekin.detectors.prepared import Prepared


class PreparedFolder:
    """What cells read, from the files that ``prepare`` wrote; see codekin's ``CellData``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ARRAYS
        self.prepared = lru_cache(8)(self._prepared)

    def prepared_place(self, corpus: str, level: str) -> Path:
        """The file with the prepared snippets of a corpus at a level."""
        return self.folder / f"{corpus}.level-{level}.npz"

    def view_place(self, corpus: str, view: str, seed: int) -> Path:
        """The file with the pairs of a view."""
        return self.folder / f"{corpus}.{view}.{seed}.npz"

    def copies_place(self, cell: Cell) -> Path:
        """The file that says what a tested corpus has copies of in another."""
        name = f"{cell.corpus}.{cell.view}.{cell.seed}.in-{cell.test_corpus}.npz"
        return self.folder / name

    def _prepared(self, corpus: str, level: str) -> Prepared:
        from codekin.detectors.prepared import load_prepared

        return load_prepared(self.prepared_place(corpus, level))

    def view(self, corpus: str, view: str, seed: int) -> dict[str, Any]:
        """The pairs of a view."""
        from codekin.opening import read_arrays

        return read_arrays(self.view_place(corpus, view, seed))

    def copied(self, cell: Cell) -> Any:
        """Which snippets of the tested corpus have a copy in training."""
        from codekin.opening import read_arrays

        return read_arrays(self.copies_place(cell))["copied"]

    def code(self, corpus: str, level: str, view: str, seed: int) -> Corpus:
        """Nothing: only arrays were prepared."""
        raise NotImplementedError("detectors that read code are run by codekin detect benchmark")


def prepare(grid: Path, folder: Path, data: Path | None) -> None:
    """Write the plan of a grid and the arrays that its cells read."""
    import numpy as np

    from codekin.detectors.benchmark.grid import read_grid
    from codekin.detectors.benchmark.grid_data import GridData
    from codekin.detectors.benchmark.running import keep_plan, known_fingerprints

    made = read_grid(grid, data)
    before = known_fingerprints(made, folder)
    cells = [cell for cell in made.cells if trains_there(cell)]
    arrays = GridData(made, cells, report=print)
    keep_plan(made, folder, before, arrays.fingerprints)
    places = PreparedFolder(folder)
    places.folder.mkdir(exist_ok=True)
    for corpus, level in {
        end: None
        for cell in cells
        for end in ((cell.corpus, cell.level), (cell.test_corpus, cell.test_level))
    }:
        arrays.prepared(corpus, level).save(places.prepared_place(corpus, level))
    for cell in cells:
        for corpus in (cell.corpus, cell.test_corpus):
            key = (corpus, cell.view, cell.seed)
            np.savez_compressed(places.view_place(*key), **arrays.view(*key))
        if cell.corpus != cell.test_corpus:
            np.savez_compressed(places.copies_place(cell), copied=arrays.copied(cell))
    size = sum(place.stat().st_size for place in places.folder.iterdir())
    print(f"{folder}: {len(cells)} cells, {size / 2**20:.1f} MiB of arrays")


def trains_there(cell: Cell) -> bool:
    """Whether a cell needs numpy and torch alone."""
    return cell.detector.partition(":")[0] in FEWEST


def train(folder: Path, records: Path, device: str, seconds: float) -> None:
    """Run the cells that have no record yet, and begin none after a time."""
    sys.path.insert(0, str(SOURCES))
    import torch

    from codekin.detectors.benchmark.cells import Cell, cell_line, read_plan, run_cells

    if not (planned := read_plan(folder).cells):
        sys.exit(f"{folder}: has no plan of a benchmark; prepare writes one")
    begun = time.monotonic()
    before = read_lines(records)
    known = {Cell(**record["cell"]) for record in before}
    cells = [cell for cell in planned if trains_there(cell) and cell not in known]
    name = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    print(f"torch {torch.__version__}, {name}: {len(cells)} cells to run", flush=True)
    records.parent.mkdir(parents=True, exist_ok=True)
    with records.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record) + "\n" for record in before)
        stream.flush()
        for cell, record in run_cells(cells, PreparedFolder(folder), device=device):
            stream.write(json.dumps(record) + "\n")
            stream.flush()
            print(cell_line(cell, record), flush=True)
            if time.monotonic() - begun > seconds:
                print(f"Stopped after {seconds:g} s; the same command runs the rest.")
                break


def read_lines(records: Path) -> list[dict[str, Any]]:
    """The records in a file, without a last line that was cut short."""
    if not records.exists():
        return []
    lines = records.read_text("utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def table(folder: Path, records: Path) -> None:
    """Add records to a benchmark, and print it."""
    from codekin import read_benchmark
    from codekin.detectors.benchmark.running import keep_record

    for record in read_lines(records):
        keep_record(folder, record)
    found = read_benchmark(folder)
    print(found.to_markdown())
    for warning in found.warnings():
        print(warning, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare", help="write the arrays that cells read")
    preparing.add_argument("grid", type=Path, help="TOML file, as of codekin detect benchmark")
    preparing.add_argument("folder", type=Path, help="of the benchmark")
    preparing.add_argument("--data", type=Path, help="where the paths of corpora start from")
    training = commands.add_parser("train", help="run cells with numpy and torch alone")
    training.add_argument("folder", type=Path)
    training.add_argument("-o", "--output", type=Path, required=True, help="file of records")
    training.add_argument("--device", default="auto", help="cuda, cpu or auto")
    training.add_argument("--seconds", type=float, default=float("inf"), help="begin none later")
    printing = commands.add_parser("table", help="add records to the benchmark, and print it")
    printing.add_argument("folder", type=Path)
    printing.add_argument("records", type=Path, help="what train wrote")
    given = parser.parse_args()
    if given.command == "prepare":
        prepare(given.grid, given.folder, given.data)
    elif given.command == "train":
        train(given.folder, given.output, given.device, given.seconds)
    else:
        table(given.folder, given.records)


if __name__ == "__main__":
    main()
