"""The outcome of a solve."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .._arrays import FloatArray
from ._html import table
from .certificate import Certificate
from .engine_error import EngineError
from .fitted_on import FittedOn
from .record import Record
from .status import Status

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """The outcome of :func:`hsiclearn.solve`.

    Attributes
    ----------
    W : ndarray of shape (n_features, n_components)
        Orthonormal basis, ordered by its eigenvalue in Phi(W), signs fixed.
    cost : float
        ``-Tr(Gamma K_XW)``.
    status : Status
        Why the solver stopped; ``status.value`` is a sentence with the next move.
    history : tuple of Record
        One record per iterate of the run that won.
    eigenvalues : ndarray
        The lowest eigenvalues of Phi(W), ascending: max(q + 1, 21) of them, or all up to 200
        features.
    certificate : Certificate
        Optimality of ``W``, verified.
    engine : str
        The engine that computed the sums over pairs.
    start : str
        Name of the start that won.
    engine_reason : str
        Why that engine was chosen.
    engine_error : EngineError
        How far the engine's sums may be from the exact ones.
    fitted_on : FittedOn or None
        What an estimator was fitted on: number of rows, digests of X and y, versions. None from
        :func:`hsiclearn.solve`, and in models saved before this was recorded.
    """

    W: FloatArray = field(repr=False)
    cost: float
    status: Status
    history: tuple[Record, ...] = field(repr=False)
    eigenvalues: FloatArray = field(repr=False)
    certificate: Certificate
    engine: str
    start: str
    engine_reason: str = ""
    engine_error: EngineError = field(default_factory=EngineError)
    fitted_on: FittedOn | None = field(default=None, repr=False)

    @property
    def converged(self) -> bool:
        """Whether the solver's stopping rule was met."""
        return self.status.converged

    @property
    def n_iter(self) -> int:
        """Number of steps taken."""
        return len(self.history) - 1

    def _repr_html_(self) -> str:
        """For notebooks: what was found, why it stopped, and what was verified."""
        n_features, n_components = self.W.shape
        seconds = self.history[-1].seconds
        figures = {
            "subspace": f"{n_components} of {n_features} dimensions",
            "cost": self.cost,
            "status": self.status.value,
            "certificate": self.certificate.verdict,
            "steps": self.n_iter,
            "seconds": "not recorded" if math.isnan(seconds) else seconds,
            "engine": f"{self.engine} ({self.engine_reason})"
            if self.engine_reason
            else self.engine,
            "start": self.start,
        }
        return table(f"Result: {self.status.name.lower().replace('_', ' ')}", figures)
