"""Precision of ``codekin scan``: findings in real code, drawn at random, for two people to judge.

``python bench/precision.py draw PLANTED OUT [--seed N] [--size N] [--checks N]`` scans a folder
that ``scan.py --keep`` wrote, at default settings, and draws from all findings of which neither
side has a line of a planted copy. Mixed among them are pairs of functions of similar size that were
drawn at random and that no finding connects: a reader who calls many of those clones is not
reliable. OUT gets

- ``sample``, the corpus of pairs, from which ``codekin corpus judge`` can make pages, too;
- ``pairs.html``, the page of ``codekin corpus judge`` for these pairs in a drawn order;
- ``pairs.txt``, the same pairs as text, with an id each, for readers without a browser;
- ``README.md``, what a reader must do.

Nothing that a reader sees tells findings from other pairs, or has a score, a type or a file name.

``python bench/precision.py judge OUT READER.csv...`` reads answers in the form ``id,answer`` with
yes or no, and prints the precision with an interval, and how far the readers agree.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from codekin import CodekinError, Source, scan_paths
from codekin.corpora.corpus import Corpus, load_corpus
from codekin.corpora.judgements import Judged, judged
from codekin.corpora.judging import JudgingSample, judging_sample
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems, Snippet
from codekin.detectors.line_coverage import FileLines, covers
from codekin.report.judging_page import judging_page
from codekin.represent.tree.fragments import functions_of
from codekin.rewrite.chance import generator
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

Read each pair in `pairs.txt` (or `pairs.html` in a browser) and write a CSV file with the header
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


def corpus_of(
    code: Path, found: Sequence[Finding], others: Sequence[Finding], chance: random.Random
) -> Corpus:
    """Findings, labelled 1, and other pairs, labelled 0, in random order with neutral names."""
    labelled = [(one, 1) for one in found] + [(one, 0) for one in others]
    chance.shuffle(labelled)
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
    corpus = corpus_of(planted / "code", chosen, others, chance)
    out.mkdir(parents=True)
    corpus.save(out / "sample")
    sample = sample_of(out)
    pages = {
        "pairs.html": judging_page(sample, question=QUESTION),
        "pairs.txt": as_text(sample).encode(),
        "README.md": _README.format(count=len(sample), question=QUESTION).encode(),
    }
    for name, data in pages.items():
        with whole_file(out / name) as stream:
            stream.write(data)
    print(
        f"{out}: {size} of {len(findings):,} findings that were not planted, {len(others)} others"
    )


def sample_of(out: Path) -> JudgingSample:
    """The pairs in the order in which readers see them."""
    corpus = load_corpus(out / "sample")
    return judging_sample(corpus, len(corpus) // 2)


def pair_id(place: int) -> str:
    """What readers call a pair."""
    return f"P{place + 1:02}"


def as_text(sample: JudgingSample) -> str:
    """The pairs one after the other."""
    parts = []
    for place, one in enumerate(sample.pairs):
        name = pair_id(place)
        parts.append(
            f"{'=' * 20} {name} ({one.first.language})\n"
            f"{'-' * 8} {name}, code one\n{one.first.code}"
            f"{'-' * 8} {name}, code two\n{one.second.code}"
        )
    return "\n".join(parts)


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


def judge(out: Path, readers: Sequence[Path]) -> Judged:
    """Precision and agreement from the answers of readers."""
    sample = sample_of(out)
    words = {"yes": "clone", "no": "no clone"}
    exports = []
    with tempfile.TemporaryDirectory() as temporary:
        for path in readers:
            document = sample.document() | {"judge": path.stem}
            answers = read_answers(path, len(sample))
            for pair, answer in zip(document["pairs"], answers, strict=True):
                pair |= {"answer": words[answer], "note": ""}
            exports.append(Path(temporary, f"{path.stem}.json"))
            with whole_file(exports[-1]) as stream:
                stream.write(json.dumps(document).encode())
        return judged(*exports)


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
    options = parser.parse_args()
    if options.command == "draw":
        draw(
            options.planted,
            options.out,
            seed=options.seed,
            size=options.size,
            checks=options.checks,
        )
    else:
        print(judge(options.out, options.readers).to_markdown())


if __name__ == "__main__":
    main()
