"""Average precision of copy finders on programs of students with planted copies.

Usage: ``python bench/submissions.py OJCLONE PEERS [--seed N] [--keep FOLDER]``, where OJCLONE holds
``snippets.jsonl.xz`` with programs for many problems, and PEERS was made by scan_peers.py. Of 10
problems, 25 programs are taken that read as C, have 15 to 200 lines and do not use C++'s streams. 5
of them are copied: three restructurings that keep the meaning, each wherever it applies (see
restructuring.py), and functions in another order; then a share of the lines (0, 20 or 40 %)
dropped, replaced or added, with lines of other programs for the same problem; then new names for
all that the program declares, and another layout. Every tool scores all 435 pairs of the 30
programs of a problem; the 5 pairs of a copy and its original are wanted. A pair that a tool does
not list has the score 0. The mean over the problems of the average precision is printed, the
average precision of all pairs of all problems in one ranking, and the processor time for all shares
together; also how many copies and other pairs compare_submissions marks as suspicious.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from codekin import CodekinError, Source, SubmissionPair, compare_submissions
from codekin.measures.kin import Kin
from codekin.rewrite import identifiers, rewrite
from codekin.rewrite.chance import generator
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import TextEdit, apply_edits
from codekin.statistics.classification import average_precision
from codekin.whole_files import whole_file
from planting import code_lines, free_lines, is_clean, with_other_lines
from restructuring import restructured
from scan import table
from scan_peers import MISSING, Cost, PeerError, Ranker, rankers

PROBLEMS, ORIGINALS, COPIES, REWRITES = 10, 25, 5, 3
SHARES = (0, 20, 40)
_LINES = (15, 200)
Rank = Callable[[Path], tuple[dict[frozenset[str], float], Cost]]


@dataclass(frozen=True)
class Classroom:
    """The programs for one problem: texts by file name, and the copies with their originals."""

    problem: str
    texts: dict[str, str]
    copies: dict[str, str]


def programs(path: Path, seed: int) -> dict[str, list[str]]:
    """Programs by problem that read as C, in random order."""
    found: dict[str, list[str]] = defaultdict(list)
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    by_problem: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_problem[row["functionality"]].append(row["code"])
    names = sorted(by_problem)
    chance = generator("submissions", seed)
    chance.shuffle(names)
    for name in names:
        texts = sorted(set(by_problem[name]))
        chance.shuffle(texts)
        for text in texts:
            lines = text.count("\n") + 1
            good = _LINES[0] <= lines <= _LINES[1] and "cin" not in text and "cout" not in text
            if good and is_clean(Source(text, "c")):
                found[name].append(text)
            if len(found[name]) == 2 * ORIGINALS:
                break
        if len(found[name]) < 2 * ORIGINALS:
            del found[name]
        if len(found) == PROBLEMS:
            break
    if len(found) < PROBLEMS:
        raise CodekinError(f"{path}: only {len(found)} problems have enough programs in C")
    return found


def rewritten_program(text: str, chance: random.Random) -> tuple[str, list[str]] | None:
    """A program after three restructurings, with its functions in another order if possible.

    Returns
    -------
    (str, list of str) or None
        The text and what was done; None if fewer than three restructurings apply.
    """
    done = restructured(Source(text, "c"), chance, least=REWRITES, most=REWRITES)
    if done is None:
        return None
    moved = rewrite(Source(done[0], "c"), "functions", chance.getrandbits(32))
    return done if moved is None else (moved, [*done[1], "moved functions"])


def disguised(text: str, chance: random.Random, language: str = "c") -> str:
    """A program with new names for all that it declares, and another layout."""
    source = Source(text, language)
    found = identifiers(source)
    declared = {one.text for one in found if one.declared and not one.fixed} - {"main", "Main"}
    fresh = FreshNames({one.text for one in found}, chance)
    names = {name: fresh.take() for name in sorted(declared)}
    edits = [TextEdit(one.start, one.end, names[one.text]) for one in found if one.text in declared]
    after = Source(apply_edits(source.data, edits), language)
    return rewrite(after, "layout", chance.getrandbits(32)) or after.text


def classroom(problem: str, texts: list[str], share: int, seed: int) -> Classroom:
    """25 programs and 5 copies; a program that cannot be rewritten is not copied."""
    chance = generator("classroom", problem, seed)
    originals = texts[:ORIGINALS]
    names = [f"student{i:02}.c" for i in range(ORIGINALS + COPIES)]
    chance.shuffle(names)
    named = dict(zip(names[:ORIGINALS], originals, strict=True))
    donors = [row for text in texts[ORIGINALS:] for row in free_lines(Source(text, "c"))]
    copies: dict[str, str] = {}
    copied_texts: dict[str, str] = {}
    free = names[ORIGINALS:]
    for name, text in named.items():
        if len(copies) == COPIES:
            break
        # The rewrites are the same for every share of lines.
        mine = generator("copy", text, seed)
        new = rewritten_program(text, mine)
        if new is None:
            continue
        source = Source(new[0], "c")
        wanted = round(share / 100 * code_lines(source.text, "c"))
        done = with_other_lines(source, wanted, donors, mine)
        if done is None:
            continue
        copy = free[len(copies)]
        copies[copy] = name
        copied_texts[copy] = disguised(done[0].text, mine)
    if len(copies) < COPIES:
        raise CodekinError(f"problem {problem}: only {len(copies)} programs can be rewritten")
    return Classroom(problem, named | copied_texts, copies)


def judged(rooms: list[Classroom], folders: list[Path], tool: Ranker) -> tuple[float, float, Cost]:
    """The mean average precision over problems, that of all pairs together, and the cost."""
    values, all_scores, all_labels = [], [], []
    cost = Cost(0.0, 0.0)
    for room, folder in zip(rooms, folders, strict=True):
        scores, took = tool.rank(folder)
        cost += took
        wanted = {frozenset(pair) for pair in room.copies.items()}
        pairs = [frozenset(pair) for pair in itertools.combinations(sorted(room.texts), 2)]
        found = np.array([scores.get(pair, 0.0) for pair in pairs])
        labels = np.array([pair in wanted for pair in pairs])
        values.append(average_precision(found, labels))
        all_scores.append(found)
        all_labels.append(labels)
    whole = average_precision(np.concatenate(all_scores), np.concatenate(all_labels))
    return float(np.mean(values)), whole, cost


def marked(rooms: list[Classroom], folders: list[Path]) -> tuple[int, int]:
    """How many copies compare_submissions marks as suspicious, and how many other pairs."""
    found = others = 0
    for room, folder in zip(rooms, folders, strict=True):
        wanted = {frozenset(map(_stem, pair)) for pair in room.copies.items()}
        for pair in compare_submissions(folder).suspicious:
            is_copy = frozenset({pair.first, pair.second}) in wanted
            found, others = found + is_copy, others + (not is_copy)
    return found, others


def _stem(name: str) -> str:
    return Path(name).stem


def own_rankers() -> list[Ranker]:
    """The ways of codekin to rank pairs, in this process: their memory is not measured."""
    import codekin

    whole = Kin()

    def alike(one: Source, two: Source) -> float:
        return whole.score(one, two).value

    contained = Kin(normalise="containment")

    def within(one: Source, two: Source) -> float:
        return contained.score(one, two).value

    version = codekin.__version__
    return [
        Ranker("kin", version, _kin(alike)),
        Ranker("kin, normalise=containment", version, _kin(within)),
        Ranker("compare_submissions, by score", version, _compared(lambda pair: pair.score)),
        Ranker(
            "compare_submissions, by unusual", version, _compared(lambda pair: pair.unusual or 0.0)
        ),
    ]


def _compared(value: Callable[[SubmissionPair], float]) -> Rank:
    def rank(folder: Path) -> tuple[dict[frozenset[str], float], Cost]:
        begun = time.process_time()
        found = compare_submissions(folder)
        names = {path.stem: path.name for path in folder.iterdir()}
        scores = {
            frozenset({names[pair.first], names[pair.second]}): value(pair) for pair in found.pairs
        }
        return scores, Cost(time.process_time() - begun, 0.0)

    return rank


def _kin(score: Callable[[Source, Source], float]) -> Rank:
    def rank(folder: Path) -> tuple[dict[frozenset[str], float], Cost]:
        begun = time.process_time()
        sources = {path.name: Source(path.read_text(), "c") for path in sorted(folder.iterdir())}
        scores = {
            frozenset({one, two}): score(sources[one], sources[two])
            for one, two in itertools.combinations(sources, 2)
        }
        return scores, Cost(time.process_time() - begun, 0.0)

    return rank


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, metavar="OJCLONE")
    parser.add_argument("peers", type=Path, metavar="PEERS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the programs there")
    options = parser.parse_args()
    texts = programs(options.data / "snippets.jsonl.xz", options.seed)
    print(f"Seed {options.seed}, problems {', '.join(sorted(texts))}.\n")
    tools = [*own_rankers(), *rankers(options.peers)]
    cells: dict[str, list[str]] = {tool.name: [tool.name, tool.version] for tool in tools}
    costs = {tool.name: Cost(0.0, 0.0) for tool in tools}
    failed: dict[str, str] = {"jplag": MISSING["jplag"]}
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        for share in SHARES:
            rooms = [classroom(name, some, share, options.seed) for name, some in texts.items()]
            base = (options.keep or Path(temporary)) / f"{share}"
            folders = [base / room.problem for room in rooms]
            for room, folder in zip(rooms, folders, strict=True):
                folder.mkdir(parents=True)
                for name, text in room.texts.items():
                    with whole_file(folder / name) as stream:
                        stream.write(text.encode())
            found, others = marked(rooms, folders)
            lines.append(
                f"{share} % changed: {found} of {len(rooms) * COPIES} copies are suspicious, "
                f"and {others} other pairs."
            )
            for tool in tools:
                try:
                    mean, whole, cost = judged(rooms, folders, tool)
                except PeerError as error:
                    failed[f"{tool.name} {tool.version}"] = str(error)
                    continue
                cells[tool.name] += [f"{mean:.2f}", f"{whole:.2f}"]
                costs[tool.name] += cost
                print(f"{share} %: {tool.name}: {mean:.3f}", file=sys.stderr, flush=True)
    heads = [f"{share} % {what}" for share in SHARES for what in ("mean", "all")]
    rows = [
        [*row, f"{costs[name].seconds:.1f}"]
        for name, row in cells.items()
        if len(row) == 2 + len(heads)
    ]
    print(table(["tool", "version", *heads, "processor s"], rows))
    print("compare_submissions, by default:\n\n" + "\n".join(f"- {line}" for line in lines) + "\n")
    print("Not available:\n\n" + "\n".join(f"- {name}: {why}" for name, why in failed.items()))


if __name__ == "__main__":
    main()
