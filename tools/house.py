"""Count what makes the source tree hard to find one's way in, to compare it before and after.

Usage: ``python tools/house.py [ROOT] [--list] [--json] [--trace]``. ROOT is a checkout, by default
the one that this file is in; any layout of ``src/codekin`` will do. Files are parsed, never
imported, except under ``--trace``. ``--list`` names what was counted, ``--json`` prints all of it.

**Single importers** are modules that exactly one other module of the package imports. ``__init__``
and ``__main__`` modules are not counted, nor are entries of a table: a command, a language, a
registered measure, a judgement, a corpus reader or a detector is a file of its own however few
import it. `TABLE_ENTRIES` lists them as patterns of paths, for the layouts before and after; a
measure is registered if it has a class with a ``summary``. An import counts wherever it is written:
in a function, under TYPE_CHECKING, or as text (``"codekin.x.y"``, ``"codekin.x.y:Name"``, ``"from
codekin.x import y"``). A name imported from a package is an import of the module that the
package's ``__init__`` takes it from. The ``__init__`` that re-exports it is an importer, too.

**Repeated file names** are distinct names, other than ``__init__.py``, of two or more modules.

**Changes of package** (``--trace``) are counted in commands run by the interpreter's own codekin in
this process: ``codekin score ROWS -m cssg`` with one row that names its language, the same without
it, and ``codekin compare A B -m cssg``. Each runs once beforehand, so that loading does not count.
Then ``sys.setprofile`` records the package of each Python function of codekin that is entered or
returned to. The package is the folder below ``src/codekin``; top-level modules such as
``source.py`` are in none and are passed over. A change is a step from one package to another, and
each is counted once per command, however often it is repeated. The second number counts steps to
and from top-level modules, too, as if each were a package. ``--list`` shows the changes, and the
whole sequence with immediate repetitions folded: A B A B A B is A B.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import re
import statistics
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise
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
ONE = "def f(a, b):\n    c = a + b\n    if c > 3:\n        return c\n    return a\n"
OTHER = "def f(x, y):\n    z = x + y\n    while z > 3:\n        z -= 1\n    return z\n"


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
    """

    name: str
    path: str
    text: str

    @property
    def is_package(self) -> bool:
        """Whether it is an ``__init__``."""
        return Path(self.path).name == "__init__.py"

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text."""
        return ast.parse(self.text, self.path)

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
        modules[name] = Module(name, path, file.read_text("utf-8"))
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
    tests = list((root / "tests").rglob("*.py"))
    files, classes = repeated_files(house), repeated_classes(house)
    private = sum(name.startswith("_") for name in classes)
    return {
        "modules": len(lengths),
        "lines": sum(lengths),
        "median lines per module": statistics.median(lengths),
        "native files": len(native),
        "native lines": _lines(native),
        "test files": len(tests),
        "test lines": _lines(tests),
        "single-importer modules": len(single_importers(house)),
        "modules that none imports": len(unimported(house)),
        "repeated file names": len(files),
        "files with a repeated name": sum(map(len, files.values())),
        "public class names in several modules": len(classes) - private,
        "private class names in several modules": private,
    }


def _lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


@dataclass(frozen=True)
class Trace:
    """The top-level packages and modules that a command went through, in order."""

    steps: Sequence[str]
    folders: frozenset[str]

    @property
    def packages(self) -> list[str]:
        """The steps in packages, equal neighbours once."""
        return collapsed(step for step in self.steps if step in self.folders)

    @property
    def changes(self) -> list[tuple[str, str]]:
        """The distinct changes of package, in the order in which they first come."""
        return list(dict.fromkeys(pairwise(self.packages)))

    @property
    def module_changes(self) -> int:
        """How many there would be if each top-level module were a package."""
        return len(set(pairwise(collapsed(self.steps))))


def traces(root: Path) -> dict[str, Trace]:
    """Each traced command with where it went."""
    import codekin

    home = Path(codekin.__file__ or "").parent
    if home.resolve() != (root / "src" / PACKAGE).resolve():
        print(f"traced is the codekin of this interpreter, in {home}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = {"candidate": ONE, "reference": OTHER}
        rows, detected = folder / "rows.jsonl", folder / "detected.jsonl"
        rows.write_text(json.dumps({"id": "1", "language": "python", **bare}) + "\n")
        detected.write_text(json.dumps(bare) + "\n")
        (folder / "one.py").write_text(ONE)
        (folder / "other.py").write_text(OTHER)
        score = ["score", str(rows), "-m", "cssg", "-o"]
        detect = ["score", str(detected), "-m", "cssg", "-o"]
        compare = ["compare", str(folder / "one.py"), str(folder / "other.py"), "-m", "cssg"]
        run_command(["score", "--help"])  # which loads the command
        with scoring_in_this_process():
            run_command([*score, str(folder / "first")])
            run_command([*detect, str(folder / "first detected")])
            run_command(compare)
            return {
                "score": traced(lambda: run_command([*score, str(folder / "second")])),
                "score, language detected": traced(
                    lambda: run_command([*detect, str(folder / "second detected")])
                ),
                "compare -m cssg": traced(lambda: run_command(compare)),
            }


def run_command(words: Sequence[str]) -> None:
    """Run the command line in this process, and keep what it prints."""
    from codekin.cli import main

    argv = mock.patch.object(sys, "argv", [PACKAGE, *words])
    try:
        with argv, contextlib.redirect_stdout(io.StringIO()):
            main()
    except SystemExit as end:
        if end.code:
            sys.exit(f"{PACKAGE} {words[0]}: failed with exit code {end.code}")


@contextlib.contextmanager
def scoring_in_this_process() -> Iterator[None]:
    """Let commands call codekin.score without workers, which could not be traced."""
    from codekin import score

    called = False

    def score_here(*given: Any, **options: Any) -> Any:
        nonlocal called
        called = True
        return score(*given, **options | {"workers": 0})

    loaded = [module for name, module in sys.modules.items() if name.split(".")[0] == PACKAGE]
    with contextlib.ExitStack() as changed:
        for module in loaded:
            for name in [name for name, value in vars(module).items() if value is score]:
                changed.enter_context(mock.patch.object(module, name, score_here))
        yield
    if not called:
        sys.exit("codekin score: does not call codekin.score, so its workers cannot be traced")


def traced(action: Callable[[], None]) -> Trace:
    """Where an action goes, in all threads of this process."""
    import codekin

    home = Path(codekin.__file__ or "").parent
    start = f"{home}/"
    steps: list[str] = []

    def place(frame: FrameType | None) -> str | None:
        """The top-level package or module of the nearest frame that is codekin's."""
        while frame is not None and not frame.f_code.co_filename.startswith(start):
            frame = frame.f_back
        if frame is None:
            return None
        return frame.f_code.co_filename.removeprefix(start).split("/")[0].removesuffix(".py")

    def note(frame: FrameType, event: str, _: object) -> None:
        if event in ("call", "return") and frame.f_code.co_filename.startswith(start):
            found = place(frame if event == "call" else frame.f_back)
            if found is not None:
                steps.append(found)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Trace(steps, frozenset(one.name for one in home.iterdir() if one.is_dir()))


