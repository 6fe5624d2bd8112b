r"""Where a set of columns is looked for: moments of the rows, by what they say of the target.

::

    Gamma = U diag(s) U'      m = X'U  (d, r)      M_k = X' diag(u_k) X  (d, d)

Where the target depends on k columns alone, what M_k has beyond noise is a block of k rows and k
columns, and what m has beyond noise are k rows. The first sees dependence that means do not (XOR,
rings, products), the second the rest. A block whose entries hardly stand out one by one is found by
*truncated power iteration* (Yuan and Zhang, 2013): multiply, keep k rows, and again. Pairs take
O(n r d^2): of very many columns some are left out first (:mod:`.screening`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..._arrays import Array, FloatArray
from ...gamma import AbstractGamma

_MOST_FACTORS = 8
_VANISHING = 0.02  # of the largest: a factor of Gamma that has no say
_ROUNDS = 30
_MOST_SEEDS, _SEED_WORK = 200, 4000  # columns to begin from; the larger the set, the fewer


def largest(values: FloatArray, k: int) -> Array:
    """The places of the k largest, ascending; of equals the first."""
    return np.sort(np.argsort(-values, kind="stable")[:k])


def power_basis(moments: FloatArray, sizes: FloatArray, q: int) -> FloatArray:
    """The top q eigenvectors of ``sum_k |s_k| M_k^2``."""
    total = np.einsum("r,rij,rjk->ik", sizes, moments, moments, optimize=True)
    vectors: FloatArray = np.linalg.eigh(total)[1][:, -q:]
    return vectors


def telling_factors(gamma: AbstractGamma) -> tuple[FloatArray, FloatArray]:
    """``U`` and ``|s|``, the largest of which is 1."""
    U, s = gamma.factors(_MOST_FACTORS)
    sizes = np.abs(s)
    keep = sizes > _VANISHING * sizes.max(initial=0.0)
    return U[:, keep], sizes[keep] / sizes.max(initial=1e-300)


@dataclass(frozen=True, eq=False)
class ColumnMoments:
    """First and second moments of rows X from their mean, weighted by a few factors of Gamma."""

    X: FloatArray
    gamma: AbstractGamma

    @cached_property
    def _centred(self) -> FloatArray:
        v = self.gamma.row_weights
        return self.X - (self.X.mean(axis=0) if v is None else v @ self.X / v.sum())

    @cached_property
    def _factors(self) -> tuple[FloatArray, FloatArray]:
        return telling_factors(self.gamma)

    @property
    def sizes(self) -> FloatArray:
        """``|s_k|``, the largest of which is 1."""
        return self._factors[1]

    @cached_property
    def first(self) -> FloatArray:
        """``X'U |s|^1/2``, a row per column of X."""
        U, sizes = self._factors
        found: FloatArray = self._centred.T @ U * np.sqrt(sizes)
        return found

    @cached_property
    def second(self) -> FloatArray:
        """The ``M_k``, one above the other."""
        X = self._centred
        return np.stack([(X.T * u) @ X for u in self._factors[0].T])

    def basis_on(self, columns: Array, q: int) -> FloatArray:
        """Second moments of these columns alone: the q directions they speak of, a start."""
        return power_basis(self.second[:, columns[:, None], columns], self.sizes, q)

    def slopes_on(self, columns: Array, q: int) -> FloatArray:
        """First moments of these columns alone, filled up with second ones: another start."""
        U, sizes, _ = np.linalg.svd(self.first[columns], full_matrices=False)
        known = U[:, : min(q, int(np.count_nonzero(sizes > 1e-9 * sizes.max(initial=1e-300))))]
        both = np.concatenate([known, self.basis_on(columns, q)], axis=1)
        found: FloatArray = np.linalg.qr(both)[0][:, :q]
        return found

    def sets(self, q: int, k: int, n_best: int) -> list[Array]:
        """Sets of k columns that second moments speak of, the most telling first; one of means."""
        if k >= self.X.shape[1]:
            return [np.arange(self.X.shape[1])]
        energy = np.einsum("r,rij->j", self.sizes, np.square(self.second))
        seeds = largest(energy, min(_MOST_SEEDS, max(1, _SEED_WORK // (k * self.sizes.size))))
        found: dict[bytes, tuple[float, Array]] = {}
        for j in seeds.tolist():
            row = np.einsum("r,rd->d", self.sizes, np.square(self.second[:, j]))
            row[j] = np.inf
            score, columns = self._truncated_power(q, largest(row, k))
            found[columns.tobytes()] = (score, columns)
        best = sorted(found.values(), key=lambda one: (-one[0], one[1].tolist()))[:n_best]
        means = largest(np.square(self.first).sum(axis=1), k)
        return _different([*(columns for _, columns in best), means])

    def _truncated_power(self, q: int, columns: Array) -> tuple[float, Array]:
        """From a set to the best one on the way: ``sum_k |s_k| |V'M_k V|^2``, V on the set."""
        best, k, seen = (-1.0, columns), columns.size, set[bytes]()
        for _ in range(_ROUNDS):
            if (key := columns.tobytes()) in seen:
                break
            seen.add(key)
            narrow = self.second[:, :, columns]
            block = narrow[:, columns]
            V = power_basis(block, self.sizes, q)
            score = float(self.sizes @ np.square(V.T @ block @ V).sum(axis=(1, 2)))
            if score > best[0]:
                best = (score, columns)
            columns = largest(self.sizes @ np.square(narrow @ V).sum(axis=2), k)
        return best


def _different(sets: Sequence[Array]) -> list[Array]:
    """Each one once, in order."""
    return list({columns.tobytes(): columns for columns in reversed(sets)}.values())[::-1]
