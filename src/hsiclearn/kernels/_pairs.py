r"""The two ways two rows meet in a kernel.

========== ============================ ============================== ====================
pair       beta_ij                      derivative along Z             contraction
========== ============================ ============================== ====================
inner      x_i' W W' x_j                w_i.z_j + z_i.w_j              L(S) = S,       c = 1
difference |W'(x_i - x_j)|^2            2 (w_i - w_j).(z_i - z_j)      L(S) = D_S - S, c = 2
========== ============================ ============================== ====================

with ``w = XW`` and ``z = XZ``. Each beta is one matrix product ``left @ right.T`` of thin
factors, so that a tile of it costs one GEMM and no further pass over the tile.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from .._arrays import Array, array_namespace, matmul_into


class Pair(ABC):
    """A pair type: the factors of beta and betadot, and the contraction ``c L(S)``."""

    name: str
    is_difference: bool

    @abstractmethod
    def beta_factors(self, w: Array) -> tuple[Array, Array]:
        """Thin factors of beta, each (n, q) or a little wider."""

    @abstractmethod
    def beta_dot_factors(self, w: Array, z: Array) -> tuple[Array, Array]:
        """Thin factors of the derivative of beta along Z, each (n, 2q) or a little wider."""

    @abstractmethod
    def beta(self, left: Array, right: Array, workspace: Array | None = None) -> Array:
        """Beta on a tile, from rows of its factors."""

    @abstractmethod
    def contraction(self, SV: Array, degree: Array, V: Array) -> Array:
        """``c L(S) V`` from ``S V`` and the row sums of S."""

    @abstractmethod
    def combined(self, XDX: Array, XSX: Array) -> Array:
        """``X' c L(S) X`` from its two parts, ``D`` the row sums of S."""

    def contracted(self, XSX: Array, degree: Array, X: Array) -> Array:
        """``X' c L(S) X`` from ``X'SX`` and the row sums of S."""
        XDX = X.T @ (degree[:, None] * X) if self.is_difference else XSX
        return self.combined(XDX, XSX)


@final
@dataclass(frozen=True)
class _Inner(Pair):
    """``beta_ij = w_i . w_j``."""

    name = "inner"
    is_difference = False

    def beta_factors(self, w: Array) -> tuple[Array, Array]:
        return w, w

    def beta_dot_factors(self, w: Array, z: Array) -> tuple[Array, Array]:
        xp = array_namespace(w)
        return xp.concat([w, z], axis=1), xp.concat([z, w], axis=1)

    def beta(self, left: Array, right: Array, workspace: Array | None = None) -> Array:
        return matmul_into(workspace, left, right.T)

    def contraction(self, SV: Array, degree: Array, V: Array) -> Array:
        return SV

    def combined(self, XDX: Array, XSX: Array) -> Array:
        return XSX


@final
@dataclass(frozen=True)
class _Difference(Pair):
    """``beta_ij = |w_i - w_j|^2``."""

    name = "difference"
    is_difference = True

    def beta_factors(self, w: Array) -> tuple[Array, Array]:
        xp = array_namespace(w)
        square = xp.sum(w * w, axis=1)
        if isinstance(w, np.ndarray) and w.dtype.kind == "f" and w.flags.c_contiguous:
            # Filled in place: of a few hundred rows it is the calls that take the time.
            (n, q), dtype = w.shape, w.dtype
            left, right = np.empty((n, q + 2), dtype), np.empty((n, q + 2), dtype)
            np.multiply(w, -2.0, out=left[:, :q])
            left[:, q] = right[:, q + 1] = square
            left[:, q + 1] = right[:, q] = 1.0
            right[:, :q] = w
            return left, right
        square = square[:, None]
        one = xp.ones_like(square)
        return xp.concat([-2.0 * w, square, one], axis=1), xp.concat([w, one, square], axis=1)

    def beta_dot_factors(self, w: Array, z: Array) -> tuple[Array, Array]:
        xp = array_namespace(w)
        a = 2.0 * xp.sum(w * z, axis=1)[:, None]
        one = xp.ones_like(a)
        left = xp.concat([-2.0 * w, -2.0 * z, a, one], axis=1)
        return left, xp.concat([z, w, one, a], axis=1)

    def beta(self, left: Array, right: Array, workspace: Array | None = None) -> Array:
        """Squared distances, without a sign: the product can round below 0.

        To drop the sign takes a sixth of the time of a maximum, and is as near to the truth.
        """
        beta = matmul_into(workspace, left, right.T)
        if isinstance(beta, np.ndarray):
            return np.abs(beta, out=beta)
        return array_namespace(beta).abs(beta)

    def contraction(self, SV: Array, degree: Array, V: Array) -> Array:
        return 2.0 * (degree[:, None] * V - SV)

    def combined(self, XDX: Array, XSX: Array) -> Array:
        return 2.0 * (XDX - XSX)


INNER: Pair = _Inner()
DIFFERENCE: Pair = _Difference()


def as_pair(pair: Pair | str) -> Pair:
    """Look a pair type up by name."""
    if isinstance(pair, Pair):
        return pair
    known = {p.name: p for p in (INNER, DIFFERENCE)}
    if pair not in known:
        raise ValueError(f"`pair` must be one of {sorted(known)}. Got {pair!r}.")
    return known[pair]
