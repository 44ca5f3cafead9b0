"""BERTScore as the package bert-score computes it, with its parameter names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from codekin.measures.background import corpus_texts
from codekin.measures.base import Explanation, Measure, Score, check_range
from codekin.measures.bertscore import (
    BertScore,
    Encoder,
    encoder_at,
    one_thread,
    read_baseline,
)
from codekin.source import Source

__all__ = ["PackageBertScore"]


@dataclass(frozen=True, kw_only=True, repr=False)
class PackageBertScore(Measure):
    """BERTScore as bert-score 0.3.13 computes it for one pair, with fast tokenizers.

    Both texts are stripped, cut to what the model reads, and encoded in one batch, since padding
    changes the last digits. The beginning and the end of a text, which are special tokens, can be
    matched by others but do not count themselves. A text without tokens scores 0. With several
    references, the best F counts.

    Parameters
    ----------
    model_type : str
        The folder of a checkpoint; nothing is downloaded.
    num_layers : int
        The layer whose vectors count.
    baseline_path : str
        A table to rescale by; the package's ``rescale_with_baseline``.
    references : tuple of str, optional
        The texts whose document frequencies weight tokens, as with the package's ``idf``;
        :meth:`fit` sets them.
    """

    name: ClassVar[str] = "bertscore"
    compat: ClassVar[str | None] = "bert-score"
    summary: ClassVar[str] = "BERTScore as the package bert-score 0.3.13 computes it"
    model_type: str = ""
    num_layers: int = 9
    baseline_path: str = ""
    references: tuple[str, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.references is not None:
            texts = corpus_texts(self.name, self.references)
            object.__setattr__(self, "references", texts)

    def uses_tree(self) -> bool:
        """False: tokens are those of the model."""
        return False

    def fit(self, references: Iterable[Source | str]) -> PackageBertScore:
        """The same measure with weights by the document frequencies of references."""
        return replace(self, references=corpus_texts(self.name, references))

    @property
    def _encoder(self) -> Encoder:
        found = encoder_at(self.name, self.model_type)
        check_range(self.name, "num_layers", self.num_layers, 0, found.layers)
        return found

    def _ids(self, text: str) -> list[int]:
        tokenizer = self._encoder.tokenizer
        given: dict[str, Any] = {}
        if type(tokenizer).__name__ in ("GPT2Tokenizer", "RobertaTokenizer"):
            given["add_prefix_space"] = True
        found: list[int] = tokenizer.encode(
            text.strip().encode("utf-8", "replace").decode(),
            add_special_tokens=True,
            max_length=self._encoder.window,
            truncation=True,
            **given,
        )
        return found

    def _frequencies(self) -> tuple[int, Counter[int]] | None:
        if self.references is None:
            return None
        having = Counter(i for one in self.references for i in set(self._ids(one)))
        return len(self.references), having

    def _weight(self, ids: list[int]) -> list[float]:
        known = self._frequencies()
        if known is None:
            tokenizer = self._encoder.tokenizer
            ends = tokenizer.sep_token_id, tokenizer.cls_token_id
            return [0.0 if one in ends else 1.0 for one in ids]
        documents, having = known
        return [math.log((documents + 1) / (having[one] + 1)) for one in ids]

    def _pair(self, candidate: Source, reference: Source) -> Score:
        import torch

        mine, theirs = self._ids(candidate.text), self._ids(reference.text)
        special = len(self._encoder.first) + len(self._encoder.last)
        if min(len(mine), len(theirs)) <= special:
            parts = {"precision": 0.0, "recall": 0.0}
            return Score(self, 0.0, parts, candidate, reference)
        with one_thread():
            vectors = self._batch(mine, theirs, candidate.text == reference.text)
            cosines = torch.bmm(vectors[0].unsqueeze(0), vectors[1].unsqueeze(0).transpose(1, 2))
            scales = [torch.tensor([self._weight(ids)]) for ids in (mine, theirs)]
            for scale in scales:
                scale.div_(scale.sum(dim=1, keepdim=True))
            precision = (cosines.max(dim=2)[0] * scales[0]).sum(dim=1)
            recall = (cosines.max(dim=1)[0] * scales[1]).sum(dim=1)
            both = 2 * precision * recall / (precision + recall)
            found = torch.stack([precision, recall, both.masked_fill(both.isnan(), 0.0)], -1)
            if self.baseline_path:
                low = torch.tensor(read_baseline(self.baseline_path, self.num_layers))
                found = (found - low) / (1 - low)
        values = found[0].tolist()
        parts = {"precision": values[0], "recall": values[1]}
        return Score(self, values[2], parts, candidate, reference)

    def _batch(self, mine: list[int], theirs: list[int], same: bool) -> list[Any]:
        """The normalised vectors of both texts, encoded together."""
        import torch

        encoder = self._encoder
        texts = [mine] if same else [mine, theirs]
        width = max(map(len, texts))
        pad = encoder.tokenizer.pad_token_id
        tokens = torch.tensor([[*ids, *[pad] * (width - len(ids))] for ids in texts])
        mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in texts])
        made = encoder.model(tokens, attention_mask=mask, output_hidden_states=True)
        states = made.hidden_states[self.num_layers]
        found = []
        for ids, state in zip((mine, theirs), (states[0], states[-1]), strict=True):
            kept = state[: len(ids)].clone()
            found.append(kept.div_(torch.norm(kept, dim=-1).unsqueeze(-1)))
        return found

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade each token by its largest cosine with a token of the other text."""
        return BertScore(model=self.model_type, layer=self.num_layers).explain(candidate, reference)
