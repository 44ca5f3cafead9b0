"""The page on abstraction: ``python results/abstraction.py DATA -o docs/results/abstraction.md``.

DATA has the clone corpora as ``clones/*/snippets.jsonl.xz`` and BigCloneBench's
``tagged_false.jsonl.xz``, ConDefects as ``triplets/condefects-*.jsonl.xz`` and HumanEvalPack as
``humanevalpack/*.jsonl.xz``. The parts of the page:

- ``texts``: every program of every set at every level. Parsed before and after; changed by a second
  abstraction; with a new name for two old ones; with another string. And the number of different
  words at each level.
- ``tests``: HumanEvalPack's programs with their tests as one text at level 1, run.
- ``names``: Algorithm 1 on BigCloneBench and on OJClone's problems 1 to 15.

``--sets``, ``--levels`` and ``--limit`` look at less; programs with a problem are listed on stderr.
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
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from codekin import Source
from codekin.corpora.abstracting import abstract_corpus, survey_snippet
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.name_overlap import name_overlap
from codekin.corpora.reading import read_corpus
from codekin.corpora.snippets import Snippet
from codekin.languages import TokenClass
from codekin.rewrite.abstraction import (
    LEVELS,
    NO_VOCABULARY,
    Abstraction,
    NameSurvey,
    Vocabulary,
    abstract,
    survey_names,
)
from pages import number, table, write_page
from rewrites import FILES, TOOLS, WORKERS, Program, run_all, whole

SETS = {
    "bigclonebench": "clones/bigclonebench/snippets.jsonl.xz",
    "bigclonebench, tagged_false": "clones/bigclonebench/tagged_false.jsonl.xz",
    "googlecodejam": "clones/googlecodejam/snippets.jsonl.xz",
    "gcj-java": "clones/gcj-java/snippets.jsonl.xz",
    "gcj2017-cpp": "clones/gcj2017-cpp/snippets.jsonl.xz",
    "ojclone": "clones/ojclone/snippets.jsonl.xz",
    "condefects": "triplets/condefects-*.jsonl.xz",
}
PARTS = ("texts", "tests", "names")
WITH_VOCABULARY = ("1", "2", "3")
FAULTS = ("broken", "again", "alone", "collides", "string")
FORMATTED = re.compile(r"[rR]?[fFtT][rR]?[\"']")
"""Strings of Python that have code in them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=PARTS)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--limit", type=int, default=None, help="programs of each set")
    arguments = parser.parse_args()
    parts = [HEAD]
    if "texts" in arguments.parts:
        judged = []
        for name in arguments.sets:
            snippets = list(programs(arguments.data, name))[: arguments.limit]
            judged.append(judge_set(name, snippets, arguments.levels))
            print(f"{name} is done", file=sys.stderr, flush=True)
        parts += ["## Texts", texts_table(judged), "## Words", words_table(judged)]
    if "tests" in arguments.parts:
        parts += ["## Tests", judge_tests(arguments.data, arguments.limit)]
    if "names" in arguments.parts:
        parts += ["## Names", judge_names(arguments.data, arguments.levels)]
    write_page("\n\n".join(parts) + "\n", arguments.output)


HEAD = """\
# Abstraction

Made by `python results/abstraction.py DATA -o docs/results/abstraction.md`, where DATA holds the
sets of clones, ConDefects and HumanEvalPack. What the levels are: [Levels of
abstraction](../corpora.md#levels-of-abstraction)."""


