"""The outcome of a solve: why it stopped, how it got there, and what it was fitted on."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np

from .._advice import Advice
from .._arrays import FloatArray
from .certificate import Certificate, EngineError, table

PROBES = 3
"""Random vectors: a change of one entry, in the first nine digits, shows in every product."""

_FEW_ROWS = 5000  # of which random vectors are kept


class Status(Enum):
    """Why a solver stopped; the value is a sentence that names the next move."""

    CONVERGED = Advice("Converged: the stopping rule is met. Nothing to do.")
    SETTLED = Advice(
        "Settled: further steps bring no gain worth them. The certificate says where (at a kink, "
        "or where the descent creeps) and what could be left to gain; what the answer is worth it "
        "does not say:",
        "read agreement_ of clusters, and of directions what score says of other rows.",
        "read how well labels agree, or what is explained on rows held out.",
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
        "(a) Raise max_iter. Of directions found by HSIC: (b) loosen tol; (c) if the bandwidth is "
        "far below the median distance, raise it.",
        "(a) Raise --max-iter. Of directions found by HSIC: (b) loosen --tol; (c) if the bandwidth "
        "is far below the median distance, raise it by --bandwidth.",
    )
    VANISHED = Advice(
        "Phi vanishes: the objective is flat to rounding, and any subspace is as good. Either "
        "every pair of projected rows is many bandwidths apart, or the rows tell nothing of the "
        "target, as in a balanced design.",
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
    STOPPED = Advice(
        "Stopped: whoever follows the fit asked for it before the solver's rule was met. The best "
        "iterate so far is returned, verified to first order only.",
        "(a) To go on, fit again with the same checkpoint and resume=True, or pass the components "
        "as init; (b) return nothing from the callback to let a fit end by itself.",
        "Run the command again.",
    )

    @property
    def is_cut_short(self) -> bool:
        """Whether somebody ended it, rather than the solver."""
        return self in (Status.INTERRUPTED, Status.STOPPED)

    @classmethod
    def _missing_(cls, value: object) -> Status | None:
        """A status by its name, too: sentences may change."""
        return cls.__members__.get(value) if isinstance(value, str) else None

    def __reduce__(self) -> tuple[type[Status], tuple[str]]:
        """Its class and name: what skops writes. Pickle asks for ``__reduce_ex__``."""
        return Status, (self.name,)

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


@dataclass(frozen=True, kw_only=True)
class FittedOn:
    """The data of a fit, by their size and digests, and the versions that computed it.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    dtype : str
        Of X as it was read: ``"float64"`` or ``"float32"``.
    X : str or None
        :func:`digest_of` the rows, all columns included; None for a source of blocks, which
        would have to be read once more, and for rows that are elsewhere.
    y : str or None
        Digest of the target, or of what guides a clustering: of classes their codes, each label
        by its rank among them all (-1: unknown), of quantities and of a kernel matrix the numbers.
        None where there is no y.
    versions : tuple of (name, version)
        Of Python and the packages.
    weights : str or None
        Digest of the weights of the rows, where these had some; rows of weight 0 are then not
        among those counted.
    """

    n_rows: int
    dtype: str
    X: str | None
    y: str | None
    versions: tuple[tuple[str, str], ...]
    weights: str | None = None


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


def digest_of(table: Any) -> str:
    """Sixteen letters that tell a table (n, d) from others: an array, or anything with ``@``.

    ``V'AU`` with a few seeded random vectors, to nine digits: one pass over the rows, in double
    precision whatever A has, and so the same on a machine that rounds otherwise. A vector is a
    table of one column.
    """
    table = table.reshape(-1, 1) if len(table.shape) == 1 else table
    n, d = table.shape
    V, U = (_kept_probes if n <= _FEW_ROWS else _probes)(n, d)
    with np.errstate(over="ignore", invalid="ignore"):  # of the largest numbers there are
        return digest_of_values(V.T @ _in_double(table, U))


def _probes(n: int, d: int) -> tuple[FloatArray, FloatArray]:
    draw = np.random.default_rng(0)
    return draw.standard_normal((n, PROBES)), draw.standard_normal((d, PROBES))


_kept_probes = lru_cache(maxsize=8)(_probes)  # a search fits tables of one size again and again


def _in_double(table: Any, U: FloatArray) -> FloatArray:
    """``A U``; rows of a table in single precision are not copied as a whole."""
    if not hasattr(table, "chunks"):
        return np.asarray(table.astype(np.float64, copy=False) @ U)
    shift = table.origin @ U if table.is_sparse and table.origin is not None else 0.0
    blocks = (block.astype(np.float64, copy=False) @ U for _, block in table.chunks())
    return np.concatenate([np.asarray(block) - shift for block in blocks])


def digest_of_values(values: FloatArray) -> str:
    """Of a few numbers, to nine digits."""
    text = " ".join(f"{value + 0.0:.9e}" for value in values.ravel())
    return hashlib.sha256(text.encode()).hexdigest()[:16]
