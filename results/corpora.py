"""The page on clone corpora: ``python results/corpora.py DATA -o docs/results/corpora.md``.

DATA is a folder with the sets of clones: bigclonebench, googlecodejam, gcj-java, gcj2017-cpp and
ojclone, each with ``snippets.jsonl.xz``. Types, table 2, balance, Algorithm 1, the similarity of
corpora, and copies per view, next to the papers' numbers.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.auditing import label_hints
from codekin.corpora.builders import build_contest, build_corpus
from codekin.corpora.checking import check_corpus
from codekin.corpora.clone_types import check_types, type_table
from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.description import corpus_balance
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.name_overlap import name_overlap, overlap_of, snippet_names
from codekin.corpora.reading import read_corpus
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.similarity import compare_corpora
from codekin.corpora.trivial import trivial_detectors
from codekin.corpora.views import VIEWS, split_corpus
from codekin.errors import CodekinError
from corpora_build import SEED as BUILD_SEED
from corpora_build import WHY, usual_balance
from corpora_build import balances as built_balances
from pages import number, table, write_page

SETS = ("bigclonebench", "googlecodejam", "gcj-java", "gcj2017-cpp", "ojclone")
PAPER_TYPES = {"T1": 0.46, "T2": 0.06, "VST3": 0.05, "ST3": 0.19, "MT3": 1.01, "WT3/T4": 98.23}
"""Percent of BigCloneBench's true pairs, table 2 of AbsBigCloneBench."""
PAPER_NAMES = {"bigclonebench": "0.038", "bigclonebench, Abs": "0.484", "ojclone 1 to 15": "0.469"}
"""Mean Jaccard similarity of the top 20 names, Algorithm 1 of AbsBigCloneBench."""
OURS_ALONE = frozenset({"e", "Exception", "String", "System", "printStackTrace"})
"""Names that most of our lists have, and hardly any of the paper's."""
PAPER_LISTS = Path(__file__).with_name("name_lists.txt")
"""Table 1 of AbsBigCloneBench, a functionality of BigCloneBench per line."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="a folder with the sets of clones")
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    arguments = parser.parse_args()
    data: Path = arguments.data
    corpora = {name: read_corpus(data / name / "snippets.jsonl.xz") for name in SETS}
    corpora["ojclone 1 to 15"] = first_problems(corpora["ojclone"], 15)
    parts = [
        HEAD,
        "## Types of clones",
        types(corpora["bigclonebench"], data / "bigclonebench" / "pairs_true_typed.csv.xz"),
        "## All true pairs, by type",
        all_pairs(corpora["bigclonebench"]),
        "## Balance",
        balances(corpora),
        "## Balance before and after building",
        built(data),
        "## Names",
        names(corpora),
        "### Table 1 of the paper",
        lists_of_names(corpora["bigclonebench"]),
        "## Corpora beside each other",
        similarities(corpora),
        "## Copies and unseen words, by view",
        views(corpora),
        "## Contradicting labels of BigCloneBench",
        contradicting(data / "bigclonebench"),
        "## Detectors that look at one thing",
        trivial(corpora),
    ]
    write_page("\n\n".join(parts) + "\n", arguments.output)


HEAD = """\
# Clone corpora

Made by `python results/corpora.py DATA -o docs/results/corpora.md`, where DATA holds the five sets
of clones. What the numbers mean: [Clone corpora](../corpora.md)."""


def first_problems(corpus: Corpus, count: int) -> Corpus:
    """The snippets of the problems up to a number, as the papers use OJClone."""
    chosen = [i for i, one in enumerate(corpus.snippets) if int(one.functionality or 0) <= count]
    return replace(corpus.keep(chosen), name=f"{corpus.name} 1 to {count}")


def types(corpus: Corpus, file: Path) -> str:
    """Types of the given pairs beside those that the file has."""
    check = check_types(corpus, file)
    return f"""\