def collapsed(steps: Iterable[str]) -> list[str]:
    """The steps without those that repeat the one before."""
    found: list[str] = []
    for step in steps:
        if found[-1:] != [step]:
            found.append(step)
    return found


def folded(steps: Sequence[str]) -> list[str]:
    """The steps with each immediate repetition of some of them once: A B A B A B is A B.

    Examples
    --------
    >>> folded(["cli", "engine", "measures", "engine", "measures", "cli"])
    ['cli', 'engine', 'measures', 'cli']
    """
    found = list(steps)
    length = 1
    while 2 * length <= len(found):
        places = range(len(found) - 2 * length + 1)
        twice = [i for i in places if found[i : i + length] == found[i + length : i + 2 * length]]
        if twice:
            del found[twice[0] : twice[0] + length]
            length = 1
        else:
            length += 1
    return found


def table(counts: dict[str, int | float]) -> str:
    """The counts as a Markdown table."""
    rows = [f"| {name} | {value:,} |" for name, value in counts.items()]
    return "\n".join(["| what | count |", "|---|---:|", *rows])


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


def trace_lists(found: dict[str, Trace]) -> str:
    """The changes of package of each command, and the sequence."""
    lines = [""]
    for command, trace in found.items():
        parts = Counter(trace.packages)
        changes = ", ".join(f"{one} -> {other}" for one, other in trace.changes)
        lines += ["", f"codekin {command}, by package and how often it is entered or returned to:"]
        lines += ["", ", ".join(f"{name} {count}" for name, count in parts.most_common())]
        lines += ["", f"Changes: {changes}"]
        lines += ["", f"Sequence: {' '.join(folded(trace.packages))}"]
        lines += ["", f"With top-level modules: {' '.join(folded(collapsed(trace.steps)))}"]
    return "\n".join(lines)


def trace_counts(found: dict[str, Trace]) -> dict[str, int | float]:
    """The counts of traced commands."""
    counts: dict[str, int | float] = {}
    for command, trace in found.items():
        counts[f"changes of package, {command}"] = len(trace.changes)
        counts[f"with top-level modules, {command}"] = trace.module_changes
    return counts


def document(house: House, counts: dict[str, int | float], found: dict[str, Trace]) -> str:
    """All of it as JSON."""
    whole = {
        "counts": counts,
        "single_importers": single_importers(house),
        "unimported": unimported(house),
        "repeated_files": repeated_files(house),
        "repeated_classes": repeated_classes(house),
        "changes": {command: trace.changes for command, trace in found.items()},
        "sequences": {command: folded(trace.packages) for command, trace in found.items()},
    }
    return json.dumps(whole, indent=2)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--list", action="store_true", help="name what was counted")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--trace", action="store_true", help="trace two commands as well")
    options = parser.parse_args()
    house = read_house(options.root)
    found = traces(options.root) if options.trace else {}
    counts = static_counts(options.root, house) | trace_counts(found)
    if options.json:
        print(document(house, counts, found))
        return
    print(table(counts))
    if options.list:
        print(lists(house) + trace_lists(found))


if __name__ == "__main__":
    main()
