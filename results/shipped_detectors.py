"""Train the detectors that come with codekin, and judge them on code from other sources.

Usage::

    python results/shipped_detectors.py train CLONES SOURCES -o src/codekin/data/detectors
    python results/shipped_detectors.py judge DATA --sources SOURCES

CLONES holds ``bigclonebench``, ``googlecodejam`` and ``ojclone``; SOURCES holds the
folders ``java`` and ``c``, each with a folder per package (``results/shipped_packages.txt`` lists
the source packages of Debian 12 that were used). DATA holds ``clones`` and ``triplets``.

Clones to learn from: functions of different packages that have the same name (the name itself is
taken out of them), solutions of one contest problem, and functions of one functionality of
BigCloneBench. The last
are for training alone; no name or problem is on two sides. ``judge`` compares pairs of
correct solutions of ConDefects and Codeflaws with pairs of solutions of different problems.
The cards also say what the detectors reach on the test sides of whole corpora in every view.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from codekin import (
    Corpus,
    Role,
    Snippet,
    Source,
    build_yu,
    measure,
    read_corpus,
    sample_pairs,
    split_corpus,
    train_detector,
)
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import SIDES
from codekin.detectors.detector import Detector, load_detector, pairs_of_side
from codekin.detectors.shipped import shipped_detector
from codekin.represent.tree.fragments import functions_of
from codekin.statistics.classification import area_under_curve, average_precision, f1_at
from pages import table

CONTESTS = {"java": ("googlecodejam",), "c": ("ojclone",)}
VIEWED = {
    "java": {"gcj-java": "gcj-java", "bigclonebench": "bigclonebench/snippets.jsonl.xz"},
    "c": {"gcj2017-cpp": "gcj2017-cpp", "ojclone": "ojclone"},
}
"""The corpora that are judged in every view; those of `TRAINED` were partly learned from."""
TRAINED = ("bigclonebench", "ojclone")
VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
SUFFIXES = {"java": ".java", "c": ".c"}
LINES = range(4, 61)
COUNTED = 8_000
"""Functions in which words are counted, at least."""
MOST_BYTES = 3_000_000
"""Of a package that are read, so that no package dominates."""
MEASURES = ("kin", "chrf", "bleu", "codebleu", "crystalbleu", "cssg", "jaccard", "nes", "tsed")


def package_functions(folder: Path, language: str) -> Iterator[tuple[str, str, str]]:
    """The package, name and code of functions; tests and generated code are left out."""
    for package in sorted(one for one in folder.iterdir() if one.is_dir()):
        files = [
            one
            for one in sorted(package.rglob(f"*{SUFFIXES[language]}"))
            if one.is_file() and not re.search("(?i)test|generated", str(one.relative_to(package)))
        ]
        random.Random(0).shuffle(files)
        size = 0
        for file in files:
            data = file.read_bytes()
            if size > MOST_BYTES or len(data) > MOST_BYTES // 10:
                continue
            size += len(data)
            yield from functions(package.name, data.decode("utf-8", "replace"), language)


def file_functions(path: Path, language: str) -> Iterator[tuple[str, str, str]]:
    """Those of the whole files of BigCloneBench, each of which is a package."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield from functions(f"{row['source']}/{row['file']}", row["text"], language)


def functions(package: str, text: str, language: str) -> Iterator[tuple[str, str, str]]:
    """The functions of a text that are neither very short nor very long."""
    source = Source(text, language)
    for one in functions_of(source.tree, source.data, source.language, nested=False):
        code = one.text(source.data)
        if len(code.splitlines()) in LINES and len(code) < 4000:
            yield package, one.name, code


def same_names(found: Iterator[tuple[str, str, str]], language: str) -> list[Snippet]:
    """Up to four functions of each name of two words that different packages have.

    Of functions that differ in nothing but names and layout, one is kept.
    """
    by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for package, name, code in found:
        if len(re.findall("[A-Z]?[a-z]+|[A-Z]+", name)) > 1:
            by_name[name].append((package, code))
    chance = random.Random(0)
    snippets = []
    for name in sorted(by_name):
        rows = by_name[name]
        chance.shuffle(rows)
        texts: set[str] = set()
        packages: set[str] = set()
        kept = []
        for package, code in rows:
            text = re.sub(r"\w+", "x", re.sub(r"\s+", "", code))
            if text not in texts and package not in packages:
                texts.add(text)
                packages.add(package)
                kept.append(re.sub(rf"\b{re.escape(name)}\b", "f", code))
        if len(kept) > 1 and len({package for package, _ in rows}) <= 60:
            snippets += [
                Snippet(f"name/{name}/{i}", language, code, (Role(f"name {name}"),))
                for i, code in enumerate(kept[:4])
            ]
    return snippets


