"""Corpus: snippets and pairs with the record of how they were made, kept as a folder."""

from __future__ import annotations

import hashlib
import io
import json
import operator
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from codekin._version import __version__
from codekin.corpora.folder_files import ROW_BYTES, left_out_notes, text_limit, too_large
from codekin.corpora.labelled_pairs import PAIR_TEXTS, Pairs
from codekin.corpora.snippets import ROLES, SIDES, Problems, Role, Snippet
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.opening import UnreadableFileError, open_file, read_json
from codekin.results import LEFT_OUT, Grid, Names, Result
from codekin.runs.rows.parquet import open_parquet, read_parquet
from codekin.whole_files import whole_file, whole_folder

__all__ = ["Corpus", "Step", "is_corpus", "load_corpus", "save_corpora"]

FORMAT = 1
_MANIFEST, _SNIPPETS, _PAIRS, _FILES = (
    "manifest.json",
    "snippets.parquet",
    "pairs.parquet",
    "files.parquet",
)
_ROLE = pa.struct(
    [
        ("functionality", pa.string()),
        ("kind", pa.string()),
        ("judges", pa.int32()),
        ("confidence", pa.int32()),
    ]
)
_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("language", pa.string()),
        ("code", pa.large_string()),
        ("roles", pa.list_(_ROLE)),
        ("project", pa.string()),
        ("file", pa.string()),
        ("side", pa.string()),
    ]
)
_LINES = (pa.field("first_line", pa.int32()), pa.field("last_line", pa.int32()))
"""Columns of a table of snippets that know their lines."""


_PAIR_BYTES = 20
_LARGEST = 5
"""Functionalities that a notebook names."""


@dataclass(frozen=True)
class Step:
    """Something that was done to a corpus.

    Attributes
    ----------
    name : str
        Of the function, such as ``split``.
    parameters : mapping
        What decided the result, seed included.
    before, after : mapping of str to int
        What there was, and what came out of it: snippets, pairs and whatever the step counts.
    notes : tuple of str
        What a reader must know: what was dropped, what was missing.
    parents : tuple of (str, str)
        Names and fingerprints of the corpora that it was made from.
    left_out : mapping of str to str
        Files that were not read, by name, with the reason.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    parents: tuple[tuple[str, str], ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The step as the manifest has it."""
        content = {
            "step": self.name,
            "parameters": dict(self.parameters),
            "before": dict(self.before),
            "after": dict(self.after),
            "notes": list(self.notes),
            "parents": [{"name": name, "fingerprint": mark} for name, mark in self.parents],
        }
        return content | ({"left_out": dict(self.left_out)} if self.left_out else {})

    def remarks(self) -> list[str]:
        """The notes, and what was left out."""
        return [*self.notes, *left_out_notes(self.left_out)]

    @classmethod
    def from_document(cls, given: Mapping[str, Any]) -> Step:
        """The step that a manifest describes."""
        return cls(
            str(given["step"]),
            dict(given["parameters"]),
            {str(name): operator.index(count) for name, count in given["before"].items()},
            {str(name): operator.index(count) for name, count in given["after"].items()},
            tuple(map(str, given["notes"])),
            tuple((str(one["name"]), str(one["fingerprint"])) for one in given["parents"]),
            {str(name): str(reason) for name, reason in given.get("left_out", {}).items()},
        )


