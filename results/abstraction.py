"""Whether abstracted programs still parse, stay as they are, and do what they did.

Usage: ``python results/abstraction.py DATA [--parts NAME]... [--levels L]... [--limit N]`` where
DATA has the clone corpora as ``clones/*/snippets.jsonl.xz``, ConDefects as
``triplets/condefects-*.jsonl.xz`` and HumanEvalPack as ``humanevalpack/*.jsonl.xz``. Prints tables
in Markdown, one per part:

- ``texts``: every program of every set at every level. Parsed before and after; changed by a second
  abstraction; with a new name that the text had and kept; with another string.
- ``tests``: HumanEvalPack's programs with their tests as one text at level 1, run.
- ``names``: algorithm 1 on BigCloneBench and on OJClone's problems 1 to 15.

The class that Java programs begin in is called Main again before they are run, since the file has
that name.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from codekin import Source
from codekin.corpora.abstracting import abstract_corpus, survey_snippet
from codekin.corpora.corpus import Corpus
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.name_overlap import name_overlap
from codekin.corpora.reading import read_corpus
from codekin.corpora.snippets import Snippet
from codekin.languages import TokenClass
from codekin.rewrite.abstraction import LEVELS, NO_VOCABULARY, Vocabulary, abstract
from rewrites import FILES, TOOLS, WORKERS, Program, run_all, whole

CLONES = ("bigclonebench", "googlecodejam", "gcj-java", "gcj2017-cpp", "ojclone")
PARTS = ("texts", "tests", "names")
FORMATTED = re.compile(r"[rR]?[fFtT][rR]?[\"']")
"""Strings of Python that have code in them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=PARTS)
    parser.add_argument("--sets", nargs="+", default=[*CLONES, "condefects"])
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--limit", type=int, default=None, help="programs of each set")
    arguments = parser.parse_args()
    if "texts" in arguments.parts:
        judge_texts(arguments.data, arguments.sets, arguments.levels, arguments.limit)
    if "tests" in arguments.parts:
        judge_tests(arguments.data, arguments.limit)
    if "names" in arguments.parts:
        judge_names(arguments.data, arguments.levels)


def judge_texts(data: Path, sets: list[str], levels: list[str], limit: int | None) -> None:
    print("| set | level | programs | parsed | still parse | changed again | collide | strings |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sets:
        snippets = list(programs(data, name))[:limit]
        for level in levels:
            words = NO_VOCABULARY
            if level in {"1", "2", "3"}:
                words = Vocabulary.of(each_snippet(survey_snippet, snippets, False))
            counts: Counter[str] = Counter()
            with ProcessPoolExecutor(WORKERS, initializer=prepare, initargs=(level, words)) as pool:
                judged = pool.map(judge_text, snippets, chunksize=50)
                found_all = list(judged)
            for found, snippet in zip(found_all, snippets, strict=True):
                counts.update(found)
                for problem in set(found) & {"broken", "again", "collides", "string"}:
                    print(f"{problem}: {name} {level} {snippet.id}", file=sys.stderr)
            parsed = counts["parsed"]
            kept = parsed - counts["broken"]
            share = "" if level == "over" else f"{kept:,} ({kept / parsed:.3%})"
            print(
                f"| {name} | {level} | {len(snippets):,} | {parsed:,} | {share} | "
                f"{counts['again']} | {counts['collides']} | {counts['string']} |",
                flush=True,
            )


def programs(data: Path, name: str) -> Iterator[Snippet]:
    if name != "condefects":
        yield from read_corpus(data / "clones" / name / "snippets.jsonl.xz").snippets
        return
    seen = set()
    for path in sorted((data / "triplets").glob("condefects-*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                for part in ("anchor", "positive", "negative"):
                    key = row[part]["language"], row[part]["code"]
                    if key not in seen:
                        seen.add(key)
                        yield Snippet(f"{path.name} {row['id']} {part}", *key)


SETTINGS: list[Any] = []


def prepare(level: str, words: Vocabulary) -> None:
    SETTINGS[:] = level, words


def judge_text(snippet: Snippet) -> list[str]:
    """What there is to say about a program at a level."""
    level, words = SETTINGS
    language, source = snippet.language, Source(snippet.code, snippet.language)
    made = abstract(source, level, vocabulary=words)
    found = []
    after = Source(made.text, language)
    if not source.problems:
        found.append("parsed")
        if level != "over" and after.problems:
            found.append("broken")
    if abstract(after, level, vocabulary=words).text != made.text:
        found.append("again")
    if level in {"0", "over"}:
        return found
    old, new = Source(made.base, language).tokens, after.tokens
    if len(old.texts) != len(new.texts):
        return [*found, "string"]
    strings = (TokenClass.STRING, TokenClass.CHARACTER)
    pairs = list(zip(old.texts, new.texts, old.classes.tolist(), strict=True))
    if any(a != b and c in strings and not FORMATTED.match(a) for a, b, c in pairs):
        found.append("string")
    kept = {a for a, b, _ in pairs if a == b}
    if any(a != b and b in kept and made.replaced.get(b) != b for a, b, _ in pairs):
        found.append("collides")
    return found


def judge_tests(data: Path, limit: int | None) -> None:
    print("| language | tasks | changed | passed |")
    print("|---|---|---|---|")
    for language in ("java", "cpp", "python"):
        missing = [tool for tool in TOOLS[language] if shutil.which(tool) is None]
        if missing:
            print(f"{language} is skipped: {', '.join(missing)} is not here", file=sys.stderr)
            continue
        path = data / "humanevalpack" / f"{FILES[language]}.jsonl.xz"
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            tasks = [json.loads(line) for line in lines][:limit]
        plain = run_all(
            language, [Program(t["task_id"], language, "none", 0, whole(t)) for t in tasks]
        )
        good = [one for one in plain if one.passed]
        made = []
        for one in good:
            done = abstract(Source(one.text, language), 1)
            text = done.text
            begins = next((new for new, old in done.replaced.items() if old == "Main"), None)
            if language == "java" and begins is not None:
                text = re.sub(rf"\b{begins}\b", "Main", text)
            made.append(Program(one.task, language, "abstract", 1, text))
        ran = run_all(language, made)
        changed = sum(a.text != b.text for a, b in zip(good, ran, strict=True))
        print(f"| {language} | {len(good)} | {changed} | {sum(bool(p.passed) for p in ran)} |")
        for one in ran:
            if not one.passed:
                print(f"FAILED: {one.task}", file=sys.stderr)


def judge_names(data: Path, levels: list[str]) -> None:
    print("| corpus | names | all functionalities | at least 20 snippets |")
    print("|---|---|---|---|")
    bigclonebench = read_corpus(data / "clones/bigclonebench/snippets.jsonl.xz")
    ojclone = read_corpus(data / "clones/ojclone/snippets.jsonl.xz")
    first = {str(number) for number in range(1, 16)}
    places = [i for i, one in enumerate(ojclone.snippets) if one.functionality in first]
    for name, corpus in (("BigCloneBench", bigclonebench), ("OJClone 1-15", ojclone.keep(places))):
        for level in (None, *(one for one in levels if one not in {"0", "over"})):
            made: Corpus = corpus if level is None else abstract_corpus(corpus, level)
            found = name_overlap(made)
            shown = "original" if level is None else level
            print(
                f"| {name} | {shown} | {found.mean:.3f} | {found.mean_without_small:.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
