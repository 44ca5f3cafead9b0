"""Run folders that are damaged at random, and every command that reads or resumes them.

Usage: ``python tools/damaged_runs.py [--cases N] [--seed S]``. A run, complete or stopped in the
middle, gets bits flipped, files cut, deleted, swapped, emptied or replaced, or values of its
manifest edited, with digests that are wrong or corrected. Then ``summarize``, ``report``,
``compare-runs``, ``evaluate outcomes`` and ``score --resume`` are run on it. Each must end in time,
with the undisturbed output or with one line and exit code 2 or 1; after a successful resume, the
run must equal the undisturbed one, byte for byte. If digests were corrected for other content, the
damage cannot be detected, and any orderly end is accepted. Exits with 1 on any fault.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from codekin import score
from codekin.cli import main as codekin
from codekin.runs.seals import seal_manifest, sha256_of
from codekin.runs.shard_table import file_bytes, shard_note

LONGEST = 60
HOSTILE: list[Any] = [None, True, -1, 0, 10**30, 1e308, 2.5, "", "../../x", "a\0b", "\ud800"]
HOSTILE += ["complete", [], {}, [[]], {"kind": "files"}, ["x"], "f" * 64, "bleu", 3]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_long)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        trial = Trial(random.Random(options.seed))
        for case in range(options.cases):
            trial.run(case)
    for fault in trial.faults:
        print(fault)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(trial.damages.items()))
    ends = trial.ends
    print(
        f"{options.cases} damaged runs ({kinds}), {sum(ends.values())} commands: {ends['same']} as "
        f"if undisturbed, {ends['refused']} refused in one line, {ends['other']} of other content, "
        f"{len(trial.faults)} faults"
    )
    sys.exit(bool(trial.faults))


@dataclass(frozen=True)
class End:
    """How a command ended."""

    code: object
    out: str
    said: str


class Trial:
    """An undisturbed run, its output, and the outcomes of its damaged copies."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.damages: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.faults: list[str] = []
        with Path("rows.jsonl").open("w") as stream:
            for i in range(30):
                text = f"def f{i % 5}(a):\n    return a + {i}\n"
                row = {"id": str(i), "candidate": text, "reference": text.replace("a", "b")}
                more = {"language": "python", "group": "xy"[i % 2], "outcome": i % 2, "k": i}
                stream.write(json.dumps(row | more) + "\n")
        score("rows.jsonl", ["bleu", "nes", "length"], output="whole", shard_rows=10, workers=0)
        self._sums = _sums(Path("whole"))
        self._commands: dict[str, list[str]] = {
            "summarize": ["summarize", "run", "--by", "group"],
            "report": ["report", "run", "-o", "page.html", "--explain", "1", "--workers", "0"],
            "compare-runs": ["compare-runs", "run", "whole"],
            "evaluate": ["evaluate", "outcomes", "run"],
            "resume": ["score", "--resume", "run", "-w", "1"],
        }
        self._good: dict[bool, dict[str, End]] = {}
        for stopped in (False, True):
            self._good[stopped] = {}
            for name, words in self._commands.items():
                self._copy(stopped=stopped)
                self._good[stopped][name] = _codekin(*words)
                assert self._good[stopped][name].code == 0, self._good[stopped][name]

    def _copy(self, *, stopped: bool) -> None:
        """The run, complete or stopped before its manifest listed a shard."""
        shutil.rmtree("run", ignore_errors=True)
        shutil.copytree("whole", "run")
        if stopped:
            manifest = json.loads(Path("run/manifest.json").read_text())
            manifest |= {"state": "running", "records": 0, "rows": 0, "failed": 0, "shards": []}
            Path("run/manifest.json").write_text(json.dumps(seal_manifest(manifest)))

    def run(self, case: int) -> None:
        """Damage a copy and try the commands on it."""
        stopped = self._rng.random() < 0.5
        self._copy(stopped=stopped)
        damage = self._rng.choice(DAMAGES)
        what = damage(self._rng)
        self.damages[damage.__name__[1:].replace("_", " ")] += 1
        kept = Path("damaged")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree("run", kept, symlinks=True)
        forged = damage in FORGED
        for name, words in self._commands.items():
            shutil.rmtree("run", ignore_errors=True)
            shutil.copytree(kept, "run", symlinks=True)
            end = _codekin(*words)
            kind = self._kind(name, end, self._good[stopped][name], forged=forged, stopped=stopped)
            self.ends[kind] += 1
            if kind == "fault":
                how = "stopped" if stopped else "complete"
                self.faults.append(f"case {case}, {how}, {what}: {name}: {end}")

    def _kind(self, name: str, end: End, good: End, *, forged: bool, stopped: bool) -> str:
        lines = [line for line in end.said.splitlines() if "is not finished" not in line]
        if isinstance(end.code, str):
            return "fault"
        if end.code in (1, 2):
            one = len(lines) == 1 and lines[0].startswith("codekin: ")
            return "refused" if one else "fault"
        if end.code != 0:
            return "fault"
        if name == "resume":
            if _sums(Path("run")) == self._sums:
                return "same"
        elif end.out == good.out:
            return "same"
        # A shard that is lost before its manifest lists it means rows that are still to be scored.
        fewer = stopped and len(list(Path("run/shards").glob("*.parquet"))) < len(self._sums) - 1
        return "other" if forged or fewer else "fault"


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _codekin(*words: str) -> End:
    """Run a command in this process."""
    out, said = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    was, code = sys.argv, None
    sys.argv = ["codekin", *words]
    signal.alarm(LONGEST)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            codekin()
    except SystemExit as end:
        code = end.code
    except BaseException:
        code = traceback.format_exc()[-1500:]
    finally:
        signal.alarm(0)
        sys.argv = was
    texts = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, said)]  # type: ignore[attr-defined]
    return End(code, _without_times(texts[0]), texts[1])


