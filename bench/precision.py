"""Precision of ``codekin scan``: findings in real code, drawn at random, for two people to judge.

``python bench/precision.py draw PLANTED OUT [--seed N] [--size N] [--checks N]`` scans a folder
that ``scan.py --keep`` wrote, at default settings, and draws from all findings of which neither
side has a line of a planted copy. Mixed among them are pairs of functions of similar size that were
drawn at random and that no finding connects: a reader who calls many of those clones is not
reliable. OUT gets

- ``sample``, the corpus of pairs, in a drawn order;
- ``pairs.txt``, the sheet: these pairs as plain text, with an id each;
- ``places.csv``, which a reader must not see: where the pairs are, and which are findings;
- ``README.md``, what a reader must do.

Nothing that a reader sees tells findings from other pairs, or has a score, a type or a file name.

``python bench/precision.py judge OUT READER.csv...`` reads answers in the form ``id,answer`` with
yes or no, counts them, and prints the precision with an interval, and how far the readers agree.
``--keep FILE`` writes the places with the answers of the first reader, as judged_findings.csv has
them, and ``python bench/precision.py count FILE`` prints the precision by such a file.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from codekin import CodekinError, Source, scan_paths
from codekin.corpora.corpus import Corpus, load_corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems, Snippet
from codekin.detectors.line_coverage import FileLines, covers
from codekin.represent.tree.fragments import functions_of
from codekin.rewrite.chance import generator
from codekin.statistics.proportion import wilson_interval
from codekin.whole_files import whole_file
from planting import SUFFIXES, Planted, read_truth
from scan import _ANY
from scan_peers import Finding

QUESTION = (
    "Would a maintainer agree that these two stretches are copies or near-copies of each other, or "
    "do the same thing in the same way, so that one could replace both?"
)
_README = """# Judge {count} pairs of code

{question}

