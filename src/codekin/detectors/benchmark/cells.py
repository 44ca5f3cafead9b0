"""Cells of a benchmark: one detector trained on one side of a view, and tested on another.

Everything here needs numpy and torch alone. A folder that :func:`stage_benchmark` wrote can be
carried to a machine with a GPU, where ``python -m codekin.detectors.benchmark.cells FOLDER`` runs
its cells, and back.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from codekin.detectors.benchmark.cell_scores import HeldOutPairs, cell_scores
from codekin.detectors.detector import (
    ArrayDetector,
    Detector,
    LabelledPlaces,
    Progress,
    check_labels,
    parse_detector,
)
from codekin.detectors.prepared import Prepared, load_prepared
from codekin.errors import CodekinError
from codekin.whole_files import whole_file

__all__ = ["Cell", "cell_name", "read_plan", "run_cell", "run_cells", "share_of_cells"]

PLAN = "plan.json"
FORMAT = 1
_MODELS = 16
"""Trained detectors that are kept, for cells that test them on something else."""


@dataclass(frozen=True)
class Cell:
    """One training and one test.

    Attributes
    ----------
    detector : str
        A word such as ``tbccd:epochs=4``.
    corpus, view, level : str
        Of training and validation.
    test_corpus, test_level : str
        Of testing; mostly those of training.
    seed : int
        Of the view, of the pairs and of the detector.
    """

    detector: str
    corpus: str
    view: str
    level: str
    test_corpus: str
    test_level: str
    seed: int

    @property
    def staged(self) -> tuple[str, ...]:
        """The files that it reads, below the folder."""
        found = {
            prepared_name(self.corpus, self.level),
            prepared_name(self.test_corpus, self.test_level),
            view_name(self.corpus, self.view, self.seed),
            view_name(self.test_corpus, self.view, self.seed),
        }
        if self.test_corpus != self.corpus:
            found.add(copies_name(self.corpus, self.test_corpus, self.view, self.seed))
        return tuple(sorted(found))


def prepared_name(corpus: str, level: str) -> str:
    """The file with the prepared snippets of a corpus at a level."""
    return f"prepared/{corpus}.level-{level}.npz"


def code_name(corpus: str, level: str) -> str:
    """The folder with the code of a corpus at a level, for detectors that read code."""
    return f"code/{corpus}.level-{level}"


def view_name(corpus: str, view: str, seed: int) -> str:
    """The file with the pairs of a view."""
    return f"views/{corpus}.{view}.{seed}.npz"


def copies_name(corpus: str, test_corpus: str, view: str, seed: int) -> str:
    """The file that says which snippets of a corpus have a copy in the training side of another."""
    return f"copies/{corpus}.{view}.{seed}.in-{test_corpus}.npz"


def cell_name(cell: Cell) -> str:
    """The name of a cell's record, which no other cell has."""
    word = cell.detector.replace(":", "-").replace("=", "").replace(",", "-")
    word = "".join(c if c.isalnum() or c in "-." else "_" for c in word)
    names = [word, cell.corpus, cell.view, f"level-{cell.level}"]
    if cell.test_corpus != cell.corpus:
        names.append(f"on-{cell.test_corpus}")
    if cell.test_level != cell.level:
        names.append(f"on-level-{cell.test_level}")
    return ".".join([*names, str(cell.seed)])


