"""Scans for tests: files with copies of functions, and what a scan would find in them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from codekin import CloneClass, CloneFinding, CodeRegion, Scan

TYPES = ("T1", "T2", "T3", "T4")
_FILES_OF_FOLDER = 20
_VERBS = (
    "read",
    "load",
    "find",
    "sort",
    "join",
    "split",
    "parse",
    "print",
    "score",
    "align",
    "merge",
)
_LETTERS = str.maketrans("0123456789", "abcdefghij")


def function(number: int, copy: int, lines: int) -> str:
    """A function; every second copy has other names or another statement, by its type."""
    kind = TYPES[number % 4]
    total = "amount" if kind in ("T2", "T4") and copy % 2 else "total"
    body = [f"def task_{number}({total}, values):"]
    words = f"{number}".translate(_LETTERS)
    for line in range(lines - 2):
        mix = number * 7919 + line * 104729
        verb, noun = _VERBS[mix % 11], _VERBS[mix // 11 % 11]
        body.append(f"    {total} += {verb}_{words}(values[{mix % 13}], {noun}={mix % 9973})")
    if kind in ("T3", "T4") and copy % 2:
        body[lines // 2] = f'    print("step {number}", {total})  # changed'
    return "\n".join([*body, f"    return {total}", ""])


def scan_of(classes: list[CloneClass], findings: list[CloneFinding], **more: object) -> Scan:
    """A scan with these clones in one file of a thousand lines."""
    fields: dict[str, object] = {
        **dict.fromkeys(("imports", "tables", "headers", "ignored", "other_files"), 0),
        **{"files": 1, "lines": 1000, "code_lines": 1000, "duplicated_lines": 500, "left_out": ()},
        **{"languages": {"python": 1000}, "fast": False, "min_lines": 6},
    }
    return Scan(findings=tuple(findings), classes=tuple(classes), **{**fields, **more})  # type: ignore[arg-type]


def many_clones(folder: Path, classes: int, *, copies: int = 5, files: int = 200) -> Scan:
    """Write files with this many classes of copies, and return the scan of them.

    The names of the files begin with the folder. Their regions have no fingerprints.
    """
    names = [f"part_{i // _FILES_OF_FOLDER}/file_{i}.py" for i in range(files)]
    texts: list[list[str]] = [[] for _ in names]
    ends = [0] * files
    found: list[CloneClass] = []
    findings: list[CloneFinding] = []
    for i in range(classes):
        number, size, kind = i + 1, 40 - 32 * i // classes, TYPES[i % 4]
        members = []
        for copy in range(copies):
            file = (i * 7 + copy * 3) % files
            texts[file] += [function(i, copy, size), ""]
            start = ends[file] + 1
            ends[file] += size + 1
            path = str(folder / names[file])
            members.append(CodeRegion(path, start, start + size - 1, f"task_{i}", "", size))
        score = 1.0 if kind in ("T1", "T2") else 0.9
        found.append(CloneClass(number, kind, score, tuple(members), size * (copies - 1)))
        findings += [
            CloneFinding(one, other, kind, score, 6 * size, number)
            for one, other in combinations(members, 2)
        ]
    for name, text in zip(names, texts, strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(text))
    lines = sum(ends)
    return scan_of(found, findings, files=files, lines=lines, languages={"python": lines})
