"""How long commands on clone corpora take, and how much memory.

Usage: ``python bench/corpora.py DATA [--peers]`` where DATA has ``clones/bigclonebench/`` and
``clones/ojclone/``. Prints tables in Markdown. The first one has the wall time, the processor time
and the peak memory of commands, worker processes included. With ``--peers``, a second one compares
the pairs that are typed per second with a loop that computes both common subsequences with
rapidfuzz, on snippets that are normalized already, and a third one the search for near copies with
datasketch's MinHash LSH, whose candidates rapidfuzz compares; each is timed in turn with its peer.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from codekin.corpora.clone_types import NormalForms
from codekin.corpora.copies import find_copies, snippet_lexemes
from codekin.corpora.corpus import Corpus
from codekin.corpora.numbered_sequences import NumberedSequences
from codekin.corpora.reading import read_corpus, read_pairs

_REPEATS = 7
_SEARCHES = 3
_PEER_PAIRS = 5_000

Places = npt.NDArray[np.int32]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--peers", action="store_true", help="compare with other packages, too")
    options = parser.parse_args()
    clones = options.data / "clones"
    with tempfile.TemporaryDirectory() as folder:
        print_commands(clones / "bigclonebench", clones / "ojclone", Path(folder))
    if options.peers:
        place = clones / "bigclonebench"
        corpus = read_corpus(place / "snippets.jsonl.xz")
        print_rates(read_pairs(corpus, place / "pairs_true_typed.csv.xz"))
        print_searches({"ojclone": read_corpus(clones / "ojclone"), "bigclonebench": corpus})


def print_commands(bcb: Path, ojclone: Path, out: Path) -> None:
    """Wall time, processor time and memory of commands, next to what they may take."""
    snippets, oj = bcb / "snippets.jsonl.xz", ojclone / "snippets.jsonl.xz"
    view, pairs, sizes = out / "view", out / "pairs", "train=400000,validation=250000,test=250000"
    rows: dict[str, tuple[tuple[str | Path, ...], str]] = {
        "split 30,000 snippets": (("split", oj, "-o", view), "20 s and 1 GB"),
        "draw 900,000 pairs of them": (("pairs", view, "--size", sizes, "-o", pairs), "together"),
        "check them": (("check", pairs), ""),
        "abstract 9,134 functions, level 1": (
            ("abstract", snippets, "--level", "1", "-o", out / "level1"),
            "60 s",
        ),
        "type 84,458 pairs": (
            ("type", snippets, "--check", bcb / "pairs_true_typed.csv.xz"),
            "20 s",
        ),
        "type 6,045,776 pairs": (("type", snippets, "--table"), "15 min and 2 GB"),
        "build ConBigCloneBench": (("build", bcb, "-o", out / "con"), ""),
    }
    print("| job | wall, s | processor, s | peak memory, MB | goal |")
    print("|---|---|---|---|---|")
    for name, (words, goal) in rows.items():
        wall, used, memory = measured(("corpus", *words))
        print(f"| {name} | {wall:.1f} | {used:.1f} | {memory:.0f} | {goal} |", flush=True)


def measured(words: tuple[str | Path, ...]) -> tuple[float, float, float]:
    """Seconds, processor seconds and peak megabytes of a command and its worker processes."""
    start = time.perf_counter()
    code = "from codekin.cli import main; main()"
    child = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.DEVNULL
    )
    peak = [0.0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.05):
            peak[0] = max(peak[0], sum(map(proportional_memory, family(child.pid))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    ended.set()
    watcher.join()
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode in (0, 1), words  # check exits with 1 where it finds something
    # Peaks between two looks are missed, except those of a single process.
    return wall, usage.ru_utime + usage.ru_stime, max(peak[0], usage.ru_maxrss / 1024)


def family(process: int) -> list[int]:
    """A process and all its descendants."""
    found = [process]
    for one in found:  # grows on the way
        with contextlib.suppress(OSError):  # it has ended
            for task in list(Path(f"/proc/{one}/task").iterdir()):
                found += map(int, (task / "children").read_text().split())
    return found


def proportional_memory(process: int) -> float:
    """Megabytes of a process, with its share of what it has in common with others."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def print_rates(corpus: Corpus) -> None:
    """Pairs per second of codekin and of a plain loop, on snippets that are normalized already."""
    assert corpus.pairs is not None
    forms = NormalForms.of_snippets(corpus.snippets)
    parts = lists(forms.lines), lists(forms.tokens)
    chance = np.random.default_rng(0)
    print("\n| pairs | codekin, pairs per s | rapidfuzz | ratio (quartiles) |")
    print("|---|---|---|---|")
    drawn = chance.integers(len(corpus), size=(2, 500_000)).astype(np.int32)
    for name, first, second in (
        ("with a type in the data", corpus.pairs.first, corpus.pairs.second),
        ("at random", *drawn),
    ):
        order = np.argsort(first, kind="stable")
        mine, its = rates(forms, parts, first[order], second[order])
        ratios = [a / b for a, b in zip(mine, its, strict=True)]
        print(
            f"| {name} | {statistics.median(mine):,.0f} | {statistics.median(its):,.0f} | "
            f"{quartiles(ratios)} |",
            flush=True,
        )


