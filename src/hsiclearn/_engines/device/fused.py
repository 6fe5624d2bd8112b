r"""All pairs on a GPU in one kernel, none of them in its memory: exact up to some 1e-6.

With z the projected rows in units of the kernel, S the weights of the pairs and D their row sums,
the kernel (``_triton.py``) visits half of the pairs and leaves ::

    Y = S_half X,   rows and columns of S_half added up        n x d, n numbers
    X'SX = X'Y + Y'X,   X' c L(S) X = 2 (X'DX - X'SX)

What is left, sums over rows, is done in double precision. Hessian products visit all pairs, with
``betadot_ij`` a product of thin factors within the same kernel.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from itertools import product
from typing import Any, final

import numpy as np

from ..._arrays import FloatArray
from ..._devices import to_host, within_memory
from ..._result import EngineError
from ..._rows import AbstractRows, DeviceRows
from ...exceptions import DeviceMemoryError
from ...gamma import AbstractGamma
from ...kernels import AbstractKernel
from .._base import AbstractEngine
from ..hessian_blocks import Moments, assemble, column_pairs, degree_grams, thin_columns
from ..linear.at_zero import products_at_zero
from ..linear.tiles import RowTiles
from .layout import BM, PairLayout, can_lay_out, layout_of
from .one_pass import Exponents, Halves, PairsPass, Profile, Sums, padded_width
from .pairs import DevicePairs
from .splits import (
    FARTHEST,
    Tensor,
    column_units,
    exponents,
    halves,
    lifted_products,
    torch_of,
)

_SHARE = 0.125  # of the budget, for one array of doubles
_FEWEST = 16 * BM  # rows at a time
_BESIDE = 300  # bytes kept of a row: exponents, sums, and where it stands
_SAMPLE = 4096  # rows that tell how exact sums are
_MOST_IN_DOUBLE = 100_000  # rows: a second an evaluation
_NOISE = 2e-7  # of the total


@final
class FusedPairs(AbstractEngine):
    """All pairs by a kernel of Triton's, on an NVIDIA GPU.

    For elementwise kernels of differences, and a Gamma of classes, of few factors, or of a real
    target. Of numbers in single precision Phi is exact to about 1e-6; :meth:`error` measures it on
    a sample. :meth:`in_single` takes one product of three: a quarter faster, some 1e-6 to 1e-5.
    """

    name = "fused"
    is_linear = True  # of rows that are not on the host
    is_pairwise = True
    noise = _NOISE
    slack = _NOISE

    def __init__(self, X: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel) -> None:
        super().__init__(X, gamma, kernel)
        reason = why_not(X, kernel)
        if reason:
            raise ValueError(f"engine='fused' {reason} Use engine='tiled', or 'auto'.")
        assert X.on_device is not None
        self._like, self._budget = X.on_device.like, X.on_device.budget
        layout = layout_of(gamma, self._like)
        if layout is None:
            raise ValueError(
                "engine='fused' needs a Gamma of classes, of some 40 factors at most, or of a real "
                f"target. Got {gamma!r}. Use engine='tiled', or 'auto'."
            )
        self._layout: PairLayout = layout
        self._check_memory()
        self._products = 3

    def in_single(self) -> FusedPairs:
        """The leading product alone."""
        twin = copy(self)
        twin._products = 1
        return twin

    def _check_memory(self) -> None:
        """Raise unless the rows in halves, and what is kept of each beside them, fit the budget."""
        n, d = self._layout.n_places, self.X.n_features
        needed = bytes_kept(n, d)
        if needed > self._budget:
            raise DeviceMemoryError(
                f"engine='fused' keeps {needed / 2**20:.0f} MiB beside {n} rows of {d} columns, "
                f"and may take {self._budget / 2**20:.0f}: free some of the device's memory, or "
                "use engine='nystrom' or 'tiled'."
            )

    @cached_property
    def _X(self) -> Halves:
        return self._halved(lambda places: self.X.at(self._layout.source[places]).double())

    def refined(self, W: FloatArray, factor: float) -> AbstractEngine | None:
        """All pairs in double precision, where that takes seconds."""
        if self.X.n_samples > _MOST_IN_DOUBLE:
            return None
        return DevicePairs(_in_double(self.X), self.gamma, self.kernel)

    def error(self, W: FloatArray, norm: float) -> EngineError:
        """Measured on a sample of rows, beside all pairs of it in double precision."""
        n = self.X.n_samples
        index = np.sort(np.random.default_rng(0).choice(n, min(n, _SAMPLE), replace=False))
        if not can_lay_out(self.gamma.take(index)):  # of thousands of classes: rows of some of them
            index = np.sort(to_host(self._layout.source[self._layout.is_there][:_SAMPLE]))
        some, gamma = self.X.subset(index), self.gamma.take(index)
        ours = FusedPairs(some, gamma, self.kernel).contract(W)[1]
        exact = DevicePairs(_in_double(some), gamma, self.kernel).contract(W)[1]
        size = max(float(np.linalg.norm(exact)), float(np.finfo(float).tiny))
        return EngineError(float(np.linalg.norm(ours - exact)) / size, guaranteed=False)

    def total(self, W: FloatArray) -> float:
        return self.contract(W)[0]

    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        X, torch = self._X, torch_of(self._like)
        total = matrix = torch.zeros((), device=self._like.device)

        def use(places: slice, Y: Tensor) -> Tensor:
            return X.doubles(places).T @ Y

        for weight, kernel, profile in self._profiles(1):
            at_W = self._exponents(W, profile)
            sums = self._pass(at_W, X, use, half=True)
            XDX = self._gram(sums.degree)
            half = sum(sums.found)
            matrix = matrix + 2.0 * weight * (XDX - (half + half.T))
            itself = float(np.asarray(kernel.f(np.zeros(1)))[0]) * self._layout.diagonal
            own = weight / (profile.size * self._layout.size)  # of the term
            total = total + weight * self._total_of(kernel, profile, sums) + own * itself
        both = to_host(torch.cat([matrix.reshape(-1), total.reshape(1)]))
        return float(both[-1]), both[:-1].reshape(matrix.shape)

    def total_and_gradient(self, W: FloatArray) -> tuple[float, FloatArray]:
        """With half of the pairs for Phi and all of them for a few columns: the first is faster."""
        total, matrix = self.contract(W)
        return total, matrix @ W

    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        torch, layout = torch_of(self._like), self._layout
        there = torch.as_tensor(V, dtype=torch.float64, device=self._like.device)
        product = self._products_with(self._halved(lambda p: there[layout.source[p]]), W, Z)
        out = torch.zeros_like(there)
        out[layout.source[layout.is_there]] = product[layout.is_there]
        return to_host(out)

    def multiply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        columns, X = self._halved(lambda places: self._times(V, places)), self._X
        product, size = self._products_with(columns, W, Z), self._rows_at_once(2 * X.width)
        return to_host(sum(X.doubles(p).T @ product[p] for p in self._places(size)))

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        """From moments, as in ``hessian_blocks.py``."""
        (d, q), X = W.shape, self._X
        pairs = len(column_pairs(q))
        M = np.zeros((q, q, d, d))

        def thin(places: slice) -> Tensor:
            return thin_columns(self._times(W, places))

        def spread_of(columns: slice) -> Callable[[slice, Tensor], Tensor]:
            def use(places: slice, TV: Tensor) -> Tensor:
                left = X.doubles(places)[:, None, :] * thin(places)[:, columns, None]
                return left.reshape(left.shape[0], -1).T @ TV

            return use

        for weight, kernel, profile in self._profiles(2):
            at_W = self._exponents(W, profile)

            def grams_of(places: slice, T_thin: Tensor, pair: Any = kernel.pair) -> Tensor:
                w = self._times(W, places)
                return degree_grams(pair, X.doubles(places), w, T_thin)

            width = (1 + q + pairs) * d
            grams = sum(self._pass(at_W, self._halved(thin), grams_of, width=width).found)
            moments = []
            for k in range(1 + q):
                own = slice(1, 1 + q) if k else slice(1 + q, None)
                columns = self._halved(lambda p, k=k: thin(p)[:, k, None] * X.doubles(p))  # type: ignore[misc]
                found = self._pass(at_W, columns, spread_of(own), width=width).found
                moments.append(to_host(sum(found)))
            mirror = moments[0].reshape(-1, d, d).transpose(2, 0, 1).reshape(d, -1)
            both = Moments(np.concatenate(moments[1:], axis=1), mirror)
            M += weight * assemble(kernel.pair, both, to_host(grams), q)
        return M

    def at_zero(self, t: int, V: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """There no pair is to be seen: two passes over the rows."""
        factor = self.gamma.row_factor()
        assert factor is not None
        return products_at_zero(RowTiles(self.X, factor, [None] * len(self.kernel.terms)), t, V)

    def _profiles(self, order: int) -> Iterator[tuple[float, AbstractKernel, Profile]]:
        for weight, kernel in self.kernel.terms:
            profile = Profile.of(kernel, order)
            assert profile is not None
            yield self._layout.size * weight * profile.size, kernel, profile

    def _total_of(self, kernel: AbstractKernel, profile: Profile, sums: Sums) -> Tensor:
        """``sum Gamma o f`` as a multiple of that of f': a Gaussian's is the same but for a number.

        For a power ``f = size t^p, f' = size' t^(p-1)``, and t P has been added up.
        """
        if kernel.rate is not None:
            return sums.degree.sum() / profile.size
        assert kernel.power is not None
        assert sums.values is not None
        return 2.0 * sums.values.sum() * (kernel.power.size / profile.size)

    def _places(self, size: int) -> Iterator[slice]:
        n = self._layout.n_places
        return (slice(i, min(i + size, n)) for i in range(0, n, size))

    def _rows_at_once(self, width: int) -> int:
        """Of so many doubles each."""
        fitting = int(_SHARE * self._budget / (8 * max(width, 1)))
        return max(_FEWEST, min(fitting // BM * BM, self._layout.n_places))

    def _times(self, V: FloatArray, places: slice) -> Tensor:
        """``XV`` of some places, in double precision."""
        torch = torch_of(self._like)
        there = torch.as_tensor(V, dtype=torch.float64, device=self._like.device)
        return self._X.doubles(places) @ there

    def _exponents(self, W: FloatArray, profile: Profile) -> Exponents:
        from ._triton import LIFT

        torch, size = torch_of(self._like), self._rows_at_once(4 * W.shape[1] + self.X.n_features)
        lift, scale = float(LIFT), profile.unit
        if profile.power is not None:  # far pairs count: in a unit in which none is too far
            far = (self._times(W, p).square().sum(dim=1).amax() for p in self._places(size))
            farthest = float(torch.stack(list(far)).amax()) ** 0.5
            lift, scale = 0.0, max(profile.unit, 1.01 * farthest / FARTHEST)
        parts = [
            exponents(self._times(W / scale, p), self._layout.is_there[p], lift)
            for p in self._places(size)
        ]
        a, b = (torch.cat(side) for side in zip(*parts, strict=True))
        return Exponents(a, b, profile.power, (scale / profile.unit) ** 2)

    def _halved(self, columns: Callable[[slice], Tensor]) -> Halves:
        """Columns of all places as halves; nothing of places that only fill."""
        torch, layout = torch_of(self._like), self._layout
        k = int(columns(slice(0, 1)).shape[1])
        size = self._rows_at_once(3 * k)
        largest = torch.zeros(k, dtype=torch.float64, device=self._like.device)
        for places in self._places(size):
            largest = torch.maximum(largest, columns(places).abs().amax(dim=0))
        units = torch.as_tensor(column_units(to_host(largest)), device=self._like.device)
        shape = layout.n_places, padded_width(k)
        high, low = (
            torch.zeros(shape, dtype=torch.float16, device=self._like.device) for _ in range(2)
        )
        for places in self._places(size):
            own = columns(places) * units * layout.is_there[places, None]
            high[places, :k], low[places, :k] = halves(own)
        return Halves(high, low, units)

    def _gram(self, degree: Tensor) -> Tensor:
        """``X'DX``."""
        X, size = self._X, self._rows_at_once(2 * self.X.n_features)

        def part(places: slice) -> Tensor:
            x = X.doubles(places)
            return x.T @ (degree[places, None] * x)

        return sum(part(places) for places in self._places(size))

    def _products_with(self, columns: Halves, W: FloatArray, Z: FloatArray | None) -> Tensor:
        """``c L(S) V``, or its derivative along Z, of all places."""
        torch = torch_of(self._like)
        everything = columns.doubles(slice(0, self._layout.n_places))
        total = torch.zeros_like(everything)
        for weight, kernel, profile in self._profiles(1 if Z is None else 2):
            at_W = self._exponents(W, profile)
            dots, size = (None, 1.0) if Z is None else self._beta_dot(W, Z, profile)
            sums = self._pass(at_W, columns, lambda _, SV: SV, dots=dots)
            SV = torch.cat(sums.found)
            total += weight * size * kernel.pair.contraction(SV, sums.degree, everything)
        return total

    def _beta_dot(
        self, W: FloatArray, Z: FloatArray, profile: Profile
    ) -> tuple[tuple[Tensor, Tensor], float]:
        """Rows whose dot products are betadot, but for its size.

        Of a Gaussian without rows so far out that no pair of them has a value: they would set the
        size, and leave the others no digits.
        """
        everything = slice(0, self._layout.n_places)
        w, z = self._times(W, everything), self._times(Z, everything)
        if profile.power is None:
            is_near = w.norm(dim=1, keepdim=True) <= FARTHEST * profile.unit
            w, z = w * is_near, z * is_near
        sizes = [float(side.abs().max()) or 1.0 for side in (w, z)]
        kernel = self.kernel.terms[0][1]
        left, right = kernel.pair.beta_dot_factors(w / sizes[0], z / sizes[1])
        return lifted_products(left, right), sizes[0] * sizes[1]

    def _pass(
        self,
        at_W: Exponents,
        columns: Halves,
        use: Callable[[slice, Tensor], Any],
        *,
        dots: tuple[Tensor, Tensor] | None = None,
        half: bool = False,
        width: int = 0,
    ) -> Sums:
        """Visit the pairs, some rows at a time, as many as there is memory for."""

        def run(size: int) -> Sums:
            return PairsPass(self._layout, at_W, columns, dots, half, self._products).over(
                self._places(size), use
            )

        most = self._rows_at_once(3 * columns.width + max(width, columns.width))
        return within_memory(run, most, _FEWEST)


