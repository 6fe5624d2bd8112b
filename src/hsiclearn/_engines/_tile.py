r"""The mathematics of one tile of pairs, in any array namespace. Engines only schedule it.

For rows I and columns J, with ``w = XW`` and ``z = XZ``::

    total     sum_ij Gamma_ij f(beta_ij)
    weights   S    = Gamma o f'(beta)                      (for Phi)
              T    = Gamma o f''(beta)
              Sdot = T o betadot                           (for Phidot, the derivative along Z)

Every derivative of the objective is made of these times thin matrices, and of their row sums.
They are kept as ``factor * array``: a Gaussian's f, f' and f'' are then one array, not three.
Arrays are overwritten where their content is no longer needed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from .._arrays import Array, FloatArray, array_namespace, matmul_into
from .._columns import Column
from .._devices import beside
from ..kernels import AbstractKernel, Pair, Scaled


class Workspace:
    """A few flat buffers of one size, made when first asked for; of no size, None instead.

    Without a size every product is a fresh array, as arrays of other libraries need it.
    """

    def __init__(self, size: int | None = None, dtype: DTypeLike = np.float64) -> None:
        self._size, self._dtype = size, dtype
        self._buffers: dict[int, Array] = {}

    def __getitem__(self, k: int) -> Array | None:
        """Buffer number k."""
        if self._size is None:
            return None
        if k not in self._buffers:
            self._buffers[k] = np.empty(self._size, dtype=self._dtype)
        return self._buffers[k]


class Memo:
    """What was computed on each tile at the last W, so that the next derivative finds it there.

    Asked by several threads, each for tiles of its own.
    """

    def __init__(self) -> None:
        self._W: Array | None = None
        self._found: dict[Hashable, Any] = {}
        self._buffers: dict[Hashable, Array] = {}

    def move_to(self, W: Array) -> None:
        """Forget everything that was computed elsewhere; the memory is kept."""
        if self._W is None or not np.array_equal(self._W, W):
            self._W = W.copy()
            self.clear()

    def clear(self) -> None:
        """Forget everything; the memory is kept."""
        self._found = {}

    def found(self, key: Hashable, size: int, make: Callable[[Array], Any]) -> Any:
        """What was made of a tile at this W; ``make`` gets memory that belongs to the tile."""
        if key not in self._found:
            if key not in self._buffers:
                self._buffers[key] = np.empty(size)
            self._found[key] = make(self._buffers[key])
        return self._found[key]


class Group(NamedTuple):
    """The terms of a kernel that share a pair type, so that they share beta and contraction."""

    pair: Pair
    terms: tuple[tuple[float, AbstractKernel, Array | None], ...]  # weight, kernel, row scales

    def jet(self, beta: Array, order: int, rows: slice, cols: slice) -> tuple[Scaled, ...]:
        """``(f, f', f'')`` of the weighted sum, with respect to beta. Gives beta up.

        A term with row scales is ``weight (f, s f', s^2 f'')`` at ``s beta``, ``s = s_i s_j``.
        """
        jets = []
        for weight, kernel, scales in self.terms:
            own = beta if len(self.terms) == 1 else beta + 0.0
            if scales is None:
                jet = kernel.jet(own, order)
            else:
                s = scales[rows][:, None] * scales[cols][None, :]
                scaled = enumerate(kernel.jet(s * own, order))
                jet = tuple((factor, s**k * array) for k, (factor, array) in scaled)
            jets.append([(weight * factor, array) for factor, array in jet])
        if len(jets) == 1:
            return tuple(jets[0])
        columns = zip(*jets, strict=True)
        return tuple((1.0, sum(factor * array for factor, array in column)) for column in columns)

    def beside(self, like: Array) -> Group:
        """The same terms with their row scales beside an array of another library."""
        terms = ((w, k, None if s is None else beside(s, like)) for w, k, s in self.terms)
        return Group(self.pair, tuple(terms))

    def reordered(self, order: Array) -> Group:
        """The same terms with their row scales in another order."""
        terms = ((w, k, None if s is None else s[order]) for w, k, s in self.terms)
        return Group(self.pair, tuple(terms))


def group_by_pair(
    kernel: AbstractKernel, X: FloatArray, weights: Column | None = None
) -> tuple[Group, ...]:
    """Sort a kernel's terms by pair type and fetch their row scales, of rows with weights."""
    groups: dict[Pair, list[tuple[float, AbstractKernel, Array | None]]] = {}
    for weight, term in kernel.terms:
        scales = term.row_scales(X, weights)
        groups.setdefault(term.pair, []).append((weight, term, scales))
    return tuple(Group(pair, tuple(terms)) for pair, terms in groups.items())


@dataclass(frozen=True)
class Tile:
    """Rows I against columns J of one group of terms.

    ``beta`` and ``beta_dot`` are thin factors of them, the latter for a derivative along Z.
    ``weigh(array, rows, cols)`` multiplies by Gamma, in the array's own memory, and returns
    ``(factor, array)``: where Gamma is constant on the tile it only sets the factor.
    """

    group: Group
    beta: tuple[Array, Array]
    beta_dot: tuple[Array, Array] | None
    weigh: Callable[[Array, slice, slice], Scaled]
    rows: slice
    cols: slice
    workspace: Workspace
    memo: Memo | None

    @property
    def on_diagonal(self) -> bool:
        """Whether the tile holds both halves of its pairs."""
        return self.rows == self.cols

    def jet(self, order: int) -> tuple[Scaled, ...]:
        """``Gamma o (f, f', f'')`` up to ``order``, or further where it was computed before."""
        if self.memo is None:
            return self._computed_jet(order, self.workspace[0])
        key = (self.group.pair, self.rows.start, self.cols.start)
        size = (self.rows.stop - self.rows.start) * (self.cols.stop - self.cols.start)
        jet: tuple[Scaled, ...] = self.memo.found(key, size, lambda m: self._computed_jet(2, m))
        return jet

    def _computed_jet(self, order: int, memory: Array | None) -> tuple[Scaled, ...]:
        """Compute the jet and multiply it by Gamma; an array that parts share, once."""
        left, right = self.beta
        beta = self.group.pair.beta(left[self.rows, :], right[self.cols, :], memory)
        weighed: dict[int, Scaled] = {}
        out = []
        for factor, array in self.group.jet(beta, order, self.rows, self.cols):
            if id(array) not in weighed:
                weighed[id(array)] = self.weigh(array, self.rows, self.cols)
            constant, product = weighed[id(array)]
            out.append((constant * factor, product))
        return tuple(out)

    def total_and_weights(self) -> tuple[float, Scaled]:
        """``sum Gamma o f`` and ``S = Gamma o f'``."""
        (factor, array), slope, *_ = self.jet(1)
        return factor * float(array_namespace(array).sum(array)), slope

    def dot_weights(self) -> tuple[float, Scaled]:
        """``Sdot = T o betadot``, with a zero where others have a total."""
        assert self.beta_dot is not None
        factor, T = self.jet(2)[2]
        left, right = self.beta_dot
        dot = matmul_into(self.workspace[1], left[self.rows, :], right[self.cols, :].T)
        dot *= T
        return 0.0, (factor, dot)
