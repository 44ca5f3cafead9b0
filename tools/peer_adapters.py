"""codekin's compatible measures under the names of the packages that they reproduce.

A pytest plugin: ``CODEKIN_PEER`` names a package, whose functions are replaced before its tests are
collected, and ``CODEKIN_PEER_REPORT`` a file for the outcome of each test. A replaced function
raises :class:`UnsupportedError` for anything that codekin does not support.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import types
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from codekin import CodekinError, Source, measure
from codekin.align.edit_operations import OperationCounts, sari_statistics
from codekin.align.graph_edit import graph_edit_distance
from codekin.align.tree_edit import tree_edit_mapping

__all__ = [
    "ADAPTERS",
    "OUTCOMES",
    "UnsupportedError",
    "codebleu",
    "easse_sari",
    "networkx_distance",
]

OUTCOMES = ("pass", "fail", "unsupported", "elsewhere", "not run")
"""The possible outcomes of a test.

`elsewhere` is a test that calls no replaced function, `not run` one that failed before it did, for
example because data are missing.
"""


class UnsupportedError(Exception):
    """The package supports something that codekin does not."""


class _Seen:
    """What the replaced functions did in the current test."""

    calls = 0
    unsupported = ""


def replaced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Count the calls of a replacement function, and record what it does not support."""

    @functools.wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        _Seen.calls += 1
        try:
            return function(*args, **options)
        except (UnsupportedError, CodekinError) as error:
            _Seen.unsupported = str(error)
            raise

    return wrapper


# sacrebleu


def _sacrebleu_tokens(metric: Any) -> str:
    name = metric.tokenizer.signature()
    if name not in ("13a", "intl", "char", "none"):
        raise UnsupportedError(f"the tokenizer {name}")
    return str(name)


def _rows(references: Sequence[Sequence[str]], count: int) -> list[list[str]]:
    """Convert sacrebleu's streams of references to the references of each row."""
    if any(len(stream) != count for stream in references):
        raise UnsupportedError("streams of different lengths")
    return [list(row) for row in zip(*references, strict=True)]


def _sacre_bleu(metric: Any, candidates: Sequence[str], rows: list[list[str]]) -> Any:
    from sacrebleu.metrics.bleu import BLEUScore

    order = metric.max_ngram_order
    ours = measure(
        "bleu",
        compat="sacrebleu",
        lowercase=metric.lowercase,
        tokenize=_sacrebleu_tokens(metric),
        smooth_method=metric.smooth_method,
        smooth_value=metric.smooth_value,
        max_ngram_order=order,
        effective_order=metric.effective_order,
    )
    counts = ours.corpus_statistics(candidates, rows)
    value, parts = ours.from_statistics(counts)
    return BLEUScore(
        100 * value,
        [int(count) for count in counts[2 : 2 + order]],
        [int(count) for count in counts[2 + order :]],
        [100 * parts.get(f"precision_{n}", 0.0) for n in range(1, order + 1)],
        parts["brevity_penalty"],
        int(counts[0]),
        int(counts[1]),
    )


def _sacre_chrf(metric: Any, candidates: Sequence[str], rows: list[list[str]]) -> Any:
    from sacrebleu.metrics.chrf import CHRFScore

    names = ("char_order", "word_order", "beta", "whitespace", "lowercase", "eps_smoothing")
    ours = measure("chrf", compat="sacrebleu", **{name: getattr(metric, name) for name in names})
    value = ours.corpus_score(candidates, rows)
    return CHRFScore(100 * value, metric.char_order, metric.word_order, metric.beta)


def _compute_bleu(
    correct: Sequence[int],
    total: Sequence[int],
    sys_len: int,
    ref_len: int,
    smooth_method: str = "none",
    smooth_value: float | None = None,
    effective_order: bool = False,
    max_ngram_order: int = 4,
) -> Any:
    from sacrebleu.metrics.bleu import BLEUScore

    ours = measure(
        "bleu",
        compat="sacrebleu",
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=effective_order,
        max_ngram_order=max_ngram_order,
    )
    value, parts = ours.from_statistics([sys_len, ref_len, *correct, *total])
    precisions = [100 * parts.get(f"precision_{n}", 0.0) for n in range(1, max_ngram_order + 1)]
    penalty = parts["brevity_penalty"]
    return BLEUScore(100 * value, correct, total, precisions, penalty, sys_len, ref_len)


