r"""Sums over pairs in linear time, from two passes over the rows.

Where ``g(beta_ij) ~ c_i' P c_j`` for ``g = f, f', f''`` (features) and ``Gamma = E core E'``
(:class:`~hsiclearn.gamma.RowFactor`), let ``A_k = sum_i E_ik c_i [x_i, 1]'`` (first pass). Then ::

    X'(Gamma o g)X = sum_kl core_kl A_k' P A_l                 on the columns of X
    degree_i       = c_i' P sum_kl E_ik core_kl A_l            on the column of ones: second pass

P meets the sums, never the rows. Cost 2 n D d per pass, whatever the number of classes c; memory
for a few chunks of rows and for the sums, c D d numbers each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, final

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, is_foreign, to_host
from ..._result import EngineError
from ..._rows import AbstractRows, as_rows
from ..._threads import with_single_threaded_blas
from ...gamma import AbstractGamma
from ...kernels import AbstractKernel, Pair
from .._base import AbstractEngine
from ..features import Accuracy, has_finite_features
from ..hessian_blocks import (
    Moments,
    assemble,
    column_pairs,
    degree_grams,
    spread,
    thin_columns,
)
from .at_zero import products_at_zero
from .bound import bound_on_phi, worst_rows
from .choice import FreshChoice
from .passes import Columns, FeatureSums, Passes
from .scales import check_scales, has_scales
from .tiles import RowTile, RowTiles

_WORST = 500  # rows added where the bound asks for more landmarks
_MOST_MONOMIALS = 10_000  # of the engine "features"; sums of d numbers are kept for each
_SAMPLE = 4000  # rows that tell how far a Gamma is from a finer one
_MOST_SLOTS = 4000  # of a finer Gamma: beyond, the spectrum of its table takes half a minute
_FINEST = 1e-14  # tolerance; beyond, only rounding is left


class LinearEngine(AbstractEngine):
    """Sums by features of rows, for a Gamma that knows its structure row by row.

    ``rtol`` is the largest error of a kernel value at a candidate row, relative to the value at 0;
    ``max_landmarks`` the largest number of features of one kernel. A subclass says which features.
    """

    is_linear = True

    def __init__(
        self,
        X: Array | AbstractRows,
        gamma: AbstractGamma,
        kernel: AbstractKernel,
        *,
        rtol: float = 1e-6,
        max_landmarks: int = 1500,
    ) -> None:
        super().__init__(as_rows(X), gamma, kernel)
        self._rows, self._terms = as_rows(X).unturned(), kernel.terms
        factor = gamma.row_factor()
        if factor is None:
            raise ValueError(
                f"engine={self.name!r} needs a Gamma of low rank or of classes. Got {gamma!r}, "
                "which is known pair by pair only: use engine='tiled', or pass its factors as "
                "LowRank(U, s)."
            )
        check_scales(self._rows, kernel)
        everything = np.arange(self._rows.n_samples if has_scales(kernel) else 0)
        scales = [  # of all rows, which must be in memory then
            term.row_scales(self._rows.take(everything), gamma.row_weights)
            if term.has_row_scales
            else None
            for _, term in self._terms
        ]
        self._tiles = RowTiles(self._rows, factor, scales)
        # No finer than the precision of the rows: beyond, sums are swamped by their rounding.
        floor = 100.0 * float(np.finfo(self._rows.dtype).eps)
        accuracy = Accuracy(max(rtol, floor), max_landmarks)
        choice = FreshChoice(self._rows, scales, self._terms, self._uses_landmarks, accuracy)
        self._passes = Passes(self._tiles, choice)

    @property
    def column_cost(self) -> float:  # type: ignore[override]
        """As many products as a row of E has entries."""
        return self._tiles.factor.n_entries

    @property
    def accuracy(self) -> Accuracy:
        """How exact the features are."""
        return self._passes.accuracy

    @abstractmethod
    def _uses_landmarks(self, kernel: AbstractKernel, q: int) -> bool:
        """Whether a kernel's features are its values at landmarks."""

    @with_single_threaded_blas
    def total(self, W: FloatArray) -> float:
        return float(sum(s.form(0, 0)[0, 0] for s in self._passes.gather(W, 0, (RowTile.ones, 1))))

    @with_single_threaded_blas
    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        d = self._rows.width
        sums = self._passes.gather(W, 1, (lambda tile: tile.x, d), (RowTile.ones, 1))
        total = self._total_from(W, sums)
        spreads = [
            s.spread(1) if kernel.pair.is_difference else None
            for s, (_, kernel) in zip(sums, self._terms, strict=True)
        ]

        def gram_of_degrees(tile: RowTile, products: list[Any]) -> Array:
            return tile.gram(sum(p[:, 0] for p in products if p is not None))

        XDX = np.zeros((d, d))
        if any(T is not None for T in spreads):
            XDX = self._passes.scatter(W, 1, spreads, gram_of_degrees, width=d)
        XSX: dict[Pair, FloatArray] = {}
        for s, (_, kernel) in zip(sums, self._terms, strict=True):
            XSX[kernel.pair] = XSX.get(kernel.pair, 0.0) + s.form(0, 0)
        matrix = sum((pair.combined(XDX, form) for pair, form in XSX.items()), np.zeros((d, d)))
        return float(total), self._rows.whole_sum(matrix)

    @with_single_threaded_blas
    def total_and_gradient(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X W``: sums with q + 1 columns, where Phi takes d + 1."""
        terms, q = self._terms, W.shape[1]

        def with_one(tile: RowTile) -> Array:
            return array_namespace(tile.w).concat([tile.w, tile.ones()], axis=1)

        sums = self._passes.gather(W, 1, (with_one, q + 1))
        total = self._total_from(W, sums)

        def product(tile: RowTile, parts: list[Any]) -> Array:
            w = in_dtype(tile.w, np.float64)
            out = array_namespace(w).zeros_like(w)
            for (_, kernel), SV in zip(terms, parts, strict=True):
                out += kernel.pair.contraction(SV[:, :q], SV[:, q], w)
            return tile.transposed(out)

        spreads, width = [s.spread(0) for s in sums], self._rows.width
        return total, self._passes.scatter(W, 1, spreads, product, width=width)

    def _total_from(self, W: FloatArray, sums: list[FeatureSums]) -> float:
        """The total, from the last column of sums of f', ones, where f has their features."""
        if any(kernel.rate is None for _, kernel in self._terms):
            return self.total(W)
        last = slice(-1, None)
        parts = zip(sums, self._passes.features(W, 0), strict=True)
        return float(
            sum(s.form(-1, -1, last, last)[0, 0] / s.factor * factor for s, (factor, _) in parts)
        )

    @with_single_threaded_blas
    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        placed = beside(V, self._tiles.like, np.float64)

        def some(tile: RowTile) -> Array:
            return array_namespace(placed).take(placed, tile.index, axis=0)

        def found(tile: RowTile, product: Array) -> list[tuple[Array, Array]]:
            return [tile.without_filling(product)]

        parts = self._products(W, (some, V.shape[1]), Z, found, lambda found: found)
        out = np.empty(V.shape)
        for index, product in parts:
            out[index] = product
        return out

    @with_single_threaded_blas
    def multiply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``X' c L(S) X V``, or its derivative along Z; nothing of size n is kept."""
        frame = self._tiles.frame(V)
        columns = (lambda tile: tile.project(frame), V.shape[1])
        return self._products(W, columns, Z, lambda tile, out: tile.transposed(out))

    def _products(
        self,
        W: FloatArray,
        columns: Columns,
        Z: FloatArray | None,
        use: Callable[[RowTile, Array], Any],
        finish: Callable[[Any], Any] = to_host,
    ) -> Any:
        """``use`` sees ``c L(S) V``, or ``c L(Sdot) V``, on a tile of rows.

        Sdot is ``Gamma o f''`` times betadot, a product of thin factors: those join V.
        """
        make, k = columns
        order = 1 if Z is None else 2
        along = None if Z is None else self._tiles.frame(Z)

        def factors(tile: RowTile, pair: Pair) -> tuple[Array, Array]:
            if along is None:
                return tile.ones(), tile.ones()
            z = tile.project(along)
            return pair.beta_dot_factors(tile.w, _like(z, tile.w) if is_foreign(z) else z)

        def wide(tile: RowTile, pair: Pair) -> Array:
            both = [_like(make(tile), tile.w), tile.ones()]
            with_one = array_namespace(tile.w).concat(both, axis=1)
            return spread(with_one, factors(tile, pair)[1])

        def width(pair: Pair) -> int:
            some = np.zeros((1, W.shape[1]))
            return (k + 1) * (1 if Z is None else pair.beta_dot_factors(some, some)[0].shape[1])

        kinds = list({kernel.pair for _, kernel in self._terms})
        sums = self._passes.gather(W, order, *((partial(wide, pair=p), width(p)) for p in kinds))
        spreads = [
            s.spread(kinds.index(kernel.pair))
            for s, (_, kernel) in zip(sums, self._terms, strict=True)
        ]

        def used(tile: RowTile, products: list[Any]) -> Any:
            V = in_dtype(make(tile), np.float64)
            out = array_namespace(V).zeros_like(V)
            for (_, kernel), value in zip(self._terms, products, strict=True):
                left = in_dtype(factors(tile, kernel.pair)[0], np.float64)
                SV = _combined(left, value, k + 1)
                out += kernel.pair.contraction(SV[:, :k], SV[:, k], V)
            return use(tile, out)

        d = self._rows.width
        return self._passes.scatter(W, order, spreads, used, finish=finish, width=d)

    @with_single_threaded_blas
    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        d, q = self._rows.width, W.shape[1]
        pairs = len(column_pairs(q))
        sums = self._passes.gather(
            W,
            2,
            (lambda tile: spread(tile.dense_x(), thin_columns(tile.w)), (1 + q + pairs) * d),
            (lambda tile: thin_columns(tile.w), 1 + q + pairs),
        )

        def use(tile: RowTile, products: list[Any]) -> Array:
            x, parts = tile.dense_x(), zip(self._terms, products, strict=True)
            grams = [degree_grams(kernel.pair, x, tile.w, T) for (_, kernel), T in parts]
            return array_namespace(x).stack(grams)

        thin = [s.spread(1) for s in sums]
        grams = self._passes.scatter(W, 2, thin, use, width=pairs * d)
        M = np.zeros((q, q, d, d))
        singles, rest = slice(d, (q + 1) * d), slice((q + 1) * d, None)
        for s, gram, (_, kernel) in zip(sums, grams, self._terms, strict=True):
            first = s.form(0, 0, singles, singles)
            second = s.form(0, 0, slice(0, d), rest)
            M += assemble(kernel.pair, Moments(first, second), gram, q)
        return self._rows.whole_sum(M)

    @with_single_threaded_blas
    def at_zero(self, t: int, V: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """``X'SX V`` and ``X'DX V`` at W = 0; nothing of size n is kept."""
        return products_at_zero(self._tiles, t, V)

    @property
    def noise(self) -> float:  # type: ignore[override]
        """Changes of the total below this share of it are not to be trusted.

        Where landmarks are chosen anew at every W, values at two of them are not quite those of
        one function. Where they are held, rounding is all there is.
        """
        return 10.0 * self._passes.eps if self._passes.choice.is_held else self.slack

    @property
    def slack(self) -> float:  # type: ignore[override]
        """A tenth of the tolerance is many times what was seen."""
        return max(0.1 * self.accuracy.rtol, 10.0 * self._passes.eps)

    def in_single(self) -> LinearEngine:
        """Tiles in single precision, of which sums over many rows round much less."""
        twin = copy(self)
        twin._passes = self._passes.in_single()
        return twin

    def held_at(self, W: FloatArray) -> LinearEngine:
        """With the features chosen at W, wherever they are used: see ``choice.py``."""
        passes = self._passes.held_at(W)
        if passes is self._passes:
            return self
        twin = copy(self)
        twin._passes = passes
        return twin

    @with_single_threaded_blas
    def error(self, W: FloatArray, norm: float) -> EngineError:
        """How far Phi at W may be from the exact one, relative to ``norm``.

        The rounding of the sums is estimated, which counts in single precision only.
        """
        guaranteed = self._passes.double
        bound = 100.0 * self._passes.eps * norm  # rounding
        pairs = self._passes.features(W, 1)
        for t, (factor, features) in enumerate(pairs):
            if features.is_bounded:
                pair = self._terms[t][1].pair
                bound += abs(factor) * bound_on_phi(self._tiles, W, t, features, pair)
            else:
                guaranteed = False
                # Of too few landmarks nothing is known; where every row is one, nothing is missing.
                is_short = features.is_exhausted and features.size < self._rows.n_samples
                bound += norm if is_short else self.accuracy.rtol * norm
        if (finer := self.gamma.finer()) is not None:
            guaranteed = False
            bound += norm * self._distance_from(finer, W)
        size = max(f.size for _, f in pairs)
        return EngineError(bound / norm, guaranteed, n_features=size)

    def _distance_from(self, gamma: AbstractGamma, W: FloatArray) -> float:
        """How far Phi is from that with another Gamma, relatively, by a sample of rows."""
        n = self._rows.n_samples
        index = np.sort(np.random.default_rng(0).choice(n, min(n, _SAMPLE), replace=False))
        rows, kernel = self._rows.subset(index), self.kernel
        ours, other = (
            NystromEngine(rows, g.centered_on(index), kernel, rtol=self.accuracy.rtol).contract(W)[
                1
            ]
            for g in (self.gamma, gamma)
        )
        size, error = np.linalg.norm(other), np.linalg.norm(ours - other)
        return float(error / size) if error > 0.0 else 0.0  # both nothing: a constant target

    def sharpened(self, factor: float) -> LinearEngine:
        """A smaller tolerance, and no other candidates for landmarks than before."""
        twin, rtol = copy(self), max(factor * self.accuracy.rtol, _FINEST)
        accuracy, none = replace(self.accuracy, rtol=rtol), np.zeros(0, dtype=np.intp)
        twin._passes = self._passes.refined(self._tiles, accuracy, none)
        return twin

    def refined(self, W: FloatArray, factor: float) -> LinearEngine | None:
        """More landmarks: a smaller tolerance, and the rows that fared worst as candidates.

        With them goes a finer Gamma, where it makes a difference of that size.
        """
        rtol = factor * self.accuracy.rtol
        used = [features for _, features in self._passes.features(W, 1)]
        finer = self.gamma.finer()
        if finer is not None and self._distance_from(finer, W) <= rtol:
            finer = None
        if finer is not None and getattr(finer, "n_slots", 0) > _MOST_SLOTS:
            finer = None
        spent = all(f.is_exact for f in used) or any(f.is_exhausted for f in used)
        if (spent and finer is None) or rtol < _FINEST:
            return None
        worst = [worst_rows(self._tiles, W, t, f, _WORST) for t, f in enumerate(used)]
        twin = copy(self)
        accuracy = replace(self.accuracy, rtol=rtol)
        if finer is not None and (factors := finer.row_factor()) is not None:
            twin.gamma = finer
            twin._tiles = RowTiles(self._rows, factors, self._tiles.scales)
        twin._passes = self._passes.refined(twin._tiles, accuracy, np.concatenate(worst))
        return twin


def _like(values: Array, w: Array) -> Array:
    """In the dtype of w."""
    return array_namespace(w).astype(values, w.dtype, copy=False)


def _combined(left: Array, value: Array, k: int) -> Array:
    """``sum_l left_il value_ilk``."""
    value = array_namespace(value).reshape(value, (*left.shape, k))
    if isinstance(value, np.ndarray):
        product: FloatArray = np.einsum("il,ilk->ik", left, value)
        return product
    return array_namespace(value).sum(left[:, :, None] * value, axis=1)


@final
class NystromEngine(LinearEngine):
    """Features at landmarks; monomials for the terms that are polynomials in beta."""

    name = "nystrom"

    def _uses_landmarks(self, kernel: AbstractKernel, q: int) -> bool:
        return not has_finite_features(kernel, q)


@final
class FeatureEngine(LinearEngine):
    """Monomials: exact sums in linear time for kernels that are polynomials in beta.

    At a W of so many columns that there are more than 10,000 of them, as W = I may be, landmarks
    stand in; the error says so.
    """

    name = "features"

    def __init__(
        self, X: Array | AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel
    ) -> None:
        for _, term in kernel.terms:
            if not has_finite_features(term, 1):
                raise ValueError(
                    "engine='features' is for kernels that are polynomials in beta. "
                    f"Got {term!r}: use engine='nystrom' or 'auto'."
                )
        super().__init__(X, gamma, kernel, rtol=0.0)

    def _uses_landmarks(self, kernel: AbstractKernel, q: int) -> bool:
        return not has_finite_features(kernel, q, _MOST_MONOMIALS)
