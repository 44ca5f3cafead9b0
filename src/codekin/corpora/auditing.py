"""audit_corpus: what a corpus of clones can and cannot show, ordered by how much it matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.checking import CorpusCheck, SideFacts, check_corpus, copies_note
from codekin.corpora.copies import Copies, contradicting_groups, find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.description import (
    Balance,
    CorpusDescription,
    balance_bars,
    corpus_balance,
    describe_corpus,
)
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.labelled_pairs import UNKNOWN_LABEL
from codekin.corpora.name_overlap import MIN_SNIPPETS, NameOverlap, overlap_of, snippet_names
from codekin.corpora.snippets import contradictions
from codekin.corpora.trivial import TrivialDetectors, trivial_detectors
from codekin.corpora.unread_code import BROKEN, CUT, FRAGMENT, MACROS, WHOLE, why_unread
from codekin.corpora.views import SIDES, VIEWS, split_corpus
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.results import (
    Column,
    Forest,
    Grid,
    Result,
    Section,
    count_text,
    share_text,
)
from codekin.rewrite.abstraction import NameSurvey, Vocabulary, abstract, survey_names
from codekin.rewrite.identifiers import named_languages
from codekin.source import Source

__all__ = [
    "Audit",
    "Finding",
    "LabelHint",
    "LevelWords",
    "Severity",
    "ViewFacts",
    "audit_corpus",
    "label_hints",
]

LEVELS = (0, 1, 2, 3, "abs")
"""Levels of abstraction whose vocabularies are counted."""
_MOST_LISTS = 10
"""As many functionalities as table 1 of AbsBigCloneBench has; the page lists all."""
_CASES = 5
"""Cases of a finding that are named."""


class Severity(StrEnum):
    """How much a finding matters."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "fine"


_ORDER = {one: i for i, one in enumerate(Severity)}


@dataclass(frozen=True)
class Finding:
    """Something about a corpus that a reader of its results must know.

    Attributes
    ----------
    severity : Severity
    title : str
        What was found, in a few words.
    evidence : str
        The numbers.
    advice : str
        What to do about it.
    """

    severity: Severity
    title: str
    evidence: str
    advice: str


@dataclass(frozen=True)
class LabelHint:
    """A kind of label that may be wrong.

    Attributes
    ----------
    kind : str
    count : int
    cases : tuple of str
        The first of them.
    """

    kind: str
    count: int
    cases: tuple[str, ...]


@dataclass(frozen=True)
class ViewFacts:
    """The test side of a view, or why there is no such view.

    Attributes
    ----------
    view : str
    train, test : SideFacts or None
    problem : str
        Why the corpus cannot be split in this way; empty where it can.
    """

    view: str
    train: SideFacts | None
    test: SideFacts | None
    problem: str = ""


@dataclass(frozen=True)
class LevelWords:
    """The words of a corpus at a level of abstraction.

    Attributes
    ----------
    level : str
    words : int
        Different lexemes.
    overlap : float
        Algorithm 1's mean similarity of the most frequent names of two functionalities; nan where
        it is not defined.
    overlap_without_small : float
        The same of functionalities with at least 20 snippets.
    """

    level: str
    words: int
    overlap: float
    overlap_without_small: float


