"""What CodeBLEU looks at in a program: its tokens, keywords, subtrees and data flow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.token_classes import TokenClass
from codekin.represent.flow.dataflow import Dataflow
from codekin.represent.text.tokens import Tokens
from codekin.represent.tree.subtrees import Subtrees

__all__ = ["KEYWORD_WEIGHT", "ORDER", "CodeView"]

ORDER = 4
"""CodeBLEU counts n-grams of up to four tokens."""
KEYWORD_WEIGHT = 5
"""A keyword weighs 1 and another token 0.2; weighted counts are whole numbers of fifths."""

Ids = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class CodeView:
    """A program, ready to be compared; the tree is only looked at where a partner shares it.

    Attributes
    ----------
    language : str
        Its name.
    ids : uint64 array
        Identities of the tokens.
    keywords : uint64 array
        Those of the keywords, sorted.
    grams : SortedGrams
        The n-grams.
    """

    language: str
    ids: Ids
    keywords: Ids
    grams: _native.SortedGrams
    _subtrees: Callable[[], Subtrees]
    _flow: Callable[[], Dataflow]

    @classmethod
    def of_tokens(
        cls,
        language: str,
        tokens: Tokens,
        subtrees: Callable[[], Subtrees],
        flow: Callable[[], Dataflow],
    ) -> CodeView:
        """A view of the given tokens."""
        ids = tokens.ids
        keywords = np.sort(ids[tokens.classes == TokenClass.KEYWORD])
        return cls(language, ids, keywords, _native.SortedGrams(ids, ORDER), subtrees, flow)

    @cached_property
    def subtrees(self) -> Subtrees:
        """The subtrees that have children."""
        return self._subtrees()

    @cached_property
    def flow(self) -> Dataflow:
        """The data flow."""
        return self._flow()

    @cached_property
    def bags(self) -> _native.CodeBags:
        """Keywords, subtrees and edges as the kernel reads them."""
        return _native.CodeBags(self.keywords, self.shapes, self.items)

    @cached_property
    def shapes(self) -> Ids:
        """Shapes of the subtrees, sorted."""
        return self.subtrees.shapes

    @cached_property
    def items(self) -> Ids:
        """Items of the data flow, sorted."""
        return self.flow.ordered
