"""The page of detectors: ``python results/detectors.py FOLDER -o docs/results/detectors.md``.

The folder has the records of ``codekin detect benchmark results/detectors.toml --data CLONES``,
which were computed in pieces on an H200. Records do not change unless their cells are run again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codekin import dataset_properties, read_benchmark
from codekin.errors import CodekinError

HEAD = """# Clone detectors

What the detectors of two papers reach here, beside what the papers print. The grid is
`results/detectors.toml`: 100,000 training pairs, four epochs, 250,000 test pairs. Its cells were
run by

    codekin detect benchmark results/detectors.toml --data DATA/clones -o FOLDER --stage
    python -m codekin.detectors.benchmark.cells FOLDER

on one H200, and their records are in `results/detectors`; this page is made of them by
`python results/detectors.py results/detectors -o docs/results/detectors.md`.
**{done} of {planned} cells have been run.** [Clone detectors](../detectors.md) describes the
models, [Benchmarks](../benchmark.md) how they are compared.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="records of a benchmark")
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    given = parser.parse_args()
    found = read_benchmark(given.folder)
    done = len(list((given.folder / "cells").glob("*.json")))
    page = HEAD.format(done=done, planned=found.planned) + found.to_markdown()
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
