"""BigCloneBench as ASTNN has it: bcb_funcs_all.tsv, and pairs with the type of clone as label."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from codekin.corpora.corpus import Corpus
from codekin.corpora.folder_files import MOST_LINE_BYTES, lines_of
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, pair_records
from codekin.corpora.snippets import Problems, Snippet, merged
from codekin.errors import CodekinError

__all__ = ["FORMAT"]

_FUNCTIONS, _PAIRS = "bcb_funcs_all.tsv", "bcb_pair_ids"
_TYPES = {"1": "T1", "2": "T2", "3": "ST3", "4": "MT3", "5": "WT3/T4"}


def _recognizes(path: Path) -> bool:
    return os.path.lexists(path / _FUNCTIONS)


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    snippets = merged(_functions(path / _FUNCTIONS, problems), problems)
    problems.check()
    places = sorted(path.glob(f"{_PAIRS}.csv*"))
    if not places and (path / f"{_PAIRS}.pkl").is_file():
        raise CodekinError(
            f"{path / _PAIRS}.pkl: is a pickle, which could run code when it is read; export it "
            f"once where you trust it: pandas.read_pickle('{_PAIRS}.pkl').to_csv('{_PAIRS}.csv', "
            "index=False)"
        )
    pairs = None
    if places:
        rows = map(_typed, pair_records(places[0], problems, path))
        pairs = Pairs.of_rows(rows, snippets, problems)
        problems.check()
    return Corpus("", tuple(snippets), pairs)


def _functions(path: Path, problems: Problems) -> Iterator[Snippet]:
    before = csv.field_size_limit(MOST_LINE_BYTES)  # of all readers, so it is put back
    try:
        lines = lines_of(path, within=path.parent)
        for i, fields in enumerate(csv.reader(lines, delimiter="\t"), 1):
            if len(fields) == 2 and fields[0].strip():
                yield Snippet(fields[0].strip(), "java", fields[1])
            elif fields:
                problems.add("a line without an id and a function", f"{path.name}, line {i}")
    finally:
        csv.field_size_limit(before)


def _typed(row: Mapping[str, object]) -> Mapping[str, object]:
    """The pair with the type that its label is the number of."""
    return {**row, "type": row.get("type") or _TYPES.get(str(row.get("label")))}


FORMAT = CorpusFormat(
    "astnn",
    f"the folder of ASTNN's BigCloneBench: {_FUNCTIONS} and {_PAIRS}.csv",
    _recognizes,
    _read,
)
