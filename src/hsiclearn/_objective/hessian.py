r"""The Riemannian Hessian at a point, and the preconditioner its spectrum suggests.

On horizontal Z (``W'Z = 0``), with P = I - WW'::

    Hess[Z] = P (2 Phi Z + 2 Phidot[Z] W) - 2 Z (W' Phi W)

The Euclidean Hessian alone would call every linear optimum a saddle. Without the Phidot term
the Hessian is diagonal in the eigenvectors of Phi inside and outside W: its eigenvalues are
``2 (outer_i - inner_j)``. That diagonal is the preconditioner.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._linalg import Eigenpair, safe_norm, smallest_eigenpair
from .._rows import rows_stand_out
from ..exceptions import DegenerateDataError

if TYPE_CHECKING:
    from .point import CurvedPoint

# Smallest entry of the preconditioner beside the largest. Where Phi has no gap the Hessian is
# governed by Phidot, of which the diagonal knows nothing: trusting it there would take wild
# steps. A search for the smallest curvature takes no steps and may trust it further.
_STEP_FLOOR = 1e-2
_SEARCH_FLOOR = 1e-4
_WORTH = 10_000_000  # numbers: of fewer, all rows are asked in no more time
_SHARE = 1e-3  # of the variance of a column, that one row may carry where a sample is to judge
_SAFE = 5.0  # times what a sample is off by along one direction
_MOST_BY_PAIRS = 1024  # of a small matrix, where pairs are visited
_ROWS_BY_PAIRS = 300_000  # beyond, few products are better than all second derivatives
_SEARCH_MEMORY = 2**29  # bytes of directions and their images; up to d q = 170 000 no bound


class JudgedBySample(NamedTuple):
    r"""The smallest curvature by m of very many rows, and what all rows say of it.

    Let H be the Hessian of all rows and ``H_m = H + E`` that of the sample with the same Phi, z
    its lowest eigenvector and ``|E z|`` what one product with H tells. Where no row stands out,
    the errors of a sample have no favourite direction: then ``|E|`` is about ``2 |E z|``, as of a
    random symmetric matrix, and by Weyl no eigenvalue of H is lower than that of H_m by more. That
    is no proof, so five times ``|E z|`` is allowed; where the curvature of the sample is no more
    than this, or a row carries a thousandth of the variance of a column, all rows are asked.
    """

    pair: Eigenpair
    """z, with ``z'Hz`` of all rows."""
    phi_dot: float
    """The lowest eigenvalue of Phidot, by the sample ..."""
    off: float
    """... which is off by no more than this."""
    n_rows: int


