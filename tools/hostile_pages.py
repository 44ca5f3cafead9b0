"""Put hostile strings into every field that reaches a page, and check that no browser runs them.

    python tools/hostile_pages.py --strings 200 --seed 1

The pages are made by the real commands and opened in Chromium twice: unchanged, and with their
content security policy disabled, so that only the escaping protects them. A fault is a script, a
dialog, a request or an element from the data, or an error in the page's own script. Needs Chromium
on the PATH.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.report.browser import CHROMIUM, Browser, Page, browser
from tests.report.nasty import NASTY

from codekin.runs.seals import seal_manifest, sha256_of
from codekin.runs.shard_table import file_bytes, shard_note

RUN = "window.pwned=(window.pwned||0)+1;document.title='pwned'"
ASK = "http://pwned.invalid/"
STRINGS = (
    *NASTY,
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</style><script>{RUN}</script>",
    f"</textarea></title></template><script>{RUN}</script>",
    f"--><script>{RUN}</script><!--",
    f"]]><script>{RUN}</script>",
    f"<img class=pwn src=x onerror=\"{RUN}\">",
    f"\"><img class=pwn src=x onerror={RUN}>",
    f"'><img class=pwn src=x onerror={RUN}>",
    f"\" autofocus tabindex=0 onfocus=\"{RUN}\" onmouseover=\"{RUN}\" x=\"",
    f"' onmouseover='{RUN}' x='",
    f"` onmouseover=`{RUN}` x=`",
    f"<svg class=pwn onload=\"{RUN}\"><animate onbegin=\"{RUN}\" attributeName=x dur=1s></svg>",
    f"<svg class=pwn><script>{RUN}</script></svg>",
    f"<svg class=pwn><a href=\"javascript:{RUN}\"><text>x</text></a></svg>",
    f"</text></svg><img class=pwn src=x onerror=\"{RUN}\">",
    f"<math class=pwn><mtext><img class=pwn src=x onerror=\"{RUN}\"></mtext></math>",
    f"<iframe class=pwn srcdoc=\"<script>parent.pwned=1</script>\" src=\"javascript:{RUN}\">",
    f"<details class=pwn open ontoggle=\"{RUN}\">x</details>",
    f"<body class=pwn onload=\"{RUN}\">",
    f"<base class=pwn href={ASK}>",
    f"<link class=pwn rel=stylesheet href={ASK}a.css>",
    f"<meta class=pwn http-equiv=refresh content=\"0;url={ASK}\">",
    f"<style class=pwn>@import '{ASK}'; body{{display:none}}</style>",
    f"<form class=pwn action={ASK}><button autofocus>x</button></form>",
    f"<object class=pwn data={ASK}></object><embed class=pwn src={ASK}>",
    f"<img class=pwn src={ASK}a.png srcset={ASK}b.png>",
    f"javascript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    f"';{RUN};//",
    f"\";{RUN};//",
    f"\\\";{RUN};//",
    f"`${{{RUN}}}`",
    f"}}]}};{RUN};[{{",
    f"\u2028{RUN}\u2029",
    f"</script\n><script\n>{RUN}</script\n>",
    f"<scr\x00ipt>{RUN}</scr\x00ipt>",
    f"<\x0bimg class=pwn\x0csrc=x\x0bonerror={RUN}>",
    f"&lt;img class=pwn src=x onerror={RUN}&gt;",
    f"&#60;script&#62;{RUN}&#60;/script&#62;",
    f"\\u003cscript\\u003e{RUN}\\u003c/script\\u003e",
    f"\\x3cscript\\x3e{RUN}\\x3c/script\\x3e",
    f"{{{{ cycler.__init__.__globals__.os }}}}<script>{RUN}</script>{{% include 'x' %}}",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    "#pair=x&measure=y",
    "__proto__",
    "constructor",
    "%3Cscript%3E" + RUN,
    "\ud800<img class=pwn src=x onerror=x>\udfff",
    f"\u202e\u2066<img class=pwn src=x onerror=\"{RUN}\">\u2069",
    "\x1b]0;pwned\x07\x1b[2J\x9b2J\x7f\x00",
    "=HYPERLINK(\"" + ASK + "\")",
    "A" * 5000 + f"<img class=pwn src=x onerror=\"{RUN}\">",
    "\ufeff\u200b\u0000\ufffe\uffff",
    "é" * 300 + "\U0001f600" * 100,
)  # fmt: skip
_SHOWN = 40
CHECK = """
(() => {
  const found = [...document.querySelectorAll(
    ".pwn, base, iframe, object, embed, [action], [srcdoc], script[src], meta[content*=url]")];
  for (const one of document.querySelectorAll("*"))
    for (const { name, value } of one.attributes)
      if (/^on/i.test(name) || (/^(href|src|action|xlink:href)$/i.test(name) &&
          /^[\\s\\0-\\x20]*(javascript|vbscript|https?|\\/\\/)/i.test(value))) found.push(one);
  return {
    ran: Boolean(window.pwned) || document.title === "pwned",
    found: found.map((one) => one.outerHTML.slice(0, 200)),
  };
})()
"""


def mixed(chance: random.Random) -> str:
    """A string pasted together from the others."""
    pieces = []
    for _ in range(chance.randint(2, 4)):
        one = chance.choice(STRINGS)
        start = chance.randrange(len(one))
        pieces.append(one[start : start + chance.choice((3, 20, 200))])
    return "".join(pieces)


class Maker:
    """Makes pages through the command line, in a separate folder."""

    def __init__(self, folder: Path, strings: list[str], chance: random.Random) -> None:
        self.folder = folder
        self.strings = strings
        self.chance = chance
        self.fields = 0
        self.names = list(dict.fromkeys(filter(None, map(file_name, strings))))

    def codekin(self, *words: str | Path) -> None:
        """Run a command that must succeed."""
        done = subprocess.run(
            [sys.executable, "-m", "codekin", *map(str, words)],
            cwd=self.folder,
            capture_output=True,
            env=os.environ | {"COLUMNS": "200"},
            timeout=600,
            check=False,
        )
        # 1 means that not every row could be scored, as expected here.
        if done.returncode not in (0, 1):
            said = done.stderr.decode("utf-8", "replace")[-800:]
            raise SystemExit(f"codekin {words[0]} ended with {done.returncode}: {said}")

    def rows(self, name: str, make: Callable[[int, str], dict[str, Any]]) -> Path:
        """Rows of JSON lines, one per string."""
        path = self.folder / name
        rows = [make(i, one) for i, one in enumerate(self.strings)]
        self.fields += sum(len(row) for row in rows)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return path

    def any(self) -> str:
        """One of the strings."""
        return self.chance.choice(self.strings)

    def code(self, text: str) -> tuple[str, str]:
        """A language, and a program in it that contains a text as code, a literal or a comment."""
        inert = text.replace("\n", " ").replace("\r", " ")
        quoted = json.dumps(inert, ensure_ascii=False)
        language, program = self.chance.choice(
            [
                ("python", f"def f(a):\n    return a + {quoted}  # {inert}\n"),
                ("javascript", f"function f(a) {{ return a + {quoted}; }} // {inert}\n"),
                (
                    "java",
                    f"class A {{ String f(int a) {{ return a + {quoted}; /* {inert} */ }} }}\n",
                ),
                ("c", f"int f(int a) {{ puts({quoted}); return a; }} // {inert}\n"),
                ("python", f"{text}\n"),
                ("javascript", f"{text}\n"),
            ]
        )
        return language, program

    def row(self, number: int, text: str) -> dict[str, Any]:
        """A row with the text in every field."""
        language, candidate = self.code(text)
        _, reference = self.code(self.any())
        wrong = number % 9 == 8
        return {
            "id": f"{text}{number}",
            "group": f"{self.any()[:300]}" if number % 3 else "group",
            "language": text if wrong else language,
            "candidate": candidate,
            "reference": candidate.replace("a", "b") if number % 2 else reference,
            "origin": candidate.replace("f", "g"),
            "outcome": number % 2,
            "task": self.any(),
            self.any()[:100]: self.any(),
            "note": text,
        }

    def pages(self) -> Iterator[tuple[str, Path]]:
        """Pages of every kind, each with its description."""
        measures = ("-m", "nes", "-m", "bleu", "-m", "cssg", "-m", "sari", "-m", "kin")
        rows = self.rows(self.names[0] + ".jsonl", self.row)
        plain = self.folder / ("run" + self.names[1])
        self.codekin("score", rows, *measures, "-o", plain)
        yield "report", self.report(plain, "plain.html")
        yield "report of a forged run", self.report(self.forged(plain), "forged.html")
        judged = self.folder / "outcomes"
        words = ("-o", judged, "--task", "task")
        self.codekin("evaluate", "outcomes", rows, "-m", "nes", "-m", "bleu", *words)
        yield "outcomes", self.report(judged, "outcomes.html")
        yield "triplets", self.triplets()
        programs = self.rows("programs.jsonl", self.program)
        words = ("-m", "nes", "-o", "card")
        self.codekin("evaluate", "card", programs, *words)
        yield "card", self.report(self.folder / "card", "card.html")
        yield from self.pages_of_files()

    def report(self, run: Path, name: str, *words: str) -> Path:
        """The report of a run."""
        path = self.folder / name
        self.codekin("report", run, "-o", path, *words)
        return path

    def forged(self, run: Path) -> Path:
        """A run with hostile strings wherever its manifest allows any."""
        copy = self.folder / "forged"
        (copy / "shards").mkdir(parents=True)
        manifest = json.loads((run / "manifest.json").read_bytes())
        renamed = {}
        entries = {one["file"]: one for one in manifest["shards"]}
        for number, one in enumerate(manifest["asked"]["measures"]):
            label = f"{self.strings[number % len(self.strings)]}{number}".replace("\x00", "")
            label = label.encode("utf-8", "replace").decode()
            renamed[one["label"]] = label
            one |= {"label": label, "signature": self.any(), "summary": self.any()}
            self.fields += 3
        manifest["versions"] = {self.any(): self.any() for _ in range(3)}
        manifest["skipped"] = [self.any()]
        manifest["asked"]["language"] = self.any()
        for shard in sorted((run / "shards").iterdir()):
            table = pq.read_table(shard)
            names = [
                next(
                    (new + name[len(old) :] for old, new in renamed.items()
                     if name == old or name.startswith(f"{old}.")),
                    name,
                )
                for name in table.column_names
            ]  # fmt: skip
            data = file_bytes(table.rename_columns(names), shard_note(table.schema.metadata))
            (copy / "shards" / shard.name).write_bytes(data)
            entries[f"shards/{shard.name}"]["sha256"] = sha256_of(data)
        (copy / "manifest.json").write_text(json.dumps(seal_manifest(manifest)), "utf-8")
        return copy

    def triplets(self) -> Path:
        """The report of triplets."""

        def triplet(number: int, text: str) -> dict[str, Any]:
            language, code = self.code(text)
            texts = (code, code.replace("a", "b"), code.replace("return", "throw") + "\n")
            return {
                "id": f"{text}{number}",
                "problem": self.any() if number % 2 else "problem",
                **{
                    role: {"language": language, "code": one}
                    for role, one in zip(("anchor", "positive", "negative"), texts, strict=True)
                },
                "note": self.any(),
            }

        rows = self.rows("triplets.jsonl", triplet)
        words = ("-m", "nes", "-m", "bleu", "-o", "judged")
        self.codekin("evaluate", "triplets", rows, *words)
        return self.report(self.folder / "judged", "triplets.html")

    def program(self, number: int, text: str) -> dict[str, Any]:
        """A program with the text in it."""
        language, code = self.code(text)
        return {"id": f"{text}{number}", "language": language, "code": code, "group": self.any()}

    def pages_of_files(self) -> Iterator[tuple[str, Path]]:
        """The pages that commands make of files."""
        folder = self.folder / ("works" + self.names[2])
        folder.mkdir()
        for name in self.names:
            (folder / f"{name}.py").write_bytes(self.python(self.any()))
        (folder / f"{self.names[3]}-empty.py").write_bytes(b"")
        self.fields += 2 * len(self.names)
        words = ("-m", "nes", "-o", self.folder / "matrix.html", "--csv", "m.csv")
        self.codekin("matrix", folder, *words)
        yield "matrix", self.folder / "matrix.html"
        clones = self.folder / ("clones" + self.names[2])
        for name in self.names:
            (clones / name).mkdir(parents=True)
            steps = "".join(f"    b = b * {number} + len(a)\n" for number in range(9)).encode()
            code = self.python(self.any()).replace(b"    return", steps + b"    return")
            (clones / name / f"{name}.py").write_bytes(code)
        self.fields += 2 * len(self.names)
        self.codekin("scan", clones, "--all", "--no-config", "-o", self.folder / "scan.html")
        yield "scan", self.folder / "scan.html"
        dates = self.folder / "dates.csv"
        with dates.open("w", encoding="utf-8", errors="replace", newline="") as stream:
            days = ((name, f"2026-05-{1 + i % 28:02}") for i, name in enumerate(self.names))
            csv.writer(stream).writerows([("student", "date"), *days])
        words = ("--suspicious", "1", "--dates", dates, "-o", self.folder / "class.html")
        self.codekin("scan", "--submissions", folder, *words)
        yield "class", self.folder / "class.html"
        origin = self.folder / f"{self.names[4]}.py"
        origin.write_bytes(self.python("start"))
        revised = sorted(folder.glob("*.py"))[:40]
        self.codekin("cluster", origin, *revised, "-o", self.folder / "cluster.html")
        yield "cluster", self.folder / "cluster.html"
        for number, name in enumerate(self.chance.sample(self.names, min(8, len(self.names)))):
            one, other = (self.folder / f"{side}{name}.py" for side in "ab")
            one.write_bytes(self.python(self.any()))
            other.write_bytes(self.python(self.any()))
            self.fields += 6
            for what, words in {
                "align": ("align", origin, other, "--origin", one, "--format", "html"),
                "graph": ("graph", one, "--format", "html"),
                "pair": ("compare", one, other, "-m", "cssg", "--format", "html"),
            }.items():
                path = self.folder / f"{what}{number}.html"
                self.codekin(*words, "-o", path)
                yield what, path

    def python(self, text: str) -> bytes:
        """A file with the text in it; files with NUL are refused as binary."""
        text = text.replace("\x00", "")
        quoted = json.dumps(text.replace("\n", " "), ensure_ascii=False)
        note = " ".join(text.split())
        code = f"def f(a):\n    b = a + {quoted}  # {note}\n    g(b, {quoted})\n    return b\n"
        return code.encode("utf-8", "replace")


def file_name(text: str) -> str:
    """The part of a text that can be a file name."""
    name = text.encode("utf-8", "replace").decode().translate({0: None, ord("/"): "∕"})
    return name.encode()[:180].decode("utf-8", "ignore").strip(". -")


def faults_of(window: Page, started: Browser, path: Path, kind: str) -> Iterator[str]:
    """The faults of a page, when opened and when used."""
    started.events.clear()
    window.send("Page.navigate", url=path.as_uri())
    window.until("document.readyState === 'complete' && location.protocol === 'file:'")
    if kind not in ("align",):  # which has no script
        window.until("document.documentElement.dataset.ready")
    for _ in use(window, kind):
        seen = window.run(CHECK)
        if seen["ran"]:
            yield "a script ran"
        yield from (f"element: {one}" for one in seen["found"])
    for event in started.events:
        if event.get("method") == "Page.javascriptDialogOpening":
            yield "a dialog opened"
    yield from (f"complaint: {one[:400]}" for one in window.complaints())


def use(window: Page, kind: str) -> Iterator[None]:
    """Go through a page as a reader does; yields after each step."""
    yield
    every = "document.querySelectorAll('main *, header *')"
    for event in ("mouseover", "pointerover", "focus"):
        window.run(f"{every}.forEach((one) => one.dispatchEvent(new Event('{event}')))")
    yield
    if kind.startswith("report") or kind in ("outcomes", "triplets", "card", "scan"):
        keys = "jn" if kind == "scan" else "jl"
        for step in range(60):
            window.run(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', "
                f"{{key: {keys[step % 5 == 4 or kind == 'scan']!r}, bubbles: true}}))"
            )
            time.sleep(0.03)
        window.settle()
        yield
        window.write("#q", "<img")
        yield
    if kind == "matrix":
        for number in range(10):
            window.run(f"document.querySelectorAll('[data-pair]')[{number}]?.click()")
            time.sleep(0.05)
            yield
            window.run("document.querySelector('dialog[open]')?.close()")
    if kind == "class":
        for number in range(10):
            window.run(f"location.hash = 'pair-{number}'")
            window.settle()
            window.run("document.querySelector('#pair mark[data-region]')?.click()")
            window.run("document.querySelector('#pair details')?.setAttribute('open', '')")
            yield
        window.run("document.querySelector('dialog[open]')?.close()")
        yield
    if kind in ("graph", "pair"):
        window.run(
            "document.querySelectorAll('.node').forEach((one) => "
            "one.dispatchEvent(new MouseEvent('click', {bubbles: true})))"
        )
        yield


def check_detection(started: Browser, path: Path) -> None:
    """Exit if even a page that escapes nothing has no fault."""
    marked = [one for one in STRINGS if "class=pwn" in one and one.startswith("<img")]
    path.write_text("".join(f"<main>{one}</main>" for one in marked), "utf-8")
    window = started.page()
    found = " ".join(faults_of(window, started, path, "align"))
    window.close()
    if not all(what in found for what in ("a script ran", "element: ", ASK)):
        raise SystemExit("hostile_pages: hostile content is not detected")


def main() -> None:
    """Make the pages, open them, and print the faults."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--strings", type=int, default=160, help="minimum number of strings")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the mixed strings and their fields"
    )
    parser.add_argument("--keep", type=Path, help="a new folder to keep the pages in")
    given = parser.parse_args()
    if CHROMIUM is None:
        raise SystemExit("hostile_pages: Chromium is not on the PATH")
    chance = random.Random(given.seed)
    strings = list(STRINGS)
    while len(strings) < given.strings:
        strings.append(mixed(chance))
    chance.shuffle(strings)
    faults: list[str] = []
    kinds: set[str] = set()
    openings = 0
    with tempfile.TemporaryDirectory(prefix="codekin-hostile-") as temporary:
        folder = given.keep or Path(temporary) / "pages"
        folder.mkdir(parents=True)
        maker = Maker(folder, strings, chance)
        with browser(Path(temporary) / "profile") as started:
            check_detection(started, Path(temporary) / "control.html")
            for kind, path in maker.pages():
                kinds.add(kind)
                for bypass in (False, True):
                    window = started.page()
                    window.send("Page.setBypassCSP", enabled=bypass)
                    openings += 1
                    found: list[str] = []
                    try:
                        found.extend(faults_of(window, started, path, kind))
                    except AssertionError as error:
                        found.append(f"the page does not answer: {error}")
                    without = " without its policy" if bypass else ""
                    faults += [f"{kind} ({path.name}{without}): {one}" for one in found]
                    window.close()
    for one in list(dict.fromkeys(faults))[:_SHOWN]:
        print(one.encode("ascii", "backslashreplace").decode())
    print(
        f"{len(strings)} strings in {maker.fields} fields of {len(kinds)} kinds of pages, "
        f"{openings} openings: {len(faults)} faults"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
