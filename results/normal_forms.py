"""How well normal forms tell code that does the same: ``python results/normal_forms.py FOLDER``.

FOLDER holds edits/ (files of edits with outcomes), humanevalpack/ and triplets/. PAGE, given with
``-o``, is docs/results/normal-forms.md.
"""

from __future__ import annotations

import difflib
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from card import LANGUAGES, programs
from codekin import Source
from codekin.measures.edited_pieces import EditedPieces, edited_pieces
from codekin.measures.excised import Units, excise
from codekin.measures.same_effect import do_alike
from codekin.represent.graph.normal_form import RULES, Rule, normal_form
from codekin.represent.graph.refinement import refined_nodes
from codekin.rewrite import BREAKING, PRESERVING, rewrite
from pages import page_parser, row_files, table, write_page

SEED = 3
SOLUTIONS = ("canonical", "buggy")
JUDGED_ONLY = frozenset(("canitedit",))


def rewritten(folder: Path) -> tuple[str, list[str]]:
    """A table of programs that were changed, and the breaking changes that were not noticed."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    missed = []
    for program in programs(folder):
        source = Source(program["code"], program["language"])
        for change in (*PRESERVING, *BREAKING):
            text = rewrite(source, change, SEED)
            if text is None:
                continue
            same = do_alike(Source(text, program["language"]), source)
            found = counts.setdefault((program["language"], change), Counter())
            found["n"] += 1
            found["same"] += same
            if same and change in BREAKING:
                missed.append(f"- {program['id']}: {_difference(source.text, text)}")
    languages = list(dict.fromkeys(language for language, _ in counts))
    rows = []
    for change in (*PRESERVING, *BREAKING):
        of = [counts.get((language, change), Counter()) for language in languages]
        both = [sum(one[key] for one in of) for key in ("same", "n")]
        rows.append(
            [change, *(f"{one['same']} of {one['n']}" for one in of), "{} of {}".format(*both)]
        )
    return table(["change", *languages, "all"], rows), missed


def _difference(before: str, after: str) -> str:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    old, new = [], []
    for line in lines:
        if line[:2] in ("- ", "+ "):
            (old if line[0] == "-" else new).append(line[2:].strip())
    return f"`{' '.join(old)}` became `{' '.join(new)}`"


def bugs(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Programs with a bug: where from, language, fixed, buggy."""
    for name, path in row_files(folder / "triplets").items():
        source, _, languages = name.removesuffix("-matched").partition("-")
        if name.endswith("-matched") and "-" not in languages and source != "humanevalpack":
            for row in _rows(path):
                fixed, buggy = row["positive"], row["negative"]
                yield f"{source} {languages}", fixed["language"], fixed["code"], buggy["code"]
    for name, language in LANGUAGES.items():
        for row in _rows(folder / "humanevalpack" / f"{name}.jsonl.xz"):
            fixed, buggy = (row["declaration"] + row[f"{one}_solution"] for one in SOLUTIONS)
            yield f"humanevalpack {language}", language, fixed, buggy
    for name, path in row_files(folder / "edits").items():
        if name.startswith("debugbench"):
            for row in _rows(path):
                yield name.replace("-", " "), row["language"], row["reference"], row["origin"]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def unnoticed_bugs(folder: Path) -> tuple[str, list[str]]:
    """A table of programs with bugs, and those that seem to do the same as without the bug."""
    counts: dict[str, Counter[str]] = {}
    missed = []
    for place, language, fixed, buggy in dict.fromkeys(bugs(folder)):
        one, other = Source(fixed, language), Source(buggy, language)
        if np.array_equal(one.tokens.ids, other.tokens.ids):
            continue
        same = do_alike(other, one)
        counts.setdefault(place, Counter()).update(n=1, same=int(same))
        if same:
            missed.append(f"- {place}: {_difference(fixed, buggy)}")
    rows = [[place, f"{found['n']:,}", str(found["same"])] for place, found in counts.items()]
    return table(["source", "bugs", "not noticed"], rows), missed