def adapt_sacrebleu() -> None:
    """BLEU and chrF, by the classes and by the functions that use them."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    for cls, score in ((BLEU, _sacre_bleu), (CHRF, _sacre_chrf)):

        def corpus(
            self: Any, hypotheses: Any, references: Any, n_bootstrap: int = 1, by: Any = score
        ) -> Any:
            if references is None or n_bootstrap > 1:
                raise UnsupportedError("kept references, or a bootstrap")
            candidates = list(hypotheses)
            return by(self, candidates, _rows(references, len(candidates)))

        def sentence(self: Any, hypothesis: str, references: Any, by: Any = score) -> Any:
            return by(self, [hypothesis], [list(references)])

        cls.corpus_score = replaced(corpus)
        cls.sentence_score = replaced(sentence)
    BLEU.compute_bleu = staticmethod(replaced(_compute_bleu))


# nltk


def _nltk_bleu(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    weights: Any = (0.25, 0.25, 0.25, 0.25),
    smoothing_function: Any = None,
    auto_reweigh: bool = False,
) -> Any:
    words = _Words()
    candidates = [words.text(one) for one in hypotheses]
    rows = [[words.text(one) for one in row] for row in list_of_references]
    several = hasattr(weights[0], "__len__")
    options: dict[str, Any] = {"auto_reweigh": auto_reweigh}
    if smoothing_function is not None:
        options["smoothing"] = smoothing_function.__name__
        if len(hypotheses) > 1 and options["smoothing"] in ("method5", "method6", "method7"):
            raise UnsupportedError(f"{options['smoothing']} of a corpus, by its last text")
        for name in ("epsilon", "alpha", "k"):
            options[name] = getattr(smoothing_function.__self__, name)
    found = []
    for one in weights if several else [weights]:
        chosen = tuple(float(weight) for weight in one)
        ours = measure("bleu", compat="nltk", weights=chosen, **options)
        counts = ours.corpus_statistics(candidates, rows)
        matches = counts[2 : 2 + len(chosen)]
        if smoothing_function is None and matches[0] and not all(matches):
            warnings.warn("an order has no match", UserWarning, stacklevel=3)
        found.append(ours.from_statistics(counts)[0])
    return found if several else found[0]


class _Words:
    """Any tokens as words of a text; equal tokens become equal words."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def text(self, tokens: Sequence[Any]) -> str:
        return " ".join(f"w{self._numbers.setdefault(t, len(self._numbers))}" for t in tokens)


def adapt_nltk() -> None:
    """``sentence_bleu`` and ``corpus_bleu``."""
    from nltk.translate import bleu_score

    def sentence(references: Any, hypothesis: Any, *args: Any, **options: Any) -> Any:
        return _nltk_bleu([references], [hypothesis], *args, **options)

    bleu_score.sentence_bleu = replaced(sentence)
    bleu_score.corpus_bleu = replaced(_nltk_bleu)


# codebleu

_CODEBLEU_LANGUAGES = (
    *("java", "javascript", "c_sharp", "php", "c"),
    *("cpp", "python", "go", "ruby", "rust"),
)


def codebleu(
    references: Sequence[Any],
    predictions: Sequence[str],
    lang: str,
    weights: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
    tokenizer: Any = None,
    keywords_dir: Any = None,
) -> dict[str, float]:
    """The package's ``calc_codebleu``."""
    assert len(references) == len(predictions)
    assert lang in _CODEBLEU_LANGUAGES
    if tokenizer is not None or keywords_dir is not None:
        raise UnsupportedError("a custom tokenizer or custom keywords")
    rows = [[one] if isinstance(one, str) else list(one) for one in references]
    ours = measure("codebleu", compat="codebleu", weights=tuple(weights))
    parts = ours.corpus_parts(predictions, rows, language=lang)
    return {
        "codebleu": parts["codebleu"],
        "ngram_match_score": parts["ngram"],
        "weighted_ngram_match_score": parts["weighted_ngram"],
        "syntax_match_score": parts["syntax"],
        "dataflow_match_score": parts["dataflow"],
    }


