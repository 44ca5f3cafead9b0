"""Check that every command still gives the same documents, and every measure the same scores.

Usage: ``python tools/same_documents.py freeze FOLDER [--codekin PATH]`` runs the command lines in
`COMMANDS`, two chains at a time, and keeps what each printed and wrote in FOLDER, with the inputs
(examples of the documentation, and code of this repository) and the scores of
``tools/same_scores.py``. ``python tools/same_documents.py compare FOLDER [--codekin PATH]`` runs
the same command lines on the same inputs, and prints the first difference of each document: where
in it, what was there and what is there now. Exits with 1 if anything differs, is gone, is new or
fails. PATH is the codekin that is run, by default that of this interpreter. ``--only WORD`` runs
the chains whose names contain a word, and no scores. ``--within 1e-9`` takes numbers as equal
that differ by no more, absolutely or relatively. ``--left WORD`` leaves out what left on purpose,
such as a measure: keys that begin with the word, and records that are named so.

A document is the standard output of a command, parsed where it is JSON, with its exit code; the
error of one that fails; and each file that it wrote or changed: JSON, tables of a Parquet file,
arrays, and otherwise text. Pages and sqlite files are only said to be there. `MACHINE` names what
depends on the machine and is left out. A command line that is written in another way now is
translated by `RENAMED`; what left on purpose is named in `GONE`, and is counted, not a difference.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import lzma
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
COMMANDS = Path(__file__).with_suffix(".txt")
"""The chains of command lines, each below its name in brackets."""

RENAMED: Mapping[str, str] = {}
"""What is written in another way now: words of a command line, and what they have become."""

GONE: Sequence[str] = (
    "align align/lorem-candidate.txt align/lorem-reference.txt --origin align/lorem.txt --unit",
    "calibrate run -m es,bleu --model trees",
)
"""The beginnings of command lines that have left on purpose: texts are not cut into sentences, and
a calibration is a regression."""

MACHINE = re.compile(
    r"sha256|seal|versions|codekin|created|mtime|microseconds|seconds|\w+_seconds(?<!max_seconds)"
)
"""Keys whose values depend on the machine, the moment or the version: they are left out."""

OPAQUE = {".html", ".sqlite", ".sqlite3", ".db", ".part", ".log", ".bin"}
"""Files that are only said to be there."""

INDEX = re.compile(r"^index([-/].*)?$")
"""Files of an index are how codekin remembers, not what it says."""

_TIME = re.compile(r"\b[\d,.]+ (s|ms|seconds?|rows/s)\b")
_VERSION = re.compile(r"codekin[- ]\d[\w.+]*")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["freeze", "compare"])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--codekin", type=Path, default=Path(sys.executable).with_name("codekin"))
    parser.add_argument(
        "--only", metavar="WORD", default="", help="chains whose names contain this"
    )
    parser.add_argument("--within", metavar="X", type=float, default=0.0, help="equal numbers")
    parser.add_argument("--left", metavar="WORD", action="append", help="left on purpose")
    options = parser.parse_args()
    codekin = options.codekin.absolute()
    started = time.monotonic()
    if options.what == "freeze":
        freeze(options.folder, codekin, options.only)
        found: Counter[str] = Counter()
    else:
        found = compare(options.folder, codekin, options)
    counts = ", ".join(f"{count} {kind}" for kind, count in found.items()) or "none"
    documents = sum(len(read_chain(file)["documents"]) for file in frozen_chains(options.folder))
    seconds = time.monotonic() - started
    print(f"{documents} documents in {seconds:.0f} s; differences: {counts}")
    sys.exit(any(kind != "gone on purpose" for kind in found))


def freeze(folder: Path, codekin: Path, only: str = "") -> None:
    """Run every chain, and keep its documents and the scores of all measures."""
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder}: is not empty; name a new folder")
    write_inputs(folder / "inputs")
    (folder / "documents").mkdir()
    chains = {name: lines for name, lines in read_commands().items() if only in name}
    for name, documents in run_chains(chains, folder / "inputs", codekin):
        chain = {"commands": chains[name], "documents": documents}
        text = json.dumps(chain, indent=1, sort_keys=True)
        place = folder / "documents" / f"{name}.json.gz"
        place.write_bytes(gzip.compress(text.encode(), mtime=0))
    if not only and same_scores(codekin, folder / "scores.json", "--write"):
        sys.exit("the scores were not written")


def compare(folder: Path, codekin: Path, options: argparse.Namespace) -> Counter[str]:
    """Run every frozen chain again, and print what differs; the differences, by kind."""
    files = {file.name.removesuffix(".json.gz"): file for file in frozen_chains(folder)}
    frozen = {name: read_chain(file) for name, file in files.items() if options.only in name}
    if not frozen:
        sys.exit(f"{folder}: has no documents; freeze them first")
    found: Counter[str] = Counter()
    commands = {name: chain["commands"] for name, chain in frozen.items()}
    for name, documents in run_chains(commands, folder / "inputs", codekin):
        before, after = (
            {label: without(document, options.left or ()) for label, document in side.items()}
            for side in (frozen[name]["documents"], documents)
        )
        for kind, line in document_differences(before, after, options.within):
            found[kind] += 1
            print(f"{kind}: {name}: {line}", flush=True)
    words = [word for name in options.left or () for word in ("--without", name)]
    if not options.only and same_scores(codekin, folder / "scores.json", *words):
        found["scores"] += 1
    return found


def read_commands() -> dict[str, list[str]]:
    """The command lines of each chain."""
    chains: dict[str, list[str]] = {}
    for line in filter(None, COMMANDS.read_text("utf-8").splitlines()):
        if line.startswith("["):
            chains[line.strip("[]").replace(" ", "-")] = commands = []
        elif not line.startswith("#"):
            commands.append(line)
    return chains


def frozen_chains(folder: Path) -> list[Path]:
    """The files of frozen chains."""
    return sorted((folder / "documents").glob("*.json.gz"))


def read_chain(file: Path) -> Any:
    """The commands of a frozen chain, and its documents."""
    return json.loads(gzip.decompress(file.read_bytes()))


def same_scores(codekin: Path, file: Path, *words: str) -> bool:
    """Whether the scores differ from those in a file."""
    tool = Path(__file__).with_name("same_scores.py")
    python = codekin.with_name("python")
    return bool(subprocess.run([python, tool, file, *words], check=False).returncode)


def without(document: Any, words: Sequence[str]) -> Any:
    """A document without keys that begin with a word, and without records that are named so."""
    if isinstance(document, dict):
        return {
            key: without(value, words)
            for key, value in document.items()
            if re.split(r"[ .:]", key)[0] not in words
        }
    if isinstance(document, list):
        return [
            without(value, words)
            for value in document
            if not (isinstance(value, dict) and any(value.get(key) in words for key in _NAMES))
        ]
    return document


_NAMES = ("measure", "name", "label")
"""The keys by which records are named."""


def document_differences(
    before: Mapping[str, Any], after: Mapping[str, Any], within: float = 0.0
) -> Iterator[tuple[str, str]]:
    """Each document that differs: the kind of difference, and the first one in words."""
    for name, document in before.items():
        if after.get(name) == {"gone": True}:
            yield "gone on purpose", name
        elif name not in after:
            yield "gone", name
        elif _fails(after[name]) and not _fails(document):
            yield "failing", f"{name}\n    {' '.join(after[name]['error'])}"
        elif difference := first_difference(document, after[name], within):
            place, was, now = difference
            yield "different", f"{name}\n    {place}: {was} -> {now}"
    for name in after:
        if name not in before:
            yield "new", name


def _fails(document: Any) -> bool:
    return isinstance(document, dict) and "error" in document and "exit code" in document


def first_difference(
    before: Any, after: Any, within: float = 0.0, place: str = "$"
) -> tuple[str, str, str] | None:
    """Where two documents first differ, and what each has there.

    Examples
    --------
    >>> first_difference({"a": [1, 2]}, {"a": [1, 3]})
    ('$.a[1]', '2', '3')
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            if key not in before or key not in after:
                was, now = before.get(key, _NOTHING), after.get(key, _NOTHING)
                return f"{place}.{key}", _shown(was), _shown(now)
            if difference := first_difference(before[key], after[key], within, f"{place}.{key}"):
                return difference
        return None
    if isinstance(before, list) and isinstance(after, list):
        for number, (was, now) in enumerate(zip(before, after, strict=False)):
            if difference := first_difference(was, now, within, f"{place}[{number}]"):
                return difference
        if len(before) != len(after):
            return f"{place}.length", str(len(before)), str(len(after))
        return None
    if json.dumps(before) == json.dumps(after):  # 1 is not 1.0, and NaN is NaN
        return None
    if within and _are_close(json.dumps(before), json.dumps(after), within):
        return None
    return place, _shown(before), _shown(after)


_NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def _are_close(before: str, after: str, within: float) -> bool:
    """Whether two texts are equal but for numbers that are nearly so."""
    if _NUMBER.sub("0", before) != _NUMBER.sub("0", after):
        return False
    numbers = zip(_NUMBER.findall(before), _NUMBER.findall(after), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=within, abs_tol=within) for a, b in numbers)


_NOTHING = object()


def _shown(value: Any) -> str:
    text = "nothing" if value is _NOTHING else json.dumps(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def run_chains(
    chains: Mapping[str, Sequence[str]], inputs: Path, codekin: Path
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the documents of each chain, in the order of their names."""
    with ThreadPoolExecutor(2) as pool:
        running = {
            name: pool.submit(run_chain, commands, inputs, codekin)
            for name, commands in chains.items()
        }
        for name in sorted(running):
            yield name, running[name].result()


def run_chain(commands: Sequence[str], inputs: Path, codekin: Path) -> dict[str, Any]:
    """Run command lines one after the other, and collect their documents."""
    documents: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        shutil.copytree(inputs, folder)
        before = file_states(folder)
        for number, command in enumerate(commands, 1):
            label = f"{number:02} {command}"
            if command.startswith(tuple(GONE)):
                documents[f"{label} (output)"] = {"gone": True}
                continue
            documents[f"{label} (output)"] = printed(translated(command), folder, codekin)
            after = file_states(folder)
            for path in sorted(after):
                if after[path] != before.get(path) and not INDEX.match(path):
                    documents[f"{label} ({path})"] = normalised(contents(folder / path), folder)
            before = after
    return documents


def translated(command: str) -> str:
    """A command line as it is written now."""
    for was, now in RENAMED.items():
        command = re.sub(rf"(?<!\S){re.escape(was)}(?!\S)", now, command)
    return command


def printed(command: str, folder: Path, codekin: Path) -> Any:
    """What a command prints, with its exit code; the error if it fails."""
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [codekin, *shlex.split(command)],
        cwd=folder,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith("CODEKIN")},
            **{"COLUMNS": "100", "NO_COLOR": "1", "HOME": str(home), "LC_ALL": "C.UTF-8"},
            "XDG_CACHE_HOME": str(home / "cache"),
        },
    )
    found: dict[str, Any] = {"exit code": done.returncode}
    text = done.stdout.decode(errors="replace")
    try:
        found["document"] = json.loads(text)
    except ValueError:
        found["lines"] = text.splitlines()
    if done.returncode > 1:
        found["error"] = done.stderr.decode(errors="replace").splitlines()
    return normalised(found, folder)


def file_states(folder: Path) -> dict[str, str]:
    """A digest of each file in a folder, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def contents(path: Path) -> Any:
    """What a file holds, as a document."""
    if path.suffix in OPAQUE:
        return "a file"
    data = path.read_bytes()
    if path.suffix == ".parquet":
        return _table(data)
    if path.suffix == ".npz":
        return _arrays(data)
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".xz":
        data = lzma.decompress(data)
    text = data.decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return text.splitlines()


def _table(data: bytes) -> dict[str, Any]:
    """The columns of a Parquet file, with their types; its metadata may be digests."""
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(data))
    return {
        f"{field.name} ({field.type})": table.column(number).to_pylist()
        for number, field in enumerate(table.schema)
    }


def _arrays(data: bytes) -> dict[str, Any]:
    """The shape, type and digest of each array in a file."""
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {
            name: [str(array.dtype), list(array.shape), hashlib.sha256(array.tobytes()).hexdigest()]
            for name, array in arrays.items()
        }


def normalised(value: Any, folder: Path) -> Any:
    """A document without what depends on the machine: `MACHINE`, paths, times and versions."""
    if isinstance(value, dict):
        return {
            str(key): normalised(inner, folder)
            for key, inner in value.items()
            if not MACHINE.fullmatch(str(key))
        }
    if isinstance(value, list | tuple):
        return [normalised(inner, folder) for inner in value]
    if isinstance(value, str):
        text = value.replace(str(folder), "FOLDER").replace(str(folder.parent), "FOLDER/..")
        return _TIME.sub("TIME", _VERSION.sub("codekin-VERSION", text))
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, int | float | bool | None) else str(value)


