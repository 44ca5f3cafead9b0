"""Count what makes the source tree hard to find one's way in, to compare it before and after.

Usage: ``python tools/house.py [ROOT] [--list] [--json] [--trace]``. ROOT is a checkout, by default
the one that this file is in. Files are parsed, never imported, except under ``--trace``. ``--list``
names what was counted, ``--json`` prints all of it.

**Single importers** are modules that exactly one other module of the package imports. ``__init__``
and ``__main__`` modules are not counted, nor are entries of a table: a command, a language, a
registered measure, a judgement, a corpus reader or a detector is a file of its own however few
import it. `TABLE_ENTRIES` lists them as patterns of paths; a measure is registered if it has a
class with a ``summary``. An import counts wherever it is written: in a function, under
TYPE_CHECKING, or as text (``"codekin.x.y"``, ``"codekin.x.y:Name"``, ``"from codekin.x import
y"``). A name imported from a package is an import of the module that the package's ``__init__``
takes it from. The ``__init__`` that re-exports it is an importer, too; the ``__init__.pyi`` beside
it, which lists the public names, is read with it, but its lines are not counted.

**Rooms** are the folders below ``src/codekin`` and the modules beside them. **Options** are those
that the functions with the decorator ``@command`` take, whether by an alias, a dataclass of options
or a function that declares one. The **places of a setting** are the top-level definitions in
`SETTING_ROOMS`, and the pages of the documentation, that name it; the settings are the keys of
``describe_settings``, less those that are words of other things as well.

**The path of a row** (``--trace``) is followed by a mark in the candidate of one row, which the
interpreter's own codekin scores in this process: the types of codekin whose objects are passed or
returned with the mark in them, and how often JSON with the mark is decoded.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

PACKAGE = "codekin"
LANGUAGES = (
    *("c", "cpp", "csharp", "go", "java", "javascript"),
    *("kotlin", "php", "python", "ruby", "rust", "typescript"),
)
JUDGEMENTS = ("adequacy", "card", "cards", "outcomes", "triplets")
CHANGES = ("comments", "dead_code", "functions", "layout", "mutations", "names")
TABLE_ENTRIES = (
    "cli/*",
    *(f"languages/{name}.py" for name in LANGUAGES),
    *(f"languages/{name}/*" for name in LANGUAGES),
    *(f"languages/lowering/{name}.py" for name in LANGUAGES),
    *(f"engine/judging/{name}.py" for name in JUDGEMENTS),
    *(f"evaluation/{name}.py" for name in JUDGEMENTS),
    *(f"rewrite/{name}.py" for name in CHANGES),
    "measures/compat/*",
    "corpora/formats/*",
    "detectors/*",
)
"""Paths below src/codekin, as fnmatch has them: ``*`` also matches what has slashes."""
MEASURES = "measures/*"
"""Where modules with a class that has a ``summary`` are entries, too."""
NATIVE_SUFFIXES = {".cpp", ".hpp", ".cc", ".h", ".cu", ".cuh"}
TARGET = re.compile(rf"({PACKAGE}(?:\.\w+)+)(?::\w+)?")
STATEMENT = re.compile(rf"from ({PACKAGE}[\w.]*) import (\w+)")
VAGUE = ("one", "some", "other", "each")
"""Names of loop variables that do not say what they are."""
SETTING_ROOMS = ("runs/", "cli/")
MARK = "followed_row"


@dataclass(frozen=True)
class Module:
    """A file of the package.

    Attributes
    ----------
    name : str
        Dotted; that of the package for an ``__init__``.
    path : str
        Below src/codekin.
    text : str
    stub : str
        The text of the ``__init__.pyi`` beside it, if there is one.
    """

    name: str
    path: str
    text: str
    stub: str = ""

    @property
    def is_package(self) -> bool:
        """Whether it is an ``__init__``."""
        return Path(self.path).name == "__init__.py"

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text, with that of the stub."""
        return ast.parse(f"{self.text}\n{self.stub}", self.path)

    @property
    def classes(self) -> list[ast.ClassDef]:
        """The classes at its top level."""
        return [node for node in self.tree.body if isinstance(node, ast.ClassDef)]