def adapt_codebleu() -> None:
    """A package with the same name: the real one needs older grammars."""
    package = types.ModuleType("codebleu")
    inner = types.ModuleType("codebleu.codebleu")
    for module in (package, inner):
        vars(module).update(calc_codebleu=replaced(codebleu), AVAILABLE_LANGS=_CODEBLEU_LANGUAGES)
    vars(package)["codebleu"] = inner
    sys.modules["codebleu"], sys.modules["codebleu.codebleu"] = package, inner


# apted


def adapt_apted() -> None:
    """Distances and mappings of ``APTED``, with one cost for each kind of edit."""
    from apted import apted, config

    def edit(self: Any) -> tuple[Any, list[Any], list[Any]]:
        if type(self.config) is config.Config:
            paid = {"delete": 1.0, "insert": 1.0, "rename": 1.0}
        elif type(self.config) is config.PerEditOperationConfig:
            own = self.config
            paid = {"delete": own.del_cost, "insert": own.ins_cost, "rename": own.ren_cost}
        else:
            raise UnsupportedError(f"costs by {type(self.config).__name__}")
        numbers: dict[Any, int] = {}
        flat, nodes = [], []
        for tree in self.trees:
            found = list(_preorder(tree, -1))
            labels = [numbers.setdefault(node.name, len(numbers)) for node, _ in found]
            flat.append((labels, [parent for _, parent in found]))
            nodes.append([node for node, _ in found])
        return tree_edit_mapping(flat[0], flat[1], **paid), nodes[0], nodes[1]

    def distance(self: Any, *_: Any) -> float:
        upper: float = edit(self)[0].edit.upper
        return upper

    def mapping(self: Any) -> list[tuple[Any, Any]]:
        found, first, second = edit(self)
        ours, theirs = dict(found.pairs), {j for _, j in found.pairs}
        pairs = [(node, second[ours[i]] if i in ours else None) for i, node in enumerate(first)]
        return pairs + [(None, node) for j, node in enumerate(second) if j not in theirs]

    prepare = apted.APTED.__init__

    def keep(self: Any, tree1: Any, tree2: Any, *args: Any, **options: Any) -> None:
        self.trees = tree1, tree2
        prepare(self, tree1, tree2, *args, **options)

    apted.APTED.__init__ = keep
    apted.APTED.compute_edit_distance = replaced(distance)
    apted.APTED.compute_edit_distance_spf_test = replaced(distance)
    apted.APTED.compute_edit_mapping = replaced(mapping)


def _preorder(node: Any, parent: int) -> Iterator[tuple[Any, int]]:
    stack, place = [(node, parent)], 0
    while stack:
        here, above = stack.pop()
        yield here, above
        stack += [(child, place) for child in reversed(getattr(here, "children", []))]
        place += 1


# networkx


def networkx_distance(first: Any, second: Any, **options: Any) -> float | None:
    """``graph_edit_distance`` of graphs without labels, at costs of 1.

    An undirected edge is two directed ones, and a loop two loops of different kinds. Some cheapest
    mapping then pairs as many nodes as the smaller graph has, so the rest of the cost is that of
    edges, counted twice.
    """
    upper_bound, roots = options.pop("upper_bound", None), options.pop("roots", None)
    refused = [name for name, value in options.items() if value is not None]
    if refused:
        raise UnsupportedError(", ".join(refused))
    flat = [_flat(graph) for graph in (first, second)]
    fixed = [] if roots is None else [_root_places(first, second, roots)]
    (labels1, edges1), (labels2, edges2) = flat
    edit = graph_edit_distance(labels1, edges1, labels2, edges2, fixed=fixed, typed=True)
    if not edit.exact:
        raise UnsupportedError("a distance that is not proven within the budget")
    distance = float(edit.distance)
    if not first.is_directed():
        unmatched = abs(len(labels1) - len(labels2))
        distance = unmatched + (distance - unmatched) / 2
    return None if upper_bound is not None and distance > upper_bound else distance


