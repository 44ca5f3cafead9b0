"""build_kernels: compile the kernels into a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import IO

__all__ = ["ROOT", "build_kernels", "with_build_tools"]

ROOT = Path(__file__).resolve().parent.parent


def with_build_tools() -> dict[str, str]:
    """The variables of a process that finds cmake and ninja of this environment first."""
    scripts = Path(sysconfig.get_path("scripts"))
    return {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}


def build_kernels(folder: Path, log: IO[str], *settings: str, keep_going: bool = False) -> bool:
    """Compile with settings of CMake, and log what it prints; whether it succeeded."""
    python = f"-DPython_EXECUTABLE={sys.executable}"
    configure = ("cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", python, *settings)
    build = ("cmake", "--build", str(folder), *(("--", "-k", "0") if keep_going else ()))
    return all(
        subprocess.run(one, env=with_build_tools(), stdout=log, check=False).returncode == 0
        for one in (configure, build)
    )
