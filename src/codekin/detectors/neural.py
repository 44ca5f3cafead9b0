"""Neural detectors: networks over prepared snippets, the loop that trains them, and scoring.

Everything that works on prepared snippets needs numpy and torch alone, so that a machine with a GPU
and nothing else can train.
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.detector import (
    PRESETS,
    WORDS_OF_ALL,
    ArrayDetector,
    Arrays,
    Fitted,
    LabelledPlaces,
    Places,
    Progress,
    Scores,
    check_labels,
)
from codekin.detectors.epochs import (
    EPOCH_BY_TEST,
    Trained,
    memory_errors,
    needed_test_pairs,
    train_epochs,
)
from codekin.detectors.prepared import Prepared
from codekin.errors import CodekinError
from codekin.statistics.classification import average_precision, best_threshold

if TYPE_CHECKING:
    from codekin.corpora.snippets import Snippet

__all__ = [
    "BagNetwork",
    "Network",
    "NeuralDetector",
    "Ragged",
    "SiameseNetwork",
    "begins",
    "check_shapes",
    "cosine",
    "device_of",
    "load_weights",
    "max_pool",
    "on_device",
    "word_places",
]


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of different lengths, one after the other.

    Attributes
    ----------
    offsets : int64 tensor
        Where each row begins, and the end of the last.
    """

    offsets: Tensor

    def lengths(self, chosen: Tensor) -> Tensor:
        """The lengths of some rows."""
        return self.offsets[chosen + 1] - self.offsets[chosen]

    def take(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """The elements of some rows, and the place in `chosen` that each belongs to.

        Examples
        --------
        >>> rows = Ragged(torch.tensor([0, 2, 2, 5]))
        >>> [part.tolist() for part in rows.take(torch.tensor([2, 0]))]
        [[2, 3, 4, 0, 1], [0, 0, 0, 1, 1]]
        """
        lengths = self.lengths(chosen)
        owner = torch.repeat_interleave(lengths)
        ends = torch.cumsum(lengths, 0)
        begin = self.offsets[chosen] - (ends - lengths)
        return torch.arange(len(owner), device=owner.device) + begin[owner], owner


def begins(lengths: Tensor) -> Tensor:
    """Where groups of some lengths begin, one after the other."""
    return torch.cumsum(lengths, 0) - lengths


def max_pool(values: Tensor, places: Tensor, starts: Tensor) -> Tensor:
    """The greatest of each column over the rows of each group; 0 for a group of none.

    Parameters
    ----------
    values : tensor
        Rows.
    places : int64 tensor
        The rows of the first group, then those of the second, and so on.
    starts : int64 tensor
        Where each group begins in `places`.

    Examples
    --------
    >>> rows = torch.tensor([[1.0, 5.0], [2.0, 3.0]])
    >>> max_pool(rows, torch.tensor([0, 1, 1]), torch.tensor([0, 2, 2])).tolist()
    [[2.0, 5.0], [0.0, 0.0], [2.0, 3.0]]
    """
    return nn.functional.embedding_bag(places, values, starts, mode="max")


def word_places(prepared: Prepared, words: Sequence[str]) -> npt.NDArray[np.int64]:
    """The place of each word of prepared snippets in a table, from 1 on; 0 for unknown words."""
    known = {word: i for i, word in enumerate(words, 1)}
    return np.array([known.get(word, 0) for word in prepared.words], np.int64)


def cosine(first: Tensor, second: Tensor) -> Tensor:
    """The cosine between the rows of two tensors; 0 where a row is all zeros."""
    norms = [torch.linalg.vector_norm(rows, dim=1).clamp(min=1e-8) for rows in (first, second)]
    found: Tensor = torch.linalg.vecdot(first, second) / norms[0] / norms[1]
    return found


class Network(nn.Module):
    """What a neural detector trains.

    `inputs` is computed once from prepared snippets and stays on the device; whatever does not
    depend on weights belongs there.
    """

    @abstractmethod
    def inputs(self, prepared: Prepared, device: torch.device) -> Any:
        """What the network reads of all snippets, as tensors on a device."""

    @abstractmethod
    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """What each snippet costs to encode, as a number of rows; batches are cut by it."""

    @abstractmethod
    def raw_scores(self, inputs: Any, first: Tensor, second: Tensor) -> Tensor:
        """A number per pair, higher for clones, that :meth:`loss` and :meth:`probability` read.

        Parameters
        ----------
        inputs : Any
            Of all snippets.
        first, second : int64 tensors
            The snippets of each pair.
        """

    def loss(self, scores: Tensor, label: Tensor) -> Tensor:
        """What training makes small; by default the squared error of a cosine to 1 and -1."""
        return nn.functional.mse_loss(scores, 2 * label - 1)

    def probability(self, scores: Tensor) -> Tensor:
        """Scores from 0 to 1; by default of a cosine."""
        return ((1 + scores) / 2).clamp(0, 1)


class SiameseNetwork(Network):
    """A network that encodes each snippet by itself."""

    @abstractmethod
    def encode(self, inputs: Any, chosen: Tensor) -> Tensor:
        """A vector per chosen snippet."""

    def compare(self, first: Tensor, second: Tensor) -> Tensor:
        """A number per pair of vectors; by default their cosine."""
        return cosine(first, second)

    def compare_all(self, first: Tensor, second: Tensor) -> Tensor:
        """A number for each of some vectors with each of others; by default their cosines."""
        unit = [nn.functional.normalize(one, dim=1, eps=1e-8) for one in (first, second)]
        return unit[0] @ unit[1].T

    def raw_scores(self, inputs: Any, first: Tensor, second: Tensor) -> Tensor:
        """Encode the snippets of the pairs, each once, and compare."""
        chosen, places = torch.unique(torch.cat([first, second]), return_inverse=True)
        vectors = self.encode(inputs, chosen)
        # Unlike that of vectors[places], its gradient is added up in the same order every time.
        pairs = vectors.index_select(0, places)
        return self.compare(pairs[: len(first)], pairs[len(first) :])


class BagNetwork(SiameseNetwork):
    """A network that reads a snippet as a bag of words; `rows` of its inputs are the bags."""

    @abstractmethod
    def encode_bags(self, inputs: Any, places: Tensor, starts: Tensor) -> Tensor:
        """A vector per bag.

        Parameters
        ----------
        inputs : Any
            Of all snippets.
        places : int64 tensor
            The words of the first bag, then those of the second, and so on, as places in `inputs`.
        starts : int64 tensor
            Where each bag begins in `places`.
        """

    def encode(self, inputs: Any, chosen: Tensor) -> Tensor:
        """A vector per snippet."""
        places, _ = inputs.rows.take(chosen)
        return self.encode_bags(inputs, places, begins(inputs.rows.lengths(chosen)))


@dataclass(eq=False)
class NeuralDetector(ArrayDetector):
    """A detector with a network.

    Parameters
    ----------
    epochs : int
        Passes over the training pairs at most.
    patience : int
        Training ends after this number of epochs without a better average precision on validation.
    batch : int
        Pairs per step.
    rate : float
        The learning rate, of Adam.
    seed : int
        Of the first weights, and of the order of pairs.
    preset : str
        ``default``, or ``paper``: words from all code, not from training alone, and the epoch that
        is best on test pairs, as the authors' programs have it; a result is then not comparable.
    device : str
        ``auto`` for a GPU if there is one, or any name that torch knows.
    """

    learns_words: ClassVar[bool] = True
    """Whether it has a table of words, which must come from training alone."""

    epochs: int = 10
    patience: int = 3
    batch: int = 512
    rate: float = 1e-3
    seed: int = 0
    preset: str = "default"
    device: str = field(default="auto", repr=False)

    words: tuple[str, ...] = field(default=(), init=False, repr=False)
    trained: Network | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.check_choices(preset=PRESETS)
        counts = [k for k, value in self.settings().items() if type(value) is int and k != "seed"]
        self.check_least(**dict.fromkeys(counts, 1))
        if not 0 < self.rate < math.inf:
            raise CodekinError(f"{self.name}: rate must be a positive number")

    @abstractmethod
    def make_network(self) -> Network:
        """A network with fresh weights, for `words` where it learns words."""

    def learn_words(self, prepared: Prepared, train: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        """The table of words; by default all of the training snippets, frequent ones first.

        Equally frequent ones are in alphabetical order, so that other snippets change nothing.
        """
        counts = prepared.words_in(train)
        found = np.flatnonzero(counts).tolist()
        return tuple(
            word for _, word in sorted((-int(counts[i]), prepared.words[i]) for i in found)
        )

    def fit_prepared(
        self,
        prepared: Prepared,
        train: LabelledPlaces,
        validation: LabelledPlaces,
        *,
        test: LabelledPlaces | None = None,
        progress: Progress | None = None,
    ) -> Fitted:
        """Learn from pairs of prepared snippets; see :meth:`ArrayDetector.fit_prepared`.

        With ``preset=paper`` the epoch is chosen by the test pairs, which are needed then.

        Raises
        ------
        CodekinError
            If a side that is read has no pairs, or only pairs of one label.
        """
        begun = time.perf_counter()
        sides = {"train": train, "validation": validation}
        if self.preset == "paper":
            sides["test"] = needed_test_pairs(self.name, test)
        sides, notes = _with_code(prepared, sides)
        for side, pairs in sides.items():
            check_labels(pairs, self.name, side)
        train, validation = sides["train"], sides["validation"]
        used = self.take_languages(prepared, train)
        everything = self.preset == "paper"
        if self.learns_words:
            known = np.ones(len(prepared), bool) if everything else used
            self.words = self.learn_words(prepared, known)
        device = device_of(self.device)
        with _seeded(self.seed), memory_errors(self, training=True):
            network = self.make_network().to(device)
            fitted = _train(network, self, prepared, sides, device, progress)
            self.trained = network.cpu().eval()
            scores = self.score_prepared(prepared, validation.first, validation.second)
        self.threshold = self.choose_threshold(scores, validation.label)
        if everything and self.learns_words:
            notes.append(WORDS_OF_ALL)
        if everything:
            notes.append(EPOCH_BY_TEST)
        seconds = round(time.perf_counter() - begun, 3)
        self.fitted = replace(fitted, seconds=seconds, notes=tuple(notes))
        return self.fitted

    def choose_threshold(self, scores: Scores, label: npt.NDArray[np.bool_]) -> float:
        """The threshold, by default the one that is best on validation pairs."""
        return best_threshold(scores.astype(np.float64), label).value

    def score_prepared(self, prepared: Prepared, first: Places, second: Places) -> Scores:
        """How likely each pair of prepared snippets is a clone; nan where one is empty.

        Parameters
        ----------
        prepared : Prepared
        first, second : int32 arrays
        """
        network = self._fitted_network()
        with on_device(self, network) as device:
            inputs, sizes = network.inputs(prepared, device), network.sizes(prepared)
            found = score_all(network, inputs, sizes, first, second, device)
        empty = np.diff(prepared.nodes) == 0
        found[empty[first] | empty[second]] = np.nan
        return found

    def encode_prepared(self, prepared: Prepared) -> npt.NDArray[np.float32]:
        """A vector per prepared snippet; only of siamese detectors."""
        network = self._fitted_network()
        if not isinstance(network, SiameseNetwork):
            return super().encode(())
        with on_device(self, network) as device:
            inputs, sizes = network.inputs(prepared, device), network.sizes(prepared)
            vectors = encode_all(network, inputs, sizes, np.arange(len(prepared)), device)
        found: npt.NDArray[np.float32] = vectors.float().cpu().numpy()
        return found

    def encode(
        self, snippets: Sequence[Snippet], *, workers: int | None = None
    ) -> npt.NDArray[np.float32]:
        """A vector per snippet; only of siamese detectors."""
        from codekin.detectors.preparing import prepare_snippets

        return self.encode_prepared(prepare_snippets(snippets, workers=workers))

    def compare_vectors(
        self, first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        """How likely snippets are clones; see :meth:`Detector.compare_vectors`."""
        network = self._fitted_network()
        if not isinstance(network, SiameseNetwork):
            return super().compare_vectors(first, second)
        with torch.inference_mode():
            raw = network.compare_all(torch.from_numpy(first), torch.from_numpy(second))
            found: npt.NDArray[np.float32] = network.probability(raw).numpy()
        return found

    def _fitted_network(self) -> Network:
        if self.trained is None:
            raise CodekinError(f"{self.name}: was not fitted; fit it, or load a trained one")
        return self.trained

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The words, and the weights."""
        weights = self._fitted_network().state_dict()
        arrays = {name: one.detach().cpu().numpy() for name, one in weights.items()}
        return {"words": list(self.words)}, arrays

    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Take over words and weights."""
        self.words = tuple(map(str, document["words"]))
        with torch.device("meta"):  # which takes no memory, whatever the settings say
            check_shapes(self.make_network(), arrays)
        with _seeded(self.seed):
            network = self.make_network()
        load_weights(network, arrays)
        self.trained = network


@contextmanager
def on_device(one: Trained, network: nn.Module) -> Iterator[torch.device]:
    """A network where it scores, without gradients; afterwards it is on the processor again."""
    device = device_of(one.device)
    network.to(device).eval()
    try:
        with torch.inference_mode(), memory_errors(one, training=False):
            yield device
    finally:
        network.cpu()


def load_weights(network: nn.Module, arrays: Arrays) -> None:
    """Give a network its weights, of shapes that were checked, and leave it ready to score."""
    network.load_state_dict({name: torch.from_numpy(np.array(one)) for name, one in arrays.items()})
    network.eval()


def check_shapes(network: nn.Module, arrays: Arrays) -> None:
    """Refuse arrays that are not the weights of a network."""
    wanted = {name: tuple(one.shape) for name, one in network.state_dict().items()}
    given = {name: one.shape for name, one in arrays.items()}
    for name in sorted(wanted.keys() | given.keys()):
        if wanted.get(name) != given.get(name):
            raise ValueError(
                f"the weights {name} have the shape {given.get(name)}, not {wanted.get(name)}"
            )


def _with_code(
    prepared: Prepared, sides: Mapping[str, LabelledPlaces]
) -> tuple[dict[str, LabelledPlaces], list[str]]:
    """The pairs without those that have an empty snippet, and a note on how many these are."""
    empty = np.diff(prepared.nodes) == 0
    kept = {}
    for side, pairs in sides.items():
        whole = ~(empty[pairs.first] | empty[pairs.second])
        kept[side] = LabelledPlaces(pairs.first[whole], pairs.second[whole], pairs.label[whole])
    lost = sum(map(len, sides.values())) - sum(map(len, kept.values()))
    notes = [f"{lost:,} pairs have an empty snippet and were left out"] if lost else []
    return kept, notes


def device_of(name: str) -> torch.device:
    """The device of a name; ``auto`` is a GPU if there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        found = torch.device(name)
    except RuntimeError:
        raise CodekinError(f"unknown device {name!r}; say auto, cpu or cuda") from None
    if found.type == "cuda" and not torch.cuda.is_available():
        raise CodekinError(f"device {name}: torch sees no GPU; say cpu, or leave it out")
    return found


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """First weights and dropout by a seed, without touching anybody else's random numbers."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def _train(
    network: Network,
    settings: NeuralDetector,
    prepared: Prepared,
    sides: Mapping[str, LabelledPlaces],
    device: torch.device,
    progress: Progress | None,
) -> Fitted:
    """Train until the last epoch; the weights of the best one stay."""
    inputs, sizes = network.inputs(prepared, device), network.sizes(prepared)
    budget = _row_budget(network, device)

    def backward(pairs: LabelledPlaces) -> Tensor:
        ends = np.stack([pairs.first, pairs.second]).astype(np.int64)
        first, second = torch.from_numpy(ends).to(device)
        label = torch.from_numpy(pairs.label.astype(np.float32)).to(device)
        total = torch.zeros((), device=device)
        # A batch that is too large for the memory goes in pieces, whose gradients add up.
        for piece in _pieces(sizes[pairs.first] + sizes[pairs.second], budget):
            scores = network.raw_scores(inputs, first[piece], second[piece])
            loss = network.loss(scores, label[piece]) * (len(scores) / len(pairs))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach() * len(pairs)
        return total

    def precision(pairs: LabelledPlaces) -> float:
        network.eval()
        with torch.inference_mode():
            found = score_all(network, inputs, sizes, pairs.first, pairs.second, device)
        return average_precision(found.astype(np.float64), pairs.label)

    optimizer = torch.optim.Adam(network.parameters(), settings.rate)
    return train_epochs(settings, network, optimizer, sides, backward, precision, progress=progress)


_ROWS = 2_000_000
"""Rows (mostly nodes) that are encoded at a time on a GPU; a tenth of that on a CPU."""
_PAIRS = 1 << 16
"""Pairs that are compared at a time on a GPU; on a CPU fewer, whose vectors fit in its cache."""


def encode_all(
    network: SiameseNetwork,
    inputs: Any,
    sizes: npt.NDArray[np.int64],
    snippets: npt.NDArray[np.int64],
    device: torch.device,
) -> Tensor:
    """The vectors of some snippets, in pieces that fit in memory."""
    # Snippets of one size go together, since some networks pad.
    sizes = sizes[snippets]
    order = np.argsort(sizes, kind="stable")
    parts = []
    for piece in _pieces(sizes[order], _row_budget(network, device)):
        chosen = torch.from_numpy(snippets[order[piece]]).to(device)
        parts.append(network.encode(inputs, chosen))
    if not parts:
        return network.encode(inputs, torch.empty(0, dtype=torch.long, device=device))
    vectors = torch.cat(parts)
    back = torch.empty(len(order), dtype=torch.long, device=device)
    back[torch.from_numpy(order.copy()).to(device)] = torch.arange(len(order), device=device)
    return vectors[back]


def score_all(
    network: Network,
    inputs: Any,
    sizes: npt.NDArray[np.int64],
    first: Places,
    second: Places,
    device: torch.device,
) -> Scores:
    """The probability of each pair, in pieces that fit in memory."""
    found = torch.empty(len(first), device=device)
    if isinstance(network, SiameseNetwork):
        used, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        vectors = encode_all(network, inputs, sizes, used.astype(np.int64), device)
        ends = torch.from_numpy(places.reshape(2, -1)).to(device)
        count = _PAIRS if device.type == "cuda" else max(1, _PAIRS // 16)
        for start in range(0, len(first), count):
            part = slice(start, start + count)
            found[part] = network.compare(vectors[ends[0, part]], vectors[ends[1, part]])
    else:
        ends = torch.from_numpy(np.stack([first, second]).astype(np.int64)).to(device)
        # Pairs of a size go together.
        costs = sizes[first] + sizes[second]
        order = np.argsort(costs, kind="stable")
        for piece in _pieces(costs[order], _row_budget(network, device)):
            chosen = torch.from_numpy(order[piece].copy()).to(device)
            found[chosen] = network.raw_scores(inputs, ends[0, chosen], ends[1, chosen])
    scores: Scores = network.probability(found).float().cpu().numpy()
    return scores


def _row_budget(network: Network, device: torch.device) -> int:
    """Rows that fit in memory at a time; fewer where all pairs are encoded, each by itself."""
    rows = _ROWS if device.type == "cuda" else _ROWS // 10
    return rows if isinstance(network, SiameseNetwork) else rows // 4


def _pieces(costs: npt.NDArray[np.int64], budget: int) -> Iterator[slice]:
    """Consecutive elements that cost at most a budget together, or one that costs more alone.

    Examples
    --------
    >>> [(one.start, one.stop) for one in _pieces(np.array([3, 3, 9, 1, 2, 4]), 7)]
    [(0, 2), (2, 3), (3, 6)]
    """
    ends = np.cumsum(np.maximum(costs, 1))
    start = 0
    while start < len(ends):
        passed = int(ends[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(ends, passed + budget, side="right")))
        yield slice(start, end)
        start = end