Read each pair in `pairs.txt` and write a CSV file with the header
`id,answer` and one line per pair, such as `P01,yes`. The answer is `yes` or `no`; answer every
pair. "One could replace both" includes one function with a parameter or two for what differs. Look
at nothing but the code: no other file of this folder, no tool that finds clones, nobody else's
answers. Pairs that are no clones at all are among them, so do not expect any share of yes.
"""
_SIMILAR = 0.8
"""The least ratio of the lines of two functions of similar size."""
_ATTEMPTS = 10_000


def unplanted(truth: Iterable[Planted], findings: Iterable[Finding]) -> list[Finding]:
    """Findings of which neither side has a line of a planted copy.

    Examples
    --------
    >>> pair = Planted("c", "T1", "a.c", 1, 10, "b.c", 21, 30, ())
    >>> original = (FileLines("a.c", 1, 10), FileLines("b.c", 41, 50))
    >>> copy = (FileLines("c.c", 1, 10), FileLines("b.c", 30, 39))
    >>> unplanted([pair], [original, copy]) == [original]
    True
    """
    copies: dict[str, list[FileLines]] = {}
    for one in truth:
        copies.setdefault(one.file2, []).append(FileLines(one.file2, one.start2, one.end2))
    return [
        finding
        for finding in findings
        if not any(covers(end, copy, _ANY) for end in finding for copy in copies.get(end.file, ()))
    ]


def scanned(planted: Path) -> list[Finding]:
    """All findings of a scan at default settings, with files as of the folder."""
    code = planted / "code"
    found: list[Finding] = []
    for one in scan_paths([code]).findings:
        first, second = (
            FileLines(Path(end.file).relative_to(code).as_posix(), end.start, end.end)
            for end in (one.first, one.second)
        )
        found.append((first, second))
    return sorted(found)


def functions(code: Path, language: str) -> list[FileLines]:
    """The functions of all files of a language."""
    found = []
    for path in sorted((code / language).rglob("*")):
        if path.suffix in SUFFIXES[language] and path.is_file():
            source = Source(path.read_text(encoding="utf-8"), language)
            name = path.relative_to(code).as_posix()
            found += [
                FileLines(name, one.first_line, one.last_line)
                for one in functions_of(source.tree, source.data, source.language, nested=False)
            ]
    return found


def other_pairs(
    code: Path, like: Sequence[Finding], findings: Sequence[Finding], chance: random.Random
) -> list[Finding]:
    """Two unrelated functions for each of some findings, of its language and about its size."""
    known: dict[str, list[FileLines]] = {}
    found: list[Finding] = []
    for finding in like:
        language = finding[0].file.split("/")[0]
        if language not in known:
            known[language] = functions(code, language)
        size = _lines(finding[0])
        fitting = [one for one in known[language] if _alike(_lines(one), size)]
        for _ in range(_ATTEMPTS if len(fitting) > 1 else 0):
            one, two = chance.sample(fitting, 2)
            if not any(_touches((one, two), other) for other in findings):
                found.append((one, two))
                break
    return found


def _lines(one: FileLines) -> int:
    return one.end - one.start + 1


def _alike(one: int, two: int) -> bool:
    return min(one, two) >= _SIMILAR * max(one, two)


def _touches(pair: Finding, finding: Finding) -> bool:
    return any(
        covers(first, pair[0], _ANY) and covers(second, pair[1], _ANY)
        for first, second in (finding, finding[::-1])
    )


def mixed(
    found: Sequence[Finding], others: Sequence[Finding], chance: random.Random
) -> list[tuple[Finding, int]]:
    """Findings, labelled 1, and other pairs, labelled 0, in random order."""
    labelled = [(one, 1) for one in found] + [(one, 0) for one in others]
    chance.shuffle(labelled)
    return labelled


def corpus_of(code: Path, labelled: Sequence[tuple[Finding, int]]) -> Corpus:
    """The code of labelled pairs, with neutral names."""
    snippets, rows = [], []
    for ends, label in labelled:
        ids = []
        for end in ends:
            rows_of_file = (code / end.file).read_text(encoding="utf-8").split("\n")
            text = "\n".join(rows_of_file[end.start - 1 : end.end]) + "\n"
            ids.append(f"s{len(snippets):03}")
            snippets.append(Snippet(ids[-1], end.file.split("/")[0], text))
        rows.append({"id1": ids[0], "id2": ids[1], "label": label})
    problems = Problems("findings")
    pairs = Pairs.of_rows(rows, snippets, problems)
    problems.check()
    return Corpus("findings", tuple(snippets), pairs)


def draw(planted: Path, out: Path, *, seed: int, size: int, checks: int) -> None:
    """Write a sample for readers to a new folder."""
    chance = generator("precision", seed)
    everything = scanned(planted)
    findings = unplanted(read_truth(planted / "truth.jsonl"), everything)
    if len(findings) < size:
        raise CodekinError(f"{planted}: has only {len(findings)} findings that were not planted")
    chosen = chance.sample(findings, size)
    others = other_pairs(planted / "code", chosen[:checks], everything, chance)
    labelled = mixed(chosen, others, chance)
    corpus = corpus_of(planted / "code", labelled)
    out.mkdir(parents=True)
    corpus.save(out / "sample")
    readme = _README.format(count=size + len(others), question=QUESTION)
    texts = {"pairs.txt": sheet(corpus), "places.csv": places(labelled), "README.md": readme}
    for name, text in texts.items():
        with whole_file(out / name) as stream:
            stream.write(text.encode())
    print(
        f"{out}: {size} of {len(findings):,} findings that were not planted, {len(others)} others"
    )


_PLACES = (
    *("id", "finding"),
    *(f"{name}{end}" for end in (1, 2) for name in ("file", "start", "end")),
)


def places(labelled: Sequence[tuple[Finding, int]]) -> str:
    """Where the pairs of a sample are, as CSV."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_PLACES)
    for place, (ends, label) in enumerate(labelled):
        shown = "yes" if label else "no"
        regions = [value for end in ends for value in (end.file, end.start, end.end)]
        rows.writerow([pair_id(place), shown, *regions])
    return text.getvalue()


def pair_id(place: int) -> str:
    """What readers call a pair."""
    return f"P{place + 1:02}"


def sheet(corpus: Corpus) -> str:
    """The pairs one after the other, for people to read."""
    parts = []
    for place, (first, second) in enumerate(_ends(corpus)):
        name = pair_id(place)
        parts.append(
            f"{'=' * 20} {name} ({first.language})\n"
            f"{'-' * 8} {name}, code one\n{first.code}"
            f"{'-' * 8} {name}, code two\n{second.code}"
        )
    return "\n".join(parts)


def _pairs(corpus: Corpus) -> Pairs:
    if corpus.pairs is None:
        raise CodekinError(f"{corpus.name}: has no pairs")
    return corpus.pairs


def _ends(corpus: Corpus) -> list[tuple[Snippet, Snippet]]:
    pairs = _pairs(corpus)
    return [
        (corpus.snippets[first], corpus.snippets[second])
        for first, second in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    ]


def read_answers(path: Path, count: int) -> list[str]:
    """The answers of a reader in the order of the pairs."""
    with path.open(encoding="utf-8", newline="") as stream:
        given = {row["id"].strip(): row["answer"].strip().lower() for row in csv.DictReader(stream)}
    wanted = [pair_id(place) for place in range(count)]
    wrong = sorted(set(given) ^ set(wanted)) or [
        name for name in wanted if given[name] not in {"yes", "no"}
    ]
    if wrong:
        raise CodekinError(
            f"{path}: needs yes or no for each of {wanted[0]} to {wanted[-1]}, and no other id: "
            f"look at {', '.join(wrong[:5])}"
        )
    return [given[name] for name in wanted]


