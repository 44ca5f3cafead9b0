"""The page of a similarity matrix: a clustered heatmap in one HTML file that works offline."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.groups.similarity_matrix import SimilarityMatrix
from codekin.plain_text import plain
from codekin.report.brief_names import brief_names
from codekin.report.dendrogram import COLOURS
from codekin.report.explanations import explain_row
from codekin.report.page_data import language_title
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_name
from codekin.report.pages import DATA_HERE, put_about, put_json, put_numbers
from codekin.results import number_text

__all__ = ["check_size", "matrix_page"]

_STYLES = ("base.css", "plots.css", "browser.css", "print.css", "matrix.css")
_SCRIPTS = (
    *("pieces.js", "theme.js", "code.js", "matrix_data.js", "heatmap.js"),
    *("matrix_pair.js", "matrix.js"),
)
_MOST_FILES = 2000
"""More cells than a screen has pixels tell nothing, and take a browser minutes."""
_PAIRS = 200
_TABLE_FILES = 30
"""Up to so many files the matrix is also there as a table of numbers."""
_EXPLAINED = 40
_LONG = 20_000
"""Characters; the pairs of longer texts are shown without an explanation."""
_ALL_TEXTS = 4_000_000
"""Characters of all texts together that the page holds, those of the most alike pairs first."""
_COLOURED = 0.998
"""The share of the pairs that the scale of colours covers at least."""
_NAME = 26


def check_size(files: int) -> None:
    """Refuse more files than a page can show."""
    if files > _MOST_FILES:
        raise CodekinError(
            f"a page shows up to {_MOST_FILES:,} files, and these are {files:,}; compare fewer, or "
            "take the numbers alone: --format json with --csv or --pairs"
        )


def matrix_page(matrix: SimilarityMatrix, *, folder: str = "", texts: bool = True) -> bytes:
    """The page of a matrix; the same matrix gives the same bytes.

    Parameters
    ----------
    matrix : SimilarityMatrix
    folder : str
        The folder that names are relative to.
    texts : bool
        Whether the page holds the code, so that two files can be read side by side.
    """
    folder = page_name(folder) if folder else ""
    data = io.BytesIO()
    _put_data(data, matrix, folder, texts)
    return _frame(matrix, folder).replace(DATA_HERE, data.getvalue(), 1)


def _frame(matrix: SimilarityMatrix, folder: str) -> bytes:
    files = len(matrix.names)
    names = [plain(name) for name in matrix.names]
    return with_files(
        template_environment(),
        "matrix.html.j2",
        _STYLES,
        _SCRIPTS,
        version=__version__,
        matrix=matrix,
        folder=plain(folder),
        files=files,
        pairs=list(matrix.pairs(_PAIRS)),
        copy_of={name: i for i, names in enumerate(matrix.copies) for name in names},
        all_pairs=files * (files - 1) // 2,
        groups=[group for group in matrix.groups if len(group.members) > 1],
        colours=COLOURS,
        alone=sum(len(group.members) == 1 for group in matrix.groups),
        languages=sorted({source.language.title for source in matrix.sources.values()}),
        table=list(_table(matrix, names)) if files <= _TABLE_FILES else [],
        columns=[names[place] for place in matrix.order],
    )


def _table(matrix: SimilarityMatrix, names: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The rows of the matrix as texts, in the order of the heatmap; what is not exact has a ~."""
    for row in matrix.order:
        yield (
            names[row],
            [
                ("" if matrix.lower[row, column] == matrix.upper[row, column] else "~")
                + number_text(float(matrix.values[row, column]), digits=3)
                for column in matrix.order
            ],
        )