@dataclass(frozen=True)
class House:
    """The modules of a package by name."""

    modules: dict[str, Module]

    def importers(self) -> dict[str, set[str]]:
        """For each module, the others that import it."""
        found: dict[str, set[str]] = {name: set() for name in self.modules}
        for name, module in self.modules.items():
            for target in map(self.resolved, imports(module)):
                if target is not None and target != name:
                    found[target].add(name)
        return found

    def resolved(self, imported: str) -> str | None:
        """The module that a dotted name is or lies in; None for one outside the package."""
        for _ in range(9):  # more than any chain of re-exports
            if imported in self.modules:
                return imported
            home, _, name = imported.rpartition(".")
            if not home:
                return None
            module = self.modules.get(home)
            if module is None:
                imported = home
            elif module.is_package and name in self._reexports[home]:
                imported = self._reexports[home][name]
            else:
                return home
        return None

    @cached_property
    def _reexports(self) -> dict[str, dict[str, str]]:
        """For each package, the names that its ``__init__`` imports, with what they are."""
        packages = [module for module in self.modules.values() if module.is_package]
        return {
            one.name: {
                alias.asname or alias.name: f"{_home(one, node)}.{alias.name}"
                for node in ast.walk(one.tree)
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            }
            for one in packages
        }


def read_house(root: Path) -> House:
    """Read the modules of a checkout."""
    source = root / "src"
    modules = {}
    for file in sorted((source / PACKAGE).rglob("*.py")):
        parts = file.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        path = file.relative_to(source / PACKAGE).as_posix()
        stub = file.with_suffix(".pyi")
        listed = stub.read_text("utf-8") if stub.is_file() else ""
        modules[name] = Module(name, path, file.read_text("utf-8"), listed)
    if not modules:
        sys.exit(f"{root}: has no modules in src/{PACKAGE}; name a checkout of {PACKAGE}")
    return House(modules)


