"""The weights of ``codekin scan``: which evidence makes two fragments clones.

Usage: ``python bench/clone_evidence.py CODE WORK [--fast]``, where CODE is what scan_code.py
fetched, and WORK a folder for planted code. Clones are planted into the sets ``tuning``,
``reporting`` and ``acceptance``; those that are learnt from are adapted copies (see planting.py).
``judged_fragments.csv`` has what readers answered about pairs of functions and blocks there that
were not planted: about findings of a scan with hand-made rules, and about pairs that only a first
or a second regression accepted. A logistic regression learns from

- pairs that were judged, each with weight 1;
- adapted copies of all types but T1; those with new names weigh more. They are in two files,
  always; each counts half as it is, and half as if it were in one file;
- candidates that share little and were not judged, as pairs that are not clones, with little
  weight.

The line is drawn where, with each set judged by weights of the two others, just enough planted
clones are found; precision is that of judged pairs above it. Prints that, and the weights for
``codekin/scan/clone_evidence.py``.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from codekin.detectors.line_coverage import FileLines
from codekin.scan.candidates import candidate_pairs
from codekin.scan.clone_evidence import (
    FragmentEvidence,
    compare_fragments,
    fragment_evidence,
)
from codekin.scan.code_reader import CodeReader
from codekin.scan.scanned_code import PartsJoiner
from codekin.scan.scanned_files import MAX_BYTES, LeftOutFile, files_to_scan
from codekin.scan.scanning import MIN_LINES
from codekin.scan.store import PartSettings
from planting import KINDS, NEW_NAMES, Planted, plant, read_truth
from scan import COVERAGE, _matches

JUDGED_FOLDERS = (
    *(("tuning", 101), ("tuning", 102), ("reporting", 103), ("reporting", 104)),
    ("acceptance", 41),
)
ADAPTED_FOLDERS = {("tuning", 201): 16, ("reporting", 203): 16, ("acceptance", 205): 13}
"""With the clones of each kind and language."""
JUDGED = Path(__file__).with_name("judged_fragments.csv")
LEARNT = {
    **{"T2": 0.8, "T2 literals": 0.8, "T3 10": 0.4, "T3 20": 0.6, "T3 30": 0.8, "T3 50": 0.3},
    "T4": 1.6,
}
"""The weights of adapted copies; those of T4 are hardest to find. Most of T2 are not learnt from,
since their statements are the same; with the others, template strings or the like differ."""
NEW_NAMES_WEIGHT = 1.5
"""By which a copy with new names weighs more."""
OTHERS, SHARED = 0.01, 0.7
"""The weight of candidates that nobody judged, and the least sum of kin and the larger of `kept`
and `calls` from which on they are not learnt from, since too many are clones."""
PENALTY = 0.5
ASKED, ASKED_FAST = {"T3": 0.92, "T4": 0.95}, {"T3": 0.89}
ADAPTED_KINDS = tuple(kind for kind in KINDS if kind.startswith(("T3", "T4")))
NAMES = tuple(one.name for one in fields(FragmentEvidence))
_FILE = NAMES.index("file")


@dataclass(frozen=True)
class Candidates:
    """The candidates of a folder with planted clones that differ in more than names and values.

    Attributes
    ----------
    evidence : array
        A row per pair, in the order of `NAMES`.
    adapted : bool
        Whether copies are adapted.
    kinds : array of str
        Of planted pairs; empty for others.
    new_names : array of bool
        Whether they are planted with new names of their own.
    answers : array
        1 and 0 for pairs that were judged, -1 for others.
    touches : array of bool
        Whether a side has a line of a planted copy.
    truth : list of Planted
    pair : array
        The planted pair of each candidate, -1 for none.
    """

    evidence: np.ndarray
    adapted: bool
    kinds: np.ndarray
    new_names: np.ndarray
    answers: np.ndarray
    touches: np.ndarray
    truth: list[Planted]
    pair: np.ndarray


def read_candidates(
    code_set: str, seed: int, folder: Path, *, fast: bool, adapted: bool
) -> Candidates:
    """The candidates of a scan with their evidence, and what is known of them."""
    root = folder / "code"
    files = files_to_scan([root], languages=(), exclude=(), everything=False)
    reader = CodeReader(PartSettings(MIN_LINES, fast, False), max_bytes=MAX_BYTES)
    reader.look(files.files)
    joiner, names = PartsJoiner(), []
    for file, texts in reader.read():
        for one in [] if isinstance(texts, LeftOutFile) else texts:
            names.append(Path(file.name).relative_to(root).as_posix())
            joiner.add(one.parts)
    code = joiner.code()
    tokens, table = code.tokens, code.fragments
    pairs = candidate_pairs(code, fast=fast)
    compared = compare_fragments(code, pairs)
    places, evidence = fragment_evidence(code, pairs, compared, fast=fast)
    changed = ~compared.copy[places]
    regions = [
        FileLines(names[file], int(first), int(last))
        for file, first, last in zip(
            code.file_of_fragment,
            tokens.lines[table.begin],
            tokens.last_lines[table.end - 1],
            strict=True,
        )
    ]
    found = [(regions[pairs.left[i]], regions[pairs.right[i]]) for i in places[changed].tolist()]
    truth = list(read_truth(folder / "truth.jsonl"))
    pair = planted_pairs(truth, found)
    known = judged_pairs(code_set, seed)
    copies = defaultdict(list)
    for one in truth:
        copies[one.file2].append((one.start2, one.end2))

    def touched(one: FileLines) -> bool:
        return any(a <= one.end and one.start <= b for a, b in copies.get(one.file, ()))

    return Candidates(
        evidence=np.stack([getattr(evidence, name)[changed] for name in NAMES], axis=1),
        adapted=adapted,
        kinds=np.array([truth[i].kind if i >= 0 else "" for i in pair.tolist()]),
        new_names=np.array([i >= 0 and NEW_NAMES in truth[i].changes for i in pair.tolist()]),
        answers=np.array([known.get(one, -1) for one in found]),
        touches=np.array([touched(one) or touched(two) for one, two in found]),
        truth=truth,
        pair=pair,
    )


def planted_pairs(truth: list[Planted], found: list[tuple[FileLines, FileLines]]) -> np.ndarray:
    """The planted pair that each pair of regions covers, -1 for none."""
    near = defaultdict(list)
    for i, one in enumerate(truth):
        near[frozenset({one.file1, one.file2})].append(i)
    places = []
    for pair in found:
        among = near.get(frozenset({pair[0].file, pair[1].file}), ())
        places.append(next((i for i in among if _matches(truth[i], pair, COVERAGE)), -1))
    return np.array(places)


def judged_pairs(code_set: str, seed: int) -> dict[tuple[FileLines, FileLines], int]:
    """What readers answered about a folder."""
    known = {}
    with JUDGED.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if (row["set"], int(row["seed"])) == (code_set, seed):
                one, two = (
                    FileLines(row[f"file{i}"], int(row[f"start{i}"]), int(row[f"end{i}"]))
                    for i in (1, 2)
                )
                known[one, two] = int(row["answer"] == "yes")
    return known


def learn(folders: list[Candidates]) -> tuple[np.ndarray, float]:
    """Weights in the order of `NAMES`, and the start."""
    rows, labels, weights = [], [], []
    for one in folders:
        planted = np.isin(one.kinds, list(LEARNT)) & (one.answers < 0)
        label = np.where(planted, 1, np.maximum(one.answers, 0))
        weight = np.where(one.answers >= 0, 1.0, OTHERS)
        kept, calls, kin = (one.evidence[:, NAMES.index(name)] for name in ("kept", "calls", "kin"))
        many = one.touches | (np.maximum(kept, calls) + kin >= SHARED)
        weight[many & (one.answers < 0)] = 0
        weight[planted] = [LEARNT[kind] / 2 for kind in one.kinds[planted]]
        weight[planted & one.new_names] *= NEW_NAMES_WEIGHT
        twins = one.evidence[planted]
        twins[:, _FILE] = 1
        rows += [one.evidence, twins]
        labels += [label, np.ones(len(twins))]
        weights += [weight, weight[planted]]
    model = make_pipeline(StandardScaler(), LogisticRegression(C=PENALTY, max_iter=3000))
    model.fit(
        np.concatenate(rows),
        np.concatenate(labels),
        logisticregression__sample_weight=np.concatenate(weights),
    )
    scale, regression = model[0], model[1]
    slopes = regression.coef_[0] / scale.scale_
    return slopes, float(regression.intercept_[0] - slopes @ scale.mean_)


def shares_found(
    folders: list[Candidates], odds: list[np.ndarray], line: float
) -> dict[str, float]:
    """How many of all adapted copies of each kind are above a line."""
    found, planted = Counter(), Counter()
    for one, values in zip(folders, odds, strict=True):
        if one.adapted:
            above = set(one.pair[values >= line].tolist()) - {-1}
            planted.update(row for pair in one.truth for row in rows_of(pair))
            found.update(row for i in above for row in rows_of(one.truth[i]))
    return {row: found[row] / planted[row] for row in sorted(planted)}


def rows_of(pair: Planted) -> list[str]:
    """The rows of a table that a planted pair of T3 or T4 counts in."""
    if pair.kind not in {*ADAPTED_KINDS}:
        return []
    names = "new names" if NEW_NAMES in pair.changes else "names kept"
    return [*dict.fromkeys((pair.kind, pair.kind[:2], f"{pair.kind[:2]} {names}"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", type=Path, metavar="CODE")
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--fast", action="store_true", help="weights of codekin scan --fast")
    options = parser.parse_args()
    folders, sets = [], []
    for code_set, seed in (*JUDGED_FOLDERS, *ADAPTED_FOLDERS):
        folder = options.work / f"{code_set}-{seed}"
        adapted = (code_set, seed) in ADAPTED_FOLDERS
        pairs = ADAPTED_FOLDERS.get((code_set, seed), 20)
        if not folder.exists():
            code = options.code / code_set
            plant(code, folder, lines=15_000, pairs=pairs, seed=seed, adapted=adapted)
        folders.append(read_candidates(code_set, seed, folder, fast=options.fast, adapted=adapted))
        sets.append(code_set)
    odds = []
    for held_out, code_set in zip(folders, sets, strict=True):
        others = [one for one, name in zip(folders, sets, strict=True) if name != code_set]
        weights, start = learn(others)
        odds.append(held_out.evidence @ weights + start)
    asked = ASKED_FAST if options.fast else ASKED
    line = next(
        line
        for line in np.arange(8, -5, -0.02)
        if all(shares_found(folders, odds, line)[kind] >= share for kind, share in asked.items())
    )
    answers = np.concatenate([one.answers for one in folders])
    known = answers[(np.concatenate(odds) >= line) & (answers >= 0)]
    shares = shares_found(folders, odds, line)
    print("planted, %:", {kind: round(100 * share, 1) for kind, share in shares.items()})
    print(f"judged: {len(known)} of {np.sum(answers >= 0)} above the line, {known.mean():.3f} yes")
    unplanted = sum(
        int(np.sum((values >= line) & ~one.touches))
        for one, values in zip(folders, odds, strict=True)
    )
    print(f"others above the line: {unplanted}")
    weights, start = learn(folders)
    print(f"start={start - line:.3f},")
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{name}={weight:.3f},")


if __name__ == "__main__":
    main()
