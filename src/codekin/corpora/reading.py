"""read_corpus: a corpus from whatever form it is in."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, metadata
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step, is_corpus, load_corpus
from codekin.corpora.folder_files import ROW_BYTES, file_name, text_limit, too_large
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems, Snippet, snippet_of
from codekin.corpora.table_fields import (
    PAIR_FIELDS,
    SNIPPET_FIELDS,
    NamedColumns,
    fields_of_rows,
)
from codekin.errors import CodekinError, suggestion
from codekin.languages import get_language
from codekin.opening import MOST_CODE_BYTES, UnreadableFileError, open_file, read_file
from codekin.represent.text.detection import detect_language
from codekin.results import count_text, first_names
from codekin.runs.rows import open_rows
from codekin.source import decode

__all__ = ["CorpusFormat", "ReadOptions", "corpus_formats", "read_corpus", "read_pairs"]


@dataclass(frozen=True)
class ReadOptions:
    """What a reader may be told besides the path.

    Attributes
    ----------
    language : str or None
        Of the code, where the data does not say.
    files : Path or None
        The folder or file with the whole files that snippets were cut out of.
    columns : NamedColumns
        What the user says about the columns of tables.
    """

    language: str | None = None
    files: Path | None = None
    columns: NamedColumns = field(default_factory=NamedColumns)


@dataclass(frozen=True)
class CorpusFormat:
    """A form that corpora come in.

    Attributes
    ----------
    name : str
    summary : str
        What it is, in a line.
    recognizes : callable
        Whether a path looks like it.
    read : callable
        Makes a corpus of a path; its name and its first step are added by :func:`read_corpus`.
    """

    name: str
    summary: str
    recognizes: Callable[[Path], bool]
    read: Callable[[Path, ReadOptions], Corpus]


_BUILT_IN = (
    "codexglue",
    "astnn_layout",
    "bigclonebench",
    "bigcloneeval",
    "poj104",
    "codejam",
    "code_pairs",
    "rows",
    "gptclonebench",
    "code_folder",
)
"""Modules of corpora.formats, in the order in which they are tried."""
_VALUE_BYTES = 16
_SHOWN = 30
"""Columns that a message names at most."""
_PICKLES = (".pkl", ".pickle", ".pt", ".pth", ".joblib")
_GUESSED = 50
"""Snippets whose language is looked at where no row names one."""
_LARGER = {"c": "cpp", "javascript": "typescript"}
"""Languages whose programs are mostly programs of another one, too."""
_PLAIN_NAMES = ("snippets", "data", "")
"""Names of files that say nothing; a corpus has the name of their folder then."""


@cache
def corpus_formats() -> dict[str, CorpusFormat]:
    """The forms that :func:`read_corpus` knows, by name, and those of entry points.

    Examples
    --------
    >>> list(corpus_formats())[:3]
    ['codexglue', 'astnn', 'bigclonebench']
    """
    found = [import_module(f"codekin.corpora.formats.{name}").FORMAT for name in _BUILT_IN]
    added = sorted(metadata.entry_points(group="codekin.corpora"), key=lambda e: e.name)
    found += [entry.load() for entry in added]
    return {one.name: one for one in found}


def read_corpus(
    path: str | Path,
    *,
    form: str | None = None,
    pairs: str | Path | None = None,
    language: str | None = None,
    files: str | Path | None = None,
    columns: Mapping[str, str] | NamedColumns | None = None,
) -> Corpus:
    """Read a corpus of clones.

    Parameters
    ----------
    path : str or Path
        A corpus that codekin wrote, a file of snippets, or data in one of :func:`corpus_formats`.
    form : str, optional
        The form of the data; recognized by default.
    pairs : str or Path, optional
        A file of pairs, with ``id1``, ``id2`` and ``label``, in place of those of the data.
    language : str, optional
        Of code whose language the data does not say.
    files : str or Path, optional
        The whole files that snippets were cut out of.
    columns : mapping of str to str, or NamedColumns, optional
        Columns of tables that have other names than their fields, such as ``{"code": "func"}``.
        Those of several inputs are checked by who reads the last one.

    Raises
    ------
    CodekinError
        If nothing can be read from the path, if an id has two texts, or if a pair names a snippet
        that is not there; with the count and the first cases.
    """
    path = Path(path)
    if language is not None:
        get_language(language)  # an unknown name is an error even where nothing needs it
    shared = isinstance(columns, NamedColumns)
    named = columns if isinstance(columns, NamedColumns) else NamedColumns(columns or {})
    if form is None and is_corpus(path):
        corpus = load_corpus(path)
    else:
        place = None if files is None else Path(files)
        corpus = _read(path, form, ReadOptions(language, place, named))
    if pairs is not None:
        corpus = read_pairs(corpus, pairs, named)
    if not shared:
        named.check(path)
    return corpus


def _read(path: Path, name: str | None, options: ReadOptions) -> Corpus:
    for named in (path, options.files):
        if named is not None and not os.path.lexists(named):
            raise CodekinError(f"{named}: no such file or folder")
    try:
        form = _recognized(path, options.columns) if name is None else _named(name)
        found = form.read(path, options)
    except (OSError, csv.Error) as error:
        where = getattr(error, "filename", None) or path
        reason = getattr(error, "strerror", None) or error
        raise CodekinError(f"{where}: cannot be read ({reason})") from None
    if not found.snippets:
        raise CodekinError(f"{path}: has no snippets; is it {form.summary}?")
    name = file_name(path.name)
    given = {"form": form.name, "language": options.language, "path": name}
    own = found.steps[0] if found.steps else Step("")
    step = Step(
        "read",
        {key: value for key, value in given.items() if value is not None},
        {},
        found.counts | dict(own.after),
        own.notes,
        left_out=own.left_out,
    )
    stem = name.partition(".")[0]
    place = path.resolve()
    return Corpus(
        file_name(place.parent.name) if stem in _PLAIN_NAMES else stem or file_name(place.name),
        found.snippets,
        found.pairs,
        found.files,
        (step,),
    )


def _named(name: str) -> CorpusFormat:
    known = corpus_formats()
    if name not in known:
        raise CodekinError(
            f"unknown form {name!r}{suggestion(name, known)} (known: {', '.join(known)})"
        )
    return known[name]


def _recognized(path: Path, columns: NamedColumns) -> CorpusFormat:
    if path.suffix.lower() in _PICKLES:
        raise CodekinError(
            f"{path}: may be a pickle, which could run code when it is read; export it once where "
            f"you trust it: pandas.read_pickle('{path.name}').to_csv('{path.stem}.csv', "
            "index=False)"
        )
    if any(columns.given.get(field) for field in ("code1", "code2")):
        return _named("code_pairs")  # only a table of pairs has them, whatever their columns
    for one in corpus_formats().values():
        if one.recognizes(path):
            return one
    raise CodekinError(
        f"{path}: is in no known form; name one: codekin corpus read --form NAME "
        f"({', '.join(corpus_formats())})"
    )


def read_pairs(corpus: Corpus, path: str | Path, columns: NamedColumns | None = None) -> Corpus:
    """The corpus with the pairs of a file in place of its own."""
    problems = Problems(str(path))
    rows = pair_records(Path(path), problems, columns=columns)
    problems.check()
    found = Pairs.of_rows(rows, corpus.snippets, problems)
    problems.check()
    notes = list(problems.notes)
    if corpus.pairs is not None:
        notes.append(f"{count_text(len(corpus.pairs), 'pair')} of the data replaced by the file's")
    made = Corpus(corpus.name, corpus.snippets, found, corpus.files, (), corpus.vocabulary)
    step = Step("pairs of a file", {"path": Path(path).name}, notes=tuple(notes))
    return made.with_step(corpus, step)


def records(
    path: str | Path, problems: Problems, within: Path | None = None
) -> list[Mapping[str, object]]:
    """The rows of a file; those that cannot be read are problems.

    Parameters
    ----------
    path : path
        Of a file that the user named, or that lies in such a folder.
    problems : Problems
    within : Path, optional
        That folder.
    """
    with open_file(path, typed=within is None, within=within) as stream:
        limit = text_limit(os.fstat(stream.fileno()).st_size)
    found: list[Mapping[str, object]] = []
    for shard in open_rows(path, within=within).shards():
        for record in shard.records():
            if record.fields is None:
                where = record.where.removeprefix(f"{problems.where}, ")
                problems.add(_plain_problem(record.problem), where)
            else:
                limit -= ROW_BYTES + _text_size(record.fields)
                found.append(record.fields)
            if limit < 0:
                raise too_large(Path(path), text_limit(Path(path).stat().st_size))
    return found


def _text_size(value: object) -> int:
    """About how much memory a value takes."""
    if isinstance(value, str | bytes):
        return _VALUE_BYTES + len(value)
    if isinstance(value, Mapping):
        value = list(value.values())
    return _VALUE_BYTES + (sum(map(_text_size, value)) if isinstance(value, list) else 0)


def _plain_problem(problem: str) -> str:
    """What is wrong with a row, without the words of the parser of JSON.

    Examples
    --------
    >>> _plain_problem("not JSON: Expecting value at column 8")
    'not JSON from column 8 on'
    """
    found = re.fullmatch(r"not JSON: .* at column (\d+)", problem)
    return problem if found is None else f"not JSON from column {found[1]} on"


def pair_records(
    path: Path,
    problems: Problems,
    within: Path | None = None,
    columns: NamedColumns | None = None,
) -> list[Mapping[str, object]]:
    """The rows of a file of pairs by their fields; it has to have the columns of pairs."""
    found = records(path, problems, within)
    if not found and not problems:
        raise CodekinError(f"{path}: has no pairs; write rows with id1, id2 and label")
    return fields_of_rows(
        path,
        found,
        PAIR_FIELDS,
        problems,
        needed=("id1", "id2"),
        advice="pairs have id1, id2 and label",
        columns=columns,
    )


def require_columns(
    path: Path, rows: Sequence[Mapping[str, object]], names: Sequence[str], advice: str
) -> None:
    """Refuse rows that lack some columns; an empty input lacks none."""
    given = {name for row in rows[:100] for name in row}  # lines of JSON may leave some out
    missing = [name for name in names if rows and name not in given]
    if missing:
        raise CodekinError(
            f"{path}: has no column {' and '.join(missing)} in {count_text(len(rows), 'row')}, but "
            f"{first_names(sorted(given), _SHOWN)}; {advice}"
        )


def read_code(folder: Path, name: str) -> str:
    """The text of a file of code below a folder that the user named.

    Raises
    ------
    UnreadableFileError
        With the reason.
    """
    if ".." in Path(name).parts or Path(name).is_absolute():
        raise UnreadableFileError(name, "lies outside of the folder")
    data = read_file(folder / name, within=folder, limit=MOST_CODE_BYTES)
    try:
        return decode(data, name)
    except CodekinError as error:
        raise UnreadableFileError(name, str(error).removeprefix(f"{name}: ")) from None


def text_of(folder: Path, name: str, problems: Problems, shown: str | None = None) -> str | None:
    """The text of a file of code below a folder; None where it cannot be read, which is a problem.

    Parameters
    ----------
    folder : Path
        That the user named.
    name : str
        The path of the file in it.
    problems : Problems
    shown : str, optional
        What to call the file, if not by this path.
    """
    try:
        return read_code(folder, name)
    except UnreadableFileError as error:
        problems.add("a file that cannot be read", f"{shown or name}: {error.reason}")
        return None


def lines_between(text: str, start: int, end: int) -> str | None:
    r"""Some lines of a text by their numbers, from 1; None where it has no such lines.

    Lines end as Java counts them: a form feed, for one, does not end a line.

    Examples
    --------
    >>> lines_between("a\r\nb\fc\nd", 2, 3)
    'b\x0cc\nd'
    """
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
    return "".join(lines[start - 1 : end]) if 1 <= start <= end <= len(lines) else None


def guessed_language(codes: Sequence[str], problems: Problems) -> str | None:
    """The language of most of some snippets, noted; None where no language is that of most.

    A language whose programs mostly read as those of a smaller one, as C++ does, is taken where a
    single snippet needs it.
    """
    step = max(1, len(codes) // _GUESSED)
    looked = codes[::step][:_GUESSED]
    votes: Counter[str] = Counter()
    for code in looked:
        try:
            votes[detect_language(code).name] += 1
        except CodekinError:
            continue
    for smaller, larger in _LARGER.items():
        if votes[larger]:
            votes[larger] += votes.pop(smaller, 0)
    if not votes or 2 * votes.most_common(1)[0][1] <= len(looked):
        return None
    name, count = votes.most_common(1)[0]
    problems.note(
        f"language {name}, guessed from {count} of {count_text(len(looked), 'snippet')}; "
        "--language names another"
    )
    return name


def snippets_of_rows(
    paths: Sequence[Path], options: ReadOptions, problems: Problems, within: Path | None = None
) -> list[Snippet]:
    """A snippet per row of some files."""
    found = []
    for path in paths:
        rows = fields_of_rows(
            path,
            records(path, problems, within),
            SNIPPET_FIELDS,
            problems,
            needed=("code",),
            advice="snippets have code, language and, where known, id; a table of pairs has code1, "
            "code2 and label (--columns code1=NAME,code2=NAME)",
            columns=options.columns,
        )
        language = options.language
        if language is None and not any(row.get("language") for row in rows):
            codes = [code for row in rows if isinstance(code := row.get("code"), str)]
            language = guessed_language(codes, problems)
        for i, row in enumerate(rows, 1):
            given = row if language is None else {"language": language, **row}
            try:
                found.append(snippet_of(given, f"{path.name}:{i}"))
            except CodekinError as error:
                problems.add(str(error), f"{path.name}, row {i}")
    return found