def _root_places(first: Any, second: Any, roots: Sequence[Any]) -> tuple[int, int]:
    from networkx import NodeNotFound

    root1, root2 = roots
    if root1 not in first or root2 not in second:
        raise NodeNotFound(f"no roots {roots}")
    return list(first).index(root1), list(second).index(root2)


def _flat(graph: Any) -> tuple[list[int], list[tuple[int, int, int]]]:
    place = {node: i for i, node in enumerate(graph)}
    ends = [(place[edge[0]], place[edge[1]]) for edge in graph.edges]
    if len({frozenset(end) if not graph.is_directed() else end for end in ends}) < len(ends):
        raise UnsupportedError("parallel edges")
    edges = [(s, t, 0) for s, t in ends]
    if not graph.is_directed():
        edges += [(t, s, 0) if s != t else (s, t, 1) for s, t in ends]
    return [0] * len(place), edges


def adapt_networkx() -> None:
    """``graph_edit_distance``."""
    from networkx.algorithms import similarity

    similarity.graph_edit_distance = replaced(networkx_distance)


# EASSE


def easse_sari(
    orig_sents: Sequence[str],
    sys_sents: Sequence[str],
    refs_sents: Sequence[Sequence[str]],
    *,
    tokenizer: str = "13a",
    **options: Any,
) -> tuple[float, float, float]:
    """The operation scores of a corpus (add, keep, delete), out of 100."""
    name = "none" if tokenizer == "plain" else tokenizer
    ours = measure("sari", compat="easse", tokenizer=name, **options)
    total: list[list[float]] = []
    for row, (origin, candidate) in enumerate(zip(orig_sents, sys_sents, strict=True)):
        references = [Source(stream[row]) for stream in refs_sents]
        counts = sari_statistics(
            ours._origin_ids(Source(origin)),
            ours._ids(Source(candidate)),
            [ours._ids(reference) for reference in references],
            4,
        )
        total = [
            [a + b for a, b in zip(so_far, more, strict=True)]
            for so_far, more in zip(total or [[0.0] * len(c) for c in counts], counts, strict=True)
        ]
    _, parts = ours.judge([OperationCounts(*one) for one in total])
    return 100 * parts["add"], 100 * parts["keep"], 100 * parts["delete"]


def adapt_easse() -> None:
    """A package with the same name, with ``corpus_sari`` and its operation scores."""
    package, inner = types.ModuleType("easse"), types.ModuleType("easse.sari")

    def corpus(*args: Any, **options: Any) -> float:
        return sum(easse_sari(*args, **options)) / 3

    operations = replaced(easse_sari)
    vars(inner).update(corpus_sari=replaced(corpus), get_corpus_sari_operation_scores=operations)
    vars(package)["sari"] = inner
    sys.modules["easse"], sys.modules["easse.sari"] = package, inner


ADAPTERS = {
    "sacrebleu": adapt_sacrebleu,
    "nltk": adapt_nltk,
    "codebleu": adapt_codebleu,
    "apted": adapt_apted,
    "networkx": adapt_networkx,
    "easse": adapt_easse,
}


# The plugin

_found: list[dict[str, str]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Replace the functions before any test is collected."""
    ADAPTERS[os.environ["CODEKIN_PEER"]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    """Record the outcome of each test."""
    report = yield
    if call.when == "setup":
        _Seen.calls, _Seen.unsupported = 0, ""
    if call.when == "call" or report.failed:
        outcome = "pass" if report.passed else "fail"
        if not _Seen.calls:
            outcome = "elsewhere" if report.passed else "not run"
        elif _Seen.unsupported:
            outcome = "unsupported"
        reason = _Seen.unsupported or (str(call.excinfo.value) if call.excinfo else "")
        _found.append({"test": item.nodeid, "outcome": outcome, "reason": reason})
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the outcomes to the report."""
    Path(os.environ["CODEKIN_PEER_REPORT"]).write_text(json.dumps(_found), encoding="utf-8")
