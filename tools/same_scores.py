"""Check that every measure still gives the same scores, bit by bit, and runs the same bytes.

Usage: ``python tools/same_scores.py SCORES.json [--write] [--without MEASURE]``. ``--write`` makes
200 rows, scores them by every built-in measure in its documented forms, and writes rows and scores
to SCORES.json. Without it, the rows and forms in SCORES.json are scored again and every difference
is printed; exits with 1 if there is any.

The rows are programs from the repository in all languages, edited at random with a fixed seed, and
some difficult ones: empty, broken, with unusual characters and line ends. Half of them have an
origin. They are stored with the scores, so the comparison does not depend on how they were made.
Only public names of codekin are used, so the same file checks any layout of its modules.

What is compared, each with a separate total:

- scores: value, parts and bounds as exact floats, exact, and whether there is a score at all;
- signatures, without the version of codekin;
- messages: why there is no score;
- problems: the parser's problems with each candidate;
- shards: SHA-256 of each Parquet file that ``codekin.score`` writes for these rows, once by the
  defaults and once by all forms. The bytes depend on the version of pyarrow as well, so a
  difference in the versions of other packages is printed first; it is not counted.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import codekin

ROOT = Path(__file__).parents[1]
ROWS = 200
SHARD_ROWS = 40
SCORE = """
import sys, codekin
if __name__ == "__main__":
    codekin.score("rows.jsonl", sys.argv[2:], output="run", shard_rows=int(sys.argv[1]))
