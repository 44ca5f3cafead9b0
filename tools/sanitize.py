"""Run the kernel tests and the fuzzers under AddressSanitizer and UndefinedBehaviorSanitizer.

Usage: ``python tools/sanitize.py [--cases N] [--no-tests] [--data DATA]`` with the Python of an
environment that has codekin and the test dependencies. That environment is not modified: the
kernels are compiled into ``build/sanitize``, and a second environment there uses them together with
the packages of the first. Needs GCC.

With DATA, a folder as for ``tools/graph_fuzz.py``, graphs of mutated real programs are built, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

from kernel_build import ROOT, build_kernels, with_build_tools

BUILD = ROOT / "build" / "sanitize"
PACKAGE = BUILD / "package"
TESTS = (
    *("tests/align", "tests/represent", "tests/languages", "tests/measures", "tests/rewrite"),
    *("tests/statistics/test_ranks.py", "tests/test_source.py"),
    "tests/test_native.py",
)
# Words in the names of tests that measure memory or time, which sanitizers increase.
LEFT_OUT = ("memory", "time", "seconds", "fast", "work_is_bounded", "large_functions")


def build() -> None:
    """Compile the kernels and put them into a copy of the package."""
    BUILD.parent.mkdir(parents=True, exist_ok=True)
    settings = (
        "-DCODEKIN_SANITIZE=ON",
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_INSTALL_PREFIX={PACKAGE}",
    )
    with (BUILD.parent / "sanitize.log").open("w", encoding="utf-8") as log:
        if not build_kernels(BUILD, log, *settings):
            sys.exit(f"the kernels do not compile; see {log.name}")
        shutil.rmtree(PACKAGE, ignore_errors=True)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src" / "codekin", PACKAGE / "codekin", ignore=ignored)
        installing = ("cmake", "--install", str(BUILD))
        subprocess.run(installing, env=with_build_tools(), stdout=log, check=True)


def environment() -> Path:
    """An environment whose codekin is the sanitized one; its Python."""
    folder = BUILD / "venv"
    if not folder.exists():
        venv.create(folder, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = folder / "lib" / version / "site-packages"
    # Paths in such a file are added literally, so the other environment's editable install is not
    # used.
    paths = f"{PACKAGE}\n{sysconfig.get_path('purelib')}\n"
    (site / "sanitized.pth").write_text(paths, encoding="utf-8")
    return folder / "bin" / "python"


def library(name: str) -> str:
    """Where the compiler keeps a library."""
    command = ("g++", f"-print-file-name={name}")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def settings() -> dict[str, str]:
    """The environment that sanitizers need for a module loaded by Python."""
    return {
        **os.environ,
        # The first must come first; it needs the second to intercept exceptions.
        "LD_PRELOAD": f"{library('libasan.so')} {library('libstdc++.so')}",
        # Python keeps memory until it exits, so leaks are not checked. A kernel that requests more
        # than 2 GB at once must have a wrong number.
        "ASAN_OPTIONS": "detect_leaks=0:max_allocation_size_mb=2048:abort_on_error=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:abort_on_error=1",
        # Makes each object a separate allocation with guards around it.
        "PYTHONMALLOC": "malloc",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def main() -> int:
    """Build, then run everything; 1 if something failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=300, help="cases per kernel")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-tests", action="store_true", help="only the fuzzers")
    parser.add_argument("--data", type=Path, help="real programs, see tools/graph_fuzz.py")
    options = parser.parse_args()
    build()
    python = str(environment())
    # The address space cannot be limited, since the sanitizer reserves most of it.
    fuzz = ["tools/fuzz_kernels.py", "--memory", "0", "--hang", "120"]
    runs = {
        "kernels": [*fuzz, "--cases", str(options.cases), "--seed", str(options.seed)],
        "graphs": ["tools/graph_fuzz.py", str(options.data or ROOT), "--depth", "200", "--parts"],
    }
    runs["graphs"] += ["nesting", "width", *(["mutations"] if options.data else [])]
    runs["graphs"] += ["--mutations", "100", "--files", "100"]
    if not options.no_tests:
        pytest = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
        runs["tests"] = [*pytest, "-k", "not " + " and not ".join(LEFT_OUT), *TESTS]
    failed = []
    for name, command in runs.items():
        start = time.monotonic()
        ended = subprocess.run((python, *command), cwd=ROOT, env=settings(), check=False)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
        if ended.returncode:
            failed.append(name)
    named = f": {', '.join(failed)}" if failed else ""
    print(f"{len(runs)} runs under sanitizers: {len(failed)} failed{named}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
