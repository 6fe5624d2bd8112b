"""Every kernel, Gamma and engine there is, as instances: the tables the contract tests run over.

A new class joins the contract tests by one line here; ``test_registry.py`` fails until it does.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from foreign_arrays import make
from hsiclearn._arrays import array_namespace
from hsiclearn._engines import (
    DenseEngine,
    DevicePairs,
    FeatureEngine,
    FusedPairs,
    NystromEngine,
    PairsElsewhere,
    TiledEngine,
)
from hsiclearn._rows import DeviceRows
from hsiclearn.gamma import ClassTable, Dense, GaussianColumn, GaussianColumns, LowRank, Weighted
from hsiclearn.kernels import (
    Cauchy,
    Custom,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
)

N, D, Q = 23, 4, 2


def frozen(array):
    """A read-only copy, so that no test can spoil another's data."""
    copy = np.array(array)
    copy.setflags(write=False)
    return copy


def symmetric(n, seed):
    """A random symmetric matrix."""
    A = np.random.default_rng(seed).standard_normal((n, n))
    return frozen(0.5 * (A + A.T))


def orthonormal(d, q, seed):
    """A random orthonormal frame."""
    return frozen(np.linalg.qr(np.random.default_rng(seed).standard_normal((d, q)))[0])


_rng = np.random.default_rng(20)
X = frozen(_rng.standard_normal((N, D)) + np.array([0.5, -0.3, 0.0, 1.0]))
W = orthonormal(D, Q, seed=21)
Z = frozen(_rng.standard_normal((D, Q)))
V = frozen(_rng.standard_normal((N, 3)))


# Kernels --------------------------------------------------------------------------------------


def log_f(beta):
    """``-log(1 + b)``, a kernel the package does not have."""
    return -array_namespace(beta).log(1.0 + beta)


def log_df(beta):
    """Its slope."""
    return -1.0 / (1.0 + beta)


def log_d2f(beta):
    """Its curvature."""
    return 1.0 / (1.0 + beta) ** 2


def exp_f(beta):
    """``exp(b / 3)``, on inner products."""
    return array_namespace(beta).exp(beta / 3.0)


def exp_df(beta):
    """Its slope."""
    return exp_f(beta) / 3.0


def exp_d2f(beta):
    """Its curvature."""
    return exp_f(beta) / 9.0


KERNELS = {
    "linear": Linear(),
    "polynomial": Polynomial(),
    "polynomial-1": Polynomial(degree=1, coef0=0.5),
    "polynomial-2": Polynomial(degree=2, coef0=2.0),
    "polynomial-2-no-offset": Polynomial(degree=2, coef0=0.0),
    "polynomial-5": Polynomial(degree=5, coef0=0.25),
    "gaussian": Gaussian(),
    "gaussian-narrow": Gaussian(bandwidth=0.4),
    "gaussian-wide": Gaussian(bandwidth=5.0),
    "squared": Squared(),
    "multiquadratic": Multiquadratic(),
    "multiquadratic-small": Multiquadratic(c=0.3),
    "relative-gaussian": RelativeGaussian(),
    "relative-gaussian-3": RelativeGaussian(n_neighbors=3, floor=0.9),
    "cauchy": Cauchy(),
    "cauchy-wide": Cauchy(bandwidth=2.5),
    "inverse-multiquadratic": InverseMultiquadratic(),
    "inverse-multiquadratic-2": InverseMultiquadratic(c=2.0),
    "rational-quadratic": RationalQuadratic(),
    "rational-quadratic-half": RationalQuadratic(bandwidth=1.5, alpha=0.5),
    "custom-difference": Custom(log_f, log_df, log_d2f),
    "custom-inner": Custom(exp_f, exp_df, exp_d2f, pair="inner"),
    "sum-of-differences": 2 * Gaussian(1.5) + Cauchy(2.0),
    "sum-of-inners": Polynomial(2) + 0.5 * Linear(),
    "sum-with-row-scales": 0.5 * RelativeGaussian(5) + Gaussian(2.0),
    "sum-mixed": Gaussian(1.5) + 0.25 * Linear(),
    "sum-mixed-signed": -0.5 * Squared() + Polynomial(2) + Gaussian(),
    "negated-squared": -Squared(),
    "negated-multiquadratic": -Multiquadratic(0.5),
    "negated-gaussian": -Gaussian(2.0),
}

