"""A corpus with pairs to judge, and the answers of judges as the page exports them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.corpora.small import contest

from codekin.corpora.corpus import Corpus
from codekin.corpora.judging import JudgingPair, JudgingSample
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems


def paired(rows: Sequence[dict[str, Any]] | None = None) -> Corpus:
    """All 66 pairs of 12 programs, clones if they solve the same problem."""
    corpus = contest(authors=4, problems=3)
    if rows is None:
        rows = []
        for one, other in combinations(corpus.snippets, 2):
            same = one.functionality == other.functionality
            kind = "T2" if one.id[-1] in "01" else "MT3"
            found = {"id1": one.id, "id2": other.id, "label": int(same)}
            rows.append(found | ({"type": kind} if same else {}) | {"basis": one.functionality})
    problems = Problems("rows")
    pairs = Pairs.of_rows(rows, corpus.snippets, problems)
    problems.check()
    return replace(corpus, pairs=pairs)


def document(
    sample: JudgingSample,
    judge: str,
    say: Callable[[int, JudgingPair], str | None],
    note: str = "",
) -> dict[str, Any]:
    """What the page exports of a judge who answers by a function of the pair."""
    made = sample.document()
    for i, (pair, fields) in enumerate(zip(sample.pairs, made["pairs"], strict=True)):
        fields |= {"answer": say(i, pair), "note": note}
    return made | {"judge": judge}


def export(
    path: Path, sample: JudgingSample, judge: str, say: Callable[[int, JudgingPair], str | None]
) -> Path:
    """Such a document as a file."""
    path.write_text(json.dumps(document(sample, judge, say)), "utf-8")
    return path