`codekin corpus type snippets.jsonl.xz --check pairs_true_typed.csv.xz`: the types of
BigCloneBench's typed pairs, recomputed from the texts. The file's similarities come from
BigCloneBench's own tools, which are not part of the data; where codekin splits a line or a token in
another way, a pair close to a border falls into the band below.

{check.to_markdown()}"""


def all_pairs(corpus: Corpus) -> str:
    """Table 2 of AbsBigCloneBench."""
    counted = type_table(corpus)
    shares: dict[str, float] = {}
    for one in counted.types:
        shares[one.type] = shares.get(one.type, 0.0) + 100 * one.share
    rows = [
        [name, number(shares.get(name, 0.0), 2), number(paper, 2)]
        for name, paper in PAPER_TYPES.items()
    ]
    return f"""\
`codekin corpus type snippets.jsonl.xz --table`: {counted.pairs:,} pairs of which both are confirmed
and have the same functionality, in percent. The paper counts the pairs of the whole database; here
there are the 9,134 functions that the field uses, of which {counted.snippets:,} are confirmed. T1
differs most, because the share of copies is that of the sample: one function that was copied a
hundred times makes 4,950 T1 pairs.

{table(["type", "here", "paper"], rows)}"""


def balances(corpora: dict[str, Corpus]) -> str:
    """Mean and deviation of snippets per functionality."""
    rows = []
    for name, corpus in corpora.items():
        balance = corpus_balance(corpus)
        top = balance.functionalities[0]
        rows.append(
            [
                name,
                str(len(balance.functionalities)),
                number(balance.mean, 2),
                number(balance.deviation, 2),
                number(top.share),
                number(top.pair_share),
            ]
        )
    heads = [
        "corpus",
        "functionalities",
        "mean",
        "standard deviation",
        "largest: share of snippets",
    ]
    return f"""\
`codekin corpus balance CORPUS`. The multi-perspective paper has 138.75 and 163.44 for
GoogleCodeJam; what it calls a variance is the standard deviation.

{table([*heads, "of clones"], rows)}"""


def names(corpora: dict[str, Corpus]) -> str:
    """Algorithm 1, before and after abstraction."""
    rows = []
    for name in ("bigclonebench", "ojclone 1 to 15"):
        for level in (None, 1, 2, 3, "abs"):
            made = corpora[name] if level is None else abstract_corpus(corpora[name], level)
            found = name_overlap(made)
            label = (
                name
                if level is None
                else f"{name}, {'Abs' if level == 'abs' else f'level {level}'}"
            )
            rows.append(
                [
                    label,
                    number(found.mean),
                    number(found.mean_without_small),
                    PAPER_NAMES.get(label, ""),
                ]
            )
    return f"""\
The mean Jaccard similarity of the 20 most frequent names of two functionalities, before and after
abstraction. The paper does not say what it does with functionalities of a few snippets; without
those of fewer than 20 the numbers are in the third column. Here names are those of types,
variables, members, functions and calls. Compare numbers of one column only: the rise by abstraction
is about as large as the paper's.

