"""Comparison of tensors."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

_TOLERANCES = {torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7)}


def assert_close(
    found: Tensor, wanted: Tensor, *, rtol: float | None = None, atol: float | None = None
) -> None:
    """As ``torch.testing.assert_close``, which takes half a second to load."""
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    relative, absolute = _TOLERANCES.get(found.dtype, (0.0, 0.0))
    np.testing.assert_allclose(
        found.detach().numpy(),
        wanted.detach().numpy(),
        rtol=relative if rtol is None else rtol,
        atol=absolute if atol is None else atol,
        equal_nan=False,
    )