class RiemannianHessian:
    """The Hessian at one point: a small matrix while it is small, an operator beyond.

    ``products`` counts passes over the pairs of rows.
    """

    def __init__(self, point: CurvedPoint) -> None:
        self.point = point
        self.products = 0
        self._diagonals: dict[float, tuple[FloatArray, FloatArray]] = {}
        d, q = point.W.shape
        # One pass that assembles everything costs q(q+1)/2 contractions of d columns beside the
        # kernel evaluations; in units of those, (q(q+1)/2)(1 + d/20)/8 passes (measured). A
        # Newton step makes some four passes instead, a search for the smallest curvature ten.
        # Where a column costs more than one of classes does, so does any pass.
        cost = point.objective.column_cost
        passes = q * (q + 1) / 2 * (1 + cost * d / 20) / 8 / (1 + 0.15 * (cost - 1))
        # Coordinates need a basis of all of the complement of W.
        by_pairs = point.objective.is_pairwise  # ten passes whatever q is: less than a search ...
        is_many = by_pairs and point.objective.n_samples > _ROWS_BY_PAIRS  # ... and than a step
        has_coordinates = d * q <= (_MOST_BY_PAIRS if by_pairs else 400) and not is_many
        has_coordinates = has_coordinates and point.matrix.splits_in_full(q)
        self._is_small = has_coordinates and (by_pairs or passes <= 8)
        self._is_tiny = has_coordinates and (by_pairs or passes <= 3)

    @property
    def _is_assembled(self) -> bool:
        return "_matrices" in self.__dict__

    def horizontal(self, Z: FloatArray) -> FloatArray:
        """``P Z``."""
        W = self.point.W
        return Z - W @ (W.T @ Z)

    def apply(self, Z: FloatArray) -> FloatArray:
        """``Hess[Z]`` for horizontal Z."""
        if self._is_tiny or self._is_assembled:
            B, S = self.point.split.B, self.point.split.S
            C = self._matrices[1] @ (B.T @ Z @ S).ravel()
            return B @ C.reshape(B.shape[1], -1) @ S.T
        return self._product(Z)

    def _product(self, Z: FloatArray) -> FloatArray:
        """The same from a pass over the pairs."""
        outer = self.horizontal(self.point.matrix.times(Z)) - Z @ self.point.rayleigh
        return 2.0 * (outer + self._phi_dot(Z))

    def _phi_dot(self, Z: FloatArray) -> FloatArray:
        """``P Phidot[Z] W``; its quadratic form is the paper's T_1."""
        self.products += 1
        return self.horizontal(self.point.objective.phi_dot(self.point.W, Z))

    @cached_property
    def _matrices(self) -> tuple[FloatArray, FloatArray]:
        """Phidot and ``Hess = 2 (diag(outer_i - inner_j) + Phidot)``, of size (d - q) q.

        In coordinates C, ``Z = B C S'``, in which Phi is diagonal: ``C -> B' Phidot[Z] W S``.
        """
        self.products += 1
        split = self.point.split
        B, S = split.B, split.S
        M = B.T @ self.point.objective.hessian_blocks(self.point.W) @ B  # (q, q, d - q, d - q)
        phi_dot = np.tensordot(S, np.tensordot(S, M, (0, 1)), (0, 1)).transpose(2, 0, 3, 1)
        phi_dot = phi_dot.reshape(split.outer.size * split.inner.size, -1)
        hessian = 2.0 * phi_dot
        diagonal = split.outer[:, None] - split.inner[None, :]
        hessian[np.diag_indices_from(hessian)] += 2.0 * diagonal.ravel()
        return 0.5 * (phi_dot + phi_dot.T), 0.5 * (hessian + hessian.T)

    @cached_property
    def judged(self) -> JudgedBySample | None:
        """What rows that stand in say of the curvature, where they say enough."""
        objective = self.point.objective
        d, q = self.point.W.shape
        is_worth_it = objective.has_stand_in and objective.n_samples * d >= _WORTH
        is_dear = self._is_small or objective.is_pairwise
        if d == q or not (is_dear and is_worth_it) or self._is_assembled:
            return None
        if rows_stand_out(objective.rows, _SHARE):
            return None
        sample = self.point.bent_as(objective.stand_in).hessian
        found = sample.smallest_curvature
        assert found is not None
        Z = found.vector
        HZ = self._product(Z)
        off = _SAFE * float(np.linalg.norm(HZ - found.value * Z))
        if found.value <= off:
            return None
        value = float(np.vdot(Z, HZ))
        pair = Eigenpair(value, Z, float(np.linalg.norm(HZ - value * Z)), 1)
        return JudgedBySample(pair, sample.lowest_phi_dot, 0.5 * off, objective.stand_in.n_samples)

    @property
    def lowest_phi_dot(self) -> float:
        """The lowest eigenvalue of Phidot: exact where it is assembled, else to a few per cent."""
        if self._is_small:
            return float(np.linalg.eigvalsh(self._matrices[0])[0])
        return self._searched_phi_dot(None)

    def _searched_phi_dot(self, threshold: float | None) -> float:
        """The same by a search, that ends where it is known to be above or below a threshold."""
        assert self.smallest_curvature is not None
        return smallest_eigenpair(
            self._phi_dot,
            self.smallest_curvature.vector + 0.1 * self._random_direction(),
            rtol=0.05,
            atol=1e-8 * self.point.scale,
            threshold=threshold,
            max_products=100,
        ).value

    def _direction(self, C: FloatArray) -> FloatArray:
        """``Z = B C S'`` of coordinates."""
        B, S = self.point.split.B, self.point.split.S
        return np.asarray(B @ C.reshape(B.shape[1], -1) @ S.T)

    def precondition(self, Z: FloatArray, floor: float = _STEP_FLOOR) -> FloatArray:
        """``M^-1 Z``, M the diagonal ``|2 (outer_i - inner_j)|``, floored."""
        if floor not in self._diagonals:  # a Newton step asks some ten times for the same
            self._diagonals[floor] = self.point.split.diagonal(floor)
        return self.point.split.divided(Z, *self._diagonals[floor])

    @cached_property
    def smallest_curvature(self) -> Eigenpair | None:
        """Smallest eigenvalue and its direction; None when q = d.

        Exact where the Hessian is assembled. Otherwise to a few per cent, or to 1e-8 of
        ``|Phi|`` where it is nearly zero, by a search that starts where the preconditioner
        expects the answer, with a random part so that no direction is out of reach.
        """
        d, q = self.point.W.shape
        if d == q:
            return None
        B, S = self.point.split.B, self.point.split.S
        try:
            if self.judged is not None:
                return self.judged.pair
            if self._is_small:
                values, vectors = np.linalg.eigh(self._matrices[1])
                return Eigenpair(float(values[0]), self._direction(vectors[:, 0]), 0.0, 0)
            return smallest_eigenpair(
                self.apply,
                np.outer(B[:, 0], S[:, -1]) + 0.1 * self._random_direction(),
                precondition=lambda r: self.precondition(r, _SEARCH_FLOOR),
                rtol=0.05,
                atol=1e-8 * self.point.scale,
                settled_above=1e-5 * self.point.scale,
                max_products=max(30, min(200, _SEARCH_MEMORY // (16 * d * q))),
            )
        except np.linalg.LinAlgError as error:
            raise DegenerateDataError(
                "The second derivatives of the objective are not finite, though its cost is: "
                f"{self.point.cost:.3g}. Squares of kernel values overflow on these data: "
                "standardise the columns of X, or lower the degree of the kernel."
            ) from error

    def phi_dot_exceeds(self, bound: float) -> bool:
        """Whether ``Tr(Z' Phidot[Z] W) >= bound`` for all unit horizontal Z."""
        if self.smallest_curvature is None:
            return True
        judged = self.judged
        if judged is not None and abs(judged.phi_dot - bound) > judged.off:
            return judged.phi_dot > bound
        if self._is_small:
            return self.lowest_phi_dot >= bound
        return self._searched_phi_dot(bound) >= bound

    @cached_property
    def curvature_along_a_line(self) -> float:
        """``|P Phidot[Z] W|`` along one unit horizontal Z; 0 when q = d."""
        d, q = self.point.W.shape
        return 0.0 if d == q else safe_norm(self._phi_dot(self._random_direction()))

    def _random_direction(self) -> FloatArray:
        Z = self.horizontal(np.random.default_rng(0).standard_normal(self.point.W.shape))
        return Z / np.linalg.norm(Z)
