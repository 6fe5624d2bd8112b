"""The lowest part of a large spectrum, by block Krylov spaces; in bounded memory, restarted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray

_MEMORY = 2**26  # bytes for the basis of a space that is restarted, and as many for its images
_BLOCKS = 20  # beyond, the small eigenproblem costs as much as a product
_PATIENCE = 12  # products


def block_krylov(
    apply: Callable[[FloatArray], FloatArray],
    start: FloatArray,
    *,
    n_exact: int,
    atol: float,
    max_blocks: int = 16,
) -> tuple[FloatArray, FloatArray] | None:
    """Lowest Ritz pairs of a symmetric operator, as many as ``start`` has columns.

    Rayleigh-Ritz on ``span[V, AV, A^2 V, ...]`` with full orthogonalisation: every product is
    a matrix product, and a start near the answer is made use of. Returns ``values, vectors``
    once the residuals of the first ``n_exact`` pairs are below ``atol``, and None if that takes
    more than ``max_blocks`` blocks, as it does for a crowded spectrum.
    """
    d, b = start.shape
    max_blocks = min(max_blocks, d // b)
    basis = np.empty((d, b * max_blocks))
    images = np.empty((d, b * max_blocks))
    block = np.linalg.qr(start)[0]
    for j in range(max_blocks):
        here = slice(b * j, b * (j + 1))
        basis[:, here] = block
        images[:, here] = block = apply(block)
        m = here.stop
        if j % 3 == 2 or j + 1 == max_blocks:  # the small problem costs as much as three products
            projected = basis[:, :m].T @ images[:, :m]
            values, S = np.linalg.eigh(0.5 * (projected + projected.T))
            values, S = values[:b], S[:, :b]
            vectors = basis[:, :m] @ S
            residuals = np.linalg.norm(images[:, :m] @ S - vectors * values, axis=0)
            if float(residuals[:n_exact].max()) <= atol:
                return values, np.linalg.qr(vectors)[0]
        block = block - basis[:, :m] @ (basis[:, :m].T @ block)
        block = orthonormal_columns(block)
        block -= basis[:, :m] @ (basis[:, :m].T @ block)  # twice is enough to lose nothing
        block = orthonormal_columns(block)
    return None


def orthonormal_columns(V: FloatArray) -> FloatArray:
    """Orthonormal columns by Cholesky, three times faster than QR; by QR where that fails."""
    try:
        L = np.linalg.cholesky(V.T @ V)
    except np.linalg.LinAlgError:
        return np.linalg.qr(V)[0]
    if L.diagonal().min() <= 1e-6 * L.diagonal().max():
        return np.linalg.qr(V)[0]
    return V @ np.linalg.inv(L).T


def restarted_krylov(
    apply: Callable[[FloatArray], FloatArray],
    start: FloatArray,
    *,
    n_exact: int,
    atol: float,
    min_products: int = 1,
    max_products: int,
) -> tuple[FloatArray, FloatArray]:
    """Lowest Ritz pairs of a symmetric operator, as many as ``start`` has columns.

    Rayleigh-Ritz on ``span[V, AV, A^2 V, ...]``, which is cut back to its lower half when it
    fills its memory and grows on from there: the images are cut with it, so that a restart
    costs no product. Ends once the residuals of the first ``n_exact`` pairs are below ``atol``, or
    with the best there is after ``max_products`` or where they fall no more: Ritz values are
    never below the eigenvalues they stand for. A small residual proves that *an* eigenvalue is
    near, not that it is among the lowest: the search goes on for ``min_products`` all the same.

    K. Wu, H. Simon: Thick-restart Lanczos method for large symmetric eigenvalue problems, SIAM
    J. Matrix Anal. Appl. 22, 2000; here with blocks.
    """
    d, b = start.shape
    space = _Space(d, min(d, max(4 * b, min(_BLOCKS * b, _MEMORY // (8 * d)))))
    block, residuals = np.linalg.qr(start)[0], list[float]()
    for k in range(max_products):
        image = apply(block)
        space.add(block, image)
        if k + 1 == max_products or space.is_everything:
            break
        residuals.append(space.residual(n_exact))
        if k + 1 >= min_products and (residuals[-1] <= atol or _stagnates(residuals)):
            break
        block = space.orthogonal_part(image)
        space.cut_back(b)
    return space.lowest(b)


def _stagnates(residuals: list[float]) -> bool:
    """Whether rounding, or a crowd of eigenvalues, lets residuals fall no more."""
    return len(residuals) > _PATIENCE and min(residuals[-_PATIENCE:]) > 0.9 * min(
        residuals[:-_PATIENCE]
    )


class _Space:
    """An orthonormal basis, its images, and A compressed to it."""

    def __init__(self, d: int, room: int) -> None:
        self._basis, self._images = np.empty((d, room)), np.empty((d, room))
        self._compressed = np.zeros((room, room))
        self._size, self._room = 0, room

    @property
    def is_everything(self) -> bool:
        return self._size == self._basis.shape[0]

    def add(self, block: FloatArray, image: FloatArray) -> None:
        old, new = self._size, self._size + block.shape[1]
        here, up_to = slice(old, new), slice(0, new)
        self._basis[:, here], self._images[:, here] = block, image
        part = self._basis[:, up_to].T @ image
        self._compressed[up_to, here] = part
        self._compressed[here, up_to] = part.T
        self._size = new
        part = self._compressed[here, here]
        self._compressed[here, here] = 0.5 * (part + part.T)
        m = self._size
        self._values, self._S = np.linalg.eigh(self._compressed[:m, :m])

    def residual(self, k: int) -> float:
        """The largest ``|A v - v value|`` of the k lowest Ritz pairs."""
        m, S = self._size, self._S[:, :k]
        vectors, images = self._basis[:, :m] @ S, self._images[:, :m] @ S
        return float(np.linalg.norm(images - vectors * self._values[:k], axis=0).max())

    def lowest(self, k: int) -> tuple[FloatArray, FloatArray]:
        vectors = self._basis[:, : self._size] @ self._S[:, :k]
        return self._values[:k], np.linalg.qr(vectors)[0]

    def cut_back(self, b: int) -> None:
        """Make room for b more columns, if there is none: keep the lowest half."""
        m = self._size
        if m + b <= self._room or self._room == self._basis.shape[0]:
            return
        keep = min(m - b, max(b, self._room // 2))
        S = self._S[:, :keep]
        self._basis[:, :keep] = self._basis[:, :m] @ S
        self._images[:, :keep] = self._images[:, :m] @ S
        self._compressed[:keep, :keep] = np.diag(self._values[:keep])
        self._size = keep

    def orthogonal_part(self, V: FloatArray) -> FloatArray:
        """Orthonormal columns off the basis.

        Twice would be enough to lose nothing; where the space is invariant already nothing is
        left but rounding, which takes a third time.
        """
        basis = self._basis[:, : self._size]
        V = V[:, : self._basis.shape[0] - self._size]
        for _ in range(3):
            V = orthonormal_columns(V - basis @ (basis.T @ V))
        return V
