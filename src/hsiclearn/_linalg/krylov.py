"""The lowest part of a large spectrum: block Krylov spaces, restarted, and Davidson's method."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray

_MEMORY = 2**26  # bytes for the basis of a space that is restarted, and as many for its images
_BLOCKS = 20  # beyond, the small eigenproblem costs as much as a product
_PATIENCE = 12  # products
_ROUNDING = 1e-8  # of a part in the basis: beyond, a column was never off it

Product = Callable[[FloatArray], FloatArray]


class Spectrum(NamedTuple):
    """Eigenpairs from one end of a spectrum, in order: the lowest ascending, the top descending."""

    values: FloatArray
    vectors: FloatArray


def block_krylov(
    apply: Product, start: FloatArray, *, n_exact: int, atol: float, max_blocks: int = 16
) -> Spectrum | None:
    """Lowest Ritz pairs of a symmetric operator, as many as ``start`` has columns.

    Rayleigh-Ritz on ``span[V, AV, A^2 V, ...]`` with full orthogonalisation: every product is
    a matrix product, and a start near the answer is made use of. Returned once the residuals of
    the first ``n_exact`` pairs are below ``atol``; None if that takes more than ``max_blocks``
    blocks, as it does for a crowded spectrum.
    """
    d, b = start.shape
    max_blocks = min(max_blocks, d // b)
    space = _Space(start, b * max_blocks)
    for j in range(max_blocks):
        space.grow(apply)
        # Not at every block: the small problem costs as much as three products.
        if (j % 3 == 2 or j + 1 == max_blocks) and space.residual(n_exact) <= atol:
            return space.lowest(b)
    return None


def restarted_krylov(
    apply: Product,
    start: FloatArray,
    *,
    n_exact: int,
    atol: float,
    min_products: int = 1,
    max_products: int,
) -> Spectrum:
    """Lowest Ritz pairs of a symmetric operator, as many as ``start`` has columns.

    As :func:`block_krylov`, but the space is cut back to its lower half when it fills its memory
    and grows on from there: the images are cut with it, so that a restart costs no product. Ends
    once the residuals of the first ``n_exact`` pairs are below ``atol``, or with the best there is
    after ``max_products`` or where they fall no more: Ritz values are never below the eigenvalues
    they stand for. A small residual proves that *an* eigenvalue is near, not that it is among the
    lowest: the search goes on for ``min_products`` all the same.

    K. Wu, H. Simon: Thick-restart Lanczos method for large symmetric eigenvalue problems, SIAM
    J. Matrix Anal. Appl. 22, 2000; here with blocks.
    """
    d, b = start.shape
    space = _Space(start, min(d, max(4 * b, min(_BLOCKS * b, _MEMORY // (8 * d)))))
    residuals: list[float] = []
    for k in range(max_products):
        space.grow(apply)
        if k + 1 == max_products or space.is_everything:
            break
        residuals.append(space.residual(n_exact))
        if k + 1 >= min_products and (residuals[-1] <= atol or _stagnates(residuals)):
            break
    return space.lowest(b)


def _stagnates(residuals: list[float]) -> bool:
    """Whether rounding, or a crowd of eigenvalues, lets residuals fall no more."""
    return len(residuals) > _PATIENCE and min(residuals[-_PATIENCE:]) > 0.9 * min(
        residuals[:-_PATIENCE]
    )


class _Space:
    """An orthonormal basis, its images, and A compressed to it."""

    def __init__(self, start: FloatArray, room: int) -> None:
        d, self._width = start.shape
        self._basis, self._images = np.empty((d, room)), np.empty((d, room))
        self._compressed = np.zeros((room, room))
        self._size, self._room = 0, room
        self._image = np.linalg.qr(start)[0]
        self._ritz: Spectrum | None = None

    @property
    def is_everything(self) -> bool:
        return self._size == self._basis.shape[0]

    def grow(self, apply: Product) -> None:
        """Add the start, and from then on the image of what was added last."""
        block = self._orthogonal_part(self._image) if self._size else self._image
        self._cut_back()
        self._image = image = apply(block)
        here = slice(self._size, self._size + block.shape[1])
        up_to = slice(0, here.stop)
        self._basis[:, here], self._images[:, here] = block, image
        part = self._basis[:, up_to].T @ image
        self._compressed[up_to, here], self._compressed[here, up_to] = part, part.T
        part = self._compressed[here, here]
        self._compressed[here, here] = 0.5 * (part + part.T)
        self._size, self._ritz = here.stop, None

    def _small(self) -> Spectrum:
        """Eigenpairs of A compressed to the space."""
        if self._ritz is None:
            m = self._size
            self._ritz = Spectrum(*np.linalg.eigh(self._compressed[:m, :m]))
        return self._ritz

    def residual(self, k: int) -> float:
        """The largest ``|A v - v value|`` of the k lowest Ritz pairs."""
        m, (values, S) = self._size, self._small()
        vectors, images = self._basis[:, :m] @ S[:, :k], self._images[:, :m] @ S[:, :k]
        return float(np.linalg.norm(images - vectors * values[:k], axis=0).max())

    def lowest(self, k: int) -> Spectrum:
        values, S = self._small()
        return Spectrum(values[:k], np.linalg.qr(self._basis[:, : self._size] @ S[:, :k])[0])

    def _cut_back(self) -> None:
        """Make room for one more block, if there is none: keep the lowest half."""
        m, b = self._size, self._width
        if m + b <= self._room or self._room == self._basis.shape[0]:
            return
        values, S = self._small()
        keep = min(m - b, max(b, self._room // 2))
        self._basis[:, :keep] = self._basis[:, :m] @ S[:, :keep]
        self._images[:, :keep] = self._images[:, :m] @ S[:, :keep]
        self._compressed[:keep, :keep] = np.diag(values[:keep])
        self._size = keep

    def _orthogonal_part(self, V: FloatArray) -> FloatArray:
        """Orthonormal columns off the basis.

        Twice would be enough to lose nothing; where the space is invariant already nothing is
        left but rounding, which takes a third time.
        """
        basis = self._basis[:, : self._size]
        V = V[:, : self._basis.shape[0] - self._size]
        return kept_off(basis, _off(basis, V))


def kept_off(basis: FloatArray, V: FloatArray) -> FloatArray:
    """Orthonormal columns that should be off a basis: random ones in the place of those in it.

    Along the axes a space may be invariant to the last bit. Then not even rounding is left of a
    column, and what QR makes of nothing may be in the basis, again and again.
    """
    inside = np.abs(basis.T @ V).max(axis=0) > _ROUNDING
    if not inside.any():
        return V
    V[:, inside] = np.random.default_rng(0).standard_normal((len(V), int(inside.sum())))
    return _off(basis, V)


def _off(basis: FloatArray, V: FloatArray) -> FloatArray:
    for _ in range(3):
        V = _orthonormal_columns(V - basis @ (basis.T @ V))
    return V


def _orthonormal_columns(V: FloatArray) -> FloatArray:
    """Orthonormal columns by Cholesky, three times faster than QR; by QR where that fails."""
    try:
        L = np.linalg.cholesky(V.T @ V)
    except np.linalg.LinAlgError:
        return np.linalg.qr(V)[0]
    if L.diagonal().min() <= 1e-6 * L.diagonal().max():
        return np.linalg.qr(V)[0]
    return V @ np.linalg.inv(L).T


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