{table(["corpus", "all functionalities", "at least 20 snippets", "paper"], rows)}"""


def lists_of_names(corpus: Corpus) -> str:
    """The paper's lists of names beside ours, and the mean similarity of each."""
    found = name_overlap(corpus)
    lines = PAPER_LISTS.read_text(encoding="utf-8").splitlines()
    printed = {key: set(text.split()) for key, text in (line.split(":") for line in lines)}
    rows = []
    for functionality in found.functionalities:
        ours = [name for name, _ in functionality.names]
        paper = printed[functionality.functionality]
        rows.append(
            [
                functionality.functionality,
                f"{functionality.snippets:,}",
                str(len(paper & set(ours))),
                ", ".join(f"`{name}`" for name in ours),
                ", ".join(f"`{name}`" for name in sorted(paper - set(ours))),
            ]
        )
    large = [functionality.functionality for functionality in found.large]
    named = [snippet for snippet in corpus.snippets if snippet.functionalities]
    without = overlap_of(
        replace(corpus, snippets=tuple(named), pairs=None),
        [
            [name for name in names or () if name not in OURS_ALONE]
            for names in each_snippet(snippet_names, named, where=corpus.name)
        ],
    )
    means = [
        ["the paper's lists", *_means(printed, large)],
        ["ours", number(found.mean), number(found.mean_without_small)],
        ["ours without the five names", number(without.mean), number(without.mean_without_small)],
    ]
    heads = ["functionality", "snippets", "in both", "our 20 names", "the paper's alone"]
    return f"""\
The paper prints its lists: the mean Jaccard similarity of the 45 pairs of its ten lists is the
0.038 of its text. Ours come from the 9,134 functions that the field uses, which lack functionality
8 and have too few of 5, 9 and 11 to compare. What differs is mostly a handful of names: ours alone
have `e`, `Exception`, `System` and `printStackTrace`, and `String` in nearly every list (the paper
has it once); the paper's have `int` and `instanceof`, which are keywords. The paper does not say
why its lists lack them. These five names make most of the difference, as the first table shows.

{table(["lists", "all functionalities", "at least 20 snippets here"], means)}

{table(heads, rows)}"""


def _means(lists: dict[str, set[str]], large: list[str]) -> list[str]:
    """The mean Jaccard similarity of all lists, and of those of the large functionalities."""
    means = []
    for names in (list(lists.values()), [lists[functionality] for functionality in large]):
        values = [
            len(first & second) / len(first | second) for first, second in combinations(names, 2)
        ]
        means.append(number(sum(values) / len(values)))
    return means


def similarities(corpora: dict[str, Corpus]) -> str:
    """Each corpus beside BigCloneBench, which comes from real projects."""
    rows = []
    for name in ("googlecodejam", "gcj-java", "gcj2017-cpp", "ojclone 1 to 15"):
        found = compare_corpora(corpora[name], corpora["bigclonebench"])
        for one in found.facts:
            rows.append(
                [
                    name,
                    one.name,
                    number(one.first, 1),
                    number(one.second, 1),
                    number(one.difference, 2),
                    number(one.overlap, 2),
                ]
            )
    heads = ["corpus", "per snippet", "mean", "of BigCloneBench", "difference", "overlap"]
    return f"""\
`codekin corpus compare CORPUS bigclonebench`. The multi-perspective paper says that OJClone is
50 % different from BigCloneBench in variable names, calls and lengths, and GoogleCodeJam very
close. It does not say how it counts: here a snippet of BigCloneBench is one function, and one
of the other corpora a whole program. That makes the programs of GoogleCodeJam longer than the
functions of BigCloneBench, and leaves OJClone close in length and names, with a quarter of the
calls.

{table(heads, rows, keys=2)}"""


def views(corpora: dict[str, Corpus]) -> str:
    """What the test side of each view has in common with training."""
    rows = []
    for name, corpus in corpora.items():
        for view in VIEWS:
            preset = "paper" if view in VIEWS[2:] else None
            try:
                check = check_corpus(split_corpus(corpus, view, preset=preset))
            except CodekinError as error:
                rows.append([name, view, *["–"] * 6, str(error).partition(": ")[2]])
                continue
            test = check.sides[-1]
            rows.append(
                [
                    *(name, view, f"{test.snippets:,}", number(test.rate, 4)),
                    number(test.all_positive_f1),
                    number(test.copied / test.snippets),
                    number(test.near_copied / test.snippets),
                    number(test.unseen_words),
                    "",
                ]
            )
    heads = [
        "corpus",
        "view",
        "test snippets",
        "base rate",
        "all-positive F1",
        "copies",
        "near copies",
    ]
    oj = sample_pairs(split_corpus(corpora["ojclone 1 to 15"]), {"train": 300_000})
    assert oj.pairs is not None
    test_pairs = oj.pairs.of_side("test")
    return f"""\
`codekin corpus split CORPUS --view VIEW`, 8:1:1; across functionalities `--preset paper`.
Copies are test snippets whose lexemes are all those of a training snippet; near copies share at
least nine tenths of them, in order. Words are lexemes that no training snippet has. OJClone 1 to 15
under 8:1:1 has {len(test_pairs):,} test pairs, {100 * test_pairs.rate:.2f} % of them clones
(AbsBigCloneBench: 280,875 and 6.65 %, which is the rate of all pairs of 15 problems; a random draw
is close to it). The papers count no copies: the columns on copies have no number to compare with.

{table([*heads, "unseen words", "why not"], rows, keys=2)}"""