def few_of_each(corpus: Corpus, most: int) -> list[Snippet]:
    """Up to `most` snippets of each functionality that has at least five."""
    groups: dict[str, list[Snippet]] = defaultdict(list)
    for one in corpus.snippets:
        if len(one.functionalities) == 1:
            groups[one.functionalities[0]].append(one)
    found = []
    for name, snippets in sorted(groups.items()):
        random.Random(name).shuffle(snippets)
        if len(snippets) >= 5:
            found += [
                Snippet(
                    f"{corpus.name}/{one.id}",
                    one.language,
                    one.code,
                    (Role(f"{corpus.name} {name}"),),
                )
                for one in snippets[:most]
            ]
    return found


def on_sides(snippets: Sequence[Snippet], shares: tuple[float, float]) -> list[Snippet]:
    """Functionalities dealt to training, validation and test; the shares are of the latter two."""
    names = sorted({one.functionality or "" for one in snippets})
    random.Random(0).shuffle(names)
    first, second = (max(2, round(share * len(names))) for share in shares)
    side = dict.fromkeys(names, "train")
    side |= dict.fromkeys(names[:first], "validation")
    side |= dict.fromkeys(names[first : first + second], "test")
    return [replace(one, side=side[one.functionality or ""]) for one in snippets]


def joined(name: str, parts: Sequence[Corpus]) -> Corpus:
    """Corpora with pairs as one."""
    start = 0
    columns: list[list[np.ndarray]] = [[], [], [], []]
    for part in parts:
        pairs = part.pairs
        assert pairs is not None and pairs.side is not None
        codes, names = pairs.side
        place = np.array([SIDES.index(one) for one in names], np.int8)
        for column, values in zip(
            columns,
            (pairs.first + start, pairs.second + start, pairs.label, place[codes]),
            strict=True,
        ):
            column.append(values)
        start += len(part)
    first, second, label, side = (np.concatenate(one) for one in columns)
    snippets = tuple(one for part in parts for one in part.snippets)
    pairs = Pairs(first.astype(np.int32), second.astype(np.int32), label, side=(side, SIDES))
    return Corpus(name, snippets, pairs)


def training_corpus(language: str, clones: Path, sources: Path) -> Corpus:
    """Functions of the same name, contest programs and BigCloneBench, with pairs."""
    found = list(package_functions(sources / language, language))
    if language == "java":
        found += file_functions(clones / "bigclonebench" / "files.jsonl.xz", language)
    named = on_sides(same_names(iter(found), language), (0.3, 0.1))
    contests = [
        one for name in CONTESTS[language] for one in few_of_each(read_corpus(clones / name), 80)
    ]
    parts = [
        (named, {"train": 40_000, "validation": 4_000, "test": 4_000}),
        (on_sides(contests, (0.3, 0.15)), {"train": 20_000, "validation": 4_000, "test": 4_000}),
    ]
    if language == "java":
        bcb = few_of_each(read_corpus(clones / "bigclonebench" / "snippets.jsonl.xz"), 250)
        parts.append(([replace(one, side="train") for one in bcb], {"train": 10_000}))
    corpus = joined(f"code of one purpose in {language}", [pairs_of(*part) for part in parts])
    # Functions without a pair, of which only the words are counted, where there are few with one.
    held = {one.functionality for one in named if one.side != "train"}
    free = [code for _, name, code in found if f"name {name}" not in held]
    random.Random(0).shuffle(free)
    more = max(0, COUNTED - sum(one.side == "train" for one in named))
    others = [
        Snippet(f"other/{i}", language, code, side="train") for i, code in enumerate(free[:more])
    ]
    return replace(corpus, snippets=(*corpus.snippets, *others))


def pairs_of(snippets: Sequence[Snippet], sizes: dict[str, int]) -> Corpus:
    """Snippets with pairs, a quarter of them clones; fewer where there are not enough clones."""
    groups: Counter[tuple[str | None, str | None]] = Counter()
    groups.update((one.side, one.functionality) for one in snippets)
    clones: Counter[str | None] = Counter()
    for (side, _), count in groups.items():
        clones[side] += count * (count - 1) // 2
    fitting = {side: min(size, 4 * clones[side]) for side, size in sizes.items()}
    return sample_pairs(Corpus("part", tuple(snippets)), fitting, rate=0.25, rule="functionality")


def train(given: argparse.Namespace) -> None:
    """Train and save a detector per language."""
    for language in given.language or ("java", "c"):
        corpus = training_corpus(language, given.clones, given.sources)
        model, training = train_detector(corpus, given.model)
        del model.card["test"]["by_functionality"]  # thousands of names
        model.card |= {
            "made of": "functions of different Debian 12 packages with the same name, contest "
            "programs, and BigCloneBench; no name or problem is on two sides",
            "command": "python results/shipped_detectors.py train CLONES SOURCES",
            "views": in_views(model, language, given.clones),
        }
        model.save(given.output / language)
        print(training.to_markdown())


def in_views(model: Detector, language: str, clones: Path) -> list[dict[str, object]]:
    """What a detector reaches on the test sides of whole corpora, by view."""
    found = []
    for name, place in VIEWED[language].items():
        corpus = read_corpus(clones / place)
        if name == "bigclonebench":
            corpus = build_yu(corpus)
        # Programs of OJClone have no author.
        for view in VIEWS[:: 2 if name == "ojclone" else 1]:
            about = {"corpus": name, "in training": name in TRAINED, "view": view}
            found.append(about | view_scores(model, corpus, view))
    return found


