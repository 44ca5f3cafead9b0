"""The numbers that both clone papers print, and where they contradict themselves.

References
----------
Yu et al., Assessing and improving an evaluation dataset for detecting semantic code clones via
deep learning, TOSEM 31(4), 2022 (AbsBigCloneBench).

Li, Gao and Zhang, Assessing and improving dataset and evaluation methodology in deep learning for
code clone detection (multi-perspective).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from codekin.corpora.views import VIEWS

__all__ = [
    "CONTRADICTIONS",
    "DATASETS",
    "PublishedScore",
    "dataset_named",
    "published",
    "published_scores",
]

BCB, OJCLONE = "BigCloneBench", "OJClone"
GCJ, GCJ2, CONBCB = "GoogleCodeJam", "GoogleCodeJam2", "ConBigCloneBench"
DATASETS = (BCB, OJCLONE, GCJ, GCJ2, CONBCB)
"""The corpora of the papers."""
_NAMES = {
    "bigclonebench": BCB,
    "bcb": BCB,
    "ojclone": OJCLONE,
    "oj": OJCLONE,
    "googlecodejam": GCJ,
    "gcj": GCJ,
    "googlecodejam2": GCJ2,
    "gcj2": GCJ2,
    "conbigclonebench": CONBCB,
    "conbcb": CONBCB,
}
_BUILDS = {"yu": BCB, "conbcb": CONBCB}

_ABS_PAPER, _VIEWS_PAPER = "AbsBigCloneBench", "Multi-perspective"


@dataclass(frozen=True)
class PublishedScore:
    """A number of a paper.

    Attributes
    ----------
    paper, table : str
    detector : str
        ``graphcodebert`` and ``unixcoder`` are transformers.
    corpus, view, level : str
        Of training.
    test_corpus, test_level : str
    f1 : float
    precision, recall : float or None
    """

    paper: str
    table: str
    detector: str
    corpus: str
    view: str
    level: str
    test_corpus: str
    test_level: str
    f1: float
    precision: float | None = None
    recall: float | None = None


_SOUND = ("astnn", "tbccd", "faast", "linear")
_TABLES_4_TO_7: tuple[tuple[str, str, str, str, str], ...] = (
    ("4", BCB, "0", "0", ".93/.94/.93 .94/.95/.95 .98/.94/.96 .91/.94/.93"),
    ("4", OJCLONE, "0", "0", ".98/.98/.98 .99/.99/.99 - .70/.71/.70"),
    ("5", BCB, "over", "over", ".80/.67/.73 .62/.71/.66 .77/.76/.77 .42/.25/.31"),
    ("6", BCB, "abs", "abs", "//.93 //.94 //.96 //.83"),
    ("7", BCB, "0", "abs", ".69/.63/.66 .63/.72/.67 .87/.74/.80 .58/.60/.59"),
    ("7", BCB, "abs", "0", ".93/.88/.91 .91/.92/.92 .95/.92/.94 .75/.70/.73"),
)
"""Precision, recall and F1 of ASTNN, TBCCD, FA-AST and Linear-Model."""
_SVM = ((BCB, 0.75), (OJCLONE, 0.11))

_ALL_VIEWS: dict[str, dict[str, str]] = {
    GCJ2: {
        "astnn": ".913 .908 .401 .393",
        "tbccd": ".832 .813 .522 .496",
        "faast": ".842 .840 .517 .505",
        "graphcodebert": ".876 .712 .285 .262",
        "unixcoder": ".468 .514 .405 .413",
        "mlp": ".449 .557 .401 .384",
    },
    CONBCB: {
        "astnn": ".924 .912 .677 .607",
        "tbccd": ".905 .886 .816 .808",
        "faast": ".917 .899 .733 .769",
        "graphcodebert": ".931 .921 .675 .564",
        "unixcoder": ".943 .940 .778 .789",
        "mlp": ".892 .844 .767 .737",
    },
}
"""Table I, level 1, in the order of the views."""
_DETECTORS = ("astnn", "tbccd", "faast", "graphcodebert", "unixcoder")
_ALL_LEVELS: dict[str, tuple[str, str]] = {
    "random 0": (".938 .889 .919 .827 .844", ".924 .917 .917 .934 .950"),
    "random 2": (".911 .844 .827 .610 .484", ".923 .893 .907 .922 .941"),
    "random 3": (".902 .800 .847 .323 .432", ".917 .876 .910 .911 .923"),
    "cross-project 0": (".939 .876 .912 .876 .867", ".922 .901 .875 .923 .946"),
    "cross-project 2": (".911 .820 .862 .701 .339", ".905 .820 .889 .910 .930"),
    "cross-project 3": (".904 .782 .838 .487 .450", ".894 .798 .888 .903 .913"),
    "cross-functionality 0": (".412 .492 .467 .392 .402", ".505 .823 .677 .706 .767"),
    "cross-functionality 2": (".426 .521 .540 .273 .432", ".583 .820 .736 .714 .751"),
    "cross-functionality 3": (".491 .497 .515 .247 .377", ".577 .826 .688 .682 .773"),
    "cross-all 0": (".411 .475 .515 .334 .499", ".637 .808 .791 .579 .800"),
    "cross-all 2": (".429 .500 .524 .237 .471", ".630 .812 .760 .578 .709"),
    "cross-all 3": (".403 .473 .530 .245 .403", ".688 .823 .753 .610 .787"),
}
"""Tables II and III but for level 1, which is in table I: GoogleCodeJam2, ConBigCloneBench."""
_ACROSS = (
    (GCJ, GCJ2, ".319 .141 .386"),
    (GCJ2, GCJ, ".873 .512 .886"),
    (BCB, CONBCB, ".796 .805 .789"),
    (CONBCB, BCB, ".935 .956 .963"),
)
"""Trained on one corpus and tested on another, from the authors' notes: ASTNN, TBCCD, FA-AST."""

