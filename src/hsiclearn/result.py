"""What a solve returns: the answer, why it stopped, how it got there, and the proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ._arrays import FloatArray

__all__ = ["Certificate", "EngineError", "Record", "Result", "Status"]


class Status(Enum):
    """Why a solver stopped; the value is a sentence that names the next move."""

    CONVERGED = "Converged: the stopping rule is met. Nothing to do."
    SETTLED = (
        "Settled: steps bring no further gain, so the objective is at a kink or flat, as it is "
        "where clusters are well separated. The certificate says how large the gradient is."
    )
    EIGENVALUES_SETTLED = (
        "The eigenvalues of Phi settled, which is Algorithm 1's own stopping rule. It does not "
        "prove optimality: read the certificate, or use solver='spectral'."
    )
    CYCLING = (
        "Algorithm 1 cycles: its iterates return to an earlier subspace and will never converge. "
        "The visited subspace of lowest cost is returned. Use solver='spectral'."
    )
    MAX_ITER = (
        "The iteration budget ran out before the stopping rule was met. (a) Raise max_iter; "
        "(b) loosen tol; (c) if the bandwidth is far below the median distance, raise it."
    )
    VANISHED = (
        "Phi vanishes: every pair of projected rows is so many bandwidths apart that the objective "
        "is flat to rounding, and any subspace is as good. (a) Raise the bandwidth; (b) lower "
        "n_components; (c) check that the target varies and its classes have weight."
    )
    STALLED = (
        "No step lowers the cost beyond rounding, yet the gradient is above tol. The answer is as "
        "good as double precision allows: (a) loosen tol; (b) scale the columns of X."
    )
    COARSE = (
        "The landmarks allowed are too few for the accuracy asked for: the subspace may be off by "
        "more than engine_error.angle says is tolerable. (a) Raise the bandwidth; (b) lower "
        "n_components; (c) engine='tiled' is exact, at a cost that grows with the square of the "
        "rows; (d) loosen tol."
    )
    INTERRUPTED = (
        "Interrupted: the solver was stopped before its rule was met. The best iterate so far is "
        "returned, verified to first order only. (a) Fit again with the same checkpoint "
        "and resume=True; (b) without a checkpoint, pass the components as init."
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
        Time since the solver started.
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
        ``|Phi_engine - Phi| <= relative |Phi|_F``; 0 for exact engines.
    guaranteed : bool
        Whether that is a proven bound. If not, it is an estimate.
    angle : float
        What that means for the answer, to first order: the sine of the largest angle to the
        optimum of the exact engine is at most ``2 relative |Phi|_F / curvature``.
    n_features : int
        Number of landmarks or other features of a kernel; 0 for exact engines.
    """

    relative: float = 0.0
    guaranteed: bool = True
    angle: float = 0.0
    n_features: int = 0


@dataclass(frozen=True, slots=True)
class Certificate:
    """First- and second-order optimality of a subspace, verified numerically.

    Every figure is scale free, so that one ``tol`` suits all data. In plain words: if
    ``stationarity <= tol`` and ``second_order`` holds, no small turn of the subspace lowers
    the cost to second order, up to ``tol`` of ``|Phi|``. That yardstick is set by the largest
    columns of X: where one dwarfs the others, the verdicts say little about these. Standardise
    the columns first.

    Attributes
    ----------
    orthogonality : float
        ``|W'W - I|_F``.
    stationarity : float
        ``|(I - WW')Phi W|_F / |Phi|_F``: zero where the gradient on the manifold vanishes.
    curvature : float
        Smallest eigenvalue of the Riemannian Hessian over ``2 |Phi|_F``; infinite when q = d.
    second_order : bool or None
        ``curvature >= -tol``; None where there is nothing to judge: Phi vanishes (the figures
        are NaN then), the objective has no Hessian, or the solver was interrupted.
    eigengap : float
        ``(lambda_{q+1} - lambda_q) / |Phi|_F``; infinite when q = d.
    is_lowest : bool
        Whether W spans the lowest q eigenvectors of Phi(W), i.e. is a fixed point of Algorithm 1.
    theorem1 : bool or None
        Whether the paper's own sufficient condition holds:
        ``lambda_{q+1} - lambda_q >= -min_Z Tr(Z' Phidot[Z] W)`` over unit horizontal Z.
    full_rank : bool or None
        Whether Phi has full rank, which Theorem 1 assumes as well. None where there are too many
        features to tell.
    tol : float
        The tolerance behind the three verdicts.
    engine : str
        The engine that computed the sums.
    """

    orthogonality: float
    stationarity: float
    curvature: float
    second_order: bool | None
    eigengap: float
    is_lowest: bool
    theorem1: bool | None
    full_rank: bool | None
    tol: float
    engine: str


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

    @property
    def converged(self) -> bool:
        """Whether the solver's stopping rule was met."""
        return self.status.converged

    @property
    def n_iter(self) -> int:
        """Number of steps taken."""
        return len(self.history) - 1