"""
"""A script that scores rows into shards."""
FORMS: dict[str, list[dict[str, Any]]] = {
    "exact": [{"tokens": True}, {"tokens": True, "comments": True}],
    "ed": [
        {"unit": "tokens"},
        {"unit": "lines"},
        {"compat": "rapidfuzz"},
        {"compat": "rapidfuzz", "unit": "tokens", "algorithm": "Indel"},
    ],
    "nes": [
        {"unit": "tokens", "comments": True},
        {"unit": "lines"},
        {"compat": "rapidfuzz"},
        {"compat": "rapidfuzz", "algorithm": "LCSseq"},
    ],
    "jaccard": [
        {"n": 2, "multiset": True},
        {"tokens": "split", "comments": True},
        {"compat": "textdistance"},
        {"compat": "textdistance", "unit": "chars", "qval": 3, "as_set": True},
    ],
    "bleu": [
        {"order": 2, "smoothing": "floor"},
        {"smoothing": "add-k", "effective_order": False},
        {"tokens": "13a", "lowercase": True},
        {"compat": "sacrebleu"},
        {"compat": "sacrebleu", "tokenize": "intl", "smooth_method": "none"},
        {"compat": "nltk"},
        {"compat": "nltk", "smoothing": "method3", "weights": (0.5, 0.5)},
        {"compat": "nltk", "smoothing": "method7", "tokens": "code"},
    ],
    "chrf": [
        {"word_order": 2},
        {"whitespace": True, "lowercase": True},
        {"compat": "sacrebleu"},
        {"compat": "sacrebleu", "word_order": 2, "eps_smoothing": True},
    ],
    "crystalbleu": [
        {"order": 2, "smoothing": "none"},
        {"comments": True},
        {"compat": "crystalbleu"},
        {"compat": "crystalbleu", "smoothing": "method1"},
    ],
    "codebleu": [
        {"weights": (0.1, 0.1, 0.4, 0.4)},
        {"comments": True},
        {"compat": "codebleu"},
    ],
    "tsed": [
        {"operators": True, "comments": True},
        {"insert": 0.8},
        {"steps": 2000},
        {"compat": "tsed"},
        {"compat": "apted"},
    ],
    "ruby": [{"steps": 1000}],
    "cssg": [
        {"labels": "operator+literal"},
        {"labels": "category", "literals": True},
        {"labels": "type", "functions": "any"},
        {"granularity": "statement", "edges": "typed"},
        {"preset": "joern"},
        {"steps": 1000},
    ],
    "kin": [{"normalise": "reference"}],
    "sari": [
        {"zero": "one"},
        {"zero": "skip", "keep": False, "deletion": "f1"},
        {"tokens": "13a", "lowercase": True},
        {"compat": "xu"},
        {"compat": "evaluate"},
        {"compat": "easse"},
        {"compat": "easse", "use_paper_version": True, "tokenizer": "intl"},
    ],
    "diffbleu": [
        {"recipe": "codeplan"},
        {"comments": True},
        {"compat": "nofuneval"},
        {"compat": "codeplan"},
    ],
    "sanslcs": [
        {"inner": "nes", "by": "line"},
        {"inner": "codebleu", "tokens": "code"},
        {"lcs": "threeway", "anchors": False},
    ],
    "es-line": [{"preset": "paper"}, {"keep": "region", "anchors": False}],
    "es-token": [
        {"preset": "paper"},
        {"keep": "global", "zero": "one"},
        {"lcs": "threeway", "anchors": False},
        {"join": "joint", "deletion": "precision", "tokens": "code"},
    ],
    "es": [{"parse": False}, {"overlap": 0.0, "order": 2, "comments": True}],
    "length": [{"unit": "chars"}, {"unit": "lines"}],
}
"""The forms of measures besides their defaults."""

Row = dict[str, Any]
Form = tuple[str, dict[str, Any]]
Edit = Callable[[list[str], random.Random], list[str]]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scores", type=Path, metavar="SCORES.json")
    parser.add_argument("--write", action="store_true", help="write the file, compare nothing")
    parser.add_argument(
        "--without", metavar="MEASURE", action="append", default=[], help="leave out what uses it"
    )
    options = parser.parse_args()
    started = time.monotonic()
    if options.write:
        document = recorded(made_rows(), without_measures(all_forms(), options.without))
        options.scores.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
        differences = []
    else:
        before = json.loads(options.scores.read_text("utf-8"))
        forms, gone = there(before["forms"])
        kept = without_measures(forms, options.without)
        document = recorded(before["rows"], kept)
        differences = [("gone", f"{label}: {why}") for label, why in gone.items()]
        left_out = {word(*form): "" for form in forms if form not in kept}
        before = without(before, gone | left_out)
        differences += compared(before, json.loads(json.dumps(document)))
        for name, was in before["versions"].items():
            if (now := document["versions"].get(name)) != was:
                print(f"not the same {name}: {was} -> {now}")
    for kind, line in differences:
        print(f"{kind}: {line}")
    print(summary(document, Counter(kind for kind, _ in differences), time.monotonic() - started))
    sys.exit(bool(differences))


def summary(document: Mapping[str, Any], found: Counter[str], seconds: float) -> str:
    """One line on what was scored and what differs."""
    scores = sum(map(len, document["scores"].values()))
    shards = sum(map(len, document["shards"].values()))
    said = ", ".join(f"{count} {kind}" for kind, count in found.items()) or "none"
    return (
        f"{len(document['rows'])} rows, {len(document['forms'])} forms of measures, {scores} "
        f"scores and {shards} shards in {seconds:.0f} s; differences: {said}"
    )


def all_forms() -> list[Form]:
    """Every measure by default, then in its other forms."""
    names = codekin.measure_names()
    return [(name, {}) for name in names] + [
        (name, given) for name in names for given in FORMS.get(name, [])
    ]


def without_measures(forms: Sequence[Form], measures: Sequence[str]) -> list[Form]:
    """The forms that name none of some measures."""
    return [form for form in forms if not any(name in word(*form) for name in measures)]


def there(forms: Sequence[Form]) -> tuple[list[Form], dict[str, str]]:
    """The forms that can be made, and why the others cannot."""
    kept, gone = [], {}
    for name, parameters in forms:
        try:
            made(name, parameters)
            kept.append((name, parameters))
        except codekin.CodekinError as error:
            gone[word(name, parameters)] = str(error)
    return kept, gone


def without(document: Mapping[str, Any], gone: Mapping[str, str]) -> dict[str, Any]:
    """What was recorded without forms that are gone, and without shards, which had them."""
    if not gone:
        return dict(document)
    scores = {
        row: {label: score for label, score in scores.items() if label not in gone}
        for row, scores in document["scores"].items()
    }
    return {**document, "scores": scores, "shards": {}}


def word(name: str, given: Mapping[str, Any]) -> str:
    """A form as on the command line, such as ``bleu:order=2``."""
    pairs = [f"{key}={_written(value)}" for key, value in given.items()]
    return f"{name}:{','.join(pairs)}" if pairs else name


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def recorded(rows: Sequence[Row], forms: Sequence[Form]) -> dict[str, Any]:
    """Everything that is compared, for some rows and forms of measures."""
    measures = {word(name, given): made(name, given) for name, given in forms}
    return {
        "versions": versions(),
        "forms": forms,
        "rows": rows,
        "problems": {row["id"]: problems(row) for row in rows},
        "scores": {row["id"]: row_scores(row, measures) for row in rows},
        "shards": {
            "defaults": shard_digests(rows, [name for name, given in forms if not given]),
            "all forms": shard_digests(rows, list(measures)),
        },
    }


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that codekin needs."""
    needed = [
        re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in metadata.requires("codekin") or []
    ]
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in sorted(set(needed)):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # an extra that is not there
            continue
    return found