CONTRADICTIONS: Mapping[str, tuple[str, ...]] = {
    _ABS_PAPER: (
        "Table 5 prints an F1 of .44 for Linear-Model on Over-AbsBigCloneBench, but its precision "
        "of .42 and recall of .25 make .31, which is shown here.",
        "The text of section 5.3.2 says that sound models trained on AbsBigCloneBench lose .01 on "
        "BigCloneBench; table 7 says .02.",
        "An F1 of .11 for the SVM on OJClone is below .125, that of calling every pair a clone.",
    ),
    _VIEWS_PAPER: (
        "GraphCodeBERT on GoogleCodeJam2 in the random view at level 1: table I says .876, which "
        "is shown here, and table II says .684. Table II has .876 for level 0 across projects.",
        "The mean drops that the text gives (.009 and .017 to cross-project, .398 and .187 to "
        "cross-all) are those of ASTNN, TBCCD and FA-AST alone; the three drops of .012, .019 and "
        ".018 have a mean of .016.",
        "The text calls .247 the largest drop on ConBigCloneBench and .325 the smallest on "
        "GoogleCodeJam2; table I has .367 and .310, leaving UniXcoder and MLP aside.",
        "Finding 1 says that pre-trained models are worst on GoogleCodeJam2, but in table I MLP is "
        "below both at random; finding 4 says that TBCCD is best across all, but on GoogleCodeJam2 "
        "FA-AST has .505 and TBCCD .496.",
        "The balance of a corpus is called a variance in the text; what is printed is the standard "
        "deviation.",
    ),
}
"""Per paper, where it disagrees with itself, and which number is shown."""


def published_scores() -> Iterator[PublishedScore]:
    """Every number, table by table."""
    for table, corpus, level, test, cells in _TABLES_4_TO_7:
        for detector, cell in zip(_SOUND, cells.split(), strict=True):
            if cell == "-":  # FA-AST reads Java alone
                continue
            precision, recall, f1 = (float(one) if one else None for one in cell.split("/"))
            assert f1 is not None
            place = (detector, corpus, "random", level, corpus, test)
            yield PublishedScore(_ABS_PAPER, table, *place, f1, precision, recall)
    for corpus, f1 in _SVM:
        yield PublishedScore(_ABS_PAPER, "text", "svm", corpus, "random", "0", corpus, "0", f1)
    for corpus, rows in _ALL_VIEWS.items():
        for detector, cells in rows.items():
            for view, cell in zip(VIEWS, cells.split(), strict=True):
                place = (detector, corpus, view, "1", corpus, "1")
                yield PublishedScore(_VIEWS_PAPER, "I", *place, float(cell))
    for key, both in _ALL_LEVELS.items():
        view, level = key.split()
        table = "II" if view in VIEWS[:2] else "III"
        for corpus, cells in zip((GCJ2, CONBCB), both, strict=True):
            for detector, cell in zip(_DETECTORS, cells.split(), strict=True):
                place = (detector, corpus, view, level, corpus, level)
                yield PublishedScore(_VIEWS_PAPER, table, *place, float(cell))
    for corpus, test, cells in _ACROSS:
        for detector, cell in zip(_DETECTORS, cells.split(), strict=False):
            place = (detector, corpus, "random", "1", test, "1")
            yield PublishedScore(_VIEWS_PAPER, "notes", *place, float(cell))


@cache
def _by_place() -> dict[tuple[str, ...], PublishedScore]:
    return {
        (one.detector, one.corpus, one.view, one.level, one.test_corpus, one.test_level): one
        for one in published_scores()
    }


def published(
    detector: str, corpus: str, view: str, level: str, test_corpus: str, test_level: str
) -> PublishedScore | None:
    """The number that a paper prints for a cell; None where none does.

    Parameters
    ----------
    detector : str
        A word such as ``tbccd:epochs=4``; a transformer is known by the name of its checkpoint.
    corpus, view, level, test_corpus, test_level : str
        Corpora by their names in the papers, see :func:`dataset_named`.

    Examples
    --------
    >>> published("tbccd", "ConBigCloneBench", "cross-all", "1", "ConBigCloneBench", "1").f1
    0.808
    >>> published("tbccd:pace=False", "OJClone", "random", "0", "OJClone", "0") is None
    True
    """
    name, _, settings = detector.partition(":")
    if name == "transformer":
        name = next((n for n in _DETECTORS[3:] if n in settings.lower().replace("-", "")), name)
    if name == "tbccd" and "pace=False" in settings.split(","):
        return None
    return _by_place().get((name, corpus, view, level, test_corpus, test_level))


def dataset_named(name: str, build: str = "") -> str:
    """The corpus of the papers that a corpus of a grid is, by how it is built or by its name.

    Examples
    --------
    >>> dataset_named("functions", "yu"), dataset_named("ojclone"), dataset_named("mine")
    ('BigCloneBench', 'OJClone', '')
    """
    word = re.sub(r"[^a-z0-9]", "", name.lower())
    return _BUILDS.get(build) or _NAMES.get(word, "")
