"""Tables, kernels, Gammas and targets to try a property on.

Few numbers are drawn, and what follows from them is made by numpy: an example takes a millisecond,
and shrinks to few rows, few columns and plain kinds of columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from hypothesis import strategies as st

from hsiclearn.gamma import ClassTable, Dense, GaussianColumn, GaussianColumns, LowRank
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
)

SEEDS = st.integers(0, 2**16 - 1)

# Columns: what a table may hold, each made of n standard normal numbers and those before it. ------

COLUMNS = {
    "normal": lambda z, before: z,
    "whole": lambda z, before: np.round(2.0 * z),
    "binary": lambda z, before: np.where(z > 0.0, 1.0, 0.0),
    "constant": lambda z, before: np.full(z.size, 3.0),
    "zero": lambda z, before: np.zeros(z.size),
    "copy": lambda z, before: before[-1] if before else z,
    "opposite": lambda z, before: -before[-1] if before else z,
    "sum": lambda z, before: sum(before) if before else z,
    "nearly a copy": lambda z, before: before[-1] * (1.0 + 1e-12 * z) if before else z,
    "far": lambda z, before: 1e6 + z,
    "very far": lambda z, before: 1e12 + z,
    "outlier": lambda z, before: np.where(np.arange(z.size) == 0, 1e6, z),
    "one-hot": lambda z, before: np.where(np.arange(z.size) == z.size // 2, 1.0, 0.0),
    "subnormal": lambda z, before: 5e-324 * np.round(20.0 * z),
    "tails": lambda z, before: np.sinh(3.0 * z),
}
PLAIN = ("normal", "whole", "binary", "tails")

# How an array lies in memory. ---------------------------------------------------------------------

LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "every other row": lambda X: np.repeat(np.asfortranarray(X), 2, axis=0)[::2],
}
DTYPES = {
    "float64": lambda X: X,
    "float32": lambda X: np.clip(X, -1e37, 1e37).astype(np.float32),
    "int64": lambda X: np.clip(np.round(4.0 * X), -(2**62), 2**62).astype(np.int64),
    "int8": lambda X: np.clip(np.round(4.0 * X), -128, 127).astype(np.int8),
    "bool": lambda X: np.asarray(X) > 0.0,
}


@dataclass(frozen=True)
class Table:
    """A table, by what it is made of: that is what a failure prints."""

    n: int
    columns: tuple[str, ...]
    exponents: tuple[int, ...] = ()
    repeated: bool = False
    layout: str = "C"
    dtype: str = "float64"
    seed: int = 0

    @cached_property
    def X(self):
        """The array, read-only."""
        z = np.random.default_rng(self.seed).standard_normal((self.n, len(self.columns)))
        made: list = []
        for j, kind in enumerate(self.columns):
            made.append(COLUMNS[kind](z[:, j], made))
        X = np.stack(made, axis=1)
        if self.exponents:
            X = X * 10.0 ** np.array(self.exponents, dtype=float)
        if self.repeated:
            X[1::2] = X[0 : X.shape[0] - 1 : 2]
        X = LAYOUTS[self.layout](DTYPES[self.dtype](X))
        X.setflags(write=False)
        return X

    @property
    def floats(self):
        """The same in double precision."""
        return np.ascontiguousarray(self.X, dtype=np.float64)


EXPONENTS = st.one_of(st.just(0), st.integers(-12, 12), st.integers(-150, 150))
MIXED = st.one_of(st.integers(-3, 3), st.integers(-150, 150))


@st.composite
def tables(draw, *, most_rows=12, most_columns=5, plain=False, extreme=True, fewest=2):
    """Any table; ``plain`` ones have columns of numbers of size one that differ."""
    n, d = draw(st.integers(fewest, most_rows)), draw(st.integers(1, most_columns))
    kinds = st.sampled_from(PLAIN if plain else tuple(COLUMNS))
    columns = tuple(draw(st.lists(kinds, min_size=d, max_size=d)))
    exponents: tuple[int, ...] = ()
    if extreme and not plain:
        how = draw(st.sampled_from(("none", "none", "same", "mixed")))
        if how == "same":
            exponents = (draw(EXPONENTS),) * d
        elif how == "mixed":
            exponents = tuple(draw(st.lists(MIXED, min_size=d, max_size=d)))
    rest = {}
    if not plain:
        rest = {
            "repeated": draw(st.booleans()),
            "layout": draw(st.sampled_from(tuple(LAYOUTS))),
            "dtype": draw(st.sampled_from(("float64", *DTYPES))),
        }
    return Table(n, columns, exponents, seed=draw(SEEDS), **rest)


# Kernels, by what makes one at a length that suits the rows. --------------------------------------

KERNELS = {
    "gaussian": Gaussian,
    "cauchy": Cauchy,
    "rational_quadratic": RationalQuadratic,
    "inverse_multiquadratic": InverseMultiquadratic,
    "-multiquadratic": lambda s: -Multiquadratic(s),
    "multiquadratic": Multiquadratic,
    "relative_gaussian": lambda s: RelativeGaussian(3),
    "linear": lambda s: Linear(),
    "polynomial": lambda s: Polynomial(3),
    "polynomial-2-no-offset": lambda s: Polynomial(2, 0.0),
    "squared": lambda s: Squared(),
    "-squared": lambda s: -Squared(),
    "gaussian + cauchy": lambda s: Gaussian(s) + 0.5 * Cauchy(2.0 * s),
    "gaussian + linear": lambda s: Gaussian(s) + 0.25 * Linear(),
}
"""By a length s."""
LENGTHS = st.sampled_from((1.0, 0.25, 4.0, 0.01, 100.0))


def typical_length(X):
    """A length of the size of the distances of rows, 1 where there is none to be had."""
    spread = np.asarray(X, dtype=np.float64)
    size = float(np.max(np.abs(spread - spread[0]), initial=0.0))
    return size if 1e-69 < size < 1e69 else 1.0


@st.composite
def kernels_for(draw, table, names=tuple(KERNELS)):
    """A kernel, most often at a length that suits the rows."""
    share = draw(LENGTHS)
    return KERNELS[draw(st.sampled_from(names))](share * typical_length(table.X))


# Gammas of n rows, each beside the matrix that it stands for. -------------------------------------


def centred(K):
    """``H K H``."""
    H = np.eye(K.shape[0]) - 1.0 / K.shape[0]
    return H @ K @ H


def _codes(rng, n):
    return rng.integers(0, rng.integers(1, n + 1), n)


def _one_hot(codes):
    return (codes[:, None] == np.arange(codes.max() + 1)).astype(float)


def _classes(rng, n):
    codes = _codes(rng, n)
    return ClassTable.centered(codes), centred(_one_hot(codes) @ _one_hot(codes).T)


def _low_rank(rng, n):
    U = rng.standard_normal((n, rng.integers(1, 4)))
    return LowRank.centered(U), centred(U @ U.T)


def _signed(rng, n):
    U, s = rng.standard_normal((n, 2)), rng.standard_normal(2)
    return LowRank(U, s), U @ np.diag(s) @ U.T


def _dense(rng, n):
    A = rng.standard_normal((n, n))
    return Dense(A + A.T), A + A.T


def _column(rng, n):
    y = rng.standard_normal(n).round(int(rng.integers(0, 8)))
    width = float(10.0 ** rng.uniform(-2.0, 2.0))
    K = np.exp(-0.5 * (np.subtract.outer(y, y) / width) ** 2)
    return GaussianColumn(y, width), centred(K)


def _columns(rng, n):
    y, width = rng.standard_normal((n, 2)), float(10.0 ** rng.uniform(-1.0, 1.0))
    K = np.exp(-0.5 * ((y[:, None] - y) ** 2).sum(axis=2) / width**2)
    return GaussianColumns(y, width, rtol=1e-14), centred(K)


def _sum(rng, n):
    (a, A), (b, B) = _classes(rng, n), _low_rank(rng, n)
    return 2.0 * a - b, 2.0 * A - B


GAMMAS = {
    "classes": _classes,
    "low rank": _low_rank,
    "signed": _signed,
    "dense": _dense,
    "column": _column,
    "columns": _columns,
    "sum": _sum,
}


@dataclass(frozen=True)
class Weights:
    """A Gamma, by what it is made of."""

    kind: str
    n: int
    seed: int

    @cached_property
    def both(self):
        """The structure and the matrix."""
        return GAMMAS[self.kind](np.random.default_rng(self.seed), self.n)


def gammas(n, kinds=tuple(GAMMAS)):
    """Weights for n rows."""
    return st.builds(Weights, st.sampled_from(kinds), st.just(n), SEEDS)


# Targets of n rows. -------------------------------------------------------------------------------


def _kernel_matrix(rng, n):
    A = rng.standard_normal((n, 2))
    return A @ A.T


TARGETS = {
    "two classes": lambda rng, n: np.arange(n) % 2,
    "classes": lambda rng, n: rng.integers(0, max(2, n // 3), n),
    "many classes": lambda rng, n: np.arange(n) // 2,
    "a class for each row": lambda rng, n: np.arange(n),
    "one class": lambda rng, n: np.zeros(n, dtype=int),
    "huge integers": lambda rng, n: 2**62 * rng.integers(-1, 2, n),
    "unsigned": lambda rng, n: rng.integers(0, 3, n).astype(np.uint8),
    "booleans": lambda rng, n: rng.integers(0, 2, n).astype(bool),
    "texts": lambda rng, n: np.array(["a", "b", "", "ü"])[rng.integers(0, 4, n)],
    "objects": lambda rng, n: np.array(["a", "b"], dtype=object)[np.arange(n) % 2],
    "real": lambda rng, n: rng.standard_normal(n),
    "real, single": lambda rng, n: rng.standard_normal(n).astype(np.float32),
    "real, constant": lambda rng, n: np.ones(n),
    "real, few values": lambda rng, n: rng.standard_normal(n).round(0),
    "real, outlier": lambda rng, n: np.where(np.arange(n) == 0, 1e9, rng.standard_normal(n)),
    "real, far": lambda rng, n: 1e12 + rng.standard_normal(n),
    "real, tiny": lambda rng, n: 1e-150 * rng.standard_normal(n),
    "real, huge": lambda rng, n: 1e150 * rng.standard_normal(n),
    "real, subnormal": lambda rng, n: 5e-324 * np.round(20.0 * rng.standard_normal(n)),
    "columns": lambda rng, n: rng.standard_normal((n, 2)),
    "columns of units": lambda rng, n: rng.standard_normal((n, 2)) * [1e-9, 1e9],
    "columns, one constant": lambda rng, n: np.stack([rng.standard_normal(n), np.ones(n)], axis=1),
    "multilabel": lambda rng, n: rng.integers(0, 2, (n, 3)),
    "multilabel, nothing": lambda rng, n: np.zeros((n, 2), dtype=int),
    "precomputed": _kernel_matrix,
    "precomputed, zero": lambda rng, n: np.zeros((n, n)),
}


def target_of(kind, n, seed):
    """y, and what to call it."""
    y = TARGETS[kind](np.random.default_rng(seed), n)
    return y, "precomputed" if kind.startswith("precomputed") else "auto"