def write_inputs(folder: Path) -> None:
    """Write what the command lines read: examples, shipped rows, and code to scan."""
    shutil.copytree(ROOT / "docs" / "examples", folder)
    source = ROOT / "src" / "codekin"
    for room in ("align", "statistics", "rewrite"):
        shutil.copytree(
            source / room, folder / "code" / room, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copytree(ROOT / "native" / "align", folder / "code" / "native")
    for name in ("demo", "demo_edits", "programs"):
        shutil.copy(source / "data" / f"{name}.jsonl", folder)
    programs = _rows(folder / "programs.jsonl")
    lines = ["id,language,code", *(_csv_line(row) for row in programs[:9])]
    (folder / "programs.csv").write_text("\n".join(lines) + "\n", "utf-8")
    snippets = _rows(folder / "clones" / "snippets.jsonl")
    _write_rows(folder / "pairs.jsonl", _pairs(snippets))
    java = [row for row in _rows(folder / "demo.jsonl") if row["language"] == "java"]
    keys = ("id", "language", "candidate", "reference")
    _write_rows(folder / "java.jsonl", [{key: row[key] for key in keys} for row in java])
    orders = (folder / "shop" / "orders.py").read_text("utf-8")
    (folder / "snippet.py").write_text(orders.partition("\n\n\n")[2], "utf-8")
    _write_rows(folder / "tagged.jsonl", _tagged(snippets))
    again = [{**row, "id": f"{row['id']}-{copy}"} for row in snippets for copy in range(4)]
    _write_rows(folder / "many.jsonl", again)
    _write_broken(folder / "broken.jsonl")
    for file in (folder / "submissions").iterdir():
        place = folder / "students" / file.stem
        place.mkdir(parents=True)
        shutil.copy(file, place / f"answer{file.suffix}")
    (folder / "dates.csv").write_text("student,date\nada,2026-01-02\nben,2026-01-03\n", "utf-8")
    (folder / "grid.toml").write_text(_GRID, "utf-8")


_GRID = """\
[pairs]
train = 120
validation = 40
test = 40

[[corpora]]
name = "examples"
path = "clones/snippets.jsonl"

[[experiments]]
corpora = ["examples"]
detectors = ["linear", "mlp"]
views = ["random", "cross-functionality"]
levels = [0, "abs"]
"""


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _pairs(snippets: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Some pairs of snippets that a detector can be asked about."""
    pairs = zip(snippets[::3], snippets[1::3], strict=False)
    return [
        {
            "id": f"p{number}",
            "language": first["language"],
            "candidate": first["code"],
            "reference": second["code"],
        }
        for number, (first, second) in enumerate(pairs)
    ]


def _tagged(snippets: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Snippets as judges tag them: the first of each functionality is its example."""
    seen: Counter[str] = Counter()
    rows = []
    for row in snippets:
        number = seen[row["functionality"]]
        seen[row["functionality"]] += 1
        role = "example" if number < 2 else row["role"]
        rows.append({**row, "role": role, "judges": 1 + number % 3, "confidence": number % 4})
    return rows


def _write_rows(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _csv_line(row: Mapping[str, Any]) -> str:
    quoted = (str(row[key]).replace('"', '""') for key in ("id", "language", "code"))
    return ",".join(f'"{text}"' for text in quoted)


def _write_broken(file: Path) -> None:
    """Rows with the faults that rows have."""
    code = "def f(a):\n    return a + 1\n"
    row = {"id": "1", "language": "python", "candidate": code, "reference": code}
    lines = [
        json.dumps(row),
        "{not JSON",
        json.dumps({**row, "id": "2", "candidate": None}),
        json.dumps({**row, "id": "3", "reference": 7}),
        json.dumps({**row, "id": "4", "language": "cobol"}),
        json.dumps({**row, "id": "1"}),
        json.dumps({**row, "id": "5", "candidate": "def f(:\n"}),
        json.dumps({**row, "id": "6", "references": [code, "def g(): pass\n"]}),
        json.dumps({"id": "7", "candidate": code}),
        '{"id": "8", "language": "python", "candidate": "x = \\ud800", "reference": "x = NaN"}',
        "[]",
        "",
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
