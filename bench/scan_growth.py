"""How the cost of a scan grows with the code: processor time and memory, cold, warm and fast.

Usage: ``python bench/scan_growth.py SOURCE WORK [--lines 10000,100000,1000000]``. Files of code are
taken from SOURCE in a shuffled order until there are enough lines. When all are used, they are
taken again with other names: every identifier that is not reserved gets another one, the same in
the whole round, and a fifth of the lines is left out, so that a copy is not one for a scanner
either. WORK is a folder for the code and the indexes; it is emptied. With ``--as-is``, all of
SOURCE is scanned once, cold.

With ``--against CODEKIN``, the command of another codekin, all of SOURCE is copied and scanned by
both in turns, with an index: cold, unchanged, and after a change of 1 % of the files. Results are
compared, and medians and a ratio are printed.

Every scan runs in a process of its own; processor time is that of the process and its children,
memory the most that the process had at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from codekin.languages import get_language, language_of_file
from codekin.scan.code_tokens import Trait, read_tokens
from codekin.scan.scanned_files import files_to_scan, read_sources

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DROPPED = 0.2
_KINDS = (
    ("cold", ()),
    ("cold, index", ("index",)),
    ("unchanged, index", ("index",)),
    ("1 % changed, index", ("index",)),
    ("fast", ("fast",)),
)
_PROGRAM = """
import json, resource, sys, time
from codekin import scan_paths
folder, index, fast, workers = sys.argv[1:5]
begun = time.perf_counter()
scan = scan_paths(
    [folder], index=index or None, fast=fast == "fast", workers=int(workers) if workers else None
)
seconds = time.perf_counter() - begun
mine, theirs = (resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "lines": scan.lines, "findings": len(scan.findings), "wall": seconds,
    "cpu": mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime,
    "mb": mine.ru_maxrss / 1000,
}))
"""


def renamed(data: bytes, language: str, seed: int, dropped: float = _DROPPED) -> bytes:
    """The text with other names, the same for the same name and seed, and without some lines."""
    tokens = read_tokens(data, get_language(language))
    pieces, at = [], 0
    for start, trait in zip(tokens.starts.tolist(), tokens.traits.tolist(), strict=True):
        if not trait & Trait.NAME or start < at:
            continue
        end = start
        while end < len(data) and (chr(data[end]).isalnum() or data[end] == ord("_")):
            end += 1
        name = data[start:end]
        if not name.isascii() or not name.replace(b"_", b"").isalnum():
            continue
        pieces += [data[at:start], _other_name(name, seed)]
        at = end
    lines = b"".join([*pieces, data[at:]]).split(b"\n")
    chance = random.Random(f"{seed} {len(data)}")
    return b"\n".join(one for one in lines if chance.random() >= dropped or not one.strip())


def _other_name(name: bytes, seed: int) -> bytes:
    chance = random.Random(f"{seed} {name.decode()}")
    new = "".join(chance.choice(_LETTERS) for _ in range(max(len(name), 3)))
    return (new.title() if name[:1].isupper() else new).encode()


def make_code(source: Path, folder: Path, lines: int) -> int:
    """Write files with about this many lines; how many were written."""
    files = [one for one in files_to_scan([source]).files if not one.path.endswith(".ipynb")]
    random.Random(0).shuffle(files)
    written, number = 0, 0
    for seed in range(10**6):
        for file in files:
            if written >= lines:
                return written
            read = read_sources(file)
            if not isinstance(read, list):
                continue
            data = read[0][1].data
            language = language_of_file(file.path)
            assert language is not None
            data = data if not seed else renamed(data, language.name, seed)
            path = folder / f"{number // 500:04}" / f"{number:07}{Path(file.path).suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written += data.count(b"\n")
            number += 1
    return written


def measured(
    folder: Path, index: Path | None = None, fast: bool = False, workers: str = ""
) -> dict[str, float]:
    """Scan a folder in a process of its own."""
    arguments = [str(folder), str(index or ""), "fast" if fast else "", workers]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"the scan failed ({done.returncode}): {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--lines", default="10000,30000,100000,300000,1000000")
    parser.add_argument("--workers", default="", help="worker processes (default: that of scan)")
    parser.add_argument("--only-cold", action="store_true", help="leave out the index and --fast")
    parser.add_argument("--as-is", action="store_true", help="scan all of SOURCE once")
    parser.add_argument("--fast", action="store_true", help="with --as-is: compare only tokens")
    parser.add_argument("--against", metavar="CODEKIN", help="the command of another codekin")
    parser.add_argument("--repeats", type=int, default=3, help="with --against")
    options = parser.parse_args()
    if options.against:
        compare(options.source, options.work, options.against, options.repeats)
        return
    print("| lines | scan | findings | processor s | s per 100,000 lines | wall s | MB |")
    print("|---|---|---|---|---|---|---|")
    if options.as_is:
        name = "fast" if options.fast else "cold"
        show(name, measured(options.source, fast=options.fast, workers=options.workers))
        return
    for lines in map(int, options.lines.split(",")):
        shutil.rmtree(options.work, ignore_errors=True)
        code, index = options.work / "code", options.work / "index"
        make_code(options.source, code, lines)
        time.sleep(3)  # files that were just written are read again
        for name, arguments in _KINDS[: 1 if options.only_cold else None]:
            if name.endswith("% changed, index"):
                change(code)
            kept = index if "index" in arguments else None
            show(name, measured(code, kept, "fast" in arguments, options.workers))


def compare(source: Path, work: Path, other: str, repeats: int) -> None:
    """Print the cost of scans with an index by this codekin and by another one."""
    tools = {"this": str(Path(sys.executable).with_name("codekin")), "other": other}
    kinds = ("cold", "unchanged", "1 % changed")
    costs: dict[tuple[str, str], list[float]] = {}
    for repeat in range(repeats):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(source, work / "code")
        time.sleep(3)  # files that were just written are read again
        for kind in kinds:
            if kind == kinds[-1]:
                change(work / "code")
            results = []
            for name in sorted(tools, reverse=bool(repeat % 2)):
                words = [tools[name], "scan", "code", "--index", f"index-{name}"]
                before = os.times()
                done = subprocess.run(
                    [*words, "--format", "json"], cwd=work, capture_output=True, check=True
                )
                after = os.times()
                document = json.loads(done.stdout)
                results.append([document[key] for key in ("lines", "findings", "classes")])
                spent = after.children_user - before.children_user
                spent += after.children_system - before.children_system
                costs.setdefault((kind, name), []).append(spent)
            if results[0] != results[1]:
                sys.exit(f"{kind}: the results differ")
    lines = results[0][0]
    print(f"{lines:,} lines, {repeats} times in turns, the same results. Processor seconds:\n")
    print("| scan | this | other | ratio |\n|---|---|---|---|")
    for kind in kinds:
        mine, theirs = costs[kind, "this"], costs[kind, "other"]
        ratio = statistics.median(mine) / statistics.median(theirs)
        print(f"| {kind} | {_spread(mine)} | {_spread(theirs)} | {ratio:.2f} |")


def _spread(values: Sequence[float]) -> str:
    """The median, with the lowest and the highest value."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def show(name: str, found: dict[str, float]) -> None:
    """Print one row."""
    each = found["cpu"] / found["lines"] * 100_000
    print(
        f"| {found['lines']:,.0f} | {name} | {found['findings']:,.0f} | {found['cpu']:.1f} "
        f"| {each:.2f} | {found['wall']:.1f} | {found['mb']:,.0f} |",
        flush=True,
    )


def change(code: Path) -> None:
    """Add a line to every hundredth file."""
    for path in sorted(one for one in code.rglob("*") if one.is_file())[::100]:
        path.write_bytes(path.read_bytes() + b"\n")


if __name__ == "__main__":
    main()
