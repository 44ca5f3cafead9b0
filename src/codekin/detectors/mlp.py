"""``mlp``: how often each word of the syntax tree occurs, and three fully connected layers.

The baseline of Li et al.: a model that sees words alone. The paper's text and the
authors' program are two different networks, and `form` chooses.

``code``, the default
    The program: counts of words, layers of 256, 256 and 100 units, a leaky ReLU after each, and the
    threshold of the cosine from validation, as for every detector here.
``text``
    The paper: whether each word occurs (a one-hot bag of words), layers of 100, 100 and 50 units, a
    sigmoid after each, and the threshold fixed at a cosine of 0. Vectors of sigmoids have no
    negative numbers, so their cosine is never below 0, and every pair is a clone. The order of the
    scores still means something, so average precision does too.

The program takes its words from all code; here they come from training alone unless
``preset=paper``. Words that training did not have count for nothing.

References
----------
Li, Gao and Zhang, Assessing and improving dataset and evaluation methodology in deep learning for
code clone detection, ISSRE 2023.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.detector import Scores
from codekin.detectors.neural import BagNetwork, NeuralDetector, Ragged, word_places
from codekin.detectors.prepared import Prepared, spread

__all__ = ["Mlp"]


class _Form(NamedTuple):
    widths: tuple[int, ...]
    activation: Callable[[Tensor], Tensor]
    counts: bool


_FORMS = {
    "code": _Form((256, 256, 100), nn.functional.leaky_relu, counts=True),
    "text": _Form((100, 100, 50), torch.sigmoid, counts=False),
}


class _Inputs(NamedTuple):
    """The bag of words of each snippet: each known word once, and how often it occurs."""

    rows: Ragged
    word: Tensor
    times: Tensor


class MlpNetwork(BagNetwork):
    """Fully connected layers over a bag of words; the first one sums the rows of its words."""

    def __init__(self, words: tuple[str, ...], form: _Form) -> None:
        super().__init__()
        self.words, self.form = words, form
        bound = max(1, len(words)) ** -0.5
        self.table = nn.Parameter(torch.empty(max(1, len(words)), form.widths[0]))
        self.bias = nn.Parameter(torch.empty(form.widths[0]))
        for one in (self.table, self.bias):
            nn.init.uniform_(one, -bound, bound)
        self.layers = nn.ModuleList(nn.Linear(*sizes) for sizes in pairwise(form.widths))

    def inputs(self, prepared: Prepared, device: torch.device) -> _Inputs:
        """The bags of all snippets."""
        owner, word, count = word_bags(prepared, self.words)
        if not self.form.counts:
            count = np.ones_like(count)
        offsets = spread(np.bincount(owner, minlength=len(prepared)))
        return _Inputs(
            Ragged(torch.from_numpy(offsets).to(device)),
            torch.from_numpy(word).to(device),
            torch.from_numpy(count.astype(np.float32)).to(device),
        )

    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """The words of each bag."""
        return np.bincount(word_bags(prepared, self.words)[0], minlength=len(prepared))

    def encode_bags(self, inputs: _Inputs, places: Tensor, starts: Tensor) -> Tensor:
        """A vector per bag."""
        sums = nn.functional.embedding_bag(
            inputs.word[places],
            self.table,
            starts,
            mode="sum",
            per_sample_weights=inputs.times[places],
        )
        found = self.form.activation(sums + self.bias)
        for layer in self.layers:
            found = self.form.activation(layer(found))
        return found


def word_bags(
    prepared: Prepared, words: tuple[str, ...]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The snippet, the place in `words` and the count of each known word that a snippet has."""
    word = word_places(prepared, words)[prepared.word]
    known = word > 0
    width = max(1, len(words))
    key = prepared.snippet_of_node[known].astype(np.int64) * width + word[known] - 1
    key, count = np.unique(key, return_counts=True)
    owner, place = np.divmod(key, width)
    return owner, place, count


@dataclass(eq=False)
class Mlp(NeuralDetector):
    """A bag of words, three fully connected layers, and the cosine.

    Parameters
    ----------
    form : str
        ``code`` for the network of the authors' program, or ``text`` for that of their paper, which
        calls every pair a clone.
    """

    name = "mlp"
    summary = "counts of the words of the syntax tree, three fully connected layers"
    siamese = True

    rate: float = 3e-3
    form: str = "code"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_choices(form=_FORMS)

    def make_network(self) -> MlpNetwork:
        """A network with fresh weights."""
        return MlpNetwork(self.words, _FORMS[self.form])

    def choose_threshold(self, scores: Scores, label: npt.NDArray[np.bool_]) -> float:
        """That of validation, or for the network of the text a cosine of 0."""
        return 0.5 if self.form == "text" else super().choose_threshold(scores, label)