def edited(path: Path) -> Iterator[tuple[EditedPieces, float]]:
    """The edited pieces of the rows of a file, with outcomes, where the candidate is new."""
    for row in _rows(path):
        texts = [row[name] for name in ("candidate", "reference", "origin")]
        sources = [Source(text, row["language"]) for text in texts]
        ids = [one.tokens.ids.tobytes() for one in sources]
        if ids[0] in ids[1:]:
            continue
        regions = excise(*sources, Units(by="line")).regions
        yield edited_pieces(*sources, regions), float(row["outcome"])


def outcomes(folder: Path) -> tuple[str, str]:
    """How many candidates that do the same pass, and how many of them each rule finds."""
    rows = []
    found_by: dict[str, Counter[str]] = {}
    names = [name for name in row_files(folder) if name not in JUDGED_ONLY]
    for name in names:
        counts: Counter[float] = Counter()
        for pieces, outcome in edited(row_files(folder)[name]):
            if not pieces.do_the_same:
                continue
            counts[outcome] += 1
            for rule in dict.fromkeys(RULES):
                if not _equal_without(pieces, rule):
                    found_by.setdefault(rule.__name__, Counter())[f"{name} {outcome > 0}"] += 1
        total = counts[0.0] + counts[1.0]
        rows.append([name, f"{total:,}", f"{counts[1.0]:,}", f"{counts[1.0] / max(total, 1):.3f}"])
    by_rule = []
    for rule in dict.fromkeys(RULES):
        counted = found_by.get(rule.__name__, Counter())
        cells = [f"{counted[f'{name} True']} / {counted[f'{name} False']}" for name in names]
        by_rule.append([f"`{rule.__name__}`", (rule.__doc__ or "").rstrip("."), *cells])
    heads = ["dataset", "candidates that do the same", "pass", "share"]
    return table(heads, rows), table(["rule", "what it says", *names], by_rule, keys=2)


def _equal_without(pieces: EditedPieces, left_out: Rule) -> bool:
    """Whether both revisions have equal forms without one rule."""
    rules = [rule for rule in RULES if rule is not left_out]
    forms = [
        normal_form(one.flow_ir, one.tokens, one.language.name, rules)
        for one in (pieces.candidate, pieces.reference)
    ]
    one, other = (refined_nodes(form) for form in forms if form is not None)
    return np.array_equal(one, other)


def page(folder: Path) -> str:
    """The whole page."""
    changed, missed = rewritten(folder / "humanevalpack")
    noticed, unnoticed = unnoticed_bugs(folder)
    passed, by_rule = outcomes(folder / "edits")
    return "\n\n".join(
        [
            "# Code that does the same",
            "Generated by `python results/normal_forms.py FOLDER -o docs/results/normal-forms.md`. "
            "[es](../measures/es.md#code-that-does-the-same) compares the normal forms of two "
            "revisions. Here is how often that is right.",
            "## Programs that were changed on purpose",
            "The canonical solutions of HumanEvalPack, each changed once in every way that is "
            "possible, and how many of the results do the same as before by their normal forms. "
            "The first changes preserve what a program does. Of these, normal forms ignore names, "
            "layout, comments and the order of functions, but not code that never runs. The "
            "others are meant to break it.",
            changed,
            f"The {len(missed)} of these that normal forms do not tell apart. Most only exchange "
            "the arguments of `max` or `min`, which breaks nothing:",
            "\n".join(missed),
            "## Programs with real bugs",
            "Programs of contests and of DebugBench with a bug that tests find, and the same "
            "programs without it. The conditions on types and on the order of reading and changing "
            "an object were added because bugs of Codeflaws and ConDefects went unnoticed.",
            noticed,
            f"The {len(unnoticed)} bugs that normal forms do not notice; some of the changes "
            "change nothing, so the bug must be elsewhere:",
            "\n".join(unnoticed),
            "## Edits with test outcomes",
            "Candidates with other tokens than the reference and the origin that do the same as "
            "the reference and not as the origin. The rules were written while looking at "
            "these files, except CanItEdit, which is not here.",
            passed,
            "## What each rule finds",
            "How many of these candidates would be missed without a rule: those that pass, and "
            "those that fail.",
            by_rule,
        ]
    )


def main() -> None:
    """Compare and write."""
    given = page_parser(
        __doc__ or "", "a folder with edits/, humanevalpack/ and triplets/"
    ).parse_args()
    write_page(page(given.data), given.output)


if __name__ == "__main__":
    main()
