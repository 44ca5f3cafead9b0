"""Whether copies of one exercise of several are found, without an option.

Usage: ``python bench/exercises.py SNIPPETS LANGUAGE [--seeds A-B] [--exercises N]``; SNIPPETS is
a corpus of programs with ``functionality`` (the exercise) and ``project`` (the student), such as
``gcj2017-cpp/snippets.jsonl.xz``. In each class, six students copy one exercise of another student;
three of the copies have new names for all that they declare, and another layout. The table has, for
each seed, the rank of the six pairs among all pairs, how many of them are suspicious, and how many
other pairs are; among those may be real copies, since nobody has checked the programs.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from codekin import compare_submissions
from codekin.languages import get_language
from codekin.rewrite.chance import generator
from codekin.whole_files import whole_file
from scan import table
from submissions import disguised

COPIES, RENAMED, FIRST = 6, 3, 20
Class = dict[str, dict[str, str]]
"""The programs of each student, by exercise."""


def programs(path: Path, exercises: int | None) -> Class:
    """The programs of a corpus; of the most frequent exercises alone, if so many are wanted."""
    found: Class = defaultdict(dict)
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            found[row["project"]][row["functionality"]] = row["code"]
    counts = Counter(exercise for mine in found.values() for exercise in mine)
    kept = {exercise for exercise, _ in counts.most_common(exercises)}
    few = {
        student: {exercise: text for exercise, text in mine.items() if exercise in kept}
        for student, mine in found.items()
    }
    return {student: mine for student, mine in sorted(few.items()) if mine}


def with_copies(
    room: Class, language: str, chance: random.Random
) -> tuple[Class, list[frozenset[str]]]:
    """A class in which some students have one program of another student."""
    students = sorted(room)
    chance.shuffle(students)
    copied = {student: dict(mine) for student, mine in room.items()}
    pairs: list[frozenset[str]] = []
    for first, second in zip(students[::2], students[1::2], strict=False):
        common = sorted(room[first].keys() & room[second].keys())
        if not common:
            continue
        exercise = chance.choice(common)
        text = room[first][exercise]
        renamed = len(pairs) < RENAMED
        copied[second][exercise] = disguised(text, chance, language) if renamed else text
        pairs.append(frozenset({first, second}))
        if len(pairs) == COPIES:
            break
    return copied, pairs


def write(room: Class, language: str, folder: Path) -> None:
    """A folder for each student, with a file for each exercise."""
    suffix = get_language(language).suffixes[0]
    for student, mine in room.items():
        (folder / student).mkdir(parents=True)
        for exercise, text in mine.items():
            with whole_file(folder / student / f"{exercise}{suffix}") as stream:
                stream.write(text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snippets", type=Path, metavar="SNIPPETS")
    parser.add_argument("language", metavar="LANGUAGE")
    parser.add_argument("--seeds", default="1-5", metavar="A-B")
    parser.add_argument("--exercises", type=int, metavar="N", help="the N most frequent ones")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))
    room = programs(options.snippets, options.exercises)
    files = sum(map(len, room.values()))
    rows = []
    inside = 0
    for seed in range(first, last + 1):
        copied, pairs = with_copies(room, options.language, generator("exercises", seed))
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "class"
            write(copied, options.language, place)
            begun = time.process_time()
            found = compare_submissions(place)
            seconds = time.process_time() - begun
        ranks = {
            frozenset({pair.first, pair.second}): number
            for number, pair in enumerate(found.pairs, 1)
        }
        of_copies = sorted(ranks.get(pair, found.all_pairs) for pair in pairs)
        inside += sum(rank <= FIRST for rank in of_copies)
        marked = {frozenset({pair.first, pair.second}) for pair in found.suspicious}
        rows.append(
            [
                *(str(seed), ", ".join(map(str, of_copies))),
                *(str(sum(pair in marked for pair in pairs)), str(len(marked.difference(pairs)))),
                f"{seconds:.1f}",
            ]
        )
    print(f"{len(room)} students, {files:,} files, {found.all_pairs:,} pairs.\n")
    heads = ["seed", "ranks of the six", "suspicious", "other suspicious pairs", "processor s"]
    print(table(heads, rows))
    print(f"{inside} of {COPIES * len(rows)} copies are among the first {FIRST} pairs.")


if __name__ == "__main__":
    main()