def read_plan(folder: str | Path) -> list[Cell]:
    """The cells of a staged benchmark, in the order in which they run."""
    place = Path(folder, PLAN)
    try:
        plan = json.loads(place.read_text("utf-8"))
        if plan.get("kind") != "codekin-benchmark" or plan.get("format") != FORMAT:
            raise ValueError("another format")
        return [Cell(**one) for one in plan["cells"]]
    except OSError as error:
        raise CodekinError(f"{place}: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CodekinError(f"{place}: is not the plan of a benchmark ({error})") from None


def record_place(folder: str | Path, cell: Cell) -> Path:
    """Where the record of a cell is."""
    return Path(folder, "cells", f"{cell_name(cell)}.json")


def run_cells(
    folder: str | Path,
    cells: Sequence[Cell] | None = None,
    *,
    device: str = "auto",
    seconds: float | None = None,
    report: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Cell, dict[str, Any]]]:
    """Run the cells that have no record yet; each record appears whole, or not at all.

    Parameters
    ----------
    folder : str or Path
        A staged benchmark.
    cells : sequence of Cell, optional
        All of the plan by default.
    device : str
        As in :class:`~codekin.detectors.neural.NeuralDetector`.
    seconds : float, optional
        Begin no cell after this time.
    report : callable, optional
        Called with a line per cell.
    progress : callable, optional
        Called while a detector trains.

    Yields
    ------
    (Cell, dict)
        Each cell that was run, with its record.
    """
    begun = time.monotonic()
    wanted = read_plan(folder) if cells is None else cells
    models: dict[Cell, Detector] = {}
    for number, cell in enumerate(wanted, 1):
        place = record_place(folder, cell)
        if place.exists():
            continue
        if seconds is not None and time.monotonic() - begun > seconds:
            return
        try:
            record = run_cell(folder, cell, device=device, progress=progress, models=models)
        except CodekinError as error:
            raise CodekinError(f"cell {cell_name(cell)}: {error}") from None
        place.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(place) as stream:
            stream.write((json.dumps(record, indent=1) + "\n").encode())
        if report is not None:
            found = record["scores"]["all"]
            f1, ap = ("–" if found[x] is None else f"{found[x]:.3f}" for x in ("f1", "ap"))
            report(
                f"{number}/{len(wanted)} {cell_name(cell)}: F1 {f1}, AP {ap}, "
                f"{record['seconds']:.1f} s"
            )
        yield cell, record


def run_cell(
    folder: str | Path,
    cell: Cell,
    *,
    device: str = "auto",
    progress: Progress | None = None,
    models: dict[Cell, Detector] | None = None,
) -> dict[str, Any]:
    """Train and test; the record of a cell.

    Parameters
    ----------
    folder : str or Path
        A staged benchmark.
    cell : Cell
    device : str
    progress : callable, optional
    models : dict, optional
        Detectors that were trained for other cells, to which this one's is added: a cell that
        differs from another only in what it tests needs no training of its own.
    """
    begun = time.perf_counter()
    folder = Path(folder)
    same = replace(cell, test_corpus=cell.corpus, test_level=cell.level)
    model = None if models is None else models.get(same)
    if model is None:
        model = _trained(folder, cell, device, progress)
        if models is not None:
            models[same] = model
            if len(models) > _MODELS:
                del models[next(iter(models))]
    trained = time.perf_counter()
    tested = _prepared(folder / prepared_name(cell.test_corpus, cell.test_level))
    side = _tested_pairs(folder, cell)
    if isinstance(model, ArrayDetector):
        scores = model.score_prepared(tested, side.first, side.second)
    else:
        from codekin.detectors.benchmark.code_cells import score_on_code

        scores = score_on_code(model, folder / code_name(cell.test_corpus, cell.test_level), side)
    assert model.fitted is not None
    scored = time.perf_counter()
    return {
        "kind": "codekin-benchmark-cell",
        "format": FORMAT,
        "cell": asdict(cell),
        "copies_of": cell.corpus,
        "fitted": asdict(model.fitted),
        "scores": cell_scores(side, scores, model.threshold, np.diff(tested.nodes), seed=cell.seed),
        "scoring_seconds": round(scored - trained, 3),
        "seconds": round(time.perf_counter() - begun, 3),
    }


def _tested_pairs(folder: Path, cell: Cell) -> HeldOutPairs:
    """The test pairs of a cell; copies are those of the snippets that it is trained on."""
    side = held_out_pairs(read_view(folder / view_name(cell.test_corpus, cell.view, cell.seed)))
    if cell.test_corpus == cell.corpus:
        return side
    place = folder / copies_name(cell.corpus, cell.test_corpus, cell.view, cell.seed)
    if not place.exists():
        raise CodekinError(
            f"{place}: is missing, and says which snippets of {cell.test_corpus} have a copy in "
            f"{cell.corpus}; stage the benchmark again, with codekin detect benchmark --stage"
        )
    return replace(side, copied=read_view(place)["copied"])


def _trained(folder: Path, cell: Cell, device: str, progress: Progress | None) -> Detector:
    """The detector of a cell, trained on the sides train and validation of its view."""
    view = read_view(folder / view_name(cell.corpus, cell.view, cell.seed))
    model = parse_detector(cell.detector)
    for setting, value in (("seed", cell.seed), ("device", device)):
        if setting in model.settings():
            setattr(model, setting, value)
    if isinstance(model, ArrayDetector):
        train, validation = (
            check_labels(side_of(view, i), f"{cell.corpus}, {cell.view}", name)
            for i, name in enumerate(("train", "validation"))
        )
        prepared = _prepared(folder / prepared_name(cell.corpus, cell.level))
        model.fit_prepared(prepared, train, validation, test=side_of(view, 2), progress=progress)
    else:
        # Which needs the front end, and so more than numpy and torch.
        from codekin.detectors.benchmark.code_cells import fit_on_code

        fit_on_code(model, folder / code_name(cell.corpus, cell.level), view, progress)
    return model


