"""The outcome of a solve: why it stopped, how it got there, and how exact the sums were."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum

from .._advice import Advice
from .._arrays import FloatArray
from .certificate import Certificate, table
from .fitted_on import FittedOn


class Status(Enum):
    """Why a solver stopped; the value is a sentence that names the next move."""

    CONVERGED = Advice("Converged: the stopping rule is met. Nothing to do.")
    SETTLED = Advice(
        "Settled: further steps bring no gain worth them. The certificate says where (at a kink, "
        "or where the descent creeps) and what could be left to gain; that clusters exist it does "
        "not say:",
        "read agreement_.",
        "read how well its labels agree.",
    )
    EIGENVALUES_SETTLED = Advice(
        "The eigenvalues of Phi settled, which is Algorithm 1's own stopping rule. It does not "
        "prove optimality:",
        "read the certificate, or use solver='spectral'.",
        "read the certificate.",
    )
    CYCLING = Advice(
        "Algorithm 1 cycles: its iterates return to an earlier subspace and will never converge. "
        "The visited subspace of lowest cost is returned.",
        "Use solver='spectral'.",
        "Fit it again by hsiclearn fit.",
    )
    MAX_ITER = Advice(
        "The iteration budget ran out before the stopping rule was met.",
        "(a) Raise max_iter; (b) loosen tol; (c) if the bandwidth is far below the median "
        "distance, raise it.",
        "(a) Raise --max-iter; (b) loosen --tol; (c) if the bandwidth is far below the median "
        "distance, raise it by --bandwidth.",
    )
    VANISHED = Advice(
        "Phi vanishes: every pair of projected rows is so many bandwidths apart that the objective "
        "is flat to rounding, and any subspace is as good.",
        "(a) Raise the bandwidth; (b) lower n_components; (c) check that the target varies and its "
        "classes have weight.",
        "(a) Raise --bandwidth; (b) lower --components; (c) check that the target varies and its "
        "classes have weight.",
    )
    STALLED = Advice(
        "No step lowers the cost beyond rounding, yet the gradient is above",
        "tol. The answer is as good as double precision allows: (a) loosen tol; (b) scale the "
        "columns of X.",
        "--tol. The answer is as good as double precision allows: (a) loosen --tol; (b) leave "
        "--no-scale out, so that columns are standardised.",
    )
    COARSE = Advice(
        "The landmarks allowed are too few for the accuracy asked for: the subspace may be off by "
        "more than",
        "engine_error.angle says is tolerable. (a) Raise the bandwidth; (b) lower n_components; "
        "(c) engine='tiled' is exact, at a cost that grows with the square of the rows; (d) loosen "
        "tol.",
        "is tolerable. (a) Raise --bandwidth; (b) lower --components; (c) --engine tiled is exact, "
        "at a cost that grows with the square of the rows; (d) loosen --tol.",
    )
    INTERRUPTED = Advice(
        "Interrupted: the solver was stopped before its rule was met. The best iterate so far is "
        "returned, verified to first order only.",
        "(a) Fit again with the same checkpoint and resume=True; (b) without a checkpoint, pass "
        "the components as init.",
        "Run the command again.",
    )

    @property
    def converged(self) -> bool:
        """Whether the solver's own stopping rule was met."""
        return self in (Status.CONVERGED, Status.SETTLED, Status.EIGENVALUES_SETTLED)


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a solver's history.

    Attributes
    ----------
    step : str
        What led here: ``"start"``, ``"spectral"``, ``"newton"``, ``"escape"`` or ``"lbfgs"``; of
        the rivals ``"column"``, ``"cayley"`` or ``"pymanopt"``; ``"round"`` of an alternation.
    cost : float
        ``-Tr(Gamma K_XW)`` at the iterate.
    gradient : float
        Stationarity, ``|(I - WW')Phi W|_F / |Phi|_F``.
    angle : float
        Sine of the largest principal angle to the previous iterate.
    eigengap : float
        What the step that led here saw: ``lambda_{q+1} - lambda_q`` of Phi (spectral), or the
        lowest eigenvalue outside W less the highest inside (Newton), which is negative while W
        is not lowest; NaN where neither was needed.
    seconds : float
        Time since the solver started; NaN in a model that was loaded from a file.
    evaluations : int
        Evaluations of Phi so far.
    hessian_products : int
        Hessian products so far.
    iterations : int
        Iterations so far, as the method counts them.
    """

    step: str
    cost: float
    gradient: float
    angle: float
    eigengap: float
    seconds: float
    evaluations: int
    hessian_products: int
    iterations: int = 0


@dataclass(frozen=True, slots=True)
class EngineError:
    """How far an engine's Phi may be from the exact one.

    Attributes
    ----------
    relative : float
        ``|Phi_engine - Phi| <= relative |Phi|_F``; for exact engines 0, or the rounding.
    guaranteed : bool
        Whether that is a proven bound. If not, it is an estimate.
    angle : float
        What that means for the answer, to first order: the sine of the largest angle to the
        optimum of the exact engine is at most ``2 relative |Phi|_F / curvature``.
    n_features : int
        Number of landmarks or other features of a kernel; 0 for exact engines.
    rounding : float
        The part of ``relative`` that no engine can remove in double precision; 0 where the rows
        are centred, so that it is a few units of the last digit.
    """

    relative: float = 0.0
    guaranteed: bool = True
    angle: float = 0.0
    n_features: int = 0
    rounding: float = 0.0

    @property
    def approximation(self) -> float:
        """The part of ``relative`` that a finer engine would remove."""
        return self.relative - self.rounding


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