@dataclass
class SetFacts:
    """What was found in a set of programs at each level."""

    name: str
    programs: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    words: dict[str, set[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class TextFacts:
    """What was found in one program: at each level, its words, and its names there."""

    found: dict[str, list[str]]
    words: dict[str, list[int]]
    surveys: dict[str, NameSurvey]


def judge_set(name: str, snippets: Sequence[Snippet], levels: Sequence[str]) -> SetFacts:
    """Abstract every program of a set at every level, twice."""
    words = Vocabulary.of(each_snippet(survey_snippet, snippets, False))
    facts = SetFacts(name, len(snippets), {level: Counter() for level in levels})
    surveys: dict[str, list[NameSurvey]] = {level: [] for level in WITH_VOCABULARY}
    with ProcessPoolExecutor(WORKERS, initializer=prepare, initargs=(levels, words)) as pool:
        judged = pool.map(judge_text, snippets, chunksize=50)
        for snippet, one in zip(snippets, judged, strict=True):
            for level, found in one.found.items():
                facts.counts[level].update(found)
                for problem in set(found) & set(FAULTS):
                    print(f"{problem}: {name} {level} {snippet.id}", file=sys.stderr, flush=True)
            for level, ids in one.words.items():
                facts.words.setdefault(level, set()).update(ids)
            for level, survey in one.surveys.items():
                surveys[level].append(survey)
    check_vocabularies(name, words, surveys)
    return facts


def check_vocabularies(name: str, words: Vocabulary, surveys: dict[str, list[NameSurvey]]) -> None:
    """Stop if the vocabulary that a second abstraction of the corpus has would rename anything."""
    for level, found in surveys.items():
        again = Vocabulary.of(found, words)
        new = {old: now for old, now in again.functions.items() if old not in words.functions}
        if again.types != words.types or (
            level == "3" and any(old != now for old, now in new.items())
        ):
            sys.exit(f"{name}, level {level}: a second abstraction has another vocabulary")


def texts_table(judged: Sequence[SetFacts]) -> str:
    rows = []
    for facts in judged:
        for level, counts in facts.counts.items():
            parsed = counts["parsed"]
            kept = parsed - counts["broken"]
            share = "–" if level == "over" else f"{kept / max(parsed, 1):.3%}"
            rows.append(
                (
                    *(facts.name, level, f"{facts.programs:,}", f"{parsed:,}"),
                    *("–" if level == "over" else f"{kept:,}", share),
                    str(counts["again"] + counts["alone"]),
                    *(str(counts[one]) for one in ("collides", "string")),
                )
            )
    heads = ("set", "level", "programs", "parse", "still parse", "share")
    heads += ("changed by a second run", "names that collide", "strings changed")
    return f"""\
Every program of every set, with one vocabulary per set. A second run, with the vocabulary of the
set and at level 3 also without one, changes nothing, whether a program parses or not. Names
collide if two names become one.

{table(heads, rows, keys=2)}"""


def words_table(judged: Sequence[SetFacts]) -> str:
    levels = list(judged[0].words) if judged else []
    rows = [(facts.name, *(f"{len(facts.words[level]):,}" for level in levels)) for facts in judged]
    heads = [one if one == "original" else f"level {one}" for one in levels]
    return f"""\
Different words (lexemes: names, literals, keywords and operators) of each set. The
multi-perspective paper counts 50,000 to 30,000 for its levels, by another tokenizer. Level 3 has no
fewer words than level 2: each function of a set gets one name, and keeps the old one where it is
not called.

{table(("set", *heads), rows)}"""


def programs(data: Path, name: str) -> Iterator[Snippet]:
    if name != "condefects":
        yield from read_corpus(data / SETS[name]).snippets
        return
    seen = set()
    for path in sorted(data.glob(SETS[name])):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                for part in ("anchor", "positive", "negative"):
                    key = row[part]["language"], row[part]["code"]
                    if key not in seen:
                        seen.add(key)
                        yield Snippet(f"{path.name} {row['id']} {part}", *key)


SETTINGS: list[tuple[Sequence[str], Vocabulary]] = []


def prepare(levels: Sequence[str], words: Vocabulary) -> None:
    SETTINGS[:] = [(levels, words)]


def judge_text(snippet: Snippet) -> TextFacts:
    """What there is to say about a program at each level."""
    ((levels, words),) = SETTINGS
    language, source = snippet.language, Source(snippet.code, snippet.language)
    facts = TextFacts({}, {"original": source.lexemes.ids.tolist()}, {})
    for level in levels:
        known = words if level in WITH_VOCABULARY else NO_VOCABULARY
        made = abstract(source, level, vocabulary=known)
        after = Source(made.text, language)
        found = facts.found[level] = [] if source.problems else ["parsed"]
        if abstract(after, level, vocabulary=known).text != made.text:
            found.append("again")
        if level == "over":
            continue
        if not source.problems and after.problems:
            found.append("broken")
        if level == "3" and changes_alone(source):
            found.append("alone")
        facts.words[level] = sorted(set(after.lexemes.ids.tolist()))
        if level in WITH_VOCABULARY:
            facts.surveys[level] = survey_names(after)
        found += name_faults(made, after)
    return facts


def changes_alone(source: Source) -> bool:
    """Whether a second run without a vocabulary changes a program at level 3."""
    once = abstract(source, 3).text
    return abstract(Source(once, source.language), 3).text != once


def name_faults(made: Abstraction, after: Source) -> Iterator[str]:
    """Whether strings changed, and whether two names became one."""
    if not made.edits:
        return
    old, new = Source(made.base, after.language).tokens, after.tokens
    if len(old.texts) != len(new.texts):
        yield "string"
        return
    strings = (TokenClass.STRING, TokenClass.CHARACTER)
    was: dict[str, str] = {}
    pairs = list(zip(old.texts, new.texts, old.classes.tolist(), strict=True))
    if any(a != b and c in strings and not FORMATTED.match(a) for a, b, c in pairs):
        yield "string"
    if any(was.setdefault(b, a) != a for a, b, _ in pairs):
        yield "collides"


def judge_tests(data: Path, limit: int | None) -> str:
    rows = []
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
        passed = sum(bool(one.passed) for one in ran)
        rows.append((language, *map(str, (len(good), changed, passed))))
        for one in ran:
            if not one.passed:
                print(f"FAILED: {one.task}", file=sys.stderr)
    heads = ("language", "programs that pass", "changed", "still pass")
    return f"""\
HumanEvalPack's solutions with their tests as one text, abstracted at level 1 and run.

{table(heads, rows)}"""


def judge_names(data: Path, levels: list[str]) -> str:
    rows = []
    bigclonebench = read_corpus(data / SETS["bigclonebench"])
    ojclone = read_corpus(data / SETS["ojclone"])
    first = {str(problem) for problem in range(1, 16)}
    places = [i for i, one in enumerate(ojclone.snippets) if one.functionality in first]
    for name, corpus in (
        ("bigclonebench", bigclonebench),
        ("ojclone 1 to 15", ojclone.keep(places)),
    ):
        for level in ("original", *(one for one in levels if one not in {"0", "over"})):
            made = corpus if level == "original" else abstract_corpus(corpus, level)
            found = name_overlap(made)
            rows.append((name, level, number(found.mean), number(found.mean_without_small)))
    heads = ("corpus", "level", "all functionalities", "at least 20 snippets")
    return f"""\
Mean Jaccard similarity of the 20 most frequent names of two functionalities (Algorithm 1 of
AbsBigCloneBench; the paper has 0.038 for BigCloneBench, 0.484 for its abstraction and 0.469 for
OJClone).

{table(heads, rows, keys=2)}"""


if __name__ == "__main__":
    main()
