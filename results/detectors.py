"""The page of detectors: ``python results/detectors.py FOLDER -o docs/results/detectors.md``.

The folder has the records of ``codekin detect benchmark results/detectors.toml --data CLONES``,
which were computed in pieces on an H200. Records do not change unless their cells are run again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from codekin import dataset_properties, read_benchmark
from codekin.errors import CodekinError
from pages import table

HEAD = """# Clone detectors

What the detectors of two papers reach here, beside what the papers print. The grid is
`results/detectors.toml`: 100,000 training pairs, four epochs, 250,000 test pairs. Its cells
are run by

    python results/gpu_detectors.py prepare results/detectors.toml FOLDER --data DATA/clones
    python results/gpu_detectors.py train FOLDER -o records.jsonl
    python results/gpu_detectors.py table FOLDER records.jsonl
    codekin detect benchmark results/detectors.toml --data DATA/clones -o FOLDER

of which the second needs a GPU and nothing but numpy and torch. These were run on one H200
(those of linear and mlp mostly on a processor), and their records are in `results/detectors`;
this page is made of them by
`python results/detectors.py results/detectors -o docs/results/detectors.md`.
**{done} of {planned} cells have been run.** [Clone detectors](../detectors.md) describes the
models, [Benchmarks](../benchmark.md) how they are compared.

"""


SOUND = ("tbccd", "astnn", "faast")
CAUSES = """

Why some are outside, as far as the records show:

- linear on OJClone: literals decide. linear leaves them out, as the authors' program does for
  Java. By `python results/linear_on_ojclone.py FOLDER`:

  | linear | pairs | literals | F1 | best validation AP |
  |---|---:|---:|---:|---:|
  | linear:epochs=4 | 100,000 | no | 0.570 | 0.647 |
  | linear:epochs=10,batch=128 | 300,000 | no | 0.626 | 0.719 |
  | linear:epochs=10,batch=16,rate=0.003 | 300,000 | no | 0.631 | 0.714 |
  | linear:epochs=4 | 100,000 | yes | 0.751 | 0.831 |
  | linear:epochs=10,batch=128 | 300,000 | yes | 0.795 | 0.871 |

  The paper's .70 lies between the rows without and with literals. Its trees of C come from another
  parser, which has constants inside of nodes; which of them were words is not known.
- linear on BigCloneBench and its fall on Abs: one seed is shown, and three seeds differ by up to
  .03 (the tables by view have their mean).
- From the original code to Abs, faast falls least: its graphs have the same edges at both levels.
- From Abs to the original code, astnn falls: the names that Abs replaces are unknown words to it.
  They are to faast, too, which keeps its level, so astnn depends more on words; tbccd and linear
  embed words by their characters, and know all.
"""


def ranges(folder: Path) -> str:
    """What was expected of some cells, and what they have."""
    values: dict[tuple[str, str, str, str], float] = {}
    base: dict[str, float] = {}
    rotated: dict[str, list[float]] = {}
    for place in sorted((folder / "cells").glob("*.json")):
        record = json.loads(place.read_text("utf-8"))
        cell, found = record["cell"], record["scores"]["all"]
        same = cell["corpus"] == cell["test_corpus"] and cell["seed"] == 0
        if same and cell["view"] == "random" and found["f1"] is not None:
            name = cell["detector"].removesuffix(":epochs=4")
            values[name, cell["corpus"], cell["level"], cell["test_level"]] = found["f1"]
            base[cell["corpus"]] = found["all_positive_f1"]
        if "rotation" in cell["view"] and found["f1"] is not None:
            rotated.setdefault(cell["detector"].removesuffix(":epochs=4"), []).append(found["f1"])
    rows = []

    def row(what: str, value: float | None, low: float | None, high: float | None) -> None:
        if value is None:
            rows.append([what, "–", _between(low, high), "not run"])
            return
        met = (low is None or value >= low) and (high is None or value <= high)
        rows.append([what, f"{value:.3f}", _between(low, high), "yes" if met else "no"])

    def fall(name: str, before: tuple[str, str], after: tuple[str, str]) -> float | None:
        ends = [values.get((name, "bcb", *level)) for level in (before, after)]
        return None if None in ends else ends[0] - ends[1]

    row("BigCloneBench, linear", values.get(("linear", "bcb", "0", "0")), 0.88, None)
    for name, low, high in (("linear", 0.06, None), *((one, None, 0.04) for one in SOUND)):
        row(f"fall on Abs, {name}", fall(name, ("0", "0"), ("abs", "abs")), low, high)
    expected = (("linear", 0.66, 0.75), ("tbccd", 0.97, None), ("astnn", 0.96, None))
    for name, low, high in (*expected, ("mlp", 0.85, 0.95), ("svm", None, base["oj"] + 0.1)):
        row(f"OJClone, {name}", values.get((name, "oj", "0", "0")), low, high)
    for name in ("linear", *SOUND):
        row(
            f"fall from the original to Abs, {name}",
            fall(name, ("0", "0"), ("0", "abs")),
            0.1,
            None,
        )
    for name in SOUND:
        drop = fall(name, ("abs", "abs"), ("abs", "0"))
        row(f"fall from Abs to the original, {name}", drop, None, 0.04)
    for name in ("linear", "tbccd"):
        crossed = rotated.get(name, [])
        before = values.get((name, "bcb", "1", "1"))
        mean = None if before is None or not crossed else before - sum(crossed) / len(crossed)
        row(f"fall across functionalities, 20 splits, {name}", mean, 0.1, None)
    heads = ["F1, random view", "here", "expected", "within"]
    return "\n## Expected ranges\n\n" + table(heads, rows) + CAUSES


def _between(low: float | None, high: float | None) -> str:
    if high is None:
        return f"at least {low:.2f}"
    return f"at most {high:.2f}" if low is None else f"{low:.2f} to {high:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="records of a benchmark")
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    given = parser.parse_args()
    found = read_benchmark(given.folder)
    done = len(list((given.folder / "cells").glob("*.json")))
    page = HEAD.format(done=done, planned=found.planned) + found.to_markdown()
    page += ranges(given.folder)
    try:
        properties = dataset_properties(found)
        page += "\n## Properties of a sound dataset\n\n" + properties.to_markdown()
    except CodekinError as error:
        page += f"\n## Properties of a sound dataset\n\nNot yet: {error}.\n"
    if given.output is None:
        print(page)
    else:
        given.output.write_text(page.rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