def _without_times(text: str) -> str:
    """The output without the lines that name a file and its size."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("Report: "))


def _shard(rng: random.Random) -> Path:
    return rng.choice(sorted(Path("run/shards").glob("*.parquet")))


def _any_file(rng: random.Random) -> Path:
    return Path("run/manifest.json") if rng.random() < 0.4 else _shard(rng)


def _flipped_bits(rng: random.Random) -> str:
    path = _any_file(rng)
    data = bytearray(path.read_bytes())
    places = [rng.randrange(len(data)) for _ in range(rng.choice([1, 1, 1, 2, 50]))]
    for place in places:
        data[place] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    return f"{path.name} with bits flipped at {places}"


def _truncated(rng: random.Random) -> str:
    path = _any_file(rng)
    data = path.read_bytes()
    length = rng.choice([0, 4, len(data) - 1, rng.randrange(len(data))])
    path.write_bytes(data[:length])
    return f"{path.name} cut to {length} bytes"


def _deleted(rng: random.Random) -> str:
    path = rng.choice([_any_file(rng), Path("run/shards")])
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    return f"{path.name} deleted"


def _swapped(rng: random.Random) -> str:
    first, second = rng.sample(sorted(Path("run/shards").glob("*.parquet")), 2)
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)
    return f"{first.name} and {second.name} swapped"


def _replaced(rng: random.Random) -> str:
    path = _any_file(rng)
    path.unlink()
    kind = rng.randrange(4)
    if kind == 0:
        path.mkdir()
    elif kind == 1:
        path.symlink_to("nowhere")
    elif kind == 2:
        path.write_bytes(rng.randbytes(rng.randrange(5000)))
    else:
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table({"id": ["1"]}), sink)
        path.write_bytes(sink.getvalue().to_pybytes())
    return f"{path.name} replaced ({kind})"


def _edited(rng: random.Random, *, seal: bool = False) -> str:
    path = Path("run/manifest.json")
    content = json.loads(path.read_text())
    *way, key = rng.choice(list(_places(content)))
    inner = content
    for step in way:
        inner = inner[step]
    if rng.random() < 0.3:
        del inner[key]
        how = "deleted"
    else:
        inner[key] = rng.choice(HOSTILE)
        how = repr(inner[key])
    with contextlib.suppress(RecursionError):
        content = seal_manifest(content) if seal else content
    path.write_text(json.dumps(content))
    return f"manifest: {[*way, key]} is now {how}"


def _edited_and_sealed(rng: random.Random) -> str:
    return _edited(rng, seal=True)


def _places(value: Any, here: tuple[Any, ...] = ()) -> Any:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*here, key)
            yield from _places(value[key], (*here, key))


def _columns_changed_and_sealed(rng: random.Random) -> str:
    path = _shard(rng)
    table = pq.read_table(path)
    note = shard_note(table.schema.metadata)
    name = rng.choice(table.column_names)
    place = table.schema.get_field_index(name)
    kind = rng.randrange(6)
    if kind == 0:
        table = table.drop_columns([name])
    elif kind == 1:
        table = table.set_column(place, name, pa.array(["x"] * len(table)))
    elif kind == 2:
        table = table.set_column(place, name, pa.nulls(len(table), table.schema.field(place).type))
    elif kind == 3:
        table = table.slice(0, rng.randrange(len(table)))
    elif kind == 4:
        table = table.rename_columns(rng.sample(table.column_names, len(table.column_names)))
    else:
        table = table.set_column(place, name, pa.array([1e308] * len(table)))
    data = file_bytes(table, note)
    path.write_bytes(data)
    manifest = Path("run/manifest.json")
    content = json.loads(manifest.read_text())
    for one in content["shards"]:
        if one["file"].endswith(path.name):
            one["sha256"] = sha256_of(data)
    manifest.write_text(json.dumps(seal_manifest(content)))
    return f"{path.name}: column {name} changed ({kind})"


def _sums(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


FORGED: list[Callable[[random.Random], str]] = [_edited_and_sealed, _columns_changed_and_sealed]
DAMAGES: list[Callable[[random.Random], str]] = [
    _flipped_bits,
    _flipped_bits,
    _truncated,
    _deleted,
    _swapped,
    _replaced,
    _edited,
    *FORGED,
]

if __name__ == "__main__":
    main()