def problems(row: Row) -> list[list[Any]] | str:
    """The parser's problems with a candidate."""
    try:
        source = codekin.Source(row["candidate"], row.get("language"))
        return [list(dataclasses.astuple(one)) for one in source.problems]
    except codekin.CodekinError as error:
        return str(error)


def made(name: str, given: Mapping[str, Any]) -> codekin.Measure:
    """The measure of a form; JSON may have turned tuples into lists."""
    plain: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in given.items()
    }
    return codekin.measure(name, **plain)


def row_scores(row: Row, measures: Mapping[str, codekin.Measure]) -> dict[str, Any]:
    """The scores of a row by all measures; without an origin, by those that need none."""
    texts = row_texts(row)
    return {
        label: one_score(measure, texts)
        for label, measure in measures.items()
        if texts["origin"] is not None or not measure.needs_origin
    }


def row_texts(row: Row) -> dict[str, Any]:
    """The texts of a row as arguments; plain texts if the row has no language."""
    references = row["references"] if "references" in row else [row["reference"]]
    language, origin = row.get("language"), row.get("origin")
    if language is None:
        return {"candidate": row["candidate"], "references": references, "origin": origin}
    other = row.get("reference_language", language)
    return {
        "candidate": codekin.Source(row["candidate"], language),
        "references": [codekin.Source(text, other) for text in references],
        "origin": None if origin is None else codekin.Source(origin, language),
    }


def one_score(measure: codekin.Measure, texts: Mapping[str, Any]) -> dict[str, Any]:
    """A score with exact floats, or why there is none."""
    try:
        score = measure.score(**texts)
        return {
            "value": float(score.value).hex(),
            "parts": {name: _hex(part) for name, part in score.parts.items()},
            "bounds": [float(bound).hex() for bound in score.bounds],
            "exact": bool(score.exact),
            "signature": re.sub(r"\|codekin-[^|]*$", "", score.signature),
        }
    except codekin.CodekinError as error:
        return {"message": str(error)}


def _hex(part: float | None) -> str | None:
    return None if part is None else float(part).hex()


def shard_digests(rows: Sequence[Row], measures: Sequence[str]) -> dict[str, str]:
    """SHA-256 of each file of scores that a run has for some rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "rows.jsonl").open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
        # In the folder itself, since reasons name the file of the row.
        done = subprocess.run(
            [sys.executable, "-c", SCORE, str(SHARD_ROWS), *measures],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"codekin.score: exit code {done.returncode}\n{done.stderr}")
        files = sorted((folder / "run").rglob("*.parquet"))
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each difference between two documents: its kind and a description."""
    for row in before["rows"]:
        key = row["id"]
        was, now = before["problems"][key], after["problems"][key]
        if was != now:
            yield "problems", f"{key}: {was} -> {now}"
        yield from _score_differences(key, before["scores"][key], after["scores"][key])
    for run, shards in before["shards"].items():
        for name in sorted({*shards, *after["shards"][run]}):
            was, now = shards.get(name), after["shards"][run].get(name)
            if was != now:
                yield "shards", f"{run}, {name}: {was} -> {now}"