@dataclass(frozen=True)
class Audit(Result):
    """What a corpus of clones can and cannot show.

    Attributes
    ----------
    corpus : str
    findings : tuple of Finding
        Those that matter most first.
    description : CorpusDescription
    balance : Balance
    names : NameOverlap or None
        Algorithm 1 on the corpus; None in languages whose names codekin cannot classify.
    vocabularies : tuple of LevelWords
        By level of abstraction.
    detectors : TrivialDetectors or None
        None where there are too few pairs.
    views : tuple of ViewFacts
    hints : tuple of LabelHint
    unparsed : int
        Snippets that do not parse in full.
    unread : mapping of str to int
        How many of them have macros, are fragments, are cut, or are broken in another way; see
        :func:`codekin.corpora.unread_code.why_unread`.
    """

    corpus: str
    findings: tuple[Finding, ...]
    description: CorpusDescription
    balance: Balance
    names: NameOverlap | None
    vocabularies: tuple[LevelWords, ...]
    detectors: TrivialDetectors | None
    views: tuple[ViewFacts, ...]
    hints: tuple[LabelHint, ...]
    unparsed: int
    unread: Mapping[str, int] = field(default_factory=dict)

    def table(self) -> Grid:
        """A line per finding."""
        rows = tuple(
            (one.severity.value, one.title, one.evidence, one.advice) for one in self.findings
        )
        return Grid("", ("severity", "finding", "evidence", "what to do"), rows, keys=4)

    def grids(self) -> list[Grid]:
        """The findings, and the tables behind them."""
        found = [self.table(), *(grid for grid in (self._overlaps(), self._views()) if grid.cells)]
        found += [] if self.names is None else [_name_lists(self.names)]
        found += [] if self.detectors is None else self.detectors.grids()
        hints = tuple((one.kind, one.count, "; ".join(one.cases)) for one in self.hints)
        heads = ("what", "count", "first cases")
        found.append(Grid("Labels that may be wrong", heads, hints, keys=3))
        return found

    def _overlaps(self) -> Grid:
        large = Column(f"of at least {MIN_SNIPPETS} snippets", digits=3)
        shown = self.names is not None and self.names.small and len(self.names.large) > 1
        rows = tuple(
            (level.level, level.words, level.overlap)
            + ((level.overlap_without_small,) if shown else ())
            for level in self.vocabularies
        )
        columns = ("level", "words", Column("overlap of names", digits=3))
        return Grid(
            "Words and names by level of abstraction", columns + ((large,) if shown else ()), rows
        )

    def _views(self) -> Grid:
        rows: list[tuple[object, ...]] = []
        for one in self.views:
            if one.test is None or one.train is None:
                rows.append((one.view, *([None] * 8)))
                continue
            test = one.test
            rows.append(
                (
                    *(one.view, one.train.snippets, test.snippets, test.functionalities),
                    *(test.rate, test.all_positive_f1),
                    *(test.copied / test.snippets, test.near_copied / test.snippets),
                    test.unseen_words,
                )
            )
        columns = (
            "view",
            "train",
            "test",
            "functionalities",
            Column("base rate", digits=4),
            Column("all-positive F1", digits=3),
            Column("copies in train", digits=3),
            Column("near copies in train", digits=3),
            Column("unseen words", digits=3),
        )
        return Grid("The test side of each view", columns, tuple(rows))

    def notes(self) -> list[str]:
        """What the steps that made the corpus noted, and why a view is missing."""
        missing = [
            f"{one.view}: {one.problem.removeprefix(f'{one.view} ')}"
            for one in self.views
            if one.problem
        ]
        return [*self.description.notes(), *missing]

    def section(self) -> Section:
        """The page: findings first, then what they rest on."""
        cards = tuple(
            Section(one.title, one.evidence, grade=one.severity.value, advice=one.advice)
            for one in self.findings
            if one.severity is not Severity.NONE
        )
        fine = tuple(one for one in self.findings if one.severity is Severity.NONE)
        parts = [
            Section("Findings", _verdict(self.findings), parts=cards),
            *([_fine_section(fine)] if fine else []),
            self._names_section(),
            Section(
                "What trivial detectors reach",
                "A detector that looks at one thing alone, next to calling every pair a clone. "
                "What they reach needs no understanding of code.",
                content=() if self.detectors is None else tuple(self.detectors.grids()),
            ),
            Section(
                "Views",
                "What the test side of each of the four views has in common with training: 8:1:1, "
                "and across functionalities as in the multi-perspective paper, which trains on two "
                "thirds of them.",
                content=(self._views(),),
            ),
            Section(
                "Balance",
                "Snippets per functionality, and the pairs that they make: shares grow by the "
                "square.",
                content=(balance_bars(self.balance), *self.balance.grids()[:1]),
            ),
            Section(
                "Labels that may be wrong",
                "Each kind was looked for in every snippet or pair.",
                content=(self.grids()[-1],),
            ),
            Section("The corpus", content=tuple(self.description.grids()), folded=True),
        ]
        return Section(f"Audit of {self.corpus}", self._summary(), parts=tuple(parts))

    def _summary(self) -> str:
        """What was audited, in a sentence."""
        given = self.description
        languages = ", ".join(get_language(one).title for one in given.languages)
        functionalities = len(given.functionalities)
        pairs = f"{given.pairs:,} labelled pairs" if given.pairs else "no labelled pairs"
        found = [
            f"{count_text(given.snippets, 'snippet')} in {languages}",
            f"{functionalities} functionalit{'y' if functionalities == 1 else 'ies'}",
            *([count_text(given.projects, "project")] if given.projects else []),
            pairs,
        ]
        whose = "of these" if given.pairs else "of all"
        rate = share_text(given.rate)
        return f"{'; '.join(found)}; {rate} {whose} pairs are clones."

    def _names_section(self) -> Section:
        content: list[Grid | Forest] = [self._overlaps()] if self.vocabularies else []
        if self.names is not None:
            content.append(replace(self.names.grids()[1], keys=3))
        return Section(
            "Names",
            "How alike the 20 most frequent names of two functionalities are (Algorithm 1 of "
            "AbsBigCloneBench), before and after abstraction: 0 if a functionality can be "
            "recognized by its names alone, 1 if names say nothing.",
            content=tuple(content),
        )


