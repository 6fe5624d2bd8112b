r"""How many directions are needed: a test at each dimension, with a p-value.

Let W be the subspace of dimension q, found by the usual rule, and ``Z = XW``. Under the null
hypothesis all that X tells about y is in Z: then the rest of the rows, R, may be exchanged between
rows without anybody noticing. What R adds is measured by the best single direction there is in it::

    T = max_v  sum_ij (Gamma o K_Z)_ij k(|v'(r_i - r_j)|^2),      |v| = 1

which is HSIC with W and v side by side, since a Gaussian kernel of both is the product of the two.
T of the data is compared with T after the rows of R were permuted, v being searched for anew each
time. W is at a local maximum of HSIC, so that its own small error moves T in second order only.

R is the orthogonal complement with its linear regression on Z taken out: exchanging rows breaks
any tie between Z and R, so there should be none. A tie that is not linear remains, and then the
p-values are approximate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._engines import single_threaded_blas
from .._objective import Objective
from .._solvers import SpectralSolver, as_generator, run, start_from_name
from ..gamma import Dense
from ..kernels import Gaussian
from .path import checked_data
from .sample import Sample
from .search import Search

_STARTS = ("phi-zero", "second-moments")
_TOL, _MAX_ITER = 1e-3, 10  # a rank among values that are all found alike
_NOTHING = 1e-10  # of the spread of the rows, and of T: rounding


@dataclass(frozen=True)
class DimensionTest:
    """The tests made, in order: of q = 0, 1, 2 and so on, until one was not rejected.

    ``n_components`` is the first q at which no dependence was left to be seen; None if there was
    at every q tried.
    """

    n_components: int | None
    pvalues: FloatArray
    statistics: FloatArray
    alpha: float
    nulls: tuple[FloatArray, ...] = field(repr=False)


def dimension_test(
    X: Array,
    y: Array,
    *,
    max_components: int | None = None,
    alpha: float = 0.05,
    n_permutations: int = 99,
    target: str = "auto",
    cv: Any = 3,
    max_rows: int = 400,
    random_state: int | np.random.Generator | None = 0,
) -> DimensionTest:
    """Is there dependence left outside the subspace? Asked for q = 0, 1, 2 and so on, in turn.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
        At least 10 rows. Not scaled here: standardise columns that differ in unit.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
    max_components : int or None
        The last q to be tested; None for 5, or n_features - 1 if that is less.
    alpha : float
        Stop at the first p-value above this.
    n_permutations : int
        Each costs two small fits. The smallest p-value possible is ``1 / (n_permutations + 1)``,
        which must not be above ``alpha``.
    target : str
        What y is, as for :class:`hsiclearn.SupervisedHSIC`.
    cv : int, splitter or iterable of pairs of indices
        Rows held out in choosing the bandwidth for each q, of those that are looked at.
    max_rows : int
        Of more rows, so many are drawn.
    random_state : int, Generator or None

    Returns
    -------
    DimensionTest

    Examples
    --------
    >>> from hsiclearn import dimension_test
    >>> from hsiclearn.datasets import make_planted
    >>> X, y, _ = make_planted("sine", 150, 4)
    >>> test = dimension_test(X, y, n_permutations=19, random_state=1)
    >>> test.n_components, float(test.pvalues[0])
    (1, 0.05)
    """
    _check_counts(alpha, n_permutations)
    rng = as_generator(random_state)
    data, _ = checked_data(X, y, Gaussian, target=target, cv=cv, max_rows=max_rows, rng=rng)
    sample, d = data.sample, data.largest_q
    last = min(5, d - 1) if max_components is None else max_components
    if not isinstance(last, Integral) or not 0 <= last < d:
        raise ValueError(
            f"`max_components` must be an integer in 0 .. {d - 1}: of the directions that "
            f"{sample.n_samples} rows and {data.rows.n_features} columns that vary have, one must "
            f"be left. Got {max_components!r}."
        )
    kernels = {q: data.kernels(q) for q in range(1, max(last, 1) + 1)}
    search = Search(sample, lambda q, _: kernels[q], data.splits)
    pvalues, statistics, nulls = [], [], []
    for q in range(last + 1):
        chosen = search.best(max(q, 1))[0]
        assert isinstance(chosen.kernel, Gaussian)
        assert chosen.W is not None
        W = chosen.W if q else chosen.W[:, :0]
        statistic, null = _gain_and_null(sample, W, chosen.kernel, n_permutations, rng)
        # The rank among the permutations; what differs by rounding counts as equal.
        as_large = int(np.count_nonzero(null >= statistic - _NOTHING * abs(statistic)))
        pvalues.append((1 + as_large) / (1 + null.size))
        statistics.append(statistic)
        nulls.append(null)
        if pvalues[-1] > alpha:
            break
    enough = q if pvalues[-1] > alpha else None
    return DimensionTest(enough, np.array(pvalues), np.array(statistics), alpha, tuple(nulls))


def _check_counts(alpha: float, n_permutations: int) -> None:
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"`alpha` must lie between 0 and 1. Got {alpha}.")
    fewest = int(np.ceil(1.0 / alpha - 1e-9)) - 1
    if not isinstance(n_permutations, Integral) or n_permutations < fewest:
        raise ValueError(
            f"`n_permutations` must be an integer >= {fewest}, or no p-value can reach "
            f"alpha={alpha:g}. Got {n_permutations}."
        )


def _gain_and_null(
    sample: Sample, W: FloatArray, kernel: Gaussian, n_permutations: int, rng: np.random.Generator
) -> tuple[float, FloatArray]:
    """T, and T with the rest of the rows permuted; zeros where there is no rest."""
    Z, R = _parts(sample.X, W)
    if R.shape[1] == 0:
        return 0.0, np.zeros(n_permutations)
    beta = cdist(Z, Z, "sqeuclidean")
    gamma = Dense(sample.gamma.to_dense() * kernel.f(beta))
    with single_threaded_blas():
        null = [_gain(rng.permutation(R), gamma, kernel) for _ in range(n_permutations)]
        return _gain(R, gamma, kernel), np.array(null)


def _parts(X: FloatArray, W: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rows in the subspace, and the rest less what is linear in the former.

    What regression on Z leaves of X has nothing along W; it is given by as many coordinates as it
    has, none where columns repeat each other and W has them all.
    """
    X = X - X.mean(axis=0)
    Z = X @ W
    rest = X - Z @ np.linalg.lstsq(Z, X, rcond=None)[0] if W.size else X
    U, s, _ = np.linalg.svd(rest, full_matrices=False)
    keep = s > _NOTHING * np.linalg.norm(X)
    return Z, U[:, keep] * s[keep]


def _gain(R: FloatArray, gamma: Dense, kernel: Gaussian) -> float:
    """What the best direction in R adds; several local maxima, so two starts."""
    objective, rng = Objective(R, gamma, kernel), np.random.default_rng(0)
    starts = [start_from_name(name, objective, 1, rng) for name in _STARTS]
    runs = [run(SpectralSolver(objective, _TOL), W, max_iter=_MAX_ITER) for W in starts]
    return -min(one.point.cost for one in runs)