def _in_double(rows: AbstractRows) -> DeviceRows:
    return DeviceRows(rows.at(slice(0, rows.n_samples)).double())


def bytes_kept(n_samples: int, n_features: int) -> int:
    """Beside so many rows."""
    return n_samples * (4 * padded_width(n_features) + _BESIDE)


def why_not(rows: AbstractRows, kernel: AbstractKernel) -> str:
    """Why the fused kernel cannot sum over these pairs; nothing if it can."""
    device = rows.on_device
    if device is None or not type(device.like).__module__.startswith("torch"):
        return "needs X as a tensor of torch's, on a GPU."
    if not can_run(device.like):
        return f"needs an NVIDIA GPU and Triton, which come with torch. X is on {device.where}."
    if any(Profile.of(term, order) is None for (_, term), order in product(kernel.terms, (1, 2))):
        return f"needs elementwise kernels of differences. Got {kernel!r}."
    return ""


def can_run(like: Tensor) -> bool:
    """Whether a kernel of Triton's runs where the tensor is, or is imitated there."""
    try:
        import triton
    except ImportError:
        return False
    is_imitated = os.environ.get("TRITON_INTERPRET", "0") not in ("", "0")
    return bool(like.is_cuda) or (is_imitated and hasattr(triton, "jit"))
