"""Only `codekin.opening` opens files: whatever else would read one is found in the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCES = Path("src/codekin")
OPENING = "opening.py"

FUNCTIONS = (
    *("open", "io.open", "io.open_code", "io.FileIO", "os.open", "os.fdopen", "os.popen"),
    *("codecs.open", "codecs.EncodedFile", "fileinput.*", "linecache.*", "mmap.mmap", "os.exec*"),
    *("gzip.open", "gzip.GzipFile", "bz2.open", "bz2.BZ2File", "lzma.open", "lzma.LZMAFile"),
    *(
        "zipfile.ZipFile",
        "zipfile.PyZipFile",
        "zipfile.Path",
        "zipfile.is_zipfile",
        "tarfile.*",
        "zipimport.*",
    ),
    *("shutil.copy*", "shutil.move", "shutil.unpack_archive", "os.sendfile", "os.copy_file_range"),
    *("json.load", "tomllib.load", "pickle.*", "marshal.load", "shelve.*", "dbm.*"),
    *("configparser.*", "sqlite3.connect", "runpy.*", "importlib.util.spec_from_file_location"),
    *("importlib.machinery.SourceFileLoader", "tokenize.open", "pathlib.Path.open"),
    *("numpy.load", "numpy.fromfile", "numpy.memmap", "numpy.loadtxt", "numpy.genfromtxt"),
    *("numpy.lib.format.open_memmap", "numpy.lib.format.read_array", "scipy.io.*"),
    *("pyarrow.memory_map", "pyarrow.OSFile", "pyarrow.input_stream", "pyarrow.dataset.*"),
    *("pyarrow.parquet.*", "pyarrow.csv.*", "pyarrow.json.*", "pyarrow.feather.*", "pyarrow.fs.*"),
    *("pandas.read_*", "polars.read_*", "polars.scan_*", "torch.load", "torch.jit.load"),
    *("safetensors.*", "joblib.load", "datasets.load_*", "subprocess.*", "os.system"),
    *(
        "sys.stdin.*",
        "urllib.request.*",
        "xml.*.parse",
        "yaml.*",
        "codekin.runs.rows.parquet.open_parquet",
    ),
)
"""What reads the file of a path, or starts a program, under its full name."""

METHODS = {
    *("open", "read_bytes", "read_text", "from_pretrained", "load_state_dict_from_url", "fromfile"),
    *("read_table", "read_schema", "read_metadata", "memory_map", "load_file", "read_parquet"),
    *("exec_module", "hardlink_to"),
}
"""Names of methods that read the file of a path, whatever the object is."""

HARMLESS = {
    *("pyarrow.parquet.write_table", "pyarrow.parquet.ParquetWriter", "pickle.dumps"),
    *("pickle.PicklingError", "pickle.HIGHEST_PROTOCOL", "subprocess.DEVNULL", "subprocess.PIPE"),
    *("subprocess.TimeoutExpired", "subprocess.SubprocessError", "subprocess.CalledProcessError"),
    "subprocess.CompletedProcess",
}

STREAMS = {
    *("open_file", "read_file", "read_stdin", "BytesIO", "BufferReader", "StringIO", "whole_file"),
    *("open_stream", "open_named"),  # of runs/rows/files.py
}
"""What makes a stream or bytes of what was opened by codekin.opening, of memory, or to write."""


class Place(NamedTuple):
    """A place that may read by itself."""

    file: str
    name: str
    why: str
    test: str


_WORKERS = "runs/workers.py"
_ZIPS = "scan/submission_files.py"
_EVAL_LOGS = "runs/rows/formats/inspect_log.py"
_OWN_WORKERS = "runs/test_workers.py::test_a_measure_that_prints_or_reads_does_no_harm"

EXCEPTIONS = (
    Place(
        *("whole_files.py", "os.open", "new files to write, and folders to sync and to lock"),
        "test_whole_files.py::test_a_name_that_is_taken_is_never_opened",
    ),
    Place(
        *("runs/rows/parquet.py", "pyarrow.parquet.ParquetFile", "a stream, as its callers show"),
        "runs/rows/test_files.py::test_links_are_followed_only_if_they_were_named",
    ),
    Place(
        *("runs/rows/texts.py", "gzip.GzipFile", "the stream that its caller has opened"),
        "runs/rows/test_texts_lines.py::test_nothing_is_read_after_a_line_that_only_a_bomb_has",
    ),
    *(
        Place(
            "represent/text/checkpoint.py",
            f"library.{kind}.from_pretrained",
            "transformers opens files of a folder by itself; each was opened and checked before",
            "represent/text/test_checkpoint.py::test_files_of_a_checkpoint_are_regular_ones",
        )
        for kind in ("AutoConfig", "AutoTokenizer", "AutoModel")
    ),
    Place(
        *(_ZIPS, "zipfile.ZipFile", "a stream, as its callers show, with a budget of entries"),
        "scan/test_submissions.py::test_many_files_in_zip_files_are_bounded",
    ),
    Place(
        *(_ZIPS, "archive.open", "an entry of an archive, with a budget of bytes"),
        "scan/test_submissions.py::test_zip_files_that_lie_about_their_sizes_are_bounded",
    ),
    Place(
        *(
            _EVAL_LOGS,
            "zipfile.ZipFile",
            "a stream that its caller opened, with a limit of entries",
        ),
        "runs/rows/formats/test_reading.py::test_eval_logs_that_would_fill_the_memory_are_bounded",
    ),
    Place(
        *(_EVAL_LOGS, "archive.open", "an entry of an archive, with a limit of bytes"),
        "runs/rows/formats/test_reading.py::test_eval_logs_that_would_fill_the_memory_are_bounded",
    ),
    Place(
        *("runs/rows/files.py", "sys.stdin.buffer", "rows on stdin, which have a limit each"),
        "runs/rows/test_files.py::test_stdin",
    ),
    Place(_WORKERS, "subprocess.Popen", "codekin's own worker processes", _OWN_WORKERS),
    Place(_WORKERS, "pickle.loads", "messages of codekin's own processes", _OWN_WORKERS),
    Place(_WORKERS, "os.fdopen", "the pipe between codekin's own processes", _OWN_WORKERS),
    Place(_WORKERS, "os.open", "/dev/null instead of stdin", _OWN_WORKERS),
    Place(_WORKERS, "mmap.mmap", "a file that the parent process made", _OWN_WORKERS),
    Place(
        *("scan/store.py", "sqlite3.connect", "an index, whose names are checked before and after"),
        "scan/test_store.py::test_files_of_an_index_are_regular_and_have_one_name",
    ),
    Place(
        *("scan/git_reading.py", "subprocess.Popen", "git, about a folder of codekin's own"),
        "scan/test_git_reading.py::test_nothing_in_a_repository_starts_a_program",
    ),
)


class Use(NamedTuple):
    """Something that reads, in a source file."""

    line: int
    name: str


class Finder(ast.NodeVisitor):
    """Finds what reads files, but for package data and streams that were opened already."""

    def __init__(self, tree: ast.Module) -> None:
        self.uses: list[Use] = []
        self._modules: dict[str, str] = {}
        self._known: list[dict[str, set[str]]] = []
        self._allowed: set[ast.expr] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    whole = name.name if name.asname else name.name.partition(".")[0]
                    self._modules[name.asname or whole] = whole
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for name in node.names:
                    self._modules[name.asname or name.name] = f"{node.module}.{name.name}"
        self._visit_scope(tree)

    def _visit_scope(self, scope: ast.Module | ast.FunctionDef) -> None:
        """Visit a function, in which a name is a stream if whatever it is bound to is one."""
        kinds: dict[str, set[str]] = {}
        self._known.append(kinds)
        for node in _nodes_of(scope):
            for target, value in _bindings(node):
                kinds.setdefault(target, set()).add(self._kind(value))
        for field, part in ast.iter_fields(scope):
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, ast.AST) and field != "returns":
                    self.visit(node)
        self._known.pop()

    def _kind(self, value: ast.expr | None) -> str:
        if value is None:
            return ""
        if self._is_resource(value):
            return "resource"
        return "stream" if self._is_stream(value) else ""

    def _name_is(self, name: str, kind: str) -> bool:
        bound = next((kinds[name] for kinds in reversed(self._known) if name in kinds), set())
        return bound == {kind}

    def _full_name(self, node: ast.expr) -> str:
        """The dotted name of an expression, with modules under their own names."""
        if isinstance(node, ast.Name):
            return self._modules.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{self._full_name(node.value)}.{node.attr}"
        return "?"

    def _is_resource(self, node: ast.expr) -> bool:
        """Whether an expression is a file of the package."""
        return any(
            (isinstance(part, ast.Call) and self._full_name(part.func) in _RESOURCES)
            or (isinstance(part, ast.Name) and self._name_is(part.id, "resource"))
            for part in ast.walk(node)
        )

    def _is_stream(self, node: ast.expr) -> bool:
        """Whether an expression is a stream or bytes that were opened by the one function."""
        if isinstance(node, ast.Name):
            return self._name_is(node.id, "stream")
        if not isinstance(node, ast.Call):
            return False
        name = self._full_name(node.func).rpartition(".")[2]
        if name == "enter_context" and node.args:
            return self._is_stream(node.args[0])
        return name in STREAMS

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Names are bound in a function."""
        self._visit_scope(node)

    def visit_arg(self, node: ast.arg) -> None:
        """Annotations are no code."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Annotations are no code."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """Allow a call that reads a stream instead of a path, package data, and writing."""
        name = self._full_name(node.func)
        arguments = [
            *node.args[:1],
            *(word.value for word in node.keywords if word.arg == "fileobj"),
        ]
        if any(map(self._is_stream, arguments)) and name != "open":
            self._allowed.add(node.func)
        if isinstance(node.func, ast.Attribute) and self._is_resource(node.func.value):
            self._allowed.add(node.func)
        if name in {"os.open", "os.fdopen"} and len(node.args) > 1 and _writes(node.args[1]):
            self._allowed.add(node.func)
        if name in {"getattr", "operator.methodcaller", "operator.attrgetter"}:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and argument.value in METHODS:
                    self.uses.append(Use(node.lineno, str(argument.value)))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Find a method or a function of a module, called or not."""
        name = self._full_name(node)
        if node not in self._allowed and (is_reading(name) or self._is_method(node)):
            self.uses.append(Use(node.lineno, name))
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """Find a function by itself."""
        name = self._full_name(node)
        if isinstance(node.ctx, ast.Load) and node not in self._allowed and is_reading(name):
            self.uses.append(Use(node.lineno, name))

    def _is_method(self, node: ast.Attribute) -> bool:
        return node.attr in METHODS and not self._full_name(node).startswith("codekin.")


