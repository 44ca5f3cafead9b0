"""bertscore: how well each token's vector, from a pre-trained model, is matched in the other."""

from __future__ import annotations

import csv
import hashlib
import string
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from io import StringIO
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.measures.background import Background, corpus_background
from codekin.measures.base import (
    Explanation,
    Measure,
    Score,
    Span,
    check_choice,
    check_range,
)
from codekin.opening import MOST_SETTINGS_BYTES, open_file, read_text
from codekin.represent.text.checkpoint import Checkpoint, read_checkpoint
from codekin.source import Source

__all__ = ["BertScore"]

Floats = npt.NDArray[np.float64]
_BLOCK = 1024
"""Rows of the similarity matrix that are computed at a time."""
_PUNCTUATION = frozenset(string.punctuation) - frozenset("+-*/&|~")
"""What CodeBERTScore leaves out: punctuation without operators."""


@dataclass(frozen=True)
class TokenVectors:
    """The tokens of a text that count, and their vectors.

    Attributes
    ----------
    ids : int64 array
        The numbers of the tokens in the model's vocabulary.
    spans : int64 array, tokens by two
        Where they are in the text, in characters.
    vectors : float32 array, tokens by dimensions
        Of length 1.
    whole : bool
        Whether they are those of the whole text.
    """

    ids: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float32]
    whole: bool


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread, so that sums do not depend on the number of cores."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_num_threads(before)


class Encoder:
    """A model that turns texts into vectors of their tokens."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.tokenizer = checkpoint.tokenizer
        self.model = checkpoint.encoder.eval()
        self.layers = int(self.model.config.num_hidden_layers)
        config = self.model.config
        most = int(getattr(config, "max_position_embeddings", None) or 512)
        if config.model_type in ("roberta", "camembert", "xlm-roberta"):
            most -= int(config.pad_token_id) + 1
        # Tokenizers that know no limit have an enormous one.
        self.window = min(most, int(self.tokenizer.model_max_length))
        # A copy, since calls of the tokenizer above leave their truncation in what it wraps.
        from tokenizers import Tokenizer

        self._splitter = Tokenizer.from_str(self.tokenizer.backend_tokenizer.to_str())
        self._splitter.no_truncation()
        self._splitter.no_padding()
        self.first, self.last = _special_ends(self._splitter)
        digest = hashlib.sha256()
        for one in sorted(checkpoint.folder.glob("*.safetensors")):
            with open_file(one, typed=True) as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        self.fingerprint = digest.hexdigest()[:8]

    def tokens(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The numbers of a text's tokens and their places, without special ones."""
        safe = text.encode("utf-8", "replace").decode()
        made = self._splitter.encode(safe, add_special_tokens=False)
        return list(made.ids), list(made.offsets)

    def vectors(self, ids: list[int], layer: int) -> npt.NDArray[np.float32]:
        """The vector of each token; long texts are read in windows that overlap by half.

        A token takes its vector from the window in which it has the most context.
        """
        room = self.window - len(self.first) - len(self.last)
        found = np.zeros((len(ids), int(self.model.config.hidden_size)), dtype=np.float32)
        for start, begin, end in _windows(len(ids), room):
            made = self.hidden([*self.first, *ids[start : start + room], *self.last], layer)
            shift = len(self.first) - start
            found[begin:end] = made[begin + shift : end + shift]
        return found

    def hidden(self, ids: list[int], layer: int) -> npt.NDArray[np.float32]:
        """The vectors of a sequence, after a number of layers."""
        import torch

        tokens = torch.tensor([ids], dtype=torch.long)
        mask = torch.ones_like(tokens)
        with one_thread():
            made = self.model(tokens, attention_mask=mask, output_hidden_states=True)
            states: npt.NDArray[np.float32] = made.hidden_states[layer][0].numpy()
        return states


def _special_ends(splitter: Any) -> tuple[list[int], list[int]]:
    """The special tokens before and after a text."""
    made = splitter.encode("a", add_special_tokens=True)
    inner = [i for i, special in enumerate(made.special_tokens_mask) if not special]
    if not inner:
        return list(made.ids), []
    return list(made.ids[: inner[0]]), list(made.ids[inner[-1] + 1 :])