@dataclass(frozen=True, eq=False)
class Corpus(Result):
    """Snippets of code and, where there are any, labelled pairs of them.

    Attributes
    ----------
    name : str
    snippets : tuple of Snippet
        Each with an id of its own.
    pairs : Pairs or None
    files : mapping of str to str
        Whole files that snippets were cut out of, by their names.
    steps : tuple of Step
        Everything that made it, in order.
    vocabulary : mapping of str to str
        Names that an abstraction replaced, for new code to be abstracted alike.
    """

    computed: ClassVar[Mapping[str, str]] = {"pairs?": "pair_records"}

    name: str
    snippets: tuple[Snippet, ...]
    pairs: Pairs | None = field(default=None, metadata=LEFT_OUT)
    files: Mapping[str, str] = field(default_factory=dict, repr=False)
    steps: tuple[Step, ...] = ()
    vocabulary: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.snippets)

    def __repr__(self) -> str:
        pairs = "" if self.pairs is None else f", {len(self.pairs):,} pairs"
        return f"<Corpus {self.name}: {len(self):,} snippets{pairs}>"

    def grids(self) -> list[Grid]:
        """What it has, and how it was made."""
        sizes = self.sizes()
        facts: dict[str, object] = {
            **self.counts,
            "languages": ", ".join(sorted({one.language for one in self.snippets})),
            "functionalities": len(sizes),
            "largest": ", ".join(f"{name} {size:,}" for name, size in sizes.most_common(_LARGEST)),
            "whole files": len(self.files),
            "steps": ", ".join(step.name for step in self.steps),
        }
        shown = tuple((name, fact) for name, fact in facts.items() if fact or name in self.counts)
        return [Grid(f"Corpus {self.name}", ("", ""), shown)]

    def table(self) -> Grid:
        """One record per snippet, with the functionalities that it has.

        Examples
        --------
        >>> corpus = Corpus("one", (Snippet("a", "c", "int x;", (Role("declare"),)),))
        >>> corpus.table().records()[0]["functionalities"]
        'declare'
        """
        before, after = ("id", "language"), ("project", "file", "side", "code")
        cells = tuple(
            (
                *(getattr(one, name) for name in before),
                Names(one.functionalities),
                *(getattr(one, name) for name in after),
            )
            for one in self.snippets
        )
        return Grid("", (*before, "functionalities", *after), cells)

    @property
    def pair_records(self) -> list[dict[str, Any]] | None:
        """The pairs, for the document; None where there are none."""
        return None if self.pairs is None else self.pairs.records

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each snippet, by id."""
        return {one.id: i for i, one in enumerate(self.snippets)}

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits of everything in it but its history."""
        digest = hashlib.sha256()
        for _, data in _contents(self):
            digest.update(hashlib.sha256(data).digest())
        return digest.hexdigest()[:16]

    @property
    def counts(self) -> dict[str, int]:
        """How much there is of everything."""
        found = {"snippets": len(self)}
        if self.pairs is not None:
            found |= {"pairs": len(self.pairs), "clones": self.pairs.positives}
        return found

    def sizes(self) -> Counter[str]:
        """The number of snippets that have each functionality, most frequent first."""
        found = Counter(name for one in self.snippets for name in one.functionalities)
        return Counter(dict(found.most_common()))

    def with_step(self, before: Corpus, step: Step) -> Corpus:
        """The corpus with one more step after those of the corpus that it was made from."""
        done = replace(
            step,
            before=before.counts | dict(step.before),
            after=self.counts | dict(step.after),
            parents=step.parents or ((before.name, before.fingerprint),),
        )
        return replace(self, steps=(*before.steps, done))

    def keep(self, chosen: Sequence[int] | Iterable[int]) -> Corpus:
        """Only some snippets, by position and in that order, with the pairs among them."""
        order = list(chosen)
        places = np.full(len(self), -1, np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        pairs = None if self.pairs is None else self.pairs.moved(places)
        return replace(self, snippets=tuple(self.snippets[i] for i in order), pairs=pairs)

    def save(self, path: str | Path) -> None:
        """Write it to a new folder, which :func:`codekin.read_corpus` reads.

        The folder has Parquet tables and ``manifest.json``, with every step that made the corpus.
        The same corpus gives the same bytes. All of the folder appears at once, or nothing does.

        Raises
        ------
        CodekinError
            If there is something at the path already, or it cannot be written.
        """
        check_free(Path(path))
        with whole_folder(Path(path)) as folder:
            _write(self, folder)


def is_corpus(path: str | Path) -> bool:
    """Whether a folder is a corpus that codekin wrote."""
    try:
        with open_file(Path(path, _MANIFEST), within=path) as stream:
            return b'"codekin-corpus"' in stream.read(200)
    except UnreadableFileError:
        return False


def save_corpora(corpora: Mapping[str, Corpus], path: str | Path) -> None:
    """Write several corpora, such as the rotations of a view, to folders in a new folder.

    Either all of them appear, or nothing does.

    Parameters
    ----------
    corpora : mapping of str to Corpus
        By the names of their folders.
    path : str or Path

    Raises
    ------
    CodekinError
        If there is something at the path already, or it cannot be written.
    """
    check_free(Path(path))
    with whole_folder(Path(path)) as folder:
        for name, corpus in corpora.items():
            (folder / name).mkdir()
            _write(corpus, folder / name)


def _write(corpus: Corpus, folder: Path) -> None:
    files = {}
    for name, data in _contents(corpus):
        with whole_file(folder / name) as stream:
            stream.write(data)
        files[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    with whole_file(folder / _MANIFEST) as stream:
        stream.write(_manifest(corpus, files).encode())


def check_free(path: Path) -> None:
    """Refuse a path where there is something already."""
    if path.is_dir() and not any(path.iterdir()):
        return
    if path.exists() or path.is_symlink():
        what = "is a corpus already" if is_corpus(path) else "exists already"
        raise CodekinError(f"{path}: {what}, and nothing is overwritten; name a new folder")


def _manifest(corpus: Corpus, files: Mapping[str, Any]) -> str:
    content = {
        "kind": "codekin-corpus",
        "format": FORMAT,
        "codekin": __version__,
        "name": corpus.name,
        "fingerprint": corpus.fingerprint,
        "counts": corpus.counts,
        "steps": [one.document() for one in corpus.steps],
        "vocabulary": dict(corpus.vocabulary),
        "files": dict(files),
    }
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def _contents(corpus: Corpus) -> Iterator[tuple[str, bytes]]:
    """The files of the folder other than the manifest, in a fixed order."""
    yield _SNIPPETS, _parquet(_snippet_table(corpus.snippets))
    if corpus.pairs is not None:
        yield _PAIRS, _parquet(corpus.pairs.to_arrow(corpus.snippets))
    if corpus.files:
        names = sorted(corpus.files)
        texts = pa.array([corpus.files[name] for name in names], pa.large_string())
        yield _FILES, _parquet(pa.table({"file": pa.array(names, pa.string()), "text": texts}))


def _snippet_table(snippets: Sequence[Snippet]) -> pa.Table:
    columns = {
        name: [getattr(one, name) for one in snippets]
        for name in ("id", "language", "code", "project", "file", "side")
    }
    columns["roles"] = [[role._asdict() for role in one.roles] for one in snippets]
    schema = _SCHEMA
    if any(snippet.lines for snippet in snippets):
        for i, place in enumerate(_LINES):
            schema = schema.append(place)
            columns[place.name] = [s.lines[i] if s.lines else None for s in snippets]
    return pa.table([pa.array(columns[one.name], one.type) for one in schema], schema=schema)


def _parquet(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd", compression_level=3, row_group_size=1 << 20)
    return stream.getvalue()


def load_corpus(path: str | Path) -> Corpus:
    """Read a folder that :meth:`Corpus.save` wrote.

    Raises
    ------
    CodekinError
        If there is no corpus, or if it was damaged or changed since it was written.
    """
    path = Path(path)
    manifest = _read_manifest(path)
    try:
        return _loaded(path, manifest)
    except (AttributeError, KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise CodekinError(
            f"{path}: is not as codekin writes a corpus ({type(error).__name__}: {error}); build "
            "it again"
        ) from None


def _loaded(path: Path, manifest: Mapping[str, Any]) -> Corpus:
    tables = {
        name: _read_table(path / name, path, str(expected["sha256"]))
        for name, expected in manifest["files"].items()
    }
    snippets = tuple(_snippets(tables[_SNIPPETS]))
    pairs, problems = None, Problems(str(path / _PAIRS))
    if _PAIRS in tables:
        pairs = Pairs.from_arrow(tables[_PAIRS], snippets, problems)
        problems.check()
    files = {}
    if _FILES in tables:
        table = tables[_FILES]
        files = dict(zip(*(table.column(c).to_pylist() for c in ("file", "text")), strict=True))
    return Corpus(
        str(manifest["name"]),
        snippets,
        pairs,
        files,
        tuple(Step.from_document(one) for one in manifest["steps"]),
        dict(manifest["vocabulary"]),
    )


def _read_table(place: Path, folder: Path, sha256: str) -> pa.Table:
    """A table of the folder, if it is the one that was written, and not larger than is read."""
    with open_file(place, within=folder) as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
            raise CodekinError(
                f"{place}: was damaged or changed since the corpus was written; build it again"
            )
        limit = text_limit(os.fstat(stream.fileno()).st_size)
        stream.seek(0)
        file = open_parquet(stream)
        pairs = place.name == _PAIRS
        groups = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
        least = (_PAIR_BYTES if pairs else ROW_BYTES) * file.metadata.num_rows
        if least + sum(group.total_byte_size for group in groups) > limit:
            raise too_large(place, limit)
        if pairs:  # whose texts stay in dictionaries
            texts = [name for name in PAIR_TEXTS if name in file.schema_arrow.names]
            return open_parquet(stream, read_dictionary=texts).read(use_threads=False)
        if any("dictionary<" in str(column.type) for column in file.schema_arrow):
            raise ValueError("its texts are in dictionaries")
        try:
            return read_parquet(stream, file, None, limit)
        except (MemoryError, ValueError) as error:
            why = str(error) or "there is too little memory"
            raise UnreadableFileError(place, f"cannot be read ({why})") from None


def _read_manifest(path: Path) -> dict[str, Any]:
    place = path / _MANIFEST
    content = read_json(place, within=path)
    if not isinstance(content, dict) or content.get("kind") != "codekin-corpus":
        raise CodekinError(
            f"{path}: is not a corpus that codekin wrote; convert it with codekin corpus read"
        )
    if content.get("format") != FORMAT:
        raise CodekinError(
            f"{path}: is in format {content.get('format')!r}, and this codekin reads {FORMAT}"
        )
    files = content.get("files")
    known = {_SNIPPETS, _PAIRS, _FILES}
    if not isinstance(files, dict) or _SNIPPETS not in files or not known >= set(files):
        raise CodekinError(f"{place}: does not list the files of a corpus; build it again")
    return content


def _snippets(table: pa.Table) -> Iterator[Snippet]:
    names = ("id", "language", "code", "roles", "project", "file", "side")
    columns = [table.column(name).cast(_SCHEMA.field(name).type).to_pylist() for name in names]
    for name in ("id", "language", "code"):
        if table.column(name).null_count:
            raise ValueError(f"a snippet without {name}")
    for language in set(columns[1]):
        get_language(language)
    if len(set(columns[0])) < len(table):
        raise ValueError("two snippets have the same id")
    lines: list[Any] = [None] * len(table)
    if set(table.column_names) >= {place.name for place in _LINES}:
        ends = [table.column(place.name).cast(place.type).to_pylist() for place in _LINES]
        lines = [None if None in pair else pair for pair in zip(*ends, strict=True)]
    for identity, language, code, roles, project, file, side, place in zip(
        *columns, lines, strict=True
    ):
        kinds = tuple(Role(**role) for role in roles)
        if side not in (None, *SIDES) or not all(map(_is_role, kinds)):
            raise ValueError(f"snippet {identity} has an unknown side or role")
        yield Snippet(identity, language, code, kinds, project, file, side, place)


def _is_role(role: Role) -> bool:
    return role.functionality is not None and role.kind in (None, *ROLES)