def view_scores(model: Detector, corpus: Corpus, view: str) -> dict[str, float]:
    """The scores of a detector on 4,000 pairs of the test side of a view."""
    preset = None if view in VIEWS[:2] else "paper"
    split = split_corpus(corpus, view, preset=preset, seed=0)
    sides = {"train": 1, "validation": 1, "test": 4_000}
    drawn = sample_pairs(split, sides, rule="functionality", fewer=True, seed=0)
    test = pairs_of_side(drawn, "test")
    scores = model.score_pairs(drawn.snippets, test.first, test.second).astype(np.float64)
    scores = np.nan_to_num(scores)
    numbers = {
        "pairs": len(test),
        "rate": test.label.mean(),
        "f1": f1_at(scores, test.label, model.threshold).f1,
        "ap": average_precision(scores, test.label),
        "auc": area_under_curve(scores, test.label),
    }
    return {key: round(float(value), 3) for key, value in numbers.items()}


def judged_pairs(path: Path) -> tuple[list[Snippet], np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of correct solutions of one problem, and as many of different problems."""
    rows = []
    for name in ("matched", "random"):
        with lzma.open(Path(f"{path}-{name}.jsonl.xz"), "rt", encoding="utf-8") as lines:
            rows += map(json.loads, lines)
    chance = random.Random(0)
    chance.shuffle(rows)
    codes: dict[str, int] = {}
    pairs = [(row["anchor"], row["positive"]) for row in rows[:1500]]
    count = len(pairs)
    while len(pairs) < 2 * count:
        one, other = chance.sample(rows, 2)
        if one["problem"] != other["problem"]:
            pairs.append((one["anchor"], other["positive"]))
    places = [[codes.setdefault(end["code"], len(codes)) for end in pair] for pair in pairs]
    language = rows[0]["anchor"]["language"]
    snippets = [Snippet(str(i), language, code) for i, code in enumerate(codes)]
    first, second = np.array(places, np.int32).T
    return snippets, first, second, np.arange(len(pairs)) < count


JudgedPairs = tuple[Sequence[Snippet], np.ndarray, np.ndarray, np.ndarray]


def test_pairs(language: str, clones: Path, sources: Path) -> Iterator[tuple[str, JudgedPairs]]:
    """The pairs of the test side, by where they come from; at most 1,500 each."""
    corpus = training_corpus(language, clones, sources)
    test = pairs_of_side(corpus, "test")
    origin = np.array([one.id.partition("/")[0] for one in corpus.snippets])[test.first]
    for name in sorted(set(origin)):
        chosen = np.random.default_rng(0).permutation(np.flatnonzero(origin == name))[:1500]
        pairs = test.first[chosen], test.second[chosen], test.label[chosen]
        yield f"{name}, {language}", (corpus.snippets, *pairs)


def judge(given: argparse.Namespace) -> None:
    """The area under the curve of the detector and of measures."""
    sets: dict[str, JudgedPairs] = {}
    for name in ("condefects-java", "codeflaws-c"):
        sets[name] = judged_pairs(given.data / "triplets" / name)
    if given.sources:
        for language in SUFFIXES:
            sets |= test_pairs(language, given.data / "clones", given.sources)
    found: dict[str, list[float]] = defaultdict(list)
    for name, (snippets, first, second, label) in sets.items():
        language = name.rpartition("-" if "-" in name else ", ")[2]
        given_model = given.models and load_detector(given.models / language)
        model = given_model or shipped_detector([language])
        scores = model.score_pairs(snippets, first, second).astype(np.float64)
        found["shipped detector"].append(area_under_curve(np.nan_to_num(scores), label))
        sources: dict[int, Source] = {}
        for place in np.unique(np.concatenate([first, second])).tolist():
            sources[place] = Source(snippets[place].code, snippets[place].language)
        for word in given.measure or MEASURES:
            one = measure(word)
            values = np.array(
                [
                    one.score(sources[i], sources[j]).value
                    for i, j in zip(first.tolist(), second.tolist(), strict=True)
                ]
            )
            found[word].append(area_under_curve(-values if one.distance else values, label))
    lines = [[name, *(f"{value:.3f}" for value in values)] for name, values in found.items()]
    print(table(["", *sets], lines))


def main() -> None:
    """Train or judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("train")
    one.add_argument("clones", type=Path)
    one.add_argument("sources", type=Path)
    one.add_argument("-o", "--output", type=Path, required=True)
    one.add_argument("--model", default="blend:epochs=3,transfer=true")
    one.add_argument("--language", action="append", choices=sorted(SUFFIXES))
    one.set_defaults(run=train)
    one = commands.add_parser("judge")
    one.add_argument("data", type=Path)
    one.add_argument("-m", "--measure", action="append")
    one.add_argument("--sources", type=Path, help="to judge by the test side of training, too")
    one.add_argument("--models", type=Path, help="detectors in place of those that are shipped")
    one.set_defaults(run=judge)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