def _windows(size: int, room: int) -> Iterator[tuple[int, int, int]]:
    """Where windows over tokens start, and the tokens that take their vectors from each.

    Examples
    --------
    >>> list(_windows(10, 4))
    [(0, 0, 3), (2, 3, 5), (4, 5, 7), (6, 7, 10)]
    >>> list(_windows(3, 4)), list(_windows(0, 4))
    ([(0, 0, 3)], [])
    """
    step = max(1, room // 2)
    if size == 0:
        return
    starts = [*range(0, max(size - room, 0), step), max(size - room, 0)]
    begin = 0
    for start, after in zip(starts, [*starts[1:], None], strict=True):
        end = size if after is None else (after + start + room) // 2
        yield start, begin, end
        begin = end


@lru_cache(maxsize=2)
def encoder_at(name: str, path: str) -> Encoder:
    """The encoder of a folder, read once per process; errors begin with `name`."""
    return Encoder(read_checkpoint(name, path))


def read_baseline(path: str, layer: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of unrelated texts, from a table such as bert-score's.

    Parameters
    ----------
    path : str
        A CSV file with the columns LAYER, P, R and F.
    layer : int
    """
    table = StringIO(read_text(path, typed=True, limit=MOST_SETTINGS_BYTES), newline="")
    try:
        for row in csv.DictReader(table):
            if int(row["LAYER"]) == layer:
                values = float(row["P"]), float(row["R"]), float(row["F"])
                if not all(-1 < value < 1 for value in values):
                    raise ValueError(f"its values must be above -1 and below 1, not {values}")
                return values
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise CodekinError(
            f"{path}: is not a table of baselines with the columns LAYER, P, R and F ({error})"
        ) from None
    raise CodekinError(f"{path}: has no baseline for layer {layer}")


def f_measure(precision: float, recall: float, beta: float) -> float:
    """The F-measure in which recall weighs `beta` times as much; 0 if it is not defined.

    Examples
    --------
    >>> f_measure(0.5, 1.0, 1), round(f_measure(0.5, 1.0, 3), 4)
    (0.6666666666666666, 0.9091)
    """
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below > 0 else 0.0


@dataclass(frozen=True, kw_only=True, repr=False)
class BertScore(Measure):
    """BERTScore [1]_ and CodeBERTScore [2]_ over any local checkpoint.

    Each token of a text has a vector from the model. Precision is the mean over the candidate's
    tokens of the largest cosine with a token of the reference, recall the mean over the
    reference's; the score is their F1, at least 0. Texts longer than the model reads are split into
    windows that overlap by half. Special tokens do not count. Nothing is downloaded: `model` is a
    folder, whose weights must be safetensors.

    Parameters
    ----------
    model : str
        A folder with a Hugging Face checkpoint of an encoder, such as CodeBERT. Required.
    layer : int, optional
        The layer whose vectors count (default: three quarters of all, which the paper's choices
        are close to).
    preset : {'default', 'code'}
        ``code`` is CodeBERTScore's treatment: F3, which weighs recall three times as much as
        precision; tokens that are only punctuation are left out; and an origin, if there is one, is
        read before each text as its context, and left out of the matching.
    baseline : str
        A table of bert-score's form, with the score of unrelated texts, to rescale by.
    length : int
        The largest number of tokens of a text. The rest of a longer text is not read, and its score
        is not exact.
    background : Background, optional
        Document frequencies of tokens, which :meth:`fit` counts; rare tokens then weigh more.

    References
    ----------
    .. [1] Zhang, Kishore, Wu, Weinberger and Artzi, "BERTScore: evaluating text generation with
       BERT", ICLR 2020.
    .. [2] Zhou, Alon, Agarwal and Neubig, "CodeBERTScore: evaluating code generation with
       pretrained models of code", EMNLP 2023.

    Examples
    --------
    >>> from codekin import measure
    >>> measure("bertscore", model="codebert", layer=9)
    measure('bertscore', model='codebert', layer=9)
    """

    name: ClassVar[str] = "bertscore"
    summary: ClassVar[str] = "F1 of the best cosines of token vectors from a local model"
    model: str = ""
    layer: int | None = None
    preset: str = "default"
    baseline: str = ""
    length: int = 4096
    background: Background | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "preset", self.preset, ("default", "code"))
        check_range(self.name, "length", self.length, 1, 65_536)
        if not isinstance(self.layer, int | None) or isinstance(self.layer, bool):
            raise CodekinError(f"bertscore: layer must be a whole number, not {self.layer!r}")
        if not isinstance(self.background, Background | None):
            raise CodekinError(
                f"bertscore: background must be a Background, not {self.background!r}; "
                "measure('bertscore', model=...).fit(corpus) makes one"
            )

    def uses_tree(self) -> bool:
        """False: tokens are those of the model."""
        return False

    def signature(self, *sources: Source) -> str:
        """The common line, with fingerprints of the weights and of the corpus if there is one."""
        name, rest = super().signature(*sources).split("|", 1)
        prints = [f"weights:{self._encoder.fingerprint}"]
        if self.background is not None:
            prints.append(f"background:{self.background.fingerprint}")
        return "|".join([name, *prints, rest])

    @property
    def _encoder(self) -> Encoder:
        return encoder_at(self.name, self.model)

    @cached_property
    def _layer(self) -> int:
        layers = self._encoder.layers
        if self.layer is None:
            return max(1, round(0.75 * layers))
        check_range(self.name, "layer", self.layer, 0, layers)
        return self.layer

    @cached_property
    def _baseline(self) -> tuple[float, float, float]:
        return read_baseline(self.baseline, self._layer) if self.baseline else (0.0, 0.0, 0.0)

    def fit(self, corpus: Iterable[str]) -> BertScore:
        """The same measure, weighting tokens by how few texts of a corpus have them.

        Parameters
        ----------
        corpus : iterable of str
            One document each; in the paper, the references.
        """

        def ids(text: str) -> npt.NDArray[np.uint64]:
            return np.unique(np.array(self._encoder.tokens(text)[0], dtype=np.uint64))

        return replace(self, background=corpus_background(self.name, corpus, ids))

    def _vectors(self, source: Source, context: str = "") -> TokenVectors:
        key = ("bertscore", self.model, self._layer, self.length, self.preset, context)
        return source.remember(key, lambda: self._encoded(source.text, context))

    def _encoded(self, text: str, context: str) -> TokenVectors:
        encoder = self._encoder
        before = encoder.tokens(context + "\n")[0][-self.length :] if context.strip() else []
        ids, offsets = encoder.tokens(text)
        whole = len(ids) <= self.length
        ids, offsets = ids[: self.length], offsets[: self.length]
        vectors = encoder.vectors([*before, *ids], self._layer)[len(before) :]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(norms > 0, norms, 1)
        spans = np.array(offsets, dtype=np.int64).reshape(-1, 2)
        kept = np.ones(len(ids), dtype=bool)
        if self.preset == "code":
            words = [text[start:end].strip() for start, end in spans.tolist()]
            kept = np.array([not all(c in _PUNCTUATION for c in word) for word in words], bool)
            kept |= not kept.any()  # a text of punctuation alone is compared by it
        return TokenVectors(np.array(ids, dtype=np.int64)[kept], spans[kept], vectors[kept], whole)

    def _weights(self, tokens: TokenVectors) -> Floats:
        if self.background is None:
            return np.ones(len(tokens.ids))
        documents = sum(self.background.documents.values())
        having = self.background.having(tokens.ids.astype(np.uint64))
        weights: Floats = np.log((documents + 1) / (having + 1))
        return weights if weights.any() else np.ones(len(tokens.ids))

    def _pair(self, candidate: Source, reference: Source) -> Score:
        return self._scored(candidate, reference, None)

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        if self.preset != "code":
            return self._score(candidate, references)
        chosen = self.best_reference(candidate, references, origin)
        best = self._scored(candidate, chosen, origin)
        best._references = references
        return best

    def _scored(self, candidate: Source, reference: Source, origin: Source | None) -> Score:
        context = "" if origin is None else origin.text
        mine, theirs = self._vectors(candidate, context), self._vectors(reference, context)
        if not len(mine.ids) or not len(theirs.ids):
            value = float(len(mine.ids) == len(theirs.ids))
            return Score(self, value, {}, candidate, reference, origin=origin)
        raw: tuple[float, float]
        if candidate.text == reference.text:
            raw = 1.0, 1.0
        else:
            best = _best_cosines(mine.vectors, theirs.vectors)
            raw = (
                float(np.average(best[0], weights=self._weights(mine))),
                float(np.average(best[1], weights=self._weights(theirs))),
            )
        beta = 3 if self.preset == "code" else 1
        scores = *raw, f_measure(*raw, beta)
        precision, recall, value = (
            (one - low) / (1 - low) for one, low in zip(scores, self._baseline, strict=True)
        )
        value = min(1.0, max(0.0, value))
        parts = {"precision": precision, "recall": recall}
        whole = mine.whole and theirs.whole
        bounds = None if whole or candidate.text == reference.text else self.widest
        return Score(self, value, parts, candidate, reference, bounds=bounds, origin=origin)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade each token by its largest cosine with a token of the other text."""
        return self._explain(candidate, reference, None)

    def _explain(self, candidate: Source, reference: Source, origin: Source | None) -> Explanation:
        origin = origin if self.preset == "code" else None
        context = "" if origin is None else origin.text
        mine, theirs = self._vectors(candidate, context), self._vectors(reference, context)
        score = self._scored(candidate, reference, origin)
        best = _best_cosines(mine.vectors, theirs.vectors)
        return Explanation(
            f"{len(mine.ids):,} tokens of the candidate are compared with {len(theirs.ids):,} of "
            f"the reference by layer {self._layer} of the model; bertscore is {score.value:.4f}. "
            "Each token is shaded by its best cosine.",
            _spans(mine, best[0]),
            _spans(theirs, best[1]),
            candidate.text,
            reference.text,
        )


def _best_cosines(
    first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]
) -> tuple[Floats, Floats]:
    """For each vector of either text, the largest cosine with one of the other."""
    mine, theirs = np.zeros(len(first)), np.full(len(second), -1.0)
    if not len(first) or not len(second):
        return mine, np.zeros(len(second))
    other = second.astype(np.float64).T
    for start in range(0, len(first), _BLOCK):
        cosines = first[start : start + _BLOCK].astype(np.float64) @ other
        mine[start : start + _BLOCK] = cosines.max(axis=1)
        np.maximum(theirs, cosines.max(axis=0), out=theirs)
    return mine, theirs


def _spans(tokens: TokenVectors, levels: Floats) -> tuple[Span, ...]:
    """The tokens as spans, without blanks and overlaps."""
    spans: list[Span] = []
    for (start, end), level in zip(tokens.spans.tolist(), levels.tolist(), strict=True):
        begin = max(start, spans[-1].end if spans else 0)
        if begin < end and level > 0:
            spans.append(Span(begin, end, min(1.0, round(level, 2))))
    return tuple(spans)