def _put_data(stream: io.BytesIO, matrix: SimilarityMatrix, folder: str, texts: bool) -> None:
    files = len(matrix.names)
    cells = np.triu_indices(files, 1) if matrix.symmetric else np.indices((files, files))
    place = tuple(cells)
    put_numbers(stream, "values", matrix.values[place].astype(np.float32))
    if matrix.inexact:
        put_numbers(stream, "lower", matrix.lower[place].astype(np.float32))
        put_numbers(stream, "upper", matrix.upper[place].astype(np.float32))
    names = [plain(name) for name in matrix.names]
    put_json(stream, "names", names)
    put_json(stream, "brief", brief_names(names, _NAME))
    put_numbers(stream, "order", np.array(matrix.order, dtype=np.uint32))
    put_numbers(stream, "joins", (matrix.linkage[:, :3] * [1, 1, -1] + [0, 0, 1]).ravel())
    kept = _kept_texts(matrix) if texts else {}
    put_json(stream, "texts", [kept.get(place) for place in range(files)])
    put_json(stream, "why", dict(_explained(matrix, kept)))
    put_about(stream, _about(matrix, folder))


def _about(matrix: SimilarityMatrix, folder: str) -> dict[str, Any]:
    number = {name: i for i, names in enumerate(matrix.copies) for name in names}
    languages = [source.language.name for source in matrix.sources.values()]
    return {
        "files": len(matrix.names),
        "measure": matrix.measure,
        "symmetric": matrix.symmetric,
        "inexact": matrix.inexact,
        "scale": _scale(matrix),
        "threshold": _threshold(matrix),
        "copies": [number.get(name, -1) for name in matrix.names],
        "languages": [language_title(name) for name in languages],
        "folder": plain(folder),
        "command": f"codekin compare -m {shlex.quote(matrix.measure)} --explain",
        "paths": [shlex.quote(str(Path(folder) / name)) for name in matrix.names],
        "colours": COLOURS,
    }


def _scale(matrix: SimilarityMatrix) -> list[float]:
    """The scores of the first and the last colour, and the highest score.

    In tenths, and so that of many pairs only a few lie beyond the last colour: two or three copies
    must not take the colours from all others.
    """
    pairs = matrix.values[~np.eye(len(matrix.names), dtype=bool)]
    if not len(pairs):
        return [0.0, 1.0, 1.0]
    low = np.floor(np.clip(pairs.min(), 0.0, 0.9) * 10) / 10
    high = np.ceil(np.quantile(pairs, _COLOURED) * 10 - 1e-9) / 10
    return [float(low), float(np.clip(high, low + 0.1, 1.0)), float(pairs.max())]


def _threshold(matrix: SimilarityMatrix) -> float:
    """Where the slider stands; where groups were counted, between the joins around the cut."""
    if matrix.threshold is not None:
        return matrix.threshold
    heights: list[float] = [0.0, *matrix.linkage[:, 2].tolist(), 1.0]
    steps = len(matrix.names) - len(matrix.groups)
    return 1 - (heights[steps] + heights[steps + 1]) / 2


def _kept_texts(matrix: SimilarityMatrix) -> dict[int, str]:
    """The texts that the page holds, by place; line ends are LF, or each would be shown."""
    sources = list(matrix.sources.values())
    wanted = dict.fromkeys(p for pair in matrix.pairs(_PAIRS) for p in (pair.first, pair.second))
    kept: dict[int, str] = {}
    room = _ALL_TEXTS
    for place in (*wanted, *(p for p in range(len(sources)) if p not in wanted)):
        text = sources[place].text.replace("\r\n", "\n")
        if len(text) <= room:
            kept[place] = text
            room -= len(text)
    return kept


def _explained(
    matrix: SimilarityMatrix, kept: Mapping[int, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the measure says of the most alike pairs that are not the same."""
    sources = list(matrix.sources.values())
    short = {place for place, text in kept.items() if len(text) <= _LONG}
    chosen = (
        pair
        for pair in matrix.pairs(_PAIRS)
        if {pair.first, pair.second} <= short and kept[pair.first] != kept[pair.second]
    )
    for pair in islice(chosen, _EXPLAINED):
        one, other = sources[pair.first], sources[pair.second]
        row = {
            "language": one.language.name,
            "reference_language": other.language.name,
            "candidate": kept[pair.first],
            "references": [kept[pair.second]],
            "origin": None,
            matrix.measure: float(matrix.values[pair.first, pair.second]),
        }
        explained = explain_row(row, {matrix.measure: matrix.compared_by})
        yield (
            f"{pair.first}-{pair.second}",
            explained | {"measures": explained["measures"][matrix.measure]},
        )