def _nodes_of(scope: ast.AST) -> Iterator[ast.AST]:
    """What is in a function, without the functions in it."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, ast.FunctionDef):
            yield from _nodes_of(node)


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a statement binds, and to what, as far as that is plain."""
    pairs: list[tuple[ast.expr | None, ast.expr | None]] = []
    if isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    elif isinstance(node, ast.NamedExpr | ast.AnnAssign | ast.AugAssign):
        pairs = [(node.target, node.value)]
    elif isinstance(node, ast.With):
        pairs = [(item.optional_vars, item.context_expr) for item in node.items]
    elif isinstance(node, ast.For | ast.comprehension):
        pairs = [(node.target, None)]
    elif isinstance(node, ast.arg):
        yield node.arg, None
    for target, value in pairs:
        if isinstance(target, ast.Name):
            yield target.id, value


def _writes(node: ast.expr) -> bool:
    """Whether a mode or flags can only write."""
    names = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    modes = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return ("O_WRONLY" in names and not names & {"O_RDONLY", "O_RDWR"}) or modes == {"wb"}


_RESOURCES = {"importlib.resources.files", "importlib.resources.as_file"}


def is_reading(name: str) -> bool:
    return name not in HARMLESS and any(fnmatch(name, pattern) for pattern in FUNCTIONS)


