"""SARI in plain Python, written after the published scripts, with the same steps and counters.

Neither script can be installed: SARI.py (cocoxu/simplification, commit 3557046) is no package, and
evaluate fetches its metric (huggingface/evaluate, metrics/sari/sari.py) from a hub when it is
first used. These functions compute the same formulas by the same means (n-grams are strings,
counted by ``collections.Counter``) and give the same values; see
tests/measures/test_sari_compat.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sacrebleu.metrics import bleu

__all__ = ["evaluate_sari", "evaluate_sentence", "xu_sentence"]

Bag = Counter[str]


def xu_sentence(source: str, prediction: str, references: Sequence[str]) -> float:
    """What SARIsent of SARI.py returns."""
    texts = [text.lower() for text in (source, prediction, *references)]
    return _sentence(texts, empty=0.0, keep_recall_of_sums=False)


def evaluate_sentence(source: str, prediction: str, references: Sequence[str]) -> float:
    """What SARIsent of evaluate's metric returns."""
    return _sentence([source, prediction, *references], empty=1.0, keep_recall_of_sums=True)


def evaluate_sari(source: str, prediction: str, references: Sequence[str]) -> float:
    """What evaluate's metric gives for one row, divided by 100."""
    texts = [_normalized(text) for text in (source, prediction, *references)]
    return evaluate_sentence(texts[0], texts[1], texts[2:])


def _normalized(text: str) -> str:
    tokenizer = bleu._get_tokenizer("13a")()
    joined: str = tokenizer(text.lower())
    return joined


def _sentence(texts: list[str], *, empty: float, keep_recall_of_sums: bool) -> float:
    words = [text.split(" ") for text in texts]
    total = 0.0
    for n in range(1, 5):
        source, prediction, *references = ([*_grams(one, n)] for one in words)
        pooled = Counter(gram for reference in references for gram in reference)
        count = len(references)
        old, new = _times(Counter(source), count), _times(Counter(prediction), count)
        total += _keep(old, new, pooled, empty, keep_recall_of_sums)
        total += _delete(old, new, pooled, empty)
        total += _add(old, new, pooled, empty)
    return total / 12


def _grams(words: list[str], n: int) -> Iterator[str]:
    if n == 1:
        return iter(words)
    return (" ".join(words[i : i + n]) for i in range(len(words) - n + 1))


def _times(bag: Bag, count: int) -> Bag:
    return Counter({gram: times * count for gram, times in bag.items()})


def _keep(old: Bag, new: Bag, pooled: Bag, empty: float, recall_of_sums: bool) -> float:
    kept, keepable = old & new, old & pooled
    good = kept & pooled
    precision = recall = empty
    if kept:
        precision = sum(good[gram] / kept[gram] for gram in good) / len(kept)
    if keepable and recall_of_sums:
        recall = sum(good.values()) / sum(keepable.values())
    elif keepable:
        recall = sum(good[gram] / keepable[gram] for gram in good) / len(keepable)
    return _f1(precision, recall)


def _delete(old: Bag, new: Bag, pooled: Bag, empty: float) -> float:
    deleted = old - new
    good = deleted - pooled
    if not deleted:
        return empty
    return sum(good[gram] / deleted[gram] for gram in good) / len(deleted)


def _add(old: Bag, new: Bag, pooled: Bag, empty: float) -> float:
    added, addable = set(new) - set(old), set(pooled) - set(old)
    good = len(added & set(pooled))
    precision = good / len(added) if added else empty
    recall = good / len(addable) if addable else empty
    return _f1(precision, recall)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
