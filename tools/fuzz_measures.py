"""Score mutated and garbage sources in twelve languages with every measure, in limited children.

Usage: ``python tools/fuzz_measures.py [--sources N] [--seed N] [--first N] [--workers N] [--seconds
S] [--memory MB] [--data FOLDER]``. Each source is a program with some of its text changed, cut,
spliced, repeated or replaced by garbage, and is compared with the original program. FOLDER may
contain more programs: files of code, at any depth.

Every measure must return a value within its bounds, or raise CodekinError. All of them together get
S seconds of processor time and MB of memory per source. Everything is done twice, the second time
in another order and with another hash seed, and must give the same results. A fault is reported
with the number of its source: ``--first N --sources 1`` repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from pathlib import Path

from codekin import CodekinError, Source
from codekin.languages import language_names, language_of_file
from codekin.measures import Measure, Score
from codekin.measures.registry import measure_classes
from codekin.represent.text.detection import detect_language
from limited_children import LimitedChild, Outcome, outcomes

BATCH = 250  # sources that one child scores
SAMPLES = Path(__file__).parents[1] / "tests" / "languages" / "samples"
WORDS = """
( ) [ ] { } < > ; , . : = + - * / % & | ^ ~ ! ? @ # $ \\ ' " ` é 𝄞 x 1 %q( <!-- --> /* */ // f'{ f"{
${ `${ ""\" ''' << <<< <<A <<~A -> => :: ?. ?: && || ++ if else while for do case switch class def
fn func fun function return lambda let template<class operator() (x)( a<b a[ a( a{ {x: x=> }{ )( ][
r#" R"( L" @" $" <?php ?> #if #else #endif #define begin end then unless try catch except: finally
"""
BLANKS = ["\n", "\t", "\r", "\r\n", "    ", "\\\n", "\0", "\x0b\x0c", "\u2028", "\u202e", "\ufeff"]
PIECES = [*WORDS.split(), *BLANKS, "\ud800"]


def programs(folder: Path | None) -> dict[str, list[str]]:
    """Programs by language: bundled ones, samples, and those in a folder."""
    found: dict[str, list[str]] = {name: [] for name in language_names()}
    data = resources.files("codekin") / "data"
    for name, fields in (("programs", ["code"]), ("demo", ["candidate"])):
        for line in (data / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            found[row["language"]] += [row[field] for field in fields]
    files = sorted(SAMPLES.iterdir())
    if folder is not None:
        files += sorted(path for path in folder.rglob("*") if path.is_file())
    for path in files:
        language = language_of_file(path)
        if language is not None:
            found[language.name].append(path.read_text("utf-8", "replace")[:20_000])
    return found


class Mutator:
    """Makes a source from a program, determined by a number."""

    def __init__(self, chance: random.Random, others: list[str]) -> None:
        self._chance = chance
        self._others = others

    def source(self, program: str) -> str:
        """The program changed in one of many ways."""
        ways = (
            [self._edited] * 10
            + [self._tokens_moved] * 4
            + [self._truncated, self._spliced, self._repeated, self._nested] * 2
            + [self._garbage, self._bytes, self._one_line, self._blank]
        )
        text = self._chance.choice(ways)(program)
        if self._chance.random() < 0.0003:
            text = self._long(text)
        return text

    def _edited(self, text: str) -> str:
        for _ in range(self._chance.choice([1, 1, 2, 5, 20])):
            at = self._chance.randrange(len(text) + 1)
            gone = self._chance.choice([0, 0, 1, 3, 30])
            new = "".join(self._chance.choices(PIECES, k=self._chance.choice([0, 1, 1, 2])))
            text = text[:at] + new + text[at + gone :]
        return text

    def _tokens_moved(self, text: str) -> str:
        words = text.split(" ")
        for _ in range(self._chance.randint(1, 10)):
            i, j = self._chance.randrange(len(words)), self._chance.randrange(len(words))
            words[i], words[j] = words[j], words[i]
        return " ".join(words)

    def _truncated(self, text: str) -> str:
        at = self._chance.randrange(len(text) + 1)
        return text[:at] if self._chance.random() < 0.7 else text[at:]

    def _spliced(self, text: str) -> str:
        other = self._chance.choice(self._others)
        return self._truncated(text) + self._truncated(other)

    def _unit(self) -> str:
        between = self._chance.choice(["", "", " ", "\n"])
        return between.join(self._chance.choices(PIECES, k=self._chance.choice([1, 2, 3, 5])))

    def _repeated(self, text: str) -> str:
        unit, size = self._unit(), int(10 ** self._chance.uniform(2, 4.3))
        return text[: self._chance.randrange(500)] + (unit * size)[:size]

    def _nested(self, text: str) -> str:
        opening, closing = self._chance.choice(["()", "[]", "{}", ("if (x) {", "}"), ("f(", ")")])
        depth = int(10 ** self._chance.uniform(0.5, 3.3))
        return opening * depth + text[:200] + closing * depth

    def _garbage(self, _text: str) -> str:
        return "".join(self._chance.choices(PIECES, k=int(10 ** self._chance.uniform(0, 3.3))))

    def _bytes(self, _text: str) -> str:
        return self._chance.randbytes(int(10 ** self._chance.uniform(0, 3.5))).decode("latin-1")

    def _one_line(self, text: str) -> str:
        return " ".join(text.split())

    def _blank(self, _text: str) -> str:
        return self._chance.choice(["", "\n", " \t ", "\0", "\ufeff", "\r\r\n", "x", "#", "\ud800"])

    def _long(self, text: str) -> str:
        size = int(10 ** self._chance.uniform(5, 6.7))
        return (text or "x") * (size // (len(text) or 1) + 1)


def measures() -> list[Measure]:
    """Every measure in every form, with default parameters."""
    return [cls() for forms in measure_classes().values() for cls in forms.values()]


def check(number: int, seed: int, known: dict[str, list[str]], forms: list[Measure]) -> str:
    """Score a source with every measure; a digest of all results."""
    chance = random.Random(f"{seed}:{number}")
    language = chance.choice([name for name, texts in known.items() if texts])
    program = chance.choice(known[language])
    candidate = Mutator(chance, known[chance.choice(list(known))] or [""]).source(program)
    reference = program if chance.random() < 0.8 else chance.choice(known[language])
    with_compat, undetected = chance.random() < 0.25, chance.random() < 0.1
    digest = hashlib.blake2b(digest_size=12)
    if undetected:
        try:
            digest.update(detect_language(candidate).name.encode())
        except CodekinError as error:
            digest.update(str(error).encode("utf-8", "replace"))
    one, other = Source(candidate, language), Source(reference, language)
    start = Source(program[: len(program) // 2], language)
    for measure in forms:
        if measure.compat is None or with_compat:
            found = outcome(measure, one, other, start)
            digest.update(f"{measure.name} {measure.compat} {found}\n".encode("utf-8", "replace"))
    return digest.hexdigest()


def outcome(measure: Measure, candidate: Source, reference: Source, origin: Source) -> str:
    """The score of a pair, or the reason why there is none."""
    try:
        score = measure.score(candidate, reference, origin if measure.needs_origin else None)
    except CodekinError as error:
        return f"refused: {error}"
    assert_sound(measure, score)
    return f"{score.value!r} {score.bounds!r} {sorted(score.parts.items())!r}"


def assert_sound(measure: Measure, score: Score) -> None:
    """Raise an error for an inconsistent score."""
    low, high = score.bounds
    assert not math.isnan(score.value), (measure, score.value)
    assert low <= score.value <= high, (measure, score.value, score.bounds)
    assert score.exact == (low == high), measure
    assert measure.distance or (low >= 0 and high <= 1), (measure, score.bounds)


def prepare(seed: int, data: Path | None) -> Callable[[int], tuple[str, int]]:
    """In a child: the digest of a source by its number, and the peak memory so far."""
    known, forms = programs(data), measures()
    check(0, seed, {name: known[name][:1] for name in known}, forms)  # loads what is lazy

    def work(number: int) -> tuple[str, int]:
        digest = check(number, seed, known, forms)
        return digest, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    return work


@dataclass
class Findings:
    """The outcomes of all sources."""

    digests: dict[int, str] = field(default_factory=dict)
    scored: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    peak: int = 0

    def take(self, number: int, outcome: Outcome[tuple[str, int]]) -> None:
        """Count the outcome of a source."""
        if outcome.value is None:
            self.fault(outcome.kind, number, outcome.reason)
            return
        digest, peak = outcome.value
        self.scored += 1
        self.peak = max(self.peak, peak)
        if self.digests.setdefault(number, digest) != digest:
            self.fault("difference", number)

    def fault(self, kind: str, number: int, reason: str = "") -> None:
        """Count and print a fault."""
        self.faults[kind] += 1
        print(f"{kind}: source {number} {reason}", flush=True)


def run(options: argparse.Namespace) -> Findings:
    """Score all sources twice, in children."""
    found = Findings()
    numbers = range(options.first, options.first + options.sources)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for hash_seed, order in ((1, numbers), (2, reversed(numbers))):
        os.environ["PYTHONHASHSEED"] = str(hash_seed)
        with contextlib.ExitStack() as stack:
            children = [
                stack.enter_context(
                    LimitedChild(
                        partial(prepare, options.seed, options.data),
                        seconds=options.seconds,
                        megabytes=options.memory,
                        method="spawn",
                        most=BATCH,
                    )
                )
                for _ in range(options.workers)
            ]
            for number, outcome in outcomes(children, order):
                found.take(number, outcome)
    return found


def main() -> int:
    """Read the options and print the totals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=30, help="of processor time, per source")
    parser.add_argument("--memory", type=int, default=2_000, help="MB, per source")
    parser.add_argument("--data", type=Path, help="a folder with more programs")
    options = parser.parse_args()
    began = time.monotonic()
    found = run(options)
    kinds = ("crash", "hang", "out of memory", "exception", "difference")
    totals = ", ".join(f"{found.faults[kind]} {kind}" for kind in kinds)
    print(
        f"{options.sources:,} sources scored twice by every measure ({found.scored:,} times) in "
        f"{time.monotonic() - began:.0f} s, at most {found.peak / 1e6:.2f} GB: {totals}"
    )
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
