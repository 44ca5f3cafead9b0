"""Score mutated and garbage sources in twelve languages by every measure, in limited children.

Usage: ``python tools/fuzz_measures.py [--sources N] [--seed N] [--first N] [--workers N]
[--seconds S] [--memory MB] [--data FOLDER]``. Each source is a program with some of its text
changed, cut, spliced, repeated or replaced by garbage, and meets the program it was made of. FOLDER
may hold more programs: files of code, in any depth.

Every measure must answer, with a value and bounds around it, or refuse with CodekinError. All of
them together get S seconds of processor time and MB of memory for one source. Everything is done
twice, the second time in another order and with another hash seed, and must come out the same. A
fault is named by the number of its source: ``--first N --sources 1`` repeats it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import resource
import selectors
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from codekin import CodekinError, Source
from codekin.languages import language_names, language_of_file
from codekin.measures import Measure, Score
from codekin.measures.registry import measure_classes
from codekin.represent.text.detection import detect_language

BATCH = 250
IDLE_S = 900
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
    """Programs by language: those that ship with the package, samples, and those of a folder."""
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
    """Makes a source out of a program, by a number alone."""

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
    """Every measure in every form, by default parameters."""
    return [cls() for forms in measure_classes().values() for cls in forms.values()]


def check(number: int, seed: int, known: dict[str, list[str]], forms: list[Measure]) -> str:
    """Score one source by every measure; a digest of all that came out."""
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
    """What a measure says of a pair, or why it says nothing."""
    try:
        score = measure.score(candidate, reference, origin if measure.needs_origin else None)
    except CodekinError as error:
        return f"refused: {error}"
    assert_sound(measure, score)
    return f"{score.value!r} {score.bounds!r} {sorted(score.parts.items())!r}"


def assert_sound(measure: Measure, score: Score) -> None:
    """Refuse a score that contradicts itself."""
    low, high = score.bounds
    assert not math.isnan(score.value), (measure, score.value)
    assert low <= score.value <= high, (measure, score.value, score.bounds)
    assert score.exact == (low == high), measure
    assert measure.distance or (low >= 0 and high <= 1), (measure, score.bounds)


def child(options: argparse.Namespace) -> None:
    """Score a batch, telling the parent which source is next and what came out."""
    known, forms = programs(options.data), measures()
    check(0, options.seed, {name: known[name][:1] for name in known}, forms)  # loads what is lazy
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + options.memory * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    numbers = range(options.first, options.first + options.sources)
    for number in reversed(numbers) if options.backwards else numbers:
        print("begin", number, flush=True)
        # Ends the process by its default action.
        signal.setitimer(signal.ITIMER_PROF, options.seconds)
        try:
            print("done", number, check(number, options.seed, known, forms), flush=True)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            told = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
            print(
                "fault",
                number,
                " ".join(told.split()).encode("ascii", "replace").decode(),
                flush=True,
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("end", peak, flush=True)


@dataclass
class Batch:
    """Sources that one child works on, and what it has told."""

    first: int
    last: int
    backwards: bool
    process: subprocess.Popen[str]
    at: int | None = None
    since: float = field(default_factory=time.monotonic)
    ended: bool = False


@dataclass
class Findings:
    """What came out of all sources."""

    digests: dict[int, str] = field(default_factory=dict)
    scored: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    peak: int = 0

    def fault(self, kind: str, number: int | None, told: str = "") -> None:
        """Count a fault, and name it."""
        self.faults[kind] += 1
        print(f"{kind}: source {number} {told}", flush=True)

    def take(self, batch: Batch, line: str) -> None:
        """Read a line that a child has written."""
        verb, number, *rest = line.rstrip("\n").split(" ", 2)
        batch.since = time.monotonic()
        if verb == "begin":
            batch.at = int(number)
        elif verb == "end":
            batch.ended = True
            self.peak = max(self.peak, int(number))
        elif verb == "fault":
            kind = "memory" if rest[0].startswith("MemoryError") else "exception"
            self.fault(kind, int(number), rest[0])
        else:
            self.scored += 1
            before = self.digests.setdefault(int(number), rest[0])
            if before != rest[0]:
                self.fault("difference", int(number))


def run(options: argparse.Namespace) -> Findings:
    """Score all sources twice, in children."""
    found = Findings()
    spans = [
        (first, min(first + BATCH, options.first + options.sources), backwards)
        for backwards in (False, True)
        for first in range(options.first, options.first + options.sources, BATCH)
    ]
    spans.reverse()
    select = selectors.DefaultSelector()
    while spans or select.get_map():
        while spans and len(select.get_map()) < options.workers:
            batch = start(options, *spans.pop())
            select.register(batch.process.stdout or 0, selectors.EVENT_READ, batch)
        for key, _ in select.select(timeout=10):
            batch = key.data
            line = key.fileobj.readline()  # type: ignore[union-attr]
            if line:
                found.take(batch, line)
                continue
            select.unregister(key.fileobj)
            spans += finish(batch, found)
        for key in list(select.get_map().values()):
            if time.monotonic() - key.data.since > IDLE_S:
                key.data.process.kill()
    return found


def start(options: argparse.Namespace, first: int, last: int, backwards: bool) -> Batch:
    """Start a child on some sources."""
    command = [sys.executable, __file__, "--child", "--first", str(first)]
    command += ["--sources", str(last - first), "--seed", str(options.seed)]
    command += ["--seconds", str(options.seconds), "--memory", str(options.memory)]
    command += ["--backwards"] * backwards
    command += ["--data", str(options.data)] if options.data else []
    environment = os.environ | {"PYTHONHASHSEED": str(1 + backwards), "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    return Batch(first, last, backwards, process)


def finish(batch: Batch, found: Findings) -> list[tuple[int, int, bool]]:
    """Name what ended a child too soon, and give what it has left."""
    status = batch.process.wait()
    if batch.ended:
        return []
    if batch.at is None:
        raise SystemExit(f"a child ended with status {status} before its first source")
    kind = {-signal.SIGPROF: "hang", -signal.SIGKILL: "hang"}.get(status, "crash")
    found.fault(kind, batch.at, f"(status {status})")
    if batch.backwards:
        return [(batch.first, batch.at, True)] if batch.first < batch.at else []
    return [(batch.at + 1, batch.last, False)] if batch.at + 1 < batch.last else []


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
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--backwards", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options)
        return 0
    began = time.monotonic()
    found = run(options)
    kinds = ("crash", "hang", "memory", "exception", "difference")
    totals = ", ".join(f"{found.faults[kind]} {kind}" for kind in kinds)
    print(
        f"{options.sources:,} sources scored twice by every measure ({found.scored:,} times) in "
        f"{time.monotonic() - began:.0f} s, at most {found.peak / 1e6:.2f} GB: {totals}"
    )
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
