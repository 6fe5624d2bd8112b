"""The smallest eigenvalue of an operator, by the preconditioned Davidson method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .krylov import Product


class Eigenpair(NamedTuple):
    """A Ritz pair. ``value`` is never below the true eigenvalue; ``residual`` bounds its error."""

    value: float
    vector: FloatArray
    residual: float
    products: int


def smallest_eigenpair(
    operator: Product,
    start: FloatArray,
    *,
    precondition: Product = lambda r: r,
    rtol: float = 1e-2,
    atol: float = 0.0,
    threshold: float | None = None,
    settled_above: float = -np.inf,
    min_products: int = 10,
    max_products: int = 60,
) -> Eigenpair:
    """Smallest eigenpair of a symmetric operator on arrays shaped like ``start``.

    The search space grows by the preconditioned residual (``precondition`` approximates the
    inverse); without a preconditioner that is the Lanczos method with full orthogonalisation.
    ``start`` must not be orthogonal to the answer: mix in a random direction.

    It ends once the residual is below ``rtol * |value| + atol``, or the last five products have
    lowered the value by less than that: the error of the value is quadratic in the residual, which
    in a crowded spectrum falls very slowly. Below ``settled_above`` a slow fall is no reason to
    stop. Where only the side of a number matters, it ends as soon as the value falls below
    ``threshold``. A small residual proves that *an* eigenvalue is near, not that it is the smallest
    one: the search goes on for ``min_products`` all the same.
    """
    size = start.size
    budget = min(max_products, size)
    basis = np.empty((budget, size))
    images = np.empty((budget, size))
    direction = start.ravel()
    trail: list[float] = []
    for k in range(budget):
        for _ in range(2):  # twice is enough to lose no orthogonality
            direction = direction - basis[:k].T @ (basis[:k] @ direction)
        norm = float(np.linalg.norm(direction))
        if k and norm < 1e-12:
            break
        basis[k] = direction / norm
        images[k] = operator(basis[k].reshape(start.shape)).ravel()
        projected = basis[: k + 1] @ images[: k + 1].T
        values, vectors = np.linalg.eigh(0.5 * (projected + projected.T))
        value, ritz = float(values[0]), vectors[:, 0] @ basis[: k + 1]
        r = vectors[:, 0] @ images[: k + 1] - value * ritz
        residual = float(np.linalg.norm(r))
        best = Eigenpair(value, ritz.reshape(start.shape), residual, k + 1)
        if threshold is not None and value < threshold:
            break
        trail.append(value)
        allowed = rtol * abs(value) + atol
        is_clear = len(trail) > 5 and value > settled_above
        fallen = trail[-6] - value if is_clear else np.inf
        if k + 1 >= min_products and min(residual, fallen) <= allowed:
            break
        direction = precondition(r.reshape(start.shape)).ravel()
        direction = direction / (float(np.linalg.norm(direction)) or 1.0)
    return best