def imports(module: Module) -> Iterator[str]:
    """The dotted names that a module imports, whichever way it is written."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{_home(module, node)}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if found := TARGET.fullmatch(node.value):
                yield found[1]
            elif found := STATEMENT.match(node.value):
                yield f"{found[1]}.{found[2]}"


def _home(module: Module, node: ast.ImportFrom) -> str:
    """The dotted name that an import takes its names from."""
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    kept = len(parts) - node.level + module.is_package
    return ".".join([*parts[:kept], *([node.module] if node.module else [])])


def single_importers(house: House) -> dict[str, str]:
    """Modules that one other module imports, with that other."""
    return {
        name: next(iter(others))
        for name, others in house.importers().items()
        if len(others) == 1 and not _is_exempt(house.modules[name])
    }


def unimported(house: House) -> list[str]:
    """Modules that no other module imports; tests, tools or users may."""
    importers = house.importers()
    return [n for n in importers if not importers[n] and not _is_exempt(house.modules[n])]


def _is_exempt(module: Module) -> bool:
    return (
        module.is_package
        or Path(module.path).name == "__main__.py"
        or any(fnmatchcase(module.path, pattern) for pattern in TABLE_ENTRIES)
        or (fnmatchcase(module.path, MEASURES) and any(map(_has_summary, module.classes)))
    )


def _has_summary(node: ast.ClassDef) -> bool:
    """Whether a class sets a ``summary``, as every registered measure does."""
    return any(
        isinstance(one, ast.AnnAssign)
        and one.value is not None
        and isinstance(one.target, ast.Name)
        and one.target.id == "summary"
        for one in node.body
    )


def repeated_files(house: House) -> dict[str, list[str]]:
    """The file names that several modules share, with the paths."""
    paths = [module.path for module in house.modules.values() if not module.is_package]
    return _repeated((Path(path).name, path) for path in paths)


def repeated_classes(house: House) -> dict[str, list[str]]:
    """The names of classes that several modules define, with the modules."""
    return _repeated(
        (node.name, module.name) for module in house.modules.values() for node in module.classes
    )


def _repeated(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    places: dict[str, set[str]] = defaultdict(set)
    for name, place in pairs:
        places[name].add(place)
    return {name: sorted(found) for name, found in sorted(places.items()) if len(found) > 1}


def static_counts(root: Path, house: House) -> dict[str, int | float]:
    """The counts that need no run, by what they are of."""
    lengths = [len(module.text.splitlines()) for module in house.modules.values()]
    native = [f for f in (root / "native").rglob("*") if f.suffix in NATIVE_SUFFIXES]
    templates = [f for f in (root / "src" / PACKAGE).rglob("templates/*") if f.is_file()]
    taken = options(house)
    names = [name for listed in taken.values() for name in listed]
    places = setting_places(root, house)
    variables = Counter(loop_variables(house))
    vague = sum(variables[name] for name in VAGUE)
    return {
        "modules": len(lengths),
        "lines": sum(lengths),
        "median lines per module": statistics.median(lengths),
        "lines of templates": _lines(templates),
        "native lines": _lines(native),
        "test lines": _lines((root / "tests").rglob("*.py")),
        "single-importer modules": len(single_importers(house)),
        "modules that none imports": len(unimported(house)),
        "repeated file names": len(repeated_files(house)),
        "class names in several modules": len(repeated_classes(house)),
        "commands": len(taken),
        "options": len(names),
        "different options": len(set(names)),
        "most options of a command": max(map(len, taken.values()), default=0),
        "public names": len(public_names(house)),
        "places of a setting, median": statistics.median([*map(len, places.values())] or [0]),
        "loop variables": variables.total(),
        "called one, some, other or each": vague,
        "their share in %": round(100 * vague / max(1, variables.total()), 1),
    }


def rooms(house: House) -> dict[str, int]:
    """The lines of each room, the longest first."""
    lines: Counter[str] = Counter()
    for module in house.modules.values():
        lines[module.path.split("/")[0]] += len(module.text.splitlines())
    return dict(lines.most_common())


def public_names(house: House) -> list[str]:
    """The names that the package imports under their own name, as ``from x import y as y``."""
    return [
        alias.name
        for node in house.modules[PACKAGE].tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    ]


def loop_variables(house: House) -> Iterator[str]:
    """The name of each variable that is all that a loop or a comprehension sets."""
    for module in house.modules.values():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.For | ast.comprehension):
                continue
            if isinstance(node.target, ast.Name):
                yield node.target.id


def options(house: House) -> dict[str, list[str]]:
    """The options of each command, by the module and name of its function."""
    modules = [module for module in house.modules.values() if module.path.startswith("cli/")]
    shared = {name: node for module in modules for name, node in _definitions(module).items()}
    found = {}
    for module in modules:
        known = shared | _definitions(module)
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef) and _is_command(node):
                every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                names = (
                    name for parameter in every for name in _declared(parameter.annotation, known)
                )
                found[f"{module.name}.{node.name}"] = sorted(set(names))
    return found


def _is_command(node: ast.FunctionDef) -> bool:
    return any(
        isinstance(mark, ast.Call) and ast.unparse(mark.func) == "command"
        for mark in node.decorator_list
    )


def _definitions(module: Module) -> dict[str, ast.AST]:
    """The aliases, classes and functions at the top level of a module."""
    found: dict[str, ast.AST] = {}
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found


def _declared(node: ast.AST | None, known: Mapping[str, ast.AST]) -> Iterator[str]:
    """The options that an annotation declares, also by what it names."""
    if isinstance(node, ast.ClassDef):
        for part in (*node.bases, *(line for line in node.body if isinstance(line, ast.AnnAssign))):
            yield from _declared(getattr(part, "annotation", part), known)
        return
    if isinstance(node, ast.FunctionDef):
        for part in ast.walk(node):
            if isinstance(part, ast.Return):
                yield from _declared(part.value, {})
        return
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Call):
            words = [word.value for word in part.args if isinstance(word, ast.Constant)]
            long = [str(word) for word in words if str(word).startswith("--")]
            yield from (word.partition("/")[0] for word in long[:1])
        if isinstance(part, ast.Name) and part.id in known:
            yield from _declared(known[part.id], known)


def setting_places(root: Path, house: House) -> dict[str, list[str]]:
    """Where each setting of a scoring job is written: definitions of the code, and pages."""
    texts = {
        f"{module.name}.{getattr(node, 'name', None) or ast.unparse(node)[:30]}": ast.unparse(node)
        for module in house.modules.values()
        if module.path.startswith(SETTING_ROOMS)
        for node in module.tree.body
    }
    texts |= {file.name: file.read_text("utf-8") for file in (root / "docs").glob("*.md")}
    return {
        name: [place for place, text in texts.items() if re.search(rf"\b{name}\b", text)]
        for name in _settings(house)
    }


def _settings(house: House) -> list[str]:
    """The keys of what ``describe_settings`` returns, but words that mean other things as well."""
    for module in house.modules.values():
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "describe_settings":
                keys = [
                    key.value
                    for part in ast.walk(node)
                    if isinstance(part, ast.Return) and isinstance(part.value, ast.Dict)
                    for key in part.value.keys
                    if isinstance(key, ast.Constant)
                ]
                return [str(key) for key in keys if "_" in str(key)]
    return []


def _lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


@dataclass(frozen=True)
class RowPath:
    """The types that hold a row on its way, and how often it is decoded."""

    types: Sequence[str]
    decoded: int


def row_path(root: Path) -> RowPath:
    """Score one row, and follow it."""
    import codekin

    home = Path(codekin.__file__ or "").parent
    if home.resolve() != (root / "src" / PACKAGE).resolve():
        print(f"traced is the codekin of this interpreter, in {home}", file=sys.stderr)
    types: dict[str, None] = {}
    decoded = 0
    decode = json.JSONDecoder.raw_decode

    def counted(decoder: json.JSONDecoder, s: str, idx: int = 0) -> Any:
        nonlocal decoded
        decoded += MARK in s
        return decode(decoder, s, idx)

    def note(frame: FrameType, event: str, value: object) -> None:
        if event in ("call", "return") and frame.f_code.co_filename.startswith(f"{home}/"):
            values = frame.f_locals.values() if event == "call" else (value,)
            ours = [value for value in values if _is_ours(value) and _has_mark(value)]
            types.update(dict.fromkeys(type(value).__qualname__ for value in ours))

    with tempfile.TemporaryDirectory() as name:
        rows = Path(name, "rows.jsonl")
        row = {"id": "1", "language": "python", "candidate": f"{MARK} = 1", "reference": "x = 1"}
        rows.write_text(json.dumps(row) + "\n")
        with mock.patch.object(json.JSONDecoder, "raw_decode", counted):
            sys.setprofile(note)
            try:
                codekin.score(str(rows), "cssg", output=Path(name, "run"), workers=0)
            finally:
                sys.setprofile(None)
    return RowPath(list(types), decoded)


def _has_mark(value: object, depth: int = 4) -> bool:
    """Whether a value has the mark in it, or in its items or fields, or in theirs."""
    if isinstance(value, str):
        return MARK in value
    if isinstance(value, bytes):
        return MARK.encode() in value
    if not depth:
        return False
    if isinstance(value, dict):
        return any(_has_mark(item, depth - 1) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_has_mark(item, depth - 1) for item in value[:9])
    return _is_ours(value) and any(
        _has_mark(getattr(value, name, None), depth - 1)
        for kind in type(value).__mro__
        for name in (*getattr(kind, "__slots__", ()), *getattr(value, "__dict__", ()))
    )


def _is_ours(value: object) -> bool:
    return type(value).__module__.startswith(f"{PACKAGE}.")


def table(counts: Mapping[str, int | float], what: str = "what") -> str:
    """The counts as a Markdown table."""
    rows = [f"| {name} | {value:,} |" for name, value in counts.items()]
    return "\n".join(
        [f"| {what} | {'count' if what == 'what' else 'lines'} |", "|---|---:|", *rows]
    )


def lists(house: House) -> str:
    """What was counted, by name."""
    single = single_importers(house)
    lines = ["", "Single-importer modules, each with its importer:", ""]
    lines += [f"- {name} <- {other}" for name, other in sorted(single.items())]
    lines += ["", f"Modules that none imports: {', '.join(unimported(house))}"]
    for title, found in (
        ("Repeated file names:", repeated_files(house)),
        ("Class names in several modules:", repeated_classes(house)),
    ):
        lines += ["", title, ""]
        lines += [f"- {name}: {', '.join(places)}" for name, places in found.items()]
    return "\n".join(lines)


def document(house: House, counts: Mapping[str, int | float], path: RowPath | None) -> str:
    """All of it as JSON."""
    whole = {
        "counts": counts,
        "rooms": rooms(house),
        "options": options(house),
        "single_importers": single_importers(house),
        "unimported": unimported(house),
        "repeated_files": repeated_files(house),
        "repeated_classes": repeated_classes(house),
        "types": [] if path is None else path.types,
    }
    return json.dumps(whole, indent=2)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--list", action="store_true", help="name what was counted")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--trace", action="store_true", help="follow a row as well")
    given = parser.parse_args()
    house = read_house(given.root)
    path = row_path(given.root) if given.trace else None
    counts = static_counts(given.root, house)
    if path is not None:
        counts |= {"types on the path of a row": len(path.types), "decodings": path.decoded}
    if given.json:
        print(document(house, counts, path))
        return
    print(table(counts))
    print(f"\n{table(rooms(house), 'room')}")
    if given.list:
        print(lists(house))
        print(f"\nTypes on the path of a row: {', '.join(path.types)}" if path else "")


if __name__ == "__main__":
    main()
