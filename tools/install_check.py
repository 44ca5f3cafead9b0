"""Build the packages, install them as users do, and use them.

Usage: ``python tools/install_check.py [--sdist]`` with the Python of an environment that has the
tools of the build. The wheel is built and installed into an empty environment in which no compiler
can be found, and then codekin is used there. With ``--sdist``, the same is done with the source
distribution, which is compiled from scratch, so a compiler is allowed while it is installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja")
SHIPPED = ("src/codekin", "native")
BUILT_WITH = ("CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE")


class PackageError(Exception):
    """What is wrong with a package."""


def tracked(*folders: str) -> set[str]:
    """The files of the repository below some folders, as paths from its root."""
    done = subprocess.run(
        ("git", "ls-files", *folders), cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines())


def sdist_problems(names: Iterable[str], sources: Iterable[str]) -> list[str]:
    """What the names in a source distribution, which has one folder, lack or should not have."""
    inside = {name.partition("/")[2] for name in names}
    problems = [f"{one} is missing" for one in sorted({*sources, *BUILT_WITH} - inside)]
    return problems + [
        f"{one} does not belong in it" for one in sorted(filter(_is_private, inside))
    ]


def wheel_problems(names: Iterable[str], sources: Iterable[str]) -> list[str]:
    """What the names in a wheel lack or should not have."""
    inside = set(names)
    expected = {one.removeprefix("src/") for one in sources if one.startswith("src/")}
    problems = [f"{one} is missing" for one in sorted(expected - inside)]
    if not any(one.startswith("codekin/_native.") and not one.endswith(".pyi") for one in inside):
        problems.append("the kernels (codekin/_native) are missing")
    others = {one.partition("/")[0] for one in inside}
    return problems + [
        f"{one} does not belong in it"
        for one in sorted(others)
        if one != "codekin" and not one.endswith(".dist-info")
    ]


def _is_private(name: str) -> bool:
    return name.startswith((".ci/", ".github/", "tests/golden/vectors/", ".venv/", "build/"))


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution, with their contents checked."""
    python = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    made = ("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), ".")
    subprocess.run((*python, *made), cwd=ROOT, check=True)
    backend = (
        "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    )
    command = (sys.executable, "-c", backend, str(folder))
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    (wheel,), (sdist,) = folder.glob("codekin-*.whl"), folder.glob("codekin-*.tar.gz")
    sources = tracked(*SHIPPED)
    with zipfile.ZipFile(wheel) as archive:
        refuse(wheel, wheel_problems(archive.namelist(), sources))
    with tarfile.open(sdist) as archive:
        refuse(sdist, sdist_problems(archive.getnames(), sources))
    return wheel, sdist


def refuse(package: Path, problems: list[str]) -> None:
    """Fail if a package has problems."""
    if problems:
        raise PackageError(f"{package.name}: " + "; ".join(problems[:10]))


def install(package: Path, folder: Path, *, compile_it: bool) -> dict[str, str]:
    """Install a package into an empty environment; the variables of processes that use it."""
    venv.create(folder, with_pip=True)
    scripts = folder / Path(sysconfig.get_path("scripts")).name
    bare = {"PATH": str(scripts), "HOME": str(folder), "LANG": "C.UTF-8"}
    found = [name for name in COMPILERS if shutil.which(name, path=bare["PATH"])]
    if found:
        raise PackageError(f"the empty environment has {found[0]}")
    allowed = () if compile_it else ("--only-binary", ":all:")
    command = (scripts / "python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
    using = {**os.environ, "HOME": bare["HOME"]} if compile_it else {**_pip_settings(), **bare}
    constraints = ("--constraint", ROOT / "constraints.txt")
    subprocess.run((*command, *allowed, *constraints, package), env=using, cwd=folder, check=True)
    return bare


def _pip_settings() -> dict[str, str]:
    """What says where pip finds packages, and nothing that it could compile with."""
    wanted = ("PIP_", "HTTP", "http", "NO_PROXY", "no_proxy", "SSL_", "REQUESTS_", "SYSTEMROOT")
    return {name: value for name, value in os.environ.items() if name.startswith(wanted)}


def use(folder: Path, bare: dict[str, str]) -> None:
    """Compare two programs, score the demo, and load the kernels, outside of the repository."""
    (folder / "a.py").write_text("def add(a, b):\n    return a + b\n", encoding="utf-8")
    (folder / "b.py").write_text("def add(x, y):\n    return x + y\n", encoding="utf-8")

    def said(*words: str) -> str:
        where = shutil.which(words[0], path=bare["PATH"])
        done = subprocess.run(
            (where or words[0], *words[1:]),
            **{"env": bare, "cwd": folder, "capture_output": True, "text": True},
            check=False,
        )
        if done.returncode:
            raise PackageError(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    import codekin

    if codekin.__version__ not in said("codekin", "--version"):
        raise PackageError("codekin --version is not that of the repository")
    if "1.0000" not in said("codekin", "compare", "a.py", "b.py", "-m", "cssg"):
        raise PackageError("codekin compare: renamed code must have the same graph")
    said("codekin", "demo", "-o", "demo.html")
    said("python", str(ROOT / "tests" / "installed.py"))
    where = said("python", "-c", "import codekin._native as n; print(n.__file__)").strip()
    if not Path(where).is_relative_to(folder):
        raise PackageError(f"the kernels come from {where}, not from the environment")


def main() -> int:
    """Check the wheel, and with --sdist the source distribution."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sdist", action="store_true", help="also compile and install the sdist")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codekin-install-") as scratch:
        start = time.monotonic()
        wheel, sdist = build(Path(scratch))
        for package in (wheel, sdist) if asked.sdist else (wheel,):
            folder = Path(scratch).resolve() / f"installed-{package.suffix[1:]}"
            use(folder, install(package, folder, compile_it=package == sdist))
            print(
                f"{package.name}: installed and used ({time.monotonic() - start:.0f} s)", flush=True
            )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PackageError as error:
        sys.exit(str(error))