@dataclass(frozen=True)
class Count:
    """How often a reader said yes.

    Attributes
    ----------
    yes, pairs : int
    """

    yes: int
    pairs: int

    @property
    def share(self) -> float:
        """Of yes; nan without pairs."""
        return self.yes / self.pairs if self.pairs else math.nan

    def __str__(self) -> str:
        interval = wilson_interval(self.yes, self.pairs)
        low, high = f"{100 * interval.low:.0f}", f"{100 * interval.high:.0f}"
        return f"{self.yes} of {self.pairs}, {self.share:.0%} ({low} to {high})"


@dataclass(frozen=True)
class Agreement:
    """How often two readers gave the same answer, and Cohen's kappa.

    Examples
    --------
    >>> agreement = Agreement.of(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"])
    >>> agreement.same, agreement.kappa
    (3, 0.5)
    """

    same: int
    pairs: int
    kappa: float

    @classmethod
    def of(cls, first: Sequence[str], second: Sequence[str]) -> Agreement:
        """Of the answers of two readers to the same pairs."""
        pairs = len(first)
        same = sum(mine == theirs for mine, theirs in zip(first, second, strict=True))
        both = first.count("yes") * second.count("yes") + first.count("no") * second.count("no")
        chance = both / pairs**2
        kappa = (same / pairs - chance) / (1 - chance) if chance < 1 else math.nan
        return cls(same, pairs, kappa)


@dataclass(frozen=True)
class Judged:
    """What readers answered.

    Attributes
    ----------
    findings : dict of str to Count
        By reader; their share of yes is the precision.
    others : dict of str to Count
        By reader, for the pairs that are not findings.
    agreements : dict of (str, str) to Agreement
        By two readers.
    """

    findings: dict[str, Count]
    others: dict[str, Count]
    agreements: dict[tuple[str, str], Agreement]

    def __str__(self) -> str:
        lines = ["| reader | yes to findings | yes to others |", "| --- | --- | --- |"]
        for name, count in self.findings.items():
            lines.append(f"| {name} | {count} | {self.others[name]} |")
        lines += [
            f"\n{first} and {second} agree on {agreement.same} of {agreement.pairs} pairs, "
            f"kappa {agreement.kappa:.2f}"
            for (first, second), agreement in self.agreements.items()
        ]
        return "\n".join(lines)


def keep(out: Path, reader: Path, path: Path) -> None:
    """Write the places of a sample with the answers of a reader."""
    with (out / "places.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    answers = read_answers(reader, len(rows))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_PLACES, "answer"])
    for row, answer in zip(rows, answers, strict=True):
        writer.writerow([*(row[name] for name in _PLACES), answer])
    with whole_file(path) as stream:
        stream.write(text.getvalue().encode())


def count(path: Path) -> tuple[Count, Count]:
    """How often the answers of a kept sample are yes, for findings and for other pairs."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    kinds = ([row["answer"] for row in rows if row["finding"] == kind] for kind in ("yes", "no"))
    found, others = (Count(answers.count("yes"), len(answers)) for answers in kinds)
    return found, others


def judge(out: Path, readers: Sequence[Path]) -> Judged:
    """Precision and agreement from the answers of readers."""
    labels = _pairs(load_corpus(out / "sample")).label.tolist()
    answers = {path.stem: read_answers(path, len(labels)) for path in readers}
    if len(answers) < len(readers):
        raise CodekinError("two readers have files of the same name; rename one")
    counts = {
        label: {
            name: Count(
                sum(a == "yes" for a, b in zip(said, labels, strict=True) if b == label),
                labels.count(label),
            )
            for name, said in answers.items()
        }
        for label in (1, 0)
    }
    agreements = {
        (first, second): Agreement.of(answers[first], answers[second])
        for first, second in combinations(answers, 2)
    }
    return Judged(counts[1], counts[0], agreements)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("planted", type=Path, metavar="PLANTED")
    drawing.add_argument("out", type=Path, metavar="OUT")
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--size", type=int, default=50, help="findings")
    drawing.add_argument("--checks", type=int, default=20, help="other pairs")
    judging = commands.add_parser("judge")
    judging.add_argument("out", type=Path, metavar="OUT")
    judging.add_argument("readers", type=Path, nargs="+", metavar="READER")
    judging.add_argument("--keep", type=Path, metavar="FILE", help="for places and answers")
    counting = commands.add_parser("count")
    counting.add_argument("file", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.command == "draw":
        draw(
            options.planted,
            options.out,
            seed=options.seed,
            size=options.size,
            checks=options.checks,
        )
    elif options.command == "judge":
        print(judge(options.out, options.readers))
        if options.keep:
            keep(options.out, options.readers[0], options.keep)
    else:
        found, others = count(options.file)
        print(f"yes to findings: {found}; to others: {others}")


if __name__ == "__main__":
    main()