@lru_cache(4)
def _prepared(place: Path) -> Prepared:
    return load_prepared(place)


@lru_cache(4)
def read_view(place: Path) -> dict[str, Any]:
    """The arrays of a view's file.

    Raises
    ------
    CodekinError
        If it is not one, or is damaged.
    """
    try:
        with np.load(place, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except OSError as error:
        raise CodekinError(f"{place}: {error.strerror or error}") from None
    except Exception:
        raise CodekinError(f"{place}: is not a view, or is damaged; stage it again") from None


def side_of(view: dict[str, Any], number: int) -> LabelledPlaces:
    """The pairs of a side of a view: 0 for training, 1 for validation, 2 for testing."""
    chosen = view["side"] == number
    return LabelledPlaces(view["first"][chosen], view["second"][chosen], view["label"][chosen] == 1)


def held_out_pairs(view: dict[str, Any]) -> HeldOutPairs:
    """The test pairs of a view."""
    chosen = view["side"] == 2
    return HeldOutPairs(
        first=view["first"][chosen],
        second=view["second"][chosen],
        label=view["label"][chosen] == 1,
        copied=view["copied"],
        functionality=view["functionality"],
        functionalities=tuple(json.loads(view["functionalities"].tobytes())),
        project=view["project"],
        type=view["type"][chosen],
        types=tuple(json.loads(view["types"].tobytes())),
    )


def share_of_cells(cells: Sequence[Cell], number: int, shares: int) -> list[Cell]:
    """One of several shares of the cells, for processes that run at the same time.

    Cells that differ only in what they test are in the same share, since one training serves all.

    Parameters
    ----------
    cells : sequence of Cell
    number : int
        From 1 on.
    shares : int

    Examples
    --------
    >>> levels = [("0", "0"), ("1", "1"), ("0", "1")]
    >>> cells = [Cell("mlp", "bcb", "random", one, "bcb", two, 0) for one, two in levels]
    >>> [cell.test_level for cell in share_of_cells(cells, 1, 2)]
    ['0', '1']
    """
    trainings = [replace(cell, test_corpus=cell.corpus, test_level=cell.level) for cell in cells]
    place = {one: i for i, one in enumerate(dict.fromkeys(trainings))}
    return [
        cell
        for cell, one in zip(cells, trainings, strict=True)
        if place[one] % shares == number - 1
    ]


def _share(text: str) -> tuple[int, int]:
    try:
        number, shares = map(int, text.split("/"))
    except ValueError:
        number, shares = 0, 0
    if not 1 <= number <= shares:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share such as 2/8")
    return number, shares


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cells of a staged benchmark."""
    parser = argparse.ArgumentParser(prog="python -m codekin.detectors.benchmark.cells")
    parser.add_argument("folder", type=Path, help="what codekin detect benchmark --stage wrote")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=float, help="begin no cell after this time")
    parser.add_argument(
        "--share",
        type=_share,
        default=(1, 1),
        help="run a part of the cells, such as 2/8; other processes run the other parts",
    )
    given = parser.parse_args(arguments)
    try:
        cells = share_of_cells(_runnable(given.folder), *given.share)
        done = run_cells(
            given.folder,
            cells,
            device=given.device,
            seconds=given.seconds,
            report=lambda line: print(line, flush=True),
        )
        for _ in done:
            pass
    except CodekinError as error:
        print(f"codekin: {error}", file=sys.stderr)
        return 2
    return 0


def _runnable(folder: Path) -> list[Cell]:
    """The cells whose detectors can be loaded here; says which cannot, and why."""
    cells = read_plan(folder)
    skipped: dict[str, str] = {}
    for word in dict.fromkeys(cell.detector for cell in cells):
        try:
            parse_detector(word)
        except ImportError as error:
            skipped[word] = f"needs {error.name}, which is not installed"
        except CodekinError as error:
            skipped[word] = str(error)
    for word, reason in skipped.items():
        count = sum(cell.detector == word for cell in cells)
        print(f"codekin: {count} cells of {word} skipped: {reason}", file=sys.stderr)
    return [cell for cell in cells if cell.detector not in skipped]


if __name__ == "__main__":
    sys.exit(main())
