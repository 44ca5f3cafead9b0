"""Compile the kernels with every compiler that is installed; a warning is an error.

Usage: ``python tools/warnings_check.py [COMPILER ...]`` with the Python of an environment that has
the tools of the build. By default, every GCC from 12 on and every clang from 14 on that PATH has;
the script fails if it finds no GCC or no clang. Each compiles into a folder of ``build/warnings``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from kernel_build import ROOT, build_kernels

BUILD = ROOT / "build" / "warnings"
FAMILIES = {"g++": 12, "clang++": 14}
"""The oldest version of each compiler that must compile without warnings."""


def version(compiler: str) -> int:
    """The major version of a compiler."""
    done = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True)
    return int(re.match(r"\d+", done.stdout)[0])  # type: ignore[index]


def installed(path: str) -> list[str]:
    """One compiler per family and version, as named in the folders of a PATH."""
    found: dict[tuple[str, int], str] = {}
    for family, oldest in FAMILIES.items():
        names = {family}
        for folder in map(Path, path.split(os.pathsep)):
            if folder.is_dir():
                names |= {one.name for one in folder.glob(f"{family}-*")}
        for name in sorted(names):
            where = shutil.which(name, path=path)
            if where is None or not re.fullmatch(rf"{re.escape(family)}(-\d+)?", name):
                continue
            if (number := version(where)) >= oldest:
                found.setdefault((family, number), where)
    return list(found.values())


def compiles(compiler: str) -> bool:
    """Whether a compiler has nothing to say about the kernels; prints what it says."""
    settings = ("-DCODEKIN_WARNINGS=ON", "-DCMAKE_BUILD_TYPE=Release")
    folder = BUILD / Path(compiler).name
    folder.mkdir(parents=True, exist_ok=True)
    log = folder.with_suffix(".log")
    with log.open("w", encoding="utf-8") as file:
        chosen = f"-DCMAKE_CXX_COMPILER={compiler}"
        clean = build_kernels(folder, file, *settings, chosen, keep_going=True)
    if not clean:
        print(log.read_text("utf-8"))
    return clean


def main(compilers: list[str]) -> int:
    """Compile with each compiler; 1 if any of them has a warning, or a family is missing."""
    chosen = compilers or installed(os.environ["PATH"])
    missing = [
        family
        for family in FAMILIES
        if not compilers and not any(Path(one).name.startswith(family) for one in chosen)
    ]
    for family in missing:
        print(
            f"{family} {FAMILIES[family]} or newer is not installed; install it, or name compilers"
        )
    status = int(bool(missing))
    for compiler in chosen:
        start = time.monotonic()
        clean = compiles(compiler)
        status |= int(not clean)
        said = "no warnings" if clean else "warnings"
        print(
            f"{compiler} {version(compiler)}: {said} ({time.monotonic() - start:.0f} s)", flush=True
        )
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