def rates(
    forms: NormalForms, parts: tuple[list[list[int]], ...], first: Places, second: Places
) -> tuple[list[float], list[float]]:
    """Pairs per second of both, by repeat; the loop types a sample."""
    from rapidfuzz.distance import LCSseq

    step = max(1, len(first) // _PEER_PAIRS)
    some = list(zip(first[::step].tolist(), second[::step].tolist(), strict=True))

    def loop() -> None:
        for a, b in some:
            min(LCSseq.normalized_similarity(one[a], one[b]) for one in parts)

    mine, its = [], []
    for _ in range(_REPEATS):
        mine.append(len(first) / seconds(lambda: forms.types(first, second)))
        its.append(len(some) / seconds(loop))
    return mine, its


def print_searches(corpora: dict[str, Corpus]) -> None:
    """Seconds of the search for near copies, and how many snippets with one are found."""
    print("\n| near copies in | codekin, s | found | datasketch, s | found | ratio (quartiles) |")
    print("|---|---|---|---|---|---|")
    for name, corpus in corpora.items():
        words = snippet_lexemes(corpus.snippets)
        mine, its, found = [], [], (0, 0)
        for _ in range(_SEARCHES):
            start = time.perf_counter()
            copies = find_copies(corpus.snippets, lexemes=words)
            mine.append(time.perf_counter() - start)
            start = time.perf_counter()
            candidates = hashed_search(words)
            its.append(time.perf_counter() - start)
            found = copies.near_copies, len(candidates)
        ratios = [a / b for a, b in zip(its, mine, strict=True)]
        print(
            f"| {name}, {len(corpus):,} snippets | {statistics.median(mine):.1f} | {found[0]:,} | "
            f"{statistics.median(its):.1f} | {found[1]:,} | {quartiles(ratios)} |",
            flush=True,
        )


def hashed_search(words: NumberedSequences) -> set[int]:
    """The places of near copies by MinHash LSH, each candidate compared by its edit distance.

    An edit similarity of 0.9 means a Jaccard similarity of at least 0.818 of the sets of lexemes,
    in which the second occurrence of a lexeme is another element than the first.
    """
    from datasketch import MinHash, MinHashLSH
    from rapidfuzz.distance import Levenshtein

    texts = lists(words)
    index = MinHashLSH(threshold=0.8, num_perm=128)
    found: set[int] = set()
    for i, text in enumerate(texts):
        seen: Counter[int] = Counter()
        elements = []
        for one in text:
            elements.append(f"{one} {seen[one]}".encode())
            seen[one] += 1
        sketch = MinHash(num_perm=128)
        if elements:
            sketch.update_batch(elements)
        for j in index.query(sketch):
            longer, shorter = max(len(text), len(texts[j])), min(len(text), len(texts[j]))
            close = Levenshtein.distance(text, texts[j], score_cutoff=longer // 10) <= longer // 10
            if text == texts[j] or (shorter >= 15 and close):
                found |= {i, j}
        index.insert(i, sketch, check_duplication=False)
    return found


def quartiles(values: list[float]) -> str:
    """The median, and the quartiles around it."""
    order = sorted(values)
    low, middle, high = (order[len(order) * k // 4] for k in (1, 2, 3))
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def lists(sequences: NumberedSequences) -> list[list[int]]:
    return [sequences[i].tolist() for i in range(len(sequences))]


if __name__ == "__main__":
    main()
