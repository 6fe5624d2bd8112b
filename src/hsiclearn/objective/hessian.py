r"""The Riemannian Hessian at a point, and the preconditioner its spectrum suggests.

On horizontal Z (``W'Z = 0``), with P = I - WW'::

    Hess[Z] = P (2 Phi Z + 2 Phidot[Z] W) - 2 Z (W' Phi W)

The Euclidean Hessian alone would call every linear optimum a saddle. Without the Phidot term
the Hessian is diagonal in the eigenvectors of Phi inside and outside W: its eigenvalues are
``2 (outer_i - inner_j)``. That diagonal is the preconditioner.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .._arrays import FloatArray
from ..linalg import SplitSpectrum, split_spectrum
from .objective import Objective
from .point import Point

__all__ = ["RiemannianHessian"]

# Smallest entry of the preconditioner beside the largest. Where Phi has no gap the Hessian is
# governed by Phidot, of which the diagonal knows nothing: trusting it there would take wild steps.
_FLOOR = 1e-2


class RiemannianHessian:
    """Hessian products at one point; ``products`` counts them."""

    def __init__(self, objective: Objective, point: Point) -> None:
        self._objective, self._point = objective, point
        self.products = 0

    @cached_property
    def split(self) -> SplitSpectrum:
        """Spectra of Phi inside W and in its complement."""
        return split_spectrum(self._point.phi, self._point.W)

    def horizontal(self, Z: FloatArray) -> FloatArray:
        """``P Z``."""
        W = self._point.W
        return Z - W @ (W.T @ Z)

    def apply(self, Z: FloatArray) -> FloatArray:
        """``Hess[Z]`` for horizontal Z."""
        point = self._point
        outer = self.horizontal(point.phi @ Z) - Z @ point.rayleigh
        return 2.0 * (outer + self.phi_dot_part(Z))

    def phi_dot_part(self, Z: FloatArray) -> FloatArray:
        """``P Phidot[Z] W``; its quadratic form is the paper's T_1."""
        self.products += 1
        return self.horizontal(self._objective.phi_dot(self._point.W, Z))

    @cached_property
    def _differences(self) -> tuple[FloatArray, FloatArray]:
        """``|2 (outer_i - inner_j)|``, floored, for the known rows i and for the rest."""
        split = self.split
        known = np.abs(2.0 * (split.outer[:, None] - split.inner[None, :]))
        rest = np.abs(2.0 * (split.rest - split.inner))
        floor = _FLOOR * max(float(known.max(initial=0.0)), np.finfo(float).tiny)
        return np.maximum(known, floor), np.maximum(rest, floor)

    def precondition(self, Z: FloatArray, power: float = -1.0) -> FloatArray:
        """``M^power Z``, M the diagonal above; the default applies its inverse."""
        split = self.split
        known, rest = self._differences
        ZS = Z @ split.S
        C = split.B.T @ ZS
        if split.B.shape[1] == Z.shape[0] - Z.shape[1]:
            return (split.B @ (known**power * C)) @ split.S.T
        return (rest**power * ZS + split.B @ ((known**power - rest**power) * C)) @ split.S.T