MIXED = {name for name, k in KERNELS.items() if len({term.pair for _, term in k.terms}) > 1}
OF_ONE_PAIR = [name for name in KERNELS if name not in MIXED]
OF_DIFFERENCES = [
    name for name, k in KERNELS.items() if all(term.pair.is_difference for _, term in k.terms)
]


# Gammas: each beside the n x n matrix it stands for, built by hand --------------------------------

UNSORTED = frozen(np.random.default_rng(30).permutation(np.repeat([0, 1, 2], [9, 8, 6])))
SORTED = frozen(np.sort(UNSORTED))
TWO_CLASSES = frozen(np.random.default_rng(31).integers(0, 2, N))
TABLE = symmetric(3, seed=32)
FACTOR = frozen(np.random.default_rng(33).standard_normal((N, 3)))
SIGNS = frozen([1.5, -2.0, 0.75])
MATRIX = symmetric(N, seed=34)
KERNEL_MATRIX = frozen(np.exp(-0.5 * np.sum((X[:, None] - X[None]) ** 2, axis=2)))
WEIGHTS = frozen([0.5, 2.0, 1.25])
H = frozen(np.eye(N) - 1.0 / N)


def one_hot(codes):
    """The n x c indicator matrix."""
    return (codes[:, None] == np.arange(codes.max() + 1)).astype(float)


_cancelling = np.concatenate([FACTOR[:, :1], FACTOR[:, :1]], axis=1)

COLUMN = np.random.default_rng(8).standard_normal(N)  # few to a cell: no interpolation
COLUMNS = np.random.default_rng(9).uniform(-1, 1, (N, 2))  # every row is a landmark

ROW_WEIGHTS = frozen(np.random.default_rng(10).integers(0, 4, N) * 0.75)
_v = ROW_WEIGHTS[:, None]
H_WEIGHTED = frozen(_v * (np.eye(N) - ROW_WEIGHTS / ROW_WEIGHTS.sum()))  # diag(v) (I - 1v'/V)


def weighted(K):
    """``diag(v) (I - 1v'/V) K (I - v1'/V) diag(v)``."""
    return H_WEIGHTED @ K @ H_WEIGHTED.T


