"""``transformer``: a pre-trained model from a local Hugging Face checkpoint, fine-tuned on pairs.

Three forms:

- ``pair``: both texts in one sequence, and a classifier on its first vector. Texts see each other,
  but share the length of one sequence.
- ``vectors``: each text in a sequence of its own, and a classifier on both first vectors together:
  what GraphCodeBERT's program for clone detection does.
- ``siamese``: each text in a sequence of its own, the mean of its vectors, and the cosine, as
  UniXcoder compares code. A checkpoint with UniXcoder's word ``<encoder-only>`` has it in front of
  each text, as its authors do. The loss is the squared error of the cosine to 1 and -1, as of other
  siamese detectors here; UniXcoder's own programs have a classifier or a contrastive loss.

With ``flow`` the sequence also has the variables of the text, as in GraphCodeBERT: each begins as
the mean of its tokens' embeddings, at position 0, sees its tokens and is seen by them, and sees the
variables that its value comes from. The edges are codekin's own, from each occurrence of a variable
to its next use, where GraphCodeBERT's are from its own rules; so a variable here has its last
occurrence as where its value comes from. Only models of the kind of RoBERTa read such sequences.

Texts go to the checkpoint's tokenizer as they are, comments included; GraphCodeBERT's authors join
the tokens of a parser with spaces. As in their program: AdamW with a learning rate of 2e-5, a
linear warm-up over the first fifth of the steps and a linear decay, and gradients cut to length 1.
The order of a pair never matters: ``pair`` is trained in both orders and scored by the mean of
both, and so is the classifier of ``vectors``.

Everything is read from a folder, and nothing from the network. Only safetensors are read: weights
as a pickle (``.bin``) could run code, and are refused. Code that comes with a checkpoint is never
run.

References
----------
Guo et al., GraphCodeBERT: pre-training code representations with data flow, ICLR 2021.
Guo et al., UniXcoder: unified cross-modal pre-training for code representation, ACL 2022.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.detector import (
    PRESETS,
    Arrays,
    Detector,
    Fitted,
    LabelledPlaces,
    Places,
    Progress,
    Scores,
    check_labels,
    labelled,
    pairs_of_side,
    used_snippets,
)
from codekin.detectors.epochs import EPOCH_BY_TEST, memory_errors, needed_test_pairs, train_epochs
from codekin.detectors.neural import check_shapes, device_of, load_weights, on_device
from codekin.detectors.prepared import FLOWS
from codekin.detectors.thresholds import fit_threshold, languages_of
from codekin.errors import CodekinError
from codekin.represent.text.checkpoint import (
    check_size,
    encoder_config,
    quiet,
    read_checkpoint,
    transformers_library,
)
from codekin.statistics.classification import average_precision

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.corpora.snippets import Snippet

__all__ = ["Transformer", "variable_flow"]

FORMS = ("pair", "vectors", "siamese")
_WARM_UP = 0.2
"""The share of the steps in which the learning rate rises."""
_LONGEST_GRADIENT = 1.0
_BUDGET = 8_000_000
"""The cost of sequences that are encoded at a time on a GPU; a tenth of that on a CPU."""
_TEXTS = 1000
"""Texts that are split into tokens at a time."""
_MODE = "<encoder-only>"

Ints = npt.NDArray[np.int64]


class TokenizedText(NamedTuple):
    """A snippet as the tokenizer splits it, with its variables.

    Attributes
    ----------
    tokens : int64 array
        Without special ones.
    variables : int64 array, variables by two
        The tokens of each variable: the first, and the one after the last.
    edges : int64 array, edges by two
        From a variable to another whose value comes from it.
    """

    tokens: Ints
    variables: Ints
    edges: Ints


class Layout(NamedTuple):
    """How sequences are built: the numbers of special tokens, and what goes where."""

    first: int
    separator: int
    padding: int
    mode: int | None
    """A token in front of each text, with a separator after it."""
    types: bool
    """Whether token types distinguish the two texts of a sequence."""
    length: int
    """Tokens of a sequence at most, special ones included and variables not."""
    flow: int
    """Variables of a text at most."""

    def kept(self, sizes: Sequence[int]) -> list[int]:
        """How many tokens of each text of a sequence are kept; what one leaves, the other takes.

        Examples
        --------
        >>> layout = Layout(0, 2, 1, mode=None, types=False, length=13, flow=0)
        >>> layout.kept([3, 20]), layout.kept([20, 20]), layout.kept([20])
        ([3, 7], [5, 5], [11])
        """
        room = self.length - 1 - len(sizes) - (0 if self.mode is None else 2)
        if len(sizes) == 1:
            return [min(sizes[0], room)]
        one, two = sizes
        return [min(one, max(room // 2, room - two)), min(two, max(room - room // 2, room - one))]


class Sequences(NamedTuple):
    """A batch of sequences, padded.

    Attributes
    ----------
    tokens, types, positions : int64 tensors
        Positions count tokens from 1; 0 for variables, and -1 for padding.
    sees : bool tensor, sequences by length by length
        Which places each place sees; None without variables.
    """

    tokens: Tensor
    types: Tensor
    positions: Tensor
    sees: Tensor | None


def build_sequences(
    texts: Sequence[Sequence[TokenizedText]], layout: Layout, device: torch.device
) -> Sequences:
    """Sequences of one or two texts each."""
    rows = [_sequence(one, layout) for one in texts]
    width = max(len(tokens) + len(variables) for tokens, _, variables, _ in rows)
    shape = (len(rows), width)
    tokens = np.full(shape, layout.padding, np.int64)
    types, positions = np.zeros(shape, np.int64), np.full(shape, -1, np.int64)
    sees = np.zeros((*shape, width), bool) if layout.flow else None
    for i, (ids, kinds, variables, edges) in enumerate(rows):
        size, end = len(ids), len(ids) + len(variables)
        tokens[i, :size], types[i, :size] = ids, kinds
        positions[i, :size], positions[i, size:end] = np.arange(1, size + 1), 0
        if sees is None:
            continue
        sees[i, :size, :size] = True
        special = np.isin(ids, (layout.first, layout.separator))
        sees[i, :size][special, :end] = True
        for number, (start, stop) in enumerate(variables):
            sees[i, size + number, start:stop] = True
            sees[i, start:stop, size + number] = True
        for source, target in edges:
            sees[i, size + target, size + source] = True
    return Sequences(
        torch.from_numpy(tokens).to(device),
        torch.from_numpy(types).to(device),
        torch.from_numpy(positions).to(device),
        None if sees is None else torch.from_numpy(sees).to(device),
    )


def _sequence(
    texts: Sequence[TokenizedText], layout: Layout
) -> tuple[list[int], list[int], list[tuple[int, int]], list[tuple[int, int]]]:
    """Tokens with their types, and variables with their edges."""
    tokens, types = [layout.first], [0]
    variables: list[tuple[int, int]] = []
    edges: list[tuple[int, int]] = []
    if layout.mode is not None:
        tokens += [layout.mode, layout.separator]
        types += [0, 0]
    kept = layout.kept([len(one.tokens) for one in texts])
    for kind, (one, size) in enumerate(zip(texts, kept, strict=True)):
        shift = len(tokens)
        tokens += [*one.tokens[:size].tolist(), layout.separator]
        types += [kind if layout.types else 0] * (size + 1)
        if layout.flow:
            fits = np.flatnonzero(one.variables[:, 1] <= size)[: layout.flow].tolist()
            places = {old: len(variables) + new for new, old in enumerate(fits)}
            variables += [(shift + a, shift + b) for a, b in one.variables[fits].tolist()]
            edges += [
                (places[a], places[b]) for a, b in one.edges.tolist() if a in places and b in places
            ]
    return tokens, types, variables, edges


class TransformerNetwork(nn.Module):
    """The encoder of a checkpoint, and a classifier on its vectors where the form has one."""

    def __init__(self, encoder: nn.Module, layout: Layout, form: str) -> None:
        super().__init__()
        self.encoder, self.layout, self.form = encoder, layout, form
        config: Any = encoder.config
        width = int(config.hidden_size)
        self.head = None
        if form != "siamese":
            drop = float(getattr(config, "hidden_dropout_prob", 0.1))
            self.head = nn.Sequential(
                nn.Dropout(drop),
                nn.Linear(width if form == "pair" else 2 * width, width),
                nn.Tanh(),
                nn.Dropout(drop),
                nn.Linear(width, 1),
            )

    def vectors(self, texts: Sequence[Sequence[TokenizedText]], device: torch.device) -> Tensor:
        """A vector per sequence: the first, or with the form ``siamese`` the mean."""
        made = build_sequences(texts, self.layout, device)
        valid = made.positions > 0
        given: dict[str, Any] = {"attention_mask": valid.long()}
        if self.layout.types:
            given["token_type_ids"] = made.types
        if made.sees is None:
            given["input_ids"] = made.tokens
        else:
            given |= self._with_variables(made)
        found: Tensor = self.encoder(**given).last_hidden_state
        if self.form != "siamese":
            return found[:, 0]
        weight = valid.to(found.dtype).unsqueeze(2)
        return (found * weight).sum(1) / weight.sum(1)

    def _with_variables(self, made: Sequences) -> dict[str, Any]:
        """Embeddings, positions and mask of sequences with variables."""
        assert made.sees is not None
        encoder: Any = self.encoder
        table = encoder.get_input_embeddings()
        words = table(made.tokens)
        own = made.sees & (made.positions == 0)[:, :, None] & (made.positions > 0)[:, None, :]
        share = own.to(words.dtype)
        share = share / share.sum(2, keepdim=True).clamp(min=1)
        words = torch.where((made.positions == 0)[:, :, None], share @ words, words)
        pad = int(encoder.config.pad_token_id)
        positions = torch.where(made.positions > 0, made.positions + pad, 0)
        positions = torch.where(made.positions < 0, pad, positions)
        return {
            "inputs_embeds": words,
            "position_ids": positions,
            "attention_mask": _full_mask(made.sees, words.dtype),
            "token_type_ids": made.types,
        }

    def logits(self, first: Tensor, second: Tensor | None) -> Tensor:
        """What the classifier says, or with the form ``siamese`` the cosine."""
        if self.head is None:
            assert second is not None
            return nn.functional.cosine_similarity(first, second, dim=1)
        joined = first if second is None else torch.cat([first, second], 1)
        found: Tensor = self.head(joined).squeeze(1)
        return found

    def loss(self, logits: Tensor, label: Tensor) -> Tensor:
        """Cross entropy, or with the form ``siamese`` the squared error to 1 and -1."""
        if self.form == "siamese":
            return nn.functional.mse_loss(logits, 2 * label - 1)
        return nn.functional.binary_cross_entropy_with_logits(logits, label)


def _full_mask(sees: Tensor, dtype: torch.dtype) -> Tensor:
    """Which places see each other, as the installed version of transformers reads it."""
    if int(transformers_library("transformer").__version__.partition(".")[0]) < 5:
        return sees.long()
    hidden = torch.zeros(sees.shape, dtype=dtype, device=sees.device)
    return hidden.masked_fill(~sees, torch.finfo(dtype).min).unsqueeze(1)


@dataclass(eq=False)
class Transformer(Detector):
    """A pre-trained model, fine-tuned on pairs.

    Parameters
    ----------
    path : str
        A folder with a Hugging Face checkpoint: ``config.json``, a tokenizer, and weights as
        safetensors. Needed for fitting; a saved detector has all that it needs.
    form : str
        ``pair``, ``vectors`` or ``siamese``; see the top of the page.
    length : int
        Tokens of a sequence at most, special ones included. What is longer is cut, and the notes of
        a fitted detector say how many were.
    flow : int
        Variables of a text at most that are added with their data flow, 128 in GraphCodeBERT's
        program; 0 for none.
    epochs, patience, batch, rate, seed, preset, device
        As of other neural detectors. The learning rate is the highest one, of AdamW; words are
        those of the checkpoint with either preset.
    """

    name = "transformer"
    summary = "a pre-trained model from a local Hugging Face checkpoint, fine-tuned"

    path: str = ""
    form: str = "pair"
    length: int = 512
    flow: int = 0
    epochs: int = 2
    patience: int = 3
    batch: int = 16
    rate: float = 2e-5
    seed: int = 0
    preset: str = "default"
    device: str = field(default="auto", repr=False)

    network: TransformerNetwork | None = field(default=None, init=False, repr=False)
    tokenizer: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.check_choices(form=FORMS, preset=PRESETS)
        self.check_least(epochs=1, patience=1, batch=1, flow=0, length=16)
        # Of this detector it depends on a setting.
        self.__dict__["siamese"] = self.form == "siamese"

    def fit(
        self, corpus: Corpus, *, workers: int | None = None, progress: Progress | None = None
    ) -> Fitted:
        """Fine-tune on the pairs of a corpus; see :meth:`Detector.fit`."""
        sides = {side: labelled(corpus, side) for side in ("train", "validation")}
        if self.preset == "paper":
            test = needed_test_pairs(self.name, pairs_of_side(corpus, "test"))
            sides["test"] = check_labels(test, self.name, "test")
        train, validation = sides["train"], sides["validation"]
        begun = time.perf_counter()
        device = device_of(self.device)
        shorter = f", a smaller length than {self.length}"
        with torch.random.fork_rng(), memory_errors(self, training=True, smaller=shorter):
            torch.manual_seed(self.seed)
            self._load_checkpoint()
            texts = self._tokenized(corpus.snippets, workers)
            network = self._fitted_network().to(device)
            fitted = self._train(network, texts, sides, progress)
            scores = self._scored(texts, validation.first, validation.second)
        _, notes = fit_threshold(self, scores, validation)
        self.languages = languages_of(corpus.snippets, train)
        if self.preset == "paper":
            notes.append(EPOCH_BY_TEST)
        notes = [self._cut_share(texts, train), *notes]
        seconds = round(time.perf_counter() - begun, 3)
        self.fitted = replace(fitted, seconds=seconds, notes=tuple(notes))
        network.cpu().eval()
        return self.fitted

    def _cut_share(self, texts: Sequence[TokenizedText], pairs: LabelledPlaces) -> str:
        """How many texts do not fit in sequences."""
        layout = self._fitted_network().layout
        sizes = [len(one.tokens) for one in texts]
        if self.form == "pair":
            ends = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
            asked, what = [[sizes[i], sizes[j]] for i, j in ends], "training pairs"
        else:
            used = np.unique(np.concatenate([pairs.first, pairs.second])).tolist()
            asked, what = [[sizes[i]] for i in used], "training snippets"
        cut = sum(layout.kept(one) != one for one in asked)
        share = 100 * cut / len(asked)
        return f"{share:.1f} % of {len(asked):,} {what} are cut to {layout.length} tokens"

    def _load_checkpoint(self) -> None:
        """Read the checkpoint; the network, with a fresh classifier, and the tokenizer."""
        read = read_checkpoint(self.name, self.path, attention="eager" if self.flow else None)
        special = {
            "first": _either(read.tokenizer.cls_token_id, read.tokenizer.bos_token_id),
            "separator": _either(read.tokenizer.sep_token_id, read.tokenizer.eos_token_id),
            "padding": read.tokenizer.pad_token_id,
        }
        lacking = [name for name, value in special.items() if value is None]
        if lacking:
            raise CodekinError(
                f"{read.folder}: its tokenizer has no special token for {', '.join(lacking)}"
            )
        self._build(read.encoder, read.tokenizer.backend_tokenizer.to_str(), special)

    def _build(self, encoder: Any, tokenizer: str, special: Mapping[str, int]) -> None:
        """The network around an encoder, and the tokenizer."""
        from tokenizers import Tokenizer

        if isinstance(getattr(encoder, "pooler", None), nn.Module):
            encoder.pooler = None  # trained for another task, and not used here
        config = encoder.config
        if self.flow and config.model_type != "roberta":
            raise CodekinError(
                f"{self.name}: flow needs a model of the kind of RoBERTa, such as GraphCodeBERT, "
                f"and this one is {config.model_type}; leave it out"
            )
        most = getattr(config, "max_position_embeddings", None)
        if most is not None and config.model_type in ("roberta", "camembert", "xlm-roberta"):
            most -= int(config.pad_token_id) + 1
        if most is not None and self.length > most:
            raise CodekinError(
                f"{self.name}: length={self.length}, and the model reads {most} tokens at most"
            )
        self.tokenizer = Tokenizer.from_str(tokenizer)
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        layout = Layout(
            first=int(special["first"]),
            separator=int(special["separator"]),
            padding=int(special["padding"]),
            mode=self.tokenizer.token_to_id(_MODE) if self.form != "pair" else None,
            types=self.form == "pair" and int(getattr(config, "type_vocab_size", 0) or 0) > 1,
            length=self.length,
            flow=self.flow,
        )
        self.network = TransformerNetwork(encoder, layout, self.form)

    def _tokenized(self, snippets: Sequence[Snippet], workers: int | None) -> list[TokenizedText]:
        """Snippets as tokens, with their variables where they are wanted."""
        flows: Iterator[tuple[Ints, Ints]] | None = None
        if self.flow:
            from codekin.corpora.each_snippet import each_snippet

            flows = each_snippet(variable_flow, snippets, workers=workers)
        nothing = np.zeros((0, 2), np.int64)
        found = []
        for i in range(0, len(snippets), _TEXTS):
            codes = [
                one.code.encode("utf-8", "replace").decode() for one in snippets[i : i + _TEXTS]
            ]
            for made in self.tokenizer.encode_batch(codes, add_special_tokens=False):
                tokens = np.array(made.ids, np.int64)
                if flows is None:
                    found.append(TokenizedText(tokens, nothing, nothing))
                else:
                    spans, edges = next(flows)
                    found.append(_with_flow(tokens, np.array(made.offsets, np.int64), spans, edges))
        return found

    def _train(
        self,
        network: TransformerNetwork,
        texts: Sequence[TokenizedText],
        sides: Mapping[str, LabelledPlaces],
        progress: Progress | None,
    ) -> Fitted:
        """Train until the last epoch; the weights of the best one stay."""
        train = sides["train"]
        device = device_of(self.device)
        steps = self.epochs * math.ceil(len(train) / self.batch)
        rising = max(1, round(_WARM_UP * steps))
        optimizer = torch.optim.AdamW(network.parameters(), self.rate, weight_decay=0.0)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda i: min((i + 1) / rising, (steps - i) / max(1, steps - rising))
        )

        def backward(pairs: LabelledPlaces) -> Tensor:
            label = torch.from_numpy(pairs.label.astype(np.float32)).to(device)
            ends = pairs.first.tolist(), pairs.second.tolist()
            loss = network.loss(_logits(network, texts, *ends, device), label)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_GRADIENT)
            return loss.detach() * len(pairs)

        return train_epochs(
            *(self, network, optimizer, sides, backward),
            lambda pairs: self._precision(texts, pairs),
            schedule=schedule,
            turned=True,
            progress=progress,
        )

    def _precision(self, texts: Sequence[TokenizedText], pairs: LabelledPlaces) -> float:
        """The average precision on those of some pairs that have a score."""
        found = self._scored(texts, pairs.first, pairs.second)
        known = ~np.isnan(found)
        return average_precision(found[known].astype(np.float64), pairs.label[known])

    def score_pairs(
        self,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
        *,
        workers: int | None = None,
    ) -> Scores:
        """How likely each pair is a clone; see :meth:`Detector.score_pairs`."""
        network = self._fitted_network()
        used, first, second = used_snippets(snippets, first, second)
        texts = self._tokenized(used, workers)
        with on_device(self, network):
            return self._scored(texts, first, second)

    def _scored(self, texts: Sequence[TokenizedText], first: Places, second: Places) -> Scores:
        """The probability of each pair, in batches of sequences of one size."""
        network, device = self._fitted_network().eval(), device_of(self.device)
        both = np.sort(np.stack([first, second], axis=1).astype(np.int64), axis=1)
        pairs, back = np.unique(both, axis=0, return_inverse=True)
        found = np.empty(len(pairs))
        with torch.inference_mode():
            if self.form == "pair":
                sizes = _costs([[i, j] for i, j in pairs.tolist()], texts, network.layout)
                for chosen in _batches(sizes, device):
                    both = pairs[chosen].T.tolist()
                    one, two = (
                        _logits(network, texts, a, b, device).sigmoid()
                        for a, b in (both, both[::-1])
                    )
                    found[chosen] = ((one + two) / 2).double().cpu().numpy()
            else:
                used = np.unique(pairs)
                vectors = self._vectors([texts[i] for i in used.tolist()])
                for i in range(0, len(pairs), 1 << 14):
                    places = torch.from_numpy(np.searchsorted(used, pairs[i : i + (1 << 14)]))
                    one, two = (vectors[places[:, side].to(device)] for side in (0, 1))
                    found[i : i + (1 << 14)] = _probability(network, one, two).cpu().numpy()
        scores: Scores = found[back.reshape(-1)].astype(np.float32)
        empty = np.array([not len(one.tokens) for one in texts], bool)
        scores[empty[first] | empty[second]] = np.nan
        return scores

    def _vectors(self, texts: Sequence[TokenizedText]) -> Tensor:
        """A vector per text, in batches of texts of one size."""
        network, device = self._fitted_network().eval(), device_of(self.device)
        config: Any = network.encoder.config
        found = torch.empty((len(texts), int(config.hidden_size)), device=device)
        sizes = _costs([[i] for i in range(len(texts))], texts, network.layout)
        for chosen in _batches(sizes, device):
            vectors = network.vectors([[texts[i]] for i in chosen.tolist()], device)
            found[torch.from_numpy(chosen).to(device)] = vectors
        return found

    def encode(
        self, snippets: Sequence[Snippet], *, workers: int | None = None
    ) -> npt.NDArray[np.float32]:
        """A vector per snippet; only with the form ``siamese``."""
        network = self._fitted_network()
        if self.form != "siamese":
            raise CodekinError(
                f"{self.name}: form={self.form} needs both snippets of a pair, so it cannot encode "
                "one; fit it with form=siamese"
            )
        texts = self._tokenized(snippets, workers)
        with on_device(self, network):
            found: npt.NDArray[np.float32] = self._vectors(texts).float().cpu().numpy()
        return found

    def compare_vectors(
        self, first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        """How likely snippets are clones; see :meth:`Detector.compare_vectors`."""
        if self.form != "siamese":
            raise CodekinError(f"{self.name}: form={self.form} needs both snippets, not vectors")
        one, two = (nn.functional.normalize(torch.from_numpy(part)) for part in (first, second))
        found: npt.NDArray[np.float32] = ((1 + one @ two.T) / 2).clamp(0, 1).numpy()
        return found

    def _fitted_network(self) -> TransformerNetwork:
        if self.network is None:
            raise CodekinError(f"{self.name}: was not fitted; fit it, or load a trained one")
        return self.network

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Configuration, tokenizer and weights: the checkpoint is not needed any more."""
        network = self._fitted_network()
        config: Any = network.encoder.config
        document = {
            "config": json.loads(config.to_json_string(use_diff=False)),
            "tokenizer": self.tokenizer.to_str(),
            "special": {
                name: getattr(network.layout, name) for name in ("first", "separator", "padding")
            },
        }
        weights = network.state_dict()
        return document, {name: one.detach().cpu().numpy() for name, one in weights.items()}

    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Take over configuration, tokenizer and weights."""
        library = transformers_library("transformer")
        given = {k: v for k, v in document["config"].items() if k != "auto_map"}
        check_size(given, sum(array.size for array in arrays.values()))
        with quiet(library), torch.random.fork_rng():
            config = encoder_config(library.AutoConfig.for_model(given.pop("model_type"), **given))
            for device in ("meta", "cpu"):  # the first takes no memory, whatever the file says
                with torch.device(device):
                    encoder = library.AutoModel.from_config(
                        config,
                        trust_remote_code=False,
                        attn_implementation="eager" if self.flow else None,
                    )
                    self._build(encoder.float(), str(document["tokenizer"]), document["special"])
                check_shapes(self._fitted_network(), arrays)
        network = self._fitted_network()
        words = int(config.vocab_size)
        ids = [*self.tokenizer.get_vocab().values(), *document["special"].values()]
        if not all(0 <= number < words for number in ids):
            raise ValueError("its tokenizer has tokens that the model does not know")
        load_weights(network, arrays)
        nothing = np.zeros((0, 2), np.int64)
        word = TokenizedText(np.zeros(1, np.int64), nothing, nothing)
        with torch.inference_mode():  # whatever else does not fit fails here
            network.vectors([[word] * (2 if self.form == "pair" else 1)], torch.device("cpu"))


def _logits(
    network: TransformerNetwork,
    texts: Sequence[TokenizedText],
    first: Sequence[int],
    second: Sequence[int],
    device: torch.device,
) -> Tensor:
    """What the network says of pairs, in this order; each text is encoded once."""
    if network.form == "pair":
        both = [[texts[i], texts[j]] for i, j in zip(first, second, strict=True)]
        return network.logits(network.vectors(both, device), None)
    used, places = np.unique(np.array([*first, *second]), return_inverse=True)
    vectors = network.vectors([[texts[i]] for i in used.tolist()], device)
    ends = torch.from_numpy(places.reshape(2, -1)).to(device)
    return network.logits(vectors[ends[0]], vectors[ends[1]])


def _probability(network: TransformerNetwork, one: Tensor, two: Tensor) -> Tensor:
    """Scores from 0 to 1 of pairs of vectors, the same in either order."""
    if network.form == "siamese":
        return ((1 + network.logits(one, two)) / 2).clamp(0, 1).double()
    there, back = network.logits(one, two).sigmoid(), network.logits(two, one).sigmoid()
    return ((there + back) / 2).double()


def _costs(
    sequences: Sequence[Sequence[int]], texts: Sequence[TokenizedText], layout: Layout
) -> Ints:
    """What sequences cost, which grows with the square of their lengths."""
    sizes = []
    for one in sequences:
        kept = layout.kept([len(texts[i].tokens) for i in one])
        variables = sum(min(layout.flow, len(texts[i].variables)) for i in one)
        sizes.append(sum(kept) + len(one) + 3 + variables)
    lengths = np.array(sizes, np.int64)
    return lengths * (lengths // 8 + 32)


def _batches(costs: Ints, device: torch.device) -> Iterator[Ints]:
    """Places of sequences, short ones first, with a budget per batch."""
    budget = _BUDGET if device.type == "cuda" else _BUDGET // 10
    order = np.argsort(costs, kind="stable")
    start = 0
    while start < len(order):
        end = start + 1
        # All are padded to the longest, which is the last.
        while end < len(order) and costs[order[end]] * (end + 1 - start) <= budget:
            end += 1
        yield order[start:end]
        start = end


def variable_flow(language: str, code: str) -> tuple[Ints, Ints]:
    """The variables of a snippet that have data flow, and their edges.

    Returns
    -------
    int64 array, variables by two
        Where each occurrence of a variable begins and ends, in characters.
    int64 array, edges by two
        From an occurrence to the next use of the same variable, as places among them.
    """
    from codekin.detectors.preparing import _kept_nodes, read_snippet
    from codekin.represent.text.positions import Positions
    from codekin.source import Source

    read = read_snippet(language, code, leaves=True)
    wanted = read["flow_kind"] == FLOWS.index("next use")
    start, end = read["flow_from"][wanted], read["flow_to"][wanted]
    source = Source(code, language)
    tree = source.tree
    nodes = np.flatnonzero(_kept_nodes(tree)[0])
    used, places = np.unique(np.stack([start, end]), return_inverse=True)
    positions = Positions(source.data)
    spans = [
        (positions.characters(a), positions.characters(b))
        for a, b in zip(
            tree.start[nodes[used]].tolist(), tree.end[nodes[used]].tolist(), strict=True
        )
    ]
    edges = places.reshape(2, -1).T.astype(np.int64)
    return np.array(spans, np.int64).reshape(-1, 2), edges


def _with_flow(tokens: Ints, offsets: Ints, spans: Ints, edges: Ints) -> TokenizedText:
    """Variables by the tokens that have their characters, without those that have none."""
    begins, ends = offsets.reshape(-1, 2).T
    first = np.searchsorted(ends, spans[:, 0], side="right")
    last = np.searchsorted(begins, spans[:, 1], side="left")
    found = last > first
    moved = np.cumsum(found) - 1
    kept = found[edges].all(axis=1) if len(edges) else np.zeros(0, bool)
    variables = np.stack([first, last], axis=1)[found].astype(np.int64)
    return TokenizedText(tokens, variables, moved[edges[kept]].reshape(-1, 2))


def _either(one: int | None, two: int | None) -> int | None:
    return two if one is None else one
