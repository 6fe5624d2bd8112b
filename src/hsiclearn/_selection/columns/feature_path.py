"""``feature_path``: how much is explained by the number of columns, for a look or a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._engines import single_threaded_blas
from ..._solvers import as_generator
from ...kernels import kernel_from_name
from ..path import checked_data
from .counts import CountPath, counts_between, largest_count, losses_along, searches, sets_along
from .screening import dense_columns


@dataclass(frozen=True)
class FeaturePath(CountPath):
    """Losses and sets by the number of columns, from the largest down.

    Attributes
    ----------
    counts : ndarray of int
    held_out : ndarray
        The share of the target left unexplained on rows that a set was found without.
    errors : ndarray
        Standard error of the difference of each to the lowest.
    supports : ndarray of bool, shape (n_counts, n_features)
        The set of each count, found on all rows.
    frequencies : ndarray of shape (n_counts, n_features)
        In which share of the splits, each without the rows it holds out, a column was in the set.
    """

    supports: Array = field(repr=False)
    frequencies: FloatArray = field(repr=False)

    @property
    def explained_share(self) -> FloatArray:
        """``1 - HO``."""
        return 1.0 - self.held_out


def feature_path(
    X: Array,
    y: Array,
    *,
    n_components: int = 2,
    counts: Sequence[int] | None = None,
    kernel: str = "gaussian",
    target: str = "auto",
    cv: Any = 3,
    max_rows: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> FeaturePath:
    """What directions of few columns explain on rows left out, by how many columns there are.

    It is the comparison behind ``n_features_to_select="auto"``, with the sets found on all rows.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
        At least 10 rows. Not scaled here: standardise columns that differ in unit.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
    n_components : int
        Number of directions.
    counts : sequence of int, optional
        Numbers of columns, each from n_components to that of columns that vary, or to 500 of more:
        so many are looked at together, and what more of them explain is left out. By default from
        the largest down to n_components, each two thirds of the one before.
    kernel : str
        The name of a kernel that has a bandwidth and falls with distance.
    target : str
        What y is, as for :class:`hsiclearn.SupervisedHSIC`.
    cv : int, splitter or iterable of pairs of indices
        Rows to hold out, of those that are looked at.
    max_rows : int
        Of more rows, so many are drawn.
    random_state : int, Generator or None

    Returns
    -------
    FeaturePath

    Examples
    --------
    >>> from hsiclearn import feature_path
    >>> from hsiclearn.datasets import make_planted
    >>> X, y, _ = make_planted("sine", 120, 8, n_noise=6)
    >>> path = feature_path(X, y, n_components=1, counts=(8, 2))
    >>> path.supports[1].nonzero()[0].tolist()
    [0, 1]
    """
    rng, family = as_generator(random_state), partial(kernel_from_name, kernel)
    data, basis = checked_data(
        X, y, family, target=target, cv=cv, max_rows=max_rows, rng=rng, keep_columns=True
    )
    chosen = _checked_counts(counts, n_components, data.rows.n_features)
    data, dense = dense_columns(data, holds_out=True)
    basis, sample, splits = basis.then(dense), data.sample, data.splits
    with single_threaded_blas():
        kernels = data.kernels(n_components)
        parts = searches(sample, splits, n_components, kernels, None)
        whole = searches(sample, [(np.arange(sample.n_samples),) * 2], n_components, kernels, None)
        losses, sets = losses_along(sample, splits, parts, chosen)
        found = sets_along(whole[0], chosen)
    path = CountPath.of(losses)

    def lifted(masks: Sequence[Array]) -> FloatArray:
        every: FloatArray = basis.lift(np.array(masks, dtype=np.float64).T).T
        return every

    d = data.rows.n_features
    shares = [np.mean([one[k].mask(d) for one in sets], axis=0) for k in range(len(chosen))]
    return FeaturePath(
        counts=path.counts,
        held_out=path.held_out,
        errors=path.errors,
        supports=lifted([one.mask(d) for one in found]) > 0.0,
        frequencies=lifted(shares),
    )


def _checked_counts(counts: Any, q: int, d: int) -> list[int]:
    """The counts in descending order, each once."""
    most = largest_count(d)
    of = "" if most == d else f" Of {d} columns that vary {most} are looked at together."
    if not isinstance(q, Integral) or not 1 <= q <= most:
        raise ValueError(f"`n_components` must be an integer in 1 .. {most}. Got {q}.{of}")
    if counts is None:
        return counts_between(d, int(q))
    asked = np.atleast_1d(np.asarray(counts))
    if asked.ndim != 1 or asked.dtype.kind not in "iu" or asked.min() < q or asked.max() > most:
        raise ValueError(
            f"`counts` must be integers in {q} .. {most}, from the number of directions to that of "
            f"columns that vary.{of} Got {counts!r}."
        )
    return [int(k) for k in np.unique(asked)[::-1]]
