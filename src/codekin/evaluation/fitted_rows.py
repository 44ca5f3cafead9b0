"""The rows that a calibration was fitted on, as digests: they cannot judge it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.runs.run import Run

__all__ = ["FittedRows", "fitted_rows", "row_digests"]

_MOST = 2048
"""Digests that a calibration keeps, of four bytes each."""

Digests = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class FittedRows:
    """Digests of the rows that a calibration was fitted on.

    Attributes
    ----------
    every : int
        Digests are kept of one row in `every`: of each, if there are at most 2,048.
    digests : str
        Of four bytes each, in Base64.
    """

    every: int
    digests: str

    def among(self, digests: Digests) -> npt.NDArray[np.bool_]:
        """Which rows are known to be among them, by their digests."""
        known = np.frombuffer(base64.b64decode(self.digests), "<u4")
        found: npt.NDArray[np.bool_] = (digests % np.uint64(self.every) == 0) & np.isin(
            _short(digests), known
        )
        return found


def row_digests(run: Run, places: npt.NDArray[np.intp]) -> Digests | None:
    """Digests of rows: of id, group and all texts; None if a text is not kept.

    The texts alone would also match the same answer of another system, which may judge a
    calibration like any other row.

    Parameters
    ----------
    run : Run
    places : array of int
        Which rows.
    """
    names = ["id", "group", "reference_key", "candidate"]
    rows = run.table(names).take(places).to_pylist()
    if any(row["candidate"] is None or row["reference_key"] is None for row in rows):
        return None
    texts = ("\0".join(row[name] or "" for name in names) for row in rows)
    data = (text.encode("utf-8", "surrogatepass") for text in texts)
    digests = (hashlib.blake2b(one, digest_size=8).digest() for one in data)
    return np.array([int.from_bytes(one, "little") for one in digests], np.uint64)


def fitted_rows(datasets: Sequence[Digests | None]) -> FittedRows | None:
    """What a calibration keeps of the rows of its datasets; None if some are unknown."""
    known = [one for one in datasets if one is not None]
    if len(known) < len(datasets):
        return None
    digests = np.unique(np.concatenate(known))
    every = 1
    while (digests % np.uint64(every) == 0).sum() > _MOST:
        every *= 2
    kept = np.unique(_short(digests[digests % np.uint64(every) == 0]))
    return FittedRows(every, base64.b64encode(kept.astype("<u4").tobytes()).decode("ascii"))


def _short(digests: Digests) -> npt.NDArray[np.uint32]:
    short: npt.NDArray[np.uint32] = (digests >> np.uint64(32)).astype(np.uint32)
    return short