def built(data: Path) -> str:
    """Balance before and after building, next to the paper's."""
    shown: dict[str, Corpus] = {}
    for name in SETS:
        read = read_corpus(data / name)
        if name == SETS[0]:
            made = build_corpus(read, size=0, seed=BUILD_SEED)
        else:
            made = build_contest(read, min_solutions=30)
        shown |= {f"{name} before": read, f"{name} after": made}
    usual = usual_balance(read_corpus(data / SETS[0] / "snippets.jsonl.xz"))
    return f"""\
`codekin corpus build DATA` with `--preset con` for BigCloneBench and `--preset contest` for the
others. `codekin corpus balance DATA BUILT -o balance.html` draws both.

![Snippets per functionality of BigCloneBench before and after building](../images/balance.png)

{built_balances(shown)}

{WHY.format(*usual)}"""


def contradicting(folder: Path) -> str:
    """Labels of BigCloneBench that may be wrong."""
    counts: dict[str, list[int]] = {}
    for place in (folder / "snippets.jsonl.xz", folder):
        corpus = read_corpus(place)
        for one in label_hints(corpus, find_copies(corpus.snippets)):
            counts.setdefault(one.kind, []).append(one.count)
    alone, both = counts["groups of exact copies with contradicting tags"]
    others = counts["groups of exact copies of which some have a functionality and others none"][0]
    rows = [[kind, *(f"{count:,}" for count in found)] for kind, found in counts.items()]
    heads = ["what", "snippets alone", "with tagged_false"]
    return f"""\
`codekin audit snippets.jsonl.xz`, and `codekin audit` of the whole folder, which adds the functions
that were judged not to have a functionality. By the field `confirmed` alone, {alone + others}
groups of exact copies carry both values. In {alone} of them both copies were judged for the same
functionality, and the tags contradict each other. In the other {others} the unconfirmed copy has no
functionality, so nobody says that it lacks one: the audit lists them as copies without a
functionality, because pairs of them count as no clones all the same. The second file adds
{both - alone} other groups with contradicting tags.

{table(heads, rows)}"""


def trivial(corpora: dict[str, Corpus]) -> str:
    """How far size alone and shared names alone get."""
    rows = []
    for name in ("bigclonebench", "googlecodejam", "gcj-java", "gcj2017-cpp", "ojclone 1 to 15"):
        corpus = corpora[name]
        found = each_snippet(snippet_names, corpus.snippets, where=name)
        result = trivial_detectors(corpus, names=[frozenset(one or ()) for one in found])
        for one in result.detectors:
            rows.append(
                [
                    *(name, one.name, number(one.f1), number(result.all_positive_f1)),
                    *(number(one.average_precision), number(result.rate), number(one.auc)),
                ]
            )
    heads = ["corpus", "detector", "F1", "all-positive F1", "average precision", "base rate", "AUC"]
    return f"""\
A threshold on the ratio of two snippets' sizes, or on the Jaccard similarity of their names, chosen
on one half of the snippets and tested on the other.

{table(heads, rows, keys=2)}"""


if __name__ == "__main__":
    main()
