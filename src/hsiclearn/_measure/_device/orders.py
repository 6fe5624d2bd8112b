"""Orders of the rows, drawn on the host as ever, and the statistic of them in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, in_dtype, to_host, within_memory
from ..linear_time import SideSums
from ..permutations import TIE, draw, product_of_classes
from .products import OrderedProducts, exact_products, in_order, products_of_features
from .sides import DeviceClassSide, DeviceSide
from .thin import Thin
from .tiles import Marginals

_TIE_SINGLE = 1e-6  # share of the statistic that single precision may be off by


class Drawn(NamedTuple):
    """``Tr(Kc Lc)``, without the diagonals if unbiased, of the rows as they are and as drawn.

    Two values that differ by less than the share ``tie`` are equal. ``kept`` are the features, of
    either side, if it is they that were permuted.
    """

    statistic: float
    values: FloatArray
    tie: float = TIE
    kept: tuple[Thin, ...] = ()


def drawn_on_device(
    sides: tuple[DeviceSide, DeviceSide],
    estimator: str,
    count: int,
    generator: Callable[[], np.random.Generator],
    marginals: Marginals | None,
    features: SideSums | None,
) -> Drawn:
    """The statistic of ``count`` orders; from ``marginals`` of all pairs, or from features."""
    x, y = sides
    if isinstance(x, DeviceClassSide) and isinstance(y, DeviceClassSide):
        product = product_of_classes(x.labels, y.labels, estimator)
        drawn = draw(product, x.n_samples, count, generator(), None)
        return Drawn(product(np.arange(x.n_samples)), drawn)
    kept: tuple[Thin, ...] = ()
    if features is not None:
        crossed = products_of_features(x, y, features)
        products: OrderedProducts = crossed
        kept = (crossed.fixed, crossed.thin)
        diagonals = crossed.fixed.diagonal(), crossed.thin.diagonal()
    else:
        assert marginals is not None
        products, diagonals = exact_products(x, y, marginals), marginals.diagonals
    is_biased = estimator == "biased"
    values = _values(products, None if is_biased else diagonals, x, count, generator)
    tie = TIE if products.dtype == np.float64 else _TIE_SINGLE
    return Drawn(float(values[0]), values[1:], tie, kept)


def _values(
    products: OrderedProducts,
    diagonals: tuple[Array, Array] | None,
    side: DeviceSide,
    count: int,
    generator: Callable[[], np.random.Generator],
) -> FloatArray:
    """Of the rows as they are, first, and of each order drawn, in batches.

    The device works on one batch while the next is drawn here. Where it is the rows of X that are
    moved, by the inverse of an order, so are the diagonals.
    """
    n, like = side.n_samples, side.like

    def run(size: int) -> FloatArray:
        found = []
        for batch in _orders(n, count, generator(), size):
            orders = beside(batch if products.moved else _inverses(batch), like, np.int32)
            values = products(orders)
            if diagonals is not None:
                fixed, moved = diagonals if products.moved else diagonals[::-1]
                values = values - _of_diagonals(fixed, moved, orders)
            found.append(values)
        return to_host(array_namespace(like).concat(found))

    room = side.budget // (2 * 8 * n * products.numbers)
    return within_memory(run, int(np.clip(room, 1, products.most)), 1)


def _orders(n: int, count: int, rng: np.random.Generator, size: int) -> Iterator[Array]:
    """The rows as they are, and orders drawn, ``size`` together; few first, for a quick start."""
    few = -(-min(size, count + 1) // 8)
    for start, end in pairwise([0, *range(few, count + 1, size), count + 1]):
        orders = np.empty((end - start, n), dtype=np.int32)
        for k in range(start, end):
            orders[k - start] = rng.permutation(n) if k else np.arange(n)
        yield orders


def _inverses(orders: Array) -> Array:
    inverse = np.empty_like(orders)
    np.put_along_axis(inverse, orders, np.arange(orders.shape[1], dtype=np.int32)[None, :], axis=1)
    return inverse


def _of_diagonals(fixed: Array, moved: Array, orders: Array) -> Array:
    """What the diagonals of Kc and Lc have in the sum, see :mod:`~.sums`."""
    k, ell = in_dtype(fixed, np.float64), in_dtype(moved, np.float64)
    xp, n = array_namespace(k), int(k.shape[0])
    chance = xp.sum(k) * xp.sum(ell) / (n * (n - 1.0))
    return n / (n - 2.0) * (in_order(ell, orders) @ k - chance)