def _score_differences(
    row: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    for form in dict.fromkeys([*before, *after]):
        was, now = before.get(form, {}), after.get(form, {})
        for field in dict.fromkeys([*was, *now]):
            # Parts are printed one after the other, so that their order counts as well.
            if json.dumps(was.get(field)) != json.dumps(now.get(field)):
                kind = {"signature": "signatures", "message": "messages"}.get(field, "scores")
                yield kind, f"{row}, {form}, {field}: {was.get(field)} -> {now.get(field)}"


def made_rows() -> list[Row]:
    """The rows, the same each time."""
    chance = random.Random(20)
    rows = [*awkward_rows(), *_shipped("demo")[::3], *_shipped("demo_edits")[::2]]
    by_language = programs()
    while len(rows) < ROWS:
        number = len(rows)
        language = list(by_language)[number % len(by_language)]
        rows.append(edited_row(number, language, by_language, chance))
    return [{"id": f"{n:03}-{row.pop('id')}", **row} for n, row in enumerate(rows)]


def _shipped(name: str) -> list[Row]:
    lines = next(ROOT.rglob(f"src/**/{name}.jsonl")).read_text("utf-8").splitlines()
    return list(map(json.loads, lines))


def programs() -> dict[str, list[str]]:
    """The programs that edited rows start from, by language."""
    found: dict[str, list[str]] = {name: [] for name in codekin.language_names()}
    for row in _shipped("programs"):
        found[row["language"]].append(row["code"])
    for row in _shipped("demo"):
        found[row["language"]].append(row["reference"])
    for file in sorted((ROOT / "tests" / "languages" / "samples").iterdir()):
        if file.stem in found:
            found[file.stem].append(file.read_text("utf-8"))
    return {name: list(dict.fromkeys(texts)) for name, texts in found.items() if texts}


def edited_row(
    number: int, language: str, by_language: Mapping[str, Sequence[str]], chance: random.Random
) -> Row:
    """A row of edits of a program: of an origin, against the program itself, or another one."""
    base = chance.choice(by_language[language])
    row: Row = {"id": f"{language}-edited", "language": language}
    row["candidate"] = edited(base, chance, chance.randint(1, 4))
    if chance.random() < 0.5:
        row["origin"] = base
        row["reference"] = edited(base, chance, chance.randint(1, 3))
    elif number % 7 == 0:
        other = chance.choice(list(by_language))
        row |= {"reference_language": other, "reference": chance.choice(by_language[other])}
    else:
        row["reference"] = base if number % 3 else chance.choice(by_language[language])
    if number % 10 == 0:
        row["references"] = [row.pop("reference"), edited(base, chance, 2)]
    return row


def edited(text: str, chance: random.Random, count: int) -> str:
    """A text after some random edits of its lines."""
    lines = text.splitlines(keepends=True)
    for _ in range(count):
        lines = chance.choice(EDITS)(lines or ["\n"], chance)
    return "".join(lines)


def delete_line(lines: list[str], chance: random.Random) -> list[str]:
    """One line less."""
    place = chance.randrange(len(lines))
    return lines[:place] + lines[place + 1 :]


def repeat_line(lines: list[str], chance: random.Random) -> list[str]:
    """One line twice."""
    place = chance.randrange(len(lines))
    return lines[: place + 1] + lines[place:]


def swap_lines(lines: list[str], chance: random.Random) -> list[str]:
    """Two lines swapped."""
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines = list(lines)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def rename_word(lines: list[str], chance: random.Random) -> list[str]:
    """Another name for a word, everywhere."""
    text = "".join(lines)
    words = sorted(set(re.findall(r"[A-Za-z_]{3,}", text))) or ["x"]
    old, new = chance.choice(words), chance.choice(["total", "größe", "x1", "_tmp"])
    return re.sub(rf"\b{old}\b", new, text).splitlines(keepends=True)


def change_number(lines: list[str], chance: random.Random) -> list[str]:
    """Other numbers in one line that has any."""
    places = [i for i, line in enumerate(lines) if re.search(r"\d", line)] or [0]
    place = chance.choice(places)
    new = str(chance.randrange(100))
    return [re.sub(r"\d+", new, one) if i == place else one for i, one in enumerate(lines)]


def change_operator(lines: list[str], chance: random.Random) -> list[str]:
    """Another operator for each of several ones."""
    old, new = chance.sample([" + ", " - ", " * ", " < ", " <= ", " == "], 2)
    return [line.replace(old, new) for line in lines]


def insert_text(lines: list[str], chance: random.Random) -> list[str]:
    """A line that no language, or only some, can parse."""
    texts = ["# a note\n", "// a note\n", "x = x + 1;\n", "\n", "\t)\n", "'\n", "/* open\n", "é𝄞\n"]
    place = chance.randrange(len(lines) + 1)
    return [*lines[:place], chance.choice(texts), *lines[place:]]


def cut_off(lines: list[str], chance: random.Random) -> list[str]:
    """The text cut in its second half, as by a model that runs out of tokens."""
    text = "".join(lines)
    return text[: chance.randint(len(text) // 2, len(text))].splitlines(keepends=True)


def indent(lines: list[str], chance: random.Random) -> list[str]:
    """Some lines with another indentation."""
    start = chance.randrange(len(lines))
    stop = start + chance.randint(1, 5)
    return [f"\t{one}" if start <= i < stop else one for i, one in enumerate(lines)]


EDITS: tuple[Edit, ...] = (
    delete_line,
    repeat_line,
    swap_lines,
    rename_word,
    change_number,
    change_operator,
    insert_text,
    cut_off,
    indent,
)


def awkward_rows() -> list[Row]:
    """Edge cases."""
    code = "def area(width, height):\n    # in metres\n    size = width * height\n    return size\n"
    other = code.replace("size", "area_").replace("*", "+")
    java = "class A {\n  int f(int a) {\n    return a + 1;\n  }\n}\n"
    deep = "(" * 150 + "1" + ")" * 150 + "\n"
    texts: dict[str, tuple[str, ...]] = {
        "both-empty": ("", ""),
        "candidate-empty": ("", code),
        "reference-empty": (code, "", other),
        "all-empty": ("", "", ""),
        "blank": (" \n\t\n", code, other),
        "only-comments": ("# one\n# two\n", "# one\n"),
        "equal": (code, code, code),
        "untouched": (code, other, code),
        "nothing-to-do": (code, code.replace("size", "s"), code),
        "broken": ("def f(:\n  return ((\n", code, other),
        "garbage": ("%$ ]]) '''\n", ") ( } {\n"),
        "unclosed": ('s = "open\nt = """open\n', code),
        "crlf": (code.replace("\n", "\r\n"), code, other.replace("\n", "\r\n")),
        "lone-cr": (code.replace("\n", "\r"), code),
        "tabs": (code.replace("    ", "\t"), code, other),
        "no-final-newline": (code.rstrip(), code, other.rstrip()),
        "bom": (f"\ufeff{code}", code),
        "unicode": ("größe = 'ÄÖ𝄞👩‍👩‍👧'\nπ = 3\n", "grosse = 'AO'\nπ = 4\n", "größe = ''\n"),
        "odd-blanks": ("a\u00a0=\u20281\x0c\x0b\nb = 2\x00\n", "a = 1\nb = 2\n"),
        "half-character": ("s = '\ud800'\n", "s = 'x'\n"),
        "deep": (deep, deep.replace("1", "2")),
        "long-line": ("x = " + "a + " * 400 + "a\n", "x = " + "b + " * 400 + "b\n"),
    }
    rows = [_awkward(name, given, "python") for name, given in texts.items()]
    c = "#define ADD(a, b) ((a) + (b))\nint f(int x) { return ADD(x, 1) }\n"
    rows.append(_awkward("c-macros", (c, c.replace("1", "2"), c.replace("x, 1", "1, x")), "c"))
    rows.append(_awkward("java-broken", (java[:40], java, java.replace("+", "-")), "java"))
    rows.append({"id": "detected", "candidate": java, "reference": java.replace("a", "b")})
    rows.append({"id": "undetectable", "candidate": "12", "reference": "13", "origin": "1"})
    rows.append(_awkward("across", (code, java), "python") | {"reference_language": "java"})
    several = {"id": "several", "language": "python", "candidate": code, "origin": other}
    rows.append({**several, "references": [code.replace("#", "# #"), other, ""]})
    return rows


def _awkward(name: str, given: Sequence[str], language: str) -> Row:
    fields = dict(zip(("candidate", "reference", "origin"), given, strict=False))
    return {"id": name, "language": language, **fields}


if __name__ == "__main__":
    main()