GAMMAS = {
    "classes-sorted": (
        ClassTable.centered(SORTED),
        H @ one_hot(SORTED) @ one_hot(SORTED).T @ H,
    ),
    "classes-unsorted": (
        ClassTable.centered(UNSORTED),
        H @ one_hot(UNSORTED) @ one_hot(UNSORTED).T @ H,
    ),
    "classes-weighted": (
        ClassTable.centered(UNSORTED, weights=WEIGHTS),
        H @ one_hot(UNSORTED) @ np.diag(WEIGHTS) @ one_hot(UNSORTED).T @ H,
    ),
    "table-sorted": (ClassTable(SORTED, TABLE), one_hot(SORTED) @ TABLE @ one_hot(SORTED).T),
    "table-unsorted": (
        ClassTable(UNSORTED, TABLE),
        one_hot(UNSORTED) @ TABLE @ one_hot(UNSORTED).T,
    ),
    "low-rank": (LowRank(FACTOR), FACTOR @ FACTOR.T),
    "low-rank-centered": (LowRank.centered(FACTOR), H @ FACTOR @ FACTOR.T @ H),
    "low-rank-signed": (LowRank(FACTOR, SIGNS), FACTOR @ np.diag(SIGNS) @ FACTOR.T),
    "low-rank-cancelling": (
        LowRank(_cancelling, [3.0, -1.0]),
        2.0 * FACTOR[:, :1] @ FACTOR[:, :1].T,
    ),
    "column": (
        GaussianColumn(COLUMN, 0.1),
        H @ np.exp(-50.0 * np.subtract.outer(COLUMN, COLUMN) ** 2) @ H,
    ),
    "columns": (
        GaussianColumns(COLUMNS, 0.4, rtol=1e-14),
        H @ np.exp(-3.125 * ((COLUMNS[:, None] - COLUMNS) ** 2).sum(axis=2)) @ H,
    ),
    "dense": (Dense(MATRIX), MATRIX),
    "dense-centered": (Dense.centered(KERNEL_MATRIX), H @ KERNEL_MATRIX @ H),
    "rows-weighted": (
        Weighted(ClassTable.centered(UNSORTED, WEIGHTS, ROW_WEIGHTS), ROW_WEIGHTS),
        weighted(one_hot(UNSORTED) @ np.diag(WEIGHTS) @ one_hot(UNSORTED).T),
    ),
    "rows-weighted-not-centered": (
        Weighted(LowRank.centered(FACTOR), ROW_WEIGHTS),
        _v * (H @ FACTOR @ FACTOR.T @ H) * ROW_WEIGHTS,
    ),
    "rows-weighted-dense": (
        Weighted(Dense.centered(KERNEL_MATRIX, ROW_WEIGHTS), ROW_WEIGHTS),
        weighted(KERNEL_MATRIX),
    ),
    "rows-weighted-column": (
        Weighted(GaussianColumn(COLUMN, 0.1, weights=ROW_WEIGHTS), ROW_WEIGHTS),
        weighted(np.exp(-50.0 * np.subtract.outer(COLUMN, COLUMN) ** 2)),
    ),
    "sum-psd": (
        ClassTable.centered(UNSORTED) + LowRank.centered(FACTOR),
        H @ one_hot(UNSORTED) @ one_hot(UNSORTED).T @ H + H @ FACTOR @ FACTOR.T @ H,
    ),
    "sum-signed": (
        2.0 * ClassTable(UNSORTED, TABLE) - LowRank(FACTOR, SIGNS),
        2.0 * one_hot(UNSORTED) @ TABLE @ one_hot(UNSORTED).T - FACTOR @ np.diag(SIGNS) @ FACTOR.T,
    ),
    "sum-of-two-orders": (
        ClassTable.centered(UNSORTED) - 0.5 * ClassTable.centered(TWO_CLASSES),
        H @ one_hot(UNSORTED) @ one_hot(UNSORTED).T @ H
        - 0.5 * H @ one_hot(TWO_CLASSES) @ one_hot(TWO_CLASSES).T @ H,
    ),
    "sum-centered-as-a-whole": (
        Dense(KERNEL_MATRIX) + Dense(H @ KERNEL_MATRIX @ H - KERNEL_MATRIX),
        H @ KERNEL_MATRIX @ H,
    ),
    "sum-of-three": (
        Dense(MATRIX) + LowRank(FACTOR) + ClassTable(SORTED, TABLE),
        MATRIX + FACTOR @ FACTOR.T + one_hot(SORTED) @ TABLE @ one_hot(SORTED).T,
    ),
}
GAMMAS = {name: (gamma, frozen(dense)) for name, (gamma, dense) in GAMMAS.items()}


# Engines: sizes just under, at and just over a tile -----------------------------------------------

TILE_SIZES = (7, 16, N - 1, N, N + 1)


class OnDevice:
    """Exact tiles of rows that are an array of another library."""

    func = DevicePairs

    def __init__(self, library, tile_size):
        self._library, self._tile_size = library, tile_size

    def __call__(self, X, gamma, kernel):
        rows = DeviceRows(make(self._library, X))
        return DevicePairs(rows, gamma, kernel, tile_size=self._tile_size)


ENGINES = {
    "dense": DenseEngine,
    "device-strict": OnDevice("strict", 9),
    "device-torch": OnDevice("torch", 16),
    "tiled": TiledEngine,
    **{
        f"tiled-{size}-{threads}": partial(TiledEngine, tile_size=size, n_threads=threads)
        for size in TILE_SIZES
        for threads in (1, 2)
    },
}

# Engines in linear time: for Gammas whose rows have factors; landmarks as exact as they get.
LINEAR_ENGINES = {"nystrom": partial(NystromEngine, rtol=1e-14), "features": FeatureEngine}

# Rows that are not in memory: ``tests/engines/test_elsewhere.py`` holds it against the others.
ENGINES_ELSEWHERE = (PairsElsewhere,)
# One that needs a GPU, or what imitates one: ``tests/engines/test_fused.py``.
ENGINES_OF_GPUS = (FusedPairs,)
WITH_FACTORS = [name for name, (gamma, _) in GAMMAS.items() if gamma.row_factor() is not None]
POLYNOMIALS = [
    name for name, k in KERNELS.items() if all(t.coefficients is not None for _, t in k.terms)
]
