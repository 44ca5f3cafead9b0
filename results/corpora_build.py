"""Corpora built as in the papers: ``python results/corpora_build.py DATA``.

DATA is a folder with the sets of clones: bigclonebench, googlecodejam, gcj-java, gcj2017-cpp and
ojclone. Every set is built twice with one seed, and the bytes are compared.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from codekin.corpora.builders import build_contest, build_corpus, build_yu, describe_build
from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.description import corpus_balance, natural_rate
from codekin.corpora.expansion import WholeFile
from codekin.corpora.reading import read_corpus
from codekin.corpora.snippets import Snippet
from codekin.source import Source
from pages import number, table

SEED = 1
CONTESTS = ("googlecodejam", "gcj-java", "gcj2017-cpp", "ojclone")
PAPER = {
    "bigclonebench before": ("10", "913.3", "1,288.0"),
    "bigclonebench after": ("21", "444.0", "256.6"),
    "googlecodejam before": ("12", "138.8", "163.4"),
    "gcj-java after": ("20", "623.0", "114.8"),
}
"""Functionalities, mean and what the paper calls the variance (figures 4 and 5 of the
multi-perspective paper); gcj-java is compared with GoogleCodeJam2."""


WHY = """\
The deviation is that of the population, which the paper prints and calls a variance. Its
BigCloneBench counts all functions of the usual file of snippets, confirmed or not, with those of no
functionality as a tenth group: here {0} groups with a mean of {1} and a deviation of {2}.
ConBigCloneBench is made from the whole database, with 21 functionalities and the numbers of judges.
Here there are nine functionalities, of which three have fewer than 20 snippets, and no such
numbers, so step 1 drops nothing. With at most 500 snippets per functionality a mean of 444.0 allows
no deviation above 158, so the paper's 256.6 probably counts snippets tagged false as well: compare
it with the columns "in any role". GoogleCodeJam2 has problems with more than 500 solutions;
the largest of gcj-java has 85."""


def usual_balance(corpus: Corpus) -> tuple[str, str, str]:
    """The balance of a file of snippets by the functionality they were judged for, or by none."""
    sizes = Counter(one.functionality for one in corpus.snippets)
    counts = np.array(list(sizes.values()), float)
    return f"{len(counts)}", number(float(counts.mean()), 1), f"{counts.std():,.1f}"


def parses(snippet: Snippet, code: str) -> bool:
    """Whether the parser reads all of a text."""
    return not Source(code, snippet.language).problems


def expansion(corpus: Corpus) -> str:
    """How many snippets gain a callee, and how many of those still parse."""
    counts: Counter[str] = Counter()
    depths: Counter[int] = Counter()
    by_file: dict[str, list[Snippet]] = {}
    for one in corpus.snippets:
        if one.file in corpus.files:
            by_file.setdefault(one.file or "", []).append(one)
    for file, snippets in by_file.items():
        whole = WholeFile(corpus.files[file], snippets[0].language)
        for one in snippets:
            found = whole.expand(one.code)
            counts["with a file"] += 1
            counts["found in their file"] += found.places > 0
            counts["found several times"] += found.places > 1
            depths[found.depth] += 1
            if found.functions:
                counts["gain a callee"] += 1
                counts["functions added"] += len(found.functions)
                counts["and the entry parses"] += parses(one, one.code)
                counts["and so does the expansion"] += parses(one, one.code) and parses(
                    one, found.text
                )
    share = counts["gain a callee"] / counts["with a file"]
    kept = counts["and so does the expansion"] / counts["and the entry parses"]
    rows = [[name, f"{count:,}"] for name, count in counts.items()]
    rows += [
        ["share that gains a callee", f"{share:.1%}"],
        ["share that still parses", f"{kept:.2%}"],
    ]
    rows += [[f"depth {depth}", f"{depths[depth]:,}"] for depth in sorted(depths) if depth]
    return table(["snippets", "count"], rows)


def steps_table(steps: Sequence[Step]) -> str:
    """A row per step and count."""
    rows = []
    for step in steps:
        for name in dict.fromkeys((*step.before, *step.after)):
            values = [found.get(name) for found in (step.before, step.after)]
            shown = ["–" if value is None else f"{value:,}" for value in values]
            rows.append([step.name, name, *shown])
    notes = [f"- {step.name}: {note}" for step in steps for note in step.notes]
    return "\n".join([table(["step", "count", "before", "after"], rows, keys=2), "", *notes])


def in_any_role(corpus: Corpus) -> tuple[str, str, str]:
    """The balance of snippets that were judged for a functionality, whatever the verdict."""
    sizes = Counter(
        name for one in corpus.snippets for name in {r.functionality for r in one.roles}
    )
    counts = np.array(list(sizes.values()), float)
    return f"{len(counts)}", number(float(counts.mean()), 1), number(float(counts.std()), 1)


def balances(corpora: dict[str, Corpus]) -> str:
    """The balance of each corpus beside that of the paper."""
    rows = []
    for name, corpus in corpora.items():
        found = corpus_balance(corpus)
        own = [f"{len(found.functionalities)}", number(found.mean, 2), number(found.deviation, 2)]
        paper = PAPER.get(name, ("–", "–", "–"))
        rows.append([name, f"{len(corpus):,}", *own, *in_any_role(corpus), *paper])
    heads = ["corpus", "snippets", "functionalities", "mean", "deviation"]
    heads += ["in any role: functionalities", "mean", "deviation"]
    heads += ["paper: functionalities", "mean", "deviation"]
    return table(heads, rows)


def bytes_of(corpus: Corpus) -> str:
    """A digest of everything that is written for a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "corpus")
        corpus.save(place)
        digest = hashlib.sha256()
        for file in sorted(place.iterdir()):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def twice(path: Path, build: Callable[[Corpus], Corpus]) -> tuple[Corpus, Corpus, bool]:
    """What was read, what was built of it, and whether a second time gives the same bytes."""
    read = read_corpus(path)
    made = build(read)
    return read, made, bytes_of(made) == bytes_of(build(read_corpus(path)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    same: dict[str, bool] = {}
    shown: dict[str, Corpus] = {}
    read, made, same["bigclonebench, con"] = twice(
        data / "bigclonebench", lambda one: build_corpus(one, seed=SEED)
    )
    shown |= {"bigclonebench before": read, "bigclonebench after": made}
    print("## Expansion of BigCloneBench\n")
    print(expansion(read))
    print("\n## The steps on BigCloneBench\n")
    built = describe_build(read, made)
    print(steps_table(built.steps))
    print("\n## Functionalities\n")
    grid = built.table()
    rows = [[str(cell) if isinstance(cell, str | int) else number(cell) for cell in row]
            for row in grid.cells]  # fmt: skip
    print(table([getattr(one, "head", one) for one in grid.columns], rows))
    for name in CONTESTS:
        read, made, same[f"{name}, contest"] = twice(
            data / name, lambda one: build_contest(one, min_solutions=30, seed=SEED)
        )
        shown |= {f"{name} before": read, f"{name} after": made}
    print("\n## Balance\n")
    print(balances(shown))
    read, made, same["bigclonebench, yu"] = twice(
        data / "bigclonebench" / "snippets.jsonl.xz",
        lambda one: build_yu(one, size=300_000, seed=SEED),
    )
    print(f"\n{WHY.format(*usual_balance(read))}")
    print("\n## All pairs as AbsBigCloneBench\n")
    drawn = 0.0 if made.pairs is None else made.pairs.rate
    print(f"{len(made):,} snippets; of all pairs {natural_rate(made.snippets):.1%} are clones, of")
    print(f"300,000 that were drawn {drawn:.1%}. The paper has 13.7 %.")
    print("\n## Twice with one seed\n")
    print(table(["corpus", "equal bytes"], [[k, "yes" if v else "no"] for k, v in same.items()]))


if __name__ == "__main__":
    main()