def _name_lists(names: NameOverlap) -> Grid:
    """The names that most snippets of a functionality have, like table 1 of AbsBigCloneBench."""
    largest = names.functionalities[:_MOST_LISTS]
    more = len(names.functionalities) - len(largest)
    title = "Most frequent names" + (f" of the {_MOST_LISTS} largest functionalities" * (more > 0))
    rows = tuple(
        (functionality.functionality, functionality.snippets, " ".join(dict(functionality.names)))
        for functionality in largest
    )
    columns = ("functionality", "snippets", Column("names", wraps=True))
    return Grid(title, columns, rows, keys=1)


def _verdict(findings: Sequence[Finding]) -> str:
    counts = Counter(one.severity for one in findings)
    told = [
        f"{counts[one]} of {one.value} severity"
        for one in (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
        if counts[one]
    ]
    return f"{', '.join(told)}." if told else "Nothing was found."


def _fine_section(fine: Sequence[Finding]) -> Section:
    rows = tuple((one.title, one.evidence) for one in fine)
    return Section(
        "Looked for and not found", content=(Grid("", ("what", "numbers"), rows, keys=2),)
    )


def audit_corpus(corpus: Corpus, *, workers: int | None = None, seed: int = 0) -> Audit:
    """Find out what a corpus of clones can and cannot show.

    Parameters
    ----------
    corpus : Corpus
        Snippets with functionalities; labelled pairs are used where there are any.
    workers : int, optional
        Worker processes; 0 computes in this process.
    seed : int
        Of the splits that are tried.

    Returns
    -------
    Audit
        Findings ordered by severity, each with what to do about it.
    """
    if not corpus.snippets:
        raise CodekinError(f"{corpus.name}: is empty; there is nothing to audit")
    description, balance = describe_corpus(corpus), corpus_balance(corpus)
    copies = find_copies(corpus.snippets)
    readable = {one.language for one in corpus.snippets} <= set(named_languages())
    names, sets = None, None
    vocabularies: tuple[LevelWords, ...] = ()
    if readable:
        looked = list(each_snippet(first_look, corpus.snippets, workers=workers, where=corpus.name))
        unread = Counter(why for why, _, _ in looked)
        sets = [frozenset(found) for _, found, _ in looked]
        vocabulary = Vocabulary.of(survey for _, _, survey in looked)
        if balance.functionalities:
            names = overlap_of(corpus, [found for _, found, _ in looked])
        vocabularies = _vocabularies(corpus, names, vocabulary, workers)
    else:
        unread = Counter(
            each_snippet(reading_of, corpus.snippets, workers=workers, where=corpus.name)
        )
    whole = unread.pop(WHOLE, 0)
    detectors = None
    trouble = ""
    try:
        detectors = trivial_detectors(corpus, names=sets, seed=seed)
    except CodekinError as error:
        trouble = str(error).removeprefix(f"{corpus.name}: ")
    views = tuple(_views(corpus, seed))
    hints = tuple(label_hints(corpus, copies))
    findings = [
        *_name_findings(names, vocabularies, readable),
        *_detector_findings(detectors, trouble),
        *_copy_findings(copies, views, len(corpus)),
        *_label_findings(hints),
        *_balance_findings(balance, description),
        *_parse_findings(unread, len(corpus)),
    ]
    findings.sort(key=lambda one: _ORDER[one.severity])
    return Audit(
        corpus.name,
        tuple(findings),
        description,
        balance,
        names,
        vocabularies,
        detectors,
        views,
        hints,
        len(corpus) - whole,
        dict(unread.most_common()),
    )


def reading_of(language: str, code: str) -> str:
    """Whether a snippet parses, and why not."""
    return why_unread(Source(code, language))


def first_look(language: str, code: str) -> tuple[str, list[str], NameSurvey]:
    """Whether a snippet parses, its names, and what abstraction must know of it."""
    source = Source(code, language)
    return why_unread(source), snippet_names(language, code, source), survey_names(source)


def second_look(
    language: str, code: str, vocabulary: Vocabulary
) -> tuple[list[npt.NDArray[np.uint64]], list[str]]:
    """The different lexemes of a snippet at each level of abstraction, and its names under Abs."""
    source = Source(code, language)
    texts = [abstract(source, level, vocabulary=vocabulary).text for level in LEVELS]
    made = [Source(text, language) for text in texts]
    words = [np.unique(one.lexemes.ids) for one in (source, *made)]
    return words, snippet_names(language, texts[-1], made[-1])


def _vocabularies(
    corpus: Corpus, names: NameOverlap | None, vocabulary: Vocabulary, workers: int | None
) -> tuple[LevelWords, ...]:
    looked = list(
        each_snippet(second_look, corpus.snippets, vocabulary, workers=workers, where=corpus.name)
    )
    labels = ("original", *(f"level {one}" if one != "abs" else "Abs" for one in LEVELS))
    sizes = [
        len(np.unique(np.concatenate([words[i] for words, _ in looked])))
        for i in range(len(labels))
    ]
    overlaps = dict.fromkeys(labels, (float("nan"), float("nan")))
    if names is not None:
        after = overlap_of(corpus, [found for _, found in looked])
        overlaps[labels[0]] = names.mean, names.mean_without_small
        overlaps[labels[-1]] = after.mean, after.mean_without_small
    return tuple(
        LevelWords(label, size, *overlaps[label]) for label, size in zip(labels, sizes, strict=True)
    )


def _views(corpus: Corpus, seed: int) -> Iterator[ViewFacts]:
    bare = replace(corpus, pairs=None)
    for view in VIEWS:
        try:
            preset = "paper" if view in VIEWS[2:] else None
            check: CorpusCheck = check_corpus(split_corpus(bare, view, preset=preset, seed=seed))
        except CodekinError as error:
            yield ViewFacts(view, None, None, str(error).removeprefix(f"{corpus.name}: "))
            continue
        sides = {one.name: one for one in check.sides}
        yield ViewFacts(view, sides[SIDES[0]], sides[SIDES[2]])


_BOTH_TAGS = "snippets tagged both as having a functionality and as lacking it"
_EXACT_TAGS = "groups of exact copies with contradicting tags"
_NEAR_TAGS = "groups of near copies with contradicting tags"
_MIXED = "groups of exact copies of different functionalities"
_UNLABELLED = "groups of exact copies of which some have a functionality and others none"
_EXACT_LABELS = "exact copies labelled as no clones"
_NEAR_LABELS = "near copies labelled as no clones"
_AGAINST = "pairs whose label contradicts the functionalities of their snippets"
_REPEATED = "pairs listed more than once"
_LABEL_ADVICE = {
    _BOTH_TAGS: (
        Severity.MEDIUM,
        "Judge them again, or drop them, as codekin corpus build does; no detector can be right "
        "about both tags.",
    ),
    _EXACT_TAGS: (
        Severity.MEDIUM,
        "Judge each group once and give all its copies the same tag; until then leave the groups "
        "out, since no detector can be right about both tags.",
    ),
    _NEAR_TAGS: (
        Severity.MEDIUM,
        "Look at the difference within each group: where it does not change what the code does, "
        "one of the tags is wrong.",
    ),
    _MIXED: (
        Severity.LOW,
        "Give one snippet all functionalities of its group and drop the copies; as it is, pairs of "
        "equal code count as no clones.",
    ),
    _UNLABELLED: (
        Severity.LOW,
        "Give the other copies the same functionality, or drop them; as it is, pairs of equal code "
        "count as no clones.",
    ),
    _EXACT_LABELS: (Severity.MEDIUM, "Relabel these pairs, or drop them: their code is equal."),
    _NEAR_LABELS: (
        Severity.MEDIUM,
        "Look at the differences: where they do not change what the code does, the label is wrong.",
    ),
    _AGAINST: (
        Severity.MEDIUM,
        "Decide which of the two is the truth: draw pairs from the functionalities "
        "(codekin corpus pairs), or correct the functionalities.",
    ),
    _REPEATED: (Severity.LOW, "Drop the repetitions, which count twice in every result."),
}
"""How much each kind of label that may be wrong matters, and what to do about it."""


def label_hints(corpus: Corpus, copies: Copies) -> Iterator[LabelHint]:
    """Labels that may be wrong, by kind, each with its count and first cases.

    Parameters
    ----------
    corpus : Corpus
    copies : Copies
        Of its snippets (:func:`~codekin.corpora.copies.find_copies`).
    """
    tagged = [f"{one.id} ({name})" for one, name in contradictions(corpus.snippets)]
    yield _hint(_BOTH_TAGS, tagged)
    exact = contradicting_groups(corpus.snippets, copies.groups())
    yield _hint(_EXACT_TAGS, exact.values())
    groups = [one for one in copies.groups(near=True) if not exact.keys() & set(one.tolist())]
    contradicting = contradicting_groups(corpus.snippets, groups).values()
    yield _hint(_NEAR_TAGS, contradicting)
    yield _hint(_MIXED, _mixed(corpus, copies))
    yield _hint(_UNLABELLED, _unlabelled(corpus, copies))
    pairs = corpus.pairs
    if pairs is None:
        return
    ids = [one.id for one in corpus.snippets]

    def named(chosen: npt.NDArray[Any]) -> list[str]:
        ends = zip(pairs.first[chosen].tolist(), pairs.second[chosen].tolist(), strict=True)
        return [f"{ids[a]} and {ids[b]}" for a, b in ends]

    same = copies.exact[pairs.first] == copies.exact[pairs.second]
    near = copies.near[pairs.first] == copies.near[pairs.second]
    yield _hint(_EXACT_LABELS, named(same & (pairs.label == 0)))
    yield _hint(_NEAR_LABELS, named(near & ~same & (pairs.label == 0)))
    shared = np.array(
        [
            bool(set(corpus.snippets[a].functionalities) & set(corpus.snippets[b].functionalities))
            for a, b in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        ],
        bool,
    )
    tagged_pairs = np.array([bool(one.roles) for one in corpus.snippets], bool)
    known = tagged_pairs[pairs.first] & tagged_pairs[pairs.second]
    labelled = pairs.label != UNKNOWN_LABEL
    against = known & labelled & (shared != (pairs.label == 1))
    yield _hint(_AGAINST, named(against))
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    keys = low.astype(np.int64) << 32 | high
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    yield _hint(_REPEATED, named(np.sort(first[counts > 1])))


def _hint(kind: str, cases: Iterable[str]) -> LabelHint:
    named = list(cases)
    return LabelHint(kind, len(named), tuple(named[:_CASES]))


def _mixed(corpus: Corpus, copies: Copies) -> list[str]:
    cases = []
    for group in copies.groups():
        snippets = [corpus.snippets[i] for i in group.tolist()]
        kinds = [set(one.functionalities) for one in snippets if one.functionalities]
        if kinds and not set.intersection(*kinds):
            shown = ", ".join(one.id for one in snippets[:3])
            cases.append(f"{shown} ({', '.join(sorted(set.union(*kinds)))})")
    return cases


def _unlabelled(corpus: Corpus, copies: Copies) -> list[str]:
    cases = []
    for group in copies.groups():
        snippets = [corpus.snippets[i] for i in group.tolist()]
        without = [one.id for one in snippets if not one.roles]
        names = sorted({name for one in snippets for name in one.functionalities})
        if without and names:
            having = next(one.id for one in snippets if one.functionalities)
            cases.append(f"{having} ({', '.join(names)}) and {', '.join(without[:2])} (none)")
    return cases


def _graded(value: float, limits: Mapping[Severity, float]) -> Severity:
    """The first severity whose limit a value reaches."""
    return next((one for one, limit in limits.items() if value >= limit), Severity.NONE)


def _name_findings(
    names: NameOverlap | None, vocabularies: Sequence[LevelWords], readable: bool
) -> Iterator[Finding]:
    if not readable:
        yield Finding(
            Severity.LOW,
            "Names were not analysed",
            f"Names are analysed in {', '.join(named_languages())}.",
            "Judge the other findings alone.",
        )
    if names is None or np.isnan(names.mean):
        return
    abstracted = next(level for level in vocabularies if level.level == "Abs")
    value, after, of = names.mean, abstracted.overlap, "two functionalities"
    if not np.isnan(names.mean_without_small):
        value, after = names.mean_without_small, abstracted.overlap_without_small
        if names.small:
            of += f" of at least {names.min_snippets} snippets"
    severity = Severity.HIGH if value < 0.15 else Severity.MEDIUM if value < 0.3 else Severity.NONE
    yield Finding(
        severity,
        "Names give functionalities away" if severity is not Severity.NONE else "Overlap of names",
        f"The 20 most frequent names of {of} have a mean Jaccard similarity of {value:.3f}; after "
        f"abstraction (Abs) it is {after:.3f}.",
        "Report results on the abstracted corpus too (codekin corpus abstract --level abs): a "
        "detector may otherwise have learned names.",
    )


def _detector_findings(detectors: TrivialDetectors | None, trouble: str) -> Iterator[Finding]:
    if detectors is None:
        yield Finding(
            Severity.MEDIUM,
            "Trivial detectors could not be tried",
            f"{trouble[:1].upper()}{trouble[1:]}.",
            "Add labelled pairs or functionalities.",
        )
        return
    for one in detectors.detectors:
        severity = _graded(one.gain, {Severity.HIGH: 0.3, Severity.MEDIUM: 0.1, Severity.LOW: 0.05})
        title = f"{one.name.capitalize()} alone find{'s' if one.name == 'size' else ''} clones"
        yield Finding(
            severity,
            title if severity is not Severity.NONE else f"Clones by {one.name} alone",
            f"A threshold on {one.name} reaches F1 {one.f1:.3f}; calling every pair a clone, "
            f"{detectors.all_positive_f1:.3f}.",
            "Print both next to every result: a detector has to beat them to have shown anything.",
        )


def _copy_findings(copies: Copies, views: Sequence[ViewFacts], snippets: int) -> Iterator[Finding]:
    random_view = next((one.test for one in views if one.view == "random"), None)
    share = 0.0 if random_view is None else random_view.near_copied / random_view.snippets
    severity = _graded(share, {Severity.HIGH: 0.1, Severity.MEDIUM: 0.02, Severity.LOW: 1e-9})
    if random_view is None:
        split = ""
    else:
        exact = copies_note(
            random_view.copied, random_view.snippets, "test snippet", "an exact copy"
        )
        split = (
            f"; after a random 8:1:1 split, {exact}, {random_view.near_copied:,} "
            f"of {random_view.snippets:,} ({share_text(share)}) an exact or near one"
        )
    yield Finding(
        severity,
        "Tests contain copies of training code" if severity is not Severity.NONE else "Copies",
        f"{copies.exact_copies:,} of {snippets:,} snippets have an exact copy, "
        f"{copies.near_copies:,} an exact or near one{split}.",
        "Keep copies on one side (codekin corpus split --copies together), or report results with "
        "and without them.",
    )


def _label_findings(hints: Sequence[LabelHint]) -> Iterator[Finding]:
    for one in hints:
        if not one.count:
            continue
        severity, advice = _LABEL_ADVICE[one.kind]
        first = "" if one.count <= len(one.cases) else "; the first are"
        yield Finding(
            severity,
            f"{one.kind[:1].upper()}{one.kind[1:]}",
            f"{one.count:,}{first or ':'} {'; '.join(one.cases)}.",
            advice,
        )
    if not any(one.count for one in hints):
        yield Finding(
            Severity.NONE,
            "Contradicting labels",
            f"{count_text(len(hints), 'kind')} were looked for.",
            "",
        )


def _balance_findings(balance: Balance, description: CorpusDescription) -> Iterator[Finding]:
    sizes = balance.functionalities
    if not sizes:
        yield Finding(
            Severity.MEDIUM,
            "No functionalities",
            "No snippet says what it does.",
            "Views across functionalities and the analysis of names need the field functionality.",
        )
        return
    if len(sizes) == 1:
        yield Finding(
            Severity.HIGH,
            "One functionality only",
            f"All snippets that have one have {sizes[0].name}.",
            "Nothing can be said about other functionalities; add some.",
        )
        return
    top = sizes[0]
    severity = _graded(top.pair_share, {Severity.HIGH: 0.5, Severity.MEDIUM: 0.25})
    if len(sizes) < 4:
        severity = min(severity, Severity.MEDIUM, key=_ORDER.__getitem__)
    yield Finding(
        severity,
        "One functionality dominates" if severity is not Severity.NONE else "Balance",
        f"{top.name} has {share_text(top.share)} of the snippets and "
        f"{share_text(top.pair_share)} of the clones; {len(sizes)} functionalities, "
        f"mean {balance.mean:.2f} snippets, standard deviation {balance.deviation:.2f}.",
        "Cap the large ones (codekin corpus build), or report results per functionality.",
    )
    small = [one for one in sizes if one.snippets < 20]
    if small:
        names = ", ".join(f"{one.name} ({one.snippets})" for one in small[:_CASES])
        yield Finding(
            Severity.LOW,
            "Small functionalities",
            f"{len(small)} have fewer than 20 snippets: {names}"
            f"{f' and {len(small) - _CASES} more' if len(small) > _CASES else ''}.",
            "Report them apart, or leave them out.",
        )
    rate = description.rate
    if rate < 0.01 or rate > 0.5:
        yield Finding(
            Severity.MEDIUM,
            "Extreme base rate",
            f"{share_text(rate, 2)} of the pairs are clones; calling every pair a clone "
            f"has F1 {description.all_positive_f1:.3f}.",
            "Print the base rate and average precision next to every F1.",
        )


def _parse_findings(unread: Mapping[str, int], snippets: int) -> Iterator[Finding]:
    unparsed = sum(unread.values())
    share = unparsed / snippets
    limits = {Severity.HIGH: 0.2, Severity.MEDIUM: 0.05, Severity.LOW: 0.005}
    damaged = unread.get(CUT, 0) + unread.get(BROKEN, 0)
    severity = _graded(damaged / snippets, limits)
    if severity is Severity.NONE and _graded(share, limits) is not Severity.NONE:
        severity = Severity.LOW
    parts = [f"{unread[why]:,} {words}" for why, words in _UNREAD.items() if unread.get(why)]
    why = f": {', '.join(parts)}" if parts else ""
    advice = [words for reason, words in _UNREAD_ADVICE.items() if unread.get(reason)]
    yield Finding(
        severity,
        "Code that does not parse" if severity is not Severity.NONE else "Parsing",
        f"{unparsed:,} of {snippets:,} snippets ({share_text(share, 2)}) have a place "
        f"that does not parse{why}.",
        " ".join(["Detectors that read trees see less of them.", *advice]),
    )


_UNREAD = {
    MACROS: "by their macros",
    FRAGMENT: "fragments that parse inside of a function or class",
    CUT: "with a bracket that has no partner",
    BROKEN: "for another reason",
}
_UNREAD_ADVICE = {
    MACROS: "Whole programs with macros are sound; expand the macros for such detectors.",
    FRAGMENT: "Put fragments into the function or class that they were cut out of.",
    CUT: "See how code with unpaired brackets was cut.",
    BROKEN: "Check the language of the rest.",
}
