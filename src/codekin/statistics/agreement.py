"""Agreement of two judges beyond chance.

References
----------
.. [1] Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
   Measurement 20(1), 1960.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.statistics.bootstrap import Estimand
from codekin.statistics.resampling import Floats

__all__ = ["answer_table", "cohen_kappa", "kappa_of"]


def answer_table(first: ArrayLike, second: ArrayLike, answers: int) -> NDArray[np.int64]:
    """How often two judges gave each pair of answers.

    Parameters
    ----------
    first, second : arrays of int
        What each judge said of the same things, as numbers from 0.
    answers : int
        How many answers there are.

    Returns
    -------
    array of shape (answers, answers)
        Rows are the answers of the first judge.

    Examples
    --------
    >>> answer_table([0, 0, 1], [0, 1, 1], 2).tolist()
    [[1, 1], [0, 1]]
    """
    one, other = _checked(first, second, answers)
    return np.bincount(one * answers + other, minlength=answers**2).reshape(answers, answers)


def cohen_kappa(table: ArrayLike) -> float:
    """Cohen's kappa [1]_ of a table of answers.

    It is 1 where two judges always agree, and 0 where they agree as often as two who answer at
    random with the same frequencies.

    Parameters
    ----------
    table : array of shape (answers, answers)
        As :func:`answer_table` counts them.

    Returns
    -------
    float
        nan without any answers, and where both judges gave one and the same answer throughout,
        since chance alone would then agree as well.

    Examples
    --------
    >>> round(cohen_kappa([[20, 5], [10, 15]]), 4)
    0.4
    """
    counts = np.asarray(table, dtype=np.float64)
    return float(_kappas(counts.reshape(1, -1), len(counts))[0])


def kappa_of(first: ArrayLike, second: ArrayLike, answers: int) -> Estimand:
    """Cohen's kappa as a function of sums over what was judged, for a bootstrap.

    Parameters are those of :func:`answer_table`.

    Examples
    --------
    >>> kappa_of([0, 0, 1, 1], [0, 1, 1, 1], 2).value
    0.5
    """
    one, other = _checked(first, second, answers)
    cells = np.zeros((len(one), 1 + answers**2))
    cells[:, 0] = 1.0
    cells[np.arange(len(one)), 1 + one * answers + other] = 1.0
    return Estimand(cells, lambda sums: _kappas(sums[:, 1:], answers))


def _checked(
    first: ArrayLike, second: ArrayLike, answers: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    one, other = np.asarray(first, dtype=np.intp), np.asarray(second, dtype=np.intp)
    if one.shape != other.shape or one.ndim != 1:
        raise CodekinError(
            f"two judges must have judged the same things, and these judged {one.size} and "
            f"{other.size}"
        )
    for given in (one, other):
        if len(given) and not 0 <= given.min() <= given.max() < answers:
            raise CodekinError(f"answers are numbers from 0 to {answers - 1}")
    return one, other


def _kappas(cells: Floats, answers: int) -> Floats:
    """Kappa for each row of cells of a table."""
    tables = cells.reshape(-1, answers, answers)
    totals = tables.sum(axis=(1, 2))
    observed = np.trace(tables, axis1=1, axis2=2)
    by_chance = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1)
    # In counts, so that judges who always give the same answer leave exactly nothing to chance.
    room = totals**2 - by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(room > 0, (observed * totals - by_chance) / room, np.nan)