def uses_in(text: str) -> list[Use]:
    return Finder(ast.parse(text)).uses


def all_uses() -> Iterator[tuple[str, Use]]:
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        if name != OPENING:
            for use in uses_in(path.read_text("utf-8")):
                yield name, use


def test_files_are_opened_by_one_function() -> None:
    allowed = {(place.file, place.name) for place in EXCEPTIONS}
    others = [
        f"{file}:{use.line}: {use.name}"
        for file, use in all_uses()
        if (file, use.name) not in allowed
    ]
    assert not others, "open files with codekin.opening: " + ", ".join(others)


def test_every_exception_is_used_and_has_a_test_of_its_own() -> None:
    used = {(file, use.name) for file, use in all_uses()}
    for place in EXCEPTIONS:
        assert (place.file, place.name) in used, f"{place.file} no longer needs {place.name}"
        file, _, test = place.test.partition("::")
        assert f"def {test}(" in Path("tests", file).read_text("utf-8"), place.test
        assert place.why


@pytest.mark.parametrize(
    "text",
    [
        "open('a')",
        "open(0)",
        "import io\nio.open('a')",
        "import io as x\nx.FileIO('a')",
        "from io import open as read\nread('a')",
        "import os\nos.open('a', 0)",
        "from os import fdopen\nfdopen(3)",
        "import sys\nsys.stdin.read()",
        "path.open()",
        "path.open('wb')",
        "path.read_bytes()",
        "Path('a').read_text('utf-8')",
        "list(map(Path.read_bytes, paths))",
        "getattr(path, 'read_bytes')()",
        "import operator\noperator.methodcaller('open')(path)",
        "import numpy as np\nnp.load(path)",
        "import numpy as np\nnp.memmap(path)",
        "import numpy\nnumpy.fromfile(path)",
        "from numpy import load\nload(path)",
        "import pyarrow.parquet as pq\npq.read_table(path)",
        "import pyarrow.parquet as pq\npq.read_schema(path)",
        "import pyarrow.parquet as pq\npq.ParquetFile(path)",
        "from pyarrow import parquet\nparquet.ParquetFile(path)",
        "import pyarrow.parquet\npyarrow.parquet.ParquetFile(path)",
        "import pyarrow as pa\npa.memory_map(path)",
        "import pyarrow.csv as c\nc.read_csv(path)",
        "import json\njson.load(file)",
        "import tomllib\ntomllib.load(file)",
        "import pickle\npickle.loads(data)",
        "from zipfile import ZipFile\nZipFile(path)",
        "import zipfile\nzipfile.ZipFile(path)",
        "import tarfile\ntarfile.open(path)",
        "import gzip\ngzip.open(path)",
        "import lzma\nlzma.LZMAFile(path)",
        "import bz2\nbz2.BZ2File(path)",
        "import mmap\nmmap.mmap(3, 0)",
        "import sqlite3\nsqlite3.connect(path)",
        "import torch\ntorch.load(path)",
        "AutoModel.from_pretrained(folder)",
        "import shutil\nshutil.copyfile(a, b)",
        "import shutil\nshutil.copytree(a, b)",
        "import linecache\nlinecache.getline(path, 1)",
        "import subprocess\nsubprocess.run(['cat', path])",
        "import os\nos.system('cat a')",
        "import importlib.util\nimportlib.util.spec_from_file_location('a', path)",
        "def f():\n    import runpy\n    runpy.run_path(path)",
        "import pandas as pd\npd.read_csv(path)",
        "from pathlib import Path\nPath.open(path)",
        "import numpy as np\nwith open_file(path) as stream:\n    np.load(path)",
        "with open_file(path) as stream:\n    open(stream)",
        "import numpy as np\nstream = open_file(a)\nstream = b\nnp.load(stream)",
        "import numpy as np\ndef f():\n    s = open_file(a)\ndef g(s):\n    np.load(s)",
        "import os\nos.open('a', os.O_RDWR)",
        "import os\nos.fdopen(3, 'r+b')",
    ],
)
def test_a_planted_call_is_found(text: str) -> None:
    assert uses_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "from codekin import opening\nopening.read_text(path, limit=9)",
        "from codekin.opening import read_text, read_json\nread_text(p, limit=9)\nread_json(p)",
        "from importlib import resources\nresources.files('codekin').joinpath('a').read_text()",
        "from importlib import resources\nf = resources.files('codekin') / 'a'\nf.read_bytes()",
        "from zipfile import ZipFile\nwith open_file(path) as s, ZipFile(s) as z:\n    pass",
        "import pyarrow as pa, pyarrow.parquet as pq\npq.ParquetFile(pa.BufferReader(data))",
        "import io, zipfile\nzipfile.ZipFile(io.BytesIO(data))",
        "import pyarrow.parquet as pq\npq.write_table(table, sink)",
        "import gzip, io\ngzip.GzipFile(fileobj=io.BytesIO(data))",
        "import json\njson.loads(text)",
        "import subprocess\nx = subprocess.DEVNULL",
        "import pyarrow.parquet as pq\ndef f(file: pq.ParquetFile) -> None:\n    x: pq.ParquetFile",
        "import os\nos.fdopen(os.open('a', os.O_WRONLY | os.O_CREAT), 'wb')",
    ],
)
def test_other_calls_are_allowed(text: str) -> None:
    assert not uses_in(text)
