"""Building: the five steps of ConBigCloneBench, contests, and all pairs as AbsBigCloneBench."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from codekin.corpora.clone_types import NormalForms
from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.description import Balance, FunctionalitySize, corpus_balance
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.expansion import WholeFile, file_calls
from codekin.corpora.sampling import ALL, sample_pairs
from codekin.corpora.snippets import (
    EXAMPLE,
    TAGGED_FALSE,
    TAGGED_TRUE,
    Role,
    Snippet,
    contradictions,
)
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.results import (
    Column,
    Forest,
    ForestRow,
    Grid,
    Mark,
    Result,
    Section,
    ShownAs,
    count_text,
)

__all__ = [
    "PRESETS",
    "CorpusBuild",
    "balance_plot",
    "build_contest",
    "build_corpus",
    "build_yu",
    "describe_build",
]

PRESETS = ("con", "contest", "yu")

_SHOWN = 5


def build_corpus(
    corpus: Corpus,
    *,
    min_judges: int = 2,
    min_confidence: int = 2,
    expand: bool = True,
    depth: int | None = None,
    theta: float = 0.2,
    cap: int | None = 500,
    size: int | None = ALL,
    negatives: str = "within",
    seed: int = 0,
    workers: int | None = None,
) -> Corpus:
    """Build a corpus in the five steps of ConBigCloneBench.

    1. ``judge`` keeps what enough people judged with enough confidence; where the data does not
       say, it is kept and the manifest warns. ``contradict`` drops snippets that are tagged as
       having a functionality and as lacking it.
    2. ``expand`` adds the functions of its file that a snippet calls (:func:`codekin.corpora.\
expansion.expand`).
    3. ``extend`` makes examples of the snippets tagged true whose lines are similar to those of an
       example (:func:`~codekin.corpora.clone_types.normalize`), as they were before step 2.
    4. ``cap`` limits the snippets of each functionality: curated examples are kept first, then
       those of step 3, then the others, drawn at random; snippets tagged false have a limit of
       their own.
    5. ``pairs`` makes clones of examples and of examples with snippets tagged true, and other
       pairs of examples with snippets tagged false; see :func:`~codekin.corpora.sampling.\
sample_pairs`.

    Parameters
    ----------
    corpus : Corpus
        With examples and tagged snippets, and with whole files where snippets are to be expanded.
    min_judges, min_confidence : int
    expand : bool
    depth : int, optional
        How many calls may lead from a snippet to a function that is added; any by default.
    theta : float
        Snippets join the examples if their similarity is greater.
    cap : int or None
        None for no limit.
    size : int or None
        How many pairs to draw: all by default, none if it is 0.
    negatives : str
        As for :func:`~codekin.corpora.sampling.sample_pairs`.
    seed : int
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this
        process. The corpus is the same.

    Returns
    -------
    Corpus
        Without the whole files, which it no longer needs, and with a step for each of the above.

    Raises
    ------
    CodekinError
        If the corpus has no tagged snippets or no example, or if it was split into sides.

    References
    ----------
    Multi-perspective evaluation of code clone detection (ConBigCloneBench), section II-A.
    """
    if not 0 <= theta <= 1:
        raise CodekinError(f"theta is a number from 0 to 1, not {theta}")
    if cap is not None and cap < 1:
        raise CodekinError(f"a cap is a whole number from 1, not {cap}")
    if negatives not in ("within", "across"):
        raise CodekinError(f"unknown negatives {negatives!r} (known: within, across)")
    _check_tagged(corpus)
    history = _History(corpus)
    judged = history.add(_judged(history.now, min_judges, min_confidence))
    curated = {(one.id, role.functionality) for one, role in _roles(judged) if role.kind == EXAMPLE}
    agreed = history.add(_without_contradictions(judged))
    history.add(_expanded(agreed, depth, workers) if expand else _not_expanded(agreed))
    history.add(_extended(history.now, agreed, theta, workers))
    history.add(_capped(history.now, cap, curated, seed))
    return _with_pairs(history.now, size, "roles", seed, negatives)


def build_contest(
    corpus: Corpus, *, min_solutions: int = 30, size: int | None = 0, seed: int = 0
) -> Corpus:
    """Keep the problems of a contest that have enough solutions.

    Parameters
    ----------
    corpus : Corpus
        Solutions of problems: two of one problem are clones, two of different problems are not.
    min_solutions : int
        Problems with fewer are dropped.
    size : int or None
        How many pairs to draw; None for all. By default none are drawn, since pairs belong to the
        sides of a view.
    seed : int
        Of the pairs.

    Raises
    ------
    CodekinError
        If no problem has enough solutions.

    Examples
    --------
    >>> texts = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]
    >>> snippets = [Snippet(one, "c", "", (Role(what),)) for one, what in texts]
    >>> found = build_contest(Corpus("tiny", tuple(snippets)), min_solutions=2)
    >>> [one.id for one in found.snippets], found.steps[-1].notes
    (['a', 'b', 'c'], ('1 problem with fewer than 2 solutions: y (1)',))
    """
    if min_solutions < 1:
        raise CodekinError(f"a minimum of solutions is a whole number from 1, not {min_solutions}")
    _check_whole(corpus)
    sizes = corpus.sizes()
    few = {name: count for name, count in sizes.items() if count < min_solutions}
    if len(few) == len(sizes):
        largest = max(sizes.values(), default=0)
        raise CodekinError(
            f"{corpus.name}: none of {count_text(len(sizes), 'problem')} has {min_solutions} "
            f"solutions; the largest has {largest:,}"
        )
    history = _History(corpus)
    made = _with_roles(history.now, lambda _, role: role.functionality not in few)
    notes = []
    if few:
        problems = count_text(len(few), "problem")
        listed = _listed([f"{name} ({count:,})" for name, count in few.items()])
        notes.append(f"{problems} with fewer than {min_solutions} solutions: {listed}")
    counts = {"problems": len(sizes)}, {"problems": len(sizes) - len(few)}
    parameters = {"min_solutions": min_solutions}
    history.add((made, Step("contest", parameters, *counts, notes=tuple(notes))))
    return _with_pairs(history.now, size, "functionality", seed)


def build_yu(corpus: Corpus, *, size: int | None = 0, seed: int = 0) -> Corpus:
    """Label pairs as AbsBigCloneBench does: clones are two confirmed snippets of a functionality.

    All other pairs are not clones, including those of unconfirmed snippets. Examples are
    confirmed snippets like any other. The paper has the 9,134 functions of BigCloneBench's usual
    file of snippets, without further snippets tagged false.

    Parameters
    ----------
    corpus : Corpus
    size : int or None
        How many pairs to draw; None for all. By default none are drawn, since pairs belong to the
        sides of a view, and all pairs of the corpus are too many to list.
    seed : int
    """
    _check_whole(corpus)
    history = _History(corpus)

    def confirmed(one: Snippet) -> Snippet:
        return replace(
            one,
            roles=tuple(
                role._replace(kind=TAGGED_TRUE) if role.kind == EXAMPLE else role
                for role in one.roles
            ),
        )

    made = replace(history.now, snippets=tuple(map(confirmed, corpus.snippets)))
    found = contradictions(corpus.snippets)
    notes = (f"{_contradicting(found)} count as having it",) if found else ()
    before, after = _kinds(history.now), _kinds(made)
    history.add((made, Step("yu", {"seed": seed}, before, after, notes=notes)))
    return _with_pairs(history.now, size, "functionality", seed)


def _with_pairs(
    corpus: Corpus, size: int | None, rule: str, seed: int, negatives: str = "within"
) -> Corpus:
    if size == 0:
        return corpus
    return sample_pairs(corpus, size, rule=rule, negatives=negatives, seed=seed)


class _History:
    """A corpus on its way through several steps, all of which have the first one as parent."""

    def __init__(self, corpus: Corpus) -> None:
        self._parents = ((corpus.name, corpus.fingerprint),)
        self.now = replace(corpus, pairs=None)
        self._dropped = 0 if corpus.pairs is None else len(corpus.pairs)

    def add(self, done: tuple[Corpus, Step]) -> Corpus:
        """Record a step, and return the corpus after it."""
        made, step = done
        notes = step.notes
        if self._dropped:
            pairs = count_text(self._dropped, "pair")
            notes = (f"{pairs} of the corpus replaced by new ones", *notes)
            self._dropped = 0
        self.now = made.with_step(self.now, replace(step, notes=notes, parents=self._parents))
        return self.now


def _check_whole(corpus: Corpus) -> None:
    if not corpus.snippets:
        raise CodekinError(f"{corpus.name}: has no snippets; there is nothing to build from")
    if any(one.side is not None for one in corpus.snippets):
        raise CodekinError(f"{corpus.name}: is split into sides; build first and split afterwards")


def _check_tagged(corpus: Corpus) -> None:
    _check_whole(corpus)
    kinds = Counter(role.kind for _, role in _roles(corpus))
    tagged = kinds[EXAMPLE] + kinds[TAGGED_TRUE] + kinds[TAGGED_FALSE]
    if not tagged:
        raise CodekinError(
            f"{corpus.name}: none of {count_text(len(corpus), 'snippet')} is an example or tagged "
            "true or false; the preset contest takes solutions of problems"
        )
    if not kinds[EXAMPLE]:
        raise CodekinError(
            f"{corpus.name}: has no example, but {count_text(tagged, 'tagged snippet')}; give the "
            "best snippets the role example, or use the preset yu, which needs none"
        )


def _roles(corpus: Corpus) -> Iterator[tuple[Snippet, Role]]:
    return ((one, role) for one in corpus.snippets for role in one.roles)


def _kinds(corpus: Corpus) -> dict[str, int]:
    """How many roles of each kind there are, for the manifest."""
    kinds = Counter(role.kind for _, role in _roles(corpus))
    return {
        "examples": kinds[EXAMPLE],
        "tagged true": kinds[TAGGED_TRUE],
        "tagged false": kinds[TAGGED_FALSE],
        "functionalities": len({role.functionality for _, role in _roles(corpus)}),
    }


def _with_roles(corpus: Corpus, keeps: Callable[[Snippet, Role], bool]) -> Corpus:
    """The corpus with some roles only, without the snippets that lose their last one."""
    found = [
        replace(one, roles=tuple(role for role in one.roles if keeps(one, role)))
        for one in corpus.snippets
    ]
    chosen = [i for i, one in enumerate(found) if one.roles]
    return replace(corpus, snippets=tuple(found)).keep(chosen)


def _listed(words: Sequence[str]) -> str:
    more = f", and {len(words) - _SHOWN:,} more" if len(words) > _SHOWN else ""
    return ", ".join(words[:_SHOWN]) + more


def _judged(corpus: Corpus, min_judges: int, min_confidence: int) -> tuple[Corpus, Step]:
    """Step 1: keep what enough people judged with enough confidence."""

    def is_trusted(_: Snippet, role: Role) -> bool:
        judges = min_judges if role.judges is None else role.judges
        confidence = min_confidence if role.confidence is None else role.confidence
        return role.kind == EXAMPLE or (judges >= min_judges and confidence >= min_confidence)

    made = _with_roles(corpus, is_trusted)
    tagged = [role for _, role in _roles(corpus) if role.kind != EXAMPLE]
    missing = {
        "the number of judges": sum(role.judges is None for role in tagged),
        "the confidence": sum(role.confidence is None for role in tagged),
    }
    notes = [
        f"warning: {what} is missing for {count:,} of {count_text(len(tagged), 'tag')}, which were "
        "kept unchecked"
        for what, count in missing.items()
        if count
    ]
    without = sum(not one.roles for one in corpus.snippets)
    if without:
        notes.append(f"{count_text(without, 'snippet')} without any functionality left out")
    dropped = sum(not is_trusted(*one) for one in _roles(corpus))
    parameters = {"min_judges": min_judges, "min_confidence": min_confidence}
    after = _kinds(made) | {"tags dropped": dropped}
    return made, Step("judge", parameters, _kinds(corpus), after, tuple(notes))


def _without_contradictions(corpus: Corpus) -> tuple[Corpus, Step]:
    found = contradictions(corpus.snippets)
    wrong = {one.id for one, _ in found}
    made = _with_roles(corpus, lambda one, _: one.id not in wrong)
    notes = (f"{_contradicting(found)} were dropped",) if found else ()
    return made, Step("contradict", {}, _kinds(corpus), _kinds(made), notes)


def _contradicting(found: Sequence[tuple[Snippet, str]]) -> str:
    snippets = count_text(len(found), "snippet")
    cases = _listed([f"{one.id} ({name})" for one, name in found])
    return f"{snippets} tagged both as having a functionality and as lacking it ({cases})"


def _not_expanded(corpus: Corpus) -> tuple[Corpus, Step]:
    notes = ("left out: snippets stay single functions",)
    return replace(corpus, files={}), Step("expand", {"expand": False}, notes=notes)


_FATES = {
    "without a file": "have no file: each is its own project and was not expanded",
    "without the text of the file": "name a file that the corpus does not have: not expanded",
    "without resolved calls": "are in a language whose calls are not resolved: not expanded",
    "not found in the file": "do not occur in their file: not expanded",
    "found several times": "occur several times in their file: the first place counts",
}
"""What may happen to a snippet that is to be expanded, and what the manifest says then."""


def _expanded(corpus: Corpus, depth: int | None, workers: int | None) -> tuple[Corpus, Step]:
    """Step 2: the functions that snippets call."""
    counts: Counter[str] = Counter()
    by_file: dict[tuple[str, str], list[int]] = {}
    for i, one in enumerate(corpus.snippets):
        if one.file is None:
            counts["without a file"] += 1
        elif one.file not in corpus.files:
            counts["without the text of the file"] += 1
        elif get_language(one.language).lowering is None:
            counts["without resolved calls"] += 1
        else:
            by_file.setdefault((one.file, one.language), []).append(i)
    snippets = list(corpus.snippets)
    files = [Snippet(file, language, corpus.files[file]) for file, language in by_file]
    calls = each_snippet(file_calls, files, workers=workers, where=corpus.name)
    for one, known, places in zip(files, calls, by_file.values(), strict=True):
        whole = WholeFile(one.code, one.language, known)
        for i in places:
            found = whole.expand(snippets[i].code, depth)
            snippets[i] = replace(snippets[i], code=found.text)
            counts["not found in the file"] += not found.places
            counts["found several times"] += found.places > 1
            counts["expanded"] += bool(found.functions)
            counts["functions added"] += len(found.functions)
    after = {"in a file": sum(map(len, by_file.values()))}
    after |= {name: counts[name] for name in ("expanded", "functions added")}
    after |= {name: counts[name] for name in _FATES if counts[name]}
    notes = [
        f"{count_text(counts[name], 'snippet')} {what}"
        for name, what in _FATES.items()
        if counts[name]
    ]
    parameters = {"depth": "any" if depth is None else depth}
    made = replace(corpus, snippets=tuple(snippets), files={})
    return made, Step("expand", parameters, {}, after, tuple(notes))


def _extended(
    corpus: Corpus, entries: Corpus, theta: float, workers: int | None
) -> tuple[Corpus, Step]:
    """Step 3: snippets tagged true that are similar to an example become examples."""
    examples: dict[str, list[int]] = {}
    tagged: dict[str, list[int]] = {}
    for i, one in enumerate(entries.snippets):
        for role in one.roles:
            if role.positive:
                groups = examples if role.kind == EXAMPLE else tagged
                groups.setdefault(role.functionality, []).append(i)
    forms = NormalForms.of_snippets(entries.snippets, workers=workers, where=corpus.name)
    similar: set[tuple[str, str]] = set()
    for name, known in examples.items():
        candidates = tagged.get(name, [])
        first, second = (one.ravel().astype(np.int32) for one in np.meshgrid(candidates, known))
        best = forms.lines.similarity(first, second).reshape(len(known), -1).max(axis=0)
        chosen = np.flatnonzero(best > theta).tolist()
        similar.update((entries.snippets[candidates[i]].id, name) for i in chosen)

    def extended(one: Snippet, role: Role) -> Role:
        joins = role.kind == TAGGED_TRUE and (one.id, role.functionality) in similar
        return role._replace(kind=EXAMPLE) if joins else role

    snippets = tuple(
        replace(one, roles=tuple(extended(one, role) for role in one.roles))
        for one in corpus.snippets
    )
    made = replace(corpus, snippets=snippets)
    alone = Counter(
        role.functionality
        for _, role in _roles(corpus)
        if role.kind == TAGGED_TRUE and role.functionality not in examples
    )
    notes = []
    if alone:
        names = _listed([f"{name} ({count:,})" for name, count in sorted(alone.items())])
        notes.append(
            f"warning: no example of functionality {names}: what is tagged true stays so, and is "
            "in no pair"
        )
    before, after = _kinds(corpus), _kinds(made)
    after |= {"joined the examples": after["examples"] - before["examples"]}
    return made, Step("extend", {"theta": theta}, before, after, tuple(notes))


def _capped(
    corpus: Corpus, cap: int | None, curated: set[tuple[str, str]], seed: int
) -> tuple[Corpus, Step]:
    """Step 4: limit the snippets that have a functionality, and separately those that lack it."""
    groups: dict[tuple[str, bool], list[tuple[int, str]]] = {}
    for one, role in _roles(corpus):
        rank = 2 if role.kind != EXAMPLE else 1 - ((one.id, role.functionality) in curated)
        groups.setdefault((role.functionality, role.positive), []).append((rank, one.id))
    kept: set[tuple[str, str, bool]] = set()
    cut = []
    for (name, positive), members in groups.items():
        generator = np.random.default_rng([seed, positive, *name.encode("utf-8", "surrogatepass")])
        order = generator.permutation(len(members)).tolist()
        chosen = sorted(order, key=lambda i: members[i][0])[:cap]
        kept.update((members[i][1], name, positive) for i in chosen)
        if len(chosen) < len(members):
            what = "having" if positive else "lacking"
            cut.append(f"{what} {name}: {len(members):,} to {len(chosen):,}")

    def stays(one: Snippet, role: Role) -> bool:
        return (one.id, role.functionality, role.positive) in kept

    made = _with_roles(corpus, stays)
    parameters = {"cap": "none" if cap is None else cap, "seed": seed}
    notes = (f"limited: {'; '.join(cut)}",) if cut else ()
    return made, Step("cap", parameters, _kinds(corpus), _kinds(made), notes)


@dataclass(frozen=True)
class CorpusBuild(Result):
    """How a corpus was built, and how evenly it is spread before and after.

    Attributes
    ----------
    steps : tuple of Step
        What was done, in order.
    before, after : Balance
    """

    steps: tuple[Step, ...]
    before: Balance
    after: Balance

    def grids(self) -> list[Grid]:
        """A line per step and count, the two balances, and a line per functionality."""
        return [*([self._steps()] if self.steps else []), self._balance(), self.table()]

    def _steps(self) -> Grid:
        cells = [
            (step.name if i == 0 else "", name, step.before.get(name), step.after.get(name))
            for step in self.steps
            for i, name in enumerate(dict.fromkeys((*step.before, *step.after)))
        ]
        return Grid("Steps", ("step", "count", "before", "after"), tuple(cells), keys=2)

    def _balance(self) -> Grid:
        cells = tuple(
            (name, len(one.functionalities), one.mean, one.deviation)
            for name, one in (("before", self.before), ("after", self.after))
        )
        columns = ("", "functionalities", Column("mean", digits=2))
        return Grid("Balance", (*columns, Column("standard deviation", digits=2)), cells)

    def section(self) -> Section:
        """The plot of both balances, and the grids."""
        names = dict.fromkeys((self.before.corpus, self.after.corpus))
        return Section(
            f"How {self.after.corpus} was built"
            if self.steps
            else f"Balance of {' and '.join(names)}",
            key=(("bar-0", "before"), ("bar-1", "after")),
            content=(balance_plot(self.before, self.after), *self.grids()),
        )

    def table(self) -> Grid:
        """A line per functionality: its snippets and its share of pairs before and after."""
        earlier = {one.name: one for one in self.before.functionalities}
        later = {one.name: one for one in self.after.functionalities}
        cells = tuple(
            (name, *_sizes(earlier.get(name)), *_sizes(later.get(name)), *_tags(later.get(name)))
            for name in dict.fromkeys((*earlier, *later))
        )
        columns = (
            "functionality",
            "snippets before",
            Column("share of pairs before", digits=3),
            "snippets after",
            Column("share of pairs after", digits=3),
            Column("examples", optional=True),
            Column("tagged true", optional=True),
            Column("tagged false", optional=True),
        )
        return Grid("Functionalities", columns, cells)

    def notes(self) -> list[str]:
        """What the steps noted, other than warnings."""
        return [text for text in self._remarks() if "warning: " not in text]

    def warnings(self) -> list[str]:
        """What the steps warned of."""
        return [text.replace("warning: ", "") for text in self._remarks() if "warning: " in text]

    def _remarks(self) -> list[str]:
        return [f"{step.name}: {note}" for step in self.steps for note in step.notes]


def balance_plot(before: Balance, after: Balance) -> Forest:
    """The snippets of each functionality before and after, as two bars."""
    earlier, later = ({one.name: one for one in two.functionalities} for two in (before, after))
    rows = []
    for name in dict.fromkeys((*earlier, *later)):
        sizes = [_sizes(found.get(name))[0] for found in (earlier, later)]
        marks = [
            Mark(f"bar-{i}", size, f"{name}, {when}: {count_text(size, 'snippet')}")
            for i, (when, size) in enumerate(zip(("before", "after"), sizes, strict=True))
        ]
        rows.append(ForestRow(ShownAs(name, name), tuple(marks)))
    reason = "" if rows else "no snippet has a functionality"
    return Forest(
        title="Snippets per functionality",
        head="before",
        rows=tuple(rows),
        label="functionality",
        bars=True,
        digits=0,
        reason=reason,
    )


def _sizes(size: FunctionalitySize | None) -> tuple[int, float]:
    return (0, 0.0) if size is None else (size.snippets, size.pair_share)


def _tags(size: FunctionalitySize | None) -> tuple[int, int, int]:
    return (0, 0, 0) if size is None else (size.examples, size.tagged_true, size.tagged_false)


def describe_build(before: Corpus, after: Corpus) -> CorpusBuild:
    """What was done to build a corpus, and its balance before and after.

    Parameters
    ----------
    before : Corpus
        What it was built from, or any other corpus to compare its balance with.
    after : Corpus
        The result of :func:`build_corpus`, :func:`build_contest` or :func:`build_yu`.
    """
    known = len(before.steps)
    steps = after.steps[known:] if after.steps[:known] == before.steps else ()
    return CorpusBuild(steps, corpus_balance(before), corpus_balance(after))
