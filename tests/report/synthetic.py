"""Runs of any size in a moment: made-up scores, written by the engine's own writer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from codekin import Run, measure
from codekin.measures import CorpusMeasure
from codekin.runs.manifest import FORMAT, describe_settings, versions
from codekin.runs.row import Row
from codekin.runs.seals import seal_manifest, sha256_of
from codekin.runs.settings import Settings
from codekin.runs.shard_table import ScoreColumns, file_bytes, shard_table

SHARD = 5000


def _short(number: int) -> tuple[str, str]:
    candidate, reference = (f"    return x + {number % base}\n" for base in (7, 9))
    return f"def f{number}(x):\n{candidate}", f"def f(x):\n{reference}"


def synthetic_run(
    folder: Path,
    rows: int,
    measures: Sequence[str] = ("nes", "jaccard", "chrf", "tsed"),
    groups: Sequence[str] = ("first", "second", "third"),
    texts: Callable[[int], tuple[str, str]] = _short,
) -> Run:
    """A run of so many rows, whose measures agree to some degree.

    `texts` gives the candidate and the reference of a row.
    """
    settings = Settings(tuple(measure(name) for name in measures))
    (folder / "shards").mkdir(parents=True)
    rng = np.random.default_rng(1)
    entries = []
    for index, first in enumerate(range(0, rows, SHARD)):
        count = min(SHARD, rows - first)
        made = []
        for i in range(first, first + count):
            candidate, reference = texts(i)
            made.append(
                Row(
                    id=f"row-{i}",
                    number=i,
                    candidate=candidate,
                    references=(reference,),
                    language="python",
                    reference_language="python",
                    group=groups[i % len(groups)],
                    outcome=float(i % 2),
                )
            )
        quality = rng.beta(4, 2, count)
        columns = {
            label: _column(settings.measures[j], np.clip(rng.normal(quality, 0.1), 0, 1))
            for j, label in enumerate(settings.labels)
        }
        data = file_bytes(shard_table(made, columns, texts=True), {"shard": index})
        name = f"shards/{index:06}.parquet"
        (folder / name).write_bytes(data)
        entries.append({"file": name, "rows": count, "failed": 0, "sha256": sha256_of(data)})
    manifest = {
        "format": FORMAT,
        "state": "complete",
        "rows": rows,
        "failed": 0,
        "records": rows,
        "notes": [],
        "recognized": {},
        "input": {"kind": "python"},
        "asked": {**describe_settings(settings), "on": None},
        "skipped": [],
        "versions": versions(),
        "shards": entries,
    }
    (folder / "manifest.json").write_text(json.dumps(seal_manifest(manifest)))
    return Run(folder)


def _column(one: object, values: np.ndarray) -> ScoreColumns:
    corpus = isinstance(one, CorpusMeasure)
    column = ScoreColumns(corpus=corpus)
    width = len(one.statistics(*_sources())) if isinstance(one, CorpusMeasure) else 0
    for value in values.tolist():
        parts = {"precision": value, "recall": round(1 - value, 3), "length": 120.0}
        column.add(value, parts, None, [float(round(9 * value) + 1)] * width if corpus else None)
    return column


def _sources():
    from codekin import Source

    source = Source("x", "python")
    return source, [source]
